//! Sampler objects: GL 3.3 core 3.8.2 and 6.1.5.

use crate::textures::{lookup, lookup_int, nearest};
use gallite_tests::draw::{
    SOLID_VS, Target, debug_messages, expect_error, expect_near, gen_sampler, gen_texture, get_i32, has_extension,
    program, quad,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, run_child};

gl_tests! {
    lesser core(3, 3): replace_the_parameters_of_the_texture, changes_take_effect_at_once, mirrored_and_clamped, one_sampler_on_several_units,
        two_samplers_on_one_texture, lod_range, comparison, integer_borders, completeness_follows_the_sampler,
        many_samplers, many_border_colours, many_border_colours_at_once;
    vulkan core(3, 3): on_a_device_with_few_border_colours;
    every core(3, 3): names_and_bindings, parameters_read_back, errors;
}

/// Texels 0 and 200 in red.
fn two_texels() {
    nearest(gl::TEXTURE_2D);
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R8, 2, 1, 0, gl::RED, gl::UNSIGNED_BYTE, [0_u8, 200].as_ptr().cast());
}

fn red() -> f32 {
    lookup("sampler2D", "texture(t, vec2(1.25, 0.5))")[0] * 255.0
}

fn set(sampler: u32, name: u32, value: u32) {
    gl::SamplerParameteri(sampler, name, value as i32);
}

fn nearest_sampler() -> u32 {
    let sampler = gen_sampler();
    set(sampler, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    set(sampler, gl::TEXTURE_MAG_FILTER, gl::NEAREST);
    sampler
}

fn near(got: f32, expected: f32) {
    assert!((got - expected).abs() < 0.6, "{got}, expected {expected}");
}

fn replace_the_parameters_of_the_texture(_: &Env) {
    two_texels();
    near(red(), 200.0);
    let sampler = nearest_sampler();
    gl::BindSampler(0, sampler);
    // A new sampler repeats.
    near(red(), 0.0);
    gl::BindSampler(0, 0);
    near(red(), 200.0);
    gl::BindSampler(0, sampler);
    near(red(), 0.0);
    gl::DeleteSamplers(1, &sampler);
    near(red(), 200.0);
}

fn changes_take_effect_at_once(_: &Env) {
    two_texels();
    let sampler = nearest_sampler();
    gl::BindSampler(0, sampler);
    for (wrap, expected) in
        [(gl::REPEAT, 0.0), (gl::CLAMP_TO_EDGE, 200.0), (gl::MIRRORED_REPEAT, 200.0), (gl::CLAMP_TO_BORDER, 51.0)]
    {
        set(sampler, gl::TEXTURE_WRAP_S, wrap);
        gl::SamplerParameterfv(sampler, gl::TEXTURE_BORDER_COLOR, [0.2_f32, 0.0, 0.0, 0.0].as_ptr());
        near(red(), expected);
    }
    set(sampler, gl::TEXTURE_WRAP_S, gl::REPEAT);
    set(sampler, gl::TEXTURE_MIN_FILTER, gl::LINEAR);
    set(sampler, gl::TEXTURE_MAG_FILTER, gl::LINEAR);
    let middle = lookup("sampler2D", "texture(t, vec2(0.5, 0.5))")[0] * 255.0;
    near(middle, 100.0);
}

/// GL 4.6 core 8.14.2: mirrored once, then clamped.
fn mirrored_and_clamped(_: &Env) {
    two_texels();
    let sampler = nearest_sampler();
    gl::BindSampler(0, sampler);
    // The first texel's mirror image is the first, far out is the last.
    set(sampler, gl::TEXTURE_WRAP_S, gl::MIRROR_CLAMP_TO_EDGE);
    if has_extension("GL_ARB_texture_mirror_clamp_to_edge") {
        for (s, expected) in [(-0.25, 0.0), (-0.75, 200.0), (-1.75, 200.0), (1.75, 200.0)] {
            near(lookup("sampler2D", &format!("texture(t, vec2({s:?}, 0.5))"))[0] * 255.0, expected);
        }
    } else {
        // What the device can't do is refused, and not drawn in some other way.
        expect_error(gl::INVALID_ENUM, "a wrap mode that there is not");
        assert!([get_i32(gl::MAJOR_VERSION), get_i32(gl::MINOR_VERSION)] < [4, 4], "which OpenGL 4.4 has");
    }
}

/// Draws once with two units, each its texture, one sampler for both.
fn one_sampler_on_several_units(_: &Env) {
    let sampler = nearest_sampler();
    let textures: Vec<u32> = (0..2)
        .map(|unit| {
            gl::ActiveTexture(gl::TEXTURE0 + unit);
            let name = gen_texture();
            gl::BindTexture(gl::TEXTURE_2D, name);
            let texels = [[unit as u8 * 100 + 50, 0, 0, 255]; 4];
            let data = texels.as_ptr().cast();
            gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 2, 2, 0, gl::RGBA, gl::UNSIGNED_BYTE, data);
            gl::BindSampler(unit, sampler);
            name
        })
        .collect();
    let target = Target::new(2, 2);
    let program = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D a, b;
out vec4 result;
void main() { result = vec4(texture(a, vec2(0.5)).r, texture(b, vec2(0.5)).r, 0.0, 1.0); }
",
    );
    program.bind();
    program.set1i("a", 0);
    program.set1i("b", 1);
    quad();
    target.image().expect_all([50, 150, 0, 255]);
    // The texture's own filter is mipmapped and it has one level: without the sampler it is incomplete.
    gl::BindSampler(1, 0);
    quad();
    target.image().expect_all([50, 0, 0, 255]);
    assert_ne!(textures[0], textures[1]);
}

