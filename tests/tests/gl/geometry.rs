//! Geometry shaders: GL 3.3 core 2.12.

use gallite_tests::draw::{
    Image, Program, Target, buffer, expect_error, expect_no_error, gen_framebuffer, gen_texture, gen_vertex_array,
    program_with, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): points_become_quads, lines_become_points, adjacency_of_lines_is_seen,
        adjacency_of_triangles_is_seen, adjacency_of_strips_is_seen, end_primitive_begins_another,
        too_short_strips_draw_nothing, primitive_ids, primitive_id_reaches_the_fragment, inputs_arrive_in_order,
        layers_of_an_array, faces_of_a_cube, slices_of_a_volume, clears_reach_every_layer, nothing_is_emitted,
        instances_and_bases, uniforms_and_textures_in_it, flat_outputs_of_the_provoking_vertex;
    every core(3, 3): wrong_primitives_are_refused, queries, link_errors;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec2 pixel;
out vec2 place;
void main() { place = pixel; gl_Position = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0); }
";
const FS: &str = "#version 330 core
in vec3 shade;
out vec4 result;
void main() { result = vec4(shade, 1.0); }
";
const WHITE: [u8; 4] = [255; 4];

fn with_geometry(geometry: &str) -> Program {
    let stages = [(gl::VERTEX_SHADER, VS), (gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, FS)];
    let program = program_with(&stages, |_| {});
    program.bind();
    program
}

/// A geometry shader of 3.30 between these layouts.
fn source(input: &str, output: &str, body: &str) -> String {
    format!(
        "#version 330 core
layout({input}) in;
layout({output}) out;
in vec2 place[];
out vec3 shade;
void put(vec2 pixel) {{ gl_Position = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0); EmitVertex(); }}
void main() {{ shade = vec3(1.0); {body} }}
"
    )
}

fn draw(mode: u32, points: &[[f32; 2]]) {
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, points);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(mode, 0, points.len() as i32);
    expect_no_error("draw");
}

#[track_caller]
fn expect_lit(image: &Image, lit: &[(i32, i32)]) {
    image.expect_each(|x, y| if lit.contains(&(x, y)) { WHITE } else { [0; 4] });
}

fn points_become_quads(_: &Env) {
    let target = Target::new(16, 16);
    let body = "vec2 p = place[0];
        put(p + vec2(-1.5)); put(p + vec2(1.5, -1.5)); put(p + vec2(-1.5, 1.5)); put(p + vec2(1.5));";
    with_geometry(&source("points", "triangle_strip, max_vertices = 4", body));
    draw(gl::POINTS, &[[3.0, 4.0], [10.0, 11.0]]);
    target.image().expect_each(|x, y| {
        let near = |a: i32, b: i32| (x - a).abs() <= 1 && (y - b).abs() <= 1;
        if near(3, 4) || near(10, 11) { WHITE } else { [0; 4] }
    });
}

fn lines_become_points(_: &Env) {
    let target = Target::new(16, 16);
    with_geometry(&source("lines", "points, max_vertices = 2", "put(place[0]); put(place[1]);"));
    draw(gl::LINE_STRIP, &[[2.0, 2.0], [9.0, 3.0], [4.0, 12.0]]);
    expect_lit(&target.image(), &[(2, 2), (9, 3), (4, 12)]);
}

/// Table 2.6.1 and 2.12.1: vertices 0 and 3 are the neighbours.
fn adjacency_of_lines_is_seen(_: &Env) {
    let target = Target::new(16, 16);
    with_geometry(&source("lines_adjacency", "points, max_vertices = 2", "put(place[0]); put(place[3]);"));
    draw(gl::LINES_ADJACENCY, &[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]);
    expect_lit(&target.image(), &[(1, 1), (4, 4)]);
    target.clear([0.0; 4]);
    draw(gl::LINE_STRIP_ADJACENCY, &[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, 5.0]]);
    expect_lit(&target.image(), &[(1, 1), (4, 4), (2, 2), (5, 5)]);
}

