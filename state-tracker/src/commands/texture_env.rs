//! Texture environments and the generation of texture coordinates (GL 4.6 compatibility 12.1.3, 16.1).

use super::parameters::{Params, parameter_commands, write_ints};
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::matrix;
use crate::state::fixed::FixedUnit;

/// The active unit, which must be one of fixed function.
fn unit<'a>(ctx: &'a mut Context, command: &str) -> GlResult<&'a mut FixedUnit> {
    let active = ctx.state.textures.active;
    let unit = ctx.state.fixed.units.get_mut(active);
    unit.ok_or_else(|| GlError::invalid_operation(format!("{command}: texture unit {active} has no fixed function")))
}

fn bad_pname(command: &str, pname: GLenum) -> GlError {
    GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))
}

fn is_source(value: GLenum) -> bool {
    matches!(value, GL_TEXTURE | GL_CONSTANT | GL_PRIMARY_COLOR | GL_PREVIOUS)
        || (GL_TEXTURE0..GL_TEXTURE0 + crate::state::fixed::UNITS as u32).contains(&value)
}

fn is_combine(value: GLenum, alpha: bool) -> bool {
    matches!(value, GL_REPLACE | GL_MODULATE | GL_ADD | GL_ADD_SIGNED | GL_INTERPOLATE | GL_SUBTRACT)
        || !alpha && matches!(value, GL_DOT3_RGB | GL_DOT3_RGBA)
}

fn tex_env(ctx: &mut Context, command: &str, target: GLenum, pname: GLenum, params: Params) -> GlResult {
    match (target, pname) {
        (GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS) => {
            let active = ctx.state.textures.active;
            ctx.state.textures.units[active].lod_bias = params.plain(0);
            ctx.dirty.insert(DirtySet::SAMPLERS);
            return Ok(());
        }
        (GL_POINT_SPRITE, GL_COORD_REPLACE) => {
            unit(ctx, command)?.env.coord_replace = params.plain(0) != 0.0;
            ctx.dirty.insert(DirtySet::FIXED_FUNCTION);
            return Ok(());
        }
        (GL_TEXTURE_ENV, _) => {}
        (GL_TEXTURE_FILTER_CONTROL | GL_POINT_SPRITE, _) => return Err(bad_pname(command, pname)),
        _ => return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}"))),
    }
    let env = &mut unit(ctx, command)?.env;
    let bad_value = |value: GLenum| Err(GlError::invalid_enum(format!("{command}: value 0x{value:04X}")));
    let value = if params.is_scalar() || pname != GL_TEXTURE_ENV_COLOR { params.as_enum() } else { 0 };
    match pname {
        GL_TEXTURE_ENV_MODE => {
            if !matches!(value, GL_MODULATE | GL_REPLACE | GL_DECAL | GL_BLEND | GL_ADD | GL_COMBINE) {
                return bad_value(value);
            }
            env.mode = value;
        }
        GL_TEXTURE_ENV_COLOR if !params.is_scalar() => env.color = params.color(),
        GL_COMBINE_RGB | GL_COMBINE_ALPHA => {
            let alpha = pname == GL_COMBINE_ALPHA;
            if !is_combine(value, alpha) {
                return bad_value(value);
            }
            env.combine[usize::from(alpha)] = value;
        }
        GL_SRC0_RGB..=GL_SRC2_RGB | GL_SRC0_ALPHA..=GL_SRC2_ALPHA => {
            if !is_source(value) {
                return bad_value(value);
            }
            let alpha = pname >= GL_SRC0_ALPHA;
            let first = if alpha { GL_SRC0_ALPHA } else { GL_SRC0_RGB };
            env.sources[usize::from(alpha)][(pname - first) as usize] = value;
        }
        GL_OPERAND0_RGB..=GL_OPERAND2_RGB | GL_OPERAND0_ALPHA..=GL_OPERAND2_ALPHA => {
            let alpha = pname >= GL_OPERAND0_ALPHA;
            let of_alpha = matches!(value, GL_SRC_ALPHA | GL_ONE_MINUS_SRC_ALPHA);
            if !(of_alpha || !alpha && matches!(value, GL_SRC_COLOR | GL_ONE_MINUS_SRC_COLOR)) {
                return bad_value(value);
            }
            let first = if alpha { GL_OPERAND0_ALPHA } else { GL_OPERAND0_RGB };
            env.operands[usize::from(alpha)][(pname - first) as usize] = value;
        }
        GL_RGB_SCALE | GL_ALPHA_SCALE => {
            let scale = params.plain(0);
            if ![1.0, 2.0, 4.0].contains(&scale) {
                return Err(GlError::invalid_value(format!("{command}: scale {scale}")));
            }
            env.scale[usize::from(pname == GL_ALPHA_SCALE)] = scale;
        }
        _ => return Err(bad_pname(command, pname)),
    }
    ctx.dirty.insert(DirtySet::FIXED_FUNCTION | DirtySet::STATE_VALUES);
    Ok(())
}

// gl-commands: TexEnvf TexEnvi TexEnvfv TexEnviv
parameter_commands!(tex_env(target, pname): TexEnvf, TexEnvi, TexEnvfv, TexEnviv);

