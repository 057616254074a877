//! Multisampling: GL 3.3 core 3.3.1, 3.8.6, 4.1.3 and 4.4.2.

use crate::framebuffers::{attach_renderbuffer, bound};
use gallite_tests::draw::{
    Image, Program, SOLID_VS, Target, buffer, expect_error, expect_near, framebuffer_status, gen_texture, get_i32,
    get_i32s, program, quad, rect, require_extension, run_float, solid, solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): samples_are_fetched_one_by_one, layers_of_samples, edges_cover_some_samples, sample_mask,
        alpha_to_coverage, alpha_to_one, sample_coverage, multisampling_off_covers_all,
        multisampling_off_shades_at_the_centre, shaded_samples_are_interpolated_where_they_lie, multisampling_on_again_shades_at_the_samples, multisampling_off_reaches_every_kind_of_draw, depth_per_sample,
        only_depth_with_draw_buffers_off, integer_samples, clears_reach_all_samples, textures_resolve_by_blit,
        positions_are_inside_the_pixel;
    every core(3, 3): limits, reading_samples_is_refused;
}

const COLOR0: u32 = gl::COLOR_ATTACHMENT0;

/// A multisample texture of four samples attached to a new framebuffer, cleared to zero.
fn texture_target(internal: u32, size: i32) -> u32 {
    bound();
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, texture);
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, internal, size, size, gl::TRUE);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, COLOR0, gl::TEXTURE_2D_MULTISAMPLE, texture, 0);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, size, size);
    if internal == gl::RGBA8 {
        gl::ClearColor(0.0, 0.0, 0.0, 0.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
    }
    texture
}

fn fetching(expression: &str) -> Program {
    let fragment = format!(
        "#version 330 core
uniform sampler2DMS t;
out vec4 result;
void main() {{ result = vec4({expression}); }}
"
    );
    program(SOLID_VS, &fragment)
}

/// The red of each sample of the bound texture at a pixel.
#[track_caller]
fn samples_at(x: i32, y: i32) -> [f32; 4] {
    let one = |i: i32| format!("texelFetch(t, ivec2({x}, {y}), {i}).r");
    let program = fetching(&format!("{}, {}, {}, {}", one(0), one(1), one(2), one(3)));
    let value = run_float(program);
    program.delete();
    value
}

fn samples_are_fetched_one_by_one(_: &Env) {
    texture_target(gl::RGBA8, 4);
    gl::Enable(gl::SAMPLE_MASK);
    for (sample, red) in [(0, 0.2), (1, 0.4), (2, 0.6), (3, 0.8)] {
        gl::SampleMaski(0, 1 << sample);
        solid([red, 0.0, 0.0, 1.0]);
        quad();
    }
    gl::Disable(gl::SAMPLE_MASK);
    expect_near(&samples_at(0, 0), &[0.2, 0.4, 0.6, 0.8], 1e-5);
    expect_near(&samples_at(3, 2), &[0.2, 0.4, 0.6, 0.8], 1e-5);
    assert_eq!(run_float(fetching("textureSize(t), 0.0, 0.0")), [4.0, 4.0, 0.0, 0.0]);
}

fn layers_of_samples(_: &Env) {
    bound();
    let texture = gen_texture();
    let target = gl::TEXTURE_2D_MULTISAMPLE_ARRAY;
    gl::BindTexture(target, texture);
    gl::TexImage3DMultisample(target, 4, gl::RGBA8, 2, 2, 3, gl::TRUE);
    for layer in 0..3 {
        gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, texture, 0, layer);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
        gl::ClearColor(layer as f32 * 0.2 + 0.2, 0.0, 0.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
    }
    let fragment = "#version 330 core
uniform sampler2DMSArray t;
out vec4 result;
void main() {
    result = vec4(texelFetch(t, ivec3(0, 0, 0), 0).r, texelFetch(t, ivec3(1, 0, 1), 1).r,
        texelFetch(t, ivec3(0, 1, 2), 3).r, float(textureSize(t).z));
}
";
    expect_near(&run_float(program(SOLID_VS, fragment)), &[0.2, 0.4, 0.6, 3.0], 1e-5);
}

/// A rectangle whose edge runs through the middle of a column.
fn edges_cover_some_samples(_: &Env) {
    texture_target(gl::RGBA8, 4);
    solid([1.0; 4]);
    rect(-1.0, -1.0, -0.25, 1.0);
    assert_eq!(samples_at(0, 1), [1.0; 4]);
    let covered = samples_at(1, 1).iter().filter(|v| **v == 1.0).count();
    assert_eq!(covered, 2, "the standard pattern has two of four samples left of the middle");
    assert_eq!(samples_at(2, 1), [0.0; 4]);
}

