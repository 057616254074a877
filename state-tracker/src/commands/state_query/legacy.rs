//! State of the compatibility profile (GL 4.6 compatibility tables 23.3 to 23.33).

use smallvec::{SmallVec, smallvec};

use super::context_state::floats;
use super::value::{Value, Values};
use crate::commands::attribute_stack;
use crate::context::Context;
use crate::gl::*;
use crate::matrix::{self, Matrix};
use crate::state::fixed::{LIGHTS, MODELVIEW_DEPTH, OTHER_DEPTH, PLANES, UNITS};
use crate::state::vertex::CONVENTIONAL;

fn int(value: impl Into<i64>) -> Values {
    smallvec![Value::Int(value.into())]
}

fn float(value: f32) -> Values {
    smallvec![Value::Float(value.into())]
}

fn boolean(value: bool) -> Values {
    smallvec![Value::Bool(value)]
}

/// Values that integers return by mapping [-1, 1] to their whole range.
fn normalized(values: &[f32]) -> Values {
    values.iter().map(|v| Value::Normalized(f64::from(*v))).collect()
}

fn current(ctx: &Context, slot: usize) -> SmallVec<[f32; 4]> {
    ctx.state.vertex.current[CONVENTIONAL + slot].bits.iter().map(|b| f32::from_bits(*b)).collect()
}

fn matrices(ctx: &Context, pname: GLenum) -> Option<Values> {
    let fixed = &ctx.state.fixed;
    // Units above those of fixed function have no matrix.
    let texture = || fixed.texture.get(ctx.state.textures.active);
    let plain = |m: &Matrix| floats(m);
    let transposed = |m: &Matrix| floats(&matrix::transpose(m));
    Some(match pname {
        GL_MATRIX_MODE => int(fixed.matrix_mode),
        GL_MODELVIEW_MATRIX => plain(fixed.modelview.top()),
        GL_PROJECTION_MATRIX => plain(fixed.projection.top()),
        GL_TEXTURE_MATRIX => plain(texture()?.top()),
        GL_TRANSPOSE_MODELVIEW_MATRIX => transposed(fixed.modelview.top()),
        GL_TRANSPOSE_PROJECTION_MATRIX => transposed(fixed.projection.top()),
        GL_TRANSPOSE_TEXTURE_MATRIX => transposed(texture()?.top()),
        GL_MODELVIEW_STACK_DEPTH => int(fixed.modelview.all.len() as u32),
        GL_PROJECTION_STACK_DEPTH => int(fixed.projection.all.len() as u32),
        GL_TEXTURE_STACK_DEPTH => int(texture()?.all.len() as u32),
        _ => return None,
    })
}

fn lighting(ctx: &Context, pname: GLenum) -> Option<Values> {
    let fixed = &ctx.state.fixed;
    let fog = &fixed.fog;
    Some(match pname {
        GL_LIGHT_MODEL_AMBIENT => normalized(&fixed.model_ambient),
        GL_LIGHT_MODEL_LOCAL_VIEWER => boolean(fixed.local_viewer),
        GL_LIGHT_MODEL_TWO_SIDE => boolean(fixed.two_side),
        GL_LIGHT_MODEL_COLOR_CONTROL => int(fixed.color_control),
        GL_SHADE_MODEL => int(fixed.shade_model),
        GL_COLOR_MATERIAL_FACE => int(fixed.color_material_of[0]),
        GL_COLOR_MATERIAL_PARAMETER => int(fixed.color_material_of[1]),
        GL_FOG_MODE => int(fog.mode),
        GL_FOG_COLOR => normalized(&fog.color),
        GL_FOG_DENSITY => float(fog.density),
        GL_FOG_START => float(fog.start),
        GL_FOG_END => float(fog.end),
        GL_FOG_INDEX => float(fog.index),
        GL_FOG_COORD_SRC => int(fog.source),
        GL_ALPHA_TEST_FUNC => int(fixed.alpha_func),
        GL_ALPHA_TEST_REF => normalized(&[fixed.alpha_reference]),
        GL_POINT_SIZE_MIN => float(fixed.point_size_bounds[0]),
        GL_POINT_SIZE_MAX => float(fixed.point_size_bounds[1].min(ctx.limits.point_size_range[1])),
        GL_POINT_DISTANCE_ATTENUATION => floats(&fixed.point_attenuation),
        GL_CLAMP_VERTEX_COLOR => int(fixed.clamp_vertex_color),
        GL_CLAMP_FRAGMENT_COLOR => int(fixed.clamp_fragment_color),
        GL_PERSPECTIVE_CORRECTION_HINT => int(fixed.hints[0]),
        GL_POINT_SMOOTH_HINT => int(fixed.hints[1]),
        GL_FOG_HINT => int(fixed.hints[2]),
        GL_GENERATE_MIPMAP_HINT => int(fixed.hints[3]),
        GL_ACCUM_CLEAR_VALUE => normalized(&fixed.clear_accum),
        GL_INDEX_CLEAR_VALUE => float(fixed.clear_index),
        GL_INDEX_WRITEMASK => smallvec![Value::Bits(fixed.index_mask)],
        _ => return None,
    })
}

