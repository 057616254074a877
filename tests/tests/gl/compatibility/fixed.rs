//! Fixed function: GL 4.6 compatibility chapters 12 and 16, where the specification fixes the colour.

use super::{BLUE, GREEN, NOTHING, RED, WHITE, cover, image};
use gallite_tests::draw::{near, tex_parameter, texture_2d};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render compatibility(8, 8): matrices_move_vertices, directional_light, materials_follow_the_colour, two_sides,
        case_30_alpha_test, alpha_test_of_a_shader, fog_by_coordinate, linear_fog_by_distance, clip_planes, colour_sum,
        texture_environments, combiner, luminance_alpha_and_intensity, generated_coordinates, texture_matrix,
        incomplete_textures_are_off, point_sprites;
}

fn one_texel(format: u32, client: u32, texel: [u8; 4]) {
    texture_2d(format, 1, 1, client, gl::UNSIGNED_BYTE, Some(&texel));
    gl::Enable(gl::TEXTURE_2D);
}

fn drawn() -> [u8; 4] {
    gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
    cover();
    image().at(4, 4)
}

#[track_caller]
fn expect(colour: [u8; 4]) {
    let got = drawn();
    assert!(near(got, colour, 1), "{got:?}, expected {colour:?}");
}

fn matrices_move_vertices(_: &Env) {
    old::MatrixMode(old::PROJECTION);
    old::Ortho(0.0, 8.0, 0.0, 8.0, -1.0, 1.0);
    old::MatrixMode(old::MODELVIEW);
    old::Translatef(2.0, 3.0, 0.0);
    old::PushMatrix();
    old::Scalef(2.0, 1.0, 1.0);
    old::Rectf(0.0, 0.0, 2.0, 2.0);
    image().expect_rect([2, 3, 4, 2], WHITE, NOTHING);
    old::PopMatrix();
    gl::Clear(gl::COLOR_BUFFER_BIT);
    old::Rotatef(90.0, 0.0, 0.0, 1.0);
    old::Rectf(0.0, 0.0, 1.0, 1.0);
    image().expect_rect([1, 3, 1, 1], WHITE, NOTHING);
}

/// 12.2.1: ambient of the scene, plus diffuse by the angle.
fn directional_light(_: &Env) {
    gl::Enable(old::LIGHTING);
    gl::Enable(old::LIGHT0);
    old::LightModelfv(old::LIGHT_MODEL_AMBIENT, [0.0, 0.0, 0.0, 1.0].as_ptr());
    old::Materialfv(gl::FRONT_AND_BACK, old::DIFFUSE, [1.0, 0.5, 0.0, 1.0].as_ptr());
    old::Normal3f(0.0, 0.0, 1.0);
    expect([255, 128, 0, 255]);
    // 60 degrees away.
    old::Normal3f(0.0, 0.866_025_4, 0.5);
    expect([128, 64, 0, 255]);
    old::Normal3f(0.0, 0.0, -1.0);
    expect([0, 0, 0, 255]);
    old::Materialfv(gl::FRONT, old::AMBIENT, [0.0, 1.0, 0.0, 1.0].as_ptr());
    old::LightModelfv(old::LIGHT_MODEL_AMBIENT, [0.2, 0.4, 0.6, 1.0].as_ptr());
    expect([0, 102, 0, 255]);
}

fn materials_follow_the_colour(_: &Env) {
    gl::Enable(old::LIGHTING);
    old::LightModelfv(old::LIGHT_MODEL_AMBIENT, [1.0, 1.0, 1.0, 1.0].as_ptr());
    old::ColorMaterial(gl::FRONT, old::AMBIENT_AND_DIFFUSE);
    gl::Enable(old::COLOR_MATERIAL);
    old::Color4f(0.0, 1.0, 0.0, 1.0);
    expect(GREEN);
    gl::Disable(old::COLOR_MATERIAL);
    old::Color4f(1.0, 0.0, 0.0, 1.0);
    let mut ambient = [0.0; 4];
    old::GetMaterialfv(gl::FRONT, old::AMBIENT, ambient.as_mut_ptr());
    assert_eq!(ambient, [0.0, 1.0, 0.0, 1.0]);
    expect(GREEN);
}

