//! The transform feedback object in use.

use crate::context::Context;
use crate::gl::GLuint;
use crate::objects::transform_feedback::TransformFeedback;

/// Transform feedback state of a context.
#[derive(Debug, Default)]
pub struct TransformFeedbackState {
    /// GL_TRANSFORM_FEEDBACK_BINDING.
    pub bound: GLuint,
}

impl Context {
    /// The transform feedback object in use.
    #[inline]
    pub fn transform_feedback(&self) -> &TransformFeedback {
        let bound = self.state.transform_feedback.bound;
        if bound == 0 {
            return &self.default_transform_feedback;
        }
        self.transform_feedbacks.get(bound).map_or(&self.default_transform_feedback, |o| o)
    }

    /// The transform feedback object in use, for changing it.
    pub fn transform_feedback_mut(&mut self) -> &mut TransformFeedback {
        match self.transform_feedbacks.get_mut(self.state.transform_feedback.bound) {
            Some(object) => object,
            None => &mut self.default_transform_feedback,
        }
    }

    /// Whether draws are captured now.
    #[inline]
    pub fn transform_feedback_is_capturing(&self) -> bool {
        self.transform_feedback().is_capturing()
    }
}
