//! Program interface queries (GL 4.6 core 7.3.1) of the interfaces that buffers belong to: uniforms and their blocks, buffer
//! variables and storage blocks, atomic counter buffers. The other interfaces are not implemented.

use gallite_shader::Stage;
use gallite_shader::reflection::Reflection;

use super::program_queries::{length_with_terminator, matches, referenced};
use super::programs::{check_buf_size, name_text, program};
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::Executable;

/// Number of resources of an interface; `None` for one that is not implemented.
fn count(reflection: &Reflection, interface: GLenum) -> Option<usize> {
    Some(match interface {
        GL_UNIFORM => reflection.uniforms.len(),
        GL_UNIFORM_BLOCK => reflection.blocks.len(),
        GL_BUFFER_VARIABLE => reflection.buffer_variables.len(),
        GL_SHADER_STORAGE_BLOCK => reflection.storage_blocks.len(),
        GL_ATOMIC_COUNTER_BUFFER => reflection.atomic_buffers.len(),
        _ => return None,
    })
}

/// Name of a resource; `None` when it has none or does not exist.
fn name_of(reflection: &Reflection, interface: GLenum, index: usize) -> Option<&str> {
    Some(match interface {
        GL_UNIFORM => &reflection.uniforms.get(index)?.name,
        GL_UNIFORM_BLOCK => &reflection.blocks.get(index)?.name,
        GL_BUFFER_VARIABLE => &reflection.buffer_variables.get(index)?.name,
        GL_SHADER_STORAGE_BLOCK => &reflection.storage_blocks.get(index)?.name,
        _ => return None,
    })
}

fn members(reflection: &Reflection, interface: GLenum, index: usize) -> Option<&[u32]> {
    Some(match interface {
        GL_UNIFORM_BLOCK => &reflection.blocks.get(index)?.members,
        GL_SHADER_STORAGE_BLOCK => &reflection.storage_blocks.get(index)?.members,
        GL_ATOMIC_COUNTER_BUFFER => &reflection.atomic_buffers.get(index)?.members,
        _ => return None,
    })
}

/// Runs with the program's reflection, an empty one while it is not linked.
fn with<T>(
    ctx: &Context,
    command: &str,
    name: GLuint,
    work: impl FnOnce(&Reflection, Option<&Executable>) -> GlResult<T>,
) -> GlResult<T> {
    let program = program(ctx, command, name)?;
    let state = program.state.lock();
    let empty = Reflection::default();
    let executable = state.linked();
    work(executable.map_or(&empty, |e| e.reflection()), executable.map(|e| &**e))
}

fn not_implemented(command: &str, interface: GLenum) -> GlError {
    GlError::invalid_operation(format!("{command}: interface 0x{interface:04X} is not implemented"))
}

pub fn GetProgramInterfaceiv(
    ctx: &mut Context,
    name: GLuint,
    interface: GLenum,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetProgramInterfaceiv";
    let value = with(ctx, command, name, |reflection, _| {
        let count = count(reflection, interface).ok_or_else(|| not_implemented(command, interface))?;
        let most_members = || (0..count).filter_map(|i| Some(members(reflection, interface, i)?.len())).max();
        match pname {
            GL_ACTIVE_RESOURCES => Ok(count as GLint),
            // GL 4.6 core 7.3.1: atomic counter buffers have no names, and only blocks have members.
            GL_MAX_NAME_LENGTH if interface != GL_ATOMIC_COUNTER_BUFFER => {
                let names = (0..count).filter_map(|i| name_of(reflection, interface, i));
                Ok(names.map(|n| length_with_terminator(n.len())).max().unwrap_or(0))
            }
            GL_MAX_NUM_ACTIVE_VARIABLES if !matches!(interface, GL_UNIFORM | GL_BUFFER_VARIABLE) => {
                Ok(most_members().unwrap_or(0) as GLint)
            }
            GL_MAX_NAME_LENGTH | GL_MAX_NUM_ACTIVE_VARIABLES | GL_MAX_NUM_COMPATIBLE_SUBROUTINES => {
                Err(GlError::invalid_operation(format!("{command}: the interface has no 0x{pname:04X}")))
            }
            _ => Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
        }
    })?;
    params.write(&[value]);
    Ok(())
}

pub fn GetProgramResourceIndex(
    ctx: &mut Context,
    program_name: GLuint,
    interface: GLenum,
    name: ClientPtr<GLchar>,
) -> GlResult<GLuint> {
    let command = "glGetProgramResourceIndex";
    let wanted = name_text(name);
    with(ctx, command, program_name, |reflection, _| {
        let count = count(reflection, interface).ok_or_else(|| not_implemented(command, interface))?;
        if interface == GL_ATOMIC_COUNTER_BUFFER {
            return Err(GlError::invalid_enum(format!("{command}: atomic counter buffers have no names")));
        }
        let found = (0..count).find(|i| name_of(reflection, interface, *i).is_some_and(|name| matches(name, &wanted)));
        Ok(found.map_or(GL_INVALID_INDEX, |i| i as GLuint))
    })
}

