//! The program's end of pixel transfers: client memory or a bound pixel buffer (GL 4.6 core 8.4.4, 18.2).
//!
//! Shared by texture images, readback and whatever else moves pixels.

use std::borrow::Cow;
use std::sync::Arc;

use gallite_pipe::{BufferId, Format, MapFlags, Outcome, TextureTransfer, TransferAspect};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::buffer::Buffer;
use crate::pixels::client::{ClientFormat, ClientKind};
use crate::pixels::convert::Conversion;
use crate::pixels::store::{Extent, MemoryLayout};
use crate::pixels::transfer;

/// Where pixels are read from.
pub(crate) enum PixelSource {
    /// The program gave none: texels are undefined.
    Nothing,
    /// Client memory.
    Memory(ClientPtr<u8>),
    /// The pixel unpack buffer, from an offset.
    Buffer(BufferId, u64),
}

/// Where pixels are written to.
pub(crate) enum PixelTarget {
    /// Client memory.
    Memory(ClientPtrMut<u8>),
    /// The pixel pack buffer, from an offset.
    Buffer(BufferId, u64),
}

/// Checks a pixel buffer for an access of `end` bytes at `offset`.
// GL 4.6 core 8.4.4.1 and 18.2.2: INVALID_OPERATION when mapped without persistence, when the offset is no multiple of the
// type's size, and when the access would leave the buffer.
fn check_buffer(command: &str, buffer: &Arc<Buffer>, offset: u64, end: u64, element_bytes: u32) -> GlResult<BufferId> {
    if buffer.is_mapped_exclusively() {
        return Err(GlError::invalid_operation(format!("{command}: the pixel buffer is mapped")));
    }
    if element_bytes > 1 && !offset.is_multiple_of(u64::from(element_bytes)) {
        return Err(GlError::invalid_operation(format!(
            "{command}: offset {offset} into the pixel buffer is misaligned"
        )));
    }
    if offset.checked_add(end).is_none_or(|last| last > buffer.size()) {
        return Err(GlError::invalid_operation(format!(
            "{command}: {end} bytes from offset {offset} do not fit the pixel buffer of {}",
            buffer.size()
        )));
    }
    Ok(buffer.id())
}

/// Where a command that unpacks reads from.
pub(crate) fn unpack_source(
    ctx: &Context,
    command: &str,
    end: u64,
    element_bytes: u32,
    pixels: ClientPtr<u8>,
) -> GlResult<PixelSource> {
    if let Some(buffer) = &ctx.state.buffers.pixel_unpack {
        let offset = pixels.as_offset() as u64;
        return Ok(PixelSource::Buffer(check_buffer(command, buffer, offset, end, element_bytes)?, offset));
    }
    Ok(if pixels.is_null() { PixelSource::Nothing } else { PixelSource::Memory(pixels) })
}

/// Where a command that packs writes to. `limit` is the size of client memory where the command says it.
pub(crate) fn pack_target(
    ctx: &Context,
    command: &str,
    end: u64,
    element_bytes: u32,
    pixels: ClientPtrMut<u8>,
    limit: Option<GLsizei>,
) -> GlResult<PixelTarget> {
    if let Some(buffer) = &ctx.state.buffers.pixel_pack {
        let offset = pixels.as_offset() as u64;
        return Ok(PixelTarget::Buffer(check_buffer(command, buffer, offset, end, element_bytes)?, offset));
    }
    // GL 4.6 core 18.2.2: the bounded variants refuse to write past what they were given.
    if let Some(limit) = limit {
        // GL 4.6 core 2.3.1: INVALID_VALUE for a negative size.
        let room = u64::try_from(limit)
            .map_err(|_| GlError::invalid_value(format!("{command}: bufSize is negative ({limit})")))?;
        if end > room {
            return Err(GlError::invalid_operation(format!("{command}: {end} bytes do not fit bufSize {limit}")));
        }
    }
    Ok(PixelTarget::Memory(pixels))
}

impl PixelSource {
    /// The first `end` bytes; `None` when there are none or the device could not be read.
    pub(crate) fn read(&self, ctx: &mut Context, end: u64) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Nothing => None,
            Self::Memory(pixels) => Some(pixels.read(end as usize)),
            Self::Buffer(id, offset) => {
                let mut bytes = vec![0; end as usize];
                (ctx.pipe.buffer_read(*id, *offset, &mut bytes) == Outcome::DONE).then_some(Cow::Owned(bytes))
            }
        }
    }
}

