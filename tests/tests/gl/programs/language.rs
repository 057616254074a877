//! The shading language: versions 1.10 to 3.30 without fixed-function names, interpolation,
//! built-in variables and functions (GLSL 3.30; GL 3.3 core 2.11, 3.9).

use gallite_tests::draw::{
    Program, SOLID_VS, Target, buffer, expect_near, gen_vertex_array, program, quad, rect, run_float, run_int,
    run_uint, shader_status, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): version_110, version_120, version_130, version_140_and_150, frag_data, frag_color_goes_everywhere, old_texture_functions,
        smooth_is_perspective_correct, noperspective, flat_integers, varyings_by_component, geometry_varyings_by_component, frag_coord, frag_coord_conventions,
        front_facing, primitive_id, frag_depth, discard, depth_range, vertex_functions, integer_functions,
        float_bits, derivatives, dynamic_loops, arrays_and_structs, switch_statement, preprocessor,
        fma_free_invariant_position, layout_outputs, texture_size_and_fetch;
    every core(3, 3): rejected_sources, unknown_version, reserved_names;
}

fn evaluate(expression: &str) -> Program {
    let fragment = format!(
        "#version 330 core
uniform float zero;
out vec4 result;
void main() {{ result = {expression}; }}
"
    );
    program(SOLID_VS, &fragment)
}

fn paint(vertex: &str, fragment: &str) -> [u8; 4] {
    let target = Target::new(4, 4);
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    let p = gallite_tests::draw::program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr()));
    p.bind();
    quad();
    let image = target.image();
    image.expect_all(image.at(0, 0));
    image.at(0, 0)
}

fn version_110(_: &Env) {
    let vs = "attribute vec4 position;
varying vec2 v;
void main() { v = vec2(0.2, 0.4); gl_Position = position; }
";
    let fs = "varying vec2 v;
uniform sampler2D t;
void main() { gl_FragColor = vec4(v, 0.0, 1.0) + texture2D(t, vec2(0.5)); }
";
    gallite_tests::draw::texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[0_u8, 0, 51, 0]));
    assert_eq!(paint(vs, fs), [51, 102, 51, 255]);
}

fn version_120(_: &Env) {
    let vs = "#version 120
attribute vec4 position;
varying float v[2];
uniform float scale = 0.5;
void main() { v[0] = 1.0; v[1] = scale; gl_Position = position; }
";
    let fs = "#version 120
varying float v[2];
const float list[2] = float[2](0.2, 0.4);
void main() { int i = 1; float a = i; gl_FragColor = vec4(v[0] * list[0], list.length() * 0.1, 0.0, a); }
";
    assert_eq!(paint(vs, fs), [51, 51, 0, 255]);
}

fn version_130(_: &Env) {
    let vs = "#version 130
in vec4 position;
flat out int v;
void main() { v = 3 % 2; gl_Position = position; }
";
    let fs = "#version 130
flat in int v;
out vec4 result;
void main() { uint u = 3u << 1; result = vec4(float(v), float(u) / 255.0, 0.0, 1.0); }
";
    assert_eq!(paint(vs, fs), [255, 6, 0, 255]);
    // 1.30 still has the old output.
    let fs = "#version 130
flat in int v;
void main() { gl_FragColor = vec4(float(v)); }
";
    assert_eq!(paint(vs, fs), [255; 4]);
}

fn version_140_and_150(_: &Env) {
    for version in ["140", "150", "150 core", "330", "330 core"] {
        let vs = format!(
            "#version {version}
in vec4 position;
void main() {{ gl_Position = position; }}
"
        );
        let fs = format!(
            "#version {version}
out vec4 result;
void main() {{ result = vec4(1.0, inversesqrt(16.0), 0.0, 1.0); }}
"
        );
        let got = paint(&vs, &fs);
        assert!(got[0] == 255 && got[1].abs_diff(64) <= 1, "{version}: {got:?}");
    }
}

