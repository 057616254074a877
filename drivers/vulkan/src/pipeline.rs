//! Graphics and compute pipelines: what selects them, and how they are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;
use gallite_pipe::*;
use hashbrown::HashMap;
use smallvec::SmallVec;

use crate::adapter::DeviceFeatures;
use crate::conv;
use crate::gpu::{Garbage, Gpu, Stamp, Uses};
use crate::shader::Shader;
use crate::state_object::{TargetLayout, VertexInput};
use crate::variant::{self, StageVariant, TexelSwizzles};

/// Everything a graphics pipeline depends on, in the few words that a draw compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct PipelineKey {
    pub shader: u32,
    pub targets: u32,
    /// Zero with dynamic vertex input.
    pub vertex_input: u32,
    /// Zero with dynamic blending.
    pub blend: u32,
    /// Zero with extended dynamic state.
    pub depth_stencil: u32,
    pub raster: RasterKey,
    /// Zero where it is dynamic.
    pub sample_mask: u32,
    pub vertex_variant: StageVariant,
    pub fragment_variant: StageVariant,
    /// Number of the swizzles of its buffer textures, zero without.
    pub texel_swizzles: u32,
    pub topology: i32,
    pub min_samples: u8,
    pub patch_vertices: u8,
    /// Restart, where it is not dynamic.
    pub restart: bool,
}

impl PipelineKey {
    /// The key of a compute pipeline, whose group size takes the place of targets, inputs and blending.
    pub fn compute(shader: u32, size: [u32; 3], texel_swizzles: u32) -> Self {
        let [targets, vertex_input, blend] = size;
        Self { shader, targets, vertex_input, blend, texel_swizzles, ..Self::default() }
    }
}

/// What rasterization depends on, as Vulkan has it. A pipeline's key keeps of it what is not dynamic on this device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct RasterKey {
    pub depth_clamp: bool,
    pub mode: u8,
    pub line_mode: i32,
    pub stipple: bool,
    pub provoking_last: bool,
    pub negative_one_to_one: bool,
    pub cull: u8,
    pub front_ccw: bool,
    pub bias: bool,
    pub discard: bool,
}

impl RasterKey {
    /// Vulkan's provoking vertex mode.
    pub fn provoking_mode(&self) -> vk::ProvokingVertexModeEXT {
        if self.provoking_last {
            vk::ProvokingVertexModeEXT::LAST_VERTEX
        } else {
            vk::ProvokingVertexModeEXT::FIRST_VERTEX
        }
    }

    /// The key without what the device takes as dynamic state.
    pub fn fixed(mut self, f: &DeviceFeatures) -> Self {
        if f.extended_dynamic_state {
            self.cull = 0;
            self.front_ccw = false;
        }
        if f.extended_dynamic_state2 {
            self.bias = false;
            self.discard = false;
        }
        let e = &f.eds3;
        self.depth_clamp &= !e.depth_clamp;
        self.provoking_last &= !e.provoking_vertex;
        self.negative_one_to_one &= !e.clip_negative_one_to_one;
        self.stipple &= !e.line_stipple;
        if e.polygon_mode {
            self.mode = 0;
        }
        if e.line_mode {
            self.line_mode = 0;
        }
        self
    }
}

/// A native pipeline.
pub(crate) struct Pipeline {
    gpu: Arc<Gpu>,
    pub raw: vk::Pipeline,
    pub uses: Uses,
    /// When it was bound last.
    bound: AtomicU64,
}

impl Pipeline {
    pub fn new(gpu: &Arc<Gpu>, raw: vk::Pipeline) -> Arc<Self> {
        let bound = AtomicU64::new(gpu.identity());
        Arc::new(Self { gpu: gpu.clone(), raw, uses: Uses::default(), bound })
    }

    /// Notes that it is bound in the batch `stamp`.
    pub fn bind(&self, stamp: Stamp) {
        self.uses.mark(stamp, &self.gpu);
        self.bound.store(self.gpu.age(), Ordering::Relaxed);
    }

    /// When it was bound last.
    pub fn bound_at(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }
}

