//! `__egl_Main` and the callbacks behind it.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};
use std::panic::catch_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::egl::client::{ClientArray, ClientStr};
use crate::egl::commands;
use crate::egl::entry;
use crate::egl::generated::dispatch::{COUNT, DISPATCH};
use crate::egl::strings;
use crate::egl::types::*;
use crate::glvnd::abi::{
    AnyProc, ApiExports, ApiImports, MAJOR_VERSION, MINOR_VERSION_WITH_DEVICES, VENDOR_STRING_PLATFORM_EXTENSIONS,
    VendorInfo,
};

static EXPORTS: OnceLock<&'static ApiExports> = OnceLock::new();

/// libglvnd's index of each dispatched command; -1 until it tells.
static INDICES: [AtomicI32; COUNT] = [const { AtomicI32::new(-1) }; COUNT];

/// What a dispatched command finds its vendor by.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// Its display.
    Display(EGLDisplay),
    /// Its device.
    Device(EGLDeviceEXT),
    /// What is current to the thread.
    Current,
}

/// The vendor's function for the dispatched command of number `command`; none after an error was set.
pub fn dispatch(command: usize, target: Target) -> Option<AnyProc> {
    let exports = *EXPORTS.get()?;
    let index = INDICES.get(command)?.load(Ordering::Acquire);
    // SAFETY: the callbacks are valid while this library is loaded, and may be called from any thread. Handles
    // are looked up, not followed.
    unsafe {
        (exports.thread_init)();
        let (vendor, error) = match target {
            Target::Display(display) => ((exports.get_vendor_from_display)(display), EGL_BAD_DISPLAY),
            Target::Device(device) => ((exports.get_vendor_from_device)(device), EGL_BAD_DEVICE_EXT),
            Target::Current => ((exports.get_current_vendor)(), EGL_BAD_CONTEXT),
        };
        if vendor.0 == 0 || index < 0 {
            (exports.set_egl_error)(error);
            return None;
        }
        (exports.set_last_vendor)(vendor);
        let proc = (exports.fetch_dispatch_entry)(vendor, index);
        if proc.is_null() {
            // The vendor of this display doesn't have the command.
            (exports.set_egl_error)(EGL_BAD_DISPLAY);
            return None;
        }
        Some(proc)
    }
}

unsafe extern "C" fn get_platform_display(
    platform: EGLenum,
    native: NativeHandle,
    attributes: *const EGLAttrib,
) -> EGLDisplay {
    entry::call("eglGetPlatformDisplay", || {
        // The ABI: EGL_NONE asks for the default display.
        if platform == EGL_NONE.cast_unsigned() {
            return commands::default_display();
        }
        // SAFETY: passed through from the program's eglGetPlatformDisplay, or null.
        let attributes = unsafe { ClientArray::new(attributes) };
        commands::platform_display(platform, native, attributes.pairs()?)
    })
}

unsafe extern "C" fn get_supports_api(api: EGLenum) -> EGLBoolean {
    if commands::supports_api(api) { EGLBoolean::TRUE } else { EGLBoolean::FALSE }
}

unsafe extern "C" fn get_vendor_string(name: c_int) -> *const c_char {
    if name != VENDOR_STRING_PLATFORM_EXTENSIONS {
        return std::ptr::null();
    }
    catch_unwind(|| strings::intern(&strings::PLATFORM_EXTENSIONS.join(" ")).as_ptr()).unwrap_or(std::ptr::null())
}

fn proc_or_null(proc: Option<RawProc>) -> AnyProc {
    proc.map_or(std::ptr::null(), |proc| proc.0)
}

unsafe extern "C" fn get_proc_address(name: *const c_char) -> AnyProc {
    // SAFETY: the ABI: a string that libglvnd keeps during the call.
    let name = unsafe { ClientStr::new(name) };
    proc_or_null(name.text().and_then(commands::find))
}

fn dispatched(name: &str) -> Option<usize> {
    DISPATCH.binary_search_by_key(&name, |(name, _)| name).ok()
}

unsafe extern "C" fn get_dispatch_address(name: *const c_char) -> AnyProc {
    // SAFETY: as above.
    let name = unsafe { ClientStr::new(name) };
    proc_or_null(name.text().and_then(dispatched).map(|command| DISPATCH[command].1))
}

unsafe extern "C" fn set_dispatch_index(name: *const c_char, index: c_int) {
    // SAFETY: as above.
    let name = unsafe { ClientStr::new(name) };
    if let Some(command) = name.text().and_then(dispatched) {
        INDICES[command].store(index, Ordering::Release);
    }
}

unsafe extern "C" fn find_native_display_platform(native: NativeHandle) -> EGLenum {
    catch_unwind(|| commands::find_platform(native)).unwrap_or(EGL_NONE).cast_unsigned()
}

/// libglvnd's first call: takes its callbacks and gives ours.
///
/// # Safety
/// Called by libglvnd as its vendor ABI says: both tables are valid, `exports` for as long as we are loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __egl_Main(
    version: u32,
    exports: *const ApiExports,
    _vendor: VendorInfo,
    imports: *mut ApiImports,
) -> EGLBoolean {
    let (major, minor) = (version >> 16, version & 0xffff);
    if major != MAJOR_VERSION || exports.is_null() || imports.is_null() {
        return EGLBoolean::FALSE;
    }
    // SAFETY: not null, and valid for the life of this library by the contract.
    let exports: &'static ApiExports = unsafe { &*exports };
    // The first libEGL that loads us stays the one we dispatch through.
    let _ = EXPORTS.set(exports);
    // SAFETY: not null and, by the contract, libglvnd's own table, zeroed. Optional entries stay null. Each field
    // exists in every version of major 0 except the last, which version 0.2 added.
    unsafe {
        (*imports).get_platform_display = Some(get_platform_display);
        (*imports).get_supports_api = Some(get_supports_api);
        (*imports).get_vendor_string = Some(get_vendor_string);
        (*imports).get_proc_address = Some(get_proc_address);
        (*imports).get_dispatch_address = Some(get_dispatch_address);
        (*imports).set_dispatch_index = Some(set_dispatch_index);
        if minor >= MINOR_VERSION_WITH_DEVICES {
            (*imports).find_native_display_platform = Some(find_native_display_platform);
        }
    }
    EGLBoolean::TRUE
}
