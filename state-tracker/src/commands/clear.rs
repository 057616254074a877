//! Clears (GL 4.6 core 17.4.3).

use gallite_pipe::{ClearInfo, F64, MAX_COLOR_ATTACHMENTS, Rect};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::verb;

pub fn ClearColor(ctx: &mut Context, red: GLfloat, green: GLfloat, blue: GLfloat, alpha: GLfloat) {
    ctx.state.framebuffers.clear_color = [red, green, blue, alpha];
}

/// A depth in range. What isn't a number has no place there; it counts as 0.
fn clamp_depth(depth: f64) -> f64 {
    if depth.is_nan() { 0.0 } else { depth.clamp(0.0, 1.0) }
}

pub fn ClearDepth(ctx: &mut Context, depth: GLdouble) {
    ctx.state.framebuffers.clear_depth = clamp_depth(depth);
}

pub fn ClearDepthf(ctx: &mut Context, depth: GLfloat) {
    ClearDepth(ctx, depth.into());
}

pub fn ClearStencil(ctx: &mut Context, stencil: GLint) {
    ctx.state.framebuffers.clear_stencil = stencil;
}

/// What every clear checks and pushes; false when nothing is to be cleared.
fn prepare(ctx: &mut Context, command: &'static str) -> GlResult<bool> {
    verb::refresh(ctx);
    ctx.require_complete_draw(command)?;
    // GL 4.6 core 14.1: discarded rasterization discards clears too.
    if ctx.state.raster.discard {
        return Ok(false);
    }
    verb::prepare_clear(ctx);
    Ok(!ctx.render_condition_blocks())
}

/// A clear limited to the scissor box of viewport 0 while the test is on.
fn scissored(ctx: &Context) -> ClearInfo {
    let fragment = &ctx.state.fragment;
    if fragment.scissor_test & 1 == 0 {
        return ClearInfo::default();
    }
    let [x, y, width, height] = fragment.scissors[0];
    ClearInfo { scissored: 1, scissor: Rect { x, y, width, height }, ..ClearInfo::default() }
}

/// Channels of a draw buffer that a clear writes. Alpha that GL doesn't see is written along with the rest.
fn write_mask(ctx: &Context, buffer: usize) -> u32 {
    let mask = u32::from(ctx.state.fragment.blend[buffer].write_mask);
    let hidden = ctx.state.framebuffers.facts.alpha_hidden >> buffer & 1 != 0;
    if hidden && mask & 7 != 0 { mask | 8 } else { mask }
}

/// Clears draw buffers to a colour, together with what `info` has already. Alpha that GL doesn't see becomes one, so that
/// copies of the buffer have it too.
fn run_with_colors(
    ctx: &mut Context,
    mut info: ClearInfo,
    buffers: impl Iterator<Item = usize> + Clone,
    color: [u32; 4],
) {
    let facts = ctx.state.framebuffers.facts;
    let hidden = |b: &usize| facts.alpha_hidden >> b & 1 != 0;
    add_colors(ctx, &mut info, buffers.clone().filter(|b| !hidden(b)), color);
    for integer in [false, true] {
        let alike = buffers.clone().filter(|b| hidden(b) && (facts.color_integer >> b & 1 != 0) == integer);
        let mut opaque = ClearInfo { scissored: info.scissored, scissor: info.scissor, ..ClearInfo::default() };
        let one = if integer { 1 } else { 1f32.to_bits() };
        add_colors(ctx, &mut opaque, alike, [color[0], color[1], color[2], one]);
        if info.color_attachments == 0 {
            (info.color_attachments, info.color_write_masks) = (opaque.color_attachments, opaque.color_write_masks);
            info.color = opaque.color;
        } else {
            run(ctx, &opaque);
        }
    }
    run(ctx, &info);
}

/// Adds draw buffers to a clear, all with one colour.
fn add_colors(ctx: &Context, info: &mut ClearInfo, buffers: impl Iterator<Item = usize>, color: [u32; 4]) {
    let facts = &ctx.state.framebuffers.facts;
    info.color = color;
    for buffer in buffers.filter(|b| facts.color_present >> b & 1 != 0) {
        let mask = write_mask(ctx, buffer);
        if mask != 0 {
            info.color_attachments |= 1 << buffer;
            info.color_write_masks |= mask << (4 * buffer);
        }
    }
}

fn add_depth(ctx: &Context, info: &mut ClearInfo, depth: f64) {
    if ctx.state.framebuffers.facts.depth && ctx.state.fragment.depth_mask {
        info.clear_depth = 1;
        info.depth = F64::new(depth);
    }
}

fn add_stencil(ctx: &Context, info: &mut ClearInfo, stencil: GLint) {
    let mask = ctx.state.fragment.stencil[0].write_mask as u8;
    if ctx.state.framebuffers.facts.stencil && mask != 0 {
        info.clear_stencil = 1;
        info.stencil = stencil as u8;
        info.stencil_write_mask = mask;
    }
}

