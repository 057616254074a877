//! Shader storage blocks: GL 4.6 core 7.8, GLSL 4.60 4.3.7, 4.3.9, 4.4.5 and 8.11.

use super::{HEAD, compute, dispatch, storage, words};
use gallite_tests::draw::{
    Target, buffer, buffer_data, expect_error, expect_no_error, gen_buffer, get_i32, program, program_with, quad,
    shader_status, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): case_04_bindings_of_block_arrays, case_05_std430_structures, std140_layout, lengths,
        all_atomic_functions, signed_atomics, booleans_and_matrices, arrays_of_blocks_by_index, stored_by_all_stages, ranges,
        base_follows_the_size, same_block_in_both_stages, block_bindings, draws_order_by_barrier, filled_buffers;
    every core(3, 3): binding_points, resources, language, clear_errors;
}

/// GLSL 4.60 4.4.5: element `i` of an array of blocks has the binding of the array and `i`.
fn case_04_bindings_of_block_arrays(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(std140, binding = 2) uniform B { uvec4 u; } b[4];
layout(std430, binding = 1) buffer S { uint s; } s[3];
layout(std430, binding = 0) buffer Out { uint data[2]; };
void main() { data[0] = b[3].u.x; data[1] = s[2].s; }
",
    );
    let block = buffer(gl::UNIFORM_BUFFER, &[55_u32; 4]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 5, block);
    storage(3, &[33_u32; 4]);
    let out = storage(0, &[0_u32; 2]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 2), [55, 33]);
}

/// GL 4.6 core 7.6.2.2: std430 does not round arrays and structures up to 16 bytes.
fn case_05_std430_structures(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
struct Inner { float a; vec2 b; };
struct Outer { float x; Inner inner[2]; float y; vec2 z; float w; };
layout(std430, binding = 0) buffer In { float first; Outer list[2]; float last; };
layout(std430, binding = 1) buffer Out { float data[]; };
void main() {
    data[0] = list[1].x;
    data[1] = list[1].inner[1].b.y;
    data[2] = list[1].y;
    data[3] = list[1].z.y;
    data[4] = list[1].w;
    data[5] = last;
    list[0].inner[1].a = 77.0;
    list[0].w = 78.0;
}
",
    );
    // Inner: a 0, b 8, size 16. Outer, aligned to 8: x 0, inner 8 and 24, y 40, z 48, w 56, size 64.
    let numbers: Vec<f32> = (0..36).map(|i| i as f32).collect();
    let list = storage(0, &numbers);
    let out = storage(1, &[0.0_f32; 6]);
    dispatch(1, 1, 1);
    let got: Vec<f32> = words(out, 6).into_iter().map(f32::from_bits).collect();
    // The list begins at byte 8, its second element at 72, that is word 18.
    assert_eq!(got, [18.0, 27.0, 28.0, 31.0, 32.0, 34.0]);
    let list = words(list, 36);
    assert_eq!((f32::from_bits(list[8]), f32::from_bits(list[16])), (77.0, 78.0));
}

fn std140_layout(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
struct S { float a; vec2 b; };
layout(std140, binding = 0) buffer B { float f[2]; S s[2]; vec3 v; float g; mat2 m; layout(row_major) mat2x3 r; };
void main() {
    f[1] = 1.0; s[1].b = vec2(2.0, 3.0); v = vec3(4.0, 5.0, 6.0); g = 7.0;
    m = mat2(8.0, 9.0, 10.0, 11.0); r = mat2x3(12.0, 13.0, 14.0, 15.0, 16.0, 17.0);
}
",
    );
    let out = storage(0, &[0.0_f32; 40]);
    dispatch(1, 1, 1);
    let got: Vec<f32> = words(out, 40).into_iter().map(f32::from_bits).collect();
    let mut expected = [0.0; 40];
    expected[4] = 1.0;
    expected[14..16].copy_from_slice(&[2.0, 3.0]);
    expected[16..20].copy_from_slice(&[4.0, 5.0, 6.0, 7.0]);
    expected[20..22].copy_from_slice(&[8.0, 9.0]);
    expected[24..26].copy_from_slice(&[10.0, 11.0]);
    expected[28..30].copy_from_slice(&[12.0, 15.0]);
    expected[32..34].copy_from_slice(&[13.0, 16.0]);
    expected[36..38].copy_from_slice(&[14.0, 17.0]);
    assert_eq!(got, expected);
}

