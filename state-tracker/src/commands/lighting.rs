//! Lights, materials, the lighting model, shading, fog and clip planes (GL 4.6 compatibility 12.2, 13.7, 16.4).

use super::parameters::{Params, parameter_commands, write_ints};
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::matrix;
use crate::state::fixed::{LIGHTS, Material, PLANES};
use crate::state::vertex::CONVENTIONAL;

fn values_changed(ctx: &mut Context) {
    ctx.dirty.insert(DirtySet::STATE_VALUES);
}

fn key_changed(ctx: &mut Context) {
    ctx.dirty.insert(DirtySet::STATE_VALUES | DirtySet::FIXED_FUNCTION);
}

fn bad_pname(command: &str, pname: GLenum) -> GlError {
    GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))
}

fn bad_value(command: &str, value: f32) -> GlError {
    GlError::invalid_value(format!("{command}: value {value}"))
}

fn light(ctx: &mut Context, command: &str, light: GLenum, pname: GLenum, params: Params) -> GlResult {
    let index = light.wrapping_sub(GL_LIGHT0) as usize;
    if index >= LIGHTS {
        return Err(GlError::invalid_enum(format!("{command}: light 0x{light:04X}")));
    }
    let vector = matches!(pname, GL_AMBIENT | GL_DIFFUSE | GL_SPECULAR | GL_POSITION | GL_SPOT_DIRECTION);
    if vector && params.is_scalar() {
        return Err(bad_pname(command, pname));
    }
    let modelview = *ctx.state.fixed.modelview.top();
    let light = &mut ctx.state.fixed.lights[index];
    let value = if vector { 0.0 } else { params.plain(0) };
    match pname {
        GL_AMBIENT => light.ambient = params.color(),
        GL_DIFFUSE => light.diffuse = params.color(),
        GL_SPECULAR => light.specular = params.color(),
        GL_POSITION => light.position = matrix::transform(&modelview, params.plain4()),
        GL_SPOT_DIRECTION => {
            let given = [params.plain(0), params.plain(1), params.plain(2), 0.0];
            let [x, y, z, _] = matrix::transform(&modelview, given);
            light.spot_direction = [x, y, z];
        }
        GL_SPOT_EXPONENT if (0.0..=128.0).contains(&value) => light.spot_exponent = value,
        GL_SPOT_CUTOFF if (0.0..=90.0).contains(&value) || value == 180.0 => light.spot_cutoff = value,
        GL_CONSTANT_ATTENUATION if value >= 0.0 => light.attenuation[0] = value,
        GL_LINEAR_ATTENUATION if value >= 0.0 => light.attenuation[1] = value,
        GL_QUADRATIC_ATTENUATION if value >= 0.0 => light.attenuation[2] = value,
        GL_SPOT_EXPONENT
        | GL_SPOT_CUTOFF
        | GL_CONSTANT_ATTENUATION
        | GL_LINEAR_ATTENUATION
        | GL_QUADRATIC_ATTENUATION => return Err(bad_value(command, value)),
        _ => return Err(bad_pname(command, pname)),
    }
    key_changed(ctx);
    Ok(())
}

// gl-commands: Lightf Lighti Lightfv Lightiv
parameter_commands!(light(target, pname): Lightf, Lighti, Lightfv, Lightiv);

fn light_model(ctx: &mut Context, command: &str, pname: GLenum, params: Params) -> GlResult {
    let fixed = &mut ctx.state.fixed;
    match pname {
        GL_LIGHT_MODEL_AMBIENT if !params.is_scalar() => fixed.model_ambient = params.color(),
        GL_LIGHT_MODEL_LOCAL_VIEWER => fixed.local_viewer = params.plain(0) != 0.0,
        GL_LIGHT_MODEL_TWO_SIDE => fixed.two_side = params.plain(0) != 0.0,
        GL_LIGHT_MODEL_COLOR_CONTROL => {
            let value = params.as_enum();
            if !matches!(value, GL_SINGLE_COLOR | GL_SEPARATE_SPECULAR_COLOR) {
                return Err(GlError::invalid_enum(format!("{command}: value 0x{value:04X}")));
            }
            fixed.color_control = value;
        }
        _ => return Err(bad_pname(command, pname)),
    }
    key_changed(ctx);
    Ok(())
}

