//! Transform feedback: GL 3.3 core 2.17.

use gallite_tests::draw::{
    Target, buffer, buffer_contents, capture, capturing_program, expect_error, expect_near, gen_query,
    gen_vertex_array, has_extension, program_with, set_varyings, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, skip};

gl_tests! {
    lesser core(3, 3): interleaved_outputs_follow_their_order, separate_outputs_go_to_their_buffers,
        built_in_position_is_captured, strips_come_out_as_triangles, fans_and_loops_come_out_whole,
        draws_and_instances_are_appended, what_does_not_fit_is_not_written, a_range_bounds_the_capture,
        a_range_past_the_buffer_captures_nothing, an_offset_reaches_to_the_end,
        geometry_outputs_are_captured, rasterization_goes_on_unless_discarded, integers_and_matrices,
        elements_are_captured_in_index_order, case_32_one_element_of_a_varying_array,
        case_32_pause_and_resume, a_later_capture_begins_anew,
        many_parts_of_an_output;
    every core(3, 3): varyings_are_reported, begin_and_end_rules, what_is_refused_while_active, bad_varyings_fail_the_link;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec2 value;
out vec2 first;
out float second;
out vec4 third[2];
void main() {
    first = value * 2.0;
    second = value.x + value.y;
    third[0] = vec4(value, 0.0, 1.0);
    third[1] = vec4(value, 2.0, 3.0);
    gl_Position = vec4(value, 0.25, 1.0);
}
";

/// Vertex `i` is (i, 10 i).
fn numbered(count: u8) {
    gl::BindVertexArray(gen_vertex_array());
    let data: Vec<[f32; 2]> = (0..count).map(|i| [f32::from(i), 10.0 * f32::from(i)]).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(0, 2, 0, 0);
}

fn interleaved_outputs_follow_their_order(_: &Env) {
    capturing_program(VS, &["second", "first"], gl::INTERLEAVED_ATTRIBS);
    numbered(4);
    let got = capture(gl::POINTS, 9, -1.0_f32, || gl::DrawArrays(gl::POINTS, 1, 2));
    assert_eq!(got, [11.0, 2.0, 20.0, 22.0, 4.0, 40.0, -1.0, -1.0, -1.0]);
}

/// Buffers bound to points 0 to 3, each of `count` floats of -1.
fn outputs(buffers: u32, count: usize) -> Vec<u32> {
    let bind = |point| {
        let name = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &vec![-1.0_f32; count]);
        gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, point, name);
        name
    };
    (0..buffers).map(bind).collect()
}

fn contents(name: u32, count: usize) -> Vec<f32> {
    gl::BindBuffer(gl::COPY_READ_BUFFER, name);
    buffer_contents(gl::COPY_READ_BUFFER, 0, count, f32::NAN)
}

fn discarding(primitive: u32, draw: impl FnOnce()) {
    Target::new(4, 4);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(primitive);
    draw();
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
}

fn separate_outputs_go_to_their_buffers(_: &Env) {
    capturing_program(VS, &["first", "second", "gl_Position"], gl::SEPARATE_ATTRIBS);
    numbered(4);
    let names = outputs(3, 9);
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 2, 2));
    assert_eq!(contents(names[0], 5), [4.0, 40.0, 6.0, 60.0, -1.0]);
    assert_eq!(contents(names[1], 3), [22.0, 33.0, -1.0]);
    assert_eq!(contents(names[2], 9), [2.0, 20.0, 0.25, 1.0, 3.0, 30.0, 0.25, 1.0, -1.0]);
}

/// What is captured is the position before any flip or change of depth range.
fn built_in_position_is_captured(_: &Env) {
    capturing_program(VS, &["gl_Position"], gl::INTERLEAVED_ATTRIBS);
    numbered(2);
    let got = capture(gl::POINTS, 8, -1.0_f32, || gl::DrawArrays(gl::POINTS, 0, 2));
    assert_eq!(got, [0.0, 0.0, 0.25, 1.0, 1.0, 10.0, 0.25, 1.0]);
}

