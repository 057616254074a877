//! Viewport, clipping, culling, polygon modes and offsets: GL 3.3 core 2.13, 2.19 and chapter 3.

use gallite_tests::draw::{
    Image, Program, SOLID_FS, Target, buffer, debug_messages, depth_stencil_target, expect_error, expect_near,
    gen_vertex_array, get_i32, get_i32s, has_extension, program, quad, read_pixels, require_extension, run_float,
    solid, solid_at_depth, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): viewport_places_and_scales, viewport_clips_primitives, culling_and_front_face, facing_in_the_fragment,
        polygon_mode_line, polygon_mode_point, polygon_mode_leaves_lines_alone, polygon_offset_units,
        polygon_offset_factor, polygon_offset_clamp, polygon_offset_of_lines_and_points, clip_distances_cut, disabled_clip_distances_do_not,
        clip_distances_of_lines_and_points, distances_reach_fragments, near_and_far_planes_cut, depth_clamp_does_not_cut, wide_lines,
        fragment_coordinates, interpolation_is_perspective, rasterizer_discard, points_off_centre_are_clipped_by_centre;
    render core(3, 3): smooth_lines_have_partial_coverage, smooth_polygons_are_told_of;
    every core(3, 3): errors, state;
}

const WHITE: [u8; 4] = [255; 4];
const GREEN: [u8; 4] = [0, 255, 0, 255];

fn strip(points: &[[f32; 4]], mode: u32) {
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, points);
    vertex_attrib(0, 4, 0, 0);
    gl::DrawArrays(mode, 0, points.len() as i32);
}

fn viewport_places_and_scales(_: &Env) {
    let target = Target::new(16, 16);
    solid([1.0; 4]);
    gl::Viewport(3, 5, 8, 4);
    quad();
    target.image().expect_rect([3, 5, 8, 4], WHITE, [0; 4]);
    target.clear([0.0; 4]);
    gl::Viewport(-8, -8, 16, 16);
    quad();
    target.image().expect_rect([0, 0, 8, 8], WHITE, [0; 4]);
    target.clear([0.0; 4]);
    gl::Viewport(4, 4, 0, 8);
    quad();
    target.image().expect_all([0; 4]);
}

/// 2.19: primitives are clipped to the view volume, so a viewport bounds filled ones.
fn viewport_clips_primitives(_: &Env) {
    let target = Target::new(16, 16);
    solid([1.0; 4]);
    gl::Viewport(4, 4, 8, 8);
    let far = [[-9.0, -9.0, 0.0, 1.0], [9.0, -9.0, 0.0, 1.0], [-9.0, 9.0, 0.0, 1.0], [9.0, 9.0, 0.0, 1.0]];
    strip(&far, gl::TRIANGLE_STRIP);
    target.image().expect_rect([4, 4, 8, 8], WHITE, [0; 4]);
}

/// 3.6.1: the quad is counter-clockwise.
fn culling_and_front_face(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0; 4]);
    gl::Enable(gl::CULL_FACE);
    for (front, cull, visible) in [
        (gl::CCW, gl::BACK, true),
        (gl::CCW, gl::FRONT, false),
        (gl::CW, gl::BACK, false),
        (gl::CW, gl::FRONT, true),
        (gl::CCW, gl::FRONT_AND_BACK, false),
    ] {
        target.clear([0.0; 4]);
        gl::FrontFace(front);
        gl::CullFace(cull);
        quad();
        target.image().expect_all(if visible { WHITE } else { [0; 4] });
    }
    // Points and lines have no faces.
    strip(&[[-1.0, 0.1, 0.0, 1.0], [1.0, 0.1, 0.0, 1.0]], gl::LINES);
    assert!(target.image().count(WHITE) >= 3);
}

fn facing_in_the_fragment(_: &Env) {
    let target = Target::new(4, 4);
    let fragment = "#version 330 core
out vec4 result;
void main() { result = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }
";
    program(gallite_tests::draw::SOLID_VS, fragment);
    quad();
    target.image().expect_all(GREEN);
    gl::FrontFace(gl::CW);
    quad();
    target.image().expect_all([255, 0, 0, 255]);
}

