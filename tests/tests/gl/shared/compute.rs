//! Compute shaders: GL 4.6 core chapter 19, GLSL 4.60 4.4.1.4, 7.1.6 and 8.16.

use super::{HEAD, compute, dispatch, storage, words};
use gallite_tests::draw::{
    Image, Target, buffer, compile, expect_error, expect_no_error, gen_buffer, gen_framebuffer, gen_texture,
    gen_vertex_array, get_i32, link, program, quad, rect, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter};

gl_tests! {
    render core(3, 3): case_03_ids_through_variables, shared_memory, indirect, indirect_written_by_compute,
        uniforms_of_both_kinds_of_program, textures_are_sampled, written_then_used_by_draws, written_then_a_uniform_block,
        written_then_a_texture, dispatches_in_a_row, drawn_then_dispatched, given_up_then_written_then_drawn;
    every core(3, 3): limits, errors, link_rules, work_group_size;
}

/// GLSL 4.60 7.1.6: exact unsigned values, copied through variables.
fn case_03_ids_through_variables(_: &Env) {
    compute(
        "layout(local_size_x = 2, local_size_y = 3) in;
layout(std430, binding = 0) buffer Out { uvec4 data[]; };
void main() {
    uvec3 group = gl_WorkGroupID;
    uvec3 groups = gl_NumWorkGroups;
    uvec3 local = gl_LocalInvocationID;
    uint at = (group.z * groups.x * groups.y + group.y * groups.x + group.x) * 6u + gl_LocalInvocationIndex;
    data[2u * at] = uvec4(group, local.x);
    data[2u * at + 1u] = uvec4(local.y, groups.x * 100u + groups.y * 10u + groups.z, gl_GlobalInvocationID.xy);
}
",
    );
    let out = storage(0, &[0_u32; 2 * 3 * 4 * 6 * 8]);
    dispatch(2, 3, 4);
    let data = words(out, 2 * 3 * 4 * 6 * 8);
    for (i, got) in data.chunks(8).enumerate() {
        let (group, local) = (i as u32 / 6, i as u32 % 6);
        let (x, y, z) = (group % 2, group / 2 % 3, group / 6);
        let expected = [x, y, z, local % 2, local / 2, 234, x * 2 + local % 2, y * 3 + local / 2];
        assert_eq!(got, expected, "invocation {i}");
    }
}

fn shared_memory(_: &Env) {
    compute(
        "layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { uint sum[]; };
shared uint part[64];
shared uint most;
void main() {
    uint i = gl_LocalInvocationID.x;
    if (i == 0u) most = 0u;
    part[i] = gl_GlobalInvocationID.x;
    barrier();
    atomicMax(most, part[63u - i]);
    barrier();
    for (uint step = 32u; step > 0u; step /= 2u) {
        if (i < step) part[i] += part[i + step];
        memoryBarrierShared();
        barrier();
    }
    if (i == 0u) { sum[2u * gl_WorkGroupID.x] = part[0]; sum[2u * gl_WorkGroupID.x + 1u] = most; }
}
",
    );
    let out = storage(0, &[0_u32; 8]);
    dispatch(4, 1, 1);
    let expected: Vec<u32> = (0..4).flat_map(|g| [(g * 64..g * 64 + 64).sum(), g * 64 + 63]).collect();
    assert_eq!(words(out, 8), expected);
}

const COUNT: &str = "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint count; uvec3 groups; };
void main() { atomicAdd(count, 1u); groups = gl_NumWorkGroups; }
";

fn indirect(_: &Env) {
    compute(COUNT);
    let out = storage(0, &[0_u32; 8]);
    buffer(gl::DISPATCH_INDIRECT_BUFFER, &[9_u32, 2, 3, 4]);
    gl::DispatchComputeIndirect(4);
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(words(out, 8)[..1], [24]);
    assert_eq!(words(out, 8)[4..7], [2, 3, 4]);
    // No group, no work.
    buffer(gl::DISPATCH_INDIRECT_BUFFER, &[0_u32, 3, 4]);
    gl::DispatchComputeIndirect(0);
    expect_no_error("indirect");
    assert_eq!(words(out, 1), [24]);
}

