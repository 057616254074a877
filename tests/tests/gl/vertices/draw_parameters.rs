//! What a vertex shader learns of its draw, and draws whose number lies in a buffer: GL 4.6 core 10.4 and 11.1.3.9.

use gallite_tests::draw::{
    buffer, capture, capturing_program, expect_error, expect_no_error, gen_vertex_array, get_i32, require_extension,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): of_single_draws, of_several_draws, of_modes_that_are_rewritten, of_indirect_draws, with_a_count;
    every core(3, 3): count_rules;
}

const VS: &str = "#version 330 core
#extension GL_ARB_shader_draw_parameters : require
out int base_vertex, base_instance, draw, vertex;
void main() {
    base_vertex = gl_BaseVertexARB;
    base_instance = gl_BaseInstanceARB;
    draw = gl_DrawIDARB;
    vertex = gl_VertexID;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
";

fn prepare() {
    require_extension("GL_ARB_shader_draw_parameters");
    capturing_program(VS, &["base_vertex", "base_instance", "draw", "vertex"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
}

/// Base vertex, base instance, draw and vertex of each captured vertex.
#[track_caller]
fn expect(primitive: u32, what: &str, draw: impl FnOnce(), expected: &[[i32; 4]]) {
    let got = capture(primitive, 4 * expected.len() + 4, -7, draw);
    let (got, rest): (Vec<&[i32]>, _) = (got.chunks(4).take(expected.len()).collect(), &got[4 * expected.len()..]);
    assert_eq!(got, expected, "{what}");
    assert_eq!(rest, [-7; 4], "{what}");
}

fn of_single_draws(_: &Env) {
    prepare();
    let short = gl::UNSIGNED_SHORT;
    let nothing = std::ptr::null();
    expect(gl::POINTS, "arrays", || gl::DrawArrays(gl::POINTS, 3, 1), &[[0, 0, 0, 3]]);
    expect(
        gl::POINTS,
        "two draws are not one command",
        || {
            gl::DrawArrays(gl::POINTS, 3, 1);
            gl::DrawArrays(gl::POINTS, 5, 1);
        },
        &[[0, 0, 0, 3], [0, 0, 0, 5]],
    );
    let base = || gl::DrawElementsBaseVertex(gl::POINTS, 1, short, 2 as *const _, 9);
    expect(gl::POINTS, "a base vertex", base, &[[9, 0, 0, 10]]);
    expect(gl::POINTS, "elements", || gl::DrawElements(gl::POINTS, 1, short, nothing), &[[0, 0, 0, 0]]);
    let instances = || gl::DrawArraysInstancedBaseInstance(gl::POINTS, 2, 1, 1, 6);
    expect(gl::POINTS, "a base instance", instances, &[[0, 6, 0, 2]]);
    let both = || gl::DrawElementsInstancedBaseVertexBaseInstance(gl::POINTS, 1, short, nothing, 2, -4, 5);
    expect(gl::POINTS, "both", both, &[[-4, 5, 0, -4], [-4, 5, 0, -4]]);
}

/// gl_DrawID counts the draws of one command, those of no vertices as well.
fn of_several_draws(_: &Env) {
    prepare();
    let arrays = || gl::MultiDrawArrays(gl::POINTS, [4, 9, 6].as_ptr(), [2, 0, 1].as_ptr(), 3);
    let expected = [[0, 0, 0, 4], [0, 0, 0, 5], [0, 0, 2, 6]];
    expect(gl::POINTS, "arrays", arrays, &expected);
    let indices = [2 as *const _, std::ptr::null(), 6 as *const _];
    let elements = || {
        let (counts, bases) = ([1, 0, 1], [10, 20, 30]);
        let (counts, indices, bases) = (counts.as_ptr(), indices.as_ptr(), bases.as_ptr());
        gl::MultiDrawElementsBaseVertex(gl::POINTS, counts, gl::UNSIGNED_SHORT, indices, 3, bases);
    };
    expect(gl::POINTS, "elements", elements, &[[10, 0, 0, 11], [30, 0, 2, 33]]);
}

fn of_modes_that_are_rewritten(_: &Env) {
    prepare();
    let arrays = || gl::MultiDrawArrays(gl::LINE_LOOP, [4, 7].as_ptr(), [2, 2].as_ptr(), 2);
    let expected = [4, 5, 5, 4, 7, 8, 8, 7].map(|vertex| [0, 0, i32::from(vertex > 6), vertex]);
    expect(gl::LINES, "loops", arrays, &expected);
    // A restart makes two loops of one draw.
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(99);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 99, 2, 3, 5, 6]);
    let indices = [std::ptr::null(), 10 as *const _];
    let elements = || {
        let counts = [5, 2];
        gl::MultiDrawElements(gl::LINE_LOOP, counts.as_ptr(), gl::UNSIGNED_SHORT, indices.as_ptr(), 2);
    };
    let expected = [0, 1, 1, 0, 2, 3, 3, 2, 5, 6, 6, 5].map(|vertex| [0, 0, i32::from(vertex > 4), vertex]);
    expect(gl::LINES, "loops with restarts", elements, &expected);
}

fn of_indirect_draws(_: &Env) {
    prepare();
    require_extension("GL_ARB_multi_draw_indirect");
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 1, 4, 8, 1, 1, 5, 9]);
    let arrays = || gl::MultiDrawArraysIndirect(gl::POINTS, std::ptr::null(), 2, 0);
    expect(gl::POINTS, "arrays", arrays, &[[0, 8, 0, 4], [0, 9, 1, 5]]);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 1, 2, 40, 8, 0, 0, 0, 0, 0, 1, 1, 3, 50, 9]);
    let short = gl::UNSIGNED_SHORT;
    let elements = || gl::MultiDrawElementsIndirect(gl::POINTS, short, std::ptr::null(), 3, 0);
    expect(gl::POINTS, "elements", elements, &[[40, 8, 0, 42], [50, 9, 2, 53]]);
    // One whose mode is rewritten.
    buffer(gl::DRAW_INDIRECT_BUFFER, &[2_u32, 1, 4, 8, 2, 1, 6, 9]);
    let arrays = || gl::MultiDrawArraysIndirect(gl::LINE_LOOP, std::ptr::null(), 2, 0);
    let one = |vertex, number| [0, 8 + number, number, vertex];
    let expected = [one(4, 0), one(5, 0), one(5, 0), one(4, 0), one(6, 1), one(7, 1), one(7, 1), one(6, 1)];
    expect(gl::LINES, "loops", arrays, &expected);
}

