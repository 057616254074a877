//! How little a driver must be told: counted, because a wrong count draws right pixels.

use super::passes::carried_out;
use crate::harness::SCENE_FS;
use gallite_tests::draw::{
    SOLID_VS, Target, buffer, expect_no_error, gen_buffer, gen_vertex_array, program, quad, solid, texture_2d,
    vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, counter, skip};

gl_tests! {
    noop core(3, 3): lesson_16_equal_state_emits_nothing, lesson_07_states_in_turn_mint_no_objects,
        lesson_14_a_draw_pushes_only_what_changed, lesson_14_own_changes_of_shared_objects_push_what_they_changed,
        groups_markers_and_labels_reach_the_driver, lesson_18_a_range_is_bound_and_not_copied;
    every core(3, 3): lesson_10_dead_buffers_are_reclaimed_without_present, lesson_21_converted_vertices_do_not_pile_up;
    render core(3, 3): restart_indices_that_no_index_has_cost_nothing, attributes_that_stay_are_converted_once,
        lesson_10_contexts_that_do_nothing_keep_nothing, lesson_20_pipelines_are_made_once, lesson_21_frames_do_not_pile_up,
        lesson_18_no_bytes_are_staged_for_a_range, lesson_17_many_small_uploads_land;
}

/// A counter of Gallite's.
#[track_caller]
pub fn count(name: &str) -> u64 {
    match counter(name) {
        Some(value) => value,
        None => skip("the counters are Gallite's"),
    }
}

/// How far a counter moves while `work` runs.
#[track_caller]
pub fn spent(name: &str, work: impl FnOnce()) -> u64 {
    let before = count(name);
    work();
    expect_no_error("the counted work");
    count(name) - before
}

/// A textured quad with a uniform block, drawn once so that everything has been pushed.
struct Scene {
    program: u32,
    array: u32,
    texture: u32,
    block: u32,
}

impl Scene {
    fn new() -> Self {
        Target::new(8, 8);
        let texture = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[0_u8; 4]]));
        let program = program(SOLID_VS, SCENE_FS);
        let block = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 4096]);
        gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, block, 0, 16);
        let array = gen_vertex_array();
        gl::BindVertexArray(array);
        buffer(gl::ARRAY_BUFFER, &[-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
        vertex_attrib(0, 2, 0, 0);
        let scene = Self { program: program.0, array, texture, block };
        scene.draw();
        scene
    }

    fn draw(&self) {
        gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    }
}

/// A sampler changed before each draw is all that is pushed anew, and a buffer that was given another size what it may be
/// bound as; other contexts of the group look at everything, this one need not.
fn lesson_14_own_changes_of_shared_objects_push_what_they_changed(_: &Env) {
    let scene = Scene::new();
    let mut sampler = 0;
    gl::GenSamplers(1, &mut sampler);
    gl::BindSampler(0, sampler);
    let filter = |linear: bool| {
        let filter = if linear { gl::LINEAR } else { gl::NEAREST };
        gl::SamplerParameteri(sampler, gl::TEXTURE_MIN_FILTER, filter as i32);
    };
    let turns = || {
        for turn in 0..10 {
            filter(turn & 1 == 0);
            scene.draw();
        }
    };
    turns();
    assert_eq!(spent("calls", turns), 20, "samplers and a draw each");
    let unrelated = gen_buffer();
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, unrelated);
    let replaced = spent("calls", || {
        for size in 1..=10 {
            gl::BufferData(gl::PIXEL_UNPACK_BUFFER, size, std::ptr::null(), gl::STREAM_DRAW);
            scene.draw();
        }
    });
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, 0);
    assert!(replaced <= 60, "{replaced} calls: a buffer made and destroyed, two bindings of buffers and a draw each");
}

/// GL 4.6 core 20: debuggers see groups, markers and labels where the driver has a place for them.
fn groups_markers_and_labels_reach_the_driver(_: &Env) {
    let name = buffer(gl::ARRAY_BUFFER, &[0_u32; 4]);
    let text = c"a name";
    let told = spent("calls", || {
        gl::PushDebugGroup(gl::DEBUG_SOURCE_APPLICATION, 1, -1, text.as_ptr());
        let (source, kind, severity) =
            (gl::DEBUG_SOURCE_APPLICATION, gl::DEBUG_TYPE_MARKER, gl::DEBUG_SEVERITY_NOTIFICATION);
        gl::DebugMessageInsert(source, kind, 1, severity, -1, text.as_ptr());
        gl::PopDebugGroup();
        gl::ObjectLabel(gl::BUFFER, name, -1, text.as_ptr());
    });
    assert_eq!(told, 4);
}

