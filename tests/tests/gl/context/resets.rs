//! Lost devices: GL 4.6 core 2.3.2, EGL 1.5 3.7.1 and GL_KHR_robustness.

use gallite_tests::draw::{Image, SOLID_VS, Target, buffer, expect_no_error, gen_texture, program, quad, solid};
use gallite_tests::egl;
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, is_ending_child, run_child, skip};

gl_tests! {
    render bare(): a_lost_device_is_noticed_and_harmless, a_lost_device_without_notification;
    vulkan bare(): surfaces_without_memory, pipelines_without_memory;
    vulkan core(3, 3): in_little_memory, in_memory_that_is_full;
    render core(3, 3): on_a_device_that_is_lost, without_notification_on_a_device_that_is_lost;
}

/// Runs a test of this file on a device that the driver takes for lost at some submission.
fn on_a_lost_device(env: &Env, test: &str) {
    if env.lane.is_system() {
        skip("needs a device that is lost on demand");
    }
    // Not before the test itself draws.
    for at in ["7", "10"] {
        let name = format!("context::resets::{test}");
        let output = run_child(&env.lane.name, &[("GALLITE_VULKAN_LOSE_AT", at)], &name);
        assert!(output.contains("device lost in vkQueueSubmit"), "{test}, lost at {at}: {output}");
        assert!(output.contains("child: passed"), "{test}, lost at {at}: {output}");
        assert_eq!(output.matches("device lost in").count(), 1, "said once: {output}");
    }
}

fn a_lost_device_is_noticed_and_harmless(env: &Env) {
    on_a_lost_device(env, "on_a_device_that_is_lost");
}

fn a_lost_device_without_notification(env: &Env) {
    on_a_lost_device(env, "without_notification_on_a_device_that_is_lost");
}

/// EGL 1.5 3.7.3: EGL_BAD_ALLOC for a surface whose buffers can't be had; what was current stays.
fn surfaces_without_memory(env: &Env) {
    let variables = [("GALLITE_VULKAN_MEMORY", "64"), ("GALLITE_TEST_ENDING", "1")];
    let output = run_child(&env.lane.name, &variables, "context::resets::in_little_memory");
    assert!(output.contains("child: passed"), "{output}");
}

fn in_little_memory(env: &Env) {
    if !is_ending_child() {
        skip("only as a child of surfaces_without_memory");
    }
    let _target = Target::new(4, 4);
    solid([1.0; 4]);
    let context = egl::GetCurrentContext();
    for (height, error) in [(4096, egl::BAD_ALLOC), (16, egl::SUCCESS)] {
        let size = [egl::WIDTH, 8192, egl::HEIGHT, height, egl::NONE];
        let pbuffer = egl::CreatePbufferSurface(env.display, env.config, size.as_ptr());
        assert!(!pbuffer.is_null(), "{:#x}", egl::GetError());
        egl::MakeCurrent(env.display, pbuffer, pbuffer, context);
        assert_eq!(egl::GetError(), error, "{height} rows");
        assert_eq!(egl::GetCurrentContext(), context);
        quad();
        Image::read(0, 0, 4, 4).expect_all([255; 4]);
    }
}

/// A program that can't be drawn with for want of memory can be once there is some.
fn pipelines_without_memory(env: &Env) {
    let variables =
        [("GALLITE_VULKAN_MEMORY", "64"), ("GALLITE_TEST_ENDING", "1"), ("GALLITE_VULKAN_WITHOUT", "precompile")];
    let output = run_child(&env.lane.name, &variables, "context::resets::in_memory_that_is_full");
    assert!(output.contains("child: passed"), "{output}");
}

