//! Clearing buffers: GL 3.3 core 4.2.3.

use gallite_tests::draw::{
    Target, buffer, depth_stencil_target, expect_error, expect_near, expect_no_error, gen_vertex_array, quad,
    read_pixels, solid, solid_at_depth, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): colour, scissored, masked, depth_decides_a_draw, values_per_buffer, one_draw_buffer_alone,
        depth_and_stencil_by_value, colours_of_float_buffers_are_not_clamped, depth_is_clamped, masks_of_depth_and_stencil,
        case_24_a_scissor_that_was_disabled, scissors_outside, discard_stops_clears, clears_between_draws,
        a_clear_leaves_the_arrays_of_the_next_draw, many_clears_without_draws;
    every core(3, 3): errors;
}

/// 4.2.3: the clear colour is converted to the buffer's format with rounding: 0.5 is 127.5.
fn colour(_: &Env) {
    let target = Target::new(8, 8);
    target.clear([1.0, 0.2, 0.0, 1.0]);
    target.image().expect_all([255, 51, 0, 255]);
}

/// 4.2.3 and 4.1.2: the scissor test applies to clears.
fn scissored(_: &Env) {
    let target = Target::new(8, 8);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(2, 1, 3, 4);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    gl::Disable(gl::SCISSOR_TEST);
    target.image().expect_rect([2, 1, 3, 4], [0, 255, 0, 255], [0; 4]);
}

/// 4.2.2: masked channels keep their value.
fn masked(_: &Env) {
    let target = Target::new(4, 4);
    target.clear([0.2, 0.2, 0.2, 0.2]);
    gl::ColorMask(gl::TRUE, gl::FALSE, gl::TRUE, gl::FALSE);
    target.clear([1.0; 4]);
    gl::ColorMask(gl::TRUE, gl::TRUE, gl::TRUE, gl::TRUE);
    target.image().expect_all([255, 51, 255, 51]);
}

/// A cleared depth of 0.5 lets a nearer quad through and holds a farther one back.
fn depth_decides_a_draw(_: &Env) {
    let (target, _) = depth_stencil_target(4, 4);
    gl::ClearDepth(0.5);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    solid_at_depth([1.0, 0.0, 0.0, 1.0], 0.5);
    quad();
    target.image().expect_all([0; 4]);
    solid_at_depth([0.0, 1.0, 0.0, 1.0], -0.5);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
}

/// 4.2.3: each kind of buffer has its command.
fn values_per_buffer(_: &Env) {
    let _target = Target::with_format(gl::RGBA32F, 2, 2);
    gl::ClearBufferfv(gl::COLOR, 0, [1.5_f32, -2.0, 0.25, 9.0].as_ptr());
    assert_eq!(read_pixels::<f32>([1, 1, 1, 1], gl::RGBA, gl::FLOAT, 4), [1.5, -2.0, 0.25, 9.0]);
    let _target = Target::with_format(gl::RGBA32I, 2, 2);
    gl::ClearBufferiv(gl::COLOR, 0, [i32::MIN, -1, 7, i32::MAX].as_ptr());
    assert_eq!(read_pixels::<i32>([1, 1, 1, 1], gl::RGBA_INTEGER, gl::INT, 4), [i32::MIN, -1, 7, i32::MAX]);
    let _target = Target::with_format(gl::RGBA32UI, 2, 2);
    gl::ClearBufferuiv(gl::COLOR, 0, [0_u32, 1 << 31, 7, u32::MAX].as_ptr());
    assert_eq!(read_pixels::<u32>([1, 1, 1, 1], gl::RGBA_INTEGER, gl::UNSIGNED_INT, 4), [0, 1 << 31, 7, u32::MAX]);
    expect_no_error("glClearBuffer");
}

