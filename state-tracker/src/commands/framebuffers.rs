//! Framebuffer objects: names, binding, attachment (GL 4.6 core 9.2).

use std::sync::Arc;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::framebuffer::{Attachment, Framebuffer};
use crate::objects::texture::{Texture, TextureKind, face_of};

pub fn GenFramebuffers(ctx: &mut Context, n: GLsizei, framebuffers: ClientPtrMut<GLuint>) -> GlResult {
    ctx.framebuffers.generate_into("glGenFramebuffers", n, framebuffers)
}

pub fn DeleteFramebuffers(ctx: &mut Context, n: GLsizei, framebuffers: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteFramebuffers", n)?;
    for name in framebuffers.read(count).iter().filter(|name| **name != 0) {
        ctx.framebuffers.remove(*name);
        let state = &mut ctx.state.framebuffers;
        if state.draw == *name {
            state.draw = 0;
            ctx.dirty.insert(DirtySet::FRAMEBUFFER);
        }
        if state.read == *name {
            state.read = 0;
        }
    }
    Ok(())
}

pub fn IsFramebuffer(ctx: &mut Context, name: GLuint) -> GLboolean {
    ctx.framebuffers.get(name).is_some().into()
}

pub fn BindFramebuffer(ctx: &mut Context, target: GLenum, name: GLuint) -> GlResult {
    let (draw, read) = match target {
        GL_FRAMEBUFFER => (true, true),
        GL_DRAW_FRAMEBUFFER => (true, false),
        GL_READ_FRAMEBUFFER => (false, true),
        _ => return Err(GlError::invalid_enum(format!("glBindFramebuffer: target 0x{target:04X}"))),
    };
    if name != 0 && ctx.framebuffers.get(name).is_none() {
        if !ctx.framebuffers.is_generated(name) && ctx.is_core() {
            return Err(GlError::invalid_operation(format!("glBindFramebuffer: {name} was not generated")));
        }
        ctx.framebuffers.insert(name, Box::new(Framebuffer::new(name)));
    }
    let state = &mut ctx.state.framebuffers;
    if draw && state.draw != name {
        state.draw = name;
        ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    }
    if read {
        state.read = name;
    }
    Ok(())
}

/// The name bound to a target.
pub(super) fn bound_name(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<GLuint> {
    match target {
        GL_FRAMEBUFFER | GL_DRAW_FRAMEBUFFER => Ok(ctx.state.framebuffers.draw),
        GL_READ_FRAMEBUFFER => Ok(ctx.state.framebuffers.read),
        _ => Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}"))),
    }
}

pub fn CheckFramebufferStatus(ctx: &mut Context, target: GLenum) -> GlResult<GLenum> {
    let name = bound_name(ctx, "glCheckFramebufferStatus", target)?;
    let state = &ctx.state.framebuffers;
    let surface = if target == GL_READ_FRAMEBUFFER { &state.read_surface } else { &state.draw_surface };
    let framebuffer = ctx.framebuffers.get(name).map_or(&ctx.default_framebuffer, |f| f);
    Ok(ctx.framebuffer_status(framebuffer, surface))
}

/// Checks an attachment point (GL 4.6 core 9.2.7): INVALID_OPERATION past the limit, else INVALID_ENUM.
fn check_point(ctx: &Context, command: &'static str, point: GLenum) -> GlResult {
    match point {
        GL_DEPTH_ATTACHMENT | GL_STENCIL_ATTACHMENT | GL_DEPTH_STENCIL_ATTACHMENT => Ok(()),
        GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31 => {
            if point - GL_COLOR_ATTACHMENT0 < ctx.limits.color_attachments as GLenum {
                return Ok(());
            }
            Err(GlError::invalid_operation(format!("{command}: attachment 0x{point:04X}")))
        }
        _ => Err(GlError::invalid_enum(format!("{command}: attachment 0x{point:04X}"))),
    }
}

/// Puts an image at a point of the framebuffer bound to a target.
fn attach(ctx: &mut Context, command: &'static str, target: GLenum, point: GLenum, image: Attachment) -> GlResult {
    let name = bound_name(ctx, command, target)?;
    let Some(framebuffer) = ctx.framebuffers.get_mut(name) else {
        return Err(GlError::invalid_operation(format!("{command}: the default framebuffer has fixed buffers")));
    };
    match point {
        GL_DEPTH_ATTACHMENT => framebuffer.depth = image,
        GL_STENCIL_ATTACHMENT => framebuffer.stencil = image,
        GL_DEPTH_STENCIL_ATTACHMENT => {
            framebuffer.depth = image.clone();
            framebuffer.stencil = image;
        }
        _ => framebuffer.color[(point - GL_COLOR_ATTACHMENT0) as usize] = image,
    }
    if name == ctx.state.framebuffers.draw {
        ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    }
    // Rendering to a texture that is sampled, or no longer, changes how it is sampled.
    ctx.dirty.insert(DirtySet::TEXTURES);
    Ok(())
}

