//! What GLSL 4.00 and later added to expressions and lookups: GLSL 4.60 4.1.10, 4.7.5, 6.1, 8.3 to 8.9, 8.13, 8.14.

use gallite_tests::draw::{
    Program, Target, buffer, expect_error, expect_near, expect_no_error, gen_texture, gen_vertex_array, get_f32s,
    get_i32, program, program_with, quad, require_extension, run_float, run_int, run_uint, tex_parameter, texture_2d,
    try_program, uniform, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): integer_functions, float_functions, functions_of_extensions, packing, conversions_and_overloads, precise_sums,
        gathers, gathers_of_shadows_and_rectangles, indexed_samplers_and_blocks, geometry_invocations, viewports_by_index,
        levels_and_lods, cubes_in_arrays, samples_of_textures, interpolation_at_places, shading_each_sample,
        sample_masks, depth_layouts, fine_and_coarse_derivatives, culling_by_distance;
    every core(3, 3): limits, errors_of_viewports;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec4 position;
out vec2 at;
void main() { gl_Position = position; at = position.xy; }
";

fn with(version: u32, extensions: &[&str], declarations: &str, body: &str) -> Program {
    let mut text = format!("#version {version} core\n");
    for name in extensions {
        require_extension(name);
        text += &format!("#extension {name} : require\n");
    }
    text += &format!("{declarations}\nvoid main() {{ {body} }}\n");
    program(VS, &text)
}

const SHADER5: &[&str] = &["GL_ARB_gpu_shader5"];

#[track_caller]
fn expect_true(declarations: &str, body: &str, prepare: impl FnOnce(Program)) {
    let declarations = format!("out vec4 result; {declarations}");
    let body = format!("bool good = true; {body} result = good ? vec4(1.0) : vec4(0.5);");
    let program = with(330, SHADER5, &declarations, &body);
    prepare(program);
    assert_eq!(run_float(program), [1.0; 4], "{declarations}\n{body}");
    program.delete();
}

/// GLSL 4.60 8.8.
fn integer_functions(_: &Env) {
    let body = "uint carry, borrow, high, low; int ih, il;
        good = bitfieldExtract(u, 4, 8) == 0xbcu && bitfieldExtract(-1 - i, 0, 8) == -6 && bitfieldExtract(u, 3, 0) == 0u
            && bitfieldInsert(u, 0xfu, 8, 4) == 0xffffafcdu - 0xffff0000u + 0xff000000u - 0xff000000u
            && bitfieldReverse(1u) == 0x80000000u && bitCount(u) == 10 && bitCount(-1) == 32
            && findLSB(u) == 0 && findLSB(0) == -1 && findMSB(u) == 15 && findMSB(-1) == -1 && findMSB(-256) == 7
            && uaddCarry(0xffffffffu, uint(i), carry) == 4u && carry == 1u && usubBorrow(1u, 2u, borrow) == 0xffffffffu && borrow == 1u;
        umulExtended(0xffffffffu, 2u, high, low); good = good && high == 1u && low == 0xfffffffeu;
        imulExtended(-2, 0x40000000, ih, il); good = good && ih == -1 && il == -2147483647 - 1;";
    expect_true(
        "uniform uint u; uniform int i;",
        &body.replace("0xffffafcdu - 0xffff0000u + 0xff000000u - 0xff000000u", "0xafcdu"),
        |p| {
            gl::Uniform1ui(uniform(p.0, "u"), 0xabcd);
            gl::Uniform1i(uniform(p.0, "i"), 5);
        },
    );
}

fn float_functions(_: &Env) {
    let body = "int e; float f = frexp(x, e);
        good = fma(x, 2.0, 1.0) == 13.0 && f == 0.75 && e == 3 && ldexp(f, 5) == 24.0;";
    expect_true("uniform float x;", body, |p| gl::Uniform1f(uniform(p.0, "x"), 6.0));
}

