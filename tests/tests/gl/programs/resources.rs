//! Program interface queries: GL 4.6 core 7.3.1 and tables 7.1 and 7.2.

use gallite_tests::draw::{Program, expect_error, expect_no_error, program_with};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::CString;

gl_tests! {
    every core(3, 3): vertex_inputs, fragment_outputs, uniforms, outputs_of_other_stages, captured_varyings,
        capture_buffers, subroutines, names_are_cut, errors, not_linked, inputs_per_vertex_and_patch;
}

fn index(p: Program, interface: u32, name: &str) -> u32 {
    let name = CString::new(name).unwrap_or_default();
    gl::GetProgramResourceIndex(p.0, interface, name.as_ptr())
}

fn location(p: Program, interface: u32, name: &str) -> i32 {
    let name = CString::new(name).unwrap_or_default();
    gl::GetProgramResourceLocation(p.0, interface, name.as_ptr())
}

fn name(p: Program, interface: u32, index: u32) -> String {
    let (mut bytes, mut length) = ([0_u8; 64], 0);
    gl::GetProgramResourceName(p.0, interface, index, 64, &mut length, bytes.as_mut_ptr().cast());
    String::from_utf8_lossy(&bytes[..length.max(0) as usize]).into_owned()
}

fn of_interface(p: Program, interface: u32, what: u32) -> i32 {
    let mut value = -9;
    gl::GetProgramInterfaceiv(p.0, interface, what, &mut value);
    value
}

/// Values of properties, as many as there are.
fn values(p: Program, interface: u32, index: u32, props: &[u32]) -> Vec<i32> {
    let (mut values, mut length) = ([-9; 32], 0);
    let count = props.len() as i32;
    gl::GetProgramResourceiv(p.0, interface, index, count, props.as_ptr(), 32, &mut length, values.as_mut_ptr());
    values[..length.max(0) as usize].to_vec()
}

/// Names of all resources, in order of the alphabet.
fn all(p: Program, interface: u32) -> Vec<String> {
    let count = of_interface(p, interface, gl::ACTIVE_RESOURCES) as u32;
    let mut names: Vec<String> = (0..count).map(|i| name(p, interface, i)).collect();
    for (i, name) in names.iter().enumerate() {
        assert_eq!(index(p, interface, name), i as u32, "{name}");
    }
    let longest = names.iter().map(|n| n.len() as i32 + 1).max().unwrap_or(0);
    assert_eq!(of_interface(p, interface, gl::MAX_NAME_LENGTH), longest);
    names.sort();
    names
}

const VERTEX: &str = "#version 330 core
layout(location = 3) in vec4 position; layout(location = 4) in mat2 m; layout(location = 8) in float a[3];
in vec4 unused;
out vec2 v;
void main() { v = m[0] + a[2]; gl_Position = position * float(gl_VertexID + gl_InstanceID); }
";

const FRAGMENT: &str = "#version 330 core
in vec2 v; uniform float f; uniform struct S { vec4 x; float y[2]; } s[2];
layout(location = 1) out vec4 color[2]; layout(location = 0) out ivec2 other;
void main() { color[0] = v.xyxy * f; color[1] = s[0].x * s[1].y[1]; other = ivec2(1); gl_FragDepth = 0.5; }
";

fn both() -> Program {
    program_with(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)], |_| {})
}

fn vertex_inputs(_: &Env) {
    let p = both();
    let input = gl::PROGRAM_INPUT;
    assert_eq!(all(p, input), ["a[0]", "gl_InstanceID", "gl_VertexID", "m", "position"]);
    let props = [
        gl::NAME_LENGTH,
        gl::TYPE,
        gl::ARRAY_SIZE,
        gl::LOCATION,
        gl::LOCATION_COMPONENT,
        gl::IS_PER_PATCH,
        gl::REFERENCED_BY_VERTEX_SHADER,
        gl::REFERENCED_BY_FRAGMENT_SHADER,
    ];
    let expect = |name: &str, kind: u32, size: i32, location: i32| {
        let length = CString::new(name).map_or(0, |n| n.as_bytes_with_nul().len() as i32);
        assert_eq!(
            values(p, input, index(p, input, name), &props),
            [length, kind as i32, size, location, 0, 0, 1, 0],
            "{name}"
        );
    };
    expect("position", gl::FLOAT_VEC4, 1, 3);
    expect("m", gl::FLOAT_MAT2, 1, 4);
    expect("a[0]", gl::FLOAT, 3, 8);
    expect("gl_VertexID", gl::INT, 1, -1);
    assert_eq!(index(p, input, "a"), index(p, input, "a[0]"));
    for (name, at) in [("a", 8), ("a[0]", 8), ("a[2]", 10), ("a[3]", -1), ("m", 4), ("m[1]", -1), ("unused", -1)] {
        assert_eq!(location(p, input, name), at, "{name}");
        assert_eq!(p.attribute(name), at, "{name}");
    }
    for (name, what) in [("unused", gl::INVALID_INDEX), ("a[1]", gl::INVALID_INDEX), ("v", gl::INVALID_INDEX)] {
        assert_eq!(index(p, input, name), what, "{name}");
    }
    assert_eq!(location(p, input, "gl_VertexID"), -1);
    expect_no_error("inputs");
}

