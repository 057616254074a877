//! Results of queries in buffers, statistics, overflow: GL 4.6 core 4.2, 4.3, 10.9 and 13.3.3.

use gallite_tests::draw::{
    Target, buffer, buffer_contents, capturing_program, expect_error, expect_no_error, gen_query, gen_vertex_array,
    get_i32, program_with, quad, rect, require_extension, solid, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter};

gl_tests! {
    lesser core(3, 3): results_go_to_buffers, results_of_several_passes, other_results_go_to_buffers,
        statistics_of_draws, statistics_of_dispatches, statistics_of_all_stages, overflow_is_told, inverted_conditions,
        overflow_decides;
    every core(3, 3): buffer_rules, targets_and_indices;
}

const BOTH: [u32; 2] = [gl::QUERY_RESULT, gl::QUERY_RESULT_AVAILABLE];

fn counted(target: u32, draw: impl FnOnce()) -> u32 {
    let query = gen_query();
    gl::BeginQuery(target, query);
    draw();
    gl::EndQuery(target);
    query
}

#[track_caller]
fn result(query: u32) -> u64 {
    let mut value = 0xdead;
    gl::GetQueryObjectui64v(query, gl::QUERY_RESULT, &mut value);
    expect_no_error("glGetQueryObjectui64v");
    value
}

/// 4.2.3: in stream order, so that what is read later has it, and without the program waiting for it.
fn results_go_to_buffers(_: &Env) {
    require_extension("GL_ARB_query_buffer_object");
    Target::new(16, 16);
    solid([1.0; 4]);
    let room = buffer(gl::QUERY_BUFFER, &[7_u32; 8]);
    quad();
    gl::Flush();
    let waits = counter("waits");
    let query = counted(gl::SAMPLES_PASSED, || rect(-1.0, -1.0, 0.0, 1.0));
    // The pointer is an offset.
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, std::ptr::dangling_mut());
    gl::GetQueryObjectui64v(query, gl::QUERY_RESULT, std::ptr::dangling_mut());
    gl::GetQueryBufferObjectiv(query, room, gl::QUERY_RESULT, 20);
    gl::GetQueryBufferObjecti64v(query, room, gl::QUERY_RESULT, 24);
    expect_no_error("results to a buffer");
    assert_eq!(counter("waits"), waits, "the program does not wait");
    assert_eq!(buffer_contents(gl::QUERY_BUFFER, 0, 8, 0_u32), [7, 128, 128, 0, 7, 128, 128, 0]);
    gl::Finish();
    // Known by now.
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT_NO_WAIT, std::ptr::null_mut());
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT_AVAILABLE, std::ptr::dangling_mut());
    gl::GetQueryObjectuiv(query, gl::QUERY_TARGET, 8 as *mut _);
    gl::GetError();
    assert_eq!(buffer_contents(gl::QUERY_BUFFER, 0, 2, 0_u32), [128, 1]);
    gl::BindBuffer(gl::QUERY_BUFFER, 0);
    assert_eq!(result(query), 128);
}

fn results_of_several_passes(_: &Env) {
    require_extension("GL_ARB_query_buffer_object");
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    let room = buffer(gl::QUERY_BUFFER, &[7_u32; 3]);
    let query = counted(gl::SAMPLES_PASSED, || {
        quad();
        target.clear([0.0; 4]);
        gl::Flush();
        rect(-1.0, -1.0, 0.0, 0.0);
    });
    gl::GetQueryBufferObjectuiv(query, room, gl::QUERY_RESULT, 4);
    assert_eq!(buffer_contents(gl::QUERY_BUFFER, 0, 3, 0_u32), [7, 80, 7]);
}

