//! BPTC, ETC2 and EAC images: GL 4.6 core 8.7, appendices C.1 and D.2. Expected texels are those of the formats'
//! definitions.

use super::{level_parameter, lookup, nearest, texture_image};
use gallite_tests::draw::{
    Target, expect_error, expect_near, expect_no_error, gen_texture, get_i32, require_extension,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): etc2_colours, etc2_alpha, eac_channels, etc2_layers_and_faces, etc2_parts, etc2_copies, rgtc_layers;
    lesser core(3, 3): bptc_blocks, bptc_floats, bptc_from_plain_pixels, blocks_copy_to_plain_texels;
    every core(3, 3): etc2_errors, formats_are_listed;
}

/// Uploads blocks of a 4 x 4 image and gives back the bound texture.
#[track_caller]
pub fn upload(internal: u32, blocks: &[u8]) -> u32 {
    let name = nearest(gl::TEXTURE_2D);
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, blocks.len() as i32, blocks.as_ptr().cast());
    expect_no_error("glCompressedTexImage2D");
    assert_eq!(blocks_of(gl::TEXTURE_2D, blocks.len()), blocks, "{internal:#x}: the blocks come back");
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED), 1);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED_IMAGE_SIZE), blocks.len() as i32);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), internal as i32);
    name
}

#[track_caller]
pub fn blocks_of(target: u32, count: usize) -> Vec<u8> {
    let mut back = vec![0xA5_u8; count];
    gl::GetCompressedTexImage(target, 0, back.as_mut_ptr().cast());
    expect_no_error("glGetCompressedTexImage");
    back
}

#[track_caller]
pub fn texel(x: i32, y: i32) -> [f32; 4] {
    lookup("sampler2D", &format!("texelFetch(t, ivec2({x}, {y}), 0)"))
}

pub fn bytes(value: [u8; 4]) -> [f32; 4] {
    value.map(|v| f32::from(v) / 255.0)
}

/// Exact but for what half a step of a shader's arithmetic may lose.
#[track_caller]
fn expect_texels(expected: &[(i32, i32, [u8; 4])]) {
    for (x, y, value) in expected {
        expect_near(&texel(*x, *y), &bytes(*value), 0.0005);
    }
    let whole = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, 16);
    for (x, y, value) in expected {
        assert_eq!(whole[(y * 4 + x) as usize], *value, "glGetTexImage at {x}, {y}");
    }
}

/// 8.7: RGTC blocks in the layers of an array, replaced layer by layer; there are no blocks of one row.
fn rgtc_layers(_: &Env) {
    let internal = gl::COMPRESSED_RED_RGTC1;
    let block = |value: u8| [value, value, 0, 0, 0, 0, 0, 0];
    let blocks = [block(10), block(20), block(30)].concat();
    nearest(gl::TEXTURE_2D_ARRAY);
    gl::CompressedTexImage3D(gl::TEXTURE_2D_ARRAY, 0, internal, 4, 4, 3, 0, 24, blocks.as_ptr().cast());
    let new = [block(120), block(130)].concat();
    gl::CompressedTexSubImage3D(gl::TEXTURE_2D_ARRAY, 0, 0, 0, 1, 4, 4, 2, internal, 16, new.as_ptr().cast());
    expect_no_error("glCompressedTexSubImage3D");
    assert_eq!(blocks_of(gl::TEXTURE_2D_ARRAY, 24), [block(10), block(120), block(130)].concat());
    for (layer, value) in [(0, 10.0), (1, 120.0), (2, 130.0)] {
        let got = lookup("sampler2DArray", &format!("texelFetch(t, ivec3(3, 2, {layer}), 0)"));
        expect_near(&got, &[value / 255.0, 0.0, 0.0, 1.0], 0.0005);
    }
    gl::CompressedTexSubImage3D(gl::TEXTURE_2D_ARRAY, 0, 0, 0, 2, 4, 4, 2, internal, 16, new.as_ptr().cast());
    expect_error(gl::INVALID_VALUE, "a layer past the last");
    gl::CompressedTexSubImage3D(gl::TEXTURE_2D_ARRAY, 0, 0, 0, 1, 4, 4, 2, internal, 8, new.as_ptr().cast());
    expect_error(gl::INVALID_VALUE, "half of the bytes");
    nearest(gl::TEXTURE_1D);
    gl::CompressedTexImage1D(gl::TEXTURE_1D, 0, internal, 4, 0, 8, block(1).as_ptr().cast());
    expect_error(gl::INVALID_ENUM, "blocks in one dimension");
    gl::TexImage1D(gl::TEXTURE_1D, 0, gl::R8, 4, 0, gl::RED, gl::UNSIGNED_BYTE, block(7).as_ptr().cast());
    gl::CompressedTexSubImage1D(gl::TEXTURE_1D, 0, 0, 4, internal, 8, block(1).as_ptr().cast());
    let error = gl::GetError();
    assert!(matches!(error, gl::INVALID_ENUM | gl::INVALID_OPERATION), "blocks of no texture's format: {error:#x}");
    let texels = texture_image::<u8>(gl::TEXTURE_1D, 0, gl::RED, gl::UNSIGNED_BYTE, 4);
    assert_eq!(texels, [7, 7, 0, 0]);
}

