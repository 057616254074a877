//! Suballocation of small buffers: power-of-two pieces of larger buffers, by place and size class.

use ash::vk;

use crate::buffer::all_buffer_usage;
use crate::ffi::{HostRange, MemoryBlock, MemoryPlace};
use crate::gpu::Gpu;

/// Smallest piece; also the alignment of every piece, which covers every offset alignment Vulkan allows (256).
const MIN_SHIFT: u32 = 8;
/// Largest piece, 64 KiB.
const MAX_SHIFT: u32 = 16;
const CLASSES: usize = (MAX_SHIFT - MIN_SHIFT + 1) as usize;
/// Bytes of a slab.
const SLAB_BYTES: u64 = 1 << 20;

/// Largest buffer served from slabs.
pub(crate) const MAX_SLAB_BUFFER: u64 = 1 << MAX_SHIFT;

/// A piece of a slab.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlabRange {
    place: u8,
    class: u8,
    slab: u32,
    offset: u32,
}

impl SlabRange {
    /// Its bytes.
    pub fn size(self) -> u64 {
        1 << (u32::from(self.class) + MIN_SHIFT)
    }
}

struct Slab {
    buffer: vk::Buffer,
    block: MemoryBlock,
}

/// All slabs of a screen.
#[derive(Default)]
pub(crate) struct Slabs {
    slabs: Vec<Slab>,
    free: [[Vec<(u32, u32)>; CLASSES]; 3],
}

impl Slabs {
    /// Takes a piece of at least `size` bytes.
    pub fn allocate(
        &mut self,
        gpu: &Gpu,
        place: MemoryPlace,
        size: u64,
    ) -> Option<(SlabRange, vk::Buffer, u64, Option<HostRange>, bool)> {
        let shift = size.max(1).next_power_of_two().trailing_zeros().max(MIN_SHIFT);
        let class = (shift - MIN_SHIFT) as usize;
        let place_index = place as usize;
        if self.free[place_index][class].is_empty() {
            let (buffer, block) = crate::buffer::create_raw(gpu, SLAB_BYTES, all_buffer_usage(gpu), place)?;
            let slab = self.slabs.len() as u32;
            self.slabs.push(Slab { buffer, block });
            let piece = 1u32 << shift;
            let list = &mut self.free[place_index][class];
            list.extend((0..(SLAB_BYTES as u32 / piece)).rev().map(|i| (slab, i * piece)));
        }
        let (slab, offset) = self.free[place_index][class].pop()?;
        let range = SlabRange { place: place_index as u8, class: class as u8, slab, offset };
        let home = &self.slabs[slab as usize];
        let host = home.block.host().and_then(|h| h.part(u64::from(offset), 1 << shift));
        Some((range, home.buffer, u64::from(offset), host, home.block.host_cached()))
    }

    pub fn free(&mut self, range: SlabRange) {
        self.free[usize::from(range.place)][usize::from(range.class)].push((range.slab, range.offset));
    }

    /// Hands out every slab, for destruction.
    pub fn take_all(&mut self) -> Vec<(vk::Buffer, MemoryBlock)> {
        self.slabs.drain(..).map(|s| (s.buffer, s.block)).collect()
    }
}
