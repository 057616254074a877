//! Capabilities: the device's features and limits in the interface's terms.

use ash::vk;
use gallite_pipe::*;

use crate::gpu::Gpu;

fn yes(b: vk::Bool32) -> bool {
    b == vk::TRUE
}

fn features(gpu: &Gpu) -> Features {
    let f = gpu.features();
    let core = &gpu.selected.core;
    let indexed = gpu.formats.get(Format::R8G8B8A8_UNORM).caps.uses;
    let lines = crate::pipeline::has_stipple(gpu);
    // GL 4.6 core table 23.65: what compute shaders may count on is more than Vulkan's least.
    let l = gpu.limits();
    let compute = l.max_compute_work_group_invocations >= 1024 && l.max_compute_shared_memory_size >= 32768;
    Features::EMPTY
        .with(Features::GEOMETRY_SHADER, yes(core.geometry_shader))
        .with(Features::TESSELLATION_SHADER, yes(core.tessellation_shader))
        .with(Features::COMPUTE_SHADER, compute)
        .with(Features::TRANSFORM_FEEDBACK, f.transform_feedback && f.xfb_queries)
        .with(Features::DRAW_TRANSFORM_FEEDBACK, f.transform_feedback && f.xfb_draw)
        .with(Features::RENDER_CONDITION, true)
        .with(Features::INDEPENDENT_BLEND, yes(core.independent_blend))
        .with(Features::DUAL_SOURCE_BLEND, yes(core.dual_src_blend))
        .with(Features::LOGIC_OP, yes(core.logic_op))
        .with(Features::FILL_MODE_NON_SOLID, yes(core.fill_mode_non_solid))
        .with(Features::WIDE_LINES, yes(core.wide_lines))
        .with(Features::LINE_STIPPLE, lines)
        .with(Features::SMOOTH_LINES, f.smooth_lines)
        .with(Features::DEPTH_CLAMP, yes(core.depth_clamp))
        .with(Features::CLIP_DISTANCE, yes(core.shader_clip_distance))
        .with(Features::CULL_DISTANCE, yes(core.shader_cull_distance))
        .with(Features::PROVOKING_VERTEX, f.provoking_vertex_last)
        .with(Features::VIEWPORT_ARRAY, yes(core.multi_viewport))
        .with(Features::VIEWPORT_LAYER_FROM_VERTEX, f.viewport_index_layer)
        .with(Features::SAMPLE_SHADING, yes(core.sample_rate_shading))
        .with(Features::DRAW_PARAMETERS, f.draw_parameters)
        .with(Features::DRAW_INDIRECT, yes(core.draw_indirect_first_instance))
        .with(Features::DRAW_INDIRECT_COUNT, f.draw_indirect_count)
        // gl_InstanceID does not count from it, which takes subtracting it in the shader.
        .with(Features::BASE_INSTANCE, f.draw_parameters)
        .with(Features::RESTART_FIXED_INDEX, true)
        .with(Features::RESTART_LISTS, f.list_restart)
        .with(Features::INDEX_U8, f.index_u8)
        .with(Features::BORDER_COLOR_ANY, f.custom_border_color && f.border_color_without_format)
        .with(Features::ANISOTROPY, yes(core.sampler_anisotropy))
        .with(Features::CUBE_ARRAY, yes(core.image_cube_array))
        .with(Features::MUTABLE_FORMATS, true)
        .with(Features::STORAGE_IMAGE_WITHOUT_FORMAT, yes(core.shader_storage_image_read_without_format))
        .with(Features::VERTEX_STORES, yes(core.vertex_pipeline_stores_and_atomics))
        .with(Features::FRAGMENT_STORES, yes(core.fragment_stores_and_atomics))
        .with(Features::SHADER_FLOAT64, yes(core.shader_float64))
        .with(Features::SHADER_INT64, yes(core.shader_int64))
        .with(Features::FLOAT64_ATTRIBUTES, yes(core.shader_float64))
        .with(Features::TIMER_QUERY, crate::query::timestamp_bits(gpu) > 0)
        .with(Features::OCCLUSION_QUERY_PRECISE, yes(core.occlusion_query_precise))
        .with(Features::PIPELINE_STATISTICS, yes(core.pipeline_statistics_query))
        .with(Features::PERSISTENT_MAPPING, true)
        .with(Features::ROBUST_BUFFER_ACCESS, yes(core.robust_buffer_access))
        .with(Features::SUBGROUP_VOTE, f.subgroup_vote)
        .with(Features::STENCIL_EXPORT, f.stencil_export)
        .with(Features::DEPTH_BOUNDS, yes(core.depth_bounds))
        .with(Features::SAMPLER_DYNAMIC_INDEXING, yes(core.shader_sampled_image_array_dynamic_indexing))
        .with(Features::FRAMEBUFFER_NO_ATTACHMENTS, true)
        .with(Features::MULTISAMPLE_ARRAY, true)
        .with(Features::TEXTURE_S3TC, yes(core.texture_compression_bc))
        .with(Features::TEXTURE_ETC2, yes(core.texture_compression_etc2))
        .with(Features::TEXTURE_ASTC, yes(core.texture_compression_astc_ldr))
        .with(Features::DEPTH_STENCIL_RESOLVE, true)
        .with(Features::WINDOWS, f.swapchain)
        .with(Features::WINDOW_SRGB, f.swapchain && f.swapchain_mutable_format)
        .with(Features::DEPTH_BIAS_CLAMP, yes(core.depth_bias_clamp))
        .with(Features::MIRROR_CLAMP_TO_EDGE, f.mirror_clamp_to_edge)
        .with(Features::NON_SEAMLESS_CUBE, f.non_seamless_cube && indexed.contains(FormatUses::SAMPLED))
}