fn frag_data(_: &Env) {
    let vs = "#version 120
attribute vec4 position;
void main() { gl_Position = position; }
";
    let fs = "#version 120
void main() { gl_FragData[0] = vec4(0.2, 0.4, 0.6, 1.0); }
";
    assert_eq!(paint(vs, fs), [51, 102, 153, 255]);
}

/// GLSL 3.30 7.2: gl_FragColor is deprecated, not removed; 3.3 compatibility 3.9.2: it goes to every draw
/// buffer, and to none that is GL_NONE.
fn frag_color_goes_everywhere(_: &Env) {
    let target = Target::new(2, 2);
    let textures: Vec<u32> = (1..4)
        .map(|i| {
            let texture = gallite_tests::draw::texture_2d(gl::RGBA8, 2, 2, gl::RGBA, gl::UNSIGNED_BYTE, None::<&[u8]>);
            gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0 + i, gl::TEXTURE_2D, texture, 0);
            texture
        })
        .collect();
    assert_eq!(textures.len(), 3);
    let buffers = [gl::COLOR_ATTACHMENT0, gl::NONE, gl::COLOR_ATTACHMENT2, gl::COLOR_ATTACHMENT3];
    gl::DrawBuffers(4, [0, 1, 2, 3].map(|i| gl::COLOR_ATTACHMENT0 + i).as_ptr());
    target.clear([0.0, 0.0, 0.0, 0.0]);
    gl::DrawBuffers(4, buffers.as_ptr());
    program(SOLID_VS, "#version 330 core\nvoid main() { gl_FragColor = vec4(0.2, 0.4, 0.6, 1.0); }\n");
    quad();
    for (i, buffer) in buffers.into_iter().enumerate() {
        gl::ReadBuffer(gl::COLOR_ATTACHMENT0 + i as u32);
        target.image().expect_all(if buffer == gl::NONE { [0; 4] } else { [51, 102, 153, 255] });
    }
    // One buffer after four: the same program without the copies.
    gl::DrawBuffers(1, buffers.as_ptr());
    quad();
    gl::ReadBuffer(gl::COLOR_ATTACHMENT0);
    target.image().expect_all([51, 102, 153, 255]);
}

const VARYING_VS: &str = "#version 330 core
layout(location = 0) in vec4 position;
layout(location = 1) in float value;
QUALIFIER out float v;
void main() { v = value; gl_Position = position; }
";
const VARYING_FS: &str = "#version 330 core
QUALIFIER in float v;
out vec4 result;
void main() { result = vec4(v, v, v, 1.0); }
";

/// GLSL 3.30 8.7: the old texture functions are deprecated, not removed.
fn old_texture_functions(_: &Env) {
    gallite_tests::draw::texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[51_u8, 102, 153, 255]));
    let p = program(
        SOLID_VS,
        "#version 330 core\nuniform sampler2D t;\nout vec4 r;\nvoid main() { r = texture2D(t, vec2(0.5)); }\n",
    );
    expect_near(&run_float(p), &[0.2, 0.4, 0.6, 1.0], 1e-3);
}

/// A quad whose right edge has w = 3 and value 1; the left w = 1 and value 0.
fn interpolated(qualifier: &str) -> [u8; 4] {
    let target = Target::new(9, 1);
    program(&VARYING_VS.replace("QUALIFIER", qualifier), &VARYING_FS.replace("QUALIFIER", qualifier));
    gl::BindVertexArray(gen_vertex_array());
    let data: [[f32; 5]; 4] = [
        [-1.0, -1.0, 0.0, 1.0, 0.0],
        [3.0, -3.0, 0.0, 3.0, 1.0],
        [-1.0, 1.0, 0.0, 1.0, 0.0],
        [3.0, 3.0, 0.0, 3.0, 1.0],
    ];
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(0, 4, 20, 0);
    vertex_attrib(1, 1, 20, 16);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().at(4, 0)
}

/// 3.6.1, equation 3.6: at the middle (0/1 * 0.5 + 1/3 * 0.5) / (1/1 * 0.5 + 1/3 * 0.5) = 0.25.
fn smooth_is_perspective_correct(_: &Env) {
    let got = interpolated("smooth");
    assert!(got[0].abs_diff(64) <= 1, "{got:?}");
}

