//! Sync objects, and objects shared between contexts and threads: GL 3.3 core 5.3 and appendix D.

use gallite_tests::draw::{
    SOLID_VS, Target, buffer, buffer_contents, capturing_program, expect_error, expect_no_error, gen_framebuffer,
    gen_texture, gen_vertex_array, get_i32, program, quad, solid, tex_parameter, texture_2d, vertex_attrib,
};
use gallite_tests::egl;
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::sync::mpsc::channel;

gl_tests! {
    every core(3, 3): properties, wait_rules, names;
    render core(3, 3): case_33_two_threads_and_a_server_wait, case_34_deleted_but_bound_elsewhere,
        threads_with_contexts_of_their_own, uploads_of_another_thread_are_seen, containers_are_not_shared,
        texels_that_moved_are_seen_without_a_flush, a_program_that_another_context_captures_with;
}

const COMPLETE: u32 = gl::SYNC_GPU_COMMANDS_COMPLETE;

fn properties(_: &Env) {
    let sync = gl::FenceSync(COMPLETE, 0);
    assert!(!sync.is_null());
    let get = |name| {
        let (mut length, mut values) = (0, [-1; 2]);
        gl::GetSynciv(sync, name, 2, &mut length, values.as_mut_ptr());
        assert_eq!((length, values[1]), (1, -1));
        values[0] as u32
    };
    assert_eq!(get(gl::OBJECT_TYPE), gl::SYNC_FENCE);
    assert_eq!(get(gl::SYNC_CONDITION), COMPLETE);
    assert_eq!(get(gl::SYNC_FLAGS), 0);
    gl::Finish();
    assert_eq!(get(gl::SYNC_STATUS), gl::SIGNALED);
    assert_eq!(gl::ClientWaitSync(sync, 0, 0), gl::ALREADY_SIGNALED);
    let later = gl::FenceSync(COMPLETE, 0);
    let answer = gl::ClientWaitSync(later, gl::SYNC_FLUSH_COMMANDS_BIT, 1_000_000_000);
    assert!(answer == gl::CONDITION_SATISFIED || answer == gl::ALREADY_SIGNALED, "{answer:#x}");
    gl::DeleteSync(later);
    gl::DeleteSync(sync);
}

fn wait_rules(_: &Env) {
    assert!(gl::FenceSync(gl::SIGNALED, 0).is_null());
    expect_error(gl::INVALID_ENUM, "condition");
    assert!(gl::FenceSync(COMPLETE, 1).is_null());
    expect_error(gl::INVALID_VALUE, "flags");
    let sync = gl::FenceSync(COMPLETE, 0);
    assert_eq!(gl::ClientWaitSync(sync, 2, 0), gl::WAIT_FAILED);
    expect_error(gl::INVALID_VALUE, "flags of a client wait");
    gl::WaitSync(sync, 1, gl::TIMEOUT_IGNORED);
    expect_error(gl::INVALID_VALUE, "flags of a server wait");
    gl::WaitSync(sync, 0, 5);
    expect_error(gl::INVALID_VALUE, "timeout of a server wait");
    let mut value = 0;
    gl::GetSynciv(sync, gl::TEXTURE_2D, 1, std::ptr::null_mut(), &mut value);
    expect_error(gl::INVALID_ENUM, "property");
    gl::GetSynciv(sync, gl::SYNC_STATUS, -1, std::ptr::null_mut(), &mut value);
    expect_error(gl::INVALID_VALUE, "negative size");
    gl::DeleteSync(sync);
    assert_eq!(gl::ClientWaitSync(sync, 0, 0), gl::WAIT_FAILED);
    expect_error(gl::INVALID_VALUE, "deleted");
}

fn names(_: &Env) {
    let sync = gl::FenceSync(COMPLETE, 0);
    assert_eq!(gl::IsSync(sync), gl::TRUE);
    let wrong = 0x1234_5678_usize as gl::GLsync;
    assert_eq!(gl::IsSync(wrong), gl::FALSE);
    expect_no_error("glIsSync");
    gl::DeleteSync(wrong);
    expect_error(gl::INVALID_VALUE, "never made");
    gl::DeleteSync(std::ptr::null_mut());
    expect_no_error("deleting null");
    gl::DeleteSync(sync);
    assert_eq!(gl::IsSync(sync), gl::FALSE);
}

