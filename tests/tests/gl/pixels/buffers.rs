//! Reading to pixel buffers: GL 3.3 core 4.3.1 with a buffer at PIXEL_PACK_BUFFER.

use super::{counting, texels};
use gallite_tests::draw::{Target, buffer, buffer_contents, expect_error, expect_no_error, quad, solid};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): at_an_offset, with_rows_and_skips, with_conversion, of_textures, several_in_flight, as_vertices,
        depth_and_stencil, round_trip_without_the_program, compressed_blocks;
    every core(3, 3): errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;
const PACK: u32 = gl::PIXEL_PACK_BUFFER;

fn at(offset: usize) -> *mut std::ffi::c_void {
    offset as *mut _
}

fn at_an_offset(_: &Env) {
    counting(4, 4);
    buffer(PACK, &[0xee_u8; 80]);
    gl::ReadPixels(0, 0, 4, 4, gl::RGBA, BYTE, at(8));
    expect_no_error("glReadPixels");
    let got = buffer_contents::<u8>(PACK, 0, 80, 0);
    assert_eq!(got[..8], [0xee; 8]);
    assert_eq!(got[8..72].to_vec(), (0..64).collect::<Vec<u8>>());
    assert_eq!(got[72..], [0xee; 8]);
}

fn with_rows_and_skips(_: &Env) {
    counting(4, 4);
    buffer(PACK, &[0xee_u8; 64]);
    gl::PixelStorei(gl::PACK_ROW_LENGTH, 5);
    gl::PixelStorei(gl::PACK_SKIP_PIXELS, 1);
    gl::PixelStorei(gl::PACK_SKIP_ROWS, 1);
    gl::ReadPixels(2, 0, 2, 2, gl::RGBA, BYTE, at(0));
    let got = buffer_contents::<u8>(PACK, 0, 64, 0);
    assert_eq!(got[..24], [0xee; 24]);
    assert_eq!(got[24..32], [8, 9, 10, 11, 12, 13, 14, 15]);
    assert_eq!(got[32..44], [0xee; 12]);
    assert_eq!(got[44..52], [24, 25, 26, 27, 28, 29, 30, 31]);
    assert_eq!(got[52..], [0xee; 12]);
}

fn with_conversion(_: &Env) {
    texels(gl::RGBA8, 2, gl::RGBA, BYTE, &[0_u8, 51, 204, 255, 255, 0, 51, 102], 2);
    buffer(PACK, &[9.0_f32; 10]);
    gl::ReadPixels(0, 0, 2, 1, gl::BGRA, gl::FLOAT, at(4));
    let got = buffer_contents::<f32>(PACK, 0, 10, 0.0);
    let expected = [9.0, 0.8, 0.2, 0.0, 1.0, 0.2, 0.0, 1.0, 0.4, 9.0];
    gallite_tests::draw::expect_near(&got, &expected, 1e-6);
}

fn of_textures(_: &Env) {
    let target = counting(4, 4);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    buffer(PACK, &[0_u8; 64]);
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, at(0));
    assert_eq!(buffer_contents::<u8>(PACK, 0, 64, 0), (0..64).collect::<Vec<u8>>());
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED, BYTE, at(1));
    assert_eq!(buffer_contents::<u8>(PACK, 0, 18, 0)[..6], [0, 0, 4, 8, 12, 16]);
}

/// Each read keeps what was there when it was issued.
fn several_in_flight(_: &Env) {
    let target = Target::new(2, 2);
    let buffers: Vec<u32> = (0..4_u8)
        .map(|i| {
            target.clear([f32::from(i) / 255.0, 0.0, 0.0, 1.0]);
            let name = buffer(PACK, &[0_u8; 16]);
            gl::ReadPixels(0, 0, 2, 2, gl::RGBA, BYTE, at(0));
            name
        })
        .collect();
    target.clear([1.0; 4]);
    for (i, name) in buffers.iter().enumerate() {
        gl::BindBuffer(PACK, *name);
        assert_eq!(buffer_contents::<u8>(PACK, 0, 16, 9), [i as u8, 0, 0, 255].repeat(4));
    }
}

