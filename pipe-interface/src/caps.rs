//! What a screen can do, in four kinds: features, limits, private paths, and workarounds.

use crate::pod::{F32, pod_flags, pod_struct};

pod_flags! {
    /// What the tracker may ask for. A missing bit lowers one feature, never the version:
    /// the tracker either lowers the feature itself or stops advertising what needs it.
    pub Features: u64 {
        /// Geometry stages.
        GEOMETRY_SHADER = 1 << 0,
        /// Tessellation stages.
        TESSELLATION_SHADER = 1 << 1,
        /// Compute stage and dispatches.
        COMPUTE_SHADER = 1 << 2,
        /// Transform feedback capture.
        TRANSFORM_FEEDBACK = 1 << 3,
        /// Drawing with a vertex count taken from a capture target.
        DRAW_TRANSFORM_FEEDBACK = 1 << 4,
        /// Render condition evaluated by the device.
        RENDER_CONDITION = 1 << 5,
        /// Blend equation and functions per colour attachment.
        INDEPENDENT_BLEND = 1 << 6,
        /// Second source colour in blending.
        DUAL_SOURCE_BLEND = 1 << 7,
        /// Logical operations on colours.
        LOGIC_OP = 1 << 8,
        /// Polygon modes line and point.
        FILL_MODE_NON_SOLID = 1 << 9,
        /// Line widths other than 1.
        WIDE_LINES = 1 << 10,
        /// Line stipple.
        LINE_STIPPLE = 1 << 11,
        /// Antialiased lines.
        SMOOTH_LINES = 1 << 12,
        /// Polygon stipple.
        POLYGON_STIPPLE = 1 << 13,
        /// Depth clamping.
        DEPTH_CLAMP = 1 << 14,
        /// Clip distances written by shaders.
        CLIP_DISTANCE = 1 << 15,
        /// Cull distances written by shaders.
        CULL_DISTANCE = 1 << 16,
        /// First and last provoking vertex, switchable.
        PROVOKING_VERTEX = 1 << 17,
        /// Several viewports and scissors chosen by the last pre-raster stage.
        VIEWPORT_ARRAY = 1 << 18,
        /// Layer and viewport index written by the vertex stage.
        VIEWPORT_LAYER_FROM_VERTEX = 1 << 19,
        /// Sample shading.
        SAMPLE_SHADING = 1 << 20,
        /// Base vertex, base instance and draw id as shader inputs.
        DRAW_PARAMETERS = 1 << 21,
        /// Indirect draws.
        DRAW_INDIRECT = 1 << 22,
        /// Indirect draws with a count read from a buffer.
        DRAW_INDIRECT_COUNT = 1 << 23,
        /// Instance index of the first instance other than zero.
        BASE_INSTANCE = 1 << 24,
        /// Restart with the highest index of the type.
        RESTART_FIXED_INDEX = 1 << 25,
        /// Restart with any index.
        RESTART_ANY_INDEX = 1 << 26,
        /// Restart in list topologies.
        RESTART_LISTS = 1 << 27,
        /// 8-bit indices.
        INDEX_U8 = 1 << 28,
        /// Border colours of any value, converted per channel.
        BORDER_COLOR_ANY = 1 << 29,
        /// Anisotropic filtering.
        ANISOTROPY = 1 << 30,
        /// Cube map arrays.
        CUBE_ARRAY = 1 << 31,
        /// Texture views of another format in the same class.
        MUTABLE_FORMATS = 1 << 32,
        /// Storage images readable without a declared format.
        STORAGE_IMAGE_WITHOUT_FORMAT = 1 << 33,
        /// Stores from vertex, tessellation and geometry stages.
        VERTEX_STORES = 1 << 34,
        /// Stores from the fragment stage.
        FRAGMENT_STORES = 1 << 35,
        /// 64-bit floats in shaders.
        SHADER_FLOAT64 = 1 << 36,
        /// 64-bit integers in shaders.
        SHADER_INT64 = 1 << 37,
        /// 64-bit float vertex attributes: 64-bit floats in the vertex stage. Those of three or four components take two
        /// locations.
        FLOAT64_ATTRIBUTES = 1 << 38,
        /// Timestamps and elapsed time.
        TIMER_QUERY = 1 << 39,
        /// Exact occlusion counts.
        OCCLUSION_QUERY_PRECISE = 1 << 40,
        /// Pipeline statistics.
        PIPELINE_STATISTICS = 1 << 41,
        /// Query results written to buffers by the device.
        QUERY_BUFFER = 1 << 42,
        /// Persistent and coherent mappings.
        PERSISTENT_MAPPING = 1 << 43,
        /// Out-of-bounds accesses are contained.
        ROBUST_BUFFER_ACCESS = 1 << 44,
        /// Depth bounds test.
        DEPTH_BOUNDS = 1 << 45,
        /// Different sampler and view layouts within one fragment program by dynamic index.
        SAMPLER_DYNAMIC_INDEXING = 1 << 46,
        /// Framebuffers without attachments.
        FRAMEBUFFER_NO_ATTACHMENTS = 1 << 47,
        /// Multisampled textures with more than one layer.
        MULTISAMPLE_ARRAY = 1 << 48,
        /// Native BC1-3 textures.
        TEXTURE_S3TC = 1 << 49,
        /// Native ETC2/EAC textures.
        TEXTURE_ETC2 = 1 << 50,
        /// Native ASTC textures.
        TEXTURE_ASTC = 1 << 51,
        /// Import and export of memory, semaphores and dma-bufs.
        EXTERNAL_MEMORY = 1 << 52,
        /// Sparse resources.
        SPARSE = 1 << 53,
        /// Bindless textures and images.
        BINDLESS = 1 << 54,
        /// Depth resolve and stencil resolve of multisampled attachments by blit.
        DEPTH_STENCIL_RESOLVE = 1 << 55,
        /// Stencil values exported by the fragment stage.
        STENCIL_EXPORT = 1 << 56,
        /// Windows can be created.
        WINDOWS = 1 << 57,
        /// The screen compares pushed state with re-derived state: the tracker brackets a second push
        /// with `verify_begin` and `verify_end` at each verb.
        VERIFY = 1 << 58,
        /// Seamless filtering can be turned off per sampler.
        NON_SEAMLESS_CUBE = 1 << 59,
        /// Votes among the invocations of a group, in every stage (SPV_KHR_subgroup_vote).
        SUBGROUP_VOTE = 1 << 60,
        /// Lookups beyond the texture's mirror image are clamped to its edge.
        MIRROR_CLAMP_TO_EDGE = 1 << 61,
        /// Offsets of polygons can be clamped.
        DEPTH_BIAS_CLAMP = 1 << 62,
        /// Windows can be drawn to with conversion to sRGB.
        WINDOW_SRGB = 1 << 63,
    }
}

