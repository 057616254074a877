//! The built library as a program sees it: loaded at run time, called through its C functions.
#![allow(dead_code, non_snake_case)]

pub mod x11;

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::LazyLock;

use libloading::Library;

/// A test that cannot run for lack of `what` is skipped, with a line that says so, unless `GALLITE_TEST_REQUIRE` lists it.
pub fn skip(what: &str, why: &str) {
    let required = std::env::var("GALLITE_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name == what), "{what} is required: {why}");
    eprintln!("skipped: {why}");
}

pub type Handle = *mut c_void;
pub const NONE: Handle = std::ptr::null_mut();

pub const SUCCESS: i32 = 0x3000;
pub const NOT_INITIALIZED: i32 = 0x3001;
pub const BAD_ACCESS: i32 = 0x3002;
pub const BAD_ALLOC: i32 = 0x3003;
pub const BAD_ATTRIBUTE: i32 = 0x3004;
pub const BAD_CONFIG: i32 = 0x3005;
pub const BAD_CONTEXT: i32 = 0x3006;
pub const BAD_DISPLAY: i32 = 0x3008;
pub const BAD_MATCH: i32 = 0x3009;
pub const BAD_NATIVE_PIXMAP: i32 = 0x300A;
pub const BAD_NATIVE_WINDOW: i32 = 0x300B;
pub const BAD_PARAMETER: i32 = 0x300C;
pub const BAD_SURFACE: i32 = 0x300D;
pub const ALPHA_SIZE: i32 = 0x3021;
pub const RED_SIZE: i32 = 0x3024;
pub const DEPTH_SIZE: i32 = 0x3025;
pub const SAMPLES: i32 = 0x3031;
pub const SURFACE_TYPE: i32 = 0x3033;
pub const END: i32 = 0x3038;
pub const RENDERABLE_TYPE: i32 = 0x3040;
pub const VENDOR: i32 = 0x3053;
pub const VERSION: i32 = 0x3054;
pub const EXTENSIONS: i32 = 0x3055;
pub const HEIGHT: i32 = 0x3056;
pub const WIDTH: i32 = 0x3057;
pub const DRAW: i32 = 0x3059;
pub const READ: i32 = 0x305A;
pub const OPENGL_BIT: i32 = 8;
pub const WINDOW_BIT: i32 = 4;
pub const OPENGL_ES_API: u32 = 0x30A0;
pub const OPENGL_API: u32 = 0x30A2;
pub const PLATFORM_DEVICE: u32 = 0x313F;
pub const PLATFORM_X11: u32 = 0x31D5;
pub const PLATFORM_XCB: u32 = 0x31DC;
pub const PLATFORM_SURFACELESS: u32 = 0x31DD;

macro_rules! functions {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)+) => {
        /// The EGL functions the tests call.
        pub struct Egl {
            $(pub $name: unsafe extern "C" fn($($type),*) -> $result,)+
            _library: Library,
        }

        impl Egl {
            /// Loads the functions, the extension ones through eglGetProcAddress as a program does.
            fn load(path: &str) -> Self {
                // SAFETY: the library under test; its constructor only registers drivers.
                let library = unsafe { Library::new(path) }.unwrap_or_else(|error| panic!("{path}: {error}"));
                type GetProcAddress = unsafe extern "C" fn(*const c_char) -> Handle;
                // SAFETY: the prototype of eglGetProcAddress.
                let get: GetProcAddress = unsafe { *library.get(b"eglGetProcAddress\0").expect("eglGetProcAddress") };
                Self {
                    $($name: {
                        let name = CString::new(stringify!($name)).expect("name");
                        // SAFETY: a null-terminated name.
                        let proc = unsafe { get(name.as_ptr()) };
                        assert!(!proc.is_null(), stringify!($name));
                        // SAFETY: EGL returned it for this name, whose prototype is written above.
                        unsafe { std::mem::transmute::<Handle, unsafe extern "C" fn($($type),*) -> $result>(proc) }
                    },)+
                    _library: library,
                }
            }

            $(
                /// As the function of this name.
                pub fn $name(&self, $($arg: $type),*) -> $result {
                    // SAFETY: the tests pass null, live handles, stale handles (which EGL must survive) or
                    // pointers to locals of the stated size.
                    unsafe { (self.$name)($($arg),*) }
                }
            )+
        }
    };
}