fn sample_mask(_: &Env) {
    texture_target(gl::RGBA8, 2);
    gl::Enable(gl::SAMPLE_MASK);
    gl::SampleMaski(0, 0b0101);
    solid([1.0; 4]);
    quad();
    assert_eq!(samples_at(0, 0), [1.0, 0.0, 1.0, 0.0]);
    gl::SampleMaski(0, 0);
    solid([1.0; 4]);
    quad();
    gl::Disable(gl::SAMPLE_MASK);
    assert_eq!(samples_at(1, 1), [1.0, 0.0, 1.0, 0.0]);
}

fn alpha_to_coverage(_: &Env) {
    texture_target(gl::RGBA8, 2);
    gl::Enable(gl::SAMPLE_ALPHA_TO_COVERAGE);
    for (alpha, count) in [(0.0, 0), (0.5, 2), (1.0, 4)] {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        solid([1.0, 1.0, 1.0, alpha]);
        quad();
        gl::Disable(gl::SAMPLE_ALPHA_TO_COVERAGE);
        let covered = samples_at(0, 0).iter().filter(|v| **v == 1.0).count();
        assert_eq!(covered, count, "alpha {alpha}");
        gl::Enable(gl::SAMPLE_ALPHA_TO_COVERAGE);
    }
}

/// 4.1.3: alpha becomes one after it decided about coverage.
fn alpha_to_one(_: &Env) {
    texture_target(gl::RGBA8, 2);
    let drawn = |alpha: f32| {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        solid([1.0, 1.0, 1.0, alpha]);
        quad();
        let program = fetching("texelFetch(t, ivec2(0), 0).ar, texelFetch(t, ivec2(1), 3).ar");
        // What reads the samples is not to be seen through the switches.
        gl::Disable(gl::SAMPLE_ALPHA_TO_ONE);
        gl::Disable(gl::SAMPLE_ALPHA_TO_COVERAGE);
        let value = run_float(program);
        program.delete();
        value
    };
    expect_near(&drawn(0.25), &[0.25, 1.0, 0.25, 1.0], 3e-3);
    gl::Enable(gl::SAMPLE_ALPHA_TO_ONE);
    expect_near(&drawn(0.25), &[1.0; 4], 0.0);
    gl::Enable(gl::SAMPLE_ALPHA_TO_ONE);
    gl::Enable(gl::SAMPLE_ALPHA_TO_COVERAGE);
    expect_near(&drawn(0.0), &[0.0; 4], 0.0);
    // 4.1.3: both have no effect while MULTISAMPLE is off.
    gl::Enable(gl::SAMPLE_ALPHA_TO_ONE);
    gl::Enable(gl::SAMPLE_ALPHA_TO_COVERAGE);
    gl::Disable(gl::MULTISAMPLE);
    expect_near(&drawn(0.25), &[0.25, 1.0, 0.25, 1.0], 3e-3);
}

/// 4.1.3: SAMPLE_COVERAGE_VALUE of the samples take part; inverted, the others.
fn sample_coverage(_: &Env) {
    texture_target(gl::RGBA8, 2);
    let covered = |value: f32, invert: u8| {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        gl::Enable(gl::SAMPLE_COVERAGE);
        gl::SampleCoverage(value, invert);
        solid([1.0; 4]);
        quad();
        gl::Disable(gl::SAMPLE_COVERAGE);
        samples_at(0, 0).map(|v| v == 1.0)
    };
    assert_eq!(covered(0.0, gl::FALSE), [false; 4]);
    assert_eq!(covered(1.0, gl::FALSE), [true; 4]);
    let half = covered(0.5, gl::FALSE);
    assert_eq!(half.iter().filter(|v| **v).count(), 2);
    assert_eq!(covered(0.5, gl::TRUE), half.map(|v| !v));
}

/// 3.3.1: with MULTISAMPLE disabled a fragment covers all samples or none.
fn multisampling_off_covers_all(_: &Env) {
    texture_target(gl::RGBA8, 4);
    gl::Disable(gl::MULTISAMPLE);
    solid([1.0; 4]);
    rect(-1.0, -1.0, -0.2, 1.0);
    gl::Enable(gl::MULTISAMPLE);
    assert_eq!(samples_at(0, 0), [1.0; 4]);
    assert_eq!(samples_at(1, 0), [1.0; 4], "the centre is inside");
    assert_eq!(samples_at(2, 0), [0.0; 4]);
}

