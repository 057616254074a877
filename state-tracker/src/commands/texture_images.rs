//! glTexImage*, glTexSubImage* and their proxies (GL 4.6 core 8.5, 8.6).

use std::sync::Arc;

use gallite_pipe::{Format, Outcome, TextureTransfer};

use crate::client_memory::ClientPtr;
use crate::commands::pixel_memory::{PixelSource, tight_transfer, transfer_aspect, unpack_source};
use crate::commands::texture_checks::*;
use crate::commands::texture_compressed::{check_compresses, forget_blocks};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, Texture, TextureKind};
use crate::pixels::client::ClientFormat;
use crate::pixels::compressed;
use crate::pixels::internal::InternalFormat;
use crate::pixels::store::MemoryLayout;
use crate::pixels::transfer;

/// Arguments of an image command after the target.
struct ImageArgs {
    shape: ImageShape,
    internal: GLint,
    format: GLenum,
    ty: GLenum,
    pixels: ClientPtr<u8>,
}

pub fn TexImage1D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLint,
    width: GLsizei,
    border: GLint,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let shape = ImageShape { level, size: [width, 1, 1], border };
    let args = ImageArgs { shape, internal: internalformat, format, ty: r#type, pixels };
    tex_image(ctx, "glTexImage1D", 1, target, &args)
}

pub fn TexImage2D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLint,
    width: GLsizei,
    height: GLsizei,
    border: GLint,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let shape = ImageShape { level, size: [width, height, 1], border };
    let args = ImageArgs { shape, internal: internalformat, format, ty: r#type, pixels };
    tex_image(ctx, "glTexImage2D", 2, target, &args)
}

pub fn TexImage3D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    border: GLint,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let shape = ImageShape { level, size: [width, height, depth], border };
    let args = ImageArgs { shape, internal: internalformat, format, ty: r#type, pixels };
    tex_image(ctx, "glTexImage3D", 3, target, &args)
}

