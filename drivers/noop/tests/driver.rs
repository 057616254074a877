//! What the no-op driver promises: bytes are kept, nothing is executed, stale handles are told.

use gallite_noop::NoopScreen;
use gallite_pipe::*;

fn buffer(screen: &NoopScreen, slot: u32, bytes: &[u8], context: &mut dyn Context) -> BufferId {
    let id = BufferId::from_parts(slot, 1);
    screen.create_buffer(id, &BufferDesc { size: bytes.len() as u64, ..BufferDesc::default() });
    context.buffer_write(id, 0, MapFlags::EMPTY, bytes);
    id
}

fn read(context: &mut dyn Context, id: BufferId, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    assert_eq!(context.buffer_read(id, 0, &mut bytes), Outcome::DONE);
    bytes
}

#[test]
fn buffers_copy_fill_and_map() {
    let screen = NoopScreen::new();
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let a = buffer(&screen, 1, &[1, 2, 3, 4], &mut *context);
    let b = buffer(&screen, 2, &[0; 4], &mut *context);
    context.copy_buffer(&CopyBuffer { source: a, destination: b, source_offset: 1, destination_offset: 0, size: 2 });
    let value = [u32::from_ne_bytes([9, 8, 0, 0]), 0, 0, 0];
    context.clear_buffer(&ClearBuffer { buffer: b, offset: 2, size: 2, value, value_size: 2, reserved: 0 });
    assert_eq!(read(&mut *context, b, 4), [2, 3, 9, 8]);
    let map = context.buffer_map(b, 1, 3, MapFlags::WRITE).unwrap();
    assert!(map.write(2, &[7]));
    assert!(context.buffer_unmap(b));
    assert_eq!(read(&mut *context, b, 4), [2, 3, 9, 7]);
}

#[test]
fn texels_pass_through_buffers_and_images() {
    let screen = NoopScreen::new();
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let desc = TextureDesc {
        format: Format::R8_UNORM,
        dim: TextureDim::D2,
        width: 4,
        height: 2,
        depth: 1,
        layers: 1,
        levels: 1,
        samples: 1,
        ..TextureDesc::default()
    };
    let (a, b) = (TextureId::from_parts(1, 1), TextureId::from_parts(2, 1));
    screen.create_texture(a, &desc);
    screen.create_texture(b, &desc);
    let source = buffer(&screen, 1, &[0, 1, 2, 3, 4, 5, 6, 7, 8], &mut *context);
    let whole = TextureBox { width: 4, height: 2, depth: 1, ..TextureBox::default() };
    let transfer = TextureTransfer { texture: a, region: whole, row_stride: 4, ..TextureTransfer::default() };
    assert_eq!(context.texture_write_from_buffer(source, 1, &transfer), Outcome::DONE);
    let part = TextureBox { x: 1, width: 2, height: 2, depth: 1, ..TextureBox::default() };
    context.copy_image(&CopyImage { source: a, destination: b, source_box: part, x: 2, ..CopyImage::default() });
    let mut bytes = [9; 8];
    context.texture_read(&TextureTransfer { texture: b, ..transfer }, &mut bytes);
    assert_eq!(bytes, [0, 0, 2, 3, 0, 0, 6, 7]);
    let region = TextureBox { width: 1, height: 1, depth: 1, ..TextureBox::default() };
    context.clear_texture(&ClearTexture { texture: b, region, value: [0xAA, 0, 0, 0], ..ClearTexture::default() });
    let back = buffer(&screen, 3, &[1; 9], &mut *context);
    let spread = TextureTransfer { texture: b, row_stride: 5, ..transfer };
    context.texture_read_to_buffer(back, 0, &spread);
    assert_eq!(read(&mut *context, back, 9), [0xAA, 0, 2, 3, 1, 0, 0, 6, 7]);
}

#[test]
fn calls_draws_and_objects_are_counted() {
    let screen = NoopScreen::new();
    let before = screen.counters();
    let blend = BlendId::from_parts(1, 1);
    screen.create_blend(blend, &BlendState::default());
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    context.bind_blend(blend);
    context.draw(&DrawInfo::default(), &[DrawRange::default(); 3], &[]);
    let during = screen.counters();
    assert_eq!(during.draws - before.draws, 3);
    assert_eq!(during.live_objects, 1);
    drop(context);
    screen.destroy_blend(blend);
    let after = screen.counters();
    assert_eq!(after.draws, during.draws);
    assert_eq!(after.live_objects, 0);
    assert!(after.calls > before.calls);
}

#[test]
fn a_stale_handle_reads_zeros_and_is_told() {
    let screen = NoopScreen::new();
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let old = buffer(&screen, 1, &[5; 4], &mut *context);
    screen.destroy_buffer(old);
    screen.create_buffer(BufferId::from_parts(1, 2), &BufferDesc { size: 4, ..BufferDesc::default() });
    context.buffer_write(old, 0, MapFlags::EMPTY, &[6; 4]);
    assert_eq!(read(&mut *context, old, 4), [0; 4]);
    let mut message = [0; 128];
    let event = screen.poll_event(&mut message);
    assert_eq!((event.kind, event.slot, event.generation), (EventKind::LOG, 1, 1));
    assert_eq!(text(&message), "buffer_write: BufferId(1v1) is not alive");
}

#[test]
fn too_large_a_buffer_is_out_of_memory() {
    let screen = NoopScreen::new();
    let id = BufferId::from_parts(1, 1);
    screen.create_buffer(id, &BufferDesc { size: u64::MAX / 2, ..BufferDesc::default() });
    assert_eq!(screen.buffer_status(id), Outcome::OUT_OF_MEMORY);
    assert_eq!(screen.poll_event(&mut []).kind, EventKind::OUT_OF_MEMORY);
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    assert!(context.buffer_map(id, 0, 16, MapFlags::READ).is_none());
}
