//! Calls that mostly make sense together: objects get made, filled, bound, drawn with and deleted in any order.

use super::random::Random;
use super::shaders;
use gallite_tests::gl;
use std::ffi::c_void;

/// Names kept of each kind of object; the oldest give way.
const KEPT: usize = 12;

/// Kinds of objects with names.
#[derive(Clone, Copy)]
enum Kind {
    Buffer,
    Texture,
    Renderbuffer,
    Framebuffer,
    VertexArray,
    Sampler,
    Query,
    Program,
    Shader,
}

pub struct Session {
    pub random: Random,
    names: [Vec<u32>; 9],
    syncs: Vec<usize>,
    /// Memory lent to GL, 4 MiB.
    memory: Vec<u32>,
    noop: bool,
}

const BUFFER_TARGETS: &[u32] = &[
    gl::ARRAY_BUFFER,
    gl::ELEMENT_ARRAY_BUFFER,
    gl::UNIFORM_BUFFER,
    gl::TRANSFORM_FEEDBACK_BUFFER,
    gl::COPY_READ_BUFFER,
    gl::COPY_WRITE_BUFFER,
    gl::TEXTURE_BUFFER,
    gl::PIXEL_PACK_BUFFER,
    gl::PIXEL_UNPACK_BUFFER,
];
const TEXTURE_TARGETS: &[u32] = &[
    gl::TEXTURE_1D,
    gl::TEXTURE_2D,
    gl::TEXTURE_3D,
    gl::TEXTURE_1D_ARRAY,
    gl::TEXTURE_2D_ARRAY,
    gl::TEXTURE_RECTANGLE,
    gl::TEXTURE_CUBE_MAP,
    gl::TEXTURE_BUFFER,
    gl::TEXTURE_2D_MULTISAMPLE,
    gl::TEXTURE_2D_MULTISAMPLE_ARRAY,
];
const INTERNAL: &[u32] = &[
    gl::RGBA8,
    gl::RGB8,
    gl::R8,
    gl::RG16F,
    gl::RGBA32F,
    gl::RGBA8UI,
    gl::R32I,
    gl::SRGB8_ALPHA8,
    gl::RGB10_A2,
    gl::R11F_G11F_B10F,
    gl::RGB9_E5,
    gl::DEPTH_COMPONENT24,
    gl::DEPTH_COMPONENT32F,
    gl::DEPTH24_STENCIL8,
    gl::RGB565,
    gl::RGBA16,
    gl::RGBA8_SNORM,
    gl::COMPRESSED_RED_RGTC1,
    gl::RGBA,
];
const FORMATS: &[u32] = &[
    gl::RGBA,
    gl::RGB,
    gl::BGRA,
    gl::RED,
    gl::RG,
    gl::RGBA_INTEGER,
    gl::RED_INTEGER,
    gl::DEPTH_COMPONENT,
    gl::DEPTH_STENCIL,
    gl::STENCIL_INDEX,
];
const TYPES: &[u32] = &[
    gl::UNSIGNED_BYTE,
    gl::BYTE,
    gl::UNSIGNED_SHORT,
    gl::SHORT,
    gl::UNSIGNED_INT,
    gl::INT,
    gl::FLOAT,
    gl::HALF_FLOAT,
    gl::UNSIGNED_SHORT_5_6_5,
    gl::UNSIGNED_INT_8_8_8_8_REV,
    gl::UNSIGNED_INT_2_10_10_10_REV,
    gl::UNSIGNED_INT_24_8,
    gl::UNSIGNED_INT_10F_11F_11F_REV,
];
const MODES: &[u32] = &[
    gl::POINTS,
    gl::LINES,
    gl::LINE_STRIP,
    gl::LINE_LOOP,
    gl::TRIANGLES,
    gl::TRIANGLE_STRIP,
    gl::TRIANGLE_FAN,
    gl::LINES_ADJACENCY,
    gl::TRIANGLES_ADJACENCY,
    gl::TRIANGLE_STRIP_ADJACENCY,
];
const CAPABILITIES: &[u32] = &[
    gl::BLEND,
    gl::DEPTH_TEST,
    gl::STENCIL_TEST,
    gl::SCISSOR_TEST,
    gl::CULL_FACE,
    gl::POLYGON_OFFSET_FILL,
    gl::RASTERIZER_DISCARD,
    gl::PRIMITIVE_RESTART,
    gl::DEPTH_CLAMP,
    gl::COLOR_LOGIC_OP,
    gl::FRAMEBUFFER_SRGB,
    gl::MULTISAMPLE,
    gl::SAMPLE_MASK,
    gl::SAMPLE_COVERAGE,
    gl::SAMPLE_ALPHA_TO_COVERAGE,
    gl::PROGRAM_POINT_SIZE,
    gl::CLIP_DISTANCE0,
    gl::LINE_SMOOTH,
    gl::TEXTURE_CUBE_MAP_SEAMLESS,
];
const COMPARES: &[u32] =
    &[gl::NEVER, gl::LESS, gl::EQUAL, gl::LEQUAL, gl::GREATER, gl::NOTEQUAL, gl::GEQUAL, gl::ALWAYS];