/// Vertices 1, 3 and 5 are the neighbours.
fn adjacency_of_triangles_is_seen(_: &Env) {
    let target = Target::new(16, 16);
    let body = "put(place[1]); put(place[3]); put(place[5]);";
    with_geometry(&source("triangles_adjacency", "points, max_vertices = 3", body));
    draw(gl::TRIANGLES_ADJACENCY, &[[0.0, 0.0], [1.0, 9.0], [2.0, 2.0], [3.0, 9.0], [4.0, 4.0], [5.0, 9.0]]);
    expect_lit(&target.image(), &[(1, 9), (3, 9), (5, 9)]);
}

/// Table 2.4: neighbours of the triangles of a strip of two.
fn adjacency_of_strips_is_seen(_: &Env) {
    let target = Target::new(16, 16);
    let body = "vec2 up = vec2(0.0, float(gl_PrimitiveIDIn) * 4.0);
        for (int i = 0; i < 6; ++i) { put(place[i] + up); }";
    with_geometry(&source("triangles_adjacency", "points, max_vertices = 6", body));
    // Vertex i at column i: the first triangle is (1 2 7 | 3 4 ...) of the table, counted from zero here.
    let points: Vec<[f32; 2]> = (0_u8..8).map(|i| [f32::from(i), 0.0]).collect();
    draw(gl::TRIANGLE_STRIP_ADJACENCY, &points);
    // First: vertices 0 2 4, adjacent 1 6 3. Last: vertices 4 2 6, adjacent 0 7 5 in some order.
    let first = [0, 1, 2, 3, 4, 6].map(|x| (x, 0));
    let second = [0, 2, 4, 5, 6, 7].map(|x| (x, 4));
    expect_lit(&target.image(), &[first, second].concat());
}

fn end_primitive_begins_another(_: &Env) {
    let target = Target::new(16, 16);
    let body = "put(vec2(1, 1)); put(vec2(4, 1)); EndPrimitive(); put(vec2(1, 6)); put(vec2(4, 6)); put(vec2(4, 9));";
    with_geometry(&source("points", "line_strip, max_vertices = 5", body));
    draw(gl::POINTS, &[[0.0, 0.0]]);
    let lit = [(1, 1), (2, 1), (3, 1), (1, 6), (2, 6), (3, 6), (4, 6), (4, 7), (4, 8)];
    expect_lit(&target.image(), &lit);
}

/// 2.12.1: what is not a whole primitive when it ends is discarded.
fn too_short_strips_draw_nothing(_: &Env) {
    let target = Target::new(16, 16);
    let body = "put(vec2(0)); put(vec2(15, 0)); EndPrimitive(); put(vec2(0, 15));";
    with_geometry(&source("points", "triangle_strip, max_vertices = 3", body));
    draw(gl::POINTS, &[[0.0, 0.0]]);
    target.image().expect_all([0; 4]);
}

fn nothing_is_emitted(_: &Env) {
    let target = Target::new(16, 16);
    with_geometry(&source(
        "triangles",
        "triangle_strip, max_vertices = 3",
        "if (place[0].x > 1000.0) { put(place[0]); }",
    ));
    draw(gl::TRIANGLES, &[[0.0, 0.0], [15.0, 0.0], [0.0, 15.0]]);
    target.image().expect_all([0; 4]);
}

/// 2.12.4: gl_PrimitiveIDIn counts the primitives of a draw, each draw from zero.
fn primitive_ids(_: &Env) {
    let target = Target::new(16, 16);
    with_geometry(&source("points", "points, max_vertices = 1", "put(vec2(gl_PrimitiveIDIn, place[0].y));"));
    draw(gl::POINTS, &[[9.0, 1.0], [9.0, 1.0], [9.0, 1.0]]);
    draw(gl::POINTS, &[[9.0, 5.0], [9.0, 5.0]]);
    expect_lit(&target.image(), &[(0, 1), (1, 1), (2, 1), (0, 5), (1, 5)]);
}

