//! Draw and read buffer selection, attachment queries, invalidation (GL 4.6 core 9.2.3, 17.4.1, 17.4.4, 18.2.1).

use gallite_pipe::{InvalidateInfo, MAX_COLOR_ATTACHMENTS};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::commands::framebuffer_status::window_read_color;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::framebuffer::{Attachment, Framebuffer, ResolvedImage};
use crate::objects::texture::TextureKind;
use crate::pixels::internal::{component, component_type};

impl Context {
    pub(super) fn draw_framebuffer_mut(&mut self) -> &mut Framebuffer {
        match self.framebuffers.get_mut(self.state.framebuffers.draw) {
            Some(framebuffer) => framebuffer,
            None => &mut self.default_framebuffer,
        }
    }

    pub(super) fn read_framebuffer_mut(&mut self) -> &mut Framebuffer {
        match self.framebuffers.get_mut(self.state.framebuffers.read) {
            Some(framebuffer) => framebuffer,
            None => &mut self.default_framebuffer,
        }
    }
}

/// Checks one draw or read buffer name for a framebuffer. `several` admits names of more than one buffer.
fn check_buffer(ctx: &Context, command: &'static str, user: bool, name: GLenum, several: bool) -> GlResult {
    let known_window = matches!(
        name,
        GL_FRONT_LEFT
            | GL_FRONT_RIGHT
            | GL_BACK_LEFT
            | GL_BACK_RIGHT
            | GL_FRONT
            | GL_BACK
            | GL_LEFT
            | GL_RIGHT
            | GL_FRONT_AND_BACK
    );
    let attachment = (GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31).contains(&name);
    if name == GL_NONE {
        return Ok(());
    }
    if !known_window && !attachment {
        return Err(GlError::invalid_enum(format!("{command}: buffer 0x{name:04X}")));
    }
    let plural = matches!(name, GL_FRONT | GL_LEFT | GL_RIGHT | GL_FRONT_AND_BACK);
    if plural && !several {
        return Err(GlError::invalid_enum(format!("{command}: 0x{name:04X} names several buffers")));
    }
    let wrong = |what: &str| Err(GlError::invalid_operation(format!("{command}: buffer 0x{name:04X} {what}")));
    if attachment != user {
        return wrong("belongs to another kind of framebuffer");
    }
    if user {
        return if name - GL_COLOR_ATTACHMENT0 < ctx.limits.color_attachments as GLenum {
            Ok(())
        } else {
            wrong("is past the limit")
        };
    }
    // No surface is stereo. GL 4.6 core 17.4.1: a name of several buffers is fine when one of them exists.
    if matches!(name, GL_FRONT_RIGHT | GL_BACK_RIGHT | GL_RIGHT) {
        return wrong("does not exist");
    }
    Ok(())
}

pub fn DrawBuffer(ctx: &mut Context, buffer: GLenum) -> GlResult {
    let user = ctx.state.framebuffers.draw != 0;
    check_buffer(ctx, "glDrawBuffer", user, buffer, true)?;
    let framebuffer = ctx.draw_framebuffer_mut();
    framebuffer.draw_buffers = [GL_NONE; MAX_COLOR_ATTACHMENTS];
    framebuffer.draw_buffers[0] = buffer;
    ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    Ok(())
}

pub fn DrawBuffers(ctx: &mut Context, n: GLsizei, buffers: ClientPtr<GLenum>) -> GlResult {
    let command = "glDrawBuffers";
    if n < 0 || n > ctx.limits.draw_buffers {
        return Err(GlError::invalid_value(format!("{command}: n is {n}")));
    }
    let user = ctx.state.framebuffers.draw != 0;
    let names = buffers.read(n as usize).into_owned();
    let mut all = [GL_NONE; MAX_COLOR_ATTACHMENTS];
    for (index, name) in names.iter().enumerate() {
        // GL 4.6 core 17.4.1: GL_BACK alone may stand for the back buffer of a window; plural names are INVALID_ENUM.
        check_buffer(ctx, command, user, *name, false)?;
        if *name == GL_BACK && names.len() != 1 {
            return Err(GlError::invalid_operation(format!("{command}: GL_BACK with other buffers")));
        }
        if *name != GL_NONE && names[..index].contains(name) {
            return Err(GlError::invalid_operation(format!("{command}: 0x{name:04X} appears twice")));
        }
        all[index] = *name;
    }
    ctx.draw_framebuffer_mut().draw_buffers = all;
    ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    Ok(())
}

pub fn ReadBuffer(ctx: &mut Context, buffer: GLenum) -> GlResult {
    let read = ctx.state.framebuffers.read;
    // GL 4.6 core 18.2.1: a name of several buffers stands for the first of them.
    check_buffer(ctx, "glReadBuffer", read != 0, buffer, true)?;
    match ctx.framebuffers.get_mut(read) {
        Some(framebuffer) => framebuffer.read_buffer = buffer,
        None => ctx.default_framebuffer.read_buffer = buffer,
    }
    Ok(())
}

