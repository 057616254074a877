//! ARB_gpu_shader_int64: GL 4.6 core 7.6, GLSL 4.60 4.1.3, 4.1.10, 8.3, 8.4, 8.7, with the extension's changes.

use gallite_tests::draw::{
    SOLID_VS, buffer, buffer_contents, capture, capturing_program, expect_error, expect_no_error, gen_vertex_array,
    has_extension, program, require_extension, run_float, try_program, uniform,
};
use gallite_tests::gl;
use gallite_tests::gl::arb;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

use super::Language;

gl_tests! {
    lesser core(3, 3): arithmetic_has_64_bits, uniforms_reach_the_shader, initializers, literals_and_conversions,
        built_in_functions, folded_constants;
    render core(3, 3): blocks_in_std140, storage_blocks_in_std430, captured_integers, varyings, overloads;
    every core(3, 3): values_are_kept, errors_of_uniforms, named_programs, reflection, vertex_inputs, language_by_extension;
}

const EXTENSION: &str = "GL_ARB_gpu_shader_int64";

const LANGUAGE: Language = Language { version: 400, extension: EXTENSION };

fn arithmetic_has_64_bits(_: &Env) {
    let body = "good = a + 1ul == 0x100000000ul && a * a == 0xFFFFFFFE00000001ul && (b >> 40) == -2L
        && (uint64_t(b) >> 40) == 0xFFFFFEul && (1L << 62) == c && c / 3L == 0x1555555555555555L && c % 10L == 4L
        && ~a == 0xFFFFFFFF00000000ul && (b & c) == 0x4000000000000000L && b < 0L && uint64_t(b) > a
        && -c == b - 0x3FFFFE0000000000L && c - 1L == 0x3FFFFFFFFFFFFFFFL;
        uint64_t wraps = 0xFFFFFFFFFFFFFFFFul; good = good && wraps + a - a + 1ul == 0ul;
        i64vec3 v = i64vec3(b, c, 5); v <<= 1; good = good && v == i64vec3(0xFFFFFC0000000000L, 0x8000000000000000L, 10L);
        for (int i = 0; i < 3; ++i) v[i] ^= c;
        good = good && v.z == 0x400000000000000AL && v.y == int64_t(0xC000000000000000ul);";
    LANGUAGE.expect_true("uniform uint64_t a; uniform int64_t b, c;", body, |p| {
        arb::Uniform1ui64ARB(uniform(p.0, "a"), u64::from(u32::MAX));
        arb::Uniform1i64ARB(uniform(p.0, "b"), -2 << 40);
        arb::Uniform1i64ARB(uniform(p.0, "c"), 1 << 62);
    });
}

const LARGE: i64 = 0x0123_4567_89AB_CDEF;

fn uniforms_reach_the_shader(_: &Env) {
    let declarations = "uniform int64_t a; uniform i64vec2 b; uniform i64vec3 c; uniform i64vec4 d[2];
        uniform uint64_t e; uniform u64vec2 f; uniform u64vec3 g[2]; uniform u64vec4 h; uniform float x;
        struct S { float f; u64vec3 v; int64_t i; }; uniform S s[2];";
    let body = "good = a == 0x0123456789ABCDEFL && b == i64vec2(-1, 2) && c == i64vec3(-3, 4, 5) && d[0] == i64vec4(1, 2, 3, 4)
        && d[1] == i64vec4(5, 6, 7, -8) && e == 0xFFFFFFFFFFFFFFFFul && f == u64vec2(1, 2) && g[0] == u64vec3(3, 4, 5)
        && g[1] == u64vec3(6, 7, 8) && h == u64vec4(9, 10, 11, 12) && x == 7.0
        && s[1].f == 0.5 && s[1].v == u64vec3(20, 21, 22) && s[1].i == -23L && s[0].i == 0L;";
    LANGUAGE.expect_true(declarations, body, |p| {
        let at = |name| uniform(p.0, name);
        gl::Uniform1f(at("x"), 7.0);
        arb::Uniform1i64ARB(at("a"), LARGE);
        arb::Uniform2i64ARB(at("b"), -1, 2);
        arb::Uniform3i64ARB(at("c"), -3, 4, 5);
        arb::Uniform4i64vARB(at("d"), 2, [1, 2, 3, 4, 5, 6, 7, -8].as_ptr());
        arb::Uniform1ui64vARB(at("e"), 1, [u64::MAX].as_ptr());
        arb::Uniform2ui64ARB(at("f"), 1, 2);
        arb::Uniform3ui64vARB(at("g"), 2, [3, 4, 5, 6, 7, 8].as_ptr());
        arb::Uniform4ui64ARB(at("h"), 9, 10, 11, 12);
        gl::Uniform1f(at("s[1].f"), 0.5);
        arb::Uniform3ui64ARB(at("s[1].v"), 20, 21, 22);
        arb::Uniform1i64ARB(at("s[1].i"), -23);
    });
}