/// A block written from its lowest bit on, as pairs of a value and its bits.
fn written(fields: &[(u128, u32)]) -> [u8; 16] {
    let mut at = 0;
    let mut block = 0;
    for (value, bits) in fields {
        block |= value << at;
        at += bits;
    }
    assert_eq!(at, 128);
    u128::to_le_bytes(block)
}

/// A block of BC7 in mode 6 between two colours of 7 bits a channel, the first with a last bit of 1, the second of 0.
fn bc7(first: [u128; 4], second: [u128; 4], indices: u128) -> [u8; 16] {
    let mut fields = vec![(1 << 6, 7)];
    for i in 0..4 {
        fields.extend([(first[i], 7), (second[i], 7)]);
    }
    fields.extend([(1, 1), (0, 1), (indices, 63)]);
    written(&fields)
}

/// Mode 6 of BC7: ends of 8 bits, fourteen steps between them. The first index has 3 bits, the others 4.
fn bptc_blocks(_: &Env) {
    require_extension("GL_ARB_texture_compression_bptc");
    // Texel 1 has index 15, texel 2 index 8, texel 4 index 3.
    let block = bc7([127, 0, 50, 127], [0, 64, 50, 32], 15 << 3 | 8 << 7 | 3 << 15);
    upload(gl::COMPRESSED_RGBA_BPTC_UNORM, &block);
    let mix = |a: u32, b: u32, weight: u32| ((a * (64 - weight) + b * weight + 32) / 64) as u8;
    let at = |weight| [mix(255, 0, weight), mix(1, 128, weight), mix(101, 100, weight), mix(255, 64, weight)];
    expect_texels(&[(0, 0, at(0)), (1, 0, at(64)), (2, 0, at(34)), (0, 1, at(13)), (3, 3, at(0))]);
    upload(gl::COMPRESSED_SRGB_ALPHA_BPTC_UNORM, &block);
    let [r, _, b, a] = bytes(at(0));
    let linear = |v: f32| if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    expect_near(&texel(0, 0), &[linear(r), linear(1.0 / 255.0), linear(b), a], 0.002);
    // A block of the reserved mode is transparent black.
    upload(gl::COMPRESSED_RGBA_BPTC_UNORM, &[0; 16]);
    expect_texels(&[(0, 0, [0; 4]), (3, 2, [0; 4])]);
}

/// The mode of BC6H with one line between channels of ten bits.
fn bptc_floats(_: &Env) {
    require_extension("GL_ARB_texture_compression_bptc");
    let block = |ends: [u128; 6], indices| {
        let mut fields = vec![(3, 5)];
        fields.extend(ends.map(|end| (end, 10)));
        fields.push((indices, 63));
        written(&fields)
    };
    // A channel c stands for (c * 64 + 32) * 31 / 64 as the bits of a half float: 496 for 0x3C07.
    let value = |bits: u32| f32::from_bits(((bits >> 10 & 31) + 112) << 23 | (bits & 0x3FF) << 13);
    let channel = |c: u32| value((c * 64 + 32) * 31 / 64);
    upload(gl::COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, &block([496, 520, 400, 300, 520, 1023], 15 << 3));
    expect_near(&texel(0, 0), &[channel(496), channel(520), channel(400), 1.0], 1e-6);
    let end = texel(1, 0);
    expect_near(&end[..2], &[channel(300), channel(520)], 1e-6);
    assert_eq!(end[2..], [65504.0, 1.0]);
    let whole = texture_image::<[f32; 3]>(gl::TEXTURE_2D, 0, gl::RGB, gl::FLOAT, 16);
    expect_near(&whole[0], &[channel(496), channel(520), channel(400)], 1e-6);
    // -256 of ten bits is minus (256 * 64 + 32) * 31 / 32.
    upload(gl::COMPRESSED_RGB_BPTC_SIGNED_FLOAT, &block([1024 - 256, 256, 0, 0, 0, 0], 0));
    let half = value((256 * 64 + 32) * 31 / 32);
    expect_near(&texel(0, 0), &[-half, half, 0.0, 1.0], 1e-6);
}

