//! What all parts of a screen share: the device, its queue, memory, the lanes that count completed work, and the
//! garbage that waits for it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use ash::vk;
use gallite_pipe::{Event, EventKind, Severity, WaitStatus};
use parking_lot::{Mutex, MutexGuard};
use smallvec::SmallVec;

use crate::adapter::{DeviceFeatures, Selected};
use crate::clock::Clock;
use crate::counters::CounterCells;
use crate::ffi::{self, Instance, Memory, MemoryBlock, MemoryPlace, SubmitInfo};
use crate::formats::FormatTable;
use crate::render_pass::RenderPasses;
use crate::sampler::SamplerCount;
use crate::slab::{SlabRange, Slabs};
use crate::texture::ImageStorage;

/// What a pipeline takes, where memory was made small.
const PIPELINE_BYTES: u64 = 1 << 16;

/// Most contexts alive at once.
const MAX_LANES: usize = 4096;

/// Bits of a stamp that count a lane's batches: at a million a second they last for years.
const SERIAL_BITS: u32 = 48;

/// How long the end of the process waits for threads that record: one that does nothing any more never stops.
const STOPPING: Duration = Duration::from_millis(50);

/// A point in one context's stream of batches: lane in the top bits, serial below. Zero is "never".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp(pub u64);

impl Stamp {
    pub fn new(lane: usize, serial: u64) -> Self {
        Self((lane as u64 + 1) << SERIAL_BITS | serial)
    }
    fn lane(self) -> usize {
        (self.0 >> SERIAL_BITS) as usize - 1
    }
    pub fn serial(self) -> u64 {
        self.0 & ((1 << SERIAL_BITS) - 1)
    }
}

/// Which batches used an object last: one stamp per lane, the usual single one without a lock.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    primary: AtomicU64,
    others: Mutex<SmallVec<[Stamp; 2]>>,
}

impl Uses {
    /// Records a use. Steady state is one relaxed load.
    #[inline]
    pub fn mark(&self, stamp: Stamp, gpu: &Gpu) {
        if self.primary.load(Ordering::Relaxed) != stamp.0 {
            self.mark_slow(stamp, gpu);
        }
    }

    fn mark_slow(&self, stamp: Stamp, gpu: &Gpu) {
        let mut others = self.others.lock();
        let old = Stamp(self.primary.load(Ordering::Relaxed));
        if old.0 != 0 && old.lane() != stamp.lane() && !gpu.is_complete(old) {
            others.retain(|s| s.lane() != old.lane() && !gpu.is_complete(*s));
            others.push(old);
        }
        self.primary.store(stamp.0, Ordering::Relaxed);
    }

    /// The stamps whose work may still run.
    pub fn pending(&self, gpu: &Gpu) -> SmallVec<[Stamp; 2]> {
        let mut stamps: SmallVec<[Stamp; 2]> = SmallVec::new();
        let primary = Stamp(self.primary.load(Ordering::Relaxed));
        if primary.0 != 0 && !gpu.is_complete(primary) {
            stamps.push(primary);
        }
        stamps.extend(self.others.lock().iter().copied().filter(|s| !gpu.is_complete(*s)));
        stamps
    }

    pub fn is_busy(&self, gpu: &Gpu) -> bool {
        !self.pending(gpu).is_empty()
    }

    /// Whether the batch `stamp` uses the object.
    pub fn in_batch(&self, stamp: Stamp) -> bool {
        self.primary.load(Ordering::Relaxed) == stamp.0 || self.others.lock().contains(&stamp)
    }
}

/// A native object that nobody names any more.
pub(crate) enum Garbage {
    Buffer(vk::Buffer, Option<MemoryBlock>),
    Slab(SlabRange),
    Image(vk::Image, Option<MemoryBlock>),
    ImageView(vk::ImageView),
    BufferView(vk::BufferView),
    /// With whether it has a border colour of its own.
    Sampler(vk::Sampler, bool),
    Pipeline(vk::Pipeline),
    PipelineLayout(vk::PipelineLayout),
    SetLayout(vk::DescriptorSetLayout),
    Template(vk::DescriptorUpdateTemplate),
    Framebuffer(vk::Framebuffer),
    QueryPool(vk::QueryPool),
}

