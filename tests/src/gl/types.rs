//! The C types of the GL headers, where Rust has no name of its own for them.

use std::ffi::{c_char, c_void};

/// A GL token.
pub type GLenum = u32;

/// A sync object: opaque to the program.
pub type GLsync = *mut c_void;

/// KHR_debug message callback.
pub type GLDEBUGPROC = Option<
    extern "C" fn(
        source: GLenum,
        type_: GLenum,
        id: u32,
        severity: GLenum,
        length: i32,
        message: *const c_char,
        user_param: *mut c_void,
    ),
>;