fn two_samplers_on_one_texture(_: &Env) {
    two_texels();
    let texture = get_i32(gl::TEXTURE_BINDING_2D) as u32;
    gl::ActiveTexture(gl::TEXTURE1);
    gl::BindTexture(gl::TEXTURE_2D, texture);
    let (repeat, clamp) = (nearest_sampler(), nearest_sampler());
    set(clamp, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_EDGE);
    gl::BindSampler(0, repeat);
    gl::BindSampler(1, clamp);
    let target = Target::new(2, 2);
    let program = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D a, b;
out vec4 result;
void main() { result = vec4(texture(a, vec2(1.25, 0.5)).r, texture(b, vec2(1.25, 0.5)).r, 0.0, 1.0); }
",
    );
    program.bind();
    program.set1i("a", 0);
    program.set1i("b", 1);
    quad();
    target.image().expect_all([0, 200, 0, 255]);
    program.set1i("a", 1);
    program.set1i("b", 0);
    quad();
    target.image().expect_all([200, 0, 0, 255]);
}

fn lod_range(_: &Env) {
    nearest(gl::TEXTURE_2D);
    for (level, size) in [(0, 2), (1, 1)] {
        let texels = [level as u8 * 100 + 50; 4];
        gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
        let data = texels.as_ptr().cast();
        gl::TexImage2D(gl::TEXTURE_2D, level, gl::R8, size, size, 0, gl::RED, gl::UNSIGNED_BYTE, data);
    }
    let sampler = nearest_sampler();
    set(sampler, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST);
    gl::BindSampler(0, sampler);
    let at = |lod: &str| lookup("sampler2D", &format!("textureLod(t, vec2(0.5), {lod})"))[0] * 255.0;
    near(at("1.0"), 150.0);
    gl::SamplerParameterf(sampler, gl::TEXTURE_MAX_LOD, 0.25);
    near(at("1.0"), 50.0);
    gl::SamplerParameterf(sampler, gl::TEXTURE_MAX_LOD, 9.0);
    gl::SamplerParameterf(sampler, gl::TEXTURE_MIN_LOD, 1.0);
    near(at("0.0"), 150.0);
    gl::SamplerParameterf(sampler, gl::TEXTURE_MIN_LOD, 0.0);
    gl::SamplerParameterf(sampler, gl::TEXTURE_LOD_BIAS, 1.0);
    near(at("0.0"), 150.0);
}

fn comparison(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let (format, kind) = (gl::DEPTH_COMPONENT, gl::FLOAT);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT32F, 1, 1, 0, format, kind, [0.5_f32].as_ptr().cast());
    let sampler = nearest_sampler();
    gl::BindSampler(0, sampler);
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[0.5, 0.0, 0.0, 1.0], 0.0);
    set(sampler, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE);
    set(sampler, gl::TEXTURE_COMPARE_FUNC, gl::GREATER);
    assert_eq!(lookup("sampler2DShadow", "texture(t, vec3(0.5, 0.5, 0.75))")[0], 1.0);
    set(sampler, gl::TEXTURE_COMPARE_FUNC, gl::LESS);
    assert_eq!(lookup("sampler2DShadow", "texture(t, vec3(0.5, 0.5, 0.75))")[0], 0.0);
}

