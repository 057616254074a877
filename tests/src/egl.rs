//! EGL as a C program sees it: the library is opened at run time, so that the same tests run on
//! Gallite and on the system's own implementation.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

/// A display, config, surface, context, image or sync: an opaque pointer.
pub type Handle = *mut c_void;

macro_rules! egl_functions {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        #[allow(non_snake_case)]
        struct Table { $($name: Option<extern "C" fn($($ty),*) -> $ret>,)* }

        /// Names of the commands in the table, without the `egl` prefix.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        fn load_table(get: &dyn Fn(&str) -> *const c_void) -> Table {
            Table {
                $($name: {
                    let address = get(concat!("egl", stringify!($name)));
                    // SAFETY: EGL fixes the prototype behind each command name; null is `None`.
                    unsafe { std::mem::transmute::<
                        *const c_void,
                        Option<extern "C" fn($($ty),*) -> $ret>,
                    >(address) }
                },)*
            }
        }

        $(
            #[doc = concat!("`egl", stringify!($name), "`.")]
            #[allow(non_snake_case)]
            #[track_caller]
            pub fn $name($($arg: $ty),*) -> $ret {
                match library().table.$name {
                    Some(command) => command($($arg),*),
                    None => panic!(concat!("egl", stringify!($name), " has no address")),
                }
            }
        )*
    };
}

egl_functions! {
    fn GetError() -> i32;
    fn GetDisplay(native: *mut c_void) -> Handle;
    fn GetPlatformDisplay(platform: u32, native: *mut c_void, attribs: *const isize) -> Handle;
    fn GetPlatformDisplayEXT(platform: u32, native: *mut c_void, attribs: *const i32) -> Handle;
    fn Initialize(display: Handle, major: *mut i32, minor: *mut i32) -> u32;
    fn Terminate(display: Handle) -> u32;
    fn QueryString(display: Handle, name: i32) -> *const c_char;
    fn GetConfigs(display: Handle, configs: *mut Handle, size: i32, count: *mut i32) -> u32;
    fn ChooseConfig(display: Handle, attribs: *const i32, configs: *mut Handle, size: i32, count: *mut i32) -> u32;
    fn GetConfigAttrib(display: Handle, config: Handle, attribute: i32, value: *mut i32) -> u32;
    fn CreateWindowSurface(display: Handle, config: Handle, window: usize, attribs: *const i32) -> Handle;
    fn CreatePlatformWindowSurface(display: Handle, config: Handle, window: *mut c_void, attribs: *const isize) -> Handle;
    fn CreatePbufferSurface(display: Handle, config: Handle, attribs: *const i32) -> Handle;
    fn CreatePixmapSurface(display: Handle, config: Handle, pixmap: usize, attribs: *const i32) -> Handle;
    fn DestroySurface(display: Handle, surface: Handle) -> u32;
    fn QuerySurface(display: Handle, surface: Handle, attribute: i32, value: *mut i32) -> u32;
    fn SurfaceAttrib(display: Handle, surface: Handle, attribute: i32, value: i32) -> u32;
    fn BindAPI(api: u32) -> u32;
    fn QueryAPI() -> u32;
    fn WaitClient() -> u32;
    fn WaitGL() -> u32;
    fn WaitNative(engine: i32) -> u32;
    fn ReleaseThread() -> u32;
    fn SwapInterval(display: Handle, interval: i32) -> u32;
    fn CreateContext(display: Handle, config: Handle, share: Handle, attribs: *const i32) -> Handle;
    fn DestroyContext(display: Handle, context: Handle) -> u32;
    fn MakeCurrent(display: Handle, draw: Handle, read: Handle, context: Handle) -> u32;
    fn GetCurrentContext() -> Handle;
    fn GetCurrentSurface(which: i32) -> Handle;
    fn GetCurrentDisplay() -> Handle;
    fn QueryContext(display: Handle, context: Handle, attribute: i32, value: *mut i32) -> u32;
    fn SwapBuffers(display: Handle, surface: Handle) -> u32;
    fn SwapBuffersWithDamageKHR(display: Handle, surface: Handle, rects: *const i32, count: i32) -> u32;
    fn SwapBuffersWithDamageEXT(display: Handle, surface: Handle, rects: *const i32, count: i32) -> u32;
    fn CopyBuffers(display: Handle, surface: Handle, pixmap: usize) -> u32;
    fn BindTexImage(display: Handle, surface: Handle, buffer: i32) -> u32;
    fn ReleaseTexImage(display: Handle, surface: Handle, buffer: i32) -> u32;
    fn CreateSync(display: Handle, kind: u32, attribs: *const isize) -> Handle;
    fn DestroySync(display: Handle, sync: Handle) -> u32;
    fn ClientWaitSync(display: Handle, sync: Handle, flags: i32, timeout: u64) -> i32;
    fn GetSyncAttrib(display: Handle, sync: Handle, attribute: i32, value: *mut isize) -> u32;
    fn WaitSync(display: Handle, sync: Handle, flags: i32) -> u32;
    fn CreateSyncKHR(display: Handle, kind: u32, attribs: *const i32) -> Handle;
    fn DestroySyncKHR(display: Handle, sync: Handle) -> u32;
    fn ClientWaitSyncKHR(display: Handle, sync: Handle, flags: i32, timeout: u64) -> i32;
    fn GetSyncAttribKHR(display: Handle, sync: Handle, attribute: i32, value: *mut i32) -> u32;
    fn WaitSyncKHR(display: Handle, sync: Handle, flags: i32) -> i32;
    fn QueryDevicesEXT(max: i32, devices: *mut Handle, count: *mut i32) -> u32;
    fn QueryDeviceStringEXT(device: Handle, name: i32) -> *const c_char;
    fn QueryDisplayAttribEXT(display: Handle, attribute: i32, value: *mut isize) -> u32;
}