/// Removes the entry used longest ago from a table that is full.
pub(crate) fn make_room<K, V>(table: &mut HashMap<K, V>, most: usize, used: impl Fn(&V) -> u64)
where
    K: Copy + Eq + std::hash::Hash,
{
    if table.len() >= most
        && let Some(oldest) = table.iter().min_by_key(|(_, value)| used(value)).map(|(key, _)| *key)
    {
        table.remove(&oldest);
    }
}

/// Pipelines that a program keeps, and a context. A program with more is one whose state never comes again.
pub(crate) const MAX_OF_PROGRAM: usize = 256;
pub(crate) const MAX_OF_CONTEXT: usize = 2048;

impl Drop for Pipeline {
    fn drop(&mut self) {
        self.gpu.retire(&self.uses, Garbage::Pipeline(self.raw));
    }
}

/// What a graphics pipeline's key is made from.
pub(crate) struct KeyInputs<'a> {
    pub targets: &'a TargetLayout,
    pub layout_id: u32,
    /// Rows of the framebuffer are top first.
    pub flipped: bool,
    pub raster: &'a RasterizerState,
    /// Blending takes coverage or alpha from elsewhere than plain samples do.
    pub coverage: bool,
    pub blend: u32,
    pub depth_stencil: u32,
    pub vertex_input: u32,
    pub sample_mask: u32,
    pub min_samples: u32,
    pub patch_vertices: u32,
    pub topology: vk::PrimitiveTopology,
    pub restart: bool,
    pub texel_swizzles: u32,
}

/// The key of the pipeline for some state: what is dynamic on this device is left out.
pub(crate) fn graphics_key(gpu: &Gpu, shader: &Shader, inputs: &KeyInputs<'_>) -> PipelineKey {
    let f = gpu.features();
    let samples = inputs.targets.samples;
    let class = if f.extended_dynamic_state { conv::topology_class(inputs.topology) } else { inputs.topology };
    let points = class == vk::PrimitiveTopology::POINT_LIST
        || polygon_mode(inputs.raster) == PolygonMode::POINT
        || shader.desc.output_primitive == PrimitiveClass::POINTS;
    let (vertex_variant, fragment_variant) =
        variant::select(gpu, shader, inputs.raster, inputs.flipped, points, inputs.targets, inputs.min_samples);
    let fixed = |dynamic: bool, id: u32| if dynamic { 0 } else { id };
    let tessellated = shader.has_stage(ShaderStage::TESS_EVALUATION);
    let plain = !inputs.coverage && inputs.min_samples <= 1;
    PipelineKey {
        shader: shader.identity,
        targets: inputs.layout_id,
        vertex_input: fixed(f.vertex_input_dynamic, inputs.vertex_input),
        blend: fixed(f.dynamic_blend, inputs.blend),
        depth_stencil: fixed(f.extended_dynamic_state, inputs.depth_stencil),
        raster: raster_key(gpu, inputs.raster, inputs.flipped, samples, plain).fixed(f),
        // Bits of samples that there are not make no other pipeline.
        sample_mask: fixed(f.eds3.sample_mask, inputs.sample_mask & (u32::MAX >> (32 - samples.clamp(1, 32)))),
        vertex_variant,
        fragment_variant,
        texel_swizzles: inputs.texel_swizzles,
        topology: class.as_raw(),
        min_samples: inputs.min_samples.clamp(1, samples.max(1)).min(255) as u8
            * u8::from(gpu.selected.core.sample_rate_shading == vk::TRUE),
        patch_vertices: if tessellated { inputs.patch_vertices.min(255) as u8 } else { 0 },
        restart: inputs.restart && !f.extended_dynamic_state2,
    }
}