/// EXT_shader_integer_mix, AMD_shader_trinary_minmax, MESA_shader_integer_functions.
fn functions_of_extensions(_: &Env) {
    let body = "result = vec4(mix(1, 2, x > 5.0), mix(false, true, x > 7.0), mix(uvec2(1u, 2u), uvec2(3u, 4u), bvec2(true, false)));";
    let declarations = "uniform float x; out vec4 result;";
    let p = with(330, &["GL_EXT_shader_integer_mix"], declarations, body);
    p.bind();
    p.set1f("x", 6.0);
    assert_eq!(run_float(p), [2.0, 0.0, 3.0, 2.0]);
    let body = "int n = 0; float least = min3(x, 3.0, 5.0); ivec2 most = max3(ivec2(1, 2), ivec2(int(x), -1), ivec2(0, 7 + n++));
        result = vec4(least, most, float(mid3(9u, uint(x), 2u)) + float(n));";
    let p = with(330, &["GL_AMD_shader_trinary_minmax"], declarations, body);
    p.bind();
    p.set1f("x", 6.0);
    assert_eq!(run_float(p), [3.0, 6.0, 7.0, 7.0]);
    let body =
        "uint carry; result = vec4(findMSB(int(x)), bitCount(7u), uaddCarry(0xffffffffu, uint(x), carry), carry);";
    let p = with(330, &["GL_MESA_shader_integer_functions"], declarations, body);
    p.bind();
    p.set1f("x", 6.0);
    assert_eq!(run_float(p), [2.0, 3.0, 5.0, 1.0]);
}

/// GLSL 4.60 8.4.
fn packing(_: &Env) {
    let body = "uint v = packUnorm2x16(x * vec2(1.0, 0.5)); uint s = packSnorm4x8(x * vec4(-1.0, 0.0, 1.0, -0.5));
        result = uvec4(v, s, packUnorm4x8(vec4(0.0, 1.0, 0.0, 1.0)), packHalf2x16(vec2(1.0, -2.0)));";
    let p = with(330, &["GL_ARB_shading_language_packing"], "uniform float x; out uvec4 result;", body);
    gl::Uniform1f(uniform(p.0, "x"), 1.0);
    let got = run_uint(p);
    assert_eq!([got[0], got[2], got[3]], [0x8000_ffff, 0xff00_ff00, 0xc000_3c00]);
    assert!([0xc07f_0081_u32, 0xc17f_0081].contains(&got[1]), "{:#x}", got[1]);
    let body = "result = vec4(unpackUnorm2x16(0x8000ffffu).x, unpackSnorm2x16(0x80017fffu).y, unpackUnorm4x8(0xff00ff00u).w, unpackHalf2x16(0xc0003c00u).y);";
    let p = with(330, &["GL_ARB_shading_language_packing"], "out vec4 result;", body);
    assert_eq!(run_float(p), [1.0, -1.0, 1.0, -2.0]);
}

/// GLSL 4.60 4.1.10 and 6.1: int to uint, and exact matches before others.
fn conversions_and_overloads(_: &Env) {
    let declarations = "uniform int i; int f(uint v) { return 1; } int f(vec2 v) { return 2; }
        int g(int a, uint b) { return 3; } int g(float a, float b) { return 4; }";
    let body =
        "uint u = i; u += i; good = u == 14u && f(i) == 1 && f(ivec2(i)) == 2 && g(i, i) == 3 && g(1.0, i) == 4;";
    expect_true(declarations, body, |p| gl::Uniform1i(uniform(p.0, "i"), 7));
}

/// GLSL 4.60 4.9: a precise sum is rounded after each step.
fn precise_sums(_: &Env) {
    let body = "precise float a = x + big; precise float b = a - big; good = b == 0.0 && (x + big) - big == 0.0;";
    expect_true("uniform float x; uniform float big;", body, |p| {
        gl::Uniform1f(uniform(p.0, "x"), 1.0);
        gl::Uniform1f(uniform(p.0, "big"), 33_554_432.0 * 2.0);
    });
}

/// A texture of 2 by 2 texels; texel i has (i, 10 + i, 20 + i, 30 + i).
fn numbered_texture() -> u32 {
    let texels: Vec<f32> = (0_u8..16).map(|n| f32::from(n / 4) + 10.0 * f32::from(n % 4)).collect();
    let name = texture_2d(gl::RGBA32F, 2, 2, gl::RGBA, gl::FLOAT, Some(&texels));
    for wrap in [gl::TEXTURE_WRAP_S, gl::TEXTURE_WRAP_T] {
        tex_parameter(gl::TEXTURE_2D, wrap, gl::REPEAT);
    }
    name
}

