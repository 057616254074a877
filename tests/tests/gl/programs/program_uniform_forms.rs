//! Every form of glProgramUniform and of glUniform for doubles, read back: GL 4.6 core 7.6.1 and 7.13.

use gallite_tests::draw::{
    Program, SOLID_VS, expect_error, expect_no_error, has_extension, program_with, require_extension,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): float_forms, signed_forms, unsigned_forms, matrix_forms, double_forms, double_matrix_forms,
        bounded_reads;
}

/// A program that is never current, with uniforms `f1` to `f4`, `i1` to `i4`, `u1` to `u4` and matrices.
fn single() -> Program {
    require_extension("GL_ARB_separate_shader_objects");
    let fragment = "#version 330 core
uniform float f1; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4;
uniform int i1; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;
uniform uint u1; uniform uvec2 u2; uniform uvec3 u3; uniform uvec4 u4;
uniform mat2 m2; uniform mat3 m3; uniform mat4 m4;
uniform mat2x3 m2x3; uniform mat3x2 m3x2; uniform mat2x4 m2x4;
uniform mat4x2 m4x2; uniform mat3x4 m3x4; uniform mat4x3 m4x3;
out vec4 result;
void main() {
    float f = f1 + f2.y + f3.z + f4.w + float(i1 + i2.y + i3.z + i4.w) + float(u1 + u2.y + u3.z + u4.w);
    float m = m2[1][0] + m3[1][0] + m4[1][0] + m2x3[1][0] + m3x2[1][0] + m2x4[1][0] + m4x2[1][0] + m3x4[1][0]
        + m4x3[1][0];
    result = vec4(f, m, 0.0, 1.0);
}
";
    program_with(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fragment)], |_| {})
}

/// The same with doubles `d1` to `d4` and matrices of them, which is current.
fn double() -> Program {
    require_extension("GL_ARB_gpu_shader_fp64");
    let fragment = "#version 400 core
uniform double d1; uniform dvec2 d2; uniform dvec3 d3; uniform dvec4 d4;
uniform dmat2 m2; uniform dmat3 m3; uniform dmat4 m4;
uniform dmat2x3 m2x3; uniform dmat3x2 m3x2; uniform dmat2x4 m2x4;
uniform dmat4x2 m4x2; uniform dmat3x4 m3x4; uniform dmat4x3 m4x3;
out vec4 result;
void main() {
    double d = d1 + d2.y + d3.z + d4.w;
    double m = m2[1][0] + m3[1][0] + m4[1][0] + m2x3[1][0] + m3x2[1][0] + m2x4[1][0] + m4x2[1][0] + m3x4[1][0]
        + m4x3[1][0];
    result = vec4(float(d), float(m), 0.0, 1.0);
}
";
    let program = program_with(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fragment)], |_| {});
    program.bind();
    program
}

