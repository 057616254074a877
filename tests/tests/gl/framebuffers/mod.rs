//! Framebuffer objects: GL 3.3 core 4.4.

pub mod attachments;
pub mod completeness;
pub mod defaults;
pub mod layered;
pub mod outputs;

use gallite_tests::draw::{gen_framebuffer, gen_renderbuffer, gen_texture};
use gallite_tests::gl;

/// A new framebuffer, bound for drawing and reading.
pub fn bound() -> u32 {
    let name = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, name);
    name
}

/// A new 2D texture of one level, attached to a point of the bound framebuffer.
pub fn attach_texture(point: u32, internal: u32, width: i32, height: i32) -> u32 {
    let (format, kind) = match internal {
        gl::DEPTH_COMPONENT16 | gl::DEPTH_COMPONENT24 | gl::DEPTH_COMPONENT32F => (gl::DEPTH_COMPONENT, gl::FLOAT),
        gl::DEPTH24_STENCIL8 => (gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8),
        gl::RGBA32UI | gl::RGBA8UI => (gl::RGBA_INTEGER, gl::UNSIGNED_INT),
        gl::RGBA32I | gl::RGBA8I => (gl::RGBA_INTEGER, gl::INT),
        _ => (gl::RGBA, gl::UNSIGNED_BYTE),
    };
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, width, height, 0, format, kind, std::ptr::null());
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST as i32);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::NEAREST as i32);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, point, gl::TEXTURE_2D, name, 0);
    name
}

/// A new renderbuffer, attached to a point of the bound framebuffer.
pub fn attach_renderbuffer(point: u32, internal: u32, samples: i32, width: i32, height: i32) -> u32 {
    let name = gen_renderbuffer();
    gl::BindRenderbuffer(gl::RENDERBUFFER, name);
    gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, samples, internal, width, height);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, point, gl::RENDERBUFFER, name);
    name
}

/// `glGetFramebufferAttachmentParameteriv` of the draw framebuffer.
pub fn attachment_parameter(point: u32, name: u32) -> i32 {
    let mut value = i32::MIN;
    gl::GetFramebufferAttachmentParameteriv(gl::DRAW_FRAMEBUFFER, point, name, &mut value);
    value
}
