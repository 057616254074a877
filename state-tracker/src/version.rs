//! The version of a context: the newest one whose whole content the extensions that it took up stand for.

use crate::context::Profile;
use crate::extensions::Extensions;

/// A version and the extensions it made core (GL 4.6 core, appendices F to L).
struct Version {
    number: (u32, u32),
    took: &'static [&'static str],
}

/// The least version. What a device lacks of it lowers limits and single features (docs/decisions/0013).
const BASE: (u32, u32) = (3, 3);

/// Every version after [`BASE`], in order.
const VERSIONS: &[Version] = &[
    Version {
        number: (4, 0),
        took: &[
            "GL_ARB_draw_buffers_blend",
            "GL_ARB_draw_indirect",
            "GL_ARB_gpu_shader5",
            "GL_ARB_gpu_shader_fp64",
            "GL_ARB_sample_shading",
            "GL_ARB_shader_subroutine",
            "GL_ARB_tessellation_shader",
            "GL_ARB_texture_buffer_object_rgb32",
            "GL_ARB_texture_cube_map_array",
            "GL_ARB_texture_gather",
            "GL_ARB_texture_query_lod",
            "GL_ARB_transform_feedback2",
            "GL_ARB_transform_feedback3",
        ],
    },
    Version {
        number: (4, 1),
        took: &[
            "GL_ARB_ES2_compatibility",
            "GL_ARB_get_program_binary",
            "GL_ARB_separate_shader_objects",
            "GL_ARB_shader_precision",
            "GL_ARB_vertex_attrib_64bit",
            "GL_ARB_viewport_array",
        ],
    },
    Version {
        number: (4, 2),
        took: &[
            "GL_ARB_base_instance",
            "GL_ARB_compressed_texture_pixel_storage",
            "GL_ARB_conservative_depth",
            "GL_ARB_internalformat_query",
            "GL_ARB_map_buffer_alignment",
            "GL_ARB_shader_atomic_counters",
            "GL_ARB_shader_image_load_store",
            "GL_ARB_shading_language_420pack",
            "GL_ARB_shading_language_packing",
            "GL_ARB_texture_compression_bptc",
            "GL_ARB_texture_storage",
            "GL_ARB_transform_feedback_instanced",
        ],
    },
    Version {
        number: (4, 3),
        took: &[
            "GL_ARB_ES3_compatibility",
            "GL_ARB_arrays_of_arrays",
            "GL_ARB_clear_buffer_object",
            "GL_ARB_compute_shader",
            "GL_ARB_copy_image",
            "GL_ARB_explicit_uniform_location",
            "GL_ARB_fragment_layer_viewport",
            "GL_ARB_framebuffer_no_attachments",
            "GL_ARB_internalformat_query2",
            "GL_ARB_invalidate_subdata",
            "GL_ARB_multi_draw_indirect",
            "GL_ARB_program_interface_query",
            "GL_ARB_robust_buffer_access_behavior",
            "GL_ARB_shader_image_size",
            "GL_ARB_shader_storage_buffer_object",
            "GL_ARB_stencil_texturing",
            "GL_ARB_texture_buffer_range",
            "GL_ARB_texture_query_levels",
            "GL_ARB_texture_storage_multisample",
            "GL_ARB_texture_view",
            "GL_ARB_vertex_attrib_binding",
            "GL_KHR_debug",
        ],
    },
    Version {
        number: (4, 4),
        took: &[
            "GL_ARB_buffer_storage",
            "GL_ARB_clear_texture",
            "GL_ARB_enhanced_layouts",
            "GL_ARB_multi_bind",
            "GL_ARB_query_buffer_object",
            "GL_ARB_texture_mirror_clamp_to_edge",
            "GL_ARB_texture_stencil8",
            "GL_ARB_vertex_type_10f_11f_11f_rev",
        ],
    },
    Version {
        number: (4, 5),
        took: &[
            "GL_ARB_ES3_1_compatibility",
            "GL_ARB_clip_control",
            "GL_ARB_conditional_render_inverted",
            "GL_ARB_cull_distance",
            "GL_ARB_derivative_control",
            "GL_ARB_direct_state_access",
            "GL_ARB_get_texture_sub_image",
            "GL_ARB_shader_texture_image_samples",
            "GL_ARB_texture_barrier",
            "GL_KHR_context_flush_control",
            "GL_KHR_robustness",
        ],
    },
    Version {
        number: (4, 6),
        took: &[
            "GL_ARB_gl_spirv",
            "GL_ARB_indirect_parameters",
            "GL_ARB_pipeline_statistics_query",
            "GL_ARB_polygon_offset_clamp",
            "GL_ARB_shader_atomic_counter_ops",
            "GL_ARB_shader_draw_parameters",
            "GL_ARB_shader_group_vote",
            "GL_ARB_spirv_extensions",
            "GL_ARB_texture_filter_anisotropic",
            "GL_ARB_transform_feedback_overflow_query",
            "GL_KHR_no_error",
        ],
    },
];

