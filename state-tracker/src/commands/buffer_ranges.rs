//! Indexed binding points of buffers (GL 4.6 core 6.1.1).

use super::buffers::for_binding;
use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::state::buffers::IndexedBinding;

pub fn BindBufferBase(ctx: &mut Context, target: GLenum, index: GLuint, name: GLuint) -> GlResult {
    bind_indexed(ctx, "glBindBufferBase", target, index, name, None)
}

pub fn BindBufferRange(
    ctx: &mut Context,
    target: GLenum,
    index: GLuint,
    name: GLuint,
    offset: GLintptr,
    size: GLsizeiptr,
) -> GlResult {
    bind_indexed(ctx, "glBindBufferRange", target, index, name, Some((offset, size)))
}

/// EXT_transform_feedback: from an offset on, as far as the buffer goes when feedback begins.
pub fn BindBufferOffsetEXT(
    ctx: &mut Context,
    target: GLenum,
    index: GLuint,
    name: GLuint,
    offset: GLintptr,
) -> GlResult {
    let command = "glBindBufferOffsetEXT";
    if target != GL_TRANSFORM_FEEDBACK_BUFFER {
        return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}")));
    }
    let start = u64::try_from(offset).ok().filter(|start| start % 4 == 0);
    let start = start.ok_or_else(|| GlError::invalid_value(format!("{command}: offset {offset}")))?;
    bind_indexed(ctx, command, target, index, name, None)?;
    if name != 0 {
        ctx.transform_feedback_mut().buffers[index as usize].offset = start;
    }
    Ok(())
}

/// Checks the range of glBindBufferRange (GL 4.6 core 6.1.1 and 13.3.2).
fn indexed_range(
    ctx: &Context,
    command: &'static str,
    target: GLenum,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> GlResult<(u64, Option<u64>)> {
    let Some((offset, size)) = range else { return Ok((0, None)) };
    let alignment = match target {
        GL_UNIFORM_BUFFER => ctx.limits.uniform_buffer_offset_alignment as isize,
        GL_SHADER_STORAGE_BUFFER => ctx.limits.storage_buffer_offset_alignment as isize,
        _ => 4,
    };
    let size_aligned = target != GL_TRANSFORM_FEEDBACK_BUFFER || size % 4 == 0;
    if offset < 0 || size <= 0 || offset % alignment.max(1) != 0 || !size_aligned {
        return Err(GlError::invalid_value(format!("{command}: offset {offset}, size {size}")));
    }
    Ok((offset as u64, Some(size as u64)))
}

/// Binding points of an indexed target that all commands below need: INVALID_ENUM for another target,
/// INVALID_OPERATION while they feed active transform feedback (GL 4.6 core 6.1.1).
fn points(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<GLint> {
    let limit = match target {
        GL_UNIFORM_BUFFER => ctx.limits.uniform_buffer_bindings,
        GL_SHADER_STORAGE_BUFFER => ctx.limits.storage_buffer_bindings,
        GL_ATOMIC_COUNTER_BUFFER => ctx.limits.atomic_buffer_bindings,
        GL_TRANSFORM_FEEDBACK_BUFFER => ctx.limits.xfb_buffers,
        _ => return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}"))),
    };
    if target == GL_TRANSFORM_FEEDBACK_BUFFER && ctx.transform_feedback().active {
        return Err(GlError::invalid_operation(format!("{command}: transform feedback is active")));
    }
    Ok(limit)
}

fn bind_indexed(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    index: GLuint,
    name: GLuint,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> GlResult {
    let limit = points(ctx, command, target)?;
    if index >= limit as GLuint {
        return Err(GlError::invalid_value(format!("{command}: index is {index}, the limit is {limit}")));
    }
    let range = if name == 0 { None } else { range };
    let (offset, size) = indexed_range(ctx, command, target, range)?;
    let buffer = for_binding(ctx, command, name)?;
    if let Some(generic) = ctx.state.buffers.slot(target) {
        *generic = buffer.clone();
    }
    set_indexed(ctx, target, index as usize, IndexedBinding { buffer, offset, size });
    Ok(())
}

/// Puts a range at an indexed binding point, which is known to exist.
fn set_indexed(ctx: &mut Context, target: GLenum, index: usize, binding: IndexedBinding) {
    if target != GL_UNIFORM_BUFFER
        && let Some(buffer) = &binding.buffer
    {
        buffer.note_writes_aside();
    }
    let buffers = &mut ctx.state.buffers;
    let (slot, dirty) = match target {
        GL_UNIFORM_BUFFER => (&mut buffers.uniform_indexed[index], DirtySet::UNIFORM_BUFFERS),
        GL_SHADER_STORAGE_BUFFER => (&mut buffers.storage_indexed[index], DirtySet::STORAGE_BUFFERS),
        GL_ATOMIC_COUNTER_BUFFER => (&mut buffers.atomic_indexed[index], DirtySet::ATOMIC_BUFFERS),
        _ => {
            ctx.transform_feedback_mut().buffers[index] = binding;
            ctx.dirty.insert(DirtySet::XFB);
            return;
        }
    };
    if !slot.equals(&binding) {
        *slot = binding;
        ctx.dirty.insert(dirty);
    }
}

pub fn BindBuffersBase(
    ctx: &mut Context,
    target: GLenum,
    first: GLuint,
    count: GLsizei,
    buffers: ClientPtr<GLuint>,
) -> GlResult {
    bind_several(ctx, "glBindBuffersBase", target, first, count, buffers, |_| None)
}

pub fn BindBuffersRange(
    ctx: &mut Context,
    target: GLenum,
    first: GLuint,
    count: GLsizei,
    buffers: ClientPtr<GLuint>,
    offsets: ClientPtr<GLintptr>,
    sizes: ClientPtr<GLsizeiptr>,
) -> GlResult {
    let range = |index| Some((offsets.read_at(index), sizes.read_at(index)));
    bind_several(ctx, "glBindBuffersRange", target, first, count, buffers, range)
}

/// GL 4.6 core 6.1.1, BindBuffersBase and BindBuffersRange: the generic binding point stays, no buffer is made, and what
/// is wrong with one binding leaves that one alone as it was.
fn bind_several(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    first: GLuint,
    count: GLsizei,
    buffers: ClientPtr<GLuint>,
    range: impl Fn(usize) -> Option<(GLintptr, GLsizeiptr)>,
) -> GlResult {
    let limit = points(ctx, command, target)?;
    let count = checked_count(command, count)?;
    if u64::from(first) + count as u64 > limit as u64 {
        return Err(GlError::invalid_operation(format!("{command}: {count} from {first} on, the limit is {limit}")));
    }
    let mut result = Ok(());
    for index in 0..count {
        let name = if buffers.is_null() { 0 } else { buffers.read_at(index) };
        let binding = match name {
            0 => Ok(IndexedBinding::default()),
            _ => existing(ctx, command, target, name, range(index)),
        };
        match binding {
            Ok(binding) => set_indexed(ctx, target, first as usize + index, binding),
            Err(error) => result = result.and(Err(error)),
        }
    }
    result
}

/// A range of a buffer that exists already.
fn existing(
    ctx: &Context,
    command: &'static str,
    target: GLenum,
    name: GLuint,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> GlResult<IndexedBinding> {
    let buffer = ctx.share.buffer(name);
    let buffer = buffer.ok_or_else(|| GlError::invalid_operation(format!("{command}: no buffer {name}")))?;
    let (offset, size) = indexed_range(ctx, command, target, range)?;
    Ok(IndexedBinding { buffer: Some(buffer), offset, size })
}
