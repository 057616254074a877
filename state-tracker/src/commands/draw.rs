//! Drawing commands (GL 4.6 core 10.4, 10.5).

use gallite_pipe::{BufferId, DrawInfo, DrawRange, Features, PrimitiveMode, PrimitiveTypes};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::{draw_lowering, verb, vertex_convert};

/// Most draws of one command whose memory is kept for the next.
const MOST_KEPT: usize = 1 << 16;

/// Bytes of an index type.
pub(super) fn index_size(command: &'static str, kind: GLenum) -> GlResult<u8> {
    match kind {
        GL_UNSIGNED_BYTE => Ok(1),
        GL_UNSIGNED_SHORT => Ok(2),
        GL_UNSIGNED_INT => Ok(4),
        _ => Err(GlError::invalid_enum(format!("{command}: type 0x{kind:04X}"))),
    }
}

/// The primitive mode of an enum; INVALID_ENUM for modes the context doesn't have (GL 4.6 core 10.4).
#[inline]
pub(super) fn primitive_mode(ctx: &Context, command: &'static str, mode: GLenum) -> GlResult<PrimitiveMode> {
    let known = match mode {
        GL_POINTS..=GL_TRIANGLE_FAN => true,
        GL_QUADS..=GL_POLYGON => ctx.is_compatibility(),
        GL_LINES_ADJACENCY..=GL_TRIANGLE_STRIP_ADJACENCY => {
            ctx.device.caps.features.contains(Features::GEOMETRY_SHADER)
        }
        GL_PATCHES => ctx.device.caps.features.contains(Features::TESSELLATION_SHADER),
        _ => false,
    };
    if known {
        return Ok(PrimitiveMode(mode as u8));
    }
    Err(GlError::invalid_enum(format!("{command}: mode 0x{mode:04X}")))
}

#[inline]
pub(super) fn non_negative(command: &'static str, what: &str, value: GLsizei) -> GlResult<u32> {
    u32::try_from(value).map_err(|_| GlError::invalid_value(format!("{command}: {what} is negative ({value})")))
}

/// What all draws do before the driver's draw: notice changes made elsewhere, check, push. False when there is nothing
/// to draw with.
#[inline]
pub(super) fn prepare(ctx: &mut Context, command: &'static str, mode: PrimitiveMode) -> GlResult<bool> {
    verb::refresh(ctx);
    ctx.refresh_executable_if_moved();
    super::draw_checks::check(ctx, command, mode)?;
    if ctx.executable().is_none_or(|e| e.desc.stages[0].count == 0) {
        // GL 4.6 core 11.1: without a vertex shader results are undefined; nothing is drawn.
        return Ok(false);
    }
    verb::prepare_draw(ctx);
    Ok(!ctx.render_condition_blocks())
}

#[inline]
pub(super) fn is_native(ctx: &Context, mode: PrimitiveMode) -> bool {
    ctx.device.caps.primitive_types.contains(PrimitiveTypes(1 << mode.0))
}

pub(super) struct Arrays {
    pub command: &'static str,
    pub mode: GLenum,
    pub first: GLint,
    pub count: GLsizei,
    pub instances: GLsizei,
    pub base_instance: GLuint,
    /// Number among the draws of the command.
    pub draw_id: u32,
}

#[inline]
pub(super) fn draw_arrays(ctx: &mut Context, given: Arrays) -> GlResult {
    let command = given.command;
    let mode = primitive_mode(ctx, command, given.mode)?;
    let start = non_negative(command, "first", given.first)?;
    let count = non_negative(command, "count", given.count)?;
    let instance_count = non_negative(command, "instancecount", given.instances)?;
    if !prepare(ctx, command, mode)? || count == 0 || instance_count == 0 {
        return Ok(());
    }
    if ctx.state.vertex.converted != 0 {
        vertex_convert::convert_attributes(
            ctx,
            Some((start.into(), count.into())),
            (given.base_instance.into(), instance_count.into()),
        );
    }
    let info =
        DrawInfo { instance_count, base_instance: given.base_instance, draw_id: given.draw_id, ..unindexed(mode) };
    let range = DrawRange { start, count, base_vertex: 0 };
    if is_native(ctx, mode) {
        verb::draw(ctx, mode, |pipe| pipe.draw(&info, &[range], &[]));
    } else {
        draw_lowering::draw_arrays(ctx, &info, &[range])?;
    }
    Ok(())
}

