//! Clearing buffers: GL 3.3 core 4.2.3.

use gallite_tests::draw::{Target, depth_stencil_target, quad, solid_at_depth};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): colour, scissored, masked, depth_decides_a_draw;
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
