//! Vertex attributes of doubles: GL 4.6 core 10.2, 10.3 and 11.1.1 (ARB_vertex_attrib_64bit).

use gallite_tests::draw::{
    Program, buffer, capture, capturing_program, expect_error, expect_no_error, gen_vertex_array, get_i32,
    program_with, require_extension, set_varyings, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): arrays_of_all_sizes, matrices_and_arrays, current_values, places_in_memory,
        among_other_attributes, by_instance, many_inputs, several_in_one_location, second_halves_elsewhere;
    render compatibility(8, 8): vertices_one_by_one, arrays_in_client_memory;
    every core(3, 3): queries, errors, locations;
}

const HEAD: &str = "#version 330 core
#extension GL_ARB_gpu_shader_fp64 : require
#extension GL_ARB_vertex_attrib_64bit : require
";

const ALL: &str = "layout(location = 0) in double a;
layout(location = 1) in dvec2 b;
layout(location = 2) in dvec3 c;
layout(location = 3) in dvec4 d;
flat out uvec4 w[5];
uvec4 two(double x, double y) { return uvec4(unpackDouble2x32(x), unpackDouble2x32(y)); }
void main() {
    w[0] = two(a, b.x);
    w[1] = two(b.y, c.x);
    w[2] = two(c.y, c.z);
    w[3] = two(d.x, d.y);
    w[4] = two(d.z, d.w);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
";

/// Values that no float holds.
fn value(i: usize) -> f64 {
    1.0 / (i as f64 + 3.0) + i as f64
}

fn prepare(source: &str) -> Program {
    require_extension("GL_ARB_vertex_attrib_64bit");
    require_extension("GL_ARB_gpu_shader_fp64");
    let program = capturing_program(&format!("{HEAD}{source}"), &["w"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    program
}

/// What `count` vertices of `each` doubles come to.
#[track_caller]
fn captured(count: usize, each: usize, draw: impl FnOnce()) -> Vec<f64> {
    capture(gl::POINTS, count * each, -1.0_f64, draw)
}

fn arrays_of_all_sizes(_: &Env) {
    prepare(ALL);
    let data: Vec<f64> = (0..30).map(value).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    for (index, first) in [0, 1, 3, 6].into_iter().enumerate() {
        gl::VertexAttribLPointer(index as u32, index as i32 + 1, gl::DOUBLE, 80, (8 * first) as *const _);
        gl::EnableVertexAttribArray(index as u32);
    }
    expect_no_error("glVertexAttribLPointer");
    assert_eq!(captured(3, 10, || gl::DrawArrays(gl::POINTS, 0, 3)), data);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[2_u8, 0]);
    let got = captured(2, 10, || gl::DrawElements(gl::POINTS, 2, gl::UNSIGNED_BYTE, std::ptr::null()));
    assert_eq!(got, [&data[20..], &data[..10]].concat());
}

/// 11.1.1: a location for each column, whatever its size, and for each element of an array.
fn matrices_and_arrays(_: &Env) {
    let program = prepare(
        "layout(location = 2) in dmat2x3 m;
in dvec4 v[2];
in double s;
flat out uvec4 w[8];
uvec4 two(double x, double y) { return uvec4(unpackDouble2x32(x), unpackDouble2x32(y)); }
void main() {
    w[0] = two(m[0].x, m[0].y);
    w[1] = two(m[0].z, m[1].x);
    w[2] = two(m[1].y, m[1].z);
    for (int i = 0; i < 2; ++i) {
        w[3 + 2 * i] = two(v[i].x, v[i].y);
        w[4 + 2 * i] = two(v[i].z, v[i].w);
    }
    w[7] = two(s, 0.5lf);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
",
    );
    let data: Vec<f64> = (0..15).map(value).collect();
    buffer(gl::ARRAY_BUFFER, &data);
    let (m, v, s) = (program.attribute("m"), program.attribute("v"), program.attribute("s"));
    assert_eq!(m, 2);
    assert_eq!(program.attribute("v[1]"), v + 1);
    for (location, size, first) in [(m, 3, 0), (m + 1, 3, 3), (v, 4, 6), (v + 1, 4, 10), (s, 1, 14)] {
        gl::VertexAttribLPointer(location as u32, size, gl::DOUBLE, 120, (8 * first) as *const _);
        gl::EnableVertexAttribArray(location as u32);
    }
    let got = captured(1, 16, || gl::DrawArrays(gl::POINTS, 0, 1));
    assert_eq!(got[..15], data[..]);
    assert_eq!(got[15], 0.5);
}

/// 10.2.1.
fn current_values(_: &Env) {
    prepare(ALL);
    let v: Vec<f64> = (0..10).map(value).collect();
    gl::VertexAttribL1d(0, v[0]);
    gl::VertexAttribL2d(1, v[1], v[2]);
    gl::VertexAttribL3dv(2, v[3..].as_ptr());
    gl::VertexAttribL4d(3, v[6], v[7], v[8], v[9]);
    assert_eq!(captured(1, 10, || gl::DrawArrays(gl::POINTS, 0, 1)), v);
    gl::VertexAttribL1dv(0, v[9..].as_ptr());
    gl::VertexAttribL4dv(3, v[1..].as_ptr());
    let got = captured(2, 10, || gl::DrawArrays(gl::POINTS, 0, 2));
    let expected = [&v[9..], &v[1..6], &v[1..5]].concat();
    assert_eq!(got, [&expected[..], &expected[..]].concat());
    // An array for one, the current value for the others.
    buffer(gl::ARRAY_BUFFER, &v);
    gl::VertexAttribLPointer(2, 3, gl::DOUBLE, 0, 8 as *const _);
    gl::EnableVertexAttribArray(2);
    let got = captured(1, 10, || gl::DrawArrays(gl::POINTS, 0, 1));
    assert_eq!(got, [&v[9..], &v[1..3], &v[1..4], &v[1..5]].concat());
}

/// 10.3.9: elements may lie anywhere, formats and buffers apart from each other.
fn places_in_memory(_: &Env) {
    prepare(ALL);
    let v: Vec<f64> = (0..20).map(value).collect();
    for shift in [4, 3] {
        let mut bytes = vec![0_u8; shift];
        bytes.extend(v.iter().flat_map(|v| v.to_le_bytes()));
        let name = buffer(gl::ARRAY_BUFFER, &bytes);
        for (index, first) in [0, 1, 3, 6].into_iter().enumerate() {
            gl::VertexAttribLFormat(index as u32, index as i32 + 1, gl::DOUBLE, 8 * first);
            gl::VertexAttribBinding(index as u32, 5);
            gl::EnableVertexAttribArray(index as u32);
        }
        gl::BindVertexBuffer(5, name, shift as isize, 80);
        expect_no_error("glVertexAttribLFormat");
        assert_eq!(captured(2, 10, || gl::DrawArrays(gl::POINTS, 0, 2)), v, "{shift} bytes from the start");
    }
}

fn among_other_attributes(_: &Env) {
    prepare(
        "layout(location = 3) in dvec3 c;
layout(location = 0) in vec4 f;
layout(location = 1) in ivec2 i;
flat out uvec4 w[3];
uvec4 two(double x, double y) { return uvec4(unpackDouble2x32(x), unpackDouble2x32(y)); }
void main() {
    w[0] = two(c.x, c.y);
    w[1] = two(c.z, double(f.w));
    w[2] = two(double(f.x), double(i.y));
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
",
    );
    buffer(gl::ARRAY_BUFFER, &[0.5_f32, 0.0, 0.0, 0.25]);
    vertex_attrib(0, 4, 0, 0);
    gl::VertexAttribI2i(1, 3, -7);
    buffer(gl::ARRAY_BUFFER, &[value(1), value(2), value(3)]);
    gl::VertexAttribLPointer(3, 3, gl::DOUBLE, 0, std::ptr::null());
    gl::EnableVertexAttribArray(3);
    let got = captured(1, 6, || gl::DrawArrays(gl::POINTS, 0, 1));
    assert_eq!(got, [value(1), value(2), value(3), 0.25, 0.5, -7.0]);
    // Doubles given as floats are floats to the shader.
    buffer(gl::ARRAY_BUFFER, &[1.5_f64, 0.0, 0.0, 2.5]);
    gl::VertexAttribPointer(0, 4, gl::DOUBLE, gl::FALSE, 0, std::ptr::null());
    let got = captured(1, 6, || gl::DrawArrays(gl::POINTS, 0, 1));
    assert_eq!(got, [value(1), value(2), value(3), 2.5, 1.5, -7.0]);
}

fn by_instance(_: &Env) {
    prepare(ALL);
    let v: Vec<f64> = (0..8).map(value).collect();
    buffer(gl::ARRAY_BUFFER, &v);
    gl::VertexAttribLPointer(3, 4, gl::DOUBLE, 32, std::ptr::null());
    gl::VertexAttribDivisor(3, 1);
    gl::EnableVertexAttribArray(3);
    let got = captured(2, 10, || gl::DrawArraysInstanced(gl::POINTS, 0, 1, 2));
    assert_eq!([&got[6..10], &got[16..]].concat(), v);
}

/// 11.1.1: inputs of three and four doubles count twice at most.
fn many_inputs(_: &Env) {
    require_extension("GL_ARB_vertex_attrib_64bit");
    require_extension("GL_ARB_gpu_shader_fp64");
    let source = |count: u32| {
        format!(
            "{HEAD}in dvec4 v[{count}];\nflat out uvec2 w;\nvoid main() {{
    double sum = 0.0lf;
    for (int i = 0; i < {count}; ++i) sum += v[i].x + v[i].w;
    w = unpackDouble2x32(sum);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}}
"
        )
    };
    let most = get_i32(gl::MAX_VERTEX_ATTRIBS) as u32;
    let half = most / 2;
    let program = program_with(&[(gl::VERTEX_SHADER, &source(half))], |p| {
        set_varyings(p, &["w"], gl::INTERLEAVED_ATTRIBS);
    });
    program.bind();
    gl::BindVertexArray(gen_vertex_array());
    let first = program.attribute("v") as u32;
    for i in 0..half {
        gl::VertexAttribL4d(first + i, value(i as usize), 0.0, 0.0, 1.0);
    }
    let sum = (0..half as usize).fold(0.0, |sum, i| sum + (value(i) + 1.0));
    assert_eq!(captured(1, 1, || gl::DrawArrays(gl::POINTS, 0, 1)), [sum]);
    assert!(try_program(&[(gl::VERTEX_SHADER, &source(most + 1))], |_| {}).is_err());
}

/// GLSL 4.60 4.4.1: inputs of different components of one location.
fn several_in_one_location(_: &Env) {
    require_extension("GL_ARB_enhanced_layouts");
    prepare(
        "#extension GL_ARB_enhanced_layouts : require
layout(location = 0, component = 0) in double a;
layout(location = 0, component = 2) in double b;
layout(location = 1, component = 2) in double c[2];
layout(location = 2, component = 0) in double d;
flat out uvec4 w[3];
uvec4 two(double x, double y) { return uvec4(unpackDouble2x32(x), unpackDouble2x32(y)); }
void main() {
    w[0] = two(a, b);
    w[1] = two(c[0], c[1]);
    w[2] = two(d, 0.5lf);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
",
    );
    let v: Vec<f64> = (0..12).map(value).collect();
    buffer(gl::ARRAY_BUFFER, &v);
    for index in 0..3_usize {
        gl::VertexAttribLPointer(index as u32, 2, gl::DOUBLE, 48, (16 * index) as *const _);
        gl::EnableVertexAttribArray(index as u32);
    }
    let got = captured(2, 6, || gl::DrawArrays(gl::POINTS, 0, 2));
    let expected = |v: &[f64]| [v[0], v[1], v[3], v[5], v[4], 0.5];
    assert_eq!(got, [expected(&v[..6]), expected(&v[6..])].concat());
}

/// Programs that read the same attributes in the same ways, and keep the second halves of doubles at other places.
fn second_halves_elsewhere(_: &Env) {
    let most = get_i32(gl::MAX_VERTEX_ATTRIBS) as usize;
    let source = |other: usize| {
        format!(
            "layout(location = 0) in dvec4 d; layout(location = {other}) in uvec4 u;
flat out uvec4 w[3];
uvec4 two(double x, double y) {{ return uvec4(unpackDouble2x32(x), unpackDouble2x32(y)); }}
void main() {{ w[0] = two(d.x, d.y); w[1] = two(d.z, d.w); w[2] = u; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }}
"
        )
    };
    let places = [most - 1, most - 2];
    let programs = places.map(|place| prepare(&source(place)));
    let v: Vec<f64> = (0..4).map(value).collect();
    let words = [[1_u32, 2, 3, 4], [5, 6, 7, 8]];
    buffer(gl::ARRAY_BUFFER, &v);
    gl::VertexAttribLPointer(0, 4, gl::DOUBLE, 0, std::ptr::null());
    buffer(gl::ARRAY_BUFFER, &words);
    gl::EnableVertexAttribArray(0);
    for (index, place) in places.into_iter().enumerate() {
        gl::VertexAttribIPointer(place as u32, 4, gl::UNSIGNED_INT, 16, (16 * index) as *const _);
        gl::EnableVertexAttribArray(place as u32);
    }
    for turn in 0..4 {
        programs[turn % 2].bind();
        let got = capture(gl::POINTS, 12, 0_u32, || gl::DrawArrays(gl::POINTS, 0, 1));
        let bits = v.iter().flat_map(|v| [v.to_bits() as u32, (v.to_bits() >> 32) as u32]);
        let expected: Vec<u32> = bits.chain(words[turn % 2]).collect();
        assert_eq!(got, expected, "turn {turn}");
    }
}

fn queries(_: &Env) {
    let program = prepare(ALL);
    for (name, kind) in [(c"a", gl::DOUBLE), (c"b", gl::DOUBLE_VEC2), (c"c", gl::DOUBLE_VEC3), (c"d", gl::DOUBLE_VEC4)]
    {
        let found = (0..program.get(gl::ACTIVE_ATTRIBUTES)).find_map(|i| {
            let (mut size, mut got, mut text) = (0, 0, [0_u8; 16]);
            let null = std::ptr::null_mut();
            gl::GetActiveAttrib(program.0, i as u32, 16, null, &mut size, &mut got, text.as_mut_ptr().cast());
            text.starts_with(name.to_bytes_with_nul()).then_some((size, got))
        });
        assert_eq!(found, Some((1, kind)), "{name:?}");
    }
    gl::VertexAttribL3d(4, 1.0 / 3.0, 2.0 / 3.0, 4.0 / 3.0);
    let mut got = [0.0; 4];
    gl::GetVertexAttribLdv(4, gl::CURRENT_VERTEX_ATTRIB, got.as_mut_ptr());
    assert_eq!(got[..3], [1.0 / 3.0, 2.0 / 3.0, 4.0 / 3.0]);
    let property = |name: u32| {
        let mut value = -1;
        gl::GetVertexAttribiv(1, name, &mut value);
        value as u32
    };
    assert_eq!(property(gl::VERTEX_ATTRIB_ARRAY_LONG), 0);
    gl::VertexAttribLFormat(1, 3, gl::DOUBLE, 16);
    let names = [
        gl::VERTEX_ATTRIB_ARRAY_LONG,
        gl::VERTEX_ATTRIB_ARRAY_SIZE,
        gl::VERTEX_ATTRIB_ARRAY_TYPE,
        gl::VERTEX_ATTRIB_ARRAY_INTEGER,
        gl::VERTEX_ATTRIB_RELATIVE_OFFSET,
    ];
    assert_eq!(names.map(property), [1, 3, gl::DOUBLE, 0, 16]);
    gl::VertexAttribFormat(1, 3, gl::DOUBLE, gl::FALSE, 0);
    assert_eq!(property(gl::VERTEX_ATTRIB_ARRAY_LONG), 0);
    let mut array = 0;
    gl::CreateVertexArrays(1, &mut array);
    gl::VertexArrayAttribLFormat(array, 1, 2, gl::DOUBLE, 8);
    let mut long = -1;
    gl::GetVertexArrayIndexediv(array, 1, gl::VERTEX_ATTRIB_ARRAY_LONG, &mut long);
    assert_eq!(long, 1);
    expect_no_error("queries");
}

fn errors(_: &Env) {
    require_extension("GL_ARB_vertex_attrib_64bit");
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f64; 4]);
    let nothing = std::ptr::null();
    gl::VertexAttribLPointer(0, 4, gl::FLOAT, 0, nothing);
    expect_error(gl::INVALID_ENUM, "floats");
    gl::VertexAttribLFormat(0, 4, gl::INT, 0);
    expect_error(gl::INVALID_ENUM, "integers");
    gl::VertexAttribLPointer(0, 5, gl::DOUBLE, 0, nothing);
    expect_error(gl::INVALID_VALUE, "the size");
    gl::VertexAttribLPointer(0, gl::BGRA as i32, gl::DOUBLE, 0, nothing);
    expect_error(gl::INVALID_VALUE, "the size");
    let most = get_i32(gl::MAX_VERTEX_ATTRIBS) as u32;
    gl::VertexAttribLPointer(most, 4, gl::DOUBLE, 0, nothing);
    expect_error(gl::INVALID_VALUE, "the index");
    gl::VertexAttribL2d(most, 0.0, 0.0);
    expect_error(gl::INVALID_VALUE, "the index");
    gl::VertexAttribLPointer(0, 4, gl::DOUBLE, -1, nothing);
    expect_error(gl::INVALID_VALUE, "the stride");
}

/// 11.1.1: glBindAttribLocation, and no two inputs of different kinds at one location.
fn locations(_: &Env) {
    require_extension("GL_ARB_vertex_attrib_64bit");
    require_extension("GL_ARB_gpu_shader_fp64");
    let source = |body: &str| format!("{HEAD}in dvec4 d;\nin dvec3 e[2];\nin vec4 f;\nvoid main() {{ {body} }}\n");
    let whole = source("gl_Position = vec4(d) + vec4(e[1].xyzz) + vec4(e[0].x) + f;");
    let bound = |names: &[(&std::ffi::CStr, u32)]| {
        try_program(&[(gl::VERTEX_SHADER, &whole)], |program| {
            names.iter().for_each(|(name, at)| gl::BindAttribLocation(program, *at, name.as_ptr()));
        })
    };
    let program = bound(&[(c"d", 3), (c"e", 4), (c"f", 6)]).expect("locations one after another");
    assert_eq!(["d", "e", "f"].map(|name| program.attribute(name)), [3, 4, 6]);
    assert!(bound(&[(c"d", 3), (c"f", 3)]).is_err(), "one location");
    assert!(bound(&[(c"e", 3), (c"d", 4)]).is_err(), "within an array");
}

fn compatible() {
    require_extension("GL_ARB_vertex_attrib_64bit");
    require_extension("GL_ARB_gpu_shader_fp64");
    let source = format!("{HEAD}{ALL}").replace("330 core", "330 compatibility");
    capturing_program(&source, &["w"], gl::INTERLEAVED_ATTRIBS);
}

/// GL 4.6 compatibility 10.7.2: between glBegin and glEnd, where attribute 0 is the vertex.
fn vertices_one_by_one(_: &Env) {
    compatible();
    let v: Vec<f64> = (0..20).map(value).collect();
    let give = |v: &[f64]| {
        gl::VertexAttribL2d(1, v[1], v[2]);
        gl::VertexAttribL3dv(2, v[3..].as_ptr());
        gl::VertexAttribL4dv(3, v[6..].as_ptr());
        gl::VertexAttribL1d(0, v[0]);
    };
    // The second time what is recorded is known from the start.
    for _ in 0..2 {
        let got = captured(2, 10, || {
            old::Begin(gl::POINTS);
            give(&v[..10]);
            give(&v[10..]);
            old::End();
        });
        assert_eq!(got, v);
    }
    // Doubles that were current before, and floats in their place later.
    gl::VertexAttribL4dv(3, v.as_ptr());
    let got = captured(1, 10, || {
        old::Begin(gl::POINTS);
        gl::VertexAttribL1d(0, v[0]);
        old::End();
    });
    assert_eq!(got, [&v[..1], &v[11..16], &v[..4]].concat());
}

fn arrays_in_client_memory(_: &Env) {
    compatible();
    let v: Vec<f64> = (0..30).map(value).collect();
    for (index, first) in [0, 1, 3, 6].into_iter().enumerate() {
        let pointer = v[first..].as_ptr().cast();
        gl::VertexAttribLPointer(index as u32, index as i32 + 1, gl::DOUBLE, 80, pointer);
        gl::EnableVertexAttribArray(index as u32);
    }
    assert_eq!(captured(2, 10, || gl::DrawArrays(gl::POINTS, 1, 2)), v[10..]);
    let got = captured(1, 10, || {
        old::Begin(gl::POINTS);
        old::ArrayElement(2);
        old::End();
    });
    assert_eq!(got, v[20..]);
}
