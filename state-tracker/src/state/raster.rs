//! Viewport, clipping and rasterization state (GL 4.6 core 13.5 to 14.6).

use gallite_pipe::MAX_VIEWPORTS;

use crate::gl::*;

/// One viewport as the program set it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ViewportRect {
    /// Left.
    pub x: f32,
    /// Bottom.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// Everything between primitive assembly and fragments.
#[derive(Debug, Clone)]
pub struct RasterState {
    /// GL_VIEWPORT by index.
    pub viewports: [ViewportRect; MAX_VIEWPORTS],
    /// GL_DEPTH_RANGE by index.
    pub depth_ranges: [[f64; 2]; MAX_VIEWPORTS],
    /// GL_CULL_FACE.
    pub cull: bool,
    /// GL_CULL_FACE_MODE.
    pub cull_mode: GLenum,
    /// GL_FRONT_FACE.
    pub front_face: GLenum,
    /// GL_POLYGON_MODE of front and back faces, which differ in the compatibility profile only.
    pub polygon_mode: [GLenum; 2],
    /// GL_POLYGON_OFFSET_POINT, _LINE, _FILL.
    pub offset_enables: [bool; 3],
    /// GL_POLYGON_OFFSET_FACTOR.
    pub offset_factor: f32,
    /// GL_POLYGON_OFFSET_UNITS.
    pub offset_units: f32,
    /// GL_POLYGON_OFFSET_CLAMP.
    pub offset_clamp: f32,
    /// GL_POLYGON_SMOOTH.
    pub polygon_smooth: bool,
    /// GL_LINE_WIDTH.
    pub line_width: f32,
    /// GL_LINE_SMOOTH.
    pub line_smooth: bool,
    /// GL_POINT_SIZE.
    pub point_size: f32,
    /// GL_PROGRAM_POINT_SIZE.
    pub program_point_size: bool,
    /// GL_POINT_FADE_THRESHOLD_SIZE.
    pub point_fade_threshold: f32,
    /// GL_POINT_SPRITE_COORD_ORIGIN.
    pub point_coord_origin: GLenum,
    /// GL_PROVOKING_VERTEX.
    pub provoking_vertex: GLenum,
    /// GL_CLIP_ORIGIN.
    pub clip_origin: GLenum,
    /// GL_CLIP_DEPTH_MODE.
    pub clip_depth_mode: GLenum,
    /// GL_RASTERIZER_DISCARD.
    pub discard: bool,
    /// GL_DEPTH_CLAMP.
    pub depth_clamp: bool,
    /// GL_CLIP_DISTANCEi, a bit each.
    pub clip_distances: u8,
    /// GL_MULTISAMPLE.
    pub multisample: bool,
    /// GL_CLAMP_READ_COLOR.
    pub clamp_read_color: GLenum,
}

impl Default for RasterState {
    fn default() -> Self {
        Self {
            viewports: [ViewportRect::default(); MAX_VIEWPORTS],
            depth_ranges: [[0.0, 1.0]; MAX_VIEWPORTS],
            cull: false,
            cull_mode: GL_BACK,
            front_face: GL_CCW,
            polygon_mode: [GL_FILL; 2],
            offset_enables: [false; 3],
            offset_factor: 0.0,
            offset_units: 0.0,
            offset_clamp: 0.0,
            polygon_smooth: false,
            line_width: 1.0,
            line_smooth: false,
            point_size: 1.0,
            program_point_size: false,
            point_fade_threshold: 1.0,
            point_coord_origin: GL_UPPER_LEFT,
            provoking_vertex: GL_LAST_VERTEX_CONVENTION,
            clip_origin: GL_LOWER_LEFT,
            clip_depth_mode: GL_NEGATIVE_ONE_TO_ONE,
            discard: false,
            depth_clamp: false,
            clip_distances: 0,
            multisample: true,
            clamp_read_color: GL_FIXED_ONLY,
        }
    }
}
