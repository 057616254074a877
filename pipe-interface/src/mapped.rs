//! Mapped memory: the one thing a driver lends.
#![allow(unsafe_code)]

use std::ptr::NonNull;

/// A range of a buffer's bytes lent to the caller of `buffer_map` until `buffer_unmap`.
///
/// The address may be handed to the program, which then reads and writes it under the rules of the
/// map flags. Inside Gallite the bytes are reached only through [`Mapping::read`] and [`Mapping::write`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: a mapping is an address and a length; `new` demands that the memory is reachable from any
// thread for as long as the mapping lives.
unsafe impl Send for Mapping {}
// SAFETY: as above; `read` and `write` copy bytes and rely on the exclusivity stated in `new`.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Describes `len` bytes at `start`.
    ///
    /// # Safety
    /// The memory must stay valid for reads (and for writes, when mapped for writing) from any thread
    /// until the buffer is unmapped or destroyed, and must not be referenced as a Rust slice by the driver
    /// in that time.
    pub unsafe fn new(start: NonNull<u8>, len: usize) -> Self {
        Self { start, len }
    }

    /// First byte.
    pub fn as_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the range is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Copies bytes out, from `offset`. Returns false, and copies nothing, when the range does not fit.
    #[must_use]
    pub fn read(&self, offset: usize, into: &mut [u8]) -> bool {
        if offset.checked_add(into.len()).is_none_or(|end| end > self.len) {
            return false;
        }
        // SAFETY: the range was checked against `len`, and `new` vouches for the memory.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr().add(offset), into.as_mut_ptr(), into.len()) };
        true
    }

    /// Copies bytes in, at `offset`. Returns false, and copies nothing, when the range does not fit.
    #[must_use]
    pub fn write(&self, offset: usize, from: &[u8]) -> bool {
        if offset.checked_add(from.len()).is_none_or(|end| end > self.len) {
            return false;
        }
        // SAFETY: the range was checked against `len`, and `new` vouches for the memory.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), self.start.as_ptr().add(offset), from.len()) };
        true
    }
}

/// Zeroed memory at a fixed, 64-byte aligned address, for drivers that lend mappings from the heap.
#[derive(Debug)]
pub struct HostMemory {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the allocation is owned, and all access goes through `Mapping`'s byte copies.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    fn layout(len: usize) -> Option<std::alloc::Layout> {
        std::alloc::Layout::from_size_align(len.max(1), 64).ok()
    }

    /// Allocates `len` zero bytes; `None` when the system has no memory for them.
    pub fn new(len: usize) -> Option<Self> {
        let layout = Self::layout(len)?;
        // SAFETY: the layout's size is at least one byte.
        let start = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })?;
        Some(Self { start, len })
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Lends `len` bytes from `offset`; `None` when the range does not fit. The loan ends with this memory.
    pub fn mapping(&self, offset: usize, len: usize) -> Option<Mapping> {
        if offset.checked_add(len).is_none_or(|end| end > self.len) {
            return None;
        }
        // SAFETY: in range of the allocation, which lives as long as `self`; nothing here makes slices of it.
        Some(unsafe { Mapping::new(self.start.add(offset), len) })
    }

    /// All bytes as a mapping.
    pub fn whole(&self) -> Mapping {
        // SAFETY: as in `mapping`.
        unsafe { Mapping::new(self.start, self.len) }
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: allocated in `new` with this layout.
            unsafe { std::alloc::dealloc(self.start.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_bounded() {
        let memory = HostMemory::new(8).unwrap();
        let map = memory.mapping(4, 4).unwrap();
        assert!(map.write(0, &[1, 2, 3, 4]));
        assert!(!map.write(1, &[0; 4]));
        assert!(!map.write(usize::MAX, &[0; 4]));
        let mut all = [9; 8];
        assert!(memory.whole().read(0, &mut all));
        assert_eq!(all, [0, 0, 0, 0, 1, 2, 3, 4]);
        assert!(memory.mapping(5, 4).is_none());
    }
}
