//! GL type codes of SPIR-V types.

use crate::gl_type;
use crate::reflection::SampledType;
use crate::spirv::{Dim, ImageInfo, Ty};

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