pod_flags! {
    /// What the code of shaders may use beyond SPIR-V 1.0's `Shader` capability and what [`Features`] has.
    pub ShaderFeatures: u64 {
        /// Ballots and reads among the invocations of a group of at most 64, in every stage (SPV_KHR_shader_ballot).
        SUBGROUP_BALLOT = 1 << 0,
        /// The clock of a group (SPV_KHR_shader_clock).
        CLOCK = 1 << 1,
        /// Atomic operations on 64-bit integers in storage buffers and in shared memory.
        ATOMIC_INT64 = 1 << 2,
        /// Atomic sums and exchanges of 32-bit floats in storage buffers, shared memory and images
        /// (SPV_EXT_shader_atomic_float_add).
        ATOMIC_FLOAT_ADD = 1 << 3,
        /// Fragments that go on as helpers (SPV_EXT_demote_to_helper_invocation).
        DEMOTE = 1 << 4,
    }
}

pod_flags! {
    /// Primitive modes drawn natively; bit `1 << mode`. The tracker rewrites the others.
    pub PrimitiveTypes: u32 {
        /// Points.
        POINTS = 1 << 0,
        /// Separate lines.
        LINES = 1 << 1,
        /// Line loops.
        LINE_LOOP = 1 << 2,
        /// Line strips.
        LINE_STRIP = 1 << 3,
        /// Separate triangles.
        TRIANGLES = 1 << 4,
        /// Triangle strips.
        TRIANGLE_STRIP = 1 << 5,
        /// Triangle fans.
        TRIANGLE_FAN = 1 << 6,
        /// Separate quads.
        QUADS = 1 << 7,
        /// Quad strips.
        QUAD_STRIP = 1 << 8,
        /// Polygons.
        POLYGON = 1 << 9,
        /// Lines with adjacency.
        LINES_ADJACENCY = 1 << 10,
        /// Line strips with adjacency.
        LINE_STRIP_ADJACENCY = 1 << 11,
        /// Triangles with adjacency.
        TRIANGLES_ADJACENCY = 1 << 12,
        /// Triangle strips with adjacency.
        TRIANGLE_STRIP_ADJACENCY = 1 << 13,
        /// Patches.
        PATCHES = 1 << 14,
    }
}

