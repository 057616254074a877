//! Where a transfer is recorded: early, before everything else of the batch, or in main, outside of render passes.

use std::sync::Arc;

use ash::vk;

use super::VulkanContext;
use crate::barrier::Access;
use crate::batch::Part;
use crate::buffer::BufferStorage;
use crate::ffi::Cmd;
use crate::texture::ImageStorage;

/// What a transfer reads or writes.
#[derive(Clone, Copy)]
pub(super) enum Storage<'a> {
    Buffer(&'a Arc<BufferStorage>),
    Image(&'a Arc<ImageStorage>),
}

impl Storage<'_> {
    fn track(self) -> u32 {
        match self {
            Self::Buffer(buffer) => buffer.track,
            Self::Image(image) => image.track,
        }
    }
}

impl VulkanContext {
    /// The command buffer for a transfer from `from`, or from memory of the driver's own, to `to`, with what has to come before it
    /// recorded. A transfer goes early, and splits no render pass, when main neither used what it writes nor wrote what it reads.
    pub(super) fn begin_transfer(&mut self, from: Option<Storage<'_>>, to: Storage<'_>) -> Option<Cmd<'_>> {
        self.clear_before(from);
        self.clear_before(Some(to));
        if !self.ensure_batch() {
            return None;
        }
        if let Some(again) = self.tracker.early_transfer(from.map(Storage::track), to.track()) {
            from.into_iter().chain([to]).for_each(|storage| self.mark(storage));
            self.note_written(to);
            return self.early_cmd(again);
        }
        self.end_pass();
        match from.filter(|from| from.track() == to.track()) {
            Some(_) => {
                // One region is read and another written: the write's scope covers both.
                let both = Access {
                    stages: vk::PipelineStageFlags::TRANSFER,
                    access: vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
                    write: true,
                };
                self.use_storage(to, both);
            }
            None => {
                if let Some(from) = from {
                    self.use_storage(from, Access::COPY_READ);
                }
                self.use_storage(to, Access::COPY_WRITE);
            }
        }
        self.transfer_cmd()
    }

    /// Copies staged texels to an image; uploads that follow one another and do not overlap become one command.
    pub(super) fn upload(&mut self, image: &Arc<ImageStorage>, from: vk::Buffer, regions: &[vk::BufferImageCopy]) {
        let to = Storage::Image(image);
        self.clear_before(Some(to));
        if !self.ensure_batch() {
            return;
        }
        let part = if self.tracker.in_main(image.track) { Part::Main } else { Part::Early };
        if self.batches.join_uploads(part, from, image.raw, regions) || self.begin_transfer(None, to).is_none() {
            return;
        }
        self.batches.begin_uploads(part, from, image.raw, regions);
    }

    /// A clear that waits for its pass comes before a transfer from or to what it clears.
    fn clear_before(&mut self, storage: Option<Storage<'_>>) {
        if let Some(Storage::Image(image)) = storage
            && self.has_pending_clears()
            && self.is_attached(image)
        {
            self.end_pass();
        }
    }

    /// The early command buffer, behind a barrier between its transfers if one is needed.
    fn early_cmd(&mut self, barrier: bool) -> Option<Cmd<'_>> {
        self.counters.barriers += u64::from(barrier);
        let cmd = self.batches.early()?;
        if barrier && !self.gpu.selected.faults.no_barriers {
            cmd.memory_barrier(
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_WRITE,
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
            );
        }
        Some(cmd)
    }

    fn mark(&mut self, storage: Storage<'_>) {
        let stamp = self.batches.stamp();
        match storage {
            Storage::Buffer(buffer) => buffer.uses.mark(stamp, &self.gpu),
            Storage::Image(image) => image.uses.mark(stamp, &self.gpu),
        }
    }

    /// What the program gave up may be what is written here.
    fn note_written(&mut self, storage: Storage<'_>) {
        if matches!(storage, Storage::Image(_)) {
            self.pass.discard = 0;
        }
    }

    fn use_storage(&mut self, storage: Storage<'_>, access: Access) {
        match storage {
            Storage::Buffer(buffer) => self.use_buffer(buffer, access),
            Storage::Image(image) => self.use_image(image, access),
        }
    }
}