/// GL 4.6 core 8.14.1: texels (i0, j1), (i1, j1), (i1, j0), (i0, j0).
fn gathers(_: &Env) {
    numbered_texture();
    for (call, expected) in [
        ("textureGather(t, vec2(0.5))", [2.0, 3.0, 1.0, 0.0]),
        ("textureGather(t, vec2(0.5), 2)", [22.0, 23.0, 21.0, 20.0]),
        ("textureGatherOffset(t, vec2(0.5), ivec2(1, 0), 1)", [13.0, 12.0, 10.0, 11.0]),
        ("textureGatherOffset(t, vec2(0.5), ivec2(zero + 1, zero))", [3.0, 2.0, 0.0, 1.0]),
        (
            "textureGatherOffsets(t, vec2(0.25), ivec2[4](ivec2(0), ivec2(1, 0), ivec2(0, 1), ivec2(1)), 3)",
            [33.0, 32.0, 31.0, 30.0],
        ),
    ] {
        let p =
            with(330, SHADER5, "uniform sampler2D t; uniform int zero; out vec4 result;", &format!("result = {call};"));
        let got = run_float(p);
        let mut sorted = (got.map(|v| v as i32), expected.map(|v: f32| v as i32));
        if call.contains("Offsets") {
            // Which texel of the footprint each offset names depends on the rounding at a texel's edge.
            sorted.0.sort_unstable();
            sorted.1.sort_unstable();
        }
        assert_eq!(sorted.0, sorted.1, "{call} is {got:?}");
        p.delete();
    }
    let p = with(
        330,
        &["GL_ARB_texture_gather"],
        "uniform sampler2D t; out vec4 result;",
        "result = textureGather(t, vec2(0.5));",
    );
    assert_eq!(run_float(p), [2.0, 3.0, 1.0, 0.0]);
    expect_no_error("gathers");
}

fn gathers_of_shadows_and_rectangles(_: &Env) {
    texture_2d(gl::DEPTH_COMPONENT32F, 2, 2, gl::DEPTH_COMPONENT, gl::FLOAT, Some(&[0.1_f32, 0.4, 0.6, 0.9]));
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE);
    let p =
        with(330, SHADER5, "uniform sampler2DShadow t; out vec4 result;", "result = textureGather(t, vec2(0.5), 0.5);");
    assert_eq!(run_float(p), [1.0, 1.0, 0.0, 0.0]);
    gl::BindTexture(gl::TEXTURE_2D, 0);
    gl::BindTexture(gl::TEXTURE_RECTANGLE, gen_texture());
    let texels = [0.0_f32, 1.0, 2.0, 3.0];
    gl::TexImage2D(gl::TEXTURE_RECTANGLE, 0, gl::R32F, 2, 2, 0, gl::RED, gl::FLOAT, texels.as_ptr().cast());
    tex_parameter(gl::TEXTURE_RECTANGLE, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    let p = with(330, SHADER5, "uniform sampler2DRect t; out vec4 result;", "result = textureGather(t, vec2(1.0));");
    assert_eq!(run_float(p), [2.0, 3.0, 1.0, 0.0]);
}

/// GLSL 4.60 4.1.7: arrays of samplers and of blocks take any dynamically uniform index.
fn indexed_samplers_and_blocks(_: &Env) {
    let declarations = "uniform sampler2D t[3]; uniform B { vec4 v; } b[3]; uniform int i; out vec4 result;";
    let p = with(
        330,
        SHADER5,
        declarations,
        "result = vec4(texture(t[i], vec2(0.5)).x, b[i].v.y, b[2 - i].v.y, texelFetch(t[2 - i], ivec2(0), 0).x);",
    );
    for n in 0..3_u32 {
        gl::ActiveTexture(gl::TEXTURE0 + n);
        texture_2d(gl::R32F, 1, 1, gl::RED, gl::FLOAT, Some(&[n as f32 + 1.0]));
        let block = buffer(gl::UNIFORM_BUFFER, &[0.0_f32, n as f32 + 10.0, 0.0, 0.0]);
        gl::BindBufferBase(gl::UNIFORM_BUFFER, n, block);
        gl::UniformBlockBinding(p.0, p.block(&format!("B[{n}]")), n);
    }
    gl::ActiveTexture(gl::TEXTURE0);
    gl::Uniform1iv(uniform(p.0, "t"), 3, [0, 1, 2].as_ptr());
    for i in 0..3 {
        p.bind();
        p.set1i("i", i);
        let (a, b) = (i as f32, 2.0 - i as f32);
        assert_eq!(run_float(p), [a + 1.0, a + 10.0, b + 10.0, b + 1.0], "index {i}");
    }
}

