//! Forgetting: what a context keeps of objects that are gone, and of objects at all once no thread has it.

use std::sync::Arc;

use gallite_pipe::*;

use super::{BoundImage, BoundRange, BoundVertexBuffer, Mirrors, VulkanContext, draw};
use crate::table::Kind;

impl VulkanContext {
    /// Hears of destroyed objects, so that neither mirrors nor bindings keep them. Between batches.
    pub(crate) fn read_inbox(&mut self) {
        self.read_gone();
        if self.batches.is_open() && std::mem::take(&mut self.has_let_go) {
            self.take_hold();
        }
    }

    fn read_gone(&mut self) {
        let Some(gone) = self.inbox.take() else { return };
        if gone.more {
            self.mirrors = Mirrors::default();
        }
        let m = &mut self.mirrors;
        let (mut buffers, mut textures, mut views, mut shaders) = (gone.more, gone.more, gone.more, gone.more);
        for (kind, slot, generation) in gone.listed {
            match kind {
                Kind::Buffer => {
                    m.buffers.forget(slot, generation);
                    buffers = true;
                }
                Kind::Texture => {
                    m.textures.forget(slot, generation);
                    textures = true;
                }
                Kind::View => {
                    m.views.forget(slot, generation);
                    views = true;
                }
                Kind::Blend => m.blends.forget(slot, generation),
                Kind::DepthStencil => m.depth_stencils.forget(slot, generation),
                Kind::Rasterizer => m.rasterizers.forget(slot, generation),
                Kind::VertexElements => m.vertex_elements.forget(slot, generation),
                Kind::Sampler => m.samplers.forget(slot, generation),
                Kind::Shader => {
                    m.shaders.forget(slot, generation);
                    shaders = true;
                }
                Kind::Query => m.queries.forget(slot, generation),
                Kind::Xfb => m.xfb_targets.forget(slot, generation),
            }
        }
        if buffers {
            self.unbind_dead_buffers();
        }
        if textures {
            self.unbind_dead_textures();
        }
        if views {
            let table = &self.objects.views;
            for slot in self.bound.stages.iter_mut().flat_map(|stage| &mut stage.samplers) {
                if !slot.binding.view.is_null() && !table.contains(slot.binding.view) {
                    slot.binding.view = SamplerViewId::NULL;
                    slot.view = None;
                }
            }
        }
        if shaders {
            // Pipelines of programs that are gone would otherwise stay until the context goes.
            self.recent_pipelines = Default::default();
            self.pipelines.retain(|_, p| Arc::strong_count(p) > 1);
        }
    }

    fn unbind_dead_buffers(&mut self) {
        self.index_buffer = draw::CurrentIndexBuffer::default();
        let table = &self.objects.buffers;
        let is_dead = |id: BufferId| !id.is_null() && !table.contains(id);
        for slot in self.bound.vertex_buffers.iter_mut().filter(|slot| is_dead(slot.binding.buffer)) {
            *slot = BoundVertexBuffer::default();
        }
        for stage in &mut self.bound.stages {
            let ranges = stage.uniform_buffers.iter_mut().chain(&mut stage.storage_buffers);
            for slot in ranges.filter(|slot| is_dead(slot.range.buffer)) {
                *slot = BoundRange::default();
            }
        }
    }

    fn unbind_dead_textures(&mut self) {
        let table = &self.objects.textures;
        let is_dead = |id: TextureId| !id.is_null() && !table.contains(id);
        for stage in &mut self.bound.stages {
            for slot in stage.images.iter_mut().filter(|slot| is_dead(slot.binding.texture)) {
                *slot = BoundImage::default();
            }
        }
        let framebuffer = &self.bound.framebuffer;
        let attached = framebuffer.color.iter().chain([&framebuffer.depth, &framebuffer.stencil]);
        if attached.into_iter().any(|surface| is_dead(surface.texture)) && !self.pass.open && !self.has_pending_clears()
        {
            self.target = None;
        }
    }

    /// The context may do nothing for long now, and what others of its screen delete meanwhile must not wait for it: what
    /// has memory is found again by its handle when the next batch opens.
    pub(crate) fn let_go(&mut self) {
        let m = &mut self.mirrors;
        (m.buffers, m.textures, m.views) = Default::default();
        self.index_buffer = draw::CurrentIndexBuffer::default();
        for slot in &mut self.bound.vertex_buffers {
            (slot.buffer, slot.storage) = (None, None);
        }
        for stage in &mut self.bound.stages {
            for slot in stage.uniform_buffers.iter_mut().chain(&mut stage.storage_buffers) {
                (slot.buffer, slot.storage) = (None, None);
            }
            stage.samplers.iter_mut().for_each(|slot| slot.view = None);
            // Images are bound as a whole.
            stage.held_images = stage.images.drain(..).map(|slot| slot.binding).collect();
        }
        if !self.pass.open && !self.has_pending_clears() {
            self.target = None;
        }
        self.has_let_go = true;
    }

    /// Finds again what is bound.
    fn take_hold(&mut self) {
        let (mirrors, objects) = (&mut self.mirrors, &self.objects);
        let mut find = |id: BufferId| {
            let buffer = mirrors.buffers.get(id, &objects.buffers).cloned();
            let storage = buffer.as_ref().and_then(|b| b.storage());
            (buffer, storage)
        };
        for slot in self.bound.vertex_buffers.iter_mut().filter(|slot| slot.buffer.is_none()) {
            (slot.buffer, slot.storage) = find(slot.binding.buffer);
        }
        for stage in &mut self.bound.stages {
            let ranges = stage.uniform_buffers.iter_mut().chain(&mut stage.storage_buffers);
            for slot in ranges.filter(|slot| slot.buffer.is_none()) {
                (slot.buffer, slot.storage) = find(slot.range.buffer);
            }
        }
        for stage in &mut self.bound.stages {
            for slot in stage.samplers.iter_mut().filter(|slot| slot.view.is_none()) {
                slot.view = self.mirrors.views.get(slot.binding.view, &self.objects.views).cloned();
            }
        }
        for (point, at) in [(BindPoint::GRAPHICS, 0), (BindPoint::COMPUTE, 1)] {
            // Others may have been bound since.
            let held = std::mem::take(&mut self.bound.stages[at].held_images);
            if self.bound.stages[at].images.is_empty() && !held.is_empty() {
                self.set_images(point, &held);
            }
        }
    }

    /// No thread has the context now: what can be found again by its handle is not kept.
    pub(crate) fn give_up_caches(&mut self) {
        self.let_go();
        self.mirrors = Mirrors::default();
        self.descriptors.trim(0);
        self.readbacks.clear();
    }
}
