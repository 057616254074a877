//! Sampler objects (GL 4.6 core 8.2).

use std::sync::Arc;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::sampler::{ParamAnswer, ParamValue, Sampler};
use crate::share::same_object;

pub fn GenSamplers(ctx: &mut Context, count: GLsizei, samplers: ClientPtrMut<GLuint>) -> GlResult {
    // GL 4.6 core 8.2: unlike textures, a generated sampler name has its object at once.
    let mut names = ctx.share.samplers.lock();
    for index in 0..checked_count("glGenSamplers", count)? {
        let name = names.generate();
        names.insert(name, Arc::new(Sampler::new(name)));
        samplers.write_at(index, name);
    }
    Ok(())
}

pub fn CreateSamplers(ctx: &mut Context, n: GLsizei, samplers: ClientPtrMut<GLuint>) -> GlResult {
    GenSamplers(ctx, n, samplers)
}

pub fn DeleteSamplers(ctx: &mut Context, count: GLsizei, samplers: ClientPtr<GLuint>) -> GlResult {
    for index in 0..checked_count("glDeleteSamplers", count)? {
        let name = samplers.read_at(index);
        let Some(sampler) = ctx.share.samplers.lock().remove(name) else { continue };
        sampler.header.mark_deleted();
        let state = &mut ctx.state.textures;
        for unit in &mut state.units[..state.high_water] {
            if unit.sampler.as_ref().is_some_and(|bound| Arc::ptr_eq(bound, &sampler)) {
                unit.sampler = None;
                ctx.dirty.insert(DirtySet::SAMPLERS);
            }
        }
    }
    Ok(())
}

pub fn IsSampler(ctx: &mut Context, sampler: GLuint) -> GLboolean {
    GLboolean::from(ctx.share.samplers.lock().get(sampler).is_some())
}

pub fn BindSampler(ctx: &mut Context, unit: GLuint, sampler: GLuint) -> GlResult {
    // GL 4.6 core 8.2: INVALID_VALUE for a unit too large, INVALID_OPERATION for a name without object.
    if unit >= ctx.limits.combined_texture_units as u32 {
        return Err(GlError::invalid_value(format!("glBindSampler: unit {unit}")));
    }
    let bound = if sampler == 0 {
        None
    } else {
        let found = ctx.share.sampler(sampler);
        Some(found.ok_or_else(|| GlError::invalid_operation(format!("glBindSampler: no sampler {sampler}")))?)
    };
    let state = &mut ctx.state.textures;
    let slot = &mut state.units[unit as usize].sampler;
    if !same_object(slot.as_ref(), bound.as_ref()) {
        *slot = bound;
        state.high_water = state.high_water.max(unit as usize + 1);
        ctx.dirty.insert(DirtySet::SAMPLERS);
    }
    Ok(())
}

pub fn BindSamplers(ctx: &mut Context, first: GLuint, count: GLsizei, samplers: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glBindSamplers", count)?;
    if first as usize + count > ctx.limits.combined_texture_units as usize {
        return Err(GlError::invalid_operation("glBindSamplers: units beyond the last"));
    }
    // ARB_multi_bind: each binding stands or fails by itself.
    let mut result = Ok(());
    for index in 0..count {
        let name = if samplers.is_null() { 0 } else { samplers.read_at(index) };
        let one = BindSampler(ctx, first + index as GLuint, name);
        result = result.and(one);
    }
    result
}

fn find(ctx: &Context, command: &str, sampler: GLuint) -> GlResult<Arc<Sampler>> {
    ctx.share.sampler(sampler).ok_or_else(|| GlError::invalid_operation(format!("{command}: no sampler {sampler}")))
}

fn set(ctx: &mut Context, command: &'static str, sampler: GLuint, pname: GLenum, value: &ParamValue) -> GlResult {
    let object = find(ctx, command, sampler)?;
    let rules = ctx.sampler_rules();
    let result = object.params.lock().set(command, pname, value, rules);
    match result {
        None => Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
        Some(changed) => {
            if changed? {
                object.header.bump();
                ctx.shared_changed(DirtySet::SAMPLERS);
            }
            Ok(())
        }
    }
}

