//! Data of buffers: GL 3.3 core 2.9.1, 2.9.4 and 2.9.5, and what draws see of it.

use gallite_tests::draw::{
    Target, buffer, buffer_contents, buffer_data, expect_error, gen_buffer, gen_vertex_array, solid, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): data_and_sub_data_round_trip, every_target_keeps_bytes, copies, copy_within_one_buffer,
        update_between_draws, respecify_between_draws, many_updates_between_draws, copy_into_drawn_buffer,
        large_buffer, texture_buffer_format, orphaned_data_of_an_earlier_draw_survives;
    every core(3, 3): zero_size, parameters, errors, copy_errors;
}

const RED: [u8; 4] = [255, 0, 0, 255];

fn data_and_sub_data_round_trip(_: &Env) {
    let bytes: Vec<u8> = (0..=255).collect();
    buffer(gl::ARRAY_BUFFER, &bytes);
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 0, 256, 0_u8), bytes);
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 3, 5, 0_u8), [3, 4, 5, 6, 7]);
    gl::BufferSubData(gl::ARRAY_BUFFER, 5, 3, [100_u8, 101, 102].as_ptr().cast());
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 3, 7, 0_u8), [3, 4, 100, 101, 102, 8, 9]);
}

/// ARB_texture_buffer_object: the format of the texture bound to GL_TEXTURE_BUFFER.
fn texture_buffer_format(_: &Env) {
    use gallite_tests::draw::get_i32;
    const TEXTURE_BUFFER_FORMAT_ARB: u32 = 0x8C2E;
    assert_eq!(get_i32(TEXTURE_BUFFER_FORMAT_ARB), gl::R8 as i32);
    let store = buffer(gl::TEXTURE_BUFFER, &[0_u32; 4]);
    gl::BindTexture(gl::TEXTURE_BUFFER, gallite_tests::draw::gen_texture());
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::RGBA8, store);
    assert_eq!(get_i32(TEXTURE_BUFFER_FORMAT_ARB), gl::RGBA8 as i32);
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::RGBA32F, 0);
    assert_eq!(get_i32(TEXTURE_BUFFER_FORMAT_ARB), gl::RGBA32F as i32);
    gl::BindTexture(gl::TEXTURE_BUFFER, 0);
    assert_eq!(get_i32(TEXTURE_BUFFER_FORMAT_ARB), gl::R8 as i32);
}

fn every_target_keeps_bytes(_: &Env) {
    for target in [
        gl::ARRAY_BUFFER,
        gl::COPY_READ_BUFFER,
        gl::COPY_WRITE_BUFFER,
        gl::PIXEL_PACK_BUFFER,
        gl::PIXEL_UNPACK_BUFFER,
        gl::TEXTURE_BUFFER,
        gl::TRANSFORM_FEEDBACK_BUFFER,
        gl::UNIFORM_BUFFER,
    ] {
        for usage in [gl::STREAM_DRAW, gl::STATIC_READ, gl::DYNAMIC_COPY] {
            let name = gen_buffer();
            gl::BindBuffer(target, name);
            buffer_data(target, &[1_u32, 2, 3], usage);
            assert_eq!(buffer_contents(target, 4, 2, 0_u32), [2, 3], "{target:#x}");
            gl::DeleteBuffers(1, &name);
        }
    }
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[7_u16, 8]);
    assert_eq!(buffer_contents(gl::ELEMENT_ARRAY_BUFFER, 0, 2, 0_u16), [7, 8]);
}

fn copies(_: &Env) {
    buffer(gl::COPY_READ_BUFFER, &[1_u8, 2, 3, 4, 5, 6, 7, 8]);
    buffer(gl::COPY_WRITE_BUFFER, &[0_u8; 8]);
    gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER, 1, 3, 4);
    assert_eq!(buffer_contents(gl::COPY_WRITE_BUFFER, 0, 8, 0_u8), [0, 0, 0, 2, 3, 4, 5, 0]);
}

fn copy_within_one_buffer(_: &Env) {
    let name = buffer(gl::COPY_READ_BUFFER, &[1_u8, 2, 3, 4, 0, 0, 0, 0]);
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, name);
    gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER, 0, 4, 4);
    assert_eq!(buffer_contents(gl::COPY_READ_BUFFER, 0, 8, 0_u8), [1, 2, 3, 4, 1, 2, 3, 4]);
}

