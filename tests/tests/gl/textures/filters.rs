//! Wrapping, filtering, levels of detail, swizzles and comparison: GL 3.3 core 3.8.8 to 3.8.17.

use super::{lookup, lookup_int, lookup_uint, nearest};
use gallite_tests::draw::{Target, expect_near, program, quad};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): wrap_modes, border_colours, integer_border_colours, linear_filtering, the_filter_follows_the_scale,
        explicit_levels, level_range, lod_range_and_bias, trilinear, swizzles, depth_comparison,
        comparison_is_filtered, depth_reads_plainly_without_comparison, incomplete_textures_are_black,
        base_level_alone_is_complete, seamless_cube_edges, gradients_choose_the_level;
}

fn parameter(target: u32, name: u32, value: u32) {
    gl::TexParameteri(target, name, value as i32);
}

/// A row of grey texels in red, nearest.
fn row(texels: &[u8]) {
    nearest(gl::TEXTURE_2D);
    let (width, data) = (texels.len() as i32, texels.as_ptr().cast());
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, width, 1, 0, gl::RED, gl::UNSIGNED_BYTE, data);
}

#[track_caller]
fn red_at(s: f32) -> f32 {
    lookup("sampler2D", &format!("texture(t, vec2({s:?}, 0.5))"))[0] * 255.0
}

#[track_caller]
fn expect_reds(places: &[(f32, f32)]) {
    for (s, expected) in places {
        let got = red_at(*s);
        assert!((got - expected).abs() < 0.01, "at s = {s}: {got}, expected {expected}");
    }
}

/// 3.8.11: texels 10, 20, 30, 40 seen from outside of [0, 1].
fn wrap_modes(_: &Env) {
    row(&[10, 20, 30, 40]);
    expect_reds(&[(-0.1, 10.0), (1.1, 40.0), (5.0, 40.0)]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::REPEAT);
    expect_reds(&[(-0.1, 40.0), (1.1, 10.0), (-1.4, 30.0), (2.9, 40.0)]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::MIRRORED_REPEAT);
    expect_reds(&[(-0.1, 10.0), (-0.4, 20.0), (1.1, 40.0), (1.4, 30.0), (2.1, 10.0)]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
    gl::TexParameterfv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, [0.4_f32, 0.0, 0.0, 0.0].as_ptr());
    expect_reds(&[(-0.1, 102.0), (0.1, 10.0), (0.9, 40.0), (1.1, 102.0)]);
    // Each coordinate has a mode of its own.
    nearest(gl::TEXTURE_2D);
    let texels = [1_u8, 2, 3, 4];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 2, 2, 0, gl::RED, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_T, gl::REPEAT);
    let red = lookup("sampler2D", "texture(t, vec2(1.2, 1.2))")[0] * 255.0;
    assert!((red - 2.0).abs() < 0.01, "{red}");
}

/// 3.8.10: the border's components are those of the texture's format.
fn border_colours(_: &Env) {
    let border = [0.2_f32, 0.4, 0.6, 0.8];
    for (internal, expected) in [
        (gl::RGBA8, [0.2, 0.4, 0.6, 0.8]),
        (gl::RGB8, [0.2, 0.4, 0.6, 1.0]),
        (gl::RG8, [0.2, 0.4, 0.0, 1.0]),
        (gl::R8, [0.2, 0.0, 0.0, 1.0]),
    ] {
        nearest(gl::TEXTURE_2D);
        let texels = [[0_u8; 4]; 4];
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 2, 2, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
        parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
        gl::TexParameterfv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, border.as_ptr());
        expect_near(&lookup("sampler2D", "texture(t, vec2(-0.5, 0.5))"), &expected, 0.003);
    }
    // A comparison takes the border's depth: 0.75 is not less than 0.5.
    nearest(gl::TEXTURE_2D);
    let depths = [0.0_f32; 4];
    let (format, kind) = (gl::DEPTH_COMPONENT, gl::FLOAT);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT32F, 2, 2, 0, format, kind, depths.as_ptr().cast());
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
    gl::TexParameterfv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, [0.5_f32, 0.0, 0.0, 0.0].as_ptr());
    expect_near(&lookup("sampler2D", "texture(t, vec2(-0.5, 0.5))"), &[0.5, 0.0, 0.0, 1.0], 1e-6);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_FUNC, gl::LESS);
    assert_eq!(lookup("sampler2DShadow", "texture(t, vec3(-0.5, 0.5, 0.75))")[0], 0.0);
    assert_eq!(lookup("sampler2DShadow", "texture(t, vec3(-0.5, 0.5, 0.25))")[0], 1.0);
}

