//! What the extensions about buffers, images and layouts bring to the language, beyond what programs run.

use gallite_shader::{CompileOptions, LinkInput, Stage, compile, link};

const HEAD: &str = "#version 330 core
#extension GL_ARB_compute_shader : enable
#extension GL_ARB_shader_storage_buffer_object : enable
#extension GL_ARB_shader_image_load_store : enable
#extension GL_ARB_shader_atomic_counters : enable
#extension GL_ARB_shader_atomic_counter_ops : enable
#extension GL_ARB_shading_language_420pack : enable
";

fn options() -> CompileOptions {
    let names = HEAD.lines().filter_map(|line| line.strip_prefix("#extension ")?.split(' ').next());
    let mut extensions: Vec<String> = names.map(str::to_owned).collect();
    extensions.push("GL_ARB_arrays_of_arrays".into());
    CompileOptions { extensions: extensions.into(), ..CompileOptions::default() }
}

/// Whether a compute shader of this text compiles and links.
fn builds(text: &str) -> Result<(), String> {
    let source = format!("{HEAD}{text}");
    let shader = compile(Stage::Compute, &source, &options());
    if !shader.ok {
        return Err(shader.log);
    }
    let result = link(&LinkInput { shaders: &[shader], ..LinkInput::default() });
    if result.ok { Ok(()) } else { Err(result.log) }
}

#[track_caller]
fn accept(text: &str) {
    assert_eq!(builds(text), Ok(()), "{text}");
}

#[track_caller]
fn refuse(text: &str) {
    assert!(builds(text).is_err(), "accepted: {text}");
}

const SIZE: &str = "layout(local_size_x = 1) in;\nlayout(std430) buffer Out { vec4 o[]; };\n";

/// Devices end where the variables of an invocation don't fit their stacks.
#[test]
fn private_variables_are_bounded() {
    accept(&format!("{SIZE}void main() {{ vec4 a[4096]; a[int(o[0].x)] = o[1]; o[0] = a[int(o[0].y)]; }}"));
    for size in ["2000000000", "2147483647", "65537"] {
        refuse(&format!("{SIZE}void main() {{ float a[{size}]; a[int(o[0].x)] = 1.0; o[0] = vec4(a[int(o[0].y)]); }}"));
        refuse(&format!("{SIZE}float a[{size}]; void main() {{ a[int(o[0].x)] = 1.0; o[0] = vec4(a[int(o[0].y)]); }}"));
    }
}

/// ARB_shading_language_420pack.
#[test]
fn layouts_and_initializers() {
    for body in [
        "vec4 v = { 1.0, 2.0, 3.0, 4.0 }; o[0] = v;",
        "float a[2] = { 1.0, 2.0 }; o[0] = vec4(a[1]);",
        "struct S { float f; vec2 v; } s = { 1.0, { 2.0, 3.0 } }; o[0] = s.v.xyxy + s.f;",
        "mat2 m = { { 1.0, 2.0 }, { 3.0, 4.0 } }; o[0] = m[1].xyxy;",
        "const float f = o[1].x; o[0] = vec4(f);",
        "vec3 v = vec3(1.0); o[0] = vec4(v.length());",
        "mat4x2 m = mat4x2(1.0); o[0] = vec4(m.length());",
        "float f = 1.0; o[0] = f.xxxx;",
    ] {
        accept(&format!("{SIZE}void main() {{ {body} }}"));
    }
    accept(&format!(
        "{SIZE}layout(binding = 3) uniform sampler2D t[2];\nvoid main() {{ o[0] = texelFetch(t[1], ivec2(0), 0); }}"
    ));
    accept(&format!("{SIZE}layout(std140, binding = 2) uniform B {{ vec4 b; }};\nvoid main() {{ o[0] = b; }}"));
    accept(&format!("{SIZE}int f() {{ return 1; }}\nfloat g() {{ return f(); }}\nvoid main() {{ o[0] = vec4(g()); }}"));
    for body in
        ["vec4 v = { 1.0, 2.0, 3.0 }; o[0] = v;", "float a[2] = { 1.0, 2.0, 3.0 };", "const float f = o[1].x; f = 2.0;"]
    {
        refuse(&format!("{SIZE}void main() {{ {body} }}"));
    }
    refuse(&format!(
        "{SIZE}layout(binding = 100000) uniform sampler2D t;\nvoid main() {{ o[0] = texelFetch(t, ivec2(0), 0); }}"
    ));
    refuse(&format!("{SIZE}layout(binding = 1) uniform float f;\nvoid main() {{ o[0] = vec4(f); }}"));
}

