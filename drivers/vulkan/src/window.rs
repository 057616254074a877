//! Windows: the queue of images that a native window shows.
//!
//! An image is acquired when it is first drawn to, not when the one before was presented, so that a program that
//! stops drawing holds none. The acquisition's semaphore is waited for by a submission of its own, which also
//! brings the image into the general layout: everything later on the queue is then ordered after it, whichever
//! context draws first (Vulkan 1.3, 7.4.2: the second scope of a semaphore wait includes what is submitted later).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ash::vk;
use gallite_pipe::{Format, NativeWindow, Outcome, PresentStatus, WindowDesc, WindowId, WindowState};
use parking_lot::{Mutex, MutexGuard};

use crate::ffi::{Cmd, SubmitInfo};
use crate::gpu::{Gpu, Stamp};
use crate::screen::Objects;
use crate::texture::ImageStorage;

const ALL: vk::PipelineStageFlags = vk::PipelineStageFlags::ALL_COMMANDS;
const READ_WRITE: vk::AccessFlags =
    vk::AccessFlags::from_raw(vk::AccessFlags::MEMORY_READ.as_raw() | vk::AccessFlags::MEMORY_WRITE.as_raw());

/// How often an acquisition is tried again with a fresh swapchain before the window counts as lost.
const ACQUIRE_TRIES: u32 = 4;

/// How long the end of the process waits for a thread that is in the middle of an acquisition; it may be stopped there.
const ENDING: Duration = Duration::from_millis(50);

/// A window's image queue.
pub(crate) struct Window {
    gpu: Arc<Gpu>,
    surface: vk::SurfaceKHR,
    format: Format,
    min_images: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    chain: Option<Chain>,
    /// Chains that recorded work may still use.
    retired: Vec<Chain>,
    /// Size that images shall have.
    extent: vk::Extent2D,
    /// Whether views of the format's sRGB twin will be made.
    needs_twin: bool,
    interval: i32,
    /// The chain no longer fits.
    stale: bool,
    lost: bool,
    is_presenting: bool,
    /// Semaphores of acquisitions, each free again once the batch that presented the image has completed.
    acquire_semaphores: Vec<(Stamp, vk::Semaphore)>,
}

/// A swapchain and its images.
struct Chain {
    swapchain: vk::SwapchainKHR,
    images: Vec<ChainImage>,
    extent: vk::Extent2D,
    interval: i32,
    has_twin: bool,
    pool: vk::CommandPool,
    current: Option<(u32, vk::Semaphore)>,
    presents: u64,
}

struct ChainImage {
    storage: Arc<ImageStorage>,
    /// Signalled by the batch that is presented.
    rendered: vk::Semaphore,
    /// Into the general layout from nothing, and from the layout of presentation.
    from_nothing: vk::CommandBuffer,
    from_presented: vk::CommandBuffer,
    /// Number of its presentation, 0 before the first.
    presented: u64,
}

/// A back image on its way to the display.
pub(crate) struct Presenting {
    pub swapchain: vk::SwapchainKHR,
    pub index: u32,
    /// Signalled by the batch that is presented.
    pub rendered: vk::Semaphore,
    acquired: vk::Semaphore,
}

impl Window {
    fn new(gpu: &Arc<Gpu>, surface: vk::SurfaceKHR, desc: &WindowDesc) -> Self {
        let extent = vk::Extent2D { width: desc.width, height: desc.height };
        let state = State { extent, interval: 1, ..State::default() };
        Self {
            gpu: gpu.clone(),
            surface,
            format: desc.format,
            min_images: desc.min_images.max(2),
            state: Mutex::new(state),
        }
    }

