//! Shader objects.

use crate::gl::GLuint;
use crate::share::ObjectHeader;

/// One of the shader objects.
#[derive(Debug)]
pub struct Shader {
    /// Name, label, generation.
    pub header: ObjectHeader,
}

impl Shader {
    /// A new object.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name) }
    }
}