/// 3.3.1, 3.9.2: all samples have what a single one at the centre would: varyings, gl_FragCoord and depth.
fn multisampling_off_shades_at_the_centre(_: &Env) {
    texture_target(gl::RGBA32F, 4);
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT32F, 4, 4, 4);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    let vertex = "#version 330 core
layout(location = 0) in vec2 position;
out vec2 place;
void main() { place = position; gl_Position = vec4(position, position.x, 1.0); }
";
    let fragment = "#version 330 core
in vec2 place;
out vec4 result;
void main() { result = vec4(place, gl_FragCoord.xy); }
";
    program(vertex, fragment);
    gl::Disable(gl::MULTISAMPLE);
    gl::Enable(gl::DEPTH_TEST);
    gl::ClearDepth(1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
    quad();
    // At the same depths, so that none is less.
    gl::ClearColor(9.0, 9.0, 9.0, 9.0);
    quad();
    gl::DepthFunc(gl::EQUAL);
    let both = "#version 330 core
in vec2 place;
out vec4 result;
void main() { result = vec4(place, gl_FragCoord.xy) + vec4(8.0, 0.0, 0.0, 0.0); }
";
    program(vertex, both);
    quad();
    gl::Disable(gl::DEPTH_TEST);
    for (x, y) in [(0, 0), (3, 1), (2, 3)] {
        let centre = [x as f32 + 0.5, y as f32 + 0.5];
        let expected = [centre[0] / 2.0 - 1.0 + 8.0, centre[1] / 2.0 - 1.0, centre[0], centre[1]];
        for sample in 0..4 {
            let value = run_float(fetching(&format!("texelFetch(t, ivec2({x}, {y}), {sample})")));
            expect_near(&value, &expected, 1e-4);
        }
    }
}

/// GL 4.6 core 14.3.1.1: with every sample shaded, each set of values is evaluated at its sample; `centroid` says nothing then.
fn shaded_samples_are_interpolated_where_they_lie(_: &Env) {
    require_extension("GL_ARB_sample_shading");
    texture_target(gl::RGBA32F, 4);
    let vertex = "#version 330 core
layout(location = 0) in vec2 position;
out vec2 place;
centroid out vec2 second;
void main() { place = position; second = position; gl_Position = vec4(position, 0.0, 1.0); }
";
    let fragment = "#version 330 core
in vec2 place;
centroid in vec2 second;
out vec4 result;
void main() { result = vec4(place, second); }
";
    program(vertex, fragment);
    gl::Enable(gl::SAMPLE_SHADING);
    gl::MinSampleShading(1.0);
    quad();
    gl::Disable(gl::SAMPLE_SHADING);
    gl::MinSampleShading(0.0);
    for sample in 0..4 {
        let mut at = [0.0_f32; 2];
        gl::GetMultisamplefv(gl::SAMPLE_POSITION, sample, at.as_mut_ptr());
        let value = run_float(fetching(&format!("texelFetch(t, ivec2(2, 1), {sample})")));
        let (x, y) = ((2.0 + at[0]) / 2.0 - 1.0, (1.0 + at[1]) / 2.0 - 1.0);
        expect_near(&value, &[x, y, x, y], 1e-4);
    }
}

/// GL 4.6 core 15.2.2: gl_FragCoord is the sample's place again.
fn multisampling_on_again_shades_at_the_samples(_: &Env) {
    require_extension("GL_ARB_sample_shading");
    texture_target(gl::RGBA32F, 4);
    let fragment = "#version 330 core\nout vec4 result;\nvoid main() { result = gl_FragCoord; }\n";
    program(SOLID_VS, fragment);
    gl::Enable(gl::SAMPLE_SHADING);
    gl::MinSampleShading(1.0);
    gl::Disable(gl::MULTISAMPLE);
    quad();
    gl::Enable(gl::MULTISAMPLE);
    quad();
    gl::Disable(gl::SAMPLE_SHADING);
    gl::MinSampleShading(0.0);
    for sample in 0..4 {
        let mut at = [0.0_f32; 2];
        gl::GetMultisamplefv(gl::SAMPLE_POSITION, sample, at.as_mut_ptr());
        let value = run_float(fetching(&format!("texelFetch(t, ivec2(2, 1), {sample}).xyxy")));
        expect_near(&value, &[2.0 + at[0], 1.0 + at[1], 2.0 + at[0], 1.0 + at[1]], 1e-4);
    }
}

