//! Extensions advertised by a context: those whose whole behaviour works, and no other.

use std::ffi::CString;

use gallite_pipe::{Caps, Features, ShaderFeatures};

use crate::context::Profile;

/// When an extension is advertised.
struct Extension {
    name: &'static str,
    /// Features the screen must have.
    needs: Features,
    /// Those of the code of its shaders.
    shaders: ShaderFeatures,
    /// Whether it belongs into core contexts too, or only into the compatibility profile.
    core: bool,
}

const fn always(name: &'static str) -> Extension {
    with(name, Features::EMPTY)
}

/// Only in the compatibility profile.
const fn legacy(name: &'static str) -> Extension {
    Extension { core: false, ..always(name) }
}

const fn with(name: &'static str, needs: Features) -> Extension {
    shading(name, needs, ShaderFeatures::EMPTY)
}

const fn shading(name: &'static str, needs: Features, shaders: ShaderFeatures) -> Extension {
    Extension { name, needs, shaders, core: true }
}

/// Capture, and drawing what was captured.
const CAPTURE_DRAWS: Features = Features::TRANSFORM_FEEDBACK.with(Features::DRAW_TRANSFORM_FEEDBACK, true);

/// What GLSL 4.00 asks of a device beside what 3.30 does.
const SHADER5: Features =
    Features::GEOMETRY_SHADER.with(Features::SAMPLE_SHADING, true).with(Features::SAMPLER_DYNAMIC_INDEXING, true);

/// What ARB_gpu_shader_int64 asks: GLSL 4.00 and conversions from and to doubles are part of it.
const INT64: Features = SHADER5.with(Features::SHADER_FLOAT64, true).with(Features::SHADER_INT64, true);

/// Layer and viewport from stages before the geometry stage.
const VIEWPORTS: Features = Features::VIEWPORT_LAYER_FROM_VERTEX.with(Features::VIEWPORT_ARRAY, true);

/// What OpenGL ES 3.1 asks of a device beside what GL 3.3 does.
const ES3_1: Features =
    Features::COMPUTE_SHADER.with(Features::FRAGMENT_STORES, true).with(Features::DRAW_INDIRECT, true);

/// What OpenGL ES 3.2 asks of a device beside what ES 3.1 does.
const ES3_2: Features = ES3_1
    .with(Features::GEOMETRY_SHADER, true)
    .with(Features::TESSELLATION_SHADER, true)
    .with(Features::SAMPLE_SHADING, true)
    .with(Features::CUBE_ARRAY, true)
    .with(Features::INDEPENDENT_BLEND, true);

