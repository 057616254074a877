//! Subroutines (GL 4.6 core 7.10, 7.13): glUniformSubroutinesuiv and the queries of a stage's subroutines.

use std::sync::Arc;

use gallite_shader::Stage;
use gallite_shader::reflection::{StageSubroutines, SubroutineUniform};

use super::programs::{check_buf_size, linked, name_text};
use super::shaders::stage_of;
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::Executable;

/// What a stage without subroutines has.
static NONE: StageSubroutines = StageSubroutines { stage: 0, functions: Vec::new(), uniforms: Vec::new() };

/// What a stage of an executable has; nothing where it has no subroutines.
fn subroutines(executable: &Executable, stage: Stage) -> &StageSubroutines {
    let found = executable.reflection().subroutines.iter().find(|s| usize::from(s.stage) == stage.index());
    found.unwrap_or(&NONE)
}

/// A linked program and one of its stages; INVALID_OPERATION when the stage isn't there.
fn of_program(ctx: &Context, command: &'static str, name: GLuint, kind: GLenum) -> GlResult<(Arc<Executable>, Stage)> {
    let stage = stage_of(ctx, command, kind)?;
    let executable = linked(ctx, command, name)?;
    if !executable.reflection().stages.has(stage) {
        return Err(GlError::invalid_operation(format!("{command}: the program has no {} stage", stage.name())));
    }
    Ok((executable, stage))
}

/// The executable in use and one of its stages.
fn in_use(ctx: &mut Context, command: &'static str, kind: GLenum) -> GlResult<(Arc<Executable>, Stage)> {
    let stage = stage_of(ctx, command, kind)?;
    ctx.refresh_executable();
    let own = ctx.own_of_stage(stage);
    let executable = own.filter(|e| e.reflection().stages.has(stage)).map(Arc::clone);
    let Some(executable) = executable else {
        return Err(GlError::invalid_operation(format!("{command}: no program with a {} stage in use", stage.name())));
    };
    Ok((executable, stage))
}

pub fn UniformSubroutinesuiv(ctx: &mut Context, kind: GLenum, count: GLsizei, indices: ClientPtr<GLuint>) -> GlResult {
    let command = "glUniformSubroutinesuiv";
    let (executable, stage) = in_use(ctx, command, kind)?;
    let stage = subroutines(&executable, stage);
    let locations = stage.locations();
    if u32::try_from(count) != Ok(locations) {
        return Err(GlError::invalid_value(format!("{command}: count is {count} of {locations} locations")));
    }
    let indices = indices.read(locations as usize);
    let mut words = Vec::with_capacity(indices.len());
    for (location, index) in indices.iter().enumerate() {
        // GL 4.6 core 7.10: nothing is set when any index is wrong; locations without a uniform take anything.
        let Some((uniform, element)) = stage.at(location as u32) else { continue };
        if !stage.functions.iter().any(|f| f.1 == *index) {
            return Err(GlError::invalid_value(format!("{command}: there is no subroutine {index}")));
        }
        if !uniform.compatible.contains(index) {
            return Err(GlError::invalid_operation(format!(
                "{command}: subroutine {index} doesn't fit {}",
                uniform.name
            )));
        }
        words.push((word_of(uniform, element), *index));
    }
    for (word, index) in words {
        if executable.values().set(word, index, false) {
            ctx.dirty.insert(DirtySet::UNIFORMS);
        }
    }
    Ok(())
}

/// The word of the default block that holds what an element selects.
fn word_of(uniform: &SubroutineUniform, element: u32) -> u32 {
    (uniform.offset + element * uniform.stride) / 4
}

pub fn GetUniformSubroutineuiv(
    ctx: &mut Context,
    kind: GLenum,
    location: GLint,
    params: ClientPtrMut<GLuint>,
) -> GlResult {
    let command = "glGetUniformSubroutineuiv";
    let (executable, stage) = in_use(ctx, command, kind)?;
    let stage = subroutines(&executable, stage);
    let location = u32::try_from(location).ok().filter(|location| *location < stage.locations());
    let Some(location) = location else {
        return Err(GlError::invalid_value(format!("{command}: no such location")));
    };
    let value = stage.at(location).map_or(0, |(uniform, element)| executable.values().word(word_of(uniform, element)));
    params.write(&[value]);
    Ok(())
}