    /// The state; none when the process is ending and a thread was stopped that holds it.
    fn lock(&self) -> Option<MutexGuard<'_, State>> {
        if self.gpu.is_ending() { self.state.try_lock_for(ENDING) } else { Some(self.state.lock()) }
    }

    /// Says what size images shall have from the next acquisition on, and whether their sRGB twin is wanted.
    pub fn expect(&self, width: u32, height: u32, needs_twin: bool) {
        let Some(mut state) = self.lock() else { return };
        state.extent = vk::Extent2D { width, height };
        state.needs_twin |= needs_twin;
    }

    /// The image that is drawn to now, acquired if that has not happened; none when the window is lost.
    pub fn back_image(&self) -> Option<Arc<ImageStorage>> {
        let mut state = self.lock()?;
        for _ in 0..ACQUIRE_TRIES {
            if state.lost || state.is_presenting || self.gpu.is_lost() || !self.ensure_chain(&mut state) {
                return None;
            }
            if self.ensure_current(&mut state) {
                let chain = state.chain.as_ref()?;
                return Some(chain.images[chain.current?.0 as usize].storage.clone());
            }
        }
        None
    }

    /// Age of the back image: presentations since it was shown itself, 0 when it holds nothing.
    fn age(&self) -> u32 {
        if self.back_image().is_none() {
            return 0;
        }
        let Some(state) = self.lock() else { return 0 };
        let age = state.chain.as_ref().and_then(|chain| {
            let image = &chain.images[chain.current?.0 as usize];
            (image.presented > 0).then(|| chain.presents - image.presented + 1)
        });
        age.and_then(|age| u32::try_from(age).ok()).unwrap_or(0)
    }

    fn ensure_chain(&self, state: &mut State) -> bool {
        self.free_retired(state);
        let fits = state.chain.as_ref().is_some_and(|chain| {
            !state.stale
                && chain.extent == state.extent
                && chain.interval == state.interval
                && (chain.has_twin || !state.needs_twin)
        });
        if fits {
            return true;
        }
        let old = state.chain.take();
        let old_swapchain = old.as_ref().map_or(vk::SwapchainKHR::null(), |chain| chain.swapchain);
        let made = self.make_chain(state, old_swapchain);
        // An image that is acquired stays so: the queue may have its semaphore to wait for still, which goes with the chain.
        state.retired.extend(old);
        state.stale = false;
        match made {
            Ok(chain) => {
                state.chain = Some(chain);
                true
            }
            Err(error) => {
                self.failed(state, error, "vkCreateSwapchainKHR");
                false
            }
        }
    }

    fn failed(&self, state: &mut State, error: vk::Result, what: &str) {
        // Out of date is answered by the next chain; everything else ends the window.
        state.lost |= error != vk::Result::ERROR_OUT_OF_DATE_KHR;
        if matches!(error, vk::Result::ERROR_SURFACE_LOST_KHR | vk::Result::ERROR_OUT_OF_DATE_KHR) {
            tracing::debug!("{what}: {error}");
        } else {
            self.gpu.note_failure(error, what);
        }
    }

    fn make_chain(&self, state: &State, old: vk::SwapchainKHR) -> Result<Chain, vk::Result> {
        let gpu = &self.gpu;
        let adapter = gpu.selected.adapter.handle;
        let surfaces = &gpu.instance.surface;
        let caps = surfaces.capabilities(adapter, self.surface)?;
        let native = gpu.formats.image(self.format);
        let usage = caps.supported_usage_flags
            & (vk::ImageUsageFlags::COLOR_ATTACHMENT
                | vk::ImageUsageFlags::TRANSFER_SRC
                | vk::ImageUsageFlags::TRANSFER_DST
                | vk::ImageUsageFlags::SAMPLED);
        let most = if caps.max_image_count == 0 { u32::MAX } else { caps.max_image_count };
        let twin = self.format.srgb().map(|format| gpu.formats.image(format));
        let formats = [native, twin.unwrap_or(native)];
        let has_twin = state.needs_twin && twin.is_some() && gpu.features().swapchain_mutable_format;
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&formats);
        let mut info = vk::SwapchainCreateInfoKHR::default()
            .surface(self.surface)
            .min_image_count(self.min_images.max(caps.min_image_count).min(most))
            .image_format(native)
            .image_color_space(vk::ColorSpaceKHR::SRGB_NONLINEAR)
            .image_extent(self.fitting_extent(state, &caps))
            .image_array_layers(1)
            .image_usage(usage)
            .image_sharing_mode(vk::SharingMode::EXCLUSIVE)
            .pre_transform(caps.current_transform)
            .composite_alpha(composite_alpha(caps.supported_composite_alpha))
            .present_mode(present_mode(&surfaces.present_modes(adapter, self.surface), state.interval))
            .clipped(true)
            .old_swapchain(old);
        if has_twin {
            info = info.flags(vk::SwapchainCreateFlagsKHR::MUTABLE_FORMAT).push_next(&mut list);
        }
        let swapchain = gpu.device.create_swapchain(&info)?;
        let raw = gpu.device.swapchain_images(swapchain);
        let made = self.make_images(&raw, state.extent, usage);
        let (pool, images) = made.inspect_err(|_| gpu.device.destroy_swapchain(swapchain))?;
        Ok(Chain {
            swapchain,
            images,
            extent: state.extent,
            interval: state.interval,
            // Without the extension it will not get better by trying again.
            has_twin: state.needs_twin,
            pool,
            current: None,
            presents: 0,
        })
    }

    /// The size asked for. When the window has changed since, the platforms we know still take it, and presentation
    /// then reports the mismatch; a size outside of fixed bounds is never used.
    fn fitting_extent(&self, state: &State, caps: &vk::SurfaceCapabilitiesKHR) -> vk::Extent2D {
        if caps.current_extent.width == u32::MAX {
            return vk::Extent2D {
                width: state.extent.width.clamp(caps.min_image_extent.width, caps.max_image_extent.width),
                height: state.extent.height.clamp(caps.min_image_extent.height, caps.max_image_extent.height),
            };
        }
        state.extent
    }

    fn make_images(
        &self,
        raw: &[vk::Image],
        extent: vk::Extent2D,
        usage: vk::ImageUsageFlags,
    ) -> Result<(vk::CommandPool, Vec<ChainImage>), vk::Result> {
        let device = &self.gpu.device;
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.gpu.selected.queue_family);
        let pool = device.create_command_pool(&info)?;
        let mut images = Vec::with_capacity(raw.len());
        let made = (|| {
            let buffers = device.allocate_command_buffers(pool, 2 * raw.len() as u32)?;
            for (&image, pair) in raw.iter().zip(buffers.chunks_exact(2)) {
                let storage = ImageStorage::from_swapchain(&self.gpu, image, self.format, extent, usage);
                self.record_acquired(pair[0], &storage, vk::ImageLayout::UNDEFINED)?;
                self.record_acquired(pair[1], &storage, vk::ImageLayout::PRESENT_SRC_KHR)?;
                images.push(ChainImage {
                    storage,
                    rendered: device.create_semaphore(&vk::SemaphoreCreateInfo::default())?,
                    from_nothing: pair[0],
                    from_presented: pair[1],
                    presented: 0,
                });
            }
            Ok(())
        })();
        if let Err(error) = made {
            for image in &images {
                device.destroy_semaphore(image.rendered);
            }
            device.destroy_command_pool(pool);
            return Err(error);
        }
        Ok((pool, images))
    }

    fn record_acquired(
        &self,
        buffer: vk::CommandBuffer,
        storage: &ImageStorage,
        from: vk::ImageLayout,
    ) -> Result<(), vk::Result> {
        let device = &self.gpu.device;
        device.begin_reusable_command_buffer(buffer)?;
        let barrier = layout_change(storage, from, vk::ImageLayout::GENERAL).dst_access_mask(READ_WRITE);
        Cmd::new(device, buffer).image_barriers(ALL, ALL, &[barrier]);
        device.end_command_buffer(buffer)
    }

    /// Acquires an image. False when the chain turned out not to fit any more.
    fn ensure_current(&self, state: &mut State) -> bool {
        if state.chain.as_ref().is_some_and(|chain| chain.current.is_some()) {
            return true;
        }
        let Some(semaphore) = self.take_semaphore(state) else {
            state.lost = true;
            return false;
        };
        let Some(chain) = &mut state.chain else { return false };
        match self.gpu.device.acquire(chain.swapchain, semaphore, u64::MAX) {
            Ok((index, _)) => {
                let image = &chain.images[index as usize];
                let commands = [if image.presented == 0 { image.from_nothing } else { image.from_presented }];
                let waits = [(semaphore, 0, ALL)];
                let queue = self.gpu.lock_queue();
                let info = SubmitInfo { commands: &commands, waits: &waits, signals: &[], fence: vk::Fence::null() };
                if let Err(error) = self.gpu.device.submit(queue.queue, &info) {
                    self.gpu.note_failure(error, "vkQueueSubmit");
                }
                drop(queue);
                chain.current = Some((index, semaphore));
                true
            }
            Err(error) => {
                // Nothing is pending on the semaphore after a failure.
                state.acquire_semaphores.push((Stamp::default(), semaphore));
                state.stale = true;
                self.failed(state, error, "vkAcquireNextImageKHR");
                false
            }
        }
    }

    fn take_semaphore(&self, state: &mut State) -> Option<vk::Semaphore> {
        let free = state.acquire_semaphores.iter().position(|(stamp, _)| self.gpu.poll_stamp(*stamp));
        match free {
            Some(index) => Some(state.acquire_semaphores.swap_remove(index).1),
            None => self.gpu.device.create_semaphore(&vk::SemaphoreCreateInfo::default()).ok(),
        }
    }

    /// Takes the back image out to present it. None when there is none.
    ///
    /// Until [`finish_present`](Self::finish_present) the chain is the caller's. The queue's lock must not be held: this
    /// one comes first everywhere.
    pub fn begin_present(&self, interval: i32) -> Option<Presenting> {
        let mut state = self.lock()?;
        state.interval = interval.clamp(0, 1);
        let chain = state.chain.as_mut()?;
        let (index, acquired) = chain.current.take()?;
        let rendered = chain.images[index as usize].rendered;
        let presenting = Presenting { swapchain: chain.swapchain, index, rendered, acquired };
        state.is_presenting = true;
        Some(presenting)
    }

    /// Notes what came of a presentation after the batch `stamp`.
    pub fn finish_present(
        &self,
        presenting: &Presenting,
        stamp: Stamp,
        result: Result<bool, vk::Result>,
    ) -> WindowState {
        let mut state = self.state.lock();
        let state = &mut *state;
        state.is_presenting = false;
        state.acquire_semaphores.push((stamp, presenting.acquired));
        let Some(chain) = &mut state.chain else { return WindowState::lost() };
        chain.presents += 1;
        chain.images[presenting.index as usize].presented = chain.presents;
        let extent = chain.extent;
        let status = match result {
            Ok(false) => PresentStatus::DONE,
            Ok(true) => PresentStatus::SUBOPTIMAL,
            Err(error) => {
                state.stale = true;
                self.failed(state, error, "vkQueuePresentKHR");
                match error {
                    vk::Result::ERROR_OUT_OF_DATE_KHR => PresentStatus::SUBOPTIMAL,
                    vk::Result::ERROR_DEVICE_LOST => PresentStatus::DEVICE_LOST,
                    _ => PresentStatus::WINDOW_LOST,
                }
            }
        };
        WindowState { status, width: extent.width, height: extent.height, buffer_age: 0 }
    }

    /// Destroys chains that nothing uses any more.
    fn free_retired(&self, state: &mut State) {
        if state.retired.is_empty() {
            return;
        }
        self.gpu.poll();
        let (idle, busy): (Vec<_>, Vec<_>) = state.retired.drain(..).partition(|chain| chain.is_idle(&self.gpu));
        state.retired = busy;
        for chain in idle {
            self.free_chain(chain);
        }
    }

    fn free_chain(&self, chain: Chain) {
        let device = &self.gpu.device;
        // A presentation has no fence; an idle queue has at least read what it waits for.
        let queue = self.gpu.lock_queue();
        device.wait_idle();
        drop(queue);
        for image in &chain.images {
            device.destroy_semaphore(image.rendered);
        }
        // That of an image which was acquired and never presented.
        if let Some((_, semaphore)) = chain.current {
            device.destroy_semaphore(semaphore);
        }
        device.destroy_command_pool(chain.pool);
        drop(chain.images);
        device.destroy_swapchain(chain.swapchain);
    }

    /// Gives everything up; afterwards the native window is not touched again.
    fn close(&self) {
        // Left to the end of the process, which is near.
        let Some(mut state) = self.lock() else { return };
        state.lost = true;
        let queue = self.gpu.lock_queue();
        self.gpu.device.wait_idle();
        drop(queue);
        self.gpu.poll();
        let mut chains = std::mem::take(&mut state.retired);
        chains.extend(state.chain.take());
        let mut is_free = true;
        for chain in chains {
            if chain.is_idle(&self.gpu) {
                self.free_chain(chain);
            } else {
                // Recorded in some context and not submitted: to destroy it would be worse than to keep it.
                self.gpu
                    .log(gallite_pipe::Severity::WARNING, "a window was destroyed before its work was flushed".into());
                is_free = false;
                std::mem::forget(chain);
            }
        }
        for (_, semaphore) in state.acquire_semaphores.drain(..) {
            self.gpu.device.destroy_semaphore(semaphore);
        }
        if is_free {
            self.gpu.instance.surface.destroy(self.surface);
        }
    }
}

