//! Mapping buffers: GL 3.3 core 2.9.2 and 2.9.3.

use gallite_tests::draw::{
    Target, buffer, buffer_contents, buffer_data, expect_error, gen_buffer, gen_vertex_array, require_extension, solid,
    vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::c_void;

gl_tests! {
    render core(3, 3): write_whole, write_range, read_range, invalidate_range_keeps_the_rest,
        flush_explicit, unsynchronized_ring, map_write_between_draws, map_read_sees_gpu_copy,
        case_35_flush_offset_is_relative, persistent_coherent_write;
    every core(3, 3): parameters_while_mapped, errors, mapped_buffer_rejects_commands,
        respecify_unmaps, delete_unmaps;
}

fn as_slice<'a>(pointer: *mut c_void, size: usize) -> &'a mut [u8] {
    assert!(!pointer.is_null(), "map: error {:#x}", gl::GetError());
    // SAFETY: GL 3.3 core 2.9.3: the mapping is valid for `size` bytes until it is unmapped.
    unsafe { std::slice::from_raw_parts_mut(pointer.cast(), size) }
}

const TARGET: u32 = gl::ARRAY_BUFFER;

fn map(offset: isize, size: isize, access: u32) -> &'static mut [u8] {
    as_slice(gl::MapBufferRange(TARGET, offset, size, access), size as usize)
}

#[track_caller]
fn unmap() {
    assert_eq!(gl::UnmapBuffer(TARGET), gl::TRUE);
}

fn numbers() -> Vec<u8> {
    (0..64).collect()
}

fn write_whole(_: &Env) {
    buffer(TARGET, &[0_u8; 64]);
    as_slice(gl::MapBuffer(TARGET, gl::WRITE_ONLY), 64).copy_from_slice(&numbers());
    unmap();
    assert_eq!(buffer_contents(TARGET, 0, 64, 0_u8), numbers());
    let whole = as_slice(gl::MapBuffer(TARGET, gl::READ_WRITE), 64);
    assert_eq!(whole, numbers());
    whole[5] = 200;
    unmap();
    assert_eq!(buffer_contents(TARGET, 5, 1, 0_u8), [200]);
}

fn write_range(_: &Env) {
    buffer(TARGET, &numbers());
    map(7, 3, gl::MAP_WRITE_BIT).copy_from_slice(&[91, 92, 93]);
    unmap();
    assert_eq!(buffer_contents(TARGET, 6, 5, 0_u8), [6, 91, 92, 93, 10]);
}

fn read_range(_: &Env) {
    buffer(TARGET, &numbers());
    assert_eq!(map(9, 4, gl::MAP_READ_BIT), [9, 10, 11, 12]);
    unmap();
}

/// Invalidating a range leaves what is outside of it.
fn invalidate_range_keeps_the_rest(_: &Env) {
    buffer(TARGET, &numbers());
    map(16, 16, gl::MAP_WRITE_BIT | gl::MAP_INVALIDATE_RANGE_BIT).fill(7);
    unmap();
    let mut expected = numbers();
    expected[16..32].fill(7);
    assert_eq!(buffer_contents(TARGET, 0, 64, 0_u8), expected);
    map(0, 64, gl::MAP_WRITE_BIT | gl::MAP_INVALIDATE_BUFFER_BIT).fill(9);
    unmap();
    assert_eq!(buffer_contents(TARGET, 0, 64, 0_u8), [9; 64]);
}

/// With explicit flushes only flushed ranges have to arrive.
fn flush_explicit(_: &Env) {
    buffer(TARGET, &numbers());
    let access = gl::MAP_WRITE_BIT | gl::MAP_FLUSH_EXPLICIT_BIT;
    let mapped = map(8, 32, access);
    mapped[4..8].copy_from_slice(&[1, 2, 3, 4]);
    gl::FlushMappedBufferRange(TARGET, 4, 4);
    mapped[20..22].copy_from_slice(&[5, 6]);
    gl::FlushMappedBufferRange(TARGET, 20, 2);
    unmap();
    assert_eq!(buffer_contents(TARGET, 12, 4, 0_u8), [1, 2, 3, 4]);
    assert_eq!(buffer_contents(TARGET, 28, 2, 0_u8), [5, 6]);
    assert_eq!(buffer_contents(TARGET, 0, 8, 0_u8), numbers()[..8]);
}

const RED: [u8; 4] = [255, 0, 0, 255];

