//! Internal formats: GL 3.3 core tables 3.12 and 3.13. Each is uploaded, sampled, rendered to and read back.

use super::{level_parameter, lookup, lookup_int, lookup_uint, nearest, texture_image};
use gallite_tests::draw::{
    Target, expect_near, expect_no_error, framebuffer_status, gen_framebuffer, quad, read_pixels, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): normalized, signed_normalized, floats, shared_exponent, srgb_decodes, signed_integers,
        unsigned_integers, depth, packed_depth_stencil, stencil_of_a_texture_reads_back, rgtc_blocks,
        rgtc_from_plain_pixels, generic_compressed, normalized_are_rendered, floats_are_rendered,
        integers_are_rendered, rgb_never_shows_another_alpha;
    every core(3, 3): component_sizes_and_types, signed_formats_without_a_size;
}

/// Internal format, components, bits of each.
type Row = (u32, usize, [i32; 4]);

const NORMALIZED: [Row; 19] = [
    (gl::RED, 1, [8, 0, 0, 0]),
    (gl::RG, 2, [8, 8, 0, 0]),
    (gl::RGB, 3, [8, 8, 8, 0]),
    (gl::RGBA, 4, [8, 8, 8, 8]),
    (gl::R8, 1, [8, 0, 0, 0]),
    (gl::R16, 1, [16, 0, 0, 0]),
    (gl::RG8, 2, [8, 8, 0, 0]),
    (gl::RG16, 2, [16, 16, 0, 0]),
    (gl::RGB5, 3, [5, 5, 5, 0]),
    (gl::RGB8, 3, [8, 8, 8, 0]),
    (gl::RGB10, 3, [10, 10, 10, 0]),
    (gl::RGB12, 3, [12, 12, 12, 0]),
    (gl::RGB16, 3, [16, 16, 16, 0]),
    (gl::RGBA4, 4, [4, 4, 4, 4]),
    (gl::RGB5_A1, 4, [5, 5, 5, 1]),
    (gl::RGBA8, 4, [8, 8, 8, 8]),
    (gl::RGB10_A2, 4, [10, 10, 10, 2]),
    (gl::RGBA12, 4, [12, 12, 12, 12]),
    (gl::RGBA16, 4, [16, 16, 16, 16]),
];

const SIGNED: [Row; 8] = [
    (gl::R8_SNORM, 1, [8, 0, 0, 0]),
    (gl::RG8_SNORM, 2, [8, 8, 0, 0]),
    (gl::RGB8_SNORM, 3, [8, 8, 8, 0]),
    (gl::RGBA8_SNORM, 4, [8, 8, 8, 8]),
    (gl::R16_SNORM, 1, [16, 0, 0, 0]),
    (gl::RG16_SNORM, 2, [16, 16, 0, 0]),
    (gl::RGB16_SNORM, 3, [16, 16, 16, 0]),
    (gl::RGBA16_SNORM, 4, [16, 16, 16, 16]),
];

const FLOATS: [Row; 9] = [
    (gl::R16F, 1, [16, 0, 0, 0]),
    (gl::RG16F, 2, [16, 16, 0, 0]),
    (gl::RGB16F, 3, [16, 16, 16, 0]),
    (gl::RGBA16F, 4, [16, 16, 16, 16]),
    (gl::R32F, 1, [32, 0, 0, 0]),
    (gl::RG32F, 2, [32, 32, 0, 0]),
    (gl::RGB32F, 3, [32, 32, 32, 0]),
    (gl::RGBA32F, 4, [32, 32, 32, 32]),
    (gl::R11F_G11F_B10F, 3, [11, 11, 10, 0]),
];

const INTEGERS: [(u32, u32, usize, u32); 12] = [
    (gl::R8I, gl::R8UI, 1, 8),
    (gl::RG8I, gl::RG8UI, 2, 8),
    (gl::RGB8I, gl::RGB8UI, 3, 8),
    (gl::RGBA8I, gl::RGBA8UI, 4, 8),
    (gl::R16I, gl::R16UI, 1, 16),
    (gl::RG16I, gl::RG16UI, 2, 16),
    (gl::RGB16I, gl::RGB16UI, 3, 16),
    (gl::RGBA16I, gl::RGBA16UI, 4, 16),
    (gl::R32I, gl::R32UI, 1, 32),
    (gl::RG32I, gl::RG32UI, 2, 32),
    (gl::RGB32I, gl::RGB32UI, 3, 32),
    (gl::RGBA32I, gl::RGBA32UI, 4, 32),
];

