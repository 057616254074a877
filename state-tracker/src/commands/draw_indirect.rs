//! Draws whose arguments lie in a buffer (GL 4.6 core 10.4, 10.5).

use gallite_pipe::{BufferId, DrawInfo, Features, IndirectInfo, Outcome, PrimitiveMode};

use super::draw::{
    self, Arrays, Elements, draw_arrays, draw_elements, index_size, indexed, non_negative, prepare, primitive_mode,
    unindexed,
};
use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::{draw_lowering, verb};

/// Words of the arguments of one draw of arrays: count, instances, first, base instance.
const ARRAYS_WORDS: u64 = 4;
/// Words of the arguments of one draw of elements: count, instances, first index, base vertex, base instance.
const ELEMENTS_WORDS: u64 = 5;

/// What all of these commands are given.
struct Indirect {
    command: &'static str,
    mode: GLenum,
    /// Index type; none for arrays.
    kind: Option<GLenum>,
    indirect: ClientPtr<u8>,
    draws: GLsizei,
    stride: GLsizei,
    /// Place of the number of draws in the buffer at GL_PARAMETER_BUFFER, where `draws` is the most there can be.
    count: Option<GLintptr>,
}

/// The arguments' buffer and place. GL 4.6 core 10.3.11: INVALID_VALUE when the place is no multiple of four,
/// INVALID_OPERATION without a buffer, beyond its end, or in one that is mapped.
fn arguments(ctx: &Context, given: &Indirect) -> GlResult<IndirectInfo> {
    let command = given.command;
    let words = if given.kind.is_some() { ELEMENTS_WORDS } else { ARRAYS_WORDS };
    let draw_count = non_negative(command, "drawcount", given.draws)?;
    let stride = non_negative(command, "stride", given.stride)?;
    let offset = given.indirect.as_offset() as u64;
    if !stride.is_multiple_of(4) || !offset.is_multiple_of(4) {
        return Err(GlError::invalid_value(format!("{command}: indirect {offset}, stride {stride}")));
    }
    let stride = if stride == 0 { 4 * words as u32 } else { stride };
    let Some(buffer) = &ctx.state.buffers.draw_indirect else {
        return Err(GlError::invalid_operation(format!("{command}: no buffer is bound to GL_DRAW_INDIRECT_BUFFER")));
    };
    super::buffers::refuse_mapped(command, buffer)?;
    let last = u64::from(draw_count.saturating_sub(1)) * u64::from(stride);
    let end = offset.saturating_add(last).saturating_add(4 * words);
    if draw_count > 0 && end > buffer.size() {
        return Err(GlError::invalid_operation(format!("{command}: the arguments lie beyond the buffer")));
    }
    let (count_buffer, count_offset) = count_place(ctx, given)?;
    Ok(IndirectInfo { buffer: buffer.id(), offset, stride, draw_count, count_buffer, count_offset })
}

/// Where the number of draws lies. GL 4.6 core 10.4: INVALID_VALUE when that is no multiple of four, INVALID_OPERATION
/// without a buffer at GL_PARAMETER_BUFFER, beyond its end, or in one that is mapped.
fn count_place(ctx: &Context, given: &Indirect) -> GlResult<(BufferId, u64)> {
    let Some(place) = given.count else { return Ok((BufferId::NULL, 0)) };
    let command = given.command;
    if place % 4 != 0 {
        return Err(GlError::invalid_value(format!("{command}: drawcount {place}")));
    }
    let Some(buffer) = &ctx.state.buffers.parameter else {
        return Err(GlError::invalid_operation(format!("{command}: no buffer is bound to GL_PARAMETER_BUFFER")));
    };
    super::buffers::refuse_mapped(command, buffer)?;
    let place = u64::try_from(place).ok().filter(|place| place.saturating_add(4) <= buffer.size());
    let beyond = || GlError::invalid_operation(format!("{command}: drawcount lies beyond the buffer"));
    Ok((buffer.id(), place.ok_or_else(beyond)?))
}

/// Whether the device draws with arguments it reads itself.
fn reads_arguments(ctx: &Context, info: &DrawInfo, counted: bool) -> bool {
    let indices = info.index_size == 0 || draw_lowering::can_draw_elements(ctx, info);
    let needed = Features::DRAW_INDIRECT.with(Features::DRAW_INDIRECT_COUNT, counted);
    let indirect = ctx.device.caps.features.contains(needed);
    // GL 4.6 core 6.4: the device knows the end of an index buffer only where the draw tells it.
    let bounded = info.index_size == 0 || !ctx.config.robust_access;
    draw::is_native(ctx, info.mode) && bounded && indices && indirect && ctx.state.vertex.converted == 0
}

fn draw_with(ctx: &mut Context, given: &Indirect) -> GlResult {
    let command = given.command;
    let mode: PrimitiveMode = primitive_mode(ctx, command, given.mode)?;
    let size = given.kind.map(|kind| index_size(command, kind)).transpose()?;
    if ctx.state.vertex.bound == 0 && ctx.is_core() {
        return Err(GlError::invalid_operation(format!("{command}: no vertex array is bound")));
    }
    let indirect = arguments(ctx, given)?;
    let index_buffer = match size {
        Some(_) => draw::index_buffer(ctx, command)?.0,
        None => BufferId::NULL,
    };
    if !prepare(ctx, command, mode)? || indirect.draw_count == 0 {
        return Ok(());
    }
    let info = size.map_or_else(|| unindexed(mode), |size| indexed(ctx, mode, size));
    let info = DrawInfo { index_buffer, ..info };
    if reads_arguments(ctx, &info, !indirect.count_buffer.is_null()) {
        verb::draw(ctx, mode, |pipe| pipe.draw_indirect(&info, &indirect));
        return Ok(());
    }
    unroll(ctx, given, &indirect)
}

