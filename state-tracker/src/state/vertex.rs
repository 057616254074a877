//! Current vertex array and current attribute values.

use crate::context::Context;
use crate::gl::GLuint;
use crate::objects::vertex_array::VertexArray;

/// Vertex state outside vertex array objects.
#[derive(Debug, Default)]
pub struct VertexState {
    /// GL_VERTEX_ARRAY_BINDING.
    pub bound: GLuint,
    /// GL_PRIMITIVE_RESTART.
    pub primitive_restart: bool,
    /// GL_PRIMITIVE_RESTART_FIXED_INDEX.
    pub primitive_restart_fixed: bool,
    /// GL_PRIMITIVE_RESTART_INDEX.
    pub restart_index: GLuint,
}

impl Context {
    /// The vertex array in use. Name 0 gives the default one, which the core profile forbids to draw with.
    #[inline]
    pub fn vertex_array(&self) -> &VertexArray {
        self.vertex_arrays.get(self.state.vertex.bound).map_or(&self.default_vertex_array, |o| o)
    }

    /// The vertex array in use, for changing it.
    #[inline]
    pub fn vertex_array_mut(&mut self) -> &mut VertexArray {
        match self.vertex_arrays.get_mut(self.state.vertex.bound) {
            Some(object) => object,
            None => &mut self.default_vertex_array,
        }
    }
}
