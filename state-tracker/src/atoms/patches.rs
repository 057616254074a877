//! Patch size and default tessellation levels.

use gallite_pipe::{F32, PatchDefaults};

use crate::context::Context;

/// Pushes them.
pub fn push(ctx: &mut Context) {
    let patches = &ctx.state.patches;
    let defaults = PatchDefaults {
        vertices: patches.vertices as u32,
        outer: patches.outer.map(F32::new),
        inner: patches.inner.map(F32::new),
    };
    ctx.pipe.set_patch_defaults(&defaults);
}
