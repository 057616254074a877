//! `glReadPixels`: formats, types, rectangles, clamping. GL 3.3 core 4.3.1.

use super::{counting, texels};
use gallite_tests::draw::{
    Image, Target, depth_stencil_target, expect_error, expect_near, expect_no_error, gen_framebuffer, quad,
    read_pixels, solid, solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): orders, types, packed_types, floats_are_not_clamped, clamping_by_state, fixed_point_is_clamped,
        signed_normalized, integers_clamp_to_the_type, missing_components, rectangles_partly_outside,
        depth_conversions, stencil_types, srgb_is_not_decoded, pending_work_is_seen, many_formats_round_trip,
        the_read_buffer_decides, preferred_format;
    render pbuffer(8, 8): lesson_24_rows_of_the_default_framebuffer, front_and_back;
    every core(3, 3): errors;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

fn orders(_: &Env) {
    counting(1, 1);
    let read = |format: u32, count: usize| read_pixels::<u8>([0, 0, 1, 1], format, BYTE, count);
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    assert_eq!(read(gl::RGBA, 4), [0, 1, 2, 3]);
    assert_eq!(read(gl::BGRA, 4), [2, 1, 0, 3]);
    assert_eq!(read(gl::RGB, 3), [0, 1, 2]);
    assert_eq!(read(gl::BGR, 3), [2, 1, 0]);
    assert_eq!(read(gl::RG, 2), [0, 1]);
    assert_eq!(read(gl::RED, 1), [0]);
    assert_eq!(read(gl::GREEN, 1), [1]);
    assert_eq!(read(gl::BLUE, 1), [2]);
}

fn types(_: &Env) {
    texels(gl::RGBA8, 1, gl::RGBA, BYTE, &[0_u8, 51, 204, 255], 1);
    let one = [0, 0, 1, 1];
    assert_eq!(read_pixels::<u8>(one, gl::RGBA, BYTE, 4), [0, 51, 204, 255]);
    assert_eq!(read_pixels::<i8>(one, gl::RGBA, gl::BYTE, 4)[3], 127);
    assert_eq!(read_pixels::<u16>(one, gl::RGBA, gl::UNSIGNED_SHORT, 4), [0, 51 * 257, 204 * 257, 65535]);
    assert_eq!(read_pixels::<i16>(one, gl::RGBA, gl::SHORT, 4)[3], 32767);
    let ints = read_pixels::<u32>(one, gl::RGBA, gl::UNSIGNED_INT, 4);
    assert_eq!((ints[0], ints[3]), (0, u32::MAX));
    assert_eq!(read_pixels::<i32>(one, gl::RGBA, gl::INT, 4)[3], i32::MAX);
    expect_near(&read_pixels::<f32>(one, gl::RGBA, gl::FLOAT, 4), &[0.0, 0.2, 0.8, 1.0], 1e-6);
    let halves = read_pixels::<u16>(one, gl::RGBA, gl::HALF_FLOAT, 4);
    assert_eq!((halves[0], halves[3]), (0, 0x3c00));
}

fn packed_types(_: &Env) {
    texels(gl::RGBA8, 1, gl::RGBA, BYTE, &[255_u8, 0, 255, 255], 1);
    let one = [0, 0, 1, 1];
    assert_eq!(read_pixels::<u16>(one, gl::RGB, gl::UNSIGNED_SHORT_5_6_5, 1), [0xf81f]);
    assert_eq!(read_pixels::<u16>(one, gl::RGBA, gl::UNSIGNED_SHORT_4_4_4_4, 1), [0xf0ff]);
    assert_eq!(read_pixels::<u16>(one, gl::BGRA, gl::UNSIGNED_SHORT_1_5_5_5_REV, 1), [0xfc1f]);
    assert_eq!(read_pixels::<u32>(one, gl::RGBA, gl::UNSIGNED_INT_8_8_8_8, 1), [0xff00_ffff]);
    assert_eq!(read_pixels::<u32>(one, gl::BGRA, gl::UNSIGNED_INT_8_8_8_8_REV, 1), [0xffff_00ff]);
    let packed = read_pixels::<u32>(one, gl::RGBA, gl::UNSIGNED_INT_2_10_10_10_REV, 1);
    assert_eq!(packed, [3 << 30 | 1023 << 20 | 1023]);
    assert_eq!(read_pixels::<u8>(one, gl::RGB, gl::UNSIGNED_BYTE_3_3_2, 1), [0xe3]);
}

