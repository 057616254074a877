//! Filling buffers with a value (GL 4.6 core 6.2.1).

use gallite_pipe::ClearBuffer;

use super::buffers::{bound, checked_range, refuse_mapped};
use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::buffer::Buffer;
use crate::pixels::client::{ClientKind, client_format};
use crate::pixels::internal::{Traits, buffer_format, internal_format_for};
use crate::pixels::transfer::upload;

/// The value and how it is given.
struct Value {
    internal: GLenum,
    format: GLenum,
    kind: GLenum,
    data: ClientPtr<u8>,
}

fn clear(ctx: &mut Context, command: &'static str, buffer: &Buffer, offset: u64, size: u64, value: &Value) -> GlResult {
    let bad = |error: fn(String) -> GlError| error(format!("{command}: internal format 0x{:04X}", value.internal));
    let internal = internal_format_for(value.internal, ctx.is_compatibility())
        .filter(|internal| internal.traits.contains(Traits::BUFFER))
        .ok_or_else(|| bad(GlError::invalid_enum))?;
    let format = buffer_format(internal).ok_or_else(|| bad(GlError::invalid_enum))?;
    let client = client_format(command, value.format, value.kind, ctx.is_compatibility())?;
    // GL 4.6 core 8.4.4: integers go with integers, and only colours with colours.
    let wanted = if internal.is_integer() { ClientKind::Integer } else { ClientKind::Color };
    if client.kind != wanted {
        return Err(GlError::invalid_operation(format!(
            "{command}: format 0x{:04X} for internal format 0x{:04X}",
            value.format, value.internal
        )));
    }
    let texel = u64::from(format.block_bytes());
    if !offset.is_multiple_of(texel) || !size.is_multiple_of(texel) {
        return Err(GlError::invalid_value(format!("{command}: {offset}+{size} are no multiples of {texel}")));
    }
    refuse_mapped(command, buffer)?;
    if size == 0 {
        return Ok(());
    }
    let mut filled = [0u32; 4];
    if !value.data.is_null() {
        let source = value.data.read(client.texel_bytes() as usize);
        let bytes = &mut bytemuck::cast_slice_mut(&mut filled)[..texel as usize];
        upload(&client, internal.base, format).row(&source, bytes);
    }
    ctx.pipe.clear_buffer(&ClearBuffer {
        buffer: buffer.id(),
        offset,
        size,
        value: filled,
        value_size: texel as u32,
        reserved: 0,
    });
    Ok(())
}

pub fn ClearBufferData(
    ctx: &mut Context,
    target: GLenum,
    internal: GLenum,
    format: GLenum,
    kind: GLenum,
    data: ClientPtr<u8>,
) -> GlResult {
    let command = "glClearBufferData";
    let buffer = bound(ctx, command, target)?;
    clear(ctx, command, &buffer, 0, buffer.size(), &Value { internal, format, kind, data })
}

pub fn ClearBufferSubData(
    ctx: &mut Context,
    target: GLenum,
    internal: GLenum,
    offset: GLintptr,
    size: GLsizeiptr,
    format: GLenum,
    kind: GLenum,
    data: ClientPtr<u8>,
) -> GlResult {
    let command = "glClearBufferSubData";
    let buffer = bound(ctx, command, target)?;
    let (offset, size) = checked_range(command, &buffer, offset, size)?;
    clear(ctx, command, &buffer, offset, size, &Value { internal, format, kind, data })
}
