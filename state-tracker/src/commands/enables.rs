//! glEnable, glDisable and their queries (GL 4.6 core 22.1, tables of chapter 23).

use crate::commands::fragment_ops::set_blend_enabled;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;

/// A switch that is one boolean, with what to do when it changes.
fn switch(ctx: &mut Context, cap: GLenum) -> Option<(&mut bool, DirtySet)> {
    let raster = &mut ctx.state.raster;
    let fragment = &mut ctx.state.fragment;
    Some(match cap {
        GL_CULL_FACE => (&mut raster.cull, DirtySet::RASTERIZER),
        GL_DEPTH_TEST => (&mut fragment.depth_test, DirtySet::DEPTH_STENCIL),
        GL_STENCIL_TEST => (&mut fragment.stencil_test, DirtySet::DEPTH_STENCIL),
        GL_POLYGON_OFFSET_POINT => (&mut raster.offset_enables[0], DirtySet::RASTERIZER),
        GL_POLYGON_OFFSET_LINE => (&mut raster.offset_enables[1], DirtySet::RASTERIZER),
        GL_POLYGON_OFFSET_FILL => (&mut raster.offset_enables[2], DirtySet::RASTERIZER),
        GL_COLOR_LOGIC_OP => (&mut fragment.logic_op_enabled, DirtySet::BLEND),
        GL_DITHER => (&mut fragment.dither, DirtySet::NONE),
        GL_FRAMEBUFFER_SRGB => (&mut fragment.framebuffer_srgb, DirtySet::FRAMEBUFFER),
        GL_LINE_SMOOTH => (&mut raster.line_smooth, DirtySet::RASTERIZER),
        GL_POLYGON_SMOOTH => (&mut raster.polygon_smooth, DirtySet::RASTERIZER),
        GL_MULTISAMPLE => {
            let sampled = DirtySet::SAMPLE_MASK.union(DirtySet::MIN_SAMPLES).union(DirtySet::BLEND);
            (&mut raster.multisample, DirtySet::RASTERIZER.union(sampled))
        }
        GL_PROGRAM_POINT_SIZE => (&mut raster.program_point_size, DirtySet::RASTERIZER),
        GL_RASTERIZER_DISCARD => (&mut raster.discard, DirtySet::RASTERIZER),
        GL_DEPTH_CLAMP => (&mut raster.depth_clamp, DirtySet::RASTERIZER),
        GL_SAMPLE_ALPHA_TO_COVERAGE => (&mut fragment.alpha_to_coverage, DirtySet::BLEND),
        GL_SAMPLE_ALPHA_TO_ONE => (&mut fragment.alpha_to_one, DirtySet::BLEND),
        GL_SAMPLE_COVERAGE => (&mut fragment.sample_coverage, DirtySet::SAMPLE_MASK),
        GL_SAMPLE_MASK => (&mut fragment.sample_mask, DirtySet::SAMPLE_MASK),
        GL_SAMPLE_SHADING => (&mut fragment.sample_shading, DirtySet::MIN_SAMPLES),
        GL_TEXTURE_CUBE_MAP_SEAMLESS => (&mut ctx.state.textures.cube_seamless, DirtySet::SAMPLERS),
        GL_PRIMITIVE_RESTART => (&mut ctx.state.vertex.primitive_restart, DirtySet::NONE),
        GL_PRIMITIVE_RESTART_FIXED_INDEX => (&mut ctx.state.vertex.primitive_restart_fixed, DirtySet::NONE),
        GL_DEBUG_OUTPUT => (&mut ctx.debug.output, DirtySet::NONE),
        GL_DEBUG_OUTPUT_SYNCHRONOUS => (&mut ctx.debug.synchronous, DirtySet::NONE),
        _ => return None,
    })
}

/// The index of a clip distance, if the cap is one.
fn clip_distance(ctx: &Context, cap: GLenum) -> Option<u32> {
    cap.checked_sub(GL_CLIP_DISTANCE0).filter(|i| *i < ctx.limits.clip_distances as u32)
}

