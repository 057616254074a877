//! Copies of texels between images, bit for bit (GL 4.6 core 18.3.3).

use std::sync::Arc;

use gallite_pipe::{CopyImage, Outcome, TextureBox, TransferAspect};

use crate::commands::pixel_memory::tight_transfer;
use crate::commands::texture_compressed::{keep_blocks, store_copy};
use crate::commands::textures::kind_of;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, Texture, TextureKind};
use crate::objects::texture_storage::Place;
use crate::pixels::compressed;
use crate::pixels::view_class::{may_copy, same_block_size};

/// One end of a copy: a level of a texture, or a renderbuffer.
struct End {
    kind: TextureKind,
    /// The image; of a cube map the one of its first face.
    image: Image,
    /// Where each face's texels are, for a cube map; else only the first counts.
    faces: Vec<Option<Place>>,
    /// The texture, and which of its levels.
    texture: Option<(Arc<Texture>, u32)>,
}

impl End {
    fn find(ctx: &Context, name: GLuint, target: GLenum, level: GLint) -> GlResult<Self> {
        let command = "glCopyImageSubData";
        if target == GL_RENDERBUFFER {
            return Self::of_renderbuffer(ctx, name, level);
        }
        let kind = kind_of(ctx, command, target)?;
        // GL 4.6 core 18.3.3: buffer textures have no images.
        if kind == TextureKind::Buffer {
            return Err(GlError::invalid_enum(format!("{command}: GL_TEXTURE_BUFFER")));
        }
        let texture = ctx.share.texture(name).filter(|_| name != 0);
        let texture = texture.ok_or_else(|| GlError::invalid_value(format!("{command}: no texture {name}")))?;
        if texture.kind != kind {
            return Err(GlError::invalid_enum(format!(
                "{command}: texture {name} has target 0x{:04X}, not 0x{target:04X}",
                texture.target
            )));
        }
        let state = texture.state.lock();
        let completeness = state.completeness(kind);
        // GL 4.6 core 18.3.3 with 8.17: the texture must be complete, with mipmaps where its filter wants them.
        let mipmapped = crate::objects::sampler::is_mipmap_filter(state.sampler.min_filter);
        if !completeness.base || (mipmapped && kind.has_levels() && !completeness.mipmap && level != 0) {
            return Err(GlError::invalid_operation(format!("{command}: texture {name} is not complete")));
        }
        let level = u32::try_from(level).ok().filter(|level| state.image(0, *level).is_some());
        let level =
            level.ok_or_else(|| GlError::invalid_value(format!("{command}: texture {name} lacks the level")))?;
        let faces = (0..kind.faces()).map(|face| state.image(face, level).and_then(|i| i.place.clone())).collect();
        let image = state.image(0, level).cloned();
        let image = image.ok_or_else(|| GlError::invalid_value(format!("{command}: no such level")))?;
        drop(state);
        Ok(Self { kind, image, faces, texture: Some((texture, level)) })
    }

    fn of_renderbuffer(ctx: &Context, name: GLuint, level: GLint) -> GlResult<Self> {
        let command = "glCopyImageSubData";
        let found = ctx.share.renderbuffer(name).filter(|_| name != 0);
        let found = found.ok_or_else(|| GlError::invalid_value(format!("{command}: no renderbuffer {name}")))?;
        if level != 0 {
            return Err(GlError::invalid_value(format!("{command}: level {level} of a renderbuffer")));
        }
        let state = found.state.lock().clone();
        let (Some(internal), Some(format)) = (state.internal, state.format) else {
            return Err(GlError::invalid_operation(format!("{command}: renderbuffer {name} has no storage")));
        };
        let place = state.storage.map(|storage| Place { storage, level: 0, layer: 0 });
        let kind = if state.samples > 0 { TextureKind::Multisample } else { TextureKind::D2 };
        let size = [state.width, state.height, 1];
        let samples = state.samples;
        let image = Image { internal, format, size, samples, fixed_samples: true, place: place.clone(), blocks: None };
        Ok(Self { kind, image, faces: vec![place], texture: None })
    }

    /// Width, height and slices, where faces and layers are slices (GL 4.6 core 18.3.3).
    fn extent(&self) -> [u32; 3] {
        let [width, height, depth] = self.image.size;
        match self.kind {
            TextureKind::D1 => [width, 1, 1],
            TextureKind::D1Array => [width, 1, height],
            TextureKind::Cube => [width, height, 6],
            _ => [width, height, depth],
        }
    }

    /// Width and height of a block of the format.
    fn block(&self) -> [u32; 2] {
        let info = self.image.internal.candidates[0].info();
        [u32::from(info.block_width.max(1)), u32::from(info.block_height.max(1))]
    }

