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
    /// GL_PRIMITIVE_BOUNDING_BOX_ARB: what the program says of the extent of patches. Nothing is made of it.
    pub bounds: [GLfloat; 8],
}

impl Default for PatchState {
    fn default() -> Self {
        // GL 4.6 core table 23.28; ARB_ES3_2_compatibility, new state.
        Self { vertices: 3, outer: [1.0; 4], inner: [1.0; 2], bounds: [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
    }
}
