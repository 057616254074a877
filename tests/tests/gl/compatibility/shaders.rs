//! Shaders with the built-ins of the profile: GLSL 4.60 compatibility chapter 7.

use super::{BLUE, GREEN, NOTHING, RED, cover, image};
use gallite_tests::draw::{buffer, gen_texture, near, program, program_with, require_extension, texture_2d};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::CString;

gl_tests! {
    render compatibility(8, 8): state_reaches_shaders, vertex_shader_alone, fragment_shader_alone, two_sided_colours,
        vertex_colours_are_clamped, flat_shading, uniforms_of_a_completed_program, built_ins_are_listed,
        geometry_stage_passes_colours_on, bindings_of_a_completed_program, comparisons_follow_the_depth_mode, depth_is_seen_by_mode,
        case_28_formats_of_one_component_in_buffer_textures, buffer_textures_of_an_array_have_formats_of_their_own;
}

const FRAGMENT: &str = "#version 120\nvoid main() { gl_FragColor = gl_Color; }";

fn state_reaches_shaders(_: &Env) {
    let cases: [(&str, [u8; 4]); 7] = [
        ("gl_LightSource[1].diffuse", [51, 102, 153, 204]),
        ("gl_Fog.color", [255, 0, 51, 255]),
        ("vec4(gl_Fog.scale, gl_Fog.density, gl_Fog.start, 1.0)", [128, 64, 255, 255]),
        ("gl_FrontMaterial.specular", [0, 51, 0, 255]),
        ("gl_FrontLightProduct[1].diffuse", [51, 0, 153, 204]),
        (
            "vec4(gl_NormalMatrix[0].x, gl_ModelViewMatrix[0].x, gl_ModelViewMatrixInverse[3].x, 1.0)",
            [128, 255, 0, 255],
        ),
        ("vec4(gl_MultiTexCoord3.st, gl_SecondaryColor.b, 1.0)", [51, 102, 255, 255]),
    ];
    old::Lightfv(old::LIGHT0 + 1, old::DIFFUSE, [0.2, 0.4, 0.6, 0.8].as_ptr());
    old::Fogfv(old::FOG_COLOR, [1.0, 0.0, 0.2, 1.0].as_ptr());
    old::Fogf(old::FOG_START, 1.0);
    old::Fogf(old::FOG_END, 3.0);
    old::Fogf(old::FOG_DENSITY, 0.25);
    old::Materialfv(gl::FRONT, old::SPECULAR, [0.0, 0.2, 0.0, 1.0].as_ptr());
    old::Materialfv(gl::FRONT, old::DIFFUSE, [1.0, 0.0, 1.0, 1.0].as_ptr());
    old::MultiTexCoord2f(gl::TEXTURE0 + 3, 0.2, 0.4);
    old::SecondaryColor3f(0.0, 0.0, 1.0);
    for (term, expected) in cases {
        old::MatrixMode(old::MODELVIEW);
        old::LoadIdentity();
        old::Scalef(2.0, 2.0, 2.0);
        let vertex = format!("#version 120\nvarying vec4 v; void main() {{ gl_Position = gl_Vertex; v = {term}; }}");
        program(&vertex, "#version 120\nvarying vec4 v; void main() { gl_FragColor = v; }").bind();
        cover();
        let got = image().at(4, 4);
        assert!(near(got, expected, 1), "{term}: {got:?}, expected {expected:?}");
        // A change is seen by the next draw.
    }
    program("#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Fog.color; }", FRAGMENT).bind();
    old::Fogfv(old::FOG_COLOR, [0.0, 1.0, 0.0, 1.0].as_ptr());
    cover();
    image().expect_all(GREEN);
}

fn stage(kind: u32, source: &str) -> u32 {
    program_with(&[(kind, source)], |_| {}).0
}

