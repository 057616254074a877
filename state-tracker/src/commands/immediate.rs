//! glBegin, glEnd and the commands between them (GL 4.6 compatibility 10.7), glRect*, glArrayElement.

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::state::fixed::UNITS;
use crate::state::vertex::{CONVENTIONAL, CurrentKind, CurrentValue};
use crate::vertex_convert;

const POSITION: usize = CONVENTIONAL;
const NORMAL: usize = CONVENTIONAL + 1;
const COLOR: usize = CONVENTIONAL + 2;
const SECONDARY: usize = CONVENTIONAL + 3;
const FOG: usize = CONVENTIONAL + 4;
const INDEX: usize = CONVENTIONAL + 5;
const EDGE: usize = CONVENTIONAL + 6;
const COORD: usize = CONVENTIONAL + 8;

impl Context {
    /// Whether glBegin was called and glEnd was not.
    #[inline]
    pub(crate) fn is_in_primitive(&self) -> bool {
        self.state.vertex.immediate.mode.is_some()
    }

    /// Sets the value of an attribute that vertices take from now on.
    pub(crate) fn set_current(&mut self, slot: usize, value: CurrentValue) {
        let vertex = &mut self.state.vertex;
        if vertex.immediate.mode.is_some() {
            vertex.immediate.record(slot, &vertex.current[slot], value.kind);
        }
        if vertex.current[slot] != value {
            vertex.current[slot] = value;
            vertex.upload.valid = false;
            self.dirty.insert(DirtySet::CURRENT_ATTRIBUTES);
            if slot == COLOR && self.state.fixed.color_material {
                self.dirty.insert(DirtySet::STATE_VALUES);
            }
        }
    }

    /// Records a vertex. Outside of a primitive the result is undefined; nothing happens.
    pub(crate) fn emit_vertex(&mut self, value: CurrentValue) {
        let vertex = &mut self.state.vertex;
        if vertex.immediate.mode.is_some() {
            if value.kind == CurrentKind::Double {
                vertex.immediate.record(POSITION, &vertex.current[POSITION], value.kind);
            }
            vertex.current[POSITION] = value;
            vertex.immediate.push(&vertex.current);
        }
    }

    /// What glMaterial does to a primitive under way: vertices so far keep the material they were given with, where whole
    /// primitives can be drawn of them.
    pub(crate) fn before_material(&mut self) -> GlResult {
        let immediate = &self.state.vertex.immediate;
        let (Some(mode), count) = (immediate.mode, immediate.count) else { return Ok(()) };
        let size = match mode {
            GL_POINTS => 1,
            GL_LINES => 2,
            GL_TRIANGLES => 3,
            GL_QUADS => 4,
            _ => return Ok(()),
        };
        if count != 0 && count % size == 0 {
            self.draw_immediate(mode)?;
        }
        Ok(())
    }

    /// Draws the vertices recorded and forgets them.
    fn draw_immediate(&mut self, mode: GLenum) -> GlResult {
        let vertex = &mut self.state.vertex;
        let count = std::mem::take(&mut vertex.immediate.count);
        if count == 0 {
            return Ok(());
        }
        let mut data = std::mem::take(&mut vertex.immediate.data);
        let array = &mut *vertex.immediate.array;
        array.point_at(vertex.immediate.active, vertex.immediate.long, &vertex.current, &data);
        std::mem::swap(array, &mut self.default_vertex_array);
        let bound = std::mem::take(&mut self.state.vertex.bound);
        let changed = DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS;
        self.dirty.insert(changed);
        let result = super::draw::DrawArrays(self, mode, 0, count as GLsizei);
        std::mem::swap(&mut *self.state.vertex.immediate.array, &mut self.default_vertex_array);
        self.state.vertex.bound = bound;
        self.dirty.insert(changed);
        data.clear();
        self.state.vertex.immediate.data = data;
        result
    }
}

pub fn Begin(ctx: &mut Context, mode: GLenum) -> GlResult {
    if ctx.state.vertex.immediate.mode.is_some() {
        return Err(GlError::invalid_operation("glBegin: a primitive is under way"));
    }
    super::draw::primitive_mode(ctx, "glBegin", mode)?;
    ctx.require_complete_draw("glBegin")?;
    let immediate = &mut ctx.state.vertex.immediate;
    immediate.mode = Some(mode);
    if ctx.state.vertex.upload.doubles {
        immediate.hold_doubles(&ctx.state.vertex.current);
    }
    Ok(())
}

