//! Buffer objects: names, binding, storage (GL 4.6 core 6.1, 6.2, 6.4 to 6.7). Mapping is in `buffer_mapping`.

use std::sync::Arc;

use gallite_pipe::{Bind, BufferDesc, BufferFlags, BufferId, BufferUsage, CopyBuffer, MapFlags, Outcome};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::buffer::Buffer;
use crate::state::buffers::{BufferBindings, IndexedBinding};

/// Above this many bytes a creation waits for its outcome, so that the program learns of missing memory at once.
const CHECKED_SIZE: u64 = 64 << 20;

/// Targets through which nothing is written but by the commands that name them.
const READ_BY_DRAWS: [GLenum; 6] = [
    GL_ARRAY_BUFFER,
    GL_ELEMENT_ARRAY_BUFFER,
    GL_UNIFORM_BUFFER,
    GL_COPY_READ_BUFFER,
    GL_COPY_WRITE_BUFFER,
    GL_PIXEL_UNPACK_BUFFER,
];

fn is_target(target: GLenum) -> bool {
    target == GL_ELEMENT_ARRAY_BUFFER || BufferBindings::generic_targets().contains(&target)
}

/// The buffer bound to a target. GL 4.6 core 6.2: INVALID_ENUM for a bad target, INVALID_OPERATION for zero.
pub(super) fn bound(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<Arc<Buffer>> {
    if !is_target(target) {
        return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}")));
    }
    ctx.bound_buffer(target)
        .map(Arc::clone)
        .inspect(|buffer| buffer.touch())
        .ok_or_else(|| GlError::invalid_operation(format!("{command}: no buffer is bound to 0x{target:04X}")))
}

/// A checked offset and size inside a buffer (GL 4.6 core 6.2, 6.3): INVALID_VALUE when negative or past the end.
pub(super) fn checked_range(
    command: &'static str,
    buffer: &Buffer,
    offset: GLintptr,
    size: GLsizeiptr,
) -> GlResult<(u64, u64)> {
    let (Ok(offset), Ok(size)) = (u64::try_from(offset), u64::try_from(size)) else {
        return Err(GlError::invalid_value(format!("{command}: offset {offset} or size {size} is negative")));
    };
    if offset.checked_add(size).is_none_or(|end| end > buffer.size()) {
        return Err(GlError::invalid_value(format!(
            "{command}: range {offset}+{size} is outside the buffer of {} bytes",
            buffer.size()
        )));
    }
    Ok((offset, size))
}

pub(super) fn refuse_mapped(command: &'static str, buffer: &Buffer) -> GlResult {
    if buffer.is_mapped_exclusively() {
        return Err(GlError::invalid_operation(format!("{command}: buffer {} is mapped", buffer.header.name)));
    }
    Ok(())
}

pub fn GenBuffers(ctx: &mut Context, n: GLsizei, buffers: ClientPtrMut<GLuint>) -> GlResult {
    ctx.share.buffers.lock().generate_into("glGenBuffers", n, buffers)
}

pub fn DeleteBuffers(ctx: &mut Context, n: GLsizei, buffers: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteBuffers", n)?;
    for name in buffers.read(count).iter() {
        let Some(buffer) = ctx.share.buffers.lock().remove(*name) else { continue };
        buffer.header.mark_deleted();
        // GL 4.6 core 6.1: deleting unmaps.
        super::buffer_mapping::unmap_now(ctx, &buffer);
        unbind_everywhere(ctx, &buffer);
    }
    Ok(())
}

/// GL 4.6 core 5.1.2: a deleted object is unbound from the current context and from the container objects bound there.
fn unbind_everywhere(ctx: &mut Context, buffer: &Arc<Buffer>) {
    for target in BufferBindings::generic_targets() {
        if let Some(slot) = ctx.state.buffers.slot(target)
            && slot.as_ref().is_some_and(|b| Arc::ptr_eq(b, buffer))
        {
            *slot = None;
        }
    }
    let buffers = &mut ctx.state.buffers;
    for (bindings, dirty) in [
        (&mut buffers.uniform_indexed, DirtySet::UNIFORM_BUFFERS),
        (&mut buffers.storage_indexed, DirtySet::STORAGE_BUFFERS),
        (&mut buffers.atomic_indexed, DirtySet::ATOMIC_BUFFERS),
    ] {
        for binding in bindings.iter_mut().filter(|b| b.is(buffer)) {
            *binding = IndexedBinding::default();
            ctx.dirty.insert(dirty);
        }
    }
    if ctx.vertex_array_mut().detach_buffer(buffer) {
        ctx.dirty.insert(DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS | DirtySet::INDEX_BUFFER);
    }
    if ctx.transform_feedback_mut().detach_buffer(buffer) {
        ctx.dirty.insert(DirtySet::XFB);
    }
}