fn pixels_from(stages: &[(u32, &str)], points: &[[f32; 2]]) -> Program {
    let program = program_with(stages, |_| {});
    program.bind();
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, points);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::POINTS, 0, points.len() as i32);
    expect_no_error("draw");
    program
}

const POINTS: &str = "#version 330 core
layout(location = 0) in vec2 pixel; out vec2 place;
void main() { place = pixel; gl_Position = vec4(0.0); }
";
const WHITE_FS: &str = "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(1.0); }\n";

/// GLSL 4.60 4.4.1.2: the stage runs as often as it says, and gl_InvocationID counts.
fn geometry_invocations(_: &Env) {
    require_extension("GL_ARB_gpu_shader5");
    let target = Target::new(16, 16);
    let geometry = "#version 330 core
#extension GL_ARB_gpu_shader5 : require
layout(points, invocations = 5) in; layout(points, max_vertices = 1) out; in vec2 place[];
void main() {
    gl_Position = vec4((place[0] + vec2(float(gl_InvocationID) * 2.0, 0.0) + 0.5) / 8.0 - 1.0, 0.0, 1.0); EmitVertex();
}
";
    let stages = [(gl::VERTEX_SHADER, POINTS), (gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, WHITE_FS)];
    let p = pixels_from(&stages, &[[1.0, 3.0], [2.0, 9.0]]);
    target.image().expect_each(|x, y| {
        let lit = y == 3 && x % 2 == 1 && x <= 9 || y == 9 && x % 2 == 0 && (2..=10).contains(&x);
        if lit { [255; 4] } else { [0; 4] }
    });
    assert_eq!(p.get(gl::GEOMETRY_SHADER_INVOCATIONS), 5);
}

/// GL 4.6 core 13.8.1, 14.9.2: viewport, depth range and scissor of the index that is written.
fn viewports_by_index(_: &Env) {
    require_extension("GL_ARB_viewport_array");
    let target = Target::new(16, 16);
    let geometry = "#version 330 core
#extension GL_ARB_viewport_array : require
layout(points) in; layout(triangle_strip, max_vertices = 4) out; in vec2 place[];
out float index;
void main() {
    for (int i = 0; i < 4; ++i) {
        gl_ViewportIndex = int(place[0].x); index = place[0].x;
        gl_Position = vec4(i & 1, i >> 1, 0.0, 0.5) * 2.0 - vec4(1.0, 1.0, 0.0, 0.0); EmitVertex();
    }
}
";
    let fragment = "#version 330 core\nin float index; out vec4 result;\nvoid main() { result = vec4(index / 3.0, gl_FragCoord.z, 0.0, 1.0); }\n";
    for n in 0..4_u32 {
        gl::ViewportIndexedf(n, (n % 2 * 8) as f32, (n / 2 * 8) as f32, 8.0, 8.0);
        gl::DepthRangeIndexed(n, 0.0, f64::from(n) * 0.4 - if n == 3 { 0.2 } else { 0.0 });
    }
    gl::ScissorIndexed(2, 0, 8, 4, 8);
    gl::Enablei(gl::SCISSOR_TEST, 2);
    let stages = [(gl::VERTEX_SHADER, POINTS), (gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, fragment)];
    pixels_from(&stages, &[[0.0; 2], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]);
    target.image().expect_each_near(1, |x, y| {
        let n = x / 8 + y / 8 * 2;
        let depth = [0, 51, 102, 127][n as usize];
        if n == 2 && x >= 4 { [0; 4] } else { [(n * 85) as u8, depth, 0, 255] }
    });
    gl::Disablei(gl::SCISSOR_TEST, 2);
}