// gl-commands: LightModelf LightModeli LightModelfv LightModeliv
parameter_commands!(light_model(pname): LightModelf, LightModeli, LightModelfv, LightModeliv);

/// The faces an enum names: front, back.
fn faces(command: &str, face: GLenum) -> GlResult<[bool; 2]> {
    match face {
        GL_FRONT => Ok([true, false]),
        GL_BACK => Ok([false, true]),
        GL_FRONT_AND_BACK => Ok([true, true]),
        _ => Err(GlError::invalid_enum(format!("{command}: face 0x{face:04X}"))),
    }
}

/// Which of ambient, diffuse, specular and emission a parameter of the colour material is.
pub(crate) fn tracked(parameter: GLenum) -> [bool; 4] {
    [
        matches!(parameter, GL_AMBIENT | GL_AMBIENT_AND_DIFFUSE),
        matches!(parameter, GL_DIFFUSE | GL_AMBIENT_AND_DIFFUSE),
        parameter == GL_SPECULAR,
        parameter == GL_EMISSION,
    ]
}

fn set_colors(material: &mut Material, which: [bool; 4], color: [f32; 4]) {
    let slots = [&mut material.ambient, &mut material.diffuse, &mut material.specular, &mut material.emission];
    for (slot, _) in slots.into_iter().zip(which).filter(|(_, on)| *on) {
        *slot = color;
    }
}

impl Context {
    /// Makes the materials what GL_COLOR_MATERIAL says they are (GL 4.6 compatibility 12.2.3).
    pub(crate) fn follow_current_color(&mut self) {
        let fixed = &mut self.state.fixed;
        if !fixed.color_material {
            return;
        }
        let color = self.state.vertex.current[CONVENTIONAL + 2].bits.map(f32::from_bits);
        let [face, parameter] = fixed.color_material_of;
        for (material, side) in fixed.materials.iter_mut().zip([GL_FRONT, GL_BACK]) {
            if face == side || face == GL_FRONT_AND_BACK {
                set_colors(material, tracked(parameter), color);
            }
        }
    }
}

fn material(ctx: &mut Context, command: &str, face: GLenum, pname: GLenum, params: Params) -> GlResult {
    let sides = faces(command, face)?;
    let vector = pname != GL_SHININESS;
    if vector && params.is_scalar() {
        return Err(bad_pname(command, pname));
    }
    ctx.before_material()?;
    let fixed = &mut ctx.state.fixed;
    let locked = if fixed.color_material { fixed.color_material_of } else { [0; 2] };
    for (index, material) in fixed.materials.iter_mut().enumerate().filter(|(i, _)| sides[*i]) {
        let side = [GL_FRONT, GL_BACK][index];
        // GL 4.6 compatibility 12.2.3: what follows the current colour is not set.
        let follows = if locked[0] == side || locked[0] == GL_FRONT_AND_BACK { tracked(locked[1]) } else { [false; 4] };
        match pname {
            GL_AMBIENT | GL_DIFFUSE | GL_SPECULAR | GL_EMISSION | GL_AMBIENT_AND_DIFFUSE => {
                let wanted = tracked(pname);
                let which = std::array::from_fn(|i| wanted[i] && !follows[i]);
                set_colors(material, which, params.color());
            }
            GL_SHININESS => {
                let value = params.plain(0);
                if !(0.0..=128.0).contains(&value) {
                    return Err(bad_value(command, value));
                }
                material.shininess = value;
            }
            GL_COLOR_INDEXES => material.indexes = [params.plain(0), params.plain(1), params.plain(2)],
            _ => return Err(bad_pname(command, pname)),
        }
    }
    values_changed(ctx);
    Ok(())
}

