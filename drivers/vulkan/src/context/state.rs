//! State calls: what is bound. Handles are resolved here, once, and equal state changes nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gallite_pipe::*;

use super::{BoundImage, BoundRange, BoundSampler, BoundVertexBuffer, Dirty, VulkanContext};
use crate::adapter::DeviceFeatures;
use crate::buffer::Buffer;
use crate::pipeline::polygon_mode;
use crate::sampler::{SamplerView, ViewSource};
use crate::screen::Objects;
use crate::shader::Shader;
use crate::state_object::StateObject;
use crate::table::Mirror;
use crate::texture::TextureKind;
use crate::variant::TexelSwizzles;

fn resolve(mirror: &mut Mirror<Buffer>, objects: &Objects, id: BufferId) -> Option<Arc<Buffer>> {
    mirror.get(id, &objects.buffers).cloned()
}

fn set_ranges(
    mirror: &mut Mirror<Buffer>,
    objects: &Objects,
    slots: &mut Vec<BoundRange>,
    ranges: &[BufferRange],
) -> bool {
    let mut changed = slots.len() != ranges.len();
    slots.resize_with(ranges.len(), BoundRange::default);
    for (slot, range) in slots.iter_mut().zip(ranges) {
        if slot.range == *range {
            continue;
        }
        changed = true;
        if slot.range.buffer != range.buffer {
            slot.buffer = resolve(mirror, objects, range.buffer);
            slot.storage = slot.buffer.as_ref().and_then(|b| b.storage());
        }
        slot.range = *range;
    }
    changed
}

/// Switches that change without another pipeline on this device.
fn dynamic_flags(f: &DeviceFeatures) -> RasterFlags {
    let offsets = RasterFlags::OFFSET_FILL | RasterFlags::OFFSET_LINE | RasterFlags::OFFSET_POINT;
    let lines = RasterFlags::LINE_SMOOTH | RasterFlags::LINE_STIPPLE | RasterFlags::MULTISAMPLE;
    RasterFlags::SCISSOR
        .with(RasterFlags::FRONT_CCW, f.extended_dynamic_state)
        .with(RasterFlags::DISCARD | offsets, f.extended_dynamic_state2)
        .with(RasterFlags::DEPTH_CLAMP, f.eds3.depth_clamp)
        .with(RasterFlags::PROVOKING_FIRST, f.eds3.provoking_vertex)
        .with(RasterFlags::CLIP_ZERO_TO_ONE, f.eds3.clip_negative_one_to_one)
        .with(lines, f.eds3.line_mode && f.eds3.line_stipple)
}

/// What must be looked at again after a change of rasterizer state.
fn raster_changes(f: &DeviceFeatures, old: Option<&RasterizerState>, new: Option<&RasterizerState>) -> u32 {
    let all = Dirty::RASTER | Dirty::PIPELINE | Dirty::SCISSOR | Dirty::CONSTANTS | Dirty::VIEWPORT;
    let (Some(old), Some(new)) = (old, new) else { return all };
    let flags = old.flags.0 ^ new.flags.0;
    let mut dirty = 0;
    // The mode and multisampling also decide between the program's variants.
    if flags & (!dynamic_flags(f).0 | RasterFlags::MULTISAMPLE.0) != 0
        || polygon_mode(old) != polygon_mode(new)
        || old.clip_enable != new.clip_enable
        || (old.cull != new.cull && !f.extended_dynamic_state)
    {
        dirty |= Dirty::PIPELINE;
    }
    // What is discarded may be discarded by the scissor rectangle.
    if flags & (RasterFlags::SCISSOR.0 | RasterFlags::DISCARD.0) != 0 {
        dirty |= Dirty::SCISSOR;
    }
    if flags & RasterFlags::CLIP_UPPER_LEFT.0 != 0 {
        dirty |= Dirty::VIEWPORT;
    }
    if old.point_size != new.point_size {
        dirty |= Dirty::CONSTANTS;
    }
    if flags & !RasterFlags::SCISSOR.0 != 0
        || (old.front_mode, old.back_mode, old.cull) != (new.front_mode, new.back_mode, new.cull)
        || (old.line_width, old.offset_units, old.offset_factor, old.offset_clamp)
            != (new.line_width, new.offset_units, new.offset_factor, new.offset_clamp)
        || (old.line_stipple_pattern, old.line_stipple_repeat) != (new.line_stipple_pattern, new.line_stipple_repeat)
    {
        dirty |= Dirty::RASTER;
    }
    dirty
}

