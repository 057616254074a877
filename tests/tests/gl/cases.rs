//! Cases from public bug reports that belong to no chapter's file: language, vertices and draws.

use crate::vertices::primitives::{WHITE, WHITE_FS, canvas};
use gallite_tests::draw::{
    SOLID_VS, Target, buffer, expect_near, expect_no_error, gen_vertex_array, program, program_with, quad, run_float,
    shader_status, solid, texture_2d, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): case_01_integers_become_floats, case_02_a_block_without_instance_name_in_both_stages,
        case_07_clip_distances_zero_and_two, case_09_samplers_in_structures, case_12_one_buffer_and_two_strides, case_14_ten_thousand_draws,
        case_15_restart_in_a_buffer_of_vertices_and_indices, case_16_loops_of_one_vertex,
        case_16_loops_around_other_primitives;
    every core(3, 3): case_11_packed_is_reserved_until_1_40;
}

fn case_12_one_buffer_and_two_strides(_: &Env) {
    let target = canvas();
    // Every 16 bytes a vertex: (i, 0); so every 32 bytes the even ones.
    let data: Vec<[f32; 4]> = (0_u8..16).map(|i| [f32::from(i), 0.0, 0.0, 0.0]).collect();
    let shared = buffer(gl::ARRAY_BUFFER, &data);
    let arrays = [16, 32].map(|stride| {
        let array = gen_vertex_array();
        gl::BindVertexArray(array);
        gl::BindBuffer(gl::ARRAY_BUFFER, shared);
        vertex_attrib(0, 2, stride, 0);
        array
    });
    for _ in 0..4 {
        for (array, step) in arrays.into_iter().zip([1, 2]) {
            target.clear([0.0; 4]);
            gl::BindVertexArray(array);
            gl::DrawArrays(gl::POINTS, 1, 4);
            target.image().expect_each(|x, y| {
                if y == 0 && x % step == 0 && (step..5 * step).contains(&x) { WHITE } else { [0; 4] }
            });
        }
    }
}

fn case_14_ten_thousand_draws(_: &Env) {
    let target = Target::new(100, 100);
    let vertex = "#version 330 core
layout(location = 0) in vec2 pixel;
void main() { gl_Position = vec4((pixel + 0.5) / 50.0 - 1.0, 0.0, 1.0); }
";
    program(vertex, WHITE_FS);
    gl::BindVertexArray(gen_vertex_array());
    let data: Vec<[f32; 2]> = (0..10_000).map(|i| [(i % 100) as f32, (i / 100) as f32]).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(0, 2, 0, 0);
    let (firsts, counts): (Vec<i32>, Vec<i32>) = ((0..10_000).collect(), vec![1; 10_000]);
    gl::MultiDrawArrays(gl::POINTS, firsts.as_ptr(), counts.as_ptr(), 10_000);
    target.image().expect_all(WHITE);
    target.clear([0.0; 4]);
    let indices: Vec<u16> = (0..10_000).collect();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &indices);
    let offsets: Vec<*const std::ffi::c_void> = (0..10_000_usize).map(|i| (2 * i) as *const _).collect();
    gl::MultiDrawElements(gl::POINTS, counts.as_ptr(), gl::UNSIGNED_SHORT, offsets.as_ptr(), 10_000);
    expect_no_error("draws");
    target.image().expect_all(WHITE);
}