pub fn DrawArrays(ctx: &mut Context, mode: GLenum, first: GLint, count: GLsizei) -> GlResult {
    draw_arrays(ctx, Arrays { command: "glDrawArrays", mode, first, count, instances: 1, base_instance: 0, draw_id: 0 })
}

pub fn DrawArraysInstanced(
    ctx: &mut Context,
    mode: GLenum,
    first: GLint,
    count: GLsizei,
    instances: GLsizei,
) -> GlResult {
    draw_arrays(
        ctx,
        Arrays { command: "glDrawArraysInstanced", mode, first, count, instances, base_instance: 0, draw_id: 0 },
    )
}

pub fn DrawArraysInstancedBaseInstance(
    ctx: &mut Context,
    mode: GLenum,
    first: GLint,
    count: GLsizei,
    instances: GLsizei,
    base_instance: GLuint,
) -> GlResult {
    let command = "glDrawArraysInstancedBaseInstance";
    draw_arrays(ctx, Arrays { command, mode, first, count, instances, base_instance, draw_id: 0 })
}

pub fn MultiDrawArrays(
    ctx: &mut Context,
    mode: GLenum,
    first: ClientPtr<GLint>,
    count: ClientPtr<GLsizei>,
    drawcount: GLsizei,
) -> GlResult {
    let command = "glMultiDrawArrays";
    let mode = primitive_mode(ctx, command, mode)?;
    let draws = non_negative(command, "drawcount", drawcount)? as usize;
    with_ranges(ctx, |ctx, ranges| {
        let (firsts, counts) = (first.read(draws), count.read(draws));
        for (first, count) in firsts.iter().zip(counts.iter()) {
            let start = non_negative(command, "first", *first)?;
            let count = non_negative(command, "count", *count)?;
            // Those without vertices count for gl_DrawID.
            ranges.push(DrawRange { start, count, base_vertex: 0 });
        }
        draw_ranges(ctx, command, mode, ranges)
    })
}

fn draw_ranges(ctx: &mut Context, command: &'static str, mode: PrimitiveMode, ranges: &[DrawRange]) -> GlResult {
    if !prepare(ctx, command, mode)? || ranges.iter().all(|range| range.count == 0) {
        return Ok(());
    }
    if ctx.state.vertex.converted != 0 {
        let first = ranges.iter().map(|r| u64::from(r.start)).min().unwrap_or(0);
        let end = ranges.iter().map(|r| u64::from(r.start) + u64::from(r.count)).max().unwrap_or(0);
        vertex_convert::convert_attributes(ctx, Some((first, end - first)), (0, 1));
    }
    let info = DrawInfo { increment_draw_id: 1, ..unindexed(mode) };
    if is_native(ctx, mode) {
        verb::draw(ctx, mode, |pipe| pipe.draw(&info, ranges, &[]));
    } else {
        draw_lowering::draw_arrays(ctx, &info, ranges)?;
    }
    Ok(())
}

/// Runs a command of several draws with a list that the context keeps: such commands come with every frame.
fn with_ranges(ctx: &mut Context, f: impl FnOnce(&mut Context, &mut Vec<DrawRange>) -> GlResult) -> GlResult {
    let mut ranges = std::mem::take(&mut ctx.draw_ranges);
    let result = f(ctx, &mut ranges);
    ranges.clear();
    if ranges.capacity() <= MOST_KEPT {
        ctx.draw_ranges = ranges;
    }
    result
}

pub(super) struct Elements {
    pub command: &'static str,
    pub mode: GLenum,
    pub count: GLsizei,
    pub kind: GLenum,
    pub indices: ClientPtr<u8>,
    pub instances: GLsizei,
    pub base_vertex: GLint,
    pub base_instance: GLuint,
    /// Number among the draws of the command.
    pub draw_id: u32,
}

impl Elements {
    pub(super) const fn new(
        command: &'static str,
        mode: GLenum,
        count: GLsizei,
        kind: GLenum,
        indices: ClientPtr<u8>,
    ) -> Self {
        Self { command, mode, count, kind, indices, instances: 1, base_vertex: 0, base_instance: 0, draw_id: 0 }
    }
}