const FACTORS: &[u32] = &[
    gl::ZERO,
    gl::ONE,
    gl::SRC_COLOR,
    gl::ONE_MINUS_SRC_ALPHA,
    gl::DST_ALPHA,
    gl::CONSTANT_COLOR,
    gl::SRC_ALPHA_SATURATE,
    gl::SRC1_COLOR,
];
const STENCIL_OPS: &[u32] = &[gl::KEEP, gl::ZERO, gl::REPLACE, gl::INCR, gl::DECR_WRAP, gl::INVERT];
const PARAMETERS: &[u32] = &[
    gl::TEXTURE_MIN_FILTER,
    gl::TEXTURE_MAG_FILTER,
    gl::TEXTURE_WRAP_S,
    gl::TEXTURE_WRAP_T,
    gl::TEXTURE_BASE_LEVEL,
    gl::TEXTURE_MAX_LEVEL,
    gl::TEXTURE_COMPARE_MODE,
    gl::TEXTURE_COMPARE_FUNC,
    gl::TEXTURE_SWIZZLE_R,
    gl::TEXTURE_MIN_LOD,
    gl::TEXTURE_MAX_LOD,
];
const VALUES: &[u32] = &[
    gl::NEAREST,
    gl::LINEAR,
    gl::NEAREST_MIPMAP_LINEAR,
    gl::LINEAR_MIPMAP_LINEAR,
    gl::REPEAT,
    gl::CLAMP_TO_EDGE,
    gl::CLAMP_TO_BORDER,
    gl::COMPARE_REF_TO_TEXTURE,
    gl::LEQUAL,
    gl::ONE,
    0,
    1,
    2,
    7,
];
const ATTACHMENTS: &[u32] = &[
    gl::COLOR_ATTACHMENT0,
    gl::COLOR_ATTACHMENT0 + 1,
    gl::COLOR_ATTACHMENT0 + 7,
    gl::DEPTH_ATTACHMENT,
    gl::STENCIL_ATTACHMENT,
    gl::DEPTH_STENCIL_ATTACHMENT,
];
const QUERY_TARGETS: &[u32] = &[
    gl::SAMPLES_PASSED,
    gl::ANY_SAMPLES_PASSED,
    gl::PRIMITIVES_GENERATED,
    gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
    gl::TIME_ELAPSED,
];

/// Brings all state that a plain draw depends on back to its default.
pub fn reset() {
    gl::EndTransformFeedback();
    gl::EndConditionalRender();
    for target in QUERY_TARGETS {
        gl::EndQuery(*target);
    }
    for capability in CAPABILITIES {
        gl::Disable(*capability);
    }
    (1..8).for_each(|plane| gl::Disable(gl::CLIP_DISTANCE0 + plane));
    gl::Enable(gl::MULTISAMPLE);
    gl::ColorMask(1, 1, 1, 1);
    gl::DepthMask(1);
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::FILL);
    for name in
        [gl::PACK_ROW_LENGTH, gl::PACK_SKIP_ROWS, gl::PACK_SKIP_PIXELS, gl::PACK_IMAGE_HEIGHT, gl::PACK_SWAP_BYTES]
    {
        gl::PixelStorei(name, 0);
    }
    gl::PixelStorei(gl::PACK_ALIGNMENT, 4);
    for target in BUFFER_TARGETS {
        gl::BindBuffer(*target, 0);
    }
    gl::ActiveTexture(gl::TEXTURE0);
    (0..4).for_each(|unit| gl::BindSampler(unit, 0));
    gl::BindVertexArray(0);
    gl::ClampColor(gl::CLAMP_READ_COLOR, gl::FIXED_ONLY);
}

