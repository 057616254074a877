//! Layouts that the source gives: GLSL 4.60 4.4 as ARB_enhanced_layouts brought it, GL 4.6 core 7.3 and 11.1.2.1.

use gallite_tests::draw::{
    Program, SOLID_VS, Target, buffer, buffer_contents, expect_error, expect_no_error, gen_vertex_array, program,
    run_float, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::CString;

gl_tests! {
    render core(3, 3): offsets_of_members, alignments_of_members, storage_offsets, varyings_share_locations, inputs_share_locations,
        outputs_share_locations, blocks_meet_by_location, expressions;
    lesser core(3, 3): captures, captures_of_blocks, captures_of_structures;
    every core(3, 3): capture_answers, capture_errors, refused, offsets_must_agree;
}

const HEAD: &str = "#version 330 core
#extension GL_ARB_enhanced_layouts : require
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shader_storage_buffer_object : enable
#extension GL_ARB_shading_language_420pack : enable
";

fn output(declarations: &str, expression: &str) -> Program {
    program(SOLID_VS, &format!("{HEAD}{declarations}\nout vec4 result;\nvoid main() {{ result = {expression}; }}\n"))
}

fn link(vertex: &str, fragment: &str) -> Result<Program, String> {
    let (vertex, fragment) = (format!("{HEAD}{vertex}"), format!("{HEAD}{fragment}"));
    try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &fragment)], |_| {})
}

fn resource(p: Program, interface: u32, name: &str, what: u32) -> i32 {
    let name = CString::new(name).unwrap_or_default();
    let index = gl::GetProgramResourceIndex(p.0, interface, name.as_ptr());
    assert_ne!(index, gl::INVALID_INDEX, "{name:?}");
    let mut value = -9;
    gl::GetProgramResourceiv(p.0, interface, index, 1, &what, 1, std::ptr::null_mut(), &mut value);
    value
}

/// Bytes where byte 4 i is the float i.
fn numbered(target: u32, count: u8) {
    let data: Vec<f32> = (0..count).map(f32::from).collect();
    gl::BindBufferBase(target, 0, buffer(target, &data));
}

/// 4.4.5: what has no offset of its own comes after what has.
fn offsets_of_members(_: &Env) {
    let p = output(
        "layout(std140) uniform B { float a; layout(offset = 32) vec2 b; float c; layout(offset = 64) vec4 d; };",
        "vec4(a, b.y, c, d.z)",
    );
    for (name, offset) in [("a", 0), ("b", 32), ("c", 40), ("d", 64)] {
        assert_eq!(resource(p, gl::UNIFORM, name, gl::OFFSET), offset, "{name}");
    }
    assert_eq!(resource(p, gl::UNIFORM_BLOCK, "B", gl::BUFFER_DATA_SIZE), 80);
    numbered(gl::UNIFORM_BUFFER, 20);
    assert_eq!(run_float(p), [0.0, 9.0, 10.0, 18.0]);
}

fn alignments_of_members(_: &Env) {
    let p = output(
        "layout(std140, align = 32) uniform B { float a; float b; layout(align = 64) vec2 c; layout(offset = 72, align = 16) float d; };",
        "vec4(a, b, c.x, d)",
    );
    for (name, offset) in [("a", 0), ("b", 32), ("c", 64), ("d", 80)] {
        assert_eq!(resource(p, gl::UNIFORM, name, gl::OFFSET), offset, "{name}");
    }
    numbered(gl::UNIFORM_BUFFER, 24);
    assert_eq!(run_float(p), [0.0, 8.0, 16.0, 20.0]);
}

fn storage_offsets(_: &Env) {
    gallite_tests::draw::require_extension("GL_ARB_shader_storage_buffer_object");
    let p = output(
        "layout(std430, binding = 0) readonly buffer B { float a[2]; layout(offset = 24) vec2 b; layout(align = 16) float c[3]; };",
        "vec4(a[1], b.y, c[0], c[2])",
    );
    for (name, offset) in [("a", 0), ("b", 24), ("c", 32)] {
        assert_eq!(resource(p, gl::BUFFER_VARIABLE, name, gl::OFFSET), offset, "{name}");
    }
    assert_eq!(resource(p, gl::BUFFER_VARIABLE, "a", gl::ARRAY_STRIDE), 4);
    numbered(gl::SHADER_STORAGE_BUFFER, 12);
    assert_eq!(run_float(p), [1.0, 7.0, 8.0, 10.0]);
}

