//! What textures refuse: the error lists of GL 3.3 core 3.8, and parameters as they are read back.

use super::{level_parameter, nearest};
use gallite_tests::draw::{buffer, expect_error, expect_no_error, gen_texture, get_i32};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): images, sub_images, format_and_type_pairs, parameters, parameters_read_back, buffers,
        multisample_images, compressed_images, level_queries, image_queries, proxies, state_stays_after_an_error;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;
const NULL: *const std::ffi::c_void = std::ptr::null();

fn images(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let image = |target: u32, level: i32, internal: u32, size: [i32; 2], border: i32| {
        gl::TexImage2D(target, level, internal, size[0], size[1], border, gl::RGBA, BYTE, NULL);
    };
    image(gl::TEXTURE_3D, 0, gl::RGBA8, [1, 1], 0);
    expect_error(gl::INVALID_ENUM, "target");
    image(gl::TEXTURE_CUBE_MAP, 0, gl::RGBA8, [1, 1], 0);
    expect_error(gl::INVALID_ENUM, "a cube map has faces");
    image(gl::TEXTURE_2D, -1, gl::RGBA8, [1, 1], 0);
    expect_error(gl::INVALID_VALUE, "negative level");
    image(gl::TEXTURE_2D, 40, gl::RGBA8, [1, 1], 0);
    expect_error(gl::INVALID_VALUE, "level past the largest");
    image(gl::TEXTURE_2D, 0, gl::RGBA8, [-1, 1], 0);
    expect_error(gl::INVALID_VALUE, "negative width");
    image(gl::TEXTURE_2D, 0, gl::RGBA8, [get_i32(gl::MAX_TEXTURE_SIZE) + 1, 1], 0);
    expect_error(gl::INVALID_VALUE, "too wide");
    image(gl::TEXTURE_2D, 0, gl::RGBA8, [1, 1], 1);
    expect_error(gl::INVALID_VALUE, "border");
    image(gl::TEXTURE_2D, 0, 0x1234, [1, 1], 0);
    expect_error(gl::INVALID_VALUE, "internal format");
    image(gl::TEXTURE_CUBE_MAP_POSITIVE_X, 0, gl::RGBA8, [2, 1], 0);
    expect_error(gl::INVALID_VALUE, "an oblong face");
    image(gl::TEXTURE_2D, 0, gl::RGBA8UI, [1, 1], 0);
    expect_error(gl::INVALID_OPERATION, "fixed point for integers");
    image(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT24, [1, 1], 0);
    expect_error(gl::INVALID_OPERATION, "colours for depth");
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 0, gl::DEPTH_COMPONENT, gl::FLOAT, NULL);
    expect_error(gl::INVALID_OPERATION, "depth for colours");
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::DEPTH_COMPONENT24, 1, 1, 1, 0, gl::DEPTH_COMPONENT, gl::FLOAT, NULL);
    expect_error(gl::INVALID_OPERATION, "depth in 3D");
    gl::BindTexture(gl::TEXTURE_RECTANGLE, gen_texture());
    image(gl::TEXTURE_RECTANGLE, 1, gl::RGBA8, [1, 1], 0);
    expect_error(gl::INVALID_VALUE, "levels of a rectangle");
}

fn sub_images(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let part = |level: i32, x: i32, y: i32, width: i32, height: i32| {
        let texels = [0_u8; 64];
        gl::TexSubImage2D(gl::TEXTURE_2D, level, x, y, width, height, gl::RGBA, BYTE, texels.as_ptr().cast());
    };
    part(0, 0, 0, 1, 1);
    expect_error(gl::INVALID_OPERATION, "no image");
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, NULL);
    part(1, 0, 0, 1, 1);
    expect_error(gl::INVALID_OPERATION, "no such level");
    part(0, -1, 0, 1, 1);
    expect_error(gl::INVALID_VALUE, "negative offset");
    part(0, 3, 0, 2, 1);
    expect_error(gl::INVALID_VALUE, "past the right edge");
    part(0, 0, 4, 1, 1);
    expect_error(gl::INVALID_VALUE, "past the top edge");
    part(0, 0, 0, -1, 1);
    expect_error(gl::INVALID_VALUE, "negative width");
    part(0, 4, 4, 0, 0);
    expect_no_error("nothing at the corner");
    gl::TexSubImage2D(gl::PROXY_TEXTURE_2D, 0, 0, 0, 1, 1, gl::RGBA, BYTE, NULL);
    expect_error(gl::INVALID_ENUM, "proxy");
}

