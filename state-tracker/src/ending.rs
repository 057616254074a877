//! The end of the process, while other threads still call GL.
//!
//! When a program returns from `main`, the destructors of every library run, those below the driver included, and threads
//! that draw go on drawing. So commands of other threads stop at the boundary from then on, before they reach anything
//! that is being taken apart.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static ENDING: AtomicBool = AtomicBool::new(false);
/// Threads that wait for the end.
static STOPPED: AtomicUsize = AtomicUsize::new(0);

/// Asks again to be told of the end.
static WATCH: OnceLock<fn()> = OnceLock::new();
/// Flushes of the process.
static FLUSHES: AtomicUsize = AtomicUsize::new(0);

/// Sets what asks to be told of the end of the process, and asks.
pub fn watch(ask: fn()) {
    WATCH.get_or_init(|| ask)();
}

/// Asks again now and then. Who asks last is told first, and libraries below the driver ask for the destruction of what
/// they make at its first use: that must not come before other threads have stopped.
pub(crate) fn flushed() {
    // Powers of two: often while things are used for the first time, and a few dozen times at most.
    if (FLUSHES.fetch_add(1, Ordering::Relaxed) + 1).is_power_of_two()
        && let Some(ask) = WATCH.get()
    {
        ask();
    }
}

thread_local! {
    /// Whether this thread ends the process: destructors on it may still call GL.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// Lets a command pass, unless the process is ending: then other threads stop here for good.
#[inline(always)]
pub fn pass() {
    if ENDING.load(Ordering::Relaxed) {
        stop();
    }
}

#[cold]
#[inline(never)]
fn stop() {
    if ENDS.get() {
        return;
    }
    STOPPED.fetch_add(1, Ordering::SeqCst);
    loop {
        std::thread::park();
    }
}

/// Stops the commands of other threads, and waits until this many of them have stopped: those inside of a command need a
/// moment. A thread that calls nothing any more never stops, so the wait ends with `patience`.
pub fn begin(threads: usize, patience: Duration) {
    if ENDS.replace(true) {
        return;
    }
    ENDING.store(true, Ordering::SeqCst);
    // A compile takes longer than a command does.
    gallite_shader::pool::end(Duration::from_secs(2));
    let began = Instant::now();
    while STOPPED.load(Ordering::SeqCst) < threads && began.elapsed() < patience {
        std::thread::sleep(Duration::from_micros(200));
    }
}
