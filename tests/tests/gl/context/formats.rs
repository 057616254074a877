//! Queries about internal formats: GL 4.6 core 22.3.

use gallite_tests::draw::{expect_error, expect_no_error, get_i32};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): sample_counts, sizes_and_kinds, uses, classes, what_is_not_supported, errors;
}

fn query(target: u32, format: u32, name: u32) -> i32 {
    let mut value = -1;
    gl::GetInternalformativ(target, format, name, 1, &mut value);
    value
}

fn sample_counts(_: &Env) {
    let count = query(gl::RENDERBUFFER, gl::RGBA8, gl::NUM_SAMPLE_COUNTS);
    assert!(count >= 1);
    let mut values = vec![-1; count as usize + 1];
    gl::GetInternalformativ(gl::RENDERBUFFER, gl::RGBA8, gl::SAMPLES, count + 1, values.as_mut_ptr());
    assert_eq!(values.pop(), Some(-1), "no more are written than there are");
    assert!(values.windows(2).all(|pair| pair[0] > pair[1]), "{values:?} descend");
    assert!(values[0] <= get_i32(gl::MAX_SAMPLES) && values[0] >= 4, "{values:?}");
    assert_eq!(query(gl::TEXTURE_2D, gl::RGBA8, gl::NUM_SAMPLE_COUNTS), 0, "no samples in a plain texture");
    assert_eq!(query(gl::TEXTURE_2D_MULTISAMPLE, gl::RGBA8, gl::SAMPLES), values[0]);
}

fn sizes_and_kinds(_: &Env) {
    let t = gl::TEXTURE_2D;
    assert_eq!(query(t, gl::RGB10_A2, gl::INTERNALFORMAT_SUPPORTED), 1);
    assert_eq!(query(t, gl::RGB10_A2, gl::INTERNALFORMAT_RED_SIZE), 10);
    assert_eq!(query(t, gl::RGB10_A2, gl::INTERNALFORMAT_ALPHA_SIZE), 2);
    assert_eq!(query(t, gl::RGB8, gl::INTERNALFORMAT_ALPHA_SIZE), 0);
    assert_eq!(query(t, gl::RGBA16I, gl::INTERNALFORMAT_GREEN_TYPE), gl::INT as i32);
    assert_eq!(query(t, gl::RGBA8, gl::INTERNALFORMAT_GREEN_TYPE), gl::UNSIGNED_NORMALIZED as i32);
    assert_eq!(query(t, gl::DEPTH24_STENCIL8, gl::INTERNALFORMAT_STENCIL_SIZE), 8);
    assert_eq!(query(t, gl::DEPTH24_STENCIL8, gl::DEPTH_COMPONENTS), 1);
    assert_eq!(query(t, gl::DEPTH24_STENCIL8, gl::COLOR_COMPONENTS), 0);
    assert_eq!(query(t, gl::RGBA8, gl::MAX_WIDTH), get_i32(gl::MAX_TEXTURE_SIZE));
    assert_eq!(query(t, gl::RGBA8, gl::MAX_DEPTH), 0);
    assert_eq!(query(gl::TEXTURE_3D, gl::RGBA8, gl::MAX_DEPTH), get_i32(gl::MAX_3D_TEXTURE_SIZE));
    assert_eq!(query(gl::TEXTURE_2D_ARRAY, gl::RGBA8, gl::MAX_LAYERS), get_i32(gl::MAX_ARRAY_TEXTURE_LAYERS));
    let mut most = 0_i64;
    gl::GetInternalformati64v(t, gl::RGBA8, gl::MAX_COMBINED_DIMENSIONS, 1, &mut most);
    assert_eq!(most, i64::from(get_i32(gl::MAX_TEXTURE_SIZE)).pow(2));
    expect_no_error("queries of formats");
}

