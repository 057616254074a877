//! The frame around every exported EGL function: no panic crosses, and the thread's error is set.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::egl::debug;
use crate::egl::error::{EglError, EglResult};
use crate::egl::thread;
use crate::egl::types::*;

/// A result type of the C functions, with the value that tells failure.
pub trait Reply {
    /// Returned when the command failed.
    const FAILURE: Self;
}

macro_rules! replies {
    ($($type:ty = $failure:expr),+ $(,)?) => {$(
        impl Reply for $type {
            const FAILURE: Self = $failure;
        }
    )+};
}

replies! {
    EGLBoolean = EGLBoolean::FALSE,
    EGLint = 0,
    EGLenum = 0,
    EGLDisplay = EGLDisplay::NONE,
    EGLContext = EGLContext::NONE,
    EGLSurface = EGLSurface::NONE,
    EGLSync = EGLSync::NONE,
    EGLImage = EGLImage::NONE,
    StaticStr = StaticStr(std::ptr::null()),
    OwnedStr = OwnedStr(std::ptr::null_mut()),
    ProcAddress = ProcAddress(std::ptr::null()),
}

/// A string that lives as long as the process.
#[repr(transparent)]
#[derive(Debug)]
pub struct StaticStr(*const c_char);

impl StaticStr {
    /// Hands out a static string.
    pub const fn new(text: &'static CStr) -> Self {
        Self(text.as_ptr())
    }
}

/// A string the program frees with `free()`.
#[repr(transparent)]
#[derive(Debug)]
pub struct OwnedStr(*mut c_char);

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
}

impl OwnedStr {
    /// Copies the text into memory of the C allocator; null when out of memory.
    pub fn new(text: &str) -> Self {
        // SAFETY: malloc takes any size and returns null or memory of at least that size.
        let memory = unsafe { malloc(text.len() + 1) };
        if !memory.is_null() {
            // SAFETY: `memory` is fresh, so it doesn't overlap, and has room for text and null.
            unsafe {
                memory.copy_from_nonoverlapping(text.as_ptr(), text.len());
                memory.add(text.len()).write(0);
            }
        }
        Self(memory.cast())
    }
}

/// The address of a function, or null.
#[repr(transparent)]
#[derive(Debug)]
pub struct ProcAddress(*const ());

impl ProcAddress {
    /// Wraps a found function.
    pub fn new(proc: Option<RawProc>) -> Self {
        Self(proc.map_or(std::ptr::null(), |proc| proc.0))
    }

    /// The raw address.
    pub const fn address(&self) -> *const () {
        self.0
    }
}

/// Runs a command. EGL 1.5 3.1: the error of the most recently called function of this thread is
/// kept, `EGL_SUCCESS` included.
pub fn call<T: Reply>(name: &'static str, command: impl FnOnce() -> EglResult<T>) -> T {
    gallite_gl::ending::pass();
    thread::begin_call();
    let result = catch_unwind(AssertUnwindSafe(command))
        .unwrap_or_else(|_| Err(EglError::new(EGL_BAD_ALLOC, "internal error: the command panicked")));
    match result {
        Ok(value) => {
            thread::set_error(EGL_SUCCESS);
            value
        }
        Err(error) => {
            tracing::debug!(command = name, %error, "EGL error");
            thread::set_error(error.code);
            // A callback of the program must not unwind through C either.
            let _ = catch_unwind(|| debug::report(name, &error));
            T::FAILURE
        }
    }
}