/// Runs `work` on a thread of its own with a context that shares with the test's.
fn on_thread<R: Send + 'static>(env: &Env, work: impl FnOnce() -> R + Send + 'static) -> std::thread::JoinHandle<R> {
    let display = env.display as usize;
    let context = env.create_context(3, 3, env.context) as usize;
    std::thread::spawn(move || {
        let (display, none) = (display as egl::Handle, egl::NONE_HANDLE);
        assert_eq!(egl::MakeCurrent(display, none, none, context as egl::Handle), egl::TRUE);
        let result = work();
        expect_no_error("work of a thread");
        egl::MakeCurrent(display, none, none, none);
        egl::DestroyContext(display, context as egl::Handle);
        result
    })
}

/// One thread draws into a shared texture, fences and flushes; the other waits on the server and draws with it.
fn case_33_two_threads_and_a_server_wait(env: &Env) {
    let texture = texture_2d::<u8>(gl::RGBA8, 32, 32, gl::RGBA, gl::UNSIGNED_BYTE, None);
    gl::Flush();
    let (fences, arrivals) = channel::<usize>();
    let (done, goes) = channel::<()>();
    let painter = on_thread(env, move || {
        gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
        gl::Viewport(0, 0, 32, 32);
        let program = solid([0.0; 4]);
        for frame in 0..20_u8 {
            program.set4f("colour", [f32::from(frame) / 255.0, 1.0, 0.0, 1.0]);
            quad();
            let fence = gl::FenceSync(COMPLETE, 0);
            gl::Flush();
            fences.send(fence as usize).expect("reader");
            goes.recv().expect("reader");
        }
    });
    let target = Target::new(32, 32);
    let fragment = "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }
";
    program(SOLID_VS, fragment);
    for frame in 0..20_u8 {
        let fence = arrivals.recv().expect("painter") as gl::GLsync;
        gl::WaitSync(fence, 0, gl::TIMEOUT_IGNORED);
        // Appendix D.3: another context's changes are seen once the object is bound again.
        gl::BindTexture(gl::TEXTURE_2D, texture);
        quad();
        target.image().expect_all([frame, 255, 0, 255]);
        gl::DeleteSync(fence);
        done.send(()).expect("painter");
    }
    painter.join().expect("painter");
}

/// Appendix D.1.2: a deleted object lives on where it is bound.
fn case_34_deleted_but_bound_elsewhere(env: &Env) {
    let target = Target::new(8, 8);
    let program = solid([1.0, 0.0, 0.0, 1.0]);
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    let vertices = buffer(gl::ARRAY_BUFFER, &[-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    vertex_attrib(0, 2, 0, 0);
    let texture = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[7_u8; 4]]));
    gl::Flush();
    on_thread(env, move || {
        gl::DeleteBuffers(1, &vertices);
        gl::DeleteProgram(program.0);
        gl::DeleteTextures(1, &texture);
        assert_eq!(gl::IsBuffer(vertices), gl::FALSE);
        // New objects must not take the place of the living ones.
        for _ in 0..8 {
            buffer(gl::ARRAY_BUFFER, &[9.0_f32; 8]);
            solid([0.0; 4]);
        }
        gl::Flush();
    })
    .join()
    .expect("thread");
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_all([255, 0, 0, 255]);
    assert_eq!(get_i32(gl::CURRENT_PROGRAM), program.0 as i32);
    let mut deleted = 0;
    gl::GetProgramiv(program.0, gl::DELETE_STATUS, &mut deleted);
    assert_eq!(deleted, 1, "flagged, and alive while in use");
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 0, 2, 0.0_f32), [-1.0, -1.0]);
    let mut texel = [0_u8; 4];
    gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, texel.as_mut_ptr().cast());
    assert_eq!(texel, [7; 4]);
    gl::UseProgram(0);
    assert_eq!(gl::IsProgram(program.0), gl::FALSE);
}

/// Levels defined one by one are brought together by the first draw that needs them all. Nobody wrote anything then, so
/// other contexts see the texels although nothing was flushed.
fn texels_that_moved_are_seen_without_a_flush(env: &Env) {
    const RED: [u8; 4] = [255, 0, 0, 255];
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST);
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MAG_FILTER, gl::NEAREST);
    // From the smallest, so that no level can tell how many there will be.
    for (level, size) in [(2, 1), (1, 2), (0, 4)] {
        let (format, kind) = (gl::RGBA, gl::UNSIGNED_BYTE);
        let texels = [RED; 16];
        gl::TexImage2D(gl::TEXTURE_2D, level, gl::RGBA8, size, size, 0, format, kind, texels.as_ptr().cast());
    }
    gl::Finish();
    let (to_reader, from_reader) = (channel(), channel());
    let reader = on_thread(env, move || {
        let target = Target::new(4, 4);
        textured();
        from_reader.0.send(()).expect("ready");
        to_reader.1.recv().expect("go");
        gl::BindTexture(gl::TEXTURE_2D, texture);
        quad();
        target.image().expect_all(RED);
    });
    from_reader.1.recv().expect("ready");
    let target = Target::new(4, 4);
    textured();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    quad();
    to_reader.0.send(()).expect("go");
    reader.join().expect("reader");
    target.image().expect_all(RED);
}