fn integer_border_colours(_: &Env) {
    let texels = [[1_i32; 4]; 4];
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA16I, 2, 2, 0, gl::RGBA_INTEGER, gl::INT, texels.as_ptr().cast());
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
    gl::TexParameterIiv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, [-5_i32, 6, -700, 8].as_ptr());
    assert_eq!(lookup_int("isampler2D", "texture(t, vec2(1.5, 0.5))"), [-5, 6, -700, 8]);
    nearest(gl::TEXTURE_2D);
    let (format, kind) = (gl::RGBA_INTEGER, gl::UNSIGNED_INT);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA32UI, 2, 2, 0, format, kind, texels.as_ptr().cast());
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
    gl::TexParameterIuiv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, [5_u32, 0x8000_0000, 7, 8].as_ptr());
    assert_eq!(lookup_uint("usampler2D", "texture(t, vec2(1.5, 0.5))"), [5, 0x8000_0000, 7, 8]);
}

/// 3.8.11: weights are the distances to the texel centres.
fn linear_filtering(_: &Env) {
    row(&[0, 100, 200, 100]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::LINEAR);
    let near = |s: f32, expected: f32| {
        let got = red_at(s);
        assert!((got - expected).abs() < 1.0, "at {s}: {got}, expected {expected}");
    };
    near(0.125, 0.0);
    near(0.25, 50.0);
    near(0.375, 100.0);
    near(0.4375, 125.0);
    near(0.5, 150.0);
    near(0.0, 0.0);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::REPEAT);
    near(0.0, 50.0);
    near(1.0, 50.0);
}

/// 3.8.11: magnified by MAG_FILTER, minified by MIN_FILTER.
fn the_filter_follows_the_scale(_: &Env) {
    let program = program(
        "#version 330 core
layout(location = 0) in vec4 position;
out vec2 place;
void main() { gl_Position = position; place = position.xy * 0.5 + 0.5; }
",
        "#version 330 core
in vec2 place;
uniform sampler2D t;
uniform float scale;
out vec4 result;
void main() { result = texture(t, place * scale); }
",
    );
    nearest(gl::TEXTURE_2D);
    let texels: Vec<u8> = (0..64).map(|i| if (i % 8 + i / 8) % 2 == 0 { 255 } else { 0 }).collect();
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 8, 8, 0, gl::RED, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR);
    let target = Target::new(16, 16);
    program.bind();
    // Sixteen pixels over eight texels magnify: no grey.
    program.set1f("scale", 1.0);
    quad();
    target.image().expect_each(|x, y| [if (x / 2 + y / 2) % 2 == 0 { 255 } else { 0 }, 0, 0, 255]);
    // Four pixels over eight texels minify: each is the mean of two dark and two bright texels.
    gl::Viewport(0, 0, 4, 4);
    quad();
    let image = target.image();
    for (x, y) in [(0, 0), (1, 2), (3, 3)] {
        assert!(image.at(x, y)[0].abs_diff(128) <= 1, "{:?}", image.at(x, y));
    }
}

/// Three levels, each of one grey: 40, 80, 120.
fn three_levels() {
    nearest(gl::TEXTURE_2D);
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    for (level, size) in [(0, 4), (1, 2), (2, 1)] {
        let texels = vec![(level as u8 + 1) * 40; (size * size) as usize];
        let data = texels.as_ptr().cast();
        gl::TexImage2D(gl::TEXTURE_2D, level, gl::R8, size, size, 0, gl::RED, gl::UNSIGNED_BYTE, data);
    }
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST);
}

#[track_caller]
fn expect_lods(cases: &[(f32, f32)]) {
    for (lod, expected) in cases {
        let got = lookup("sampler2D", &format!("textureLod(t, vec2(0.5), {lod:?})"))[0] * 255.0;
        assert!((got - expected).abs() < 0.6, "lod {lod}: {got}, expected {expected}");
    }
}

fn explicit_levels(_: &Env) {
    three_levels();
    expect_lods(&[(-3.0, 40.0), (0.0, 40.0), (0.4, 40.0), (0.6, 80.0), (1.0, 80.0), (1.6, 120.0), (2.0, 120.0)]);
    expect_lods(&[(9.0, 120.0)]);
    let got = lookup("sampler2D", "texelFetch(t, ivec2(1, 1), 1)")[0] * 255.0;
    assert!((got - 80.0).abs() < 0.01);
}

/// 3.8.11 and 3.8.14: levels are counted from BASE_LEVEL and end at MAX_LEVEL.
fn level_range(_: &Env) {
    three_levels();
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, 1);
    expect_lods(&[(0.0, 80.0), (1.0, 120.0), (5.0, 120.0)]);
    assert_eq!(lookup("sampler2D", "textureSize(t, 0).x")[0], 2.0);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, 1);
    expect_lods(&[(0.0, 80.0), (5.0, 80.0)]);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, 0);
    expect_lods(&[(0.0, 40.0), (5.0, 80.0)]);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, 1000);
    expect_lods(&[(5.0, 120.0)]);
}

