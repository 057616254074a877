//! Pixels on their way to textures: GL 3.3 core 3.7, every format and type, unpacking and pixel buffers.

use super::{nearest, texture_image};
use gallite_tests::draw::{buffer, buffer_data, expect_error, expect_no_error, gen_buffer};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): component_types, component_orders, packed_types, packed_floats, integer_types, rows_and_skips,
        images_and_skips, alignments, swapped_bytes, from_a_buffer, from_a_buffer_with_conversion,
        buffers_may_be_rewritten_at_once, bits_first_in_bytes_do_not_matter, huge_rows;
    every core(3, 3): buffer_errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

/// Uploads a 1 x 1 image and reads it as RGBA bytes.
#[track_caller]
fn one<T: Copy>(internal: u32, format: u32, kind: u32, texel: &[T]) -> [u8; 4] {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, format, kind, texel.as_ptr().cast());
    expect_no_error("glTexImage2D");
    texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 1)[0]
}

/// Table 3.5 and 2.1.5: each type becomes the same colour.
fn component_types(_: &Env) {
    let expected = [51, 102, 153, 204];
    assert_eq!(one(gl::RGBA8, gl::RGBA, BYTE, &[51_u8, 102, 153, 204]), expected);
    let shorts = [51_u16, 102, 153, 204].map(|v| v * 257);
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::UNSIGNED_SHORT, &shorts), expected);
    let ints = [51_u32, 102, 153, 204].map(|v| v * 0x0101_0101);
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::UNSIGNED_INT, &ints), expected);
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::FLOAT, &[0.2_f32, 0.4, 0.6, 0.8]), expected);
    // 0.5, 1.0, 0.25 and 2.0 as half floats.
    let halves = [0x3800_u16, 0x3c00, 0x3400, 0x4000];
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::HALF_FLOAT, &halves), [128, 255, 64, 255]);
    // Signed: the largest is one, negatives clamp to zero.
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::BYTE, &[127_i8, 0, -128, 127]), [255, 0, 0, 255]);
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::SHORT, &[32767_i16, -5, 0, 32767]), [255, 0, 0, 255]);
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::INT, &[i32::MAX, i32::MIN, 0, i32::MAX]), [255, 0, 0, 255]);
}

/// Table 3.6.
fn component_orders(_: &Env) {
    assert_eq!(one(gl::RGBA8, gl::BGRA, BYTE, &[1_u8, 2, 3, 4]), [3, 2, 1, 4]);
    assert_eq!(one(gl::RGBA8, gl::BGR, BYTE, &[1_u8, 2, 3]), [3, 2, 1, 255]);
    assert_eq!(one(gl::RGBA8, gl::RGB, BYTE, &[1_u8, 2, 3]), [1, 2, 3, 255]);
    assert_eq!(one(gl::RGBA8, gl::RG, BYTE, &[1_u8, 2]), [1, 2, 0, 255]);
    assert_eq!(one(gl::RGBA8, gl::RED, BYTE, &[1_u8]), [1, 0, 0, 255]);
    assert_eq!(one(gl::RGBA8, gl::GREEN, BYTE, &[1_u8]), [0, 1, 0, 255]);
    assert_eq!(one(gl::RGBA8, gl::BLUE, BYTE, &[1_u8]), [0, 0, 1, 255]);
    assert_eq!(one(gl::R8, gl::BGRA, BYTE, &[1_u8, 2, 3, 4]), [3, 0, 0, 255]);
    assert_eq!(one(gl::RGB8, gl::RGBA, BYTE, &[1_u8, 2, 3, 4]), [1, 2, 3, 255]);
}

