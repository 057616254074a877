//! Handles that are alive, as the server's end knows them.

use std::collections::HashMap;

use gallite_pipe::codec::{Class, CodecError, HandleCheck, Opcode};
use gallite_pipe::{AnyHandle, MAX_HANDLE_SLOTS};
use parking_lot::Mutex;

#[derive(Clone, Copy, Default)]
struct Slot {
    /// Highest generation seen.
    generation: u32,
    alive: bool,
}

/// Live handles by kind.
#[derive(Default)]
pub struct LiveHandles {
    kinds: Mutex<HashMap<&'static str, Vec<Slot>>>,
}

impl LiveHandles {
    /// Notes a handle made outside the stream: an imported texture or fence, a window.
    pub fn add(&self, handle: AnyHandle) -> Result<(), CodecError> {
        let stale = Err(CodecError::StaleHandle(handle));
        if handle.generation == 0 || handle.slot >= MAX_HANDLE_SLOTS {
            return stale;
        }
        let mut kinds = self.kinds.lock();
        let slots = kinds.entry(handle.kind).or_default();
        let index = handle.slot as usize;
        if index >= slots.len() {
            slots.resize(index + 1, Slot::default());
        }
        let slot = &mut slots[index];
        // A slot is reused only after its object is gone, and only with a higher generation.
        if slot.alive || handle.generation <= slot.generation {
            return stale;
        }
        *slot = Slot { generation: handle.generation, alive: true };
        Ok(())
    }

    fn find(&self, handle: AnyHandle, destroy: bool) -> Result<(), CodecError> {
        if handle.generation == 0 {
            return Ok(());
        }
        let mut kinds = self.kinds.lock();
        let slot = kinds.get_mut(handle.kind).and_then(|slots| slots.get_mut(handle.slot as usize));
        match slot {
            Some(slot) if slot.alive && slot.generation == handle.generation => {
                slot.alive = !destroy;
                Ok(())
            }
            _ => Err(CodecError::StaleHandle(handle)),
        }
    }
}

impl HandleCheck for &LiveHandles {
    fn check(&mut self, opcode: Opcode, index: usize, handle: AnyHandle) -> Result<(), CodecError> {
        let class = opcode.class();
        if index > 0 {
            return self.find(handle, false);
        }
        match class {
            Some(Class::create) => self.add(handle),
            Some(Class::destroy) => self.find(handle, true),
            _ if opcode == Opcode::flush && handle.generation != 0 => self.add(handle),
            _ => self.find(handle, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(kind: &'static str, slot: u32, generation: u32) -> AnyHandle {
        AnyHandle { kind, slot, generation }
    }

    #[test]
    fn kinds_slots_and_generations_are_checked() {
        let live = LiveHandles::default();
        let mut check = &live;
        let a = handle("BufferId", 5, 1);
        assert!(check.check(Opcode::create_buffer, 0, a).is_ok());
        assert!(check.check(Opcode::create_buffer, 0, a).is_err(), "made twice");
        assert!(check.check(Opcode::buffer_invalidate, 0, a).is_ok());
        assert!(check.check(Opcode::buffer_invalidate, 0, handle("BufferId", 5, 2)).is_err());
        assert!(check.check(Opcode::destroy_texture, 0, handle("TextureId", 5, 1)).is_err());
        assert!(check.check(Opcode::create_buffer, 0, handle("BufferId", 5, 2)).is_err(), "slot still in use");
        assert!(check.check(Opcode::destroy_buffer, 0, a).is_ok());
        assert!(check.check(Opcode::buffer_invalidate, 0, a).is_err());
        assert!(check.check(Opcode::create_buffer, 0, a).is_err(), "generation reused");
        assert!(check.check(Opcode::create_buffer, 0, handle("BufferId", 5, 2)).is_ok());
        assert!(check.check(Opcode::create_buffer, 0, handle("BufferId", u32::MAX, 1)).is_err());
        assert!(check.check(Opcode::flush, 0, handle("FenceId", 0, 0)).is_ok());
        assert!(check.check(Opcode::flush, 0, handle("FenceId", 0, 1)).is_ok());
        assert!(check.check(Opcode::flush, 0, handle("FenceId", 0, 1)).is_err());
    }
}
