//! Indirect draws and base instances: GL 4.6 core 10.3.11, 10.4 and 10.5.

use super::primitives::canvas;
use gallite_tests::draw::{
    Target, buffer, expect_error, expect_no_error, gen_vertex_array, get_i32, program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): several_with_stride;
    render core(3, 3): arrays_and_elements, modes_that_are_rewritten, case_13_base_instance;
    every core(3, 3): errors;
}

const WHITE: [u8; 4] = [255; 4];

fn pixels() -> Target {
    let target = canvas();
    let data: Vec<[f32; 2]> = (0..12).map(|x| [x as f32, 5.0]).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(0, 2, 0, 0);
    target
}

fn expect_lit(target: Target, lit: &[i32]) {
    target.image().expect_each(|x, y| if y == 5 && lit.contains(&x) { WHITE } else { [0; 4] });
    target.clear([0.0; 4]);
}

fn arrays_and_elements(_: &Env) {
    let target = pixels();
    buffer(gl::DRAW_INDIRECT_BUFFER, &[99_u32, 3, 1, 2, 0, 2, 1, 1, 3, 0]);
    gl::DrawArraysIndirect(gl::POINTS, 4 as *const _);
    expect_lit(target, &[2, 3, 4]);
    for (kind, data) in [
        (gl::UNSIGNED_BYTE, vec![0_u8, 2, 4, 6]),
        (gl::UNSIGNED_SHORT, vec![0, 0, 2, 0, 4, 0, 6, 0]),
        (gl::UNSIGNED_INT, vec![0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0]),
    ] {
        buffer(gl::ELEMENT_ARRAY_BUFFER, &data);
        // Two indices from the second on, each with 3 added.
        gl::DrawElementsIndirect(gl::POINTS, kind, 20 as *const _);
        expect_no_error("draw");
        expect_lit(target, &[5, 7]);
    }
}

fn several_with_stride(_: &Env) {
    let target = pixels();
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 1, 0, 0, 77, 1, 1, 4, 0, 77, 0, 1, 0, 0, 77, 1, 0, 0, 0, 77, 1, 1, 9, 0]);
    gl::MultiDrawArraysIndirect(gl::POINTS, std::ptr::null(), 5, 20);
    expect_lit(target, &[0, 4, 9]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 1, 1, 0, 0, 2, 1, 2, 4, 0]);
    gl::MultiDrawElementsIndirect(gl::POINTS, gl::UNSIGNED_SHORT, std::ptr::null(), 2, 0);
    expect_lit(target, &[1, 6, 7]);
    gl::MultiDrawArraysIndirect(gl::POINTS, std::ptr::null(), 0, 0);
    expect_lit(target, &[]);
    expect_no_error("draws");
}

/// A line loop, and a restart index that the device may not have.
fn modes_that_are_rewritten(_: &Env) {
    let target = canvas();
    buffer(gl::ARRAY_BUFFER, &[[2.0_f32, 2.0], [9.0, 2.0], [9.0, 9.0], [2.0, 9.0]]);
    vertex_attrib(0, 2, 0, 0);
    let on_loop = |x: i32, y: i32| {
        let inside = (2..=9).contains(&x) && (2..=9).contains(&y);
        inside && (x == 2 || x == 9 || y == 2 || y == 9)
    };
    buffer(gl::DRAW_INDIRECT_BUFFER, &[4_u32, 1, 0, 0]);
    gl::DrawArraysIndirect(gl::LINE_LOOP, std::ptr::null());
    target.image().expect_each(|x, y| if on_loop(x, y) { WHITE } else { [0; 4] });
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 77, 2, 3]);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[5_u32, 1, 0, 0, 0]);
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(77);
    gl::DrawElementsIndirect(gl::LINE_STRIP, gl::UNSIGNED_SHORT, std::ptr::null());
    target.image().expect_each(|x, y| {
        let lit = (2..9).contains(&x) && y == 2 || (3..=9).contains(&x) && y == 9;
        if lit { WHITE } else { [0; 4] }
    });
}

