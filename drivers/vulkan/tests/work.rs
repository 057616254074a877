//! How much is recorded: passes, barriers and memory, counted.

mod support;

use gallite_pipe::*;
use support::{FLAT, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

/// The counters after all that is recorded went to the device.
fn counters(rig: &mut Rig) -> Counters {
    let fence = rig.fence_id();
    rig.context.flush(fence, FlushFlags::EMPTY);
    rig.screen.fence_wait(fence, u64::MAX);
    rig.screen.destroy_fence(fence);
    rig.screen.counters()
}

/// A framebuffer and a program whose draws cover all of it with green.
fn canvas(rig: &mut Rig) -> TextureId {
    let target = rig.texture(RGBA8, 16, 16);
    rig.target(target, RGBA8, 16, 16);
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[0.0f32, 1.0, 0.0, 1.0]));
    target
}

/// `between` runs between two draws to one framebuffer; how many passes there are.
fn passes(rig: &mut Rig, between: impl FnOnce(&mut Rig)) -> u64 {
    let before = counters(rig).render_passes;
    rig.full_quad();
    between(rig);
    rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
    counters(rig).render_passes - before
}

fn write_rectangle(rig: &mut Rig, texture: TextureId, x: u32, y: u32, value: u8) {
    let mut transfer = Rig::whole(texture, 2, 2, 4);
    (transfer.region.x, transfer.region.y) = (x, y);
    rig.context.texture_write(&transfer, &[value; 16]);
}

/// A hundred rectangles of a 64x64 texture that do not touch each other.
fn write_hundred(rig: &mut Rig, texture: TextureId, first: u8) {
    for at in 0..100 {
        write_rectangle(rig, texture, at % 10 * 6, at / 10 * 6, first + at as u8);
    }
}

fn check_hundred(bytes: &[u8], first: u8) {
    for at in 0..100 {
        assert_eq!(Rig::pixel(bytes, 64, at % 10 * 6 + 1, at / 10 * 6 + 1), [first + at as u8; 4]);
    }
}

/// Uploads, copies and fills of what the pass does not use are recorded before it.
#[test]
fn transfers_that_can_run_before_the_pass_do_not_split_it() {
    let Some(mut rig) = Rig::new() else { return };
    let target = canvas(&mut rig);
    let (pixels, bytes) = (rig.buffer(&[7; 1024]), rig.buffer(&[9; 1024]));
    let (texture, other) = (rig.texture(RGBA8, 16, 16), rig.texture(RGBA8, 16, 16));
    let whole = Rig::whole(texture, 16, 16, 4);
    assert_eq!(passes(&mut rig, |_| ()), 1);
    let split =
        passes(&mut rig, |rig| assert_eq!(rig.context.texture_write_from_buffer(pixels, 0, &whole), Outcome::DONE));
    assert_eq!(split, 1, "an upload from a buffer");
    let copy = CopyBuffer { source: pixels, destination: bytes, size: 512, ..Default::default() };
    assert_eq!(passes(&mut rig, |rig| rig.context.copy_buffer(&copy)), 1, "a copy");
    let fill =
        ClearBuffer { buffer: bytes, offset: 512, size: 512, value: [0x0303_0303; 4], value_size: 4, reserved: 0 };
    assert_eq!(passes(&mut rig, |rig| rig.context.clear_buffer(&fill)), 1, "a fill");
    let copy = CopyImage {
        source: texture,
        destination: other,
        source_box: TextureBox { width: 16, height: 16, depth: 1, ..Default::default() },
        ..Default::default()
    };
    assert_eq!(passes(&mut rig, |rig| rig.context.copy_image(&copy)), 1, "a copy of texels");
    let into = Rig::whole(other, 16, 16, 4);
    let split = passes(&mut rig, |rig| {
        // One after the other, each of what the one before wrote.
        rig.context.texture_write(&whole, &[5; 1024]);
        rig.context.copy_image(&copy);
        assert_eq!(rig.context.texture_read_to_buffer(bytes, 0, &into), Outcome::DONE);
    });
    assert_eq!(split, 1, "a chain");
    let mut seen = [0; 1024];
    rig.context.buffer_read(bytes, 0, &mut seen);
    assert_eq!(seen, [5; 1024]);
    // What the pass draws to is read after it.
    let drawn = Rig::whole(target, 16, 16, 4);
    let split = passes(&mut rig, |rig| {
        assert_eq!(rig.context.texture_read_to_buffer(bytes, 0, &drawn), Outcome::DONE);
    });
    assert_eq!(split, 2, "a copy of what was drawn");
    rig.context.buffer_read(bytes, 0, &mut seen);
    assert_eq!(seen[..4], [0, 255, 0, 255]);
    rig.finish();
}

/// A buffer that main wrote is not read early.
#[test]
fn copies_stay_behind_what_they_read() {
    let Some(mut rig) = Rig::new() else { return };
    canvas(&mut rig);
    let (a, b, c) = (rig.buffer(&[1; 64]), rig.buffer(&[2; 64]), rig.buffer(&[3; 64]));
    let copy = |rig: &mut Rig, source, destination| {
        rig.context.copy_buffer(&CopyBuffer { source, destination, size: 64, ..Default::default() });
    };
    rig.full_quad();
    copy(&mut rig, a, b);
    copy(&mut rig, b, c);
    // Early read a, and early wrote b, which this follows.
    copy(&mut rig, c, a);
    let mut bytes = [0; 64];
    rig.context.buffer_read(a, 0, &mut bytes);
    assert_eq!(bytes, [1; 64]);
    rig.context.buffer_write(a, 0, MapFlags::EMPTY, &[4; 32]);
    rig.context.buffer_write(b, 0, MapFlags::EMPTY, &[5; 32]);
    copy(&mut rig, a, b);
    rig.context.buffer_read(b, 0, &mut bytes);
    assert_eq!((bytes[0], bytes[63]), (4, 1));
    rig.finish();
}

