//! glCopyTexImage* and glCopyTexSubImage* (GL 4.6 core 8.6).

use std::sync::Arc;

use gallite_pipe::{BlitEnd, BlitInfo, BlitMask, Outcome, Rect, SurfaceView, TextureBox, TransferAspect};

use crate::commands::pixel_memory::tight_transfer;
use crate::commands::read_pixels::{ReadSource, copy_source};
use crate::commands::texture_checks::*;
use crate::commands::texture_compressed::{check_compresses, forget_blocks};
use crate::commands::texture_images::{Part, Region, auto_mipmap, define_image, storable_format};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, TextureKind};
use crate::pixels::compressed;
use crate::pixels::convert::{Conversion, Overflow, Source};
use crate::pixels::internal::{Base, InternalFormat, fetch_map, store_map};
use crate::pixels::layout::TexelLayout;

/// The rectangle of the read framebuffer a copy takes.
#[derive(Clone, Copy)]
struct Window {
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
}

pub fn CopyTexImage1D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLenum,
    x: GLint,
    y: GLint,
    width: GLsizei,
    border: GLint,
) -> GlResult {
    copy_image(ctx, "glCopyTexImage1D", 1, target, level, internalformat, Window { x, y, width, height: 1 }, border)
}

pub fn CopyTexImage2D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLenum,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    border: GLint,
) -> GlResult {
    copy_image(ctx, "glCopyTexImage2D", 2, target, level, internalformat, Window { x, y, width, height }, border)
}

#[allow(clippy::too_many_arguments)]
fn copy_image(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    window: Window,
    border: GLint,
) -> GlResult {
    let parsed = image_target(ctx, command, target, dimensions)?;
    if parsed.proxy {
        return Err(bad_target(command, target));
    }
    // GL 4.6 core 8.6: component counts are no internal formats here; INVALID_ENUM for unknown ones.
    let internal = crate::pixels::internal::internal_format_for(internal, ctx.is_compatibility())
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: internal format 0x{internal:04X}")))?;
    let shape = ImageShape { level, size: [window.width, window.height, 1], border };
    let Some(NewImage { level, size }) = new_image(ctx, command, &parsed, internal, &shape)? else { return Ok(()) };
    let source = copy_source(ctx, command, !internal.base.is_color())?;
    check_copy(command, &source, internal)?;
    check_compresses(command, internal)?;
    let texture = Arc::clone(ctx.bound_texture(parsed.kind));
    let format = storable_format(ctx, internal);
    let image = define_image(ctx, command, &texture, parsed.face, level, internal, format, size)?;
    copy_pixels(ctx, parsed.kind, &image, [0; 3], &window, &source)?;
    auto_mipmap(ctx, &texture, level)
}

pub fn CopyTexSubImage1D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
) -> GlResult {
    copy_sub_image(ctx, "glCopyTexSubImage1D", 1, target, level, [xoffset, 0, 0], Window { x, y, width, height: 1 })
}

pub fn CopyTexSubImage2D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    copy_sub_image(ctx, "glCopyTexSubImage2D", 2, target, level, [xoffset, yoffset, 0], Window { x, y, width, height })
}

pub fn CopyTexSubImage3D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    copy_sub_image(
        ctx,
        "glCopyTexSubImage3D",
        3,
        target,
        level,
        [xoffset, yoffset, zoffset],
        Window { x, y, width, height },
    )
}

fn copy_sub_image(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    level: GLint,
    offset: [GLint; 3],
    window: Window,
) -> GlResult {
    let region = Region { offset, size: [window.width, window.height, 1] };
    let Part { texture, face, level, image, offset, .. } =
        Part::find(ctx, command, dimensions, target, level, &region)?;
    let source = copy_source(ctx, command, !image.internal.base.is_color())?;
    check_copy(command, &source, image.internal)?;
    check_compresses(command, image.internal)?;
    copy_pixels(ctx, texture.kind, &image, offset, &window, &source)?;
    if image.blocks.is_some() {
        forget_blocks(&texture, face, level);
    }
    auto_mipmap(ctx, &texture, level)
}

/// Checks that the framebuffer's pixels can become the texture's.
// GL 4.6 core 8.6: INVALID_OPERATION when the framebuffer lacks a component of the texture, when one is integer and the
// other isn't, when signedness differs, and for multisampled sources (checked with the source).
fn check_copy(command: &str, source: &ReadSource, internal: &InternalFormat) -> GlResult {
    let refuse = |why: &str| Err(GlError::invalid_operation(format!("{command}: {why}")));
    if internal.base.is_color() != source.base.is_color() {
        return refuse("colour against depth");
    }
    if !internal.base.is_color() {
        let lacks = (internal.base == Base::DepthStencil && source.base != Base::DepthStencil)
            || (internal.base == Base::Stencil && source.base == Base::Depth);
        return if lacks { refuse("the framebuffer lacks depth or stencil") } else { Ok(()) };
    }
    let (from, to) = (source.view.format, internal.candidates[0]);
    if from.is_pure_integer() != to.is_pure_integer() || from.is_pure_sint() != to.is_pure_sint() {
        return refuse("integers against other numbers");
    }
    let has = |base: Base| match base {
        Base::Red => 0b0001,
        Base::Rg => 0b0011,
        Base::Rgb => 0b0111,
        Base::Alpha => 0b1000,
        Base::Luminance | Base::Intensity => 0b0001,
        Base::LuminanceAlpha => 0b1001,
        _ => 0b1111,
    };
    if has(internal.base) & !has(source.base) != 0 {
        return refuse("the framebuffer lacks a component");
    }
    Ok(())
}

