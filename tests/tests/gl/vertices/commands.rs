//! Every drawing command: GL 3.3 core 2.8.3.

use gallite_tests::draw::{Image, Target, buffer, expect_error, gen_vertex_array, program, vertex_attrib};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, run_child};

gl_tests! {
    render core(3, 3): draw_arrays_from_first, draw_elements_of_each_type, index_offset,
        draw_range_elements, base_vertex, negative_base_vertex, draw_arrays_instanced,
        draw_elements_instanced, draw_elements_instanced_base_vertex, multi_draw_arrays,
        multi_draw_elements, multi_draw_elements_base_vertex, restart_every_type,
        restart_applies_before_base_vertex, restart_disabled_draws_the_index, zero_counts_draw_nothing,
        vertex_id_and_instance_id, instance_id_restarts_with_each_command;
    vulkan core(3, 3): byte_indices_on_a_device_without_them;
}

const RED: [u8; 4] = [255, 0, 0, 255];

/// Column `i` of a 16x1 image is one vertex, drawn as a point.
const COLUMN_VS: &str = "#version 330 core
layout(location = 0) in float column;
uniform float shift;
void main() { gl_Position = vec4((column + shift + 0.5) / 8.0 - 1.0, 0.0, 0.0, 1.0); }
";
const RED_FS: &str = "#version 330 core
out vec4 result;
void main() { result = vec4(1.0, 0.0, 0.0, 1.0); }
";

/// Sixteen vertices, vertex `i` at column `i`.
fn columns() -> Target {
    let target = Target::new(16, 1);
    program(COLUMN_VS, RED_FS);
    gl::BindVertexArray(gen_vertex_array());
    let data: Vec<f32> = (0_u8..16).map(f32::from).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(0, 1, 0, 0);
    target
}

#[track_caller]
fn expect_columns(image: &Image, columns: &[i32]) {
    image.expect_each(|x, _| if columns.contains(&x) { RED } else { [0; 4] });
}

fn draw_arrays_from_first(_: &Env) {
    let target = columns();
    gl::DrawArrays(gl::POINTS, 3, 4);
    expect_columns(&target.image(), &[3, 4, 5, 6]);
}

fn draw_elements_of_each_type(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u8, 9, 4]);
    gl::DrawElements(gl::POINTS, 3, gl::UNSIGNED_BYTE, std::ptr::null());
    expect_columns(&target.image(), &[1, 4, 9]);
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[2_u16, 15, 0]);
    gl::DrawElements(gl::POINTS, 3, gl::UNSIGNED_SHORT, std::ptr::null());
    expect_columns(&target.image(), &[0, 2, 15]);
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[7_u32, 8, 6]);
    gl::DrawElements(gl::POINTS, 3, gl::UNSIGNED_INT, std::ptr::null());
    expect_columns(&target.image(), &[6, 7, 8]);
}

/// The indices argument is a byte offset, and need not be a multiple of anything for bytes.
fn index_offset(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u8, 9, 4, 12, 13]);
    gl::DrawElements(gl::POINTS, 2, gl::UNSIGNED_BYTE, 3 as *const _);
    expect_columns(&target.image(), &[12, 13]);
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u16, 9, 4, 12, 13]);
    gl::DrawElements(gl::POINTS, 2, gl::UNSIGNED_SHORT, 2 as *const _);
    expect_columns(&target.image(), &[9, 4]);
}

fn draw_range_elements(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[5_u16, 6, 7]);
    gl::DrawRangeElements(gl::POINTS, 5, 7, 3, gl::UNSIGNED_SHORT, std::ptr::null());
    expect_columns(&target.image(), &[5, 6, 7]);
    gl::DrawRangeElements(gl::POINTS, 7, 5, 3, gl::UNSIGNED_SHORT, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "end below start");
}

