//! Texel and vertex formats: the open enum [`Format`] and its property table.
//!
//! # Naming
//! A name lists channels from the lowest bit of the little-endian texel upward, so for formats whose
//! channels are whole bytes it is the order in memory (`R8G8B8A8_UNORM`: red first), and for packed formats the
//! least significant channel comes first (`B5G6R5_UNORM`: blue in bits 0-4, red in bits 11-15; this is what GL calls
//! `UNSIGNED_SHORT_5_6_5` and Vulkan `R5G6B5_UNORM_PACK16`).
//!
//! There are no luminance, intensity, alpha-only or "X" colour formats: the state tracker picks a format with enough channels
//! and a swizzle. A colour format with three channels is one that really has three.
//!
//! # Depth-stencil texels
//! Bytes that cross the interface for depth and stencil have exactly the layout of the table, which for the two 24-bit
//! formats is not the order of their names: depth is in bits 8-31 of the word and stencil, if any, in bits 0-7 (what programs
//! call `UNSIGNED_INT_24_8`). `Z32_FLOAT_S8X24_UINT` is one float followed by a word whose low byte is stencil.

use bytemuck::{Pod, Zeroable};
use core::fmt;

/// A texel or vertex-element format. Zero is [`Format::NONE`]. Any value may arrive from a peer: check [`Format::is_valid`].
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
pub struct Format(pub u16);

/// How the bits of one channel become a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ChannelKind {
    /// The channel is absent.
    None,
    /// Unsigned, divided by 2^bits - 1.
    Unorm,
    /// Two's complement, divided by 2^(bits-1) - 1 and clamped to -1.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Two's complement integer.
    Sint,
    /// IEEE half, single or double by width.
    Float,
    /// Float without sign, 5 exponent bits (10 and 11 bits wide).
    Ufloat,
    /// 9 mantissa bits with an exponent shared by all channels (bits 27-31).
    SharedExp,
    /// Unsigned integer converted to the float of that value (vertex only).
    Uscaled,
    /// Two's complement integer converted to the float of that value (vertex only).
    Sscaled,
    /// 16.16 fixed point (vertex only).
    Fixed,
}

/// One channel of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// How to read it; `None` when absent.
    pub kind: ChannelKind,
    /// Width in bits; of compressed formats, the width GL reports for it.
    pub bits: u8,
    /// First bit within the little-endian texel; 0 for compressed formats.
    pub offset: u8,
}

/// Compression family.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Compression {
    /// Not compressed.
    None,
    /// BC1-BC3.
    S3tc,
    /// BC4-BC5.
    Rgtc,
    /// BC6H-BC7.
    Bptc,
    /// ETC2 colour formats.
    Etc2,
    /// EAC one and two channel formats.
    Eac,
    /// ASTC, LDR profile.
    Astc,
}

/// Aspects of an image, a bit set.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
pub struct Aspects(pub u32);

impl Aspects {
    /// No aspect.
    pub const NONE: Self = Self(0);
    /// Colour.
    pub const COLOR: Self = Self(1);
    /// Depth.
    pub const DEPTH: Self = Self(2);
    /// Stencil.
    pub const STENCIL: Self = Self(4);
    /// Depth and stencil.
    pub const DEPTH_STENCIL: Self = Self(6);

    /// True when every aspect of `other` is in `self`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// True when both share an aspect.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Properties of one format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormatInfo {
    /// Name of the constant.
    pub name: &'static str,
    /// Texels across one block (1 unless compressed).
    pub block_width: u8,
    /// Texels down one block (1 unless compressed).
    pub block_height: u8,
    /// Bytes of one block.
    pub block_bytes: u8,
    /// Red, green, blue, alpha; for depth-stencil formats: depth, stencil.
    pub channels: [Channel; 4],
    /// Colour channels are sRGB-encoded.
    pub srgb: bool,
    /// What the format holds.
    pub aspects: Aspects,
    /// Compression family.
    pub compression: Compression,
    /// Can only be a vertex element.
    pub vertex_only: bool,
}

const ABSENT: Channel = Channel { kind: ChannelKind::None, bits: 0, offset: 0 };

