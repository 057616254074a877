//! S3TC images: EXT_texture_compression_s3tc, EXT_texture_compression_dxt1 and the sRGB formats of EXT_texture_sRGB. Expected
//! texels are those of the formats' definitions.

use super::compressed::{blocks_of, bytes, texel, upload};
use super::{level_parameter, lookup, nearest, texture_image};
use gallite_tests::draw::{
    Target, expect_error, expect_near, expect_no_error, get_i32, has_extension, require_extension,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): colours, explicit_alpha, interpolated_alpha, srgb_blocks, from_plain_pixels, layers_and_parts,
        copies_and_levels;
    every core(3, 3): refused, listed;
}

fn require() {
    require_extension("GL_EXT_texture_compression_s3tc");
}

/// Exact where they are decoded to memory; a device may round what lies between two colours to the next lower step.
#[track_caller]
fn expect_texels(expected: &[(i32, i32, [u8; 4])]) {
    let whole = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, 16);
    for (x, y, value) in expected {
        assert_eq!(whole[(y * 4 + x) as usize], *value, "glGetTexImage at {x}, {y}");
        expect_near(&texel(*x, *y), &bytes(*value), 1.5 / 255.0);
    }
}

/// Two colours of 5, 6 and 5 bits, and the lowest row of indices; the others are of the first colour.
fn colours_block(first: u16, second: u16, row: [u8; 4]) -> [u8; 8] {
    let [a, b] = [first, second].map(u16::to_le_bytes);
    let indices = row.iter().rev().fold(0, |byte, index| byte << 2 | index);
    [a[0], a[1], b[0], b[1], indices, 0, 0, 0]
}

const RED: u16 = 31 << 11;
const BLUE: u16 = 31;

fn colours(_: &Env) {
    require();
    let row = [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]];
    let at = |row: [[u8; 4]; 4]| [0, 1, 2, 3].map(|x| (x, 0, row[x as usize]));
    for internal in [gl::COMPRESSED_RGB_S3TC_DXT1_EXT, gl::COMPRESSED_RGBA_S3TC_DXT1_EXT] {
        upload(internal, &colours_block(RED, BLUE, [0, 1, 2, 3]));
        expect_texels(&at(row));
        expect_texels(&[(2, 3, row[0])]);
    }
    // The smaller first: a third colour between the two, and black, which is clear where there is alpha.
    let grey = 16 << 11 | 32 << 5 | 16;
    let block = colours_block(0, grey, [0, 1, 2, 3]);
    upload(gl::COMPRESSED_RGB_S3TC_DXT1_EXT, &block);
    expect_texels(&at([[0, 0, 0, 255], [132, 130, 132, 255], [66, 65, 66, 255], [0, 0, 0, 255]]));
    upload(gl::COMPRESSED_RGBA_S3TC_DXT1_EXT, &block);
    expect_texels(&at([[0, 0, 0, 255], [132, 130, 132, 255], [66, 65, 66, 255], [0; 4]]));
}

/// The colours' block has four colours whichever is the larger.
fn explicit_alpha(_: &Env) {
    require();
    let alphas = [0x10_u8, 0xF8, 0, 0, 0, 0, 0, 0x70];
    let block = [alphas, colours_block(BLUE, RED, [0, 1, 2, 3])].concat();
    upload(gl::COMPRESSED_RGBA_S3TC_DXT3_EXT, &block);
    expect_texels(&[
        (0, 0, [0, 0, 255, 0]),
        (1, 0, [255, 0, 0, 17]),
        (2, 0, [85, 0, 170, 136]),
        (3, 0, [170, 0, 85, 255]),
        (3, 3, [0, 0, 255, 119]),
    ]);
}

fn interpolated_alpha(_: &Env) {
    require();
    // Indices of three bits: 0, 1, 2, 7.
    let indices = (1_u64 << 3 | 2 << 6 | 7 << 9).to_le_bytes();
    let alpha = |ends: [u8; 2]| [&ends[..], &indices[..6]].concat();
    let colours = colours_block(RED, BLUE, [0, 1, 2, 3]);
    upload(gl::COMPRESSED_RGBA_S3TC_DXT5_EXT, &[alpha([210, 0]), colours.to_vec()].concat());
    expect_texels(&[
        (0, 0, [255, 0, 0, 210]),
        (1, 0, [0, 0, 255, 0]),
        (2, 0, [170, 0, 85, 180]),
        (3, 0, [85, 0, 170, 30]),
        (1, 2, [255, 0, 0, 210]),
    ]);
    upload(gl::COMPRESSED_RGBA_S3TC_DXT5_EXT, &[alpha([0, 200]), colours.to_vec()].concat());
    expect_texels(&[(0, 0, [255, 0, 0, 0]), (2, 0, [170, 0, 85, 40]), (3, 0, [85, 0, 170, 255])]);
}

