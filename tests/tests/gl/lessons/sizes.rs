//! Numbers a program may pass that no implementation should believe, and what drivers tell late.

use gallite_tests::draw::{SOLID_VS, Target, buffer, expect_no_error, gen_buffer, gen_texture, link, program, quad, solid};
use gallite_tests::draw::{compile, get_i32};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter, skip};

gl_tests! {
    render core(3, 3): a_buffer_texture_follows_its_buffer, feedback_into_a_buffer_without_storage,
        multisample_state_reaches_sample_shading;
    noop core(3, 3): buffer_textures_do_not_pile_up;
    every core(3, 3): a_loop_of_two_billion_vertices, a_capture_name_of_many_parts, a_small_level_makes_no_huge_texture,
        one_sample_is_multisampled, memory_that_runs_out_is_an_error;
}

/// Whatever the device needs for it, the process goes on.
fn a_loop_of_two_billion_vertices(env: &Env) {
    if env.lane != "noop" && counter("draws").is_some() {
        Target::new(2, 2);
        solid([1.0; 4]);
        buffer(gl::ARRAY_BUFFER, &[0.0_f32; 4]);
        gl::DrawArrays(gl::LINE_LOOP, 0, i32::MAX);
        assert!(matches!(gl::GetError(), gl::NO_ERROR | gl::OUT_OF_MEMORY));
    }
    let target = Target::new(2, 2);
    solid([0.0, 1.0, 0.0, 1.0]);
    quad();
    if env.lane != "noop" {
        target.image().expect_all([0, 255, 0, 255]);
    }
}

fn a_capture_name_of_many_parts(_: &Env) {
    let p = gl::CreateProgram();
    gl::AttachShader(p, compile(gl::VERTEX_SHADER, SOLID_VS));
    for part in ["[0]", ".a"] {
        let name = std::ffi::CString::new(format!("v{}", part.repeat(60_000))).unwrap();
        gl::TransformFeedbackVaryings(p, 1, &name.as_ptr(), gl::INTERLEAVED_ATTRIBS);
        assert!(link(p).is_err());
    }
}
