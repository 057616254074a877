//! Objects that die, are made again, or are written by the device while something still refers to them.

use gallite_tests::draw::{
    SOLID_VS, Target, buffer, buffer_contents, buffer_data, capturing_program, expect_no_error, gen_buffer,
    gen_sampler, gen_vertex_array, get_i32, program, quad, solid, texture_2d, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter, is_ending_child, run_child, skip};

gl_tests! {
    render core(3, 3): lesson_03_recycled_buffers_show_their_own_bytes,
        lesson_04_deleted_indexed_buffers_are_unbound, lesson_04_indexed_draws_after_a_deletion, lesson_05_rebinding_a_sampler_is_seen,
        lesson_05_changing_a_bound_sampler_is_seen, lesson_06_only_the_first_vertex_changes,
        lesson_08_growing_a_texture_keeps_what_was_drawn, lesson_09_data_in_flight_is_not_torn,
        lesson_10_respecified_textures_leave_nothing, lesson_11_two_contexts_take_turns, lesson_13_indices_written_by_the_device;
    lesser core(3, 3): there_are_a_thousand_contexts;
    every bare(): lesson_12_a_process_may_end_at_any_time;
    every core(3, 3): ends_with_live_objects, ends_while_a_thread_draws;
    vulkan bare(): lesson_20_pipelines_are_kept_by_programs_that_just_end;
    vulkan core(3, 3): ends_after_a_rest;
}

/// The first draw of a frame is one with indices, after some buffer was deleted.
fn lesson_04_indexed_draws_after_a_deletion(_: &Env) {
    let target = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    vertex_attrib(0, 2, 0, 0);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    let draw = || gl::DrawElements(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    for _ in 0..3 {
        target.clear([0.0; 4]);
        draw();
        target.image().expect_all([255, 0, 0, 255]);
        let other = buffer(gl::UNIFORM_BUFFER, &[0_u8; 16]);
        gl::DeleteBuffers(1, &other);
        draw();
        target.image().expect_all([255, 0, 0, 255]);
        // Nothing but the draw opens the next batch.
        target.clear([0.0; 4]);
        gl::Finish();
        let other = buffer(gl::UNIFORM_BUFFER, &[0_u8; 16]);
        gl::DeleteBuffers(1, &other);
        draw();
        target.image().expect_all([255, 0, 0, 255]);
    }
}

/// A texture that is given other sizes keeps nothing of the old ones.
fn lesson_10_respecified_textures_leave_nothing(_: &Env) {
    if counter("live_objects").is_none() {
        skip("no such counter");
    }
    let target = Target::new(4, 4);
    let texture = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[255_u8; 4]]));
    program(SOLID_VS, TEXTURE_FS);
    let draw = |size: i32| {
        let texels = vec![[255_u8, 0, 0, 255]; (size * size) as usize];
        gl::BindTexture(gl::TEXTURE_2D, texture);
        let pixels = texels.as_ptr().cast();
        gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, size, size, 0, gl::RGBA, gl::UNSIGNED_BYTE, pixels);
        quad();
        gl::Finish();
    };
    draw(2);
    target.image().expect_all([255, 0, 0, 255]);
    let before = counter("live_objects");
    (3..12).for_each(draw);
    target.image().expect_all([255, 0, 0, 255]);
    assert_eq!(counter("live_objects"), before, "driver objects");
}

const BLOCK_FS: &str = "#version 330 core
layout(std140) uniform Block { vec4 colour; };
out vec4 result;
void main() { result = colour; }
";

/// A buffer is deleted and the next one is made where it was, again and again.
fn lesson_03_recycled_buffers_show_their_own_bytes(_: &Env) {
    let target = Target::new(4, 4);
    program(SOLID_VS, BLOCK_FS);
    for at in 0..200_u8 {
        let value = f32::from(at) / 255.0;
        let block = buffer(gl::UNIFORM_BUFFER, &[value, 0.0, 1.0, 1.0]);
        gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
        quad();
        gl::DeleteBuffers(1, &block);
        if at % 20 == 0 {
            target.image().expect_all([at, 0, 255, 255]);
        }
    }
    target.image().expect_all([199, 0, 255, 255]);
}

