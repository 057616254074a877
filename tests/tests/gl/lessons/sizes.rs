//! Numbers that no implementation should believe, and what it must keep or give up as sizes change.

use gallite_tests::draw::{
    SOLID_VS, Target, buffer, buffer_contents, compile, expect_no_error, gen_buffer, gen_texture, gen_vertex_array,
    get_i32, link, program, quad, solid,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter, skip};

gl_tests! {
    render core(3, 3): a_buffer_texture_follows_its_buffer, feedback_into_a_buffer_without_storage,
        a_loop_of_two_billion_vertices, memory_that_runs_out_is_an_error,
        one_sample_is_multisampled;
    noop core(3, 3): buffer_textures_do_not_pile_up;
    every core(3, 3): a_capture_name_of_many_parts, a_small_level_makes_no_huge_texture,
        a_negative_buffer_size_is_not_unlimited;
}

/// Where the device lacks loops they are rewritten; the process goes on whatever the count.
fn a_loop_of_two_billion_vertices(_: &Env) {
    if counter("calls").is_none() {
        skip("it takes software minutes that draws them all");
    }
    let target = Target::new(2, 2);
    solid([0.0, 1.0, 0.0, 1.0]);
    gl::BindVertexArray(gen_vertex_array());
    gl::DrawArrays(gl::LINE_LOOP, 0, i32::MAX);
    assert_eq!(gl::GetError(), gl::OUT_OF_MEMORY);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
}

/// GL 4.6 core 2.3.1. One byte is lent; nothing may be written.
fn a_negative_buffer_size_is_not_unlimited(_: &Env) {
    Target::new(4, 4);
    let mut byte = 77_u8;
    gl::ReadnPixels(0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, -1, (&raw mut byte).cast());
    assert_eq!(gl::GetError(), gl::INVALID_VALUE);
    gl::ReadnPixels(0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, 1, (&raw mut byte).cast());
    assert_eq!(gl::GetError(), gl::INVALID_OPERATION);
    assert_eq!(byte, 77);
}

/// GL 3.3 core 2.17.1: it names no output, so the link fails; however deep, nothing recurses without an end.
fn a_capture_name_of_many_parts(_: &Env) {
    let p = gl::CreateProgram();
    gl::AttachShader(p, compile(gl::VERTEX_SHADER, SOLID_VS));
    for part in ["[0]", ".a"] {
        let name = std::ffi::CString::new(format!("v{}", part.repeat(60_000))).unwrap();
        gl::TransformFeedbackVaryings(p, 1, &name.as_ptr(), gl::INTERLEAVED_ATTRIBS);
        assert!(link(p).is_err());
    }
}

/// A level of 64³ may belong to a texture of 2048³, which would be 32 GiB: it is kept by itself until the base is known.
fn a_small_level_makes_no_huge_texture(_: &Env) {
    let texels: Vec<u32> = (0..64 * 64 * 64).collect();
    gl::BindTexture(gl::TEXTURE_3D, gen_texture());
    gl::TexImage3D(
        gl::TEXTURE_3D,
        5,
        gl::R32UI,
        64,
        64,
        64,
        0,
        gl::RED_INTEGER,
        gl::UNSIGNED_INT,
        texels.as_ptr().cast(),
    );
    expect_no_error("level 5");
    let mut back = vec![0_u32; texels.len()];
    gl::GetTexImage(gl::TEXTURE_3D, 5, gl::RED_INTEGER, gl::UNSIGNED_INT, back.as_mut_ptr().cast());
    expect_no_error("read back");
    assert!(back == texels);
}

/// GL 3.3 core 3.8.4: a multisample texture has at least the samples asked for. One of a single sample can't be read by
/// sampler2DMS on every device, which the validation layer knows.
fn one_sample_is_multisampled(_: &Env) {
    let source = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D_MULTISAMPLE, source);
    gl::TexImage2DMultisample(gl::TEXTURE_2D_MULTISAMPLE, 1, gl::RGBA8, 2, 2, gl::TRUE);
    let target = Target::new(2, 2);
    let mut framebuffer = 0;
    gl::GenFramebuffers(1, &mut framebuffer);
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    let (colour, kind) = (gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D_MULTISAMPLE);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, colour, kind, source, 0);
    gl::ClearColor(0.0, 1.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::BindFramebuffer(gl::FRAMEBUFFER, target.framebuffer);
    program(
        SOLID_VS,
        "#version 330 core\nuniform sampler2DMS s;\nout vec4 r;\nvoid main() { r = texelFetch(s, ivec2(1), 0); }\n",
    );
    quad();
    target.image().expect_all([0, 255, 0, 255]);
}

