//! Meshes generated from formulas, interleaved as position, normal, tangent and texture coordinate.

use std::f32::consts::TAU;
use std::ptr::without_provenance;

use gallite_tests::draw::{buffer, gen_vertex_array};
use gallite_tests::gl;

use crate::math::{Vec3, cross, normalize, sub};

const FLOATS: usize = 11;

/// A mesh on the GPU: a vertex array with an index buffer of 32-bit triangles.
pub struct Mesh {
    pub vertex_array: u32,
    pub indices: i32,
}

impl Mesh {
    /// Uploads a grid of `columns` x `rows` cells whose corners `at` maps from (u, v) in [0, 1] to a position, with
    /// texture coordinates scaled by `repeat`. Normals point along d/du x d/dv.
    fn from_surface(columns: u32, rows: u32, repeat: [f32; 2], at: impl Fn(f32, f32) -> Vec3) -> Self {
        let mut vertices = Vec::with_capacity(((columns + 1) * (rows + 1)) as usize * FLOATS);
        for row in 0..=rows {
            for column in 0..=columns {
                let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
                let h = 1e-3;
                let tangent = normalize(sub(at(u + h, v), at(u - h, v)));
                let normal = normalize(cross(tangent, sub(at(u, v + h), at(u, v - h))));
                vertices.extend_from_slice(&at(u, v));
                vertices.extend_from_slice(&normal);
                vertices.extend_from_slice(&tangent);
                vertices.extend_from_slice(&[u * repeat[0], v * repeat[1]]);
            }
        }
        let mut indices = Vec::with_capacity((columns * rows * 6) as usize);
        for row in 0..rows {
            for column in 0..columns {
                let a = row * (columns + 1) + column;
                let b = a + columns + 1;
                indices.extend_from_slice(&[a, a + 1, b + 1, a, b + 1, b]);
            }
        }
        Self::upload(&vertices, &indices)
    }

    fn upload(vertices: &[f32], indices: &[u32]) -> Self {
        let vertex_array = gen_vertex_array();
        gl::BindVertexArray(vertex_array);
        buffer(gl::ARRAY_BUFFER, vertices);
        buffer(gl::ELEMENT_ARRAY_BUFFER, indices);
        for (index, size, first) in [(0, 3, 0_usize), (1, 3, 3), (2, 3, 6), (3, 2, 9)] {
            gl::VertexAttribPointer(index, size, gl::FLOAT, 0, (FLOATS * 4) as i32, without_provenance(first * 4));
            gl::EnableVertexAttribArray(index);
        }
        Self { vertex_array, indices: indices.len() as i32 }
    }

    /// A (p, q) torus knot swept by a circle.
    pub fn torus_knot(p: f32, q: f32) -> Self {
        let curve = move |t: f32| -> Vec3 {
            let (angle, lobe) = (t * TAU * p, t * TAU * q);
            let radius = 1.0 + 0.42 * lobe.cos();
            [radius * angle.cos(), 0.42 * lobe.sin(), radius * angle.sin()]
        };
        Self::from_surface(640, 40, [36.0, 2.0], move |u, v| {
            let (here, ahead) = (curve(u), curve(u + 1e-2));
            let along = normalize(sub(ahead, here));
            let across = normalize(cross(along, normalize(here)));
            let up = cross(across, along);
            let (s, c) = (v * TAU).sin_cos();
            std::array::from_fn(|i| here[i] + 0.19 * (c * across[i] - s * up[i]))
        })
    }

    /// A unit sphere.
    pub fn sphere() -> Self {
        Self::from_surface(64, 32, [4.0, 2.0], |u, v| {
            // The poles are left out by a hair so that no cell collapses and its tangent stays defined.
            let (longitude, latitude) = (u * TAU, (v - 0.5) * 0.99 * (TAU / 2.0));
            [latitude.cos() * longitude.sin(), latitude.sin(), latitude.cos() * longitude.cos()]
        })
    }

    /// A horizontal square of the given half size whose texture repeats once per unit and a half.
    pub fn floor(half: f32) -> Self {
        Self::from_surface(24, 24, [half / 0.75; 2], move |u, v| [(u * 2.0 - 1.0) * half, 0.0, (1.0 - v * 2.0) * half])
    }

    /// Draws `instances` copies.
    pub fn draw(&self, instances: i32) {
        gl::BindVertexArray(self.vertex_array);
        let first = std::ptr::null();
        if instances == 1 {
            gl::DrawElements(gl::TRIANGLES, self.indices, gl::UNSIGNED_INT, first);
        } else {
            gl::DrawElementsInstanced(gl::TRIANGLES, self.indices, gl::UNSIGNED_INT, first, instances);
        }
    }
}