fn restarting<T: Copy>(indices: &[T], kind: u32, restart: u32) {
    let target = canvas();
    // Vertices first, indices right behind them in the same buffer.
    let corners = [[2.0_f32, 2.0], [6.0, 2.0], [2.0, 9.0], [6.0, 9.0]];
    let offset = size_of_val(&corners);
    let name = buffer(gl::ARRAY_BUFFER, &[0_u8; 256]);
    gl::BufferSubData(gl::ARRAY_BUFFER, 0, offset as isize, corners.as_ptr().cast());
    let size = size_of_val(indices) as isize;
    gl::BufferSubData(gl::ARRAY_BUFFER, offset as isize, size, indices.as_ptr().cast());
    vertex_attrib(0, 2, 0, 0);
    gl::BindBuffer(gl::ELEMENT_ARRAY_BUFFER, name);
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(restart);
    gl::DrawElements(gl::LINE_STRIP, indices.len() as i32, kind, offset as *const _);
    // Two strips: without the restart a line would join them.
    target.image().expect_each(|x, y| {
        let lit = (2..6).contains(&x) && (y == 2 || y == 9);
        if lit { WHITE } else { [0; 4] }
    });
}

fn case_15_restart_in_a_buffer_of_vertices_and_indices(_: &Env) {
    for restart in [255_u8, 77] {
        restarting(&[0_u8, 1, restart, 2, 3], gl::UNSIGNED_BYTE, restart.into());
    }
    for restart in [65_535_u16, 77] {
        restarting(&[0_u16, 1, restart, 2, 3], gl::UNSIGNED_SHORT, restart.into());
    }
    for restart in [u32::MAX, 77] {
        restarting(&[0_u32, 1, restart, 2, 3], gl::UNSIGNED_INT, restart);
    }
}

const LOOP: [[f32; 2]; 4] = [[2.0, 2.0], [9.0, 2.0], [9.0, 9.0], [2.0, 9.0]];

fn on_loop(x: i32, y: i32) -> bool {
    let inside = (2..=9).contains(&x) && (2..=9).contains(&y);
    inside && (x == 2 || x == 9 || y == 2 || y == 9)
}

fn case_16_loops_of_one_vertex(_: &Env) {
    let target = canvas();
    buffer(gl::ARRAY_BUFFER, &LOOP);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::LINE_LOOP, 1, 1);
    target.image().expect_all([0; 4]);
    // Runs of one index between restarts, then a whole loop.
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[3_u16, 0xffff, 1, 0xffff, 0, 1, 2, 3, 0xffff, 2]);
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(0xffff);
    gl::DrawElements(gl::LINE_LOOP, 10, gl::UNSIGNED_SHORT, std::ptr::null());
    target.image().expect_each(|x, y| if on_loop(x, y) { WHITE } else { [0; 4] });
    // Without restarts, by glMultiDrawArrays.
    target.clear([0.0; 4]);
    gl::MultiDrawArrays(gl::LINE_LOOP, [1, 0, 2].as_ptr(), [1, 4, 0].as_ptr(), 3);
    target.image().expect_each(|x, y| if on_loop(x, y) { WHITE } else { [0; 4] });
}

/// The second loop closes too, after triangles in between.
fn case_16_loops_around_other_primitives(_: &Env) {
    let target = canvas();
    buffer(gl::ARRAY_BUFFER, &LOOP);
    vertex_attrib(0, 2, 0, 0);
    for _ in 0..2 {
        target.clear([0.0; 4]);
        gl::DrawArrays(gl::LINE_LOOP, 0, 4);
        target.image().expect_each(|x, y| if on_loop(x, y) { WHITE } else { [0; 4] });
        gl::DrawArrays(gl::TRIANGLE_FAN, 0, 4);
        target.image().expect(5, 5, WHITE);
    }
    solid([0.0; 4]);
}

/// GLSL 1.20 4.1.10: an integer is converted where a float is wanted.
fn case_01_integers_become_floats(_: &Env) {
    let vertex = "#version 120\nattribute vec4 position;\nvoid main() { gl_Position = position; }\n";
    let fragment = "#version 120
uniform vec4 one;
float twice(float x) { return x * 2; }
void main() {
    float a = one.x;
    a *= 500;
    int three = 3;
    float b = twice(three);
    gl_FragColor = vec4(a, b, a + 1, vec2(1, 2).y);
}
";
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    let program = program_with(&stages, |program| gl::BindAttribLocation(program, 0, c"position".as_ptr()));
    program.bind();
    program.set4f("one", [1.0; 4]);
    expect_near(&run_float(program), &[500.0, 6.0, 501.0, 2.0], 0.0);
}

