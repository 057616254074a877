//! Atomic counters: GL 4.6 core 7.7, GLSL 4.60 4.4.6.1 and 8.10.

use super::{HEAD, compute, dispatch, words};
use gallite_tests::draw::{
    SOLID_VS, Target, buffer, expect_error, expect_no_error, get_i32, program, quad, shader_status, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): increments_and_decrements, offsets_and_arrays, passed_to_functions, further_operations,
        counted_by_fragments;
    every core(3, 3): queries, binding_points, language, link_rules;
}

fn counters(point: u32, data: &[u32]) -> u32 {
    let name = buffer(gl::ATOMIC_COUNTER_BUFFER, data);
    gl::BindBufferBase(gl::ATOMIC_COUNTER_BUFFER, point, name);
    name
}

/// GLSL 4.60 8.10: an increment returns the value before, a decrement the one after.
fn increments_and_decrements(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(binding = 0) uniform atomic_uint a;
layout(binding = 0) uniform atomic_uint b;
layout(std430, binding = 0) buffer Out { uint data[]; };
void main() {
    data[0] = atomicCounterIncrement(a);
    data[1] = atomicCounterDecrement(b);
    data[2] = atomicCounter(a);
    data[3] = atomicCounter(b);
}
",
    );
    let name = counters(0, &[5, 9]);
    let out = super::storage(0, &[0_u32; 4]);
    dispatch(1, 1, 1);
    assert_eq!(words(name, 2), [6, 8]);
    assert_eq!(words(out, 4), [5, 8, 6, 8]);
}

/// GLSL 4.60 4.4.6.1: offsets count on from the last one of the binding.
fn offsets_and_arrays(_: &Env) {
    let p = compute(
        "layout(local_size_x = 1) in;
layout(binding = 1, offset = 8) uniform atomic_uint a;
layout(binding = 1) uniform atomic_uint b[3];
layout(binding = 2) uniform atomic_uint c;
layout(binding = 1, offset = 4) uniform atomic_uint d;
uniform int which;
void main() {
    atomicCounterIncrement(a);
    for (int i = 0; i < 3; ++i) atomicCounterIncrement(b[i]);
    atomicCounterIncrement(b[which]);
    atomicCounterIncrement(c);
    atomicCounterDecrement(d);
}
",
    );
    p.set1i("which", 1);
    let (first, second) = (counters(1, &[0, 10, 20, 30, 40, 50, 60]), counters(2, &[70, 80]));
    dispatch(1, 1, 1);
    assert_eq!(words(first, 7), [0, 9, 21, 31, 42, 51, 60]);
    assert_eq!(words(second, 2), [71, 80]);
}

fn passed_to_functions(_: &Env) {
    compute(
        "layout(local_size_x = 8) in;
layout(binding = 0) uniform atomic_uint a[2];
layout(binding = 0) uniform atomic_uint b;
uint up(atomic_uint c) { return atomicCounterIncrement(c); }
void twice(atomic_uint c) { up(c); up(c); }
void main() { up(a[1]); twice(b); twice(a[0]); }
",
    );
    let name = counters(0, &[0; 3]);
    dispatch(2, 1, 1);
    assert_eq!(words(name, 3), [32, 16, 32]);
}

/// ARB_shader_atomic_counter_ops.
fn further_operations(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(binding = 0) uniform atomic_uint c[9];
layout(std430, binding = 0) buffer Out { uint data[9]; };
void main() {
    data[0] = atomicCounterAddARB(c[0], 5u);
    data[1] = atomicCounterSubtractARB(c[1], 3u);
    data[2] = atomicCounterMinARB(c[2], 4u);
    data[3] = atomicCounterMaxARB(c[3], 40u);
    data[4] = atomicCounterAndARB(c[4], 6u);
    data[5] = atomicCounterOrARB(c[5], 5u);
    data[6] = atomicCounterXorARB(c[6], 3u);
    data[7] = atomicCounterExchangeARB(c[7], 77u);
    data[8] = atomicCounterCompSwapARB(c[8], 10u, 78u);
}
",
    );
    let name = counters(0, &[10; 9]);
    let out = super::storage(0, &[0_u32; 9]);
    dispatch(1, 1, 1);
    assert_eq!(words(name, 9), [15, 7, 4, 40, 2, 15, 9, 77, 78]);
    assert_eq!(words(out, 9), [10; 9]);
}

fn counted_by_fragments(_: &Env) {
    let target = Target::new(8, 8);
    let fragment = format!(
        "{HEAD}layout(binding = 0) uniform atomic_uint hits;
out vec4 result;
void main() {{ uint n = atomicCounterIncrement(hits); result = vec4(float(n) / 255.0); }}\n"
    );
    program(SOLID_VS, &fragment);
    let name = counters(0, &[0]);
    quad();
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(words(name, 1), [64]);
    // Every fragment got a number of its own.
    let mut numbers: Vec<u8> = (0..64).map(|i| target.image().at(i % 8, i / 8)[0]).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..64).collect::<Vec<u8>>());
}

