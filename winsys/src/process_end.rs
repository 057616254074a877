//! Hears of the end of the process, to stop other threads' commands and bring devices to rest before libraries are taken
//! apart.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::drivers;
use crate::egl::current;

/// How long threads inside of a command are waited for.
const PATIENCE: Duration = Duration::from_millis(50);

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// Asks to be told. Called once a device is open, and again as the program goes on: what is registered last is called
/// first, so this comes before the libraries below the driver are destroyed.
pub(crate) fn watch() {
    WATCHED.store(std::process::id(), Ordering::Relaxed);
    gallite_gl::ending::watch(|| {
        // SAFETY: C17 7.22.4.2: the function takes nothing, returns nothing, and lives as long as this library; it may be
        // registered more than once. Without room for it nothing is registered, and the process ends as it would have
        // without.
        unsafe { atexit(end) };
    });
}

/// The process whose end is watched for.
static WATCHED: AtomicU32 = AtomicU32::new(0);

extern "C" fn end() {
    // A process made by fork has none of the threads that would be waited for, and nothing here is its business.
    if std::process::id() != WATCHED.load(Ordering::Relaxed) {
        return;
    }
    // A panic must not cross into C.
    let _ = std::panic::catch_unwind(|| {
        gallite_gl::ending::begin(current::other_threads(PATIENCE), PATIENCE);
        drivers::rest();
    });
}
