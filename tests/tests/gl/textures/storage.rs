//! Levels that come, go, grow and are rendered to: GL 3.3 core 3.8.3 and 3.8.14, lessons 2 and 8, cases 29 and 34.

use super::{lookup, nearest, texture_image};
use gallite_tests::draw::{
    Target, expect_error, expect_near, expect_no_error, framebuffer_status, gen_framebuffer, gen_texture, quad, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): lesson_02_respecifying_a_level_keeps_the_others, lesson_08_growing_keeps_rendered_texels,
        lesson_08_a_new_size_drops_only_what_it_replaces, levels_in_any_order, a_texture_changes_its_format,
        zero_sizes_empty_a_level, rendering_to_each_level, sampling_one_level_while_rendering_another,
        feedback_through_copies, many_small_updates, rendering_between_updates, immutable_storage,
        case_29_float_depth_without_pixels, levels_of_a_cube_map_grow_face_by_face;
    every core(3, 3): case_34_deleted_textures_live_while_attached, names;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

/// One level of one grey.
fn level(target: u32, level: i32, size: i32, grey: u8) {
    let texels = vec![[grey, grey, grey, 255]; (size * size) as usize];
    gl::TexImage2D(target, level, gl::RGBA8, size, size, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
}

fn mipmapped() {
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
}

#[track_caller]
fn expect_levels(greys: &[u8]) {
    for (lod, grey) in greys.iter().enumerate() {
        let got = lookup("sampler2D", &format!("textureLod(t, vec2(0.5), {lod}.0)"))[0] * 255.0;
        assert!((got - f32::from(*grey)).abs() < 0.1, "level {lod}: {got}, expected {grey}");
    }
}

fn lesson_02_respecifying_a_level_keeps_the_others(_: &Env) {
    nearest(gl::TEXTURE_2D);
    mipmapped();
    for (at, size) in [(0, 8), (1, 4), (2, 2), (3, 1)] {
        level(gl::TEXTURE_2D, at, size, at as u8 * 50 + 10);
    }
    // Nothing has been drawn yet: all four are pending when one is replaced.
    level(gl::TEXTURE_2D, 1, 4, 200);
    expect_levels(&[10, 200, 110, 160]);
    level(gl::TEXTURE_2D, 0, 8, 220);
    expect_levels(&[220, 200, 110, 160]);
}

fn lesson_08_growing_keeps_rendered_texels(_: &Env) {
    let target = Target::new(4, 4);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    let texels = [[9_u8; 4]; 16];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    // The GPU writes over what the CPU gave.
    target.clear([100.0 / 255.0, 0.0, 0.0, 1.0]);
    level(gl::TEXTURE_2D, 1, 2, 60);
    level(gl::TEXTURE_2D, 2, 1, 30);
    mipmapped();
    expect_levels(&[100, 60, 30]);
    // And the framebuffer still reaches the level after it moved.
    target.bind();
    target.clear([150.0 / 255.0, 0.0, 0.0, 1.0]);
    expect_levels(&[150, 60, 30]);
    target.bind();
    target.image().expect_all([150, 0, 0, 255]);
}

fn lesson_08_a_new_size_drops_only_what_it_replaces(_: &Env) {
    let target = Target::new(4, 4);
    target.clear([1.0, 0.0, 0.0, 1.0]);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    level(gl::TEXTURE_2D, 1, 2, 77);
    level(gl::TEXTURE_2D, 0, 16, 33);
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 1, gl::RGBA, BYTE, 4), [[77, 77, 77, 255]; 4]);
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 256)[255], [33, 33, 33, 255]);
    // The framebuffer has the new size.
    target.bind();
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    target.clear([0.0, 0.0, 1.0, 1.0]);
    gallite_tests::draw::Image::read(0, 0, 16, 16).expect_all([0, 0, 255, 255]);
}

fn levels_in_any_order(_: &Env) {
    nearest(gl::TEXTURE_2D);
    mipmapped();
    for (at, size) in [(3, 1), (1, 4), (0, 8), (2, 2)] {
        level(gl::TEXTURE_2D, at, size, at as u8 * 50 + 10);
    }
    expect_levels(&[10, 60, 110, 160]);
    // Levels beyond the chain's end do no harm.
    level(gl::TEXTURE_2D, 4, 5, 99);
    expect_levels(&[10, 60, 110, 160]);
}

