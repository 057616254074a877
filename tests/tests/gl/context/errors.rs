//! The error model: GL 3.3 core 2.5, and what a failed command leaves behind.

use gallite_tests::draw::{
    Target, buffer, buffer_contents, expect_error, expect_no_error, gen_buffer, gen_vertex_array, get_i32, get_i32s,
    quad, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): the_first_error_stays, a_failed_command_changes_nothing, draws_in_a_wrong_state, incomplete_framebuffers,
        legacy_commands_are_not_there, huge_and_overflowing_ranges, running_out_of_memory_is_an_error;
}

/// 2.5: one flag; it is cleared by being read.
fn the_first_error_stays(_: &Env) {
    gl::Enable(gl::TEXTURE_2D);
    gl::Viewport(0, 0, -1, -1);
    gl::BindTexture(gl::TEXTURE_2D, 77_777);
    expect_error(gl::INVALID_ENUM, "the first");
    gl::Viewport(0, 0, -1, -1);
    expect_error(gl::INVALID_VALUE, "after reading");
}

fn a_failed_command_changes_nothing(_: &Env) {
    let name = buffer(gl::ARRAY_BUFFER, &[1_u8, 2, 3, 4]);
    let before: [i32; 4] = get_i32s(gl::VIEWPORT);
    let failing: &[(u32, &dyn Fn())] = &[
        (gl::INVALID_VALUE, &|| gl::Viewport(9, 9, -1, 9)),
        (gl::INVALID_ENUM, &|| gl::BindBuffer(gl::TEXTURE_2D, 0)),
        (gl::INVALID_OPERATION, &|| gl::BindBuffer(gl::ARRAY_BUFFER, 77_777)),
        (gl::INVALID_VALUE, &|| gl::BufferData(gl::ARRAY_BUFFER, -1, std::ptr::null(), gl::STATIC_DRAW)),
        (gl::INVALID_ENUM, &|| gl::BufferData(gl::ARRAY_BUFFER, 8, std::ptr::null(), gl::ARRAY_BUFFER)),
        (gl::INVALID_VALUE, &|| gl::BufferSubData(gl::ARRAY_BUFFER, 3, 2, [9_u8; 2].as_ptr().cast())),
        (gl::INVALID_VALUE, &|| gl::BufferSubData(gl::ARRAY_BUFFER, -1, 2, [9_u8; 2].as_ptr().cast())),
        (gl::INVALID_OPERATION, &|| {
            gl::UnmapBuffer(gl::ARRAY_BUFFER);
        }),
        (gl::INVALID_VALUE, &|| gl::PixelStorei(gl::UNPACK_ALIGNMENT, 3)),
        (gl::INVALID_VALUE, &|| gl::PixelStorei(gl::PACK_ROW_LENGTH, -1)),
        (gl::INVALID_ENUM, &|| gl::PixelStorei(gl::ARRAY_BUFFER, 1)),
        (gl::INVALID_ENUM, &|| gl::Hint(gl::TEXTURE_2D, gl::NICEST)),
        (gl::INVALID_ENUM, &|| gl::Hint(gl::LINE_SMOOTH_HINT, gl::FILL)),
        (gl::INVALID_ENUM, &|| gl::ClampColor(gl::TEXTURE_2D, gl::TRUE.into())),
        (gl::INVALID_VALUE, &|| gl::SampleMaski(9, 0)),
        (gl::INVALID_VALUE, &|| gl::VertexAttribDivisor(99, 1)),
        (gl::INVALID_VALUE, &|| gl::VertexAttrib4f(99, 0.0, 0.0, 0.0, 0.0)),
        (gl::INVALID_VALUE, &|| gl::Clear(0x1)),
        (gl::INVALID_VALUE, &|| gl::ClearBufferfv(gl::COLOR, 99, [0.0_f32; 4].as_ptr())),
        (gl::INVALID_ENUM, &|| gl::ClearBufferfv(gl::STENCIL, 0, [0.0_f32; 4].as_ptr())),
        (gl::INVALID_ENUM, &|| gl::ClearBufferfi(gl::DEPTH, 0, 0.0, 0)),
        (gl::INVALID_OPERATION, &|| gl::Uniform1f(0, 1.0)),
    ];
    for (at, (error, command)) in failing.iter().enumerate() {
        command();
        expect_error(*error, &format!("command {at}"));
    }
    assert_eq!(get_i32s(gl::VIEWPORT), before);
    assert_eq!(get_i32(gl::ARRAY_BUFFER_BINDING) as u32, name);
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 0, 4, 0_u8), [1, 2, 3, 4]);
    assert_eq!((get_i32(gl::UNPACK_ALIGNMENT), get_i32(gl::PACK_ROW_LENGTH)), (4, 0));
}

