//! Queries and the pools behind them.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use parking_lot::Mutex;
use smallvec::SmallVec;

use crate::gpu::{Garbage, Gpu, Stamp, Uses};

/// Queries in a pool.
const POOL_QUERIES: u32 = 64;

/// Statistics that Vulkan counts in draws: all but that of compute shaders, which is the last.
const DRAW_STATISTICS: usize = 10;

/// Most words of one result.
pub(crate) const MOST_WORDS: usize = DRAW_STATISTICS;

/// What a native query counts; equal classes can run only once at a time, so interface queries share them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    pub ty: vk::QueryType,
    pub statistic: vk::QueryPipelineStatisticFlags,
    /// Vertex stream.
    pub stream: u32,
}

impl Class {
    /// Statistics of dispatches, which are outside of passes.
    pub const DISPATCHES: Self = Self {
        ty: vk::QueryType::PIPELINE_STATISTICS,
        statistic: vk::QueryPipelineStatisticFlags::COMPUTE_SHADER_INVOCATIONS,
        stream: 0,
    };

    /// Statistics of draws, all in one: a single native query of statistics may run at a time.
    const DRAWS: Self =
        Self { statistic: vk::QueryPipelineStatisticFlags::from_raw((1 << DRAW_STATISTICS) - 1), ..Self::DISPATCHES };

    /// Words of one result.
    pub fn words(self) -> usize {
        match self.ty {
            vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT => 2,
            vk::QueryType::PIPELINE_STATISTICS => self.statistic.as_raw().count_ones() as usize,
            _ => 1,
        }
    }
}

/// Native queries of one of the interface that are kept before some are given back.
const MOST_SLOTS: usize = 128;

/// A native pool.
struct Pool {
    gpu: Arc<Gpu>,
    raw: vk::QueryPool,
    uses: Uses,
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.gpu.retire(&self.uses, Garbage::QueryPool(self.raw));
    }
}

/// One native query.
pub(crate) struct Slot {
    pool: Arc<Pool>,
    pub index: u32,
    pub class: Class,
    /// The batch it is recorded in.
    batch: Stamp,
}

impl Slot {
    pub fn raw(&self) -> vk::QueryPool {
        self.pool.raw
    }

    pub fn mark(&self, stamp: Stamp) {
        self.pool.uses.mark(stamp, &self.pool.gpu);
    }

    /// The result, once its batch has completed.
    fn read(&self) -> Option<[u64; MOST_WORDS]> {
        let mut data = [0; MOST_WORDS];
        let words = self.class.words();
        let done = self.pool.gpu.device.query_results(
            self.pool.raw,
            self.index,
            &mut data[..words],
            words,
            vk::QueryResultFlags::empty(),
        );
        match done {
            Ok(true) => Some(data),
            Ok(false) => None,
            Err(e) => {
                self.pool.gpu.note_failure(e, "vkGetQueryPoolResults");
                None
            }
        }
    }
}

/// A bump allocator of native queries. A pool goes when its last slot goes.
#[derive(Default)]
pub(crate) struct Heap {
    open: SmallVec<[(vk::QueryType, vk::QueryPipelineStatisticFlags, Arc<Pool>, u32); 4]>,
}

impl Heap {
    /// A fresh slot for a batch; the flag says that its pool is new and must be reset as a whole.
    pub fn allocate(&mut self, gpu: &Arc<Gpu>, class: Class, batch: Stamp) -> Option<(Slot, bool)> {
        if let Some(entry) = self.open.iter_mut().find(|e| e.0 == class.ty && e.1 == class.statistic) {
            if entry.3 < POOL_QUERIES {
                let slot = Slot { pool: entry.2.clone(), index: entry.3, class, batch };
                entry.3 += 1;
                return Some((slot, false));
            }
            self.open.retain(|e| !(e.0 == class.ty && e.1 == class.statistic));
        }
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(class.ty)
            .query_count(POOL_QUERIES)
            .pipeline_statistics(class.statistic);
        let raw = gpu.device.create_query_pool(&info).ok()?;
        let pool = Arc::new(Pool { gpu: gpu.clone(), raw, uses: Uses::default() });
        self.open.push((class.ty, class.statistic, pool.clone(), 1));
        Some((Slot { pool, index: 0, class, batch }, true))
    }

