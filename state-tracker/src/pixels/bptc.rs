//! BPTC (BC6H, BC7) blocks to texels and back (GL 4.6 core appendix D.2). Blocks are made in the one mode of each
//! format that has a single line of values with the finest steps.

/// Weights of a line of sixteen values, of 64.
const WEIGHTS: [i32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

/// Decodes a block of BC7 to 16 texels of RGBA, row by row.
#[must_use]
pub fn decode_unorm(block: [u8; 16]) -> [u8; 64] {
    let mut out = [0; 64];
    bcdec_rs::bc7(&block, &mut out, 16);
    out
}

/// Decodes a block of BC6H to 16 texels of RGB as half floats, row by row.
#[must_use]
pub fn decode_float(block: [u8; 16], signed: bool) -> [u16; 48] {
    let mut out = [0; 48];
    bcdec_rs::bc6h_half(&block, &mut out, 12, signed);
    out
}

/// A block that is written from its lowest bit on.
#[derive(Default)]
struct Writer {
    block: u128,
    at: u32,
}

impl Writer {
    fn put(&mut self, value: i32, count: u32) {
        let mask = (1u128 << count) - 1;
        self.block |= (value as u128 & mask) << self.at;
        self.at += count;
    }

    /// The indices of all texels; the first one's highest bit is zero and not written.
    fn indices(&mut self, indices: [usize; 16]) {
        for (i, index) in indices.into_iter().enumerate() {
            self.put(index as i32, if i == 0 { 3 } else { 4 });
        }
    }
}

fn distance<const N: usize>(a: [i32; N], b: [i32; N]) -> i64 {
    (0..N).map(|i| i64::from(a[i] - b[i]).pow(2)).sum()
}

/// The two texels that are furthest from each other.
pub(super) fn ends<const N: usize>(texels: &[[i32; N]; 16]) -> [[i32; N]; 2] {
    let pairs = (0..16).flat_map(|i| (i..16).map(move |j| (i, j)));
    let (i, j) = pairs.max_by_key(|(i, j)| distance(texels[*i], texels[*j])).unwrap_or((0, 0));
    [texels[i], texels[j]]
}

/// The nearest of a line's values for each texel.
pub(super) fn nearest<const N: usize>(texels: &[[i32; N]; 16], line: &[[i32; N]]) -> [usize; 16] {
    texels.map(|texel| (0..line.len()).min_by_key(|i| distance(line[*i], texel)).unwrap_or(0))
}

fn between(first: i32, second: i32, weight: i32) -> i32 {
    (first * (64 - weight) + second * weight + 32) >> 6
}

/// Encodes 16 texels of RGBA as BC7, in mode 6: channels of 7 bits with a last one that they share.
#[must_use]
pub fn encode_unorm(texels: [[u8; 4]; 16]) -> [u8; 16] {
    let texels = texels.map(|texel| texel.map(i32::from));
    let mut points = ends(&texels).map(|end| {
        let stored = |last: i32| end.map(|v| ((v - last + 1).max(0) >> 1).min(127) << 1 | last);
        let pair = [stored(0), stored(1)];
        if distance(pair[1], end) < distance(pair[0], end) { pair[1] } else { pair[0] }
    });
    let line = |points: [[i32; 4]; 2]| {
        WEIGHTS.map(|weight| core::array::from_fn(|c| between(points[0][c], points[1][c], weight)))
    };
    let mut indices = nearest(&texels, &line(points));
    if indices[0] > 7 {
        points.swap(0, 1);
        indices = indices.map(|index| 15 - index);
    }
    let mut out = Writer::default();
    out.put(1 << 6, 7);
    for channel in 0..4 {
        points.iter().for_each(|point| out.put(point[channel] >> 1, 7));
    }
    points.iter().for_each(|point| out.put(point[0] & 1, 1));
    out.indices(indices);
    out.block.to_le_bytes()
}

/// A channel of ten bits as the numbers that values are interpolated with.
fn unquantized(value: i32, signed: bool) -> i32 {
    if !signed {
        return match value {
            0 => 0,
            1023 => 0xFFFF,
            _ => ((value << 16) + 0x8000) >> 10,
        };
    }
    let magnitude = match value.abs() {
        0 => 0,
        511.. => 0x7FFF,
        v => ((v << 15) + 0x4000) >> 9,
    };
    magnitude * value.signum()
}

/// An interpolated number as the bits of a half float; of a negative one as minus those of its magnitude.
fn finished(value: i32, signed: bool) -> i32 {
    if signed { ((value.abs() * 31) >> 5) * value.signum() } else { (value * 31) >> 6 }
}

/// The channel of ten bits whose half float is nearest.
fn quantized(value: i32, signed: bool) -> i32 {
    let (low, high): (i32, i32) = if signed { (-511, 511) } else { (0, 1023) };
    // Values grow with their channels.
    let (mut from, mut to) = (low, high);
    while from < to {
        let middle = (from + to).div_euclid(2);
        if finished(unquantized(middle, signed), signed) < value { from = middle + 1 } else { to = middle }
    }
    let error = |v: i32| (finished(unquantized(v, signed), signed) - value).abs();
    if from > low && error(from - 1) < error(from) { from - 1 } else { from }
}

/// The bits of a half float as a number that grows with it; what a block cannot hold is clamped.
fn ordered(half: u16, signed: bool) -> i32 {
    let magnitude = i32::from(half & 0x7FFF);
    // GL 4.6 core appendix D.2: no infinities, and NaN is undefined.
    let magnitude = if magnitude > 0x7C00 { 0 } else { magnitude.min(0x7BFF) };
    match half & 0x8000 != 0 {
        true if signed => -magnitude,
        true => 0,
        false => magnitude,
    }
}

/// Encodes 16 texels of RGB as BC6H, in the mode with one line between channels of ten bits.
#[must_use]
pub fn encode_float(texels: [[u16; 3]; 16], signed: bool) -> [u8; 16] {
    let texels = texels.map(|texel| texel.map(|half| ordered(half, signed)));
    let mut points = ends(&texels).map(|end| end.map(|v| quantized(v, signed)));
    let line = |points: [[i32; 3]; 2]| {
        let wide = points.map(|point| point.map(|v| unquantized(v, signed)));
        WEIGHTS.map(|weight| core::array::from_fn(|c| finished(between(wide[0][c], wide[1][c], weight), signed)))
    };
    let mut indices = nearest(&texels, &line(points));
    if indices[0] > 7 {
        points.swap(0, 1);
        indices = indices.map(|index| 15 - index);
    }
    let mut out = Writer::default();
    out.put(3, 5);
    for point in points {
        point.iter().for_each(|channel| out.put(*channel, 10));
    }
    out.indices(indices);
    out.block.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn two_colours_come_back(a in any::<[u8; 4]>(), b in any::<[u8; 4]>(), pattern in any::<u16>()) {
            let texels: [[u8; 4]; 16] = core::array::from_fn(|i| if pattern >> i & 1 == 1 { a } else { b });
            let back = decode_unorm(encode_unorm(texels));
            for (one, other) in texels.as_flattened().iter().zip(&back) {
                // All channels of an end share their last bit.
                prop_assert!(one.abs_diff(*other) <= 1, "{one} {other}");
            }
        }

        #[test]
        fn two_floats_come_back(a in 0u16..0x7C00, b in 0u16..0x7C00, pattern in any::<u16>(), signed in any::<bool>()) {
            let a = if signed { a | 0x8000 } else { a };
            let texels: [[u16; 3]; 16] = core::array::from_fn(|i| if pattern >> i & 1 == 1 { [a, b, b] } else { [b, a, b] });
            let back = decode_float(encode_float(texels, signed), signed);
            for (one, other) in texels.as_flattened().iter().zip(&back) {
                // Half of a step of ten bits, one of which is the sign.
                let difference = (ordered(*one, signed) - ordered(*other, signed)).abs();
                prop_assert!(difference <= if signed { 64 } else { 32 }, "{one:#x} {other:#x}");
            }
        }
    }
}
