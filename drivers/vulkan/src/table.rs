//! Slot tables: handles to objects, for the screen and as each context's private mirror.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gallite_pipe::{Handle, MAX_HANDLE_SLOTS};
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

impl<T> Table<T> {
    /// Puts an object under its handle; returns it unless the handle is refused.
    pub fn insert<H: Handle>(&self, id: H, object: T) -> Option<Arc<T>> {
        let index = id.slot() as usize;
        if id.is_null() || index >= MAX_HANDLE_SLOTS as usize {
            tracing::error!("{id:?} is no handle that a tracker mints");
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

    /// Whether a handle has an object.
    pub fn contains<H: Handle>(&self, id: H) -> bool {
        let slots = self.slots.read();
        slots.get(id.slot() as usize).is_some_and(|s| s.0 == id.generation() && s.1.is_some())
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
    gone: Mutex<Gone>,
    waiting: AtomicBool,
}

/// What has been destroyed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Gone {
    /// Kind, slot and generation of each.
    pub listed: Vec<(Kind, u32, u32)>,
    /// There are more than the list holds: anything may be gone.
    pub more: bool,
}

/// Destructions listed one by one; a context that does not listen for longer than that looks at everything.
const MAX_LISTED: usize = 4096;

impl Inbox {
    /// Tells of a destruction.
    pub fn push(&self, kind: Kind, slot: u32, generation: u32) {
        let mut gone = self.gone.lock();
        if gone.listed.len() >= MAX_LISTED {
            *gone = Gone { listed: Vec::new(), more: true };
        }
        if !gone.more {
            gone.listed.push((kind, slot, generation));
        }
        drop(gone);
        self.waiting.store(true, Ordering::Release);
    }

    /// All that came since; `None` when nothing did.
    #[inline]
    pub fn take(&self) -> Option<Gone> {
        if !self.waiting.swap(false, Ordering::Acquire) {
            return None;
        }
        Some(std::mem::take(&mut *self.gone.lock()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inbox_nobody_reads_stays_small() {
        let inbox = Inbox::default();
        assert_eq!(inbox.take(), None);
        for slot in 0..3 {
            inbox.push(Kind::Buffer, slot, 1);
        }
        let listed = vec![(Kind::Buffer, 0, 1), (Kind::Buffer, 1, 1), (Kind::Buffer, 2, 1)];
        assert_eq!(inbox.take(), Some(Gone { listed, more: false }));
        for slot in 0..100_000 {
            inbox.push(Kind::View, slot, 1);
        }
        assert!(inbox.gone.lock().listed.capacity() <= MAX_LISTED);
        assert_eq!(inbox.take(), Some(Gone { listed: Vec::new(), more: true }));
        inbox.push(Kind::View, 1, 2);
        assert_eq!(inbox.take(), Some(Gone { listed: vec![(Kind::View, 1, 2)], more: false }));
        assert_eq!(inbox.take(), None);
    }
}