fn a_texture_changes_its_format(_: &Env) {
    nearest(gl::TEXTURE_2D);
    for (internal, format, kind) in [
        (gl::RGBA8, gl::RGBA, gl::FLOAT),
        (gl::R32F, gl::RED, gl::FLOAT),
        (gl::DEPTH_COMPONENT24, gl::DEPTH_COMPONENT, gl::FLOAT),
        (gl::RGBA16F, gl::RGBA, gl::FLOAT),
    ] {
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, format, kind, [0.5_f32; 4].as_ptr().cast());
        let got = lookup("sampler2D", "texelFetch(t, ivec2(0), 0)")[0];
        assert!((got - 0.5).abs() < 0.003, "{internal:#x}: {got}");
    }
}

fn zero_sizes_empty_a_level(_: &Env) {
    nearest(gl::TEXTURE_2D);
    level(gl::TEXTURE_2D, 0, 4, 200);
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.5))")[3], 1.0);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 4, 0, gl::RGBA, BYTE, std::ptr::null());
    expect_no_error("glTexImage2D of nothing");
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.5))"), [0.0, 0.0, 0.0, 1.0]);
}

fn rendering_to_each_level(_: &Env) {
    let texture = nearest(gl::TEXTURE_2D);
    mipmapped();
    for (at, size) in [(0, 4), (1, 2), (2, 1)] {
        gl::TexImage2D(gl::TEXTURE_2D, at, gl::RGBA8, size, size, 0, gl::RGBA, BYTE, std::ptr::null());
    }
    let framebuffer = gen_framebuffer();
    for at in 0..3 {
        gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, at);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
        gl::Viewport(0, 0, 4 >> at, 4 >> at);
        let grey = (at as f32 * 50.0 + 20.0) / 255.0;
        solid([grey, grey, grey, 1.0]);
        quad();
    }
    expect_levels(&[20, 70, 120]);
}

/// 4.4.3: no feedback as long as the sampled levels exclude the attached one.
fn sampling_one_level_while_rendering_another(_: &Env) {
    let texture = nearest(gl::TEXTURE_2D);
    mipmapped();
    level(gl::TEXTURE_2D, 0, 4, 80);
    level(gl::TEXTURE_2D, 1, 2, 0);
    level(gl::TEXTURE_2D, 2, 1, 0);
    let framebuffer = gen_framebuffer();
    let program = gallite_tests::draw::program(
        gallite_tests::draw::SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texture(t, vec2(0.5)) * 0.5; }
",
    );
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    for at in 1..3 {
        gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, at - 1);
        gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, at - 1);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, at);
        gl::Viewport(0, 0, 4 >> at, 4 >> at);
        program.bind();
        quad();
    }
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, 0);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, 1000);
    expect_levels(&[80, 40, 20]);
}

/// Ping-pong between two targets: each draw sees the one before.
fn feedback_through_copies(_: &Env) {
    let targets = [Target::new(2, 2), Target::new(2, 2)];
    targets[1].clear([10.0 / 255.0, 0.0, 0.0, 1.0]);
    let program = gallite_tests::draw::program(
        gallite_tests::draw::SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texelFetch(t, ivec2(0), 0) + vec4(10.0 / 255.0, 0.0, 0.0, 0.0); }
",
    );
    program.bind();
    for turn in 0..10 {
        let (to, from) = (targets[turn % 2], targets[1 - turn % 2]);
        to.bind();
        gl::BindTexture(gl::TEXTURE_2D, from.colour);
        quad();
    }
    targets[1].image().expect_all([110, 0, 0, 255]);
}

fn many_small_updates(_: &Env) {
    nearest(gl::TEXTURE_2D);
    level(gl::TEXTURE_2D, 0, 16, 0);
    for i in 0..256 {
        let texel = [i as u8, 255 - i as u8, 7, 255];
        gl::TexSubImage2D(gl::TEXTURE_2D, 0, i % 16, i / 16, 1, 1, gl::RGBA, BYTE, texel.as_ptr().cast());
    }
    let expected: Vec<_> = (0..256).map(|i| [i as u8, 255 - i as u8, 7, 255]).collect();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 256), expected);
}

/// Each draw samples the texel as it was when the draw was issued.
fn rendering_between_updates(_: &Env) {
    let target = Target::new(8, 1);
    let program = gallite_tests::draw::program(
        gallite_tests::draw::SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texelFetch(t, ivec2(0), 0); }
",
    );
    nearest(gl::TEXTURE_2D);
    level(gl::TEXTURE_2D, 0, 1, 0);
    program.bind();
    for i in 0..8 {
        let texel = [i as u8 * 20, 0, 0, 255];
        gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 1, 1, gl::RGBA, BYTE, texel.as_ptr().cast());
        gl::Viewport(i, 0, 1, 1);
        quad();
    }
    target.image().expect_each(|x, _| [x as u8 * 20, 0, 0, 255]);
}

