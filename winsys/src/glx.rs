//! What programs of GLX find so far: functions by name. GLX itself isn't there yet.
//!
//! Libraries that are linked against libGL.so.1 only to look functions up (libavdevice is one) don't load without it.
#![allow(unsafe_code)]

use std::ffi::c_char;

use crate::egl::client::ClientStr;
use crate::egl::commands;
use crate::egl::types::RawProc;

/// The GL command of a name; none for GLX's own commands, which don't exist.
fn find(name: &str) -> Option<RawProc> {
    if name.starts_with("gl") { commands::find(name) } else { None }
}

/// glXGetProcAddress (GLX 1.4, 3.3.12): null for a command that isn't there.
///
/// # Safety
/// `name` is null or a null-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetProcAddress(name: *const c_char) -> *const () {
    // SAFETY: the contract of this function.
    let name = unsafe { ClientStr::new(name) };
    name.text().and_then(find).map_or(std::ptr::null(), |proc| proc.0)
}

/// glXGetProcAddressARB (GLX_ARB_get_proc_address).
///
/// # Safety
/// As [`glXGetProcAddress`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetProcAddressARB(name: *const c_char) -> *const () {
    // SAFETY: the contract is the same.
    unsafe { glXGetProcAddress(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gl_commands_are_found_and_glx_ones_are_not() {
        // SAFETY: null-terminated names, and null.
        let get = |name: &std::ffi::CStr| unsafe { glXGetProcAddress(name.as_ptr()) };
        assert!(!get(c"glClear").is_null());
        assert!(get(c"glXMakeCurrent").is_null());
        assert!(get(c"eglInitialize").is_null());
        // SAFETY: null is allowed.
        assert!(unsafe { glXGetProcAddressARB(std::ptr::null()) }.is_null());
    }
}
