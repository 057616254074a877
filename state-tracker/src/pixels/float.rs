//! Small floats: 16, 11 and 10 bits, and the shared-exponent format (GL 4.6 core 2.3.4, 8.5.2).

const EXPONENT_BITS: u32 = 5;
const BIAS: i32 = 15;

/// Decodes a float of 5 exponent bits and `mantissa` bits, with a sign bit above them when `signed`.
#[must_use]
pub fn decode_small(bits: u32, mantissa: u32, signed: bool) -> f64 {
    let fraction = bits & ((1 << mantissa) - 1);
    let exponent = (bits >> mantissa) & ((1 << EXPONENT_BITS) - 1);
    let scale = f64::from(1u32 << mantissa);
    let magnitude = match exponent {
        0 => f64::from(fraction) / scale * pow2(1 - BIAS),
        31 if fraction == 0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + f64::from(fraction) / scale) * pow2(e as i32 - BIAS),
    };
    if signed && bits >> (mantissa + EXPONENT_BITS) & 1 == 1 { -magnitude } else { magnitude }
}

/// Encodes to the nearest such float, ties to even. Without a sign, negative values become zero
/// and finite values too large become the largest finite one (GL 4.6 core 2.3.4.3); with a sign they become infinite.
#[must_use]
pub fn encode_small(value: f64, mantissa: u32, signed: bool) -> u32 {
    let infinity = 31u32 << mantissa;
    let negative = value.is_sign_negative();
    let sign = if signed && negative { 1 << (mantissa + EXPONENT_BITS) } else { 0 };
    if value.is_nan() {
        return sign | infinity | (1 << (mantissa - 1));
    }
    if !signed && negative {
        return 0;
    }
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign | infinity;
    }
    // Exponent of the result's unit in the last place; denormals share that of the smallest normal.
    let raw = ((magnitude.to_bits() >> 52) & 0x7FF) as i32 - 1023;
    let exponent = raw.max(1 - BIAS);
    let steps = (magnitude * pow2(mantissa as i32 - exponent)).round_ties_even();
    // `steps` carries the implicit bit when normal, so adding it to the biased exponent - 1 also handles the carry.
    if exponent > BIAS + 1 {
        return if signed { sign | infinity } else { infinity - 1 };
    }
    let encoded = (((exponent + BIAS - 1) as u32) << mantissa) + steps as u32;
    if encoded >= infinity {
        return if signed { sign | infinity } else { infinity - 1 };
    }
    sign | encoded
}

/// 16-bit float to double.
#[must_use]
pub fn half_to_f64(bits: u16) -> f64 {
    decode_small(u32::from(bits), 10, true)
}

/// Double to the nearest 16-bit float.
#[must_use]
pub fn f64_to_half(value: f64) -> u16 {
    encode_small(value, 10, true) as u16
}

/// Three components from the shared-exponent word.
#[must_use]
pub fn decode_rgb9e5(word: u32) -> [f64; 3] {
    let scale = pow2((word >> 27) as i32 - BIAS - 9);
    [0, 9, 18].map(|shift| f64::from((word >> shift) & 0x1FF) * scale)
}

/// Shared-exponent word nearest to three components.
// GL 4.6 core 8.5.2: N = 9 mantissa bits, B = 15, Emax = 31.
#[must_use]
pub fn encode_rgb9e5(rgb: [f64; 3]) -> u32 {
    const MAX: f64 = 511.0 / 512.0 * 65536.0;
    // max() drops NaN, as the specification's max(0, x) is allowed to.
    let clamped = rgb.map(|c| if c > 0.0 { c.min(MAX) } else { 0.0 });
    let largest = clamped[0].max(clamped[1]).max(clamped[2]);
    let floor_log2 = if largest > 0.0 { ((largest.to_bits() >> 52) as i32 - 1023).max(-BIAS - 1) } else { -BIAS - 1 };
    let mut exponent = floor_log2 + 1 + BIAS;
    if (largest * pow2(BIAS + 9 - exponent) + 0.5).floor() >= 512.0 {
        exponent += 1;
    }
    let scale = pow2(BIAS + 9 - exponent);
    let [r, g, b] = clamped.map(|c| (c * scale + 0.5).floor() as u32);
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

fn pow2(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_half_round_trips() {
        for bits in 0..=u16::MAX {
            let value = half_to_f64(bits);
            if value.is_nan() {
                assert!(half_to_f64(f64_to_half(value)).is_nan());
            } else {
                assert_eq!(f64_to_half(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn every_ufloat_round_trips() {
        for (mantissa, count) in [(6u32, 1u32 << 11), (5, 1 << 10)] {
            for bits in 0..count {
                let value = decode_small(bits, mantissa, false);
                if !value.is_nan() {
                    assert_eq!(encode_small(value, mantissa, false), bits);
                }
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(f64_to_half(1.0), 0x3C00);
        assert_eq!(f64_to_half(-2.0), 0xC000);
        assert_eq!(f64_to_half(65504.0), 0x7BFF);
        assert_eq!(f64_to_half(65519.9), 0x7BFF);
        assert_eq!(f64_to_half(65520.0), 0x7C00);
        assert_eq!(f64_to_half(1e300), 0x7C00);
        assert_eq!(f64_to_half(5.960_464_477_539_063e-8), 1);
        assert_eq!(f64_to_half(1e-30), 0);
        assert_eq!(encode_small(1e9, 6, false), 0x7BF, "largest finite 11-bit float");
        assert_eq!(decode_small(0x7BF, 6, false), 65024.0);
        assert_eq!(encode_small(-1.0, 6, false), 0);
        assert_eq!(encode_small(f64::INFINITY, 5, false), 0x3E0);
        assert_eq!(decode_rgb9e5(encode_rgb9e5([1.0, 0.5, 0.25])), [1.0, 0.5, 0.25]);
        assert_eq!(decode_rgb9e5(encode_rgb9e5([1e9, -3.0, f64::NAN])), [65408.0, 0.0, 0.0]);
        assert_eq!(encode_rgb9e5([0.0; 3]), 0);
    }

    proptest! {
        #[test]
        fn half_is_nearest(value in -70000.0f64..70000.0) {
            let bits = f64_to_half(value);
            let got = half_to_f64(bits);
            for other in [bits.wrapping_sub(1), bits.wrapping_add(1)] {
                let other = half_to_f64(other);
                if other.is_finite() && got.is_finite() {
                    prop_assert!((got - value).abs() <= (other - value).abs());
                }
            }
        }

        #[test]
        fn rgb9e5_is_close(r in 0.0f64..65000.0, g in 0.0f64..65000.0, b in 0.0f64..1.0) {
            let got = decode_rgb9e5(encode_rgb9e5([r, g, b]));
            let step = r.max(g).max(b) / 256.0;
            for (got, want) in got.iter().zip([r, g, b]) {
                prop_assert!((got - want).abs() <= step);
            }
        }
    }

    #[test]
    fn halves() {
        for (bits, value) in [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 2f64.powi(-24)), (0x7c00, f64::INFINITY)] {
            assert_eq!(half_to_f64(bits), value);
        }
        assert!(half_to_f64(0x7e00).is_nan());
    }
}
