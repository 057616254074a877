//! Choice of a physical device, and what of it the driver uses.

use ash::{ext, khr, vk};
use gallite_pipe::PipeError;

use crate::ffi::{Adapter, Instance};
use crate::options::VulkanOptions;
use crate::workarounds::Workarounds;

/// What the device can do beyond Vulkan 1.1, as far as this driver uses it. A field is true only when the
/// extension (or core version) is there, its feature bits are set, and no option turned it off.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DeviceFeatures {
    pub core_1_2: bool,
    pub core_1_3: bool,
    pub timeline_semaphore: bool,
    pub dynamic_rendering: bool,
    /// Pipelines are made ahead; not a feature of the device, but one that can be turned off like them.
    pub precompile: bool,
    pub extended_dynamic_state: bool,
    pub extended_dynamic_state2: bool,
    pub eds3: Eds3,
    /// All of blending changes without another pipeline.
    pub dynamic_blend: bool,
    pub vertex_input_dynamic: bool,
    pub null_descriptor: bool,
    pub depth_clip_control: bool,
    pub custom_border_color: bool,
    pub border_color_without_format: bool,
    pub provoking_vertex_last: bool,
    pub rectangular_lines: bool,
    pub bresenham_lines: bool,
    pub smooth_lines: bool,
    pub stippled_rectangular_lines: bool,
    pub stippled_bresenham_lines: bool,
    pub stippled_smooth_lines: bool,
    pub index_u8: bool,
    pub list_restart: bool,
    pub transform_feedback: bool,
    pub geometry_streams: bool,
    pub max_xfb_streams: u32,
    pub max_xfb_buffers: u32,
    pub max_xfb_stride: u32,
    pub xfb_queries: bool,
    pub xfb_draw: bool,
    pub primitives_generated_query: bool,
    /// Such a query may run while rasterization is off, and for streams other than the first.
    pub generated_with_discard: bool,
    pub generated_of_streams: bool,
    pub conditional_rendering: bool,
    pub draw_parameters: bool,
    pub mirror_clamp_to_edge: bool,
    pub vertex_divisor: bool,
    pub max_vertex_divisor: u32,
    pub non_seamless_cube: bool,
    pub memory_budget: bool,
    pub image_format_list: bool,
    /// Draws that one command takes; 1 without multi-draw.
    pub max_multi_draws: u32,
    pub draw_indirect_count: bool,
    /// A set takes as many descriptors as the device says, not the least there may be.
    pub wide_sets: bool,
    /// Draws that one indirect command takes.
    pub max_indirect_draws: u32,
    /// Samplers there may be at a time, and those of them with a border colour of their own.
    pub max_samplers: u32,
    pub max_border_samplers: u32,
    pub swapchain: bool,
    pub swapchain_mutable_format: bool,
    pub incremental_present: bool,
    pub formats_4444: bool,
    pub viewport_index_layer: bool,
    pub subgroup_vote: bool,
    pub subgroup_ballot: bool,
    pub subgroup_clock: bool,
    /// Of both kinds of memory that GL has them in.
    pub atomic_int64: bool,
    pub atomic_float_add: bool,
    pub demote: bool,
    pub stencil_export: bool,
    /// Accesses end with a descriptor's range, not with the native buffer.
    pub robust_buffer_access2: bool,
    /// Timestamps are used where queues have them.
    pub timestamps: bool,
    /// The device's clock can be read without work for the device.
    pub calibrated_timestamps: bool,
    /// Slices of 3D images can be bound as 2D storage images.
    pub image_2d_view_of_3d: bool,
}

/// Which parts of VK_EXT_extended_dynamic_state3 are used.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Eds3 {
    pub depth_clamp: bool,
    pub polygon_mode: bool,
    pub sample_mask: bool,
    pub alpha_to_coverage: bool,
    pub alpha_to_one: bool,
    pub logic_op_enable: bool,
    pub blend_enable: bool,
    pub blend_equation: bool,
    pub write_mask: bool,
    pub provoking_vertex: bool,
    pub line_mode: bool,
    pub line_stipple: bool,
    pub clip_negative_one_to_one: bool,
}

