//! Uniforms of the default block: GL 3.3 core 2.11.4.

use gallite_tests::draw::{
    Program, SOLID_FS, SOLID_VS, Target, expect_error, expect_near, expect_no_error, get_i32, link, program, quad,
    run_float, run_int, run_uint, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): floats, ints, unsigned_ints, bools_from_any_type, square_matrices,
        rectangular_matrices, transposed, arrays, array_tail_is_clipped, struct_members, initialisers,
        values_survive_other_programs, link_resets_values, shared_by_both_stages, sampler_units,
        many_uniforms, a_count_of_two_billion, changes_between_draws, large_arrays, large_in_all_stages,
        vec3_and_float_packing, arrays_of_small_types;
    every core(3, 3): locations, get_returns_what_was_set, errors, active_uniforms, location_minus_one;
}

fn output(glsl: &str, kind: &str, declarations: &str) -> Program {
    let fragment = format!(
        "#version 330 core
{declarations}
out {kind} result;
void main() {{ result = {glsl}; }}
"
    );
    program(SOLID_VS, &fragment)
}

/// Arrays up to the advertised limit (GL 3.3 core table 6.40); an array of floats takes a vector each in memory.
fn large_arrays(_: &Env) {
    let most = get_i32(gl::MAX_FRAGMENT_UNIFORM_COMPONENTS) - 8;
    let p = output(
        "vec4(a[0], a[n / 2], a[n - 1], after)",
        "vec4",
        &format!("uniform int n; uniform float a[{most}]; uniform float after;"),
    );
    gl::Uniform1i(p.location("n"), most);
    let values: Vec<f32> = (0..most).map(|i| i as f32).collect();
    gl::Uniform1fv(p.location("a"), most, values.as_ptr());
    gl::Uniform1f(p.location("after"), -5.0);
    assert_eq!(run_float(p), [0.0, (most / 2) as f32, (most - 1) as f32, -5.0]);
    gl::Uniform1f(p.location(&format!("a[{}]", most - 1)), 7.0);
    assert_eq!(run_float(p)[2..], [7.0, -5.0]);
}

/// The limits count the components of one stage; all stages together may use more than a uniform block holds.
fn large_in_all_stages(_: &Env) {
    let vectors = get_i32(gl::MAX_VERTEX_UNIFORM_COMPONENTS) / 4 - 4;
    let p = program(
        &format!(
            "#version 330 core
in vec4 position; flat out vec4 seen; uniform vec4 v[{vectors}]; uniform int last;
void main() {{ seen = v[last]; gl_Position = position; }}
"
        ),
        &format!(
            "#version 330 core
flat in vec4 seen; out vec4 result; uniform vec4 f[{vectors}]; uniform bool on; uniform int last;
void main() {{ result = on ? seen + f[last] : vec4(-1.0); }}
"
        ),
    );
    gl::Uniform1i(p.location("last"), vectors - 1);
    gl::Uniform1i(p.location("on"), 1);
    for (name, value) in [("v", 1.0), ("f", 2.0)] {
        gl::Uniform4f(p.location(&format!("{name}[{}]", vectors - 1)), value, 10.0 * value, 100.0 * value, -value);
    }
    assert_eq!(run_float(p), [3.0, 30.0, 300.0, -3.0]);
}

fn floats(_: &Env) {
    let p = output(
        "vec4(a + b.y, c.z, d.w, b.x + c.x)",
        "vec4",
        "uniform float a; uniform vec2 b; uniform vec3 c; uniform vec4 d;",
    );
    gl::Uniform1f(p.location("a"), 1.0);
    gl::Uniform2f(p.location("b"), 10.0, 20.0);
    gl::Uniform3f(p.location("c"), 100.0, 200.0, 300.0);
    gl::Uniform4f(p.location("d"), 1e3, 2e3, 3e3, 4e3);
    assert_eq!(run_float(p), [21.0, 300.0, 4000.0, 110.0]);
    gl::Uniform1fv(p.location("a"), 1, [2.0].as_ptr());
    gl::Uniform2fv(p.location("b"), 1, [3.0, 4.0].as_ptr());
    gl::Uniform3fv(p.location("c"), 1, [5.0, 6.0, 7.0].as_ptr());
    gl::Uniform4fv(p.location("d"), 1, [8.0, 9.0, 10.0, 11.0].as_ptr());
    assert_eq!(run_float(p), [6.0, 7.0, 11.0, 8.0]);
}

