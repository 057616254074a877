//! Objects by handle.

use gallite_pipe::Handle;

/// Values by slot, each with the generation it was made under, so that a stale handle finds nothing.
pub struct Slots<T> {
    entries: Vec<Option<(u32, T)>>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T> Slots<T> {
    pub fn insert(&mut self, handle: impl Handle, value: T) {
        let slot = handle.slot() as usize;
        if slot >= self.entries.len() {
            self.entries.resize_with(slot + 1, || None);
        }
        self.entries[slot] = Some((handle.generation(), value));
    }

    /// The value of a live handle; `None` for null and stale ones.
    pub fn get(&self, handle: impl Handle) -> Option<&T> {
        match self.entries.get(handle.slot() as usize) {
            Some(Some((generation, value))) if *generation == handle.generation() => Some(value),
            _ => None,
        }
    }

    /// Takes the value of a live handle out.
    pub fn remove(&mut self, handle: impl Handle) -> Option<T> {
        self.get(handle)?;
        self.entries[handle.slot() as usize].take().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::BufferId;

    #[test]
    fn a_stale_handle_finds_nothing() {
        let (old, new) = (BufferId::from_parts(3, 1), BufferId::from_parts(3, 2));
        let mut slots = Slots::default();
        slots.insert(old, 'a');
        assert_eq!(slots.remove(old), Some('a'));
        slots.insert(new, 'b');
        assert_eq!(slots.get(old), None);
        assert_eq!(slots.remove(old), None);
        assert_eq!(slots.get(new), Some(&'b'));
        assert_eq!(slots.get(BufferId::NULL), None);
    }
}