/// In the order GL_EXTENSIONS lists them. An entry is added together with the code and the test that make it true.
/// What a version made core is listed too, because programs look for the name whatever the version says.
const TABLE: &[Extension] = &[
    always("GL_AMD_conservative_depth"),
    always("GL_ARB_ES2_compatibility"),
    with("GL_ARB_ES3_1_compatibility", ES3_1),
    with("GL_ARB_ES3_2_compatibility", ES3_2),
    always("GL_ARB_ES3_compatibility"),
    with("GL_AMD_shader_stencil_export", Features::STENCIL_EXPORT),
    always("GL_AMD_shader_trinary_minmax"),
    with("GL_AMD_vertex_shader_layer", VIEWPORTS),
    with("GL_AMD_vertex_shader_viewport_index", VIEWPORTS),
    always("GL_ARB_arrays_of_arrays"),
    with("GL_ARB_base_instance", Features::BASE_INSTANCE),
    with("GL_ARB_blend_func_extended", Features::DUAL_SOURCE_BLEND),
    with("GL_ARB_buffer_storage", Features::PERSISTENT_MAPPING),
    always("GL_ARB_clear_buffer_object"),
    always("GL_ARB_clear_texture"),
    always("GL_ARB_clip_control"),
    always("GL_ARB_compressed_texture_pixel_storage"),
    legacy("GL_ARB_compatibility"),
    with("GL_ARB_compute_shader", Features::COMPUTE_SHADER),
    with("GL_ARB_compute_variable_group_size", Features::COMPUTE_SHADER),
    always("GL_ARB_conditional_render_inverted"),
    always("GL_ARB_conservative_depth"),
    always("GL_ARB_copy_buffer"),
    always("GL_ARB_copy_image"),
    with("GL_ARB_cull_distance", Features::CULL_DISTANCE),
    always("GL_ARB_depth_buffer_float"),
    legacy("GL_ARB_depth_texture"),
    with("GL_ARB_depth_clamp", Features::DEPTH_CLAMP),
    always("GL_ARB_derivative_control"),
    always("GL_ARB_direct_state_access"),
    always("GL_ARB_draw_buffers"),
    with("GL_ARB_draw_buffers_blend", Features::INDEPENDENT_BLEND),
    always("GL_ARB_draw_elements_base_vertex"),
    with("GL_ARB_draw_indirect", Features::DRAW_INDIRECT),
    always("GL_ARB_draw_instanced"),
    always("GL_ARB_enhanced_layouts"),
    always("GL_ARB_explicit_attrib_location"),
    always("GL_ARB_explicit_uniform_location"),
    always("GL_ARB_fragment_coord_conventions"),
    with("GL_ARB_fragment_layer_viewport", Features::VIEWPORT_ARRAY.with(Features::GEOMETRY_SHADER, true)),
    legacy("GL_ARB_fragment_shader"),
    with("GL_ARB_framebuffer_no_attachments", Features::FRAMEBUFFER_NO_ATTACHMENTS),
    always("GL_ARB_framebuffer_object"),
    always("GL_ARB_framebuffer_sRGB"),
    always("GL_ARB_get_program_binary"),
    always("GL_ARB_get_texture_sub_image"),
    always("GL_ARB_gl_spirv"),
    with("GL_ARB_gpu_shader5", SHADER5),
    with("GL_ARB_gpu_shader_fp64", Features::SHADER_FLOAT64),
    with("GL_ARB_gpu_shader_int64", INT64),
    always("GL_ARB_half_float_pixel"),
    always("GL_ARB_half_float_vertex"),
    with("GL_ARB_indirect_parameters", Features::DRAW_INDIRECT),
    always("GL_ARB_instanced_arrays"),
    always("GL_ARB_internalformat_query"),
    always("GL_ARB_internalformat_query2"),
    always("GL_ARB_invalidate_subdata"),
    always("GL_ARB_map_buffer_alignment"),
    always("GL_ARB_map_buffer_range"),
    always("GL_ARB_multi_bind"),
    with("GL_ARB_multi_draw_indirect", Features::DRAW_INDIRECT),
    always("GL_ARB_occlusion_query2"),
    always("GL_ARB_parallel_shader_compile"),
    with("GL_ARB_pipeline_statistics_query", Features::PIPELINE_STATISTICS),
    with("GL_ARB_polygon_offset_clamp", Features::DEPTH_BIAS_CLAMP),
    always("GL_ARB_program_interface_query"),
    with("GL_ARB_provoking_vertex", Features::PROVOKING_VERTEX),
    always("GL_ARB_query_buffer_object"),
    with("GL_ARB_robust_buffer_access_behavior", Features::ROBUST_BUFFER_ACCESS),
    with("GL_ARB_sample_shading", Features::SAMPLE_SHADING),
    always("GL_ARB_sampler_objects"),
    always("GL_ARB_seamless_cube_map"),
    always("GL_ARB_separate_shader_objects"),
    with("GL_ARB_shader_atomic_counter_ops", Features::FRAGMENT_STORES),
    with("GL_ARB_shader_atomic_counters", Features::FRAGMENT_STORES),
    shading("GL_ARB_shader_ballot", INT64, ShaderFeatures::SUBGROUP_BALLOT),
    always("GL_ARB_shader_bit_encoding"),
    shading("GL_ARB_shader_clock", Features::EMPTY, ShaderFeatures::CLOCK),
    with("GL_ARB_shader_draw_parameters", Features::DRAW_PARAMETERS),
    with("GL_ARB_shader_group_vote", Features::SUBGROUP_VOTE),
    with("GL_ARB_shader_image_load_store", Features::FRAGMENT_STORES),
    with("GL_ARB_shader_image_size", Features::FRAGMENT_STORES),
    always("GL_ARB_shader_precision"),
    with("GL_ARB_shader_storage_buffer_object", Features::FRAGMENT_STORES),
    legacy("GL_ARB_shader_objects"),
    with("GL_ARB_shader_stencil_export", Features::STENCIL_EXPORT),
    always("GL_ARB_shader_subroutine"),
    always("GL_ARB_shader_texture_image_samples"),
    always("GL_ARB_shader_texture_lod"),
    with("GL_ARB_shader_viewport_layer_array", VIEWPORTS),
    legacy("GL_ARB_shading_language_100"),
    always("GL_ARB_shading_language_420pack"),
    always("GL_ARB_shading_language_include"),
    always("GL_ARB_shading_language_packing"),
    always("GL_ARB_spirv_extensions"),
    always("GL_ARB_stencil_texturing"),
    always("GL_ARB_sync"),
    with("GL_ARB_tessellation_shader", Features::TESSELLATION_SHADER),
    always("GL_ARB_texture_barrier"),
    always("GL_ARB_texture_buffer_object"),
    always("GL_ARB_texture_buffer_object_rgb32"),
    always("GL_ARB_texture_buffer_range"),
    always("GL_ARB_texture_compression_bptc"),
    always("GL_ARB_texture_compression_rgtc"),
    with("GL_ARB_texture_cube_map_array", Features::CUBE_ARRAY),
    with("GL_ARB_texture_filter_anisotropic", Features::ANISOTROPY),
    always("GL_ARB_texture_float"),
    always("GL_ARB_texture_gather"),
    with("GL_ARB_texture_mirror_clamp_to_edge", Features::MIRROR_CLAMP_TO_EDGE),
    always("GL_ARB_texture_multisample"),
    always("GL_ARB_texture_non_power_of_two"),
    always("GL_ARB_texture_query_levels"),
    always("GL_ARB_texture_query_lod"),
    always("GL_ARB_texture_rectangle"),
    always("GL_ARB_texture_rg"),
    always("GL_ARB_texture_rgb10_a2ui"),
    always("GL_ARB_texture_stencil8"),
    always("GL_ARB_texture_storage"),
    always("GL_ARB_texture_storage_multisample"),
    always("GL_ARB_texture_swizzle"),
    with("GL_ARB_texture_view", Features::MUTABLE_FORMATS),
    with("GL_ARB_timer_query", Features::TIMER_QUERY),
    with("GL_ARB_transform_feedback2", CAPTURE_DRAWS),
    with("GL_ARB_transform_feedback3", CAPTURE_DRAWS),
    with("GL_ARB_transform_feedback_instanced", CAPTURE_DRAWS),
    with("GL_ARB_transform_feedback_overflow_query", Features::TRANSFORM_FEEDBACK),
    always("GL_ARB_uniform_buffer_object"),
    always("GL_ARB_vertex_array_bgra"),
    always("GL_ARB_vertex_array_object"),
    always("GL_ARB_vertex_attrib_binding"),
    legacy("GL_ARB_vertex_shader"),
    always("GL_ARB_vertex_type_10f_11f_11f_rev"),
    always("GL_ARB_vertex_type_2_10_10_10_rev"),
    with("GL_ARB_vertex_attrib_64bit", Features::FLOAT64_ATTRIBUTES),
    with("GL_ARB_viewport_array", Features::VIEWPORT_ARRAY.with(Features::GEOMETRY_SHADER, true)),
    shading("GL_EXT_demote_to_helper_invocation", Features::EMPTY, ShaderFeatures::DEMOTE),
    always("GL_EXT_draw_buffers2"),
    legacy("GL_EXT_fog_coord"),
    always("GL_EXT_framebuffer_sRGB"),
    legacy("GL_EXT_gpu_shader4"),
    always("GL_EXT_packed_depth_stencil"),
    always("GL_EXT_packed_float"),
    with("GL_EXT_polygon_offset_clamp", Features::DEPTH_BIAS_CLAMP),
    with("GL_EXT_provoking_vertex", Features::PROVOKING_VERTEX),
    legacy("GL_EXT_secondary_color"),
    always("GL_EXT_shader_integer_mix"),
    always("GL_EXT_texture_array"),
    always("GL_EXT_texture_compression_dxt1"),
    always("GL_EXT_texture_compression_rgtc"),
    always("GL_EXT_texture_compression_s3tc"),
    with("GL_EXT_texture_filter_anisotropic", Features::ANISOTROPY),
    always("GL_EXT_texture_sRGB"),
    always("GL_EXT_texture_shared_exponent"),
    always("GL_EXT_texture_snorm"),
    always("GL_EXT_texture_swizzle"),
    with("GL_EXT_timer_query", Features::TIMER_QUERY),
    with("GL_EXT_transform_feedback", Features::TRANSFORM_FEEDBACK),
    always("GL_KHR_context_flush_control"),
    always("GL_KHR_debug"),
    always("GL_KHR_no_error"),
    always("GL_KHR_parallel_shader_compile"),
    with("GL_KHR_robustness", Features::ROBUST_BUFFER_ACCESS),
    always("GL_MESA_shader_integer_functions"),
    always("GL_NV_conditional_render"),
    shading("GL_NV_shader_atomic_float", Features::FRAGMENT_STORES, ShaderFeatures::ATOMIC_FLOAT_ADD),
    shading("GL_NV_shader_atomic_int64", INT64.with(Features::FRAGMENT_STORES, true), ShaderFeatures::ATOMIC_INT64),
    always("GL_NV_texture_barrier"),
];