/// 12.2.1: the back has its own material and the normal turned round.
fn two_sides(_: &Env) {
    gl::Enable(old::LIGHTING);
    old::LightModeli(old::LIGHT_MODEL_TWO_SIDE, 1);
    old::LightModelfv(old::LIGHT_MODEL_AMBIENT, [1.0; 4].as_ptr());
    old::Materialfv(gl::FRONT, old::AMBIENT, [1.0, 0.0, 0.0, 1.0].as_ptr());
    old::Materialfv(gl::BACK, old::AMBIENT, [0.0, 0.0, 1.0, 1.0].as_ptr());
    expect(RED);
    gl::FrontFace(gl::CW);
    expect(BLUE);
    gl::Enable(gl::CULL_FACE);
    gl::CullFace(gl::BACK);
    expect(NOTHING);
}

/// 17.3.3, also of draws that differ in the reference only.
fn case_30_alpha_test(_: &Env) {
    gl::Enable(old::ALPHA_TEST);
    old::Color4f(0.0, 1.0, 0.0, 0.5);
    for (func, below, above) in [
        (gl::NEVER, false, false),
        (gl::LESS, false, true),
        (gl::LEQUAL, false, true),
        (gl::GREATER, true, false),
        (gl::GEQUAL, true, false),
        (gl::EQUAL, false, false),
        (gl::NOTEQUAL, true, true),
        (gl::ALWAYS, true, true),
    ] {
        for (reference, passes) in [(0.25, below), (0.75, above)] {
            old::AlphaFunc(func, reference);
            let expected = if passes { [0, 255, 0, 128] } else { NOTHING };
            let got = drawn();
            assert!(near(got, expected, 1), "{func:#x} {reference}: {got:?}");
        }
    }
}

fn alpha_test_of_a_shader(_: &Env) {
    let p = gallite_tests::draw::program(
        "#version 120\nvoid main() { gl_Position = ftransform(); }",
        "#version 120\nuniform float a; void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, a); }",
    );
    p.bind();
    gl::Enable(old::ALPHA_TEST);
    old::AlphaFunc(gl::GREATER, 0.5);
    p.set1f("a", 1.0);
    expect(RED);
    p.set1f("a", 0.25);
    expect(NOTHING);
    old::AlphaFunc(gl::LESS, 0.5);
    expect([255, 0, 0, 64]);
    gl::Disable(old::ALPHA_TEST);
    p.set1f("a", 1.0);
    expect(RED);
}

/// 16.4: between 4 and 8, at 5: a quarter of the fog.
fn fog_by_coordinate(_: &Env) {
    gl::Enable(old::FOG);
    old::Fogi(old::FOG_MODE, gl::LINEAR as i32);
    old::Fogi(old::FOG_COORD_SRC, old::FOG_COORD as i32);
    old::Fogf(old::FOG_START, 4.0);
    old::Fogf(old::FOG_END, 8.0);
    old::Fogfv(old::FOG_COLOR, [0.0, 0.0, 1.0, 0.0].as_ptr());
    old::Color3f(1.0, 0.0, 0.0);
    old::FogCoordf(5.0);
    expect([191, 0, 64, 255]);
    old::FogCoordf(1.0);
    expect(RED);
    old::FogCoordf(9.0);
    expect(BLUE);
    old::Fogi(old::FOG_MODE, 0x0800); // GL_EXP
    old::Fogf(old::FOG_DENSITY, 0.0);
    expect(RED);
}

