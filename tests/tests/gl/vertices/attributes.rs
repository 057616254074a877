//! Current attribute values, divisors and attribute locations: GL 3.3 core 2.7, 2.8.1 and 2.11.3.

use gallite_tests::draw::{
    buffer, capture, capturing_program, expect_error, expect_near, gen_vertex_array, get_i32, has_extension,
    program_with, require_extension, set_varyings, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, skip};

gl_tests! {
    lesser core(3, 3): current_value_float, current_value_conversions, current_value_integer,
        disabling_returns_to_the_current_value, divisor_one, divisor_two, divisor_with_elements, divisor_with_a_base,
        all_sixteen_attributes, high_attributes_are_generic, matrix_attributes, bound_locations,
        arrays_of_arrays, shapes_that_share_locations,
        attribute_beyond_the_buffer_is_safe, fetches_past_the_end_reach_no_other_buffer;
    every core(3, 3): current_value_query, current_value_errors, active_attributes;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
out vec4 seen;
void main() { seen = b; gl_Position = a; }
";

fn prepare() {
    capturing_program(VS, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f32; 16]);
    vertex_attrib(0, 4, 0, 0);
}

#[track_caller]
fn expect_current(expected: [f32; 4]) {
    let got = capture(gl::POINTS, 4, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 1));
    expect_near(&got, &expected, 1e-6);
}

/// GL 4.6 core 6.4: what lies past the end of a buffer is not another buffer's contents.
fn fetches_past_the_end_reach_no_other_buffer(env: &Env) {
    if env.lane.is_system() {
        skip("only contexts with robust access have to");
    }
    prepare();
    let mine = 100.0;
    let buffers: Vec<u32> = (0..32).map(|i| buffer(gl::ARRAY_BUFFER, &[mine + i as f32; 16])).collect();
    for (i, name) in buffers.iter().enumerate() {
        gl::BindBuffer(gl::ARRAY_BUFFER, *name);
        vertex_attrib(1, 4, 0, 0);
        // Vertices 4 and on have no memory of the buffer; 100 of them span several small buffers.
        let got = capture(gl::POINTS, 400, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 100));
        let own = mine + i as f32;
        assert_eq!(got[..16], [own; 16]);
        let other = got.iter().find(|value| **value >= mine && **value != own);
        assert_eq!(other, None, "buffer {i} reads another's");
    }
}

/// GLSL 4.60 4.1.9: an input may be an array of arrays; GL 4.6 core 7.3.1.1 lists each of the inner ones.
fn arrays_of_arrays(_: &Env) {
    require_extension("GL_ARB_arrays_of_arrays");
    for (layout, first) in [("", None), ("layout(location = 3)", Some(3))] {
        let source = format!(
            "#version 330 core\n#extension GL_ARB_arrays_of_arrays : require\n{layout} in vec4 a[2][3]; out vec4 seen[6];\n\
             void main() {{ for (int i = 0; i < 6; i++) seen[i] = a[i / 3][i % 3]; gl_Position = vec4(0.0); }}\n"
        );
        let program = capturing_program(&source, &["seen"], gl::INTERLEAVED_ATTRIBS);
        let location = |name: &std::ffi::CStr| gl::GetAttribLocation(program.0, name.as_ptr());
        let base = location(c"a[0][0]");
        assert!(base >= 0 && first.is_none_or(|first| first == base), "{base}");
        assert_eq!([c"a[0][2]", c"a[1]", c"a[1][1]", c"a[2][0]"].map(location), [base + 2, base + 3, base + 4, -1]);
        let mut names = Vec::new();
        for index in 0..2 {
            let (mut size, mut kind, mut name) = (0, 0, [0_u8; 16]);
            let out = name.as_mut_ptr().cast();
            gl::GetActiveAttrib(program.0, index, 16, std::ptr::null_mut(), &mut size, &mut kind, out);
            assert_eq!((size, kind), (3, gl::FLOAT_VEC4));
            names.push(String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned());
        }
        assert_eq!(names, ["a[0][0]", "a[1][0]"]);
        gl::BindVertexArray(gen_vertex_array());
        (0..6).for_each(|i| gl::VertexAttrib4f((base + i) as u32, i as f32, 10.0, 20.0, 30.0));
        let got = capture(gl::POINTS, 24, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 1));
        let expected: Vec<f32> = (0..6).flat_map(|i| [i as f32, 10.0, 20.0, 30.0]).collect();
        assert_eq!(got, expected);
        program.delete();
    }
}