fn initializers(_: &Env) {
    let declarations =
        "uniform int64_t a = -5000000000L; uniform u64vec3 v[2] = u64vec3[2](u64vec3(1), u64vec3(2, 3, 4ul));";
    LANGUAGE.expect_true(
        declarations,
        "good = a == -5000000000L && v[0] == u64vec3(1) && v[1] == u64vec3(2, 3, 4);",
        |_| {},
    );
}

/// GLSL 4.60 4.1.3, 4.1.10, 5.4.1.
fn literals_and_conversions(_: &Env) {
    let body = "int64_t a = i; uint64_t b = u; uint64_t c = i; uint64_t d = a; double e = a, f = b; i64vec2 g = ivec2(i, 7);
        u64vec3 h = uvec3(u, 1u, 2u);
        good = a == -3L && b == 4294967295UL && c == 0xFFFFFFFFFFFFFFFDul && d == c && e == -3.0lf && f == 4294967295.0lf
            && g == i64vec2(-3, 7) && h == u64vec3(4294967295ul, 1, 2) && 0X7fl == 127l && 0777L == 511L
            && int(0x1FFFFFFFFL) == -1 && uint(-1L) == 4294967295u && bool(1L << 40) && !bool(0ul)
            && float(1L << 40) == 1099511627776.0 && float(0xFFFFFFFFFFFFFFFFul) == 18446744073709551616.0
            && double(c) == 18446744073709551613.0lf && int64_t(true) == 1L && uint64_t(x) == 3ul && int64_t(-x) == -3L
            && int64_t(-1e15lf) == -1000000000000000L && int64_t(0xFFFFFFFFFFFFFFFFul) == -1L && uint64_t(i) == c
            && a + i == -6L && u + b == 8589934590ul && i64vec3(x, 2u, true) == i64vec3(3, 2, 1) && vec2(g) == vec2(-3, 7)
            && ivec2(g + 4294967296L) == ivec2(-3, 7);
        switch (int(a)) { case -3: break; default: good = false; }";
    LANGUAGE.expect_true("uniform int i; uniform uint u; uniform float x;", body, |p| {
        gl::Uniform1i(uniform(p.0, "i"), -3);
        gl::Uniform1ui(uniform(p.0, "u"), u32::MAX);
        gl::Uniform1f(uniform(p.0, "x"), 3.5);
    });
}

fn built_in_functions(_: &Env) {
    let body = "i64vec2 v = i64vec2(a, -a); u64vec2 w = u64vec2(a, 5);
        good = abs(v) == i64vec2(a) && sign(i64vec3(a, 0, -a)) == i64vec3(1, 0, -1) && min(v, -1L) == i64vec2(-1, -a)
            && min(w, 7ul) == u64vec2(7, 5) && max(v, i64vec2(0)) == i64vec2(a, 0) && max(w, 7ul) == u64vec2(a, 7)
            && clamp(v, -2L, 2L) == i64vec2(2, -2) && clamp(w, u64vec2(1), u64vec2(6)) == u64vec2(6, 5)
            && mix(v, i64vec2(1, 2), bvec2(false, true)) == i64vec2(a, 2) && mix(w.x, w.y, true) == 5ul
            && doubleBitsToInt64(double(1.0)) == 0x3FF0000000000000L && doubleBitsToUint64(dvec2(-2.0)) == u64vec2(0xC000000000000000ul)
            && int64BitsToDouble(0x4000000000000000L) == 2.0lf && uint64BitsToDouble(u64vec2(0x3FF0000000000000ul)) == dvec2(1.0)
            && packInt2x32(ivec2(-1, 1)) == 0x1FFFFFFFFL && packUint2x32(uvec2(2u, 3u)) == 0x300000002ul
            && unpackInt2x32(a) == ivec2(0x89ABCDEF, 0x01234567) && unpackUint2x32(uint64_t(-a)) == uvec2(0x76543211u, 0xFEDCBA98u)
            && lessThan(v, i64vec2(0)) == bvec2(false, true) && lessThanEqual(w, u64vec2(5)) == bvec2(false, true)
            && greaterThan(v, i64vec2(0)) == bvec2(true, false) && greaterThanEqual(w, u64vec2(5)) == bvec2(true)
            && equal(v, i64vec2(a)) == bvec2(true, false) && notEqual(w, u64vec2(5)) == bvec2(true, false);";
    LANGUAGE.expect_true("uniform int64_t a;", body, |p| arb::Uniform1i64ARB(uniform(p.0, "a"), LARGE));
}

