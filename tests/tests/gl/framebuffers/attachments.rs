//! Attaching, querying and deleting: GL 3.3 core 4.4.1 to 4.4.3 and 6.1.13.

use super::{attach_renderbuffer, attach_texture, attachment_parameter, bound};
use gallite_tests::draw::{
    Image, SOLID_VS, Target, depth_stencil_target, expect_error, expect_no_error, framebuffer_status, gen_framebuffer,
    gen_renderbuffer, gen_texture, get_i32, program, quad, solid, solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): draws_go_to_the_draw_framebuffer, every_kind_of_texture_image, renderbuffers_hold_pixels,
        depth_textures_work_as_depth_buffers, stencil_renderbuffers, mixed_sizes_share_a_rectangle,
        switching_attachments_between_draws, a_respecified_renderbuffer, lesson_01_clearing_after_rebinding,
        lesson_01_each_framebuffer_keeps_its_buffers, lesson_25_clears_of_rgb_leave_alpha_one,
        each_level_from_the_one_before;
    render pbuffer(8, 8): lesson_24_default_and_object_alternate;
    every core(3, 3): names, renderbuffer_errors, renderbuffer_queries, attach_errors, attachment_queries,
        buffer_selection_errors, deleting_unbinds;
}

const COLOR0: u32 = gl::COLOR_ATTACHMENT0;

fn draws_go_to_the_draw_framebuffer(_: &Env) {
    let (first, second) = (Target::new(4, 4), Target::new(4, 4));
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, first.framebuffer);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, second.framebuffer);
    solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    second.image().expect_all([0; 4]);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, first.framebuffer);
    first.image().expect_all([255, 0, 0, 255]);
}

/// 4.4.2: one image of each kind of texture.
fn every_kind_of_texture_image(_: &Env) {
    let null = std::ptr::null();
    let (rgba, byte) = (gl::RGBA, gl::UNSIGNED_BYTE);
    let make = |target: u32| {
        let name = gen_texture();
        gl::BindTexture(target, name);
        name
    };
    let check = |what: &str, height: i32| {
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE, "{what}");
        gl::Viewport(0, 0, 4, height);
        gl::ClearColor(0.0, 0.0, 0.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        solid([0.2, 0.4, 0.6, 0.8]);
        quad();
        Image::read(0, 0, 4, height).expect_all([51, 102, 153, 204]);
    };
    bound();
    let name = make(gl::TEXTURE_1D);
    gl::TexImage1D(gl::TEXTURE_1D, 0, gl::RGBA8, 4, 0, rgba, byte, null);
    gl::FramebufferTexture1D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_1D, name, 0);
    check("1D", 1);
    let name = make(gl::TEXTURE_1D_ARRAY);
    gl::TexImage2D(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA8, 4, 3, 0, rgba, byte, null);
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, name, 0, 2);
    check("1D array", 1);
    let name = make(gl::TEXTURE_RECTANGLE);
    gl::TexImage2D(gl::TEXTURE_RECTANGLE, 0, gl::RGBA8, 4, 4, 0, rgba, byte, null);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_RECTANGLE, name, 0);
    check("rectangle", 4);
    let name = make(gl::TEXTURE_3D);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::RGBA8, 4, 4, 4, 0, rgba, byte, null);
    for slice in [0, 3] {
        gl::FramebufferTexture3D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_3D, name, 0, slice);
        check("3D", 4);
    }
    let name = make(gl::TEXTURE_2D_ARRAY);
    gl::TexImage3D(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA8, 4, 4, 4, 0, rgba, byte, null);
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, name, 0, 3);
    check("2D array", 4);
    let name = make(gl::TEXTURE_CUBE_MAP);
    for face in gl::TEXTURE_CUBE_MAP_POSITIVE_X..=gl::TEXTURE_CUBE_MAP_NEGATIVE_Z {
        gl::TexImage2D(face, 0, gl::RGBA8, 4, 4, 0, rgba, byte, null);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, face, name, 0);
        check("cube face", 4);
    }
}

fn renderbuffers_hold_pixels(_: &Env) {
    for internal in [gl::RGBA8, gl::RGB8, gl::RGBA4, gl::RGB5_A1, gl::SRGB8_ALPHA8] {
        bound();
        attach_renderbuffer(COLOR0, internal, 0, 4, 4);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
        gl::Viewport(0, 0, 4, 4);
        solid([1.0, 0.0, 1.0, 1.0]);
        quad();
        Image::read(0, 0, 4, 4).expect_all([255, 0, 255, 255]);
    }
}

