//! Rows of one texel layout into rows of another.

use super::float::{decode_rgb9e5, decode_small, encode_rgb9e5, encode_small};
use super::layout::{Access, TexelLayout};
use gallite_pipe::{Channel, ChannelKind};

/// Where a destination channel's value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// This slot of the source layout.
    Slot(u8),
    /// Zero.
    Zero,
    /// One: full intensity, or the integer 1.
    One,
    /// Sum of the first three slots, clamped on encoding (GL 4.6 compatibility 18.2.6: luminance).
    Sum,
}

/// `(red, green, blue, alpha)` taken from themselves.
pub const IDENTITY: [Source; 4] = [Source::Slot(0), Source::Slot(1), Source::Slot(2), Source::Slot(3)];

/// What happens to an integer that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Nearest representable value.
    Clamp,
    /// Low bits only (stencil indices).
    Mask,
}

/// Texels converted at once; small enough for the stack and the first cache level.
const CHUNK: usize = 128;
const CONSTANT: u8 = 0xFF;

#[derive(Clone, Copy, Debug)]
enum Plan {
    /// Layouts and map agree: copy bytes.
    Copy,
    /// Every destination byte is a source byte or a constant.
    Shuffle { from: [u8; 16], constant: [u8; 16] },
    /// Channel by channel.
    General,
}

/// A prepared conversion.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    src: TexelLayout,
    dst: TexelLayout,
    map: [Source; 4],
    overflow: Overflow,
    /// Colours are brought into this range on the way.
    range: Option<(f64, f64)>,
    plan: Plan,
}

impl Conversion {
    /// Prepares to fill each channel of `dst` from `map`.
    #[must_use]
    pub fn new(src: TexelLayout, dst: TexelLayout, map: [Source; 4], overflow: Overflow) -> Self {
        let plan = plan(&src, &dst, &map);
        Self { src, dst, map, overflow, range: None, plan }
    }

    /// The same with every colour clamped to [0, 1] before it is encoded (GL 4.6 core 18.2.6). Integers are never clamped.
    #[must_use]
    pub fn clamped(self) -> Self {
        let exceeds = |c: &Channel| !matches!(c.kind, ChannelKind::Unorm | ChannelKind::None) && !is_integer(c.kind);
        if self.src.channels.iter().any(exceeds) { self.limited(0.0, 1.0) } else { self }
    }

    /// The same with every colour clamped to what numbers of a kind can be (GL 4.6 core 8.4.4.1): for formats that are stored
    /// in others of a wider range.
    #[must_use]
    pub fn limited_to(self, kind: ChannelKind) -> Self {
        match kind {
            ChannelKind::Unorm => self.limited(0.0, 1.0),
            ChannelKind::Snorm => self.limited(-1.0, 1.0),
            ChannelKind::Ufloat | ChannelKind::SharedExp => self.limited(0.0, f64::MAX),
            _ => self,
        }
    }