/// GLSL 4.60 8.9.1.
fn levels_and_lods(_: &Env) {
    let name = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, name);
    for level in 0..4 {
        let texels = vec![0.0_f32; 64 >> (2 * level)];
        gl::TexImage2D(
            gl::TEXTURE_2D,
            level,
            gl::R32F,
            8 >> level,
            8 >> level,
            0,
            gl::RED,
            gl::FLOAT,
            texels.as_ptr().cast(),
        );
    }
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST);
    let p = with(
        330,
        &["GL_ARB_texture_query_levels"],
        "uniform sampler2D t; out ivec4 result;",
        "result = ivec4(textureQueryLevels(t));",
    );
    assert_eq!(run_int(p), [4; 4]);
    let body = "result = vec4(textureQueryLOD(t, gl_FragCoord.xy * 0.25), textureQueryLOD(t, gl_FragCoord.xy * 4.0));";
    let p = with(330, &["GL_ARB_texture_query_lod"], "uniform sampler2D t; out vec4 result;", body);
    let got = run_float(p);
    // 2 texels a pixel is level 1; 32 a pixel is level 5, and the last there is 3.
    expect_near(&got, &[1.0, 1.0, 3.0, 5.0], 0.05);
}

fn cubes_in_arrays(_: &Env) {
    require_extension("GL_ARB_texture_cube_map_array");
    gl::BindTexture(gl::TEXTURE_CUBE_MAP_ARRAY, gen_texture());
    let texels: Vec<f32> = (0_u8..12).map(f32::from).collect();
    gl::TexImage3D(gl::TEXTURE_CUBE_MAP_ARRAY, 0, gl::R32F, 1, 1, 12, 0, gl::RED, gl::FLOAT, texels.as_ptr().cast());
    tex_parameter(gl::TEXTURE_CUBE_MAP_ARRAY, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    let body = "result = vec4(texture(t, vec4(1.0, 0.1, 0.1, 1.0)).x, texture(t, vec4(0.0, 0.1, -1.0, 0.0)).x,
        textureLod(t, vec4(0.1, -1.0, 0.1, 1.0), 0.0).x, float(textureSize(t, 0).z));";
    let p = with(330, &["GL_ARB_texture_cube_map_array"], "uniform samplerCubeArray t; out vec4 result;", body);
    assert_eq!(run_float(p), [6.0, 5.0, 9.0, 2.0]);
    let mut binding = 0;
    gl::GetIntegerv(gl::TEXTURE_BINDING_CUBE_MAP_ARRAY, &mut binding);
    assert_ne!(binding, 0);
    gl::TexImage3D(gl::TEXTURE_CUBE_MAP_ARRAY, 0, gl::R32F, 1, 1, 7, 0, gl::RED, gl::FLOAT, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "7 faces");
}

fn samples_of_textures(_: &Env) {
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, gen_texture());
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, gl::RGBA8, 2, 2, gl::TRUE);
    let p = with(
        330,
        &["GL_ARB_shader_texture_image_samples"],
        "uniform sampler2DMS t; out ivec4 result;",
        "result = ivec4(textureSamples(t));",
    );
    assert_eq!(run_int(p), [4; 4]);
}

/// GLSL 4.60 8.13.2: offsets are from the centre, x to the right and y up.
fn interpolation_at_places(_: &Env) {
    let target = Target::with_format(gl::RGBA32F, 4, 4);
    let declarations = "in vec2 at; out vec4 result;";
    with(
        330,
        SHADER5,
        declarations,
        "result = vec4(interpolateAtOffset(at, vec2(0.25, -0.5)) - at, interpolateAtCentroid(at) - at);",
    );
    quad();
    let got = gallite_tests::draw::read_pixels::<f32>([1, 2, 1, 1], gl::RGBA, gl::FLOAT, 4);
    // A pixel is half a unit wide.
    expect_near(&got, &[0.125, -0.25, 0.0, 0.0], 0.04);
    target.delete();
}

/// A multisampled target of 2 by 2, four samples.
fn multisampled() -> u32 {
    let (mut framebuffer, texture) = (0, gen_texture());
    gl::GenFramebuffers(1, &mut framebuffer);
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, texture);
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, gl::RGBA32F, 2, 2, gl::TRUE);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D_MULTISAMPLE, texture, 0);
    gl::Viewport(0, 0, 2, 2);
    gl::ClearColor(0.0, 0.0, 0.0, 0.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    texture
}

