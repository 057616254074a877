//! Values of the built-in uniforms (GLSL 4.60 compatibility 7.4), written into the default block of the program in use.

use std::cell::OnceCell;

use gallite_shader::state_uniform::{StateUniform, StateUniformSlot};

use crate::context::Context;
use crate::matrix::{self, Matrix};
use crate::state::fixed::{FixedState, Light, Material};

/// Matrices that several uniforms are forms of.
struct Matrices {
    modelview: Matrix,
    projection: Matrix,
    product: Matrix,
    /// Of the first two, worked out when the first uniform asks.
    modelview_inverse: OnceCell<Matrix>,
    projection_inverse: OnceCell<Matrix>,
}

impl Matrices {
    fn modelview_inverse(&self) -> &Matrix {
        self.modelview_inverse.get_or_init(|| matrix::invert(&self.modelview))
    }

    fn projection_inverse(&self) -> &Matrix {
        self.projection_inverse.get_or_init(|| matrix::invert(&self.projection))
    }
}

/// Writes all that a program reads into a copy of its default block: contexts that share the program have values of their
/// own.
pub fn write(ctx: &Context, slots: &[StateUniformSlot], words: &mut [u32]) {
    let fixed = &ctx.state.fixed;
    let (modelview, projection) = (*fixed.modelview.top(), *fixed.projection.top());
    let matrices = Matrices {
        modelview,
        projection,
        product: matrix::multiply(&projection, &modelview),
        modelview_inverse: OnceCell::new(),
        projection_inverse: OnceCell::new(),
    };
    for slot in slots {
        let word = slot.offset / 4;
        let mut put = |at: u32, value: f32| {
            if let Some(word) = words.get_mut((word + at) as usize) {
                *word = value.to_bits();
            }
        };
        let mut put_all = |values: &[f32]| {
            for (at, value) in values.iter().enumerate() {
                put(at as u32, *value);
            }
        };
        if slot.state == StateUniform::NormalMatrix {
            let inverse = matrices.modelview_inverse();
            for column in 0..3 {
                for row in 0..3 {
                    put(column * 4 + row, inverse[(row * 4 + column) as usize]);
                }
            }
        } else if let Some(m) = matrix_of(fixed, &matrices, slot) {
            put_all(&m);
        } else if slot.state == StateUniform::DepthRange {
            // GLSL 4.60 7.4.1: near, far, far - near of viewport 0.
            let [near, far] = ctx.state.raster.depth_ranges[0].map(|d| d as f32);
            put(0, [near, far, far - near][usize::from(slot.member).min(2)]);
        } else if slot.state == StateUniform::Point {
            let raster = &ctx.state.raster;
            let [least, most] = fixed.point_size_bounds;
            let [constant, linear, quadratic] = fixed.point_attenuation;
            let most = most.min(ctx.limits.point_size_range[1]);
            let all = [raster.point_size, least, most, raster.point_fade_threshold, constant, linear, quadratic];
            put(0, all[usize::from(slot.member).min(6)]);
        } else {
            vector_of(fixed, &matrices, slot, put_all);
        }
    }
}

/// A matrix in the form a uniform has it.
fn matrix_of(fixed: &FixedState, matrices: &Matrices, slot: &StateUniformSlot) -> Option<Matrix> {
    use StateUniform as S;
    let texture = fixed.texture.get(usize::from(slot.element)).unwrap_or(&fixed.texture[0]).top();
    let inverse = matrix::invert;
    let transpose = matrix::transpose;
    Some(match slot.state {
        S::ModelView => matrices.modelview,
        S::ModelViewInverse => *matrices.modelview_inverse(),
        S::ModelViewTranspose => transpose(&matrices.modelview),
        S::ModelViewInverseTranspose => transpose(matrices.modelview_inverse()),
        S::Projection => matrices.projection,
        S::ProjectionInverse => *matrices.projection_inverse(),
        S::ProjectionTranspose => transpose(&matrices.projection),
        S::ProjectionInverseTranspose => transpose(matrices.projection_inverse()),
        S::ModelViewProjection => matrices.product,
        S::ModelViewProjectionInverse => inverse(&matrices.product),
        S::ModelViewProjectionTranspose => transpose(&matrices.product),
        S::ModelViewProjectionInverseTranspose => transpose(&inverse(&matrices.product)),
        S::Texture => *texture,
        S::TextureInverse => inverse(texture),
        S::TextureTranspose => transpose(texture),
        S::TextureInverseTranspose => transpose(&inverse(texture)),
        _ => return None,
    })
}