pub fn GetSubroutineUniformLocation(
    ctx: &mut Context,
    program: GLuint,
    kind: GLenum,
    name: ClientPtr<GLchar>,
) -> GlResult<GLint> {
    let (executable, stage) = of_program(ctx, "glGetSubroutineUniformLocation", program, kind)?;
    let location = subroutines(&executable, stage).location(&name_text(name));
    Ok(location.map_or(-1, |location| location as GLint))
}

pub fn GetSubroutineIndex(
    ctx: &mut Context,
    program: GLuint,
    kind: GLenum,
    name: ClientPtr<GLchar>,
) -> GlResult<GLuint> {
    let (executable, stage) = of_program(ctx, "glGetSubroutineIndex", program, kind)?;
    let stage = subroutines(&executable, stage);
    let name = name_text(name);
    Ok(stage.functions.iter().find(|f| f.0 == name).map_or(GL_INVALID_INDEX, |f| f.1))
}

/// An active subroutine uniform by index.
fn active<'a>(command: &'static str, stage: &'a StageSubroutines, index: GLuint) -> GlResult<&'a SubroutineUniform> {
    let uniform = stage.uniforms.get(index as usize);
    uniform.ok_or_else(|| GlError::invalid_value(format!("{command}: there is no subroutine uniform {index}")))
}

pub fn GetActiveSubroutineUniformiv(
    ctx: &mut Context,
    program: GLuint,
    kind: GLenum,
    index: GLuint,
    pname: GLenum,
    values: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetActiveSubroutineUniformiv";
    let (executable, stage) = of_program(ctx, command, program, kind)?;
    let stage = subroutines(&executable, stage);
    let uniform = active(command, stage, index)?;
    match pname {
        GL_NUM_COMPATIBLE_SUBROUTINES => values.write(&[uniform.compatible.len() as GLint]),
        GL_COMPATIBLE_SUBROUTINES => {
            values.write(&uniform.compatible.iter().map(|i| *i as GLint).collect::<Vec<_>>());
        }
        GL_UNIFORM_SIZE => values.write(&[uniform.array_size as GLint]),
        GL_UNIFORM_NAME_LENGTH => values.write(&[uniform.name.len() as GLint + 1]),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    }
    Ok(())
}

pub fn GetActiveSubroutineUniformName(
    ctx: &mut Context,
    program: GLuint,
    kind: GLenum,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetActiveSubroutineUniformName";
    let (executable, stage) = of_program(ctx, command, program, kind)?;
    let stage = subroutines(&executable, stage);
    check_buf_size(command, buf_size)?;
    name.write_string(buf_size, length, active(command, stage, index)?.name.as_bytes());
    Ok(())
}

pub fn GetActiveSubroutineName(
    ctx: &mut Context,
    program: GLuint,
    kind: GLenum,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetActiveSubroutineName";
    let (executable, stage) = of_program(ctx, command, program, kind)?;
    let stage = subroutines(&executable, stage);
    check_buf_size(command, buf_size)?;
    let Some(function) = stage.functions.iter().find(|f| f.1 == index) else {
        return Err(GlError::invalid_value(format!("{command}: there is no subroutine {index}")));
    };
    name.write_string(buf_size, length, function.0.as_bytes());
    Ok(())
}

pub fn GetProgramStageiv(
    ctx: &mut Context,
    program: GLuint,
    kind: GLenum,
    pname: GLenum,
    values: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetProgramStageiv";
    let stage = stage_of(ctx, command, kind)?;
    // GL 4.6 core 7.13: a program that isn't linked has none of them.
    let found = super::programs::program(ctx, command, program)?;
    let executable = found.state.lock().linked().map(Arc::clone);
    let found = executable.as_ref().map_or(&NONE, |executable| subroutines(executable, stage));
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().map_or(0, |most| most as GLint + 1);
    let value = match pname {
        GL_ACTIVE_SUBROUTINE_UNIFORMS => found.uniforms.len() as GLint,
        GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS => found.locations() as GLint,
        GL_ACTIVE_SUBROUTINES => found.functions.len() as GLint,
        GL_ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH => longest(&mut found.uniforms.iter().map(|u| u.name.len())),
        GL_ACTIVE_SUBROUTINE_MAX_LENGTH => longest(&mut found.functions.iter().map(|f| f.0.len())),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    values.write(&[value]);
    Ok(())
}
