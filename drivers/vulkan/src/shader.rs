//! Shaders: the stages of a program, their descriptor layouts, and the pipelines made from them.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use gallite_shader::passes::draw_parameters::{DrawValues, correct_draw_parameters};
use hashbrown::HashMap;
use parking_lot::Mutex;
use smallvec::SmallVec;

use crate::conv;
use crate::gpu::{Garbage, Gpu, Uses};
use crate::pipeline::{self, Pipeline, PipelineKey};
use crate::variant::{self, StageVariant, TexelSwizzles};

/// Descriptor sets of the interface: uniform buffers, samplers, storage buffers, images.
pub(crate) const SET_COUNT: usize = 4;

/// Values the driver's own shader code reads, at the start of the push constants.
#[derive(Debug, Clone, Copy, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct DriverConstants {
    /// Scale and bias that turn a row: -1 and the height of the framebuffer.
    pub turn: [f32; 2],
    /// Size of points the shader does not size itself.
    pub point_size: f32,
    /// Zero.
    pub reserved: f32,
    /// Default tessellation levels.
    pub outer_levels: [f32; 4],
    pub inner_levels: [f32; 2],
}

/// What draws tell programs that ask for it, behind the [`DriverConstants`].
#[derive(Debug, Clone, Copy, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct DrawConstants {
    /// All ones with indices, else 0.
    pub indexed: u32,
    /// Number of the draw that the device counts as 0.
    pub draw_id: u32,
}

/// Where they begin.
pub(crate) const DRAW_CONSTANTS: u32 = size_of::<DriverConstants>() as u32;

/// One descriptor's data as update templates read it: room for any of Vulkan's descriptor structures.
pub(crate) type DescriptorData = [u64; 3];

/// One binding of a descriptor set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SetBinding {
    pub binding: u32,
    pub count: u32,
    pub ty: vk::DescriptorType,
    /// Index of its first descriptor in the set's data.
    pub data: u32,
}

/// One descriptor set of a program.
#[derive(Debug, Default)]
pub(crate) struct SetLayout {
    pub raw: vk::DescriptorSetLayout,
    pub template: vk::DescriptorUpdateTemplate,
    pub bindings: Vec<SetBinding>,
    /// Descriptors in all.
    pub descriptors: u32,
}

/// The device had no memory for an object.
pub(crate) struct OutOfMemory;

/// A linked program.
pub(crate) struct Shader {
    gpu: Arc<Gpu>,
    /// Never reused, unlike native handles.
    pub identity: u32,
    pub desc: ShaderDesc,
    pub compute: bool,
    words: [Vec<u32>; STAGE_COUNT],
    pub sets: [SetLayout; SET_COUNT],
    pub set_count: u32,
    pub layout: vk::PipelineLayout,
    /// Stages the driver's push constants are visible to.
    pub push_stages: vk::ShaderStageFlags,
    modules: Mutex<HashMap<(usize, StageVariant, TexelSwizzles), vk::ShaderModule>>,
    /// What was made from it; `None` is what the device refused to make.
    pipelines: Mutex<HashMap<PipelineKey, Option<Arc<Pipeline>>>>,
    pub uses: Uses,
}

impl Shader {
    pub fn new(gpu: &Arc<Gpu>, desc: &ShaderDesc, words: &[u32], bindings: &[ShaderBinding]) -> Option<Self> {
        let part = |code: &StageCode| {
            let start = code.offset as usize;
            words.get(start..start.saturating_add(code.count as usize)).map(<[u32]>::to_vec).unwrap_or_default()
        };
        let mut stages: [Vec<u32>; STAGE_COUNT] = std::array::from_fn(|i| part(&desc.stages[i]));
        gpu.selected.workarounds.apply(&mut stages);
        if desc.flags.contains(ShaderFlags::READS_INSTANCE_INDEX) && gpu.features().draw_parameters {
            let vertex = &mut stages[ShaderStage::VERTEX.0 as usize];
            *vertex = gallite_shader::passes::instance_id::subtract_base_instance(vertex);
        }
        if desc.flags.contains(ShaderFlags::READS_DRAW_PARAMETERS) {
            let vertex = &mut stages[ShaderStage::VERTEX.0 as usize];
            let values = DrawValues { indexed: DRAW_CONSTANTS, draw_id: DRAW_CONSTANTS + 4 };
            *vertex = correct_draw_parameters(vertex, values);
        }
        let compute = !stages[ShaderStage::COMPUTE.0 as usize].is_empty();
        let present = stages.iter().enumerate().filter(|(_, w)| !w.is_empty()).fold(0, |m, (i, _)| m | 1 << i);
        let mut shader = Self {
            gpu: gpu.clone(),
            identity: gpu.identity() as u32,
            desc: *desc,
            compute,
            words: stages,
            sets: Default::default(),
            set_count: 0,
            layout: vk::PipelineLayout::null(),
            push_stages: if compute { vk::ShaderStageFlags::COMPUTE } else { vk::ShaderStageFlags::ALL_GRAPHICS },
            modules: Mutex::default(),
            pipelines: Mutex::default(),
            uses: Uses::default(),
        };
        shader.make_layouts(bindings, present).ok()?;
        Some(shader)
    }

