//! Formats of image units (GL 4.6 core tables 8.26 and 8.27).

use super::internal::InternalFormat;
use crate::gl::*;
use gallite_pipe::ChannelKind;

/// The class of a format that image units may have, as GL_IMAGE_COMPATIBILITY_CLASS names it.
#[must_use]
pub fn image_class(internal: &InternalFormat) -> Option<GLenum> {
    Some(match internal.gl {
        GL_RGBA32F | GL_RGBA32UI | GL_RGBA32I => GL_IMAGE_CLASS_4_X_32,
        GL_RGBA16F | GL_RGBA16UI | GL_RGBA16I | GL_RGBA16 | GL_RGBA16_SNORM => GL_IMAGE_CLASS_4_X_16,
        GL_RG32F | GL_RG32UI | GL_RG32I => GL_IMAGE_CLASS_2_X_32,
        GL_RGBA8UI | GL_RGBA8I | GL_RGBA8 | GL_RGBA8_SNORM => GL_IMAGE_CLASS_4_X_8,
        GL_RG16F | GL_RG16UI | GL_RG16I | GL_RG16 | GL_RG16_SNORM => GL_IMAGE_CLASS_2_X_16,
        GL_R32F | GL_R32UI | GL_R32I => GL_IMAGE_CLASS_1_X_32,
        GL_RG8UI | GL_RG8I | GL_RG8 | GL_RG8_SNORM => GL_IMAGE_CLASS_2_X_8,
        GL_R16F | GL_R16UI | GL_R16I | GL_R16 | GL_R16_SNORM => GL_IMAGE_CLASS_1_X_16,
        GL_R8UI | GL_R8I | GL_R8 | GL_R8_SNORM => GL_IMAGE_CLASS_1_X_8,
        GL_R11F_G11F_B10F => GL_IMAGE_CLASS_11_11_10,
        GL_RGB10_A2 | GL_RGB10_A2UI => GL_IMAGE_CLASS_10_10_10_2,
        _ => return None,
    })
}

/// The `format` and `type` with which the texels of a format travel without conversion.
#[must_use]
pub fn pixel_pair(internal: &InternalFormat) -> (GLenum, GLenum) {
    use super::internal::Base;
    match internal.gl {
        GL_R11F_G11F_B10F => return (GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV),
        GL_RGB9_E5 => return (GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV),
        GL_RGB10_A2 => return (GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV),
        GL_RGB10_A2UI => return (GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV),
        GL_RGB565 => return (GL_RGB, GL_UNSIGNED_SHORT_5_6_5),
        GL_RGBA4 => return (GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4),
        GL_RGB5_A1 => return (GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1),
        GL_R3_G3_B2 => return (GL_RGB, GL_UNSIGNED_BYTE_3_3_2),
        _ => {}
    }
    let integer = internal.is_integer();
    let format = match (internal.base, integer) {
        (Base::Red, false) => GL_RED,
        (Base::Red, true) => GL_RED_INTEGER,
        (Base::Rg, false) => GL_RG,
        (Base::Rg, true) => GL_RG_INTEGER,
        (Base::Rgb, false) => GL_RGB,
        (Base::Rgb, true) => GL_RGB_INTEGER,
        (Base::Rgba, false) => GL_RGBA,
        (Base::Rgba, true) => GL_RGBA_INTEGER,
        (base, _) => base.gl(),
    };
    let plain = internal.candidates.iter().find(|format| !format.is_compressed());
    let channel = plain.map(|format| format.info().channels[0]);
    let kind = match (internal.base, channel.map(|c| (c.kind, c.bits))) {
        (Base::DepthStencil, Some((ChannelKind::Float, _))) => GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
        (Base::DepthStencil, _) => GL_UNSIGNED_INT_24_8,
        (Base::Stencil, _) => GL_UNSIGNED_BYTE,
        (Base::Depth, Some((ChannelKind::Float, _))) if internal.gl == GL_DEPTH_COMPONENT32F => GL_FLOAT,
        (Base::Depth, Some((_, 16))) => GL_UNSIGNED_SHORT,
        (Base::Depth, _) => GL_UNSIGNED_INT,
        (_, Some((ChannelKind::Float, 16))) => GL_HALF_FLOAT,
        (_, Some((ChannelKind::Float | ChannelKind::Ufloat | ChannelKind::SharedExp, _))) => GL_FLOAT,
        (_, Some((ChannelKind::Snorm | ChannelKind::Sint, 0..=8))) => GL_BYTE,
        (_, Some((ChannelKind::Snorm | ChannelKind::Sint, 9..=16))) => GL_SHORT,
        (_, Some((ChannelKind::Snorm | ChannelKind::Sint, _))) => GL_INT,
        (_, Some((_, 0..=8))) => GL_UNSIGNED_BYTE,
        (_, Some((_, 9..=16))) => GL_UNSIGNED_SHORT,
        _ => GL_UNSIGNED_INT,
    };
    (format, kind)
}
