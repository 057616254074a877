//! Block-compressed images: decoding where the device lacks the format, encoding where the program gives plain pixels
//! for a compressed internal format.

use super::rgtc::{self, Signedness};
use super::store::Extent;
use gallite_pipe::Format;

/// What texels of a compressed format are decoded to.
#[must_use]
pub fn decoded(format: Format) -> Format {
    match format {
        Format::BC4_UNORM => Format::R8_UNORM,
        Format::BC4_SNORM => Format::R8_SNORM,
        Format::BC5_UNORM => Format::R8G8_UNORM,
        Format::BC5_SNORM => Format::R8G8_SNORM,
        Format::BC6H_SFLOAT | Format::BC6H_UFLOAT => Format::R16G16B16A16_FLOAT,
        Format::EAC_R11_UNORM => Format::R16_UNORM,
        Format::EAC_R11_SNORM => Format::R16_SNORM,
        Format::EAC_R11G11_UNORM => Format::R16G16_UNORM,
        Format::EAC_R11G11_SNORM => Format::R16G16_SNORM,
        f if f.is_srgb() => Format::R8G8B8A8_SRGB,
        _ => Format::R8G8B8A8_UNORM,
    }
}

/// Whether blocks of a format can be made here.
#[must_use]
pub fn can_encode(format: Format) -> bool {
    matches!(format, Format::BC4_UNORM | Format::BC4_SNORM | Format::BC5_UNORM | Format::BC5_SNORM)
}

/// Whether blocks of a format can be decoded here.
#[must_use]
pub fn can_decode(format: Format) -> bool {
    can_encode(format)
}

fn signedness(format: Format) -> Signedness {
    match format {
        Format::BC4_SNORM | Format::BC5_SNORM => Signedness::Signed,
        _ => Signedness::Unsigned,
    }
}

/// Compresses tightly packed texels of [`decoded`]`(format)`. Texels beyond the edge repeat the last ones.
#[must_use]
pub fn encode(format: Format, extent: Extent, texels: &[u8]) -> Vec<u8> {
    let [width, height, depth] = extent.map(|v| v as usize);
    let channels = decoded(format).block_bytes() as usize;
    let mut blocks = Vec::new();
    for z in 0..depth {
        for by in (0..height).step_by(4) {
            for bx in (0..width).step_by(4) {
                for channel in 0..channels {
                    let texel = |i: usize| {
                        let x = (bx + i % 4).min(width - 1);
                        let y = (by + i / 4).min(height - 1);
                        texels.get(((z * height + y) * width + x) * channels + channel).copied().unwrap_or(0)
                    };
                    blocks.extend(rgtc::encode_block(core::array::from_fn(texel), signedness(format)));
                }
            }
        }
    }
    blocks
}

/// Decompresses an image of blocks to tightly packed texels of [`decoded`]`(format)`.
#[must_use]
pub fn decode(format: Format, extent: Extent, blocks: &[u8]) -> Vec<u8> {
    let [width, height, depth] = extent.map(|v| v as usize);
    let channels = decoded(format).block_bytes() as usize;
    let mut texels = vec![0; width * height * depth * channels];
    let mut block = blocks.chunks_exact(8);
    for z in 0..depth {
        for by in (0..height).step_by(4) {
            for bx in (0..width).step_by(4) {
                for channel in 0..channels {
                    let Some(bytes) = block.next().and_then(|b| <[u8; 8]>::try_from(b).ok()) else { return texels };
                    let values = rgtc::decode_block(bytes, signedness(format));
                    for (i, value) in values.iter().enumerate() {
                        let (x, y) = (bx + i % 4, by + i / 4);
                        if x < width && y < height {
                            texels[((z * height + y) * width + x) * channels + channel] = *value;
                        }
                    }
                }
            }
        }
    }
    texels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_with_partial_blocks_round_trip() {
        let extent = [5, 3, 2];
        let texels: Vec<u8> = (0..5 * 3 * 2 * 2).map(|i| if i % 3 == 0 { 200 } else { 10 }).collect();
        let blocks = encode(Format::BC5_UNORM, extent, &texels);
        assert_eq!(blocks.len(), 2 * 2 * 16);
        assert_eq!(decode(Format::BC5_UNORM, extent, &blocks), texels);
    }
}
