//! Debug output and object labels (GL 4.6 core chapter 20, KHR_debug).

use gallite_pipe::LabelKind;

use crate::client_memory::{ClientPtr, ClientPtrMut, DebugProc};
use crate::context::Context;
use crate::debug::{Choice, MAX_LABEL_LENGTH, MAX_MESSAGE_LENGTH, Message, SEVERITIES, SOURCES, TYPES};
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::program::ShaderOrProgram;
use crate::share::ObjectHeader;

/// Reads a message or label parameter and checks its length.
fn text(command: &str, length: GLsizei, text: ClientPtr<GLchar>, limit: usize) -> GlResult<Vec<u8>> {
    let too_long =
        |bytes| GlError::invalid_value(format!("{command}: the text has {bytes} bytes, the limit is {limit}"));
    // A length that is refused says nothing about the memory behind the pointer.
    if let Some(bytes) = usize::try_from(length).ok().filter(|bytes| *bytes >= limit) {
        return Err(too_long(bytes));
    }
    let bytes = text.string(length as isize);
    if bytes.len() >= limit {
        return Err(too_long(bytes.len()));
    }
    Ok(bytes.into_owned())
}

fn insertable_source(command: &str, source: GLenum) -> GlResult {
    if !matches!(source, GL_DEBUG_SOURCE_APPLICATION | GL_DEBUG_SOURCE_THIRD_PARTY) {
        return Err(GlError::invalid_enum(format!("{command}: source 0x{source:04X} can't be used by a program")));
    }
    Ok(())
}

/// GL 4.6 core 20.2.
pub fn DebugMessageCallback(ctx: &mut Context, callback: DebugProc, user: ClientPtr<u8>) {
    ctx.debug.set_callback(callback, user);
}

/// GL 4.6 core 20.4.
pub fn DebugMessageControl(
    ctx: &mut Context,
    source: GLenum,
    kind: GLenum,
    severity: GLenum,
    count: GLsizei,
    ids: ClientPtr<GLuint>,
    enabled: GLboolean,
) -> GlResult {
    let bad = |what: &str, value| GlError::invalid_enum(format!("glDebugMessageControl: {what} 0x{value:04X}"));
    let source = Choice::parse(&SOURCES, source).ok_or_else(|| bad("source", source))?;
    let kind = Choice::parse(&TYPES, kind).ok_or_else(|| bad("type", kind))?;
    let severity = Choice::parse(&SEVERITIES, severity).ok_or_else(|| bad("severity", severity))?;
    let count =
        usize::try_from(count).map_err(|_| GlError::invalid_value("glDebugMessageControl: count is negative"))?;
    if count == 0 {
        ctx.debug.control(source, kind, severity, enabled != 0);
        return Ok(());
    }
    // GL 4.6 core 20.4: ids are relative to one source and one type, and exclude a severity.
    let (Choice::One(source), Choice::One(kind), Choice::Any) = (source, kind, severity) else {
        return Err(GlError::invalid_operation(
            "glDebugMessageControl: ids need a source and a type, and severity GL_DONT_CARE",
        ));
    };
    ctx.debug.control_ids(source, kind, &ids.read(count), enabled != 0);
    Ok(())
}

/// GL 4.6 core 20.5.
pub fn DebugMessageInsert(
    ctx: &mut Context,
    source: GLenum,
    kind: GLenum,
    id: GLuint,
    severity: GLenum,
    length: GLsizei,
    buf: ClientPtr<GLchar>,
) -> GlResult {
    insertable_source("glDebugMessageInsert", source)?;
    if !TYPES.contains(&kind) || !SEVERITIES.contains(&severity) {
        return Err(GlError::invalid_enum("glDebugMessageInsert: type or severity"));
    }
    let text = text("glDebugMessageInsert", length, buf, MAX_MESSAGE_LENGTH)?;
    if kind == GL_DEBUG_TYPE_MARKER {
        ctx.pipe.marker(&text);
    }
    ctx.debug.deliver(Message { source, kind, id, severity, text });
    Ok(())
}

/// GL 4.6 core 20.6.
pub fn PushDebugGroup(
    ctx: &mut Context,
    source: GLenum,
    id: GLuint,
    length: GLsizei,
    message: ClientPtr<GLchar>,
) -> GlResult {
    insertable_source("glPushDebugGroup", source)?;
    let text = text("glPushDebugGroup", length, message, MAX_MESSAGE_LENGTH)?;
    let (kind, severity) = (GL_DEBUG_TYPE_PUSH_GROUP, GL_DEBUG_SEVERITY_NOTIFICATION);
    if !ctx.debug.push_group(Message { source, kind, id, severity, text: text.clone() }) {
        return Err(GlError::new(GL_STACK_OVERFLOW, "glPushDebugGroup: the stack is full"));
    }
    ctx.pipe.push_group(&text);
    Ok(())
}