/// First values of the captured vertices.
fn order(primitive: u32, mode: u32, vertices: i32, captured: usize) -> Vec<f32> {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(8);
    let got = capture(primitive, captured, -1.0_f32, || gl::DrawArrays(mode, 0, vertices));
    got.iter().map(|v| if *v < 0.0 { *v } else { v / 11.0 }).collect()
}

/// 2.17.2: strips are captured as separate triangles; the second one's order keeps the facing (table 2.6.1).
fn strips_come_out_as_triangles(_: &Env) {
    let got = order(gl::TRIANGLES, gl::TRIANGLE_STRIP, 4, 7);
    assert_eq!(&got[..3], [0.0, 1.0, 2.0]);
    let second: Vec<f32> = got[3..6].to_vec();
    let turns = [[1.0, 3.0, 2.0], [3.0, 2.0, 1.0], [2.0, 1.0, 3.0]];
    assert!(turns.iter().any(|turn| second == turn), "{second:?} faces the other way");
    assert_eq!(got[6], -1.0);
    assert_eq!(order(gl::LINES, gl::LINE_STRIP, 3, 5), [0.0, 1.0, 1.0, 2.0, -1.0]);
}

fn fans_and_loops_come_out_whole(_: &Env) {
    let got = order(gl::TRIANGLES, gl::TRIANGLE_FAN, 4, 7);
    let same_triangle =
        |got: &[f32], expected: [f32; 3]| (0..3).any(|turn| (0..3).all(|at| got[(at + turn) % 3] == expected[at]));
    assert!(same_triangle(&got[..3], [0.0, 1.0, 2.0]) && same_triangle(&got[3..6], [0.0, 2.0, 3.0]), "{got:?}");
    assert_eq!(got[6], -1.0);
    assert_eq!(order(gl::LINES, gl::LINE_LOOP, 3, 7), [0.0, 1.0, 1.0, 2.0, 2.0, 0.0, -1.0]);
}

fn draws_and_instances_are_appended(_: &Env) {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(4);
    let got = capture(gl::POINTS, 8, -1.0_f32, || {
        gl::DrawArrays(gl::POINTS, 3, 1);
        gl::DrawArraysInstanced(gl::POINTS, 0, 2, 2);
        gl::MultiDrawArrays(gl::POINTS, [2, 1].as_ptr(), [1, 1].as_ptr(), 2);
    });
    assert_eq!(got, [33.0, 0.0, 11.0, 0.0, 11.0, 22.0, 11.0, -1.0]);
}

/// 2.17.2: a primitive that does not fit whole is not written and counts as generated only.
fn what_does_not_fit_is_not_written(_: &Env) {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(8);
    let names = outputs(1, 5);
    let queries = [gen_query(), gen_query()];
    gl::BeginQuery(gl::PRIMITIVES_GENERATED, queries[0]);
    gl::BeginQuery(gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[1]);
    discarding(gl::LINES, || gl::DrawArrays(gl::LINES, 0, 8));
    gl::EndQuery(gl::PRIMITIVES_GENERATED);
    gl::EndQuery(gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    let counts = queries.map(|query| {
        let mut value = 99;
        gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut value);
        value
    });
    assert_eq!(counts, [4, 2], "generated, written");
    assert_eq!(contents(names[0], 5), [0.0, 11.0, 22.0, 33.0, -1.0]);
}

fn a_range_bounds_the_capture(_: &Env) {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(8);
    let name = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[-1.0_f32; 8]);
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, name, 8, 12);
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 1, 7));
    assert_eq!(contents(name, 8), [-1.0, -1.0, 11.0, 22.0, 33.0, -1.0, -1.0, -1.0]);
}