/// Attribute 0 is a pixel centre of a 16x16 image.
fn pixels() -> (Target, Program) {
    let target = Target::new(16, 16);
    let vertex = "#version 330 core
layout(location = 0) in vec2 pixel;
void main() { gl_Position = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0); }
";
    let program = program(vertex, SOLID_FS);
    program.set4f("colour", [1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    (target, program)
}

fn pixel_triangle() {
    buffer(gl::ARRAY_BUFFER, &[[2.0_f32, 2.0], [10.0, 2.0], [2.0, 10.0]]);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
}

fn is_outline(x: i32, y: i32) -> bool {
    let inside = x >= 2 && y >= 2 && x + y <= 12;
    inside && (x == 2 || y == 2 || x + y == 12)
}

/// 3.6.4: the edges are drawn as lines.
fn polygon_mode_line(_: &Env) {
    let (target, _) = pixels();
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::LINE);
    pixel_triangle();
    let image = target.image();
    // The corners belong to the line that begins there, or to none.
    let corners = [(2, 2), (10, 2), (2, 10)];
    image.expect_each(|x, y| {
        if corners.contains(&(x, y)) {
            image.at(x, y)
        } else if is_outline(x, y) {
            WHITE
        } else {
            [0; 4]
        }
    });
}

fn polygon_mode_point(_: &Env) {
    let (target, _) = pixels();
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::POINT);
    pixel_triangle();
    target.image().expect_each(|x, y| if [(2, 2), (10, 2), (2, 10)].contains(&(x, y)) { WHITE } else { [0; 4] });
    target.clear([0.0; 4]);
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::FILL);
    pixel_triangle();
    target.image().expect(4, 4, WHITE);
}

fn polygon_mode_leaves_lines_alone(_: &Env) {
    let (target, _) = pixels();
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::POINT);
    buffer(gl::ARRAY_BUFFER, &[[2.0_f32, 3.0], [6.0, 3.0]]);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::LINES, 0, 2);
    target.image().expect_each(|x, y| if y == 3 && (2..6).contains(&x) { WHITE } else { [0; 4] });
}