pub fn GetProgramResourceName(
    ctx: &mut Context,
    program_name: GLuint,
    interface: GLenum,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetProgramResourceName";
    check_buf_size(command, buf_size)?;
    with(ctx, command, program_name, |reflection, _| {
        count(reflection, interface).ok_or_else(|| not_implemented(command, interface))?;
        if interface == GL_ATOMIC_COUNTER_BUFFER {
            return Err(GlError::invalid_enum(format!("{command}: atomic counter buffers have no names")));
        }
        let found = name_of(reflection, interface, index as usize);
        let found = found.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?;
        name.write_string(buf_size, length, found.as_bytes());
        Ok(())
    })
}

const REFERENCED: [GLenum; Stage::COUNT] = [
    GL_REFERENCED_BY_VERTEX_SHADER,
    GL_REFERENCED_BY_TESS_CONTROL_SHADER,
    GL_REFERENCED_BY_TESS_EVALUATION_SHADER,
    GL_REFERENCED_BY_GEOMETRY_SHADER,
    GL_REFERENCED_BY_FRAGMENT_SHADER,
    GL_REFERENCED_BY_COMPUTE_SHADER,
];

/// A property that is one number; `None` when the interface has no such property.
fn property(executable: &Executable, interface: GLenum, index: usize, property: GLenum) -> Option<GLint> {
    let reflection = executable.reflection();
    if property == GL_NAME_LENGTH {
        return Some(length_with_terminator(name_of(reflection, interface, index)?.len()));
    }
    if property == GL_NUM_ACTIVE_VARIABLES {
        return Some(members(reflection, interface, index)?.len() as GLint);
    }
    let (stages, value) = match interface {
        GL_UNIFORM => {
            let u = reflection.uniforms.get(index)?;
            let value = match property {
                GL_TYPE => Some(u.ty as GLint),
                GL_ARRAY_SIZE => Some(u.array_size as GLint),
                GL_OFFSET => Some(u.offset),
                GL_BLOCK_INDEX => Some(u.block),
                GL_ARRAY_STRIDE => Some(u.array_stride),
                GL_MATRIX_STRIDE => Some(u.matrix_stride),
                GL_IS_ROW_MAJOR => Some(u.row_major.into()),
                GL_ATOMIC_COUNTER_BUFFER_INDEX => Some(u.atomic_buffer),
                GL_LOCATION => Some(u.location),
                _ => None,
            };
            (u.stages, value)
        }
        GL_BUFFER_VARIABLE => {
            let v = reflection.buffer_variables.get(index)?;
            let value = match property {
                GL_TYPE => Some(v.ty),
                GL_ARRAY_SIZE => Some(v.array_size),
                GL_OFFSET => Some(v.offset),
                GL_BLOCK_INDEX => Some(v.block),
                GL_ARRAY_STRIDE => Some(v.array_stride),
                GL_MATRIX_STRIDE => Some(v.matrix_stride),
                GL_IS_ROW_MAJOR => Some(v.row_major.into()),
                GL_TOP_LEVEL_ARRAY_SIZE => Some(v.top_level_array_size),
                GL_TOP_LEVEL_ARRAY_STRIDE => Some(v.top_level_array_stride),
                _ => None,
            };
            (v.stages, value.map(|v| v as GLint))
        }
        _ => {
            let (stages, binding, size) = match interface {
                GL_UNIFORM_BLOCK => {
                    let b = reflection.blocks.get(index)?;
                    (b.stages, executable.block_binding(index)?, b.data_size)
                }
                GL_SHADER_STORAGE_BLOCK => {
                    let b = reflection.storage_blocks.get(index)?;
                    (b.stages, executable.storage_binding(index)?, b.data_size)
                }
                _ => {
                    let b = reflection.atomic_buffers.get(index)?;
                    (b.stages, b.binding, b.data_size)
                }
            };
            let value = match property {
                GL_BUFFER_BINDING => Some(binding as GLint),
                GL_BUFFER_DATA_SIZE => Some(size as GLint),
                _ => None,
            };
            (stages, value)
        }
    };
    value.or_else(|| referenced(stages, &REFERENCED, property))
}

pub fn GetProgramResourceiv(
    ctx: &mut Context,
    name: GLuint,
    interface: GLenum,
    index: GLuint,
    prop_count: GLsizei,
    props: ClientPtr<GLenum>,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetProgramResourceiv";
    check_buf_size(command, buf_size)?;
    let wanted = usize::try_from(prop_count).ok().filter(|n| *n > 0);
    let wanted = wanted.ok_or_else(|| GlError::invalid_value(format!("{command}: propCount is {prop_count}")))?;
    let values = with(ctx, command, name, |reflection, executable| {
        let count = count(reflection, interface).ok_or_else(|| not_implemented(command, interface))?;
        let executable = executable.filter(|_| (index as usize) < count);
        let executable = executable.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?;
        let mut values = Vec::new();
        for prop in props.read(wanted).iter() {
            if *prop == GL_ACTIVE_VARIABLES
                && let Some(members) = members(reflection, interface, index as usize)
            {
                values.extend(members.iter().map(|m| *m as GLint));
                continue;
            }
            let value = property(executable, interface, index as usize, *prop);
            values.push(value.ok_or_else(|| {
                GlError::invalid_operation(format!("{command}: the interface has no property 0x{prop:04X}"))
            })?);
        }
        Ok(values)
    })?;
    let written = values.len().min(buf_size as usize);
    params.write(&values[..written]);
    length.write(&[written as GLsizei]);
    Ok(())
}
