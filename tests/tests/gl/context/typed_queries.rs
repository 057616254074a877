//! State set and asked for in other types than its own: GL 4.6 core 2.2.2, 4.2.3, 8.10, 8.11 and 14.4.

use gallite_tests::draw::{Target, expect_error, expect_no_error, gen_query, gen_sampler, gen_texture, quad, solid};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): point_parameters, border_colours_of_samplers, border_colours_of_textures, level_parameters;
    render core(3, 3): query_results, results_that_do_not_fit;
}

fn point_parameters(_: &Env) {
    let get = |name| {
        let mut value = f32::NAN;
        gl::GetFloatv(name, &mut value);
        value
    };
    gl::PointParameterfv(gl::POINT_FADE_THRESHOLD_SIZE, [2.5_f32].as_ptr());
    assert_eq!(get(gl::POINT_FADE_THRESHOLD_SIZE), 2.5);
    gl::PointParameteriv(gl::POINT_FADE_THRESHOLD_SIZE, [7].as_ptr());
    assert_eq!(get(gl::POINT_FADE_THRESHOLD_SIZE), 7.0);
    gl::PointParameterfv(gl::POINT_FADE_THRESHOLD_SIZE, [-1.0_f32].as_ptr());
    expect_error(gl::INVALID_VALUE, "a negative size");
    gl::PointParameteriv(gl::POINT_SPRITE_COORD_ORIGIN, [gl::LOWER_LEFT as i32].as_ptr());
    assert_eq!(get(gl::POINT_SPRITE_COORD_ORIGIN), gl::LOWER_LEFT as f32);
    gl::PointParameterfv(gl::POINT_SPRITE_COORD_ORIGIN, [gl::UPPER_LEFT as f32].as_ptr());
    assert_eq!(get(gl::POINT_SPRITE_COORD_ORIGIN), gl::UPPER_LEFT as f32);
    gl::PointParameteriv(gl::POINT_SPRITE_COORD_ORIGIN, [gl::FRONT as i32].as_ptr());
    expect_error(gl::INVALID_ENUM, "no corner");
    gl::PointParameteriv(gl::POINT_SIZE, [1].as_ptr());
    expect_error(gl::INVALID_ENUM, "no parameter of points");
}

/// 8.10: integers given for border colours are fractions of the largest, unless they are given as integers.
fn border_colours_of_samplers(_: &Env) {
    let sampler = gen_sampler();
    gl::BindSampler(0, sampler);
    let (mut floats, mut ints) = ([f32::NAN; 4], [9; 4]);
    gl::SamplerParameteriv(sampler, gl::TEXTURE_BORDER_COLOR, [i32::MAX, 0, -i32::MAX, i32::MAX].as_ptr());
    gl::GetSamplerParameterfv(sampler, gl::TEXTURE_BORDER_COLOR, floats.as_mut_ptr());
    assert_eq!(floats, [1.0, 0.0, -1.0, 1.0]);
    gl::GetSamplerParameteriv(sampler, gl::TEXTURE_BORDER_COLOR, ints.as_mut_ptr());
    assert_eq!(ints, [i32::MAX, 0, -i32::MAX, i32::MAX]);
    gl::SamplerParameterIiv(sampler, gl::TEXTURE_BORDER_COLOR, [-5, 6, i32::MIN, 8].as_ptr());
    gl::GetSamplerParameterIiv(sampler, gl::TEXTURE_BORDER_COLOR, ints.as_mut_ptr());
    assert_eq!(ints, [-5, 6, i32::MIN, 8]);
    gl::SamplerParameteriv(sampler, gl::TEXTURE_WRAP_S, [gl::CLAMP_TO_EDGE as i32].as_ptr());
    gl::GetSamplerParameterIiv(sampler, gl::TEXTURE_WRAP_S, ints.as_mut_ptr());
    assert_eq!(ints[0], gl::CLAMP_TO_EDGE as i32);
    gl::SamplerParameterf(sampler, gl::TEXTURE_MAX_LOD, 3.75);
    gl::GetSamplerParameterIiv(sampler, gl::TEXTURE_MAX_LOD, ints.as_mut_ptr());
    assert_eq!(ints[0], 4, "the nearest integer");
    gl::SamplerParameteriv(sampler, gl::TEXTURE_WRAP_S, [gl::LINEAR as i32].as_ptr());
    expect_error(gl::INVALID_ENUM, "no way to wrap");
}

