//! State calls: what is bound. Handles are resolved here, once, and equal state changes nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gallite_pipe::*;

use super::{BoundImage, BoundRange, BoundSampler, BoundVertexBuffer, Dirty, VulkanContext};
use crate::buffer::Buffer;
use crate::screen::Objects;
use crate::table::Mirror;

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

macro_rules! bind_state_object {
    ($name:ident, $id:ty, $slot:tt, $field:ident, $mirror:ident, $dirty:expr) => {
        pub(crate) fn $name(&mut self, id: $id) {
            if self.bound.ids.$slot == id {
                return;
            }
            self.bound.ids.$slot = id;
            self.bound.$field = self.mirrors.$mirror.get(id, &self.objects.$mirror).cloned();
            self.dirty |= $dirty;
        }
    };
}

impl VulkanContext {
    bind_state_object!(bind_blend, BlendId, 0, blend, blends, Dirty::PIPELINE);
    bind_state_object!(
        bind_depth_stencil,
        DepthStencilId,
        1,
        depth_stencil,
        depth_stencils,
        Dirty::DEPTH_STENCIL | Dirty::PIPELINE
    );
    bind_state_object!(
        bind_rasterizer,
        RasterizerId,
        2,
        rasterizer,
        rasterizers,
        Dirty::RASTER | Dirty::PIPELINE | Dirty::SCISSOR | Dirty::CONSTANTS | Dirty::VIEWPORT
    );
    bind_state_object!(
        bind_vertex_elements,
        VertexElementsId,
        3,
        vertex_elements,
        vertex_elements,
        Dirty::VERTEX_INPUT | Dirty::VERTEX_BUFFERS
    );

    pub(crate) fn set_framebuffer(&mut self, state: &FramebufferState) {
        if self.bound.framebuffer == *state && self.target.is_some() {
            return;
        }
        self.end_pass();
        self.bound.framebuffer = *state;
        self.target = None;
        self.dirty |= Dirty::FRAMEBUFFER | Dirty::PIPELINE | Dirty::VIEWPORT | Dirty::SCISSOR | Dirty::CONSTANTS;
    }

    pub(crate) fn bind_shader(&mut self, point: BindPoint, id: ShaderId) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        if stage.shader_id == id {
            return;
        }
        stage.shader_id = id;
        stage.shader = self.mirrors.shaders.get(id, &self.objects.shaders).cloned();
        // Descriptor layouts are the program's own, so its sets are made anew.
        stage.sets.forget();
        self.dirty |= Dirty::PIPELINE
            | Dirty::VERTEX_INPUT
            | Dirty::DEFAULT_BLOCK
            | Dirty::UNIFORM_BUFFERS
            | Dirty::SAMPLERS
            | Dirty::STORAGE_BUFFERS
            | Dirty::IMAGES
            | Dirty::RESOURCES
            | Dirty::CONSTANTS
            | Dirty::VIEWPORT
            | Dirty::SCISSOR;
        if point == BindPoint::COMPUTE {
            self.compute_pipeline = None;
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
            self.dirty |= Dirty::PIPELINE;
        }
    }

    pub(crate) fn set_min_samples(&mut self, samples: u32) {
        if self.bound.min_samples != samples {
            self.bound.min_samples = samples;
            self.dirty |= Dirty::PIPELINE;
        }
    }

    pub(crate) fn set_patch_defaults(&mut self, defaults: &PatchDefaults) {
        if self.bound.patch != *defaults {
            self.bound.patch = *defaults;
            self.dirty |= Dirty::PIPELINE;
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
                self.dirty |= Dirty::RESOURCES;
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
            self.dirty |= Dirty::UNIFORM_BUFFERS | Dirty::RESOURCES;
        }
    }

    pub(crate) fn set_storage_buffers(&mut self, point: BindPoint, writable: u64, ranges: &[BufferRange]) {
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        stage.storage_writable = writable;
        if set_ranges(&mut self.mirrors.buffers, &self.objects, &mut stage.storage_buffers, ranges) {
            stage.sets.stale |= 1 << 2;
            self.dirty |= Dirty::STORAGE_BUFFERS | Dirty::RESOURCES;
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
                self.dirty |= Dirty::RESOURCES;
            }
            if slot.binding.sampler != binding.sampler {
                slot.sampler = self.mirrors.samplers.get(binding.sampler, &self.objects.samplers).cloned();
                self.dirty |= Dirty::RESOURCES;
            }
            slot.binding = *binding;
            stage.sets.stale |= 1 << 1;
            self.dirty |= Dirty::SAMPLERS;
        }
    }

    pub(crate) fn set_images(&mut self, point: BindPoint, images: &[ImageBinding]) {
        let gpu = self.gpu.clone();
        let stage = &mut self.bound.stages[(point.0 & 1) as usize];
        stage.images.resize_with(images.len(), BoundImage::default);
        for (slot, binding) in stage.images.iter_mut().zip(images) {
            if slot.binding == *binding {
                continue;
            }
            let texture = self.mirrors.textures.get(binding.texture, &self.objects.textures).cloned();
            slot.image = texture.as_ref().and_then(|t| t.image());
            slot.view = super::resources::storage_view(&gpu, texture.as_deref(), slot.image.as_deref(), binding);
            slot.texture = texture;
            slot.binding = *binding;
            stage.sets.stale |= 1 << 3;
            self.dirty |= Dirty::IMAGES | Dirty::RESOURCES;
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
            stage.sets.stale |= 0b0111;
        }
        self.follow_window_images();
        self.dirty |= Dirty::VERTEX_BUFFERS
            | Dirty::UNIFORM_BUFFERS
            | Dirty::STORAGE_BUFFERS
            | Dirty::SAMPLERS
            | Dirty::RESOURCES;
    }
}