/// The red of the four samples of pixel (0, 0) of the bound multisample texture.
fn reds() -> [f32; 4] {
    let body = "result = vec4(texelFetch(t, ivec2(0), 0).r, texelFetch(t, ivec2(0), 1).r, texelFetch(t, ivec2(0), 2).r, texelFetch(t, ivec2(0), 3).r);";
    run_float(with(330, &[], "uniform sampler2DMS t; out vec4 result;", body))
}

/// GL 4.6 core 14.3.1.1, GLSL 4.60 7.1: with gl_SampleID each sample has its own invocation.
fn shading_each_sample(_: &Env) {
    multisampled();
    let name = &["GL_ARB_sample_shading"];
    with(330, name, "out vec4 result;", "result = vec4(float(gl_SampleID + 1));");
    quad();
    assert_eq!(reds(), [1.0, 2.0, 3.0, 4.0]);
    multisampled();
    with(330, name, "out vec4 result;", "result = vec4(gl_SamplePosition.x * 16.0 + gl_SamplePosition.y);");
    quad();
    let mut expected = [0.0; 4];
    for (i, value) in expected.iter_mut().enumerate() {
        let mut place = [0.0_f32; 2];
        gl::GetMultisamplefv(gl::SAMPLE_POSITION, i as u32, place.as_mut_ptr());
        *value = place[0] * 16.0 + place[1];
    }
    expect_near(&reds(), &expected, 0.001);
    // gl_FragCoord is at the sample once every one is shaded by itself.
    multisampled();
    gl::Enable(gl::SAMPLE_SHADING);
    gl::MinSampleShading(1.0);
    with(330, &[], "out vec4 result;", "result = vec4(fract(gl_FragCoord.x));");
    quad();
    let got = reds();
    gl::Disable(gl::SAMPLE_SHADING);
    assert!(got.iter().any(|v| *v != got[0]), "{got:?}");
    assert_eq!(get_f32s::<1>(gl::MIN_SAMPLE_SHADING_VALUE), [1.0]);
    gl::MinSampleShading(7.0);
    assert_eq!(get_f32s::<1>(gl::MIN_SAMPLE_SHADING_VALUE), [1.0]);
    gl::MinSampleShading(0.0);
}

fn sample_masks(_: &Env) {
    multisampled();
    with(330, &["GL_ARB_sample_shading"], "out vec4 result;", "gl_SampleMask[0] = 5; result = vec4(1.0);");
    quad();
    assert_eq!(reds(), [1.0, 0.0, 1.0, 0.0]);
    multisampled();
    with(330, SHADER5, "out vec4 result;", "result = vec4(float(gl_SampleMaskIn[0] & 15));");
    quad();
    assert_eq!(reds(), [15.0; 4]);
}