/// GLSL 4.60 4.1.9: the length of an array without size follows from the bytes bound.
fn lengths(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { int data[]; } o;
layout(std430, binding = 1) buffer A { vec4 head; vec2 tail[]; } a;
layout(std140, binding = 2) buffer B { float tail[]; } b[2];
void main() {
    o.data[0] = o.data.length(); o.data[1] = a.tail.length(); o.data[2] = b[0].tail.length(); o.data[3] = b[1].tail.length();
}
",
    );
    let out = storage(0, &[0_u32; 7]);
    storage(1, &[0_u32; 15]);
    storage(2, &[0_u32; 16]);
    storage(3, &[0_u32; 9]);
    dispatch(1, 1, 1);
    // 60 bytes hold a vec4 and five vec2; std140 strides are 16.
    assert_eq!(words(out, 4), [7, 5, 4, 2]);
    let align = get_i32(gl::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT) as usize;
    let ranged = gen_buffer();
    gl::BindBuffer(gl::SHADER_STORAGE_BUFFER, ranged);
    buffer_data(gl::SHADER_STORAGE_BUFFER, &vec![0_u8; align + 100], gl::STATIC_DRAW);
    gl::BindBufferRange(gl::SHADER_STORAGE_BUFFER, 1, ranged, align as isize, 40);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 2), [7, 3]);
}

fn all_atomic_functions(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint d[8]; };
layout(std430, binding = 1) buffer Old { uint o[8]; };
void main() {
    o[0] = atomicAdd(d[0], 5u);
    o[1] = atomicMin(d[1], 5u);
    o[2] = atomicMax(d[2], 0xfffffff0u);
    o[3] = atomicAnd(d[3], 6u);
    o[4] = atomicOr(d[4], 6u);
    o[5] = atomicXor(d[5], 6u);
    o[6] = atomicExchange(d[6], 6u);
    o[7] = atomicCompSwap(d[7], 10u, 99u) + atomicCompSwap(d[7], 10u, 98u);
}
",
    );
    let data = storage(0, &[10_u32; 8]);
    let old = storage(1, &[0_u32; 8]);
    dispatch(1, 1, 1);
    assert_eq!(words(data, 8), [15, 5, 0xffff_fff0, 2, 14, 12, 6, 99]);
    assert_eq!(words(old, 8), [10, 10, 10, 10, 10, 10, 10, 109]);
}

fn signed_atomics(_: &Env) {
    compute(
        "layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent buffer Data { int sum; int least; int most; };
void main() {
    int i = int(gl_GlobalInvocationID.x) - 100;
    atomicAdd(sum, i); atomicMin(least, i); atomicMax(most, i);
}
",
    );
    let data = storage(0, &[0_u32; 3]);
    dispatch(4, 1, 1);
    let got = words(data, 3).into_iter().map(|w| w as i32).collect::<Vec<_>>();
    assert_eq!(got, [(-100..156).sum::<i32>(), -100, 155]);
}

