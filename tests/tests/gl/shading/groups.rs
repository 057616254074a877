//! Built-ins of fragments and of groups of invocations: GLSL 4.60 7.1.5 and 8.18 (ARB_fragment_layer_viewport,
//! ARB_shader_group_vote, ARB_shader_ballot, ARB_shader_clock).

use crate::shared::{dispatch, storage, words};
use gallite_tests::draw::{
    Program, Target, buffer, expect_no_error, gen_framebuffer, gen_texture, gen_vertex_array, has_extension, program,
    program_with, quad, require_extension, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): layers_and_viewports_of_fragments, votes_of_fragments, votes_of_vertices;
    render core(3, 3): ballots_of_compute, ballots_of_fragments, reads_of_others, clocks;
    every core(3, 3): by_extension;
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

const BALLOT: &str = "#version 430 core
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
";

/// A compute program with ballots; the words of the buffer after one group of 64.
#[track_caller]
fn ballot(body: &str, count: usize) -> Vec<u32> {
    require_extension("GL_ARB_shader_ballot");
    require_extension("GL_ARB_compute_shader");
    let text = format!(
        "{BALLOT}layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out {{ uint data[]; }};
void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
    );
    program_with(&[(gl::COMPUTE_SHADER, &text)], |_| {}).bind();
    let out = storage(0, &vec![0_u32; count]);
    dispatch(1, 1, 1);
    words(out, count)
}

/// ARB_shader_ballot: a bit for each active invocation that is true, and masks by an invocation's own place.
fn ballots_of_compute(_: &Env) {
    let body = "uint64_t all = ballotARB(true), odd = ballotARB((gl_SubGroupInvocationARB & 1u) == 1u);
        uint64_t own = 1ul << gl_SubGroupInvocationARB;
        uint64_t size = gl_SubGroupSizeARB == 64u ? 0xFFFFFFFFFFFFFFFFul : (1ul << gl_SubGroupSizeARB) - 1ul;
        bool good = gl_SubGroupInvocationARB < gl_SubGroupSizeARB && (all & own) != 0ul && (all & ~size) == 0ul
            && odd == (all & 0xAAAAAAAAAAAAAAAAul) && ballotARB(false) == 0ul && gl_SubGroupEqMaskARB == own
            && gl_SubGroupLtMaskARB == own - 1ul && gl_SubGroupLeMaskARB == (own | (own - 1ul))
            && (gl_SubGroupGtMaskARB & size) == (size & ~(own | (own - 1ul)))
            && (gl_SubGroupGeMaskARB & size) == (size & ~(own - 1ul));
        if (gl_SubGroupInvocationARB < 2u) { good = good && ballotARB(true) == (all & 3ul); }
        data[i] = uint(good);";
    assert_eq!(ballot(body, 64), [1; 64]);
}

/// A value of another invocation, and of the first one that is active.
fn reads_of_others(_: &Env) {
    let body = "uint64_t all = ballotARB(true); uint first = uint(findLSB(uint(all)));
        uvec3 v = readInvocationARB(uvec3(i, i + 1000u, 7u), first); float f = readFirstInvocationARB(float(i));
        bool good = v.x == i - gl_SubGroupInvocationARB + first && v.y == v.x + 1000u && v.z == 7u && f == float(v.x);
        if (gl_SubGroupInvocationARB != first) {
            good = good && readFirstInvocationARB(int(gl_SubGroupInvocationARB)) == int(first) + 1;
        }
        data[i] = uint(good);";
    assert_eq!(ballot(body, 64), [1; 64]);
}

fn ballots_of_fragments(_: &Env) {
    require_extension("GL_ARB_shader_ballot");
    let fragment = format!(
        "{BALLOT}out vec4 result;
void main() {{
    bool mine = gl_FragCoord.x < 2.0;
    uint64_t yes = ballotARB(mine), no = ballotARB(!mine), own = gl_SubGroupEqMaskARB;
    result = vec4((yes & no) == 0ul, ((yes & own) != 0ul) == mine, ((no & own) != 0ul) != mine, 1.0);
}}"
    );
    let target = Target::new(4, 4);
    program(VERTEX, &fragment);
    quad();
    expect_no_error("a draw");
    target.image().expect_all([255; 4]);
}

/// ARB_shader_clock: it runs on within an invocation.
fn clocks(_: &Env) {
    require_extension("GL_ARB_shader_clock");
    let fragment = "#version 400 core
#extension GL_ARB_shader_clock : require
uniform int count;
out vec4 result;
void main() {
    uvec2 before = clock2x32ARB();
    float sum = gl_FragCoord.x;
    for (int i = 0; i < count; ++i) sum = sqrt(sum + 1.0);
    uvec2 after = clock2x32ARB();
    bool later = after.y > before.y || after.y == before.y && after.x > before.x;
    result = vec4(later && sum > 0.0);
}";
    let target = Target::new(4, 4);
    let p = program(VERTEX, fragment);
    p.set1i("count", 1000);
    quad();
    target.image().expect_all([255; 4]);
    if has_extension("GL_ARB_gpu_shader_int64") {
        let long = fragment
            .replace("uniform", "#extension GL_ARB_gpu_shader_int64 : require\nuniform")
            .replace("uvec2 before = clock2x32ARB", "uint64_t before = clockARB")
            .replace("uvec2 after = clock2x32ARB", "uint64_t after = clockARB")
            .replace("after.y > before.y || after.y == before.y && after.x > before.x", "after > before");
        target.clear([0.0; 4]);
        program(VERTEX, &long).set1i("count", 1000);
        quad();
        target.image().expect_all([255; 4]);
    }
}

/// The functions exist where their extension is asked for.
fn by_extension(_: &Env) {
    for (extension, call) in [
        ("GL_ARB_shader_ballot", "vec4(readFirstInvocationARB(1.0))"),
        ("GL_ARB_shader_clock", "vec4(clock2x32ARB(), 1, 1)"),
        ("GL_ARB_shader_group_vote", "vec4(anyInvocationARB(true))"),
    ] {
        let links = |head: &str| {
            let fragment = format!("#version 400 core\n{head}\nout vec4 result; void main() {{ result = {call}; }}");
            try_program(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, &fragment)], |_| {}).is_ok()
        };
        assert!(!links(""), "{extension}");
        assert_eq!(links(&format!("#extension {extension} : require")), has_extension(extension), "{extension}");
    }
}
