//! Program interface queries (GL 4.6 core 7.3.1).

use std::sync::Arc;

use gallite_shader::reflection::Reflection;

use super::program_queries::{find_color, longest, matches};
use super::programs::{check_buf_size, linked, name_text, program};
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::Executable;
use crate::program_resources::{Interface, Property};

/// Runs with the program's reflection, an empty one while it is not linked.
fn with<T>(ctx: &Context, command: &str, name: GLuint, work: impl FnOnce(&Reflection) -> GlResult<T>) -> GlResult<T> {
    match executable(ctx, command, name)? {
        Some(executable) => work(executable.reflection()),
        None => work(&Reflection::default()),
    }
}

fn executable(ctx: &Context, command: &str, name: GLuint) -> GlResult<Option<Arc<Executable>>> {
    let program = program(ctx, command, name)?;
    let state = program.state.lock();
    Ok(state.linked().map(Arc::clone))
}

fn interface(command: &str, code: GLenum) -> GlResult<Interface> {
    Interface::of(code).ok_or_else(|| GlError::invalid_enum(format!("{command}: there is no interface 0x{code:04X}")))
}

/// An interface whose resources have names; INVALID_ENUM otherwise.
fn named(command: &str, code: GLenum) -> GlResult<Interface> {
    let interface = interface(command, code)?;
    if !interface.has_names() {
        return Err(GlError::invalid_enum(format!("{command}: resources of 0x{code:04X} have no names")));
    }
    Ok(interface)
}

pub fn GetProgramInterfaceiv(
    ctx: &mut Context,
    name: GLuint,
    code: GLenum,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetProgramInterfaceiv";
    let value = with(ctx, command, name, |reflection| {
        let interface = interface(command, code)?;
        let indices = 0..interface.count(reflection);
        let value = match pname {
            GL_ACTIVE_RESOURCES => Some(indices.len() as GLint),
            GL_MAX_NAME_LENGTH if interface.has_names() => Some(longest(interface.names(reflection).map(|(_, n)| n))),
            GL_MAX_NUM_ACTIVE_VARIABLES if interface.has_members() => {
                Some(indices.filter_map(|i| Some(interface.members(reflection, i)?.len())).max().unwrap_or(0) as GLint)
            }
            GL_MAX_NUM_COMPATIBLE_SUBROUTINES if matches!(interface, Interface::SubroutineUniform(_)) => {
                let most = indices.filter_map(|i| Some(interface.compatible(reflection, i)?.len())).max();
                Some(most.unwrap_or(0) as GLint)
            }
            _ => None,
        };
        value.ok_or_else(|| GlError::invalid_operation(format!("{command}: 0x{code:04X} has no 0x{pname:04X}")))
    })?;
    params.write(&[value]);
    Ok(())
}

pub fn GetProgramResourceIndex(
    ctx: &mut Context,
    program_name: GLuint,
    code: GLenum,
    name: ClientPtr<GLchar>,
) -> GlResult<GLuint> {
    let command = "glGetProgramResourceIndex";
    let wanted = name_text(name);
    with(ctx, command, program_name, |reflection| {
        let found = named(command, code)?.names(reflection).find(|(_, name)| matches(name, &wanted));
        Ok(found.map_or(GL_INVALID_INDEX, |(i, _)| i as GLuint))
    })
}

pub fn GetProgramResourceName(
    ctx: &mut Context,
    program_name: GLuint,
    code: GLenum,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetProgramResourceName";
    with(ctx, command, program_name, |reflection| {
        let interface = named(command, code)?;
        check_buf_size(command, buf_size)?;
        let found = interface.name(reflection, index as usize);
        let found = found.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?;
        name.write_string(buf_size, length, found.as_bytes());
        Ok(())
    })
}

pub fn GetProgramResourceiv(
    ctx: &mut Context,
    name: GLuint,
    code: GLenum,
    index: GLuint,
    prop_count: GLsizei,
    props: ClientPtr<GLenum>,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetProgramResourceiv";
    let executable = executable(ctx, command, name)?;
    let interface = interface(command, code)?;
    check_buf_size(command, buf_size)?;
    let wanted = usize::try_from(prop_count).ok().filter(|n| *n > 0);
    let wanted = wanted.ok_or_else(|| GlError::invalid_value(format!("{command}: propCount is {prop_count}")))?;
    let no_index = || GlError::invalid_value(format!("{command}: index is {index}"));
    let executable = executable.ok_or_else(no_index)?;
    let (reflection, index) = (executable.reflection(), index as usize);
    let exists = match interface.has_names() {
        true => interface.name(reflection, index).is_some(),
        false => index < interface.count(reflection),
    };
    if !exists {
        return Err(no_index());
    }
    let mut values = Vec::new();
    for prop in props.read(wanted).iter() {
        match interface.property(*prop) {
            Property::Unknown => return Err(GlError::invalid_enum(format!("{command}: no property 0x{prop:04X}"))),
            Property::Elsewhere => {
                return Err(GlError::invalid_operation(format!(
                    "{command}: 0x{code:04X} has no property 0x{prop:04X}"
                )));
            }
            Property::Here => {}
        }
        match *prop {
            GL_ACTIVE_VARIABLES => {
                let members = interface.members(reflection, index).unwrap_or_default();
                values.extend(members.iter().map(|m| *m as GLint));
            }
            GL_COMPATIBLE_SUBROUTINES => {
                let functions = interface.compatible(reflection, index).unwrap_or_default();
                values.extend(functions.iter().map(|f| *f as GLint));
            }
            _ => values.extend(interface.value(&executable, index, *prop)),
        }
    }
    let written = values.len().min(buf_size as usize);
    params.write(&values[..written]);
    length.write(&[written as GLsizei]);
    Ok(())
}

pub fn GetProgramResourceLocation(
    ctx: &mut Context,
    program_name: GLuint,
    code: GLenum,
    name: ClientPtr<GLchar>,
) -> GlResult<GLint> {
    let command = "glGetProgramResourceLocation";
    let executable = linked(ctx, command, program_name)?;
    let location = interface(command, code)?.location(executable.reflection(), &name_text(name));
    let location =
        location.ok_or_else(|| GlError::invalid_enum(format!("{command}: 0x{code:04X} has no locations")))?;
    Ok(location.unwrap_or(-1))
}

pub fn GetProgramResourceLocationIndex(
    ctx: &mut Context,
    program_name: GLuint,
    code: GLenum,
    name: ClientPtr<GLchar>,
) -> GlResult<GLint> {
    let command = "glGetProgramResourceLocationIndex";
    let executable = linked(ctx, command, program_name)?;
    if interface(command, code)? != Interface::Output {
        return Err(GlError::invalid_enum(format!("{command}: 0x{code:04X} has no location indices")));
    }
    Ok(find_color(&executable, &name_text(name)).map_or(-1, |(_, index)| index))
}
