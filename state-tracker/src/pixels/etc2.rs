//! ETC2 and EAC blocks to texels (GL 4.6 core appendix C.1).

/// How a block of colours is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alpha {
    /// Every texel is opaque.
    Opaque,
    /// The bit that tells the two older modes apart says whether some texels may be transparent.
    Punchthrough,
}

/// Table C.8: the smaller and the larger change of intensity by code word.
const INTENSITY: [[i32; 2]; 8] = [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];

/// Table C.9: distances of the T and H modes.
const DISTANCE: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];

/// Table C.12: changes of an EAC block.
const MODIFIERS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

type Colour = [i32; 3];

/// Bits `high` to `low` of a block, whose first byte is the highest.
fn bits(block: u64, high: u32, low: u32) -> i32 {
    (block >> low & ((1 << (high - low + 1)) - 1)) as i32
}

/// Widens a channel of 4, 5, 6 or 7 bits to 8 by repeating its highest bits.
fn widened(value: i32, count: u32) -> i32 {
    value << (8 - count) | value >> (2 * count - 8)
}

fn moved(colour: Colour, by: i32) -> [u8; 4] {
    let channel = |i: usize| (colour[i] + by).clamp(0, 255) as u8;
    [channel(0), channel(1), channel(2), 255]
}

/// The index of a texel; the texels of a block are counted column by column.
fn index(block: u64, texel: u32) -> usize {
    ((block >> (16 + texel) & 1) << 1 | block >> texel & 1) as usize
}

/// Decodes a block of colours to 16 texels, row by row.
#[must_use]
pub fn decode_colours(block: [u8; 8], alpha: Alpha) -> [[u8; 4]; 16] {
    let block = u64::from_be_bytes(block);
    let flag = bits(block, 33, 33) == 1;
    let opaque = alpha == Alpha::Opaque || flag;
    if alpha == Alpha::Opaque && !flag {
        let base = |shift: u32| [60, 52, 44].map(|at| widened(bits(block, at + 3 - shift, at - shift), 4));
        return halves(block, [base(0), base(4)], opaque);
    }
    let first = [59, 51, 43].map(|at| bits(block, at + 4, at));
    let change = [56, 48, 40].map(|at| bits(block, at + 2, at) << 29 >> 29);
    let second = [0, 1, 2].map(|i| first[i] + change[i]);
    // What would be outside of the range of a channel tells the new modes.
    match second.iter().position(|v| !(0..32).contains(v)) {
        Some(0) => t_mode(block, opaque),
        Some(1) => h_mode(block, opaque),
        Some(_) => planar(block),
        None => halves(block, [first, second].map(|c| c.map(|v| widened(v, 5))), opaque),
    }
}

/// Two halves of one colour each, changed in intensity by texel.
fn halves(block: u64, colours: [Colour; 2], opaque: bool) -> [[u8; 4]; 16] {
    let words = [bits(block, 39, 37), bits(block, 36, 34)].map(|word| INTENSITY[word as usize]);
    let flipped = bits(block, 32, 32) == 1;
    core::array::from_fn(|i| {
        let (x, y) = (i as u32 % 4, i as u32 / 4);
        let half = usize::from(if flipped { y } else { x } >= 2);
        let [small, large] = words[half];
        let small = if opaque { small } else { 0 };
        match index(block, x * 4 + y) {
            0 => moved(colours[half], small),
            1 => moved(colours[half], large),
            2 if !opaque => [0; 4],
            2 => moved(colours[half], -small),
            _ => moved(colours[half], -large),
        }
    })
}

/// Texels that choose among four colours.
fn painted(block: u64, colours: [[u8; 4]; 4], opaque: bool) -> [[u8; 4]; 16] {
    core::array::from_fn(|i| match index(block, i as u32 % 4 * 4 + i as u32 / 4) {
        2 if !opaque => [0; 4],
        index => colours[index],
    })
}

fn t_mode(block: u64, opaque: bool) -> [[u8; 4]; 16] {
    let first = [bits(block, 60, 59) << 2 | bits(block, 57, 56), bits(block, 55, 52), bits(block, 51, 48)];
    let second = [bits(block, 47, 44), bits(block, 43, 40), bits(block, 39, 36)];
    let [first, second] = [first, second].map(|c| c.map(|v| widened(v, 4)));
    let distance = DISTANCE[(bits(block, 35, 34) << 1 | bits(block, 32, 32)) as usize];
    let colours = [moved(first, 0), moved(second, distance), moved(second, 0), moved(second, -distance)];
    painted(block, colours, opaque)
}

fn h_mode(block: u64, opaque: bool) -> [[u8; 4]; 16] {
    let first = [
        bits(block, 62, 59),
        bits(block, 58, 56) << 1 | bits(block, 52, 52),
        bits(block, 51, 51) << 3 | bits(block, 49, 47),
    ];
    let second = [bits(block, 46, 43), bits(block, 42, 39), bits(block, 38, 35)];
    // The order of the colours is the lowest bit of the distance.
    let order = i32::from(first >= second);
    let distance = DISTANCE[(bits(block, 34, 34) << 2 | bits(block, 32, 32) << 1 | order) as usize];
    let [first, second] = [first, second].map(|c| c.map(|v| widened(v, 4)));
    let colours = [moved(first, distance), moved(first, -distance), moved(second, distance), moved(second, -distance)];
    painted(block, colours, opaque)
}

