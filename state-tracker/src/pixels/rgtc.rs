//! RGTC (BC4, BC5) blocks to texels and back (GL 4.6 core appendix D.1).

/// Signed or unsigned end points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    /// 0 to 255.
    Unsigned,
    /// -127 to 127; -128 reads as -127.
    Signed,
}

/// The eight values a block chooses from, scaled by 35 so that sevenths and fifths are whole.
fn palette(first: i32, second: i32, signedness: Signedness) -> [i32; 8] {
    let mut values = [first * 35, second * 35, 0, 0, 0, 0, 0, 0];
    if first > second {
        for i in 1..7 {
            values[1 + i as usize] = (first * (7 - i) + second * i) * 5;
        }
    } else {
        for i in 1..5 {
            values[1 + i as usize] = (first * (5 - i) + second * i) * 7;
        }
        let (low, high) = if signedness == Signedness::Signed { (-127, 127) } else { (0, 255) };
        values[6] = low * 35;
        values[7] = high * 35;
    }
    values
}

fn end_point(byte: u8, signedness: Signedness) -> i32 {
    match signedness {
        Signedness::Unsigned => i32::from(byte),
        Signedness::Signed => i32::from(byte as i8).max(-127),
    }
}

fn rounded(scaled: i32) -> u8 {
    // Nearest, halves away from zero.
    let half = if scaled < 0 { -17 } else { 17 };
    ((scaled + half) / 35) as u8
}

/// Decodes one channel's 8-byte block to 16 bytes (two's complement when signed), row by row.
#[must_use]
pub fn decode_block(block: [u8; 8], signedness: Signedness) -> [u8; 16] {
    // The comparison of end points that picks the mode is on their stored values.
    let (first, second) = (end_point(block[0], signedness), end_point(block[1], signedness));
    let mut values = palette(first, second, signedness);
    if signedness == Signedness::Signed && (block[0] as i8) > (block[1] as i8) && first == second {
        // -127 against -128: seven-step mode with equal end points.
        values = [first * 35; 8];
    }
    let mut indices = 0u64;
    for (i, byte) in block[2..8].iter().enumerate() {
        indices |= u64::from(*byte) << (8 * i);
    }
    core::array::from_fn(|i| rounded(values[(indices >> (3 * i) & 7) as usize]))
}

/// Encodes 16 values of one channel (two's complement when signed).
#[must_use]
pub fn encode_block(texels: [u8; 16], signedness: Signedness) -> [u8; 8] {
    let values = texels.map(|t| end_point(t, signedness));
    let (extreme_low, extreme_high) = if signedness == Signedness::Signed { (-127, 127) } else { (0, 255) };
    let low = values.iter().copied().min().unwrap_or(0);
    let high = values.iter().copied().max().unwrap_or(0);
    let inner = || values.iter().copied().filter(|v| *v != extreme_low && *v != extreme_high);
    let (inner_low, inner_high) = (inner().min().unwrap_or(low), inner().max().unwrap_or(low));
    // Seven steps over the whole range, or five over the inner range with both extremes exact: the smaller error wins.
    let wide = choose(&values, high, low, signedness);
    let narrow = choose(&values, inner_low, inner_high, signedness);
    let (error, block) = if high > low { wide } else { (u32::MAX, [0; 8]) };
    if error <= narrow.0 { block } else { narrow.1 }
}

fn choose(values: &[i32; 16], first: i32, second: i32, signedness: Signedness) -> (u32, [u8; 8]) {
    let palette = palette(first, second, signedness);
    let mut indices = 0u64;
    let mut error = 0u32;
    for (i, value) in values.iter().enumerate() {
        let distance = |p: i32| (i32::from(decoded(p, signedness)) - value).unsigned_abs();
        let (index, best) =
            palette.iter().enumerate().map(|(j, p)| (j as u64, distance(*p))).min_by_key(|(_, d)| *d).unwrap_or((0, 0));
        indices |= index << (3 * i);
        error += best * best;
    }
    let mut block = [first as u8, second as u8, 0, 0, 0, 0, 0, 0];
    block[2..8].copy_from_slice(&indices.to_le_bytes()[..6]);
    (error, block)
}

fn decoded(scaled: i32, signedness: Signedness) -> i16 {
    let byte = rounded(scaled);
    match signedness {
        Signedness::Unsigned => i16::from(byte),
        Signedness::Signed => i16::from(byte as i8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_modes() {
        // first > second: seven steps. Index 2 is 6/7 of the first.
        let block = [255, 0, 0b1010_0000 | 0b10, 0, 0, 0, 0, 0];
        let texels = decode_block(block, Signedness::Unsigned);
        assert_eq!(texels[0], 219);
        // first <= second: index 6 is the minimum, 7 the maximum.
        let block = [10, 20, 0b0011_1110, 0, 0, 0, 0, 0];
        let texels = decode_block(block, Signedness::Unsigned);
        assert_eq!((texels[0], texels[1], texels[2]), (0, 255, 10));
        let texels = decode_block(block, Signedness::Signed);
        assert_eq!((texels[0] as i8, texels[1] as i8), (-127, 127));
    }

    proptest! {
        #[test]
        fn encoding_is_close(texels in any::<[u8; 16]>(), signed in any::<bool>()) {
            let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
            let back = decode_block(encode_block(texels, signedness), signedness);
            for (a, b) in texels.iter().zip(&back) {
                let difference = end_point(*a, signedness) - end_point(*b, signedness);
                // Half a fifth of the range, the coarser mode's step.
                prop_assert!(difference.abs() <= 26, "{a} {b}");
            }
        }

        #[test]
        fn flat_blocks_are_exact(value in any::<u8>(), signed in any::<bool>()) {
            let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
            let value = end_point(value, signedness) as u8;
            prop_assert_eq!(decode_block(encode_block([value; 16], signedness), signedness), [value; 16]);
        }

        #[test]
        fn two_value_blocks_are_exact(a in any::<u8>(), b in any::<u8>(), pattern in any::<u16>()) {
            let texels: [u8; 16] = core::array::from_fn(|i| if pattern >> i & 1 == 1 { a } else { b });
            prop_assert_eq!(decode_block(encode_block(texels, Signedness::Unsigned), Signedness::Unsigned), texels);
        }
    }
}