/// 3.7.3 and 3.8.1: tables 3.5 to 3.9.
fn format_and_type_pairs(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let pair = |internal: u32, format: u32, kind: u32| {
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, format, kind, NULL);
        gl::GetError()
    };
    assert_eq!(pair(gl::RGBA8, gl::RGBA8, BYTE), gl::INVALID_ENUM, "a sized format");
    assert_eq!(pair(gl::RGBA8, gl::RGBA, gl::DOUBLE), gl::INVALID_ENUM, "doubles");
    for (format, kind) in [
        (gl::RGBA, gl::UNSIGNED_BYTE_3_3_2),
        (gl::RGBA, gl::UNSIGNED_SHORT_5_6_5),
        (gl::RGB, gl::UNSIGNED_SHORT_4_4_4_4),
        (gl::RGB, gl::UNSIGNED_INT_8_8_8_8),
        (gl::RG, gl::UNSIGNED_INT_2_10_10_10_REV),
        (gl::RGBA, gl::UNSIGNED_INT_24_8),
        (gl::RGBA, gl::UNSIGNED_INT_10F_11F_11F_REV),
        (gl::RGBA, gl::UNSIGNED_INT_5_9_9_9_REV),
    ] {
        assert_eq!(pair(gl::RGBA8, format, kind), gl::INVALID_OPERATION, "{format:#x} {kind:#x}");
    }
    assert_eq!(pair(gl::RGBA8UI, gl::RGBA_INTEGER, gl::FLOAT), gl::INVALID_ENUM, "float integers");
    assert_eq!(pair(gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL, gl::FLOAT), gl::INVALID_ENUM, "depth and stencil");
    assert_eq!(pair(gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8), gl::NO_ERROR);
    assert_eq!(pair(gl::DEPTH24_STENCIL8, gl::DEPTH_COMPONENT, gl::FLOAT), gl::NO_ERROR);
}

fn parameters(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let set = |target: u32, name: u32, value: u32| {
        gl::TexParameteri(target, name, value as i32);
        gl::GetError()
    };
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::NEAREST), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::LINEAR_MIPMAP_LINEAR), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::REPEAT), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, -1_i32 as u32), gl::INVALID_VALUE);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, -1_i32 as u32), gl::INVALID_VALUE);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::LESS), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_FUNC, gl::NONE), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_SWIZZLE_R, gl::RGBA), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, 0), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_2D, gl::TEXTURE_WIDTH, 0), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_BUFFER, gl::TEXTURE_MIN_FILTER, gl::NEAREST), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_CUBE_MAP_POSITIVE_X, gl::TEXTURE_MIN_FILTER, gl::NEAREST), gl::INVALID_ENUM);
    gl::BindTexture(gl::TEXTURE_RECTANGLE, gen_texture());
    assert_eq!(set(gl::TEXTURE_RECTANGLE, gl::TEXTURE_WRAP_S, gl::REPEAT), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_RECTANGLE, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_LINEAR), gl::INVALID_ENUM);
    assert_eq!(set(gl::TEXTURE_RECTANGLE, gl::TEXTURE_BASE_LEVEL, 1), gl::INVALID_OPERATION);
}