/// The missing stage is that of fixed function.
fn vertex_shader_alone(_: &Env) {
    gl::UseProgram(stage(
        gl::VERTEX_SHADER,
        "#version 120\nvoid main() { gl_Position = gl_Vertex * vec4(0.5, 0.5, 1.0, 1.0); gl_FrontColor = vec4(0.0, 1.0, 0.0, 1.0); }",
    ));
    cover();
    image().expect_rect([2, 2, 4, 4], GREEN, NOTHING);
}

fn fragment_shader_alone(_: &Env) {
    gl::UseProgram(stage(gl::FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = gl_Color.bgra; }"));
    old::Scalef(0.5, 0.5, 1.0);
    old::Color3f(1.0, 0.0, 0.0);
    cover();
    image().expect_rect([2, 2, 4, 4], BLUE, NOTHING);
}

/// 13.4: GL_VERTEX_PROGRAM_TWO_SIDE chooses between the colours by facing.
fn two_sided_colours(_: &Env) {
    program(
        "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = vec4(1.0, 0.0, 0.0, 1.0); \
         gl_BackColor = vec4(0.0, 0.0, 1.0, 1.0); }",
        FRAGMENT,
    )
    .bind();
    gl::FrontFace(gl::CW);
    cover();
    image().expect_all(RED);
    gl::Enable(0x8643);
    cover();
    image().expect_all(BLUE);
    gl::FrontFace(gl::CCW);
    cover();
    image().expect_all(RED);
}

/// 12.4.6: before they are interpolated.
fn vertex_colours_are_clamped(_: &Env) {
    program(
        "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = vec4(0.0, 4.0, -1.0, 1.0); }",
        "#version 120\nvoid main() { gl_FragColor = gl_Color * vec4(1.0, 0.25, 1.0, 1.0) + vec4(0.0, 0.0, 0.5, 0.0); }",
    )
    .bind();
    cover();
    let got = image().at(4, 4);
    assert!(near(got, [0, 64, 128, 255], 1), "{got:?}");
    gl::ClampColor(0x891A, 0);
    cover();
    image().expect_all(GREEN);
}

fn flat_shading(_: &Env) {
    program("#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }", FRAGMENT).bind();
    old::ShadeModel(old::FLAT);
    old::Begin(gl::TRIANGLES);
    for ([x, y], colour) in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].into_iter().zip([RED, BLUE, GREEN]) {
        old::Color4ub(colour[0], colour[1], colour[2], 255);
        old::Vertex2f(x, y);
    }
    old::End();
    image().expect_all(GREEN);
}

/// glUniform sets the program's own uniforms, whatever completes it.
fn uniforms_of_a_completed_program(_: &Env) {
    let id = stage(gl::FRAGMENT_SHADER, "#version 120\nuniform vec4 c[2]; void main() { gl_FragColor = c[1]; }");
    gl::UseProgram(id);
    let name = CString::new("c[1]").expect("name");
    let location = gl::GetUniformLocation(id, name.as_ptr());
    gl::Uniform4f(location, 1.0, 0.0, 0.0, 1.0);
    cover();
    image().expect_all(RED);
    gl::Uniform4f(location, 0.0, 1.0, 0.0, 1.0);
    cover();
    image().expect_all(GREEN);
}

/// 7.3.1: attributes and uniforms by their names, without locations.
fn built_ins_are_listed(_: &Env) {
    let p = program("#version 120\nvoid main() { gl_Position = gl_Vertex + gl_Fog.color; }", FRAGMENT);
    assert_eq!(p.attribute("gl_Vertex"), -1);
    assert_eq!(p.location("gl_Fog.color"), -1);
    let mut count = 0;
    gl::GetProgramiv(p.0, gl::ACTIVE_ATTRIBUTES, &mut count);
    assert_eq!(count, 1);
}

fn depth_texture(mode: u32) {
    gallite_tests::draw::texture_2d(gl::DEPTH_COMPONENT24, 1, 1, gl::DEPTH_COMPONENT, gl::FLOAT, Some(&[0.25_f32]));
    gallite_tests::draw::tex_parameter(gl::TEXTURE_2D, 0x884B, mode);
}