/// GL 4.6 core 10.4 and 11.1.3.9: the base instance moves attributes with a divisor, and not gl_InstanceID.
fn case_13_base_instance(_: &Env) {
    let target = Target::new(12, 4);
    program(
        "#version 330 core
layout(location = 1) in float column;
void main() { gl_Position = vec4((column + 0.5) / 6.0 - 1.0, (float(gl_InstanceID) + 0.5) / 2.0 - 1.0, 0.0, 1.0); }
",
        crate::vertices::primitives::WHITE_FS,
    );
    gl::BindVertexArray(gen_vertex_array());
    let columns: Vec<f32> = (0..12).map(|i| i as f32).collect();
    buffer(gl::ARRAY_BUFFER, &columns);
    vertex_attrib(1, 1, 0, 0);
    gl::VertexAttribDivisor(1, 1);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16]);
    // Instances 0 and 1 at elements 5 and 6.
    let expect = |what: &str| {
        expect_no_error(what);
        let lit = |x, y| x == 5 && y == 0 || x == 6 && y == 1;
        target.image().expect_each(|x, y| if lit(x, y) { WHITE } else { [0; 4] });
        target.clear([0.0; 4]);
    };
    gl::DrawArraysInstancedBaseInstance(gl::POINTS, 0, 1, 2, 5);
    expect("arrays");
    gl::DrawElementsInstancedBaseInstance(gl::POINTS, 1, gl::UNSIGNED_SHORT, std::ptr::null(), 2, 5);
    expect("elements");
    gl::DrawElementsInstancedBaseVertexBaseInstance(gl::POINTS, 1, gl::UNSIGNED_SHORT, std::ptr::null(), 2, 3, 5);
    expect("elements with a base vertex");
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 2, 0, 5, 5]);
    gl::DrawArraysIndirect(gl::POINTS, std::ptr::null());
    expect("indirect arrays");
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 2, 0, 0, 5]);
    gl::DrawElementsIndirect(gl::POINTS, gl::UNSIGNED_SHORT, std::ptr::null());
    expect("indirect elements");
}

fn errors(_: &Env) {
    gallite_tests::draw::solid([0.0; 4]);
    let null = std::ptr::null();
    let _target = Target::new(2, 2);
    gl::BindVertexArray(0);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[0_u32; 8]);
    gl::DrawArraysIndirect(gl::POINTS, null);
    expect_error(gl::INVALID_OPERATION, "no vertex array");
    gl::BindVertexArray(gen_vertex_array());
    gl::DrawElementsIndirect(gl::POINTS, gl::UNSIGNED_INT, null);
    expect_error(gl::INVALID_OPERATION, "no indices");
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u32; 4]);
    gl::DrawArraysIndirect(0x7777, null);
    expect_error(gl::INVALID_ENUM, "no mode");
    gl::DrawElementsIndirect(gl::POINTS, gl::FLOAT, null);
    expect_error(gl::INVALID_ENUM, "no index type");
    gl::DrawArraysIndirect(gl::POINTS, 2 as *const _);
    expect_error(gl::INVALID_VALUE, "no multiple of four");
    gl::DrawArraysIndirect(gl::POINTS, 20 as *const _);
    expect_error(gl::INVALID_OPERATION, "beyond the end");
    gl::MultiDrawArraysIndirect(gl::POINTS, null, -1, 0);
    expect_error(gl::INVALID_VALUE, "a negative number of draws");
    gl::MultiDrawArraysIndirect(gl::POINTS, null, 1, 6);
    expect_error(gl::INVALID_VALUE, "a stride that is no multiple of four");
    gl::MultiDrawArraysIndirect(gl::POINTS, null, 3, 0);
    expect_error(gl::INVALID_OPERATION, "the third beyond the end");
    gl::MapBufferRange(gl::DRAW_INDIRECT_BUFFER, 0, 4, gl::MAP_READ_BIT);
    gl::DrawArraysIndirect(gl::POINTS, null);
    expect_error(gl::INVALID_OPERATION, "mapped arguments");
    gl::UnmapBuffer(gl::DRAW_INDIRECT_BUFFER);
    gl::BindBuffer(gl::DRAW_INDIRECT_BUFFER, 0);
    assert_eq!(get_i32(gl::DRAW_INDIRECT_BUFFER_BINDING), 0);
    gl::DrawArraysIndirect(gl::POINTS, null);
    expect_error(gl::INVALID_OPERATION, "no buffer");
}
