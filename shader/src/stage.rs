//! Shader stages, their sets, and the limits and extensions a compile is made for.

use std::sync::Arc;

/// One programmable stage. The discriminant indexes per-stage arrays everywhere in Gallite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stage {
    /// Vertex shader.
    Vertex = 0,
    /// Tessellation control shader.
    TessControl = 1,
    /// Tessellation evaluation shader.
    TessEvaluation = 2,
    /// Geometry shader.
    Geometry = 3,
    /// Fragment shader.
    Fragment = 4,
    /// Compute shader.
    Compute = 5,
}

impl Stage {
    /// Number of stages.
    pub const COUNT: usize = 6;
    /// Every stage in pipeline order.
    pub const ALL: [Stage; Stage::COUNT] =
        [Stage::Vertex, Stage::TessControl, Stage::TessEvaluation, Stage::Geometry, Stage::Fragment, Stage::Compute];

    /// Position in per-stage arrays.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The stage's bit in a [`StageMask`].
    pub const fn bit(self) -> StageMask {
        StageMask(1 << self as u8)
    }

    /// The word logs use for this stage.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::TessControl => "tessellation control",
            Stage::TessEvaluation => "tessellation evaluation",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        }
    }
}

/// A set of stages, one bit per [`Stage`] in pipeline order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct StageMask(pub u8);

impl StageMask {
    /// True when `stage` is in the set.
    pub const fn has(self, stage: Stage) -> bool {
        self.0 & (1 << stage as u8) != 0
    }
}