fn shader_features(gpu: &Gpu) -> ShaderFeatures {
    let f = gpu.features();
    ShaderFeatures::EMPTY
        .with(ShaderFeatures::SUBGROUP_BALLOT, f.subgroup_ballot)
        .with(ShaderFeatures::CLOCK, f.subgroup_clock)
        .with(ShaderFeatures::ATOMIC_INT64, f.atomic_int64)
        .with(ShaderFeatures::ATOMIC_FLOAT_ADD, f.atomic_float_add)
        .with(ShaderFeatures::DEMOTE, f.demote)
}

/// Vulkan's sample count flags as the interface's bits.
fn sample_bits(flags: vk::SampleCountFlags) -> u32 {
    [1u32, 2, 4, 8, 16].iter().filter(|&&n| flags.as_raw() & n != 0).map(|n| 1 << n).sum()
}

/// Of all formats of integers that can be drawn to: what an image may have is told by format, and may be more than the limit that
/// framebuffers of integers have.
fn integer_samples(gpu: &Gpu) -> u32 {
    let drawable = |format: &Format| {
        let caps = gpu.formats.get(*format).caps;
        (format.is_pure_integer() && caps.uses.contains(FormatUses::COLOR)).then_some(caps.sample_counts)
    };
    Format::ALL.iter().filter_map(drawable).reduce(|all, one| all & one).unwrap_or(1 << 1)
}

