//! From GL's enums to the pipe interface's, for the state both have. `None` is an enum GL doesn't know there.

use gallite_pipe::{BlendFactor, BlendOp, CompareFunc, LogicOp, PolygonMode, StencilOp};

use crate::gl::*;

/// Depth, stencil and texture comparison.
pub fn compare_func(value: GLenum) -> Option<CompareFunc> {
    // GL_NEVER to GL_ALWAYS have consecutive values in the order of the interface.
    matches!(value, GL_NEVER..=GL_ALWAYS).then(|| CompareFunc((value - GL_NEVER) as u8))
}

/// Blend factor.
pub fn blend_factor(value: GLenum) -> Option<BlendFactor> {
    Some(match value {
        GL_ZERO => BlendFactor::ZERO,
        GL_ONE => BlendFactor::ONE,
        GL_SRC_COLOR => BlendFactor::SRC_COLOR,
        GL_ONE_MINUS_SRC_COLOR => BlendFactor::ONE_MINUS_SRC_COLOR,
        GL_SRC_ALPHA => BlendFactor::SRC_ALPHA,
        GL_ONE_MINUS_SRC_ALPHA => BlendFactor::ONE_MINUS_SRC_ALPHA,
        GL_DST_COLOR => BlendFactor::DST_COLOR,
        GL_ONE_MINUS_DST_COLOR => BlendFactor::ONE_MINUS_DST_COLOR,
        GL_DST_ALPHA => BlendFactor::DST_ALPHA,
        GL_ONE_MINUS_DST_ALPHA => BlendFactor::ONE_MINUS_DST_ALPHA,
        GL_SRC_ALPHA_SATURATE => BlendFactor::SRC_ALPHA_SATURATE,
        GL_CONSTANT_COLOR => BlendFactor::CONSTANT_COLOR,
        GL_ONE_MINUS_CONSTANT_COLOR => BlendFactor::ONE_MINUS_CONSTANT_COLOR,
        GL_CONSTANT_ALPHA => BlendFactor::CONSTANT_ALPHA,
        GL_ONE_MINUS_CONSTANT_ALPHA => BlendFactor::ONE_MINUS_CONSTANT_ALPHA,
        GL_SRC1_COLOR => BlendFactor::SRC1_COLOR,
        GL_ONE_MINUS_SRC1_COLOR => BlendFactor::ONE_MINUS_SRC1_COLOR,
        GL_SRC1_ALPHA => BlendFactor::SRC1_ALPHA,
        GL_ONE_MINUS_SRC1_ALPHA => BlendFactor::ONE_MINUS_SRC1_ALPHA,
        _ => return None,
    })
}

/// Whether a blend factor reads the second source colour.
pub fn is_dual_source(value: GLenum) -> bool {
    matches!(value, GL_SRC1_COLOR | GL_ONE_MINUS_SRC1_COLOR | GL_SRC1_ALPHA | GL_ONE_MINUS_SRC1_ALPHA)
}

/// Blend equation.
pub fn blend_op(value: GLenum) -> Option<BlendOp> {
    Some(match value {
        GL_FUNC_ADD => BlendOp::ADD,
        GL_FUNC_SUBTRACT => BlendOp::SUBTRACT,
        GL_FUNC_REVERSE_SUBTRACT => BlendOp::REVERSE_SUBTRACT,
        GL_MIN => BlendOp::MIN,
        GL_MAX => BlendOp::MAX,
        _ => return None,
    })
}

/// Logic operation.
pub fn logic_op(value: GLenum) -> Option<LogicOp> {
    matches!(value, GL_CLEAR..=GL_SET).then(|| LogicOp((value - GL_CLEAR) as u8))
}

/// Stencil operation.
pub fn stencil_op(value: GLenum) -> Option<StencilOp> {
    Some(match value {
        GL_KEEP => StencilOp::KEEP,
        GL_ZERO => StencilOp::ZERO,
        GL_REPLACE => StencilOp::REPLACE,
        GL_INCR => StencilOp::INCR,
        GL_DECR => StencilOp::DECR,
        GL_INCR_WRAP => StencilOp::INCR_WRAP,
        GL_DECR_WRAP => StencilOp::DECR_WRAP,
        GL_INVERT => StencilOp::INVERT,
        _ => return None,
    })
}

/// Polygon mode.
pub fn polygon_mode(value: GLenum) -> Option<PolygonMode> {
    Some(match value {
        GL_FILL => PolygonMode::FILL,
        GL_LINE => PolygonMode::LINE,
        GL_POINT => PolygonMode::POINT,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_map_to_the_named_values() {
        assert_eq!(compare_func(GL_LEQUAL), Some(CompareFunc::LEQUAL));
        assert_eq!(compare_func(GL_NOTEQUAL), Some(CompareFunc::NOTEQUAL));
        assert_eq!(compare_func(GL_ALWAYS + 1), None);
        assert_eq!(logic_op(GL_COPY_INVERTED), Some(LogicOp::COPY_INVERTED));
        assert_eq!(logic_op(GL_SET), Some(LogicOp::SET));
        assert_eq!(logic_op(GL_CLEAR - 1), None);
    }
}
