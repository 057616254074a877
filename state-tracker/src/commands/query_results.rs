//! Results of queries, to the program's memory or to a buffer (GL 4.6 core 4.2.3).

use gallite_pipe::{MapFlags, Outcome, QueryToBuffer};

use super::buffers::refuse_mapped;
use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::buffer::Buffer;
use crate::objects::query::Query;

/// A query that has ended. GL 4.6 core 4.2.3: INVALID_OPERATION for what is no query, or is active.
fn ended<'a>(ctx: &'a mut Context, command: &'static str, name: GLuint) -> GlResult<&'a mut Query> {
    let query = ctx.queries.get_mut(name).filter(|query| !query.active);
    let bad = || GlError::invalid_operation(format!("{command}: {name} is not a query, or it is active"));
    query.map(Box::as_mut).ok_or_else(bad)
}

/// Checks the name of a property.
fn check_property(ctx: &Context, command: &'static str, pname: GLenum) -> GlResult {
    let known = match pname {
        GL_QUERY_RESULT | GL_QUERY_RESULT_AVAILABLE => true,
        GL_QUERY_RESULT_NO_WAIT => ctx.extensions.has("GL_ARB_query_buffer_object"),
        GL_QUERY_TARGET => ctx.extensions.has("GL_ARB_direct_state_access"),
        _ => false,
    };
    if known { Ok(()) } else { Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))) }
}

/// The value of a property; `None` when a result without waiting isn't there yet.
fn value(ctx: &mut Context, command: &'static str, name: GLuint, pname: GLenum) -> GlResult<Option<u64>> {
    if ctx.is_lost() {
        // GL 4.6 core 2.3.2: an error like that of any command, yet what a program waits for by asking again and again has
        // come.
        ctx.error(GlError::context_lost(command));
        return Ok((pname == GL_QUERY_RESULT_AVAILABLE).then_some(1));
    }
    ended(ctx, command, name)?;
    check_property(ctx, command, pname)?;
    let Context { queries, pipe, .. } = ctx;
    let Some(query) = queries.get_mut(name) else { return Ok(None) };
    if pname == GL_QUERY_TARGET {
        return Ok(Some(query.target.into()));
    }
    if query.result.is_none() {
        let wait = u32::from(pname == GL_QUERY_RESULT);
        let answer = pipe.query_result(query.id, wait);
        if answer.ready != 0 || wait == 1 {
            query.result = Some(answer.value);
        }
    }
    Ok(match pname {
        GL_QUERY_RESULT_AVAILABLE => Some(query.result.is_some().into()),
        _ => query.result,
    })
}

/// Writes the value of a property to a buffer, in stream order.
// GL 4.6 core 4.2.3: INVALID_VALUE for a negative offset, INVALID_OPERATION beyond the buffer's end.
fn write(
    ctx: &mut Context,
    command: &'static str,
    (name, pname): (GLuint, GLenum),
    (buffer, offset): (&Buffer, GLintptr),
    bytes_of: fn(u64) -> ([u8; 8], u32),
) -> GlResult {
    let known = ended(ctx, command, name)?;
    let (id, known) = (known.id, known.result);
    check_property(ctx, command, pname)?;
    let offset =
        u64::try_from(offset).map_err(|_| GlError::invalid_value(format!("{command}: offset {offset} is negative")))?;
    let size = bytes_of(0).1;
    if offset.saturating_add(size.into()) > buffer.size() {
        return Err(GlError::invalid_operation(format!("{command}: {offset} is too near the buffer's end")));
    }
    refuse_mapped(command, buffer)?;
    buffer.note_writes_aside();
    if pname != GL_QUERY_TARGET && known.is_none() {
        let mode = match pname {
            GL_QUERY_RESULT_NO_WAIT => 0,
            GL_QUERY_RESULT => 1,
            _ => 2,
        };
        let info = QueryToBuffer { query: id, buffer: buffer.id(), offset, size, mode };
        if ctx.pipe.query_result_to_buffer(&info) != Outcome::DECLINED {
            return Ok(());
        }
    }
    if let Some(value) = value(ctx, command, name, pname)? {
        let (bytes, size) = bytes_of(value);
        ctx.pipe.buffer_write(buffer.id(), offset, MapFlags::WRITE, &bytes[..size as usize]);
    }
    Ok(())
}

/// A value as the bytes of a type. GL 4.6 core 4.2.3: one that doesn't fit is clamped.
macro_rules! bytes_of {
    ($ty:ty) => {
        |value: u64| {
            let value = <$ty>::try_from(value).unwrap_or(<$ty>::MAX);
            let mut bytes = [0; 8];
            bytes[..size_of::<$ty>()].copy_from_slice(&value.to_ne_bytes());
            (bytes, size_of::<$ty>() as u32)
        }
    };
}

macro_rules! get_query_object {
    ($($name:ident, $to_buffer:ident: $ty:ty;)+) => {
        $(
            pub fn $name(ctx: &mut Context, id: GLuint, pname: GLenum, params: ClientPtrMut<$ty>) -> GlResult {
                let command = concat!("gl", stringify!($name));
                if let Some(buffer) = ctx.state.buffers.query.clone() {
                    // GL 4.6 core 4.2.3: with a buffer at GL_QUERY_BUFFER the pointer is an offset into it.
                    let offset = params.as_offset() as GLintptr;
                    return write(ctx, command, (id, pname), (&buffer, offset), bytes_of!($ty));
                }
                if let Some(value) = value(ctx, command, id, pname)? {
                    // GL 4.6 core 4.2.3: a value that doesn't fit is clamped.
                    params.write(&[<$ty>::try_from(value).unwrap_or(<$ty>::MAX)]);
                }
                Ok(())
            }

            pub fn $to_buffer(
                ctx: &mut Context,
                id: GLuint,
                buffer: GLuint,
                pname: GLenum,
                offset: GLintptr,
            ) -> GlResult {
                let command = concat!("gl", stringify!($to_buffer));
                let found = ctx.share.buffer(buffer).filter(|_| buffer != 0);
                let found = found.ok_or_else(|| GlError::invalid_operation(format!("{command}: no buffer {buffer}")))?;
                write(ctx, command, (id, pname), (&found, offset), bytes_of!($ty))
            }
        )+
    };
}

// gl-commands: GetQueryObjectiv GetQueryObjectuiv GetQueryObjecti64v GetQueryObjectui64v GetQueryBufferObjectiv
// gl-commands: GetQueryBufferObjectuiv GetQueryBufferObjecti64v GetQueryBufferObjectui64v
get_query_object! {
    GetQueryObjectiv, GetQueryBufferObjectiv: GLint;
    GetQueryObjectuiv, GetQueryBufferObjectuiv: GLuint;
    GetQueryObjecti64v, GetQueryBufferObjecti64v: GLint64;
    GetQueryObjectui64v, GetQueryBufferObjectui64v: GLuint64;
}
