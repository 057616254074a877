//! The scene and its passes: shadow map, lit surfaces into a multisampled HDR image, bloom, composite.

use std::f32::consts::TAU;

use gallite_tests::draw::{gen_buffer, gen_vertex_array, get_i32};
use gallite_tests::{client, gl};

use crate::math::{Mat4, Vec3, cross, normalize, sub};
use crate::mesh::Mesh;
use crate::shaders;
use crate::targets::{ColorTarget, SHADOW_SIZE, multisampled, shadow_map};
use crate::textures::Material;

const LAMPS: usize = 8;
const FIELD_OF_VIEW: f32 = 0.78;
const BLUR_ROUNDS: usize = 3;

struct Programs {
    surface: u32,
    shadow: u32,
    lamp: u32,
    background: u32,
    bright: u32,
    blur: u32,
    composite: u32,
    surface_model: i32,
    surface_metallic: i32,
    shadow_model: i32,
    background_rays: i32,
    blur_step: i32,
}

/// Everything that a frame needs, created once.
pub struct Scene {
    width: i32,
    height: i32,
    programs: Programs,
    knot: Mesh,
    sphere: Mesh,
    floor: Mesh,
    copper: Material,
    tiles: Material,
    frame_block: u32,
    empty_array: u32,
    shadow_framebuffer: u32,
    shadow_texture: u32,
    samples_framebuffer: u32,
    hdr: ColorTarget,
    bloom: [ColorTarget; 2],
    result: ColorTarget,
}

struct Thing<'a> {
    mesh: &'a Mesh,
    material: &'a Material,
    model: Mat4,
    metallic: f32,
}

impl Programs {
    fn new() -> Result<Self, String> {
        let build = |(vertex, fragment): (String, String), samplers: &[&str]| -> Result<u32, String> {
            let program = client::program(&vertex, &fragment)?;
            client::bind_block(program, "Frame", 0);
            gl::UseProgram(program);
            for (unit, name) in samplers.iter().enumerate() {
                gl::Uniform1i(client::uniform(program, name), unit as i32);
            }
            Ok(program)
        };
        let surface = build(shaders::surface(), &["albedo_map", "normal_map", "shadow_map"])?;
        let shadow = build(shaders::shadow(), &[])?;
        let background = build(shaders::background(), &[])?;
        let blur = build(shaders::blur(), &["image"])?;
        Ok(Self {
            lamp: build(shaders::lamp(), &[])?,
            bright: build(shaders::bright(), &["image"])?,
            composite: build(shaders::composite(), &["image", "bloom"])?,
            surface_model: client::uniform(surface, "model"),
            surface_metallic: client::uniform(surface, "metallic"),
            shadow_model: client::uniform(shadow, "model"),
            background_rays: client::uniform(background, "inverse_rays"),
            blur_step: client::uniform(blur, "step_size"),
            surface,
            shadow,
            background,
            blur,
        })
    }
}

impl Scene {
    pub fn new(width: i32, height: i32, samples: i32) -> Result<Self, String> {
        let samples = samples.clamp(1, get_i32(gl::MAX_SAMPLES).max(1));
        let (shadow_framebuffer, shadow_texture) = shadow_map()?;
        let bloom = || ColorTarget::new(gl::R11F_G11F_B10F, (width / 4).max(1), (height / 4).max(1));
        let frame_block = gen_buffer();
        Ok(Self {
            width,
            height,
            programs: Programs::new()?,
            knot: Mesh::torus_knot(2.0, 3.0),
            sphere: Mesh::sphere(),
            floor: Mesh::floor(24.0),
            copper: Material::copper(),
            tiles: Material::tiles(),
            frame_block,
            empty_array: gen_vertex_array(),
            shadow_framebuffer,
            shadow_texture,
            samples_framebuffer: multisampled(width, height, samples)?,
            hdr: ColorTarget::new(gl::RGBA16F, width, height)?,
            bloom: [bloom()?, bloom()?],
            result: ColorTarget::new(gl::RGBA8, width, height)?,
        })
    }

    /// Draws the frame of `seconds` into the result image.
    pub fn draw(&mut self, seconds: f32) {
        let angle = 0.55 + seconds * 0.35;
        let eye = [angle.sin() * 5.4, 2.5 + (seconds * 0.5).sin() * 0.3, angle.cos() * 5.4];
        let target = [0.0, 0.95, 0.0];
        self.upload_frame(seconds, eye, target);
        let things = self.things(seconds);
        self.draw_shadows(&things);
        self.draw_surfaces(&things, eye, target);
        self.draw_bloom();
        self.draw_composite();
    }