/// 4.4.1: several varyings in the components of one location.
fn varyings_share_locations(_: &Env) {
    let p = link(
        "in vec4 position;
         layout(location = 1, component = 0) out vec2 a; layout(location = 1, component = 2) out float b;
         layout(location = 1, component = 3) flat out float c;
         void main() { a = vec2(1.0, 2.0); b = 3.0; c = 4.0; gl_Position = position; }"
            .replace("flat ", "")
            .as_str(),
        "layout(location = 1, component = 3) in float z; layout(location = 1, component = 2) in float y;
         layout(location = 1) in vec2 x; out vec4 result; void main() { result = vec4(x, y, z); }",
    );
    let p = p.unwrap_or_else(|log| panic!("{log}"));
    p.bind();
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 4.0]);
}

fn inputs_share_locations(_: &Env) {
    let p = link(
        "layout(location = 0) in vec4 position; layout(location = 2, component = 1) in vec2 a;
         layout(location = 2, component = 3) in float b; layout(location = 2) in float c; flat out vec4 seen;
         void main() { seen = vec4(a, b, c); gl_Position = position; }",
        "flat in vec4 seen; out vec4 result; void main() { result = seen; }",
    );
    let p = p.unwrap_or_else(|log| panic!("{log}"));
    p.bind();
    for (name, component) in [("a", 1), ("b", 3), ("c", 0)] {
        assert_eq!(resource(p, gl::PROGRAM_INPUT, name, gl::LOCATION_COMPONENT), component, "{name}");
        assert_eq!(p.attribute(name), 2, "{name}");
    }
    gl::VertexAttrib4f(2, 1.0, 2.0, 3.0, 4.0);
    assert_eq!(run_float(p), [2.0, 3.0, 4.0, 1.0]);
}

fn outputs_share_locations(_: &Env) {
    let p = program(
        SOLID_VS,
        &format!(
            "{HEAD}layout(location = 0, component = 2) out vec2 high; layout(location = 0) out vec2 low;
             void main() {{ high = vec2(3.0, 4.0); low = vec2(1.0, 2.0); }}\n"
        ),
    );
    assert_eq!(resource(p, gl::PROGRAM_OUTPUT, "high", gl::LOCATION_COMPONENT), 2);
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 4.0]);
}

/// 4.4.1 and GL 4.6 core 7.4.1: members have the locations that follow from their block's, or their own.
fn blocks_meet_by_location(_: &Env) {
    let p = link(
        "in vec4 position; layout(location = 3) out B { vec2 a; layout(location = 7) float b; float c; } one;
         void main() { one.a = vec2(1.0, 2.0); one.b = 3.0; one.c = 4.0; gl_Position = position; }",
        "layout(location = 3) in vec2 x; layout(location = 8) in float z; layout(location = 7) in float y;
         out vec4 result; void main() { result = vec4(x, y, z); }",
    );
    let p = p.unwrap_or_else(|log| panic!("{log}"));
    p.bind();
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 4.0]);
}

/// 4.4: the values are constant integral expressions.
fn expressions(_: &Env) {
    let p = output(
        "const int two = 2; layout(std140, binding = two - 2) uniform B { layout(offset = two * 16 + 4) float a; };
         layout(location = two + 1) uniform float b;"
            .replace("layout(location = two + 1) ", "")
            .as_str(),
        "vec4(a, b, 0.0, 1.0)",
    );
    numbered(gl::UNIFORM_BUFFER, 12);
    p.set1f("b", 5.0);
    assert_eq!(run_float(p), [9.0, 5.0, 0.0, 1.0]);
}

/// Links what captures `outputs` (without a fragment shader) and puts it into use.
#[track_caller]
fn capturing(outputs: &str, code: &str) -> Program {
    let vertex = format!("{HEAD}in float value;\n{outputs}\nvoid main() {{ {code} gl_Position = vec4(value); }}\n");
    let ignored = c"gl_Position".as_ptr();
    let p = try_program(&[(gl::VERTEX_SHADER, &vertex)], |p| {
        gl::BindAttribLocation(p, 0, c"value".as_ptr());
        // 4.4.2.1: names of the program don't count beside those of the shader.
        gl::TransformFeedbackVaryings(p, 1, &ignored, gl::INTERLEAVED_ATTRIBS);
    });
    let p = p.unwrap_or_else(|log| panic!("{log}"));
    p.bind();
    p
}