/// A call by name and on which uniform, and the values that it sets.
type Row<T> = (&'static str, &'static str, fn(u32, i32), &'static [T]);

/// Rows of calls on a program's uniform.
macro_rules! rows {
    ($($uniform:literal: gl::$name:ident($($arg:expr),*);)*) => {
        &[$((stringify!($name), $uniform, |program, location| gl::$name(program, location, $($arg),*), &[$($arg),*])),*]
    };
}

/// Rows for the commands that take a pointer.
macro_rules! vector_rows {
    ($($uniform:literal: gl::$name:ident($($arg:expr),*);)*) => {
        &[$((
            stringify!($name),
            $uniform,
            |program, location| gl::$name(program, location, 1, [$($arg),*].as_ptr()),
            &[$($arg),*],
        )),*]
    };
}

#[track_caller]
fn expect<T>(p: Program, rows: &[Row<T>], get: fn(u32, i32, *mut T))
where
    T: Copy + PartialEq + std::fmt::Debug + From<u8>,
{
    for (name, uniform, call, values) in rows {
        call(p.0, p.location(uniform));
        expect_no_error(name);
        let mut got = [T::from(77); 5];
        get(p.0, p.location(uniform), got.as_mut_ptr());
        assert_eq!(got[..values.len()], **values, "gl{name}");
        assert_eq!(got[values.len()], T::from(77), "gl{name}: no more is written than it has");
    }
}

fn float_forms(_: &Env) {
    let p = single();
    expect(
        p,
        rows! {
            "f1": gl::ProgramUniform1f(1.5);
            "f2": gl::ProgramUniform2f(1.5, -2.5);
            "f3": gl::ProgramUniform3f(1.5, -2.5, 3.0);
            "f4": gl::ProgramUniform4f(1.5, -2.5, 3.0, 4.0);
        },
        gl::GetUniformfv,
    );
    expect(
        p,
        vector_rows! {
            "f1": gl::ProgramUniform1fv(2.5_f32);
            "f2": gl::ProgramUniform2fv(2.5_f32, -3.5);
            "f3": gl::ProgramUniform3fv(2.5_f32, -3.5, 4.0);
            "f4": gl::ProgramUniform4fv(2.5_f32, -3.5, 4.0, 5.0);
        },
        gl::GetUniformfv,
    );
    gl::ProgramUniform2f(p.0, p.location("f3"), 1.0, 2.0);
    expect_error(gl::INVALID_OPERATION, "two values for three");
    gl::ProgramUniform1f(9999, 0, 1.0);
    expect_error(gl::INVALID_VALUE, "no program");
}

fn signed_forms(_: &Env) {
    let p = single();
    expect(
        p,
        rows! {
            "i1": gl::ProgramUniform1i(-1);
            "i2": gl::ProgramUniform2i(-1, i32::MIN);
            "i3": gl::ProgramUniform3i(-1, i32::MIN, i32::MAX);
            "i4": gl::ProgramUniform4i(-1, i32::MIN, i32::MAX, 4);
        },
        gl::GetUniformiv,
    );
    expect(
        p,
        vector_rows! {
            "i1": gl::ProgramUniform1iv(-2_i32);
            "i2": gl::ProgramUniform2iv(-2_i32, i32::MAX);
            "i3": gl::ProgramUniform3iv(-2_i32, i32::MAX, i32::MIN);
            "i4": gl::ProgramUniform4iv(-2_i32, i32::MAX, i32::MIN, 5);
        },
        gl::GetUniformiv,
    );
}

fn unsigned_forms(_: &Env) {
    let p = single();
    expect(
        p,
        rows! {
            "u1": gl::ProgramUniform1ui(u32::MAX);
            "u2": gl::ProgramUniform2ui(u32::MAX, 2);
            "u3": gl::ProgramUniform3ui(u32::MAX, 2, 1 << 31);
            "u4": gl::ProgramUniform4ui(u32::MAX, 2, 1 << 31, 4);
        },
        gl::GetUniformuiv,
    );
    expect(
        p,
        vector_rows! {
            "u1": gl::ProgramUniform1uiv(1_u32 << 31);
            "u2": gl::ProgramUniform2uiv(1_u32 << 31, u32::MAX);
            "u3": gl::ProgramUniform3uiv(1_u32 << 31, u32::MAX, 3);
            "u4": gl::ProgramUniform4uiv(1_u32 << 31, u32::MAX, 3, 5);
        },
        gl::GetUniformuiv,
    );
}

/// A matrix's name, its columns and rows, and its command.
type Matrix<T> = (&'static str, usize, usize, fn(u32, i32, i32, u8, *const T));

#[track_caller]
fn expect_matrices<T>(p: Program, matrices: &[Matrix<T>], get: fn(u32, i32, *mut T))
where
    T: Copy + PartialEq + std::fmt::Debug + From<u8>,
{
    for (name, columns, rows, set) in matrices {
        let values: Vec<T> = (1..=(columns * rows) as u8).map(T::from).collect();
        let read = || {
            let mut got = vec![T::from(77); values.len()];
            get(p.0, p.location(name), got.as_mut_ptr());
            got
        };
        set(p.0, p.location(name), 1, gl::FALSE, values.as_ptr());
        assert_eq!(read(), values, "{name}");
        // Row by row in memory, column by column in what is read.
        set(p.0, p.location(name), 1, gl::TRUE, values.as_ptr());
        let turned: Vec<T> = (0..columns * rows).map(|i| values[(i % rows) * columns + i / rows]).collect();
        assert_eq!(read(), turned, "{name} transposed");
    }
    expect_no_error("matrices");
}

fn matrix_forms(_: &Env) {
    let matrices: [Matrix<f32>; 9] = [
        ("m2", 2, 2, gl::ProgramUniformMatrix2fv),
        ("m3", 3, 3, gl::ProgramUniformMatrix3fv),
        ("m4", 4, 4, gl::ProgramUniformMatrix4fv),
        ("m2x3", 2, 3, gl::ProgramUniformMatrix2x3fv),
        ("m3x2", 3, 2, gl::ProgramUniformMatrix3x2fv),
        ("m2x4", 2, 4, gl::ProgramUniformMatrix2x4fv),
        ("m4x2", 4, 2, gl::ProgramUniformMatrix4x2fv),
        ("m3x4", 3, 4, gl::ProgramUniformMatrix3x4fv),
        ("m4x3", 4, 3, gl::ProgramUniformMatrix4x3fv),
    ];
    expect_matrices(single(), &matrices, gl::GetUniformfv);
}

const FINE: f64 = 1.0 + f64::EPSILON;

fn double_forms(_: &Env) {
    let p = double();
    let current: &[Row<f64>] = &[
        ("Uniform1d", "d1", |_, at| gl::Uniform1d(at, FINE), &[FINE]),
        ("Uniform2d", "d2", |_, at| gl::Uniform2d(at, FINE, -2.5), &[FINE, -2.5]),
        ("Uniform3d", "d3", |_, at| gl::Uniform3d(at, FINE, -2.5, 3.0), &[FINE, -2.5, 3.0]),
        ("Uniform4d", "d4", |_, at| gl::Uniform4d(at, FINE, -2.5, 3.0, 4.0), &[FINE, -2.5, 3.0, 4.0]),
        ("Uniform1dv", "d1", |_, at| gl::Uniform1dv(at, 1, [0.1].as_ptr()), &[0.1]),
        ("Uniform2dv", "d2", |_, at| gl::Uniform2dv(at, 1, [0.1, 0.2].as_ptr()), &[0.1, 0.2]),
        ("Uniform3dv", "d3", |_, at| gl::Uniform3dv(at, 1, [0.1, 0.2, 0.3].as_ptr()), &[0.1, 0.2, 0.3]),
        ("Uniform4dv", "d4", |_, at| gl::Uniform4dv(at, 1, [0.1, 0.2, 0.3, 0.4].as_ptr()), &[0.1, 0.2, 0.3, 0.4]),
    ];
    expect(p, current, gl::GetUniformdv);
    if !has_extension("GL_ARB_separate_shader_objects") {
        return;
    }
    gl::UseProgram(0);
    expect(
        p,
        rows! {
            "d1": gl::ProgramUniform1d(FINE);
            "d2": gl::ProgramUniform2d(FINE, -2.5);
            "d3": gl::ProgramUniform3d(FINE, -2.5, 3.0);
            "d4": gl::ProgramUniform4d(FINE, -2.5, 3.0, 4.0);
        },
        gl::GetUniformdv,
    );
    expect(
        p,
        vector_rows! {
            "d1": gl::ProgramUniform1dv(0.1_f64);
            "d2": gl::ProgramUniform2dv(0.1_f64, -3.5);
            "d3": gl::ProgramUniform3dv(0.1_f64, -3.5, 4.0);
            "d4": gl::ProgramUniform4dv(0.1_f64, -3.5, 4.0, 5.0);
        },
        gl::GetUniformdv,
    );
}

fn double_matrix_forms(_: &Env) {
    require_extension("GL_ARB_separate_shader_objects");
    let matrices: [Matrix<f64>; 9] = [
        ("m2", 2, 2, gl::ProgramUniformMatrix2dv),
        ("m3", 3, 3, gl::ProgramUniformMatrix3dv),
        ("m4", 4, 4, gl::ProgramUniformMatrix4dv),
        ("m2x3", 2, 3, gl::ProgramUniformMatrix2x3dv),
        ("m3x2", 3, 2, gl::ProgramUniformMatrix3x2dv),
        ("m2x4", 2, 4, gl::ProgramUniformMatrix2x4dv),
        ("m4x2", 4, 2, gl::ProgramUniformMatrix4x2dv),
        ("m3x4", 3, 4, gl::ProgramUniformMatrix3x4dv),
        ("m4x3", 4, 3, gl::ProgramUniformMatrix4x3dv),
    ];
    expect_matrices(double(), &matrices, gl::GetUniformdv);
}

/// 7.13: what does not fit the size that is given is not written at all.
fn bounded_reads(_: &Env) {
    let p = single();
    gl::ProgramUniform2i(p.0, p.location("i2"), 5, 6);
    gl::ProgramUniform2ui(p.0, p.location("u2"), 7, 8);
    let (mut signed, mut unsigned) = ([77; 2], [77_u32; 2]);
    gl::GetnUniformiv(p.0, p.location("i2"), 7, signed.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "a byte too few");
    gl::GetnUniformuiv(p.0, p.location("u2"), 4, unsigned.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "one of two");
    assert_eq!((signed, unsigned), ([77; 2], [77; 2]));
    gl::GetnUniformiv(p.0, p.location("i2"), 8, signed.as_mut_ptr());
    gl::GetnUniformuiv(p.0, p.location("u2"), 8, unsigned.as_mut_ptr());
    expect_no_error("room enough");
    assert_eq!((signed, unsigned), ([5, 6], [7, 8]));
    if has_extension("GL_ARB_gpu_shader_fp64") {
        let p = double();
        gl::Uniform2d(p.location("d2"), 0.1, 0.2);
        let mut doubles = [77.0; 2];
        gl::GetnUniformdv(p.0, p.location("d2"), 15, doubles.as_mut_ptr());
        expect_error(gl::INVALID_OPERATION, "a byte too few");
        assert_eq!(doubles, [77.0; 2]);
        gl::GetnUniformdv(p.0, p.location("d2"), 16, doubles.as_mut_ptr());
        assert_eq!(doubles, [0.1, 0.2]);
    }
}