/// Components a format lacks read as 0, alpha as 1 (table 3.11 and 3.8.14).
fn complete<T: Copy>(value: [T; 4], components: usize, zero: T, one: T) -> [T; 4] {
    std::array::from_fn(|i| {
        if i < components {
            value[i]
        } else if i == 3 {
            one
        } else {
            zero
        }
    })
}

fn upload<T: Copy>(internal: u32, format: u32, kind: u32, texels: &[T]) -> u32 {
    let name = nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 2, 1, 0, format, kind, texels.as_ptr().cast());
    expect_no_error("glTexImage2D");
    name
}

/// Uploads two float texels, samples them and reads them back; each component at most `tolerance(bits)` off.
#[track_caller]
fn check_float(rows: &[Row], texels: [[f32; 4]; 2], tolerance: impl Fn(i32) -> f32) {
    for (internal, components, bits) in rows {
        let name = upload(*internal, gl::RGBA, gl::FLOAT, &texels);
        let read = texture_image::<[f32; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, gl::FLOAT, 2);
        for x in 0..2 {
            let expected = complete(texels[x], *components, 0.0, 1.0);
            let sampled = lookup("sampler2D", &format!("texelFetch(t, ivec2({x}, 0), 0)"));
            for i in 0..4 {
                let limit = if bits[i] == 0 { 0.0 } else { tolerance(bits[i]) };
                for got in [sampled, read[x]] {
                    let off = (got[i] - expected[i]).abs();
                    assert!(off <= limit, "format {internal:#x} component {i}: {got:?}, expected {expected:?}");
                }
            }
        }
        gl::DeleteTextures(1, &name);
    }
}

fn normalized(_: &Env) {
    let texels = [[0.25, 0.75, 0.6, 1.0], [1.0, 0.0, 0.1, 0.0]];
    check_float(&NORMALIZED, texels, |bits| 0.5001 / ((1 << bits) - 1) as f32 + 1e-6);
}

fn signed_normalized(_: &Env) {
    let texels = [[-1.0, 0.25, -0.5, 0.75], [1.0, 0.0, -0.1, -1.0]];
    check_float(&SIGNED, texels, |bits| 0.5001 / ((1 << (bits - 1)) - 1) as f32 + 1e-6);
}

/// 2.1.1 to 2.1.4: values that all of these formats hold exactly.
fn floats(_: &Env) {
    check_float(&FLOATS, [[0.5, 1024.0, 3.0, 2.0], [0.0, 65024.0, 0.125, 1.0]], |_| 0.0);
}

fn shared_exponent(_: &Env) {
    upload(gl::RGB9_E5, gl::RGB, gl::FLOAT, &[[0.5_f32, 64.0, 1.0], [1.0e9, -3.0, 0.0]]);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &[0.5, 64.0, 1.0, 1.0], 0.0);
    // 3.8.3: values are clamped to 0 and to the largest one, 65408.
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 0)"), &[65408.0, 0.0, 0.0, 1.0], 0.0);
    let packed = [(9_u32) | 18 << 9 | 27 << 18 | 20 << 27; 2];
    upload(gl::RGB9_E5, gl::RGB, gl::UNSIGNED_INT_5_9_9_9_REV, &packed);
    // The exponent's bias is 15 and the mantissa has 9 bits: 2^(20 - 15 - 9).
    let unit = 2.0_f32.powi(-4);
    let expected = [9.0 * unit, 18.0 * unit, 27.0 * unit, 1.0];
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 0)"), &expected, 0.0);
}

/// 3.8.16: red, green and blue are decoded, alpha is not; reading back does not decode.
fn srgb_decodes(_: &Env) {
    for (internal, alpha) in [(gl::SRGB8_ALPHA8, 128.0 / 255.0), (gl::SRGB8, 1.0), (gl::SRGB_ALPHA, 128.0 / 255.0)] {
        upload(internal, gl::RGBA, gl::UNSIGNED_BYTE, &[[255_u8, 188, 10, 128], [0, 0, 0, 0]]);
        let expected = [1.0, 0.502_886, 0.003_035, alpha];
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &expected, 0.002);
        let read = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, 2);
        assert_eq!(read[0], [255, 188, 10, (alpha * 255.0) as u8]);
    }
}