/// One instance of vertices in order.
#[inline]
pub(super) fn unindexed(mode: PrimitiveMode) -> DrawInfo {
    DrawInfo { mode, instance_count: 1, max_index: u32::MAX, ..DrawInfo::default() }
}

/// The same by indices of a size.
#[inline]
pub(super) fn indexed(ctx: &Context, mode: PrimitiveMode, size: u8) -> DrawInfo {
    let (restart, restart_index) = restart(ctx, size, mode);
    DrawInfo { index_size: size, restart, restart_index, ..unindexed(mode) }
}

/// The restart index in force for an index size (GL 4.6 core 10.3.6). Patches don't restart.
#[inline]
fn restart(ctx: &Context, size: u8, mode: PrimitiveMode) -> (u8, u32) {
    let vertex = &ctx.state.vertex;
    let highest = u32::MAX >> (32 - 8 * u32::from(size));
    if mode == PrimitiveMode::PATCHES {
        (0, 0)
    } else if vertex.primitive_restart_fixed {
        (1, highest)
    } else if vertex.primitive_restart && vertex.restart_index <= highest {
        // One that no index of the type can have restarts nothing.
        (1, vertex.restart_index)
    } else {
        (0, 0)
    }
}

/// The index source of a draw: buffer and its size in bytes. INVALID_OPERATION in the core profile without one.
#[inline]
pub(super) fn index_buffer(ctx: &Context, command: &'static str) -> GlResult<(BufferId, u64)> {
    match &ctx.vertex_array().element_buffer {
        Some(buffer) => {
            if ctx.share.has_exclusive_mappings() {
                super::buffers::refuse_mapped(command, buffer)?;
            }
            Ok(buffer.storage())
        }
        None => Err(GlError::invalid_operation(format!("{command}: no buffer is bound to GL_ELEMENT_ARRAY_BUFFER"))),
    }
}

/// A range of whole indices inside the buffer. Indices past its end are not drawn.
#[inline]
fn index_range(offset: u64, count: u32, size: u8, buffer_size: u64, base_vertex: i32) -> DrawRange {
    // Sizes are 1, 2 and 4.
    let shift = size.trailing_zeros();
    let available = buffer_size.saturating_sub(offset) >> shift;
    let start = (offset >> shift).min(u32::MAX.into()) as u32;
    DrawRange { start, count: count.min(available.min(u32::MAX.into()) as u32), base_vertex }
}

#[inline]
pub(super) fn draw_elements(ctx: &mut Context, given: &Elements) -> GlResult {
    let command = given.command;
    let mode = primitive_mode(ctx, command, given.mode)?;
    let count = non_negative(command, "count", given.count)?;
    let instance_count = non_negative(command, "instancecount", given.instances)?;
    let size = index_size(command, given.kind)?;
    if ctx.is_compatibility() && ctx.vertex_array().elements_need_client() {
        return draw_client_elements(ctx, given, mode, count, instance_count, size);
    }
    let (buffer, buffer_size) = index_buffer(ctx, command)?;
    if !prepare(ctx, command, mode)? || count == 0 || instance_count == 0 {
        return Ok(());
    }
    let offset = given.indices.as_offset() as u64;
    let range = index_range(offset, count, size, buffer_size, given.base_vertex);
    if range.count == 0 {
        return Ok(());
    }
    let info = DrawInfo {
        index_buffer: buffer,
        instance_count,
        base_instance: given.base_instance,
        draw_id: given.draw_id,
        ..indexed(ctx, mode, size)
    };
    if ctx.state.vertex.converted != 0 {
        vertex_convert::convert_attributes(ctx, None, (info.base_instance.into(), info.instance_count.into()));
    }
    let aligned = offset & u64::from(size - 1) == 0;
    if aligned && draw_lowering::can_draw_elements(ctx, &info) {
        verb::draw(ctx, mode, |pipe| pipe.draw(&info, &[range], &[]));
        return Ok(());
    }
    draw_lowering::draw_elements(ctx, &info, &[(offset, range)])
}

