//! Renderbuffer objects.

use crate::gl::GLuint;
use crate::share::ObjectHeader;

/// One of the renderbuffer objects.
#[derive(Debug)]
pub struct Renderbuffer {
    /// Name, label, generation.
    pub header: ObjectHeader,
}

impl Renderbuffer {
    /// A new object.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name) }
    }
}
