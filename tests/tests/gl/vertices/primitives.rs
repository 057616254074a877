//! Every primitive mode with the pixels it lights, and which vertex a flat output comes from:
//! GL 3.3 core 2.6.1, 2.18 (provoking vertex) and chapter 3 (rasterisation).

use gallite_tests::draw::{
    Image, Target, buffer, expect_error, gen_vertex_array, get_i32, program, program_with, require_extension,
    vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): points, point_size_from_state, program_point_size, point_coord_upper_left,
        point_coord_lower_left, lines, line_strip, line_loop, line_loop_elements, triangles,
        triangle_strip, triangle_fan, lines_adjacency, line_strip_adjacency, triangles_adjacency,
        triangle_strip_adjacency, incomplete_primitives_are_dropped, provoking_vertex_of_triangles,
        provoking_vertex_of_strips_and_fans, provoking_vertex_of_lines, provoking_vertex_by_extension, steep_line,
        triangle_edges_are_shared_once;
}

pub const WHITE: [u8; 4] = [255; 4];

/// Attribute 0 is a pixel centre of a 16x16 image.
const PIXEL_VS: &str = "#version 330 core
layout(location = 0) in vec2 pixel;
void main() { gl_Position = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0); gl_PointSize = 3.0; }
";
/// Writes white.
pub const WHITE_FS: &str = "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
";

/// A 16x16 image, drawn to in white by pixel.
pub fn canvas() -> Target {
    let target = Target::new(16, 16);
    program(PIXEL_VS, WHITE_FS);
    gl::BindVertexArray(gen_vertex_array());
    target
}

fn vertices(points: &[[f32; 2]]) -> i32 {
    buffer(gl::ARRAY_BUFFER, points);
    vertex_attrib(0, 2, 0, 0);
    points.len() as i32
}

fn draw(mode: u32, points: &[[f32; 2]]) {
    gl::DrawArrays(mode, 0, vertices(points));
}

#[track_caller]
fn expect_lit(image: &Image, lit: &[(i32, i32)]) {
    image.expect_each(|x, y| if lit.contains(&(x, y)) { WHITE } else { [0; 4] });
}

fn points(_: &Env) {
    let target = canvas();
    draw(gl::POINTS, &[[0.0, 0.0], [15.0, 15.0], [3.0, 7.0]]);
    expect_lit(&target.image(), &[(0, 0), (15, 15), (3, 7)]);
}

/// 3.4: without PROGRAM_POINT_SIZE the size is that of glPointSize, whatever the shader writes.
fn point_size_from_state(_: &Env) {
    let target = canvas();
    gl::PointSize(4.0);
    draw(gl::POINTS, &[[7.5, 7.5]]);
    target.image().expect_rect([6, 6, 4, 4], WHITE, [0; 4]);
}

fn program_point_size(_: &Env) {
    let target = canvas();
    gl::PointSize(1.0);
    gl::Enable(gl::PROGRAM_POINT_SIZE);
    draw(gl::POINTS, &[[4.0, 9.0]]);
    target.image().expect_rect([3, 8, 3, 3], WHITE, [0; 4]);
}

fn point_coord(origin: u32) -> Image {
    let target = canvas();
    program(
        PIXEL_VS,
        "#version 330 core
out vec4 result;
void main() { result = vec4(gl_PointCoord, 0.0, 1.0); }
",
    );
    gl::PointSize(4.0);
    gl::PointParameteri(gl::POINT_SPRITE_COORD_ORIGIN, origin as i32);
    draw(gl::POINTS, &[[7.5, 7.5]]);
    target.image()
}

/// 3.4.1: t runs down from the top by default.
fn point_coord_upper_left(_: &Env) {
    let image = point_coord(gl::UPPER_LEFT);
    image.expect_each_near(1, |x, y| {
        if (6..10).contains(&x) && (6..10).contains(&y) {
            [32 + 64 * (x - 6) as u8, 32 + 64 * (9 - y) as u8, 0, 255]
        } else {
            [0; 4]
        }
    });
}

fn point_coord_lower_left(_: &Env) {
    let image = point_coord(gl::LOWER_LEFT);
    image.expect_each_near(1, |x, y| {
        if (6..10).contains(&x) && (6..10).contains(&y) {
            [32 + 64 * (x - 6) as u8, 32 + 64 * (y - 6) as u8, 0, 255]
        } else {
            [0; 4]
        }
    });
}

/// 3.5.1, the diamond-exit rule: the pixel of the last vertex stays unlit.
fn lines(_: &Env) {
    let target = canvas();
    draw(gl::LINES, &[[1.0, 2.0], [5.0, 2.0], [8.0, 3.0], [8.0, 6.0]]);
    let lit = [(1, 2), (2, 2), (3, 2), (4, 2), (8, 3), (8, 4), (8, 5)];
    expect_lit(&target.image(), &lit);
}

const CORNER: [[f32; 2]; 3] = [[2.0, 2.0], [5.0, 2.0], [5.0, 5.0]];