    /// Its pipeline for a key, made when there is none yet. `None` when the device refused it: it said so then, and is not
    /// asked again but where it had no memory, which is told by the outcome.
    pub fn pipeline(
        &self,
        key: &PipelineKey,
        make: impl FnOnce() -> Result<vk::Pipeline, vk::Result>,
    ) -> Result<Option<Arc<Pipeline>>, OutOfMemory> {
        let mut pipelines = self.pipelines.lock();
        if let Some(known) = pipelines.get(key) {
            return Ok(known.clone());
        }
        let pipeline = match make() {
            Ok(raw) => Some(Pipeline::new(&self.gpu, raw)),
            Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY) => {
                return Err(OutOfMemory);
            }
            Err(_) => None,
        };
        pipeline::make_room(&mut pipelines, pipeline::MAX_OF_PROGRAM, |known| {
            known.as_ref().map_or(0, |p| p.bound_at())
        });
        pipelines.insert(*key, pipeline.clone());
        Ok(pipeline)
    }

    fn make_layouts(&mut self, bindings: &[ShaderBinding], present: u32) -> Result<(), vk::Result> {
        let mut all: Vec<ShaderBinding> = bindings.to_vec();
        let has_default = all.iter().any(|b| b.kind == BindingKind::UNIFORM_BUFFER && b.binding == 0);
        if self.desc.default_block_size > 0 && !has_default {
            all.push(ShaderBinding {
                kind: BindingKind::UNIFORM_BUFFER,
                count: 1,
                stages: present,
                size: self.desc.default_block_size,
                ..Default::default()
            });
        }
        all.sort_by_key(|b| (b.kind.0, b.binding));
        all.dedup_by_key(|b| (b.kind.0, b.binding));
        let gpu = self.gpu.clone();
        self.set_count = all.iter().map(|b| b.kind.0 + 1).max().unwrap_or(0).min(SET_COUNT as u32);
        for set in 0..self.set_count as usize {
            let mine = all.iter().filter(|b| b.kind.0 as usize == set);
            self.sets[set] = make_set(&gpu, mine, set, self.desc.flags)?;
        }
        let layouts: SmallVec<[vk::DescriptorSetLayout; SET_COUNT]> =
            self.sets[..self.set_count as usize].iter().map(|s| s.raw).collect();
        let push = [vk::PushConstantRange {
            stage_flags: self.push_stages,
            offset: 0,
            size: DRAW_CONSTANTS + size_of::<DrawConstants>() as u32,
        }];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&push);
        self.layout = gpu.device.create_pipeline_layout(&info)?;
        Ok(())
    }

    pub fn has_stage(&self, stage: ShaderStage) -> bool {
        !self.words[stage.0 as usize].is_empty()
    }

    /// The last stage before rasterization.
    pub fn last_vertex_stage(&self) -> ShaderStage {
        [ShaderStage::GEOMETRY, ShaderStage::TESS_EVALUATION]
            .into_iter()
            .find(|s| self.has_stage(*s))
            .unwrap_or(ShaderStage::VERTEX)
    }

    /// Whether it tessellates by the default levels: with an evaluation stage and no control stage.
    pub fn has_default_levels(&self) -> bool {
        self.has_stage(ShaderStage::TESS_EVALUATION) && !self.has_stage(ShaderStage::TESS_CONTROL)
    }

    /// Dense indices of the buffer textures that it reads.
    pub fn texel_buffers(&self) -> impl Iterator<Item = u32> {
        let bindings = self.sets[1].bindings.iter().filter(|b| b.ty == vk::DescriptorType::UNIFORM_TEXEL_BUFFER);
        bindings.flat_map(|b| b.binding..b.binding + b.count)
    }

    /// Whether the default block exists in the layout.
    pub fn has_default_block(&self) -> bool {
        self.sets[0].bindings.first().is_some_and(|b| b.binding == 0)
    }

    /// The module of a stage in a variant, made on first use.
    pub fn module(
        &self,
        stage: usize,
        variant: StageVariant,
        texels: &TexelSwizzles,
    ) -> Result<vk::ShaderModule, vk::Result> {
        let mut modules = self.modules.lock();
        let key = (stage, variant, texels.clone());
        if let Some(&module) = modules.get(&key) {
            return Ok(module);
        }
        let adapted = if stage == ShaderStage::TESS_CONTROL.0 as usize && self.has_default_levels() {
            let control = variant::default_control(&self.words[ShaderStage::TESS_EVALUATION.0 as usize], variant);
            Some(control.ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?)
        } else {
            variant::apply(&self.words[stage], variant, texels)
        };
        let code = adapted.as_deref().unwrap_or(&self.words[stage]);
        let module = self.gpu.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(code));
        let module = module.inspect_err(|e| self.gpu.note_failure(*e, "vkCreateShaderModule"))?;
        modules.insert(key, module);
        Ok(module)
    }
}