/// ARB_texture_storage, where there is: all levels at once and for good.
fn immutable_storage(_: &Env) {
    gallite_tests::draw::require_extension("GL_ARB_texture_storage");
    nearest(gl::TEXTURE_2D);
    mipmapped();
    gl::TexStorage2D(gl::TEXTURE_2D, 3, gl::RGBA8, 4, 4);
    expect_no_error("glTexStorage2D");
    for at in 0..3 {
        let texels = [[at as u8 * 50 + 10; 4]; 16];
        gl::TexSubImage2D(gl::TEXTURE_2D, at, 0, 0, 4 >> at, 4 >> at, gl::RGBA, BYTE, texels.as_ptr().cast());
    }
    expect_levels(&[10, 60, 110]);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "immutable");
}

fn case_29_float_depth_without_pixels(_: &Env) {
    let target = Target::new(4, 4);
    let texture = nearest(gl::TEXTURE_2D);
    let (format, kind) = (gl::DEPTH_COMPONENT, gl::FLOAT);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT32, 4, 4, 0, format, kind, std::ptr::null());
    expect_no_error("glTexImage2D");
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D, texture, 0);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearDepth(0.25);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(3), 0)"), &[0.25, 0.0, 0.0, 1.0], 1e-6);
    target.delete();
}

fn levels_of_a_cube_map_grow_face_by_face(_: &Env) {
    nearest(gl::TEXTURE_CUBE_MAP);
    gl::TexParameteri(gl::TEXTURE_CUBE_MAP, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    for face in 0..6 {
        for (at, size) in [(0, 4), (1, 2), (2, 1)] {
            level(gl::TEXTURE_CUBE_MAP_POSITIVE_X + face, at, size, face as u8 * 40 + at as u8 * 10);
        }
    }
    for (face, direction) in ["1.0, 0.0, 0.0", "-1.0, 0.0, 0.0", "0.0, 1.0, 0.0", "0.0, -1.0, 0.0"].iter().enumerate() {
        for lod in 0..3 {
            let got = lookup("samplerCube", &format!("textureLod(t, vec3({direction}), {lod}.0)"))[0] * 255.0;
            let expected = (face * 40 + lod * 10) as f32;
            assert!((got - expected).abs() < 0.1, "face {face} level {lod}: {got}, expected {expected}");
        }
    }
}

/// 3.8.1 and appendix D: a texture attached to a framebuffer that is not bound lives on there.
fn case_34_deleted_textures_live_while_attached(env: &Env) {
    let target = Target::new(2, 2);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    gl::DeleteTextures(1, &target.colour);
    assert_eq!(gl::IsTexture(target.colour), gl::FALSE);
    target.bind();
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    if !env.lane.is_noop() {
        target.image().expect_all([0, 255, 0, 255]);
    }
    // 4.4.2: one attached to the bound framebuffer is detached.
    let other = Target::new(2, 2);
    gl::DeleteTextures(1, &other.colour);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
}

fn names(_: &Env) {
    let name = gen_texture();
    assert_eq!(gl::IsTexture(name), gl::FALSE);
    gl::BindTexture(gl::TEXTURE_2D, name);
    assert_eq!(gl::IsTexture(name), gl::TRUE);
    gl::BindTexture(gl::TEXTURE_3D, name);
    expect_error(gl::INVALID_OPERATION, "another target");
    gl::BindTexture(gl::TEXTURE_2D, 98765);
    expect_error(gl::INVALID_OPERATION, "a name that was never generated");
    gl::BindTexture(gl::TEXTURE_CUBE_MAP_POSITIVE_X, name);
    expect_error(gl::INVALID_ENUM, "a face is no target");
    gl::DeleteTextures(1, &name);
    assert_eq!(gallite_tests::draw::get_i32(gl::TEXTURE_BINDING_2D), 0);
    gl::DeleteTextures(-1, &name);
    expect_error(gl::INVALID_VALUE, "negative count");
    gl::ActiveTexture(gl::TEXTURE0 + gallite_tests::draw::get_i32(gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32);
    expect_error(gl::INVALID_ENUM, "a unit past the last");
}