/// What rasterization depends on, dynamic or not.
pub(crate) fn raster_key(gpu: &Gpu, state: &RasterizerState, flipped: bool, samples: u32, plain: bool) -> RasterKey {
    let f = gpu.features();
    let core = &gpu.selected.core;
    let lines = line_mode(gpu, state, samples, plain);
    RasterKey {
        depth_clamp: state.flags.contains(RasterFlags::DEPTH_CLAMP) && core.depth_clamp == vk::TRUE,
        mode: if core.fill_mode_non_solid == vk::TRUE { polygon_mode(state).0 } else { 0 },
        line_mode: lines.as_raw(),
        stipple: state.flags.contains(RasterFlags::LINE_STIPPLE) && can_stipple(gpu, lines),
        provoking_last: f.provoking_vertex_last && !state.flags.contains(RasterFlags::PROVOKING_FIRST),
        negative_one_to_one: f.depth_clip_control && !state.flags.contains(RasterFlags::CLIP_ZERO_TO_ONE),
        cull: state.cull.0,
        front_ccw: front_face_ccw(state, flipped),
        bias: offset_enabled(state),
        discard: state.flags.contains(RasterFlags::DISCARD),
    }
}

/// Vulkan's front face for a rasterizer state and framebuffer.
///
/// GL decides by the sign of the area in window coordinates with y up (GL 4.6 core 14.6.1). Vulkan computes the
/// same sum in framebuffer coordinates and negates it (`a = -1/2 sum`). In an ordinary image both coordinates are
/// equal, so the sign is opposite and GL's counter-clockwise is Vulkan's clockwise; on a surface y is
/// mirrored, which turns it once more. An upper-left clip origin mirrors both sides, by GL's definition of it.
fn front_face_ccw(state: &RasterizerState, flipped: bool) -> bool {
    let ccw = state.flags.contains(RasterFlags::FRONT_CCW);
    let upper_left = state.flags.contains(RasterFlags::CLIP_UPPER_LEFT);
    ccw == (flipped != upper_left)
}

/// Whether polygons are offset, for the mode they are drawn in.
fn offset_enabled(state: &RasterizerState) -> bool {
    let flag = match polygon_mode(state) {
        PolygonMode::LINE => RasterFlags::OFFSET_LINE,
        PolygonMode::POINT => RasterFlags::OFFSET_POINT,
        _ => RasterFlags::OFFSET_FILL,
    };
    state.flags.contains(flag)
}

/// The polygon mode; Vulkan has one for both facings, so that of the facing that is not culled counts.
pub(crate) fn polygon_mode(state: &RasterizerState) -> PolygonMode {
    if state.cull.contains(CullFace::FRONT) { state.back_mode } else { state.front_mode }
}

/// The contents behind a key's numbers.
pub(crate) struct PipelineContents<'a> {
    pub targets: &'a TargetLayout,
    pub blend: &'a BlendState,
    pub depth_stencil: &'a DepthStencilState,
    pub vertex_input: &'a VertexInput,
    pub texel_swizzles: &'a TexelSwizzles,
}

/// Which line rasterization a rasterizer state gets.
fn line_mode(gpu: &Gpu, state: &RasterizerState, samples: u32, plain_coverage: bool) -> vk::LineRasterizationModeEXT {
    let f = gpu.features();
    let flags = state.flags;
    if flags.contains(RasterFlags::MULTISAMPLE) && samples > 1 {
        // GL 4.6 core 14.5.4: multisampled lines are rectangles.
        return if f.rectangular_lines {
            vk::LineRasterizationModeEXT::RECTANGULAR
        } else {
            vk::LineRasterizationModeEXT::DEFAULT
        };
    }
    // VUID-VkGraphicsPipelineCreateInfo-lineRasterizationMode-02766.
    if !plain_coverage {
        return vk::LineRasterizationModeEXT::DEFAULT;
    }
    if flags.contains(RasterFlags::LINE_SMOOTH) && f.smooth_lines {
        vk::LineRasterizationModeEXT::RECTANGULAR_SMOOTH
    } else if f.bresenham_lines {
        vk::LineRasterizationModeEXT::BRESENHAM
    } else {
        vk::LineRasterizationModeEXT::DEFAULT
    }
}

/// Whether lines of a mode can be stippled.
fn can_stipple(gpu: &Gpu, mode: vk::LineRasterizationModeEXT) -> bool {
    let f = gpu.features();
    match mode {
        vk::LineRasterizationModeEXT::RECTANGULAR => f.stippled_rectangular_lines,
        vk::LineRasterizationModeEXT::BRESENHAM => f.stippled_bresenham_lines,
        vk::LineRasterizationModeEXT::RECTANGULAR_SMOOTH => f.stippled_smooth_lines,
        _ => f.stippled_rectangular_lines && gpu.limits().strict_lines == vk::TRUE,
    }
}

