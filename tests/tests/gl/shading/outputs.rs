//! What extensions added to built-in outputs: ARB_shader_viewport_layer_array (with AMD_vertex_shader_layer and
//! AMD_vertex_shader_viewport_index), ARB_shader_stencil_export, EXT_demote_to_helper_invocation
//! (GLSL 4.60 7.1, GL 4.6 core 11.1.3.10, 11.3.4, 14.9, 17.3.3).

use gallite_tests::draw::{
    Program, SOLID_VS, Target, buffer, depth_stencil_target, expect_no_error, framebuffer_status, gen_framebuffer,
    gen_texture, gen_vertex_array, has_extension, program, program_with, quad, read_pixels, require_extension,
    try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): case_06_viewport_in_a_redeclared_block, layers_of_vertices, layers_by_older_extensions,
        viewports_of_tessellation, stencil_values, demoted_fragments;
    every core(3, 3): by_extension;
}

const COLOUR_FS: &str = "#version 330 core
flat in vec4 colour;
out vec4 result;
void main() { result = colour; }
";

/// Attribute 0 of a triangle that covers a viewport.
fn one_triangle() {
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[[-1.0_f32, -1.0], [3.0, -1.0], [-1.0, 3.0]]);
    vertex_attrib(0, 2, 0, 0);
}

/// Four triangles that each cover a viewport, instance by instance.
fn instances(vertex: &str) {
    let program: Program = program(vertex, COLOUR_FS);
    one_triangle();
    gl::DrawArraysInstanced(gl::TRIANGLES, 0, 3, 4);
    expect_no_error("a draw");
    program.delete();
}

/// The members may be named where the block is redeclared; the fragments land in that viewport.
fn case_06_viewport_in_a_redeclared_block(_: &Env) {
    require_extension("GL_ARB_shader_viewport_layer_array");
    let target = Target::new(4, 4);
    for i in 0..4_u32 {
        gl::ViewportIndexedf(i, (i % 2 * 2) as f32, (i / 2 * 2) as f32, 2.0, 2.0);
    }
    instances(
        "#version 410 core
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec2 position;
out gl_PerVertex { vec4 gl_Position; int gl_ViewportIndex; };
flat out vec4 colour;
void main() {
    gl_Position = vec4(position, 0.0, 1.0);
    gl_ViewportIndex = gl_InstanceID;
    colour = vec4(float(gl_InstanceID + 1) / 5.0);
}",
    );
    target.image().expect_each(|x, y| [51 * (x / 2 + y / 2 * 2 + 1) as u8; 4]);
}

/// A layered framebuffer of four layers, and what is in them after `draw`.
fn layers(draw: impl FnOnce()) {
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, texture);
    gl::TexStorage3D(gl::TEXTURE_2D_ARRAY, 1, gl::RGBA8, 2, 2, 4);
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferTexture(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, texture, 0);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::Viewport(0, 0, 2, 2);
    gl::ClearColor(0.0, 0.0, 0.0, 0.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    draw();
    let mut texels = [[[0_u8; 4]; 4]; 4];
    gl::GetTexImage(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_mut_ptr().cast());
    assert_eq!(texels, [[[204; 4]; 4], [[153; 4]; 4], [[102; 4]; 4], [[51; 4]; 4]]);
}

fn layer_vertex(extension: &str) -> String {
    format!(
        "#version 410 core
#extension {extension} : require
layout(location = 0) in vec2 position;
out gl_PerVertex {{ vec4 gl_Position; int gl_Layer; }};
flat out vec4 colour;
void main() {{
    gl_Position = vec4(position, 0.0, 1.0);
    gl_Layer = 3 - gl_InstanceID;
    colour = vec4(float(gl_InstanceID + 1) / 5.0);
}}"
    )
}

fn layers_of_vertices(_: &Env) {
    require_extension("GL_ARB_shader_viewport_layer_array");
    layers(|| instances(&layer_vertex("GL_ARB_shader_viewport_layer_array")));
}

fn layers_by_older_extensions(_: &Env) {
    require_extension("GL_AMD_vertex_shader_layer");
    require_extension("GL_AMD_vertex_shader_viewport_index");
    layers(|| instances(&layer_vertex("GL_AMD_vertex_shader_layer")));
    let target = Target::new(4, 4);
    for i in 0..4_u32 {
        gl::ViewportIndexedf(i, i as f32, 0.0, 1.0, 4.0);
    }
    let vertex = layer_vertex("GL_AMD_vertex_shader_viewport_index").replace("gl_Layer", "gl_ViewportIndex");
    instances(&vertex);
    target.image().expect_each(|x, _| [51 * (4 - x) as u8; 4]);
}

fn viewports_of_tessellation(_: &Env) {
    require_extension("GL_ARB_shader_viewport_layer_array");
    require_extension("GL_ARB_tessellation_shader");
    let vertex = "#version 410 core
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); }";
    let evaluation = "#version 410 core
