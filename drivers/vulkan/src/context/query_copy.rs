//! Query results written to buffers by the device, in stream order.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;

use super::VulkanContext;
use crate::barrier::Access;
use crate::query::{Query, Slot};

/// A native query whose number is the answer as it stands, and where in its result that number is.
struct Plain {
    slot: Arc<Slot>,
    word: u64,
}

impl VulkanContext {
    /// Copies a result, or whether there is one. Declined where the answer is computed from what native queries say: when
    /// several passes count for it, when it is a time or a yes or no, and when it is already known.
    pub(crate) fn query_result_to_buffer(&mut self, info: &QueryToBuffer) -> Outcome {
        let Some(query) = self.query(info.query) else { return Outcome::DECLINED };
        let Some(storage) = self.buffer(info.buffer).and_then(|b| b.storage()) else { return Outcome::DECLINED };
        let Some(plain) = self.plain(&query, info.mode == 2) else { return Outcome::DECLINED };
        let to = storage.offset + info.offset;
        let words = plain.slot.class.words() as u64;
        // A copy that leaves the buffer alone while there is no result goes straight to it, one word at its own alignment.
        let direct = info.mode == 0;
        if direct && (words != 1 || !to.is_multiple_of(u64::from(info.size))) {
            return Outcome::DECLINED;
        }
        self.end_pass();
        if !self.ensure_batch() {
            return Outcome::DECLINED;
        }
        let batch = self.batches.stamp();
        if direct {
            let wide = if info.size == 8 { vk::QueryResultFlags::TYPE_64 } else { vk::QueryResultFlags::empty() };
            self.use_buffer(&storage, Access::COPY_WRITE);
            plain.slot.mark(batch);
            let Some(cmd) = self.transfer_cmd() else { return Outcome::DECLINED };
            cmd.copy_query_results(plain.slot.raw(), plain.slot.index, 1, storage.raw, to, info.size.into(), wide);
            return Outcome::DONE;
        }
        let size = 8 * (words + 1);
        let Some(piece) = self.ring.allocate(size, 8) else { return Outcome::DECLINED };
        self.use_buffer(&storage, Access::COPY_WRITE);
        plain.slot.mark(batch);
        let (what, word) = if info.mode == 2 {
            // Availability follows the numbers.
            (vk::QueryResultFlags::WITH_AVAILABILITY, words)
        } else {
            (vk::QueryResultFlags::WAIT, plain.word)
        };
        let region = vk::BufferCopy { src_offset: piece.offset + 8 * word, dst_offset: to, size: info.size.into() };
        let Some(cmd) = self.transfer_cmd() else { return Outcome::DECLINED };
        let flags = what | vk::QueryResultFlags::TYPE_64;
        cmd.copy_query_results(plain.slot.raw(), plain.slot.index, 1, piece.raw, piece.offset, size, flags);
        cmd.memory_barrier(
            vk::PipelineStageFlags::TRANSFER,
            vk::AccessFlags::TRANSFER_WRITE,
            vk::PipelineStageFlags::TRANSFER,
            vk::AccessFlags::TRANSFER_READ,
        );
        // Of a number the low half alone is written to 32 bits: 2^32 samples or primitives in a single pass take longer
        // than a device lets one run.
        cmd.copy_buffer(piece.raw, storage.raw, &[region]);
        self.counters.barriers += 1;
        Outcome::DONE
    }

    fn plain(&self, query: &Query, availability: bool) -> Option<Plain> {
        let data = query.data.lock();
        // A batch of another context that the device does not have yet must not be waited for by it.
        let known = data.result.is_some() || data.active || self.gpu.poll_stamp(data.stamp);
        let reachable =
            self.batches.is_open() && data.stamp == self.batches.stamp() || self.gpu.is_submitted(data.stamp);
        let [slot] = data.slots.as_slice() else { return None };
        let counts = matches!(
            query.desc.kind,
            QueryKind::OCCLUSION
                | QueryKind::PRIMITIVES_GENERATED
                | QueryKind::XFB_PRIMITIVES_WRITTEN
                | QueryKind::PIPELINE_STATISTIC
        ) && !query.says_whether(&self.gpu);
        if known || !reachable || !(counts || availability) {
            return None;
        }
        Some(Plain { slot: slot.clone(), word: query.word(slot.class) as u64 })
    }
}