fn descriptor_type(binding: &ShaderBinding, flags: ShaderFlags) -> vk::DescriptorType {
    match binding.kind {
        BindingKind::UNIFORM_BUFFER if binding.binding == 0 && flags.contains(ShaderFlags::LARGE_DEFAULT_BLOCK) => {
            vk::DescriptorType::STORAGE_BUFFER_DYNAMIC
        }
        BindingKind::UNIFORM_BUFFER if binding.binding == 0 => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
        BindingKind::UNIFORM_BUFFER => vk::DescriptorType::UNIFORM_BUFFER,
        BindingKind::SAMPLER if binding.dim == TextureDim::BUFFER => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        BindingKind::SAMPLER => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        BindingKind::STORAGE_BUFFER => vk::DescriptorType::STORAGE_BUFFER,
        _ if binding.dim == TextureDim::BUFFER => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        _ => vk::DescriptorType::STORAGE_IMAGE,
    }
}

fn make_set<'a>(
    gpu: &Gpu,
    bindings: impl Iterator<Item = &'a ShaderBinding>,
    set: usize,
    flags: ShaderFlags,
) -> Result<SetLayout, vk::Result> {
    let mut layout = SetLayout::default();
    let mut raw: SmallVec<[vk::DescriptorSetLayoutBinding<'_>; 16]> = SmallVec::new();
    let mut entries: SmallVec<[vk::DescriptorUpdateTemplateEntry; 16]> = SmallVec::new();
    for binding in bindings {
        let count = binding.count.max(1);
        let ty = descriptor_type(binding, flags);
        raw.push(
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding.binding)
                .descriptor_type(ty)
                .descriptor_count(count)
                .stage_flags(conv::shader_stages(binding.stages)),
        );
        entries.push(
            vk::DescriptorUpdateTemplateEntry::default()
                .dst_binding(binding.binding)
                .descriptor_count(count)
                .descriptor_type(ty)
                .offset(layout.descriptors as usize * size_of::<DescriptorData>())
                .stride(size_of::<DescriptorData>()),
        );
        layout.bindings.push(SetBinding { binding: binding.binding, count, ty, data: layout.descriptors });
        layout.descriptors += count;
    }
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&raw);
    layout.raw = gpu.device.create_descriptor_set_layout(&info)?;
    if !entries.is_empty() {
        let info = vk::DescriptorUpdateTemplateCreateInfo::default()
            .descriptor_update_entries(&entries)
            .template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET)
            .descriptor_set_layout(layout.raw)
            .set(set as u32);
        layout.template = gpu.device.create_descriptor_update_template(&info)?;
    }
    Ok(layout)
}

impl Drop for Shader {
    fn drop(&mut self) {
        for (_, module) in self.modules.get_mut().drain() {
            // Modules are not used by command buffers.
            self.gpu.device.destroy_shader_module(module);
        }
        for set in &self.sets {
            if set.template != vk::DescriptorUpdateTemplate::null() {
                self.gpu.retire(&self.uses, Garbage::Template(set.template));
            }
            if set.raw != vk::DescriptorSetLayout::null() {
                self.gpu.retire(&self.uses, Garbage::SetLayout(set.raw));
            }
        }
        if self.layout != vk::PipelineLayout::null() {
            self.gpu.retire(&self.uses, Garbage::PipelineLayout(self.layout));
        }
    }
}