/// The members are globals, whichever of them a stage reads.
fn case_02_a_block_without_instance_name_in_both_stages(_: &Env) {
    let target = Target::new(4, 4);
    let block = "layout(std140) uniform Shared { vec4 shift; float scale; vec4 colour; };\n";
    let vertex = format!(
        "#version 330 core\n{block}layout(location = 0) in vec4 p;
void main() {{ gl_Position = vec4(p.xy * scale + shift.xy, 0.0, 1.0); }}\n"
    );
    let fragment = format!("#version 330 core\n{block}out vec4 result;\nvoid main() {{ result = colour; }}\n");
    let program = program(&vertex, &fragment);
    assert_eq!(program.get(gl::ACTIVE_UNIFORM_BLOCKS), 1);
    let values = [0.5_f32, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    let name = buffer(gl::UNIFORM_BUFFER, &values);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    quad();
    target.image().expect_rect([2, 1, 2, 2], [0, 255, 0, 255], [0; 4]);
}

/// GLSL 3.30 7.1: the array's size is the largest index plus one, so 3; a plane that is off does not clip.
fn case_07_clip_distances_zero_and_two(_: &Env) {
    let target = Target::new(8, 8);
    let vertex = "#version 330 core
layout(location = 0) in vec4 p;
void main() { gl_Position = p; gl_ClipDistance[0] = p.x; gl_ClipDistance[2] = p.y; }
";
    program(vertex, WHITE_FS);
    gl::Enable(gl::CLIP_DISTANCE0);
    gl::Enable(gl::CLIP_DISTANCE0 + 2);
    quad();
    target.image().expect_rect([4, 4, 4, 4], WHITE, [0; 4]);
    gl::Disable(gl::CLIP_DISTANCE0);
    gl::Disable(gl::CLIP_DISTANCE0 + 2);
}

/// A sampler member is a uniform of its own, whatever another uniform is called.
fn case_09_samplers_in_structures(_: &Env) {
    let target = Target::new(4, 4);
    let fragment = "#version 330 core
struct S { sampler2D t; vec4 c; };
uniform S s;
uniform S more[2];
uniform vec4 s_t;
out vec4 result;
void main() {
    result = texture(s.t, vec2(0.5)) * s.c + s_t + texture(more[1].t, vec2(0.5)) * more[1].c + more[0].c;
}
";
    let program = program(SOLID_VS, fragment);
    for (unit, texel) in [[255_u8, 0, 0, 0], [0, 255, 0, 0]].into_iter().enumerate() {
        gl::ActiveTexture(gl::TEXTURE0 + 3 + unit as u32);
        texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[texel]));
    }
    gl::ActiveTexture(gl::TEXTURE0);
    program.set1i("s.t", 3);
    program.set1i("more[1].t", 4);
    program.set4f("s.c", [0.2; 4]);
    program.set4f("more[1].c", [0.4; 4]);
    program.set4f("more[0].c", [0.0, 0.0, 0.6, 0.0]);
    program.set4f("s_t", [0.0, 0.0, 0.0, 1.0]);
    quad();
    target.image().expect_all([51, 102, 153, 255]);
}

/// GLSL 1.30 3.6 reserves the word; 1.40 uses it as a layout name and no longer does.
fn case_11_packed_is_reserved_until_1_40(_: &Env) {
    for (version, is_name) in
        [("110", false), ("120", false), ("130", false), ("140", true), ("150", true), ("330", true)]
    {
        let source = format!("#version {version}\nvoid main() {{ float packed = 1.0; gl_Position = vec4(packed); }}\n");
        assert_eq!(shader_status(gl::VERTEX_SHADER, &source).1, is_name, "version {version}");
    }
}
