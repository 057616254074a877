//! Implementation limits (GL 4.6 core tables 23.53 to 23.74), computed from what the screen reports.
//!
//! What the device can't do is reported as it is; what it offers without bound is clamped to numbers that no program
//! chokes on when it allocates by them.

use gallite_pipe::{Caps, Features, MAX_COLOR_ATTACHMENTS, MAX_VERTEX_ATTRIBUTES, MAX_VERTEX_BINDINGS, MAX_VIEWPORTS};

use crate::pixels::internal::InternalFormat;

/// Texture units of one stage.
pub const MAX_UNITS_PER_STAGE: usize = 32;
/// Texture units of all stages together; also the number of texture units.
pub const MAX_COMBINED_UNITS: usize = 192;
/// Locations of uniforms, which the front end counts with twelve bits.
pub const MAX_UNIFORM_LOCATIONS: i32 = 4095;
/// Indexed uniform buffer binding points.
pub const MAX_UNIFORM_BINDINGS: usize = 84;
/// Indexed shader storage buffer binding points.
pub const MAX_STORAGE_BINDINGS: usize = 48;
/// Indexed atomic counter buffer binding points.
pub const MAX_ATOMIC_BINDINGS: usize = 8;
/// Image units.
pub const MAX_IMAGE_UNITS: usize = 64;
/// Images of one stage.
const MAX_IMAGES_PER_STAGE: usize = 32;
/// Shader storage blocks of one stage.
const MAX_STORAGE_BLOCKS_PER_STAGE: usize = 16;
/// Bytes in an atomic counter buffer.
const MAX_ATOMIC_BUFFER_SIZE: i32 = 1 << 16;
/// Uniform blocks of one stage.
pub const MAX_UNIFORM_BLOCKS_PER_STAGE: usize = 14;
/// Transform feedback buffers.
pub const MAX_XFB_BUFFERS: usize = 4;
/// Vertex streams.
pub const MAX_STREAMS: usize = 4;
/// Clip distances.
pub const MAX_CLIP_DISTANCES: usize = 8;

/// Limits of a context. Names follow GL's without `GL_MAX_`.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct Limits {
    pub texture_size: i32,
    pub texture_3d_size: i32,
    pub cube_map_texture_size: i32,
    pub rectangle_texture_size: i32,
    pub array_texture_layers: i32,
    pub texture_buffer_size: i32,
    pub texture_buffer_offset_alignment: i32,
    pub texture_lod_bias: f32,
    pub texture_max_anisotropy: f32,
    pub renderbuffer_size: i32,
    pub framebuffer_width: i32,
    pub framebuffer_height: i32,
    pub framebuffer_layers: i32,
    pub framebuffer_samples: i32,
    pub samples: i32,
    pub color_texture_samples: i32,
    pub depth_texture_samples: i32,
    pub integer_samples: i32,
    pub sample_mask_words: i32,
    pub color_attachments: i32,
    pub draw_buffers: i32,
    pub dual_source_draw_buffers: i32,
    pub viewports: i32,
    pub viewport_dims: [i32; 2],
    pub viewport_bounds: [f32; 2],
    pub viewport_subpixel_bits: i32,
    pub subpixel_bits: i32,
    pub clip_distances: i32,
    pub cull_distances: i32,
    pub combined_clip_and_cull_distances: i32,
    pub vertex_attribs: i32,
    /// Locations of vertex inputs that the device has.
    pub vertex_locations: i32,
    pub vertex_attrib_bindings: i32,
    pub vertex_attrib_stride: i32,
    pub vertex_attrib_relative_offset: i32,
    pub elements_indices: i32,
    pub elements_vertices: i32,
    pub texture_units_per_stage: i32,
    pub geometry_texture_units: i32,
    pub tess_texture_units: i32,
    pub combined_texture_units: i32,
    pub uniform_components: i32,
    pub uniform_locations: i32,
    pub uniform_blocks_per_stage: i32,
    pub combined_uniform_blocks: i32,
    pub uniform_buffer_bindings: i32,
    pub uniform_block_size: i32,
    pub uniform_buffer_offset_alignment: i32,
    pub vertex_output_components: i32,
    pub varying_components: i32,
    pub fragment_input_components: i32,
    pub geometry_input_components: i32,
    pub geometry_output_components: i32,
    pub geometry_output_vertices: i32,
    pub geometry_total_output_components: i32,
    pub geometry_invocations: i32,
    pub patch_vertices: i32,
    pub tess_gen_level: i32,
    pub tess_control_input_components: i32,
    pub tess_control_output_components: i32,
    pub tess_patch_components: i32,
    pub tess_control_total_output_components: i32,
    pub tess_evaluation_input_components: i32,
    pub tess_evaluation_output_components: i32,
    pub program_texel_offset: [i32; 2],
    pub program_texture_gather_offset: [i32; 2],
    pub xfb_buffers: i32,
    pub vertex_streams: i32,
    pub xfb_interleaved_components: i32,
    pub xfb_separate_attribs: i32,
    pub xfb_separate_components: i32,
    /// Shader storage blocks, images, atomic counters and their buffers by stage, in the order of `Stage`.
    pub storage_blocks: [i32; 6],
    pub combined_storage_blocks: i32,
    pub storage_buffer_bindings: i32,
    pub storage_block_size: i64,
    pub storage_buffer_offset_alignment: i32,
    pub image_uniforms: [i32; 6],
    pub combined_image_uniforms: i32,
    pub image_units: i32,
    pub image_samples: i32,
    pub combined_shader_output_resources: i32,
    pub atomic_counters: [i32; 6],
    pub combined_atomic_counters: i32,
    pub atomic_buffers: [i32; 6],
    pub combined_atomic_buffers: i32,
    pub atomic_buffer_bindings: i32,
    pub atomic_buffer_size: i32,
    pub compute_shared_memory_size: i32,
    pub compute_work_group_invocations: i32,
    pub compute_work_group_count: [i32; 3],
    pub compute_work_group_size: [i32; 3],
    pub server_wait_timeout: i64,
    pub point_size_range: [f32; 2],
    pub point_size_granularity: f32,
    pub line_width_range: [f32; 2],
    pub line_width_granularity: f32,
    pub map_buffer_alignment: i32,
    pub timestamp_bits: i32,
}

