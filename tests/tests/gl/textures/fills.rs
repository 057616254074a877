//! glClearTexImage and glClearTexSubImage: GL 4.6 core 8.21.

use super::{lookup, nearest, texture_image};
use gallite_tests::draw::{expect_error, expect_near, expect_no_error, gen_buffer};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter};

gl_tests! {
    render core(3, 3): whole_levels, parts, formats, without_data, faces, samples, large_fills_stage_little;
    every core(3, 3): errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

fn plain(internal: u32, format: u32, kind: u32) -> u32 {
    let name = nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, format, kind, std::ptr::null());
    name
}

fn whole_levels(_: &Env) {
    let name = plain(gl::RGBA8, gl::RGBA, BYTE);
    gl::ClearTexImage(name, 0, gl::RGBA, BYTE, [10_u8, 20, 30, 40].as_ptr().cast());
    expect_no_error("glClearTexImage");
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16), [[10, 20, 30, 40]; 16]);
    // Pixel store state has no part in it.
    gl::PixelStorei(gl::UNPACK_SKIP_PIXELS, 3);
    gl::ClearTexImage(name, 0, gl::RGBA, BYTE, [1_u8, 2, 3, 4].as_ptr().cast());
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16), [[1, 2, 3, 4]; 16]);
}

/// A fill takes no memory of the size of what it fills.
fn large_fills_stage_little(_: &Env) {
    let staged = || counter("bytes_staged");
    let name = nearest(gl::TEXTURE_3D);
    gl::TexStorage3D(gl::TEXTURE_3D, 1, gl::RGBA8, 256, 128, 66);
    gl::Finish();
    let before = staged();
    gl::ClearTexImage(name, 0, gl::RGBA, BYTE, [10_u8, 20, 30, 40].as_ptr().cast());
    gl::ClearTexSubImage(name, 0, 1, 2, 3, 254, 125, 61, gl::RGBA, BYTE, [1_u8, 2, 3, 4].as_ptr().cast());
    gl::Finish();
    if let (Some(before), Some(after)) = (before, staged()) {
        assert!(after - before < 3 << 20, "{} bytes", after - before);
    }
    let texels = texture_image::<[u8; 4]>(gl::TEXTURE_3D, 0, gl::RGBA, BYTE, 256 * 128 * 66);
    for (i, texel) in texels.iter().enumerate() {
        let (x, y, z) = (i % 256, i / 256 % 128, i / (256 * 128));
        let inner = (1..255).contains(&x) && (2..127).contains(&y) && (3..64).contains(&z);
        assert_eq!(*texel, if inner { [1, 2, 3, 4] } else { [10, 20, 30, 40] }, "{x} {y} {z}");
    }
    let buffer = gen_buffer();
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, buffer);
    let words = 300_001 * 4;
    gl::BufferData(gl::COPY_WRITE_BUFFER, words * 4, std::ptr::null(), gl::STATIC_COPY);
    let before = staged();
    gl::ClearBufferData(
        gl::COPY_WRITE_BUFFER,
        gl::RGBA32F,
        gl::RGBA,
        gl::FLOAT,
        [1_f32, 2.0, 3.0, 4.0].as_ptr().cast(),
    );
    gl::Finish();
    if let (Some(before), Some(after)) = (before, staged()) {
        assert!(after - before <= 64 << 10, "{} bytes", after - before);
    }
    let mut got = vec![0_f32; words as usize];
    gl::GetBufferSubData(gl::COPY_WRITE_BUFFER, 0, words * 4, got.as_mut_ptr().cast());
    assert!(got.chunks_exact(4).all(|texel| texel == [1.0, 2.0, 3.0, 4.0]));
    expect_no_error("fills");
}

fn parts(_: &Env) {
    let name = nearest(gl::TEXTURE_3D);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::R8, 2, 2, 3, 0, gl::RED, BYTE, [9_u8; 12].as_ptr().cast());
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::R8, 2, 2, 3, 0, gl::RED, BYTE, [9_u8; 12].as_ptr().cast());
    gl::ClearTexSubImage(name, 0, 1, 0, 1, 1, 2, 2, gl::RED, BYTE, [77_u8].as_ptr().cast());
    expect_no_error("glClearTexSubImage");
    let got = texture_image::<u8>(gl::TEXTURE_3D, 0, gl::RED, BYTE, 12);
    assert_eq!(got, [9, 9, 9, 9, 9, 77, 9, 77, 9, 77, 9, 77]);
}