impl Session {
    pub fn new(seed: u64, noop: bool) -> Self {
        let mut random = Random::new(seed);
        let memory = (0..1 << 20).map(|_| random.next() as u32 & 0x3f3f_3f3f).collect();
        Self { random, names: Default::default(), syncs: Vec::new(), memory, noop }
    }

    /// Deletes what is left.
    pub fn end(&mut self) {
        reset();
        for kind in [
            Kind::Buffer,
            Kind::Texture,
            Kind::Renderbuffer,
            Kind::Framebuffer,
            Kind::VertexArray,
            Kind::Sampler,
            Kind::Query,
            Kind::Program,
            Kind::Shader,
        ] {
            for name in std::mem::take(&mut self.names[kind as usize]) {
                Self::delete(kind, name);
            }
        }
        for sync in self.syncs.drain(..) {
            gl::DeleteSync(sync as *mut c_void);
        }
    }

    fn delete(kind: Kind, name: u32) {
        match kind {
            Kind::Buffer => gl::DeleteBuffers(1, &name),
            Kind::Texture => gl::DeleteTextures(1, &name),
            Kind::Renderbuffer => gl::DeleteRenderbuffers(1, &name),
            Kind::Framebuffer => gl::DeleteFramebuffers(1, &name),
            Kind::VertexArray => gl::DeleteVertexArrays(1, &name),
            Kind::Sampler => gl::DeleteSamplers(1, &name),
            Kind::Query => gl::DeleteQueries(1, &name),
            Kind::Program => gl::DeleteProgram(name),
            Kind::Shader => gl::DeleteShader(name),
        }
    }

    fn keep(&mut self, kind: Kind, name: u32) -> u32 {
        let names = &mut self.names[kind as usize];
        names.push(name);
        // The oldest is forgotten when full, deleted or not by then.
        if names.len() > KEPT {
            let oldest = names.remove(0);
            Self::delete(kind, oldest);
        }
        name
    }

    /// A name: mostly of a living object, else null, dead, or never made.
    fn name(&mut self, kind: Kind) -> u32 {
        let names = &self.names[kind as usize];
        match self.random.below(16) {
            0 => 0,
            1 => self.random.below(40) as u32,
            _ if names.is_empty() => 0,
            _ => self.random.pick(names),
        }
    }

    /// Mostly a token of the list.
    fn token(&mut self, list: &[u32]) -> u32 {
        if self.random.one_in(30) { self.random.below(0x9300) as u32 } else { self.random.pick(list) }
    }

    fn pointer(&mut self) -> *const c_void {
        if self.random.one_in(3) { std::ptr::null() } else { self.memory.as_ptr().cast() }
    }

    fn size(&mut self) -> i32 {
        match self.random.below(30) {
            0 => -1,
            1 => 100_000,
            2 => 0,
            _ => 1 << self.random.below(6),
        }
    }

    pub fn step(&mut self) {
        match self.random.below(100) {
            0..6 => self.make(),
            6..18 => self.buffers(),
            18..32 => self.textures(),
            32..44 => self.framebuffers(),
            44..56 => self.vertices(),
            56..64 => self.programs(),
            64..82 => self.state(),
            82..94 => self.draw(),
            94..97 => self.queries(),
            _ => self.read(),
        }
    }

    fn make(&mut self) {
        let mut name = 0;
        let kind = self.random.pick(&[
            Kind::Buffer,
            Kind::Texture,
            Kind::Renderbuffer,
            Kind::Framebuffer,
            Kind::VertexArray,
            Kind::Sampler,
            Kind::Query,
        ]);
        match kind {
            Kind::Buffer => gl::GenBuffers(1, &mut name),
            Kind::Texture => gl::GenTextures(1, &mut name),
            Kind::Renderbuffer => gl::GenRenderbuffers(1, &mut name),
            Kind::Framebuffer => gl::GenFramebuffers(1, &mut name),
            Kind::VertexArray => gl::GenVertexArrays(1, &mut name),
            Kind::Sampler => gl::GenSamplers(1, &mut name),
            _ => gl::GenQueries(1, &mut name),
        }
        self.keep(kind, name);
        if self.random.one_in(4) {
            // Dead, and still in the list.
            Self::delete(kind, name);
        }
    }

