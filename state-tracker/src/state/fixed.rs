//! State of fixed function (GL 4.6 compatibility tables 23.3 to 23.33): matrices, lights, materials, fog, texture
//! environments, clip planes. Shaders see it as built-in uniforms.

use crate::gl::*;
use crate::matrix::{IDENTITY, Matrix};

/// Sets of texture coordinates, and texture units of fixed function.
pub const UNITS: usize = 8;
/// Lights.
pub const LIGHTS: usize = 8;
/// User clip planes.
pub const PLANES: usize = 8;
/// Deepest stack of model-view matrices.
pub const MODELVIEW_DEPTH: usize = 32;
/// Deepest stack of other matrices.
pub const OTHER_DEPTH: usize = 10;

/// A stack of matrices; never empty.
#[derive(Debug, Clone)]
pub struct MatrixStack {
    /// Bottom to top.
    pub all: Vec<Matrix>,
    /// Most entries.
    pub limit: usize,
}

impl MatrixStack {
    fn new(limit: usize) -> Self {
        Self { all: vec![IDENTITY], limit }
    }

    /// The matrix in force.
    pub fn top(&self) -> &Matrix {
        self.all.last().unwrap_or(&IDENTITY)
    }
}

/// Colours and exponent of one face's material.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct Material {
    pub emission: [f32; 4],
    pub ambient: [f32; 4],
    pub diffuse: [f32; 4],
    pub specular: [f32; 4],
    pub shininess: f32,
    /// GL_COLOR_INDEXES.
    pub indexes: [f32; 3],
}

/// One light.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct Light {
    pub enabled: bool,
    pub ambient: [f32; 4],
    pub diffuse: [f32; 4],
    pub specular: [f32; 4],
    /// In eye coordinates.
    pub position: [f32; 4],
    /// In eye coordinates.
    pub spot_direction: [f32; 3],
    pub spot_exponent: f32,
    pub spot_cutoff: f32,
    /// Constant, linear, quadratic.
    pub attenuation: [f32; 3],
}

/// Generation of one texture coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct TexGen {
    pub enabled: bool,
    pub mode: GLenum,
    pub object_plane: [f32; 4],
    pub eye_plane: [f32; 4],
}

/// A texture environment.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct TexEnv {
    pub mode: GLenum,
    pub color: [f32; 4],
    /// GL_COMBINE_RGB and GL_COMBINE_ALPHA.
    pub combine: [GLenum; 2],
    pub sources: [[GLenum; 3]; 2],
    pub operands: [[GLenum; 3]; 2],
    pub scale: [f32; 2],
    /// GL_COORD_REPLACE.
    pub coord_replace: bool,
}

/// One texture unit of fixed function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedUnit {
    /// GL_TEXTURE_1D, 2D, 3D, CUBE_MAP, RECTANGLE: a bit each in that order.
    pub enabled: u8,
    /// The environment.
    pub env: TexEnv,
    /// Generation of S, T, R, Q.
    pub generation: [TexGen; 4],
}

/// Fog.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct Fog {
    pub enabled: bool,
    pub mode: GLenum,
    pub color: [f32; 4],
    pub density: f32,
    pub start: f32,
    pub end: f32,
    pub index: f32,
    pub source: GLenum,
}

/// All of it.
#[derive(Debug, Clone)]
pub struct FixedState {
    /// GL_MATRIX_MODE.
    pub matrix_mode: GLenum,
    /// GL_MODELVIEW.
    pub modelview: MatrixStack,
    /// GL_PROJECTION.
    pub projection: MatrixStack,
    /// GL_TEXTURE by unit.
    pub texture: [MatrixStack; UNITS],
    /// GL_LIGHTING.
    pub lighting: bool,
    /// Lights.
    pub lights: [Light; LIGHTS],
    /// GL_LIGHT_MODEL_AMBIENT.
    pub model_ambient: [f32; 4],
    /// GL_LIGHT_MODEL_LOCAL_VIEWER.
    pub local_viewer: bool,
    /// GL_LIGHT_MODEL_TWO_SIDE.
    pub two_side: bool,
    /// GL_LIGHT_MODEL_COLOR_CONTROL.
    pub color_control: GLenum,
    /// Front and back.
    pub materials: [Material; 2],
    /// GL_COLOR_MATERIAL.
    pub color_material: bool,
    /// GL_COLOR_MATERIAL_FACE and GL_COLOR_MATERIAL_PARAMETER.
    pub color_material_of: [GLenum; 2],
    /// GL_SHADE_MODEL.
    pub shade_model: GLenum,
    /// GL_NORMALIZE.
    pub normalize: bool,
    /// GL_RESCALE_NORMAL.
    pub rescale_normal: bool,
    /// GL_COLOR_SUM.
    pub color_sum: bool,
    /// GL_VERTEX_PROGRAM_TWO_SIDE.
    pub program_two_side: bool,
    /// Fog.
    pub fog: Fog,
    /// Clip planes in eye coordinates.
    pub clip_planes: [[f32; 4]; PLANES],
    /// Texture units.
    pub units: [FixedUnit; UNITS],
    /// GL_CLIENT_ACTIVE_TEXTURE, from 0.
    pub client_unit: usize,
    /// GL_ALPHA_TEST.
    pub alpha_test: bool,
    /// GL_ALPHA_TEST_FUNC.
    pub alpha_func: GLenum,
    /// GL_ALPHA_TEST_REF.
    pub alpha_reference: f32,
    /// GL_POINT_SPRITE.
    pub point_sprite: bool,
    /// GL_POINT_SMOOTH.
    pub point_smooth: bool,
    /// GL_POINT_SIZE_MIN and GL_POINT_SIZE_MAX.
    pub point_size_bounds: [f32; 2],
    /// GL_POINT_DISTANCE_ATTENUATION.
    pub point_attenuation: [f32; 3],
    /// GL_CLAMP_VERTEX_COLOR.
    pub clamp_vertex_color: GLenum,
    /// GL_CLAMP_FRAGMENT_COLOR.
    pub clamp_fragment_color: GLenum,
    /// GL_LINE_STIPPLE, its factor and pattern.
    pub line_stipple: (bool, GLint, u16),
    /// GL_INDEX_LOGIC_OP.
    pub index_logic_op: bool,
    /// GL_CLEAR_ACCUM.
    pub clear_accum: [f32; 4],
    /// GL_INDEX_CLEAR_VALUE.
    pub clear_index: f32,
    /// GL_INDEX_WRITEMASK.
    pub index_mask: u32,
    /// Hints: perspective correction, point smooth, fog, generate mipmap.
    pub hints: [GLenum; 4],
}