/// Booleans are words, zero or not (GL 4.6 core 7.6.2.1); whole structures and arrays are copied.
fn booleans_and_matrices(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
struct S { bool b; bvec2 v; mat3 m; int i[3]; };
layout(std430, binding = 0) buffer In { S source; };
layout(std430, binding = 1) buffer Out { S copy; layout(row_major) mat3 turned; bool any; };
void main() { S s = source; copy = s; turned = s.m; any = s.b && s.v.y; copy.v.x = !s.v.x; }
",
    );
    let mut input = [0_u32; 24];
    input[0] = 7;
    input[3] = 0x100;
    for column in 0..3 {
        for row in 0..3 {
            input[4 + column * 4 + row] = ((column * 3 + row) as f32).to_bits();
        }
    }
    input[16..19].copy_from_slice(&[5, 6, 7]);
    storage(0, &input);
    let out = storage(1, &[0xffff_ffff_u32; 40]);
    dispatch(1, 1, 1);
    let got = words(out, 40);
    assert_eq!((got[0], &got[2..4], &got[16..19]), (1, &[1, 1][..], &[5, 6, 7][..]));
    for column in 0..3 {
        for row in 0..3 {
            let value = (column * 3 + row) as f32;
            assert_eq!(f32::from_bits(got[4 + column * 4 + row]), value);
            assert_eq!(f32::from_bits(got[20 + row * 4 + column]), value);
        }
    }
    assert_eq!(got[32], 1);
}

fn arrays_of_blocks_by_index(_: &Env) {
    let p = compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 1) buffer B { uint value; } b[4];
layout(std430, binding = 0) buffer Out { uint data[]; };
uniform int which;
void main() { data[which] = b[which].value; b[which].value += 1u; }
",
    );
    let out = storage(0, &[0_u32; 4]);
    let blocks: Vec<u32> = (0..4).map(|i| storage(1 + i, &[10 * i])).collect();
    for which in [2, 0, 3, 1] {
        p.set1i("which", which);
        dispatch(1, 1, 1);
    }
    assert_eq!(words(out, 4), [0, 10, 20, 30]);
    for (i, block) in blocks.into_iter().enumerate() {
        assert_eq!(words(block, 1), [10 * i as u32 + 1]);
    }
}

/// Vertex, geometry and fragment stages store too.
fn stored_by_all_stages(_: &Env) {
    let target = Target::new(4, 4);
    let vertex = format!(
        "{HEAD}layout(location = 0) in vec4 p;
layout(std430, binding = 0) buffer Out {{ uint counts[3]; }};
void main() {{ gl_Position = p; atomicOr(counts[0], 1u << uint(gl_VertexID)); }}\n"
    );
    let geometry = format!(
        "{HEAD}layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;
layout(std430, binding = 0) buffer Out {{ uint counts[3]; }};
void main() {{
    atomicAdd(counts[1], 1u);
    for (int i = 0; i < 3; ++i) {{ gl_Position = gl_in[i].gl_Position; EmitVertex(); }}
}}\n"
    );
    let fragment = format!(
        "{HEAD}layout(std430, binding = 0) buffer Out {{ uint counts[3]; }};
out vec4 result;
void main() {{ atomicAdd(counts[2], 1u); result = vec4(1.0); }}\n"
    );
    let stages = [(gl::VERTEX_SHADER, &*vertex), (gl::GEOMETRY_SHADER, &*geometry), (gl::FRAGMENT_SHADER, &*fragment)];
    program_with(&stages, |_| {}).bind();
    let out = storage(0, &[0_u32; 3]);
    quad();
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    target.image().expect_all([255; 4]);
    assert_eq!(words(out, 3), [15, 2, 16]);
    // The same draw again, after the buffer was read.
    quad();
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(words(out, 3), [15, 4, 32]);
}

fn ranges(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint value[4]; };
void main() { value[1] += 7u; }
",
    );
    let align = get_i32(gl::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT) as usize;
    let step = align.max(16);
    let name = buffer(gl::SHADER_STORAGE_BUFFER, &vec![1_u32; step]);
    for i in [2, 0, 3, 1, 2] {
        gl::BindBufferRange(gl::SHADER_STORAGE_BUFFER, 0, name, (i * step) as isize, 16);
        dispatch(1, 1, 1);
    }
    let got = words(name, step);
    for (i, expected) in [8, 8, 15, 8].into_iter().enumerate() {
        assert_eq!(got[i * step / 4 + 1], expected, "range {i}");
    }
    assert_eq!(got.iter().sum::<u32>(), step as u32 + 35);
}