fn in_memory_that_is_full(_: &Env) {
    if !is_ending_child() {
        skip("only as a child of pipelines_without_memory");
    }
    let target = Target::new(4, 4);
    solid([0.0; 4]);
    quad();
    gl::Finish();
    let other = program(SOLID_VS, "#version 330 core\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n");
    let mut textures = Vec::new();
    for size in [1024, 128, 32] {
        while gl::GetError() == gl::NO_ERROR && textures.len() < 2000 {
            textures.push(gen_texture());
            gl::BindTexture(gl::TEXTURE_2D, textures[textures.len() - 1]);
            gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::RGBA8, size, size);
        }
    }
    while gl::GetError() != gl::NO_ERROR {}
    other.bind();
    quad();
    gl::Finish();
    assert_eq!(gl::GetError(), gl::OUT_OF_MEMORY);
    gl::DeleteTextures(textures.len() as i32, textures.as_ptr());
    gl::Finish();
    while gl::GetError() != gl::NO_ERROR {}
    quad();
    target.image().expect_all([255; 4]);
}

/// Draws until the device is lost.
fn lose(lost: impl Fn() -> bool) {
    Target::new(4, 4);
    solid([1.0; 4]);
    for _ in 0..12 {
        quad();
        gl::Finish();
        if lost() {
            return;
        }
    }
    skip("only as a child of a test that loses the device");
}