/// Largest sample count of a mask in which bit `n` means `n` samples.
fn most_samples(mask: u32) -> i32 {
    if mask == 0 { 1 } else { mask.ilog2() as i32 }
}

/// More than any sum over the stages.
const MAX_COMBINED: usize = 1 << 16;

fn clamp(value: u32, most: usize) -> i32 {
    value.min(most as u32) as i32
}

impl Limits {
    /// The most samples that textures of a format can have (GL 4.6 core 8.8).
    pub fn texture_samples(&self, internal: &InternalFormat) -> i32 {
        if internal.is_depth_stencil() {
            self.depth_texture_samples
        } else if internal.is_integer() {
            self.integer_samples
        } else {
            self.color_texture_samples
        }
    }

    /// The most samples that renderbuffers of a format can have (GL 4.6 core 9.2.4).
    pub fn renderbuffer_samples(&self, internal: &InternalFormat) -> i32 {
        if internal.is_integer() { self.integer_samples } else { self.samples }
    }

    /// Derives the limits from a screen's caps.
    pub fn new(caps: &Caps) -> Self {
        let l = &caps.limits;
        let geometry = caps.features.contains(Features::GEOMETRY_SHADER);
        let units = clamp(l.max_samplers_per_stage, MAX_UNITS_PER_STAGE);
        let tessellation = caps.features.contains(Features::TESSELLATION_SHADER);
        let stages = 2 + i32::from(geometry) + 2 * i32::from(tessellation);
        let tess = |value: u32, most: usize| if tessellation { clamp(value, most) } else { 0 };
        let blocks = clamp(l.max_uniform_buffers_per_stage, MAX_UNIFORM_BLOCKS_PER_STAGE);
        let samples = most_samples(l.color_sample_counts & l.depth_sample_counts);
        let shared = Shared::new(caps);
        let draw_buffers = clamp(l.max_color_attachments, MAX_COLOR_ATTACHMENTS);
        let wide = caps.features.contains(Features::WIDE_LINES);
        Self {
            texture_size: clamp(l.max_texture_2d_size, 32768),
            texture_3d_size: clamp(l.max_texture_3d_size, 16384),
            cube_map_texture_size: clamp(l.max_texture_cube_size, 32768),
            rectangle_texture_size: clamp(l.max_texture_2d_size, 32768),
            array_texture_layers: clamp(l.max_texture_array_layers, 2048),
            texture_buffer_size: clamp(l.max_texture_buffer_texels, 1 << 27),
            texture_buffer_offset_alignment: clamp(l.texture_buffer_offset_alignment.max(1), 1 << 16),
            texture_lod_bias: l.max_lod_bias.get().min(16.0),
            texture_max_anisotropy: l.max_anisotropy.get().max(1.0),
            renderbuffer_size: clamp(l.max_texture_2d_size.min(l.max_framebuffer_size), 32768),
            framebuffer_width: clamp(l.max_framebuffer_size, 32768),
            framebuffer_height: clamp(l.max_framebuffer_size, 32768),
            framebuffer_layers: clamp(l.max_framebuffer_layers, 2048),
            framebuffer_samples: samples,
            samples,
            color_texture_samples: most_samples(l.color_sample_counts),
            depth_texture_samples: most_samples(l.depth_sample_counts),
            integer_samples: most_samples(l.integer_sample_counts),
            sample_mask_words: 1,
            color_attachments: clamp(l.max_color_attachments, MAX_COLOR_ATTACHMENTS),
            draw_buffers,
            dual_source_draw_buffers: clamp(l.max_dual_source_draw_buffers, 1),
            viewports: clamp(l.max_viewports, MAX_VIEWPORTS),
            viewport_dims: l.max_viewport_size.map(|v| clamp(v, 32768)),
            viewport_bounds: l.viewport_bounds.map(|v| v.get()),
            viewport_subpixel_bits: l.viewport_subpixel_bits as i32,
            subpixel_bits: l.subpixel_bits as i32,
            clip_distances: clamp(l.max_clip_distances, MAX_CLIP_DISTANCES),
            cull_distances: clamp(l.max_cull_distances, MAX_CLIP_DISTANCES),
            combined_clip_and_cull_distances: clamp(l.max_combined_clip_and_cull_distances, MAX_CLIP_DISTANCES),
            vertex_attribs: clamp(l.max_vertex_attributes, MAX_VERTEX_ATTRIBUTES),
            vertex_locations: clamp(l.max_vertex_attributes, MAX_VERTEX_ATTRIBUTES),
            vertex_attrib_bindings: clamp(l.max_vertex_bindings, MAX_VERTEX_BINDINGS),
            vertex_attrib_stride: clamp(l.max_vertex_stride, 1 << 16),
            vertex_attrib_relative_offset: clamp(l.max_vertex_attribute_offset, 1 << 16),
            elements_indices: 1 << 20,
            elements_vertices: 1 << 20,
            texture_units_per_stage: units,
            geometry_texture_units: if geometry { units } else { 0 },
            tess_texture_units: if tessellation { units } else { 0 },
            combined_texture_units: clamp(l.max_samplers, MAX_COMBINED_UNITS).min(units * 6),
            uniform_components: clamp(l.max_uniform_buffer_size / 4, 16384),
            uniform_locations: MAX_UNIFORM_LOCATIONS,
            uniform_blocks_per_stage: blocks,
            combined_uniform_blocks: clamp(l.max_uniform_buffers, MAX_UNIFORM_BINDINGS).min(blocks * stages),
            uniform_buffer_bindings: MAX_UNIFORM_BINDINGS as i32,
            uniform_block_size: clamp(l.max_uniform_buffer_size, 1 << 30),
            uniform_buffer_offset_alignment: clamp(l.uniform_buffer_offset_alignment.max(1), 1 << 16),
            vertex_output_components: clamp(l.max_vertex_output_components, 128),
            varying_components: clamp(l.max_vertex_output_components.min(l.max_fragment_input_components), 124),
            fragment_input_components: clamp(l.max_fragment_input_components, 128),
            geometry_input_components: clamp(l.max_geometry_input_components, 128),
            geometry_output_components: clamp(l.max_geometry_output_components, 128),
            geometry_output_vertices: clamp(l.max_geometry_output_vertices, 1024),
            geometry_total_output_components: clamp(l.max_geometry_total_output_components, 4096),
            geometry_invocations: clamp(l.max_geometry_invocations, 32),
            patch_vertices: tess(l.max_patch_vertices, 32),
            tess_gen_level: tess(l.max_tessellation_level, 64),
            tess_control_input_components: tess(l.max_tess_control_input_components, 128),
            tess_control_output_components: tess(l.max_tess_control_output_components, 128),
            tess_patch_components: tess(l.max_tess_patch_components, 120),
            tess_control_total_output_components: tess(l.max_tess_control_total_output_components, 4096),
            tess_evaluation_input_components: tess(l.max_tess_evaluation_input_components, 128),
            tess_evaluation_output_components: tess(l.max_tess_evaluation_output_components, 128),
            program_texel_offset: l.texel_offset,
            program_texture_gather_offset: l.texel_gather_offset,
            xfb_buffers: clamp(l.max_xfb_buffers, MAX_XFB_BUFFERS),
            vertex_streams: clamp(l.max_xfb_streams.max(1), MAX_STREAMS),
            xfb_interleaved_components: clamp(l.max_xfb_buffer_stride / 4, 128),
            xfb_separate_attribs: clamp(l.max_xfb_buffers, MAX_XFB_BUFFERS),
            xfb_separate_components: if l.max_xfb_buffers > 0 { 4 } else { 0 },
            storage_blocks: shared.by_stage(shared.blocks),
            combined_storage_blocks: shared.combined_blocks,
            storage_buffer_bindings: if shared.blocks > 0 { MAX_STORAGE_BINDINGS as i32 } else { 0 },
            storage_block_size: l.max_storage_buffer_size.min(1 << 30) as i64,
            storage_buffer_offset_alignment: clamp(l.storage_buffer_offset_alignment.max(1), 1 << 16),
            image_uniforms: shared.by_stage(shared.images),
            combined_image_uniforms: shared.combined_images,
            image_units: if shared.images > 0 { MAX_IMAGE_UNITS as i32 } else { 0 },
            image_samples: 0,
            combined_shader_output_resources: shared.combined_blocks + shared.combined_images + draw_buffers,
            atomic_counters: shared.by_stage(shared.counters),
            combined_atomic_counters: shared.combined_counters,
            atomic_buffers: shared.by_stage(shared.counter_buffers),
            combined_atomic_buffers: shared.combined_counter_buffers,
            atomic_buffer_bindings: shared.counter_buffers,
            atomic_buffer_size: if shared.counters > 0 { MAX_ATOMIC_BUFFER_SIZE } else { 0 },
            compute_shared_memory_size: clamp(l.max_compute_shared_memory, 1 << 17),
            compute_work_group_invocations: clamp(l.max_compute_invocations, 1 << 16),
            compute_work_group_count: l.max_compute_groups.map(|n| clamp(n, 0x7fff_ffff)),
            compute_work_group_size: l.max_compute_group_size.map(|n| clamp(n, 1 << 16)),
            server_wait_timeout: i64::MAX,
            point_size_range: l.point_size_range.map(|v| v.get()),
            point_size_granularity: l.point_size_granularity.get(),
            line_width_range: if wide { l.line_width_range.map(|v| v.get()) } else { [1.0; 2] },
            line_width_granularity: if wide { l.line_width_granularity.get() } else { 0.0 },
            map_buffer_alignment: l.map_alignment.max(64) as i32,
            timestamp_bits: l.timestamp_bits as i32,
        }
    }
}