fn noperspective(_: &Env) {
    let got = interpolated("noperspective");
    assert!(got[0].abs_diff(128) <= 1, "{got:?}");
}

fn flat_integers(_: &Env) {
    let p = program(
        "#version 330 core
layout(location = 0) in vec4 position;
flat out ivec2 a;
flat out uvec2 b;
void main() { a = ivec2(-5, 1 << 30); b = uvec2(7u, 0xffffffffu); gl_Position = position; }
",
        "#version 330 core
flat in ivec2 a;
flat in uvec2 b;
out uvec4 result;
void main() { result = uvec4(uvec2(a), b); }
",
    );
    assert_eq!(run_uint(p), [-5_i32 as u32, 1 << 30, 7, u32::MAX]);
}

/// 3.9.2: window coordinates with pixel centres at halves, origin at the lower left; w is 1/w.
/// The limit of varyings counts components (GL 3.3 core 2.11.7): an array of floats is not an array of vectors.
fn varyings_by_component(_: &Env) {
    let most = gallite_tests::draw::get_i32(gl::MAX_VARYING_COMPONENTS);
    let floats = most - 12;
    let p = program(
        &format!(
            "#version 330 core
in vec4 position; out float a[{floats}]; flat out ivec3 n; flat out uint u; noperspective out vec2 p;
void main() {{
    for (int i = 0; i < {floats}; ++i) a[i] = float(i) + position.x;
    n = ivec3(-1, 7, 2000000000); u = 4000000000u; p = vec2(0.5, position.y); gl_Position = position;
}}
"
        ),
        &format!(
            "#version 330 core
in float a[{floats}]; flat in ivec3 n; flat in uint u; noperspective in vec2 p; out vec4 result;
void main() {{
    float sum = 0.0;
    for (int i = 0; i < {floats}; ++i) sum += round(a[i] - a[0] - float(i)) + 1.0;
    result = vec4(sum, a[{floats} - 1] - a[1], n == ivec3(-1, 7, 2000000000) && u == 4000000000u, p.x);
}}
"
        ),
    );
    let [sum, last, bits, plain] = run_float(p);
    assert_eq!((sum, bits, plain), (floats as f32, 1.0, 0.5));
    assert!((last - (floats - 2) as f32).abs() < 1e-3, "{last}");
}

/// The same through a geometry stage, whose inputs are arrays over the vertices.
fn geometry_varyings_by_component(_: &Env) {
    let n = gallite_tests::draw::get_i32(gl::MAX_GEOMETRY_INPUT_COMPONENTS) - 8;
    let p = gallite_tests::draw::program_with(
        &[
            (
                gl::VERTEX_SHADER,
                &format!(
                    "#version 330 core
in vec4 position; out B {{ float a[{n}]; }} b; out int k;
void main() {{ for (int i = 0; i < {n}; ++i) b.a[i] = float(i) + 0.5; k = gl_VertexID; gl_Position = position; }}
"
                ),
            ),
            (
                gl::GEOMETRY_SHADER,
                &format!(
                    "#version 330 core
layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
in B {{ float a[{n}]; }} b[]; in int k[]; flat out ivec3 seen; out float sum;
void main() {{
    for (int v = 0; v < 3; ++v) {{
        sum = 0.0;
        for (int i = 0; i < {n}; ++i) sum += b[v].a[i] - float(i);
        seen = ivec3(k[0], k[1], k[2]) - ivec3(k[0]);
        gl_Position = gl_in[v].gl_Position;
        EmitVertex();
    }}
}}
"
                ),
            ),
            (
                gl::FRAGMENT_SHADER,
                "#version 330 core
flat in ivec3 seen; in float sum; out vec4 result; void main() { result = vec4(sum, vec3(seen)); }
",
            ),
        ],
        |p| gl::BindAttribLocation(p, 0, c"position".as_ptr()),
    );
    let pixel = run_float(p);
    assert!((pixel[0] - n as f32 * 0.5).abs() < 1e-2, "{pixel:?}");
    assert!(pixel[1] == 0.0 && pixel[2] != 0.0 && pixel[3] != 0.0 && pixel[2] != pixel[3], "{pixel:?}");
}

