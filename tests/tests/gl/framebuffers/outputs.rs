//! Draw buffers, several outputs, sRGB and what they do to fragments: GL 3.3 core 4.1.7, 4.1.8, 4.2.1 and 3.9.2.

use super::{attach_texture, bound};
use gallite_tests::draw::{
    Image, Program, SOLID_VS, Target, framebuffer_status, get_i32, program, program_with, quad, read_pixels, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): outputs_go_to_their_draw_buffers, draw_buffers_permute, none_drops_an_output,
        all_eight, formats_may_differ, masks_per_buffer, blending_per_buffer, integers_are_not_blended,
        srgb_encodes_while_enabled, srgb_blends_in_light, srgb_clears_encode, no_colour_at_all,
        bound_locations, a_single_output_goes_to_one_buffer, deleted_and_reused_textures;
}

const COLOR0: u32 = gl::COLOR_ATTACHMENT0;

/// A framebuffer of `count` 4 x 4 RGBA8 textures, all drawn to.
fn several(count: u32) -> Vec<u32> {
    bound();
    let textures = (0..count).map(|i| attach_texture(COLOR0 + i, gl::RGBA8, 4, 4)).collect();
    let buffers: Vec<u32> = (0..count).map(|i| COLOR0 + i).collect();
    gl::DrawBuffers(count as i32, buffers.as_ptr());
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearColor(0.0, 0.0, 0.0, 0.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Viewport(0, 0, 4, 4);
    textures
}

/// Output i is (i + 1) / 10 in red.
fn counting(count: u32) -> Program {
    let outputs: String = (0..count).map(|i| format!("layout(location = {i}) out vec4 o{i};\n")).collect();
    let body: String =
        (0..count).map(|i| format!("o{i} = vec4({:?}, 0.0, 0.0, 1.0);\n", (i + 1) as f32 * 25.5 / 255.0)).collect();
    let program = program(SOLID_VS, &format!("#version 330 core\n{outputs}void main() {{ {body} }}\n"));
    program.bind();
    program
}

#[track_caller]
fn expect_red(buffer: u32, red: u8) {
    gl::ReadBuffer(COLOR0 + buffer);
    let got = Image::read(0, 0, 4, 4);
    let alpha = if red == 0 { 0 } else { 255 };
    got.expect_each_near(1, |_, _| [red, 0, 0, alpha]);
}

fn outputs_go_to_their_draw_buffers(_: &Env) {
    several(3);
    counting(3);
    quad();
    for (buffer, red) in [(0, 26), (1, 51), (2, 77)] {
        expect_red(buffer, red);
    }
}

fn draw_buffers_permute(_: &Env) {
    several(3);
    counting(3);
    gl::DrawBuffers(3, [COLOR0 + 2, COLOR0, COLOR0 + 1].as_ptr());
    quad();
    for (buffer, red) in [(2, 26), (0, 51), (1, 77)] {
        expect_red(buffer, red);
    }
}

fn none_drops_an_output(_: &Env) {
    several(3);
    counting(3);
    gl::DrawBuffers(3, [gl::NONE, COLOR0 + 1, gl::NONE].as_ptr());
    quad();
    for (buffer, red) in [(0, 0), (1, 51), (2, 0)] {
        expect_red(buffer, red);
    }
    gl::DrawBuffers(3, [gl::NONE, gl::NONE, COLOR0].as_ptr());
    quad();
    expect_red(0, 77);
    expect_red(1, 51);
}

fn all_eight(_: &Env) {
    assert!(get_i32(gl::MAX_DRAW_BUFFERS) >= 8 && get_i32(gl::MAX_COLOR_ATTACHMENTS) >= 8);
    several(8);
    counting(8);
    quad();
    for i in 0..8 {
        expect_red(i, ((i + 1) as f32 * 25.5).round() as u8);
    }
}

fn formats_may_differ(_: &Env) {
    bound();
    attach_texture(COLOR0, gl::RGBA8, 4, 4);
    attach_texture(COLOR0 + 1, gl::RGBA32F, 4, 4);
    attach_texture(COLOR0 + 2, gl::RGBA32I, 4, 4);
    gl::DrawBuffers(3, [COLOR0, COLOR0 + 1, COLOR0 + 2].as_ptr());
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 4, 4);
    let program = program(
        SOLID_VS,
        "#version 330 core
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out ivec4 c;
void main() { a = vec4(2.0, 0.0, 1.0, 1.0); b = vec4(2.0, -3.0, 0.5, 1.0); c = ivec4(-7, 8, 9, 1 << 30); }
",
    );
    program.bind();
    quad();
    Image::read(0, 0, 4, 4).expect_all([255, 0, 255, 255]);
    gl::ReadBuffer(COLOR0 + 1);
    assert_eq!(read_pixels::<f32>([2, 2, 1, 1], gl::RGBA, gl::FLOAT, 4), [2.0, -3.0, 0.5, 1.0]);
    gl::ReadBuffer(COLOR0 + 2);
    assert_eq!(read_pixels::<i32>([2, 2, 1, 1], gl::RGBA_INTEGER, gl::INT, 4), [-7, 8, 9, 1 << 30]);
}

