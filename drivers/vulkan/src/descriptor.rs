//! Descriptor sets: bump allocation from pools that come back with their batch, and the sets already written in it.

use std::sync::Arc;

use ash::vk;

use hashbrown::HashTable;

use crate::gpu::{Gpu, Stamp};
use crate::shader::DescriptorData;

/// Sets in a pool.
const SETS: u32 = 512;

/// Sets remembered in one batch.
const REMEMBERED: usize = 1 << 14;

/// A set's layout: the identity of its shader, and its number.
pub(crate) type LayoutKey = (u32, u32);

/// A set written in the open batch.
struct Written {
    layout: LayoutKey,
    hash: u64,
    /// Where its contents lie among all.
    start: usize,
    len: usize,
    set: vk::DescriptorSet,
}

/// The sets written in the open batch, by what is in them. Equal native handles mean equal objects here: whatever a
/// batch has used stays alive until it has completed, so no handle is reused while this remembers it.
#[derive(Default)]
pub(crate) struct WrittenSets {
    table: HashTable<Written>,
    contents: Vec<DescriptorData>,
}

/// Hash of a set's contents.
fn hash(layout: LayoutKey, data: &[DescriptorData]) -> u64 {
    let mut hash = u64::from(layout.0) << 32 | u64::from(layout.1);
    for word in data.iter().flatten() {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash ^ hash >> 29
}

impl WrittenSets {
    /// The set of a layout that already has these contents.
    pub fn find(&self, layout: LayoutKey, data: &[DescriptorData]) -> Option<vk::DescriptorSet> {
        let wanted = hash(layout, data);
        let same = |written: &Written| {
            written.hash == wanted
                && written.layout == layout
                && self.contents[written.start..written.start + written.len] == *data
        };
        self.table.find(wanted, same).map(|written| written.set)
    }

    /// Remembers a set that was just written.
    pub fn remember(&mut self, layout: LayoutKey, data: &[DescriptorData], set: vk::DescriptorSet) {
        if self.table.len() >= REMEMBERED {
            self.forget();
        }
        let hash = hash(layout, data);
        let written = Written { layout, hash, start: self.contents.len(), len: data.len(), set };
        self.contents.extend_from_slice(data);
        self.table.insert_unique(hash, written, |written| written.hash);
    }

    /// Forgets all: the batch is over.
    fn forget(&mut self) {
        self.table.clear();
        self.contents.clear();
    }
}

/// Pools that a batch is likely to take: as many as the last took, one less for each batch that takes fewer.
#[derive(Default)]
struct Demand(usize);

impl Demand {
    fn note(&mut self, taken: usize) {
        self.0 = taken.max(self.0.saturating_sub(1));
    }
}

/// Descriptor pools of one context.
pub(crate) struct DescriptorArena {
    gpu: Arc<Gpu>,
    current: vk::DescriptorPool,
    filled: Vec<vk::DescriptorPool>,
    in_flight: std::collections::VecDeque<(Stamp, vk::DescriptorPool)>,
    spare: Vec<vk::DescriptorPool>,
    demand: Demand,
    /// What the open batch's sets hold.
    pub written: WrittenSets,
}

impl DescriptorArena {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            current: vk::DescriptorPool::null(),
            filled: Vec::new(),
            in_flight: Default::default(),
            spare: Vec::new(),
            demand: Demand::default(),
            written: WrittenSets::default(),
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
        let set = self.gpu.device.allocate_descriptor_set(self.current, layout);
        if set.is_none() {
            self.gpu.out_of_memory(0, 0, "descriptors");
        }
        set
    }

    fn make_pool(&self) -> Option<vk::DescriptorPool> {
        let size = |ty, n| vk::DescriptorPoolSize { ty, descriptor_count: n };
        let sizes = [
            size(vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC, SETS),
            size(vk::DescriptorType::STORAGE_BUFFER_DYNAMIC, SETS / 8),
            size(vk::DescriptorType::UNIFORM_BUFFER, SETS * 4),
            size(vk::DescriptorType::COMBINED_IMAGE_SAMPLER, SETS * 8),
            // What the driver's own draws use.
            size(vk::DescriptorType::SAMPLED_IMAGE, SETS * 2),
            size(vk::DescriptorType::SAMPLER, SETS),
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
        self.written.forget();
        if self.current != vk::DescriptorPool::null() {
            self.filled.push(std::mem::take(&mut self.current));
        }
        self.demand.note(self.filled.len());
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
        self.trim(self.demand.0);
    }

    /// Destroys spare pools beyond a number.
    pub fn trim(&mut self, most: usize) {
        let beyond = self.spare.len().saturating_sub(most);
        self.spare.drain(..beyond).for_each(|pool| self.gpu.device.destroy_descriptor_pool(pool));
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

#[cfg(test)]
mod tests {
    use super::*;
    use ash::vk::Handle;

    #[test]
    fn demand_falls_slowly() {
        let mut demand = Demand::default();
        let kept: Vec<usize> = [3, 100, 1, 1, 99, 1].map(|taken| (demand.note(taken), demand.0).1).to_vec();
        assert_eq!(kept, [3, 100, 99, 98, 99, 98]);
        (0..200).for_each(|_| demand.note(1));
        assert_eq!(demand.0, 1);
    }

    #[test]
    fn a_set_is_found_by_layout_and_contents_until_the_batch_ends() {
        let mut written = WrittenSets::default();
        let (a, b) = (vk::DescriptorSet::from_raw(1), vk::DescriptorSet::from_raw(2));
        let data = [[1, 2, 3], [4, 5, 6]];
        written.remember((7, 0), &data, a);
        written.remember((7, 1), &data, b);
        assert_eq!(written.find((7, 0), &data), Some(a));
        assert_eq!(written.find((7, 1), &data), Some(b));
        assert_eq!(written.find((8, 0), &data), None, "another program's layout");
        assert_eq!(written.find((7, 0), &data[..1]), None);
        assert_eq!(written.find((7, 0), &[[1, 2, 3], [4, 5, 7]]), None);
        written.forget();
        assert_eq!(written.find((7, 0), &data), None);
    }
}
