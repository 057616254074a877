//! Texels in host memory: all levels and layers of a texture, tightly packed, row 0 at the bottom.

use gallite_pipe::{Format, HostMemory, TextureBox, TextureDesc, TextureDim, TextureTransfer, TransferAspect};

/// Where one level lies in an image's memory.
#[derive(Clone, Copy)]
struct Level {
    offset: usize,
    row_bytes: usize,
    layer_bytes: usize,
    /// Texels.
    width: u32,
    height: u32,
    /// Slices of a 3D level, or layers.
    depth: u32,
}

/// A texture's storage. Memory is taken at the first write: until then all texels are zero.
pub struct Image {
    pub format: Format,
    levels: Vec<Level>,
    size: usize,
    memory: Option<HostMemory>,
}

/// A texture: an image, or a window into one.
#[derive(Clone, Copy)]
pub struct View {
    pub first_level: u32,
    pub first_layer: u32,
}

/// Which bytes of a texel take part in a transfer: the first `skip` bytes are passed over, of the `bytes` bytes
/// that follow only the bits of `mask` change.
#[derive(Clone, Copy)]
struct Part {
    skip: usize,
    bytes: usize,
    mask: Option<[u8; 4]>,
}

impl Image {
    /// Lays out an image; `None` when its size overflows.
    pub fn new(desc: &TextureDesc) -> Option<Self> {
        let mut levels = Vec::with_capacity(desc.levels as usize);
        let mut size = 0_usize;
        for level in 0..desc.levels.min(32) {
            let at = |size: u32| (size >> level).max(1);
            let (width, height) = (at(desc.width), at(desc.height));
            let depth = if desc.dim == TextureDim::D3 { at(desc.depth) } else { desc.layers.max(1) };
            let row_bytes = usize::try_from(desc.format.row_bytes(width)).ok()?;
            let layer_bytes = row_bytes.checked_mul(desc.format.block_rows(height) as usize)?;
            levels.push(Level { offset: size, row_bytes, layer_bytes, width, height, depth });
            size = size.checked_add(layer_bytes.checked_mul(depth as usize)?)?;
        }
        Some(Self { format: desc.format, levels, size, memory: None })
    }

    /// Takes the memory if that has not happened; false when there is none.
    fn ready(&mut self) -> bool {
        if self.memory.is_none() {
            self.memory = HostMemory::new(self.size);
        }
        self.memory.is_some()
    }

    fn level(&self, view: View, level: u32) -> Option<Level> {
        self.levels.get((view.first_level + level) as usize).copied()
    }

    /// Byte offset of the box's first block of row `row` (in blocks) of slice `slice`, and the bytes of its row.
    fn row(&self, level: Level, view: View, region: &TextureBox, row: u32, slice: u32) -> (usize, usize) {
        let info = self.format.info();
        let (block_width, block_height) = (u32::from(info.block_width.max(1)), u32::from(info.block_height.max(1)));
        let x = (region.x / block_width) as usize * usize::from(info.block_bytes);
        let y = (region.y / block_height + row) as usize * level.row_bytes;
        let z = (view.first_layer + region.z + slice) as usize * level.layer_bytes;
        (level.offset + z + y + x, self.format.row_bytes(region.width) as usize)
    }

    fn fits(&self, level: Level, view: View, region: &TextureBox) -> bool {
        let within = |start: u32, size: u32, limit: u32| start.checked_add(size).is_some_and(|end| end <= limit);
        let z = view.first_layer.saturating_add(region.z);
        within(region.x, region.width, level.width)
            && within(region.y, region.height, level.height)
            && within(z, region.depth, level.depth)
    }

    /// Calls `each` with (offset in the image, offset in linear memory, bytes) for every row of a transfer.
    /// False when the box does not fit.
    fn rows(&self, view: View, transfer: &TextureTransfer, mut each: impl FnMut(usize, usize, usize)) -> bool {
        let region = &transfer.region;
        let Some(level) = self.level(view, transfer.level) else { return false };
        if !self.fits(level, view, region) {
            return false;
        }
        for slice in 0..region.depth {
            for row in 0..self.format.block_rows(region.height) {
                let (at, bytes) = self.row(level, view, region, row, slice);
                let linear = u64::from(slice) * transfer.layer_stride + u64::from(row) * u64::from(transfer.row_stride);
                each(at, linear as usize, bytes);
            }
        }
        true
    }