/// GLSL 4.60 4.3.3: built-in functions of constants are constants, with the same values.
fn folded_constants(_: &Env) {
    let body = "const int64_t minus = -5L; const i64vec2 pair = i64vec2(-7, 8);
        const int64_t a = abs(minus), b = sign(-10L), c = mix(1L, 2L, true);
        float sizes[abs(-3L) == 3L && sign(pair) == i64vec2(-1, 1) && 7ul % 4294967296ul == 7ul ? 4 : 1];
        float mixed[all(equal(mix(pair, i64vec2(1, 2), bvec2(true, false)), i64vec2(1, 8))) ? 5 : 1];
        good = a == 5L && b == -1L && c == 2L && abs(pair) == i64vec2(7, 8) && sizes.length() == 4 && mixed.length() == 5
            && max(minus, -6L) == minus && 4294967296ul % 4294967296ul == 0ul && (u64vec2(7, 1ul << 33) % 8589934592ul).x == 7ul
            && abs(sign(minus)) == 1L && 0x7FFFFFFFFFFFFFFFL + minus == 9223372036854775802L;";
    LANGUAGE.expect_true("", body, |_| {});
}

/// GL 4.6 core 7.6.2.2: of 8 bytes and aligned to them, vectors to 16 and 32.
fn blocks_in_std140(_: &Env) {
    require_extension(EXTENSION);
    let declarations =
        "layout(std140) uniform B { float f; int64_t d; u64vec3 v; uint64_t w; i64vec2 a[2]; int64_t s[2]; };";
    let body = "good = f == 1.0 && d == -2L && v == u64vec3(3, 4, 5) && w == 6ul && a[0] == i64vec2(7, 8) && a[1] == i64vec2(9, -10)
        && s[0] == 11L && s[1] == 12L;";
    let mut words = [0_i64; 16];
    words[0] = i64::from(1.0_f32.to_bits());
    words[1] = -2;
    words[4..8].copy_from_slice(&[3, 4, 5, 6]);
    words[8..12].copy_from_slice(&[7, 8, 9, -10]);
    words[12] = 11;
    words[14] = 12;
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, buffer(gl::UNIFORM_BUFFER, &words));
    LANGUAGE.expect_true(declarations, body, |p| {
        let mut size = 0;
        gl::GetActiveUniformBlockiv(p.0, 0, gl::UNIFORM_BLOCK_DATA_SIZE, &mut size);
        assert_eq!(size, 128);
    });
}

fn storage_blocks_in_std430(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_shader_storage_buffer_object");
    let declarations = "#extension GL_ARB_shader_storage_buffer_object : require
layout(std430) buffer B { int i; int64_t got[3]; u64vec2 pair; uint64_t rest[]; };";
    let body = "got[1] = got[0] * 3L; pair.y = 0xFEDCBA9876543210ul; rest[i] = uint64_t(rest.length()) << 32;
        good = pair.x == 9ul && rest[0] == 1ul;";
    let mut words = [0_u64; 10];
    words[0] = 1;
    words[1] = 1 << 40;
    words[4] = 9;
    words[6] = 1;
    let name = buffer(gl::SHADER_STORAGE_BUFFER, &words);
    gl::BindBufferBase(gl::SHADER_STORAGE_BUFFER, 0, name);
    LANGUAGE.expect_true(declarations, body, |_| {});
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    let got = buffer_contents(gl::SHADER_STORAGE_BUFFER, 0, 10, 0_u64);
    assert_eq!(got, [1, 1 << 40, 3 << 40, 0, 9, 0xFEDC_BA98_7654_3210, 1, 4 << 32, 0, 0]);
}