/// The arguments are read after the dispatch that writes them.
fn indirect_written_by_compute(_: &Env) {
    let arguments = storage(1, &[0_u32; 3]);
    compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 1) buffer Arguments { uint groups[3]; };
void main() { groups[0] = 5u; groups[1] = 1u; groups[2] = 2u; }
",
    );
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(gl::COMMAND_BARRIER_BIT);
    compute(COUNT);
    let out = storage(0, &[0_u32; 8]);
    gl::BindBuffer(gl::DISPATCH_INDIRECT_BUFFER, arguments);
    gl::DispatchComputeIndirect(0);
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(words(out, 1), [10]);
}

/// A program that draws and one that computes keep their own uniforms, blocks and textures.
fn uniforms_of_both_kinds_of_program(_: &Env) {
    let target = Target::new(4, 4);
    let draws = gallite_tests::draw::solid([0.0, 1.0, 0.0, 1.0]);
    let computes = compute(
        "layout(local_size_x = 1) in;
uniform uint value;
layout(std140) uniform Block { uvec4 more; };
layout(std430, binding = 0) buffer Out { uint data[]; };
void main() { data[gl_WorkGroupID.x] = value + more.y; }
",
    );
    let out = storage(0, &[0_u32; 2]);
    let block = buffer(gl::UNIFORM_BUFFER, &[0_u32, 100, 0, 0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    for value in [7_u32, 8] {
        computes.bind();
        gl::Uniform1ui(gallite_tests::draw::uniform(computes.0, "value"), value);
        dispatch(2, 1, 1);
        draws.bind();
        quad();
        target.image().expect_all([0, 255, 0, 255]);
        assert_eq!(words(out, 2), [100 + value; 2]);
    }
}

fn textures_are_sampled(_: &Env) {
    let p = compute(
        "layout(local_size_x = 2, local_size_y = 2) in;
uniform sampler2D t;
layout(std430, binding = 0) buffer Out { vec4 data[]; };
void main() { data[gl_LocalInvocationIndex] = texelFetch(t, ivec2(gl_LocalInvocationID.xy), 0); }
",
    );
    gl::ActiveTexture(gl::TEXTURE3);
    let texels = [[255_u8, 0, 0, 0], [0, 255, 0, 0], [0, 0, 255, 0], [0, 0, 0, 255]];
    gallite_tests::draw::texture_2d(gl::RGBA8, 2, 2, gl::RGBA, gl::UNSIGNED_BYTE, Some(&texels));
    p.set1i("t", 3);
    let out = storage(0, &[0.5_f32; 16]);
    dispatch(1, 1, 1);
    let got: Vec<f32> = words(out, 16).into_iter().map(f32::from_bits).collect();
    let expected: Vec<f32> = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    assert_eq!(got, expected);
    gl::ActiveTexture(gl::TEXTURE0);
}

/// Vertices, indices and draw arguments written by a dispatch (lesson 13).
fn written_then_used_by_draws(_: &Env) {
    let target = Target::new(8, 8);
    let vertices = storage(0, &[0.0_f32; 16]);
    let indices = storage(1, &[0_u32; 6]);
    let arguments = storage(2, &[0_u32; 5]);
    let fill = compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Vertices { vec2 v[8]; };
layout(std430, binding = 1) buffer Indices { uint i[6]; };
layout(std430, binding = 2) buffer Arguments { uint a[5]; };
uniform float scale;
void main() {
    v[4] = vec2(-1.0, -1.0); v[5] = vec2(scale, -1.0); v[6] = vec2(-1.0, scale); v[7] = vec2(scale);
    i[0] = 0u; i[1] = 1u; i[2] = 2u; i[3] = 2u; i[4] = 1u; i[5] = 3u;
    a[0] = 6u; a[1] = 1u; a[2] = 0u; a[3] = 4u; a[4] = 0u;
}
",
    );
    let draw = gallite_tests::draw::solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    gl::BindBuffer(gl::ARRAY_BUFFER, vertices);
    vertex_attrib(0, 2, 0, 0);
    gl::BindBuffer(gl::ELEMENT_ARRAY_BUFFER, indices);
    gl::BindBuffer(gl::DRAW_INDIRECT_BUFFER, arguments);
    for (scale, size) in [(0.0_f32, 4), (0.5, 6)] {
        fill.bind();
        fill.set1f("scale", scale);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(
            gl::VERTEX_ATTRIB_ARRAY_BARRIER_BIT | gl::ELEMENT_ARRAY_BARRIER_BIT | gl::COMMAND_BARRIER_BIT,
        );
        draw.bind();
        target.clear([0.0; 4]);
        gl::DrawElementsIndirect(gl::TRIANGLES, gl::UNSIGNED_INT, std::ptr::null());
        expect_no_error("draw");
        target.image().expect_rect([0, 0, size, size], [255; 4], [0; 4]);
    }
}

/// 17.4.4: what is given up is what was there; what a dispatch stores after that stays.
fn given_up_then_written_then_drawn(_: &Env) {
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::RGBA8, 4, 4);
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
    gl::Viewport(0, 0, 4, 4);
    let white = gallite_tests::draw::solid([1.0; 4]);
    quad();
    gl::Finish();
    let loads = || counter("attachment_loads");
    let before = loads();
    gl::InvalidateFramebuffer(gl::FRAMEBUFFER, 1, [gl::COLOR_ATTACHMENT0].as_ptr());
    compute(
        "layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba8, binding = 0) uniform writeonly image2D image;
void main() { imageStore(image, ivec2(gl_LocalInvocationID.xy), vec4(0.0, 1.0, 0.0, 1.0)); }
",
    );
    gl::BindImageTexture(0, texture, 0, gl::FALSE, 0, gl::WRITE_ONLY, gl::RGBA8);
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(gl::FRAMEBUFFER_BARRIER_BIT);
    white.bind();
    rect(-1.0, -1.0, 0.0, 1.0);
    Image::read(0, 0, 4, 4).expect_each(|x, _| if x < 2 { [255; 4] } else { [0, 255, 0, 255] });
    if let (Some(before), Some(after)) = (before, loads()) {
        assert_eq!(after, before + 1, "what the dispatch stored is loaded");
    }
}

