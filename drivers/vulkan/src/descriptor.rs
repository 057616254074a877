//! Descriptor sets: bump allocation from pools that come back with their batch.

use std::sync::Arc;

use ash::vk;

use crate::gpu::{Gpu, Stamp};

/// Sets in a pool.
const SETS: u32 = 512;

/// Descriptor pools of one context.
pub(crate) struct DescriptorArena {
    gpu: Arc<Gpu>,
    current: vk::DescriptorPool,
    filled: Vec<vk::DescriptorPool>,
    in_flight: std::collections::VecDeque<(Stamp, vk::DescriptorPool)>,
    spare: Vec<vk::DescriptorPool>,
}

impl DescriptorArena {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            current: vk::DescriptorPool::null(),
            filled: Vec::new(),
            in_flight: Default::default(),
            spare: Vec::new(),
        }
    }

    /// A set of a layout, valid for the open batch.
    pub fn allocate(&mut self, layout: vk::DescriptorSetLayout) -> Option<vk::DescriptorSet> {
        if self.current != vk::DescriptorPool::null()
            && let Some(set) = self.gpu.device.allocate_descriptor_set(self.current, layout)
        {
            return Some(set);
        }
        if self.current != vk::DescriptorPool::null() {
            self.filled.push(self.current);
        }
        self.current = match self.spare.pop() {
            Some(pool) => pool,
            None => self.make_pool()?,
        };
        self.gpu.device.allocate_descriptor_set(self.current, layout)
    }

    fn make_pool(&self) -> Option<vk::DescriptorPool> {
        let size = |ty, n| vk::DescriptorPoolSize { ty, descriptor_count: n };
        let sizes = [
            size(vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC, SETS),
            size(vk::DescriptorType::UNIFORM_BUFFER, SETS * 4),
            size(vk::DescriptorType::COMBINED_IMAGE_SAMPLER, SETS * 8),
            size(vk::DescriptorType::STORAGE_BUFFER, SETS * 2),
            size(vk::DescriptorType::STORAGE_IMAGE, SETS),
            size(vk::DescriptorType::UNIFORM_TEXEL_BUFFER, SETS),
            size(vk::DescriptorType::STORAGE_TEXEL_BUFFER, SETS / 2),
        ];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(SETS).pool_sizes(&sizes);
        match self.gpu.device.create_descriptor_pool(&info) {
            Ok(pool) => Some(pool),
            Err(e) => {
                self.gpu.note_failure(e, "vkCreateDescriptorPool");
                None
            }
        }
    }

    /// The batch goes to the device: its pools wait for it.
    pub fn submitted(&mut self, stamp: Stamp) {
        if self.current != vk::DescriptorPool::null() {
            self.filled.push(std::mem::take(&mut self.current));
        }
        for pool in self.filled.drain(..) {
            self.in_flight.push_back((stamp, pool));
        }
        self.reclaim();
    }

    fn reclaim(&mut self) {
        while let Some(&(stamp, pool)) = self.in_flight.front() {
            if !self.gpu.is_complete(stamp) {
                break;
            }
            self.in_flight.pop_front();
            self.gpu.device.reset_descriptor_pool(pool);
            self.spare.push(pool);
        }
    }

    /// Destroys all pools; the context's batches have completed.
    pub fn close(&mut self) {
        let pools = self.filled.drain(..).chain(self.spare.drain(..)).chain(self.in_flight.drain(..).map(|p| p.1));
        for pool in pools.chain(std::iter::once(std::mem::take(&mut self.current))) {
            if pool != vk::DescriptorPool::null() {
                self.gpu.device.destroy_descriptor_pool(pool);
            }
        }
    }
}
