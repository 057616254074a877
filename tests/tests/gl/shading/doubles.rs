//! ARB_gpu_shader_fp64: GL 4.6 core 7.6, GLSL 4.60 4.1.4, 8.4.

use gallite_tests::draw::{
    SOLID_VS, buffer, capture, capturing_program, expect_error, expect_no_error, gen_vertex_array, has_extension,
    program, require_extension, run_float, try_program, uniform,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

use super::Language;

gl_tests! {
    render core(3, 3): arithmetic_has_53_bits, uniforms_reach_the_shader, matrices_of_every_shape, blocks_in_std140,
        initializers, captured_doubles, captured_doubles_off_their_alignment, varyings_of_doubles, literals_and_conversions, built_in_functions,
        ties_go_to_even;
    every core(3, 3): values_are_kept, errors_of_uniforms, named_programs, reflection, language_by_extension;
}

const LANGUAGE: Language = Language { version: 330, extension: "GL_ARB_gpu_shader_fp64" };

/// 1 + 2^-52 is not 1.
fn arithmetic_has_53_bits(_: &Env) {
    LANGUAGE.expect_true(
        "uniform double one; uniform double tiny;",
        "good = one + tiny > one && (one + tiny) - one == tiny;",
        |p| {
            gl::Uniform1d(uniform(p.0, "one"), 1.0);
            gl::Uniform1d(uniform(p.0, "tiny"), f64::EPSILON);
        },
    );
    // A third as a float is another number.
    LANGUAGE.expect_true(
        "uniform double third; uniform float near;",
        "good = double(near) > third && near == 0.33333334;",
        |p| {
            gl::Uniform1d(uniform(p.0, "third"), 1.0 / 3.0);
            gl::Uniform1f(uniform(p.0, "near"), 1.0 / 3.0);
        },
    );
}

fn uniforms_reach_the_shader(_: &Env) {
    let declarations = "uniform double a; uniform dvec2 b; uniform dvec3 c; uniform dvec4 d[2]; uniform float f;";
    let body = "good = a == 0.1lf && b == dvec2(0.2lf, 0.3lf) && c == dvec3(0.4lf, 0.5lf, 0.6lf)
        && d[0] == dvec4(0.1lf, 0.2lf, 0.3lf, 0.4lf) && d[1] == dvec4(0.5lf, 0.6lf, 0.7lf, 0.8lf) && f == 7.0;";
    LANGUAGE.expect_true(declarations, body, |p| {
        gl::Uniform1f(uniform(p.0, "f"), 7.0);
        gl::Uniform1d(uniform(p.0, "a"), 0.1);
        gl::Uniform2d(uniform(p.0, "b"), 0.2, 0.3);
        gl::Uniform3dv(uniform(p.0, "c"), 1, [0.4_f64, 0.5, 0.6].as_ptr());
        gl::Uniform4dv(uniform(p.0, "d"), 2, [0.1_f64, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8].as_ptr());
    });
}

/// Each shape, by columns and by rows.
fn matrices_of_every_shape(_: &Env) {
    type Set = fn(i32, i32, u8, *const f64);
    let shapes: [(u32, u32, Set); 9] = [
        (2, 2, gl::UniformMatrix2dv),
        (3, 3, gl::UniformMatrix3dv),
        (4, 4, gl::UniformMatrix4dv),
        (2, 3, gl::UniformMatrix2x3dv),
        (3, 2, gl::UniformMatrix3x2dv),
        (2, 4, gl::UniformMatrix2x4dv),
        (4, 2, gl::UniformMatrix4x2dv),
        (3, 4, gl::UniformMatrix3x4dv),
        (4, 3, gl::UniformMatrix4x3dv),
    ];
    for (columns, rows, set) in shapes {
        let declarations = format!("uniform dmat{columns}x{rows} m; uniform dmat{columns}x{rows} t;");
        let body = format!(
            "for (int c = 0; c < {columns}; ++c) for (int r = 0; r < {rows}; ++r) {{
                double wanted = double(c * 10 + r) + 0.1lf;
                good = good && m[c][r] == wanted && t[c][r] == wanted;
            }}"
        );
        let value = |c: u32, r: u32| f64::from(c * 10 + r) + 0.1;
        let by_columns: Vec<f64> = (0..columns).flat_map(|c| (0..rows).map(move |r| value(c, r))).collect();
        let by_rows: Vec<f64> = (0..rows).flat_map(|r| (0..columns).map(move |c| value(c, r))).collect();
        LANGUAGE.expect_true(&declarations, &body, |p| {
            set(uniform(p.0, "m"), 1, 0, by_columns.as_ptr());
            set(uniform(p.0, "t"), 1, 1, by_rows.as_ptr());
        });
    }
}