/// GL 4.6 core 6.1.1: a whole buffer is bound at the size it has when it is used.
fn base_follows_the_size(_: &Env) {
    compute(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint data[]; };
void main() { data[data.length() - 1] = uint(data.length()); }
",
    );
    let name = storage(0, &[0_u32; 4]);
    for count in [4_usize, 64, 9] {
        buffer_data(gl::SHADER_STORAGE_BUFFER, &vec![0_u32; count], gl::STATIC_DRAW);
        dispatch(1, 1, 1);
        let mut expected = vec![0; count];
        expected[count - 1] = count as u32;
        assert_eq!(words(name, count), expected);
    }
}

fn same_block_in_both_stages(_: &Env) {
    let target = Target::new(2, 2);
    let block = "layout(std430, binding = 3) buffer Shared { vec4 shift; vec4 colour; } ;\n";
    let vertex = format!("{HEAD}{block}layout(location = 0) in vec4 p;\nvoid main() {{ gl_Position = p + shift; }}\n");
    let fragment = format!("{HEAD}{block}out vec4 result;\nvoid main() {{ result = colour; }}\n");
    program(&vertex, &fragment);
    storage(3, &[1.0_f32, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0]);
    quad();
    target.image().expect_rect([1, 0, 1, 2], [0, 255, 0, 255], [0; 4]);
}

fn block_bindings(_: &Env) {
    let p = compute(
        "layout(local_size_x = 1) in;
layout(std430) buffer A { uint a; };
layout(std430) buffer B { uint b; };
void main() { a = 1u; b = 2u; }
",
    );
    let names = [storage(5, &[0_u32]), storage(6, &[0_u32])];
    gl::ShaderStorageBlockBinding(p.0, 0, 6);
    gl::ShaderStorageBlockBinding(p.0, 1, 5);
    expect_no_error("bindings");
    dispatch(1, 1, 1);
    let mut got = names.map(|name| words(name, 1)[0]);
    got.sort_unstable();
    assert_eq!(got, [1, 2]);
    let before = names.map(|name| words(name, 1)[0]);
    // The other way round both are swapped.
    gl::ShaderStorageBlockBinding(p.0, 0, 5);
    gl::ShaderStorageBlockBinding(p.0, 1, 6);
    dispatch(1, 1, 1);
    assert_eq!(names.map(|name| words(name, 1)[0]), [before[1], before[0]]);
    gl::ShaderStorageBlockBinding(p.0, 2, 0);
    expect_error(gl::INVALID_VALUE, "no third block");
    gl::ShaderStorageBlockBinding(p.0, 0, get_i32(gl::MAX_SHADER_STORAGE_BUFFER_BINDINGS) as u32);
    expect_error(gl::INVALID_VALUE, "no such point");
}

/// GL 4.6 core 7.13.2: a barrier between draws that store and draws that load.
fn draws_order_by_barrier(_: &Env) {
    let target = Target::new(8, 8);
    let fragment = |body: &str| {
        format!(
            "{HEAD}layout(std430, binding = 0) coherent buffer B {{ uint data[64]; }};
uniform uint add;\nout vec4 result;\nvoid main() {{ ivec2 p = ivec2(gl_FragCoord.xy); {body} }}\n"
        )
    };
    let vs = gallite_tests::draw::SOLID_VS;
    let writes = program(vs, &fragment("data[p.x * 8 + p.y] = uint(p.y * 8 + p.x) + add; result = vec4(0.0);"));
    let reads = program(
        vs,
        &fragment("result = vec4(float(data[p.y * 8 + p.x] - add) / 255.0, float(add) / 255.0, 0.0, 1.0);"),
    );
    let out = storage(0, &[0_u32; 64]);
    for add in [1_u32, 100, 30] {
        for p in [writes, reads] {
            p.bind();
            gl::Uniform1ui(gallite_tests::draw::uniform(p.0, "add"), add);
            quad();
            gl::MemoryBarrier(gl::SHADER_STORAGE_BARRIER_BIT);
        }
        target.image().expect_each(|x, y| [(x * 8 + y) as u8, add as u8, 0, 255]);
    }
    assert_eq!(words(out, 2), [30, 38]);
}

