//! Vertex fetch.

use crate::context::Context;

/// See the module.
pub fn push_elements(_ctx: &mut Context) {}

/// See the module.
pub fn push_buffers(_ctx: &mut Context) {}
