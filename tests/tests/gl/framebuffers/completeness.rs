//! Framebuffer completeness: GL 3.3 core 4.4.4.

use super::{attach_renderbuffer, attach_texture, bound};
use gallite_tests::draw::{expect_error, expect_no_error, framebuffer_status, gen_renderbuffer, gen_texture, get_i32};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): nothing_attached, a_texture_without_image, empty_images, formats_at_the_wrong_point,
        formats_that_must_work, sizes_may_differ, samples_must_agree, layered_with_layered_only,
        layered_targets_must_agree, layered_cube_maps_need_equal_faces, layers_have_a_limit, layers_that_do_not_exist,
        depth_and_stencil_of_one_image, incomplete_framebuffers_refuse_work, becoming_complete_and_back,
        no_surface_is_undefined;
}

const COLOR0: u32 = gl::COLOR_ATTACHMENT0;

#[track_caller]
fn expect(status: u32, what: &str) {
    let got = framebuffer_status();
    assert_eq!(got, status, "{what}: {got:#x}, expected {status:#x}");
    expect_no_error(what);
}

fn nothing_attached(_: &Env) {
    bound();
    expect(gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "empty");
    let texture = attach_texture(COLOR0, gl::RGBA8, 4, 4);
    expect(gl::FRAMEBUFFER_COMPLETE, "one colour");
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, 0, 0);
    expect(gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "detached");
    gl::DeleteTextures(1, &texture);
}

fn a_texture_without_image(_: &Env) {
    bound();
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, texture, 0);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "no image");
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::RGBA8, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "another level");
    bound();
    let renderbuffer = gen_renderbuffer();
    gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, COLOR0, gl::RENDERBUFFER, renderbuffer);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "no storage");
}

fn empty_images(_: &Env) {
    bound();
    attach_texture(COLOR0, gl::RGBA8, 0, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "an empty texture");
    bound();
    attach_renderbuffer(COLOR0, gl::RGBA8, 0, 4, 0);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "an empty renderbuffer");
}

fn formats_at_the_wrong_point(_: &Env) {
    bound();
    attach_texture(COLOR0, gl::DEPTH_COMPONENT24, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "depth as colour");
    bound();
    attach_texture(gl::DEPTH_ATTACHMENT, gl::RGBA8, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "colour as depth");
    bound();
    attach_texture(gl::STENCIL_ATTACHMENT, gl::DEPTH_COMPONENT24, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "depth as stencil");
    bound();
    attach_texture(COLOR0, gl::RGB9_E5, 4, 4);
    let status = framebuffer_status();
    assert_ne!(status, gl::FRAMEBUFFER_UNDEFINED);
    bound();
    attach_texture(COLOR0, gl::COMPRESSED_RED_RGTC1, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "a compressed format");
}

/// 4.4.4, "Required Framebuffer Formats": those of table 3.12 that are required for renderbuffers.
fn formats_that_must_work(_: &Env) {
    for internal in [
        gl::RGBA8,
        gl::RGB8,
        gl::RG8,
        gl::R8,
        gl::RGBA16,
        gl::RGBA16F,
        gl::RGBA32F,
        gl::RG16F,
        gl::RG32F,
        gl::R16F,
        gl::R32F,
        gl::R11F_G11F_B10F,
        gl::SRGB8_ALPHA8,
        gl::RGB10_A2,
        gl::RGB10_A2UI,
        gl::RGBA8I,
        gl::RGBA8UI,
        gl::RGBA16I,
        gl::RGBA16UI,
        gl::RGBA32I,
        gl::RGBA32UI,
        gl::RG8I,
        gl::RG16UI,
        gl::R8UI,
        gl::R16I,
        gl::R32I,
        gl::R32UI,
    ] {
        bound();
        attach_renderbuffer(COLOR0, internal, 0, 4, 4);
        expect(gl::FRAMEBUFFER_COMPLETE, &format!("renderbuffer {internal:#x}"));
    }
    for internal in [gl::DEPTH_COMPONENT16, gl::DEPTH_COMPONENT24, gl::DEPTH_COMPONENT32F] {
        bound();
        attach_renderbuffer(gl::DEPTH_ATTACHMENT, internal, 0, 4, 4);
        expect(gl::FRAMEBUFFER_COMPLETE, &format!("renderbuffer {internal:#x}"));
    }
    for internal in [gl::DEPTH24_STENCIL8, gl::DEPTH32F_STENCIL8] {
        bound();
        attach_renderbuffer(gl::DEPTH_STENCIL_ATTACHMENT, internal, 0, 4, 4);
        expect(gl::FRAMEBUFFER_COMPLETE, &format!("renderbuffer {internal:#x}"));
    }
    bound();
    attach_renderbuffer(gl::STENCIL_ATTACHMENT, gl::STENCIL_INDEX8, 0, 4, 4);
    expect(gl::FRAMEBUFFER_COMPLETE, "stencil alone");
}