/// glClearBufferData and glClearBufferSubData (GL 4.6 core 6.2.1).
fn filled_buffers(_: &Env) {
    let name = buffer(gl::SHADER_STORAGE_BUFFER, &[7_u32; 8]);
    gl::ClearBufferData(gl::SHADER_STORAGE_BUFFER, gl::R32UI, gl::RED_INTEGER, gl::UNSIGNED_INT, std::ptr::null());
    assert_eq!(words(name, 8), [0; 8]);
    let pair = [1_u32, 2];
    gl::ClearBufferSubData(
        gl::SHADER_STORAGE_BUFFER,
        gl::RG32UI,
        8,
        16,
        gl::RG_INTEGER,
        gl::UNSIGNED_INT,
        pair.as_ptr().cast(),
    );
    assert_eq!(words(name, 8), [0, 0, 1, 2, 1, 2, 0, 0]);
    // Converted as texels are.
    let bytes = [255_u8, 0, 255, 0];
    gl::ClearBufferSubData(
        gl::SHADER_STORAGE_BUFFER,
        gl::RGBA32F,
        16,
        16,
        gl::RGBA,
        gl::UNSIGNED_BYTE,
        bytes.as_ptr().cast(),
    );
    let one = 1.0_f32.to_bits();
    assert_eq!(words(name, 8), [0, 0, 1, 2, one, 0, one, 0]);
    let byte = [0x5a_u8];
    gl::ClearBufferSubData(
        gl::SHADER_STORAGE_BUFFER,
        gl::R8UI,
        1,
        2,
        gl::RED_INTEGER,
        gl::UNSIGNED_BYTE,
        byte.as_ptr().cast(),
    );
    assert_eq!(words(name, 1), [0x005a_5a00]);
    let three = [1.0_f32, 2.0, 3.0];
    gl::ClearBufferSubData(gl::SHADER_STORAGE_BUFFER, gl::RGB32F, 0, 24, gl::RGB, gl::FLOAT, three.as_ptr().cast());
    expect_no_error("fills");
    let bits = three.map(f32::to_bits);
    assert_eq!(words(name, 6), [bits, bits].concat());
}

fn clear_errors(_: &Env) {
    let target = gl::COPY_WRITE_BUFFER;
    buffer(target, &[0_u32; 8]);
    let null = std::ptr::null();
    let clear = |internal, offset, size, format, kind| {
        gl::ClearBufferSubData(target, internal, offset, size, format, kind, null);
    };
    clear(gl::RGBA, 0, 16, gl::RGBA, gl::FLOAT);
    expect_error(gl::INVALID_ENUM, "an internal format without size");
    clear(gl::RGBA32F, 4, 16, gl::RGBA, gl::FLOAT);
    expect_error(gl::INVALID_VALUE, "an offset within a texel");
    clear(gl::RGBA32F, 0, 24, gl::RGBA, gl::FLOAT);
    expect_error(gl::INVALID_VALUE, "half a texel");
    clear(gl::RGBA32F, 16, 32, gl::RGBA, gl::FLOAT);
    expect_error(gl::INVALID_VALUE, "past the end");
    clear(gl::RGBA32F, -16, 16, gl::RGBA, gl::FLOAT);
    expect_error(gl::INVALID_VALUE, "a negative offset");
    gl::MapBufferRange(target, 0, 4, gl::MAP_READ_BIT);
    clear(gl::RGBA32F, 0, 16, gl::RGBA, gl::FLOAT);
    expect_error(gl::INVALID_OPERATION, "a mapped buffer");
    gl::UnmapBuffer(target);
    gl::ClearBufferData(gl::TEXTURE_2D, gl::R8, gl::RED, gl::UNSIGNED_BYTE, null);
    expect_error(gl::INVALID_ENUM, "no buffer target");
    gl::BindBuffer(target, 0);
    gl::ClearBufferData(target, gl::R8, gl::RED, gl::UNSIGNED_BYTE, null);
    expect_error(gl::INVALID_OPERATION, "no buffer");
}