/// States every graphics pipeline leaves open on this device.
fn dynamic_states(gpu: &Gpu) -> Vec<vk::DynamicState> {
    let f = gpu.features();
    let mut states = vec![
        vk::DynamicState::VIEWPORT,
        vk::DynamicState::SCISSOR,
        vk::DynamicState::LINE_WIDTH,
        vk::DynamicState::DEPTH_BIAS,
        vk::DynamicState::BLEND_CONSTANTS,
        vk::DynamicState::DEPTH_BOUNDS,
        vk::DynamicState::STENCIL_COMPARE_MASK,
        vk::DynamicState::STENCIL_WRITE_MASK,
        vk::DynamicState::STENCIL_REFERENCE,
    ];
    if f.extended_dynamic_state {
        states.extend_from_slice(&[
            vk::DynamicState::CULL_MODE,
            vk::DynamicState::FRONT_FACE,
            vk::DynamicState::PRIMITIVE_TOPOLOGY,
            vk::DynamicState::DEPTH_TEST_ENABLE,
            vk::DynamicState::DEPTH_WRITE_ENABLE,
            vk::DynamicState::DEPTH_COMPARE_OP,
            vk::DynamicState::DEPTH_BOUNDS_TEST_ENABLE,
            vk::DynamicState::STENCIL_TEST_ENABLE,
            vk::DynamicState::STENCIL_OP,
        ]);
        if !f.vertex_input_dynamic {
            states.push(vk::DynamicState::VERTEX_INPUT_BINDING_STRIDE);
        }
    }
    if f.extended_dynamic_state2 {
        states.extend_from_slice(&[
            vk::DynamicState::RASTERIZER_DISCARD_ENABLE,
            vk::DynamicState::DEPTH_BIAS_ENABLE,
            vk::DynamicState::PRIMITIVE_RESTART_ENABLE,
        ]);
    }
    let e = &f.eds3;
    for (on, state) in [
        (f.vertex_input_dynamic, vk::DynamicState::VERTEX_INPUT_EXT),
        (e.depth_clamp, vk::DynamicState::DEPTH_CLAMP_ENABLE_EXT),
        (e.polygon_mode, vk::DynamicState::POLYGON_MODE_EXT),
        (e.provoking_vertex, vk::DynamicState::PROVOKING_VERTEX_MODE_EXT),
        (e.line_mode, vk::DynamicState::LINE_RASTERIZATION_MODE_EXT),
        (e.line_stipple, vk::DynamicState::LINE_STIPPLE_ENABLE_EXT),
        (e.clip_negative_one_to_one, vk::DynamicState::DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT),
        (e.sample_mask, vk::DynamicState::SAMPLE_MASK_EXT),
        (f.dynamic_blend, vk::DynamicState::COLOR_BLEND_ENABLE_EXT),
        (f.dynamic_blend, vk::DynamicState::COLOR_BLEND_EQUATION_EXT),
        (f.dynamic_blend, vk::DynamicState::COLOR_WRITE_MASK_EXT),
        (f.dynamic_blend, vk::DynamicState::ALPHA_TO_COVERAGE_ENABLE_EXT),
        (f.dynamic_blend && e.alpha_to_one, vk::DynamicState::ALPHA_TO_ONE_ENABLE_EXT),
        (f.dynamic_blend && e.logic_op_enable, vk::DynamicState::LOGIC_OP_ENABLE_EXT),
        (f.dynamic_blend && e.logic_op_enable, vk::DynamicState::LOGIC_OP_EXT),
    ] {
        if on {
            states.push(state);
        }
    }
    if has_stipple(gpu) {
        states.push(vk::DynamicState::LINE_STIPPLE_EXT);
    }
    states
}

/// Whether any kind of line can be stippled.
pub(crate) fn has_stipple(gpu: &Gpu) -> bool {
    let f = gpu.features();
    f.stippled_rectangular_lines || f.stippled_bresenham_lines || f.stippled_smooth_lines
}