fn ints(_: &Env) {
    let p = output(
        "ivec4(a + b.y, c.z, d.w, b.x + c.x)",
        "ivec4",
        "uniform int a; uniform ivec2 b; uniform ivec3 c; uniform ivec4 d;",
    );
    gl::Uniform1i(p.location("a"), -1);
    gl::Uniform2i(p.location("b"), 10, 20);
    gl::Uniform3i(p.location("c"), 100, 200, i32::MIN);
    gl::Uniform4iv(p.location("d"), 1, [1, 2, 3, i32::MAX].as_ptr());
    assert_eq!(run_int(p), [19, i32::MIN, i32::MAX, 110]);
}

fn unsigned_ints(_: &Env) {
    let p = output(
        "uvec4(a + b.y, c.z, d.w, b.x + c.x)",
        "uvec4",
        "uniform uint a; uniform uvec2 b; uniform uvec3 c; uniform uvec4 d;",
    );
    gl::Uniform1ui(p.location("a"), 1);
    gl::Uniform2ui(p.location("b"), 10, 20);
    gl::Uniform3uiv(p.location("c"), 1, [100, 200, u32::MAX].as_ptr());
    gl::Uniform4ui(p.location("d"), 1, 2, 3, 1 << 31);
    assert_eq!(run_uint(p), [21, u32::MAX, 1 << 31, 110]);
}

/// 2.11.4: a bool takes int, uint or float; zero is false and everything else true.
fn bools_from_any_type(_: &Env) {
    let p = output("ivec4(a, b.x, b.y, c.w)", "ivec4", "uniform bool a; uniform bvec2 b; uniform bvec4 c;");
    gl::Uniform1i(p.location("a"), 7);
    gl::Uniform2f(p.location("b"), 0.0, 0.25);
    gl::Uniform4ui(p.location("c"), 0, 0, 0, 1 << 31);
    assert_eq!(run_int(p), [1, 0, 1, 1]);
    gl::Uniform1f(p.location("a"), -0.0);
    gl::Uniform2i(p.location("b"), 1, 0);
    assert_eq!(run_int(p), [0, 1, 0, 1]);
    let mut value = [9, 9];
    gl::GetUniformiv(p.0, p.location("b"), value.as_mut_ptr());
    assert_eq!(value, [1, 0]);
}

const COUNT: [f32; 16] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0];

fn square_matrices(_: &Env) {
    let p = output(
        "vec4(a[1][0], b[2][1], c[3][2], a[0][1] + b[1][2])",
        "vec4",
        "uniform mat2 a; uniform mat3 b; uniform mat4 c;",
    );
    gl::UniformMatrix2fv(p.location("a"), 1, gl::FALSE, COUNT.as_ptr());
    gl::UniformMatrix3fv(p.location("b"), 1, gl::FALSE, COUNT.as_ptr());
    gl::UniformMatrix4fv(p.location("c"), 1, gl::FALSE, COUNT.as_ptr());
    assert_eq!(run_float(p), [3.0, 8.0, 15.0, 8.0]);
}

/// matCxR has C columns of R rows.
fn rectangular_matrices(_: &Env) {
    let p = output(
        "vec4(a[1][2] * 100.0 + b[2][1], c[1][3] * 100.0 + d[3][1], e[2][3], f[3][2])",
        "vec4",
        "uniform mat2x3 a; uniform mat3x2 b; uniform mat2x4 c; uniform mat4x2 d; uniform mat3x4 e; uniform mat4x3 f;",
    );
    let data = COUNT.as_ptr();
    gl::UniformMatrix2x3fv(p.location("a"), 1, gl::FALSE, data);
    gl::UniformMatrix3x2fv(p.location("b"), 1, gl::FALSE, data);
    gl::UniformMatrix2x4fv(p.location("c"), 1, gl::FALSE, data);
    gl::UniformMatrix4x2fv(p.location("d"), 1, gl::FALSE, data);
    gl::UniformMatrix3x4fv(p.location("e"), 1, gl::FALSE, data);
    gl::UniformMatrix4x3fv(p.location("f"), 1, gl::FALSE, data);
    assert_eq!(run_float(p), [606.0, 808.0, 12.0, 12.0]);
}