fn frag_coord(_: &Env) {
    let target = Target::with_format(gl::RGBA32F, 4, 4);
    gl::DepthRange(0.0, 0.5);
    program(
        "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = vec4(position.xy * 2.0, 1.0, 2.0); }
",
        "#version 330 core
out vec4 result;
void main() { result = gl_FragCoord; }
",
    );
    quad();
    let got: Vec<f32> = gallite_tests::draw::read_pixels([1, 2, 1, 1], gl::RGBA, gl::FLOAT, 4);
    expect_near(&got, &[1.5, 2.5, 0.375, 0.5], 1e-5);
    target.delete();
}

/// GLSL 1.50 4.3.8.1: the conventions can be redeclared.
fn frag_coord_conventions(_: &Env) {
    for (layout, expected) in [
        ("origin_upper_left", [1.5, 1.5]),
        ("pixel_center_integer", [1.0, 2.0]),
        ("origin_upper_left, pixel_center_integer", [1.0, 1.0]),
    ] {
        Target::with_format(gl::RGBA32F, 4, 4);
        program(
            SOLID_VS,
            &format!(
                "#version 330 core
layout({layout}) in vec4 gl_FragCoord;
out vec4 result;
void main() {{ result = gl_FragCoord; }}
"
            ),
        );
        quad();
        let got: Vec<f32> = gallite_tests::draw::read_pixels([1, 2, 1, 1], gl::RGBA, gl::FLOAT, 4);
        expect_near(&got[..2], &expected, 1e-5);
    }
}

fn front_facing(_: &Env) {
    let target = Target::new(8, 1);
    program(
        SOLID_VS,
        "#version 330 core
out vec4 result;
void main() { result = gl_FrontFacing ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }
",
    );
    rect(-1.0, -1.0, 0.0, 1.0);
    rect(1.0, -1.0, 0.0, 1.0);
    target.image().expect_each(|x, _| if x < 4 { [0, 255, 0, 255] } else { [255, 0, 0, 255] });
    gl::FrontFace(gl::CW);
    rect(-1.0, -1.0, 0.0, 1.0);
    target.image().expect_all([255, 0, 0, 255]);
}

/// 3.9.2: gl_PrimitiveID counts primitives since the last draw, also over restarts and instances.
fn primitive_id(_: &Env) {
    let target = Target::new(8, 1);
    program(
        "#version 330 core
layout(location = 0) in float column;
void main() { gl_Position = vec4((column + 4.0 * gl_InstanceID + 0.5) / 4.0 - 1.0, 0.0, 0.0, 1.0); }
",
        "#version 330 core
out vec4 result;
void main() { result = vec4(float(gl_PrimitiveID + 1) / 255.0, 0.0, 0.0, 1.0); }
",
    );
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f32, 1.0, 2.0, 3.0]);
    vertex_attrib(0, 1, 0, 0);
    gl::DrawArraysInstanced(gl::POINTS, 0, 4, 2);
    target.image().expect_each(|x, _| [x as u8 % 4 + 1, 0, 0, 255]);
}