    fn limited(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), plan: Plan::General, ..self }
    }

    /// True when the destination's bytes are the source's.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        matches!(self.plan, Plan::Copy)
    }

    /// Converts as many whole texels as both slices hold.
    pub fn row(&self, src: &[u8], dst: &mut [u8]) {
        let (s, d) = (usize::from(self.src.bytes), usize::from(self.dst.bytes));
        let texels = (src.len() / s).min(dst.len() / d);
        let (src, dst) = (&src[..texels * s], &mut dst[..texels * d]);
        match &self.plan {
            Plan::Copy => dst.copy_from_slice(src),
            Plan::Shuffle { from, constant } => shuffle(src, s, dst, d, from, constant),
            Plan::General => {
                for (src, dst) in src.chunks(CHUNK * s).zip(dst.chunks_mut(CHUNK * d)) {
                    self.chunk(src, dst);
                }
            }
        }
    }

    fn chunk(&self, src: &[u8], dst: &mut [u8]) {
        let size = usize::from(self.dst.bytes);
        let texels = dst.len() / size;
        dst.fill(0);
        if self.dst.channels[0].kind == ChannelKind::SharedExp {
            return self.shared_exponent(src, dst);
        }
        let mut raw = [0u64; CHUNK];
        for (slot, source) in self.map.iter().enumerate() {
            let target = self.dst.channels[slot];
            if target.kind == ChannelKind::None {
                continue;
            }
            let raw = &mut raw[..texels];
            match *source {
                Source::Zero => continue,
                Source::One => raw.fill(one(target)),
                Source::Slot(from) => self.slot(src, from, target, raw),
                Source::Sum => {
                    let mut sums = [0f64; CHUNK];
                    self.sum(src, &mut sums[..texels]);
                    for (raw, sum) in raw.iter_mut().zip(&sums) {
                        *raw = encode(*sum, target);
                    }
                }
            }
            Access::new(target).write(dst, size, raw);
        }
    }

    /// Reads slot `from` and leaves it encoded for `target`.
    fn slot(&self, src: &[u8], from: u8, target: Channel, raw: &mut [u64]) {
        let channel = self.src.channels[usize::from(from)];
        if channel.kind == ChannelKind::None {
            // Absent alpha reads as one, absent colours as zero.
            raw.fill(if from == 3 { one(target) } else { 0 });
            return;
        }
        let size = usize::from(self.src.bytes);
        if self.range.is_none()
            && channel.kind == target.kind
            && channel.bits == target.bits
            && channel.kind != ChannelKind::SharedExp
        {
            Access::new(channel).read(src, size, raw);
        } else if is_integer(channel.kind) && is_integer(target.kind) {
            Access::new(channel).read(src, size, raw);
            raw.iter_mut().for_each(|v| *v = convert_integer(*v, channel, target, self.overflow));
        } else {
            let mut values = [0f64; CHUNK];
            let values = &mut values[..raw.len()];
            self.decode_slot(src, usize::from(from), values);
            encode_all(values, target, raw);
        }
    }

    fn decode_slot(&self, src: &[u8], slot: usize, values: &mut [f64]) {
        let channel = self.src.channels[slot];
        let size = usize::from(self.src.bytes);
        if channel.kind == ChannelKind::SharedExp {
            for (texel, value) in src.chunks_exact(size).zip(values.iter_mut()) {
                *value = decode_rgb9e5(u32::from_le_bytes([texel[0], texel[1], texel[2], texel[3]]))[slot];
            }
        } else {
            let mut raw = [0u64; CHUNK];
            let raw = &mut raw[..values.len()];
            Access::new(channel).read(src, size, raw);
            decode_all(raw, channel, values);
        }
        if let Some((low, high)) = self.range {
            values.iter_mut().for_each(|value| *value = value.clamp(low, high));
        }
    }

    fn sum(&self, src: &[u8], sums: &mut [f64]) {
        let mut one_channel = [0f64; CHUNK];
        for slot in 0..3 {
            if self.src.channels[slot].kind != ChannelKind::None {
                let values = &mut one_channel[..sums.len()];
                self.decode_slot(src, slot, values);
                sums.iter_mut().zip(values).for_each(|(s, v)| *s += *v);
            }
        }
    }

    fn shared_exponent(&self, src: &[u8], dst: &mut [u8]) {
        let texels = dst.len() / 4;
        let mut rgb = [[0f64; CHUNK]; 3];
        for (values, source) in rgb.iter_mut().zip(&self.map) {
            match *source {
                Source::Slot(from) if self.src.channels[usize::from(from)].kind != ChannelKind::None => {
                    self.decode_slot(src, usize::from(from), &mut values[..texels]);
                }
                Source::One => values.fill(1.0),
                Source::Sum => self.sum(src, &mut values[..texels]),
                _ => {}
            }
        }
        for (i, texel) in dst.chunks_exact_mut(4).enumerate() {
            texel.copy_from_slice(&encode_rgb9e5([rgb[0][i], rgb[1][i], rgb[2][i]]).to_le_bytes());
        }
    }
}

