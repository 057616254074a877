//! Procedural textures: an albedo and a normal map with a height-derived relief, each with a full mipmap chain.

use gallite_tests::draw::{gen_texture, tex_parameter};
use gallite_tests::gl;

const SIZE: usize = 512;

/// An sRGB albedo whose alpha holds roughness, and a tangent-space normal map.
pub struct Material {
    pub albedo: u32,
    pub normal: u32,
}

struct Texel {
    color: [f32; 3],
    roughness: f32,
    height: f32,
}

fn hash(x: i32, y: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    (h ^ (h >> 15)) as f32 / u32::MAX as f32
}

/// Value noise over a lattice of `period` cells, so that it tiles over [0, 1].
fn noise(u: f32, v: f32, period: i32) -> f32 {
    let (x, y) = (u * period as f32, v * period as f32);
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let corner = |dx: i32, dy: i32| {
        hash((x.floor() as i32 + dx).rem_euclid(period) + period * 31, (y.floor() as i32 + dy).rem_euclid(period))
    };
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (sx, sy) = (smooth(fx), smooth(fy));
    let bottom = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * sx;
    let top = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * sx;
    bottom + (top - bottom) * sy
}

fn turbulence(u: f32, v: f32, period: i32) -> f32 {
    (0..5).map(|octave| noise(u, v, period << octave) / (2 << octave) as f32).sum()
}

fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// Two by two stone tiles with bevelled edges, alternately light and dark, veined.
fn tiles(u: f32, v: f32) -> Texel {
    let (x, y) = (u * 2.0, v * 2.0);
    let edge = [x - x.floor(), y - y.floor()].map(|f| f.min(1.0 - f)).into_iter().fold(1.0_f32, f32::min);
    let bevel = ((edge - 0.012) / 0.03).clamp(0.0, 1.0);
    let vein = (turbulence(u, v, 4) * 9.0 + u * 6.0).sin().abs().powf(0.35);
    let dark = (x.floor() as i32 + y.floor() as i32) % 2 == 0;
    let (base, line) =
        if dark { ([0.13, 0.15, 0.20], [0.30, 0.31, 0.36]) } else { ([0.72, 0.69, 0.63], [0.42, 0.38, 0.33]) };
    let stone = mix(line, base, vein);
    Texel {
        color: mix([0.09, 0.08, 0.08], stone, bevel),
        roughness: 0.85 + (0.22 - 0.85) * bevel + 0.15 * turbulence(u, v, 16),
        height: bevel * 0.6 + 0.02 * turbulence(u, v, 32),
    }
}

/// Brushed copper plates with rivets.
fn copper(u: f32, v: f32) -> Texel {
    let (x, y) = (u - 0.5, v - 0.5);
    let edge = (0.5 - x.abs()).min(0.5 - y.abs());
    let seam = (edge / 0.025).clamp(0.0, 1.0);
    let (rx, ry) = (0.5 - x.abs() - 0.09, 0.5 - y.abs() - 0.09);
    let rivet = (1.0 - (rx * rx + ry * ry).sqrt() / 0.04).clamp(0.0, 1.0).sqrt();
    let patina = ((turbulence(u, v, 5) - 0.52) * 6.0).clamp(0.0, 1.0) * 0.8;
    let brushed = 0.85 + 0.3 * noise(u, v * 0.125, 64);
    let metal = [0.95, 0.52, 0.30].map(|c| c * brushed);
    Texel {
        color: mix([0.12, 0.08, 0.06], mix(metal, [0.24, 0.55, 0.47], patina), 0.25 + 0.75 * seam),
        roughness: 0.24 + 0.5 * patina,
        height: seam * 0.35 + rivet * 0.5 + 0.05 * patina,
    }
}

impl Material {
    pub fn tiles() -> Self {
        Self::build(tiles, 2.2)
    }

    pub fn copper() -> Self {
        Self::build(copper, 4.0)
    }

    fn build(at: fn(f32, f32) -> Texel, relief: f32) -> Self {
        let texels: Vec<Texel> =
            (0..SIZE * SIZE).map(|i| at((i % SIZE) as f32 / SIZE as f32, (i / SIZE) as f32 / SIZE as f32)).collect();
        let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
        let mut albedo = Vec::with_capacity(SIZE * SIZE * 4);
        let mut normal = Vec::with_capacity(SIZE * SIZE * 4);
        for y in 0..SIZE {
            for x in 0..SIZE {
                let height = |dx: usize, dy: usize| texels[(y + dy) % SIZE * SIZE + (x + dx) % SIZE].height;
                let texel = &texels[y * SIZE + x];
                albedo.extend(texel.color.map(byte));
                albedo.push(byte(texel.roughness));
                let slope_x = (height(SIZE - 1, 0) - height(1, 0)) * relief;
                let slope_y = (height(0, SIZE - 1) - height(0, 1)) * relief;
                let n = crate::math::normalize([slope_x, slope_y, 1.0]);
                normal.extend(n.map(|c| byte(c * 0.5 + 0.5)));
                normal.push(255);
            }
        }
        Self { albedo: upload(gl::SRGB8_ALPHA8, &albedo), normal: upload(gl::RGBA8, &normal) }
    }

    /// Binds both maps to units 0 and 1.
    pub fn bind(&self) {
        for (unit, texture) in [(0, self.albedo), (1, self.normal)] {
            gl::ActiveTexture(gl::TEXTURE0 + unit);
            gl::BindTexture(gl::TEXTURE_2D, texture);
        }
    }
}

fn upload(internal: u32, texels: &[u8]) -> u32 {
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    let size = SIZE as i32;
    let data = texels.as_ptr().cast();
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, size, size, 0, gl::RGBA, gl::UNSIGNED_BYTE, data);
    gl::GenerateMipmap(gl::TEXTURE_2D);
    for (name, value) in [
        (gl::TEXTURE_MIN_FILTER, gl::LINEAR_MIPMAP_LINEAR),
        (gl::TEXTURE_MAG_FILTER, gl::LINEAR),
        (gl::TEXTURE_WRAP_S, gl::REPEAT),
        (gl::TEXTURE_WRAP_T, gl::REPEAT),
    ] {
        tex_parameter(gl::TEXTURE_2D, name, value);
    }
    texture
}
