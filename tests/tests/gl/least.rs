//! A device that lacks what OpenGL 3.3 takes for granted: limits are zero, counters have no bits, commands are refused or
//! messages say what is drawn instead (docs/decisions/0013-lesser-devices.md).

use gallite_tests::draw::{
    SOLID_FS, SOLID_VS, Target, debug_messages, depth_stencil_target, expect_error, expect_no_error, gen_query,
    gen_texture, get_i32, get_i64, has_extension, program, program_with, quad, rect, set_varyings, solid, try_program,
    version,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    least core(3, 3): contexts_are_of_3_3, case_08_one_output_without_dual_source, no_geometry_stage, nothing_is_captured,
        buffers_blend_alike, no_time_is_taken, samples_are_not_counted, logic_operations_are_told_of,
        polygon_modes_are_told_of, depth_clamping_is_told_of, no_clip_distances, the_first_vertex_is_told_of;
}

const WHITE: [u8; 4] = [255; 4];

fn contexts_are_of_3_3(_: &Env) {
    assert_eq!(version(), 33);
    for name in ["GL_ARB_blend_func_extended", "GL_ARB_depth_clamp", "GL_ARB_timer_query", "GL_EXT_transform_feedback"]
    {
        assert!(!has_extension(name), "{name}");
    }
}

/// With the keywords of dual-source blending and one output a program draws; the factors are not there.
fn case_08_one_output_without_dual_source(_: &Env) {
    assert_eq!(get_i32(gl::MAX_DUAL_SOURCE_DRAW_BUFFERS), 0);
    let one = "#version 330 core
layout(location = 0, index = 0) out vec4 result;
void main() { result = vec4(1.0); }
";
    let target = Target::new(4, 4);
    program(SOLID_VS, one);
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    quad();
    target.image().expect_all(WHITE);
    gl::BlendFunc(gl::SRC1_COLOR, gl::ONE);
    expect_error(gl::INVALID_ENUM, "a factor of the second colour");
    // GL 3.3 core 3.9.2: outputs of index 1 count against the limit, and the program doesn't link.
    let two = "#version 330 core
layout(location = 0, index = 0) out vec4 result;
layout(location = 0, index = 1) out vec4 other;
void main() { result = vec4(1.0); other = vec4(1.0); }
";
    assert!(try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, two)], |_| {}).is_err());
}

fn no_geometry_stage(_: &Env) {
    assert_eq!(gl::CreateShader(gl::GEOMETRY_SHADER), 0);
    expect_error(gl::INVALID_ENUM, "a geometry shader");
    for name in [gl::MAX_GEOMETRY_OUTPUT_VERTICES, gl::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS] {
        assert_eq!(get_i32(name), 0, "{name:#x}");
    }
    gl::DrawArrays(gl::LINES_ADJACENCY, 0, 4);
    expect_error(gl::INVALID_ENUM, "a mode that only geometry shaders take");
    let numbered = "#version 330 core
out vec4 result;
void main() { result = vec4(gl_PrimitiveID); }
";
    let log = try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, numbered)], |_| {}).unwrap_err();
    assert!(log.contains("geometry shaders"), "{log}");
}

fn nothing_is_captured(_: &Env) {
    for name in [
        gl::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
        gl::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS,
        gl::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS,
    ] {
        assert_eq!(get_i32(name), 0, "{name:#x}");
    }
    for target in [gl::PRIMITIVES_GENERATED, gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN] {
        assert_eq!(counter_bits(target), 0, "{target:#x}");
    }
    Target::new(4, 4);
    solid([1.0; 4]);
    gl::BeginTransformFeedback(gl::TRIANGLES);
    expect_error(gl::INVALID_OPERATION, "glBeginTransformFeedback");
    let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, SOLID_FS)];
    let capturing = |mode| try_program(&stages, |program| set_varyings(program, &["gl_Position"], mode));
    assert!(capturing(gl::INTERLEAVED_ATTRIBS).is_err());
    // GL 3.3 core 2.11.7: more than there are; nothing is set, so that the program links.
    assert!(capturing(gl::SEPARATE_ATTRIBS).is_ok());
    expect_error(gl::INVALID_VALUE, "a varying in a buffer of its own");
}

/// Draws whose buffers blend or are masked differently are refused; others are drawn.
fn buffers_blend_alike(_: &Env) {
    let target = Target::new(4, 4);
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0 + 1, gl::TEXTURE_2D, texture, 0);
    let both = [gl::COLOR_ATTACHMENT0, gl::COLOR_ATTACHMENT0 + 1];
    gl::DrawBuffers(2, both.as_ptr());
    let fragment = "#version 330 core
layout(location = 0) out vec4 results[2];
void main() { results[0] = vec4(0.4, 0.0, 0.0, 1.0); results[1] = vec4(0.0, 0.4, 0.0, 1.0); }
";
    program_with(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fragment)], |_| {}).bind();
    let images = || {
        [0, 1].map(|at| {
            gl::ReadBuffer(gl::COLOR_ATTACHMENT0 + at);
            target.image().at(1, 1)
        })
    };
    target.clear([0.0; 4]);
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    quad();
    quad();
    expect_no_error("all are alike");
    assert_eq!(images(), [[204, 0, 0, 255], [0, 204, 0, 255]]);
    gl::Disablei(gl::BLEND, 1);
    quad();
    expect_error(gl::INVALID_OPERATION, "one is blended");
    gl::Disablei(gl::BLEND, 0);
    quad();
    expect_no_error("none is");
    gl::ColorMaski(0, 0, 0, 0, 0);
    quad();
    expect_error(gl::INVALID_OPERATION, "one is masked");
    assert_eq!(images(), [[102, 0, 0, 255], [0, 102, 0, 255]]);
    // A clear of one buffer is not blended.
    gl::ClearBufferfv(gl::COLOR, 1, [1.0_f32; 4].as_ptr());
    gl::ClearBufferfv(gl::COLOR, 0, [1.0_f32; 4].as_ptr());
    assert_eq!(images(), [[102, 0, 0, 255], [255; 4]]);
    // One buffer has nothing to differ from.
    gl::DrawBuffers(1, both.as_ptr());
    gl::ColorMaski(0, 1, 1, 1, 1);
    solid([0.0, 0.0, 1.0, 1.0]);
    quad();
    expect_no_error("one buffer");
    assert_eq!(images()[0], [0, 0, 255, 255]);
}

