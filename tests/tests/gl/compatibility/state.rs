//! State of the profile: its queries, its stacks, their errors (GL 4.6 compatibility 12.1.1, 21.4, chapter 23).

use gallite_tests::draw::{expect_error, get_f32s, get_i32};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every compatibility(8, 8): defaults, matrix_stacks, attribute_stack, light_positions_are_in_eye_space,
        current_values, errors;
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