fn floats_are_not_clamped(_: &Env) {
    let values = [-2.0_f32, 0.25, 1000.0, 1.0];
    texels(gl::RGBA32F, 1, gl::RGBA, gl::FLOAT, &values, 1);
    let one = [0, 0, 1, 1];
    assert_eq!(read_pixels::<f32>(one, gl::RGBA, gl::FLOAT, 4), values);
    // Types without a sign or fraction hold what they can.
    assert_eq!(read_pixels::<u8>(one, gl::RGBA, BYTE, 4), [0, 64, 255, 255]);
}

/// glClampColor: TRUE clamps every format, FALSE none.
fn clamping_by_state(_: &Env) {
    texels(gl::RGBA16F, 1, gl::RGBA, gl::FLOAT, &[-2.0_f32, 0.25, 1000.0, 1.0], 1);
    let read = || read_pixels::<f32>([0, 0, 1, 1], gl::RGBA, gl::FLOAT, 4);
    assert_eq!(read(), [-2.0, 0.25, 1000.0, 1.0]);
    gl::ClampColor(gl::CLAMP_READ_COLOR, gl::TRUE.into());
    expect_no_error("glClampColor");
    assert_eq!(read(), [0.0, 0.25, 1.0, 1.0]);
    gl::ClampColor(gl::CLAMP_READ_COLOR, gl::FIXED_ONLY);
    assert_eq!(read(), [-2.0, 0.25, 1000.0, 1.0]);
    gl::ClampColor(gl::CLAMP_READ_COLOR, gl::FALSE.into());
    assert_eq!(read(), [-2.0, 0.25, 1000.0, 1.0]);
    gl::ClampColor(gl::CLAMP_READ_COLOR, gl::RGBA);
    expect_error(gl::INVALID_ENUM, "clamp");
    gl::ClampColor(gl::RGBA, gl::TRUE.into());
    expect_error(gl::INVALID_ENUM, "target");
}

/// 4.3.1: a fixed-point buffer is clamped to [0, 1] by FIXED_ONLY, a signed one too.
fn fixed_point_is_clamped(_: &Env) {
    texels(gl::RGBA8_SNORM, 1, gl::RGBA, gl::FLOAT, &[-1.0_f32, 1.0, -0.5, 1.0], 1);
    if gallite_tests::draw::framebuffer_status() != gl::FRAMEBUFFER_COMPLETE {
        gallite_tests::harness::skip("signed normalised formats are not renderable here");
    }
    let read = || read_pixels::<f32>([0, 0, 1, 1], gl::RGBA, gl::FLOAT, 4);
    assert_eq!(read(), [0.0, 1.0, 0.0, 1.0]);
}

fn signed_normalized(_: &Env) {
    texels(gl::RGBA8_SNORM, 1, gl::RGBA, gl::FLOAT, &[-1.0_f32, 1.0, 0.0, 1.0], 1);
    if gallite_tests::draw::framebuffer_status() != gl::FRAMEBUFFER_COMPLETE {
        gallite_tests::harness::skip("signed normalised formats are not renderable here");
    }
    gl::ClampColor(gl::CLAMP_READ_COLOR, gl::FALSE.into());
    assert_eq!(read_pixels::<f32>([0, 0, 1, 1], gl::RGBA, gl::FLOAT, 4), [-1.0, 1.0, 0.0, 1.0]);
    assert_eq!(read_pixels::<i8>([0, 0, 1, 1], gl::RGBA, gl::BYTE, 4), [-127, 127, 0, 127]);
}