fn line_strip(_: &Env) {
    let target = canvas();
    draw(gl::LINE_STRIP, &CORNER);
    expect_lit(&target.image(), &[(2, 2), (3, 2), (4, 2), (5, 2), (5, 3), (5, 4)]);
}

const LOOP: [[f32; 2]; 4] = [[2.0, 2.0], [5.0, 2.0], [5.0, 5.0], [2.0, 5.0]];

fn is_on_loop(x: i32, y: i32) -> bool {
    (2..=5).contains(&x) && (2..=5).contains(&y) && (x == 2 || x == 5 || y == 2 || y == 5)
}

fn line_loop(_: &Env) {
    let target = canvas();
    draw(gl::LINE_LOOP, &LOOP);
    target.image().expect_each(|x, y| if is_on_loop(x, y) { WHITE } else { [0; 4] });
}

fn line_loop_elements(_: &Env) {
    let target = canvas();
    vertices(&LOOP);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[9_u8, 0, 1, 2, 3]);
    gl::DrawElements(gl::LINE_LOOP, 4, gl::UNSIGNED_BYTE, std::ptr::dangling());
    target.image().expect_each(|x, y| if is_on_loop(x, y) { WHITE } else { [0; 4] });
}

/// Corners on pixel corners, so that no sample lies on an edge except the diagonal.
const BOX: [[f32; 2]; 4] = [[1.5, 1.5], [9.5, 1.5], [1.5, 9.5], [9.5, 9.5]];

fn triangles(_: &Env) {
    let target = canvas();
    draw(gl::TRIANGLES, &[BOX[0], BOX[1], BOX[2], BOX[2], BOX[1], BOX[3]]);
    target.image().expect_rect([2, 2, 8, 8], WHITE, [0; 4]);
}

fn triangle_strip(_: &Env) {
    let target = canvas();
    draw(gl::TRIANGLE_STRIP, &BOX);
    target.image().expect_rect([2, 2, 8, 8], WHITE, [0; 4]);
}

fn triangle_fan(_: &Env) {
    let target = canvas();
    draw(gl::TRIANGLE_FAN, &[BOX[0], BOX[1], BOX[3], BOX[2]]);
    target.image().expect_rect([2, 2, 8, 8], WHITE, [0; 4]);
}

/// 2.6.1: without a geometry shader the adjacent vertices are ignored.
fn lines_adjacency(_: &Env) {
    let target = canvas();
    draw(gl::LINES_ADJACENCY, &[[0.0, 9.0], [1.0, 2.0], [4.0, 2.0], [9.0, 9.0]]);
    expect_lit(&target.image(), &[(1, 2), (2, 2), (3, 2)]);
}

fn line_strip_adjacency(_: &Env) {
    let target = canvas();
    let points = [[0.0, 9.0], CORNER[0], CORNER[1], CORNER[2], [12.0, 12.0]];
    draw(gl::LINE_STRIP_ADJACENCY, &points);
    expect_lit(&target.image(), &[(2, 2), (3, 2), (4, 2), (5, 2), (5, 3), (5, 4)]);
}

fn triangles_adjacency(_: &Env) {
    let target = canvas();
    let far = [15.0, 15.0];
    let points = [BOX[0], far, BOX[1], far, BOX[2], far, BOX[2], far, BOX[1], far, BOX[3], far];
    draw(gl::TRIANGLES_ADJACENCY, &points);
    target.image().expect_rect([2, 2, 8, 8], WHITE, [0; 4]);
}

fn triangle_strip_adjacency(_: &Env) {
    let target = canvas();
    let far = [15.0, 15.0];
    draw(gl::TRIANGLE_STRIP_ADJACENCY, &[BOX[0], far, BOX[1], far, BOX[2], far, BOX[3], far]);
    target.image().expect_rect([2, 2, 8, 8], WHITE, [0; 4]);
}

/// 2.6.1: vertices that do not complete a primitive are ignored.
fn incomplete_primitives_are_dropped(_: &Env) {
    let target = canvas();
    draw(gl::TRIANGLES, &[BOX[0], BOX[1], BOX[2], [0.0, 0.0], [15.0, 15.0]]);
    let before = target.image();
    target.clear([0.0; 4]);
    draw(gl::TRIANGLES, &[BOX[0], BOX[1], BOX[2]]);
    assert_eq!(before, target.image());
    target.clear([0.0; 4]);
    draw(gl::LINES, &[[1.0, 1.0]]);
    draw(gl::LINE_STRIP, &[[1.0, 1.0]]);
    draw(gl::LINE_LOOP, &[[1.0, 1.0]]);
    draw(gl::TRIANGLE_STRIP, &BOX[..2]);
    draw(gl::TRIANGLE_FAN, &BOX[..2]);
    draw(gl::LINES_ADJACENCY, &BOX[..3]);
    target.image().expect_all([0; 4]);
}

/// Each vertex has its number as a flat red value.
fn flat_canvas() -> Target {
    let target = canvas();
    program_with(
        &[
            (
                gl::VERTEX_SHADER,
                "#version 330 core
layout(location = 0) in vec2 pixel;
flat out float number;
void main() {
    gl_Position = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0);
    number = float(gl_VertexID + 1) / 255.0;
}
",
            ),
            (
                gl::FRAGMENT_SHADER,
                "#version 330 core
flat in float number;
out vec4 result;
void main() { result = vec4(number, 0.0, 0.0, 1.0); }
",
            ),
        ],
        |_| {},
    )
    .bind();
    target
}