fn plan(src: &TexelLayout, dst: &TexelLayout, map: &[Source; 4]) -> Plan {
    let mut from = [CONSTANT; 16];
    let mut constant = [0u8; 16];
    if dst.bytes > 16 {
        return Plan::General;
    }
    let mut identity = src.bytes == dst.bytes;
    let mut aligned = true;
    for (target, source) in dst.channels.iter().zip(map) {
        if target.kind == ChannelKind::None {
            continue;
        }
        let whole = target.offset % 8 == 0 && target.bits % 8 == 0;
        let (first, count) = (usize::from(target.offset / 8), usize::from(target.bits / 8));
        match *source {
            Source::Slot(slot) if src.channels[usize::from(slot)].kind != ChannelKind::None => {
                let channel = src.channels[usize::from(slot)];
                let same = channel.kind == target.kind && channel.bits == target.bits;
                identity &= same && channel.offset == target.offset;
                aligned &= same && whole && channel.offset.is_multiple_of(8) && target.kind != ChannelKind::SharedExp;
                if aligned {
                    for byte in 0..count {
                        from[first + byte] = channel.offset / 8 + byte as u8;
                    }
                }
            }
            Source::Sum => return Plan::General,
            other => {
                identity = false;
                aligned &= whole && target.kind != ChannelKind::SharedExp;
                let ones = matches!(other, Source::One | Source::Slot(3));
                if aligned && ones {
                    let bytes = one(*target).to_le_bytes();
                    constant[first..first + count].copy_from_slice(&bytes[..count]);
                }
            }
        }
    }
    // Padding of the source must not leak either, but bytes no channel owns have no meaning to anyone.
    if identity {
        Plan::Copy
    } else if aligned {
        Plan::Shuffle { from, constant }
    } else {
        Plan::General
    }
}

fn shuffle(src: &[u8], s: usize, dst: &mut [u8], d: usize, from: &[u8; 16], constant: &[u8; 16]) {
    match (s, d) {
        (4, 4) => shuffle_fixed::<4, 4>(src, dst, from, constant),
        (3, 4) => shuffle_fixed::<3, 4>(src, dst, from, constant),
        (4, 3) => shuffle_fixed::<4, 3>(src, dst, from, constant),
        (1, 4) => shuffle_fixed::<1, 4>(src, dst, from, constant),
        (12, 16) => shuffle_fixed::<12, 16>(src, dst, from, constant),
        (16, 12) => shuffle_fixed::<16, 12>(src, dst, from, constant),
        _ => {
            for (src, dst) in src.chunks_exact(s).zip(dst.chunks_exact_mut(d)) {
                for (i, byte) in dst.iter_mut().enumerate() {
                    *byte = if from[i] == CONSTANT { constant[i] } else { src[usize::from(from[i])] };
                }
            }
        }
    }
}

fn shuffle_fixed<const S: usize, const D: usize>(src: &[u8], dst: &mut [u8], from: &[u8; 16], constant: &[u8; 16]) {
    for (src, dst) in src.chunks_exact(S).zip(dst.chunks_exact_mut(D)) {
        for i in 0..D {
            dst[i] = src.get(usize::from(from[i])).copied().unwrap_or(constant[i]);
        }
    }
}

fn is_integer(kind: ChannelKind) -> bool {
    matches!(kind, ChannelKind::Uint | ChannelKind::Sint)
}

fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn sign_extend(raw: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    ((raw << shift) as i64) >> shift
}

fn convert_integer(raw: u64, from: Channel, to: Channel, overflow: Overflow) -> u64 {
    let value = if from.kind == ChannelKind::Sint { sign_extend(raw, from.bits) } else { raw as i64 };
    if overflow == Overflow::Mask {
        return value as u64 & mask(to.bits);
    }
    let (low, high) = if to.kind == ChannelKind::Sint {
        (-(1i64 << (to.bits - 1)), (1i64 << (to.bits - 1)) - 1)
    } else {
        (0, mask(to.bits) as i64)
    };
    value.clamp(low, high) as u64 & mask(to.bits)
}

