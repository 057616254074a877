//! Random calls, valid and not, from fixed seeds: nothing crashes or hangs, errors are flags, what is drawn
//! afterwards is right, and nothing is left when the context is gone.

mod calls;
mod hostile;
mod random;
mod shaders;

use gallite_tests::draw::{Target, expect_no_error, quad, solid, texture_2d};
use gallite_tests::egl;
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter};

use calls::Session;
use std::time::{Duration, Instant};

gl_tests! {
    noop core(3, 3): calls_on_noop, hostile_calls_on_noop, shaders_on_noop, short_sources_of_long_meaning,
        a_hundred_thousand_uniforms;
    vulkan core(3, 3): calls_on_vulkan, more_calls_on_vulkan, hostile_calls_on_vulkan, more_hostile_calls_on_vulkan;
    every core(3, 3): no_context_no_harm, negative_control_of_the_search_for_leaks;
}

/// Draws something known in a context whose state nobody knows, after setting all the state that it depends on.
fn known_draw() {
    calls::reset();
    while gl::GetError() != gl::NO_ERROR {}
    known_pixels();
}

/// The same in a new context.
fn known_draw_elsewhere(env: &Env) {
    let fresh = env.create_context(3, 3, std::ptr::null_mut());
    env.make_current(fresh);
    known_pixels();
    env.make_current(env.context);
    egl::DestroyContext(env.display, fresh);
}

/// Driver objects and device allocations that are alive.
fn alive() -> Option<[u64; 2]> {
    gl::Finish();
    Some([counter("live_objects")?, counter("live_allocations")?])
}

/// What is alive once threads that were at work on what is deleted have let go of it.
fn settled() -> Option<[u64; 2]> {
    let mut last = alive()?;
    let mut level = 0;
    while level < 5 {
        std::thread::sleep(Duration::from_millis(10));
        let now = alive()?;
        level = if now == last { level + 1 } else { 0 };
        last = now;
    }
    Some(last)
}

/// Device memory that a driver keeps for whoever comes next: blocks that small objects share, staging, pools.
const KEPT_ALLOCATIONS: u64 = 24;

/// Runs `calls` in a context that shares with nobody and then ends; what is alive afterwards and was not before.
///
/// # Errors
/// The counts, when something is left.
fn leaves_nothing(env: &Env, calls: impl FnOnce()) -> Result<(), String> {
    let before = settled();
    let context = env.create_context(3, 3, std::ptr::null_mut());
    env.make_current(context);
    calls();
    env.make_current(env.context);
    assert_eq!(egl::DestroyContext(env.display, context), egl::TRUE);
    let Some(before) = before else { return Ok(()) };
    // A thread may still be at work on a program that was deleted while it was linked.
    let deadline = Instant::now() + Duration::from_secs(20);
    let after = loop {
        let after = alive().expect("counters");
        if after[0] <= before[0] && after[1] <= before[1] + KEPT_ALLOCATIONS {
            return Ok(());
        }
        if Instant::now() > deadline {
            break after;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Err(format!("objects, allocations: {before:?} before, {after:?} after"))
}

/// Textures are left to a context that lives on: more than threads may let go of meanwhile.
fn negative_control_of_the_search_for_leaks(env: &Env) {
    if alive().is_none() {
        gallite_tests::harness::skip("the counters are Gallite's");
    }
    assert_eq!(leaves_nothing(env, known_draw), Ok(()));
    let leaking = || {
        let context = egl::GetCurrentContext();
        env.make_current(env.context);
        for _ in 0..16 {
            texture_2d::<u8>(gl::RGBA8, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, None);
        }
        env.make_current(context);
    };
    assert!(leaves_nothing(env, leaking).is_err());
}

fn known_pixels() {
    let target = Target::new(8, 8);
    target.clear([0.0, 0.0, 1.0, 1.0]);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::Viewport(2, 2, 4, 4);
    quad();
    expect_no_error("a known draw");
    if !gallite_tests::draw::get_string(gl::RENDERER).contains("noop") {
        target.image().expect_rect([2, 2, 4, 4], [255, 0, 0, 255], [0, 0, 255, 255]);
    }
    target.delete();
    gl::UseProgram(0);
}

/// Runs sessions of valid-looking calls.
fn run(env: &Env, seeds: &[u64], calls: usize) {
    for seed in seeds {
        let session = || {
            let mut session = Session::new(*seed, env.lane.is_noop());
            for _ in 0..calls {
                session.step();
            }
            // Every other one leaves all it has to the end of its context.
            if seed % 2 == 0 {
                session.end();
            }
            gl::Finish();
            known_draw();
        };
        assert_eq!(leaves_nothing(env, session), Ok(()), "seed {seed}");
    }
    known_draw_elsewhere(env);
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
        let session = || {
            let mut session = hostile::Session::new(*seed, env.lane.is_noop());
            for _ in 0..calls {
                session.step();
            }
            gl::Finish();
            known_draw();
        };
        assert_eq!(leaves_nothing(env, session), Ok(()), "seed {seed}");
    }
    known_draw_elsewhere(env);
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
    let session = || {
        shaders::run(41, 400);
        known_draw();
    };
    assert_eq!(leaves_nothing(env, session), Ok(()));
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
    known_draw();
}
