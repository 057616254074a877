//! Uses and hazards of everything bound.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;

use super::{Dirty, VulkanContext};
use crate::barrier::{Access, Tracker};
use crate::gpu::Gpu;
use crate::sampler::ViewSource;
use crate::shader::Shader;
use crate::texture::{ImageStorage, Texture, ViewKey};

impl VulkanContext {
    /// Notes what the bound program of a bind point will touch of some kinds of bindings.
    pub(super) fn mark_resources(&mut self, point: usize, shader: &Arc<Shader>, kinds: u32) {
        if kinds == 0 {
            return;
        }
        let stamp = self.batches.stamp();
        let gpu = &self.gpu;
        let tracker = &mut self.tracker;
        if point == 0 && kinds & Dirty::VERTEX_BUFFERS != 0 {
            for binding in &self.vertex_input.input.bindings {
                if let Some(storage) =
                    self.bound.vertex_buffers.get(binding.binding as usize).and_then(|s| s.storage.as_ref())
                {
                    storage.uses.mark(stamp, gpu);
                    tracker.access(storage.track, Access::VERTEX);
                }
            }
        }
        let stage = &self.bound.stages[point];
        if kinds & Dirty::UNIFORM_BUFFERS != 0 && !shader.sets[0].bindings.is_empty() {
            for storage in stage.uniform_buffers.iter().filter_map(|b| b.storage.as_ref()) {
                storage.uses.mark(stamp, gpu);
                tracker.access(storage.track, Access::UNIFORM);
            }
        }
        let samplers = if kinds & Dirty::SAMPLERS != 0 { &shader.sets[1].bindings[..] } else { &[] };
        for binding in samplers {
            let first = binding.binding as usize;
            for bound in stage.samplers.iter().skip(first).take(binding.count as usize) {
                if let Some(sampler) = &bound.sampler {
                    sampler.uses.mark(stamp, gpu);
                }
                let Some(view) = &bound.view else { continue };
                view.uses.mark(stamp, gpu);
                match &view.source {
                    ViewSource::Image { image, .. } => {
                        image.uses.mark(stamp, gpu);
                        tracker.access(image.track, Access::SAMPLED);
                    }
                    ViewSource::Buffer(_) => {
                        if let Some((_, storage)) = view.texel_view() {
                            storage.uses.mark(stamp, gpu);
                            tracker.access(storage.track, Access::SAMPLED);
                        }
                    }
                    ViewSource::Dead => {}
                }
            }
        }
        if kinds & Dirty::STORAGE_BUFFERS != 0 && !shader.sets[2].bindings.is_empty() {
            for (i, bound) in stage.storage_buffers.iter().enumerate() {
                let Some(storage) = &bound.storage else { continue };
                let writable = stage.storage_writable & (1 << (i & 63)) != 0;
                storage.uses.mark(stamp, gpu);
                note_storage(tracker, point, storage.track, writable);
            }
        }
        if kinds & Dirty::IMAGES != 0 && !shader.sets[3].bindings.is_empty() {
            for bound in &stage.images {
                let writes = bound.binding.access.contains(gallite_pipe::Access::WRITE);
                if let Some(image) = &bound.image {
                    image.uses.mark(stamp, gpu);
                    note_storage(tracker, point, image.track, writes);
                    if writes && point == 1 {
                        // What was given up may be what is written here.
                        self.pass.discard = 0;
                    }
                }
                let Some(texels) = &bound.texels else { continue };
                texels.uses.mark(stamp, gpu);
                if let Some((_, storage)) = texels.texel_view() {
                    storage.uses.mark(stamp, gpu);
                    note_storage(tracker, point, storage.track, writes);
                }
            }
        }
    }
}

/// Notes that shaders of a bind point read a storage buffer or image, or write it.
fn note_storage(tracker: &mut Tracker, point: usize, track: u32, writes: bool) {
    match (writes, point) {
        (false, _) => tracker.access(track, Access::SAMPLED),
        (true, 0) => tracker.store_in_pass(track),
        (true, _) => tracker.access(track, Access::STORAGE),
    }
}

/// The view of a storage image binding; null when there is none.
pub(super) fn storage_view(
    gpu: &Gpu,
    texture: Option<&Texture>,
    image: Option<&ImageStorage>,
    binding: &ImageBinding,
) -> vk::ImageView {
    let (Some(texture), Some(image)) = (texture, image) else { return vk::ImageView::null() };
    if !image.usage.contains(vk::ImageUsageFlags::STORAGE) {
        return vk::ImageView::null();
    }
    // A slice of a 3D image is a layer of a 2D view of it; a whole one is its only layer.
    let volume = binding.dim == TextureDim::D3;
    if image.dim == TextureDim::D3 && !volume && !gpu.features().image_2d_view_of_3d {
        return vk::ImageView::null();
    }
    let layers = if volume { 1 } else { binding.layer_count.max(1) };
    let key = ViewKey {
        format: gpu.formats.image(binding.format),
        ty: crate::conv::view_type(binding.dim),
        aspects: vk::ImageAspectFlags::COLOR,
        usage: vk::ImageUsageFlags::STORAGE,
        level: texture.first_level + binding.level,
        levels: 1,
        first_layer: if volume { 0 } else { texture.first_layer + binding.first_layer },
        layers,
    };
    image.view(key).unwrap_or_default()
}