impl Garbage {
    /// Bytes of device memory that go with it.
    fn bytes(&self) -> u64 {
        match self {
            Self::Buffer(_, Some(block)) | Self::Image(_, Some(block)) => block.size(),
            Self::Slab(range) => range.size(),
            _ => 0,
        }
    }
}

/// A fence with those that wait for it. The last that lets go of it destroys it, so never under a wait
/// (VUID-vkDestroyFence-fence-01120 and its external synchronization).
type LaneFence = Arc<vk::Fence>;

/// One context's progress.
pub(crate) struct Lane {
    semaphore: vk::Semaphore,
    submitted: AtomicU64,
    completed: AtomicU64,
    /// Fences by serial, where there are no timeline semaphores.
    fences: Mutex<VecDeque<(u64, LaneFence)>>,
    taken: AtomicBool,
    /// The thread that has a batch of the context open, 0 while there is none.
    recording: AtomicUsize,
}

/// The queue and what only its lock holder touches.
pub(crate) struct QueueState {
    pub queue: vk::Queue,
}

/// The shared core of a screen.
pub(crate) struct Gpu {
    pub instance: Arc<Instance>,
    pub device: ffi::Device,
    pub selected: Selected,
    pub formats: FormatTable,
    pub counters: CounterCells,
    pub render_passes: RenderPasses,
    pub clock: Clock,
    memory: Mutex<Memory>,
    queue: Mutex<QueueState>,
    /// In the order of their first contexts; those past the first one that is not there aren't either.
    lanes: Box<[OnceLock<Box<Lane>>]>,
    garbage: Mutex<VecDeque<(SmallVec<[Stamp; 2]>, Garbage)>>,
    pub slabs: Slabs,
    pub samplers: SamplerCount,
    lost: AtomicBool,
    /// Held by a thread of the driver's own while it works; for ever, once the process ends.
    aside: Mutex<()>,
    /// Threads that wait for the end of the process.
    parked: AtomicUsize,
    /// The thread that ends the process, once it does: from then on no other gets the queue.
    ending: OnceLock<usize>,
    events: Mutex<VecDeque<(Event, String)>>,
    new_images: Mutex<Vec<Weak<ImageStorage>>>,
    /// Images that work not yet submitted uses, whose owner is gone before they were ever transitioned.
    orphans: Mutex<Vec<(vk::Image, vk::ImageSubresourceRange)>>,
    tracks: Mutex<TrackSlots>,
    next_identity: AtomicU64,
    /// Bumped when any buffer gets fresh storage or a window its next image, so that contexts look again.
    pub storage_epoch: AtomicU64,
    /// Bytes of device memory in use.
    live_bytes: AtomicU64,
    /// Bytes that had to wait for work when their object was given up, ever.
    pub retired_bytes: AtomicU64,
}

#[derive(Default)]
struct TrackSlots {
    next: u32,
    free: Vec<u32>,
}

impl Gpu {
    pub fn new(instance: Arc<Instance>, selected: Selected) -> Result<Arc<Self>, gallite_pipe::PipeError> {
        let device = ffi::Device::new(&instance, &selected)?;
        let memory = Memory::new(&instance, &device, selected.adapter.handle)
            .ok_or_else(|| gallite_pipe::PipeError::Platform("the memory allocator refused the device".into()))?;
        let queue = device.queue(selected.queue_family);
        let formats = FormatTable::new(&instance, &selected);
        Ok(Arc::new(Self {
            instance,
            device,
            formats,
            counters: CounterCells::default(),
            render_passes: RenderPasses::default(),
            clock: Clock::default(),
            memory: Mutex::new(memory),
            queue: Mutex::new(QueueState { queue }),
            lanes: (0..MAX_LANES).map(|_| OnceLock::new()).collect(),
            garbage: Mutex::default(),
            slabs: Slabs::default(),
            samplers: SamplerCount::default(),
            lost: AtomicBool::new(false),
            aside: Mutex::default(),
            parked: AtomicUsize::new(0),
            ending: OnceLock::new(),
            events: Mutex::default(),
            new_images: Mutex::default(),
            orphans: Mutex::default(),
            tracks: Mutex::default(),
            next_identity: AtomicU64::new(1),
            storage_epoch: AtomicU64::new(1),
            live_bytes: AtomicU64::new(0),
            retired_bytes: AtomicU64::new(0),
            selected,
        }))
    }

