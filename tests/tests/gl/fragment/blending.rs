//! Blending: GL 3.3 core 4.1.7, on float targets so that the equations show without rounding.

use gallite_tests::draw::{
    SOLID_VS, Target, expect_error, expect_near, expect_no_error, gen_texture, get_i32, get_i32s, program,
    program_with, quad, read_pixels, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): every_source_factor, every_destination_factor, every_equation, separate_rgb_and_alpha,
        case_08_dual_source_factors, dual_source_outputs_bound_by_name, each_buffer_has_its_enable, fixed_point_targets_clamp, integer_targets_do_not_blend,
        alpha_of_a_buffer_without_alpha_is_one, colour_masks_of_each_buffer, constants_are_clamped_for_fixed_point_only,
        blending_reads_what_the_last_draw_wrote;
    every core(3, 3): bad_arguments, separate_state_is_queried;
}

type Colour = [f32; 4];

const SOURCE: Colour = [0.75, 0.5, 0.25, 0.625];
const DESTINATION: Colour = [0.5, 0.25, 1.0, 0.375];
const CONSTANT: Colour = [0.25, 0.75, 0.5, 0.125];
const SECOND: Colour = [0.125, 0.875, 0.375, 0.75];

/// Table 4.2: a factor's value for each channel.
fn factor(name: u32, s: Colour, d: Colour) -> Colour {
    let each = |f: &dyn Fn(usize) -> f32| std::array::from_fn(f);
    match name {
        gl::ZERO => [0.0; 4],
        gl::ONE => [1.0; 4],
        gl::SRC_COLOR => s,
        gl::ONE_MINUS_SRC_COLOR => each(&|i| 1.0 - s[i]),
        gl::DST_COLOR => d,
        gl::ONE_MINUS_DST_COLOR => each(&|i| 1.0 - d[i]),
        gl::SRC_ALPHA => [s[3]; 4],
        gl::ONE_MINUS_SRC_ALPHA => [1.0 - s[3]; 4],
        gl::DST_ALPHA => [d[3]; 4],
        gl::ONE_MINUS_DST_ALPHA => [1.0 - d[3]; 4],
        gl::CONSTANT_COLOR => CONSTANT,
        gl::ONE_MINUS_CONSTANT_COLOR => each(&|i| 1.0 - CONSTANT[i]),
        gl::CONSTANT_ALPHA => [CONSTANT[3]; 4],
        gl::ONE_MINUS_CONSTANT_ALPHA => [1.0 - CONSTANT[3]; 4],
        gl::SRC_ALPHA_SATURATE => {
            let f = s[3].min(1.0 - d[3]);
            [f, f, f, 1.0]
        }
        gl::SRC1_COLOR => SECOND,
        gl::ONE_MINUS_SRC1_COLOR => each(&|i| 1.0 - SECOND[i]),
        gl::SRC1_ALPHA => [SECOND[3]; 4],
        gl::ONE_MINUS_SRC1_ALPHA => [1.0 - SECOND[3]; 4],
        _ => panic!("factor {name:#x}"),
    }
}

const FACTORS: [u32; 15] = [
    gl::ZERO,
    gl::ONE,
    gl::SRC_COLOR,
    gl::ONE_MINUS_SRC_COLOR,
    gl::DST_COLOR,
    gl::ONE_MINUS_DST_COLOR,
    gl::SRC_ALPHA,
    gl::ONE_MINUS_SRC_ALPHA,
    gl::DST_ALPHA,
    gl::ONE_MINUS_DST_ALPHA,
    gl::CONSTANT_COLOR,
    gl::ONE_MINUS_CONSTANT_COLOR,
    gl::CONSTANT_ALPHA,
    gl::ONE_MINUS_CONSTANT_ALPHA,
    gl::SRC_ALPHA_SATURATE,
];

