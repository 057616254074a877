//! The client's own memory behind mapped buffers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gallite_pipe::{BufferId, HostMemory, MapFlags, Mapping};
use parking_lot::Mutex;

/// Alignment of a buffer's first byte in memory that is lent: that of [`HostMemory`].
const ALIGNMENT: u64 = 64;
/// Bytes that are compared, and written, as one: what shaders store is no smaller.
const WORD: usize = 4;
/// Equal bytes between two changes that are written along, when the device writes none of its own.
const GAP: usize = 64;

/// A mapped range of a buffer.
pub struct Mapped {
    memory: HostMemory,
    /// Bytes from the memory's start to the range's: a buffer's alignment holds for its every byte.
    lead: usize,
    /// Bytes from the buffer's start.
    offset: u64,
    flags: MapFlags,
    /// Of a mapping that outlasts calls: its bytes when they last went to or came from the server.
    known: Vec<u8>,
}

/// Bytes for a buffer, from an offset.
pub type Part = (u64, Vec<u8>);

impl Mapped {
    /// Memory of zeroes for a range; `None` when there is none.
    pub fn new(offset: u64, size: u64, flags: MapFlags) -> Option<Self> {
        let lead = offset % ALIGNMENT;
        let memory = HostMemory::new(usize::try_from(size.checked_add(lead)?).ok()?)?;
        Some(Self { memory, lead: lead as usize, offset, flags, known: Vec::new() })
    }

    /// Fills it with the bytes that the server has.
    pub fn fill(&mut self, bytes: Vec<u8>) {
        let _ = self.loan().is_some_and(|loan| loan.write(0, &bytes));
        if self.flags.contains(MapFlags::PERSISTENT) {
            self.known = bytes;
        }
    }

    fn len(&self) -> usize {
        self.memory.len() - self.lead
    }

    /// What the program gets.
    pub fn loan(&self) -> Option<Mapping> {
        self.memory.mapping(self.lead, self.len())
    }

    /// Whether what the program writes is to be seen without a flush, by `barrier` or by any call.
    fn is_watched(&self, barrier: bool) -> bool {
        let explicit = self.flags.contains(MapFlags::FLUSH_EXPLICIT);
        self.flags.contains(MapFlags::WRITE | MapFlags::PERSISTENT)
            && (self.flags.contains(MapFlags::COHERENT) || barrier && !explicit)
    }

    /// A part of the bytes as the program left them, which the server is about to know; `None` when it is outside.
    fn part(&mut self, offset: u64, size: u64) -> Option<Part> {
        let (at, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
        let mut bytes = vec![0; size];
        if at.checked_add(size)? > self.len() || !self.loan()?.read(at, &mut bytes) {
            return None;
        }
        if let Some(known) = self.known.get_mut(at..at + size) {
            known.copy_from_slice(&bytes);
        }
        Some((self.offset + offset, bytes))
    }

    /// The parts that the program changed since the server knew them. Exact ones hold no word that it did not change, since
    /// the device may have.
    fn changes(&mut self, exact: bool) -> Vec<Part> {
        let mut now = vec![0; self.known.len()];
        if !self.loan().is_some_and(|loan| loan.read(0, &mut now)) || now == self.known {
            return Vec::new();
        }
        let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
        let gap = if exact { 0 } else { GAP };
        for (at, (new, old)) in now.chunks(WORD).zip(self.known.chunks(WORD)).enumerate() {
            let start = at * WORD;
            match runs.last_mut() {
                _ if new == old => {}
                Some(run) if start - run.end <= gap => run.end = start + new.len(),
                _ => runs.push(start..start + new.len()),
            }
        }
        let parts = runs.into_iter().map(|run| (self.offset + run.start as u64, now[run].to_vec())).collect();
        self.known = now;
        parts
    }

    /// What is left to write when the mapping ends.
    fn rest(mut self, exact: bool) -> Vec<Part> {
        if !self.flags.contains(MapFlags::WRITE) || self.flags.contains(MapFlags::FLUSH_EXPLICIT) {
            return Vec::new();
        }
        if self.flags.contains(MapFlags::PERSISTENT) {
            return self.changes(exact);
        }
        self.part(0, self.len() as u64).into_iter().collect()
    }

    /// Takes over what the server has, but for words that the program changed.
    fn follow(&mut self, bytes: &[u8]) {
        let Some(loan) = self.loan() else { return };
        let mut now = vec![0; self.known.len()];
        if bytes.len() != now.len() || bytes == self.known || !loan.read(0, &mut now) {
            return;
        }
        for (at, new) in bytes.chunks(WORD).enumerate() {
            let range = at * WORD..at * WORD + new.len();
            if self.known[range.clone()] != *new && now[range.clone()] == self.known[range.clone()] {
                let _ = loan.write(range.start, new);
                self.known[range].copy_from_slice(new);
            }
        }
    }
}

/// Mapped buffers of a screen: a buffer mapped in one context may be unmapped in another.
#[derive(Default)]
pub struct Mappings {
    all: Mutex<HashMap<BufferId, Mapped>>,
    /// Mappings that outlast calls.
    persistent: AtomicUsize,
    /// Whether the device may ever have written to a buffer.
    device_writes: AtomicBool,
}

impl Mappings {
    pub fn insert(&self, buffer: BufferId, mapped: Mapped) {
        let persistent = mapped.flags.contains(MapFlags::PERSISTENT);
        let mut all = self.all.lock();
        self.forget(all.insert(buffer, mapped).as_ref());
        self.persistent.fetch_add(usize::from(persistent), Ordering::Relaxed);
    }