fn integers_clamp_to_the_type(_: &Env) {
    texels(gl::RGBA32I, 1, gl::RGBA_INTEGER, gl::INT, &[-5_i32, 300, 70000, 7], 1);
    let one = [0, 0, 1, 1];
    assert_eq!(read_pixels::<i32>(one, gl::RGBA_INTEGER, gl::INT, 4), [-5, 300, 70000, 7]);
    assert_eq!(read_pixels::<i16>(one, gl::RGBA_INTEGER, gl::SHORT, 4), [-5, 300, 32767, 7]);
    assert_eq!(read_pixels::<u8>(one, gl::RGBA_INTEGER, BYTE, 4), [0, 255, 255, 7]);
    assert_eq!(read_pixels::<i32>(one, gl::BGRA_INTEGER, gl::INT, 4), [70000, 300, -5, 7]);
    assert_eq!(read_pixels::<i32>(one, gl::GREEN_INTEGER, gl::INT, 1), [300]);
}

/// Components the buffer lacks read as 0, alpha as 1.
fn missing_components(_: &Env) {
    texels(gl::R8, 1, gl::RED, BYTE, &[7_u8], 1);
    assert_eq!(read_pixels::<u8>([0, 0, 1, 1], gl::RGBA, BYTE, 4), [7, 0, 0, 255]);
    texels(gl::RG8, 1, gl::RG, BYTE, &[7_u8, 8], 1);
    assert_eq!(read_pixels::<u8>([0, 0, 1, 1], gl::BGRA, BYTE, 4), [0, 8, 7, 255]);
    texels(gl::RGB8, 1, gl::RGB, BYTE, &[7_u8, 8, 9], 1);
    assert_eq!(read_pixels::<u8>([0, 0, 1, 1], gl::RGBA, BYTE, 4), [7, 8, 9, 255]);
    texels(gl::RG32UI, 1, gl::RG_INTEGER, gl::UNSIGNED_INT, &[7_u32, 8], 1);
    assert_eq!(read_pixels::<u32>([0, 0, 1, 1], gl::RGBA_INTEGER, gl::UNSIGNED_INT, 4), [7, 8, 0, 1]);
}

/// Pixels outside are undefined; those inside must land in their places.
fn rectangles_partly_outside(_: &Env) {
    counting(4, 4);
    let image = Image::read(-2, -1, 8, 8);
    for y in 0..4 {
        for x in 0..4 {
            let first = ((y * 4 + x) * 4) as u8;
            image.expect(x + 2, y + 1, [first, first + 1, first + 2, first + 3]);
        }
    }
    Image::read(10, 10, 2, 2);
    gl::ReadPixels(0, 0, 0, 4, gl::RGBA, BYTE, std::ptr::null_mut());
    expect_no_error("nothing");
}

fn depth_conversions(_: &Env) {
    let (_target, _) = depth_stencil_target(2, 1);
    gl::Enable(gl::DEPTH_TEST);
    gl::Viewport(0, 0, 1, 1);
    solid_at_depth([1.0; 4], -0.5);
    quad();
    let rect = [0, 0, 2, 1];
    expect_near(&read_pixels::<f32>(rect, gl::DEPTH_COMPONENT, gl::FLOAT, 1), &[0.25, 1.0], 1e-6);
    let shorts = read_pixels::<u16>(rect, gl::DEPTH_COMPONENT, gl::UNSIGNED_SHORT, 1);
    assert!(shorts[0].abs_diff(16384) <= 1 && shorts[1] == 65535, "{shorts:?}");
    let ints = read_pixels::<u32>(rect, gl::DEPTH_COMPONENT, gl::UNSIGNED_INT, 1);
    assert!(ints[0].abs_diff(1 << 30) <= 512 && ints[1] == u32::MAX, "{ints:?}");
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    let bytes = read_pixels::<u8>(rect, gl::DEPTH_COMPONENT, BYTE, 1);
    assert!(bytes[0].abs_diff(64) <= 1 && bytes[1] == 255, "{bytes:?}");
}

