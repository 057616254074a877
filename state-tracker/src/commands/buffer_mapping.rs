//! Mapping buffers (GL 4.6 core 6.3).

use std::sync::Arc;

use gallite_pipe::MapFlags;

use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::buffer::{Buffer, BufferMapping};

use super::buffers::{bound, checked_range};

/// Ends a buffer's mapping, if there is one; false when its bytes were lost.
pub(super) fn unmap_now(ctx: &mut Context, buffer: &Buffer) -> bool {
    {
        let mut state = buffer.state.lock();
        if state.mapping.take().is_none() {
            return true;
        }
        state.exclusive = None;
    }
    ctx.pipe.buffer_unmap(buffer.id())
}

fn pipe_flags(access: GLbitfield) -> MapFlags {
    let has = |bit: GLbitfield| access & bit != 0;
    MapFlags::EMPTY
        .with(MapFlags::READ, has(GL_MAP_READ_BIT))
        .with(MapFlags::WRITE, has(GL_MAP_WRITE_BIT))
        .with(MapFlags::INVALIDATE_RANGE, has(GL_MAP_INVALIDATE_RANGE_BIT))
        .with(MapFlags::INVALIDATE_BUFFER, has(GL_MAP_INVALIDATE_BUFFER_BIT))
        .with(MapFlags::UNSYNCHRONIZED, has(GL_MAP_UNSYNCHRONIZED_BIT))
        .with(MapFlags::PERSISTENT, has(GL_MAP_PERSISTENT_BIT))
        .with(MapFlags::COHERENT, has(GL_MAP_COHERENT_BIT))
        .with(MapFlags::FLUSH_EXPLICIT, has(GL_MAP_FLUSH_EXPLICIT_BIT))
}

/// The errors of GL 4.6 core 6.3 that follow from the access bits.
fn check_access(command: &'static str, buffer: &Buffer, access: GLbitfield) -> GlResult {
    let known = GL_MAP_READ_BIT
        | GL_MAP_WRITE_BIT
        | GL_MAP_INVALIDATE_RANGE_BIT
        | GL_MAP_INVALIDATE_BUFFER_BIT
        | GL_MAP_FLUSH_EXPLICIT_BIT
        | GL_MAP_UNSYNCHRONIZED_BIT
        | GL_MAP_PERSISTENT_BIT
        | GL_MAP_COHERENT_BIT;
    if access & !known != 0 {
        return Err(GlError::invalid_value(format!("{command}: access 0x{access:X} has unknown bits")));
    }
    let has = |bits: GLbitfield| access & bits != 0;
    let destroys = has(GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
    if !has(GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)
        || has(GL_MAP_READ_BIT) && destroys
        || has(GL_MAP_FLUSH_EXPLICIT_BIT) && !has(GL_MAP_WRITE_BIT)
    {
        return Err(GlError::invalid_operation(format!("{command}: access 0x{access:X} contradicts itself")));
    }
    // Bits that the storage must have been made with.
    let needs = access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT);
    let state = buffer.state.lock();
    if needs & !state.storage_flags != 0 {
        return Err(GlError::invalid_operation(format!("{command}: the storage doesn't allow access 0x{access:X}")));
    }
    if state.mapping.is_some() {
        return Err(GlError::invalid_operation(format!("{command}: the buffer is mapped already")));
    }
    Ok(())
}

fn map(
    ctx: &mut Context,
    command: &'static str,
    buffer: &Arc<Buffer>,
    (offset, length): (u64, u64),
    access: GLbitfield,
) -> GlResult<ClientPtrMut<u8>> {
    let Some(mapping) = ctx.pipe.buffer_map(buffer.id(), offset, length, pipe_flags(access)) else {
        // GL 4.6 core 2.3.2: on a lost device that is the reason.
        if ctx.check_reset() != GL_NO_ERROR {
            return Err(GlError::context_lost(command));
        }
        return Err(GlError::out_of_memory(format!("{command}: the range can't be mapped")));
    };
    let address = mapping.as_ptr() as usize;
    if access & GL_MAP_PERSISTENT_BIT != 0 {
        buffer.note_writes_aside();
    }
    let mut state = buffer.state.lock();
    state.mapping = Some(BufferMapping { address, offset, length, access });
    state.exclusive = (access & GL_MAP_PERSISTENT_BIT == 0).then(|| ctx.share.exclusive_mapping());
    drop(state);
    Ok(ClientPtrMut::from_address(address))
}