    fn things(&self, seconds: f32) -> [Thing<'_>; 6] {
        let knot = Mat4::translation([0.0, 1.45, 0.0])
            * Mat4::rotation_y(seconds * 0.7)
            * Mat4::rotation_x(1.2 + (seconds * 0.6).sin() * 0.2)
            * Mat4::scale(0.85);
        let ball = |index: usize| {
            let angle = TAU * index as f32 / 4.0 + 0.4 - seconds * 0.25;
            let radius = 0.42 + 0.08 * (index as f32 * 1.7).sin();
            Thing {
                mesh: &self.sphere,
                material: if index.is_multiple_of(2) { &self.tiles } else { &self.copper },
                model: Mat4::translation([angle.sin() * 2.5, radius, angle.cos() * 2.5])
                    * Mat4::rotation_y(seconds + index as f32)
                    * Mat4::scale(radius),
                metallic: if index.is_multiple_of(2) { 0.0 } else { 1.0 },
            }
        };
        let identity = Mat4::scale(1.0);
        [
            Thing { mesh: &self.floor, material: &self.tiles, model: identity, metallic: 0.0 },
            Thing { mesh: &self.knot, material: &self.copper, model: knot, metallic: 1.0 },
            ball(0),
            ball(1),
            ball(2),
            ball(3),
        ]
    }

