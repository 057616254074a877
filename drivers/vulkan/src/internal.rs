//! Pipelines of the driver's own draws: masked clears and blits.

use ash::vk;
use gallite_pipe::MAX_COLOR_ATTACHMENTS;
use hashbrown::HashMap;
use parking_lot::Mutex;

use crate::conv;
use crate::gpu::Gpu;
use crate::pipeline_cache::PipelineCache;
use crate::state_object::TargetLayout;

mod shaders {
    include!(concat!(env!("OUT_DIR"), "/internal_shaders.rs"));
}

/// Kind of values a draw writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Output {
    Float,
    Sint,
    Uint,
    Depth,
    /// One stencil bit, where the source has it set.
    Stencil,
}

/// What a blit reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    D1,
    D2,
    D3,
    Multisampled,
}

/// What an internal draw does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    Clear(Output),
    Blit(Source, Output),
    /// Filtered, for float colours.
    BlitLinear(Source),
    /// No fragment stage: stencil alone.
    StencilOnly,
}

/// Everything an internal pipeline depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct InternalKey {
    pub program: Program,
    pub color: vk::Format,
    pub depth: vk::Format,
    pub stencil: vk::Format,
    pub samples: u32,
    /// Channels written.
    pub mask: u8,
}

impl InternalKey {
    /// The framebuffer it draws to.
    pub fn targets(&self) -> TargetLayout {
        let mut color = [vk::Format::UNDEFINED; MAX_COLOR_ATTACHMENTS];
        color[0] = self.color;
        TargetLayout {
            color,
            color_count: u32::from(self.color != vk::Format::UNDEFINED),
            depth: self.depth,
            stencil: self.stencil,
            samples: self.samples,
            blendable: 0,
        }
    }
}

/// Values of a blit, as `src/wgsl/blit.wgsl` reads them.
#[derive(Debug, Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct BlitConstants {
    pub scale: [f32; 2],
    pub offset: [f32; 2],
    pub size: [f32; 2],
    pub depth: f32,
    pub slice: i32,
    pub samples: i32,
    pub stencil_bit: u32,
    pub stencil_always: u32,
    pub opaque: u32,
}

/// Bytes of push constants internal programs may use.
const PUSH_BYTES: u32 = 64;

/// Layouts, modules and pipelines, made on first use.
#[derive(Default)]
pub(crate) struct BlitPipelines {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    set: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    modules: HashMap<Option<Program>, vk::ShaderModule>,
    pipelines: HashMap<InternalKey, vk::Pipeline>,
}

/// An internal pipeline, ready to be bound.
#[derive(Clone, Copy)]
pub(crate) struct InternalPipeline {
    pub raw: vk::Pipeline,
    pub layout: vk::PipelineLayout,
    pub set: vk::DescriptorSetLayout,
}

fn words(program: Program) -> Option<&'static [u32]> {
    use Output::{Depth, Float, Sint, Stencil, Uint};
    use Source::{D1, D2, D3, Multisampled};
    Some(match program {
        Program::Clear(Float) => shaders::CLEAR_F32,
        Program::Clear(Sint) => shaders::CLEAR_I32,
        Program::Clear(_) => shaders::CLEAR_U32,
        Program::Blit(D1, Float) => shaders::BLIT_1D_F32,
        Program::Blit(D1, Sint) => shaders::BLIT_1D_I32,
        Program::Blit(D1, Uint) => shaders::BLIT_1D_U32,
        Program::Blit(D1, Depth) => shaders::BLIT_1D_DEPTH,
        Program::Blit(D1, Stencil) => shaders::BLIT_1D_STENCIL,
        Program::Blit(D2, Float) => shaders::BLIT_2D_F32,
        Program::Blit(D2, Sint) => shaders::BLIT_2D_I32,
        Program::Blit(D2, Uint) => shaders::BLIT_2D_U32,
        Program::Blit(D2, Depth) => shaders::BLIT_2D_DEPTH,
        Program::Blit(D2, Stencil) => shaders::BLIT_2D_STENCIL,
        Program::Blit(D3, Float) => shaders::BLIT_3D_F32,
        Program::Blit(D3, Sint) => shaders::BLIT_3D_I32,
        Program::Blit(D3, Uint) => shaders::BLIT_3D_U32,
        Program::Blit(D3, Depth) => shaders::BLIT_3D_DEPTH,
        Program::Blit(D3, Stencil) => shaders::BLIT_3D_STENCIL,
        Program::Blit(Multisampled, Float) => shaders::BLIT_MS_F32,
        Program::Blit(Multisampled, Sint) => shaders::BLIT_MS_I32,
        Program::Blit(Multisampled, Uint) => shaders::BLIT_MS_U32,
        Program::Blit(Multisampled, Depth) => shaders::BLIT_MS_DEPTH,
        Program::Blit(Multisampled, Stencil) => shaders::BLIT_MS_STENCIL,
        Program::BlitLinear(D1) => shaders::BLIT_1D_LINEAR,
        Program::BlitLinear(D3) => shaders::BLIT_3D_LINEAR,
        Program::BlitLinear(_) => shaders::BLIT_2D_LINEAR,
        Program::StencilOnly => return None,
    })
}

