//! The transform feedback object in use.

use std::sync::Arc;

use crate::context::Context;
use crate::gl::GLuint;
use crate::objects::program::Program;
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

    /// Whether a program's executable is used by a capture that has begun, paused or not.
    pub fn transform_feedback_uses(&self, program: &Program) -> bool {
        let state = program.state.lock();
        let Some(executable) = &state.executable else { return false };
        let uses = |object: &TransformFeedback| {
            object.active && object.executable.as_ref().is_some_and(|e| Arc::ptr_eq(e, executable))
        };
        uses(&self.default_transform_feedback) || self.transform_feedbacks.iter().any(|(_, object)| uses(object))
    }
}
