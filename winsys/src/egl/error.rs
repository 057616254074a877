//! The error of a command.

use std::borrow::Cow;

use crate::egl::types::EGLint;

/// An EGL error code with a message for logs and `EGL_KHR_debug`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({code:#06x})")]
pub struct EglError {
    /// `EGL_BAD_…`, `EGL_NOT_INITIALIZED` or `EGL_CONTEXT_LOST`.
    pub code: EGLint,
    /// What was wrong, one line, no full stop.
    pub message: Cow<'static, str>,
}

impl EglError {
    /// An error with its message.
    pub fn new(code: EGLint, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Result of a command.
pub type EglResult<T> = Result<T, EglError>;

/// Fails with the code and message unless the condition holds.
pub fn ensure(condition: bool, code: EGLint, message: &'static str) -> EglResult<()> {
    if condition { Ok(()) } else { Err(EglError::new(code, message)) }
}
