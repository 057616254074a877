//! Dispatches.

use ash::vk;
use gallite_pipe::*;

use super::{Dirty, VulkanContext};
use crate::barrier::Access;
use crate::pipeline::{self, PipelineKey};

impl VulkanContext {
    fn prepare_dispatch(&mut self) -> bool {
        self.follow_renames();
        let Some(shader) = self.bound.stages[1].shader.clone() else { return false };
        if !shader.compute {
            return false;
        }
        self.end_pass();
        if !self.ensure_batch() {
            return false;
        }
        self.mark_resources(1, &shader, Dirty::BINDINGS);
        self.flush_barriers();
        if self.compute_pipeline.is_none() {
            let key = PipelineKey { shader: shader.identity, ..Default::default() };
            let make = || pipeline::create_compute(&self.gpu, self.objects.pipeline_cache.raw(), &shader);
            let Some(pipeline) = shader.pipeline(&key, make) else { return false };
            pipeline.uses.mark(self.batches.stamp(), &self.gpu);
            shader.uses.mark(self.batches.stamp(), &self.gpu);
            if let Some(cmd) = self.batches.main() {
                cmd.bind_pipeline(vk::PipelineBindPoint::COMPUTE, pipeline.raw);
            }
            self.compute_pipeline = Some(pipeline);
        }
        // Stores of a dispatch may reach anything bound for draws.
        self.dirty |= Dirty::RESOURCES | Dirty::CONSTANTS;
        self.dynamic.forget_constants();
        self.emit_descriptors(1, &shader)
    }

    pub(crate) fn dispatch(&mut self, info: &DispatchInfo) {
        if info.groups.contains(&0) || !self.condition_passes() || !self.prepare_dispatch() {
            return;
        }
        self.begin_dispatch_queries();
        if let Some(cmd) = self.batches.main() {
            cmd.dispatch(info.groups[0], info.groups[1], info.groups[2]);
        }
        self.end_dispatch_queries();
    }

    pub(crate) fn dispatch_indirect(&mut self, buffer: BufferId, offset: u64) {
        let Some(storage) = self.buffer(buffer).and_then(|b| b.storage()) else { return };
        if !self.condition_passes() {
            return;
        }
        self.end_pass();
        if !self.ensure_batch() {
            return;
        }
        self.use_buffer(&storage, Access::INDIRECT);
        if !self.prepare_dispatch() {
            return;
        }
        self.begin_dispatch_queries();
        if let Some(cmd) = self.batches.main() {
            cmd.dispatch_indirect(storage.raw, storage.offset + offset);
        }
        self.end_dispatch_queries();
    }
}