fn queries(_: &Env) {
    let p = compute(
        "layout(local_size_x = 1) in;
layout(binding = 2, offset = 4) uniform atomic_uint a[3];
layout(binding = 1) uniform atomic_uint b;
uniform int other;
void main() { atomicCounterIncrement(a[other]); atomicCounterIncrement(b); }
",
    );
    assert_eq!(p.get(gl::ACTIVE_ATOMIC_COUNTER_BUFFERS), 2);
    let get = |index, what| {
        let mut value = [-7; 4];
        gl::GetActiveAtomicCounterBufferiv(p.0, index, what, value.as_mut_ptr());
        value[0]
    };
    let of = (0..2).find(|i| get(*i, gl::ATOMIC_COUNTER_BUFFER_BINDING) == 2).unwrap();
    assert_eq!(get(1 - of, gl::ATOMIC_COUNTER_BUFFER_BINDING), 1);
    assert_eq!(get(of, gl::ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTERS), 1);
    assert!(get(of, gl::ATOMIC_COUNTER_BUFFER_DATA_SIZE) >= 16);
    assert_eq!(get(of, gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_COMPUTE_SHADER), 1);
    assert_eq!(get(of, gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_FRAGMENT_SHADER), 0);
    let uniform = get(of, gl::ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTER_INDICES) as u32;
    let property = |what| {
        let mut value = -7;
        gl::GetActiveUniformsiv(p.0, 1, &uniform, what, &mut value);
        value
    };
    assert_eq!(property(gl::UNIFORM_TYPE), gl::UNSIGNED_INT_ATOMIC_COUNTER as i32);
    assert_eq!(property(gl::UNIFORM_SIZE), 3);
    assert_eq!(property(gl::UNIFORM_OFFSET), 4);
    assert_eq!(property(gl::UNIFORM_ARRAY_STRIDE), 4);
    assert_eq!(property(gl::UNIFORM_BLOCK_INDEX), -1);
    assert_eq!(property(gl::UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX), of as i32);
    assert_eq!(gl::GetUniformLocation(p.0, c"a[0]".as_ptr()), -1);
    expect_no_error("queries");
    get(2, gl::ATOMIC_COUNTER_BUFFER_BINDING);
    expect_error(gl::INVALID_VALUE, "no third buffer");
    get(0, gl::UNIFORM_BLOCK_BINDING);
    expect_error(gl::INVALID_ENUM, "not a property");
}

fn binding_points(_: &Env) {
    let target = gl::ATOMIC_COUNTER_BUFFER;
    let name = buffer(target, &[0_u32; 16]);
    gl::BindBufferRange(target, 0, name, 4, 8);
    let mut value = [0_i64; 3];
    for (value, what) in value.iter_mut().zip([
        gl::ATOMIC_COUNTER_BUFFER_BINDING,
        gl::ATOMIC_COUNTER_BUFFER_START,
        gl::ATOMIC_COUNTER_BUFFER_SIZE,
    ]) {
        gl::GetInteger64i_v(what, 0, value);
    }
    assert_eq!(value, [i64::from(name), 4, 8]);
    assert_eq!(get_i32(gl::ATOMIC_COUNTER_BUFFER_BINDING), name as i32);
    expect_no_error("bindings");
    gl::BindBufferRange(target, 0, name, 2, 8);
    expect_error(gl::INVALID_VALUE, "an offset off the alignment");
    gl::BindBufferBase(target, get_i32(gl::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS) as u32, name);
    expect_error(gl::INVALID_VALUE, "no such point");
}

fn language(_: &Env) {
    let accepted =
        |text: &str| shader_status(gl::COMPUTE_SHADER, &format!("{HEAD}layout(local_size_x = 1) in;\n{text}\n")).1;
    let body = "void main() { atomicCounterIncrement(c); }";
    assert!(accepted(&format!("layout(binding = 0) uniform atomic_uint c; {body}")));
    for bad in [
        "uniform atomic_uint c;",
        "layout(binding = 0) atomic_uint c;",
        "layout(binding = 0, offset = 2) uniform atomic_uint c;",
        "layout(binding = 0, offset = 0) uniform atomic_uint c; layout(binding = 0, offset = 0) uniform atomic_uint d;",
        "layout(binding = 1000) uniform atomic_uint c;",
        "layout(binding = 0) uniform atomic_uint c = 1;",
    ] {
        assert!(!accepted(&format!("{bad} {body}")), "{bad}");
    }
    assert!(!accepted("layout(binding = 0) uniform atomic_uint c; void main() { c = c; }"));
}

fn link_rules(_: &Env) {
    let stage = |layout: &str, tail: &str| format!("{HEAD}layout({layout}) uniform atomic_uint c;\n{tail}");
    let links = |a: &str, b: &str| {
        let vertex = stage(a, "void main() { gl_Position = vec4(float(atomicCounter(c))); }\n");
        let fragment = stage(b, "out vec4 r;\nvoid main() { r = vec4(float(atomicCounter(c))); }\n");
        try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &fragment)], |_| {}).is_ok()
    };
    if get_i32(gl::MAX_VERTEX_ATOMIC_COUNTERS) == 0 {
        return;
    }
    assert!(links("binding = 0, offset = 4", "binding = 0, offset = 4"));
    assert!(!links("binding = 0, offset = 4", "binding = 0, offset = 8"));
    assert!(!links("binding = 0, offset = 4", "binding = 1, offset = 4"));
}
