//! `glCopyTexImage*` and `glCopyTexSubImage*`: GL 3.3 core 3.8.3 and 3.8.4.

use super::{level_parameter, lookup, nearest, texture_image};
use gallite_tests::draw::{
    Target, depth_stencil_target, expect_error, expect_near, expect_no_error, quad, solid, solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): whole_images, parts, rows_of_1d_targets, components_are_dropped, formats_convert,
        outside_of_the_framebuffer_nothing_changes, faces_and_layers, depth_is_copied, integers_are_copied,
        srgb_values_are_copied_as_stored, pbuffers_too;
    every core(3, 3): errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

/// A 4 x 4 target whose pixel (x, y) is (x * 10, y * 10, 200, 100).
fn gradient() -> (Target, impl Fn(i32, i32) -> [u8; 4]) {
    let target = Target::new(4, 4);
    gl::Enable(gl::SCISSOR_TEST);
    for y in 0..4 {
        for x in 0..4 {
            gl::Scissor(x, y, 1, 1);
            target.clear([x as f32 * 10.0 / 255.0, y as f32 * 10.0 / 255.0, 200.0 / 255.0, 100.0 / 255.0]);
        }
    }
    gl::Disable(gl::SCISSOR_TEST);
    (target, |x, y| [x as u8 * 10, y as u8 * 10, 200, 100])
}

fn whole_images(_: &Env) {
    let (_target, pixel) = gradient();
    nearest(gl::TEXTURE_2D);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 3, 2, 0);
    expect_no_error("glCopyTexImage2D");
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_WIDTH), 3);
    assert_eq!(level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_INTERNAL_FORMAT), gl::RGBA8 as i32);
    let expected: Vec<_> = (0..6).map(|i| pixel(1 + i % 3, 1 + i / 3)).collect();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 6), expected);
    let first = pixel(1, 1).map(|v| f32::from(v) / 255.0);
    expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(0), 0)"), &first, 1e-5);
}

fn parts(_: &Env) {
    let (_target, pixel) = gradient();
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, [[9_u8; 4]; 16].as_ptr().cast());
    gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 2, 1, 0, 2, 2, 2);
    let inside = |x: i32, y: i32| (2..4).contains(&x) && (1..3).contains(&y);
    let at = |i: i32| {
        let (x, y) = (i % 4, i / 4);
        if inside(x, y) { pixel(x - 2, y + 1) } else { [9; 4] }
    };
    let expected: Vec<_> = (0..16).map(at).collect();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16), expected);
}

fn rows_of_1d_targets(_: &Env) {
    let (_target, pixel) = gradient();
    nearest(gl::TEXTURE_1D);
    gl::CopyTexImage1D(gl::TEXTURE_1D, 0, gl::RGBA8, 0, 3, 4, 0);
    let expected: Vec<_> = (0..4).map(|x| pixel(x, 3)).collect();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_1D, 0, gl::RGBA, BYTE, 4), expected);
    gl::CopyTexSubImage1D(gl::TEXTURE_1D, 0, 1, 2, 0, 2);
    let expected = [pixel(0, 3), pixel(2, 0), pixel(3, 0), pixel(3, 3)];
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_1D, 0, gl::RGBA, BYTE, 4), expected);
    // Rows of the framebuffer become layers of a 1D array.
    nearest(gl::TEXTURE_1D_ARRAY);
    gl::CopyTexImage2D(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA8, 1, 0, 2, 3, 0);
    let expected: Vec<_> = (0..6).map(|i| pixel(1 + i % 2, i / 2)).collect();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA, BYTE, 6), expected);
}

/// Table 3.17: a destination without alpha reads 1, one with fewer colours zero.
fn components_are_dropped(_: &Env) {
    let (_target, pixel) = gradient();
    for (internal, keep) in [(gl::RGB8, [1, 1, 1, 0]), (gl::RG8, [1, 1, 0, 0]), (gl::R8, [1, 0, 0, 0])] {
        nearest(gl::TEXTURE_2D);
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, internal, 0, 0, 4, 4, 0);
        let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16);
        let mut expected = pixel(2, 3);
        for i in 0..4 {
            expected[i] = if keep[i] == 1 {
                expected[i]
            } else if i == 3 {
                255
            } else {
                0
            };
        }
        assert_eq!(got[14], expected, "{internal:#x}");
    }
}

fn formats_convert(_: &Env) {
    let target = Target::new(2, 2);
    target.clear([0.2, 0.4, 0.6, 1.0]);
    for (internal, tolerance) in [
        (gl::RGBA16F, 0.001),
        (gl::RGBA32F, 0.001),
        (gl::RGB565, 0.02),
        (gl::RGB10_A2, 0.002),
        (gl::RGBA16, 0.0001),
        (gl::R11F_G11F_B10F, 0.02),
    ] {
        nearest(gl::TEXTURE_2D);
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, internal, 0, 0, 2, 2, 0);
        expect_no_error("glCopyTexImage2D");
        expect_near(&lookup("sampler2D", "texelFetch(t, ivec2(1), 0)"), &[0.2, 0.4, 0.6, 1.0], tolerance);
    }
}

