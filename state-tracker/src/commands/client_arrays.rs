//! Conventional vertex arrays (GL 4.6 compatibility 10.3.1).

use super::vertex_arrays::{Pointer, check_place, set_array_enabled, set_pointer};
use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::vertex_array::is_packed;
use crate::state::fixed::UNITS;
use crate::state::vertex::CONVENTIONAL;

/// What one of the arrays may hold.
struct Rules {
    command: &'static str,
    slot: usize,
    sizes: std::ops::RangeInclusive<GLint>,
    bgra: bool,
    types: &'static [GLenum],
    normalized: bool,
}

const PACKED: [GLenum; 2] = [GL_INT_2_10_10_10_REV, GL_UNSIGNED_INT_2_10_10_10_REV];
const POSITIONS: &[GLenum] = &[GL_SHORT, GL_INT, GL_FLOAT, GL_DOUBLE, GL_HALF_FLOAT, PACKED[0], PACKED[1]];
const NORMALS: &[GLenum] = &[GL_BYTE, GL_SHORT, GL_INT, GL_FLOAT, GL_DOUBLE, GL_HALF_FLOAT, PACKED[0], PACKED[1]];
const COLORS: &[GLenum] = &[
    GL_BYTE,
    GL_UNSIGNED_BYTE,
    GL_SHORT,
    GL_UNSIGNED_SHORT,
    GL_INT,
    GL_UNSIGNED_INT,
    GL_FLOAT,
    GL_DOUBLE,
    GL_HALF_FLOAT,
    PACKED[0],
    PACKED[1],
];

/// The checks of GL 4.6 compatibility 10.3.1 and the new pointer.
fn set(
    ctx: &mut Context,
    rules: &Rules,
    size: GLint,
    kind: GLenum,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    let command = rules.command;
    let bgra = rules.bgra && size == GL_BGRA as GLint;
    if !rules.sizes.contains(&size) && !bgra {
        return Err(GlError::invalid_value(format!("{command}: size is {size}")));
    }
    if !rules.types.contains(&kind) {
        return Err(GlError::invalid_enum(format!("{command}: type 0x{kind:04X}")));
    }
    // Packed normals and secondary colours have three of the four components.
    let three = *rules.sizes.end() == 3 && size == 3;
    if is_packed(kind) && !bgra && size != 4 && !three || bgra && kind != GL_UNSIGNED_BYTE && !is_packed(kind) {
        return Err(GlError::invalid_operation(format!("{command}: size {size} with type 0x{kind:04X}")));
    }
    let size = if is_packed(kind) && three { 4 } else { size };
    let given = Pointer { size, kind, normalized: rules.normalized, integer: false, long: false, stride, pointer };
    set_pointer(ctx, command, rules.slot, &given)
}

fn rules(
    command: &'static str,
    slot: usize,
    sizes: std::ops::RangeInclusive<GLint>,
    types: &'static [GLenum],
) -> Rules {
    Rules { command, slot: CONVENTIONAL + slot, sizes, bgra: false, types, normalized: false }
}

pub fn VertexPointer(
    ctx: &mut Context,
    size: GLint,
    kind: GLenum,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    set(ctx, &rules("glVertexPointer", 0, 2..=4, POSITIONS), size, kind, stride, pointer)
}

pub fn NormalPointer(ctx: &mut Context, kind: GLenum, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    let rules = Rules { normalized: true, ..rules("glNormalPointer", 1, 3..=3, NORMALS) };
    set(ctx, &rules, 3, kind, stride, pointer)
}

pub fn ColorPointer(ctx: &mut Context, size: GLint, kind: GLenum, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    let rules = Rules { normalized: true, bgra: true, ..rules("glColorPointer", 2, 3..=4, COLORS) };
    set(ctx, &rules, size, kind, stride, pointer)
}

