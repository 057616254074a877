//! `glBlitFramebuffer`: GL 3.3 core 4.3.2.

use gallite_tests::draw::{
    Image, Target, depth_stencil_target, expect_error, expect_near, framebuffer_status, gen_framebuffer,
    gen_renderbuffer, gen_texture, quad, read_pixels, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): whole, mirrored, mirrored_in_the_source, scaled_up, scaled_down_linear, clipped_at_both_ends,
        clipped_and_scaled, scissored, case_20_the_mask_does_not_apply, case_21_a_mipmapped_filter_does_not_matter,
        to_several_buffers, depth, stencil, depth_and_stencil_together, integers, formats_convert, alpha_of_rgb, alpha_of_rgb_that_was_never_cleared,
        srgb_to_linear_and_back, within_one_framebuffer, between_levels_and_layers, limited_to_the_common_size,
        missing_buffers_are_skipped, case_22_resolve_of_a_clipped_rectangle, resolve_averages, resolve_mirrored,
        resolve_depth_takes_a_sample, case_25_stencil_clears_without_effect;
    render pbuffer(8, 8): lesson_24_from_and_to_the_default_framebuffer;
    every core(3, 3): errors;
}

const COLOR: u32 = gl::COLOR_BUFFER_BIT;

/// A target whose pixel (x, y) is (x * 20, y * 20, 100, 255).
fn gradient(width: i32, height: i32) -> (Target, impl Fn(i32, i32) -> [u8; 4]) {
    let target = Target::new(width, height);
    let pixel = |x: i32, y: i32| [x as u8 * 20, y as u8 * 20, 100, 255];
    let texels: Vec<_> = (0..width * height).map(|i| pixel(i % width, i / width)).collect();
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    let data = texels.as_ptr().cast();
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, width, height, gl::RGBA, gl::UNSIGNED_BYTE, data);
    (target, pixel)
}

/// Blits from one target to a cleared other and binds that.
fn blit(from: &Target, to: &Target, source: [i32; 4], destination: [i32; 4], mask: u32, filter: u32) {
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, from.framebuffer);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, to.framebuffer);
    let ([a, b, c, d], [e, f, g, h]) = (source, destination);
    gl::BlitFramebuffer(a, b, c, d, e, f, g, h, mask, filter);
    gallite_tests::draw::expect_no_error("glBlitFramebuffer");
    to.bind();
}

fn whole(_: &Env) {
    let (from, pixel) = gradient(6, 4);
    let to = Target::new(6, 4);
    blit(&from, &to, [0, 0, 6, 4], [0, 0, 6, 4], COLOR, gl::NEAREST);
    to.image().expect_each(&pixel);
    to.clear([0.0; 4]);
    blit(&from, &to, [1, 1, 3, 3], [4, 0, 6, 2], COLOR, gl::LINEAR);
    let inside = |x: i32, y: i32| x >= 4 && y < 2;
    to.image().expect_each(|x, y| if inside(x, y) { pixel(x - 3, y + 1) } else { [0; 4] });
}

fn mirrored(_: &Env) {
    let (from, pixel) = gradient(6, 4);
    let to = Target::new(6, 4);
    blit(&from, &to, [0, 0, 6, 4], [6, 0, 0, 4], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(5 - x, y));
    blit(&from, &to, [0, 0, 6, 4], [0, 4, 6, 0], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(x, 3 - y));
    blit(&from, &to, [0, 0, 6, 4], [6, 4, 0, 0], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(5 - x, 3 - y));
}

fn mirrored_in_the_source(_: &Env) {
    let (from, pixel) = gradient(6, 4);
    let to = Target::new(6, 4);
    blit(&from, &to, [6, 0, 0, 4], [0, 0, 6, 4], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(5 - x, y));
    // Both ends mirrored is not mirrored.
    blit(&from, &to, [6, 4, 0, 0], [6, 4, 0, 0], COLOR, gl::NEAREST);
    to.image().expect_each(pixel);
}

fn scaled_up(_: &Env) {
    let (from, pixel) = gradient(3, 2);
    let to = Target::new(9, 8);
    blit(&from, &to, [0, 0, 3, 2], [0, 0, 9, 8], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(x / 3, y / 4));
    blit(&from, &to, [1, 0, 3, 1], [8, 8, 0, 0], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| if x < 8 { pixel(2 - x / 4, 0) } else { pixel(x / 3, y / 4) });
}