const fn blank(bytes: u8) -> FormatInfo {
    FormatInfo {
        name: "",
        block_width: 1,
        block_height: 1,
        block_bytes: bytes,
        channels: [ABSENT; 4],
        srgb: false,
        aspects: Aspects::COLOR,
        compression: Compression::None,
        vertex_only: false,
    }
}

const fn slot(letter: u8) -> usize {
    match letter {
        b'R' | b'Z' => 0,
        b'G' | b'S' => 1,
        b'B' => 2,
        _ => 3,
    }
}

/// Channels of equal width in the order of `order`.
const fn array(kind: ChannelKind, bits: u8, order: &str) -> FormatInfo {
    let order = order.as_bytes();
    let mut info = blank((bits as usize * order.len() / 8) as u8);
    let mut i = 0;
    while i < order.len() {
        info.channels[slot(order[i])] = Channel { kind, bits, offset: i as u8 * bits };
        i += 1;
    }
    info.vertex_only = is_vertex_only(kind, bits);
    info
}

/// Channels of differing width, lowest first; an `X` in `order` is padding.
const fn packed(kind: ChannelKind, order: &str, widths: &[u8]) -> FormatInfo {
    let order = order.as_bytes();
    let mut info = blank(0);
    let mut offset = 0;
    let mut i = 0;
    while i < order.len() {
        if order[i] != b'X' {
            info.channels[slot(order[i])] = Channel { kind, bits: widths[i], offset };
        }
        offset += widths[i];
        i += 1;
    }
    info.block_bytes = offset / 8;
    info.vertex_only = is_vertex_only(kind, 0);
    info
}

const fn is_vertex_only(kind: ChannelKind, bits: u8) -> bool {
    match kind {
        ChannelKind::Uscaled | ChannelKind::Sscaled | ChannelKind::Fixed => true,
        ChannelKind::Unorm | ChannelKind::Snorm => bits == 32,
        ChannelKind::Float => bits == 64,
        _ => false,
    }
}

const fn srgb(mut info: FormatInfo) -> FormatInfo {
    info.srgb = true;
    info
}

const fn vertex(mut info: FormatInfo) -> FormatInfo {
    info.vertex_only = true;
    info
}

const fn depth_stencil(bytes: u8, depth: Channel, stencil: Channel) -> FormatInfo {
    let mut info = blank(bytes);
    info.channels[0] = depth;
    info.channels[1] = stencil;
    let mut aspects = 0;
    if depth.bits != 0 {
        aspects |= Aspects::DEPTH.0;
    }
    if stencil.bits != 0 {
        aspects |= Aspects::STENCIL.0;
    }
    info.aspects = Aspects(aspects);
    info
}

const fn ch(kind: ChannelKind, bits: u8, offset: u8) -> Channel {
    Channel { kind, bits, offset }
}

/// A compressed format; `widths` are the component sizes GL reports.
const fn block(compression: Compression, size: (u8, u8), bytes: u8, kind: ChannelKind, widths: [u8; 4]) -> FormatInfo {
    let mut info = blank(bytes);
    info.block_width = size.0;
    info.block_height = size.1;
    info.compression = compression;
    let mut i = 0;
    while i < 4 {
        if widths[i] != 0 {
            info.channels[i] = Channel { kind, bits: widths[i], offset: 0 };
        }
        i += 1;
    }
    info
}