fn column(i: usize) -> [u8; 32] {
    let x0 = i as f32 / 4.0 - 1.0;
    let x1 = x0 + 0.25;
    let mut bytes = [0; 32];
    for (at, value) in [x0, -1.0, x1, -1.0, x0, 1.0, x1, 1.0].into_iter().enumerate() {
        bytes[at * 4..at * 4 + 4].copy_from_slice(&value.to_ne_bytes());
    }
    bytes
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

/// The usual streaming pattern: unsynchronised writes to fresh parts of one buffer.
fn unsynchronized_ring(_: &Env) {
    let target = column_target();
    buffer(TARGET, &[0_u8; 32 * 8]);
    vertex_attrib(0, 2, 0, 0);
    for i in 0..8 {
        let access = gl::MAP_WRITE_BIT | gl::MAP_UNSYNCHRONIZED_BIT | gl::MAP_INVALIDATE_RANGE_BIT;
        map(32 * i as isize, 32, access).copy_from_slice(&column(i));
        unmap();
        if i % 3 != 0 {
            gl::DrawArrays(gl::TRIANGLE_STRIP, 4 * i as i32, 4);
        }
    }
    expect_columns(&target, &[1, 2, 4, 5, 7]);
}

/// A synchronised map must not change what an earlier draw reads.
fn map_write_between_draws(_: &Env) {
    let target = column_target();
    buffer(TARGET, &column(1));
    vertex_attrib(0, 2, 0, 0);
    for (i, access) in [
        (3, gl::MAP_WRITE_BIT),
        (5, gl::MAP_WRITE_BIT | gl::MAP_INVALIDATE_BUFFER_BIT),
        (7, gl::MAP_WRITE_BIT | gl::MAP_INVALIDATE_RANGE_BIT),
    ] {
        gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        map(0, 32, access).copy_from_slice(&column(i));
        unmap();
    }
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    expect_columns(&target, &[1, 3, 5, 7]);
}

/// A map for reading waits for the work that writes the buffer.
fn map_read_sees_gpu_copy(_: &Env) {
    buffer(gl::COPY_READ_BUFFER, &numbers());
    buffer(TARGET, &[0_u8; 64]);
    gl::CopyBufferSubData(gl::COPY_READ_BUFFER, TARGET, 0, 0, 64);
    assert_eq!(map(0, 64, gl::MAP_READ_BIT), numbers());
    unmap();
}

fn storage(size: isize, flags: u32) {
    require_extension("GL_ARB_buffer_storage");
    gl::BindBuffer(TARGET, gen_buffer());
    let data = vec![0_u8; size as usize];
    gl::BufferStorage(TARGET, size, data.as_ptr().cast(), flags);
}

/// Case 35: the offset of a flush counts from the start of the mapping, not of the buffer.
fn case_35_flush_offset_is_relative(_: &Env) {
    let flags = gl::MAP_WRITE_BIT | gl::MAP_READ_BIT | gl::MAP_PERSISTENT_BIT;
    storage(64, flags);
    let access = gl::MAP_WRITE_BIT | gl::MAP_PERSISTENT_BIT | gl::MAP_FLUSH_EXPLICIT_BIT;
    let mapped = map(32, 32, access);
    mapped[8..12].copy_from_slice(&[1, 2, 3, 4]);
    gl::FlushMappedBufferRange(TARGET, 8, 4);
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, gen_buffer());
    buffer_data(gl::COPY_WRITE_BUFFER, &[9_u8; 64], gl::STATIC_READ);
    gl::CopyBufferSubData(TARGET, gl::COPY_WRITE_BUFFER, 0, 0, 64);
    let seen = buffer_contents(gl::COPY_WRITE_BUFFER, 0, 64, 0_u8);
    assert_eq!(seen[40..44], [1, 2, 3, 4]);
    assert_eq!(seen[8..12], [0; 4]);
    gl::FlushMappedBufferRange(TARGET, 30, 4);
    expect_error(gl::INVALID_VALUE, "beyond the mapping");
    unmap();
}

fn persistent_coherent_write(_: &Env) {
    let flags = gl::MAP_WRITE_BIT | gl::MAP_PERSISTENT_BIT | gl::MAP_COHERENT_BIT;
    storage(32 * 8, flags);
    let target = column_target();
    vertex_attrib(0, 2, 0, 0);
    let mapped = map(0, 32 * 8, flags);
    for i in [0, 3, 6] {
        mapped[32 * i..32 * i + 32].copy_from_slice(&column(i));
        gl::DrawArrays(gl::TRIANGLE_STRIP, 4 * i as i32, 4);
    }
    expect_columns(&target, &[0, 3, 6]);
    unmap();
}

