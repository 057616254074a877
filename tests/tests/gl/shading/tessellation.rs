//! Tessellation: GL 4.6 core 11.2, GLSL 4.60 4.4.1.1, 4.4.2.1 and 7.1.

use gallite_tests::draw::{
    Image, Program, Target, buffer, capture, expect_error, expect_no_error, gen_vertex_array, get_f32s, get_i32,
    program_with, require_extension, set_varyings, texture_2d, try_program, uniform, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): a_quad_fills_its_area, control_decides_levels, default_levels_without_control,
        patches_of_many_sizes, domain_origin_is_lower_left, points_of_each_spacing, isolines, order_and_facing,
        patch_outputs_and_barrier, components_of_the_patch, into_geometry, capture_in_order, blocks_and_arrays, ids_and_instances,
        textures_and_uniforms_in_it, restart_does_not_cut_patches, window_order;
    every core(3, 3): state_and_errors, draws_that_do_not_fit, program_queries, link_rules;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec2 pixel;
out vec2 place;
void main() { place = pixel; gl_Position = vec4(pixel / 8.0 - 1.0, 0.0, 1.0); }
";
const FS: &str = "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
";
const WHITE: [u8; 4] = [255; 4];
const HEAD: &str = "#version 330 core\n#extension GL_ARB_tessellation_shader : require\n";

/// A control stage of `vertices` that passes positions on and sets the levels by `levels`.
fn control(vertices: u32, levels: &str) -> String {
    format!(
        "{HEAD}layout(vertices = {vertices}) out;
        void main() {{
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            {levels}
        }}"
    )
}

/// All levels alike.
fn even(level: f32) -> String {
    format!(
        "gl_TessLevelOuter = float[4]({level:?}, {level:?}, {level:?}, {level:?});
        gl_TessLevelInner = float[2]({level:?}, {level:?});"
    )
}

fn evaluation(layout: &str, body: &str) -> String {
    format!("{HEAD}layout({layout}) in;\nvoid main() {{ {body} }}")
}

const BILINEAR: &str = "vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    vec4 b = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    gl_Position = mix(a, b, gl_TessCoord.y);";

fn stages(control: Option<&str>, evaluation: &str, rest: &[(u32, &str)], prepare: impl FnOnce(u32)) -> Program {
    require_extension("GL_ARB_tessellation_shader");
    let mut all = vec![(gl::VERTEX_SHADER, VS), (gl::TESS_EVALUATION_SHADER, evaluation)];
    all.extend(control.map(|text| (gl::TESS_CONTROL_SHADER, text)));
    all.extend(rest);
    let program = program_with(&all, prepare);
    program.bind();
    program
}

fn tessellating(control: Option<&str>, evaluation: &str) -> Program {
    stages(control, evaluation, &[(gl::FRAGMENT_SHADER, FS)], |_| {})
}

fn draw(vertices: i32, points: &[[f32; 2]]) {
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, points);
    vertex_attrib(0, 2, 0, 0);
    gl::PatchParameteri(gl::PATCH_VERTICES, vertices);
    gl::DrawArrays(gl::PATCHES, 0, points.len() as i32);
    expect_no_error("draw");
}

/// Corners of a rectangle of pixels in the order [`BILINEAR`] takes them.
fn corners(x0: f32, y0: f32, x1: f32, y1: f32) -> [[f32; 2]; 4] {
    [[x0, y0], [x1, y0], [x0, y1], [x1, y1]]
}

#[track_caller]
fn expect_rect(image: &Image, x: std::ops::Range<i32>, y: std::ops::Range<i32>) {
    image.expect_each(|px, py| if x.contains(&px) && y.contains(&py) { WHITE } else { [0; 4] });
}

fn a_quad_fills_its_area(_: &Env) {
    let target = Target::new(16, 16);
    for layout in
        ["quads", "quads, equal_spacing, cw", "quads, fractional_odd_spacing", "quads, fractional_even_spacing"]
    {
        for level in [1.0, 3.0, 4.5] {
            target.clear([0.0; 4]);
            let program = tessellating(Some(&control(4, &even(level))), &evaluation(layout, BILINEAR));
            draw(4, &corners(2.0, 3.0, 13.0, 11.0));
            expect_rect(&target.image(), 2..13, 3..11);
            program.delete();
        }
    }
}

