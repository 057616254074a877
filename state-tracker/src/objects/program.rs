//! Program objects.

use std::sync::Arc;

use crate::gl::GLuint;
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
    /// Name, label, generation.
    pub header: ObjectHeader,
}

impl Program {
    /// A program without shaders.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name) }
    }
}
