//! Framebuffer bindings, window surfaces and clear values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::context::Context;
use crate::drawable::{Drawable, DrawableBuffers};
use crate::gl::{GLint, GLuint};
use crate::objects::framebuffer::Framebuffer;
use crate::objects::renderbuffer::Renderbuffer;

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

/// What other state depends on of the framebuffer last pushed. The framebuffer atom fills it in; atoms that read it
/// run after that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FramebufferFacts {
    /// Draw buffers that have an attachment, a bit each.
    pub color_present: u8,
    /// Of those, the ones of integer format, for which blending is off.
    pub color_integer: u8,
    /// Of those, the ones whose storage has an alpha channel that the GL format lacks: it reads as one and is never
    /// written.
    pub alpha_hidden: u8,
    /// Number of colour slots pushed to the driver.
    pub color_count: u8,
    /// Whether there is a depth attachment.
    pub depth: bool,
    /// Whether there is a stencil attachment.
    pub stencil: bool,
    /// GL_SAMPLES: 0 when not multisampled.
    pub samples: u32,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// Framebuffer state of a context.
pub struct FramebufferState {
    /// GL_DRAW_FRAMEBUFFER_BINDING.
    pub draw: GLuint,
    /// GL_READ_FRAMEBUFFER_BINDING.
    pub read: GLuint,
    /// What framebuffer 0 draws to.
    pub draw_surface: Surface,
    /// What framebuffer 0 reads from.
    pub read_surface: Surface,
    /// About the framebuffer last pushed.
    pub facts: FramebufferFacts,
    /// GL_RENDERBUFFER_BINDING.
    pub renderbuffer: Option<Arc<Renderbuffer>>,
    /// GL_COLOR_CLEAR_VALUE.
    pub clear_color: [f32; 4],
    /// GL_DEPTH_CLEAR_VALUE.
    pub clear_depth: f64,
    /// GL_STENCIL_CLEAR_VALUE.
    pub clear_stencil: GLint,
}

impl Default for FramebufferState {
    fn default() -> Self {
        Self {
            draw: 0,
            read: 0,
            draw_surface: Surface::default(),
            read_surface: Surface::default(),
            facts: FramebufferFacts::default(),
            renderbuffer: None,
            clear_color: [0.0; 4],
            clear_depth: 1.0,
            clear_stencil: 0,
        }
    }
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