/// Indexed, indirect and instanced ones; samples are counted each once, and lines and points cover whole pixels too.
fn multisampling_off_reaches_every_kind_of_draw(_: &Env) {
    texture_target(gl::RGBA8, 4);
    let half = || solid([1.0; 4]);
    let edge: [[f32; 2]; 4] = [[-1.0, -1.0], [-0.2, -1.0], [-1.0, 1.0], [-0.2, 1.0]];
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &edge);
    gallite_tests::draw::vertex_attrib(0, 2, 0, 0);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    let arrays = || gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    let elements = || gl::DrawElements(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    let instances = || gl::DrawArraysInstanced(gl::TRIANGLE_STRIP, 0, 4, 2);
    let many = || gl::MultiDrawArrays(gl::TRIANGLE_STRIP, [0].as_ptr(), [4].as_ptr(), 1);
    let draws: [&dyn Fn(); 4] = [&arrays, &elements, &instances, &many];
    for draw in draws {
        gl::Disable(gl::MULTISAMPLE);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        half();
        let query = gallite_tests::draw::gen_query();
        gl::BeginQuery(gl::ANY_SAMPLES_PASSED, query);
        draw();
        gl::EndQuery(gl::ANY_SAMPLES_PASSED);
        let mut any = 9;
        gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut any);
        assert_eq!(any, 1);
        let array = get_i32(gl::VERTEX_ARRAY_BINDING) as u32;
        gl::Enable(gl::MULTISAMPLE);
        assert_eq!([samples_at(1, 1), samples_at(2, 1)], [[1.0; 4], [0.0; 4]]);
        gl::BindVertexArray(array);
    }
    // With the switch on again edges cover some samples.
    gl::Clear(gl::COLOR_BUFFER_BIT);
    half();
    arrays();
    assert!(samples_at(1, 1).contains(&0.0));
}

fn depth_per_sample(_: &Env) {
    texture_target(gl::RGBA8, 4);
    attach_renderbuffer(gl::DEPTH_ATTACHMENT, gl::DEPTH_COMPONENT24, 4, 4, 4);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearDepth(1.0);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    solid_at_depth([0.0, 1.0, 0.0, 1.0], -0.5);
    rect(-1.0, -1.0, -0.25, 1.0);
    solid_at_depth([1.0, 0.0, 0.0, 1.0], 0.0);
    quad();
    gl::Disable(gl::DEPTH_TEST);
    let covered = samples_at(1, 1).iter().filter(|v| **v == 1.0).count();
    assert_eq!(covered, 2, "the far quad shows where the near one does not cover");
}

/// A depth buffer alone has its samples too.
fn only_depth_with_draw_buffers_off(_: &Env) {
    bound();
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, texture);
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 4, gl::DEPTH_COMPONENT24, 4, 4, gl::TRUE);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D_MULTISAMPLE, texture, 0);
    gl::DrawBuffer(gl::NONE);
    gl::ReadBuffer(gl::NONE);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 4, 4);
    gl::ClearDepth(1.0);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    solid_at_depth([1.0; 4], 0.0);
    rect(-1.0, -1.0, -0.25, 1.0);
    gl::Disable(gl::DEPTH_TEST);
    let mut depths = samples_at(1, 1);
    depths.sort_by(f32::total_cmp);
    expect_near(&depths, &[0.5, 0.5, 1.0, 1.0], 1e-6);
    // Colour attached, but no draw buffer names it and there is no depth: still four samples.
    texture_target(gl::RGBA8, 4);
    gl::DrawBuffer(gl::NONE);
    solid([1.0; 4]);
    quad();
    gl::DrawBuffer(COLOR0);
    assert_eq!(samples_at(0, 0), [0.0; 4]);
}

fn integer_samples(_: &Env) {
    if get_i32(gl::MAX_INTEGER_SAMPLES) < 4 {
        gallite_tests::harness::skip("fewer than four integer samples");
    }
    texture_target(gl::RGBA8I, 2);
    gl::ClearBufferiv(gl::COLOR, 0, [-3_i32, 4, 5, 6].as_ptr());
    let fragment = "#version 330 core
uniform isampler2DMS t;
out vec4 result;
void main() { result = vec4(texelFetch(t, ivec2(1, 1), 3)); }
";
    assert_eq!(run_float(program(SOLID_VS, fragment)), [-3.0, 4.0, 5.0, 6.0]);
}