    pub fn features(&self) -> &DeviceFeatures {
        &self.selected.features
    }

    /// Makes a buffer of no bytes (VUID-VkBufferCreateInfo-size-00912).
    pub fn call_invalidly(&self) {
        let usage = vk::BufferUsageFlags::TRANSFER_SRC;
        if let Ok(buffer) = self.device.create_buffer(&vk::BufferCreateInfo::default().usage(usage)) {
            self.device.destroy_buffer(buffer);
        }
    }

    pub fn limits(&self) -> &vk::PhysicalDeviceLimits {
        &self.selected.adapter.properties.limits
    }

    /// A time that goes on whenever an object is made.
    #[inline]
    pub fn age(&self) -> u64 {
        self.next_identity.load(Ordering::Relaxed)
    }

    /// A number no other object of this screen has or had.
    pub fn identity(&self) -> u64 {
        self.next_identity.fetch_add(1, Ordering::Relaxed)
    }

    // Memory.

    /// Memory for an object; `None` when there is none even after garbage was collected. No lock of the driver may be
    /// held: what is destroyed then takes them.
    pub fn allocate(
        &self,
        requirements: vk::MemoryRequirements,
        place: MemoryPlace,
        linear: bool,
    ) -> Option<MemoryBlock> {
        let attempt = || {
            if !self.has_room(requirements.size) {
                return None;
            }
            self.memory.lock().allocate(requirements, place, linear)
        };
        let block = attempt().or_else(|| {
            // What waits in the garbage may be enough.
            self.collect();
            attempt()
        });
        // Or what submitted work still holds: an object that cannot be made is worse than a wait.
        let block = block.or_else(|| {
            self.wait_for_submitted();
            self.collect();
            attempt()
        })?;
        self.counters.live_allocations.add(1);
        self.counters.allocations_made.add(1);
        self.live_bytes.fetch_add(block.size(), Ordering::Relaxed);
        Some(block)
    }

    /// Whether a memory that was made small has room.
    fn has_room(&self, bytes: u64) -> bool {
        let limit = self.selected.faults.memory;
        limit == 0 || self.live_bytes.load(Ordering::Relaxed) + bytes <= limit
    }

    /// Pipelines take memory that is not ours to give: one that was made small has to have some left.
    pub fn room_for_pipeline(&self) -> Result<(), vk::Result> {
        if self.has_room(PIPELINE_BYTES) { Ok(()) } else { Err(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY) }
    }

    pub fn free_memory(&self, block: MemoryBlock) {
        self.counters.live_allocations.sub(1);
        self.live_bytes.fetch_sub(block.size(), Ordering::Relaxed);
        self.memory.lock().free(block);
    }

    /// Waits for everything that was handed to the device so far.
    #[cold]
    fn wait_for_submitted(&self) {
        for (index, lane) in self.lanes.iter().map_while(OnceLock::get).enumerate() {
            let submitted = Stamp::new(index, lane.submitted.load(Ordering::Acquire));
            self.wait(submitted, u64::MAX);
        }
    }

    pub fn track_slot(&self) -> u32 {
        let mut tracks = self.tracks.lock();
        tracks.free.pop().unwrap_or_else(|| {
            tracks.next += 1;
            tracks.next - 1
        })
    }

