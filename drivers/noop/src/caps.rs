//! Everything at its most: the caps a no-op screen shows unless told otherwise.

use gallite_pipe::{
    Aspects, Caps, ChannelKind, Features, Format, FormatCaps, FormatUses, Limits, PrimitiveTypes, ShaderFeatures,
    set_text,
};

/// Sample counts 1, 2, 4 and 8, as bit `n` for `n` samples.
const SAMPLE_COUNTS: u32 = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8;

/// Caps with every feature that needs no other party: not windows of other processes, sparse storage or bindless.
pub fn every_cap() -> Caps {
    let mut features = Features::ALL;
    for absent in [Features::VERIFY, Features::EXTERNAL_MEMORY, Features::SPARSE, Features::BINDLESS] {
        features.remove(absent);
    }
    let mut caps = Caps {
        features,
        shader_features: ShaderFeatures::ALL,
        limits: limits(),
        primitive_types: PrimitiveTypes::ALL,
        vendor_id: 0,
        device_id: 0,
        api_version: 1 << 16,
        ..Caps::default()
    };
    set_text(&mut caps.device_name, "nothing");
    set_text(&mut caps.driver_name, "noop");
    caps
}

fn limits() -> Limits {
    Limits {
        max_texture_2d_size: 16384,
        max_texture_3d_size: 2048,
        max_texture_cube_size: 16384,
        max_texture_array_layers: 2048,
        max_texture_buffer_texels: 1 << 27,
        texture_buffer_offset_alignment: 16,
        max_framebuffer_size: 16384,
        max_framebuffer_layers: 2048,
        max_color_attachments: 8,
        max_dual_source_draw_buffers: 1,
        color_sample_counts: SAMPLE_COUNTS,
        depth_sample_counts: SAMPLE_COUNTS,
        integer_sample_counts: SAMPLE_COUNTS,
        max_vertex_attributes: 32,
        max_vertex_bindings: 32,
        max_vertex_stride: 2048,
        max_vertex_attribute_offset: 2047,
        max_vertex_divisor: u32::MAX,
        max_samplers_per_stage: 32,
        max_images_per_stage: 8,
        max_uniform_buffers_per_stage: 14,
        max_storage_buffers_per_stage: 16,
        max_samplers: 192,
        max_images: 48,
        max_uniform_buffers: 84,
        max_storage_buffers: 96,
        max_uniform_buffer_size: 65536,
        uniform_buffer_offset_alignment: 256,
        storage_buffer_offset_alignment: 16,
        max_storage_buffer_size: 1 << 27,
        max_buffer_size: 1 << 31,
        max_vertex_output_components: 128,
        max_fragment_input_components: 128,
        max_geometry_input_components: 64,
        max_geometry_output_components: 128,
        max_geometry_output_vertices: 256,
        max_geometry_total_output_components: 1024,
        max_geometry_invocations: 32,
        max_patch_vertices: 32,
        max_tessellation_level: 64,
        max_tess_control_input_components: 128,
        max_tess_control_output_components: 128,
        max_tess_patch_components: 120,
        max_tess_control_total_output_components: 4096,
        max_tess_evaluation_input_components: 128,
        max_tess_evaluation_output_components: 128,
        max_clip_distances: 8,
        max_cull_distances: 8,
        max_combined_clip_and_cull_distances: 8,
        max_viewports: 16,
        viewport_subpixel_bits: 8,
        subpixel_bits: 8,
        max_xfb_buffers: 4,
        max_xfb_streams: 4,
        max_xfb_buffer_stride: 2048,
        max_sample_mask_words: 1,
        timestamp_bits: 64,
        max_compute_shared_memory: 65536,
        max_compute_invocations: 1024,
        max_compute_groups: [65535; 3],
        max_compute_group_size: [1024, 1024, 64],
        texel_gather_offset: [-32, 31],
        texel_offset: [-8, 7],
        max_viewport_size: [16384; 2],
        viewport_bounds: [(-32768.0).into(), 32767.0.into()],
        point_size_range: [1.0.into(), 255.0.into()],
        point_size_granularity: 0.125.into(),
        line_width_range: [1.0.into(), 255.0.into()],
        line_width_granularity: 0.125.into(),
        max_anisotropy: 16.0.into(),
        max_lod_bias: 15.0.into(),
        map_alignment: 64,
        buffer_texture_copy_alignment: 4,
        reserved: 0,
    }
}

/// All uses that make sense for the format.
pub fn every_format_use(format: Format) -> FormatCaps {
    if !format.is_valid() {
        return FormatCaps::default();
    }
    let info = format.info();
    if info.vertex_only {
        return FormatCaps { uses: FormatUses::VERTEX, sample_counts: 0 };
    }
    let mut uses = FormatUses::SAMPLED | FormatUses::BLIT_SOURCE;
    if info.aspects.intersects(Aspects::DEPTH_STENCIL) {
        uses |= FormatUses::DEPTH_STENCIL | FormatUses::BLIT_DESTINATION;
        if format.has_depth() {
            uses |= FormatUses::FILTERED | FormatUses::COMPARE;
        }
        return FormatCaps { uses, sample_counts: SAMPLE_COUNTS };
    }
    let integer = format.is_pure_integer();
    uses = uses.with(FormatUses::FILTERED, !integer);
    if format.is_compressed() {
        return FormatCaps { uses, sample_counts: 0 };
    }
    uses |= FormatUses::VERTEX.with(FormatUses::TEXTURE_BUFFER, !info.srgb);
    if format.kind() == ChannelKind::SharedExp {
        return FormatCaps { uses, sample_counts: 0 };
    }
    uses |= FormatUses::COLOR | FormatUses::BLIT_DESTINATION;
    uses = uses
        .with(FormatUses::BLEND, !integer)
        .with(FormatUses::STORAGE | FormatUses::STORAGE_TEXTURE_BUFFER, !info.srgb)
        .with(FormatUses::STORAGE_ATOMIC, integer && info.block_bytes == 4)
        .with(FormatUses::WINDOW, info.block_bytes == 4 && !integer);
    FormatCaps { uses, sample_counts: SAMPLE_COUNTS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_follow_the_kind_of_format() {
        let color = every_format_use(Format::R8G8B8A8_UNORM).uses;
        assert!(color.contains(FormatUses::COLOR | FormatUses::BLEND | FormatUses::FILTERED | FormatUses::WINDOW));
        let integer = every_format_use(Format::R32_UINT).uses;
        assert!(integer.contains(FormatUses::COLOR | FormatUses::STORAGE_ATOMIC));
        assert!(!integer.intersects(FormatUses::BLEND | FormatUses::FILTERED));
        let depth = every_format_use(Format::Z24_UNORM_S8_UINT).uses;
        assert!(depth.contains(FormatUses::DEPTH_STENCIL | FormatUses::COMPARE));
        assert!(!depth.contains(FormatUses::COLOR));
        assert_eq!(every_format_use(Format::NONE), FormatCaps::default());
        assert_eq!(every_format_use(Format::R64_FLOAT).uses, FormatUses::VERTEX);
    }
}