/// Table 6.20: initial values, and each value set.
fn parameters_read_back(_: &Env) {
    gl::BindTexture(gl::TEXTURE_2D, gen_texture());
    let get = |target: u32, name: u32| {
        let mut value = i32::MIN;
        gl::GetTexParameteriv(target, name, &mut value);
        value
    };
    for (name, initial, changed) in [
        (gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_LINEAR, gl::LINEAR),
        (gl::TEXTURE_MAG_FILTER, gl::LINEAR, gl::NEAREST),
        (gl::TEXTURE_WRAP_S, gl::REPEAT, gl::CLAMP_TO_BORDER),
        (gl::TEXTURE_WRAP_T, gl::REPEAT, gl::MIRRORED_REPEAT),
        (gl::TEXTURE_WRAP_R, gl::REPEAT, gl::CLAMP_TO_EDGE),
        (gl::TEXTURE_MIN_LOD, -1000_i32 as u32, 3),
        (gl::TEXTURE_MAX_LOD, 1000, 5),
        (gl::TEXTURE_BASE_LEVEL, 0, 2),
        (gl::TEXTURE_MAX_LEVEL, 1000, 9),
        (gl::TEXTURE_COMPARE_MODE, gl::NONE, gl::COMPARE_REF_TO_TEXTURE),
        (gl::TEXTURE_COMPARE_FUNC, gl::LEQUAL, gl::GREATER),
        (gl::TEXTURE_SWIZZLE_R, gl::RED, gl::ALPHA),
        (gl::TEXTURE_SWIZZLE_G, gl::GREEN, gl::ZERO),
        (gl::TEXTURE_SWIZZLE_B, gl::BLUE, gl::ONE),
        (gl::TEXTURE_SWIZZLE_A, gl::ALPHA, gl::RED),
    ] {
        assert_eq!(get(gl::TEXTURE_2D, name), initial as i32, "{name:#x}");
        gl::TexParameteri(gl::TEXTURE_2D, name, changed as i32);
        assert_eq!(get(gl::TEXTURE_2D, name), changed as i32, "{name:#x}");
    }
    let mut swizzle = [0; 4];
    gl::GetTexParameteriv(gl::TEXTURE_2D, gl::TEXTURE_SWIZZLE_RGBA, swizzle.as_mut_ptr());
    assert_eq!(swizzle, [gl::ALPHA, gl::ZERO, gl::ONE, gl::RED].map(|v| v as i32));
    let (border, mut got) = ([0.25_f32, -2.0, 3.0, 0.5], [0.0_f32; 4]);
    gl::TexParameterfv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, border.as_ptr());
    gl::GetTexParameterfv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, got.as_mut_ptr());
    assert_eq!(got, border);
    let (border, mut got) = ([i32::MIN, -2, 3, i32::MAX], [0; 4]);
    gl::TexParameterIiv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, border.as_ptr());
    gl::GetTexParameterIiv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, got.as_mut_ptr());
    assert_eq!(got, border);
    gl::BindTexture(gl::TEXTURE_RECTANGLE, gen_texture());
    assert_eq!(get(gl::TEXTURE_RECTANGLE, gl::TEXTURE_WRAP_S), gl::CLAMP_TO_EDGE as i32);
    assert_eq!(get(gl::TEXTURE_RECTANGLE, gl::TEXTURE_MIN_FILTER), gl::LINEAR as i32);
    gl::GetTexParameteriv(gl::TEXTURE_2D, gl::TEXTURE_WIDTH, &mut 0);
    expect_error(gl::INVALID_ENUM, "a level's parameter");
}

fn buffers(_: &Env) {
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    gl::TexBuffer(gl::TEXTURE_2D, gl::R8, 0);
    expect_error(gl::INVALID_ENUM, "target");
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::RGB8, 0);
    expect_error(gl::INVALID_ENUM, "a format buffers can't have");
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::R8, 4711);
    expect_error(gl::INVALID_OPERATION, "no such buffer");
    let store = buffer(gl::TEXTURE_BUFFER, &[0_u8; 64]);
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::RGBA32F, store);
    expect_no_error("glTexBuffer");
    assert_ne!(get_i32(gl::TEXTURE_BINDING_BUFFER), 0);
    assert_eq!(level_parameter(gl::TEXTURE_BUFFER, 0, gl::TEXTURE_WIDTH), 4);
    // ARB_texture_buffer_object names the format of the bound texture 0x8C2E.
    if gallite_tests::draw::has_extension("GL_ARB_texture_buffer_object") {
        assert_eq!(get_i32(0x8c2e), gl::RGBA32F as i32);
    }
    let binding = level_parameter(gl::TEXTURE_BUFFER, 0, gl::TEXTURE_BUFFER_DATA_STORE_BINDING);
    assert_eq!(binding, store as i32);
}