fn fragment_outputs(_: &Env) {
    let p = both();
    let output = gl::PROGRAM_OUTPUT;
    assert_eq!(all(p, output), ["color[0]", "gl_FragDepth", "other"]);
    let props = [gl::TYPE, gl::ARRAY_SIZE, gl::LOCATION, gl::LOCATION_INDEX, gl::REFERENCED_BY_FRAGMENT_SHADER];
    let get = |name| values(p, output, index(p, output, name), &props);
    assert_eq!(get("color"), [gl::FLOAT_VEC4 as i32, 2, 1, 0, 1]);
    assert_eq!(get("other"), [gl::INT_VEC2 as i32, 1, 0, 0, 1]);
    assert_eq!(get("gl_FragDepth"), [gl::FLOAT as i32, 1, -1, -1, 1]);
    for (name, at) in [("color", 1), ("color[1]", 2), ("color[2]", -1), ("other", 0), ("gl_FragDepth", -1)] {
        assert_eq!(location(p, output, name), at, "{name}");
        let name = CString::new(name).unwrap_or_default();
        let index = gl::GetProgramResourceLocationIndex(p.0, output, name.as_ptr());
        assert_eq!(index, if at < 0 { -1 } else { 0 }, "{name:?}");
    }
    expect_no_error("outputs");
}

fn uniforms(_: &Env) {
    let p = both();
    let uniform = gl::UNIFORM;
    assert_eq!(all(p, uniform), ["f", "s[0].x", "s[0].y[0]", "s[1].x", "s[1].y[0]"]);
    for name in ["f", "s[1].y", "s[1].y[1]", "s[0].x"] {
        assert_eq!(location(p, uniform, name), p.location(name), "{name}");
        assert!(location(p, uniform, name) >= 0);
    }
    let props = [gl::TYPE, gl::BLOCK_INDEX, gl::OFFSET, gl::ATOMIC_COUNTER_BUFFER_INDEX, gl::LOCATION];
    let f = values(p, uniform, index(p, uniform, "f"), &props);
    assert_eq!(f, [gl::FLOAT as i32, -1, -1, -1, p.location("f")]);
    expect_no_error("uniforms");
}

/// 7.3.1.1: outputs are those of the last stage; members of blocks are called after the block.
fn outputs_of_other_stages(_: &Env) {
    let vertex = "#version 330 core
in vec4 position;
struct S { float a; vec2 b; };
out S s; out B { vec4 member; float array[2]; } instance; out Anonymous { vec4 plain; }; flat out int v[2];
void main() {
    s.a = 1.0; s.b = position.xy; instance.member = position; instance.array[1] = 1.0; plain = position; v[0] = 1;
    v[1] = 2; gl_Position = position;
}
";
    let p = program_with(&[(gl::VERTEX_SHADER, vertex)], |_| {});
    let expected = ["B.array[0]", "B.member", "gl_Position", "plain", "s.a", "s.b", "v[0]"];
    assert_eq!(all(p, gl::PROGRAM_OUTPUT), expected);
    assert_eq!(all(p, gl::PROGRAM_INPUT), ["position"]);
    let output = gl::PROGRAM_OUTPUT;
    let props = [gl::TYPE, gl::ARRAY_SIZE, gl::LOCATION_INDEX, gl::REFERENCED_BY_VERTEX_SHADER];
    assert_eq!(values(p, output, index(p, output, "v"), &props), [gl::INT as i32, 2, -1, 1]);
    assert_eq!(values(p, output, index(p, output, "B.array"), &props), [gl::FLOAT as i32, 2, -1, 1]);
    assert_eq!(location(p, output, "gl_Position"), -1);
    // Each has a place of its own.
    let mut taken: Vec<i32> = Vec::new();
    for name in ["B.array[0]", "B.array[1]", "B.member", "plain", "s.a", "s.b", "v[0]", "v[1]"] {
        taken.push(location(p, output, name));
    }
    taken.sort_unstable();
    taken.dedup();
    assert_eq!(taken.len(), 8);
    assert!(taken[0] >= 0);
    // No colour numbers.
    let name = c"plain".as_ptr();
    assert_eq!(gl::GetProgramResourceLocationIndex(p.0, output, name), -1);
    assert_eq!(gl::GetFragDataLocation(p.0, name), -1);
    expect_no_error("outputs of a vertex shader");
}