    pub fn free_track_slot(&self, slot: u32) {
        self.tracks.lock().free.push(slot);
    }

    // Images that were made and not yet brought into the general layout.

    pub fn push_new_image(&self, image: &Arc<ImageStorage>) {
        let mut images = self.new_images.lock();
        // Those that went without ever being used would gather for as long as nothing is submitted.
        if images.len() >= 64 && images.len().is_power_of_two() {
            images.retain(|image| image.strong_count() > 0);
        }
        images.push(Arc::downgrade(image));
    }

    pub fn take_new_images(&self) -> Vec<Arc<ImageStorage>> {
        self.new_images.lock().drain(..).filter_map(|w| w.upgrade()).collect()
    }

    /// An image goes that recorded work uses and that was never transitioned: the work's submission still has to do it.
    /// The image itself stays until that work is done.
    pub fn push_orphan(&self, image: vk::Image, whole: vk::ImageSubresourceRange) {
        self.orphans.lock().push((image, whole));
    }

    pub fn take_orphans(&self) -> Vec<(vk::Image, vk::ImageSubresourceRange)> {
        std::mem::take(&mut *self.orphans.lock())
    }

    // Events.

    pub fn push_event(&self, event: Event, message: String) {
        let mut events = self.events.lock();
        if events.len() < 1024 {
            events.push_back((event, message));
        }
    }

    pub fn pop_event(&self) -> Option<(Event, String)> {
        self.events.lock().pop_front()
    }

    pub fn log(&self, severity: Severity, message: String) {
        match severity {
            Severity::ERROR => tracing::error!("{message}"),
            Severity::WARNING => tracing::warn!("{message}"),
            _ => tracing::debug!("{message}"),
        }
        let event = Event { kind: EventKind::LOG, severity, message_len: message.len() as u32, ..Default::default() };
        self.push_event(event, message);
    }

    pub fn out_of_memory(&self, slot: u32, generation: u32, what: &str) {
        let message = format!("out of memory for {what}");
        tracing::warn!("{message}");
        let event = Event {
            kind: EventKind::OUT_OF_MEMORY,
            severity: Severity::ERROR,
            slot,
            generation,
            message_len: message.len() as u32,
            ..Default::default()
        };
        self.push_event(event, message);
    }

    // Loss.

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Notes a failed call; a lost device is announced once.
    pub fn note_failure(&self, error: vk::Result, what: &str) {
        if error == vk::Result::ERROR_DEVICE_LOST {
            if !self.lost.swap(true, Ordering::Relaxed) {
                tracing::error!("device lost in {what}");
                self.push_event(
                    Event { kind: EventKind::DEVICE_LOST, severity: Severity::ERROR, ..Default::default() },
                    String::new(),
                );
            }
        } else {
            self.log(Severity::ERROR, format!("{what}: {error}"));
        }
    }

    // Lanes.

    /// Takes a lane for a context; `None` when all are taken or the device is out of memory.
    pub fn take_lane(&self) -> Option<(usize, u64)> {
        for (index, cell) in self.lanes.iter().enumerate() {
            if let Some(lane) = cell.get() {
                if !lane.taken.swap(true, Ordering::Acquire) {
                    return Some((index, lane.submitted.load(Ordering::Relaxed)));
                }
                continue;
            }
            let semaphore = if self.features().timeline_semaphore {
                self.device.create_timeline().ok()?
            } else {
                vk::Semaphore::null()
            };
            let lane = Lane {
                semaphore,
                submitted: AtomicU64::new(0),
                completed: AtomicU64::new(0),
                fences: Mutex::default(),
                taken: AtomicBool::new(true),
                recording: AtomicUsize::new(0),
            };
            match cell.set(Box::new(lane)) {
                Ok(()) => return Some((index, 0)),
                // Another thread was faster here; try the next.
                Err(lane) => {
                    if lane.semaphore != vk::Semaphore::null() {
                        self.device.destroy_semaphore(lane.semaphore);
                    }
                }
            }
        }
        None
    }