/// Yes or no, times, and whether there is a result.
fn other_results_go_to_buffers(_: &Env) {
    require_extension("GL_ARB_query_buffer_object");
    Target::new(8, 8);
    solid([1.0; 4]);
    let room = buffer(gl::QUERY_BUFFER, &[7_u64; 8]);
    let any = counted(gl::ANY_SAMPLES_PASSED, quad);
    let time = counted(gl::TIME_ELAPSED, quad);
    let primitives = counted(gl::PRIMITIVES_GENERATED, quad);
    let stamp = gen_query();
    gl::QueryCounter(stamp, gl::TIMESTAMP);
    for (at, query) in [any, time, primitives, stamp].into_iter().enumerate() {
        gl::GetQueryBufferObjectui64v(query, room, gl::QUERY_RESULT, 16 * at as isize);
        gl::GetQueryBufferObjectui64v(query, room, gl::QUERY_RESULT_AVAILABLE, 16 * at as isize + 8);
    }
    expect_no_error("results to a buffer");
    let got = buffer_contents(gl::QUERY_BUFFER, 0, 8, 0_u64);
    gl::BindBuffer(gl::QUERY_BUFFER, 0);
    assert_eq!(got[0], 1);
    assert_eq!(got[2], result(time));
    assert_eq!(got[4], 2);
    assert_eq!(got[6], result(stamp));
    // Each is asked for after the wait for its result.
    assert_eq!([got[1], got[3], got[5], got[7]], [1; 4]);
}

fn buffer_rules(_: &Env) {
    require_extension("GL_ARB_query_buffer_object");
    let room = buffer(gl::QUERY_BUFFER, &[7_u32; 4]);
    assert_eq!(get_i32(gl::QUERY_BUFFER_BINDING) as u32, room);
    let query = gen_query();
    gl::GetQueryBufferObjectuiv(query, room, gl::QUERY_RESULT, 0);
    expect_error(gl::INVALID_OPERATION, "never begun");
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    gl::GetQueryBufferObjectuiv(query, room, gl::QUERY_RESULT, 0);
    expect_error(gl::INVALID_OPERATION, "still active");
    gl::EndQuery(gl::SAMPLES_PASSED);
    for pname in BOTH {
        gl::GetQueryBufferObjectuiv(query, room, pname, -4);
        expect_error(gl::INVALID_VALUE, "a negative offset");
        gl::GetQueryBufferObjectuiv(query, room, pname, 13);
        expect_error(gl::INVALID_OPERATION, "beyond the end");
        gl::GetQueryBufferObjectui64v(query, room, pname, 12);
        expect_error(gl::INVALID_OPERATION, "beyond the end");
        gl::GetQueryObjectuiv(query, pname, 16 as *mut _);
        expect_error(gl::INVALID_OPERATION, "beyond the end");
        gl::GetQueryBufferObjectuiv(query, 9999, pname, 0);
        expect_error(gl::INVALID_OPERATION, "no such buffer");
    }
    gl::GetQueryBufferObjectuiv(query, room, gl::SAMPLES_PASSED, 0);
    expect_error(gl::INVALID_ENUM, "parameter");
    gl::MapBuffer(gl::QUERY_BUFFER, gl::READ_ONLY);
    gl::GetQueryBufferObjectuiv(query, room, gl::QUERY_RESULT, 0);
    expect_error(gl::INVALID_OPERATION, "mapped");
    gl::UnmapBuffer(gl::QUERY_BUFFER);
    assert_eq!(buffer_contents(gl::QUERY_BUFFER, 0, 4, 0_u32), [7; 4]);
    gl::DeleteBuffers(1, &room);
    assert_eq!(get_i32(gl::QUERY_BUFFER_BINDING), 0);
}