fn scaled_down_linear(_: &Env) {
    let (from, _) = gradient(4, 4);
    let to = Target::new(2, 2);
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 2, 2], COLOR, gl::LINEAR);
    // Each pixel centre lies between four texels.
    to.image().expect_each_near(1, |x, y| [(10 + x * 40) as u8, (10 + y * 40) as u8, 100, 255]);
}

/// Pixels outside of either framebuffer are neither read nor written.
fn clipped_at_both_ends(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let to = Target::new(4, 4);
    blit(&from, &to, [-2, -2, 3, 3], [-1, -1, 4, 4], COLOR, gl::NEAREST);
    // Pixel x comes from x - 1.
    let image = to.image();
    for y in 1..4 {
        for x in 1..4 {
            image.expect(x, y, pixel(x - 1, y - 1));
        }
    }
    to.clear([0.0; 4]);
    blit(&from, &to, [2, 2, 9, 9], [2, 2, 9, 9], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| if x >= 2 && y >= 2 { pixel(x, y) } else { [0; 4] });
    to.clear([0.0; 4]);
    blit(&from, &to, [0, 0, 4, 4], [10, 10, 14, 14], COLOR, gl::NEAREST);
    to.image().expect_all([0; 4]);
}

/// Clipping must not change the scale.
fn clipped_and_scaled(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let to = Target::new(4, 4);
    blit(&from, &to, [0, 0, 4, 4], [-4, -4, 4, 4], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(2 + x / 2, 2 + y / 2));
    blit(&from, &to, [0, 0, 4, 4], [8, 0, 0, 8], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel((7 - x) / 2, y / 2));
}

fn scissored(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let to = Target::new(4, 4);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(1, 2, 2, 1);
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], COLOR, gl::NEAREST);
    gl::Disable(gl::SCISSOR_TEST);
    to.image().expect_each(|x, y| if (1..3).contains(&x) && y == 2 { pixel(x, y) } else { [0; 4] });
}

fn case_20_the_mask_does_not_apply(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let to = Target::new(4, 4);
    gl::ColorMask(gl::FALSE, gl::FALSE, gl::FALSE, gl::FALSE);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(0, 0, 4, 2);
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| if y < 2 { pixel(x, y) } else { [0; 4] });
}

fn case_21_a_mipmapped_filter_does_not_matter(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR_MIPMAP_LINEAR as i32);
    let to = Target::new(4, 4);
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], COLOR, gl::NEAREST);
    to.image().expect_each(pixel);
}

fn to_several_buffers(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let to = Target::new(4, 4);
    let second = Target::new(4, 4);
    to.bind();
    let point = gl::COLOR_ATTACHMENT1;
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, point, gl::TEXTURE_2D, second.colour, 0);
    gl::DrawBuffers(2, [gl::COLOR_ATTACHMENT0, point].as_ptr());
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], COLOR, gl::NEAREST);
    to.image().expect_each(&pixel);
    gl::ReadBuffer(point);
    to.image().expect_each(pixel);
}