fn signed_integers(_: &Env) {
    for (internal, _, components, bits) in INTEGERS {
        let (low, high) = (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1);
        let texel = [low as i32, high as i32, -1, 5];
        upload(internal, gl::RGBA_INTEGER, gl::INT, &[[0; 4], texel]);
        let expected = complete(texel, components, 0, 1);
        assert_eq!(lookup_int("isampler2D", "texelFetch(t, ivec2(1, 0), 0)"), expected, "{internal:#x}");
        assert_eq!(texture_image::<[i32; 4]>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::INT, 2)[1], expected);
    }
}

fn unsigned_integers(_: &Env) {
    for (_, internal, components, bits) in INTEGERS {
        let texel = [u32::MAX >> (32 - bits), 0, 77, 5];
        upload(internal, gl::RGBA_INTEGER, gl::UNSIGNED_INT, &[[0; 4], texel]);
        let expected = complete(texel, components, 0, 1);
        assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(1, 0), 0)"), expected, "{internal:#x}");
        let read = texture_image::<[u32; 4]>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::UNSIGNED_INT, 2);
        assert_eq!(read[1], expected);
    }
    let packed = [1023_u32 | 512 << 10 | 3 << 20 | 2 << 30; 2];
    upload(gl::RGB10_A2UI, gl::RGBA_INTEGER, gl::UNSIGNED_INT_2_10_10_10_REV, &packed);
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(0, 0), 0)"), [1023, 512, 3, 2]);
    let kind = gl::UNSIGNED_INT_2_10_10_10_REV;
    assert_eq!(texture_image::<u32>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, kind, 2), packed);
}

/// 3.8.5: a depth texture is sampled as (d, 0, 0, 1) in the core profile.
fn depth(_: &Env) {
    for (internal, tolerance) in [
        (gl::DEPTH_COMPONENT, 1e-4),
        (gl::DEPTH_COMPONENT16, 1.0 / 65535.0),
        (gl::DEPTH_COMPONENT24, 1e-6),
        (gl::DEPTH_COMPONENT32, 1e-6),
        (gl::DEPTH_COMPONENT32F, 0.0),
    ] {
        upload(internal, gl::DEPTH_COMPONENT, gl::FLOAT, &[0.25_f32, 1.0]);
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &[0.25, 0.0, 0.0, 1.0], tolerance);
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 0)"), &[1.0, 0.0, 0.0, 1.0], 0.0);
        let read = texture_image::<f32>(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT, gl::FLOAT, 2);
        expect_near(&read, &[0.25, 1.0], tolerance);
    }
}

fn packed_depth_stencil(_: &Env) {
    let packed = [0x400000_u32 << 8 | 0x5a, 0xffffff00 | 3];
    upload(gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, &packed);
    let kind = gl::UNSIGNED_INT_24_8;
    assert_eq!(texture_image::<u32>(gl::TEXTURE_2D, 0, gl::DEPTH_STENCIL, kind, 2), packed);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &[0.25, 0.0, 0.0, 1.0], 1e-6);
    // Stencil in the low byte of the second word.
    let floats = [0.75_f32.to_bits(), 7, 0.0_f32.to_bits(), 0x80];
    let kind = gl::FLOAT_32_UNSIGNED_INT_24_8_REV;
    upload(gl::DEPTH32F_STENCIL8, gl::DEPTH_STENCIL, kind, &floats);
    let read = texture_image::<u32>(gl::TEXTURE_2D, 0, gl::DEPTH_STENCIL, kind, 4);
    assert_eq!([read[0], read[1] & 0xff, read[2], read[3] & 0xff], floats);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &[0.75, 0.0, 0.0, 1.0], 0.0);
}

/// 4.3.1: stencil and depth of a packed attachment are read one by one.
fn stencil_of_a_texture_reads_back(_: &Env) {
    let packed = [0x800000_u32 << 8 | 0x5a, 0xffffff00 | 3];
    let texture = upload(gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, &packed);
    let _colour = Target::new(2, 1);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::DEPTH_STENCIL_ATTACHMENT, gl::TEXTURE_2D, texture, 0);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    assert_eq!(read_pixels::<u8>([0, 0, 2, 1], gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1), [0x5a, 3]);
    expect_near(&read_pixels::<f32>([0, 0, 2, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1), &[0.5, 1.0], 1e-6);
    assert_eq!(read_pixels::<u32>([0, 0, 2, 1], gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, 1), packed);
}