fn statistics_of_draws(_: &Env) {
    require_extension("GL_ARB_pipeline_statistics_query");
    Target::new(8, 8);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[[-1.0_f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    vertex_attrib(0, 2, 0, 0);
    let strip = || gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    assert_eq!(result(counted(gl::VERTICES_SUBMITTED, strip)), 4);
    assert_eq!(result(counted(gl::PRIMITIVES_SUBMITTED, strip)), 2);
    let invocations = result(counted(gl::VERTEX_SHADER_INVOCATIONS, strip));
    assert!((4..=6).contains(&invocations), "{invocations}");
    assert_eq!(result(counted(gl::CLIPPING_INPUT_PRIMITIVES, strip)), 2);
    let clipped = result(counted(gl::CLIPPING_OUTPUT_PRIMITIVES, strip));
    assert!(clipped >= 2, "{clipped}");
    let fragments = result(counted(gl::FRAGMENT_SHADER_INVOCATIONS, strip));
    assert!(fragments >= 64, "{fragments}");
    assert_eq!(result(counted(gl::GEOMETRY_SHADER_INVOCATIONS, strip)), 0);
    assert_eq!(result(counted(gl::VERTICES_SUBMITTED, || {})), 0);
    // Several count at once.
    let [vertices, primitives] = [gen_query(), gen_query()];
    gl::BeginQuery(gl::VERTICES_SUBMITTED, vertices);
    strip();
    gl::BeginQuery(gl::PRIMITIVES_SUBMITTED, primitives);
    strip();
    gl::EndQuery(gl::VERTICES_SUBMITTED);
    strip();
    gl::EndQuery(gl::PRIMITIVES_SUBMITTED);
    assert_eq!([result(vertices), result(primitives)], [8, 4]);
}

fn statistics_of_dispatches(_: &Env) {
    require_extension("GL_ARB_pipeline_statistics_query");
    require_extension("GL_ARB_compute_shader");
    Target::new(8, 8);
    let source = "#version 330 core
#extension GL_ARB_compute_shader : require
layout(local_size_x = 8) in;
shared uint some;
void main() { some = 1u; }
";
    let program = program_with(&[(gl::COMPUTE_SHADER, source)], |_| {});
    let query = counted(gl::COMPUTE_SHADER_INVOCATIONS, || {
        program.bind();
        gl::DispatchCompute(2, 3, 1);
        solid([1.0; 4]);
        quad();
        program.bind();
        gl::DispatchCompute(1, 1, 1);
        // What follows each other, also where the device is handed a part of it, and other work in between.
        gl::DispatchCompute(3, 1, 1);
        gl::Flush();
        gl::DispatchCompute(1, 1, 1);
        buffer(gl::ARRAY_BUFFER, &[1_u32]);
        gl::DispatchCompute(1, 1, 1);
    });
    gl::DispatchCompute(1, 1, 1);
    assert_eq!(result(query), 96);
}

fn statistics_of_all_stages(_: &Env) {
    require_extension("GL_ARB_pipeline_statistics_query");
    require_extension("GL_ARB_tessellation_shader");
    Target::new(8, 8);
    let stages = [
        (gl::VERTEX_SHADER, "#version 400 core\nvoid main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n"),
        (
            gl::TESS_CONTROL_SHADER,
            "#version 400 core
layout(vertices = 1) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position;
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = 1.0;
}
",
        ),
        (
            gl::TESS_EVALUATION_SHADER,
            "#version 400 core\nlayout(isolines, point_mode) in;\nvoid main() { gl_Position = gl_in[0].gl_Position; }\n",
        ),
        (
            gl::GEOMETRY_SHADER,
            "#version 400 core
layout(points) in;
layout(points, max_vertices = 3) out;
void main() {
    for (int i = 0; i < 3; ++i) { gl_Position = gl_in[0].gl_Position; EmitVertex(); EndPrimitive(); }
}
",
        ),
        (gl::FRAGMENT_SHADER, "#version 400 core\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n"),
    ];
    program_with(&stages, |_| {}).bind();
    gl::BindVertexArray(gen_vertex_array());
    gl::PatchParameteri(gl::PATCH_VERTICES, 1);
    let draw = || gl::DrawArrays(gl::PATCHES, 0, 5);
    assert_eq!(result(counted(gl::TESS_CONTROL_SHADER_PATCHES, draw)), 5);
    let evaluated = result(counted(gl::TESS_EVALUATION_SHADER_INVOCATIONS, draw));
    assert!(evaluated >= 10, "{evaluated}");
    assert_eq!(result(counted(gl::GEOMETRY_SHADER_INVOCATIONS, draw)), 10);
    assert_eq!(result(counted(gl::GEOMETRY_SHADER_PRIMITIVES_EMITTED, draw)), 30);
}

const POINTS: &str = "#version 330 core
out vec4 at;
void main() { at = vec4(1.0); gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }
";

/// A query over a capture with room for three points.
fn capturing(target: u32, points: i32) -> u32 {
    capturing_program(POINTS, &["at"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let room = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0.0_f32; 12]);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, room);
    gl::Enable(gl::RASTERIZER_DISCARD);
    let query = counted(target, || {
        gl::BeginTransformFeedback(gl::POINTS);
        gl::DrawArrays(gl::POINTS, 0, points);
        gl::EndTransformFeedback();
    });
    gl::Disable(gl::RASTERIZER_DISCARD);
    query
}

