//! Threads, as the C library numbers them.

unsafe extern "C" {
    fn pthread_self() -> usize;
}

/// A number of the calling thread that no other living thread has; also where its thread-locals are gone already.
pub(crate) fn this_thread() -> usize {
    // SAFETY: POSIX: takes nothing and always succeeds; the type is as wide as a pointer on every platform of this driver.
    unsafe { pthread_self() }
}