fn stencil_types(_: &Env) {
    let (_target, _) = depth_stencil_target(2, 1);
    gl::ClearStencil(0xa5);
    gl::Clear(gl::STENCIL_BUFFER_BIT);
    let rect = [0, 0, 2, 1];
    assert_eq!(read_pixels::<u8>(rect, gl::STENCIL_INDEX, BYTE, 1), [0xa5; 2]);
    assert_eq!(read_pixels::<u32>(rect, gl::STENCIL_INDEX, gl::UNSIGNED_INT, 1), [0xa5; 2]);
    assert_eq!(read_pixels::<i16>(rect, gl::STENCIL_INDEX, gl::SHORT, 1), [0xa5; 2]);
    assert_eq!(read_pixels::<f32>(rect, gl::STENCIL_INDEX, gl::FLOAT, 1), [165.0; 2]);
    let both = read_pixels::<u32>(rect, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, 1);
    assert_eq!(both, [0xffff_ffa5; 2]);
}

fn srgb_is_not_decoded(_: &Env) {
    texels(gl::SRGB8_ALPHA8, 1, gl::RGBA, BYTE, &[188_u8, 10, 0, 128], 1);
    assert_eq!(read_pixels::<u8>([0, 0, 1, 1], gl::RGBA, BYTE, 4), [188, 10, 0, 128]);
    gl::Enable(gl::FRAMEBUFFER_SRGB);
    assert_eq!(read_pixels::<u8>([0, 0, 1, 1], gl::RGBA, BYTE, 4), [188, 10, 0, 128]);
    expect_near(&read_pixels::<f32>([0, 0, 1, 1], gl::RED, gl::FLOAT, 1), &[188.0 / 255.0], 1e-6);
}

fn pending_work_is_seen(_: &Env) {
    let target = Target::new(4, 4);
    for i in 0..20_u8 {
        solid([f32::from(i) / 255.0, 0.0, 0.0, 1.0]);
        quad();
        assert_eq!(target.image().at(3, 3), [i, 0, 0, 255]);
    }
}

/// What a buffer holds comes back in its own format and type.
fn many_formats_round_trip(_: &Env) {
    let bytes: Vec<u8> = (0..64_u32).map(|i| (i * 37 % 251) as u8).collect();
    for (internal, format, kind, size) in [
        (gl::R8, gl::RED, BYTE, 1),
        (gl::RG8, gl::RG, BYTE, 2),
        (gl::RGBA8, gl::RGBA, BYTE, 4),
        (gl::R16, gl::RED, gl::UNSIGNED_SHORT, 2),
        (gl::RGBA16, gl::RGBA, gl::UNSIGNED_SHORT, 8),
        (gl::R8UI, gl::RED_INTEGER, BYTE, 1),
        (gl::RG16UI, gl::RG_INTEGER, gl::UNSIGNED_SHORT, 4),
        (gl::RGBA8I, gl::RGBA_INTEGER, gl::BYTE, 4),
        (gl::RGBA16I, gl::RGBA_INTEGER, gl::SHORT, 8),
        (gl::RGBA32UI, gl::RGBA_INTEGER, gl::UNSIGNED_INT, 16),
        (gl::RGB10_A2, gl::RGBA, gl::UNSIGNED_INT_2_10_10_10_REV, 4),
        (gl::RGB10_A2UI, gl::RGBA_INTEGER, gl::UNSIGNED_INT_2_10_10_10_REV, 4),
    ] {
        gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
        gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
        texels(internal, 2, format, kind, &bytes, 4);
        let got = read_pixels::<u8>([0, 0, 2, 2], format, kind, size);
        assert_eq!(got, bytes[..size * 4], "{internal:#x}");
    }
}

fn the_read_buffer_decides(_: &Env) {
    let target = Target::new(2, 2);
    let second = Target::new(2, 2);
    second.clear([0.0, 1.0, 0.0, 1.0]);
    target.bind();
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT1, gl::TEXTURE_2D, second.colour, 0);
    target.clear([1.0, 0.0, 0.0, 1.0]);
    gl::ReadBuffer(gl::COLOR_ATTACHMENT1);
    target.image().expect_all([0, 255, 0, 255]);
    gl::ReadBuffer(gl::COLOR_ATTACHMENT0);
    target.image().expect_all([255, 0, 0, 255]);
}