fn multisample_images(_: &Env) {
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, gen_texture());
    let image = |samples: i32, internal: u32, width: i32| {
        gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, samples, internal, width, 4, gl::TRUE);
        gl::GetError()
    };
    assert_eq!(image(0, gl::RGBA8, 4), gl::INVALID_VALUE, "no samples");
    assert_eq!(image(1000, gl::RGBA8, 4), gl::INVALID_OPERATION, "too many samples");
    assert_eq!(image(1, gl::RGB9_E5, 4), gl::INVALID_ENUM, "not renderable");
    assert_eq!(image(1, gl::RGBA8, -1), gl::INVALID_VALUE, "negative width");
    assert_eq!(image(4, gl::RGBA8, 4), gl::NO_ERROR);
    assert!(level_parameter(gl::TEXTURE_2D_MULTISAMPLE, 0, gl::TEXTURE_SAMPLES) >= 4);
    assert_eq!(level_parameter(gl::TEXTURE_2D_MULTISAMPLE, 0, gl::TEXTURE_FIXED_SAMPLE_LOCATIONS), 1);
    gl::TexParameteri(gl::TEXTURE_2D_MULTISAMPLE, gl::TEXTURE_MIN_FILTER, gl::NEAREST as i32);
    expect_error(gl::INVALID_ENUM, "sampler state of a multisample texture");
}

fn compressed_images(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let bytes = [0_u8; 64];
    let internal = gl::COMPRESSED_RED_RGTC1;
    let image = |internal: u32, size: i32, width: i32| {
        gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, width, 4, 0, size, bytes.as_ptr().cast());
        gl::GetError()
    };
    assert_eq!(image(gl::COMPRESSED_RGBA, 8, 4), gl::INVALID_ENUM, "a generic format");
    assert_eq!(image(gl::RGBA8, 8, 4), gl::INVALID_ENUM, "no compressed format");
    assert_eq!(image(internal, 7, 4), gl::INVALID_VALUE, "a wrong size");
    assert_eq!(image(internal, 8, 5), gl::INVALID_VALUE, "5 texels need two blocks");
    assert_eq!(image(internal, 32, 16), gl::NO_ERROR);
    // Blocks that no number of bytes says.
    let most = i32::MAX - 3;
    for size in [0, 8] {
        let target = gl::TEXTURE_2D_ARRAY;
        gl::CompressedTexImage3D(target, 0, internal, most, most, i32::MAX, 0, size, bytes.as_ptr().cast());
        expect_error(gl::INVALID_VALUE, "a size past all bounds");
    }
    let part = |x: i32, width: i32, format: u32, size: i32| {
        gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, x, 0, width, 4, format, size, bytes.as_ptr().cast());
        gl::GetError()
    };
    assert_eq!(part(2, 4, internal, 8), gl::INVALID_OPERATION, "through a block");
    assert_eq!(part(0, 3, internal, 8), gl::INVALID_OPERATION, "part of a block");
    assert_eq!(part(4, 4, gl::COMPRESSED_RG_RGTC2, 16), gl::INVALID_OPERATION, "another format");
    assert_eq!(part(4, 4, internal, 8), gl::NO_ERROR);
    let mut formats = vec![0; get_i32(gl::NUM_COMPRESSED_TEXTURE_FORMATS).max(0) as usize + 1];
    gl::GetIntegerv(gl::COMPRESSED_TEXTURE_FORMATS, formats.as_mut_ptr());
    expect_no_error("compressed formats");
}

fn level_queries(_: &Env) {
    nearest(gl::TEXTURE_2D);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_WIDTH), 0);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), gl::RGBA as i32);
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    assert_eq!(level_parameter(gl::TEXTURE_BUFFER, 0, gl::TEXTURE_INTERNAL_FORMAT), gl::R8 as i32);
    gl::TexImage2D(gl::TEXTURE_2D, 2, gl::RGB8, 5, 7, 0, gl::RGB, BYTE, NULL);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_WIDTH), 5);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_HEIGHT), 7);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_DEPTH), 1);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_COMPRESSED), 0);
    level_parameter(gl::TEXTURE_2D, -1, gl::TEXTURE_WIDTH);
    expect_error(gl::INVALID_VALUE, "level");
    level_parameter(gl::TEXTURE_CUBE_MAP, 0, gl::TEXTURE_WIDTH);
    expect_error(gl::INVALID_ENUM, "a cube map is asked by its faces");
    level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_WRAP_S);
    expect_error(gl::INVALID_ENUM, "a texture's parameter");
    level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_COMPRESSED_IMAGE_SIZE);
    expect_error(gl::INVALID_OPERATION, "not compressed");
}

