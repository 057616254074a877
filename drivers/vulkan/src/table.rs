//! Slot tables: handles to objects, for the screen and as each context's private mirror.

use std::sync::Arc;

use gallite_pipe::Handle;
use parking_lot::{Mutex, RwLock};

/// The screen's table of one kind.
pub(crate) struct Table<T> {
    slots: RwLock<Vec<(u32, Option<Arc<T>>)>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { slots: RwLock::default() }
    }
}

/// Slots past this are refused: a tracker with this many live objects is broken.
const MAX_SLOTS: usize = 1 << 24;

impl<T> Table<T> {
    /// Puts an object under its handle; returns it unless the handle is refused.
    pub fn insert<H: Handle>(&self, id: H, object: T) -> Option<Arc<T>> {
        let index = id.slot() as usize;
        if id.is_null() || index >= MAX_SLOTS {
            return None;
        }
        let object = Arc::new(object);
        let inserted = object.clone();
        let old = {
            let mut slots = self.slots.write();
            if index >= slots.len() {
                slots.resize_with(index + 1, || (0, None));
            }
            std::mem::replace(&mut slots[index], (id.generation(), Some(object)))
        };
        drop(old);
        Some(inserted)
    }

    /// The object of a handle; `None` when it is null or stale.
    pub fn get<H: Handle>(&self, id: H) -> Option<Arc<T>> {
        let slots = self.slots.read();
        let (generation, object) = slots.get(id.slot() as usize)?;
        if *generation == id.generation() && !id.is_null() { object.clone() } else { None }
    }

    /// Takes an object out.
    pub fn remove<H: Handle>(&self, id: H) -> Option<Arc<T>> {
        let mut slots = self.slots.write();
        let (generation, object) = slots.get_mut(id.slot() as usize)?;
        if *generation == id.generation() { object.take() } else { None }
    }

    /// Objects alive.
    pub fn live(&self) -> usize {
        self.slots.read().iter().filter(|s| s.1.is_some()).count()
    }
}

/// A context's copy of the parts of a table that it uses, read without a lock.
pub(crate) struct Mirror<T> {
    slots: Vec<(u32, Option<Arc<T>>)>,
}

impl<T> Default for Mirror<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T> Mirror<T> {
    /// The object of a handle, asked of the screen's table the first time.
    #[inline]
    pub fn get<H: Handle>(&mut self, id: H, table: &Table<T>) -> Option<&Arc<T>> {
        let index = id.slot() as usize;
        let hit = self.slots.get(index).is_some_and(|s| s.0 == id.generation() && s.1.is_some());
        if !hit {
            if id.is_null() {
                return None;
            }
            let object = table.get(id)?;
            if index >= self.slots.len() {
                self.slots.resize_with(index + 1, || (0, None));
            }
            self.slots[index] = (id.generation(), Some(object));
        }
        self.slots[index].1.as_ref()
    }

    /// Forgets a slot whose object was destroyed.
    pub fn forget(&mut self, slot: u32, generation: u32) {
        if let Some(entry) = self.slots.get_mut(slot as usize)
            && entry.0 == generation
        {
            entry.1 = None;
        }
    }
}

/// Kinds of objects that contexts mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Buffer,
    Texture,
    View,
    Blend,
    DepthStencil,
    Rasterizer,
    VertexElements,
    Sampler,
    Shader,
    Query,
    Xfb,
}

/// Destructions a context has not heard of yet.
#[derive(Default)]
pub(crate) struct Inbox {
    pub gone: Mutex<Vec<(Kind, u32, u32)>>,
    pub waiting: std::sync::atomic::AtomicBool,
}
