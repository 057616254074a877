//! Images: GL 4.6 core 8.26, GLSL 4.60 4.4.7, 4.10 and 8.12.

use super::{HEAD, compute, dispatch, storage, words};
use gallite_tests::draw::{
    SOLID_VS, Target, buffer, expect_error, expect_no_error, gen_texture, get_i32, program, quad, shader_status,
    tex_parameter, texture_2d, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): float_formats, integer_formats, every_target, single_layers, levels, buffers, atomics,
        another_format_of_the_same_size, sizes, units_by_uniform, outside_is_ignored, early_tests, coherent_over_draws,
        case_10_formats_of_parameters, format_less_writes, several_at_once, incomplete_and_unbound;
    every core(3, 3): state, errors, language, link_rules;
}

/// A texture of one level bound to an image unit for everything, its texels zero.
fn image_2d(unit: u32, format: u32, width: i32, height: i32) -> u32 {
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, format, width, height);
    gl::BindImageTexture(unit, name, 0, gl::FALSE, 0, gl::READ_WRITE, format);
    expect_no_error("an image");
    name
}

/// GLSL 4.60 4.4.7: stores convert to the format, loads back from it; missing components are 0, 0, 1.
fn float_formats(_: &Env) {
    for (qualifier, format, given, expected) in [
        ("rgba32f", gl::RGBA32F, [1.5, -2.0, 0.25, 100.0], [1.5, -2.0, 0.25, 100.0]),
        ("rgba16f", gl::RGBA16F, [1.5, -2.0, 0.25, 100.0], [1.5, -2.0, 0.25, 100.0]),
        ("rg32f", gl::RG32F, [1.5, -2.0, 9.0, 9.0], [1.5, -2.0, 0.0, 1.0]),
        ("rg16f", gl::RG16F, [1.5, -2.0, 9.0, 9.0], [1.5, -2.0, 0.0, 1.0]),
        ("r11f_g11f_b10f", gl::R11F_G11F_B10F, [1.5, 2.0, 0.25, 9.0], [1.5, 2.0, 0.25, 1.0]),
        ("r32f", gl::R32F, [1.5, 9.0, 9.0, 9.0], [1.5, 0.0, 0.0, 1.0]),
        ("r16f", gl::R16F, [-1.5, 9.0, 9.0, 9.0], [-1.5, 0.0, 0.0, 1.0]),
        ("rgba16", gl::RGBA16, [1.0, -1.0, 2.0, 0.0], [1.0, 0.0, 1.0, 0.0]),
        ("rgb10_a2", gl::RGB10_A2, [1.0, -1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]),
        ("rgba8", gl::RGBA8, [1.0, -1.0, 0.2, 2.0], [1.0, 0.0, 0.2, 1.0]),
        ("rg16", gl::RG16, [1.0, -1.0, 9.0, 9.0], [1.0, 0.0, 0.0, 1.0]),
        ("rg8", gl::RG8, [1.0, 0.2, 9.0, 9.0], [1.0, 0.2, 0.0, 1.0]),
        ("r16", gl::R16, [2.0, 9.0, 9.0, 9.0], [1.0, 0.0, 0.0, 1.0]),
        ("r8", gl::R8, [0.2, 9.0, 9.0, 9.0], [0.2, 0.0, 0.0, 1.0]),
        ("rgba16_snorm", gl::RGBA16_SNORM, [1.0, -2.0, 0.0, -1.0], [1.0, -1.0, 0.0, -1.0]),
        ("rgba8_snorm", gl::RGBA8_SNORM, [1.0, -2.0, 0.0, -1.0], [1.0, -1.0, 0.0, -1.0]),
        ("rg16_snorm", gl::RG16_SNORM, [1.0, -2.0, 9.0, 9.0], [1.0, -1.0, 0.0, 1.0]),
        ("rg8_snorm", gl::RG8_SNORM, [1.0, -2.0, 9.0, 9.0], [1.0, -1.0, 0.0, 1.0]),
        ("r16_snorm", gl::R16_SNORM, [-2.0, 9.0, 9.0, 9.0], [-1.0, 0.0, 0.0, 1.0]),
        ("r8_snorm", gl::R8_SNORM, [-2.0, 9.0, 9.0, 9.0], [-1.0, 0.0, 0.0, 1.0]),
    ] {
        let p = compute(&format!(
            "layout(local_size_x = 1) in;
layout({qualifier}, binding = 0) uniform image2D image;
layout(std430, binding = 0) buffer Out {{ vec4 data[2]; }};
uniform vec4 value;
void main() {{ data[0] = imageLoad(image, ivec2(0)); imageStore(image, ivec2(1, 2), value); }}\n"
        ));
        p.set4f("value", given);
        image_2d(0, format, 3, 4);
        let out = storage(0, &[0.5_f32; 8]);
        dispatch(1, 1, 1);
        // Stores of one dispatch are seen by the next.
        compute(&format!(
            "layout(local_size_x = 1) in;
layout({qualifier}, binding = 0) readonly uniform image2D image;
layout(std430, binding = 0) buffer Out {{ vec4 data[2]; }};
void main() {{ data[1] = imageLoad(image, ivec2(1, 2)); }}\n"
        ));
        dispatch(1, 1, 1);
        let got: Vec<f32> = words(out, 8).into_iter().map(f32::from_bits).collect();
        for (got, expected) in got[4..].iter().zip(expected) {
            assert!((got - expected).abs() < 0.01, "{qualifier}: {got} in {:?}, not {expected}", &got);
        }
    }
}