fn depth_textures_work_as_depth_buffers(_: &Env) {
    for internal in [gl::DEPTH_COMPONENT16, gl::DEPTH_COMPONENT24, gl::DEPTH_COMPONENT32F, gl::DEPTH24_STENCIL8] {
        let target = Target::new(4, 4);
        attach_texture(gl::DEPTH_ATTACHMENT, internal, 4, 4);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
        gl::Enable(gl::DEPTH_TEST);
        gl::ClearDepth(0.5);
        gl::Clear(gl::DEPTH_BUFFER_BIT);
        solid_at_depth([1.0, 0.0, 0.0, 1.0], 0.25);
        quad();
        target.image().expect_all([0; 4]);
        solid_at_depth([0.0, 1.0, 0.0, 1.0], -0.25);
        quad();
        target.image().expect_all([0, 255, 0, 255]);
        gl::Disable(gl::DEPTH_TEST);
    }
}

fn stencil_renderbuffers(_: &Env) {
    let target = Target::new(4, 4);
    attach_renderbuffer(gl::STENCIL_ATTACHMENT, gl::STENCIL_INDEX8, 0, 4, 4);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearStencil(1);
    gl::Clear(gl::STENCIL_BUFFER_BIT);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(0, 0, 2, 4);
    gl::ClearStencil(7);
    gl::Clear(gl::STENCIL_BUFFER_BIT);
    gl::Disable(gl::SCISSOR_TEST);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilFunc(gl::EQUAL, 7, 0xff);
    solid([1.0; 4]);
    quad();
    target.image().expect_rect([0, 0, 2, 4], [255; 4], [0; 4]);
}

/// 4.4.4: what all attachments have in common is drawn to.
fn mixed_sizes_share_a_rectangle(_: &Env) {
    let target = Target::new(8, 8);
    let small = attach_texture(COLOR0 + 1, gl::RGBA8, 4, 6);
    let both = [COLOR0, COLOR0 + 1];
    gl::DrawBuffers(2, both.as_ptr());
    gl::Viewport(0, 0, 8, 8);
    let program = gallite_tests::draw::program(
        gallite_tests::draw::SOLID_VS,
        "#version 330 core
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { a = vec4(1.0, 0.0, 0.0, 1.0); b = vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    program.bind();
    quad();
    target.image().expect_rect([0, 0, 4, 6], [255, 0, 0, 255], [0; 4]);
    gl::ReadBuffer(COLOR0 + 1);
    Image::read(0, 0, 4, 6).expect_all([0, 255, 0, 255]);
    // The attachment counts even when no draw buffer names it.
    gl::DrawBuffers(1, both.as_ptr());
    gl::ReadBuffer(COLOR0);
    target.clear([0.0, 0.0, 1.0, 1.0]);
    let image = target.image();
    image.expect(0, 0, [0, 0, 255, 255]);
    image.expect(3, 5, [0, 0, 255, 255]);
    gl::DeleteTextures(1, &small);
    target.clear([1.0; 4]);
    target.image().expect_all([255; 4]);
}

fn switching_attachments_between_draws(_: &Env) {
    let target = Target::new(4, 4);
    let textures: Vec<u32> = (0..4).map(|_| attach_texture(COLOR0, gl::RGBA8, 4, 4)).collect();
    for (i, texture) in textures.iter().enumerate() {
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, *texture, 0);
        solid([i as f32 / 5.0, 0.0, 0.0, 1.0]);
        quad();
    }
    for (i, texture) in textures.iter().enumerate() {
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, *texture, 0);
        target.image().expect_all([i as u8 * 51, 0, 0, 255]);
    }
}

fn a_respecified_renderbuffer(_: &Env) {
    bound();
    let name = attach_renderbuffer(COLOR0, gl::RGBA8, 0, 4, 4);
    gl::ClearColor(1.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::BindRenderbuffer(gl::RENDERBUFFER, name);
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::RGBA8, 16, 8);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearColor(0.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    Image::read(0, 0, 16, 8).expect_all([0, 255, 0, 255]);
}

/// Clears go to the framebuffer bound at that moment, whatever was bound between.
fn lesson_01_clearing_after_rebinding(_: &Env) {
    let (a, b) = (Target::new(4, 4), Target::new(4, 4));
    for turn in 0..3 {
        let grey = (turn as f32 + 1.0) * 51.0 / 255.0;
        a.bind();
        a.clear([grey, 0.0, 0.0, 1.0]);
        b.bind();
        b.clear([0.0, grey, 0.0, 1.0]);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, a.framebuffer);
        gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, b.framebuffer);
        gl::ClearBufferfv(gl::COLOR, 0, [0.0_f32, 0.0, grey, 1.0].as_ptr());
        a.image().expect_all([(turn + 1) * 51, 0, 0, 255]);
        b.bind();
        b.image().expect_all([0, 0, (turn + 1) * 51, 255]);
    }
}