fn written_then_a_uniform_block(_: &Env) {
    let target = Target::new(2, 2);
    let block = storage(0, &[0.0_f32; 4]);
    compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { vec4 colour; };
void main() { colour = vec4(0.0, 0.0, 1.0, 1.0); }
",
    );
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(gl::UNIFORM_BARRIER_BIT);
    program(
        gallite_tests::draw::SOLID_VS,
        "#version 330 core
layout(std140) uniform B { vec4 colour; };
out vec4 result;
void main() { result = colour; }
",
    );
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    quad();
    target.image().expect_all([0, 0, 255, 255]);
}

fn written_then_a_texture(_: &Env) {
    let target = Target::new(4, 4);
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::RGBA8, 4, 4);
    compute(
        "layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba8, binding = 1) writeonly uniform image2D image;
void main() { imageStore(image, ivec2(gl_LocalInvocationID.xy), vec4(vec2(gl_LocalInvocationID.xy) / 3.0, 0.0, 1.0)); }
",
    );
    gl::BindImageTexture(1, texture, 0, gl::FALSE, 0, gl::WRITE_ONLY, gl::RGBA8);
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(gl::TEXTURE_FETCH_BARRIER_BIT);
    let p = program(
        gallite_tests::draw::SOLID_VS,
        "#version 330 core
uniform sampler2D t;
out vec4 result;
void main() { result = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }
",
    );
    p.set1i("t", 0);
    quad();
    target.image().expect_each(|x, y| [(x * 85) as u8, (y * 85) as u8, 0, 255]);
}

/// Each dispatch sees what the one before it wrote.
fn dispatches_in_a_row(_: &Env) {
    compute(
        "layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
void main() { uint i = gl_GlobalInvocationID.x; data[i] = data[i] * 3u + i; }
",
    );
    let out = storage(0, &[1_u32; 64]);
    for _ in 0..5 {
        gl::DispatchCompute(2, 1, 1);
        gl::MemoryBarrier(gl::SHADER_STORAGE_BARRIER_BIT);
    }
    let expected: Vec<u32> = (0..64).map(|i| (0..5).fold(1_u32, |v, _| v * 3 + i)).collect();
    assert_eq!(words(out, 64), expected);
}