fn depth_at(x: i32, y: i32) -> f32 {
    read_pixels::<f32>([x, y, 1, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1)[0]
}

/// 3.6.5: units times the least resolvable difference, which on 24 bits is 2^-24.
fn polygon_offset_units(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    solid_at_depth([1.0; 4], 0.0);
    quad();
    let plain = depth_at(1, 1);
    assert!((plain - 0.5).abs() < 1e-6, "{plain}");
    gl::Enable(gl::POLYGON_OFFSET_FILL);
    for units in [4096.0, -4096.0] {
        gl::PolygonOffset(0.0, units);
        quad();
        let moved = f64::from(depth_at(1, 1)) - f64::from(plain);
        let least = moved / f64::from(units);
        assert!(least > 2e-8 && least < 2.5e-7, "{least}");
    }
    gl::Disable(gl::POLYGON_OFFSET_FILL);
    quad();
    assert_eq!(depth_at(1, 1), plain);
}

/// 3.6.5: factor times the slope; z runs by 1/16 of the depth range per pixel here.
fn polygon_offset_factor(_: &Env) {
    depth_stencil_target(16, 16);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    solid([1.0; 4]);
    let slope = [[-1.0, -1.0, -1.0, 1.0], [1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, -1.0, 1.0], [1.0, 1.0, 1.0, 1.0]];
    strip(&slope, gl::TRIANGLE_STRIP);
    let plain = depth_at(5, 5);
    assert!((plain - 5.5 / 16.0).abs() < 1e-5, "{plain}");
    gl::Enable(gl::POLYGON_OFFSET_FILL);
    gl::PolygonOffset(2.0, 0.0);
    strip(&slope, gl::TRIANGLE_STRIP);
    let moved = depth_at(5, 5) - plain;
    assert!((moved - 2.0 / 16.0).abs() < 1e-4, "{moved}");
    // The result is clamped to the range of depths.
    gl::PolygonOffset(100.0, 0.0);
    strip(&slope, gl::TRIANGLE_STRIP);
    assert_eq!(depth_at(5, 5), 1.0);
}

/// GL 4.6 core 14.6.5: the offset is no further from zero than the clamp.
fn polygon_offset_clamp(_: &Env) {
    depth_stencil_target(4, 4);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    gl::Enable(gl::POLYGON_OFFSET_FILL);
    solid_at_depth([1.0; 4], 0.0);
    let offset = |units, clamp| {
        gl::PolygonOffsetClamp(0.0, units, clamp);
        quad();
        depth_at(1, 1) - 0.5
    };
    if has_extension("GL_ARB_polygon_offset_clamp") {
        for (units, clamp) in [(1e6, 0.01_f32), (-1e6, -0.01)] {
            let (clamped, free) = (offset(units, clamp), offset(units, 0.0));
            assert!((clamped - clamp).abs() < 1e-5, "{clamped}, clamped to {clamp}");
            assert!(free.abs() > 0.02 && free.signum() == clamp.signum(), "{free} without a clamp");
        }
    } else {
        // What the device can't do is refused, and not drawn in some other way.
        gl::PolygonOffsetClamp(0.0, 1e6, 0.01);
        expect_error(gl::INVALID_OPERATION, "a clamp that there is not");
        quad();
        assert!((depth_at(1, 1) - 0.5).abs() < 1e-6, "an offset that was refused");
        assert!([get_i32(gl::MAJOR_VERSION), get_i32(gl::MINOR_VERSION)] < [4, 6], "which OpenGL 4.6 has");
    }
}

/// 3.6.5: each polygon mode has an enable of its own.
fn polygon_offset_of_lines_and_points(_: &Env) {
    depth_stencil_target(8, 8);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    solid_at_depth([1.0; 4], 0.0);
    gl::PolygonOffset(0.0, 100_000.0);
    let corner = || {
        gl::Clear(gl::DEPTH_BUFFER_BIT);
        gl::BindVertexArray(gen_vertex_array());
        buffer(gl::ARRAY_BUFFER, &[-0.625_f32, -0.625, 0.875, -0.625, -0.625, 0.875]);
        vertex_attrib(0, 2, 0, 0);
        gl::DrawArrays(gl::TRIANGLES, 0, 3);
    };
    for (mode, own, place) in
        [(gl::LINE, gl::POLYGON_OFFSET_LINE, (3, 1)), (gl::POINT, gl::POLYGON_OFFSET_POINT, (1, 1))]
    {
        gl::PolygonMode(gl::FRONT_AND_BACK, mode);
        gl::Enable(gl::POLYGON_OFFSET_FILL);
        corner();
        assert!((depth_at(place.0, place.1) - 0.5).abs() < 1e-6, "mode {mode:#x}, the enable of fill");
        gl::Enable(own);
        corner();
        assert!(depth_at(place.0, place.1) > 0.502, "mode {mode:#x}, its own enable");
        gl::Disable(own);
        gl::Disable(gl::POLYGON_OFFSET_FILL);
    }
}

/// Writes two clip distances: x and y of the vertex.
const CLIP_VS: &str = "#version 330 core
layout(location = 0) in vec4 position;
out float gl_ClipDistance[2];
void main() { gl_Position = position; gl_ClipDistance[0] = position.x; gl_ClipDistance[1] = position.y; }
";

fn clipped() -> Target {
    let target = Target::new(8, 8);
    program(CLIP_VS, SOLID_FS).set4f("colour", [1.0; 4]);
    target
}

fn clip_distances_cut(_: &Env) {
    let target = clipped();
    gl::Enable(gl::CLIP_DISTANCE0);
    quad();
    target.image().expect_rect([4, 0, 4, 8], WHITE, [0; 4]);
    target.clear([0.0; 4]);
    gl::Enable(gl::CLIP_DISTANCE0 + 1);
    quad();
    target.image().expect_rect([4, 4, 4, 4], WHITE, [0; 4]);
    target.clear([0.0; 4]);
    gl::Disable(gl::CLIP_DISTANCE0);
    quad();
    target.image().expect_rect([0, 4, 8, 4], WHITE, [0; 4]);
}

fn disabled_clip_distances_do_not(_: &Env) {
    let target = clipped();
    quad();
    target.image().expect_all(WHITE);
}

fn clip_distances_of_lines_and_points(_: &Env) {
    let target = clipped();
    gl::Enable(gl::CLIP_DISTANCE0);
    strip(&[[-1.0, 0.1, 0.0, 1.0], [1.0, 0.1, 0.0, 1.0]], gl::LINES);
    target.image().expect_rect([4, 4, 4, 1], WHITE, [0; 4]);
    target.clear([0.0; 4]);
    strip(&[[-0.4, 0.1, 0.0, 1.0], [0.4, 0.1, 0.0, 1.0]], gl::POINTS);
    target.image().expect_rect([5, 4, 1, 1], WHITE, [0; 4]);
}

/// GLSL 4.60 7.1.5: a fragment sees the distances that were written, whichever are enabled.
fn distances_reach_fragments(_: &Env) {
    require_extension("GL_ARB_cull_distance");
    let vertex = "#version 330 core
#extension GL_ARB_cull_distance : require
layout(location = 0) in vec4 position;
out float gl_ClipDistance[5]; out float gl_CullDistance[3];
void main() {
    gl_Position = position;
    for (int i = 0; i < 5; i++) gl_ClipDistance[i] = float(i + 1);
    for (int i = 0; i < 3; i++) gl_CullDistance[i] = float(10 * (i + 1));
}
";
    let both = "#version 330 core
#extension GL_ARB_cull_distance : require
in float gl_ClipDistance[5]; in float gl_CullDistance[3]; out vec4 result;
void main() { result = vec4(gl_ClipDistance[0], gl_ClipDistance[4], gl_CullDistance[0], gl_CullDistance[2]); }
";
    let one = "#version 330 core
#extension GL_ARB_cull_distance : require
in float gl_CullDistance[3]; out vec4 result;
void main() { result = vec4(gl_CullDistance[0], gl_CullDistance[1], gl_CullDistance[2], 0.0); }
";
    for (fragment, expected) in [(both, [1.0, 5.0, 10.0, 30.0]), (one, [10.0, 20.0, 30.0, 0.0])] {
        let program = program(vertex, fragment);
        for enabled in [&[][..], &[1], &[0, 1, 2, 3, 4]] {
            enabled.iter().for_each(|plane| gl::Enable(gl::CLIP_DISTANCE0 + plane));
            expect_near(&run_float(program), &expected, 1e-5);
            enabled.iter().for_each(|plane| gl::Disable(gl::CLIP_DISTANCE0 + plane));
        }
        program.delete();
    }
}

/// A quad whose z runs from -2 at the left to 2 at the right.
fn deep(target: &Target) -> Image {
    target.clear([0.0; 4]);
    let points = [[-1.0, -1.0, -2.0, 1.0], [1.0, -1.0, 2.0, 1.0], [-1.0, 1.0, -2.0, 1.0], [1.0, 1.0, 2.0, 1.0]];
    strip(&points, gl::TRIANGLE_STRIP);
    target.image()
}

fn near_and_far_planes_cut(_: &Env) {
    let target = Target::new(16, 4);
    solid([1.0; 4]);
    deep(&target).expect_rect([4, 0, 8, 4], WHITE, [0; 4]);
}

/// 2.19 and 4.1.5: with DEPTH_CLAMP nothing is cut at near and far; depths are clamped to the depth range.
fn depth_clamp_does_not_cut(_: &Env) {
    let (target, _) = depth_stencil_target(16, 4);
    solid([1.0; 4]);
    gl::Enable(gl::DEPTH_CLAMP);
    gl::Enable(gl::DEPTH_TEST);
    gl::DepthFunc(gl::ALWAYS);
    deep(&target).expect_all(WHITE);
    assert_eq!([depth_at(1, 1), depth_at(14, 1)], [0.0, 1.0]);
    assert!((depth_at(7, 1) - (7.5 / 8.0 * 2.0 - 1.0) / 2.0).abs() < 1e-3 || depth_at(7, 1) > 0.3);
    gl::DepthRange(0.25, 0.75);
    deep(&target).expect_all(WHITE);
    assert!((depth_at(1, 1) - 0.25).abs() < 1e-6 && (depth_at(14, 1) - 0.75).abs() < 1e-6);
}

/// 3.5.2: a wide line is widened across its minor axis.
fn wide_lines(_: &Env) {
    let range: [i32; 2] = get_i32s(gl::ALIASED_LINE_WIDTH_RANGE);
    if range[1] < 3 {
        gallite_tests::harness::skip("no wide lines");
    }
    let (target, _) = pixels();
    gl::LineWidth(3.0);
    buffer(gl::ARRAY_BUFFER, &[[2.0_f32, 5.0], [8.0, 5.0]]);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::LINES, 0, 2);
    target.image().expect_rect([2, 4, 6, 3], WHITE, [0; 4]);
}

