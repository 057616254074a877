//! Vertex array objects: GL 3.3 core 2.10.

use gallite_tests::draw::{Target, buffer, expect_error, gen_buffer, gen_vertex_array, get_i32, solid, vertex_attrib};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): holds_attributes_and_index_buffer, array_buffer_binding_is_not_part_of_it,
        deleting_a_bound_array_buffer_unbinds_it;
    every core(3, 3): names_and_is, deleting_the_bound_one_binds_zero, queries,
        core_profile_needs_one;
}

const LEFT: [f32; 8] = [-1.0, -1.0, 0.0, -1.0, -1.0, 1.0, 0.0, 1.0];
const RIGHT: [f32; 8] = [0.0, -1.0, 1.0, -1.0, 0.0, 1.0, 1.0, 1.0];
const RED: [u8; 4] = [255, 0, 0, 255];

fn holds_attributes_and_index_buffer(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0, 0.0, 0.0, 1.0]);
    let left = gen_vertex_array();
    gl::BindVertexArray(left);
    buffer(gl::ARRAY_BUFFER, &LEFT);
    vertex_attrib(0, 2, 0, 0);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    let right = gen_vertex_array();
    gl::BindVertexArray(right);
    buffer(gl::ARRAY_BUFFER, &RIGHT);
    vertex_attrib(0, 2, 0, 0);
    assert_eq!(get_i32(gl::ELEMENT_ARRAY_BUFFER_BINDING), 0);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u8, 1, 2, 3]);
    gl::BindVertexArray(left);
    gl::DrawElements(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    target.image().expect_rect([0, 0, 4, 8], RED, [0; 4]);
    target.clear([0.0; 4]);
    gl::BindVertexArray(right);
    gl::DrawElements(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_BYTE, std::ptr::null());
    target.image().expect_rect([4, 0, 4, 8], RED, [0; 4]);
}

/// 2.10: ARRAY_BUFFER is context state; an attribute keeps the buffer of its own pointer call.
fn array_buffer_binding_is_not_part_of_it(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0, 0.0, 0.0, 1.0]);
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    let left = buffer(gl::ARRAY_BUFFER, &LEFT);
    vertex_attrib(0, 2, 0, 0);
    let right = buffer(gl::ARRAY_BUFFER, &RIGHT);
    gl::BindVertexArray(gen_vertex_array());
    assert_eq!(get_i32(gl::ARRAY_BUFFER_BINDING), right as i32);
    gl::BindVertexArray(array);
    gl::BindBuffer(gl::ARRAY_BUFFER, 0);
    let mut bound = 0;
    gl::GetVertexAttribiv(0, gl::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &mut bound);
    assert_eq!(bound, left as i32);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_rect([0, 0, 4, 8], RED, [0; 4]);
}

/// 2.9.1 and appendix D: deletion unbinds from the bound vertex array only; a vertex array that is
/// not bound keeps the buffer alive.
fn deleting_a_bound_array_buffer_unbinds_it(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0, 0.0, 0.0, 1.0]);
    let other = gen_vertex_array();
    gl::BindVertexArray(other);
    let shared = buffer(gl::ARRAY_BUFFER, &RIGHT);
    vertex_attrib(0, 2, 0, 0);
    let current = gen_vertex_array();
    gl::BindVertexArray(current);
    vertex_attrib(0, 2, 0, 0);
    gl::DeleteBuffers(1, &shared);
    assert_eq!(get_i32(gl::ARRAY_BUFFER_BINDING), 0);
    let mut bound = -1;
    gl::GetVertexAttribiv(0, gl::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &mut bound);
    assert_eq!(bound, 0, "the bound vertex array lost it");
    gl::BindVertexArray(other);
    gl::GetVertexAttribiv(0, gl::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &mut bound);
    assert_eq!(bound, shared as i32, "the other keeps it");
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_rect([4, 0, 4, 8], RED, [0; 4]);
}

/// A generated name becomes an object when it is first bound.
fn names_and_is(_: &Env) {
    let name = gen_vertex_array();
    assert_eq!(gl::IsVertexArray(name), gl::FALSE);
    gl::BindVertexArray(name);
    assert_eq!(gl::IsVertexArray(name), gl::TRUE);
    assert_eq!(gl::IsVertexArray(0), gl::FALSE);
    gl::BindVertexArray(12345);
    expect_error(gl::INVALID_OPERATION, "a name that was never generated");
    assert_eq!(get_i32(gl::VERTEX_ARRAY_BINDING), name as i32);
    gl::GenVertexArrays(-1, std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "negative count");
}

fn deleting_the_bound_one_binds_zero(_: &Env) {
    let name = gen_vertex_array();
    gl::BindVertexArray(name);
    gl::DeleteVertexArrays(2, [0, name].as_ptr());
    assert_eq!(get_i32(gl::VERTEX_ARRAY_BINDING), 0);
    assert_eq!(gl::IsVertexArray(name), gl::FALSE);
    gl::BindVertexArray(name);
    expect_error(gl::INVALID_OPERATION, "deleted name");
}

/// 6.1.10: what glGetVertexAttrib tells of an attribute.
fn queries(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    let name = buffer(gl::ARRAY_BUFFER, &[0.0_f32; 64]);
    let get = |pname| {
        let mut value = -7;
        gl::GetVertexAttribiv(3, pname, &mut value);
        value
    };
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_ENABLED), 0);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_SIZE), 4);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_TYPE), gl::FLOAT as i32);
    gl::EnableVertexAttribArray(3);
    gl::VertexAttribPointer(3, 3, gl::SHORT, gl::TRUE, 24, 16 as *const _);
    gl::VertexAttribDivisor(3, 2);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_ENABLED), 1);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_SIZE), 3);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_STRIDE), 24);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_TYPE), gl::SHORT as i32);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_NORMALIZED), 1);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_INTEGER), 0);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_DIVISOR), 2);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), name as i32);
    let mut pointer = std::ptr::null_mut();
    gl::GetVertexAttribPointerv(3, gl::VERTEX_ATTRIB_ARRAY_POINTER, &mut pointer);
    assert_eq!(pointer as usize, 16);
    gl::VertexAttribIPointer(3, 2, gl::UNSIGNED_BYTE, 0, std::ptr::null());
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_INTEGER), 1);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_NORMALIZED), 0);
    assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_STRIDE), 0);
}

/// E.2.2: in a core profile there is no default vertex array object.
fn core_profile_needs_one(_: &Env) {
    Target::new(4, 4);
    solid([1.0; 4]);
    gl::BindVertexArray(0);
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    expect_error(gl::INVALID_OPERATION, "draw without vertex array object");
    gl::BindBuffer(gl::ARRAY_BUFFER, gen_buffer());
    gl::VertexAttribPointer(0, 2, gl::FLOAT, gl::FALSE, 0, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "pointer without vertex array object");
    gl::BindVertexArray(gen_vertex_array());
    gl::BindBuffer(gl::ARRAY_BUFFER, 0);
    gl::VertexAttribPointer(0, 2, gl::FLOAT, gl::FALSE, 0, 64 as *const _);
    expect_error(gl::INVALID_OPERATION, "client memory in a core profile");
}
