//! Program objects (GL 4.6 core 7.3): what the program asked for, and the outcome of its last link.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use gallite_shader::pool::Pending;
use gallite_shader::{FragDataBinding, XfbMode};
use parking_lot::Mutex;

use crate::gl::*;
use crate::objects::executable::Executable;
use crate::objects::shader::Shader;
use crate::share::ObjectHeader;

/// What a name of the shared name space of shaders and programs stands for.
#[derive(Debug, Clone)]
pub enum ShaderOrProgram {
    /// A shader.
    Shader(Arc<Shader>),
    /// A program.
    Program(Arc<Program>),
}

/// A program object.
#[derive(Debug)]
pub struct Program {
    /// Name, label; the generation moves with each successful link.
    pub header: ObjectHeader,
    /// Contexts that use it. A deleted program's name lives until this is zero.
    uses: AtomicU32,
    /// What program commands change.
    pub state: Mutex<ProgramObjectState>,
}

/// The outcome of a link.
#[derive(Debug, Default)]
pub struct Linked {
    /// The executable when it succeeded.
    pub executable: Option<Arc<Executable>>,
    /// The info log.
    pub log: String,
}

/// What program commands change, and the last link's outcome.
#[derive(Debug, Default)]
pub struct ProgramObjectState {
    /// Attached shaders in order of attachment.
    pub shaders: Vec<Arc<Shader>>,
    /// glBindAttribLocation, effective at the next link.
    pub attribute_bindings: Vec<(String, u32)>,
    /// glBindFragDataLocation(Indexed), effective at the next link.
    pub frag_data_bindings: Vec<FragDataBinding>,
    /// glTransformFeedbackVaryings, effective at the next link.
    pub xfb_varyings: Vec<String>,
    /// Its mode.
    pub xfb_mode: XfbMode,
    /// GL_PROGRAM_BINARY_RETRIEVABLE_HINT. Every program can be retrieved.
    pub binary_retrievable: bool,
    /// GL_PROGRAM_SEPARABLE, effective at the next link.
    pub separable: bool,
    /// A link that nobody has asked about yet. What follows describes the one before until it is settled.
    pub link: Option<Pending<Linked>>,
    /// GL_LINK_STATUS.
    pub link_ok: bool,
    /// GL_VALIDATE_STATUS.
    pub validate_ok: bool,
    /// GL_INFO_LOG of the last link or validation.
    pub log: String,
    /// Outcome of the last successful link. Stays when a later link fails, for the contexts that use it.
    pub executable: Option<Arc<Executable>>,
}

impl ProgramObjectState {
    /// The executable that queries describe: the last link's, if it succeeded.
    pub fn linked(&self) -> Option<&Arc<Executable>> {
        self.executable.as_ref().filter(|_| self.link_ok)
    }
}

impl Program {
    /// A program without shaders.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name), uses: AtomicU32::new(0), state: Mutex::default() }
    }

    /// Waits for a link that runs and takes its outcome. True when that gave it another executable.
    pub fn settle(&self) -> bool {
        let Some(link) = self.state.lock().link.clone() else { return false };
        // Without the lock: what settles another program, or changes this one, doesn't wait for the link.
        let linked = link.wait();
        let mut state = self.state.lock();
        if state.link.as_ref().is_none_or(|current| !current.is(&link)) {
            // Another thread was quicker, or linked anew.
            return false;
        }
        state.link = None;
        self.install(&mut state, linked);
        linked.executable.is_some()
    }

    /// Takes an outcome that is there at once.
    pub fn take(&self, linked: &Linked) {
        self.install(&mut self.state.lock(), linked);
    }

    fn install(&self, state: &mut ProgramObjectState, linked: &Linked) {
        state.link_ok = linked.executable.is_some();
        state.validate_ok = false;
        state.log.clone_from(&linked.log);
        if let Some(executable) = &linked.executable {
            if let Some(old) = state.executable.replace(Arc::clone(executable)) {
                old.retire();
            }
            self.header.bump();
        }
    }

    /// Notes that a context uses it.
    pub fn start_use(&self) {
        self.uses.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes that a context stopped using it; true when it was the last.
    pub fn end_use(&self) -> bool {
        self.uses.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Whether any context uses it.
    pub fn is_used(&self) -> bool {
        self.uses.load(Ordering::Acquire) != 0
    }
}