/// GL 4.6 core 11.2.2.1: a patch with a level of nothing is dropped. Each patch has its own levels.
fn control_decides_levels(_: &Env) {
    let target = Target::new(16, 16);
    let levels = "float l = gl_PrimitiveID == 1 ? 0.0 : 2.0;
        gl_TessLevelOuter = float[4](l, 2.0, 2.0, 2.0); gl_TessLevelInner = float[2](2.0, 2.0);";
    tessellating(Some(&control(4, levels)), &evaluation("quads", BILINEAR));
    let patches = [corners(0.0, 0.0, 4.0, 4.0), corners(4.0, 4.0, 8.0, 8.0), corners(8.0, 8.0, 12.0, 12.0)].concat();
    draw(4, &patches);
    target.image().expect_each(|x, y| {
        let inside = |low: i32| (low..low + 4).contains(&x) && (low..low + 4).contains(&y);
        if inside(0) || inside(8) { WHITE } else { [0; 4] }
    });
}

/// GL 4.6 core 11.2.2: the levels of glPatchParameterfv, and outputs of the vertex stage as they are.
fn default_levels_without_control(_: &Env) {
    let target = Target::new(16, 16);
    let evaluation = format!(
        "{HEAD}layout(quads, point_mode) in; in vec2 place[];
        void main() {{
            vec2 a = mix(place[0], place[1], gl_TessCoord.x), b = mix(place[2], place[3], gl_TessCoord.x);
            gl_Position = gl_in[0].gl_Position * 0.0 + vec4((mix(a, b, gl_TessCoord.y) + 0.5) / 8.0 - 1.0, 0.0, 1.0);
        }}"
    );
    tessellating(None, &evaluation);
    let lit = |image: &Image, xs: &[i32], ys: &[i32]| {
        image.expect_each(|x, y| if xs.contains(&x) && ys.contains(&y) { WHITE } else { [0; 4] });
    };
    draw(4, &corners(0.0, 0.0, 12.0, 12.0));
    lit(&target.image(), &[0, 12], &[0, 12]);
    gl::PatchParameterfv(gl::PATCH_DEFAULT_OUTER_LEVEL, [3.0_f32; 4].as_ptr());
    gl::PatchParameterfv(gl::PATCH_DEFAULT_INNER_LEVEL, [3.0_f32; 2].as_ptr());
    draw(4, &corners(0.0, 0.0, 12.0, 12.0));
    lit(&target.image(), &[0, 4, 8, 12], &[0, 4, 8, 12]);
    // Nothing at all by an outer level of 0.
    target.clear([0.0; 4]);
    gl::PatchParameterfv(gl::PATCH_DEFAULT_OUTER_LEVEL, [0.0_f32, 3.0, 3.0, 3.0].as_ptr());
    draw(4, &corners(0.0, 0.0, 12.0, 12.0));
    lit(&target.image(), &[], &[]);
}

/// Input and output patches differ in size; vertices that make no whole patch are ignored.
fn patches_of_many_sizes(_: &Env) {
    let target = Target::new(16, 16);
    for size in [1, 2, 7, 32] {
        target.clear([0.0; 4]);
        let text = format!(
            "{HEAD}layout(vertices = 1) out; out float count[];
            void main() {{
                count[gl_InvocationID] = float(gl_PatchVerticesIn);
                gl_out[gl_InvocationID].gl_Position = gl_in[gl_PatchVerticesIn - 1].gl_Position;
                gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0); gl_TessLevelInner = float[2](1.0, 1.0);
            }}"
        );
        let evaluation = format!(
            "{HEAD}layout(quads, point_mode) in; in float count[];
            void main() {{ gl_Position = gl_in[0].gl_Position + vec4(0.0625, 0.0625 + count[0] / 8.0, 0.0, 0.0)
                + vec4(gl_TessCoord.xy * 0.01, 0.0, 0.0) * float(gl_PatchVerticesIn - 1); }}"
        );
        let program = tessellating(Some(&text), &evaluation);
        // The last vertex of the whole patch is at column 5, all others and the incomplete patch elsewhere.
        let mut points = vec![[9.0, -20.0]; size];
        points[size - 1] = [5.0, 2.0 - (size as f32)];
        points.extend(vec![[1.0, 1.0 - (size as f32)]; size - 1]);
        draw(size as i32, &points);
        expect_rect(&target.image(), 5..6, 2..3);
        program.delete();
    }
}

