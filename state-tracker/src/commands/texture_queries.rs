//! Queries of texture images: level parameters and texels (GL 4.6 core 8.11).

use std::sync::Arc;

use gallite_pipe::{Channel, Format, Outcome, TransferAspect};

use crate::client_memory::ClientPtrMut;
use crate::commands::pixel_memory::*;
use crate::commands::texture_checks::*;
use crate::commands::texture_compressed::{block_bytes, place_blocks};
use crate::commands::texture_images::{Region, check_blocks};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, Texture, TextureKind};
use crate::pixels::client::ClientFormat;
use crate::pixels::compressed;
use crate::pixels::internal::{self, Base, InternalFormat};
use crate::pixels::store::MemoryLayout;
use crate::pixels::transfer;

/// What a level query describes: a real image, a proxy's, or a buffer texture's.
#[derive(Clone, Copy)]
struct Level {
    internal: &'static InternalFormat,
    /// What it is stored in; the compressed format where it is one.
    format: Format,
    size: [u32; 3],
    samples: u32,
    fixed_samples: bool,
    buffer: (GLuint, u64, u64),
}

fn level_of(image: &Image) -> Level {
    let compressed = image.internal.is_compressed();
    Level {
        internal: image.internal,
        format: if compressed { image.internal.candidates[0] } else { image.format },
        size: image.size,
        samples: image.samples,
        fixed_samples: image.fixed_samples,
        buffer: (0, 0, 0),
    }
}

/// Parses the target of a level query.
fn query_target(ctx: &Context, command: &str, target: GLenum) -> GlResult<ImageTarget> {
    if target == GL_TEXTURE_BUFFER {
        return Ok(ImageTarget { kind: TextureKind::Buffer, face: 0, proxy: false });
    }
    (1..=5)
        .find_map(|dimensions| image_target(ctx, command, target, dimensions).ok())
        .ok_or_else(|| bad_target(command, target))
}

fn find_level(ctx: &Context, command: &str, target: &ImageTarget, level: GLint) -> GlResult<Option<Level>> {
    if target.kind == TextureKind::Buffer {
        if level != 0 {
            return Err(GlError::invalid_value(format!("{command}: level {level}")));
        }
        return Ok(buffer_level(ctx.bound_texture(TextureKind::Buffer)));
    }
    let level = check_level(ctx, command, target.kind, level)?;
    if target.proxy {
        let proxy = ctx.state.textures.proxies[target.kind as usize].get(level as usize).copied().flatten();
        return Ok(proxy.map(|p| Level {
            internal: p.internal,
            format: p.format,
            size: p.size,
            samples: p.samples,
            fixed_samples: p.fixed_samples,
            buffer: (0, 0, 0),
        }));
    }
    Ok(ctx.bound_texture(target.kind).state.lock().image(target.face, level).map(level_of))
}

fn buffer_level(texture: &Texture) -> Option<Level> {
    let state = texture.state.lock();
    let attached = state.buffer.as_ref()?;
    let available = attached.buffer.size().saturating_sub(attached.offset);
    let size = attached.size.unwrap_or(available).min(available);
    let texels = size / u64::from(attached.format.block_bytes().max(1));
    Some(Level {
        internal: attached.internal,
        format: attached.format,
        size: [texels as u32, 1, 1],
        samples: 0,
        fixed_samples: true,
        buffer: (attached.buffer.header.name, attached.offset, size),
    })
}

fn channel(level: &Level, query: GLenum) -> Option<Channel> {
    internal::component(level.internal.base, level.format, query)
}

/// The size query that goes with a type query.
fn size_query_of(pname: GLenum) -> Option<GLenum> {
    Some(match pname {
        GL_TEXTURE_RED_TYPE => GL_TEXTURE_RED_SIZE,
        GL_TEXTURE_GREEN_TYPE => GL_TEXTURE_GREEN_SIZE,
        GL_TEXTURE_BLUE_TYPE => GL_TEXTURE_BLUE_SIZE,
        GL_TEXTURE_ALPHA_TYPE => GL_TEXTURE_ALPHA_SIZE,
        GL_TEXTURE_DEPTH_TYPE => GL_TEXTURE_DEPTH_SIZE,
        GL_TEXTURE_LUMINANCE_TYPE_ARB => GL_TEXTURE_LUMINANCE_SIZE,
        GL_TEXTURE_INTENSITY_TYPE_ARB => GL_TEXTURE_INTENSITY_SIZE,
        _ => return None,
    })
}