/// A block whose end points are equal is one colour; with 255 and 0, index 1 is 0 and index 0 is 255.
const RED_BLOCK: [u8; 8] = [255, 0, 0b0000_1000, 0, 0, 0, 0, 0];

/// Appendix C: RGTC blocks are decoded; the blocks themselves come back unchanged.
fn rgtc_blocks(_: &Env) {
    let two: Vec<u8> = RED_BLOCK.iter().chain(&[64, 64, 0, 0, 0, 0, 0, 0]).copied().collect();
    for (internal, bytes, texel_1) in [
        (gl::COMPRESSED_RED_RGTC1, &RED_BLOCK[..], [0.0, 0.0, 0.0, 1.0]),
        (gl::COMPRESSED_RG_RGTC2, &two[..], [0.0, 64.0 / 255.0, 0.0, 1.0]),
    ] {
        nearest(gl::TEXTURE_2D);
        let (size, data) = (bytes.len() as i32, bytes.as_ptr().cast());
        gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, size, data);
        expect_no_error("glCompressedTexImage2D");
        let first = [1.0, texel_1[1], 0.0, 1.0];
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &first, 0.005);
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 0)"), &texel_1, 0.005);
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(3, 3), 0)"), &first, 0.005);
        let mut back = vec![0_u8; bytes.len()];
        gl::GetCompressedTexImage(gl::TEXTURE_2D, 0, back.as_mut_ptr().cast());
        assert_eq!(back, bytes);
        assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED), 1);
        assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED_IMAGE_SIZE), size);
        assert_eq!(texture_image::<u8>(gl::TEXTURE_2D, 0, gl::RED, gl::UNSIGNED_BYTE, 16)[..2], [255, 0]);
    }
    // A signed block: -127 and 127.
    nearest(gl::TEXTURE_2D);
    let signed = [129_u8, 127, 0b0000_1000, 0, 0, 0, 0, 0];
    let internal = gl::COMPRESSED_SIGNED_RED_RGTC1;
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, 8, signed.as_ptr().cast());
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 0), 0)"), &[-1.0, 0.0, 0.0, 1.0], 0.005);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 0), 0)"), &[1.0, 0.0, 0.0, 1.0], 0.005);
    // A sub-image of whole blocks replaces just those.
    nearest(gl::TEXTURE_2D);
    let four: Vec<u8> = [RED_BLOCK; 4].concat();
    let internal = gl::COMPRESSED_RED_RGTC1;
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 8, 8, 0, 32, four.as_ptr().cast());
    let grey = [64_u8, 64, 0, 0, 0, 0, 0, 0];
    gl::CompressedTexSubImage2D(gl::TEXTURE_2D, 0, 4, 0, 4, 4, internal, 8, grey.as_ptr().cast());
    expect_no_error("glCompressedTexSubImage2D");
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(5, 1), 0)"), &[64.0 / 255.0, 0.0, 0.0, 1.0], 0.005);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0, 4), 0)"), &[1.0, 0.0, 0.0, 1.0], 0.005);
}

/// Plain pixels may be given for a compressed format; the implementation compresses.
fn rgtc_from_plain_pixels(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let pixels: Vec<u8> = (0..16).map(|i| if i < 8 { 0 } else { 255 }).collect();
    let internal = gl::COMPRESSED_RED_RGTC1;
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, gl::RED, gl::UNSIGNED_BYTE, pixels.as_ptr().cast());
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), internal as i32);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_COMPRESSED_IMAGE_SIZE), 8);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 1), 0)"), &[0.0, 0.0, 0.0, 1.0], 0.01);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1, 2), 0)"), &[1.0, 0.0, 0.0, 1.0], 0.01);
}

fn generic_compressed(_: &Env) {
    for (internal, components) in
        [(gl::COMPRESSED_RED, 1), (gl::COMPRESSED_RG, 2), (gl::COMPRESSED_RGB, 3), (gl::COMPRESSED_RGBA, 4)]
    {
        nearest(gl::TEXTURE_2D);
        let texels = [[51_u8, 102, 204, 255]; 16];
        let data = texels.as_ptr().cast();
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, data);
        expect_no_error("glTexImage2D");
        let expected = complete([0.2, 0.4, 0.8, 1.0], components, 0.0, 1.0);
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(2, 2), 0)"), &expected, 0.03);
    }
}