pub fn SecondaryColorPointer(
    ctx: &mut Context,
    size: GLint,
    kind: GLenum,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    let rules = Rules { normalized: true, bgra: true, ..rules("glSecondaryColorPointer", 3, 3..=3, COLORS) };
    set(ctx, &rules, size, kind, stride, pointer)
}

pub fn FogCoordPointer(ctx: &mut Context, kind: GLenum, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    let rules = rules("glFogCoordPointer", 4, 1..=1, &[GL_FLOAT, GL_DOUBLE, GL_HALF_FLOAT]);
    set(ctx, &rules, 1, kind, stride, pointer)
}

pub fn IndexPointer(ctx: &mut Context, kind: GLenum, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    let rules = rules("glIndexPointer", 5, 1..=1, &[GL_UNSIGNED_BYTE, GL_SHORT, GL_INT, GL_FLOAT, GL_DOUBLE]);
    set(ctx, &rules, 1, kind, stride, pointer)
}

pub fn EdgeFlagPointer(ctx: &mut Context, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    let rules = rules("glEdgeFlagPointer", 6, 1..=1, &[GL_UNSIGNED_BYTE]);
    set(ctx, &rules, 1, GL_UNSIGNED_BYTE, stride, pointer)
}

pub fn TexCoordPointer(
    ctx: &mut Context,
    size: GLint,
    kind: GLenum,
    stride: GLsizei,
    pointer: ClientPtr<u8>,
) -> GlResult {
    let slot = 8 + ctx.state.fixed.client_unit;
    set(ctx, &rules("glTexCoordPointer", slot, 1..=4, POSITIONS), size, kind, stride, pointer)
}

pub fn ClientActiveTexture(ctx: &mut Context, texture: GLenum) -> GlResult {
    let unit = texture.wrapping_sub(GL_TEXTURE0) as usize;
    if unit >= UNITS {
        return Err(GlError::invalid_enum(format!("glClientActiveTexture: 0x{texture:04X}")));
    }
    ctx.state.fixed.client_unit = unit;
    Ok(())
}

/// The slot of an array by the name that enables it.
pub(crate) fn slot_of(ctx: &Context, array: GLenum) -> Option<usize> {
    Some(
        CONVENTIONAL
            + match array {
                GL_VERTEX_ARRAY => 0,
                GL_NORMAL_ARRAY => 1,
                GL_COLOR_ARRAY => 2,
                GL_SECONDARY_COLOR_ARRAY => 3,
                GL_FOG_COORD_ARRAY => 4,
                GL_INDEX_ARRAY => 5,
                GL_EDGE_FLAG_ARRAY => 6,
                GL_TEXTURE_COORD_ARRAY => 8 + ctx.state.fixed.client_unit,
                _ => return None,
            },
    )
}

/// The slot of an array by the name of its pointer.
pub(super) fn pointer_slot(ctx: &Context, pname: GLenum) -> Option<usize> {
    slot_of(
        ctx,
        match pname {
            GL_VERTEX_ARRAY_POINTER => GL_VERTEX_ARRAY,
            GL_NORMAL_ARRAY_POINTER => GL_NORMAL_ARRAY,
            GL_COLOR_ARRAY_POINTER => GL_COLOR_ARRAY,
            GL_SECONDARY_COLOR_ARRAY_POINTER => GL_SECONDARY_COLOR_ARRAY,
            GL_FOG_COORD_ARRAY_POINTER => GL_FOG_COORD_ARRAY,
            GL_INDEX_ARRAY_POINTER => GL_INDEX_ARRAY,
            GL_EDGE_FLAG_ARRAY_POINTER => GL_EDGE_FLAG_ARRAY,
            GL_TEXTURE_COORD_ARRAY_POINTER => GL_TEXTURE_COORD_ARRAY,
            _ => return None,
        },
    )
}

fn set_client_state(ctx: &mut Context, command: &'static str, array: GLenum, on: bool) -> GlResult {
    let slot = slot_of(ctx, array);
    let slot = slot.ok_or_else(|| GlError::invalid_enum(format!("{command}: array 0x{array:04X}")))?;
    set_array_enabled(ctx, slot, on);
    Ok(())
}

