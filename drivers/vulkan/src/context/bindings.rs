//! Descriptor sets: written when what they name has changed, bound when they or the default block's offset changed.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::ShaderFlags;

use gallite_pipe::Severity;

use super::{BoundRange, Dirty, VulkanContext};
use crate::buffer::BufferStorage;
use crate::sampler::{Sampler, ViewSource};
use crate::shader::{DescriptorData, SET_COUNT, SetLayout, Shader};

/// The sets of one bind point in the open batch.
#[derive(Default)]
pub(crate) struct SetState {
    sets: [vk::DescriptorSet; SET_COUNT],
    /// Sets whose contents changed, a bit each.
    pub stale: u8,
    pub default_block_changed: bool,
    /// Buffer and offset of the default block.
    default_block: (vk::Buffer, u32),
}

impl SetState {
    /// Nothing is bound any more.
    pub fn forget(&mut self) {
        self.sets = Default::default();
        self.stale = 0xff;
        self.default_block_changed = true;
        self.default_block = (vk::Buffer::null(), 0);
    }
}

impl VulkanContext {
    /// Writes and binds the sets of a bind point; false when that cannot be, and nothing may be drawn.
    pub(super) fn emit_descriptors(&mut self, point: usize, shader: &Arc<Shader>) -> bool {
        let done = self.write_and_bind(point, shader);
        if !done {
            // Some sets are written and not bound, others neither: the next draw begins anew.
            self.bound.stages[point].sets.forget();
        }
        done
    }

    fn write_and_bind(&mut self, point: usize, shader: &Arc<Shader>) -> bool {
        let wanted =
            Dirty::DEFAULT_BLOCK | Dirty::UNIFORM_BUFFERS | Dirty::SAMPLERS | Dirty::STORAGE_BUFFERS | Dirty::IMAGES;
        if point == 0 && self.dirty & wanted == 0 {
            return true;
        }
        let bind_point = if point == 0 { vk::PipelineBindPoint::GRAPHICS } else { vk::PipelineBindPoint::COMPUTE };
        let mut rebind: u8 = 0;
        if shader.has_default_block() && self.bound.stages[point].sets.default_block_changed {
            if !self.upload_default_block(point, shader) {
                return false;
            }
            rebind |= 1;
        }
        for set in 0..shader.set_count as usize {
            if self.bound.stages[point].sets.stale & (1 << set) != 0 {
                if !self.write_set(point, set, shader) {
                    return false;
                }
                rebind |= 1 << set;
            }
        }
        let sets = &self.bound.stages[point].sets;
        let Some(cmd) = self.batches.main() else { return false };
        let mut set = 0;
        while set < shader.set_count as usize {
            if rebind & (1 << set) == 0 || sets.sets[set] == vk::DescriptorSet::null() {
                set += 1;
                continue;
            }
            let mut end = set + 1;
            while end < shader.set_count as usize
                && rebind & (1 << end) != 0
                && sets.sets[end] != vk::DescriptorSet::null()
            {
                end += 1;
            }
            let offsets: &[u32] = if set == 0 && shader.has_default_block() { &[sets.default_block.1] } else { &[] };
            cmd.bind_descriptor_sets(bind_point, shader.layout, set as u32, &sets.sets[set..end], offsets);
            set = end;
        }
        if point == 0 {
            self.dirty &= !wanted;
        }
        true
    }

    fn upload_default_block(&mut self, point: usize, shader: &Shader) -> bool {
        let size = u64::from(shader.desc.default_block_size.max(16));
        let limits = self.gpu.limits();
        let align = if shader.desc.flags.contains(ShaderFlags::LARGE_DEFAULT_BLOCK) {
            limits.min_storage_buffer_offset_alignment
        } else {
            limits.min_uniform_buffer_offset_alignment
        };
        let align = align.max(16);
        let Some(piece) = self.ring.allocate(size, align) else {
            // In the middle of a draw nothing can be submitted: this one is lost, and said to be.
            self.gpu.out_of_memory(0, 0, "uniforms");
            return false;
        };
        let stage = &mut self.bound.stages[point];
        let n = stage.default_block.len().min(size as usize);
        piece.host.write(0, &stage.default_block[..n]);
        self.counters.bytes_staged += size;
        if stage.sets.default_block.0 != piece.raw {
            stage.sets.stale |= 1;
        }
        stage.sets.default_block = (piece.raw, piece.offset as u32);
        stage.sets.default_block_changed = false;
        true
    }

    fn write_set(&mut self, point: usize, set: usize, shader: &Shader) -> bool {
        let layout = &shader.sets[set];
        self.bound.stages[point].sets.stale &= !(1 << set);
        if layout.descriptors == 0 {
            // A set without bindings exists only to give later ones their number.
            self.bound.stages[point].sets.sets[set] = vk::DescriptorSet::null();
            return true;
        }
        let mut data: smallvec::SmallVec<[DescriptorData; 32]> =
            smallvec::smallvec![[0; 3]; layout.descriptors as usize];
        self.fill_set(point, set, layout, &mut data, shader);
        if !self.gpu.features().null_descriptor && lacks_object(layout, &data) {
            // Such a set may not be written. The tracker binds something everywhere, so its object could not be made.
            self.gpu.log(Severity::WARNING, "a draw was dropped: a texture or image it uses is missing".into());
            return false;
        }
        let key = (shader.identity, set as u32);
        if let Some(raw) = self.descriptors.written.find(key, &data) {
            self.bound.stages[point].sets.sets[set] = raw;
            return true;
        }
        let Some(raw) = self.descriptors.allocate(layout.raw) else { return false };
        self.gpu.device.update_set_with_template(raw, layout.template, &data);
        self.descriptors.written.remember(key, &data, raw);
        self.counters.descriptor_writes += 1;
        self.bound.stages[point].sets.sets[set] = raw;
        true
    }