/// What a draw rendered is read by the dispatch after it.
fn drawn_then_dispatched(_: &Env) {
    let target = Target::new(4, 4);
    let p = compute(
        "layout(local_size_x = 4, local_size_y = 4) in;
uniform sampler2D t;
layout(std430, binding = 0) buffer Out { uint sum; };
void main() { atomicAdd(sum, uint(texelFetch(t, ivec2(gl_LocalInvocationID.xy), 0).g * 255.0 + 0.5)); }
",
    );
    let out = storage(0, &[0_u32; 1]);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    for green in [1_u32, 2, 3] {
        gallite_tests::draw::solid([0.0, green as f32 / 255.0, 0.0, 1.0]);
        quad();
        p.bind();
        dispatch(1, 1, 1);
    }
    assert_eq!(words(out, 1), [16 * 6]);
}

/// GL 4.6 core table 23.70 and its neighbours.
fn limits(_: &Env) {
    let indexed = |name, index| {
        let mut value = 0;
        gl::GetIntegeri_v(name, index, &mut value);
        value
    };
    for (axis, size) in [1024, 1024, 64].into_iter().enumerate() {
        assert!(indexed(gl::MAX_COMPUTE_WORK_GROUP_COUNT, axis as u32) >= 65535);
        assert!(indexed(gl::MAX_COMPUTE_WORK_GROUP_SIZE, axis as u32) >= size);
    }
    expect_no_error("limits");
    indexed(gl::MAX_COMPUTE_WORK_GROUP_SIZE, 3);
    expect_error(gl::INVALID_VALUE, "a fourth axis");
    for (name, least) in [
        (gl::MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024),
        (gl::MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768),
        (gl::MAX_COMPUTE_UNIFORM_BLOCKS, 12),
        (gl::MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16),
        (gl::MAX_COMPUTE_UNIFORM_COMPONENTS, 512),
        (gl::MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8),
        (gl::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 8),
        (gl::MAX_COMBINED_SHADER_STORAGE_BLOCKS, 8),
        (gl::MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8),
        (gl::MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 27),
        (gl::MAX_IMAGE_UNITS, 8),
        (gl::MAX_FRAGMENT_IMAGE_UNIFORMS, 8),
        (gl::MAX_COMPUTE_IMAGE_UNIFORMS, 8),
        (gl::MAX_COMBINED_IMAGE_UNIFORMS, 8),
        (gl::MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 8),
        (gl::MAX_FRAGMENT_ATOMIC_COUNTERS, 8),
        (gl::MAX_COMPUTE_ATOMIC_COUNTERS, 8),
        (gl::MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 8),
        (gl::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 1),
        (gl::MAX_ATOMIC_COUNTER_BUFFER_SIZE, 32),
    ] {
        assert!(get_i32(name) >= least, "{name:#x} is {}", get_i32(name));
    }
    assert!(get_i32(gl::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT) <= 256);
    expect_no_error("limits");
}

