//! Shader objects (GL 4.6 core 7.1).

use std::sync::Arc;

use gallite_pipe::Features;
use gallite_shader::{CompiledShader, Stage};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::program::ShaderOrProgram;
use crate::objects::shader::Shader;

/// The shader of a name. GL 4.6 core 7.1: INVALID_VALUE for a name that is neither a program nor a shader,
/// INVALID_OPERATION for a program.
pub(super) fn shader(ctx: &Context, command: &str, name: GLuint) -> GlResult<Arc<Shader>> {
    match ctx.share.programs.lock().get(name) {
        Some(ShaderOrProgram::Shader(shader)) => Ok(Arc::clone(shader)),
        Some(ShaderOrProgram::Program(_)) => {
            Err(GlError::invalid_operation(format!("{command}: {name} is a program, not a shader")))
        }
        None => Err(GlError::invalid_value(format!("{command}: {name} is not the name of a shader"))),
    }
}

/// Frees the name of a deleted shader that no program has any more.
pub(super) fn release_if_deleted(ctx: &Context, shader: &Shader) {
    if shader.header.is_deleted() && !shader.is_attached() {
        ctx.share.programs.lock().remove(shader.header.name);
    }
}

/// The stage of a shader type; INVALID_ENUM for what is no type of this context.
pub(super) fn stage_of(ctx: &Context, command: &'static str, kind: GLenum) -> GlResult<Stage> {
    let features = ctx.device.caps.features;
    Ok(match kind {
        GL_VERTEX_SHADER => Stage::Vertex,
        GL_FRAGMENT_SHADER => Stage::Fragment,
        GL_GEOMETRY_SHADER if features.contains(Features::GEOMETRY_SHADER) => Stage::Geometry,
        GL_TESS_CONTROL_SHADER if features.contains(Features::TESSELLATION_SHADER) => Stage::TessControl,
        GL_TESS_EVALUATION_SHADER if features.contains(Features::TESSELLATION_SHADER) => Stage::TessEvaluation,
        GL_COMPUTE_SHADER if features.contains(Features::COMPUTE_SHADER) => Stage::Compute,
        _ => return Err(GlError::invalid_enum(format!("{command}: shader type 0x{kind:04X}"))),
    })
}

pub fn CreateShader(ctx: &mut Context, kind: GLenum) -> GlResult<GLuint> {
    let stage = stage_of(ctx, "glCreateShader", kind)?;
    let mut programs = ctx.share.programs.lock();
    let name = programs.generate();
    programs.insert(name, ShaderOrProgram::Shader(Arc::new(Shader::new(name, kind, stage))));
    Ok(name)
}

pub fn DeleteShader(ctx: &mut Context, name: GLuint) -> GlResult {
    if name == 0 {
        return Ok(());
    }
    let shader = shader(ctx, "glDeleteShader", name)?;
    shader.header.mark_deleted();
    release_if_deleted(ctx, &shader);
    Ok(())
}

pub fn IsShader(ctx: &mut Context, name: GLuint) -> GLboolean {
    matches!(ctx.share.programs.lock().get(name), Some(ShaderOrProgram::Shader(_))).into()
}

pub fn ShaderSource(
    ctx: &mut Context,
    name: GLuint,
    count: GLsizei,
    strings: ClientPtr<ClientPtr<GLchar>>,
    lengths: ClientPtr<GLint>,
) -> GlResult {
    let shader = shader(ctx, "glShaderSource", name)?;
    let count =
        usize::try_from(count).map_err(|_| GlError::invalid_value(format!("glShaderSource: count is {count}")))?;
    if count != 0 && strings.is_null() {
        return Err(GlError::invalid_value("glShaderSource: string is null"));
    }
    let mut source = Vec::new();
    for index in 0..count {
        let length = if lengths.is_null() { -1 } else { lengths.read_at(index) };
        source.extend_from_slice(&strings.read_at(index).string(length as isize));
    }
    let mut state = shader.state.lock();
    state.source = source;
    // GL 4.6 core 7.1: the module of a binary is one no more.
    state.module = None;
    Ok(())
}

pub fn CompileShader(ctx: &mut Context, name: GLuint) -> GlResult {
    let shader = shader(ctx, "glCompileShader", name)?;
    compile(ctx, &shader, Vec::new())
}