mod tokens;
pub use tokens::*;

/// No display, surface, context, config or sync.
pub const NONE_HANDLE: Handle = std::ptr::null_mut();

struct Library {
    table: Table,
    get_proc_address: extern "C" fn(*const c_char) -> *const c_void,
    path: PathBuf,
}

static LIBRARY: OnceLock<Library> = OnceLock::new();

#[track_caller]
fn library() -> &'static Library {
    LIBRARY.get().expect("the EGL library is not open")
}

/// Path of the library under test: `GALLITE_TEST_LIB`, else `libgallite.so` in the profile folder
/// of the running executable.
pub fn library_path() -> PathBuf {
    if let Some(path) = std::env::var_os("GALLITE_TEST_LIB") {
        return PathBuf::from(path);
    }
    let executable = std::env::current_exe().unwrap_or_default();
    let mut folder = executable.parent();
    while let Some(at) = folder {
        let candidate = at.join("libgallite.so");
        if candidate.exists() {
            return candidate;
        }
        if at.file_name().is_some_and(|name| name == "target") {
            break;
        }
        folder = at.parent();
    }
    PathBuf::from("libgallite.so")
}

/// Opens the library under test and resolves EGL and GL; the first call of the process decides.
///
/// # Errors
/// The loader's message, or the name of a missing `eglGetProcAddress`.
pub fn open() -> Result<(), String> {
    if LIBRARY.get().is_some() {
        return Ok(());
    }
    let path = library_path();
    // SAFETY: an EGL library may be loaded by any program; its initialisers rely on nothing of ours.
    let handle = unsafe { libloading::Library::new(&path) }
        .map_err(|error| format!("cannot open {}: {error}", path.display()))?;
    // SAFETY: EGL 1.5 3.13 fixes this prototype.
    let get_proc_address: extern "C" fn(*const c_char) -> *const c_void = unsafe {
        *handle
            .get::<extern "C" fn(*const c_char) -> *const c_void>(b"eglGetProcAddress\0")
            .map_err(|error| format!("{}: {error}", path.display()))?
    };
    let resolve = |name: &str| -> *const c_void {
        let c_name = CString::new(name).unwrap_or_default();
        // SAFETY: only the address is taken here, nothing is called through it, and the library
        // is never closed.
        let direct = unsafe {
            let symbol = handle.get::<*const c_void>(c_name.as_bytes_with_nul());
            symbol.ok().and_then(|symbol| symbol.try_as_raw_ptr())
        };
        direct.map_or_else(|| get_proc_address(c_name.as_ptr()), <*mut c_void>::cast_const)
    };
    let table = load_table(&resolve);
    let command = |name: &str| {
        let c_name = CString::new(name).unwrap_or_default();
        get_proc_address(c_name.as_ptr())
    };
    crate::gl::load(&command);
    crate::gl::legacy::load(&command);
    crate::gl::arb::load(&command);
    // The library stays loaded until the process ends, as in any program linked with it.
    std::mem::forget(handle);
    let _ = LIBRARY.set(Library { table, get_proc_address, path });
    Ok(())
}

/// Path that [`open`] used.
pub fn opened_path() -> &'static std::path::Path {
    &library().path
}

/// `eglGetProcAddress`.
pub fn get_proc_address(name: &str) -> *const c_void {
    let c_name = CString::new(name).unwrap_or_default();
    (library().get_proc_address)(c_name.as_ptr())
}

/// `eglQueryString` as a Rust string; empty when EGL returned null.
pub fn query_string(display: Handle, name: i32) -> String {
    let text = QueryString(display, name);
    if text.is_null() {
        return String::new();
    }
    // SAFETY: EGL 1.5 3.3: the result is a zero-terminated static string.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Whether a space-separated extension list names `extension`.
pub fn has_extension(list: &str, extension: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word == extension)
}
