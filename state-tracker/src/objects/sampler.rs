//! Sampler objects.

use crate::gl::GLuint;
use crate::share::ObjectHeader;

/// One of the sampler objects.
#[derive(Debug)]
pub struct Sampler {
    /// Name, label, generation.
    pub header: ObjectHeader,
}

impl Sampler {
    /// A new object.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name) }
    }
}
