//! Locations of uniforms that the source gives: GL 4.6 core 7.6, GLSL 4.60 4.4.3.

use gallite_tests::draw::{
    Program, SOLID_VS, expect_error, expect_no_error, get_i32, program, require_extension, run_float, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): structures_and_arrays, arrays_of_arrays, one_declaration_for_both_stages;
    every core(3, 3): answers, unused_ones_keep_their_locations, others_fill_the_gaps, limits, refused;
}

const HEAD: &str = "#version 330 core\n#extension GL_ARB_explicit_uniform_location : require\n";

fn link(vertex: &str, fragment: &str) -> Result<Program, String> {
    let (vertex, fragment) = (format!("{HEAD}{vertex}"), format!("{HEAD}{fragment}"));
    try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &fragment)], |_| {})
}

/// A program of a fragment shader that must link, in use.
#[track_caller]
fn output(declarations: &str, expression: &str) -> Program {
    program(SOLID_VS, &format!("{HEAD}{declarations}\nout vec4 result;\nvoid main() {{ result = {expression}; }}\n"))
}

/// GL 4.6 core 7.3.1.1: an inner array may be named without its last subscript.
fn arrays_of_arrays(_: &Env) {
    require_extension("GL_ARB_arrays_of_arrays");
    let declarations = "#extension GL_ARB_arrays_of_arrays : require\nlayout(location = 4) uniform float f[2][3];";
    let p = output(declarations, "vec4(f[0][0], f[0][2], f[1][0], f[1][2])");
    for (name, location) in [
        ("f[0][0]", 4),
        ("f[0]", 4),
        ("f[0][2]", 6),
        ("f[1]", 7),
        ("f[1][1]", 8),
        ("f[2]", -1),
        ("f[1][3]", -1),
        ("f", -1),
    ] {
        assert_eq!(p.location(name), location, "{name}");
    }
    gl::Uniform1fv(p.location("f[0]"), 3, [1.0_f32, 2.0, 3.0].as_ptr());
    gl::Uniform1fv(p.location("f[1]"), 3, [4.0_f32, 5.0, 6.0].as_ptr());
    assert_eq!(run_float(p), [1.0, 3.0, 4.0, 6.0]);
}

/// 4.4.3: members and elements take locations one after another, in order of declaration.
fn structures_and_arrays(_: &Env) {
    let p = output(
        "struct S { float a; vec2 b[2]; }; layout(location = 10) uniform S s[2]; layout(location = 3) uniform float f[3];",
        "vec4(s[0].a + f[0], s[0].b[1].y, s[1].a * f[2], s[1].b[0].x)",
    );
    let expected = [("s[0].a", 10), ("s[0].b[0]", 11), ("s[0].b[1]", 12), ("s[1].a", 13), ("s[1].b", 14), ("f[2]", 5)];
    for (name, location) in expected {
        assert_eq!(p.location(name), location, "{name}");
    }
    gl::Uniform1f(10, 1.0);
    gl::Uniform2f(12, 0.0, 2.0);
    gl::Uniform1f(13, 3.0);
    gl::Uniform2f(14, 4.0, 0.0);
    gl::Uniform1fv(3, 3, [10.0_f32, 0.0, 5.0].as_ptr());
    assert_eq!(run_float(p), [11.0, 2.0, 15.0, 4.0]);
    expect_no_error("uniforms by their locations");
}

/// 4.4.3: one declaration may give the location for all.
fn one_declaration_for_both_stages(_: &Env) {
    let p = link(
        "layout(location = 7) uniform vec4 v; in vec4 position; flat out vec4 seen;
         void main() { seen = v; gl_Position = position; }",
        "uniform vec4 v; flat in vec4 seen; out vec4 result; void main() { result = seen + v; }",
    );
    let p = p.unwrap_or_else(|log| panic!("{log}"));
    p.bind();
    assert_eq!(p.location("v"), 7);
    gl::Uniform4f(7, 1.0, 2.0, 3.0, 4.0);
    assert_eq!(run_float(p), [2.0, 4.0, 6.0, 8.0]);
}