functions! {
    eglGetError() -> i32;
    eglGetDisplay(native: Handle) -> Handle;
    eglGetPlatformDisplay(platform: u32, native: Handle, list: *const isize) -> Handle;
    eglInitialize(display: Handle, major: *mut i32, minor: *mut i32) -> u32;
    eglTerminate(display: Handle) -> u32;
    eglQueryString(display: Handle, name: i32) -> *const c_char;
    eglBindAPI(api: u32) -> u32;
    eglQueryAPI() -> u32;
    eglReleaseThread() -> u32;
    eglGetConfigs(display: Handle, configs: *mut Handle, size: i32, count: *mut i32) -> u32;
    eglChooseConfig(display: Handle, list: *const i32, configs: *mut Handle, size: i32, count: *mut i32) -> u32;
    eglGetConfigAttrib(display: Handle, config: Handle, name: i32, value: *mut i32) -> u32;
    eglCreatePbufferSurface(display: Handle, config: Handle, list: *const i32) -> Handle;
    eglCreatePixmapSurface(display: Handle, config: Handle, pixmap: Handle, list: *const i32) -> Handle;
    eglCreateWindowSurface(display: Handle, config: Handle, window: Handle, list: *const i32) -> Handle;
    eglCreatePlatformWindowSurface(display: Handle, config: Handle, window: Handle, list: *const isize) -> Handle;
    eglDestroySurface(display: Handle, surface: Handle) -> u32;
    eglQuerySurface(display: Handle, surface: Handle, name: i32, value: *mut i32) -> u32;
    eglSurfaceAttrib(display: Handle, surface: Handle, name: i32, value: i32) -> u32;
    eglBindTexImage(display: Handle, surface: Handle, buffer: i32) -> u32;
    eglCreateContext(display: Handle, config: Handle, share: Handle, list: *const i32) -> Handle;
    eglDestroyContext(display: Handle, context: Handle) -> u32;
    eglMakeCurrent(display: Handle, draw: Handle, read: Handle, context: Handle) -> u32;
    eglGetCurrentContext() -> Handle;
    eglGetCurrentSurface(which: i32) -> Handle;
    eglGetCurrentDisplay() -> Handle;
    eglQueryContext(display: Handle, context: Handle, name: i32, value: *mut i32) -> u32;
    eglSwapBuffers(display: Handle, surface: Handle) -> u32;
    eglSwapInterval(display: Handle, interval: i32) -> u32;
    eglCopyBuffers(display: Handle, surface: Handle, pixmap: Handle) -> u32;
    eglWaitClient() -> u32;
    eglWaitNative(engine: i32) -> u32;
    eglCreateSync(display: Handle, kind: u32, list: *const isize) -> Handle;
    eglDestroySync(display: Handle, sync: Handle) -> u32;
    eglClientWaitSync(display: Handle, sync: Handle, flags: i32, timeout: u64) -> i32;
    eglWaitSync(display: Handle, sync: Handle, flags: i32) -> u32;
    eglGetSyncAttrib(display: Handle, sync: Handle, name: i32, value: *mut isize) -> u32;
    eglCreateImage(display: Handle, context: Handle, target: u32, buffer: Handle, list: *const isize) -> Handle;
    eglGetProcAddress(name: *const c_char) -> Handle;
    eglSwapBuffersWithDamageKHR(display: Handle, surface: Handle, rects: *const i32, count: i32) -> u32;
    eglSignalSyncKHR(display: Handle, sync: Handle, mode: u32) -> u32;
    eglQueryDevicesEXT(max: i32, devices: *mut Handle, count: *mut i32) -> u32;
    eglQueryDeviceStringEXT(device: Handle, name: i32) -> *const c_char;
    eglQueryDisplayAttribEXT(display: Handle, name: i32, value: *mut isize) -> u32;
    eglGetDisplayDriverName(display: Handle) -> *const c_char;
    eglLabelObjectKHR(display: Handle, kind: u32, object: Handle, label: Handle) -> i32;
    eglDebugMessageControlKHR(callback: Option<DebugCallback>, list: *const isize) -> i32;
    eglQueryDebugKHR(name: i32, value: *mut isize) -> u32;
}

pub type DebugCallback = unsafe extern "C" fn(u32, *const c_char, i32, Handle, Handle, *const c_char);

