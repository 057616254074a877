//! Uniform blocks and their buffers: GL 3.3 core 2.11.4 (uniform blocks, std140) and 2.11.4.1.

use gallite_tests::draw::{
    Program, SOLID_VS, buffer, buffer_data, expect_error, gen_buffer, get_i32, program, run_float,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): std140_offsets_and_values, row_major, ranges, base_follows_respecified_size,
        block_arrays, same_block_in_both_stages, shared_layout_reports_offsets, binding_points_are_shared,
        update_between_draws, many_blocks, nested_structs_and_arrays, bool_members, rebinding_between_draws;
    every core(3, 3): block_queries, binding_errors, instance_names;
}

fn output(expression: &str, declarations: &str) -> Program {
    let fragment = format!(
        "#version 330 core
{declarations}
out vec4 result;
void main() {{ result = {expression}; }}
"
    );
    program(SOLID_VS, &fragment)
}

fn bind_block(p: Program, name: &str, point: u32) {
    let index = p.block(name);
    assert_ne!(index, gl::INVALID_INDEX, "no block {name}");
    gl::UniformBlockBinding(p.0, index, point);
}

fn offset_of(p: Program, name: &str, what: u32) -> i32 {
    let name = std::ffi::CString::new(name).unwrap_or_default();
    let mut index = 0;
    gl::GetUniformIndices(p.0, 1, &name.as_ptr(), &mut index);
    assert_ne!(index, gl::INVALID_INDEX, "no uniform {name:?}");
    let mut value = -7;
    gl::GetActiveUniformsiv(p.0, 1, &index, what, &mut value);
    value
}

fn std140_offsets_and_values(_: &Env) {
    let p = output(
        "vec4(a + b.y, c.z, d[1], m[1].y + e)",
        "layout(std140) uniform B { float a; vec2 b; vec3 c; float d[2]; mat2 m; float e; };",
    );
    // a 0, b 8, c 16, d 32 stride 16, m 64 column stride 16, e 96.
    for (name, offset) in [("a", 0), ("b", 8), ("c", 16), ("d", 32), ("m", 64), ("e", 96)] {
        assert_eq!(offset_of(p, name, gl::UNIFORM_OFFSET), offset, "{name}");
    }
    assert_eq!(offset_of(p, "d", gl::UNIFORM_ARRAY_STRIDE), 16);
    assert_eq!(offset_of(p, "m", gl::UNIFORM_MATRIX_STRIDE), 16);
    assert_eq!(offset_of(p, "m", gl::UNIFORM_IS_ROW_MAJOR), 0);
    let mut size = 0;
    gl::GetActiveUniformBlockiv(p.0, p.block("B"), gl::UNIFORM_BLOCK_DATA_SIZE, &mut size);
    assert_eq!(size, 112);
    let mut data = [0.0_f32; 28];
    data[0] = 1.0;
    data[3] = 10.0;
    data[6] = 3.0;
    data[12] = 4.0;
    data[21] = 5.0;
    data[24] = 50.0;
    let name = buffer(gl::UNIFORM_BUFFER, &data);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    bind_block(p, "B", 0);
    assert_eq!(run_float(p), [11.0, 3.0, 4.0, 55.0]);
}

fn row_major(_: &Env) {
    let p = output(
        "vec4(r[1][0], c[1][0], r[2][1], n.z)",
        "layout(std140, row_major) uniform B { mat3 r; layout(column_major) mat3 c; vec3 n; };",
    );
    assert_eq!(offset_of(p, "r", gl::UNIFORM_IS_ROW_MAJOR), 1);
    assert_eq!(offset_of(p, "c", gl::UNIFORM_IS_ROW_MAJOR), 0);
    let data: Vec<f32> = (0_u8..28).map(f32::from).collect();
    let name = buffer(gl::UNIFORM_BUFFER, &data);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 1, name);
    bind_block(p, "B", 1);
    // r: row 0 is words 0 to 2, so column 1 row 0 is word 1; c starts at word 12.
    assert_eq!(run_float(p), [1.0, 16.0, 6.0, 26.0]);
}

