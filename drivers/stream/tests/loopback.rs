//! The stream over the no-op driver: what goes in comes out, and bytes that were tampered with end the session by name.

use std::sync::Arc;

use gallite_noop::NoopScreen;
use gallite_pipe::codec::{Opcode, Writer, encode};
use gallite_pipe::*;
use gallite_stream::{Server, StreamError, StreamScreen};

fn screen() -> StreamScreen {
    StreamScreen::new(Arc::new(NoopScreen::new()))
}

fn buffer(screen: &dyn Screen, slot: u32, size: u64) -> BufferId {
    let id = BufferId::from_parts(slot, 1);
    screen.create_buffer(id, &BufferDesc { size, ..BufferDesc::default() });
    id
}

#[test]
fn calls_replies_and_names_pass() {
    let screen = screen();
    let caps = screen.caps();
    assert_eq!(text(&caps.driver_name), "stream:noop");
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let id = buffer(&screen, 1, 8);
    context.buffer_write(id, 2, MapFlags::EMPTY, &[1, 2, 3]);
    let mut bytes = [9; 8];
    assert_eq!(context.buffer_read(id, 0, &mut bytes), Outcome::DONE);
    assert_eq!(bytes, [0, 0, 1, 2, 3, 0, 0, 0]);
    context.draw(&DrawInfo { instance_count: 1, ..DrawInfo::default() }, &[DrawRange::default(); 2], &[]);
    assert_eq!(screen.counters().draws, 2);
    assert_eq!(screen.error(), None);
}