/// GL 4.6 core 7.6.2.2: a double is 8 bytes, a dvec2 16, dvec3 and dvec4 32; columns of dvec3 are 32 apart.
fn blocks_in_std140(_: &Env) {
    require_extension("GL_ARB_gpu_shader_fp64");
    let declarations = "layout(std140) uniform B { float f; double d; dvec3 v; double w; dmat2x3 m; double a[2]; };";
    let body = "good = f == 1.0 && d == 0.1lf && v == dvec3(0.2lf, 0.3lf, 0.4lf) && w == 0.5lf
        && m == dmat2x3(0.1lf, 0.2lf, 0.3lf, 0.4lf, 0.5lf, 0.6lf) && a[0] == 0.7lf && a[1] == 0.8lf;";
    let mut words = [0.0_f64; 21];
    words[0] = f64::from_bits(u64::from(1.0_f32.to_bits()));
    words[1] = 0.1;
    words[4..8].copy_from_slice(&[0.2, 0.3, 0.4, 0.5]);
    words[8..11].copy_from_slice(&[0.1, 0.2, 0.3]);
    words[12..15].copy_from_slice(&[0.4, 0.5, 0.6]);
    words[16] = 0.7;
    words[18] = 0.8;
    let block = buffer(gl::UNIFORM_BUFFER, &words);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    LANGUAGE.expect_true(declarations, body, |p| {
        let mut size = 0;
        gl::GetActiveUniformBlockiv(p.0, 0, gl::UNIFORM_BLOCK_DATA_SIZE, &mut size);
        assert_eq!(size, 160);
    });
}

fn initializers(_: &Env) {
    let declarations =
        "uniform double d = 0.1lf; uniform dvec3 v[2] = dvec3[2](dvec3(0.2lf), dvec3(0.3lf, 0.4lf, 0.5lf));
        uniform dmat2 m = dmat2(0.1lf, 0.2lf, 0.3lf, 0.4lf);";
    let body = "good = d == 0.1lf && v[0] == dvec3(0.2lf) && v[1] == dvec3(0.3lf, 0.4lf, 0.5lf)
        && m == dmat2(0.1lf, 0.2lf, 0.3lf, 0.4lf);";
    LANGUAGE.expect_true(declarations, body, |_| {});
}