/// Table 4.1.
fn equation(name: u32, s: f32, sf: f32, d: f32, df: f32) -> f32 {
    match name {
        gl::FUNC_ADD => s * sf + d * df,
        gl::FUNC_SUBTRACT => s * sf - d * df,
        gl::FUNC_REVERSE_SUBTRACT => d * df - s * sf,
        gl::MIN => s.min(d),
        gl::MAX => s.max(d),
        _ => panic!("equation {name:#x}"),
    }
}

fn float_target() -> Target {
    let target = Target::with_format(gl::RGBA32F, 2, 2);
    solid(SOURCE);
    gl::Enable(gl::BLEND);
    gl::BlendColor(CONSTANT[0], CONSTANT[1], CONSTANT[2], CONSTANT[3]);
    target
}

fn pixel() -> Vec<f32> {
    read_pixels([1, 1, 1, 1], gl::RGBA, gl::FLOAT, 4)
}

fn clear_to(colour: Colour) {
    gl::ClearBufferfv(gl::COLOR, 0, colour.as_ptr());
}

#[track_caller]
fn expect_blend(source: u32, destination: u32) {
    clear_to(DESTINATION);
    gl::BlendFunc(source, destination);
    quad();
    let (sf, df) = (factor(source, SOURCE, DESTINATION), factor(destination, SOURCE, DESTINATION));
    let expected: Colour = std::array::from_fn(|i| SOURCE[i] * sf[i] + DESTINATION[i] * df[i]);
    let got = pixel();
    let same = got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(same, "source {source:#x}, destination {destination:#x}: {got:?}, expected {expected:?}");
}

fn every_source_factor(_: &Env) {
    float_target();
    for source in FACTORS {
        for destination in [gl::ZERO, gl::ONE_MINUS_SRC_ALPHA] {
            expect_blend(source, destination);
        }
    }
}

fn every_destination_factor(_: &Env) {
    float_target();
    for destination in FACTORS {
        for source in [gl::ZERO, gl::DST_COLOR] {
            expect_blend(source, destination);
        }
    }
}

fn every_equation(_: &Env) {
    float_target();
    gl::BlendFunc(gl::SRC_ALPHA, gl::CONSTANT_COLOR);
    for name in [gl::FUNC_ADD, gl::FUNC_SUBTRACT, gl::FUNC_REVERSE_SUBTRACT, gl::MIN, gl::MAX] {
        gl::BlendEquation(name);
        clear_to(DESTINATION);
        quad();
        let expected: Colour =
            std::array::from_fn(|i| equation(name, SOURCE[i], SOURCE[3], DESTINATION[i], CONSTANT[i]));
        expect_near(&pixel(), &expected, 1e-5);
    }
}

fn separate_rgb_and_alpha(_: &Env) {
    float_target();
    gl::BlendEquationSeparate(gl::FUNC_REVERSE_SUBTRACT, gl::MAX);
    gl::BlendFuncSeparate(gl::DST_COLOR, gl::ONE, gl::ZERO, gl::ZERO);
    clear_to(DESTINATION);
    quad();
    let rgb = |i: usize| DESTINATION[i] - SOURCE[i] * DESTINATION[i];
    expect_near(&pixel(), &[rgb(0), rgb(1), rgb(2), SOURCE[3].max(DESTINATION[3])], 1e-5);
}

/// 4.1.7: the second colour of index 1 is a factor. The same device draws programs with one output too.
fn case_08_dual_source_factors(_: &Env) {
    float_target();
    let fragment = "#version 330 core
uniform vec4 colour;
uniform vec4 second;
layout(location = 0, index = 0) out vec4 result;
layout(location = 0, index = 1) out vec4 other;
void main() { result = colour; other = second; }
";
    let program = program(SOLID_VS, fragment);
    program.set4f("colour", SOURCE);
    program.set4f("second", SECOND);
    for name in [gl::SRC1_COLOR, gl::ONE_MINUS_SRC1_COLOR, gl::SRC1_ALPHA, gl::ONE_MINUS_SRC1_ALPHA] {
        expect_blend(name, gl::ONE);
        expect_blend(gl::ONE, name);
    }
    solid(SOURCE);
    expect_blend(gl::SRC_ALPHA, gl::ONE);
}

