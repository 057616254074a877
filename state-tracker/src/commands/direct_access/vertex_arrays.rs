//! Vertex arrays by name (GL 4.6 core 10.3).

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::commands::vertex_bindings::{self, ElementFormat};
use crate::commands::{buffers, vertex_arrays};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;

/// Runs a command with a vertex array bound.
// GL 4.6 core 10.3.1: INVALID_OPERATION for what is no vertex array; zero is one in the compatibility profile only.
fn on<R>(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    run: impl FnOnce(&mut Context) -> GlResult<R>,
) -> GlResult<R> {
    let known = if name == 0 { !ctx.is_core() } else { ctx.vertex_arrays.get(name).is_some() };
    if !known {
        return Err(GlError::invalid_operation(format!("{command}: no vertex array {name}")));
    }
    let before = std::mem::replace(&mut ctx.state.vertex.bound, name);
    let result = run(ctx).map_err(|error| error.said_by(command));
    ctx.state.vertex.bound = before;
    result
}

pub fn EnableVertexArrayAttrib(ctx: &mut Context, vaobj: GLuint, index: GLuint) -> GlResult {
    on(ctx, "glEnableVertexArrayAttrib", vaobj, |ctx| vertex_arrays::EnableVertexAttribArray(ctx, index))
}

pub fn DisableVertexArrayAttrib(ctx: &mut Context, vaobj: GLuint, index: GLuint) -> GlResult {
    on(ctx, "glDisableVertexArrayAttrib", vaobj, |ctx| vertex_arrays::DisableVertexAttribArray(ctx, index))
}

pub fn VertexArrayElementBuffer(ctx: &mut Context, vaobj: GLuint, buffer: GLuint) -> GlResult {
    let command = "glVertexArrayElementBuffer";
    on(ctx, command, vaobj, |ctx| {
        // GL 4.6 core 10.3.1: the buffer must exist already.
        let found = ctx.share.buffer(buffer);
        if buffer != 0 && found.is_none() {
            return Err(GlError::invalid_operation(format!("{command}: no buffer {buffer}")));
        }
        ctx.vertex_array_mut().element_buffer = found.filter(|_| buffer != 0);
        ctx.dirty.insert(DirtySet::INDEX_BUFFER);
        Ok(())
    })
}

pub fn VertexArrayVertexBuffer(
    ctx: &mut Context,
    vaobj: GLuint,
    bindingindex: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    stride: GLsizei,
) -> GlResult {
    let command = "glVertexArrayVertexBuffer";
    on(ctx, command, vaobj, |ctx| {
        if buffer != 0 && ctx.share.buffer(buffer).is_none() && !buffers::is_generated(ctx, buffer) {
            return Err(GlError::invalid_operation(format!("{command}: no buffer {buffer}")));
        }
        vertex_bindings::bind_buffer(ctx, command, bindingindex, buffer, offset, stride)
    })
}

pub fn VertexArrayVertexBuffers(
    ctx: &mut Context,
    vaobj: GLuint,
    first: GLuint,
    count: GLsizei,
    buffers: ClientPtr<GLuint>,
    offsets: ClientPtr<GLintptr>,
    strides: ClientPtr<GLsizei>,
) -> GlResult {
    let command = "glVertexArrayVertexBuffers";
    on(ctx, command, vaobj, |ctx| vertex_bindings::bind_buffers(ctx, command, first, count, buffers, offsets, strides))
}