/// 8.23.1 and table 8.24, for the vectors that the old lookups yield.
fn comparisons_follow_the_depth_mode(_: &Env) {
    let p = program(
        "#version 120\nvoid main() { gl_Position = gl_Vertex; }",
        "#version 120\nuniform sampler2DShadow s; void main() { gl_FragColor = shadow2D(s, vec3(0.5, 0.5, 0.125)); }",
    );
    p.bind();
    for (mode, expected) in [
        (old::LUMINANCE, [255, 255, 255, 255]),
        (0x8049, [255, 255, 255, 255]),
        (old::ALPHA, [0, 0, 0, 255]),
        (gl::RED, [255, 0, 0, 255]),
    ] {
        depth_texture(mode);
        gallite_tests::draw::tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        cover();
        image().expect_all(expected);
        gallite_tests::draw::tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_COMPARE_FUNC, gl::GREATER);
        cover();
        let none = match mode {
            0x8049 | old::ALPHA => [0; 4],
            _ => [0, 0, 0, 255],
        };
        image().expect_all(none);
    }
}

fn depth_is_seen_by_mode(_: &Env) {
    gl::Enable(gl::TEXTURE_2D);
    old::TexEnvi(old::TEXTURE_ENV, old::TEXTURE_ENV_MODE, gl::REPLACE as i32);
    old::Color4f(0.0, 1.0, 0.0, 1.0);
    for (mode, expected) in
        [(old::LUMINANCE, [64, 64, 64, 255]), (0x8049, [64, 64, 64, 64]), (old::ALPHA, [0, 255, 0, 64])]
    {
        depth_texture(mode);
        cover();
        let got = image().at(4, 4);
        assert!(near(got, expected, 1), "{mode:#x}: {got:?}");
    }
}

fn geometry_stage_passes_colours_on(_: &Env) {
    let vertex = "#version 150 compatibility\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }";
    let geometry = "#version 150 compatibility\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n\
        void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;\n\
        gl_FrontColor = gl_in[i].gl_FrontColor.bgra; EmitVertex(); } }";
    let fragment = "#version 150 compatibility\nvoid main() { gl_FragColor = gl_Color; }";
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |_| {}).bind();
    old::Color3f(1.0, 0.0, 0.0);
    old::Begin(gl::TRIANGLES);
    [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].iter().for_each(|[x, y]| old::Vertex2f(*x, *y));
    old::End();
    image().expect_all(BLUE);
}

