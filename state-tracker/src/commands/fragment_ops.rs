//! Per-fragment operations and writes to the framebuffer (GL 4.6 core 14.9, 17.3, 17.4.2).

use gallite_pipe::MAX_VIEWPORTS;

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::conv;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::state::fragment::{BlendUnit, StencilFace};

/// Checks the index of a draw buffer.
fn draw_buffer(ctx: &Context, command: &str, index: GLuint) -> GlResult<usize> {
    if index >= ctx.limits.draw_buffers as u32 {
        return Err(GlError::invalid_value(format!("{command}: draw buffer {index}")));
    }
    Ok(index as usize)
}

/// Changes the blend state of some draw buffers and notes whether anything differs.
#[inline]
fn change_blend(ctx: &mut Context, units: std::ops::Range<usize>, change: impl Fn(&mut BlendUnit)) {
    let fragment = &mut ctx.state.fragment;
    if units == ALL && !fragment.blend_independent {
        // All are alike and stay so: one is looked at.
        let mut unit = fragment.blend[0];
        change(&mut unit);
        if unit != fragment.blend[0] {
            fragment.blend.fill(unit);
            ctx.dirty.insert(DirtySet::BLEND);
        }
        return;
    }
    let mut differs = false;
    for unit in &mut ctx.state.fragment.blend[units] {
        let old = *unit;
        change(unit);
        differs |= old != *unit;
    }
    if differs {
        ctx.state.fragment.note_blend_change();
        ctx.dirty.insert(DirtySet::BLEND);
    }
}

fn check_factors(ctx: &Context, command: &str, factors: [GLenum; 4]) -> GlResult {
    for factor in factors {
        if conv::blend_factor(factor).is_none()
            || (conv::is_dual_source(factor) && ctx.limits.dual_source_draw_buffers == 0)
        {
            return Err(GlError::invalid_enum(format!("{command}: factor 0x{factor:04X}")));
        }
    }
    Ok(())
}

const ALL: std::ops::Range<usize> = 0..gallite_pipe::MAX_COLOR_ATTACHMENTS;

pub fn BlendFunc(ctx: &mut Context, src: GLenum, dst: GLenum) -> GlResult {
    let factors = [src, dst, src, dst];
    check_factors(ctx, "glBlendFunc", factors)?;
    change_blend(ctx, ALL, |u| u.factors = factors);
    Ok(())
}

pub fn BlendFuncSeparate(
    ctx: &mut Context,
    src: GLenum,
    dst: GLenum,
    src_alpha: GLenum,
    dst_alpha: GLenum,
) -> GlResult {
    let factors = [src, dst, src_alpha, dst_alpha];
    check_factors(ctx, "glBlendFuncSeparate", factors)?;
    change_blend(ctx, ALL, |u| u.factors = factors);
    Ok(())
}

pub fn BlendFunci(ctx: &mut Context, buf: GLuint, src: GLenum, dst: GLenum) -> GlResult {
    let unit = draw_buffer(ctx, "glBlendFunci", buf)?;
    let factors = [src, dst, src, dst];
    check_factors(ctx, "glBlendFunci", factors)?;
    change_blend(ctx, unit..unit + 1, |u| u.factors = factors);
    Ok(())
}

pub fn BlendFuncSeparatei(
    ctx: &mut Context,
    buf: GLuint,
    src: GLenum,
    dst: GLenum,
    src_alpha: GLenum,
    dst_alpha: GLenum,
) -> GlResult {
    let unit = draw_buffer(ctx, "glBlendFuncSeparatei", buf)?;
    let factors = [src, dst, src_alpha, dst_alpha];
    check_factors(ctx, "glBlendFuncSeparatei", factors)?;
    change_blend(ctx, unit..unit + 1, |u| u.factors = factors);
    Ok(())
}

fn check_equations(command: &str, equations: [GLenum; 2]) -> GlResult {
    match equations.iter().find(|e| conv::blend_op(**e).is_none()) {
        Some(bad) => Err(GlError::invalid_enum(format!("{command}: equation 0x{bad:04X}"))),
        None => Ok(()),
    }
}

pub fn BlendEquation(ctx: &mut Context, mode: GLenum) -> GlResult {
    check_equations("glBlendEquation", [mode; 2])?;
    change_blend(ctx, ALL, |u| u.equation = [mode; 2]);
    Ok(())
}

pub fn BlendEquationSeparate(ctx: &mut Context, color: GLenum, alpha: GLenum) -> GlResult {
    check_equations("glBlendEquationSeparate", [color, alpha])?;
    change_blend(ctx, ALL, |u| u.equation = [color, alpha]);
    Ok(())
}

pub fn BlendEquationi(ctx: &mut Context, buf: GLuint, mode: GLenum) -> GlResult {
    let unit = draw_buffer(ctx, "glBlendEquationi", buf)?;
    check_equations("glBlendEquationi", [mode; 2])?;
    change_blend(ctx, unit..unit + 1, |u| u.equation = [mode; 2]);
    Ok(())
}

