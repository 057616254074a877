//! Scissor, stencil and depth tests: GL 3.3 core 4.1.2, 4.1.4 and 4.1.5.

use gallite_tests::draw::{
    Target, depth_stencil_target, expect_error, get_i32, get_i32s, quad, read_pixels, rect, solid, solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): every_depth_function, depth_mask, depth_test_off_writes_no_depth, depth_range_maps_and_reverses,
        every_stencil_function, every_stencil_operation, stencil_sides_are_apart, stencil_masks,
        stencil_counts_overdraw, scissor, scissor_outside_and_empty, case_24_scissor_test_switched_off,
        tests_pass_without_their_buffers, stencil_reference_is_clamped;
    every core(3, 3): state_and_errors;
}

const FUNCTIONS: [(u32, fn(i32, i32) -> bool); 8] = [
    (gl::NEVER, |_, _| false),
    (gl::ALWAYS, |_, _| true),
    (gl::LESS, |a, b| a < b),
    (gl::LEQUAL, |a, b| a <= b),
    (gl::EQUAL, |a, b| a == b),
    (gl::GEQUAL, |a, b| a >= b),
    (gl::GREATER, |a, b| a > b),
    (gl::NOTEQUAL, |a, b| a != b),
];

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

fn is_red(target: &Target) -> bool {
    let image = target.image();
    let pixel = image.at(0, 0);
    image.expect_all(pixel);
    pixel == [255, 0, 0, 255]
}

/// 4.1.5: the fragment's depth is compared with the buffer's.
fn every_depth_function(_: &Env) {
    let (target, _) = depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    gl::ClearDepth(0.5);
    for (name, passes) in FUNCTIONS {
        gl::DepthFunc(name);
        for (at, z) in [(-1, -0.5), (0, 0.0), (1, 0.5)] {
            target.clear([0.0; 4]);
            gl::Clear(gl::DEPTH_BUFFER_BIT);
            solid_at_depth(RED, z);
            quad();
            assert_eq!(is_red(&target), passes(at, 0), "function {name:#x} at {z}");
        }
    }
}