pub fn IsBuffer(ctx: &mut Context, name: GLuint) -> GLboolean {
    ctx.share.buffers.lock().get(name).is_some().into()
}

/// The object of a name for binding: made on first use. GL 4.6 core 6.1: the core profile wants a generated name.
pub(super) fn for_binding(ctx: &Context, command: &'static str, name: GLuint) -> GlResult<Option<Arc<Buffer>>> {
    if name == 0 {
        return Ok(None);
    }
    let mut buffers = ctx.share.buffers.lock();
    if let Some(buffer) = buffers.get(name) {
        return Ok(Some(Arc::clone(buffer)));
    }
    if !buffers.is_generated(name) && ctx.is_core() {
        return Err(GlError::invalid_operation(format!("{command}: {name} was not made by glGenBuffers")));
    }
    let buffer = Arc::new(Buffer::new(&ctx.device, name));
    buffers.insert(name, Arc::clone(&buffer));
    Ok(Some(buffer))
}

/// Whether a name comes from glGenBuffers, object or not.
pub(super) fn is_generated(ctx: &Context, name: GLuint) -> bool {
    ctx.share.buffers.lock().is_generated(name)
}

pub fn BindBuffer(ctx: &mut Context, target: GLenum, name: GLuint) -> GlResult {
    if !is_target(target) {
        return Err(GlError::invalid_enum(format!("glBindBuffer: target 0x{target:04X}")));
    }
    // A name that was deleted elsewhere may be another object by now, so equal names prove nothing across contexts.
    if ctx.bound_buffer(target).is_some_and(|b| b.header.name == name && !b.header.is_deleted()) {
        return Ok(());
    }
    let buffer = for_binding(ctx, "glBindBuffer", name)?;
    if !READ_BY_DRAWS.contains(&target)
        && let Some(buffer) = &buffer
    {
        buffer.note_writes_aside();
    }
    if target == GL_ELEMENT_ARRAY_BUFFER {
        ctx.vertex_array_mut().element_buffer = buffer;
        ctx.dirty.insert(DirtySet::INDEX_BUFFER);
    } else if let Some(slot) = ctx.state.buffers.slot(target) {
        *slot = buffer;
    }
    Ok(())
}

fn pipe_usage(usage: GLenum) -> Option<BufferUsage> {
    Some(match usage {
        GL_STATIC_DRAW | GL_STATIC_COPY => BufferUsage::STATIC,
        GL_DYNAMIC_DRAW | GL_DYNAMIC_COPY => BufferUsage::DYNAMIC,
        GL_STREAM_DRAW | GL_STREAM_COPY => BufferUsage::STREAM,
        GL_STATIC_READ | GL_DYNAMIC_READ | GL_STREAM_READ => BufferUsage::READBACK,
        _ => return None,
    })
}

/// Which bindings a buffer may see: GL lets every buffer be bound anywhere.
fn any_bind(ctx: &Context) -> Bind {
    let mut bind = Bind::VERTEX | Bind::INDEX | Bind::UNIFORM | Bind::TEXTURE_BUFFER | Bind::TRANSFER;
    bind |= Bind::STORAGE | Bind::INDIRECT;
    if ctx.device.caps.features.contains(gallite_pipe::Features::TRANSFORM_FEEDBACK) {
        bind |= Bind::XFB;
    }
    bind
}