/// 3.5.3: the alpha of a smooth line's fragments is multiplied by their coverage.
fn smooth_lines_have_partial_coverage(_: &Env) {
    let (target, _) = pixels();
    gl::Enable(gl::BLEND);
    gl::BlendFunc(gl::SRC_ALPHA, gl::ONE_MINUS_SRC_ALPHA);
    let drawn = || {
        target.clear([0.0; 4]);
        buffer(gl::ARRAY_BUFFER, &[[1.0_f32, 2.0], [13.0, 7.0]]);
        vertex_attrib(0, 2, 0, 0);
        gl::DrawArrays(gl::LINES, 0, 2);
        let image = target.image();
        let reds = (0..16).flat_map(|y| (0..16).map(move |x| (x, y))).map(|(x, y)| image.at(x, y)[0]);
        reds.collect::<Vec<u8>>()
    };
    let partial = |reds: &[u8]| reds.iter().filter(|red| (1..255).contains(*red)).count();
    let plain = drawn();
    assert_eq!((partial(&plain), plain.iter().filter(|red| **red == 255).count()), (0, 12));
    gl::Enable(gl::LINE_SMOOTH);
    let smooth = drawn();
    assert!(partial(&smooth) >= 12, "{smooth:?}");
    // A line of width 1 covers about its length.
    let sum = smooth.iter().map(|red| f32::from(*red) / 255.0).sum::<f32>();
    assert!((10.0..17.0).contains(&sum), "{sum}");
    gl::Disable(gl::LINE_SMOOTH);
    assert_eq!(drawn(), plain);
}