/// GL 4.6 core figure 11.1: (0, 0) is the lower left; of a triangle, the weights are of vertices in order. Outer level 0
/// belongs to the edge u = 0, level 1 to v = 0.
fn domain_origin_is_lower_left(_: &Env) {
    let target = Target::new(16, 16);
    let levels = "gl_TessLevelOuter = float[4](4.0, 2.0, 1.0, 1.0); gl_TessLevelInner = float[2](1.0, 1.0);";
    let body = "gl_Position = vec4((gl_TessCoord.xy * 12.0 + 0.5) / 8.0 - 1.0, 0.0, 1.0);";
    tessellating(Some(&control(4, levels)), &evaluation("quads, point_mode", body));
    draw(4, &corners(0.0, 0.0, 1.0, 1.0));
    let left = [0, 3, 6, 9, 12];
    target.image().expect_each(|x, y| {
        // The inner level counts as 2 once an outer one is not 1.
        let lit = x == 0 && left.contains(&y)
            || y == 0 && [0, 6, 12].contains(&x)
            || x == 12 && [0, 12].contains(&y)
            || y == 12 && [0, 12].contains(&x)
            || (x, y) == (6, 6);
        if lit { WHITE } else { [0; 4] }
    });
    target.clear([0.0; 4]);
    let body = "vec3 w = gl_TessCoord; vec2 p = w.x * vec2(1.0, 2.0) + w.y * vec2(11.0, 4.0) + w.z * vec2(3.0, 12.0);
        gl_Position = vec4((p + 0.5) / 8.0 - 1.0, 0.0, 1.0);";
    tessellating(Some(&control(3, &even(1.0))), &evaluation("triangles, point_mode", body));
    draw(3, &[[0.0; 2]; 3]);
    target.image().expect_each(|x, y| if [(1, 2), (11, 4), (3, 12)].contains(&(x, y)) { WHITE } else { [0; 4] });
}

/// GL 4.6 core 11.2.2: how each spacing cuts an edge at whole levels.
fn points_of_each_spacing(_: &Env) {
    let target = Target::new(16, 4);
    // Asked for, equal, even, odd.
    for (level, counts) in [(1.0, [1, 2, 1]), (2.0, [2, 2, 3]), (3.0, [3, 4, 3]), (4.0, [4, 4, 5])] {
        for (spacing, count) in
            ["equal_spacing", "fractional_even_spacing", "fractional_odd_spacing"].iter().zip(counts)
        {
            target.clear([0.0; 4]);
            // Each point of the edge v = 0 at a pixel of its own.
            let levels = format!(
                "gl_TessLevelOuter = float[4](1.0, {level:?}, 1.0, 1.0); gl_TessLevelInner = float[2](1.0, 1.0);"
            );
            let body = "float x = gl_TessCoord.x * 15.0; gl_Position = vec4((x + 0.5) / 8.0 - 1.0, gl_TessCoord.y - 0.75, 0.0, 1.0);";
            let program =
                tessellating(Some(&control(1, &levels)), &evaluation(&format!("quads, point_mode, {spacing}"), body));
            draw(1, &[[0.0; 2]]);
            let image = target.image();
            let lit = (0..16).filter(|x| image.at(*x, 0) == WHITE).count();
            assert_eq!(lit, count + 1, "level {level} with {spacing}");
            program.delete();
        }
    }
}

/// Outer level 0 is the number of lines, level 1 their segments; no line at v = 1.
fn isolines(_: &Env) {
    let target = Target::new(16, 16);
    let levels = "gl_TessLevelOuter[0] = 4.0; gl_TessLevelOuter[1] = 3.0;";
    let body = "gl_Position = vec4(gl_TessCoord.x * 2.0 - 1.0, (gl_TessCoord.y * 16.0 + 0.5) / 8.0 - 1.0, 0.0, 1.0);";
    tessellating(Some(&control(1, levels)), &evaluation("isolines", body));
    draw(1, &[[0.0; 2]]);
    target.image().expect_each(|x, y| if x < 16 && [0, 4, 8, 12].contains(&y) { WHITE } else { [0; 4] });
}

/// GL 4.6 core 11.2.2.1: triangles are counter-clockwise in (u, v), or clockwise by `cw`.
fn order_and_facing(_: &Env) {
    let target = Target::new(16, 16);
    gl::Enable(gl::CULL_FACE);
    for (layout, kept) in [
        ("quads", gl::BACK),
        ("quads, ccw", gl::BACK),
        ("quads, cw", gl::FRONT),
        ("triangles, cw", gl::FRONT),
        ("triangles", gl::BACK),
    ] {
        for (cull, visible) in [(gl::BACK, kept == gl::BACK), (gl::FRONT, kept == gl::FRONT)] {
            target.clear([0.0; 4]);
            gl::CullFace(cull);
            let body = "vec2 p = gl_TessCoord.xy; gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);";
            // A triangle's domain runs from (1, 0) over (0, 1) to (0, 0), which is counter-clockwise too.
            let program = tessellating(Some(&control(1, &even(2.0))), &evaluation(layout, body));
            draw(1, &[[0.0; 2]]);
            let lit = target.image().at(2, 2) == WHITE;
            assert_eq!(lit, visible, "{layout}, culling {cull:#x}");
            program.delete();
        }
    }
    gl::Disable(gl::CULL_FACE);
}

