//! What a linked program says about itself (GL 4.6 core 7.13, and the 3.x queries of chapter 7.3.1).

use gallite_shader::Stage;
use gallite_shader::reflection::{Reflection, Uniform, UniformBlock, find_variable, told_name};
use gallite_shader::stage::StageMask;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::Executable;
use crate::objects::program::ProgramObjectState;

use super::programs::{check_buf_size, linked, name_text, program, unsettled};

pub(super) fn length_with_terminator(len: usize) -> GLint {
    len as GLint + 1
}

pub(super) fn longest<'a>(names: impl Iterator<Item = &'a str>) -> GLint {
    names.map(|n| length_with_terminator(told_name(n).len())).max().unwrap_or(0)
}

pub fn GetProgramiv(ctx: &mut Context, name: GLuint, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    if pname == GL_COMPLETION_STATUS_KHR {
        // The one question that doesn't wait for the link.
        let program = unsettled(ctx, "glGetProgramiv", name)?;
        let done = program.state.lock().link.as_ref().is_none_or(|link| link.is_done());
        params.write(&[done.into()]);
        return Ok(());
    }
    let program = program(ctx, "glGetProgramiv", name)?;
    let state = program.state.lock();
    if pname == GL_COMPUTE_WORK_GROUP_SIZE {
        // GL 4.6 core 7.13: INVALID_OPERATION when the program isn't linked or has no compute shader.
        let info = state.linked().and_then(|e| e.reflection().compute).ok_or_else(|| {
            GlError::invalid_operation("glGetProgramiv: the program is not linked with a compute shader")
        })?;
        params.write(&info.group_size.map(|n| n as GLint));
        return Ok(());
    }
    let value = match pname {
        GL_DELETE_STATUS => program.header.is_deleted().into(),
        GL_LINK_STATUS => state.link_ok.into(),
        GL_VALIDATE_STATUS => state.validate_ok.into(),
        GL_PROGRAM_SEPARABLE => state.separable.into(),
        GL_INFO_LOG_LENGTH if state.log.is_empty() => 0,
        GL_INFO_LOG_LENGTH => length_with_terminator(state.log.len()),
        GL_PROGRAM_BINARY_RETRIEVABLE_HINT => state.binary_retrievable.into(),
        GL_PROGRAM_BINARY_LENGTH => {
            state.linked().map_or(0, |executable| super::program_binaries::binary(ctx, executable).len()) as GLint
        }
        GL_ATTACHED_SHADERS => state.shaders.len() as GLint,
        GL_GEOMETRY_VERTICES_OUT
        | GL_GEOMETRY_INPUT_TYPE
        | GL_GEOMETRY_OUTPUT_TYPE
        | GL_GEOMETRY_SHADER_INVOCATIONS => geometry(&state, pname)?,
        GL_TESS_CONTROL_OUTPUT_VERTICES
        | GL_TESS_GEN_MODE
        | GL_TESS_GEN_SPACING
        | GL_TESS_GEN_VERTEX_ORDER
        | GL_TESS_GEN_POINT_MODE => tessellation(&state, pname)?,
        _ => reflected(&state, pname)?,
    };
    params.write(&[value]);
    Ok(())
}

/// GL 4.6 core 7.13: INVALID_OPERATION when the program isn't linked or has no geometry shader.
fn geometry(state: &ProgramObjectState, pname: GLenum) -> GlResult<GLint> {
    let info = state.linked().and_then(|e| e.reflection().geometry).ok_or_else(|| {
        GlError::invalid_operation("glGetProgramiv: the program is not linked with a geometry shader")
    })?;
    Ok(match pname {
        GL_GEOMETRY_VERTICES_OUT => info.vertices_out,
        GL_GEOMETRY_INPUT_TYPE => info.input,
        GL_GEOMETRY_SHADER_INVOCATIONS => info.invocations,
        _ => info.output,
    } as GLint)
}

