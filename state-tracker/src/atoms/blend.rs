//! Blend state.

use crate::context::Context;

/// See the module.
pub fn push(_ctx: &mut Context) {}

/// See the module.
pub fn push_color(_ctx: &mut Context) {}
