//! Framebuffers and renderbuffers by name (GL 4.6 core 9).

use super::direct;
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::commands::{blit, clear, framebuffer_defaults, framebuffer_queries, framebuffers, renderbuffers};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;

/// Checks a name; 0 is the default framebuffer. GL 4.6 core 9.2: INVALID_OPERATION for what is no framebuffer.
fn check(ctx: &Context, command: &str, name: GLuint) -> GlResult {
    if name != 0 && ctx.framebuffers.get(name).is_none() {
        return Err(GlError::invalid_operation(format!("{command}: no framebuffer {name}")));
    }
    Ok(())
}

/// Runs a command with framebuffers bound for drawing and reading, as far as the tracker's state goes.
fn with_both<R>(
    ctx: &mut Context,
    command: &'static str,
    [draw, read]: [GLuint; 2],
    run: impl FnOnce(&mut Context) -> GlResult<R>,
) -> GlResult<R> {
    check(ctx, command, draw)?;
    check(ctx, command, read)?;
    let state = &mut ctx.state.framebuffers;
    let before = (std::mem::replace(&mut state.draw, draw), std::mem::replace(&mut state.read, read));
    let result = run(ctx).map_err(|error| error.said_by(command));
    let state = &mut ctx.state.framebuffers;
    (state.draw, state.read) = before;
    result
}

/// The same for verbs, which push the framebuffer: it is pushed again before anything else.
fn drawing<R>(
    ctx: &mut Context,
    command: &'static str,
    names: [GLuint; 2],
    run: impl FnOnce(&mut Context) -> GlResult<R>,
) -> GlResult<R> {
    ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    let result = with_both(ctx, command, names, run);
    ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    result
}

/// Runs a command on the draw framebuffer's target.
fn on<R>(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    run: impl FnOnce(&mut Context, GLenum) -> GlResult<R>,
) -> GlResult<R> {
    let read = ctx.state.framebuffers.read;
    with_both(ctx, command, [name, read], |ctx| run(ctx, GL_DRAW_FRAMEBUFFER))
}

/// Runs a verb on it.
fn draw_to<R>(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    run: impl FnOnce(&mut Context, GLenum) -> GlResult<R>,
) -> GlResult<R> {
    let read = ctx.state.framebuffers.read;
    drawing(ctx, command, [name, read], |ctx| run(ctx, GL_DRAW_FRAMEBUFFER))
}

/// Commands on the bound draw framebuffer, which take no target.
mod bound {
    use super::*;

    pub fn draw_buffer(ctx: &mut Context, _: GLenum, buffer: GLenum) -> GlResult {
        framebuffer_queries::DrawBuffer(ctx, buffer)
    }

    pub fn draw_buffers(ctx: &mut Context, _: GLenum, n: GLsizei, buffers: ClientPtr<GLenum>) -> GlResult {
        framebuffer_queries::DrawBuffers(ctx, n, buffers)
    }

    pub fn clear_iv(ctx: &mut Context, _: GLenum, buffer: GLenum, index: GLint, value: ClientPtr<GLint>) -> GlResult {
        clear::ClearBufferiv(ctx, buffer, index, value)
    }

    pub fn clear_uiv(ctx: &mut Context, _: GLenum, buffer: GLenum, index: GLint, value: ClientPtr<GLuint>) -> GlResult {
        clear::ClearBufferuiv(ctx, buffer, index, value)
    }

    pub fn clear_fv(ctx: &mut Context, _: GLenum, buffer: GLenum, index: GLint, value: ClientPtr<GLfloat>) -> GlResult {
        clear::ClearBufferfv(ctx, buffer, index, value)
    }

    pub fn clear_fi(
        ctx: &mut Context,
        _: GLenum,
        buffer: GLenum,
        index: GLint,
        depth: GLfloat,
        stencil: GLint,
    ) -> GlResult {
        clear::ClearBufferfi(ctx, buffer, index, depth, stencil)
    }
}

// gl-commands: NamedFramebufferRenderbuffer NamedFramebufferTexture NamedFramebufferTextureLayer
// gl-commands: NamedFramebufferDrawBuffer NamedFramebufferDrawBuffers GetNamedFramebufferAttachmentParameteriv
direct! {
    on;
    NamedFramebufferRenderbuffer(attachment: GLenum, renderbuffertarget: GLenum, renderbuffer: GLuint)
        => framebuffers::FramebufferRenderbuffer;
    NamedFramebufferTexture(attachment: GLenum, texture: GLuint, level: GLint) => framebuffers::FramebufferTexture;
    NamedFramebufferTextureLayer(attachment: GLenum, texture: GLuint, level: GLint, layer: GLint)
        => framebuffers::FramebufferTextureLayer;
    NamedFramebufferDrawBuffer(buf: GLenum) => bound::draw_buffer;
    NamedFramebufferDrawBuffers(n: GLsizei, bufs: ClientPtr<GLenum>) => bound::draw_buffers;
    GetNamedFramebufferAttachmentParameteriv(attachment: GLenum, pname: GLenum, params: ClientPtrMut<GLint>)
        => framebuffer_queries::GetFramebufferAttachmentParameteriv;
}