fn integer_formats(_: &Env) {
    for (qualifier, format, given, expected) in [
        ("rgba32ui", gl::RGBA32UI, [1_u32, 1 << 31, 3, 4], [1, 1 << 31, 3, 4]),
        ("rgba16ui", gl::RGBA16UI, [1, 65535, 3, 4], [1, 65535, 3, 4]),
        ("rgb10_a2ui", gl::RGB10_A2UI, [1, 1023, 3, 2], [1, 1023, 3, 2]),
        ("rgba8ui", gl::RGBA8UI, [1, 255, 3, 4], [1, 255, 3, 4]),
        ("rg32ui", gl::RG32UI, [1, 2, 3, 4], [1, 2, 0, 1]),
        ("rg16ui", gl::RG16UI, [1, 2, 3, 4], [1, 2, 0, 1]),
        ("rg8ui", gl::RG8UI, [1, 2, 3, 4], [1, 2, 0, 1]),
        ("r32ui", gl::R32UI, [1, 2, 3, 4], [1, 0, 0, 1]),
        ("r16ui", gl::R16UI, [1, 2, 3, 4], [1, 0, 0, 1]),
        ("r8ui", gl::R8UI, [1, 2, 3, 4], [1, 0, 0, 1]),
        ("rgba32i", gl::RGBA32I, [1, u32::MAX, 3, 4], [1, u32::MAX, 3, 4]),
        ("rgba16i", gl::RGBA16I, [1, u32::MAX, 3, 4], [1, u32::MAX, 3, 4]),
        ("rgba8i", gl::RGBA8I, [1, u32::MAX, 3, 4], [1, u32::MAX, 3, 4]),
        ("rg32i", gl::RG32I, [1, u32::MAX, 3, 4], [1, u32::MAX, 0, 1]),
        ("rg16i", gl::RG16I, [1, u32::MAX, 3, 4], [1, u32::MAX, 0, 1]),
        ("rg8i", gl::RG8I, [1, u32::MAX, 3, 4], [1, u32::MAX, 0, 1]),
        ("r32i", gl::R32I, [u32::MAX, 2, 3, 4], [u32::MAX, 0, 0, 1]),
        ("r16i", gl::R16I, [u32::MAX, 2, 3, 4], [u32::MAX, 0, 0, 1]),
        ("r8i", gl::R8I, [u32::MAX, 2, 3, 4], [u32::MAX, 0, 0, 1]),
    ] {
        let kind = if qualifier.ends_with("ui") { "u" } else { "i" };
        image_2d(0, format, 2, 2);
        let out = storage(0, &given);
        for body in ["imageStore(image, ivec2(1, 0), data);", "data = imageLoad(image, ivec2(1, 0));"] {
            compute(&format!(
                "layout(local_size_x = 1) in;
layout({qualifier}, binding = 0) uniform {kind}image2D image;
layout(std430, binding = 0) buffer Out {{ {kind}vec4 data; }};
void main() {{ {body} }}\n"
            ));
            dispatch(1, 1, 1);
        }
        assert_eq!(words(out, 4), expected, "{qualifier}");
    }
}