/// Makes storage. None when there is no memory for it.
fn make_storage(ctx: &Context, size: u64, usage: BufferUsage, flags: BufferFlags, wait: bool) -> Option<BufferId> {
    if size == 0 {
        return Some(BufferId::NULL);
    }
    if size > ctx.device.caps.limits.max_buffer_size {
        return None;
    }
    let id: BufferId = ctx.device.mint();
    let desc = BufferDesc { size, bind: any_bind(ctx), usage, flags, reserved: 0 };
    ctx.device.screen.create_buffer(id, &desc);
    // A lost device has no storage and no need of it.
    if (wait || size >= CHECKED_SIZE) && !ctx.device.has_buffer(id) {
        ctx.device.screen.destroy_buffer(id);
        ctx.device.release(id);
        return None;
    }
    Some(id)
}

/// Gives a buffer new storage and lets every user notice.
fn replace_storage(ctx: &mut Context, buffer: &Buffer, id: BufferId, size: u64) {
    buffer.set_storage(id, size);
    buffer.header.bump();
    let bound = DirtySet::VERTEX_BUFFERS
        | DirtySet::UNIFORM_BUFFERS
        | DirtySet::STORAGE_BUFFERS
        | DirtySet::ATOMIC_BUFFERS
        | DirtySet::XFB;
    let texels = DirtySet::TEXTURES | DirtySet::IMAGES;
    ctx.shared_changed(if buffer.has_texels() { bound | texels } else { bound });
}

pub fn BufferData(ctx: &mut Context, target: GLenum, size: GLsizeiptr, data: ClientPtr<u8>, usage: GLenum) -> GlResult {
    let command = "glBufferData";
    if !is_target(target) {
        return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}")));
    }
    let Some(kind) = pipe_usage(usage) else {
        return Err(GlError::invalid_enum(format!("{command}: usage 0x{usage:04X}")));
    };
    let Ok(bytes) = u64::try_from(size) else {
        return Err(GlError::invalid_value(format!("{command}: size is negative ({size})")));
    };
    let buffer = bound(ctx, command, target)?;
    if buffer.state.lock().immutable {
        return Err(GlError::invalid_operation(format!("{command}: the storage is immutable")));
    }
    // GL 4.6 core 6.2: a mapped buffer is unmapped first.
    super::buffer_mapping::unmap_now(ctx, &buffer);
    let keeps_storage = bytes != 0 && buffer.size() == bytes && buffer.state.lock().usage == usage;
    if keeps_storage {
        if data.is_null() {
            ctx.pipe.buffer_invalidate(buffer.id());
        }
    } else {
        let Some(id) = make_storage(ctx, bytes, kind, BufferFlags::EMPTY, false) else {
            return Err(GlError::out_of_memory(format!("{command}: no memory for {bytes} bytes")));
        };
        replace_storage(ctx, &buffer, id, bytes);
        buffer.state.lock().usage = usage;
    }
    if !data.is_null() && bytes != 0 {
        ctx.pipe.buffer_write(
            buffer.id(),
            0,
            MapFlags::WRITE | MapFlags::INVALIDATE_BUFFER,
            &data.read(bytes as usize),
        );
    }
    Ok(())
}

