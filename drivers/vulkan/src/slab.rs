//! Suballocation of small buffers: power-of-two pieces of larger buffers, by place and size class.
//!
//! The lock is held for bookkeeping alone. A new slab is made outside of it: to make one may need memory that garbage
//! holds, and garbage that is destroyed gives pieces back.

use ash::vk;
use parking_lot::{Mutex, MutexGuard};

use crate::ffi::{MemoryBlock, MemoryPlace};

/// Smallest piece; also the alignment of every piece, which covers every offset alignment Vulkan allows (256).
const MIN_SHIFT: u32 = 8;
/// Largest piece, 64 KiB.
const MAX_SHIFT: u32 = 16;
const CLASSES: usize = (MAX_SHIFT - MIN_SHIFT + 1) as usize;
/// Bytes of a slab.
pub(crate) const SLAB_BYTES: u64 = 1 << 20;

/// Largest buffer served from slabs.
pub(crate) const MAX_SLAB_BUFFER: u64 = 1 << MAX_SHIFT;

/// A piece of a slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SlabRange {
    place: u8,
    class: u8,
    slab: u32,
    /// Bytes from the slab's start.
    pub offset: u32,
}

impl SlabRange {
    /// Its bytes.
    pub fn size(self) -> u64 {
        1 << (u32::from(self.class) + MIN_SHIFT)
    }
}

/// What a slab is made of.
pub(crate) type Native = (vk::Buffer, MemoryBlock);

struct Slab<T> {
    native: T,
    /// Offsets of the pieces that nobody has.
    free: Vec<u32>,
}

struct Inner<T> {
    slabs: Vec<Option<Slab<T>>>,
    /// Indices of slabs that were given back.
    vacant: Vec<u32>,
    /// Slabs with free pieces, by place and size class.
    with_room: [[Vec<u32>; CLASSES]; 3],
}

/// All slabs of a screen.
pub(crate) struct Slabs<T = Native> {
    inner: Mutex<Inner<T>>,
}

impl<T> Default for Slabs<T> {
    fn default() -> Self {
        Self { inner: Mutex::new(Inner { slabs: Vec::new(), vacant: Vec::new(), with_room: Default::default() }) }
    }
}

/// Pieces of a slab of a class.
fn pieces(class: usize) -> usize {
    SLAB_BYTES as usize >> (class as u32 + MIN_SHIFT)
}

impl<T> Slabs<T> {
    /// Takes a piece of at least `size` bytes and looks at its slab. `make` makes a slab where no slab has room; no lock
    /// is held then.
    pub fn allocate<R>(
        &self,
        place: MemoryPlace,
        size: u64,
        make: impl FnOnce() -> Option<T>,
        look: impl Fn(&T, SlabRange) -> R,
    ) -> Option<(SlabRange, R)> {
        let shift = size.max(1).next_power_of_two().trailing_zeros().max(MIN_SHIFT);
        let class = (shift - MIN_SHIFT) as usize;
        let mut inner = self.inner.lock();
        let range = match inner.take(place, class) {
            Some(range) => range,
            None => {
                let native = MutexGuard::unlocked(&mut inner, make)?;
                inner.add(place, class, native);
                inner.take(place, class)?
            }
        };
        inner.slabs[range.slab as usize].as_ref().map(|slab| (range, look(&slab.native, range)))
    }

    /// Gives a piece back, and returns its slab when that is no longer needed.
    pub fn free(&self, range: SlabRange) -> Option<T> {
        self.inner.lock().free(range)
    }

    /// Hands out every slab, for destruction.
    pub fn take_all(&self) -> Vec<T> {
        self.inner.lock().slabs.drain(..).flatten().map(|slab| slab.native).collect()
    }
}

impl<T> Inner<T> {
    fn take(&mut self, place: MemoryPlace, class: usize) -> Option<SlabRange> {
        let with_room = &mut self.with_room[place as usize][class];
        let slab = *with_room.last()?;
        let free = &mut self.slabs[slab as usize].as_mut()?.free;
        let offset = free.pop()?;
        if free.is_empty() {
            with_room.pop();
        }
        Some(SlabRange { place: place as u8, class: class as u8, slab, offset })
    }

