//! The little linear algebra that the scene needs: column-major 4x4 matrices as GL takes them.

pub type Vec3 = [f32; 3];

pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn normalize(a: Vec3) -> Vec3 {
    let scale = 1.0 / dot(a, a).sqrt();
    a.map(|x| x * scale)
}

#[derive(Clone, Copy)]
pub struct Mat4(pub [f32; 16]);

impl Mat4 {
    pub fn translation(t: Vec3) -> Self {
        Self([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, t[0], t[1], t[2], 1.0])
    }

    pub fn scale(s: f32) -> Self {
        Self([s, 0.0, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0, 1.0])
    }

    pub fn rotation_y(angle: f32) -> Self {
        let (s, c) = angle.sin_cos();
        Self([c, 0.0, -s, 0.0, 0.0, 1.0, 0.0, 0.0, s, 0.0, c, 0.0, 0.0, 0.0, 0.0, 1.0])
    }

    pub fn rotation_x(angle: f32) -> Self {
        let (s, c) = angle.sin_cos();
        Self([1.0, 0.0, 0.0, 0.0, 0.0, c, s, 0.0, 0.0, -s, c, 0.0, 0.0, 0.0, 0.0, 1.0])
    }

    pub fn look_at(eye: Vec3, target: Vec3, up: Vec3) -> Self {
        let forward = normalize(sub(target, eye));
        let side = normalize(cross(forward, up));
        let up = cross(side, forward);
        Self([
            side[0],
            up[0],
            -forward[0],
            0.0,
            side[1],
            up[1],
            -forward[1],
            0.0,
            side[2],
            up[2],
            -forward[2],
            0.0,
            -dot(side, eye),
            -dot(up, eye),
            dot(forward, eye),
            1.0,
        ])
    }

    pub fn perspective(fov_y: f32, aspect: f32, near: f32, far: f32) -> Self {
        let f = 1.0 / (fov_y * 0.5).tan();
        let depth = 1.0 / (near - far);
        Self([
            f / aspect,
            0.0,
            0.0,
            0.0,
            0.0,
            f,
            0.0,
            0.0,
            0.0,
            0.0,
            (far + near) * depth,
            -1.0,
            0.0,
            0.0,
            2.0 * far * near * depth,
            0.0,
        ])
    }

    pub fn orthographic(half: f32, near: f32, far: f32) -> Self {
        let depth = 1.0 / (near - far);
        Self([
            1.0 / half,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0 / half,
            0.0,
            0.0,
            0.0,
            0.0,
            2.0 * depth,
            0.0,
            0.0,
            0.0,
            (far + near) * depth,
            1.0,
        ])
    }
}

impl std::ops::Mul for Mat4 {
    type Output = Self;

    fn mul(self, right: Self) -> Self {
        let mut out = [0.0; 16];
        for column in 0..4 {
            for row in 0..4 {
                out[column * 4 + row] = (0..4).map(|k| self.0[k * 4 + row] * right.0[column * 4 + k]).sum();
            }
        }
        Self(out)
    }
}