/// The extensions of one context.
#[derive(Debug)]
pub struct Extensions {
    names: Vec<CString>,
    joined: CString,
}

impl Extensions {
    /// Those a screen can carry in a profile.
    pub fn new(caps: &Caps, profile: Profile) -> Self {
        let listed = TABLE.iter().filter(|e| {
            caps.features.contains(e.needs)
                && caps.shader_features.contains(e.shaders)
                && (e.core || profile == Profile::Compatibility)
        });
        Self::of(&listed.map(|e| e.name).collect::<Vec<_>>())
    }

    /// A list of names, in their order.
    pub(crate) fn of(words: &[&str]) -> Self {
        let names = words.iter().filter_map(|n| CString::new(*n).ok()).collect();
        let joined = CString::new(words.join(" ")).unwrap_or_default();
        Self { names, joined }
    }

    /// Names in order, for glGetStringi.
    pub fn names(&self) -> &[CString] {
        &self.names
    }

    /// All names separated by spaces, for glGetString in the compatibility profile.
    pub fn joined(&self) -> &CString {
        &self.joined
    }

    /// Whether one is advertised.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n.to_bytes() == name.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    /// Commands the registry gives to an extension outside of the compatibility profile.
    fn commands<'a>(registry: &'a str, name: &str) -> Vec<&'a str> {
        let Some((_, rest)) = registry.split_once(&format!("<extension name=\"{name}\"")) else { return Vec::new() };
        let end = rest.find("</extension>").unwrap_or(rest.len());
        // An extension without content closes itself and is followed by the next one.
        let own = rest[..end].split("<extension ").next().unwrap_or_default();
        let blocks = own.split("<require").skip(1).filter(|block| {
            let attributes = block.split('>').next().unwrap_or_default();
            !attributes.contains("compatibility") && !attributes.contains("gles")
        });
        blocks.flat_map(|block| block.split("<command name=\"").skip(1).filter_map(|c| c.split('"').next())).collect()
    }

    /// Commands that an extension has only where another one is there too.
    const WITH_ANOTHER: &[(&str, &str)] = &[
        ("glVertexAttribLFormat", "GL_ARB_vertex_attrib_64bit"),
        ("glDepthRangeArraydvNV", "GL_NV_depth_buffer_float"),
        ("glDepthRangeIndexeddNV", "GL_NV_depth_buffer_float"),
    ];

    fn is_excused(command: &str) -> bool {
        let other = WITH_ANOTHER.iter().find(|(name, _)| *name == command);
        other.is_some_and(|(_, other)| TABLE.iter().all(|extension| extension.name != *other))
    }

    #[test]
    fn every_command_of_an_advertised_extension_is_implemented() {
        let registry = include_str!("../registry/gl.xml");
        let entry_points = include_str!("generated/entry_points.rs");
        assert!(entry_points.contains("missing(\"glAccum\")"), "how missing commands look");
        assert_eq!(commands(registry, "GL_ARB_sync").len(), 7, "how the registry looks");
        let mut wrong = Vec::new();
        for extension in TABLE {
            for command in commands(registry, extension.name) {
                if entry_points.contains(&format!("missing(\"{command}\")")) && !is_excused(command) {
                    wrong.push(format!("{} has {command}", extension.name));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
