//! Counters of work done, kept as relaxed atomics.

use std::sync::atomic::{AtomicU64, Ordering};

use gallite_pipe::Counters;

/// One counter.
#[derive(Debug, Default)]
pub(crate) struct Cell(AtomicU64);

impl Cell {
    #[inline]
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }
    #[inline]
    pub fn sub(&self, n: u64) {
        self.0.fetch_sub(n, Ordering::Relaxed);
    }
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

macro_rules! cells {
    ($($name:ident),*) => {
        /// The screen's counters.
        #[derive(Debug, Default)]
        pub(crate) struct CounterCells { $(pub $name: Cell,)* }

        impl CounterCells {
            /// The values now.
            pub fn snapshot(&self) -> Counters {
                Counters { $($name: self.$name.get(),)* ..Counters::default() }
            }

            /// Adds what a context gathered since it last did.
            pub fn absorb(&self, local: &mut Counters) {
                $(if local.$name != 0 { self.$name.add(local.$name); })*
                *local = Counters::default();
            }
        }
    };
}

cells!(
    calls,
    draws,
    render_passes,
    attachment_loads,
    attachment_clears,
    attachment_stores,
    barriers,
    pipelines_created,
    pipelines_created_in_draw,
    bytes_staged,
    submits,
    waits,
    descriptor_writes,
    live_allocations,
    live_objects,
    present_copies,
    allocations_made
);