pub fn End(ctx: &mut Context) -> GlResult {
    let Some(mode) = ctx.state.vertex.immediate.mode.take() else {
        return Err(GlError::invalid_operation("glEnd: no primitive is under way"));
    };
    ctx.draw_immediate(mode)
}

fn float(bits: [f32; 4]) -> CurrentValue {
    CurrentValue::new(CurrentKind::Float, bits.map(f32::to_bits))
}

/// Missing components are 0, 0, 1.
fn filled<const N: usize>(values: [f32; N]) -> CurrentValue {
    let mut all = [0.0, 0.0, 0.0, 1.0];
    all[..N].copy_from_slice(&values);
    float(all)
}

fn read<T: bytemuck::Pod, const N: usize>(pointer: ClientPtr<T>) -> [T; N] {
    std::array::from_fn(|i| pointer.read_at(i))
}

/// How a number of a command becomes a component: as it is, or as a normalized integer (GL 4.6 compatibility 2.3.5).
trait Component: bytemuck::Pod {
    fn plain(self) -> f32;
    fn normalized(self) -> f32;
}

macro_rules! components {
    ($($ty:ty: $normalized:expr;)+) => {
        $(impl Component for $ty {
            fn plain(self) -> f32 {
                self as f32
            }
            fn normalized(self) -> f32 {
                let convert: fn($ty) -> f32 = $normalized;
                convert(self)
            }
        })+
    };
}

components! {
    GLbyte: |v| (f32::from(v) / 127.0).max(-1.0);
    GLubyte: |v| f32::from(v) / 255.0;
    GLshort: |v| (f32::from(v) / 32767.0).max(-1.0);
    GLushort: |v| f32::from(v) / 65535.0;
    GLint: |v| (f64::from(v) / 2147483647.0).max(-1.0) as f32;
    GLuint: |v| (f64::from(v) / 4294967295.0) as f32;
    GLfloat: |v| v;
    GLdouble: |v| v as f32;
}

macro_rules! vertices {
    ($($name:ident, $vector:ident: $ty:ty, $count:literal, ($($v:ident),+);)+) => {
        $(
            pub fn $name(ctx: &mut Context, $($v: $ty),+) {
                ctx.emit_vertex(filled([$($v.plain()),+]));
            }
            pub fn $vector(ctx: &mut Context, v: ClientPtr<$ty>) {
                ctx.emit_vertex(filled(read::<$ty, $count>(v).map(Component::plain)));
            }
        )+
    };
}

// gl-commands: Vertex2d Vertex2f Vertex2i Vertex2s Vertex3d Vertex3f Vertex3i Vertex3s Vertex4d Vertex4f Vertex4i Vertex4s
// gl-commands: Vertex2dv Vertex2fv Vertex2iv Vertex2sv Vertex3dv Vertex3fv Vertex3iv Vertex3sv
// gl-commands: Vertex4dv Vertex4fv Vertex4iv Vertex4sv
vertices! {
    Vertex2d, Vertex2dv: GLdouble, 2, (x, y);
    Vertex2f, Vertex2fv: GLfloat, 2, (x, y);
    Vertex2i, Vertex2iv: GLint, 2, (x, y);
    Vertex2s, Vertex2sv: GLshort, 2, (x, y);
    Vertex3d, Vertex3dv: GLdouble, 3, (x, y, z);
    Vertex3f, Vertex3fv: GLfloat, 3, (x, y, z);
    Vertex3i, Vertex3iv: GLint, 3, (x, y, z);
    Vertex3s, Vertex3sv: GLshort, 3, (x, y, z);
    Vertex4d, Vertex4dv: GLdouble, 4, (x, y, z, w);
    Vertex4f, Vertex4fv: GLfloat, 4, (x, y, z, w);
    Vertex4i, Vertex4iv: GLint, 4, (x, y, z, w);
    Vertex4s, Vertex4sv: GLshort, 4, (x, y, z, w);
}

/// Commands that set one current value, plainly or normalized.
macro_rules! values {
    ($($name:ident, $vector:ident: $slot:expr, $how:ident, $ty:ty, $count:literal, ($($v:ident),+);)+) => {
        $(
            pub fn $name(ctx: &mut Context, $($v: $ty),+) {
                ctx.set_current($slot, filled([$($v.$how()),+]));
            }
            pub fn $vector(ctx: &mut Context, v: ClientPtr<$ty>) {
                ctx.set_current($slot, filled(read::<$ty, $count>(v).map(Component::$how)));
            }
        )+
    };
}