    fn forget(&self, mapped: Option<&Mapped>) {
        if mapped.is_some_and(|mapped| mapped.flags.contains(MapFlags::PERSISTENT)) {
            self.persistent.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub fn any_persistent(&self) -> bool {
        self.persistent.load(Ordering::Relaxed) != 0
    }

    fn exact(&self) -> bool {
        self.device_writes.load(Ordering::Relaxed)
    }

    /// Notes that the device is about to write to buffers.
    pub fn note_device_writes(&self) {
        self.device_writes.store(true, Ordering::Relaxed);
    }

    /// Notes that the client is about to write to a buffer other than through its mapping.
    pub fn note_write(&self, buffer: BufferId) {
        if self.any_persistent() && self.all.lock().contains_key(&buffer) {
            self.note_device_writes();
        }
    }

    /// Ends a mapping; what is left to write, with its flags, or `None` where nothing was mapped.
    pub fn remove(&self, buffer: BufferId) -> Option<(MapFlags, Vec<Part>)> {
        let mapped = self.all.lock().remove(&buffer)?;
        self.forget(Some(&mapped));
        Some((mapped.flags, mapped.rest(self.exact())))
    }

    /// A part of a mapping, and its flags; `None` when it is outside.
    pub fn flushed(&self, buffer: BufferId, offset: u64, size: u64) -> Option<(MapFlags, Part)> {
        let mut all = self.all.lock();
        let mapped = all.get_mut(&buffer)?;
        Some((mapped.flags, mapped.part(offset, size)?))
    }

    /// Hands `write` all that the program changed in coherent mappings, and at a barrier in others. Whether there was any.
    pub fn write_back(&self, barrier: bool, mut write: impl FnMut(BufferId, u64, &[u8])) -> bool {
        if !self.any_persistent() {
            return false;
        }
        let mut any = false;
        // Locked to the end, so that no buffer is destroyed meanwhile and no other context overtakes the bytes.
        for (buffer, mapped) in self.all.lock().iter_mut().filter(|(_, mapped)| mapped.is_watched(barrier)) {
            for (at, bytes) in mapped.changes(self.exact()) {
                write(*buffer, at, &bytes);
                any = true;
            }
        }
        any
    }

    /// Brings mappings that outlast calls up to what `read` says the server has, if the device may have written there.
    pub fn refresh(&self, mut read: impl FnMut(BufferId, u64, &mut [u8]) -> bool) {
        if !self.any_persistent() || !self.exact() {
            return;
        }
        for (buffer, mapped) in self.all.lock().iter_mut() {
            let mut bytes = vec![0; mapped.known.len()];
            if !bytes.is_empty() && read(*buffer, mapped.offset, &mut bytes) {
                mapped.follow(&bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(flags: MapFlags) -> Mapped {
        let mut mapped = Mapped::new(68, 32, flags | MapFlags::PERSISTENT).unwrap();
        mapped.fill((0..32).collect());
        mapped
    }

    #[test]
    fn memory_is_aligned_as_its_buffer() {
        let loan = mapped(MapFlags::WRITE).loan().unwrap();
        assert_eq!((loan.as_ptr() as usize - 68) % 64, 0);
        assert_eq!(loan.len(), 32);
    }

    #[test]
    fn changes_are_found_once_and_by_the_word() {
        let mut mapped = mapped(MapFlags::WRITE);
        assert!(mapped.changes(true).is_empty());
        let loan = mapped.loan().unwrap();
        assert!(loan.write(5, &[99]) && loan.write(16, &[98, 97]));
        assert_eq!(mapped.changes(true), [(72, vec![4, 99, 6, 7]), (84, vec![98, 97, 18, 19])]);
        assert!(mapped.changes(true).is_empty());
        assert!(loan.write(5, &[1]) && loan.write(16, &[2]));
        let whole: Vec<u8> = [4, 1, 6, 7].into_iter().chain(8..16).chain([2, 97, 18, 19]).collect();
        assert_eq!(mapped.changes(false), [(72, whole)]);
    }

    #[test]
    fn what_the_program_changed_is_kept() {
        let mut mapped = mapped(MapFlags::WRITE);
        let loan = mapped.loan().unwrap();
        assert!(loan.write(0, &[50]));
        mapped.follow(&(100..132).collect::<Vec<u8>>());
        let mut now = [0; 8];
        assert!(loan.read(0, &mut now));
        assert_eq!(now, [50, 1, 2, 3, 104, 105, 106, 107]);
        assert_eq!(mapped.changes(true), [(68, vec![50, 1, 2, 3])]);
    }
}
