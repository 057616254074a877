//! Formats of vertex attributes apart from the buffers behind them (GL 4.6 core 10.3.2 to 10.3.4).

use std::sync::Arc;

use crate::client_memory::ClientPtr;
use crate::commands::buffers::for_binding;
use crate::commands::vertex_arrays::{check_bound, check_format, check_index, check_long_format, element_size};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::buffer::Buffer;
use crate::objects::vertex_array::{Attribute, VertexArray, attribute_format};

/// What the program says of an element in memory.
pub(super) struct ElementFormat {
    pub size: GLint,
    pub kind: GLenum,
    pub normalized: bool,
    pub integer: bool,
    pub long: bool,
    pub relative_offset: GLuint,
}

impl ElementFormat {
    /// Integers that stay integers.
    pub const fn integers(size: GLint, kind: GLenum, relative_offset: GLuint) -> Self {
        Self { size, kind, normalized: false, integer: true, long: false, relative_offset }
    }

    /// Doubles that stay doubles.
    pub const fn doubles(size: GLint, kind: GLenum, relative_offset: GLuint) -> Self {
        Self { size, kind, normalized: false, integer: false, long: true, relative_offset }
    }
}

/// A binding index below the limit.
pub(super) fn check_binding(ctx: &Context, command: &'static str, index: GLuint) -> GlResult<usize> {
    if index >= ctx.limits.vertex_attrib_bindings as GLuint {
        return Err(GlError::invalid_value(format!("{command}: binding {index}")));
    }
    Ok(index as usize)
}

/// Notes that the layout of the bound array changed.
fn layout_changed(ctx: &mut Context) {
    ctx.vertex_array_mut().derived = None;
    ctx.dirty.insert(DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS);
}

/// Sets the format of an attribute of the bound array.
pub(super) fn set_format(ctx: &mut Context, command: &'static str, index: GLuint, given: &ElementFormat) -> GlResult {
    let index = check_index(ctx, command, index)?;
    let &ElementFormat { size, kind, normalized, integer, long, relative_offset } = given;
    if long {
        check_long_format(command, size, kind)?;
    } else {
        check_format(command, size, kind, normalized, integer)?;
    }
    if relative_offset > ctx.limits.vertex_attrib_relative_offset as GLuint {
        return Err(GlError::invalid_value(format!("{command}: relative offset {relative_offset}")));
    }
    check_bound(ctx, command)?;
    let attribute = &mut ctx.vertex_array_mut().attributes[index];
    let new = Attribute {
        size,
        kind,
        normalized,
        integer,
        long,
        format: attribute_format(size, kind, normalized, integer),
        element_size: element_size(size, kind),
        relative_offset,
        ..*attribute
    };
    if *attribute != new {
        *attribute = new;
        layout_changed(ctx);
    }
    Ok(())
}