impl Chain {
    fn is_idle(&self, gpu: &Gpu) -> bool {
        self.images.iter().all(|image| !image.storage.uses.is_busy(gpu))
    }
}

trait Lost {
    fn lost() -> Self;
}

impl Lost for WindowState {
    fn lost() -> Self {
        Self { status: PresentStatus::WINDOW_LOST, ..Self::default() }
    }
}

/// A barrier that changes the layout of a whole image.
pub(crate) fn layout_change(
    image: &ImageStorage,
    from: vk::ImageLayout,
    to: vk::ImageLayout,
) -> vk::ImageMemoryBarrier<'static> {
    vk::ImageMemoryBarrier::default()
        .old_layout(from)
        .new_layout(to)
        .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .image(image.raw)
        .subresource_range(image.whole())
}

/// The window's own rule where there is one (X11: the visual's), else opaque.
fn composite_alpha(supported: vk::CompositeAlphaFlagsKHR) -> vk::CompositeAlphaFlagsKHR {
    use vk::CompositeAlphaFlagsKHR as C;
    [C::INHERIT, C::OPAQUE, C::PRE_MULTIPLIED, C::POST_MULTIPLIED]
        .into_iter()
        .find(|mode| supported.contains(*mode))
        .unwrap_or(C::OPAQUE)
}

