//! Pixels read back: GL 3.3 core 4.3.1.

pub mod buffers;
pub mod decoder;
pub mod pairs;
pub mod read;
pub mod store;

use gallite_tests::draw::{Target, gen_framebuffer, gen_texture};
use gallite_tests::gl;

/// A bound framebuffer whose colour texture has these texels.
pub fn texels<T: Copy>(internal: u32, width: i32, format: u32, kind: u32, data: &[T], count: i32) -> Target {
    let colour = gen_texture();
    let height = count / width;
    gl::BindTexture(gl::TEXTURE_2D, colour);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, width, height, 0, format, kind, data.as_ptr().cast());
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, colour, 0);
    Target { framebuffer, colour, width, height }
}

/// A bound RGBA8 framebuffer of `width` x `height` pixels (4 i, 4 i + 1, 4 i + 2, 4 i + 3).
pub fn counting(width: i32, height: i32) -> Target {
    let data: Vec<u8> = (0..width * height * 4).map(|i| i as u8).collect();
    texels(gl::RGBA8, width, gl::RGBA, gl::UNSIGNED_BYTE, &data, width * height)
}