/// Path of the library built together with this test.
pub fn library_path() -> String {
    if let Ok(path) = std::env::var("GALLITE_TEST_LIB") {
        return path;
    }
    let test = std::env::current_exe().expect("path of the test");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("target folder");
    folder.join("libgallite.so").to_string_lossy().into_owned()
}

/// Sets the environment of this process before anything is loaded into it.
pub fn set_environment(pairs: &[(&str, &str)]) {
    for (name, value) in pairs {
        // SAFETY: called from the one initialiser below or at the start of a test binary with one test, while no
        // other thread of the test reads the environment.
        unsafe { std::env::set_var(name, value) };
    }
}

static EGL: LazyLock<Egl> = LazyLock::new(|| {
    // Another driver than the one that needs no device: GALLITE_TEST_DRIVER=vulkan cargo test -p gallite.
    let driver = std::env::var("GALLITE_TEST_DRIVER").unwrap_or_else(|_| "noop".to_owned());
    set_environment(&[("GALLITE_DRIVER", &driver)]);
    Egl::load(&library_path())
});

/// The library under test, on the driver that needs no device.
pub fn egl() -> &'static Egl {
    &EGL
}

/// Another library with EGL functions.
pub fn load(path: &str) -> Egl {
    Egl::load(path)
}

impl Egl {
    /// A string result as text.
    pub fn text(&self, pointer: *const c_char) -> Option<String> {
        // SAFETY: EGL's strings are null-terminated and static.
        (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
    }

    /// The error of the last call, checked.
    #[track_caller]
    pub fn expect(&self, error: i32, what: &str) {
        let found = self.eglGetError();
        assert!(found == error, "{what}: error {found:#06x} instead of {error:#06x}");
    }

    /// A surfaceless display, initialised. It is one for the whole process, so nobody may terminate it.
    pub fn surfaceless(&self) -> Handle {
        let display = self.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, std::ptr::null());
        assert!(!display.is_null());
        assert_eq!(self.eglInitialize(display, std::ptr::null_mut(), std::ptr::null_mut()), 1);
        assert_eq!(self.eglBindAPI(OPENGL_API), 1);
        display
    }

    /// The first config of a list of pairs.
    pub fn choose(&self, display: Handle, pairs: &[i32]) -> Handle {
        let mut list = vec![RENDERABLE_TYPE, OPENGL_BIT, SURFACE_TYPE, 0];
        list.extend_from_slice(pairs);
        list.push(END);
        let (mut config, mut count) = (NONE, 0);
        assert_eq!(self.eglChooseConfig(display, list.as_ptr(), &mut config, 1, &mut count), 1);
        assert_eq!(count, 1, "a config for {pairs:?}");
        config
    }

    /// The first config of a list of pairs that has exactly these values too.
    pub fn choose_with(&self, display: Handle, pairs: &[i32], exact: &[(i32, i32)]) -> Handle {
        let mut list = vec![RENDERABLE_TYPE, OPENGL_BIT];
        list.extend_from_slice(pairs);
        list.push(END);
        let (mut configs, mut count) = (vec![NONE; 512], 0);
        assert_eq!(self.eglChooseConfig(display, list.as_ptr(), configs.as_mut_ptr(), 512, &mut count), 1);
        configs.truncate(count as usize);
        let fits = |config: &Handle| {
            exact.iter().all(|&(name, wanted)| {
                let mut value = -1;
                self.eglGetConfigAttrib(display, *config, name, &mut value) == 1 && value == wanted
            })
        };
        configs.into_iter().find(fits).unwrap_or_else(|| panic!("no config with {exact:?}"))
    }

    /// A 3.3 core context.
    pub fn context(&self, display: Handle, config: Handle, share: Handle) -> Handle {
        const LIST: [i32; 5] = [0x3098, 3, 0x30FB, 3, END];
        let context = self.eglCreateContext(display, config, share, LIST.as_ptr());
        assert!(!context.is_null(), "context: {:#06x}", self.eglGetError());
        context
    }

    /// A small pbuffer.
    pub fn pbuffer(&self, display: Handle, config: Handle) -> Handle {
        let list = [WIDTH, 16, HEIGHT, 8, END];
        let surface = self.eglCreatePbufferSurface(display, config, list.as_ptr());
        assert!(!surface.is_null(), "pbuffer: {:#06x}", self.eglGetError());
        surface
    }

    /// Releases what is current.
    pub fn release(&self, display: Handle) {
        assert_eq!(self.eglMakeCurrent(display, NONE, NONE, NONE), 1);
    }
}