/// What each stage that can store may have of buffers and images.
struct Shared {
    /// Whether a stage can store, in the order of `Stage`.
    stages: [bool; 6],
    blocks: i32,
    counter_buffers: i32,
    counters: i32,
    images: i32,
    combined_blocks: i32,
    combined_counter_buffers: i32,
    combined_counters: i32,
    combined_images: i32,
}

impl Shared {
    fn new(caps: &Caps) -> Self {
        let has = |feature| caps.features.contains(feature);
        let vertex = has(Features::VERTEX_STORES);
        let tessellation = vertex && has(Features::TESSELLATION_SHADER);
        let geometry = vertex && has(Features::GEOMETRY_SHADER);
        let fragment = has(Features::FRAGMENT_STORES);
        let stages = [vertex, tessellation, tessellation, geometry, fragment, has(Features::COMPUTE_SHADER)];
        // Storage blocks and the buffers of atomic counters share the device's storage buffers.
        let buffers = caps.limits.max_storage_buffers_per_stage;
        let counter_buffers = if buffers >= 16 { MAX_ATOMIC_BINDINGS as u32 } else { buffers / 4 };
        let counters = if counter_buffers > 0 { MAX_ATOMIC_BUFFER_SIZE / 4 } else { 0 };
        let blocks = clamp(buffers - counter_buffers, MAX_STORAGE_BLOCKS_PER_STAGE);
        let images = clamp(caps.limits.max_images_per_stage, MAX_IMAGES_PER_STAGE);
        let combined = |each: i32| stages.iter().filter(|stores| **stores).count() as i32 * each;
        let all = caps.limits.max_storage_buffers;
        let combined_counter_buffers = clamp(all / 3, MAX_COMBINED).min(combined(counter_buffers as i32));
        Self {
            stages,
            blocks,
            counter_buffers: counter_buffers as i32,
            counters,
            images,
            combined_blocks: clamp(all, MAX_COMBINED)
                .saturating_sub(combined_counter_buffers)
                .min(combined(blocks))
                .min(MAX_STORAGE_BINDINGS as i32),
            combined_counter_buffers,
            combined_counters: combined(counters),
            combined_images: clamp(caps.limits.max_images, MAX_COMBINED).min(combined(images)),
        }
    }

    fn by_stage(&self, each: i32) -> [i32; 6] {
        self.stages.map(|stores| if stores { each } else { 0 })
    }
}