fn lesson_01_each_framebuffer_keeps_its_buffers(_: &Env) {
    let a = Target::new(4, 4);
    attach_texture(COLOR0 + 1, gl::RGBA8, 4, 4);
    gl::DrawBuffers(2, [gl::NONE, COLOR0 + 1].as_ptr());
    gl::ReadBuffer(COLOR0 + 1);
    let b = Target::new(4, 4);
    assert_eq!(get_i32(gl::DRAW_BUFFER0), COLOR0 as i32);
    assert_eq!(get_i32(gl::READ_BUFFER), COLOR0 as i32);
    b.clear([1.0; 4]);
    a.bind();
    assert_eq!(get_i32(gl::DRAW_BUFFER0), gl::NONE as i32);
    assert_eq!(get_i32(gl::DRAW_BUFFER1), (COLOR0 + 1) as i32);
    a.clear([0.0, 1.0, 0.0, 1.0]);
    a.image().expect_all([0, 255, 0, 255]);
    gl::ReadBuffer(COLOR0);
    a.image().expect_all([0; 4]);
    b.bind();
    b.image().expect_all([255; 4]);
}

/// Alpha that the format lacks reads one after clears of every sort, through a view of the copy too.
fn lesson_25_clears_of_rgb_leave_alpha_one(_: &Env) {
    let target = Target::with_format(gl::RGB8, 4, 4);
    target.clear([0.2, 0.4, 0.6, 0.0]);
    target.image().expect_all([51, 102, 153, 255]);
    gl::ClearBufferfv(gl::COLOR, 0, [1.0_f32, 0.0, 0.0, 0.0].as_ptr());
    // A blit to a format with alpha.
    let copy = Target::new(4, 4);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    copy.bind();
    copy.image().expect_all([255, 0, 0, 255]);
    // Blending with the destination's alpha sees one.
    target.bind();
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::DST_ALPHA, gl::ZERO);
    solid([0.0, 1.0, 0.0, 0.0]);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
    gl::BlendFunc(gl::ONE_MINUS_DST_ALPHA, gl::ONE);
    solid([1.0, 0.0, 0.0, 0.0]);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
    // A clear of one colour of two attachments with and without alpha.
    gl::Disable(gl::BLEND);
    let pair = Target::new(4, 4);
    attach_texture(COLOR0 + 1, gl::RGB8, 4, 4);
    gl::DrawBuffers(2, [COLOR0, COLOR0 + 1].as_ptr());
    pair.clear([0.0, 0.0, 1.0, 0.0]);
    pair.image().expect_all([0, 0, 255, 0]);
    gl::ReadBuffer(COLOR0 + 1);
    pair.image().expect_all([0, 0, 255, 255]);
    let copy = Target::new(4, 4);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, pair.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    copy.bind();
    copy.image().expect_all([0, 0, 255, 255]);
}

