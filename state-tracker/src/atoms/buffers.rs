//! Indexed buffer bindings the program reads.

use crate::context::Context;

/// See the module.
pub fn push_uniform(_ctx: &mut Context) {}

/// See the module.
pub fn push_storage(_ctx: &mut Context) {}