fn captures(mode: u32, names: &[&std::ffi::CStr]) -> Program {
    let vertex = "#version 330 core
in vec4 position; out vec2 a; flat out int b[3]; out mat2 m;
void main() { a = position.xy; b[0] = b[1] = b[2] = gl_VertexID; m = mat2(1.0); gl_Position = position; }
";
    let pointers: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
    program_with(&[(gl::VERTEX_SHADER, vertex)], |p| {
        gl::TransformFeedbackVaryings(p, pointers.len() as i32, pointers.as_ptr(), mode);
    })
}

fn captured_varyings(_: &Env) {
    let p = captures(gl::INTERLEAVED_ATTRIBS, &[c"gl_Position", c"a", c"b[1]", c"m", c"b"]);
    let varying = gl::TRANSFORM_FEEDBACK_VARYING;
    assert_eq!(of_interface(p, varying, gl::ACTIVE_RESOURCES), 5);
    assert_eq!(of_interface(p, varying, gl::MAX_NAME_LENGTH), 12);
    let props = [gl::NAME_LENGTH, gl::TYPE, gl::ARRAY_SIZE, gl::OFFSET, gl::TRANSFORM_FEEDBACK_BUFFER_INDEX];
    for (i, (expected, kind, size, offset)) in [
        ("gl_Position", gl::FLOAT_VEC4, 1, 0),
        ("a", gl::FLOAT_VEC2, 1, 16),
        ("b[1]", gl::INT, 1, 24),
        ("m", gl::FLOAT_MAT2, 1, 28),
        ("b", gl::INT, 3, 44),
    ]
    .into_iter()
    .enumerate()
    {
        let (i, length) = (i as u32, expected.len() as i32 + 1);
        assert_eq!(name(p, varying, i), expected);
        assert_eq!(index(p, varying, expected), i);
        assert_eq!(values(p, varying, i, &props), [length, kind as i32, size, offset, 0], "{expected}");
    }
    expect_no_error("captured varyings");
}

fn capture_buffers(_: &Env) {
    let props =
        [gl::BUFFER_BINDING, gl::TRANSFORM_FEEDBACK_BUFFER_STRIDE, gl::NUM_ACTIVE_VARIABLES, gl::ACTIVE_VARIABLES];
    let buffer = gl::TRANSFORM_FEEDBACK_BUFFER;
    let p = captures(gl::INTERLEAVED_ATTRIBS, &[c"a", c"m"]);
    assert_eq!(of_interface(p, buffer, gl::ACTIVE_RESOURCES), 1);
    assert_eq!(of_interface(p, buffer, gl::MAX_NUM_ACTIVE_VARIABLES), 2);
    assert_eq!(values(p, buffer, 0, &props), [0, 24, 2, 0, 1]);
    let p = captures(gl::SEPARATE_ATTRIBS, &[c"b", c"a"]);
    assert_eq!(of_interface(p, buffer, gl::ACTIVE_RESOURCES), 2);
    assert_eq!(values(p, buffer, 0, &props), [0, 12, 1, 0]);
    assert_eq!(values(p, buffer, 1, &props), [1, 8, 1, 1]);
    let of = gl::TRANSFORM_FEEDBACK_BUFFER_INDEX;
    assert_eq!(values(p, gl::TRANSFORM_FEEDBACK_VARYING, 1, &[of]), [1]);
    expect_no_error("capture buffers");
}