/// GL 3.3 core 2.9.1: deletion resets the indexed points too, and a later buffer of the same name is another.
fn lesson_04_deleted_indexed_buffers_are_unbound(_: &Env) {
    let target = Target::new(4, 4);
    program(SOLID_VS, BLOCK_FS);
    let block = buffer(gl::UNIFORM_BUFFER, &[1.0_f32, 0.0, 0.0, 1.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    quad();
    target.image().expect_all([255, 0, 0, 255]);
    gl::DeleteBuffers(1, &block);
    let mut bound = -1;
    gl::GetIntegeri_v(gl::UNIFORM_BUFFER_BINDING, 0, &mut bound);
    assert_eq!((bound, get_i32(gl::UNIFORM_BUFFER_BINDING)), (0, 0));
    // Reading an unbound block is undefined but harmless.
    quad();
    let next = buffer(gl::UNIFORM_BUFFER, &[0.0_f32, 1.0, 0.0, 1.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, next);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
}

const TEXTURE_FS: &str = "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(1.25, 0.5)); }
";

/// A 2x1 texture: red, then green. The shader reads at s = 1.25.
fn two_texels() {
    let texels = [[255_u8, 0, 0, 255], [0, 255, 0, 255]];
    texture_2d(gl::RGBA8, 2, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&texels));
    program(SOLID_VS, TEXTURE_FS);
}

fn sampler(wrap: u32) -> u32 {
    let name = gen_sampler();
    gl::SamplerParameteri(name, gl::TEXTURE_WRAP_S, wrap as i32);
    gl::SamplerParameteri(name, gl::TEXTURE_MIN_FILTER, gl::NEAREST as i32);
    gl::SamplerParameteri(name, gl::TEXTURE_MAG_FILTER, gl::NEAREST as i32);
    name
}

fn lesson_05_rebinding_a_sampler_is_seen(_: &Env) {
    let target = Target::new(4, 4);
    two_texels();
    let samplers = [sampler(gl::REPEAT), sampler(gl::CLAMP_TO_EDGE)];
    for at in [0, 1, 0, 0, 1] {
        gl::BindSampler(0, samplers[at]);
        quad();
        target.image().expect_all([[255, 0, 0, 255], [0, 255, 0, 255]][at]);
    }
    // Deleted, the texture's own parameters count: repeat.
    gl::DeleteSamplers(1, &samplers[1]);
    quad();
    target.image().expect_all([255, 0, 0, 255]);
}

fn lesson_05_changing_a_bound_sampler_is_seen(_: &Env) {
    let target = Target::new(4, 4);
    two_texels();
    let name = sampler(gl::REPEAT);
    gl::BindSampler(0, name);
    quad();
    target.image().expect_all([255, 0, 0, 255]);
    gl::SamplerParameteri(name, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_EDGE as i32);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
    gl::BindSampler(0, 0);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_EDGE as i32);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
}

/// Draws that differ in nothing but where they begin.
fn lesson_06_only_the_first_vertex_changes(_: &Env) {
    let target = Target::new(8, 4);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    let boxes = [-1.0_f32, 0.0];
    let corners: Vec<[f32; 2]> =
        boxes.iter().flat_map(|x| [[*x, -1.0], [x + 1.0, -1.0], [*x, 1.0], [x + 1.0, 1.0]]).collect();
    buffer(gl::ARRAY_BUFFER, &corners);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 4, 4);
    target.image().expect_rect([4, 0, 4, 4], [255; 4], [0; 4]);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_all([255; 4]);
    target.clear([0.0; 4]);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    gl::DrawElementsBaseVertex(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null(), 4);
    target.image().expect_rect([4, 0, 4, 4], [255; 4], [0; 4]);
    gl::DrawElementsBaseVertex(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null(), 0);
    target.image().expect_all([255; 4]);
}

/// Level 0 is drawn into; levels are added afterwards, which moves the storage.
fn lesson_08_growing_a_texture_keeps_what_was_drawn(_: &Env) {
    let target = Target::new(4, 4);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    let small = [[255_u8, 0, 0, 255]; 4];
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::RGBA8, 2, 2, 0, gl::RGBA, gl::UNSIGNED_BYTE, small.as_ptr().cast());
    gl::TexImage2D(gl::TEXTURE_2D, 2, gl::RGBA8, 1, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, small.as_ptr().cast());
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    let other = Target::new(4, 4);
    let lod = |level: f32| {
        let source = format!(
            "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() {{ result = textureLod(image, vec2(0.5), {level:.1}); }}
"
        );
        program(SOLID_VS, &source);
        quad();
        other.image().at(0, 0)
    };
    assert_eq!(lod(0.0), [0, 255, 0, 255], "what was drawn");
    assert_eq!(lod(1.0), [255, 0, 0, 255]);
    target.bind();
    target.image().expect_all([0, 255, 0, 255]);
    gl::GenerateMipmap(gl::TEXTURE_2D);
    other.bind();
    assert_eq!(lod(2.0), [0, 255, 0, 255], "generated from what was drawn");
}

