//! The part of EGL that an offscreen GL program needs.

use std::ffi::{CStr, CString, c_char, c_void};
use std::fmt;
use std::ptr::null_mut;

use libloading::Library;

use super::gl::Gl;

type Handle = *mut c_void;
type EglInt = i32;

const PLATFORM_SURFACELESS: u32 = 0x31DD;
const OPENGL_API: u32 = 0x30A2;
const NONE: EglInt = 0x3038;
const VENDOR: EglInt = 0x3053;
const VERSION: EglInt = 0x3054;
const EXTENSIONS: EglInt = 0x3055;

/// A failed step of bringing up EGL, with the code of `eglGetError` where there is one.
#[derive(Debug)]
pub struct EglError {
    step: String,
    code: EglInt,
}

impl fmt::Display for EglError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.code == 0 {
            f.write_str(&self.step)
        } else {
            write!(f, "{} failed with EGL error {:#06x}", self.step, self.code)
        }
    }
}

impl std::error::Error for EglError {}

macro_rules! egl_functions {
    ($($field:ident = $symbol:literal: fn($($arg:ty),*) -> $ret:ty;)*) => {
        struct Functions {
            $($field: unsafe extern "C" fn($($arg),*) -> $ret,)*
        }

        impl Functions {
            fn load(library: &Library) -> Result<Self, EglError> {
                Ok(Self {
                    $($field: {
                        // SAFETY: the symbol has this signature in every EGL 1.5 implementation (EGL 1.5, 3), and the
                        // library outlives the pointer because `Egl` never unloads it.
                        let symbol = unsafe { library.get::<unsafe extern "C" fn($($arg),*) -> $ret>(concat!($symbol, "\0").as_bytes()) };
                        *symbol.map_err(|e| EglError { step: format!("{}: {e}", $symbol), code: 0 })?
                    },)*
                })
            }
        }
    };
}

egl_functions! {
    get_error = "eglGetError": fn() -> EglInt;
    get_display = "eglGetDisplay": fn(Handle) -> Handle;
    initialize = "eglInitialize": fn(Handle, *mut EglInt, *mut EglInt) -> u32;
    terminate = "eglTerminate": fn(Handle) -> u32;
    query_string = "eglQueryString": fn(Handle, EglInt) -> *const c_char;
    choose_config = "eglChooseConfig": fn(Handle, *const EglInt, *mut Handle, EglInt, *mut EglInt) -> u32;
    bind_api = "eglBindAPI": fn(u32) -> u32;
    create_context = "eglCreateContext": fn(Handle, Handle, Handle, *const EglInt) -> Handle;
    destroy_context = "eglDestroyContext": fn(Handle, Handle) -> u32;
    make_current = "eglMakeCurrent": fn(Handle, Handle, Handle, Handle) -> u32;
    get_proc_address = "eglGetProcAddress": fn(*const c_char) -> Handle;
}

/// An initialised EGL display without a window system (EGL_MESA_platform_surfaceless, else the default display).
pub struct Egl {
    functions: Functions,
    display: Handle,
    // Leaked on purpose: GL function pointers may outlive this value, and unloading a GL driver is not what a test is about.
    library: &'static Library,
}

impl Egl {
    /// Loads `library` and initialises its display.
    pub fn open(library: &str) -> Result<Self, EglError> {
        // SAFETY: running the initialisers of a GL implementation is what loading one means; the file is the caller's choice.
        let library = unsafe { Library::new(library) }
            .map_err(|e| EglError { step: format!("loading {library}: {e}"), code: 0 })?;
        let library: &'static Library = Box::leak(Box::new(library));
        let functions = Functions::load(library)?;
        let mut egl = Self { functions, display: null_mut(), library };
        egl.display = egl.find_display();
        if egl.display.is_null() {
            return Err(egl.error("eglGetPlatformDisplay"));
        }
        // SAFETY: the display is valid; null is allowed for both version pointers (EGL 1.5, 3.2).
        if unsafe { (egl.functions.initialize)(egl.display, null_mut(), null_mut()) } == 0 {
            return Err(egl.error("eglInitialize"));
        }
        // SAFETY: takes no pointers.
        if unsafe { (egl.functions.bind_api)(OPENGL_API) } == 0 {
            return Err(egl.error("eglBindAPI"));
        }
        Ok(egl)
    }

    fn find_display(&self) -> Handle {
        type GetPlatformDisplay = unsafe extern "C" fn(u32, Handle, *const isize) -> Handle;
        // SAFETY: asking for client extensions with no display is allowed (EGL 1.5, 3.3); the answer is null or a C string.
        let client = unsafe { string((self.functions.query_string)(null_mut(), EXTENSIONS)) };
        if client.contains("EGL_MESA_platform_surfaceless") {
            let address = self.proc_address("eglGetPlatformDisplay");
            if !address.is_null() {
                // SAFETY: eglGetProcAddress returned it under the name whose signature this is (EGL 1.5, 3.2).
                let get = unsafe { std::mem::transmute::<Handle, GetPlatformDisplay>(address) };
                // SAFETY: this platform takes a null native display and no attributes.
                let display = unsafe { get(PLATFORM_SURFACELESS, null_mut(), std::ptr::null()) };
                if !display.is_null() {
                    return display;
                }
            }
        }
        // SAFETY: EGL_DEFAULT_DISPLAY is null.
        unsafe { (self.functions.get_display)(null_mut()) }
    }

