//! Predefined limits: GLSL 4.60 section 7.3, GLSL 4.60 compatibility section 7.3, and ESSL 3.20 section 7.3. Each is what the API says.

use gallite_tests::draw::{expect_no_error, get_i32, has_extension, shader_status, version};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): desktop, of_work_groups, of_es;
    every compatibility(8, 8): of_compatibility;
}

/// Name, and what glGet has it by; the version of GLSL that brought it.
type Row = (&'static str, u32, u32);

const DESKTOP: &[Row] = &[
    ("gl_MaxVertexAttribs", gl::MAX_VERTEX_ATTRIBS, 110),
    ("gl_MaxVertexUniformComponents", gl::MAX_VERTEX_UNIFORM_COMPONENTS, 110),
    ("gl_MaxVertexTextureImageUnits", gl::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 110),
    ("gl_MaxCombinedTextureImageUnits", gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 110),
    ("gl_MaxTextureImageUnits", gl::MAX_TEXTURE_IMAGE_UNITS, 110),
    ("gl_MaxFragmentUniformComponents", gl::MAX_FRAGMENT_UNIFORM_COMPONENTS, 110),
    ("gl_MaxDrawBuffers", gl::MAX_DRAW_BUFFERS, 110),
    ("gl_MaxClipDistances", gl::MAX_CLIP_DISTANCES, 130),
    ("gl_MaxVaryingComponents", gl::MAX_VARYING_COMPONENTS, 130),
    ("gl_MaxVertexOutputComponents", gl::MAX_VERTEX_OUTPUT_COMPONENTS, 150),
    ("gl_MaxGeometryInputComponents", gl::MAX_GEOMETRY_INPUT_COMPONENTS, 150),
    ("gl_MaxGeometryOutputComponents", gl::MAX_GEOMETRY_OUTPUT_COMPONENTS, 150),
    ("gl_MaxFragmentInputComponents", gl::MAX_FRAGMENT_INPUT_COMPONENTS, 150),
    ("gl_MaxGeometryTextureImageUnits", gl::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 150),
    ("gl_MaxGeometryOutputVertices", gl::MAX_GEOMETRY_OUTPUT_VERTICES, 150),
    ("gl_MaxGeometryTotalOutputComponents", gl::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 150),
    ("gl_MaxGeometryUniformComponents", gl::MAX_GEOMETRY_UNIFORM_COMPONENTS, 150),
    ("gl_MaxTessControlInputComponents", gl::MAX_TESS_CONTROL_INPUT_COMPONENTS, 400),
    ("gl_MaxTessControlOutputComponents", gl::MAX_TESS_CONTROL_OUTPUT_COMPONENTS, 400),
    ("gl_MaxTessControlTextureImageUnits", gl::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, 400),
    ("gl_MaxTessControlUniformComponents", gl::MAX_TESS_CONTROL_UNIFORM_COMPONENTS, 400),
    ("gl_MaxTessControlTotalOutputComponents", gl::MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS, 400),
    ("gl_MaxTessEvaluationInputComponents", gl::MAX_TESS_EVALUATION_INPUT_COMPONENTS, 400),
    ("gl_MaxTessEvaluationOutputComponents", gl::MAX_TESS_EVALUATION_OUTPUT_COMPONENTS, 400),
    ("gl_MaxTessEvaluationTextureImageUnits", gl::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, 400),
    ("gl_MaxTessEvaluationUniformComponents", gl::MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, 400),
    ("gl_MaxTessPatchComponents", gl::MAX_TESS_PATCH_COMPONENTS, 400),
    ("gl_MaxPatchVertices", gl::MAX_PATCH_VERTICES, 400),
    ("gl_MaxTessGenLevel", gl::MAX_TESS_GEN_LEVEL, 400),
    ("gl_MaxViewports", gl::MAX_VIEWPORTS, 410),
    ("gl_MaxVertexUniformVectors", gl::MAX_VERTEX_UNIFORM_VECTORS, 410),
    ("gl_MaxFragmentUniformVectors", gl::MAX_FRAGMENT_UNIFORM_VECTORS, 410),
    ("gl_MaxVaryingVectors", gl::MAX_VARYING_VECTORS, 410),
    ("gl_MinProgramTexelOffset", gl::MIN_PROGRAM_TEXEL_OFFSET, 420),
    ("gl_MaxProgramTexelOffset", gl::MAX_PROGRAM_TEXEL_OFFSET, 420),
    ("gl_MaxImageUnits", gl::MAX_IMAGE_UNITS, 420),
    ("gl_MaxCombinedImageUnitsAndFragmentOutputs", gl::MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 420),
    ("gl_MaxImageSamples", gl::MAX_IMAGE_SAMPLES, 420),
    ("gl_MaxVertexImageUniforms", gl::MAX_VERTEX_IMAGE_UNIFORMS, 420),
    ("gl_MaxTessControlImageUniforms", gl::MAX_TESS_CONTROL_IMAGE_UNIFORMS, 420),
    ("gl_MaxTessEvaluationImageUniforms", gl::MAX_TESS_EVALUATION_IMAGE_UNIFORMS, 420),
    ("gl_MaxGeometryImageUniforms", gl::MAX_GEOMETRY_IMAGE_UNIFORMS, 420),
    ("gl_MaxFragmentImageUniforms", gl::MAX_FRAGMENT_IMAGE_UNIFORMS, 420),
    ("gl_MaxCombinedImageUniforms", gl::MAX_COMBINED_IMAGE_UNIFORMS, 420),
    ("gl_MaxVertexAtomicCounters", gl::MAX_VERTEX_ATOMIC_COUNTERS, 420),
    ("gl_MaxTessControlAtomicCounters", gl::MAX_TESS_CONTROL_ATOMIC_COUNTERS, 420),
    ("gl_MaxTessEvaluationAtomicCounters", gl::MAX_TESS_EVALUATION_ATOMIC_COUNTERS, 420),
    ("gl_MaxGeometryAtomicCounters", gl::MAX_GEOMETRY_ATOMIC_COUNTERS, 420),
    ("gl_MaxFragmentAtomicCounters", gl::MAX_FRAGMENT_ATOMIC_COUNTERS, 420),
    ("gl_MaxCombinedAtomicCounters", gl::MAX_COMBINED_ATOMIC_COUNTERS, 420),
    ("gl_MaxAtomicCounterBindings", gl::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 420),
    ("gl_MaxVertexAtomicCounterBuffers", gl::MAX_VERTEX_ATOMIC_COUNTER_BUFFERS, 420),
    ("gl_MaxTessControlAtomicCounterBuffers", gl::MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS, 420),
    ("gl_MaxTessEvaluationAtomicCounterBuffers", gl::MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS, 420),
    ("gl_MaxGeometryAtomicCounterBuffers", gl::MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS, 420),
    ("gl_MaxFragmentAtomicCounterBuffers", gl::MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, 420),
    ("gl_MaxCombinedAtomicCounterBuffers", gl::MAX_COMBINED_ATOMIC_COUNTER_BUFFERS, 420),
    ("gl_MaxAtomicCounterBufferSize", gl::MAX_ATOMIC_COUNTER_BUFFER_SIZE, 420),
    ("gl_MaxComputeUniformComponents", gl::MAX_COMPUTE_UNIFORM_COMPONENTS, 430),
    ("gl_MaxComputeTextureImageUnits", gl::MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 430),
    ("gl_MaxComputeImageUniforms", gl::MAX_COMPUTE_IMAGE_UNIFORMS, 430),
    ("gl_MaxComputeAtomicCounters", gl::MAX_COMPUTE_ATOMIC_COUNTERS, 430),
    ("gl_MaxComputeAtomicCounterBuffers", gl::MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 430),
    ("gl_MaxCombinedShaderOutputResources", gl::MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 430),
    ("gl_MaxTransformFeedbackBuffers", gl::MAX_TRANSFORM_FEEDBACK_BUFFERS, 440),
    ("gl_MaxTransformFeedbackInterleavedComponents", gl::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 440),
    ("gl_MaxCullDistances", gl::MAX_CULL_DISTANCES, 450),
    ("gl_MaxCombinedClipAndCullDistances", gl::MAX_COMBINED_CLIP_AND_CULL_DISTANCES, 450),
    ("gl_MaxSamples", gl::MAX_SAMPLES, 450),
];

const ES: &[Row] = &[
    ("gl_MaxVertexAttribs", gl::MAX_VERTEX_ATTRIBS, 100),
    ("gl_MaxVertexUniformVectors", gl::MAX_VERTEX_UNIFORM_VECTORS, 100),
    ("gl_MaxVertexTextureImageUnits", gl::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 100),
    ("gl_MaxCombinedTextureImageUnits", gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 100),
    ("gl_MaxTextureImageUnits", gl::MAX_TEXTURE_IMAGE_UNITS, 100),
    ("gl_MaxFragmentUniformVectors", gl::MAX_FRAGMENT_UNIFORM_VECTORS, 100),
    ("gl_MaxDrawBuffers", gl::MAX_DRAW_BUFFERS, 100),
    ("gl_MinProgramTexelOffset", gl::MIN_PROGRAM_TEXEL_OFFSET, 300),
    ("gl_MaxProgramTexelOffset", gl::MAX_PROGRAM_TEXEL_OFFSET, 300),
    ("gl_MaxImageUnits", gl::MAX_IMAGE_UNITS, 310),
    ("gl_MaxVertexImageUniforms", gl::MAX_VERTEX_IMAGE_UNIFORMS, 310),
    ("gl_MaxFragmentImageUniforms", gl::MAX_FRAGMENT_IMAGE_UNIFORMS, 310),
    ("gl_MaxComputeImageUniforms", gl::MAX_COMPUTE_IMAGE_UNIFORMS, 310),
    ("gl_MaxCombinedImageUniforms", gl::MAX_COMBINED_IMAGE_UNIFORMS, 310),
    ("gl_MaxCombinedShaderOutputResources", gl::MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 310),
    ("gl_MaxComputeUniformComponents", gl::MAX_COMPUTE_UNIFORM_COMPONENTS, 310),
    ("gl_MaxComputeTextureImageUnits", gl::MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 310),
    ("gl_MaxComputeAtomicCounters", gl::MAX_COMPUTE_ATOMIC_COUNTERS, 310),
    ("gl_MaxComputeAtomicCounterBuffers", gl::MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 310),
    ("gl_MaxVertexAtomicCounters", gl::MAX_VERTEX_ATOMIC_COUNTERS, 310),
    ("gl_MaxFragmentAtomicCounters", gl::MAX_FRAGMENT_ATOMIC_COUNTERS, 310),
    ("gl_MaxCombinedAtomicCounters", gl::MAX_COMBINED_ATOMIC_COUNTERS, 310),
    ("gl_MaxAtomicCounterBindings", gl::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 310),
    ("gl_MaxVertexAtomicCounterBuffers", gl::MAX_VERTEX_ATOMIC_COUNTER_BUFFERS, 310),
    ("gl_MaxFragmentAtomicCounterBuffers", gl::MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, 310),
    ("gl_MaxCombinedAtomicCounterBuffers", gl::MAX_COMBINED_ATOMIC_COUNTER_BUFFERS, 310),
    ("gl_MaxAtomicCounterBufferSize", gl::MAX_ATOMIC_COUNTER_BUFFER_SIZE, 310),
    ("gl_MaxTessGenLevel", gl::MAX_TESS_GEN_LEVEL, 320),
    ("gl_MaxPatchVertices", gl::MAX_PATCH_VERTICES, 320),
    ("gl_MaxTessControlImageUniforms", gl::MAX_TESS_CONTROL_IMAGE_UNIFORMS, 320),
    ("gl_MaxGeometryOutputVertices", gl::MAX_GEOMETRY_OUTPUT_VERTICES, 320),
    ("gl_MaxGeometryImageUniforms", gl::MAX_GEOMETRY_IMAGE_UNIFORMS, 320),
    ("gl_MaxSamples", gl::MAX_SAMPLES, 320),
];

/// GLSL 1.10 section 7.4 and those after it, of the compatibility profile.
const COMPATIBILITY: &[Row] = &[
    ("gl_MaxTextureUnits", gl::MAX_TEXTURE_UNITS, 110),
    ("gl_MaxTextureCoords", gl::MAX_TEXTURE_COORDS, 110),
    ("gl_MaxLights", gl::MAX_LIGHTS, 110),
    ("gl_MaxClipPlanes", gl::MAX_CLIP_PLANES, 110),
    ("gl_MaxVaryingFloats", gl::MAX_VARYING_COMPONENTS, 110),
];

/// Whether `value` is what a constant is: an array of `value` elements has its length, which is a constant expression too, and
/// a shader that says otherwise does not compile. Nothing has to be drawn for it.
fn is(head: &str, name: &str, value: i32) -> bool {
    let source = |value: i64| {
        format!(
            "{head}void main() {{ float a[{name} == ({value}) ? 1 : -1]; a[0] = 0.0; gl_Position = vec4(a[0]); }}\n"
        )
    };
    let (_, ok) = shader_status(gl::VERTEX_SHADER, &source(value.into()));
    // An undeclared name refuses every value; a constant that is not looked at takes every one.
    let (_, other) = shader_status(gl::VERTEX_SHADER, &source(i64::from(value) + 1));
    ok && !other
}

fn check(rows: &[Row], newest: u32, head: impl Fn(u32) -> String) {
    let mut wrong = Vec::new();
    for (name, get, since) in rows.iter().filter(|row| row.2 <= newest) {
        let value = get_i32(*get);
        // Where it came and at the end: versions differ in what they are shown to the translator as.
        for version in [*since, newest] {
            if !is(&head(version), name, value) {
                wrong.push(format!("{name} of version {version} is not {value}"));
            }
        }
    }
    expect_no_error("limits");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// That of the context.
fn newest() -> u32 {
    version() as u32 * 10
}

fn desktop(_: &Env) {
    check(DESKTOP, newest(), |version| format!("#version {version}\n"));
}

fn of_compatibility(_: &Env) {
    let profile = |version| if version < 150 { "" } else { " compatibility" };
    check(COMPATIBILITY, newest(), |version| format!("#version {version}{}\n", profile(version)));
}

fn of_es(_: &Env) {
    let languages =
        [(320, "GL_ARB_ES3_2_compatibility"), (310, "GL_ARB_ES3_1_compatibility"), (300, "GL_ARB_ES3_compatibility")];
    let newest = languages.iter().find(|(_, name)| has_extension(name)).map_or(100, |(version, _)| *version);
    check(ES, newest, |version| format!("#version {version}{}\n", if version == 100 { "" } else { " es" }));
}

fn of_work_groups(_: &Env) {
    if newest() < 430 {
        return;
    }
    for (name, get) in [
        ("gl_MaxComputeWorkGroupCount", gl::MAX_COMPUTE_WORK_GROUP_COUNT),
        ("gl_MaxComputeWorkGroupSize", gl::MAX_COMPUTE_WORK_GROUP_SIZE),
    ] {
        for (axis, component) in ["x", "y", "z"].into_iter().enumerate() {
            let mut value = 0;
            gl::GetIntegeri_v(get, axis as u32, &raw mut value);
            assert!(is("#version 430\n", &format!("{name}.{component}"), value), "{name}.{component} is not {value}");
        }
    }
}
