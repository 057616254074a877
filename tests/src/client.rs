//! What the demo and the benches need beside the commands: a context without a surface on whatever implementation is under
//! test, and objects whose failure is told rather than a panic.

use crate::draw::{Program, compile_log, link as try_link, shader_status};
use crate::{egl, gl};

fn failed(step: &str) -> String {
    format!("{step} failed with EGL error {:#06x}", egl::GetError())
}

/// An initialised display of the implementation that [`egl::library_path`] names.
pub struct Display(egl::Handle);

impl Display {
    /// Loads the implementation and initialises its display: EGL_MESA_platform_surfaceless, else the default one.
    ///
    /// # Errors
    /// The step that failed, and EGL's error.
    pub fn open() -> Result<Self, String> {
        egl::open()?;
        let none = std::ptr::null_mut();
        let client = egl::query_string(egl::NONE_HANDLE, egl::EXTENSIONS);
        let display = if egl::has_extension(&client, "EGL_MESA_platform_surfaceless") {
            egl::GetPlatformDisplay(egl::PLATFORM_SURFACELESS_MESA, none, std::ptr::null())
        } else {
            egl::GetDisplay(none)
        };
        if egl::Initialize(display, std::ptr::null_mut(), std::ptr::null_mut()) == egl::FALSE {
            return Err(failed("eglInitialize"));
        }
        if egl::BindAPI(egl::OPENGL_API) == egl::FALSE {
            return Err(failed("eglBindAPI"));
        }
        Ok(Self(display))
    }

    /// EGL_VENDOR and EGL_VERSION.
    pub fn description(&self) -> String {
        format!("{} {}", egl::query_string(self.0, egl::VENDOR), egl::query_string(self.0, egl::VERSION))
    }

    /// A context of the core profile of at least this version, current without a surface.
    ///
    /// # Errors
    /// The step that failed, and EGL's error.
    pub fn core_context(&self, version: [i32; 2]) -> Result<Context<'_>, String> {
        self.context(version, egl::CONTEXT_OPENGL_CORE_PROFILE_BIT)
    }

    /// The same of the compatibility profile.
    ///
    /// # Errors
    /// As of [`Self::core_context`].
    pub fn compatibility_context(&self, version: [i32; 2]) -> Result<Context<'_>, String> {
        self.context(version, egl::CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT)
    }

    fn context(&self, [major, minor]: [i32; 2], profile: i32) -> Result<Context<'_>, String> {
        let wanted = [egl::RENDERABLE_TYPE, egl::OPENGL_BIT, egl::SURFACE_TYPE, egl::PBUFFER_BIT, egl::NONE];
        let (mut config, mut count) = (egl::NONE_HANDLE, 0);
        if egl::ChooseConfig(self.0, wanted.as_ptr(), &mut config, 1, &mut count) == egl::FALSE || count == 0 {
            return Err(failed("eglChooseConfig"));
        }
        let attributes = [
            egl::CONTEXT_MAJOR_VERSION,
            major,
            egl::CONTEXT_MINOR_VERSION,
            minor,
            egl::CONTEXT_OPENGL_PROFILE_MASK,
            profile,
            egl::NONE,
        ];
        let context = egl::CreateContext(self.0, config, egl::NONE_HANDLE, attributes.as_ptr());
        if context.is_null() {
            return Err(failed("eglCreateContext"));
        }
        let context = Context { display: self, context };
        context.make_current()?;
        Ok(context)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        egl::Terminate(self.0);
    }
}

/// A context, current on the thread that made it until another is or it is dropped.
pub struct Context<'a> {
    display: &'a Display,
    context: egl::Handle,
}

impl Context<'_> {
    /// Makes it current without a surface.
    ///
    /// # Errors
    /// EGL's.
    pub fn make_current(&self) -> Result<(), String> {
        let none = egl::NONE_HANDLE;
        let ok = egl::MakeCurrent(self.display.0, none, none, self.context) == egl::TRUE;
        if ok { Ok(()) } else { Err(failed("eglMakeCurrent")) }
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        let none = egl::NONE_HANDLE;
        egl::MakeCurrent(self.display.0, none, none, none);
        egl::DestroyContext(self.display.0, self.context);
    }
}

/// Compiles a shader.
///
/// # Errors
/// Its log and its source.
pub fn shader(kind: u32, source: &str) -> Result<u32, String> {
    let (shader, ok) = shader_status(kind, source);
    if ok { Ok(shader) } else { Err(compile_log(shader) + source) }
}

/// Links shaders, which are deleted with the program.
///
/// # Errors
/// The program's log.
pub fn link(shaders: &[u32]) -> Result<u32, String> {
    let program = gl::CreateProgram();
    for shader in shaders {
        gl::AttachShader(program, *shader);
        gl::DeleteShader(*shader);
    }
    try_link(program).map(|()| program)
}

/// Compiles and links a vertex and a fragment shader.
///
/// # Errors
/// The log of what failed.
pub fn program(vertex: &str, fragment: &str) -> Result<u32, String> {
    link(&[shader(gl::VERTEX_SHADER, vertex)?, shader(gl::FRAGMENT_SHADER, fragment)?])
}

/// Location of a uniform of the default block; -1 when it is not active.
pub fn uniform(program: u32, name: &str) -> i32 {
    Program(program).location(name)
}

/// Points a program's uniform block at a binding point; nothing happens when the block is not active.
pub fn bind_block(program: u32, name: &str, binding: u32) {
    let index = Program(program).block(name);
    if index != gl::INVALID_INDEX {
        gl::UniformBlockBinding(program, index, binding);
    }
}