/// GL 4.6 core 7.13: INVALID_OPERATION when the program isn't linked or lacks the stage.
fn tessellation(state: &ProgramObjectState, pname: GLenum) -> GlResult<GLint> {
    let stage = if pname == GL_TESS_CONTROL_OUTPUT_VERTICES { Stage::TessControl } else { Stage::TessEvaluation };
    let info = state.linked().filter(|e| e.reflection().stages.has(stage)).and_then(|e| e.reflection().tessellation);
    let info = info.ok_or_else(|| {
        GlError::invalid_operation(format!("glGetProgramiv: the program is not linked with a {} shader", stage.name()))
    })?;
    Ok(match pname {
        GL_TESS_CONTROL_OUTPUT_VERTICES => info.vertices_out,
        GL_TESS_GEN_MODE => info.mode,
        GL_TESS_GEN_SPACING => info.spacing,
        GL_TESS_GEN_VERTEX_ORDER => info.order,
        _ => info.point_mode.into(),
    } as GLint)
}

/// Properties that come from the last successful link, or the defaults of an unlinked program.
fn reflected(state: &ProgramObjectState, pname: GLenum) -> GlResult<GLint> {
    let empty = Reflection::default();
    let reflection = state.linked().map_or(&empty, |e| e.reflection());
    Ok(match pname {
        GL_ACTIVE_ATTRIBUTES => reflection.attributes.len() as GLint,
        GL_ACTIVE_ATTRIBUTE_MAX_LENGTH => longest(reflection.attributes.iter().map(|a| a.name.as_str())),
        GL_ACTIVE_UNIFORMS => reflection.uniforms.len() as GLint,
        GL_ACTIVE_UNIFORM_MAX_LENGTH => longest(reflection.uniforms.iter().map(|u| u.name.as_str())),
        GL_ACTIVE_ATOMIC_COUNTER_BUFFERS => reflection.atomic_buffers.len() as GLint,
        GL_ACTIVE_UNIFORM_BLOCKS => reflection.blocks.len() as GLint,
        GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH => longest(reflection.blocks.iter().map(|b| b.name.as_str())),
        // These two answer for the next link until there is one (GL 4.6 core 7.13).
        GL_TRANSFORM_FEEDBACK_VARYINGS => state.linked().map_or(0, |e| e.reflection().xfb.len()) as GLint,
        GL_TRANSFORM_FEEDBACK_BUFFER_MODE => match state.xfb_mode {
            gallite_shader::XfbMode::Interleaved => GL_INTERLEAVED_ATTRIBS as GLint,
            gallite_shader::XfbMode::Separate => GL_SEPARATE_ATTRIBS as GLint,
        },
        GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH => longest(reflection.xfb.iter().map(|x| x.name.as_str())),
        _ => return Err(GlError::invalid_enum(format!("glGetProgramiv: pname 0x{pname:04X}"))),
    })
}

pub fn GetProgramInfoLog(
    ctx: &mut Context,
    name: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    log: ClientPtrMut<GLchar>,
) -> GlResult {
    let program = program(ctx, "glGetProgramInfoLog", name)?;
    check_buf_size("glGetProgramInfoLog", buf_size)?;
    log.write_string(buf_size, length, program.state.lock().log.as_bytes());
    Ok(())
}

pub fn GetAttachedShaders(
    ctx: &mut Context,
    name: GLuint,
    max_count: GLsizei,
    count: ClientPtrMut<GLsizei>,
    shaders: ClientPtrMut<GLuint>,
) -> GlResult {
    let program = program(ctx, "glGetAttachedShaders", name)?;
    let max = usize::try_from(max_count)
        .map_err(|_| GlError::invalid_value(format!("glGetAttachedShaders: maxCount is {max_count}")))?;
    let names: Vec<GLuint> = program.state.lock().shaders.iter().take(max).map(|s| s.header.name).collect();
    count.write(&[names.len() as GLsizei]);
    shaders.write(&names);
    Ok(())
}

