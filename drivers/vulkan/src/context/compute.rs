//! Dispatches.

use ash::vk;
use gallite_pipe::*;

use super::{Dirty, VulkanContext};
use crate::barrier::Access;
use crate::pipeline::{self, PipelineKey};
use crate::shader::Shader;

impl VulkanContext {
    /// Makes everything ready for groups of a size; zeros where the shader has its own.
    fn prepare_dispatch(&mut self, size: [u32; 3]) -> bool {
        self.follow_renames();
        let Some(shader) = self.bound.stages[1].shader.clone() else { return false };
        if !shader.compute || !self.can_run(&shader, size) {
            return false;
        }
        self.end_pass();
        if !self.ensure_batch() {
            return false;
        }
        self.mark_resources(1, &shader, Dirty::BINDINGS);
        self.flush_barriers();
        if self.compute_pipeline.is_none() || self.group_size != size {
            self.find_texel_swizzles(1, &shader);
            let (texel_swizzles, texels) = &self.bound.stages[1].texels;
            let key = PipelineKey::compute(shader.identity, size, *texel_swizzles);
            let make = || {
                let cache = self.objects.pipeline_cache.current();
                let raw = pipeline::create_compute(&self.gpu, cache.raw, &shader, size, texels)?;
                self.objects.precompiler.made(&self.gpu, &self.objects.pipeline_cache);
                Ok(raw)
            };
            let Some(pipeline) = self.made(shader.pipeline(&key, make)) else { return false };
            pipeline.uses.mark(self.batches.stamp(), &self.gpu);
            shader.uses.mark(self.batches.stamp(), &self.gpu);
            if let Some(cmd) = self.batches.main() {
                cmd.bind_pipeline(vk::PipelineBindPoint::COMPUTE, pipeline.raw);
            }
            self.compute_pipeline = Some(pipeline);
            self.group_size = size;
        }
        // Stores of a dispatch may reach anything bound for draws.
        self.dirty |= Dirty::RESOURCES | Dirty::CONSTANTS;
        self.dynamic.forget_constants();
        self.emit_descriptors(1, &shader)
    }

    /// Whether groups of a size are what the shader leaves open and the device has.
    fn can_run(&self, shader: &Shader, size: [u32; 3]) -> bool {
        if shader.desc.group_size != [0; 3] {
            return size == [0; 3];
        }
        let limits = self.gpu.limits();
        let invocations: u64 = size.map(u64::from).iter().product();
        size.iter().zip(limits.max_compute_work_group_size).all(|(size, most)| (1..=most).contains(size))
            && invocations <= limits.max_compute_work_group_invocations.into()
    }

    pub(crate) fn dispatch(&mut self, info: &DispatchInfo) {
        if info.groups.contains(&0) || !self.condition_passes() || !self.prepare_dispatch(info.variable_size) {
            return;
        }
        self.resume_dispatch_queries();
        if let Some(cmd) = self.batches.main() {
            cmd.dispatch(info.groups[0], info.groups[1], info.groups[2]);
        }
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
        if !self.prepare_dispatch([0; 3]) {
            return;
        }
        self.resume_dispatch_queries();
        if let Some(cmd) = self.batches.main() {
            cmd.dispatch_indirect(storage.raw, storage.offset + offset);
        }
    }
}
