//! Logical operations: GL 3.3 core 4.1.10.

use gallite_tests::draw::{SOLID_VS, Target, expect_error, get_i32, program, quad, read_pixels, solid};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): every_operation_on_bytes, every_operation_on_integers, wins_over_blending, floats_are_not_touched,
        masks_still_apply;
    every core(3, 3): state;
}

const OPERATIONS: [(u32, fn(u8, u8) -> u8); 16] = [
    (gl::CLEAR, |_, _| 0),
    (gl::AND, |s, d| s & d),
    (gl::AND_REVERSE, |s, d| s & !d),
    (gl::COPY, |s, _| s),
    (gl::AND_INVERTED, |s, d| !s & d),
    (gl::NOOP, |_, d| d),
    (gl::XOR, |s, d| s ^ d),
    (gl::OR, |s, d| s | d),
    (gl::NOR, |s, d| !(s | d)),
    (gl::EQUIV, |s, d| !(s ^ d)),
    (gl::INVERT, |_, d| !d),
    (gl::OR_REVERSE, |s, d| s | !d),
    (gl::COPY_INVERTED, |s, _| !s),
    (gl::OR_INVERTED, |s, d| !s | d),
    (gl::NAND, |s, d| !(s & d)),
    (gl::SET, |_, _| 255),
];

const SOURCE: [u8; 4] = [0b1100_1010, 0x00, 0xff, 0x3c];
const DESTINATION: [u8; 4] = [0b1010_0110, 0x5a, 0x0f, 0xf0];

fn colour(bytes: [u8; 4]) -> [f32; 4] {
    bytes.map(|byte| f32::from(byte) / 255.0)
}

fn every_operation_on_bytes(_: &Env) {
    let target = Target::new(2, 2);
    solid(colour(SOURCE));
    gl::Enable(gl::COLOR_LOGIC_OP);
    for (name, operation) in OPERATIONS {
        target.clear(colour(DESTINATION));
        gl::LogicOp(name);
        quad();
        let expected: [u8; 4] = std::array::from_fn(|i| operation(SOURCE[i], DESTINATION[i]));
        assert_eq!(target.image().at(1, 1), expected, "operation {name:#x}");
    }
}

fn every_operation_on_integers(_: &Env) {
    Target::with_format(gl::RGBA8UI, 2, 2);
    let [r, g, b, a] = SOURCE;
    let source =
        format!("#version 330 core\nout uvec4 result;\nvoid main() {{ result = uvec4({r}u, {g}u, {b}u, {a}u); }}\n");
    program(SOLID_VS, &source);
    gl::Enable(gl::COLOR_LOGIC_OP);
    for (name, operation) in OPERATIONS {
        gl::ClearBufferuiv(gl::COLOR, 0, DESTINATION.map(u32::from).as_ptr());
        gl::LogicOp(name);
        quad();
        let expected: [u32; 4] = std::array::from_fn(|i| operation(SOURCE[i], DESTINATION[i]).into());
        let got: Vec<u32> = read_pixels([0, 0, 1, 1], gl::RGBA_INTEGER, gl::UNSIGNED_INT, 4);
        assert_eq!(got, expected, "operation {name:#x}");
    }
}

/// 4.1.10: while it is enabled, blending is as if disabled.
fn wins_over_blending(_: &Env) {
    let target = Target::new(2, 2);
    solid(colour(SOURCE));
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ZERO, gl::ZERO);
    gl::Enable(gl::COLOR_LOGIC_OP);
    gl::LogicOp(gl::COPY);
    quad();
    target.image().expect_all(SOURCE);
    gl::Disable(gl::COLOR_LOGIC_OP);
    quad();
    target.image().expect_all([0; 4]);
}

/// 4.1.10: no effect on floating-point buffers.
fn floats_are_not_touched(_: &Env) {
    Target::with_format(gl::RGBA32F, 2, 2);
    solid([0.5, 0.25, 2.0, 1.0]);
    gl::Enable(gl::COLOR_LOGIC_OP);
    gl::LogicOp(gl::INVERT);
    quad();
    let got: Vec<f32> = read_pixels([0, 0, 1, 1], gl::RGBA, gl::FLOAT, 4);
    assert_eq!(got, [0.5, 0.25, 2.0, 1.0]);
}

fn masks_still_apply(_: &Env) {
    let target = Target::new(2, 2);
    target.clear(colour(DESTINATION));
    solid(colour(SOURCE));
    gl::Enable(gl::COLOR_LOGIC_OP);
    gl::LogicOp(gl::INVERT);
    gl::ColorMask(1, 0, 0, 1);
    quad();
    let [r, g, b, a] = DESTINATION;
    target.image().expect_all([!r, g, b, !a]);
}

fn state(_: &Env) {
    assert_eq!(get_i32(gl::LOGIC_OP_MODE) as u32, gl::COPY);
    gl::LogicOp(gl::NAND);
    assert_eq!(get_i32(gl::LOGIC_OP_MODE) as u32, gl::NAND);
    gl::LogicOp(gl::ONE);
    expect_error(gl::INVALID_ENUM, "not an operation");
    assert_eq!(get_i32(gl::LOGIC_OP_MODE) as u32, gl::NAND);
}
