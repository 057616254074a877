//! The `format` and `type` of pixels in client memory: which pairs exist, and how their texels are laid out.

use super::convert::Source;
use super::layout::{ABSENT, DEPTH, STENCIL, TexelLayout};
use crate::error::{GlError, GlResult};
use crate::gl::*;
use gallite_pipe::{Channel, ChannelKind};

/// What kind of pixels a `format` describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientKind {
    /// Colours: normalized or floating-point.
    Color,
    /// Integer colours.
    Integer,
    /// Depth values.
    Depth,
    /// Stencil indices.
    Stencil,
    /// Depth values with stencil indices.
    DepthStencil,
    /// Colour indices (compatibility profile).
    ColorIndex,
}

/// A valid `format`/`type` pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientFormat {
    /// `format`.
    pub format: GLenum,
    /// `type`.
    pub ty: GLenum,
    /// What the pixels are.
    pub kind: ClientKind,
    /// Texel layout; luminance lies in the red slot.
    pub layout: TexelLayout,
    /// Bytes of one element: the unit of byte swapping and of row padding.
    pub element_bytes: u8,
    /// The `type` packs a whole texel in one element.
    pub packed: bool,
}

impl ClientFormat {
    /// True for luminance formats.
    #[must_use]
    pub fn is_luminance(&self) -> bool {
        matches!(
            self.format,
            GL_LUMINANCE | GL_LUMINANCE_ALPHA | GL_LUMINANCE_INTEGER_EXT | GL_LUMINANCE_ALPHA_INTEGER_EXT
        )
    }

    /// Where red, green, blue and alpha come from when these pixels are read.
    // GL 4.6 compatibility 8.4.4.4 and 8.4.4.5: luminance becomes all three colours; missing colours are 0, missing alpha is 1.
    #[must_use]
    pub fn to_rgba(&self) -> [Source; 4] {
        if self.kind == ClientKind::Depth || self.kind == ClientKind::Stencil || self.kind == ClientKind::DepthStencil {
            return super::convert::IDENTITY;
        }
        let has = |slot: usize| self.layout.channels[slot].kind != ChannelKind::None;
        let color = |slot: usize| if has(slot) { Source::Slot(slot as u8) } else { Source::Zero };
        let alpha = if has(3) { Source::Slot(3) } else { Source::One };
        if self.is_luminance() {
            [Source::Slot(0), Source::Slot(0), Source::Slot(0), alpha]
        } else {
            [color(0), color(1), color(2), alpha]
        }
    }

    /// Bytes of one texel.
    #[must_use]
    pub fn texel_bytes(&self) -> u32 {
        u32::from(self.layout.bytes)
    }
}

/// Order of components of a `format`, one letter each, and what kind it is.
fn components(format: GLenum) -> Option<(&'static str, ClientKind)> {
    use ClientKind::{Color, Integer};
    Some(match format {
        GL_RED => ("R", Color),
        GL_GREEN => ("G", Color),
        GL_BLUE => ("B", Color),
        GL_ALPHA => ("A", Color),
        GL_RG => ("RG", Color),
        GL_RGB => ("RGB", Color),
        GL_RGBA => ("RGBA", Color),
        GL_BGR => ("BGR", Color),
        GL_BGRA => ("BGRA", Color),
        GL_ABGR_EXT => ("ABGR", Color),
        GL_LUMINANCE => ("R", Color),
        GL_LUMINANCE_ALPHA => ("RA", Color),
        GL_RED_INTEGER => ("R", Integer),
        GL_GREEN_INTEGER => ("G", Integer),
        GL_BLUE_INTEGER => ("B", Integer),
        GL_ALPHA_INTEGER => ("A", Integer),
        GL_RG_INTEGER => ("RG", Integer),
        GL_RGB_INTEGER => ("RGB", Integer),
        GL_RGBA_INTEGER => ("RGBA", Integer),
        GL_BGR_INTEGER => ("BGR", Integer),
        GL_BGRA_INTEGER => ("BGRA", Integer),
        GL_LUMINANCE_INTEGER_EXT => ("R", Integer),
        GL_LUMINANCE_ALPHA_INTEGER_EXT => ("RA", Integer),
        GL_DEPTH_COMPONENT => ("Z", ClientKind::Depth),
        GL_STENCIL_INDEX => ("S", ClientKind::Stencil),
        GL_DEPTH_STENCIL => ("ZS", ClientKind::DepthStencil),
        GL_COLOR_INDEX => ("I", ClientKind::ColorIndex),
        _ => return None,
    })
}

/// True when only the compatibility profile has this format.
fn is_compatibility(format: GLenum) -> bool {
    matches!(
        format,
        GL_ALPHA
            | GL_LUMINANCE
            | GL_LUMINANCE_ALPHA
            | GL_ALPHA_INTEGER
            | GL_LUMINANCE_INTEGER_EXT
            | GL_LUMINANCE_ALPHA_INTEGER_EXT
            | GL_COLOR_INDEX
            | GL_ABGR_EXT
    )
}