pub fn VertexArrayAttribFormat(
    ctx: &mut Context,
    vaobj: GLuint,
    attribindex: GLuint,
    size: GLint,
    r#type: GLenum,
    normalized: GLboolean,
    relativeoffset: GLuint,
) -> GlResult {
    let command = "glVertexArrayAttribFormat";
    let normalized = normalized != 0;
    let given =
        ElementFormat { size, kind: r#type, normalized, integer: false, long: false, relative_offset: relativeoffset };
    on(ctx, command, vaobj, |ctx| vertex_bindings::set_format(ctx, command, attribindex, &given))
}

pub fn VertexArrayAttribIFormat(
    ctx: &mut Context,
    vaobj: GLuint,
    attribindex: GLuint,
    size: GLint,
    r#type: GLenum,
    relativeoffset: GLuint,
) -> GlResult {
    let command = "glVertexArrayAttribIFormat";
    let given = ElementFormat::integers(size, r#type, relativeoffset);
    on(ctx, command, vaobj, |ctx| vertex_bindings::set_format(ctx, command, attribindex, &given))
}

pub fn VertexArrayAttribLFormat(
    ctx: &mut Context,
    vaobj: GLuint,
    attribindex: GLuint,
    size: GLint,
    r#type: GLenum,
    relativeoffset: GLuint,
) -> GlResult {
    let command = "glVertexArrayAttribLFormat";
    let given = ElementFormat::doubles(size, r#type, relativeoffset);
    on(ctx, command, vaobj, |ctx| vertex_bindings::set_format(ctx, command, attribindex, &given))
}

pub fn VertexArrayAttribBinding(
    ctx: &mut Context,
    vaobj: GLuint,
    attribindex: GLuint,
    bindingindex: GLuint,
) -> GlResult {
    let command = "glVertexArrayAttribBinding";
    on(ctx, command, vaobj, |ctx| vertex_bindings::set_binding(ctx, command, attribindex, bindingindex))
}

pub fn VertexArrayBindingDivisor(ctx: &mut Context, vaobj: GLuint, bindingindex: GLuint, divisor: GLuint) -> GlResult {
    let command = "glVertexArrayBindingDivisor";
    on(ctx, command, vaobj, |ctx| vertex_bindings::set_divisor(ctx, command, bindingindex, divisor))
}

pub fn GetVertexArrayiv(ctx: &mut Context, vaobj: GLuint, pname: GLenum, param: ClientPtrMut<GLint>) -> GlResult {
    let command = "glGetVertexArrayiv";
    on(ctx, command, vaobj, |ctx| {
        // GL 4.6 core 10.5: the element buffer alone.
        if pname != GL_ELEMENT_ARRAY_BUFFER_BINDING {
            return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
        }
        let buffer = ctx.vertex_array().element_buffer.as_ref();
        param.write(&[buffer.map_or(0, |b| b.header.name) as GLint]);
        Ok(())
    })
}

pub fn GetVertexArrayIndexediv(
    ctx: &mut Context,
    vaobj: GLuint,
    index: GLuint,
    pname: GLenum,
    param: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetVertexArrayIndexediv";
    on(ctx, command, vaobj, |ctx| {
        let index = vertex_arrays::check_index(ctx, command, index)?;
        // GL 4.6 core 10.5: of the attribute, and the divisor of the binding of that number.
        let allowed = matches!(
            pname,
            GL_VERTEX_ATTRIB_ARRAY_ENABLED
                | GL_VERTEX_ATTRIB_ARRAY_SIZE
                | GL_VERTEX_ATTRIB_ARRAY_STRIDE
                | GL_VERTEX_ATTRIB_ARRAY_TYPE
                | GL_VERTEX_ATTRIB_ARRAY_NORMALIZED
                | GL_VERTEX_ATTRIB_ARRAY_INTEGER
                | GL_VERTEX_ATTRIB_ARRAY_LONG
                | GL_VERTEX_ATTRIB_ARRAY_DIVISOR
                | GL_VERTEX_ATTRIB_RELATIVE_OFFSET
        );
        if !allowed {
            return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
        }
        param.write(&[vertex_arrays::property(ctx, command, index, pname)? as GLint]);
        Ok(())
    })
}

pub fn GetVertexArrayIndexed64iv(
    ctx: &mut Context,
    vaobj: GLuint,
    index: GLuint,
    pname: GLenum,
    param: ClientPtrMut<GLint64>,
) -> GlResult {
    let command = "glGetVertexArrayIndexed64iv";
    on(ctx, command, vaobj, |ctx| {
        if pname != GL_VERTEX_BINDING_OFFSET {
            return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
        }
        let binding = vertex_bindings::check_binding(ctx, command, index)?;
        param.write(&[ctx.vertex_array().bindings[binding].offset as GLint64]);
        Ok(())
    })
}
