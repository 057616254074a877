//! `glGenerateMipmap`: GL 3.3 core 3.8.14, "Manual Mipmap Generation".

use super::{level_parameter, lookup, nearest, texture_image};
use gallite_tests::draw::{Target, expect_error, expect_no_error};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): two_dimensions, every_target, odd_sizes, srgb_averages_light, rendered_base_levels,
        from_a_base_level, up_to_a_max_level, compressed, compressed_quarters, compressed_two_channels,
        depth;
    every core(3, 3): errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

/// Four quarters of one colour each, 4 x 4.
fn quarters() -> Vec<u8> {
    (0..16).map(|i| [10, 30, 50, 110][(i / 8) * 2 + i % 4 / 2]).collect()
}

fn image(target: u32, level: i32, count: usize) -> Vec<u8> {
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    texture_image::<u8>(target, level, gl::RED, BYTE, count)
}

fn two_dimensions(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 4, 4, 0, gl::RED, BYTE, quarters().as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    expect_no_error("glGenerateMipmap");
    assert_eq!(image(gl::TEXTURE_2D, 1, 4), [10, 30, 50, 110]);
    assert_eq!(image(gl::TEXTURE_2D, 2, 1), [50]);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_WIDTH), 1);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_INTERNAL_FORMAT), gl::R8 as i32);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 3, gl::TEXTURE_WIDTH), 0);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    let smallest = lookup("sampler2D", "textureLod(t, vec2(0.5), 2.0)")[0] * 255.0;
    assert!((smallest - 50.0).abs() < 0.1);
}

/// Layers stay apart, slices are averaged.
fn every_target(_: &Env) {
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    nearest(gl::TEXTURE_1D);
    gl::TexImage1D(gl::TEXTURE_1D, 0, gl::R8, 4, 0, gl::RED, BYTE, [0_u8, 20, 100, 120].as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_1D);
    assert_eq!(image(gl::TEXTURE_1D, 1, 2), [10, 110]);
    assert_eq!(image(gl::TEXTURE_1D, 2, 1), [60]);
    nearest(gl::TEXTURE_1D_ARRAY);
    let texels = [0_u8, 20, 100, 200];
    gl::TexImage2D(gl::TEXTURE_1D_ARRAY, 0, gl::R8, 2, 2, 0, gl::RED, BYTE, texels.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_1D_ARRAY);
    assert_eq!(image(gl::TEXTURE_1D_ARRAY, 1, 2), [10, 150]);
    let cube = [0_u8, 0, 0, 80, 80, 80, 80, 160];
    nearest(gl::TEXTURE_3D);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::R8, 2, 2, 2, 0, gl::RED, BYTE, cube.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_3D);
    assert_eq!(image(gl::TEXTURE_3D, 1, 1), [60]);
    nearest(gl::TEXTURE_2D_ARRAY);
    gl::TexImage3D(gl::TEXTURE_2D_ARRAY, 0, gl::R8, 2, 2, 2, 0, gl::RED, BYTE, cube.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D_ARRAY);
    assert_eq!(image(gl::TEXTURE_2D_ARRAY, 1, 2), [20, 100]);
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6_u8 {
        let texels = [face * 40, face * 40, face * 40, face * 40 + 8];
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + u32::from(face);
        gl::TexImage2D(target, 0, gl::R8, 2, 2, 0, gl::RED, BYTE, texels.as_ptr().cast());
    }
    gl::GenerateMipmap(gl::TEXTURE_CUBE_MAP);
    expect_no_error("glGenerateMipmap");
    for face in 0..6_u8 {
        assert_eq!(image(gl::TEXTURE_CUBE_MAP_POSITIVE_X + u32::from(face), 1, 1), [face * 40 + 2]);
    }
}

/// Sizes halve downwards; a plain colour stays what it is.
fn odd_sizes(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let texels = [[70_u8, 140, 210, 255]; 7 * 5];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 7, 5, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    for (level, size) in [(1, [3, 2]), (2, [1, 1])] {
        assert_eq!(level_parameter(gl::TEXTURE_2D, level, gl::TEXTURE_WIDTH), size[0]);
        assert_eq!(level_parameter(gl::TEXTURE_2D, level, gl::TEXTURE_HEIGHT), size[1]);
        let count = (size[0] * size[1]) as usize;
        let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, level, gl::RGBA, BYTE, count);
        assert!(got.iter().all(|t| *t == texels[0]), "{got:?}");
    }
}