fn formats(_: &Env) {
    let name = plain(gl::RGB10_A2, gl::RGBA, gl::UNSIGNED_INT_2_10_10_10_REV);
    gl::ClearTexImage(name, 0, gl::RGBA, gl::FLOAT, [1.0_f32, 0.0, 0.5, 1.0].as_ptr().cast());
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(3), 0)"), &[1.0, 0.0, 0.5, 1.0], 0.001);
    let name = plain(gl::RGB16F, gl::RGB, gl::FLOAT);
    gl::ClearTexImage(name, 0, gl::RGB, gl::FLOAT, [2.0_f32, -3.0, 0.25].as_ptr().cast());
    assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(0), 0)"), [2.0, -3.0, 0.25, 1.0]);
    let name = plain(gl::RG32I, gl::RG_INTEGER, gl::INT);
    gl::ClearTexImage(name, 0, gl::RG_INTEGER, gl::INT, [-7_i32, 1 << 30].as_ptr().cast());
    let got = texture_image::<[i32; 2]>(gl::TEXTURE_2D, 0, gl::RG_INTEGER, gl::INT, 16);
    assert_eq!(got, [[-7, 1 << 30]; 16]);
    let name = plain(gl::DEPTH_COMPONENT32F, gl::DEPTH_COMPONENT, gl::FLOAT);
    gl::ClearTexImage(name, 0, gl::DEPTH_COMPONENT, gl::FLOAT, [0.75_f32].as_ptr().cast());
    assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(2), 0)")[0], 0.75);
    expect_no_error("clears of many formats");
}

fn without_data(_: &Env) {
    let name = plain(gl::RGBA8, gl::RGBA, BYTE);
    gl::ClearTexImage(name, 0, gl::RGBA, BYTE, [255_u8; 4].as_ptr().cast());
    gl::ClearTexImage(name, 0, gl::RGBA, BYTE, std::ptr::null());
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16), [[0; 4]; 16]);
}

fn faces(_: &Env) {
    let name = nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::TexImage2D(target, 0, gl::R8, 4, 4, 0, gl::RED, BYTE, [5_u8; 16].as_ptr().cast());
    }
    gl::ClearTexSubImage(name, 0, 0, 0, 2, 4, 4, 3, gl::RED, BYTE, [60_u8].as_ptr().cast());
    expect_no_error("faces two to four");
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let grey = if (2..5).contains(&face) { 60 } else { 5 };
        assert_eq!(texture_image::<u8>(target, 0, gl::RED, BYTE, 16), [grey; 16], "face {face}");
    }
    gl::ClearTexImage(name, 0, gl::RED, BYTE, [90_u8].as_ptr().cast());
    assert_eq!(texture_image::<u8>(gl::TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, gl::RED, BYTE, 16), [90; 16]);
}

fn samples(_: &Env) {
    let name = gallite_tests::draw::gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, name);
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, gl::RGBA8, 4, 4, gl::TRUE);
    gl::ClearTexImage(name, 0, gl::RGBA, gl::FLOAT, [0.0_f32, 1.0, 0.0, 1.0].as_ptr().cast());
    gl::ClearTexSubImage(name, 0, 2, 0, 0, 2, 4, 1, gl::RGBA, gl::FLOAT, [1.0_f32, 0.0, 0.0, 1.0].as_ptr().cast());
    expect_no_error("clears of samples");
    assert_eq!(lookup("sampler2DMS", "texelFetch(t, ivec2(1, 3), 2)"), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(lookup("sampler2DMS", "texelFetch(t, ivec2(2, 3), 3)"), [1.0, 0.0, 0.0, 1.0]);
}

fn errors(_: &Env) {
    let data = [0_u8; 16];
    let data = data.as_ptr().cast();
    gl::ClearTexImage(0, 0, gl::RGBA, BYTE, data);
    expect_error(gl::INVALID_OPERATION, "texture 0");
    let name = plain(gl::RGBA8, gl::RGBA, BYTE);
    gl::ClearTexImage(name, 1, gl::RGBA, BYTE, data);
    expect_error(gl::INVALID_OPERATION, "a level without image");
    gl::ClearTexImage(name, 0, gl::RGBA_INTEGER, BYTE, data);
    expect_error(gl::INVALID_OPERATION, "integers");
    gl::ClearTexImage(name, 0, gl::DEPTH_COMPONENT, gl::FLOAT, data);
    expect_error(gl::INVALID_OPERATION, "depth");
    gl::ClearTexImage(name, 0, gl::RGBA, gl::NONE, data);
    expect_error(gl::INVALID_ENUM, "no type");
    gl::ClearTexSubImage(name, 0, 3, 0, 0, 2, 1, 1, gl::RGBA, BYTE, data);
    expect_error(gl::INVALID_OPERATION, "a region outside");
    let buffer = nearest_buffer();
    gl::ClearTexImage(buffer, 0, gl::RGBA, BYTE, data);
    expect_error(gl::INVALID_OPERATION, "a buffer texture");
    let blocks = nearest(gl::TEXTURE_2D);
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, gl::COMPRESSED_RED_RGTC1, 4, 4, 0, 8, data);
    gl::ClearTexImage(blocks, 0, gl::RED, BYTE, data);
    expect_error(gl::INVALID_OPERATION, "a compressed texture");
}

fn nearest_buffer() -> u32 {
    let name = gallite_tests::draw::gen_texture();
    gl::BindTexture(gl::TEXTURE_BUFFER, name);
    name
}