/// The newest version that a context with these extensions can have.
pub(crate) fn newest(extensions: &Extensions) -> (u32, u32) {
    let whole = VERSIONS.iter().take_while(|version| version.took.iter().all(|name| extensions.has(name)));
    whole.last().map_or(BASE, |version| version.number)
}

/// Whether a version was ever published.
pub(crate) fn exists((major, minor): (u32, u32)) -> bool {
    let newest_minor = match major {
        1 => 5,
        2 => 1,
        3 => 3,
        4 => 6,
        _ => return false,
    };
    minor <= newest_minor
}

/// What a source may name as its version: in GL 4.6 core 22.2's words, with the profile where there is one.
pub(crate) fn shading_languages(
    newest: u32,
    profile: Profile,
    extensions: &Extensions,
) -> impl Iterator<Item = String> + use<'_> {
    const DESKTOP: [u32; 12] = [460, 450, 440, 430, 420, 410, 400, 330, 150, 140, 130, 120];
    const ES: [(&str, &str); 4] = [
        ("320 es", "GL_ARB_ES3_2_compatibility"),
        ("310 es", "GL_ARB_ES3_1_compatibility"),
        ("300 es", "GL_ARB_ES3_compatibility"),
        ("100", "GL_ARB_ES2_compatibility"),
    ];
    let profiles = move |version: u32| -> &'static [&'static str] {
        match profile {
            _ if version < 150 => &[""],
            Profile::Core => &["", " core"],
            Profile::Compatibility => &["", " core", " compatibility"],
        }
    };
    let desktop = DESKTOP.into_iter().filter(move |version| *version <= newest);
    let desktop = desktop.flat_map(move |version| profiles(version).iter().map(move |name| format!("{version}{name}")));
    let es = ES.into_iter().filter(|(_, extension)| extensions.has(extension)).map(|(name, _)| name.to_owned());
    // 1.10 is what a source without #version has, and is told as none.
    desktop.chain(std::iter::once(String::new())).chain(es)
}

/// The version of the shading language that goes with a version of GL, as `__VERSION__` writes it. Equal numbers
/// from 3.3 on (GLSL 4.60, 1.1).
pub(crate) fn shading_language((major, minor): (u32, u32)) -> u32 {
    major * 100 + minor * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_needs_all_of_the_versions_before_it() {
        let names = |versions: &[Version]| {
            let words = versions.iter().flat_map(|version| version.took);
            Extensions::of(&words.copied().collect::<Vec<_>>())
        };
        assert_eq!(newest(&names(&[])), BASE);
        assert_eq!(newest(&names(VERSIONS)), (4, 6));
        assert_eq!(newest(&names(&VERSIONS[..2])), (4, 1));
        assert_eq!(newest(&names(&VERSIONS[1..])), BASE);
        let all_but_one: Vec<&str> =
            VERSIONS.iter().flat_map(|v| v.took).copied().filter(|n| *n != "GL_ARB_multi_bind").collect();
        assert_eq!(newest(&Extensions::of(&all_but_one)), (4, 3));
    }

    #[test]
    fn versions_that_were_published() {
        for version in [(1, 0), (1, 5), (2, 1), (3, 3), (4, 6)] {
            assert!(exists(version));
        }
        for version in [(0, 9), (1, 6), (2, 2), (3, 4), (4, 7), (5, 0)] {
            assert!(!exists(version));
        }
    }
}