/// Raw bits of one in `channel`.
#[must_use]
pub fn one(channel: Channel) -> u64 {
    if is_integer(channel.kind) { 1 } else { encode(1.0, channel) }
}

fn decode_all(raw: &[u64], channel: Channel, values: &mut [f64]) {
    let pairs = raw.iter().zip(values);
    match (channel.kind, channel.bits) {
        (ChannelKind::Float, 32) => pairs.for_each(|(r, v)| *v = f64::from(f32::from_bits(*r as u32))),
        (ChannelKind::Unorm, bits) => {
            let scale = mask(bits) as f64;
            pairs.for_each(|(r, v)| *v = *r as f64 / scale);
        }
        _ => pairs.for_each(|(r, v)| *v = decode(*r, channel)),
    }
}

fn encode_all(values: &[f64], channel: Channel, raw: &mut [u64]) {
    let pairs = values.iter().zip(raw);
    match (channel.kind, channel.bits) {
        (ChannelKind::Float, 32) => pairs.for_each(|(v, r)| *r = u64::from((*v as f32).to_bits())),
        (ChannelKind::Unorm, bits) => {
            let scale = mask(bits) as f64;
            // NaN casts to zero; the cast truncates, so half is added first.
            pairs.for_each(|(v, r)| *r = (v.clamp(0.0, 1.0) * scale + 0.5) as u64);
        }
        _ => pairs.for_each(|(v, r)| *r = encode(*v, channel)),
    }
}

/// Value of a channel's raw bits.
// GL 4.6 core 2.3.5: normalized integers divide by the largest value, and the most negative one clamps to -1.
#[must_use]
pub fn decode(raw: u64, channel: Channel) -> f64 {
    let bits = channel.bits;
    match channel.kind {
        ChannelKind::Unorm => raw as f64 / mask(bits) as f64,
        ChannelKind::Snorm => (sign_extend(raw, bits) as f64 / mask(bits - 1) as f64).max(-1.0),
        ChannelKind::Uint | ChannelKind::Uscaled => raw as f64,
        ChannelKind::Sint | ChannelKind::Sscaled => sign_extend(raw, bits) as f64,
        ChannelKind::Fixed => sign_extend(raw, bits) as f64 / 65536.0,
        ChannelKind::Float => match bits {
            16 => decode_small(raw as u32, 10, true),
            32 => f64::from(f32::from_bits(raw as u32)),
            _ => f64::from_bits(raw),
        },
        ChannelKind::Ufloat => decode_small(raw as u32, u32::from(bits) - 5, false),
        ChannelKind::SharedExp | ChannelKind::None => 0.0,
    }
}

