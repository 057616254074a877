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

/// A piece with where it is.
pub(crate) struct SlabPiece {
    pub range: SlabRange,
    /// The slab's buffer.
    pub buffer: vk::Buffer,
    /// Bytes from its start.
    pub offset: u64,
    /// The host's view, when mapped and coherent.
    pub host: Option<HostRange>,
    /// Whether host reads are fast.
    pub host_cached: bool,
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
    pub fn allocate(gpu: &Gpu, place: MemoryPlace, size: u64) -> Option<SlabPiece> {
        let shift = size.max(1).next_power_of_two().trailing_zeros().max(MIN_SHIFT);
        let taken = gpu.slabs.lock().take(place, shift);
        taken.or_else(|| {
            // Unlocked: when memory is short, garbage is collected, pieces of slabs included.
            let (buffer, block) = crate::buffer::create_raw(gpu, SLAB_BYTES, all_buffer_usage(gpu), place)?;
            let mut slabs = gpu.slabs.lock();
            slabs.add(Slab { buffer, block }, place, shift);
            slabs.take(place, shift)
        })
    }

    /// Cuts a new slab into pieces.
    fn add(&mut self, slab: Slab, place: MemoryPlace, shift: u32) {
        let index = self.slabs.len() as u32;
        self.slabs.push(slab);
        let piece = 1u32 << shift;
        let list = &mut self.free[place as usize][(shift - MIN_SHIFT) as usize];
        list.extend((0..(SLAB_BYTES as u32 / piece)).rev().map(|i| (index, i * piece)));
    }

    fn take(&mut self, place: MemoryPlace, shift: u32) -> Option<SlabPiece> {
        let (place_index, class) = (place as usize, (shift - MIN_SHIFT) as usize);
        let (slab, offset) = self.free[place_index][class].pop()?;
        let range = SlabRange { place: place_index as u8, class: class as u8, slab, offset };
        let home = &self.slabs[slab as usize];
        let host = home.block.host().and_then(|h| h.part(u64::from(offset), 1 << shift));
        let host_cached = home.block.host_cached();
        Some(SlabPiece { range, buffer: home.buffer, offset: u64::from(offset), host, host_cached })
    }

    pub fn free(&mut self, range: SlabRange) {
        self.free[usize::from(range.place)][usize::from(range.class)].push((range.slab, range.offset));
    }

    /// Hands out every slab, for destruction.
    pub fn take_all(&mut self) -> Vec<(vk::Buffer, MemoryBlock)> {
        self.slabs.drain(..).map(|s| (s.buffer, s.block)).collect()
    }
}
