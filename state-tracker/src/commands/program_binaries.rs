//! Program binaries (GL 4.6 core 7.5): linked programs that a program keeps, and what it asks of its next link.

use std::sync::Arc;

use gallite_shader::{LegacyState, binary};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::{Executable, Recipe};
use crate::objects::program::Linked;

use super::programs::{check_buf_size, linked, program};

/// The one format. The registry has none for it; this number is of no extension there.
pub const FORMAT: GLenum = 0x6A11;

/// The binary of a linked program.
pub(super) fn binary(ctx: &Context, executable: &Executable) -> Vec<u8> {
    let inputs = executable.recipe.as_ref().map(|recipe| recipe.input(LegacyState::default()));
    binary::write(&executable.linked, inputs.as_ref(), ctx.compile_options())
}

pub fn GetProgramBinary(
    ctx: &mut Context,
    name: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    format: ClientPtrMut<GLenum>,
    data: ClientPtrMut<u8>,
) -> GlResult {
    let command = "glGetProgramBinary";
    check_buf_size(command, buf_size)?;
    let executable = linked(ctx, command, name)?;
    let bytes = binary(ctx, &executable);
    if bytes.len() > buf_size as usize {
        return Err(GlError::invalid_operation(format!("{command}: {buf_size} bytes for a binary of {}", bytes.len())));
    }
    length.write(&[bytes.len() as GLsizei]);
    format.write(&[FORMAT]);
    data.write(&bytes);
    Ok(())
}

pub fn ProgramBinary(
    ctx: &mut Context,
    name: GLuint,
    format: GLenum,
    data: ClientPtr<u8>,
    length: GLsizei,
) -> GlResult {
    let command = "glProgramBinary";
    let program = program(ctx, command, name)?;
    if format != FORMAT {
        return Err(GlError::invalid_enum(format!("{command}: binaryFormat 0x{format:04X} is not supported")));
    }
    let length =
        usize::try_from(length).map_err(|_| GlError::invalid_value(format!("{command}: length is {length}")))?;
    super::programs::check_relink(command, &program)?;
    let read = binary::read(&data.read(length), ctx.compile_options());
    let linked = match read {
        // Not an error of the command: the program has the shaders, and links them when it sees the status.
        None => Linked {
            executable: None,
            log: "error: the binary is damaged, or was made by another build or device\n".into(),
        },
        Some((read, inputs)) => {
            let read = Arc::new(read);
            let executable = match inputs {
                None => Executable::new(&ctx.device, read),
                Some(inputs) => {
                    let limits = Arc::clone(&ctx.compile_options().limits);
                    Executable::with_recipe(&ctx.device, read, Recipe::of(inputs, limits))
                }
            };
            Linked { executable: Some(executable), log: String::new() }
        }
    };
    // A binary that is refused leaves what was asked of the next link, which makes up for it.
    if let Some(executable) = &linked.executable {
        program.state.lock().separable = executable.is_separable();
    }
    program.take(&linked);
    ctx.share.bump_epoch();
    Ok(())
}

pub fn ProgramParameteri(ctx: &mut Context, name: GLuint, pname: GLenum, value: GLint) -> GlResult {
    let command = "glProgramParameteri";
    let program = super::programs::unsettled(ctx, command, name)?;
    if !matches!(pname, GL_PROGRAM_SEPARABLE | GL_PROGRAM_BINARY_RETRIEVABLE_HINT) {
        return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
    }
    let on = match value {
        0 => false,
        1 => true,
        _ => return Err(GlError::invalid_value(format!("{command}: value is {value}"))),
    };
    let mut state = program.state.lock();
    // Separability counts at the next link.
    *(if pname == GL_PROGRAM_SEPARABLE { &mut state.separable } else { &mut state.binary_retrievable }) = on;
    Ok(())
}