fn set(ctx: &mut Context, command: &str, cap: GLenum, on: bool) -> GlResult {
    if let Some((slot, dirty)) = switch(ctx, cap) {
        if *slot != on {
            *slot = on;
            ctx.dirty.insert(dirty);
        }
        return Ok(());
    }
    match cap {
        GL_BLEND => set_blend_enabled(ctx, None, on),
        GL_SCISSOR_TEST => set_scissor(ctx, u16::MAX, on),
        _ => {
            let Some(index) = clip_distance(ctx, cap) else {
                if super::legacy_enables::set(ctx, command, cap, on)? {
                    return Ok(());
                }
                return Err(GlError::invalid_enum(format!("{command}: cap 0x{cap:04X}")));
            };
            let raster = &mut ctx.state.raster;
            let bit = 1 << index;
            let new = if on { raster.clip_distances | bit } else { raster.clip_distances & !bit };
            if new != raster.clip_distances {
                raster.clip_distances = new;
                ctx.dirty.insert(DirtySet::RASTERIZER | DirtySet::CLIP_PLANES);
            }
        }
    }
    Ok(())
}

fn set_scissor(ctx: &mut Context, bits: u16, on: bool) {
    let fragment = &mut ctx.state.fragment;
    let new = if on { fragment.scissor_test | bits } else { fragment.scissor_test & !bits };
    if new != fragment.scissor_test {
        fragment.scissor_test = new;
        ctx.dirty.insert(DirtySet::RASTERIZER | DirtySet::SCISSOR);
    }
}

fn set_indexed(ctx: &mut Context, command: &str, cap: GLenum, index: GLuint, on: bool) -> GlResult {
    let index = checked_index(ctx, command, cap, index)?;
    match cap {
        GL_BLEND => set_blend_enabled(ctx, Some(index), on),
        _ => set_scissor(ctx, 1 << index, on),
    }
    Ok(())
}

/// Checks that a cap can be indexed and that the index is in range.
fn checked_index(ctx: &Context, command: &str, cap: GLenum, index: GLuint) -> GlResult<usize> {
    let limit = match cap {
        GL_BLEND => ctx.limits.draw_buffers,
        GL_SCISSOR_TEST => ctx.limits.viewports,
        _ => return Err(GlError::invalid_enum(format!("{command}: cap 0x{cap:04X}"))),
    };
    if index >= limit as u32 {
        return Err(GlError::invalid_value(format!("{command}: index {index}")));
    }
    Ok(index as usize)
}

/// The value of a switch, for glIsEnabled and glGet.
pub(crate) fn is_enabled(ctx: &mut Context, cap: GLenum) -> Option<bool> {
    if let Some((slot, _)) = switch(ctx, cap) {
        return Some(*slot);
    }
    match cap {
        GL_BLEND => Some(ctx.state.fragment.blend[0].enabled),
        GL_SCISSOR_TEST => Some(ctx.state.fragment.scissor_test & 1 != 0),
        _ => match clip_distance(ctx, cap) {
            Some(i) => Some(ctx.state.raster.clip_distances & (1 << i) != 0),
            None => super::legacy_enables::is_enabled(ctx, cap),
        },
    }
}

/// The value of an indexed switch.
pub(crate) fn is_enabled_indexed(ctx: &Context, command: &str, cap: GLenum, index: GLuint) -> GlResult<bool> {
    let index = checked_index(ctx, command, cap, index)?;
    Ok(match cap {
        GL_BLEND => ctx.state.fragment.blend[index].enabled,
        _ => ctx.state.fragment.scissor_test & (1 << index) != 0,
    })
}

pub fn Enable(ctx: &mut Context, cap: GLenum) -> GlResult {
    set(ctx, "glEnable", cap, true)
}

pub fn Disable(ctx: &mut Context, cap: GLenum) -> GlResult {
    set(ctx, "glDisable", cap, false)
}

pub fn Enablei(ctx: &mut Context, target: GLenum, index: GLuint) -> GlResult {
    set_indexed(ctx, "glEnablei", target, index, true)
}

pub fn Disablei(ctx: &mut Context, target: GLenum, index: GLuint) -> GlResult {
    set_indexed(ctx, "glDisablei", target, index, false)
}

pub fn IsEnabled(ctx: &mut Context, cap: GLenum) -> GlResult<GLboolean> {
    let on = is_enabled(ctx, cap).ok_or_else(|| GlError::invalid_enum(format!("glIsEnabled: cap 0x{cap:04X}")))?;
    Ok(GLboolean::from(on))
}

pub fn IsEnabledi(ctx: &mut Context, target: GLenum, index: GLuint) -> GlResult<GLboolean> {
    Ok(GLboolean::from(is_enabled_indexed(ctx, "glIsEnabledi", target, index)?))
}
