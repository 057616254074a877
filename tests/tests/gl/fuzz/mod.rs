//! Random calls, valid and not, from fixed seeds: nothing crashes or hangs, errors are flags, and what is drawn
//! afterwards is right.

mod calls;
mod hostile;
mod random;
mod shaders;

use gallite_tests::draw::{Target, expect_no_error, quad, solid};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

use calls::Session;

gl_tests! {
    noop core(3, 3): calls_on_noop, hostile_calls_on_noop, shaders_on_noop, short_sources_of_long_meaning,
        a_hundred_thousand_uniforms;
    vulkan core(3, 3): calls_on_vulkan, more_calls_on_vulkan, hostile_calls_on_vulkan, more_hostile_calls_on_vulkan;
    every core(3, 3): no_context_no_harm;
}

/// Draws something known in a context whose state nobody knows, after setting all the state that it depends on.
fn known_draw(env: &Env, same_context: bool) {
    if !same_context {
        let fresh = env.create_context(3, 3, std::ptr::null_mut());
        env.make_current(fresh);
        known_pixels(env);
        env.make_current(env.context);
        gallite_tests::egl::DestroyContext(env.display, fresh);
        return;
    }
    calls::reset();
    while gl::GetError() != gl::NO_ERROR {}
    known_pixels(env);
}

fn known_pixels(env: &Env) {
    let target = Target::new(8, 8);
    target.clear([0.0, 0.0, 1.0, 1.0]);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::Viewport(2, 2, 4, 4);
    quad();
    expect_no_error("a known draw");
    if !env.lane.is_noop() {
        target.image().expect_rect([2, 2, 4, 4], [255, 0, 0, 255], [0, 0, 255, 255]);
    }
    target.delete();
    gl::UseProgram(0);
}

/// Runs sessions of valid-looking calls.
fn run(env: &Env, seeds: &[u64], calls: usize) {
    for seed in seeds {
        let mut session = Session::new(*seed, env.lane.is_noop());
        for _ in 0..calls {
            session.step();
        }
        session.end();
        gl::Finish();
        known_draw(env, true);
    }
    known_draw(env, false);
    while gl::GetError() != gl::NO_ERROR {}
}

fn calls_on_noop(env: &Env) {
    run(env, &[1, 2, 3, 4, 5], 10_000);
}

fn calls_on_vulkan(env: &Env) {
    run(env, &[11, 12, 13, 14], 6_250);
}

/// More of the same, beside it where there is a core for it.
fn more_calls_on_vulkan(env: &Env) {
    run(env, &[15, 16, 17, 18], 6_250);
}

/// Every command of the table with arguments picked by the parameter's type and name alone.
fn run_hostile(env: &Env, seeds: &[u64], calls: usize) {
    for seed in seeds {
        let mut session = hostile::Session::new(*seed, env.lane.is_noop());
        for _ in 0..calls {
            session.step();
        }
        gl::Finish();
        known_draw(env, true);
    }
    known_draw(env, false);
    while gl::GetError() != gl::NO_ERROR {}
}

fn hostile_calls_on_noop(env: &Env) {
    run_hostile(env, &[21, 22, 23, 24, 25], 10_000);
}

fn hostile_calls_on_vulkan(env: &Env) {
    run_hostile(env, &[31, 32], 12_500);
}

fn more_hostile_calls_on_vulkan(env: &Env) {
    run_hostile(env, &[33, 134], 12_500);
}

/// Truncated, mutated and made-up sources: each compiles or leaves a log.
fn shaders_on_noop(env: &Env) {
    shaders::run(41, 400);
    known_draw(env, true);
    expect_no_error("after the shaders");
}

/// Each compiles or leaves a log, and neither the stack nor the memory runs out on the way.
fn short_sources_of_long_meaning(_: &Env) {
    for (what, source) in shaders::expansions() {
        let (shader, ok) = gallite_tests::draw::shader_status(gl::FRAGMENT_SHADER, &source);
        assert!(ok || !gallite_tests::draw::compile_log(shader).is_empty(), "{what}");
        gl::DeleteShader(shader);
    }
    expect_no_error("after the shaders");
}

/// Unused ones are not active and count for no limit; to link them takes no time that grows with their square.
fn a_hundred_thousand_uniforms(_: &Env) {
    let declarations: String = (0..100_000).map(|i| format!("uniform float u{i};\n")).collect();
    let fragment = format!("#version 330 core\n{declarations}out vec4 result;\nvoid main() {{ result = vec4(u7); }}\n");
    let program = gallite_tests::draw::program(gallite_tests::draw::SOLID_VS, &fragment);
    assert!(program.location("u7") >= 0);
    assert_eq!(program.location("u8"), -1);
    program.delete();
}

/// Without a current context every command does nothing, whatever it is given.
fn no_context_no_harm(env: &Env) {
    let none = std::ptr::null_mut();
    assert_eq!(gallite_tests::egl::MakeCurrent(env.display, none, none, none), 1);
    if env.lane.is_system() {
        gallite_tests::harness::skip("undefined elsewhere");
    }
    let mut session = hostile::Session::new(51, true);
    for index in 0..gl::NAMES.len() {
        session.call(index);
    }
    assert_eq!(gl::GetError(), gl::NO_ERROR);
    assert!(gl::GetString(gl::VERSION).is_null());
    env.make_current(env.context);
    known_draw(env, true);
}
