//! Sample mask and sample shading.

use crate::context::Context;

/// See the module.
pub fn push_mask(_ctx: &mut Context) {}

/// See the module.
pub fn push_min(_ctx: &mut Context) {}