impl std::ops::BitOr for StageMask {
    type Output = StageMask;
    fn bitor(self, other: StageMask) -> StageMask {
        StageMask(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for StageMask {
    fn bitor_assign(&mut self, other: StageMask) {
        self.0 |= other.0;
    }
}

/// The context profile a shader is compiled in. It decides whether `#version 150` without a
/// profile word and the removed built-ins are accepted (GLSL 4.60 section 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Core profile context.
    #[default]
    Core,
    /// Compatibility profile context.
    Compatibility,
}

/// The implementation limits a shader can see (`gl_Max*`) or a link is checked against.
/// Counts are in the unit the GL query of the same name uses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each field is the GL limit of the same name
pub struct Limits {
    pub max_vertex_attribs: u32,
    /// Locations of vertex inputs that the device has: attributes of three or four doubles take two.
    pub max_vertex_locations: u32,
    pub max_vertex_uniform_components: u32,
    pub max_geometry_uniform_components: u32,
    pub max_fragment_uniform_components: u32,
    pub max_varying_components: u32,
    pub max_vertex_output_components: u32,
    pub max_geometry_input_components: u32,
    pub max_geometry_output_components: u32,
    pub max_fragment_input_components: u32,
    pub max_tess_control_input_components: u32,
    pub max_tess_control_output_components: u32,
    pub max_tess_control_total_output_components: u32,
    pub max_tess_evaluation_input_components: u32,
    pub max_tess_evaluation_output_components: u32,
    pub max_tess_patch_components: u32,
    pub max_patch_vertices: u32,
    pub max_tess_gen_level: u32,
    pub max_viewports: u32,
    pub max_cull_distances: u32,
    pub max_combined_clip_and_cull_distances: u32,
    pub max_geometry_output_vertices: u32,
    pub max_geometry_total_output_components: u32,
    pub max_texture_image_units: u32,
    pub max_vertex_texture_image_units: u32,
    pub max_geometry_texture_image_units: u32,
    pub max_combined_texture_image_units: u32,
    pub max_uniform_blocks_per_stage: u32,
    pub max_combined_uniform_blocks: u32,
    pub max_uniform_block_size: u32,
    pub max_uniform_buffer_bindings: u32,
    pub max_draw_buffers: u32,
    pub max_dual_source_draw_buffers: u32,
    pub max_clip_distances: u32,
    pub max_texture_coords: u32,
    pub max_samples: u32,
    pub min_program_texel_offset: i32,
    pub max_program_texel_offset: i32,
    pub max_xfb_buffers: u32,
    pub max_xfb_interleaved_components: u32,
    pub max_xfb_separate_attribs: u32,
    pub max_xfb_separate_components: u32,
    pub max_uniform_locations: u32,
    pub max_compute_uniform_components: u32,
    pub max_compute_work_group_count: [u32; 3],
    pub max_compute_work_group_size: [u32; 3],
    pub max_compute_work_group_invocations: u32,
    pub max_compute_shared_memory_size: u32,
    /// By stage, as the other arrays are.
    pub max_storage_blocks: [u32; Stage::COUNT],
    pub max_combined_storage_blocks: u32,
    pub max_storage_buffer_bindings: u32,
    pub max_storage_block_size: u32,
    pub max_images: [u32; Stage::COUNT],
    pub max_combined_images: u32,
    pub max_image_units: u32,
    pub max_image_samples: u32,
    pub max_combined_output_resources: u32,
    pub max_atomic_counters: [u32; Stage::COUNT],
    pub max_combined_atomic_counters: u32,
    pub max_atomic_buffers: [u32; Stage::COUNT],
    pub max_combined_atomic_buffers: u32,
    pub max_atomic_buffer_bindings: u32,
    pub max_atomic_buffer_size: u32,
    /// Highest `#version` accepted, e.g. 330.
    pub max_glsl_version: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_vertex_attribs: 16,
            max_vertex_locations: 32,
            max_vertex_uniform_components: 4096,
            max_geometry_uniform_components: 4096,
            max_fragment_uniform_components: 4096,
            max_varying_components: 60,
            max_vertex_output_components: 64,
            max_geometry_input_components: 64,
            max_geometry_output_components: 128,
            max_fragment_input_components: 128,
            max_tess_control_input_components: 128,
            max_tess_control_output_components: 128,
            max_tess_control_total_output_components: 4096,
            max_tess_evaluation_input_components: 128,
            max_tess_evaluation_output_components: 128,
            max_tess_patch_components: 120,
            max_patch_vertices: 32,
            max_tess_gen_level: 64,
            max_viewports: 16,
            max_cull_distances: 8,
            max_combined_clip_and_cull_distances: 8,
            max_geometry_output_vertices: 256,
            max_geometry_total_output_components: 1024,
            max_texture_image_units: 32,
            max_vertex_texture_image_units: 32,
            max_geometry_texture_image_units: 32,
            max_combined_texture_image_units: 192,
            max_uniform_blocks_per_stage: 14,
            max_combined_uniform_blocks: 84,
            max_uniform_block_size: 65536,
            max_uniform_buffer_bindings: 84,
            max_draw_buffers: 8,
            max_dual_source_draw_buffers: 1,
            max_clip_distances: 8,
            max_texture_coords: 8,
            max_samples: 8,
            min_program_texel_offset: -8,
            max_program_texel_offset: 7,
            max_xfb_buffers: 4,
            max_xfb_interleaved_components: 64,
            max_xfb_separate_attribs: 4,
            max_xfb_separate_components: 4,
            max_uniform_locations: 4095,
            max_compute_uniform_components: 4096,
            max_compute_work_group_count: [65535; 3],
            max_compute_work_group_size: [1024, 1024, 64],
            max_compute_work_group_invocations: 1024,
            max_compute_shared_memory_size: 32768,
            max_storage_blocks: [8; Stage::COUNT],
            max_combined_storage_blocks: 48,
            max_storage_buffer_bindings: 48,
            max_storage_block_size: 1 << 27,
            max_images: [8; Stage::COUNT],
            max_combined_images: 48,
            max_image_units: 48,
            max_image_samples: 0,
            max_combined_output_resources: 64,
            max_atomic_counters: [1024; Stage::COUNT],
            max_combined_atomic_counters: 6144,
            max_atomic_buffers: [8; Stage::COUNT],
            max_combined_atomic_buffers: 48,
            max_atomic_buffer_bindings: 8,
            max_atomic_buffer_size: 65536,
            max_glsl_version: 330,
        }
    }
}

/// Everything beside the source that decides the outcome of a compile.
#[derive(Clone, Debug, Default, Hash)]
pub struct CompileOptions {
    /// Limits visible as `gl_Max*` constants.
    pub limits: Arc<Limits>,
    /// Extensions the context advertises (full names, `GL_` first). `#extension` of any other
    /// name behaves as for an unknown extension.
    pub extensions: Arc<[String]>,
    /// Context profile.
    pub profile: Profile,
}