impl BlitPipelines {
    /// The pipeline of a key; `None` when the device refuses.
    pub fn get(&self, gpu: &Gpu, cache: &PipelineCache, key: InternalKey) -> Option<InternalPipeline> {
        let mut state = self.state.lock();
        let state = &mut *state;
        state.ensure_layout(gpu)?;
        let raw = match state.pipelines.get(&key) {
            Some(&raw) => raw,
            None => {
                let vertex = state.module(gpu, None)?;
                let fragment = match key.program {
                    Program::StencilOnly => None,
                    program => Some(state.module(gpu, Some(program))?),
                };
                let raw = create(gpu, cache.current().raw, state.layout, &key, vertex, fragment)?;
                state.pipelines.insert(key, raw);
                raw
            }
        };
        Some(InternalPipeline { raw, layout: state.layout, set: state.set })
    }

    /// Destroys everything; the device is idle.
    pub fn close(&self, gpu: &Gpu) {
        let state = std::mem::take(&mut *self.state.lock());
        for (_, pipeline) in state.pipelines {
            gpu.device.destroy_pipeline(pipeline);
        }
        for (_, module) in state.modules {
            gpu.device.destroy_shader_module(module);
        }
        if state.layout != vk::PipelineLayout::null() {
            gpu.device.destroy_pipeline_layout(state.layout);
            gpu.device.destroy_descriptor_set_layout(state.set);
        }
    }
}

impl State {
    fn ensure_layout(&mut self, gpu: &Gpu) -> Option<()> {
        if self.layout != vk::PipelineLayout::null() {
            return Some(());
        }
        let binding = |n, ty| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(n)
                .descriptor_type(ty)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::FRAGMENT)
        };
        let bindings = [binding(0, vk::DescriptorType::SAMPLED_IMAGE), binding(1, vk::DescriptorType::SAMPLER)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        self.set = gpu.device.create_descriptor_set_layout(&info).ok()?;
        let sets = [self.set];
        let push = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::FRAGMENT, offset: 0, size: PUSH_BYTES }];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
        self.layout = gpu.device.create_pipeline_layout(&info).ok()?;
        Some(())
    }

    fn module(&mut self, gpu: &Gpu, program: Option<Program>) -> Option<vk::ShaderModule> {
        if let Some(&module) = self.modules.get(&program) {
            return Some(module);
        }
        let code = match program {
            None => shaders::FULLSCREEN,
            Some(program) => words(program)?,
        };
        let module = gpu.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(code)).ok()?;
        self.modules.insert(program, module);
        Some(module)
    }
}

fn create(
    gpu: &Gpu,
    cache: vk::PipelineCache,
    layout: vk::PipelineLayout,
    key: &InternalKey,
    vertex: vk::ShaderModule,
    fragment: Option<vk::ShaderModule>,
) -> Option<vk::Pipeline> {
    let stage = |flag, module| vk::PipelineShaderStageCreateInfo::default().stage(flag).module(module).name(c"main");
    let mut stages: smallvec::SmallVec<[vk::PipelineShaderStageCreateInfo<'_>; 2]> = smallvec::SmallVec::new();
    stages.push(stage(vk::ShaderStageFlags::VERTEX, vertex));
    if let Some(module) = fragment {
        stages.push(stage(vk::ShaderStageFlags::FRAGMENT, module));
    }
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(vk::PolygonMode::FILL)
        .cull_mode(vk::CullModeFlags::NONE)
        .line_width(1.0);
    let multisample =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(conv::samples(key.samples));
    let replace = vk::StencilOpState {
        fail_op: vk::StencilOp::REPLACE,
        pass_op: vk::StencilOp::REPLACE,
        depth_fail_op: vk::StencilOp::REPLACE,
        compare_op: vk::CompareOp::ALWAYS,
        compare_mask: 0xff,
        write_mask: 0xff,
        reference: 0,
    };
    let depth = matches!(key.program, Program::Blit(_, Output::Depth));
    let stencil = matches!(key.program, Program::StencilOnly | Program::Blit(_, Output::Stencil));
    let depth_stencil = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(depth)
        .depth_write_enable(depth)
        .depth_compare_op(vk::CompareOp::ALWAYS)
        .stencil_test_enable(stencil)
        .front(replace)
        .back(replace);
    let color = key.color != vk::Format::UNDEFINED;
    let attachments = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(conv::write_mask(key.mask))];
    let formats = [key.color];
    let count = usize::from(color);
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments[..count]);
    let states = [
        vk::DynamicState::VIEWPORT,
        vk::DynamicState::SCISSOR,
        vk::DynamicState::STENCIL_WRITE_MASK,
        vk::DynamicState::STENCIL_REFERENCE,
    ];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats[..count])
        .depth_attachment_format(key.depth)
        .stencil_attachment_format(key.stencil);
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
        .layout(layout);
    if gpu.features().dynamic_rendering {
        info = info.push_next(&mut rendering);
    } else {
        info = info.render_pass(gpu.render_passes.compatible(gpu, &key.targets())?);
    }
    gpu.counters.pipelines_created.add(1);
    match gpu.device.create_graphics_pipeline(cache, &info) {
        Ok(pipeline) => Some(pipeline),
        Err(e) => {
            gpu.note_failure(e, "an internal pipeline");
            None
        }
    }
}