/// ARB_conservative_depth: what is written within the promise is the depth.
fn depth_layouts(_: &Env) {
    for (layout, value) in
        [("depth_any", 0.25), ("depth_greater", 0.75), ("depth_less", 0.25), ("depth_unchanged", 0.5)]
    {
        let target = gallite_tests::draw::depth_stencil_target(4, 4);
        gl::Enable(gl::DEPTH_TEST);
        gl::DepthFunc(gl::ALWAYS);
        gl::Clear(gl::DEPTH_BUFFER_BIT);
        let declarations = format!("layout({layout}) out float gl_FragDepth; out vec4 result;");
        with(
            330,
            &["GL_ARB_conservative_depth"],
            &declarations,
            &format!("gl_FragDepth = {value:?}; result = vec4(1.0);"),
        );
        quad();
        let got = gallite_tests::draw::read_pixels::<f32>([0, 0, 1, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1);
        expect_near(&got, &[value], 0.001);
        gl::Disable(gl::DEPTH_TEST);
        gl::DepthFunc(gl::LESS);
        let _ = target;
    }
}

fn fine_and_coarse_derivatives(_: &Env) {
    let target = Target::with_format(gl::RGBA32F, 4, 4);
    let body = "float x = gl_FragCoord.x * 3.0 + gl_FragCoord.y * 5.0;
        result = vec4(dFdxFine(x), dFdyFine(x), dFdxCoarse(x) + dFdyCoarse(x), fwidthFine(x) + fwidthCoarse(x));";
    with(330, &["GL_ARB_derivative_control"], "out vec4 result;", body);
    quad();
    let got = gallite_tests::draw::read_pixels::<f32>([1, 1, 1, 1], gl::RGBA, gl::FLOAT, 4);
    expect_near(&got, &[3.0, 5.0, 8.0, 16.0], 0.001);
    target.delete();
}

/// ARB_cull_distance: a primitive goes when one distance is negative at all of its vertices.
fn culling_by_distance(_: &Env) {
    require_extension("GL_ARB_cull_distance");
    let target = Target::new(4, 4);
    let vertex = "#version 330 core
#extension GL_ARB_cull_distance : require
layout(location = 0) in vec4 position; uniform vec2 distances;
out float gl_CullDistance[2];
void main() {
    gl_Position = position;
    gl_CullDistance[0] = distances.x; gl_CullDistance[1] = position.x + distances.y;
}
";
    let p = program(vertex, WHITE_FS);
    for (distances, visible) in [([1.0, 0.0], true), ([-1.0, 0.0], false), ([1.0, -3.0], false), ([1.0, 0.5], true)] {
        target.clear([0.0; 4]);
        p.set2f("distances", distances);
        quad();
        assert_eq!(target.image().at(2, 2) == [255; 4], visible, "{distances:?}");
    }
    assert!(get_i32(gl::MAX_CULL_DISTANCES) >= 8 && get_i32(gl::MAX_COMBINED_CLIP_AND_CULL_DISTANCES) >= 8);
}

fn limits(_: &Env) {
    require_extension("GL_ARB_gpu_shader5");
    assert!(get_i32(gl::MAX_GEOMETRY_SHADER_INVOCATIONS) >= 32);
    assert!(
        get_i32(gl::MIN_PROGRAM_TEXTURE_GATHER_OFFSET) <= -8 && get_i32(gl::MAX_PROGRAM_TEXTURE_GATHER_OFFSET) >= 7
    );
    assert!(get_f32s::<1>(gl::MIN_FRAGMENT_INTERPOLATION_OFFSET)[0] <= -0.5);
    assert!(get_f32s::<1>(gl::MAX_FRAGMENT_INTERPOLATION_OFFSET)[0] >= 0.4375);
    assert!(get_i32(gl::FRAGMENT_INTERPOLATION_OFFSET_BITS) >= 4);
    require_extension("GL_ARB_viewport_array");
    assert!(get_i32(gl::MAX_VIEWPORTS) >= 16);
    // Without the extension the names are not there.
    let text = "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(fma(1.0, 2.0, 3.0)); }\n";
    assert!(try_program(&[(gl::VERTEX_SHADER, VS), (gl::FRAGMENT_SHADER, text)], |_| {}).is_err());
}

fn errors_of_viewports(_: &Env) {
    require_extension("GL_ARB_viewport_array");
    let most = get_i32(gl::MAX_VIEWPORTS) as u32;
    gl::ViewportIndexedf(most, 0.0, 0.0, 1.0, 1.0);
    expect_error(gl::INVALID_VALUE, "no such viewport");
    gl::ViewportArrayv(most - 1, 2, [0.0_f32; 8].as_ptr());
    expect_error(gl::INVALID_VALUE, "past the last viewport");
    gl::ViewportIndexedf(0, 0.0, 0.0, -1.0, 1.0);
    expect_error(gl::INVALID_VALUE, "negative width");
    gl::ScissorIndexed(most, 0, 0, 1, 1);
    expect_error(gl::INVALID_VALUE, "no such scissor");
    gl::ScissorIndexed(1, 0, 0, -1, 1);
    expect_error(gl::INVALID_VALUE, "negative scissor");
    gl::DepthRangeIndexed(most, 0.0, 1.0);
    expect_error(gl::INVALID_VALUE, "no such depth range");
    gl::Enablei(gl::SCISSOR_TEST, most);
    expect_error(gl::INVALID_VALUE, "no such scissor test");
    gl::ViewportIndexedf(3, 1.5, 2.5, 3.5, 4.5);
    let mut got = [0.0_f32; 4];
    gl::GetFloati_v(gl::VIEWPORT, 3, got.as_mut_ptr());
    assert_eq!(got, [1.5, 2.5, 3.5, 4.5]);
}