// gl-commands: Materialf Materiali Materialfv Materialiv
parameter_commands!(material(face, pname): Materialf, Materiali, Materialfv, Materialiv);

pub fn ColorMaterial(ctx: &mut Context, face: GLenum, mode: GLenum) -> GlResult {
    faces("glColorMaterial", face)?;
    if tracked(mode) == [false; 4] {
        return Err(GlError::invalid_enum(format!("glColorMaterial: mode 0x{mode:04X}")));
    }
    ctx.follow_current_color();
    ctx.state.fixed.color_material_of = [face, mode];
    key_changed(ctx);
    Ok(())
}

pub fn ShadeModel(ctx: &mut Context, mode: GLenum) -> GlResult {
    if !matches!(mode, GL_FLAT | GL_SMOOTH) {
        return Err(GlError::invalid_enum(format!("glShadeModel: mode 0x{mode:04X}")));
    }
    ctx.state.fixed.shade_model = mode;
    ctx.dirty.insert(DirtySet::FIXED_FUNCTION);
    Ok(())
}

fn fog(ctx: &mut Context, command: &str, pname: GLenum, params: Params) -> GlResult {
    let fog = &mut ctx.state.fixed.fog;
    match pname {
        GL_FOG_MODE => {
            let mode = params.as_enum();
            if !matches!(mode, GL_LINEAR | GL_EXP | GL_EXP2) {
                return Err(GlError::invalid_enum(format!("{command}: mode 0x{mode:04X}")));
            }
            fog.mode = mode;
        }
        GL_FOG_COORD_SRC => {
            let source = params.as_enum();
            if !matches!(source, GL_FRAGMENT_DEPTH | GL_FOG_COORD) {
                return Err(GlError::invalid_enum(format!("{command}: source 0x{source:04X}")));
            }
            fog.source = source;
        }
        GL_FOG_COLOR if !params.is_scalar() => fog.color = params.color(),
        GL_FOG_DENSITY => {
            let value = params.plain(0);
            if value < 0.0 {
                return Err(bad_value(command, value));
            }
            fog.density = value;
        }
        GL_FOG_START => fog.start = params.plain(0),
        GL_FOG_END => fog.end = params.plain(0),
        GL_FOG_INDEX => fog.index = params.plain(0),
        _ => return Err(bad_pname(command, pname)),
    }
    key_changed(ctx);
    Ok(())
}

// gl-commands: Fogf Fogi Fogfv Fogiv
parameter_commands!(fog(pname): Fogf, Fogi, Fogfv, Fogiv);

fn plane_index(command: &str, plane: GLenum) -> GlResult<usize> {
    let index = plane.wrapping_sub(GL_CLIP_PLANE0) as usize;
    if index >= PLANES {
        return Err(GlError::invalid_enum(format!("{command}: plane 0x{plane:04X}")));
    }
    Ok(index)
}

pub fn ClipPlane(ctx: &mut Context, plane: GLenum, equation: ClientPtr<GLdouble>) -> GlResult {
    let index = plane_index("glClipPlane", plane)?;
    let given = std::array::from_fn(|i| equation.read_at(i) as f32);
    // GL 4.6 compatibility 13.7: to eye space by the inverse of the model-view matrix of now.
    let to_eye = matrix::transpose(&matrix::invert(ctx.state.fixed.modelview.top()));
    ctx.state.fixed.clip_planes[index] = matrix::transform(&to_eye, given);
    values_changed(ctx);
    Ok(())
}

pub fn GetClipPlane(ctx: &mut Context, plane: GLenum, equation: ClientPtrMut<GLdouble>) -> GlResult {
    let index = plane_index("glGetClipPlane", plane)?;
    equation.write(&ctx.state.fixed.clip_planes[index].map(f64::from));
    Ok(())
}