/// GL 3.3 core 2.5: a texture of many GiB is either there or an OUT_OF_MEMORY error, at the latest at the next question.
fn memory_that_runs_out_is_an_error(_: &Env) {
    let size = get_i32(gl::MAX_3D_TEXTURE_SIZE);
    gl::BindTexture(gl::TEXTURE_3D, gen_texture());
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::RGBA32F, size, size, size, 0, gl::RGBA, gl::FLOAT, std::ptr::null());
    let bytes = (size as u64).pow(3) * 16;
    if bytes > 1 << 36 {
        assert_eq!(gl::GetError(), gl::OUT_OF_MEMORY);
    }
}

const FETCH_FS: &str = "#version 330 core
uniform samplerBuffer texels;
out vec4 result;
void main() { result = texelFetch(texels, textureSize(texels) - 1); }
";

/// Attaches a buffer that is new each time, and draws its last texel.
fn attach_and_draw(buffer: u32, green: u8, texels: usize) {
    gl::BindBuffer(gl::TEXTURE_BUFFER, buffer);
    let data = vec![[0, green, 0, 255_u8]; texels];
    gl::BufferData(gl::TEXTURE_BUFFER, (4 * texels) as isize, data.as_ptr().cast(), gl::STREAM_DRAW);
    quad();
}

fn buffer_texture() -> u32 {
    program(SOLID_VS, FETCH_FS);
    let buffer = gen_buffer();
    gl::BindBuffer(gl::TEXTURE_BUFFER, buffer);
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::RGBA8, buffer);
    buffer
}

/// GL 3.3 core 3.8.5: the texels are those the buffer has now.
fn a_buffer_texture_follows_its_buffer(_: &Env) {
    let target = Target::new(2, 2);
    let buffer = buffer_texture();
    for step in 0..40_u8 {
        attach_and_draw(buffer, step, 16 + usize::from(step));
        target.image().expect_all([0, step, 0, 255]);
    }
}

fn buffer_textures_do_not_pile_up(_: &Env) {
    let Some(_) = counter("live_objects") else { skip("the counters are Gallite's") };
    Target::new(2, 2);
    let buffer = buffer_texture();
    attach_and_draw(buffer, 0, 16);
    let before = counter("live_objects");
    for step in 0..500 {
        attach_and_draw(buffer, 0, 17 + step);
    }
    expect_no_error("draws");
    let grown = counter("live_objects").unwrap() - before.unwrap();
    assert!(grown < 20, "{grown} objects more after 500 draws");
}

/// GL 3.3 core 2.17.2: nothing fits, so nothing is captured, anywhere.
fn feedback_into_a_buffer_without_storage(_: &Env) {
    Target::new(2, 2);
    let vertex = "#version 330 core\nout vec4 v;\nvoid main() { v = vec4(7.0); gl_Position = vec4(0.0); }\n";
    gallite_tests::draw::capturing_program(vertex, &["v"], gl::INTERLEAVED_ATTRIBS);
    let neighbours: Vec<u32> = (0..8).map(|_| buffer(gl::ARRAY_BUFFER, &[1.0_f32; 64])).collect();
    let (never, shrunk) = (gen_buffer(), buffer(gl::ARRAY_BUFFER, &[0.0_f32; 4096]));
    gl::BindVertexArray(gen_vertex_array());
    for (name, offset) in [(never, 0), (shrunk, 4096)] {
        if offset == 0 {
            gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, name);
        } else {
            gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, name, offset, 64);
            gl::BufferData(gl::TRANSFORM_FEEDBACK_BUFFER, 16, std::ptr::null(), gl::STATIC_DRAW);
        }
        gl::BeginTransformFeedback(gl::POINTS);
        gl::DrawArrays(gl::POINTS, 0, 3);
        gl::EndTransformFeedback();
        expect_no_error("feedback");
    }
    for name in neighbours {
        gl::BindBuffer(gl::ARRAY_BUFFER, name);
        assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 0, 64, 0.0_f32), [1.0; 64]);
    }
    // An unbound block reads zeros still.
    let block = "#version 330 core\nlayout(std140) uniform B { vec4 b; };\nout vec4 r;\nvoid main() { r = vec4(b.xyz, 1.0); }\n";
    let target = Target::new(2, 2);
    program(SOLID_VS, block);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, 0);
    quad();
    target.image().expect_all([0, 0, 0, 255]);
}