fn counter_bits(target: u32) -> i32 {
    let mut bits = -1;
    gl::GetQueryiv(target, gl::QUERY_COUNTER_BITS, &mut bits);
    bits
}

fn counted(target: u32, draw: impl FnOnce()) -> u64 {
    let query = gen_query();
    gl::BeginQuery(target, query);
    draw();
    gl::EndQuery(target);
    let mut result = 99;
    gl::GetQueryObjectui64v(query, gl::QUERY_RESULT, &mut result);
    result
}

fn no_time_is_taken(_: &Env) {
    Target::new(4, 4);
    solid([1.0; 4]);
    for target in [gl::TIME_ELAPSED, gl::TIMESTAMP] {
        assert_eq!(counter_bits(target), 0, "{target:#x}");
    }
    assert_eq!(counted(gl::TIME_ELAPSED, quad), 0);
    assert_eq!(get_i64(gl::TIMESTAMP), 0);
    let query = gen_query();
    gl::QueryCounter(query, gl::TIMESTAMP);
    let mut result = 99;
    gl::GetQueryObjectui64v(query, gl::QUERY_RESULT, &mut result);
    assert_eq!(result, 0);
    expect_no_error("queries of no bits");
}

/// GL 3.3 core 2.14: a counter of one bit that does not overflow says whether there were any.
fn samples_are_not_counted(_: &Env) {
    Target::new(16, 16);
    solid([1.0; 4]);
    assert_eq!(counter_bits(gl::SAMPLES_PASSED), 1);
    assert_eq!(counted(gl::SAMPLES_PASSED, quad), 1);
    assert_eq!(counted(gl::SAMPLES_PASSED, || rect(2.0, 2.0, 3.0, 3.0)), 0);
}

/// How many messages of the debug log have this text, and the log is empty.
fn told(text: &str) -> usize {
    debug_messages().iter().filter(|message| message.contains(text)).count()
}

fn logic_operations_are_told_of(_: &Env) {
    gl::Enable(gl::DEBUG_OUTPUT);
    let target = Target::new(4, 4);
    solid([0.0, 1.0, 0.0, 1.0]);
    gl::Enable(gl::COLOR_LOGIC_OP);
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ZERO, gl::ZERO);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
    assert_eq!(told("logic operations"), 0, "GL_COPY is what is drawn");
    for operation in [gl::XOR, gl::INVERT] {
        gl::LogicOp(operation);
        target.clear([1.0; 4]);
        quad();
        target.image().expect_all([0, 255, 0, 255]);
    }
    assert_eq!(told("logic operations"), 1, "once");
}

fn polygon_modes_are_told_of(_: &Env) {
    gl::Enable(gl::DEBUG_OUTPUT);
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::LINE);
    quad();
    quad();
    target.image().expect_all(WHITE);
    assert_eq!(told("polygon modes"), 1);
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::FILL);
    quad();
    assert_eq!(told("polygon modes"), 0);
}

fn depth_clamping_is_told_of(_: &Env) {
    gl::Enable(gl::DEBUG_OUTPUT);
    let (target, _) = depth_stencil_target(8, 8);
    let beyond = "#version 330 core
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 2.0, 1.0); }
";
    program(beyond, SOLID_FS).set4f("colour", [1.0; 4]);
    gl::Enable(gl::DEPTH_CLAMP);
    quad();
    quad();
    target.image().expect_all([0; 4]);
    assert_eq!(told("depth clamping"), 1);
}

fn no_clip_distances(_: &Env) {
    assert_eq!(get_i32(gl::MAX_CLIP_DISTANCES), 0);
    gl::Enable(gl::CLIP_DISTANCE0);
    expect_error(gl::INVALID_ENUM, "a clip distance");
    let clipping = "#version 330 core
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); gl_ClipDistance[0] = position.x; }
";
    let stages = [(gl::VERTEX_SHADER, clipping), (gl::FRAGMENT_SHADER, SOLID_FS)];
    let compiled = gallite_tests::draw::shader_status(gl::VERTEX_SHADER, clipping).1;
    assert!(!compiled || try_program(&stages, |_| {}).is_err());
}

fn the_first_vertex_is_told_of(_: &Env) {
    gl::Enable(gl::DEBUG_OUTPUT);
    Target::new(4, 4);
    solid([1.0; 4]);
    gl::ProvokingVertex(gl::FIRST_VERTEX_CONVENTION);
    quad();
    assert_eq!(told("GL_FIRST_VERTEX_CONVENTION"), 0, "which is what there is");
    gl::ProvokingVertex(gl::LAST_VERTEX_CONVENTION);
    quad();
    quad();
    assert_eq!(told("GL_FIRST_VERTEX_CONVENTION"), 1);
}
