//! Asynchronous queries and conditional rendering: GL 3.3 core 2.14, 2.18, 4.1.6, 5.1 and 6.1.7.

use gallite_tests::draw::{
    Target, depth_stencil_target, expect_error, gen_query, gen_vertex_array, get_i64, has_extension, quad, rect, solid,
    solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter, skip};

gl_tests! {
    lesser core(3, 3): samples_passed_is_exact, any_samples_passed, depth_test_counts, several_draws_add_up,
        a_query_may_be_used_again, primitives_generated, primitives_generated_without_pixels, a_query_left_on, elapsed_time_and_timestamps, conditional_rendering,
        conditional_clears_and_blits, conditional_rendering_of_several_draws, results_survive_other_work,
        the_time_is_read_without_work;
    every core(3, 3): queries_of_samples_exclude_each_other, results_without_waiting, names, begin_and_end_rules, results_of_wrong_queries, conditional_rules, counter_bits;
}

fn counted(target: u32, draw: impl FnOnce()) -> u32 {
    let query = gen_query();
    gl::BeginQuery(target, query);
    draw();
    gl::EndQuery(target);
    result(query)
}

#[track_caller]
fn result(query: u32) -> u32 {
    let mut value = 0xdead;
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut value);
    gallite_tests::draw::expect_no_error("glGetQueryObjectuiv");
    value
}

fn samples_passed_is_exact(_: &Env) {
    Target::new(16, 16);
    solid([1.0; 4]);
    assert_eq!(counted(gl::SAMPLES_PASSED, quad), 256);
    assert_eq!(counted(gl::SAMPLES_PASSED, || rect(-1.0, -1.0, -0.5, 0.0)), 4 * 8);
    assert_eq!(counted(gl::SAMPLES_PASSED, || {}), 0);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(3, 4, 5, 2);
    assert_eq!(counted(gl::SAMPLES_PASSED, quad), 10);
    gl::Disable(gl::SCISSOR_TEST);
    gl::ColorMask(0, 0, 0, 0);
    assert_eq!(counted(gl::SAMPLES_PASSED, quad), 256, "masked colours count");
}

/// 2.14: one query of samples is active at most, whichever its target.
fn queries_of_samples_exclude_each_other(_: &Env) {
    let (first, second) = (gen_query(), gen_query());
    for [one, other] in [[gl::SAMPLES_PASSED, gl::ANY_SAMPLES_PASSED], [gl::ANY_SAMPLES_PASSED, gl::SAMPLES_PASSED]] {
        let [first, second] = if one == gl::SAMPLES_PASSED { [first, second] } else { [second, first] };
        gl::BeginQuery(one, first);
        gl::BeginQuery(other, second);
        expect_error(gl::INVALID_OPERATION, "a query of samples is active");
        gl::EndQuery(other);
        expect_error(gl::INVALID_OPERATION, "it was not begun");
        gl::EndQuery(one);
        gl::BeginQuery(other, second);
        gl::EndQuery(other);
        gallite_tests::draw::expect_no_error("one after the other");
    }
}

/// GL_QUERY_RESULT_NO_WAIT came with GL_ARB_query_buffer_object.
fn results_without_waiting(_: &Env) {
    const NO_WAIT: u32 = 0x9194;
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    gl::EndQuery(gl::SAMPLES_PASSED);
    let mut value = 7;
    gl::GetQueryObjectuiv(query, NO_WAIT, &mut value);
    if has_extension("GL_ARB_query_buffer_object") {
        gallite_tests::draw::expect_no_error("GL_QUERY_RESULT_NO_WAIT");
    } else {
        expect_error(gl::INVALID_ENUM, "GL_QUERY_RESULT_NO_WAIT");
        assert_eq!(value, 7);
    }
}

/// 5.1: the time now; it needs no batch, and goes on.
fn the_time_is_read_without_work(_: &Env) {
    let Some(before) = counter("submits") else { skip("the counters are Gallite's") };
    let mut last = get_i64(gl::TIMESTAMP);
    assert!(last > 0);
    for _ in 0..100 {
        let now = get_i64(gl::TIMESTAMP);
        assert!(now >= last, "{now} after {last}");
        last = now;
    }
    assert_eq!(counter("submits"), Some(before));
}

fn any_samples_passed(_: &Env) {
    Target::new(16, 16);
    solid([1.0; 4]);
    assert_eq!(counted(gl::ANY_SAMPLES_PASSED, quad), 1);
    assert_eq!(counted(gl::ANY_SAMPLES_PASSED, || rect(2.0, 2.0, 3.0, 3.0)), 0);
}

