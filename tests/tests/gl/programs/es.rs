//! The languages of OpenGL ES in desktop contexts, and what else ARB_ES2_compatibility and its successors brought: GL 4.6
//! core 7.1, 7.3 and 22.2; ESSL 1.00, 3.00, 3.10 and 3.20.

use gallite_tests::draw::{
    Program, Target, buffer, compile_log, expect_error, expect_no_error, get_i32, has_extension, program_with, quad,
    require_extension, shader_status, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::CStr;

gl_tests! {
    render core(3, 3): essl_100, essl_300, essl_300_blocks, essl_310_compute, essl_320, pipelines_mix_languages, fixed_point_attributes;
    every core(3, 3): precisions, versions_come_first, languages_do_not_mix, rules_of_es, languages_are_listed,
        shader_binaries, precision_formats, bounding_boxes;
}

const VS_100: &str = "#version 100
attribute vec4 position;
varying vec2 place;
void main() { gl_Position = position; place = position.xy * 0.5 + 0.5; }
";
const VS_300: &str = "#version 300 es
layout(location = 0) in vec4 position;
out vec2 place;
void main() { gl_Position = position; place = position.xy * 0.5 + 0.5; }
";

fn paint(vertex: &str, fragment: &str, prepare: impl FnOnce(u32)) -> [u8; 4] {
    let target = Target::new(4, 4);
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    let p = program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr()));
    p.bind();
    prepare(p.0);
    quad();
    expect_no_error("a draw");
    target.image().at(3, 0)
}

fn refused(stage: u32, source: &str) -> String {
    let (shader, ok) = shader_status(stage, source);
    assert!(!ok, "accepted: {source}");
    compile_log(shader)
}

fn accepted(stage: u32, source: &str) {
    let (shader, ok) = shader_status(stage, source);
    assert!(ok, "{}\n{source}", compile_log(shader));
}

/// Textures by the names of 1.00, both built-in outputs, a uniform in both stages.
fn essl_100(_: &Env) {
    require_extension("GL_ARB_ES2_compatibility");
    let texture = super::super::textures::nearest(gl::TEXTURE_2D);
    let texels = [[255_u8, 0, 0, 255], [0, 255, 0, 255]];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA, 2, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    let target = texture;
    let fragment = "#version 100
precision mediump float;
uniform sampler2D image;
uniform vec3 tint;
varying vec2 place;
void main() {
#ifdef GL_ES
    gl_FragData[0] = texture2D(image, place) * vec4(tint, 1.0);
#endif
}
";
    let got = paint(VS_100, fragment, |p| {
        gl::ActiveTexture(gl::TEXTURE0);
        gl::BindTexture(gl::TEXTURE_2D, target);
        gl::Uniform3f(gl::GetUniformLocation(p, c"tint".as_ptr()), 1.0, 0.4, 1.0);
    });
    assert_eq!(got, [0, 102, 0, 255]);
    let fragment = "#version 100
void main() { gl_FragColor = vec4(__VERSION__ == 100, gl_MaxDrawBuffers > 0, 0.0, 1.0); }
";
    assert_eq!(paint(VS_100, fragment, |_| {}), [255, 255, 0, 255]);
}

fn essl_300(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let fragment = "#version 300 es
precision highp float;
precision highp int;
in vec2 place;
uniform uint bits;
layout(location = 0) out vec4 colour;
void main() {
    ivec2 size = ivec2(2u, bits & 3u);
    colour = vec4(place.x > 0.5, float(size.y) / 3.0, intBitsToFloat(floatBitsToInt(0.2)), 1.0);
}
";
    let got = paint(VS_300, fragment, |p| gl::Uniform1ui(gl::GetUniformLocation(p, c"bits".as_ptr()), 7));
    assert_eq!(got, [255, 255, 51, 255]);
}

