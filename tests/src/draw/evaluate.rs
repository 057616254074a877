//! Running a program for one value: the fragment output of a single pixel, or captured vertices.

use super::{Program, Target, get_i32, quad};
use crate::gl;

/// Reads a rectangle of the read framebuffer in any format; `components` values per pixel.
#[track_caller]
pub fn read_pixels<T: Copy + Default>(rect: [i32; 4], format: u32, kind: u32, components: usize) -> Vec<T> {
    let [x, y, width, height] = rect;
    let mut values = vec![T::default(); (width * height) as usize * components];
    gl::ReadPixels(x, y, width, height, format, kind, values.as_mut_ptr().cast());
    super::expect_no_error("glReadPixels");
    values
}

fn on_one_pixel<T: Copy + Default>(internal: u32, format: u32, kind: u32, draw: impl FnOnce()) -> [T; 4] {
    let draw_before = get_i32(gl::DRAW_FRAMEBUFFER_BINDING) as u32;
    let read_before = get_i32(gl::READ_FRAMEBUFFER_BINDING) as u32;
    let viewport: [i32; 4] = super::get_i32s(gl::VIEWPORT);
    let target = Target::with_format(internal, 1, 1);
    draw();
    let values = read_pixels::<T>([0, 0, 1, 1], format, kind, 4);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, draw_before);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, read_before);
    gl::Viewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    target.delete();
    [values[0], values[1], values[2], values[3]]
}

/// The float output of one fragment of `program`, drawn as a full quad through attribute 0.
#[track_caller]
pub fn run_float(program: Program) -> [f32; 4] {
    program.bind();
    on_one_pixel(gl::RGBA32F, gl::RGBA, gl::FLOAT, quad)
}

/// The signed output of one fragment.
#[track_caller]
pub fn run_int(program: Program) -> [i32; 4] {
    program.bind();
    on_one_pixel(gl::RGBA32I, gl::RGBA_INTEGER, gl::INT, quad)
}

/// The unsigned output of one fragment.
#[track_caller]
pub fn run_uint(program: Program) -> [u32; 4] {
    program.bind();
    on_one_pixel(gl::RGBA32UI, gl::RGBA_INTEGER, gl::UNSIGNED_INT, quad)
}

/// Fails unless two float vectors agree within `tolerance`.
#[track_caller]
pub fn expect_near(got: &[f32], expected: &[f32], tolerance: f32) {
    let same = got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(same, "{got:?}, expected {expected:?}");
}

/// A program whose vertex shader writes the named outputs, which transform feedback captures.
#[track_caller]
pub fn capturing_program(vertex: &str, varyings: &[&str], mode: u32) -> Program {
    let stages = [(gl::VERTEX_SHADER, vertex)];
    let program = super::program_with(&stages, |program| set_varyings(program, varyings, mode));
    program.bind();
    program
}

/// `glTransformFeedbackVaryings` from Rust strings.
pub fn set_varyings(program: u32, varyings: &[&str], mode: u32) {
    let names: Vec<_> = varyings.iter().map(|v| std::ffi::CString::new(*v).unwrap_or_default()).collect();
    let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    gl::TransformFeedbackVaryings(program, pointers.len() as i32, pointers.as_ptr(), mode);
}

/// Captures what `draw` emits into one buffer of `count` values, unwritten ones staying `fill`.
#[track_caller]
pub fn capture<T: Copy>(primitive: u32, count: usize, fill: T, draw: impl FnOnce()) -> Vec<T> {
    // Without a surface there is no default framebuffer, and drawing needs a complete one.
    if get_i32(gl::DRAW_FRAMEBUFFER_BINDING) == 0 {
        Target::new(4, 4);
    }
    let values = vec![fill; count];
    let output = super::buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &values);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, output);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(primitive);
    draw();
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    super::expect_no_error("transform feedback");
    let captured = buffer_contents(gl::TRANSFORM_FEEDBACK_BUFFER, 0, count, fill);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl::DeleteBuffers(1, &output);
    captured
}

/// `glGetBufferSubData` into a vector; `offset` in bytes.
#[track_caller]
pub fn buffer_contents<T: Copy>(target: u32, offset: usize, count: usize, fill: T) -> Vec<T> {
    let mut values = vec![fill; count];
    let size = size_of_val(values.as_slice()) as isize;
    gl::GetBufferSubData(target, offset as isize, size, values.as_mut_ptr().cast());
    super::expect_no_error("glGetBufferSubData");
    values
}