fn srgb_averages_light(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let texels = [[0_u8, 0, 0, 0], [255, 255, 255, 255], [0, 0, 0, 0], [255, 255, 255, 255]];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::SRGB8_ALPHA8, 2, 2, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 1, gl::RGBA, BYTE, 1)[0];
    assert!(got[0].abs_diff(188) <= 1 && got[3].abs_diff(128) <= 1, "{got:?}");
}

fn rendered_base_levels(_: &Env) {
    let target = Target::new(4, 4);
    target.clear([0.2, 0.4, 0.6, 0.8]);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    gl::GenerateMipmap(gl::TEXTURE_2D);
    let expected = [51, 102, 153, 204];
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 2, gl::RGBA, BYTE, 1), [expected]);
    // The framebuffer still draws to the texture, and a second generation sees that.
    target.clear([0.8, 0.6, 0.4, 0.2]);
    target.image().expect_all([204, 153, 102, 51]);
    gl::GenerateMipmap(gl::TEXTURE_2D);
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 2, gl::RGBA, BYTE, 1), [[204, 153, 102, 51]]);
}

/// Levels above the base stay as they are.
fn from_a_base_level(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 8, 8, 0, gl::RED, BYTE, [7_u8; 64].as_ptr().cast());
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::R8, 4, 4, 0, gl::RED, BYTE, quarters().as_ptr().cast());
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_BASE_LEVEL, 1);
    gl::GenerateMipmap(gl::TEXTURE_2D);
    assert_eq!(image(gl::TEXTURE_2D, 2, 4), [10, 30, 50, 110]);
    assert_eq!(image(gl::TEXTURE_2D, 3, 1), [50]);
    assert_eq!(image(gl::TEXTURE_2D, 0, 64), [7; 64]);
}

fn up_to_a_max_level(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 4, 4, 0, gl::RED, BYTE, quarters().as_ptr().cast());
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MAX_LEVEL, 1);
    gl::GenerateMipmap(gl::TEXTURE_2D);
    assert_eq!(image(gl::TEXTURE_2D, 1, 4), [10, 30, 50, 110]);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 2, gl::TEXTURE_WIDTH), 0);
}

fn compressed(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let block = [200_u8, 200, 0, 0, 0, 0, 0, 0];
    let blocks = [block; 4].concat();
    let internal = gl::COMPRESSED_RED_RGTC1;
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 8, 8, 0, 32, blocks.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    expect_no_error("glGenerateMipmap");
    assert_eq!(level_parameter(gl::TEXTURE_2D, 1, gl::TEXTURE_INTERNAL_FORMAT), internal as i32);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    for level in 0..4 {
        let got = lookup("sampler2D", &format!("textureLod(t, vec2(0.5), {level}.0)"))[0] * 255.0;
        assert!((got - 200.0).abs() < 1.5, "level {level}: {got}");
    }
}

/// The four quarters of an 8 x 8 image, each of one colour, and what the levels down to one texel are.
fn expect_quarters<T: Copy + Default + PartialEq + std::fmt::Debug>(format: u32, kind: u32, quarters: [T; 4], all: T) {
    for (level, size) in [(0, 8_usize), (1, 4), (2, 2)] {
        let got = texture_image::<T>(gl::TEXTURE_2D, level, format, kind, size * size);
        let expected: Vec<T> =
            (0..size * size).map(|i| quarters[i / size / (size / 2) * 2 + i % size / (size / 2)]).collect();
        assert_eq!(got, expected, "level {level}");
    }
    assert_eq!(texture_image::<T>(gl::TEXTURE_2D, 3, format, kind, 1), [all], "level 3");
}