/// Column `i` of an 8x8 image as a strip.
fn column(i: usize) -> [f32; 8] {
    let x0 = i as f32 / 4.0 - 1.0;
    let x1 = x0 + 0.25;
    [x0, -1.0, x1, -1.0, x0, 1.0, x1, 1.0]
}

fn column_target() -> Target {
    let target = Target::new(8, 8);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::BindVertexArray(gen_vertex_array());
    target
}

fn expect_columns(target: &Target, columns: &[i32]) {
    target.image().expect_each(|x, _| if columns.contains(&x) { RED } else { [0; 4] });
}

/// A write comes after the draws before it and before the draws after it.
fn update_between_draws(_: &Env) {
    let target = column_target();
    buffer(gl::ARRAY_BUFFER, &column(1));
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    gl::BufferSubData(gl::ARRAY_BUFFER, 0, 32, column(4).as_ptr().cast());
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    expect_columns(&target, &[1, 4]);
}

fn respecify_between_draws(_: &Env) {
    let target = column_target();
    buffer(gl::ARRAY_BUFFER, &column(2));
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    buffer_data(gl::ARRAY_BUFFER, &column(6), gl::STREAM_DRAW);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    // Larger storage of the same name: the attribute follows it.
    let mut long = vec![0.0_f32; 100_000];
    long[..8].copy_from_slice(&column(0));
    buffer_data(gl::ARRAY_BUFFER, &long, gl::STATIC_DRAW);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    expect_columns(&target, &[0, 2, 6]);
}

fn many_updates_between_draws(_: &Env) {
    let target = column_target();
    buffer(gl::ARRAY_BUFFER, &column(0));
    vertex_attrib(0, 2, 0, 0);
    for round in 0..400 {
        gl::BufferSubData(gl::ARRAY_BUFFER, 0, 32, column(round % 7).as_ptr().cast());
        if round >= 393 && round % 2 == 0 {
            gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        }
    }
    // Rounds 394, 396 and 398: columns 2, 4 and 6.
    expect_columns(&target, &[2, 4, 6]);
}

fn copy_into_drawn_buffer(_: &Env) {
    let target = column_target();
    buffer(gl::COPY_READ_BUFFER, &column(5));
    buffer(gl::ARRAY_BUFFER, &column(3));
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::ARRAY_BUFFER, 0, 0, 32);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    expect_columns(&target, &[3, 5]);
}

fn large_buffer(_: &Env) {
    let data: Vec<u32> = (0..4 << 20).collect();
    buffer(gl::COPY_READ_BUFFER, &data);
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, gen_buffer());
    let size = size_of_val(data.as_slice()) as isize;
    gl::BufferData(gl::COPY_WRITE_BUFFER, size, std::ptr::null(), gl::STATIC_COPY);
    gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER, 0, 0, size);
    assert!(buffer_contents(gl::COPY_WRITE_BUFFER, 0, data.len(), 0) == data);
}

/// Respecifying and deleting while draws are pending must not take their vertices away.
fn orphaned_data_of_an_earlier_draw_survives(_: &Env) {
    let target = column_target();
    for i in 0..8 {
        let name = buffer(gl::ARRAY_BUFFER, &column(i));
        vertex_attrib(0, 2, 0, 0);
        if i % 2 == 0 {
            gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        }
        buffer_data(gl::ARRAY_BUFFER, &[0.0_f32; 8], gl::STREAM_DRAW);
        gl::DeleteBuffers(1, &name);
    }
    expect_columns(&target, &[0, 2, 4, 6]);
}

fn zero_size(_: &Env) {
    gl::BindBuffer(gl::ARRAY_BUFFER, gen_buffer());
    gl::BufferData(gl::ARRAY_BUFFER, 0, std::ptr::null(), gl::STATIC_DRAW);
    gl::BufferSubData(gl::ARRAY_BUFFER, 0, 0, std::ptr::null());
    let mut size = -1;
    gl::GetBufferParameteriv(gl::ARRAY_BUFFER, gl::BUFFER_SIZE, &mut size);
    assert_eq!(size, 0);
}