fn ranges(_: &Env) {
    let p = output("b", "layout(std140) uniform B { vec4 b; };");
    let align = get_i32(gl::UNIFORM_BUFFER_OFFSET_ALIGNMENT) as usize;
    let step = align.max(16);
    let mut data = vec![0.0_f32; step];
    for i in 0..4 {
        data[i * step / 4] = i as f32 + 1.0;
    }
    let name = buffer(gl::UNIFORM_BUFFER, &data);
    bind_block(p, "B", 2);
    for i in [2, 0, 3, 1] {
        gl::BindBufferRange(gl::UNIFORM_BUFFER, 2, name, (i * step) as isize, 16);
        assert_eq!(run_float(p), [i as f32 + 1.0, 0.0, 0.0, 0.0]);
    }
}

/// 2.9.6: a buffer bound by BindBufferBase is used at its size at draw time.
fn base_follows_respecified_size(_: &Env) {
    let p = output("b[3]", "layout(std140) uniform B { vec4 b[4]; };");
    bind_block(p, "B", 0);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, gen_buffer());
    buffer_data(gl::UNIFORM_BUFFER, &[1.0_f32; 4], gl::STATIC_DRAW);
    buffer_data(gl::UNIFORM_BUFFER, &[2.0_f32; 16], gl::STATIC_DRAW);
    assert_eq!(run_float(p), [2.0; 4]);
    buffer_data(gl::UNIFORM_BUFFER, &[3.0_f32; 64], gl::STATIC_DRAW);
    assert_eq!(run_float(p), [3.0; 4]);
}

fn block_arrays(_: &Env) {
    let p = output("vec4(b[0].v.x, b[1].v.y, b[2].v.z, 1.0)", "layout(std140) uniform B { vec4 v; } b[3];");
    for i in 0..3 {
        let value = i as f32 + 1.0;
        let name = buffer(gl::UNIFORM_BUFFER, &[value; 4]);
        gl::BindBufferBase(gl::UNIFORM_BUFFER, 5 - i, name);
        bind_block(p, &format!("B[{i}]"), 5 - i);
    }
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 1.0]);
    assert_eq!(p.get(gl::ACTIVE_UNIFORM_BLOCKS), 3);
    assert_eq!(p.block("B"), p.block("B[0]"));
}

fn same_block_in_both_stages(_: &Env) {
    let block = "layout(std140) uniform B { vec4 first; vec4 second; } b;";
    let p = program(
        &format!(
            "#version 330 core
layout(location = 0) in vec4 position;
{block}
flat out vec4 v;
void main() {{ gl_Position = position; v = b.first; }}
"
        ),
        &format!(
            "#version 330 core
{block}
flat in vec4 v;
out vec4 result;
void main() {{ result = v + b.second; }}
"
        ),
    );
    assert_eq!(p.get(gl::ACTIVE_UNIFORM_BLOCKS), 1);
    let name = buffer(gl::UNIFORM_BUFFER, &[1.0_f32, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 4, name);
    bind_block(p, "B", 4);
    assert_eq!(run_float(p), [11.0, 22.0, 33.0, 44.0]);
    let get = |what| {
        let mut value = -1;
        gl::GetActiveUniformBlockiv(p.0, p.block("B"), what, &mut value);
        value
    };
    assert_eq!(get(gl::UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER), 1);
    assert_eq!(get(gl::UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER), 1);
    assert_eq!(get(gl::UNIFORM_BLOCK_REFERENCED_BY_GEOMETRY_SHADER), 0);
}

/// With the shared layout the program asks for the offsets and gets usable ones.
fn shared_layout_reports_offsets(_: &Env) {
    let p = output("vec4(x, y.y, z[1], 0.0)", "uniform B { float x; vec3 y; float z[2]; };");
    let mut size = 0;
    gl::GetActiveUniformBlockiv(p.0, p.block("B"), gl::UNIFORM_BLOCK_DATA_SIZE, &mut size);
    let mut data = vec![0_u8; size as usize];
    let mut put = |at: i32, value: f32| {
        let at = at as usize;
        data[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    };
    put(offset_of(p, "x", gl::UNIFORM_OFFSET), 1.0);
    put(offset_of(p, "y", gl::UNIFORM_OFFSET) + 4, 2.0);
    let z = offset_of(p, "z[0]", gl::UNIFORM_OFFSET) + offset_of(p, "z[0]", gl::UNIFORM_ARRAY_STRIDE);
    put(z, 3.0);
    let name = buffer(gl::UNIFORM_BUFFER, &data);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    bind_block(p, "B", 0);
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 0.0]);
}