/// Draws elements whose indices, or some of whose vertices, are in client memory (GL 4.6 compatibility 10.3.9).
#[cold]
#[inline(never)]
fn draw_client_elements(
    ctx: &mut Context,
    given: &Elements,
    mode: PrimitiveMode,
    count: u32,
    instance_count: u32,
    size: u8,
) -> GlResult {
    if !prepare(ctx, given.command, mode)? || count == 0 || instance_count == 0 {
        return Ok(());
    }
    let element_buffer = ctx.vertex_array().element_buffer.clone();
    let bytes = match element_buffer {
        Some(buffer) => {
            let offset = given.indices.as_offset() as u64;
            let range = index_range(offset, count, size, buffer.size(), 0);
            let mut bytes = vec![0; range.count as usize * usize::from(size)];
            if ctx.pipe.buffer_read(buffer.id(), offset, &mut bytes) == gallite_pipe::Outcome::OUT_OF_MEMORY {
                return Err(GlError::out_of_memory(format!("{}: no memory to read the indices", given.command)));
            }
            bytes
        }
        None => given.indices.read(count as usize * usize::from(size)).into_owned(),
    };
    let info = DrawInfo {
        instance_count,
        base_instance: given.base_instance,
        draw_id: given.draw_id,
        ..indexed(ctx, mode, size)
    };
    let indices = draw_lowering::decode(&bytes, size);
    if ctx.state.vertex.converted != 0 {
        let drawn = || indices.iter().filter(|i| info.restart == 0 || **i != info.restart_index);
        let (Some(least), Some(most)) = (drawn().min(), drawn().max()) else { return Ok(()) };
        let moved = |index: u32| (i64::from(index) + i64::from(given.base_vertex)).max(0) as u64;
        let (first, end) = (moved(*least), moved(*most) + 1);
        let instances = (given.base_instance.into(), instance_count.into());
        vertex_convert::convert_attributes(ctx, Some((first, end - first)), instances);
    }
    draw_lowering::draw_indices(ctx, &info, &indices, given.base_vertex)
}

pub fn DrawElements(ctx: &mut Context, mode: GLenum, count: GLsizei, kind: GLenum, indices: ClientPtr<u8>) -> GlResult {
    draw_elements(ctx, &Elements::new("glDrawElements", mode, count, kind, indices))
}

pub fn DrawElementsBaseVertex(
    ctx: &mut Context,
    mode: GLenum,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
    base_vertex: GLint,
) -> GlResult {
    let given = Elements::new("glDrawElementsBaseVertex", mode, count, kind, indices);
    draw_elements(ctx, &Elements { base_vertex, ..given })
}

fn check_index_bounds(command: &'static str, start: GLuint, end: GLuint) -> GlResult {
    if end < start {
        return Err(GlError::invalid_value(format!("{command}: end {end} is below start {start}")));
    }
    Ok(())
}

pub fn DrawRangeElements(
    ctx: &mut Context,
    mode: GLenum,
    start: GLuint,
    end: GLuint,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
) -> GlResult {
    check_index_bounds("glDrawRangeElements", start, end)?;
    draw_elements(ctx, &Elements::new("glDrawRangeElements", mode, count, kind, indices))
}

pub fn DrawRangeElementsBaseVertex(
    ctx: &mut Context,
    mode: GLenum,
    start: GLuint,
    end: GLuint,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
    base_vertex: GLint,
) -> GlResult {
    check_index_bounds("glDrawRangeElementsBaseVertex", start, end)?;
    let given = Elements::new("glDrawRangeElementsBaseVertex", mode, count, kind, indices);
    draw_elements(ctx, &Elements { base_vertex, ..given })
}

pub fn DrawElementsInstanced(
    ctx: &mut Context,
    mode: GLenum,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
    instances: GLsizei,
) -> GlResult {
    let given = Elements::new("glDrawElementsInstanced", mode, count, kind, indices);
    draw_elements(ctx, &Elements { instances, ..given })
}

pub fn DrawElementsInstancedBaseVertex(
    ctx: &mut Context,
    mode: GLenum,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
    instances: GLsizei,
    base_vertex: GLint,
) -> GlResult {
    let given = Elements::new("glDrawElementsInstancedBaseVertex", mode, count, kind, indices);
    draw_elements(ctx, &Elements { instances, base_vertex, ..given })
}

pub fn DrawElementsInstancedBaseInstance(
    ctx: &mut Context,
    mode: GLenum,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
    instances: GLsizei,
    base_instance: GLuint,
) -> GlResult {
    let given = Elements::new("glDrawElementsInstancedBaseInstance", mode, count, kind, indices);
    draw_elements(ctx, &Elements { instances, base_instance, ..given })
}

