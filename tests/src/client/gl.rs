//! The GL 3.3 core functions that the demo and the bench call.
//!
//! Each is a method of [`Gl`] named as in the specification without `gl`. They are safe functions, exactly as trusting
//! as the C prototypes they stand for: the callers here pass only live slices and offsets.

use std::ffi::{CStr, CString, c_char, c_void};

/// Values of the enumerants used, named as in the specification without `GL_`.
#[allow(missing_docs, reason = "each is the enumerant of its name in the GL registry")]
pub mod consts {
    pub const TRIANGLES: u32 = 0x0004;
    pub const LESS: u32 = 0x0201;
    pub const LEQUAL: u32 = 0x0203;
    pub const GREATER: u32 = 0x0204;
    pub const ALWAYS: u32 = 0x0207;
    pub const ONE: u32 = 1;
    pub const SRC_ALPHA: u32 = 0x0302;
    pub const ONE_MINUS_SRC_ALPHA: u32 = 0x0303;
    pub const FRONT: u32 = 0x0404;
    pub const BACK: u32 = 0x0405;
    pub const CULL_FACE: u32 = 0x0B44;
    pub const DEPTH_TEST: u32 = 0x0B71;
    pub const STENCIL_TEST: u32 = 0x0B90;
    pub const BLEND: u32 = 0x0BE2;
    pub const SCISSOR_TEST: u32 = 0x0C11;
    pub const PACK_ALIGNMENT: u32 = 0x0D05;
    pub const MAX_TEXTURE_IMAGE_UNITS: u32 = 0x8872;
    pub const MAX_UNIFORM_BUFFER_BINDINGS: u32 = 0x8A2F;
    pub const MAX_VERTEX_UNIFORM_BLOCKS: u32 = 0x8A2B;
    pub const TEXTURE_2D: u32 = 0x0DE1;
    pub const UNSIGNED_BYTE: u32 = 0x1401;
    pub const UNSIGNED_SHORT: u32 = 0x1403;
    pub const UNSIGNED_INT: u32 = 0x1405;
    pub const FLOAT: u32 = 0x1406;
    pub const DEPTH_COMPONENT: u32 = 0x1902;
    pub const RED: u32 = 0x1903;
    pub const RGBA: u32 = 0x1908;
    pub const KEEP: u32 = 0x1E00;
    pub const REPLACE: u32 = 0x1E01;
    pub const VENDOR: u32 = 0x1F00;
    pub const RENDERER: u32 = 0x1F01;
    pub const VERSION: u32 = 0x1F02;
    pub const SHADING_LANGUAGE_VERSION: u32 = 0x8B8C;
    pub const NEAREST: i32 = 0x2600;
    pub const LINEAR: i32 = 0x2601;
    pub const LINEAR_MIPMAP_LINEAR: i32 = 0x2703;
    pub const TEXTURE_MAG_FILTER: u32 = 0x2800;
    pub const TEXTURE_MIN_FILTER: u32 = 0x2801;
    pub const TEXTURE_WRAP_S: u32 = 0x2802;
    pub const TEXTURE_WRAP_T: u32 = 0x2803;
    pub const REPEAT: i32 = 0x2901;
    pub const COLOR_BUFFER_BIT: u32 = 0x4000;
    pub const DEPTH_BUFFER_BIT: u32 = 0x0100;
    pub const RGBA8: u32 = 0x8058;
    pub const SRGB8_ALPHA8: u32 = 0x8C43;
    pub const RGBA16F: u32 = 0x881A;
    pub const R11F_G11F_B10F: u32 = 0x8C3A;
    pub const DEPTH_COMPONENT24: u32 = 0x81A6;
    pub const DEPTH24_STENCIL8: u32 = 0x88F0;
    pub const CLAMP_TO_EDGE: i32 = 0x812F;
    pub const TEXTURE0: u32 = 0x84C0;
    pub const TEXTURE_COMPARE_MODE: u32 = 0x884C;
    pub const TEXTURE_COMPARE_FUNC: u32 = 0x884D;
    pub const COMPARE_REF_TO_TEXTURE: i32 = 0x884E;
    pub const ARRAY_BUFFER: u32 = 0x8892;
    pub const ELEMENT_ARRAY_BUFFER: u32 = 0x8893;
    pub const UNIFORM_BUFFER: u32 = 0x8A11;
    pub const STATIC_DRAW: u32 = 0x88E4;
    pub const DYNAMIC_DRAW: u32 = 0x88E8;
    pub const FRAGMENT_SHADER: u32 = 0x8B30;
    pub const VERTEX_SHADER: u32 = 0x8B31;
    pub const GEOMETRY_SHADER: u32 = 0x8DD9;
    pub const TESS_EVALUATION_SHADER: u32 = 0x8E87;
    pub const TESS_CONTROL_SHADER: u32 = 0x8E88;
    pub const COMPUTE_SHADER: u32 = 0x91B9;
    pub const COMPILE_STATUS: u32 = 0x8B81;
    pub const LINK_STATUS: u32 = 0x8B82;
    pub const COLOR_ATTACHMENT0: u32 = 0x8CE0;
    pub const DEPTH_ATTACHMENT: u32 = 0x8D00;
    pub const DEPTH_STENCIL_ATTACHMENT: u32 = 0x821A;
    pub const FRAMEBUFFER: u32 = 0x8D40;
    pub const READ_FRAMEBUFFER: u32 = 0x8CA8;
    pub const DRAW_FRAMEBUFFER: u32 = 0x8CA9;
    pub const RENDERBUFFER: u32 = 0x8D41;
    pub const FRAMEBUFFER_COMPLETE: u32 = 0x8CD5;
    pub const MAX_SAMPLES: u32 = 0x8D57;
    pub const POLYGON_OFFSET_FILL: u32 = 0x8037;
    pub const NONE: u32 = 0;
}

