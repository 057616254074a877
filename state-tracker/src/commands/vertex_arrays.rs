//! Vertex array objects and vertex attribute arrays (GL 4.6 core 10.3). Current values are in `vertex_attribs`.

use gallite_pipe::MAX_VERTEX_ATTRIBUTES;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::vertex_array::{Attribute, VertexArray, attribute_format, is_packed, type_size};
use crate::share::same_object;
use crate::state::vertex::CurrentValue;

pub fn GenVertexArrays(ctx: &mut Context, n: GLsizei, arrays: ClientPtrMut<GLuint>) -> GlResult {
    ctx.vertex_arrays.generate_into("glGenVertexArrays", n, arrays)
}

pub fn DeleteVertexArrays(ctx: &mut Context, n: GLsizei, arrays: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteVertexArrays", n)?;
    for name in arrays.read(count).iter() {
        ctx.vertex_arrays.remove(*name);
        if *name != 0 && *name == ctx.state.vertex.bound {
            set_bound(ctx, 0);
        }
    }
    Ok(())
}

pub fn IsVertexArray(ctx: &mut Context, name: GLuint) -> GLboolean {
    ctx.vertex_arrays.get(name).is_some().into()
}

fn set_bound(ctx: &mut Context, name: GLuint) {
    ctx.state.vertex.bound = name;
    ctx.dirty.insert(DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS | DirtySet::INDEX_BUFFER);
}

pub fn BindVertexArray(ctx: &mut Context, name: GLuint) -> GlResult {
    if name == ctx.state.vertex.bound {
        return Ok(());
    }
    if name != 0 && ctx.vertex_arrays.get(name).is_none() {
        // GL 4.6 core 10.3.1: the name must come from glGenVertexArrays.
        if !ctx.vertex_arrays.is_generated(name) {
            return Err(GlError::invalid_operation(format!(
                "glBindVertexArray: {name} was not made by glGenVertexArrays"
            )));
        }
        ctx.vertex_arrays.insert(name, Box::new(VertexArray::new(name)));
    }
    set_bound(ctx, name);
    Ok(())
}

pub(super) fn check_index(ctx: &Context, command: &'static str, index: GLuint) -> GlResult<usize> {
    if index >= ctx.limits.vertex_attribs as GLuint {
        return Err(GlError::invalid_value(format!("{command}: index is {index}")));
    }
    Ok(index as usize)
}

/// GL 4.6 core 10.3.1: the core profile has no vertex array of name 0.
pub(super) fn check_bound(ctx: &Context, command: &'static str) -> GlResult {
    if ctx.state.vertex.bound == 0 && ctx.is_core() {
        return Err(GlError::invalid_operation(format!("{command}: no vertex array is bound")));
    }
    Ok(())
}

/// The checks of types and sizes of GL 4.6 core 10.3.2.
pub(super) fn check_format(
    command: &'static str,
    size: GLint,
    kind: GLenum,
    normalized: bool,
    integer: bool,
) -> GlResult {
    let bgra = size == GL_BGRA as GLint;
    let allowed = match kind {
        GL_BYTE | GL_UNSIGNED_BYTE | GL_SHORT | GL_UNSIGNED_SHORT | GL_INT | GL_UNSIGNED_INT => true,
        _ => !integer && type_size(kind).is_some(),
    };
    if !allowed {
        return Err(GlError::invalid_enum(format!("{command}: type 0x{kind:04X}")));
    }
    if !(1..=4).contains(&size) && (!bgra || integer) {
        return Err(GlError::invalid_value(format!("{command}: size is {size}")));
    }
    let bgra_type =
        matches!(kind, GL_UNSIGNED_BYTE | GL_INT_2_10_10_10_REV | GL_UNSIGNED_INT_2_10_10_10_REV) && normalized;
    if bgra && !bgra_type {
        return Err(GlError::invalid_operation(format!("{command}: GL_BGRA with type 0x{kind:04X}")));
    }
    let packed_size = match kind {
        GL_UNSIGNED_INT_10F_11F_11F_REV => size == 3,
        _ if is_packed(kind) => size == 4 || bgra,
        _ => true,
    };
    if !packed_size {
        return Err(GlError::invalid_operation(format!("{command}: size {size} with a packed type")));
    }
    Ok(())
}

/// GL 4.6 core 10.3.2: glVertexAttribL* take doubles alone.
pub(super) fn check_long_format(command: &'static str, size: GLint, kind: GLenum) -> GlResult {
    if kind != GL_DOUBLE {
        return Err(GlError::invalid_enum(format!("{command}: type 0x{kind:04X}")));
    }
    if !(1..=4).contains(&size) {
        return Err(GlError::invalid_value(format!("{command}: size is {size}")));
    }
    Ok(())
}

/// Bytes of an element of checked size and type.
pub(super) fn element_size(size: GLint, kind: GLenum) -> u32 {
    let components = if size == GL_BGRA as GLint { 4 } else { size as u32 };
    type_size(kind).unwrap_or(4) * if is_packed(kind) { 1 } else { components }
}