    fn buffers(&mut self) {
        let target = self.token(BUFFER_TARGETS);
        match self.random.below(9) {
            0..3 => {
                let name = self.name(Kind::Buffer);
                gl::BindBuffer(target, name);
            }
            3 => {
                let size = self.random.pick(&[0, 1, 64, 4096, 65536, -5, 1_isize << 46]);
                let data = if size > 1 << 20 { std::ptr::null() } else { self.pointer() };
                gl::BufferData(target, size, data, gl::DYNAMIC_DRAW);
            }
            4 => {
                let (offset, size) = (self.random.small(5000), self.random.small(5000).min(1 << 20));
                gl::BufferSubData(target, offset as isize, size as isize, self.memory.as_ptr().cast());
            }
            5 => {
                let name = self.name(Kind::Buffer);
                let target = self.token(&[gl::UNIFORM_BUFFER, gl::TRANSFORM_FEEDBACK_BUFFER]);
                let (index, offset) = (self.random.small(40) as u32, 16 * self.random.small(20) as isize);
                gl::BindBufferRange(target, index, name, offset, self.random.small(4000) as isize);
            }
            6 => {
                let (length, access) = (self.random.small(4096).min(1 << 20), self.random.below(0x40) as u32);
                let mapped = gl::MapBufferRange(target, self.random.small(64) as isize, length as isize, access);
                if !mapped.is_null() && access & gl::MAP_WRITE_BIT != 0 {
                    // SAFETY: GL 3.3 core 2.9.3: `length` bytes from here on are the program's until unmapped.
                    unsafe { mapped.cast::<u8>().write_bytes(7, length as usize) };
                }
                if !self.random.one_in(5) {
                    gl::UnmapBuffer(target);
                }
            }
            7 => {
                gl::UnmapBuffer(target);
            }
            _ => {
                let other = self.token(BUFFER_TARGETS);
                let (from, to, size) = (self.random.small(4000), self.random.small(4000), self.random.small(4000));
                gl::CopyBufferSubData(target, other, from as isize, to as isize, size as isize);
            }
        }
    }

    fn textures(&mut self) {
        let target = self.token(TEXTURE_TARGETS);
        let [w, h, d] = [self.size(), self.size(), self.size().min(4)];
        let internal = self.token(INTERNAL);
        let (format, kind) = (self.token(FORMATS), self.token(TYPES));
        let level = self.random.small(4);
        // Reading is bounded: 64 * 64 * 4 texels of 16 bytes at most.
        let data = if w.max(h).max(d) > 64 { std::ptr::null() } else { self.pointer() };
        let [x, y, z] = [self.random.small(20), self.random.small(20), self.random.small(3)];
        match self.random.below(14) {
            0..3 => {
                gl::ActiveTexture(gl::TEXTURE0.wrapping_add(self.random.small(4) as u32));
                let name = self.name(Kind::Texture);
                gl::BindTexture(target, name);
            }
            3 => gl::TexImage1D(target, level, internal, w, 0, format, kind, data),
            4 | 5 => {
                let face = self.random.below(6) as u32;
                let target =
                    if target == gl::TEXTURE_CUBE_MAP { gl::TEXTURE_CUBE_MAP_POSITIVE_X + face } else { target };
                gl::TexImage2D(target, level, internal, w, h, 0, format, kind, data);
            }
            6 => gl::TexImage3D(target, level, internal, w, h, d, 0, format, kind, data),
            7 => {
                gl::TexSubImage2D(target, level, x, y, w.min(64), h.min(64), format, kind, self.memory.as_ptr().cast())
            }
            8 => gl::TexSubImage3D(
                target,
                level,
                x,
                y,
                z,
                w.min(64),
                h.min(64),
                d,
                format,
                kind,
                self.memory.as_ptr().cast(),
            ),
            9 => {
                let samples = self.random.small(9);
                gl::TexImage2DMultisample(target, samples, internal, w, h, 1);
            }
            10 => {
                let (parameter, value) = (self.token(PARAMETERS), self.token(VALUES));
                if self.random.one_in(3) {
                    let sampler = self.name(Kind::Sampler);
                    gl::SamplerParameteri(sampler, parameter, value as i32);
                    gl::BindSampler(self.random.small(4) as u32, sampler);
                } else {
                    gl::TexParameteri(target, parameter, value as i32);
                }
            }
            11 => gl::GenerateMipmap(target),
            12 => gl::CopyTexSubImage2D(target, level, x, y, self.random.small(20), 0, w.min(64), h.min(64)),
            _ => {
                let buffer = self.name(Kind::Buffer);
                gl::TexBuffer(target, internal, buffer);
            }
        }
    }