fn textured() {
    const FS: &str = "#version 330 core
uniform sampler2D t;
out vec4 colour;
void main() { colour = texelFetch(t, ivec2(0), 2); }
";
    program(SOLID_VS, FS);
}

/// GL 4.6 core 7.3: a program is not linked while any context captures with it.
fn a_program_that_another_context_captures_with(env: &Env) {
    const VS: &str = "#version 330 core
out float value;
void main() { value = 1.0; gl_Position = vec4(0.0); }
";
    Target::new(4, 4);
    gl::BindVertexArray(gen_vertex_array());
    let program = capturing_program(VS, &["value"], gl::INTERLEAVED_ATTRIBS).0;
    let output = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[0.0_f32; 4]);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, output);
    let link = move || {
        on_thread(env, move || {
            gl::LinkProgram(program);
            gl::GetError()
        })
        .join()
        .expect("thread")
    };
    gl::BeginTransformFeedback(gl::POINTS);
    assert_eq!(link(), gl::INVALID_OPERATION, "captures");
    gl::PauseTransformFeedback();
    assert_eq!(link(), gl::INVALID_OPERATION, "paused");
    gl::ResumeTransformFeedback();
    gl::EndTransformFeedback();
    expect_no_error("the capture");
    assert_eq!(link(), gl::NO_ERROR);
}

/// Several threads draw at once, in contexts of one group and of groups of their own.
fn threads_with_contexts_of_their_own(env: &Env) {
    let threads: Vec<_> = (0..4_u8)
        .map(|number| {
            on_thread(env, move || {
                let target = Target::new(16, 16);
                for frame in 0..10_u8 {
                    let shade = number * 20 + frame;
                    let program = solid([f32::from(shade) / 255.0, 0.0, 0.0, 1.0]);
                    quad();
                    target.image().expect_all([shade, 0, 0, 255]);
                    gl::UseProgram(0);
                    program.delete();
                }
            })
        })
        .collect();
    let target = Target::new(16, 16);
    for frame in 0..10_u8 {
        solid([0.0, f32::from(frame) / 255.0, 0.0, 1.0]);
        quad();
        target.image().expect_all([0, frame, 0, 255]);
    }
    for thread in threads {
        thread.join().expect("thread");
    }
}

/// Respecified by another thread, finished there, bound again here.
fn uploads_of_another_thread_are_seen(env: &Env) {
    let texture = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[1_u8; 4]]));
    let block = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 4]);
    let target = Target::new(4, 4);
    let fragment = "#version 330 core
layout(std140) uniform Block { vec4 more; };
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.9)) + more; }
";
    program(SOLID_VS, fragment);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    quad();
    target.image().expect_all([1; 4]);
    on_thread(env, move || {
        gl::BindTexture(gl::TEXTURE_2D, texture);
        let texels = [[2_u8; 4]; 16];
        gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
        gl::BindBuffer(gl::UNIFORM_BUFFER, block);
        // A new storage, larger than before.
        let values = [100.0_f32 / 255.0; 64];
        gl::BufferData(gl::UNIFORM_BUFFER, 256, values.as_ptr().cast(), gl::STATIC_DRAW);
        gl::Finish();
    })
    .join()
    .expect("thread");
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    quad();
    target.image().expect_all([102; 4]);
}

/// Appendix D: vertex arrays, framebuffers and queries belong to their context.
fn containers_are_not_shared(env: &Env) {
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    let texture = texture_2d::<u8>(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, None);
    on_thread(env, move || {
        assert_eq!(gl::IsVertexArray(array), gl::FALSE);
        assert_eq!(gl::IsFramebuffer(framebuffer), gl::FALSE);
        assert_eq!(gl::IsTexture(texture), gl::TRUE);
        assert_eq!(get_i32(gl::TEXTURE_BINDING_2D), 0, "bindings are the context's own");
    })
    .join()
    .expect("thread");
}
