//! Query objects (GL 4.6 core chapter 4). They belong to one context.

use gallite_pipe::QueryId;

use crate::gl::*;
use crate::share::ObjectHeader;

/// A query object.
#[derive(Debug)]
pub struct Query {
    /// Name and label.
    pub header: ObjectHeader,
    /// The target it was first used with.
    pub target: GLenum,
    /// Vertex stream it counts.
    pub index: GLuint,
    /// The driver's query.
    pub id: QueryId,
    /// Between begin and end.
    pub active: bool,
    /// The result, once known.
    pub result: Option<u64>,
}

impl Query {
    /// A query of a target.
    pub fn new(name: GLuint, target: GLenum, index: GLuint, id: QueryId) -> Self {
        Self { header: ObjectHeader::new(name), target, index, id, active: false, result: None }
    }
}