fn binding_points_are_shared(_: &Env) {
    let p = output("a + b", "layout(std140) uniform A { vec4 a; }; layout(std140) uniform B { vec4 b; };");
    let q = output("a", "layout(std140) uniform A { vec4 a; };");
    let name = buffer(gl::UNIFORM_BUFFER, &[4.0_f32; 4]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 9, name);
    bind_block(p, "A", 9);
    bind_block(p, "B", 9);
    bind_block(q, "A", 9);
    assert_eq!(run_float(p), [8.0; 4]);
    assert_eq!(run_float(q), [4.0; 4]);
}

fn update_between_draws(_: &Env) {
    let p = output("b", "layout(std140) uniform B { vec4 b; };");
    bind_block(p, "B", 0);
    let name = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 4]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    let target = gallite_tests::draw::Target::new(32, 1);
    p.bind();
    gl::Enable(gl::SCISSOR_TEST);
    for i in 0..32 {
        let value = [i as f32 / 255.0, 1.0, 0.0, 1.0];
        gl::BufferSubData(gl::UNIFORM_BUFFER, 0, 16, value.as_ptr().cast());
        gl::Scissor(i, 0, 1, 1);
        gallite_tests::draw::quad();
    }
    target.image().expect_each(|x, _| [x as u8, 255, 0, 255]);
}

/// 12 blocks a stage are the least.
fn many_blocks(_: &Env) {
    let blocks: String = (0..12).map(|i| format!("layout(std140) uniform B{i} {{ vec4 v{i}; }};\n")).collect();
    let sum: String = (0..12).map(|i| format!(" + v{i} * {}.0", 1 << i)).collect();
    let p = output(&format!("vec4(0.0){sum}"), &blocks);
    for i in 0..12_u32 {
        let name = buffer(gl::UNIFORM_BUFFER, &[1.0_f32, i as f32, 0.0, 0.0]);
        gl::BindBufferBase(gl::UNIFORM_BUFFER, i, name);
        bind_block(p, &format!("B{i}"), i);
    }
    let weighted: f32 = (0..12).map(|i| (i * (1 << i)) as f32).sum();
    assert_eq!(run_float(p), [4095.0, weighted, 0.0, 0.0]);
}

fn nested_structs_and_arrays(_: &Env) {
    let p = output(
        "vec4(s[1].f, s[1].in_[1].v.z, s[0].m[1][1], last)",
        "struct In { float n; vec3 v; }; struct S { float f; In in_[2]; mat2 m; };
layout(std140) uniform B { S s[2]; float last; };",
    );
    // In: 32 bytes. S: f 0, in_ 16, m 80, size 112. last 224.
    assert_eq!(offset_of(p, "s[1].f", gl::UNIFORM_OFFSET), 112);
    assert_eq!(offset_of(p, "s[1].in_[1].v", gl::UNIFORM_OFFSET), 176);
    assert_eq!(offset_of(p, "s[0].m", gl::UNIFORM_OFFSET), 80);
    assert_eq!(offset_of(p, "last", gl::UNIFORM_OFFSET), 224);
    let mut data = [0.0_f32; 60];
    data[28] = 1.0;
    data[46] = 2.0;
    data[25] = 3.0;
    data[56] = 4.0;
    let name = buffer(gl::UNIFORM_BUFFER, &data);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    bind_block(p, "B", 0);
    assert_eq!(run_float(p), [1.0, 2.0, 3.0, 4.0]);
}