/// Clears the left half of a depth and stencil target to other values than the rest.
fn halves() -> (Target, u32) {
    let (target, renderbuffer) = depth_stencil_target(4, 4);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(0, 0, 2, 4);
    gl::ClearDepth(0.25);
    gl::ClearStencil(0x5a);
    gl::Clear(gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
    gl::Disable(gl::SCISSOR_TEST);
    gl::ClearDepth(1.0);
    gl::ClearStencil(0);
    (target, renderbuffer)
}

#[track_caller]
fn expect_depths(f: impl Fn(usize) -> f32) {
    let got = read_pixels::<f32>([0, 0, 4, 4], gl::DEPTH_COMPONENT, gl::FLOAT, 1);
    let expected: Vec<f32> = (0..16).map(|i| f(i % 4)).collect();
    expect_near(&got, &expected, 1e-6);
}

#[track_caller]
fn expect_stencils(f: impl Fn(usize) -> u8) {
    let got = read_pixels::<u8>([0, 0, 4, 4], gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1);
    let expected: Vec<u8> = (0..16).map(|i| f(i % 4)).collect();
    assert_eq!(got, expected);
}

fn depth(_: &Env) {
    let (from, _) = halves();
    let (to, _) = depth_stencil_target(4, 4);
    blit(&from, &to, [0, 0, 4, 4], [4, 0, 0, 4], gl::DEPTH_BUFFER_BIT, gl::NEAREST);
    expect_depths(|x| if x >= 2 { 0.25 } else { 1.0 });
    expect_stencils(|_| 0);
}

fn stencil(_: &Env) {
    let (from, _) = halves();
    let (to, _) = depth_stencil_target(4, 4);
    blit(&from, &to, [0, 0, 4, 4], [4, 0, 0, 4], gl::STENCIL_BUFFER_BIT, gl::NEAREST);
    expect_stencils(|x| if x >= 2 { 0x5a } else { 0 });
    expect_depths(|_| 1.0);
    // Scaled: the left half covers all.
    blit(&from, &to, [0, 0, 2, 4], [0, 0, 4, 4], gl::STENCIL_BUFFER_BIT, gl::NEAREST);
    expect_stencils(|_| 0x5a);
}

fn depth_and_stencil_together(_: &Env) {
    let (from, _) = halves();
    let (to, _) = depth_stencil_target(4, 4);
    // Neither mask takes part.
    gl::DepthMask(gl::FALSE);
    gl::StencilMask(0);
    let both = gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT;
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], both, gl::NEAREST);
    expect_depths(|x| if x < 2 { 0.25 } else { 1.0 });
    expect_stencils(|x| if x < 2 { 0x5a } else { 0 });
}

fn integers(_: &Env) {
    let from = Target::with_format(gl::RGBA32I, 4, 4);
    gl::ClearBufferiv(gl::COLOR, 0, [-7_i32, 100_000, 3, 4].as_ptr());
    let to = Target::with_format(gl::RGBA32I, 4, 4);
    blit(&from, &to, [0, 0, 2, 2], [0, 0, 4, 4], COLOR, gl::NEAREST);
    let got = read_pixels::<i32>([3, 3, 1, 1], gl::RGBA_INTEGER, gl::INT, 4);
    assert_eq!(got, [-7, 100_000, 3, 4]);
    let narrow = Target::with_format(gl::RGBA16I, 4, 4);
    gl::ClearBufferiv(gl::COLOR, 0, [-5_i32, 6, 7, 8].as_ptr());
    blit(&narrow, &to, [0, 0, 4, 4], [0, 0, 4, 4], COLOR, gl::NEAREST);
    assert_eq!(read_pixels::<i32>([1, 1, 1, 1], gl::RGBA_INTEGER, gl::INT, 4), [-5, 6, 7, 8]);
}