fn answers(_: &Env) {
    let p = output(
        "layout(location = 2) uniform sampler2D t; layout(location = 0) uniform vec4 v;",
        "v + texture(t, v.xy)",
    );
    assert_eq!((p.location("t"), p.location("v")), (2, 0));
    gl::Uniform1i(2, 5);
    let mut unit = 0;
    gl::GetUniformiv(p.0, 2, &mut unit);
    assert_eq!(unit, 5);
    expect_no_error("uniforms by their locations");
    // 7.6.1: nothing is at location 1, nor beyond.
    for location in [1, 3] {
        gl::Uniform1i(location, 0);
        expect_error(gl::INVALID_OPERATION, "no uniform there");
        gl::GetUniformiv(p.0, location, &mut unit);
        expect_error(gl::INVALID_OPERATION, "no uniform there");
    }
}

/// 7.6: a uniform that is not active has no location to ask for, and nobody else gets the one it was given; values for
/// it are ignored.
fn unused_ones_keep_their_locations(_: &Env) {
    let p = output("layout(location = 0) uniform vec4 dead[3]; uniform vec4 live;", "live");
    assert_eq!((p.location("dead"), p.location("live")), (-1, 3));
    for location in 0..3 {
        gl::Uniform4f(location, 1.0, 1.0, 1.0, 1.0);
    }
    expect_no_error("uniforms by their locations");
    gl::Uniform4f(4, 1.0, 1.0, 1.0, 1.0);
    expect_error(gl::INVALID_OPERATION, "no uniform there");
}

fn others_fill_the_gaps(_: &Env) {
    let p = output(
        "layout(location = 1) uniform float a; layout(location = 4) uniform float b; uniform float c, d[2], e;",
        "vec4(a, b, c, d[0] + d[1] + e)",
    );
    let mut all: Vec<i32> = ["a", "b", "c", "d[0]", "d[1]", "e"].iter().map(|name| p.location(name)).collect();
    assert_eq!((all[0], all[1], all[4]), (1, 4, all[3] + 1));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all, [0, 1, 2, 3, 4, 5]);
}

/// Table 23.64.
fn limits(_: &Env) {
    let most = get_i32(gl::MAX_UNIFORM_LOCATIONS);
    assert!(most >= 1024);
    let p = output(&format!("layout(location = {}) uniform vec4 last;", most - 1), "last");
    assert_eq!(p.location("last"), most - 1);
    let beyond = |declaration: &str| {
        link(
            "void main() { gl_Position = vec4(0.0); }",
            &format!("{declaration}\nout vec4 result; void main() {{ result = last; }}"),
        )
    };
    assert!(beyond(&format!("layout(location = {most}) uniform vec4 last;")).is_err());
    let array = format!("layout(location = {}) uniform vec4 a[2]; uniform vec4 last;", most - 1);
    assert!(beyond(&array).is_err());
}

/// 4.4.3: no location is used twice, by whatever stage and whether it is used or not.
fn refused(_: &Env) {
    let vertex = |head: &str, value: &str| format!("{head} void main() {{ gl_Position = vec4({value}); }}");
    let fragment =
        |head: &str, value: &str| format!("{head} out vec4 result; void main() {{ result = vec4({value}); }}");
    for (v, f) in [
        (vertex("layout(location = 42) uniform vec4 a;", "a"), fragment("layout(location = 42) uniform vec4 b;", "b")),
        (
            vertex("layout(location = 2) uniform vec4 a;", "a"),
            fragment("layout(location = 0) uniform float b[16];", "b[1]"),
        ),
        (vertex("layout(location = 0) uniform vec4 a;", "a"), fragment("layout(location = 1) uniform vec4 a;", "a")),
        (
            vertex("layout(location = 0) uniform float a[128];", "1"),
            fragment("layout(location = 127) uniform vec4 b;", "b"),
        ),
        (
            vertex("struct S { float a; float b; }; layout(location = 0) uniform S s;", "s.a"),
            fragment("layout(location = 1) uniform vec4 b;", "b"),
        ),
        (vertex("", "1"), fragment("layout(location = 0) uniform B { vec4 b; };", "b")),
        (vertex("", "1"), fragment("layout(location = -1) uniform vec4 b;", "b")),
    ] {
        assert!(link(&v, &f).is_err(), "{v}\n{f}");
    }
    let same = link(
        &vertex("layout(location = 5) uniform vec4 a;", "a"),
        &fragment("layout(location = 5) uniform vec4 a;", "a"),
    );
    assert_eq!(same.map(|p| p.location("a")), Ok(5));
    // It belongs to the extension in this version.
    let without =
        "#version 330 core\nlayout(location = 0) uniform vec4 b; out vec4 result; void main() { result = b; }";
    assert!(try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, without)], |_| {}).is_err());
}