/// What a `type` is: elements of one component each, or a packed texel.
enum Type {
    /// Bits per component and how colours read them.
    Each { bits: u8, kind: ChannelKind },
    /// Widths of components in the order of `format`; `reversed` puts the first in the lowest bits.
    Packed { widths: &'static [u8], reversed: bool, bytes: u8 },
    /// 11, 11, 10-bit floats.
    PackedFloat,
    /// Shared exponent.
    SharedExponent,
    /// 24-bit depth above 8-bit stencil.
    Depth24Stencil8,
    /// A float, then a word with stencil in the low byte.
    Float32Stencil8,
    /// One bit per index.
    Bitmap,
}

fn type_of(ty: GLenum) -> Option<Type> {
    use ChannelKind::{Float, Snorm, Unorm};
    let packed = |widths, reversed, bytes| Type::Packed { widths, reversed, bytes };
    Some(match ty {
        GL_UNSIGNED_BYTE => Type::Each { bits: 8, kind: Unorm },
        GL_BYTE => Type::Each { bits: 8, kind: Snorm },
        GL_UNSIGNED_SHORT => Type::Each { bits: 16, kind: Unorm },
        GL_SHORT => Type::Each { bits: 16, kind: Snorm },
        GL_UNSIGNED_INT => Type::Each { bits: 32, kind: Unorm },
        GL_INT => Type::Each { bits: 32, kind: Snorm },
        GL_HALF_FLOAT => Type::Each { bits: 16, kind: Float },
        GL_FLOAT => Type::Each { bits: 32, kind: Float },
        GL_UNSIGNED_BYTE_3_3_2 => packed(&[3, 3, 2], false, 1),
        GL_UNSIGNED_BYTE_2_3_3_REV => packed(&[3, 3, 2], true, 1),
        GL_UNSIGNED_SHORT_5_6_5 => packed(&[5, 6, 5], false, 2),
        GL_UNSIGNED_SHORT_5_6_5_REV => packed(&[5, 6, 5], true, 2),
        GL_UNSIGNED_SHORT_4_4_4_4 => packed(&[4, 4, 4, 4], false, 2),
        GL_UNSIGNED_SHORT_4_4_4_4_REV => packed(&[4, 4, 4, 4], true, 2),
        GL_UNSIGNED_SHORT_5_5_5_1 => packed(&[5, 5, 5, 1], false, 2),
        GL_UNSIGNED_SHORT_1_5_5_5_REV => packed(&[5, 5, 5, 1], true, 2),
        GL_UNSIGNED_INT_8_8_8_8 => packed(&[8, 8, 8, 8], false, 4),
        GL_UNSIGNED_INT_8_8_8_8_REV => packed(&[8, 8, 8, 8], true, 4),
        GL_UNSIGNED_INT_10_10_10_2 => packed(&[10, 10, 10, 2], false, 4),
        GL_UNSIGNED_INT_2_10_10_10_REV => packed(&[10, 10, 10, 2], true, 4),
        GL_UNSIGNED_INT_10F_11F_11F_REV => Type::PackedFloat,
        GL_UNSIGNED_INT_5_9_9_9_REV => Type::SharedExponent,
        GL_UNSIGNED_INT_24_8 => Type::Depth24Stencil8,
        GL_FLOAT_32_UNSIGNED_INT_24_8_REV => Type::Float32Stencil8,
        GL_BITMAP => Type::Bitmap,
        _ => return None,
    })
}

fn slot(letter: u8) -> usize {
    match letter {
        b'R' | b'Z' | b'I' => 0,
        b'G' | b'S' => 1,
        b'B' => 2,
        _ => 3,
    }
}

/// Checks a `format`/`type` pair and describes its texels. `compatibility` admits what the core profile removed.
///
/// # Errors
/// GL 4.6 core 8.4.4 (tables 8.2, 8.3, 8.5): `INVALID_ENUM` for an unknown format or type, for integer formats with
/// floating-point types and for depth-stencil with another type; `INVALID_OPERATION` for a packed type with a format
/// whose components it does not fit.
pub fn client_format(command: &'static str, format: GLenum, ty: GLenum, compatibility: bool) -> GlResult<ClientFormat> {
    let bad_format = || GlError::invalid_enum(format!("{command}: format 0x{format:04X}"));
    let bad_type = || GlError::invalid_enum(format!("{command}: type 0x{ty:04X}"));
    let bad_pair =
        || GlError::invalid_operation(format!("{command}: type 0x{ty:04X} does not fit format 0x{format:04X}"));
    let (order, kind) =
        components(format).filter(|_| compatibility || !is_compatibility(format)).ok_or_else(bad_format)?;
    let parsed = type_of(ty).filter(|t| compatibility || !matches!(t, Type::Bitmap)).ok_or_else(bad_type)?;
    let four = matches!(order, "RGBA" | "BGRA" | "ABGR");
    let channel = |kind, bits, offset| Channel { kind, bits, offset };
    let mut channels = [ABSENT; 4];
    let (bytes, element_bytes, packed) = match parsed {
        Type::Bitmap => {
            // GL 4.6 compatibility 8.4.4: bitmaps are indices only.
            if kind != ClientKind::ColorIndex && kind != ClientKind::Stencil {
                return Err(bad_type());
            }
            (1, 1, false)
        }
        Type::Depth24Stencil8 => {
            if kind != ClientKind::DepthStencil {
                return Err(bad_pair());
            }
            channels[DEPTH] = channel(ChannelKind::Unorm, 24, 8);
            channels[STENCIL] = channel(ChannelKind::Uint, 8, 0);
            (4, 4, true)
        }
        Type::Float32Stencil8 => {
            if kind != ClientKind::DepthStencil {
                return Err(bad_pair());
            }
            channels[DEPTH] = channel(ChannelKind::Float, 32, 0);
            channels[STENCIL] = channel(ChannelKind::Uint, 8, 32);
            (8, 4, true)
        }
        Type::PackedFloat | Type::SharedExponent => {
            if format != GL_RGB {
                return Err(bad_pair());
            }
            let like = if matches!(parsed, Type::PackedFloat) {
                gallite_pipe::Format::R11G11B10_FLOAT
            } else {
                gallite_pipe::Format::R9G9B9E5_FLOAT
            };
            channels = like.info().channels;
            (4, 4, true)
        }
        Type::Packed { widths, reversed, bytes } => {
            let fits = match widths.len() {
                3 => matches!(format, GL_RGB | GL_RGB_INTEGER),
                _ => four,
            };
            if !fits {
                return Err(bad_pair());
            }
            let kind = if kind == ClientKind::Integer { ChannelKind::Uint } else { ChannelKind::Unorm };
            let mut low = 0;
            for (i, width) in widths.iter().enumerate() {
                let offset = if reversed { low } else { bytes * 8 - low - width };
                channels[slot(order.as_bytes()[i])] = channel(kind, *width, offset);
                low += width;
            }
            (bytes, bytes, true)
        }
        Type::Each { bits, kind: read_as } => {
            if kind == ClientKind::DepthStencil || (kind == ClientKind::Integer && read_as == ChannelKind::Float) {
                return Err(bad_type());
            }
            let index = matches!(kind, ClientKind::Integer | ClientKind::Stencil | ClientKind::ColorIndex);
            let read_as = match read_as {
                ChannelKind::Unorm if index => ChannelKind::Uint,
                ChannelKind::Snorm if index => ChannelKind::Sint,
                other => other,
            };
            for (i, letter) in order.bytes().enumerate() {
                channels[slot(letter)] = channel(read_as, bits, i as u8 * bits);
            }
            (bits / 8 * order.len() as u8, bits / 8, false)
        }
    };
    Ok(ClientFormat { format, ty, kind, layout: TexelLayout { bytes, channels }, element_bytes, packed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(format: GLenum, ty: GLenum, compatibility: bool) -> GLenum {
        client_format("test", format, ty, compatibility).map_or_else(|e| e.code(), |_| GL_NO_ERROR)
    }

    #[test]
    fn pairs_and_errors() {
        assert_eq!(code(GL_RGBA, GL_UNSIGNED_BYTE, false), GL_NO_ERROR);
        assert_eq!(code(GL_LUMINANCE, GL_UNSIGNED_BYTE, false), GL_INVALID_ENUM);
        assert_eq!(code(GL_LUMINANCE, GL_UNSIGNED_BYTE, true), GL_NO_ERROR);
        assert_eq!(code(GL_RGBA, GL_UNSIGNED_SHORT_5_6_5, false), GL_INVALID_OPERATION);
        assert_eq!(code(GL_RGB, GL_UNSIGNED_INT_8_8_8_8, false), GL_INVALID_OPERATION);
        assert_eq!(code(GL_RGBA_INTEGER, GL_FLOAT, false), GL_INVALID_ENUM);
        assert_eq!(code(GL_DEPTH_STENCIL, GL_FLOAT, false), GL_INVALID_ENUM);
        assert_eq!(code(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT_24_8, false), GL_INVALID_OPERATION);
        assert_eq!(code(GL_RGBA, GL_UNSIGNED_INT_5_9_9_9_REV, false), GL_INVALID_OPERATION);
        assert_eq!(code(GL_RGBA, 0x1234, false), GL_INVALID_ENUM);
        assert_eq!(code(0x1234, GL_FLOAT, false), GL_INVALID_ENUM);
    }

    #[test]
    fn packed_types_place_their_first_component() {
        let high = client_format("test", GL_RGB, GL_UNSIGNED_SHORT_5_6_5, false).unwrap();
        assert_eq!(high.layout, TexelLayout::of(gallite_pipe::Format::B5G6R5_UNORM));
        let low = client_format("test", GL_BGRA, GL_UNSIGNED_INT_2_10_10_10_REV, false).unwrap();
        assert_eq!(low.layout, TexelLayout::of(gallite_pipe::Format::B10G10R10A2_UNORM));
        let bytes = client_format("test", GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, false).unwrap();
        assert_eq!(bytes.layout, TexelLayout::of(gallite_pipe::Format::A8B8G8R8_UNORM));
        let half = client_format("test", GL_BGR, GL_HALF_FLOAT, false).unwrap();
        assert_eq!((half.layout.bytes, half.element_bytes), (6, 2));
    }
}