/// 15.2.3: outputs without a layout go where the program binds them, at the next link.
fn dual_source_outputs_bound_by_name(_: &Env) {
    float_target();
    let fragment = "#version 330 core
uniform vec4 colour;
uniform vec4 second;
out vec4 result;
out vec4 other;
void main() { result = colour; other = second; }
";
    let bound = |first: u32, second: u32| {
        let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fragment)];
        let program = program_with(&stages, |program| {
            gl::BindFragDataLocationIndexed(program, 0, first, c"result".as_ptr());
            gl::BindFragDataLocationIndexed(program, 0, second, c"other".as_ptr());
        });
        for (name, index) in [(c"result", first), (c"other", second)] {
            assert_eq!(gl::GetFragDataLocation(program.0, name.as_ptr()), 0, "{name:?}");
            assert_eq!(gl::GetFragDataIndex(program.0, name.as_ptr()), index as i32, "{name:?}");
        }
        assert_eq!(gl::GetFragDataIndex(program.0, c"none".as_ptr()), -1);
        program.bind();
        program
    };
    let program = bound(0, 1);
    program.set4f("colour", SOURCE);
    program.set4f("second", SECOND);
    for name in [gl::SRC1_COLOR, gl::ONE_MINUS_SRC1_COLOR, gl::SRC1_ALPHA, gl::ONE_MINUS_SRC1_ALPHA] {
        expect_blend(name, gl::ONE);
        expect_blend(gl::ONE, name);
    }
    let turned = bound(1, 0);
    turned.set4f("colour", SECOND);
    turned.set4f("second", SOURCE);
    expect_blend(gl::SRC1_COLOR, gl::SRC1_ALPHA);
    gl::BindFragDataLocationIndexed(program.0, 0, 2, c"result".as_ptr());
    expect_error(gl::INVALID_VALUE, "a third source");
    gl::BindFragDataLocationIndexed(program.0, get_i32(gl::MAX_DRAW_BUFFERS) as u32, 0, c"result".as_ptr());
    expect_error(gl::INVALID_VALUE, "a buffer past the last");
    let dual = get_i32(gl::MAX_DUAL_SOURCE_DRAW_BUFFERS) as u32;
    gl::BindFragDataLocationIndexed(program.0, dual, 1, c"other".as_ptr());
    expect_error(gl::INVALID_VALUE, "a buffer past the last of two sources");
    gl::BindFragDataLocationIndexed(program.0, 0, 0, c"gl_FragColor".as_ptr());
    expect_error(gl::INVALID_OPERATION, "a reserved name");
}

/// A second and third colour texture on the bound framebuffer, and a program that writes to all three.
fn three_buffers(formats: [u32; 2]) {
    for (at, format) in formats.into_iter().enumerate() {
        let texture = gen_texture();
        gl::BindTexture(gl::TEXTURE_2D, texture);
        gl::TexImage2D(gl::TEXTURE_2D, 0, format, 2, 2, 0, gl::RGBA, gl::FLOAT, std::ptr::null());
        let attachment = gl::COLOR_ATTACHMENT0 + 1 + at as u32;
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, attachment, gl::TEXTURE_2D, texture, 0);
    }
    let buffers = [gl::COLOR_ATTACHMENT0, gl::COLOR_ATTACHMENT0 + 1, gl::COLOR_ATTACHMENT0 + 2];
    gl::DrawBuffers(3, buffers.as_ptr());
    let fragment = "#version 330 core
uniform vec4 colour;
layout(location = 0) out vec4 results[3];
void main() { results[0] = colour; results[1] = colour; results[2] = colour; }
";
    program_with(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fragment)], |_| {}).bind();
    gl::Uniform4fv(0, 1, SOURCE.as_ptr());
    (0..3).for_each(|at| gl::ClearBufferfv(gl::COLOR, at, DESTINATION.as_ptr()));
}

