//! Packing: GL 3.3 core 4.3.1, table 4.4; and the pixel store's own rules, 3.7.1.

use super::counting;
use gallite_tests::draw::{expect_error, expect_no_error, get_bools, get_i32};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): rows_and_skips, bytes_between_rows_are_left_alone, alignments, swapped_bytes,
        images_of_a_texture, every_image_ignores_what_is_for_3d;
    every core(3, 3): initial_values_and_errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

fn pack(settings: &[(u32, i32)]) {
    for (name, value) in settings {
        gl::PixelStorei(*name, *value);
    }
    expect_no_error("glPixelStorei");
}

fn rows_and_skips(_: &Env) {
    counting(4, 4);
    pack(&[(gl::PACK_ROW_LENGTH, 6), (gl::PACK_SKIP_PIXELS, 1), (gl::PACK_SKIP_ROWS, 2)]);
    let mut memory = [[0xee_u8; 4]; 36];
    gl::ReadPixels(1, 1, 2, 3, gl::RGBA, BYTE, memory.as_mut_ptr().cast());
    for (at, texel) in memory.iter().enumerate() {
        let (x, y) = (at as i32 % 6 - 1, at as i32 / 6 - 2);
        let inside = (0..2).contains(&x) && (0..3).contains(&y);
        let first = (((y + 1) * 4 + x + 1) * 4) as u8;
        let expected = if inside { [first, first + 1, first + 2, first + 3] } else { [0xee; 4] };
        assert_eq!(*texel, expected, "texel {at}");
    }
}

fn bytes_between_rows_are_left_alone(_: &Env) {
    counting(4, 4);
    // Three bytes a pixel and an alignment of four: rows of 9 bytes are 12 apart.
    let mut memory = [0xee_u8; 24];
    gl::ReadPixels(0, 0, 3, 2, gl::RGB, BYTE, memory.as_mut_ptr().cast());
    assert_eq!(memory[..9], [0, 1, 2, 4, 5, 6, 8, 9, 10]);
    assert_eq!(memory[9..12], [0xee; 3]);
    assert_eq!(memory[12..21], [16, 17, 18, 20, 21, 22, 24, 25, 26]);
    assert_eq!(memory[21..], [0xee; 3]);
}

fn alignments(_: &Env) {
    counting(4, 4);
    for (alignment, stride) in [(1, 3), (2, 4), (4, 4), (8, 8)] {
        pack(&[(gl::PACK_ALIGNMENT, alignment)]);
        let mut memory = [0xee_u8; 32];
        gl::ReadPixels(0, 0, 3, 3, gl::RED, BYTE, memory.as_mut_ptr().cast());
        for y in 0..3 {
            let row = [0, 4, 8].map(|v| v + y as u8 * 16);
            assert_eq!(memory[y * stride..y * stride + 3], row, "alignment {alignment}, row {y}");
        }
    }
}

fn swapped_bytes(_: &Env) {
    counting(1, 1);
    pack(&[(gl::PACK_SWAP_BYTES, 1)]);
    let mut word = 0_u32;
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_INT_8_8_8_8, (&raw mut word).cast());
    assert_eq!(word, 0x0302_0100);
    let mut shorts = [0_u16; 4];
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_SHORT, shorts.as_mut_ptr().cast());
    assert_eq!(shorts, [0, 0x0101, 0x0202, 0x0303]);
    let mut floats = [0_u32; 4];
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::FLOAT, floats.as_mut_ptr().cast());
    let alpha = f32::from_bits(floats[3].swap_bytes());
    assert!((alpha - 3.0 / 255.0).abs() < 1e-6, "{alpha}");
    let mut bytes = [0_u8; 4];
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, BYTE, bytes.as_mut_ptr().cast());
    assert_eq!(bytes, [0, 1, 2, 3]);
}

/// 6.1.4: images of a 3D texture are IMAGE_HEIGHT rows apart and SKIP_IMAGES from the start.
fn images_of_a_texture(_: &Env) {
    let texels: Vec<u8> = (0..2 * 2 * 2 * 4).collect();
    gl::BindTexture(gl::TEXTURE_3D, gallite_tests::draw::gen_texture());
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::RGBA8, 2, 2, 2, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    pack(&[(gl::PACK_IMAGE_HEIGHT, 3), (gl::PACK_SKIP_IMAGES, 1)]);
    let mut memory = [0xee_u8; 3 * 3 * 2 * 4];
    gl::GetTexImage(gl::TEXTURE_3D, 0, gl::RGBA, BYTE, memory.as_mut_ptr().cast());
    assert_eq!(memory[..24], [0xee; 24]);
    assert_eq!(memory[24..40], texels[..16]);
    assert_eq!(memory[40..48], [0xee; 8]);
    assert_eq!(memory[48..64], texels[16..]);
    assert_eq!(memory[64..], [0xee; 8]);
}

fn every_image_ignores_what_is_for_3d(_: &Env) {
    counting(2, 2);
    pack(&[(gl::PACK_IMAGE_HEIGHT, 7), (gl::PACK_SKIP_IMAGES, 3)]);
    let mut memory = [0xee_u8; 16];
    gl::ReadPixels(0, 0, 2, 2, gl::RGBA, BYTE, memory.as_mut_ptr().cast());
    assert_eq!(memory.to_vec(), (0..16).collect::<Vec<u8>>());
}

fn initial_values_and_errors(_: &Env) {
    for name in [
        gl::PACK_ROW_LENGTH,
        gl::PACK_SKIP_ROWS,
        gl::PACK_SKIP_PIXELS,
        gl::PACK_IMAGE_HEIGHT,
        gl::PACK_SKIP_IMAGES,
        gl::UNPACK_ROW_LENGTH,
        gl::UNPACK_SKIP_ROWS,
        gl::UNPACK_SKIP_PIXELS,
        gl::UNPACK_IMAGE_HEIGHT,
        gl::UNPACK_SKIP_IMAGES,
    ] {
        assert_eq!(get_i32(name), 0, "{name:#x}");
        gl::PixelStorei(name, 3);
        assert_eq!(get_i32(name), 3, "{name:#x}");
        gl::PixelStorei(name, -1);
        expect_error(gl::INVALID_VALUE, "negative");
        gl::PixelStoref(name, 4.6);
        assert_eq!(get_i32(name), 5, "floats are rounded");
    }
    for name in [gl::PACK_ALIGNMENT, gl::UNPACK_ALIGNMENT] {
        assert_eq!(get_i32(name), 4);
        for bad in [0, 3, 16] {
            gl::PixelStorei(name, bad);
            expect_error(gl::INVALID_VALUE, "alignment");
        }
    }
    for name in [gl::PACK_SWAP_BYTES, gl::UNPACK_SWAP_BYTES, gl::PACK_LSB_FIRST, gl::UNPACK_LSB_FIRST] {
        assert_eq!(get_bools(name), [gl::FALSE]);
        gl::PixelStoref(name, 0.3);
        assert_eq!(get_bools(name), [gl::TRUE]);
    }
    gl::PixelStorei(gl::RGBA, 1);
    expect_error(gl::INVALID_ENUM, "name");
}
