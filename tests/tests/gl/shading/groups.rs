//! Built-ins of fragments and of groups of invocations: GLSL 4.60 7.1.5 and 8.18 (ARB_fragment_layer_viewport,
//! ARB_shader_group_vote).

use gallite_tests::draw::{
    Program, Target, buffer, expect_no_error, gen_framebuffer, gen_texture, gen_vertex_array, program, program_with,
    quad, require_extension, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): layers_and_viewports_of_fragments, votes_of_fragments, votes_of_vertices;
}

const VERTEX: &str = "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
";

fn layers_and_viewports_of_fragments(_: &Env) {
    require_extension("GL_ARB_fragment_layer_viewport");
    let geometry = "#version 330 core
#extension GL_ARB_viewport_array : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 9) out;
void main() {
    for (int layer = 0; layer < 3; ++layer) {
        for (int i = 0; i < 3; ++i) {
            gl_Layer = layer;
            gl_ViewportIndex = 2 - layer;
            gl_Position = gl_in[i].gl_Position;
            EmitVertex();
        }
        EndPrimitive();
    }
}
";
    let fragment = "#version 330 core
#extension GL_ARB_fragment_layer_viewport : require
out vec4 result;
void main() { result = vec4(float(gl_Layer) / 4.0, float(gl_ViewportIndex) / 4.0, 0.0, 1.0); }
";
    let stages = [(gl::VERTEX_SHADER, VERTEX), (gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, fragment)];
    let layered = program_with(&stages, |_| {});
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, texture);
    gl::TexStorage3D(gl::TEXTURE_2D_ARRAY, 1, gl::RGBA8, 4, 4, 3);
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferTexture(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, texture, 0);
    gl::Viewport(0, 0, 4, 4);
    layered.bind();
    quad();
    expect_no_error("a layered draw");
    let mut texels = [[[0_u8; 4]; 16]; 3];
    gl::GetTexImage(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_mut_ptr().cast());
    for (layer, texels) in [[0, 128, 0, 255], [64, 64, 0, 255], [128, 0, 0, 255]].iter().zip(texels) {
        assert_eq!(texels, [*layer; 16]);
    }
    // Where no stage writes them they are zero.
    let target = Target::new(4, 4);
    program(VERTEX, fragment);
    quad();
    target.image().expect_all([0, 0, 0, 255]);
}

/// Whether what a group says is what its parts can say: all of 4 x 4 pixels agree or differ.
fn votes_of_fragments(_: &Env) {
    require_extension("GL_ARB_shader_group_vote");
    let fragment = "#version 330 core
#extension GL_ARB_shader_group_vote : require
uniform float limit;
out vec4 result;
void main() {
    bool mine = gl_FragCoord.x < limit;
    bool any = anyInvocationARB(mine);
    bool all = allInvocationsARB(mine);
    bool equal = allInvocationsEqualARB(mine);
    bool consistent = (any || !mine) && (!all || mine) && equal == (all || !any);
    result = vec4(any, all, equal, consistent);
}
";
    let program: Program = program(VERTEX, fragment);
    let target = Target::new(4, 4);
    for (limit, expected) in [(0.0, [0, 0, 255, 255]), (9.0, [255; 4])] {
        program.set1f("limit", limit);
        quad();
        target.image().expect_all(expected);
    }
    program.set1f("limit", 2.0);
    quad();
    for pixel in target.image().pixels {
        assert_eq!(pixel[3], 255, "{pixel:?}");
    }
}

fn votes_of_vertices(_: &Env) {
    require_extension("GL_ARB_shader_group_vote");
    let vertex = "#version 330 core
#extension GL_ARB_shader_group_vote : require
layout(location = 0) in vec2 pixel;
flat out vec4 votes;
void main() {
    bool mine = gl_VertexID >= 0;
    votes = vec4(anyInvocationARB(mine), allInvocationsARB(!mine), allInvocationsEqualARB(mine), 1.0);
    gl_Position = vec4((pixel + 0.5) / 2.0 - 1.0, 0.0, 1.0);
}
";
    let fragment = "#version 330 core
flat in vec4 votes;
out vec4 result;
void main() { result = votes; }
";
    let target = Target::new(4, 4);
    program(vertex, fragment);
    gl::BindVertexArray(gen_vertex_array());
    let pixels: Vec<[f32; 2]> = (0..16).map(|i| [(i % 4) as f32, (i / 4) as f32]).collect();
    buffer(gl::ARRAY_BUFFER, &pixels);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::POINTS, 0, 16);
    target.image().expect_all([255, 0, 255, 255]);
}