#extension GL_ARB_shader_viewport_layer_array : require
layout(triangles) in;
flat out vec4 colour;
void main() {
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position
        + gl_TessCoord.z * gl_in[2].gl_Position;
    gl_ViewportIndex = 1; colour = vec4(1.0);
}";
    let target = Target::new(4, 4);
    gl::ViewportIndexedf(1, 2.0, 1.0, 1.0, 2.0);
    let stages =
        [(gl::VERTEX_SHADER, vertex), (gl::TESS_EVALUATION_SHADER, evaluation), (gl::FRAGMENT_SHADER, COLOUR_FS)];
    program_with(&stages, |_| {}).bind();
    gl::PatchParameteri(gl::PATCH_VERTICES, 3);
    one_triangle();
    gl::DrawArrays(gl::PATCHES, 0, 3);
    target.image().expect_rect([2, 1, 1, 2], [255; 4], [0; 4]);
}

/// GL 4.6 core 17.3.3 with the extension: the fragment's own value is compared and stored, masked to the buffer's bits.
fn stencil_values(_: &Env) {
    for (extension, name) in [
        ("GL_ARB_shader_stencil_export", "gl_FragStencilRefARB"),
        ("GL_AMD_shader_stencil_export", "gl_FragStencilRefAMD"),
    ] {
        require_extension(extension);
        let fragment = format!(
            "#version 330 core
#extension {extension} : require
out vec4 result;
void main() {{ {name} = 256 + int(gl_FragCoord.x) * 16 + int(gl_FragCoord.y); result = vec4(1.0); }}"
        );
        let (target, _) = depth_stencil_target(4, 4);
        program(SOLID_VS, &fragment);
        gl::Enable(gl::STENCIL_TEST);
        gl::StencilOp(gl::KEEP, gl::KEEP, gl::REPLACE);
        gl::StencilFunc(gl::ALWAYS, 99, 0xFF);
        quad();
        let got: Vec<u8> = read_pixels([0, 0, 4, 4], gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1);
        let wanted: Vec<u8> = (0..16).map(|i| i % 4 * 16 + i / 4).collect();
        assert_eq!(got, wanted, "{extension}");
        // 0x21 is what one fragment alone has.
        gl::ClearStencil(0x21);
        gl::Clear(gl::STENCIL_BUFFER_BIT | gl::COLOR_BUFFER_BIT);
        gl::StencilFunc(gl::EQUAL, 99, 0xFF);
        quad();
        target.image().expect_rect([2, 1, 1, 1], [255; 4], [0; 4]);
        gl::ClearStencil(0);
        gl::Disable(gl::STENCIL_TEST);
    }
}

/// A demoted fragment goes on, writes nothing, and still takes part in its neighbours' derivatives.
fn demoted_fragments(_: &Env) {
    require_extension("GL_EXT_demote_to_helper_invocation");
    let target = Target::new(4, 4);
    program(
        SOLID_VS,
        "#version 330 core
#extension GL_EXT_demote_to_helper_invocation : require
out vec4 result;
void main() {
    bool left = int(gl_FragCoord.x) % 2 == 0;
    if (left) demote;
    float value = left ? 1.0 : 0.25;
    result = vec4(abs(dFdx(value)), value, helperInvocationEXT() ? 1.0 : 0.0, 1.0);
}",
    );
    quad();
    target.image().expect_each_near(1, |x, _| if x % 2 == 0 { [0; 4] } else { [191, 64, 0, 255] });
}

/// Where it is not asked for, none of their names exist.
fn by_extension(_: &Env) {
    let links = |extension: &str, vertex: &str, fragment: &str| {
        let head = format!("#version 410 core\n{extension}\n");
        let vertex = format!("{head}void main() {{ gl_Position = vec4(0.0); {vertex} }}");
        let fragment = format!("{head}out vec4 result; void main() {{ result = vec4(1.0); {fragment} }}");
        try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &fragment)], |_| {}).is_ok()
    };
    for (extension, vertex, fragment) in [
        ("GL_ARB_shader_viewport_layer_array", "gl_Layer = 1; gl_ViewportIndex = 1;", ""),
        ("GL_AMD_vertex_shader_layer", "gl_Layer = 1;", ""),
        ("GL_AMD_vertex_shader_viewport_index", "gl_ViewportIndex = 1;", ""),
        ("GL_ARB_shader_stencil_export", "", "gl_FragStencilRefARB = 1;"),
        ("GL_AMD_shader_stencil_export", "", "gl_FragStencilRefAMD = 1;"),
        ("GL_EXT_demote_to_helper_invocation", "", "demote;"),
    ] {
        assert!(links("", "", "") && !links("", vertex, fragment), "{extension}");
        let line = format!("#extension {extension} : require");
        assert_eq!(links(&line, vertex, fragment), has_extension(extension), "{extension}");
    }
}
