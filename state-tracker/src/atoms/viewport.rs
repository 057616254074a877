//! Viewports and scissors.

use crate::context::Context;

/// See the module.
pub fn push_viewports(_ctx: &mut Context) {}

/// See the module.
pub fn push_scissors(_ctx: &mut Context) {}