    /// The part of a texel that an aspect names; `None` when that is all of it.
    fn part(&self, aspect: TransferAspect) -> Option<Part> {
        let combined = self.format.has_depth() && self.format.has_stencil();
        if !combined || aspect == TransferAspect::WHOLE {
            return None;
        }
        let channel = self.format.info().channels[usize::from(aspect == TransferAspect::STENCIL)];
        let skip = usize::from(channel.offset / 8);
        Some(match (aspect, channel.bits) {
            // Depth of 24 bits travels in a word of its own whose other byte is ignored.
            (TransferAspect::DEPTH, 24) => {
                let mut mask = [0xFF; 4];
                mask[if channel.offset == 0 { 3 } else { 0 }] = 0;
                Part { skip: 0, bytes: 4, mask: Some(mask) }
            }
            (TransferAspect::DEPTH, _) => Part { skip, bytes: 4, mask: None },
            _ => Part { skip, bytes: 1, mask: None },
        })
    }

    /// Copies linear bytes in.
    pub fn write(&mut self, view: View, transfer: &TextureTransfer, bytes: &[u8]) {
        if !self.ready() {
            return;
        }
        let Some(memory) = &self.memory else { return };
        let (texel, part) = (usize::from(self.format.info().block_bytes), self.part(transfer.aspect));
        let whole = memory.whole();
        self.rows(view, transfer, |at, linear, length| match part {
            None => {
                if let Some(row) = bytes.get(linear..linear + length) {
                    let _ = whole.write(at, row);
                }
            }
            Some(part) => {
                for index in 0..length / texel {
                    let start = linear + index * part.bytes;
                    let Some(new) = bytes.get(start..start + part.bytes) else { return };
                    let at = at + index * texel + part.skip;
                    let mut value = [0; 4];
                    let value = &mut value[..part.bytes];
                    value.copy_from_slice(new);
                    if let Some(mask) = part.mask {
                        let mut old = [0; 4];
                        let _ = whole.read(at, &mut old);
                        for ((value, old), mask) in value.iter_mut().zip(old).zip(mask) {
                            *value = *value & mask | old & !mask;
                        }
                    }
                    let _ = whole.write(at, value);
                }
            }
        });
    }

    /// Copies texels out; bytes between rows are left alone.
    pub fn read(&self, view: View, transfer: &TextureTransfer, bytes: &mut [u8]) {
        let (texel, part) = (usize::from(self.format.info().block_bytes), self.part(transfer.aspect));
        let whole = self.memory.as_ref().map(HostMemory::whole);
        let load = |at: usize, into: &mut [u8]| match whole {
            Some(whole) => {
                let _ = whole.read(at, into);
            }
            None => into.fill(0),
        };
        self.rows(view, transfer, |at, linear, length| match part {
            None => {
                if let Some(row) = bytes.get_mut(linear..linear + length) {
                    load(at, row);
                }
            }
            Some(part) => {
                for index in 0..length / texel {
                    let start = linear + index * part.bytes;
                    let Some(value) = bytes.get_mut(start..start + part.bytes) else { return };
                    load(at + index * texel + part.skip, value);
                    if let Some(mask) = part.mask {
                        value.iter_mut().zip(mask).for_each(|(value, mask)| *value &= mask);
                    }
                }
            }
        });
    }