/// 7.3.1.1 and 7.10: the same answers as the older commands give.
fn subroutines(_: &Env) {
    let fragment = "#version 330 core
#extension GL_ARB_shader_subroutine : require
subroutine float kind(float x); subroutine float other();
subroutine uniform kind choose; subroutine uniform other many[2];
subroutine(kind) float one(float x) { return x; }
subroutine(kind) float two(float x) { return x + 1.0; }
subroutine(other) float three() { return 3.0; }
out vec4 result;
void main() { result = vec4(choose(1.0), many[0](), many[1](), 1.0); }
";
    let vertex = "#version 330 core\nin vec4 position; void main() { gl_Position = position; }\n";
    let p = program_with(&[(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)], |_| {});
    let (function, uniform) = (gl::FRAGMENT_SUBROUTINE, gl::FRAGMENT_SUBROUTINE_UNIFORM);
    assert_eq!(all(p, function), ["one", "three", "two"]);
    assert_eq!(all(p, uniform), ["choose", "many[0]"]);
    assert_eq!(of_interface(p, uniform, gl::MAX_NUM_COMPATIBLE_SUBROUTINES), 2);
    for interface in [gl::VERTEX_SUBROUTINE, gl::VERTEX_SUBROUTINE_UNIFORM, gl::COMPUTE_SUBROUTINE] {
        assert_eq!(of_interface(p, interface, gl::ACTIVE_RESOURCES), 0);
    }
    for name in ["one", "two", "three"] {
        let own = CString::new(name).unwrap_or_default();
        assert_eq!(index(p, function, name), gl::GetSubroutineIndex(p.0, gl::FRAGMENT_SHADER, own.as_ptr()));
    }
    for name in ["choose", "many", "many[1]", "many[2]"] {
        let own = CString::new(name).unwrap_or_default();
        let old = gl::GetSubroutineUniformLocation(p.0, gl::FRAGMENT_SHADER, own.as_ptr());
        assert_eq!(location(p, uniform, name), old, "{name}");
    }
    let fits = |name| {
        let props = [gl::ARRAY_SIZE, gl::NUM_COMPATIBLE_SUBROUTINES, gl::COMPATIBLE_SUBROUTINES];
        let mut found = values(p, uniform, index(p, uniform, name), &props);
        found[2..].sort_unstable();
        found
    };
    let mut both = [index(p, function, "one") as i32, index(p, function, "two") as i32];
    both.sort_unstable();
    assert_eq!(fits("choose"), [1, 2, both[0], both[1]]);
    assert_eq!(fits("many"), [2, 1, index(p, function, "three") as i32]);
    expect_no_error("subroutines");
}

fn names_are_cut(_: &Env) {
    let p = both();
    let (mut bytes, mut length) = ([b'x'; 8], -1);
    let i = index(p, gl::PROGRAM_INPUT, "position");
    gl::GetProgramResourceName(p.0, gl::PROGRAM_INPUT, i, 4, &mut length, bytes.as_mut_ptr().cast());
    assert_eq!((length, &bytes[..5]), (3, &b"pos\0x"[..]));
    // Values that don't fit are left out.
    let props = [gl::TYPE, gl::ARRAY_SIZE, gl::LOCATION];
    let (mut values, mut length) = ([-9; 3], -1);
    gl::GetProgramResourceiv(p.0, gl::PROGRAM_INPUT, i, 3, props.as_ptr(), 2, &mut length, values.as_mut_ptr());
    assert_eq!((length, values), (2, [gl::FLOAT_VEC4 as i32, 1, -9]));
    expect_no_error("short buffers");
}

