//! The program in use.

use std::sync::Arc;

use gallite_pipe::BindPoint;

use crate::context::Context;
use crate::executable_cache::ExecutableCache;
use crate::gl::GLuint;
use crate::objects::executable::Executable;
use crate::objects::pipeline::Addresses;
use crate::objects::program::Program;

/// Program state of a context.
#[derive(Debug, Default)]
pub struct ProgramState {
    /// GL_CURRENT_PROGRAM.
    pub current: Option<Arc<Program>>,
    /// The executable draws use. It outlives a failed relink of its program (GL 4.6 core 7.3).
    pub executable: Option<Arc<Executable>>,
    /// The executable of the program in use. In the compatibility profile the one above may be another: the same program
    /// for other state, or one with stages of fixed function.
    pub own: Option<Arc<Executable>>,
    /// Those others.
    pub variants: ExecutableCache<crate::fixed_function::Key>,
    /// Generation of the current program when `executable` was taken from it.
    pub seen_generation: u64,
    /// The bound program pipeline, 0 for none. It counts while no program is in use.
    pub pipeline: GLuint,
    /// Whether what it consists of is to be looked at anew.
    pub pipeline_changed: bool,
    /// What keeps it from drawing (GL 4.6 core 11.1.3.11).
    pub pipeline_fault: Option<String>,
    /// The executable that dispatches use, of a pipeline.
    pub compute: Option<Arc<Executable>>,
    /// The executable whose uniforms glUniform* sets, of a pipeline, with its program and the generation seen.
    pub active: Option<(Arc<Program>, Arc<Executable>, u64)>,
    /// Executables of pipelines, by those of their programs in order.
    pub composed: ExecutableCache<Addresses>,
    /// The default block as bytes, kept so that a push allocates nothing.
    pub scratch: Vec<u64>,
    /// Whether the program last pushed writes gl_ViewportIndex. The program atom sets it, and wakes VIEWPORT and
    /// SCISSOR when it changes.
    pub writes_viewport: bool,
    /// GL_MAX_SHADER_COMPILER_THREADS_KHR, if the program chose a number.
    pub compiler_threads: Option<u32>,
}

impl ProgramState {
    /// The executable that work at a bind point uses.
    #[inline]
    pub fn at(&self, point: BindPoint) -> Option<&Arc<Executable>> {
        self.executable
            .as_ref()
            .filter(|e| e.point() == point)
            .or_else(|| self.compute.as_ref().filter(|e| e.point() == point))
    }
}

impl Context {
    /// The program in use.
    #[inline]
    pub fn current_program(&self) -> Option<&Arc<Program>> {
        self.state.programs.current.as_ref()
    }

    /// The executable draws use.
    #[inline]
    pub fn executable(&self) -> Option<&Arc<Executable>> {
        self.state.programs.executable.as_ref()
    }
}
