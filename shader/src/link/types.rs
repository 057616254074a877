//! GL type codes of SPIR-V types.

use crate::gl_type;
use crate::reflection::SampledType;
use crate::spirv::{Dim, ImageInfo, Ty};

/// GL code of an image.
pub(crate) fn image_code(info: &ImageInfo) -> u32 {
    use gl_type::*;
    let float = match (info.dim, info.arrayed, info.multisampled) {
        (Dim::Dim1D, false, _) => IMAGE_1D,
        (Dim::Dim1D, true, _) => IMAGE_1D_ARRAY,
        (Dim::Dim3D, ..) => IMAGE_3D,
        (Dim::DimCube, false, _) => IMAGE_CUBE,
        (Dim::DimCube, true, _) => IMAGE_CUBE_MAP_ARRAY,
        (Dim::DimRect, ..) => IMAGE_2D_RECT,
        (Dim::DimBuffer, ..) => IMAGE_BUFFER,
        (_, false, true) => IMAGE_2D_MULTISAMPLE,
        (_, true, true) => IMAGE_2D_MULTISAMPLE_ARRAY,
        (_, true, false) => IMAGE_2D_ARRAY,
        (_, false, false) => IMAGE_2D,
    };
    match info.sampled {
        SampledType::Float => float,
        SampledType::Int => float - IMAGE_1D + INT_IMAGE_1D,
        SampledType::Uint => float - IMAGE_1D + UNSIGNED_INT_IMAGE_1D,
    }
}

/// GL code of a sampler or image.
pub(crate) fn opaque_code(info: &ImageInfo) -> u32 {
    if info.storage { image_code(info) } else { sampler_code(info) }
}

/// GL code of a sampler.
pub(crate) fn sampler_code(info: &ImageInfo) -> u32 {
    use gl_type::*;
    if info.depth {
        return match (info.dim, info.arrayed) {
            (Dim::Dim1D, false) => SAMPLER_1D_SHADOW,
            (Dim::Dim1D, true) => SAMPLER_1D_ARRAY_SHADOW,
            (Dim::DimRect, _) => SAMPLER_2D_RECT_SHADOW,
            (Dim::DimCube, false) => SAMPLER_CUBE_SHADOW,
            (Dim::DimCube, true) => SAMPLER_CUBE_MAP_ARRAY_SHADOW,
            (_, false) => SAMPLER_2D_SHADOW,
            (_, true) => SAMPLER_2D_ARRAY_SHADOW,
        };
    }
    let codes = match (info.dim, info.arrayed, info.multisampled) {
        (Dim::Dim1D, false, _) => [SAMPLER_1D, INT_SAMPLER_1D, UNSIGNED_INT_SAMPLER_1D],
        (Dim::Dim1D, true, _) => [SAMPLER_1D_ARRAY, INT_SAMPLER_1D_ARRAY, UNSIGNED_INT_SAMPLER_1D_ARRAY],
        (Dim::Dim3D, ..) => [SAMPLER_3D, INT_SAMPLER_3D, UNSIGNED_INT_SAMPLER_3D],
        (Dim::DimCube, false, _) => [SAMPLER_CUBE, INT_SAMPLER_CUBE, UNSIGNED_INT_SAMPLER_CUBE],
        (Dim::DimCube, true, _) => {
            [SAMPLER_CUBE_MAP_ARRAY, INT_SAMPLER_CUBE_MAP_ARRAY, UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY]
        }
        (Dim::DimRect, ..) => [SAMPLER_2D_RECT, INT_SAMPLER_2D_RECT, UNSIGNED_INT_SAMPLER_2D_RECT],
        (Dim::DimBuffer, ..) => [SAMPLER_BUFFER, INT_SAMPLER_BUFFER, UNSIGNED_INT_SAMPLER_BUFFER],
        (_, false, true) => [SAMPLER_2D_MULTISAMPLE, INT_SAMPLER_2D_MULTISAMPLE, UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE],
        (_, true, true) => {
            [SAMPLER_2D_MULTISAMPLE_ARRAY, INT_SAMPLER_2D_MULTISAMPLE_ARRAY, UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY]
        }
        (_, true, false) => [SAMPLER_2D_ARRAY, INT_SAMPLER_2D_ARRAY, UNSIGNED_INT_SAMPLER_2D_ARRAY],
        (_, false, false) => [SAMPLER_2D, INT_SAMPLER_2D, UNSIGNED_INT_SAMPLER_2D],
    };
    match info.sampled {
        SampledType::Float => codes[0],
        SampledType::Int => codes[1],
        SampledType::Uint => codes[2],
    }
}

/// The set of `slots` locations from `location` on, as far as 64 bits hold it.
pub(crate) fn location_bits(location: u32, slots: u32) -> u64 {
    let ones = if slots >= 64 { u64::MAX } else { (1u64 << slots) - 1 };
    ones.checked_shl(location).unwrap_or(0)
}

/// GL code and array size (1 when not an array) of an interface variable's type; `None` for structs.
pub(crate) fn basic_code(ty: &Ty) -> Option<(u32, u32)> {
    match ty {
        Ty::Basic(s) => Some((s.code(), 1)),
        Ty::Array(t, n) => match &**t {
            Ty::Basic(s) => Some((s.code(), *n)),
            _ => None,
        },
        _ => None,
    }
}

/// GL internal format of a SPIR-V image format; 0 for none.
pub(crate) fn image_format(format: u32) -> u32 {
    use spirv::ImageFormat::*;
    match spirv::ImageFormat::from_u32(format) {
        Some(Rgba32f) => 0x8814,
        Some(Rgba16f) => 0x881A,
        Some(R32f) => 0x822E,
        Some(Rgba8) => 0x8058,
        Some(Rgba8Snorm) => 0x8F97,
        Some(Rg32f) => 0x8230,
        Some(Rg16f) => 0x822F,
        Some(R11fG11fB10f) => 0x8C3A,
        Some(R16f) => 0x822D,
        Some(Rgba16) => 0x805B,
        Some(Rgb10A2) => 0x8059,
        Some(Rg16) => 0x822C,
        Some(Rg8) => 0x822B,
        Some(R16) => 0x822A,
        Some(R8) => 0x8229,
        Some(Rgba16Snorm) => 0x8F9B,
        Some(Rg16Snorm) => 0x8F99,
        Some(Rg8Snorm) => 0x8F95,
        Some(R16Snorm) => 0x8F98,
        Some(R8Snorm) => 0x8F94,
        Some(Rgba32i) => 0x8D82,
        Some(Rgba16i) => 0x8D88,
        Some(Rgba8i) => 0x8D8E,
        Some(R32i) => 0x8235,
        Some(Rg32i) => 0x823B,
        Some(Rg16i) => 0x8239,
        Some(Rg8i) => 0x8237,
        Some(R16i) => 0x8233,
        Some(R8i) => 0x8231,
        Some(Rgba32ui) => 0x8D70,
        Some(Rgba16ui) => 0x8D76,
        Some(Rgba8ui) => 0x8D7C,
        Some(R32ui) => 0x8236,
        Some(Rgb10a2ui) => 0x906F,
        Some(Rg32ui) => 0x823C,
        Some(Rg16ui) => 0x823A,
        Some(Rg8ui) => 0x8238,
        Some(R16ui) => 0x8234,
        Some(R8ui) => 0x8232,
        _ => 0,
    }
}