/// Each target as a whole: the texel at the last place, written and read.
fn every_target(_: &Env) {
    let t = std::ptr::null();
    let (ui, un) = (gl::RED_INTEGER, gl::UNSIGNED_INT);
    let r = gl::R32UI;
    for (target, kind, place) in [
        (gl::TEXTURE_1D, "uimage1D", "3"),
        (gl::TEXTURE_2D, "uimage2D", "ivec2(3, 2)"),
        (gl::TEXTURE_3D, "uimage3D", "ivec3(3, 2, 1)"),
        (gl::TEXTURE_RECTANGLE, "uimage2DRect", "ivec2(3, 2)"),
        (gl::TEXTURE_CUBE_MAP, "uimageCube", "ivec3(3, 2, 4)"),
        (gl::TEXTURE_1D_ARRAY, "uimage1DArray", "ivec2(3, 2)"),
        (gl::TEXTURE_2D_ARRAY, "uimage2DArray", "ivec3(3, 2, 1)"),
    ] {
        let name = gen_texture();
        gl::BindTexture(target, name);
        match target {
            gl::TEXTURE_1D => gl::TexImage1D(target, 0, r, 4, 0, ui, un, t),
            gl::TEXTURE_3D | gl::TEXTURE_2D_ARRAY => gl::TexImage3D(target, 0, r, 4, 3, 2, 0, ui, un, t),
            gl::TEXTURE_CUBE_MAP => {
                for face in 0..6 {
                    gl::TexImage2D(gl::TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, r, 4, 4, 0, ui, un, t);
                }
            }
            _ => gl::TexImage2D(target, 0, r, 4, 3, 0, ui, un, t),
        }
        tex_parameter(target, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
        gl::BindImageTexture(3, name, 0, gl::TRUE, 0, gl::READ_WRITE, gl::R32UI);
        let out = storage(0, &[0_u32; 1]);
        for body in ["imageStore(image, PLACE, uvec4(77u));", "data = imageLoad(image, PLACE).x;"] {
            compute(&format!(
                "layout(local_size_x = 1) in;
layout(r32ui, binding = 3) uniform {kind} image;
layout(std430, binding = 0) buffer Out {{ uint data; }};
void main() {{ {} }}\n",
                body.replace("PLACE", place)
            ));
            dispatch(1, 1, 1);
        }
        assert_eq!(words(out, 1), [77], "{kind}");
    }
}

/// One layer of an array, a face of a cube map, a slice of a 3D texture are 2D images.
fn single_layers(_: &Env) {
    let p = compute(
        "layout(local_size_x = 4, local_size_y = 4) in;
layout(r32ui, binding = 0) writeonly uniform uimage2D image;
uniform int value;
void main() { imageStore(image, ivec2(gl_LocalInvocationID.xy), uvec4(value)); }
",
    );
    for target in [gl::TEXTURE_2D_ARRAY, gl::TEXTURE_3D, gl::TEXTURE_CUBE_MAP] {
        let name = gen_texture();
        gl::BindTexture(target, name);
        if target == gl::TEXTURE_CUBE_MAP {
            gl::TexStorage2D(target, 1, gl::R32UI, 4, 4);
        } else {
            gl::TexStorage3D(target, 1, gl::R32UI, 4, 4, 6);
        }
        for layer in 0..6 {
            gl::BindImageTexture(0, name, 0, gl::FALSE, layer, gl::WRITE_ONLY, gl::R32UI);
            p.set1i("value", 10 + layer);
            gl::DispatchCompute(1, 1, 1);
        }
        gl::MemoryBarrier(gl::TEXTURE_UPDATE_BARRIER_BIT);
        for layer in 0..6_u32 {
            let mut texels = [0_u32; 96];
            let from = if target == gl::TEXTURE_CUBE_MAP { gl::TEXTURE_CUBE_MAP_POSITIVE_X + layer } else { target };
            gl::GetTexImage(from, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, texels.as_mut_ptr().cast());
            let at = if target == gl::TEXTURE_CUBE_MAP { 0 } else { 16 * layer as usize };
            assert_eq!(texels[at..at + 16], [10 + layer; 16], "{target:#x} layer {layer}");
        }
    }
    expect_no_error("layers");
}

fn levels(_: &Env) {
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    gl::TexStorage2D(gl::TEXTURE_2D, 3, gl::R32F, 8, 8);
    let p = compute(
        "layout(local_size_x = 2, local_size_y = 2) in;
layout(r32f, binding = 0) writeonly uniform image2D image;
uniform float value;
void main() { imageStore(image, ivec2(gl_GlobalInvocationID.xy), vec4(value)); }
",
    );
    for level in 0..3 {
        gl::BindImageTexture(0, name, level, gl::FALSE, 0, gl::WRITE_ONLY, gl::R32F);
        p.set1f("value", 1.0 + level as f32);
        gl::DispatchCompute(4 >> level, 4 >> level, 1);
    }
    gl::MemoryBarrier(gl::TEXTURE_UPDATE_BARRIER_BIT);
    for level in 0..3 {
        let size = 8 >> level;
        let mut texels = vec![0.0_f32; size * size];
        gl::GetTexImage(gl::TEXTURE_2D, level, gl::RED, gl::FLOAT, texels.as_mut_ptr().cast());
        assert!(texels.iter().all(|t| *t == 1.0 + level as f32), "level {level}: {texels:?}");
    }
    expect_no_error("levels");
}

fn buffers(_: &Env) {
    let bytes = buffer(gl::TEXTURE_BUFFER, &[1.0_f32, 2.0, 3.0, 4.0]);
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_BUFFER, name);
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::R32F, bytes);
    gl::BindImageTexture(0, name, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32F);
    compute(
        "layout(local_size_x = 4) in;
layout(r32f, binding = 0) uniform imageBuffer image;
void main() {
    int i = int(gl_LocalInvocationID.x);
    imageStore(image, i, imageLoad(image, i) * 10.0 + float(imageSize(image)));
}
",
    );
    dispatch(1, 1, 1);
    let got: Vec<f32> = words(bytes, 4).into_iter().map(f32::from_bits).collect();
    assert_eq!(got, [14.0, 24.0, 34.0, 44.0]);
    // In another format of the same size, and after the buffer got other storage.
    gallite_tests::draw::buffer_data(gl::SHADER_STORAGE_BUFFER, &[5_u32; 8], gl::STATIC_DRAW);
    gl::BindImageTexture(0, name, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32UI);
    compute(
        "layout(local_size_x = 8) in;
layout(r32ui, binding = 0) uniform uimageBuffer image;
void main() { imageAtomicAdd(image, int(gl_LocalInvocationID.x), gl_LocalInvocationID.x); }
",
    );
    dispatch(1, 1, 1);
    assert_eq!(words(bytes, 8), [5, 6, 7, 8, 9, 10, 11, 12]);
}