fn lesson_24_default_and_object_alternate(_: &Env) {
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    // GL 4.6 core 9.2.3: only textures and renderbuffers have names.
    attachment_parameter(gl::BACK_LEFT, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME);
    expect_error(gl::INVALID_ENUM, "the name of a buffer of the default framebuffer");
    let corner = |colour: [f32; 4]| {
        gl::Enable(gl::SCISSOR_TEST);
        gl::Scissor(0, 0, 3, 2);
        gl::ClearColor(colour[0], colour[1], colour[2], colour[3]);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        gl::Disable(gl::SCISSOR_TEST);
    };
    gl::ClearColor(0.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    corner([1.0, 0.0, 0.0, 1.0]);
    let target = Target::new(8, 8);
    corner([0.0, 1.0, 0.0, 1.0]);
    target.image().expect_rect([0, 0, 3, 2], [0, 255, 0, 255], [0; 4]);
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    Image::read(0, 0, 8, 8).expect_rect([0, 0, 3, 2], [255, 0, 0, 255], [0, 0, 0, 255]);
    // A triangle in the lower left half lands there in both.
    for framebuffer in [0, target.framebuffer] {
        gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
        gl::Viewport(0, 0, 8, 8);
        gl::ClearColor(0.0, 0.0, 0.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        solid([1.0; 4]);
        gallite_tests::draw::rect(-1.0, -1.0, 0.0, -0.5);
        Image::read(0, 0, 8, 8).expect_rect([0, 0, 4, 2], [255; 4], [0, 0, 0, 255]);
    }
}

fn names(_: &Env) {
    let name = gen_framebuffer();
    assert_eq!(gl::IsFramebuffer(name), gl::FALSE);
    gl::BindFramebuffer(gl::FRAMEBUFFER, name);
    assert_eq!(gl::IsFramebuffer(name), gl::TRUE);
    assert_eq!(get_i32(gl::DRAW_FRAMEBUFFER_BINDING), name as i32);
    assert_eq!(get_i32(gl::READ_FRAMEBUFFER_BINDING), name as i32);
    gl::BindFramebuffer(gl::FRAMEBUFFER, 777);
    expect_error(gl::INVALID_OPERATION, "a name that was never generated");
    gl::BindFramebuffer(gl::RENDERBUFFER, name);
    expect_error(gl::INVALID_ENUM, "target");
    gl::CheckFramebufferStatus(gl::RENDERBUFFER);
    expect_error(gl::INVALID_ENUM, "target");
}

fn renderbuffer_errors(_: &Env) {
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::RGBA8, 4, 4);
    expect_error(gl::INVALID_OPERATION, "none bound");
    gl::BindRenderbuffer(gl::RENDERBUFFER, gen_renderbuffer());
    gl::BindRenderbuffer(gl::TEXTURE_2D, 0);
    expect_error(gl::INVALID_ENUM, "target");
    let storage = |samples: i32, internal: u32, width: i32| {
        gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, samples, internal, width, 4);
        gl::GetError()
    };
    assert_eq!(storage(0, gl::RGB9_E5 + 0x9000, 4), gl::INVALID_ENUM, "no format");
    assert_eq!(storage(0, gl::COMPRESSED_RED_RGTC1, 4), gl::INVALID_ENUM, "not renderable");
    assert_eq!(storage(0, gl::RGBA8, -1), gl::INVALID_VALUE, "negative");
    assert_eq!(storage(0, gl::RGBA8, get_i32(gl::MAX_RENDERBUFFER_SIZE) + 1), gl::INVALID_VALUE, "too wide");
    let too_many = storage(get_i32(gl::MAX_SAMPLES) + 1, gl::RGBA8, 4);
    assert!(matches!(too_many, gl::INVALID_VALUE | gl::INVALID_OPERATION), "{too_many:#x}");
    assert_eq!(storage(-1, gl::RGBA8, 4), gl::INVALID_VALUE, "negative samples");
}

fn renderbuffer_queries(_: &Env) {
    gl::BindRenderbuffer(gl::RENDERBUFFER, gen_renderbuffer());
    let get = |name: u32| {
        let mut value = i32::MIN;
        gl::GetRenderbufferParameteriv(gl::RENDERBUFFER, name, &mut value);
        value
    };
    assert_eq!(get(gl::RENDERBUFFER_INTERNAL_FORMAT), gl::RGBA as i32);
    assert_eq!(get(gl::RENDERBUFFER_WIDTH), 0);
    gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, 2, gl::RGB5_A1, 7, 9);
    assert_eq!([get(gl::RENDERBUFFER_WIDTH), get(gl::RENDERBUFFER_HEIGHT)], [7, 9]);
    assert_eq!(get(gl::RENDERBUFFER_INTERNAL_FORMAT), gl::RGB5_A1 as i32);
    assert!(get(gl::RENDERBUFFER_SAMPLES) >= 2);
    assert!(get(gl::RENDERBUFFER_RED_SIZE) >= 5 && get(gl::RENDERBUFFER_ALPHA_SIZE) >= 1);
    assert_eq!(get(gl::RENDERBUFFER_DEPTH_SIZE), 0);
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::DEPTH24_STENCIL8, 7, 9);
    assert_eq!([get(gl::RENDERBUFFER_DEPTH_SIZE), get(gl::RENDERBUFFER_STENCIL_SIZE)], [24, 8]);
    assert_eq!([get(gl::RENDERBUFFER_RED_SIZE), get(gl::RENDERBUFFER_SAMPLES)], [0, 0]);
    get(gl::TEXTURE_WIDTH);
    expect_error(gl::INVALID_ENUM, "parameter");
}

