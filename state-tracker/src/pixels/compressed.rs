//! Block-compressed images: decoding where the device lacks the format, encoding where the program gives plain pixels
//! for a compressed internal format.

use super::bptc;
use super::convert::{Conversion, IDENTITY, Overflow};
use super::etc2::{self, Alpha};
use super::layout::TexelLayout;
use super::rgtc::{self, Signedness};
use super::s3tc;
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
    matches!(
        format,
        Format::BC4_UNORM
            | Format::BC4_SNORM
            | Format::BC5_UNORM
            | Format::BC5_SNORM
            | Format::BC6H_UFLOAT
            | Format::BC6H_SFLOAT
            | Format::BC7_UNORM
            | Format::BC7_SRGB
    ) || s3tc_alpha(format).is_some()
}

/// How an S3TC format holds alpha; `None` for any other.
fn s3tc_alpha(format: Format) -> Option<s3tc::Alpha> {
    Some(match format {
        Format::BC1_RGB_UNORM | Format::BC1_RGB_SRGB => s3tc::Alpha::Opaque,
        Format::BC1_RGBA_UNORM | Format::BC1_RGBA_SRGB => s3tc::Alpha::Punchthrough,
        Format::BC2_UNORM | Format::BC2_SRGB => s3tc::Alpha::Explicit,
        Format::BC3_UNORM | Format::BC3_SRGB => s3tc::Alpha::Interpolated,
        _ => return None,
    })
}

/// Whether blocks of a format can be decoded here.
#[must_use]
pub fn can_decode(format: Format) -> bool {
    can_encode(format) || is_etc(format)
}

/// ETC2 and EAC formats. GL 4.6 core 8.5: images of them are never made from plain pixels.
#[must_use]
pub fn is_etc(format: Format) -> bool {
    matches!(
        format,
        Format::ETC2_RGB8_UNORM
            | Format::ETC2_RGB8_SRGB
            | Format::ETC2_RGB8A1_UNORM
            | Format::ETC2_RGB8A1_SRGB
            | Format::ETC2_RGBA8_UNORM
            | Format::ETC2_RGBA8_SRGB
            | Format::EAC_R11_UNORM
            | Format::EAC_R11_SNORM
            | Format::EAC_R11G11_UNORM
            | Format::EAC_R11G11_SNORM
    )
}

fn signedness(format: Format) -> Signedness {
    match format {
        Format::BC4_SNORM | Format::BC5_SNORM => Signedness::Signed,
        _ => Signedness::Unsigned,
    }
}

/// One of a half float.
const HALF_ONE: u16 = 0x3C00;

/// Largest block, and what it decodes to.
const MOST_BLOCK: usize = 16;
const MOST_TEXELS: usize = 16 * 8;

/// Half `i` of a block.
fn half_of(block: &[u8], i: usize) -> [u8; 8] {
    core::array::from_fn(|byte| block.get(8 * i + byte).copied().unwrap_or(0))
}

fn whole(block: &[u8]) -> [u8; 16] {
    core::array::from_fn(|byte| block.get(byte).copied().unwrap_or(0))
}

/// Decodes one block to 16 texels of [`decoded`]`(format)`, row by row.
fn decode_block(format: Format, block: &[u8], out: &mut [u8; MOST_TEXELS]) {
    let texel_bytes = decoded(format).block_bytes() as usize;
    let mut put = |texel: usize, at: usize, bytes: &[u8]| {
        let start = texel * texel_bytes + at;
        out[start..start + bytes.len()].copy_from_slice(bytes);
    };
    if let Some(alpha) = s3tc_alpha(format) {
        s3tc::decode(block, alpha).iter().enumerate().for_each(|(i, rgba)| put(i, 0, rgba));
        return;
    }
    match format {
        Format::BC4_UNORM | Format::BC4_SNORM | Format::BC5_UNORM | Format::BC5_SNORM => {
            for channel in 0..texel_bytes {
                let values = rgtc::decode_block(half_of(block, channel), signedness(format));
                values.iter().enumerate().for_each(|(i, value)| put(i, channel, &[*value]));
            }
        }
        Format::BC6H_UFLOAT | Format::BC6H_SFLOAT => {
            let values = bptc::decode_float(whole(block), format == Format::BC6H_SFLOAT);
            for (i, rgb) in values.chunks_exact(3).enumerate() {
                for (channel, value) in rgb.iter().chain(&[HALF_ONE]).enumerate() {
                    put(i, 2 * channel, &value.to_ne_bytes());
                }
            }
        }
        Format::BC7_UNORM | Format::BC7_SRGB => {
            let values = bptc::decode_unorm(whole(block));
            values.chunks_exact(4).enumerate().for_each(|(i, rgba)| put(i, 0, rgba));
        }
        Format::EAC_R11_UNORM | Format::EAC_R11G11_UNORM => {
            for channel in 0..texel_bytes / 2 {
                let values = etc2::decode_unsigned(half_of(block, channel));
                values.iter().enumerate().for_each(|(i, value)| put(i, 2 * channel, &value.to_ne_bytes()));
            }
        }
        Format::EAC_R11_SNORM | Format::EAC_R11G11_SNORM => {
            for channel in 0..texel_bytes / 2 {
                let values = etc2::decode_signed(half_of(block, channel));
                values.iter().enumerate().for_each(|(i, value)| put(i, 2 * channel, &value.to_ne_bytes()));
            }
        }
        Format::ETC2_RGBA8_UNORM | Format::ETC2_RGBA8_SRGB => {
            let colours = etc2::decode_colours(half_of(block, 1), Alpha::Opaque);
            let alphas = etc2::decode_alpha(half_of(block, 0));
            for (i, ([r, g, b, _], a)) in colours.into_iter().zip(alphas).enumerate() {
                put(i, 0, &[r, g, b, a]);
            }
        }
        _ => {
            let punched = matches!(format, Format::ETC2_RGB8A1_UNORM | Format::ETC2_RGB8A1_SRGB);
            let alpha = if punched { Alpha::Punchthrough } else { Alpha::Opaque };
            let colours = etc2::decode_colours(half_of(block, 0), alpha);
            colours.iter().enumerate().for_each(|(i, rgba)| put(i, 0, rgba));
        }
    }
}

