//! Hints (GL 4.6 core 21.5).

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;

pub fn Hint(ctx: &mut Context, target: GLenum, mode: GLenum) -> GlResult {
    let compatibility = ctx.is_compatibility();
    let hints = &mut ctx.state.hints;
    let slot = match target {
        GL_LINE_SMOOTH_HINT => &mut hints.line_smooth,
        GL_POLYGON_SMOOTH_HINT => &mut hints.polygon_smooth,
        GL_TEXTURE_COMPRESSION_HINT => &mut hints.texture_compression,
        GL_FRAGMENT_SHADER_DERIVATIVE_HINT => &mut hints.fragment_shader_derivative,
        GL_PERSPECTIVE_CORRECTION_HINT if compatibility => &mut ctx.state.fixed.hints[0],
        GL_POINT_SMOOTH_HINT if compatibility => &mut ctx.state.fixed.hints[1],
        GL_FOG_HINT if compatibility => &mut ctx.state.fixed.hints[2],
        GL_GENERATE_MIPMAP_HINT if compatibility => &mut ctx.state.fixed.hints[3],
        _ => return Err(GlError::invalid_enum(format!("glHint: target 0x{target:04X}"))),
    };
    if !matches!(mode, GL_FASTEST | GL_NICEST | GL_DONT_CARE) {
        return Err(GlError::invalid_enum(format!("glHint: mode 0x{mode:04X}")));
    }
    *slot = mode;
    Ok(())
}