impl VulkanContext {
    pub(crate) fn bind_blend(&mut self, id: BlendId) {
        if self.bound.ids.0 == id {
            return;
        }
        self.bound.ids.0 = id;
        let new = self.mirrors.blends.get(id, &self.objects.blends).cloned();
        let coverage = |b: &Option<Arc<StateObject<BlendState>>>| {
            b.as_ref().map_or((0, 0), |b| (b.state.alpha_to_coverage, b.state.alpha_to_one))
        };
        self.dirty |= if !self.gpu.features().dynamic_blend {
            Dirty::PIPELINE
        } else if coverage(&new) == coverage(&self.bound.blend) {
            Dirty::BLEND
        } else {
            // Which lines can be drawn depends on it.
            Dirty::BLEND | Dirty::RASTER | Dirty::PIPELINE
        };
        self.bound.blend = new;
    }

    pub(crate) fn bind_depth_stencil(&mut self, id: DepthStencilId) {
        if self.bound.ids.1 == id {
            return;
        }
        self.bound.ids.1 = id;
        self.bound.depth_stencil = self.mirrors.depth_stencils.get(id, &self.objects.depth_stencils).cloned();
        self.dirty |= Dirty::DEPTH_STENCIL;
        if !self.gpu.features().extended_dynamic_state {
            self.dirty |= Dirty::PIPELINE;
        }
    }

    pub(crate) fn bind_rasterizer(&mut self, id: RasterizerId) {
        if self.bound.ids.2 == id {
            return;
        }
        self.bound.ids.2 = id;
        let new = self.mirrors.rasterizers.get(id, &self.objects.rasterizers).cloned();
        self.dirty |= raster_changes(
            self.gpu.features(),
            self.bound.rasterizer.as_ref().map(|r| &r.state),
            new.as_ref().map(|r| &r.state),
        );
        self.bound.rasterizer = new;
    }

    pub(crate) fn bind_vertex_elements(&mut self, id: VertexElementsId) {
        if self.bound.ids.3 == id {
            return;
        }
        self.bound.ids.3 = id;
        self.bound.vertex_elements = self.mirrors.vertex_elements.get(id, &self.objects.vertex_elements).cloned();
        self.dirty |= Dirty::VERTEX_INPUT | Dirty::VERTEX_BUFFERS;
    }

    pub(crate) fn set_framebuffer(&mut self, state: &FramebufferState) {
        if self.bound.framebuffer == *state && self.target.is_some() {
            return;
        }
        self.end_pass();
        // Contents that were given up are those of the framebuffer before.
        self.pass.discard = 0;
        self.bound.framebuffer = *state;
        self.target = None;
        self.dirty |= Dirty::TARGET;
    }