fn draws_in_a_wrong_state(_: &Env) {
    Target::new(4, 4);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    gl::DrawArrays(gl::QUADS, 0, 4);
    expect_error(gl::INVALID_ENUM, "quads are gone from the core profile");
    gl::DrawArrays(gl::TRIANGLES, -1, 3);
    expect_error(gl::INVALID_VALUE, "negative first");
    gl::DrawArrays(gl::TRIANGLES, 0, -3);
    expect_error(gl::INVALID_VALUE, "negative count");
    gl::DrawArraysInstanced(gl::TRIANGLES, 0, 3, -1);
    expect_error(gl::INVALID_VALUE, "negative instances");
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u32; 4]);
    gl::DrawElements(gl::TRIANGLES, 3, gl::FLOAT, std::ptr::null());
    expect_error(gl::INVALID_ENUM, "type of the indices");
    gl::DrawRangeElements(gl::TRIANGLES, 3, 1, 3, gl::UNSIGNED_INT, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "end before start");
    let vertices = buffer(gl::ARRAY_BUFFER, &[0.0_f32; 12]);
    gallite_tests::draw::vertex_attrib(0, 4, 0, 0);
    gl::MapBufferRange(gl::ARRAY_BUFFER, 0, 16, gl::MAP_WRITE_BIT);
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    expect_error(gl::INVALID_OPERATION, "a mapped vertex buffer");
    gl::UnmapBuffer(gl::ARRAY_BUFFER);
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    expect_no_error("unmapped again");
    gl::DeleteBuffers(1, &vertices);
}

/// 4.4.4: whatever uses an incomplete framebuffer fails.
fn incomplete_framebuffers(_: &Env) {
    solid([1.0; 4]);
    gl::BindFramebuffer(gl::FRAMEBUFFER, gallite_tests::draw::gen_framebuffer());
    let error = gl::INVALID_FRAMEBUFFER_OPERATION;
    assert_eq!(gl::CheckFramebufferStatus(gl::FRAMEBUFFER), gl::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    quad();
    expect_error(error, "draw");
    gl::Clear(gl::COLOR_BUFFER_BIT);
    expect_error(error, "clear");
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, [0_u8; 4].as_mut_ptr().cast());
    expect_error(error, "read");
    gl::BlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    expect_error(error, "blit");
    gl::CheckFramebufferStatus(gl::TEXTURE_2D);
    expect_error(gl::INVALID_ENUM, "target");
}

/// E.2.2: what the core profile removed raises INVALID_OPERATION, or has no address at all.
fn legacy_commands_are_not_there(_: &Env) {
    for name in ["glBegin", "glPushMatrix", "glNewList", "glAccum", "glRasterPos2i", "glLoadIdentity"] {
        let address = gallite_tests::egl::get_proc_address(name);
        if address.is_null() {
            continue;
        }
        // SAFETY: on this platform's C convention a function may be given more arguments than it takes; none is a pointer.
        let command: extern "C" fn(usize, usize) = unsafe { std::mem::transmute(address) };
        command(4, 4);
        expect_error(gl::INVALID_OPERATION, name);
    }
}

fn huge_and_overflowing_ranges(_: &Env) {
    buffer(gl::ARRAY_BUFFER, &[0_u8; 64]);
    let most = isize::MAX;
    gl::BufferSubData(gl::ARRAY_BUFFER, most, most, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "offset and size overflow");
    gl::GetBufferSubData(gl::ARRAY_BUFFER, 1, most, std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "offset and size overflow");
    assert!(gl::MapBufferRange(gl::ARRAY_BUFFER, most, most, gl::MAP_READ_BIT).is_null());
    expect_error(gl::INVALID_VALUE, "offset and length overflow");
    gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, gen_buffer(), most & !0xff, most);
    let _ = gl::GetError();
    gl::TexImage3D(
        gl::TEXTURE_3D,
        0,
        gl::RGBA8,
        i32::MAX,
        i32::MAX,
        i32::MAX,
        0,
        gl::RGBA,
        gl::UNSIGNED_BYTE,
        std::ptr::null(),
    );
    expect_error(gl::INVALID_VALUE, "larger than the limit");
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::RGBA8, i32::MAX, 1);
    assert_ne!(gl::GetError(), gl::NO_ERROR);
}

fn running_out_of_memory_is_an_error(_: &Env) {
    gl::BindBuffer(gl::ARRAY_BUFFER, gen_buffer());
    gl::BufferData(gl::ARRAY_BUFFER, 1 << 60, std::ptr::null(), gl::STATIC_DRAW);
    expect_error(gl::OUT_OF_MEMORY, "2^60 bytes");
    gl::BufferData(gl::ARRAY_BUFFER, 64, [3_u8; 64].as_ptr().cast(), gl::STATIC_DRAW);
    expect_no_error("a buffer that fits, afterwards");
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 60, 4, 0_u8), [3; 4]);
}
