//! Depth and stencil tests.

use crate::context::Context;

/// See the module.
pub fn push(_ctx: &mut Context) {}

/// See the module.
pub fn push_reference(_ctx: &mut Context) {}
