//! Patches and their default tessellation levels.

use crate::gl::*;

/// Patch state of a context.
#[derive(Debug)]
pub struct PatchState {
    /// GL_PATCH_VERTICES.
    pub vertices: GLint,
    /// GL_PATCH_DEFAULT_OUTER_LEVEL.
    pub outer: [GLfloat; 4],
    /// GL_PATCH_DEFAULT_INNER_LEVEL.
    pub inner: [GLfloat; 2],
}

impl Default for PatchState {
    fn default() -> Self {
        // GL 4.6 core table 23.28.
        Self { vertices: 3, outer: [1.0; 4], inner: [1.0; 2] }
    }
}
