//! The images that the passes render into.

use gallite_tests::client::{Gl, consts as gl_enum};

pub const SHADOW_SIZE: i32 = 2048;

/// A framebuffer with one colour texture.
pub struct ColorTarget {
    pub framebuffer: u32,
    pub texture: u32,
    pub width: i32,
    pub height: i32,
}

impl ColorTarget {
    pub fn new(gl: &Gl, internal: u32, width: i32, height: i32) -> Result<Self, String> {
        let texture = texture(gl, internal, width, height, gl_enum::RGBA, gl_enum::FLOAT, gl_enum::LINEAR);
        let framebuffer = Gl::one(|n, p| gl.GenFramebuffers(n, p));
        gl.BindFramebuffer(gl_enum::FRAMEBUFFER, framebuffer);
        gl.FramebufferTexture2D(gl_enum::FRAMEBUFFER, gl_enum::COLOR_ATTACHMENT0, gl_enum::TEXTURE_2D, texture, 0);
        complete(gl, "colour")?;
        Ok(Self { framebuffer, texture, width, height })
    }

    pub fn bind(&self, gl: &Gl) {
        gl.BindFramebuffer(gl_enum::FRAMEBUFFER, self.framebuffer);
        gl.Viewport(0, 0, self.width, self.height);
    }
}

/// A multisampled HDR framebuffer with depth; returns its name.
pub fn multisampled(gl: &Gl, width: i32, height: i32, samples: i32) -> Result<u32, String> {
    let framebuffer = Gl::one(|n, p| gl.GenFramebuffers(n, p));
    gl.BindFramebuffer(gl_enum::FRAMEBUFFER, framebuffer);
    for (attachment, format) in
        [(gl_enum::COLOR_ATTACHMENT0, gl_enum::RGBA16F), (gl_enum::DEPTH_ATTACHMENT, gl_enum::DEPTH_COMPONENT24)]
    {
        let renderbuffer = Gl::one(|n, p| gl.GenRenderbuffers(n, p));
        gl.BindRenderbuffer(gl_enum::RENDERBUFFER, renderbuffer);
        gl.RenderbufferStorageMultisample(gl_enum::RENDERBUFFER, samples, format, width, height);
        gl.FramebufferRenderbuffer(gl_enum::FRAMEBUFFER, attachment, gl_enum::RENDERBUFFER, renderbuffer);
    }
    complete(gl, "multisampled")?;
    Ok(framebuffer)
}

/// The shadow map: its framebuffer, and its depth texture set up for comparison.
pub fn shadow_map(gl: &Gl) -> Result<(u32, u32), String> {
    let depth = texture(
        gl,
        gl_enum::DEPTH_COMPONENT24,
        SHADOW_SIZE,
        SHADOW_SIZE,
        gl_enum::DEPTH_COMPONENT,
        gl_enum::UNSIGNED_INT,
        gl_enum::LINEAR,
    );
    gl.TexParameteri(gl_enum::TEXTURE_2D, gl_enum::TEXTURE_COMPARE_MODE, gl_enum::COMPARE_REF_TO_TEXTURE);
    gl.TexParameteri(gl_enum::TEXTURE_2D, gl_enum::TEXTURE_COMPARE_FUNC, gl_enum::LEQUAL as i32);
    let framebuffer = Gl::one(|n, p| gl.GenFramebuffers(n, p));
    gl.BindFramebuffer(gl_enum::FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(gl_enum::FRAMEBUFFER, gl_enum::DEPTH_ATTACHMENT, gl_enum::TEXTURE_2D, depth, 0);
    gl.DrawBuffer(gl_enum::NONE);
    gl.ReadBuffer(gl_enum::NONE);
    complete(gl, "shadow")?;
    Ok((framebuffer, depth))
}

fn texture(gl: &Gl, internal: u32, width: i32, height: i32, format: u32, kind: u32, filter: i32) -> u32 {
    let texture = Gl::one(|n, p| gl.GenTextures(n, p));
    gl.BindTexture(gl_enum::TEXTURE_2D, texture);
    let empty = std::ptr::null();
    gl.TexImage2D(gl_enum::TEXTURE_2D, 0, internal as i32, width, height, 0, format, kind, empty);
    for (name, value) in [
        (gl_enum::TEXTURE_MIN_FILTER, filter),
        (gl_enum::TEXTURE_MAG_FILTER, filter),
        (gl_enum::TEXTURE_WRAP_S, gl_enum::CLAMP_TO_EDGE),
        (gl_enum::TEXTURE_WRAP_T, gl_enum::CLAMP_TO_EDGE),
    ] {
        gl.TexParameteri(gl_enum::TEXTURE_2D, name, value);
    }
    texture
}

fn complete(gl: &Gl, what: &str) -> Result<(), String> {
    match gl.CheckFramebufferStatus(gl_enum::FRAMEBUFFER) {
        gl_enum::FRAMEBUFFER_COMPLETE => Ok(()),
        status => Err(format!("the {what} framebuffer is incomplete: {status:#06x}")),
    }
}