fn run(ctx: &mut Context, info: &ClearInfo) {
    let empty = info.scissored != 0 && (info.scissor.width == 0 || info.scissor.height == 0);
    if !empty && (info.color_attachments != 0 || info.clear_depth != 0 || info.clear_stencil != 0) {
        ctx.pipe.clear(info);
    }
}

pub fn Clear(ctx: &mut Context, mask: GLbitfield) -> GlResult {
    let known = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if mask & !known != 0 {
        return Err(GlError::invalid_value(format!("glClear: mask 0x{mask:X}")));
    }
    if !prepare(ctx, "glClear")? {
        return Ok(());
    }
    let mut info = scissored(ctx);
    let state = &ctx.state.framebuffers;
    let color = state.clear_color.map(f32::to_bits);
    let integer = state.facts.color_integer;
    if mask & GL_DEPTH_BUFFER_BIT != 0 {
        add_depth(ctx, &mut info, state.clear_depth);
    }
    if mask & GL_STENCIL_BUFFER_BIT != 0 {
        add_stencil(ctx, &mut info, state.clear_stencil);
    }
    // GL 4.6 core 17.4.3: integer buffers have no glClear colour; they are left to glClearBuffer.
    let count = if mask & GL_COLOR_BUFFER_BIT != 0 { MAX_COLOR_ATTACHMENTS } else { 0 };
    run_with_colors(ctx, info, (0..count).filter(|b| integer >> b & 1 == 0), color);
    Ok(())
}

fn color_buffer(ctx: &Context, command: &'static str, buffer: GLint) -> GlResult<usize> {
    if buffer < 0 || buffer >= ctx.limits.draw_buffers {
        return Err(GlError::invalid_value(format!("{command}: draw buffer {buffer}")));
    }
    Ok(buffer as usize)
}

fn only_buffer_zero(command: &'static str, buffer: GLint) -> GlResult {
    if buffer != 0 {
        return Err(GlError::invalid_value(format!("{command}: draw buffer {buffer}")));
    }
    Ok(())
}

fn clear_color(ctx: &mut Context, command: &'static str, buffer: GLint, color: [u32; 4]) -> GlResult {
    let buffer = color_buffer(ctx, command, buffer)?;
    if prepare(ctx, command)? {
        let info = scissored(ctx);
        run_with_colors(ctx, info, std::iter::once(buffer), color);
    }
    Ok(())
}

pub fn ClearBufferfv(ctx: &mut Context, buffer: GLenum, drawbuffer: GLint, value: ClientPtr<GLfloat>) -> GlResult {
    let command = "glClearBufferfv";
    match buffer {
        GL_COLOR => clear_color(ctx, command, drawbuffer, std::array::from_fn(|i| value.read_at(i).to_bits())),
        GL_DEPTH => {
            only_buffer_zero(command, drawbuffer)?;
            if prepare(ctx, command)? {
                let mut info = scissored(ctx);
                add_depth(ctx, &mut info, clamp_depth(value.read_at(0).into()));
                run(ctx, &info);
            }
            Ok(())
        }
        _ => Err(GlError::invalid_enum(format!("{command}: buffer 0x{buffer:04X}"))),
    }
}

pub fn ClearBufferiv(ctx: &mut Context, buffer: GLenum, drawbuffer: GLint, value: ClientPtr<GLint>) -> GlResult {
    let command = "glClearBufferiv";
    match buffer {
        GL_COLOR => clear_color(ctx, command, drawbuffer, std::array::from_fn(|i| value.read_at(i) as u32)),
        GL_STENCIL => {
            only_buffer_zero(command, drawbuffer)?;
            if prepare(ctx, command)? {
                let mut info = scissored(ctx);
                add_stencil(ctx, &mut info, value.read_at(0));
                run(ctx, &info);
            }
            Ok(())
        }
        _ => Err(GlError::invalid_enum(format!("{command}: buffer 0x{buffer:04X}"))),
    }
}

pub fn ClearBufferuiv(ctx: &mut Context, buffer: GLenum, drawbuffer: GLint, value: ClientPtr<GLuint>) -> GlResult {
    let command = "glClearBufferuiv";
    if buffer != GL_COLOR {
        return Err(GlError::invalid_enum(format!("{command}: buffer 0x{buffer:04X}")));
    }
    clear_color(ctx, command, drawbuffer, std::array::from_fn(|i| value.read_at(i)))
}

pub fn ClearBufferfi(ctx: &mut Context, buffer: GLenum, drawbuffer: GLint, depth: GLfloat, stencil: GLint) -> GlResult {
    let command = "glClearBufferfi";
    if buffer != GL_DEPTH_STENCIL {
        return Err(GlError::invalid_enum(format!("{command}: buffer 0x{buffer:04X}")));
    }
    only_buffer_zero(command, drawbuffer)?;
    if prepare(ctx, command)? {
        let mut info = scissored(ctx);
        add_depth(ctx, &mut info, clamp_depth(depth.into()));
        add_stencil(ctx, &mut info, stencil);
        run(ctx, &info);
    }
    Ok(())
}