/// A bool in a block is any non-zero word.
fn bool_members(_: &Env) {
    let p = output(
        "vec4(a ? 1.0 : 0.0, b.y ? 1.0 : 0.0, c ? 1.0 : 0.0, float(i))",
        "layout(std140) uniform B { bool a; bvec2 b; bool c; int i; };",
    );
    let name = buffer(gl::UNIFORM_BUFFER, &[256_i32, 9, 0, 1, 0, -3, 0, 0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, name);
    bind_block(p, "B", 0);
    assert_eq!(run_float(p), [1.0, 1.0, 0.0, -3.0]);
}

fn rebinding_between_draws(_: &Env) {
    let p = output("b", "layout(std140) uniform B { vec4 b; };");
    bind_block(p, "B", 0);
    let one = buffer(gl::UNIFORM_BUFFER, &[1.0_f32; 4]);
    let two = buffer(gl::UNIFORM_BUFFER, &[2.0_f32; 4]);
    for _ in 0..3 {
        gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, one);
        assert_eq!(run_float(p), [1.0; 4]);
        gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, two);
        assert_eq!(run_float(p), [2.0; 4]);
    }
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 1, one);
    bind_block(p, "B", 1);
    assert_eq!(run_float(p), [1.0; 4]);
}

fn block_queries(_: &Env) {
    let p = output("vec4(a, b, 0.0, 0.0)", "layout(std140) uniform Long { float a; float b; float unused; };");
    assert_eq!(p.get(gl::ACTIVE_UNIFORM_BLOCKS), 1);
    assert_eq!(p.get(gl::ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH), 5);
    let block = p.block("Long");
    assert_eq!(p.block("Absent"), gl::INVALID_INDEX);
    let get = |what| {
        let mut value = [-1; 8];
        gl::GetActiveUniformBlockiv(p.0, block, what, value.as_mut_ptr());
        value
    };
    assert_eq!(get(gl::UNIFORM_BLOCK_BINDING)[0], 0);
    gl::UniformBlockBinding(p.0, block, 7);
    assert_eq!(get(gl::UNIFORM_BLOCK_BINDING)[0], 7);
    assert_eq!(get(gl::UNIFORM_BLOCK_NAME_LENGTH)[0], 5);
    // 2.11.4: in a std140 block every member is active.
    assert_eq!(get(gl::UNIFORM_BLOCK_ACTIVE_UNIFORMS)[0], 3);
    let mut indices = get(gl::UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES)[..3].to_vec();
    indices.sort_unstable();
    assert_eq!(indices, [0, 1, 2]);
    let mut name = [0_u8; 16];
    let mut length = 0;
    gl::GetActiveUniformBlockName(p.0, block, 16, &mut length, name.as_mut_ptr().cast());
    assert_eq!(&name[..length as usize], b"Long");
    gl::GetActiveUniformName(p.0, 0, 16, &mut length, name.as_mut_ptr().cast());
    assert!(length > 0);
    gl::GetActiveUniformBlockiv(p.0, 1, gl::UNIFORM_BLOCK_BINDING, &mut 0);
    expect_error(gl::INVALID_VALUE, "block index");
    gl::GetActiveUniformBlockiv(p.0, 0, gl::RGBA, &mut 0);
    expect_error(gl::INVALID_ENUM, "block parameter");
}

fn binding_errors(_: &Env) {
    let p = output("b", "layout(std140) uniform B { vec4 b; };");
    gl::UniformBlockBinding(p.0, 1, 0);
    expect_error(gl::INVALID_VALUE, "block");
    gl::UniformBlockBinding(p.0, 0, get_i32(gl::MAX_UNIFORM_BUFFER_BINDINGS) as u32);
    expect_error(gl::INVALID_VALUE, "point");
    gl::UniformBlockBinding(99999, 0, 0);
    expect_error(gl::INVALID_VALUE, "program");
    gl::GetUniformBlockIndex(99999, c"B".as_ptr());
    expect_error(gl::INVALID_VALUE, "program of a query");
}

/// GLSL 3.30 4.3.7: with an instance name the API name of a member is Block.member.
fn instance_names(_: &Env) {
    let p = output(
        "inst.v + w",
        "layout(std140) uniform Named { vec4 v; } inst; layout(std140) uniform Plain { vec4 w; };",
    );
    let index = |name: &std::ffi::CStr| {
        let mut index = 0;
        gl::GetUniformIndices(p.0, 1, &name.as_ptr(), &mut index);
        index
    };
    assert_ne!(index(c"Named.v"), gl::INVALID_INDEX);
    assert_eq!(index(c"inst.v"), gl::INVALID_INDEX);
    assert_ne!(index(c"w"), gl::INVALID_INDEX);
    assert_eq!(p.location("Named.v"), -1, "a block member has no location");
}
