//! View classes of internal formats: which formats may stand for the same texels (GL 4.6 core tables 8.22 and 18.4).

use super::internal::InternalFormat;
use crate::gl::*;
use gallite_pipe::{Compression, Format};

/// The class of an internal format, as GL_VIEW_COMPATIBILITY_CLASS names it; `None` for formats that go with
/// themselves only.
#[must_use]
pub fn view_class(internal: &InternalFormat) -> Option<GLenum> {
    Some(match internal.gl {
        GL_RGBA32F | GL_RGBA32UI | GL_RGBA32I => GL_VIEW_CLASS_128_BITS,
        GL_RGB32F | GL_RGB32UI | GL_RGB32I => GL_VIEW_CLASS_96_BITS,
        GL_RGBA16F | GL_RG32F | GL_RGBA16UI | GL_RG32UI | GL_RGBA16I | GL_RG32I | GL_RGBA16 | GL_RGBA16_SNORM => {
            GL_VIEW_CLASS_64_BITS
        }
        GL_RGB16 | GL_RGB16_SNORM | GL_RGB16F | GL_RGB16UI | GL_RGB16I => GL_VIEW_CLASS_48_BITS,
        GL_RG16F | GL_R11F_G11F_B10F | GL_R32F | GL_RGB10_A2UI | GL_RGBA8UI | GL_RG16UI | GL_R32UI | GL_RGBA8I
        | GL_RG16I | GL_R32I | GL_RGB10_A2 | GL_RGBA8 | GL_RG16 | GL_RGBA8_SNORM | GL_RG16_SNORM | GL_SRGB8_ALPHA8
        | GL_RGB9_E5 => GL_VIEW_CLASS_32_BITS,
        GL_RGB8 | GL_RGB8_SNORM | GL_SRGB8 | GL_RGB8UI | GL_RGB8I => GL_VIEW_CLASS_24_BITS,
        GL_R16F | GL_RG8UI | GL_R16UI | GL_RG8I | GL_R16I | GL_RG8 | GL_R16 | GL_RG8_SNORM | GL_R16_SNORM => {
            GL_VIEW_CLASS_16_BITS
        }
        GL_R8UI | GL_R8I | GL_R8 | GL_R8_SNORM => GL_VIEW_CLASS_8_BITS,
        GL_COMPRESSED_RED_RGTC1 | GL_COMPRESSED_SIGNED_RED_RGTC1 => GL_VIEW_CLASS_RGTC1_RED,
        GL_COMPRESSED_RG_RGTC2 | GL_COMPRESSED_SIGNED_RG_RGTC2 => GL_VIEW_CLASS_RGTC2_RG,
        GL_COMPRESSED_RGBA_BPTC_UNORM | GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM => GL_VIEW_CLASS_BPTC_UNORM,
        GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT | GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT => GL_VIEW_CLASS_BPTC_FLOAT,
        GL_COMPRESSED_RGB_S3TC_DXT1_EXT | GL_COMPRESSED_SRGB_S3TC_DXT1_EXT => GL_VIEW_CLASS_S3TC_DXT1_RGB,
        GL_COMPRESSED_RGBA_S3TC_DXT1_EXT | GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT => GL_VIEW_CLASS_S3TC_DXT1_RGBA,
        GL_COMPRESSED_RGBA_S3TC_DXT3_EXT | GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT => GL_VIEW_CLASS_S3TC_DXT3_RGBA,
        GL_COMPRESSED_RGBA_S3TC_DXT5_EXT | GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT => GL_VIEW_CLASS_S3TC_DXT5_RGBA,
        GL_COMPRESSED_RGB8_ETC2 | GL_COMPRESSED_SRGB8_ETC2 => GL_VIEW_CLASS_ETC2_RGB,
        GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 | GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2 => {
            GL_VIEW_CLASS_ETC2_RGBA
        }
        GL_COMPRESSED_RGBA8_ETC2_EAC | GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC => GL_VIEW_CLASS_ETC2_EAC_RGBA,
        GL_COMPRESSED_R11_EAC | GL_COMPRESSED_SIGNED_R11_EAC => GL_VIEW_CLASS_EAC_R11,
        GL_COMPRESSED_RG11_EAC | GL_COMPRESSED_SIGNED_RG11_EAC => GL_VIEW_CLASS_EAC_RG11,
        _ => return None,
    })
}

/// Whether a texture of one format may be viewed as another (GL 4.6 core 8.18).
#[must_use]
pub fn may_view(origin: &InternalFormat, view: &InternalFormat) -> bool {
    std::ptr::eq(origin, view) || view_class(origin).is_some_and(|class| view_class(view) == Some(class))
}

/// Whether texels of one format may be copied to another bit for bit (GL 4.6 core 18.3.3): the same class, or a
/// compressed format whose blocks have the size of the other's texels.
#[must_use]
pub fn may_copy(source: &InternalFormat, destination: &InternalFormat) -> bool {
    if may_view(source, destination) {
        return true;
    }
    let class = |internal: &InternalFormat| if internal.is_compressed() { None } else { view_class(internal) };
    // GL 4.6 core table 18.4 lists the S3TC, RGTC and BPTC families.
    let block = |internal: &InternalFormat| {
        let info = internal.candidates[0].info();
        match info.compression {
            Compression::S3tc | Compression::Rgtc | Compression::Bptc => Some(u32::from(info.block_bytes)),
            _ => None,
        }
    };
    let goes = |plain: Option<GLenum>, block: Option<u32>| {
        matches!((plain, block), (Some(GL_VIEW_CLASS_128_BITS), Some(16)) | (Some(GL_VIEW_CLASS_64_BITS), Some(8)))
    };
    goes(class(source), block(destination)) || goes(class(destination), block(source))
}

/// Whether the stored forms of two formats that [`may_copy`] have blocks of one size. A device that stores one of them
/// in a wider format cannot copy bits.
#[must_use]
pub fn same_block_size(source: Format, destination: Format) -> bool {
    source.block_bytes() == destination.block_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::internal::internal_format;

    #[test]
    fn classes() {
        let of = |gl| internal_format(gl).unwrap();
        assert!(may_view(of(GL_RGBA8), of(GL_R32F)));
        assert!(may_view(of(GL_RGB565), of(GL_RGB565)));
        assert!(!may_view(of(GL_RGB565), of(GL_R16)));
        assert!(!may_view(of(GL_DEPTH_COMPONENT32F), of(GL_R32F)));
        assert!(!may_view(of(GL_RGB8), of(GL_RGBA8)), "equally stored, yet of other classes");
        assert!(may_copy(of(GL_RG32UI), of(GL_COMPRESSED_RED_RGTC1)));
        assert!(may_copy(of(GL_COMPRESSED_RG_RGTC2), of(GL_RGBA32F)));
        assert!(!may_copy(of(GL_COMPRESSED_RG_RGTC2), of(GL_RGBA16F)));
        assert!(!may_copy(of(GL_COMPRESSED_RG_RGTC2), of(GL_COMPRESSED_RGBA_BPTC_UNORM)));
    }
}