    fn add(&mut self, place: MemoryPlace, class: usize, native: T) {
        let piece = 1u32 << (class as u32 + MIN_SHIFT);
        let free = (0..pieces(class) as u32).rev().map(|i| i * piece).collect();
        let slab = Some(Slab { native, free });
        let index = match self.vacant.pop() {
            Some(index) => {
                self.slabs[index as usize] = slab;
                index
            }
            None => {
                self.slabs.push(slab);
                self.slabs.len() as u32 - 1
            }
        };
        self.with_room[place as usize][class].push(index);
    }

    fn free(&mut self, range: SlabRange) -> Option<T> {
        let class = usize::from(range.class);
        let with_room = &mut self.with_room[usize::from(range.place)][class];
        let free = &mut self.slabs[range.slab as usize].as_mut()?.free;
        if free.is_empty() {
            // First in line for the next piece would be the fullest slab; last, so that others run empty.
            with_room.insert(0, range.slab);
        }
        free.push(range.offset);
        if free.len() < pieces(class) {
            return None;
        }
        // One without any piece in use is kept, so that a buffer that comes and goes makes no slab each time.
        let is_unused = |slab: u32| self.slabs[slab as usize].as_ref().is_some_and(|s| s.free.len() == pieces(class));
        if !with_room.iter().any(|slab| *slab != range.slab && is_unused(*slab)) {
            return None;
        }
        with_room.retain(|slab| *slab != range.slab);
        self.vacant.push(range.slab);
        self.slabs[range.slab as usize].take().map(|slab| slab.native)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: MemoryPlace = MemoryPlace::Upload;

    fn take(slabs: &Slabs<u32>, made: &mut u32) -> SlabRange {
        let make = || {
            *made += 1;
            Some(*made)
        };
        slabs.allocate(PLACE, MAX_SLAB_BUFFER, make, |_, _| ()).expect("a piece").0
    }

    #[test]
    fn making_a_slab_may_give_pieces_back() {
        let slabs = Slabs::default();
        let (first, ()) = slabs.allocate(PLACE, 1, || Some(1), |_, _| ()).expect("a piece");
        // Memory is short: what made room was garbage that is destroyed while the next slab is made.
        let make = || {
            slabs.free(first);
            Some(2)
        };
        let (_, native) = slabs.allocate(PLACE, MAX_SLAB_BUFFER, make, |native, _| *native).expect("a piece");
        assert_eq!(native, 2);
    }

    #[test]
    fn pieces_of_a_slab_do_not_overlap() {
        let (slabs, mut made) = (Slabs::default(), 0);
        let mut offsets: Vec<u32> = (0..16).map(|_| take(&slabs, &mut made).offset).collect();
        offsets.sort_unstable();
        assert_eq!(offsets, (0..16).map(|i| i << MAX_SHIFT).collect::<Vec<_>>());
        assert_eq!(made, 1);
        take(&slabs, &mut made);
        assert_eq!(made, 2);
    }

    #[test]
    fn empty_slabs_are_given_back_except_one() {
        let (slabs, mut made) = (Slabs::default(), 0);
        let ranges: Vec<_> = (0..64).map(|_| take(&slabs, &mut made)).collect();
        assert_eq!(made, 4);
        let given: Vec<u32> = ranges.iter().filter_map(|range| slabs.free(*range)).collect();
        assert_eq!(given.len(), 3, "one stays for what comes next");
        assert_eq!(slabs.take_all().len(), 1);
    }

    #[test]
    fn a_vacant_place_is_taken_again() {
        let (slabs, mut made) = (Slabs::default(), 0);
        for _ in 0..8 {
            let ranges: Vec<_> = (0..48).map(|_| take(&slabs, &mut made)).collect();
            assert!(ranges.iter().all(|range| range.slab < 3));
            for (i, range) in ranges.iter().enumerate() {
                assert!(!ranges[..i].contains(range));
            }
            for range in &ranges {
                let _ = slabs.free(*range);
            }
        }
    }
}
