//! Buffer objects (GL 4.6 core chapter 6).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};

use gallite_pipe::{BufferId, Handle};
use parking_lot::Mutex;

use crate::device::Device;
use crate::gl::*;
use crate::share::{ExclusiveMapping, ObjectHeader};

/// A buffer object. Storage and size can be read without its lock.
pub struct Buffer {
    /// Name, label, generation.
    pub header: ObjectHeader,
    device: Arc<Device>,
    storage: AtomicU64,
    size: AtomicU64,
    /// Odd while storage and size are being replaced; moves with each replacement.
    version: AtomicU64,
    has_texels: AtomicBool,
    touched: AtomicU64,
    written_aside: AtomicBool,
    /// Everything else.
    pub state: Mutex<BufferState>,
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Buffer").field("name", &self.header.name).field("id", &self.id()).finish_non_exhaustive()
    }
}

/// A mapping the program holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferMapping {
    /// GL_BUFFER_MAP_POINTER.
    pub address: usize,
    /// GL_BUFFER_MAP_OFFSET.
    pub offset: u64,
    /// GL_BUFFER_MAP_LENGTH.
    pub length: u64,
    /// GL_BUFFER_ACCESS_FLAGS.
    pub access: GLbitfield,
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
    /// The program's mapping.
    pub mapping: Option<BufferMapping>,
    /// Held while that keeps other commands away.
    pub exclusive: Option<ExclusiveMapping>,
}

impl Buffer {
    /// A buffer without storage.
    pub fn new(device: &Arc<Device>, name: GLuint) -> Self {
        let state = BufferState {
            usage: GL_STATIC_DRAW,
            immutable: false,
            // GL 4.6 core 6.2: what a buffer made by glBufferData allows.
            storage_flags: GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT,
            mapping: None,
            exclusive: None,
        };
        Self {
            header: ObjectHeader::new(name),
            device: Arc::clone(device),
            storage: AtomicU64::new(0),
            size: AtomicU64::new(0),
            version: AtomicU64::new(0),
            has_texels: AtomicBool::new(false),
            touched: AtomicU64::new(0),
            written_aside: AtomicBool::new(false),
            state: Mutex::new(state),
        }
    }

    /// The driver's buffer; null while there is no storage.
    #[inline]
    pub fn id(&self) -> BufferId {
        unpack(self.storage.load(Ordering::Acquire))
    }

    /// The driver's buffer with its size, which another context may be replacing.
    #[inline]
    pub fn storage(&self) -> (BufferId, u64) {
        loop {
            let version = self.version.load(Ordering::Acquire);
            let found = (self.id(), self.size());
            fence(Ordering::Acquire);
            if version & 1 == 0 && self.version.load(Ordering::Relaxed) == version {
                return found;
            }
            std::hint::spin_loop();
        }
    }

    /// Whether it was ever the buffer of a buffer texture.
    #[inline]
    pub fn has_texels(&self) -> bool {
        self.has_texels.load(Ordering::Relaxed)
    }

    /// A number that stays while the contents do; none when they may change without a command that names the buffer.
    pub fn contents(&self) -> Option<u64> {
        let aside = self.written_aside.load(Ordering::Relaxed) || self.has_texels();
        (!aside).then(|| self.touched.load(Ordering::Relaxed))
    }

    /// Notes that a command that may write to it was called.
    pub fn touch(&self) {
        self.touched.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that it may be written by draws, by reads of pixels, or through a mapping that stays.
    pub fn note_writes_aside(&self) {
        self.written_aside.store(true, Ordering::Relaxed);
    }

    /// Notes that it is the buffer of a buffer texture.
    pub fn note_texels(&self) {
        self.has_texels.store(true, Ordering::Relaxed);
    }

    /// GL_BUFFER_SIZE.
    #[inline]
    pub fn size(&self) -> u64 {
        self.size.load(Ordering::Acquire)
    }

    /// Replaces storage and size, and destroys the old storage. The caller bumps generation and epoch.
    pub fn set_storage(&self, id: BufferId, size: u64) {
        let packed = u64::from(id.generation()) << 32 | u64::from(id.slot());
        let old = {
            // One replacement at a time.
            let _state = self.state.lock();
            self.version.fetch_add(1, Ordering::AcqRel);
            let old = self.storage.swap(packed, Ordering::AcqRel);
            self.size.store(size, Ordering::Release);
            self.version.fetch_add(1, Ordering::AcqRel);
            old
        };
        self.destroy(unpack(old));
    }

    fn destroy(&self, id: BufferId) {
        if !id.is_null() {
            self.device.screen.destroy_buffer(id);
            self.device.release(id);
        }
    }

    /// Whether the program holds a mapping that keeps other commands away (GL 4.6 core 6.3.2).
    pub fn is_mapped_exclusively(&self) -> bool {
        self.state.lock().mapping.is_some_and(|m| m.access & GL_MAP_PERSISTENT_BIT == 0)
    }
}

fn unpack(packed: u64) -> BufferId {
    BufferId::from_parts(packed as u32, (packed >> 32) as u32)
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.destroy(self.id());
    }
}
