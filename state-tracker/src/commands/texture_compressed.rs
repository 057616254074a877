//! Compressed texture images (GL 4.6 core 8.7).

use std::sync::Arc;

use gallite_pipe::{Format, TransferAspect};

use crate::client_memory::ClientPtr;
use crate::commands::pixel_memory::{PixelSource, tight_transfer, unpack_source};
use crate::commands::texture_checks::*;
use crate::commands::texture_images::{Part, Region, auto_mipmap, define_image};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, TextureKind};
use crate::pixels::compressed;
use crate::pixels::internal::{InternalFormat, internal_format_for};
use crate::pixels::store::{MemoryLayout, PixelStore};

/// Bytes of the blocks of an image.
pub(crate) fn block_bytes(internal: &InternalFormat, size: [u32; 3]) -> u64 {
    let format = internal.candidates[0];
    // Sizes aren't checked against limits yet.
    let layer = format.row_bytes(size[0]).saturating_mul(u64::from(format.block_rows(size[1])));
    layer.saturating_mul(u64::from(size[2]))
}

/// A specific compressed internal format. GL 4.6 core 8.7: INVALID_ENUM for any other.
fn compressed_internal(ctx: &Context, command: &str, internal: GLenum) -> GlResult<&'static InternalFormat> {
    internal_format_for(internal, ctx.is_compatibility())
        .filter(|f| f.is_compressed() && is_supported(ctx, f))
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: format 0x{internal:04X}")))
}

/// Whether images of a compressed format can be stored or decoded.
pub(crate) fn is_supported(ctx: &Context, internal: &InternalFormat) -> bool {
    let format = internal.candidates[0];
    ctx.device.choose_format(internal) == format || compressed::can_decode(format)
}

struct Arguments {
    shape: ImageShape,
    internal: GLenum,
    image_size: GLsizei,
    data: ClientPtr<u8>,
}

pub fn CompressedTexImage1D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLenum,
    width: GLsizei,
    border: GLint,
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let shape = ImageShape { level, size: [width, 1, 1], border };
    let args = Arguments { shape, internal: internalformat, image_size: imageSize, data };
    compressed_image(ctx, "glCompressedTexImage1D", 1, target, &args)
}

pub fn CompressedTexImage2D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    border: GLint,
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let shape = ImageShape { level, size: [width, height, 1], border };
    let args = Arguments { shape, internal: internalformat, image_size: imageSize, data };
    compressed_image(ctx, "glCompressedTexImage2D", 2, target, &args)
}

pub fn CompressedTexImage3D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    internalformat: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    border: GLint,
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let shape = ImageShape { level, size: [width, height, depth], border };
    let args = Arguments { shape, internal: internalformat, image_size: imageSize, data };
    compressed_image(ctx, "glCompressedTexImage3D", 3, target, &args)
}

fn compressed_image(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    args: &Arguments,
) -> GlResult {
    let parsed = image_target(ctx, command, target, dimensions)?;
    let internal = compressed_internal(ctx, command, args.internal)?;
    // GL 4.6 core 8.7: no compressed format has 1D or rectangle images.
    if matches!(parsed.kind, TextureKind::Rect) {
        return Err(bad_target(command, target));
    }
    let blocks = block_bytes(internal, check_shape(command, parsed.kind, args.shape.size)?);
    if args.image_size < 0 || args.image_size as u64 != blocks {
        return Err(GlError::invalid_value(format!("{command}: imageSize {}", args.image_size)));
    }
    let Some(NewImage { level, size }) = new_image(ctx, command, &parsed, internal, &args.shape)? else {
        return Ok(());
    };
    let texture = Arc::clone(ctx.bound_texture(parsed.kind));
    let place = place_blocks(&ctx.state.pixel_store.unpack, command, internal, size, dimensions == 3)?;
    let source = unpack_source(ctx, command, place.end, 1, args.data)?;
    let format = ctx.device.choose_format(internal);
    let mut image = define_image(ctx, command, &texture, parsed.face, level, internal, format, size)?;
    write_blocks(ctx, command, parsed.kind, &mut image, [0; 3], size, &place, &source)?;
    keep_blocks(&texture, parsed.face, level, &image);
    auto_mipmap(ctx, &texture, level)
}

/// Where the blocks of a command lie in the program's memory.
pub(super) fn place_blocks(
    store: &PixelStore,
    command: &str,
    internal: &InternalFormat,
    size: [u32; 3],
    images: bool,
) -> GlResult<MemoryLayout> {
    let info = internal.candidates[0].info();
    let block = [u32::from(info.block_width), u32::from(info.block_height), 1];
    store
        .place_blocks(block, u32::from(info.block_bytes), size, images)
        .ok_or_else(|| GlError::invalid_operation(format!("{command}: the blocks lie beyond any memory")))
}

/// Collects the blocks of an image tightly.
fn gather(place: &MemoryLayout, rows: u64, images: u64, data: &[u8]) -> Vec<u8> {
    let mut tight = Vec::with_capacity((place.row_bytes * rows * images) as usize);
    for image in 0..images {
        for row in 0..rows {
            let start = (place.start + image * place.image_stride + row * place.row_stride) as usize;
            match data.get(start..start + place.row_bytes as usize) {
                Some(bytes) => tight.extend_from_slice(bytes),
                None => tight.resize(tight.len() + place.row_bytes as usize, 0),
            }
        }
    }
    tight
}