// gl-commands: Normal3b Normal3d Normal3f Normal3i Normal3s Normal3bv Normal3dv Normal3fv Normal3iv Normal3sv
// gl-commands: Color3b Color3d Color3f Color3i Color3s Color3ub Color3ui Color3us
// gl-commands: Color3bv Color3dv Color3fv Color3iv Color3sv Color3ubv Color3uiv Color3usv
// gl-commands: Color4b Color4d Color4f Color4i Color4s Color4ub Color4ui Color4us
// gl-commands: Color4bv Color4dv Color4fv Color4iv Color4sv Color4ubv Color4uiv Color4usv
// gl-commands: SecondaryColor3b SecondaryColor3d SecondaryColor3f SecondaryColor3i SecondaryColor3s SecondaryColor3ub
// gl-commands: SecondaryColor3ui SecondaryColor3us SecondaryColor3bv SecondaryColor3dv SecondaryColor3fv
// gl-commands: SecondaryColor3iv SecondaryColor3sv SecondaryColor3ubv SecondaryColor3uiv SecondaryColor3usv
// gl-commands: FogCoordd FogCoordf FogCoorddv FogCoordfv
// gl-commands: Indexd Indexf Indexi Indexs Indexub Indexdv Indexfv Indexiv Indexsv Indexubv
// gl-commands: TexCoord1d TexCoord1f TexCoord1i TexCoord1s TexCoord2d TexCoord2f TexCoord2i TexCoord2s
// gl-commands: TexCoord3d TexCoord3f TexCoord3i TexCoord3s TexCoord4d TexCoord4f TexCoord4i TexCoord4s
// gl-commands: TexCoord1dv TexCoord1fv TexCoord1iv TexCoord1sv TexCoord2dv TexCoord2fv TexCoord2iv TexCoord2sv
// gl-commands: TexCoord3dv TexCoord3fv TexCoord3iv TexCoord3sv TexCoord4dv TexCoord4fv TexCoord4iv TexCoord4sv
values! {
    Normal3b, Normal3bv: NORMAL, normalized, GLbyte, 3, (x, y, z);
    Normal3d, Normal3dv: NORMAL, normalized, GLdouble, 3, (x, y, z);
    Normal3f, Normal3fv: NORMAL, normalized, GLfloat, 3, (x, y, z);
    Normal3i, Normal3iv: NORMAL, normalized, GLint, 3, (x, y, z);
    Normal3s, Normal3sv: NORMAL, normalized, GLshort, 3, (x, y, z);
    Color3b, Color3bv: COLOR, normalized, GLbyte, 3, (r, g, b);
    Color3d, Color3dv: COLOR, normalized, GLdouble, 3, (r, g, b);
    Color3f, Color3fv: COLOR, normalized, GLfloat, 3, (r, g, b);
    Color3i, Color3iv: COLOR, normalized, GLint, 3, (r, g, b);
    Color3s, Color3sv: COLOR, normalized, GLshort, 3, (r, g, b);
    Color3ub, Color3ubv: COLOR, normalized, GLubyte, 3, (r, g, b);
    Color3ui, Color3uiv: COLOR, normalized, GLuint, 3, (r, g, b);
    Color3us, Color3usv: COLOR, normalized, GLushort, 3, (r, g, b);
    Color4b, Color4bv: COLOR, normalized, GLbyte, 4, (r, g, b, a);
    Color4d, Color4dv: COLOR, normalized, GLdouble, 4, (r, g, b, a);
    Color4f, Color4fv: COLOR, normalized, GLfloat, 4, (r, g, b, a);
    Color4i, Color4iv: COLOR, normalized, GLint, 4, (r, g, b, a);
    Color4s, Color4sv: COLOR, normalized, GLshort, 4, (r, g, b, a);
    Color4ub, Color4ubv: COLOR, normalized, GLubyte, 4, (r, g, b, a);
    Color4ui, Color4uiv: COLOR, normalized, GLuint, 4, (r, g, b, a);
    Color4us, Color4usv: COLOR, normalized, GLushort, 4, (r, g, b, a);
    SecondaryColor3b, SecondaryColor3bv: SECONDARY, normalized, GLbyte, 3, (r, g, b);
    SecondaryColor3d, SecondaryColor3dv: SECONDARY, normalized, GLdouble, 3, (r, g, b);
    SecondaryColor3f, SecondaryColor3fv: SECONDARY, normalized, GLfloat, 3, (r, g, b);
    SecondaryColor3i, SecondaryColor3iv: SECONDARY, normalized, GLint, 3, (r, g, b);
    SecondaryColor3s, SecondaryColor3sv: SECONDARY, normalized, GLshort, 3, (r, g, b);
    SecondaryColor3ub, SecondaryColor3ubv: SECONDARY, normalized, GLubyte, 3, (r, g, b);
    SecondaryColor3ui, SecondaryColor3uiv: SECONDARY, normalized, GLuint, 3, (r, g, b);
    SecondaryColor3us, SecondaryColor3usv: SECONDARY, normalized, GLushort, 3, (r, g, b);
    FogCoordd, FogCoorddv: FOG, plain, GLdouble, 1, (coord);
    FogCoordf, FogCoordfv: FOG, plain, GLfloat, 1, (coord);
    Indexd, Indexdv: INDEX, plain, GLdouble, 1, (c);
    Indexf, Indexfv: INDEX, plain, GLfloat, 1, (c);
    Indexi, Indexiv: INDEX, plain, GLint, 1, (c);
    Indexs, Indexsv: INDEX, plain, GLshort, 1, (c);
    Indexub, Indexubv: INDEX, plain, GLubyte, 1, (c);
    TexCoord1d, TexCoord1dv: COORD, plain, GLdouble, 1, (s);
    TexCoord1f, TexCoord1fv: COORD, plain, GLfloat, 1, (s);
    TexCoord1i, TexCoord1iv: COORD, plain, GLint, 1, (s);
    TexCoord1s, TexCoord1sv: COORD, plain, GLshort, 1, (s);
    TexCoord2d, TexCoord2dv: COORD, plain, GLdouble, 2, (s, t);
    TexCoord2f, TexCoord2fv: COORD, plain, GLfloat, 2, (s, t);
    TexCoord2i, TexCoord2iv: COORD, plain, GLint, 2, (s, t);
    TexCoord2s, TexCoord2sv: COORD, plain, GLshort, 2, (s, t);
    TexCoord3d, TexCoord3dv: COORD, plain, GLdouble, 3, (s, t, r);
    TexCoord3f, TexCoord3fv: COORD, plain, GLfloat, 3, (s, t, r);
    TexCoord3i, TexCoord3iv: COORD, plain, GLint, 3, (s, t, r);
    TexCoord3s, TexCoord3sv: COORD, plain, GLshort, 3, (s, t, r);
    TexCoord4d, TexCoord4dv: COORD, plain, GLdouble, 4, (s, t, r, q);
    TexCoord4f, TexCoord4fv: COORD, plain, GLfloat, 4, (s, t, r, q);
    TexCoord4i, TexCoord4iv: COORD, plain, GLint, 4, (s, t, r, q);
    TexCoord4s, TexCoord4sv: COORD, plain, GLshort, 4, (s, t, r, q);
}

