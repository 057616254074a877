//! glTexParameter* and glGetTexParameter* (GL 4.6 core 8.10, 8.11.2).

use std::sync::Arc;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::commands::samplers::{check_scalar, read_vector};
use crate::commands::texture_checks::bad_target;
use crate::commands::textures::kind_of;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::sampler::{ParamAnswer, ParamValue, is_mipmap_filter};
use crate::objects::texture::{Texture, TextureKind, TextureParams};

/// The texture a parameter command names. Buffer textures have no parameters.
fn target_texture(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<Arc<Texture>> {
    let kind = kind_of(ctx, command, target)?;
    if kind == TextureKind::Buffer {
        return Err(bad_target(command, target));
    }
    Ok(Arc::clone(ctx.bound_texture(kind)))
}

fn is_sampler_parameter(pname: GLenum) -> bool {
    matches!(
        pname,
        GL_TEXTURE_WRAP_S
            | GL_TEXTURE_WRAP_T
            | GL_TEXTURE_WRAP_R
            | GL_TEXTURE_MIN_FILTER
            | GL_TEXTURE_MAG_FILTER
            | GL_TEXTURE_MIN_LOD
            | GL_TEXTURE_MAX_LOD
            | GL_TEXTURE_LOD_BIAS
            | GL_TEXTURE_COMPARE_MODE
            | GL_TEXTURE_COMPARE_FUNC
            | GL_TEXTURE_BORDER_COLOR
            | GL_TEXTURE_MAX_ANISOTROPY
            | GL_TEXTURE_SRGB_DECODE_EXT
            | GL_TEXTURE_CUBE_MAP_SEAMLESS
    )
}

/// Sets a parameter of a texture.
pub(crate) fn set(
    ctx: &mut Context,
    command: &'static str,
    texture: &Arc<Texture>,
    pname: GLenum,
    value: &ParamValue,
) -> GlResult {
    let changed = if is_sampler_parameter(pname) {
        check_sampler_parameter(command, texture.kind, pname, value)?;
        let rules = ctx.sampler_rules();
        let result = texture.state.lock().sampler.set(command, pname, value, rules);
        result.unwrap_or_else(|| Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))))?
    } else {
        let mut state = texture.state.lock();
        let mut next = state.params;
        apply(ctx, command, texture.kind, &mut next, pname, value)?;
        let changed = next != state.params;
        state.params = next;
        changed
    };
    if changed {
        ctx.texture_changed(texture);
    }
    Ok(())
}

fn check_sampler_parameter(command: &str, kind: TextureKind, pname: GLenum, value: &ParamValue) -> GlResult {
    let e = value.as_enum();
    // GL 4.6 core 8.10: multisample textures have no sampler state; rectangles neither repeat nor have levels.
    let bad = match (kind, pname) {
        (kind, _) if kind.is_multisample() => true,
        (TextureKind::Rect, GL_TEXTURE_WRAP_S | GL_TEXTURE_WRAP_T | GL_TEXTURE_WRAP_R) => {
            matches!(e, GL_REPEAT | GL_MIRRORED_REPEAT | GL_MIRROR_CLAMP_TO_EDGE)
        }
        (TextureKind::Rect, GL_TEXTURE_MIN_FILTER) => is_mipmap_filter(e),
        _ => false,
    };
    if bad {
        return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X} for this target")));
    }
    Ok(())
}

fn check_swizzle(command: &str, source: GLenum) -> GlResult<GLenum> {
    if matches!(source, GL_RED | GL_GREEN | GL_BLUE | GL_ALPHA | GL_ZERO | GL_ONE) {
        return Ok(source);
    }
    Err(GlError::invalid_enum(format!("{command}: swizzle 0x{source:04X}")))
}

fn apply(
    ctx: &Context,
    command: &str,
    kind: TextureKind,
    params: &mut TextureParams,
    pname: GLenum,
    value: &ParamValue,
) -> GlResult {
    let bad_value = |e: GLenum| GlError::invalid_enum(format!("{command}: param 0x{e:04X}"));
    match pname {
        GL_TEXTURE_BASE_LEVEL | GL_TEXTURE_MAX_LEVEL => {
            let level = u32::try_from(value.as_int())
                .map_err(|_| GlError::invalid_value(format!("{command}: negative level")))?;
            if pname == GL_TEXTURE_MAX_LEVEL {
                params.max_level = level;
                return Ok(());
            }
            // GL 4.6 core 8.10: targets without levels accept only 0.
            if !kind.has_levels() && level != 0 {
                return Err(GlError::invalid_operation(format!("{command}: base level {level} for this target")));
            }
            params.base_level = level;
        }
        GL_TEXTURE_SWIZZLE_R | GL_TEXTURE_SWIZZLE_G | GL_TEXTURE_SWIZZLE_B | GL_TEXTURE_SWIZZLE_A => {
            params.swizzle[(pname - GL_TEXTURE_SWIZZLE_R) as usize] = check_swizzle(command, value.as_enum())?;
        }
        GL_TEXTURE_SWIZZLE_RGBA => {
            for index in 0..4 {
                params.swizzle[index] = check_swizzle(command, value.enum_at(index))?;
            }
        }
        GL_DEPTH_STENCIL_TEXTURE_MODE => {
            let e = value.as_enum();
            if !matches!(e, GL_DEPTH_COMPONENT | GL_STENCIL_INDEX) {
                return Err(bad_value(e));
            }
            params.depth_stencil_mode = e;
        }
        GL_DEPTH_TEXTURE_MODE if ctx.is_compatibility() => {
            let e = value.as_enum();
            if !matches!(e, GL_LUMINANCE | GL_INTENSITY | GL_ALPHA | GL_RED) {
                return Err(bad_value(e));
            }
            params.depth_mode = e;
        }
        GL_GENERATE_MIPMAP if ctx.is_compatibility() => params.generate_mipmap = value.as_int() != 0,
        GL_TEXTURE_PRIORITY if ctx.is_compatibility() => params.priority = value.as_float().clamp(0.0, 1.0),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    }
    Ok(())
}