/// 3.12.2: the fragment sees the gl_PrimitiveID that the geometry shader wrote, or the count without one.
fn primitive_id_reaches_the_fragment(_: &Env) {
    let target = Target::new(16, 16);
    let fragment = "#version 330 core
out vec4 result;
void main() { result = vec4(float(gl_PrimitiveID) / 255.0, 0.0, 0.0, 1.0); }
";
    program_with(&[(gl::VERTEX_SHADER, VS), (gl::FRAGMENT_SHADER, fragment)], |_| {}).bind();
    draw(gl::POINTS, &[[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]);
    let image = target.image();
    (0..3).for_each(|i| image.expect(1 + i, 1, [i as u8, 0, 0, 255]));
    let geometry =
        source("points", "points, max_vertices = 1", "gl_PrimitiveID = 70 + gl_PrimitiveIDIn; put(place[0]);");
    let stages = [(gl::VERTEX_SHADER, VS), (gl::GEOMETRY_SHADER, geometry.as_str()), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |_| {}).bind();
    draw(gl::POINTS, &[[1.0, 8.0], [2.0, 8.0]]);
    let image = target.image();
    (0..2).for_each(|i| image.expect(1 + i, 8, [70 + i as u8, 0, 0, 255]));
}

/// 2.12.1: strips arrive as triangles in the order of the table; every second one's first two are exchanged.
fn inputs_arrive_in_order(_: &Env) {
    let target = Target::new(16, 16);
    let body = "for (int i = 0; i < 3; ++i) {
        shade = vec3(place[i].x, 0.0, 0.0) / 255.0; put(vec2(i, gl_PrimitiveIDIn)); }";
    with_geometry(&source("triangles", "points, max_vertices = 3", body));
    let points: Vec<[f32; 2]> = (0_u8..5).map(|i| [f32::from(i) * 10.0, 0.0]).collect();
    draw(gl::TRIANGLE_STRIP, &points);
    let image = target.image();
    for (row, expected) in [[0, 10, 20], [20, 10, 30], [20, 30, 40]].into_iter().enumerate() {
        let got: Vec<u8> = (0..3).map(|x| image.at(x, row as i32)[0]).collect();
        // Either turn keeps the facing; which vertex is first depends on the provoking vertex (table 2.6.1).
        let turned = (0..3).any(|turn| (0..3).all(|at| got[(at + turn) % 3] == expected[at]));
        assert!(turned, "triangle {row}: {got:?}, expected {expected:?}");
    }
}

