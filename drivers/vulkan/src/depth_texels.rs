//! Depth and stencil texels: between the interface's packed layouts and the separate aspects that Vulkan copies.
//!
//! Vulkan copies depth as 16-bit, as 24 bits in the low end of a word, or as a float, and stencil as bytes. The interface packs a
//! combined format with stencil in the low byte of the word that depth shares or precedes.

use ash::vk;
use gallite_pipe::{Format, TransferAspect};

/// How one plane's texels relate to the memory's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DepthLayout {
    /// Alike.
    Same,
    /// Vulkan's 24 low bits in a word; memory's 24 high bits of a word whose low byte may hold stencil.
    High24,
    /// A float where memory has 24-bit fixed point.
    FloatAs24,
    /// A float where memory has 16-bit fixed point.
    FloatAs16,
    /// 24-bit fixed point where memory has 16-bit.
    Fixed24As16,
    /// A float at the start of 8 bytes.
    FloatOf8,
    /// Stencil in the low byte of a word.
    StencilLow,
    /// Stencil in the fifth of 8 bytes.
    StencilOf8,
}

impl DepthLayout {
    /// The depth plane's layout.
    pub fn of(native: vk::Format, format: Format, aspect: TransferAspect) -> Self {
        let float = matches!(native, vk::Format::D32_SFLOAT | vk::Format::D32_SFLOAT_S8_UINT);
        match format {
            Format::Z16_UNORM if native == vk::Format::D16_UNORM => Self::Same,
            Format::Z16_UNORM if float => Self::FloatAs16,
            Format::Z16_UNORM => Self::Fixed24As16,
            Format::Z24X8_UNORM | Format::Z24_UNORM_S8_UINT if float => Self::FloatAs24,
            Format::Z24X8_UNORM | Format::Z24_UNORM_S8_UINT => Self::High24,
            Format::Z32_FLOAT_S8X24_UINT if aspect == TransferAspect::WHOLE => Self::FloatOf8,
            _ => Self::Same,
        }
    }

    /// The stencil plane's layout within whole texels of `format`.
    pub fn stencil_of(format: Format) -> Self {
        match format {
            Format::Z24_UNORM_S8_UINT => Self::StencilLow,
            Format::Z32_FLOAT_S8X24_UINT => Self::StencilOf8,
            _ => Self::Same,
        }
    }

    /// Bytes of one texel as Vulkan copies it.
    pub fn texel(self) -> u32 {
        match self {
            Self::StencilLow | Self::StencilOf8 => 1,
            // The only plain depth texel that is not a word is the 16-bit one; its caller passes whole rows.
            _ => 4,
        }
    }
}

fn fixed24(value: f32) -> u32 {
    (f64::from(value.clamp(0.0, 1.0)) * f64::from(0xff_ffff) + 0.5) as u32
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
}

fn halves(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    bytes.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]]))
}

fn put_words(into: &mut [u8], values: impl Iterator<Item = u32>) {
    for (slot, value) in into.chunks_exact_mut(4).zip(values) {
        slot.copy_from_slice(&value.to_le_bytes());
    }
}

/// Makes one row of a plane from one row of memory.
pub(crate) fn pack(layout: DepthLayout, memory: &[u8], plane: &mut [u8]) {
    match layout {
        DepthLayout::Same => plane.copy_from_slice(&memory[..plane.len()]),
        DepthLayout::High24 => put_words(plane, words(memory).map(|w| w >> 8)),
        DepthLayout::FloatAs24 => {
            put_words(plane, words(memory).map(|w| ((f64::from(w >> 8) / f64::from(0xff_ffff)) as f32).to_bits()));
        }
        DepthLayout::FloatAs16 => {
            put_words(plane, halves(memory).map(|h| (f32::from(h) / 65535.0).to_bits()));
        }
        DepthLayout::Fixed24As16 => {
            put_words(plane, halves(memory).map(|h| u32::from(h) << 8 | u32::from(h) >> 8));
        }
        DepthLayout::FloatOf8 => put_words(plane, words(memory).step_by(2)),
        DepthLayout::StencilLow => {
            for (slot, texel) in plane.iter_mut().zip(memory.chunks_exact(4)) {
                *slot = texel[0];
            }
        }
        DepthLayout::StencilOf8 => {
            for (slot, texel) in plane.iter_mut().zip(memory.chunks_exact(8)) {
                *slot = texel[4];
            }
        }
    }
}

/// Puts one row of a plane into one row of memory; other planes' bits stay.
pub(crate) fn unpack(layout: DepthLayout, plane: &[u8], memory: &mut [u8]) {
    match layout {
        DepthLayout::Same => memory[..plane.len()].copy_from_slice(plane),
        DepthLayout::High24 | DepthLayout::FloatAs24 => {
            for (texel, w) in memory.chunks_exact_mut(4).zip(words(plane)) {
                let value = if layout == DepthLayout::High24 { w & 0xff_ffff } else { fixed24(f32::from_bits(w)) };
                texel[1..].copy_from_slice(&value.to_le_bytes()[..3]);
            }
        }
        DepthLayout::FloatAs16 | DepthLayout::Fixed24As16 => {
            for (texel, w) in memory.chunks_exact_mut(2).zip(words(plane)) {
                let value = if layout == DepthLayout::FloatAs16 {
                    (f32::from_bits(w).clamp(0.0, 1.0) * 65535.0 + 0.5) as u16
                } else {
                    ((w & 0xff_ffff) >> 8) as u16
                };
                texel.copy_from_slice(&value.to_le_bytes());
            }
        }
        DepthLayout::FloatOf8 => {
            for (texel, w) in memory.chunks_exact_mut(8).zip(words(plane)) {
                texel[..4].copy_from_slice(&w.to_le_bytes());
            }
        }
        DepthLayout::StencilLow => {
            for (texel, s) in memory.chunks_exact_mut(4).zip(plane) {
                texel[0] = *s;
            }
        }
        DepthLayout::StencilOf8 => {
            for (texel, s) in memory.chunks_exact_mut(8).zip(plane) {
                texel[4..].copy_from_slice(&[*s, 0, 0, 0]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combined_texels_split_and_join() {
        let memory = 0x1234_56abu32.to_le_bytes();
        let (mut depth, mut stencil) = ([0; 4], [0; 1]);
        pack(DepthLayout::High24, &memory, &mut depth);
        pack(DepthLayout::StencilLow, &memory, &mut stencil);
        assert_eq!((u32::from_le_bytes(depth), stencil[0]), (0x12_3456, 0xab));
        let mut back = [0; 4];
        unpack(DepthLayout::High24, &depth, &mut back);
        unpack(DepthLayout::StencilLow, &stencil, &mut back);
        assert_eq!(back, memory);
    }

    #[test]
    fn fixed_point_survives_a_float_format() {
        for value in [0u32, 1, 0x7f_ffff, 0x80_0000, 0xff_fffe, 0xff_ffff] {
            let mut plane = [0; 4];
            pack(DepthLayout::FloatAs24, &(value << 8).to_le_bytes(), &mut plane);
            let mut back = [0; 4];
            unpack(DepthLayout::FloatAs24, &plane, &mut back);
            assert_eq!(u32::from_le_bytes(back), value << 8);
        }
    }
}
