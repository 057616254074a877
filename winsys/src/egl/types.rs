//! The C types of EGL. Handles are opaque words; a handle's value is never followed as a pointer.
#![allow(unsafe_code)]

pub use crate::egl::generated::enums::*;

/// `EGLint`.
pub type EGLint = i32;
/// `EGLenum`.
pub type EGLenum = u32;
/// `EGLAttrib`: an integer that also holds a pointer.
pub type EGLAttrib = isize;
/// `EGLTime`, nanoseconds.
pub type EGLTime = u64;

/// `EGLBoolean`.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EGLBoolean(pub u32);

impl EGLBoolean {
    /// `EGL_TRUE`.
    pub const TRUE: Self = Self(1);
    /// `EGL_FALSE`.
    pub const FALSE: Self = Self(0);
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub usize);

        impl $name {
            /// The null handle, `EGL_NO_…`.
            pub const NONE: Self = Self(0);

            /// Whether this is the null handle.
            pub const fn is_none(self) -> bool {
                self.0 == 0
            }
        }
    )+};
}

handles! {
    /// `EGLDisplay`.
    EGLDisplay,
    /// `EGLConfig`.
    EGLConfig,
    /// `EGLContext`.
    EGLContext,
    /// `EGLSurface`.
    EGLSurface,
    /// `EGLSync`, also `EGLSyncKHR`.
    EGLSync,
    /// `EGLImage`.
    EGLImage,
    /// `EGLDeviceEXT`.
    EGLDeviceEXT,
    /// A native display, window, pixmap, client buffer or label: the program's own word.
    NativeHandle,
}

/// `EGLDEBUGPROCKHR`.
pub type EGLDEBUGPROCKHR = Option<
    unsafe extern "C" fn(
        error: EGLenum,
        command: *const std::ffi::c_char,
        message_type: EGLint,
        thread_label: NativeHandle,
        object_label: NativeHandle,
        message: *const std::ffi::c_char,
    ),
>;

/// The address of a C function, as a table holds it.
#[derive(Debug, Clone, Copy)]
pub struct RawProc(pub *const ());

// SAFETY: the address of a function, immutable and valid for the whole life of the process.
unsafe impl Send for RawProc {}
// SAFETY: as above.
unsafe impl Sync for RawProc {}

// Enumerants the registry writes as casts.

/// `EGL_DONT_CARE`.
pub const EGL_DONT_CARE: EGLint = -1;
/// `EGL_UNKNOWN`.
pub const EGL_UNKNOWN: EGLint = -1;
/// `EGL_FOREVER`.
pub const EGL_FOREVER: EGLTime = u64::MAX;
/// `EGL_DEFAULT_DISPLAY`.
pub const EGL_DEFAULT_DISPLAY: NativeHandle = NativeHandle(0);