macro_rules! gl_functions {
    ($($name:ident($($arg:ident: $type:ty),*) $(-> $ret:ty)?;)*) => {
        /// A loaded set of GL functions. Call its methods only while the context it came from is current.
        #[allow(non_snake_case, missing_docs, reason = "named as in the specification")]
        pub struct Gl {
            $($name: extern "system" fn($($type),*) $(-> $ret)?,)*
        }

        #[allow(non_snake_case, missing_docs, clippy::too_many_arguments, reason = "the functions of the specification")]
        impl Gl {
            /// Resolves every function through `address`; `Err` names the first it does not know.
            pub fn load(address: impl Fn(&str) -> *mut c_void) -> Result<Self, String> {
                Ok(Self {
                    $($name: {
                        let pointer = address(concat!("gl", stringify!($name)));
                        if pointer.is_null() {
                            return Err(format!("gl{} is missing", stringify!($name)));
                        }
                        // SAFETY: not null, and the implementation returned it for the name whose registry signature this is.
                        unsafe { std::mem::transmute::<*mut c_void, extern "system" fn($($type),*) $(-> $ret)?>(pointer) }
                    },)*
                })
            }

            $(
                #[inline]
                pub fn $name(&self, $($arg: $type),*) $(-> $ret)? {
                    (self.$name)($($arg),*)
                }
            )*
        }
    };
}

type Enum = u32;
type Name = u32;