pub fn FramebufferRenderbuffer(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    renderbuffer_target: GLenum,
    name: GLuint,
) -> GlResult {
    let command = "glFramebufferRenderbuffer";
    bound_name(ctx, command, target)?;
    check_point(ctx, command, attachment)?;
    if renderbuffer_target != GL_RENDERBUFFER {
        return Err(GlError::invalid_enum(format!("{command}: renderbuffertarget 0x{renderbuffer_target:04X}")));
    }
    let image = if name == 0 {
        Attachment::None
    } else {
        let found = ctx.share.renderbuffer(name);
        Attachment::Renderbuffer(
            found.ok_or_else(|| GlError::invalid_operation(format!("{command}: {name} is not a renderbuffer")))?,
        )
    };
    attach(ctx, command, target, attachment, image)
}

/// The texture of a name for attaching; `None` for name 0.
fn texture(
    ctx: &Context,
    command: &'static str,
    name: GLuint,
    level: GLint,
    error: GLenum,
) -> GlResult<Option<Arc<Texture>>> {
    if name == 0 {
        return Ok(None);
    }
    let Some(texture) = ctx.share.texture(name) else {
        return Err(GlError::new(error, format!("{command}: {name} is not a texture")));
    };
    // GL 4.6 core 9.2.8: levels a texture of the kind can't have.
    let size = match texture.kind {
        TextureKind::D3 => ctx.limits.texture_3d_size,
        TextureKind::Cube | TextureKind::CubeArray => ctx.limits.cube_map_texture_size,
        _ => ctx.limits.texture_size,
    };
    let levels = if texture.kind.has_levels() { size.max(1).ilog2() as GLint + 1 } else { 1 };
    if level < 0 || level >= levels {
        return Err(GlError::invalid_value(format!("{command}: level {level}")));
    }
    if texture.kind == TextureKind::Buffer {
        return Err(GlError::invalid_operation(format!("{command}: a buffer texture has no image")));
    }
    Ok(Some(texture))
}

pub fn FramebufferTexture(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    name: GLuint,
    level: GLint,
) -> GlResult {
    let command = "glFramebufferTexture";
    bound_name(ctx, command, target)?;
    check_point(ctx, command, attachment)?;
    let image = texture(ctx, command, name, level, GL_INVALID_VALUE)?.map_or(Attachment::None, |texture| {
        let layered = matches!(
            texture.kind,
            TextureKind::D3
                | TextureKind::D1Array
                | TextureKind::D2Array
                | TextureKind::Cube
                | TextureKind::CubeArray
                | TextureKind::MultisampleArray
        );
        Attachment::Texture { texture, level: level as u32, face: 0, layer: 0, layered }
    });
    attach(ctx, command, target, attachment, image)
}

pub fn FramebufferTextureLayer(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    name: GLuint,
    level: GLint,
    layer: GLint,
) -> GlResult {
    let command = "glFramebufferTextureLayer";
    bound_name(ctx, command, target)?;
    check_point(ctx, command, attachment)?;
    let mut image = Attachment::None;
    if let Some(texture) = texture(ctx, command, name, level, GL_INVALID_OPERATION)? {
        let limit = match texture.kind {
            TextureKind::D3 => ctx.limits.texture_3d_size,
            TextureKind::Cube => 6,
            TextureKind::D1Array | TextureKind::D2Array | TextureKind::CubeArray | TextureKind::MultisampleArray => {
                ctx.limits.array_texture_layers
            }
            _ => return Err(GlError::invalid_operation(format!("{command}: texture {name} has no layers"))),
        };
        if layer < 0 || layer >= limit {
            return Err(GlError::invalid_value(format!("{command}: layer {layer}")));
        }
        let cube = texture.kind == TextureKind::Cube;
        let (face, layer) = if cube { (layer as usize, 0) } else { (0, layer as u32) };
        image = Attachment::Texture { texture, level: level as u32, face, layer, layered: false };
    }
    attach(ctx, command, target, attachment, image)
}