fn depth_test_counts(_: &Env) {
    depth_stencil_target(8, 8);
    gl::Enable(gl::DEPTH_TEST);
    solid_at_depth([1.0; 4], 0.0);
    assert_eq!(counted(gl::SAMPLES_PASSED, || rect(-1.0, -1.0, 0.0, 1.0)), 32);
    solid_at_depth([1.0; 4], 0.5);
    assert_eq!(counted(gl::SAMPLES_PASSED, quad), 32, "half is hidden");
}

fn several_draws_add_up(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    let total = counted(gl::SAMPLES_PASSED, || {
        quad();
        target.clear([0.0; 4]);
        rect(-1.0, -1.0, 0.0, 0.0);
        gl::Flush();
        rect(0.0, 0.0, 1.0, 1.0);
    });
    assert_eq!(total, 64 + 16 + 16);
}

fn a_query_may_be_used_again(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    let query = gen_query();
    for size in [1.0, 0.0, 0.5] {
        gl::BeginQuery(gl::SAMPLES_PASSED, query);
        rect(-1.0, -1.0, -1.0 + 2.0 * size, 1.0);
        gl::EndQuery(gl::SAMPLES_PASSED);
        assert_eq!(result(query), (64.0 * size) as u32);
    }
}

/// 2.14: every primitive that reaches the end of vertex processing, captured or not.
fn primitives_generated(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    for (mode, vertices, expected) in [
        (gl::POINTS, 5, 5),
        (gl::LINES, 5, 2),
        (gl::LINE_STRIP, 5, 4),
        (gl::LINE_LOOP, 5, 5),
        (gl::TRIANGLES, 7, 2),
        (gl::TRIANGLE_STRIP, 7, 5),
        (gl::TRIANGLE_FAN, 7, 5),
    ] {
        let count = counted(gl::PRIMITIVES_GENERATED, || gl::DrawArrays(mode, 0, vertices));
        assert_eq!(count, expected, "mode {mode:#x}");
    }
    let instanced = counted(gl::PRIMITIVES_GENERATED, || gl::DrawArraysInstanced(gl::TRIANGLES, 0, 3, 4));
    assert_eq!(instanced, 4);
}

/// A query may span any number of passes and batches.
fn a_query_left_on(_: &Env) {
    let targets = [Target::new(4, 4), Target::new(8, 8)];
    solid([1.0; 4]);
    let count = counted(gl::SAMPLES_PASSED, || {
        for i in 0..700 {
            targets[i % 2].bind();
            quad();
            if i % 40 == 39 {
                gl::Finish();
            }
        }
    });
    assert_eq!(count, 350 * (16 + 64));
}

/// 13.4, 14.1: primitives are counted before rasterization, which may be off.
fn primitives_generated_without_pixels(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    let count = counted(gl::PRIMITIVES_GENERATED, || {
        gl::Enable(gl::RASTERIZER_DISCARD);
        quad();
        gl::Disable(gl::RASTERIZER_DISCARD);
    });
    assert_eq!(count, 2);
    target.image().expect_all([0; 4]);
    gl::Enable(gl::RASTERIZER_DISCARD);
    let count = counted(gl::PRIMITIVES_GENERATED, || {
        quad();
        quad();
    });
    assert_eq!(count, 4);
    quad();
    target.image().expect_all([0; 4]);
    gl::Disable(gl::RASTERIZER_DISCARD);
    assert_eq!(counted(gl::PRIMITIVES_GENERATED, || rect(-1.0, -1.0, 0.0, 1.0)), 2);
    target.image().expect_each(|x, _| if x < 4 { [255; 4] } else { [0; 4] });
    quad();
    target.image().expect_all([255; 4]);
}

/// Times don't run backwards; an interval lies within the timestamps around it.
fn elapsed_time_and_timestamps(_: &Env) {
    Target::new(64, 64);
    solid([1.0; 4]);
    let [before, elapsed, after] = [gen_query(), gen_query(), gen_query()];
    gl::QueryCounter(before, gl::TIMESTAMP);
    gl::BeginQuery(gl::TIME_ELAPSED, elapsed);
    (0..20).for_each(|_| quad());
    gl::EndQuery(gl::TIME_ELAPSED);
    gl::QueryCounter(after, gl::TIMESTAMP);
    let get = |query| {
        let mut value = 0;
        gl::GetQueryObjectui64v(query, gl::QUERY_RESULT, &mut value);
        value
    };
    let [before, elapsed, after] = [before, elapsed, after].map(get);
    assert!(before > 0 && after >= before, "{before} {after}");
    assert!(elapsed <= after - before, "{elapsed} ns of {} ns", after - before);
    let now = [get_i64(gl::TIMESTAMP), get_i64(gl::TIMESTAMP)];
    assert!(now[1] >= now[0] && now[0] > 0, "{now:?}");
}

