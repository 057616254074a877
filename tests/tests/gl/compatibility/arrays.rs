//! Conventional arrays and client memory: GL 4.6 compatibility 10.3.

use super::{GREEN, LEFT, NOTHING, RED, image};
use gallite_tests::draw::{buffer, expect_error, gen_vertex_array, get_i32};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::c_void;

gl_tests! {
    render compatibility(8, 8): client_arrays, client_indices, arrays_in_buffers, interleaved, array_elements,
        between_client_and_buffer, case_19_client_memory_of_bgra, only_drawn_elements_are_read, the_generic_position_comes_first;
    every compatibility(8, 8): client_memory_needs_array_zero, client_state_comes_back;
}

fn at<T>(data: &[T]) -> *const c_void {
    data.as_ptr().cast()
}

fn point_at_left() {
    old::VertexPointer(2, gl::FLOAT, 0, at(&LEFT));
    old::EnableClientState(old::VERTEX_ARRAY);
}

const REDS: [[u8; 4]; 4] = [RED; 4];

fn client_arrays(_: &Env) {
    let vertices = LEFT;
    let colours = REDS;
    old::VertexPointer(2, gl::FLOAT, 0, at(&vertices));
    old::ColorPointer(4, gl::UNSIGNED_BYTE, 0, at(&colours));
    old::EnableClientState(old::VERTEX_ARRAY);
    old::EnableClientState(old::COLOR_ARRAY);
    gl::DrawArrays(old::QUADS, 0, 4);
    image().expect_rect([0, 0, 4, 8], RED, NOTHING);
    // Memory is read when drawn.
    let shorts: [[i16; 2]; 4] = [[0, -1], [1, -1], [1, 1], [0, 1]];
    old::VertexPointer(2, gl::SHORT, 0, at(&shorts));
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::DrawArrays(old::POLYGON, 0, 4);
    image().expect_rect([4, 0, 4, 8], RED, NOTHING);
}

fn client_indices(_: &Env) {
    point_at_left();
    let indices = [0_u8, 1, 2, 2, 3, 0];
    gl::DrawElements(gl::TRIANGLES, 6, gl::UNSIGNED_BYTE, at(&indices));
    image().expect_rect([0, 0, 4, 8], [255; 4], NOTHING);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    let indices = [0_u32, 1, 2, 3];
    gl::DrawElements(old::QUADS, 4, gl::UNSIGNED_INT, at(&indices));
    image().expect_rect([0, 0, 4, 8], [255; 4], NOTHING);
}

