//! Queries: native queries live inside render passes, so one of the interface is a sum over the passes it spans.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::condition::Condition;
use super::{Dirty, VulkanContext};
use crate::query::{Class, Heap, Query, Slot};

/// Active queries, the native ones that run for them, and the render condition.
#[derive(Default)]
pub(crate) struct QueryState {
    heap: Heap,
    active: Vec<Arc<Query>>,
    running: SmallVec<[Arc<Slot>; 4]>,
    /// Generated primitives are counted, which the device does only while it rasterizes.
    needs_raster: bool,
    pub(super) condition: Option<Condition>,
    /// The device decides about the draws being recorded.
    pub(super) conditional: bool,
}

impl VulkanContext {
    pub(super) fn query(&mut self, id: QueryId) -> Option<Arc<Query>> {
        self.mirrors.queries.get(id, &self.objects.queries).cloned()
    }

    /// A fresh native query, reset in the early command buffer.
    fn query_slot(&mut self, class: Class) -> Option<Arc<Slot>> {
        let (slot, new_pool) = self.queries.heap.allocate(&self.gpu, class, self.batches.stamp())?;
        slot.mark(self.batches.stamp());
        if new_pool {
            self.batches.early()?.reset_query_pool(slot.raw(), 0, Heap::pool_size());
        }
        Some(Arc::new(slot))
    }

    fn write_timestamp(&mut self, query: &Query) {
        if crate::query::timestamp_bits(&self.gpu) == 0 || !self.ensure_batch() {
            return;
        }
        let class =
            Class { ty: vk::QueryType::TIMESTAMP, statistic: vk::QueryPipelineStatisticFlags::empty(), stream: 0 };
        let Some(slot) = self.query_slot(class) else { return };
        if let Some(cmd) = self.batches.main() {
            cmd.write_timestamp(vk::PipelineStageFlags::BOTTOM_OF_PIPE, slot.raw(), slot.index);
        }
        let mut data = query.data.lock();
        data.slots.push(slot);
        data.stamp = self.batches.stamp();
    }

    pub(crate) fn take_timestamp(&mut self, query: &Query) {
        {
            let mut data = query.data.lock();
            data.clear();
            data.active = false;
        }
        self.write_timestamp(query);
    }

    pub(crate) fn begin_query(&mut self, id: QueryId) {
        let Some(query) = self.query(id) else { return };
        {
            let mut data = query.data.lock();
            data.clear();
            data.active = true;
        }
        if query.desc.kind == QueryKind::TIME_ELAPSED {
            // What was recorded before must not count; what is still a waiting clear does.
            self.write_timestamp(&query);
            return;
        }
        let classes = query.classes(&self.gpu);
        self.queries.active.push(query);
        self.restart(&classes);
        self.note_raster_need();
    }

    /// VUID-vkCmdDraw-primitivesGeneratedQueryWithRasterizerDiscard-06708.
    fn note_raster_need(&mut self) {
        if self.gpu.features().generated_with_discard {
            return;
        }
        let needed = self.queries.active.iter().any(|query| query.counts_all_primitives(&self.gpu));
        if self.queries.needs_raster != needed {
            self.queries.needs_raster = needed;
            self.dirty |= Dirty::RASTER | Dirty::SCISSOR | Dirty::PIPELINE;
        }
    }

    /// Whether pixels are discarded by empty scissor rectangles, so that primitives are still counted.
    pub(super) fn discards_by_scissor(&self) -> bool {
        let bound = self.bound.rasterizer.as_ref();
        self.queries.needs_raster && bound.is_some_and(|r| r.state.flags.contains(RasterFlags::DISCARD))
    }

    /// The bound rasterizer as the device is to have it.
    pub(super) fn rasterizer(&self) -> Option<RasterizerState> {
        let mut state = self.bound.rasterizer.as_ref()?.state;
        if self.discards_by_scissor() {
            state.flags.0 &= !RasterFlags::DISCARD.0;
        }
        Some(state)
    }

    pub(crate) fn end_query(&mut self, id: QueryId) {
        let Some(query) = self.query(id) else { return };
        match query.desc.kind {
            QueryKind::TIMESTAMP => return self.take_timestamp(&query),
            QueryKind::TIME_ELAPSED => {
                if self.has_pending_clears() {
                    self.end_pass();
                }
                self.write_timestamp(&query);
            }
            _ => {
                let classes = query.classes(&self.gpu);
                self.stop(&classes);
                self.queries.active.retain(|q| !Arc::ptr_eq(q, &query));
                self.restart(&classes);
                self.note_raster_need();
            }
        }
        query.data.lock().active = false;
    }