pub fn GetAttribLocation(ctx: &mut Context, name: GLuint, attribute: ClientPtr<GLchar>) -> GlResult<GLint> {
    let executable = linked(ctx, "glGetAttribLocation", name)?;
    let reflection = executable.reflection();
    let found = find_variable(&reflection.program_inputs, &name_text(attribute));
    Ok(found.filter(|_| reflection.stages.has(Stage::Vertex)).map_or(-1, |(_, location)| location))
}

/// Writes what GetActiveAttrib and GetActiveUniform return.
struct ActiveOut {
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    size: ClientPtrMut<GLint>,
    kind: ClientPtrMut<GLenum>,
    name: ClientPtrMut<GLchar>,
}

impl ActiveOut {
    fn write(self, name: &str, kind: GLenum, size: u32) {
        self.size.write(&[size as GLint]);
        self.kind.write(&[kind]);
        self.name.write_string(self.buf_size, self.length, told_name(name).as_bytes());
    }
}

/// Finds entry `index` of a list of the program's reflection and hands it on. INVALID_VALUE when there is none.
fn with_active<T>(
    ctx: &Context,
    command: &'static str,
    name: GLuint,
    buf_size: GLsizei,
    index: GLuint,
    list: impl for<'a> Fn(&'a Executable) -> &'a Vec<T>,
    work: impl FnOnce(&T),
) -> GlResult {
    let program = program(ctx, command, name)?;
    check_buf_size(command, buf_size)?;
    let state = program.state.lock();
    let entry = state.linked().and_then(|e| list(e).get(index as usize));
    work(entry.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?);
    Ok(())
}

pub fn GetActiveAttrib(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    size: ClientPtrMut<GLint>,
    kind: ClientPtrMut<GLenum>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetActiveAttrib";
    with_active(
        ctx,
        command,
        program_name,
        buf_size,
        index,
        |e| &e.reflection().attributes,
        |attribute| {
            ActiveOut { buf_size, length, size, kind, name }.write(&attribute.name, attribute.ty, attribute.array_size);
        },
    )
}

pub fn GetActiveUniform(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    size: ClientPtrMut<GLint>,
    kind: ClientPtrMut<GLenum>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetActiveUniform";
    with_active(
        ctx,
        command,
        program_name,
        buf_size,
        index,
        |e| &e.reflection().uniforms,
        |uniform| {
            ActiveOut { buf_size, length, size, kind, name }.write(&uniform.name, uniform.ty, uniform.array_size);
        },
    )
}

pub fn GetActiveUniformName(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetActiveUniformName";
    with_active(
        ctx,
        command,
        program_name,
        buf_size,
        index,
        |e| &e.reflection().uniforms,
        |uniform| {
            name.write_string(buf_size, length, told_name(&uniform.name).as_bytes());
        },
    )
}

pub fn GetUniformLocation(ctx: &mut Context, name: GLuint, uniform: ClientPtr<GLchar>) -> GlResult<GLint> {
    Ok(linked(ctx, "glGetUniformLocation", name)?.reflection().uniform_location(&name_text(uniform)))
}

pub fn GetUniformIndices(
    ctx: &mut Context,
    name: GLuint,
    count: GLsizei,
    names: ClientPtr<ClientPtr<GLchar>>,
    indices: ClientPtrMut<GLuint>,
) -> GlResult {
    let command = "glGetUniformIndices";
    let program = program(ctx, command, name)?;
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value(format!("{command}: count is {count}")))?;
    let state = program.state.lock();
    for index in 0..count {
        let found = state.linked().and_then(|e| e.reflection().uniform_index(&name_text(names.read_at(index))));
        indices.write_at(index, found.unwrap_or(GL_INVALID_INDEX));
    }
    Ok(())
}

