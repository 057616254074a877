//! Current values of vertex attributes (GL 4.6 core 10.2.1): glVertexAttrib*.

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::state::vertex::{CurrentKind, CurrentValue};

fn set(ctx: &mut Context, command: &'static str, index: GLuint, kind: CurrentKind, bits: [u32; 4]) -> GlResult {
    set_value(ctx, command, index, CurrentValue::new(kind, bits))
}

fn set_value(ctx: &mut Context, command: &'static str, index: GLuint, value: CurrentValue) -> GlResult {
    if index >= ctx.limits.vertex_attribs as GLuint {
        return Err(GlError::invalid_value(format!("{command}: index is {index}")));
    }
    // GL 4.6 compatibility 10.7.2: generic attribute 0 is the position in a primitive.
    if index == 0 && ctx.is_in_primitive() {
        ctx.emit_vertex(value);
    } else {
        ctx.set_current(index as usize, value);
    }
    Ok(())
}

/// Missing components are 0, 0, 1.
fn floats<const N: usize>(values: [f32; N]) -> [u32; 4] {
    let mut all = [0.0, 0.0, 0.0, 1.0];
    all[..N].copy_from_slice(&values);
    all.map(f32::to_bits)
}

fn integers<const N: usize>(values: [u32; N]) -> [u32; 4] {
    let mut all = [0, 0, 0, 1];
    all[..N].copy_from_slice(&values);
    all
}

fn read<T: bytemuck::Pod, const N: usize>(pointer: ClientPtr<T>) -> [T; N] {
    std::array::from_fn(|i| pointer.read_at(i))
}

macro_rules! attrib_values {
    ($($name:ident($ty:ty; $($value:ident),+);)+) => {
        $(pub fn $name(ctx: &mut Context, index: GLuint, $($value: $ty),+) -> GlResult {
            let bits = floats([$($value as f32),+]);
            set(ctx, concat!("gl", stringify!($name)), index, CurrentKind::Float, bits)
        })+
    };
}

macro_rules! attrib_vectors {
    ($($name:ident($ty:ty, $count:literal, $convert:expr);)+) => {
        $(pub fn $name(ctx: &mut Context, index: GLuint, v: ClientPtr<$ty>) -> GlResult {
            let convert: fn($ty) -> f32 = $convert;
            let bits = floats(read::<$ty, $count>(v).map(convert));
            set(ctx, concat!("gl", stringify!($name)), index, CurrentKind::Float, bits)
        })+
    };
}

macro_rules! attrib_integers {
    ($($name:ident($kind:ident, $ty:ty; $($value:ident),+);)+) => {
        $(pub fn $name(ctx: &mut Context, index: GLuint, $($value: $ty),+) -> GlResult {
            let bits = integers([$($value as u32),+]);
            set(ctx, concat!("gl", stringify!($name)), index, CurrentKind::$kind, bits)
        })+
    };
}

macro_rules! attrib_integer_vectors {
    ($($name:ident($kind:ident, $ty:ty, $count:literal, $wide:ty);)+) => {
        $(pub fn $name(ctx: &mut Context, index: GLuint, v: ClientPtr<$ty>) -> GlResult {
            let bits = integers(read::<$ty, $count>(v).map(|value| value as $wide as u32));
            set(ctx, concat!("gl", stringify!($name)), index, CurrentKind::$kind, bits)
        })+
    };
}

// gl-commands: VertexAttrib1f VertexAttrib2f VertexAttrib3f VertexAttrib4f VertexAttrib1d VertexAttrib2d
// gl-commands: VertexAttrib3d VertexAttrib4d VertexAttrib1s VertexAttrib2s VertexAttrib3s VertexAttrib4s
attrib_values! {
    VertexAttrib1f(GLfloat; x);
    VertexAttrib2f(GLfloat; x, y);
    VertexAttrib3f(GLfloat; x, y, z);
    VertexAttrib4f(GLfloat; x, y, z, w);
    VertexAttrib1d(GLdouble; x);
    VertexAttrib2d(GLdouble; x, y);
    VertexAttrib3d(GLdouble; x, y, z);
    VertexAttrib4d(GLdouble; x, y, z, w);
    VertexAttrib1s(GLshort; x);
    VertexAttrib2s(GLshort; x, y);
    VertexAttrib3s(GLshort; x, y, z);
    VertexAttrib4s(GLshort; x, y, z, w);
}

/// GL 4.6 core 2.3.5.2: signed normalized values, -1 at both lowest numbers.
fn signed(value: f64, largest: f64) -> f32 {
    (value / largest).max(-1.0) as f32
}