/// Table 2.6: size, usage, access, mapped.
fn parameters(_: &Env) {
    gl::BindBuffer(gl::ARRAY_BUFFER, gen_buffer());
    let get = |name| {
        let mut value = -1;
        gl::GetBufferParameteriv(gl::ARRAY_BUFFER, name, &mut value);
        value
    };
    assert_eq!(get(gl::BUFFER_SIZE), 0);
    assert_eq!(get(gl::BUFFER_USAGE), gl::STATIC_DRAW as i32);
    assert_eq!(get(gl::BUFFER_ACCESS), gl::READ_WRITE as i32);
    assert_eq!(get(gl::BUFFER_MAPPED), 0);
    buffer_data(gl::ARRAY_BUFFER, &[0_u8; 77], gl::DYNAMIC_READ);
    assert_eq!(get(gl::BUFFER_SIZE), 77);
    assert_eq!(get(gl::BUFFER_USAGE), gl::DYNAMIC_READ as i32);
    let mut wide = -1_i64;
    gl::GetBufferParameteri64v(gl::ARRAY_BUFFER, gl::BUFFER_SIZE, &mut wide);
    assert_eq!(wide, 77);
}

fn errors(_: &Env) {
    gl::BindBuffer(gl::ARRAY_BUFFER, 0);
    let null = std::ptr::null();
    gl::BufferData(gl::ARRAY_BUFFER, 4, null, gl::STATIC_DRAW);
    expect_error(gl::INVALID_OPERATION, "no buffer");
    gl::BindBuffer(gl::ARRAY_BUFFER, gen_buffer());
    buffer_data(gl::ARRAY_BUFFER, &[1_u8, 2, 3, 4], gl::STATIC_DRAW);
    gl::BufferData(gl::ARRAY_BUFFER, -1, null, gl::STATIC_DRAW);
    expect_error(gl::INVALID_VALUE, "negative size");
    gl::BufferData(gl::ARRAY_BUFFER, 8, null, gl::RGBA);
    expect_error(gl::INVALID_ENUM, "usage");
    gl::BufferData(gl::RGBA, 8, null, gl::STATIC_DRAW);
    expect_error(gl::INVALID_ENUM, "target");
    let bytes = [9_u8; 8];
    for (offset, size) in [(-1, 2), (0, -1), (2, 3), (5, 0)] {
        gl::BufferSubData(gl::ARRAY_BUFFER, offset, size, bytes.as_ptr().cast());
        expect_error(gl::INVALID_VALUE, "range of a write");
        let mut out = [0_u8; 8];
        gl::GetBufferSubData(gl::ARRAY_BUFFER, offset, size, out.as_mut_ptr().cast());
        expect_error(gl::INVALID_VALUE, "range of a read");
    }
    gl::GetBufferParameteriv(gl::ARRAY_BUFFER, gl::RGBA, &mut 0);
    expect_error(gl::INVALID_ENUM, "parameter");
    let mut size = 0;
    gl::GetBufferParameteriv(gl::ARRAY_BUFFER, gl::BUFFER_SIZE, &mut size);
    assert_eq!(size, 4, "failed commands changed the buffer");
}

fn copy_errors(_: &Env) {
    buffer(gl::COPY_READ_BUFFER, &[1_u8; 8]);
    let name = buffer(gl::COPY_WRITE_BUFFER, &[2_u8; 8]);
    let (read, write) = (gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER);
    for (from, to, size) in [(-1, 0, 1), (0, -1, 1), (0, 0, -1), (5, 0, 4), (0, 5, 4)] {
        gl::CopyBufferSubData(read, write, from, to, size);
        expect_error(gl::INVALID_VALUE, "range of a copy");
    }
    gl::BindBuffer(read, name);
    gl::CopyBufferSubData(read, write, 0, 2, 4);
    expect_error(gl::INVALID_VALUE, "overlap");
    gl::BindBuffer(read, 0);
    gl::CopyBufferSubData(read, write, 0, 0, 1);
    expect_error(gl::INVALID_OPERATION, "no source");
    gl::CopyBufferSubData(gl::RGBA, write, 0, 0, 1);
    expect_error(gl::INVALID_ENUM, "target");
}
