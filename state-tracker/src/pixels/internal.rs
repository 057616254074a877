//! GL internal formats: what each one is, which pipe formats can stand for it, and which logical component each
//! channel of the chosen one holds.

use super::convert::Source;
use crate::gl::*;
use gallite_pipe::{Channel, ChannelKind, Compression, Format, Swizzle};

/// Base internal format (GL 4.6 core table 8.11, compatibility table 8.16).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Base {
    /// Alpha only.
    Alpha,
    /// Luminance.
    Luminance,
    /// Luminance and alpha.
    LuminanceAlpha,
    /// Intensity.
    Intensity,
    /// Red.
    Red,
    /// Red, green.
    Rg,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha.
    Rgba,
    /// Depth.
    Depth,
    /// Depth and stencil.
    DepthStencil,
    /// Stencil.
    Stencil,
}

impl Base {
    /// The enum of the base internal format.
    #[must_use]
    pub fn gl(self) -> GLenum {
        match self {
            Self::Alpha => GL_ALPHA,
            Self::Luminance => GL_LUMINANCE,
            Self::LuminanceAlpha => GL_LUMINANCE_ALPHA,
            Self::Intensity => GL_INTENSITY,
            Self::Red => GL_RED,
            Self::Rg => GL_RG,
            Self::Rgb => GL_RGB,
            Self::Rgba => GL_RGBA,
            Self::Depth => GL_DEPTH_COMPONENT,
            Self::DepthStencil => GL_DEPTH_STENCIL,
            Self::Stencil => GL_STENCIL_INDEX,
        }
    }

    /// True for colours.
    #[must_use]
    pub fn is_color(self) -> bool {
        !matches!(self, Self::Depth | Self::DepthStencil | Self::Stencil)
    }

    /// True when there is a depth component.
    #[must_use]
    pub fn has_depth(self) -> bool {
        matches!(self, Self::Depth | Self::DepthStencil)
    }
}

/// Facts about an internal format that its pipe format does not tell; a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(u8);

impl Traits {
    /// Nothing of note.
    pub const NONE: Self = Self(0);
    /// No size in the name: cannot be used for immutable storage or texture buffers.
    pub const UNSIZED: Self = Self(1);
    /// Only the compatibility profile has it.
    pub const COMPATIBILITY: Self = Self(2);
    /// May be the format of a texture buffer (GL 4.6 core table 8.16).
    pub const BUFFER: Self = Self(4);
    /// Generic compressed format: stored uncompressed.
    pub const GENERIC_COMPRESSED: Self = Self(8);
    /// Never colour-renderable although its base format is.
    pub const NOT_RENDERABLE: Self = Self(16);

    /// True when every bit of `other` is set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// One internal format.
#[derive(Debug, PartialEq, Eq)]
pub struct InternalFormat {
    /// Its enum.
    pub gl: GLenum,
    /// Base internal format.
    pub base: Base,
    /// Other facts.
    pub traits: Traits,
    /// Pipe formats to store it in, best first. For a specific compressed format the first is the compressed one
    /// and the rest are what its texels are decoded to.
    pub candidates: &'static [Format],
}

impl InternalFormat {
    /// True for specific compressed formats.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.candidates[0].is_compressed()
    }

    /// True for unsized formats, those of 1.x numbers included.
    #[must_use]
    pub fn is_unsized(&self) -> bool {
        self.traits.contains(Traits::UNSIZED)
    }

    /// What kind of numbers the program asked for.
    #[must_use]
    pub fn kind(&self) -> ChannelKind {
        self.candidates[0].kind()
    }

    /// True for pure integer colours.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.candidates[0].is_pure_integer()
    }

    /// True for sRGB formats.
    #[must_use]
    pub fn is_srgb(&self) -> bool {
        self.candidates[0].is_srgb()
    }

    /// True when the specification lets a framebuffer attachment have it (GL 4.6 core 9.4).
    // GL 4.6 core 9.4: RED, RG, RGB and RGBA bases are colour-renderable except compressed and shared-exponent ones.
    #[must_use]
    pub fn is_color_renderable(&self) -> bool {
        matches!(
            self.base,
            Base::Red
                | Base::Rg
                | Base::Rgb
                | Base::Rgba
                | Base::Alpha
                | Base::Luminance
                | Base::LuminanceAlpha
                | Base::Intensity
        ) && !self.is_compressed()
            && !self.traits.contains(Traits::NOT_RENDERABLE)
    }

    /// True when a renderbuffer or attachment for depth or stencil can have it.
    #[must_use]
    pub fn is_depth_stencil(&self) -> bool {
        !self.base.is_color()
    }

    /// The stored format: the first candidate that `supported` accepts for rendering and sampling, else the first it
    /// accepts for sampling, else `None`.
    #[must_use]
    pub fn choose(&self, supported: impl Fn(Format, bool) -> bool) -> Option<Format> {
        let renderable = self.is_color_renderable() || self.is_depth_stencil();
        let find = |render: bool| self.candidates.iter().copied().find(|f| supported(*f, render));
        let rendered = if renderable { find(true) } else { None };
        rendered.or_else(|| find(false))
    }
}