impl PixelTarget {
    /// Writes bytes at a position.
    pub(crate) fn write(&self, ctx: &mut Context, at: u64, bytes: &[u8]) {
        match self {
            Self::Memory(pixels) => {
                if !pixels.is_null() {
                    pixels.byte_add(at as usize).write(bytes);
                }
            }
            Self::Buffer(id, offset) => ctx.pipe.buffer_write(*id, offset + at, MapFlags::WRITE, bytes),
        }
    }
}

/// The aspect of a stored format that client pixels of a kind touch, and the format of that aspect alone.
pub(crate) fn transfer_aspect(stored: Format, kind: ClientKind) -> (TransferAspect, Format) {
    match (kind, stored) {
        (ClientKind::Depth, Format::Z24_UNORM_S8_UINT) => (TransferAspect::DEPTH, Format::Z24X8_UNORM),
        (ClientKind::Depth, Format::Z32_FLOAT_S8X24_UINT) => (TransferAspect::DEPTH, Format::Z32_FLOAT),
        (ClientKind::Stencil, f) if f.has_stencil() && f != Format::S8_UINT => {
            (TransferAspect::STENCIL, Format::S8_UINT)
        }
        _ => (TransferAspect::WHOLE, stored),
    }
}

/// Converts tightly packed texels and writes them where the program wants them.
pub(crate) fn pack_texels(
    ctx: &mut Context,
    conversion: &Conversion,
    client: &ClientFormat,
    place: &MemoryLayout,
    extent: Extent,
    texels: &[u8],
    target: &PixelTarget,
) {
    let swap = ctx.state.pixel_store.pack.swap_bytes;
    match target {
        PixelTarget::Memory(pixels) => {
            transfer::pack_image(conversion, client, swap, place, extent, texels, |at, row| {
                pixels.byte_add(at as usize).write(row);
            });
        }
        PixelTarget::Buffer(id, offset) => {
            // One write for the whole image where nothing lies between rows, else one for each row.
            let rows = u64::from(extent[1]) * u64::from(extent[2]);
            let tight =
                place.row_stride == place.row_bytes && place.image_stride == place.row_bytes * u64::from(extent[1]);
            let mut whole = Vec::with_capacity(if tight { (rows * place.row_bytes) as usize } else { 0 });
            let pipe = &mut ctx.pipe;
            transfer::pack_image(conversion, client, swap, place, extent, texels, |at, row| {
                if tight {
                    whole.extend_from_slice(row);
                } else {
                    pipe.buffer_write(*id, offset + at, MapFlags::WRITE, row);
                }
            });
            if !whole.is_empty() {
                pipe.buffer_write(*id, offset + place.start, MapFlags::WRITE, &whole);
            }
        }
    }
}

/// Reads a region of a texture to where the program wants it: by the device into a buffer where no conversion is
/// needed, else over the CPU. `transfer.aspect`, strides and region must be set; strides are those of tight texels.
pub(crate) fn read_texels(
    ctx: &mut Context,
    conversion: &Conversion,
    transfer: &TextureTransfer,
    format: Format,
    client: &ClientFormat,
    place: &MemoryLayout,
    extent: Extent,
    target: &PixelTarget,
) -> GlResult {
    let direct = transfer::is_direct(conversion, client, ctx.state.pixel_store.pack.swap_bytes);
    let one_row_layers = transfer.region.height == 1 && transfer.region.depth > 1 && extent[2] == 1;
    if direct
        && !one_row_layers
        && let Ok(row_stride) = u32::try_from(place.row_stride)
    {
        let direct = TextureTransfer { row_stride, layer_stride: place.image_stride, ..*transfer };
        if let PixelTarget::Buffer(id, offset) = target
            && ctx.pipe.texture_read_to_buffer(*id, offset + place.start, &direct) == Outcome::DONE
        {
            return Ok(());
        }
    }
    let bytes = u64::from(extent[0]) * u64::from(extent[1]) * u64::from(extent[2]) * u64::from(format.block_bytes());
    let mut texels = vec![0; bytes as usize];
    if ctx.pipe.texture_read(transfer, &mut texels) == Outcome::OUT_OF_MEMORY {
        return Err(GlError::out_of_memory("pixels could not be read back"));
    }
    pack_texels(ctx, conversion, client, place, extent, &texels, target);
    Ok(())
}

/// A transfer of tightly packed texels of `format` for a region that the client sees as `extent`.
pub(crate) fn tight_transfer(
    texture: gallite_pipe::TextureId,
    level: u32,
    aspect: TransferAspect,
    region: gallite_pipe::TextureBox,
    format: Format,
) -> TextureTransfer {
    let row = format.row_bytes(region.width);
    TextureTransfer {
        texture,
        level,
        aspect,
        region,
        row_stride: row as u32,
        reserved: 0,
        layer_stride: row * u64::from(format.block_rows(region.height)),
    }
}
