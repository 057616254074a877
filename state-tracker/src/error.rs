//! The one error type of commands.

use std::borrow::Cow;

use crate::gl::*;

/// A GL error: the code glGetError returns and a message for KHR_debug. Boxed, so that a command's result is one
/// word and the path without error pays nothing for it.
#[derive(Debug)]
pub struct GlError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: GLenum,
    message: Cow<'static, str>,
    /// About the target alone.
    target: bool,
}

/// What a command that can fail returns.
pub type GlResult<T = ()> = Result<T, GlError>;

impl GlError {
    /// An error with this code. The message begins with the command: `glBindBuffer: ...`.
    #[cold]
    #[inline(never)]
    pub fn new(code: GLenum, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { code, message: message.into(), target: false }))
    }

    /// GL_INVALID_ENUM.
    #[cold]
    pub fn invalid_enum(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GL_INVALID_ENUM, message)
    }

    /// GL_INVALID_ENUM for a target that the command does not take.
    #[cold]
    pub fn invalid_target(message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { code: GL_INVALID_ENUM, message: message.into(), target: true }))
    }

    /// GL_INVALID_VALUE.
    #[cold]
    pub fn invalid_value(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GL_INVALID_VALUE, message)
    }

    /// GL_INVALID_OPERATION.
    #[cold]
    pub fn invalid_operation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GL_INVALID_OPERATION, message)
    }

    /// GL_CONTEXT_LOST.
    #[cold]
    pub fn context_lost(command: &'static str) -> Self {
        Self::new(GL_CONTEXT_LOST, format!("{command}: the context is lost"))
    }

    /// GL_INVALID_FRAMEBUFFER_OPERATION.
    #[cold]
    pub fn invalid_framebuffer(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GL_INVALID_FRAMEBUFFER_OPERATION, message)
    }

    /// GL_OUT_OF_MEMORY.
    #[cold]
    pub fn out_of_memory(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GL_OUT_OF_MEMORY, message)
    }

    /// The same error of another command, in whose name the failing one ran. A target that the program did not give
    /// but the object it named has is INVALID_OPERATION (GL 4.6 core 8.6 and others).
    #[cold]
    pub fn said_by(self, command: &'static str) -> Self {
        let rest = self.0.message.find(':').map_or("", |colon| &self.0.message[colon..]);
        let code = if self.0.target { GL_INVALID_OPERATION } else { self.0.code };
        Self::new(code, format!("{command}{rest}"))
    }

    /// The code glGetError returns.
    pub fn code(&self) -> GLenum {
        self.0.code
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl std::fmt::Display for GlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (0x{:04X})", self.0.message, self.0.code)
    }
}

impl std::error::Error for GlError {}
