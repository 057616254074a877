//! Pixel storage modes.

use crate::pixels::store::PixelStore;

/// glPixelStore state of a context.
#[derive(Debug, Clone, Default)]
pub struct PixelStoreState {
    /// GL_UNPACK_*: how images are read from memory.
    pub unpack: PixelStore,
    /// GL_PACK_*: how images are written to memory.
    pub pack: PixelStore,
}
