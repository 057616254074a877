//! Conditional rendering.

use crate::context::Context;

/// See the module.
pub fn push(_ctx: &mut Context) {}