/// 4.4.4: since 3.0 attachments may differ in size and format.
fn sizes_may_differ(_: &Env) {
    bound();
    attach_texture(COLOR0, gl::RGBA8, 4, 4);
    attach_texture(COLOR0 + 1, gl::RGBA16F, 9, 3);
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 0, 16, 16);
    expect(gl::FRAMEBUFFER_COMPLETE, "three sizes");
}

fn samples_must_agree(_: &Env) {
    bound();
    attach_renderbuffer(COLOR0, gl::RGBA8, 4, 4, 4);
    expect(gl::FRAMEBUFFER_COMPLETE, "four samples");
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 0, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE, "four and none");
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 4, 4, 4);
    expect(gl::FRAMEBUFFER_COMPLETE, "four and four");
    attach_texture(COLOR0 + 1, gl::RGBA8, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE, "a plain texture too");
    // 4.4.4: sample locations that are not fixed don't go with those of a renderbuffer.
    bound();
    attach_renderbuffer(COLOR0, gl::RGBA8, 4, 4, 4);
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, texture);
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, gl::RGBA8, 4, 4, gl::FALSE);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0 + 1, gl::TEXTURE_2D_MULTISAMPLE, texture, 0);
    expect(gl::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE, "free locations beside fixed ones");
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, gl::RGBA8, 4, 4, gl::TRUE);
    expect(gl::FRAMEBUFFER_COMPLETE, "fixed locations");
}

/// A layered attachment of a new array texture.
fn attach_layers(point: u32, target: u32, internal: u32, layers: i32) -> u32 {
    let depth = internal == gl::DEPTH_COMPONENT24;
    let (format, kind) = if depth { (gl::DEPTH_COMPONENT, gl::FLOAT) } else { (gl::RGBA, gl::UNSIGNED_BYTE) };
    let texture = gen_texture();
    gl::BindTexture(target, texture);
    gl::TexImage3D(target, 0, internal, 4, 4, layers, 0, format, kind, std::ptr::null());
    gl::FramebufferTexture(gl::FRAMEBUFFER, point, texture, 0);
    texture
}

fn layered_with_layered_only(_: &Env) {
    bound();
    attach_layers(COLOR0, gl::TEXTURE_2D_ARRAY, gl::RGBA8, 3);
    expect(gl::FRAMEBUFFER_COMPLETE, "layers");
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 0, 4, 4);
    expect(gl::FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS, "layers and one image");
    attach_layers(gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D_ARRAY, gl::DEPTH_COMPONENT24, 5);
    expect(gl::FRAMEBUFFER_COMPLETE, "layer counts may differ");
}

fn layered_targets_must_agree(_: &Env) {
    bound();
    attach_layers(COLOR0, gl::TEXTURE_2D_ARRAY, gl::RGBA8, 3);
    attach_layers(COLOR0 + 1, gl::TEXTURE_3D, gl::RGBA8, 3);
    expect(gl::FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS, "array and 3D");
    attach_layers(COLOR0 + 1, gl::TEXTURE_2D_ARRAY, gl::RGBA8, 2);
    expect(gl::FRAMEBUFFER_COMPLETE, "two arrays");
}

fn layered_cube_maps_need_equal_faces(_: &Env) {
    bound();
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_CUBE_MAP, texture);
    let face = |face: u32, size: i32| {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::TexImage2D(target, 0, gl::RGBA8, size, size, 0, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
    };
    for i in 0..5 {
        face(i, 4);
    }
    gl::FramebufferTexture(gl::FRAMEBUFFER, COLOR0, texture, 0);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "five faces");
    face(5, 8);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "a larger face");
    face(5, 4);
    expect(gl::FRAMEBUFFER_COMPLETE, "six faces");
}

