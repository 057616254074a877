//! glClipControl: GL 4.6 core 13.7 and 14.6.1.

use gallite_tests::draw::{Target, expect_error, get_i32, quad, rect, solid, solid_at_depth};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): an_upper_left_origin_mirrors, facing_stays, depth_from_zero_to_one;
    every core(3, 3): state_and_errors;
}

const RED: [u8; 4] = [255, 0, 0, 255];
const NONE: [u8; 4] = [0, 0, 0, 0];

fn an_upper_left_origin_mirrors(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::ClipControl(gl::UPPER_LEFT, gl::NEGATIVE_ONE_TO_ONE);
    rect(-1.0, -1.0, 1.0, -0.5);
    target.image().expect_rect([0, 3, 4, 1], RED, NONE);
    gl::ClipControl(gl::LOWER_LEFT, gl::NEGATIVE_ONE_TO_ONE);
    target.clear([0.0; 4]);
    rect(-1.0, -1.0, 1.0, -0.5);
    target.image().expect_rect([0, 0, 4, 1], RED, NONE);
}

/// The mirrored triangle keeps the facing it had.
fn facing_stays(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::Enable(gl::CULL_FACE);
    let painted = |origin, face| {
        gl::ClipControl(origin, gl::NEGATIVE_ONE_TO_ONE);
        gl::CullFace(face);
        target.clear([0.0; 4]);
        quad();
        target.image().count(RED)
    };
    let (lower, upper) = (gl::LOWER_LEFT, gl::UPPER_LEFT);
    assert_eq!((painted(lower, gl::BACK), painted(lower, gl::FRONT)), (16, 0));
    assert_eq!((painted(upper, gl::BACK), painted(upper, gl::FRONT)), (16, 0));
}

fn depth_from_zero_to_one(_: &Env) {
    let target = Target::new(2, 2);
    gl::ClipControl(gl::LOWER_LEFT, gl::ZERO_TO_ONE);
    solid_at_depth([1.0, 0.0, 0.0, 1.0], -0.5);
    quad();
    target.image().expect_all(NONE);
    gl::ClipControl(gl::LOWER_LEFT, gl::NEGATIVE_ONE_TO_ONE);
    quad();
    target.image().expect_all(RED);
    // The stored depth is the clip depth itself.
    let (target, depth) = gallite_tests::draw::depth_stencil_target(2, 2);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    gl::ClipControl(gl::LOWER_LEFT, gl::ZERO_TO_ONE);
    solid_at_depth([1.0, 0.0, 0.0, 1.0], 0.25);
    quad();
    let mut stored = [0.0_f32; 4];
    gl::ReadPixels(0, 0, 2, 2, gl::DEPTH_COMPONENT, gl::FLOAT, stored.as_mut_ptr().cast());
    assert!(stored.iter().all(|d| (d - 0.25).abs() < 1e-6), "{stored:?}");
    assert!(depth != 0 && target.framebuffer != 0);
}

fn state_and_errors(_: &Env) {
    assert_eq!(get_i32(gl::CLIP_ORIGIN), gl::LOWER_LEFT as i32);
    assert_eq!(get_i32(gl::CLIP_DEPTH_MODE), gl::NEGATIVE_ONE_TO_ONE as i32);
    gl::ClipControl(gl::UPPER_LEFT, gl::ZERO_TO_ONE);
    assert_eq!(get_i32(gl::CLIP_ORIGIN), gl::UPPER_LEFT as i32);
    assert_eq!(get_i32(gl::CLIP_DEPTH_MODE), gl::ZERO_TO_ONE as i32);
    gl::ClipControl(gl::UPPER_LEFT, gl::UPPER_LEFT);
    expect_error(gl::INVALID_ENUM, "no depth mode");
    gl::ClipControl(gl::ZERO_TO_ONE, gl::ZERO_TO_ONE);
    expect_error(gl::INVALID_ENUM, "no origin");
    assert_eq!(get_i32(gl::CLIP_ORIGIN), gl::UPPER_LEFT as i32, "errors leave it");
}