/// GL 4.6 core 11.1.2.1: a component takes 8 bytes.
fn captured_integers(_: &Env) {
    require_extension(EXTENSION);
    let vertex = "#version 400 core
#extension GL_ARB_gpu_shader_int64 : require
flat out int64_t d; flat out u64vec3 v; flat out i64vec2 a[2];
void main() {
    int64_t n = int64_t(gl_VertexID) - 5000000000L;
    d = n; v = u64vec3(n, n + 1, n + 2); a[0] = i64vec2(n); a[1] = i64vec2(n + 5, n + 6); gl_Position = vec4(0.0);
}";
    let program = capturing_program(vertex, &["d", "v", "a[1]"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let got = capture(gl::POINTS, 13, 9_i64, || gl::DrawArrays(gl::POINTS, 0, 2));
    let mut expected: Vec<i64> = Vec::new();
    for i in [0, 1] {
        let n = i - 5_000_000_000;
        expected.extend([n, n, n + 1, n + 2, n + 5, n + 6]);
    }
    expected.push(9);
    assert_eq!(got, expected);
    program.delete();
}

fn varyings(_: &Env) {
    require_extension(EXTENSION);
    let vertex = "#version 400 core
#extension GL_ARB_gpu_shader_int64 : require
layout(location = 0) in vec4 position;
struct S { float f; u64vec3 v; };
flat out i64vec4 first; out vec2 plain; flat out uint64_t last[2]; flat out S s;
void main() {
    gl_Position = position; plain = vec2(0.25); first = i64vec4(-1, 2, 3, 0x123456789ABCDEFL);
    last[0] = 7ul; last[1] = 0xFFFFFFFFFFFFFFFFul; s.f = 0.5; s.v = u64vec3(1ul << 33, 2, 3);
}";
    let body = "bool good = first == i64vec4(-1, 2, 3, 0x123456789ABCDEFL) && plain == vec2(0.25) && last[0] == 7ul
        && last[1] == 0xFFFFFFFFFFFFFFFFul && s.f == 0.5 && s.v == u64vec3(1ul << 33, 2, 3); result = good ? vec4(1.0) : vec4(0.5);";
    let declarations = "struct S { float f; u64vec3 v; }; flat in i64vec4 first; in vec2 plain; flat in uint64_t last[2]; flat in S s;";
    let program = program(vertex, &LANGUAGE.fragment(declarations, body));
    assert_eq!(run_float(program), [1.0; 4]);
    // GLSL 4.60 4.3.4: inputs of fragments that are integers are flat.
    let smooth = LANGUAGE.fragment("in int64_t v;", "result = vec4(float(v));");
    let vertex = vertex.replace("flat out uint64_t last[2];", "out int64_t v; flat out uint64_t last[2];");
    assert!(try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &smooth)], |_| {}).is_err());
}

/// GLSL 4.60 6.1: functions are told apart by the types.
fn overloads(_: &Env) {
    let declarations = "int f(int64_t x) { return 1; } int f(uint64_t x) { return 2; } int f(int x) { return 3; }
        int g(i64vec2 v) { return 4; }
        void h(out int64_t x) { x = 1L << 40; } uniform int i;";
    let body =
        "int64_t x; h(x); uint64_t u = uint64_t(i); good = f(x) == 1 && f(u) == 2 && f(i) == 3 && g(ivec2(i)) == 4
        && x == 1099511627776L && min(i, 3) == 0 && max(uint(i), 4u) == 4u && min(x, int64_t(i)) == 0L;";
    LANGUAGE.expect_true(declarations, body, |_| {});
}

