//! What most tests need: programs, buffers, textures, framebuffers and images to compare.

mod evaluate;
mod image;
mod objects;
mod program;

pub use evaluate::{
    buffer_contents, capture, capturing_program, expect_near, read_pixels, run_float, run_int, run_uint, set_varyings,
};
pub use image::{Image, Rgba, near};
pub use objects::{
    Target, buffer, buffer_data, depth_stencil_target, framebuffer_status, gen_buffer, gen_framebuffer, gen_pipeline,
    gen_query, gen_renderbuffer, gen_sampler, gen_texture, gen_vertex_array, quad, rect, tex_parameter, texture_2d,
    vertex_attrib,
};
pub use program::{
    Program, SOLID_FS, SOLID_VS, compile, compile_log, link, program, program_with, shader_status, solid,
    solid_at_depth, try_program, uniform,
};

use crate::gl;
use std::ffi::{CStr, c_char};

/// `glGetString`; empty when GL returned null.
pub fn get_string(name: u32) -> String {
    let text = gl::GetString(name);
    if text.is_null() {
        return String::new();
    }
    // SAFETY: GL 3.3 core 6.1.5: the result is a zero-terminated static string.
    unsafe { CStr::from_ptr(text.cast::<c_char>()) }.to_string_lossy().into_owned()
}

/// `glGetIntegerv` of one value.
#[track_caller]
pub fn get_i32(name: u32) -> i32 {
    let mut value = [i32::MIN; 16];
    gl::GetIntegerv(name, value.as_mut_ptr());
    value[0]
}

/// `glGetIntegerv` of several values.
#[track_caller]
pub fn get_i32s<const N: usize>(name: u32) -> [i32; N] {
    let mut value = [i32::MIN; N];
    gl::GetIntegerv(name, value.as_mut_ptr());
    value
}

/// `glGetFloatv` of several values.
#[track_caller]
pub fn get_f32s<const N: usize>(name: u32) -> [f32; N] {
    let mut value = [f32::NAN; N];
    gl::GetFloatv(name, value.as_mut_ptr());
    value
}

/// `glGetBooleanv` of several values.
#[track_caller]
pub fn get_bools<const N: usize>(name: u32) -> [u8; N] {
    let mut value = [77_u8; N];
    gl::GetBooleanv(name, value.as_mut_ptr());
    value
}

/// `glGetInteger64v` of one value.
#[track_caller]
pub fn get_i64(name: u32) -> i64 {
    let mut value = [i64::MIN; 4];
    gl::GetInteger64v(name, value.as_mut_ptr());
    value[0]
}

/// Fails unless the recorded error is `expected`, and that was the only one.
#[track_caller]
pub fn expect_error(expected: u32, what: &str) {
    let error = gl::GetError();
    assert_eq!(error, expected, "{what}: error {error:#x}, expected {expected:#x}");
    let second = gl::GetError();
    assert_eq!(second, gl::NO_ERROR, "{what}: a second error {second:#x}");
}

/// Fails when an error is recorded.
#[track_caller]
pub fn expect_no_error(what: &str) {
    let error = gl::GetError();
    assert_eq!(error, gl::NO_ERROR, "{what}: error {error:#x}");
}

/// The texts of the debug messages that wait.
pub fn debug_messages() -> Vec<String> {
    let mut texts = Vec::new();
    let mut text = [0_u8; 4096];
    let none = std::ptr::null_mut::<u32>;
    loop {
        let mut length = 0;
        let (size, lengths, log) = (text.len() as i32, &mut length, text.as_mut_ptr().cast());
        if gl::GetDebugMessageLog(1, size, none(), none(), none(), none(), lengths, log) == 0 {
            return texts;
        }
        texts.push(String::from_utf8_lossy(&text[..length as usize]).into_owned());
    }
}

/// Whether the context advertises this extension.
pub fn has_extension(name: &str) -> bool {
    (0..get_i32(gl::NUM_EXTENSIONS)).any(|at| {
        let text = gl::GetStringi(gl::EXTENSIONS, at as u32);
        // SAFETY: GL 3.3 core 6.1.5: the result is a zero-terminated static string.
        !text.is_null() && unsafe { CStr::from_ptr(text.cast::<c_char>()) }.to_bytes() == name.as_bytes()
    })
}

/// Skips the test unless the context advertises this extension.
pub fn require_extension(name: &str) {
    if !has_extension(name) {
        crate::harness::skip(&format!("no {name}"));
    }
}

/// Context version times ten: 33, 46.
pub fn version() -> i32 {
    get_i32(gl::MAJOR_VERSION) * 10 + get_i32(gl::MINOR_VERSION)
}