/// How a property of a uniform is read; `None` for an unknown one.
fn uniform_property(pname: GLenum) -> Option<fn(&Uniform) -> GLint> {
    Some(match pname {
        GL_UNIFORM_TYPE => |u| u.ty as GLint,
        GL_UNIFORM_SIZE => |u| u.array_size as GLint,
        GL_UNIFORM_NAME_LENGTH => |u| length_with_terminator(told_name(&u.name).len()),
        GL_UNIFORM_BLOCK_INDEX => |u| u.block,
        GL_UNIFORM_OFFSET => |u| u.offset,
        GL_UNIFORM_ARRAY_STRIDE => |u| u.array_stride,
        GL_UNIFORM_MATRIX_STRIDE => |u| u.matrix_stride,
        GL_UNIFORM_IS_ROW_MAJOR => |u| u.row_major.into(),
        GL_UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX => |u| u.atomic_buffer,
        _ => return None,
    })
}

pub fn GetActiveUniformsiv(
    ctx: &mut Context,
    name: GLuint,
    count: GLsizei,
    indices: ClientPtr<GLuint>,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetActiveUniformsiv";
    let program = program(ctx, command, name)?;
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value(format!("{command}: count is {count}")))?;
    let state = program.state.lock();
    let empty = Reflection::default();
    let reflection = state.linked().map_or(&empty, |e| e.reflection());
    let mut values = Vec::with_capacity(count.min(reflection.uniforms.len()));
    let property =
        || uniform_property(pname).ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
    for index in indices.read(count).iter() {
        let uniform = reflection.uniforms.get(*index as usize);
        let uniform = uniform.ok_or_else(|| GlError::invalid_value(format!("{command}: index {index}")))?;
        values.push(property()?(uniform));
    }
    // With no index there is still a pname to check.
    property()?;
    params.write(&values);
    Ok(())
}

pub fn GetUniformBlockIndex(ctx: &mut Context, name: GLuint, block: ClientPtr<GLchar>) -> GlResult<GLuint> {
    let program = program(ctx, "glGetUniformBlockIndex", name)?;
    let state = program.state.lock();
    let wanted = name_text(block);
    let index = state.linked().and_then(|e| e.reflection().blocks.iter().position(|b| matches(&b.name, &wanted)));
    Ok(index.map_or(GL_INVALID_INDEX, |i| i as GLuint))
}

/// Whether a block's name is the wanted one; `B` also finds `B[0]` (GL 4.6 core 7.3.1.1).
pub(super) fn matches(name: &str, wanted: &str) -> bool {
    // What has no name is found by none.
    !wanted.is_empty() && (name == wanted || name.strip_suffix("[0]") == Some(wanted))
}

pub fn GetActiveUniformBlockName(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetActiveUniformBlockName";
    with_active(
        ctx,
        command,
        program_name,
        buf_size,
        index,
        |e| &e.reflection().blocks,
        |block| {
            name.write_string(buf_size, length, told_name(&block.name).as_bytes());
        },
    )
}

pub fn GetActiveUniformBlockiv(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetActiveUniformBlockiv";
    let program = program(ctx, command, program_name)?;
    let state = program.state.lock();
    let executable = state.linked();
    let block = executable.and_then(|e| Some((e, e.reflection().blocks.get(index as usize)?)));
    let (executable, block) = block.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?;
    if pname == GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES {
        params.write(&block.members.iter().map(|m| *m as GLint).collect::<Vec<_>>());
        return Ok(());
    }
    let value = block_property(executable, index, block, pname);
    params.write(&[value.ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))?]);
    Ok(())
}

/// Whether the stage that a property names, of six in the order of the pipeline, is among `stages`.
fn referenced(stages: StageMask, names: &[GLenum; Stage::COUNT], pname: GLenum) -> Option<GLint> {
    let stage = names.iter().position(|name| *name == pname)?;
    Some(stages.has(Stage::ALL[stage]).into())
}

