//! Every form of glUniform, read back and seen by a shader: GL 4.6 core 7.6.1 and 7.13.

use gallite_tests::draw::{Program, SOLID_VS, expect_no_error, program, run_float};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): float_forms, signed_forms, unsigned_forms, matrix_forms, a_count_above_one;
    render core(3, 3): shaders_see_each_type;
}

/// Uniforms `f1` to `f4`, `i1` to `i4` and `u1` to `u4`, arrays of two, and a matrix `m` and its shape for each shape.
const FRAGMENT: &str = "#version 330 core
uniform float f1[2]; uniform vec2 f2[2]; uniform vec3 f3[2]; uniform vec4 f4[2];
uniform int i1[2]; uniform ivec2 i2[2]; uniform ivec3 i3[2]; uniform ivec4 i4[2];
uniform uint u1[2]; uniform uvec2 u2[2]; uniform uvec3 u3[2]; uniform uvec4 u4[2];
uniform mat2 m2; uniform mat3 m3; uniform mat4 m4;
uniform mat2x3 m2x3; uniform mat3x2 m3x2; uniform mat2x4 m2x4;
uniform mat4x2 m4x2; uniform mat3x4 m3x4; uniform mat4x3 m4x3;
out vec4 result;
void main() {
    float f = f1[1] + f2[1].y + f3[1].z + f4[1].w + f1[0] + f2[0].x + f3[0].x + f4[0].x;
    int i = i1[1] + i2[1].y + i3[1].z + i4[1].w + i1[0] + i2[0].x + i3[0].x + i4[0].x;
    uint u = u1[1] + u2[1].y + u3[1].z + u4[1].w + u1[0] + u2[0].x + u3[0].x + u4[0].x;
    float m = m2[1][0] + m3[1][0] + m4[1][0] + m2x3[1][0] + m3x2[1][0] + m2x4[1][0] + m4x2[1][0] + m3x4[1][0]
        + m4x3[1][0];
    result = vec4(f, float(i), float(u), m);
}
";