fn env_values(ctx: &mut Context, command: &str, target: GLenum, pname: GLenum) -> GlResult<(Vec<f32>, bool)> {
    let one = |value: f32| Ok((vec![value], false));
    match (target, pname) {
        (GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS) => {
            return one(ctx.state.textures.units[ctx.state.textures.active].lod_bias);
        }
        (GL_POINT_SPRITE, GL_COORD_REPLACE) => return one(unit(ctx, command)?.env.coord_replace.into()),
        (GL_TEXTURE_ENV, _) => {}
        (GL_TEXTURE_FILTER_CONTROL | GL_POINT_SPRITE, _) => return Err(bad_pname(command, pname)),
        _ => return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}"))),
    }
    let env = &unit(ctx, command)?.env;
    let value = match pname {
        GL_TEXTURE_ENV_COLOR => return Ok((env.color.to_vec(), true)),
        GL_TEXTURE_ENV_MODE => env.mode,
        GL_COMBINE_RGB => env.combine[0],
        GL_COMBINE_ALPHA => env.combine[1],
        GL_SRC0_RGB..=GL_SRC2_RGB => env.sources[0][(pname - GL_SRC0_RGB) as usize],
        GL_SRC0_ALPHA..=GL_SRC2_ALPHA => env.sources[1][(pname - GL_SRC0_ALPHA) as usize],
        GL_OPERAND0_RGB..=GL_OPERAND2_RGB => env.operands[0][(pname - GL_OPERAND0_RGB) as usize],
        GL_OPERAND0_ALPHA..=GL_OPERAND2_ALPHA => env.operands[1][(pname - GL_OPERAND0_ALPHA) as usize],
        GL_RGB_SCALE => return one(env.scale[0]),
        GL_ALPHA_SCALE => return one(env.scale[1]),
        _ => return Err(bad_pname(command, pname)),
    };
    one(value as f32)
}

pub fn GetTexEnvfv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLfloat>) -> GlResult {
    params.write(&env_values(ctx, "glGetTexEnvfv", target, pname)?.0);
    Ok(())
}

pub fn GetTexEnviv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    write_ints(params, env_values(ctx, "glGetTexEnviv", target, pname)?);
    Ok(())
}

fn coordinate(command: &str, coord: GLenum) -> GlResult<usize> {
    let index = coord.wrapping_sub(GL_S) as usize;
    if index > 3 {
        return Err(GlError::invalid_enum(format!("{command}: coord 0x{coord:04X}")));
    }
    Ok(index)
}

fn tex_gen(ctx: &mut Context, command: &str, coord: GLenum, pname: GLenum, values: [f32; 4], vector: bool) -> GlResult {
    let index = coordinate(command, coord)?;
    let to_eye = matrix::transpose(&matrix::invert(ctx.state.fixed.modelview.top()));
    let generation = &mut unit(ctx, command)?.generation[index];
    match pname {
        GL_TEXTURE_GEN_MODE => {
            let mode = values[0] as GLenum;
            let known = match mode {
                GL_OBJECT_LINEAR | GL_EYE_LINEAR => true,
                GL_SPHERE_MAP => index < 2,
                GL_REFLECTION_MAP | GL_NORMAL_MAP => index < 3,
                _ => false,
            };
            if !known {
                return Err(GlError::invalid_enum(format!("{command}: mode 0x{mode:04X}")));
            }
            generation.mode = mode;
        }
        GL_OBJECT_PLANE if vector => generation.object_plane = values,
        // GL 4.6 compatibility 12.1.3: to eye space by the inverse of the model-view matrix of now.
        GL_EYE_PLANE if vector => generation.eye_plane = matrix::transform(&to_eye, values),
        _ => return Err(bad_pname(command, pname)),
    }
    ctx.dirty.insert(DirtySet::FIXED_FUNCTION | DirtySet::STATE_VALUES);
    Ok(())
}

macro_rules! tex_gen_commands {
    ($($scalar:ident, $vector:ident: $ty:ty;)+) => {
        $(
            pub fn $scalar(ctx: &mut Context, coord: GLenum, pname: GLenum, param: $ty) -> GlResult {
                tex_gen(ctx, concat!("gl", stringify!($scalar)), coord, pname, [param as f32; 4], false)
            }
            pub fn $vector(ctx: &mut Context, coord: GLenum, pname: GLenum, params: ClientPtr<$ty>) -> GlResult {
                let count = if matches!(pname, GL_OBJECT_PLANE | GL_EYE_PLANE) { 4 } else { 1 };
                let values = std::array::from_fn(|i| if i < count { params.read_at(i) as f32 } else { 0.0 });
                tex_gen(ctx, concat!("gl", stringify!($vector)), coord, pname, values, true)
            }
        )+
    };
}

// gl-commands: TexGend TexGenf TexGeni TexGendv TexGenfv TexGeniv
tex_gen_commands! {
    TexGend, TexGendv: GLdouble;
    TexGenf, TexGenfv: GLfloat;
    TexGeni, TexGeniv: GLint;
}

fn gen_values(ctx: &mut Context, command: &str, coord: GLenum, pname: GLenum) -> GlResult<Vec<f32>> {
    let index = coordinate(command, coord)?;
    let generation = &unit(ctx, command)?.generation[index];
    Ok(match pname {
        GL_TEXTURE_GEN_MODE => vec![generation.mode as f32],
        GL_OBJECT_PLANE => generation.object_plane.to_vec(),
        GL_EYE_PLANE => generation.eye_plane.to_vec(),
        _ => return Err(bad_pname(command, pname)),
    })
}

pub fn GetTexGenfv(ctx: &mut Context, coord: GLenum, pname: GLenum, params: ClientPtrMut<GLfloat>) -> GlResult {
    params.write(&gen_values(ctx, "glGetTexGenfv", coord, pname)?);
    Ok(())
}

pub fn GetTexGendv(ctx: &mut Context, coord: GLenum, pname: GLenum, params: ClientPtrMut<GLdouble>) -> GlResult {
    let values = gen_values(ctx, "glGetTexGendv", coord, pname)?;
    params.write(&values.into_iter().map(f64::from).collect::<Vec<_>>());
    Ok(())
}

pub fn GetTexGeniv(ctx: &mut Context, coord: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    write_ints(params, (gen_values(ctx, "glGetTexGeniv", coord, pname)?, false));
    Ok(())
}
