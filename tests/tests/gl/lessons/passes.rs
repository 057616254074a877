//! A render pass is split only by what needs what it drew: counted, because split passes draw right pixels.

use super::work::count;
use gallite_tests::draw::{
    SOLID_VS, Target, buffer, depth_stencil_target, expect_no_error, gen_buffer, gen_query, program, quad, solid,
    texture_2d,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): uploads_from_pixel_buffers_go_before_the_pass, copies_and_fills_go_before_the_pass,
        a_read_of_what_was_drawn_splits_the_pass, queries_do_not_split_a_pass, barriers_without_stores_do_not_split_a_pass,
        attachments_are_cleared_and_stored_once;
}

/// How far counters move while `work` runs on the device.
#[track_caller]
pub fn carried_out<const N: usize>(names: [&str; N], work: impl FnOnce()) -> [u64; N] {
    gl::Finish();
    let before = names.map(count);
    work();
    gl::Finish();
    expect_no_error("the counted work");
    let after = names.map(count);
    std::array::from_fn(|i| after[i] - before[i])
}

/// Passes of two draws into one framebuffer with something between them.
#[track_caller]
fn passes(between: impl FnOnce()) -> u64 {
    let [passes] = carried_out(["render_passes"], || {
        quad();
        between();
        quad();
    });
    passes
}

/// GL 4.6 core 8.4.1: the texels come from the buffer that is bound, by the device.
fn uploads_from_pixel_buffers_go_before_the_pass(_: &Env) {
    let target = Target::new(8, 8);
    let sampling = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); }
",
    );
    let texture = texture_2d(gl::RGBA8, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[9_u8; 4]; 16]));
    let upload = || gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null());
    let unpack = |value: u8| {
        let name = buffer(gl::PIXEL_UNPACK_BUFFER, &[[value; 4]; 16]);
        gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, name);
    };
    unpack(40);
    let other = solid([1.0; 4]);
    assert_eq!(passes(|| ()), 1);
    let split = passes(|| {
        upload();
        sampling.bind();
    });
    assert_eq!(split, 1, "the first draw does not read the texture");
    target.image().expect_all([40; 4]);
    // The same where it does.
    unpack(80);
    assert_eq!(passes(upload), 2, "the first draw reads what the texture was");
    target.image().expect_all([80; 4]);
    other.bind();
    gl::BindTexture(gl::TEXTURE_2D, texture);
}

/// GL 4.6 core 6.6, 6.2.1: copies between buffers, and orphaned or partial writes.
fn copies_and_fills_go_before_the_pass(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    quad();
    let from = buffer(gl::COPY_READ_BUFFER, &[7_u8; 256]);
    let to = buffer(gl::COPY_WRITE_BUFFER, &[0_u8; 256]);
    gl::BindBuffer(gl::COPY_READ_BUFFER, from);
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, to);
    let split = passes(|| {
        gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER, 0, 128, 64);
        // Of what was copied, behind it.
        gl::CopyBufferSubData(gl::COPY_WRITE_BUFFER, gl::COPY_WRITE_BUFFER, 128, 0, 64);
        gl::BufferSubData(gl::COPY_WRITE_BUFFER, 128, 4, [1_u8; 4].as_ptr().cast());
    });
    assert_eq!(split, 1);
    let mut bytes = [0_u8; 256];
    gl::GetBufferSubData(gl::COPY_WRITE_BUFFER, 0, 256, bytes.as_mut_ptr().cast());
    let wanted: Vec<u8> = (0..256).map(|at| [7, 0, 7, 0][at / 64]).collect();
    assert_eq!((&bytes[..128], &bytes[128..132], &bytes[132..]), (&wanted[..128], &[1; 4][..], &wanted[132..]));
}

/// The control: what needs the pixels of the first draw stands between the two.
fn a_read_of_what_was_drawn_splits_the_pass(_: &Env) {
    let target = Target::new(8, 8);
    solid([0.0, 1.0, 0.0, 1.0]);
    quad();
    gl::BindBuffer(gl::PIXEL_PACK_BUFFER, gen_buffer());
    gl::BufferData(gl::PIXEL_PACK_BUFFER, 256, std::ptr::null(), gl::STREAM_READ);
    let read = || gl::ReadPixels(0, 0, 8, 8, gl::RGBA, gl::UNSIGNED_BYTE, std::ptr::null_mut());
    assert_eq!(passes(read), 2);
    let mut texel = [0_u8; 4];
    gl::GetBufferSubData(gl::PIXEL_PACK_BUFFER, 252, 4, texel.as_mut_ptr().cast());
    assert_eq!(texel, [0, 255, 0, 255]);
    gl::BindBuffer(gl::PIXEL_PACK_BUFFER, 0);
    target.image().expect_all([0, 255, 0, 255]);
}

/// GL 4.6 core 4.2: a query is any number of draws; begun and ended inside of a pass it counts those alone.
fn queries_do_not_split_a_pass(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    quad();
    let queries = [gen_query(), gen_query()];
    let split = passes(|| {
        gl::BeginQuery(gl::SAMPLES_PASSED, queries[0]);
        gl::BeginQuery(gl::PRIMITIVES_GENERATED, queries[1]);
        quad();
        gl::EndQuery(gl::SAMPLES_PASSED);
        gl::EndQuery(gl::PRIMITIVES_GENERATED);
    });
    assert_eq!(split, 1);
    let result = |query: u32| {
        let mut value = 0;
        gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut value);
        value
    };
    assert_eq!(queries.map(result), [64, 2]);
}

/// GL 4.6 core 7.13.2: a barrier orders stores of shaders, and there are none.
fn barriers_without_stores_do_not_split_a_pass(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    quad();
    assert_eq!(passes(|| gl::MemoryBarrier(gl::ALL_BARRIER_BITS)), 1);
}

/// A clear is how its pass begins, whatever stands between it and the first draw.
fn attachments_are_cleared_and_stored_once(_: &Env) {
    let (target, _) = depth_stencil_target(8, 8);
    solid([0.0, 0.0, 1.0, 1.0]);
    quad();
    let names = ["render_passes", "attachment_clears", "attachment_loads", "attachment_stores", "barriers"];
    let block = buffer(gl::UNIFORM_BUFFER, &[0_u8; 64]);
    let work = || {
        gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
        gl::BindBuffer(gl::UNIFORM_BUFFER, block);
        gl::BufferSubData(gl::UNIFORM_BUFFER, 0, 4, [1_u8; 4].as_ptr().cast());
        quad();
        quad();
    };
    assert_eq!(carried_out(names, work), [1, 3, 0, 3, 0]);
    assert_eq!(carried_out(names, quad), [1, 0, 3, 3, 0], "nothing cleared");
    target.image().expect_all([0, 0, 255, 255]);
}
