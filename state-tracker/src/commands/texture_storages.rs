//! Images that come without pixels: immutable storage, multisample images, buffer textures, invalidation
//! (GL 4.6 core 8.8, 8.9, 8.19, 8.20).

use std::sync::Arc;

use crate::client_memory::ClientPtr;
use crate::commands::texture_checks::*;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{BufferAttachment, Image, Texture, TextureKind, ViewRange};
use crate::objects::texture_storage::{Place, Storage};
use crate::pixels::internal::{InternalFormat, buffer_format};

pub fn TexStorage1D(
    ctx: &mut Context,
    target: GLenum,
    levels: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
) -> GlResult {
    tex_storage(ctx, "glTexStorage1D", 1, target, levels, internalformat, [width, 1, 1])
}

pub fn TexStorage2D(
    ctx: &mut Context,
    target: GLenum,
    levels: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    tex_storage(ctx, "glTexStorage2D", 2, target, levels, internalformat, [width, height, 1])
}

pub fn TexStorage3D(
    ctx: &mut Context,
    target: GLenum,
    levels: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
) -> GlResult {
    tex_storage(ctx, "glTexStorage3D", 3, target, levels, internalformat, [width, height, depth])
}

/// The kind and proxy-ness of a target of glTexStorage*: whole cube maps instead of faces.
fn storage_target(ctx: &Context, command: &str, target: GLenum, dimensions: u32) -> GlResult<ImageTarget> {
    match target {
        GL_TEXTURE_CUBE_MAP if dimensions == 2 => Ok(ImageTarget { kind: TextureKind::Cube, face: 0, proxy: false }),
        GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z => Err(bad_target(command, target)),
        _ => image_target(ctx, command, target, dimensions),
    }
}

/// A sized internal format. GL 4.6 core 8.19: INVALID_ENUM for an unsized or unknown one.
pub(super) fn sized_internal(ctx: &Context, command: &str, internal: GLenum) -> GlResult<&'static InternalFormat> {
    crate::pixels::internal::internal_format_for(internal, ctx.is_compatibility())
        .filter(|f| !f.is_unsized())
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: internal format 0x{internal:04X}")))
}

fn tex_storage(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    levels: GLsizei,
    internal: GLenum,
    size: [GLsizei; 3],
) -> GlResult {
    let target = storage_target(ctx, command, target, dimensions)?;
    let internal = sized_internal(ctx, command, internal)?;
    check_kind_format(command, target.kind, internal)?;
    if levels < 1 || size.iter().any(|s| *s < 1) {
        return Err(GlError::invalid_value(format!("{command}: {levels} levels of {size:?}")));
    }
    let size = check_shape(command, target.kind, size)?;
    let levels = levels as u32;
    // GL 4.6 core 8.19: INVALID_OPERATION for more levels than the size has.
    if levels > target.kind.level_count(size) {
        return Err(GlError::invalid_operation(format!("{command}: {levels} levels of {size:?}")));
    }
    let fits = size_fits(ctx, target.kind, 0, size);
    if target.proxy {
        for level in 0..levels {
            let shape = target.kind.level_size(size, level);
            set_proxy(ctx, target.kind, level, fits.then_some(internal), shape, 0, true);
        }
        return Ok(());
    }
    if !fits {
        return Err(GlError::invalid_value(format!("{command}: size {size:?} is too large")));
    }
    let texture = Arc::clone(ctx.bound_texture(target.kind));
    make_immutable(ctx, command, &texture, internal, size, levels, 0, true)
}

/// Gives a texture all of its images for good.
#[allow(clippy::too_many_arguments)]
fn make_immutable(
    ctx: &mut Context,
    command: &str,
    texture: &Arc<Texture>,
    internal: &'static InternalFormat,
    size: [u32; 3],
    levels: u32,
    samples: u32,
    fixed_samples: bool,
) -> GlResult {
    let kind = texture.kind;
    if texture.header.name == 0 || texture.state.lock().immutable {
        return Err(GlError::invalid_operation(format!("{command}: texture 0 or an immutable texture is bound")));
    }
    let format = ctx.device.choose_format(internal);
    let storage = Storage::new(&ctx.device, kind, format, size, levels, samples);
    // GL 4.6 core 8.19: the program must learn now when there is no memory.
    if !storage.exists() {
        return Err(GlError::out_of_memory(format!("{command}: no memory for the texture")));
    }
    {
        let mut state = texture.state.lock();
        for face in 0..kind.faces() {
            state.faces[face].clear();
            for level in 0..levels {
                let place = Some(Place { storage: Arc::clone(&storage), level, layer: face as u32 });
                let size = kind.level_size(size, level);
                let image = Image { internal, format, size, samples, fixed_samples, place, blocks: None };
                state.set_image(face, level, Some(image));
            }
        }
        state.view_range =
            ViewRange { min_level: 0, num_levels: levels, min_layer: 0, num_layers: storage.desc.layers };
        state.set_storage(&ctx.device, storage, 0);
        state.immutable = true;
        state.immutable_levels = levels;
    }
    ctx.texture_changed(texture);
    Ok(())
}

