//! Counters without a locked instruction per call: each context writes its own, a reader adds them up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gallite_pipe::Counters;
use parking_lot::Mutex;

/// Written by one context, read by anyone.
#[derive(Default)]
pub struct ContextCounters {
    calls: AtomicU64,
    draws: AtomicU64,
    submits: AtomicU64,
}

/// Adds to a counter that only this thread writes.
fn add(counter: &AtomicU64, amount: u64) {
    counter.store(counter.load(Ordering::Relaxed) + amount, Ordering::Relaxed);
}

impl ContextCounters {
    #[inline]
    pub fn call(&self) {
        add(&self.calls, 1);
    }

    #[inline]
    pub fn draws(&self, ranges: usize) {
        add(&self.draws, ranges as u64);
    }

    pub fn submit(&self) {
        add(&self.submits, 1);
    }

    fn add_to(&self, sum: &mut Counters) {
        sum.calls += self.calls.load(Ordering::Relaxed);
        sum.draws += self.draws.load(Ordering::Relaxed);
        sum.submits += self.submits.load(Ordering::Relaxed);
    }
}

/// The screen's own counters and those of its contexts, living and gone.
#[derive(Default)]
pub struct ScreenCounters {
    calls: AtomicU64,
    objects: AtomicU64,
    contexts: Mutex<Vec<Arc<ContextCounters>>>,
    gone: Mutex<Counters>,
}

impl ScreenCounters {
    pub fn call(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    pub fn created(&self) {
        self.call();
        self.objects.fetch_add(1, Ordering::Relaxed);
    }

    pub fn destroyed(&self) {
        self.call();
        self.objects.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn add_context(&self) -> Arc<ContextCounters> {
        let counters = Arc::new(ContextCounters::default());
        self.contexts.lock().push(counters.clone());
        counters
    }

    pub fn remove_context(&self, counters: &Arc<ContextCounters>) {
        counters.add_to(&mut self.gone.lock());
        self.contexts.lock().retain(|other| !Arc::ptr_eq(other, counters));
    }

    pub fn sum(&self) -> Counters {
        let mut sum = *self.gone.lock();
        sum.calls += self.calls.load(Ordering::Relaxed);
        sum.live_objects = self.objects.load(Ordering::Relaxed);
        self.contexts.lock().iter().for_each(|context| context.add_to(&mut sum));
        sum
    }
}
