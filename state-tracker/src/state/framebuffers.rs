//! Framebuffer bindings, window surfaces and clear values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::context::Context;
use crate::drawable::{Drawable, DrawableBuffers};
use crate::gl::GLuint;
use crate::objects::framebuffer::Framebuffer;

/// A window-system surface as a context sees it.
#[derive(Default)]
pub struct Surface {
    /// The surface; none for a surfaceless context.
    pub drawable: Option<Arc<dyn Drawable>>,
    stamp: Option<Arc<AtomicU64>>,
    seen: u64,
    /// Its buffers as of the stamp last seen.
    pub buffers: DrawableBuffers,
}

impl Surface {
    /// A surface whose buffers are not known yet.
    pub fn new(drawable: Option<Arc<dyn Drawable>>) -> Self {
        let stamp = drawable.as_ref().map(|d| d.stamp());
        Self { drawable, stamp, seen: u64::MAX, buffers: DrawableBuffers::default() }
    }

    /// Whether the surface's buffers may have changed since they were read.
    #[inline(always)]
    pub fn moved(&self) -> bool {
        self.stamp.as_ref().is_some_and(|s| s.load(Ordering::Acquire) != self.seen)
    }

    /// Reads the buffers again. The stamp is read first, so that a change in between is noticed next time.
    pub fn refresh(&mut self, pipe: &mut dyn gallite_pipe::Context) {
        let (Some(drawable), Some(stamp)) = (&self.drawable, &self.stamp) else { return };
        self.seen = stamp.load(Ordering::Acquire);
        self.buffers = drawable.buffers(pipe);
    }
}

/// Framebuffer state of a context.
#[derive(Default)]
pub struct FramebufferState {
    /// GL_DRAW_FRAMEBUFFER_BINDING.
    pub draw: GLuint,
    /// GL_READ_FRAMEBUFFER_BINDING.
    pub read: GLuint,
    /// What framebuffer 0 draws to.
    pub draw_surface: Surface,
    /// What framebuffer 0 reads from.
    pub read_surface: Surface,
}

impl Context {
    /// The framebuffer draws go to.
    #[inline]
    pub fn draw_framebuffer(&self) -> &Framebuffer {
        self.framebuffers.get(self.state.framebuffers.draw).map_or(&self.default_framebuffer, |o| o)
    }

    /// The framebuffer pixels are read from.
    #[inline]
    pub fn read_framebuffer(&self) -> &Framebuffer {
        self.framebuffers.get(self.state.framebuffers.read).map_or(&self.default_framebuffer, |o| o)
    }
}