fn integer_borders(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let texels = [1_i32; 4];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA32I, 1, 1, 0, gl::RGBA_INTEGER, gl::INT, texels.as_ptr().cast());
    let sampler = nearest_sampler();
    set(sampler, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
    gl::SamplerParameterIiv(sampler, gl::TEXTURE_BORDER_COLOR, [-1_i32, 2, -3, 4].as_ptr());
    gl::BindSampler(0, sampler);
    assert_eq!(lookup_int("isampler2D", "texture(t, vec2(1.5, 0.5))"), [-1, 2, -3, 4]);
}

/// 3.8.14: with a sampler its filters decide about completeness.
fn completeness_follows_the_sampler(_: &Env) {
    two_texels();
    let sampler = gen_sampler();
    gl::BindSampler(0, sampler);
    assert_eq!(lookup("sampler2D", "texture(t, vec2(0.75, 0.5))"), [0.0, 0.0, 0.0, 1.0], "mipmapped by default");
    set(sampler, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    near(lookup("sampler2D", "texture(t, vec2(0.75, 0.5))")[0] * 255.0, 200.0);
}

/// More distinct samplers than any cache keeps.
fn many_samplers(_: &Env) {
    two_texels();
    let target = Target::new(1, 1);
    let program = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texture(t, vec2(1.25, 0.5)); }
",
    );
    program.bind();
    for i in 0..600 {
        let sampler = nearest_sampler();
        set(sampler, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
        let border = [(i % 256) as f32 / 255.0, 0.0, 0.0, 0.0];
        gl::SamplerParameterfv(sampler, gl::TEXTURE_BORDER_COLOR, border.as_ptr());
        gl::SamplerParameterf(sampler, gl::TEXTURE_MAX_LOD, i as f32);
        gl::BindSampler(0, sampler);
        quad();
        if i % 100 == 99 {
            target.image().expect_all([(i % 256) as u8, 0, 0, 255]);
        }
        gl::DeleteSamplers(1, &sampler);
    }
}

fn border_sampler(color: [f32; 4]) -> u32 {
    let sampler = nearest_sampler();
    set(sampler, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_BORDER);
    gl::SamplerParameterfv(sampler, gl::TEXTURE_BORDER_COLOR, color.as_ptr());
    sampler
}

/// Border colours one after another, more than the least of devices has room for, then all again.
fn many_border_colours(_: &Env) {
    two_texels();
    let samplers: Vec<u32> = (0..40).map(|i| border_sampler([i as f32 / 64.0, 0.25, 0.75, 0.5])).collect();
    for _ in 0..2 {
        for (i, sampler) in samplers.iter().enumerate() {
            gl::BindSampler(0, *sampler);
            near(lookup("sampler2D", "texture(t, vec2(0.75, 0.5))")[0] * 255.0, 200.0);
            near(red(), i as f32 / 64.0 * 255.0);
        }
    }
}

/// Border colours in one batch of work. Where there is no room for all, some are the nearest that need none, the program is
/// told once, and the next batch has its own again.
fn many_border_colours_at_once(_: &Env) {
    two_texels();
    let program = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texture(t, vec2(1.25, 0.5)); }
",
    );
    let target = Target::new(16, 1);
    program.bind();
    gl::Enable(gl::DEBUG_OUTPUT);
    let samplers: Vec<u32> = (0..16).map(|i| border_sampler([i as f32 / 15.0, 0.0, 1.0, 1.0])).collect();
    gl::Enable(gl::SCISSOR_TEST);
    let draw = |range: std::ops::Range<usize>| {
        for i in range {
            gl::BindSampler(0, samplers[i]);
            gl::Scissor(i as i32, 0, 1, 1);
            quad();
        }
    };
    draw(0..16);
    let image = target.image();
    let exact = |x: usize| [(x * 17) as u8, 0, 0, 255];
    let inexact = (0..16).filter(|x| image.at(*x as i32, 0) != exact(*x)).count();
    for x in 0..16 {
        let pixel = image.at(x as i32, 0);
        assert!(
            pixel == exact(x) || pixel == [0, 0, 0, 255] || pixel == [255, 0, 0, 255],
            "{x}: {pixel:?} is no border"
        );
    }
    let told = debug_messages().iter().filter(|text| text.contains("border colours")).count();
    assert_eq!(told, usize::from(inexact != 0), "{inexact} colours are not those asked for");
    (0..16).for_each(|i| {
        draw(i..i + 1);
        assert_eq!(target.image().at(i as i32, 0), exact(i));
    });
}

