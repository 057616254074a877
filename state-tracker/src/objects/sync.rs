//! Sync objects.

use crate::gl::GLuint;
use crate::share::ObjectHeader;

/// One of the sync objects.
#[derive(Debug)]
pub struct Sync {
    /// Name, label, generation.
    pub header: ObjectHeader,
}

impl Sync {
    /// A new object.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name) }
    }
}