/// Reads words from a buffer.
fn read(ctx: &mut Context, command: &'static str, buffer: BufferId, offset: u64, words: &mut [u32]) -> GlResult {
    if ctx.pipe.buffer_read(buffer, offset, bytemuck::cast_slice_mut(words)) == Outcome::OUT_OF_MEMORY {
        return Err(GlError::out_of_memory(format!("{command}: no memory to read the arguments")));
    }
    Ok(())
}

/// Reads the arguments, after the work that writes them, and draws with them one by one.
#[cold]
fn unroll(ctx: &mut Context, given: &Indirect, indirect: &IndirectInfo) -> GlResult {
    let words = if given.kind.is_some() { ELEMENTS_WORDS } else { ARRAYS_WORDS } as usize;
    let mut draws = indirect.draw_count;
    if !indirect.count_buffer.is_null() {
        let mut count = [0];
        read(ctx, given.command, indirect.count_buffer, indirect.count_offset, &mut count)?;
        draws = draws.min(count[0]);
    }
    for draw_id in 0..draws {
        let i = u64::from(draw_id);
        let mut arguments = [0u32; ELEMENTS_WORDS as usize];
        let offset = indirect.offset + i * u64::from(indirect.stride);
        read(ctx, given.command, indirect.buffer, offset, &mut arguments[..words])?;
        let signed = |value: u32| value.min(i32::MAX as u32) as i32;
        let (count, instances) = (signed(arguments[0]), signed(arguments[1]));
        match given.kind {
            None => draw_arrays(
                ctx,
                Arrays {
                    command: given.command,
                    mode: given.mode,
                    first: signed(arguments[2]),
                    count,
                    instances,
                    base_instance: arguments[3],
                    draw_id,
                },
            )?,
            Some(kind) => {
                let size = u64::from(index_size(given.command, kind)?);
                let indices = ClientPtr::default().byte_add((u64::from(arguments[2]) * size) as usize);
                let one = Elements::new(given.command, given.mode, count, kind, indices);
                let base_vertex = arguments[3] as i32;
                draw_elements(ctx, &Elements { instances, base_vertex, base_instance: arguments[4], draw_id, ..one })?;
            }
        }
    }
    Ok(())
}

pub fn DrawArraysIndirect(ctx: &mut Context, mode: GLenum, indirect: ClientPtr<u8>) -> GlResult {
    draw_with(
        ctx,
        &Indirect { command: "glDrawArraysIndirect", mode, kind: None, indirect, draws: 1, stride: 0, count: None },
    )
}

pub fn DrawElementsIndirect(ctx: &mut Context, mode: GLenum, kind: GLenum, indirect: ClientPtr<u8>) -> GlResult {
    let kind = Some(kind);
    draw_with(
        ctx,
        &Indirect { command: "glDrawElementsIndirect", mode, kind, indirect, draws: 1, stride: 0, count: None },
    )
}

pub fn MultiDrawArraysIndirect(
    ctx: &mut Context,
    mode: GLenum,
    indirect: ClientPtr<u8>,
    drawcount: GLsizei,
    stride: GLsizei,
) -> GlResult {
    let command = "glMultiDrawArraysIndirect";
    draw_with(ctx, &Indirect { command, mode, kind: None, indirect, draws: drawcount, stride, count: None })
}

pub fn MultiDrawElementsIndirect(
    ctx: &mut Context,
    mode: GLenum,
    kind: GLenum,
    indirect: ClientPtr<u8>,
    drawcount: GLsizei,
    stride: GLsizei,
) -> GlResult {
    let command = "glMultiDrawElementsIndirect";
    draw_with(ctx, &Indirect { command, mode, kind: Some(kind), indirect, draws: drawcount, stride, count: None })
}

pub fn MultiDrawArraysIndirectCount(
    ctx: &mut Context,
    mode: GLenum,
    indirect: ClientPtr<u8>,
    drawcount: GLintptr,
    maxdrawcount: GLsizei,
    stride: GLsizei,
) -> GlResult {
    let command = "glMultiDrawArraysIndirectCount";
    let given = Indirect { command, mode, kind: None, indirect, draws: maxdrawcount, stride, count: Some(drawcount) };
    draw_with(ctx, &given)
}

pub fn MultiDrawElementsIndirectCount(
    ctx: &mut Context,
    mode: GLenum,
    kind: GLenum,
    indirect: ClientPtr<u8>,
    drawcount: GLintptr,
    maxdrawcount: GLsizei,
    stride: GLsizei,
) -> GlResult {
    let command = "glMultiDrawElementsIndirectCount";
    let kind = Some(kind);
    draw_with(ctx, &Indirect { command, mode, kind, indirect, draws: maxdrawcount, stride, count: Some(drawcount) })
}
