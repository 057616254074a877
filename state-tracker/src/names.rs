//! Name tables: the GLuint names of one kind of object.

use hashbrown::HashMap;

use crate::client_memory::ClientPtrMut;
use crate::error::{GlError, GlResult};
use crate::gl::{GLsizei, GLuint};

/// Names below this are looked up by index, those above in a map.
const DENSE: usize = 1 << 16;

/// What a name stands for.
#[derive(Debug, Default)]
enum Slot<T> {
    /// Nothing: not generated, or deleted.
    #[default]
    Free,
    /// Generated, without an object yet.
    Reserved,
    /// An object.
    Object(T),
}

/// The names of one kind. Zero is never among them.
#[derive(Debug)]
pub struct Names<T> {
    dense: Vec<Slot<T>>,
    sparse: HashMap<GLuint, Slot<T>>,
    /// No free name lies below this one.
    lowest: GLuint,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { dense: Vec::new(), sparse: HashMap::new(), lowest: 1 }
    }
}

impl<T> Names<T> {
    fn slot(&self, name: GLuint) -> Option<&Slot<T>> {
        if (name as usize) < DENSE { self.dense.get(name as usize) } else { self.sparse.get(&name) }
    }

    fn slot_mut(&mut self, name: GLuint) -> &mut Slot<T> {
        let index = name as usize;
        if index < DENSE {
            if index >= self.dense.len() {
                self.dense.resize_with(index + 1, Slot::default);
            }
            &mut self.dense[index]
        } else {
            self.sparse.entry(name).or_default()
        }
    }

    /// The object of a name.
    #[inline]
    pub fn get(&self, name: GLuint) -> Option<&T> {
        match self.slot(name) {
            Some(Slot::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// The object of a name.
    #[inline]
    pub fn get_mut(&mut self, name: GLuint) -> Option<&mut T> {
        let slot = if (name as usize) < DENSE { self.dense.get_mut(name as usize) } else { self.sparse.get_mut(&name) };
        match slot {
            Some(Slot::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// Whether a name was generated (or given an object) and not deleted since.
    pub fn is_generated(&self, name: GLuint) -> bool {
        !matches!(self.slot(name), None | Some(Slot::Free))
    }

    /// Reserves the lowest free name.
    pub fn generate(&mut self) -> GLuint {
        let mut name = self.lowest;
        while self.is_generated(name) {
            name += 1;
        }
        self.lowest = name + 1;
        *self.slot_mut(name) = Slot::Reserved;
        name
    }

    /// Gives a name an object, and returns the one it had.
    pub fn insert(&mut self, name: GLuint, object: T) -> Option<T> {
        match std::mem::replace(self.slot_mut(name), Slot::Object(object)) {
            Slot::Object(old) => Some(old),
            _ => None,
        }
    }

    /// Makes a name free again and returns its object, if it had one.
    pub fn remove(&mut self, name: GLuint) -> Option<T> {
        if name == 0 || !self.is_generated(name) {
            return None;
        }
        self.lowest = self.lowest.min(name);
        let slot = if (name as usize) < DENSE {
            std::mem::take(self.slot_mut(name))
        } else {
            self.sparse.remove(&name).unwrap_or_default()
        };
        match slot {
            Slot::Object(object) => Some(object),
            _ => None,
        }
    }

    /// All objects with their names, in no promised order.
    pub fn iter(&self) -> impl Iterator<Item = (GLuint, &T)> {
        let dense = self.dense.iter().enumerate().map(|(i, s)| (i as GLuint, s));
        let sparse = self.sparse.iter().map(|(n, s)| (*n, s));
        dense.chain(sparse).filter_map(|(n, s)| match s {
            Slot::Object(object) => Some((n, object)),
            _ => None,
        })
    }

    /// Takes all objects out, for the end of the table's owner.
    pub fn drain(&mut self) -> Vec<T> {
        let dense = std::mem::take(&mut self.dense).into_iter();
        let sparse = std::mem::take(&mut self.sparse).into_values();
        self.lowest = 1;
        dense
            .chain(sparse)
            .filter_map(|s| match s {
                Slot::Object(object) => Some(object),
                _ => None,
            })
            .collect()
    }

    /// What every glGen* does: reserves `count` names and writes them to the program's memory.
    pub fn generate_into(&mut self, command: &'static str, count: GLsizei, names: ClientPtrMut<GLuint>) -> GlResult {
        for index in 0..checked_count(command, count)? {
            let name = self.generate();
            names.write_at(index, name);
        }
        Ok(())
    }
}

/// Checks the `n` of a glGen*, glDelete* or glCreate* command.
pub fn checked_count(command: &'static str, count: GLsizei) -> GlResult<usize> {
    // GL 4.6 core 2.3.1: a negative sizei is INVALID_VALUE.
    usize::try_from(count).map_err(|_| GlError::invalid_value(format!("{command}: n is negative ({count})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lowest_first_and_come_back() {
        let mut names = Names::<&str>::default();
        assert_eq!([names.generate(), names.generate(), names.generate()], [1, 2, 3]);
        assert!(names.get(2).is_none() && names.is_generated(2));
        names.insert(2, "two");
        assert_eq!(names.remove(2), Some("two"));
        assert!(!names.is_generated(2));
        assert_eq!(names.generate(), 2);
        assert_eq!(names.generate(), 4);
    }

    #[test]
    fn large_names_do_not_grow_the_table() {
        let mut names = Names::default();
        names.insert(u32::MAX, 7);
        assert_eq!((names.get(u32::MAX), names.dense.len()), (Some(&7), 0));
        assert_eq!(names.remove(u32::MAX), Some(7));
        assert!(!names.is_generated(u32::MAX) && names.remove(0).is_none());
    }
}
