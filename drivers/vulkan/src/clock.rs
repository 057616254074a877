//! The device's time now.
//!
//! Where the device can be asked (VK_EXT_calibrated_timestamps), it is. Elsewhere one command buffer, recorded once,
//! writes a timestamp and is waited for.

use ash::vk;
use parking_lot::Mutex;

use crate::ffi::{Cmd, SubmitInfo};
use crate::gpu::Gpu;
use crate::query;

/// What is kept to take timestamps with.
struct Taker {
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    queries: vk::QueryPool,
}

/// The clock of a screen.
#[derive(Default)]
pub(crate) struct Clock {
    taker: Mutex<Option<Taker>>,
}

impl Clock {
    /// Nanoseconds of device time; 0 where the device has none.
    pub fn now(&self, gpu: &Gpu) -> u64 {
        if query::timestamp_bits(gpu) == 0 || gpu.is_lost() {
            return 0;
        }
        if let Some(ticks) = gpu.device.device_time() {
            return query::nanoseconds(gpu, query::ticks(gpu, ticks));
        }
        let mut taker = self.taker.lock();
        if taker.is_none() {
            *taker = Taker::new(gpu).inspect_err(|e| gpu.note_failure(*e, "a timestamp")).ok();
        }
        let ticks =
            taker.as_ref().and_then(|taker| taker.take(gpu).inspect_err(|e| gpu.note_failure(*e, "a timestamp")).ok());
        query::nanoseconds(gpu, query::ticks(gpu, ticks.unwrap_or(0)))
    }

    /// Destroys what it keeps; the device is idle.
    pub fn close(&self, gpu: &Gpu) {
        if let Some(taker) = self.taker.lock().take() {
            gpu.device.destroy_query_pool(taker.queries);
            gpu.device.destroy_command_pool(taker.pool);
        }
    }
}

impl Taker {
    fn new(gpu: &Gpu) -> Result<Self, vk::Result> {
        let device = &gpu.device;
        let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(1);
        let queries = device.create_query_pool(&info)?;
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(gpu.selected.queue_family);
        let pool = device.create_command_pool(&info).inspect_err(|_| device.destroy_query_pool(queries))?;
        Self::record(gpu, pool, queries).inspect_err(|_| {
            device.destroy_command_pool(pool);
            device.destroy_query_pool(queries);
        })
    }

    fn record(gpu: &Gpu, pool: vk::CommandPool, queries: vk::QueryPool) -> Result<Self, vk::Result> {
        let commands = gpu.device.allocate_command_buffers(pool, 1)?[0];
        gpu.device.begin_reusable_command_buffer(commands)?;
        let cmd = Cmd::new(&gpu.device, commands);
        cmd.reset_query_pool(queries, 0, 1);
        // GL 4.6 core 4.3: the time when earlier commands have reached the server, not when they have completed.
        cmd.write_timestamp(vk::PipelineStageFlags::TOP_OF_PIPE, queries, 0);
        gpu.device.end_command_buffer(commands)?;
        Ok(Self { pool, commands, queries })
    }

    fn take(&self, gpu: &Gpu) -> Result<u64, vk::Result> {
        let fence = gpu.device.create_fence(&vk::FenceCreateInfo::default())?;
        let info = SubmitInfo { commands: &[self.commands], waits: &[], signals: &[], fence };
        let submitted = gpu.device.submit(gpu.lock_queue().queue, &info);
        let mut ticks = [0];
        let read = submitted
            .and_then(|()| gpu.device.wait_fence(fence, u64::MAX))
            .and_then(|_| gpu.device.query_results(self.queries, 0, &mut ticks, 1, vk::QueryResultFlags::empty()));
        gpu.device.destroy_fence(fence);
        read.map(|_| ticks[0])
    }
}