/// 8.5: plain pixels are compressed.
fn bptc_from_plain_pixels(_: &Env) {
    require_extension("GL_ARB_texture_compression_bptc");
    let (dark, light) = ([10_u8, 200, 30, 255], [250_u8, 100, 220, 128]);
    let pixels: Vec<[u8; 4]> = (0..16).map(|i| if i % 3 == 0 { dark } else { light }).collect();
    nearest(gl::TEXTURE_2D);
    let internal = gl::COMPRESSED_RGBA_BPTC_UNORM;
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, pixels.as_ptr().cast());
    expect_no_error("glTexImage2D");
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED), 1);
    expect_near(&texel(3, 0), &bytes(dark), 0.005);
    expect_near(&texel(1, 1), &bytes(light), 0.005);
    let blocks = blocks_of(gl::TEXTURE_2D, 16);
    upload(internal, &blocks);
    expect_near(&texel(2, 1), &bytes(dark), 0.005);
    for (internal, low) in
        [(gl::COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, 0.25_f32), (gl::COMPRESSED_RGB_BPTC_SIGNED_FLOAT, -3.0)]
    {
        let pixels: Vec<[f32; 3]> = (0..16).map(|i| [low, 100.0, if i < 8 { 0.5 } else { 2.0 }]).collect();
        nearest(gl::TEXTURE_2D);
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, gl::RGB, gl::FLOAT, pixels.as_ptr().cast());
        expect_no_error("glTexImage2D");
        expect_near(&texel(0, 0), &[low, 100.0, 0.5, 1.0], 4.0);
        let got = texel(3, 3);
        expect_near(&[got[0] / low, got[1] / 100.0, got[2] / 2.0], &[1.0; 3], 0.05);
    }
}

/// Big-endian fields of 64 bits: a value and its lowest bit.
fn etc(fields: &[(u64, u32)]) -> [u8; 8] {
    fields.iter().fold(0, |block, (value, at)| block | value << at).to_be_bytes()
}

/// Every mode of the colours.
fn etc2_colours(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    // Individual: 4 bits a channel, halves side by side; table 0 changes by 2 and 8, table 7 by 47 and 183.
    let individual = etc(&[(15, 60), (1, 56), (8, 52), (2, 48), (0, 44), (3, 40), (7, 34), (1 << 4, 16), (1 << 4, 0)]);
    // Texel (1, 0) is number 4: index 3, the larger change down.
    for internal in [gl::COMPRESSED_RGB8_ETC2, gl::COMPRESSED_SRGB8_ETC2] {
        upload(internal, &individual);
        let whole = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, 16);
        assert_eq!(whole[0], [255, 138, 2, 255]);
        assert_eq!(whole[1], [247, 128, 0, 255]);
        assert_eq!(whole[2], [64, 81, 98, 255]);
    }
    upload(gl::COMPRESSED_RGB8_ETC2, &individual);
    expect_texels(&[(0, 0, [255, 138, 2, 255]), (1, 0, [247, 128, 0, 255]), (2, 3, [64, 81, 98, 255])]);
    // Differential: 16 and a change of -4 are 132 and 99 of 255; halves one above the other.
    let differential = etc(&[(16, 59), (4, 56), (16, 51), (0, 48), (16, 43), (3, 40), (1, 33), (1, 32)]);
    upload(gl::COMPRESSED_RGB8_ETC2, &differential);
    expect_texels(&[(3, 1, [134, 134, 134, 255]), (0, 2, [101, 134, 158, 255])]);
    // T: red leaves its range. Colours of 4 bits: 9, 2, 3 and 4, 5, 6; distance 1 is 6.
    // The first colour's red is 10 01: bits 60, 59 and 57, 56. With bit 58 they are 2 and a change of -3.
    let t = etc(&[
        (0b10, 59),
        (1, 58),
        (0b01, 56),
        (2, 52),
        (3, 48),
        (4, 44),
        (5, 40),
        (6, 36),
        (1, 33),
        (1, 32),
        (1 << 4 | 1 << 8, 0),
        (1 << 8 | 1 << 12, 16),
    ]);
    upload(gl::COMPRESSED_RGB8_ETC2, &t);
    expect_texels(&[
        (0, 0, [153, 34, 51, 255]),
        (1, 0, [74, 91, 108, 255]),
        (2, 0, [62, 79, 96, 255]),
        (3, 0, [68, 85, 102, 255]),
    ]);
    // Planar: bit 42, which no colour uses, makes blue leave its range. A plane of red from 0 at the origin to 255 across, of green down.
    let planar = etc(&[(0b11111, 34), (1, 32), (1, 33), (127, 6), (1, 42)]);
    upload(gl::COMPRESSED_RGB8_ETC2, &planar);
    expect_texels(&[
        (0, 0, [0, 0, 0, 255]),
        (1, 0, [64, 0, 0, 255]),
        (3, 0, [191, 0, 0, 255]),
        (2, 2, [128, 128, 0, 255]),
    ]);
}