/// Blending of an attachment of a framebuffer as a program can feed it.
pub(crate) fn blend_attachment(
    gpu: &Gpu,
    targets: &TargetLayout,
    blend: &BlendState,
    shader: &Shader,
    index: usize,
) -> vk::PipelineColorBlendAttachmentState {
    // VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605: then all are alike. What the program doesn't write is
    // undefined (GL 4.6 core 15.2.3), so the first one that it does write stands for all.
    let written = shader.desc.fragment_outputs & targets.colors();
    let alike = gpu.selected.core.independent_blend != vk::TRUE && written != 0;
    let index = if alike { written.trailing_zeros() as usize } else { index };
    let a = &blend.attachments[index];
    let bit = 1 << index;
    // GL 4.6 core 17.3.6: integer attachments are not blended.
    let blendable = targets.blendable & bit != 0;
    // Where there is no attachment, a colour that goes to all of them is not written.
    let written = shader.desc.fragment_outputs & targets.colors() & bit != 0;
    let mask = if written { a.write_mask } else { 0 };
    let state = vk::PipelineColorBlendAttachmentState::default().color_write_mask(conv::write_mask(mask));
    if a.enable == 0 || !blendable {
        return state;
    }
    // A second source colour the program does not write would be undefined, and not valid to ask for.
    let factors = [a.src_color, a.dst_color, a.src_alpha, a.dst_alpha];
    if factors.into_iter().any(conv::is_dual_source) && !shader.desc.flags.contains(ShaderFlags::DUAL_SOURCE) {
        return state;
    }
    state
        .blend_enable(true)
        .src_color_blend_factor(conv::blend_factor(a.src_color))
        .dst_color_blend_factor(conv::blend_factor(a.dst_color))
        .color_blend_op(conv::blend_op(a.color_op))
        .src_alpha_blend_factor(conv::blend_factor(a.src_alpha))
        .dst_alpha_blend_factor(conv::blend_factor(a.dst_alpha))
        .alpha_blend_op(conv::blend_op(a.alpha_op))
}

fn stencil_face(face: &StencilFace) -> vk::StencilOpState {
    vk::StencilOpState {
        fail_op: conv::stencil_op(face.fail_op),
        pass_op: conv::stencil_op(face.pass_op),
        depth_fail_op: conv::stencil_op(face.depth_fail_op),
        compare_op: conv::compare_op(face.func),
        compare_mask: u32::from(face.compare_mask),
        write_mask: u32::from(face.write_mask),
        reference: 0,
    }
}