fn base_vertex(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2]);
    gl::DrawElementsBaseVertex(gl::POINTS, 3, gl::UNSIGNED_SHORT, std::ptr::null(), 6);
    expect_columns(&target.image(), &[6, 7, 8]);
    gl::DrawRangeElementsBaseVertex(gl::POINTS, 0, 2, 2, gl::UNSIGNED_SHORT, 2 as *const _, 10);
    expect_columns(&target.image(), &[6, 7, 8, 11, 12]);
}

/// 2.8.3: base vertex is added after the index is read, as a signed number.
fn negative_base_vertex(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[200_u8, 201]);
    gl::DrawElementsBaseVertex(gl::POINTS, 2, gl::UNSIGNED_BYTE, std::ptr::null(), -198);
    expect_columns(&target.image(), &[2, 3]);
    target.clear([0.0; 4]);
    // Nor does the sum wrap at the width of the index type: 250 + 15 - 256 = 9 needs a wide sum.
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[250_u8]);
    gl::DrawElementsBaseVertex(gl::POINTS, 1, gl::UNSIGNED_BYTE, std::ptr::null(), -241);
    expect_columns(&target.image(), &[9]);
}

const INSTANCED_VS: &str = "#version 330 core
layout(location = 0) in float column;
void main() { gl_Position = vec4((column + 4.0 * gl_InstanceID + 0.5) / 8.0 - 1.0, 0.0, 0.0, 1.0); }
";

fn draw_arrays_instanced(_: &Env) {
    let target = columns();
    program(INSTANCED_VS, RED_FS);
    gl::DrawArraysInstanced(gl::POINTS, 1, 2, 3);
    expect_columns(&target.image(), &[1, 2, 5, 6, 9, 10]);
}

fn draw_elements_instanced(_: &Env) {
    let target = columns();
    program(INSTANCED_VS, RED_FS);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 2]);
    gl::DrawElementsInstanced(gl::POINTS, 2, gl::UNSIGNED_SHORT, std::ptr::null(), 2);
    expect_columns(&target.image(), &[0, 2, 4, 6]);
}

fn draw_elements_instanced_base_vertex(_: &Env) {
    let target = columns();
    program(INSTANCED_VS, RED_FS);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 2]);
    gl::DrawElementsInstancedBaseVertex(gl::POINTS, 2, gl::UNSIGNED_SHORT, std::ptr::null(), 2, 1);
    expect_columns(&target.image(), &[1, 3, 5, 7]);
}

fn multi_draw_arrays(_: &Env) {
    let target = columns();
    let (firsts, counts) = ([0, 8, 4], [2, 1, 0]);
    gl::MultiDrawArrays(gl::POINTS, firsts.as_ptr(), counts.as_ptr(), 3);
    expect_columns(&target.image(), &[0, 1, 8]);
}

fn multi_draw_elements(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[3_u16, 4, 11, 12]);
    let (counts, offsets) = ([1, 2], [2_usize as *const std::ffi::c_void, 4_usize as *const _]);
    gl::MultiDrawElements(gl::POINTS, counts.as_ptr(), gl::UNSIGNED_SHORT, offsets.as_ptr(), 2);
    expect_columns(&target.image(), &[4, 11, 12]);
}

fn multi_draw_elements_base_vertex(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1]);
    let counts = [2, 1];
    let offsets = [std::ptr::null(), 2_usize as *const std::ffi::c_void];
    let bases = [5, 12];
    gl::MultiDrawElementsBaseVertex(
        gl::POINTS,
        counts.as_ptr(),
        gl::UNSIGNED_SHORT,
        offsets.as_ptr(),
        2,
        bases.as_ptr(),
    );
    expect_columns(&target.image(), &[5, 6, 13]);
}