fn lod_range_and_bias(_: &Env) {
    three_levels();
    gl::TexParameterf(gl::TEXTURE_2D, gl::TEXTURE_MIN_LOD, 1.0);
    expect_lods(&[(0.0, 80.0), (2.0, 120.0)]);
    gl::TexParameterf(gl::TEXTURE_2D, gl::TEXTURE_MIN_LOD, -1000.0);
    gl::TexParameterf(gl::TEXTURE_2D, gl::TEXTURE_MAX_LOD, 1.0);
    expect_lods(&[(0.0, 40.0), (2.0, 80.0)]);
    gl::TexParameterf(gl::TEXTURE_2D, gl::TEXTURE_MAX_LOD, 1000.0);
    gl::TexParameterf(gl::TEXTURE_2D, gl::TEXTURE_LOD_BIAS, 1.0);
    expect_lods(&[(0.0, 80.0), (1.0, 120.0)]);
    gl::TexParameterf(gl::TEXTURE_2D, gl::TEXTURE_LOD_BIAS, -1.0);
    expect_lods(&[(1.0, 40.0), (2.0, 80.0)]);
}

fn trilinear(_: &Env) {
    three_levels();
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR_MIPMAP_LINEAR);
    expect_lods(&[(0.0, 40.0), (0.5, 60.0), (1.0, 80.0), (1.25, 90.0), (2.0, 120.0)]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_LINEAR);
    expect_lods(&[(0.5, 60.0), (1.5, 100.0)]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR_MIPMAP_NEAREST);
    expect_lods(&[(0.4, 40.0), (0.6, 80.0)]);
}

/// 3.8.10: the swizzle works on what the format gives.
fn swizzles(_: &Env) {
    let texels = [[51_u8, 102, 153, 204]; 1];
    let upload = |internal: u32| {
        nearest(gl::TEXTURE_2D);
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    };
    upload(gl::RGBA8);
    let order = [gl::ALPHA as i32, gl::BLUE as i32, gl::ONE as i32, gl::RED as i32];
    gl::TexParameteriv(gl::TEXTURE_2D, gl::TEXTURE_SWIZZLE_RGBA, order.as_ptr());
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[0.8, 0.6, 1.0, 0.2], 1e-5);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_SWIZZLE_G, gl::ZERO);
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[0.8, 0.0, 1.0, 0.2], 1e-5);
    upload(gl::RG8);
    gl::TexParameteriv(gl::TEXTURE_2D, gl::TEXTURE_SWIZZLE_RGBA, order.as_ptr());
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[1.0, 0.0, 1.0, 0.2], 1e-5);
    nearest(gl::TEXTURE_2D);
    let (format, kind) = (gl::DEPTH_COMPONENT, gl::FLOAT);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT32F, 1, 1, 0, format, kind, [0.25_f32].as_ptr().cast());
    let red = [gl::RED as i32; 4];
    gl::TexParameteriv(gl::TEXTURE_2D, gl::TEXTURE_SWIZZLE_RGBA, red.as_ptr());
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[0.25; 4], 0.0);
}

fn depth_texture(depths: &[f32], width: i32) {
    nearest(gl::TEXTURE_2D);
    let height = depths.len() as i32 / width;
    let (format, kind) = (gl::DEPTH_COMPONENT, gl::FLOAT);
    let data = depths.as_ptr().cast();
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT32F, width, height, 0, format, kind, data);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE);
}

/// Table 3.21: the reference is compared to the texel, in this order.
fn depth_comparison(_: &Env) {
    depth_texture(&[0.5], 1);
    for (func, below, equal, above) in [
        (gl::LEQUAL, 1.0, 1.0, 0.0),
        (gl::GEQUAL, 0.0, 1.0, 1.0),
        (gl::LESS, 1.0, 0.0, 0.0),
        (gl::GREATER, 0.0, 0.0, 1.0),
        (gl::EQUAL, 0.0, 1.0, 0.0),
        (gl::NOTEQUAL, 1.0, 0.0, 1.0),
        (gl::ALWAYS, 1.0, 1.0, 1.0),
        (gl::NEVER, 0.0, 0.0, 0.0),
    ] {
        parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_FUNC, func);
        for (reference, expected) in [(0.25, below), (0.5, equal), (0.75, above)] {
            let got = lookup("sampler2DShadow", &format!("texture(t, vec3(0.5, 0.5, {reference:?}))"))[0];
            assert_eq!(got, expected, "{func:#x} with {reference}");
        }
    }
}