/// Which slot of `(red, green, blue, alpha)` each channel of `format` stores for a base format.
#[must_use]
pub fn store_map(base: Base, format: Format) -> [Source; 4] {
    use Source::{One, Slot, Zero};
    let has_alpha = format.info().channels[3].kind != ChannelKind::None;
    let several = format.info().channels[1].kind != ChannelKind::None;
    match base {
        Base::Alpha if has_alpha => [Zero, Zero, Zero, Slot(3)],
        Base::Alpha => [Slot(3), Zero, Zero, One],
        Base::Luminance | Base::Intensity if several => {
            [Slot(0), Slot(0), Slot(0), if base == Base::Intensity { Slot(0) } else { One }]
        }
        Base::Luminance | Base::Intensity => [Slot(0), Zero, Zero, One],
        Base::LuminanceAlpha if has_alpha => [Slot(0), Slot(0), Slot(0), Slot(3)],
        Base::LuminanceAlpha => [Slot(0), Slot(3), Zero, One],
        Base::Red => [Slot(0), Zero, Zero, One],
        Base::Rg => [Slot(0), Slot(1), Zero, One],
        Base::Rgb => [Slot(0), Slot(1), Slot(2), One],
        Base::Rgba | Base::Depth | Base::DepthStencil | Base::Stencil => super::convert::IDENTITY,
    }
}

/// Where red, green, blue and alpha of a texel read back are, by channel of `format`.
// GL 4.6 compatibility table 8.27: luminance and intensity come back as red, with green and blue zero.
#[must_use]
pub fn fetch_map(base: Base, format: Format) -> [Source; 4] {
    use Source::{One, Slot, Zero};
    let has_alpha = format.info().channels[3].kind != ChannelKind::None;
    match base {
        Base::Alpha => [Zero, Zero, Zero, Slot(if has_alpha { 3 } else { 0 })],
        Base::Luminance | Base::Intensity | Base::Red => [Slot(0), Zero, Zero, One],
        Base::LuminanceAlpha => [Slot(0), Zero, Zero, Slot(if has_alpha { 3 } else { 1 })],
        Base::Rg => [Slot(0), Slot(1), Zero, One],
        Base::Rgb => [Slot(0), Slot(1), Slot(2), One],
        Base::Rgba | Base::Depth | Base::DepthStencil | Base::Stencil => super::convert::IDENTITY,
    }
}

/// Channel sources with which a shader sees the base format's `(R, G, B, A)` (GL 4.6 compatibility table 8.24).
#[must_use]
pub fn sample_swizzle(base: Base, format: Format) -> [Swizzle; 4] {
    let has_alpha = format.info().channels[3].kind != ChannelKind::None;
    let (r, g, b, a, zero, one) = (Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A, Swizzle::ZERO, Swizzle::ONE);
    match base {
        Base::Alpha => [zero, zero, zero, if has_alpha { a } else { r }],
        Base::Luminance => [r, r, r, one],
        Base::LuminanceAlpha => [r, r, r, if has_alpha { a } else { g }],
        Base::Intensity => [r, r, r, r],
        Base::Red | Base::Depth | Base::DepthStencil | Base::Stencil => [r, zero, zero, one],
        Base::Rg => [r, g, zero, one],
        Base::Rgb => [r, g, b, one],
        Base::Rgba => [r, g, b, a],
    }
}

/// The channel of `format` that holds what a size or type query of a texture or attachment names, when the base format has it.
/// `query` is `GL_TEXTURE_RED_SIZE`, ..., `GL_TEXTURE_DEPTH_SIZE`, `GL_TEXTURE_STENCIL_SIZE`.
#[must_use]
pub fn component(base: Base, format: Format, query: GLenum) -> Option<Channel> {
    let channels = &format.info().channels;
    let has_alpha = channels[3].kind != ChannelKind::None;
    let slot = match (query, base) {
        (GL_TEXTURE_RED_SIZE, Base::Red | Base::Rg | Base::Rgb | Base::Rgba) => 0,
        (GL_TEXTURE_GREEN_SIZE, Base::Rg | Base::Rgb | Base::Rgba) => 1,
        (GL_TEXTURE_BLUE_SIZE, Base::Rgb | Base::Rgba) => 2,
        (GL_TEXTURE_ALPHA_SIZE, Base::Rgba) => 3,
        (GL_TEXTURE_ALPHA_SIZE, Base::Alpha) => {
            if has_alpha {
                3
            } else {
                0
            }
        }
        (GL_TEXTURE_ALPHA_SIZE, Base::LuminanceAlpha) => {
            if has_alpha {
                3
            } else {
                1
            }
        }
        (GL_TEXTURE_LUMINANCE_SIZE, Base::Luminance | Base::LuminanceAlpha) => 0,
        (GL_TEXTURE_INTENSITY_SIZE, Base::Intensity) => 0,
        (GL_TEXTURE_DEPTH_SIZE, Base::Depth | Base::DepthStencil) => 0,
        (GL_TEXTURE_STENCIL_SIZE, Base::DepthStencil | Base::Stencil) => 1,
        _ => return None,
    };
    Some(channels[slot]).filter(|c| c.kind != ChannelKind::None)
}