    pub const fn pool_size() -> u32 {
        POOL_QUERIES
    }
}

/// What has been recorded for a query.
#[derive(Default)]
pub(crate) struct QueryData {
    /// Native queries whose results add up; for elapsed time, begin and end.
    pub slots: SmallVec<[Arc<Slot>; 2]>,
    /// What those say that were given back, and whether one of them overflowed.
    folded: ([u64; MOST_WORDS], bool),
    /// Batch of the last of them.
    pub stamp: Stamp,
    pub active: bool,
    /// The answer, once known.
    pub result: Option<u64>,
}

impl QueryData {
    /// Begins anew.
    pub fn clear(&mut self) {
        *self = Self { stamp: self.stamp, active: self.active, ..Self::default() };
    }
}

/// A query of the interface.
pub(crate) struct Query {
    pub desc: QueryDesc,
    pub data: Mutex<QueryData>,
}

impl Query {
    pub fn new(desc: &QueryDesc) -> Self {
        Self { desc: *desc, data: Mutex::default() }
    }

    /// Whether what it asks for is counted natively, captured or not.
    pub fn counts_all_primitives(&self, gpu: &Gpu) -> bool {
        let f = gpu.features();
        self.desc.kind == QueryKind::PRIMITIVES_GENERATED
            && f.primitives_generated_query
            && (self.desc.index == 0 || f.generated_of_streams)
    }

    /// Whether its answer is yes or no.
    pub fn says_whether(&self, gpu: &Gpu) -> bool {
        match self.desc.kind {
            QueryKind::ANY_SAMPLES | QueryKind::ANY_SAMPLES_CONSERVATIVE => true,
            QueryKind::OCCLUSION => gpu.selected.core.occlusion_query_precise != vk::TRUE,
            _ => false,
        }
    }

    /// The native classes that count for it.
    pub fn classes(&self, gpu: &Gpu) -> SmallVec<[Class; 4]> {
        let plain = |ty, stream| Class { ty, statistic: vk::QueryPipelineStatisticFlags::empty(), stream };
        let index = self.desc.index;
        let xfb = vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT;
        let f = gpu.features();
        match self.desc.kind {
            QueryKind::OCCLUSION | QueryKind::ANY_SAMPLES | QueryKind::ANY_SAMPLES_CONSERVATIVE => {
                smallvec::smallvec![plain(vk::QueryType::OCCLUSION, 0)]
            }
            QueryKind::PRIMITIVES_GENERATED if self.counts_all_primitives(gpu) => {
                smallvec::smallvec![plain(vk::QueryType::PRIMITIVES_GENERATED_EXT, index)]
            }
            QueryKind::PRIMITIVES_GENERATED | QueryKind::XFB_PRIMITIVES_WRITTEN | QueryKind::XFB_STREAM_OVERFLOW
                if f.xfb_queries =>
            {
                smallvec::smallvec![plain(xfb, index)]
            }
            QueryKind::XFB_OVERFLOW if f.xfb_queries => {
                (0..f.max_xfb_streams.clamp(1, 4)).map(|s| plain(xfb, s)).collect()
            }
            QueryKind::PIPELINE_STATISTIC if gpu.selected.core.pipeline_statistics_query == vk::TRUE => {
                let of_dispatches = statistic(index) == Class::DISPATCHES.statistic;
                smallvec::smallvec![if of_dispatches { Class::DISPATCHES } else { Class::DRAWS }]
            }
            _ => SmallVec::new(),
        }
    }

    /// Which word of a native result is its number.
    pub fn word(&self, class: Class) -> usize {
        match (self.desc.kind, class.ty) {
            // Those needed follow those written.
            (QueryKind::PRIMITIVES_GENERATED, vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT) => 1,
            // Results are in the order of the flags.
            (QueryKind::PIPELINE_STATISTIC, _) => {
                let before = class.statistic.as_raw() & (statistic(self.desc.index).as_raw() - 1);
                before.count_ones() as usize
            }
            _ => 0,
        }
    }