/// EXT_transform_feedback: glBindBufferOffsetEXT, which has no name in OpenGL itself.
fn an_offset_reaches_to_the_end(_: &Env) {
    if !has_extension("GL_EXT_transform_feedback") {
        skip("no GL_EXT_transform_feedback");
    }
    let address = gallite_tests::egl::get_proc_address("glBindBufferOffsetEXT");
    assert!(!address.is_null());
    // SAFETY: the prototype of glBindBufferOffsetEXT.
    let bind: extern "C" fn(u32, u32, u32, isize) = unsafe { std::mem::transmute(address) };
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(8);
    let name = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[-1.0_f32; 8]);
    bind(gl::TRANSFORM_FEEDBACK_BUFFER, 0, name, 20);
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 1, 7));
    assert_eq!(contents(name, 8), [-1.0, -1.0, -1.0, -1.0, -1.0, 11.0, 22.0, 33.0]);
    for (target, offset, error) in [
        (gl::TRANSFORM_FEEDBACK_BUFFER, 2, gl::INVALID_VALUE),
        (gl::TRANSFORM_FEEDBACK_BUFFER, -4, gl::INVALID_VALUE),
        (gl::UNIFORM_BUFFER, 0, gl::INVALID_ENUM),
    ] {
        bind(target, 0, name, offset);
        expect_error(error, "a wrong offset or target");
    }
}

fn a_later_capture_begins_anew(_: &Env) {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(8);
    let names = outputs(1, 4);
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 1, 3));
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 7, 1));
    assert_eq!(contents(names[0], 4), [77.0, 22.0, 33.0, -1.0]);
}

const GS: &str = "#version 330 core
layout(points) in;
layout(line_strip, max_vertices = 3) out;
in float second[];
out float out_of_geometry;
void main() {
    for (int i = 0; i < 3; ++i) { out_of_geometry = second[0] + float(i); gl_Position = vec4(0.0); EmitVertex(); }
}
";

/// 2.17: the last stage before rasterization is captured, its strips as separate lines.
fn geometry_outputs_are_captured(_: &Env) {
    let stages = [(gl::VERTEX_SHADER, VS), (gl::GEOMETRY_SHADER, GS)];
    program_with(&stages, |p| set_varyings(p, &["out_of_geometry"], gl::INTERLEAVED_ATTRIBS)).bind();
    numbered(3);
    let got = capture(gl::LINES, 9, -1.0_f32, || gl::DrawArrays(gl::POINTS, 1, 2));
    assert_eq!(got, [11.0, 12.0, 12.0, 13.0, 22.0, 23.0, 23.0, 24.0, -1.0]);
}

fn rasterization_goes_on_unless_discarded(_: &Env) {
    let target = Target::new(4, 4);
    let fragment = "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(1.0); }\n";
    let vertex = "#version 330 core
layout(location = 0) in vec2 value;
out vec2 first;
void main() { first = value; gl_Position = vec4(value, 0.0, 1.0); }
";
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |p| set_varyings(p, &["first"], gl::INTERLEAVED_ATTRIBS)).bind();
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    vertex_attrib(0, 2, 0, 0);
    let names = outputs(1, 13);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_all([0; 4]);
    gl::Disable(gl::RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(gl::TRIANGLES);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    gl::EndTransformFeedback();
    target.image().expect_all([255; 4]);
    let got = contents(names[0], 13);
    assert_eq!(&got[..6], [-1.0, -1.0, 1.0, -1.0, -1.0, 1.0]);
    assert_eq!(got[12], -1.0);
}

fn integers_and_matrices(_: &Env) {
    let vertex = "#version 330 core
flat out ivec3 whole;
out mat2x3 matrix;
void main() { whole = ivec3(-1, 2, gl_VertexID); matrix = mat2x3(1, 2, 3, 4, 5, 6); gl_Position = vec4(0.0); }
";
    capturing_program(vertex, &["whole", "matrix"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let got = capture(gl::POINTS, 9, 0_u32, || gl::DrawArrays(gl::POINTS, 7, 1));
    assert_eq!(&got[..3], [-1_i32 as u32, 2, 7]);
    let floats: Vec<f32> = got[3..].iter().map(|bits| f32::from_bits(*bits)).collect();
    expect_near(&floats, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 0.0);
}

fn elements_are_captured_in_index_order(_: &Env) {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(8);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[5_u8, 255, 1, 4]);
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(255);
    let got = capture(gl::POINTS, 4, -1.0_f32, || {
        gl::DrawElements(gl::POINTS, 4, gl::UNSIGNED_BYTE, std::ptr::null());
    });
    gl::Disable(gl::PRIMITIVE_RESTART);
    assert_eq!(got, [55.0, 11.0, 44.0, -1.0]);
}

fn case_32_one_element_of_a_varying_array(_: &Env) {
    capturing_program(VS, &["third[1]", "second"], gl::INTERLEAVED_ATTRIBS);
    numbered(3);
    let got = capture(gl::POINTS, 6, -1.0_f32, || gl::DrawArrays(gl::POINTS, 2, 1));
    assert_eq!(got, [2.0, 20.0, 2.0, 3.0, 22.0, -1.0]);
    capturing_program(VS, &["third[1]", "third[0]"], gl::SEPARATE_ATTRIBS);
    let names = outputs(2, 5);
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 1, 1));
    assert_eq!(contents(names[0], 5), [1.0, 10.0, 2.0, 3.0, -1.0]);
    assert_eq!(contents(names[1], 5), [1.0, 10.0, 0.0, 1.0, -1.0]);
}