/// `GL_UNSIGNED_NORMALIZED` and the like for a channel.
#[must_use]
pub fn component_type(channel: Channel) -> GLenum {
    match channel.kind {
        ChannelKind::Unorm => GL_UNSIGNED_NORMALIZED,
        ChannelKind::Snorm => GL_SIGNED_NORMALIZED,
        ChannelKind::Uint => GL_UNSIGNED_INT,
        ChannelKind::Sint => GL_INT,
        ChannelKind::Float | ChannelKind::Ufloat | ChannelKind::SharedExp => GL_FLOAT,
        _ => GL_NONE,
    }
}

/// The internal format of an enum, whatever the profile.
#[must_use]
pub fn internal_format(gl: GLenum) -> Option<&'static InternalFormat> {
    TABLE.iter().find(|f| f.gl == gl)
}

/// The same, without compatibility formats unless `compatibility`.
#[must_use]
pub fn internal_format_for(gl: GLenum, compatibility: bool) -> Option<&'static InternalFormat> {
    internal_format(gl).filter(|f| compatibility || !f.traits.contains(Traits::COMPATIBILITY))
}

/// Every internal format.
#[must_use]
pub fn all() -> &'static [InternalFormat] {
    TABLE
}

const SIZED: Traits = Traits::NONE;
const UNSIZED: Traits = Traits::UNSIZED;
const BUFFER: Traits = Traits::BUFFER;
const COMPAT: Traits = Traits::COMPATIBILITY;
const COMPAT_BUFFER: Traits = COMPAT.and(BUFFER);
const COMPAT_UNSIZED: Traits = COMPAT.and(UNSIZED);
const GENERIC: Traits = UNSIZED.and(Traits::GENERIC_COMPRESSED);
const COMPAT_GENERIC: Traits = GENERIC.and(COMPAT);
const READ_ONLY: Traits = Traits::NOT_RENDERABLE;

macro_rules! table {
    ($($gl:ident $base:ident $traits:ident [$($format:ident)+];)*) => {
        static TABLE: &[InternalFormat] = &[$(InternalFormat {
            gl: $gl,
            base: Base::$base,
            traits: $traits,
            candidates: &[$(Format::$format),+],
        }),*];
    };
}