    /// Checks that a box lies in the image and cuts no block.
    fn check(&self, at: [GLint; 3], size: [u32; 3]) -> GlResult<[u32; 3]> {
        let extent = self.extent();
        let outside = || GlError::invalid_value(format!("glCopyImageSubData: {size:?} from {at:?} leave {extent:?}"));
        let mut checked = [0; 3];
        for axis in 0..3 {
            let start = u32::try_from(at[axis]).map_err(|_| outside())?;
            // A compressed image ends with its last block.
            let block = if axis < 2 { self.block()[axis] } else { 1 };
            let most = extent[axis].next_multiple_of(block);
            if u64::from(start) + u64::from(size[axis]) > u64::from(most) {
                return Err(outside());
            }
            let whole = size[axis].is_multiple_of(block) || start + size[axis] == extent[axis];
            if !start.is_multiple_of(block) || !whole {
                return Err(GlError::invalid_value("glCopyImageSubData: the box cuts through compressed blocks"));
            }
            checked[axis] = start;
        }
        Ok(checked)
    }

    /// The texture, level and layer of a slice, and how many slices from there on lie in the same place.
    fn slice(&self, z: u32, left: u32) -> Option<(&Place, u32, u32)> {
        if self.kind != TextureKind::Cube {
            let place = self.faces.first()?.as_ref()?;
            return Some((place, place.layer + z, left));
        }
        // Faces may be in one texture or in several.
        let place = self.faces.get(z as usize)?.as_ref()?;
        Some((place, place.layer, 1))
    }
}

pub fn CopyImageSubData(
    ctx: &mut Context,
    srcName: GLuint,
    srcTarget: GLenum,
    srcLevel: GLint,
    srcX: GLint,
    srcY: GLint,
    srcZ: GLint,
    dstName: GLuint,
    dstTarget: GLenum,
    dstLevel: GLint,
    dstX: GLint,
    dstY: GLint,
    dstZ: GLint,
    srcWidth: GLsizei,
    srcHeight: GLsizei,
    srcDepth: GLsizei,
) -> GlResult {
    let command = "glCopyImageSubData";
    let source = End::find(ctx, srcName, srcTarget, srcLevel)?;
    let destination = End::find(ctx, dstName, dstTarget, dstLevel)?;
    let given = [srcWidth, srcHeight, srcDepth];
    if given.iter().any(|v| *v < 0) {
        return Err(GlError::invalid_value(format!("{command}: negative size {given:?}")));
    }
    if !may_copy(source.image.internal, destination.image.internal) {
        return Err(GlError::invalid_operation(format!(
            "{command}: formats 0x{:04X} and 0x{:04X} are not compatible",
            source.image.internal.gl, destination.image.internal.gl
        )));
    }
    if source.image.samples != destination.image.samples {
        return Err(GlError::invalid_operation(format!(
            "{command}: {} samples against {}",
            source.image.samples, destination.image.samples
        )));
    }
    let size = given.map(|v| v as u32);
    let from = source.check([srcX, srcY, srcZ], size)?;
    // Sizes count texels of the source; blocks of one count as texels of the other.
    let scaled = |axis: usize| size[axis].div_ceil(source.block()[axis]) * destination.block()[axis];
    let mut written = [scaled(0), scaled(1), size[2]];
    if destination.block() == source.block() {
        written = size;
    }
    let to = destination.check([dstX, dstY, dstZ], written)?;
    if size.contains(&0) {
        return Ok(());
    }
    if source.is_decoded() || destination.is_decoded() {
        return copy_blocks(ctx, &source, &destination, from, to, size, written);
    }
    if !same_block_size(source.image.format, destination.image.format) {
        return Err(GlError::invalid_operation(format!(
            "{command}: the device stores one of the formats in another one, so bits cannot be copied"
        )));
    }
    copy_slices(ctx, &source, &destination, from, to, size);
    Ok(())
}

/// Copies where one of the images is compressed and stored decoded: by its copy of the program's blocks.
fn copy_blocks(
    ctx: &mut Context,
    source: &End,
    destination: &End,
    from: [u32; 3],
    to: [u32; 3],
    size: [u32; 3],
    written: [u32; 3],
) -> GlResult {
    for z in 0..size[2] {
        let blocks = source.read_blocks(ctx, [from[0], from[1], from[2] + z], [size[0], size[1]])?;
        destination.write_blocks(ctx, [to[0], to[1], to[2] + z], [written[0], written[1]], &blocks)?;
    }
    Ok(())
}

impl End {
    /// The format is compressed, and the device stores it in another.
    fn is_decoded(&self) -> bool {
        self.image.internal.is_compressed() && !self.image.format.is_compressed()
    }

