//! Client pixels as GL 4.6 core tables 8.2, 8.3 and 8.5 describe them, written from the tables alone: which pairs of format
//! and type there are, and what the bits of a texel mean.

use gallite_tests::gl;

/// What a format's components are (table 8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Colour,
    Integer,
    Depth,
    Stencil,
    DepthStencil,
}

/// Every format of the core profile with its class and its components in the order of memory.
pub const FORMATS: [(u32, Class, &str); 19] = [
    (gl::STENCIL_INDEX, Class::Stencil, "s"),
    (gl::DEPTH_COMPONENT, Class::Depth, "d"),
    (gl::DEPTH_STENCIL, Class::DepthStencil, "ds"),
    (gl::RED, Class::Colour, "r"),
    (gl::GREEN, Class::Colour, "g"),
    (gl::BLUE, Class::Colour, "b"),
    (gl::RG, Class::Colour, "rg"),
    (gl::RGB, Class::Colour, "rgb"),
    (gl::RGBA, Class::Colour, "rgba"),
    (gl::BGR, Class::Colour, "bgr"),
    (gl::BGRA, Class::Colour, "bgra"),
    (gl::RED_INTEGER, Class::Integer, "r"),
    (gl::GREEN_INTEGER, Class::Integer, "g"),
    (gl::BLUE_INTEGER, Class::Integer, "b"),
    (gl::RG_INTEGER, Class::Integer, "rg"),
    (gl::RGB_INTEGER, Class::Integer, "rgb"),
    (gl::RGBA_INTEGER, Class::Integer, "rgba"),
    (gl::BGR_INTEGER, Class::Integer, "bgr"),
    (gl::BGRA_INTEGER, Class::Integer, "bgra"),
];

/// What the elements of a type are (table 8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// One unsigned integer for each component, of so many bits.
    Unsigned(u32),
    /// One signed integer for each component.
    Signed(u32),
    /// One float for each component.
    Float(u32),
    /// All components in an integer of so many bytes: width and lowest bit of each in the order of the format.
    Packed(usize, &'static [(u32, u32)]),
    /// Three unsigned floats of 11, 11 and 10 bits.
    SmallFloats,
    /// Three mantissas of 9 bits and an exponent.
    SharedExponent,
    /// Depth above stencil.
    Depth24Stencil8,
    /// A float of depth, then a word with stencil in its low byte.
    Float32Stencil8,
}

/// Every type of the core profile.
pub const TYPES: [(u32, Elements); 24] = [
    (gl::UNSIGNED_BYTE, Elements::Unsigned(8)),
    (gl::BYTE, Elements::Signed(8)),
    (gl::UNSIGNED_SHORT, Elements::Unsigned(16)),
    (gl::SHORT, Elements::Signed(16)),
    (gl::UNSIGNED_INT, Elements::Unsigned(32)),
    (gl::INT, Elements::Signed(32)),
    (gl::HALF_FLOAT, Elements::Float(16)),
    (gl::FLOAT, Elements::Float(32)),
    (gl::UNSIGNED_BYTE_3_3_2, Elements::Packed(1, &[(3, 5), (3, 2), (2, 0)])),
    (gl::UNSIGNED_BYTE_2_3_3_REV, Elements::Packed(1, &[(3, 0), (3, 3), (2, 6)])),
    (gl::UNSIGNED_SHORT_5_6_5, Elements::Packed(2, &[(5, 11), (6, 5), (5, 0)])),
    (gl::UNSIGNED_SHORT_5_6_5_REV, Elements::Packed(2, &[(5, 0), (6, 5), (5, 11)])),
    (gl::UNSIGNED_SHORT_4_4_4_4, Elements::Packed(2, &[(4, 12), (4, 8), (4, 4), (4, 0)])),
    (gl::UNSIGNED_SHORT_4_4_4_4_REV, Elements::Packed(2, &[(4, 0), (4, 4), (4, 8), (4, 12)])),
    (gl::UNSIGNED_SHORT_5_5_5_1, Elements::Packed(2, &[(5, 11), (5, 6), (5, 1), (1, 0)])),
    (gl::UNSIGNED_SHORT_1_5_5_5_REV, Elements::Packed(2, &[(5, 0), (5, 5), (5, 10), (1, 15)])),
    (gl::UNSIGNED_INT_8_8_8_8, Elements::Packed(4, &[(8, 24), (8, 16), (8, 8), (8, 0)])),
    (gl::UNSIGNED_INT_8_8_8_8_REV, Elements::Packed(4, &[(8, 0), (8, 8), (8, 16), (8, 24)])),
    (gl::UNSIGNED_INT_10_10_10_2, Elements::Packed(4, &[(10, 22), (10, 12), (10, 2), (2, 0)])),
    (gl::UNSIGNED_INT_2_10_10_10_REV, Elements::Packed(4, &[(10, 0), (10, 10), (10, 20), (2, 30)])),
    (gl::UNSIGNED_INT_10F_11F_11F_REV, Elements::SmallFloats),
    (gl::UNSIGNED_INT_5_9_9_9_REV, Elements::SharedExponent),
    (gl::UNSIGNED_INT_24_8, Elements::Depth24Stencil8),
    (gl::FLOAT_32_UNSIGNED_INT_24_8_REV, Elements::Float32Stencil8),
];