    pub fn release_lane(&self, index: usize) {
        if let Some(lane) = self.lanes[index].get() {
            lane.taken.store(false, Ordering::Release);
        }
    }

    fn lane(&self, stamp: Stamp) -> Option<&Lane> {
        if stamp.0 == 0 {
            return None;
        }
        self.lanes.get(stamp.lane())?.get().map(|lane| &**lane)
    }

    /// Whether the batch was handed to the device.
    pub fn is_submitted(&self, stamp: Stamp) -> bool {
        stamp.0 == 0 || self.lane(stamp).is_some_and(|l| l.submitted.load(Ordering::Acquire) >= stamp.serial())
    }

    /// Whether the batch has completed, as far as known without asking the device.
    #[inline]
    pub fn is_complete(&self, stamp: Stamp) -> bool {
        stamp.0 == 0 || self.lane(stamp).is_none_or(|l| l.completed.load(Ordering::Acquire) >= stamp.serial())
    }

    /// Asks the device how far each lane has come.
    pub fn poll(&self) {
        for lane in self.lanes.iter().map_while(OnceLock::get) {
            if lane.completed.load(Ordering::Relaxed) < lane.submitted.load(Ordering::Relaxed) {
                self.poll_lane(lane);
            }
        }
    }

    fn poll_lane(&self, lane: &Lane) {
        if self.is_lost() {
            // Nothing runs any more.
            lane.completed.fetch_max(lane.submitted.load(Ordering::Acquire), Ordering::Release);
            return;
        }
        if lane.semaphore != vk::Semaphore::null() {
            match self.device.timeline_value(lane.semaphore) {
                Ok(value) => drop(lane.completed.fetch_max(value, Ordering::Release)),
                Err(e) => self.note_failure(e, "vkGetSemaphoreCounterValue"),
            }
            return;
        }
        let mut fences = lane.fences.lock();
        while let Some((serial, fence)) = fences.front() {
            if !self.device.wait_fence(**fence, 0).unwrap_or(true) {
                break;
            }
            lane.completed.fetch_max(*serial, Ordering::Release);
            if let Some((_, fence)) = fences.pop_front() {
                self.let_go(fence);
            }
        }
    }

    fn let_go(&self, fence: LaneFence) {
        if let Some(fence) = Arc::into_inner(fence) {
            self.device.destroy_fence(fence);
        }
    }

    /// Asks the device about one stamp.
    pub fn poll_stamp(&self, stamp: Stamp) -> bool {
        if self.is_complete(stamp) {
            return true;
        }
        if let Some(lane) = self.lane(stamp) {
            self.poll_lane(lane);
        }
        self.is_complete(stamp)
    }

    /// Waits for a submitted batch.
    pub fn wait(&self, stamp: Stamp, timeout: u64) -> WaitStatus {
        if self.poll_stamp(stamp) {
            return if self.is_lost() { WaitStatus::LOST } else { WaitStatus::SIGNALED };
        }
        let Some(lane) = self.lane(stamp) else { return WaitStatus::SIGNALED };
        if timeout == 0 || !self.is_submitted(stamp) {
            return WaitStatus::TIMEOUT;
        }
        self.counters.waits.add(1);
        let result = if lane.semaphore != vk::Semaphore::null() {
            self.device.wait_timeline(lane.semaphore, stamp.serial(), timeout)
        } else {
            let fence = lane.fences.lock().iter().find(|f| f.0 >= stamp.serial()).map(|f| f.1.clone());
            fence.map_or(Ok(true), |fence| {
                let result = self.device.wait_fence(*fence, timeout);
                self.let_go(fence);
                result
            })
        };
        match result {
            Ok(true) => {
                self.poll_lane(lane);
                WaitStatus::SIGNALED
            }
            Ok(false) => WaitStatus::TIMEOUT,
            Err(e) => {
                self.note_failure(e, "a wait");
                if self.is_lost() { WaitStatus::LOST } else { WaitStatus::TIMEOUT }
            }
        }
    }