/// Makes a graphics pipeline.
pub(crate) fn create_graphics(
    gpu: &Gpu,
    cache: vk::PipelineCache,
    shader: &Shader,
    key: &PipelineKey,
    contents: &PipelineContents<'_>,
) -> Result<vk::Pipeline, vk::Result> {
    let f = gpu.features();
    let mut stages: SmallVec<[vk::PipelineShaderStageCreateInfo<'_>; 5]> = SmallVec::new();
    let last = shader.last_vertex_stage();
    for stage in [
        ShaderStage::VERTEX,
        ShaderStage::TESS_CONTROL,
        ShaderStage::TESS_EVALUATION,
        ShaderStage::GEOMETRY,
        ShaderStage::FRAGMENT,
    ] {
        let by_default = stage == ShaderStage::TESS_CONTROL && shader.has_default_levels();
        if !shader.has_stage(stage) && !by_default {
            continue;
        }
        let variant = if by_default {
            variant::default_control_variant(key.patch_vertices.max(1))
        } else if stage == last {
            key.vertex_variant
        } else if stage == ShaderStage::FRAGMENT {
            key.fragment_variant
        } else {
            StageVariant::default()
        };
        let module = shader.module(stage.0 as usize, variant, contents.texel_swizzles)?;
        stages.push(
            vk::PipelineShaderStageCreateInfo::default()
                .stage(conv::shader_stage(stage.0 as usize))
                .module(module)
                .name(c"main"),
        );
    }

    let vertex = VertexArrays::new(contents.vertex_input);
    let mut divisors =
        vk::PipelineVertexInputDivisorStateCreateInfoEXT::default().vertex_binding_divisors(&vertex.divisors);
    let mut vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&vertex.bindings)
        .vertex_attribute_descriptions(&vertex.attributes);
    if !vertex.divisors.is_empty() && f.vertex_divisor {
        vertex_input = vertex_input.push_next(&mut divisors);
    }
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(vk::PrimitiveTopology::from_raw(key.topology))
        .primitive_restart_enable(key.restart);
    // GL 4.6 core 11.2.2: the origin of the domain is at the lower left.
    let mut domain = vk::PipelineTessellationDomainOriginStateCreateInfo::default()
        .domain_origin(vk::TessellationDomainOrigin::LOWER_LEFT);
    let tessellation = vk::PipelineTessellationStateCreateInfo::default()
        .patch_control_points(u32::from(key.patch_vertices.max(1)))
        .push_next(&mut domain);

    let viewports = viewport_count(gpu, shader);
    let mut clip = vk::PipelineViewportDepthClipControlCreateInfoEXT::default()
        .negative_one_to_one(key.raster.negative_one_to_one);
    let mut viewport =
        vk::PipelineViewportStateCreateInfo::default().viewport_count(viewports).scissor_count(viewports);
    if f.depth_clip_control {
        viewport = viewport.push_next(&mut clip);
    }

    let r = &key.raster;
    let mut lines = vk::PipelineRasterizationLineStateCreateInfoEXT::default()
        .line_rasterization_mode(vk::LineRasterizationModeEXT::from_raw(r.line_mode))
        .stippled_line_enable(r.stipple);
    let mut provoking =
        vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT::default().provoking_vertex_mode(r.provoking_mode());
    let mut raster = vk::PipelineRasterizationStateCreateInfo::default()
        .depth_clamp_enable(r.depth_clamp)
        .rasterizer_discard_enable(r.discard)
        .polygon_mode(conv::polygon_mode(PolygonMode(r.mode)))
        .cull_mode(conv::cull_mode(CullFace(r.cull)))
        .front_face(if r.front_ccw { vk::FrontFace::COUNTER_CLOCKWISE } else { vk::FrontFace::CLOCKWISE })
        .depth_bias_enable(r.bias)
        .line_width(1.0);
    if r.line_mode != 0 || r.stipple {
        raster = raster.push_next(&mut lines);
    }
    if f.provoking_vertex_last {
        raster = raster.push_next(&mut provoking);
    }

    let samples = contents.targets.samples.max(1);
    let sample_mask = [key.sample_mask];
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(conv::samples(samples))
        .sample_mask(&sample_mask)
        .alpha_to_coverage_enable(contents.blend.alpha_to_coverage != 0)
        .alpha_to_one_enable(contents.blend.alpha_to_one != 0 && gpu.selected.core.alpha_to_one == vk::TRUE)
        .sample_shading_enable(key.min_samples > 1)
        .min_sample_shading((f32::from(key.min_samples) / samples as f32).min(1.0));

    let ds = contents.depth_stencil;
    let depth_stencil = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(ds.depth_test != 0)
        .depth_write_enable(ds.depth_write != 0)
        .depth_compare_op(conv::compare_op(ds.depth_func))
        .depth_bounds_test_enable(ds.depth_bounds_test != 0)
        .stencil_test_enable(ds.stencil_test != 0)
        .front(stencil_face(&ds.front))
        .back(stencil_face(&ds.back))
        .max_depth_bounds(1.0);

    let attachments: SmallVec<[vk::PipelineColorBlendAttachmentState; MAX_COLOR_ATTACHMENTS]> =
        (0..contents.targets.color_count as usize)
            .map(|i| blend_attachment(gpu, contents.targets, contents.blend, shader, i))
            .collect();
    let logic = contents.blend.logic_op_enable != 0 && gpu.selected.core.logic_op == vk::TRUE;
    let blend = vk::PipelineColorBlendStateCreateInfo::default()
        .logic_op_enable(logic)
        .logic_op(conv::logic_op(contents.blend.logic_op))
        .attachments(&attachments);

    let states = dynamic_states(gpu);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&contents.targets.color[..contents.targets.color_count as usize])
        .depth_attachment_format(contents.targets.depth)
        .stencil_attachment_format(contents.targets.stencil);
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth_stencil)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(shader.layout);
    if f.dynamic_rendering {
        info = info.push_next(&mut rendering);
    } else {
        info = info.render_pass(
            gpu.render_passes.compatible(gpu, contents.targets).ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?,
        );
    }
    if shader.has_stage(ShaderStage::TESS_EVALUATION) {
        info = info.tessellation_state(&tessellation);
    }
    gpu.counters.pipelines_created.add(1);
    gpu.room_for_pipeline()?;
    let made = gpu.device.create_graphics_pipeline(cache, &info);
    made.inspect_err(|e| gpu.note_failure(*e, "vkCreateGraphicsPipelines"))
}