    /// Gives native queries back that have completed, where there are many: a query may be left on for ever.
    pub fn fold(&self, gpu: &Gpu, data: &mut QueryData) {
        if data.slots.len() < MOST_SLOTS {
            return;
        }
        let mut done = 0;
        for slot in data.slots[..MOST_SLOTS / 2].iter().take_while(|slot| gpu.poll_stamp(slot.batch)) {
            let Some(values) = slot.read() else { break };
            let (folded, overflow) = &mut data.folded;
            folded.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.wrapping_add(value));
            *overflow |= values[1] > values[0];
            done += 1;
        }
        data.slots.drain(..done);
    }

    /// Reads the answer once the batch has completed.
    pub fn read(&self, gpu: &Gpu) -> Option<u64> {
        let mut data = self.data.lock();
        if let Some(result) = data.result {
            return Some(result);
        }
        if data.active {
            return None;
        }
        let mut values: SmallVec<[[u64; MOST_WORDS]; 2]> = SmallVec::new();
        for slot in &data.slots {
            values.push(slot.read()?);
        }
        let (folded, overflow) = data.folded;
        let sum = |i: usize| values.iter().map(|v| v[i]).fold(folded[i], u64::wrapping_add);
        let class = data.slots.first().map(|slot| slot.class);
        let result = match self.desc.kind {
            _ if self.says_whether(gpu) => u64::from(sum(0) != 0),
            QueryKind::TIME_ELAPSED => match values.as_slice() {
                [begin, .., end] => nanoseconds(gpu, ticks(gpu, end[0].wrapping_sub(begin[0]))),
                _ => 0,
            },
            QueryKind::TIMESTAMP => nanoseconds(gpu, ticks(gpu, sum(0))),
            QueryKind::XFB_STREAM_OVERFLOW | QueryKind::XFB_OVERFLOW => {
                u64::from(overflow || values.iter().any(|v| v[1] > v[0]))
            }
            _ => class.map_or(0, |class| sum(self.word(class))),
        };
        data.slots.clear();
        data.result = Some(result);
        Some(result)
    }
}

/// A statistic by GL's order (ARB_pipeline_statistics_query).
fn statistic(index: u32) -> vk::QueryPipelineStatisticFlags {
    use vk::QueryPipelineStatisticFlags as S;
    match index {
        0 => S::INPUT_ASSEMBLY_VERTICES,
        1 => S::INPUT_ASSEMBLY_PRIMITIVES,
        2 => S::VERTEX_SHADER_INVOCATIONS,
        3 => S::TESSELLATION_CONTROL_SHADER_PATCHES,
        4 => S::TESSELLATION_EVALUATION_SHADER_INVOCATIONS,
        5 => S::GEOMETRY_SHADER_INVOCATIONS,
        6 => S::GEOMETRY_SHADER_PRIMITIVES,
        7 => S::FRAGMENT_SHADER_INVOCATIONS,
        8 => S::COMPUTE_SHADER_INVOCATIONS,
        9 => S::CLIPPING_INVOCATIONS,
        _ => S::CLIPPING_PRIMITIVES,
    }
}

/// Bits of the queue's timestamps.
pub(crate) fn timestamp_bits(gpu: &Gpu) -> u32 {
    if !gpu.features().timestamps {
        return 0;
    }
    let family = gpu.selected.queue_family as usize;
    gpu.selected.adapter.queue_families.get(family).map_or(0, |q| q.timestamp_valid_bits)
}

/// A timestamp's valid bits.
pub(crate) fn ticks(gpu: &Gpu, value: u64) -> u64 {
    match timestamp_bits(gpu) {
        0 => 0,
        64.. => value,
        bits => value & ((1 << bits) - 1),
    }
}

/// Ticks as time.
pub(crate) fn nanoseconds(gpu: &Gpu, ticks: u64) -> u64 {
    let period = f64::from(gpu.limits().timestamp_period);
    if period == 1.0 { ticks } else { (ticks as f64 * period) as u64 }
}
