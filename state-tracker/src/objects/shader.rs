//! Shader objects (GL 4.6 core 7.1).

use std::sync::atomic::{AtomicU32, Ordering};

use gallite_shader::pool::Pending;
use gallite_shader::{CompiledShader, SpirvModule, Stage};
use parking_lot::Mutex;

use crate::gl::*;
use crate::share::ObjectHeader;

/// A shader object.
#[derive(Debug)]
pub struct Shader {
    /// Name, label, generation.
    pub header: ObjectHeader,
    /// GL_SHADER_TYPE.
    pub kind: GLenum,
    /// The stage of that type.
    pub stage: Stage,
    /// Programs it is attached to. A deleted shader's name lives until this is zero.
    attachments: AtomicU32,
    /// Source and outcome of the last compile.
    pub state: Mutex<ShaderState>,
}

/// What shader commands change.
#[derive(Debug, Default)]
pub struct ShaderState {
    /// The concatenated strings of glShaderSource.
    pub source: Vec<u8>,
    /// The module of glShaderBinary that took the source's place.
    pub module: Option<SpirvModule>,
    /// Outcome of the last glCompileShader or glSpecializeShader, there or to come; none before the first.
    pub compiled: Option<Pending<CompiledShader>>,
}

impl Shader {
    /// A shader of a type, whose stage is `stage`, without source.
    pub fn new(name: GLuint, kind: GLenum, stage: Stage) -> Self {
        let header = ObjectHeader::new(name);
        Self { header, kind, stage, attachments: AtomicU32::new(0), state: Mutex::default() }
    }

    /// Notes an attachment.
    pub fn attach(&self) {
        self.attachments.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes a detachment; true when it was the last.
    pub fn detach(&self) -> bool {
        self.attachments.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Whether any program has it.
    pub fn is_attached(&self) -> bool {
        self.attachments.load(Ordering::Acquire) != 0
    }
}