/// Tables 3.7 to 3.10: where each component lies.
fn packed_types(_: &Env) {
    let max = |bits: u32, value: u32| ((value * 255 * 2 + ((1 << bits) - 1)) / (((1 << bits) - 1) * 2)) as u8;
    let byte = |format, kind, texel: u8| one(gl::RGBA8, format, kind, &[texel]);
    assert_eq!(byte(gl::RGB, gl::UNSIGNED_BYTE_3_3_2, 5 << 5 | 2 << 2 | 1), [max(3, 5), max(3, 2), max(2, 1), 255]);
    assert_eq!(byte(gl::RGB, gl::UNSIGNED_BYTE_2_3_3_REV, 1 << 6 | 2 << 3 | 5), [max(3, 5), max(3, 2), max(2, 1), 255]);
    let short = |format, kind, texel: u16| one(gl::RGBA8, format, kind, &[texel]);
    let rgb565 = 21 << 11 | 42 << 5 | 9;
    assert_eq!(short(gl::RGB, gl::UNSIGNED_SHORT_5_6_5, rgb565), [max(5, 21), max(6, 42), max(5, 9), 255]);
    assert_eq!(short(gl::RGB, gl::UNSIGNED_SHORT_5_6_5_REV, rgb565), [max(5, 9), max(6, 42), max(5, 21), 255]);
    assert_eq!(short(gl::RGBA, gl::UNSIGNED_SHORT_4_4_4_4, 0x1234), [0x11, 0x22, 0x33, 0x44]);
    assert_eq!(short(gl::RGBA, gl::UNSIGNED_SHORT_4_4_4_4_REV, 0x1234), [0x44, 0x33, 0x22, 0x11]);
    assert_eq!(short(gl::BGRA, gl::UNSIGNED_SHORT_4_4_4_4_REV, 0x1234), [0x22, 0x33, 0x44, 0x11]);
    let rgba5551 = 3 << 11 | 7 << 6 | 15 << 1 | 1;
    assert_eq!(short(gl::RGBA, gl::UNSIGNED_SHORT_5_5_5_1, rgba5551), [max(5, 3), max(5, 7), max(5, 15), 255]);
    let rgba1555 = 15 << 10 | 7 << 5 | 3;
    assert_eq!(short(gl::RGBA, gl::UNSIGNED_SHORT_1_5_5_5_REV, rgba1555), [max(5, 3), max(5, 7), max(5, 15), 0]);
    let int = |format, kind, texel: u32| one(gl::RGBA8, format, kind, &[texel]);
    assert_eq!(int(gl::RGBA, gl::UNSIGNED_INT_8_8_8_8, 0x0102_0304), [1, 2, 3, 4]);
    assert_eq!(int(gl::RGBA, gl::UNSIGNED_INT_8_8_8_8_REV, 0x0102_0304), [4, 3, 2, 1]);
    assert_eq!(int(gl::BGRA, gl::UNSIGNED_INT_8_8_8_8_REV, 0x0102_0304), [2, 3, 4, 1]);
    let rgb10a2 = 1023 << 22 | 512 << 12 | 3;
    assert_eq!(int(gl::RGBA, gl::UNSIGNED_INT_10_10_10_2, rgb10a2), [255, 128, 0, 255]);
    let a2bgr10 = 1 << 30 | 1023 << 20 | 512 << 10;
    assert_eq!(int(gl::RGBA, gl::UNSIGNED_INT_2_10_10_10_REV, a2bgr10), [0, 128, 255, 85]);
}

fn packed_floats(_: &Env) {
    nearest(gl::TEXTURE_2D);
    // 1.0, 0.5 and 2.0: exponents 15, 14 and 16 with bias 15.
    let packed = 15_u32 << 6 | (14 << 6) << 11 | (16 << 5) << 22;
    let kind = gl::UNSIGNED_INT_10F_11F_11F_REV;
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA32F, 1, 1, 0, gl::RGB, kind, [packed].as_ptr().cast());
    let got = texture_image::<f32>(gl::TEXTURE_2D, 0, gl::RGBA, gl::FLOAT, 4);
    assert_eq!(got, [1.0, 0.5, 2.0, 1.0]);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R11F_G11F_B10F, 1, 1, 0, gl::RGB, kind, [packed].as_ptr().cast());
    assert_eq!(texture_image::<u32>(gl::TEXTURE_2D, 0, gl::RGB, kind, 1), [packed]);
}

fn integer_types(_: &Env) {
    let upload = |format: u32, kind: u32, texel: *const std::ffi::c_void| {
        nearest(gl::TEXTURE_2D);
        gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA32I, 1, 1, 0, format, kind, texel);
        expect_no_error("glTexImage2D");
        texture_image::<i32>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::INT, 4)
    };
    assert_eq!(upload(gl::RGBA_INTEGER, gl::BYTE, [-1_i8, 2, -3, 4].as_ptr().cast()), [-1, 2, -3, 4]);
    assert_eq!(upload(gl::RGBA_INTEGER, gl::UNSIGNED_BYTE, [255_u8, 2, 3, 4].as_ptr().cast()), [255, 2, 3, 4]);
    assert_eq!(upload(gl::BGRA_INTEGER, gl::SHORT, [-1_i16, 2, -3, 4].as_ptr().cast()), [-3, 2, -1, 4]);
    assert_eq!(upload(gl::RGB_INTEGER, gl::UNSIGNED_SHORT, [65535_u16, 2, 3].as_ptr().cast()), [65535, 2, 3, 1]);
    assert_eq!(upload(gl::RG_INTEGER, gl::INT, [-70000_i32, 2].as_ptr().cast()), [-70000, 2, 0, 1]);
    assert_eq!(upload(gl::RED_INTEGER, gl::UNSIGNED_INT, [7_u32].as_ptr().cast()), [7, 0, 0, 1]);
    assert_eq!(upload(gl::BLUE_INTEGER, gl::UNSIGNED_INT, [7_u32].as_ptr().cast()), [0, 0, 7, 1]);
}