/// Viewports a program's pipelines have.
pub(crate) fn viewport_count(gpu: &Gpu, shader: &Shader) -> u32 {
    if shader.desc.flags.contains(ShaderFlags::WRITES_VIEWPORT) && gpu.selected.core.multi_viewport == vk::TRUE {
        gpu.limits().max_viewports.min(MAX_VIEWPORTS as u32)
    } else {
        1
    }
}

struct VertexArrays {
    bindings: SmallVec<[vk::VertexInputBindingDescription; 16]>,
    attributes: SmallVec<[vk::VertexInputAttributeDescription; 16]>,
    divisors: SmallVec<[vk::VertexInputBindingDivisorDescriptionEXT; 16]>,
}

impl VertexArrays {
    fn new(input: &VertexInput) -> Self {
        let rate = |per_instance| {
            if per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX }
        };
        Self {
            bindings: input
                .bindings
                .iter()
                .map(|b| vk::VertexInputBindingDescription {
                    binding: b.binding,
                    stride: b.stride,
                    input_rate: rate(b.per_instance),
                })
                .collect(),
            attributes: input
                .attributes
                .iter()
                .map(|a| vk::VertexInputAttributeDescription {
                    location: a.location,
                    binding: a.binding,
                    format: a.format,
                    offset: a.offset,
                })
                .collect(),
            divisors: input
                .bindings
                .iter()
                .filter(|b| b.per_instance && b.divisor != 1)
                .map(|b| vk::VertexInputBindingDivisorDescriptionEXT { binding: b.binding, divisor: b.divisor })
                .collect(),
        }
    }
}

/// Makes a compute pipeline. Shaders that leave the size of groups open take it as specialization constants 0, 1 and 2.
pub(crate) fn create_compute(
    gpu: &Gpu,
    cache: vk::PipelineCache,
    shader: &Shader,
    size: [u32; 3],
    texels: &TexelSwizzles,
) -> Result<vk::Pipeline, vk::Result> {
    let module = shader.module(ShaderStage::COMPUTE.0 as usize, StageVariant::default(), texels)?;
    let mut stage =
        vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(module).name(c"main");
    let entry = |axis: u32| vk::SpecializationMapEntry { constant_id: axis, offset: axis * 4, size: 4 };
    let entries = [entry(0), entry(1), entry(2)];
    let constants = vk::SpecializationInfo::default().map_entries(&entries).data(bytemuck::cast_slice(&size));
    if size != [0; 3] {
        stage = stage.specialization_info(&constants);
    }
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(shader.layout);
    gpu.counters.pipelines_created.add(1);
    gpu.room_for_pipeline()?;
    let made = gpu.device.create_compute_pipeline(cache, &info);
    made.inspect_err(|e| gpu.note_failure(*e, "vkCreateComputePipelines"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pipeline_bound_longest_ago_makes_room() {
        let mut table: HashMap<u32, u64> = HashMap::new();
        let mut take = |key: u32, time: u64| {
            make_room(&mut table, 3, |used| *used);
            table.insert(key, time);
            let mut keys: Vec<u32> = table.keys().copied().collect();
            keys.sort_unstable();
            keys
        };
        assert_eq!(take(1, 10), [1]);
        assert_eq!(take(2, 30), [1, 2]);
        assert_eq!(take(3, 20), [1, 2, 3]);
        assert_eq!(take(4, 40), [2, 3, 4]);
        assert_eq!(take(5, 50), [2, 4, 5]);
    }
}
