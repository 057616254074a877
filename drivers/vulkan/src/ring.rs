//! Memory for bytes that live as long as a batch: a bump allocator over chunks that come back when batches complete.

use std::collections::VecDeque;
use std::sync::Arc;

use ash::vk;

use crate::buffer::BufferStorage;
use crate::ffi::{HostRange, MemoryPlace};
use crate::gpu::{Gpu, Stamp};

/// Bytes of an ordinary chunk.
const CHUNK: u64 = 2 << 20;
/// Chunks kept for reuse.
const KEPT: usize = 8;

/// A piece of a chunk.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub raw: vk::Buffer,
    pub offset: u64,
    pub host: HostRange,
}

/// The allocator.
pub(crate) struct UploadRing {
    gpu: Arc<Gpu>,
    current: Option<Arc<BufferStorage>>,
    at: u64,
    /// Chunks filled by the open batch.
    filled: Vec<Arc<BufferStorage>>,
    /// Chunks of submitted batches.
    in_flight: VecDeque<(Stamp, Arc<BufferStorage>)>,
    spare: Vec<Arc<BufferStorage>>,
    /// Bytes given out since the batch began.
    pub batch_bytes: u64,
}

impl UploadRing {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            current: None,
            at: 0,
            filled: Vec::new(),
            in_flight: VecDeque::new(),
            spare: Vec::new(),
            batch_bytes: 0,
        }
    }

    /// Room for `size` bytes; `None` when memory is used up.
    #[inline]
    pub fn allocate(&mut self, size: u64, align: u64) -> Option<Piece> {
        let start = self.at.next_multiple_of(align.max(1));
        if let Some(chunk) = &self.current
            && start + size <= chunk.size
        {
            self.at = start + size;
            self.batch_bytes += size;
            let host = chunk.host?.part(start, size)?;
            return Some(Piece { raw: chunk.raw, offset: chunk.offset + start, host });
        }
        self.allocate_slow(size)
    }

    #[cold]
    fn allocate_slow(&mut self, size: u64) -> Option<Piece> {
        if let Some(chunk) = self.current.take() {
            self.filled.push(chunk);
        }
        self.reclaim();
        let chunk = if size <= CHUNK { self.spare.pop() } else { None };
        let chunk = match chunk {
            Some(chunk) => chunk,
            None => BufferStorage::new(&self.gpu, size.max(CHUNK), MemoryPlace::Upload)?,
        };
        let host = chunk.host?.part(0, size)?;
        let piece = Piece { raw: chunk.raw, offset: chunk.offset, host };
        self.at = size;
        self.batch_bytes += size;
        self.current = Some(chunk);
        Some(piece)
    }

    /// Takes back the chunks of batches that have completed.
    pub fn reclaim(&mut self) {
        while let Some((stamp, _)) = self.in_flight.front() {
            if !self.gpu.is_complete(*stamp) {
                break;
            }
            if let Some((_, chunk)) = self.in_flight.pop_front()
                && chunk.size <= CHUNK
                && self.spare.len() < KEPT
            {
                self.spare.push(chunk);
            }
        }
    }

    /// Gives the chunks kept for reuse back: memory is short.
    pub fn give_up_spare(&mut self) {
        self.reclaim();
        self.spare.clear();
    }

    /// The batch goes to the device: its chunks wait for it.
    pub fn submitted(&mut self, stamp: Stamp) {
        // What is left of the current chunk serves the next batch; the chunk waits for the later one.
        if let Some(chunk) = &self.current {
            chunk.uses.mark(stamp, &self.gpu);
        }
        for chunk in self.filled.drain(..) {
            chunk.uses.mark(stamp, &self.gpu);
            self.in_flight.push_back((stamp, chunk));
        }
        self.batch_bytes = 0;
        self.reclaim();
    }
}