pub fn BlendEquationSeparatei(ctx: &mut Context, buf: GLuint, color: GLenum, alpha: GLenum) -> GlResult {
    let unit = draw_buffer(ctx, "glBlendEquationSeparatei", buf)?;
    check_equations("glBlendEquationSeparatei", [color, alpha])?;
    change_blend(ctx, unit..unit + 1, |u| u.equation = [color, alpha]);
    Ok(())
}

/// Sets GL_BLEND of some draw buffers, for glEnable and glEnablei.
pub(crate) fn set_blend_enabled(ctx: &mut Context, unit: Option<usize>, on: bool) {
    let units = unit.map_or(ALL, |u| u..u + 1);
    change_blend(ctx, units, |u| u.enabled = on);
}

pub fn BlendColor(ctx: &mut Context, red: GLfloat, green: GLfloat, blue: GLfloat, alpha: GLfloat) {
    let color = [red, green, blue, alpha];
    if ctx.state.fragment.blend_color != color {
        ctx.state.fragment.blend_color = color;
        ctx.dirty.insert(DirtySet::BLEND_COLOR);
    }
}

fn mask_bits(channels: [GLboolean; 4]) -> u8 {
    channels.iter().enumerate().map(|(i, c)| u8::from(*c != 0) << i).sum()
}

pub fn ColorMask(ctx: &mut Context, red: GLboolean, green: GLboolean, blue: GLboolean, alpha: GLboolean) {
    let mask = mask_bits([red, green, blue, alpha]);
    change_blend(ctx, ALL, |u| u.write_mask = mask);
}

pub fn ColorMaski(
    ctx: &mut Context,
    index: GLuint,
    red: GLboolean,
    green: GLboolean,
    blue: GLboolean,
    alpha: GLboolean,
) -> GlResult {
    let unit = draw_buffer(ctx, "glColorMaski", index)?;
    let mask = mask_bits([red, green, blue, alpha]);
    change_blend(ctx, unit..unit + 1, |u| u.write_mask = mask);
    Ok(())
}

pub fn LogicOp(ctx: &mut Context, opcode: GLenum) -> GlResult {
    if conv::logic_op(opcode).is_none() {
        return Err(GlError::invalid_enum(format!("glLogicOp: opcode 0x{opcode:04X}")));
    }
    if ctx.state.fragment.logic_op != opcode {
        ctx.state.fragment.logic_op = opcode;
        ctx.dirty.insert(DirtySet::BLEND);
    }
    Ok(())
}

pub fn DepthFunc(ctx: &mut Context, func: GLenum) -> GlResult {
    if conv::compare_func(func).is_none() {
        return Err(GlError::invalid_enum(format!("glDepthFunc: func 0x{func:04X}")));
    }
    if ctx.state.fragment.depth_func != func {
        ctx.state.fragment.depth_func = func;
        ctx.dirty.insert(DirtySet::DEPTH_STENCIL);
    }
    Ok(())
}

pub fn DepthMask(ctx: &mut Context, flag: GLboolean) {
    let on = flag != 0;
    if ctx.state.fragment.depth_mask != on {
        ctx.state.fragment.depth_mask = on;
        ctx.dirty.insert(DirtySet::DEPTH_STENCIL);
    }
}

/// Which facings a face parameter names: front, back.
fn faces(command: &str, face: GLenum) -> GlResult<[bool; 2]> {
    match face {
        GL_FRONT => Ok([true, false]),
        GL_BACK => Ok([false, true]),
        GL_FRONT_AND_BACK => Ok([true, true]),
        _ => Err(GlError::invalid_enum(format!("{command}: face 0x{face:04X}"))),
    }
}

fn change_stencil(ctx: &mut Context, which: [bool; 2], dirty: DirtySet, change: impl Fn(&mut StencilFace)) {
    for (face, chosen) in ctx.state.fragment.stencil.iter_mut().zip(which) {
        if chosen {
            let old = *face;
            change(face);
            if old != *face {
                ctx.dirty.insert(dirty);
            }
        }
    }
}

fn stencil_func(
    ctx: &mut Context,
    command: &str,
    which: [bool; 2],
    func: GLenum,
    reference: GLint,
    mask: GLuint,
) -> GlResult {
    if conv::compare_func(func).is_none() {
        return Err(GlError::invalid_enum(format!("{command}: func 0x{func:04X}")));
    }
    change_stencil(ctx, which, DirtySet::DEPTH_STENCIL, |f| (f.func, f.compare_mask) = (func, mask));
    change_stencil(ctx, which, DirtySet::STENCIL_REF, |f| f.reference = reference);
    Ok(())
}

pub fn StencilFunc(ctx: &mut Context, func: GLenum, reference: GLint, mask: GLuint) -> GlResult {
    stencil_func(ctx, "glStencilFunc", [true; 2], func, reference, mask)
}

pub fn StencilFuncSeparate(ctx: &mut Context, face: GLenum, func: GLenum, reference: GLint, mask: GLuint) -> GlResult {
    let which = faces("glStencilFuncSeparate", face)?;
    stencil_func(ctx, "glStencilFuncSeparate", which, func, reference, mask)
}