    fn upload_frame(&self, seconds: f32, eye: Vec3, target: Vec3) {
        let up = [0.0, 1.0, 0.0];
        let sun = normalize([0.62, 0.52, -0.58]);
        let aspect = self.width as f32 / self.height as f32;
        let view_projection = Mat4::perspective(FIELD_OF_VIEW, aspect, 0.1, 60.0) * Mat4::look_at(eye, target, up);
        let light = Mat4::orthographic(6.0, 0.5, 30.0) * Mat4::look_at(sun.map(|x| x * 14.0), [0.0, 0.6, 0.0], up);
        let mut block: Vec<f32> = Vec::with_capacity(128);
        block.extend_from_slice(&view_projection.0);
        block.extend_from_slice(&light.0);
        block.extend_from_slice(&[eye[0], eye[1], eye[2], 1.0, sun[0], sun[1], sun[2], 0.0]);
        for index in 0..LAMPS {
            let phase = TAU * index as f32 / LAMPS as f32;
            let angle = phase + seconds * 0.5;
            let height = 0.55 + 0.35 * (seconds * 1.3 + phase * 3.0).sin();
            let radius = 1.75 + 0.15 * (seconds + phase * 2.0).cos();
            block.extend_from_slice(&[angle.sin() * radius, height, angle.cos() * radius, 0.075]);
        }
        for index in 0..LAMPS {
            let hue = index as f32 / LAMPS as f32;
            let channel = |shift: f32| 0.12 + 1.1 * (0.5 + 0.5 * (TAU * (hue + shift)).cos()).powi(2);
            block.extend_from_slice(&[channel(0.0), channel(1.0 / 3.0), channel(2.0 / 3.0), 1.0]);
        }
        block.extend_from_slice(&[seconds, 0.0, 0.0, 0.0]);
        let bytes: Vec<u8> = block.iter().flat_map(|x| x.to_ne_bytes()).collect();
        gl::BindBuffer(gl::UNIFORM_BUFFER, self.frame_block);
        gl::BufferData(gl::UNIFORM_BUFFER, bytes.len() as isize, bytes.as_ptr().cast(), gl::DYNAMIC_DRAW);
        gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, self.frame_block);
    }

    fn draw_shadows(&self, things: &[Thing<'_>]) {
        gl::BindFramebuffer(gl::FRAMEBUFFER, self.shadow_framebuffer);
        gl::Viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
        gl::Enable(gl::DEPTH_TEST);
        gl::DepthMask(1);
        gl::DepthFunc(gl::LESS);
        gl::Clear(gl::DEPTH_BUFFER_BIT);
        gl::Enable(gl::POLYGON_OFFSET_FILL);
        gl::PolygonOffset(2.0, 4.0);
        gl::UseProgram(self.programs.shadow);
        for thing in things {
            gl::UniformMatrix4fv(self.programs.shadow_model, 1, 0, thing.model.0.as_ptr());
            thing.mesh.draw(1);
        }
        gl::Disable(gl::POLYGON_OFFSET_FILL);
    }

    fn draw_surfaces(&self, things: &[Thing<'_>], eye: Vec3, target: Vec3) {
        gl::BindFramebuffer(gl::FRAMEBUFFER, self.samples_framebuffer);
        gl::Viewport(0, 0, self.width, self.height);
        gl::ClearColor(0.0, 0.0, 0.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
        gl::Enable(gl::CULL_FACE);
        gl::ActiveTexture(gl::TEXTURE0 + 2);
        gl::BindTexture(gl::TEXTURE_2D, self.shadow_texture);
        gl::UseProgram(self.programs.surface);
        for thing in things {
            thing.material.bind();
            gl::Uniform1f(self.programs.surface_metallic, thing.metallic);
            gl::UniformMatrix4fv(self.programs.surface_model, 1, 0, thing.model.0.as_ptr());
            thing.mesh.draw(1);
        }
        gl::UseProgram(self.programs.lamp);
        self.sphere.draw(LAMPS as i32);
        gl::Disable(gl::CULL_FACE);

        gl::DepthFunc(gl::LEQUAL);
        gl::DepthMask(0);
        gl::UseProgram(self.programs.background);
        let rays = camera_rays(eye, target, self.width as f32 / self.height as f32);
        gl::UniformMatrix4fv(self.programs.background_rays, 1, 0, rays.0.as_ptr());
        self.cover();
        gl::DepthMask(1);
        gl::Disable(gl::DEPTH_TEST);

        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, self.samples_framebuffer);
        gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, self.hdr.framebuffer);
        let (w, h) = (self.width, self.height);
        gl::BlitFramebuffer(0, 0, w, h, 0, 0, w, h, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    }

    fn draw_bloom(&self) {
        let [first, second] = &self.bloom;
        gl::ActiveTexture(gl::TEXTURE0);
        gl::UseProgram(self.programs.bright);
        first.bind();
        gl::BindTexture(gl::TEXTURE_2D, self.hdr.texture);
        self.cover();
        gl::UseProgram(self.programs.blur);
        for round in 0..BLUR_ROUNDS {
            let reach = 1.0 + round as f32;
            for (from, to, step) in [
                (first, second, [reach / first.width as f32, 0.0]),
                (second, first, [0.0, reach / first.height as f32]),
            ] {
                to.bind();
                gl::BindTexture(gl::TEXTURE_2D, from.texture);
                gl::Uniform2f(self.programs.blur_step, step[0], step[1]);
                self.cover();
            }
        }
    }

    fn draw_composite(&self) {
        self.result.bind();
        gl::UseProgram(self.programs.composite);
        for (unit, texture) in [(1, self.bloom[0].texture), (0, self.hdr.texture)] {
            gl::ActiveTexture(gl::TEXTURE0 + unit);
            gl::BindTexture(gl::TEXTURE_2D, texture);
        }
        self.cover();
    }

    fn cover(&self) {
        gl::BindVertexArray(self.empty_array);
        gl::DrawArrays(gl::TRIANGLES, 0, 3);
    }

    /// The result image as RGBA bytes, bottom row first.
    pub fn read(&self) -> Vec<u8> {
        let mut pixels = vec![0; (self.width * self.height) as usize * 4];
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, self.result.framebuffer);
        gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
        let data = pixels.as_mut_ptr().cast();
        gl::ReadPixels(0, 0, self.width, self.height, gl::RGBA, gl::UNSIGNED_BYTE, data);
        pixels
    }
}

/// Maps normalised device coordinates (x, y, 1, 1) to the direction of the camera ray through them.
fn camera_rays(eye: Vec3, target: Vec3, aspect: f32) -> Mat4 {
    let forward = normalize(sub(target, eye));
    let side = normalize(cross(forward, [0.0, 1.0, 0.0]));
    let up = cross(side, forward);
    let tangent = (FIELD_OF_VIEW * 0.5).tan();
    let (s, u) = (side.map(|x| x * tangent * aspect), up.map(|x| x * tangent));
    Mat4([s[0], s[1], s[2], 0.0, u[0], u[1], u[2], 0.0, forward[0], forward[1], forward[2], 0.0, 0.0, 0.0, 0.0, 1.0])
}