pod_struct! {
    /// Limits of the device, in the units of the GL limit they feed. Zero means the device has none of it.
    pub Limits {
        /// Texels along a 1D or 2D texture.
        max_texture_2d_size: u32,
        /// Texels along a 3D texture.
        max_texture_3d_size: u32,
        /// Texels along a cube face.
        max_texture_cube_size: u32,
        /// Layers of an array texture.
        max_texture_array_layers: u32,
        /// Texels in a buffer texture.
        max_texture_buffer_texels: u32,
        /// Bytes: alignment of a buffer texture's offset.
        texture_buffer_offset_alignment: u32,
        /// Pixels along a framebuffer.
        max_framebuffer_size: u32,
        /// Layers of a framebuffer.
        max_framebuffer_layers: u32,
        /// Colour attachments.
        max_color_attachments: u32,
        /// Dual-source draw buffers.
        max_dual_source_draw_buffers: u32,
        /// Sample counts of colour textures; bit `n` means `n` samples (so 1|4 is `0b10010`).
        color_sample_counts: u32,
        /// Sample counts of depth and stencil textures.
        depth_sample_counts: u32,
        /// Sample counts of integer colour textures.
        integer_sample_counts: u32,
        /// Generic vertex attributes.
        max_vertex_attributes: u32,
        /// Vertex buffer bindings.
        max_vertex_bindings: u32,
        /// Bytes: stride of a vertex buffer binding.
        max_vertex_stride: u32,
        /// Bytes: offset of an attribute within a binding.
        max_vertex_attribute_offset: u32,
        /// Sampled textures per stage.
        max_samplers_per_stage: u32,
        /// Storage images per stage.
        max_images_per_stage: u32,
        /// Uniform blocks per stage, the default block not counted.
        max_uniform_buffers_per_stage: u32,
        /// Storage blocks per stage.
        max_storage_buffers_per_stage: u32,
        /// Sampled textures in all stages together.
        max_samplers: u32,
        /// Storage images in all stages together.
        max_images: u32,
        /// Uniform blocks in all stages together, the default block not counted.
        max_uniform_buffers: u32,
        /// Storage blocks in all stages together.
        max_storage_buffers: u32,
        /// Bytes in a uniform block.
        max_uniform_buffer_size: u32,
        /// Bytes: alignment of a uniform buffer range.
        uniform_buffer_offset_alignment: u32,
        /// Bytes: alignment of a storage buffer range.
        storage_buffer_offset_alignment: u32,
        /// Bytes in a storage block.
        max_storage_buffer_size: u64,
        /// Bytes in a buffer.
        max_buffer_size: u64,
        /// 32-bit components written by the vertex stage.
        max_vertex_output_components: u32,
        /// 32-bit components read by the fragment stage.
        max_fragment_input_components: u32,
        /// 32-bit components read by the geometry stage.
        max_geometry_input_components: u32,
        /// 32-bit components written by the geometry stage.
        max_geometry_output_components: u32,
        /// Vertices a geometry invocation may emit.
        max_geometry_output_vertices: u32,
        /// Components a geometry invocation may emit in all.
        max_geometry_total_output_components: u32,
        /// Invocations of a geometry stage.
        max_geometry_invocations: u32,
        /// Vertices of a patch.
        max_patch_vertices: u32,
        /// Level of tessellation.
        max_tessellation_level: u32,
        /// 32-bit components of a vertex read by the tessellation control stage.
        max_tess_control_input_components: u32,
        /// 32-bit components of a vertex written by the tessellation control stage.
        max_tess_control_output_components: u32,
        /// 32-bit components of a patch.
        max_tess_patch_components: u32,
        /// Components a control stage writes in all.
        max_tess_control_total_output_components: u32,
        /// 32-bit components of a vertex read by the tessellation evaluation stage.
        max_tess_evaluation_input_components: u32,
        /// 32-bit components written by the tessellation evaluation stage.
        max_tess_evaluation_output_components: u32,
        /// Clip distances.
        max_clip_distances: u32,
        /// Cull distances.
        max_cull_distances: u32,
        /// Clip and cull distances together.
        max_combined_clip_and_cull_distances: u32,
        /// Viewports.
        max_viewports: u32,
        /// Sub-pixel bits of viewport bounds.
        viewport_subpixel_bits: u32,
        /// Sub-pixel bits of rasterization.
        subpixel_bits: u32,
        /// Transform feedback buffers.
        max_xfb_buffers: u32,
        /// Vertex streams of the geometry stage.
        max_xfb_streams: u32,
        /// Bytes captured per vertex and buffer.
        max_xfb_buffer_stride: u32,
        /// Sample mask words.
        max_sample_mask_words: u32,
        /// Bits in a timestamp; zero when there are none.
        timestamp_bits: u32,
        /// Shared memory of a compute group, in bytes.
        max_compute_shared_memory: u32,
        /// Invocations of a compute group.
        max_compute_invocations: u32,
        /// Groups along each axis.
        max_compute_groups: [u32; 3],
        /// Invocations along each axis of a group.
        max_compute_group_size: [u32; 3],
        /// Smallest and largest texel gather offset.
        texel_gather_offset: [i32; 2],
        /// Smallest and largest texel offset.
        texel_offset: [i32; 2],
        /// Viewport size.
        max_viewport_size: [u32; 2],
        /// Smallest and largest viewport bound.
        viewport_bounds: [F32; 2],
        /// Smallest and largest point size.
        point_size_range: [F32; 2],
        /// Step between point sizes.
        point_size_granularity: F32,
        /// Smallest and largest line width.
        line_width_range: [F32; 2],
        /// Step between line widths.
        line_width_granularity: F32,
        /// Largest degree of anisotropy.
        max_anisotropy: F32,
        /// Largest level-of-detail bias.
        max_lod_bias: F32,
        /// Bytes: alignment of a mapped range's start.
        map_alignment: u32,
        /// Bytes: alignment that lets a texture write from a buffer run on the device.
        buffer_texture_copy_alignment: u32,
        /// Instances that may share an element; 1 where each has its own.
        max_vertex_divisor: u32,
        /// Zero.
        reserved: u32,
    }
}