macro_rules! formats {
    ($($name:ident = $info:expr;)*) => {
        #[repr(u16)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, clippy::enum_variant_names)]
        enum Index { $($name),* }

        #[allow(missing_docs)] // The naming rule at the top of this file documents every one.
        impl Format {
            $(pub const $name: Self = Self(Index::$name as u16);)*
        }

        impl Format {
            /// Every format, [`Format::NONE`] first; `ALL[i].0 == i`.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }

        static TABLE: &[FormatInfo] = &[$({
            let mut info: FormatInfo = const { $info };
            info.name = stringify!($name);
            info
        }),*];
    };
}

use ChannelKind::{Fixed, Float, SharedExp, Sint, Snorm, Sscaled, Ufloat, Uint, Unorm, Uscaled};
use Compression::{Astc, Bptc, Eac, Etc2, Rgtc, S3tc};

// The numbering is part of the stream and trace formats: append, never insert.
formats! {
    NONE = { let mut info = blank(0); info.aspects = Aspects::NONE; info };

    R8_UNORM = array(Unorm, 8, "R");
    R8G8_UNORM = array(Unorm, 8, "RG");
    R8G8B8_UNORM = array(Unorm, 8, "RGB");
    R8G8B8A8_UNORM = array(Unorm, 8, "RGBA");
    B8G8R8A8_UNORM = array(Unorm, 8, "BGRA");
    A8B8G8R8_UNORM = array(Unorm, 8, "ABGR");
    R8_SNORM = array(Snorm, 8, "R");
    R8G8_SNORM = array(Snorm, 8, "RG");
    R8G8B8_SNORM = array(Snorm, 8, "RGB");
    R8G8B8A8_SNORM = array(Snorm, 8, "RGBA");
    R8_UINT = array(Uint, 8, "R");
    R8G8_UINT = array(Uint, 8, "RG");
    R8G8B8_UINT = array(Uint, 8, "RGB");
    R8G8B8A8_UINT = array(Uint, 8, "RGBA");
    B8G8R8A8_UINT = array(Uint, 8, "BGRA");
    R8_SINT = array(Sint, 8, "R");
    R8G8_SINT = array(Sint, 8, "RG");
    R8G8B8_SINT = array(Sint, 8, "RGB");
    R8G8B8A8_SINT = array(Sint, 8, "RGBA");
    R8_SRGB = srgb(array(Unorm, 8, "R"));
    R8G8_SRGB = srgb(array(Unorm, 8, "RG"));
    R8G8B8_SRGB = srgb(array(Unorm, 8, "RGB"));
    R8G8B8A8_SRGB = srgb(array(Unorm, 8, "RGBA"));
    B8G8R8A8_SRGB = srgb(array(Unorm, 8, "BGRA"));

    R16_UNORM = array(Unorm, 16, "R");
    R16G16_UNORM = array(Unorm, 16, "RG");
    R16G16B16_UNORM = array(Unorm, 16, "RGB");
    R16G16B16A16_UNORM = array(Unorm, 16, "RGBA");
    R16_SNORM = array(Snorm, 16, "R");
    R16G16_SNORM = array(Snorm, 16, "RG");
    R16G16B16_SNORM = array(Snorm, 16, "RGB");
    R16G16B16A16_SNORM = array(Snorm, 16, "RGBA");
    R16_UINT = array(Uint, 16, "R");
    R16G16_UINT = array(Uint, 16, "RG");
    R16G16B16_UINT = array(Uint, 16, "RGB");
    R16G16B16A16_UINT = array(Uint, 16, "RGBA");
    R16_SINT = array(Sint, 16, "R");
    R16G16_SINT = array(Sint, 16, "RG");
    R16G16B16_SINT = array(Sint, 16, "RGB");
    R16G16B16A16_SINT = array(Sint, 16, "RGBA");
    R16_FLOAT = array(Float, 16, "R");
    R16G16_FLOAT = array(Float, 16, "RG");
    R16G16B16_FLOAT = array(Float, 16, "RGB");
    R16G16B16A16_FLOAT = array(Float, 16, "RGBA");

    R32_UINT = array(Uint, 32, "R");
    R32G32_UINT = array(Uint, 32, "RG");
    R32G32B32_UINT = array(Uint, 32, "RGB");
    R32G32B32A32_UINT = array(Uint, 32, "RGBA");
    R32_SINT = array(Sint, 32, "R");
    R32G32_SINT = array(Sint, 32, "RG");
    R32G32B32_SINT = array(Sint, 32, "RGB");
    R32G32B32A32_SINT = array(Sint, 32, "RGBA");
    R32_FLOAT = array(Float, 32, "R");
    R32G32_FLOAT = array(Float, 32, "RG");
    R32G32B32_FLOAT = array(Float, 32, "RGB");
    R32G32B32A32_FLOAT = array(Float, 32, "RGBA");

    B5G6R5_UNORM = packed(Unorm, "BGR", &[5, 6, 5]);
    R5G6B5_UNORM = packed(Unorm, "RGB", &[5, 6, 5]);
    A4B4G4R4_UNORM = packed(Unorm, "ABGR", &[4, 4, 4, 4]);
    B4G4R4A4_UNORM = packed(Unorm, "BGRA", &[4, 4, 4, 4]);
    R4G4B4A4_UNORM = packed(Unorm, "RGBA", &[4, 4, 4, 4]);
    A1B5G5R5_UNORM = packed(Unorm, "ABGR", &[1, 5, 5, 5]);
    A1R5G5B5_UNORM = packed(Unorm, "ARGB", &[1, 5, 5, 5]);
    B5G5R5A1_UNORM = packed(Unorm, "BGRA", &[5, 5, 5, 1]);
    R5G5B5A1_UNORM = packed(Unorm, "RGBA", &[5, 5, 5, 1]);
    R10G10B10A2_UNORM = packed(Unorm, "RGBA", &[10, 10, 10, 2]);
    B10G10R10A2_UNORM = packed(Unorm, "BGRA", &[10, 10, 10, 2]);
    R10G10B10A2_UINT = packed(Uint, "RGBA", &[10, 10, 10, 2]);
    B10G10R10A2_UINT = packed(Uint, "BGRA", &[10, 10, 10, 2]);
    R11G11B10_FLOAT = packed(Ufloat, "RGB", &[11, 11, 10]);
    R9G9B9E5_FLOAT = { let mut info = packed(SharedExp, "RGBX", &[9, 9, 9, 5]); info.vertex_only = false; info };

    Z16_UNORM = depth_stencil(2, ch(Unorm, 16, 0), ABSENT);
    Z24X8_UNORM = depth_stencil(4, ch(Unorm, 24, 8), ABSENT);
    Z24_UNORM_S8_UINT = depth_stencil(4, ch(Unorm, 24, 8), ch(Uint, 8, 0));
    Z32_FLOAT = depth_stencil(4, ch(Float, 32, 0), ABSENT);
    Z32_FLOAT_S8X24_UINT = depth_stencil(8, ch(Float, 32, 0), ch(Uint, 8, 32));
    S8_UINT = depth_stencil(1, ABSENT, ch(Uint, 8, 0));

    BC1_RGB_UNORM = block(S3tc, (4, 4), 8, Unorm, [5, 6, 5, 0]);
    BC1_RGB_SRGB = srgb(block(S3tc, (4, 4), 8, Unorm, [5, 6, 5, 0]));
    BC1_RGBA_UNORM = block(S3tc, (4, 4), 8, Unorm, [5, 6, 5, 1]);
    BC1_RGBA_SRGB = srgb(block(S3tc, (4, 4), 8, Unorm, [5, 6, 5, 1]));
    BC2_UNORM = block(S3tc, (4, 4), 16, Unorm, [5, 6, 5, 4]);
    BC2_SRGB = srgb(block(S3tc, (4, 4), 16, Unorm, [5, 6, 5, 4]));
    BC3_UNORM = block(S3tc, (4, 4), 16, Unorm, [5, 6, 5, 8]);
    BC3_SRGB = srgb(block(S3tc, (4, 4), 16, Unorm, [5, 6, 5, 8]));
    BC4_UNORM = block(Rgtc, (4, 4), 8, Unorm, [8, 0, 0, 0]);
    BC4_SNORM = block(Rgtc, (4, 4), 8, Snorm, [8, 0, 0, 0]);
    BC5_UNORM = block(Rgtc, (4, 4), 16, Unorm, [8, 8, 0, 0]);
    BC5_SNORM = block(Rgtc, (4, 4), 16, Snorm, [8, 8, 0, 0]);
    BC6H_UFLOAT = block(Bptc, (4, 4), 16, Float, [16, 16, 16, 0]);
    BC6H_SFLOAT = block(Bptc, (4, 4), 16, Float, [16, 16, 16, 0]);
    BC7_UNORM = block(Bptc, (4, 4), 16, Unorm, [8, 8, 8, 8]);
    BC7_SRGB = srgb(block(Bptc, (4, 4), 16, Unorm, [8, 8, 8, 8]));
    ETC2_RGB8_UNORM = block(Etc2, (4, 4), 8, Unorm, [8, 8, 8, 0]);
    ETC2_RGB8_SRGB = srgb(block(Etc2, (4, 4), 8, Unorm, [8, 8, 8, 0]));
    ETC2_RGB8A1_UNORM = block(Etc2, (4, 4), 8, Unorm, [8, 8, 8, 1]);
    ETC2_RGB8A1_SRGB = srgb(block(Etc2, (4, 4), 8, Unorm, [8, 8, 8, 1]));
    ETC2_RGBA8_UNORM = block(Etc2, (4, 4), 16, Unorm, [8, 8, 8, 8]);
    ETC2_RGBA8_SRGB = srgb(block(Etc2, (4, 4), 16, Unorm, [8, 8, 8, 8]));
    EAC_R11_UNORM = block(Eac, (4, 4), 8, Unorm, [11, 0, 0, 0]);
    EAC_R11_SNORM = block(Eac, (4, 4), 8, Snorm, [11, 0, 0, 0]);
    EAC_R11G11_UNORM = block(Eac, (4, 4), 16, Unorm, [11, 11, 0, 0]);
    EAC_R11G11_SNORM = block(Eac, (4, 4), 16, Snorm, [11, 11, 0, 0]);
    ASTC_4X4_UNORM = block(Astc, (4, 4), 16, Unorm, [8, 8, 8, 8]);
    ASTC_5X4_UNORM = block(Astc, (5, 4), 16, Unorm, [8, 8, 8, 8]);
    ASTC_5X5_UNORM = block(Astc, (5, 5), 16, Unorm, [8, 8, 8, 8]);
    ASTC_6X5_UNORM = block(Astc, (6, 5), 16, Unorm, [8, 8, 8, 8]);
    ASTC_6X6_UNORM = block(Astc, (6, 6), 16, Unorm, [8, 8, 8, 8]);
    ASTC_8X5_UNORM = block(Astc, (8, 5), 16, Unorm, [8, 8, 8, 8]);
    ASTC_8X6_UNORM = block(Astc, (8, 6), 16, Unorm, [8, 8, 8, 8]);
    ASTC_8X8_UNORM = block(Astc, (8, 8), 16, Unorm, [8, 8, 8, 8]);
    ASTC_10X5_UNORM = block(Astc, (10, 5), 16, Unorm, [8, 8, 8, 8]);
    ASTC_10X6_UNORM = block(Astc, (10, 6), 16, Unorm, [8, 8, 8, 8]);
    ASTC_10X8_UNORM = block(Astc, (10, 8), 16, Unorm, [8, 8, 8, 8]);
    ASTC_10X10_UNORM = block(Astc, (10, 10), 16, Unorm, [8, 8, 8, 8]);
    ASTC_12X10_UNORM = block(Astc, (12, 10), 16, Unorm, [8, 8, 8, 8]);
    ASTC_12X12_UNORM = block(Astc, (12, 12), 16, Unorm, [8, 8, 8, 8]);
    ASTC_4X4_SRGB = srgb(block(Astc, (4, 4), 16, Unorm, [8, 8, 8, 8]));
    ASTC_5X4_SRGB = srgb(block(Astc, (5, 4), 16, Unorm, [8, 8, 8, 8]));
    ASTC_5X5_SRGB = srgb(block(Astc, (5, 5), 16, Unorm, [8, 8, 8, 8]));
    ASTC_6X5_SRGB = srgb(block(Astc, (6, 5), 16, Unorm, [8, 8, 8, 8]));
    ASTC_6X6_SRGB = srgb(block(Astc, (6, 6), 16, Unorm, [8, 8, 8, 8]));
    ASTC_8X5_SRGB = srgb(block(Astc, (8, 5), 16, Unorm, [8, 8, 8, 8]));
    ASTC_8X6_SRGB = srgb(block(Astc, (8, 6), 16, Unorm, [8, 8, 8, 8]));
    ASTC_8X8_SRGB = srgb(block(Astc, (8, 8), 16, Unorm, [8, 8, 8, 8]));
    ASTC_10X5_SRGB = srgb(block(Astc, (10, 5), 16, Unorm, [8, 8, 8, 8]));
    ASTC_10X6_SRGB = srgb(block(Astc, (10, 6), 16, Unorm, [8, 8, 8, 8]));
    ASTC_10X8_SRGB = srgb(block(Astc, (10, 8), 16, Unorm, [8, 8, 8, 8]));
    ASTC_10X10_SRGB = srgb(block(Astc, (10, 10), 16, Unorm, [8, 8, 8, 8]));
    ASTC_12X10_SRGB = srgb(block(Astc, (12, 10), 16, Unorm, [8, 8, 8, 8]));
    ASTC_12X12_SRGB = srgb(block(Astc, (12, 12), 16, Unorm, [8, 8, 8, 8]));

    R8_USCALED = array(Uscaled, 8, "R");
    R8G8_USCALED = array(Uscaled, 8, "RG");
    R8G8B8_USCALED = array(Uscaled, 8, "RGB");
    R8G8B8A8_USCALED = array(Uscaled, 8, "RGBA");
    R8_SSCALED = array(Sscaled, 8, "R");
    R8G8_SSCALED = array(Sscaled, 8, "RG");
    R8G8B8_SSCALED = array(Sscaled, 8, "RGB");
    R8G8B8A8_SSCALED = array(Sscaled, 8, "RGBA");
    R16_USCALED = array(Uscaled, 16, "R");
    R16G16_USCALED = array(Uscaled, 16, "RG");
    R16G16B16_USCALED = array(Uscaled, 16, "RGB");
    R16G16B16A16_USCALED = array(Uscaled, 16, "RGBA");
    R16_SSCALED = array(Sscaled, 16, "R");
    R16G16_SSCALED = array(Sscaled, 16, "RG");
    R16G16B16_SSCALED = array(Sscaled, 16, "RGB");
    R16G16B16A16_SSCALED = array(Sscaled, 16, "RGBA");
    R32_USCALED = array(Uscaled, 32, "R");
    R32G32_USCALED = array(Uscaled, 32, "RG");
    R32G32B32_USCALED = array(Uscaled, 32, "RGB");
    R32G32B32A32_USCALED = array(Uscaled, 32, "RGBA");
    R32_SSCALED = array(Sscaled, 32, "R");
    R32G32_SSCALED = array(Sscaled, 32, "RG");
    R32G32B32_SSCALED = array(Sscaled, 32, "RGB");
    R32G32B32A32_SSCALED = array(Sscaled, 32, "RGBA");
    R32_UNORM = array(Unorm, 32, "R");
    R32G32_UNORM = array(Unorm, 32, "RG");
    R32G32B32_UNORM = array(Unorm, 32, "RGB");
    R32G32B32A32_UNORM = array(Unorm, 32, "RGBA");
    R32_SNORM = array(Snorm, 32, "R");
    R32G32_SNORM = array(Snorm, 32, "RG");
    R32G32B32_SNORM = array(Snorm, 32, "RGB");
    R32G32B32A32_SNORM = array(Snorm, 32, "RGBA");
    R32_FIXED = array(Fixed, 32, "R");
    R32G32_FIXED = array(Fixed, 32, "RG");
    R32G32B32_FIXED = array(Fixed, 32, "RGB");
    R32G32B32A32_FIXED = array(Fixed, 32, "RGBA");
    R64_FLOAT = array(Float, 64, "R");
    R64G64_FLOAT = array(Float, 64, "RG");
    R64G64B64_FLOAT = array(Float, 64, "RGB");
    R64G64B64A64_FLOAT = array(Float, 64, "RGBA");
    R10G10B10A2_SNORM = vertex(packed(Snorm, "RGBA", &[10, 10, 10, 2]));
    R10G10B10A2_USCALED = packed(Uscaled, "RGBA", &[10, 10, 10, 2]);
    R10G10B10A2_SSCALED = packed(Sscaled, "RGBA", &[10, 10, 10, 2]);
    B10G10R10A2_SNORM = vertex(packed(Snorm, "BGRA", &[10, 10, 10, 2]));
    B10G10R10A2_USCALED = packed(Uscaled, "BGRA", &[10, 10, 10, 2]);
    B10G10R10A2_SSCALED = packed(Sscaled, "BGRA", &[10, 10, 10, 2]);
    R10G10B10A2_SINT = vertex(packed(Sint, "RGBA", &[10, 10, 10, 2]));
    A4R4G4B4_UNORM = packed(Unorm, "ARGB", &[4, 4, 4, 4]);
}

const PAIRS: &[(Format, Format)] = &[
    (Format::R8_UNORM, Format::R8_SRGB),
    (Format::R8G8_UNORM, Format::R8G8_SRGB),
    (Format::R8G8B8_UNORM, Format::R8G8B8_SRGB),
    (Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB),
    (Format::B8G8R8A8_UNORM, Format::B8G8R8A8_SRGB),
    (Format::BC1_RGB_UNORM, Format::BC1_RGB_SRGB),
    (Format::BC1_RGBA_UNORM, Format::BC1_RGBA_SRGB),
    (Format::BC2_UNORM, Format::BC2_SRGB),
    (Format::BC3_UNORM, Format::BC3_SRGB),
    (Format::BC7_UNORM, Format::BC7_SRGB),
    (Format::ETC2_RGB8_UNORM, Format::ETC2_RGB8_SRGB),
    (Format::ETC2_RGB8A1_UNORM, Format::ETC2_RGB8A1_SRGB),
    (Format::ETC2_RGBA8_UNORM, Format::ETC2_RGBA8_SRGB),
];

const ASTC_SIZES: u16 = Format::ASTC_4X4_SRGB.0 - Format::ASTC_4X4_UNORM.0;

impl Format {
    /// True for every value of the table except [`Format::NONE`].
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.0 != 0 && (self.0 as usize) < TABLE.len()
    }

    /// Properties; an invalid value has those of [`Format::NONE`].
    #[must_use]
    pub fn info(self) -> &'static FormatInfo {
        TABLE.get(self.0 as usize).unwrap_or(&TABLE[0])
    }

    /// Name of the constant, `"NONE"` for an invalid value.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Bytes of one texel or block.
    #[must_use]
    pub fn block_bytes(self) -> u32 {
        u32::from(self.info().block_bytes)
    }

    /// True for block-compressed formats.
    #[must_use]
    pub fn is_compressed(self) -> bool {
        self.info().compression != Compression::None
    }

    /// True when the format has a depth or stencil aspect.
    #[must_use]
    pub fn is_depth_stencil(self) -> bool {
        self.info().aspects.intersects(Aspects::DEPTH_STENCIL)
    }

    /// True when there is a depth aspect.
    #[must_use]
    pub fn has_depth(self) -> bool {
        self.info().aspects.contains(Aspects::DEPTH)
    }

    /// True when there is a stencil aspect.
    #[must_use]
    pub fn has_stencil(self) -> bool {
        self.info().aspects.contains(Aspects::STENCIL)
    }

    /// True for sRGB-encoded colour formats.
    #[must_use]
    pub fn is_srgb(self) -> bool {
        self.info().srgb
    }

    /// Kind of the first channel present.
    #[must_use]
    pub fn kind(self) -> ChannelKind {
        self.info().channels.iter().map(|c| c.kind).find(|k| *k != ChannelKind::None).unwrap_or(ChannelKind::None)
    }

    /// True for colour formats read as unsigned or signed integers.
    #[must_use]
    pub fn is_pure_integer(self) -> bool {
        !self.is_depth_stencil() && matches!(self.kind(), ChannelKind::Uint | ChannelKind::Sint)
    }

    /// True for colour formats read as signed integers.
    #[must_use]
    pub fn is_pure_sint(self) -> bool {
        !self.is_depth_stencil() && self.kind() == ChannelKind::Sint
    }

    /// True for colour formats read as unsigned integers.
    #[must_use]
    pub fn is_pure_uint(self) -> bool {
        !self.is_depth_stencil() && self.kind() == ChannelKind::Uint
    }

    /// The same layout without sRGB decoding; itself when it is not sRGB.
    #[must_use]
    pub fn linear(self) -> Self {
        if !self.is_srgb() {
            return self;
        }
        if self.info().compression == Compression::Astc {
            return Self(self.0 - ASTC_SIZES);
        }
        PAIRS.iter().find(|p| p.1 == self).map_or(self, |p| p.0)
    }

    /// The same layout with sRGB decoding, when there is one; itself when it already is.
    #[must_use]
    pub fn srgb(self) -> Option<Self> {
        if self.is_srgb() {
            return Some(self);
        }
        if self.info().compression == Compression::Astc {
            return Some(Self(self.0 + ASTC_SIZES));
        }
        PAIRS.iter().find(|p| p.0 == self).map(|p| p.1)
    }

    /// Bytes of one row of blocks covering `width` texels.
    #[must_use]
    pub fn row_bytes(self, width: u32) -> u64 {
        let info = self.info();
        u64::from(width.div_ceil(u32::from(info.block_width.max(1)))) * u64::from(info.block_bytes)
    }

    /// Rows of blocks covering `height` texels.
    #[must_use]
    pub fn block_rows(self, height: u32) -> u32 {
        height.div_ceil(u32::from(self.info().block_height.max(1)))
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (self.0 as usize) < TABLE.len() { f.write_str(self.name()) } else { write!(f, "Format({})", self.0) }
    }
}

