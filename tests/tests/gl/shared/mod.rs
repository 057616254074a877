//! What shaders share with buffers and images: compute shaders, shader storage blocks, images, atomic counters
//! (GL 4.6 core 7.7, 7.8, 8.26 and 19).

pub mod compute;
pub mod counters;
pub mod group_sizes;
pub mod images;
pub mod storage;

use gallite_tests::draw::{Program, buffer, buffer_contents, expect_no_error, program_with};
use gallite_tests::gl;

/// The first lines of every shader here.
pub const HEAD: &str = "#version 330 core
#extension GL_ARB_compute_shader : enable
#extension GL_ARB_shader_storage_buffer_object : enable
#extension GL_ARB_shader_image_load_store : enable
#extension GL_ARB_shader_image_size : enable
#extension GL_ARB_shader_atomic_counters : enable
#extension GL_ARB_shader_atomic_counter_ops : enable
#extension GL_ARB_shading_language_420pack : enable
";

/// A compute program of this text, made current.
#[track_caller]
pub fn compute(text: &str) -> Program {
    let program = program_with(&[(gl::COMPUTE_SHADER, &format!("{HEAD}{text}"))], |_| {});
    program.bind();
    program
}

/// A storage buffer of these values, bound to an indexed point.
#[track_caller]
pub fn storage<T: Copy>(point: u32, data: &[T]) -> u32 {
    let name = buffer(gl::SHADER_STORAGE_BUFFER, data);
    gl::BindBufferBase(gl::SHADER_STORAGE_BUFFER, point, name);
    name
}

/// The words of a buffer.
#[track_caller]
pub fn words(name: u32, count: usize) -> Vec<u32> {
    gl::BindBuffer(gl::SHADER_STORAGE_BUFFER, name);
    buffer_contents(gl::SHADER_STORAGE_BUFFER, 0, count, 0xdead_u32)
}

/// Runs the current program and orders what follows after it.
#[track_caller]
pub fn dispatch(x: u32, y: u32, z: u32) {
    gl::DispatchCompute(x, y, z);
    gl::MemoryBarrier(gl::ALL_BARRIER_BITS);
    expect_no_error("glDispatchCompute");
}