    fn framebuffers(&mut self) {
        let target = self.token(&[gl::FRAMEBUFFER, gl::DRAW_FRAMEBUFFER, gl::READ_FRAMEBUFFER]);
        let attachment = self.token(ATTACHMENTS);
        let texture = self.name(Kind::Texture);
        match self.random.below(11) {
            0..3 => {
                let name = self.name(Kind::Framebuffer);
                gl::BindFramebuffer(target, name);
            }
            3 => {
                let name = self.name(Kind::Renderbuffer);
                gl::BindRenderbuffer(gl::RENDERBUFFER, name);
                let (samples, format) = (self.random.small(9), self.token(INTERNAL));
                let [w, h] = [self.size(), self.size()];
                gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, samples, format, w, h);
                gl::FramebufferRenderbuffer(target, attachment, gl::RENDERBUFFER, name);
            }
            4 | 5 => {
                let kind = self.token(TEXTURE_TARGETS);
                gl::FramebufferTexture2D(target, attachment, kind, texture, self.random.small(3));
            }
            6 => gl::FramebufferTextureLayer(target, attachment, texture, self.random.small(3), self.random.small(4)),
            7 => gl::FramebufferTexture(target, attachment, texture, self.random.small(3)),
            8 => {
                let buffers = [self.token(ATTACHMENTS), gl::NONE, self.token(ATTACHMENTS)];
                gl::DrawBuffers(self.random.below(4) as i32, buffers.as_ptr());
                let buffer = self.token(ATTACHMENTS);
                gl::ReadBuffer(buffer);
            }
            9 => {
                gl::CheckFramebufferStatus(target);
                gl::Clear(self.random.below(0x8000) as u32 & 0x4500);
            }
            _ => {
                let corners: [i32; 8] = std::array::from_fn(|_| self.random.small(70).saturating_sub(3));
                let [a, b, c, d, e, f, g, h] = corners;
                let filter = self.token(&[gl::NEAREST, gl::LINEAR]);
                gl::BlitFramebuffer(a, b, c, d, e, f, g, h, self.random.below(0x8000) as u32 & 0x4500, filter);
            }
        }
    }

    fn vertices(&mut self) {
        let index = self.random.small(5) as u32;
        let (size, kind) = (self.random.small(6), self.token(TYPES));
        let (stride, offset) = (self.random.small(70), self.random.below(4096) as *const c_void);
        match self.random.below(8) {
            0 | 1 => {
                let name = self.name(Kind::VertexArray);
                gl::BindVertexArray(name);
            }
            2 | 3 => gl::VertexAttribPointer(index, size, kind, self.random.below(2) as u8, stride, offset),
            4 => gl::VertexAttribIPointer(index, size, kind, stride, offset),
            5 => gl::EnableVertexAttribArray(index),
            6 => gl::DisableVertexAttribArray(index),
            _ => {
                gl::VertexAttribDivisor(index, self.random.small(3) as u32);
                gl::VertexAttrib4f(index, self.random.float(), 0.5, self.random.float(), 1.0);
            }
        }
    }

    fn programs(&mut self) {
        match self.random.below(40) {
            0 => {
                let (stage, bytes) = shaders::source(&mut self.random);
                let shader = gl::CreateShader(stage);
                let (text, length) = (bytes.as_ptr().cast(), bytes.len() as i32);
                gl::ShaderSource(shader, 1, &text, &length);
                gl::CompileShader(shader);
                self.keep(Kind::Shader, shader);
            }
            1 => {
                let program = gl::CreateProgram();
                for (stage, text) in [
                    (gl::VERTEX_SHADER, self.random.pick(shaders::VERTICES)),
                    (gl::FRAGMENT_SHADER, self.random.pick(shaders::FRAGMENTS)),
                ] {
                    let (shader, _) = gallite_tests::draw::shader_status(stage, text);
                    gl::AttachShader(program, shader);
                    gl::DeleteShader(shader);
                }
                if self.random.one_in(2) {
                    gallite_tests::draw::set_varyings(program, &["v", "gl_Position"], gl::SEPARATE_ATTRIBS);
                }
                gl::LinkProgram(program);
                self.keep(Kind::Program, program);
            }
            2 => {
                let (program, shader) = (self.name(Kind::Program), self.name(Kind::Shader));
                gl::AttachShader(program, shader);
                gl::LinkProgram(program);
            }
            3 => {
                let (program, shader) = (self.name(Kind::Program), self.name(Kind::Shader));
                gl::DetachShader(program, shader);
                gl::ValidateProgram(program);
            }
            4..20 => {
                let program = self.name(Kind::Program);
                gl::UseProgram(program);
            }
            20..26 => {
                let program = self.name(Kind::Program);
                gl::UniformBlockBinding(program, self.random.small(2) as u32, self.random.small(40) as u32);
            }
            26..30 => gl::UniformMatrix4fv(self.random.small(12), self.random.small(3), 0, self.memory.as_ptr().cast()),
            30..35 => {
                gl::Uniform4fv(self.random.small(12), self.random.small(6).min(1000), self.memory.as_ptr().cast())
            }
            _ => gl::Uniform1i(self.random.small(12), self.random.small(20)),
        }
    }

    fn state(&mut self) {
        let capability = self.token(CAPABILITIES);
        match self.random.below(24) {
            0..4 => gl::Enable(capability),
            4..8 => gl::Disable(capability),
            8 => {
                gl::Viewport(self.random.small(20), self.random.small(20), self.random.small(70), self.random.small(70))
            }
            9 => {
                gl::Scissor(self.random.small(20), self.random.small(20), self.random.small(70), self.random.small(70))
            }
            10 => {
                let factors: [u32; 4] = std::array::from_fn(|_| self.token(FACTORS));
                gl::BlendFuncSeparate(factors[0], factors[1], factors[2], factors[3]);
            }
            11 => {
                let equation = self.token(&[gl::FUNC_ADD, gl::FUNC_REVERSE_SUBTRACT, gl::MIN, gl::MAX]);
                gl::BlendEquation(equation);
            }
            12 => {
                let function = self.token(COMPARES);
                gl::DepthFunc(function);
            }
            13 => {
                let (face, function) = (self.token(&[gl::FRONT, gl::BACK, gl::FRONT_AND_BACK]), self.token(COMPARES));
                gl::StencilFuncSeparate(face, function, self.random.small(300), self.random.below(256) as u32);
            }
            14 => {
                let operations: [u32; 3] = std::array::from_fn(|_| self.token(STENCIL_OPS));
                gl::StencilOp(operations[0], operations[1], operations[2]);
            }
            15 => gl::ColorMaski(
                self.random.small(9) as u32,
                1,
                self.random.below(2) as u8,
                1,
                self.random.below(2) as u8,
            ),
            16 => gl::DepthRange(self.random.float().into(), self.random.float().into()),
            17 => gl::PolygonOffset(self.random.float(), self.random.float()),
            18 => {
                let mode = self.token(&[gl::POINT, gl::LINE, gl::FILL]);
                gl::PolygonMode(gl::FRONT_AND_BACK, mode);
            }
            19 => {
                gl::PointSize(self.random.float() * 8.0);
                gl::LineWidth(self.random.float() * 3.0);
            }
            20 => gl::ClearColor(self.random.float(), self.random.float(), self.random.float(), 1.0),
            21 => gl::PrimitiveRestartIndex(self.random.small(300) as u32),
            22 => {
                let name = self.token(&[
                    gl::UNPACK_ALIGNMENT,
                    gl::UNPACK_ROW_LENGTH,
                    gl::UNPACK_SKIP_ROWS,
                    gl::UNPACK_SKIP_PIXELS,
                    gl::UNPACK_SWAP_BYTES,
                    gl::PACK_ALIGNMENT,
                ]);
                // Bounded: it decides how much memory pixel commands touch.
                gl::PixelStorei(name, self.random.below(9) as i32);
            }
            _ => {
                gl::LogicOp(gl::CLEAR + self.random.below(17) as u32);
                gl::SampleMaski(self.random.small(2) as u32, self.random.next() as u32);
            }
        }
    }

    fn draw(&mut self) {
        let mode = self.token(MODES);
        // Drivers that draw have to draw all of it.
        let most = if self.noop { i32::MAX } else { 200 };
        let count = self.random.small(100).min(most);
        let (first, instances) = (self.random.small(100), self.random.small(5).min(most));
        let kind = self.token(&[gl::UNSIGNED_BYTE, gl::UNSIGNED_SHORT, gl::UNSIGNED_INT]);
        let offset = self.random.below(2000) as *const c_void;
        match self.random.below(9) {
            0..3 => gl::DrawArrays(mode, first, count),
            3 | 4 => gl::DrawElements(mode, count, kind, offset),
            5 => gl::DrawArraysInstanced(mode, first, count, instances),
            6 => {
                let base = self.random.small(100).saturating_sub(50);
                gl::DrawElementsInstancedBaseVertex(mode, count, kind, offset, instances, base);
            }
            7 => {
                let (firsts, counts) = ([0, first, 5], [3, count, -1]);
                let draws = self.random.below(4) as i32;
                gl::MultiDrawArrays(mode, firsts.as_ptr(), counts.as_ptr(), draws);
            }
            _ => {
                if self.random.one_in(2) {
                    gl::BeginTransformFeedback(self.random.pick(&[gl::POINTS, gl::LINES, gl::TRIANGLES, gl::QUADS]));
                } else {
                    gl::EndTransformFeedback();
                }
            }
        }
    }

    fn queries(&mut self) {
        let target = self.token(QUERY_TARGETS);
        let name = self.name(Kind::Query);
        match self.random.below(8) {
            0 | 1 => gl::BeginQuery(target, name),
            2 | 3 => gl::EndQuery(target),
            4 => {
                let mode = self.token(&[gl::QUERY_WAIT, gl::QUERY_NO_WAIT, gl::QUERY_BY_REGION_WAIT]);
                gl::BeginConditionalRender(name, mode);
            }
            5 => gl::EndConditionalRender(),
            6 => {
                let sync = gl::FenceSync(gl::SYNC_GPU_COMMANDS_COMPLETE, 0) as usize;
                self.syncs.push(sync);
                if self.syncs.len() > 8 {
                    gl::DeleteSync(self.syncs.remove(0) as *mut c_void);
                }
            }
            _ => {
                let sync = if self.syncs.is_empty() { 5 } else { self.random.pick(&self.syncs) };
                gl::ClientWaitSync(sync as *mut c_void, gl::SYNC_FLUSH_COMMANDS_BIT, 1000);
                gl::WaitSync(sync as *mut c_void, 0, gl::TIMEOUT_IGNORED);
                let mut value = 0;
                gl::GetQueryObjectuiv(name, gl::QUERY_RESULT_AVAILABLE, &mut value);
            }
        }
    }

    fn read(&mut self) {
        let (format, kind) = (self.token(FORMATS), self.token(TYPES));
        let memory = self.memory.as_mut_ptr().cast::<c_void>();
        match self.random.below(6) {
            0..2 => {
                let [x, y] = [self.random.small(70).saturating_sub(5), self.random.small(70).saturating_sub(5)];
                gl::ReadPixels(x, y, self.size().min(64), self.size().min(64), format, kind, memory);
            }
            2 => {
                let target = self.token(BUFFER_TARGETS);
                let (offset, size) = (self.random.small(4000) as isize, self.random.small(4000) as isize);
                gl::GetBufferSubData(target, offset, size, memory);
            }
            3 => {
                let target = self.token(TEXTURE_TARGETS);
                gl::GetTexImage(target, self.random.small(3), format, kind, memory);
            }
            4 => gl::Flush(),
            _ => {
                gl::GetError();
            }
        }
        // Written by GL: made small numbers again, because it is read as indices and matrices too.
        if self.random.one_in(8) {
            let random = &mut self.random;
            self.memory[..4096].iter_mut().for_each(|word| *word = random.next() as u32 & 0x3f3f_3f3f);
        }
    }
}