fn srgb_blocks(_: &Env) {
    require();
    require_extension("GL_EXT_texture_sRGB");
    let linear = |v: f32| ((v / 255.0 + 0.055) / 1.055).powf(2.4);
    let colours = colours_block(RED, BLUE, [0, 1, 2, 3]);
    let opaque = [[0xFF; 8], colours].concat();
    for (internal, block) in [
        (gl::COMPRESSED_SRGB_S3TC_DXT1_EXT, &colours[..]),
        (gl::COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, &colours),
        (gl::COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, &opaque),
    ] {
        upload(internal, block);
        expect_near(&texel(2, 0), &[linear(170.0), 0.0, linear(85.0), 1.0], 0.01);
    }
    upload(gl::COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, &[[51, 51, 0, 0, 0, 0, 0, 0], colours].concat());
    expect_near(&texel(3, 0), &[linear(85.0), 0.0, linear(170.0), 0.2], 0.01);
}

/// 8.5: plain pixels are compressed.
fn from_plain_pixels(_: &Env) {
    require();
    let dark = [8_u8, 200, 33, 255];
    for (internal, given, expected) in [
        (gl::COMPRESSED_RGB_S3TC_DXT1_EXT, 68, 255),
        (gl::COMPRESSED_RGBA_S3TC_DXT1_EXT, 0, 0),
        (gl::COMPRESSED_RGBA_S3TC_DXT3_EXT, 68, 68),
        (gl::COMPRESSED_RGBA_S3TC_DXT5_EXT, 70, 70),
    ] {
        let pixels: Vec<[u8; 4]> = (0..16).map(|i| if i % 3 == 0 { dark } else { [247, 101, 222, given] }).collect();
        nearest(gl::TEXTURE_2D);
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, pixels.as_ptr().cast());
        expect_no_error("glTexImage2D");
        assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED), 1);
        expect_near(&texel(3, 0), &bytes(dark), 0.02);
        let light = texel(1, 1);
        expect_near(&light[3..], &[f32::from(expected as u8) / 255.0], 0.005);
        // What is clear may have lost its colour.
        if expected != 0 {
            expect_near(&light[..3], &bytes([247, 101, 222, 0])[..3], 0.02);
        }
        // The blocks are the image.
        let size = level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED_IMAGE_SIZE);
        let blocks = blocks_of(gl::TEXTURE_2D, size as usize);
        upload(internal, &blocks);
        expect_near(&texel(2, 1), &bytes(dark), 0.02);
    }
}

fn layers_and_parts(_: &Env) {
    require();
    let internal = gl::COMPRESSED_RGB_S3TC_DXT1_EXT;
    let plain = |colour| colours_block(colour, 0, [0; 4]);
    let mut blocks = [plain(RED), plain(BLUE), plain(RED), plain(RED)].concat();
    nearest(gl::TEXTURE_2D_ARRAY);
    gl::CompressedTexImage3D(gl::TEXTURE_2D_ARRAY, 0, internal, 8, 4, 2, 0, 32, blocks.as_ptr().cast());
    gl::CompressedTexSubImage3D(gl::TEXTURE_2D_ARRAY, 0, 4, 0, 1, 4, 4, 1, internal, 8, plain(63 << 5).as_ptr().cast());
    expect_no_error("layers");
    blocks[24..].copy_from_slice(&plain(63 << 5));
    assert_eq!(blocks_of(gl::TEXTURE_2D_ARRAY, 32), blocks);
    let layer = |x: i32, layer: i32| lookup("sampler2DArray", &format!("texelFetch(t, ivec3({x}, 1, {layer}), 0)"));
    assert_eq!(layer(1, 0), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(layer(5, 0), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(layer(5, 1), [0.0, 1.0, 0.0, 1.0]);
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let colour = if face == 3 { BLUE } else { RED };
        gl::CompressedTexImage2D(target, 0, internal, 4, 4, 0, 8, plain(colour).as_ptr().cast());
    }
    expect_no_error("faces");
    assert_eq!(lookup("samplerCube", "texture(t, vec3(0.0, -1.0, 0.0))"), [0.0, 0.0, 1.0, 1.0]);
    // An image that is no multiple of a block, whose last row of blocks is replaced.
    nearest(gl::TEXTURE_2D);
    let blocks = [plain(RED); 4].concat();
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 6, 5, 0, 32, blocks.as_ptr().cast());
    let row = [plain(BLUE); 2].concat();
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 0, 4, 6, 1, internal, 16, row.as_ptr().cast());
    expect_no_error("parts");
    assert_eq!((texel(5, 3)[0], texel(5, 4)[2]), (1.0, 1.0));
}