/// One bit of alpha, and alpha of 8 bits.
fn etc2_alpha(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    // The differential mode without its flag: index 2 is transparent, index 0 the colour itself.
    let punched = etc(&[(16, 59), (16, 51), (16, 43), (1 << 4, 16), (1 << 8, 0)]);
    upload(gl::COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, &punched);
    expect_texels(&[(0, 0, [132, 132, 132, 255]), (1, 0, [0; 4]), (2, 0, [140, 140, 140, 255])]);
    let opaque = etc(&[(16, 59), (16, 51), (16, 43), (1, 33), (1 << 4, 16), (1 << 8, 0)]);
    upload(gl::COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, &opaque);
    expect_texels(&[(0, 0, [134, 134, 134, 255]), (1, 0, [130, 130, 130, 255])]);
    // Base 128, a factor of 2, table 13: index 0 is -1, index 7 is 9, index 3 is -10.
    let alpha = etc(&[(128, 56), (2, 52), (13, 48), (7, 45 - 12), (3, 45 - 24)]);
    let whole = [alpha, etc(&[(16, 59), (16, 51), (16, 43), (1, 33)])].concat();
    upload(gl::COMPRESSED_RGBA8_ETC2_EAC, &whole);
    expect_texels(&[(0, 0, [134, 134, 134, 126]), (1, 0, [134, 134, 134, 146]), (2, 0, [134, 134, 134, 108])]);
    upload(gl::COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, &whole);
    let linear = ((134.0 / 255.0 + 0.055) / 1.055_f32).powf(2.4);
    expect_near(&texel(1, 0), &[linear, linear, linear, 146.0 / 255.0], 0.002);
}

/// Channels of 11 bits are exact to their last bit.
fn eac_channels(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    // Base 100, a factor of 3, table 0: -3, and 14 for index 7.
    let red = etc(&[(100, 56), (3, 52), (7, 45 - 12)]);
    // Base 0 without a factor: 4 - 3 and 4 + 14.
    let green = etc(&[(7, 45 - 12)]);
    let unsigned = |v: f32| v / 2047.0;
    let (r, g) = ([804.0 - 72.0, 804.0 + 336.0], [1.0, 18.0]);
    upload(gl::COMPRESSED_R11_EAC, &red);
    expect_near(&texel(0, 0), &[unsigned(r[0]), 0.0, 0.0, 1.0], 1.0 / 65535.0);
    expect_near(&texel(1, 0), &[unsigned(r[1]), 0.0, 0.0, 1.0], 1.0 / 65535.0);
    upload(gl::COMPRESSED_RG11_EAC, &[red, green].concat());
    expect_near(&texel(0, 0), &[unsigned(r[0]), unsigned(g[0]), 0.0, 1.0], 1.0 / 65535.0);
    expect_near(&texel(1, 0), &[unsigned(r[1]), unsigned(g[1]), 0.0, 1.0], 1.0 / 65535.0);
    let read = texture_image::<[f32; 2]>(gl::TEXTURE_2D, 0, gl::RG, gl::FLOAT, 16);
    expect_near(&read[1], &[unsigned(r[1]), unsigned(g[1])], 1.0 / 65535.0);
    // Signed: base -100 and -128, which is -127.
    let negative = etc(&[(256 - 100, 56), (3, 52), (7, 45 - 12)]);
    let lowest = etc(&[(128, 56), (1, 52), (13, 48), (4, 45 - 12)]);
    let signed = |v: f32| v / 1023.0;
    upload(gl::COMPRESSED_SIGNED_R11_EAC, &negative);
    expect_near(&texel(0, 0), &[signed(-872.0), 0.0, 0.0, 1.0], 1.0 / 32767.0);
    expect_near(&texel(1, 0), &[signed(-464.0), 0.0, 0.0, 1.0], 1.0 / 32767.0);
    upload(gl::COMPRESSED_SIGNED_RG11_EAC, &[negative, lowest].concat());
    expect_near(&texel(0, 0), &[signed(-872.0), -1.0, 0.0, 1.0], 1.0 / 32767.0);
    expect_near(&texel(1, 0), &[signed(-464.0), signed(-1016.0), 0.0, 1.0], 1.0 / 32767.0);
}