/// Doubles that nothing writes any more: draws push the buffers and draw.
fn attributes_that_stay_are_converted_once(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f64; 12]);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 2, gl::DOUBLE, gl::FALSE, 0, std::ptr::null());
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    let made = spent("waits", || (0..100).for_each(|_| gl::DrawArrays(gl::TRIANGLES, 0, 3)));
    assert!(made < 10, "{made} waits for the device in 100 draws");
}

/// Bytes that the driver copied for a thousand draws, after a first one.
fn staged_by_draws(draw: impl Fn()) -> u64 {
    draw();
    gl::Finish();
    spent("bytes_staged", || {
        (0..1000).for_each(|_| draw());
        gl::Finish();
    })
}

/// GL 4.6 core 10.3.6: 0xFFFFFFFF is no index of 16 bits, so nothing restarts and nothing is rewritten.
fn restart_indices_that_no_index_has_cost_nothing(_: &Env) {
    let scene = Scene::new();
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2, 3]);
    gl::Enable(gl::PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(u32::MAX);
    let draw = || gl::DrawElements(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    let staged = staged_by_draws(draw);
    assert!(staged < 1000, "{staged} bytes for 1000 draws");
    gl::Disable(gl::PRIMITIVE_RESTART);
    scene.draw();
}

/// Blend and depth test toggled round every batch, everything bound again: when it ends as it was, the draw is all that
/// the driver hears of.
fn lesson_16_equal_state_emits_nothing(_: &Env) {
    let scene = Scene::new();
    let toggled = || {
        for capability in [gl::BLEND, gl::DEPTH_TEST, gl::STENCIL_TEST, gl::CULL_FACE, gl::SCISSOR_TEST] {
            gl::Enable(capability);
            gl::Disable(capability);
        }
        gl::BlendFunc(gl::SRC_ALPHA, gl::ONE_MINUS_SRC_ALPHA);
        gl::BlendFunc(gl::ONE, gl::ZERO);
        gl::DepthFunc(gl::LEQUAL);
        gl::DepthFunc(gl::LESS);
        gl::Viewport(0, 0, 8, 8);
        gl::UseProgram(0);
        gl::UseProgram(scene.program);
        gl::BindVertexArray(0);
        gl::BindVertexArray(scene.array);
        gl::BindTexture(gl::TEXTURE_2D, 0);
        gl::BindTexture(gl::TEXTURE_2D, scene.texture);
        gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, scene.block, 0, 16);
        gl::ColorMask(gl::TRUE, gl::TRUE, gl::TRUE, gl::TRUE);
    };
    let plain = spent("calls", || (0..100).for_each(|_| scene.draw()));
    assert_eq!(plain, 100, "draws in steady state are one call each");
    let setters = spent("calls", || (0..100).for_each(|_| toggled()));
    assert_eq!(setters, 0, "setters reach no driver");
    let minted = spent("live_objects", || {
        (0..100).for_each(|_| {
            toggled();
            scene.draw();
        });
    });
    assert_eq!(minted, 0);
    let calls = spent("calls", || {
        gl::Enable(gl::BLEND);
        gl::Disable(gl::BLEND);
        scene.draw();
    });
    assert_eq!(calls, 1, "a toggle that ends where it began");
}

/// The same few states in turn: their objects are made in the first round.
fn lesson_07_states_in_turn_mint_no_objects(_: &Env) {
    let scene = Scene::new();
    let round = || {
        for (source, depth) in [(gl::ONE, gl::LESS), (gl::SRC_ALPHA, gl::ALWAYS), (gl::DST_COLOR, gl::GREATER)] {
            gl::Enable(gl::BLEND);
            gl::BlendFunc(source, gl::ZERO);
            gl::Enable(gl::DEPTH_TEST);
            gl::DepthFunc(depth);
            gl::PolygonOffset(1.0, 2.0);
            scene.draw();
            gl::Disable(gl::BLEND);
            gl::Disable(gl::DEPTH_TEST);
            scene.draw();
        }
    };
    round();
    assert_eq!(spent("live_objects", || (0..50).for_each(|_| round())), 0);
}