    /// The format that its bits are read and written in.
    fn bits_format(&self) -> gallite_pipe::Format {
        if self.is_decoded() { self.image.internal.candidates[0] } else { self.image.format }
    }

    /// The image that a slice is in, with its number, and the slice in it.
    fn image_of(&self, z: u32) -> Option<(Image, usize, u32)> {
        let (face, slice) = if self.kind == TextureKind::Cube { (z as usize, 0) } else { (0, z) };
        let (texture, level) = self.texture.as_ref()?;
        let state = texture.state.lock();
        Some((state.image(face, *level)?.clone(), face, slice))
    }

    /// Blocks, or texels as large as those, of a box of one slice, tightly packed.
    fn read_blocks(&self, ctx: &mut Context, at: [u32; 3], size: [u32; 2]) -> GlResult<Vec<u8>> {
        let format = self.bits_format();
        let [rows, row] = [format.block_rows(size[1]) as usize, format.row_bytes(size[0]) as usize];
        let mut out = vec![0; rows * row];
        if self.is_decoded() {
            let Some((image, _, slice)) = self.image_of(at[2]) else { return Ok(out) };
            let info = format.info();
            let image_row = format.row_bytes(image.size[0]) as usize;
            let image_rows = format.block_rows(image.size[1]) as usize;
            let first = slice as usize * image_rows + (at[1] / u32::from(info.block_height)) as usize;
            let column = (at[0] / u32::from(info.block_width)) as usize * usize::from(info.block_bytes);
            for (y, to) in out.chunks_exact_mut(row.max(1)).enumerate() {
                let start = (first + y) * image_row + column;
                if let Some(bytes) = image.blocks.as_deref().and_then(|all| all.get(start..start + row)) {
                    to.copy_from_slice(bytes);
                }
            }
            return Ok(out);
        }
        let Some((place, z, _)) = self.slice(at[2], 1) else { return Ok(out) };
        let region = TextureBox { x: at[0], y: at[1], z, width: size[0], height: size[1], depth: 1 };
        let transfer = tight_transfer(place.storage.id, place.level, TransferAspect::WHOLE, region, format);
        if ctx.pipe.texture_read(&transfer, &mut out) == Outcome::OUT_OF_MEMORY {
            return Err(GlError::out_of_memory("glCopyImageSubData: the image could not be read back"));
        }
        Ok(out)
    }

    /// Writes blocks, or texels as large as those, to a box of one slice.
    fn write_blocks(&self, ctx: &mut Context, at: [u32; 3], size: [u32; 2], blocks: &[u8]) -> GlResult {
        let Some((place, z, _)) = self.slice(at[2], 1) else { return Ok(()) };
        let region = TextureBox { x: at[0], y: at[1], z, width: size[0], height: size[1], depth: 1 };
        let stored = self.image.format;
        let transfer = tight_transfer(place.storage.id, place.level, TransferAspect::WHOLE, region, stored);
        if !self.is_decoded() {
            ctx.pipe.texture_write(&transfer, blocks);
            return Ok(());
        }
        let (Some((mut image, face, slice)), Some((texture, level))) = (self.image_of(at[2]), &self.texture) else {
            return Ok(());
        };
        let format = self.bits_format();
        let extent = [size[0], size[1], 1];
        if image.blocks.is_none() {
            let bytes = format.row_bytes(image.size[0]) * u64::from(format.block_rows(image.size[1]));
            image.blocks = Some(vec![0; (bytes * u64::from(image.size[2])) as usize].into());
        }
        store_copy(&mut image, format, [at[0], at[1], slice], extent, blocks);
        keep_blocks(texture, face, *level, &image);
        let texels = compressed::decode_to(format, stored, extent, blocks);
        ctx.pipe.texture_write(&transfer, &texels);
        Ok(())
    }
}

fn copy_slices(ctx: &mut Context, source: &End, destination: &End, from: [u32; 3], to: [u32; 3], size: [u32; 3]) {
    let mut done = 0;
    while done < size[2] {
        let left = size[2] - done;
        let (Some((read, z, run)), Some((write, write_z, write_run))) =
            (source.slice(from[2] + done, left), destination.slice(to[2] + done, left))
        else {
            return;
        };
        let depth = run.min(write_run);
        ctx.pipe.copy_image(&CopyImage {
            source: read.storage.id,
            destination: write.storage.id,
            source_level: read.level,
            destination_level: write.level,
            source_box: TextureBox { x: from[0], y: from[1], z, width: size[0], height: size[1], depth },
            x: to[0],
            y: to[1],
            z: write_z,
            reserved: 0,
        });
        done += depth;
    }
}