    /// Bytes that a transfer touches in linear memory.
    pub fn linear_size(&self, transfer: &TextureTransfer) -> usize {
        let region = &transfer.region;
        if region.width == 0 || region.height == 0 || region.depth == 0 {
            return 0;
        }
        let texel = self.format.info().block_bytes;
        let part = self.part(transfer.aspect).map_or(usize::from(texel), |part| part.bytes);
        let last_row = self.format.row_bytes(region.width) / u64::from(texel.max(1)) * part as u64;
        let rows = u64::from(self.format.block_rows(region.height) - 1) * u64::from(transfer.row_stride);
        let layers = u64::from(region.depth - 1).saturating_mul(transfer.layer_stride);
        usize::try_from(layers.saturating_add(rows).saturating_add(last_row)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: View = View { first_level: 0, first_layer: 0 };

    fn image(format: Format, width: u32, height: u32, layers: u32, levels: u32) -> Image {
        let desc = TextureDesc {
            format,
            dim: TextureDim::D2_ARRAY,
            width,
            height,
            depth: 1,
            layers,
            levels,
            samples: 1,
            ..TextureDesc::default()
        };
        Image::new(&desc).unwrap()
    }

    fn transfer(level: u32, region: [u32; 6], row_stride: u32, layer_stride: u64) -> TextureTransfer {
        let [x, y, z, width, height, depth] = region;
        let region = TextureBox { x, y, z, width, height, depth };
        TextureTransfer { level, region, row_stride, layer_stride, ..TextureTransfer::default() }
    }

    #[test]
    fn levels_and_layers_do_not_overlap() {
        let mut image = image(Format::R8G8_UNORM, 4, 4, 2, 3);
        image.write(WHOLE, &transfer(0, [1, 1, 1, 2, 2, 1], 6, 0), &[1, 2, 3, 4, 0, 0, 5, 6, 7, 8]);
        image.write(WHOLE, &transfer(2, [0, 0, 0, 1, 1, 2], 2, 2), &[9, 10, 11, 12]);
        let mut bytes = [0; 64];
        image.read(WHOLE, &transfer(0, [0, 0, 0, 4, 4, 2], 8, 32), &mut bytes);
        let mut expected = [0; 64];
        expected[32 + 8 + 2..32 + 8 + 6].copy_from_slice(&[1, 2, 3, 4]);
        expected[32 + 16 + 2..32 + 16 + 6].copy_from_slice(&[5, 6, 7, 8]);
        assert_eq!(bytes, expected);
        let view = View { first_level: 2, first_layer: 1 };
        let mut texel = [0; 2];
        image.read(view, &transfer(0, [0, 0, 0, 1, 1, 1], 2, 0), &mut texel);
        assert_eq!(texel, [11, 12]);
    }

    #[test]
    fn aspects_of_a_combined_format_are_separate() {
        let mut image = image(Format::Z24_UNORM_S8_UINT, 2, 1, 1, 1);
        let row = transfer(0, [0, 0, 0, 2, 1, 1], 8, 0);
        let channels = Format::Z24_UNORM_S8_UINT.info().channels;
        let word = |depth: u32, stencil: u32| depth << channels[0].offset | stencil << channels[1].offset;
        let bytes = |words: [u32; 2]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
        image.write(WHOLE, &row, &bytes([word(0x11_2233, 0x44), word(0x55_6677, 0x88)]));
        let stencil = TextureTransfer { aspect: TransferAspect::STENCIL, ..row };
        image.write(WHOLE, &stencil, &[0xAA, 0xBB]);
        let depth = TextureTransfer { aspect: TransferAspect::DEPTH, ..row };
        image.write(WHOLE, &depth, &bytes([word(0x01_0203, 0xFF), word(0x04_0506, 0xFF)]));
        let mut all = [0; 8];
        image.read(WHOLE, &row, &mut all);
        assert_eq!(all.to_vec(), bytes([word(0x01_0203, 0xAA), word(0x04_0506, 0xBB)]));
        let mut stencils = [0; 2];
        image.read(WHOLE, &stencil, &mut stencils);
        assert_eq!(stencils, [0xAA, 0xBB]);
        assert_eq!(image.linear_size(&stencil), 2);
    }

    #[test]
    fn a_box_outside_the_level_does_nothing() {
        let mut image = image(Format::R8_UNORM, 4, 4, 1, 1);
        image.write(WHOLE, &transfer(0, [2, 0, 0, 3, 1, 1], 3, 0), &[1, 2, 3]);
        image.write(WHOLE, &transfer(1, [0, 0, 0, 1, 1, 1], 1, 0), &[1]);
        let mut bytes = [7; 16];
        image.read(WHOLE, &transfer(0, [0, 0, 0, 4, 4, 1], 4, 0), &mut bytes);
        assert_eq!(bytes, [0; 16]);
    }

    #[test]
    fn compressed_blocks_are_addressed_in_blocks() {
        let mut image = image(Format::BC1_RGBA_UNORM, 8, 8, 1, 1);
        image.write(WHOLE, &transfer(0, [4, 4, 0, 4, 4, 1], 8, 0), &[1, 2, 3, 4, 5, 6, 7, 8]);
        let mut bytes = [0; 32];
        image.read(WHOLE, &transfer(0, [0, 0, 0, 8, 8, 1], 16, 0), &mut bytes);
        assert_eq!(bytes[24..], [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(bytes[..24], [0; 24]);
    }
}