fn one_draw_buffer_alone(_: &Env) {
    let first = Target::new(2, 2);
    let second = Target::new(2, 2);
    first.bind();
    let points = [gl::COLOR_ATTACHMENT0, gl::COLOR_ATTACHMENT1];
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, points[1], gl::TEXTURE_2D, second.colour, 0);
    // Draw buffer 0 is attachment 1.
    gl::DrawBuffers(2, [points[1], points[0]].as_ptr());
    gl::ClearBufferfv(gl::COLOR, 0, [1.0_f32, 0.0, 0.0, 1.0].as_ptr());
    first.image().expect_all([0; 4]);
    gl::ReadBuffer(points[1]);
    first.image().expect_all([255, 0, 0, 255]);
    gl::ClearBufferfv(gl::COLOR, 1, [0.0_f32, 1.0, 0.0, 1.0].as_ptr());
    first.image().expect_all([255, 0, 0, 255]);
    gl::ReadBuffer(points[0]);
    first.image().expect_all([0, 255, 0, 255]);
    gl::ClearBufferfv(gl::COLOR, 5, [1.0_f32; 4].as_ptr());
    expect_no_error("a draw buffer without attachment");
}

fn depths() -> Vec<f32> {
    read_pixels([0, 0, 4, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1)
}

fn stencils() -> Vec<u8> {
    read_pixels([0, 0, 4, 1], gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1)
}

fn depth_and_stencil_by_value(_: &Env) {
    let (_target, _) = depth_stencil_target(4, 1);
    gl::ClearBufferfi(gl::DEPTH_STENCIL, 0, 0.5, 0x7f);
    expect_near(&depths(), &[0.5; 4], 1e-6);
    assert_eq!(stencils(), [0x7f; 4]);
    gl::ClearBufferfv(gl::DEPTH, 0, [0.25_f32].as_ptr());
    gl::ClearBufferiv(gl::STENCIL, 0, [0x1_ff03_i32].as_ptr());
    expect_near(&depths(), &[0.25; 4], 1e-6);
    assert_eq!(stencils(), [3; 4], "the low bits that the buffer has");
}

fn colours_of_float_buffers_are_not_clamped(_: &Env) {
    let target = Target::with_format(gl::RGBA16F, 2, 2);
    target.clear([-4.0, 2.0, 0.5, 100.0]);
    assert_eq!(read_pixels::<f32>([0, 0, 1, 1], gl::RGBA, gl::FLOAT, 4), [-4.0, 2.0, 0.5, 100.0]);
    let target = Target::new(2, 2);
    target.clear([-4.0, 2.0, 0.2, 100.0]);
    target.image().expect_all([0, 255, 51, 255]);
}

fn depth_is_clamped(_: &Env) {
    let (_target, _) = depth_stencil_target(4, 1);
    // What isn't a number has no place in the range; any depth of it will do, and 0 is one.
    for (value, expected) in [(-3.0, 0.0), (7.0, 1.0), (f64::NAN, 0.0)] {
        gl::ClearBufferfv(gl::DEPTH, 0, [value as f32].as_ptr());
        expect_near(&depths(), &[expected; 4], 0.0);
        gl::ClearDepth(value);
        gl::Clear(gl::DEPTH_BUFFER_BIT);
        expect_near(&depths(), &[expected; 4], 0.0);
    }
}

fn masks_of_depth_and_stencil(_: &Env) {
    let (_target, _) = depth_stencil_target(4, 1);
    gl::DepthMask(gl::FALSE);
    gl::StencilMask(0x0f);
    gl::ClearDepth(0.0);
    gl::ClearStencil(0xff);
    gl::Clear(gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
    expect_near(&depths(), &[1.0; 4], 0.0);
    assert_eq!(stencils(), [0x0f; 4]);
    gl::StencilMask(0xf0);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(1, 0, 2, 1);
    gl::ClearBufferfi(gl::DEPTH_STENCIL, 0, 0.0, 0x55);
    expect_near(&depths(), &[1.0; 4], 0.0);
    assert_eq!(stencils(), [0x0f, 0x5f, 0x5f, 0x0f]);
}

fn case_24_a_scissor_that_was_disabled(_: &Env) {
    let target = Target::new(8, 8);
    gl::Scissor(2, 2, 1, 1);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Disable(gl::SCISSOR_TEST);
    target.clear([1.0; 4]);
    target.image().expect_all([255; 4]);
}

fn scissors_outside(_: &Env) {
    let target = Target::new(4, 4);
    gl::Enable(gl::SCISSOR_TEST);
    for rect in [[4, 0, 4, 4], [-5, -5, 5, 5], [1, 1, 0, 3], [100, 100, 5, 5]] {
        gl::Scissor(rect[0], rect[1], rect[2], rect[3]);
        target.clear([1.0; 4]);
    }
    target.image().expect_all([0; 4]);
    gl::Scissor(-2, -1, 4, 3);
    target.clear([1.0; 4]);
    target.image().expect_rect([0, 0, 2, 2], [255; 4], [0; 4]);
}

/// 3.1: while RASTERIZER_DISCARD is on clears are ignored.
fn discard_stops_clears(_: &Env) {
    let target = Target::new(2, 2);
    gl::Enable(gl::RASTERIZER_DISCARD);
    target.clear([1.0; 4]);
    gl::ClearBufferfv(gl::COLOR, 0, [1.0_f32; 4].as_ptr());
    gl::Disable(gl::RASTERIZER_DISCARD);
    target.image().expect_all([0; 4]);
}

/// Clears stay where they are in the order of draws.
fn clears_between_draws(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(0, 0, 2, 4);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    gl::Scissor(0, 0, 4, 1);
    solid([0.0, 0.0, 1.0, 1.0]);
    quad();
    gl::Disable(gl::SCISSOR_TEST);
    target.image().expect_each(|x, y| match (x, y) {
        (_, 0) => [0, 0, 255, 255],
        (0..2, _) => [0, 255, 0, 255],
        _ => [255, 0, 0, 255],
    });
}

/// A clear reads no vertex array; the next draw must find its buffers all the same, however often this goes on.
fn a_clear_leaves_the_arrays_of_the_next_draw(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    vertex_attrib(0, 2, 0, 0);
    for _ in 0..3 {
        target.clear([0.0; 4]);
        target.image().expect_all([0; 4]);
        gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        target.image().expect_all([255, 0, 0, 255]);
        gl::ClearBufferfv(gl::COLOR, 0, [0.0_f32, 1.0, 0.0, 1.0].as_ptr());
        gl::DrawArrays(gl::TRIANGLES, 0, 3);
        assert_eq!(target.image().at(0, 0), [255, 0, 0, 255]);
    }
}

fn many_clears_without_draws(_: &Env) {
    let target = Target::new(4, 4);
    for i in 0..200_u8 {
        target.clear([f32::from(i) / 255.0, 0.0, 0.0, 1.0]);
    }
    target.image().expect_all([199, 0, 0, 255]);
}

fn errors(_: &Env) {
    let _target = Target::new(2, 2);
    let value = [0.0_f32; 4];
    gl::Clear(1);
    expect_error(gl::INVALID_VALUE, "mask");
    gl::ClearBufferfv(gl::STENCIL, 0, value.as_ptr());
    expect_error(gl::INVALID_ENUM, "stencil as float");
    gl::ClearBufferiv(gl::DEPTH, 0, [0; 4].as_ptr());
    expect_error(gl::INVALID_ENUM, "depth as integer");
    gl::ClearBufferuiv(gl::STENCIL, 0, [0; 4].as_ptr());
    expect_error(gl::INVALID_ENUM, "stencil as unsigned");
    gl::ClearBufferfi(gl::DEPTH, 0, 0.0, 0);
    expect_error(gl::INVALID_ENUM, "depth alone");
    gl::ClearBufferfv(gl::COLOR, gallite_tests::draw::get_i32(gl::MAX_DRAW_BUFFERS), value.as_ptr());
    expect_error(gl::INVALID_VALUE, "draw buffer past the last");
    gl::ClearBufferfv(gl::COLOR, -1, value.as_ptr());
    expect_error(gl::INVALID_VALUE, "negative draw buffer");
    gl::ClearBufferfv(gl::DEPTH, 1, value.as_ptr());
    expect_error(gl::INVALID_VALUE, "a second depth buffer");
    gl::ClearBufferfi(gl::DEPTH_STENCIL, 1, 0.0, 0);
    expect_error(gl::INVALID_VALUE, "a second depth and stencil buffer");
}
