//! Batches: the command buffers a context records, and their way to the device.
//!
//! A batch has three command buffers, submitted in this order:
//! - *prologue*: brings new images into the general layout; recorded at submission;
//! - *early*: transfers to resources that the batch had not touched yet, so that they need not split a render pass;
//! - *main*: everything else. It starts with a barrier after all earlier work.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use ash::vk;
use smallvec::SmallVec;

use crate::draw_queue::DrawQueue;
use crate::ffi::Cmd;
use crate::gpu::{Gpu, Stamp};
use crate::upload_queue::UploadQueue;

const ALL: vk::PipelineStageFlags = vk::PipelineStageFlags::ALL_COMMANDS;
const READ_WRITE: vk::AccessFlags =
    vk::AccessFlags::from_raw(vk::AccessFlags::MEMORY_READ.as_raw() | vk::AccessFlags::MEMORY_WRITE.as_raw());

/// A command buffer of a batch that uploads are gathered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Early,
    Main,
}

struct Pool {
    pool: vk::CommandPool,
    prologue: vk::CommandBuffer,
    early: vk::CommandBuffer,
    main: vk::CommandBuffer,
}

/// The batch being recorded, and the command pools of earlier ones.
pub(crate) struct Batches {
    gpu: Arc<Gpu>,
    lane: usize,
    serial: u64,
    open: Option<Pool>,
    early_used: bool,
    /// Draws that main lacks yet.
    draws: RefCell<DrawQueue>,
    /// Uploads to an image that main, or early, lacks yet.
    uploads: RefCell<UploadQueue>,
    early_uploads: UploadQueue,
    /// Draws one command takes; 1 where each needs its own.
    draws_at_once: usize,
    in_flight: VecDeque<(Stamp, Pool)>,
    spare: Vec<Pool>,
    /// Semaphores that the open batch signals besides its own.
    pub signals: SmallVec<[(vk::Semaphore, u64); 4]>,
}

impl Batches {
    pub fn new(gpu: &Arc<Gpu>, lane: usize, serial: u64) -> Self {
        Self {
            gpu: gpu.clone(),
            lane,
            serial: serial + 1,
            open: None,
            early_used: false,
            draws: RefCell::default(),
            uploads: RefCell::default(),
            early_uploads: UploadQueue::default(),
            draws_at_once: gpu.features().max_multi_draws as usize,
            in_flight: VecDeque::new(),
            spare: Vec::new(),
            signals: SmallVec::new(),
        }
    }

    /// Stamp of the open batch, or of the one to come.
    #[inline]
    pub fn stamp(&self) -> Stamp {
        Stamp::new(self.lane, self.serial)
    }

    /// Stamp of the last batch that was submitted; never, when there was none.
    pub fn last_submitted(&self) -> Stamp {
        if self.serial <= 1 { Stamp::default() } else { Stamp::new(self.lane, self.serial - 1) }
    }

    #[inline]
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Opens a batch. False when the device refuses.
    pub fn open(&mut self) -> bool {
        if self.open.is_some() {
            return true;
        }
        self.gpu.note_recording(self.lane, true);
        let Some(pool) = self.take_pool() else {
            self.gpu.note_recording(self.lane, false);
            return false;
        };
        if let Err(e) = self.gpu.device.begin_command_buffer(pool.main) {
            self.gpu.note_failure(e, "vkBeginCommandBuffer");
            self.gpu.note_recording(self.lane, false);
            self.spare.push(pool);
            return false;
        }
        Cmd::new(&self.gpu.device, pool.main).memory_barrier(ALL, vk::AccessFlags::MEMORY_WRITE, ALL, READ_WRITE);
        self.open = Some(pool);
        true
    }