/// Draws points with the values 1 and 2; what buffers of `counts` floats get, -1 where nothing is written.
fn run_capture<const N: usize>(counts: [usize; N]) -> [Vec<f32>; N] {
    let names = counts.map(|count| buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &vec![-1.0_f32; count]));
    for (point, name) in (0..).zip(names) {
        gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, point, name);
    }
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[1.0_f32, 2.0]);
    vertex_attrib(0, 1, 0, 0);
    let target = Target::new(4, 4);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(gl::POINTS);
    gl::DrawArrays(gl::POINTS, 0, 2);
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    target.delete();
    expect_no_error("a capture");
    let mut got = names.map(|_| Vec::new());
    for ((name, count), got) in names.into_iter().zip(counts).zip(&mut got) {
        gl::BindBuffer(gl::COPY_READ_BUFFER, name);
        *got = buffer_contents(gl::COPY_READ_BUFFER, 0, count, f32::NAN);
    }
    got
}

fn captures(_: &Env) {
    capturing(
        "layout(xfb_buffer = 1, xfb_stride = 16) out; layout(xfb_offset = 8) out float a;
         layout(xfb_buffer = 0, xfb_offset = 0) out vec2 b; layout(xfb_buffer = 1, xfb_offset = 0) out float c[2];",
        "a = value; b = vec2(value * 10.0, value * 20.0); c[0] = value + 0.5; c[1] = -value;",
    );
    let [first, second] = run_capture([5, 9]);
    assert_eq!(first, [10.0, 20.0, 20.0, 40.0, -1.0]);
    assert_eq!(second, [1.5, -1.0, 1.0, -1.0, 2.5, -2.0, 2.0, -1.0, -1.0]);
}