fn attach_errors(_: &Env) {
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, texture, 0);
    expect_error(gl::INVALID_OPERATION, "the default framebuffer");
    bound();
    let attach = |target: u32, point: u32, kind: u32, name: u32, level: i32| {
        gl::FramebufferTexture2D(target, point, kind, name, level);
        gl::GetError()
    };
    assert_eq!(attach(gl::RENDERBUFFER, COLOR0, gl::TEXTURE_2D, texture, 0), gl::INVALID_ENUM, "target");
    assert_eq!(attach(gl::FRAMEBUFFER, gl::BACK, gl::TEXTURE_2D, texture, 0), gl::INVALID_ENUM, "point");
    let past = COLOR0 + get_i32(gl::MAX_COLOR_ATTACHMENTS) as u32;
    assert_eq!(attach(gl::FRAMEBUFFER, past, gl::TEXTURE_2D, texture, 0), gl::INVALID_OPERATION, "past the last");
    assert_eq!(attach(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, 4321, 0), gl::INVALID_OPERATION, "no texture");
    assert_eq!(attach(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_RECTANGLE, texture, 0), gl::INVALID_OPERATION, "kind");
    assert_eq!(attach(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, texture, -1), gl::INVALID_VALUE, "level");
    assert_eq!(attach(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, texture, 40), gl::INVALID_VALUE, "level");
    // No such target, 0 included.
    for kind in [gl::TEXTURE_3D, gl::TEXTURE_CUBE_MAP, 0] {
        let error = attach(gl::FRAMEBUFFER, COLOR0, kind, texture, 0);
        assert!(matches!(error, gl::INVALID_ENUM | gl::INVALID_OPERATION), "textarget {kind:#x}: {error:#x}");
    }
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, texture, 0, 0);
    expect_error(gl::INVALID_OPERATION, "a texture without layers");
    let array = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, array);
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, array, 0, -1);
    expect_error(gl::INVALID_VALUE, "negative layer");
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, array, 0, get_i32(gl::MAX_ARRAY_TEXTURE_LAYERS));
    expect_error(gl::INVALID_VALUE, "layer past the limit");
    gl::FramebufferTexture(gl::FRAMEBUFFER, COLOR0, 4321, 0);
    let error = gl::GetError();
    assert!(matches!(error, gl::INVALID_VALUE | gl::INVALID_OPERATION), "no texture: {error:#x}");
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, 0);
    expect_error(gl::INVALID_ENUM, "renderbuffer target");
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, COLOR0, gl::RENDERBUFFER, 4321);
    expect_error(gl::INVALID_OPERATION, "no renderbuffer");
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "nothing was attached");
}

/// Table 6.24.
fn attachment_queries(_: &Env) {
    bound();
    let get = attachment_parameter;
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), gl::NONE as i32);
    get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL);
    expect_error(gl::INVALID_OPERATION, "nothing attached");
    let texture = attach_texture(COLOR0, gl::SRGB8_ALPHA8, 4, 4);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), gl::TEXTURE as i32);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), texture as i32);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL), 0);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_LAYERED), 0);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_RED_SIZE), 8);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE), 0);
    assert_eq!(get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING), gl::SRGB as i32);
    let kind = get(COLOR0, gl::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE);
    assert_eq!(kind, gl::UNSIGNED_NORMALIZED as i32);
    let name = attach_renderbuffer(gl::DEPTH_STENCIL_ATTACHMENT, gl::DEPTH24_STENCIL8, 0, 4, 4);
    for point in [gl::DEPTH_ATTACHMENT, gl::STENCIL_ATTACHMENT, gl::DEPTH_STENCIL_ATTACHMENT] {
        assert_eq!(get(point, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), gl::RENDERBUFFER as i32);
        assert_eq!(get(point, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), name as i32);
    }
    assert_eq!(get(gl::DEPTH_ATTACHMENT, gl::FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE), 24);
    assert_eq!(get(gl::STENCIL_ATTACHMENT, gl::FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE), 8);
    get(gl::DEPTH_ATTACHMENT, gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL);
    expect_error(gl::INVALID_ENUM, "a renderbuffer has no level");
    let cube = gen_texture();
    gl::BindTexture(gl::TEXTURE_CUBE_MAP, cube);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0 + 1, gl::TEXTURE_CUBE_MAP_NEGATIVE_Y, cube, 2);
    let face = get(COLOR0 + 1, gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE);
    assert_eq!(face, gl::TEXTURE_CUBE_MAP_NEGATIVE_Y as i32);
    assert_eq!(get(COLOR0 + 1, gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL), 2);
    let volume = gen_texture();
    gl::BindTexture(gl::TEXTURE_3D, volume);
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0 + 2, volume, 1, 5);
    assert_eq!(get(COLOR0 + 2, gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER), 5);
    gl::FramebufferTexture(gl::FRAMEBUFFER, COLOR0 + 2, volume, 1);
    assert_eq!(get(COLOR0 + 2, gl::FRAMEBUFFER_ATTACHMENT_LAYERED), 1);
    expect_no_error("queries");
    get(gl::BACK, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
    let error = gl::GetError();
    assert!(matches!(error, gl::INVALID_ENUM | gl::INVALID_OPERATION), "a window's buffer: {error:#x}");
}