fn linear_fog_by_distance(_: &Env) {
    gl::Enable(old::FOG);
    old::Fogi(old::FOG_MODE, gl::LINEAR as i32);
    old::Fogfv(old::FOG_COLOR, [0.0, 0.0, 1.0, 0.0].as_ptr());
    old::Color3f(1.0, 0.0, 0.0);
    old::Begin(old::QUADS);
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
        old::Vertex3f(x, y, -0.5);
    }
    old::End();
    let got = image().at(4, 4);
    assert!(near(got, [128, 0, 128, 255], 1), "{got:?}");
}

/// 13.7: planes in eye coordinates, of fixed function and of a shader with and without gl_ClipVertex.
fn clip_planes(_: &Env) {
    old::ClipPlane(old::CLIP_PLANE0, [1.0, 0.0, 0.0, 0.0].as_ptr());
    old::ClipPlane(old::CLIP_PLANE0 + 1, [0.0, 1.0, 0.0, 0.0].as_ptr());
    gl::Enable(old::CLIP_PLANE0);
    let check = |inside: [i32; 4]| {
        gl::Clear(gl::COLOR_BUFFER_BIT);
        cover();
        image().expect_rect(inside, WHITE, NOTHING);
    };
    check([4, 0, 4, 8]);
    gl::Enable(old::CLIP_PLANE0 + 1);
    check([4, 4, 4, 4]);
    gl::Disable(old::CLIP_PLANE0);
    check([0, 4, 8, 4]);
    let fragment = "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }";
    let vertex = |code: &str| format!("#version 120\nvoid main() {{ gl_Position = ftransform(); {code} }}");
    gallite_tests::draw::program(&vertex("gl_ClipVertex = gl_ModelViewMatrix * gl_Vertex;"), fragment).bind();
    check([0, 4, 8, 4]);
    gallite_tests::draw::program(&vertex(""), fragment).bind();
    check([0, 4, 8, 4]);
    // GLSL 1.30 section 7.1: without gl_ClipVertex the position is compared as the shader wrote it, projected.
    old::ClipPlane(old::CLIP_PLANE0 + 1, [0.0, 1.0, 0.0, 0.5].as_ptr());
    old::MatrixMode(old::PROJECTION);
    old::Ortho(-1.0, 1.0, -2.0, 2.0, -1.0, 1.0);
    let whole = "gl_Position = vec4(gl_Position.x, gl_Position.y * 2.0, 0.0, 1.0);";
    gallite_tests::draw::program(&vertex(whole), fragment).bind();
    check([0, 2, 8, 6]);
    gallite_tests::draw::program(&vertex(&format!("{whole} gl_ClipVertex = gl_Vertex;")), fragment).bind();
    check([0, 2, 8, 6]);
    old::LoadIdentity();
    old::MatrixMode(old::MODELVIEW);
    gl::Disable(old::CLIP_PLANE0 + 1);
    check([0, 0, 8, 8]);
}

fn colour_sum(_: &Env) {
    old::Color3f(1.0, 0.0, 0.0);
    old::SecondaryColor3f(0.0, 1.0, 0.0);
    expect(RED);
    gl::Enable(old::COLOR_SUM);
    expect([255, 255, 0, 255]);
}

/// Tables 16.1 and 16.2 for a texture with alpha.
fn texture_environments(_: &Env) {
    one_texel(gl::RGBA8, gl::RGBA, [255, 51, 102, 128]);
    old::Color4f(0.2, 1.0, 0.0, 0.5);
    old::TexEnvfv(old::TEXTURE_ENV, old::TEXTURE_ENV_COLOR, [0.0, 0.0, 1.0, 1.0].as_ptr());
    for (mode, expected) in [
        (old::MODULATE, [51, 51, 0, 64]),
        (gl::REPLACE, [255, 51, 102, 128]),
        (old::DECAL, [153, 153, 51, 128]),
        (gl::BLEND, [0, 204, 102, 64]),
        (old::ADD, [255, 255, 102, 64]),
    ] {
        old::TexEnvi(old::TEXTURE_ENV, old::TEXTURE_ENV_MODE, mode as i32);
        let got = drawn();
        assert!(near(got, expected, 1), "{mode:#x}: {got:?}, expected {expected:?}");
    }
}