/// Pixels become vertices without passing through the program.
fn as_vertices(_: &Env) {
    let corners = [-1.0_f32, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
    texels(gl::RGBA32F, 2, gl::RGBA, gl::FLOAT, &corners, 4);
    let store = buffer(PACK, &[0.0_f32; 16]);
    gl::ReadPixels(0, 0, 2, 2, gl::RGBA, gl::FLOAT, at(0));
    gl::BindBuffer(PACK, 0);
    let target = Target::new(4, 4);
    solid([1.0; 4]);
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    gl::BindBuffer(gl::ARRAY_BUFFER, store);
    gallite_tests::draw::vertex_attrib(0, 4, 0, 0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_rect([0, 0, 2, 4], [255; 4], [0; 4]);
}

fn depth_and_stencil(_: &Env) {
    let (_target, _) = gallite_tests::draw::depth_stencil_target(2, 2);
    gl::ClearDepth(0.5);
    gl::ClearStencil(7);
    gl::Clear(gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
    buffer(PACK, &[0_u32; 12]);
    gl::ReadPixels(0, 0, 2, 2, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, at(0));
    gl::ReadPixels(0, 0, 2, 2, gl::DEPTH_COMPONENT, gl::FLOAT, at(16));
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    gl::ReadPixels(0, 0, 2, 2, gl::STENCIL_INDEX, BYTE, at(32));
    expect_no_error("glReadPixels");
    let packed = buffer_contents::<u32>(PACK, 0, 4, 0);
    assert!(packed.iter().all(|v| v & 0xff == 7 && (v >> 8).abs_diff(0x80_0000) <= 1), "{packed:x?}");
    gallite_tests::draw::expect_near(&buffer_contents::<f32>(PACK, 16, 4, 0.0), &[0.5; 4], 1e-6);
    assert_eq!(buffer_contents::<u8>(PACK, 32, 4, 0), [7; 4]);
}

/// A framebuffer to a buffer, the buffer to a texture.
fn round_trip_without_the_program(_: &Env) {
    let target = Target::new(4, 4);
    solid([0.2, 0.4, 0.6, 0.8]);
    quad();
    let store = buffer(PACK, &[0_u8; 64]);
    gl::ReadPixels(0, 0, 4, 4, gl::RGBA, BYTE, at(0));
    gl::BindBuffer(PACK, 0);
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, store);
    target.clear([0.0; 4]);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 4, 4, gl::RGBA, BYTE, std::ptr::null());
    target.image().expect_all([51, 102, 153, 204]);
}

fn compressed_blocks(_: &Env) {
    let block = [255_u8, 0, 8, 1, 2, 3, 4, 5];
    buffer(gl::PIXEL_UNPACK_BUFFER, &[[0_u8; 8], block].concat());
    gl::BindTexture(gl::TEXTURE_2D, gallite_tests::draw::gen_texture());
    let null = std::ptr::null::<std::ffi::c_void>().wrapping_byte_add(8);
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, gl::COMPRESSED_RED_RGTC1, 4, 4, 0, 8, null);
    expect_no_error("glCompressedTexImage2D");
    buffer(PACK, &[0_u8; 24]);
    gl::GetCompressedTexImage(gl::TEXTURE_2D, 0, at(8));
    assert_eq!(buffer_contents::<u8>(PACK, 8, 8, 0), block);
}

fn errors(_: &Env) {
    let _target = Target::new(4, 4);
    buffer(PACK, &[0_u8; 63]);
    gl::ReadPixels(0, 0, 4, 4, gl::RGBA, BYTE, at(0));
    expect_error(gl::INVALID_OPERATION, "one byte short");
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::FLOAT, at(2));
    expect_error(gl::INVALID_OPERATION, "misaligned");
    gl::MapBuffer(PACK, gl::WRITE_ONLY);
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, BYTE, at(0));
    expect_error(gl::INVALID_OPERATION, "mapped");
    gl::UnmapBuffer(PACK);
    gl::ReadPixels(0, 0, 3, 5, gl::RGBA, BYTE, at(3));
    expect_no_error("what fits exactly");
    gl::ReadPixels(0, 0, 3, 5, gl::RGBA, BYTE, at(4));
    expect_error(gl::INVALID_OPERATION, "one byte past the end");
}