/// Stores are what a memory barrier is for; everything else is ordered without one.
#[test]
fn barriers_and_queries_without_stores_do_not_split_a_pass() {
    let Some(mut rig) = Rig::new() else { return };
    canvas(&mut rig);
    let split = passes(&mut rig, |rig| rig.context.memory_barrier(BarrierFlags::ALL));
    assert_eq!(split, 1, "a memory barrier");
    let query = rig.query_id();
    rig.screen.create_query(query, &QueryDesc { kind: QueryKind::OCCLUSION, ..Default::default() });
    let split = passes(&mut rig, |rig| {
        rig.context.begin_query(query);
        rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        rig.context.end_query(query);
    });
    assert_eq!(split, 1, "a query");
    let result = rig.context.query_result(query, 1);
    assert_eq!((result.ready, result.value), (1, 256));
    rig.finish();
}

/// Rectangles that do not touch each other need no order among them, those that do land in theirs.
#[test]
fn small_uploads_to_one_image_are_gathered() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture(RGBA8, 64, 64);
    rig.context.texture_write(&Rig::whole(texture, 64, 64, 4), &[200; 64 * 64 * 4]);
    let before = counters(&mut rig).barriers;
    write_hundred(&mut rig, texture, 0);
    assert_eq!(counters(&mut rig).barriers - before, 0, "a hundred regions of one copy");
    check_hundred(&rig.read(texture, 64, 64, 4), 0);
    let before = counters(&mut rig).barriers;
    write_rectangle(&mut rig, texture, 0, 0, 1);
    write_rectangle(&mut rig, texture, 2, 0, 2);
    write_rectangle(&mut rig, texture, 1, 0, 3);
    write_rectangle(&mut rig, texture, 8, 0, 4);
    assert_eq!(counters(&mut rig).barriers - before, 1, "one overlaps what came before it");
    let bytes = rig.read(texture, 64, 64, 4);
    let row: Vec<u8> = (0..4).map(|x| Rig::pixel(&bytes, 64, x, 0)[0]).collect();
    assert_eq!(row, [1, 3, 3, 2]);
    rig.finish();
}

/// The same of an image that the batch has drawn to already.
#[test]
fn small_uploads_behind_a_draw_are_gathered() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture(RGBA8, 64, 64);
    rig.target(texture, RGBA8, 64, 64);
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[0.0f32, 1.0, 0.0, 1.0]));
    let before = counters(&mut rig).barriers;
    rig.full_quad();
    write_hundred(&mut rig, texture, 100);
    assert_eq!(counters(&mut rig).barriers - before, 1, "behind the draw");
    let bytes = rig.read(texture, 64, 64, 4);
    check_hundred(&bytes, 100);
    assert_eq!(Rig::pixel(&bytes, 64, 3, 3), [0, 255, 0, 255]);
    rig.full_quad();
    write_rectangle(&mut rig, texture, 0, 0, 1);
    write_rectangle(&mut rig, texture, 1, 0, 2);
    rig.draw(PrimitiveMode::TRIANGLE_STRIP, 1);
    write_rectangle(&mut rig, texture, 8, 0, 3);
    let bytes = rig.read(texture, 64, 64, 4);
    let row: Vec<u8> = [0, 1, 2, 8].map(|x| Rig::pixel(&bytes, 64, x, 0)[0]).to_vec();
    assert_eq!(row, [1, 2, 2, 3]);
    rig.finish();
}

/// Memory that is read back through is used again once the device is done with it, and does not pile up.
#[test]
fn reads_use_their_memory_again() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture(RGBA8, 512, 512);
    let buffer = rig.buffer(&vec![3; 1 << 20]);
    let read = |rig: &mut Rig| {
        rig.context.clear_texture(&ClearTexture {
            texture,
            level: 0,
            aspect: TransferAspect::WHOLE,
            region: TextureBox { width: 512, height: 512, depth: 1, ..Default::default() },
            value: [0x0504_0302, 0, 0, 0],
        });
        assert_eq!(rig.read(texture, 512, 512, 4)[..4], [2, 3, 4, 5]);
        let mut bytes = vec![0; 1 << 20];
        rig.context.buffer_read(buffer, 0, &mut bytes);
        assert_eq!((bytes[0], bytes[(1 << 20) - 1]), (3, 3));
        let map = rig.context.buffer_map(buffer, 0, 1 << 19, MapFlags::READ).expect("a mapping");
        assert!(map.read(0, &mut bytes[..16]));
        assert!(rig.context.buffer_unmap(buffer));
    };
    (0..3).for_each(|_| read(&mut rig));
    let before = rig.screen.counters();
    (0..100).for_each(|_| read(&mut rig));
    let after = rig.screen.counters();
    assert_eq!(after.allocations_made - before.allocations_made, 0);
    assert_eq!(after.live_allocations, before.live_allocations);
    // Of many sizes some are kept.
    for width in (64..=512).step_by(7) {
        rig.context.texture_read(&Rig::whole(texture, width, 512, 4), &mut vec![0; width as usize * 512 * 4]);
    }
    assert!(rig.screen.counters().live_allocations <= before.live_allocations + 8);
    rig.finish();
}
