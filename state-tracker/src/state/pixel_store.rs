//! Pixel storage modes.

/// glPixelStore state of a context.
#[derive(Debug, Default)]
pub struct PixelStoreState {}
