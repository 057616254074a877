//! The client's own memory behind mapped buffers.

use std::collections::HashMap;

use gallite_pipe::{BufferId, HostMemory, MapFlags};
use parking_lot::Mutex;

/// A mapped range of a buffer.
pub struct Mapped {
    pub memory: HostMemory,
    /// Bytes from the buffer's start.
    pub offset: u64,
    pub flags: MapFlags,
}

/// Mapped buffers of a screen: a buffer mapped in one context may be unmapped in another.
#[derive(Default)]
pub struct Mappings(Mutex<HashMap<BufferId, Mapped>>);

impl Mappings {
    pub fn insert(&self, buffer: BufferId, mapped: Mapped) {
        self.0.lock().insert(buffer, mapped);
    }

    pub fn remove(&self, buffer: BufferId) -> Option<Mapped> {
        self.0.lock().remove(&buffer)
    }

    /// The buffer's offset, the flags and a copy of a part of the mapped bytes; `None` when the part is outside.
    pub fn copy(&self, buffer: BufferId, offset: u64, size: u64) -> Option<(u64, MapFlags, Vec<u8>)> {
        let mappings = self.0.lock();
        let mapped = mappings.get(&buffer)?;
        let bytes = mapped.copy(offset, size)?;
        Some((mapped.offset + offset, mapped.flags, bytes))
    }
}

impl Mapped {
    /// Copies a part of the bytes; `None` when it is outside.
    pub fn copy(&self, offset: u64, size: u64) -> Option<Vec<u8>> {
        let (offset, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
        let part = self.memory.mapping(offset, size)?;
        let mut bytes = vec![0; size];
        part.read(0, &mut bytes).then_some(bytes)
    }
}
