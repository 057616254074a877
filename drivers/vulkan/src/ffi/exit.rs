//! The end of the process.

use std::ffi::c_int;
use std::sync::Once;

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
    fn pthread_self() -> usize;
}

/// A number of the calling thread that no other living thread has; also where its thread-locals are gone already.
pub(crate) fn this_thread() -> usize {
    // SAFETY: POSIX: takes nothing and always succeeds; the type is as wide as a pointer on every platform of this driver.
    unsafe { pthread_self() }
}

/// Runs `last` when the process ends, before the destructors of libraries that are loaded by now. Only the first call
/// has an effect.
pub(crate) fn at_exit(last: extern "C" fn()) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: C17 7.22.4.2: the function takes nothing, returns nothing, and lives as long as this library. Without
        // room for it nothing is registered, and the process ends as it would have without.
        unsafe { atexit(last) };
    });
}