/// A framebuffer with all layers of a texture, 8x8, cleared to zero.
fn layered(target: u32, layers: i32) -> u32 {
    let texture = gen_texture();
    gl::BindTexture(target, texture);
    if target == gl::TEXTURE_CUBE_MAP {
        for face in 0..6 {
            let face = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
            gl::TexImage2D(face, 0, gl::RGBA8, 8, 8, 0, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
        }
    } else {
        gl::TexImage3D(target, 0, gl::RGBA8, 8, 8, layers, 0, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
    }
    gl::TexParameteri(target, gl::TEXTURE_MAX_LEVEL, 0);
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferTexture(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, texture, 0);
    assert_eq!(gl::CheckFramebufferStatus(gl::FRAMEBUFFER), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 8, 8);
    gl::ClearColor(0.0, 0.0, 0.0, 0.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    texture
}

/// One layer read through a framebuffer of its own.
fn layer_image(target: u32, texture: u32, layer: i32) -> Image {
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, gen_framebuffer());
    if target == gl::TEXTURE_CUBE_MAP {
        let face = gl::TEXTURE_CUBE_MAP_POSITIVE_X + layer as u32;
        gl::FramebufferTexture2D(gl::READ_FRAMEBUFFER, gl::COLOR_ATTACHMENT0, face, texture, 0);
    } else {
        gl::FramebufferTextureLayer(gl::READ_FRAMEBUFFER, gl::COLOR_ATTACHMENT0, texture, 0, layer);
    }
    Image::read(0, 0, 8, 8)
}

/// 2.12.4 and 4.4.7: each point fills the layer of its number with a shade of its own.
fn fill_layers(target: u32, layers: i32) {
    let texture = layered(target, layers);
    let body = "gl_Layer = int(place[0].x); shade = vec3(place[0].y / 255.0, 1.0, 0.0);
        gl_Position = vec4(-1, -1, 0, 1); EmitVertex();
        gl_Layer = int(place[0].x); shade = vec3(place[0].y / 255.0, 1.0, 0.0);
        gl_Position = vec4(3, -1, 0, 1); EmitVertex();
        gl_Layer = int(place[0].x); shade = vec3(place[0].y / 255.0, 1.0, 0.0);
        gl_Position = vec4(-1, 3, 0, 1); EmitVertex();";
    with_geometry(&source("points", "triangle_strip, max_vertices = 3", body));
    let points: Vec<[f32; 2]> = (0..layers - 1).map(|i| [i as f32, 20.0 + i as f32]).collect();
    draw(gl::POINTS, &points);
    for layer in 0..layers {
        let expected = if layer < layers - 1 { [20 + layer as u8, 255, 0, 255] } else { [0; 4] };
        layer_image(target, texture, layer).expect_all(expected);
    }
}

fn layers_of_an_array(_: &Env) {
    fill_layers(gl::TEXTURE_2D_ARRAY, 4);
}

fn faces_of_a_cube(_: &Env) {
    fill_layers(gl::TEXTURE_CUBE_MAP, 6);
}

fn slices_of_a_volume(_: &Env) {
    fill_layers(gl::TEXTURE_3D, 5);
}

/// 4.4.7: a clear of a layered framebuffer clears all layers.
fn clears_reach_every_layer(_: &Env) {
    let texture = layered(gl::TEXTURE_2D_ARRAY, 3);
    gl::ClearColor(0.0, 0.0, 1.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    for layer in 0..3 {
        layer_image(gl::TEXTURE_2D_ARRAY, texture, layer).expect_all([0, 0, 255, 255]);
    }
}

fn instances_and_bases(_: &Env) {
    let target = Target::new(16, 16);
    let vertex = "#version 330 core
layout(location = 0) in vec2 pixel;
out vec2 place;
void main() { place = pixel + vec2(0.0, float(gl_InstanceID)); gl_Position = vec4(0.0); }
";
    let geometry = source("points", "points, max_vertices = 1", "put(place[0]);");
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::GEOMETRY_SHADER, geometry.as_str()), (gl::FRAGMENT_SHADER, FS)];
    program_with(&stages, |_| {}).bind();
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[[0.0_f32, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]);
    vertex_attrib(0, 2, 0, 0);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1]);
    gl::DrawElementsInstancedBaseVertex(gl::POINTS, 2, gl::UNSIGNED_SHORT, std::ptr::null(), 3, 2);
    expect_lit(&target.image(), &[(2, 0), (3, 0), (2, 1), (3, 1), (2, 2), (3, 2)]);
}

fn uniforms_and_textures_in_it(_: &Env) {
    let target = Target::new(16, 16);
    let geometry = "#version 330 core
layout(points) in;
layout(points, max_vertices = 1) out;
in vec2 place[];
out vec3 shade;
uniform sampler2D image;
uniform vec2 shift;
layout(std140) uniform Block { vec4 more; };
void main() {
    shade = texelFetch(image, ivec2(0), 0).rgb + more.rgb;
    gl_Position = vec4((place[0] + shift + 0.5) / 8.0 - 1.0, 0.0, 1.0);
    EmitVertex();
}
";
    let program = with_geometry(geometry);
    program.set2f("shift", [3.0, 1.0]);
    gallite_tests::draw::texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[0_u8, 255, 0, 255]]));
    let block = buffer(gl::UNIFORM_BUFFER, &[1.0_f32, 0.0, 0.0, 0.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    draw(gl::POINTS, &[[2.0, 2.0]]);
    target.image().expect(5, 3, [255, 255, 0, 255]);
}

/// 2.18: the provoking vertex of what the geometry shader emits is the last by default.
fn flat_outputs_of_the_provoking_vertex(_: &Env) {
    let target = Target::new(16, 16);
    let geometry = "#version 330 core
layout(points) in;
layout(triangle_strip, max_vertices = 3) out;
in vec2 place[];
flat out vec3 shade;
void main() {
    vec2 corners[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));
    for (int i = 0; i < 3; ++i) { shade = vec3(i == 0, i == 1, i == 2); gl_Position = vec4(corners[i], 0, 1); EmitVertex(); }
}
";
    let fragment = FS.replace("in vec3", "flat in vec3");
    let stages = [(gl::VERTEX_SHADER, VS), (gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, fragment.as_str())];
    program_with(&stages, |_| {}).bind();
    draw(gl::POINTS, &[[0.0, 0.0]]);
    target.image().expect_all([0, 0, 255, 255]);
    gl::ProvokingVertex(gl::FIRST_VERTEX_CONVENTION);
    draw(gl::POINTS, &[[0.0, 0.0]]);
    target.image().expect_all([255, 0, 0, 255]);
}