/// A checked size and type of an array, and where it is.
pub(super) struct Pointer {
    pub size: GLint,
    pub kind: GLenum,
    pub normalized: bool,
    pub integer: bool,
    pub long: bool,
    pub stride: GLsizei,
    pub pointer: ClientPtr<u8>,
}

fn attrib_pointer(ctx: &mut Context, command: &'static str, index: GLuint, given: Pointer) -> GlResult {
    let index = check_index(ctx, command, index)?;
    if given.long {
        check_long_format(command, given.size, given.kind)?;
    } else {
        check_format(command, given.size, given.kind, given.normalized, given.integer)?;
    }
    check_bound(ctx, command)?;
    set_pointer(ctx, command, index, &given)
}

fn check_stride(ctx: &Context, command: &'static str, stride: GLsizei) -> GlResult {
    if stride < 0 || stride > ctx.limits.vertex_attrib_stride {
        return Err(GlError::invalid_value(format!("{command}: stride is {stride}")));
    }
    Ok(())
}

/// Checks where elements lie: the distance between them, and that there is a buffer where one is needed.
pub(super) fn check_place(ctx: &Context, command: &'static str, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    check_stride(ctx, command, stride)?;
    let has_buffer = ctx.state.buffers.array.is_some();
    // GL 4.6 core 10.3.2: client memory only with vertex array 0, which only the compatibility profile has.
    if !has_buffer && !pointer.is_null() && ctx.state.vertex.bound != 0 {
        return Err(GlError::invalid_operation(format!("{command}: no buffer is bound to GL_ARRAY_BUFFER")));
    }
    Ok(())
}

/// Points an array of the vertex array in use, generic or conventional, at the bound buffer or at client memory.
pub(super) fn set_pointer(ctx: &mut Context, command: &'static str, index: usize, given: &Pointer) -> GlResult {
    let Pointer { size, kind, normalized, integer, long, stride, pointer } = *given;
    check_place(ctx, command, stride, pointer)?;
    let element_size = element_size(size, kind);
    let Context { state, vertex_arrays, default_vertex_array, .. } = ctx;
    let array = match vertex_arrays.get_mut(state.vertex.bound) {
        Some(array) => &mut **array,
        None => default_vertex_array,
    };
    let buffer = &state.buffers.array;
    let old = array.attributes[index];
    let new = Attribute {
        size,
        kind,
        normalized,
        integer,
        long,
        format: attribute_format(size, kind, normalized, integer),
        element_size,
        relative_offset: 0,
        binding: index as u8,
        ..old
    };
    array.attributes[index] = new;
    let realigned = array.realigns(index, pointer.as_offset());
    let binding = &mut array.bindings[index];
    let effective = if stride == 0 { element_size } else { stride as u32 };
    let layout_changed = old != new || binding.stride != effective || realigned;
    binding.stride = effective;
    binding.given_stride = stride;
    binding.offset = pointer.as_offset();
    binding.pointer = if buffer.is_none() { pointer } else { ClientPtr::default() };
    let client = buffer.is_none() && !pointer.is_null();
    if !same_object(binding.buffer.as_ref(), buffer.as_ref()) {
        binding.buffer.clone_from(buffer);
    }
    let bit = 1 << index;
    let layout_changed = layout_changed || (array.client_bindings & bit != 0) != client;
    array.client_bindings = if client { array.client_bindings | bit } else { array.client_bindings & !bit };
    if layout_changed {
        array.derived = None;
    }
    ctx.dirty.insert(DirtySet::VERTEX_BUFFERS);
    if layout_changed {
        ctx.dirty.insert(DirtySet::VERTEX_ARRAY);
    }
    Ok(())
}

pub fn VertexAttribPointer(
    ctx: &mut Context,
    index: GLuint,
    size: GLint,
    kind: GLenum,
    normalized: GLboolean,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    let normalized = normalized != 0;
    attrib_pointer(
        ctx,
        "glVertexAttribPointer",
        index,
        Pointer { size, kind, normalized, integer: false, long: false, stride, pointer },
    )
}

pub fn VertexAttribIPointer(
    ctx: &mut Context,
    index: GLuint,
    size: GLint,
    kind: GLenum,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    let given = Pointer { size, kind, normalized: false, integer: true, long: false, stride, pointer };
    attrib_pointer(ctx, "glVertexAttribIPointer", index, given)
}

pub fn VertexAttribLPointer(
    ctx: &mut Context,
    index: GLuint,
    size: GLint,
    kind: GLenum,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    let given = Pointer { size, kind, normalized: false, integer: false, long: true, stride, pointer };
    attrib_pointer(ctx, "glVertexAttribLPointer", index, given)
}

fn set_enabled(ctx: &mut Context, command: &'static str, index: GLuint, enabled: bool) -> GlResult {
    let index = check_index(ctx, command, index)?;
    check_bound(ctx, command)?;
    set_array_enabled(ctx, index, enabled);
    Ok(())
}

