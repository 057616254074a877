//! Vertex streams, and draws of what was captured: GL 4.6 core 4.2.1, 11.1.2.1, 11.3.4.2, 13.3.

use gallite_tests::draw::{
    Image, Program, Target, buffer, buffer_contents, capturing_program, expect_error, expect_no_error, gen_query,
    gen_vertex_array, get_i32, program_with, require_extension, set_varyings, solid, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): captured_vertices_are_drawn, instances_of_what_was_captured, a_paused_capture_goes_on,
        buffers_and_gaps, streams_have_their_buffers;
    lesser core(3, 3): queries_count_each_stream;
    every core(3, 3): errors_of_captured_draws, errors_of_indexed_queries, link_rules, limits;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec2 pixel;
out vec4 at;
void main() { at = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0); gl_Position = at; }
";
const WHITE: [u8; 4] = [255; 4];

fn points(pixels: &[[f32; 2]]) {
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, pixels);
    vertex_attrib(0, 2, 0, 0);
}

fn generated() -> u32 {
    let mut name = 0;
    gl::GenTransformFeedbacks(1, &mut name);
    name
}

/// Captures `count` of three points with a new object, which stays bound; the buffer's name.
fn captured(draws: &[(i32, i32)]) -> (u32, u32) {
    require_extension("GL_ARB_transform_feedback2");
    capturing_program(VS, &["at"], gl::INTERLEAVED_ATTRIBS);
    points(&[[1.0, 2.0], [5.0, 6.0], [9.0, 3.0]]);
    let object = generated();
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, object);
    let room = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0.0_f32; 32]);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, room);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(gl::POINTS);
    for (first, count) in draws {
        gl::DrawArrays(gl::POINTS, *first, *count);
    }
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, 0);
    expect_no_error("capture");
    (object, room)
}

/// Positions of attribute 0 come from a captured buffer.
fn drawing_from(room: u32) {
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    gl::BindBuffer(gl::ARRAY_BUFFER, room);
    vertex_attrib(0, 4, 0, 0);
}

#[track_caller]
fn expect_lit(image: &Image, lit: &[(i32, i32)]) {
    image.expect_each(|x, y| if lit.contains(&(x, y)) { WHITE } else { [0; 4] });
}

/// 13.3.3: as many vertices as were captured, no matter how many the buffer holds.
fn captured_vertices_are_drawn(_: &Env) {
    let target = Target::new(16, 16);
    for (draws, lit) in [
        (vec![(0, 3)], vec![(1, 2), (5, 6), (9, 3)]),
        (vec![(1, 1)], vec![(5, 6)]),
        (vec![(0, 1), (2, 1)], vec![(1, 2), (9, 3)]),
        (vec![], vec![]),
    ] {
        let (object, room) = captured(&draws);
        target.bind();
        target.clear([0.0; 4]);
        drawing_from(room);
        gl::DrawTransformFeedback(gl::POINTS, object);
        expect_no_error("draw");
        expect_lit(&target.image(), &lit);
        gl::DeleteTransformFeedbacks(1, &object);
    }
}

fn instances_of_what_was_captured(_: &Env) {
    let target = Target::new(16, 16);
    require_extension("GL_ARB_transform_feedback_instanced");
    let (object, room) = captured(&[(0, 2)]);
    target.bind();
    target.clear([0.0; 4]);
    let vertex = "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = position + vec4(0.125 * float(gl_InstanceID), 0.0, 0.0, 0.0); }
";
    let fragment = "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(1.0); }\n";
    drawing_from(room);
    gallite_tests::draw::program(vertex, fragment);
    gl::DrawTransformFeedbackInstanced(gl::POINTS, object, 2);
    expect_lit(&target.image(), &[(1, 2), (2, 2), (5, 6), (6, 6)]);
    target.clear([0.0; 4]);
    gl::DrawTransformFeedbackStreamInstanced(gl::POINTS, object, 0, 1);
    expect_lit(&target.image(), &[(1, 2), (5, 6)]);
    gl::DrawTransformFeedbackInstanced(gl::POINTS, object, 0);
    gl::DrawTransformFeedbackInstanced(gl::POINTS, object, -1);
    expect_error(gl::INVALID_VALUE, "negative instances");
}