// gl-commands: InvalidateNamedFramebufferData InvalidateNamedFramebufferSubData ClearNamedFramebufferiv
// gl-commands: ClearNamedFramebufferuiv ClearNamedFramebufferfv ClearNamedFramebufferfi
direct! {
    draw_to;
    InvalidateNamedFramebufferData(count: GLsizei, attachments: ClientPtr<GLenum>)
        => framebuffer_queries::InvalidateFramebuffer;
    InvalidateNamedFramebufferSubData(
        count: GLsizei, attachments: ClientPtr<GLenum>, x: GLint, y: GLint, width: GLsizei, height: GLsizei
    ) => framebuffer_queries::InvalidateSubFramebuffer;
    ClearNamedFramebufferiv(buffer: GLenum, drawbuffer: GLint, value: ClientPtr<GLint>) => bound::clear_iv;
    ClearNamedFramebufferuiv(buffer: GLenum, drawbuffer: GLint, value: ClientPtr<GLuint>) => bound::clear_uiv;
    ClearNamedFramebufferfv(buffer: GLenum, drawbuffer: GLint, value: ClientPtr<GLfloat>) => bound::clear_fv;
    ClearNamedFramebufferfi(buffer: GLenum, drawbuffer: GLint, depth: GLfloat, stencil: GLint) => bound::clear_fi;
}

pub fn NamedFramebufferReadBuffer(ctx: &mut Context, framebuffer: GLuint, src: GLenum) -> GlResult {
    let draw = ctx.state.framebuffers.draw;
    with_both(ctx, "glNamedFramebufferReadBuffer", [draw, framebuffer], |ctx| framebuffer_queries::ReadBuffer(ctx, src))
}

pub fn CheckNamedFramebufferStatus(ctx: &mut Context, framebuffer: GLuint, target: GLenum) -> GlResult<GLenum> {
    let command = "glCheckNamedFramebufferStatus";
    // GL 4.6 core 9.4.2: the target only tells which window a name of zero means.
    with_both(ctx, command, [framebuffer; 2], |ctx| framebuffers::CheckFramebufferStatus(ctx, target))
}

pub fn NamedFramebufferParameteri(ctx: &mut Context, framebuffer: GLuint, pname: GLenum, param: GLint) -> GlResult {
    let command = "glNamedFramebufferParameteri";
    check(ctx, command, framebuffer)?;
    framebuffer_defaults::set(ctx, command, framebuffer, pname, param)
}

pub fn GetNamedFramebufferParameteriv(
    ctx: &mut Context,
    framebuffer: GLuint,
    pname: GLenum,
    param: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetNamedFramebufferParameteriv";
    check(ctx, command, framebuffer)?;
    let object = ctx.framebuffers.get(framebuffer).map_or(&ctx.default_framebuffer, |o| o);
    param.write(&[framebuffer_defaults::get(ctx, command, object, false, pname)?]);
    Ok(())
}

pub fn BlitNamedFramebuffer(
    ctx: &mut Context,
    readFramebuffer: GLuint,
    drawFramebuffer: GLuint,
    srcX0: GLint,
    srcY0: GLint,
    srcX1: GLint,
    srcY1: GLint,
    dstX0: GLint,
    dstY0: GLint,
    dstX1: GLint,
    dstY1: GLint,
    mask: GLbitfield,
    filter: GLenum,
) -> GlResult {
    drawing(ctx, "glBlitNamedFramebuffer", [drawFramebuffer, readFramebuffer], |ctx| {
        blit::BlitFramebuffer(ctx, srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter)
    })
}

/// Runs a command with a renderbuffer at its target.
fn on_renderbuffer<R>(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    run: impl FnOnce(&mut Context, GLenum) -> GlResult<R>,
) -> GlResult<R> {
    let found = ctx.share.renderbuffer(name).filter(|_| name != 0);
    let found = found.ok_or_else(|| GlError::invalid_operation(format!("{command}: no renderbuffer {name}")))?;
    let before = ctx.state.framebuffers.renderbuffer.replace(found);
    let result = run(ctx, GL_RENDERBUFFER).map_err(|error| error.said_by(command));
    ctx.state.framebuffers.renderbuffer = before;
    result
}

// gl-commands: NamedRenderbufferStorage NamedRenderbufferStorageMultisample GetNamedRenderbufferParameteriv
direct! {
    on_renderbuffer;
    NamedRenderbufferStorage(internalformat: GLenum, width: GLsizei, height: GLsizei)
        => renderbuffers::RenderbufferStorage;
    NamedRenderbufferStorageMultisample(samples: GLsizei, internalformat: GLenum, width: GLsizei, height: GLsizei)
        => renderbuffers::RenderbufferStorageMultisample;
    GetNamedRenderbufferParameteriv(pname: GLenum, params: ClientPtrMut<GLint>)
        => renderbuffers::GetRenderbufferParameteriv;
}