/// Copies of the framebuffer are compressed, and so are levels that are made.
fn copies_and_levels(_: &Env) {
    require();
    let target = Target::new(8, 8);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    for internal in [gl::COMPRESSED_RGB_S3TC_DXT1_EXT, gl::COMPRESSED_RGBA_S3TC_DXT5_EXT] {
        target.bind();
        nearest(gl::TEXTURE_2D);
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, internal, 0, 0, 8, 8, 0);
        expect_no_error("glCopyTexImage2D");
        assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED), 1);
        assert_eq!(texel(7, 1), [0.0, 1.0, 0.0, 1.0]);
        gl::GenerateMipmap(gl::TEXTURE_2D);
        expect_no_error("glGenerateMipmap");
        assert_eq!(level_parameter(gl::TEXTURE_2D, 1, gl::TEXTURE_INTERNAL_FORMAT), internal as i32);
        gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
        assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 2)"), [0.0, 1.0, 0.0, 1.0]);
    }
}

fn refused(_: &Env) {
    require();
    let (internal, data) = (gl::COMPRESSED_RGBA_S3TC_DXT5_EXT, [0_u8; 64]);
    let data = data.as_ptr().cast();
    nearest(gl::TEXTURE_2D);
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 8, 4, 0, 16, data);
    expect_error(gl::INVALID_VALUE, "half of the bytes");
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 8, 4, 0, 32, data);
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 2, 0, 4, 4, internal, 16, data);
    expect_error(gl::INVALID_OPERATION, "parts of blocks");
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 2, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, data);
    expect_error(gl::INVALID_OPERATION, "plain pixels in parts of blocks");
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 4, 4, gl::COMPRESSED_RGBA_S3TC_DXT3_EXT, 16, data);
    expect_error(gl::INVALID_OPERATION, "another format");
    nearest(gl::TEXTURE_3D);
    gl::CompressedTexImage3D(gl::TEXTURE_3D, 0, internal, 4, 4, 1, 0, 16, data);
    expect_error(gl::INVALID_OPERATION, "three dimensions");
    nearest(gl::TEXTURE_1D);
    gl::CompressedTexImage1D(gl::TEXTURE_1D, 0, internal, 4, 0, 16, data);
    expect_error(gl::INVALID_ENUM, "one dimension");
}

/// What one must know to use, as holes in colours, is not listed.
fn listed(_: &Env) {
    require();
    assert!(has_extension("GL_EXT_texture_compression_dxt1"));
    let mut all = vec![0; get_i32(gl::NUM_COMPRESSED_TEXTURE_FORMATS) as usize];
    gl::GetIntegerv(gl::COMPRESSED_TEXTURE_FORMATS, all.as_mut_ptr());
    let has = |internal: u32| all.contains(&(internal as i32));
    assert!(has(gl::COMPRESSED_RGB_S3TC_DXT1_EXT));
    assert!(has(gl::COMPRESSED_RGBA_S3TC_DXT3_EXT) && has(gl::COMPRESSED_RGBA_S3TC_DXT5_EXT));
    assert!(!has(gl::COMPRESSED_RGBA_S3TC_DXT1_EXT));
    if has_extension("GL_ARB_internalformat_query2") {
        for internal in [gl::COMPRESSED_RGBA_S3TC_DXT1_EXT, gl::COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT] {
            let query = |name| {
                let mut value = -1;
                gl::GetInternalformativ(gl::TEXTURE_2D, internal, name, 1, &mut value);
                value
            };
            assert_eq!(query(gl::INTERNALFORMAT_SUPPORTED), 1);
            assert_eq!(query(gl::TEXTURE_COMPRESSED_BLOCK_WIDTH), 4);
        }
    }
}
