//! Memory that texels and bytes are read back through: kept by size, and used again once the batch that wrote it has completed.

use std::sync::Arc;

use crate::buffer::BufferStorage;
use crate::ffi::MemoryPlace;
use crate::gpu::Gpu;

/// Bytes of the smallest buffer.
const SMALLEST: u64 = 4 << 10;
/// Bytes kept in all.
const MOST_BYTES: u64 = 64 << 20;
/// Buffers kept.
const MOST: usize = 8;

/// The bytes that a buffer for `size` bytes has: steps of a quarter of a power of two, so that at most a fifth is spare.
fn class(size: u64) -> u64 {
    let size = size.max(SMALLEST);
    let step = (size.next_power_of_two() / 8).max(SMALLEST / 4);
    size.next_multiple_of(step)
}

/// The buffers kept, those given back last at the end.
#[derive(Default)]
pub(crate) struct ReadbackPool {
    kept: Vec<Arc<BufferStorage>>,
}

impl ReadbackPool {
    /// A buffer of at least `size` bytes that nothing uses; `None` when there is no memory.
    pub fn take(&mut self, gpu: &Arc<Gpu>, size: u64) -> Option<Arc<BufferStorage>> {
        let bytes = class(size);
        // The last of the right size is the likeliest to lie in the CPU's caches.
        match self.kept.iter().rposition(|kept| kept.size == bytes && !kept.uses.is_busy(gpu)) {
            Some(at) => Some(self.kept.remove(at)),
            None => BufferStorage::new(gpu, bytes, MemoryPlace::Readback),
        }
    }

    /// Gives a buffer back; a batch may still write it.
    pub fn give(&mut self, storage: Arc<BufferStorage>) {
        let mut bytes = storage.size + self.kept.iter().map(|kept| kept.size).sum::<u64>();
        if storage.size > MOST_BYTES {
            return;
        }
        while bytes > MOST_BYTES || self.kept.len() >= MOST {
            bytes -= self.kept.remove(0).size;
        }
        self.kept.push(storage);
    }

    /// Keeps nothing: memory is short, or nobody is about to read.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_waste_little_and_are_their_own() {
        for size in [1, 4096, 4097, 5000, 65_536, 65_537, 1_000_000, 8_294_400, 33_177_600] {
            let bytes = class(size);
            assert!(bytes >= size && class(bytes) == bytes, "{size}: {bytes}");
            assert!(size < SMALLEST || bytes - size <= size / 4, "{size}: {bytes}");
        }
        assert_eq!(class(1920 * 1080 * 4), class(1920 * 1079 * 4), "nearly one size");
    }
}