/// 2.18: the last vertex by default, the first with FIRST_VERTEX_CONVENTION.
fn provoking_vertex_of_triangles(_: &Env) {
    let target = flat_canvas();
    let points = [BOX[0], BOX[1], BOX[2], BOX[3], BOX[2], BOX[1]];
    draw(gl::TRIANGLES, &points);
    let image = target.image();
    image.expect(3, 3, [3, 0, 0, 255]);
    image.expect(8, 8, [6, 0, 0, 255]);
    gl::ProvokingVertex(gl::FIRST_VERTEX_CONVENTION);
    draw(gl::TRIANGLES, &points);
    let image = target.image();
    image.expect(3, 3, [1, 0, 0, 255]);
    image.expect(8, 8, [4, 0, 0, 255]);
}

/// Table 2.14 (provoking vertex selection): strip triangle i provokes i or i + 2, fan triangle i
/// provokes i + 1 or i + 2 (numbers from 1).
fn provoking_vertex_of_strips_and_fans(_: &Env) {
    let target = flat_canvas();
    for (convention, strip, fan) in
        [(gl::LAST_VERTEX_CONVENTION, [3, 4], [3, 4]), (gl::FIRST_VERTEX_CONVENTION, [1, 2], [2, 3])]
    {
        gl::ProvokingVertex(convention);
        target.clear([0.0; 4]);
        draw(gl::TRIANGLE_STRIP, &BOX);
        let image = target.image();
        image.expect(3, 3, [strip[0], 0, 0, 255]);
        image.expect(8, 8, [strip[1], 0, 0, 255]);
        target.clear([0.0; 4]);
        draw(gl::TRIANGLE_FAN, &[BOX[0], BOX[1], BOX[3], BOX[2]]);
        let image = target.image();
        image.expect(8, 3, [fan[0], 0, 0, 255]);
        image.expect(3, 8, [fan[1], 0, 0, 255]);
    }
}

/// A line strip provokes i or i + 1; the closing line of a loop provokes n or 1.
fn provoking_vertex_of_lines(_: &Env) {
    let target = flat_canvas();
    for (convention, strip, closing) in
        [(gl::LAST_VERTEX_CONVENTION, [2, 3], 1), (gl::FIRST_VERTEX_CONVENTION, [1, 2], 4)]
    {
        gl::ProvokingVertex(convention);
        target.clear([0.0; 4]);
        draw(gl::LINE_LOOP, &LOOP);
        let image = target.image();
        image.expect(3, 2, [strip[0], 0, 0, 255]);
        image.expect(5, 3, [strip[1], 0, 0, 255]);
        image.expect(2, 4, [closing, 0, 0, 255]);
    }
}

/// EXT_provoking_vertex: its command is the one of GL 3.2.
fn provoking_vertex_by_extension(_: &Env) {
    require_extension("GL_EXT_provoking_vertex");
    let target = flat_canvas();
    gl::ProvokingVertexEXT(gl::FIRST_VERTEX_CONVENTION);
    assert_eq!(get_i32(gl::PROVOKING_VERTEX) as u32, gl::FIRST_VERTEX_CONVENTION);
    draw(gl::TRIANGLES, &[BOX[0], BOX[1], BOX[2], BOX[3], BOX[2], BOX[1]]);
    let image = target.image();
    image.expect(3, 3, [1, 0, 0, 255]);
    image.expect(8, 8, [4, 0, 0, 255]);
    gl::ProvokingVertexEXT(gl::FRONT);
    expect_error(gl::INVALID_ENUM, "no convention");
    assert_eq!(get_i32(gl::PROVOKING_VERTEX) as u32, gl::FIRST_VERTEX_CONVENTION);
}

/// A y-major line lights one pixel per row.
fn steep_line(_: &Env) {
    let target = canvas();
    draw(gl::LINES, &[[3.0, 1.0], [5.0, 9.0]]);
    let image = target.image();
    assert_eq!(image.count(WHITE), 8);
    for y in 1..9 {
        assert_eq!((0..16).filter(|x| image.at(*x, y) == WHITE).count(), 1, "row {y}");
    }
}

/// 3.6.1: of two triangles that share an edge, exactly one owns each sample on it.
fn triangle_edges_are_shared_once(_: &Env) {
    let target = canvas();
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::ONE, gl::ONE);
    program(
        PIXEL_VS,
        "#version 330 core
out vec4 result;
void main() { result = vec4(64.0 / 255.0); }
",
    );
    // Corners on pixel centres: many samples lie exactly on the shared diagonal.
    draw(gl::TRIANGLE_STRIP, &[[2.0, 2.0], [10.0, 2.0], [2.0, 10.0], [10.0, 10.0]]);
    let image = target.image();
    assert_eq!(image.count([128; 4]), 0, "a sample was drawn twice");
    assert_eq!(image.count([64; 4]), 64);
}