fn on_a_device_with_few_border_colours(env: &Env) {
    let variables = [("GALLITE_VULKAN_WITHOUT", "many_border_colors"), ("GALLITE_VALIDATION", "1")];
    for test in ["many_border_colours", "many_border_colours_at_once"] {
        let output = run_child(&env.lane.name, &variables, &format!("samplers::{test}"));
        assert!(output.contains("child: passed") && !output.contains("VUID-"), "{output}");
    }
}

fn names_and_bindings(_: &Env) {
    let sampler = gen_sampler();
    gl::BindSampler(3, sampler);
    assert_eq!(gl::IsSampler(sampler), gl::TRUE);
    assert_eq!(get_i32(gl::SAMPLER_BINDING), 0);
    gl::ActiveTexture(gl::TEXTURE3);
    assert_eq!(get_i32(gl::SAMPLER_BINDING), sampler as i32);
    gl::DeleteSamplers(1, &sampler);
    assert_eq!(get_i32(gl::SAMPLER_BINDING), 0);
    assert_eq!(gl::IsSampler(sampler), gl::FALSE);
}

/// Table 6.23.
fn parameters_read_back(_: &Env) {
    let sampler = gen_sampler();
    gl::BindSampler(0, sampler);
    for (name, initial, changed) in [
        (gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_LINEAR, gl::LINEAR),
        (gl::TEXTURE_MAG_FILTER, gl::LINEAR, gl::NEAREST),
        (gl::TEXTURE_WRAP_S, gl::REPEAT, gl::CLAMP_TO_EDGE),
        (gl::TEXTURE_WRAP_T, gl::REPEAT, gl::MIRRORED_REPEAT),
        (gl::TEXTURE_WRAP_R, gl::REPEAT, gl::CLAMP_TO_BORDER),
        (gl::TEXTURE_MIN_LOD, -1000_i32 as u32, 2),
        (gl::TEXTURE_MAX_LOD, 1000, 4),
        (gl::TEXTURE_COMPARE_MODE, gl::NONE, gl::COMPARE_REF_TO_TEXTURE),
        (gl::TEXTURE_COMPARE_FUNC, gl::LEQUAL, gl::NEVER),
    ] {
        let get = || {
            let mut value = i32::MIN;
            gl::GetSamplerParameteriv(sampler, name, &mut value);
            value
        };
        assert_eq!(get(), initial as i32, "{name:#x}");
        set(sampler, name, changed);
        assert_eq!(get(), changed as i32, "{name:#x}");
    }
    let (border, mut got) = ([1.5_f32, -2.0, 0.0, 4.0], [0.0_f32; 4]);
    gl::SamplerParameterfv(sampler, gl::TEXTURE_BORDER_COLOR, border.as_ptr());
    gl::GetSamplerParameterfv(sampler, gl::TEXTURE_BORDER_COLOR, got.as_mut_ptr());
    assert_eq!(got, border);
    let (border, mut got) = ([1_u32, u32::MAX, 0, 4], [0_u32; 4]);
    gl::SamplerParameterIuiv(sampler, gl::TEXTURE_BORDER_COLOR, border.as_ptr());
    gl::GetSamplerParameterIuiv(sampler, gl::TEXTURE_BORDER_COLOR, got.as_mut_ptr());
    assert_eq!(got, border);
}

fn errors(_: &Env) {
    let sampler = gen_sampler();
    gl::BindSampler(0, sampler);
    gl::BindSampler(get_i32(gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32, sampler);
    expect_error(gl::INVALID_VALUE, "a unit past the last");
    gl::BindSampler(0, 9999);
    expect_error(gl::INVALID_OPERATION, "a name that was never generated");
    set(9999, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    let error = gl::GetError();
    assert!(matches!(error, gl::INVALID_OPERATION | gl::INVALID_VALUE), "no such sampler: {error:#x}");
    set(sampler, gl::TEXTURE_MAG_FILTER, gl::NEAREST_MIPMAP_NEAREST);
    expect_error(gl::INVALID_ENUM, "magnification");
    set(sampler, gl::TEXTURE_BASE_LEVEL, 1);
    expect_error(gl::INVALID_ENUM, "a parameter of textures alone");
    set(sampler, gl::TEXTURE_SWIZZLE_R, gl::RED);
    expect_error(gl::INVALID_ENUM, "a parameter of textures alone");
    set(sampler, gl::TEXTURE_BORDER_COLOR, 0);
    expect_error(gl::INVALID_ENUM, "four values by one");
    gl::DeleteSamplers(-1, &sampler);
    expect_error(gl::INVALID_VALUE, "negative count");
}