/// ARB_arrays_of_arrays.
#[test]
fn arrays_of_arrays() {
    let enable = "#extension GL_ARB_arrays_of_arrays : enable\n";
    accept(&format!(
        "{enable}{SIZE}uniform sampler2D t[2][3];
uniform vec4 v[2][3];
layout(std430, binding = 3) buffer B {{ vec4 data[2][2]; }} b[2][2];
layout(std140) uniform U {{ vec4 data[2][2]; }} u[2][2];
void main() {{
    vec4 s[2][2] = {{ {{ vec4(1.0), vec4(2.0) }}, {{ vec4(1.0), vec4(2.0) }} }};
    const int k = 1;
    b[1][0].data[1][0] = u[0][1].data[1][1] + v[1][2] + texelFetch(t[1][k], ivec2(0), 0) + s[1][k];
    b[0][1].data = s;
    s = b[1][1].data;
    o[s.length() + s[0].length()] = s[1][0];
}}"
    ));
    refuse(&format!("{enable}{SIZE}void main() {{ float a[2][3]; float b[3][2]; a = b; }}"));
    refuse(&format!("{SIZE}void main() {{ float a[2][3]; }}"));
}

/// The elements of arrays of blocks are too many, whatever they add up to.
#[test]
fn too_many_blocks() {
    let sum = |uses: [&str; 3]| format!("{SIZE}void main() {{ o[0] = {}; }}", uses.join(" + "));
    for kind in ["layout(std140) uniform", "layout(std430) buffer"] {
        let blocks = ["A", "B", "C"].map(|name| format!("{kind} {name} {{ vec4 v; }} x{name}[2147483647];\n"));
        refuse(&(blocks.concat() + &sum(["xA[0].v", "xB[0].v", "xC[0].v"])));
    }
}

/// Images keep their formats through functions whose parameters have none; the others stay as they are.
#[test]
fn images_passed_on() {
    accept(&format!(
        "{SIZE}layout(r32f) uniform image2D one;
layout(binding = 1, rgba8) uniform image2D four[2];
layout(r32ui) uniform uimage2D counted;
void add(image2D i, vec4 v) {{ imageStore(i, ivec2(0), imageLoad(i, ivec2(0)) + v); }}
vec4 get(readonly image2D i) {{ return imageLoad(i, ivec2(0)); }}
void main() {{ imageAtomicAdd(counted, ivec2(0), 1u); add(one, vec4(1.0)); add(four[1], get(four[0])); }}"
    ));
    // Expressions that are constant remain so.
    accept(&format!(
        "{SIZE}layout(r32f) uniform image2D one;
vec4 get(readonly image2D i) {{ return imageLoad(i, ivec2(0)); }}
void main() {{
    float a[determinant(mat2(1.0, 2.0, 3.0, 4.0)) == -2.0 ? 2 : -1];
    o[0] = get(one) * a.length();
}}"
    ));
    refuse(&format!(
        "{SIZE}layout(r32f) uniform image2D one;
vec4 get(readonly image2D i) {{ return imageLoad(i, ivec2(0)); }}
void main() {{ get(one); float x = vec2(1.0); }}"
    ));
}

/// ARB_shader_atomic_counter_ops.
#[test]
fn operations_on_counters() {
    accept(&format!(
        "{SIZE}layout(binding = 0) uniform atomic_uint c[2];
void main() {{ o[0] = vec4(atomicCounterAddARB(c[1], 2u) + atomicCounterCompSwapARB(c[0], 1u, 2u)); }}"
    ));
    refuse(&format!(
        "{SIZE}layout(binding = 0) uniform atomic_uint c;\nvoid main() {{ atomicCounterAddARB(c, 1.5); }}"
    ));
}

/// Two calls in each of many functions are more than a device can put in one.
#[test]
fn calls_are_bounded() {
    let nested = |levels: usize| {
        let function = |i: usize| format!("void f{}() {{ f{i}(); f{i}(); }}\n", i + 1);
        let functions: String = (0..levels).map(function).collect();
        format!("{SIZE}void f0() {{ o[0].x += 1.0; }}\n{functions}void main() {{ f{levels}(); }}")
    };
    accept(&nested(8));
    refuse(&nested(40));
}

/// An array of a buffer that is copied as a whole takes an instruction for each of its elements.
#[test]
fn whole_arrays_are_bounded() {
    let copies = |count: usize| {
        let copy = "d = p.a; o[0].x += d[int(o[0].y)];\n".repeat(count);
        format!("{SIZE}buffer B {{ float a[16000]; }} p;\nvoid main() {{ float d[16000]; {copy} }}")
    };
    accept(&copies(2));
    refuse(&copies(40));
}

/// GL 4.6 core 11.3.4.5: components of all vertices that are emitted.
#[test]
fn geometry_outputs_are_bounded() {
    let builds = |vertices: u32| {
        let source = format!(
            "#version 330 core\nlayout(points) in;\nlayout(points, max_vertices = {vertices}) out;\nout vec4 v[3];\n\
             void main() {{ v[0] = v[1] = v[2] = vec4(1); gl_Position = vec4(0); EmitVertex(); }}"
        );
        let shader = compile(Stage::Geometry, &source, &options());
        assert!(shader.ok, "{}", shader.log);
        link(&LinkInput { shaders: &[shader], separable: true, ..LinkInput::default() }).log
    };
    assert_eq!(builds(64), "");
    assert!(builds(65).contains("output components"), "{}", builds(65));
}
