//! Bound state pushed by `set_` calls, or lent by reference to each draw: what a draw costs either way.
//!
//! Both forms go through a `dyn` call into a driver that keeps what it is told and looks at what changed, as a real one
//! must. Run with `cargo bench -p gallite-pipe --bench bound_state`; docs/decisions/0004 has the outcome.

use gallite_pipe::*;
use std::hint::black_box;
use std::time::Instant;

const DRAWS: u32 = 200_000;
const ROUNDS: usize = 15;

/// Everything a draw reads, as the tracker would keep it to lend it.
#[derive(Clone)]
struct Bound {
    framebuffer: FramebufferState,
    blend: BlendId,
    depth_stencil: DepthStencilId,
    rasterizer: RasterizerId,
    elements: VertexElementsId,
    shader: ShaderId,
    viewports: [Viewport; MAX_VIEWPORTS],
    vertex_buffers: [VertexBuffer; MAX_VERTEX_BINDINGS],
    vertex_buffer_count: usize,
    uniform_buffers: [BufferRange; 16],
    samplers: [SampledBinding; 32],
}

impl Default for Bound {
    fn default() -> Self {
        Self {
            framebuffer: FramebufferState::default(),
            blend: BlendId::NULL,
            depth_stencil: DepthStencilId::NULL,
            rasterizer: RasterizerId::NULL,
            elements: VertexElementsId::NULL,
            shader: ShaderId::NULL,
            viewports: [Viewport::default(); MAX_VIEWPORTS],
            vertex_buffers: [VertexBuffer::default(); MAX_VERTEX_BINDINGS],
            vertex_buffer_count: 0,
            uniform_buffers: [BufferRange::default(); 16],
            samplers: [SampledBinding::default(); 32],
        }
    }
}

const VERTEX_BUFFERS: u32 = 1;
const UNIFORM_BUFFERS: u32 = 2;
const SAMPLERS: u32 = 4;
const BLEND: u32 = 8;

trait Pushed {
    fn bind_blend(&mut self, id: BlendId);
    fn set_vertex_buffers(&mut self, buffers: &[VertexBuffer]);
    fn set_uniform_buffers(&mut self, ranges: &[BufferRange]);
    fn set_samplers(&mut self, samplers: &[SampledBinding]);
    fn draw(&mut self, info: &DrawInfo, ranges: &[DrawRange]);
}

trait Lent {
    fn draw(&mut self, bound: &Bound, dirty: u32, info: &DrawInfo, ranges: &[DrawRange]);
}

/// Resolves handles through a table when they are set, as a driver does, and keeps what recording needs.
struct Driver {
    blend: u32,
    dirty: u32,
    table: Vec<u32>,
    vertex: [(u32, u64); MAX_VERTEX_BINDINGS],
    uniform: [(u32, u64, u64); 16],
    sampled: [(u32, u32); 32],
    recorded: u64,
}

impl Driver {
    fn new() -> Self {
        Self {
            blend: 0,
            dirty: 0,
            table: (0..4096).collect(),
            vertex: [(0, 0); MAX_VERTEX_BINDINGS],
            uniform: [(0, 0, 0); 16],
            sampled: [(0, 0); 32],
            recorded: 0,
        }
    }

    fn native(&self, slot: u32) -> u32 {
        self.table[slot as usize & 4095]
    }

    fn take_blend(&mut self, id: BlendId) {
        self.blend = self.native(id.slot());
        self.dirty |= BLEND;
    }

    fn take_vertex_buffers(&mut self, buffers: &[VertexBuffer]) {
        for (index, buffer) in buffers.iter().enumerate() {
            self.vertex[index] = (self.native(buffer.buffer.slot()), buffer.offset);
        }
        self.dirty |= VERTEX_BUFFERS;
    }

    fn take_uniform_buffers(&mut self, ranges: &[BufferRange]) {
        for (index, range) in ranges.iter().enumerate() {
            self.uniform[index] = (self.native(range.buffer.slot()), range.offset, range.size);
        }
        self.dirty |= UNIFORM_BUFFERS;
    }

    fn take_samplers(&mut self, samplers: &[SampledBinding]) {
        for (index, sampled) in samplers.iter().enumerate() {
            self.sampled[index] = (self.native(sampled.view.slot()), self.native(sampled.sampler.slot()));
        }
        self.dirty |= SAMPLERS;
    }

    fn record(&mut self, info: &DrawInfo, ranges: &[DrawRange]) {
        if self.dirty != 0 {
            self.recorded += u64::from(self.vertex[0].0 + self.blend + self.sampled[0].0) + self.uniform[0].1;
            self.dirty = 0;
        }
        self.recorded += u64::from(info.instance_count) * ranges.len() as u64;
    }
}