/// GL 4.6 core 7.13: what was set comes back in every type.
fn values_are_kept(_: &Env) {
    let p =
        LANGUAGE.with("uniform i64vec3 v[2]; uniform uint64_t u;", "result = vec4(float(v[0].x + v[1].y) + float(u));");
    arb::Uniform3i64vARB(p.location("v"), 2, [1, -2, LARGE, 4, 5, i64::MIN].as_ptr());
    arb::Uniform1ui64ARB(p.location("u"), u64::MAX);
    let mut got = [9_i64; 4];
    arb::GetUniformi64vARB(p.0, p.location("v[0]"), got.as_mut_ptr());
    assert_eq!(got, [1, -2, LARGE, 9]);
    arb::GetnUniformi64vARB(p.0, p.location("v[1]"), 24, got.as_mut_ptr());
    assert_eq!(got, [4, 5, i64::MIN, 9]);
    let mut unsigned = [9_u64; 2];
    arb::GetUniformui64vARB(p.0, p.location("u"), unsigned.as_mut_ptr());
    assert_eq!(unsigned, [u64::MAX, 9]);
    let mut floats = [9.0_f32; 4];
    gl::GetUniformfv(p.0, p.location("v[1]"), floats.as_mut_ptr());
    assert_eq!(floats, [4.0, 5.0, -9_223_372_036_854_775_808.0, 9.0]);
    let mut ints = [9; 2];
    gl::GetUniformiv(p.0, p.location("v[0]"), ints.as_mut_ptr());
    assert_eq!(ints, [1, -2]);
    expect_no_error("queries of uniforms");
    arb::GetnUniformui64vARB(p.0, p.location("u"), 7, unsigned.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "too little room");
    assert_eq!(unsigned, [u64::MAX, 9]);
}

/// GL 4.6 core 7.6.1: the command must be of the uniform's type; issue 10 of the extension: booleans take none of 64 bits.
fn errors_of_uniforms(_: &Env) {
    let p = LANGUAGE.with(
        "uniform int64_t l; uniform int i; uniform bool b; uniform sampler2D t;",
        "result = b ? vec4(float(l)) : texture(t, vec2(i));",
    );
    gl::Uniform1i(p.location("l"), 1);
    expect_error(gl::INVALID_OPERATION, "32 bits for 64");
    arb::Uniform1i64ARB(p.location("i"), 1);
    expect_error(gl::INVALID_OPERATION, "64 bits for 32");
    arb::Uniform1ui64ARB(p.location("l"), 1);
    expect_error(gl::INVALID_OPERATION, "unsigned for signed");
    arb::Uniform1i64ARB(p.location("b"), 1);
    expect_error(gl::INVALID_OPERATION, "64 bits for a boolean");
    arb::Uniform1i64ARB(p.location("t"), 1);
    expect_error(gl::INVALID_OPERATION, "64 bits for a sampler");
    arb::Uniform2i64ARB(p.location("l"), 1, 2);
    expect_error(gl::INVALID_OPERATION, "two for one");
    arb::Uniform1i64vARB(p.location("l"), 2, [1, 2].as_ptr());
    expect_error(gl::INVALID_OPERATION, "an array for one");
    arb::Uniform1i64vARB(p.location("l"), -1, [1].as_ptr());
    expect_error(gl::INVALID_VALUE, "a negative count");
    arb::Uniform1i64ARB(-1, 1);
    expect_no_error("location -1");
    gl::UseProgram(0);
    arb::Uniform1i64ARB(0, 1);
    expect_error(gl::INVALID_OPERATION, "no program");
}

fn named_programs(_: &Env) {
    let p = LANGUAGE.with("uniform i64vec2 v; uniform u64vec4 w[2];", "result = vec4(float(v.x) + float(w[1].w));");
    gl::UseProgram(0);
    arb::ProgramUniform2i64ARB(p.0, p.location("v"), LARGE, -1);
    arb::ProgramUniform4ui64vARB(p.0, p.location("w"), 2, [1, 2, 3, 4, 5, 6, 7, u64::MAX].as_ptr());
    expect_no_error("values of a named program");
    let (mut v, mut w) = ([0_i64; 2], [0_u64; 4]);
    arb::GetUniformi64vARB(p.0, p.location("v"), v.as_mut_ptr());
    arb::GetUniformui64vARB(p.0, p.location("w[1]"), w.as_mut_ptr());
    assert_eq!((v, w), ([LARGE, -1], [5, 6, 7, u64::MAX]));
    arb::ProgramUniform1i64ARB(0, 0, 1);
    expect_error(gl::INVALID_VALUE, "no program");
    arb::GetUniformi64vARB(p.0, 999, v.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "no such location");
}