/// 2.12: the draw's primitives must be what the shader takes.
fn wrong_primitives_are_refused(_: &Env) {
    Target::new(4, 4);
    gl::BindVertexArray(gen_vertex_array());
    let accepted: [(&str, &[u32]); 5] = [
        ("points", &[gl::POINTS]),
        ("lines", &[gl::LINES, gl::LINE_STRIP, gl::LINE_LOOP]),
        ("lines_adjacency", &[gl::LINES_ADJACENCY, gl::LINE_STRIP_ADJACENCY]),
        ("triangles", &[gl::TRIANGLES, gl::TRIANGLE_STRIP, gl::TRIANGLE_FAN]),
        ("triangles_adjacency", &[gl::TRIANGLES_ADJACENCY, gl::TRIANGLE_STRIP_ADJACENCY]),
    ];
    for (input, modes) in accepted {
        with_geometry(&source(input, "points, max_vertices = 1", "put(place[0]);"));
        for mode in accepted.iter().flat_map(|(_, modes)| modes.iter()) {
            gl::DrawArrays(*mode, 0, 6);
            let expected = if modes.contains(mode) { gl::NO_ERROR } else { gl::INVALID_OPERATION };
            expect_error(expected, &format!("mode {mode:#x} into {input}"));
        }
    }
}

fn queries(_: &Env) {
    let program = with_geometry(&source("lines", "triangle_strip, max_vertices = 7", "put(place[0]);"));
    assert_eq!(program.get(gl::GEOMETRY_INPUT_TYPE), gl::LINES as i32);
    assert_eq!(program.get(gl::GEOMETRY_OUTPUT_TYPE), gl::TRIANGLE_STRIP as i32);
    assert_eq!(program.get(gl::GEOMETRY_VERTICES_OUT), 7);
    let plain = program_with(&[(gl::VERTEX_SHADER, VS)], |_| {});
    plain.get(gl::GEOMETRY_VERTICES_OUT);
    expect_error(gl::INVALID_OPERATION, "no geometry shader");
}

fn link_errors(_: &Env) {
    let good = source("points", "points, max_vertices = 1", "put(place[0]);");
    let without_vertex = [(gl::GEOMETRY_SHADER, good.as_str()), (gl::FRAGMENT_SHADER, FS)];
    assert!(try_program(&without_vertex, |_| {}).is_err(), "no vertex shader");
    let no_layout = good.replace("layout(points) in;", "");
    let stages = [(gl::VERTEX_SHADER, VS), (gl::GEOMETRY_SHADER, no_layout.as_str()), (gl::FRAGMENT_SHADER, FS)];
    assert!(try_program(&stages, |_| {}).is_err(), "no input layout");
    let other_type = good.replace("in vec2 place[]", "in vec3 place[]").replace("put(place[0])", "put(place[0].xy)");
    let stages = [(gl::VERTEX_SHADER, VS), (gl::GEOMETRY_SHADER, other_type.as_str()), (gl::FRAGMENT_SHADER, FS)];
    assert!(try_program(&stages, |_| {}).is_err(), "types differ");
}
