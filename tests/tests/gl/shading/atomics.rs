//! Atomic operations on more than 32-bit integers: NV_shader_atomic_float, NV_shader_atomic_int64 (GLSL 4.60 8.11, 8.12).

use crate::shared::{dispatch, storage, words};
use gallite_tests::draw::{
    Program, SOLID_VS, buffer_contents, gen_texture, has_extension, program_with, require_extension, tex_parameter,
    try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): floats_in_buffers, floats_in_shared_memory, floats_in_images, integers_in_buffers,
        integers_in_shared_memory;
    every core(3, 3): by_extension;
}

const FLOAT: &str = "GL_NV_shader_atomic_float";
const INT64: &str = "GL_NV_shader_atomic_int64";

#[track_caller]
fn compute(extension: &str, text: &str) -> Program {
    require_extension(extension);
    require_extension("GL_ARB_compute_shader");
    let int64 = if extension == INT64 { "#extension GL_ARB_gpu_shader_int64 : require\n" } else { "" };
    let source = format!("#version 430 core\n#extension {extension} : require\n{int64}{text}");
    let program = program_with(&[(gl::COMPUTE_SHADER, &source)], |_| {});
    program.bind();
    program
}

fn floats_in_buffers(_: &Env) {
    compute(
        FLOAT,
        "layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer B { float sum; float last; float before[]; };
void main() {
    float old = atomicAdd(sum, 0.5);
    before[int(old * 2.0)] = old;
    atomicExchange(last, 7.25);
}",
    );
    let out = storage(0, &[0.0_f32; 66]);
    dispatch(2, 1, 1);
    let got: Vec<f32> = words(out, 66).into_iter().map(f32::from_bits).collect();
    assert_eq!(got[..2], [32.0, 7.25]);
    let halves: Vec<f32> = (0..64).map(|i| i as f32 / 2.0).collect();
    assert_eq!(got[2..], halves);
}

fn floats_in_shared_memory(_: &Env) {
    compute(
        FLOAT,
        "layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer B { float result[2]; };
shared float sum;
shared float other;
void main() {
    if (gl_LocalInvocationIndex == 0u) { sum = 1.0; other = 3.0; }
    barrier();
    atomicAdd(sum, 0.25);
    if (gl_LocalInvocationIndex == 5u) result[1] = atomicExchange(other, 4.0);
    barrier();
    if (gl_LocalInvocationIndex == 0u) result[0] = sum + other;
}",
    );
    let out = storage(0, &[0.0_f32; 2]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 2), [13.0_f32.to_bits(), 3.0_f32.to_bits()]);
}

fn floats_in_images(_: &Env) {
    require_extension(FLOAT);
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::R32F, 2, 1);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 1, gl::RED, gl::FLOAT, [0.5_f32, 9.0].as_ptr().cast());
    gl::BindImageTexture(0, texture, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32F);
    compute(
        FLOAT,
        "layout(local_size_x = 32) in;
layout(r32f, binding = 0) uniform image2D image;
layout(std430, binding = 0) buffer B { float before; };
void main() {
    imageAtomicAdd(image, ivec2(0), 0.25);
    if (gl_LocalInvocationIndex == 0u) before = imageAtomicExchange(image, ivec2(1, 0), -1.0);
}",
    );
    let out = storage(0, &[0.0_f32]);
    dispatch(1, 1, 1);
    let mut texels = [0.0_f32; 2];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RED, gl::FLOAT, texels.as_mut_ptr().cast());
    assert_eq!((texels, words(out, 1)), ([8.5, -1.0], vec![9.0_f32.to_bits()]));
}

