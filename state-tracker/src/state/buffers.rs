//! Buffer binding points of a context.

use std::sync::Arc;

use crate::context::Context;
use crate::gl::*;
use crate::limits::{MAX_ATOMIC_BINDINGS, MAX_STORAGE_BINDINGS, MAX_UNIFORM_BINDINGS};
use crate::objects::buffer::Buffer;
use crate::share::same_object;

/// An indexed binding point. The range is resolved when it is used, so that it follows the buffer's size.
#[derive(Debug, Clone, Default)]
pub struct IndexedBinding {
    /// The buffer.
    pub buffer: Option<Arc<Buffer>>,
    /// Bytes from its start; 0 for a whole buffer.
    pub offset: u64,
    /// Bytes; `None` for a whole buffer (glBindBufferBase).
    pub size: Option<u64>,
}

impl IndexedBinding {
    /// Whether both are the same range of the same buffer.
    pub fn equals(&self, other: &Self) -> bool {
        same_object(self.buffer.as_ref(), other.buffer.as_ref())
            && self.offset == other.offset
            && self.size == other.size
    }

    /// Whether it is this buffer.
    pub fn is(&self, buffer: &Arc<Buffer>) -> bool {
        self.buffer.as_ref().is_some_and(|b| Arc::ptr_eq(b, buffer))
    }
}

/// Binding points that aren't part of another object.
#[derive(Debug)]
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
    /// GL_SHADER_STORAGE_BUFFER, the generic point.
    pub shader_storage: Option<Arc<Buffer>>,
    /// GL_ATOMIC_COUNTER_BUFFER, the generic point.
    pub atomic_counter: Option<Arc<Buffer>>,
    /// GL_DISPATCH_INDIRECT_BUFFER.
    pub dispatch_indirect: Option<Arc<Buffer>>,
    /// GL_DRAW_INDIRECT_BUFFER.
    pub draw_indirect: Option<Arc<Buffer>>,
    /// GL_QUERY_BUFFER.
    pub query: Option<Arc<Buffer>>,
    /// GL_PARAMETER_BUFFER.
    pub parameter: Option<Arc<Buffer>>,
    /// GL_UNIFORM_BUFFER by index.
    pub uniform_indexed: Box<[IndexedBinding]>,
    /// GL_SHADER_STORAGE_BUFFER by index.
    pub storage_indexed: Box<[IndexedBinding]>,
    /// GL_ATOMIC_COUNTER_BUFFER by index.
    pub atomic_indexed: Box<[IndexedBinding]>,
}

impl Default for BufferBindings {
    fn default() -> Self {
        Self {
            array: None,
            copy_read: None,
            copy_write: None,
            pixel_pack: None,
            pixel_unpack: None,
            texture: None,
            uniform: None,
            transform_feedback: None,
            shader_storage: None,
            atomic_counter: None,
            dispatch_indirect: None,
            draw_indirect: None,
            query: None,
            parameter: None,
            uniform_indexed: vec![IndexedBinding::default(); MAX_UNIFORM_BINDINGS].into_boxed_slice(),
            storage_indexed: vec![IndexedBinding::default(); MAX_STORAGE_BINDINGS].into_boxed_slice(),
            atomic_indexed: vec![IndexedBinding::default(); MAX_ATOMIC_BINDINGS].into_boxed_slice(),
        }
    }
}

impl BufferBindings {
    /// The slot of a generic binding point that isn't part of another object.
    pub fn slot(&mut self, target: GLenum) -> Option<&mut Option<Arc<Buffer>>> {
        Some(match target {
            GL_ARRAY_BUFFER => &mut self.array,
            GL_COPY_READ_BUFFER => &mut self.copy_read,
            GL_COPY_WRITE_BUFFER => &mut self.copy_write,
            GL_PIXEL_PACK_BUFFER => &mut self.pixel_pack,
            GL_PIXEL_UNPACK_BUFFER => &mut self.pixel_unpack,
            GL_TEXTURE_BUFFER => &mut self.texture,
            GL_UNIFORM_BUFFER => &mut self.uniform,
            GL_TRANSFORM_FEEDBACK_BUFFER => &mut self.transform_feedback,
            GL_SHADER_STORAGE_BUFFER => &mut self.shader_storage,
            GL_ATOMIC_COUNTER_BUFFER => &mut self.atomic_counter,
            GL_DISPATCH_INDIRECT_BUFFER => &mut self.dispatch_indirect,
            GL_DRAW_INDIRECT_BUFFER => &mut self.draw_indirect,
            GL_QUERY_BUFFER => &mut self.query,
            GL_PARAMETER_BUFFER => &mut self.parameter,
            _ => return None,
        })
    }

    /// All generic binding points that aren't part of another object.
    pub fn generic_targets() -> [GLenum; 14] {
        [
            GL_ARRAY_BUFFER,
            GL_COPY_READ_BUFFER,
            GL_COPY_WRITE_BUFFER,
            GL_PIXEL_PACK_BUFFER,
            GL_PIXEL_UNPACK_BUFFER,
            GL_TEXTURE_BUFFER,
            GL_UNIFORM_BUFFER,
            GL_TRANSFORM_FEEDBACK_BUFFER,
            GL_SHADER_STORAGE_BUFFER,
            GL_ATOMIC_COUNTER_BUFFER,
            GL_DISPATCH_INDIRECT_BUFFER,
            GL_DRAW_INDIRECT_BUFFER,
            GL_QUERY_BUFFER,
            GL_PARAMETER_BUFFER,
        ]
    }
}

impl Context {
    /// The buffer bound to a generic binding point; `None` when nothing is bound or the target isn't one.
    pub fn bound_buffer(&self, target: GLenum) -> Option<&Arc<Buffer>> {
        let bindings = &self.state.buffers;
        let slot = match target {
            GL_ARRAY_BUFFER => &bindings.array,
            GL_ELEMENT_ARRAY_BUFFER => &self.vertex_array().element_buffer,
            GL_COPY_READ_BUFFER => &bindings.copy_read,
            GL_COPY_WRITE_BUFFER => &bindings.copy_write,
            GL_PIXEL_PACK_BUFFER => &bindings.pixel_pack,
            GL_PIXEL_UNPACK_BUFFER => &bindings.pixel_unpack,
            GL_TEXTURE_BUFFER => &bindings.texture,
            GL_UNIFORM_BUFFER => &bindings.uniform,
            GL_TRANSFORM_FEEDBACK_BUFFER => &bindings.transform_feedback,
            GL_SHADER_STORAGE_BUFFER => &bindings.shader_storage,
            GL_ATOMIC_COUNTER_BUFFER => &bindings.atomic_counter,
            GL_DISPATCH_INDIRECT_BUFFER => &bindings.dispatch_indirect,
            GL_DRAW_INDIRECT_BUFFER => &bindings.draw_indirect,
            GL_QUERY_BUFFER => &bindings.query,
            GL_PARAMETER_BUFFER => &bindings.parameter,
            _ => return None,
        };
        slot.as_ref()
    }
}
