//! What is being made: whoever asks for the same meanwhile gets it too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use super::{Key, lock};

/// Makes each thing once however many threads ask at a time. Remembers nothing that is done.
#[derive(Debug)]
pub(super) struct UnderWay<T>(Mutex<HashMap<Key, Arc<OnceLock<T>>>>);

impl<T> Default for UnderWay<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> UnderWay<T> {
    /// Makes what `key` stands for, or waits for the thread that does. `make` asks for nothing of the same kind. Where it
    /// panics, the next thread makes its own.
    pub fn once(&self, key: Key, make: impl FnOnce() -> T) -> T {
        let slot = Arc::clone(lock(&self.0).entry(key).or_default());
        let made = slot.get_or_init(make).clone();
        let mut under_way = lock(&self.0);
        if under_way.get(&key).is_some_and(|other| Arc::ptr_eq(other, &slot)) {
            under_way.remove(&key);
        }
        made
    }
}