    /// Ends what runs of some classes and, inside a pass, begins it again for the queries that are active now.
    fn restart(&mut self, classes: &[Class]) {
        self.stop(classes);
        if !self.pass.open {
            return;
        }
        for &class in classes.iter().filter(|class| **class != Class::DISPATCHES) {
            self.start(class);
        }
    }

    /// Counts the dispatches that are recorded from here to the next pass, for queries of what they do. One native query
    /// serves as many as follow each other.
    pub(super) fn resume_dispatch_queries(&mut self) {
        let runs = |slot: &Arc<Slot>| slot.class == Class::DISPATCHES;
        if !self.queries.active.is_empty() && !self.queries.running.iter().any(runs) {
            self.start(Class::DISPATCHES);
        }
    }

    fn start(&mut self, class: Class) {
        let gpu = self.gpu.clone();
        let wanted: SmallVec<[Arc<Query>; 4]> =
            self.queries.active.iter().filter(|q| q.classes(&gpu).contains(&class)).cloned().collect();
        if wanted.is_empty() {
            return;
        }
        let Some(slot) = self.query_slot(class) else { return };
        let precise = class.ty == vk::QueryType::OCCLUSION
            && wanted.iter().any(|q| q.desc.kind == QueryKind::OCCLUSION)
            && gpu.selected.core.occlusion_query_precise == vk::TRUE;
        let flags = if precise { vk::QueryControlFlags::PRECISE } else { vk::QueryControlFlags::empty() };
        let Some(cmd) = self.batches.main() else { return };
        if indexed(class.ty) {
            cmd.begin_query_indexed(slot.raw(), slot.index, flags, class.stream);
        } else {
            cmd.begin_query(slot.raw(), slot.index, flags);
        }
        for query in wanted {
            let mut data = query.data.lock();
            query.fold(&gpu, &mut data);
            data.slots.push(slot.clone());
            data.stamp = self.batches.stamp();
        }
        self.queries.running.push(slot);
    }

    fn stop(&mut self, classes: &[Class]) {
        let Some(cmd) = self.batches.main() else {
            self.queries.running.clear();
            return;
        };
        self.queries.running.retain(|slot| {
            if !classes.contains(&slot.class) {
                return true;
            }
            if indexed(slot.class.ty) {
                cmd.end_query_indexed(slot.raw(), slot.index, slot.class.stream);
            } else {
                cmd.end_query(slot.raw(), slot.index);
            }
            false
        });
    }

    /// A pass has begun: native queries run again for what is active.
    pub(super) fn resume_pass_queries(&mut self) {
        if self.queries.active.is_empty() {
            return;
        }
        let mut classes: SmallVec<[Class; 4]> = SmallVec::new();
        for query in &self.queries.active {
            for class in query.classes(&self.gpu) {
                if !classes.contains(&class) && class != Class::DISPATCHES {
                    classes.push(class);
                }
            }
        }
        for class in classes {
            self.start(class);
        }
    }

    /// A pass begins or ends, or the batch ends: native queries end before it.
    pub(super) fn suspend_queries(&mut self) {
        if self.queries.running.is_empty() {
            return;
        }
        let classes: SmallVec<[Class; 4]> = self.queries.running.iter().map(|s| s.class).collect();
        self.stop(&classes);
    }

    pub(crate) fn query_result(&mut self, id: QueryId, wait: u32) -> QueryResult {
        let Some(query) = self.query(id) else { return QueryResult { ready: 1, ..Default::default() } };
        self.resolve_query(&query, wait != 0).map_or(QueryResult::default(), |value| QueryResult {
            ready: 1,
            reserved: 0,
            value,
        })
    }

    /// The answer; polling hands recorded work to the device, so that it comes some time.
    pub(super) fn resolve_query(&mut self, query: &Query, wait: bool) -> Option<u64> {
        let (stamp, active) = {
            let data = query.data.lock();
            if let Some(result) = data.result {
                return Some(result);
            }
            (data.stamp, data.active)
        };
        if active {
            return None;
        }
        if stamp == self.stamp() {
            self.submit();
        }
        if self.gpu.is_lost() {
            return Some(0);
        }
        if wait && self.gpu.is_submitted(stamp) {
            self.gpu.wait(stamp, u64::MAX);
        }
        if !self.gpu.poll_stamp(stamp) {
            return if wait && self.gpu.is_lost() { Some(0) } else { None };
        }
        query.read(&self.gpu)
    }
}

fn indexed(ty: vk::QueryType) -> bool {
    matches!(ty, vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT | vk::QueryType::PRIMITIVES_GENERATED_EXT)
}