fn formats_convert(_: &Env) {
    let from = Target::with_format(gl::RGBA16F, 2, 2);
    from.clear([2.0, 0.2, -1.0, 0.6]);
    let to = Target::new(2, 2);
    blit(&from, &to, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
    to.image().expect_all([255, 51, 0, 153]);
    let to = Target::with_format(gl::R8, 2, 2);
    blit(&from, &to, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
    to.image().expect_all([255, 0, 0, 255]);
    let wide = Target::with_format(gl::RGBA32F, 2, 2);
    blit(&from, &wide, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
    let got = read_pixels::<f32>([1, 1, 1, 1], gl::RGBA, gl::FLOAT, 4);
    expect_near(&got, &[2.0, 0.2, -1.0, 0.6], 0.001);
}

/// Lesson 25: what is copied from a format without alpha has alpha one.
fn alpha_of_rgb(_: &Env) {
    for internal in [gl::RGB8, gl::RGB565, gl::R11F_G11F_B10F, gl::RG8] {
        let from = Target::with_format(internal, 2, 2);
        solid([1.0, 0.0, 0.0, 0.0]);
        quad();
        let to = Target::new(2, 2);
        blit(&from, &to, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
        to.image().expect_all([255, 0, 0, 255]);
    }
}

/// A buffer without alpha has alpha one wherever it is read, whatever was in its memory before it was drawn to.
fn alpha_of_rgb_that_was_never_cleared(_: &Env) {
    for (internal, samples) in
        [(gl::RGB8, 0), (gl::RGB8, 4), (gl::RGB10, 0), (gl::RGB16F, 0), (gl::RGB32F, 4), (gl::RGB8_SNORM, 0)]
    {
        // Memory that held other alpha before, as a buffer of the same size may get.
        for _ in 0..2 {
            let dirty = Target::with_format(gl::RGBA8, 2, 2);
            dirty.clear([0.0, 1.0, 0.0, 0.25]);
            dirty.delete();
        }
        let source = gen_framebuffer();
        gl::BindFramebuffer(gl::FRAMEBUFFER, source);
        let buffer = gen_renderbuffer();
        gl::BindRenderbuffer(gl::RENDERBUFFER, buffer);
        gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, samples, internal, 2, 2);
        gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::RENDERBUFFER, buffer);
        if framebuffer_status() != gl::FRAMEBUFFER_COMPLETE {
            continue;
        }
        gl::Viewport(0, 0, 2, 2);
        solid([1.0, 0.0, 0.0, 0.25]);
        quad();
        if samples == 0 {
            Image::read(0, 0, 2, 2).expect_all([255, 0, 0, 255]);
        }
        let from = |rect: [i32; 4], filter| {
            let to = Target::new(2, 2);
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, source);
            let [a, b, c, d] = rect;
            gl::BlitFramebuffer(a, b, c, d, 0, 0, 2, 2, COLOR, filter);
            gallite_tests::draw::expect_no_error("glBlitFramebuffer");
            to.bind();
            to.image().expect_all([255, 0, 0, 255]);
        };
        from([0, 0, 2, 2], gl::NEAREST);
        from([0, 0, 2, 2], gl::LINEAR);
        if samples != 0 {
            continue;
        }
        from([0, 0, 1, 1], gl::NEAREST);
        from([0, 0, 1, 1], gl::LINEAR);
        // A copy to a texture without alpha, and what is read and drawn from that.
        gl::BindFramebuffer(gl::FRAMEBUFFER, source);
        gl::BindTexture(gl::TEXTURE_2D, gen_texture());
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, internal, 0, 0, 2, 2, 0);
        gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 0, 0, 2, 2);
        let mut texels = [0.0_f32; 16];
        gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RGBA, gl::FLOAT, texels.as_mut_ptr().cast());
        expect_near(&texels, &[1.0, 0.0, 0.0, 1.0].repeat(4), 0.0);
    }
}

/// 4.3.2 with 4.1.8: values are decoded and encoded while GL_FRAMEBUFFER_SRGB is enabled, bits copied otherwise.
fn srgb_to_linear_and_back(_: &Env) {
    let srgb = Target::with_format(gl::SRGB8_ALPHA8, 2, 2);
    srgb.clear([188.0 / 255.0, 0.0, 1.0, 0.5]);
    let linear = Target::new(2, 2);
    gl::Enable(gl::FRAMEBUFFER_SRGB);
    blit(&srgb, &linear, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
    linear.image().expect_each_near(1, |_, _| [128, 0, 255, 128]);
    blit(&linear, &srgb, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
    srgb.image().expect_each_near(1, |_, _| [188, 0, 255, 128]);
    let other = Target::with_format(gl::SRGB8_ALPHA8, 2, 2);
    blit(&srgb, &other, [0, 0, 2, 2], [0, 0, 2, 2], COLOR, gl::NEAREST);
    other.image().expect_each_near(1, |_, _| [188, 0, 255, 128]);
}

fn within_one_framebuffer(_: &Env) {
    let (target, pixel) = gradient(8, 4);
    blit(&target, &target, [0, 0, 4, 4], [4, 0, 8, 4], COLOR, gl::NEAREST);
    target.image().expect_each(|x, y| pixel(x % 4, y));
}

fn between_levels_and_layers(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let texture = gallite_tests::draw::gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, texture);
    for level in 0..2 {
        let (size, null) = (4 >> level, std::ptr::null());
        let (format, kind) = (gl::RGBA, gl::UNSIGNED_BYTE);
        gl::TexImage3D(gl::TEXTURE_2D_ARRAY, level, gl::RGBA8, size, size, 3, 0, format, kind, null);
    }
    gl::TexParameteri(gl::TEXTURE_2D_ARRAY, gl::TEXTURE_MAX_LEVEL, 1);
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, texture, 1, 2);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    let to = Target { framebuffer, colour: texture, width: 2, height: 2 };
    blit(&from, &to, [2, 1, 4, 3], [0, 0, 2, 2], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(x + 2, y + 1));
}