/// Fixed function adds the vertex stage and the alpha test; images, blocks and subroutines are still those of the program.
fn bindings_of_a_completed_program(_: &Env) {
    require_extension("GL_ARB_shader_image_load_store");
    let program = stage(
        gl::FRAGMENT_SHADER,
        "#version 400 compatibility
        #extension GL_ARB_shader_image_load_store : require
        #extension GL_ARB_shader_storage_buffer_object : require
        layout(rgba8) readonly uniform image2D source;
        layout(std430) readonly buffer Tint { vec4 tint; };
        layout(std140) uniform Offset { vec4 offset; };
        subroutine vec4 Order(vec4 v);
        subroutine(Order) vec4 same(vec4 v) { return v; }
        subroutine(Order) vec4 turned(vec4 v) { return v.brga; }
        subroutine uniform Order order;
        void main() { gl_FragColor = order(imageLoad(source, ivec2(0)) * tint + offset); }",
    );
    gl::UseProgram(program);
    cover();
    let name = c"source";
    gl::Uniform1i(gl::GetUniformLocation(program, name.as_ptr()), 2);
    let texture = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[255u8, 255, 0, 255]));
    gl::BindImageTexture(2, texture, 0, gl::FALSE, 0, gl::READ_ONLY, gl::RGBA8);
    gl::ShaderStorageBlockBinding(program, 0, 3);
    let tint = buffer(gl::SHADER_STORAGE_BUFFER, &[1.0f32, 0.0, 1.0, 1.0]);
    gl::BindBufferBase(gl::SHADER_STORAGE_BUFFER, 3, tint);
    gl::UniformBlockBinding(program, 0, 4);
    let offset = buffer(gl::UNIFORM_BUFFER, &[0.0f32, 0.0, 0.0, 0.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 4, offset);
    let turned = gl::GetSubroutineIndex(program, gl::FRAGMENT_SHADER, c"turned".as_ptr());
    gl::UniformSubroutinesuiv(gl::FRAGMENT_SHADER, 1, &turned);
    old::AlphaFunc(gl::GREATER, 0.5);
    gl::Enable(old::ALPHA_TEST);
    cover();
    image().expect_all(GREEN);
    // Each alone.
    let other = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[0u8, 0, 255, 255]));
    gl::BindImageTexture(5, other, 0, gl::FALSE, 0, gl::READ_ONLY, gl::RGBA8);
    let third = buffer(gl::SHADER_STORAGE_BUFFER, &[0.0f32, 0.0, 1.0, 1.0]);
    gl::BindBufferBase(gl::SHADER_STORAGE_BUFFER, 6, third);
    cover();
    gl::Uniform1i(gl::GetUniformLocation(program, name.as_ptr()), 5);
    cover();
    image().expect_all(RED);
    gl::Uniform1i(gl::GetUniformLocation(program, name.as_ptr()), 2);
    cover();
    gl::ShaderStorageBlockBinding(program, 0, 6);
    cover();
    image().expect_all([0, 0, 0, 255]);
}

/// GL 4.6 compatibility 8.9, table 8.18.
fn case_28_formats_of_one_component_in_buffer_textures(_: &Env) {
    let name = buffer(gl::TEXTURE_BUFFER, &[0_u8, 128]);
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    program(
        "#version 330 compatibility\nvoid main() { gl_Position = gl_Vertex; }",
        "#version 330 compatibility\nuniform samplerBuffer t; void main() { gl_FragColor = texelFetch(t, 1); }",
    )
    .bind();
    for (format, expected) in
        [(gl::ALPHA8, [0, 0, 0, 128]), (old::LUMINANCE8, [128, 128, 128, 255]), (old::INTENSITY8, [128; 4])]
    {
        gl::TexBuffer(gl::TEXTURE_BUFFER, format, name);
        cover();
        image().expect_all(expected);
    }
}

/// GL 4.6 compatibility 8.9: which one is read shows at each draw.
fn buffer_textures_of_an_array_have_formats_of_their_own(_: &Env) {
    let name = buffer(gl::TEXTURE_BUFFER, &[0_u8, 128]);
    let program = program(
        "#version 400 compatibility\nvoid main() { gl_Position = gl_Vertex; }",
        "#version 400 compatibility
uniform samplerBuffer t[4]; uniform int which;
void main() { gl_FragColor = which < 0 ? texelFetch(t[3], 1) : texelFetch(t[which], 1); }",
    );
    program.bind();
    gl::Uniform1iv(program.location("t"), 4, [0, 1, 2, 3].as_ptr());
    let formats = [gl::ALPHA8, gl::R8, old::LUMINANCE8, old::INTENSITY8];
    for (unit, format) in (0..).zip(formats) {
        gl::ActiveTexture(gl::TEXTURE0 + unit);
        gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
        gl::TexBuffer(gl::TEXTURE_BUFFER, format, name);
    }
    let expected = [[0, 0, 0, 128], [128, 0, 0, 255], [128, 128, 128, 255], [128; 4], [128; 4]];
    for (which, expected) in [0, 1, 2, 3, -1].into_iter().zip(expected) {
        gl::Uniform1i(program.location("which"), which);
        cover();
        image().expect_all(expected);
    }
    // Another format in the same place.
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::R8, name);
    cover();
    image().expect_all([128, 0, 0, 255]);
    gl::ActiveTexture(gl::TEXTURE0);
}