fn case_32_pause_and_resume(_: &Env) {
    if !has_extension("GL_ARB_transform_feedback2") {
        skip("no GL_ARB_transform_feedback2");
    }
    for mode in [gl::INTERLEAVED_ATTRIBS, gl::SEPARATE_ATTRIBS] {
        capturing_program(VS, &["third[1]"], mode);
        numbered(4);
        let got = capture(gl::POINTS, 9, -1.0_f32, || {
            gl::DrawArrays(gl::POINTS, 1, 1);
            gl::PauseTransformFeedback();
            gl::DrawArrays(gl::POINTS, 2, 1);
            gl::ResumeTransformFeedback();
            gl::DrawArrays(gl::POINTS, 3, 1);
        });
        assert_eq!(got, [1.0, 10.0, 2.0, 3.0, 3.0, 30.0, 2.0, 3.0, -1.0]);
    }
}

/// 2.11.6: name, size and type of each, as they were when linked.
fn varyings_are_reported(_: &Env) {
    let program = capturing_program(VS, &["first", "second"], gl::SEPARATE_ATTRIBS);
    assert_eq!(program.get(gl::TRANSFORM_FEEDBACK_VARYINGS), 2);
    assert_eq!(program.get(gl::TRANSFORM_FEEDBACK_BUFFER_MODE), gl::SEPARATE_ATTRIBS as i32);
    assert_eq!(program.get(gl::TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH), 7);
    let get = |index| {
        let (mut name, mut length, mut size, mut kind) = ([0_u8; 16], 0, 0, 0);
        let text = name.as_mut_ptr().cast();
        gl::GetTransformFeedbackVarying(program.0, index, 16, &mut length, &mut size, &mut kind, text);
        (String::from_utf8_lossy(&name[..length as usize]).into_owned(), size, kind)
    };
    assert_eq!(get(0), ("first".to_owned(), 1, gl::FLOAT_VEC2));
    assert_eq!(get(1), ("second".to_owned(), 1, gl::FLOAT));
    get(2);
    expect_error(gl::INVALID_VALUE, "index past the last");
    set_varyings(program.0, &["second"], gl::INTERLEAVED_ATTRIBS);
    assert_eq!(get(0).0, "first", "the link decides, not the latest call");
    gl::TransformFeedbackVaryings(program.0, 1, [c"first".as_ptr()].as_ptr(), gl::POINTS);
    expect_error(gl::INVALID_ENUM, "mode");
    let most = gallite_tests::draw::get_i32(gl::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS);
    let many = vec!["a"; most as usize + 1];
    set_varyings(program.0, &many, gl::SEPARATE_ATTRIBS);
    expect_error(gl::INVALID_VALUE, "too many separate outputs");
}

fn begin_and_end_rules(_: &Env) {
    Target::new(4, 4);
    gl::EndTransformFeedback();
    expect_error(gl::INVALID_OPERATION, "end without begin");
    gl::UseProgram(0);
    gl::BeginTransformFeedback(gl::POINTS);
    expect_error(gl::INVALID_OPERATION, "no program");
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(4);
    gl::BeginTransformFeedback(gl::POINTS);
    expect_error(gl::INVALID_OPERATION, "no buffer");
    outputs(1, 8);
    gl::BeginTransformFeedback(gl::LINE_STRIP);
    expect_error(gl::INVALID_ENUM, "not a basic primitive");
    gl::BeginTransformFeedback(gl::TRIANGLES);
    gl::BeginTransformFeedback(gl::TRIANGLES);
    expect_error(gl::INVALID_OPERATION, "already begun");
    gl::DrawArrays(gl::LINES, 0, 2);
    expect_error(gl::INVALID_OPERATION, "lines into triangles");
    gl::EndTransformFeedback();
    gl::DrawArrays(gl::LINES, 0, 2);
    gallite_tests::draw::expect_no_error("after the end");
    capturing_program(VS, &["second", "first"], gl::SEPARATE_ATTRIBS);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 1, 0);
    gl::BeginTransformFeedback(gl::POINTS);
    expect_error(gl::INVALID_OPERATION, "the second buffer is missing");
}