pub fn AlphaFunc(ctx: &mut Context, func: GLenum, reference: GLfloat) -> GlResult {
    if !(GL_NEVER..=GL_ALWAYS).contains(&func) {
        return Err(GlError::invalid_enum(format!("glAlphaFunc: func 0x{func:04X}")));
    }
    let fixed = &mut ctx.state.fixed;
    // GL 4.6 compatibility 17.3.3: the reference is clamped to [0, 1].
    let reference = if reference.is_nan() { 0.0 } else { reference.clamp(0.0, 1.0) };
    if fixed.alpha_func != func {
        fixed.alpha_func = func;
        ctx.dirty.insert(DirtySet::FIXED_FUNCTION);
    }
    if ctx.state.fixed.alpha_reference != reference {
        ctx.state.fixed.alpha_reference = reference;
        ctx.dirty.insert(DirtySet::STATE_VALUES);
    }
    Ok(())
}

/// The values of a light parameter.
fn light_values(ctx: &Context, command: &str, light: GLenum, pname: GLenum) -> GlResult<(Vec<f32>, bool)> {
    let index = light.wrapping_sub(GL_LIGHT0) as usize;
    let Some(light) = ctx.state.fixed.lights.get(index) else {
        return Err(GlError::invalid_enum(format!("{command}: light 0x{light:04X}")));
    };
    Ok(match pname {
        GL_AMBIENT => (light.ambient.to_vec(), true),
        GL_DIFFUSE => (light.diffuse.to_vec(), true),
        GL_SPECULAR => (light.specular.to_vec(), true),
        GL_POSITION => (light.position.to_vec(), false),
        GL_SPOT_DIRECTION => (light.spot_direction.to_vec(), false),
        GL_SPOT_EXPONENT => (vec![light.spot_exponent], false),
        GL_SPOT_CUTOFF => (vec![light.spot_cutoff], false),
        GL_CONSTANT_ATTENUATION => (vec![light.attenuation[0]], false),
        GL_LINEAR_ATTENUATION => (vec![light.attenuation[1]], false),
        GL_QUADRATIC_ATTENUATION => (vec![light.attenuation[2]], false),
        _ => return Err(bad_pname(command, pname)),
    })
}

fn material_values(ctx: &mut Context, command: &str, face: GLenum, pname: GLenum) -> GlResult<(Vec<f32>, bool)> {
    ctx.follow_current_color();
    let material = match face {
        GL_FRONT => &ctx.state.fixed.materials[0],
        GL_BACK => &ctx.state.fixed.materials[1],
        _ => return Err(GlError::invalid_enum(format!("{command}: face 0x{face:04X}"))),
    };
    Ok(match pname {
        GL_AMBIENT => (material.ambient.to_vec(), true),
        GL_DIFFUSE => (material.diffuse.to_vec(), true),
        GL_SPECULAR => (material.specular.to_vec(), true),
        GL_EMISSION => (material.emission.to_vec(), true),
        GL_SHININESS => (vec![material.shininess], false),
        GL_COLOR_INDEXES => (material.indexes.to_vec(), false),
        _ => return Err(bad_pname(command, pname)),
    })
}

pub fn GetLightfv(ctx: &mut Context, light: GLenum, pname: GLenum, params: ClientPtrMut<GLfloat>) -> GlResult {
    params.write(&light_values(ctx, "glGetLightfv", light, pname)?.0);
    Ok(())
}

pub fn GetLightiv(ctx: &mut Context, light: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    write_ints(params, light_values(ctx, "glGetLightiv", light, pname)?);
    Ok(())
}

pub fn GetMaterialfv(ctx: &mut Context, face: GLenum, pname: GLenum, params: ClientPtrMut<GLfloat>) -> GlResult {
    params.write(&material_values(ctx, "glGetMaterialfv", face, pname)?.0);
    Ok(())
}

pub fn GetMaterialiv(ctx: &mut Context, face: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    write_ints(params, material_values(ctx, "glGetMaterialiv", face, pname)?);
    Ok(())
}