/// Writes blocks to a region, decoded where the image is stored decoded; then also updates the image's copy of them.
#[allow(clippy::too_many_arguments)]
fn write_blocks(
    ctx: &mut Context,
    command: &str,
    kind: TextureKind,
    image: &mut Image,
    offset: [u32; 3],
    size: [u32; 3],
    place: &MemoryLayout,
    source: &PixelSource,
) -> GlResult {
    let compressed_format = image.internal.candidates[0];
    let native = image.format.is_compressed();
    if !native && image.blocks.is_none() {
        image.blocks = Some(vec![0; block_bytes(image.internal, image.size) as usize].into());
    }
    let Some(at) = image.place.clone() else { return Ok(()) };
    if matches!(source, PixelSource::Nothing) || size.contains(&0) {
        return Ok(());
    }
    let Some(data) = source.read(ctx, place.end) else {
        return Err(GlError::out_of_memory(format!("{command}: the pixel buffer could not be read")));
    };
    let region = image.region(kind, offset, size);
    let rows = u64::from(compressed_format.block_rows(size[1]));
    let blocks = gather(place, rows, u64::from(size[2]), &data);
    let transfer = tight_transfer(at.storage.id, at.level, TransferAspect::WHOLE, region, image.format);
    if native {
        ctx.pipe.texture_write(&transfer, &blocks);
        return Ok(());
    }
    store_copy(image, compressed_format, offset, size, &blocks);
    let texels = compressed::decode_to(compressed_format, image.format, size, &blocks);
    ctx.pipe.texture_write(&transfer, &texels);
    Ok(())
}

/// Puts blocks of a region into the image's copy.
pub(super) fn store_copy(image: &mut Image, format: Format, offset: [u32; 3], size: [u32; 3], blocks: &[u8]) {
    let info = format.info();
    let (bw, bh) = (u32::from(info.block_width), u32::from(info.block_height));
    let block = u64::from(info.block_bytes);
    let (image_row, image_rows) = (format.row_bytes(image.size[0]), u64::from(format.block_rows(image.size[1])));
    let (row, rows) = (format.row_bytes(size[0]), u64::from(format.block_rows(size[1])));
    let mut copy = image.blocks.as_deref().map(<[u8]>::to_vec).unwrap_or_default();
    for z in 0..u64::from(size[2]) {
        for y in 0..rows {
            let to = ((u64::from(offset[2]) + z) * image_rows + u64::from(offset[1] / bh) + y) * image_row
                + u64::from(offset[0] / bw) * block;
            let from = (z * rows + y) * row;
            let (to, from, count) = (to as usize, from as usize, row as usize);
            if let (Some(target), Some(bytes)) = (copy.get_mut(to..to + count), blocks.get(from..from + count)) {
                target.copy_from_slice(bytes);
            }
        }
    }
    image.blocks = Some(copy.into());
}

/// Remembers an image's copy of its blocks.
pub(super) fn keep_blocks(texture: &Arc<crate::objects::texture::Texture>, face: usize, level: u32, image: &Image) {
    if let Some(stored) = texture.state.lock().image_mut(face, level) {
        stored.blocks.clone_from(&image.blocks);
    }
}

/// Forgets an image's copy of its blocks: its texels have changed.
pub(super) fn forget_blocks(texture: &Arc<crate::objects::texture::Texture>, face: usize, level: u32) {
    if let Some(stored) = texture.state.lock().image_mut(face, level) {
        stored.blocks = None;
    }
}

/// GL 4.6 core 8.5: INVALID_OPERATION where plain pixels are given for an ETC2 or EAC format.
pub(super) fn check_compresses(command: &str, internal: &InternalFormat) -> GlResult {
    if compressed::is_etc(internal.candidates[0]) {
        return Err(GlError::invalid_operation(format!("{command}: format 0x{:04X} takes blocks only", internal.gl)));
    }
    Ok(())
}

pub fn CompressedTexSubImage1D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    width: GLsizei,
    format: GLenum,
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let region = Region { offset: [xoffset, 0, 0], size: [width, 1, 1] };
    compressed_sub_image(ctx, "glCompressedTexSubImage1D", 1, target, level, &region, format, imageSize, data)
}

pub fn CompressedTexSubImage2D(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let region = Region { offset: [xoffset, yoffset, 0], size: [width, height, 1] };
    compressed_sub_image(ctx, "glCompressedTexSubImage2D", 2, target, level, &region, format, imageSize, data)
}

pub fn CompressedTexSubImage3D(
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
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let region = Region { offset: [xoffset, yoffset, zoffset], size: [width, height, depth] };
    compressed_sub_image(ctx, "glCompressedTexSubImage3D", 3, target, level, &region, format, imageSize, data)
}

#[allow(clippy::too_many_arguments)]
fn compressed_sub_image(
    ctx: &mut Context,
    command: &'static str,
    dimensions: u32,
    target: GLenum,
    level: GLint,
    region: &Region,
    format: GLenum,
    image_size: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    if target == GL_TEXTURE_RECTANGLE {
        return Err(bad_target(command, target));
    }
    let internal = compressed_internal(ctx, command, format)?;
    let Part { texture, face, level, mut image, offset, size } =
        Part::find(ctx, command, dimensions, target, level, region)?;
    // GL 4.6 core 8.7: INVALID_OPERATION when the formats differ.
    if !std::ptr::eq(image.internal, internal) {
        return Err(GlError::invalid_operation(format!("{command}: the image has another format")));
    }
    if image_size < 0 || image_size as u64 != block_bytes(internal, size) {
        return Err(GlError::invalid_value(format!("{command}: imageSize {image_size}")));
    }
    let place = place_blocks(&ctx.state.pixel_store.unpack, command, internal, size, dimensions == 3)?;
    let source = unpack_source(ctx, command, place.end, 1, data)?;
    write_blocks(ctx, command, texture.kind, &mut image, offset, size, &place, &source)?;
    keep_blocks(&texture, face, level, &image);
    auto_mipmap(ctx, &texture, level)
}
