//! Executables made of those of programs, for other state or of several at once: kept while their programs run them.
//!
//! An entry goes when a program of it is linked anew or is no more. Beyond that a full cache gives up its least recently
//! used entry, so that what a frame uses is not made anew in the next one.

use std::hash::Hash;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::device::Device;
use crate::objects::executable::Executable;

/// What came of making one; the log where it failed, which is known too and not tried with each draw.
pub type Made = Result<Arc<Executable>, String>;

/// Entries kept.
const CAPACITY: usize = 1024;

#[derive(Debug)]
struct Entry {
    /// What it was made of. Alive as long as its addresses stand in the key.
    parts: Box<[Arc<Executable>]>,
    made: Made,
    used: u64,
}

/// A cache whose keys name the executables that an entry is made of by their addresses.
#[derive(Debug)]
pub struct ExecutableCache<K> {
    entries: HashMap<K, Entry>,
    clock: u64,
    /// [`Device::retired_executables`] when the entries were last looked at.
    retired: u64,
}

impl<K> Default for ExecutableCache<K> {
    fn default() -> Self {
        Self { entries: HashMap::new(), clock: 0, retired: 0 }
    }
}

impl<K: Hash + Eq + Clone> ExecutableCache<K> {
    /// What is known of a key.
    pub fn get(&mut self, device: &Device, key: &K) -> Option<Made> {
        let retired = device.retired_executables();
        if self.retired != retired {
            self.retired = retired;
            self.entries.retain(|_, entry| !entry.parts.iter().any(|part| part.is_retired()));
        }
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        Some(entry.made.clone())
    }

    /// Keeps what was made of some executables.
    pub fn insert(&mut self, key: K, parts: Box<[Arc<Executable>]>, made: Made) {
        if self.entries.len() >= CAPACITY
            && let Some(oldest) = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone())
        {
            self.entries.remove(&oldest);
        }
        self.clock += 1;
        self.entries.insert(key, Entry { parts, made, used: self.clock });
    }
}
