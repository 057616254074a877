//! The transform feedback object in use.

use crate::gl::GLuint;

/// Transform feedback state of a context.
#[derive(Debug, Default)]
pub struct TransformFeedbackState {
    /// GL_TRANSFORM_FEEDBACK_BINDING.
    pub bound: GLuint,
}