/// 13.3.2: another object captures while one is paused, and what was captured before the pause stays.
fn a_paused_capture_goes_on(_: &Env) {
    let target = Target::new(16, 16);
    require_extension("GL_ARB_transform_feedback2");
    let program = capturing_program(VS, &["at"], gl::INTERLEAVED_ATTRIBS);
    points(&[[1.0, 2.0], [5.0, 6.0], [9.0, 3.0]]);
    let objects = [generated(), generated()];
    let mut rooms = [0; 2];
    gl::Enable(gl::RASTERIZER_DISCARD);
    for (object, room) in objects.iter().zip(&mut rooms) {
        gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, *object);
        *room = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0.0_f32; 32]);
        gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, *room);
        gl::BeginTransformFeedback(gl::POINTS);
        gl::DrawArrays(gl::POINTS, 0, 1);
        gl::PauseTransformFeedback();
    }
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, objects[0]);
    gl::ResumeTransformFeedback();
    gl::DrawArrays(gl::POINTS, 2, 1);
    gl::EndTransformFeedback();
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, objects[1]);
    gl::ResumeTransformFeedback();
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, 0);
    program.delete();
    drawing_from(rooms[0]);
    gl::DrawTransformFeedback(gl::POINTS, objects[0]);
    expect_lit(&target.image(), &[(1, 2), (9, 3)]);
    target.clear([0.0; 4]);
    drawing_from(rooms[1]);
    gl::DrawTransformFeedback(gl::POINTS, objects[1]);
    expect_lit(&target.image(), &[(1, 2)]);
    expect_no_error("draws");
}

fn rooms(count: u32, floats: usize) -> Vec<u32> {
    let bind = |point| {
        let name = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &vec![-1.0_f32; floats]);
        gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, point, name);
        name
    };
    (0..count).map(bind).collect()
}

fn contents(name: u32, count: usize) -> Vec<f32> {
    gl::BindBuffer(gl::COPY_READ_BUFFER, name);
    buffer_contents(gl::COPY_READ_BUFFER, 0, count, f32::NAN)
}

fn discarding(draw: impl FnOnce()) {
    Target::new(4, 4);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(gl::POINTS);
    draw();
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    expect_no_error("capture");
}

/// 11.1.2.1: gl_SkipComponents leaves what is there, gl_NextBuffer goes on in the next buffer.
fn buffers_and_gaps(_: &Env) {
    require_extension("GL_ARB_transform_feedback3");
    let vertex = "#version 330 core
out float a; out vec2 b; out float c;
void main() { float n = float(gl_VertexID); a = n + 1.0; b = vec2(n + 10.0, n + 20.0); c = n + 30.0; gl_Position = vec4(0.0); }
";
    let names = ["a", "gl_SkipComponents2", "b", "gl_NextBuffer", "gl_SkipComponents1", "c", "gl_SkipComponents4"];
    capturing_program(vertex, &names, gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let rooms = rooms(2, 12);
    discarding(|| gl::DrawArrays(gl::POINTS, 0, 2));
    assert_eq!(contents(rooms[0], 11), [1.0, -1.0, -1.0, 10.0, 20.0, 2.0, -1.0, -1.0, 11.0, 21.0, -1.0]);
    assert_eq!(contents(rooms[1], 8), [-1.0, 30.0, -1.0, -1.0, -1.0, -1.0, -1.0, 31.0]);
}

/// A geometry stage that emits each vertex once to stream 0 and, for odd ones, twice to stream 1.
fn streaming() -> Program {
    require_extension("GL_ARB_transform_feedback3");
    require_extension("GL_ARB_gpu_shader5");
    let vertex = "#version 330 core\nout int number;\nvoid main() { number = gl_VertexID; }\n";
    let geometry = "#version 330 core
#extension GL_ARB_gpu_shader5 : require
layout(points) in; layout(points, max_vertices = 3) out;
in int number[];
layout(stream = 0) out vec2 even;
layout(stream = 1) out float odd;
void main() {
    even = vec2(float(number[0]), 5.0); EmitStreamVertex(0);
    for (int i = 0; i < 2 * (number[0] & 1); ++i) { odd = float(number[0] * 10 + i); EmitStreamVertex(1); EndStreamPrimitive(1); }
}
";
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::GEOMETRY_SHADER, geometry)];
    let program = program_with(&stages, |p| {
        set_varyings(p, &["even", "gl_NextBuffer", "odd"], gl::INTERLEAVED_ATTRIBS);
    });
    program.bind();
    gl::BindVertexArray(gen_vertex_array());
    program
}

fn streams_have_their_buffers(_: &Env) {
    streaming();
    let rooms = rooms(2, 16);
    discarding(|| gl::DrawArrays(gl::POINTS, 0, 4));
    assert_eq!(contents(rooms[0], 9), [0.0, 5.0, 1.0, 5.0, 2.0, 5.0, 3.0, 5.0, -1.0]);
    assert_eq!(contents(rooms[1], 5), [10.0, 11.0, 30.0, 31.0, -1.0]);
}

fn result(query: u32) -> u32 {
    let mut value = u32::MAX;
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut value);
    value
}