/// 3.8.3: pixels outside of the framebuffer are undefined; those inside must be right.
fn outside_of_the_framebuffer_nothing_changes(_: &Env) {
    let (_target, pixel) = gradient();
    nearest(gl::TEXTURE_2D);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, -2, -1, 8, 8, 0);
    expect_no_error("glCopyTexImage2D");
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 64);
    for y in 0..4 {
        for x in 0..4 {
            assert_eq!(got[((y + 1) * 8 + x + 2) as usize], pixel(x, y));
        }
    }
}

fn faces_and_layers(_: &Env) {
    let (_target, pixel) = gradient();
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::CopyTexImage2D(target, 0, gl::RGBA8, (face % 3) as i32, (face / 3) as i32, 2, 2, 0);
    }
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let got = texture_image::<[u8; 4]>(target, 0, gl::RGBA, BYTE, 4);
        assert_eq!(got[3], pixel((face % 3) as i32 + 1, (face / 3) as i32 + 1));
    }
    nearest(gl::TEXTURE_3D);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::RGBA8, 2, 2, 3, 0, gl::RGBA, BYTE, [[9_u8; 4]; 12].as_ptr().cast());
    gl::CopyTexSubImage3D(gl::TEXTURE_3D, 0, 1, 0, 2, 3, 1, 1, 2);
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_3D, 0, gl::RGBA, BYTE, 12);
    assert_eq!([got[8], got[9], got[10], got[11]], [[9; 4], pixel(3, 1), [9; 4], pixel(3, 2)]);
    assert!(got[..8].iter().all(|t| *t == [9; 4]));
}

fn depth_is_copied(_: &Env) {
    let (_target, _) = depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    solid_at_depth([1.0; 4], -0.5);
    gl::Viewport(0, 0, 2, 4);
    quad();
    for internal in [gl::DEPTH24_STENCIL8, gl::DEPTH_COMPONENT24] {
        nearest(gl::TEXTURE_2D);
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, internal, 1, 0, 2, 1, 0);
        expect_no_error("glCopyTexImage2D");
        let got = texture_image::<f32>(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT, gl::FLOAT, 2);
        expect_near(&got, &[0.25, 1.0], 1e-6);
    }
}

fn integers_are_copied(_: &Env) {
    let _target = Target::with_format(gl::RGBA16UI, 2, 2);
    gl::ClearBufferuiv(gl::COLOR, 0, [1_u32, 60000, 3, 4].as_ptr());
    nearest(gl::TEXTURE_2D);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA16UI, 0, 0, 2, 2, 0);
    let got = texture_image::<[u32; 4]>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::UNSIGNED_INT, 4);
    assert_eq!(got, [[1, 60000, 3, 4]; 4]);
}

fn srgb_values_are_copied_as_stored(_: &Env) {
    let target = Target::with_format(gl::SRGB8_ALPHA8, 2, 2);
    target.clear([0.2, 0.4, 0.6, 0.8]);
    nearest(gl::TEXTURE_2D);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::SRGB8_ALPHA8, 0, 0, 2, 2, 0);
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 4);
    assert_eq!(got, [[51, 102, 153, 204]; 4]);
}

/// Case 24 and lesson 24 in small: the source may be drawn to again without the copy changing.
fn pbuffers_too(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    nearest(gl::TEXTURE_2D);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 0, 4, 4, 0);
    solid([0.0, 1.0, 0.0, 1.0]);
    quad();
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16);
    assert_eq!(got, [[255, 0, 0, 255]; 16]);
    target.image().expect_all([0, 255, 0, 255]);
}

fn errors(_: &Env) {
    let target = Target::new(4, 4);
    nearest(gl::TEXTURE_2D);
    gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 0, 0, 1, 1);
    expect_error(gl::INVALID_OPERATION, "no image");
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 0, -1, 1, 0);
    expect_error(gl::INVALID_VALUE, "negative width");
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 0, 1, 1, 1);
    expect_error(gl::INVALID_VALUE, "border");
    gl::CopyTexImage2D(gl::TEXTURE_2D, -1, gl::RGBA8, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_VALUE, "level");
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, 4, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_ENUM, "component count");
    gl::CopyTexImage2D(gl::TEXTURE_3D, 0, gl::RGBA8, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_ENUM, "target");
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8UI, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_OPERATION, "integers from fixed point");
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT24, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_OPERATION, "depth without a depth buffer");
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 2, 2, 0, gl::RGBA, BYTE, std::ptr::null());
    gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 1, 1, 0, 0, 2, 1);
    expect_error(gl::INVALID_VALUE, "beyond the texture");
    let empty = gallite_tests::draw::gen_framebuffer();
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, empty);
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_FRAMEBUFFER_OPERATION, "incomplete");
    target.delete();
}