/// Layouts of blocks are those of GLSL.
fn essl_300_blocks(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let fragment = "#version 300 es
precision mediump float;
layout(std140) uniform B { float a; vec3 b; mat2 m; } block;
out vec4 colour;
void main() { colour = vec4(block.b.yz, block.m[1][0], block.a); }
";
    let mut values = [0.0_f32; 16];
    (values[0], values[5], values[6], values[12]) = (1.0, 0.2, 0.4, 0.6);
    let name = buffer(gl::UNIFORM_BUFFER, &values);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    let got = paint(VS_300, fragment, |p| {
        let offset = |name: &CStr| {
            let (mut index, mut offset) = (0, -1);
            gl::GetUniformIndices(p, 1, &name.as_ptr(), &mut index);
            gl::GetActiveUniformsiv(p, 1, &index, gl::UNIFORM_OFFSET, &mut offset);
            offset
        };
        assert_eq!((offset(c"B.b"), offset(c"B.m")), (16, 32));
    });
    assert_eq!(got, [51, 102, 153, 255]);
}

fn essl_310_compute(_: &Env) {
    require_extension("GL_ARB_ES3_1_compatibility");
    let source = "#version 310 es
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Out { uint values[]; };
void main() { values[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u; }
";
    let p = program_with(&[(gl::COMPUTE_SHADER, source)], |_| {});
    p.bind();
    let name = buffer(gl::SHADER_STORAGE_BUFFER, &[0_u32; 8]);
    gl::BindBufferBase(gl::SHADER_STORAGE_BUFFER, 0, name);
    gl::DispatchCompute(2, 1, 1);
    gl::MemoryBarrierByRegion(gl::SHADER_STORAGE_BARRIER_BIT);
    let mut values = [0_u32; 8];
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    gl::GetBufferSubData(gl::SHADER_STORAGE_BUFFER, 0, 32, values.as_mut_ptr().cast());
    expect_no_error("glDispatchCompute");
    assert_eq!(values, [0, 3, 6, 9, 12, 15, 18, 21]);
}

const VS_320: &str = "#version 320 es
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
";
const FS_320: &str = "#version 320 es
precision highp float;
layout(location = 0) out vec4 colour;
void main() { colour = vec4(fma(0.5, 1.0, 0.1), gl_SampleID, 0.2, 1.0); }
";
const TES_320: &str = "#version 320 es
layout(quads) in;
void main() {
    vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    vec4 b = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    gl_Position = mix(a, b, gl_TessCoord.y);
}
";
const LEVELS: &str = "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 2.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;";

fn tessellated(stages: &[(u32, &str)]) -> [u8; 4] {
    let target = Target::new(4, 4);
    program_with(stages, |_| {}).bind();
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[[-1.0_f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    gl::VertexAttribPointer(0, 2, gl::FLOAT, gl::FALSE, 0, std::ptr::null());
    gl::EnableVertexAttribArray(0);
    gl::PatchParameteri(gl::PATCH_VERTICES, 4);
    gl::DrawArrays(gl::PATCHES, 0, 4);
    expect_no_error("a draw");
    target.image().at(3, 0)
}

/// All stages, and the extent of a patch as a built-in output.
fn essl_320(_: &Env) {
    require_extension("GL_ARB_ES3_2_compatibility");
    let control = format!(
        "#version 320 es
layout(vertices = 4) out;
void main() {{
    {LEVELS}
    gl_BoundingBox[0] = vec4(-1.0, -1.0, 0.0, 1.0);
    gl_BoundingBox[1] = vec4(1.0);
}}
"
    );
    let geometry = "#version 320 es
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
    for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; EmitVertex(); }
}
";
    let mut stages = vec![
        (gl::VERTEX_SHADER, VS_320),
        (gl::TESS_CONTROL_SHADER, &control),
        (gl::TESS_EVALUATION_SHADER, TES_320),
        (gl::FRAGMENT_SHADER, FS_320),
    ];
    assert_eq!(tessellated(&stages), [153, 0, 51, 255]);
    stages.push((gl::GEOMETRY_SHADER, geometry));
    assert_eq!(tessellated(&stages), [153, 0, 51, 255]);
}

/// ARB_ES3_2_compatibility in desktop sources and as state.
fn bounding_boxes(env: &Env) {
    require_extension("GL_ARB_ES3_2_compatibility");
    let mut bounds = [0.0_f32; 8];
    gl::GetFloatv(gl::PRIMITIVE_BOUNDING_BOX_ARB, bounds.as_mut_ptr());
    assert_eq!(bounds, [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    gl::PrimitiveBoundingBoxARB(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -8.0);
    gl::GetFloatv(gl::PRIMITIVE_BOUNDING_BOX_ARB, bounds.as_mut_ptr());
    assert_eq!(bounds, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -8.0]);
    let (mut range, mut step) = ([0.0_f32; 2], -1.0_f32);
    gl::GetFloatv(gl::MULTISAMPLE_LINE_WIDTH_RANGE_ARB, range.as_mut_ptr());
    gl::GetFloatv(gl::MULTISAMPLE_LINE_WIDTH_GRANULARITY_ARB, &mut step);
    expect_no_error("the state of the extension");
    assert!(range[0] <= 1.0 && range[1] >= 1.0 && step >= 0.0);
    let control = |extension: &str| {
        format!(
            "#version 400\n{extension}
layout(vertices = 4) out;
void main() {{
    {LEVELS}
    gl_BoundingBoxARB[0] = vec4(-1.0);
    gl_BoundingBoxARB[1] = vec4(1.0);
}}
"
        )
    };
    let log = refused(gl::TESS_CONTROL_SHADER, &control(""));
    assert!(log.contains("gl_BoundingBoxARB"), "{log}");
    let control = control("#extension GL_ARB_ES3_2_compatibility : require");
    accepted(gl::TESS_CONTROL_SHADER, &control);
    if !env.lane.is_noop() {
        let strip = |text: &str| text.replace("320 es", "400").replace("precision highp float;", "");
        let (vertex, evaluation, fragment) = (strip(VS_320), strip(TES_320), strip(FS_320));
        let vertex = vertex.replace("layout(location = 0) in", "in");
        let stages = [
            (gl::VERTEX_SHADER, &*vertex),
            (gl::TESS_CONTROL_SHADER, &control),
            (gl::TESS_EVALUATION_SHADER, &evaluation),
            (gl::FRAGMENT_SHADER, &fragment),
        ];
        assert_eq!(tessellated(&stages), [153, 0, 51, 255]);
    }
}

/// ARB_ES2_compatibility: attributes of 16.16 fixed point.
fn fixed_point_attributes(_: &Env) {
    require_extension("GL_ARB_ES2_compatibility");
    let target = Target::new(4, 4);
    let fragment =
        "#version 100\nprecision mediump float; varying vec2 place;\nvoid main() { gl_FragColor = vec4(1.0); }\n";
    let stages = [(gl::VERTEX_SHADER, VS_100), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr())).bind();
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    let one = 65536_i32;
    buffer(gl::ARRAY_BUFFER, &[[-one, -one], [0, -one], [-one, one], [0, one]]);
    gl::VertexAttribPointer(0, 2, gl::FIXED, gl::FALSE, 0, std::ptr::null());
    gl::EnableVertexAttribArray(0);
    gl::ClearColor(0.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    expect_no_error("a draw");
    let image = target.image();
    assert_eq!((image.at(1, 1)[0], image.at(2, 1)[0]), (255, 0));
}

/// ESSL 1.00 section 4.5.3: floats of fragment shaders have no default precision.
fn precisions(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    for head in ["#version 100\nvarying", "#version 300 es\nin"] {
        let log = refused(gl::FRAGMENT_SHADER, &format!("{head} vec2 v;\nvoid main() {{ }}\n"));
        assert!(log.contains("0:2("), "{log}");
        accepted(gl::FRAGMENT_SHADER, &format!("{head} mediump vec2 v;\nvoid main() {{ }}\n"));
    }
    // ESSL 3.00 section 4.5.4: nor have samplers that 1.00 did not know.
    accepted(gl::FRAGMENT_SHADER, "#version 100\nprecision lowp float; varying vec2 v;\nvoid main() { }\n");
    refused(gl::FRAGMENT_SHADER, "#version 300 es\nuniform sampler3D s;\nvoid main() { }\n");
    accepted(gl::FRAGMENT_SHADER, "#version 300 es\nuniform lowp sampler3D s;\nvoid main() { }\n");
    accepted(gl::VERTEX_SHADER, "#version 300 es\nuniform sampler2D s; float f;\nvoid main() { }\n");
}

fn versions_come_first(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    accepted(gl::VERTEX_SHADER, "// a comment\n\n#version 300 es\nvoid main() { }\n");
    refused(gl::VERTEX_SHADER, "precision highp float;\n#version 300 es\nvoid main() { }\n");
    // Lines keep their numbers.
    for head in ["\n#version 300 es", "\n#version 100"] {
        let log = refused(gl::VERTEX_SHADER, &format!("{head}\nvoid main() {{\n    unknown = 1.0;\n}}\n"));
        assert!(log.contains("0:4("), "{log}");
    }
    refused(gl::VERTEX_SHADER, "#version 300\nvoid main() { }\n");
    refused(gl::VERTEX_SHADER, "#version 100 es\nvoid main() { }\n");
    refused(gl::VERTEX_SHADER, "#version 330 es\nvoid main() { }\n");
}

/// GLSL 4.60 section 3.3: shaders of OpenGL ES are linked with those of their version.
fn languages_do_not_mix(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let plain = "void main() { }\n";
    let heads = ["#version 330\n", "#version 100\n", "#version 300 es\n"];
    for vertex in heads {
        for fragment in heads {
            let texts = [vertex, fragment].map(|head| format!("{head}{plain}"));
            let stages = [(gl::VERTEX_SHADER, &*texts[0]), (gl::FRAGMENT_SHADER, &*texts[1])];
            assert_eq!(try_program(&stages, |_| {}).is_ok(), vertex == fragment, "{vertex} {fragment}");
        }
    }
}

fn rules_of_es(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    for (stage, bad) in [
        (gl::VERTEX_SHADER, "#version 300 es\nattribute vec4 v; void main() { }\n"),
        (gl::VERTEX_SHADER, "#version 300 es\nvoid main() { float f = 1; }\n"),
        (gl::VERTEX_SHADER, "#version 300 es\nuniform dmat2 m; void main() { }\n"),
        (gl::VERTEX_SHADER, "#version 100\nuniform sampler3D s; void main() { }\n"),
        (gl::VERTEX_SHADER, "#version 100\nvoid main() { int i = 1 << 2; }\n"),
        (gl::FRAGMENT_SHADER, "#version 300 es\nvoid main() { gl_FragColor = vec4(1.0); }\n"),
        (gl::FRAGMENT_SHADER, "#version 300 es\n#pragma STDGL invariant(all)\nvoid main() { }\n"),
        (gl::VERTEX_SHADER, "#version 330\nprecision mediump; void main() { }\n"),
    ] {
        refused(stage, bad);
    }
    accepted(gl::VERTEX_SHADER, "#version 100\nvoid f(inout float x[2]) { x[0] = 1.0; }\nvoid main() { }\n");
    accepted(gl::VERTEX_SHADER, "#version 330\nprecision mediump float; void main() { lowp float x = 1.0; }\n");
}

/// What programs may not mix, pipelines of programs may.
fn pipelines_mix_languages(_: &Env) {
    require_extension("GL_ARB_ES3_1_compatibility");
    require_extension("GL_ARB_separate_shader_objects");
    let target = Target::new(4, 4);
    let made = |stage: u32, source: &str| {
        let source = std::ffi::CString::new(source).unwrap_or_default();
        let program = gl::CreateShaderProgramv(stage, 1, &source.as_ptr());
        assert_eq!(Program(program).get(gl::LINK_STATUS), 1, "{source:?}");
        program
    };
    let vertex = made(
        gl::VERTEX_SHADER,
        "#version 310 es\nlayout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;\nvoid main() { gl_Position = position; place = vec2(0.2, 0.6); }\n",
    );
    let fragment = made(
        gl::FRAGMENT_SHADER,
        "#version 420\nlayout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;\nvoid main() { colour = vec4(place, 0.0, 1.0); }\n",
    );
    let pipeline = gallite_tests::draw::gen_pipeline();
    gl::UseProgramStages(pipeline, gl::VERTEX_SHADER_BIT, vertex);
    gl::UseProgramStages(pipeline, gl::FRAGMENT_SHADER_BIT, fragment);
    gl::UseProgram(0);
    gl::BindProgramPipeline(pipeline);
    quad();
    expect_no_error("a draw");
    target.image().expect_all([51, 153, 0, 255]);
    gl::BindProgramPipeline(0);
    gl::DeleteProgramPipelines(1, &pipeline);
    gl::DeleteProgram(vertex);
    gl::DeleteProgram(fragment);
}

/// GL 4.6 core 22.2.
fn languages_are_listed(_: &Env) {
    require_extension("GL_ARB_ES3_compatibility");
    let count = get_i32(gl::NUM_SHADING_LANGUAGE_VERSIONS);
    let name = |i| {
        let text = gl::GetStringi(gl::SHADING_LANGUAGE_VERSION, i);
        assert!(!text.is_null());
        // SAFETY: glGetStringi gives strings that end with a null byte and live as long as the context.
        unsafe { CStr::from_ptr(text.cast()) }.to_string_lossy().into_owned()
    };
    let all: Vec<String> = (0..count as u32).map(name).collect();
    // 1.10 is told by the empty string: its sources need no #version.
    for wanted in ["330", "330 core", "120", "", "100", "300 es"] {
        assert!(all.iter().any(|v| v == wanted), "{wanted} in {all:?}");
    }
    assert!(!all.iter().any(|v| v == "110"), "{all:?}");
    for language in all.iter().filter(|v| !v.is_empty()) {
        accepted(gl::VERTEX_SHADER, &format!("#version {language}\nvoid main() {{ }}\n"));
    }
    gl::GetStringi(gl::SHADING_LANGUAGE_VERSION, count as u32);
    expect_error(gl::INVALID_VALUE, "beyond the list");
}

/// GL 4.6 core 7.2: SPIR-V is the only format there may be.
fn shader_binaries(_: &Env) {
    require_extension("GL_ARB_ES2_compatibility");
    assert_eq!(get_i32(gl::NUM_SHADER_BINARY_FORMATS), i32::from(has_extension("GL_ARB_gl_spirv")));
    let shader = gl::CreateShader(gl::VERTEX_SHADER);
    let binary = [0_u32; 4];
    let load = |count, shaders: &[u32], length| {
        gl::ShaderBinary(count, shaders.as_ptr(), 0x1234, binary.as_ptr().cast(), length);
        gl::GetError()
    };
    assert_eq!(load(1, &[shader], 16), gl::INVALID_ENUM);
    assert_eq!(load(-1, &[shader], 16), gl::INVALID_VALUE);
    assert_eq!(load(1, &[shader], -1), gl::INVALID_VALUE);
    assert_eq!(load(1, &[shader + 1000], 16), gl::INVALID_VALUE);
    let program = gl::CreateProgram();
    assert_eq!(load(1, &[program], 16), gl::INVALID_OPERATION);
    gl::ReleaseShaderCompiler();
    accepted(gl::VERTEX_SHADER, "#version 330\nvoid main() { }\n");
}

fn precision_formats(_: &Env) {
    require_extension("GL_ARB_ES2_compatibility");
    let (mut range, mut bits) = ([0; 2], -1);
    gl::GetShaderPrecisionFormat(gl::FRAGMENT_SHADER, gl::HIGH_FLOAT, range.as_mut_ptr(), &mut bits);
    assert!(range[0] >= 62 && range[1] >= 62 && bits >= 16);
    gl::GetShaderPrecisionFormat(gl::VERTEX_SHADER, gl::HIGH_INT, range.as_mut_ptr(), &mut bits);
    assert_eq!((range, bits), ([31, 30], 0));
    gl::GetShaderPrecisionFormat(gl::GEOMETRY_SHADER, gl::HIGH_INT, range.as_mut_ptr(), &mut bits);
    expect_error(gl::INVALID_ENUM, "a stage of later versions");
    let [vectors, components] = [gl::MAX_VERTEX_UNIFORM_VECTORS, gl::MAX_VERTEX_UNIFORM_COMPONENTS].map(get_i32);
    assert_eq!(vectors, components / 4);
    assert_eq!(get_i32(gl::SHADER_COMPILER), 1);
}