/// Raw bits of the value nearest to `value` that `channel` can hold.
#[must_use]
pub fn encode(value: f64, channel: Channel) -> u64 {
    let bits = channel.bits;
    match channel.kind {
        // A cast of NaN is zero, and a cast saturates, so only the range of the channel needs care.
        ChannelKind::Unorm => (value.clamp(0.0, 1.0) * mask(bits) as f64).round() as u64,
        ChannelKind::Snorm => (value.clamp(-1.0, 1.0) * mask(bits - 1) as f64).round() as i64 as u64 & mask(bits),
        ChannelKind::Uint | ChannelKind::Uscaled => (value as u64).min(mask(bits)),
        ChannelKind::Sint | ChannelKind::Sscaled => {
            let high = mask(bits - 1) as i64;
            (value as i64).clamp(-high - 1, high) as u64 & mask(bits)
        }
        ChannelKind::Fixed => (value * 65536.0).round() as i32 as u32 as u64,
        ChannelKind::Float => match bits {
            16 => u64::from(encode_small(value, 10, true)),
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        },
        ChannelKind::Ufloat => u64::from(encode_small(value, u32::from(bits) - 5, false)),
        ChannelKind::SharedExp | ChannelKind::None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::Format;
    use proptest::prelude::*;

    fn convert(src: Format, dst: Format, map: [Source; 4], bytes: &[u8]) -> Vec<u8> {
        let conversion = Conversion::new(TexelLayout::of(src), TexelLayout::of(dst), map, Overflow::Clamp);
        let texels = bytes.len() / src.block_bytes() as usize;
        let mut out = vec![0xAA; texels * dst.block_bytes() as usize];
        conversion.row(bytes, &mut out);
        out
    }

    #[test]
    fn exact_values() {
        assert_eq!(convert(Format::R8G8B8_UNORM, Format::R8G8B8A8_UNORM, IDENTITY, &[1, 2, 3]), [1, 2, 3, 255]);
        assert_eq!(convert(Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, IDENTITY, &[1, 2, 3, 4]), [3, 2, 1, 4]);
        assert_eq!(
            convert(Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM, IDENTITY, &0xF800u16.to_le_bytes()),
            [255, 0, 0, 255]
        );
        assert_eq!(
            convert(
                Format::R32_FLOAT,
                Format::R8_UNORM,
                IDENTITY,
                bytemuck::cast_slice(&[0.5f32, -1.0, 2.0, f32::NAN])
            ),
            [128, 0, 255, 0]
        );
        assert_eq!(convert(Format::R8_SNORM, Format::R32_FLOAT, IDENTITY, &[0x80]), (-1f32).to_le_bytes());
        assert_eq!(convert(Format::R8_UNORM, Format::R16_UNORM, IDENTITY, &[0x12]), [0x12, 0x12]);
        assert_eq!(
            convert(Format::R8G8_UNORM, Format::R32G32B32A32_FLOAT, IDENTITY, &[255, 0])[8..],
            [0, 0, 0, 0, 0, 0, 128, 63]
        );
    }

    #[test]
    fn clamping_to_the_unit_range() {
        let clamped = |src: Format, dst: Format, bytes: &[u8], out: &mut [u8]| {
            let plain = Conversion::new(TexelLayout::of(src), TexelLayout::of(dst), IDENTITY, Overflow::Clamp);
            plain.clamped().row(bytes, out);
        };
        let mut floats = [0f32; 4];
        let source = [-2f32, 0.25, 3.0, f32::NEG_INFINITY];
        let f = Format::R32G32B32A32_FLOAT;
        clamped(f, f, bytemuck::cast_slice(&source), bytemuck::cast_slice_mut(&mut floats));
        assert_eq!(floats, [0.0, 0.25, 1.0, 0.0]);
        let mut byte = [9];
        clamped(Format::R8_SNORM, Format::R8_SNORM, &[0x81], &mut byte);
        assert_eq!(byte, [0]);
        clamped(Format::R8_SINT, Format::R8_SINT, &[0x81], &mut byte);
        assert_eq!(byte, [0x81]);
    }

    #[test]
    fn limits_of_another_kind() {
        let limited = |kind: ChannelKind| {
            let f = TexelLayout::of(Format::R32G32B32A32_FLOAT);
            let half = TexelLayout::of(Format::R16G16B16A16_FLOAT);
            let mut out = [0u16; 4];
            let conversion = Conversion::new(f, half, IDENTITY, Overflow::Clamp).limited_to(kind);
            assert!(!conversion.is_copy());
            conversion.row(bytemuck::cast_slice(&[-3.0f32, -0.5, 0.5, 2.0]), bytemuck::cast_slice_mut(&mut out));
            out.map(crate::pixels::float::half_to_f64)
        };
        assert_eq!(limited(ChannelKind::Snorm), [-1.0, -0.5, 0.5, 1.0]);
        assert_eq!(limited(ChannelKind::Unorm), [0.0, 0.0, 0.5, 1.0]);
        assert_eq!(limited(ChannelKind::Float), [-3.0, -0.5, 0.5, 2.0]);
    }

    #[test]
    fn integers_clamp() {
        assert_eq!(convert(Format::R32_SINT, Format::R8_UINT, IDENTITY, &(-5i32).to_le_bytes()), [0]);
        assert_eq!(convert(Format::R32_UINT, Format::R8_SINT, IDENTITY, &u32::MAX.to_le_bytes()), [127]);
        assert_eq!(convert(Format::R8_SINT, Format::R32_SINT, IDENTITY, &[0x80]), (-128i32).to_le_bytes());
        assert_eq!(convert(Format::R8_UINT, Format::R8G8B8A8_UINT, IDENTITY, &[9]), [9, 0, 0, 1]);
    }

    #[test]
    fn luminance_sum_clamps() {
        let map = [Source::Sum, Source::Zero, Source::Zero, Source::Slot(3)];
        assert_eq!(
            convert(Format::R8G8B8A8_UNORM, Format::R8_UNORM, map, &[100, 50, 5, 0, 200, 200, 0, 0]),
            [155, 255]
        );
    }

    #[test]
    fn shared_exponent_both_ways() {
        let floats: [f32; 3] = [2.0, 0.5, 0.0];
        let word = convert(Format::R32G32B32_FLOAT, Format::R9G9B9E5_FLOAT, IDENTITY, bytemuck::cast_slice(&floats));
        let back = convert(Format::R9G9B9E5_FLOAT, Format::R32G32B32_FLOAT, IDENTITY, &word);
        assert_eq!(bytemuck::cast_slice::<f32, u8>(&floats), back);
    }

    /// Widening a normalized or float format to 32-bit float and back is exact.
    #[test]
    fn every_colour_format_survives_widening() {
        for format in Format::ALL.iter().copied().filter(|f| {
            f.is_valid() && !f.is_compressed() && !f.is_depth_stencil() && !f.is_pure_integer() && !f.info().vertex_only
        }) {
            let size = format.block_bytes() as usize;
            let wide = Format::R32G32B32A32_FLOAT;
            for seed in 0u32..300 {
                let bytes: Vec<u8> = (0..size)
                    .map(|i| (seed.wrapping_mul(2_654_435_761).rotate_left(i as u32 * 7) >> 9) as u8)
                    .collect();
                let once = convert(wide, format, IDENTITY, &convert(format, wide, IDENTITY, &bytes));
                let twice = convert(wide, format, IDENTITY, &convert(format, wide, IDENTITY, &once));
                assert_eq!(once, twice, "{format:?}");
                if format.kind() == ChannelKind::Unorm {
                    assert_eq!(once, bytes, "{format:?}");
                }
            }
        }
    }

    proptest! {
        /// The byte shuffle and the general path agree.
        #[test]
        fn shuffle_is_general(bytes in proptest::collection::vec(any::<u8>(), 48), swap in any::<bool>()) {
            let map = if swap { [Source::Slot(2), Source::One, Source::Slot(0), Source::Zero] } else { IDENTITY };
            for (src, dst) in [
                (Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM),
                (Format::R8G8B8_UNORM, Format::R8G8B8A8_UNORM),
                (Format::R16G16B16_UINT, Format::R16G16B16A16_UINT),
                (Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT),
                (Format::R32G32B32A32_SINT, Format::R32G32_SINT),
            ] {
                let fast = Conversion::new(TexelLayout::of(src), TexelLayout::of(dst), map, Overflow::Clamp);
                let slow = Conversion { plan: Plan::General, ..fast };
                let texels = bytes.len() / src.block_bytes() as usize;
                let mut a = vec![1; texels * dst.block_bytes() as usize];
                let mut b = vec![2; texels * dst.block_bytes() as usize];
                fast.row(&bytes, &mut a);
                slow.row(&bytes, &mut b);
                prop_assert_eq!(a, b);
            }
        }
    }
}