/// What each operation leaves and returns, in both kinds of memory.
const OPERATIONS: &str = "
    r[0] = atomicAdd(m[0], 0x100000000L); r[1] = atomicMin(m[1], -5000000000L); r[2] = atomicMax(m[2], 5000000000L);
    r[3] = atomicAnd(m[3], 0xF00000000L); r[4] = atomicOr(m[4], 0x100000000L); r[5] = atomicXor(m[5], -1L);
    r[6] = atomicExchange(m[6], 1L << 40); r[7] = atomicCompSwap(m[7], 7L, 1L << 41); r[8] = atomicCompSwap(m[8], 8L, 0L);
    u = atomicMin(u, 0xFFFFFFFFFFFFFFFFul); u = atomicMax(u, 0x8000000000000000ul);";

const AFTER: [i64; 10] =
    [7 + (1 << 32), -5_000_000_000, 5_000_000_000, 0, 7 + (1 << 32), !7, 1 << 40, 1 << 41, 7, i64::MIN];

fn integers_in_buffers(_: &Env) {
    let text = format!(
        "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B {{ int64_t m[9]; uint64_t v; int64_t r[9]; }};
void main() {{ uint64_t u = 0ul; {} }}",
        OPERATIONS.replace("u = atomicMin(u", "u = atomicMin(v").replace("u = atomicMax(u", "u = atomicMax(v")
    );
    compute(INT64, &text);
    let mut values = [7_i64; 19];
    values[9] = 3;
    let out = storage(0, &values);
    dispatch(1, 1, 1);
    gl::BindBuffer(gl::SHADER_STORAGE_BUFFER, out);
    let got = buffer_contents(gl::SHADER_STORAGE_BUFFER, 0, 19, 0_i64);
    assert_eq!(got[..10], AFTER);
    assert_eq!(got[10..], [7; 9]);
}

fn integers_in_shared_memory(_: &Env) {
    let text = format!(
        "layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B {{ int64_t after[10]; int64_t r[9]; int64_t sum; }};
shared int64_t m[9];
shared uint64_t u2;
shared int64_t total;
void main() {{
    if (gl_LocalInvocationIndex == 0u) {{
        for (int i = 0; i < 9; ++i) m[i] = 7L;
        u2 = 3ul; total = 0L; uint64_t u; {}
        for (int i = 0; i < 9; ++i) after[i] = m[i];
        after[9] = int64_t(u2);
    }}
    barrier();
    atomicAdd(total, 0x80000001L);
    barrier();
    if (gl_LocalInvocationIndex == 0u) sum = total;
}}",
        OPERATIONS.replace("u = atomicMin(u", "u = atomicMin(u2").replace("u = atomicMax(u", "u = atomicMax(u2")
    );
    compute(INT64, &text);
    let out = storage(0, &[0_i64; 20]);
    dispatch(1, 1, 1);
    gl::BindBuffer(gl::SHADER_STORAGE_BUFFER, out);
    let got = buffer_contents(gl::SHADER_STORAGE_BUFFER, 0, 20, 0_i64);
    assert_eq!(got[..10], AFTER);
    assert_eq!(got[10..19], [7; 9]);
    assert_eq!(got[19], 8 * 0x8000_0001);
}

/// Without them asked for, floats have no sums and 64-bit integers no atomics.
fn by_extension(_: &Env) {
    if !has_extension("GL_ARB_shader_storage_buffer_object") {
        return;
    }
    let fragment = |extension: &str, ty: &str| {
        format!(
            "#version 430 core\n{extension}layout(std430) buffer B {{ {ty} value; }};
out vec4 result; void main() {{ result = vec4(float(atomicAdd(value, {ty}(1)))); }}"
        )
    };
    let links =
        |source: &str| try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, source)], |_| {}).is_ok();
    let with_int64 = "#extension GL_ARB_gpu_shader_int64 : enable\n";
    assert!(links(&fragment("", "uint")) && !links(&fragment("", "float")) && !links(&fragment(with_int64, "int64_t")));
    assert_eq!(links(&fragment(&format!("#extension {FLOAT} : require\n"), "float")), has_extension(FLOAT));
    let both = format!("{with_int64}#extension {INT64} : require\n");
    assert_eq!(links(&fragment(&both, "int64_t")), has_extension(INT64));
}