/// 2.8.3: a restart index ends the strip; a line strip then has a gap.
fn restart_every_type(_: &Env) {
    let target = columns();
    gl::Enable(gl::PRIMITIVE_RESTART);
    // Lines 1..4 and 8..11 as strips: the pixel of the last vertex of a line stays unlit.
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u8, 4, 99, 8, 11]);
    gl::PrimitiveRestartIndex(99);
    gl::DrawElements(gl::LINE_STRIP, 5, gl::UNSIGNED_BYTE, std::ptr::null());
    expect_columns(&target.image(), &[1, 2, 3, 8, 9, 10]);
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u16, 4, 0xffff, 8, 11]);
    gl::PrimitiveRestartIndex(0xffff);
    gl::DrawElements(gl::LINE_STRIP, 5, gl::UNSIGNED_SHORT, std::ptr::null());
    expect_columns(&target.image(), &[1, 2, 3, 8, 9, 10]);
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u32, 4, 5, 8, 11]);
    gl::PrimitiveRestartIndex(5);
    gl::DrawElements(gl::LINE_STRIP, 5, gl::UNSIGNED_INT, std::ptr::null());
    expect_columns(&target.image(), &[1, 2, 3, 8, 9, 10]);
}

/// 2.8.3: the comparison happens before base vertex is added.
fn restart_applies_before_base_vertex(_: &Env) {
    let target = columns();
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(6);
    // 2 + 4 = 6 is a vertex, 6 itself is the restart.
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 2, 6, 7, 9]);
    gl::DrawElementsBaseVertex(gl::LINE_STRIP, 5, gl::UNSIGNED_SHORT, std::ptr::null(), 4);
    expect_columns(&target.image(), &[4, 5, 11, 12]);
}

fn restart_disabled_draws_the_index(_: &Env) {
    let target = columns();
    gl::PrimitiveRestartIndex(3);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u16, 3, 5]);
    gl::DrawElements(gl::POINTS, 3, gl::UNSIGNED_SHORT, std::ptr::null());
    expect_columns(&target.image(), &[1, 3, 5]);
}

fn zero_counts_draw_nothing(_: &Env) {
    let target = columns();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16; 4]);
    gl::DrawArrays(gl::POINTS, 0, 0);
    gl::DrawElements(gl::POINTS, 0, gl::UNSIGNED_SHORT, std::ptr::null());
    gl::DrawArraysInstanced(gl::POINTS, 0, 3, 0);
    gl::DrawArrays(gl::TRIANGLES, 0, 2);
    gl::MultiDrawArrays(gl::POINTS, std::ptr::null(), std::ptr::null(), 0);
    expect_columns(&target.image(), &[]);
}

/// 2.11.7: gl_VertexID is the index that was read, so it counts from `first`; base vertex is part
/// of it; gl_InstanceID counts from 0.
fn vertex_id_and_instance_id(_: &Env) {
    let target = columns();
    program(
        "#version 330 core
layout(location = 0) in float column;
void main() { gl_Position = vec4((float(gl_VertexID) + 0.5) / 8.0 - 1.0, 0.0 * column, 0.0, 1.0); }
",
        RED_FS,
    );
    gl::DrawArrays(gl::POINTS, 5, 2);
    expect_columns(&target.image(), &[5, 6]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u16, 3]);
    gl::DrawElementsBaseVertex(gl::POINTS, 2, gl::UNSIGNED_SHORT, std::ptr::null(), 10);
    expect_columns(&target.image(), &[5, 6, 11, 13]);
}

fn instance_id_restarts_with_each_command(_: &Env) {
    let target = columns();
    program(INSTANCED_VS, RED_FS);
    gl::DrawArraysInstanced(gl::POINTS, 0, 1, 2);
    gl::DrawArraysInstanced(gl::POINTS, 1, 1, 2);
    gl::DrawArrays(gl::POINTS, 2, 1);
    expect_columns(&target.image(), &[0, 1, 2, 4, 5]);
}

/// A device may lack VK_EXT_index_type_uint8; GL has byte indices all the same.
fn byte_indices_on_a_device_without_them(env: &Env) {
    let variables = [("GALLITE_VULKAN_WITHOUT", "index_u8"), ("GALLITE_VALIDATION", "1")];
    for test in ["draw_elements_of_each_type", "multi_draw_elements", "restart_every_type"] {
        let output = run_child(&env.lane.name, &variables, &format!("vertices::commands::{test}"));
        assert!(output.contains("child: passed") && !output.contains("VUID-"), "{test}: {output}");
    }
}