fn buffer_selection_errors(_: &Env) {
    bound();
    gl::DrawBuffer(gl::BACK);
    expect_error(gl::INVALID_OPERATION, "a window's buffer");
    gl::DrawBuffer(gl::RGBA);
    expect_error(gl::INVALID_ENUM, "no buffer");
    gl::DrawBuffer(COLOR0 + get_i32(gl::MAX_COLOR_ATTACHMENTS) as u32);
    expect_error(gl::INVALID_OPERATION, "past the last");
    gl::DrawBuffers(2, [COLOR0, COLOR0].as_ptr());
    expect_error(gl::INVALID_OPERATION, "twice");
    gl::DrawBuffers(1, [gl::BACK].as_ptr());
    let error = gl::GetError();
    assert!(matches!(error, gl::INVALID_ENUM | gl::INVALID_OPERATION), "a window's buffer: {error:#x}");
    gl::DrawBuffers(-1, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "negative");
    gl::DrawBuffers(get_i32(gl::MAX_DRAW_BUFFERS) + 1, [gl::NONE; 64].as_ptr());
    expect_error(gl::INVALID_VALUE, "too many");
    gl::ReadBuffer(gl::FRONT);
    expect_error(gl::INVALID_OPERATION, "a window's buffer");
    gl::ReadBuffer(gl::RGBA);
    expect_error(gl::INVALID_ENUM, "no buffer");
    assert_eq!(get_i32(gl::DRAW_BUFFER0), COLOR0 as i32, "nothing changed");
}

fn deleting_unbinds(_: &Env) {
    let name = bound();
    gl::DeleteFramebuffers(1, &name);
    assert_eq!(get_i32(gl::DRAW_FRAMEBUFFER_BINDING), 0);
    assert_eq!(get_i32(gl::READ_FRAMEBUFFER_BINDING), 0);
    let (_target, renderbuffer) = depth_stencil_target(4, 4);
    gl::DeleteRenderbuffers(1, &renderbuffer);
    assert_eq!(get_i32(gl::RENDERBUFFER_BINDING), 0);
    let kind = attachment_parameter(gl::DEPTH_ATTACHMENT, gl::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
    assert_eq!(kind, gl::NONE as i32);
    gl::DeleteFramebuffers(-1, &name);
    expect_error(gl::INVALID_VALUE, "negative count");
}

/// Each level is drawn from the one before, with the base and maximum level keeping the sampled range apart from it, as
/// programs that make their own mipmaps do. Desktop implementations have always taken such a framebuffer for complete,
/// although the attached level is outside of the range (GL 4.6 core 9.4.1 would have it between base and maximum).
fn each_level_from_the_one_before(_: &Env) {
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::NEAREST as i32);
    let base: Vec<[u8; 4]> = (0..64).map(|i| [i % 8 * 16, i / 8 * 16, 0, 255]).collect();
    for level in 0..4 {
        let pixels = if level == 0 { base.as_ptr().cast() } else { std::ptr::null() };
        let size = 8 >> level;
        gl::TexImage2D(gl::TEXTURE_2D, level, gl::RGBA8, size, size, 0, gl::RGBA, gl::UNSIGNED_BYTE, pixels);
    }
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy) * 2, 0) + vec4(0.0, 0.0, 32.0 / 255.0, 0.0); }
",
    );
    for level in 1..4 {
        gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, level - 1);
        gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, level - 1);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, texture, level);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE, "level {level}");
        gl::Viewport(0, 0, 8 >> level, 8 >> level);
        quad();
    }
    for level in 1..4_u8 {
        let size = 8_i32 >> level;
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D, texture, level.into());
        let texel = |at: i32| (at << level) as u8 * 16;
        Image::read(0, 0, size, size).expect_each(|x, y| [texel(x), texel(y), level * 32, 255]);
    }
}