fn binding_points(_: &Env) {
    let target = gl::SHADER_STORAGE_BUFFER;
    let name = buffer(target, &[0_u32; 256]);
    let indexed = |what, index| {
        let mut value = -1;
        gl::GetInteger64i_v(what, index, &mut value);
        value
    };
    let align = get_i32(gl::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT) as isize;
    gl::BindBufferRange(target, 2, name, align, 32);
    assert_eq!(indexed(gl::SHADER_STORAGE_BUFFER_BINDING, 2), i64::from(name));
    assert_eq!(indexed(gl::SHADER_STORAGE_BUFFER_START, 2), align as i64);
    assert_eq!(indexed(gl::SHADER_STORAGE_BUFFER_SIZE, 2), 32);
    gl::BindBufferBase(target, 2, name);
    assert_eq!((indexed(gl::SHADER_STORAGE_BUFFER_START, 2), indexed(gl::SHADER_STORAGE_BUFFER_SIZE, 2)), (0, 0));
    assert_eq!(get_i32(gl::SHADER_STORAGE_BUFFER_BINDING), name as i32);
    expect_no_error("bindings");
    let most = get_i32(gl::MAX_SHADER_STORAGE_BUFFER_BINDINGS) as u32;
    gl::BindBufferBase(target, most, name);
    expect_error(gl::INVALID_VALUE, "no such point");
    indexed(gl::SHADER_STORAGE_BUFFER_BINDING, most);
    expect_error(gl::INVALID_VALUE, "no such point");
    if align > 1 {
        gl::BindBufferRange(target, 0, name, 1, 32);
        expect_error(gl::INVALID_VALUE, "an offset off the alignment");
    }
    gl::BindBufferRange(target, 0, name, 0, 0);
    expect_error(gl::INVALID_VALUE, "no bytes");
    gl::DeleteBuffers(1, &name);
    assert_eq!(indexed(gl::SHADER_STORAGE_BUFFER_BINDING, 2), 0);
}

/// GL 4.6 core 7.3.1: what a program says of its storage blocks.
fn resources(_: &Env) {
    let p = compute(
        "layout(local_size_x = 1) in;
struct S { float f; vec2 v; };
layout(std430, binding = 4) buffer Block { int n; S list[3]; layout(row_major) mat2x3 m; uint tail[]; } b[2];
void main() { b[1].n = int(b[1].tail[0]); }
",
    );
    let index = |interface, name: &std::ffi::CStr| gl::GetProgramResourceIndex(p.0, interface, name.as_ptr());
    let get = |interface, index, what: u32| {
        let (mut value, mut length) = ([-7; 8], -7);
        gl::GetProgramResourceiv(p.0, interface, index, 1, &what, 8, &mut length, value.as_mut_ptr());
        (value[0], length)
    };
    let (block, variable) = (gl::SHADER_STORAGE_BLOCK, gl::BUFFER_VARIABLE);
    let second = index(block, c"Block[1]");
    assert_eq!(index(block, c"Block"), index(block, c"Block[0]"));
    assert_eq!(get(block, second, gl::BUFFER_BINDING), (5, 1));
    // n 0, list 8 with stride 16, m 56 by rows of 8, tail 80; one element of it counts.
    assert_eq!(get(block, second, gl::BUFFER_DATA_SIZE), (88, 1));
    assert_eq!(get(block, second, gl::NUM_ACTIVE_VARIABLES), (5, 1));
    assert_eq!(get(block, second, gl::ACTIVE_VARIABLES).1, 5);
    assert_eq!(get(block, second, gl::REFERENCED_BY_COMPUTE_SHADER), (1, 1));
    gl::ShaderStorageBlockBinding(p.0, second, 2);
    assert_eq!(get(block, second, gl::BUFFER_BINDING), (2, 1));
    let of = |name, what| get(variable, index(variable, name), what).0;
    assert_eq!(of(c"Block.list[0].v", gl::OFFSET), 16);
    assert_eq!(of(c"Block.list[0].v", gl::TOP_LEVEL_ARRAY_SIZE), 3);
    assert_eq!(of(c"Block.list[0].v", gl::TOP_LEVEL_ARRAY_STRIDE), 16);
    assert_eq!(index(variable, c"Block.list[1].v"), gl::INVALID_INDEX);
    assert_eq!((of(c"Block.m", gl::IS_ROW_MAJOR), of(c"Block.m", gl::MATRIX_STRIDE)), (1, 8));
    assert_eq!((of(c"Block.tail", gl::ARRAY_SIZE), of(c"Block.tail", gl::ARRAY_STRIDE)), (0, 4));
    assert_eq!(of(c"Block.tail", gl::OFFSET), 80);
    let mut active = 0;
    gl::GetProgramInterfaceiv(p.0, block, gl::ACTIVE_RESOURCES, &mut active);
    assert_eq!(active, 2);
    expect_no_error("queries");
    get(block, 2, gl::BUFFER_BINDING);
    expect_error(gl::INVALID_VALUE, "no third block");
    get(block, 0, gl::OFFSET);
    expect_error(gl::INVALID_OPERATION, "a block has no offset");
}

