//! State of the profile: its queries, its stacks, their errors (GL 4.6 compatibility 12.1.1, 21.4, chapter 23).

use super::{BLUE, GREEN, NOTHING, image};
use gallite_tests::draw::{
    Target, buffer, capturing_program, expect_error, expect_no_error, get_f32s, get_i32, program,
};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every compatibility(8, 8): defaults, matrix_stacks, attribute_stack, light_positions_are_in_eye_space,
        current_values, errors, matrices_beside_high_units, buffers_stay_with_their_framebuffer,
        elements_of_nothing;
    render compatibility(8, 8): a_vertex_stage_sizes_points, capture_goes_on_with_other_code;
}

fn defaults(_: &Env) {
    assert_eq!(get_f32s::<4>(old::CURRENT_COLOR), [1.0; 4]);
    assert_eq!(get_i32(old::MATRIX_MODE), old::MODELVIEW as i32);
    assert_eq!(get_i32(0x0D31), 8, "GL_MAX_LIGHTS");
    assert!(get_i32(0x0D36) >= 32, "GL_MAX_MODELVIEW_STACK_DEPTH");
    assert_eq!(get_i32(0x0BA3), 1, "GL_MODELVIEW_STACK_DEPTH");
    assert_eq!(get_f32s::<4>(old::LIGHT_MODEL_AMBIENT), [0.2, 0.2, 0.2, 1.0]);
    assert_eq!(get_i32(gl::CONTEXT_PROFILE_MASK), gl::CONTEXT_COMPATIBILITY_PROFILE_BIT as i32);
    for cap in [old::LIGHTING, old::FOG, old::ALPHA_TEST, gl::TEXTURE_2D, old::LIGHT0, old::NORMALIZE] {
        assert_eq!(gl::IsEnabled(cap), 0, "{cap:#x}");
        gl::Enable(cap);
        assert_eq!(gl::IsEnabled(cap), 1, "{cap:#x}");
        assert_eq!(get_i32(cap), 1, "{cap:#x}");
    }
}

fn matrix_stacks(_: &Env) {
    old::Translatef(1.0, 2.0, 3.0);
    let moved = get_f32s::<16>(old::MODELVIEW_MATRIX);
    assert_eq!(moved[12..], [1.0, 2.0, 3.0, 1.0]);
    old::PushMatrix();
    old::LoadIdentity();
    old::PopMatrix();
    assert_eq!(get_f32s::<16>(old::MODELVIEW_MATRIX), moved);
    old::PopMatrix();
    expect_error(old::STACK_UNDERFLOW, "one matrix left");
    for _ in 1..get_i32(0x0D36) {
        old::PushMatrix();
    }
    assert_eq!(gl::GetError(), gl::NO_ERROR);
    old::PushMatrix();
    expect_error(old::STACK_OVERFLOW, "full");
    old::Frustum(-1.0, 1.0, -1.0, 1.0, 0.0, 1.0);
    expect_error(gl::INVALID_VALUE, "near plane at 0");
    old::MatrixMode(gl::COLOR);
    expect_error(gl::INVALID_ENUM, "colour matrices are of the imaging subset");
}

fn attribute_stack(_: &Env) {
    gl::Enable(gl::BLEND);
    old::Color4f(0.5, 0.0, 0.0, 1.0);
    old::PushAttrib(old::ENABLE_BIT | old::CURRENT_BIT);
    gl::Disable(gl::BLEND);
    gl::Enable(old::LIGHTING);
    gl::Enable(gl::TEXTURE_2D);
    gl::LineWidth(3.0);
    old::Color4f(0.0, 1.0, 0.0, 1.0);
    old::PopAttrib();
    assert_eq!([gl::BLEND, old::LIGHTING, gl::TEXTURE_2D].map(gl::IsEnabled), [1, 0, 0]);
    assert_eq!(get_f32s::<4>(old::CURRENT_COLOR), [0.5, 0.0, 0.0, 1.0]);
    assert_eq!(get_f32s::<1>(gl::LINE_WIDTH), [3.0], "not of a group that was pushed");
    old::PopAttrib();
    expect_error(old::STACK_UNDERFLOW, "empty");
    for _ in 0..get_i32(0x0D35) {
        old::PushAttrib(old::LIGHTING_BIT);
    }
    assert_eq!(gl::GetError(), gl::NO_ERROR);
    old::PushAttrib(old::LIGHTING_BIT);
    expect_error(old::STACK_OVERFLOW, "full");
}

fn light_positions_are_in_eye_space(_: &Env) {
    old::Translatef(1.0, 0.0, 0.0);
    old::Lightfv(old::LIGHT0, old::POSITION, [1.0, 2.0, 3.0, 1.0].as_ptr());
    old::LoadIdentity();
    let mut position = [0.0; 4];
    old::GetLightfv(old::LIGHT0, old::POSITION, position.as_mut_ptr());
    assert_eq!(position, [2.0, 2.0, 3.0, 1.0]);
}

fn current_values(_: &Env) {
    old::Color4ub(255, 0, 51, 255);
    assert_eq!(get_f32s::<4>(old::CURRENT_COLOR), [1.0, 0.0, 0.2, 1.0]);
    let mut ints = [0; 4];
    gl::GetIntegerv(old::CURRENT_COLOR, ints.as_mut_ptr());
    assert_eq!((ints[0], ints[1]), (i32::MAX, 0));
    old::Normal3f(0.0, 1.0, 0.0);
    assert_eq!(get_f32s::<3>(0x0B02), [0.0, 1.0, 0.0]);
    old::MultiTexCoord2f(gl::TEXTURE0, 3.0, 4.0);
    assert_eq!(get_f32s::<4>(0x0B03), [3.0, 4.0, 0.0, 1.0]);
}

