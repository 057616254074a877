//! Counters of the driver, for tests and benches that assert how little work was done.
//!
//! `eglGetProcAddress("gallite_counter")` is `uint64_t (*)(const char *name)`. It reads one counter of the screen that the
//! calling thread's current context draws with; `name` is a field of [`gallite_pipe::Counters`]. Without a current
//! context, and for a name that is no field, it returns `UINT64_MAX`.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gallite_gl::entry;

use crate::egl::client::ClientStr;
use crate::egl::types::RawProc;

/// The name eglGetProcAddress knows it by.
pub const NAME: &str = "gallite_counter";

/// The function, for eglGetProcAddress.
pub fn function() -> RawProc {
    RawProc(gallite_counter as *const ())
}

fn read(name: &str) -> Option<u64> {
    entry::with_current(|ctx| ctx.device().screen.counters().get(name)).flatten()
}

/// Not exported: a program that does not ask for it by name does not see it.
///
/// # Safety
/// `name` is null or a null-terminated string.
unsafe extern "C" fn gallite_counter(name: *const c_char) -> u64 {
    // SAFETY: the contract of this function.
    let name = unsafe { ClientStr::new(name) };
    let value = catch_unwind(AssertUnwindSafe(|| name.text().and_then(read)));
    value.unwrap_or_default().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_without_a_context() {
        // SAFETY: null and C strings.
        let read = |name: *const c_char| unsafe { gallite_counter(name) };
        assert_eq!(read(std::ptr::null()), u64::MAX);
        assert_eq!(read(c"calls".as_ptr()), u64::MAX);
    }
}