    fn error(&self, step: &str) -> EglError {
        // SAFETY: takes no pointers.
        EglError { step: step.to_owned(), code: unsafe { (self.functions.get_error)() } }
    }

    /// The display's EGL_VENDOR and EGL_VERSION.
    pub fn description(&self) -> String {
        // SAFETY: the display is initialised, so the answers are static C strings.
        unsafe {
            format!(
                "{} {}",
                string((self.functions.query_string)(self.display, VENDOR)),
                string((self.functions.query_string)(self.display, VERSION))
            )
        }
    }

    /// Address of a GL or EGL function: `eglGetProcAddress`, then the library's own export of that name.
    pub fn proc_address(&self, name: &str) -> *mut c_void {
        let Ok(c_name) = CString::new(name) else {
            return null_mut();
        };
        // SAFETY: the argument is a C string.
        let address = unsafe { (self.functions.get_proc_address)(c_name.as_ptr()) };
        if !address.is_null() {
            return address;
        }
        // SAFETY: only the address is taken; whoever calls it names its signature.
        unsafe { self.library.get::<*mut c_void>(c_name.as_bytes_with_nul()) }.map_or(null_mut(), |symbol| *symbol)
    }

    /// Creates a core-profile context of at least `major.minor` and makes it current without a surface.
    pub fn create_core_context(&self, major: i32, minor: i32) -> Result<EglContext<'_>, EglError> {
        self.create_context([major, minor], 1)
    }

    /// The same of the compatibility profile.
    pub fn create_compatibility_context(&self, major: i32, minor: i32) -> Result<EglContext<'_>, EglError> {
        self.create_context([major, minor], 2)
    }

    fn create_context(&self, [major, minor]: [i32; 2], profile: i32) -> Result<EglContext<'_>, EglError> {
        let config_attributes = [
            0x3040, /* RENDERABLE_TYPE */
            0x0008, /* OPENGL_BIT */
            0x3033, /* SURFACE_TYPE */
            0x0001, NONE,
        ];
        let mut config = null_mut();
        let mut count = 0;
        // SAFETY: the list ends in EGL_NONE; one config fits in `config`.
        let found = unsafe {
            (self.functions.choose_config)(self.display, config_attributes.as_ptr(), &raw mut config, 1, &raw mut count)
        };
        if found == 0 || count == 0 {
            return Err(self.error("eglChooseConfig"));
        }
        let attributes = [
            0x3098, major, // CONTEXT_MAJOR_VERSION
            0x30FB, minor, // CONTEXT_MINOR_VERSION
            0x30FD, profile, // CONTEXT_OPENGL_PROFILE_MASK
            NONE,
        ];
        // SAFETY: display and config are valid, the list ends in EGL_NONE.
        let context = unsafe { (self.functions.create_context)(self.display, config, null_mut(), attributes.as_ptr()) };
        if context.is_null() {
            return Err(self.error("eglCreateContext"));
        }
        let context = EglContext { egl: self, context };
        context.make_current()?;
        Ok(context)
    }
}

impl Drop for Egl {
    fn drop(&mut self) {
        // SAFETY: the display is valid; contexts borrow `self`, so none of ours is left.
        unsafe { (self.functions.terminate)(self.display) };
    }
}

/// A context, current on the thread that made it until dropped.
pub struct EglContext<'a> {
    egl: &'a Egl,
    context: Handle,
}

impl EglContext<'_> {
    /// Makes it current without a surface.
    pub fn make_current(&self) -> Result<(), EglError> {
        let functions = &self.egl.functions;
        // SAFETY: EGL_KHR_surfaceless_context: no surface with a valid context.
        if unsafe { (functions.make_current)(self.egl.display, null_mut(), null_mut(), self.context) } == 0 {
            return Err(self.egl.error("eglMakeCurrent"));
        }
        Ok(())
    }

    /// Loads the GL functions of this context; `Err` names the first that is missing.
    pub fn load_gl(&self) -> Result<Gl, String> {
        Gl::load(|name| self.egl.proc_address(name))
    }
}

impl Drop for EglContext<'_> {
    fn drop(&mut self) {
        // SAFETY: all handles are valid or null, which releases the current context (EGL 1.5, 3.7.3).
        unsafe {
            (self.egl.functions.make_current)(self.egl.display, null_mut(), null_mut(), null_mut());
            (self.egl.functions.destroy_context)(self.egl.display, self.context);
        }
    }
}

/// # Safety
/// `text` is null or a C string that stays valid during the call.
unsafe fn string(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
