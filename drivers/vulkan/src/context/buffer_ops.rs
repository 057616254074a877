//! Buffer transfers: writes, reads, mappings, copies and fills.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;

use super::transfer::Storage;
use super::{Dirty, VulkanContext};
use crate::barrier::Access;
use crate::buffer::{Buffer, BufferStorage, MapState};
use crate::ffi::MemoryPlace;

/// Bytes that are staged of a fill.
const MOST_FILL: usize = 64 << 10;

impl VulkanContext {
    pub(crate) fn buffer_write(&mut self, id: BufferId, offset: u64, flags: MapFlags, bytes: &[u8]) {
        let Some(buffer) = self.buffer(id) else { return };
        self.write_buffer(&buffer, offset, flags, bytes);
    }

    fn write_buffer(&mut self, buffer: &Buffer, offset: u64, flags: MapFlags, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let Some(mut storage) = buffer.storage() else { return };
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > storage.size) {
            return;
        }
        let idle = flags.contains(MapFlags::UNSYNCHRONIZED) || !storage.uses.is_busy(&self.gpu);
        if idle && let Some(host) = storage.host {
            host.write(offset, bytes);
            return;
        }
        let whole = offset == 0 && bytes.len() as u64 >= buffer.desc.size;
        if (whole || flags.contains(MapFlags::INVALIDATE_BUFFER)) && buffer.can_rename() && buffer.rename(&self.gpu) {
            self.follow_renames();
            match buffer.storage() {
                Some(fresh) => storage = fresh,
                None => return,
            }
            if let Some(host) = storage.host {
                host.write(offset, bytes);
                self.limit_batch();
                return;
            }
        }
        self.stage_buffer_write(&storage, offset, bytes);
    }

    /// Copies bytes to a buffer in stream order: early when the batch has not touched it yet.
    fn stage_buffer_write(&mut self, storage: &Arc<BufferStorage>, offset: u64, bytes: &[u8]) {
        // A copy of whole words is what all devices are fast at; Vulkan itself asks for no alignment here.
        let Some(piece) = self.stage(bytes.len() as u64, 16) else { return };
        piece.host.write(0, bytes);
        self.counters.bytes_staged += bytes.len() as u64;
        let region =
            vk::BufferCopy { src_offset: piece.offset, dst_offset: storage.offset + offset, size: bytes.len() as u64 };
        if let Some(cmd) = self.begin_transfer(None, Storage::Buffer(storage)) {
            cmd.copy_buffer(piece.raw, storage.raw, &[region]);
        }
        self.limit_batch();
    }

    pub(crate) fn buffer_read(&mut self, id: BufferId, offset: u64, bytes: &mut [u8]) -> Outcome {
        let storage = self.buffer(id).and_then(|b| b.storage());
        let Some(storage) = storage else {
            bytes.fill(0);
            return Outcome::OUT_OF_MEMORY;
        };
        match storage.host {
            Some(host) if storage.host_cached || bytes.len() <= 4096 => {
                self.wait_for(&storage.uses);
                host.read(offset, bytes);
            }
            _ => {
                let Some(staging) = self.read_back(&storage, offset, bytes.len() as u64) else {
                    bytes.fill(0);
                    return Outcome::OUT_OF_MEMORY;
                };
                if let Some(host) = staging.host {
                    host.read(0, bytes);
                }
                self.readbacks.give(staging);
            }
        }
        if self.gpu.is_lost() {
            bytes.fill(0);
            return Outcome::DEVICE_LOST;
        }
        Outcome::DONE
    }

    /// Copies a range to host memory and waits for it.
    fn read_back(&mut self, storage: &Arc<BufferStorage>, offset: u64, size: u64) -> Option<Arc<BufferStorage>> {
        let staging = self.readback_storage(size)?;
        self.end_pass();
        if !self.ensure_batch() {
            return None;
        }
        self.use_buffer(storage, Access::COPY_READ);
        staging.uses.mark(self.batches.stamp(), &self.gpu);
        let region = vk::BufferCopy { src_offset: storage.offset + offset, dst_offset: staging.offset, size };
        self.transfer_cmd()?.copy_buffer(storage.raw, staging.raw, &[region]);
        self.finish();
        Some(staging)
    }

    pub(crate) fn buffer_invalidate(&mut self, id: BufferId) {
        let Some(buffer) = self.buffer(id) else { return };
        let busy = buffer.storage().is_some_and(|s| s.uses.is_busy(&self.gpu));
        if busy && buffer.can_rename() && buffer.rename(&self.gpu) {
            self.follow_renames();
        }
    }

    pub(crate) fn buffer_map(&mut self, id: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping> {
        let buffer = self.buffer(id)?;
        let mut storage = buffer.storage()?;
        if offset.checked_add(size).is_none_or(|end| end > storage.size) || self.gpu.is_lost() {
            return None;
        }
        let read = flags.contains(MapFlags::READ);
        let mut direct = storage.host.is_some() && (!read || storage.host_cached || size <= 4096);
        direct |= flags.contains(MapFlags::PERSISTENT) && storage.host.is_some();
        if direct && !flags.contains(MapFlags::UNSYNCHRONIZED) && storage.uses.is_busy(&self.gpu) {
            if flags.contains(MapFlags::INVALIDATE_BUFFER) && buffer.can_rename() && buffer.rename(&self.gpu) {
                self.follow_renames();
                storage = buffer.storage()?;
            } else if flags.contains(MapFlags::INVALIDATE_RANGE) && !read && !flags.contains(MapFlags::PERSISTENT) {
                // The old bytes of the range are not needed: write beside it and copy in stream order.
                direct = false;
            } else {
                self.wait_for(&storage.uses);
            }
        }
        let (mapping, staging) = if direct {
            (storage.host?.part(offset, size)?.mapping(), None)
        } else {
            let staging = if needs_bytes(flags) {
                self.read_back(&storage, offset, size)?
            } else {
                self.transfer_storage(size, MemoryPlace::Upload)?
            };
            (staging.host?.part(0, size)?.mapping(), Some(staging))
        };
        *buffer.map.lock() = Some(MapState { offset, size, flags, staging });
        Some(mapping)
    }

    pub(crate) fn buffer_flush_mapped(&mut self, id: BufferId, offset: u64, size: u64) {
        let Some(buffer) = self.buffer(id) else { return };
        let staged = {
            let map = buffer.map.lock();
            let Some(map) = map.as_ref() else { return };
            map.staging.clone().map(|s| (s, map.offset, map.size))
        };
        if let Some((staging, start, len)) = staged
            && offset.checked_add(size).is_some_and(|end| end <= len)
        {
            self.copy_from_staging(&buffer, &staging, offset, start + offset, size);
        }
    }

    fn copy_from_staging(&mut self, buffer: &Buffer, staging: &Arc<BufferStorage>, from: u64, to: u64, size: u64) {
        let Some(storage) = buffer.storage() else { return };
        if size == 0 {
            return;
        }
        let region = vk::BufferCopy { src_offset: staging.offset + from, dst_offset: storage.offset + to, size };
        if let Some(cmd) = self.begin_transfer(Some(Storage::Buffer(staging)), Storage::Buffer(&storage)) {
            cmd.copy_buffer(staging.raw, storage.raw, &[region]);
        }
    }

    pub(crate) fn buffer_unmap(&mut self, id: BufferId) -> bool {
        let Some(buffer) = self.buffer(id) else { return false };
        let Some(map) = buffer.map.lock().take() else { return false };
        if let Some(staging) = &map.staging
            && map.flags.contains(MapFlags::WRITE)
            && !map.flags.contains(MapFlags::FLUSH_EXPLICIT)
        {
            self.copy_from_staging(&buffer, staging, 0, map.offset, map.size);
        }
        if let Some(staging) = map.staging
            && needs_bytes(map.flags)
        {
            self.readbacks.give(staging);
        }
        !self.gpu.is_lost()
    }

    pub(crate) fn copy_buffer(&mut self, info: &CopyBuffer) {
        let source = self.buffer(info.source).and_then(|b| b.storage());
        let destination = self.buffer(info.destination).and_then(|b| b.storage());
        let (Some(source), Some(destination)) = (source, destination) else { return };
        if info.size == 0 {
            return;
        }
        let region = vk::BufferCopy {
            src_offset: source.offset + info.source_offset,
            dst_offset: destination.offset + info.destination_offset,
            size: info.size,
        };
        if let Some(cmd) = self.begin_transfer(Some(Storage::Buffer(&source)), Storage::Buffer(&destination)) {
            cmd.copy_buffer(source.raw, destination.raw, &[region]);
        }
    }

    pub(crate) fn clear_buffer(&mut self, info: &ClearBuffer) {
        let Some(storage) = self.buffer(info.buffer).and_then(|b| b.storage()) else { return };
        let value = &bytemuck::bytes_of(&info.value)[..(info.value_size as usize).min(16)];
        if value.is_empty() || info.size == 0 {
            return;
        }
        // A fill repeats one word; anything else goes as bytes.
        let word: [u8; 4] = std::array::from_fn(|i| value[i % value.len()]);
        let uniform = value.chunks(4).all(|c| c == &word[..c.len()]) && (value.len() >= 4 || 4 % value.len() == 0);
        if uniform && info.size.is_multiple_of(4) && info.offset.is_multiple_of(4) {
            if let Some(cmd) = self.begin_transfer(None, Storage::Buffer(&storage)) {
                cmd.fill_buffer(storage.raw, storage.offset + info.offset, info.size, u32::from_le_bytes(word));
            }
            return;
        }
        // Some of it is written, and copied on within the buffer: twice as much each time.
        let mut filled = info.size.min((MOST_FILL / value.len() * value.len()) as u64);
        let bytes: Vec<u8> = value.iter().copied().cycle().take(filled as usize).collect();
        self.stage_buffer_write(&storage, info.offset, &bytes);
        while filled < info.size {
            let size = filled.min(info.size - filled);
            self.copy_buffer(&CopyBuffer {
                source: info.buffer,
                destination: info.buffer,
                source_offset: info.offset,
                destination_offset: info.offset + filled,
                size,
            });
            filled += size;
        }
    }

    pub(crate) fn memory_barrier(&mut self, accesses: BarrierFlags) {
        // Every other access is ordered by what is known of it, and a batch begins with a full barrier.
        if accesses.is_empty() || !self.batches.is_open() || !self.tracker.has_stores() {
            return;
        }
        self.end_pass();
        self.tracker.full();
        self.dirty |= Dirty::RESOURCES;
    }
}

/// Whether a mapping beside the buffer begins with what the buffer holds.
fn needs_bytes(flags: MapFlags) -> bool {
    !flags.intersects(MapFlags::INVALIDATE_RANGE | MapFlags::INVALIDATE_BUFFER)
}