fn smooth_polygons_are_told_of(env: &Env) {
    if env.lane.is_system() {
        gallite_tests::harness::skip("the message is Gallite's");
    }
    gl::Enable(gl::DEBUG_OUTPUT);
    let (target, _) = pixels();
    gl::Enable(gl::POLYGON_SMOOTH);
    pixel_triangle();
    pixel_triangle();
    target.image().expect(3, 3, WHITE);
    let told = debug_messages().iter().filter(|text| text.contains("GL_POLYGON_SMOOTH")).count();
    assert_eq!(told, 1);
}

/// 3.12.2: gl_FragCoord is the pixel centre, the depth, and 1 / w.
fn fragment_coordinates(_: &Env) {
    Target::with_format(gl::RGBA32F, 4, 4);
    program(
        "#version 330 core\nlayout(location = 0) in vec2 p;\nvoid main() { gl_Position = vec4(p * 2.0, 0.5, 2.0); }\n",
        "#version 330 core\nout vec4 result;\nvoid main() { result = gl_FragCoord; }\n",
    );
    quad();
    let got: Vec<f32> = read_pixels([0, 0, 4, 4], gl::RGBA, gl::FLOAT, 4);
    for (at, pixel) in got.chunks(4).enumerate() {
        let expected = [(at % 4) as f32 + 0.5, (at / 4) as f32 + 0.5, 0.625, 0.5];
        gallite_tests::draw::expect_near(pixel, &expected, 1e-5);
    }
}