pub fn EdgeFlag(ctx: &mut Context, flag: GLboolean) {
    ctx.set_current(EDGE, filled([f32::from(u8::from(flag != 0))]));
}

pub fn EdgeFlagv(ctx: &mut Context, flag: ClientPtr<GLboolean>) {
    EdgeFlag(ctx, flag.read_at(0));
}

/// The slot of a set of texture coordinates; INVALID_ENUM for one that isn't there.
fn coord_slot(command: &str, texture: GLenum) -> GlResult<usize> {
    let set = texture.wrapping_sub(GL_TEXTURE0) as usize;
    if set >= UNITS {
        return Err(GlError::invalid_enum(format!("{command}: texture 0x{texture:04X}")));
    }
    Ok(COORD + set)
}

macro_rules! multi_coords {
    ($($name:ident, $vector:ident: $ty:ty, $count:literal, ($($v:ident),+);)+) => {
        $(
            pub fn $name(ctx: &mut Context, texture: GLenum, $($v: $ty),+) -> GlResult {
                let slot = coord_slot(concat!("gl", stringify!($name)), texture)?;
                ctx.set_current(slot, filled([$($v.plain()),+]));
                Ok(())
            }
            pub fn $vector(ctx: &mut Context, texture: GLenum, v: ClientPtr<$ty>) -> GlResult {
                let slot = coord_slot(concat!("gl", stringify!($vector)), texture)?;
                ctx.set_current(slot, filled(read::<$ty, $count>(v).map(Component::plain)));
                Ok(())
            }
        )+
    };
}