pub fn BufferStorage(
    ctx: &mut Context,
    target: GLenum,
    size: GLsizeiptr,
    data: ClientPtr<u8>,
    flags: GLbitfield,
) -> GlResult {
    let command = "glBufferStorage";
    let buffer = bound(ctx, command, target)?;
    let bytes = u64::try_from(size).ok().filter(|s| *s > 0);
    let Some(bytes) = bytes else {
        return Err(GlError::invalid_value(format!("{command}: size is {size}")));
    };
    // GL 4.6 core 6.2: PERSISTENT needs READ or WRITE, COHERENT needs PERSISTENT.
    let known = GL_DYNAMIC_STORAGE_BIT
        | GL_MAP_READ_BIT
        | GL_MAP_WRITE_BIT
        | GL_MAP_PERSISTENT_BIT
        | GL_MAP_COHERENT_BIT
        | GL_CLIENT_STORAGE_BIT;
    let has = |bits: GLbitfield| flags & bits != 0;
    if flags & !known != 0
        || has(GL_MAP_PERSISTENT_BIT) && !has(GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)
        || has(GL_MAP_COHERENT_BIT) && !has(GL_MAP_PERSISTENT_BIT)
    {
        return Err(GlError::invalid_value(format!("{command}: flags 0x{flags:X}")));
    }
    if buffer.state.lock().immutable {
        return Err(GlError::invalid_operation(format!("{command}: the storage is immutable")));
    }
    super::buffer_mapping::unmap_now(ctx, &buffer);
    let pipe_flags = BufferFlags::EMPTY
        .with(BufferFlags::MAP_PERSISTENT, has(GL_MAP_PERSISTENT_BIT))
        .with(BufferFlags::MAP_COHERENT, has(GL_MAP_COHERENT_BIT))
        .with(BufferFlags::MAP_READ, has(GL_MAP_READ_BIT))
        .with(BufferFlags::MAP_WRITE, has(GL_MAP_WRITE_BIT))
        .with(BufferFlags::CLIENT_STORAGE, has(GL_CLIENT_STORAGE_BIT));
    let usage = if has(GL_MAP_READ_BIT) && !has(GL_MAP_WRITE_BIT) {
        BufferUsage::READBACK
    } else if has(GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT) {
        BufferUsage::DYNAMIC
    } else {
        BufferUsage::STATIC
    };
    let Some(id) = make_storage(ctx, bytes, usage, pipe_flags, true) else {
        return Err(GlError::out_of_memory(format!("{command}: no memory for {bytes} bytes")));
    };
    replace_storage(ctx, &buffer, id, bytes);
    {
        let mut state = buffer.state.lock();
        state.immutable = true;
        state.storage_flags = flags;
        state.usage = GL_DYNAMIC_DRAW;
    }
    if !data.is_null() {
        ctx.pipe.buffer_write(id, 0, MapFlags::WRITE | MapFlags::INVALIDATE_BUFFER, &data.read(bytes as usize));
    }
    Ok(())
}

pub fn BufferSubData(
    ctx: &mut Context,
    target: GLenum,
    offset: GLintptr,
    size: GLsizeiptr,
    data: ClientPtr<u8>,
) -> GlResult {
    let command = "glBufferSubData";
    let buffer = bound(ctx, command, target)?;
    let (offset, size) = checked_range(command, &buffer, offset, size)?;
    refuse_mapped(command, &buffer)?;
    {
        let state = buffer.state.lock();
        if state.immutable && state.storage_flags & GL_DYNAMIC_STORAGE_BIT == 0 {
            return Err(GlError::invalid_operation(format!("{command}: the storage is not dynamic")));
        }
    }
    if size != 0 && !data.is_null() {
        ctx.pipe.buffer_write(buffer.id(), offset, MapFlags::WRITE, &data.read(size as usize));
    }
    Ok(())
}

pub fn GetBufferSubData(
    ctx: &mut Context,
    target: GLenum,
    offset: GLintptr,
    size: GLsizeiptr,
    data: ClientPtrMut<u8>,
) -> GlResult {
    let command = "glGetBufferSubData";
    let buffer = bound(ctx, command, target)?;
    let (offset, size) = checked_range(command, &buffer, offset, size)?;
    refuse_mapped(command, &buffer)?;
    if size == 0 {
        return Ok(());
    }
    let mut bytes = vec![0; size as usize];
    if ctx.pipe.buffer_read(buffer.id(), offset, &mut bytes) == Outcome::OUT_OF_MEMORY {
        return Err(GlError::out_of_memory(format!("{command}: no memory to read {size} bytes")));
    }
    data.write(&bytes);
    Ok(())
}

pub fn CopyBufferSubData(
    ctx: &mut Context,
    read_target: GLenum,
    write_target: GLenum,
    read_offset: GLintptr,
    write_offset: GLintptr,
    size: GLsizeiptr,
) -> GlResult {
    let command = "glCopyBufferSubData";
    let source = bound(ctx, command, read_target)?;
    let destination = bound(ctx, command, write_target)?;
    let (source_offset, bytes) = checked_range(command, &source, read_offset, size)?;
    let (destination_offset, _) = checked_range(command, &destination, write_offset, size)?;
    refuse_mapped(command, &source)?;
    refuse_mapped(command, &destination)?;
    // GL 4.6 core 6.6: overlapping ranges of one buffer are INVALID_VALUE.
    if Arc::ptr_eq(&source, &destination) && source_offset.abs_diff(destination_offset) < bytes {
        return Err(GlError::invalid_value(format!("{command}: the ranges overlap")));
    }
    if bytes != 0 {
        let (source, destination) = (source.id(), destination.id());
        ctx.pipe.copy_buffer(&CopyBuffer { source, destination, source_offset, destination_offset, size: bytes });
    }
    Ok(())
}

