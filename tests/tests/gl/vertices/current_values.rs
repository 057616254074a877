//! Every form of glVertexAttrib and what it makes the current value: GL 4.6 core 10.2.

use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): float_forms, normalized_forms, packed_forms, signed_forms, unsigned_forms;
}

/// The attribute that is set.
const INDEX: u32 = 3;

/// A call by name, and the value that it makes current.
type Row<T> = (&'static str, fn(), [T; 4]);

/// Rows of calls on attribute [`INDEX`].
macro_rules! rows {
    ($(gl::$name:ident($($arg:expr),*) => $expected:expr;)*) => {
        &[$((stringify!($name), || gl::$name(INDEX, $($arg),*), $expected)),*]
    };
}

/// Rows for the commands that take a pointer.
macro_rules! vector_rows {
    ($(gl::$name:ident($values:expr) => $expected:expr;)*) => {
        &[$((stringify!($name), || gl::$name(INDEX, $values.as_ptr()), $expected)),*]
    };
}

/// What is left out is (0, 0, 0, 1), whatever was there before.
#[track_caller]
fn expect_floats(rows: &[Row<f32>]) {
    for (name, call, expected) in rows {
        gl::VertexAttrib4f(INDEX, 90.0, 91.0, 92.0, 93.0);
        call();
        let mut float = [f32::NAN; 4];
        gl::GetVertexAttribfv(INDEX, gl::CURRENT_VERTEX_ATTRIB, float.as_mut_ptr());
        assert_eq!(float, *expected, "gl{name}");
        let mut double = [f64::NAN; 4];
        gl::GetVertexAttribdv(INDEX, gl::CURRENT_VERTEX_ATTRIB, double.as_mut_ptr());
        assert_eq!(double, expected.map(f64::from), "gl{name} as doubles");
    }
}

fn float_forms(_: &Env) {
    expect_floats(rows! {
        gl::VertexAttrib1f(1.5) => [1.5, 0.0, 0.0, 1.0];
        gl::VertexAttrib2f(1.5, -2.5) => [1.5, -2.5, 0.0, 1.0];
        gl::VertexAttrib3f(1.5, -2.5, 3.0) => [1.5, -2.5, 3.0, 1.0];
        gl::VertexAttrib4f(1.5, -2.5, 3.0, 4.0) => [1.5, -2.5, 3.0, 4.0];
        gl::VertexAttrib1d(1.25) => [1.25, 0.0, 0.0, 1.0];
        gl::VertexAttrib2d(1.25, -2.5) => [1.25, -2.5, 0.0, 1.0];
        gl::VertexAttrib3d(1.25, -2.5, 3.0) => [1.25, -2.5, 3.0, 1.0];
        gl::VertexAttrib4d(1.25, -2.5, 3.0, 4.0) => [1.25, -2.5, 3.0, 4.0];
        gl::VertexAttrib1s(-7) => [-7.0, 0.0, 0.0, 1.0];
        gl::VertexAttrib2s(-7, i16::MAX) => [-7.0, 32767.0, 0.0, 1.0];
        gl::VertexAttrib3s(-7, i16::MAX, i16::MIN) => [-7.0, 32767.0, -32768.0, 1.0];
        gl::VertexAttrib4s(-7, i16::MAX, i16::MIN, 5) => [-7.0, 32767.0, -32768.0, 5.0];
    });
    expect_floats(vector_rows! {
        gl::VertexAttrib1fv([1.5_f32]) => [1.5, 0.0, 0.0, 1.0];
        gl::VertexAttrib2fv([1.5_f32, -2.5]) => [1.5, -2.5, 0.0, 1.0];
        gl::VertexAttrib3fv([1.5_f32, -2.5, 3.0]) => [1.5, -2.5, 3.0, 1.0];
        gl::VertexAttrib4fv([1.5_f32, -2.5, 3.0, 4.0]) => [1.5, -2.5, 3.0, 4.0];
        gl::VertexAttrib1dv([1.25_f64]) => [1.25, 0.0, 0.0, 1.0];
        gl::VertexAttrib2dv([1.25_f64, -2.5]) => [1.25, -2.5, 0.0, 1.0];
        gl::VertexAttrib3dv([1.25_f64, -2.5, 3.0]) => [1.25, -2.5, 3.0, 1.0];
        gl::VertexAttrib4dv([1.25_f64, -2.5, 3.0, 4.0]) => [1.25, -2.5, 3.0, 4.0];
        gl::VertexAttrib1sv([-7_i16]) => [-7.0, 0.0, 0.0, 1.0];
        gl::VertexAttrib2sv([-7_i16, 8]) => [-7.0, 8.0, 0.0, 1.0];
        gl::VertexAttrib3sv([-7_i16, 8, i16::MIN]) => [-7.0, 8.0, -32768.0, 1.0];
        gl::VertexAttrib4sv([-7_i16, 8, i16::MIN, 5]) => [-7.0, 8.0, -32768.0, 5.0];
        gl::VertexAttrib4bv([-128_i8, 127, 3, -4]) => [-128.0, 127.0, 3.0, -4.0];
        gl::VertexAttrib4ubv([0_u8, 255, 3, 4]) => [0.0, 255.0, 3.0, 4.0];
        gl::VertexAttrib4usv([0_u16, 65535, 3, 4]) => [0.0, 65535.0, 3.0, 4.0];
        gl::VertexAttrib4iv([i32::MIN, 1 << 20, -3, 4]) => [-2_147_483_648.0, 1_048_576.0, -3.0, 4.0];
        gl::VertexAttrib4uiv([0_u32, 1 << 31, 3, 4]) => [0.0, 2_147_483_648.0, 3.0, 4.0];
    });
}

/// 2.3.5.1: the lowest of the negative numbers is -1 as well as the one after it, and 0 is 0.
fn normalized_forms(_: &Env) {
    expect_floats(rows! {
        gl::VertexAttrib4Nub(0, 51, 255, 102) => [0.0, 0.2, 1.0, 0.4];
    });
    expect_floats(vector_rows! {
        gl::VertexAttrib4Nbv([127_i8, -127, 0, -128]) => [1.0, -1.0, 0.0, -1.0];
        gl::VertexAttrib4Nsv([32767_i16, -32767, 0, -32768]) => [1.0, -1.0, 0.0, -1.0];
        gl::VertexAttrib4Niv([i32::MAX, -i32::MAX, 0, i32::MIN]) => [1.0, -1.0, 0.0, -1.0];
        gl::VertexAttrib4Nubv([0_u8, 51, 255, 102]) => [0.0, 0.2, 1.0, 0.4];
        gl::VertexAttrib4Nusv([0_u16, 13107, 65535, 26214]) => [0.0, 0.2, 1.0, 0.4];
        gl::VertexAttrib4Nuiv([0_u32, 858_993_459, u32::MAX, 1_717_986_918]) => [0.0, 0.2, 1.0, 0.4];
    });
}

/// Fields of 10, 10, 10 and 2 bits from the lowest on.
const fn packed(fields: [i32; 4]) -> u32 {
    let [x, y, z, w] = fields;
    (x & 0x3FF) as u32 | ((y & 0x3FF) as u32) << 10 | ((z & 0x3FF) as u32) << 20 | ((w & 3) as u32) << 30
}

fn packed_forms(_: &Env) {
    const SIGNED: u32 = gl::INT_2_10_10_10_REV;
    const UNSIGNED: u32 = gl::UNSIGNED_INT_2_10_10_10_REV;
    const SOME: u32 = packed([511, -512, -1, -2]);
    const ENDS: u32 = packed([511, -511, 0, 1]);
    expect_floats(rows! {
        gl::VertexAttribP1ui(SIGNED, gl::FALSE, SOME) => [511.0, 0.0, 0.0, 1.0];
        gl::VertexAttribP2ui(SIGNED, gl::FALSE, SOME) => [511.0, -512.0, 0.0, 1.0];
        gl::VertexAttribP3ui(SIGNED, gl::FALSE, SOME) => [511.0, -512.0, -1.0, 1.0];
        gl::VertexAttribP4ui(SIGNED, gl::FALSE, SOME) => [511.0, -512.0, -1.0, -2.0];
        gl::VertexAttribP4ui(UNSIGNED, gl::FALSE, SOME) => [511.0, 512.0, 1023.0, 2.0];
        gl::VertexAttribP1ui(SIGNED, gl::TRUE, ENDS) => [1.0, 0.0, 0.0, 1.0];
        gl::VertexAttribP2ui(SIGNED, gl::TRUE, ENDS) => [1.0, -1.0, 0.0, 1.0];
        gl::VertexAttribP3ui(SIGNED, gl::TRUE, SOME) => [1.0, -1.0, -1.0 / 511.0, 1.0];
        gl::VertexAttribP4ui(SIGNED, gl::TRUE, ENDS) => [1.0, -1.0, 0.0, 1.0];
        gl::VertexAttribP4ui(SIGNED, gl::TRUE, SOME) => [1.0, -1.0, -1.0 / 511.0, -1.0];
        gl::VertexAttribP4ui(UNSIGNED, gl::TRUE, packed([1023, 341, 0, 1])) => [1.0, 1.0 / 3.0, 0.0, 1.0 / 3.0];
    });
    expect_floats(&[
        ("VertexAttribP1uiv", || gl::VertexAttribP1uiv(INDEX, SIGNED, gl::FALSE, &SOME), [511.0, 0.0, 0.0, 1.0]),
        ("VertexAttribP2uiv", || gl::VertexAttribP2uiv(INDEX, SIGNED, gl::TRUE, &SOME), [1.0, -1.0, 0.0, 1.0]),
        ("VertexAttribP3uiv", || gl::VertexAttribP3uiv(INDEX, UNSIGNED, gl::FALSE, &SOME), [511.0, 512.0, 1023.0, 1.0]),
        ("VertexAttribP4uiv", || gl::VertexAttribP4uiv(INDEX, SIGNED, gl::FALSE, &SOME), [511.0, -512.0, -1.0, -2.0]),
    ]);
}

fn signed_forms(_: &Env) {
    let expect = |rows: &[Row<i32>]| {
        for (name, call, expected) in rows {
            gl::VertexAttribI4i(INDEX, 90, 91, 92, 93);
            call();
            let mut value = [-99; 4];
            gl::GetVertexAttribIiv(INDEX, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
            assert_eq!(value, *expected, "gl{name}");
        }
    };
    expect(rows! {
        gl::VertexAttribI1i(-1) => [-1, 0, 0, 1];
        gl::VertexAttribI2i(-1, i32::MIN) => [-1, i32::MIN, 0, 1];
        gl::VertexAttribI3i(-1, i32::MIN, i32::MAX) => [-1, i32::MIN, i32::MAX, 1];
        gl::VertexAttribI4i(-1, i32::MIN, i32::MAX, 7) => [-1, i32::MIN, i32::MAX, 7];
    });
    expect(vector_rows! {
        gl::VertexAttribI1iv([-1_i32]) => [-1, 0, 0, 1];
        gl::VertexAttribI2iv([-1_i32, 2]) => [-1, 2, 0, 1];
        gl::VertexAttribI3iv([-1_i32, 2, i32::MIN]) => [-1, 2, i32::MIN, 1];
        gl::VertexAttribI4iv([-1_i32, 2, i32::MIN, 4]) => [-1, 2, i32::MIN, 4];
        gl::VertexAttribI4bv([-128_i8, 127, -1, 4]) => [-128, 127, -1, 4];
        gl::VertexAttribI4sv([i16::MIN, i16::MAX, -1, 4]) => [-32768, 32767, -1, 4];
    });
}

fn unsigned_forms(_: &Env) {
    let expect = |rows: &[Row<u32>]| {
        for (name, call, expected) in rows {
            gl::VertexAttribI4ui(INDEX, 90, 91, 92, 93);
            call();
            let mut value = [99; 4];
            gl::GetVertexAttribIuiv(INDEX, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
            assert_eq!(value, *expected, "gl{name}");
        }
    };
    expect(rows! {
        gl::VertexAttribI1ui(u32::MAX) => [u32::MAX, 0, 0, 1];
        gl::VertexAttribI2ui(u32::MAX, 2) => [u32::MAX, 2, 0, 1];
        gl::VertexAttribI3ui(u32::MAX, 2, 1 << 31) => [u32::MAX, 2, 1 << 31, 1];
        gl::VertexAttribI4ui(u32::MAX, 2, 1 << 31, 4) => [u32::MAX, 2, 1 << 31, 4];
    });
    expect(vector_rows! {
        gl::VertexAttribI1uiv([u32::MAX]) => [u32::MAX, 0, 0, 1];
        gl::VertexAttribI2uiv([u32::MAX, 2]) => [u32::MAX, 2, 0, 1];
        gl::VertexAttribI3uiv([u32::MAX, 2, 1 << 31]) => [u32::MAX, 2, 1 << 31, 1];
        gl::VertexAttribI4uiv([u32::MAX, 2, 1 << 31, 4]) => [u32::MAX, 2, 1 << 31, 4];
        gl::VertexAttribI4ubv([0_u8, 255, 128, 4]) => [0, 255, 128, 4];
        gl::VertexAttribI4usv([0_u16, 65535, 32768, 4]) => [0, 65535, 32768, 4];
    });
}