/// Elements a vector command reads for a parameter.
pub(crate) fn vector_length(pname: GLenum) -> usize {
    if matches!(pname, GL_TEXTURE_BORDER_COLOR | GL_TEXTURE_SWIZZLE_RGBA) { 4 } else { 1 }
}

/// Reads a parameter vector, padded with zeros.
pub(crate) fn read_vector<T: bytemuck::Pod + Default>(pname: GLenum, params: ClientPtr<T>) -> [T; 4] {
    let mut values = [T::default(); 4];
    for (index, value) in values.iter_mut().enumerate().take(vector_length(pname)) {
        *value = params.read_at(index);
    }
    values
}

/// A vector parameter can't be set by a scalar command.
pub(crate) fn check_scalar(command: &'static str, pname: GLenum) -> GlResult {
    if vector_length(pname) > 1 {
        return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X} needs a vector")));
    }
    Ok(())
}

pub fn SamplerParameteri(ctx: &mut Context, sampler: GLuint, pname: GLenum, param: GLint) -> GlResult {
    check_scalar("glSamplerParameteri", pname)?;
    set(ctx, "glSamplerParameteri", sampler, pname, &ParamValue::Int([param, 0, 0, 0]))
}

pub fn SamplerParameterf(ctx: &mut Context, sampler: GLuint, pname: GLenum, param: GLfloat) -> GlResult {
    check_scalar("glSamplerParameterf", pname)?;
    set(ctx, "glSamplerParameterf", sampler, pname, &ParamValue::Float([param, 0.0, 0.0, 0.0]))
}

pub fn SamplerParameteriv(ctx: &mut Context, sampler: GLuint, pname: GLenum, param: ClientPtr<GLint>) -> GlResult {
    set(ctx, "glSamplerParameteriv", sampler, pname, &ParamValue::Int(read_vector(pname, param)))
}

pub fn SamplerParameterfv(ctx: &mut Context, sampler: GLuint, pname: GLenum, param: ClientPtr<GLfloat>) -> GlResult {
    set(ctx, "glSamplerParameterfv", sampler, pname, &ParamValue::Float(read_vector(pname, param)))
}

pub fn SamplerParameterIiv(ctx: &mut Context, sampler: GLuint, pname: GLenum, param: ClientPtr<GLint>) -> GlResult {
    set(ctx, "glSamplerParameterIiv", sampler, pname, &ParamValue::PureInt(read_vector(pname, param)))
}

pub fn SamplerParameterIuiv(ctx: &mut Context, sampler: GLuint, pname: GLenum, param: ClientPtr<GLuint>) -> GlResult {
    set(ctx, "glSamplerParameterIuiv", sampler, pname, &ParamValue::PureUint(read_vector(pname, param)))
}

fn get(ctx: &Context, command: &'static str, sampler: GLuint, pname: GLenum) -> GlResult<ParamAnswer> {
    let object = find(ctx, command, sampler)?;
    let answer = object.params.lock().get(pname, ctx.sampler_rules());
    answer.ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))
}

pub fn GetSamplerParameteriv(
    ctx: &mut Context,
    sampler: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let (values, count) = get(ctx, "glGetSamplerParameteriv", sampler, pname)?.ints();
    params.write(&values[..count]);
    Ok(())
}

pub fn GetSamplerParameterfv(
    ctx: &mut Context,
    sampler: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLfloat>,
) -> GlResult {
    let (values, count) = get(ctx, "glGetSamplerParameterfv", sampler, pname)?.floats();
    params.write(&values[..count]);
    Ok(())
}

pub fn GetSamplerParameterIiv(
    ctx: &mut Context,
    sampler: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let (values, count) = get(ctx, "glGetSamplerParameterIiv", sampler, pname)?.raw();
    params.write(&values.map(|v| v as GLint)[..count]);
    Ok(())
}

pub fn GetSamplerParameterIuiv(
    ctx: &mut Context,
    sampler: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLuint>,
) -> GlResult {
    let (values, count) = get(ctx, "glGetSamplerParameterIuiv", sampler, pname)?.raw();
    params.write(&values[..count]);
    Ok(())
}