fn buffer_pixel(at: u32) -> Vec<f32> {
    gl::ReadBuffer(gl::COLOR_ATTACHMENT0 + at);
    pixel()
}

fn each_buffer_has_its_enable(_: &Env) {
    float_target();
    three_buffers([gl::RGBA32F, gl::RGBA32F]);
    gl::BlendFunc(gl::ONE, gl::ONE);
    gl::Disablei(gl::BLEND, 1);
    assert_eq!([0, 1, 2].map(|at| gl::IsEnabledi(gl::BLEND, at)), [1, 0, 1]);
    quad();
    let sum: Colour = std::array::from_fn(|i| SOURCE[i] + DESTINATION[i]);
    expect_near(&buffer_pixel(0), &sum, 1e-5);
    expect_near(&buffer_pixel(1), &SOURCE, 1e-5);
    expect_near(&buffer_pixel(2), &sum, 1e-5);
}

fn colour_masks_of_each_buffer(_: &Env) {
    float_target();
    gl::Disable(gl::BLEND);
    three_buffers([gl::RGBA32F, gl::RGBA32F]);
    gl::ColorMaski(0, 1, 0, 0, 1);
    gl::ColorMaski(1, 0, 1, 1, 0);
    gl::ColorMaski(2, 0, 0, 0, 0);
    quad();
    let [s, d] = [SOURCE, DESTINATION];
    expect_near(&buffer_pixel(0), &[s[0], d[1], d[2], s[3]], 1e-6);
    expect_near(&buffer_pixel(1), &[d[0], s[1], s[2], d[3]], 1e-6);
    expect_near(&buffer_pixel(2), &d, 1e-6);
    gl::ColorMask(1, 1, 1, 1);
    quad();
    expect_near(&buffer_pixel(2), &s, 1e-6);
}

/// 4.1.7: on a fixed-point buffer everything is clamped before and after.
fn fixed_point_targets_clamp(_: &Env) {
    let target = Target::new(2, 2);
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    target.clear([0.8, 0.8, 0.2, 0.0]);
    solid([0.6, 4.0, -1.0, 0.2]);
    quad();
    target.image().expect_each_near(1, |_, _| [255, 255, 51, 51]);
    gl::BlendEquation(gl::FUNC_SUBTRACT);
    quad();
    target.image().expect_each_near(1, |_, _| [0, 0, 0, 0]);
}

/// 4.1.7: blending does not apply to integer buffers.
fn integer_targets_do_not_blend(_: &Env) {
    let target = Target::with_format(gl::RGBA8UI, 2, 2);
    gl::ClearBufferuiv(gl::COLOR, 0, [100_u32, 100, 100, 100].as_ptr());
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    program(SOLID_VS, "#version 330 core\nout uvec4 result;\nvoid main() { result = uvec4(7u, 8u, 9u, 10u); }\n");
    quad();
    let got: Vec<u32> = read_pixels([0, 0, 1, 1], gl::RGBA_INTEGER, gl::UNSIGNED_INT, 4);
    assert_eq!(got, [7, 8, 9, 10]);
    target.delete();
}

/// Lesson 25, for blending: a buffer without alpha has a destination alpha of one, whatever stores it.
fn alpha_of_a_buffer_without_alpha_is_one(_: &Env) {
    for format in [gl::RGB8, gl::RGB16F, gl::R11F_G11F_B10F, gl::RGB565] {
        let target = Target::with_format(format, 2, 2);
        target.clear([0.0, 0.0, 0.0, 0.0]);
        solid([1.0, 1.0, 1.0, 0.0]);
        gl::Enable(gl::BLEND);
        gl::BlendFunc(gl::DST_ALPHA, gl::ZERO);
        quad();
        target.image().expect_all([255; 4]);
        gl::BlendFunc(gl::ONE_MINUS_DST_ALPHA, gl::ZERO);
        quad();
        target.image().expect_all([0, 0, 0, 255]);
        expect_no_error("blending");
    }
}