// gl-commands: MultiTexCoord1d MultiTexCoord1f MultiTexCoord1i MultiTexCoord1s MultiTexCoord2d MultiTexCoord2f
// gl-commands: MultiTexCoord2i MultiTexCoord2s MultiTexCoord3d MultiTexCoord3f MultiTexCoord3i MultiTexCoord3s
// gl-commands: MultiTexCoord4d MultiTexCoord4f MultiTexCoord4i MultiTexCoord4s
// gl-commands: MultiTexCoord1dv MultiTexCoord1fv MultiTexCoord1iv MultiTexCoord1sv MultiTexCoord2dv MultiTexCoord2fv
// gl-commands: MultiTexCoord2iv MultiTexCoord2sv MultiTexCoord3dv MultiTexCoord3fv MultiTexCoord3iv MultiTexCoord3sv
// gl-commands: MultiTexCoord4dv MultiTexCoord4fv MultiTexCoord4iv MultiTexCoord4sv
multi_coords! {
    MultiTexCoord1d, MultiTexCoord1dv: GLdouble, 1, (s);
    MultiTexCoord1f, MultiTexCoord1fv: GLfloat, 1, (s);
    MultiTexCoord1i, MultiTexCoord1iv: GLint, 1, (s);
    MultiTexCoord1s, MultiTexCoord1sv: GLshort, 1, (s);
    MultiTexCoord2d, MultiTexCoord2dv: GLdouble, 2, (s, t);
    MultiTexCoord2f, MultiTexCoord2fv: GLfloat, 2, (s, t);
    MultiTexCoord2i, MultiTexCoord2iv: GLint, 2, (s, t);
    MultiTexCoord2s, MultiTexCoord2sv: GLshort, 2, (s, t);
    MultiTexCoord3d, MultiTexCoord3dv: GLdouble, 3, (s, t, r);
    MultiTexCoord3f, MultiTexCoord3fv: GLfloat, 3, (s, t, r);
    MultiTexCoord3i, MultiTexCoord3iv: GLint, 3, (s, t, r);
    MultiTexCoord3s, MultiTexCoord3sv: GLshort, 3, (s, t, r);
    MultiTexCoord4d, MultiTexCoord4dv: GLdouble, 4, (s, t, r, q);
    MultiTexCoord4f, MultiTexCoord4fv: GLfloat, 4, (s, t, r, q);
    MultiTexCoord4i, MultiTexCoord4iv: GLint, 4, (s, t, r, q);
    MultiTexCoord4s, MultiTexCoord4sv: GLshort, 4, (s, t, r, q);
}

/// A packed value of 10, 10, 10 and 2 bits; missing components of the command are 0, 0, 1.
fn packed(
    command: &'static str,
    kind: GLenum,
    normalized: bool,
    count: usize,
    value: GLuint,
) -> GlResult<CurrentValue> {
    let mut all = super::vertex_attribs::unpack(command, kind, normalized.into(), value)?;
    let rest = [0.0, 0.0, 0.0, 1.0];
    all[count..].copy_from_slice(&rest[count..]);
    Ok(float(all))
}

macro_rules! packed_values {
    ($($name:ident, $vector:ident: $slot:expr, $normalized:literal, $count:literal;)+) => {
        $(
            pub fn $name(ctx: &mut Context, kind: GLenum, value: GLuint) -> GlResult {
                let value = packed(concat!("gl", stringify!($name)), kind, $normalized, $count, value)?;
                ctx.set_current($slot, value);
                Ok(())
            }
            pub fn $vector(ctx: &mut Context, kind: GLenum, value: ClientPtr<GLuint>) -> GlResult {
                $name(ctx, kind, value.read_at(0))
            }
        )+
    };
}

// gl-commands: NormalP3ui NormalP3uiv ColorP3ui ColorP3uiv ColorP4ui ColorP4uiv SecondaryColorP3ui SecondaryColorP3uiv
// gl-commands: TexCoordP1ui TexCoordP1uiv TexCoordP2ui TexCoordP2uiv TexCoordP3ui TexCoordP3uiv TexCoordP4ui TexCoordP4uiv
packed_values! {
    NormalP3ui, NormalP3uiv: NORMAL, true, 3;
    ColorP3ui, ColorP3uiv: COLOR, true, 3;
    ColorP4ui, ColorP4uiv: COLOR, true, 4;
    SecondaryColorP3ui, SecondaryColorP3uiv: SECONDARY, true, 3;
    TexCoordP1ui, TexCoordP1uiv: COORD, false, 1;
    TexCoordP2ui, TexCoordP2uiv: COORD, false, 2;
    TexCoordP3ui, TexCoordP3uiv: COORD, false, 3;
    TexCoordP4ui, TexCoordP4uiv: COORD, false, 4;
}