/// A chosen device and everything needed to create it.
pub(crate) struct Selected {
    pub adapter: Adapter,
    pub features: DeviceFeatures,
    pub core: vk::PhysicalDeviceFeatures,
    pub api_version: u32,
    pub queue_family: u32,
    pub workarounds: Workarounds,
    /// How many features that the device may have are not used because the options say so.
    pub lacking: usize,
    /// Faults to play.
    pub faults: crate::options::Faults,
}

/// Declares the extension feature structures once: each is queried when its extension is listed, and handed to
/// device creation the same way.
macro_rules! feature_structs {
    ($($field:ident: $ty:ident if $name:expr, $core:expr;)*) => {
        /// Feature structures of the extensions this driver knows.
        #[derive(Default)]
        pub(crate) struct FeatureStructs { $(pub $field: vk::$ty<'static>,)* }

        impl FeatureStructs {
            /// Calls `with` with a chain of the structures the device knows.
            pub fn chained<R>(
                &mut self, adapter: &Adapter, version: u32, base: vk::PhysicalDeviceFeatures,
                with: impl FnOnce(&mut vk::PhysicalDeviceFeatures2<'_>) -> R,
            ) -> R {
                // An earlier chain's links would make this one a circle.
                $(self.$field.p_next = std::ptr::null_mut();)*
                let mut chain = vk::PhysicalDeviceFeatures2::default().features(base);
                $(if adapter.has($name) || version >= $core { chain = chain.push_next(&mut self.$field); })*
                with(&mut chain)
            }
        }
    };
}

impl FeatureStructs {
    /// Switches off what an option turned off, so that the validation layer sees its use. Dynamic state that came with a
    /// version of Vulkan can't be.
    pub fn switch_off(&mut self, features: &DeviceFeatures) {
        // Of all that is about descriptors, what shaders of OpenGL 4.0 do: they index arrays of buffer textures and images
        // by what they compute.
        self.indexing = vk::PhysicalDeviceDescriptorIndexingFeatures {
            shader_uniform_texel_buffer_array_dynamic_indexing: self
                .indexing
                .shader_uniform_texel_buffer_array_dynamic_indexing,
            shader_storage_texel_buffer_array_dynamic_indexing: self
                .indexing
                .shader_storage_texel_buffer_array_dynamic_indexing,
            ..Default::default()
        };
        let off = |field: &mut vk::Bool32, is_used: bool| *field &= vk::Bool32::from(is_used);
        off(&mut self.timeline.timeline_semaphore, features.timeline_semaphore);
        off(&mut self.rendering.dynamic_rendering, features.dynamic_rendering);
        off(&mut self.vertex_input.vertex_input_dynamic_state, features.vertex_input_dynamic);
        off(&mut self.robustness2.null_descriptor, features.null_descriptor);
        off(&mut self.robustness2.robust_buffer_access2, features.robust_buffer_access2);
        off(&mut self.clip_control.depth_clip_control, features.depth_clip_control);
        off(&mut self.border.custom_border_colors, features.custom_border_color);
        off(&mut self.border.custom_border_color_without_format, features.custom_border_color);
        off(&mut self.divisor.vertex_attribute_instance_rate_divisor, features.vertex_divisor);
        off(&mut self.provoking.provoking_vertex_last, features.provoking_vertex_last);
        off(&mut self.xfb.transform_feedback, features.transform_feedback);
        off(&mut self.xfb.geometry_streams, features.geometry_streams);
        off(&mut self.index_u8.index_type_uint8, features.index_u8);
        off(&mut self.conditional.conditional_rendering, features.conditional_rendering);
        off(&mut self.conditional.inherited_conditional_rendering, features.conditional_rendering);
        off(&mut self.multi_draw.multi_draw, features.max_multi_draws > 1);
        let generated = &mut self.generated;
        off(&mut generated.primitives_generated_query_with_rasterizer_discard, features.generated_with_discard);
        off(&mut generated.primitives_generated_query_with_non_zero_streams, features.generated_of_streams);
    }
}

const NEVER_CORE: u32 = u32::MAX;

feature_structs! {
    timeline: PhysicalDeviceTimelineSemaphoreFeatures if khr::timeline_semaphore::NAME, vk::API_VERSION_1_2;
    rendering: PhysicalDeviceDynamicRenderingFeatures if khr::dynamic_rendering::NAME, vk::API_VERSION_1_3;
    demote: PhysicalDeviceShaderDemoteToHelperInvocationFeatures if ext::shader_demote_to_helper_invocation::NAME, vk::API_VERSION_1_3;
    eds1: PhysicalDeviceExtendedDynamicStateFeaturesEXT if ext::extended_dynamic_state::NAME, NEVER_CORE;
    eds2: PhysicalDeviceExtendedDynamicState2FeaturesEXT if ext::extended_dynamic_state2::NAME, NEVER_CORE;
    eds3: PhysicalDeviceExtendedDynamicState3FeaturesEXT if ext::extended_dynamic_state3::NAME, NEVER_CORE;
    vertex_input: PhysicalDeviceVertexInputDynamicStateFeaturesEXT if ext::vertex_input_dynamic_state::NAME, NEVER_CORE;
    robustness2: PhysicalDeviceRobustness2FeaturesEXT if ext::robustness2::NAME, NEVER_CORE;
    clip_control: PhysicalDeviceDepthClipControlFeaturesEXT if ext::depth_clip_control::NAME, NEVER_CORE;
    border: PhysicalDeviceCustomBorderColorFeaturesEXT if ext::custom_border_color::NAME, NEVER_CORE;
    provoking: PhysicalDeviceProvokingVertexFeaturesEXT if ext::provoking_vertex::NAME, NEVER_CORE;
    lines: PhysicalDeviceLineRasterizationFeaturesEXT if ext::line_rasterization::NAME, NEVER_CORE;
    index_u8: PhysicalDeviceIndexTypeUint8FeaturesEXT if ext::index_type_uint8::NAME, NEVER_CORE;
    list_restart: PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT if ext::primitive_topology_list_restart::NAME, NEVER_CORE;
    xfb: PhysicalDeviceTransformFeedbackFeaturesEXT if ext::transform_feedback::NAME, NEVER_CORE;
    generated: PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT if ext::primitives_generated_query::NAME, NEVER_CORE;
    conditional: PhysicalDeviceConditionalRenderingFeaturesEXT if ext::conditional_rendering::NAME, NEVER_CORE;
    divisor: PhysicalDeviceVertexAttributeDivisorFeaturesEXT if ext::vertex_attribute_divisor::NAME, NEVER_CORE;
    non_seamless: PhysicalDeviceNonSeamlessCubeMapFeaturesEXT if ext::non_seamless_cube_map::NAME, NEVER_CORE;
    multi_draw: PhysicalDeviceMultiDrawFeaturesEXT if ext::multi_draw::NAME, NEVER_CORE;
    formats_4444: PhysicalDevice4444FormatsFeaturesEXT if ext::_4444_formats::NAME, NEVER_CORE;
    view_of_3d: PhysicalDeviceImage2DViewOf3DFeaturesEXT if ext::image_2d_view_of_3d::NAME, NEVER_CORE;
    clock: PhysicalDeviceShaderClockFeaturesKHR if khr::shader_clock::NAME, NEVER_CORE;
    atomic_int64: PhysicalDeviceShaderAtomicInt64Features if khr::shader_atomic_int64::NAME, vk::API_VERSION_1_2;
    atomic_float: PhysicalDeviceShaderAtomicFloatFeaturesEXT if ext::shader_atomic_float::NAME, NEVER_CORE;
    indexing: PhysicalDeviceDescriptorIndexingFeatures if ext::descriptor_indexing::NAME, vk::API_VERSION_1_2;
    draw_parameters: PhysicalDeviceShaderDrawParametersFeatures if khr::shader_draw_parameters::NAME, vk::API_VERSION_1_1;
}

/// Extensions that are enabled whenever the device lists them.
pub(crate) const WANTED: &[&std::ffi::CStr] = &[
    khr::timeline_semaphore::NAME,
    khr::dynamic_rendering::NAME,
    khr::depth_stencil_resolve::NAME,
    khr::create_renderpass2::NAME,
    ext::shader_demote_to_helper_invocation::NAME,
    ext::extended_dynamic_state::NAME,
    ext::extended_dynamic_state2::NAME,
    ext::extended_dynamic_state3::NAME,
    ext::vertex_input_dynamic_state::NAME,
    ext::robustness2::NAME,
    ext::depth_clip_control::NAME,
    ext::custom_border_color::NAME,
    ext::provoking_vertex::NAME,
    ext::line_rasterization::NAME,
    ext::index_type_uint8::NAME,
    ext::primitive_topology_list_restart::NAME,
    ext::transform_feedback::NAME,
    ext::primitives_generated_query::NAME,
    ext::conditional_rendering::NAME,
    ext::vertex_attribute_divisor::NAME,
    ext::non_seamless_cube_map::NAME,
    ext::image_2d_view_of_3d::NAME,
    ext::multi_draw::NAME,
    ext::_4444_formats::NAME,
    khr::shader_draw_parameters::NAME,
    khr::sampler_mirror_clamp_to_edge::NAME,
    ext::memory_budget::NAME,
    khr::image_format_list::NAME,
    khr::draw_indirect_count::NAME,
    ext::shader_viewport_index_layer::NAME,
    ext::shader_subgroup_vote::NAME,
    ext::shader_subgroup_ballot::NAME,
    khr::shader_clock::NAME,
    ext::descriptor_indexing::NAME,
    khr::shader_atomic_int64::NAME,
    ext::shader_atomic_float::NAME,
    ext::shader_stencil_export::NAME,
    ext::calibrated_timestamps::NAME,
    khr::swapchain::NAME,
    khr::swapchain_mutable_format::NAME,
    khr::incremental_present::NAME,
];

/// Picks a device: the named one, else the best by kind.
pub(crate) fn select(instance: &Instance, options: &VulkanOptions) -> Result<Selected, PipeError> {
    let lacking = options.lacking()?;
    let mut adapters: Vec<Adapter> = instance
        .adapters()
        .into_iter()
        .filter(|a| a.properties.api_version >= vk::API_VERSION_1_1)
        .filter(|a| graphics_family(a).is_some())
        .collect();
    if adapters.is_empty() {
        return Err(PipeError::NoDevice("no device with Vulkan 1.1 and a graphics queue".into()));
    }
    let index = match options.device.as_deref().filter(|name| !name.is_empty()) {
        Some(wanted) => {
            let wanted = wanted.to_lowercase();
            let by_number = wanted.parse::<usize>().ok().filter(|&i| i < adapters.len());
            by_number
                .or_else(|| {
                    adapters.iter().position(|a| {
                        a.name().to_lowercase().contains(&wanted) || a.driver_name.to_lowercase().contains(&wanted)
                    })
                })
                .ok_or_else(|| PipeError::NoDevice(format!("no Vulkan device is named {wanted:?}")))?
        }
        None => (0..adapters.len()).min_by_key(|&i| rank(&adapters[i])).unwrap_or(0),
    };
    let adapter = adapters.swap_remove(index);
    let api_version = adapter.properties.api_version.min(instance.api_version);
    let queue_family = graphics_family(&adapter).unwrap_or(0);
    let (features, core) = probe(instance, &adapter, api_version, options);
    let workarounds = Workarounds::of(&adapter.properties);
    Ok(Selected { adapter, features, core, api_version, queue_family, workarounds, lacking, faults: options.faults })
}

fn rank(adapter: &Adapter) -> u32 {
    match adapter.properties.device_type {
        vk::PhysicalDeviceType::DISCRETE_GPU => 0,
        vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
        vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
        vk::PhysicalDeviceType::CPU => 3,
        _ => 4,
    }
}

fn graphics_family(adapter: &Adapter) -> Option<u32> {
    let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    let both = adapter.queue_families.iter().position(|q| q.queue_flags.contains(wanted));
    let any = adapter.queue_families.iter().position(|q| q.queue_flags.contains(vk::QueueFlags::GRAPHICS));
    both.or(any).map(|i| i as u32)
}

fn probe(
    instance: &Instance,
    adapter: &Adapter,
    version: u32,
    options: &VulkanOptions,
) -> (DeviceFeatures, vk::PhysicalDeviceFeatures) {
    let mut s = FeatureStructs::default();
    let mut core = s.chained(adapter, version, vk::PhysicalDeviceFeatures::default(), |chain| {
        instance.query_features(adapter, chain);
        chain.features
    });
    let mut xfb = vk::PhysicalDeviceTransformFeedbackPropertiesEXT::default();
    let mut divisor = vk::PhysicalDeviceVertexAttributeDivisorPropertiesEXT::default();
    let mut multi_draw = vk::PhysicalDeviceMultiDrawPropertiesEXT::default();
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut border = vk::PhysicalDeviceCustomBorderColorPropertiesEXT::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    if adapter.has(ext::custom_border_color::NAME) {
        properties = properties.push_next(&mut border);
    }
    if adapter.has(ext::multi_draw::NAME) {
        properties = properties.push_next(&mut multi_draw);
    }
    if adapter.has(ext::transform_feedback::NAME) {
        properties = properties.push_next(&mut xfb);
    }
    if adapter.has(ext::vertex_attribute_divisor::NAME) {
        properties = properties.push_next(&mut divisor);
    }
    instance.query_properties(adapter, &mut properties);
    let limits = &adapter.properties.limits;
    let yes = |b: vk::Bool32| b == vk::TRUE;
    let on = |name: &str| !options.lacks(name);
    for (feature, is_used) in [
        (&mut core.geometry_shader, on("geometry_shader")),
        (&mut core.independent_blend, on("independent_blend")),
        (&mut core.dual_src_blend, on("dual_source_blend")),
        (&mut core.logic_op, on("logic_op")),
        (&mut core.fill_mode_non_solid, on("fill_mode")),
        (&mut core.depth_clamp, on("depth_clamp")),
        (&mut core.shader_clip_distance, on("clip_distance")),
        (&mut core.occlusion_query_precise, on("precise_occlusion")),
        (&mut core.texture_compression_bc, on("texture_bc")),
        (&mut core.depth_bias_clamp, on("depth_bias_clamp")),
    ] {
        *feature &= vk::Bool32::from(is_used);
    }
    let provoking_vertex_last = on("provoking_vertex") && yes(s.provoking.provoking_vertex_last);
    let core_1_2 = version >= vk::API_VERSION_1_2;
    let core_1_3 = version >= vk::API_VERSION_1_3;
    let eds1 = on("eds1") && (core_1_3 || yes(s.eds1.extended_dynamic_state));
    let eds2 = on("eds2") && eds1 && (core_1_3 || yes(s.eds2.extended_dynamic_state2));
    let e = &s.eds3;
    let third = |b: vk::Bool32| on("eds3") && eds2 && yes(b);
    let eds3 = Eds3 {
        depth_clamp: third(e.extended_dynamic_state3_depth_clamp_enable) && yes(core.depth_clamp),
        polygon_mode: third(e.extended_dynamic_state3_polygon_mode) && yes(core.fill_mode_non_solid),
        sample_mask: third(e.extended_dynamic_state3_sample_mask),
        alpha_to_coverage: third(e.extended_dynamic_state3_alpha_to_coverage_enable),
        alpha_to_one: third(e.extended_dynamic_state3_alpha_to_one_enable) && yes(core.alpha_to_one),
        logic_op_enable: third(e.extended_dynamic_state3_logic_op_enable)
            && yes(s.eds2.extended_dynamic_state2_logic_op)
            && yes(core.logic_op),
        blend_enable: third(e.extended_dynamic_state3_color_blend_enable),
        blend_equation: third(e.extended_dynamic_state3_color_blend_equation),
        write_mask: third(e.extended_dynamic_state3_color_write_mask),
        provoking_vertex: third(e.extended_dynamic_state3_provoking_vertex_mode) && provoking_vertex_last,
        line_mode: third(e.extended_dynamic_state3_line_rasterization_mode),
        line_stipple: third(e.extended_dynamic_state3_line_stipple_enable),
        clip_negative_one_to_one: third(e.extended_dynamic_state3_depth_clip_negative_one_to_one)
            && on("depth_clip_control")
            && yes(s.clip_control.depth_clip_control),
    };
    // A part that the device cannot do at all needs no dynamic state.
    let dynamic_blend = eds3.blend_enable
        && eds3.blend_equation
        && eds3.write_mask
        && eds3.alpha_to_coverage
        && (eds3.alpha_to_one || !yes(core.alpha_to_one))
        && (eds3.logic_op_enable || !yes(core.logic_op));
    let features = DeviceFeatures {
        core_1_2,
        core_1_3,
        timeline_semaphore: on("timeline") && yes(s.timeline.timeline_semaphore),
        precompile: on("precompile"),
        dynamic_rendering: on("dynamic_rendering") && yes(s.rendering.dynamic_rendering),
        extended_dynamic_state: eds1,
        extended_dynamic_state2: eds2,
        eds3,
        dynamic_blend,
        vertex_input_dynamic: on("vertex_input") && yes(s.vertex_input.vertex_input_dynamic_state),
        null_descriptor: on("null_descriptor") && yes(s.robustness2.null_descriptor),
        depth_clip_control: on("depth_clip_control") && yes(s.clip_control.depth_clip_control),
        custom_border_color: on("custom_border_color") && yes(s.border.custom_border_colors),
        border_color_without_format: yes(s.border.custom_border_color_without_format),
        provoking_vertex_last,
        rectangular_lines: yes(s.lines.rectangular_lines),
        bresenham_lines: yes(s.lines.bresenham_lines),
        smooth_lines: yes(s.lines.smooth_lines),
        stippled_rectangular_lines: yes(s.lines.stippled_rectangular_lines),
        stippled_bresenham_lines: yes(s.lines.stippled_bresenham_lines),
        stippled_smooth_lines: yes(s.lines.stippled_smooth_lines),
        index_u8: on("index_u8") && yes(s.index_u8.index_type_uint8),
        list_restart: yes(s.list_restart.primitive_topology_list_restart),
        transform_feedback: on("transform_feedback") && yes(s.xfb.transform_feedback),
        geometry_streams: on("transform_feedback") && on("geometry_shader") && yes(s.xfb.geometry_streams),
        max_xfb_streams: xfb.max_transform_feedback_streams,
        max_xfb_buffers: xfb.max_transform_feedback_buffers,
        max_xfb_stride: xfb.max_transform_feedback_buffer_data_stride,
        xfb_queries: yes(xfb.transform_feedback_queries),
        xfb_draw: yes(xfb.transform_feedback_draw),
        primitives_generated_query: yes(s.generated.primitives_generated_query),
        generated_with_discard: on("generated_with_discard")
            && yes(s.generated.primitives_generated_query_with_rasterizer_discard),
        generated_of_streams: on("generated_of_streams")
            && yes(s.generated.primitives_generated_query_with_non_zero_streams),
        conditional_rendering: on("conditional_rendering") && yes(s.conditional.conditional_rendering),
        draw_parameters: yes(s.draw_parameters.shader_draw_parameters),
        mirror_clamp_to_edge: on("mirror_clamp_to_edge") && adapter.has(khr::sampler_mirror_clamp_to_edge::NAME),
        vertex_divisor: on("vertex_divisor") && yes(s.divisor.vertex_attribute_instance_rate_divisor),
        max_vertex_divisor: divisor.max_vertex_attrib_divisor,
        non_seamless_cube: yes(s.non_seamless.non_seamless_cube_map),
        memory_budget: adapter.has(ext::memory_budget::NAME),
        image_format_list: adapter.has(khr::image_format_list::NAME),
        max_multi_draws: if on("multi_draw") && yes(s.multi_draw.multi_draw) {
            multi_draw.max_multi_draw_count.max(1)
        } else {
            1
        },
        draw_indirect_count: adapter.has(khr::draw_indirect_count::NAME),
        max_indirect_draws: match core.multi_draw_indirect {
            vk::TRUE if on("many_indirect_draws") => limits.max_draw_indirect_count.max(1),
            vk::TRUE => 2,
            _ => 1,
        },
        max_samplers: limits.max_sampler_allocation_count,
        wide_sets: on("wide_sets"),
        max_border_samplers: if on("many_border_colors") { border.max_custom_border_color_samplers } else { 2 },
        swapchain: adapter.has(khr::swapchain::NAME) && instance.surface.any(),
        incremental_present: adapter.has(khr::incremental_present::NAME) && instance.surface.any(),
        swapchain_mutable_format: on("swapchain_mutable_format")
            && adapter.has(khr::swapchain_mutable_format::NAME)
            && (adapter.has(khr::image_format_list::NAME) || adapter.properties.api_version >= vk::API_VERSION_1_2)
            && instance.surface.any(),
        formats_4444: core_1_3 || yes(s.formats_4444.format_a4r4g4b4),
        subgroup_vote: adapter.has(ext::shader_subgroup_vote::NAME),
        // A ballot of GL has 64 bits.
        subgroup_ballot: adapter.has(ext::shader_subgroup_ballot::NAME) && (1..=64).contains(&subgroup.subgroup_size),
        subgroup_clock: yes(s.clock.shader_subgroup_clock),
        atomic_int64: yes(s.atomic_int64.shader_buffer_int64_atomics)
            && yes(s.atomic_int64.shader_shared_int64_atomics),
        atomic_float_add: yes(s.atomic_float.shader_buffer_float32_atomics)
            && yes(s.atomic_float.shader_buffer_float32_atomic_add)
            && yes(s.atomic_float.shader_shared_float32_atomics)
            && yes(s.atomic_float.shader_shared_float32_atomic_add)
            && yes(s.atomic_float.shader_image_float32_atomics)
            && yes(s.atomic_float.shader_image_float32_atomic_add),
        demote: yes(s.demote.shader_demote_to_helper_invocation),
        stencil_export: adapter.has(ext::shader_stencil_export::NAME),
        robust_buffer_access2: on("robust_buffer_access2") && yes(s.robustness2.robust_buffer_access2),
        viewport_index_layer: adapter.has(ext::shader_viewport_index_layer::NAME),
        timestamps: on("timer_query"),
        calibrated_timestamps: on("timer_query")
            && on("calibrated_timestamps")
            && instance.can_read_device_time(adapter),
        image_2d_view_of_3d: yes(s.view_of_3d.image2_d_view_of3_d),
    };
    (features, core)
}

/// The core features that are switched on: what the device has of what GL can ask for.
pub(crate) fn wanted_core(have: &vk::PhysicalDeviceFeatures) -> vk::PhysicalDeviceFeatures {
    // Sparse and protected features stay off; the rest cost nothing while unused.
    vk::PhysicalDeviceFeatures {
        sparse_binding: 0,
        sparse_residency_buffer: 0,
        sparse_residency_image2_d: 0,
        sparse_residency_image3_d: 0,
        sparse_residency2_samples: 0,
        sparse_residency4_samples: 0,
        sparse_residency8_samples: 0,
        sparse_residency16_samples: 0,
        sparse_residency_aliased: 0,
        ..*have
    }
}