fn constants_are_clamped_for_fixed_point_only(_: &Env) {
    gl::BlendColor(2.0, -1.0, 0.5, 4.0);
    gl::BlendFunc(gl::CONSTANT_COLOR, gl::ZERO);
    gl::Enable(gl::BLEND);
    let target = Target::new(2, 2);
    solid([0.5, 1.0, 1.0, 0.25]);
    quad();
    target.image().expect_each_near(1, |_, _| [128, 0, 128, 64]);
    Target::with_format(gl::RGBA32F, 2, 2);
    quad();
    expect_near(&pixel(), &[1.0, -1.0, 0.5, 1.0], 1e-5);
}

fn blending_reads_what_the_last_draw_wrote(_: &Env) {
    let target = Target::with_format(gl::RGBA32F, 2, 2);
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    solid([1.0, 2.0, 0.5, 0.25]);
    clear_to([0.0; 4]);
    (0..64).for_each(|_| quad());
    expect_near(&pixel(), &[64.0, 128.0, 32.0, 16.0], 0.0);
    target.delete();
}

fn bad_arguments(_: &Env) {
    gl::BlendFunc(gl::FUNC_ADD, gl::ONE);
    expect_error(gl::INVALID_ENUM, "source");
    gl::BlendFuncSeparate(gl::ONE, gl::ONE, gl::ONE, gl::TEXTURE_2D);
    expect_error(gl::INVALID_ENUM, "destination alpha");
    gl::BlendEquation(gl::ONE);
    expect_error(gl::INVALID_ENUM, "equation");
    gl::BlendEquationSeparate(gl::FUNC_ADD, gl::ONE);
    expect_error(gl::INVALID_ENUM, "equation of alpha");
    let buffers = get_i32(gl::MAX_DRAW_BUFFERS) as u32;
    gl::Enablei(gl::BLEND, buffers);
    expect_error(gl::INVALID_VALUE, "no such buffer");
    gl::Enablei(gl::DEPTH_TEST, 0);
    expect_error(gl::INVALID_ENUM, "not an indexed capability");
    gl::ColorMaski(buffers, 1, 1, 1, 1);
    expect_error(gl::INVALID_VALUE, "no such buffer");
    assert_eq!((get_i32(gl::BLEND_SRC_RGB) as u32, get_i32(gl::BLEND_DST_ALPHA) as u32), (gl::ONE, gl::ZERO));
}

fn separate_state_is_queried(_: &Env) {
    gl::BlendFuncSeparate(gl::SRC_ALPHA, gl::ONE, gl::DST_COLOR, gl::ZERO);
    gl::BlendEquationSeparate(gl::MIN, gl::FUNC_SUBTRACT);
    let names = [
        (gl::BLEND_SRC_RGB, gl::SRC_ALPHA),
        (gl::BLEND_DST_RGB, gl::ONE),
        (gl::BLEND_SRC_ALPHA, gl::DST_COLOR),
        (gl::BLEND_DST_ALPHA, gl::ZERO),
        (gl::BLEND_EQUATION_RGB, gl::MIN),
        (gl::BLEND_EQUATION_ALPHA, gl::FUNC_SUBTRACT),
    ];
    for (name, value) in names {
        assert_eq!(get_i32(name) as u32, value, "{name:#x}");
    }
    gl::ColorMaski(2, 0, 1, 0, 1);
    let mut mask = [9_u8; 4];
    gl::GetBooleani_v(gl::COLOR_WRITEMASK, 2, mask.as_mut_ptr());
    assert_eq!(mask, [0, 1, 0, 1]);
    assert_eq!(get_i32s(gl::COLOR_WRITEMASK), [1, 1, 1, 1]);
}