fn errors(_: &Env) {
    old::Lightfv(old::LIGHT0 + 8, old::POSITION, [0.0; 4].as_ptr());
    expect_error(gl::INVALID_ENUM, "light");
    old::ShadeModel(1);
    expect_error(gl::INVALID_ENUM, "shade model");
    old::AlphaFunc(0, 0.5);
    expect_error(gl::INVALID_ENUM, "alpha function");
    old::Fogf(old::FOG_DENSITY, -1.0);
    expect_error(gl::INVALID_VALUE, "density");
    old::TexEnvi(old::TEXTURE_ENV, old::TEXTURE_ENV_MODE, 1);
    expect_error(gl::INVALID_ENUM, "mode");
    old::MatrixMode(0);
    expect_error(gl::INVALID_ENUM, "matrix mode");
    old::MultiTexCoord2f(gl::TEXTURE0 + 8, 0.0, 0.0);
    expect_error(gl::INVALID_ENUM, "unit");
    old::ColorMaterial(gl::FRONT, old::POSITION);
    expect_error(gl::INVALID_ENUM, "colour material");
}

/// Units above those of fixed function have no texture matrix, and change nothing about other matrices.
fn matrices_beside_high_units(_: &Env) {
    old::Translatef(4.0, 0.0, 0.0);
    gl::ActiveTexture(gl::TEXTURE0 + 12);
    assert_eq!(get_f32s::<16>(old::MODELVIEW_MATRIX)[12], 4.0);
    assert_eq!(get_i32(old::MATRIX_MODE), old::MODELVIEW as i32);
    expect_no_error("matrices beside a high unit");
}

/// 21.6: draw and read buffers are state of a framebuffer; another one's names mean nothing here.
fn buffers_stay_with_their_framebuffer(_: &Env) {
    let (draw, read) = (get_i32(gl::DRAW_BUFFER), get_i32(gl::READ_BUFFER));
    let target = Target::new(4, 4);
    target.bind();
    old::PushAttrib(0xFFFF_FFFF);
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    old::PopAttrib();
    assert_eq!((get_i32(gl::DRAW_BUFFER), get_i32(gl::READ_BUFFER)), (draw, read));
    old::PushAttrib(0xFFFF_FFFF);
    gl::DrawBuffer(gl::NONE);
    old::PopAttrib();
    assert_eq!(get_i32(gl::DRAW_BUFFER), draw);
}

/// An array whose buffer is gone has no elements, whatever its pointer was.
fn elements_of_nothing(_: &Env) {
    let gone = buffer(gl::ARRAY_BUFFER, &[1.0f32; 64]);
    old::ColorPointer(4, gl::FLOAT, 0, std::ptr::null());
    old::EnableClientState(old::COLOR_ARRAY);
    gl::DeleteBuffers(1, &gone);
    old::Begin(gl::POINTS);
    old::ArrayElement(1000);
    old::End();
    expect_no_error("an element of an array without memory");
}

/// 14.4: with GL_PROGRAM_POINT_SIZE the vertex stage in use decides, whatever drew before.
fn a_vertex_stage_sizes_points(_: &Env) {
    gl::Enable(gl::PROGRAM_POINT_SIZE);
    let point = || {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        old::Begin(gl::POINTS);
        old::Vertex2f(0.0, 0.0);
        old::End();
    };
    old::Color3f(0.0, 0.0, 1.0);
    gl::PointSize(2.0);
    point();
    image().expect_rect([3, 3, 2, 2], BLUE, NOTHING);
    program(
        "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_PointSize = 6.0; }",
        "#version 120\nvoid main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }",
    )
    .bind();
    point();
    image().expect_rect([1, 1, 6, 6], GREEN, NOTHING);
    gl::UseProgram(0);
    point();
    image().expect_rect([3, 3, 2, 2], BLUE, NOTHING);
}

/// 13.3.2: the program that captures stays the same one when other state asks for other code of it.
fn capture_goes_on_with_other_code(_: &Env) {
    let vertex = "#version 130\nout float value; void main() { gl_Position = gl_Vertex; value = gl_Vertex.x; }";
    let captures = capturing_program(vertex, &["value"], gl::INTERLEAVED_ATTRIBS);
    captures.bind();
    let into = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0.0f32; 4]);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, into);
    gl::Enable(gl::RASTERIZER_DISCARD);
    let point = |x: f32| {
        old::Begin(gl::POINTS);
        old::Vertex2f(x, 0.0);
        old::End();
    };
    gl::BeginTransformFeedback(gl::POINTS);
    gl::Enable(old::ALPHA_TEST);
    old::AlphaFunc(gl::GREATER, 0.5);
    point(0.25);
    gl::PauseTransformFeedback();
    gl::ResumeTransformFeedback();
    expect_no_error("resumed with the same program");
    point(0.5);
    gl::LinkProgram(captures.0);
    expect_error(gl::INVALID_OPERATION, "linking what captures");
    gl::EndTransformFeedback();
    let mut got = [0.0f32; 2];
    gl::GetBufferSubData(gl::TRANSFORM_FEEDBACK_BUFFER, 0, 8, got.as_mut_ptr().cast());
    assert_eq!(got, [0.25, 0.5]);
}
