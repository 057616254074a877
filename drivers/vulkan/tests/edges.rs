//! The edges of what a device takes: rectangles out of bounds, targets without room, waits of several threads.

mod support;

use gallite_pipe::*;
use support::{FLAT, Glsl, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn viewport(x: f32, y: f32, width: f32, height: f32) -> Viewport {
    let f = F32::new;
    Viewport { x: f(x), y: f(y), width: f(width), height: f(height), far: f(1.0), ..Default::default() }
}

/// GL clamps a viewport's position and its size, each on its own (GL 4.6 core 13.8.1), so the rectangle may reach out of
/// the bounds Vulkan has for it. Nothing of it is seen then, and the next one is drawn as ever.
#[test]
fn viewports_out_of_bounds_show_nothing() {
    for flags in [TextureFlags::EMPTY, TextureFlags::SURFACE_ORIENTED] {
        let Some(mut rig) = Rig::new() else { return };
        let target = rig.texture_with(TextureDesc {
            format: RGBA8,
            dim: TextureDim::D2,
            flags,
            width: 8,
            height: 8,
            depth: 1,
            layers: 1,
            levels: 1,
            samples: 1,
            bind: Bind::SAMPLED | Bind::COLOR,
        });
        rig.target(target, RGBA8, 8, 8);
        rig.program(FLAT, flat_desc(), &[]);
        rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
        rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
        rig.clear([0.0; 4]);
        for out in [
            viewport(20000.0, 0.0, 16384.0, 100.0),
            viewport(0.0, 20000.0, 100.0, 16384.0),
            viewport(0.0, -32768.0, 8.0, 8.0),
            viewport(32767.0, 32767.0, 1.0, 1.0),
            viewport(0.0, 0.0, 0.0, 8.0),
            viewport(0.0, 0.0, f32::NAN, 8.0),
        ] {
            rig.context.set_viewports(0, &[out]);
            rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        }
        assert_eq!(rig.read(target, 8, 8, 4), [0; 256], "{flags:?}");
        rig.context.set_viewports(0, &[viewport(0.0, 0.0, 8.0, 8.0)]);
        rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        assert_eq!(rig.read(target, 8, 8, 4), [255; 256], "{flags:?}");
        rig.finish();
    }
}

/// A target whose range is not in its buffer, or is none at all, takes no byte: of nobody's memory (GL 4.6 core 13.3.2).
#[test]
fn capture_without_room_writes_nothing() {
    let Some(mut rig) = Rig::new() else { return };
    if !rig.screen.caps().features.contains(Features::TRANSFORM_FEEDBACK) {
        return;
    }
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.glsl(&Glsl {
        vertex: "#version 330 core
            layout(location = 0) in vec2 p; layout(location = 1) in vec4 unfed; out float one; out vec4 other;
            void main() { one = 1.0; other = unfed; gl_Position = vec4(p, 0.0, 1.0); }",
        geometry: None,
        fragment: "#version 330 core
            in vec4 other; out vec4 c; void main() { c = other; }",
        captured: &["one"],
    });
    rig.vertices(&[[-0.9, -0.9], [0.9, -0.9], [-0.9, 0.9], [0.9, 0.9]]);
    // As many as share a piece of memory, one beside the other.
    let buffers: Vec<BufferId> = (0..8).map(|_| rig.buffer(&[0xaa; 256])).collect();
    let ranges = [(256, 64), (4096, 64), (254, 64), (0, 0), (128, 3)];
    let mut targets: Vec<XfbTargetId> = Vec::new();
    for (offset, size) in ranges {
        let id = rig.xfb_id();
        rig.screen.create_xfb_target(id, &XfbTargetDesc { buffer: buffers[3], offset: offset & !3, size });
        targets.push(id);
    }
    targets.push(XfbTargetId::NULL);
    for id in targets {
        rig.context.set_xfb_targets(&[XfbBinding { target: id, append: 0, reserved: 0 }]);
        rig.draw(PrimitiveMode::POINTS, 4);
        rig.context.set_xfb_targets(&[]);
    }
    for (at, buffer) in buffers.iter().enumerate() {
        let mut bytes = [0; 256];
        rig.context.buffer_read(*buffer, 0, &mut bytes);
        // Of the range at 252 the last word is there.
        let untouched = if at == 3 { 252 } else { 256 };
        assert_eq!(bytes[..untouched], [0xaa; 256][..untouched], "buffer {at}");
    }
    // The zeros that an input without a source reads are still zeros.
    rig.clear([0.5; 4]);
    rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
    assert_eq!(Rig::pixel(&rig.read(target, 4, 4, 4), 4, 2, 2)[..3], [0, 0, 0]);
    rig.finish();
}

/// Where there are no timeline semaphores, one thread's end of a wait must not destroy what another waits for.
#[test]
fn several_threads_wait_for_one_fence() {
    let Some(mut rig) = Rig::without(&["timeline"]) else { return };
    let target = rig.texture(RGBA8, 256, 256);
    rig.target(target, RGBA8, 256, 256);
    rig.program(FLAT, flat_desc(), &[]);
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    for _ in 0..40 {
        for _ in 0..20 {
            rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        }
        let fence = rig.fence_id();
        rig.context.flush(fence, FlushFlags::EMPTY);
        let screen = &rig.screen;
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(move || assert_eq!(screen.fence_wait(fence, u64::MAX), WaitStatus::SIGNALED));
            }
        });
        rig.screen.destroy_fence(fence);
    }
    rig.finish();
}

