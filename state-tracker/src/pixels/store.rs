//! Pixel storage modes: where the rows of an image lie in client memory or a pixel buffer.

/// One set of pixel storage modes, pack or unpack (GL 4.6 core table 8.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PixelStore {
    /// Reverse the bytes of each element.
    pub swap_bytes: bool,
    /// Bitmaps start at the least significant bit.
    pub lsb_first: bool,
    /// Texels between rows; 0 means the image's width.
    pub row_length: u32,
    /// Rows between images; 0 means the image's height.
    pub image_height: u32,
    /// Texels skipped in each row.
    pub skip_pixels: u32,
    /// Rows skipped in each image.
    pub skip_rows: u32,
    /// Images skipped.
    pub skip_images: u32,
    /// Rows start at multiples of this: 1, 2, 4 or 8.
    pub alignment: u32,
    /// Compressed block width; 0 disables the compressed modes.
    pub compressed_block_width: u32,
    /// Compressed block height.
    pub compressed_block_height: u32,
    /// Compressed block depth.
    pub compressed_block_depth: u32,
    /// Bytes of a compressed block.
    pub compressed_block_size: u32,
}

impl Default for PixelStore {
    fn default() -> Self {
        Self { alignment: 4, ..Self::TIGHT }
    }
}

/// Byte positions of an image's rows, relative to the pointer or offset the program gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryLayout {
    /// First byte of the first texel.
    pub start: u64,
    /// Bytes between rows.
    pub row_stride: u64,
    /// Bytes between images.
    pub image_stride: u64,
    /// Bytes used of each row.
    pub row_bytes: u64,
    /// One past the last byte touched; 0 when nothing is.
    pub end: u64,
}

/// Width, height and depth in texels.
pub type Extent = [u32; 3];

impl PixelStore {
    /// Rows directly after each other.
    pub const TIGHT: Self = Self {
        swap_bytes: false,
        lsb_first: false,
        row_length: 0,
        image_height: 0,
        skip_pixels: 0,
        skip_rows: 0,
        skip_images: 0,
        alignment: 1,
        compressed_block_width: 0,
        compressed_block_height: 0,
        compressed_block_depth: 0,
        compressed_block_size: 0,
    };

    /// Places an image of texels of `texel_bytes`, whose elements have `element_bytes`. `images` says whether the image
    /// height and skipped images apply (three-dimensional commands only). `None` when a position does not fit 64 bits.
    // GL 4.6 core 8.4.4.1, equations 8.2-8.5: rows of elements as large as the alignment need no padding.
    #[must_use]
    pub fn place(&self, texel_bytes: u32, element_bytes: u32, extent: Extent, images: bool) -> Option<MemoryLayout> {
        let [width, height, depth] = extent.map(u64::from);
        let texel = u64::from(texel_bytes);
        let row_texels = if self.row_length > 0 { u64::from(self.row_length) } else { width };
        let unpadded = row_texels.checked_mul(texel)?;
        let alignment = u64::from(self.alignment);
        let row_stride = if u64::from(element_bytes) >= alignment {
            unpadded
        } else {
            unpadded.checked_next_multiple_of(alignment)?
        };
        let rows = if images && self.image_height > 0 { u64::from(self.image_height) } else { height };
        let image_stride = row_stride.checked_mul(rows)?;
        let skip_images = if images { u64::from(self.skip_images) } else { 0 };
        let start = image_stride
            .checked_mul(skip_images)?
            .checked_add(row_stride.checked_mul(u64::from(self.skip_rows))?)?
            .checked_add(texel * u64::from(self.skip_pixels))?;
        finish(start, row_stride, image_stride, texel * width, [width, height, depth])
    }

    /// Places an image of 1-bit texels.
    // GL 4.6 compatibility 18.1: rows of bitmaps are padded to the alignment in bytes; skipped pixels are bits.
    #[must_use]
    pub fn place_bitmap(&self, width: u32, height: u32) -> Option<MemoryLayout> {
        let row_texels = if self.row_length > 0 { self.row_length } else { width };
        let row_stride = u64::from(row_texels).div_ceil(8).next_multiple_of(u64::from(self.alignment));
        let start = row_stride.checked_mul(u64::from(self.skip_rows))? + u64::from(self.skip_pixels / 8);
        let row_bytes = (u64::from(self.skip_pixels % 8) + u64::from(width)).div_ceil(8);
        finish(start, row_stride, row_stride * u64::from(height), row_bytes, [u64::from(width), u64::from(height), 1])
    }

