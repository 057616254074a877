//! Transform feedback objects by name (GL 4.6 core 13.3).

use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::transform_feedback::TransformFeedback;
use crate::state::buffers::IndexedBinding;

fn find<'a>(ctx: &'a Context, command: &str, name: GLuint) -> GlResult<&'a TransformFeedback> {
    if name == 0 {
        return Ok(&ctx.default_transform_feedback);
    }
    let found = ctx.transform_feedbacks.get(name).map(|object| &**object);
    found.ok_or_else(|| GlError::invalid_operation(format!("{command}: no transform feedback object {name}")))
}

fn check_index(ctx: &Context, command: &str, index: GLuint) -> GlResult<usize> {
    if index >= ctx.limits.xfb_buffers as GLuint {
        return Err(GlError::invalid_value(format!("{command}: index {index}")));
    }
    Ok(index as usize)
}

fn bind(
    ctx: &mut Context,
    command: &'static str,
    xfb: GLuint,
    index: GLuint,
    buffer: GLuint,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> GlResult {
    let active = find(ctx, command, xfb)?.active;
    let index = check_index(ctx, command, index)?;
    let found = ctx.share.buffer(buffer);
    // GL 4.6 core 13.3.2: INVALID_VALUE for what is no buffer.
    if buffer != 0 && found.is_none() {
        return Err(GlError::invalid_value(format!("{command}: no buffer {buffer}")));
    }
    let (offset, size) = range.unwrap_or_default();
    let wrong = offset < 0 || size <= 0 || offset % 4 != 0 || size % 4 != 0;
    if buffer != 0 && range.is_some() && wrong {
        return Err(GlError::invalid_value(format!("{command}: offset {offset}, size {size}")));
    }
    if active {
        return Err(GlError::invalid_operation(format!("{command}: transform feedback is active")));
    }
    let buffer = found.filter(|_| buffer != 0);
    let size = range.filter(|_| buffer.is_some()).map(|(_, size)| size as u64);
    let binding = IndexedBinding { buffer, offset: offset.max(0) as u64, size };
    match ctx.transform_feedbacks.get_mut(xfb) {
        Some(object) => object.buffers[index] = binding,
        None => ctx.default_transform_feedback.buffers[index] = binding,
    }
    ctx.dirty.insert(DirtySet::XFB);
    Ok(())
}

pub fn TransformFeedbackBufferBase(ctx: &mut Context, xfb: GLuint, index: GLuint, buffer: GLuint) -> GlResult {
    bind(ctx, "glTransformFeedbackBufferBase", xfb, index, buffer, None)
}

pub fn TransformFeedbackBufferRange(
    ctx: &mut Context,
    xfb: GLuint,
    index: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    size: GLsizeiptr,
) -> GlResult {
    bind(ctx, "glTransformFeedbackBufferRange", xfb, index, buffer, Some((offset, size)))
}

pub fn GetTransformFeedbackiv(ctx: &mut Context, xfb: GLuint, pname: GLenum, param: ClientPtrMut<GLint>) -> GlResult {
    let command = "glGetTransformFeedbackiv";
    let object = find(ctx, command, xfb)?;
    let value = match pname {
        GL_TRANSFORM_FEEDBACK_PAUSED => object.paused,
        GL_TRANSFORM_FEEDBACK_ACTIVE => object.active,
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    param.write(&[value.into()]);
    Ok(())
}

// The registry's names end in an underscore and the type.
pub fn GetTransformFeedbacki_v(
    ctx: &mut Context,
    xfb: GLuint,
    pname: GLenum,
    index: GLuint,
    param: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetTransformFeedbacki_v";
    let object = find(ctx, command, xfb)?;
    let index = check_index(ctx, command, index)?;
    if pname != GL_TRANSFORM_FEEDBACK_BUFFER_BINDING {
        return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
    }
    param.write(&[object.buffers[index].buffer.as_ref().map_or(0, |b| b.header.name) as GLint]);
    Ok(())
}

pub fn GetTransformFeedbacki64_v(
    ctx: &mut Context,
    xfb: GLuint,
    pname: GLenum,
    index: GLuint,
    param: ClientPtrMut<GLint64>,
) -> GlResult {
    let command = "glGetTransformFeedbacki64_v";
    let object = find(ctx, command, xfb)?;
    let binding = &object.buffers[check_index(ctx, command, index)?];
    let value = match pname {
        GL_TRANSFORM_FEEDBACK_BUFFER_START if binding.size.is_some() => binding.offset,
        GL_TRANSFORM_FEEDBACK_BUFFER_START => 0,
        GL_TRANSFORM_FEEDBACK_BUFFER_SIZE => binding.size.unwrap_or(0),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    param.write(&[value as GLint64]);
    Ok(())
}
