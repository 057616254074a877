//! Transform feedback: capture runs inside passes and continues over their breaks by counter buffers.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::{Dirty, VulkanContext};
use crate::barrier::Access;
use crate::buffer::BufferStorage;
use crate::ffi::MemoryPlace;
use crate::xfb::XfbTarget;

/// Capture targets bound, and whether capture runs in the command buffer.
#[derive(Default)]
pub(crate) struct XfbState {
    targets: SmallVec<[Option<Arc<XfbTarget>>; MAX_XFB_TARGETS]>,
    /// Which targets continue where they were; all do once capture has begun.
    append: [bool; MAX_XFB_TARGETS],
    /// Bound, with no bytes of it, where there is no target or no room in it.
    nowhere: Option<Arc<BufferStorage>>,
    pub active: bool,
}

impl VulkanContext {
    pub(crate) fn set_xfb_targets(&mut self, targets: &[XfbBinding]) {
        self.end_xfb();
        self.xfb.targets.clear();
        for (i, binding) in targets.iter().take(MAX_XFB_TARGETS).enumerate() {
            let target = self.mirrors.xfb_targets.get(binding.target, &self.objects.xfb_targets).cloned();
            self.xfb.targets.push(target);
            self.xfb.append[i] = binding.append != 0;
        }
        self.dirty |= Dirty::RESOURCES;
    }

    fn captures(&self) -> bool {
        !self.xfb.targets.is_empty()
            && self.bound.stages[0]
                .shader
                .as_ref()
                .is_some_and(|s| s.desc.flags.contains(ShaderFlags::TRANSFORM_FEEDBACK))
    }

    /// Notes what capture will touch.
    pub(super) fn mark_xfb(&mut self) {
        if self.xfb.active || !self.captures() {
            return;
        }
        let stamp = self.batches.stamp();
        for target in self.xfb.targets.iter().flatten() {
            target.counter.uses.mark(stamp, &self.gpu);
            self.tracker.access(target.counter.track, Access::XFB_COUNTER);
            if let Some(storage) = target.buffer.storage() {
                storage.uses.mark(stamp, &self.gpu);
                self.tracker.access(storage.track, Access::XFB_WRITE);
            }
        }
    }

    /// Starts capture in the open pass, if the draw to come is captured.
    pub(super) fn begin_xfb(&mut self) {
        if self.xfb.active || !self.captures() {
            return;
        }
        let stamp = self.batches.stamp();
        if self.xfb.nowhere.is_none() {
            self.xfb.nowhere = BufferStorage::new(&self.gpu, 16, MemoryPlace::Device);
        }
        let Some(nowhere) = &self.xfb.nowhere else { return };
        let mut buffers: SmallVec<[vk::Buffer; 4]> = SmallVec::new();
        let mut offsets: SmallVec<[u64; 4]> = SmallVec::new();
        let mut sizes: SmallVec<[u64; 4]> = SmallVec::new();
        let mut counters: SmallVec<[vk::Buffer; 4]> = SmallVec::new();
        let mut counter_offsets: SmallVec<[u64; 4]> = SmallVec::new();
        for (i, target) in self.xfb.targets.iter().enumerate() {
            let storage = target.as_ref().and_then(|t| t.buffer.storage());
            let room = match (target, &storage) {
                (Some(target), Some(storage)) => target.size.min(storage.size.saturating_sub(target.offset)) & !3,
                _ => 0,
            };
            let (Some(target), Some(storage), true) = (target, storage, room > 0) else {
                // Nothing is captured (GL 4.6 core 13.3.2: a primitive that does not fit is not recorded), into no
                // bytes; Vulkan wants a buffer all the same.
                nowhere.uses.mark(stamp, &self.gpu);
                buffers.push(nowhere.raw);
                offsets.push(nowhere.offset);
                sizes.push(0);
                counters.push(vk::Buffer::null());
                counter_offsets.push(0);
                continue;
            };
            storage.uses.mark(stamp, &self.gpu);
            target.counter.uses.mark(stamp, &self.gpu);
            buffers.push(storage.raw);
            offsets.push(storage.offset + target.offset);
            sizes.push(room);
            let resume = self.xfb.append[i] && target.counted.load(Ordering::Relaxed);
            counters.push(if resume { target.counter.raw } else { vk::Buffer::null() });
            counter_offsets.push(if resume { target.counter.offset } else { 0 });
        }
        if let Some(cmd) = self.batches.main() {
            cmd.bind_xfb_buffers(&buffers, &offsets, &sizes);
            cmd.begin_xfb(&counters, &counter_offsets);
        }
        self.xfb.active = true;
        self.xfb.append = [true; MAX_XFB_TARGETS];
    }

    /// Stops capture in the command buffer; the counters keep the positions.
    pub(super) fn end_xfb(&mut self) {
        if !std::mem::take(&mut self.xfb.active) {
            return;
        }
        let mut counters: SmallVec<[vk::Buffer; 4]> = SmallVec::new();
        let mut offsets: SmallVec<[u64; 4]> = SmallVec::new();
        for target in &self.xfb.targets {
            match target {
                Some(target) => {
                    target.counted.store(true, Ordering::Relaxed);
                    counters.push(target.counter.raw);
                    offsets.push(target.counter.offset);
                }
                None => {
                    counters.push(vk::Buffer::null());
                    offsets.push(0);
                }
            }
        }
        if let Some(cmd) = self.batches.main() {
            cmd.end_xfb(&counters, &offsets);
        }
        self.dirty |= Dirty::RESOURCES;
    }

    pub(crate) fn draw_xfb(&mut self, info: &XfbDrawInfo) {
        let target = self.mirrors.xfb_targets.get(info.target, &self.objects.xfb_targets).cloned();
        let Some(target) = target else { return };
        if !target.counted.load(Ordering::Relaxed)
            || info.stride == 0
            || !self.draw_condition_passes()
            || !self.ensure_batch()
        {
            return;
        }
        let read = Access {
            stages: vk::PipelineStageFlags::DRAW_INDIRECT,
            access: vk::AccessFlags::INDIRECT_COMMAND_READ | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_READ_EXT,
            write: false,
        };
        let counter = target.counter.clone();
        self.use_buffer(&counter, read);
        if !self.prepare_draw(PrimitiveMode(info.mode as u8), false) || !self.begin_draw() {
            return;
        }
        self.counters.draws += 1;
        if self.reads_draw_parameters() {
            self.emit_draw_constants(false, 0);
        }
        if let Some(cmd) = self.batches.main() {
            cmd.draw_byte_count(info.instance_count, info.base_instance, counter.raw, counter.offset, info.stride);
        }
    }
}