fn currents(ctx: &Context, pname: GLenum) -> Option<Values> {
    Some(match pname {
        GL_CURRENT_COLOR => normalized(&current(ctx, 2)),
        GL_CURRENT_NORMAL => normalized(&current(ctx, 1)[..3]),
        GL_CURRENT_SECONDARY_COLOR => normalized(&current(ctx, 3)),
        GL_CURRENT_FOG_COORD => float(current(ctx, 4)[0]),
        GL_CURRENT_INDEX => float(current(ctx, 5)[0]),
        GL_EDGE_FLAG => boolean(current(ctx, 6)[0] != 0.0),
        GL_CURRENT_TEXTURE_COORDS => floats(&current(ctx, 8 + ctx.state.textures.active.min(UNITS - 1))),
        GL_CLIENT_ACTIVE_TEXTURE => int(GL_TEXTURE0 + ctx.state.fixed.client_unit as u32),
        _ => return None,
    })
}

/// Which array, and which of its size, type, stride and buffer, a name asks for.
fn array_property(pname: GLenum) -> Option<(usize, u8)> {
    const COORD: usize = usize::MAX;
    Some(match pname {
        GL_VERTEX_ARRAY_SIZE => (0, 0),
        GL_VERTEX_ARRAY_TYPE => (0, 1),
        GL_VERTEX_ARRAY_STRIDE => (0, 2),
        GL_VERTEX_ARRAY_BUFFER_BINDING => (0, 3),
        GL_NORMAL_ARRAY_TYPE => (1, 1),
        GL_NORMAL_ARRAY_STRIDE => (1, 2),
        GL_NORMAL_ARRAY_BUFFER_BINDING => (1, 3),
        GL_COLOR_ARRAY_SIZE => (2, 0),
        GL_COLOR_ARRAY_TYPE => (2, 1),
        GL_COLOR_ARRAY_STRIDE => (2, 2),
        GL_COLOR_ARRAY_BUFFER_BINDING => (2, 3),
        GL_SECONDARY_COLOR_ARRAY_SIZE => (3, 0),
        GL_SECONDARY_COLOR_ARRAY_TYPE => (3, 1),
        GL_SECONDARY_COLOR_ARRAY_STRIDE => (3, 2),
        GL_SECONDARY_COLOR_ARRAY_BUFFER_BINDING => (3, 3),
        GL_FOG_COORD_ARRAY_TYPE => (4, 1),
        GL_FOG_COORD_ARRAY_STRIDE => (4, 2),
        GL_FOG_COORD_ARRAY_BUFFER_BINDING => (4, 3),
        GL_INDEX_ARRAY_TYPE => (5, 1),
        GL_INDEX_ARRAY_STRIDE => (5, 2),
        GL_INDEX_ARRAY_BUFFER_BINDING => (5, 3),
        GL_EDGE_FLAG_ARRAY_STRIDE => (6, 2),
        GL_EDGE_FLAG_ARRAY_BUFFER_BINDING => (6, 3),
        GL_TEXTURE_COORD_ARRAY_SIZE => (COORD, 0),
        GL_TEXTURE_COORD_ARRAY_TYPE => (COORD, 1),
        GL_TEXTURE_COORD_ARRAY_STRIDE => (COORD, 2),
        GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING => (COORD, 3),
        _ => return None,
    })
}

fn arrays(ctx: &Context, pname: GLenum) -> Option<Values> {
    let (array, what) = array_property(pname)?;
    let slot = CONVENTIONAL + if array == usize::MAX { 8 + ctx.state.fixed.client_unit } else { array };
    let vertex_array = ctx.vertex_array();
    let attribute = &vertex_array.attributes[slot];
    let binding = &vertex_array.bindings[usize::from(attribute.binding)];
    Some(match what {
        0 if attribute.size != GL_BGRA as GLint && array == 3 => int(3),
        0 => int(attribute.size),
        1 => int(attribute.kind),
        2 => int(binding.given_stride),
        _ => int(binding.buffer.as_ref().map_or(0, |b| b.header.name)),
    })
}

fn limits(ctx: &Context, pname: GLenum) -> Option<Values> {
    let [server, client] = ctx.attribute_stacks.depths();
    Some(match pname {
        GL_MAX_LIGHTS => int(LIGHTS as u32),
        GL_MAX_CLIP_PLANES => int(PLANES as u32),
        GL_MAX_TEXTURE_UNITS | GL_MAX_TEXTURE_COORDS => int(UNITS as u32),
        GL_MAX_MODELVIEW_STACK_DEPTH => int(MODELVIEW_DEPTH as u32),
        GL_MAX_PROJECTION_STACK_DEPTH | GL_MAX_TEXTURE_STACK_DEPTH => int(OTHER_DEPTH as u32),
        GL_MAX_ATTRIB_STACK_DEPTH | GL_MAX_CLIENT_ATTRIB_STACK_DEPTH => int(attribute_stack::DEPTH as u32),
        GL_ATTRIB_STACK_DEPTH => int(server as u32),
        GL_CLIENT_ATTRIB_STACK_DEPTH => int(client as u32),
        GL_INDEX_BITS | GL_ACCUM_RED_BITS | GL_ACCUM_GREEN_BITS | GL_ACCUM_BLUE_BITS | GL_ACCUM_ALPHA_BITS
        | GL_AUX_BUFFERS => int(0),
        GL_INDEX_MODE => boolean(false),
        GL_RGBA_MODE => boolean(true),
        _ => return None,
    })
}

/// Looks a state variable of the profile up.
pub fn lookup(ctx: &mut Context, pname: GLenum) -> Option<Values> {
    if !ctx.is_compatibility() {
        return None;
    }
    ctx.follow_current_color();
    matrices(ctx, pname)
        .or_else(|| lighting(ctx, pname))
        .or_else(|| currents(ctx, pname))
        .or_else(|| arrays(ctx, pname))
        .or_else(|| limits(ctx, pname))
}