fn errors(_: &Env) {
    gl::UseProgram(0);
    gl::DispatchCompute(1, 1, 1);
    expect_error(gl::INVALID_OPERATION, "no program");
    gl::DispatchComputeIndirect(0);
    expect_error(gl::INVALID_OPERATION, "no program");
    gallite_tests::draw::solid([0.0; 4]);
    gl::DispatchCompute(1, 1, 1);
    expect_error(gl::INVALID_OPERATION, "a program that draws");
    compute(COUNT);
    storage(0, &[0_u32; 8]);
    let most = get_i32_indexed(gl::MAX_COMPUTE_WORK_GROUP_COUNT, 1) as u32;
    if most < u32::MAX {
        gl::DispatchCompute(1, most + 1, 1);
        expect_error(gl::INVALID_VALUE, "too many groups");
    }
    gl::DispatchCompute(0, 1, 1);
    expect_no_error("no group");
    gl::BindBuffer(gl::DISPATCH_INDIRECT_BUFFER, 0);
    gl::DispatchComputeIndirect(0);
    expect_error(gl::INVALID_OPERATION, "no buffer of arguments");
    let arguments = buffer(gl::DISPATCH_INDIRECT_BUFFER, &[1_u32; 4]);
    assert_eq!(get_i32(gl::DISPATCH_INDIRECT_BUFFER_BINDING), arguments as i32);
    gl::DispatchComputeIndirect(2);
    expect_error(gl::INVALID_VALUE, "no multiple of four");
    gl::DispatchComputeIndirect(-4);
    expect_error(gl::INVALID_VALUE, "negative");
    gl::DispatchComputeIndirect(8);
    expect_error(gl::INVALID_OPERATION, "beyond the end");
    gl::DispatchComputeIndirect(4);
    expect_no_error("at the end");
    gl::MapBufferRange(gl::DISPATCH_INDIRECT_BUFFER, 0, 4, gl::MAP_READ_BIT);
    gl::DispatchComputeIndirect(0);
    expect_error(gl::INVALID_OPERATION, "mapped arguments");
    gl::UnmapBuffer(gl::DISPATCH_INDIRECT_BUFFER);
    gl::MemoryBarrier(0x4000_0000);
    expect_error(gl::INVALID_VALUE, "an unknown barrier");
    gl::MemoryBarrierByRegion(gl::COMMAND_BARRIER_BIT);
    expect_error(gl::INVALID_VALUE, "a barrier that is not by region");
    gl::MemoryBarrierByRegion(gl::ALL_BARRIER_BITS);
    gl::MemoryBarrier(0);
    expect_no_error("barriers");
    gl::DeleteBuffers(1, &arguments);
    assert_eq!(get_i32(gl::DISPATCH_INDIRECT_BUFFER_BINDING), 0);
    let _ = gen_buffer();
}

fn get_i32_indexed(name: u32, index: u32) -> i32 {
    let mut value = 0;
    gl::GetIntegeri_v(name, index, &mut value);
    value
}

/// GL 4.6 core 7.3: compute shaders are linked alone. GLSL 4.60 4.4.1.4: some shader declares the size, all alike.
fn link_rules(_: &Env) {
    let with = |size: &str, body: &str| format!("{HEAD}{size}\n{body}");
    let main = with("layout(local_size_x = 4) in;", "void f();\nvoid main() { f(); }\n");
    let same = with("layout(local_size_x = 4) in;", "void f() {}\n");
    let none = with("", "void f() {}\n");
    let other = with("layout(local_size_x = 2) in;", "void f() {}\n");
    let pair = |a: &str, b: &str| {
        let program = gl::CreateProgram();
        for source in [a, b] {
            gl::AttachShader(program, compile(gl::COMPUTE_SHADER, source));
        }
        link(program).is_ok()
    };
    assert!(pair(&main, &same));
    assert!(pair(&main, &none));
    assert!(!pair(&main, &other));
    let sizeless = with("", "void main() {}\n");
    assert!(try_program(&[(gl::COMPUTE_SHADER, &sizeless)], |_| {}).is_err());
    let alone = with("layout(local_size_y = 2) in;", "void main() {}\n");
    let fragment = "#version 330 core\nvoid main() {}\n";
    assert!(try_program(&[(gl::COMPUTE_SHADER, &alone), (gl::FRAGMENT_SHADER, fragment)], |_| {}).is_err());
    for bad in [
        "layout(local_size_x = 0) in;",
        "layout(local_size_x = 1000000) in;",
        "layout(local_size_x = 2) in; layout(local_size_x = 3) in;",
        "in vec4 v;",
        "out vec4 v;",
    ] {
        let source = with("", &format!("{bad}\nlayout(local_size_y = 1) in;\nvoid main() {{}}\n"));
        assert!(!gallite_tests::draw::shader_status(gl::COMPUTE_SHADER, &source).1, "{bad}");
    }
}

fn work_group_size(_: &Env) {
    let p = compute("layout(local_size_x = 3, local_size_z = 5) in;\nvoid main() {}\n");
    let mut size = [0; 3];
    gl::GetProgramiv(p.0, gl::COMPUTE_WORK_GROUP_SIZE, size.as_mut_ptr());
    assert_eq!(size, [3, 1, 5]);
    expect_no_error("size");
    let draws = gallite_tests::draw::solid([0.0; 4]);
    gl::GetProgramiv(draws.0, gl::COMPUTE_WORK_GROUP_SIZE, size.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "no compute shader");
    gl::GetProgramiv(gl::CreateProgram(), gl::COMPUTE_WORK_GROUP_SIZE, size.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "not linked");
}