fn atomics(_: &Env) {
    image_2d(0, gl::R32UI, 8, 1);
    let texels: Vec<u32> = vec![10; 8];
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 8, 1, gl::RED_INTEGER, gl::UNSIGNED_INT, texels.as_ptr().cast());
    compute(
        "layout(local_size_x = 1) in;
layout(r32ui, binding = 0) uniform uimage2D image;
layout(std430, binding = 0) buffer Out { uint data[8]; };
ivec2 at(int x) { return ivec2(x, 0); }
void main() {
    data[0] = imageAtomicAdd(image, at(0), 5u);
    data[1] = imageAtomicMin(image, at(1), 5u);
    data[2] = imageAtomicMax(image, at(2), 50u);
    data[3] = imageAtomicAnd(image, at(3), 6u);
    data[4] = imageAtomicOr(image, at(4), 6u);
    data[5] = imageAtomicXor(image, at(5), 6u);
    data[6] = imageAtomicExchange(image, at(6), 6u);
    data[7] = imageAtomicCompSwap(image, at(7), 10u, 99u);
}
",
    );
    let out = storage(0, &[0_u32; 8]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 8), [10; 8]);
    let mut texels = [0_u32; 8];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, texels.as_mut_ptr().cast());
    assert_eq!(texels, [15, 5, 50, 2, 14, 12, 6, 99]);
}