/// Two channels, signed and not; the colours are ones that a block can hold side by side.
fn compressed_two_channels(_: &Env) {
    let texel = |x: usize, y: usize| [[210.0_f32, 0.0], [0.0, 70.0], [210.0, 70.0], [0.0, 0.0]][y / 4 * 2 + x / 4];
    for (internal, scale) in [(gl::COMPRESSED_RG_RGTC2, 255.0), (gl::COMPRESSED_SIGNED_RG_RGTC2, -127.0 * 2.0)] {
        nearest(gl::TEXTURE_2D);
        let texels: Vec<[f32; 2]> = (0..64).map(|i| texel(i % 8, i / 8).map(|v| v / scale)).collect();
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 8, 8, 0, gl::RG, gl::FLOAT, texels.as_ptr().cast());
        gl::GenerateMipmap(gl::TEXTURE_2D);
        expect_no_error("glGenerateMipmap");
        for (level, size) in [(1, 4_usize), (2, 2)] {
            let got = texture_image::<[f32; 2]>(gl::TEXTURE_2D, level, gl::RG, gl::FLOAT, size * size);
            for (i, got) in got.iter().enumerate() {
                let wanted = texel(i % size * 8 / size, i / size * 8 / size).map(|v| v / scale);
                let near = (0..2).all(|c| (got[c] - wanted[c]).abs() < 0.6 / 127.0);
                assert!(near, "{internal:#x} level {level} texel {i}: {got:?}, not {wanted:?}");
            }
        }
        let got = texture_image::<[f32; 2]>(gl::TEXTURE_2D, 3, gl::RG, gl::FLOAT, 1)[0];
        let wanted = [105.0 / scale, 35.0 / scale];
        assert!((0..2).all(|c| (got[c] - wanted[c]).abs() < 1.1 / 127.0), "{internal:#x}: {got:?}, not {wanted:?}");
    }
}

fn compressed_quarters(_: &Env) {
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    nearest(gl::TEXTURE_2D);
    // The end points and two of the steps between them.
    let quarters = [0_u8, 60, 120, 210];
    let texels: Vec<u8> = (0..64).map(|i| quarters[i / 32 * 2 + i % 8 / 4]).collect();
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::COMPRESSED_RED_RGTC1, 8, 8, 0, gl::RED, BYTE, texels.as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    expect_no_error("glGenerateMipmap");
    expect_quarters(gl::RED, BYTE, quarters, 98);
}

fn depth(_: &Env) {
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    for internal in [gl::DEPTH_COMPONENT16, gl::DEPTH_COMPONENT24, gl::DEPTH_COMPONENT32F] {
        nearest(gl::TEXTURE_2D);
        // Whole in 16 bits.
        let quarters = [0_u16, 0x1000, 0x8000, 0xffff];
        let texels: Vec<u16> = (0..64).map(|i| quarters[i / 32 * 2 + i % 8 / 4]).collect();
        let (format, kind) = (gl::DEPTH_COMPONENT, gl::UNSIGNED_SHORT);
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 8, 8, 0, format, kind, texels.as_ptr().cast());
        gl::GenerateMipmap(gl::TEXTURE_2D);
        expect_no_error("glGenerateMipmap");
        expect_quarters(format, kind, quarters, 0x6400);
        gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
        let smallest = lookup("sampler2D", "textureLod(t, vec2(0.5), 3.0)")[0] * 65535.0;
        assert!((smallest - 0x6400 as f32).abs() < 1.0, "{internal:#x}: {smallest}");
    }
}

fn errors(_: &Env) {
    gl::GenerateMipmap(gl::TEXTURE_RECTANGLE);
    expect_error(gl::INVALID_ENUM, "rectangle");
    gl::GenerateMipmap(gl::TEXTURE_2D_MULTISAMPLE);
    expect_error(gl::INVALID_ENUM, "multisample");
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in gl::TEXTURE_CUBE_MAP_POSITIVE_X..gl::TEXTURE_CUBE_MAP_NEGATIVE_Z {
        gl::TexImage2D(face, 0, gl::R8, 2, 2, 0, gl::RED, BYTE, std::ptr::null());
    }
    gl::GenerateMipmap(gl::TEXTURE_CUBE_MAP);
    expect_error(gl::INVALID_OPERATION, "cube map with a missing face");
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8UI, 2, 2, 0, gl::RED_INTEGER, BYTE, std::ptr::null());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    expect_error(gl::INVALID_OPERATION, "integers");
}
