//! State of the per-fragment operations and of writing to the framebuffer (GL 4.6 core 14.9, 17.3, 17.4).

use gallite_pipe::{MAX_COLOR_ATTACHMENTS, MAX_VIEWPORTS};

use crate::gl::*;

/// Blending of one draw buffer as the program set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlendUnit {
    /// GL_BLEND.
    pub enabled: bool,
    /// Equations of colour and alpha.
    pub equation: [GLenum; 2],
    /// Source colour, destination colour, source alpha, destination alpha.
    pub factors: [GLenum; 4],
    /// GL_COLOR_WRITEMASK, a bit each for R, G, B, A from bit 0.
    pub write_mask: u8,
}

/// Stencil state of one facing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StencilFace {
    /// Comparison.
    pub func: GLenum,
    /// Reference as the program set it; clamped when used.
    pub reference: GLint,
    /// Bits compared.
    pub compare_mask: GLuint,
    /// Bits written.
    pub write_mask: GLuint,
    /// Operations when stencil fails, depth fails, both pass.
    pub ops: [GLenum; 3],
}

/// Per-fragment state.
#[derive(Debug, Clone)]
pub struct FragmentState {
    /// GL_SCISSOR_TEST, a bit for each viewport.
    pub scissor_test: u16,
    /// GL_SCISSOR_BOX by index: x, y, width, height.
    pub scissors: [[GLint; 4]; MAX_VIEWPORTS],
    /// By draw buffer.
    pub blend: [BlendUnit; MAX_COLOR_ATTACHMENTS],
    /// Whether blending differs between draw buffers.
    pub blend_independent: bool,
    /// GL_BLEND_COLOR as set.
    pub blend_color: [f32; 4],
    /// GL_COLOR_LOGIC_OP.
    pub logic_op_enabled: bool,
    /// GL_LOGIC_OP_MODE.
    pub logic_op: GLenum,
    /// GL_DITHER.
    pub dither: bool,
    /// GL_FRAMEBUFFER_SRGB.
    pub framebuffer_srgb: bool,
    /// GL_DEPTH_TEST.
    pub depth_test: bool,
    /// GL_DEPTH_FUNC.
    pub depth_func: GLenum,
    /// GL_DEPTH_WRITEMASK.
    pub depth_mask: bool,
    /// GL_STENCIL_TEST.
    pub stencil_test: bool,
    /// Front and back.
    pub stencil: [StencilFace; 2],
    /// GL_SAMPLE_ALPHA_TO_COVERAGE.
    pub alpha_to_coverage: bool,
    /// GL_SAMPLE_ALPHA_TO_ONE.
    pub alpha_to_one: bool,
    /// GL_SAMPLE_COVERAGE.
    pub sample_coverage: bool,
    /// GL_SAMPLE_COVERAGE_VALUE.
    pub sample_coverage_value: f32,
    /// GL_SAMPLE_COVERAGE_INVERT.
    pub sample_coverage_invert: bool,
    /// GL_SAMPLE_MASK.
    pub sample_mask: bool,
    /// GL_SAMPLE_MASK_VALUE, one word.
    pub sample_mask_value: GLbitfield,
    /// GL_SAMPLE_SHADING.
    pub sample_shading: bool,
    /// GL_MIN_SAMPLE_SHADING_VALUE.
    pub min_sample_shading: f32,
}

impl Default for FragmentState {
    fn default() -> Self {
        let blend = BlendUnit {
            enabled: false,
            equation: [GL_FUNC_ADD; 2],
            factors: [GL_ONE, GL_ZERO, GL_ONE, GL_ZERO],
            write_mask: 0xf,
        };
        let stencil = StencilFace {
            func: GL_ALWAYS,
            reference: 0,
            compare_mask: GLuint::MAX,
            write_mask: GLuint::MAX,
            ops: [GL_KEEP; 3],
        };
        Self {
            scissor_test: 0,
            scissors: [[0; 4]; MAX_VIEWPORTS],
            blend: [blend; MAX_COLOR_ATTACHMENTS],
            blend_independent: false,
            blend_color: [0.0; 4],
            logic_op_enabled: false,
            logic_op: GL_COPY,
            dither: true,
            framebuffer_srgb: false,
            depth_test: false,
            depth_func: GL_LESS,
            depth_mask: true,
            stencil_test: false,
            stencil: [stencil; 2],
            alpha_to_coverage: false,
            alpha_to_one: false,
            sample_coverage: false,
            sample_coverage_value: 1.0,
            sample_coverage_invert: false,
            sample_mask: false,
            sample_mask_value: GLbitfield::MAX,
            sample_shading: false,
            min_sample_shading: 0.0,
        }
    }
}

impl FragmentState {
    /// Brings `blend_independent` up to date after a change of `blend`.
    pub fn note_blend_change(&mut self) {
        self.blend_independent = self.blend.iter().any(|u| *u != self.blend[0]);
    }
}