/// Colours of the origin and of the ends of its row and column, between which the block is a plane.
fn planar(block: u64) -> [[u8; 4]; 16] {
    let rgb = |r: i32, g: i32, b: i32| [widened(r, 6), widened(g, 7), widened(b, 6)];
    let origin = rgb(
        bits(block, 62, 57),
        bits(block, 56, 56) << 6 | bits(block, 54, 49),
        bits(block, 48, 48) << 5 | bits(block, 44, 43) << 3 | bits(block, 41, 39),
    );
    let across = rgb(bits(block, 38, 34) << 1 | bits(block, 32, 32), bits(block, 31, 25), bits(block, 24, 19));
    let down = rgb(bits(block, 18, 13), bits(block, 12, 6), bits(block, 5, 0));
    core::array::from_fn(|i| {
        let (x, y) = (i as i32 % 4, i as i32 / 4);
        let value = |c: usize| {
            let sum = x * (across[c] - origin[c]) + y * (down[c] - origin[c]) + 4 * origin[c] + 2;
            (sum >> 2).clamp(0, 255) as u8
        };
        [value(0), value(1), value(2), 255]
    })
}

/// The change of a texel of an EAC block and the factor of it.
fn change(block: u64, texel: usize) -> (i32, i32) {
    let (x, y) = (texel % 4, texel / 4);
    let at = 45 - 3 * (x * 4 + y) as u32;
    (MODIFIERS[bits(block, 51, 48) as usize][bits(block, at + 2, at) as usize], bits(block, 55, 52))
}

/// Decodes the alpha of a block to 16 values, row by row.
#[must_use]
pub fn decode_alpha(block: [u8; 8]) -> [u8; 16] {
    let block = u64::from_be_bytes(block);
    core::array::from_fn(|i| {
        let (modifier, factor) = change(block, i);
        (bits(block, 63, 56) + modifier * factor).clamp(0, 255) as u8
    })
}

/// Decodes one unsigned channel of 11 bits to 16 values of 16, row by row.
#[must_use]
pub fn decode_unsigned(block: [u8; 8]) -> [u16; 16] {
    let block = u64::from_be_bytes(block);
    core::array::from_fn(|i| {
        let (modifier, factor) = change(block, i);
        let step = if factor == 0 { 1 } else { factor * 8 };
        let value = (bits(block, 63, 56) * 8 + 4 + modifier * step).clamp(0, 2047);
        ((value * 65535 * 2 + 2047) / (2 * 2047)) as u16
    })
}

/// Decodes one signed channel of 11 bits to 16 values of 16, row by row.
#[must_use]
pub fn decode_signed(block: [u8; 8]) -> [i16; 16] {
    let block = u64::from_be_bytes(block);
    // -128 stands for -127.
    let base = (bits(block, 63, 56) << 24 >> 24).max(-127);
    core::array::from_fn(|i| {
        let (modifier, factor) = change(block, i);
        let step = if factor == 0 { 1 } else { factor * 8 };
        let value = (base * 8 + modifier * step).clamp(-1023, 1023);
        let magnitude = (value.abs() * 32767 * 2 + 1023) / (2 * 1023);
        (magnitude * value.signum()) as i16
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What another decoder makes of a block: texels as RGBA.
    fn other(block: &[u8], decode: fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>) -> [[u8; 4]; 16] {
        let mut out = [0u32; 16];
        assert_eq!(decode(block, 4, 4, &mut out), Ok(()));
        out.map(|bgra| {
            let [b, g, r, a] = bgra.to_le_bytes();
            [r, g, b, a]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn colours_are_those_of_another_decoder(block in any::<[u8; 8]>()) {
            prop_assert_eq!(decode_colours(block, Alpha::Opaque), other(&block, texture2ddecoder::decode_etc2_rgb));
        }

        #[test]
        fn transparent_texels_are_those_of_another_decoder(block in any::<[u8; 8]>()) {
            let theirs = other(&block, texture2ddecoder::decode_etc2_rgba1);
            for (mine, theirs) in decode_colours(block, Alpha::Punchthrough).into_iter().zip(theirs) {
                prop_assert_eq!(mine[3], theirs[3]);
                prop_assert!(mine[3] == 0 || mine == theirs);
            }
        }

        #[test]
        fn alpha_is_that_of_another_decoder(block in any::<[u8; 8]>()) {
            let whole: Vec<u8> = block.iter().chain(&[0; 8]).copied().collect();
            let theirs = other(&whole, texture2ddecoder::decode_etc2_rgba8).map(|texel| texel[3]);
            prop_assert_eq!(decode_alpha(block), theirs);
        }
    }

    #[test]
    fn channels_of_eleven_bits() {
        // A factor of 0 is one eighth: the base 255 * 8 + 4 and -3, in table 0.
        let block = [255, 0x00, 0, 0, 0, 0, 0, 0];
        assert_eq!(decode_unsigned(block)[0], ((2041u32 * 65535 + 1023) / 2047) as u16);
        // Table 13, index 7 is 9: 4 + 9 * 8 * 15, and far below zero for index 3.
        let block = [0, 0xFD, 0b1110_1100, 0, 0, 0, 0, 0];
        let texels = decode_unsigned(block);
        assert_eq!(texels[0], ((1084u32 * 65535 + 1023) / 2047) as u16);
        assert_eq!(texels[4], 0, "the second texel is below the first");
        assert_eq!(decode_signed([0x80, 0x10, 0, 0, 0, 0, 0, 0])[0], -32767);
        assert_eq!(decode_signed([0x7F, 0x1D, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])[15], 32767);
        assert_eq!(decode_signed([0, 0x10, 0b1000_0000, 0, 0, 0, 0, 0])[0], ((16 * 32767 + 511) / 1023) as i16);
    }
}