/// Component sizes and types of an attachment.
fn image_property(image: &ResolvedImage, pname: GLenum) -> Option<GLint> {
    let size = |query: GLenum| component(image.base, image.format, query).map_or(0, |c| GLint::from(c.bits));
    Some(match pname {
        GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE => size(GL_TEXTURE_RED_SIZE),
        GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE => size(GL_TEXTURE_GREEN_SIZE),
        GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE => size(GL_TEXTURE_BLUE_SIZE),
        GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE => size(GL_TEXTURE_ALPHA_SIZE),
        GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE => size(GL_TEXTURE_DEPTH_SIZE),
        GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE => size(GL_TEXTURE_STENCIL_SIZE),
        GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE => {
            let query = [GL_TEXTURE_RED_SIZE, GL_TEXTURE_ALPHA_SIZE, GL_TEXTURE_DEPTH_SIZE, GL_TEXTURE_STENCIL_SIZE];
            let channel = query.into_iter().find_map(|q| component(image.base, image.format, q));
            channel.map_or(GL_NONE, component_type) as GLint
        }
        GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING => {
            if image.format.is_srgb() {
                GL_SRGB as GLint
            } else {
                GL_LINEAR as GLint
            }
        }
        _ => return None,
    })
}

/// What is attached: type, name, level, face, layer.
fn object_property(attachment: &Attachment, pname: GLenum) -> Option<GLint> {
    match (attachment, pname) {
        (Attachment::Renderbuffer(_), GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) => Some(GL_RENDERBUFFER as GLint),
        (Attachment::Texture { .. }, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) => Some(GL_TEXTURE as GLint),
        (Attachment::Renderbuffer(r), GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) => Some(r.header.name as GLint),
        (Attachment::Texture { texture, .. }, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) => {
            Some(texture.header.name as GLint)
        }
        (Attachment::Texture { level, .. }, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) => Some(*level as GLint),
        (Attachment::Texture { texture, face, layered, .. }, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) => {
            let cube = texture.kind == TextureKind::Cube && !layered;
            Some(if cube { GL_TEXTURE_CUBE_MAP_POSITIVE_X as GLint + *face as GLint } else { 0 })
        }
        (Attachment::Texture { layer, .. }, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) => Some(*layer as GLint),
        (Attachment::Texture { layered, .. }, GL_FRAMEBUFFER_ATTACHMENT_LAYERED) => Some((*layered).into()),
        _ => None,
    }
}

pub fn GetFramebufferAttachmentParameteriv(
    ctx: &mut Context,
    target: GLenum,
    attachment: GLenum,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let command = "glGetFramebufferAttachmentParameteriv";
    let read = match target {
        GL_FRAMEBUFFER | GL_DRAW_FRAMEBUFFER => false,
        GL_READ_FRAMEBUFFER => true,
        _ => return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}"))),
    };
    let framebuffer = if read { ctx.read_framebuffer() } else { ctx.draw_framebuffer() };
    let value = if framebuffer.header.name == 0 {
        window_property(ctx, command, read, attachment, pname)?
    } else {
        attached_property(ctx, command, framebuffer, attachment, pname)?
    };
    params.write(&[value]);
    Ok(())
}

fn window_property(ctx: &Context, command: &'static str, read: bool, name: GLenum, pname: GLenum) -> GlResult<GLint> {
    let bad = || GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"));
    let image = match name {
        // Whichever buffers are drawn to or read at the moment.
        GL_FRONT | GL_FRONT_LEFT | GL_BACK | GL_BACK_LEFT => {
            let state = &ctx.state.framebuffers;
            let surface = if read { &state.read_surface } else { &state.draw_surface };
            window_read_color(&surface.buffers, name)
        }
        GL_FRONT_RIGHT | GL_BACK_RIGHT => None,
        GL_DEPTH => {
            if read {
                ctx.read_depth_image()
            } else {
                ctx.draw_depth_image()
            }
        }
        GL_STENCIL => {
            if read {
                ctx.read_stencil_image()
            } else {
                ctx.draw_stencil_image()
            }
        }
        GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31 | GL_DEPTH_ATTACHMENT | GL_STENCIL_ATTACHMENT => {
            return Err(GlError::invalid_operation(format!("{command}: 0x{name:04X} on the default framebuffer")));
        }
        _ => return Err(GlError::invalid_enum(format!("{command}: attachment 0x{name:04X}"))),
    };
    match (pname, image) {
        (GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, None) => Ok(GL_NONE as GLint),
        (GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, Some(_)) => Ok(GL_FRAMEBUFFER_DEFAULT as GLint),
        // GL 4.6 core 9.2.3: only textures and renderbuffers have names, and what isn't there has none.
        (GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, None) => Ok(0),
        (_, Some(image)) => image_property(&image, pname).ok_or_else(bad),
        (_, None) => Err(GlError::invalid_operation(format!("{command}: there is no such buffer"))),
    }
}