pub fn TexParameteri(ctx: &mut Context, target: GLenum, pname: GLenum, param: GLint) -> GlResult {
    let texture = target_texture(ctx, "glTexParameteri", target)?;
    check_scalar("glTexParameteri", pname)?;
    set(ctx, "glTexParameteri", &texture, pname, &ParamValue::Int([param, 0, 0, 0]))
}

pub fn TexParameterf(ctx: &mut Context, target: GLenum, pname: GLenum, param: GLfloat) -> GlResult {
    let texture = target_texture(ctx, "glTexParameterf", target)?;
    check_scalar("glTexParameterf", pname)?;
    set(ctx, "glTexParameterf", &texture, pname, &ParamValue::Float([param, 0.0, 0.0, 0.0]))
}

pub fn TexParameteriv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtr<GLint>) -> GlResult {
    let texture = target_texture(ctx, "glTexParameteriv", target)?;
    set(ctx, "glTexParameteriv", &texture, pname, &ParamValue::Int(read_vector(pname, params)))
}

pub fn TexParameterfv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtr<GLfloat>) -> GlResult {
    let texture = target_texture(ctx, "glTexParameterfv", target)?;
    set(ctx, "glTexParameterfv", &texture, pname, &ParamValue::Float(read_vector(pname, params)))
}

pub fn TexParameterIiv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtr<GLint>) -> GlResult {
    let texture = target_texture(ctx, "glTexParameterIiv", target)?;
    set(ctx, "glTexParameterIiv", &texture, pname, &ParamValue::PureInt(read_vector(pname, params)))
}

pub fn TexParameterIuiv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtr<GLuint>) -> GlResult {
    let texture = target_texture(ctx, "glTexParameterIuiv", target)?;
    set(ctx, "glTexParameterIuiv", &texture, pname, &ParamValue::PureUint(read_vector(pname, params)))
}

/// A parameter of a texture.
pub(crate) fn get(ctx: &Context, command: &str, texture: &Texture, pname: GLenum) -> GlResult<ParamAnswer> {
    let state = texture.state.lock();
    if let Some(answer) = state.sampler.get(pname, ctx.sampler_rules()) {
        return Ok(answer);
    }
    let int = |v: u32| ParamAnswer::Int(v as GLint);
    let p = &state.params;
    Ok(match pname {
        GL_TEXTURE_BASE_LEVEL => int(p.base_level),
        GL_TEXTURE_MAX_LEVEL => int(p.max_level),
        GL_TEXTURE_SWIZZLE_R | GL_TEXTURE_SWIZZLE_G | GL_TEXTURE_SWIZZLE_B | GL_TEXTURE_SWIZZLE_A => {
            int(p.swizzle[(pname - GL_TEXTURE_SWIZZLE_R) as usize])
        }
        GL_TEXTURE_SWIZZLE_RGBA => ParamAnswer::Enums(p.swizzle),
        GL_DEPTH_STENCIL_TEXTURE_MODE => int(p.depth_stencil_mode),
        GL_TEXTURE_IMMUTABLE_FORMAT => int(state.immutable.into()),
        GL_TEXTURE_IMMUTABLE_LEVELS => int(state.immutable_levels),
        GL_TEXTURE_VIEW_MIN_LEVEL => int(state.view_range.min_level),
        GL_TEXTURE_VIEW_NUM_LEVELS => int(state.view_range.num_levels),
        GL_TEXTURE_VIEW_MIN_LAYER => int(state.view_range.min_layer),
        GL_TEXTURE_VIEW_NUM_LAYERS => int(state.view_range.num_layers),
        GL_TEXTURE_TARGET => int(texture.target),
        GL_IMAGE_FORMAT_COMPATIBILITY_TYPE => int(GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE),
        GL_DEPTH_TEXTURE_MODE if ctx.is_compatibility() => int(p.depth_mode),
        GL_GENERATE_MIPMAP if ctx.is_compatibility() => int(p.generate_mipmap.into()),
        GL_TEXTURE_PRIORITY if ctx.is_compatibility() => ParamAnswer::Float(p.priority),
        GL_TEXTURE_RESIDENT if ctx.is_compatibility() => int(1),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    })
}

pub fn GetTexParameteriv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    let texture = target_texture(ctx, "glGetTexParameteriv", target)?;
    let (values, count) = get(ctx, "glGetTexParameteriv", &texture, pname)?.ints();
    params.write(&values[..count]);
    Ok(())
}

pub fn GetTexParameterfv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLfloat>) -> GlResult {
    let texture = target_texture(ctx, "glGetTexParameterfv", target)?;
    let (values, count) = get(ctx, "glGetTexParameterfv", &texture, pname)?.floats();
    params.write(&values[..count]);
    Ok(())
}

pub fn GetTexParameterIiv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    let texture = target_texture(ctx, "glGetTexParameterIiv", target)?;
    let (values, count) = get(ctx, "glGetTexParameterIiv", &texture, pname)?.raw();
    params.write(&values.map(|v| v as GLint)[..count]);
    Ok(())
}

pub fn GetTexParameterIuiv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLuint>) -> GlResult {
    let texture = target_texture(ctx, "glGetTexParameterIuiv", target)?;
    let (values, count) = get(ctx, "glGetTexParameterIuiv", &texture, pname)?.raw();
    params.write(&values[..count]);
    Ok(())
}