fn unpack(settings: &[(u32, i32)]) {
    for (name, value) in settings {
        gl::PixelStorei(*name, *value);
    }
    expect_no_error("glPixelStorei");
}

/// 3.7.2: a window of a larger image in memory.
fn rows_and_skips(_: &Env) {
    let memory: Vec<[u8; 4]> = (0..48).map(|i| [i, i + 100, 0, 255]).collect();
    unpack(&[(gl::UNPACK_ROW_LENGTH, 8), (gl::UNPACK_SKIP_PIXELS, 2), (gl::UNPACK_SKIP_ROWS, 1)]);
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 3, 4, 0, gl::RGBA, BYTE, memory.as_ptr().cast());
    let expected: Vec<_> = (0..12).map(|i| memory[(1 + i / 3) * 8 + 2 + i % 3]).collect();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 12), expected);
    // With a conversion too.
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGB565, 3, 4, 0, gl::RGBA, BYTE, memory.as_ptr().cast());
    let reds = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 12);
    assert!(reds.iter().zip(&expected).all(|(a, b)| a[1].abs_diff(b[1]) <= 2), "{reds:?}");
}

fn images_and_skips(_: &Env) {
    let memory: Vec<[u8; 4]> = (0..2 * 5 * 5).map(|i| [i, i + 100, 0, 255]).collect();
    unpack(&[(gl::UNPACK_IMAGE_HEIGHT, 5), (gl::UNPACK_SKIP_IMAGES, 2), (gl::UNPACK_SKIP_ROWS, 1)]);
    for target in [gl::TEXTURE_3D, gl::TEXTURE_2D_ARRAY] {
        nearest(target);
        gl::TexImage3D(target, 0, gl::RGBA8, 2, 3, 3, 0, gl::RGBA, BYTE, memory.as_ptr().cast());
        let got = texture_image::<[u8; 4]>(target, 0, gl::RGBA, BYTE, 18);
        let expected: Vec<_> = (0..18).map(|i| memory[(2 + i / 6) * 10 + (1 + i % 6 / 2) * 2 + i % 2]).collect();
        assert_eq!(got, expected, "{target:#x}");
    }
    // Two-dimensional images ignore both.
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 2, 2, 0, gl::RGBA, BYTE, memory.as_ptr().cast());
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 4);
    assert_eq!(got, memory[2..6]);
}

fn alignments(_: &Env) {
    let memory: Vec<u8> = (0..64).collect();
    for (alignment, stride) in [(1, 3), (2, 4), (4, 4), (8, 8)] {
        unpack(&[(gl::UNPACK_ALIGNMENT, alignment), (gl::PACK_ALIGNMENT, 1)]);
        nearest(gl::TEXTURE_2D);
        gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 3, 3, 0, gl::RED, BYTE, memory.as_ptr().cast());
        let expected: Vec<u8> = (0..9).map(|i| (i / 3 * stride + i % 3) as u8).collect();
        assert_eq!(texture_image::<u8>(gl::TEXTURE_2D, 0, gl::RED, BYTE, 9), expected, "alignment {alignment}");
    }
    // The alignment is not applied where a component is at least as large.
    unpack(&[(gl::UNPACK_ALIGNMENT, 4)]);
    let floats: Vec<f32> = (0..9).map(|i| i as f32).collect();
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R32F, 3, 3, 0, gl::RED, gl::FLOAT, floats.as_ptr().cast());
    assert_eq!(texture_image::<f32>(gl::TEXTURE_2D, 0, gl::RED, gl::FLOAT, 9), floats);
}