/// GL 4.6 core 11.1.2.1: a double takes the room of two components.
fn captured_doubles(_: &Env) {
    require_extension("GL_ARB_gpu_shader_fp64");
    let vertex = "#version 330 core
#extension GL_ARB_gpu_shader_fp64 : require
out double d; out dvec3 v; out dmat2 m; out dvec2 a[2];
void main() {
    double n = double(gl_VertexID) + 0.1lf;
    d = n; v = dvec3(n + 1.0, n + 2.0, n + 3.0); m = dmat2(n, n * 2.0lf, n * 3.0lf, n * 4.0lf);
    a[0] = dvec2(n); a[1] = dvec2(n + 5.0, n + 6.0); gl_Position = vec4(0.0);
}";
    let program = capturing_program(vertex, &["d", "v", "m", "a[1]"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let got = capture(gl::POINTS, 21, 9.0_f64, || gl::DrawArrays(gl::POINTS, 0, 2));
    let mut expected = Vec::new();
    for i in [0.0, 1.0] {
        let n = i + 0.1;
        expected.extend([n, n + 1.0, n + 2.0, n + 3.0, n, n * 2.0, n * 3.0, n * 4.0, n + 5.0, n + 6.0]);
    }
    expected.push(9.0);
    assert_eq!(got, expected);
    program.delete();
}

/// GL 4.6 core 11.1.2.1 leaves the values of doubles undefined that are captured between their multiples, and nothing else:
/// all arrive.
fn captured_doubles_off_their_alignment(_: &Env) {
    require_extension("GL_ARB_gpu_shader_fp64");
    let vertex = "#version 330 core
#extension GL_ARB_gpu_shader_fp64 : require
out float f; out double d; out dvec3 v; out dmat2 m[2]; out float g;
void main() {
    double n = double(gl_VertexID) + 0.1lf;
    f = float(gl_VertexID) + 0.5; d = n; v = dvec3(n + 1.0, n + 2.0, n + 3.0); g = f + 1.0;
    m[0] = dmat2(n); m[1] = dmat2(n, n * 2.0lf, n * 3.0lf, n * 4.0lf); gl_Position = vec4(0.0);
}";
    gl::BindVertexArray(gen_vertex_array());
    let words = |n: f64| [n.to_bits() as u32, (n.to_bits() >> 32) as u32];
    for (names, head) in [(["f", "d", "v", "m[1]"], true), (["d", "v", "m[1]", "g"], false)] {
        let program = capturing_program(vertex, &names, gl::INTERLEAVED_ATTRIBS);
        let got = capture(gl::POINTS, 35, 9_u32, || gl::DrawArrays(gl::POINTS, 0, 2));
        let mut expected = Vec::new();
        for i in [0.0, 1.0] {
            let n = i + 0.1;
            expected.extend(head.then(|| (i as f32 + 0.5).to_bits()));
            expected.extend([n, n + 1.0, n + 2.0, n + 3.0, n, n * 2.0, n * 3.0, n * 4.0].into_iter().flat_map(words));
            expected.extend((!head).then(|| (i as f32 + 1.5).to_bits()));
        }
        expected.push(9);
        assert_eq!(got, expected, "{names:?}");
        program.delete();
    }
}

fn varyings_of_doubles(_: &Env) {
    require_extension("GL_ARB_gpu_shader_fp64");
    let vertex = "#version 330 core
#extension GL_ARB_gpu_shader_fp64 : require
layout(location = 0) in vec4 position;
flat out dvec4 first; out vec2 plain; flat out dmat3x2 m; flat out double last;
void main() {
    gl_Position = position; plain = vec2(0.25); first = dvec4(0.1lf, 0.2lf, 0.3lf, 0.4lf);
    m = dmat3x2(0.1lf, 0.2lf, 0.3lf, 0.4lf, 0.5lf, 0.6lf); last = 0.7lf;
}";
    let body = "bool good = first == dvec4(0.1lf, 0.2lf, 0.3lf, 0.4lf) && plain == vec2(0.25) && last == 0.7lf
        && m == dmat3x2(0.1lf, 0.2lf, 0.3lf, 0.4lf, 0.5lf, 0.6lf); result = good ? vec4(1.0) : vec4(0.5);";
    let declarations = "flat in dvec4 first; in vec2 plain; flat in dmat3x2 m; flat in double last;";
    let program = program(vertex, &LANGUAGE.fragment(declarations, body));
    assert_eq!(run_float(program), [1.0; 4]);
}

fn literals_and_conversions(_: &Env) {
    let body = "double d = i; dvec3 v = ivec3(1, -2, i); dmat2 m = mat2(1.5);
        good = d == 3.0lf && v == dvec3(1.0LF, -2.0, 3.0) && m == dmat2(1.5lf, 0.0lf, 0.0lf, 1.5lf)
            && double(u) == 4294967295.0lf && int(1.99lf) == 1 && uint(2.5lf) == 2u && bool(0.5lf) && !bool(0.0lf)
            && 1e-300lf > 0.0lf && float(0.5lf) == 0.5 && i + 0.25lf == 3.25lf;";
    LANGUAGE.expect_true("uniform int i; uniform uint u;", body, |p| {
        gl::Uniform1i(uniform(p.0, "i"), 3);
        gl::Uniform1ui(uniform(p.0, "u"), u32::MAX);
    });
}

fn built_in_functions(_: &Env) {
    let body = "int e; double f = frexp(x * 8.0lf, e);
        good = sqrt(x * x) == x && inversesqrt(4.0lf * x / x) == 0.5lf && abs(-x) == x && sign(-x) == -1.0lf
            && floor(-x) == -3.0lf && ceil(x) == 3.0lf && fract(x) == 0.5lf && trunc(-x) == -2.0lf && round(x + 0.25lf) == 3.0lf
            && roundEven(x) == 2.0lf && mod(-x, 2.0lf) == 1.5lf && min(x, 1.0lf) == 1.0lf && max(x, 1.0lf) == x
            && clamp(x, 0.0lf, 1.0lf) == 1.0lf && mix(1.0lf, x, 0.5lf) == 1.75lf && step(x, 2.0lf) == 0.0lf
            && smoothstep(0.0lf, 1.0lf, 0.5lf) == 0.5lf && fma(x, 2.0lf, 1.0lf) == 6.0lf
            && f == 0.625lf && e == 5 && ldexp(f, e) == 20.0lf && !isnan(x) && !isinf(x) && isinf(1.0lf / (x - x))
            && unpackDouble2x32(packDouble2x32(uvec2(1u, 2u))) == uvec2(1u, 2u)
            && unpackDouble2x32(1.0lf) == uvec2(0u, 0x3ff00000u)
            && length(dvec2(x * 3.0lf, x * 4.0lf)) == 12.5lf && distance(dvec2(x), dvec2(x)) == 0.0lf
            && dot(dvec3(x), dvec3(1.0)) == 7.5lf && cross(dvec3(1, 0, 0), dvec3(0, 1, 0)) == dvec3(0, 0, 1)
            && normalize(dvec2(0.0, x)) == dvec2(0.0, 1.0) && faceforward(dvec2(x), dvec2(1.0), dvec2(1.0)) == dvec2(-x)
            && reflect(dvec2(1.0, -1.0), dvec2(0.0, 1.0)) == dvec2(1.0) && lessThan(dvec2(1.0, 3.0), dvec2(x)) == bvec2(true, false)
            && determinant(dmat2(x, 0.0, 0.0, 2.0)) == 5.0lf && transpose(dmat2x3(1, 2, 3, 4, 5, 6))[2] == dvec2(3, 6)
            && inverse(dmat2(2.0lf, 0.0, 0.0, 4.0)) == dmat2(0.5lf, 0.0, 0.0, 0.25lf)
            && outerProduct(dvec2(1, 2), dvec2(3, 4))[1] == dvec2(4, 8) && matrixCompMult(dmat2(2.0), dmat2(x))[0][0] == 5.0lf
            && any(equal(dvec2(x, 0.0), dvec2(x))) && dmat2(2.0) * dvec2(x) == dvec2(5.0);
        double whole; good = good && modf(x, whole) == 0.5lf && whole == 2.0lf;";
    LANGUAGE.expect_true("uniform double x;", body, |p| gl::Uniform1d(uniform(p.0, "x"), 2.5));
}

/// GLSL 4.60 section 8.3: roundEven, alone and of every vector.
fn ties_go_to_even(_: &Env) {
    let body = "good = roundEven(a) == dvec4(2.0, 4.0, -2.0, 2.0) && roundEven(a.x) == 2.0lf
            && roundEven(a.zw) == dvec2(-2.0, 2.0) && roundEven(b) == dvec3(0.0, 0.0, -4.0)
            && roundEven(large) == large && roundEven(-large) == -large && roundEven(b.y + 1.0lf / 4096.0lf) == 1.0lf;";
    LANGUAGE.expect_true("uniform dvec4 a; uniform dvec3 b; uniform double large;", body, |p| {
        gl::Uniform4dv(uniform(p.0, "a"), 1, [1.5_f64, 3.5, -1.5, 2.5].as_ptr());
        gl::Uniform3dv(uniform(p.0, "b"), 1, [-0.5_f64, 0.5, -3.5].as_ptr());
        gl::Uniform1d(uniform(p.0, "large"), 9_007_199_254_740_991.0);
    });
}

/// GL 4.6 core 7.6, 7.13: what was set comes back in every type.
fn values_are_kept(_: &Env) {
    let p = LANGUAGE.with("uniform dvec3 v[2]; uniform dmat2x3 m;", "result = vec4(v[0].x + v[1].y + m[1][2]);");
    gl::Uniform3dv(p.location("v"), 2, [0.1_f64, 0.2, 0.3, 1.5, 2.5, -3.5].as_ptr());
    gl::UniformMatrix2x3dv(p.location("m"), 1, 1, [1.0_f64, 4.0, 2.0, 5.0, 3.0, 6.0].as_ptr());
    let mut doubles = [9.0_f64; 7];
    gl::GetUniformdv(p.0, p.location("v[0]"), doubles.as_mut_ptr());
    assert_eq!(doubles[..4], [0.1, 0.2, 0.3, 9.0]);
    gl::GetUniformdv(p.0, p.location("m"), doubles.as_mut_ptr());
    assert_eq!(doubles, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 9.0]);
    let mut floats = [9.0_f32; 3];
    gl::GetUniformfv(p.0, p.location("v[1]"), floats.as_mut_ptr());
    assert_eq!(floats, [1.5, 2.5, -3.5]);
    let mut ints = [9; 3];
    gl::GetUniformiv(p.0, p.location("v[0]"), ints.as_mut_ptr());
    assert_eq!(ints, [0, 0, 0]);
    expect_no_error("queries of uniforms");
}

/// GL 4.6 core 7.6.1: the command must be of the uniform's type.
fn errors_of_uniforms(_: &Env) {
    let p = LANGUAGE.with("uniform double d; uniform float f; uniform bool b;", "result = b ? vec4(d) : vec4(f);");
    gl::Uniform1f(p.location("d"), 1.0);
    expect_error(gl::INVALID_OPERATION, "a float for a double");
    gl::Uniform1d(p.location("f"), 1.0);
    expect_error(gl::INVALID_OPERATION, "a double for a float");
    gl::Uniform1d(p.location("b"), 1.0);
    expect_error(gl::INVALID_OPERATION, "a double for a boolean");
    gl::Uniform2d(p.location("d"), 1.0, 2.0);
    expect_error(gl::INVALID_OPERATION, "two doubles for one");
    gl::Uniform1dv(p.location("d"), 2, [1.0_f64; 2].as_ptr());
    expect_error(gl::INVALID_OPERATION, "an array for one");
    gl::Uniform1dv(p.location("d"), -1, [1.0_f64; 2].as_ptr());
    expect_error(gl::INVALID_VALUE, "a negative count");
    gl::Uniform1d(-1, 1.0);
    expect_no_error("location -1");
}

/// ARB_gpu_shader_fp64 with ARB_separate_shader_objects: the same for a program that is not in use.
fn named_programs(_: &Env) {
    let p = LANGUAGE.with("uniform dvec2 v; uniform dmat3x2 m;", "result = vec4(v.x + m[2][1]);");
    gl::UseProgram(0);
    gl::ProgramUniform2d(p.0, p.location("v"), 0.1, 0.2);
    gl::ProgramUniformMatrix3x2dv(p.0, p.location("m"), 1, 0, [1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0].as_ptr());
    expect_no_error("values of a named program");
    let mut values = [0.0_f64; 6];
    gl::GetUniformdv(p.0, p.location("v"), values.as_mut_ptr());
    assert_eq!(values[..2], [0.1, 0.2]);
    gl::GetUniformdv(p.0, p.location("m"), values.as_mut_ptr());
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    gl::ProgramUniform1d(0, 0, 1.0);
    expect_error(gl::INVALID_VALUE, "no program");
}

fn reflection(_: &Env) {
    let p = LANGUAGE.with("uniform dmat4x3 m[3];", "result = vec4(m[2][3][2]);");
    let (mut size, mut kind) = (0, 0);
    gl::GetActiveUniform(p.0, 0, 0, std::ptr::null_mut(), &mut size, &mut kind, std::ptr::null_mut());
    assert_eq!((size, kind), (3, gl::DOUBLE_MAT4x3));
}

/// GLSL 3.30 has no doubles; the extension brings them, and its macro.
fn language_by_extension(_: &Env) {
    let body = "void main() { double d = 1.0; result = vec4(d); }";
    let without = format!("#version 330 core\nout vec4 result;\n{body}");
    assert!(try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, &without)], |_| {}).is_err());
    if has_extension("GL_ARB_gpu_shader_fp64") {
        let defined = "#ifndef GL_ARB_gpu_shader_fp64\n#error no macro\n#endif\n";
        LANGUAGE.with(defined, "double d = 1.0; result = vec4(d);").delete();
        let name = "#version 330 core\nout vec4 result;\nvoid main() { float dmat2 = 1.0; result = vec4(dmat2); }";
        program(SOLID_VS, name).delete();
    }
}
