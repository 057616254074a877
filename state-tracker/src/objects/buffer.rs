//! Buffer objects.

use std::sync::atomic::{AtomicU64, Ordering};

use gallite_pipe::{BufferId, Handle};
use parking_lot::Mutex;

use crate::gl::{GL_STATIC_DRAW, GLbitfield, GLenum, GLuint};
use crate::share::ObjectHeader;

/// A buffer object. Storage and size can be read without its lock.
#[derive(Debug)]
pub struct Buffer {
    /// Name, label, generation.
    pub header: ObjectHeader,
    storage: AtomicU64,
    size: AtomicU64,
    /// Everything else.
    pub state: Mutex<BufferState>,
}

/// The part of a buffer that only buffer commands touch.
#[derive(Debug)]
pub struct BufferState {
    /// GL_BUFFER_USAGE.
    pub usage: GLenum,
    /// GL_BUFFER_IMMUTABLE_STORAGE.
    pub immutable: bool,
    /// GL_BUFFER_STORAGE_FLAGS.
    pub storage_flags: GLbitfield,
}

impl Buffer {
    /// A buffer without storage.
    pub fn new(name: GLuint) -> Self {
        let state = BufferState { usage: GL_STATIC_DRAW, immutable: false, storage_flags: 0 };
        Self {
            header: ObjectHeader::new(name),
            storage: AtomicU64::new(0),
            size: AtomicU64::new(0),
            state: Mutex::new(state),
        }
    }

    /// The driver's buffer; null while there is no storage.
    pub fn id(&self) -> BufferId {
        let packed = self.storage.load(Ordering::Acquire);
        BufferId::from_parts(packed as u32, (packed >> 32) as u32)
    }

    /// GL_BUFFER_SIZE.
    pub fn size(&self) -> u64 {
        self.size.load(Ordering::Acquire)
    }

    /// Replaces storage and size. The caller bumps generation and epoch.
    pub fn set_storage(&self, id: BufferId, size: u64) {
        self.storage.store(u64::from(id.generation()) << 32 | u64::from(id.slot()), Ordering::Release);
        self.size.store(size, Ordering::Release);
    }
}