/// A format and a type.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub format: u32,
    pub kind: u32,
    pub class: Class,
    pub components: &'static str,
    pub elements: Elements,
}

/// Every pair, whether there is such a thing or not.
pub fn pairs() -> impl Iterator<Item = Pair> {
    FORMATS.into_iter().flat_map(|(format, class, components)| {
        TYPES.into_iter().map(move |(kind, elements)| Pair { format, kind, class, components, elements })
    })
}

/// A component of a texel and how exactly its type holds it.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// One of `rgbads`.
    pub name: char,
    pub value: f64,
    /// The least and the largest that the type holds.
    pub range: (f64, f64),
    /// How far a value that was converted to this one may lie off.
    pub tolerance: f64,
}

impl Pair {
    /// The errors that a command may raise for this pair; none if there is such a pair.
    // 8.4.4: INVALID_ENUM for integers from floats and for depth with stencil of another type; INVALID_OPERATION for a packed
    // type with a format of other components. A pair that breaks two rules may be refused for either.
    pub fn errors(&self) -> &'static [u32] {
        let four = self.components.len() == 4;
        let integer = self.class == Class::Integer;
        match self.elements {
            Elements::Depth24Stencil8 | Elements::Float32Stencil8 => {
                if self.class == Class::DepthStencil {
                    &[]
                } else {
                    &[gl::INVALID_OPERATION]
                }
            }
            Elements::Unsigned(_) | Elements::Signed(_) if self.class != Class::DepthStencil => &[],
            Elements::Float(_) if self.class != Class::DepthStencil && !integer => &[],
            Elements::Unsigned(_) | Elements::Signed(_) | Elements::Float(_) => &[gl::INVALID_ENUM],
            Elements::Packed(_, widths) => {
                let fits = if widths.len() == 4 { four } else { matches!(self.format, gl::RGB | gl::RGB_INTEGER) };
                match (fits, self.class) {
                    (true, _) => &[],
                    (_, Class::DepthStencil) => &[gl::INVALID_OPERATION, gl::INVALID_ENUM],
                    _ => &[gl::INVALID_OPERATION],
                }
            }
            Elements::SmallFloats | Elements::SharedExponent => match (self.format, self.class) {
                (gl::RGB, _) => &[],
                (_, Class::Integer | Class::DepthStencil) => &[gl::INVALID_OPERATION, gl::INVALID_ENUM],
                _ => &[gl::INVALID_OPERATION],
            },
        }
    }

    /// Bytes of a texel.
    pub fn bytes(&self) -> usize {
        match self.elements {
            Elements::Unsigned(bits) | Elements::Signed(bits) | Elements::Float(bits) => {
                bits as usize / 8 * self.components.len()
            }
            Elements::Packed(bytes, _) => bytes,
            Elements::SmallFloats | Elements::SharedExponent | Elements::Depth24Stencil8 => 4,
            Elements::Float32Stencil8 => 8,
        }
    }

    /// Whether numbers are fractions of the largest.
    fn is_normalized(&self) -> bool {
        matches!(self.class, Class::Colour | Class::Depth | Class::DepthStencil)
    }

    fn unsigned(&self, name: char, raw: u64, bits: u32) -> Component {
        let most = ((1_u64 << bits) - 1) as f64;
        if name != 's' && self.is_normalized() {
            Component { name, value: raw as f64 / most, range: (0.0, 1.0), tolerance: 0.5 / most + 1e-7 }
        } else {
            Component { name, value: raw as f64, range: (0.0, most), tolerance: 0.0 }
        }
    }

    fn signed(&self, name: char, raw: i64, bits: u32) -> Component {
        let most = ((1_i64 << (bits - 1)) - 1) as f64;
        if name != 's' && self.is_normalized() {
            // 2.3.5.1: the lowest number and the one after it are both -1.
            let value = (raw as f64 / most).max(-1.0);
            Component { name, value, range: (-1.0, 1.0), tolerance: 0.5 / most + 1e-7 }
        } else {
            Component { name, value: raw as f64, range: (-most - 1.0, most), tolerance: 0.0 }
        }
    }

    /// The components of the texel that `texel` begins with, in the order of the format.
    pub fn decode(&self, texel: &[u8]) -> Vec<Component> {
        let number = |at: usize, bytes: usize| {
            texel[at..at + bytes].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
        };
        let names = self.components.chars();
        let float = |name, value: f64, mantissa: i32, least, most| {
            // A step of the number, or of the smallest ones.
            let tolerance = value.abs() * 0.5_f64.powi(mantissa) + 0.5_f64.powi(14 + mantissa);
            Component { name, value, range: (least, most), tolerance }
        };
        let single = |name, at| float(name, f64::from(f32::from_bits(number(at, 4) as u32)), 23, f64::MIN, f64::MAX);
        match self.elements {
            Elements::Unsigned(bits) => names
                .enumerate()
                .map(|(i, name)| self.unsigned(name, number(i * bits as usize / 8, bits as usize / 8), bits))
                .collect(),
            Elements::Signed(bits) => names
                .enumerate()
                .map(|(i, name)| {
                    let raw = number(i * bits as usize / 8, bits as usize / 8);
                    self.signed(name, ((raw << (64 - bits)) as i64) >> (64 - bits), bits)
                })
                .collect(),
            Elements::Float(16) => names
                .enumerate()
                .map(|(i, name)| {
                    let raw = number(i * 2, 2);
                    let sign = if raw >> 15 == 1 { -1.0 } else { 1.0 };
                    float(name, sign * small_float(raw & 0x7FFF, 10), 10, -65504.0, 65504.0)
                })
                .collect(),
            Elements::Float(_) => names.enumerate().map(|(i, name)| single(name, i * 4)).collect(),
            Elements::Packed(bytes, fields) => names
                .zip(fields)
                .map(|(name, (width, shift))| {
                    self.unsigned(name, number(0, bytes) >> shift & ((1 << width) - 1), *width)
                })
                .collect(),
            Elements::SmallFloats => names
                .zip([(6, 0), (6, 11), (5, 22)])
                .map(|(name, (mantissa, shift))| {
                    let raw = number(0, 4) >> shift & ((1 << (mantissa + 5)) - 1);
                    let most = if mantissa == 6 { 65024.0 } else { 64512.0 };
                    float(name, small_float(raw, mantissa), mantissa as i32, 0.0, most)
                })
                .collect(),
            Elements::SharedExponent => {
                let raw = number(0, 4);
                // 8.5.2: an exponent with a bias of 15 for mantissas of 9 bits.
                let scale = 2.0_f64.powi((raw >> 27) as i32 - 15 - 9);
                let value = |i: usize| (raw >> (9 * i) & 0x1FF) as f64 * scale;
                names
                    .enumerate()
                    .map(|(i, name)| Component {
                        name,
                        value: value(i),
                        range: (0.0, 65408.0),
                        tolerance: scale * 0.501,
                    })
                    .collect()
            }
            Elements::Depth24Stencil8 => {
                vec![self.unsigned('d', number(0, 4) >> 8, 24), self.unsigned('s', number(0, 4) & 0xFF, 8)]
            }
            Elements::Float32Stencil8 => vec![single('d', 0), self.unsigned('s', number(4, 4) & 0xFF, 8)],
        }
    }
}

/// A float without sign: 5 bits of exponent above the mantissa (2.3.4.2 to 2.3.4.4).
fn small_float(raw: u64, mantissa: u32) -> f64 {
    let fraction = (raw & ((1 << mantissa) - 1)) as f64 / f64::from(1 << mantissa);
    match raw >> mantissa {
        0 => fraction * 2.0_f64.powi(-14),
        exponent => (1.0 + fraction) * 2.0_f64.powi(exponent as i32 - 15),
    }
}