/// A call by name and on which uniform, and the values that it sets.
type Row<T> = (&'static str, &'static str, fn(i32), &'static [T]);

macro_rules! rows {
    ($($uniform:literal: gl::$name:ident($($arg:expr),*);)*) => {
        &[$((stringify!($name), $uniform, |location| gl::$name(location, $($arg),*), &[$($arg),*])),*]
    };
}

macro_rules! vector_rows {
    ($($uniform:literal: gl::$name:ident($($arg:expr),*);)*) => {
        &[$((
            stringify!($name),
            $uniform,
            |location| gl::$name(location, 1, [$($arg),*].as_ptr()),
            &[$($arg),*],
        )),*]
    };
}

/// Sets element 1 of each uniform to values and to zeroes: element 0 stays what it was.
#[track_caller]
fn expect<T>(p: Program, rows: &[Row<T>], get: fn(u32, i32, *mut T))
where
    T: Copy + Default + PartialEq + std::fmt::Debug + From<u8>,
{
    for (name, uniform, call, values) in rows {
        call(p.location(&format!("{uniform}[1]")));
        expect_no_error(name);
        for (element, expected) in [(1, values.to_vec()), (0, vec![T::default(); values.len()])] {
            let mut got = [T::from(77); 5];
            get(p.0, p.location(&format!("{uniform}[{element}]")), got.as_mut_ptr());
            assert_eq!(got[..values.len()], expected, "gl{name}, element {element}");
            assert_eq!(got[values.len()], T::from(77), "gl{name}: no more is written than it has");
        }
    }
}

fn float_forms(_: &Env) {
    let p = program(SOLID_VS, FRAGMENT);
    expect(
        p,
        rows! {
            "f1": gl::Uniform1f(1.5);
            "f2": gl::Uniform2f(1.5, -2.5);
            "f3": gl::Uniform3f(1.5, -2.5, 3.0);
            "f4": gl::Uniform4f(1.5, -2.5, 3.0, 4.0);
        },
        gl::GetUniformfv,
    );
    expect(
        p,
        vector_rows! {
            "f1": gl::Uniform1fv(2.5_f32);
            "f2": gl::Uniform2fv(2.5_f32, -3.5);
            "f3": gl::Uniform3fv(2.5_f32, -3.5, 4.0);
            "f4": gl::Uniform4fv(2.5_f32, -3.5, 4.0, 5.0);
        },
        gl::GetUniformfv,
    );
}

fn signed_forms(_: &Env) {
    let p = program(SOLID_VS, FRAGMENT);
    expect(
        p,
        rows! {
            "i1": gl::Uniform1i(-1);
            "i2": gl::Uniform2i(-1, i32::MIN);
            "i3": gl::Uniform3i(-1, i32::MIN, i32::MAX);
            "i4": gl::Uniform4i(-1, i32::MIN, i32::MAX, 4);
        },
        gl::GetUniformiv,
    );
    expect(
        p,
        vector_rows! {
            "i1": gl::Uniform1iv(-2_i32);
            "i2": gl::Uniform2iv(-2_i32, i32::MAX);
            "i3": gl::Uniform3iv(-2_i32, i32::MAX, i32::MIN);
            "i4": gl::Uniform4iv(-2_i32, i32::MAX, i32::MIN, 5);
        },
        gl::GetUniformiv,
    );
}

fn unsigned_forms(_: &Env) {
    let p = program(SOLID_VS, FRAGMENT);
    expect(
        p,
        rows! {
            "u1": gl::Uniform1ui(u32::MAX);
            "u2": gl::Uniform2ui(u32::MAX, 2);
            "u3": gl::Uniform3ui(u32::MAX, 2, 1 << 31);
            "u4": gl::Uniform4ui(u32::MAX, 2, 1 << 31, 4);
        },
        gl::GetUniformuiv,
    );
    expect(
        p,
        vector_rows! {
            "u1": gl::Uniform1uiv(1_u32 << 31);
            "u2": gl::Uniform2uiv(1_u32 << 31, u32::MAX);
            "u3": gl::Uniform3uiv(1_u32 << 31, u32::MAX, 3);
            "u4": gl::Uniform4uiv(1_u32 << 31, u32::MAX, 3, 5);
        },
        gl::GetUniformuiv,
    );
}

/// A command for matrices.
type SetMatrix = fn(i32, i32, u8, *const f32);

/// Columns and rows of each shape, and its command.
const MATRICES: &[(&str, usize, usize, SetMatrix)] = &[
    ("m2", 2, 2, gl::UniformMatrix2fv),
    ("m3", 3, 3, gl::UniformMatrix3fv),
    ("m4", 4, 4, gl::UniformMatrix4fv),
    ("m2x3", 2, 3, gl::UniformMatrix2x3fv),
    ("m3x2", 3, 2, gl::UniformMatrix3x2fv),
    ("m2x4", 2, 4, gl::UniformMatrix2x4fv),
    ("m4x2", 4, 2, gl::UniformMatrix4x2fv),
    ("m3x4", 3, 4, gl::UniformMatrix3x4fv),
    ("m4x3", 4, 3, gl::UniformMatrix4x3fv),
];

fn matrix_forms(_: &Env) {
    let p = program(SOLID_VS, FRAGMENT);
    for (name, columns, rows, set) in MATRICES {
        let values: Vec<f32> = (0..columns * rows).map(|i| i as f32 + 0.5).collect();
        let read = || {
            let mut got = vec![-1.0; values.len()];
            gl::GetUniformfv(p.0, p.location(name), got.as_mut_ptr());
            got
        };
        set(p.location(name), 1, gl::FALSE, values.as_ptr());
        assert_eq!(read(), values, "{name}");
        // Row by row in memory, column by column in what is read.
        set(p.location(name), 1, gl::TRUE, values.as_ptr());
        let turned: Vec<f32> = (0..columns * rows).map(|i| values[(i % rows) * columns + i / rows]).collect();
        assert_eq!(read(), turned, "{name} transposed");
    }
    expect_no_error("matrices");
}

fn a_count_above_one(_: &Env) {
    let p = program(SOLID_VS, FRAGMENT);
    let read = |name: &str| {
        let mut got = [0; 4];
        gl::GetUniformiv(p.0, p.location(name), got.as_mut_ptr());
        got
    };
    gl::Uniform3iv(p.location("i3"), 2, [1, 2, 3, 4, 5, 6].as_ptr());
    assert_eq!((read("i3[0]"), read("i3[1]")), ([1, 2, 3, 0], [4, 5, 6, 0]));
    gl::Uniform2uiv(p.location("u2"), 2, [7_u32, 8, 9, 10].as_ptr());
    assert_eq!((read("u2[0]"), read("u2[1]")), ([7, 8, 0, 0], [9, 10, 0, 0]));
    gl::Uniform1iv(p.location("i1"), 2, [11, 12].as_ptr());
    assert_eq!((read("i1[0]"), read("i1[1]")), ([11, 0, 0, 0], [12, 0, 0, 0]));
    expect_no_error("arrays");
}

fn shaders_see_each_type(_: &Env) {
    let p = program(SOLID_VS, FRAGMENT);
    let at = |name: &str| p.location(name);
    gl::Uniform1f(at("f1[1]"), 1.0);
    gl::Uniform2f(at("f2[1]"), 0.0, 2.0);
    gl::Uniform3f(at("f3[1]"), 0.0, 0.0, 4.0);
    gl::Uniform4f(at("f4[1]"), 0.0, 0.0, 0.0, 8.0);
    gl::Uniform1iv(at("i1[1]"), 1, [-1].as_ptr());
    gl::Uniform2iv(at("i2[1]"), 1, [0, -2].as_ptr());
    gl::Uniform3iv(at("i3[1]"), 1, [0, 0, -4].as_ptr());
    gl::Uniform4i(at("i4[1]"), 0, 0, 0, -8);
    gl::Uniform1uiv(at("u1[1]"), 1, [16_u32].as_ptr());
    gl::Uniform2uiv(at("u2[1]"), 1, [0_u32, 32].as_ptr());
    gl::Uniform3ui(at("u3[1]"), 0, 0, 64);
    gl::Uniform4uiv(at("u4[1]"), 1, [0_u32, 0, 0, 128].as_ptr());
    for (i, (name, columns, rows, set)) in MATRICES.iter().enumerate() {
        let mut values = vec![0.0; columns * rows];
        values[*rows] = (1 << i) as f32;
        set(at(name), 1, gl::FALSE, values.as_ptr());
    }
    assert_eq!(run_float(p), [15.0, -15.0, 240.0, 511.0]);
}
