//! Memory of the program that a command reads or writes.
//!
//! The generated entry points build these from raw parameters; commands stay safe code.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};

use crate::egl::error::{EglError, EglResult};
use crate::egl::types::{EGL_BAD_PARAMETER, EGL_NONE, EGLAttrib, EGLint, NativeHandle};
use crate::native::process_memory;

/// An output parameter: null, or room for one value or the number of values the command's size
/// parameter states.
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// # Safety
    /// `pointer` is null or writable for as many values as the EGL prototype says, until the
    /// command returns.
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Whether the program passed null.
    pub const fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Fails with `EGL_BAD_PARAMETER` when null.
    pub fn require(&self, name: &'static str) -> EglResult<()> {
        if self.is_null() {
            return Err(EglError::new(EGL_BAD_PARAMETER, format!("{name} is NULL")));
        }
        Ok(())
    }

    /// Writes one value unless null.
    pub fn set(&self, value: T) {
        self.set_at(0, value);
    }

    /// Writes the first values of the array unless null. The caller has already limited `values` to
    /// the size the program stated.
    pub fn set_all(&self, values: &[T]) {
        for (index, value) in values.iter().enumerate() {
            self.set_at(index, *value);
        }
    }

    fn set_at(&self, index: usize, value: T) {
        if !self.0.is_null() {
            // SAFETY: not null, so by the contract of `new` writable for the stated size, which
            // `index` is within. Unaligned because C only promises it by convention.
            unsafe { self.0.add(index).write_unaligned(value) }
        }
    }
}

/// An input array: an attribute list ended by `EGL_NONE`, or rectangles with a stated count.
#[derive(Debug, Clone, Copy)]
pub struct ClientArray<T>(*const T);

/// A number of an attribute list.
pub trait AttributeWord: Copy {
    /// Widens to `EGLAttrib`.
    fn widen(self) -> EGLAttrib;
}

impl AttributeWord for EGLint {
    fn widen(self) -> EGLAttrib {
        self as EGLAttrib
    }
}

impl AttributeWord for EGLAttrib {
    fn widen(self) -> EGLAttrib {
        self
    }
}

/// Longest attribute list that is read; a list without `EGL_NONE` fails instead of running away.
const LONGEST_LIST: usize = 256;

impl<T: AttributeWord> ClientArray<T> {
    /// # Safety
    /// `pointer` is null or readable until the terminating `EGL_NONE` (or for the count a further
    /// parameter states), until the command returns.
    pub const unsafe fn new(pointer: *const T) -> Self {
        Self(pointer)
    }

    /// Whether the program passed null.
    pub const fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The list as (attribute, value) pairs. EGL 1.5 2.1: a null list is an empty one.
    ///
    /// # Errors
    /// `EGL_BAD_PARAMETER` when no `EGL_NONE` is found within a sane length.
    pub fn pairs(&self) -> EglResult<Vec<(EGLint, EGLAttrib)>> {
        let mut pairs = Vec::new();
        if self.0.is_null() {
            return Ok(pairs);
        }
        for index in 0..LONGEST_LIST {
            let name = self.at(2 * index);
            if name == EGL_NONE as EGLAttrib {
                return Ok(pairs);
            }
            // An attribute that doesn't fit EGLint is unknown to every command.
            let name = EGLint::try_from(name).unwrap_or(EGL_NONE);
            pairs.push((name, self.at(2 * index + 1)));
        }
        Err(EglError::new(EGL_BAD_PARAMETER, "attribute list without EGL_NONE"))
    }

    /// The first `count` values; empty when null.
    pub fn values(&self, count: usize) -> Vec<EGLAttrib> {
        if self.0.is_null() { Vec::new() } else { (0..count).map(|index| self.at(index)).collect() }
    }

    fn at(&self, index: usize) -> EGLAttrib {
        // SAFETY: not null (both callers checked) and, by the contract of `new`, readable up to
        // the terminator or count, which the callers don't pass.
        unsafe { self.0.add(index).read_unaligned() }.widen()
    }
}

/// A null-terminated string of the program.
#[derive(Debug, Clone, Copy)]
pub struct ClientStr<'a>(Option<&'a CStr>);

impl ClientStr<'_> {
    /// # Safety
    /// `pointer` is null or a null-terminated string that stays unchanged until the command returns.
    pub const unsafe fn new(pointer: *const c_char) -> Self {
        if pointer.is_null() {
            return Self(None);
        }
        // SAFETY: not null; the rest is the contract of this function.
        Self(Some(unsafe { CStr::from_ptr(pointer) }))
    }

    /// The text, none when null or not UTF-8 (no name of a command has such bytes).
    pub fn text(&self) -> Option<&str> {
        self.0.and_then(|text| text.to_str().ok())
    }
}

/// The word a native handle points to (EGL_KHR_platform_x11: a `Window *`).
pub fn pointed_long(native: NativeHandle) -> Option<usize> {
    // SAFETY: the extension promises a pointer to the window.
    unsafe { process_memory::read_promised(native.0) }.map(usize::from_ne_bytes)
}

/// The 32-bit number a native handle points to (EGL_EXT_platform_xcb: an `xcb_window_t *`).
pub fn pointed_int(native: NativeHandle) -> Option<u32> {
    // SAFETY: the extension promises a pointer to the window.
    unsafe { process_memory::read_promised(native.0) }.map(u32::from_ne_bytes)
}