// gl-commands: VertexAttrib1fv VertexAttrib2fv VertexAttrib3fv VertexAttrib4fv VertexAttrib1dv VertexAttrib2dv
// gl-commands: VertexAttrib3dv VertexAttrib4dv VertexAttrib1sv VertexAttrib2sv VertexAttrib3sv VertexAttrib4sv
// gl-commands: VertexAttrib4bv VertexAttrib4iv VertexAttrib4ubv VertexAttrib4usv VertexAttrib4uiv
// gl-commands: VertexAttrib4Nbv VertexAttrib4Nsv VertexAttrib4Niv VertexAttrib4Nubv VertexAttrib4Nusv VertexAttrib4Nuiv
attrib_vectors! {
    VertexAttrib1fv(GLfloat, 1, |v| v);
    VertexAttrib2fv(GLfloat, 2, |v| v);
    VertexAttrib3fv(GLfloat, 3, |v| v);
    VertexAttrib4fv(GLfloat, 4, |v| v);
    VertexAttrib1dv(GLdouble, 1, |v| v as f32);
    VertexAttrib2dv(GLdouble, 2, |v| v as f32);
    VertexAttrib3dv(GLdouble, 3, |v| v as f32);
    VertexAttrib4dv(GLdouble, 4, |v| v as f32);
    VertexAttrib1sv(GLshort, 1, f32::from);
    VertexAttrib2sv(GLshort, 2, f32::from);
    VertexAttrib3sv(GLshort, 3, f32::from);
    VertexAttrib4sv(GLshort, 4, f32::from);
    VertexAttrib4bv(GLbyte, 4, f32::from);
    VertexAttrib4iv(GLint, 4, |v| v as f32);
    VertexAttrib4ubv(GLubyte, 4, f32::from);
    VertexAttrib4usv(GLushort, 4, f32::from);
    VertexAttrib4uiv(GLuint, 4, |v| v as f32);
    VertexAttrib4Nbv(GLbyte, 4, |v| signed(v.into(), 127.0));
    VertexAttrib4Nsv(GLshort, 4, |v| signed(v.into(), 32767.0));
    VertexAttrib4Niv(GLint, 4, |v| signed(v.into(), 2147483647.0));
    VertexAttrib4Nubv(GLubyte, 4, |v| f32::from(v) / 255.0);
    VertexAttrib4Nusv(GLushort, 4, |v| f32::from(v) / 65535.0);
    VertexAttrib4Nuiv(GLuint, 4, |v| (f64::from(v) / 4294967295.0) as f32);
}

pub fn VertexAttrib4Nub(ctx: &mut Context, index: GLuint, x: GLubyte, y: GLubyte, z: GLubyte, w: GLubyte) -> GlResult {
    let bits = floats([x, y, z, w].map(|v| f32::from(v) / 255.0));
    set(ctx, "glVertexAttrib4Nub", index, CurrentKind::Float, bits)
}

// gl-commands: VertexAttribI1i VertexAttribI2i VertexAttribI3i VertexAttribI4i
// gl-commands: VertexAttribI1ui VertexAttribI2ui VertexAttribI3ui VertexAttribI4ui
attrib_integers! {
    VertexAttribI1i(Int, GLint; x);
    VertexAttribI2i(Int, GLint; x, y);
    VertexAttribI3i(Int, GLint; x, y, z);
    VertexAttribI4i(Int, GLint; x, y, z, w);
    VertexAttribI1ui(Uint, GLuint; x);
    VertexAttribI2ui(Uint, GLuint; x, y);
    VertexAttribI3ui(Uint, GLuint; x, y, z);
    VertexAttribI4ui(Uint, GLuint; x, y, z, w);
}

// gl-commands: VertexAttribI1iv VertexAttribI2iv VertexAttribI3iv VertexAttribI4iv
// gl-commands: VertexAttribI1uiv VertexAttribI2uiv VertexAttribI3uiv VertexAttribI4uiv
// gl-commands: VertexAttribI4bv VertexAttribI4sv VertexAttribI4ubv VertexAttribI4usv
attrib_integer_vectors! {
    VertexAttribI1iv(Int, GLint, 1, i32);
    VertexAttribI2iv(Int, GLint, 2, i32);
    VertexAttribI3iv(Int, GLint, 3, i32);
    VertexAttribI4iv(Int, GLint, 4, i32);
    VertexAttribI1uiv(Uint, GLuint, 1, u32);
    VertexAttribI2uiv(Uint, GLuint, 2, u32);
    VertexAttribI3uiv(Uint, GLuint, 3, u32);
    VertexAttribI4uiv(Uint, GLuint, 4, u32);
    VertexAttribI4bv(Int, GLbyte, 4, i32);
    VertexAttribI4sv(Int, GLshort, 4, i32);
    VertexAttribI4ubv(Uint, GLubyte, 4, u32);
    VertexAttribI4usv(Uint, GLushort, 4, u32);
}