fn arrays_in_buffers(_: &Env) {
    let _ = buffer(gl::ARRAY_BUFFER, &LEFT);
    old::VertexPointer(2, gl::FLOAT, 0, std::ptr::null());
    gl::BindBuffer(gl::ARRAY_BUFFER, 0);
    old::EnableClientState(old::VERTEX_ARRAY);
    old::Color3f(0.0, 1.0, 0.0);
    let _ = buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    gl::DrawElements(old::QUADS, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    image().expect_rect([0, 0, 4, 8], GREEN, NOTHING);
}

/// Table 10.4.
fn interleaved(_: &Env) {
    #[repr(C)]
    struct Vertex([u8; 4], [f32; 2]);
    let vertices = LEFT.map(|place| Vertex(RED, place));
    old::InterleavedArrays(old::C4UB_V2F, 0, at(&vertices));
    gl::DrawArrays(gl::TRIANGLE_FAN, 0, 4);
    image().expect_rect([0, 0, 4, 8], RED, NOTHING);
}

fn array_elements(_: &Env) {
    point_at_left();
    let colours = REDS;
    old::ColorPointer(4, gl::UNSIGNED_BYTE, 0, at(&colours));
    old::EnableClientState(old::COLOR_ARRAY);
    old::Begin(old::QUADS);
    (0..4).for_each(old::ArrayElement);
    old::End();
    image().expect_rect([0, 0, 4, 8], RED, NOTHING);
}

/// An array of one layout, in client memory, in a buffer, and in client memory again.
fn between_client_and_buffer(_: &Env) {
    let right: [[f32; 2]; 4] = [[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0]];
    let name = buffer(gl::ARRAY_BUFFER, &right);
    let draw = |left: bool| {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        gl::DrawArrays(old::QUADS, 0, 4);
        image().expect_rect([if left { 0 } else { 4 }, 0, 4, 8], [255; 4], NOTHING);
    };
    old::EnableClientState(old::VERTEX_ARRAY);
    for _ in 0..2 {
        gl::BindBuffer(gl::ARRAY_BUFFER, 0);
        old::VertexPointer(2, gl::FLOAT, 0, at(&LEFT));
        draw(true);
        gl::BindBuffer(gl::ARRAY_BUFFER, name);
        old::VertexPointer(2, gl::FLOAT, 0, std::ptr::null());
        draw(false);
    }
}

/// GL_BGRA with bytes in client memory.
fn case_19_client_memory_of_bgra(_: &Env) {
    point_at_left();
    let colours = [[0_u8, 0, 255, 255]; 4];
    old::ColorPointer(gl::BGRA as i32, gl::UNSIGNED_BYTE, 0, at(&colours));
    old::EnableClientState(old::COLOR_ARRAY);
    gl::DrawArrays(old::QUADS, 0, 4);
    image().expect_rect([0, 0, 4, 8], RED, NOTHING);
}

/// Nothing before the first element drawn is read, which here is not ours to read.
fn only_drawn_elements_are_read(_: &Env) {
    let vertices = LEFT;
    let before = vertices.as_ptr().wrapping_sub(1000);
    old::VertexPointer(2, gl::FLOAT, 0, before.cast());
    old::EnableClientState(old::VERTEX_ARRAY);
    gl::DrawArrays(old::QUADS, 1000, 4);
    image().expect_rect([0, 0, 4, 8], [255; 4], NOTHING);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::DrawElements(old::QUADS, 4, gl::UNSIGNED_SHORT, at(&[1000_u16, 1001, 1002, 1003]));
    image().expect_rect([0, 0, 4, 8], [255; 4], NOTHING);
}

/// 10.3.4: with both arrays enabled, generic attribute 0 is the position.
fn the_generic_position_comes_first(_: &Env) {
    let right: [[f32; 2]; 4] = [[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0]];
    point_at_left();
    gl::VertexAttribPointer(0, 2, gl::FLOAT, 0, 0, at(&right));
    gl::EnableVertexAttribArray(0);
    gl::DrawArrays(old::QUADS, 0, 4);
    image().expect_rect([4, 0, 4, 8], [255; 4], NOTHING);
    gl::DisableVertexAttribArray(0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::DrawArrays(old::QUADS, 0, 4);
    image().expect_rect([0, 0, 4, 8], [255; 4], NOTHING);
}

fn client_memory_needs_array_zero(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    let vertices = LEFT;
    old::VertexPointer(2, gl::FLOAT, 0, at(&vertices));
    expect_error(gl::INVALID_OPERATION, "client memory in a vertex array object");
    old::EnableClientState(old::NORMAL_ARRAY);
    old::InterleavedArrays(old::C4UB_V2F, 0, at(&vertices));
    expect_error(gl::INVALID_OPERATION, "several arrays there");
    assert_eq!((gl::IsEnabled(old::NORMAL_ARRAY), gl::IsEnabled(old::VERTEX_ARRAY)), (1, 0), "nothing is changed");
    gl::BindVertexArray(0);
    old::VertexPointer(1, gl::FLOAT, 0, at(&vertices));
    expect_error(gl::INVALID_VALUE, "size");
    old::NormalPointer(gl::UNSIGNED_BYTE, 0, at(&vertices));
    expect_error(gl::INVALID_ENUM, "type of normals");
    old::ClientActiveTexture(gl::TEXTURE0 + 100);
    expect_error(gl::INVALID_ENUM, "unit");
}

fn client_state_comes_back(_: &Env) {
    let vertices = LEFT;
    old::PushClientAttrib(old::CLIENT_VERTEX_ARRAY_BIT);
    old::VertexPointer(2, gl::FLOAT, 8, at(&vertices));
    old::EnableClientState(old::VERTEX_ARRAY);
    assert_eq!(gl::IsEnabled(old::VERTEX_ARRAY), 1);
    assert_eq!(get_i32(0x807C), 8, "GL_VERTEX_ARRAY_STRIDE");
    old::PopClientAttrib();
    assert_eq!(gl::IsEnabled(old::VERTEX_ARRAY), 0);
    assert_eq!(get_i32(0x807C), 0);
    old::PopClientAttrib();
    expect_error(old::STACK_UNDERFLOW, "empty stack");
}