pub fn EnableClientState(ctx: &mut Context, array: GLenum) -> GlResult {
    set_client_state(ctx, "glEnableClientState", array, true)
}

pub fn DisableClientState(ctx: &mut Context, array: GLenum) -> GlResult {
    set_client_state(ctx, "glDisableClientState", array, false)
}

/// GL 4.6 compatibility table 10.4: coordinate, colour and vertex sizes, colour type, normals; offsets in floats, with
/// the four bytes of a colour as one.
fn interleaved(format: GLenum) -> Option<[GLint; 4]> {
    // texture coordinates, colour components (-4 for four bytes), normal, vertex
    Some(match format {
        GL_V2F => [0, 0, 0, 2],
        GL_V3F => [0, 0, 0, 3],
        GL_C4UB_V2F => [0, -4, 0, 2],
        GL_C4UB_V3F => [0, -4, 0, 3],
        GL_C3F_V3F => [0, 3, 0, 3],
        GL_N3F_V3F => [0, 0, 3, 3],
        GL_C4F_N3F_V3F => [0, 4, 3, 3],
        GL_T2F_V3F => [2, 0, 0, 3],
        GL_T4F_V4F => [4, 0, 0, 4],
        GL_T2F_C4UB_V3F => [2, -4, 0, 3],
        GL_T2F_C3F_V3F => [2, 3, 0, 3],
        GL_T2F_N3F_V3F => [2, 0, 3, 3],
        GL_T2F_C4F_N3F_V3F => [2, 4, 3, 3],
        GL_T4F_C4F_N3F_V4F => [4, 4, 3, 4],
        _ => return None,
    })
}

pub fn InterleavedArrays(ctx: &mut Context, format: GLenum, stride: GLsizei, pointer: ClientPtr<u8>) -> GlResult {
    let parts = interleaved(format);
    let [coord, color, normal, vertex] =
        parts.ok_or_else(|| GlError::invalid_enum(format!("glInterleavedArrays: format 0x{format:04X}")))?;
    if stride < 0 {
        return Err(GlError::invalid_value(format!("glInterleavedArrays: stride is {stride}")));
    }
    let color_words = if color < 0 { 1 } else { color };
    let whole = 4 * (coord + color_words + normal + vertex);
    let stride = if stride == 0 { whole } else { stride };
    let at = |words: GLint| pointer.byte_add(4 * words as usize);
    // The last of the arrays has no buffer, or too wide a stride, where any has: nothing is changed then.
    check_place(ctx, "glInterleavedArrays", stride, at(coord + color_words + normal))?;
    for array in [GL_EDGE_FLAG_ARRAY, GL_INDEX_ARRAY, GL_SECONDARY_COLOR_ARRAY, GL_FOG_COORD_ARRAY] {
        DisableClientState(ctx, array)?;
    }
    set_client_state(ctx, "glInterleavedArrays", GL_TEXTURE_COORD_ARRAY, coord != 0)?;
    if coord != 0 {
        TexCoordPointer(ctx, coord, GL_FLOAT, stride, pointer)?;
    }
    set_client_state(ctx, "glInterleavedArrays", GL_COLOR_ARRAY, color != 0)?;
    if color != 0 {
        let kind = if color < 0 { GL_UNSIGNED_BYTE } else { GL_FLOAT };
        ColorPointer(ctx, color.abs(), kind, stride, at(coord))?;
    }
    set_client_state(ctx, "glInterleavedArrays", GL_NORMAL_ARRAY, normal != 0)?;
    if normal != 0 {
        NormalPointer(ctx, GL_FLOAT, stride, at(coord + color_words))?;
    }
    EnableClientState(ctx, GL_VERTEX_ARRAY)?;
    VertexPointer(ctx, vertex, GL_FLOAT, stride, at(coord + color_words + normal))
}