/// 4.2.5 of the extension's text, 13.3.3 of GL 4.6: whether there were more primitives than room.
fn overflow_is_told(_: &Env) {
    require_extension("GL_ARB_transform_feedback_overflow_query");
    Target::new(8, 8);
    for target in [gl::TRANSFORM_FEEDBACK_OVERFLOW, gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW] {
        assert_eq!(result(capturing(target, 3)), 0, "{target:#x}");
        assert_eq!(result(capturing(target, 4)), 1, "{target:#x}");
    }
    let query = gen_query();
    gl::BeginQueryIndexed(gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 1, query);
    capturing(gl::TRANSFORM_FEEDBACK_OVERFLOW, 4);
    gl::EndQueryIndexed(gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 1);
    assert_eq!(result(query), 0, "another stream");
}

fn overflow_decides(_: &Env) {
    require_extension("GL_ARB_transform_feedback_overflow_query");
    let target = Target::new(8, 8);
    for (points, inverted, drawn) in [(3, false, false), (4, false, true), (3, true, true), (4, true, false)] {
        let query = capturing(gl::TRANSFORM_FEEDBACK_OVERFLOW, points);
        target.clear([0.0; 4]);
        solid([1.0; 4]);
        gl::BeginConditionalRender(query, if inverted { gl::QUERY_WAIT_INVERTED } else { gl::QUERY_WAIT });
        quad();
        gl::EndConditionalRender();
        expect_no_error("conditional rendering");
        target.image().expect_all([if drawn { 255 } else { 0 }; 4]);
    }
}

/// 10.9: the inverted modes draw where the others don't.
fn inverted_conditions(_: &Env) {
    require_extension("GL_ARB_conditional_render_inverted");
    let target = Target::new(8, 8);
    for (shown, colour) in [(true, [0; 4]), (false, [255; 4])] {
        for mode in [gl::QUERY_WAIT_INVERTED, gl::QUERY_BY_REGION_WAIT_INVERTED] {
            solid([1.0; 4]);
            let query = counted(gl::SAMPLES_PASSED, || if shown { quad() } else { rect(2.0, 2.0, 3.0, 3.0) });
            target.clear([0.0; 4]);
            gl::BeginConditionalRender(query, mode);
            quad();
            gl::EndConditionalRender();
            target.image().expect_all(colour);
        }
    }
    let query = counted(gl::SAMPLES_PASSED, quad);
    gl::Finish();
    for mode in [gl::QUERY_NO_WAIT_INVERTED, gl::QUERY_BY_REGION_NO_WAIT_INVERTED] {
        gl::BeginConditionalRender(query, mode);
        gl::EndConditionalRender();
    }
    expect_no_error("modes that don't wait");
}

fn targets_and_indices(_: &Env) {
    require_extension("GL_ARB_pipeline_statistics_query");
    require_extension("GL_ARB_transform_feedback_overflow_query");
    let streams = get_i32(gl::MAX_VERTEX_STREAMS) as u32;
    let query = gen_query();
    for (target, most) in [
        (gl::VERTICES_SUBMITTED, 1),
        (gl::COMPUTE_SHADER_INVOCATIONS, 1),
        (gl::TRANSFORM_FEEDBACK_OVERFLOW, 1),
        (gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW, streams),
    ] {
        gl::BeginQueryIndexed(target, most, query);
        expect_error(gl::INVALID_VALUE, "beyond the last index");
        let mut bits = -1;
        gl::GetQueryiv(target, gl::QUERY_COUNTER_BITS, &mut bits);
        assert!(bits >= 1, "{target:#x}: {bits}");
        let query = gen_query();
        gl::BeginQueryIndexed(target, most - 1, query);
        let mut current = 0;
        gl::GetQueryIndexediv(target, most - 1, gl::CURRENT_QUERY, &mut current);
        assert_eq!(current as u32, query);
        gl::EndQueryIndexed(target, most - 1);
        expect_no_error("a target");
    }
    let counted = counted(gl::VERTICES_SUBMITTED, || {});
    gl::BeginConditionalRender(counted, gl::QUERY_WAIT);
    expect_error(gl::INVALID_OPERATION, "statistics decide nothing");
}