/// 4.2.1: counts of a stream each, all at once; glBeginQuery is index 0.
fn queries_count_each_stream(_: &Env) {
    streaming();
    rooms(2, 5);
    let written = [gen_query(), gen_query()];
    let made = [gen_query(), gen_query()];
    for index in 0..2 {
        let at = index as usize;
        gl::BeginQueryIndexed(gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, index, written[at]);
        gl::BeginQueryIndexed(gl::PRIMITIVES_GENERATED, index, made[at]);
        let mut name = 0;
        gl::GetQueryIndexediv(gl::PRIMITIVES_GENERATED, index, gl::CURRENT_QUERY, &mut name);
        assert_eq!(name as u32, made[at]);
    }
    discarding(|| gl::DrawArrays(gl::POINTS, 0, 4));
    for index in 0..2 {
        gl::EndQueryIndexed(gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, index);
        gl::EndQueryIndexed(gl::PRIMITIVES_GENERATED, index);
    }
    assert_eq!(made.map(result), [4, 4]);
    // Two of the first stream's vertices fit, and all of the second's.
    assert_eq!(written.map(result), [2, 4]);
    gl::BeginQueryIndexed(gl::PRIMITIVES_GENERATED, 0, made[1]);
    gl::EndQuery(gl::PRIMITIVES_GENERATED);
    assert_eq!(result(made[1]), 0, "a query of another index than before");
    expect_no_error("queries");
}

fn errors_of_captured_draws(_: &Env) {
    require_extension("GL_ARB_transform_feedback3");
    let _target = Target::new(4, 4);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    gl::DrawTransformFeedback(gl::POINTS, 1234);
    expect_error(gl::INVALID_VALUE, "no such object");
    gl::DrawTransformFeedback(gl::POINTS, 0);
    expect_error(gl::INVALID_OPERATION, "nothing captured by the default object");
    let object = generated();
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, object);
    gl::BindTransformFeedback(gl::TRANSFORM_FEEDBACK, 0);
    gl::DrawTransformFeedback(gl::POINTS, object);
    expect_error(gl::INVALID_OPERATION, "nothing captured");
    gl::DrawTransformFeedback(0x1234, object);
    expect_error(gl::INVALID_ENUM, "no such mode");
    gl::DrawTransformFeedbackStream(gl::POINTS, object, get_i32(gl::MAX_VERTEX_STREAMS) as u32);
    expect_error(gl::INVALID_VALUE, "no such stream");
}

fn errors_of_indexed_queries(_: &Env) {
    require_extension("GL_ARB_transform_feedback3");
    let query = gen_query();
    let streams = get_i32(gl::MAX_VERTEX_STREAMS) as u32;
    gl::BeginQueryIndexed(gl::PRIMITIVES_GENERATED, streams, query);
    expect_error(gl::INVALID_VALUE, "no such stream");
    gl::BeginQueryIndexed(gl::SAMPLES_PASSED, 1, query);
    expect_error(gl::INVALID_VALUE, "samples have no streams");
    gl::BeginQueryIndexed(0x1234, 0, query);
    expect_error(gl::INVALID_ENUM, "no such target");
    gl::EndQueryIndexed(gl::PRIMITIVES_GENERATED, 1);
    expect_error(gl::INVALID_OPERATION, "nothing to end");
    gl::BeginQueryIndexed(gl::PRIMITIVES_GENERATED, 1, query);
    gl::BeginQueryIndexed(gl::PRIMITIVES_GENERATED, 1, gen_query());
    expect_error(gl::INVALID_OPERATION, "one is active");
    gl::BeginQueryIndexed(gl::PRIMITIVES_GENERATED, 0, query);
    expect_error(gl::INVALID_OPERATION, "the query is active");
    gl::EndQueryIndexed(gl::PRIMITIVES_GENERATED, 0);
    expect_error(gl::INVALID_OPERATION, "another index");
    gl::EndQueryIndexed(gl::PRIMITIVES_GENERATED, 1);
    let mut value = -1;
    gl::GetQueryIndexediv(gl::PRIMITIVES_GENERATED, streams, gl::CURRENT_QUERY, &mut value);
    expect_error(gl::INVALID_VALUE, "no such stream");
}

/// 11.1.2.1: a buffer holds one stream.
fn link_rules(_: &Env) {
    require_extension("GL_ARB_transform_feedback3");
    require_extension("GL_ARB_gpu_shader5");
    let vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n";
    let geometry = "#version 330 core
#extension GL_ARB_gpu_shader5 : require
layout(points) in; layout(points, max_vertices = 2) out;
layout(stream = 0) out float a; layout(stream = 1) out float b;
void main() { a = 1.0; EmitStreamVertex(0); b = 1.0; EmitStreamVertex(1); }
";
    let link = |names: &[&str]| {
        let stages = [(gl::VERTEX_SHADER, vertex), (gl::GEOMETRY_SHADER, geometry)];
        try_program(&stages, |p| set_varyings(p, names, gl::INTERLEAVED_ATTRIBS)).map(Program::delete)
    };
    assert!(link(&["a", "b"]).is_err(), "two streams in a buffer");
    assert_eq!(link(&["a", "gl_NextBuffer", "b"]), Ok(()));
}

fn limits(_: &Env) {
    require_extension("GL_ARB_transform_feedback3");
    assert!(get_i32(gl::MAX_TRANSFORM_FEEDBACK_BUFFERS) >= 4);
    assert!(get_i32(gl::MAX_VERTEX_STREAMS) >= 1);
}
