//! glBegin and glEnd: GL 4.6 compatibility 10.7.

use super::{GREEN, LEFT, NOTHING, RED, WHITE, image};
use gallite_tests::draw::{buffer, expect_error, gen_vertex_array, program, vertex_attrib};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render compatibility(8, 8): quads, strips_and_polygons, rectangles, attributes_set_late, case_18_immediate_mode_beside_vertex_arrays,
        flat_quads_take_the_last_vertex, generic_attribute_zero_is_the_position;
    every compatibility(8, 8): errors_between_begin_and_end;
    every core(3, 3): core_has_none_of_it;
}

fn quads(_: &Env) {
    old::Color3f(1.0, 0.0, 0.0);
    old::Begin(old::QUADS);
    LEFT.iter().for_each(|[x, y]| old::Vertex2f(*x, *y));
    // A quad that is not whole draws nothing.
    [[0.0, -1.0], [1.0, -1.0], [1.0, 1.0]].iter().for_each(|[x, y]| old::Vertex2f(*x, *y));
    old::End();
    image().expect_rect([0, 0, 4, 8], RED, NOTHING);
}

/// 10.1.8 to 10.1.10.
fn strips_and_polygons(_: &Env) {
    old::Color3f(0.0, 1.0, 0.0);
    old::Begin(old::QUAD_STRIP);
    for x in [-1.0, 0.0, 0.5] {
        old::Vertex2f(x, -1.0);
        old::Vertex2f(x, 1.0);
    }
    old::End();
    image().expect_rect([0, 0, 6, 8], GREEN, NOTHING);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    old::Begin(old::POLYGON);
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]] {
        old::Vertex2f(x, y);
    }
    old::End();
    image().expect_rect([0, 0, 8, 4], GREEN, NOTHING);
}

fn rectangles(_: &Env) {
    old::Rectf(-0.5, -0.5, 0.5, 0.5);
    image().expect_rect([2, 2, 4, 4], WHITE, NOTHING);
}

/// Vertices before the first change of an attribute have the value of before glBegin.
fn attributes_set_late(_: &Env) {
    old::Color3f(0.0, 1.0, 0.0);
    old::Begin(gl::POINTS);
    old::Vertex2f(-0.875, -0.875);
    old::Color3f(1.0, 0.0, 0.0);
    old::Vertex2f(0.875, 0.875);
    old::End();
    let image = image();
    image.expect(0, 0, GREEN);
    image.expect(7, 7, RED);
    assert_eq!(image.count(NOTHING), 62);
}

/// A draw of a vertex array, one of immediate mode with it bound, the first again.
fn case_18_immediate_mode_beside_vertex_arrays(_: &Env) {
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    buffer(gl::ARRAY_BUFFER, &LEFT);
    vertex_attrib(0, 2, 0, 0);
    let draw = || {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        gl::DrawArrays(gl::TRIANGLE_FAN, 0, 4);
        image().expect_rect([0, 0, 4, 8], WHITE, NOTHING);
    };
    draw();
    gl::Clear(gl::COLOR_BUFFER_BIT);
    old::Rectf(0.0, -1.0, 1.0, 1.0);
    image().expect_rect([4, 0, 4, 8], WHITE, NOTHING);
    draw();
}

/// Table 13.2: the provoking vertex of a quad is its last, of a polygon its first.
fn flat_quads_take_the_last_vertex(_: &Env) {
    old::ShadeModel(old::FLAT);
    let colours = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let draw = |mode| {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        old::Begin(mode);
        for ([x, y], [r, g, b]) in LEFT.iter().zip(colours) {
            old::Color3f(r, g, b);
            old::Vertex2f(*x, *y);
        }
        old::End();
        image()
    };
    draw(old::QUADS).expect_rect([0, 0, 4, 8], GREEN, NOTHING);
    draw(old::POLYGON).expect_rect([0, 0, 4, 8], RED, NOTHING);
}

/// 10.7.2: glVertexAttrib of index 0 makes a vertex, and glVertex feeds generic attribute 0.
fn generic_attribute_zero_is_the_position(_: &Env) {
    let named = program(
        "#version 120\nattribute vec4 p; void main() { gl_Position = p; }",
        "#version 120\nvoid main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }",
    );
    named.bind();
    assert_eq!(named.attribute("p"), 0);
    old::Begin(old::QUADS);
    LEFT.iter().for_each(|[x, y]| old::Vertex2f(*x, *y));
    old::End();
    image().expect_rect([0, 0, 4, 8], RED, NOTHING);
    gl::UseProgram(0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    old::Begin(old::QUADS);
    LEFT.iter().for_each(|[x, y]| gl::VertexAttrib2f(0, *x, *y));
    old::End();
    image().expect_rect([0, 0, 4, 8], WHITE, NOTHING);
}

/// 10.7.1: commands that make no vertices are INVALID_OPERATION there and do nothing.
fn errors_between_begin_and_end(_: &Env) {
    old::End();
    expect_error(gl::INVALID_OPERATION, "glEnd alone");
    old::Begin(0x1234);
    expect_error(gl::INVALID_ENUM, "mode");
    old::Begin(gl::TRIANGLES);
    gl::Enable(gl::BLEND);
    old::End();
    expect_error(gl::INVALID_OPERATION, "glEnable in a primitive");
    assert_eq!(gl::IsEnabled(gl::BLEND), 0);
    old::Begin(gl::TRIANGLES);
    old::Begin(gl::TRIANGLES);
    old::End();
    expect_error(gl::INVALID_OPERATION, "glBegin in a primitive");
    old::Begin(gl::TRIANGLES);
    assert_eq!(gl::GetError(), 0);
    old::End();
    expect_error(gl::INVALID_OPERATION, "glGetError in a primitive");
}

fn core_has_none_of_it(_: &Env) {
    old::Begin(gl::TRIANGLES);
    expect_error(gl::INVALID_OPERATION, "glBegin");
    old::Color3f(1.0, 0.0, 0.0);
    expect_error(gl::INVALID_OPERATION, "glColor3f");
    old::LoadIdentity();
    expect_error(gl::INVALID_OPERATION, "glLoadIdentity");
    gl::Enable(old::LIGHTING);
    expect_error(gl::INVALID_ENUM, "GL_LIGHTING");
    gl::BindVertexArray(gen_vertex_array());
    gl::DrawArrays(old::QUADS, 0, 4);
    expect_error(gl::INVALID_ENUM, "GL_QUADS");
}