/// Interval 0 shows an image at once, tearing or not; everything else waits for the display. FIFO always exists.
fn present_mode(offered: &[vk::PresentModeKHR], interval: i32) -> vk::PresentModeKHR {
    use vk::PresentModeKHR as M;
    if interval == 0 {
        for mode in [M::IMMEDIATE, M::MAILBOX] {
            if offered.contains(&mode) {
                return mode;
            }
        }
    }
    M::FIFO
}

/// A surface for a native window that the device can present to.
fn make_surface(gpu: &Gpu, native: &NativeWindow) -> Option<vk::SurfaceKHR> {
    if !gpu.features().swapchain {
        return None;
    }
    let surfaces = &gpu.instance.surface;
    let surface = surfaces.create(native)?;
    if surfaces.supports_queue(gpu.selected.adapter.handle, gpu.selected.queue_family, surface) {
        return Some(surface);
    }
    surfaces.destroy(surface);
    None
}

/// Attaches an image queue to a native window.
pub(crate) fn create(objects: &Objects, id: WindowId, native: &NativeWindow, desc: &WindowDesc) -> Outcome {
    let Some(surface) = make_surface(&objects.gpu, native) else { return Outcome::DECLINED };
    objects.windows.insert(id, Arc::new(Window::new(&objects.gpu, surface, desc)));
    Outcome::DONE
}