/// 9.4.1: a layered image has at most GL_MAX_FRAMEBUFFER_LAYERS layers.
fn layers_have_a_limit(_: &Env) {
    let most = get_i32(gl::MAX_FRAMEBUFFER_LAYERS);
    for (target, limit) in
        [(gl::TEXTURE_3D, gl::MAX_3D_TEXTURE_SIZE), (gl::TEXTURE_2D_ARRAY, gl::MAX_ARRAY_TEXTURE_LAYERS)]
    {
        for layers in [most, most + 1].into_iter().filter(|layers| *layers <= get_i32(limit)) {
            bound();
            let texture = gen_texture();
            gl::BindTexture(target, texture);
            let (format, kind) = (gl::RGBA, gl::UNSIGNED_BYTE);
            gl::TexImage3D(target, 0, gl::RGBA8, 1, 1, layers, 0, format, kind, std::ptr::null());
            gl::FramebufferTexture(gl::FRAMEBUFFER, COLOR0, texture, 0);
            let status = if layers > most { gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT } else { gl::FRAMEBUFFER_COMPLETE };
            expect(status, &format!("{layers} layers of {target:#x}"));
            gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, texture, 0, layers - 1);
            expect(gl::FRAMEBUFFER_COMPLETE, "one of them");
            gl::DeleteTextures(1, &texture);
        }
    }
}

fn layers_that_do_not_exist(_: &Env) {
    bound();
    let texture = attach_layers(COLOR0, gl::TEXTURE_3D, gl::RGBA8, 3);
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, texture, 0, 2);
    expect(gl::FRAMEBUFFER_COMPLETE, "the last slice");
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, texture, 0, 3);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "one past the last slice");
}

/// 4.4.4: different images may be UNSUPPORTED, never anything else; one image always works.
fn depth_and_stencil_of_one_image(_: &Env) {
    bound();
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 0, 4, 4);
    attach_renderbuffer(gl::STENCIL_ATTACHMENT, gl::STENCIL_INDEX8, 0, 4, 4);
    let status = framebuffer_status();
    assert!(matches!(status, gl::FRAMEBUFFER_COMPLETE | gl::FRAMEBUFFER_UNSUPPORTED), "{status:#x}");
    bound();
    let both = attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH24_STENCIL8, 0, 4, 4);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::STENCIL_ATTACHMENT, gl::RENDERBUFFER, both);
    expect(gl::FRAMEBUFFER_COMPLETE, "attached one after the other");
}

fn incomplete_framebuffers_refuse_work(_: &Env) {
    bound();
    gl::Clear(gl::COLOR_BUFFER_BIT);
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "glClear");
    gl::ClearBufferfv(gl::COLOR, 0, [0.0_f32; 4].as_ptr());
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "glClearBufferfv");
    gallite_tests::draw::solid([1.0; 4]);
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "glDrawArrays");
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, [0_u8; 4].as_mut_ptr().cast());
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "glReadPixels");
    gl::BlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "glBlitFramebuffer");
}

fn becoming_complete_and_back(_: &Env) {
    bound();
    let texture = attach_texture(COLOR0, gl::RGBA8, 4, 4);
    expect(gl::FRAMEBUFFER_COMPLETE, "at first");
    let null = std::ptr::null();
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 0, 0, gl::RGBA, gl::UNSIGNED_BYTE, null);
    expect(gl::FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "emptied");
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA16F, 8, 8, 0, gl::RGBA, gl::UNSIGNED_BYTE, null);
    expect(gl::FRAMEBUFFER_COMPLETE, "another size and format");
    gl::DeleteTextures(1, &texture);
    expect(gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "deleted");
}

/// 4.4.4: without a surface the default framebuffer does not exist.
fn no_surface_is_undefined(_: &Env) {
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    expect(gl::FRAMEBUFFER_UNDEFINED, "no surface");
    gl::Clear(gl::COLOR_BUFFER_BIT);
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "glClear");
}