fn border_colours_of_textures(_: &Env) {
    gl::BindTexture(gl::TEXTURE_2D, gen_texture());
    gl::TexParameterIuiv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, [1_u32, u32::MAX, 0, 1 << 31].as_ptr());
    let mut border = [9_u32; 4];
    gl::GetTexParameterIuiv(gl::TEXTURE_2D, gl::TEXTURE_BORDER_COLOR, border.as_mut_ptr());
    assert_eq!(border, [1, u32::MAX, 0, 1 << 31]);
    gl::GetTexParameterIuiv(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, border.as_mut_ptr());
    assert_eq!(border[0], gl::NEAREST_MIPMAP_LINEAR);
    gl::GetTexParameterIuiv(gl::TEXTURE_2D, gl::RGBA, border.as_mut_ptr());
    expect_error(gl::INVALID_ENUM, "no parameter of textures");
}

fn level_parameters(_: &Env) {
    gl::BindTexture(gl::TEXTURE_2D, gen_texture());
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::RGB10_A2, 6, 5, 0, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
    for (name, expected) in [
        (gl::TEXTURE_WIDTH, 6.0),
        (gl::TEXTURE_HEIGHT, 5.0),
        (gl::TEXTURE_DEPTH, 1.0),
        (gl::TEXTURE_RED_SIZE, 10.0),
        (gl::TEXTURE_ALPHA_SIZE, 2.0),
        (gl::TEXTURE_DEPTH_SIZE, 0.0),
        (gl::TEXTURE_INTERNAL_FORMAT, gl::RGB10_A2 as f32),
        (gl::TEXTURE_GREEN_TYPE, gl::UNSIGNED_NORMALIZED as f32),
    ] {
        let mut value = f32::NAN;
        gl::GetTexLevelParameterfv(gl::TEXTURE_2D, 1, name, &mut value);
        assert_eq!(value, expected, "{name:#x}");
    }
    gl::GetTexLevelParameterfv(gl::TEXTURE_2D, -1, gl::TEXTURE_WIDTH, &mut 0.0);
    expect_error(gl::INVALID_VALUE, "a negative level");
    gl::GetTexLevelParameterfv(gl::TEXTURE_2D, 1, gl::TEXTURE_WRAP_S, &mut 0.0);
    expect_error(gl::INVALID_ENUM, "no parameter of levels");
}

/// The result of a query in each type.
fn results(query: u32) -> (i32, u32, i64, u64) {
    let mut all = (-9, 9, -9, 9);
    gl::GetQueryObjectiv(query, gl::QUERY_RESULT, &mut all.0);
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut all.1);
    gl::GetQueryObjecti64v(query, gl::QUERY_RESULT, &mut all.2);
    gl::GetQueryObjectui64v(query, gl::QUERY_RESULT, &mut all.3);
    expect_no_error("results");
    all
}

fn query_results(_: &Env) {
    Target::new(8, 4);
    solid([1.0; 4]);
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    quad();
    gl::EndQuery(gl::SAMPLES_PASSED);
    assert_eq!(results(query), (32, 32, 32, 32));
    let (mut available, mut wide) = (-9, -9);
    gl::GetQueryObjectiv(query, gl::QUERY_RESULT_AVAILABLE, &mut available);
    gl::GetQueryObjecti64v(query, gl::QUERY_RESULT_AVAILABLE, &mut wide);
    assert_eq!((available, wide), (1, 1));
    gl::GetQueryObjectiv(query, gl::SAMPLES_PASSED, &mut available);
    expect_error(gl::INVALID_ENUM, "no property of results");
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    gl::GetQueryObjecti64v(query, gl::QUERY_RESULT, &mut wide);
    expect_error(gl::INVALID_OPERATION, "a query that counts");
    gl::EndQuery(gl::SAMPLES_PASSED);
}

/// 4.2.3: a result that the type cannot hold is the largest that it can.
fn results_that_do_not_fit(_: &Env) {
    let query = gen_query();
    gl::QueryCounter(query, gl::TIMESTAMP);
    let (narrow, unsigned, signed, wide) = results(query);
    assert!(wide > 0 && signed as u64 == wide, "{signed} and {wide} ns");
    assert_eq!(unsigned, u32::try_from(wide).unwrap_or(u32::MAX));
    assert_eq!(narrow, i32::try_from(wide).unwrap_or(i32::MAX));
}