fn limits(gpu: &Gpu) -> Limits {
    let l = gpu.limits();
    let f = gpu.features();
    let core = &gpu.selected.core;
    let xfb = f.transform_feedback;
    let has = |feature: vk::Bool32, most: u32| if yes(feature) { most } else { 0 };
    // The least that Vulkan asks for, where that is played.
    let set = |most: u32, least: u32| if f.wide_sets { most } else { least };
    let clamp_bytes = |v: u64| v.min(u64::from(u32::MAX)) as u32;
    Limits {
        max_texture_2d_size: l.max_image_dimension2_d.min(l.max_image_dimension1_d),
        max_texture_3d_size: l.max_image_dimension3_d,
        max_texture_cube_size: l.max_image_dimension_cube,
        max_texture_array_layers: l.max_image_array_layers,
        max_texture_buffer_texels: l.max_texel_buffer_elements,
        texture_buffer_offset_alignment: clamp_bytes(l.min_texel_buffer_offset_alignment).max(1),
        max_framebuffer_size: l.max_framebuffer_width.min(l.max_framebuffer_height),
        max_framebuffer_layers: l.max_framebuffer_layers,
        max_color_attachments: l.max_color_attachments.min(MAX_COLOR_ATTACHMENTS as u32),
        max_dual_source_draw_buffers: has(core.dual_src_blend, l.max_fragment_dual_src_attachments),
        color_sample_counts: sample_bits(l.framebuffer_color_sample_counts & l.sampled_image_color_sample_counts),
        depth_sample_counts: sample_bits(l.framebuffer_depth_sample_counts & l.sampled_image_depth_sample_counts),
        integer_sample_counts: integer_samples(gpu),
        // Each may take a binding of its own, those that no element feeds one together.
        max_vertex_attributes: l
            .max_vertex_input_attributes
            .min(l.max_vertex_input_bindings)
            .min(MAX_VERTEX_ATTRIBUTES as u32),
        max_vertex_bindings: l.max_vertex_input_bindings.min(MAX_VERTEX_BINDINGS as u32),
        max_vertex_stride: l.max_vertex_input_binding_stride,
        max_vertex_attribute_offset: l.max_vertex_input_attribute_offset,
        max_vertex_divisor: if f.vertex_divisor { f.max_vertex_divisor.max(1) } else { 1 },
        max_samplers_per_stage: l
            .max_per_stage_descriptor_samplers
            .min(l.max_per_stage_descriptor_sampled_images)
            .min(32),
        max_images_per_stage: l.max_per_stage_descriptor_storage_images.min(32),
        max_uniform_buffers_per_stage: l.max_per_stage_descriptor_uniform_buffers.saturating_sub(1).min(16),
        max_storage_buffers_per_stage: l.max_per_stage_descriptor_storage_buffers.min(24),
        max_samplers: set(l.max_descriptor_set_samplers.min(l.max_descriptor_set_sampled_images), 96),
        max_images: set(l.max_descriptor_set_storage_images, 24),
        max_uniform_buffers: set(l.max_descriptor_set_uniform_buffers, 72).saturating_sub(1),
        max_storage_buffers: set(l.max_descriptor_set_storage_buffers, 24),
        max_uniform_buffer_size: l.max_uniform_buffer_range.min(1 << 20),
        uniform_buffer_offset_alignment: clamp_bytes(l.min_uniform_buffer_offset_alignment).max(1),
        storage_buffer_offset_alignment: clamp_bytes(l.min_storage_buffer_offset_alignment).max(1),
        max_storage_buffer_size: u64::from(l.max_storage_buffer_range),
        max_buffer_size: 1 << 31,
        max_vertex_output_components: l.max_vertex_output_components.min(128),
        max_fragment_input_components: l.max_fragment_input_components.min(128),
        max_geometry_input_components: has(core.geometry_shader, l.max_geometry_input_components.min(128)),
        max_geometry_output_components: has(core.geometry_shader, l.max_geometry_output_components.min(128)),
        max_geometry_output_vertices: has(core.geometry_shader, l.max_geometry_output_vertices),
        max_geometry_total_output_components: has(core.geometry_shader, l.max_geometry_total_output_components),
        max_geometry_invocations: has(core.geometry_shader, l.max_geometry_shader_invocations),
        max_patch_vertices: l.max_tessellation_patch_size.min(32),
        max_tessellation_level: l.max_tessellation_generation_level,
        max_tess_control_input_components: l.max_tessellation_control_per_vertex_input_components,
        max_tess_control_output_components: l.max_tessellation_control_per_vertex_output_components,
        max_tess_patch_components: l.max_tessellation_control_per_patch_output_components,
        max_tess_control_total_output_components: l.max_tessellation_control_total_output_components,
        max_tess_evaluation_input_components: l.max_tessellation_evaluation_input_components,
        max_tess_evaluation_output_components: l.max_tessellation_evaluation_output_components,
        max_clip_distances: has(core.shader_clip_distance, l.max_clip_distances.min(8)),
        max_cull_distances: has(core.shader_cull_distance, l.max_cull_distances.min(8)),
        max_combined_clip_and_cull_distances: l.max_combined_clip_and_cull_distances.min(8),
        max_viewports: l.max_viewports.min(MAX_VIEWPORTS as u32),
        viewport_subpixel_bits: l.viewport_sub_pixel_bits,
        subpixel_bits: l.sub_pixel_precision_bits,
        max_xfb_buffers: if xfb { f.max_xfb_buffers.min(4) } else { 0 },
        max_xfb_streams: match (xfb, f.geometry_streams) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => f.max_xfb_streams.min(4),
        },
        max_xfb_buffer_stride: if xfb { f.max_xfb_stride } else { 0 },
        max_sample_mask_words: 1,
        timestamp_bits: crate::query::timestamp_bits(gpu),
        max_compute_shared_memory: l.max_compute_shared_memory_size,
        max_compute_invocations: l.max_compute_work_group_invocations,
        max_compute_groups: l.max_compute_work_group_count,
        max_compute_group_size: l.max_compute_work_group_size,
        texel_gather_offset: [l.min_texel_gather_offset, l.max_texel_gather_offset as i32],
        texel_offset: [l.min_texel_offset, l.max_texel_offset as i32],
        max_viewport_size: l.max_viewport_dimensions,
        viewport_bounds: l.viewport_bounds_range.map(F32::new),
        point_size_range: l.point_size_range.map(F32::new),
        point_size_granularity: F32::new(l.point_size_granularity),
        line_width_range: l.line_width_range.map(F32::new),
        line_width_granularity: F32::new(l.line_width_granularity),
        max_anisotropy: F32::new(if yes(gpu.selected.core.sampler_anisotropy) {
            l.max_sampler_anisotropy
        } else {
            1.0
        }),
        max_lod_bias: F32::new(l.max_sampler_lod_bias),
        map_alignment: clamp_bytes(crate::buffer::MAP_ALIGNMENT),
        buffer_texture_copy_alignment: clamp_bytes(l.optimal_buffer_copy_offset_alignment).max(4),
        reserved: 0,
    }
}