fn level_parameter(ctx: &Context, command: &str, target: GLenum, level: GLint, pname: GLenum) -> GlResult<GLint> {
    let parsed = query_target(ctx, command, target)?;
    let found = find_level(ctx, command, &parsed, level)?;
    // GL 4.6 core 8.11.3: a level that was never specified answers with the initial state.
    let sized = |axis: usize| found.map_or(0, |l| l.size[axis] as GLint);
    Ok(match pname {
        GL_TEXTURE_WIDTH => sized(0),
        GL_TEXTURE_HEIGHT => sized(1),
        GL_TEXTURE_DEPTH => sized(2),
        GL_TEXTURE_BORDER if ctx.is_compatibility() => 0,
        GL_TEXTURE_INTERNAL_FORMAT => found.map_or(initial_format(ctx, target), |l| l.internal.gl as GLint),
        GL_TEXTURE_SAMPLES => found.map_or(0, |l| l.samples as GLint),
        GL_TEXTURE_FIXED_SAMPLE_LOCATIONS => found.map_or(1, |l| GLint::from(l.fixed_samples)),
        GL_TEXTURE_COMPRESSED => found.map_or(0, |l| GLint::from(l.internal.is_compressed())),
        GL_TEXTURE_COMPRESSED_IMAGE_SIZE => {
            // GL 4.6 core 8.11.3: INVALID_OPERATION for an uncompressed image or a proxy.
            let compressed = found.filter(|l| l.internal.is_compressed() && !parsed.proxy);
            let level = compressed
                .ok_or_else(|| GlError::invalid_operation(format!("{command}: the image is not compressed")))?;
            block_bytes(level.internal, level.size) as GLint
        }
        GL_TEXTURE_RED_SIZE
        | GL_TEXTURE_GREEN_SIZE
        | GL_TEXTURE_BLUE_SIZE
        | GL_TEXTURE_ALPHA_SIZE
        | GL_TEXTURE_DEPTH_SIZE
        | GL_TEXTURE_STENCIL_SIZE => component_size(found.as_ref(), pname),
        GL_TEXTURE_LUMINANCE_SIZE | GL_TEXTURE_INTENSITY_SIZE if ctx.is_compatibility() => {
            component_size(found.as_ref(), pname)
        }
        GL_TEXTURE_SHARED_SIZE => found.map_or(0, |l| if l.internal.gl == GL_RGB9_E5 { 5 } else { 0 }),
        GL_TEXTURE_BUFFER_DATA_STORE_BINDING => found.map_or(0, |l| l.buffer.0 as GLint),
        GL_TEXTURE_BUFFER_OFFSET => found.map_or(0, |l| l.buffer.1 as GLint),
        GL_TEXTURE_BUFFER_SIZE => found.map_or(0, |l| l.buffer.2 as GLint),
        _ => match size_query_of(pname) {
            Some(query) => found.and_then(|l| channel(&l, query)).map_or(0, |c| internal::component_type(c) as GLint),
            None => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
        },
    })
}

fn component_size(level: Option<&Level>, pname: GLenum) -> GLint {
    level.and_then(|l| channel(l, pname)).map_or(0, |c| GLint::from(c.bits))
}

/// GL 4.6 core table 23.17, compatibility table 23.26: the internal format of a level that is not there.
fn initial_format(ctx: &Context, target: GLenum) -> GLint {
    match target {
        GL_TEXTURE_BUFFER => GL_R8 as GLint,
        _ if ctx.is_compatibility() => 1,
        _ => GL_RGBA as GLint,
    }
}

pub fn GetTexLevelParameteriv(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let value = level_parameter(ctx, "glGetTexLevelParameteriv", target, level, pname)?;
    params.write(&[value]);
    Ok(())
}

pub fn GetTexLevelParameterfv(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    pname: GLenum,
    params: ClientPtrMut<GLfloat>,
) -> GlResult {
    let value = level_parameter(ctx, "glGetTexLevelParameterfv", target, level, pname)?;
    params.write(&[value as GLfloat]);
    Ok(())
}