fn on_a_device_that_is_lost(env: &Env) {
    let list = [
        egl::CONTEXT_MAJOR_VERSION,
        3,
        egl::CONTEXT_MINOR_VERSION,
        3,
        egl::CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
        egl::LOSE_CONTEXT_ON_RESET,
        egl::NONE,
    ];
    let context = egl::CreateContext(env.display, env.config, egl::NONE_HANDLE, list.as_ptr());
    assert!(!context.is_null(), "{:#x}", egl::GetError());
    env.make_current(context);
    assert_eq!(gl::GetGraphicsResetStatus(), gl::NO_ERROR);
    let (mut query, kept) = (0, buffer(gl::ARRAY_BUFFER, &[7_u8; 64]));
    gl::GenQueries(1, &mut query);
    let sync = gl::FenceSync(gl::SYNC_GPU_COMMANDS_COMPLETE, 0);
    lose(|| match gl::GetGraphicsResetStatus() {
        gl::NO_ERROR => false,
        status => {
            assert_eq!(status, gl::UNKNOWN_CONTEXT_RESET);
            true
        }
    });
    // 2.3.2: told of once; that it is over is what programs wait for before they begin anew.
    assert_eq!(gl::GetGraphicsResetStatus(), gl::NO_ERROR);
    while gl::GetError() != gl::NO_ERROR {}
    // Commands do nothing but say so.
    gl::Clear(gl::COLOR_BUFFER_BIT);
    assert_eq!(gl::GetError(), gl::CONTEXT_LOST);
    assert_eq!(gl::GetError(), gl::NO_ERROR);
    quad_again();
    let mut pixel = [9_u8; 4];
    gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, pixel.as_mut_ptr().cast());
    assert_eq!(pixel, [9; 4]);
    assert!(gl::MapBuffer(gl::ARRAY_BUFFER, gl::READ_ONLY).is_null());
    gl::Finish();
    gl::DeleteBuffers(1, &kept);
    assert_eq!(gl::GetError(), gl::CONTEXT_LOST);
    // Nobody waits for ever.
    let (mut value, mut available) = (0, 0);
    gl::GetSynciv(sync, gl::SYNC_STATUS, 1, std::ptr::null_mut(), &mut value);
    assert_eq!(value as u32, gl::SIGNALED);
    assert_eq!(gl::GetError(), gl::CONTEXT_LOST);
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT_AVAILABLE, &mut available);
    assert_eq!(available, 1);
    assert_eq!(gl::GetError(), gl::CONTEXT_LOST);
    assert_eq!(gl::ClientWaitSync(sync, 0, u64::MAX), gl::WAIT_FAILED);
    assert_eq!(gl::GetError(), gl::CONTEXT_LOST);
    gl::GetQueryObjectuiv(query, gl::QUERY_RESULT, &mut available);
    assert_eq!(gl::GetError(), gl::CONTEXT_LOST);
    // EGL_EXT_create_context_robustness: the program makes a new context on the same display and goes on, on a pbuffer
    // that the lost one drew to.
    let size = [egl::WIDTH, 2, egl::HEIGHT, 2, egl::NONE];
    let pbuffer = egl::CreatePbufferSurface(env.display, env.config, size.as_ptr());
    assert_eq!(egl::MakeCurrent(env.display, pbuffer, pbuffer, context), egl::TRUE);
    let fresh = egl::CreateContext(env.display, env.config, egl::NONE_HANDLE, list.as_ptr());
    assert!(!fresh.is_null(), "{:#x}", egl::GetError());
    assert_eq!(egl::MakeCurrent(env.display, pbuffer, pbuffer, fresh), egl::TRUE);
    gl::ClearColor(0.0, 0.0, 1.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    Image::read(0, 0, 2, 2).expect_all([0, 0, 255, 255]);
    assert_eq!(gl::GetGraphicsResetStatus(), gl::NO_ERROR);
    expect_no_error("a context on the device that took the place of the lost one");
    // It shares nothing with those that were lost.
    assert!(egl::CreateContext(env.display, env.config, context, list.as_ptr()).is_null());
    assert_eq!(egl::GetError(), egl::BAD_MATCH);
    env.make_current(egl::NONE_HANDLE);
    for context in [context, fresh] {
        assert_eq!(egl::DestroyContext(env.display, context), egl::TRUE);
    }
    assert_eq!(egl::DestroySurface(env.display, pbuffer), egl::TRUE);
    // One that was made before the loss can be made current, and is lost too.
    env.make_current(env.context);
    while gl::GetError() != gl::NO_ERROR {}
    // A display that is initialised anew has the device anew.
    assert_eq!(egl::Terminate(env.display), egl::TRUE);
    assert_eq!(egl::Initialize(env.display, &mut 0, &mut 0), egl::TRUE);
    let (display, config) = (env.display as usize, env.config as usize);
    let thread = std::thread::spawn(move || {
        let (display, config) = (display as egl::Handle, config as egl::Handle);
        assert_eq!(egl::BindAPI(egl::OPENGL_API), egl::TRUE);
        let context = egl::CreateContext(display, config, egl::NONE_HANDLE, list.as_ptr());
        assert!(!context.is_null(), "{:#x}", egl::GetError());
        assert_eq!(egl::MakeCurrent(display, egl::NONE_HANDLE, egl::NONE_HANDLE, context), egl::TRUE);
        let target = Target::new(2, 2);
        target.clear([0.0, 1.0, 0.0, 1.0]);
        target.image().expect_all([0, 255, 0, 255]);
        assert_eq!(gl::GetGraphicsResetStatus(), gl::NO_ERROR);
        egl::MakeCurrent(display, egl::NONE_HANDLE, egl::NONE_HANDLE, egl::NONE_HANDLE);
        egl::DestroyContext(display, context);
    });
    thread.join().expect("a context on the new device");
}

fn quad_again() {
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
}

/// Without reset notification nothing is said, and nothing breaks.
fn without_notification_on_a_device_that_is_lost(_: &Env) {
    let kept = buffer(gl::ARRAY_BUFFER, &[7_u8; 64]);
    lose(|| {
        // The first of them notices.
        gl::GetError();
        gl::Flush();
        gl::GetError() == gl::CONTEXT_LOST
    });
    assert_eq!(gl::GetGraphicsResetStatus(), gl::NO_ERROR);
    gl::BindVertexArray(1);
    for _ in 0..4 {
        quad_again();
        gl::Flush();
        gl::Finish();
    }
    gl::DeleteBuffers(1, &kept);
    let mut pixels = [9_u8; 64];
    gl::ReadPixels(0, 0, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, pixels.as_mut_ptr().cast());
    while gl::GetError() != gl::NO_ERROR {}
    expect_no_error("after the loss");
}