fn errors(_: &Env) {
    let p = both();
    let mut value = [0; 4];
    let v = value.as_mut_ptr();
    let interface = |interface, what, error| {
        gl::GetProgramInterfaceiv(p.0, interface, what, v);
        expect_error(error, &format!("interface 0x{interface:04X} 0x{what:04X}"));
    };
    interface(gl::TEXTURE_2D, gl::ACTIVE_RESOURCES, gl::INVALID_ENUM);
    interface(gl::UNIFORM, gl::NAME_LENGTH, gl::INVALID_OPERATION);
    interface(gl::ATOMIC_COUNTER_BUFFER, gl::MAX_NAME_LENGTH, gl::INVALID_OPERATION);
    interface(gl::TRANSFORM_FEEDBACK_BUFFER, gl::MAX_NAME_LENGTH, gl::INVALID_OPERATION);
    interface(gl::PROGRAM_INPUT, gl::MAX_NUM_ACTIVE_VARIABLES, gl::INVALID_OPERATION);
    interface(gl::VERTEX_SUBROUTINE, gl::MAX_NUM_COMPATIBLE_SUBROUTINES, gl::INVALID_OPERATION);
    for nameless in [gl::ATOMIC_COUNTER_BUFFER, gl::TRANSFORM_FEEDBACK_BUFFER, gl::TEXTURE_2D] {
        index(p, nameless, "x");
        expect_error(gl::INVALID_ENUM, "the index of a nameless resource");
        name(p, nameless, 0);
        expect_error(gl::INVALID_ENUM, "the name of a nameless resource");
    }
    name(p, gl::PROGRAM_INPUT, 99);
    expect_error(gl::INVALID_VALUE, "the name of index 99");
    gl::GetProgramResourceName(p.0, gl::PROGRAM_INPUT, 0, -1, std::ptr::null_mut(), std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "a negative size");
    let resource = |interface, index, count, what: u32, error| {
        gl::GetProgramResourceiv(p.0, interface, index, count, &what, 4, std::ptr::null_mut(), v);
        expect_error(error, &format!("0x{what:04X} of {index} of 0x{interface:04X}"));
    };
    resource(gl::UNIFORM, 0, 0, gl::TYPE, gl::INVALID_VALUE);
    resource(gl::UNIFORM, 0, -1, gl::TYPE, gl::INVALID_VALUE);
    resource(gl::UNIFORM, 99, 1, gl::TYPE, gl::INVALID_VALUE);
    resource(gl::UNIFORM, 0, 1, gl::TEXTURE_2D, gl::INVALID_ENUM);
    resource(gl::UNIFORM, 0, 1, gl::IS_PER_PATCH, gl::INVALID_OPERATION);
    resource(gl::PROGRAM_OUTPUT, 0, 1, gl::OFFSET, gl::INVALID_OPERATION);
    resource(gl::TEXTURE_2D, 0, 1, gl::TYPE, gl::INVALID_ENUM);
    for interface in [gl::UNIFORM_BLOCK, gl::BUFFER_VARIABLE, gl::FRAGMENT_SUBROUTINE, gl::TEXTURE_2D] {
        location(p, interface, "x");
        expect_error(gl::INVALID_ENUM, "the location of what has none");
    }
    gl::GetProgramResourceLocationIndex(p.0, gl::PROGRAM_INPUT, c"position".as_ptr());
    expect_error(gl::INVALID_ENUM, "the index of an input");
    let shader = gl::CreateShader(gl::VERTEX_SHADER);
    for (name, error) in [(shader, gl::INVALID_OPERATION), (9999, gl::INVALID_VALUE)] {
        gl::GetProgramInterfaceiv(name, gl::UNIFORM, gl::ACTIVE_RESOURCES, v);
        expect_error(error, "no program");
        gl::GetProgramResourceLocation(name, gl::UNIFORM, c"f".as_ptr());
        expect_error(error, "no program");
    }
}

/// 7.3.1: a program that isn't linked has no resources; locations are asked of linked ones only.
fn not_linked(_: &Env) {
    let p = Program(gl::CreateProgram());
    assert_eq!(of_interface(p, gl::PROGRAM_INPUT, gl::ACTIVE_RESOURCES), 0);
    assert_eq!(of_interface(p, gl::PROGRAM_INPUT, gl::MAX_NAME_LENGTH), 0);
    assert_eq!(index(p, gl::UNIFORM, "f"), gl::INVALID_INDEX);
    expect_no_error("resources of an empty program");
    location(p, gl::UNIFORM, "f");
    expect_error(gl::INVALID_OPERATION, "a location");
    gl::GetProgramResourceLocationIndex(p.0, gl::PROGRAM_OUTPUT, c"f".as_ptr());
    expect_error(gl::INVALID_OPERATION, "an index");
}

/// 7.3.1.1: blocks over the vertices of a patch are called by the block's name alone.
fn inputs_per_vertex_and_patch(_: &Env) {
    let vertex = "#version 330 core\nin vec4 position; void main() { gl_Position = position; }\n";
    let control = "#version 400 core
layout(vertices = 3) out; out vec4 each[]; patch out vec4 whole; out Block { vec2 member; } block[];
void main() {
    each[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position; whole = vec4(1.0);
    block[gl_InvocationID].member = vec2(1.0);
    gl_out[gl_InvocationID].gl_Position = each[gl_InvocationID]; gl_TessLevelOuter[0] = 1.0;
}
";
    let evaluation = "#version 400 core
layout(triangles) in; in vec4 each[]; patch in vec4 whole; in Block { vec2 member; } block[];
void main() { gl_Position = gl_in[0].gl_Position + each[1] + whole + block[0].member.xyxy; }
";
    if !gallite_tests::draw::has_extension("GL_ARB_tessellation_shader") {
        return;
    }
    let p = program_with(
        &[(gl::VERTEX_SHADER, vertex), (gl::TESS_CONTROL_SHADER, control), (gl::TESS_EVALUATION_SHADER, evaluation)],
        |_| {},
    );
    assert_eq!(all(p, gl::PROGRAM_INPUT), ["position"]);
    assert_eq!(all(p, gl::PROGRAM_OUTPUT), ["gl_Position"]);
}