    fn take_pool(&mut self) -> Option<Pool> {
        if let Some((stamp, _)) = self.in_flight.front()
            && self.gpu.is_complete(*stamp)
            && let Some((_, pool)) = self.in_flight.pop_front()
        {
            self.spare.push(pool);
        }
        if let Some(pool) = self.spare.pop() {
            if let Err(e) = self.gpu.device.reset_command_pool(pool.pool) {
                self.gpu.note_failure(e, "vkResetCommandPool");
            }
            return Some(pool);
        }
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::TRANSIENT)
            .queue_family_index(self.gpu.selected.queue_family);
        let made = self
            .gpu
            .device
            .create_command_pool(&info)
            .and_then(|pool| self.gpu.device.allocate_command_buffers(pool, 3).map(|b| (pool, b)));
        match made {
            Ok((pool, b)) => Some(Pool { pool, prologue: b[0], early: b[1], main: b[2] }),
            Err(e) => {
                self.gpu.note_failure(e, "vkCreateCommandPool");
                None
            }
        }
    }

    /// The main command buffer of the open batch, with all draws and uploads in it.
    #[inline]
    pub fn main(&self) -> Option<Cmd<'_>> {
        let cmd = self.open.as_ref().map(|p| Cmd::new(&self.gpu.device, p.main))?;
        let mut draws = self.draws.borrow_mut();
        if !draws.is_empty() {
            draws.record(cmd, self.draws_at_once);
        }
        self.uploads.borrow_mut().record(cmd);
        Some(cmd)
    }

    /// Gathers a draw: vertices `first` to `first + count`, `(count, first)` of its instances.
    #[inline]
    pub fn draw(&mut self, first: u32, count: u32, instances: (u32, u32)) {
        if !self.draws.get_mut().push(first, count, instances) {
            self.main();
            self.draws.get_mut().push(first, count, instances);
        }
    }

    /// Gathers an indexed draw.
    #[inline]
    pub fn draw_indexed(&mut self, first: u32, count: u32, base_vertex: i32, instances: (u32, u32)) {
        if !self.draws.get_mut().push_indexed(first, count, base_vertex, instances) {
            self.main();
            self.draws.get_mut().push_indexed(first, count, base_vertex, instances);
        }
    }

    fn uploads(&mut self, part: Part) -> &mut UploadQueue {
        match part {
            Part::Early => &mut self.early_uploads,
            Part::Main => self.uploads.get_mut(),
        }
    }

    /// Gathers an upload to an image behind those gathered there; false when it needs a command of its own.
    pub fn join_uploads(
        &mut self,
        part: Part,
        from: vk::Buffer,
        to: vk::Image,
        regions: &[vk::BufferImageCopy],
    ) -> bool {
        self.uploads(part).join(from, to, regions)
    }

    /// Gathers an upload to an image behind all that is recorded there. In main, outside of a render pass.
    pub fn begin_uploads(&mut self, part: Part, from: vk::Buffer, to: vk::Image, regions: &[vk::BufferImageCopy]) {
        let is_open = match part {
            Part::Early => self.early().is_some(),
            Part::Main => self.main().is_some(),
        };
        if is_open {
            self.uploads(part).begin(from, to, regions);
        }
    }

    /// The early command buffer of the open batch, with all uploads in it.
    pub fn early(&mut self) -> Option<Cmd<'_>> {
        let early = self.open.as_ref()?.early;
        if !self.early_used {
            if let Err(e) = self.gpu.device.begin_command_buffer(early) {
                self.gpu.note_failure(e, "vkBeginCommandBuffer");
                return None;
            }
            Cmd::new(&self.gpu.device, early).memory_barrier(ALL, vk::AccessFlags::MEMORY_WRITE, ALL, READ_WRITE);
            self.early_used = true;
        }
        let cmd = Cmd::new(&self.gpu.device, early);
        self.early_uploads.record(cmd);
        Some(cmd)
    }

    /// Ends and submits the open batch; `present` runs under the queue's lock after it.
    pub fn submit<R>(&mut self, present: impl FnOnce(&Gpu, vk::Queue) -> R) -> Option<R> {
        let stamp = self.stamp();
        self.main();
        if self.early_used {
            self.early();
        }
        let pool = self.open.take()?;
        let gpu = self.gpu.clone();
        let mut queue = gpu.lock_queue();
        let mut commands: SmallVec<[vk::CommandBuffer; 3]> = SmallVec::new();
        if self.record_prologue(pool.prologue, stamp) {
            commands.push(pool.prologue);
        }
        if std::mem::take(&mut self.early_used) {
            self.end(pool.early);
            commands.push(pool.early);
        }
        // Mapped memory is read without further ado once the batch has completed.
        Cmd::new(&gpu.device, pool.main).memory_barrier(
            ALL,
            vk::AccessFlags::MEMORY_WRITE,
            vk::PipelineStageFlags::HOST,
            vk::AccessFlags::HOST_READ | vk::AccessFlags::HOST_WRITE,
        );
        self.end(pool.main);
        commands.push(pool.main);
        gpu.submit(&mut queue, stamp, &commands, &self.signals);
        let result = present(&gpu, queue.queue);
        drop(queue);
        self.signals.clear();
        self.in_flight.push_back((stamp, pool));
        self.serial += 1;
        Some(result)
    }

    fn end(&self, buffer: vk::CommandBuffer) {
        if let Err(e) = self.gpu.device.end_command_buffer(buffer) {
            self.gpu.note_failure(e, "vkEndCommandBuffer");
        }
    }

    /// Records the first transition of images made since the last submission of any context.
    fn record_prologue(&self, buffer: vk::CommandBuffer, stamp: Stamp) -> bool {
        let images = self.gpu.take_new_images();
        let orphans = self.gpu.take_orphans();
        if (images.is_empty() && orphans.is_empty()) || self.gpu.device.begin_command_buffer(buffer).is_err() {
            return false;
        }
        let known = images.iter().map(|image| {
            image.uses.mark(stamp, &self.gpu);
            image.note_transition();
            (image.raw, image.whole())
        });
        let barriers: Vec<vk::ImageMemoryBarrier<'_>> = known
            .chain(orphans)
            .map(|(image, whole)| {
                vk::ImageMemoryBarrier::default()
                    .dst_access_mask(READ_WRITE)
                    .old_layout(vk::ImageLayout::UNDEFINED)
                    .new_layout(vk::ImageLayout::GENERAL)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .image(image)
                    .subresource_range(whole)
            })
            .collect();
        Cmd::new(&self.gpu.device, buffer).image_barriers(ALL, ALL, &barriers);
        self.end(buffer);
        true
    }

    /// Destroys all pools; the batches have completed.
    pub fn close(&mut self) {
        let open = self.open.take();
        self.uploads.get_mut().clear();
        self.early_uploads.clear();
        self.gpu.note_recording(self.lane, false);
        for pool in self.spare.drain(..).chain(self.in_flight.drain(..).map(|p| p.1)).chain(open) {
            self.gpu.device.destroy_command_pool(pool.pool);
        }
    }
}
