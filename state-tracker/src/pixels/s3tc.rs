//! S3TC (BC1, BC2, BC3) blocks to texels and back (EXT_texture_compression_s3tc).

use super::bptc::{ends, nearest};
use super::rgtc::{self, Signedness};

/// How a format holds alpha.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alpha {
    /// Not at all: one.
    Opaque,
    /// In the colours' own indices: zero or one.
    Punchthrough,
    /// In a block of 4 bits for each texel before that of colours.
    Explicit,
    /// In a block like RGTC's before that of colours.
    Interpolated,
}

fn half(block: &[u8], i: usize) -> [u8; 8] {
    core::array::from_fn(|byte| block.get(8 * i + byte).copied().unwrap_or(0))
}

/// Decodes a block to 16 texels of RGBA, row by row.
#[must_use]
pub fn decode(block: &[u8], alpha: Alpha) -> [[u8; 4]; 16] {
    let mut out = [0; 64];
    let whole = || [half(block, 0), half(block, 1)].concat();
    match alpha {
        Alpha::Opaque | Alpha::Punchthrough => bcdec_rs::bc1(&half(block, 0), &mut out, 16),
        Alpha::Explicit => bcdec_rs::bc2(&whole(), &mut out, 16),
        Alpha::Interpolated => bcdec_rs::bc3(&whole(), &mut out, 16),
    }
    let texel = |i: usize| [out[4 * i], out[4 * i + 1], out[4 * i + 2], out[4 * i + 3]];
    // The third and last colour of a block without a fourth is black; only with alpha is it clear as well.
    core::array::from_fn(|i| match (alpha, texel(i)) {
        (Alpha::Opaque, [r, g, b, _]) => [r, g, b, 255],
        (_, rgba) => rgba,
    })
}

/// A colour in 5, 6 and 5 bits.
fn packed([r, g, b]: [i32; 3]) -> u16 {
    let field = |value: i32, most: i32| ((value * most * 2 + 255) / 510) as u16;
    field(r, 31) << 11 | field(g, 63) << 5 | field(b, 31)
}

/// Colours and indices. Texels with `holes` take the index that is clear.
fn encode_colours(texels: &[[i32; 3]; 16], holes: [bool; 16]) -> [u8; 8] {
    // What is not seen must not stretch the line.
    let seen = (0..16).find(|i| !holes[*i]).unwrap_or(0);
    let shown: [[i32; 3]; 16] = core::array::from_fn(|i| texels[if holes[i] { seen } else { i }]);
    let mut points = ends(&shown).map(packed);
    points.sort_unstable();
    let clear = holes.contains(&true);
    // The larger first: four colours. Else three and a clear one.
    if !clear {
        points.reverse();
    }
    let mut block = [0; 8];
    block[..2].copy_from_slice(&points[0].to_le_bytes());
    block[2..4].copy_from_slice(&points[1].to_le_bytes());
    let usable = if clear || points[0] == points[1] { 3 } else { 4 };
    // Texel i has index i, so that the decoder says which colours there are.
    block[4] = 0b11_10_01_00;
    let line = decode(&block, Alpha::Opaque).map(|[r, g, b, _]| [r, g, b].map(i32::from));
    let indices = nearest(&shown, &line[..usable]);
    for row in 0..4 {
        let index = |x: usize| if holes[4 * row + x] { 3 } else { indices[4 * row + x] as u8 };
        block[4 + row] = (0..4).fold(0, |byte, x| byte | index(x) << (2 * x));
    }
    block
}

/// Encodes 16 texels of RGBA as a block, which is appended to `blocks`.
pub fn encode(texels: [[u8; 4]; 16], alpha: Alpha, blocks: &mut Vec<u8>) {
    let alphas = texels.map(|texel| texel[3]);
    match alpha {
        Alpha::Explicit => {
            let four = |value: u8| ((u32::from(value) * 15 * 2 + 255) / 510) as u8;
            blocks.extend((0..8).map(|i| four(alphas[2 * i]) | four(alphas[2 * i + 1]) << 4));
        }
        Alpha::Interpolated => blocks.extend(rgtc::encode_block(alphas, Signedness::Unsigned)),
        Alpha::Opaque | Alpha::Punchthrough => {}
    }
    let holes = if alpha == Alpha::Punchthrough { alphas.map(|a| a < 128) } else { [false; 16] };
    blocks.extend(encode_colours(&texels.map(|[r, g, b, _]| [r, g, b].map(i32::from)), holes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(texels: [[u8; 4]; 16], alpha: Alpha) -> [[u8; 4]; 16] {
        let mut block = Vec::new();
        encode(texels, alpha, &mut block);
        assert_eq!(block.len(), if matches!(alpha, Alpha::Opaque | Alpha::Punchthrough) { 8 } else { 16 });
        decode(&block, alpha)
    }

    #[test]
    fn the_last_index_without_a_fourth_colour() {
        let block = [0, 0, 0xFF, 0xFF, 0b11_10_01_00, 0xFF, 0, 0];
        let clear = decode(&block, Alpha::Punchthrough);
        assert_eq!(clear[..4], [[0, 0, 0, 255], [255; 4], [128, 128, 128, 255], [0; 4]]);
        assert_eq!(decode(&block, Alpha::Opaque)[3], [0, 0, 0, 255]);
    }

    proptest! {
        #[test]
        fn two_colours_come_back(a in any::<[u8; 4]>(), b in any::<[u8; 4]>(), pattern in any::<u16>()) {
            let texels: [[u8; 4]; 16] = core::array::from_fn(|i| if pattern >> i & 1 == 1 { a } else { b });
            for alpha in [Alpha::Opaque, Alpha::Punchthrough, Alpha::Explicit, Alpha::Interpolated] {
                for (one, other) in texels.iter().zip(there_and_back(texels, alpha)) {
                    let wanted = match alpha {
                        Alpha::Opaque => 255,
                        Alpha::Punchthrough => if one[3] < 128 { 0 } else { 255 },
                        _ => one[3],
                    };
                    let step = if alpha == Alpha::Explicit { 8 } else { 0 };
                    prop_assert!(other[3].abs_diff(wanted) <= step, "{one:?} {other:?}");
                    if alpha == Alpha::Punchthrough && other[3] == 0 {
                        prop_assert_eq!(other, [0; 4]);
                        continue;
                    }
                    // Half of a step of five bits.
                    let near = (0..3).all(|c| one[c].abs_diff(other[c]) <= 5);
                    prop_assert!(near, "{one:?} {other:?}");
                }
            }
        }
    }
}