fn lesson_14_a_draw_pushes_only_what_changed(_: &Env) {
    let scene = Scene::new();
    let changes: &[(&str, &dyn Fn(i32))] = &[
        ("viewport", &|i| gl::Viewport(0, 0, 4 + i, 4)),
        ("blend colour", &|i| gl::BlendColor(i as f32, 0.0, 0.0, 0.0)),
        ("stencil reference", &|i| gl::StencilFunc(gl::ALWAYS, i + 1, 0xff)),
        ("block range", &|i| gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, scene.block, 256 * (i as isize + 1), 16)),
    ];
    for (what, change) in changes {
        let calls = spent("calls", || {
            (0..10).for_each(|i| {
                change(i);
                scene.draw();
            });
        });
        assert!(calls <= 20, "{what}: {calls} calls for 10 changes and 10 draws");
        assert!(calls >= 10, "{what}: {calls} calls for 10 draws");
    }
}

fn lesson_18_a_range_is_bound_and_not_copied(_: &Env) {
    let scene = Scene::new();
    let bind = |at: isize| gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, scene.block, 256 * (at % 32), 16);
    bind(1);
    scene.draw();
    let calls = spent("calls", || {
        (0..1000).for_each(|i| {
            bind(i);
            scene.draw();
        });
    });
    assert_eq!(calls, 2000, "a binding and a draw each");
}

/// What the device is sent for a range is at most its address.
fn lesson_18_no_bytes_are_staged_for_a_range(_: &Env) {
    let scene = Scene::new();
    let staged = spent("bytes_staged", || {
        (0..200).for_each(|i| {
            gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, scene.block, 256 * (i % 32), 16);
            scene.draw();
        });
        gl::Finish();
    });
    assert!(staged < 16 * 1024, "{staged} bytes for 200 ranges of one buffer");
}

/// A program that never presents and makes a buffer for each piece of data: what is dead is given back.
fn lesson_10_dead_buffers_are_reclaimed_without_present(env: &Env) {
    solid([1.0; 4]);
    Target::new(8, 8);
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    let one = |at: u32| {
        let name = gen_buffer();
        gl::BindBuffer(gl::ARRAY_BUFFER, name);
        let corners = [-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
        gl::BufferData(gl::ARRAY_BUFFER, 32, corners.as_ptr().cast(), gl::STREAM_DRAW);
        vertex_attrib(0, 2, 0, 0);
        if at.is_multiple_of(16) {
            gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
        }
        gl::DeleteBuffers(1, &name);
    };
    (0..100).for_each(one);
    let before = [count("live_objects"), count("live_allocations")];
    // The validation layer takes its time over each.
    let rounds = if env.lane.is_noop() { 30_000 } else { 6_000 };
    let mut most = before;
    for at in 0..rounds {
        one(at);
        if at % 500 == 0 {
            most = [most[0].max(count("live_objects")), most[1].max(count("live_allocations"))];
        }
    }
    expect_no_error("buffers");
    assert!(most[0] <= before[0] + 64, "objects: {before:?} before, {most:?} at most");
    assert!(most[1] <= before[1] + 64, "allocations: {before:?} before, {most:?} at most");
}

/// One context makes textures and buffers, uses them and waits; what another one deletes then is gone.
fn lesson_10_contexts_that_do_nothing_keep_nothing(env: &Env) {
    const COUNT: usize = 24;
    let other = env.create_context(3, 3, env.context) as usize;
    let display = env.display as usize;
    let before = count("live_allocations");
    let (made, names) = std::sync::mpsc::channel();
    let (end, wait) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let none = std::ptr::null_mut();
        let make_current =
            |context: usize| gallite_tests::egl::MakeCurrent(display as *mut _, none, none, context as *mut _);
        assert_eq!(make_current(other), 1);
        Target::new(8, 8);
        let program = program(
            SOLID_VS,
            "#version 330 core
uniform sampler2D t;
out vec4 color;
void main() { color = texture(t, vec2(0.5)); }
",
        );
        program.bind();
        let textures = [(); COUNT]
            .map(|_| texture_2d(gl::RGBA8, 256, 256, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[255_u8; 4]; 256 * 256])));
        let buffers = [(); COUNT].map(|_| buffer(gl::ARRAY_BUFFER, &vec![0_u8; 1 << 18]));
        quad();
        gl::BindTexture(gl::TEXTURE_2D, 0);
        gl::BindBuffer(gl::ARRAY_BUFFER, 0);
        gl::Finish();
        made.send((textures, buffers)).expect("the test waits");
        wait.recv().expect("the test goes on");
        // What it has bound itself it finds again.
        let texture = texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[0_u8, 255, 0, 255]]));
        gl::Finish();
        quad();
        let mut pixel = [0_u8; 4];
        gl::ReadPixels(0, 0, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, pixel.as_mut_ptr().cast());
        assert_eq!(pixel, [0, 255, 0, 255]);
        gl::DeleteTextures(1, &texture);
        assert_eq!(make_current(0), 1);
    });
    let (textures, buffers) = names.recv().expect("names");
    let with_all = count("live_allocations");
    gl::DeleteTextures(COUNT as i32, textures.as_ptr());
    gl::DeleteBuffers(COUNT as i32, buffers.as_ptr());
    gl::Finish();
    let after = count("live_allocations");
    end.send(()).expect("the thread waits");
    thread.join().expect("the other thread");
    gallite_tests::egl::DestroyContext(env.display, other as *mut _);
    assert!(with_all >= before + 2 * COUNT as u64, "{before} allocations before, {with_all} with all");
    assert!(
        after + 2 * COUNT as u64 <= with_all + 1,
        "{before} allocations before, {with_all} with all, {after} after"
    );
}