impl Pushed for Driver {
    fn bind_blend(&mut self, id: BlendId) {
        self.take_blend(id);
    }
    fn set_vertex_buffers(&mut self, buffers: &[VertexBuffer]) {
        self.take_vertex_buffers(buffers);
    }
    fn set_uniform_buffers(&mut self, ranges: &[BufferRange]) {
        self.take_uniform_buffers(ranges);
    }
    fn set_samplers(&mut self, samplers: &[SampledBinding]) {
        self.take_samplers(samplers);
    }
    fn draw(&mut self, info: &DrawInfo, ranges: &[DrawRange]) {
        self.record(info, ranges);
    }
}

impl Lent for Driver {
    fn draw(&mut self, bound: &Bound, dirty: u32, info: &DrawInfo, ranges: &[DrawRange]) {
        if dirty & BLEND != 0 {
            self.take_blend(bound.blend);
        }
        if dirty & VERTEX_BUFFERS != 0 {
            self.take_vertex_buffers(&bound.vertex_buffers[..bound.vertex_buffer_count]);
        }
        if dirty & UNIFORM_BUFFERS != 0 {
            self.take_uniform_buffers(&bound.uniform_buffers[..4]);
        }
        if dirty & SAMPLERS != 0 {
            self.take_samplers(&bound.samplers[..8]);
        }
        self.record(info, ranges);
    }
}

fn buffers(draw: u32) -> [VertexBuffer; 16] {
    std::array::from_fn(|i| VertexBuffer { buffer: BufferId::from_parts(i as u32, 1), offset: u64::from(draw & 255) })
}

fn pushed(driver: &mut dyn Pushed, dirty: u32) {
    let (info, range) = (DrawInfo { instance_count: 1, ..DrawInfo::default() }, [DrawRange::default()]);
    for draw in 0..DRAWS {
        if dirty & BLEND != 0 {
            driver.bind_blend(BlendId::from_parts(draw & 1, 1));
        }
        if dirty & VERTEX_BUFFERS != 0 {
            driver.set_vertex_buffers(&buffers(draw));
        }
        if dirty & UNIFORM_BUFFERS != 0 {
            driver.set_uniform_buffers(&[BufferRange { offset: draw.into(), ..BufferRange::default() }; 4]);
        }
        if dirty & SAMPLERS != 0 {
            driver.set_samplers(&[SampledBinding::default(); 8]);
        }
        driver.draw(black_box(&info), &range);
    }
}

fn lent(driver: &mut dyn Lent, dirty: u32) {
    let (info, range) = (DrawInfo { instance_count: 1, ..DrawInfo::default() }, [DrawRange::default()]);
    let mut bound = Bound::default();
    black_box((
        &bound.framebuffer,
        bound.depth_stencil,
        bound.rasterizer,
        bound.elements,
        bound.shader,
        &bound.viewports,
    ));
    for draw in 0..DRAWS {
        if dirty & BLEND != 0 {
            bound.blend = BlendId::from_parts(draw & 1, 1);
        }
        if dirty & VERTEX_BUFFERS != 0 {
            bound.vertex_buffers[..16].copy_from_slice(&buffers(draw));
            bound.vertex_buffer_count = 16;
        }
        if dirty & UNIFORM_BUFFERS != 0 {
            bound.uniform_buffers[..4].fill(BufferRange { offset: draw.into(), ..BufferRange::default() });
        }
        if dirty & SAMPLERS != 0 {
            bound.samplers[..8].fill(SampledBinding::default());
        }
        driver.draw(black_box(&bound), dirty, black_box(&info), &range);
    }
}

fn nanoseconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9 / f64::from(DRAWS)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let cases = [
        ("nothing changes", 0),
        ("blend", BLEND),
        ("16 vertex buffers", VERTEX_BUFFERS),
        ("4 uniform buffers, 8 samplers", UNIFORM_BUFFERS | SAMPLERS),
        ("all of them", BLEND | VERTEX_BUFFERS | UNIFORM_BUFFERS | SAMPLERS),
    ];
    println!("{:32} {:>10} {:>10} {:>8}", "each draw changes", "pushed ns", "lent ns", "ratio");
    for (name, dirty) in cases {
        let (mut by_push, mut by_loan) = (Vec::new(), Vec::new());
        let (mut first, mut second) = (Driver::new(), Driver::new());
        for _ in 0..ROUNDS {
            by_push.push(nanoseconds(|| pushed(black_box(&mut first), dirty)));
            by_loan.push(nanoseconds(|| lent(black_box(&mut second), dirty)));
        }
        black_box((first.recorded, second.recorded));
        let (push, loan) = (median(&mut by_push), median(&mut by_loan));
        println!("{name:32} {push:10.1} {loan:10.1} {:8.2}", push / loan);
    }
}
