//! Devices that fail: memory that runs out, and the loss of the device itself.

mod support;

use gallite_pipe::*;
use gallite_vulkan::Faults;
use support::{FLAT, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn events(rig: &Rig) -> Vec<EventKind> {
    let mut text = [0; 256];
    std::iter::from_fn(|| Some(rig.screen.poll_event(&mut text).kind).filter(|kind| *kind != EventKind::NONE)).collect()
}

/// Each upload takes a quarter of the memory there is: it waits for the ones before to be carried out.
#[test]
fn uploads_wait_for_room() {
    let Some(mut rig) = Rig::faulty(Faults { memory: 20 << 20, ..Faults::default() }) else { return };
    let texture = rig.texture(RGBA8, 1024, 1024);
    for value in 1..=12_u8 {
        let texels = vec![value; 4 << 20];
        rig.context.texture_write(&Rig::whole(texture, 1024, 1024, 4), &texels);
    }
    assert_eq!(rig.screen.texture_status(texture), Outcome::DONE);
    assert!(!events(&rig).contains(&EventKind::OUT_OF_MEMORY));
    assert!(rig.read(texture, 1024, 1024, 4).iter().all(|byte| *byte == 12));
    rig.finish();
}

/// Objects that were given up make room for new ones, as soon as the work that uses them has been carried out.
#[test]
fn objects_wait_for_room() {
    let Some(mut rig) = Rig::faulty(Faults { memory: 20 << 20, ..Faults::default() }) else { return };
    for _ in 0..12 {
        let texture = rig.texture(RGBA8, 1024, 1024);
        assert_eq!(rig.screen.texture_status(texture), Outcome::DONE);
        rig.target(texture, RGBA8, 1024, 1024);
        rig.clear([1.0; 4]);
        rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
        rig.screen.destroy_texture(texture);
    }
    assert!(!events(&rig).contains(&EventKind::OUT_OF_MEMORY));
    rig.finish();
}

/// A small buffer that needs a new slab when there is no memory is refused, while pieces of other slabs wait to be freed.
#[test]
fn small_buffers_are_refused_in_order() {
    let Some(mut rig) = Rig::faulty(Faults { memory: 8 << 20, ..Faults::default() }) else { return };
    let desc = |size| BufferDesc { size, usage: BufferUsage::STREAM, ..Default::default() };
    let mut made = Vec::new();
    loop {
        let id = rig.buffer_id();
        rig.screen.create_buffer(id, &desc(64 << 10));
        if rig.screen.buffer_status(id) != Outcome::DONE {
            break;
        }
        made.push(id);
        assert!(made.len() < 1000, "the memory never ends");
    }
    assert!(events(&rig).contains(&EventKind::OUT_OF_MEMORY));
    // All of them are used by work that is done when another size is asked for.
    for pair in made.chunks_exact(2) {
        let copy = CopyBuffer { source: pair[0], destination: pair[1], size: 64 << 10, ..Default::default() };
        rig.context.copy_buffer(&copy);
    }
    for id in &made {
        rig.screen.destroy_buffer(*id);
    }
    let fence = rig.fence_id();
    rig.context.flush(fence, FlushFlags::EMPTY);
    assert_eq!(rig.screen.fence_wait(fence, u64::MAX), WaitStatus::SIGNALED);
    for size in [256, 1 << 10, 4 << 10, 16 << 10] {
        let id = rig.buffer_id();
        rig.screen.create_buffer(id, &desc(size));
        let status = rig.screen.buffer_status(id);
        assert!(status == Outcome::DONE || status == Outcome::OUT_OF_MEMORY, "{status:?}");
    }
    let id = rig.buffer_id();
    rig.screen.create_buffer(id, &desc(64 << 10));
    assert_eq!(rig.screen.buffer_status(id), Outcome::DONE, "a piece that was freed");
    rig.finish();
}

/// After the loss every call returns, reads say so, and it is announced once.
#[test]
fn a_lost_device_is_announced_once() {
    let Some(mut rig) = Rig::faulty(Faults { lost_at: 2, ..Faults::default() }) else { return };
    let target = rig.texture(RGBA8, 8, 8);
    rig.target(target, RGBA8, 8, 8);
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    rig.clear([0.0; 4]);
    assert_eq!(rig.read(target, 8, 8, 4), [0; 256]);
    assert_eq!(rig.screen.reset_status(), ResetStatus::NONE);
    for _ in 0..3 {
        rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        let mut bytes = [9; 256];
        let outcome = rig.context.texture_read(&Rig::whole(target, 8, 8, 4), &mut bytes);
        assert_eq!(outcome, Outcome::DEVICE_LOST);
        let fence = rig.fence_id();
        rig.context.flush(fence, FlushFlags::EMPTY);
        assert_ne!(rig.screen.fence_wait(fence, u64::MAX), WaitStatus::TIMEOUT);
    }
    assert_eq!(rig.screen.reset_status(), ResetStatus::UNKNOWN);
    assert_eq!(rig.screen.texture_status(target), Outcome::DEVICE_LOST);
    assert_eq!(events(&rig).iter().filter(|kind| **kind == EventKind::DEVICE_LOST).count(), 1);
    assert!(rig.screen.create_context(ContextFlags::EMPTY).is_err());
    rig.finish();
}

/// What the validation layer says is heard: of a call that Vulkan does not allow, and of work that lacks a barrier between.
#[test]
fn broken_rules_are_counted() {
    let messages = |faults: Faults| {
        let mut rig = Rig::faulty(faults)?;
        let (a, b) = (rig.buffer(&[1; 64]), rig.buffer(&[2; 64]));
        let copy = |rig: &mut Rig, source, destination| {
            rig.context.copy_buffer(&CopyBuffer { source, destination, size: 64, ..Default::default() });
        };
        let mut bytes = [0; 64];
        copy(&mut rig, a, b);
        copy(&mut rig, b, a);
        rig.context.buffer_read(b, 0, &mut bytes);
        let Rig { screen, context, .. } = rig;
        drop(context);
        Some(screen.counters().validation_messages)
    };
    let Some(none) = messages(Faults::default()) else { return };
    assert_eq!(none, 0);
    assert_eq!(messages(Faults { invalid_call: true, ..Faults::default() }), Some(1));
    assert!(
        messages(Faults { no_barriers: true, ..Faults::default() }) > Some(0),
        "a copy of what was copied, unordered"
    );
}