/// 4.4.4: what lies outside of one attachment is outside of the framebuffer.
fn limited_to_the_common_size(_: &Env) {
    let (from, pixel) = gradient(8, 8);
    let to = Target::new(8, 8);
    let renderbuffer = gen_renderbuffer();
    gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::DEPTH_COMPONENT24, 3, 5);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::DEPTH_ATTACHMENT, gl::RENDERBUFFER, renderbuffer);
    blit(&from, &to, [0, 0, 8, 8], [0, 0, 8, 8], COLOR, gl::NEAREST);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::DEPTH_ATTACHMENT, gl::RENDERBUFFER, 0);
    to.image().expect_each(|x, y| if x < 3 && y < 5 { pixel(x, y) } else { [0; 4] });
}

fn missing_buffers_are_skipped(_: &Env) {
    let (from, pixel) = gradient(4, 4);
    let to = Target::new(4, 4);
    let all = COLOR | gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT;
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], all, gl::NEAREST);
    to.image().expect_each(pixel);
}

/// A target of four samples whose left half is red, the right half green.
fn multisampled(width: i32, height: i32) -> Target {
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    for (point, internal) in [(gl::COLOR_ATTACHMENT0, gl::RGBA8), (gl::DEPTH_STENCIL_ATTACHMENT, gl::DEPTH24_STENCIL8)]
    {
        let renderbuffer = gen_renderbuffer();
        gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
        gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, 4, internal, width, height);
        gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, point, gl::RENDERBUFFER, renderbuffer);
    }
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    let target = Target { framebuffer, colour: 0, width, height };
    target.clear([1.0, 0.0, 0.0, 1.0]);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(width / 2, 0, width, height);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    gl::Disable(gl::SCISSOR_TEST);
    gl::Viewport(0, 0, width, height);
    target
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];

fn case_22_resolve_of_a_clipped_rectangle(_: &Env) {
    let from = multisampled(8, 8);
    let to = Target::new(8, 8);
    blit(&from, &to, [2, -3, 12, 6], [1, -1, 11, 8], COLOR, gl::NEAREST);
    // Pixel x comes from x + 1, pixel y from y - 2: green from column 3, rows 2 to 7, columns 1 to 6.
    to.image().expect_each(|x, y| match (x, y) {
        (1..=6, 2..=7) if x + 1 < 4 => RED,
        (1..=6, 2..=7) => GREEN,
        _ => [0; 4],
    });
}

/// The edge of a triangle strip covers part of the samples of some pixels.
fn resolve_averages(_: &Env) {
    let from = multisampled(4, 4);
    from.clear([0.0, 0.0, 0.0, 1.0]);
    solid([1.0, 1.0, 1.0, 1.0]);
    // The edge runs through the middle of column 1: the sample pattern has two samples on each side.
    gallite_tests::draw::rect(-1.0, -1.0, -0.25, 1.0);
    let to = Target::new(4, 4);
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], COLOR, gl::NEAREST);
    to.image().expect_each_near(1, |x, _| match x {
        0 => [255; 4],
        1 => [128, 128, 128, 255],
        _ => [0, 0, 0, 255],
    });
}

fn resolve_mirrored(_: &Env) {
    let from = multisampled(4, 4);
    let to = Target::new(4, 4);
    blit(&from, &to, [0, 0, 4, 4], [4, 0, 0, 4], COLOR, gl::NEAREST);
    to.image().expect_each(|x, _| if x < 2 { GREEN } else { RED });
}