pub fn TexImage2DMultisample(
    ctx: &mut Context,
    target: GLenum,
    samples: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    fixedsamplelocations: GLboolean,
) -> GlResult {
    let args = Multisample::new(samples, internalformat, [width, height, 1], fixedsamplelocations);
    multisample(ctx, "glTexImage2DMultisample", 4, target, &args, false)
}

pub fn TexImage3DMultisample(
    ctx: &mut Context,
    target: GLenum,
    samples: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    fixedsamplelocations: GLboolean,
) -> GlResult {
    let args = Multisample::new(samples, internalformat, [width, height, depth], fixedsamplelocations);
    multisample(ctx, "glTexImage3DMultisample", 5, target, &args, false)
}

pub fn TexStorage2DMultisample(
    ctx: &mut Context,
    target: GLenum,
    samples: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    fixedsamplelocations: GLboolean,
) -> GlResult {
    let args = Multisample::new(samples, internalformat, [width, height, 1], fixedsamplelocations);
    multisample(ctx, "glTexStorage2DMultisample", 4, target, &args, true)
}

pub fn TexStorage3DMultisample(
    ctx: &mut Context,
    target: GLenum,
    samples: GLsizei,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    fixedsamplelocations: GLboolean,
) -> GlResult {
    let args = Multisample::new(samples, internalformat, [width, height, depth], fixedsamplelocations);
    multisample(ctx, "glTexStorage3DMultisample", 5, target, &args, true)
}

struct Multisample {
    samples: GLsizei,
    internal: GLenum,
    size: [GLsizei; 3],
    fixed: bool,
}

impl Multisample {
    fn new(samples: GLsizei, internal: GLenum, size: [GLsizei; 3], fixed: GLboolean) -> Self {
        Self { samples, internal, size, fixed: fixed != 0 }
    }
}

fn multisample(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    args: &Multisample,
    immutable: bool,
) -> GlResult {
    let target = image_target(ctx, command, target, dimensions)?;
    // GL 4.6 core 8.8: INVALID_VALUE without samples, INVALID_ENUM for a format that cannot be rendered to.
    if args.samples < 1 {
        return Err(GlError::invalid_value(format!("{command}: {} samples", args.samples)));
    }
    let internal = if immutable {
        sized_internal(ctx, command, args.internal)?
    } else {
        crate::pixels::internal::internal_format_for(args.internal, ctx.is_compatibility())
            .ok_or_else(|| GlError::invalid_enum(format!("{command}: internal format 0x{:04X}", args.internal)))?
    };
    if !internal.is_color_renderable() && !internal.is_depth_stencil() {
        return Err(GlError::invalid_enum(format!("{command}: format 0x{:04X} is not renderable", internal.gl)));
    }
    let size = check_shape(command, target.kind, args.size)?;
    let limit = ctx.limits.texture_samples(internal);
    let format = ctx.device.choose_format(internal);
    let samples = ctx.device.supported_samples(format, (args.samples as u32).max(2)).filter(|_| args.samples <= limit);
    let fits = size_fits(ctx, target.kind, 0, size);
    if target.proxy {
        let works = samples.filter(|_| fits);
        set_proxy(ctx, target.kind, 0, works.map(|_| internal), size, works.unwrap_or(0), args.fixed);
        return Ok(());
    }
    // GL 4.6 core 8.8: INVALID_OPERATION for more samples than the format's limit.
    let samples = samples.ok_or_else(|| GlError::invalid_operation(format!("{command}: {} samples", args.samples)))?;
    if !fits || (immutable && size.contains(&0)) {
        return Err(GlError::invalid_value(format!("{command}: size {size:?}")));
    }
    let texture = Arc::clone(ctx.bound_texture(target.kind));
    if immutable {
        return make_immutable(ctx, command, &texture, internal, size, 1, samples, args.fixed);
    }
    {
        let mut state = texture.state.lock();
        if state.immutable {
            return Err(GlError::invalid_operation(format!("{command}: the texture is immutable")));
        }
        let mut image = Image { internal, format, size, samples, fixed_samples: args.fixed, place: None, blocks: None };
        state.place_image(&ctx.device, texture.kind, 0, 0, &mut image);
        state.set_image(0, 0, Some(image));
    }
    ctx.texture_changed(&texture);
    Ok(())
}

