//! The program in use.

use crate::context::Context;

/// See the module.
pub fn push(_ctx: &mut Context) {}
