//! Framebuffers without attachments: GL 4.6 core 9.2.1 and 9.4.2.

use gallite_tests::draw::{
    expect_error, expect_no_error, framebuffer_status, gen_framebuffer, gen_query, get_i32, quad, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): fragments_without_attachments, samples_without_attachments;
    every core(3, 3): completeness, parameters;
}

fn parameter(name: u32) -> i32 {
    let mut value = -1;
    gl::GetFramebufferParameteriv(gl::DRAW_FRAMEBUFFER, name, &mut value);
    value
}

fn empty(width: i32, height: i32) {
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_WIDTH, width);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_HEIGHT, height);
}

/// Samples that a quad over everything passes.
fn passed() -> u32 {
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    quad();
    gl::EndQuery(gl::SAMPLES_PASSED);
    let mut count = u32::MAX;
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut count);
    count
}

fn fragments_without_attachments(_: &Env) {
    empty(7, 5);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 100, 100);
    solid([1.0; 4]);
    assert_eq!(passed(), 35);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_WIDTH, 3);
    assert_eq!(passed(), 15, "the size follows");
    expect_no_error("draws without attachments");
}

fn samples_without_attachments(_: &Env) {
    empty(4, 4);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_SAMPLES, 4);
    assert_eq!(parameter(gl::FRAMEBUFFER_DEFAULT_SAMPLES), 4);
    assert_eq!((parameter(gl::SAMPLES), parameter(gl::SAMPLE_BUFFERS)), (4, 1));
    assert_eq!((get_i32(gl::SAMPLES), get_i32(gl::SAMPLE_BUFFERS)), (4, 1));
    gl::Viewport(0, 0, 4, 4);
    solid([1.0; 4]);
    assert_eq!(passed(), 64);
}

fn completeness(_: &Env) {
    empty(0, 5);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_WIDTH, 1);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
}

fn parameters(_: &Env) {
    empty(3, 5);
    assert_eq!(parameter(gl::FRAMEBUFFER_DEFAULT_WIDTH), 3);
    assert_eq!(parameter(gl::FRAMEBUFFER_DEFAULT_HEIGHT), 5);
    assert_eq!(parameter(gl::FRAMEBUFFER_DEFAULT_LAYERS), 0);
    assert_eq!(parameter(gl::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS), 0);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS, 1);
    assert_eq!(parameter(gl::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS), 1);
    assert_eq!(parameter(gl::DOUBLEBUFFER), 0);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_WIDTH, -1);
    expect_error(gl::INVALID_VALUE, "a negative width");
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_HEIGHT, i32::MAX);
    expect_error(gl::INVALID_VALUE, "a huge height");
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::TEXTURE_2D, 1);
    expect_error(gl::INVALID_ENUM, "no parameter");
    gl::FramebufferParameteri(gl::TEXTURE_2D, gl::FRAMEBUFFER_DEFAULT_WIDTH, 1);
    expect_error(gl::INVALID_ENUM, "no target");
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    gl::FramebufferParameteri(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_WIDTH, 1);
    expect_error(gl::INVALID_OPERATION, "the default framebuffer");
    let mut value = -1;
    gl::GetFramebufferParameteriv(gl::FRAMEBUFFER, gl::FRAMEBUFFER_DEFAULT_WIDTH, &mut value);
    expect_error(gl::INVALID_OPERATION, "a query of the default framebuffer");
}