/// A block of one grey.
fn grey(five_bits: u64) -> [u8; 8] {
    etc(&[(five_bits, 59), (five_bits, 51), (five_bits, 43), (1, 33)])
}

/// What [`grey`] shows.
fn shown(five_bits: u32) -> [f32; 4] {
    let value = (five_bits << 3 | five_bits >> 2) as f32 + 2.0;
    [value / 255.0, value / 255.0, value / 255.0, 1.0]
}

fn etc2_layers_and_faces(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let internal = gl::COMPRESSED_RGB8_ETC2;
    let blocks = [grey(4), grey(10), grey(20)].concat();
    nearest(gl::TEXTURE_2D_ARRAY);
    gl::CompressedTexImage3D(gl::TEXTURE_2D_ARRAY, 0, internal, 4, 4, 3, 0, 24, blocks.as_ptr().cast());
    expect_no_error("glCompressedTexImage3D");
    for (layer, level) in [(0, 4), (1, 10), (2, 20)] {
        let fetch = format!("texelFetch(t, ivec3(1, 2, {layer}), 0)");
        expect_near(&lookup("sampler2DArray", &fetch), &shown(level), 0.0005);
    }
    assert_eq!(blocks_of(gl::TEXTURE_2D_ARRAY, 24), blocks);
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::CompressedTexImage2D(target, 0, internal, 4, 4, 0, 8, grey(u64::from(face) * 4).as_ptr().cast());
    }
    expect_no_error("faces");
    expect_near(&lookup("samplerCube", "texture(t, vec3(0.0, -1.0, 0.0))"), &shown(12), 0.0005);
    assert_eq!(blocks_of(gl::TEXTURE_CUBE_MAP_NEGATIVE_Z, 8), grey(20));
    // An image that is no multiple of a block, in immutable storage.
    nearest(gl::TEXTURE_2D);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, internal, 6, 5);
    assert_eq!(blocks_of(gl::TEXTURE_2D, 32).len(), 32);
    let blocks = [grey(1), grey(2), grey(3), grey(5)].concat();
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 6, 5, internal, 32, blocks.as_ptr().cast());
    expect_no_error("glCompressedTexSubImage2D");
    expect_near(&texel(5, 4), &shown(5), 0.0005);
    expect_near(&texel(3, 4), &shown(3), 0.0005);
}

fn etc2_parts(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let internal = gl::COMPRESSED_RGB8_ETC2;
    let mut blocks = [grey(1), grey(2), grey(3), grey(4)].concat();
    nearest(gl::TEXTURE_2D);
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 8, 8, 0, 32, blocks.as_ptr().cast());
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 4, 0, 4, 4, internal, 8, grey(30).as_ptr().cast());
    expect_no_error("glCompressedTexSubImage2D");
    blocks[8..16].copy_from_slice(&grey(30));
    assert_eq!(blocks_of(gl::TEXTURE_2D, 32), blocks);
    expect_near(&texel(7, 3), &shown(30), 0.0005);
    expect_near(&texel(3, 3), &shown(1), 0.0005);
    expect_near(&texel(4, 4), &shown(4), 0.0005);
}

/// 18.3.3: images of one format are copied bit for bit.
fn etc2_copies(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    require_extension("GL_ARB_copy_image");
    let internal = gl::COMPRESSED_RGB8_ETC2;
    let make = |blocks: &[u8]| {
        let name = nearest(gl::TEXTURE_2D);
        gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 8, 4, 0, 16, blocks.as_ptr().cast());
        name
    };
    let from = make(&[grey(8), grey(16)].concat());
    let to = make(&[grey(1), grey(2)].concat());
    gl::CopyImageSubData(from, gl::TEXTURE_2D, 0, 4, 0, 0, to, gl::TEXTURE_2D, 0, 0, 0, 0, 4, 4, 1);
    expect_no_error("glCopyImageSubData");
    assert_eq!(blocks_of(gl::TEXTURE_2D, 16), [grey(16), grey(2)].concat());
    expect_near(&texel(2, 2), &shown(16), 0.0005);
    expect_near(&texel(5, 2), &shown(2), 0.0005);
}

