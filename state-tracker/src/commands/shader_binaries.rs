//! Shader binaries and their specialisation (GL 4.6 core 7.2). The one format is SPIR-V.

use std::sync::Arc;

use gallite_shader::{CompiledShader, SpirvModule};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;

use super::shaders::shader;

/// The name of the extension that the format is of.
pub(super) const EXTENSION: &str = "GL_ARB_gl_spirv";

/// The formats that glShaderBinary takes.
pub(super) fn formats(ctx: &Context) -> &'static [GLenum] {
    if ctx.extensions.has(EXTENSION) { &[GL_SHADER_BINARY_FORMAT_SPIR_V] } else { &[] }
}

pub fn ShaderBinary(
    ctx: &mut Context,
    count: GLsizei,
    shaders: ClientPtr<GLuint>,
    binaryFormat: GLenum,
    binary: ClientPtr<u8>,
    length: GLsizei,
) -> GlResult {
    let command = "glShaderBinary";
    let (Ok(count), Ok(length)) = (usize::try_from(count), usize::try_from(length)) else {
        return Err(GlError::invalid_value(format!("{command}: count {count}, length {length}")));
    };
    let mut objects = Vec::new();
    for &name in shaders.read(count).iter() {
        objects.push(shader(ctx, command, name)?);
    }
    if !formats(ctx).contains(&binaryFormat) {
        return Err(GlError::invalid_enum(format!("{command}: format 0x{binaryFormat:04X}")));
    }
    // GL 4.6 core 7.2: INVALID_VALUE for data that is not of the format.
    let module = SpirvModule::read(&binary.read(length))
        .map_err(|fault| GlError::invalid_value(format!("{command}: {fault}")))?;
    for object in objects {
        let mut state = object.state.lock();
        state.module = Some(module.clone());
        state.source = Vec::new();
        state.compiled = None;
    }
    Ok(())
}

pub fn SpecializeShader(
    ctx: &mut Context,
    name: GLuint,
    entry: ClientPtr<GLchar>,
    count: GLuint,
    indices: ClientPtr<GLuint>,
    values: ClientPtr<GLuint>,
) -> GlResult {
    let command = "glSpecializeShader";
    let shader = shader(ctx, command, name)?;
    let earlier = shader.state.lock().compiled.clone();
    // Without the lock: a wait for a compile keeps nobody from the object.
    let specialised = earlier.is_some_and(|earlier| earlier.wait().ok);
    let mut state = shader.state.lock();
    // GL 4.6 core 7.2.1: once for each time that a module was given.
    let Some(module) = state.module.clone().filter(|_| !specialised) else {
        return Err(GlError::invalid_operation(format!("{command}: {name} has no module that is to be specialised")));
    };
    let entry = String::from_utf8_lossy(entry.c_str()).into_owned();
    if !module.has_entry_point(shader.stage, &entry) {
        return Err(GlError::invalid_value(format!("{command}: there is no entry point {entry}")));
    }
    // Grown as they are read: nothing is reserved for a count that nobody vouches for.
    let mut constants = Vec::new();
    for index in 0..count as usize {
        let number = indices.read_at(index);
        if !module.has_constant(number) {
            return Err(GlError::invalid_value(format!("{command}: there is no specialisation constant {number}")));
        }
        constants.push((number, values.read_at(index)));
    }
    let (stage, device, options) = (shader.stage, Arc::clone(&ctx.device), ctx.compile_options().clone());
    let lost = CompiledShader::failed(stage, "error: the compiler failed on this module\n");
    let work = move || device.shaders.specialize(stage, &module, &entry, &constants, &options);
    state.compiled = Some(ctx.device.pool.submit(lost, work));
    Ok(())
}
