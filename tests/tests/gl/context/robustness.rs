//! Robust contexts and what releasing one does: GL 4.6 core 2.3.2, 6.4, 18.2, 22.2 and KHR_context_flush_control.

use gallite_tests::draw::{
    Image, Target, buffer, expect_error, expect_no_error, gen_vertex_array, get_i32, program, require_extension, solid,
    vertex_attrib,
};
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use gallite_tests::{egl, gl};

gl_tests! {
    render core(3, 3): reads_stay_within_buffers, indices_stay_within_buffers;
    every core(3, 3): flags_of_contexts, sizes_are_checked;
}

/// Runs with a context of these attributes beside those of any core context.
fn with(env: &Env, attributes: &[i32], run: impl FnOnce()) {
    let mut list = vec![egl::CONTEXT_MAJOR_VERSION, 3, egl::CONTEXT_MINOR_VERSION, 3];
    list.extend_from_slice(attributes);
    list.push(egl::NONE);
    let context = egl::CreateContext(env.display, env.config, egl::NONE_HANDLE, list.as_ptr());
    assert!(!context.is_null(), "{:#x}", egl::GetError());
    env.make_current(context);
    run();
    env.make_current(env.context);
    assert_eq!(egl::DestroyContext(env.display, context), egl::TRUE);
}

/// EGL 1.5 table 3.2, EGL_KHR_context_flush_control.
const ROBUST: [i32; 2] = [0x31B2, 1];
const RELEASE_BEHAVIOR: i32 = 0x2097;

fn flags_of_contexts(env: &Env) {
    require_extension("GL_KHR_robustness");
    require_extension("GL_KHR_context_flush_control");
    let flag = gl::CONTEXT_FLAG_ROBUST_ACCESS_BIT as i32;
    assert_eq!(get_i32(gl::CONTEXT_FLAGS) & flag, 0);
    assert_eq!(get_i32(gl::CONTEXT_ROBUST_ACCESS), 0);
    assert_eq!(get_i32(gl::CONTEXT_RELEASE_BEHAVIOR) as u32, gl::CONTEXT_RELEASE_BEHAVIOR_FLUSH);
    assert_eq!(get_i32(gl::RESET_NOTIFICATION_STRATEGY) as u32, gl::NO_RESET_NOTIFICATION);
    with(env, &ROBUST, || {
        assert_eq!(get_i32(gl::CONTEXT_FLAGS) & flag, flag);
        assert_eq!(get_i32(gl::CONTEXT_ROBUST_ACCESS), 1);
        assert_eq!(gl::GetGraphicsResetStatus(), gl::NO_ERROR);
    });
    with(env, &[RELEASE_BEHAVIOR, 0], || {
        assert_eq!(get_i32(gl::CONTEXT_RELEASE_BEHAVIOR), gl::NONE as i32);
        expect_no_error("queries");
    });
}

/// 18.2.3 and 7.13: nothing is written beyond what the program says there is.
fn sizes_are_checked(_: &Env) {
    require_extension("GL_KHR_robustness");
    Target::new(4, 4);
    let mut pixels = [7_u8; 64];
    gl::ReadnPixels(0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, 63, pixels.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "too little room for pixels");
    assert_eq!(pixels, [7; 64]);
    gl::ReadnPixels(0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, 64, pixels.as_mut_ptr().cast());
    expect_no_error("room for pixels");
    let program = solid([1.0, 0.5, 0.25, 0.125]);
    let location = program.location("colour");
    let mut values = [7.0_f32; 4];
    gl::GetnUniformfv(program.0, location, 15, values.as_mut_ptr());
    expect_error(gl::INVALID_OPERATION, "too little room for a uniform");
    gl::GetnUniformfv(program.0, location, -1, values.as_mut_ptr());
    expect_error(gl::INVALID_VALUE, "a negative size");
    assert_eq!(values, [7.0; 4]);
    gl::GetnUniformfv(program.0, location, 16, values.as_mut_ptr());
    assert_eq!(values, [1.0, 0.5, 0.25, 0.125]);
}

/// 6.4: values from beyond a buffer's end are those of the buffer, or zero.
fn reads_stay_within_buffers(env: &Env) {
    require_extension("GL_ARB_robust_buffer_access_behavior");
    with(env, &ROBUST, || {
        let target = Target::new(4, 4);
        let fragment = "#version 330 core
layout(std140) uniform Block { vec4 values[200]; };
uniform int at;
out vec4 result;
void main() { result = values[at]; }
";
        let vertex = "#version 330 core
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 beyond;
void main() { gl_Position = position + vec4(beyond.xyz, 0.0); }
";
        let shader = program(vertex, fragment);
        // Buffers around it hold what must not be seen.
        let _before = buffer(gl::UNIFORM_BUFFER, &[1.0_f32; 64]);
        let room = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 16]);
        let _after: Vec<u32> = (0..8).map(|_| buffer(gl::UNIFORM_BUFFER, &[1.0_f32; 64])).collect();
        gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, room);
        gl::BindVertexArray(gen_vertex_array());
        buffer(gl::ARRAY_BUFFER, &[[-1.0_f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
        vertex_attrib(0, 2, 0, 0);
        buffer(gl::ARRAY_BUFFER, &[0.0_f32; 4]);
        gl::VertexAttribPointer(1, 3, gl::FLOAT, gl::FALSE, 16, std::ptr::null());
        gl::EnableVertexAttribArray(1);
        let _after = buffer(gl::ARRAY_BUFFER, &[5.0_f32; 64]);
        for at in [4, 9, 50, 199] {
            shader.set1i("at", at);
            gl::ClearColor(0.5, 0.5, 0.5, 0.5);
            gl::Clear(gl::COLOR_BUFFER_BIT);
            gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
            target.image().expect_all([0; 4]);
        }
        expect_no_error("draws");
    });
}

fn indices_stay_within_buffers(env: &Env) {
    require_extension("GL_ARB_robust_buffer_access_behavior");
    require_extension("GL_ARB_draw_indirect");
    with(env, &ROBUST, || {
        Target::new(4, 4);
        solid([1.0; 4]);
        gl::BindVertexArray(gen_vertex_array());
        // Four vertices that draw nothing, and four that cover everything.
        let corners = [[-1.0_f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
        buffer(gl::ARRAY_BUFFER, &[[[3.0_f32; 2]; 4], corners].concat());
        vertex_attrib(0, 2, 0, 0);
        let indices = buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u32; 4]);
        let _after: Vec<u32> = (0..8).map(|_| buffer(gl::COPY_WRITE_BUFFER, &[4_u32, 5, 6, 7])).collect();
        gl::BindBuffer(gl::ELEMENT_ARRAY_BUFFER, indices);
        buffer(gl::DRAW_INDIRECT_BUFFER, &[64_u32, 1, 0, 0, 0]);
        gl::DrawElements(gl::TRIANGLE_STRIP, 64, gl::UNSIGNED_INT, std::ptr::null());
        gl::DrawElementsIndirect(gl::TRIANGLE_STRIP, gl::UNSIGNED_INT, std::ptr::null());
        expect_no_error("draws");
        Image::read(0, 0, 4, 4).expect_all([0; 4]);
    });
}