/// With a linear filter the result is the weighted mean of the comparisons.
fn comparison_is_filtered(_: &Env) {
    depth_texture(&[0.0, 1.0], 2);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::LINEAR);
    let half = lookup("sampler2DShadow", "texture(t, vec3(0.5, 0.5, 0.5))")[0];
    assert!((half - 0.5).abs() < 0.01, "{half}");
    assert_eq!(lookup("sampler2DShadow", "texture(t, vec3(0.75, 0.5, 0.5))")[0], 1.0);
}

fn depth_reads_plainly_without_comparison(_: &Env) {
    depth_texture(&[0.375], 1);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::NONE);
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[0.375, 0.0, 0.0, 1.0], 0.0);
}

/// 3.8.14 and GLSL 8.7: incomplete textures read as (0, 0, 0, 1).
fn incomplete_textures_are_black(_: &Env) {
    let black = [0.0, 0.0, 0.0, 1.0];
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.5))"), black);
    nearest(gl::TEXTURE_2D);
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.5))"), black);
    // One level where the filter wants all.
    let texels = [[255_u8; 4]; 16];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.5))"), [1.0; 4]);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR_MIPMAP_LINEAR);
    assert_eq!(lookup("sampler2D", "textureLod(t, vec2(0.5), 0.0)"), black);
    // A level of another format.
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::RGBA16F, 2, 2, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    gl::TexImage2D(gl::TEXTURE_2D, 2, gl::RGBA8, 1, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    assert_eq!(lookup("sampler2D", "textureLod(t, vec2(0.5), 0.0)"), black);
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::RGBA8, 2, 2, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    assert_eq!(lookup("sampler2D", "textureLod(t, vec2(0.5), 0.0)"), [1.0; 4]);
    // A cube map that lacks a face.
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in gl::TEXTURE_CUBE_MAP_POSITIVE_X..gl::TEXTURE_CUBE_MAP_NEGATIVE_Z {
        gl::TexImage2D(face, 0, gl::RGBA8, 1, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    }
    assert_eq!(lookup("samplerCube", "texture(t, vec3(1.0, 0.0, 0.0))"), black);
    let face = gl::TEXTURE_CUBE_MAP_NEGATIVE_Z;
    gl::TexImage2D(face, 0, gl::RGBA8, 1, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    assert_eq!(lookup("samplerCube", "texture(t, vec3(1.0, 0.0, 0.0))"), [1.0; 4]);
    // Integers can't be filtered.
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8I, 1, 1, 0, gl::RED_INTEGER, gl::BYTE, [7_i8].as_ptr().cast());
    assert_eq!(lookup_int("isampler2D", "texture(t, vec2(0.5))")[0], 7);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::LINEAR);
    assert_eq!(lookup_int("isampler2D", "texture(t, vec2(0.5))")[0], 0);
}

/// The default minification filter is complete when MAX_LEVEL leaves one level.
fn base_level_alone_is_complete(_: &Env) {
    nearest(gl::TEXTURE_2D);
    parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_LINEAR);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, 0);
    let texels = [[255_u8; 4]; 16];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.5))"), [1.0; 4]);
}

/// 3.8.15: with seamless filtering an edge is the mean of the two faces that meet there.
fn seamless_cube_edges(_: &Env) {
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let texels = [[if face == 0 { 255_u8 } else { 0 }, 0, 0, 255]; 16];
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::TexImage2D(target, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    }
    parameter(gl::TEXTURE_CUBE_MAP, gl::TEXTURE_MIN_FILTER, gl::LINEAR);
    parameter(gl::TEXTURE_CUBE_MAP, gl::TEXTURE_MAG_FILTER, gl::LINEAR);
    let edge = "texture(t, vec3(1.0, 0.0, 0.999))";
    let apart = lookup("samplerCube", edge)[0];
    assert_eq!(apart, 1.0, "without seamless filtering the face is clamped at its edge");
    gl::Enable(gl::TEXTURE_CUBE_MAP_SEAMLESS);
    let mixed = lookup("samplerCube", edge)[0];
    assert!((mixed - 0.5).abs() < 0.02, "{mixed}");
}

/// 3.8.11: the level is the logarithm of the longest footprint.
fn gradients_choose_the_level(_: &Env) {
    three_levels();
    for (step, expected) in [("0.25", 40.0), ("0.5", 80.0), ("1.0", 120.0), ("0.1", 40.0)] {
        let expression = format!("textureGrad(t, vec2(0.5), vec2({step}, 0.0), vec2(0.0, 0.1))");
        let got = lookup("sampler2D", &expression)[0] * 255.0;
        assert!((got - expected).abs() < 0.6, "{step}: {got}, expected {expected}");
    }
}
