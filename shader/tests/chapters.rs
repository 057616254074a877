//! The sections of the GLSL 4.60 specification, each with a source that must compile and one that must not.

use std::sync::Arc;

use gallite_shader::{CompileOptions, Limits, LinkInput, Stage, compile, link};

/// A rule: its section, the stage, what must be accepted, what must be refused. `#version` is added where there is none.
type Rule = (&'static str, Stage, &'static str, &'static str);

use Stage::{Compute, Fragment, Geometry, Vertex};

const RULES: &[Rule] = &[
    ("2.1 vertex processor", Vertex, "void main() { gl_Position = vec4(0.0); }", "void main() { EmitVertex(); }"),
    (
        "2.4 geometry processor",
        Geometry,
        "layout(points) in; layout(points, max_vertices = 1) out; void main() { EmitVertex(); EndPrimitive(); }",
        "layout(points) in; layout(points, max_vertices = 1) out; void main() { discard; }",
    ),
    ("2.5 fragment processor", Fragment, "void main() { discard; }", "void main() { gl_Position = vec4(0.0); }"),
    (
        "2.6 compute processor",
        Compute,
        "#version 430\nlayout(local_size_x = 8) in; shared int s[8]; void main() { s[gl_LocalInvocationIndex] = 1; barrier(); }",
        "#version 430\nlayout(local_size_x = 8) in; in vec4 v; void main() { }",
    ),
    ("3.1 character set", Vertex, "// \u{e9}\nvoid main() { }", "void main() { int \u{e9}; }"),
    ("3.2 source strings", Vertex, "void ma\\\nin() { }", "void main() { int a = 1; \\ }"),
    (
        "3.3 preprocessor",
        Vertex,
        "#if 1 + 1 == 2 && defined(GL_core_profile)\nvoid main() { }\n#endif",
        "#if 1\nvoid main() { }",
    ),
    (
        "3.3 #define",
        Vertex,
        "#define F(a, b) a##b\nvoid F(ma, in)() { }",
        "#define F(a) a\n#define F(a) a + 1\nvoid main() { }",
    ),
    ("3.3 #error", Vertex, "#if 0\n#error no\n#endif\nvoid main() { }", "#error yes\nvoid main() { }"),
    ("3.3 #extension", Vertex, "#extension all : warn\nvoid main() { }", "#extension all : require\nvoid main() { }"),
    ("3.3 #version", Vertex, "#version 330 core\nvoid main() { }", "void f() { }\n#version 330 core\nvoid main() { }"),
    ("3.3 #line", Vertex, "#line 7\nvoid main() { }", "#line\nvoid main() { }"),
    ("3.4 comments", Vertex, "/* // */ void main() { } // */", "/* /* */ */ void main() { }"),
    ("3.5 tokens", Vertex, "void main() { int i = 1; i >>= 1; }", "void main() { int i = 1; i =>> 1; }"),
    ("3.6 keywords", Vertex, "void main() { int samples; }", "void main() { int sampler2D; }"),
    ("3.6 reserved for later", Vertex, "void main() { int gotos; }", "void main() { int goto; }"),
    ("3.7 identifiers", Vertex, "void main() { int _a1; }", "void main() { int gl_a; }"),
    ("4.1.1 void", Vertex, "void f(void) { } void main() { f(); }", "void main() { void v; }"),
    ("4.1.2 booleans", Vertex, "void main() { bool b = true; if (b) { } }", "void main() { bool b = 1; }"),
    ("4.1.3 integers", Vertex, "void main() { uint u = 0x7fu; int i = 017; }", "void main() { int i = 08; }"),
    ("4.1.4 floats", Vertex, "void main() { float f = .5e-3f + 1.; }", "void main() { float f = 1.0e; }"),
    (
        "4.1.5 vectors",
        Vertex,
        "void main() { vec3 v = vec3(1.0, vec2(2.0)); }",
        "void main() { vec3 v = vec3(1.0, 2.0); }",
    ),
    (
        "4.1.6 matrices",
        Vertex,
        "void main() { mat2x3 m = mat2x3(vec3(0.0), vec3(1.0)); }",
        "void main() { mat2x3 m = mat3x2(1.0); }",
    ),
    ("4.1.7 opaque types", Fragment, "uniform sampler2D t; void main() { }", "void main() { sampler2D t; }"),
    (
        "4.1.8 structures",
        Vertex,
        "struct S { int a; } s; void main() { s.a = 1; }",
        "struct S { int a; } s; void main() { s.b = 1; }",
    ),
    ("4.1.9 arrays", Vertex, "void main() { int a[3]; a[2] = a.length(); }", "void main() { int a[3]; a[3] = 1; }"),
    (
        "4.1.9 arrays of arrays",
        Vertex,
        "#version 430\nvoid main() { int a[2][3]; a[1][2] = 1; }",
        "#version 430\nvoid main() { int a[2][3]; a[1] = 1; }",
    ),
    ("4.1.10 implicit conversions", Vertex, "void main() { float f = 1; }", "void main() { int i = 1.0; }"),
    (
        "4.1.11 initializers",
        Vertex,
        "#version 420\nvoid main() { vec2 v[2] = { { 1.0, 2.0 }, { 3.0, 4.0 } }; }",
        "#version 420\nvoid main() { vec2 v[2] = { { 1.0, 2.0 } }; }",
    ),
    ("4.2 scoping", Vertex, "int a; void main() { float a; a = 1.0; }", "void main() { int a; float a; }"),
    (
        "4.3.1 default storage",
        Vertex,
        "float f = 1.0; void main() { f = 2.0; }",
        "void f() { g = 1.0; } float g; void main() { }",
    ),
    (
        "4.3.2 constants",
        Vertex,
        "const int n = 2; void main() { int a[n]; }",
        "const int n = 2; void main() { n = 3; }",
    ),
    (
        "4.3.3 constant expressions",
        Vertex,
        "void main() { int a[int(max(1.0, 2.0))]; }",
        "uniform int n; void main() { int a[n]; }",
    ),
    (
        "4.3.4 inputs",
        Vertex,
        "in vec4 a; void main() { gl_Position = a; }",
        "in vec4 a; void main() { a = vec4(1.0); }",
    ),
    ("4.3.4 integer inputs", Fragment, "flat in int a; void main() { }", "in int a; void main() { }"),
    (
        "4.3.5 uniforms",
        Vertex,
        "uniform vec4 a = vec4(1.0); void main() { gl_Position = a; }",
        "uniform vec4 a; void main() { a = vec4(1.0); }",
    ),
    ("4.3.6 outputs", Vertex, "out vec4 a; void main() { a = vec4(1.0); }", "out bool a; void main() { }"),
    (
        "4.3.7 buffers",
        Fragment,
        "#version 430\nbuffer B { int n; float a[]; } b; void main() { b.a[b.n] = 1.0; }",
        "#version 430\nbuffer float b; void main() { }",
    ),
    (
        "4.3.8 shared",
        Compute,
        "#version 430\nlayout(local_size_x = 1) in; shared vec4 s; void main() { s = vec4(1.0); }",
        "#version 430\nlayout(local_size_x = 1) in; shared int s = 1; void main() { }",
    ),
    (
        "4.3.9 interface blocks",
        Vertex,
        "uniform B { vec4 a; } b[2]; void main() { gl_Position = b[1].a; }",
        "uniform B { vec4 a; } b; void main() { gl_Position = B.a; }",
    ),
    (
        "4.4.1 input layouts",
        Vertex,
        "layout(location = 3) in vec4 a; void main() { }",
        "layout(origin_upper_left) in vec4 a; void main() { }",
    ),
    (
        "4.4.2 output layouts",
        Fragment,
        "layout(location = 1, index = 0) out vec4 c; void main() { c = vec4(0.0); }",
        "layout(location = 99) out vec4 c; void main() { c = vec4(0.0); }",
    ),
    (
        "4.4.3 uniform layouts",
        Vertex,
        "#version 430\nlayout(location = 2) uniform vec4 a; void main() { }",
        "#version 430\nlayout(location = 2) uniform B { vec4 a; }; void main() { }",
    ),
    (
        "4.4.5 block layouts",
        Vertex,
        "layout(std140, row_major) uniform B { layout(column_major) mat4 m; }; void main() { }",
        "layout(std140) in vec4 v; void main() { }",
    ),
    (
        "4.4.6 opaque layouts",
        Fragment,
        "#version 420\nlayout(binding = 3) uniform sampler2D t; void main() { }",
        "#version 420\nlayout(binding = 3) in vec4 v; void main() { }",
    ),
    (
        "4.4.7 image formats",
        Fragment,
        "#version 420\nlayout(rgba8) uniform image2D i; void main() { imageStore(i, ivec2(0), vec4(1.0)); }",
        "#version 420\nlayout(rgba8) uniform iimage2D i; void main() { }",
    ),
    (
        "4.5 interpolation",
        Fragment,
        "noperspective in vec4 a; centroid in vec4 b; void main() { }",
        "flat smooth in vec4 a; void main() { }",
    ),
    (
        "4.6 parameters",
        Vertex,
        "void f(in int a, out int b, inout int c) { b = a + c; } void main() { int x, y = 1; f(1, x, y); }",
        "void f(out int b) { b = 1; } void main() { f(1); }",
    ),
    (
        "4.7 precision",
        Vertex,
        "precision highp float; highp vec4 a; void main() { }",
        "precision highp vec4; void main() { }",
    ),
    (
        "4.8 variance",
        Vertex,
        "invariant gl_Position; invariant out vec4 a; void main() { }",
        "uniform vec4 a; invariant a; void main() { }",
    ),
    (
        "4.9 precise",
        Vertex,
        "#version 400\nprecise float f; void main() { f = 1.0; }",
        "#version 400\nvoid main() { int precise; }",
    ),
    (
        "4.10 memory",
        Fragment,
        "#version 420\nreadonly layout(r32f) uniform image2D i; void main() { imageLoad(i, ivec2(0)); }",
        "#version 420\nreadonly layout(r32f) uniform image2D i; void main() { imageStore(i, ivec2(0), vec4(0.0)); }",
    ),
    (
        "4.12 order of qualifiers",
        Fragment,
        "#version 420\nin flat int a; void main() { }",
        "in flat int a; void main() { }",
    ),
    ("5.1 operators", Vertex, "void main() { int i = 7 % 3 << 1 ^ 5 & ~2 | 1; }", "void main() { int i = 7 % 3.0; }"),
    (
        "5.2 array operations",
        Vertex,
        "void main() { int a[2] = int[](1, 2), b[2]; b = a; bool e = a == b; }",
        "void main() { int a[2], b[3]; b = a; }",
    ),
    (
        "5.3 function calls",
        Vertex,
        "int f(int a) { return a; } void main() { f(1); }",
        "void main() { f(1); } int f(int a) { return a; }",
    ),
    (
        "5.4 constructors",
        Vertex,
        "void main() { ivec2 v = ivec2(1.5, true); mat3 m = mat3(mat4(1.0)); }",
        "void main() { ivec2 v = ivec2(1, 2, 3); }",
    ),
    (
        "5.4.4 array constructors",
        Vertex,
        "void main() { float a[] = float[](1.0, 2.0); }",
        "void main() { float a[3] = float[3](1.0, 2.0); }",
    ),
    (
        "5.5 vector components",
        Vertex,
        "void main() { vec4 v = vec4(1.0); v.xz = v.wy; v.r = v.stpq.q; }",
        "void main() { vec4 v = vec4(1.0); v.xx = v.xy; }",
    ),
    (
        "5.6 matrix components",
        Vertex,
        "void main() { mat2 m = mat2(1.0); m[1].y = m[0][1]; }",
        "void main() { mat2 m = mat2(1.0); m[2].y = 1.0; }",
    ),
    (
        "5.7 structure operations",
        Vertex,
        "struct S { int a; }; void main() { S s = S(1), t = s; bool e = s == t; }",
        "struct S { int a; }; struct T { int a; }; void main() { S s = T(1); }",
    ),
    ("5.8 assignments", Vertex, "void main() { int a, b; a = b = 1; a += b; }", "void main() { 1 = 2; }"),
    (
        "5.9 expressions",
        Vertex,
        "void main() { bool b = !(1 < 2) ^^ true && 1.0 >= 0.5 || false; int i = b ? 1 : 2; }",
        "void main() { bool b = vec2(1.0) < vec2(2.0); }",
    ),
    (
        "5.11 matrix operations",
        Vertex,
        "void main() { vec3 v = mat2x3(1.0) * vec2(1.0); mat2 m = outerProduct(vec2(1.0), vec2(1.0)); }",
        "void main() { vec3 v = mat2x3(1.0) * vec3(1.0); }",
    ),
    ("6 statements", Vertex, "void main() { ; { int a; } }", "void main() { int a }"),
    (
        "6.1 functions",
        Vertex,
        "float f(float a); void main() { f(1.0); } float f(float b) { return b; }",
        "float f(float a); void main() { f(1.0); } int f(float b) { return 1; }",
    ),
    (
        "6.1 recursion",
        Vertex,
        "void g() { } void f() { g(); } void main() { f(); }",
        "void f() { f(); } void main() { f(); }",
    ),
    (
        "6.2 selection",
        Vertex,
        "void main() { int a = 1; if (a > 0) a = 2; else a = 3; }",
        "void main() { int a = 1; if (a) a = 2; }",
    ),
    (
        "6.2 switch",
        Vertex,
        "void main() { switch (1) { case 1: break; default: break; } }",
        "void main() { switch (1) { case 1: break; case 1: break; } }",
    ),
    (
        "6.3 iteration",
        Vertex,
        "void main() { for (int i = 0; i < 3; ++i) { } do { } while (false); while (false) { } }",
        "void main() { for (int i = 0; i; ++i) { } }",
    ),
    (
        "6.4 jumps",
        Vertex,
        "int f() { for (;;) { if (true) continue; break; } return 1; } void main() { f(); }",
        "void main() { break; }",
    ),
    ("6.4 return", Vertex, "void f() { return; } void main() { f(); }", "int f() { return; } void main() { f(); }"),
    (
        "7.1 vertex variables",
        Vertex,
        "void main() { gl_Position = vec4(gl_VertexID + gl_InstanceID); gl_PointSize = 1.0; }",
        "void main() { gl_VertexID = 1; }",
    ),
    (
        "7.1 geometry variables",
        Geometry,
        "layout(lines) in; layout(points, max_vertices = 1) out; void main() { gl_Position = gl_in[1].gl_Position; gl_PrimitiveID = gl_PrimitiveIDIn; EmitVertex(); }",
        "layout(lines) in; layout(points, max_vertices = 1) out; void main() { gl_in[0].gl_Position = vec4(0.0); }",
    ),
    (
        "7.1 fragment variables",
        Fragment,
        "out vec4 c; void main() { c = gl_FragCoord + vec4(gl_PointCoord, gl_FrontFacing, 1.0); gl_FragDepth = 0.5; }",
        "void main() { gl_FragCoord = vec4(0.0); }",
    ),
    (
        "7.1 compute variables",
        Compute,
        "#version 430\nlayout(local_size_x = 1) in; void main() { uvec3 v = gl_GlobalInvocationID + gl_NumWorkGroups + gl_WorkGroupSize; }",
        "#version 430\nlayout(local_size_x = 1) in; void main() { gl_WorkGroupID = uvec3(0u); }",
    ),
    (
        "7.1 redeclaration",
        Vertex,
        "out float gl_ClipDistance[4]; void main() { gl_ClipDistance[3] = 1.0; }",
        "out float gl_ClipDistance[4]; void main() { gl_ClipDistance[4] = 1.0; }",
    ),
    ("7.3 constants", Vertex, "void main() { int a[gl_MaxDrawBuffers]; }", "void main() { gl_MaxDrawBuffers = 1; }"),
    (
        "7.4 uniform state",
        Vertex,
        "void main() { float f = gl_DepthRange.near; }",
        "void main() { gl_DepthRange.near = 1.0; }",
    ),
    (
        "8.1 trigonometry",
        Vertex,
        "void main() { vec2 v = sin(vec2(1.0)) + atan(vec2(1.0), vec2(2.0)); }",
        "void main() { int i = sin(true); }",
    ),
    (
        "8.2 exponentials",
        Vertex,
        "void main() { float f = pow(2.0, 3.0) + inversesqrt(4.0) + exp2(1.0); }",
        "void main() { float f = pow(2.0); }",
    ),
    (
        "8.3 common",
        Vertex,
        "void main() { ivec2 v = clamp(ivec2(1), 0, 2); float f, g = mix(1.0, 2.0, true) + modf(1.5, f); }",
        "void main() { vec2 v = mix(vec2(1.0), vec3(2.0), 0.5); }",
    ),
    (
        "8.3 bits of floats",
        Vertex,
        "void main() { int i = floatBitsToInt(1.0); float f = uintBitsToFloat(1u); }",
        "void main() { int i = floatBitsToInt(true); }",
    ),
    (
        "8.4 packing",
        Vertex,
        "#version 420\nvoid main() { uint u = packHalf2x16(vec2(1.0)); vec4 v = unpackUnorm4x8(u); }",
        "#version 420\nvoid main() { uint u = packHalf2x16(vec3(1.0)); }",
    ),
    (
        "8.5 geometric",
        Vertex,
        "void main() { vec3 v = cross(vec3(1.0), reflect(vec3(1.0), normalize(vec3(2.0)))); }",
        "void main() { vec2 v = cross(vec2(1.0), vec2(1.0)); }",
    ),
    (
        "8.6 matrices",
        Vertex,
        "void main() { mat2 m = inverse(transpose(mat2(2.0))); float d = determinant(m); }",
        "void main() { float d = determinant(mat2x3(1.0)); }",
    ),
    (
        "8.7 vector relations",
        Vertex,
        "void main() { bool b = any(lessThan(vec2(1.0), vec2(2.0))) || all(not(bvec2(true))); }",
        "void main() { bool b = any(lessThan(vec2(1.0), ivec3(2))); }",
    ),
    (
        "8.8 integers",
        Vertex,
        "#version 400\nvoid main() { int i = bitCount(7) + findMSB(8u); uint c; uint s = uaddCarry(1u, 2u, c); }",
        "#version 400\nvoid main() { int i = bitCount(7.0); }",
    ),
    (
        "8.9 textures",
        Fragment,
        "uniform sampler2D t; uniform sampler2DArrayShadow s; void main() { vec4 v = texture(t, vec2(0.0), 1.0) + texelFetch(t, ivec2(0), 0); float f = texture(s, vec4(0.0)); }",
        "uniform sampler2D t; void main() { vec4 v = texture(t, vec3(0.0)); }",
    ),
    (
        "8.9 offsets",
        Fragment,
        "uniform sampler2D t; void main() { vec4 v = textureOffset(t, vec2(0.0), ivec2(1)); }",
        "uniform sampler2D t; uniform ivec2 o; void main() { vec4 v = textureOffset(t, vec2(0.0), o); }",
    ),
    (
        "8.9.1 queries",
        Fragment,
        "uniform sampler3D t; void main() { ivec3 v = textureSize(t, 0); }",
        "uniform sampler2DRect t; void main() { ivec2 v = textureSize(t, 0); }",
    ),
    (
        "8.10 atomic counters",
        Fragment,
        "#version 420\nlayout(binding = 0) uniform atomic_uint a; void main() { uint u = atomicCounterIncrement(a); }",
        "#version 420\nlayout(binding = 0) uniform atomic_uint a; void main() { uint u = a; }",
    ),
    (
        "8.11 atomic memory",
        Compute,
        "#version 430\nlayout(local_size_x = 1) in; shared uint u; void main() { atomicAdd(u, 1u); }",
        "#version 430\nlayout(local_size_x = 1) in; void main() { uint u; atomicAdd(u, 1u); }",
    ),
    (
        "8.12 images",
        Fragment,
        "#version 430\nlayout(r32ui) uniform uimage2D i; void main() { imageAtomicAdd(i, ivec2(0), 1u); ivec2 s = imageSize(i); }",
        "#version 430\nlayout(rgba8) uniform image2D i; void main() { imageAtomicAdd(i, ivec2(0), 1u); }",
    ),
    (
        "8.13 geometry functions",
        Geometry,
        "#version 400\nlayout(points) in; layout(points, max_vertices = 1) out; void main() { EmitStreamVertex(0); }",
        "layout(points) in; layout(points, max_vertices = 1) out; void main() { EmitVertex(1); }",
    ),
    (
        "8.14 fragment functions",
        Fragment,
        "in vec4 a; void main() { vec4 v = dFdx(a) + fwidth(a); }",
        "in vec4 a; void main() { vec4 v = dFdx(bvec4(true)); }",
    ),
    (
        "8.14.2 interpolation",
        Fragment,
        "#version 400\nin vec4 a; void main() { vec4 v = interpolateAtOffset(a, vec2(0.1)); }",
        "#version 400\nvoid main() { vec4 b; vec4 v = interpolateAtCentroid(b); }",
    ),
    (
        "8.16 invocation control",
        Compute,
        "#version 430\nlayout(local_size_x = 1) in; void main() { barrier(); }",
        "#version 430\nlayout(local_size_x = 1) in; void main() { barrier(1); }",
    ),
    (
        "8.17 memory control",
        Compute,
        "#version 430\nlayout(local_size_x = 1) in; void main() { memoryBarrierShared(); groupMemoryBarrier(); }",
        "#version 430\nvoid f() { memoryBarrierNothing(); } layout(local_size_x = 1) in; void main() { }",
    ),
];

fn whole(source: &str) -> String {
    if source.contains("#version") { source.to_owned() } else { format!("#version 330\n{source}") }
}

#[test]
fn each_section_accepts_and_refuses() {
    let limits = Arc::new(Limits { max_glsl_version: 460, ..Limits::default() });
    let options = CompileOptions { limits: limits.clone(), ..CompileOptions::default() };
    let mut wrong = Vec::new();
    for (section, stage, good, bad) in RULES {
        let shader = compile(*stage, &whole(good), &options);
        if !shader.ok {
            wrong.push(format!("{section} refuses: {good}\n{}", shader.log));
        }
        // What only a whole stage shows, as recursion does, may be told when it is linked.
        let shader = compile(*stage, &whole(bad), &options);
        let (mut ok, mut log) = (shader.ok, shader.log.clone());
        if ok {
            let result = link(&LinkInput {
                shaders: &[shader],
                separable: true,
                limits: limits.clone(),
                ..LinkInput::default()
            });
            (ok, log) = (result.ok, result.log);
        }
        if ok {
            wrong.push(format!("{section} accepts: {bad}\n"));
        } else if !log.contains("error: ") {
            wrong.push(format!("{section} says no reason: {bad}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// Every chapter that says what a source may be is there.
#[test]
fn no_chapter_is_left_out() {
    for chapter in 2..=8 {
        let prefix = format!("{chapter}");
        assert!(RULES.iter().any(|r| r.0.split(['.', ' ']).next() == Some(&prefix)), "chapter {chapter}");
    }
}