pub fn GetTexImage(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    get_tex_image(ctx, "glGetTexImage", target, level, format, r#type, None, pixels)
}

pub fn GetnTexImage(
    ctx: &mut Context,
    target: GLenum,
    level: GLint,
    format: GLenum,
    r#type: GLenum,
    bufSize: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    get_tex_image(ctx, "glGetnTexImage", target, level, format, r#type, Some(bufSize), pixels)
}

/// The image a texel query reads.
fn readable_image(
    ctx: &Context,
    command: &str,
    target: GLenum,
    level: GLint,
) -> GlResult<(TextureKind, Option<Image>)> {
    let parsed = (1..=3)
        .find_map(|dimensions| image_target(ctx, command, target, dimensions).ok())
        .filter(|t| !t.proxy)
        .ok_or_else(|| bad_target(command, target))?;
    let level = check_level(ctx, command, parsed.kind, level)?;
    let texture: &Arc<Texture> = ctx.bound_texture(parsed.kind);
    let image = texture.state.lock().image(parsed.face, level).cloned();
    Ok((parsed.kind, image))
}

#[allow(clippy::too_many_arguments)]
fn get_tex_image(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    level: GLint,
    format: GLenum,
    ty: GLenum,
    limit: Option<GLsizei>,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let (kind, image) = readable_image(ctx, command, target, level)?;
    read_cut(ctx, command, &Cut::of_image(kind, image), format, ty, limit, pixels)
}

/// Reads texels of part of an image to where the program wants them.
#[allow(clippy::too_many_arguments)]
fn read_part(
    ctx: &mut Context,
    command: &'static str,
    kind: TextureKind,
    image: &Image,
    offset: [u32; 3],
    size: [u32; 3],
    client: &ClientFormat,
    place: &MemoryLayout,
    target: &PixelTarget,
) -> GlResult {
    let Some(at) = image.place.clone().filter(|_| !size.contains(&0)) else { return Ok(()) };
    if matches!(target, PixelTarget::Memory(p) if p.is_null()) {
        return Ok(());
    }
    if image.format.is_compressed() {
        if !compressed::can_decode(image.format) {
            return Err(GlError::invalid_operation(format!("{command}: blocks of this format cannot be decoded")));
        }
        let blocks = read_blocks(ctx, image, kind)?;
        let decoded = compressed::decoded(image.format);
        let texels = compressed::decode(image.format, image.size, &blocks);
        let texels = crop(&texels, image.size, offset, size, decoded.block_bytes() as usize);
        let conversion = transfer::download(client, image.internal.base, decoded);
        pack_texels(ctx, &conversion, client, place, size, &texels, target);
        return Ok(());
    }
    let region = image.region(kind, offset, size);
    let (aspect, stored) = transfer_aspect(image.format, client.kind);
    let transfer = tight_transfer(at.storage.id, at.level, aspect, region, stored);
    let conversion = transfer::download(client, image.internal.base, stored);
    read_texels(ctx, &conversion, &transfer, stored, client, place, size, target)
}

/// The elements of a box of a tightly packed image, tightly packed.
fn crop(all: &[u8], image: [u32; 3], offset: [u32; 3], size: [u32; 3], bytes: usize) -> Vec<u8> {
    let [width, height, _] = image.map(|v| v as usize);
    let [x, y, z] = offset.map(|v| v as usize);
    let [columns, rows, slices] = size.map(|v| v as usize);
    let mut part = Vec::with_capacity(columns * rows * slices * bytes);
    for slice in z..z + slices {
        for row in y..y + rows {
            let start = ((slice * height + row) * width + x) * bytes;
            part.extend_from_slice(all.get(start..start + columns * bytes).unwrap_or_default());
        }
    }
    part
}

/// What of a level a query by name reads; faces of a cube map are its slices.
pub(super) enum Slices {
    /// Everything.
    Whole,
    /// A box.
    Part(Region),
}

/// The images a query by name reads, and the box of them.
struct Cut {
    kind: TextureKind,
    /// One image, or one a face.
    images: Vec<Image>,
    offset: [u32; 3],
    size: [u32; 3],
    /// Whether memory holds images one after another.
    in_images: bool,
}

impl Cut {
    /// One image whole; nothing of a level without image.
    fn of_image(kind: TextureKind, image: Option<Image>) -> Self {
        let size = image.as_ref().map_or([0; 3], |image| image.size);
        let in_images = matches!(kind, TextureKind::D3 | TextureKind::D2Array | TextureKind::CubeArray);
        Self { kind, images: image.into_iter().collect(), offset: [0; 3], size, in_images }
    }

    fn find(ctx: &Context, command: &'static str, target: GLenum, level: GLint, part: &Slices) -> GlResult<Self> {
        let kind =
            TextureKind::from_target(target).filter(|kind| *kind != TextureKind::Buffer && !kind.is_multisample());
        let kind =
            kind.ok_or_else(|| GlError::invalid_operation(format!("{command}: a buffer or multisample texture")))?;
        let level = check_level(ctx, command, kind, level)?;
        let state = ctx.bound_texture(kind).state.lock();
        let mut images: Vec<Image> = (0..kind.faces()).filter_map(|face| state.image(face, level).cloned()).collect();
        drop(state);
        if kind != TextureKind::Cube && matches!(part, Slices::Whole) {
            return Ok(Self::of_image(kind, images.pop()));
        }
        let Some(first) = images.first() else {
            // GL 4.6 core 8.11.4: a cube map is asked for as a whole where it is complete only.
            if kind == TextureKind::Cube {
                return Err(GlError::invalid_operation(format!("{command}: the cube map is not complete")));
            }
            return Ok(Self::of_image(kind, None));
        };
        let mut whole = first.clone();
        if kind == TextureKind::Cube {
            whole.size[2] = 6;
            // GL 4.6 core 8.11.4: the faces must be alike.
            if images.len() != 6 || !images.iter().all(|i| i.size == first.size && i.same_format(first)) {
                return Err(GlError::invalid_operation(format!("{command}: the cube map is not complete")));
            }
        }
        let (offset, size) = match part {
            Slices::Whole => ([0; 3], whole.size),
            Slices::Part(region) => region.check(command, &whole)?,
        };
        if kind == TextureKind::Cube {
            images = images.split_off(offset[2] as usize);
            images.truncate(size[2] as usize);
        }
        let in_images = kind == TextureKind::Cube || Self::of_image(kind, None).in_images;
        Ok(Self { kind, images, offset, size, in_images })
    }

    /// Box of one of the images, and its index among the program's images.
    fn pieces(&self) -> impl Iterator<Item = (&Image, [u32; 3], [u32; 3])> {
        let cube = self.kind == TextureKind::Cube;
        self.images.iter().map(move |image| {
            let ([x, y, z], [width, height, depth]) = (self.offset, self.size);
            if cube { (image, [x, y, 0], [width, height, 1]) } else { (image, [x, y, z], [width, height, depth]) }
        })
    }
}

/// Reads texels of the texture at `target`, faces and all.
#[allow(clippy::too_many_arguments)]
pub(super) fn get_slices(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    level: GLint,
    part: &Slices,
    format: GLenum,
    ty: GLenum,
    limit: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let cut = Cut::find(ctx, command, target, level, part)?;
    read_cut(ctx, command, &cut, format, ty, Some(limit), pixels)
}

/// Reads texels to where the program wants them.
fn read_cut(
    ctx: &mut Context,
    command: &'static str,
    cut: &Cut,
    format: GLenum,
    ty: GLenum,
    limit: Option<GLsizei>,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let client = texture_client(ctx, command, format, ty)?;
    // A level without image reads as nothing.
    let Some(first) = cut.images.first() else { return Ok(()) };
    check_client_matches(command, &client, first.internal)?;
    // GL 4.6 core 8.11.4: DEPTH_STENCIL needs both.
    if format == GL_DEPTH_STENCIL && first.internal.base != Base::DepthStencil {
        return Err(GlError::invalid_operation(format!("{command}: the texture has no depth and stencil")));
    }
    let pack = &ctx.state.pixel_store.pack;
    let place = pack
        .place(client.texel_bytes(), u32::from(client.element_bytes), cut.size, cut.in_images)
        .ok_or_else(|| GlError::invalid_operation(format!("{command}: the pixels lie beyond any memory")))?;
    let target = pack_target(ctx, command, place.end, u32::from(client.element_bytes), pixels, limit)?;
    for (index, (image, offset, size)) in cut.pieces().enumerate() {
        let place = MemoryLayout { start: place.start + index as u64 * place.image_stride, ..place };
        read_part(ctx, command, cut.kind, image, offset, size, &client, &place, &target)?;
    }
    Ok(())
}

/// Reads blocks of the texture at `target`, faces and all.
pub(super) fn get_compressed_slices(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    level: GLint,
    part: &Slices,
    limit: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let cut = Cut::find(ctx, command, target, level, part)?;
    read_cut_blocks(ctx, command, &cut, Some(limit), pixels)
}

/// Reads blocks to where the program wants them.
fn read_cut_blocks(
    ctx: &mut Context,
    command: &'static str,
    cut: &Cut,
    limit: Option<GLsizei>,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    // GL 4.6 core 8.11.4: INVALID_OPERATION for an uncompressed image.
    let Some(first) = cut.images.first().filter(|image| image.internal.is_compressed()) else {
        return Err(GlError::invalid_operation(format!("{command}: the image is not compressed")));
    };
    check_blocks(command, first, cut.offset, cut.size)
        .map_err(|error| GlError::invalid_value(error.message().to_owned()))?;
    let place = place_blocks(&ctx.state.pixel_store.pack, command, first.internal, cut.size, cut.in_images)?;
    let target = pack_target(ctx, command, place.end, 1, pixels, limit)?;
    for (index, (image, offset, size)) in cut.pieces().enumerate() {
        let place = MemoryLayout { start: place.start + index as u64 * place.image_stride, ..place };
        write_blocks(ctx, command, cut.kind, image, offset, size, &place, &target)?;
    }
    Ok(())
}

/// The blocks of an image that is stored compressed.
fn read_blocks(ctx: &mut Context, image: &Image, kind: TextureKind) -> GlResult<Vec<u8>> {
    let mut blocks = vec![0; block_bytes(image.internal, image.size) as usize];
    if let Some(at) = &image.place {
        let region = image.region(kind, [0; 3], image.size);
        let transfer = tight_transfer(at.storage.id, at.level, TransferAspect::WHOLE, region, image.format);
        if ctx.pipe.texture_read(&transfer, &mut blocks) == Outcome::OUT_OF_MEMORY {
            return Err(GlError::out_of_memory("blocks could not be read back"));
        }
    }
    Ok(blocks)
}

pub fn GetCompressedTexImage(ctx: &mut Context, target: GLenum, level: GLint, img: ClientPtrMut<u8>) -> GlResult {
    get_compressed(ctx, "glGetCompressedTexImage", target, level, None, img)
}

pub fn GetnCompressedTexImage(
    ctx: &mut Context,
    target: GLenum,
    lod: GLint,
    bufSize: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    get_compressed(ctx, "glGetnCompressedTexImage", target, lod, Some(bufSize), pixels)
}

fn get_compressed(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    level: GLint,
    limit: Option<GLsizei>,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let (kind, image) = readable_image(ctx, command, target, level)?;
    read_cut_blocks(ctx, command, &Cut::of_image(kind, image), limit, pixels)
}

/// The texels of an image that is stored decoded, compressed.
fn compressed_texels(ctx: &mut Context, image: &Image, kind: TextureKind) -> GlResult<Vec<u8>> {
    let Some(at) = &image.place else { return Ok(vec![0; block_bytes(image.internal, image.size) as usize]) };
    let count = image.size.iter().map(|v| *v as usize).product::<usize>();
    let mut texels = vec![0; count * image.format.block_bytes() as usize];
    let region = image.region(kind, [0; 3], image.size);
    let transfer = tight_transfer(at.storage.id, at.level, TransferAspect::WHOLE, region, image.format);
    if ctx.pipe.texture_read(&transfer, &mut texels) == Outcome::OUT_OF_MEMORY {
        return Err(GlError::out_of_memory("texels could not be read back"));
    }
    let format = image.internal.candidates[0];
    Ok(compressed::encode_from(format, image.format, image.size, &texels))
}

/// Writes the blocks of part of an image to where the program wants them.
#[allow(clippy::too_many_arguments)]
fn write_blocks(
    ctx: &mut Context,
    command: &str,
    kind: TextureKind,
    image: &Image,
    offset: [u32; 3],
    size: [u32; 3],
    place: &MemoryLayout,
    target: &PixelTarget,
) -> GlResult {
    let blocks = match &image.blocks {
        Some(blocks) => blocks.to_vec(),
        None if image.format.is_compressed() => read_blocks(ctx, image, kind)?,
        // Given as plain pixels and stored as such.
        None if compressed::can_encode(image.internal.candidates[0]) => compressed_texels(ctx, image, kind)?,
        // Storage without content.
        None if compressed::is_etc(image.internal.candidates[0]) => {
            vec![0; block_bytes(image.internal, image.size) as usize]
        }
        None => return Err(GlError::invalid_operation(format!("{command}: the image was never compressed"))),
    };
    let info = image.internal.candidates[0].info();
    let (bw, bh) = (u32::from(info.block_width), u32::from(info.block_height));
    let in_blocks = |[x, y, z]: [u32; 3]| [x.div_ceil(bw), y.div_ceil(bh), z];
    let cut = in_blocks(size);
    let part = crop(&blocks, in_blocks(image.size), in_blocks(offset), cut, usize::from(info.block_bytes));
    let rows = u64::from(cut[1]).max(1);
    for (index, row) in part.chunks_exact((place.row_bytes as usize).max(1)).enumerate() {
        let (z, y) = (index as u64 / rows, index as u64 % rows);
        target.write(ctx, place.start + z * place.image_stride + y * place.row_stride, row);
    }
    Ok(())
}