fn frag_depth(_: &Env) {
    let (target, _) = gallite_tests::draw::depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    let fs = |depth: &str, colour: &str| {
        format!(
            "#version 330 core
out vec4 result;
void main() {{ result = {colour}; gl_FragDepth = {depth}; }}
"
        )
    };
    program(SOLID_VS, &fs("0.25", "vec4(1.0, 0.0, 0.0, 1.0)"));
    quad();
    program(SOLID_VS, &fs("gl_FragCoord.x < 2.0 ? 0.2 : 0.3", "vec4(0.0, 1.0, 0.0, 1.0)"));
    quad();
    target.image().expect_each(|x, _| if x < 2 { [0, 255, 0, 255] } else { [255, 0, 0, 255] });
    let depth: Vec<f32> = gallite_tests::draw::read_pixels([0, 0, 4, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1);
    expect_near(&depth, &[0.2, 0.2, 0.25, 0.25], 1e-5);
}

fn discard(_: &Env) {
    let (target, _) = gallite_tests::draw::depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    program(
        SOLID_VS,
        "#version 330 core
out vec4 result;
void main() { if (gl_FragCoord.x < 2.0) discard; result = vec4(1.0); }
",
    );
    quad();
    target.image().expect_rect([2, 0, 2, 4], [255; 4], [0; 4]);
    // A discarded fragment writes no depth either.
    let depth: Vec<f32> = gallite_tests::draw::read_pixels([0, 0, 4, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1);
    expect_near(&depth, &[1.0, 1.0, 0.5, 0.5], 1e-5);
}

fn depth_range(_: &Env) {
    let p = evaluate("vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, zero)");
    expect_near(&run_float(p), &[0.0, 1.0, 1.0, 0.0], 1e-6);
    gl::DepthRange(0.25, 0.75);
    expect_near(&run_float(p), &[0.25, 0.75, 0.5, 0.0], 1e-6);
    gl::DepthRange(1.0, 0.5);
    expect_near(&run_float(p), &[1.0, 0.5, -0.5, 0.0], 1e-6);
}

fn vertex_functions(_: &Env) {
    let p = evaluate("vec4(mod(-1.0 + zero, 3.0), fract(-0.25 + zero), sign(-3.0 + zero), floor(-0.5 + zero))");
    expect_near(&run_float(p), &[2.0, 0.75, -1.0, -1.0], 1e-6);
    let p = evaluate(
        "vec4(roundEven(2.5 + zero), trunc(-1.7 + zero), mix(2.0, 4.0, 0.25 + zero), smoothstep(0.0, 2.0, 1.0 + zero))",
    );
    expect_near(&run_float(p), &[2.0, -1.0, 2.5, 0.5], 1e-6);
    let p = evaluate(
        "vec4(determinant(mat2(1.0, 2.0, 3.0, 4.0 + zero)), inverse(mat2(2.0, 0.0, 0.0, 4.0 + zero))[1][1], outerProduct(vec2(1.0, 2.0), vec2(3.0, 4.0 + zero))[1][0], transpose(mat2(1.0, 2.0, 3.0, 4.0 + zero))[0][1])",
    );
    expect_near(&run_float(p), &[-2.0, 0.25, 4.0, 3.0], 1e-5);
    let p = evaluate(
        "vec4(modf(3.75 + zero, result.x), isnan(zero / zero) ? 1.0 : 0.0, isinf(1.0 / zero) ? 1.0 : 0.0, atan(1.0, -1.0 + zero))",
    );
    let got = run_float(p);
    expect_near(&[got[0], got[2], got[3]], &[0.75, 1.0, 2.356_194_5], 1e-3);
}

fn integer_functions(_: &Env) {
    let fragment = |expression: &str| {
        format!(
            "#version 330 core
uniform int zero;
out ivec4 result;
void main() {{ result = {expression}; }}
"
        )
    };
    let p = program(SOLID_VS, &fragment("ivec4((-7 + zero) / 2, (13 + zero) % 5, (-16 + zero) >> 2, ~(5 + zero))"));
    assert_eq!(run_int(p), [-3, 3, -4, -6]);
    let p = program(
        SOLID_VS,
        &fragment("ivec4(abs(-3 + zero), clamp(9 + zero, 0, 4), int(uint(-1 + zero) >> 28u), int(-1.9 + float(zero)))"),
    );
    assert_eq!(run_int(p), [3, 4, 15, -1]);
    let p =
        program(SOLID_VS, &fragment("ivec4((1 << 31) + zero, (5 ^ 3) + zero, int(true) + zero, min(-2 + zero, 1))"));
    assert_eq!(run_int(p), [i32::MIN, 6, 1, -2]);
}

fn float_bits(_: &Env) {
    let fragment = "#version 330 core
uniform float one;
out uvec4 result;
void main() { result = uvec4(floatBitsToUint(one), uint(floatBitsToInt(-one)), uint(intBitsToFloat(0x40000000)), uint(uintBitsToFloat(0x40400000u))); }
";
    let p = program(SOLID_VS, fragment);
    p.set1f("one", 1.0);
    assert_eq!(run_uint(p), [0x3f80_0000, 0xbf80_0000, 2, 3]);
}

fn derivatives(_: &Env) {
    Target::with_format(gl::RGBA32F, 8, 8);
    program(
        SOLID_VS,
        "#version 330 core
out vec4 result;
void main() { result = vec4(dFdx(gl_FragCoord.x * 3.0), dFdy(gl_FragCoord.y * 5.0), fwidth(gl_FragCoord.x - gl_FragCoord.y), dFdy(gl_FragCoord.x)); }
",
    );
    quad();
    let got: Vec<f32> = gallite_tests::draw::read_pixels([2, 2, 1, 1], gl::RGBA, gl::FLOAT, 4);
    expect_near(&got, &[3.0, 5.0, 2.0, 0.0], 1e-4);
}

fn dynamic_loops(_: &Env) {
    let fragment = "#version 330 core
uniform int n;
out ivec4 result;
void main() {
    int sum = 0;
    int rounds = 0;
    for (int i = 0; i < n; ++i) {
        if (i % 3 == 0) continue;
        if (i > 10) break;
        sum += i;
    }
    do { rounds += 2; } while (rounds < n);
    int down = n;
    while (down > 0) down -= 4;
    result = ivec4(sum, rounds, down, n);
}
";
    let p = program(SOLID_VS, fragment);
    p.set1i("n", 15);
    assert_eq!(run_int(p), [37, 16, -1, 15]);
}

fn arrays_and_structs(_: &Env) {
    let fragment = "#version 330 core
struct P { vec2 a; float b[3]; };
uniform int i;
P make(float x) { P p; p.a = vec2(x, -x); p.b = float[3](x, x + 1.0, x + 2.0); return p; }
void change(inout P p, out float q) { p.b[0] = 100.0; q = p.a.y; }
out vec4 result;
void main() {
    P list[2] = P[2](make(1.0), make(5.0));
    float q;
    change(list[1], q);
    result = vec4(list[i].b[0], list[0].b[i + 1], q, list[0] == make(1.0) ? 1.0 : 0.0);
}
";
    let p = program(SOLID_VS, fragment);
    p.set1i("i", 1);
    assert_eq!(run_float(p), [100.0, 3.0, -5.0, 1.0]);
}

fn switch_statement(_: &Env) {
    let fragment = "#version 330 core
uniform int i;
out ivec4 result;
int pick(int x) { int r = 0; switch (x) { case 0: r = 10; break; case 1: r = 20; case 2: r += 5; break; default: r = 99; } return r; }
void main() { result = ivec4(pick(i), pick(i + 1), pick(i + 2), pick(i + 7)); }
";
    let p = program(SOLID_VS, fragment);
    assert_eq!(run_int(p), [10, 25, 5, 99]);
}

fn preprocessor(_: &Env) {
    let fragment = "#version 330 core
#define ADD(a, b) ((a) + (b))
#if defined(GL_core_profile) && __VERSION__ == 330
#define CORE 1
#else
#define CORE 0
#endif
#ifdef UNDEFINED
#error not reached
#endif
#undef ADD
#define ADD(a, b) ((a) + (b) + \\
  1)
#extension GL_ARB_not_there : disable
#pragma optimize(off)
out ivec4 result;
void main() { result = ivec4(ADD(1, 2), CORE, __LINE__, 0x1F + 010); }
";
    let p = program(SOLID_VS, fragment);
    let got = run_int(p);
    assert_eq!([got[0], got[1], got[3]], [4, 1, 39]);
    assert!((16..=18).contains(&got[2]), "line {}", got[2]);
}

/// The same expression in two programs gives the same position: a second pass at EQUAL depth
/// covers the first.
fn fma_free_invariant_position(_: &Env) {
    let (target, _) = gallite_tests::draw::depth_stencil_target(16, 16);
    let vs = |extra: &str| {
        format!(
            "#version 330 core
layout(location = 0) in vec4 position;
invariant gl_Position;
uniform mat4 m = mat4(0.9, 0.1, 0.3, 0.0, -0.2, 0.8, 0.1, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.3);
out vec4 extra;
void main() {{ extra = {extra}; gl_Position = m * position; }}
"
        )
    };
    let fs = "#version 330 core\nin vec4 extra;\nout vec4 r;\nvoid main() { r = extra; }\n";
    gl::Enable(gl::DEPTH_TEST);
    program(&vs("vec4(1.0, 0.0, 0.0, 1.0)"), fs);
    quad();
    let covered = target.image().count([255, 0, 0, 255]);
    gl::DepthFunc(gl::EQUAL);
    program(&vs("vec4(0.0, 1.0, 0.0, 1.0) + position * 0.0 + (m * position) * 0.0"), fs);
    quad();
    assert!(covered > 20);
    assert_eq!(target.image().count([0, 255, 0, 255]), covered);
}

fn layout_outputs(_: &Env) {
    let p = program(
        SOLID_VS,
        "#version 330 core
layout(location = 1) out vec4 b;
layout(location = 0) out vec4 a;
void main() { a = vec4(1.0, 2.0, 3.0, 4.0); b = vec4(9.0); }
",
    );
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 4.0]);
}

