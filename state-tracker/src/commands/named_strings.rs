//! Strings that shaders include (ARB_shading_language_include).

use std::sync::Arc;

use gallite_shader::Includes;

use super::shaders::{compile, shader};
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;

/// The place of a name. INVALID_VALUE for null and for what is no path.
fn place(command: &str, length: GLint, name: ClientPtr<GLchar>) -> GlResult<String> {
    if name.is_null() {
        return Err(GlError::invalid_value(format!("{command}: name is null")));
    }
    let name = name.string(length as isize);
    Includes::place(&name)
        .ok_or_else(|| GlError::invalid_value(format!("{command}: `{}' is no path", String::from_utf8_lossy(&name))))
}

/// The string of a name. INVALID_OPERATION where there is none.
fn string(ctx: &Context, command: &str, length: GLint, name: ClientPtr<GLchar>) -> GlResult<Arc<[u8]>> {
    let place = place(command, length, name)?;
    let found = ctx.share.named_strings.lock().get(&place).cloned();
    found.ok_or_else(|| GlError::invalid_operation(format!("{command}: there is no string at {place}")))
}

pub fn NamedStringARB(
    ctx: &mut Context,
    kind: GLenum,
    name_length: GLint,
    name: ClientPtr<GLchar>,
    length: GLint,
    string: ClientPtr<GLchar>,
) -> GlResult {
    let command = "glNamedStringARB";
    if kind != GL_SHADER_INCLUDE_ARB {
        return Err(GlError::invalid_enum(format!("{command}: type 0x{kind:04X}")));
    }
    let place = place(command, name_length, name)?;
    if string.is_null() {
        return Err(GlError::invalid_value(format!("{command}: string is null")));
    }
    let mut strings = ctx.share.named_strings.lock();
    Arc::make_mut(&mut strings).insert(place, &string.string(length as isize));
    Ok(())
}

pub fn DeleteNamedStringARB(ctx: &mut Context, length: GLint, name: ClientPtr<GLchar>) -> GlResult {
    let command = "glDeleteNamedStringARB";
    let place = place(command, length, name)?;
    let mut strings = ctx.share.named_strings.lock();
    if strings.get(&place).is_none() {
        return Err(GlError::invalid_operation(format!("{command}: there is no string at {place}")));
    }
    Arc::make_mut(&mut strings).remove(&place);
    Ok(())
}

/// As glCompileShader, with the paths from which relative ones begin.
pub fn CompileShaderIncludeARB(
    ctx: &mut Context,
    name: GLuint,
    count: GLsizei,
    paths: ClientPtr<ClientPtr<GLchar>>,
    lengths: ClientPtr<GLint>,
) -> GlResult {
    let command = "glCompileShaderIncludeARB";
    let shader = shader(ctx, command, name)?;
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value(format!("{command}: count is {count}")))?;
    if count != 0 && paths.is_null() {
        return Err(GlError::invalid_value(format!("{command}: path is null")));
    }
    let mut search = Vec::with_capacity(count.min(64));
    for index in 0..count {
        let path = paths.read_at(index);
        let length = if lengths.is_null() { -1 } else { lengths.read_at(index) };
        let point = (!path.is_null()).then(|| Includes::search_point(&path.string(length as isize))).flatten();
        search.push(point.ok_or_else(|| GlError::invalid_value(format!("{command}: path {index} is none")))?);
    }
    compile(ctx, &shader, search)
}

pub fn IsNamedStringARB(ctx: &mut Context, length: GLint, name: ClientPtr<GLchar>) -> GLboolean {
    string(ctx, "glIsNamedStringARB", length, name).is_ok().into()
}

pub fn GetNamedStringARB(
    ctx: &mut Context,
    name_length: GLint,
    name: ClientPtr<GLchar>,
    buf_size: GLsizei,
    length: ClientPtrMut<GLint>,
    out: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetNamedStringARB";
    super::programs::check_buf_size(command, buf_size)?;
    let found = string(ctx, command, name_length, name)?;
    out.write_string(buf_size, length, &found);
    Ok(())
}

pub fn GetNamedStringivARB(
    ctx: &mut Context,
    length: GLint,
    name: ClientPtr<GLchar>,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetNamedStringivARB";
    let found = string(ctx, command, length, name)?;
    params.write(&[match pname {
        // With its null byte.
        GL_NAMED_STRING_LENGTH_ARB => found.len() as GLint + 1,
        GL_NAMED_STRING_TYPE_ARB => GL_SHADER_INCLUDE_ARB as GLint,
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    }]);
    Ok(())
}
