//! ARB_compute_variable_group_size: GL 4.6 core chapter 19, GLSL 4.60 4.4.1.4 and 7.1.6, with the extension's changes.

use super::{compute, dispatch, storage, words};
use gallite_tests::draw::{
    Program, expect_error, expect_no_error, gen_buffer, get_i32, has_extension, program_with, require_extension,
    try_program,
};
use gallite_tests::gl;
use gallite_tests::gl::arb;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): sizes_of_dispatches, shared_memory, fixed_sizes_are_told_too;
    render core(3, 3): many_sizes;
    every core(3, 3): limits, errors, language;
}

const EXTENSION: &str = "GL_ARB_compute_variable_group_size";

fn source(text: &str) -> String {
    format!("#version 430 core\n#extension {EXTENSION} : require\n{text}")
}

#[track_caller]
fn variable(text: &str) -> Program {
    require_extension(EXTENSION);
    let program = program_with(&[(gl::COMPUTE_SHADER, &source(text))], |_| {});
    program.bind();
    program
}

fn dispatch_of(groups: [u32; 3], size: [u32; 3]) {
    arb::DispatchComputeGroupSizeARB(groups[0], groups[1], groups[2], size[0], size[1], size[2]);
    gl::MemoryBarrier(gl::ALL_BARRIER_BITS);
    expect_no_error("a dispatch");
}

const TELLS: &str = "layout(local_size_variable) in;
layout(std430, binding = 0) buffer Out { uvec4 data[]; };
void main() {
    uvec3 size = gl_LocalGroupSizeARB;
    uint within = gl_LocalInvocationID.z * size.x * size.y + gl_LocalInvocationID.y * size.x + gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint at = group * size.x * size.y * size.z + within;
    bool good = within == gl_LocalInvocationIndex && gl_GlobalInvocationID == gl_WorkGroupID * size + gl_LocalInvocationID;
    data[at] = uvec4(size, good ? at + 1u : 0u);
}";

/// Each dispatch has groups of its own size, of which the shader knows.
fn sizes_of_dispatches(_: &Env) {
    variable(TELLS);
    for size in [[4, 1, 1], [2, 3, 4], [2, 3, 4], [1, 1, 1], [8, 8, 1], [4, 1, 1]] {
        let [x, y, z] = size;
        let count = (6 * x * y * z) as usize;
        let out = storage(0, &vec![0_u32; 4 * count + 4]);
        dispatch_of([3, 2, 1], size);
        let got = words(out, 4 * count + 4);
        for (i, got) in got[..4 * count].chunks(4).enumerate() {
            assert_eq!(got, [x, y, z, i as u32 + 1], "{size:?}");
        }
        assert_eq!(got[4 * count..], [0; 4]);
    }
}

fn shared_memory(_: &Env) {
    variable(
        "layout(local_size_variable) in;
layout(std430, binding = 0) buffer Out { uint sums[]; };
shared uint sum;
void main() {
    if (gl_LocalInvocationIndex == 0u) sum = 0u;
    barrier();
    atomicAdd(sum, gl_LocalInvocationIndex);
    barrier();
    if (gl_LocalInvocationIndex == 0u) sums[gl_WorkGroupID.x] = sum;
}",
    );
    for (size, expected) in [([16, 1, 1], 120), ([4, 4, 4], 2016)] {
        let out = storage(0, &[0_u32; 2]);
        dispatch_of([2, 1, 1], size);
        assert_eq!(words(out, 2), [expected; 2]);
    }
}

/// With a fixed size the built-in variable is the constant.
fn fixed_sizes_are_told_too(_: &Env) {
    let program = variable(
        "layout(local_size_x = 2, local_size_y = 3) in;
layout(std430, binding = 0) buffer Out { uvec3 size; };
void main() { size = gl_LocalGroupSizeARB; }",
    );
    let out = storage(0, &[9_u32; 3]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 3), [2, 3, 1]);
    let mut size = [9; 3];
    gl::GetProgramiv(program.0, gl::COMPUTE_WORK_GROUP_SIZE, size.as_mut_ptr());
    assert_eq!(size, [2, 3, 1]);
}

/// More sizes than a driver would keep code for.
fn many_sizes(_: &Env) {
    variable(TELLS);
    for x in (1..=300_u32).chain([1, 150]) {
        let out = storage(0, &vec![0_u32; 4 * x as usize]);
        dispatch_of([1, 1, 1], [x, 1, 1]);
        let last = words(out, 4 * x as usize)[4 * x as usize - 4..].to_vec();
        assert_eq!(last, [x, 1, 1, x]);
        gl::DeleteBuffers(1, &out);
    }
}