fn masks_per_buffer(_: &Env) {
    several(2);
    gl::ColorMaski(1, gl::FALSE, gl::TRUE, gl::TRUE, gl::TRUE);
    gl::ClearColor(1.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::ReadBuffer(COLOR0);
    Image::read(0, 0, 4, 4).expect_all([255, 255, 0, 255]);
    gl::ReadBuffer(COLOR0 + 1);
    Image::read(0, 0, 4, 4).expect_all([0, 255, 0, 255]);
    counting(2);
    quad();
    Image::read(0, 0, 4, 4).expect_all([0, 0, 0, 255]);
}

fn blending_per_buffer(_: &Env) {
    several(2);
    gl::ClearColor(0.2, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Enablei(gl::BLEND, 1);
    gl::BlendFunc(gl::ONE, gl::ONE);
    counting(2);
    quad();
    gl::ReadBuffer(COLOR0);
    Image::read(0, 0, 4, 4).expect_each_near(1, |_, _| [26, 0, 0, 255]);
    gl::ReadBuffer(COLOR0 + 1);
    Image::read(0, 0, 4, 4).expect_each_near(1, |_, _| [102, 0, 0, 255]);
}

/// 4.1.7: integer buffers are not blended, the others of the framebuffer are.
fn integers_are_not_blended(_: &Env) {
    bound();
    attach_texture(COLOR0, gl::RGBA8, 4, 4);
    attach_texture(COLOR0 + 1, gl::RGBA32I, 4, 4);
    gl::DrawBuffers(2, [COLOR0, COLOR0 + 1].as_ptr());
    gl::ClearBufferfv(gl::COLOR, 0, [0.2_f32, 0.0, 0.0, 1.0].as_ptr());
    gl::ClearBufferiv(gl::COLOR, 1, [100_i32, 100, 100, 100].as_ptr());
    gl::Viewport(0, 0, 4, 4);
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    let program = program(
        SOLID_VS,
        "#version 330 core
layout(location = 0) out vec4 a;
layout(location = 1) out ivec4 b;
void main() { a = vec4(0.2, 0.0, 0.0, 0.0); b = ivec4(5); }
",
    );
    program.bind();
    quad();
    gl::ReadBuffer(COLOR0);
    Image::read(0, 0, 4, 4).expect_all([102, 0, 0, 255]);
    gl::ReadBuffer(COLOR0 + 1);
    assert_eq!(read_pixels::<i32>([0, 0, 1, 1], gl::RGBA_INTEGER, gl::INT, 4), [5; 4]);
}

/// 4.1.8: 0.5 is 188 of 255 in sRGB; alpha is linear.
fn srgb_encodes_while_enabled(_: &Env) {
    let target = Target::with_format(gl::SRGB8_ALPHA8, 4, 4);
    solid([0.5, 0.0, 1.0, 0.5]);
    quad();
    target.image().expect_each_near(1, |_, _| [128, 0, 255, 128]);
    gl::Enable(gl::FRAMEBUFFER_SRGB);
    quad();
    target.image().expect_each_near(1, |_, _| [188, 0, 255, 128]);
    gl::Disable(gl::FRAMEBUFFER_SRGB);
    quad();
    target.image().expect_each_near(1, |_, _| [128, 0, 255, 128]);
    // It does nothing to a linear buffer.
    gl::Enable(gl::FRAMEBUFFER_SRGB);
    let linear = Target::new(4, 4);
    quad();
    linear.image().expect_each_near(1, |_, _| [128, 0, 255, 128]);
}

/// 4.1.7: the destination is decoded before blending.
fn srgb_blends_in_light(_: &Env) {
    let target = Target::with_format(gl::SRGB8_ALPHA8, 4, 4);
    gl::Enable(gl::FRAMEBUFFER_SRGB);
    solid([0.25, 0.25, 0.25, 1.0]);
    quad();
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    quad();
    target.image().expect_each_near(1, |_, _| [188, 188, 188, 255]);
}

fn srgb_clears_encode(_: &Env) {
    let target = Target::with_format(gl::SRGB8_ALPHA8, 4, 4);
    target.clear([0.5, 0.0, 0.0, 0.5]);
    target.image().expect_each_near(1, |_, _| [128, 0, 0, 128]);
    gl::Enable(gl::FRAMEBUFFER_SRGB);
    target.clear([0.5, 0.0, 0.0, 0.5]);
    target.image().expect_each_near(1, |_, _| [188, 0, 0, 128]);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(0, 0, 2, 2);
    gl::ColorMask(gl::TRUE, gl::TRUE, gl::FALSE, gl::TRUE);
    target.clear([0.25, 0.25, 1.0, 1.0]);
    let image = target.image();
    let near = |x: i32, y: i32, expected: [u8; 4]| {
        let got = image.at(x, y);
        assert!(gallite_tests::draw::near(got, expected, 1), "({x}, {y}): {got:?}, expected {expected:?}");
    };
    near(0, 0, [137, 137, 0, 255]);
    near(3, 3, [188, 0, 0, 128]);
}

/// 4.4.4: depth alone is a complete framebuffer with draw and read buffers off.
fn no_colour_at_all(_: &Env) {
    bound();
    let depth = attach_texture(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 4, 4);
    gl::DrawBuffer(gl::NONE);
    gl::ReadBuffer(gl::NONE);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 4, 4);
    gl::ClearDepth(1.0);
    gl::Clear(gl::DEPTH_BUFFER_BIT | gl::COLOR_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    gallite_tests::draw::solid_at_depth([1.0; 4], 0.0);
    gallite_tests::draw::rect(-1.0, -1.0, 0.0, 1.0);
    gl::BindTexture(gl::TEXTURE_2D, depth);
    let mut depths = [0.0_f32; 16];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT, gl::FLOAT, depths.as_mut_ptr().cast());
    for (i, depth) in depths.iter().enumerate() {
        let expected = if i % 4 < 2 { 0.5 } else { 1.0 };
        assert!((depth - expected).abs() < 1e-6, "texel {i}: {depth}");
    }
}

/// 3.9.2: glBindFragDataLocation before linking.
fn bound_locations(_: &Env) {
    several(2);
    let fragment = "#version 330 core
out vec4 first;
out vec4 second;
void main() { first = vec4(1.0, 0.0, 0.0, 1.0); second = vec4(0.0, 1.0, 0.0, 1.0); }
";
    let program = program_with(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fragment)], |program| {
        gl::BindFragDataLocation(program, 1, c"first".as_ptr());
        gl::BindFragDataLocation(program, 0, c"second".as_ptr());
    });
    assert_eq!(gl::GetFragDataLocation(program.0, c"first".as_ptr()), 1);
    program.bind();
    quad();
    gl::ReadBuffer(COLOR0);
    Image::read(0, 0, 4, 4).expect_all([0, 255, 0, 255]);
    gl::ReadBuffer(COLOR0 + 1);
    Image::read(0, 0, 4, 4).expect_all([255, 0, 0, 255]);
}

fn a_single_output_goes_to_one_buffer(_: &Env) {
    several(2);
    gl::DrawBuffers(1, [COLOR0 + 1].as_ptr());
    solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    expect_red(0, 0);
    expect_red(1, 255);
}

/// A name that comes back after deletion is another texture.
fn deleted_and_reused_textures(_: &Env) {
    for turn in 0..6 {
        let target = Target::new(4, 4);
        solid([turn as f32 * 51.0 / 255.0, 0.0, 0.0, 1.0]);
        quad();
        target.image().expect_all([turn * 51, 0, 0, 255]);
        target.delete();
    }
}
