//! Several bindings at once: GL 4.6 core 6.1.1, 8.1, 8.2, 10.3.2 (ARB_multi_bind).

use gallite_tests::draw::{
    buffer, expect_error, expect_no_error, gen_buffer, gen_sampler, gen_texture, get_i32, require_extension,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): whole_buffers, ranges, what_is_wrong_is_left_out, textures_and_samplers;
}

fn indexed(name: u32, index: u32) -> i64 {
    let mut value = -1;
    gl::GetInteger64i_v(name, index, &mut value);
    value
}

/// Binding, start and size of each of the first uniform binding points.
fn bound<const N: usize>() -> [[i64; 3]; N] {
    std::array::from_fn(|i| {
        [gl::UNIFORM_BUFFER_BINDING, gl::UNIFORM_BUFFER_START, gl::UNIFORM_BUFFER_SIZE].map(|n| indexed(n, i as u32))
    })
}

fn two() -> [u32; 2] {
    let names = [(); 2].map(|()| buffer(gl::UNIFORM_BUFFER, &[0_u8; 1024]));
    gl::BindBuffer(gl::UNIFORM_BUFFER, 0);
    names
}

fn whole_buffers(_: &Env) {
    require_extension("GL_ARB_multi_bind");
    let [a, b] = two();
    gl::BindBuffersBase(gl::UNIFORM_BUFFER, 1, 3, [a, 0, b].as_ptr());
    expect_no_error("glBindBuffersBase");
    let (a, b) = (i64::from(a), i64::from(b));
    assert_eq!(bound(), [[0; 3], [a, 0, 0], [0; 3], [b, 0, 0]]);
    assert_eq!(get_i32(gl::UNIFORM_BUFFER_BINDING), 0, "the generic binding point stays");
    gl::BindBuffersBase(gl::UNIFORM_BUFFER, 0, 2, std::ptr::null());
    assert_eq!(bound(), [[0; 3], [0; 3], [0; 3], [b, 0, 0]]);
    let [a, b] = two();
    gl::BindBuffersBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, 2, [a, b].as_ptr());
    assert_eq!(indexed(gl::TRANSFORM_FEEDBACK_BUFFER_BINDING, 1), i64::from(b));
    assert_eq!(get_i32(gl::TRANSFORM_FEEDBACK_BUFFER_BINDING), 0);
}

fn ranges(_: &Env) {
    require_extension("GL_ARB_multi_bind");
    let [a, b] = two();
    let at = get_i32(gl::UNIFORM_BUFFER_OFFSET_ALIGNMENT) as isize;
    let (names, offsets, sizes) = ([a, b, 0], [0, at, -1], [16, 32, -1]);
    gl::BindBuffersRange(gl::UNIFORM_BUFFER, 0, 3, names.as_ptr(), offsets.as_ptr(), sizes.as_ptr());
    expect_no_error("what goes with no buffer is not looked at");
    assert_eq!(bound(), [[i64::from(a), 0, 16], [i64::from(b), at as i64, 32], [0; 3]]);
    gl::BindBuffersRange(gl::UNIFORM_BUFFER, 0, 2, std::ptr::null(), offsets.as_ptr(), sizes.as_ptr());
    assert_eq!(bound(), [[0; 3]; 2]);
}

/// 6.1.1: one that is wrong leaves its binding as it was, the others are made.
fn what_is_wrong_is_left_out(_: &Env) {
    require_extension("GL_ARB_multi_bind");
    let [a, b] = two();
    let unused = gen_buffer();
    gl::BindBuffersBase(gl::UNIFORM_BUFFER, 0, 3, [a, unused, b].as_ptr());
    expect_error(gl::INVALID_OPERATION, "a name without a buffer");
    assert_eq!(gl::IsBuffer(unused), gl::FALSE, "none is made");
    assert_eq!(bound::<3>().map(|binding| binding[0]), [a.into(), 0, b.into()]);
    let (names, offsets, sizes) = ([b, b, a], [0, 3, 0], [16, 16, 0]);
    gl::BindBuffersRange(gl::UNIFORM_BUFFER, 0, 3, names.as_ptr(), offsets.as_ptr(), sizes.as_ptr());
    expect_error(gl::INVALID_VALUE, "a bad offset and a bad size");
    assert_eq!(bound::<3>().map(|binding| binding[0]), [b.into(), 0, b.into()]);
    let most = get_i32(gl::MAX_UNIFORM_BUFFER_BINDINGS) as u32;
    gl::BindBuffersBase(gl::UNIFORM_BUFFER, most - 1, 2, [a, a].as_ptr());
    expect_error(gl::INVALID_OPERATION, "beyond the last binding");
    gl::BindBuffersBase(gl::UNIFORM_BUFFER, 0, -1, [a].as_ptr());
    expect_error(gl::INVALID_VALUE, "a negative count");
    gl::BindBuffersBase(gl::ARRAY_BUFFER, 0, 1, [a].as_ptr());
    expect_error(gl::INVALID_ENUM, "a target without indices");
}

fn textures_and_samplers(_: &Env) {
    require_extension("GL_ARB_multi_bind");
    let (texture, other, sampler) = (gen_texture(), gen_texture(), gen_sampler());
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::BindTexture(gl::TEXTURE_3D, other);
    gl::BindTextures(1, 3, [texture, other, 12345].as_ptr());
    expect_error(gl::INVALID_OPERATION, "no such texture");
    let on = |unit: u32, name: u32| {
        gl::ActiveTexture(gl::TEXTURE0 + unit);
        get_i32(name) as u32
    };
    assert_eq!([on(1, gl::TEXTURE_BINDING_2D), on(1, gl::TEXTURE_BINDING_3D)], [texture, 0]);
    assert_eq!([on(2, gl::TEXTURE_BINDING_2D), on(2, gl::TEXTURE_BINDING_3D)], [0, other]);
    gl::BindTextures(0, 2, std::ptr::null());
    assert_eq!([on(0, gl::TEXTURE_BINDING_2D), on(1, gl::TEXTURE_BINDING_2D)], [0; 2]);
    gl::BindSamplers(0, 2, [sampler, 12345].as_ptr());
    expect_error(gl::INVALID_OPERATION, "no such sampler");
    assert_eq!([on(0, gl::SAMPLER_BINDING), on(1, gl::SAMPLER_BINDING)], [sampler, 0]);
    gl::BindSamplers(0, 1, std::ptr::null());
    assert_eq!(on(0, gl::SAMPLER_BINDING), 0);
    let units = get_i32(gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32;
    gl::BindTextures(units, 1, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "beyond the last unit");
    gl::BindSamplers(units, 1, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "beyond the last unit");
    expect_no_error("nothing else");
}