pub fn DrawElementsInstancedBaseVertexBaseInstance(
    ctx: &mut Context,
    mode: GLenum,
    count: GLsizei,
    kind: GLenum,
    indices: ClientPtr<u8>,
    instances: GLsizei,
    base_vertex: GLint,
    base_instance: GLuint,
) -> GlResult {
    let given = Elements::new("glDrawElementsInstancedBaseVertexBaseInstance", mode, count, kind, indices);
    draw_elements(ctx, &Elements { instances, base_vertex, base_instance, ..given })
}

pub fn MultiDrawElements(
    ctx: &mut Context,
    mode: GLenum,
    count: ClientPtr<GLsizei>,
    kind: GLenum,
    indices: ClientPtr<ClientPtr<u8>>,
    drawcount: GLsizei,
) -> GlResult {
    let given = Elements::new("glMultiDrawElements", mode, drawcount, kind, ClientPtr::default());
    multi_draw_elements(ctx, &given, count, indices, ClientPtr::default())
}

pub fn MultiDrawElementsBaseVertex(
    ctx: &mut Context,
    mode: GLenum,
    count: ClientPtr<GLsizei>,
    kind: GLenum,
    indices: ClientPtr<ClientPtr<u8>>,
    drawcount: GLsizei,
    base_vertex: ClientPtr<GLint>,
) -> GlResult {
    let given = Elements::new("glMultiDrawElementsBaseVertex", mode, drawcount, kind, ClientPtr::default());
    multi_draw_elements(ctx, &given, count, indices, base_vertex)
}

fn multi_draw_elements(
    ctx: &mut Context,
    given: &Elements,
    counts: ClientPtr<GLsizei>,
    indices: ClientPtr<ClientPtr<u8>>,
    base_vertices: ClientPtr<GLint>,
) -> GlResult {
    let command = given.command;
    let mode = primitive_mode(ctx, command, given.mode)?;
    let draws = non_negative(command, "drawcount", given.count)? as usize;
    let size = index_size(command, given.kind)?;
    if ctx.is_compatibility() && ctx.vertex_array().elements_need_client() {
        // Counts are checked before anything is drawn.
        for index in 0..draws {
            non_negative(command, "count", counts.read_at(index))?;
        }
        for index in 0..draws {
            let one = Elements {
                draw_id: index as u32,
                count: counts.read_at(index),
                indices: indices.read_at(index),
                base_vertex: base_vertices.read_at(index),
                ..Elements::new(command, given.mode, 0, given.kind, ClientPtr::default())
            };
            draw_elements(ctx, &one)?;
        }
        return Ok(());
    }
    let (buffer, buffer_size) = index_buffer(ctx, command)?;
    with_ranges(ctx, |ctx, ranges| {
        let counts = counts.read(draws);
        let mut aligned = true;
        for (index, count) in counts.iter().enumerate() {
            let count = non_negative(command, "count", *count)?;
            let offset = indices.read_at(index).as_offset() as u64;
            aligned &= offset & u64::from(size - 1) == 0;
            ranges.push(index_range(offset, count, size, buffer_size, base_vertices.read_at(index)));
        }
        if !prepare(ctx, command, mode)? || ranges.iter().all(|range| range.count == 0) {
            return Ok(());
        }
        if ctx.state.vertex.converted != 0 {
            vertex_convert::convert_attributes(ctx, None, (0, 1));
        }
        let info = DrawInfo { index_buffer: buffer, increment_draw_id: 1, ..indexed(ctx, mode, size) };
        if aligned && draw_lowering::can_draw_elements(ctx, &info) {
            verb::draw(ctx, mode, |pipe| pipe.draw(&info, ranges, &[]));
            return Ok(());
        }
        let offsets = (0..draws).map(|index| indices.read_at(index).as_offset() as u64);
        let ranges: Vec<(u64, DrawRange)> = offsets.zip(ranges.iter().copied()).collect();
        draw_lowering::draw_elements(ctx, &info, &ranges)
    })
}

pub fn PrimitiveRestartIndex(ctx: &mut Context, index: GLuint) {
    ctx.state.vertex.restart_index = index;
}