fn resolve_depth_takes_a_sample(_: &Env) {
    let from = multisampled(4, 4);
    gl::ClearDepth(0.5);
    gl::ClearStencil(9);
    gl::Clear(gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
    let (to, _) = depth_stencil_target(4, 4);
    let both = gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT;
    blit(&from, &to, [0, 0, 4, 4], [0, 0, 4, 4], both, gl::NEAREST);
    expect_depths(|_| 0.5);
    expect_stencils(|_| 9);
}

/// 4.2.3: a stencil clear without stencil buffer, or with none of its bits writable, does nothing.
fn case_25_stencil_clears_without_effect(_: &Env) {
    let target = Target::new(4, 4);
    gl::ClearBufferiv(gl::STENCIL, 0, [5_i32].as_ptr());
    gallite_tests::draw::expect_no_error("no stencil buffer");
    target.image().expect_all([0; 4]);
    let (_target, _) = depth_stencil_target(4, 4);
    gl::StencilMask(0xffff_ff00);
    gl::ClearBufferiv(gl::STENCIL, 0, [0xff_i32].as_ptr());
    gallite_tests::draw::expect_no_error("no bits writable");
    expect_stencils(|_| 0);
}

/// The default framebuffer's rows run the other way in memory on some systems; blits must not show it.
fn lesson_24_from_and_to_the_default_framebuffer(_: &Env) {
    let (from, pixel) = gradient(8, 8);
    let window = Target { framebuffer: 0, colour: 0, width: 8, height: 8 };
    blit(&from, &window, [0, 0, 8, 8], [0, 0, 8, 8], COLOR, gl::NEAREST);
    Image::read(0, 0, 8, 8).expect_each(&pixel);
    let to = Target::new(8, 8);
    blit(&window, &to, [0, 0, 8, 8], [0, 8, 8, 0], COLOR, gl::NEAREST);
    to.image().expect_each(|x, y| pixel(x, 7 - y));
    blit(&window, &to, [2, 1, 6, 3], [0, 0, 8, 4], COLOR, gl::NEAREST);
    let image = to.image();
    image.expect(0, 0, pixel(2, 1));
    image.expect(7, 3, pixel(5, 2));
    blit(&from, &window, [0, 0, 4, 4], [4, 4, 8, 8], COLOR, gl::NEAREST);
    Image::read(0, 0, 8, 8).expect_each(|x, y| if x >= 4 && y >= 4 { pixel(x - 4, y - 4) } else { pixel(x, y) });
}

fn errors(_: &Env) {
    let (target, _) = depth_stencil_target(4, 4);
    let attempt = |mask: u32, filter: u32| {
        gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, mask, filter);
        gl::GetError()
    };
    assert_eq!(attempt(1, gl::NEAREST), gl::INVALID_VALUE, "mask");
    assert_eq!(attempt(COLOR, gl::NEAREST_MIPMAP_LINEAR), gl::INVALID_ENUM, "filter");
    assert_eq!(attempt(gl::DEPTH_BUFFER_BIT, gl::LINEAR), gl::INVALID_OPERATION, "linear depth");
    let integer = Target::with_format(gl::RGBA8I, 4, 4);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, integer.framebuffer);
    assert_eq!(attempt(COLOR, gl::LINEAR), gl::INVALID_OPERATION, "linear integers");
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, target.framebuffer);
    assert_eq!(attempt(COLOR, gl::NEAREST), gl::INVALID_OPERATION, "integers to fixed point");
    let unsigned = Target::with_format(gl::RGBA8UI, 4, 4);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, integer.framebuffer);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, unsigned.framebuffer);
    assert_eq!(attempt(COLOR, gl::NEAREST), gl::INVALID_OPERATION, "signed to unsigned");
    // Depth formats must be the same.
    let other = Target::new(4, 4);
    let renderbuffer = gen_renderbuffer();
    gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::DEPTH_COMPONENT16, 4, 4);
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::DEPTH_ATTACHMENT, gl::RENDERBUFFER, renderbuffer);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target.framebuffer);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, other.framebuffer);
    assert_eq!(attempt(gl::DEPTH_BUFFER_BIT, gl::NEAREST), gl::INVALID_OPERATION, "depth formats");
    let several = multisampled(4, 4);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, several.framebuffer);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, target.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 2, 2, COLOR, gl::NEAREST);
    expect_error(gl::INVALID_OPERATION, "a resolve that scales");
}