/// GL 4.6 core 20.6.
pub fn PopDebugGroup(ctx: &mut Context) -> GlResult {
    if !ctx.debug.pop_group() {
        return Err(GlError::new(GL_STACK_UNDERFLOW, "glPopDebugGroup: no group was pushed"));
    }
    ctx.pipe.pop_group();
    Ok(())
}

/// GL 4.6 core 20.10. Fetches whole messages while they fit and removes them from the log.
pub fn GetDebugMessageLog(
    ctx: &mut Context,
    count: GLuint,
    buf_size: GLsizei,
    sources: ClientPtrMut<GLenum>,
    types: ClientPtrMut<GLenum>,
    ids: ClientPtrMut<GLuint>,
    severities: ClientPtrMut<GLenum>,
    lengths: ClientPtrMut<GLsizei>,
    message_log: ClientPtrMut<GLchar>,
) -> GlResult<GLuint> {
    if buf_size < 0 && !message_log.is_null() {
        return Err(GlError::invalid_value("glGetDebugMessageLog: bufSize is negative"));
    }
    let mut room = usize::try_from(buf_size).unwrap_or(0);
    let mut written = 0;
    let mut fetched = 0;
    while fetched < count {
        let Some(length) = ctx.debug.oldest().map(|m| m.text.len() + 1) else { break };
        if !message_log.is_null() {
            if length > room {
                break;
            }
            room -= length;
        }
        let Some(message) = ctx.debug.take_oldest() else { break };
        let index = fetched as usize;
        if !message_log.is_null() {
            message_log.byte_add(written).write(&message.text);
            message_log.write_at(written + message.text.len(), 0);
            written += length;
        }
        sources.write_at(index, message.source);
        types.write_at(index, message.kind);
        ids.write_at(index, message.id);
        severities.write_at(index, message.severity);
        lengths.write_at(index, length as GLsizei);
        fetched += 1;
    }
    Ok(fetched)
}

/// Finds the header of a labelled object.
fn with_header<R>(
    ctx: &Context,
    command: &str,
    identifier: GLenum,
    name: GLuint,
    work: impl FnOnce(&ObjectHeader) -> R,
) -> GlResult<R> {
    let share = &ctx.share;
    let found = match identifier {
        GL_BUFFER => share.buffer(name).map(|o| work(&o.header)),
        GL_TEXTURE => share.texture(name).map(|o| work(&o.header)),
        GL_SAMPLER => share.sampler(name).map(|o| work(&o.header)),
        GL_RENDERBUFFER => share.renderbuffer(name).map(|o| work(&o.header)),
        GL_SHADER => match share.programs.lock().get(name) {
            Some(ShaderOrProgram::Shader(o)) => Some(work(&o.header)),
            _ => None,
        },
        GL_PROGRAM => match share.programs.lock().get(name) {
            Some(ShaderOrProgram::Program(o)) => Some(work(&o.header)),
            _ => None,
        },
        GL_VERTEX_ARRAY => ctx.vertex_arrays.get(name).map(|o| work(&o.header)),
        GL_FRAMEBUFFER => ctx.framebuffers.get(name).map(|o| work(&o.header)),
        GL_QUERY => ctx.queries.get(name).map(|o| work(&o.header)),
        GL_TRANSFORM_FEEDBACK => ctx.transform_feedbacks.get(name).map(|o| work(&o.header)),
        GL_PROGRAM_PIPELINE => ctx.pipelines.get(name).map(|o| work(&o.header)),
        _ => return Err(GlError::invalid_enum(format!("{command}: identifier 0x{identifier:04X}"))),
    };
    found.ok_or_else(|| GlError::invalid_value(format!("{command}: {name} is not the name of such an object")))
}

fn label_bytes(command: &str, length: GLsizei, label: ClientPtr<GLchar>) -> GlResult<Option<Box<[u8]>>> {
    if label.is_null() {
        return Ok(None);
    }
    Ok(Some(text(command, length, label, MAX_LABEL_LENGTH)?.into_boxed_slice()))
}

/// Returns a label. GL 4.6 core 20.11: with a null `label`, `length` gets the whole length.
fn return_label(buf_size: GLsizei, length: ClientPtrMut<GLsizei>, label: ClientPtrMut<GLchar>, text: &[u8]) {
    if label.is_null() {
        length.write(&[text.len() as GLsizei]);
    } else {
        label.write_string(buf_size, length, text);
    }
}