const WHITE: [f32; 4] = [1.0; 4];
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

impl Default for FixedState {
    fn default() -> Self {
        let material = Material {
            emission: BLACK,
            ambient: [0.2, 0.2, 0.2, 1.0],
            diffuse: [0.8, 0.8, 0.8, 1.0],
            specular: BLACK,
            shininess: 0.0,
            indexes: [0.0, 1.0, 1.0],
        };
        // GL 4.6 compatibility 12.2.1: light 0 is white, the others black.
        let light = |index: usize| Light {
            enabled: false,
            ambient: BLACK,
            diffuse: if index == 0 { WHITE } else { BLACK },
            specular: if index == 0 { WHITE } else { BLACK },
            position: [0.0, 0.0, 1.0, 0.0],
            spot_direction: [0.0, 0.0, -1.0],
            spot_exponent: 0.0,
            spot_cutoff: 180.0,
            attenuation: [1.0, 0.0, 0.0],
        };
        let generation = |plane| TexGen { enabled: false, mode: GL_EYE_LINEAR, object_plane: plane, eye_plane: plane };
        let unit = FixedUnit {
            enabled: 0,
            env: TexEnv {
                mode: GL_MODULATE,
                color: [0.0; 4],
                combine: [GL_MODULATE; 2],
                sources: [[GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT]; 2],
                operands: [[GL_SRC_COLOR, GL_SRC_COLOR, GL_SRC_ALPHA], [GL_SRC_ALPHA; 3]],
                scale: [1.0; 2],
                coord_replace: false,
            },
            generation: [
                generation([1.0, 0.0, 0.0, 0.0]),
                generation([0.0, 1.0, 0.0, 0.0]),
                generation([0.0; 4]),
                generation([0.0; 4]),
            ],
        };
        Self {
            matrix_mode: GL_MODELVIEW,
            modelview: MatrixStack::new(MODELVIEW_DEPTH),
            projection: MatrixStack::new(OTHER_DEPTH),
            texture: std::array::from_fn(|_| MatrixStack::new(OTHER_DEPTH)),
            lighting: false,
            lights: std::array::from_fn(light),
            model_ambient: [0.2, 0.2, 0.2, 1.0],
            local_viewer: false,
            two_side: false,
            color_control: GL_SINGLE_COLOR,
            materials: [material; 2],
            color_material: false,
            color_material_of: [GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE],
            shade_model: GL_SMOOTH,
            normalize: false,
            rescale_normal: false,
            color_sum: false,
            program_two_side: false,
            fog: Fog {
                enabled: false,
                mode: GL_EXP,
                color: [0.0; 4],
                density: 1.0,
                start: 0.0,
                end: 1.0,
                index: 0.0,
                source: GL_FRAGMENT_DEPTH,
            },
            clip_planes: [[0.0; 4]; PLANES],
            units: [unit; UNITS],
            client_unit: 0,
            alpha_test: false,
            alpha_func: GL_ALWAYS,
            alpha_reference: 0.0,
            point_sprite: false,
            point_smooth: false,
            point_size_bounds: [0.0, f32::MAX],
            point_attenuation: [1.0, 0.0, 0.0],
            clamp_vertex_color: 1,
            clamp_fragment_color: GL_FIXED_ONLY,
            line_stipple: (false, 1, 0xffff),
            index_logic_op: false,
            clear_accum: [0.0; 4],
            clear_index: 0.0,
            index_mask: u32::MAX,
            hints: [GL_DONT_CARE; 4],
        }
    }
}

impl FixedState {
    /// The stack that GL_MATRIX_MODE selects, with the texture unit in `active`. None where the unit has no matrices.
    pub fn stack(&mut self, mode: GLenum, active: usize) -> Option<&mut MatrixStack> {
        match mode {
            GL_MODELVIEW => Some(&mut self.modelview),
            GL_PROJECTION => Some(&mut self.projection),
            _ => self.texture.get_mut(active),
        }
    }
}