    /// Places an image of compressed blocks. The compressed modes apply only when block width and size are set and
    /// agree with the format's block.
    // GL 4.6 core 8.7: the rows, skips and lengths are those of the texels, counted in blocks.
    #[must_use]
    pub fn place_blocks(
        &self,
        block: [u32; 3],
        block_bytes: u32,
        extent: Extent,
        images: bool,
    ) -> Option<MemoryLayout> {
        let count = |i: usize| u64::from(extent[i].div_ceil(block[i]));
        let bytes = u64::from(block_bytes);
        let mut row_stride = count(0) * bytes;
        let mut rows = count(1);
        let mut start = 0u64;
        if self.compressed_block_size != 0 && self.compressed_block_width != 0 {
            if self.row_length > 0 {
                row_stride = u64::from(self.row_length.div_ceil(block[0])) * bytes;
            }
            if images && self.image_height > 0 {
                rows = u64::from(self.image_height.div_ceil(block[1]));
            }
            start = u64::from(self.skip_pixels / block[0]) * bytes
                + u64::from(self.skip_rows / block[1]).checked_mul(row_stride)?;
            if images {
                let skipped = u64::from(self.skip_images / block[2]);
                start = start.checked_add(skipped.checked_mul(row_stride.checked_mul(rows)?)?)?;
            }
        }
        let image_stride = row_stride.checked_mul(rows)?;
        finish(start, row_stride, image_stride, count(0) * bytes, [count(0), count(1), count(2)])
    }
}

fn finish(start: u64, row_stride: u64, image_stride: u64, row_bytes: u64, counts: [u64; 3]) -> Option<MemoryLayout> {
    let end = if counts.contains(&0) {
        0
    } else {
        start
            .checked_add(image_stride.checked_mul(counts[2] - 1)?)?
            .checked_add(row_stride.checked_mul(counts[1] - 1)?)?
            .checked_add(row_bytes)?
    };
    Some(MemoryLayout { start, row_stride, image_stride, row_bytes, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_to_the_alignment() {
        let store = PixelStore::default();
        let place = store.place(3, 1, [3, 2, 1], false).unwrap();
        assert_eq!((place.row_stride, place.end), (12, 12 + 9));
        // Elements at least as large as the alignment: no padding.
        assert_eq!(store.place(12, 4, [3, 2, 1], false).unwrap().row_stride, 36);
        let wide = PixelStore { alignment: 8, ..store };
        assert_eq!(wide.place(2, 2, [3, 1, 1], false).unwrap().row_stride, 8);
    }

    #[test]
    fn skips_and_lengths() {
        let store = PixelStore {
            alignment: 1,
            row_length: 10,
            image_height: 5,
            skip_pixels: 2,
            skip_rows: 1,
            skip_images: 3,
            ..PixelStore::TIGHT
        };
        let place = store.place(4, 1, [4, 4, 2], true).unwrap();
        assert_eq!(place.start, 3 * 5 * 40 + 40 + 8);
        assert_eq!((place.row_stride, place.image_stride), (40, 200));
        assert_eq!(place.end, place.start + 200 + 3 * 40 + 16);
        let flat = store.place(4, 1, [4, 4, 1], false).unwrap();
        assert_eq!(flat.start, 48);
        assert_eq!(store.place(4, 1, [0, 4, 1], false).unwrap().end, 0);
    }

    #[test]
    fn blocks() {
        let store = PixelStore::default();
        let place = store.place_blocks([4, 4, 1], 8, [9, 5, 2], true).unwrap();
        assert_eq!((place.row_stride, place.image_stride, place.end), (24, 48, 96));
        let modes =
            PixelStore { compressed_block_width: 4, compressed_block_size: 8, row_length: 16, skip_pixels: 4, ..store };
        let place = modes.place_blocks([4, 4, 1], 8, [4, 4, 1], false).unwrap();
        assert_eq!((place.start, place.row_stride), (8, 32));
    }

    #[test]
    fn bitmaps() {
        let store = PixelStore { skip_pixels: 9, ..PixelStore::default() };
        let place = store.place_bitmap(8, 2).unwrap();
        assert_eq!((place.start, place.row_stride, place.row_bytes), (1, 4, 2));
    }

    #[test]
    fn absurd_sizes_do_not_wrap() {
        let store =
            PixelStore { row_length: u32::MAX, image_height: u32::MAX, skip_images: u32::MAX, ..PixelStore::TIGHT };
        assert!(store.place(16, 4, [1, 1, 1], true).is_none());
    }
}