/// A 2 x 2 target of a format, painted with one colour; what it holds then.
#[track_caller]
fn painted(internal: u32, colour: [f32; 4]) -> [f32; 4] {
    let target = Target::with_format(internal, 2, 2);
    solid(colour);
    quad();
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    let value = texture_image::<[f32; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, gl::FLOAT, 4)[3];
    let read = read_pixels::<f32>([1, 1, 1, 1], gl::RGBA, gl::FLOAT, 4);
    expect_near(&read, &value, 1e-6);
    target.delete();
    value
}

/// 4.1.9 and 2.1.5: colours are clamped to [0, 1] and rounded to the nearest value the format has.
fn normalized_are_rendered(_: &Env) {
    for (internal, components, bits) in NORMALIZED {
        let got = painted(internal, [0.3, 1.5, -2.0, 0.7]);
        let expected = complete([0.3, 1.0, 0.0, 0.7], components, 0.0, 1.0);
        for i in 0..4 {
            // RGB12 and RGBA12 may be stored wider; nothing is coarser than the bits asked for.
            let limit = if i >= components { 0.0 } else { 0.5001 / ((1 << bits[i]) - 1) as f32 };
            assert!((got[i] - expected[i]).abs() <= limit, "{internal:#x}: {got:?}, expected {expected:?}");
        }
    }
}

fn floats_are_rendered(_: &Env) {
    for (internal, components, _) in FLOATS {
        if matches!(internal, gl::RGB16F | gl::RGB32F) {
            continue;
        }
        // Unclamped; unsigned floats have no negative numbers.
        let got = painted(internal, [0.5, 1024.0, 3.0, -2.0]);
        assert_eq!(got, complete([0.5, 1024.0, 3.0, -2.0], components, 0.0, 1.0), "{internal:#x}");
    }
    assert_eq!(painted(gl::R11F_G11F_B10F, [-1.0, 2.0, 0.25, 1.0]), [0.0, 2.0, 0.25, 1.0]);
}

fn integers_are_rendered(_: &Env) {
    let vertex = gallite_tests::draw::SOLID_VS;
    let program = gallite_tests::draw::program(
        vertex,
        "#version 330 core\nout ivec4 result;\nvoid main() { result = ivec4(-3, 100, 7, -90); }\n",
    );
    for (internal, _, components, _) in INTEGERS {
        if matches!(internal, gl::RGB8I | gl::RGB16I | gl::RGB32I) {
            continue;
        }
        let framebuffer = gen_framebuffer();
        gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
        let texture = upload(internal, gl::RGBA_INTEGER, gl::INT, &[[0; 4]; 2]);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE, "{internal:#x}");
        gl::Viewport(0, 0, 2, 1);
        program.bind();
        quad();
        let expected = complete([-3, 100, 7, -90], components, 0, 1);
        assert_eq!(read_pixels::<i32>([1, 0, 1, 1], gl::RGBA_INTEGER, gl::INT, 4), expected, "{internal:#x}");
    }
}

/// Lesson 25: RGB is stored with an alpha channel on most devices; nothing lets it be seen.
fn rgb_never_shows_another_alpha(_: &Env) {
    for internal in [gl::RGB8, gl::RGB, gl::RGB5, gl::RGB16] {
        let target = Target::with_format(internal, 2, 2);
        target.clear([0.0, 1.0, 0.0, 0.0]);
        assert_eq!(target.image().at(0, 0)[3], 255, "{internal:#x} after a clear");
        solid([1.0, 0.0, 0.0, 0.25]);
        quad();
        assert_eq!(target.image().at(0, 0)[3], 255, "{internal:#x} after a draw");
        gl::BindTexture(gl::TEXTURE_2D, target.colour);
        assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(0), 0)")[3], 1.0);
        target.delete();
    }
}