/// GL 4.6 core 10.2.1: components that are not given are undefined; here they are 0.
fn set_doubles<const N: usize>(ctx: &mut Context, command: &'static str, index: GLuint, values: [f64; N]) -> GlResult {
    let mut all = [0.0; 4];
    all[..N].copy_from_slice(&values);
    ctx.state.vertex.upload.doubles = true;
    set_value(ctx, command, index, CurrentValue::doubles(all))
}

macro_rules! attrib_doubles {
    ($($name:ident, $vector:ident: $count:literal; $($value:ident),+;)+) => {
        $(
            pub fn $name(ctx: &mut Context, index: GLuint, $($value: GLdouble),+) -> GlResult {
                set_doubles(ctx, concat!("gl", stringify!($name)), index, [$($value),+])
            }
            pub fn $vector(ctx: &mut Context, index: GLuint, v: ClientPtr<GLdouble>) -> GlResult {
                set_doubles(ctx, concat!("gl", stringify!($vector)), index, read::<GLdouble, $count>(v))
            }
        )+
    };
}

// gl-commands: VertexAttribL1d VertexAttribL2d VertexAttribL3d VertexAttribL4d
// gl-commands: VertexAttribL1dv VertexAttribL2dv VertexAttribL3dv VertexAttribL4dv
attrib_doubles! {
    VertexAttribL1d, VertexAttribL1dv: 1; x;
    VertexAttribL2d, VertexAttribL2dv: 2; x, y;
    VertexAttribL3d, VertexAttribL3dv: 3; x, y, z;
    VertexAttribL4d, VertexAttribL4dv: 4; x, y, z, w;
}

/// Unpacks glVertexAttribP* (GL 4.6 core 10.2.1): components of 10, 10, 10 and 2 bits from the low end.
pub(super) fn unpack(command: &'static str, kind: GLenum, normalized: GLboolean, value: GLuint) -> GlResult<[f32; 4]> {
    let fields = [(0, 10), (10, 10), (20, 10), (30, 2)];
    match kind {
        GL_UNSIGNED_INT_2_10_10_10_REV => Ok(fields.map(|(shift, bits)| {
            let most = (1u32 << bits) - 1;
            let field = (value >> shift & most) as f32;
            if normalized != 0 { field / most as f32 } else { field }
        })),
        GL_INT_2_10_10_10_REV => Ok(fields.map(|(shift, bits)| {
            let field = ((value << (32 - shift - bits)) as i32 >> (32 - bits)) as f32;
            let most = ((1u32 << (bits - 1)) - 1) as f32;
            if normalized != 0 { (field / most).max(-1.0) } else { field }
        })),
        _ => Err(GlError::invalid_enum(format!("{command}: type 0x{kind:04X}"))),
    }
}

macro_rules! attrib_packed {
    ($($name:ident, $vector:ident: $count:literal;)+) => {
        $(
            pub fn $name(ctx: &mut Context, index: GLuint, kind: GLenum, normalized: GLboolean, value: GLuint) -> GlResult {
                let command = concat!("gl", stringify!($name));
                let all = unpack(command, kind, normalized, value)?;
                let used: [f32; $count] = std::array::from_fn(|i| all[i]);
                set(ctx, command, index, CurrentKind::Float, floats(used))
            }
            pub fn $vector(
                ctx: &mut Context,
                index: GLuint,
                kind: GLenum,
                normalized: GLboolean,
                value: ClientPtr<GLuint>,
            ) -> GlResult {
                $name(ctx, index, kind, normalized, value.read_at(0))
            }
        )+
    };
}

// gl-commands: VertexAttribP1ui VertexAttribP2ui VertexAttribP3ui VertexAttribP4ui
// gl-commands: VertexAttribP1uiv VertexAttribP2uiv VertexAttribP3uiv VertexAttribP4uiv
attrib_packed! {
    VertexAttribP1ui, VertexAttribP1uiv: 1;
    VertexAttribP2ui, VertexAttribP2uiv: 2;
    VertexAttribP3ui, VertexAttribP3uiv: 3;
    VertexAttribP4ui, VertexAttribP4uiv: 4;
}
