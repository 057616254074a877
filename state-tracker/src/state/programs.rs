//! The program in use.

use std::sync::Arc;

use crate::context::Context;
use crate::objects::program::Program;

/// Program state of a context.
#[derive(Debug, Default)]
pub struct ProgramState {
    /// GL_CURRENT_PROGRAM.
    pub current: Option<Arc<Program>>,
}

impl Context {
    /// The program in use.
    #[inline]
    pub fn current_program(&self) -> Option<&Arc<Program>> {
        self.state.programs.current.as_ref()
    }
}