/// Destroys a window's image queue.
pub(crate) fn destroy(objects: &Objects, id: WindowId) {
    if let Some(window) = objects.windows.get(id) {
        objects.windows.remove(id);
        window.close();
        objects.gpu.storage_epoch.fetch_add(1, Ordering::Release);
    }
}

/// Formats of a native window, in the surface's order.
pub(crate) fn formats(objects: &Objects, native: &NativeWindow) -> Vec<Format> {
    let gpu = &objects.gpu;
    let Some(surface) = make_surface(gpu, native) else { return Vec::new() };
    let offered = gpu.instance.surface.formats(gpu.selected.adapter.handle, surface);
    gpu.instance.surface.destroy(surface);
    let known = [
        Format::B8G8R8A8_UNORM,
        Format::R8G8B8A8_UNORM,
        Format::B10G10R10A2_UNORM,
        Format::R10G10B10A2_UNORM,
        Format::B5G6R5_UNORM,
        Format::R16G16B16A16_FLOAT,
    ];
    offered
        .iter()
        .filter(|entry| entry.color_space == vk::ColorSpaceKHR::SRGB_NONLINEAR)
        .filter_map(|entry| known.into_iter().find(|format| gpu.formats.image(*format) == entry.format))
        .collect()
}

/// A window's state: its size now, and the age of the image that is drawn to next.
pub(crate) fn state(objects: &Objects, id: WindowId) -> WindowState {
    let Some(window) = objects.windows.get(id) else { return WindowState::lost() };
    let adapter = objects.gpu.selected.adapter.handle;
    match objects.gpu.instance.surface.capabilities(adapter, window.surface) {
        Ok(caps) if window.lock().is_some_and(|state| !state.lost) => {
            let wanted = window.lock().map(|state| state.extent).unwrap_or_default();
            let extent = if caps.current_extent.width == u32::MAX { wanted } else { caps.current_extent };
            WindowState {
                status: PresentStatus::DONE,
                width: extent.width,
                height: extent.height,
                buffer_age: window.age(),
            }
        }
        Err(vk::Result::ERROR_DEVICE_LOST) => {
            WindowState { status: PresentStatus::DEVICE_LOST, ..WindowState::default() }
        }
        _ => WindowState::lost(),
    }
}