/// Compiles a shader object, whose includes are looked for at some places of the tree of named strings.
pub(super) fn compile(ctx: &Context, shader: &Shader, search: Vec<String>) -> GlResult {
    let mut state = shader.state.lock();
    if state.module.is_some() {
        // GL 4.6 core 7.1.
        let name = shader.header.name;
        return Err(GlError::invalid_operation(format!("{name} has a SPIR-V module, which is not compiled")));
    }
    let source = state.source.clone();
    let strings = Arc::clone(&ctx.share.named_strings.lock());
    let (stage, device, options) = (shader.stage, Arc::clone(&ctx.device), ctx.compile_options().clone());
    let lost = CompiledShader::failed(stage, "error: the compiler failed on this shader\n");
    state.compiled = Some(ctx.device.pool.submit(lost, move || {
        let expanded = strings.expand(&source, &search);
        let mut compiled = device.shaders.compile(stage, &String::from_utf8_lossy(&expanded.text), &options);
        compiled.log = expanded.log(compiled.log);
        compiled
    }));
    Ok(())
}

/// KHR_parallel_shader_compile: how many threads compile. 0 compiles in the commands themselves.
pub fn MaxShaderCompilerThreadsKHR(ctx: &mut Context, count: GLuint) {
    ctx.state.programs.compiler_threads = Some(count);
    ctx.device.pool.set_threads(count);
}

pub fn GetShaderiv(ctx: &mut Context, name: GLuint, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    let shader = shader(ctx, "glGetShaderiv", name)?;
    let state = shader.state.lock();
    let source_len = state.source.len();
    let is_spirv = state.module.is_some();
    let compiled = state.compiled.clone();
    // Without the lock: a wait for a compile keeps nobody from the object.
    drop(state);
    let outcome = || compiled.as_ref().map(|pending| pending.wait());
    let with_terminator = |len: usize| if len == 0 { 0 } else { len as GLint + 1 };
    let value = match pname {
        GL_SHADER_TYPE => shader.kind as GLint,
        GL_DELETE_STATUS => shader.header.is_deleted().into(),
        GL_COMPILE_STATUS => outcome().is_some_and(|c| c.ok).into(),
        GL_COMPLETION_STATUS_KHR => compiled.as_ref().is_none_or(|pending| pending.is_done()).into(),
        GL_INFO_LOG_LENGTH => with_terminator(outcome().map_or(0, |c| c.log.len())),
        GL_SPIR_V_BINARY if ctx.extensions.has(super::shader_binaries::EXTENSION) => is_spirv.into(),
        GL_SHADER_SOURCE_LENGTH => with_terminator(source_len),
        _ => return Err(GlError::invalid_enum(format!("glGetShaderiv: pname 0x{pname:04X}"))),
    };
    params.write(&[value]);
    Ok(())
}

pub fn GetShaderInfoLog(
    ctx: &mut Context,
    name: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    log: ClientPtrMut<GLchar>,
) -> GlResult {
    let shader = shader(ctx, "glGetShaderInfoLog", name)?;
    super::programs::check_buf_size("glGetShaderInfoLog", buf_size)?;
    let compiled = shader.state.lock().compiled.clone();
    let text = compiled.as_ref().map_or("", |pending| pending.wait().log.as_str());
    log.write_string(buf_size, length, text.as_bytes());
    Ok(())
}

pub fn GetShaderSource(
    ctx: &mut Context,
    name: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    source: ClientPtrMut<GLchar>,
) -> GlResult {
    let shader = shader(ctx, "glGetShaderSource", name)?;
    super::programs::check_buf_size("glGetShaderSource", buf_size)?;
    source.write_string(buf_size, length, &shader.state.lock().source);
    Ok(())
}

/// GL 4.6 core 7.1: a hint that compiler resources may go; ours live no longer than a compile.
pub fn ReleaseShaderCompiler(_ctx: &mut Context) {}

/// GL 4.6 core 7.14.
pub fn GetShaderPrecisionFormat(
    _ctx: &mut Context,
    shader_type: GLenum,
    precision_type: GLenum,
    range: ClientPtrMut<GLint>,
    precision: ClientPtrMut<GLint>,
) -> GlResult {
    if !matches!(shader_type, GL_VERTEX_SHADER | GL_FRAGMENT_SHADER) {
        return Err(GlError::invalid_enum(format!("glGetShaderPrecisionFormat: shader type 0x{shader_type:04X}")));
    }
    // Every precision is IEEE single or 32-bit two's complement.
    let (low_high, bits) = match precision_type {
        GL_LOW_FLOAT | GL_MEDIUM_FLOAT | GL_HIGH_FLOAT => ([127, 127], 23),
        GL_LOW_INT | GL_MEDIUM_INT | GL_HIGH_INT => ([31, 30], 0),
        _ => {
            return Err(GlError::invalid_enum(format!("glGetShaderPrecisionFormat: precision 0x{precision_type:04X}")));
        }
    };
    range.write(&low_high);
    precision.write(&[bits]);
    Ok(())
}