/// Table 23.73 of the extension.
fn limits(_: &Env) {
    require_extension(EXTENSION);
    for (axis, least) in [512, 512, 64].into_iter().enumerate() {
        let mut size = 0;
        gl::GetIntegeri_v(gl::MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB, axis as u32, &mut size);
        assert!(size >= least, "{axis}: {size}");
    }
    let mut most = get_i32(gl::MAX_COMPUTE_VARIABLE_GROUP_INVOCATIONS_ARB);
    assert!(most >= 512);
    gl::GetIntegeri_v(gl::MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB, 3, &mut most);
    expect_error(gl::INVALID_VALUE, "a fourth axis");
}

fn errors(_: &Env) {
    require_extension(EXTENSION);
    gl::UseProgram(0);
    arb::DispatchComputeGroupSizeARB(1, 1, 1, 1, 1, 1);
    expect_error(gl::INVALID_OPERATION, "no program");
    compute("layout(local_size_x = 4) in; void main() { }");
    arb::DispatchComputeGroupSizeARB(1, 1, 1, 4, 1, 1);
    expect_error(gl::INVALID_OPERATION, "a fixed size");
    let program = variable("layout(local_size_variable) in; void main() { }");
    gl::DispatchCompute(1, 1, 1);
    expect_error(gl::INVALID_OPERATION, "glDispatchCompute of a variable size");
    gl::BindBuffer(gl::DISPATCH_INDIRECT_BUFFER, gen_buffer());
    gl::BufferData(gl::DISPATCH_INDIRECT_BUFFER, 12, [1_u32; 3].as_ptr().cast(), gl::STATIC_DRAW);
    gl::DispatchComputeIndirect(0);
    expect_error(gl::INVALID_OPERATION, "glDispatchComputeIndirect of a variable size");
    let mut most = [0; 3];
    for (axis, most) in most.iter_mut().enumerate() {
        gl::GetIntegeri_v(gl::MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB, axis as u32, most);
    }
    for axis in 0..3 {
        for wrong in [0, most[axis] as u32 + 1, u32::MAX] {
            let mut size = [1; 3];
            size[axis] = wrong;
            arb::DispatchComputeGroupSizeARB(1, 1, 1, size[0], size[1], size[2]);
            expect_error(gl::INVALID_VALUE, "a size out of range");
        }
    }
    let invocations = get_i32(gl::MAX_COMPUTE_VARIABLE_GROUP_INVOCATIONS_ARB);
    let [x, y, z] = most.map(|most| most.min(invocations) as u32);
    arb::DispatchComputeGroupSizeARB(1, 1, 1, x, y, z);
    expect_error(gl::INVALID_VALUE, "too many invocations");
    let mut count = 0;
    gl::GetIntegeri_v(gl::MAX_COMPUTE_WORK_GROUP_COUNT, 1, &mut count);
    arb::DispatchComputeGroupSizeARB(1, count as u32 + 1, 1, 1, 1, 1);
    expect_error(gl::INVALID_VALUE, "too many groups");
    arb::DispatchComputeGroupSizeARB(0, 1, 1, 1, 1, 1);
    expect_no_error("no groups");
    let mut size = [9; 3];
    gl::GetProgramiv(program.0, gl::COMPUTE_WORK_GROUP_SIZE, size.as_mut_ptr());
    assert_eq!(size, [0; 3]);
}

fn language(_: &Env) {
    let links = |texts: &[&str]| {
        let sources: Vec<String> = texts.iter().map(|text| source(text)).collect();
        let stages: Vec<(u32, &str)> = sources.iter().map(|s| (gl::COMPUTE_SHADER, s.as_str())).collect();
        try_program(&stages, |_| {}).is_ok()
    };
    let known = has_extension(EXTENSION);
    let main = "layout(local_size_variable) in; void main() { }";
    assert_eq!(links(&[main]), known);
    assert!(!links(&["layout(local_size_variable, local_size_x = 2) in; void main() { }"]));
    assert!(!links(&["layout(local_size_x = 2) in; layout(local_size_variable) in; void main() { }"]));
    assert!(!links(&["layout(local_size_variable) in; void main() { uint i = gl_WorkGroupSize.x; }"]));
    assert!(!links(&["layout(local_size_variable) in; void main() { gl_LocalGroupSizeARB.x = 1u; }"]));
    assert!(!links(&[main, "layout(local_size_x = 1) in; void f() { }"]));
    assert!(!links(&["void main() { }"]));
    assert_eq!(links(&[main, "layout(local_size_variable) in; void f() { }"]), known);
    assert_eq!(links(&[main, "void f() { }"]), known);
    let without = "#version 430 core\nlayout(local_size_variable) in; void main() { }";
    assert!(try_program(&[(gl::COMPUTE_SHADER, without)], |_| {}).is_err());
}
