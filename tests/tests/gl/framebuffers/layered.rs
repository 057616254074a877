//! Layered rendering: GL 3.3 core 4.4.7; a geometry shader chooses the layer, a clear reaches all.

use super::bound;
use gallite_tests::draw::{
    Image, Program, SOLID_VS, expect_near, framebuffer_status, gen_texture, program_with, quad, read_pixels,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): each_layer_its_colour, a_clear_reaches_all_layers, a_clear_reaches_layers_others_lack,
        scissored_and_masked_clears_reach_all_layers, depth_clears_reach_layers_colour_lacks, depth_is_per_layer,
        without_a_geometry_shader_layer_zero, cube_faces_from_separate_storages, gl_layer_reaches_the_fragment,
        one_layer_at_a_time, cube_colour_with_array_depth;
    render core(4, 0): case_27_cube_array_colour_with_array_depth;
}

const COLOR0: u32 = gl::COLOR_ATTACHMENT0;
const BYTE: u32 = gl::UNSIGNED_BYTE;

const GEOMETRY: &str = "#version 330 core
layout(triangles) in;
layout(triangle_strip, max_vertices = 24) out;
flat out int layer;
uniform int layers;
void main() {
    for (int l = 0; l < layers; ++l) {
        for (int i = 0; i < 3; ++i) {
            gl_Layer = l;
            layer = l;
            gl_Position = vec4(gl_in[i].gl_Position.xy, float(l) * 0.25 - 0.5, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}
";

const FRAGMENT: &str = "#version 330 core
flat in int layer;
out vec4 result;
void main() { result = vec4(float(layer * 40 + 20) / 255.0, 0.0, 0.0, 1.0); }
";

fn layers_program(layers: i32) -> Program {
    let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::GEOMETRY_SHADER, GEOMETRY), (gl::FRAGMENT_SHADER, FRAGMENT)];
    let program = program_with(&stages, |_| {});
    program.bind();
    program.set1i("layers", layers);
    program
}

/// A new layered texture at a point of the bound framebuffer.
fn attach(point: u32, target: u32, layers: i32) -> u32 {
    let depth = point == gl::DEPTH_ATTACHMENT;
    let (internal, format, kind) =
        if depth { (gl::DEPTH_COMPONENT24, gl::DEPTH_COMPONENT, gl::FLOAT) } else { (gl::RGBA8, gl::RGBA, BYTE) };
    let texture = gen_texture();
    gl::BindTexture(target, texture);
    gl::TexImage3D(target, 0, internal, 4, 4, layers, 0, format, kind, std::ptr::null());
    gl::TexParameteri(target, gl::TEXTURE_MIN_FILTER, gl::NEAREST as i32);
    gl::FramebufferTexture(gl::FRAMEBUFFER, point, texture, 0);
    gl::Viewport(0, 0, 4, 4);
    texture
}

#[track_caller]
fn expect_layers(target: u32, texture: u32, colours: &[[u8; 4]]) {
    gl::BindTexture(target, texture);
    let mut texels = vec![[0_u8; 4]; 16 * colours.len()];
    gl::GetTexImage(target, 0, gl::RGBA, BYTE, texels.as_mut_ptr().cast());
    for (layer, colour) in colours.iter().enumerate() {
        let got = &texels[layer * 16..layer * 16 + 16];
        assert!(got.iter().all(|t| t == colour), "layer {layer}: {got:?}, expected {colour:?}");
    }
}

fn each_layer_its_colour(_: &Env) {
    for target in [gl::TEXTURE_2D_ARRAY, gl::TEXTURE_3D] {
        bound();
        let texture = attach(COLOR0, target, 4);
        assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
        layers_program(4);
        quad();
        let expected = [20, 60, 100, 140].map(|red| [red, 0, 0, 255]);
        expect_layers(target, texture, &expected);
    }
}

fn a_clear_reaches_all_layers(_: &Env) {
    for target in [gl::TEXTURE_2D_ARRAY, gl::TEXTURE_3D] {
        bound();
        let texture = attach(COLOR0, target, 3);
        gl::ClearColor(0.2, 0.4, 0.6, 0.8);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        expect_layers(target, texture, &[[51, 102, 153, 204]; 3]);
    }
}

/// 4.4.7: rendering is limited to the layers that all attachments have, a clear isn't.
fn a_clear_reaches_layers_others_lack(_: &Env) {
    bound();
    let few = attach(COLOR0, gl::TEXTURE_2D_ARRAY, 2);
    let many = attach(COLOR0 + 1, gl::TEXTURE_2D_ARRAY, 5);
    gl::DrawBuffers(2, [COLOR0, COLOR0 + 1].as_ptr());
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearColor(0.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    expect_layers(gl::TEXTURE_2D_ARRAY, few, &[[0, 255, 0, 255]; 2]);
    expect_layers(gl::TEXTURE_2D_ARRAY, many, &[[0, 255, 0, 255]; 5]);
    gl::ClearBufferfv(gl::COLOR, 1, [1.0_f32, 0.0, 0.0, 1.0].as_ptr());
    expect_layers(gl::TEXTURE_2D_ARRAY, few, &[[0, 255, 0, 255]; 2]);
    expect_layers(gl::TEXTURE_2D_ARRAY, many, &[[255, 0, 0, 255]; 5]);
}

fn scissored_and_masked_clears_reach_all_layers(_: &Env) {
    bound();
    let texture = attach(COLOR0, gl::TEXTURE_2D_ARRAY, 3);
    gl::ClearColor(0.0, 0.0, 0.0, 0.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(0, 0, 4, 4);
    gl::ColorMask(gl::TRUE, gl::FALSE, gl::TRUE, gl::FALSE);
    gl::ClearColor(1.0, 1.0, 1.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    expect_layers(gl::TEXTURE_2D_ARRAY, texture, &[[255, 0, 255, 0]; 3]);
    gl::ColorMask(gl::TRUE, gl::TRUE, gl::TRUE, gl::TRUE);
    gl::Scissor(1, 1, 2, 1);
    gl::ClearColor(0.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    let mut texels = [[0_u8; 4]; 48];
    gl::GetTexImage(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA, BYTE, texels.as_mut_ptr().cast());
    for (i, texel) in texels.iter().enumerate() {
        let inside = i % 16 == 5 || i % 16 == 6;
        assert_eq!(*texel, if inside { [0, 255, 0, 255] } else { [255, 0, 255, 0] }, "texel {i}");
    }
}

fn depth_of(texture: u32, layers: usize) -> Vec<f32> {
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, texture);
    let mut depths = vec![0.0_f32; layers * 16];
    gl::GetTexImage(gl::TEXTURE_2D_ARRAY, 0, gl::DEPTH_COMPONENT, gl::FLOAT, depths.as_mut_ptr().cast());
    (0..layers).map(|layer| depths[layer * 16 + 9]).collect()
}

fn depth_clears_reach_layers_colour_lacks(_: &Env) {
    bound();
    let colour = attach(COLOR0, gl::TEXTURE_2D_ARRAY, 2);
    let depth = attach(gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D_ARRAY, 4);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearDepth(0.25);
    gl::ClearColor(1.0, 1.0, 1.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
    expect_near(&depth_of(depth, 4), &[0.25; 4], 1e-6);
    expect_layers(gl::TEXTURE_2D_ARRAY, colour, &[[255; 4]; 2]);
}

fn depth_is_per_layer(_: &Env) {
    bound();
    attach(COLOR0, gl::TEXTURE_2D_ARRAY, 4);
    let depth = attach(gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D_ARRAY, 4);
    gl::ClearDepth(1.0);
    gl::Clear(gl::DEPTH_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    layers_program(3);
    quad();
    expect_near(&depth_of(depth, 4), &[0.25, 0.375, 0.5, 1.0], 1e-6);
}

fn without_a_geometry_shader_layer_zero(_: &Env) {
    bound();
    let texture = attach(COLOR0, gl::TEXTURE_2D_ARRAY, 3);
    gl::ClearColor(0.0, 0.0, 1.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gallite_tests::draw::solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    expect_layers(gl::TEXTURE_2D_ARRAY, texture, &[[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 255, 255]]);
    // 4.3.1: reads take layer 0.
    Image::read(0, 0, 4, 4).expect_all([255, 0, 0, 255]);
}

/// Faces specified with different sizes first are kept apart; attached as layers they must come together.
fn cube_faces_from_separate_storages(_: &Env) {
    let framebuffer = bound();
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_CUBE_MAP, texture);
    let face = |face: u32, size: i32, grey: u8| {
        let texels = vec![[grey; 4]; (size * size) as usize];
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::TexImage2D(target, 0, gl::RGBA8, size, size, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    };
    for i in 0..6 {
        face(i, if i % 2 == 0 { 4 } else { 8 }, 9);
    }
    for i in 0..6 {
        face(i, 4, i as u8 + 1);
    }
    gl::FramebufferTexture(gl::FRAMEBUFFER, COLOR0, texture, 0);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 4, 4);
    layers_program(3);
    quad();
    let read = |face: u32| {
        let mut texels = [[0_u8; 4]; 16];
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::GetTexImage(target, 0, gl::RGBA, BYTE, texels.as_mut_ptr().cast());
        texels
    };
    for i in 0..3 {
        assert_eq!(read(i), [[i as u8 * 40 + 20, 0, 0, 255]; 16], "face {i} was rendered to");
    }
    for i in 3..6 {
        assert_eq!(read(i), [[i as u8 + 1; 4]; 16], "face {i} keeps its texels");
    }
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::ClearColor(0.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    for i in 0..6 {
        assert_eq!(read(i), [[0, 255, 0, 255]; 16], "face {i} is cleared");
    }
}

/// GLSL 1.50 has no gl_Layer in the fragment stage; a flat output does.
fn gl_layer_reaches_the_fragment(_: &Env) {
    bound();
    let texture = attach(COLOR0, gl::TEXTURE_2D_ARRAY, 2);
    layers_program(2);
    quad();
    gl::FramebufferTextureLayer(gl::READ_FRAMEBUFFER, COLOR0, texture, 0, 1);
    Image::read(0, 0, 4, 4).expect_all([60, 0, 0, 255]);
}

fn one_layer_at_a_time(_: &Env) {
    bound();
    let texture = attach(COLOR0, gl::TEXTURE_2D_ARRAY, 3);
    for layer in 0..3 {
        gl::FramebufferTextureLayer(gl::FRAMEBUFFER, COLOR0, texture, 0, layer);
        gl::ClearColor(layer as f32 / 255.0, 0.0, 0.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
    }
    expect_layers(gl::TEXTURE_2D_ARRAY, texture, &[[0, 0, 0, 255], [1, 0, 0, 255], [2, 0, 0, 255]]);
    // gl_Layer has no effect on an attachment that isn't layered.
    layers_program(2);
    quad();
    assert_eq!(read_pixels::<u8>([0, 0, 1, 1], gl::RGBA, BYTE, 4)[0], 60);
}

/// Depth may come from another target than colour.
fn cube_colour_with_array_depth(_: &Env) {
    bound();
    let cube = gen_texture();
    gl::BindTexture(gl::TEXTURE_CUBE_MAP, cube);
    for face in gl::TEXTURE_CUBE_MAP_POSITIVE_X..=gl::TEXTURE_CUBE_MAP_NEGATIVE_Z {
        gl::TexImage2D(face, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, std::ptr::null());
    }
    gl::FramebufferTexture(gl::FRAMEBUFFER, COLOR0, cube, 0);
    attach(gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D_ARRAY, 6);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
}

/// Puts what it is given into one layer, at a depth of its own.
const ONE_LAYER: &str = "#version 400 core
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
flat out int layer;
uniform int face;
uniform int shade;
uniform float z;
void main() {
    for (int i = 0; i < 3; ++i) {
        gl_Layer = face;
        layer = shade;
        gl_Position = vec4(gl_in[i].gl_Position.xy, z, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
";

/// GL 4.6 core 9.4.2: all attachments are layered, and of them only the colours need to be of one target. As in the
/// public report, the faces of a cube array are layers like those of an array.
fn case_27_cube_array_colour_with_array_depth(_: &Env) {
    bound();
    let cubes = attach(COLOR0, gl::TEXTURE_CUBE_MAP_ARRAY, 12);
    attach(gl::DEPTH_ATTACHMENT, gl::TEXTURE_2D_ARRAY, 12);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearColor(0.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::GEOMETRY_SHADER, ONE_LAYER), (gl::FRAGMENT_SHADER, FRAGMENT)];
    let program = program_with(&stages, |_| {});
    program.bind();
    // Face 7 is drawn near first, face 8 has a depth of its own.
    for (face, shade, z) in [(7, 1, 0.0), (7, 2, 0.5), (8, 3, 0.5), (11, 4, 0.0), (11, 5, -0.5)] {
        program.set1i("face", face);
        program.set1i("shade", shade);
        program.set1f("z", z);
        quad();
    }
    gl::Disable(gl::DEPTH_TEST);
    let mut expected = [[0, 0, 0, 255]; 12];
    (expected[7][0], expected[8][0], expected[11][0]) = (60, 140, 220);
    expect_layers(gl::TEXTURE_CUBE_MAP_ARRAY, cubes, &expected);
}