fn transposed(_: &Env) {
    let p =
        output("vec4(a[1][0], b[1][2], b[0][1], c[3][0])", "vec4", "uniform mat2 a; uniform mat2x3 b; uniform mat4 c;");
    gl::UniformMatrix2fv(p.location("a"), 1, gl::TRUE, COUNT.as_ptr());
    gl::UniformMatrix2x3fv(p.location("b"), 1, gl::TRUE, COUNT.as_ptr());
    gl::UniformMatrix4fv(p.location("c"), 1, gl::TRUE, COUNT.as_ptr());
    // Row-major data: element (row, column) of a CxR matrix is at row * C + column.
    assert_eq!(run_float(p), [2.0, 6.0, 3.0, 4.0]);
    let mut back = [0.0; 6];
    gl::GetUniformfv(p.0, p.location("b"), back.as_mut_ptr());
    assert_eq!(back, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
}

fn arrays(_: &Env) {
    let p = output("vec4(a[0], a[3], b[1].y, a[i])", "vec4", "uniform float a[5]; uniform vec2 b[2]; uniform int i;");
    gl::Uniform1fv(p.location("a"), 5, COUNT.as_ptr());
    gl::Uniform2fv(p.location("b[0]"), 2, COUNT.as_ptr());
    gl::Uniform1i(p.location("i"), 2);
    assert_eq!(run_float(p), [1.0, 4.0, 4.0, 3.0]);
    gl::Uniform1fv(p.location("a[3]"), 2, [77.0, 78.0].as_ptr());
    gl::Uniform1i(p.location("i"), 4);
    assert_eq!(run_float(p), [1.0, 77.0, 4.0, 78.0]);
    assert_eq!(p.location("a"), p.location("a[0]"));
    assert_eq!(p.location("a[5]"), -1);
    assert_eq!(p.location("i[0]"), -1);
}

/// 2.11.4: values for elements beyond the last are ignored without error.
fn array_tail_is_clipped(_: &Env) {
    let p = output("vec4(a[0], a[1], after, 0.0)", "vec4", "uniform float a[2]; uniform float after;");
    gl::Uniform1f(p.location("after"), 9.0);
    gl::Uniform1fv(p.location("a[1]"), 8, COUNT.as_ptr());
    assert_eq!(run_float(p), [0.0, 1.0, 9.0, 0.0]);
}

/// GL 3.3 core 2.11.4: elements beyond the array are ignored, so they are neither read nor copied, even where the
/// values are not aligned.
fn a_count_of_two_billion(_: &Env) {
    let p = output("vec4(a[0], a[1], after, 0.0)", "vec4", "uniform float a[2]; uniform float after;");
    let values: Vec<f32> = [0.0, 2.0, 3.0].into_iter().chain(std::iter::repeat_n(4.0, 20_000)).collect();
    let mut bytes: Vec<u8> = vec![0];
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    let odd = bytes.as_ptr().wrapping_add(1).cast::<f32>();
    gl::Uniform1f(p.location("after"), 9.0);
    gl::Uniform1fv(p.location("a[0]"), i32::MAX, odd);
    expect_no_error("unaligned");
    assert_eq!(run_float(p), [0.0, 2.0, 9.0, 0.0]);
    gl::Uniform1fv(p.location("a[0]"), i32::MAX, values[1..].as_ptr());
    expect_no_error("aligned");
    assert_eq!(run_float(p), [2.0, 3.0, 9.0, 0.0]);
}

fn struct_members(_: &Env) {
    let p = output(
        "vec4(s.x, s.in_.y[1], t[1].x, t[0].in_.z.y)",
        "vec4",
        "struct In { float y[2]; vec2 z; }; struct S { float x; In in_; }; uniform S s; uniform S t[2];",
    );
    gl::Uniform1f(p.location("s.x"), 1.0);
    gl::Uniform1f(p.location("s.in_.y[1]"), 2.0);
    gl::Uniform1f(p.location("t[1].x"), 3.0);
    gl::Uniform2f(p.location("t[0].in_.z"), 0.0, 4.0);
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(p.location("s"), -1);
    assert_eq!(p.location("t[0]"), -1);
}

/// GLSL 3.30 4.3.5: uniforms may be initialised.
fn initialisers(_: &Env) {
    let p = output(
        "vec4(a, b.y, c[1], m[1][0])",
        "vec4",
        "uniform float a = 2.5; uniform vec2 b = vec2(1.0, 3.0); uniform float c[2] = float[2](7.0, 8.0);
uniform mat2 m = mat2(1.0, 2.0, 5.0, 6.0);",
    );
    assert_eq!(run_float(p), [2.5, 3.0, 8.0, 5.0]);
    gl::Uniform1f(p.location("a"), 4.0);
    assert_eq!(run_float(p), [4.0, 3.0, 8.0, 5.0]);
    link(p.0).expect("link");
    assert_eq!(run_float(p), [2.5, 3.0, 8.0, 5.0]);
}

fn values_survive_other_programs(_: &Env) {
    let first = output("vec4(a)", "vec4", "uniform float a;");
    first.set1f("a", 1.0);
    let second = output("vec4(a)", "vec4", "uniform float a;");
    second.set1f("a", 2.0);
    assert_eq!(run_float(first), [1.0; 4]);
    assert_eq!(run_float(second), [2.0; 4]);
    assert_eq!(run_float(first), [1.0; 4]);
}

/// 2.11.4: a successful link sets all uniforms to zero; a failed one keeps the program in use.
fn link_resets_values(_: &Env) {
    let p = output("vec4(a)", "vec4", "uniform float a;");
    p.set1f("a", 6.0);
    assert_eq!(run_float(p), [6.0; 4]);
    link(p.0).expect("link");
    assert_eq!(run_float(p), [0.0; 4]);
}

fn shared_by_both_stages(_: &Env) {
    let p = program(
        "#version 330 core
layout(location = 0) in vec4 position;
uniform float a;
uniform vec2 only_vertex;
flat out float v;
void main() { gl_Position = position; v = a + only_vertex.y; }
",
        "#version 330 core
uniform float only_fragment;
uniform float a;
flat in float v;
out vec4 result;
void main() { result = vec4(a, v, only_fragment, 1.0); }
",
    );
    p.set1f("a", 3.0);
    p.set2f("only_vertex", [0.0, 4.0]);
    p.set1f("only_fragment", 5.0);
    assert_eq!(run_float(p), [3.0, 7.0, 5.0, 1.0]);
    assert_eq!(p.get(gl::ACTIVE_UNIFORMS), 3);
}

fn sampler_units(_: &Env) {
    let p = output(
        "texture(t, vec2(0.5)) + texture(u[1], vec2(0.5))",
        "vec4",
        "uniform sampler2D t; uniform sampler2D u[2];",
    );
    for (unit, value) in [(3, [1.0_f32, 0.0, 0.0, 0.0]), (7, [0.0, 2.0, 0.0, 0.0]), (0, [9.0; 4])] {
        gl::ActiveTexture(gl::TEXTURE0 + unit);
        gallite_tests::draw::texture_2d(gl::RGBA32F, 1, 1, gl::RGBA, gl::FLOAT, Some(&value));
    }
    p.bind();
    gl::Uniform1i(p.location("t"), 3);
    gl::Uniform1iv(p.location("u"), 2, [0, 7].as_ptr());
    assert_eq!(run_float(p), [1.0, 2.0, 0.0, 0.0]);
    gl::Uniform1i(p.location("t"), get_i32(gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS));
    expect_error(gl::INVALID_VALUE, "unit");
    gl::Uniform1f(p.location("t"), 1.0);
    expect_error(gl::INVALID_OPERATION, "float for a sampler");
    gl::Uniform1ui(p.location("t"), 1);
    expect_error(gl::INVALID_OPERATION, "unsigned for a sampler");
    assert_eq!(run_float(p), [1.0, 2.0, 0.0, 0.0]);
}

/// 1024 components are the least a stage offers.
fn many_uniforms(_: &Env) {
    let p = output("a[n]", "vec4", "uniform vec4 a[250]; uniform int n;");
    let data: Vec<f32> = (0_u16..1000).map(f32::from).collect();
    gl::Uniform4fv(p.location("a"), 250, data.as_ptr());
    for n in [0, 1, 100, 249] {
        p.set1i("n", n);
        let first = 4.0 * n as f32;
        assert_eq!(run_float(p), [first, first + 1.0, first + 2.0, first + 3.0]);
    }
}

fn changes_between_draws(_: &Env) {
    let target = Target::new(64, 1);
    let p = program(SOLID_VS, SOLID_FS);
    gl::Enable(gl::SCISSOR_TEST);
    for i in 0..64 {
        gl::Scissor(i, 0, 1, 1);
        p.set4f("colour", [i as f32 / 255.0, 0.0, 0.0, 1.0]);
        quad();
    }
    target.image().expect_each(|x, _| [x as u8, 0, 0, 255]);
}

/// Members of odd sizes side by side: no value bleeds into its neighbour.
fn vec3_and_float_packing(_: &Env) {
    let p = output(
        "vec4(b, d, f, a.z + c.y + e.x + g)",
        "vec4",
        "uniform vec3 a; uniform float b; uniform vec2 c; uniform float d; uniform vec3 e; uniform float f; uniform float g;",
    );
    gl::Uniform3f(p.location("a"), -1.0, -1.0, 1.0);
    gl::Uniform1f(p.location("b"), 2.0);
    gl::Uniform2f(p.location("c"), -1.0, 10.0);
    gl::Uniform1f(p.location("d"), 3.0);
    gl::Uniform3f(p.location("e"), 100.0, -1.0, -1.0);
    gl::Uniform1f(p.location("f"), 4.0);
    gl::Uniform1f(p.location("g"), 1000.0);
    assert_eq!(run_float(p), [2.0, 3.0, 4.0, 1111.0]);
}

fn arrays_of_small_types(_: &Env) {
    let p = output(
        "vec4(a[2], b[1].z, m[1][1].y, c[1] ? 1.0 : 0.0)",
        "vec4",
        "uniform float a[3]; uniform vec3 b[2]; uniform mat2 m[2]; uniform bool c[2];",
    );
    gl::Uniform1fv(p.location("a"), 3, COUNT.as_ptr());
    gl::Uniform3fv(p.location("b"), 2, COUNT.as_ptr());
    gl::UniformMatrix2fv(p.location("m"), 2, gl::FALSE, COUNT.as_ptr());
    gl::Uniform1iv(p.location("c"), 2, [0, 1].as_ptr());
    assert_eq!(run_float(p), [3.0, 6.0, 8.0, 1.0]);
}

fn locations(_: &Env) {
    let p = output("vec4(a) + b[1]", "vec4", "uniform float a; uniform vec4 b[2]; uniform float unused;");
    assert!(p.location("a") >= 0);
    assert_eq!(p.location("unused"), -1);
    assert_eq!(p.location("nothing"), -1);
    assert_eq!(p.location("gl_DepthRange.near"), -1);
    assert_eq!(p.location(""), -1);
    let places = [p.location("a"), p.location("b[0]"), p.location("b[1]")];
    assert!(places[0] != places[1] && places[1] != places[2] && places[0] != places[2]);
    gl::GetUniformLocation(0, c"a".as_ptr());
    expect_error(gl::INVALID_VALUE, "no program");
}

fn get_returns_what_was_set(_: &Env) {
    let p = output(
        "vec4(a, 0.0) + float(b.x) + float(c) + m[0]",
        "vec4",
        "uniform vec3 a; uniform ivec2 b; uniform uint c; uniform mat4 m;",
    );
    gl::Uniform3f(p.location("a"), 1.5, -2.0, 3.0);
    gl::Uniform2i(p.location("b"), -5, 6);
    gl::Uniform1ui(p.location("c"), u32::MAX);
    gl::UniformMatrix4fv(p.location("m"), 1, gl::FALSE, COUNT.as_ptr());
    let mut f = [0.0; 16];
    gl::GetUniformfv(p.0, p.location("a"), f.as_mut_ptr());
    assert_eq!(f[..4], [1.5, -2.0, 3.0, 0.0]);
    let mut i = [0; 2];
    gl::GetUniformiv(p.0, p.location("b"), i.as_mut_ptr());
    assert_eq!(i, [-5, 6]);
    let mut u = 0;
    gl::GetUniformuiv(p.0, p.location("c"), &mut u);
    assert_eq!(u, u32::MAX);
    gl::GetUniformfv(p.0, p.location("m"), f.as_mut_ptr());
    assert_eq!(f, COUNT);
    gl::GetUniformfv(p.0, -1, f.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "location -1");
    gl::GetUniformfv(p.0, 4000, f.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "unused location");
}

/// 2.11.4: type, size and array-ness must match; nothing changes otherwise.
fn errors(_: &Env) {
    let p = output(
        "vec4(a) + vec4(b) + c[1] + m[0].xyxy + float(u)",
        "vec4",
        "uniform float a; uniform int b; uniform vec4 c[2]; uniform mat2 m; uniform uint u;",
    );
    p.set1f("a", 2.0);
    let a = p.location("a");
    gl::Uniform1i(a, 1);
    expect_error(gl::INVALID_OPERATION, "int for float");
    gl::Uniform2f(a, 1.0, 1.0);
    expect_error(gl::INVALID_OPERATION, "vec2 for float");
    gl::Uniform1fv(a, 2, COUNT.as_ptr());
    expect_error(gl::INVALID_OPERATION, "two values for no array");
    gl::Uniform1fv(a, -1, COUNT.as_ptr());
    expect_error(gl::INVALID_VALUE, "negative count");
    gl::Uniform1f(p.location("b"), 1.0);
    expect_error(gl::INVALID_OPERATION, "float for int");
    gl::Uniform1i(p.location("u"), 1);
    expect_error(gl::INVALID_OPERATION, "int for uint");
    gl::UniformMatrix3fv(p.location("m"), 1, gl::FALSE, COUNT.as_ptr());
    expect_error(gl::INVALID_OPERATION, "mat3 for mat2");
    gl::Uniform4fv(p.location("m"), 1, COUNT.as_ptr());
    expect_error(gl::INVALID_OPERATION, "vec4 for mat2");
    gl::Uniform1f(3999, 1.0);
    expect_error(gl::INVALID_OPERATION, "unused location");
    let mut value = 0.0;
    gl::GetUniformfv(p.0, a, &mut value);
    assert_eq!(value, 2.0);
    gl::UseProgram(0);
    gl::Uniform1f(a, 1.0);
    expect_error(gl::INVALID_OPERATION, "no current program");
}

fn active_uniforms(_: &Env) {
    let p = output(
        "vec4(plain, list[2].x, s.m, s.deep[1].n) + texture(tex, vec2(0.0))",
        "vec4",
        "struct D { float n; }; struct S { float m; D deep[2]; }; uniform float plain; uniform vec2 list[3]; uniform S s; uniform sampler2D tex;",
    );
    let count = p.get(gl::ACTIVE_UNIFORMS) as u32;
    let mut seen = Vec::new();
    for index in 0..count {
        let mut name = [0_u8; 64];
        let (mut length, mut size, mut kind) = (0, 0, 0);
        gl::GetActiveUniform(p.0, index, 64, &mut length, &mut size, &mut kind, name.as_mut_ptr().cast());
        seen.push((String::from_utf8_lossy(&name[..length as usize]).into_owned(), size, kind));
    }
    seen.sort();
    let find = |name: &str| seen.iter().find(|u| u.0 == name).map(|u| (u.1, u.2));
    assert_eq!(find("plain"), Some((1, gl::FLOAT)));
    assert_eq!(find("list[0]"), Some((3, gl::FLOAT_VEC2)));
    assert_eq!(find("s.m"), Some((1, gl::FLOAT)));
    assert_eq!(find("s.deep[1].n"), Some((1, gl::FLOAT)));
    assert_eq!(find("tex"), Some((1, gl::SAMPLER_2D)));
    assert_eq!(p.get(gl::ACTIVE_UNIFORM_MAX_LENGTH), 12);
    let mut index = [0; 2];
    let names = [c"plain".as_ptr(), c"absent".as_ptr()];
    gl::GetUniformIndices(p.0, 2, names.as_ptr(), index.as_mut_ptr());
    assert!(index[0] < count);
    assert_eq!(index[1], gl::INVALID_INDEX);
    let mut offset = 0;
    gl::GetActiveUniformsiv(p.0, 1, index.as_ptr(), gl::UNIFORM_OFFSET, &mut offset);
    assert_eq!(offset, -1, "not in a block");
    gl::GetActiveUniform(p.0, count, 0, std::ptr::null_mut(), &mut 0, &mut 0, std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "index");
}

/// Location -1 is ignored silently.
fn location_minus_one(_: &Env) {
    let p = try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, SOLID_FS)], |_| {}).expect("program");
    p.bind();
    gl::Uniform1f(-1, 1.0);
    gl::Uniform4fv(-1, 1, COUNT.as_ptr());
    gl::UniformMatrix4fv(-1, 1, gl::FALSE, COUNT.as_ptr());
    expect_near(&[0.0], &[0.0], 0.0);
}