fn clears_reach_all_samples(_: &Env) {
    texture_target(gl::RGBA8, 4);
    gl::ClearColor(0.2, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(2, 2, 1, 1);
    gl::ColorMask(gl::TRUE, gl::FALSE, gl::FALSE, gl::FALSE);
    gl::ClearColor(0.8, 1.0, 1.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::ColorMask(gl::TRUE, gl::TRUE, gl::TRUE, gl::TRUE);
    gl::Disable(gl::SCISSOR_TEST);
    expect_near(&samples_at(0, 0), &[0.2; 4], 1e-5);
    expect_near(&samples_at(2, 2), &[0.8; 4], 1e-5);
}

fn textures_resolve_by_blit(_: &Env) {
    texture_target(gl::RGBA8, 2);
    gl::Enable(gl::SAMPLE_MASK);
    gl::SampleMaski(0, 0b0011);
    solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    gl::Disable(gl::SAMPLE_MASK);
    let source = get_i32(gl::DRAW_FRAMEBUFFER_BINDING) as u32;
    let to = Target::new(2, 2);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, source);
    gl::BlitFramebuffer(0, 0, 2, 2, 0, 0, 2, 2, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    to.bind();
    Image::read(0, 0, 2, 2).expect_each_near(1, |_, _| [128, 0, 0, 128]);
}

fn positions_are_inside_the_pixel(_: &Env) {
    texture_target(gl::RGBA8, 2);
    let samples = get_i32(gl::SAMPLES);
    assert!(samples >= 4);
    let mut seen = Vec::new();
    for i in 0..samples {
        let mut position = [-1.0_f32; 2];
        gl::GetMultisamplefv(gl::SAMPLE_POSITION, i as u32, position.as_mut_ptr());
        assert!(position.iter().all(|v| (0.0..1.0).contains(v)), "sample {i} at {position:?}");
        assert!(!seen.contains(&position), "two samples at {position:?}");
        seen.push(position);
    }
    gl::GetMultisamplefv(gl::SAMPLE_POSITION, samples as u32, [0.0_f32; 2].as_mut_ptr());
    expect_error(gl::INVALID_VALUE, "a sample past the last");
    // A sample is covered exactly when its position is: the half-plane x < 0.5 of the first pixel.
    gl::Clear(gl::COLOR_BUFFER_BIT);
    solid([1.0; 4]);
    rect(-1.0, -1.0, -0.5, 1.0);
    let covered = samples_at(0, 0);
    for i in 0..4 {
        assert_eq!(covered[i] == 1.0, seen[i][0] < 0.5, "sample {i} at {:?}", seen[i]);
    }
    // And the half-plane y < 0.5.
    solid([1.0; 4]);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    rect(-1.0, -1.0, 1.0, -0.5);
    let covered = samples_at(0, 0);
    for i in 0..4 {
        assert_eq!(covered[i] == 1.0, seen[i][1] < 0.5, "sample {i} at {:?}", seen[i]);
    }
}

fn limits(_: &Env) {
    for name in [gl::MAX_SAMPLES, gl::MAX_COLOR_TEXTURE_SAMPLES, gl::MAX_DEPTH_TEXTURE_SAMPLES, gl::MAX_INTEGER_SAMPLES]
    {
        assert!(get_i32(name) >= 1, "{name:#x}");
    }
    assert!(get_i32(gl::MAX_SAMPLES) >= 4);
    assert_eq!(get_i32(gl::MAX_SAMPLE_MASK_WORDS), 1);
    gl::SampleMaski(1, 0);
    expect_error(gl::INVALID_VALUE, "a mask word past the last");
    gl::SampleCoverage(7.0, gl::TRUE);
    let coverage: [f32; 1] = gallite_tests::draw::get_f32s(gl::SAMPLE_COVERAGE_VALUE);
    assert_eq!(coverage, [1.0]);
    let inverted: [i32; 1] = get_i32s(gl::SAMPLE_COVERAGE_INVERT);
    assert_eq!(inverted, [1]);
}

/// 4.3.1: pixels of a multisampled framebuffer object can't be read.
fn reading_samples_is_refused(_: &Env) {
    bound();
    attach_renderbuffer(COLOR0, gl::RGBA8, 4, 4, 4);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, [0_u8; 4].as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "glReadPixels");
    gl::BindTexture(gl::TEXTURE_2D, gen_texture());
    gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 0, 0, 1, 1, 0);
    expect_error(gl::INVALID_OPERATION, "glCopyTexImage2D");
    assert_eq!(get_i32(gl::SAMPLE_BUFFERS), 1);
}