gl_functions! {
    ActiveTexture(unit: Enum);
    AttachShader(program: Name, shader: Name);
    BindAttribLocation(program: Name, index: u32, name: *const c_char);
    BindBuffer(target: Enum, buffer: Name);
    BindBufferBase(target: Enum, index: u32, buffer: Name);
    BindBufferRange(target: Enum, index: u32, buffer: Name, offset: isize, size: isize);
    BindFramebuffer(target: Enum, framebuffer: Name);
    BindRenderbuffer(target: Enum, renderbuffer: Name);
    BindTexture(target: Enum, texture: Name);
    BindVertexArray(array: Name);
    BlendFunc(source: Enum, destination: Enum);
    BlitFramebuffer(sx0: i32, sy0: i32, sx1: i32, sy1: i32, dx0: i32, dy0: i32, dx1: i32, dy1: i32, mask: u32, filter: Enum);
    BufferData(target: Enum, size: isize, data: *const c_void, usage: Enum);
    BufferSubData(target: Enum, offset: isize, size: isize, data: *const c_void);
    CheckFramebufferStatus(target: Enum) -> Enum;
    Clear(mask: u32);
    ClearColor(r: f32, g: f32, b: f32, a: f32);
    CompileShader(shader: Name);
    CreateProgram() -> Name;
    CreateShader(kind: Enum) -> Name;
    CullFace(face: Enum);
    DeleteProgram(program: Name);
    DeleteShader(shader: Name);
    DepthFunc(func: Enum);
    DepthMask(flag: u8);
    Disable(cap: Enum);
    DisableVertexAttribArray(index: u32);
    DrawArrays(mode: Enum, first: i32, count: i32);
    DrawBuffer(buffer: Enum);
    DrawElements(mode: Enum, count: i32, kind: Enum, indices: *const c_void);
    DrawElementsInstanced(mode: Enum, count: i32, kind: Enum, indices: *const c_void, instances: i32);
    Enable(cap: Enum);
    EnableVertexAttribArray(index: u32);
    Finish();
    Flush();
    FramebufferRenderbuffer(target: Enum, attachment: Enum, rb_target: Enum, renderbuffer: Name);
    FramebufferTexture2D(target: Enum, attachment: Enum, tex_target: Enum, texture: Name, level: i32);
    GenBuffers(n: i32, names: *mut Name);
    GenFramebuffers(n: i32, names: *mut Name);
    GenRenderbuffers(n: i32, names: *mut Name);
    GenTextures(n: i32, names: *mut Name);
    GenVertexArrays(n: i32, names: *mut Name);
    GenerateMipmap(target: Enum);
    GetError() -> Enum;
    GetIntegerv(name: Enum, data: *mut i32);
    GetProgramInfoLog(program: Name, size: i32, length: *mut i32, log: *mut c_char);
    GetProgramiv(program: Name, name: Enum, value: *mut i32);
    GetShaderInfoLog(shader: Name, size: i32, length: *mut i32, log: *mut c_char);
    GetShaderiv(shader: Name, name: Enum, value: *mut i32);
    GetString(name: Enum) -> *const c_char;
    GetUniformBlockIndex(program: Name, name: *const c_char) -> u32;
    GetUniformLocation(program: Name, name: *const c_char) -> i32;
    LinkProgram(program: Name);
    PixelStorei(name: Enum, value: i32);
    PolygonOffset(factor: f32, units: f32);
    ReadBuffer(buffer: Enum);
    ReadPixels(x: i32, y: i32, width: i32, height: i32, format: Enum, kind: Enum, data: *mut c_void);
    RenderbufferStorage(target: Enum, format: Enum, width: i32, height: i32);
    RenderbufferStorageMultisample(target: Enum, samples: i32, format: Enum, width: i32, height: i32);
    Scissor(x: i32, y: i32, width: i32, height: i32);
    ShaderSource(shader: Name, count: i32, strings: *const *const c_char, lengths: *const i32);
    StencilFunc(func: Enum, reference: i32, mask: u32);
    StencilOp(fail: Enum, depth_fail: Enum, pass: Enum);
    TexImage2D(target: Enum, level: i32, internal: i32, width: i32, height: i32, border: i32, format: Enum, kind: Enum, data: *const c_void);
    TexParameteri(target: Enum, name: Enum, value: i32);
    Uniform1f(location: i32, x: f32);
    Uniform1i(location: i32, x: i32);
    Uniform2f(location: i32, x: f32, y: f32);
    Uniform4f(location: i32, x: f32, y: f32, z: f32, w: f32);
    Uniform4fv(location: i32, count: i32, value: *const f32);
    UniformBlockBinding(program: Name, block: u32, binding: u32);
    UniformMatrix4fv(location: i32, count: i32, transpose: u8, value: *const f32);
    UseProgram(program: Name);
    VertexAttribDivisor(index: u32, divisor: u32);
    VertexAttribPointer(index: u32, size: i32, kind: Enum, normalized: u8, stride: i32, pointer: *const c_void);
    Viewport(x: i32, y: i32, width: i32, height: i32);
}