/// GL 4.6 core 20.7.
pub fn ObjectLabel(
    ctx: &mut Context,
    identifier: GLenum,
    name: GLuint,
    length: GLsizei,
    label: ClientPtr<GLchar>,
) -> GlResult {
    let bytes = label_bytes("glObjectLabel", length, label)?;
    let shown = bytes.clone().unwrap_or_default();
    with_header(ctx, "glObjectLabel", identifier, name, |header| header.set_label(bytes))?;
    if let Some((kind, slot, generation)) = driver_object(ctx, identifier, name) {
        ctx.device.screen.set_label(kind, slot, generation, &shown);
    }
    Ok(())
}

/// The driver's object behind one with a label, as it is now: debuggers show its label.
fn driver_object(ctx: &Context, identifier: GLenum, name: GLuint) -> Option<(LabelKind, u32, u32)> {
    let of = |kind: LabelKind, slot: u32, generation: u32| (generation != 0).then_some((kind, slot, generation));
    match identifier {
        GL_BUFFER => {
            let id = ctx.share.buffer(name)?.id();
            of(LabelKind::BUFFER, id.slot(), id.generation())
        }
        GL_TEXTURE => {
            let texture = ctx.share.texture(name)?;
            let id = texture.state.lock().storage.as_ref()?.id;
            of(LabelKind::TEXTURE, id.slot(), id.generation())
        }
        GL_QUERY => {
            let id = ctx.queries.get(name)?.id;
            of(LabelKind::QUERY, id.slot(), id.generation())
        }
        GL_PROGRAM => {
            let program = ctx.share.program(name)?;
            let id = program.state.lock().executable.as_ref()?.shader;
            of(LabelKind::SHADER, id.slot(), id.generation())
        }
        _ => None,
    }
}

/// GL 4.6 core 20.11.
pub fn GetObjectLabel(
    ctx: &mut Context,
    identifier: GLenum,
    name: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    label: ClientPtrMut<GLchar>,
) -> GlResult {
    if buf_size < 0 {
        return Err(GlError::invalid_value("glGetObjectLabel: bufSize is negative"));
    }
    let text = with_header(ctx, "glGetObjectLabel", identifier, name, ObjectHeader::label)?;
    return_label(buf_size, length, label, &text);
    Ok(())
}

/// GL 4.6 core 20.7.
pub fn ObjectPtrLabel(ctx: &mut Context, ptr: ClientPtr<u8>, length: GLsizei, label: ClientPtr<GLchar>) -> GlResult {
    let bytes = label_bytes("glObjectPtrLabel", length, label)?;
    let sync = ctx.share.syncs.lock().get(&ptr.as_offset()).cloned();
    let sync = sync.ok_or_else(|| GlError::invalid_value("glObjectPtrLabel: ptr is not a sync object"))?;
    sync.header.set_label(bytes);
    Ok(())
}

/// GL 4.6 core 20.11.
pub fn GetObjectPtrLabel(
    ctx: &mut Context,
    ptr: ClientPtr<u8>,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    label: ClientPtrMut<GLchar>,
) -> GlResult {
    if buf_size < 0 {
        return Err(GlError::invalid_value("glGetObjectPtrLabel: bufSize is negative"));
    }
    let sync = ctx.share.syncs.lock().get(&ptr.as_offset()).cloned();
    let sync = sync.ok_or_else(|| GlError::invalid_value("glGetObjectPtrLabel: ptr is not a sync object"))?;
    return_label(buf_size, length, label, &sync.header.label());
    Ok(())
}

/// GL 4.6 core 20.10 and, in the compatibility profile, 22.4.
pub fn GetPointerv(ctx: &mut Context, pname: GLenum, params: ClientPtrMut<ClientPtrMut<u8>>) -> GlResult {
    let (callback, user) = ctx.debug.callback();
    let address = match pname {
        GL_DEBUG_CALLBACK_FUNCTION => callback.address(),
        GL_DEBUG_CALLBACK_USER_PARAM => user.as_offset(),
        _ => {
            let slot = super::client_arrays::pointer_slot(ctx, pname).filter(|_| ctx.is_compatibility());
            match slot {
                Some(slot) => ctx.vertex_array().bindings[slot].offset,
                None => return Err(GlError::invalid_enum(format!("glGetPointerv: pname 0x{pname:04X}"))),
            }
        }
    };
    params.write(&[ClientPtrMut::from_address(address)]);
    Ok(())
}
