//! Shaders and programs by one kind of handle, as programs of OpenGL 1.5 know them (ARB_shader_objects).

use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;

use super::{program_queries, programs, shaders};

fn is_program(ctx: &mut Context, object: GLhandleARB) -> bool {
    programs::IsProgram(ctx, object) == GL_TRUE as GLboolean
}

pub fn DeleteObjectARB(ctx: &mut Context, object: GLhandleARB) -> GlResult {
    if is_program(ctx, object) { programs::DeleteProgram(ctx, object) } else { shaders::DeleteShader(ctx, object) }
}

/// The object in use.
pub fn GetHandleARB(ctx: &mut Context, pname: GLenum) -> GlResult<GLhandleARB> {
    if pname != GL_PROGRAM_OBJECT_ARB {
        return Err(GlError::invalid_enum(format!("glGetHandleARB: pname 0x{pname:04X}")));
    }
    Ok(ctx.current_program().map_or(0, |program| program.header.name))
}

pub fn GetInfoLogARB(
    ctx: &mut Context,
    object: GLhandleARB,
    max_length: GLsizei,
    length: ClientPtrMut<GLsizei>,
    log: ClientPtrMut<GLcharARB>,
) -> GlResult {
    if is_program(ctx, object) {
        program_queries::GetProgramInfoLog(ctx, object, max_length, length, log)
    } else {
        shaders::GetShaderInfoLog(ctx, object, max_length, length, log)
    }
}

pub fn GetAttachedObjectsARB(
    ctx: &mut Context,
    container: GLhandleARB,
    max_count: GLsizei,
    count: ClientPtrMut<GLsizei>,
    objects: ClientPtrMut<GLhandleARB>,
) -> GlResult {
    program_queries::GetAttachedShaders(ctx, container, max_count, count, objects)
}

pub fn GetObjectParameterivARB(
    ctx: &mut Context,
    object: GLhandleARB,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    params.write(&[parameter(ctx, "glGetObjectParameterivARB", object, pname)?]);
    Ok(())
}

pub fn GetObjectParameterfvARB(
    ctx: &mut Context,
    object: GLhandleARB,
    pname: GLenum,
    params: ClientPtrMut<GLfloat>,
) -> GlResult {
    params.write(&[parameter(ctx, "glGetObjectParameterfvARB", object, pname)? as GLfloat]);
    Ok(())
}

/// A property of an object. ARB_shader_objects 6.1.12: INVALID_OPERATION where objects of its kind have none such.
fn parameter(ctx: &mut Context, command: &str, object: GLhandleARB, pname: GLenum) -> GlResult<GLint> {
    let [of_shaders, of_programs] = match pname {
        GL_OBJECT_TYPE_ARB | GL_OBJECT_DELETE_STATUS_ARB | GL_OBJECT_INFO_LOG_LENGTH_ARB => [true, true],
        GL_OBJECT_SUBTYPE_ARB | GL_OBJECT_COMPILE_STATUS_ARB | GL_OBJECT_SHADER_SOURCE_LENGTH_ARB => [true, false],
        GL_OBJECT_LINK_STATUS_ARB
        | GL_OBJECT_VALIDATE_STATUS_ARB
        | GL_OBJECT_ATTACHED_OBJECTS_ARB
        | GL_OBJECT_ACTIVE_UNIFORMS_ARB
        | GL_OBJECT_ACTIVE_UNIFORM_MAX_LENGTH_ARB
        | GL_OBJECT_ACTIVE_ATTRIBUTES_ARB
        | GL_OBJECT_ACTIVE_ATTRIBUTE_MAX_LENGTH_ARB => [false, true],
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    let none = |kind: &str| Err(GlError::invalid_operation(format!("{command}: {kind} have no 0x{pname:04X}")));
    let mut value = [0];
    let out = ClientPtrMut::from_mut_slice(&mut value);
    if is_program(ctx, object) {
        match pname {
            GL_OBJECT_TYPE_ARB => return Ok(GL_PROGRAM_OBJECT_ARB as GLint),
            _ if !of_programs => return none("programs"),
            _ => program_queries::GetProgramiv(ctx, object, pname, out)?,
        }
    } else {
        // Asked of all, so that no object at all is INVALID_VALUE first.
        let is_own = of_shaders && !matches!(pname, GL_OBJECT_TYPE_ARB | GL_OBJECT_SUBTYPE_ARB);
        shaders::GetShaderiv(ctx, object, if is_own { pname } else { GL_SHADER_TYPE }, out)?;
        match pname {
            GL_OBJECT_TYPE_ARB => return Ok(GL_SHADER_OBJECT_ARB as GLint),
            _ if !of_shaders => return none("shaders"),
            _ => {}
        }
    }
    Ok(value[0])
}