/// Each draw sees the vertices that were there when it was made, however the buffer is written in between.
fn lesson_09_data_in_flight_is_not_torn(_: &Env) {
    let target = Target::new(32, 3);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    let name = gen_buffer();
    gl::BindBuffer(gl::ARRAY_BUFFER, name);
    gl::BufferData(gl::ARRAY_BUFFER, 32, std::ptr::null(), gl::STREAM_DRAW);
    vertex_attrib(0, 2, 0, 0);
    let column = |at: i32, row: i32| {
        let x = at as f32 / 16.0 - 1.0;
        let (y0, y1) = (row as f32 * 2.0 / 3.0 - 1.0, (row + 1) as f32 * 2.0 / 3.0 - 1.0);
        [x, y0, x + 1.0 / 16.0, y0, x, y1, x + 1.0 / 16.0, y1]
    };
    for at in 0..32 {
        let corners = column(at, 0);
        gl::BufferSubData(gl::ARRAY_BUFFER, 0, 32, corners.as_ptr().cast());
        gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        buffer_data(gl::ARRAY_BUFFER, &column(at, 1), gl::STREAM_DRAW);
        gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        let access = gl::MAP_WRITE_BIT | gl::MAP_INVALIDATE_BUFFER_BIT;
        let mapped = gl::MapBufferRange(gl::ARRAY_BUFFER, 0, 32, access).cast::<[f32; 8]>();
        assert!(!mapped.is_null());
        // SAFETY: GL 3.3 core 2.9.3: 32 bytes from here on are the program's until unmapped.
        unsafe { mapped.write(column(at, 2)) };
        gl::UnmapBuffer(gl::ARRAY_BUFFER);
        gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    }
    target.image().expect_all([255; 4]);
}

/// Two contexts that share nothing, used in turn by one thread: each keeps its own state and objects.
fn lesson_11_two_contexts_take_turns(env: &Env) {
    let first = Target::new(4, 4);
    solid([1.0, 0.0, 0.0, 1.0]);
    let context = env.create_context(3, 3, std::ptr::null_mut());
    env.make_current(context);
    let second = Target::new(4, 4);
    solid([0.0, 1.0, 0.0, 1.0]);
    for _ in 0..4 {
        env.make_current(env.context);
        quad();
        env.make_current(context);
        quad();
    }
    second.image().expect_all([0, 255, 0, 255]);
    assert_eq!(gl::IsTexture(9999), gl::FALSE);
    gl::Enable(gl::BLEND);
    env.make_current(env.context);
    assert_eq!(gl::IsEnabled(gl::BLEND), gl::FALSE);
    first.image().expect_all([255, 0, 0, 255]);
    gallite_tests::egl::DestroyContext(env.display, context);
}

/// A thousand contexts of one group, each with work of its own, and one more after they are gone.
fn there_are_a_thousand_contexts(env: &Env) {
    let contexts: Vec<_> = (0..1000)
        .map(|at| {
            let context = env.create_context(3, 3, env.context);
            env.make_current(context);
            let name = buffer(gl::COPY_READ_BUFFER, &[at as u32; 4]);
            buffer(gl::COPY_WRITE_BUFFER, &[0_u32; 4]);
            gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER, 0, 0, 16);
            gl::DeleteBuffers(1, &name);
            gl::Flush();
            expect_no_error("the work of a context");
            context
        })
        .collect();
    for (at, context) in contexts.iter().enumerate() {
        env.make_current(*context);
        assert_eq!(buffer_contents(gl::COPY_WRITE_BUFFER, 0, 4, u32::MAX), [at as u32; 4]);
        env.make_current(env.context);
        gallite_tests::egl::DestroyContext(env.display, *context);
    }
    let last = env.create_context(3, 3, env.context);
    env.make_current(last);
    buffer(gl::ARRAY_BUFFER, &[0_u8; 16]);
    expect_no_error("a context after them");
    env.make_current(env.context);
    gallite_tests::egl::DestroyContext(env.display, last);
}