#[test]
fn a_mapping_is_a_read_and_a_write() {
    let screen = screen();
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let id = buffer(&screen, 1, 8);
    context.buffer_write(id, 0, MapFlags::EMPTY, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let map = context.buffer_map(id, 2, 4, MapFlags::READ | MapFlags::WRITE).unwrap();
    let mut seen = [0; 4];
    assert!(map.read(0, &mut seen));
    assert_eq!(seen, [3, 4, 5, 6]);
    assert!(map.write(1, &[40]));
    // Another context may end the loan.
    assert!(screen.create_context(ContextFlags::EMPTY).unwrap().buffer_unmap(id));
    let mut bytes = [0; 8];
    context.buffer_read(id, 0, &mut bytes);
    assert_eq!(bytes, [1, 2, 3, 40, 5, 6, 7, 8]);

    let flags = MapFlags::WRITE | MapFlags::FLUSH_EXPLICIT;
    let map = context.buffer_map(id, 2, 4, flags).unwrap();
    assert!(map.write(0, &[90, 91, 92, 93]));
    context.buffer_flush_mapped(id, 1, 2);
    assert!(context.buffer_unmap(id));
    context.buffer_read(id, 0, &mut bytes);
    assert_eq!(bytes, [1, 2, 3, 91, 92, 6, 7, 8], "only the flushed part is written");
    assert!(!context.buffer_unmap(id), "not mapped");
}

/// What is written to a lasting mapping is in the buffer before the next call that may read it, and what is written to the
/// buffer is in the mapping after a fence.
#[test]
fn a_lasting_mapping_follows_both_ways() {
    let screen = screen();
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let mut other = screen.create_context(ContextFlags::EMPTY).unwrap();
    let id = buffer(&screen, 1, 16);
    let read = |context: &mut dyn Context| {
        let mut bytes = [0; 16];
        assert_eq!(context.buffer_read(id, 0, &mut bytes), Outcome::DONE);
        bytes
    };
    let flags = MapFlags::READ | MapFlags::WRITE | MapFlags::PERSISTENT;
    let map = context.buffer_map(id, 4, 12, flags | MapFlags::COHERENT).unwrap();
    assert!(map.write(1, &[7]));
    assert_eq!(read(&mut *context)[4..8], [0, 7, 0, 0]);
    assert!(map.write(8, &[8]));
    assert_eq!(read(&mut *other)[12..], [8, 0, 0, 0], "in any context");
    // Something else writes, as the device would.
    other.buffer_write(id, 8, MapFlags::EMPTY, &[9]);
    assert!(map.write(0, &[3]));
    let fence = FenceId::from_parts(1, 1);
    context.flush(fence, FlushFlags::EMPTY);
    assert_eq!(screen.fence_wait(fence, u64::MAX), WaitStatus::SIGNALED);
    let mut seen = [0; 12];
    assert!(map.read(0, &mut seen));
    assert_eq!((seen[0], seen[1], seen[4], seen[8]), (3, 7, 9, 8));
    assert!(map.write(9, &[10]));
    assert!(context.buffer_unmap(id));
    assert_eq!(read(&mut *context)[12..], [8, 10, 0, 0], "the rest at the end");

    let map = context.buffer_map(id, 0, 16, flags).unwrap();
    assert!(map.write(0, &[1, 1, 1, 1]));
    assert_eq!(read(&mut *context)[..4], [0; 4], "without a barrier");
    context.memory_barrier(BarrierFlags::MAPPED);
    assert_eq!(read(&mut *context)[..4], [1; 4]);
    // A mapping ends with its buffer.
    assert!(map.write(0, &[2, 2, 2, 2]));
    screen.destroy_buffer(id);
    context.memory_barrier(BarrierFlags::MAPPED);
    assert_eq!(screen.error(), None);
    assert!(!context.buffer_unmap(id));
}

#[test]
fn a_stale_handle_ends_the_session() {
    let screen = screen();
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let id = buffer(&screen, 1, 8);
    screen.destroy_buffer(id);
    context.buffer_write(id, 0, MapFlags::EMPTY, &[1]);
    let error = screen.error().unwrap();
    assert_eq!(error.to_string(), "bad bytes: BufferId 1v1 is not alive");
    assert_eq!(screen.reset_status(), ResetStatus::UNKNOWN);
    let mut message = [0; 64];
    let event = screen.poll_event(&mut message);
    assert_eq!(event.kind, EventKind::DEVICE_LOST);
    assert_eq!(text(&message), "stream: bad bytes: BufferId 1v1 is not alive");
    assert_eq!(screen.poll_event(&mut message).kind, EventKind::NONE, "told once");
    // Nobody waits for ever on a session that has ended.
    assert_eq!(screen.fence_wait(FenceId::NULL, u64::MAX), WaitStatus::LOST);
    assert_eq!(context.query_result(QueryId::from_parts(1, 1), 1).ready, 1);
    assert_eq!(context.buffer_read(id, 0, &mut [0]), Outcome::DEVICE_LOST);
    assert!(screen.create_context(ContextFlags::EMPTY).is_err());
}

#[test]
fn ranges_are_checked_behind_the_codec() {
    let refuses = |call: &dyn Fn(&StreamScreen, &mut dyn Context, BufferId, TextureId)| {
        let screen = screen();
        let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
        let (b, t) = (buffer(&screen, 1, 8), TextureId::from_parts(1, 1));
        screen.create_texture(t, &texture_desc());
        assert_eq!(screen.error(), None);
        call(&screen, &mut *context, b, t);
        match screen.error() {
            Some(StreamError::Range(error)) => error.to_string(),
            other => format!("{other:?}"),
        }
    };
    let whole = TextureBox { width: 4, height: 4, depth: 1, ..TextureBox::default() };
    let transfer = move |texture| TextureTransfer { texture, region: whole, row_stride: 16, ..Default::default() };
    assert_eq!(
        refuses(&|_, c, b, _| c.buffer_write(b, 7, MapFlags::EMPTY, &[1, 2])),
        "buffer_write: a buffer range is out of range"
    );
    assert_eq!(
        refuses(&|_, c, b, _| c.buffer_write(b, u64::MAX, MapFlags::EMPTY, &[1])),
        "buffer_write: a buffer range is out of range"
    );
    assert_eq!(
        refuses(&|_, c, _, _| c.set_viewports(15, &[Viewport::default(); 2])),
        "set_viewports: the window is out of range"
    );
    assert_eq!(
        refuses(&|_, c, _, t| c.texture_write(&transfer(t), &[0; 63])),
        "texture_write: the length is out of range"
    );
    assert_eq!(
        refuses(&|_, c, _, t| c.texture_write(&TextureTransfer { level: 3, ..transfer(t) }, &[0; 64])),
        "texture_write: the level is out of range"
    );
    assert_eq!(
        refuses(&|_, c, _, t| {
            let region = TextureBox { x: 1, ..whole };
            c.texture_read(&TextureTransfer { region, ..transfer(t) }, &mut [0; 64]);
        }),
        "texture_read: the box is out of range"
    );
    assert_eq!(
        refuses(&|_, c, _, _| {
            let info = DrawInfo { index_size: 2, instance_count: 1, ..DrawInfo::default() };
            c.draw(&info, &[DrawRange { start: 1, count: 2, base_vertex: 0 }], &[0; 4]);
        }),
        "draw: a range of indices is out of range"
    );
    assert_eq!(
        refuses(&|s, _, _, _| {
            let stages = [StageCode { offset: 1, count: 2 }; STAGE_COUNT];
            s.create_shader(ShaderId::from_parts(1, 1), &ShaderDesc { stages, ..ShaderDesc::default() }, &[0; 2], &[]);
        }),
        "create_shader: a stage's code is out of range"
    );
    assert_eq!(
        refuses(
            &|s, _, _, _| s.create_texture(TextureId::from_parts(2, 1), &TextureDesc { levels: 4, ..texture_desc() })
        ),
        "create_texture: the level count is out of range"
    );
}

fn texture_desc() -> TextureDesc {
    TextureDesc {
        format: Format::R8G8B8A8_UNORM,
        dim: TextureDim::D2,
        width: 4,
        height: 4,
        depth: 1,
        layers: 1,
        levels: 3,
        samples: 1,
        ..TextureDesc::default()
    }
}

/// A small generator, so that a failure repeats.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// Records of an ordinary program: (is a screen call, words).
fn program() -> Vec<(bool, Vec<u64>)> {
    let mut records = Vec::new();
    let mut w = Writer::new();
    let mut take = |w: &mut Writer, screen: bool| {
        records.push((screen, w.words().to_vec()));
        w.clear();
    };
    let (b, t, v) = (BufferId::from_parts(1, 1), TextureId::from_parts(1, 1), SamplerViewId::from_parts(1, 1));
    encode::create_buffer(&mut w, b, &BufferDesc { size: 256, ..BufferDesc::default() });
    take(&mut w, true);
    encode::create_texture(&mut w, t, &texture_desc());
    take(&mut w, true);
    let view = SamplerViewDesc {
        texture: t,
        format: Format::R8G8B8A8_UNORM,
        dim: TextureDim::D2,
        level_count: 3,
        layer_count: 1,
        ..SamplerViewDesc::default()
    };
    encode::create_sampler_view(&mut w, v, &view);
    take(&mut w, true);
    encode::create_vertex_elements(&mut w, VertexElementsId::from_parts(1, 1), &VertexElements::default());
    take(&mut w, true);
    encode::create_shader(&mut w, ShaderId::from_parts(1, 1), &ShaderDesc::default(), &[1, 2, 3], &[]);
    take(&mut w, true);
    encode::create_query(&mut w, QueryId::from_parts(1, 1), &QueryDesc::default());
    take(&mut w, true);
    let region = TextureBox { width: 4, height: 4, depth: 1, ..TextureBox::default() };
    let transfer = TextureTransfer { texture: t, region, row_stride: 16, ..TextureTransfer::default() };
    encode::texture_write(&mut w, &transfer, &[7; 64]);
    take(&mut w, false);
    encode::texture_read(&mut w, &transfer, 64);
    take(&mut w, false);
    encode::texture_read_to_buffer(&mut w, b, 0, &transfer);
    take(&mut w, false);
    let mut framebuffer =
        FramebufferState { width: 4, height: 4, layers: 1, samples: 1, color_count: 1, ..Default::default() };
    framebuffer.color[0] =
        SurfaceView { texture: t, format: Format::R8G8B8A8_UNORM, layer_count: 1, ..Default::default() };
    encode::set_framebuffer(&mut w, &framebuffer);
    take(&mut w, false);
    encode::set_vertex_buffers(&mut w, &[VertexBuffer { buffer: b, offset: 16 }; 3]);
    take(&mut w, false);
    encode::set_uniform_buffers(&mut w, BindPoint::GRAPHICS, &[BufferRange { buffer: b, offset: 0, size: 64 }; 2]);
    take(&mut w, false);
    encode::set_samplers(&mut w, BindPoint::GRAPHICS, 2, &[SampledBinding { view: v, sampler: SamplerId::NULL }]);
    take(&mut w, false);
    encode::draw(
        &mut w,
        &DrawInfo { index_size: 2, instance_count: 1, ..Default::default() },
        &[DrawRange { start: 0, count: 3, base_vertex: 0 }],
        &[0; 6],
    );
    take(&mut w, false);
    encode::copy_buffer(
        &mut w,
        &CopyBuffer { source: b, destination: b, source_offset: 0, destination_offset: 128, size: 64 },
    );
    take(&mut w, false);
    encode::clear_buffer(&mut w, &ClearBuffer { buffer: b, size: 32, value_size: 4, ..Default::default() });
    take(&mut w, false);
    encode::clear_texture(
        &mut w,
        &ClearTexture {
            texture: t,
            level: 1,
            region: TextureBox { width: 2, height: 2, depth: 1, ..Default::default() },
            ..Default::default()
        },
    );
    take(&mut w, false);
    encode::copy_image(
        &mut w,
        &CopyImage {
            source: t,
            destination: t,
            source_level: 1,
            source_box: TextureBox { width: 2, height: 2, depth: 1, ..Default::default() },
            ..Default::default()
        },
    );
    take(&mut w, false);
    encode::query_result(&mut w, QueryId::from_parts(1, 1), 1);
    take(&mut w, false);
    encode::buffer_read(&mut w, b, 0, 64);
    take(&mut w, false);
    encode::flush(&mut w, FenceId::from_parts(1, 1), FlushFlags::EMPTY);
    take(&mut w, false);
    encode::destroy_texture(&mut w, t);
    take(&mut w, true);
    records
}

/// Plays records into a fresh session; the first error, if any.
fn play(records: &[(bool, Vec<u64>)]) -> Option<StreamError> {
    let server = Server::new(Arc::new(NoopScreen::new()));
    let mut context = server.create_context(ContextFlags::EMPTY).unwrap();
    let mut replies = Writer::new();
    for (screen, words) in records {
        replies.clear();
        let result =
            if *screen { server.screen_record(words, &mut replies) } else { context.record(words, &mut replies) };
        if let Err(error) = result {
            assert_eq!(server.error(), Some(error), "the session remembers why it ended");
            return Some(error);
        }
    }
    None
}

#[test]
fn an_unharmed_program_plays() {
    assert_eq!(play(&program()), None);
}

/// Pipe rule 8: bad bytes end the session with a named error; nothing aborts.
#[test]
fn tampered_bytes_never_panic() {
    let original = program();
    let mut random = Random(0x5EED_1234_5678_9ABC);
    let mut refused = 0;
    for _ in 0..500 {
        let mut records = original.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(records.len());
            let (_, words) = &mut records[at];
            let word = random.below(words.len());
            match random.below(6) {
                0 => words[word] ^= 1 << random.below(64),
                1 => words[word] = random.next(),
                2 => words[word] = u64::MAX,
                3 => words.truncate(word),
                4 => words.push(random.next()),
                _ => words[word] = words[word].wrapping_add(1),
            }
            if records[at].1.is_empty() {
                records.remove(at);
            }
            if records.is_empty() {
                break;
            }
        }
        refused += u32::from(play(&records).is_some());
    }
    // Most damage is noticed; what is not noticed is another valid program.
    assert!(refused > 250, "only {refused} of 500 were refused");
}

#[test]
fn random_records_never_panic() {
    let mut random = Random(0xFEED);
    for _ in 0..50_000 {
        let length = 1 + random.below(24);
        let mut words: Vec<u64> = (0..length).map(|_| if random.below(3) == 0 { random.next() } else { 0 }).collect();
        let opcode = Opcode::ALL[random.below(Opcode::ALL.len())];
        words[0] = u64::from(opcode.0) | (length as u64) << 16;
        let _ = play(&[(opcode.is_screen(), words)]);
    }
}