    pub(crate) fn bind_shader(&mut self, point: BindPoint, id: ShaderId) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        if stage.shader_id == id {
            return;
        }
        stage.shader_id = id;
        let new = self.mirrors.shaders.get(id, &self.objects.shaders).cloned();
        let old = std::mem::replace(&mut stage.shader, new);
        // Descriptor layouts are the program's own, so its sets are made anew.
        stage.sets.forget();
        self.dirty |= Dirty::PIPELINE
            | Dirty::VERTEX_INPUT
            | Dirty::DEFAULT_BLOCK
            | Dirty::UNIFORM_BUFFERS
            | Dirty::SAMPLERS
            | Dirty::STORAGE_BUFFERS
            | Dirty::IMAGES
            | Dirty::RESOURCES;
        // Viewports in use, and colour outputs.
        let differs = match (&old, &stage.shader) {
            (Some(old), Some(new)) => {
                (old.desc.flags.0 ^ new.desc.flags.0) & (ShaderFlags::WRITES_VIEWPORT | ShaderFlags::DUAL_SOURCE).0 != 0
                    || old.desc.fragment_outputs != new.desc.fragment_outputs
            }
            _ => true,
        };
        if differs {
            self.dirty |= Dirty::CONSTANTS | Dirty::BLEND | Dirty::VIEWPORT | Dirty::SCISSOR;
        }
        if point == BindPoint::COMPUTE {
            self.compute_pipeline = None;
        } else {
            self.draws_store = stage.shader.as_ref().is_some_and(|s| s.desc.flags.contains(ShaderFlags::STORES));
        }
    }

    pub(crate) fn set_viewports(&mut self, first: u32, viewports: &[Viewport]) {
        let slots = self.bound.viewports.iter_mut().skip(first as usize);
        for (slot, viewport) in slots.zip(viewports) {
            if slot != viewport {
                *slot = *viewport;
                self.dirty |= Dirty::VIEWPORT;
            }
        }
    }

    pub(crate) fn set_scissors(&mut self, first: u32, scissors: &[Rect]) {
        let slots = self.bound.scissors.iter_mut().skip(first as usize);
        for (slot, scissor) in slots.zip(scissors) {
            if slot != scissor {
                *slot = *scissor;
                self.dirty |= Dirty::SCISSOR;
            }
        }
    }

    pub(crate) fn set_stencil_reference(&mut self, front: u32, back: u32) {
        if self.bound.stencil_reference != (front, back) {
            self.bound.stencil_reference = (front, back);
            self.dirty |= Dirty::STENCIL_REF;
        }
    }

    pub(crate) fn set_blend_color(&mut self, color: &Color) {
        if self.bound.blend_color != *color {
            self.bound.blend_color = *color;
            self.dirty |= Dirty::BLEND_COLOR;
        }
    }

    pub(crate) fn set_sample_mask(&mut self, mask: u32) {
        if self.bound.sample_mask != mask {
            self.bound.sample_mask = mask;
            self.dirty |= if self.gpu.features().eds3.sample_mask { Dirty::BLEND } else { Dirty::PIPELINE };
        }
    }

    pub(crate) fn set_min_samples(&mut self, samples: u32) {
        if self.bound.min_samples != samples {
            self.bound.min_samples = samples;
            self.dirty |= Dirty::PIPELINE | Dirty::RASTER;
        }
    }

    pub(crate) fn set_patch_defaults(&mut self, defaults: &PatchDefaults) {
        if self.bound.patch != *defaults {
            self.bound.patch = *defaults;
            self.dirty |= Dirty::PIPELINE | Dirty::CONSTANTS;
        }
    }

    pub(crate) fn set_clip_planes(&mut self, planes: &[Color]) {
        for (slot, plane) in self.clip_planes.iter_mut().zip(planes) {
            *slot = *plane;
        }
    }

    pub(crate) fn set_polygon_stipple(&mut self, rows: &[u32; 32]) {
        self.polygon_stipple = *rows;
    }

    pub(crate) fn set_vertex_buffers(&mut self, buffers: &[VertexBuffer]) {
        let slots = &mut self.bound.vertex_buffers;
        let mut changed = slots.len() != buffers.len();
        slots.resize_with(buffers.len(), BoundVertexBuffer::default);
        for (slot, binding) in slots.iter_mut().zip(buffers) {
            if slot.binding == *binding {
                continue;
            }
            changed = true;
            if slot.binding.buffer != binding.buffer {
                slot.buffer = resolve(&mut self.mirrors.buffers, &self.objects, binding.buffer);
                slot.storage = slot.buffer.as_ref().and_then(|b| b.storage());
            }
            slot.binding = *binding;
        }
        if changed {
            self.dirty |= Dirty::VERTEX_BUFFERS;
        }
    }

    pub(crate) fn set_default_block(&mut self, point: BindPoint, bytes: &[u8]) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        stage.default_block.clear();
        stage.default_block.extend_from_slice(bytes);
        stage.sets.default_block_changed = true;
        self.dirty |= Dirty::DEFAULT_BLOCK;
    }

    pub(crate) fn set_uniform_buffers(&mut self, point: BindPoint, ranges: &[BufferRange]) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        if set_ranges(&mut self.mirrors.buffers, &self.objects, &mut stage.uniform_buffers, ranges) {
            stage.sets.stale |= 1;
            self.dirty |= Dirty::UNIFORM_BUFFERS;
        }
    }

    pub(crate) fn set_storage_buffers(&mut self, point: BindPoint, writable: u64, ranges: &[BufferRange]) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        stage.storage_writable = writable;
        if set_ranges(&mut self.mirrors.buffers, &self.objects, &mut stage.storage_buffers, ranges) {
            stage.sets.stale |= 1 << 2;
            self.dirty |= Dirty::STORAGE_BUFFERS;
        }
    }

    /// Brings the swizzles of a bind point's buffer textures up to date.
    pub(super) fn find_texel_swizzles(&mut self, point: usize, shader: &Shader) {
        let stage = &mut self.bound.stages[point];
        let special = |index: u32| {
            let view = stage.samplers.get(index as usize)?.view.as_ref()?;
            let ViewSource::Buffer(texels) = &view.source else { return None };
            Some((index, texels.swizzle?))
        };
        let swizzles: TexelSwizzles = shader.texel_buffers().filter_map(special).collect();
        if swizzles != stage.texels.1 {
            let id = if swizzles.is_empty() { 0 } else { self.objects.interners.texel_swizzles.id(&swizzles) };
            stage.texels = (id, swizzles);
        }
    }

    pub(crate) fn set_samplers(&mut self, point: BindPoint, first: u32, samplers: &[SampledBinding]) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        let end = (first as usize).saturating_add(samplers.len()).min(MAX_PROGRAM_SAMPLERS);
        if stage.samplers.len() < end {
            stage.samplers.resize_with(end, BoundSampler::default);
        }
        let slots = stage.samplers.iter_mut().skip(first as usize);
        for (slot, binding) in slots.zip(samplers) {
            if slot.binding == *binding {
                continue;
            }
            if slot.binding.view != binding.view {
                slot.view = self.mirrors.views.get(binding.view, &self.objects.views).cloned();
            }
            if slot.binding.sampler != binding.sampler {
                slot.sampler = self.mirrors.samplers.get(binding.sampler, &self.objects.samplers).cloned();
            }
            slot.binding = *binding;
            stage.sets.stale |= 1 << 1;
            self.dirty |= Dirty::SAMPLERS;
        }
        // A buffer texture may have another swizzle.
        if stage.sets.stale & 1 << 1 != 0 && stage.shader.as_ref().is_some_and(|s| s.texel_buffers().next().is_some()) {
            if point == BindPoint::COMPUTE {
                self.compute_pipeline = None;
            } else {
                self.dirty |= Dirty::PIPELINE;
            }
        }
    }

    pub(crate) fn set_images(&mut self, point: BindPoint, images: &[ImageBinding]) {
        let gpu = self.gpu.clone();
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        stage.held_images.clear();
        stage.images.resize_with(images.len(), BoundImage::default);
        for (slot, binding) in stage.images.iter_mut().zip(images) {
            if slot.binding == *binding {
                continue;
            }
            let texture = self.mirrors.textures.get(binding.texture, &self.objects.textures).cloned();
            slot.image = texture.as_ref().and_then(|t| t.image());
            slot.texels = texture.as_ref().filter(|t| matches!(t.kind, TextureKind::Buffer { .. })).map(|texture| {
                let desc = SamplerViewDesc {
                    texture: binding.texture,
                    format: binding.format,
                    dim: binding.dim,
                    ..Default::default()
                };
                Arc::new(SamplerView::new(&gpu, texture, &desc))
            });
            slot.view = super::resources::storage_view(&gpu, texture.as_deref(), slot.image.as_deref(), binding);
            slot.texture = texture;
            slot.binding = *binding;
            stage.sets.stale |= 1 << 3;
            self.dirty |= Dirty::IMAGES;
        }
    }

    /// Looks again at the storage of everything bound, when some buffer got fresh storage since.
    #[inline]
    pub(crate) fn follow_renames(&mut self) {
        let epoch = self.gpu.storage_epoch.load(Ordering::Acquire);
        if epoch != self.storage_epoch {
            self.storage_epoch = epoch;
            self.follow_renames_slow();
        }
    }

    #[cold]
    fn follow_renames_slow(&mut self) {
        for slot in &mut self.bound.vertex_buffers {
            slot.storage = slot.buffer.as_ref().and_then(|b| b.storage());
        }
        for stage in &mut self.bound.stages {
            for slot in stage.uniform_buffers.iter_mut().chain(&mut stage.storage_buffers) {
                slot.storage = slot.buffer.as_ref().and_then(|b| b.storage());
            }
            stage.sets.stale |= 0b1111;
        }
        self.follow_window_images();
        self.dirty |= Dirty::VERTEX_BUFFERS
            | Dirty::UNIFORM_BUFFERS
            | Dirty::STORAGE_BUFFERS
            | Dirty::SAMPLERS
            | Dirty::IMAGES
            | Dirty::RESOURCES;
    }
}