const BLOCK_REFERENCED: [GLenum; Stage::COUNT] = [
    GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER,
    GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_CONTROL_SHADER,
    GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_EVALUATION_SHADER,
    GL_UNIFORM_BLOCK_REFERENCED_BY_GEOMETRY_SHADER,
    GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER,
    GL_UNIFORM_BLOCK_REFERENCED_BY_COMPUTE_SHADER,
];

const COUNTERS_REFERENCED: [GLenum; Stage::COUNT] = [
    GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_VERTEX_SHADER,
    GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TESS_CONTROL_SHADER,
    GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TESS_EVALUATION_SHADER,
    GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_GEOMETRY_SHADER,
    GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_FRAGMENT_SHADER,
    GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_COMPUTE_SHADER,
];

fn block_property(executable: &Executable, index: GLuint, block: &UniformBlock, pname: GLenum) -> Option<GLint> {
    Some(match pname {
        GL_UNIFORM_BLOCK_BINDING => executable.block_binding(index as usize)? as GLint,
        GL_UNIFORM_BLOCK_DATA_SIZE => block.data_size as GLint,
        GL_UNIFORM_BLOCK_NAME_LENGTH => length_with_terminator(told_name(&block.name).len()),
        GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS => block.members.len() as GLint,
        _ => return referenced(block.stages, &BLOCK_REFERENCED, pname),
    })
}

pub fn GetActiveAtomicCounterBufferiv(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetActiveAtomicCounterBufferiv";
    let program = program(ctx, command, program_name)?;
    let state = program.state.lock();
    let buffer = state.linked().and_then(|e| e.reflection().atomic_buffers.get(index as usize));
    let buffer = buffer.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?;
    let value = match pname {
        GL_ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTER_INDICES => {
            params.write(&buffer.members.iter().map(|m| *m as GLint).collect::<Vec<_>>());
            return Ok(());
        }
        GL_ATOMIC_COUNTER_BUFFER_BINDING => buffer.binding as GLint,
        GL_ATOMIC_COUNTER_BUFFER_DATA_SIZE => buffer.data_size as GLint,
        GL_ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTERS => buffer.members.len() as GLint,
        _ => referenced(buffer.stages, &COUNTERS_REFERENCED, pname)
            .ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))?,
    };
    params.write(&[value]);
    Ok(())
}

pub fn GetFragDataLocation(ctx: &mut Context, name: GLuint, output: ClientPtr<GLchar>) -> GlResult<GLint> {
    let executable = linked(ctx, "glGetFragDataLocation", name)?;
    Ok(find_color(&executable, &name_text(output)).map_or(-1, |(location, _)| location))
}

pub fn GetFragDataIndex(ctx: &mut Context, name: GLuint, output: ClientPtr<GLchar>) -> GlResult<GLint> {
    let executable = linked(ctx, "glGetFragDataIndex", name)?;
    Ok(find_color(&executable, &name_text(output)).map_or(-1, |(_, index)| index))
}

/// Colour number and index of a fragment output.
pub(super) fn find_color(executable: &Executable, wanted: &str) -> Option<(GLint, GLint)> {
    let reflection = executable.reflection();
    let (output, location) = find_variable(&reflection.program_outputs, wanted)?;
    (reflection.stages.has(Stage::Fragment) && location >= 0).then_some((location, output.index as GLint))
}

pub fn GetTransformFeedbackVarying(
    ctx: &mut Context,
    program_name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    size: ClientPtrMut<GLsizei>,
    kind: ClientPtrMut<GLenum>,
    name: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetTransformFeedbackVarying";
    let executable = linked(ctx, command, program_name)?;
    check_buf_size(command, buf_size)?;
    let varying = executable.reflection().xfb.get(index as usize);
    let varying = varying.ok_or_else(|| GlError::invalid_value(format!("{command}: index is {index}")))?;
    ActiveOut { buf_size, length, size, kind, name }.write(&varying.name, varying.ty, varying.array_size);
    Ok(())
}