table! {
    // Unsized (GL 4.6 core table 8.11).
    GL_RED Red UNSIZED [R8_UNORM];
    GL_RG Rg UNSIZED [R8G8_UNORM];
    GL_RGB Rgb UNSIZED [R8G8B8A8_UNORM];
    GL_RGBA Rgba UNSIZED [R8G8B8A8_UNORM];
    GL_BGRA Rgba UNSIZED [B8G8R8A8_UNORM R8G8B8A8_UNORM];
    GL_DEPTH_COMPONENT Depth UNSIZED [Z24X8_UNORM Z32_FLOAT Z24_UNORM_S8_UINT Z16_UNORM];
    GL_DEPTH_STENCIL DepthStencil UNSIZED [Z24_UNORM_S8_UINT Z32_FLOAT_S8X24_UINT];
    GL_STENCIL_INDEX Stencil UNSIZED [S8_UINT];
    GL_SRGB Rgb UNSIZED [R8G8B8A8_SRGB];
    GL_SRGB_ALPHA Rgba UNSIZED [R8G8B8A8_SRGB];
    // EXT_texture_snorm.
    GL_RED_SNORM Red UNSIZED [R8_SNORM R16_FLOAT];
    GL_RG_SNORM Rg UNSIZED [R8G8_SNORM R16G16_FLOAT];
    GL_RGB_SNORM Rgb UNSIZED [R8G8B8A8_SNORM R16G16B16A16_FLOAT];
    GL_RGBA_SNORM Rgba UNSIZED [R8G8B8A8_SNORM R16G16B16A16_FLOAT];
    GL_COMPRESSED_RED Red GENERIC [R8_UNORM];
    GL_COMPRESSED_RG Rg GENERIC [R8G8_UNORM];
    GL_COMPRESSED_RGB Rgb GENERIC [R8G8B8A8_UNORM];
    GL_COMPRESSED_RGBA Rgba GENERIC [R8G8B8A8_UNORM];
    GL_COMPRESSED_SRGB Rgb GENERIC [R8G8B8A8_SRGB];
    GL_COMPRESSED_SRGB_ALPHA Rgba GENERIC [R8G8B8A8_SRGB];

    // Sized colour formats (GL 4.6 core table 8.12).
    GL_R8 Red BUFFER [R8_UNORM];
    GL_R8_SNORM Red SIZED [R8_SNORM R16_FLOAT];
    GL_R16 Red BUFFER [R16_UNORM R32_FLOAT];
    GL_R16_SNORM Red SIZED [R16_SNORM R32_FLOAT];
    GL_RG8 Rg BUFFER [R8G8_UNORM];
    GL_RG8_SNORM Rg SIZED [R8G8_SNORM R16G16_FLOAT];
    GL_RG16 Rg BUFFER [R16G16_UNORM R32G32_FLOAT];
    GL_RG16_SNORM Rg SIZED [R16G16_SNORM R32G32_FLOAT];
    GL_R3_G3_B2 Rgb SIZED [B5G6R5_UNORM R8G8B8A8_UNORM];
    GL_RGB4 Rgb SIZED [B5G6R5_UNORM R8G8B8A8_UNORM];
    GL_RGB5 Rgb SIZED [B5G6R5_UNORM R8G8B8A8_UNORM];
    GL_RGB565 Rgb SIZED [B5G6R5_UNORM R8G8B8A8_UNORM];
    GL_RGB8 Rgb SIZED [R8G8B8A8_UNORM];
    GL_RGB8_SNORM Rgb SIZED [R8G8B8A8_SNORM R16G16B16A16_FLOAT];
    GL_RGB10 Rgb SIZED [R10G10B10A2_UNORM R16G16B16A16_UNORM];
    GL_RGB12 Rgb SIZED [R16G16B16A16_UNORM R32G32B32A32_FLOAT];
    GL_RGB16 Rgb SIZED [R16G16B16A16_UNORM R32G32B32A32_FLOAT];
    GL_RGB16_SNORM Rgb SIZED [R16G16B16A16_SNORM R32G32B32A32_FLOAT];
    GL_RGBA2 Rgba SIZED [A4B4G4R4_UNORM A4R4G4B4_UNORM R8G8B8A8_UNORM];
    GL_RGBA4 Rgba SIZED [A4B4G4R4_UNORM A4R4G4B4_UNORM R8G8B8A8_UNORM];
    GL_RGB5_A1 Rgba SIZED [A1B5G5R5_UNORM B5G5R5A1_UNORM R8G8B8A8_UNORM];
    GL_RGBA8 Rgba BUFFER [R8G8B8A8_UNORM];
    GL_RGBA8_SNORM Rgba SIZED [R8G8B8A8_SNORM R16G16B16A16_FLOAT];
    GL_RGB10_A2 Rgba SIZED [R10G10B10A2_UNORM R16G16B16A16_UNORM];
    GL_RGB10_A2UI Rgba SIZED [R10G10B10A2_UINT R16G16B16A16_UINT];
    GL_RGBA12 Rgba SIZED [R16G16B16A16_UNORM R32G32B32A32_FLOAT];
    GL_RGBA16 Rgba BUFFER [R16G16B16A16_UNORM R32G32B32A32_FLOAT];
    GL_RGBA16_SNORM Rgba SIZED [R16G16B16A16_SNORM R32G32B32A32_FLOAT];
    GL_SRGB8 Rgb SIZED [R8G8B8A8_SRGB];
    GL_SRGB8_ALPHA8 Rgba SIZED [R8G8B8A8_SRGB];
    GL_SR8_EXT Red READ_ONLY [R8_SRGB R8G8B8A8_SRGB];
    GL_R16F Red BUFFER [R16_FLOAT];
    GL_RG16F Rg BUFFER [R16G16_FLOAT];
    GL_RGB16F Rgb SIZED [R16G16B16A16_FLOAT];
    GL_RGBA16F Rgba BUFFER [R16G16B16A16_FLOAT];
    GL_R32F Red BUFFER [R32_FLOAT];
    GL_RG32F Rg BUFFER [R32G32_FLOAT];
    GL_RGB32F Rgb BUFFER [R32G32B32A32_FLOAT];
    GL_RGBA32F Rgba BUFFER [R32G32B32A32_FLOAT];
    GL_R11F_G11F_B10F Rgb SIZED [R11G11B10_FLOAT R16G16B16A16_FLOAT];
    GL_RGB9_E5 Rgb READ_ONLY [R9G9B9E5_FLOAT R16G16B16A16_FLOAT];
    GL_R8I Red BUFFER [R8_SINT];
    GL_R8UI Red BUFFER [R8_UINT];
    GL_R16I Red BUFFER [R16_SINT];
    GL_R16UI Red BUFFER [R16_UINT];
    GL_R32I Red BUFFER [R32_SINT];
    GL_R32UI Red BUFFER [R32_UINT];
    GL_RG8I Rg BUFFER [R8G8_SINT];
    GL_RG8UI Rg BUFFER [R8G8_UINT];
    GL_RG16I Rg BUFFER [R16G16_SINT];
    GL_RG16UI Rg BUFFER [R16G16_UINT];
    GL_RG32I Rg BUFFER [R32G32_SINT];
    GL_RG32UI Rg BUFFER [R32G32_UINT];
    GL_RGB8I Rgb SIZED [R8G8B8A8_SINT];
    GL_RGB8UI Rgb SIZED [R8G8B8A8_UINT];
    GL_RGB16I Rgb SIZED [R16G16B16A16_SINT];
    GL_RGB16UI Rgb SIZED [R16G16B16A16_UINT];
    GL_RGB32I Rgb BUFFER [R32G32B32A32_SINT];
    GL_RGB32UI Rgb BUFFER [R32G32B32A32_UINT];
    GL_RGBA8I Rgba BUFFER [R8G8B8A8_SINT];
    GL_RGBA8UI Rgba BUFFER [R8G8B8A8_UINT];
    GL_RGBA16I Rgba BUFFER [R16G16B16A16_SINT];
    GL_RGBA16UI Rgba BUFFER [R16G16B16A16_UINT];
    GL_RGBA32I Rgba BUFFER [R32G32B32A32_SINT];
    GL_RGBA32UI Rgba BUFFER [R32G32B32A32_UINT];

    // Depth and stencil (GL 4.6 core table 8.13).
    GL_DEPTH_COMPONENT16 Depth SIZED [Z16_UNORM Z24X8_UNORM Z32_FLOAT];
    GL_DEPTH_COMPONENT24 Depth SIZED [Z24X8_UNORM Z24_UNORM_S8_UINT Z32_FLOAT];
    GL_DEPTH_COMPONENT32 Depth SIZED [Z32_FLOAT Z24X8_UNORM];
    GL_DEPTH_COMPONENT32F Depth SIZED [Z32_FLOAT];
    GL_DEPTH24_STENCIL8 DepthStencil SIZED [Z24_UNORM_S8_UINT Z32_FLOAT_S8X24_UINT];
    GL_DEPTH32F_STENCIL8 DepthStencil SIZED [Z32_FLOAT_S8X24_UINT];
    GL_STENCIL_INDEX1 Stencil SIZED [S8_UINT Z24_UNORM_S8_UINT Z32_FLOAT_S8X24_UINT];
    GL_STENCIL_INDEX4 Stencil SIZED [S8_UINT Z24_UNORM_S8_UINT Z32_FLOAT_S8X24_UINT];
    GL_STENCIL_INDEX8 Stencil SIZED [S8_UINT Z24_UNORM_S8_UINT Z32_FLOAT_S8X24_UINT];
    GL_STENCIL_INDEX16 Stencil SIZED [S8_UINT Z24_UNORM_S8_UINT Z32_FLOAT_S8X24_UINT];

    // Specific compressed formats (GL 4.6 core table 8.14).
    GL_COMPRESSED_RED_RGTC1 Red SIZED [BC4_UNORM R8_UNORM];
    GL_COMPRESSED_SIGNED_RED_RGTC1 Red SIZED [BC4_SNORM R8_SNORM R16_FLOAT];
    GL_COMPRESSED_RG_RGTC2 Rg SIZED [BC5_UNORM R8G8_UNORM];
    GL_COMPRESSED_SIGNED_RG_RGTC2 Rg SIZED [BC5_SNORM R8G8_SNORM R16G16_FLOAT];
    GL_COMPRESSED_RGBA_BPTC_UNORM Rgba SIZED [BC7_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM Rgba SIZED [BC7_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT Rgb SIZED [BC6H_SFLOAT R16G16B16A16_FLOAT];
    GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT Rgb SIZED [BC6H_UFLOAT R16G16B16A16_FLOAT];
    GL_COMPRESSED_RGB_S3TC_DXT1_EXT Rgb SIZED [BC1_RGB_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_RGBA_S3TC_DXT1_EXT Rgba SIZED [BC1_RGBA_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_RGBA_S3TC_DXT3_EXT Rgba SIZED [BC2_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_RGBA_S3TC_DXT5_EXT Rgba SIZED [BC3_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_SRGB_S3TC_DXT1_EXT Rgb SIZED [BC1_RGB_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT Rgba SIZED [BC1_RGBA_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT Rgba SIZED [BC2_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT Rgba SIZED [BC3_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_RGB8_ETC2 Rgb SIZED [ETC2_RGB8_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_SRGB8_ETC2 Rgb SIZED [ETC2_RGB8_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 Rgba SIZED [ETC2_RGB8A1_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2 Rgba SIZED [ETC2_RGB8A1_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_RGBA8_ETC2_EAC Rgba SIZED [ETC2_RGBA8_UNORM R8G8B8A8_UNORM];
    GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC Rgba SIZED [ETC2_RGBA8_SRGB R8G8B8A8_SRGB];
    GL_COMPRESSED_R11_EAC Red SIZED [EAC_R11_UNORM R16_UNORM R32_FLOAT];
    GL_COMPRESSED_SIGNED_R11_EAC Red SIZED [EAC_R11_SNORM R16_SNORM R32_FLOAT];
    GL_COMPRESSED_RG11_EAC Rg SIZED [EAC_R11G11_UNORM R16G16_UNORM R32G32_FLOAT];
    GL_COMPRESSED_SIGNED_RG11_EAC Rg SIZED [EAC_R11G11_SNORM R16G16_SNORM R32G32_FLOAT];

    // Compatibility formats (GL 4.6 compatibility tables 8.16-8.18 and the extensions that sized them).
    GL_ALPHA Alpha COMPAT_UNSIZED [R8_UNORM];
    GL_LUMINANCE Luminance COMPAT_UNSIZED [R8_UNORM];
    GL_LUMINANCE_ALPHA LuminanceAlpha COMPAT_UNSIZED [R8G8_UNORM];
    GL_INTENSITY Intensity COMPAT_UNSIZED [R8_UNORM];
    GL_SLUMINANCE Luminance COMPAT_UNSIZED [R8G8B8A8_SRGB];
    GL_SLUMINANCE_ALPHA LuminanceAlpha COMPAT_UNSIZED [R8G8B8A8_SRGB];
    GL_COMPRESSED_ALPHA Alpha COMPAT_GENERIC [R8_UNORM];
    GL_COMPRESSED_LUMINANCE Luminance COMPAT_GENERIC [R8_UNORM];
    GL_COMPRESSED_LUMINANCE_ALPHA LuminanceAlpha COMPAT_GENERIC [R8G8_UNORM];
    GL_COMPRESSED_INTENSITY Intensity COMPAT_GENERIC [R8_UNORM];
    GL_COMPRESSED_SLUMINANCE Luminance COMPAT_GENERIC [R8G8B8A8_SRGB];
    GL_COMPRESSED_SLUMINANCE_ALPHA LuminanceAlpha COMPAT_GENERIC [R8G8B8A8_SRGB];
    GL_ALPHA4 Alpha COMPAT [R8_UNORM];
    GL_ALPHA8 Alpha COMPAT_BUFFER [R8_UNORM];
    GL_ALPHA12 Alpha COMPAT [R16_UNORM R32_FLOAT];
    GL_ALPHA16 Alpha COMPAT_BUFFER [R16_UNORM R32_FLOAT];
    GL_LUMINANCE4 Luminance COMPAT [R8_UNORM];
    GL_LUMINANCE8 Luminance COMPAT_BUFFER [R8_UNORM];
    GL_LUMINANCE12 Luminance COMPAT [R16_UNORM R32_FLOAT];
    GL_LUMINANCE16 Luminance COMPAT_BUFFER [R16_UNORM R32_FLOAT];
    GL_LUMINANCE4_ALPHA4 LuminanceAlpha COMPAT [R8G8_UNORM];
    GL_LUMINANCE6_ALPHA2 LuminanceAlpha COMPAT [R8G8_UNORM];
    GL_LUMINANCE8_ALPHA8 LuminanceAlpha COMPAT_BUFFER [R8G8_UNORM];
    GL_LUMINANCE12_ALPHA4 LuminanceAlpha COMPAT [R16G16_UNORM R32G32_FLOAT];
    GL_LUMINANCE12_ALPHA12 LuminanceAlpha COMPAT [R16G16_UNORM R32G32_FLOAT];
    GL_LUMINANCE16_ALPHA16 LuminanceAlpha COMPAT_BUFFER [R16G16_UNORM R32G32_FLOAT];
    GL_INTENSITY4 Intensity COMPAT [R8_UNORM];
    GL_INTENSITY8 Intensity COMPAT_BUFFER [R8_UNORM];
    GL_INTENSITY12 Intensity COMPAT [R16_UNORM R32_FLOAT];
    GL_INTENSITY16 Intensity COMPAT_BUFFER [R16_UNORM R32_FLOAT];
    GL_SLUMINANCE8 Luminance COMPAT [R8G8B8A8_SRGB];
    GL_SLUMINANCE8_ALPHA8 LuminanceAlpha COMPAT [R8G8B8A8_SRGB];
    GL_ALPHA_SNORM Alpha COMPAT_UNSIZED [R8_SNORM R16_FLOAT];
    GL_LUMINANCE_SNORM Luminance COMPAT_UNSIZED [R8_SNORM R16_FLOAT];
    GL_LUMINANCE_ALPHA_SNORM LuminanceAlpha COMPAT_UNSIZED [R8G8_SNORM R16G16_FLOAT];
    GL_INTENSITY_SNORM Intensity COMPAT_UNSIZED [R8_SNORM R16_FLOAT];
    GL_ALPHA8_SNORM Alpha COMPAT [R8_SNORM R16_FLOAT];
    GL_LUMINANCE8_SNORM Luminance COMPAT [R8_SNORM R16_FLOAT];
    GL_LUMINANCE8_ALPHA8_SNORM LuminanceAlpha COMPAT [R8G8_SNORM R16G16_FLOAT];
    GL_INTENSITY8_SNORM Intensity COMPAT [R8_SNORM R16_FLOAT];
    GL_ALPHA16_SNORM Alpha COMPAT [R16_SNORM R32_FLOAT];
    GL_LUMINANCE16_SNORM Luminance COMPAT [R16_SNORM R32_FLOAT];
    GL_LUMINANCE16_ALPHA16_SNORM LuminanceAlpha COMPAT [R16G16_SNORM R32G32_FLOAT];
    GL_INTENSITY16_SNORM Intensity COMPAT [R16_SNORM R32_FLOAT];
    GL_ALPHA16F_ARB Alpha COMPAT_BUFFER [R16_FLOAT];
    GL_ALPHA32F_ARB Alpha COMPAT_BUFFER [R32_FLOAT];
    GL_LUMINANCE16F_ARB Luminance COMPAT_BUFFER [R16_FLOAT];
    GL_LUMINANCE32F_ARB Luminance COMPAT_BUFFER [R32_FLOAT];
    GL_LUMINANCE_ALPHA16F_ARB LuminanceAlpha COMPAT_BUFFER [R16G16_FLOAT];
    GL_LUMINANCE_ALPHA32F_ARB LuminanceAlpha COMPAT_BUFFER [R32G32_FLOAT];
    GL_INTENSITY16F_ARB Intensity COMPAT_BUFFER [R16_FLOAT];
    GL_INTENSITY32F_ARB Intensity COMPAT_BUFFER [R32_FLOAT];
    GL_ALPHA8I_EXT Alpha COMPAT_BUFFER [R8_SINT];
    GL_ALPHA8UI_EXT Alpha COMPAT_BUFFER [R8_UINT];
    GL_ALPHA16I_EXT Alpha COMPAT_BUFFER [R16_SINT];
    GL_ALPHA16UI_EXT Alpha COMPAT_BUFFER [R16_UINT];
    GL_ALPHA32I_EXT Alpha COMPAT_BUFFER [R32_SINT];
    GL_ALPHA32UI_EXT Alpha COMPAT_BUFFER [R32_UINT];
    GL_LUMINANCE8I_EXT Luminance COMPAT_BUFFER [R8_SINT];
    GL_LUMINANCE8UI_EXT Luminance COMPAT_BUFFER [R8_UINT];
    GL_LUMINANCE16I_EXT Luminance COMPAT_BUFFER [R16_SINT];
    GL_LUMINANCE16UI_EXT Luminance COMPAT_BUFFER [R16_UINT];
    GL_LUMINANCE32I_EXT Luminance COMPAT_BUFFER [R32_SINT];
    GL_LUMINANCE32UI_EXT Luminance COMPAT_BUFFER [R32_UINT];
    GL_LUMINANCE_ALPHA8I_EXT LuminanceAlpha COMPAT_BUFFER [R8G8_SINT];
    GL_LUMINANCE_ALPHA8UI_EXT LuminanceAlpha COMPAT_BUFFER [R8G8_UINT];
    GL_LUMINANCE_ALPHA16I_EXT LuminanceAlpha COMPAT_BUFFER [R16G16_SINT];
    GL_LUMINANCE_ALPHA16UI_EXT LuminanceAlpha COMPAT_BUFFER [R16G16_UINT];
    GL_LUMINANCE_ALPHA32I_EXT LuminanceAlpha COMPAT_BUFFER [R32G32_SINT];
    GL_LUMINANCE_ALPHA32UI_EXT LuminanceAlpha COMPAT_BUFFER [R32G32_UINT];
    GL_INTENSITY8I_EXT Intensity COMPAT_BUFFER [R8_SINT];
    GL_INTENSITY8UI_EXT Intensity COMPAT_BUFFER [R8_UINT];
    GL_INTENSITY16I_EXT Intensity COMPAT_BUFFER [R16_SINT];
    GL_INTENSITY16UI_EXT Intensity COMPAT_BUFFER [R16_UINT];
    GL_INTENSITY32I_EXT Intensity COMPAT_BUFFER [R32_SINT];
    GL_INTENSITY32UI_EXT Intensity COMPAT_BUFFER [R32_UINT];
}

/// The pipe format of a texture buffer with this internal format: three-component formats have no padding there.
#[must_use]
pub fn buffer_format(internal: &InternalFormat) -> Option<Format> {
    if !internal.traits.contains(Traits::BUFFER) {
        return None;
    }
    Some(match internal.gl {
        GL_RGB32F => Format::R32G32B32_FLOAT,
        GL_RGB32I => Format::R32G32B32_SINT,
        GL_RGB32UI => Format::R32G32B32_UINT,
        _ => internal.candidates[0],
    })
}

/// True when compressed images of this family may be 3D or rectangle textures: none may be; 2D, arrays and cubes only,
/// except BPTC, which also allows 3D.
// GL 4.6 core table 8.14 and 8.7.
#[must_use]
pub fn compressed_allows_3d(format: Format) -> bool {
    format.info().compression == Compression::Bptc
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_enum_is_listed_once_and_consistently() {
        let mut seen = HashSet::new();
        for f in all() {
            assert!(seen.insert(f.gl), "0x{:X}", f.gl);
            for candidate in f.candidates {
                assert_eq!(candidate.is_depth_stencil(), !f.base.is_color(), "0x{:X}", f.gl);
                assert_eq!(candidate.is_pure_integer(), f.is_integer(), "0x{:X}", f.gl);
                assert!(!candidate.info().vertex_only);
            }
            assert!(!f.candidates.last().is_some_and(|c| c.is_compressed()), "0x{:X} needs a decoded form", f.gl);
        }
    }

    /// Writing through the store map and reading through the sampling swizzle gives the base format's texel.
    #[test]
    fn store_and_sample_agree() {
        for f in all().iter().filter(|f| f.base.is_color()) {
            for format in f.candidates.iter().filter(|c| !c.is_compressed()) {
                let rgba = [2, 3, 4, 5];
                let value = |s: &Source| match s {
                    Source::Slot(i) => rgba[usize::from(*i)],
                    Source::One => 1,
                    _ => 0,
                };
                let stored = store_map(f.base, *format);
                let stored: Vec<i32> = stored.iter().map(value).collect();
                let sampled = sample_swizzle(f.base, *format).map(|s| match s {
                    Swizzle::ZERO => 0,
                    Swizzle::ONE => 1,
                    other => stored[usize::from(other.0)],
                });
                let want = match f.base {
                    Base::Alpha => [0, 0, 0, 5],
                    Base::Luminance => [2, 2, 2, 1],
                    Base::LuminanceAlpha => [2, 2, 2, 5],
                    Base::Intensity => [2, 2, 2, 2],
                    Base::Red => [2, 0, 0, 1],
                    Base::Rg => [2, 3, 0, 1],
                    Base::Rgb => [2, 3, 4, 1],
                    _ => [2, 3, 4, 5],
                };
                assert_eq!(sampled, want, "0x{:X} {format:?}", f.gl);
            }
        }
    }

    #[test]
    fn choice_prefers_renderable() {
        let rgb5 = internal_format(GL_RGB5).unwrap();
        assert_eq!(
            rgb5.choose(|f, render| f == Format::B5G6R5_UNORM && !render || f == Format::R8G8B8A8_UNORM),
            Some(Format::R8G8B8A8_UNORM)
        );
        assert_eq!(rgb5.choose(|f, _| f == Format::B5G6R5_UNORM), Some(Format::B5G6R5_UNORM));
        assert_eq!(rgb5.choose(|_, _| false), None);
    }

    #[test]
    fn sizes() {
        let c = component(Base::Rgb, Format::R8G8B8A8_UNORM, GL_TEXTURE_ALPHA_SIZE);
        assert!(c.is_none());
        let c = component(Base::LuminanceAlpha, Format::R8G8_UNORM, GL_TEXTURE_ALPHA_SIZE).unwrap();
        assert_eq!((c.bits, component_type(c)), (8, GL_UNSIGNED_NORMALIZED));
    }
}