fn texture_size_and_fetch(_: &Env) {
    let data: Vec<u8> = (0..4 * 2 * 4).collect();
    gallite_tests::draw::texture_2d(gl::RGBA8, 4, 2, gl::RGBA, gl::UNSIGNED_BYTE, Some(&data));
    let p = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = vec4(vec2(textureSize(t, 0)), texelFetch(t, ivec2(3, 1), 0).xw * 255.0); }
",
    );
    expect_near(&run_float(p), &[4.0, 2.0, 28.0, 31.0], 1e-4);
}

fn rejected_sources(_: &Env) {
    for (what, source) in [
        ("no semicolon", "#version 330 core\nout vec4 r;\nvoid main() { r = vec4(1.0) }\n"),
        ("float to int", "#version 330 core\nvoid main() { int i = 1.5; }\n"),
        ("two kinds of output", "#version 330 core\nout vec4 r;\nvoid main() { r = gl_FragColor = vec4(1.0); }\n"),
        ("fixed function in core", "#version 330 core\nout vec4 r;\nvoid main() { r = gl_Color; }\n"),
        ("write to uniform", "#version 330 core\nuniform float u;\nvoid main() { u = 1.0; }\n"),
        ("unknown type", "#version 330 core\nuniform sampler9D t;\nvoid main() {}\n"),
        ("integer varying without flat", "#version 330 core\nin int v;\nout ivec4 r;\nvoid main() { r = ivec4(v); }\n"),
        ("error directive", "#version 330 core\n#error stop\nvoid main() {}\n"),
        ("required extension", "#version 330 core\n#extension GL_ARB_not_there : require\nvoid main() {}\n"),
        ("recursion of types", "#version 330 core\nstruct S { S s; };\nvoid main() {}\n"),
        ("empty", ""),
        ("unbalanced", "#version 330 core\nvoid main() { {\n"),
    ] {
        let (shader, ok) = shader_status(gl::FRAGMENT_SHADER, source);
        assert!(!ok || source.is_empty(), "{what} compiles");
        assert!(source.is_empty() || !gallite_tests::draw::compile_log(shader).is_empty(), "{what}: no log");
    }
}

fn unknown_version(_: &Env) {
    for version in ["999", "300", "330 nonsense"] {
        let source = format!("#version {version}\nvoid main() {{ gl_Position = vec4(0.0); }}\n");
        assert!(!shader_status(gl::VERTEX_SHADER, &source).1, "version {version} compiles");
    }
}

fn reserved_names(_: &Env) {
    for source in [
        "#version 330 core\nuniform float gl_Mine;\nvoid main() {}\n",
        "#version 330 core\n#define GL_mine 1\nvoid main() {}\n",
    ] {
        let stages = [(gl::VERTEX_SHADER, source)];
        let result = try_program(&stages, |_| {});
        assert!(result.is_err() || source.contains("#define"), "{source}");
    }
}