/// Enables an array of the vertex array in use, generic or conventional.
pub(super) fn set_array_enabled(ctx: &mut Context, index: usize, enabled: bool) {
    let array = ctx.vertex_array_mut();
    if array.attributes[index].enabled != enabled {
        array.attributes[index].enabled = enabled;
        array.enabled ^= 1 << index;
        array.derived = None;
        ctx.dirty.insert(DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS);
    }
}

pub fn EnableVertexAttribArray(ctx: &mut Context, index: GLuint) -> GlResult {
    set_enabled(ctx, "glEnableVertexAttribArray", index, true)
}

pub fn DisableVertexAttribArray(ctx: &mut Context, index: GLuint) -> GlResult {
    set_enabled(ctx, "glDisableVertexAttribArray", index, false)
}

pub fn VertexAttribDivisor(ctx: &mut Context, index: GLuint, divisor: GLuint) -> GlResult {
    let index = check_index(ctx, "glVertexAttribDivisor", index)?;
    check_bound(ctx, "glVertexAttribDivisor")?;
    let array = ctx.vertex_array_mut();
    // GL 4.6 core 10.3.4: the attribute goes back to the binding of its own index.
    let changed = array.attributes[index].binding != index as u8 || array.bindings[index].divisor != divisor;
    array.attributes[index].binding = index as u8;
    array.bindings[index].divisor = divisor;
    if changed {
        array.derived = None;
        ctx.dirty.insert(DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS);
    }
    Ok(())
}

/// A queryable property of an attribute other than its current value.
pub(super) fn property(ctx: &Context, command: &'static str, index: usize, pname: GLenum) -> GlResult<i64> {
    let array = ctx.vertex_array();
    let attribute = &array.attributes[index];
    let binding = &array.bindings[usize::from(attribute.binding)];
    Ok(match pname {
        GL_VERTEX_ATTRIB_ARRAY_ENABLED => attribute.enabled.into(),
        GL_VERTEX_ATTRIB_ARRAY_SIZE => attribute.size.into(),
        GL_VERTEX_ATTRIB_ARRAY_STRIDE => binding.given_stride.into(),
        GL_VERTEX_ATTRIB_ARRAY_TYPE => attribute.kind.into(),
        GL_VERTEX_ATTRIB_ARRAY_NORMALIZED => attribute.normalized.into(),
        GL_VERTEX_ATTRIB_ARRAY_INTEGER => attribute.integer.into(),
        GL_VERTEX_ATTRIB_ARRAY_LONG => attribute.long.into(),
        GL_VERTEX_ATTRIB_ARRAY_DIVISOR => binding.divisor.into(),
        GL_VERTEX_ATTRIB_BINDING => attribute.binding.into(),
        GL_VERTEX_ATTRIB_RELATIVE_OFFSET => attribute.relative_offset.into(),
        GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING => binding.buffer.as_ref().map_or(0, |b| b.header.name).into(),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    })
}

macro_rules! get_vertex_attrib {
    ($($name:ident: $ty:ty, $convert:expr;)+) => {
        $(pub fn $name(ctx: &mut Context, index: GLuint, pname: GLenum, params: ClientPtrMut<$ty>) -> GlResult {
            let command = concat!("gl", stringify!($name));
            let index = check_index(ctx, command, index)?;
            if pname == GL_CURRENT_VERTEX_ATTRIB {
                let value = ctx.state.vertex.current[index];
                let convert: fn(&CurrentValue) -> [$ty; 4] = $convert;
                params.write(&convert(&value));
                return Ok(());
            }
            params.write(&[property(ctx, command, index, pname)? as $ty]);
            Ok(())
        })+
    };
}

// gl-commands: GetVertexAttribfv GetVertexAttribdv GetVertexAttribiv GetVertexAttribIiv GetVertexAttribIuiv
// gl-commands: GetVertexAttribLdv
get_vertex_attrib! {
    GetVertexAttribfv: GLfloat, |value| value.numbers().map(|v| v as f32);
    GetVertexAttribdv: GLdouble, CurrentValue::numbers;
    GetVertexAttribLdv: GLdouble, CurrentValue::numbers;
    GetVertexAttribiv: GLint, |value| value.numbers().map(|v| v.round() as i32);
    GetVertexAttribIiv: GLint, |value| value.bits.map(|bits| bits as i32);
    GetVertexAttribIuiv: GLuint, |value| value.bits;
}

pub fn GetVertexAttribPointerv(
    ctx: &mut Context,
    index: GLuint,
    pname: GLenum,
    pointer: ClientPtrMut<ClientPtrMut<u8>>,
) -> GlResult {
    let index = check_index(ctx, "glGetVertexAttribPointerv", index)?;
    if pname != GL_VERTEX_ATTRIB_ARRAY_POINTER {
        return Err(GlError::invalid_enum(format!("glGetVertexAttribPointerv: pname 0x{pname:04X}")));
    }
    pointer.write(&[ClientPtrMut::from_address(ctx.vertex_array().bindings[index].offset)]);
    Ok(())
}

const _: () = assert!(MAX_VERTEX_ATTRIBUTES <= 32, "enabled attributes are bits of a u32");