fn image_queries(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 0, gl::RGBA, BYTE, NULL);
    let mut out = [0_u8; 64];
    let mut get = |target: u32, level: i32, format: u32, kind: u32| {
        gl::GetTexImage(target, level, format, kind, out.as_mut_ptr().cast());
        gl::GetError()
    };
    assert_eq!(get(gl::TEXTURE_2D, -1, gl::RGBA, BYTE), gl::INVALID_VALUE);
    assert_eq!(get(gl::TEXTURE_CUBE_MAP, 0, gl::RGBA, BYTE), gl::INVALID_ENUM);
    assert_eq!(get(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, BYTE), gl::INVALID_OPERATION);
    assert_eq!(get(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT, gl::FLOAT), gl::INVALID_OPERATION);
    assert_eq!(get(gl::TEXTURE_2D, 0, gl::RGB, gl::UNSIGNED_SHORT_4_4_4_4), gl::INVALID_OPERATION);
    assert_eq!(get(gl::PROXY_TEXTURE_2D, 0, gl::RGBA, BYTE), gl::INVALID_ENUM);
    gl::GetCompressedTexImage(gl::TEXTURE_2D, 0, out.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "not compressed");
}

/// 3.8.13: a proxy tells what would work without storing anything.
fn proxies(_: &Env) {
    let size = get_i32(gl::MAX_TEXTURE_SIZE);
    gl::TexImage2D(gl::PROXY_TEXTURE_2D, 0, gl::RGBA8, 64, 32, 0, gl::RGBA, BYTE, NULL);
    assert_eq!(level_parameter(gl::PROXY_TEXTURE_2D, 0, gl::TEXTURE_WIDTH), 64);
    assert_eq!(level_parameter(gl::PROXY_TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), gl::RGBA8 as i32);
    gl::TexImage2D(gl::PROXY_TEXTURE_2D, 0, gl::RGBA8, size + 1, 32, 0, gl::RGBA, BYTE, NULL);
    expect_no_error("a proxy too large");
    assert_eq!(level_parameter(gl::PROXY_TEXTURE_2D, 0, gl::TEXTURE_WIDTH), 0);
    assert_eq!(level_parameter(gl::PROXY_TEXTURE_2D, 0, gl::TEXTURE_HEIGHT), 0);
    gl::TexImage2D(gl::PROXY_TEXTURE_CUBE_MAP, 0, gl::RGBA8, 16, 16, 0, gl::RGBA, BYTE, NULL);
    assert_eq!(level_parameter(gl::PROXY_TEXTURE_CUBE_MAP, 0, gl::TEXTURE_WIDTH), 16);
    gl::BindTexture(gl::PROXY_TEXTURE_2D, 0);
    expect_error(gl::INVALID_ENUM, "a proxy is never bound");
}

/// 2.5: a command that fails changes nothing.
fn state_stays_after_an_error(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGB8, 6, 7, 0, gl::RGB, BYTE, NULL);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, -3, 7, 0, gl::RGB, BYTE, NULL);
    expect_error(gl::INVALID_VALUE, "negative width");
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8UI, 3, 7, 0, gl::RGB, BYTE, NULL);
    expect_error(gl::INVALID_OPERATION, "formats");
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_WIDTH), 6);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), gl::RGB8 as i32);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::REPEAT as i32);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::LINEAR as i32);
    expect_error(gl::INVALID_ENUM, "wrap");
    let mut wrap = 0;
    gl::GetTexParameteriv(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, &mut wrap);
    assert_eq!(wrap, gl::REPEAT as i32);
}