/// 4.4.2.1: members of a block go on from the block's offset, or have offsets of their own.
fn captures_of_blocks(_: &Env) {
    let p = capturing(
        "layout(xfb_offset = 4) out B { vec2 a; float b; layout(xfb_offset = 20) float c; } block;
         out gl_PerVertex { layout(xfb_offset = 24) vec4 gl_Position; };",
        "block.a = vec2(value, 7.0); block.b = 8.0; block.c = 9.0;",
    );
    assert_eq!(resource(p, gl::TRANSFORM_FEEDBACK_VARYING, "B.a", gl::OFFSET), 4);
    assert_eq!(resource(p, gl::TRANSFORM_FEEDBACK_VARYING, "gl_Position", gl::OFFSET), 24);
    let [got] = run_capture([20]);
    assert_eq!(got[..10], [-1.0, 1.0, 7.0, 8.0, -1.0, 9.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(got[10..], [-1.0, 2.0, 7.0, 8.0, -1.0, 9.0, 2.0, 2.0, 2.0, 2.0]);
}

fn captures_of_structures(_: &Env) {
    let p = capturing(
        "struct S { float a; vec2 b[2]; }; layout(xfb_offset = 0) out S s;",
        "s.a = value; s.b[0] = vec2(3.0, 4.0); s.b[1] = vec2(5.0, 6.0);",
    );
    assert_eq!(resource(p, gl::TRANSFORM_FEEDBACK_VARYING, "s.b", gl::OFFSET), 4);
    let [got] = run_capture([10]);
    assert_eq!(got, [1.0, 3.0, 4.0, 5.0, 6.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

fn capture_answers(_: &Env) {
    let p = capturing(
        "layout(xfb_buffer = 2, xfb_stride = 32) out; layout(xfb_offset = 4) out vec2 a; layout(xfb_buffer = 0, xfb_offset = 0) out float b;",
        "a = vec2(value); b = value;",
    );
    let (varying, buffers) = (gl::TRANSFORM_FEEDBACK_VARYING, gl::TRANSFORM_FEEDBACK_BUFFER);
    let mut active = 0;
    gl::GetProgramInterfaceiv(p.0, buffers, gl::ACTIVE_RESOURCES, &mut active);
    assert_eq!(active, 2);
    let of = |index: u32, what: u32| {
        let mut value = -9;
        gl::GetProgramResourceiv(p.0, buffers, index, 1, &what, 1, std::ptr::null_mut(), &mut value);
        value
    };
    assert_eq!([of(0, gl::BUFFER_BINDING), of(1, gl::BUFFER_BINDING)], [0, 2]);
    let stride = gl::TRANSFORM_FEEDBACK_BUFFER_STRIDE;
    assert_eq!([of(0, stride), of(1, stride)], [4, 32]);
    assert_eq!(resource(p, varying, "a", gl::TRANSFORM_FEEDBACK_BUFFER_INDEX), 1);
    assert_eq!(resource(p, varying, "b", gl::TRANSFORM_FEEDBACK_BUFFER_INDEX), 0);
    assert_eq!(resource(p, varying, "a", gl::OFFSET), 4);
    assert_eq!(p.get(gl::TRANSFORM_FEEDBACK_VARYINGS), 2);
    expect_no_error("what is captured");
}

/// GL 4.6 core 13.3.2: every buffer that is captured to is bound.
fn capture_errors(_: &Env) {
    capturing("layout(xfb_buffer = 1, xfb_offset = 0) out float a;", "a = value;");
    gl::BeginTransformFeedback(gl::POINTS);
    expect_error(gl::INVALID_OPERATION, "a capture without its buffer");
}

/// 4.4: compile and link errors.
fn refused(_: &Env) {
    let vertex = |outputs: &str| format!("in vec4 position; {outputs} void main() {{ gl_Position = position; }}");
    let fragment =
        |inputs: &str, value: &str| format!("{inputs} out vec4 result; void main() {{ result = vec4({value}); }}");
    for outputs in [
        "layout(component = 1) out vec2 a;",
        "layout(location = 0, component = 3) out vec2 a;",
        "layout(location = 0, component = 4) out float a;",
        "layout(location = 0, component = 0) out mat2 a;",
        "layout(location = 0) out vec3 a; layout(location = 0, component = 2) out float b;",
        "layout(location = 0) out float a; layout(location = 0, component = 1) out int b;",
        "out B { layout(location = 1) float a; float b; };",
        "layout(std140) uniform B { layout(offset = 2) float a; };",
        "layout(std140) uniform B { layout(offset = 16) float a; layout(offset = 0) float b; };",
        "layout(std140) uniform B { layout(align = 3) float a; };",
        "layout(shared) uniform B { layout(offset = 16) float a; };",
        "layout(packed) uniform B { layout(align = 16) float a; };",
        "uniform B { layout(offset = 16) float a; };",
        "layout(xfb_offset = 2) out float a;",
        "layout(xfb_offset = 0) out vec2 a; layout(xfb_offset = 4) out float b;",
        "layout(xfb_buffer = 4, xfb_offset = 0) out float a;",
        "layout(xfb_buffer = 0, xfb_stride = 8) out; layout(xfb_buffer = 0, xfb_stride = 12) out;",
        "layout(xfb_stride = 6) out;",
        "layout(xfb_stride = 4, xfb_offset = 0) out vec2 a;",
        "layout(xfb_offset = 0) in float a;",
        "uniform int n; layout(location = n) out float a;",
        "layout(location = 1.0) out float a;",
    ] {
        assert!(link(&vertex(outputs), &fragment("", "1.0")).is_err(), "{outputs}");
    }
    // It belongs to the extension in this version, as does naming one thing twice.
    for declaration in
        ["layout(location = 1, location = 2) out vec4 a;", "layout(location = 0, component = 1) out float a;"]
    {
        let text = format!("#version 330 core\n{declaration} void main() {{ }}\n");
        assert!(try_program(&[(gl::FRAGMENT_SHADER, &text)], |_| {}).is_err(), "{declaration}");
        let text = format!("{HEAD}{declaration} void main() {{ }}\n");
        let allowed = try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, &text)], |_| {});
        assert!(allowed.is_ok(), "{declaration}: {allowed:?}");
    }
    let unmatched = link(
        &vertex("layout(location = 0, component = 1) out float a;"),
        &fragment("layout(location = 0, component = 2) in float b;", "b"),
    );
    assert!(unmatched.is_err());
}

/// GL 4.6 core 7.4.1: a block of two stages has the same members at the same places.
fn offsets_must_agree(_: &Env) {
    let block = |offset: &str| format!("layout(std140) uniform B {{ vec4 a; {offset} vec4 b; }};");
    let both = |one: &str, other: &str| {
        link(
            &format!("{} void main() {{ gl_Position = a + b; }}", block(one)),
            &format!("{} out vec4 result; void main() {{ result = a + b; }}", block(other)),
        )
    };
    assert!(both("layout(offset = 32)", "layout(offset = 32)").is_ok());
    assert!(both("layout(offset = 16)", "").is_ok());
    assert!(both("layout(offset = 32)", "layout(offset = 48)").is_err());
    assert!(both("layout(offset = 32)", "").is_err());
}