/// 3.5, 3.6.1: smooth outputs are divided by w, noperspective ones are linear on the screen.
fn interpolation_is_perspective(_: &Env) {
    Target::with_format(gl::RGBA32F, 8, 1);
    program(
        "#version 330 core
layout(location = 0) in vec2 p;
out float smooth_value;
noperspective out float linear_value;
void main() {
    float w = p.x > 0.0 ? 4.0 : 1.0;
    smooth_value = p.x * 0.5 + 0.5;
    linear_value = p.x * 0.5 + 0.5;
    gl_Position = vec4(p * w, 0.0, w);
}
",
        "#version 330 core
in float smooth_value;
noperspective in float linear_value;
out vec4 result;
void main() { result = vec4(smooth_value, linear_value, 0.0, 1.0); }
",
    );
    quad();
    let got: Vec<f32> = read_pixels([0, 0, 8, 1], gl::RGBA, gl::FLOAT, 4);
    for (at, pixel) in got.chunks(4).enumerate() {
        let t = (at as f32 + 0.5) / 8.0;
        let perspective = (t / 4.0) / ((1.0 - t) + t / 4.0);
        gallite_tests::draw::expect_near(&pixel[..2], &[perspective, t], 1e-4);
    }
}

fn rasterizer_discard(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0; 4]);
    gl::Enable(gl::RASTERIZER_DISCARD);
    quad();
    // 3.1: clears are discarded as well.
    gl::ClearColor(1.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Disable(gl::RASTERIZER_DISCARD);
    target.image().expect_all([0; 4]);
}

/// 2.19: a point outside of the view volume is clipped even where its square would reach in.
fn points_off_centre_are_clipped_by_centre(_: &Env) {
    let target = Target::new(8, 8);
    solid([1.0; 4]);
    gl::PointSize(4.0);
    strip(&[[0.0, 0.0, 3.0, 1.0]], gl::POINTS);
    target.image().expect_all([0; 4]);
    strip(&[[0.0, 0.0, 0.0, 1.0]], gl::POINTS);
    target.image().expect_rect([2, 2, 4, 4], WHITE, [0; 4]);
}

fn errors(_: &Env) {
    gl::Viewport(0, 0, -1, 4);
    expect_error(gl::INVALID_VALUE, "negative width");
    gl::CullFace(gl::CW);
    expect_error(gl::INVALID_ENUM, "face");
    gl::FrontFace(gl::FRONT);
    expect_error(gl::INVALID_ENUM, "direction");
    gl::PolygonMode(gl::FRONT, gl::LINE);
    expect_error(gl::INVALID_ENUM, "core profile: both faces only");
    gl::PolygonMode(gl::FRONT_AND_BACK, gl::QUADS);
    expect_error(gl::INVALID_ENUM, "mode");
    gl::LineWidth(0.0);
    expect_error(gl::INVALID_VALUE, "width");
    gl::PointSize(-1.0);
    expect_error(gl::INVALID_VALUE, "size");
    gl::ProvokingVertex(gl::FRONT);
    expect_error(gl::INVALID_ENUM, "convention");
    gl::PointParameteri(gl::POINT_SPRITE_COORD_ORIGIN, gl::FRONT as i32);
    expect_error(gl::INVALID_ENUM, "origin");
    gl::PointParameterf(gl::POINT_FADE_THRESHOLD_SIZE, -1.0);
    expect_error(gl::INVALID_VALUE, "threshold");
}

fn state(_: &Env) {
    let most: [i32; 2] = get_i32s(gl::MAX_VIEWPORT_DIMS);
    gl::Viewport(1, 2, i32::MAX, i32::MAX);
    assert_eq!(get_i32s(gl::VIEWPORT), [1, 2, most[0], most[1]], "clamped");
    gl::CullFace(gl::FRONT);
    gl::FrontFace(gl::CW);
    gl::ProvokingVertex(gl::FIRST_VERTEX_CONVENTION);
    assert_eq!(get_i32(gl::CULL_FACE_MODE) as u32, gl::FRONT);
    assert_eq!(get_i32(gl::FRONT_FACE) as u32, gl::CW);
    assert_eq!(get_i32(gl::PROVOKING_VERTEX) as u32, gl::FIRST_VERTEX_CONVENTION);
}
