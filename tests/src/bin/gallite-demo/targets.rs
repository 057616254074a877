//! The images that the passes render into.

use gallite_tests::draw::{gen_framebuffer, gen_renderbuffer, gen_texture, tex_parameter};
use gallite_tests::gl;

pub const SHADOW_SIZE: i32 = 2048;

/// A framebuffer with one colour texture.
pub struct ColorTarget {
    pub framebuffer: u32,
    pub texture: u32,
    pub width: i32,
    pub height: i32,
}

impl ColorTarget {
    pub fn new(internal: u32, width: i32, height: i32) -> Result<Self, String> {
        let texture = texture(internal, width, height, gl::RGBA, gl::FLOAT, gl::LINEAR);
        let framebuffer = gen_framebuffer();
        gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
        complete("colour")?;
        Ok(Self { framebuffer, texture, width, height })
    }

    pub fn bind(&self) {
        gl::BindFramebuffer(gl::FRAMEBUFFER, self.framebuffer);
        gl::Viewport(0, 0, self.width, self.height);
    }
}

/// A multisampled HDR framebuffer with depth; returns its name.
pub fn multisampled(width: i32, height: i32, samples: i32) -> Result<u32, String> {
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    for (attachment, format) in [(gl::COLOR_ATTACHMENT0, gl::RGBA16F), (gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24)] {
        let renderbuffer = gen_renderbuffer();
        gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
        gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, samples, format, width, height);
        gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, attachment, gl::RENDERBUFFER, renderbuffer);
    }
    complete("multisampled")?;
    Ok(framebuffer)
}

/// The shadow map: its framebuffer, and its depth texture set up for comparison.
pub fn shadow_map() -> Result<(u32, u32), String> {
    let depth =
        texture(gl::DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, gl::DEPTH_COMPONENT, gl::UNSIGNED_INT, gl::LINEAR);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_FUNC, gl::LEQUAL);
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D, depth, 0);
    gl::DrawBuffer(gl::NONE);
    gl::ReadBuffer(gl::NONE);
    complete("shadow")?;
    Ok((framebuffer, depth))
}

fn texture(internal: u32, width: i32, height: i32, format: u32, kind: u32, filter: u32) -> u32 {
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    let empty = std::ptr::null();
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, width, height, 0, format, kind, empty);
    for (name, value) in [
        (gl::TEXTURE_MIN_FILTER, filter),
        (gl::TEXTURE_MAG_FILTER, filter),
        (gl::TEXTURE_WRAP_S, gl::CLAMP_TO_EDGE),
        (gl::TEXTURE_WRAP_T, gl::CLAMP_TO_EDGE),
    ] {
        tex_parameter(gl::TEXTURE_2D, name, value);
    }
    texture
}

fn complete(what: &str) -> Result<(), String> {
    match gl::CheckFramebufferStatus(gl::FRAMEBUFFER) {
        gl::FRAMEBUFFER_COMPLETE => Ok(()),
        status => Err(format!("the {what} framebuffer is incomplete: {status:#06x}")),
    }
}