fn occluded(passes: bool) -> u32 {
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    if passes {
        quad()
    } else {
        rect(2.0, 2.0, 3.0, 3.0)
    }
    gl::EndQuery(gl::SAMPLES_PASSED);
    query
}

/// GL 4.6 core 10.9: with a result that is there, the modes that do not wait decide as the others do.
fn conditional_rendering(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    let modes = [gl::QUERY_WAIT, gl::QUERY_NO_WAIT, gl::QUERY_BY_REGION_WAIT, gl::QUERY_BY_REGION_NO_WAIT];
    for (passes, colour) in [(true, [255; 4]), (false, [0; 4])] {
        for mode in modes {
            let query = occluded(passes);
            if matches!(mode, gl::QUERY_NO_WAIT | gl::QUERY_BY_REGION_NO_WAIT) {
                assert_eq!(result(query) > 0, passes);
            }
            target.clear([0.0; 4]);
            gl::BeginConditionalRender(query, mode);
            quad();
            gl::EndConditionalRender();
            target.image().expect_all(colour);
            quad();
            target.image().expect_all([255; 4]);
        }
    }
}

/// GL 4.6 core 10.9, 2.4: clears and blits are rendering commands, and so conditional; reads of pixels are not.
fn conditional_clears_and_blits(_: &Env) {
    const RED: [u8; 4] = [255, 0, 0, 255];
    const GREEN: [u8; 4] = [0, 255, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 255, 255];
    let source = Target::new(8, 8);
    source.clear([0.0, 1.0, 0.0, 1.0]);
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    let modes = [gl::QUERY_WAIT, gl::QUERY_NO_WAIT, gl::QUERY_BY_REGION_WAIT, gl::QUERY_BY_REGION_NO_WAIT];
    for passes in [false, true] {
        for mode in modes {
            target.bind();
            let query = occluded(passes);
            assert_eq!(result(query) > 0, passes);
            let expect = |done: [u8; 4]| {
                target.bind();
                target.image().expect_all(if passes { done } else { BLUE });
            };
            target.clear([0.0, 0.0, 1.0, 1.0]);
            gl::BeginConditionalRender(query, mode);
            target.clear([1.0, 0.0, 0.0, 1.0]);
            expect(RED);
            gl::ClearBufferfv(gl::COLOR, 0, [0.0_f32, 1.0, 0.0, 1.0].as_ptr());
            expect(GREEN);
            target.clear([1.0, 0.0, 0.0, 1.0]);
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, source.framebuffer);
            gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, gl::COLOR_BUFFER_BIT, gl::NEAREST);
            expect(GREEN);
            gl::EndConditionalRender();
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, source.framebuffer);
            gl::BlitFramebuffer(0, 0, 4, 8, 0, 0, 4, 8, gl::COLOR_BUFFER_BIT, gl::NEAREST);
            target.bind();
            target.image().expect_each(|x, _| if x < 4 || passes { GREEN } else { BLUE });
            target.clear([1.0, 0.0, 0.0, 1.0]);
            target.image().expect_all(RED);
        }
    }
}

fn conditional_rendering_of_several_draws(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    let [seen, hidden] = [occluded(true), occluded(false)];
    target.clear([0.0; 4]);
    for (query, x) in [(seen, -1.0), (hidden, -0.5), (seen, 0.0), (hidden, 0.5)] {
        gl::BeginConditionalRender(query, gl::QUERY_WAIT);
        rect(x, -1.0, x + 0.5, 0.0);
        rect(x, 0.0, x + 0.5, 1.0);
        gl::EndConditionalRender();
    }
    target.image().expect_each(|x, _| if x / 2 % 2 == 0 { [255; 4] } else { [0; 4] });
}

fn results_survive_other_work(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    let queries: Vec<u32> = (0..40)
        .map(|at| {
            let query = gen_query();
            gl::BeginQuery(gl::SAMPLES_PASSED, query);
            (0..at % 4).for_each(|_| quad());
            gl::EndQuery(gl::SAMPLES_PASSED);
            query
        })
        .collect();
    for (at, query) in queries.iter().enumerate() {
        assert_eq!(result(*query), 64 * (at as u32 % 4), "query {at}");
    }
    let mut available = 0;
    gl::GetQueryObjectuiv(queries[0], gl::QUERY_RESULT_AVAILABLE, &mut available);
    assert_eq!(available, 1);
}

/// 2.14: a name becomes a query when it is first begun.
fn names(_: &Env) {
    let query = gen_query();
    assert_eq!(gl::IsQuery(query), gl::FALSE);
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    assert_eq!(gl::IsQuery(query), gl::TRUE);
    gl::EndQuery(gl::SAMPLES_PASSED);
    assert_eq!(gl::IsQuery(0), gl::FALSE);
    gl::DeleteQueries(2, [query, 0].as_ptr());
    assert_eq!(gl::IsQuery(query), gl::FALSE);
    gl::GenQueries(-1, std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "negative count");
    gl::DeleteQueries(-1, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "negative count");
}

