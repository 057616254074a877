//! Stencil values as texels: GL 4.6 core 8.16 (GL_DEPTH_STENCIL_TEXTURE_MODE) and GL_STENCIL_INDEX8 textures.

use super::{lookup, lookup_uint, nearest, texture_image};
use gallite_tests::draw::{expect_error, expect_no_error, framebuffer_status, gen_framebuffer};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): either_part_of_depth_stencil, stencil_textures, rendered_stencil_is_sampled;
    every core(3, 3): the_mode;
}

const PACKED: u32 = gl::UNSIGNED_INT_24_8;

fn either_part_of_depth_stencil(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let texels = [0xffff_ff07_u32, 0x0000_00c8];
    let (internal, format) = (gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 2, 1, 0, format, PACKED, texels.as_ptr().cast());
    assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(0), 0)")[0], 1.0);
    gl::TexParameteri(gl::TEXTURE_2D, gl::DEPTH_STENCIL_TEXTURE_MODE, gl::STENCIL_INDEX as i32);
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(0, 0), 0)")[0], 7);
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(1, 0), 0)")[0], 200);
    gl::TexParameteri(gl::TEXTURE_2D, gl::DEPTH_STENCIL_TEXTURE_MODE, gl::DEPTH_COMPONENT as i32);
    assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 0)")[0], 0.0);
    expect_no_error("both parts");
}

fn stencil_textures(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    let texels = [3_u8, 250, 128];
    let (internal, format, kind) = (gl::STENCIL_INDEX8, gl::STENCIL_INDEX, gl::UNSIGNED_BYTE);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 3, 1, 0, format, kind, texels.as_ptr().cast());
    expect_no_error("a stencil texture");
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(1, 0), 0)")[0], 250);
    assert_eq!(texture_image::<u8>(gl::TEXTURE_2D, 0, format, kind, 3), texels);
}

fn rendered_stencil_is_sampled(_: &Env) {
    let name = nearest(gl::TEXTURE_2D);
    gl::TexImage2D(
        gl::TEXTURE_2D,
        0,
        gl::STENCIL_INDEX8,
        4,
        4,
        0,
        gl::STENCIL_INDEX,
        gl::UNSIGNED_BYTE,
        std::ptr::null(),
    );
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::STENCIL_ATTACHMENT, gl::TEXTURE_2D, name, 0);
    gl::DrawBuffer(gl::NONE);
    gl::ReadBuffer(gl::NONE);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearStencil(77);
    gl::Clear(gl::STENCIL_BUFFER_BIT);
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(2, 3), 0)")[0], 77);
    expect_no_error("sampling what was cleared");
}

fn the_mode(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let mut mode = 0;
    gl::GetTexParameteriv(gl::TEXTURE_2D, gl::DEPTH_STENCIL_TEXTURE_MODE, &mut mode);
    assert_eq!(mode, gl::DEPTH_COMPONENT as i32);
    gl::TexParameteri(gl::TEXTURE_2D, gl::DEPTH_STENCIL_TEXTURE_MODE, gl::RED as i32);
    expect_error(gl::INVALID_ENUM, "no mode");
}