fn stencil_ops(ctx: &mut Context, command: &str, which: [bool; 2], ops: [GLenum; 3]) -> GlResult {
    if let Some(bad) = ops.iter().find(|op| conv::stencil_op(**op).is_none()) {
        return Err(GlError::invalid_enum(format!("{command}: operation 0x{bad:04X}")));
    }
    change_stencil(ctx, which, DirtySet::DEPTH_STENCIL, |f| f.ops = ops);
    Ok(())
}

pub fn StencilOp(ctx: &mut Context, fail: GLenum, depth_fail: GLenum, pass: GLenum) -> GlResult {
    stencil_ops(ctx, "glStencilOp", [true; 2], [fail, depth_fail, pass])
}

pub fn StencilOpSeparate(ctx: &mut Context, face: GLenum, fail: GLenum, depth_fail: GLenum, pass: GLenum) -> GlResult {
    let which = faces("glStencilOpSeparate", face)?;
    stencil_ops(ctx, "glStencilOpSeparate", which, [fail, depth_fail, pass])
}

pub fn StencilMask(ctx: &mut Context, mask: GLuint) {
    change_stencil(ctx, [true; 2], DirtySet::DEPTH_STENCIL, |f| f.write_mask = mask);
}

pub fn StencilMaskSeparate(ctx: &mut Context, face: GLenum, mask: GLuint) -> GlResult {
    let which = faces("glStencilMaskSeparate", face)?;
    change_stencil(ctx, which, DirtySet::DEPTH_STENCIL, |f| f.write_mask = mask);
    Ok(())
}

fn set_scissors(ctx: &mut Context, command: &str, first: usize, boxes: &[[GLint; 4]]) -> GlResult {
    if boxes.iter().any(|b| b[2] < 0 || b[3] < 0) {
        return Err(GlError::invalid_value(format!("{command}: width or height is negative")));
    }
    let slots = &mut ctx.state.fragment.scissors[first..first + boxes.len()];
    if slots != boxes {
        slots.copy_from_slice(boxes);
        ctx.dirty.insert(DirtySet::SCISSOR);
    }
    Ok(())
}

fn scissor_range(ctx: &Context, command: &str, first: GLuint, count: GLsizei) -> GlResult<usize> {
    let end = u32::try_from(count).ok().and_then(|c| first.checked_add(c));
    if end.is_none_or(|end| end > ctx.limits.viewports as u32) {
        return Err(GlError::invalid_value(format!("{command}: scissor range out of bounds")));
    }
    Ok(first as usize)
}

pub fn Scissor(ctx: &mut Context, x: GLint, y: GLint, width: GLsizei, height: GLsizei) -> GlResult {
    set_scissors(ctx, "glScissor", 0, &[[x, y, width, height]; MAX_VIEWPORTS])
}

pub fn ScissorArrayv(ctx: &mut Context, first: GLuint, count: GLsizei, v: ClientPtr<GLint>) -> GlResult {
    let start = scissor_range(ctx, "glScissorArrayv", first, count)?;
    set_scissors(ctx, "glScissorArrayv", start, &v.cast::<[GLint; 4]>().read(count as usize))
}

pub fn ScissorIndexed(ctx: &mut Context, index: GLuint, x: GLint, y: GLint, w: GLsizei, h: GLsizei) -> GlResult {
    let start = scissor_range(ctx, "glScissorIndexed", index, 1)?;
    set_scissors(ctx, "glScissorIndexed", start, &[[x, y, w, h]])
}

pub fn ScissorIndexedv(ctx: &mut Context, index: GLuint, v: ClientPtr<GLint>) -> GlResult {
    let start = scissor_range(ctx, "glScissorIndexedv", index, 1)?;
    set_scissors(ctx, "glScissorIndexedv", start, &v.cast::<[GLint; 4]>().read(1))
}

pub fn SampleCoverage(ctx: &mut Context, value: GLfloat, invert: GLboolean) {
    let fragment = &mut ctx.state.fragment;
    // GL 4.6 core 14.9.3: clamped to [0, 1] when set.
    let new = (value.clamp(0.0, 1.0), invert != 0);
    if (fragment.sample_coverage_value, fragment.sample_coverage_invert) != new {
        (fragment.sample_coverage_value, fragment.sample_coverage_invert) = new;
        ctx.dirty.insert(DirtySet::SAMPLE_MASK);
    }
}

pub fn SampleMaski(ctx: &mut Context, word: GLuint, mask: GLbitfield) -> GlResult {
    if word >= ctx.limits.sample_mask_words as u32 {
        return Err(GlError::invalid_value(format!("glSampleMaski: word {word}")));
    }
    if ctx.state.fragment.sample_mask_value != mask {
        ctx.state.fragment.sample_mask_value = mask;
        ctx.dirty.insert(DirtySet::SAMPLE_MASK);
    }
    Ok(())
}

pub fn MinSampleShading(ctx: &mut Context, value: GLfloat) {
    let value = value.clamp(0.0, 1.0);
    if ctx.state.fragment.min_sample_shading != value {
        ctx.state.fragment.min_sample_shading = value;
        ctx.dirty.insert(DirtySet::MIN_SAMPLES);
    }
}