fn begin_and_end_rules(_: &Env) {
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, 0);
    expect_error(gl::INVALID_OPERATION, "no name");
    gl::BeginQuery(gl::SAMPLES_PASSED, 9999);
    expect_error(gl::INVALID_OPERATION, "a name that was never generated");
    gl::BeginQuery(gl::TIMESTAMP, query);
    expect_error(gl::INVALID_ENUM, "a timestamp has no beginning");
    gl::EndQuery(gl::SAMPLES_PASSED);
    expect_error(gl::INVALID_OPERATION, "end without begin");
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    gl::BeginQuery(gl::SAMPLES_PASSED, gen_query());
    expect_error(gl::INVALID_OPERATION, "the target is in use");
    gl::BeginQuery(gl::PRIMITIVES_GENERATED, query);
    expect_error(gl::INVALID_OPERATION, "the query is in use");
    let mut current = 0;
    gl::GetQueryiv(gl::SAMPLES_PASSED, gl::CURRENT_QUERY, &mut current);
    assert_eq!(current as u32, query);
    let other = gen_query();
    gl::BeginQuery(gl::PRIMITIVES_GENERATED, other);
    gl::EndQuery(gl::PRIMITIVES_GENERATED);
    gl::EndQuery(gl::SAMPLES_PASSED);
    gl::GetQueryiv(gl::SAMPLES_PASSED, gl::CURRENT_QUERY, &mut current);
    assert_eq!(current, 0);
    gl::BeginQuery(gl::PRIMITIVES_GENERATED, query);
    expect_error(gl::INVALID_OPERATION, "the query is of another target");
    gl::QueryCounter(gen_query(), gl::SAMPLES_PASSED);
    expect_error(gl::INVALID_ENUM, "only timestamps are counted");
    gl::QueryCounter(query, gl::TIMESTAMP);
    expect_error(gl::INVALID_OPERATION, "the query is of another target");
}

fn results_of_wrong_queries(_: &Env) {
    let mut value = 5;
    gl::GetQueryObjectuiv(gen_query(), gl::QUERY_RESULT, &mut value);
    expect_error(gl::INVALID_OPERATION, "never begun");
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut value);
    expect_error(gl::INVALID_OPERATION, "still active");
    gl::EndQuery(gl::SAMPLES_PASSED);
    gl::GetQueryObjectuiv(query, gl::SAMPLES_PASSED, &mut value);
    expect_error(gl::INVALID_ENUM, "parameter");
    assert_eq!(value, 5);
}

fn conditional_rules(_: &Env) {
    gl::EndConditionalRender();
    expect_error(gl::INVALID_OPERATION, "end without begin");
    gl::BeginConditionalRender(9999, gl::QUERY_WAIT);
    expect_error(gl::INVALID_VALUE, "no such query");
    let query = gen_query();
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    gl::BeginConditionalRender(query, gl::QUERY_WAIT);
    expect_error(gl::INVALID_OPERATION, "the query is active");
    gl::EndQuery(gl::SAMPLES_PASSED);
    gl::BeginConditionalRender(query, gl::SAMPLES_PASSED);
    expect_error(gl::INVALID_ENUM, "mode");
    gl::BeginConditionalRender(query, gl::QUERY_WAIT);
    gl::BeginConditionalRender(query, gl::QUERY_WAIT);
    expect_error(gl::INVALID_OPERATION, "already begun");
    gl::EndConditionalRender();
    let other = gen_query();
    gl::BeginQuery(gl::PRIMITIVES_GENERATED, other);
    gl::EndQuery(gl::PRIMITIVES_GENERATED);
    gl::BeginConditionalRender(other, gl::QUERY_WAIT);
    expect_error(gl::INVALID_OPERATION, "not an occlusion query");
}

/// Table 6.46 and 6.1.7: at least so many bits, or none.
fn counter_bits(_: &Env) {
    for (target, least) in [
        (gl::SAMPLES_PASSED, 1),
        (gl::ANY_SAMPLES_PASSED, 1),
        (gl::PRIMITIVES_GENERATED, 1),
        (gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 1),
        (gl::TIME_ELAPSED, 30),
        (gl::TIMESTAMP, 30),
    ] {
        let mut bits = -1;
        gl::GetQueryiv(target, gl::QUERY_COUNTER_BITS, &mut bits);
        assert!(bits == 0 || bits >= least, "{target:#x}: {bits}");
    }
    let mut bits = 0;
    gl::GetQueryiv(gl::TEXTURE_2D, gl::QUERY_COUNTER_BITS, &mut bits);
    expect_error(gl::INVALID_ENUM, "target");
}