/// What the language accepts and refuses.
fn language(_: &Env) {
    let shader = |text: &str| format!("{HEAD}layout(local_size_x = 1) in;\n{text}\n");
    for good in [
        "layout(std430) readonly buffer B { int a[]; }; void main() { int x = a[0]; }",
        "buffer B { int a; int b[]; } b; void main() { b.b[2] = 1; }",
        "layout(std430) buffer; buffer B { int a; }; void main() { a = 1; }",
        "layout(std430, binding = 1) restrict coherent volatile buffer B { writeonly int a; }; void main() { a = 1; }",
        "layout(shared) buffer B { int a; }; void main() { a = 1; }",
    ] {
        let source = shader(good);
        assert!(shader_status(gl::COMPUTE_SHADER, &source).1, "{good}");
    }
    for bad in [
        "layout(std430) readonly buffer B { int a[]; }; void main() { a[0] = 1; }",
        "layout(std430) writeonly buffer B { int a[]; }; void main() { int x = a[0]; }",
        "layout(std430) uniform B { int a; }; void main() {}",
        "buffer int a; void main() {}",
        "layout(std430) buffer B { int a[]; int b; }; void main() { a[b] = 1; }",
        "layout(std430) buffer B { float a; }; void main() { atomicAdd(a, 1.0); }",
        "int a; void main() { atomicAdd(a, 1); }",
        "layout(std430, binding = 100000) buffer B { int a; }; void main() { a = 1; }",
        "void main() { buffer B { int a; } b; }",
    ] {
        let source = shader(bad);
        assert!(!shader_status(gl::COMPUTE_SHADER, &source).1, "{bad}");
    }
    // One block, two declarations.
    let vertex = |block: &str| format!("{HEAD}{block}\nvoid main() {{ gl_Position = vec4(v); }}\n");
    let fragment = |block: &str| format!("{HEAD}{block}\nout vec4 c;\nvoid main() {{ c = vec4(v); }}\n");
    let links = |a: &str, b: &str| {
        let (vertex, fragment) = (vertex(a), fragment(b));
        try_program(&[(gl::VERTEX_SHADER, &vertex), (gl::FRAGMENT_SHADER, &fragment)], |_| {}).is_ok()
    };
    let block = "layout(std430) buffer B { float v; };";
    assert!(links(block, block));
    assert!(!links(block, "layout(std140) buffer B { float v; };"));
    assert!(!links(block, "layout(std430) buffer B { vec2 v; };"));
    let bound = |n: u32| format!("layout(std430, binding = {n}) buffer B {{ float v; }};");
    assert!(links(&bound(1), block));
    assert!(!links(&bound(1), &bound(2)));
}