/// Encodes 16 texels of [`decoded`]`(format)`, row by row.
fn encode_block(format: Format, texels: &[u8], blocks: &mut Vec<u8>) {
    let texel_bytes = decoded(format).block_bytes() as usize;
    let rgba = || core::array::from_fn(|i| core::array::from_fn(|c| texels[4 * i + c]));
    if let Some(alpha) = s3tc_alpha(format) {
        s3tc::encode(rgba(), alpha, blocks);
        return;
    }
    match format {
        Format::BC6H_UFLOAT | Format::BC6H_SFLOAT => {
            let channel = |i: usize, c: usize| {
                let at = i * texel_bytes + 2 * c;
                u16::from_ne_bytes([texels[at], texels[at + 1]])
            };
            let halves = core::array::from_fn(|i| core::array::from_fn(|c| channel(i, c)));
            blocks.extend(bptc::encode_float(halves, format == Format::BC6H_SFLOAT));
        }
        Format::BC7_UNORM | Format::BC7_SRGB => {
            blocks.extend(bptc::encode_unorm(rgba()));
        }
        _ => {
            for channel in 0..texel_bytes {
                let values = core::array::from_fn(|i| texels[i * texel_bytes + channel]);
                blocks.extend(rgtc::encode_block(values, signedness(format)));
            }
        }
    }
}

/// Compresses tightly packed texels of [`decoded`]`(format)`. Texels beyond the edge repeat the last ones.
#[must_use]
pub fn encode(format: Format, extent: Extent, texels: &[u8]) -> Vec<u8> {
    let [width, height, depth] = extent.map(|v| v as usize);
    let bytes = decoded(format).block_bytes() as usize;
    let mut blocks = Vec::new();
    let mut block = [0; MOST_TEXELS];
    for z in 0..depth {
        for by in (0..height).step_by(4) {
            for bx in (0..width).step_by(4) {
                for i in 0..16 {
                    let x = (bx + i % 4).min(width - 1);
                    let y = (by + i / 4).min(height - 1);
                    let from = ((z * height + y) * width + x) * bytes;
                    if let Some(texel) = texels.get(from..from + bytes) {
                        block[i * bytes..(i + 1) * bytes].copy_from_slice(texel);
                    }
                }
                encode_block(format, &block[..16 * bytes], &mut blocks);
            }
        }
    }
    blocks
}

/// Decompresses an image of blocks to tightly packed texels of [`decoded`]`(format)`.
#[must_use]
pub fn decode(format: Format, extent: Extent, blocks: &[u8]) -> Vec<u8> {
    let [width, height, depth] = extent.map(|v| v as usize);
    let bytes = decoded(format).block_bytes() as usize;
    let mut texels = vec![0; width * height * depth * bytes];
    let mut blocks = blocks.chunks_exact((format.block_bytes() as usize).clamp(1, MOST_BLOCK));
    let mut out = [0; MOST_TEXELS];
    for z in 0..depth {
        for by in (0..height).step_by(4) {
            for bx in (0..width).step_by(4) {
                let Some(block) = blocks.next() else { return texels };
                decode_block(format, block, &mut out);
                let columns = (width - bx).min(4);
                for y in 0..(height - by).min(4) {
                    let to = ((z * height + by + y) * width + bx) * bytes;
                    let from = y * 4 * bytes;
                    texels[to..to + columns * bytes].copy_from_slice(&out[from..from + columns * bytes]);
                }
            }
        }
    }
    texels
}

/// Compresses tightly packed texels of the format that they are stored in.
#[must_use]
pub fn encode_from(format: Format, stored: Format, extent: Extent, texels: &[u8]) -> Vec<u8> {
    let plain = decoded(format);
    if stored == plain {
        return encode(format, extent, texels);
    }
    let count = extent.iter().map(|v| *v as usize).product::<usize>();
    let mut out = vec![0; count * plain.block_bytes() as usize];
    Conversion::new(TexelLayout::of(stored), TexelLayout::of(plain), IDENTITY, Overflow::Clamp).row(texels, &mut out);
    encode(format, extent, &out)
}

/// Decompresses an image of blocks to tightly packed texels of the format that it is stored in.
#[must_use]
pub fn decode_to(format: Format, stored: Format, extent: Extent, blocks: &[u8]) -> Vec<u8> {
    let texels = decode(format, extent, blocks);
    let plain = decoded(format);
    if stored == plain {
        return texels;
    }
    let count = extent.iter().map(|v| *v as usize).product::<usize>();
    let mut out = vec![0; count * stored.block_bytes() as usize];
    Conversion::new(TexelLayout::of(plain), TexelLayout::of(stored), IDENTITY, Overflow::Clamp).row(&texels, &mut out);
    out
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
        let texels: Vec<u8> = (0..5 * 3 * 2 * 4).map(|i| if i / 4 % 3 == 0 { 200 } else { 10 }).collect();
        let blocks = encode(Format::BC7_UNORM, extent, &texels);
        assert_eq!((blocks.len(), decode(Format::BC7_UNORM, extent, &blocks)), (2 * 2 * 16, texels));
    }
}