impl Gl {
    /// `glGetString` as text; empty where the answer is null.
    pub fn string(&self, name: u32) -> String {
        let text = self.GetString(name);
        if text.is_null() {
            return String::new();
        }
        // SAFETY: glGetString returns a static, null-terminated string (GL 4.6 core 22.2).
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    /// One integer of `glGetIntegerv`.
    pub fn integer(&self, name: u32) -> i32 {
        let mut value = [0; 16];
        self.GetIntegerv(name, value.as_mut_ptr());
        value[0]
    }

    /// One fresh name of the kind that `generate` makes.
    pub fn one(generate: impl FnOnce(i32, *mut u32)) -> u32 {
        let mut name = 0;
        generate(1, &raw mut name);
        name
    }

    /// A new buffer bound to `target` that holds `data`.
    pub fn buffer_with(&self, target: u32, data: &[u8], usage: u32) -> u32 {
        let buffer = Self::one(|n, p| self.GenBuffers(n, p));
        self.BindBuffer(target, buffer);
        self.BufferData(target, data.len() as isize, data.as_ptr().cast(), usage);
        buffer
    }

    /// Compiles a shader; `Err` holds the info log and the source.
    pub fn shader(&self, kind: u32, source: &str) -> Result<u32, String> {
        let shader = self.CreateShader(kind);
        let text = source.as_ptr().cast();
        let length = source.len() as i32;
        self.ShaderSource(shader, 1, &raw const text, &raw const length);
        self.CompileShader(shader);
        let mut ok = 0;
        self.GetShaderiv(shader, consts::COMPILE_STATUS, &raw mut ok);
        if ok == 0 {
            return Err(log(|size, length, text| self.GetShaderInfoLog(shader, size, length, text)) + source);
        }
        Ok(shader)
    }

    /// Links shaders, which are deleted with the program; `Err` holds the info log.
    pub fn link(&self, shaders: &[u32]) -> Result<u32, String> {
        let program = self.CreateProgram();
        for shader in shaders {
            self.AttachShader(program, *shader);
            self.DeleteShader(*shader);
        }
        self.LinkProgram(program);
        let mut ok = 0;
        self.GetProgramiv(program, consts::LINK_STATUS, &raw mut ok);
        if ok == 0 {
            return Err(log(|size, length, text| self.GetProgramInfoLog(program, size, length, text)));
        }
        Ok(program)
    }

    /// Compiles and links a vertex and a fragment shader; `Err` holds the info log.
    pub fn program(&self, vertex: &str, fragment: &str) -> Result<u32, String> {
        let vertex = self.shader(consts::VERTEX_SHADER, vertex)?;
        self.link(&[vertex, self.shader(consts::FRAGMENT_SHADER, fragment)?])
    }

    /// Location of a uniform of the default block; -1 when it is not active.
    pub fn uniform(&self, program: u32, name: &str) -> i32 {
        CString::new(name).map_or(-1, |name| self.GetUniformLocation(program, name.as_ptr()))
    }

    /// Points a program's uniform block at a binding point; nothing happens when the block is not active.
    pub fn bind_block(&self, program: u32, name: &str, binding: u32) {
        let Ok(name) = CString::new(name) else { return };
        let index = self.GetUniformBlockIndex(program, name.as_ptr());
        if index != u32::MAX {
            self.UniformBlockBinding(program, index, binding);
        }
    }
}

fn log(get: impl FnOnce(i32, *mut i32, *mut c_char)) -> String {
    let mut text = vec![0_u8; 16 * 1024];
    let mut length = 0;
    get(text.len() as i32, &raw mut length, text.as_mut_ptr().cast());
    String::from_utf8_lossy(&text[..usize::try_from(length).unwrap_or(0).min(text.len())]).into_owned()
}
