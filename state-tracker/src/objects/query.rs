//! Query objects. They belong to one context.

use crate::gl::GLuint;
use crate::share::ObjectHeader;

/// One of the query objects.
#[derive(Debug)]
pub struct Query {
    /// Name and label.
    pub header: ObjectHeader,
}

impl Query {
    /// A new object; name 0 is the default one.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name) }
    }
}
