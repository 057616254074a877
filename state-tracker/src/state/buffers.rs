//! Buffer binding points of a context.

use std::sync::Arc;

use crate::context::Context;
use crate::gl::*;
use crate::objects::buffer::Buffer;

/// Binding points that aren't part of another object.
#[derive(Debug, Default)]
pub struct BufferBindings {
    /// GL_ARRAY_BUFFER.
    pub array: Option<Arc<Buffer>>,
    /// GL_COPY_READ_BUFFER.
    pub copy_read: Option<Arc<Buffer>>,
    /// GL_COPY_WRITE_BUFFER.
    pub copy_write: Option<Arc<Buffer>>,
    /// GL_PIXEL_PACK_BUFFER.
    pub pixel_pack: Option<Arc<Buffer>>,
    /// GL_PIXEL_UNPACK_BUFFER.
    pub pixel_unpack: Option<Arc<Buffer>>,
    /// GL_TEXTURE_BUFFER.
    pub texture: Option<Arc<Buffer>>,
    /// GL_UNIFORM_BUFFER, the generic point.
    pub uniform: Option<Arc<Buffer>>,
    /// GL_TRANSFORM_FEEDBACK_BUFFER, the generic point.
    pub transform_feedback: Option<Arc<Buffer>>,
}

impl Context {
    /// The buffer bound to a generic binding point; `None` when nothing is bound or the target isn't one.
    pub fn bound_buffer(&self, target: GLenum) -> Option<&Arc<Buffer>> {
        let bindings = &self.state.buffers;
        let slot = match target {
            GL_ARRAY_BUFFER => &bindings.array,
            GL_COPY_READ_BUFFER => &bindings.copy_read,
            GL_COPY_WRITE_BUFFER => &bindings.copy_write,
            GL_PIXEL_PACK_BUFFER => &bindings.pixel_pack,
            GL_PIXEL_UNPACK_BUFFER => &bindings.pixel_unpack,
            GL_TEXTURE_BUFFER => &bindings.texture,
            GL_UNIFORM_BUFFER => &bindings.uniform,
            GL_TRANSFORM_FEEDBACK_BUFFER => &bindings.transform_feedback,
            _ => return None,
        };
        slot.as_ref()
    }
}