/// What is uploaded after contents were given up is loaded by the next pass.
#[test]
fn uploads_after_contents_were_given_up_count() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    rig.vertices(&[[-1.0, -1.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 0.0]]);
    for busy in [false, true] {
        if busy {
            // The upload can't be moved before what the batch did with the texture.
            rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        } else {
            rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
        }
        rig.context.invalidate(&InvalidateInfo { color_attachments: 1, ..Default::default() });
        rig.context.texture_write(&Rig::whole(target, 4, 4, 4), &[200; 64]);
        let before = rig.screen.counters().attachment_loads;
        rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        assert_eq!(Rig::pixel(&rig.read(target, 4, 4, 4), 4, 3, 3), [200; 4]);
        assert!(rig.screen.counters().attachment_loads > before, "busy: {busy}");
    }
    rig.finish();
}

/// A context that never flushes still hands its work over: the memory of storage that was given up, and of the commands,
/// comes back.
#[test]
fn batches_end_without_a_flush() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    rig.vertices(&[[-1.0, -1.0], [0.0, -1.0], [-1.0, 0.0]]);
    let before = rig.screen.counters().submits;
    for _ in 0..70_000 {
        rig.draw(PrimitiveMode::TRIANGLES, 3);
    }
    assert!(rig.screen.counters().submits > before, "commands");
    rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
    // Storage that the host writes: each write of a buffer in use gets it fresh storage and stages nothing.
    let bytes = vec![0; 8 << 20];
    let (from, to) = (rig.buffer_id(), rig.buffer(&bytes));
    let desc = BufferDesc { size: bytes.len() as u64, usage: BufferUsage::STREAM, ..Default::default() };
    rig.screen.create_buffer(from, &desc);
    let copy = CopyBuffer { source: from, destination: to, size: 4096, ..Default::default() };
    let before = rig.screen.counters();
    for _ in 0..80 {
        rig.context.buffer_write(from, 0, MapFlags::EMPTY, &bytes);
        rig.context.copy_buffer(&copy);
    }
    let after = rig.screen.counters();
    assert!(after.submits > before.submits, "storage given up");
    rig.finish();
}