    // The queue.

    pub fn lock_queue(&self) -> MutexGuard<'_, QueueState> {
        let guard = self.queue.lock();
        if self.stops_here() {
            drop(guard);
            self.stop();
        }
        guard
    }

    /// Whether the process is ending, and not by this thread.
    fn stops_here(&self) -> bool {
        self.ending.get().is_some_and(|ending| *ending != ffi::this_thread())
    }

    /// Waits for the end of the process.
    fn stop(&self) -> ! {
        self.parked.fetch_add(1, Ordering::SeqCst);
        loop {
            std::thread::park();
        }
    }

    /// Notes that the calling thread has a batch of a lane open, or that none is open any more.
    pub fn note_recording(&self, lane: usize, open: bool) {
        if let Some(lane) = self.lanes.get(lane).and_then(OnceLock::get) {
            lane.recording.store(if open { ffi::this_thread() } else { 0 }, Ordering::SeqCst);
        }
        // Either this sees that the process is ending, or that sees the batch.
        std::sync::atomic::fence(Ordering::SeqCst);
        if open && self.stops_here() {
            self.stop();
        }
    }

    /// Whether the process is ending.
    pub fn is_ending(&self) -> bool {
        self.ending.get().is_some()
    }

    /// Held by threads of the driver's own while they call the device; blocks for ever when the process is ending.
    pub fn work_aside(&self) -> MutexGuard<'_, ()> {
        self.aside.lock()
    }

    /// Ends all work for good: waits for what was submitted, and lets only this thread submit more.
    pub fn rest(&self, patience: Duration) {
        if let Some(aside) = self.aside.try_lock_for(patience) {
            std::mem::forget(aside);
        }
        let me = ffi::this_thread();
        let Some(queue) = self.queue.try_lock_for(patience) else { return };
        let _ = self.ending.set(me);
        std::sync::atomic::fence(Ordering::SeqCst);
        drop(queue);
        // Threads with an open batch may be inside of the device's library now; they stop where they submit.
        let others = || {
            let lanes = self.lanes.iter().map_while(OnceLock::get);
            lanes.filter(|lane| ![0, me].contains(&lane.recording.load(Ordering::SeqCst))).count()
        };
        let began = Instant::now();
        while self.parked.load(Ordering::SeqCst) < others() && began.elapsed() < STOPPING.min(patience) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let Some(_queue) = self.queue.try_lock_for(patience) else { return };
        self.device.wait_idle();
    }

    /// Hands a batch to the device. The caller holds the queue.
    pub fn submit(
        &self,
        queue: &mut QueueState,
        stamp: Stamp,
        commands: &[vk::CommandBuffer],
        signals: &[(vk::Semaphore, u64)],
    ) {
        let Some(lane) = self.lane(stamp) else { return };
        let mut all: SmallVec<[(vk::Semaphore, u64); 4]> = signals.iter().copied().collect();
        let mut fence = vk::Fence::null();
        if lane.semaphore != vk::Semaphore::null() {
            all.push((lane.semaphore, stamp.serial()));
        } else {
            fence = self.device.create_fence(&vk::FenceCreateInfo::default()).unwrap_or_default();
        }
        if !self.is_lost() {
            let info = SubmitInfo { commands, waits: &[], signals: &all, fence };
            self.counters.submits.add(1);
            let outcome = if self.selected.faults.lost_at == self.counters.submits.get() {
                // Nothing may run any more when the objects go.
                self.device.wait_idle();
                Err(vk::Result::ERROR_DEVICE_LOST)
            } else {
                self.device.submit(queue.queue, &info)
            };
            match outcome {
                Ok(()) if fence != vk::Fence::null() => lane.fences.lock().push_back((stamp.serial(), Arc::new(fence))),
                Ok(()) => {}
                Err(e) => {
                    // A batch that did not get through never completes by itself; treat the device as lost.
                    self.note_failure(e, "vkQueueSubmit");
                    self.note_failure(vk::Result::ERROR_DEVICE_LOST, "vkQueueSubmit");
                }
            }
        }
        lane.submitted.fetch_max(stamp.serial(), Ordering::Release);
    }

    // Garbage.

    /// Destroys an object once its uses have completed.
    pub fn retire(&self, uses: &Uses, what: Garbage) {
        let pending = uses.pending(self);
        if pending.is_empty() {
            self.destroy(what);
        } else {
            self.retired_bytes.fetch_add(what.bytes(), Ordering::Relaxed);
            self.garbage.lock().push_back((pending, what));
        }
    }

    /// Destroys what has become free.
    pub fn collect(&self) {
        self.poll();
        let mut ready: SmallVec<[Garbage; 16]> = SmallVec::new();
        {
            let mut garbage = self.garbage.lock();
            let mut i = 0;
            while i < garbage.len() {
                if garbage[i].0.iter().all(|s| self.is_complete(*s)) {
                    if let Some((_, item)) = garbage.swap_remove_back(i) {
                        ready.push(item);
                    }
                } else {
                    i += 1;
                }
            }
        }
        // Views go before the images they look at.
        ready.sort_by_key(|g| matches!(g, Garbage::Image(..) | Garbage::Buffer(..) | Garbage::Slab(..)));
        for item in ready {
            self.destroy(item);
        }
    }

    fn destroy(&self, what: Garbage) {
        match what {
            Garbage::Buffer(buffer, block) => {
                self.device.destroy_buffer(buffer);
                if let Some(block) = block {
                    self.free_memory(block);
                }
            }
            Garbage::Slab(range) => {
                if let Some((buffer, block)) = self.slabs.free(range) {
                    self.device.destroy_buffer(buffer);
                    self.free_memory(block);
                }
            }
            Garbage::Image(image, block) => {
                self.device.destroy_image(image);
                if let Some(block) = block {
                    self.free_memory(block);
                }
            }
            Garbage::ImageView(view) => self.device.destroy_image_view(view),
            Garbage::BufferView(view) => self.device.destroy_buffer_view(view),
            Garbage::Sampler(sampler, border) => {
                self.device.destroy_sampler(sampler);
                self.samplers.give_back(border);
            }
            Garbage::Pipeline(pipeline) => self.device.destroy_pipeline(pipeline),
            Garbage::PipelineLayout(layout) => self.device.destroy_pipeline_layout(layout),
            Garbage::SetLayout(layout) => self.device.destroy_descriptor_set_layout(layout),
            Garbage::Template(template) => self.device.destroy_descriptor_update_template(template),
            Garbage::Framebuffer(framebuffer) => self.device.destroy_framebuffer(framebuffer),
            Garbage::QueryPool(pool) => self.device.destroy_query_pool(pool),
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        self.device.wait_idle();
        for lane in self.lanes.iter().filter_map(OnceLock::get) {
            lane.completed.store((1 << SERIAL_BITS) - 1, Ordering::Release);
        }
        let mut garbage: Vec<Garbage> = self.garbage.lock().drain(..).map(|g| g.1).collect();
        garbage.sort_by_key(|g| matches!(g, Garbage::Image(..) | Garbage::Buffer(..) | Garbage::Slab(..)));
        for item in garbage {
            self.destroy(item);
        }
        self.render_passes.close(self);
        self.clock.close(self);
        for (buffer, block) in self.slabs.take_all() {
            self.device.destroy_buffer(buffer);
            self.free_memory(block);
        }
        for lane in self.lanes.iter().filter_map(OnceLock::get) {
            if lane.semaphore != vk::Semaphore::null() {
                self.device.destroy_semaphore(lane.semaphore);
            }
            for (_, fence) in lane.fences.lock().drain(..) {
                self.let_go(fence);
            }
        }
        self.memory.get_mut().close();
        self.device.close();
    }
}