/// The same facing in a window, whose rows run the other way.
fn window_order(env: &Env) {
    let _ = env;
    let target = Target::new(16, 16);
    gl::FrontFace(gl::CW);
    gl::Enable(gl::CULL_FACE);
    let body = "gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0.0, 1.0);";
    tessellating(Some(&control(1, &even(1.0))), &evaluation("quads, cw", body));
    draw(1, &[[0.0; 2]]);
    expect_rect(&target.image(), 0..16, 0..16);
    gl::FrontFace(gl::CCW);
    gl::Disable(gl::CULL_FACE);
}

/// GLSL 4.60 8.16, 4.3.6: after a barrier invocations see what others wrote to the patch and to other vertices.
fn patch_outputs_and_barrier(_: &Env) {
    let target = Target::new(16, 16);
    let control = format!(
        "{HEAD}layout(vertices = 4) out;
        patch out vec2 offset[2]; patch out Sum {{ float total; }} sum; out float weight[];
        void main() {{
            weight[gl_InvocationID] = float(gl_InvocationID + 1);
            if (gl_InvocationID == 3) {{ offset[0] = vec2(1.0, 2.0); offset[1] = vec2(4.0, 3.0); }}
            barrier();
            if (gl_InvocationID == 0) sum.total = weight[0] + weight[1] + weight[2] + weight[3] + offset[1].x;
            {}
        }}",
        even(1.0)
    );
    let evaluation = format!(
        "{HEAD}layout(quads, point_mode) in;
        patch in vec2 offset[2]; patch in Sum {{ float total; }} sum; in float weight[];
        void main() {{
            vec2 p = offset[0] + offset[1] + vec2(sum.total - 14.0, weight[3] - 4.0) + gl_TessCoord.xy * 4.0;
            gl_Position = vec4((p + 0.5) / 8.0 - 1.0, 0.0, 1.0);
        }}"
    );
    tessellating(Some(&control), &evaluation);
    draw(4, &[[0.0; 2]; 4]);
    target.image().expect_each(|x, y| if [5, 9].contains(&x) && [5, 9].contains(&y) { WHITE } else { [0; 4] });
}

