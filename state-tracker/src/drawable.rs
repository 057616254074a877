//! What a winsys surface is to a context: the provider of the default framebuffer.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use gallite_pipe::{Context as PipeContext, Format, TextureId};

/// A texture of a default framebuffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawableBuffer {
    /// The texture; null when the surface has no such buffer.
    pub texture: TextureId,
    /// Its linear format.
    pub format: Format,
    /// Format used while GL_FRAMEBUFFER_SRGB is on; equal to `format` where the surface isn't sRGB capable.
    pub srgb_format: Format,
}

impl Default for DrawableBuffer {
    fn default() -> Self {
        Self { texture: TextureId::NULL, format: Format::NONE, srgb_format: Format::NONE }
    }
}

/// The buffers of a default framebuffer at one moment. All have the same size and sample count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DrawableBuffers {
    /// Front left. In a double-buffered window a null texture is fine: GL_FRONT then draws to nothing.
    pub front: DrawableBuffer,
    /// Back left; null in a single-buffered surface.
    pub back: DrawableBuffer,
    /// Depth, or depth and stencil.
    pub depth: DrawableBuffer,
    /// Stencil; the same texture as `depth` for a combined format.
    pub stencil: DrawableBuffer,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Samples, 1 when not multisampled.
    pub samples: u32,
    /// Whether there are front and back buffers.
    pub double_buffered: bool,
    /// Whether the textures' first row is the top one: the driver turns what is drawn to them over.
    pub top_row_first: bool,
    /// Whether colours have alpha. Without it the texture's alpha, if any, is not the program's: it reads 1 and blends
    /// as 1, and the framebuffer has no alpha bits.
    pub has_alpha: bool,
    /// Whether GL_FRAMEBUFFER_SRGB has an effect.
    pub srgb_capable: bool,
}

impl DrawableBuffers {
    /// GL_SAMPLES: 0 when not multisampled.
    pub fn gl_samples(&self) -> u32 {
        if self.samples > 1 { self.samples } else { 0 }
    }
}

/// A surface that a context can draw to. Owned by the winsys; a context keeps it alive while it is current.
pub trait Drawable: Send + Sync {
    /// A number that changes whenever `buffers` would answer differently. The context takes the counter once, when
    /// it is made current, and reads it at every verb.
    fn stamp(&self) -> Arc<AtomicU64>;

    /// The buffers to draw to now. Called when the stamp moved. `pipe` is the context that will draw.
    fn buffers(&self, pipe: &mut dyn PipeContext) -> DrawableBuffers;

    /// Called by glFlush and glFinish when the front buffer was drawn to, after the work was flushed.
    fn flush_front(&self, _pipe: &mut dyn PipeContext) {}
}