/// Attributes that no device reads as they are, from new data each time.
fn lesson_21_converted_vertices_do_not_pile_up(_: &Env) {
    Target::new(8, 8);
    solid([1.0; 4]);
    gl::BindVertexArray(gen_vertex_array());
    let round = |at: u32| {
        let doubles = [f64::from(at), 0.0, 1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.0];
        let name = buffer(gl::ARRAY_BUFFER, &doubles);
        gl::EnableVertexAttribArray(0);
        gl::VertexAttribPointer(0, 3, gl::DOUBLE, gl::FALSE, 0, std::ptr::null());
        gl::DrawArrays(gl::TRIANGLES, 0, 3);
        gl::DeleteBuffers(1, &name);
    };
    (0..20).for_each(round);
    let before = count("live_objects");
    (0..1000).for_each(round);
    expect_no_error("draws");
    let after = count("live_objects");
    assert!(after <= before + 64, "{before} objects before, {after} after");
}

/// Two passes over the same draws: the second finds every pipeline.
fn lesson_20_pipelines_are_made_once(_: &Env) {
    let target = Target::new(8, 8);
    let round = || {
        for depth in [gl::LESS, gl::ALWAYS] {
            for source in [gl::ONE, gl::SRC_ALPHA] {
                gl::Enable(gl::BLEND);
                gl::BlendFunc(source, gl::ONE);
                gl::DepthFunc(depth);
                quad();
            }
            gl::Disable(gl::BLEND);
            quad();
        }
    };
    solid([0.0; 4]);
    round();
    assert!(count("pipelines_created") > 0, "the counter counts");
    assert_eq!(spent("pipelines_created", round), 0);
    target.image().expect_all([0; 4]);
}

/// Frames that each upload, draw and read back: allocations and objects stay level.
fn lesson_21_frames_do_not_pile_up(_: &Env) {
    let target = Target::new(32, 32);
    let scene = Scene::new();
    target.bind();
    let frame = |at: usize| {
        let texels = vec![[at as u8, 0, 0, 255_u8]; 32 * 32];
        gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 32, 32, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
        target.clear([0.0; 4]);
        scene.draw();
        target.image().expect(0, 0, [at as u8, 0, 0, 255]);
    };
    (0..20).for_each(frame);
    let before = [count("live_objects"), count("live_allocations")];
    (0..120).for_each(frame);
    let after = [count("live_objects"), count("live_allocations")];
    assert!(after[0] <= before[0] + 8 && after[1] <= before[1] + 4, "{before:?} before, {after:?} after");
}

/// A hundred small rectangles of one image: those that do not touch each other need no order, and one that covers another does.
fn lesson_17_many_small_uploads_land(_: &Env) {
    let texture = texture_2d(gl::RGBA8, 64, 64, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[9_u8; 4]; 64 * 64]));
    let write = |x: i32, y: i32, texel: [u8; 4]| {
        let texels = [texel; 4];
        gl::TexSubImage2D(gl::TEXTURE_2D, 0, x, y, 2, 2, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    };
    let hundred = || (0..100).for_each(|at| write(at % 10 * 6, at / 10 * 6, [at as u8, 1, 2, 255]));
    assert_eq!(carried_out(["barriers"], hundred), [0]);
    let covered = || {
        write(0, 0, [7; 4]);
        write(0, 0, [0, 1, 2, 255]);
    };
    assert_eq!(carried_out(["barriers"], covered), [1], "the counter counts");
    let target = Target::new(64, 64);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
    target.image().expect_each(|x, y| {
        let inside = x % 6 < 2 && y % 6 < 2 && x < 60 && y < 60;
        if inside { [(x / 6 + 10 * (y / 6)) as u8, 1, 2, 255] } else { [9; 4] }
    });
}