pub fn VertexAttribFormat(
    ctx: &mut Context,
    attribindex: GLuint,
    size: GLint,
    r#type: GLenum,
    normalized: GLboolean,
    relativeoffset: GLuint,
) -> GlResult {
    let normalized = normalized != 0;
    let given =
        ElementFormat { size, kind: r#type, normalized, integer: false, long: false, relative_offset: relativeoffset };
    set_format(ctx, "glVertexAttribFormat", attribindex, &given)
}

pub fn VertexAttribIFormat(
    ctx: &mut Context,
    attribindex: GLuint,
    size: GLint,
    r#type: GLenum,
    relativeoffset: GLuint,
) -> GlResult {
    let given = ElementFormat::integers(size, r#type, relativeoffset);
    set_format(ctx, "glVertexAttribIFormat", attribindex, &given)
}

pub fn VertexAttribLFormat(
    ctx: &mut Context,
    attribindex: GLuint,
    size: GLint,
    r#type: GLenum,
    relativeoffset: GLuint,
) -> GlResult {
    let given = ElementFormat::doubles(size, r#type, relativeoffset);
    set_format(ctx, "glVertexAttribLFormat", attribindex, &given)
}

/// Points an attribute of the bound array at a binding.
pub(super) fn set_binding(ctx: &mut Context, command: &'static str, index: GLuint, binding: GLuint) -> GlResult {
    let index = check_index(ctx, command, index)?;
    let binding = check_binding(ctx, command, binding)?;
    check_bound(ctx, command)?;
    let attribute = &mut ctx.vertex_array_mut().attributes[index];
    if usize::from(attribute.binding) != binding {
        attribute.binding = binding as u8;
        layout_changed(ctx);
    }
    Ok(())
}

pub fn VertexAttribBinding(ctx: &mut Context, attribindex: GLuint, bindingindex: GLuint) -> GlResult {
    set_binding(ctx, "glVertexAttribBinding", attribindex, bindingindex)
}

/// Sets how often a binding of the bound array steps.
pub(super) fn set_divisor(ctx: &mut Context, command: &'static str, binding: GLuint, divisor: GLuint) -> GlResult {
    let binding = check_binding(ctx, command, binding)?;
    check_bound(ctx, command)?;
    let slot = &mut ctx.vertex_array_mut().bindings[binding].divisor;
    if *slot != divisor {
        *slot = divisor;
        layout_changed(ctx);
    }
    Ok(())
}

pub fn VertexBindingDivisor(ctx: &mut Context, bindingindex: GLuint, divisor: GLuint) -> GlResult {
    set_divisor(ctx, "glVertexBindingDivisor", bindingindex, divisor)
}

/// Checks offset and stride of a buffer for a binding.
// GL 4.6 core 10.3.2: INVALID_VALUE when negative or beyond MAX_VERTEX_ATTRIB_STRIDE.
fn check_place(ctx: &Context, command: &'static str, offset: GLintptr, stride: GLsizei) -> GlResult {
    if offset < 0 || stride < 0 || stride > ctx.limits.vertex_attrib_stride {
        return Err(GlError::invalid_value(format!("{command}: offset {offset}, stride {stride}")));
    }
    Ok(())
}

/// Puts a buffer behind a binding; true when the layout depends on what changed.
fn place(array: &mut VertexArray, binding: usize, buffer: Option<Arc<Buffer>>, offset: usize, stride: u32) -> bool {
    let realigned = array.realigns(binding, offset);
    let slot = &mut array.bindings[binding];
    let changed = slot.stride != stride || realigned;
    (slot.buffer, slot.offset, slot.stride) = (buffer, offset, stride);
    slot.pointer = ClientPtr::default();
    slot.given_stride = stride as GLsizei;
    array.client_bindings &= !(1 << binding);
    changed
}

/// Binds a buffer by name to a binding of the bound array.
pub(super) fn bind_buffer(
    ctx: &mut Context,
    command: &'static str,
    binding: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    stride: GLsizei,
) -> GlResult {
    let binding = check_binding(ctx, command, binding)?;
    check_place(ctx, command, offset, stride)?;
    check_bound(ctx, command)?;
    let buffer = for_binding(ctx, command, buffer)?;
    let changed = place(ctx.vertex_array_mut(), binding, buffer, offset as usize, stride as u32);
    ctx.dirty.insert(DirtySet::VERTEX_BUFFERS);
    if changed {
        layout_changed(ctx);
    }
    Ok(())
}

pub fn BindVertexBuffer(
    ctx: &mut Context,
    bindingindex: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    stride: GLsizei,
) -> GlResult {
    bind_buffer(ctx, "glBindVertexBuffer", bindingindex, buffer, offset, stride)
}

/// Binds a run of buffers (GL 4.6 core 10.3.2): each that is wrong is left out and reported, the others are bound.
pub(super) fn bind_buffers(
    ctx: &mut Context,
    command: &'static str,
    first: GLuint,
    count: GLsizei,
    buffers: ClientPtr<GLuint>,
    offsets: ClientPtr<GLintptr>,
    strides: ClientPtr<GLsizei>,
) -> GlResult {
    let count = checked_count(command, count)?;
    if u64::from(first) + count as u64 > ctx.limits.vertex_attrib_bindings as u64 {
        return Err(GlError::invalid_operation(format!("{command}: bindings beyond the last")));
    }
    check_bound(ctx, command)?;
    let mut result = Ok(());
    for index in 0..count {
        let binding = first + index as GLuint;
        if buffers.is_null() {
            // GL 4.6 core 10.3.2: without names all are emptied, with offset 0 and stride 16.
            result = result.and(bind_buffer(ctx, command, binding, 0, 0, 16));
            continue;
        }
        let name = buffers.read_at(index);
        // Names must be those of buffers; nothing is made here.
        let known = name == 0 || ctx.share.buffer(name).is_some();
        result = result.and(if known {
            bind_buffer(ctx, command, binding, name, offsets.read_at(index), strides.read_at(index))
        } else {
            Err(GlError::invalid_operation(format!("{command}: no buffer {name}")))
        });
    }
    result
}

pub fn BindVertexBuffers(
    ctx: &mut Context,
    first: GLuint,
    count: GLsizei,
    buffers: ClientPtr<GLuint>,
    offsets: ClientPtr<GLintptr>,
    strides: ClientPtr<GLsizei>,
) -> GlResult {
    bind_buffers(ctx, "glBindVertexBuffers", first, count, buffers, offsets, strides)
}
