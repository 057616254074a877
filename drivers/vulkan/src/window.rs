//! Windows: the queue of images that a native window shows.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::texture::ImageStorage;

/// A window's image queue.
pub(crate) struct Window {
    back: Mutex<Option<Arc<ImageStorage>>>,
}

impl Window {
    /// The image that is drawn to now.
    pub fn back_image(&self) -> Option<Arc<ImageStorage>> {
        self.back.lock().clone()
    }
}

use gallite_pipe::{Format, NativeWindow, Outcome, PresentStatus, WindowDesc, WindowId, WindowState};

use crate::screen::Objects;

/// Attaches an image queue to a native window.
pub(crate) fn create(_objects: &Objects, _id: WindowId, _native: &NativeWindow, _desc: &WindowDesc) -> Outcome {
    Outcome::DECLINED
}

/// Formats of a native window.
pub(crate) fn formats(_objects: &Objects, _native: &NativeWindow) -> Vec<Format> {
    Vec::new()
}

/// A window's state.
pub(crate) fn state(_objects: &Objects, _id: WindowId) -> WindowState {
    WindowState { status: PresentStatus::WINDOW_LOST, ..Default::default() }
}