/// GL 4.6 core 8.26: texels of one size are shown in any format of that size.
fn another_format_of_the_same_size(_: &Env) {
    let target = Target::new(2, 1);
    let texels = [[1_u8, 2, 3, 4], [5, 6, 7, 8]];
    let name = texture_2d(gl::RGBA8, 2, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&texels));
    gl::BindImageTexture(0, name, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32UI);
    compute(
        "layout(local_size_x = 2) in;
layout(r32ui, binding = 0) uniform uimage2D image;
void main() {
    ivec2 at = ivec2(int(gl_LocalInvocationID.x), 0);
    imageStore(image, at, imageLoad(image, at) + uvec4(0x10203040u));
}
",
    );
    dispatch(1, 1, 1);
    let p = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }
",
    );
    p.set1i("t", 0);
    quad();
    target.image().expect(0, 0, [0x41, 0x32, 0x23, 0x14]);
    target.image().expect(1, 0, [0x45, 0x36, 0x27, 0x18]);
}

/// ARB_shader_image_size.
fn sizes(_: &Env) {
    let layered = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, layered);
    gl::TexStorage3D(gl::TEXTURE_2D_ARRAY, 2, gl::RGBA8, 8, 6, 5);
    gl::BindImageTexture(0, layered, 1, gl::TRUE, 0, gl::READ_ONLY, gl::RGBA8);
    gl::BindImageTexture(1, layered, 0, gl::FALSE, 2, gl::READ_ONLY, gl::RGBA8);
    compute(
        "layout(local_size_x = 1) in;
layout(rgba8, binding = 0) readonly uniform image2DArray a;
layout(rgba8, binding = 1) readonly uniform image2D b;
layout(std430, binding = 0) buffer Out { int data[5]; };
void main() {
    ivec3 x = imageSize(a); ivec2 y = imageSize(b);
    data[0] = x.x; data[1] = x.y; data[2] = x.z; data[3] = y.x; data[4] = y.y;
}
",
    );
    let out = storage(0, &[0_u32; 5]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 5), [4, 3, 5, 8, 6]);
}

fn units_by_uniform(_: &Env) {
    let p = compute(
        "layout(local_size_x = 1) in;
layout(r32ui) uniform uimage2D image[2];
void main() { imageStore(image[0], ivec2(0), uvec4(1u)); imageStore(image[1], ivec2(0), uvec4(2u)); }
",
    );
    let names = [5, 6].map(|unit| image_2d(unit, gl::R32UI, 1, 1));
    let location = gallite_tests::draw::uniform(p.0, "image");
    gl::Uniform1iv(location, 2, [6, 5].as_ptr());
    let mut unit = 0;
    gl::GetUniformiv(p.0, location + 1, &mut unit);
    assert_eq!(unit, 5);
    dispatch(1, 1, 1);
    for (name, expected) in names.into_iter().zip([2_u32, 1]) {
        gl::BindTexture(gl::TEXTURE_2D, name);
        let mut texel = 0_u32;
        gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, (&raw mut texel).cast());
        assert_eq!(texel, expected);
    }
    gl::Uniform1i(location, get_i32(gl::MAX_IMAGE_UNITS));
    expect_error(gl::INVALID_VALUE, "no such unit");
    gl::Uniform1f(location, 1.0);
    expect_error(gl::INVALID_OPERATION, "an image is no float");
}

/// GL 4.6 core 8.26: stores outside are dropped, loads give zeros.
fn outside_is_ignored(_: &Env) {
    let name = image_2d(0, gl::R32UI, 2, 2);
    let zeros = [0_u32; 4];
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 2, gl::RED_INTEGER, gl::UNSIGNED_INT, zeros.as_ptr().cast());
    compute(
        "layout(local_size_x = 1) in;
layout(r32ui, binding = 0) uniform uimage2D image;
layout(std430, binding = 0) buffer Out { uvec4 data; };
void main() {
    imageStore(image, ivec2(2, 0), uvec4(9u)); imageStore(image, ivec2(0, -1), uvec4(9u));
    data = imageLoad(image, ivec2(100, 1));
}
",
    );
    let out = storage(0, &[5_u32; 4]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 1), [0]);
    gl::BindTexture(gl::TEXTURE_2D, name);
    let mut texels = [1_u32; 4];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, texels.as_mut_ptr().cast());
    assert_eq!(texels, [0; 4]);
}