pub fn MapBufferRange(
    ctx: &mut Context,
    target: GLenum,
    offset: GLintptr,
    length: GLsizeiptr,
    access: GLbitfield,
) -> GlResult<ClientPtrMut<u8>> {
    let command = "glMapBufferRange";
    let buffer = bound(ctx, command, target)?;
    let range = checked_range(command, &buffer, offset, length)?;
    check_access(command, &buffer, access)?;
    if range.1 == 0 {
        // GL 4.6 core 6.3: a length of zero is INVALID_OPERATION.
        return Err(GlError::invalid_operation(format!("{command}: length is 0")));
    }
    map(ctx, command, &buffer, range, access)
}

pub fn MapBuffer(ctx: &mut Context, target: GLenum, access: GLenum) -> GlResult<ClientPtrMut<u8>> {
    let command = "glMapBuffer";
    let bits = match access {
        GL_READ_ONLY => GL_MAP_READ_BIT,
        GL_WRITE_ONLY => GL_MAP_WRITE_BIT,
        GL_READ_WRITE => GL_MAP_READ_BIT | GL_MAP_WRITE_BIT,
        _ => return Err(GlError::invalid_enum(format!("{command}: access 0x{access:04X}"))),
    };
    let buffer = bound(ctx, command, target)?;
    check_access(command, &buffer, bits)?;
    if buffer.size() == 0 {
        return Err(GlError::out_of_memory(format!("{command}: the buffer is empty")));
    }
    map(ctx, command, &buffer, (0, buffer.size()), bits)
}

pub fn FlushMappedBufferRange(ctx: &mut Context, target: GLenum, offset: GLintptr, length: GLsizeiptr) -> GlResult {
    let command = "glFlushMappedBufferRange";
    let buffer = bound(ctx, command, target)?;
    let (Ok(offset), Ok(length)) = (u64::try_from(offset), u64::try_from(length)) else {
        return Err(GlError::invalid_value(format!("{command}: offset or length is negative")));
    };
    let mapping = buffer.state.lock().mapping;
    let Some(mapping) = mapping.filter(|m| m.access & GL_MAP_FLUSH_EXPLICIT_BIT != 0) else {
        return Err(GlError::invalid_operation(format!("{command}: the buffer isn't mapped for explicit flushes")));
    };
    if offset.checked_add(length).is_none_or(|end| end > mapping.length) {
        return Err(GlError::invalid_value(format!("{command}: {offset}+{length} is outside the mapping")));
    }
    ctx.pipe.buffer_flush_mapped(buffer.id(), offset, length);
    Ok(())
}

pub fn UnmapBuffer(ctx: &mut Context, target: GLenum) -> GlResult<GLboolean> {
    let buffer = bound(ctx, "glUnmapBuffer", target)?;
    if buffer.state.lock().mapping.is_none() {
        return Err(GlError::invalid_operation("glUnmapBuffer: the buffer isn't mapped"));
    }
    Ok(unmap_now(ctx, &buffer).into())
}

pub fn GetBufferPointerv(
    ctx: &mut Context,
    target: GLenum,
    pname: GLenum,
    params: ClientPtrMut<ClientPtrMut<u8>>,
) -> GlResult {
    let buffer = bound(ctx, "glGetBufferPointerv", target)?;
    if pname != GL_BUFFER_MAP_POINTER {
        return Err(GlError::invalid_enum(format!("glGetBufferPointerv: pname 0x{pname:04X}")));
    }
    let address = buffer.state.lock().mapping.map_or(0, |m| m.address);
    params.write(&[ClientPtrMut::from_address(address)]);
    Ok(())
}