/// GLSL 4.60 section 4.3.6: invocations write different components of one vector of the patch.
fn components_of_the_patch(_: &Env) {
    let target = Target::new(16, 16);
    let evaluation = format!(
        "{HEAD}layout(quads, point_mode) in; patch in ivec4 all; patch in ivec4 some; patch in B {{ mat2 m; }} b;
        void main() {{
            bool good = all == ivec4(0, 1, 2, 3) && some == ivec4(8, 7, -1, 9) && b.m[1] == vec2(1.0, 2.0);
            gl_Position = good ? vec4(0.0625, 0.0625, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
        }}"
    );
    let control = format!(
        "{HEAD}layout(vertices = 4) out; patch out ivec4 all; patch out ivec4 some; patch out B {{ mat2 m; }} b;
        void main() {{
            if (gl_InvocationID == 0) {{ all = some = ivec4(-1); b.m = mat2(0.0); }}
            barrier();
            all[gl_InvocationID] = gl_InvocationID;
            if (gl_InvocationID < 3) some.wxy[gl_InvocationID] = 9 - gl_InvocationID;
            b.m[1][gl_InvocationID & 1] = float(1 + (gl_InvocationID & 1));
            {}
        }}",
        even(1.0)
    );
    tessellating(Some(&control), &evaluation);
    draw(4, &[[0.0; 2]; 4]);
    target.image().expect_each(|x, y| if (x, y) == (8, 8) { WHITE } else { [0; 4] });
}

fn into_geometry(_: &Env) {
    let target = Target::new(16, 16);
    let geometry = "#version 330 core
layout(lines) in; layout(points, max_vertices = 1) out;
in float height[];
void main() {
    vec2 p = vec2(float(gl_PrimitiveIDIn) * 3.0 + 1.0, height[1] + 2.0);
    gl_Position = vec4((p + 0.5) / 8.0 - 1.0, 0.0, 1.0); EmitVertex();
}";
    let evaluation = format!(
        "{HEAD}layout(isolines) in; out float height;
        void main() {{ height = gl_TessCoord.x * 2.0; gl_Position = vec4(0.0); }}"
    );
    let levels = "gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 2.0;";
    let rest = [(gl::GEOMETRY_SHADER, geometry), (gl::FRAGMENT_SHADER, FS)];
    stages(Some(&control(1, levels)), &evaluation, &rest, |_| {});
    draw(1, &[[0.0; 2]; 2]);
    // Two segments of each patch; GL 4.6 core 11.3.4.4 leaves the numbers to count input patches' primitives.
    let image = target.image();
    let lit = (0..16).flat_map(|y| (0..16).map(move |x| (x, y))).filter(|(x, y)| image.at(*x, *y) == WHITE);
    let rows: std::collections::BTreeSet<i32> = lit.map(|(_, y)| y).collect();
    assert_eq!(rows.into_iter().collect::<Vec<_>>(), [3, 4]);
}

/// GL 4.6 core 13.3: what the evaluation stage writes is captured as points, lines or triangles.
fn capture_in_order(_: &Env) {
    let evaluation = |layout: &str| {
        format!(
            "{HEAD}layout({layout}) in; out vec2 at; void main() {{ at = gl_TessCoord.xy; gl_Position = vec4(0.0); }}"
        )
    };
    let run = |layout: &str, mode: u32, most: usize| {
        let control = control(1, &even(1.0));
        let program = stages(Some(&control), &evaluation(layout), &[], |p| {
            set_varyings(p, &["at"], gl::INTERLEAVED_ATTRIBS);
        });
        let got = capture(mode, most * 2, 9.0_f32, || draw(1, &[[0.0; 2]]));
        program.delete();
        let vertices: Vec<[f32; 2]> = got.chunks(2).map(|v| [v[0], v[1]]).collect();
        vertices.into_iter().take_while(|v| v[0] != 9.0).collect::<Vec<_>>()
    };
    let triangle = run("triangles", gl::TRIANGLES, 6);
    assert_eq!(triangle.len(), 3);
    let area = |t: &[[f32; 2]]| (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) - (t[2][0] - t[0][0]) * (t[1][1] - t[0][1]);
    assert!(area(&triangle) > 0.0, "{triangle:?} is clockwise");
    let quad = run("quads, cw", gl::TRIANGLES, 9);
    assert_eq!(quad.len(), 6);
    assert!(area(&quad[..3]) < 0.0 && area(&quad[3..]) < 0.0, "{quad:?} is counter-clockwise");
    let line = run("isolines", gl::LINES, 4);
    assert_eq!(line, [[0.0, 0.0], [1.0, 0.0]]);
    let mut points = run("quads, point_mode", gl::POINTS, 6);
    points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    assert_eq!(points, [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
}

/// Blocks with instance names, arrays in them, structs, and built-ins redeclared.
fn blocks_and_arrays(_: &Env) {
    let target = Target::new(16, 16);
    let vertex = "#version 330 core
struct S { vec2 a; float b[2]; };
out Through { vec2 p[2]; S s; } through;
flat out int number;
void main() {
    float n = float(gl_VertexID); number = gl_VertexID;
    through.p[0] = vec2(n, 1.0); through.p[1] = vec2(2.0, n); through.s.a = vec2(n + 0.5); through.s.b[1] = n * 2.0;
    gl_Position = vec4(n);
}";
    let control = format!("{HEAD}layout(vertices = 3) out;
        struct S {{ vec2 a; float b[2]; }};
        in Through {{ vec2 p[2]; S s; }} through[]; flat in int number[];
        out gl_PerVertex {{ vec4 gl_Position; }} gl_out[];
        out Onward {{ float sum; }} onward[]; out int which[];
        void main() {{
            int i = gl_InvocationID;
            onward[gl_InvocationID].sum = through[i].p[0].x + through[i].p[1].y + through[i].s.a.x + through[i].s.b[1] + gl_in[i].gl_Position.w;
            which[gl_InvocationID] = number[i]; gl_out[gl_InvocationID].gl_Position = vec4(float(i));
            {}
        }}", even(1.0));
    let evaluation = format!("{HEAD}layout(triangles, point_mode) in;
        in gl_PerVertex {{ vec4 gl_Position; }} gl_in[];
        in Onward {{ float sum; }} onward[]; in int which[];
        void main() {{
            bool good = true;
            for (int i = 0; i < 3; ++i) good = good && onward[i].sum == float(i) * 6.0 + 0.5 && which[i] == i && gl_in[i].gl_Position.x == float(i);
            vec2 p = good ? gl_TessCoord.xy * 4.0 : vec2(12.0);
            gl_Position = vec4((p + 0.5) / 8.0 - 1.0, 0.0, 1.0);
        }}");
    require_extension("GL_ARB_tessellation_shader");
    let program = program_with(
        &[
            (gl::VERTEX_SHADER, vertex),
            (gl::TESS_CONTROL_SHADER, &control),
            (gl::TESS_EVALUATION_SHADER, &evaluation),
            (gl::FRAGMENT_SHADER, FS),
        ],
        |_| {},
    );
    program.bind();
    draw(3, &[[0.0; 2]; 3]);
    target.image().expect_each(|x, y| if [(0, 0), (4, 0), (0, 4)].contains(&(x, y)) { WHITE } else { [0; 4] });
}

/// gl_PrimitiveID counts patches of an instance, gl_InvocationID vertices.
fn ids_and_instances(_: &Env) {
    let target = Target::new(16, 16);
    let vertex =
        "#version 330 core\nflat out int instance;\nvoid main() { instance = gl_InstanceID; gl_Position = vec4(0.0); }";
    let control = format!(
        "{HEAD}layout(vertices = 1) out; flat in int instance[]; patch out vec2 at;
        void main() {{ at = vec2(gl_PrimitiveID, instance[0]); {} }}",
        even(1.0)
    );
    let evaluation = format!(
        "{HEAD}layout(isolines, point_mode) in; patch in vec2 at;
        void main() {{ vec2 p = at * 3.0 + vec2(gl_TessCoord.x, float(gl_PrimitiveID));
            gl_Position = vec4((p + 0.5) / 8.0 - 1.0, 0.0, 1.0); }}"
    );
    require_extension("GL_ARB_tessellation_shader");
    let all = [
        (gl::VERTEX_SHADER, vertex),
        (gl::TESS_CONTROL_SHADER, control.as_str()),
        (gl::TESS_EVALUATION_SHADER, evaluation.as_str()),
        (gl::FRAGMENT_SHADER, FS),
    ];
    program_with(&all, |_| {}).bind();
    gl::BindVertexArray(gen_vertex_array());
    gl::PatchParameteri(gl::PATCH_VERTICES, 2);
    gl::DrawArraysInstanced(gl::PATCHES, 0, 6, 2);
    expect_no_error("draw");
    let lit: Vec<(i32, i32)> =
        (0..2).flat_map(|i| (0..3).flat_map(move |p| [(p * 3, i * 3 + p), (p * 3 + 1, i * 3 + p)])).collect();
    target.image().expect_each(|x, y| if lit.contains(&(x, y)) { WHITE } else { [0; 4] });
}

fn textures_and_uniforms_in_it(_: &Env) {
    let target = Target::new(16, 16);
    let texels = [2.0_f32, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0];
    texture_2d(gl::RGBA32F, 2, 1, gl::RGBA, gl::FLOAT, Some(&texels));
    let control = format!(
        "{HEAD}layout(vertices = 1) out; uniform sampler2D image; uniform B {{ vec4 block; }}; patch out vec2 at;
        void main() {{ at = vec2(texelFetch(image, ivec2(0), 0).x, block.y); {} }}",
        even(1.0)
    );
    let evaluation = format!(
        "{HEAD}layout(quads, point_mode) in; uniform sampler2D image; uniform vec2 loose; patch in vec2 at;
        void main() {{ vec2 p = at + loose + vec2(texture(image, vec2(0.9, 0.5)).x, 0.0) + gl_TessCoord.xy;
            gl_Position = vec4((p + 0.5) / 8.0 - 1.0, 0.0, 1.0); }}"
    );
    let program = tessellating(Some(&control), &evaluation);
    gl::Uniform2f(uniform(program.0, "loose"), 1.0, 4.0);
    let block = buffer(gl::UNIFORM_BUFFER, &[0.0_f32, 5.0, 0.0, 0.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    draw(1, &[[0.0; 2]]);
    expect_rect(&target.image(), 6..8, 9..11);
}

/// GL 4.6 core 10.3.6: with PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED false a restart index is an index.
fn restart_does_not_cut_patches(_: &Env) {
    let target = Target::new(16, 16);
    tessellating(Some(&control(4, &even(1.0))), &evaluation("quads", BILINEAR));
    if get_i32(gl::PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED) != 0 {
        return;
    }
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &corners(1.0, 1.0, 5.0, 5.0));
    vertex_attrib(0, 2, 0, 0);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    gl::PatchParameteri(gl::PATCH_VERTICES, 4);
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(2);
    gl::DrawElements(gl::PATCHES, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    gl::Disable(gl::PRIMITIVE_RESTART);
    expect_rect(&target.image(), 1..5, 1..5);
}

fn state_and_errors(_: &Env) {
    require_extension("GL_ARB_tessellation_shader");
    assert_eq!(get_i32(gl::PATCH_VERTICES), 3);
    assert_eq!(get_f32s::<4>(gl::PATCH_DEFAULT_OUTER_LEVEL), [1.0; 4]);
    assert_eq!(get_f32s::<2>(gl::PATCH_DEFAULT_INNER_LEVEL), [1.0; 2]);
    // GL 4.6 core tables 23.56, 23.57.
    for (name, least) in [
        (gl::MAX_PATCH_VERTICES, 32),
        (gl::MAX_TESS_GEN_LEVEL, 64),
        (gl::MAX_TESS_CONTROL_UNIFORM_COMPONENTS, 1024),
        (gl::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, 16),
        (gl::MAX_TESS_CONTROL_OUTPUT_COMPONENTS, 128),
        (gl::MAX_TESS_PATCH_COMPONENTS, 120),
        (gl::MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS, 4096),
        (gl::MAX_TESS_CONTROL_INPUT_COMPONENTS, 128),
        (gl::MAX_TESS_CONTROL_UNIFORM_BLOCKS, 12),
        (gl::MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, 1024),
        (gl::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, 16),
        (gl::MAX_TESS_EVALUATION_OUTPUT_COMPONENTS, 128),
        (gl::MAX_TESS_EVALUATION_INPUT_COMPONENTS, 128),
        (gl::MAX_TESS_EVALUATION_UNIFORM_BLOCKS, 12),
        (gl::MAX_COMBINED_UNIFORM_BLOCKS, 60),
        (gl::MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS, 1024),
        (gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 80),
        (gl::MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS, 1024),
    ] {
        assert!(get_i32(name) >= least, "{name:#x} is {} of {least}", get_i32(name));
    }
    gl::PatchParameteri(gl::PATCH_VERTICES, 0);
    expect_error(gl::INVALID_VALUE, "no vertices");
    gl::PatchParameteri(gl::PATCH_VERTICES, get_i32(gl::MAX_PATCH_VERTICES) + 1);
    expect_error(gl::INVALID_VALUE, "too many vertices");
    gl::PatchParameteri(gl::PATCH_DEFAULT_INNER_LEVEL, 1);
    expect_error(gl::INVALID_ENUM, "a level by glPatchParameteri");
    gl::PatchParameterfv(gl::PATCH_VERTICES, [1.0_f32; 4].as_ptr());
    expect_error(gl::INVALID_ENUM, "vertices by glPatchParameterfv");
    assert_eq!(get_i32(gl::PATCH_VERTICES), 3);
    gl::PatchParameteri(gl::PATCH_VERTICES, 7);
    gl::PatchParameterfv(gl::PATCH_DEFAULT_OUTER_LEVEL, [1.5_f32, 2.5, 3.5, 4.5].as_ptr());
    gl::PatchParameterfv(gl::PATCH_DEFAULT_INNER_LEVEL, [5.5_f32, 6.5].as_ptr());
    assert_eq!(get_i32(gl::PATCH_VERTICES), 7);
    assert_eq!(get_f32s::<4>(gl::PATCH_DEFAULT_OUTER_LEVEL), [1.5, 2.5, 3.5, 4.5]);
    assert_eq!(get_f32s::<2>(gl::PATCH_DEFAULT_INNER_LEVEL), [5.5, 6.5]);
}

/// GL 4.6 core 11.2, 11.3.1, 13.3.2.
fn draws_that_do_not_fit(_: &Env) {
    let _target = Target::new(4, 4);
    let even = even(1.0);
    tessellating(Some(&control(1, &even)), &evaluation("quads", BILINEAR));
    gl::BindVertexArray(gen_vertex_array());
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    expect_error(gl::INVALID_OPERATION, "triangles into tessellation");
    gl::DrawArrays(gl::PATCHES, 0, 3);
    expect_no_error("patches into tessellation");
    gallite_tests::draw::solid([1.0; 4]);
    gl::DrawArrays(gl::PATCHES, 0, 3);
    expect_error(gl::INVALID_OPERATION, "patches without tessellation");
    let evaluation = format!("{HEAD}layout(quads) in; out vec2 at; void main() {{ at = gl_TessCoord.xy; }}");
    let control = control(1, &even);
    stages(Some(&control), &evaluation, &[], |p| set_varyings(p, &["at"], gl::INTERLEAVED_ATTRIBS));
    let room = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0.0_f32; 64]);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, room);
    gl::BeginTransformFeedback(gl::POINTS);
    gl::DrawArrays(gl::PATCHES, 0, 3);
    expect_error(gl::INVALID_OPERATION, "triangles captured as points");
    gl::EndTransformFeedback();
}

fn program_queries(_: &Env) {
    let p = tessellating(
        Some(&control(5, &even(1.0))),
        &evaluation("isolines, fractional_odd_spacing, cw, point_mode", BILINEAR),
    );
    assert_eq!(p.get(gl::TESS_CONTROL_OUTPUT_VERTICES), 5);
    assert_eq!(p.get(gl::TESS_GEN_MODE) as u32, gl::ISOLINES);
    assert_eq!(p.get(gl::TESS_GEN_SPACING) as u32, gl::FRACTIONAL_ODD);
    assert_eq!(p.get(gl::TESS_GEN_VERTEX_ORDER) as u32, gl::CW);
    assert_eq!(p.get(gl::TESS_GEN_POINT_MODE), 1);
    let p = tessellating(None, &evaluation("triangles", "gl_Position = gl_in[0].gl_Position;"));
    assert_eq!(p.get(gl::TESS_GEN_MODE) as u32, gl::TRIANGLES);
    assert_eq!(p.get(gl::TESS_GEN_SPACING) as u32, gl::EQUAL);
    assert_eq!(p.get(gl::TESS_GEN_VERTEX_ORDER) as u32, gl::CCW);
    assert_eq!(p.get(gl::TESS_GEN_POINT_MODE), 0);
    p.get(gl::TESS_CONTROL_OUTPUT_VERTICES);
    expect_error(gl::INVALID_OPERATION, "no control stage");
    gallite_tests::draw::solid([1.0; 4]).get(gl::TESS_GEN_MODE);
    expect_error(gl::INVALID_OPERATION, "no evaluation stage");
}

/// GL 4.6 core 7.3, GLSL 4.60 4.3.4, 4.4.1.1, 4.4.2.1.
fn link_rules(_: &Env) {
    require_extension("GL_ARB_tessellation_shader");
    let plain = control(3, &even(1.0));
    let triangles = evaluation("triangles", "gl_Position = gl_in[0].gl_Position;");
    let link = |extra: &[(u32, &str)]| {
        let mut all = vec![(gl::VERTEX_SHADER, VS), (gl::FRAGMENT_SHADER, FS)];
        all.extend(extra);
        try_program(&all, |_| {}).map(|p| p.delete())
    };
    let (c, e) = (gl::TESS_CONTROL_SHADER, gl::TESS_EVALUATION_SHADER);
    assert_eq!(link(&[(c, &plain), (e, &triangles)]), Ok(()));
    assert_eq!(link(&[(e, &triangles)]), Ok(()));
    assert!(link(&[(c, &plain)]).is_err(), "no evaluation stage");
    let open = format!("{HEAD}void main() {{ gl_TessLevelOuter[0] = 1.0; }}");
    assert!(link(&[(c, &open), (e, &triangles)]).is_err(), "no number of vertices");
    let open = format!("{HEAD}void main() {{ gl_Position = vec4(0.0); }}");
    assert!(link(&[(c, &plain), (e, &open)]).is_err(), "no primitive mode");
    let other = format!("{HEAD}layout(vertices = 4) out;\nvoid helper() {{}}");
    assert!(link(&[(c, &plain), (c, &other), (e, &triangles)]).is_err(), "two numbers of vertices");
    let gives = format!("{HEAD}layout(vertices = 3) out; patch out float a; void main() {{ a = 1.0; }}");
    let takes = format!("{HEAD}layout(triangles) in; in float a[]; void main() {{ gl_Position = vec4(a[0]); }}");
    assert!(link(&[(c, &gives), (e, &takes)]).is_err(), "per patch and per vertex");
    let gives =
        format!("{HEAD}layout(vertices = 3) out; out vec2 a[]; void main() {{ a[gl_InvocationID] = vec2(1.0); }}");
    assert!(link(&[(c, &gives), (e, &takes)]).is_err(), "vec2 and float");
    // A geometry stage takes what comes out, or the draw fails; the link stands.
    let only = try_program(&[(gl::FRAGMENT_SHADER, FS), (e, &triangles)], |_| {});
    assert!(only.is_err(), "no vertex stage");
}
