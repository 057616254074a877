//! Hints (GL 4.6 core 21.5).

use crate::gl::{GL_DONT_CARE, GLenum};

/// Hint state of a context. None of them changes what we do.
#[derive(Debug, Clone)]
pub struct HintState {
    /// GL_LINE_SMOOTH_HINT.
    pub line_smooth: GLenum,
    /// GL_POLYGON_SMOOTH_HINT.
    pub polygon_smooth: GLenum,
    /// GL_TEXTURE_COMPRESSION_HINT.
    pub texture_compression: GLenum,
    /// GL_FRAGMENT_SHADER_DERIVATIVE_HINT.
    pub fragment_shader_derivative: GLenum,
}

impl Default for HintState {
    fn default() -> Self {
        Self {
            line_smooth: GL_DONT_CARE,
            polygon_smooth: GL_DONT_CARE,
            texture_compression: GL_DONT_CARE,
            fragment_shader_derivative: GL_DONT_CARE,
        }
    }
}