/// GL 4.6 core 11.1.1: inputs may be bound to one location, whatever their shapes, while a path reads one of them.
fn shapes_that_share_locations(_: &Env) {
    let source = "#version 330 core
uniform bool second;
in vec3 a[3]; in mat2 m; in vec4 v; in float f; out vec4 seen;
void main() {
    seen = second ? vec4(v.zw, m[1]) : vec4(a[1], f);
    gl_Position = vec4(0.0);
}
";
    let program = program_with(&[(gl::VERTEX_SHADER, source)], |program| {
        // `v` and `a[0]`; `m` and `a[1]`, `a[2]`; `f` and the second column of `m`.
        for (name, location) in [(c"a", 2), (c"v", 2), (c"m", 3), (c"f", 4)] {
            gl::BindAttribLocation(program, location, name.as_ptr());
        }
        set_varyings(program, &["seen"], gl::INTERLEAVED_ATTRIBS);
    });
    program.bind();
    gl::BindVertexArray(gen_vertex_array());
    (0..5).for_each(|i| gl::VertexAttrib4f(i, i as f32, i as f32 + 0.25, i as f32 + 0.5, i as f32 + 0.75));
    for (second, expected) in [(0, [3.0, 3.25, 3.5, 4.0]), (1, [2.5, 2.75, 4.0, 4.25])] {
        gl::Uniform1i(program.location("second"), second);
        assert_eq!(capture(gl::POINTS, 4, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 1)), expected);
    }
}

/// 2.7: the initial value is (0, 0, 0, 1).
fn current_value_float(_: &Env) {
    prepare();
    expect_current([0.0, 0.0, 0.0, 1.0]);
    gl::VertexAttrib4f(1, 1.0, 2.0, 3.0, 4.0);
    expect_current([1.0, 2.0, 3.0, 4.0]);
    gl::VertexAttrib1f(1, 9.0);
    expect_current([9.0, 0.0, 0.0, 1.0]);
    gl::VertexAttrib2fv(1, [5.0, 6.0].as_ptr());
    expect_current([5.0, 6.0, 0.0, 1.0]);
    gl::VertexAttrib3d(1, 0.5, 0.25, 0.125);
    expect_current([0.5, 0.25, 0.125, 1.0]);
    gl::VertexAttrib4s(1, -1, 2, -3, 4);
    expect_current([-1.0, 2.0, -3.0, 4.0]);
}

/// Attributes from 16 on, where there are any, are like the others in the core profile.
fn high_attributes_are_generic(_: &Env) {
    if get_i32(gl::MAX_VERTEX_ATTRIBS) <= 18 {
        gallite_tests::harness::skip("16 attributes");
    }
    let vertex = VS.replace("location = 1", "location = 16");
    capturing_program(&vertex, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f32; 16]);
    vertex_attrib(0, 4, 0, 0);
    expect_current([0.0, 0.0, 0.0, 1.0]);
    buffer(gl::ARRAY_BUFFER, &[1.0_f32, 2.0, 3.0, 4.0]);
    vertex_attrib(16, 4, 0, 0);
    expect_current([1.0, 2.0, 3.0, 4.0]);
    gl::DisableVertexAttribArray(0);
    expect_current([1.0, 2.0, 3.0, 4.0]);
    let mut value = [0.0; 4];
    gl::GetVertexAttribfv(18, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
    assert_eq!(value, [0.0, 0.0, 0.0, 1.0]);
}

fn current_value_conversions(_: &Env) {
    prepare();
    gl::VertexAttrib4Nub(1, 0, 51, 255, 102);
    expect_current([0.0, 0.2, 1.0, 0.4]);
    gl::VertexAttrib4Nusv(1, [0_u16, 13107, 65535, 0].as_ptr());
    expect_current([0.0, 0.2, 1.0, 0.0]);
    gl::VertexAttrib4ubv(1, [0_u8, 51, 255, 102].as_ptr());
    expect_current([0.0, 51.0, 255.0, 102.0]);
    gl::VertexAttribP4ui(1, gl::UNSIGNED_INT_2_10_10_10_REV, gl::TRUE, 0x3ff | (3 << 30));
    expect_current([1.0, 0.0, 0.0, 1.0]);
    gl::VertexAttribP3ui(1, gl::INT_2_10_10_10_REV, gl::FALSE, 0x3ff | (5 << 10));
    expect_current([-1.0, 5.0, 0.0, 1.0]);
}