fn paths(gpu: &Gpu) -> String {
    let f = gpu.features();
    let all = [
        ("timeline-semaphore", f.timeline_semaphore),
        ("dynamic-rendering", f.dynamic_rendering),
        ("render-pass-objects", !f.dynamic_rendering),
        ("extended-dynamic-state", f.extended_dynamic_state),
        ("extended-dynamic-state-2", f.extended_dynamic_state2),
        ("dynamic-blending", f.dynamic_blend),
        ("vertex-input-dynamic-state", f.vertex_input_dynamic),
        ("multi-draw", f.max_multi_draws > 1),
        ("conditional-rendering", f.conditional_rendering),
        ("incremental-present", f.incremental_present),
        ("null-descriptor", f.null_descriptor),
        ("depth-clip-control", f.depth_clip_control),
        ("custom-border-color", f.custom_border_color),
        ("line-rasterization", f.bresenham_lines),
        ("primitives-generated-query", f.primitives_generated_query),
        ("descriptor-update-templates", true),
        ("general-layout", true),
    ];
    all.iter().filter(|p| p.1).map(|p| p.0).collect::<Vec<_>>().join("\n")
}

/// The screen's capabilities.
pub(crate) fn caps(gpu: &Gpu) -> Caps {
    let adapter = &gpu.selected.adapter;
    let version = gpu.selected.api_version;
    // Line loops, quads and polygons are no topologies of Vulkan; the tracker rewrites them.
    let primitive_types = PrimitiveTypes::POINTS
        | PrimitiveTypes::LINES
        | PrimitiveTypes::LINE_STRIP
        | PrimitiveTypes::TRIANGLES
        | PrimitiveTypes::TRIANGLE_STRIP
        | PrimitiveTypes::TRIANGLE_FAN;
    let geometry = yes(gpu.selected.core.geometry_shader);
    let primitive_types = primitive_types
        .with(PrimitiveTypes::LINES_ADJACENCY, geometry)
        .with(PrimitiveTypes::LINE_STRIP_ADJACENCY, geometry)
        .with(PrimitiveTypes::TRIANGLES_ADJACENCY, geometry)
        .with(PrimitiveTypes::TRIANGLE_STRIP_ADJACENCY, geometry)
        .with(PrimitiveTypes::PATCHES, yes(gpu.selected.core.tessellation_shader));
    let mut caps = Caps {
        features: features(gpu),
        shader_features: shader_features(gpu),
        limits: limits(gpu),
        primitive_types,
        vendor_id: adapter.properties.vendor_id,
        device_id: adapter.properties.device_id,
        api_version: vk::api_version_major(version) << 16 | vk::api_version_minor(version),
        ..Default::default()
    };
    set_text(&mut caps.device_name, &adapter.name());
    let under = match (adapter.driver_name.as_str(), adapter.driver_info.as_str()) {
        ("", _) => "unnamed driver".to_owned(),
        (name, "") => name.to_owned(),
        (name, info) => format!("{name} {info}"),
    };
    // Told to the program too, as what it sees is not what the device can do.
    let lesser = match gpu.selected.lacking {
        0 => String::new(),
        count => format!(" without {count} features"),
    };
    set_text(&mut caps.driver_name, &format!("vulkan{lesser} ({under})"));
    set_text(&mut caps.private_paths, &paths(gpu));
    set_text(&mut caps.workarounds, &gpu.selected.workarounds.text());
    caps
}