fn attached_property(
    ctx: &Context,
    command: &'static str,
    framebuffer: &Framebuffer,
    name: GLenum,
    pname: GLenum,
) -> GlResult<GLint> {
    let point = match name {
        GL_DEPTH_ATTACHMENT => &framebuffer.depth,
        GL_STENCIL_ATTACHMENT => &framebuffer.stencil,
        GL_DEPTH_STENCIL_ATTACHMENT => {
            // GL 4.6 core 9.2.3: both must be one image, and the pair has no component type.
            if !framebuffer.depth.is_same(&framebuffer.stencil) || pname == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE {
                return Err(GlError::invalid_operation(format!("{command}: depth and stencil differ")));
            }
            &framebuffer.depth
        }
        GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31 => {
            let index = (name - GL_COLOR_ATTACHMENT0) as usize;
            let past = || GlError::invalid_operation(format!("{command}: attachment 0x{name:04X}"));
            framebuffer.color.get(index).filter(|_| index < ctx.limits.color_attachments as usize).ok_or_else(past)?
        }
        _ => return Err(GlError::invalid_enum(format!("{command}: attachment 0x{name:04X}"))),
    };
    if point.is_none() {
        return match pname {
            GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE => Ok(GL_NONE as GLint),
            GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME => Ok(0),
            _ => Err(GlError::invalid_operation(format!("{command}: nothing is attached"))),
        };
    }
    object_property(point, pname)
        .or_else(|| point.resolve().and_then(|image| image_property(&image, pname)))
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))
}

/// Which attachments of the framebuffer at a target an invalidation names.
fn invalidated(ctx: &Context, command: &'static str, target: GLenum, names: &[GLenum]) -> GlResult<InvalidateInfo> {
    let framebuffer = match target {
        GL_FRAMEBUFFER | GL_DRAW_FRAMEBUFFER => ctx.draw_framebuffer(),
        GL_READ_FRAMEBUFFER => ctx.read_framebuffer(),
        _ => return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}"))),
    };
    let user = framebuffer.header.name != 0;
    let mut info = InvalidateInfo::default();
    for name in names {
        match *name {
            GL_COLOR if !user => info.color_attachments |= 1,
            GL_DEPTH if !user => info.depth = 1,
            GL_STENCIL if !user => info.stencil = 1,
            // GL 4.6 core 17.4.4: single buffers too; they keep their contents, which is one of the values that undefined
            // contents may have.
            GL_FRONT_LEFT | GL_FRONT_RIGHT | GL_BACK_LEFT | GL_BACK_RIGHT if !user => {}
            GL_DEPTH_ATTACHMENT if user => info.depth = 1,
            GL_STENCIL_ATTACHMENT if user => info.stencil = 1,
            GL_DEPTH_STENCIL_ATTACHMENT if user => (info.depth, info.stencil) = (1, 1),
            GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31 if user => {
                if name - GL_COLOR_ATTACHMENT0 >= ctx.limits.color_attachments as GLenum {
                    return Err(GlError::invalid_operation(format!("{command}: attachment 0x{name:04X}")));
                }
                let slots = framebuffer.draw_buffers.iter().enumerate().filter(|(_, b)| *b == name);
                slots.for_each(|(slot, _)| info.color_attachments |= 1 << slot);
            }
            _ => return Err(GlError::invalid_enum(format!("{command}: attachment 0x{name:04X}"))),
        }
    }
    Ok(info)
}

pub fn InvalidateFramebuffer(
    ctx: &mut Context,
    target: GLenum,
    count: GLsizei,
    attachments: ClientPtr<GLenum>,
) -> GlResult {
    let command = "glInvalidateFramebuffer";
    if count < 0 {
        return Err(GlError::invalid_value(format!("{command}: count is {count}")));
    }
    let info = invalidated(ctx, command, target, &attachments.read(count as usize))?;
    crate::verb::refresh(ctx);
    if target != GL_READ_FRAMEBUFFER && ctx.require_complete_draw(command).is_ok() {
        crate::verb::prepare_clear(ctx);
        ctx.pipe.invalidate(&info);
    }
    Ok(())
}

pub fn InvalidateSubFramebuffer(
    ctx: &mut Context,
    target: GLenum,
    count: GLsizei,
    attachments: ClientPtr<GLenum>,
    _x: GLint,
    _y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    let command = "glInvalidateSubFramebuffer";
    if count < 0 || width < 0 || height < 0 {
        return Err(GlError::invalid_value(format!("{command}: a size is negative")));
    }
    // Checked like the whole; a part keeps its contents, which is one of the values undefined contents may have.
    invalidated(ctx, command, target, &attachments.read(count as usize)).map(|_| ())
}
