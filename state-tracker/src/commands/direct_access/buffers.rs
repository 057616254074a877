//! Buffers by name (GL 4.6 core 6).

use super::direct;
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::commands::{buffer_clears, buffer_mapping, buffers};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;

/// Runs a command with a buffer at GL_COPY_WRITE_BUFFER, a point that draws never look at.
// GL 4.6 core 6.2: INVALID_OPERATION for what is no buffer.
fn on<R>(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    run: impl FnOnce(&mut Context, GLenum) -> GlResult<R>,
) -> GlResult<R> {
    let found = ctx.share.buffer(name).filter(|_| name != 0);
    let found = found.ok_or_else(|| GlError::invalid_operation(format!("{command}: no buffer {name}")))?;
    let before = ctx.state.buffers.copy_write.replace(found);
    let result = run(ctx, GL_COPY_WRITE_BUFFER).map_err(|error| error.said_by(command));
    ctx.state.buffers.copy_write = before;
    result
}

// gl-commands: NamedBufferStorage NamedBufferData NamedBufferSubData GetNamedBufferSubData MapNamedBuffer
// gl-commands: MapNamedBufferRange UnmapNamedBuffer FlushMappedNamedBufferRange GetNamedBufferParameteriv
// gl-commands: GetNamedBufferParameteri64v GetNamedBufferPointerv ClearNamedBufferData ClearNamedBufferSubData
direct! {
    on;
    NamedBufferStorage(size: GLsizeiptr, data: ClientPtr<u8>, flags: GLbitfield) => buffers::BufferStorage;
    NamedBufferData(size: GLsizeiptr, data: ClientPtr<u8>, usage: GLenum) => buffers::BufferData;
    NamedBufferSubData(offset: GLintptr, size: GLsizeiptr, data: ClientPtr<u8>) => buffers::BufferSubData;
    GetNamedBufferSubData(offset: GLintptr, size: GLsizeiptr, data: ClientPtrMut<u8>) => buffers::GetBufferSubData;
    MapNamedBuffer(access: GLenum) => buffer_mapping::MapBuffer => ClientPtrMut<u8>;
    MapNamedBufferRange(offset: GLintptr, length: GLsizeiptr, access: GLbitfield)
        => buffer_mapping::MapBufferRange => ClientPtrMut<u8>;
    UnmapNamedBuffer() => buffer_mapping::UnmapBuffer => GLboolean;
    FlushMappedNamedBufferRange(offset: GLintptr, length: GLsizeiptr) => buffer_mapping::FlushMappedBufferRange;
    GetNamedBufferParameteriv(pname: GLenum, params: ClientPtrMut<GLint>) => buffers::GetBufferParameteriv;
    GetNamedBufferParameteri64v(pname: GLenum, params: ClientPtrMut<GLint64>) => buffers::GetBufferParameteri64v;
    ClearNamedBufferData(internal: GLenum, format: GLenum, kind: GLenum, data: ClientPtr<u8>)
        => buffer_clears::ClearBufferData;
    ClearNamedBufferSubData(
        internal: GLenum, offset: GLintptr, size: GLsizeiptr, format: GLenum, kind: GLenum, data: ClientPtr<u8>
    ) => buffer_clears::ClearBufferSubData;
    GetNamedBufferPointerv(pname: GLenum, params: ClientPtrMut<ClientPtrMut<u8>>) => buffer_mapping::GetBufferPointerv;
}

pub fn CopyNamedBufferSubData(
    ctx: &mut Context,
    readBuffer: GLuint,
    writeBuffer: GLuint,
    readOffset: GLintptr,
    writeOffset: GLintptr,
    size: GLsizeiptr,
) -> GlResult {
    let command = "glCopyNamedBufferSubData";
    let source = ctx.share.buffer(readBuffer).filter(|_| readBuffer != 0);
    let source = source.ok_or_else(|| GlError::invalid_operation(format!("{command}: no buffer {readBuffer}")))?;
    on(ctx, command, writeBuffer, |ctx, target| {
        let before = ctx.state.buffers.copy_read.replace(source);
        let result = buffers::CopyBufferSubData(ctx, GL_COPY_READ_BUFFER, target, readOffset, writeOffset, size);
        ctx.state.buffers.copy_read = before;
        result
    })
}