/// GL 4.6 core 15.2.4: with early tests, hidden fragments do not store; without, they do.
fn early_tests(_: &Env) {
    let _target = gallite_tests::draw::depth_stencil_target(4, 4);
    for (layout, expected) in [("layout(early_fragment_tests) in;", 0), ("", 16)] {
        image_2d(0, gl::R32UI, 1, 1);
        let zero = 0_u32;
        gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 1, 1, gl::RED_INTEGER, gl::UNSIGNED_INT, (&raw const zero).cast());
        let fragment = format!(
            "{HEAD}{layout}
layout(r32ui, binding = 0) uniform uimage2D image;
out vec4 result;
void main() {{ imageAtomicAdd(image, ivec2(0), 1u); result = vec4(1.0); }}\n"
        );
        program(SOLID_VS, &fragment);
        gl::Enable(gl::DEPTH_TEST);
        gl::DepthFunc(gl::NEVER);
        quad();
        gl::MemoryBarrier(gl::TEXTURE_UPDATE_BARRIER_BIT);
        let mut texel = 77_u32;
        gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, (&raw mut texel).cast());
        assert_eq!(texel, expected, "{layout}");
    }
    gl::Disable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::LESS);
}

fn coherent_over_draws(_: &Env) {
    let target = Target::new(4, 4);
    let name = image_2d(0, gl::R32UI, 4, 4);
    let zeros = [0_u32; 16];
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 4, 4, gl::RED_INTEGER, gl::UNSIGNED_INT, zeros.as_ptr().cast());
    let fragment = format!(
        "{HEAD}layout(r32ui, binding = 0) coherent uniform uimage2D image;
out vec4 result;
void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uint n = imageLoad(image, at).x;
    imageStore(image, at, uvec4(n + uint(at.x) + 1u));
    result = vec4(float(n) / 255.0);
}}\n"
    );
    program(SOLID_VS, &fragment);
    for _ in 0..3 {
        quad();
        gl::MemoryBarrier(gl::SHADER_IMAGE_ACCESS_BARRIER_BIT);
    }
    target.image().expect_each(|x, _| [(2 * (x + 1)) as u8; 4]);
    gl::BindTexture(gl::TEXTURE_2D, name);
    let mut texels = [0_u32; 16];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, texels.as_mut_ptr().cast());
    assert_eq!(texels[..4], [3, 6, 9, 12]);
}

/// A parameter without a format has its argument's (GLSL 4.60 4.10).
fn case_10_formats_of_parameters(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(r32f, binding = 0) uniform image2D one;
layout(rgba8, binding = 1) uniform image2D four;
layout(std430, binding = 0) buffer Out { vec4 data[2]; };
void add(image2D i, vec4 v) { imageStore(i, ivec2(0), imageLoad(i, ivec2(0)) + v); }
vec4 get(image2D i) { return imageLoad(i, ivec2(0)); }
void main() {
    imageStore(one, ivec2(0), vec4(2.0)); imageStore(four, ivec2(0), vec4(0.2));
    add(one, vec4(3.5)); add(four, vec4(0.4));
    data[0] = get(one); data[1] = get(four);
}
",
    );
    image_2d(0, gl::R32F, 1, 1);
    image_2d(1, gl::RGBA8, 1, 1);
    let out = storage(0, &[0.0_f32; 8]);
    dispatch(1, 1, 1);
    let got: Vec<f32> = words(out, 8).into_iter().map(f32::from_bits).collect();
    gallite_tests::draw::expect_near(&got, &[5.5, 0.0, 0.0, 1.0, 0.6, 0.6, 0.6, 0.6], 0.003);
}

fn format_less_writes(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(binding = 0) writeonly uniform image2D image;
void main() { imageStore(image, ivec2(0), vec4(0.2, 0.4, 0.6, 0.8)); }
",
    );
    for (format, expected) in [(gl::RGBA8, [51_u8, 102, 153, 204]), (gl::RG8, [51, 102, 0, 255])] {
        image_2d(0, format, 1, 1);
        dispatch(1, 1, 1);
        let mut texel = [0_u8; 4];
        gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, texel.as_mut_ptr().cast());
        assert_eq!(texel, expected);
    }
}