impl crate::pod::Validate for Format {
    fn validate(&self) -> Result<(), crate::pod::InvalidValue> {
        if *self == Format::NONE || self.is_valid() { Ok(()) } else { Err(crate::pod::InvalidValue("Format")) }
    }
    fn clamp(&mut self) {
        if self.validate().is_err() {
            *self = Format::ALL[usize::from(self.0) % Format::ALL.len()];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_agrees_with_numbering() {
        assert_eq!(Format::ALL.len(), TABLE.len());
        for (i, format) in Format::ALL.iter().enumerate() {
            assert_eq!(format.0 as usize, i);
            assert_eq!(format.is_valid(), i != 0);
        }
        assert!(!Format(u16::MAX).is_valid());
        assert_eq!(format!("{:?}", Format::R8G8B8A8_UNORM), "R8G8B8A8_UNORM");
    }

    #[test]
    fn channels_fit_and_do_not_overlap() {
        for format in Format::ALL {
            let info = format.info();
            if info.compression != Compression::None {
                continue;
            }
            let mut used = [false; 256];
            for c in info.channels.iter().filter(|c| c.kind != ChannelKind::None) {
                for bit in c.offset..c.offset.saturating_add(c.bits) {
                    assert!(!used[bit as usize], "{format:?}");
                    used[bit as usize] = true;
                    assert!(u32::from(bit) < format.block_bytes() * 8, "{format:?}");
                }
            }
        }
    }

    #[test]
    fn name_widths_add_up() {
        for format in Format::ALL.iter().filter(|f| f.is_valid() && !f.is_compressed()) {
            let sum: u32 =
                format.name().split(|c: char| !c.is_ascii_digit()).filter_map(|s| s.parse::<u32>().ok()).sum();
            assert_eq!(sum, format.block_bytes() * 8, "{format:?}");
        }
    }

    #[test]
    fn srgb_pairs_round_trip() {
        for format in Format::ALL.iter().filter(|f| f.is_srgb()) {
            let linear = format.linear();
            assert_ne!(linear, *format);
            assert_eq!(linear.srgb(), Some(*format));
            assert_eq!(linear.block_bytes(), format.block_bytes());
            assert_eq!(linear.info().channels, format.info().channels);
        }
        assert_eq!(Format::R32_FLOAT.srgb(), None);
    }

    #[test]
    fn packed_order() {
        let red = Format::B5G6R5_UNORM.info().channels[0];
        assert_eq!((red.bits, red.offset), (5, 11));
        let alpha = Format::R10G10B10A2_UNORM.info().channels[3];
        assert_eq!((alpha.bits, alpha.offset), (2, 30));
        assert_eq!(Format::B8G8R8A8_UNORM.info().channels[0].offset, 16);
        assert_eq!(Format::BC1_RGB_UNORM.row_bytes(5), 16);
        assert_eq!(Format::BC1_RGB_UNORM.block_rows(5), 2);
    }
}