fn current_value_integer(_: &Env) {
    capturing_program(
        "#version 330 core
layout(location = 0) in vec4 a;
layout(location = 1) in ivec4 b;
layout(location = 2) in uvec4 c;
flat out ivec4 seen_b;
flat out uvec4 seen_c;
void main() { seen_b = b; seen_c = c; gl_Position = a; }
",
        &["seen_b", "seen_c"],
        gl::INTERLEAVED_ATTRIBS,
    );
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f32; 16]);
    vertex_attrib(0, 4, 0, 0);
    gl::VertexAttribI4i(1, -1, 2, i32::MIN, 4);
    gl::VertexAttribI4ui(2, 1, u32::MAX, 3, 4);
    let got = capture(gl::POINTS, 8, 99, || gl::DrawArrays(gl::POINTS, 0, 1));
    assert_eq!(got, [-1, 2, i32::MIN, 4, 1, -1, 3, 4]);
    gl::VertexAttribI1i(1, 8);
    gl::VertexAttribI4bv(2, [1_i8, 2, 3, 4].as_ptr());
    gl::VertexAttribI2ui(2, 6, 7);
    let got = capture(gl::POINTS, 8, 99, || gl::DrawArrays(gl::POINTS, 0, 1));
    assert_eq!(got, [8, 0, 0, 1, 6, 7, 0, 1]);
}

fn disabling_returns_to_the_current_value(_: &Env) {
    prepare();
    gl::VertexAttrib4f(1, 1.0, 2.0, 3.0, 4.0);
    buffer(gl::ARRAY_BUFFER, &[7.0_f32; 16]);
    vertex_attrib(1, 4, 0, 0);
    expect_current([7.0; 4]);
    gl::DisableVertexAttribArray(1);
    expect_current([1.0, 2.0, 3.0, 4.0]);
    gl::EnableVertexAttribArray(1);
    expect_current([7.0; 4]);
}

fn instanced(divisor: u32, instances: i32) -> Vec<f32> {
    prepare();
    let data: Vec<[f32; 4]> = (0_u8..8).map(|i| [f32::from(i); 4]).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(1, 4, 0, 0);
    gl::VertexAttribDivisor(1, divisor);
    let count = 2 * instances as usize;
    let got = capture(gl::POINTS, count * 4, f32::NAN, || {
        gl::DrawArraysInstanced(gl::POINTS, 0, 2, instances);
    });
    got.chunks(4).map(|v| v[0]).collect()
}