fn depth_at() -> f32 {
    read_pixels::<f32>([0, 0, 1, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1)[0]
}

fn depth_mask(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthMask(gl::FALSE);
    solid_at_depth(RED, -1.0);
    quad();
    assert_eq!(depth_at(), 1.0);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    gl::ClearDepth(0.25);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    assert_eq!(depth_at(), 1.0, "clears obey the mask");
    gl::DepthMask(gl::TRUE);
    quad();
    assert_eq!(depth_at(), 0.0);
}

/// 4.1.5: while the test is disabled the buffer is not written either.
fn depth_test_off_writes_no_depth(_: &Env) {
    depth_stencil_target(4, 4);
    solid_at_depth(RED, -1.0);
    quad();
    assert_eq!(depth_at(), 1.0);
}

/// 2.13.1: z from -1 to 1 maps to near to far.
fn depth_range_maps_and_reverses(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    for (near, far) in [(0.0, 1.0), (0.25, 0.75), (1.0, 0.0), (0.5, 0.5), (-3.0, 5.0)] {
        gl::DepthRange(near, far);
        let (near, far) = (near.clamp(0.0, 1.0) as f32, far.clamp(0.0, 1.0) as f32);
        for z in [-1.0, -0.5, 0.0, 1.0] {
            solid_at_depth(RED, z);
            quad();
            let expected = (far - near) / 2.0 * z + (far + near) / 2.0;
            let got = depth_at();
            assert!((got - expected).abs() < 2e-7 + 1.0 / (1 << 23) as f32, "{near} {far} {z}: {got}, not {expected}");
        }
    }
}

fn stencil_at() -> u8 {
    read_pixels::<u8>([0, 0, 1, 1], gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1)[0]
}

fn clear_stencil(value: i32) {
    gl::ClearStencil(value);
    gl::Clear(gl::STENCIL_BUFFER_BIT | gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
}

/// 4.1.4: (reference & mask) compared with (stored & mask).
fn every_stencil_function(_: &Env) {
    let (target, _) = depth_stencil_target(4, 4);
    gl::Enable(gl::STENCIL_TEST);
    solid(RED);
    for (name, passes) in FUNCTIONS {
        for (reference, mask) in [(4, 0xff), (5, 0xff), (6, 0xff), (0x15, 0x0f), (0x16, 0x0f)] {
            clear_stencil(5);
            gl::StencilFunc(name, reference, mask);
            quad();
            let expected = passes(reference & mask as i32, 5 & mask as i32);
            assert_eq!(is_red(&target), expected, "function {name:#x}, reference {reference}, mask {mask:#x}");
        }
    }
}

/// Each operation for each of the three outcomes.
fn every_stencil_operation(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::STENCIL_TEST);
    gl::Enable(gl::DEPTH_TEST);
    let operations: [(u32, fn(u8, u8) -> u8); 8] = [
        (gl::KEEP, |s, _| s),
        (gl::ZERO, |_, _| 0),
        (gl::REPLACE, |_, r| r),
        (gl::INCR, |s, _| s.saturating_add(1)),
        (gl::DECR, |s, _| s.saturating_sub(1)),
        (gl::INVERT, |s, _| !s),
        (gl::INCR_WRAP, |s, _| s.wrapping_add(1)),
        (gl::DECR_WRAP, |s, _| s.wrapping_sub(1)),
    ];
    for (name, operation) in operations {
        for stored in [0_u8, 7, 255] {
            for outcome in 0..3 {
                clear_stencil(stored.into());
                gl::StencilFunc(if outcome == 0 { gl::NEVER } else { gl::ALWAYS }, 0x42, 0xff);
                gl::DepthFunc(if outcome == 1 { gl::NEVER } else { gl::ALWAYS });
                let of = |at| if at == outcome { name } else { gl::KEEP };
                gl::StencilOp(of(0), of(1), of(2));
                solid(RED);
                quad();
                assert_eq!(stencil_at(), operation(stored, 0x42), "{name:#x} of {stored}, outcome {outcome}");
            }
        }
    }
}

/// 4.1.4: front and back faces have a state each; points and lines are front.
fn stencil_sides_are_apart(_: &Env) {
    depth_stencil_target(8, 8);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilFunc(gl::ALWAYS, 9, 0xff);
    gl::StencilFuncSeparate(gl::BACK, gl::ALWAYS, 3, 0xff);
    gl::StencilOpSeparate(gl::FRONT, gl::KEEP, gl::KEEP, gl::REPLACE);
    gl::StencilOpSeparate(gl::BACK, gl::KEEP, gl::KEEP, gl::REPLACE);
    solid(RED);
    quad();
    assert_eq!(stencil_at(), 9);
    gl::FrontFace(gl::CW);
    quad();
    assert_eq!(stencil_at(), 3);
    gl::StencilMaskSeparate(gl::BACK, 0x01);
    clear_stencil(0);
    quad();
    assert_eq!(stencil_at(), 1, "the back mask");
    assert_eq!(get_i32(gl::STENCIL_WRITEMASK) as u32 & 0xff, 0xff);
    assert_eq!(get_i32(gl::STENCIL_BACK_WRITEMASK), 1);
    assert_eq!((get_i32(gl::STENCIL_REF), get_i32(gl::STENCIL_BACK_REF)), (9, 3));
}

fn stencil_masks(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilFunc(gl::ALWAYS, 0xff, 0xff);
    gl::StencilOp(gl::KEEP, gl::KEEP, gl::REPLACE);
    clear_stencil(0x0f);
    gl::StencilMask(0xc3);
    solid(RED);
    quad();
    assert_eq!(stencil_at(), 0xcf);
    gl::StencilMask(0x0f);
    clear_stencil(0x30);
    assert_eq!(stencil_at(), 0xc0, "clears obey the front mask");
    gl::Disable(gl::STENCIL_TEST);
    gl::StencilMask(0xff);
    quad();
    assert_eq!(stencil_at(), 0xc0, "nothing is written while the test is off");
}

fn stencil_counts_overdraw(_: &Env) {
    depth_stencil_target(8, 8);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilFunc(gl::ALWAYS, 0, 0xff);
    gl::StencilOp(gl::KEEP, gl::KEEP, gl::INCR);
    solid(RED);
    quad();
    rect(-1.0, -1.0, 0.0, 1.0);
    rect(-1.0, -1.0, 1.0, 0.0);
    let got = read_pixels::<u8>([0, 0, 8, 8], gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1);
    for (at, value) in got.iter().enumerate() {
        let expected = 1 + u8::from(at % 8 < 4) + u8::from(at / 8 < 4);
        assert_eq!(*value, expected, "pixel {at}");
    }
}

/// 4.1.4: the reference is clamped to the range of the buffer's values.
fn stencil_reference_is_clamped(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilOp(gl::KEEP, gl::KEEP, gl::REPLACE);
    solid(RED);
    for (reference, stored) in [(300, 255), (-5, 0), (77, 77)] {
        gl::StencilFunc(gl::ALWAYS, reference, 0xff);
        quad();
        assert_eq!(stencil_at(), stored, "reference {reference}");
    }
}

const GREEN: [u8; 4] = [0, 255, 0, 255];

fn scissor(_: &Env) {
    let target = Target::new(16, 8);
    solid([0.0, 1.0, 0.0, 1.0]);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(3, 1, 6, 4);
    quad();
    target.image().expect_rect([3, 1, 6, 4], GREEN, [0; 4]);
}

fn scissor_outside_and_empty(_: &Env) {
    let target = Target::new(8, 8);
    solid([0.0, 1.0, 0.0, 1.0]);
    gl::Enable(gl::SCISSOR_TEST);
    for rectangle in [[20, 20, 4, 4], [-9, -9, 5, 5], [2, 2, 0, 4], [2, 2, 4, 0], [i32::MAX - 2, 0, 8, 8]] {
        let [x, y, w, h] = rectangle;
        gl::Scissor(x, y, w, h);
        quad();
        target.image().expect_all([0; 4]);
    }
    gl::Scissor(-4, -4, 6, i32::MAX);
    quad();
    target.image().expect_rect([0, 0, 2, 8], GREEN, [0; 4]);
}

fn case_24_scissor_test_switched_off(_: &Env) {
    let target = Target::new(8, 8);
    gl::Scissor(2, 2, 3, 3);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Disable(gl::SCISSOR_TEST);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    target.image().expect_all(GREEN);
    gl::Enable(gl::SCISSOR_TEST);
    target.clear([0.0; 4]);
    gl::Disable(gl::SCISSOR_TEST);
    target.image().expect_rect([2, 2, 3, 3], [0; 4], GREEN);
}

/// 4.1.4, 4.1.5: without the buffer the test always passes.
fn tests_pass_without_their_buffers(_: &Env) {
    let target = Target::new(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::NEVER);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilFunc(gl::NEVER, 0, 0xff);
    solid(RED);
    quad();
    assert!(is_red(&target));
}

fn state_and_errors(_: &Env) {
    depth_stencil_target(4, 4);
    gl::DepthFunc(gl::ONE);
    expect_error(gl::INVALID_ENUM, "depth function");
    gl::StencilFunc(gl::KEEP, 0, 0);
    expect_error(gl::INVALID_ENUM, "stencil function");
    gl::StencilFuncSeparate(gl::LEFT, gl::ALWAYS, 0, 0);
    expect_error(gl::INVALID_ENUM, "face");
    gl::StencilOp(gl::KEEP, gl::ALWAYS, gl::KEEP);
    expect_error(gl::INVALID_ENUM, "stencil operation");
    gl::StencilMaskSeparate(gl::NONE, 1);
    expect_error(gl::INVALID_ENUM, "face");
    gl::Scissor(0, 0, -1, 1);
    expect_error(gl::INVALID_VALUE, "negative width");
    gl::Scissor(1, 2, 3, 4);
    assert_eq!(get_i32s(gl::SCISSOR_BOX), [1, 2, 3, 4]);
    gl::StencilFunc(gl::GREATER, 7, 0x55);
    gl::StencilOp(gl::INCR, gl::INVERT, gl::ZERO);
    for (name, value) in [
        (gl::STENCIL_FUNC, gl::GREATER as i32),
        (gl::STENCIL_BACK_FUNC, gl::GREATER as i32),
        (gl::STENCIL_REF, 7),
        (gl::STENCIL_VALUE_MASK, 0x55),
        (gl::STENCIL_FAIL, gl::INCR as i32),
        (gl::STENCIL_PASS_DEPTH_FAIL, gl::INVERT as i32),
        (gl::STENCIL_BACK_PASS_DEPTH_PASS, gl::ZERO as i32),
    ] {
        assert_eq!(get_i32(name), value, "{name:#x}");
    }
}