/// Table 6.22: at least the sizes asked for, and the kind of each component.
fn component_sizes_and_types(_: &Env) {
    const SIZES: [u32; 4] =
        [gl::TEXTURE_RED_SIZE, gl::TEXTURE_GREEN_SIZE, gl::TEXTURE_BLUE_SIZE, gl::TEXTURE_ALPHA_SIZE];
    for (rows, kind) in
        [(&NORMALIZED[..], gl::UNSIGNED_NORMALIZED), (&SIGNED[..], gl::SIGNED_NORMALIZED), (&FLOATS[..], gl::FLOAT)]
    {
        for (internal, components, bits) in rows {
            upload(*internal, gl::RGBA, gl::UNSIGNED_BYTE, &[[0_u8; 4]; 2]);
            for i in 0..4 {
                let got = level_parameter(gl::TEXTURE_2D, 0, SIZES[i]);
                let fits = if i < *components { got >= bits[i] } else { got == 0 };
                assert!(fits, "{internal:#x}: component {i} has {got} bits, expected {}", bits[i]);
            }
            assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_RED_TYPE), kind as i32, "{internal:#x}");
            let expected = if *components == 4 { kind } else { gl::NONE };
            assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_ALPHA_TYPE), expected as i32);
            assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), *internal as i32);
        }
    }
    upload(gl::RGB9_E5, gl::RGB, gl::FLOAT, &[[0.0_f32; 3]; 2]);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_SHARED_SIZE), 5);
    upload(gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, &[0_u32; 2]);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_DEPTH_SIZE), 24);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_STENCIL_SIZE), 8);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_DEPTH_TYPE), gl::UNSIGNED_NORMALIZED as i32);
    upload(gl::R32UI, gl::RED_INTEGER, gl::UNSIGNED_INT, &[0_u32; 2]);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_RED_TYPE), gl::UNSIGNED_INT as i32);
}

/// EXT_texture_snorm's formats without a size, and what EXT_packed_float and EXT_framebuffer_sRGB tell of a framebuffer.
fn signed_formats_without_a_size(env: &Env) {
    for (internal, format, base) in [
        (gl::RED_SNORM, gl::RED, gl::R8_SNORM),
        (gl::RG_SNORM, gl::RG, gl::RG8_SNORM),
        (gl::RGB_SNORM, gl::RGB, gl::RGB8_SNORM),
        (gl::RGBA_SNORM, gl::RGBA, gl::RGBA8_SNORM),
    ] {
        let texture = gallite_tests::draw::gen_texture();
        gl::BindTexture(gl::TEXTURE_2D, texture);
        let texel = [-127_i8, 127, -127, 0];
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, format, gl::BYTE, texel.as_ptr().cast());
        let bits = |name| level_parameter(gl::TEXTURE_2D, 0, name);
        assert_eq!(bits(gl::TEXTURE_RED_TYPE) as u32, gl::SIGNED_NORMALIZED);
        assert_eq!((bits(gl::TEXTURE_RED_SIZE), bits(gl::TEXTURE_INTERNAL_FORMAT) as u32), (8, internal));
        if !env.lane.is_noop() {
            let mut got = [0.0_f32; 4];
            gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED, gl::FLOAT, got.as_mut_ptr().cast());
            assert_eq!(got[0], -1.0, "{base:#x}");
        }
        gl::TexStorage2D(gl::TEXTURE_2D, 1, internal, 1, 1);
        gallite_tests::draw::expect_error(gl::INVALID_ENUM, "storage without a size");
    }
    gl::BindFramebuffer(gl::FRAMEBUFFER, gallite_tests::draw::gen_framebuffer());
    for (internal, signed, srgb) in [(gl::RGBA16F, 1, 0), (gl::RGBA8, 0, 0), (gl::SRGB8_ALPHA8, 0, 1)] {
        let texture = gallite_tests::draw::gen_texture();
        gl::BindTexture(gl::TEXTURE_2D, texture);
        gl::TexStorage2D(gl::TEXTURE_2D, 1, internal, 4, 4);
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
        let mut values = [9; 5];
        gl::GetBooleanv(gl::RGBA_SIGNED_COMPONENTS_EXT, values.as_mut_ptr());
        gl::GetBooleanv(gl::FRAMEBUFFER_SRGB_CAPABLE_EXT, &mut values[4]);
        assert_eq!(values, [signed, signed, signed, signed, srgb]);
    }
    let mut follows = 9;
    gl::GetBooleanv(gl::QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION, &mut follows);
    assert_eq!(follows, 1);
    gallite_tests::draw::expect_no_error("the queries");
}