fn swapped_bytes(_: &Env) {
    unpack(&[(gl::UNPACK_SWAP_BYTES, 1)]);
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::UNSIGNED_INT_8_8_8_8, &[0x0102_0304_u32]), [4, 3, 2, 1]);
    assert_eq!(one(gl::RGBA8, gl::RGBA, BYTE, &[1_u8, 2, 3, 4]), [1, 2, 3, 4]);
    let swapped = [1.0_f32, 0.0, 1.0, 1.0].map(|v| v.to_bits().swap_bytes());
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::FLOAT, &swapped), [255, 0, 255, 255]);
    let swapped = [0x1234_u16.swap_bytes()];
    assert_eq!(one(gl::RGBA8, gl::RGBA, gl::UNSIGNED_SHORT_4_4_4_4, &swapped), [0x11, 0x22, 0x33, 0x44]);
}

fn from_a_buffer(_: &Env) {
    let memory: Vec<[u8; 4]> = (0..20).map(|i| [i, i * 2, i * 3, 255]).collect();
    let store = buffer(gl::PIXEL_UNPACK_BUFFER, &memory);
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, 16 as *const _);
    expect_no_error("glTexImage2D");
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16), memory[4..20]);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 1, 1, 2, 1, gl::RGBA, BYTE, std::ptr::null());
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16)[5..7], memory[..2]);
    gl::DeleteBuffers(1, &store);
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16)[5..7], memory[..2]);
}

fn from_a_buffer_with_conversion(_: &Env) {
    buffer(gl::PIXEL_UNPACK_BUFFER, &[0.0_f32, 0.2, 0.4, 0.6, 0.8]);
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 0, gl::RGBA, gl::FLOAT, 4 as *const _);
    expect_no_error("glTexImage2D");
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 1), [[51, 102, 153, 204]]);
    buffer(gl::PIXEL_UNPACK_BUFFER, &[1_u8, 2, 3, 4]);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 0, gl::BGRA, BYTE, std::ptr::null());
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 1), [[3, 2, 1, 4]]);
}

/// The upload takes the bytes the buffer has when the command is issued.
fn buffers_may_be_rewritten_at_once(_: &Env) {
    buffer(gl::PIXEL_UNPACK_BUFFER, &[[1_u8; 4]; 16]);
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, std::ptr::null());
    gl::BufferSubData(gl::PIXEL_UNPACK_BUFFER, 0, 64, [[2_u8; 4]; 16].as_ptr().cast());
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 1, gl::RGBA, BYTE, std::ptr::null());
    buffer_data(gl::PIXEL_UNPACK_BUFFER, &[[3_u8; 4]; 16], gl::STREAM_DRAW);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 3, 1, 1, gl::RGBA, BYTE, std::ptr::null());
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16);
    assert_eq!((got[0][0], got[1][0], got[2][0], got[12][0]), (2, 2, 1, 3));
}

/// LSB_FIRST is about bitmaps only.
fn bits_first_in_bytes_do_not_matter(_: &Env) {
    unpack(&[(gl::UNPACK_LSB_FIRST, 1)]);
    assert_eq!(one(gl::RGBA8, gl::RGBA, BYTE, &[1_u8, 2, 3, 4]), [1, 2, 3, 4]);
}

fn huge_rows(_: &Env) {
    let width = gallite_tests::draw::get_i32(gl::MAX_TEXTURE_SIZE).min(8192);
    let texels: Vec<u16> = (0..width as u32).map(|x| x as u16).collect();
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(
        gl::TEXTURE_2D,
        0,
        gl::R16UI,
        width,
        1,
        0,
        gl::RED_INTEGER,
        gl::UNSIGNED_SHORT,
        texels.as_ptr().cast(),
    );
    let got = texture_image::<u16>(gl::TEXTURE_2D, 0, gl::RED_INTEGER, gl::UNSIGNED_SHORT, width as usize);
    assert_eq!(got, texels);
}

/// 3.7.1: what does not fit the buffer, is misaligned, or mapped.
fn buffer_errors(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, gen_buffer());
    buffer_data(gl::PIXEL_UNPACK_BUFFER, &[0_u8; 63], gl::STATIC_DRAW);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "one byte short");
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 2, 2, 0, gl::RGBA, gl::UNSIGNED_SHORT, 3 as *const _);
    expect_error(gl::INVALID_OPERATION, "an odd offset of shorts");
    gl::MapBuffer(gl::PIXEL_UNPACK_BUFFER, gl::READ_ONLY);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 0, gl::RGBA, BYTE, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "mapped");
    gl::UnmapBuffer(gl::PIXEL_UNPACK_BUFFER);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 3, 5, 0, gl::RGBA, BYTE, std::ptr::null());
    expect_no_error("what fits");
}