macro_rules! packed_coords {
    ($($name:ident, $vector:ident: $count:literal;)+) => {
        $(
            pub fn $name(ctx: &mut Context, texture: GLenum, kind: GLenum, value: GLuint) -> GlResult {
                let command = concat!("gl", stringify!($name));
                let value = packed(command, kind, false, $count, value)?;
                ctx.set_current(coord_slot(command, texture)?, value);
                Ok(())
            }
            pub fn $vector(ctx: &mut Context, texture: GLenum, kind: GLenum, value: ClientPtr<GLuint>) -> GlResult {
                $name(ctx, texture, kind, value.read_at(0))
            }
        )+
    };
}

// gl-commands: MultiTexCoordP1ui MultiTexCoordP1uiv MultiTexCoordP2ui MultiTexCoordP2uiv
// gl-commands: MultiTexCoordP3ui MultiTexCoordP3uiv MultiTexCoordP4ui MultiTexCoordP4uiv
packed_coords! {
    MultiTexCoordP1ui, MultiTexCoordP1uiv: 1;
    MultiTexCoordP2ui, MultiTexCoordP2uiv: 2;
    MultiTexCoordP3ui, MultiTexCoordP3uiv: 3;
    MultiTexCoordP4ui, MultiTexCoordP4uiv: 4;
}

macro_rules! packed_vertices {
    ($($name:ident, $vector:ident: $count:literal;)+) => {
        $(
            pub fn $name(ctx: &mut Context, kind: GLenum, value: GLuint) -> GlResult {
                let value = packed(concat!("gl", stringify!($name)), kind, false, $count, value)?;
                ctx.emit_vertex(value);
                Ok(())
            }
            pub fn $vector(ctx: &mut Context, kind: GLenum, value: ClientPtr<GLuint>) -> GlResult {
                $name(ctx, kind, value.read_at(0))
            }
        )+
    };
}

// gl-commands: VertexP2ui VertexP2uiv VertexP3ui VertexP3uiv VertexP4ui VertexP4uiv
packed_vertices! {
    VertexP2ui, VertexP2uiv: 2;
    VertexP3ui, VertexP3uiv: 3;
    VertexP4ui, VertexP4uiv: 4;
}

fn rect(ctx: &mut Context, [x1, y1, x2, y2]: [f32; 4]) -> GlResult {
    Begin(ctx, GL_POLYGON)?;
    for corner in [[x1, y1], [x2, y1], [x2, y2], [x1, y2]] {
        ctx.emit_vertex(filled(corner));
    }
    End(ctx)
}

macro_rules! rects {
    ($($name:ident, $vector:ident: $ty:ty;)+) => {
        $(
            pub fn $name(ctx: &mut Context, x1: $ty, y1: $ty, x2: $ty, y2: $ty) -> GlResult {
                rect(ctx, [x1.plain(), y1.plain(), x2.plain(), y2.plain()])
            }
            pub fn $vector(ctx: &mut Context, v1: ClientPtr<$ty>, v2: ClientPtr<$ty>) -> GlResult {
                let ([x1, y1], [x2, y2]) = (read::<$ty, 2>(v1), read::<$ty, 2>(v2));
                $name(ctx, x1, y1, x2, y2)
            }
        )+
    };
}

// gl-commands: Rectd Rectdv Rectf Rectfv Recti Rectiv Rects Rectsv
rects! {
    Rectd, Rectdv: GLdouble;
    Rectf, Rectfv: GLfloat;
    Recti, Rectiv: GLint;
    Rects, Rectsv: GLshort;
}

pub fn ArrayElement(ctx: &mut Context, i: GLint) -> GlResult {
    let index = u64::try_from(i).map_err(|_| GlError::invalid_value(format!("glArrayElement: index {i}")))?;
    let enabled = ctx.vertex_array().enabled;
    let position = if enabled & 1 != 0 { 0 } else { POSITION };
    let mut left = enabled & !(1 << position | 1 << POSITION);
    while left != 0 {
        let slot = left.trailing_zeros() as usize;
        left &= left - 1;
        if let Some(value) = vertex_convert::element(ctx, slot, index) {
            ctx.set_current(slot, value);
        }
    }
    // GL 4.6 compatibility 10.3.4: the position comes last, as it makes the vertex.
    if enabled & 1 << position != 0
        && let Some(value) = vertex_convert::element(ctx, position, index)
    {
        ctx.emit_vertex(value);
    }
    Ok(())
}