pod_struct! {
    /// Everything a tracker learns about a screen, once.
    pub Caps {
        /// What may be asked for.
        features: Features,
        /// What code of shaders may use.
        shader_features: ShaderFeatures,
        /// How much of it.
        limits: Limits,
        /// Primitive modes drawn natively.
        primitive_types: PrimitiveTypes,
        /// PCI vendor id, or zero.
        vendor_id: u32,
        /// PCI device id, or zero.
        device_id: u32,
        /// Version of the device's API as the driver sees it, `major << 16 | minor`.
        api_version: u32,
        /// The device's name: UTF-8, zero padded.
        device_name: [u8; 256],
        /// The driver and what is under it, for example `vulkan (lavapipe 25.0)`: UTF-8, zero padded.
        /// Wrapping drivers put their own name in front.
        driver_name: [u8; 128],
        /// Code paths the driver chose, one name a line: UTF-8, zero padded.
        private_paths: [u8; 512],
        /// Named workarounds in force, one `name: reason` a line: UTF-8, zero padded.
        workarounds: [u8; 512],
    }
}

/// Reads a zero-padded UTF-8 field of [`Caps`].
pub fn text(field: &[u8]) -> &str {
    let end = field.iter().position(|&b| b == 0).unwrap_or(field.len());
    std::str::from_utf8(&field[..end]).unwrap_or("?")
}

/// Writes a zero-padded UTF-8 field of [`Caps`], cutting at a character boundary.
pub fn set_text(field: &mut [u8], value: &str) {
    let mut end = value.len().min(field.len());
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    field.fill(0);
    field[..end].copy_from_slice(&value.as_bytes()[..end]);
}

pod_flags! {
    /// What a format can be used for on a screen.
    pub FormatUses: u32 {
        /// Sampled by shaders.
        SAMPLED = 1 << 0,
        /// Sampled with linear filtering.
        FILTERED = 1 << 1,
        /// Colour attachment.
        COLOR = 1 << 2,
        /// Colour attachment with blending.
        BLEND = 1 << 3,
        /// Depth or stencil attachment.
        DEPTH_STENCIL = 1 << 4,
        /// Storage image.
        STORAGE = 1 << 5,
        /// Atomic operations on a storage image.
        STORAGE_ATOMIC = 1 << 6,
        /// Buffer texture.
        TEXTURE_BUFFER = 1 << 7,
        /// Storage buffer texture.
        STORAGE_TEXTURE_BUFFER = 1 << 8,
        /// Vertex attribute.
        VERTEX = 1 << 9,
        /// Source of a blit.
        BLIT_SOURCE = 1 << 10,
        /// Destination of a blit.
        BLIT_DESTINATION = 1 << 11,
        /// Sampled with a reference comparison.
        COMPARE = 1 << 12,
        /// Backs a window.
        WINDOW = 1 << 13,
    }
}

pod_struct! {
    /// What a screen can do with one format.
    pub FormatCaps {
        /// Uses that work.
        uses: FormatUses,
        /// Sample counts of attachments in this format; bit `n` means `n` samples.
        sample_counts: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_fields_cut_at_character_boundaries() {
        let mut field = [1u8; 4];
        set_text(&mut field, "aéé");
        assert_eq!(text(&field), "aé");
    }
}