fn uses(_: &Env) {
    let (t, full, none) = (gl::TEXTURE_2D, gl::FULL_SUPPORT as i32, gl::NONE as i32);
    assert_eq!(query(t, gl::RGBA8, gl::FRAMEBUFFER_RENDERABLE), full);
    assert_eq!(query(t, gl::RGBA8, gl::FILTER), full);
    assert_eq!(query(t, gl::RGBA32UI, gl::FILTER), none);
    assert_eq!(query(t, gl::RGBA32UI, gl::FRAMEBUFFER_BLEND), none);
    assert_eq!(query(t, gl::SRGB8_ALPHA8, gl::SRGB_READ), full);
    assert_eq!(query(t, gl::RGBA8, gl::SRGB_READ), none);
    assert_eq!(query(t, gl::SRGB8_ALPHA8, gl::COLOR_ENCODING), gl::SRGB as i32);
    assert_eq!(query(t, gl::DEPTH_COMPONENT24, gl::TEXTURE_SHADOW), full);
    assert_eq!(query(t, gl::COMPRESSED_RED_RGTC1, gl::TEXTURE_COMPRESSED), 1);
    assert_eq!(query(t, gl::COMPRESSED_RED_RGTC1, gl::TEXTURE_COMPRESSED_BLOCK_SIZE), 8);
    assert_eq!(query(t, gl::COMPRESSED_RED_RGTC1, gl::TEXTURE_COMPRESSED_BLOCK_WIDTH), 4);
    assert_eq!(query(t, gl::COMPRESSED_RED_RGTC1, gl::FRAMEBUFFER_RENDERABLE), none);
    assert_eq!(query(t, gl::RGBA8, gl::CLEAR_TEXTURE), full);
    assert_eq!(query(t, gl::RGB16F, gl::TEXTURE_IMAGE_FORMAT), gl::RGB as i32);
    assert_eq!(query(t, gl::RGB16F, gl::TEXTURE_IMAGE_TYPE), gl::HALF_FLOAT as i32);
    assert_eq!(query(gl::TEXTURE_RECTANGLE, gl::RGBA8, gl::MIPMAP), 0);
    assert_eq!(query(t, gl::RGBA8, gl::MIPMAP), 1);
}

fn classes(_: &Env) {
    let t = gl::TEXTURE_2D;
    assert_eq!(query(t, gl::R32F, gl::VIEW_COMPATIBILITY_CLASS), gl::VIEW_CLASS_32_BITS as i32);
    assert_eq!(query(t, gl::RGB8, gl::VIEW_COMPATIBILITY_CLASS), gl::VIEW_CLASS_24_BITS as i32);
    assert_eq!(query(t, gl::DEPTH_COMPONENT16, gl::VIEW_COMPATIBILITY_CLASS), gl::NONE as i32);
    assert_eq!(query(gl::RENDERBUFFER, gl::R32F, gl::VIEW_COMPATIBILITY_CLASS), gl::NONE as i32);
}

fn what_is_not_supported(_: &Env) {
    let mut values = [-1; 2];
    gl::GetInternalformativ(gl::TEXTURE_2D, 0x1234, gl::SAMPLES, 2, values.as_mut_ptr());
    assert_eq!(values, [-1; 2], "nothing is written");
    assert_eq!(query(gl::TEXTURE_2D, 0x1234, gl::INTERNALFORMAT_SUPPORTED), 0);
    assert_eq!(query(gl::TEXTURE_3D, gl::DEPTH_COMPONENT24, gl::INTERNALFORMAT_SUPPORTED), 0);
    assert_eq!(query(gl::RENDERBUFFER, gl::RGB9_E5, gl::INTERNALFORMAT_SUPPORTED), 0);
    assert_eq!(query(gl::TEXTURE_BUFFER, gl::RGB8, gl::INTERNALFORMAT_SUPPORTED), 0);
    expect_no_error("unsupported formats");
}

fn errors(_: &Env) {
    query(gl::TEXTURE_CUBE_MAP_POSITIVE_X, gl::RGBA8, gl::SAMPLES);
    expect_error(gl::INVALID_ENUM, "a face");
    query(gl::TEXTURE_2D, gl::RGBA8, gl::TEXTURE_WIDTH);
    expect_error(gl::INVALID_ENUM, "no query");
    let mut value = 0;
    gl::GetInternalformativ(gl::TEXTURE_2D, gl::RGBA8, gl::SAMPLES, -1, &mut value);
    expect_error(gl::INVALID_VALUE, "a negative count");
}