/// ARB_multi_bind.
fn several_at_once(_: &Env) {
    let names = [0, 1].map(|unit| image_2d(unit, gl::R32UI, 1, 1));
    gl::BindImageTextures(2, 3, [names[1], 0, names[0]].as_ptr());
    expect_no_error("glBindImageTextures");
    let bound = |unit| {
        let mut value = -1;
        gl::GetIntegeri_v(gl::IMAGE_BINDING_NAME, unit, &mut value);
        value as u32
    };
    assert_eq!([2, 3, 4].map(bound), [names[1], 0, names[0]]);
    gl::BindImageTextures(2, 2, [names[0], 12345].as_ptr());
    expect_error(gl::INVALID_OPERATION, "no such texture");
    assert_eq!([2, 3].map(bound), [names[0], 0]);
    gl::BindImageTextures(0, 5, std::ptr::null());
    assert_eq!([0, 2, 4].map(bound), [0; 3]);
    gl::BindImageTextures(get_i32(gl::MAX_IMAGE_UNITS) as u32, 1, names.as_ptr());
    expect_error(gl::INVALID_OPERATION, "units past the last");
}

/// Access through a unit that shows nothing reads zeros and writes nothing.
fn incomplete_and_unbound(_: &Env) {
    let out = storage(0, &[5_u32; 1]);
    compute(
        "layout(local_size_x = 1) in;
layout(r32ui, binding = 7) uniform uimage2D image;
layout(std430, binding = 0) buffer Out { uint data; };
void main() { imageStore(image, ivec2(0), uvec4(3u)); data = imageLoad(image, ivec2(0)).x; }
",
    );
    gl::BindImageTexture(7, 0, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32UI);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 1), [0]);
    // No image at level 3.
    let name = image_2d(7, gl::R32UI, 2, 2);
    gl::BindImageTexture(7, name, 3, gl::FALSE, 0, gl::READ_WRITE, gl::R32UI);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 1), [0]);
    // Deleted.
    gl::BindImageTexture(7, name, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32UI);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 1), [3]);
    gl::DeleteTextures(1, &name);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 1), [0]);
}

fn state(_: &Env) {
    let get = |what, unit| {
        let mut value = -7;
        gl::GetIntegeri_v(what, unit, &mut value);
        value
    };
    let all = |unit| {
        [
            gl::IMAGE_BINDING_NAME,
            gl::IMAGE_BINDING_LEVEL,
            gl::IMAGE_BINDING_LAYERED,
            gl::IMAGE_BINDING_LAYER,
            gl::IMAGE_BINDING_ACCESS,
            gl::IMAGE_BINDING_FORMAT,
        ]
        .map(|what| get(what, unit))
    };
    assert_eq!(all(1), [0, 0, 0, 0, gl::READ_ONLY as i32, gl::R8 as i32]);
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    gl::BindImageTexture(1, name, 2, gl::TRUE, 3, gl::WRITE_ONLY, gl::RGBA16F);
    assert_eq!(all(1), [name as i32, 2, 1, 3, gl::WRITE_ONLY as i32, gl::RGBA16F as i32]);
    let mut kind = 0;
    gl::GetTexParameteriv(gl::TEXTURE_2D, gl::IMAGE_FORMAT_COMPATIBILITY_TYPE, &mut kind);
    assert_eq!(kind as u32, gl::IMAGE_FORMAT_COMPATIBILITY_BY_SIZE);
    gl::DeleteTextures(1, &name);
    assert_eq!(get(gl::IMAGE_BINDING_NAME, 1), 0);
    expect_no_error("state");
}

fn errors(_: &Env) {
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    let bind = |unit, name, level, layer, access, format| {
        gl::BindImageTexture(unit, name, level, gl::FALSE, layer, access, format);
    };
    bind(get_i32(gl::MAX_IMAGE_UNITS) as u32, name, 0, 0, gl::READ_ONLY, gl::R8);
    expect_error(gl::INVALID_VALUE, "no such unit");
    bind(0, 12345, 0, 0, gl::READ_ONLY, gl::R8);
    expect_error(gl::INVALID_VALUE, "no such texture");
    bind(0, name, -1, 0, gl::READ_ONLY, gl::R8);
    expect_error(gl::INVALID_VALUE, "a negative level");
    bind(0, name, 0, -1, gl::READ_ONLY, gl::R8);
    expect_error(gl::INVALID_VALUE, "a negative layer");
    bind(0, name, 0, 0, gl::RGBA, gl::R8);
    expect_error(gl::INVALID_ENUM, "no access");
    for format in [gl::RGB8, gl::RGBA, gl::SRGB8_ALPHA8, gl::DEPTH_COMPONENT24, gl::RGB32F] {
        bind(0, name, 0, 0, gl::READ_ONLY, format);
        expect_error(gl::INVALID_VALUE, "no image format");
    }
    let mut value = 0;
    gl::GetIntegeri_v(gl::IMAGE_BINDING_NAME, get_i32(gl::MAX_IMAGE_UNITS) as u32, &mut value);
    expect_error(gl::INVALID_VALUE, "no such unit");
}