fn buffer_parameter(buffer: &Buffer, pname: GLenum) -> Option<i64> {
    let state = buffer.state.lock();
    let mapping = state.mapping;
    Some(match pname {
        GL_BUFFER_SIZE => buffer.size() as i64,
        GL_BUFFER_USAGE => i64::from(state.usage),
        GL_BUFFER_ACCESS => {
            // GL 4.6 core table 6.2: what glMapBuffer's access would have been.
            let access = mapping.map_or(GL_MAP_READ_BIT | GL_MAP_WRITE_BIT, |m| m.access);
            match (access & GL_MAP_READ_BIT != 0, access & GL_MAP_WRITE_BIT != 0) {
                (true, false) => i64::from(GL_READ_ONLY),
                (false, true) => i64::from(GL_WRITE_ONLY),
                _ => i64::from(GL_READ_WRITE),
            }
        }
        GL_BUFFER_ACCESS_FLAGS => mapping.map_or(0, |m| i64::from(m.access)),
        GL_BUFFER_MAPPED => mapping.is_some().into(),
        GL_BUFFER_MAP_OFFSET => mapping.map_or(0, |m| m.offset as i64),
        GL_BUFFER_MAP_LENGTH => mapping.map_or(0, |m| m.length as i64),
        GL_BUFFER_IMMUTABLE_STORAGE => state.immutable.into(),
        GL_BUFFER_STORAGE_FLAGS => i64::from(if state.immutable { state.storage_flags } else { 0 }),
        _ => return None,
    })
}

fn get_parameter(ctx: &Context, command: &'static str, target: GLenum, pname: GLenum) -> GlResult<i64> {
    let buffer = bound(ctx, command, target)?;
    buffer_parameter(&buffer, pname).ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))
}

pub fn GetBufferParameteriv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    let value = get_parameter(ctx, "glGetBufferParameteriv", target, pname)?;
    params.write(&[value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as GLint]);
    Ok(())
}

pub fn GetBufferParameteri64v(
    ctx: &mut Context,
    target: GLenum,
    pname: GLenum,
    params: ClientPtrMut<GLint64>,
) -> GlResult {
    params.write(&[get_parameter(ctx, "glGetBufferParameteri64v", target, pname)?]);
    Ok(())
}

/// A buffer by name. GL 4.6 core 6.5: INVALID_VALUE for what is no buffer.
fn invalidated(ctx: &Context, command: &'static str, name: GLuint) -> GlResult<Arc<Buffer>> {
    let found = ctx.share.buffer(name).filter(|_| name != 0);
    found.ok_or_else(|| GlError::invalid_value(format!("{command}: no buffer {name}")))
}

pub fn InvalidateBufferSubData(ctx: &mut Context, buffer: GLuint, offset: GLintptr, length: GLsizeiptr) -> GlResult {
    let command = "glInvalidateBufferSubData";
    let buffer = invalidated(ctx, command, buffer)?;
    let (start, size) = checked_range(command, &buffer, offset, length)?;
    refuse_mapped(command, &buffer)?;
    // Part of a buffer keeps what it has, which is as good an undefined value as any.
    if start == 0 && size == buffer.size() && size != 0 {
        ctx.pipe.buffer_invalidate(buffer.id());
    }
    Ok(())
}

pub fn InvalidateBufferData(ctx: &mut Context, buffer: GLuint) -> GlResult {
    let command = "glInvalidateBufferData";
    let buffer = invalidated(ctx, command, buffer)?;
    refuse_mapped(command, &buffer)?;
    if buffer.size() != 0 {
        ctx.pipe.buffer_invalidate(buffer.id());
    }
    Ok(())
}