/// 18.3.3: a block of 16 bytes is a texel of 128 bits.
fn blocks_copy_to_plain_texels(_: &Env) {
    require_extension("GL_ARB_texture_compression_bptc");
    require_extension("GL_ARB_copy_image");
    let block = bc7([127, 0, 50, 127], [0, 64, 50, 32], 15 << 3);
    let compressed = upload(gl::COMPRESSED_RGBA_BPTC_UNORM, &block);
    let plain = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, plain);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::RGBA32UI, 2, 1);
    gl::CopyImageSubData(compressed, gl::TEXTURE_2D, 0, 0, 0, 0, plain, gl::TEXTURE_2D, 0, 1, 0, 0, 4, 4, 1);
    expect_no_error("to plain texels");
    let read = texture_image::<[u8; 16]>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::UNSIGNED_INT, 2);
    assert_eq!(read[1], block);
    let other = bc7([0, 127, 0, 127], [0, 127, 0, 127], 0);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 1, 1, gl::RGBA_INTEGER, gl::UNSIGNED_INT, other.as_ptr().cast());
    gl::CopyImageSubData(plain, gl::TEXTURE_2D, 0, 0, 0, 0, compressed, gl::TEXTURE_2D, 0, 0, 0, 0, 1, 1, 1);
    expect_no_error("from plain texels");
    gl::BindTexture(gl::TEXTURE_2D, compressed);
    assert_eq!(blocks_of(gl::TEXTURE_2D, 16), other);
    expect_near(&texel(3, 0), &bytes([1, 255, 1, 255]), 0.0005);
}

/// 8.5 to 8.7: ETC2 images come from blocks alone and are two-dimensional.
fn etc2_errors(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let internal = gl::COMPRESSED_RGBA8_ETC2_EAC;
    let pixels = [0_u8; 64];
    let data = pixels.as_ptr().cast();
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, data);
    expect_error(gl::INVALID_OPERATION, "plain pixels");
    let _target = Target::new(4, 4);
    nearest(gl::TEXTURE_2D);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, internal, 0, 0, 4, 4, 0);
    expect_error(gl::INVALID_OPERATION, "a copy of the framebuffer");
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, 16, data);
    expect_no_error("blocks");
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, data);
    expect_error(gl::INVALID_OPERATION, "a part of plain pixels");
    gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    expect_error(gl::INVALID_OPERATION, "a part of the framebuffer");
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, 15, data);
    expect_error(gl::INVALID_VALUE, "too few bytes");
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 1, 0, 3, 4, internal, 16, data);
    expect_error(gl::INVALID_OPERATION, "a part of a block");
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 4, 4, gl::COMPRESSED_RG11_EAC, 16, data);
    expect_error(gl::INVALID_OPERATION, "another format");
    nearest(gl::TEXTURE_3D);
    gl::CompressedTexImage3D(gl::TEXTURE_3D, 0, internal, 4, 4, 1, 0, 16, data);
    expect_error(gl::INVALID_OPERATION, "three dimensions");
}

/// GL 4.6 core table 23.67: at least 18 specific compressed formats.
fn formats_are_listed(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let count = get_i32(gl::NUM_COMPRESSED_TEXTURE_FORMATS);
    assert!(count >= 18, "{count}");
    let mut all = vec![0; count as usize];
    gl::GetIntegerv(gl::COMPRESSED_TEXTURE_FORMATS, all.as_mut_ptr());
    for internal in [gl::COMPRESSED_R11_EAC, gl::COMPRESSED_RGB8_ETC2, gl::COMPRESSED_RGBA_BPTC_UNORM] {
        assert!(all.contains(&(internal as i32)), "{internal:#x}");
        let mut values = [0];
        let query = |name, values: &mut [i32; 1]| {
            gl::GetInternalformativ(gl::TEXTURE_2D, internal, name, 1, values.as_mut_ptr());
            values[0]
        };
        assert_eq!(query(gl::INTERNALFORMAT_SUPPORTED, &mut values), 1);
        assert_eq!(query(gl::TEXTURE_COMPRESSED, &mut values), 1);
        assert_eq!(query(gl::TEXTURE_COMPRESSED_BLOCK_WIDTH, &mut values), 4);
    }
}