/// The registry gives the extension's command an unsigned internal format.
pub fn TexImage3DEXT(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    border: GLint,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    TexImage3D(ctx, target, level, internalformat as GLint, width, height, depth, border, format, r#type, pixels)
}

fn tex_image(ctx: &mut Context, command: &'static str, dimensions: u32, target: GLenum, args: &ImageArgs) -> GlResult {
    let target = image_target(ctx, command, target, dimensions)?;
    let internal = find_internal(ctx, command, args.internal as GLenum)?;
    let client = texture_client(ctx, command, args.format, args.ty)?;
    check_client_becomes(command, &client, internal)?;
    check_compresses(command, internal)?;
    let Some(NewImage { level, size }) = new_image(ctx, command, &target, internal, &args.shape)? else {
        return Ok(());
    };
    let texture = Arc::clone(ctx.bound_texture(target.kind));
    let place = place_pixels(ctx, command, dimensions, &client, size)?;
    let source = unpack_source(ctx, command, place.end, u32::from(client.element_bytes), args.pixels)?;
    let format = storable_format(ctx, internal);
    let image = define_image(ctx, command, &texture, target.face, level, internal, format, size)?;
    if !image.is_empty() {
        upload(ctx, command, target.kind, &image, [0; 3], size, &client, &place, &source)?;
    }
    auto_mipmap(ctx, &texture, level)
}

/// The format texels given as plain pixels are stored in: compressed only when they can be compressed here.
pub(crate) fn storable_format(ctx: &Context, internal: &InternalFormat) -> Format {
    let format = ctx.device.choose_format(internal);
    if format.is_compressed() && !compressed::can_encode(format) { compressed::decoded(format) } else { format }
}

/// Replaces an image and gives it room. Returns a copy that says where.
pub(crate) fn define_image(
    ctx: &mut Context,
    command: &str,
    texture: &Arc<Texture>,
    face: usize,
    level: u32,
    internal: &'static InternalFormat,
    format: Format,
    size: [u32; 3],
) -> GlResult<Image> {
    let image = {
        let mut state = texture.state.lock();
        if state.immutable {
            return Err(GlError::invalid_operation(format!("{command}: the texture is immutable")));
        }
        let mut image = Image { internal, format, size, samples: 0, fixed_samples: true, place: None, blocks: None };
        state.place_image(&ctx.device, texture.kind, face, level, &mut image);
        let unchanged = state.image(face, level).is_some_and(|old| {
            old.same_format(&image)
                && old.size == image.size
                && old.place.as_ref().map(|p| (p.storage.id, p.level))
                    == image.place.as_ref().map(|p| (p.storage.id, p.level))
        });
        state.set_image(face, level, Some(image.clone()));
        (image, unchanged)
    };
    let (image, unchanged) = image;
    if !unchanged {
        ctx.texture_changed(texture);
    }
    Ok(image)
}

/// Where the pixels of a command with `dimensions` coordinates lie.
pub(crate) fn place_pixels(
    ctx: &Context,
    command: &str,
    dimensions: u32,
    client: &ClientFormat,
    size: [u32; 3],
) -> GlResult<MemoryLayout> {
    let unpack = &ctx.state.pixel_store.unpack;
    unpack
        .place(client.texel_bytes(), u32::from(client.element_bytes), size, dimensions == 3)
        .ok_or_else(|| GlError::invalid_operation(format!("{command}: the pixels lie beyond any memory")))
}

/// Bytes between the images of a command with three coordinates in the program's memory.
pub(super) fn image_stride(
    ctx: &Context,
    command: &'static str,
    size: [GLsizei; 3],
    format: GLenum,
    ty: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult<u64> {
    let client = texture_client(ctx, command, format, ty)?;
    let size = check_shape(command, TextureKind::D3, size)?;
    let place = place_pixels(ctx, command, 3, &client, size)?;
    unpack_source(ctx, command, place.end, u32::from(client.element_bytes), pixels)?;
    Ok(place.image_stride)
}

/// Converts pixels and writes them to a region of an image. `offset` and `size` are as GL counts them.
pub(crate) fn upload(
    ctx: &mut Context,
    command: &str,
    kind: TextureKind,
    image: &Image,
    offset: [u32; 3],
    size: [u32; 3],
    client: &ClientFormat,
    place: &MemoryLayout,
    source: &PixelSource,
) -> GlResult {
    let Some(at) = &image.place else { return Ok(()) };
    if matches!(source, PixelSource::Nothing) || size.contains(&0) {
        return Ok(());
    }
    let swap = ctx.state.pixel_store.unpack.swap_bytes;
    let region = image.region(kind, offset, size);
    if image.format.is_compressed() {
        let decoded = compressed::decoded(image.format);
        let Some(data) = source.read(ctx, place.end) else { return Ok(()) };
        let conversion = transfer::upload(client, image.internal.base, decoded);
        let texels = transfer::unpack_image(&conversion, client, swap, place, size, decoded.block_bytes(), &data);
        let blocks = compressed::encode(image.format, size, &texels);
        let tight = tight_transfer(at.storage.id, at.level, gallite_pipe::TransferAspect::WHOLE, region, image.format);
        ctx.pipe.texture_write(&tight, &blocks);
        return Ok(());
    }
    let (aspect, format) = transfer_aspect(image.format, client.kind);
    let mut conversion = transfer::upload(client, image.internal.base, format);
    if image.is_substitute() {
        conversion = conversion.limited_to(image.internal.kind());
    }
    let tight = tight_transfer(at.storage.id, at.level, aspect, region, format);
    if transfer::is_direct(&conversion, client, swap)
        && let Some(direct) = direct_transfer(kind, &tight, place)
    {
        if let PixelSource::Buffer(id, start) = source
            && ctx.pipe.texture_write_from_buffer(*id, start + place.start, &direct) == Outcome::DONE
        {
            return Ok(());
        }
        let Some(data) = source.read(ctx, place.end) else {
            return Err(GlError::out_of_memory(format!("{command}: the pixel buffer could not be read")));
        };
        ctx.pipe.texture_write(&direct, &data[place.start as usize..]);
        return Ok(());
    }
    let Some(data) = source.read(ctx, place.end) else {
        return Err(GlError::out_of_memory(format!("{command}: the pixel buffer could not be read")));
    };
    let texels = transfer::unpack_image(&conversion, client, swap, place, size, format.block_bytes(), &data);
    ctx.pipe.texture_write(&tight, &texels);
    Ok(())
}

/// The transfer with the program's own strides, when they are expressible. Rows of a 1D array are layers.
fn direct_transfer(kind: TextureKind, tight: &TextureTransfer, place: &MemoryLayout) -> Option<TextureTransfer> {
    let row_stride = u32::try_from(place.row_stride).ok()?;
    let layer_stride = if kind == TextureKind::D1Array { place.row_stride } else { place.image_stride };
    Some(TextureTransfer { row_stride, layer_stride, ..*tight })
}

pub fn TexSubImage1D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    width: GLsizei,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let region = Region { offset: [xoffset, 0, 0], size: [width, 1, 1] };
    tex_sub_image(ctx, "glTexSubImage1D", 1, target, level, &region, format, r#type, pixels)
}

pub fn TexSubImage2D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let region = Region { offset: [xoffset, yoffset, 0], size: [width, height, 1] };
    tex_sub_image(ctx, "glTexSubImage2D", 2, target, level, &region, format, r#type, pixels)
}

pub fn TexSubImage3D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let region = Region { offset: [xoffset, yoffset, zoffset], size: [width, height, depth] };
    tex_sub_image(ctx, "glTexSubImage3D", 3, target, level, &region, format, r#type, pixels)
}

/// A region of an image as the program gives it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) offset: [GLint; 3],
    pub(crate) size: [GLsizei; 3],
}

impl Region {
    /// Checks that the region lies in an image.
    // GL 4.6 core 8.6: INVALID_VALUE for negative sizes and for regions that leave the image.
    pub(crate) fn check(&self, command: &str, image: &Image) -> GlResult<([u32; 3], [u32; 3])> {
        for axis in 0..3 {
            let (offset, size) = (i64::from(self.offset[axis]), i64::from(self.size[axis]));
            if size < 0 || offset < 0 || offset + size > i64::from(image.size[axis]) {
                return Err(GlError::invalid_value(format!(
                    "{command}: {size} texels from {offset} do not fit {}",
                    image.size[axis]
                )));
            }
        }
        Ok((self.offset.map(|v| v as u32), self.size.map(|v| v as u32)))
    }
}

/// The part of an existing image that a command replaces.
pub(crate) struct Part {
    pub(crate) texture: Arc<Texture>,
    pub(crate) face: usize,
    pub(crate) level: u32,
    pub(crate) image: Image,
    /// As GL counts them.
    pub(crate) offset: [u32; 3],
    /// As GL counts them.
    pub(crate) size: [u32; 3],
}

impl Part {
    /// Finds the part a command with `dimensions` coordinates names.
    pub(crate) fn find(
        ctx: &Context,
        command: &str,
        dimensions: u32,
        target: GLenum,
        level: GLint,
        region: &Region,
    ) -> GlResult<Self> {
        let parsed = image_target(ctx, command, target, dimensions)?;
        if parsed.proxy {
            return Err(bad_target(command, target));
        }
        let level = check_level(ctx, command, parsed.kind, level)?;
        let texture = Arc::clone(ctx.bound_texture(parsed.kind));
        let image = texture.state.lock().image(parsed.face, level).cloned();
        // GL 4.6 core 8.6: INVALID_OPERATION when the level was never specified.
        let image =
            image.ok_or_else(|| GlError::invalid_operation(format!("{command}: level {level} has no image")))?;
        let (offset, size) = region.check(command, &image)?;
        if image.internal.is_compressed() {
            check_blocks(command, &image, offset, size)?;
        }
        Ok(Self { texture, face: parsed.face, level, image, offset, size })
    }
}

#[allow(clippy::too_many_arguments)]
fn tex_sub_image(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    level: GLint,
    region: &Region,
    format: GLenum,
    ty: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let client = texture_client(ctx, command, format, ty)?;
    let Part { texture, face, level, image, offset, size } =
        Part::find(ctx, command, dimensions, target, level, region)?;
    check_client_becomes(command, &client, image.internal)?;
    check_compresses(command, image.internal)?;
    let place = place_pixels(ctx, command, dimensions, &client, size)?;
    let source = unpack_source(ctx, command, place.end, u32::from(client.element_bytes), pixels)?;
    upload(ctx, command, texture.kind, &image, offset, size, &client, &place, &source)?;
    if image.blocks.is_some() {
        forget_blocks(&texture, face, level);
    }
    auto_mipmap(ctx, &texture, level)
}

/// Checks that a region of a compressed image consists of whole blocks or reaches its edge.
// GL 4.6 core 8.7: otherwise INVALID_OPERATION.
pub(super) fn check_blocks(command: &str, image: &Image, offset: [u32; 3], size: [u32; 3]) -> GlResult {
    let info = image.internal.candidates[0].info();
    for (axis, block) in [u32::from(info.block_width), u32::from(info.block_height)].into_iter().enumerate() {
        let whole = size[axis].is_multiple_of(block) || offset[axis] + size[axis] == image.size[axis];
        if !offset[axis].is_multiple_of(block) || !whole {
            return Err(GlError::invalid_operation(format!("{command}: the region cuts through compressed blocks")));
        }
    }
    Ok(())
}

/// Fills lower levels after a change of the base level, where the program asked for that (compatibility profile).
pub(crate) fn auto_mipmap(ctx: &mut Context, texture: &Arc<Texture>, level: u32) -> GlResult {
    let wanted = {
        let state = texture.state.lock();
        state.params.generate_mipmap && level == state.params.base_level
    };
    if wanted { crate::commands::texture_mipmaps::generate(ctx, texture) } else { Ok(()) }
}