fn divisor_one(_: &Env) {
    assert_eq!(instanced(1, 3), [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
}

fn divisor_two(_: &Env) {
    assert_eq!(instanced(2, 5), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
}

/// 2.8.3: `first` and base vertex don't shift instanced attributes.
fn divisor_with_elements(_: &Env) {
    prepare();
    let data: Vec<[f32; 4]> = (0_u8..8).map(|i| [f32::from(i); 4]).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(1, 4, 0, 0);
    gl::VertexAttribDivisor(1, 1);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1]);
    let got = capture(gl::POINTS, 16, f32::NAN, || {
        let null = std::ptr::null();
        gl::DrawElementsInstancedBaseVertex(gl::POINTS, 2, gl::UNSIGNED_SHORT, null, 2, 1);
    });
    let got: Vec<f32> = got.chunks(4).map(|v| v[0]).collect();
    assert_eq!(got, [0.0, 0.0, 1.0, 1.0]);
    let got = capture(gl::POINTS, 8, f32::NAN, || {
        gl::DrawArraysInstanced(gl::POINTS, 1, 1, 2);
    });
    let got: Vec<f32> = got.chunks(4).map(|v| v[0]).collect();
    assert_eq!(got, [0.0, 1.0]);
}

/// GL 4.6 core 10.3.4: the base counts elements, not instances, in indirect draws too.
fn divisor_with_a_base(_: &Env) {
    if !has_extension("GL_ARB_base_instance") || !has_extension("GL_ARB_draw_indirect") {
        skip("no base instance");
    }
    prepare();
    let data: Vec<[f32; 4]> = (0_u8..8).map(|i| [f32::from(i); 4]).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    vertex_attrib(1, 4, 0, 0);
    gl::VertexAttribDivisor(1, 3);
    let seen = |draw: &dyn Fn()| {
        let got = capture(gl::POINTS, 28, f32::NAN, draw);
        got.chunks(4).map(|v| v[0]).collect::<Vec<f32>>()
    };
    let direct = |base| seen(&|| gl::DrawArraysInstancedBaseInstance(gl::POINTS, 0, 1, 7, base));
    assert_eq!(direct(2), [2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0]);
    assert_eq!(direct(0), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
    buffer(gl::DRAW_INDIRECT_BUFFER, &[1_u32, 7, 0, 3]);
    assert_eq!(seen(&|| gl::DrawArraysIndirect(gl::POINTS, std::ptr::null())), [3.0, 3.0, 3.0, 4.0, 4.0, 4.0, 5.0]);
    // Bytes, converted on the way where the device fetches none.
    buffer(gl::ARRAY_BUFFER, &[10_u8, 20, 30, 40, 50, 60, 70, 80, 90, 11, 12, 13]);
    gl::VertexAttribPointer(1, 3, gl::UNSIGNED_BYTE, gl::FALSE, 3, std::ptr::null());
    assert_eq!(direct(1), [40.0, 40.0, 40.0, 70.0, 70.0, 70.0, 11.0]);
}

fn all_sixteen_attributes(_: &Env) {
    assert!(get_i32(gl::MAX_VERTEX_ATTRIBS) >= 16);
    let inputs: String = (0..16).map(|i| format!("layout(location = {i}) in vec4 a{i};\n")).collect();
    let sum: String = (0..16).map(|i| format!(" + a{i} * {}.0", 1 << i)).collect();
    let source = format!(
        "#version 330 core
{inputs}out vec4 seen;
void main() {{ seen = vec4(0.0){sum}; gl_Position = vec4(0.0); }}
"
    );
    capturing_program(&source, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    // Interleaved: attribute i of vertex v is (v + 1, i, 0, 1).
    let data: Vec<[f32; 4]> = (0..2).flat_map(|v| (0..16).map(move |i| [v as f32 + 1.0, i as f32, 0.0, 1.0])).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    for index in 0..16 {
        vertex_attrib(index, 4, 256, 16 * index as usize);
    }
    let got = capture(gl::POINTS, 8, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 2));
    let all = 65535.0;
    let weighted: f32 = (0..16).map(|i| (i * (1 << i)) as f32).sum();
    expect_near(&got, &[all, weighted, 0.0, all, 2.0 * all, weighted, 0.0, all], 0.0);
}

/// 2.11.3: a matrix takes one location per column.
fn matrix_attributes(_: &Env) {
    capturing_program(
        "#version 330 core
layout(location = 2) in mat3 m;
layout(location = 0) in vec4 a;
out vec3 seen;
void main() { seen = m * vec3(1.0, 10.0, 100.0); gl_Position = a; }
",
        &["seen"],
        gl::INTERLEAVED_ATTRIBS,
    );
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f32; 4]);
    vertex_attrib(0, 4, 0, 0);
    gl::VertexAttrib3f(2, 1.0, 2.0, 3.0);
    gl::VertexAttrib3f(3, 4.0, 5.0, 6.0);
    gl::VertexAttrib3f(4, 7.0, 8.0, 9.0);
    let got = capture(gl::POINTS, 3, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 1));
    expect_near(&got, &[741.0, 852.0, 963.0], 0.0);
}

/// glBindAttribLocation takes effect at the next link; the shader's own layout wins over it.
fn bound_locations(_: &Env) {
    let source = "#version 330 core
in vec4 loose;
layout(location = 5) in vec4 fixed_one;
void main() { gl_Position = loose + fixed_one; }
";
    let program = program_with(&[(gl::VERTEX_SHADER, source)], |program| {
        gl::BindAttribLocation(program, 7, c"loose".as_ptr());
        gl::BindAttribLocation(program, 3, c"fixed_one".as_ptr());
        gl::BindAttribLocation(program, 4, c"not there".as_ptr());
    });
    assert_eq!(program.attribute("loose"), 7);
    assert_eq!(program.attribute("fixed_one"), 5);
    gl::BindAttribLocation(program.0, 2, c"loose".as_ptr());
    assert_eq!(program.attribute("loose"), 7);
    gallite_tests::draw::link(program.0).expect("link");
    assert_eq!(program.attribute("loose"), 2);
    assert_eq!(program.attribute("gl_Position"), -1);
}