/// Copies pixels of the read framebuffer; those outside it leave undefined texels, which here stay as they were.
fn copy_pixels(
    ctx: &mut Context,
    kind: TextureKind,
    image: &Image,
    offset: [u32; 3],
    window: &Window,
    source: &ReadSource,
) -> GlResult {
    let Some(at) = image.place.clone() else { return Ok(()) };
    // Clip the window to the framebuffer.
    let (x0, y0) = (window.x.max(0), window.y.max(0));
    let x1 = (window.x.saturating_add(window.width)).min(source.width as GLint);
    let y1 = (window.y.saturating_add(window.height)).min(source.height as GLint);
    if x1 <= x0 || y1 <= y0 {
        return Ok(());
    }
    let moved = [offset[0] + (x0 - window.x) as u32, offset[1] + (y0 - window.y) as u32, offset[2]];
    let size = [(x1 - x0) as u32, (y1 - y0) as u32, 1];
    let region = image.region(kind, moved, size);
    if !copies_by_blit(image, source) || kind == TextureKind::D1Array {
        return copy_by_cpu(ctx, image, &region, [x0 as u32, y0 as u32], source);
    }
    let mask = if image.internal.base.is_color() {
        BlitMask::COLOR
    } else if image.internal.base == Base::DepthStencil {
        BlitMask::DEPTH | BlitMask::STENCIL
    } else {
        BlitMask::DEPTH
    };
    let view = &source.view;
    ctx.pipe.blit(&BlitInfo {
        source: BlitEnd {
            texture: view.texture,
            format: view.format.linear(),
            // A texture with alpha is only copied to from a framebuffer with alpha (GL 4.6 core 8.6).
            opaque: 0,
            level: view.level,
            layer: view.first_layer,
            x0,
            y0,
            x1,
            y1,
        },
        destination: BlitEnd {
            texture: at.storage.id,
            format: image.format.linear(),
            opaque: 0,
            level: at.level,
            layer: region.z,
            x0: region.x as i32,
            y0: region.y as i32,
            x1: (region.x + region.width) as i32,
            y1: (region.y + region.height) as i32,
        },
        mask,
        linear: 0,
        scissored: 0,
        scissor: Rect::default(),
        conditional: 0,
    });
    Ok(())
}

/// Whether a blit puts every component where the texture keeps it.
fn copies_by_blit(image: &Image, source: &ReadSource) -> bool {
    if !image.internal.base.is_color() {
        return source.view.format == image.format;
    }
    if image.format.is_compressed() || image.is_substitute() {
        return false;
    }
    let straight = |map: [Source; 4], slots: usize| (0..slots).all(|i| map[i] == Source::Slot(i as u8));
    let plain =
        |base: Base| matches!(base, Base::Red | Base::Rg | Base::Rgb | Base::Rgba | Base::Luminance | Base::Intensity);
    plain(image.internal.base)
        && plain(source.base)
        && straight(store_map(image.internal.base, image.format), 1)
        && source.view.format.is_pure_integer() == image.format.is_pure_integer()
        && (image.internal.base != Base::Intensity || image.format.info().channels[1].bits == 0)
        && (image.internal.base != Base::Luminance || image.format.info().channels[1].bits == 0)
}

/// Copies through memory: for conversions a blit can't do.
fn copy_by_cpu(ctx: &mut Context, image: &Image, region: &TextureBox, from: [u32; 2], source: &ReadSource) -> GlResult {
    let Some(at) = image.place.clone() else { return Ok(()) };
    let view: &SurfaceView = &source.view;
    // Rows of a 1D array are layers in the texture, rows in the framebuffer.
    let rows = if region.height == 1 { region.depth.max(region.height) } else { region.height };
    let box_ = TextureBox { x: from[0], y: from[1], z: view.first_layer, width: region.width, height: rows, depth: 1 };
    let read = tight_transfer(view.texture, view.level, TransferAspect::WHOLE, box_, view.format);
    let texels = region.width as usize * rows as usize;
    let mut bytes = vec![0; texels * view.format.block_bytes() as usize];
    if ctx.pipe.texture_read(&read, &mut bytes) != Outcome::DONE {
        return Err(GlError::out_of_memory("pixels could not be read back"));
    }
    let plain = if image.format.is_compressed() { compressed::decoded(image.format) } else { image.format };
    let map = if image.internal.base.is_color() {
        let fetched = fetch_map(source.base, view.format);
        store_map(image.internal.base, plain).map(|s| match s {
            Source::Slot(slot) => fetched[usize::from(slot)],
            other => other,
        })
    } else {
        crate::pixels::convert::IDENTITY
    };
    let mut out = vec![0; texels * plain.block_bytes() as usize];
    let mut conversion = Conversion::new(TexelLayout::of(view.format), TexelLayout::of(plain), map, Overflow::Clamp);
    if image.is_substitute() {
        conversion = conversion.limited_to(image.internal.kind());
    }
    conversion.row(&bytes, &mut out);
    if image.format.is_compressed() {
        out = compressed::encode(image.format, [region.width, rows, 1], &out);
    }
    let write = tight_transfer(at.storage.id, at.level, TransferAspect::WHOLE, *region, image.format);
    ctx.pipe.texture_write(&write, &out);
    Ok(())
}
