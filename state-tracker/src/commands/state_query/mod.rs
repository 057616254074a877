//! State queries (GL 4.6 core chapter 22).
//!
//! Each queryable name is in one of the tables of the modules below, which answer in the type the state has;
//! [`value`] converts to what the command returns.

use std::ffi::CStr;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;

mod context_state;
pub(crate) mod framebuffers;
mod indexed;
mod legacy;
mod limits;
mod textures;
pub mod value;

use value::{Returned, Values};

fn lookup(ctx: &mut Context, command: &str, pname: GLenum) -> GlResult<Values> {
    context_state::lookup(ctx, pname)
        .or_else(|| framebuffers::lookup(ctx, pname))
        .or_else(|| textures::lookup(ctx, pname))
        .or_else(|| limits::lookup(ctx, pname))
        .or_else(|| legacy::lookup(ctx, pname))
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))
}

fn write<T: Returned>(values: &Values, params: ClientPtrMut<T>) {
    for (index, value) in values.iter().enumerate() {
        params.write_at(index, T::from_value(*value));
    }
}

fn get<T: Returned>(ctx: &mut Context, command: &str, pname: GLenum, params: ClientPtrMut<T>) -> GlResult {
    write(&lookup(ctx, command, pname)?, params);
    Ok(())
}

fn get_indexed<T: Returned>(
    ctx: &mut Context,
    command: &str,
    target: GLenum,
    index: GLuint,
    params: ClientPtrMut<T>,
) -> GlResult {
    write(&indexed::lookup(ctx, command, target, index)?, params);
    Ok(())
}

pub fn GetBooleanv(ctx: &mut Context, pname: GLenum, params: ClientPtrMut<GLboolean>) -> GlResult {
    get(ctx, "glGetBooleanv", pname, params)
}

pub fn GetIntegerv(ctx: &mut Context, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    get(ctx, "glGetIntegerv", pname, params)
}

pub fn GetInteger64v(ctx: &mut Context, pname: GLenum, params: ClientPtrMut<GLint64>) -> GlResult {
    get(ctx, "glGetInteger64v", pname, params)
}

pub fn GetFloatv(ctx: &mut Context, pname: GLenum, params: ClientPtrMut<GLfloat>) -> GlResult {
    get(ctx, "glGetFloatv", pname, params)
}

pub fn GetDoublev(ctx: &mut Context, pname: GLenum, params: ClientPtrMut<GLdouble>) -> GlResult {
    get(ctx, "glGetDoublev", pname, params)
}

pub fn GetBooleani_v(ctx: &mut Context, target: GLenum, index: GLuint, data: ClientPtrMut<GLboolean>) -> GlResult {
    get_indexed(ctx, "glGetBooleani_v", target, index, data)
}

pub fn GetIntegeri_v(ctx: &mut Context, target: GLenum, index: GLuint, data: ClientPtrMut<GLint>) -> GlResult {
    get_indexed(ctx, "glGetIntegeri_v", target, index, data)
}

pub fn GetInteger64i_v(ctx: &mut Context, target: GLenum, index: GLuint, data: ClientPtrMut<GLint64>) -> GlResult {
    get_indexed(ctx, "glGetInteger64i_v", target, index, data)
}

pub fn GetFloati_v(ctx: &mut Context, target: GLenum, index: GLuint, data: ClientPtrMut<GLfloat>) -> GlResult {
    get_indexed(ctx, "glGetFloati_v", target, index, data)
}

pub fn GetDoublei_v(ctx: &mut Context, target: GLenum, index: GLuint, data: ClientPtrMut<GLdouble>) -> GlResult {
    get_indexed(ctx, "glGetDoublei_v", target, index, data)
}

// GL 4.6 core 14.3.1.
pub fn GetMultisamplefv(ctx: &mut Context, pname: GLenum, index: GLuint, val: ClientPtrMut<GLfloat>) -> GlResult {
    if pname != GL_SAMPLE_POSITION {
        return Err(GlError::invalid_enum(format!("glGetMultisamplefv: pname 0x{pname:04X}")));
    }
    let position = framebuffers::sample_position(ctx, index);
    let position = position.ok_or_else(|| GlError::invalid_value(format!("glGetMultisamplefv: index {index}")))?;
    val.write(&position);
    Ok(())
}

/// A string that lives as long as the context, as the program may expect of glGetString.
fn string(text: &CStr) -> ClientPtr<GLubyte> {
    ClientPtr::from_slice(text.to_bytes_with_nul())
}

pub fn GetString(ctx: &mut Context, name: GLenum) -> GlResult<ClientPtr<GLubyte>> {
    let strings = &ctx.strings;
    Ok(string(match name {
        GL_VENDOR => &strings.vendor,
        GL_RENDERER => &strings.renderer,
        GL_VERSION => &strings.version,
        GL_SHADING_LANGUAGE_VERSION => &strings.shading_language_version,
        // GL 4.6 core 22.2: the core profile lists extensions one by one only.
        GL_EXTENSIONS if ctx.is_compatibility() => ctx.extensions.joined(),
        _ => return Err(GlError::invalid_enum(format!("glGetString: name 0x{name:04X}"))),
    }))
}

pub fn GetStringi(ctx: &mut Context, name: GLenum, index: GLuint) -> GlResult<ClientPtr<GLubyte>> {
    let list = match name {
        GL_EXTENSIONS => ctx.extensions.names(),
        GL_SHADING_LANGUAGE_VERSION => &ctx.strings.shading_languages,
        GL_SPIR_V_EXTENSIONS if ctx.extensions.has("GL_ARB_spirv_extensions") => &ctx.strings.spirv_extensions,
        _ => return Err(GlError::invalid_enum(format!("glGetStringi: name 0x{name:04X}"))),
    };
    let found = list.get(index as usize);
    let found = found.ok_or_else(|| GlError::invalid_value(format!("glGetStringi: index {index}")))?;
    Ok(string(found))
}
