//! Renderbuffer objects (GL 4.6 core 9.2.4 to 9.2.6).

use std::sync::Arc;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::renderbuffer::{Renderbuffer, RenderbufferState};
use crate::objects::texture::TextureKind;
use crate::objects::texture_storage::Storage;
use crate::pixels::internal::{component, internal_format_for};

pub fn GenRenderbuffers(ctx: &mut Context, n: GLsizei, renderbuffers: ClientPtrMut<GLuint>) -> GlResult {
    ctx.share.renderbuffers.lock().generate_into("glGenRenderbuffers", n, renderbuffers)
}

pub fn DeleteRenderbuffers(ctx: &mut Context, n: GLsizei, renderbuffers: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteRenderbuffers", n)?;
    for name in renderbuffers.read(count).iter() {
        let Some(renderbuffer) = ctx.share.renderbuffers.lock().remove(*name) else { continue };
        renderbuffer.header.mark_deleted();
        if ctx.state.framebuffers.renderbuffer.as_ref().is_some_and(|r| Arc::ptr_eq(r, &renderbuffer)) {
            ctx.state.framebuffers.renderbuffer = None;
        }
        super::framebuffers::detach_from_bound(ctx, |attachment| attachment.is_renderbuffer(&renderbuffer));
    }
    Ok(())
}

pub fn IsRenderbuffer(ctx: &mut Context, name: GLuint) -> GLboolean {
    ctx.share.renderbuffers.lock().get(name).is_some().into()
}

fn check_target(command: &'static str, target: GLenum) -> GlResult {
    if target != GL_RENDERBUFFER {
        return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}")));
    }
    Ok(())
}

pub fn BindRenderbuffer(ctx: &mut Context, target: GLenum, name: GLuint) -> GlResult {
    check_target("glBindRenderbuffer", target)?;
    if name == 0 {
        ctx.state.framebuffers.renderbuffer = None;
        return Ok(());
    }
    let mut table = ctx.share.renderbuffers.lock();
    let renderbuffer = match table.get(name) {
        Some(renderbuffer) => Arc::clone(renderbuffer),
        None if !table.is_generated(name) && ctx.is_core() => {
            return Err(GlError::invalid_operation(format!("glBindRenderbuffer: {name} was not generated")));
        }
        None => {
            let renderbuffer = Arc::new(Renderbuffer::new(name));
            table.insert(name, Arc::clone(&renderbuffer));
            renderbuffer
        }
    };
    drop(table);
    ctx.state.framebuffers.renderbuffer = Some(renderbuffer);
    Ok(())
}

fn bound(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<Arc<Renderbuffer>> {
    check_target(command, target)?;
    let bound = ctx.state.framebuffers.renderbuffer.clone();
    bound.ok_or_else(|| GlError::invalid_operation(format!("{command}: no renderbuffer is bound")))
}

pub fn RenderbufferStorage(
    ctx: &mut Context,
    target: GLenum,
    internal_format: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    storage(ctx, "glRenderbufferStorage", target, 0, internal_format, [width, height])
}

pub fn RenderbufferStorageMultisample(
    ctx: &mut Context,
    target: GLenum,
    samples: GLsizei,
    internal_format: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    storage(ctx, "glRenderbufferStorageMultisample", target, samples, internal_format, [width, height])
}

fn storage(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    samples: GLsizei,
    internal_format: GLenum,
    size: [GLsizei; 2],
) -> GlResult {
    check_target(command, target)?;
    // GL 4.6 core 9.2.4: INVALID_ENUM for a format that can't be rendered to.
    let internal = internal_format_for(internal_format, ctx.is_compatibility())
        .filter(|i| i.is_color_renderable() || i.is_depth_stencil())
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: internal format 0x{internal_format:04X}")))?;
    let limit = ctx.limits.renderbuffer_size;
    if size.iter().any(|s| *s < 0 || *s > limit) || samples < 0 {
        return Err(GlError::invalid_value(format!("{command}: size {size:?}, samples {samples}")));
    }
    let format = ctx.device.choose_format(internal);
    let most = ctx.limits.renderbuffer_samples(internal);
    // GL 4.6 core 9.2.4: more samples than the limit are INVALID_VALUE, or INVALID_OPERATION for this format alone.
    if samples > ctx.limits.samples.max(ctx.limits.integer_samples) {
        return Err(GlError::invalid_value(format!("{command}: {samples} samples")));
    }
    let actual = if samples == 0 { Some(1) } else { ctx.device.supported_samples(format, samples as u32) };
    let Some(actual) = actual.filter(|_| samples <= most) else {
        return Err(GlError::invalid_operation(format!("{command}: {samples} samples in this format")));
    };
    let renderbuffer = bound(ctx, command, target)?;
    let [width, height] = size.map(|s| s as u32);
    let multisampled = samples > 0 && actual > 1;
    let kind = if multisampled { TextureKind::Multisample } else { TextureKind::D2 };
    let texels = (width != 0 && height != 0)
        .then(|| Storage::new(&ctx.device, kind, format, [width, height, 1], 1, if multisampled { actual } else { 1 }));
    if let Some(texels) = &texels
        && u64::from(width) * u64::from(height) >= 1 << 24
        && !texels.exists()
    {
        return Err(GlError::out_of_memory(format!("{command}: {width}x{height}")));
    }
    *renderbuffer.state.lock() = RenderbufferState {
        internal: Some(internal),
        format: Some(format),
        width,
        height,
        samples: if multisampled { actual } else { 0 },
        storage: texels,
    };
    renderbuffer.header.bump();
    ctx.shared_changed(DirtySet::FRAMEBUFFER);
    Ok(())
}

pub fn GetRenderbufferParameteriv(
    ctx: &mut Context,
    target: GLenum,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetRenderbufferParameteriv";
    let renderbuffer = bound(ctx, command, target)?;
    let state = renderbuffer.state.lock().clone();
    let bits = |query: GLenum| {
        let channel = state.internal.zip(state.format).and_then(|(i, f)| component(i.base, f, query));
        channel.map_or(0, |c| GLint::from(c.bits))
    };
    let value = match pname {
        GL_RENDERBUFFER_WIDTH => state.width as GLint,
        GL_RENDERBUFFER_HEIGHT => state.height as GLint,
        GL_RENDERBUFFER_INTERNAL_FORMAT => state.internal.map_or(GL_RGBA, |i| i.gl) as GLint,
        GL_RENDERBUFFER_SAMPLES => state.samples as GLint,
        GL_RENDERBUFFER_RED_SIZE => bits(GL_TEXTURE_RED_SIZE),
        GL_RENDERBUFFER_GREEN_SIZE => bits(GL_TEXTURE_GREEN_SIZE),
        GL_RENDERBUFFER_BLUE_SIZE => bits(GL_TEXTURE_BLUE_SIZE),
        GL_RENDERBUFFER_ALPHA_SIZE => bits(GL_TEXTURE_ALPHA_SIZE),
        GL_RENDERBUFFER_DEPTH_SIZE => bits(GL_TEXTURE_DEPTH_SIZE),
        GL_RENDERBUFFER_STENCIL_SIZE => bits(GL_TEXTURE_STENCIL_SIZE),
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    params.write(&[value]);
    Ok(())
}