/// Indices come out of a shader, through transform feedback, and are drawn with at once; with primitive modes that
/// some devices lack, too.
fn lesson_13_indices_written_by_the_device(_: &Env) {
    let target = Target::new(8, 8);
    let vertex = "#version 330 core
flat out uint index;
void main() { index = uint(3 - gl_VertexID); gl_Position = vec4(0.0); }
";
    capturing_program(vertex, &["index"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let indices = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0_u32; 4]);
    for mode in [gl::TRIANGLE_STRIP, gl::TRIANGLE_FAN, gl::LINE_LOOP] {
        buffer_data(gl::TRANSFORM_FEEDBACK_BUFFER, &[0_u32; 4], gl::STREAM_COPY);
        gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, indices);
        gl::UseProgram(0);
        capturing_program(vertex, &["index"], gl::INTERLEAVED_ATTRIBS);
        gl::Enable(gl::RASTERIZER_DISCARD);
        gl::BeginTransformFeedback(gl::POINTS);
        gl::DrawArrays(gl::POINTS, 0, 4);
        gl::EndTransformFeedback();
        gl::Disable(gl::RASTERIZER_DISCARD);
        solid([1.0; 4]);
        gl::BindVertexArray(gen_vertex_array());
        // A strip in the order 3 2 1 0 covers all; a fan needs another order of corners.
        let strip = [-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
        let fan = [-1.0_f32, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0];
        let near = [-0.9_f32, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9];
        let corners = match mode {
            gl::TRIANGLE_STRIP => strip,
            gl::TRIANGLE_FAN => fan,
            _ => near,
        };
        buffer(gl::ARRAY_BUFFER, &corners);
        vertex_attrib(0, 2, 0, 0);
        gl::BindBuffer(gl::ELEMENT_ARRAY_BUFFER, indices);
        target.clear([0.0; 4]);
        gl::DrawElements(mode, 4, gl::UNSIGNED_INT, std::ptr::null());
        let image = target.image();
        if mode == gl::LINE_LOOP {
            image.expect_each(|x, y| if x == 0 || y == 0 || x == 7 || y == 7 { [255; 4] } else { [0; 4] });
        } else {
            image.expect_all([255; 4]);
        }
    }
}

/// Made current, used, and left: what the two children of [`lesson_12_a_process_may_end_at_any_time`] do.
fn ends_with_live_objects(env: &Env) {
    if !is_ending_child() {
        skip("only as a child of lesson_12");
    }
    Target::new(4, 4);
    solid([1.0; 4]);
    quad();
    let other = env.create_context(3, 3, env.context);
    env.make_current(other);
    buffer(gl::ARRAY_BUFFER, &[0.0_f32; 64]);
    expect_no_error("before the end");
    std::process::exit(0);
}

fn ends_while_a_thread_draws(env: &Env) {
    if !is_ending_child() {
        skip("only as a child of lesson_12");
    }
    let display = env.display as usize;
    let other = env.create_context(3, 3, env.context) as usize;
    let (ready, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let none = std::ptr::null_mut();
        assert_eq!(gallite_tests::egl::MakeCurrent(display as *mut _, none, none, other as *mut _), 1);
        Target::new(64, 64);
        solid([1.0; 4]);
        loop {
            quad();
            gl::Flush();
            let _ = ready.send(());
        }
    });
    for _ in 0..10 {
        wait.recv().expect("a frame");
    }
    std::process::exit(0);
}

/// Both end with code 0, whatever was alive.
fn lesson_12_a_process_may_end_at_any_time(env: &Env) {
    for test in ["ends_with_live_objects", "ends_while_a_thread_draws"] {
        for _ in 0..3 {
            let name = format!("lessons::lifetime::{test}");
            let output = run_child(&env.lane.name, &[("GALLITE_TEST_ENDING", "1")], &name);
            assert!(output.ends_with("exit status: 0\n"), "{test}: {output}");
            assert!(!output.contains("child: failed") && !output.contains("child: skipped"), "{test}: {output}");
        }
    }
}

/// Most programs end without eglTerminate, and not on every device are pipelines made ahead.
fn lesson_20_pipelines_are_kept_by_programs_that_just_end(env: &Env) {
    let folder = std::env::temp_dir().join(format!("gallite-pipelines-{}", std::process::id()));
    let path = folder.to_string_lossy().into_owned();
    let variables =
        [("GALLITE_CACHE_DIR", &*path), ("GALLITE_VULKAN_WITHOUT", "precompile"), ("GALLITE_TEST_ENDING", "1")];
    run_child(&env.lane.name, &variables, "lessons::lifetime::ends_after_a_rest");
    let files =
        std::fs::read_dir(&folder).map(|files| files.flatten().map(|file| file.file_name()).collect::<Vec<_>>());
    let kept = files.is_ok_and(|names| names.iter().any(|name| name.to_string_lossy().starts_with("vulkan-")));
    let _ = std::fs::remove_dir_all(&folder);
    assert!(kept, "no file of pipelines");
}

fn ends_after_a_rest(_: &Env) {
    if !is_ending_child() {
        skip("only as a child of lesson_20");
    }
    Target::new(4, 4);
    solid([1.0; 4]);
    quad();
    gl::Finish();
    std::thread::sleep(std::time::Duration::from_secs(6));
    std::process::exit(0);
}