fn reflection(_: &Env) {
    let types = [
        ("int64_t", gl::INT64_ARB),
        ("i64vec2", gl::INT64_VEC2_ARB),
        ("i64vec3", gl::INT64_VEC3_ARB),
        ("i64vec4", gl::INT64_VEC4_ARB),
        ("uint64_t", gl::UNSIGNED_INT64_ARB),
        ("u64vec2", gl::UNSIGNED_INT64_VEC2_ARB),
        ("u64vec3", gl::UNSIGNED_INT64_VEC3_ARB),
        ("u64vec4", gl::UNSIGNED_INT64_VEC4_ARB),
    ];
    for (name, expected) in types {
        let p = LANGUAGE.with(&format!("uniform {name} v[3];"), &format!("result = vec4(v[2] == {name}(1));"));
        let (mut size, mut kind) = (0, 0);
        gl::GetActiveUniform(p.0, 0, 0, std::ptr::null_mut(), &mut size, &mut kind, std::ptr::null_mut());
        assert_eq!((size, kind), (3, expected), "{name}");
        p.delete();
    }
    let vertex = "#version 400 core
#extension GL_ARB_gpu_shader_int64 : require
flat out u64vec3 v;
void main() { v = u64vec3(1); gl_Position = vec4(0.0); }";
    let p = capturing_program(vertex, &["v"], gl::INTERLEAVED_ATTRIBS);
    let (mut size, mut kind) = (0, 0);
    gl::GetTransformFeedbackVarying(p.0, 0, 0, std::ptr::null_mut(), &mut size, &mut kind, std::ptr::null_mut());
    assert_eq!((size, kind), (1, gl::UNSIGNED_INT64_VEC3_ARB));
}

/// Issue 5 of the extension: they can be declared; how they get values is another extension's.
fn vertex_inputs(_: &Env) {
    require_extension(EXTENSION);
    let vertex = "#version 400 core
#extension GL_ARB_gpu_shader_int64 : require
layout(location = 3) in u64vec3 v;
void main() { gl_Position = vec4(v == u64vec3(1)); }";
    let p = program(vertex, &LANGUAGE.fragment("", "result = vec4(1.0);"));
    let (mut size, mut kind) = (0, 0);
    gl::GetActiveAttrib(p.0, 0, 0, std::ptr::null_mut(), &mut size, &mut kind, std::ptr::null_mut());
    assert_eq!((size, kind, p.attribute("v")), (1, gl::UNSIGNED_INT64_VEC3_ARB, 3));
}

/// The types exist where the extension is asked for, as does its macro where it is offered.
fn language_by_extension(_: &Env) {
    let fails = |source: &str| {
        let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, source)];
        assert!(try_program(&stages, |_| {}).is_err(), "{source}");
    };
    let body = "out vec4 result; void main() { int64_t d = 1L; result = vec4(float(d)); }";
    fails(&format!("#version 400 core\n{body}"));
    fails("#version 400 core\nout vec4 result; void main() { result = vec4(1L == 1L); }");
    if has_extension(EXTENSION) {
        LANGUAGE
            .with("#ifndef GL_ARB_gpu_shader_int64\n#error no macro\n#endif\n", "result = vec4(float(1L));")
            .delete();
        fails(&LANGUAGE.fragment("uniform int64_t d;", "float f = d; result = vec4(f);"));
        fails(&LANGUAGE.fragment("uniform uint64_t d;", "int64_t f = d; result = vec4(float(f));"));
        fails(&LANGUAGE.fragment("uniform int64_t d;", "int f = d; result = vec4(float(f));"));
        // Without the extension the words are names.
        program(
            SOLID_VS,
            "#version 400 core\nout vec4 result; void main() { float i64vec2 = 1.0; result = vec4(i64vec2); }",
        )
        .delete();
    } else {
        fails(&LANGUAGE.fragment("", "result = vec4(1.0);"));
    }
}