fn product(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| a[i] * b[i])
}

/// Emission plus what the ambient light of the model does (GLSL 4.60 compatibility 7.4.1); alpha is that of diffuse.
fn scene_color(material: &Material, ambient: [f32; 4]) -> [f32; 4] {
    let lit = product(material.ambient, ambient);
    let mut color: [f32; 4] = std::array::from_fn(|i| material.emission[i] + lit[i]);
    color[3] = material.diffuse[3];
    color
}

fn vector_of(fixed: &FixedState, matrices: &Matrices, slot: &StateUniformSlot, mut put: impl FnMut(&[f32])) {
    use StateUniform as S;
    let element = usize::from(slot.element);
    let unit = fixed.units.get(element).unwrap_or(&fixed.units[0]);
    let light = fixed.lights.get(element).unwrap_or(&fixed.lights[0]);
    let plane = fixed.clip_planes.get(element).copied().unwrap_or_default();
    match slot.state {
        S::NormalScale => {
            let inverse = matrices.modelview_inverse();
            let length = [2, 6, 10].map(|i| inverse[i]).iter().map(|v| v * v).sum::<f32>().sqrt();
            put(&[if length == 0.0 { 1.0 } else { 1.0 / length }]);
        }
        S::ClipPlane => put(&plane),
        S::FrontMaterial | S::BackMaterial => {
            let m = &fixed.materials[usize::from(slot.state == S::BackMaterial)];
            match slot.member {
                0 => put(&m.emission),
                1 => put(&m.ambient),
                2 => put(&m.diffuse),
                3 => put(&m.specular),
                _ => put(&[m.shininess]),
            }
        }
        S::LightSource => light_member(light, slot.member, put),
        S::LightModel => put(&fixed.model_ambient),
        S::FrontLightModelProduct => put(&scene_color(&fixed.materials[0], fixed.model_ambient)),
        S::BackLightModelProduct => put(&scene_color(&fixed.materials[1], fixed.model_ambient)),
        S::FrontLightProduct | S::BackLightProduct => {
            let m = &fixed.materials[usize::from(slot.state == S::BackLightProduct)];
            put(&match slot.member {
                0 => product(m.ambient, light.ambient),
                1 => product(m.diffuse, light.diffuse),
                _ => product(m.specular, light.specular),
            });
        }
        S::TextureEnvColor => put(&unit.env.color),
        S::EyePlaneS => put(&unit.generation[0].eye_plane),
        S::EyePlaneT => put(&unit.generation[1].eye_plane),
        S::EyePlaneR => put(&unit.generation[2].eye_plane),
        S::EyePlaneQ => put(&unit.generation[3].eye_plane),
        S::ObjectPlaneS => put(&unit.generation[0].object_plane),
        S::ObjectPlaneT => put(&unit.generation[1].object_plane),
        S::ObjectPlaneR => put(&unit.generation[2].object_plane),
        S::ObjectPlaneQ => put(&unit.generation[3].object_plane),
        S::Fog => {
            let fog = &fixed.fog;
            match slot.member {
                0 => put(&fog.color),
                1 => put(&[fog.density]),
                2 => put(&[fog.start]),
                3 => put(&[fog.end]),
                _ => put(&[1.0 / (fog.end - fog.start)]),
            }
        }
        S::AlphaReference => put(&[fixed.alpha_reference]),
        // Matrices and what else the caller writes.
        _ => {}
    }
}

fn light_member(light: &Light, member: u8, mut put: impl FnMut(&[f32])) {
    match member {
        0 => put(&light.ambient),
        1 => put(&light.diffuse),
        2 => put(&light.specular),
        3 => put(&light.position),
        4 => put(&half_vector(light.position)),
        5 => put(&light.spot_direction),
        6 => put(&[light.spot_exponent]),
        7 => put(&[light.spot_cutoff]),
        8 => put(&[light.spot_cutoff.to_radians().cos()]),
        9..=11 => put(&[light.attenuation[usize::from(member) - 9]]),
        _ => {}
    }
}

/// The direction half way between the light's and the viewer's at infinity (GL 4.6 compatibility 12.2.1).
fn half_vector(position: [f32; 4]) -> [f32; 4] {
    let normalize = |v: [f32; 3]| {
        let length = v.iter().map(|c| c * c).sum::<f32>().sqrt();
        if length == 0.0 { v } else { v.map(|c| c / length) }
    };
    let [x, y, z] = normalize([position[0], position[1], position[2]]);
    let [x, y, z] = normalize([x, y, z + 1.0]);
    [x, y, z, 1.0]
}
