//! The structures of libglvnd's EGL vendor ABI, version 0.2, as Rust (after the interface description that comes with
//! libglvnd 1.6, `glvnd/libeglabi.h`; the field order is the ABI).
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};

use crate::egl::types::NativeHandle;
use crate::egl::types::{EGLAttrib, EGLBoolean, EGLContext, EGLDeviceEXT, EGLDisplay, EGLSurface, EGLenum, EGLint};

/// Major version, in the upper half of a version number. A library with another one is refused.
pub const MAJOR_VERSION: u32 = 0;

/// First minor version with `setVendorForDevice` and `findNativeDisplayPlatform`.
pub const MINOR_VERSION_WITH_DEVICES: u32 = 2;

/// `__EGLvendorInfo *`: libglvnd's record of a vendor.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VendorInfo(pub usize);

/// A dispatch table entry or other C function without its type.
pub type AnyProc = *const ();

/// Functions libglvnd lends us. `__EGLapiExports`.
#[repr(C)]
#[allow(missing_docs)]
pub struct ApiExports {
    pub thread_init: unsafe extern "C" fn(),
    pub get_current_api: unsafe extern "C" fn() -> EGLenum,
    pub get_current_vendor: unsafe extern "C" fn() -> VendorInfo,
    pub get_current_context: unsafe extern "C" fn() -> EGLContext,
    pub get_current_display: unsafe extern "C" fn() -> EGLDisplay,
    pub get_current_surface: unsafe extern "C" fn(EGLint) -> EGLSurface,
    pub fetch_dispatch_entry: unsafe extern "C" fn(VendorInfo, c_int) -> AnyProc,
    pub set_egl_error: unsafe extern "C" fn(EGLint),
    pub set_last_vendor: unsafe extern "C" fn(VendorInfo) -> EGLBoolean,
    pub get_vendor_from_display: unsafe extern "C" fn(EGLDisplay) -> VendorInfo,
    pub get_vendor_from_device: unsafe extern "C" fn(EGLDeviceEXT) -> VendorInfo,
    pub set_vendor_for_device: unsafe extern "C" fn(EGLDeviceEXT, VendorInfo) -> EGLBoolean,
}

/// Functions we lend libglvnd. `__EGLapiImports`.
#[repr(C)]
#[allow(missing_docs)]
pub struct ApiImports {
    pub get_platform_display: Option<unsafe extern "C" fn(EGLenum, NativeHandle, *const EGLAttrib) -> EGLDisplay>,
    pub get_supports_api: Option<unsafe extern "C" fn(EGLenum) -> EGLBoolean>,
    pub get_vendor_string: Option<unsafe extern "C" fn(c_int) -> *const c_char>,
    pub get_proc_address: Option<unsafe extern "C" fn(*const c_char) -> AnyProc>,
    pub get_dispatch_address: Option<unsafe extern "C" fn(*const c_char) -> AnyProc>,
    pub set_dispatch_index: Option<unsafe extern "C" fn(*const c_char, c_int)>,
    pub is_patch_supported: Option<unsafe extern "C" fn(c_int, c_int) -> u8>,
    pub initiate_patch: Option<unsafe extern "C" fn(c_int, c_int, AnyProc) -> u8>,
    pub release_patch: Option<unsafe extern "C" fn()>,
    pub patch_thread_attach: Option<unsafe extern "C" fn()>,
    pub find_native_display_platform: Option<unsafe extern "C" fn(NativeHandle) -> EGLenum>,
}

/// `__EGL_VENDOR_STRING_PLATFORM_EXTENSIONS`.
pub const VENDOR_STRING_PLATFORM_EXTENSIONS: c_int = 0;