/// 10.4: the number of draws is that in the buffer, and never more than the command says.
fn with_a_count(_: &Env) {
    prepare();
    require_extension("GL_ARB_indirect_parameters");
    let nothing = std::ptr::null();
    buffer(gl::PARAMETER_BUFFER, &[99_u32, 2, 0]);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 1, 4, 8, 1, 1, 5, 9, 1, 1, 6, 10]);
    let arrays = |count, most| gl::MultiDrawArraysIndirectCount(gl::POINTS, nothing, count, most, 0);
    let expected = [[0, 8, 0, 4], [0, 9, 1, 5], [0, 10, 2, 6]];
    expect(gl::POINTS, "two of three", || arrays(4, 3), &expected[..2]);
    expect(gl::POINTS, "no more than there can be", || arrays(0, 3), &expected);
    expect(gl::POINTS, "none", || arrays(8, 3), &[]);
    let loops = || gl::MultiDrawArraysIndirectCount(gl::LINE_LOOP, nothing, 8, 3, 0);
    expect(gl::LINES, "none of a mode that is rewritten", loops, &[]);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 1, 2, 40, 8, 0, 1, 1, 3, 50, 9, 0, 1, 1, 1, 60, 9, 0]);
    let elements = || gl::MultiDrawElementsIndirectCount(gl::POINTS, gl::UNSIGNED_SHORT, nothing, 4, 3, 24);
    expect(gl::POINTS, "elements", elements, &[[40, 8, 0, 42], [50, 9, 1, 53]]);
}

fn count_rules(_: &Env) {
    require_extension("GL_ARB_indirect_parameters");
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::DRAW_INDIRECT_BUFFER, &[0_u32; 8]);
    let nothing = std::ptr::null();
    let draw = |count, most, stride| gl::MultiDrawArraysIndirectCount(gl::POINTS, nothing, count, most, stride);
    draw(0, 1, 0);
    expect_error(gl::INVALID_OPERATION, "no buffer at GL_PARAMETER_BUFFER");
    let counts = buffer(gl::PARAMETER_BUFFER, &[0_u32; 2]);
    assert_eq!(get_i32(gl::PARAMETER_BUFFER_BINDING) as u32, counts);
    draw(2, 1, 0);
    expect_error(gl::INVALID_VALUE, "no multiple of four");
    draw(8, 1, 0);
    expect_error(gl::INVALID_OPERATION, "beyond the counts");
    draw(0, 3, 0);
    expect_error(gl::INVALID_OPERATION, "beyond the arguments");
    draw(0, -1, 0);
    expect_error(gl::INVALID_VALUE, "a negative number");
    draw(0, 1, 2);
    expect_error(gl::INVALID_VALUE, "the stride");
    expect_no_error("nothing else");
}