/// Reading past the end of a buffer is undefined in value but must not end the program
/// (robustness); here it just has to survive and leave no error.
fn attribute_beyond_the_buffer_is_safe(_: &Env) {
    prepare();
    buffer(gl::ARRAY_BUFFER, &[1.0_f32; 4]);
    vertex_attrib(1, 4, 0, 0);
    let _ = capture(gl::POINTS, 12, 0.0_f32, || gl::DrawArrays(gl::POINTS, 0, 3));
    gl::BindBuffer(gl::ARRAY_BUFFER, gallite_tests::draw::gen_buffer());
    vertex_attrib(1, 4, 0, 0);
    let _ = capture(gl::POINTS, 12, 0.0_f32, || gl::DrawArrays(gl::POINTS, 0, 3));
}

fn current_value_query(_: &Env) {
    let mut value = [0.0_f32; 4];
    gl::VertexAttrib4f(2, 1.0, 2.0, 3.0, 4.0);
    gl::GetVertexAttribfv(2, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
    assert_eq!(value, [1.0, 2.0, 3.0, 4.0]);
    gl::VertexAttribI4i(3, -1, 2, 3, 4);
    let mut value = [0; 4];
    gl::GetVertexAttribIiv(3, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
    assert_eq!(value, [-1, 2, 3, 4]);
    gl::VertexAttribI4ui(3, u32::MAX, 2, 3, 4);
    let mut value = [0_u32; 4];
    gl::GetVertexAttribIuiv(3, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
    assert_eq!(value, [u32::MAX, 2, 3, 4]);
    let mut value = [0.0_f64; 4];
    gl::GetVertexAttribdv(2, gl::CURRENT_VERTEX_ATTRIB, value.as_mut_ptr());
    assert_eq!(value, [1.0, 2.0, 3.0, 4.0]);
}

fn current_value_errors(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    let max = get_i32(gl::MAX_VERTEX_ATTRIBS) as u32;
    gl::VertexAttrib4f(max, 0.0, 0.0, 0.0, 0.0);
    expect_error(gl::INVALID_VALUE, "index");
    gl::VertexAttribP4ui(0, gl::FLOAT, gl::FALSE, 0);
    expect_error(gl::INVALID_ENUM, "packed type");
    gl::EnableVertexAttribArray(max);
    expect_error(gl::INVALID_VALUE, "enable");
    gl::DisableVertexAttribArray(max);
    expect_error(gl::INVALID_VALUE, "disable");
    gl::VertexAttribDivisor(max, 1);
    expect_error(gl::INVALID_VALUE, "divisor");
    gl::GetVertexAttribiv(max, gl::VERTEX_ATTRIB_ARRAY_SIZE, &mut 0);
    expect_error(gl::INVALID_VALUE, "query");
    gl::GetVertexAttribiv(0, gl::RGBA, &mut 0);
    expect_error(gl::INVALID_ENUM, "query name");
}

fn active_attributes(_: &Env) {
    let source = "#version 330 core
in vec3 position;
in mat2 turn;
in ivec2 number;
void main() { gl_Position = vec4(position.xy * turn, position.z, float(number.x)); }
";
    let program = program_with(&[(gl::VERTEX_SHADER, source)], |_| {});
    assert_eq!(program.get(gl::ACTIVE_ATTRIBUTES), 3);
    assert_eq!(program.get(gl::ACTIVE_ATTRIBUTE_MAX_LENGTH), 9);
    let mut seen = Vec::new();
    for index in 0..3 {
        let (mut length, mut size, mut kind) = (0, 0, 0);
        let mut name = [0_u8; 32];
        gl::GetActiveAttrib(program.0, index, 32, &mut length, &mut size, &mut kind, name.as_mut_ptr().cast());
        let name = String::from_utf8_lossy(&name[..length as usize]).into_owned();
        seen.push((name, size, kind));
    }
    seen.sort();
    let expected = [
        ("number".to_owned(), 1, gl::INT_VEC2),
        ("position".to_owned(), 1, gl::FLOAT_VEC3),
        ("turn".to_owned(), 1, gl::FLOAT_MAT2),
    ];
    assert_eq!(seen, expected);
    gl::GetActiveAttrib(program.0, 3, 0, std::ptr::null_mut(), &mut 0, &mut 0, std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "index of an active attribute");
}