/// Table 16.3: a mix of texture and constant by the alpha of the primary colour.
fn combiner(_: &Env) {
    one_texel(gl::RGBA8, gl::RGBA, RED);
    let env = |name, value| old::TexEnvi(old::TEXTURE_ENV, name, value as i32);
    old::TexEnvfv(old::TEXTURE_ENV, old::TEXTURE_ENV_COLOR, [0.0, 0.0, 1.0, 1.0].as_ptr());
    old::Color4f(0.0, 0.0, 0.0, 0.25);
    env(old::TEXTURE_ENV_MODE, old::COMBINE);
    env(old::COMBINE_RGB, old::INTERPOLATE);
    env(old::SRC0_RGB, gl::TEXTURE);
    env(old::SRC1_RGB, old::CONSTANT);
    env(old::SRC2_RGB, old::PRIMARY_COLOR);
    env(old::OPERAND2_RGB, gl::SRC_ALPHA);
    expect([64, 0, 191, 64]);
}

/// Table 8.24 through GL_MODULATE.
fn luminance_alpha_and_intensity(_: &Env) {
    old::Color4f(1.0, 0.5, 0.0, 0.5);
    one_texel(old::LUMINANCE8, old::LUMINANCE, [102, 0, 0, 0]);
    expect([102, 51, 0, 128]);
    one_texel(old::ALPHA8, old::ALPHA, [102, 0, 0, 0]);
    expect([255, 128, 0, 51]);
    one_texel(old::INTENSITY8, old::LUMINANCE, [102, 0, 0, 0]);
    expect([102, 51, 0, 51]);
}

fn two_texels() {
    texture_2d(gl::RGBA8, 2, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[RED, BLUE]));
    gl::Enable(gl::TEXTURE_2D);
}

/// 12.1.3: s from the x of the vertex.
fn generated_coordinates(_: &Env) {
    two_texels();
    old::TexGeni(old::S, old::TEXTURE_GEN_MODE, old::OBJECT_LINEAR as i32);
    old::TexGenfv(old::S, old::OBJECT_PLANE, [0.5, 0.0, 0.0, 0.5].as_ptr());
    gl::Enable(old::TEXTURE_GEN_S);
    cover();
    image().expect_rect([0, 0, 4, 8], RED, BLUE);
}

fn texture_matrix(_: &Env) {
    two_texels();
    old::TexCoord2f(0.25, 0.0);
    expect(RED);
    old::MatrixMode(gl::TEXTURE);
    old::Translatef(0.5, 0.0, 0.0);
    expect(BLUE);
    old::LoadIdentity();
    expect(RED);
}

/// 16.1: a unit whose texture isn't complete is as if it were off.
fn incomplete_textures_are_off(_: &Env) {
    old::Color3f(0.0, 1.0, 0.0);
    texture_2d(gl::RGBA8, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[RED; 16]));
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST);
    gl::Enable(gl::TEXTURE_2D);
    expect(GREEN);
    old::Color3f(1.0, 1.0, 1.0);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::LINEAR);
    expect(RED);
}

/// 14.4: GL_COORD_REPLACE puts the place in the point into the coordinates.
fn point_sprites(_: &Env) {
    two_texels();
    gl::Enable(old::POINT_SPRITE);
    old::TexEnvi(old::POINT_SPRITE, old::COORD_REPLACE, 1);
    gl::PointSize(8.0);
    old::Begin(gl::POINTS);
    old::Vertex2f(0.0, 0.0);
    old::End();
    image().expect_rect([0, 0, 4, 8], RED, BLUE);
    // Not of other primitives.
    old::TexCoord2f(0.75, 0.0);
    cover();
    image().expect_all(BLUE);
}