pub fn TexBuffer(ctx: &mut Context, target: GLenum, internalformat: GLenum, buffer: GLuint) -> GlResult {
    attach_buffer(ctx, "glTexBuffer", target, internalformat, buffer, None)
}

pub fn TexBufferRange(
    ctx: &mut Context,
    target: GLenum,
    internalformat: GLenum,
    buffer: GLuint,
    offset: GLintptr,
    size: GLsizeiptr,
) -> GlResult {
    attach_buffer(ctx, "glTexBufferRange", target, internalformat, buffer, Some((offset, size)))
}

fn attach_buffer(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    internal: GLenum,
    buffer: GLuint,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> GlResult {
    // GL 4.6 core 8.9.
    if target != GL_TEXTURE_BUFFER {
        return Err(bad_target(command, target));
    }
    let found = crate::pixels::internal::internal_format_for(internal, ctx.is_compatibility())
        .and_then(|f| Some((f, buffer_format(f)?)));
    let (internal, format) =
        found.ok_or_else(|| GlError::invalid_enum(format!("{command}: internal format 0x{internal:04X}")))?;
    let attachment = if buffer == 0 {
        None
    } else {
        let object = ctx
            .share
            .buffer(buffer)
            .ok_or_else(|| GlError::invalid_operation(format!("{command}: no buffer {buffer}")))?;
        let (offset, size) = match range {
            None => (0, None),
            Some((offset, size)) => {
                let alignment = ctx.limits.texture_buffer_offset_alignment.max(1) as isize;
                let last = offset.checked_add(size).and_then(|last| u64::try_from(last).ok());
                if offset < 0 || size <= 0 || last.is_none_or(|last| last > object.size()) || offset % alignment != 0 {
                    return Err(GlError::invalid_value(format!("{command}: range {offset}+{size}")));
                }
                (offset as u64, Some(size as u64))
            }
        };
        object.note_texels();
        Some(BufferAttachment { buffer: object, internal, format, offset, size })
    };
    let texture = Arc::clone(ctx.bound_texture(TextureKind::Buffer));
    {
        let mut state = texture.state.lock();
        state.buffer = attachment;
        state.buffer_internal = internal.gl;
    }
    ctx.texture_changed(&texture);
    Ok(())
}

/// The texture and level an invalidation names.
fn invalidated(ctx: &Context, command: &str, texture: GLuint, level: GLint) -> GlResult<(Arc<Texture>, Option<Image>)> {
    let found = ctx.share.texture(texture).filter(|_| texture != 0);
    let found = found.ok_or_else(|| GlError::invalid_value(format!("{command}: no texture {texture}")))?;
    let level = u32::try_from(level).ok().filter(|l| *l < ctx.max_levels(found.kind));
    let level = level.ok_or_else(|| GlError::invalid_value(format!("{command}: bad level")))?;
    let image = found.state.lock().image(0, level).cloned();
    Ok((found, image))
}

pub fn InvalidateTexImage(ctx: &mut Context, texture: GLuint, level: GLint) -> GlResult {
    let (found, image) = invalidated(ctx, "glInvalidateTexImage", texture, level)?;
    // Faces of a cube map share their level, so only a whole level is told to the driver.
    if let Some(place) = image.and_then(|i| i.place)
        && (found.kind != TextureKind::Cube || place.storage.desc.layers == 6)
    {
        ctx.pipe.invalidate_texture(place.storage.id, place.level);
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
pub fn InvalidateTexSubImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
) -> GlResult {
    let command = "glInvalidateTexSubImage";
    let (found, image) = invalidated(ctx, command, texture, level)?;
    let region =
        crate::commands::texture_images::Region { offset: [xoffset, yoffset, zoffset], size: [width, height, depth] };
    if let Some(mut image) = image {
        // GL 4.6 core 8.20: faces of a cube map are its layers here.
        if found.kind == TextureKind::Cube {
            image.size[2] = 6;
        }
        region.check(command, &image)?;
    }
    Ok(())
}

/// ARB_multi_bind: each texture goes to the target it has.
pub fn BindTextures(ctx: &mut Context, first: GLuint, count: GLsizei, textures: ClientPtr<GLuint>) -> GlResult {
    let count = crate::names::checked_count("glBindTextures", count)?;
    if first as usize + count > ctx.limits.combined_texture_units as usize {
        return Err(GlError::invalid_operation("glBindTextures: units beyond the last"));
    }
    let mut result = Ok(());
    for index in 0..count {
        let name = if textures.is_null() { 0 } else { textures.read_at(index) };
        let one = crate::commands::textures::BindTextureUnit(ctx, first + index as GLuint, name);
        result = result.and(one);
    }
    result
}