fn what_is_refused_while_active(_: &Env) {
    let program = capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(4);
    let names = outputs(1, 8);
    gl::BeginTransformFeedback(gl::POINTS);
    gl::UseProgram(0);
    expect_error(gl::INVALID_OPERATION, "another program");
    gl::LinkProgram(program.0);
    expect_error(gl::INVALID_OPERATION, "linking the captured program");
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, names[0]);
    expect_error(gl::INVALID_OPERATION, "another buffer");
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, names[0], 0, 4);
    expect_error(gl::INVALID_OPERATION, "another range");
    gl::EndTransformFeedback();
    gl::UseProgram(0);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 99, names[0]);
    expect_error(gl::INVALID_VALUE, "no such point");
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, names[0], 2, 4);
    expect_error(gl::INVALID_VALUE, "unaligned offset");
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, names[0], 0, 0);
    expect_error(gl::INVALID_VALUE, "empty range");
}

/// 2.11.6: the link fails for an output that isn't written, or named twice.
fn bad_varyings_fail_the_link(_: &Env) {
    for names in [&["absent"][..], &["second", "second"], &["third[2]"]] {
        let stages = [(gl::VERTEX_SHADER, VS)];
        let outcome = try_program(&stages, |program| set_varyings(program, names, gl::INTERLEAVED_ATTRIBS));
        assert!(outcome.is_err(), "{names:?}");
    }
}

/// The buffer shrank under the range that is bound: no primitive fits, and nobody else's bytes are written.
fn a_range_past_the_buffer_captures_nothing(_: &Env) {
    capturing_program(VS, &["second"], gl::INTERLEAVED_ATTRIBS);
    numbered(4);
    let names: Vec<u32> = (0..3).map(|_| buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[-1.0_f32; 64])).collect();
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, names[1], 128, 64);
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, names[1]);
    gl::BufferData(gl::COPY_WRITE_BUFFER, 64, [-1.0_f32; 16].as_ptr().cast(), gl::STATIC_DRAW);
    let query = gen_query();
    gl::BeginQuery(gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    discarding(gl::POINTS, || gl::DrawArrays(gl::POINTS, 0, 4));
    gl::EndQuery(gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    let mut written = 77;
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut written);
    assert_eq!(written, 0);
    for (name, count) in [(names[0], 64), (names[1], 16), (names[2], 64)] {
        assert!(contents(name, count).iter().all(|value| *value == -1.0));
    }
    gallite_tests::draw::expect_no_error("capture past the buffer");
}

/// Twenty elements of structures, together with the outputs they are parts of, are within what GL lets a program write.
fn many_parts_of_an_output(_: &Env) {
    let source = "#version 330 core
struct S { int[2] a; int[3] b; };
flat out S[4] v;
void main() {
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) v[i].a[j] = 100 * i + 10 * j + 1;
        for (int j = 0; j < 3; j++) v[i].b[j] = 100 * i + 10 * j + 2;
    }
    gl_Position = vec4(0.0);
}
";
    let names: Vec<String> = (0..4).flat_map(|i| [format!("v[{i}].a"), format!("v[{i}].b")]).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    gallite_tests::draw::capturing_program(source, &names, gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    let got = gallite_tests::draw::capture(gl::POINTS, 20, -1, || gl::DrawArrays(gl::POINTS, 0, 1));
    let expected: Vec<i32> = (0..4).flat_map(|i| [1, 11, 2, 12, 22].map(|value| 100 * i + value)).collect();
    assert_eq!(got, expected);
}