fn parameters_while_mapped(_: &Env) {
    buffer(TARGET, &numbers());
    let get = |name| {
        let mut value = -1;
        gl::GetBufferParameteriv(TARGET, name, &mut value);
        value
    };
    let access = gl::MAP_WRITE_BIT | gl::MAP_INVALIDATE_RANGE_BIT;
    let address = map(8, 16, access).as_mut_ptr();
    assert_eq!(get(gl::BUFFER_MAPPED), 1);
    assert_eq!(get(gl::BUFFER_MAP_OFFSET), 8);
    assert_eq!(get(gl::BUFFER_MAP_LENGTH), 16);
    assert_eq!(get(gl::BUFFER_ACCESS_FLAGS), access as i32);
    assert_eq!(get(gl::BUFFER_ACCESS), gl::WRITE_ONLY as i32);
    let mut pointer = std::ptr::null_mut();
    gl::GetBufferPointerv(TARGET, gl::BUFFER_MAP_POINTER, &mut pointer);
    assert_eq!(pointer, address.cast());
    unmap();
    assert_eq!(get(gl::BUFFER_MAPPED), 0);
    gl::GetBufferPointerv(TARGET, gl::BUFFER_MAP_POINTER, &mut pointer);
    assert!(pointer.is_null());
}

fn errors(_: &Env) {
    buffer(TARGET, &numbers());
    let write = gl::MAP_WRITE_BIT;
    for (code, what, offset, size, access) in [
        (gl::INVALID_VALUE, "negative offset", -1, 4, write),
        (gl::INVALID_VALUE, "negative size", 0, -4, write),
        (gl::INVALID_VALUE, "beyond the end", 60, 5, write),
        (gl::INVALID_VALUE, "unknown bit", 0, 4, write | 1 << 20),
        (gl::INVALID_OPERATION, "neither read nor write", 0, 4, gl::MAP_UNSYNCHRONIZED_BIT),
        (gl::INVALID_OPERATION, "read and invalidate", 0, 4, gl::MAP_READ_BIT | gl::MAP_INVALIDATE_RANGE_BIT),
        (gl::INVALID_OPERATION, "read unsynchronised", 0, 4, gl::MAP_READ_BIT | gl::MAP_UNSYNCHRONIZED_BIT),
        (gl::INVALID_OPERATION, "flush without write", 0, 4, gl::MAP_READ_BIT | gl::MAP_FLUSH_EXPLICIT_BIT),
    ] {
        assert!(gl::MapBufferRange(TARGET, offset, size, access).is_null(), "{what}");
        expect_error(code, what);
    }
    assert!(gl::MapBuffer(TARGET, gl::RGBA).is_null());
    expect_error(gl::INVALID_ENUM, "access");
    assert_eq!(gl::UnmapBuffer(TARGET), gl::FALSE);
    expect_error(gl::INVALID_OPERATION, "unmap of an unmapped buffer");
    gl::FlushMappedBufferRange(TARGET, 0, 4);
    expect_error(gl::INVALID_OPERATION, "flush of an unmapped buffer");
    map(0, 16, write);
    gl::FlushMappedBufferRange(TARGET, 0, 4);
    expect_error(gl::INVALID_OPERATION, "flush without the explicit bit");
    assert!(gl::MapBufferRange(TARGET, 0, 4, write).is_null());
    expect_error(gl::INVALID_OPERATION, "mapped twice");
    unmap();
    gl::BindBuffer(TARGET, 0);
    assert!(gl::MapBufferRange(TARGET, 0, 4, write).is_null());
    expect_error(gl::INVALID_OPERATION, "no buffer");
}

fn mapped_buffer_rejects_commands(_: &Env) {
    let name = buffer(TARGET, &numbers());
    buffer(gl::COPY_WRITE_BUFFER, &numbers());
    map(0, 16, gl::MAP_WRITE_BIT);
    gl::BufferSubData(TARGET, 0, 1, [1_u8].as_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "write");
    gl::GetBufferSubData(TARGET, 0, 1, [0_u8].as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "read");
    gl::CopyBufferSubData(TARGET, gl::COPY_WRITE_BUFFER, 0, 0, 4);
    expect_error(gl::INVALID_OPERATION, "copy from");
    gl::CopyBufferSubData(gl::COPY_WRITE_BUFFER, TARGET, 0, 0, 4);
    expect_error(gl::INVALID_OPERATION, "copy to");
    gl::BindBuffer(TARGET, 0);
    gl::BindBuffer(TARGET, name);
    unmap();
}

/// 2.9.1: BufferData on a mapped buffer unmaps it first.
fn respecify_unmaps(_: &Env) {
    buffer(TARGET, &numbers());
    map(0, 16, gl::MAP_WRITE_BIT);
    buffer_data(TARGET, &[1_u8; 8], gl::STATIC_DRAW);
    let mut mapped = -1;
    gl::GetBufferParameteriv(TARGET, gl::BUFFER_MAPPED, &mut mapped);
    assert_eq!(mapped, 0);
}

fn delete_unmaps(_: &Env) {
    let name = buffer(TARGET, &numbers());
    map(0, 16, gl::MAP_WRITE_BIT);
    gl::DeleteBuffers(1, &name);
    assert_eq!(gl::IsBuffer(name), gl::FALSE);
}