/// The pair the implementation names must work.
fn preferred_format(_: &Env) {
    if gallite_tests::draw::version() < 41 && !gallite_tests::draw::has_extension("GL_ARB_ES2_compatibility") {
        gallite_tests::harness::skip("no query of the preferred format before 4.1");
    }
    counting(1, 1);
    let format = gallite_tests::draw::get_i32(gl::IMPLEMENTATION_COLOR_READ_FORMAT) as u32;
    let kind = gallite_tests::draw::get_i32(gl::IMPLEMENTATION_COLOR_READ_TYPE) as u32;
    read_pixels::<[u8; 4]>([0, 0, 1, 1], format, kind, 4);
}

fn lesson_24_rows_of_the_default_framebuffer(_: &Env) {
    gl::ClearColor(0.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Enable(gl::SCISSOR_TEST);
    for y in 0..8 {
        gl::Scissor(0, y, 8, 1);
        gl::ClearColor(y as f32 * 20.0 / 255.0, 0.0, 0.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
    }
    Image::read(0, 0, 8, 8).expect_each(|_, y| [y as u8 * 20, 0, 0, 255]);
    Image::read(3, 2, 2, 4).expect_each(|_, y| [(y as u8 + 2) * 20, 0, 0, 255]);
    gl::BindTexture(gl::TEXTURE_2D, gallite_tests::draw::gen_texture());
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 1, 8, 4, 0);
    let mut texels = [[0_u8; 4]; 32];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, texels.as_mut_ptr().cast());
    assert_eq!([texels[0][0], texels[8][0], texels[31][0]], [20, 40, 80]);
}

/// Either name of the only or back buffer can be read; there is no error for the front of a window.
fn front_and_back(_: &Env) {
    gl::ClearColor(0.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::ReadBuffer(gl::BACK);
    expect_no_error("back");
    Image::read(0, 0, 8, 8).expect_all([0, 255, 0, 255]);
    gl::ReadBuffer(gl::FRONT);
    expect_no_error("front");
    Image::read(0, 0, 8, 8);
}

fn errors(_: &Env) {
    let target = Target::new(4, 4);
    let mut out = [0_u8; 256];
    let mut read = |width: i32, format: u32, kind: u32| {
        gl::ReadPixels(0, 0, width, 1, format, kind, out.as_mut_ptr().cast());
        gl::GetError()
    };
    assert_eq!(read(-1, gl::RGBA, BYTE), gl::INVALID_VALUE);
    assert_eq!(read(1, gl::RGBA8, BYTE), gl::INVALID_ENUM);
    assert_eq!(read(1, gl::RGBA, gl::DOUBLE), gl::INVALID_ENUM);
    assert_eq!(read(1, gl::RGBA, gl::UNSIGNED_SHORT_5_6_5), gl::INVALID_OPERATION);
    assert_eq!(read(1, gl::RGBA_INTEGER, gl::INT), gl::INVALID_OPERATION, "integers of a fixed-point buffer");
    assert_eq!(read(1, gl::DEPTH_COMPONENT, gl::FLOAT), gl::INVALID_OPERATION, "no depth buffer");
    assert_eq!(read(1, gl::STENCIL_INDEX, BYTE), gl::INVALID_OPERATION, "no stencil buffer");
    assert_eq!(read(1, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8), gl::INVALID_OPERATION, "neither");
    gl::ReadBuffer(gl::NONE);
    assert_eq!(read(1, gl::RGBA, BYTE), gl::INVALID_OPERATION, "no read buffer");
    gl::ReadBuffer(gl::COLOR_ATTACHMENT1);
    assert_eq!(read(1, gl::RGBA, BYTE), gl::INVALID_OPERATION, "an empty attachment point");
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    assert_eq!(read(1, gl::RGBA, BYTE), gl::INVALID_FRAMEBUFFER_OPERATION);
    let integer = Target::with_format(gl::RGBA8UI, 4, 4);
    assert_eq!(read(1, gl::RGBA, BYTE), gl::INVALID_OPERATION, "fixed point of an integer buffer");
    integer.delete();
    target.delete();
}