fn language(_: &Env) {
    let accepted =
        |text: &str| shader_status(gl::COMPUTE_SHADER, &format!("{HEAD}layout(local_size_x = 1) in;\n{text}\n")).1;
    let at = "ivec2(0)";
    for good in [
        format!("layout(rgba8) uniform image2D i; void main() {{ imageStore(i, {at}, imageLoad(i, {at})); }}"),
        format!("writeonly uniform image2D i; void main() {{ imageStore(i, {at}, vec4(1.0)); }}"),
        format!(
            "layout(r32i) coherent volatile restrict uniform iimage2D i; void main() {{ imageAtomicAdd(i, {at}, 1); }}"
        ),
        format!("layout(rgba8) uniform image2D i[2]; void main() {{ imageStore(i[1], {at}, vec4(1.0)); }}"),
        format!(
            "void f(readonly image2D i) {{ imageLoad(i, {at}); }} layout(rgba8) uniform image2D i; void main() {{ f(i); }}"
        ),
    ] {
        assert!(accepted(&good), "{good}");
    }
    for bad in [
        format!("uniform image2D i; void main() {{ imageLoad(i, {at}); }}"),
        format!("layout(rgba8) readonly uniform image2D i; void main() {{ imageStore(i, {at}, vec4(1.0)); }}"),
        format!("layout(rgba8) writeonly uniform image2D i; void main() {{ imageLoad(i, {at}); }}"),
        format!("layout(rgba8) uniform uimage2D i; void main() {{ imageLoad(i, {at}); }}"),
        format!("layout(rgba8ui) uniform uimage2D i; void main() {{ imageAtomicAdd(i, {at}, 1u); }}"),
        "layout(rgba8) uniform image2D i; void main() { image2D j = i; }".to_string(),
        format!("layout(rgba8) image2D i; void main() {{ imageLoad(i, {at}); }}"),
        "layout(rgba8) readonly uniform image2D i; void f(image2D i) { } void main() { f(i); }".to_string(),
        "layout(rgba8) coherent uniform image2D i; void f(image2D i) { } void main() { f(i); }".to_string(),
        format!("layout(r8, binding = 10000) uniform image2D i; void main() {{ imageLoad(i, {at}); }}"),
        "layout(rgba8) uniform vec4 v; void main() { }".to_owned(),
    ] {
        assert!(!accepted(&bad), "{bad}");
    }
}

fn link_rules(_: &Env) {
    let links = |a: &str, b: &str| {
        let vertex =
            format!("{HEAD}layout({a}) uniform image2D i;\nvoid main() {{ gl_Position = imageLoad(i, ivec2(0)); }}\n");
        let fragment = format!(
            "{HEAD}layout({b}) uniform image2D i;\nout vec4 r;\nvoid main() {{ r = imageLoad(i, ivec2(0)); }}\n"
        );
        try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &fragment)], |_| {}).is_ok()
    };
    if get_i32(gl::MAX_VERTEX_IMAGE_UNIFORMS) == 0 {
        return;
    }
    assert!(links("rgba8", "rgba8"));
    assert!(!links("rgba8", "rgba16f"));
    assert!(!links("rgba8, binding = 1", "rgba8, binding = 2"));
    let most = get_i32(gl::MAX_FRAGMENT_IMAGE_UNIFORMS);
    let many = |count: i32| {
        let fragment = format!(
            "{HEAD}layout(rgba8) uniform image2D i[{count}];\nout vec4 r;
void main() {{ r = imageLoad(i[0], ivec2(0)) + imageLoad(i[{count} - 1], ivec2(0)); }}\n"
        );
        try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, &fragment)], |_| {}).is_ok()
    };
    assert!(many(most));
    assert!(!many(most + 1));
}
