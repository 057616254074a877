//! Patches (GL 4.6 core 10.1.15, 11.2.2): glPatchParameter*; ARB_ES3_2_compatibility: glPrimitiveBoundingBoxARB.

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;

pub fn PatchParameteri(ctx: &mut Context, pname: GLenum, value: GLint) -> GlResult {
    if pname != GL_PATCH_VERTICES || ctx.limits.patch_vertices == 0 {
        return Err(GlError::invalid_enum(format!("glPatchParameteri: pname 0x{pname:04X}")));
    }
    if !(1..=ctx.limits.patch_vertices).contains(&value) {
        return Err(GlError::invalid_value(format!("glPatchParameteri: {value} vertices")));
    }
    if ctx.state.patches.vertices != value {
        ctx.state.patches.vertices = value;
        ctx.dirty.insert(DirtySet::PATCH);
    }
    Ok(())
}

pub fn PatchParameterfv(ctx: &mut Context, pname: GLenum, values: ClientPtr<GLfloat>) -> GlResult {
    let patches = &mut ctx.state.patches;
    match pname {
        GL_PATCH_DEFAULT_OUTER_LEVEL => patches.outer = std::array::from_fn(|i| values.read_at(i)),
        GL_PATCH_DEFAULT_INNER_LEVEL => patches.inner = std::array::from_fn(|i| values.read_at(i)),
        _ => return Err(GlError::invalid_enum(format!("glPatchParameterfv: pname 0x{pname:04X}"))),
    }
    ctx.dirty.insert(DirtySet::PATCH);
    Ok(())
}

/// A hint of where the primitives of patches will lie.
pub fn PrimitiveBoundingBoxARB(
    ctx: &mut Context,
    min_x: GLfloat,
    min_y: GLfloat,
    min_z: GLfloat,
    min_w: GLfloat,
    max_x: GLfloat,
    max_y: GLfloat,
    max_z: GLfloat,
    max_w: GLfloat,
) -> GlResult {
    ctx.state.patches.bounds = [min_x, min_y, min_z, min_w, max_x, max_y, max_z, max_w];
    Ok(())
}