struct TextureArgs {
    target: GLenum,
    attachment: GLenum,
    texture_target: GLenum,
    name: GLuint,
    level: GLint,
    layer: GLint,
}

fn framebuffer_texture(
    ctx: &mut Context,
    command: &'static str,
    args: &TextureArgs,
    kinds: &[(GLenum, TextureKind)],
) -> GlResult {
    bound_name(ctx, command, args.target)?;
    check_point(ctx, command, args.attachment)?;
    let mut image = Attachment::None;
    // GL 4.6 core 9.2.8: with texture 0 the other arguments are ignored.
    if let Some(texture) = texture(ctx, command, args.name, args.level, GL_INVALID_OPERATION)? {
        let face_target =
            (GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z).contains(&args.texture_target);
        let wanted = if face_target {
            kinds.iter().any(|(_, k)| *k == TextureKind::Cube).then_some(TextureKind::Cube)
        } else {
            kinds.iter().find(|(t, _)| *t != GL_NONE && *t == args.texture_target).map(|(_, k)| *k)
        };
        let Some(wanted) = wanted else {
            return Err(GlError::invalid_enum(format!("{command}: textarget 0x{:04X}", args.texture_target)));
        };
        if texture.kind != wanted {
            return Err(GlError::invalid_operation(format!("{command}: texture {} has another target", args.name)));
        }
        if args.layer < 0 || args.layer >= ctx.limits.texture_3d_size {
            return Err(GlError::invalid_value(format!("{command}: layer {}", args.layer)));
        }
        let face = if face_target { face_of(args.texture_target) } else { 0 };
        let (level, layer) = (args.level as u32, args.layer as u32);
        image = Attachment::Texture { texture, level, face, layer, layered: false };
    }
    attach(ctx, command, args.target, args.attachment, image)
}

pub fn FramebufferTexture1D(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    texture_target: GLenum,
    name: GLuint,
    level: GLint,
) -> GlResult {
    let args = TextureArgs { target, attachment, texture_target, name, level, layer: 0 };
    framebuffer_texture(ctx, "glFramebufferTexture1D", &args, &[(GL_TEXTURE_1D, TextureKind::D1)])
}

pub fn FramebufferTexture2D(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    texture_target: GLenum,
    name: GLuint,
    level: GLint,
) -> GlResult {
    let args = TextureArgs { target, attachment, texture_target, name, level, layer: 0 };
    let kinds = [
        (GL_TEXTURE_2D, TextureKind::D2),
        (GL_TEXTURE_RECTANGLE, TextureKind::Rect),
        (GL_TEXTURE_2D_MULTISAMPLE, TextureKind::Multisample),
        (GL_NONE, TextureKind::Cube),
    ];
    framebuffer_texture(ctx, "glFramebufferTexture2D", &args, &kinds)
}

pub fn FramebufferTexture3D(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    texture_target: GLenum,
    name: GLuint,
    level: GLint,
    layer: GLint,
) -> GlResult {
    let args = TextureArgs { target, attachment, texture_target, name, level, layer };
    framebuffer_texture(ctx, "glFramebufferTexture3D", &args, &[(GL_TEXTURE_3D, TextureKind::D3)])
}

/// GL 4.6 core 9.2.8: a deleted texture leaves the framebuffers bound in the current context.
pub(crate) fn detach_texture(ctx: &mut Context, texture: &Arc<Texture>) {
    detach_from_bound(ctx, |attachment| attachment.is_texture(texture));
}

/// The same for a renderbuffer, or for anything the test names.
pub(crate) fn detach_from_bound(ctx: &mut Context, is_it: impl Fn(&Attachment) -> bool) {
    for name in [ctx.state.framebuffers.draw, ctx.state.framebuffers.read] {
        if let Some(framebuffer) = ctx.framebuffers.get_mut(name)
            && framebuffer.detach(&is_it)
        {
            ctx.dirty.insert(DirtySet::FRAMEBUFFER);
        }
    }
}

/// GL 4.6 core 9.3.1: what was rendered can be read by the draws that follow, in a feedback loop.
pub fn TextureBarrier(ctx: &mut Context) {
    ctx.pipe.texture_barrier();
}

/// NV_texture_barrier. The registry does not say that it is the same command.
pub fn TextureBarrierNV(ctx: &mut Context) {
    TextureBarrier(ctx);
}
