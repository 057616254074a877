//! Buffers, vertex arrays, textures and framebuffers.

use super::Image;
use crate::gl;

macro_rules! generators {
    ($($(#[$doc:meta])* $name:ident => $command:ident;)*) => {
        $($(#[$doc])*
        pub fn $name() -> u32 {
            let mut name = 0;
            gl::$command(1, &mut name);
            assert_ne!(name, 0);
            name
        })*
    };
}

generators! {
    /// One new buffer name.
    gen_buffer => GenBuffers;
    /// One new vertex array name.
    gen_vertex_array => GenVertexArrays;
    /// One new texture name.
    gen_texture => GenTextures;
    /// One new framebuffer name.
    gen_framebuffer => GenFramebuffers;
    /// One new renderbuffer name.
    gen_renderbuffer => GenRenderbuffers;
    /// One new sampler name.
    gen_sampler => GenSamplers;
    /// One new query name.
    gen_query => GenQueries;
    /// One new program pipeline name.
    gen_pipeline => GenProgramPipelines;
}

/// A new buffer with these contents, left bound to `target`.
pub fn buffer<T: Copy>(target: u32, data: &[T]) -> u32 {
    let name = gen_buffer();
    gl::BindBuffer(target, name);
    buffer_data(target, data, gl::STATIC_DRAW);
    name
}

/// `glBufferData` from a slice.
pub fn buffer_data<T: Copy>(target: u32, data: &[T], usage: u32) {
    gl::BufferData(target, size_of_val(data) as isize, data.as_ptr().cast(), usage);
}

/// Enables attribute `index` as floats from the bound array buffer.
pub fn vertex_attrib(index: u32, size: i32, stride: i32, offset: usize) {
    gl::EnableVertexAttribArray(index);
    gl::VertexAttribPointer(index, size, gl::FLOAT, gl::FALSE, stride, offset as *const _);
}

/// Draws a strip that covers these normalised device coordinates through attribute 0.
#[track_caller]
pub fn rect(x0: f32, y0: f32, x1: f32, y1: f32) {
    let mut previous = 0;
    gl::GetIntegerv(gl::VERTEX_ARRAY_BINDING, &mut previous);
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    let corners = [x0, y0, x1, y0, x0, y1, x1, y1];
    let vertices = buffer(gl::ARRAY_BUFFER, &corners);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    gl::BindVertexArray(previous as u32);
    gl::DeleteVertexArrays(1, &array);
    gl::DeleteBuffers(1, &vertices);
}

/// Draws a strip that covers the whole viewport through attribute 0.
#[track_caller]
pub fn quad() {
    rect(-1.0, -1.0, 1.0, 1.0);
}

/// `glTexParameteri` with a token.
pub fn tex_parameter(target: u32, name: u32, value: u32) {
    gl::TexParameteri(target, name, value as i32);
}

/// A new one-level 2D texture, nearest filtering, left bound.
pub fn texture_2d<T: Copy>(
    internal_format: u32,
    width: i32,
    height: i32,
    format: u32,
    kind: u32,
    data: Option<&[T]>,
) -> u32 {
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    let bytes = data.map_or(std::ptr::null(), |data| data.as_ptr().cast());
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal_format, width, height, 0, format, kind, bytes);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::NEAREST);
    name
}

/// `glCheckFramebufferStatus` of the draw framebuffer.
pub fn framebuffer_status() -> u32 {
    gl::CheckFramebufferStatus(gl::DRAW_FRAMEBUFFER)
}

/// A framebuffer with one colour texture, bound for drawing and reading.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Framebuffer name.
    pub framebuffer: u32,
    /// Colour texture name.
    pub colour: u32,
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
}

impl Target {
    /// An RGBA8 target, cleared to zero, with the viewport over all of it.
    #[track_caller]
    pub fn new(width: i32, height: i32) -> Self {
        Self::with_format(gl::RGBA8, width, height)
    }

    /// A target of another colour format.
    #[track_caller]
    pub fn with_format(internal_format: u32, width: i32, height: i32) -> Self {
        let previous = super::get_i32(gl::TEXTURE_BINDING_2D);
        let colour = gen_texture();
        gl::BindTexture(gl::TEXTURE_2D, colour);
        let (format, kind) = match internal_format {
            gl::RGBA8UI | gl::RGBA32UI | gl::RGBA16UI | gl::R32UI | gl::R8UI => (gl::RGBA_INTEGER, gl::UNSIGNED_INT),
            gl::RGBA8I | gl::RGBA32I | gl::RGBA16I | gl::R32I => (gl::RGBA_INTEGER, gl::INT),
            _ => (gl::RGBA, gl::UNSIGNED_BYTE),
        };
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal_format, width, height, 0, format, kind, std::ptr::null());
        tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
        tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::NEAREST);
        gl::BindTexture(gl::TEXTURE_2D, previous as u32);
        let framebuffer = gen_framebuffer();
        gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, colour, 0);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
        let target = Self { framebuffer, colour, width, height };
        gl::Viewport(0, 0, width, height);
        if kind == gl::UNSIGNED_BYTE {
            target.clear([0.0; 4]);
        }
        target
    }

    /// Binds it for drawing and reading.
    pub fn bind(&self) {
        gl::BindFramebuffer(gl::FRAMEBUFFER, self.framebuffer);
    }

    /// Clears the colour buffer of the bound framebuffer.
    pub fn clear(&self, colour: [f32; 4]) {
        gl::ClearColor(colour[0], colour[1], colour[2], colour[3]);
        gl::Clear(gl::COLOR_BUFFER_BIT);
    }

    /// All pixels of the bound read framebuffer.
    #[track_caller]
    pub fn image(&self) -> Image {
        Image::read(0, 0, self.width, self.height)
    }

    /// Deletes the framebuffer and its texture.
    pub fn delete(self) {
        gl::DeleteFramebuffers(1, &self.framebuffer);
        gl::DeleteTextures(1, &self.colour);
    }
}

/// An RGBA8 target with a packed depth and stencil renderbuffer, all cleared (depth 1, stencil 0).
#[track_caller]
pub fn depth_stencil_target(width: i32, height: i32) -> (Target, u32) {
    let target = Target::new(width, height);
    let renderbuffer = gen_renderbuffer();
    gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::DEPTH24_STENCIL8, width, height);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::DEPTH_STENCIL_ATTACHMENT, gl::RENDERBUFFER, renderbuffer);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearDepth(1.0);
    gl::ClearStencil(0);
    gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
    (target, renderbuffer)
}