    fn fill_set(&mut self, point: usize, set: usize, layout: &SetLayout, data: &mut [DescriptorData], shader: &Shader) {
        for binding in &layout.bindings {
            for i in 0..binding.count {
                let index = (binding.binding + i) as usize;
                let slot = &mut data[(binding.data + i) as usize];
                *slot = match set {
                    0 if binding.binding == 0 => {
                        let size = u64::from(shader.desc.default_block_size.max(16));
                        let (buffer, _) = self.bound.stages[point].sets.default_block;
                        buffer_data(buffer, 0, size)
                    }
                    0 => {
                        let bound = self.bound.stages[point].uniform_buffers.get(index - 1);
                        let limit = u64::from(self.gpu.limits().max_uniform_buffer_range);
                        range_data(bound, limit)
                            .or_else(|| whole_data(self.objects.internal.zeros.as_ref(), limit))
                            .unwrap_or_default()
                    }
                    1 => self.sampler_data(point, index, binding.ty),
                    2 => {
                        let bound = self.bound.stages[point].storage_buffers.get(index);
                        let limit = u64::from(self.gpu.limits().max_storage_buffer_range);
                        range_data(bound, limit).unwrap_or_else(|| self.unbound_storage(limit))
                    }
                    _ => self.storage_image_data(point, index, binding.ty),
                };
            }
        }
    }

    /// A storage block without a buffer: reads are undefined and writes must do no harm (GL 4.6 core 7.8), so it is not
    /// what the other null bindings read zeros from.
    fn unbound_storage(&self, limit: u64) -> DescriptorData {
        // VUID-VkDescriptorBufferInfo-buffer-02999: no buffer, no offset, the whole size.
        let null = buffer_data(vk::Buffer::null(), 0, vk::WHOLE_SIZE);
        whole_data(self.objects.internal.scratch.as_ref(), limit).unwrap_or(null)
    }

    fn storage_image_data(&self, point: usize, index: usize, ty: vk::DescriptorType) -> DescriptorData {
        let bound = self.bound.stages[point].images.get(index);
        if ty == vk::DescriptorType::STORAGE_TEXEL_BUFFER {
            let view = bound.and_then(|b| b.texels.as_ref()).and_then(|t| t.texel_view());
            return [view.map_or(0, |v| vk::Handle::as_raw(v.0)), 0, 0];
        }
        image_data(vk::Sampler::null(), bound.map_or(vk::ImageView::null(), |b| b.view))
    }

    fn sampler_data(&self, point: usize, index: usize, ty: vk::DescriptorType) -> DescriptorData {
        let bound = self.bound.stages[point].samplers.get(index);
        let view = bound.and_then(|b| b.view.as_ref());
        if ty == vk::DescriptorType::UNIFORM_TEXEL_BUFFER {
            let raw = view.and_then(|v| v.texel_view()).map_or(vk::BufferView::null(), |v| v.0);
            return [vk::Handle::as_raw(raw), 0, 0];
        }
        let fallback = self.objects.internal.sampler.as_ref().and_then(Sampler::plain).unwrap_or_default();
        let own = bound.and_then(|b| b.sampler.as_ref()).map(|s| s.raw(self.batches.stamp()));
        let sampler = own.filter(|raw| *raw != vk::Sampler::null()).unwrap_or(fallback);
        let raw = match view.map(|v| &v.source) {
            Some(ViewSource::Image { raw, .. }) => *raw,
            _ => vk::ImageView::null(),
        };
        image_data(sampler, raw)
    }
}

/// Whether a descriptor of a set names nothing.
fn lacks_object(layout: &SetLayout, data: &[DescriptorData]) -> bool {
    layout.bindings.iter().any(|binding| {
        let is_image =
            matches!(binding.ty, vk::DescriptorType::COMBINED_IMAGE_SAMPLER | vk::DescriptorType::STORAGE_IMAGE);
        let word = usize::from(is_image);
        data[binding.data as usize..][..binding.count as usize].iter().any(|descriptor| descriptor[word] == 0)
    })
}

fn buffer_data(buffer: vk::Buffer, offset: u64, range: u64) -> DescriptorData {
    [vk::Handle::as_raw(buffer), offset, range]
}

fn image_data(sampler: vk::Sampler, view: vk::ImageView) -> DescriptorData {
    // VkDescriptorImageInfo: sampler, view, layout; the layout is the low half of the third word on the
    // little-endian machines this runs on, and the other half is padding.
    [vk::Handle::as_raw(sampler), vk::Handle::as_raw(view), vk::ImageLayout::GENERAL.as_raw() as u64]
}

/// What is bound, when there is something.
fn range_data(bound: Option<&BoundRange>, limit: u64) -> Option<DescriptorData> {
    let bound = bound.filter(|bound| bound.range.size != 0)?;
    let storage = bound.storage.as_ref().filter(|storage| bound.range.offset < storage.size)?;
    let size = bound.range.size.min(storage.size - bound.range.offset).min(limit);
    Some(buffer_data(storage.raw, storage.offset + bound.range.offset, size))
}

fn whole_data(storage: Option<&Arc<BufferStorage>>, limit: u64) -> Option<DescriptorData> {
    storage.map(|s| buffer_data(s.raw, s.offset, s.size.min(limit)))
}