/// What other contexts destroyed is not kept by one that has nothing to do, or that no thread has.
#[test]
fn idle_contexts_keep_no_dead_objects() {
    let Some(mut rig) = Rig::new() else { return };
    let mut idle = rig.screen.create_context(ContextFlags::DEBUG).expect("a context");
    let desc = Rig::plain(RGBA8, 512, 512, Bind::SAMPLED | Bind::COLOR);
    for flags in [FlushFlags::EMPTY, FlushFlags::RELEASED] {
        let textures: Vec<TextureId> = (0..8).map(|_| rig.texture_with(desc)).collect();
        for texture in &textures {
            let mut texel = [0; 4];
            assert_eq!(idle.texture_read(&Rig::whole(*texture, 1, 1, 4), &mut texel), Outcome::DONE);
        }
        let held = rig.screen.counters().live_allocations;
        if flags == FlushFlags::RELEASED {
            idle.flush(FenceId::NULL, flags);
        }
        for texture in textures {
            rig.screen.destroy_texture(texture);
        }
        if flags == FlushFlags::EMPTY {
            idle.flush(FenceId::NULL, flags);
        }
        rig.clear([0.0; 4]);
        rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
        let left = rig.screen.counters().live_allocations;
        assert!(left + 8 <= held, "{held} allocations, then {left}, {flags:?}");
    }
    drop(idle);
    rig.finish();
}

/// A slot whose buffer is gone is empty: nothing of it is kept or drawn with.
#[test]
fn dead_buffers_leave_their_bindings() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    let large = rig.buffer(&vec![0; 1 << 20]);
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    rig.context.set_vertex_buffers(&[VertexBuffer { buffer: large, offset: 0 }]);
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    rig.read(target, 4, 4, 4);
    let held = rig.screen.counters().live_allocations;
    rig.screen.destroy_buffer(large);
    rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
    assert!(rig.screen.counters().live_allocations < held, "the slot keeps no storage");
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    rig.read(target, 4, 4, 4);
    rig.finish();
}

/// Bits of the sample mask past the framebuffer's samples make no pipelines.
#[test]
fn sample_masks_differ_in_the_samples_there_are() {
    let Some(mut rig) = Rig::without(&["eds3"]) else { return };
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    let before = rig.screen.counters().pipelines_created;
    for bits in 0..40 {
        rig.context.set_sample_mask(bits << 1 | 1);
        rig.draw(PrimitiveMode::TRIANGLES, 3);
    }
    rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
    assert_eq!(rig.screen.counters().pipelines_created, before);
    rig.finish();
}

/// Without null descriptors a draw that lacks a texture is dropped. So is the next, and the first that has one draws with
/// everything that was set before.
#[test]
fn draws_after_a_dropped_one_have_all_their_bindings() {
    let Some(mut rig) = Rig::without(&["null_descriptor"]) else { return };
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.glsl(&Glsl {
        vertex: "#version 330 core
            layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
        geometry: None,
        fragment: "#version 330 core
            uniform vec4 tint; uniform sampler2D source;
            layout(location = 0) out vec4 c; void main() { c = tint * texture(source, vec2(0.5)); }",
        captured: &[],
    });
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32, 0.0, 1.0, 1.0]));
    rig.clear([0.0; 4]);
    rig.full_quad();
    rig.full_quad();
    let source = rig.texture(RGBA8, 1, 1);
    rig.context.texture_write(&Rig::whole(source, 1, 1, 4), &[255; 4]);
    let sample = |rig: &mut Rig| rig.sample(0, Rig::view(source, RGBA8), SamplerState::default());
    assert_eq!(rig.read(target, 4, 4, 4), [0; 64]);
    // A batch that begins with a dropped draw: the next one finds nothing of it.
    rig.full_quad();
    sample(&mut rig);
    rig.full_quad();
    assert_eq!(rig.read(target, 4, 4, 4), [255, 0, 255, 255].repeat(16));
    rig.finish();
}

/// Devices without VK_EXT_robustness2 are robust too (GL 4.6 core 6.4): their small buffers have native ones of their own.
#[test]
fn robust_access_needs_no_second_extension() {
    for without in [&[][..], &["robust_buffer_access2"]] {
        let Some(mut rig) = Rig::without(without) else { return };
        assert!(rig.screen.caps().features.contains(Features::ROBUST_BUFFER_ACCESS), "without {without:?}");
        let target = rig.texture(RGBA8, 8, 8);
        rig.target(target, RGBA8, 8, 8);
        rig.program(FLAT, flat_desc(), &[]);
        rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
        rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
        rig.clear([0.0; 4]);
        rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        assert_eq!(rig.read(target, 8, 8, 4), [255; 256], "without {without:?}");
        rig.finish();
    }
}
