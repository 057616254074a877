//! Parameters of framebuffers (GL 4.6 core 9.2.1, 9.2.3): what holds while nothing is attached.

use super::framebuffers::bound_name;
use super::read_pixels::preferred_pair;
use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::framebuffer::{Framebuffer, FramebufferDefaults};

fn bound(ctx: &Context, read: bool) -> &Framebuffer {
    if read { ctx.read_framebuffer() } else { ctx.draw_framebuffer() }
}

/// Stores a parameter.
pub(super) fn set(ctx: &mut Context, command: &'static str, name: GLuint, pname: GLenum, param: GLint) -> GlResult {
    let limits = &ctx.limits;
    let most = match pname {
        GL_FRAMEBUFFER_DEFAULT_WIDTH => limits.framebuffer_width,
        GL_FRAMEBUFFER_DEFAULT_HEIGHT => limits.framebuffer_height,
        GL_FRAMEBUFFER_DEFAULT_LAYERS => limits.framebuffer_layers,
        GL_FRAMEBUFFER_DEFAULT_SAMPLES => limits.framebuffer_samples,
        GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS => GLint::MAX,
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    let boolean = pname == GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS;
    if !boolean && (param < 0 || param > most) {
        return Err(GlError::invalid_value(format!("{command}: {param}, the limit is {most}")));
    }
    let Some(framebuffer) = ctx.framebuffers.get_mut(name) else {
        return Err(GlError::invalid_operation(format!("{command}: the default framebuffer")));
    };
    let defaults = &mut framebuffer.defaults;
    let value = param as u32;
    match pname {
        GL_FRAMEBUFFER_DEFAULT_WIDTH => defaults.width = value,
        GL_FRAMEBUFFER_DEFAULT_HEIGHT => defaults.height = value,
        GL_FRAMEBUFFER_DEFAULT_LAYERS => defaults.layers = value,
        GL_FRAMEBUFFER_DEFAULT_SAMPLES => defaults.samples = value,
        _ => defaults.fixed_samples = param != 0,
    }
    ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    Ok(())
}

/// Reads a parameter of a framebuffer, seen as the draw or the read one of a window.
pub(super) fn get(
    ctx: &Context,
    command: &'static str,
    framebuffer: &Framebuffer,
    read: bool,
    pname: GLenum,
) -> GlResult<GLint> {
    let FramebufferDefaults { width, height, layers, samples, fixed_samples } = framebuffer.defaults;
    let user = framebuffer.header.name != 0;
    let surface = if read { &ctx.state.framebuffers.read_surface } else { &ctx.state.framebuffers.draw_surface };
    Ok(match pname {
        GL_FRAMEBUFFER_DEFAULT_WIDTH if user => width as GLint,
        GL_FRAMEBUFFER_DEFAULT_HEIGHT if user => height as GLint,
        GL_FRAMEBUFFER_DEFAULT_LAYERS if user => layers as GLint,
        GL_FRAMEBUFFER_DEFAULT_SAMPLES if user => samples as GLint,
        GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS if user => fixed_samples.into(),
        GL_FRAMEBUFFER_DEFAULT_WIDTH
        | GL_FRAMEBUFFER_DEFAULT_HEIGHT
        | GL_FRAMEBUFFER_DEFAULT_LAYERS
        | GL_FRAMEBUFFER_DEFAULT_SAMPLES
        | GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS => {
            return Err(GlError::invalid_operation(format!("{command}: the default framebuffer")));
        }
        GL_DOUBLEBUFFER => (!user && surface.buffers.double_buffered).into(),
        GL_STEREO => 0,
        GL_SAMPLES => ctx.framebuffer_samples(framebuffer, surface) as GLint,
        GL_SAMPLE_BUFFERS => (ctx.framebuffer_samples(framebuffer, surface) > 0).into(),
        GL_IMPLEMENTATION_COLOR_READ_FORMAT | GL_IMPLEMENTATION_COLOR_READ_TYPE => {
            let image = if user {
                let index = framebuffer.read_buffer.checked_sub(GL_COLOR_ATTACHMENT0);
                index.and_then(|index| framebuffer.color.get(index as usize)).and_then(|a| a.resolve())
            } else {
                ctx.read_color_image()
            };
            let image = image
                .ok_or_else(|| GlError::invalid_operation(format!("{command}: there is no colour buffer to read")))?;
            let [format, kind] = preferred_pair(Some(&image));
            (if pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT { format } else { kind }) as GLint
        }
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    })
}

pub fn FramebufferParameteri(ctx: &mut Context, target: GLenum, pname: GLenum, param: GLint) -> GlResult {
    let command = "glFramebufferParameteri";
    let name = bound_name(ctx, command, target)?;
    set(ctx, command, name, pname, param)
}

pub fn GetFramebufferParameteriv(
    ctx: &mut Context,
    target: GLenum,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetFramebufferParameteriv";
    bound_name(ctx, command, target)?;
    let read = target == GL_READ_FRAMEBUFFER;
    params.write(&[get(ctx, command, bound(ctx, read), read, pname)?]);
    Ok(())
}
