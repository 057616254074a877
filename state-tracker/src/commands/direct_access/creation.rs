//! Names that come with their objects (GL 4.5). Those of textures, samplers and programs are with them.

use std::sync::Arc;

use crate::client_memory::ClientPtrMut;
use crate::commands::queries;
use crate::context::Context;
use crate::error::GlResult;
use crate::gl::*;
use crate::names::{Names, checked_count};
use crate::objects::buffer::Buffer;
use crate::objects::framebuffer::Framebuffer;
use crate::objects::renderbuffer::Renderbuffer;
use crate::objects::transform_feedback::TransformFeedback;
use crate::objects::vertex_array::VertexArray;

/// Makes `n` objects and writes their names.
fn create<T>(
    command: &'static str,
    names: &mut Names<T>,
    n: GLsizei,
    out: ClientPtrMut<GLuint>,
    mut make: impl FnMut(GLuint) -> T,
) -> GlResult {
    for index in 0..checked_count(command, n)? {
        let name = names.generate();
        names.insert(name, make(name));
        out.write_at(index, name);
    }
    Ok(())
}

pub fn CreateBuffers(ctx: &mut Context, n: GLsizei, buffers: ClientPtrMut<GLuint>) -> GlResult {
    let device = &ctx.device;
    create("glCreateBuffers", &mut ctx.share.buffers.lock(), n, buffers, |name| Arc::new(Buffer::new(device, name)))
}

pub fn CreateFramebuffers(ctx: &mut Context, n: GLsizei, framebuffers: ClientPtrMut<GLuint>) -> GlResult {
    create("glCreateFramebuffers", &mut ctx.framebuffers, n, framebuffers, |name| Box::new(Framebuffer::new(name)))
}

pub fn CreateRenderbuffers(ctx: &mut Context, n: GLsizei, renderbuffers: ClientPtrMut<GLuint>) -> GlResult {
    let mut names = ctx.share.renderbuffers.lock();
    create("glCreateRenderbuffers", &mut names, n, renderbuffers, |name| Arc::new(Renderbuffer::new(name)))
}

pub fn CreateVertexArrays(ctx: &mut Context, n: GLsizei, arrays: ClientPtrMut<GLuint>) -> GlResult {
    create("glCreateVertexArrays", &mut ctx.vertex_arrays, n, arrays, |name| Box::new(VertexArray::new(name)))
}

pub fn CreateTransformFeedbacks(ctx: &mut Context, n: GLsizei, ids: ClientPtrMut<GLuint>) -> GlResult {
    let names = &mut ctx.transform_feedbacks;
    create("glCreateTransformFeedbacks", names, n, ids, |name| Box::new(TransformFeedback::new(name)))
}

pub fn CreateQueries(ctx: &mut Context, target: GLenum, n: GLsizei, ids: ClientPtrMut<GLuint>) -> GlResult {
    let command = "glCreateQueries";
    queries::check_target(ctx, command, target)?;
    let Context { queries: names, device, .. } = ctx;
    create(command, names, n, ids, |name| queries::make(device, name, target, 0))
}
