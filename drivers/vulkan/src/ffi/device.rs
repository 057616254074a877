//! The logical device: object creation and destruction, queue submission, waits.

use std::ffi::{CStr, c_char};

use ash::{ext, khr, vk};
use gallite_pipe::PipeError;

use super::{Instance, MemoryBlock};
use crate::adapter::{DeviceFeatures, FeatureStructs, Selected, WANTED, wanted_core};

/// Entry points of a device and of the extensions enabled on it.
pub(crate) struct Device {
    handle: ash::Device,
    features: DeviceFeatures,
    pub(super) timeline: Option<khr::timeline_semaphore::Device>,
    pub(super) rendering: Option<khr::dynamic_rendering::Device>,
    pub(super) eds1: Option<ext::extended_dynamic_state::Device>,
    pub(super) eds2: Option<ext::extended_dynamic_state2::Device>,
    pub(super) eds2_ext: Option<ext::extended_dynamic_state2::Device>,
    pub(super) eds3: Option<ext::extended_dynamic_state3::Device>,
    pub(super) vertex_input: Option<ext::vertex_input_dynamic_state::Device>,
    pub(super) lines: Option<ext::line_rasterization::Device>,
    pub(super) xfb: Option<ext::transform_feedback::Device>,
    pub(super) conditional: Option<ext::conditional_rendering::Device>,
    pub(super) multi_draw: Option<ext::multi_draw::Device>,
    pub(super) indirect_count: Option<khr::draw_indirect_count::Device>,
    pub(super) debug: Option<ext::debug_utils::Device>,
    calibrated: Option<ext::calibrated_timestamps::Device>,
    swapchain: Option<khr::swapchain::Device>,
}

/// One submission.
pub(crate) struct SubmitInfo<'a> {
    pub commands: &'a [vk::CommandBuffer],
    /// Semaphores waited for, with values for timeline ones (0 for binary).
    pub waits: &'a [(vk::Semaphore, u64, vk::PipelineStageFlags)],
    /// Semaphores signalled, likewise.
    pub signals: &'a [(vk::Semaphore, u64)],
    pub fence: vk::Fence,
}

/// One method per creating command; each returns the new handle.
macro_rules! creators {
    ($($name:ident($info:ident) -> $ret:ident;)*) => { $(
        pub fn $name(&self, info: &vk::$info<'_>) -> Result<vk::$ret, vk::Result> {
            // SAFETY: module rules 1, 3 and 4; host memory comes from the implementation.
            unsafe { self.handle.$name(info, None) }
        }
    )* };
}

/// One method per destroying command.
macro_rules! destroyers {
    ($($name:ident($ty:ident);)*) => { $(
        pub fn $name(&self, object: vk::$ty) {
            // SAFETY: module rule 1: nothing on the device uses it any more, and it is destroyed once.
            unsafe { self.handle.$name(object, None) };
        }
    )* };
}

impl Device {
    /// Makes the device with everything in [`WANTED`] that it lists.
    pub fn new(instance: &Instance, selected: &Selected) -> Result<Self, PipeError> {
        let adapter = &selected.adapter;
        let names: Vec<*const c_char> = WANTED
            .iter()
            .filter(|n| adapter.has(n))
            .filter(|n| {
                instance.surface.any()
                    || ![khr::swapchain::NAME, khr::swapchain_mutable_format::NAME, khr::incremental_present::NAME]
                        .contains(n)
            })
            .map(|n| n.as_ptr())
            .collect();
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(selected.queue_family)
            .queue_priorities(&priorities)];
        let mut structs = FeatureStructs::default();
        // Query once more, so that every structure in the chain holds what the device has.
        structs.chained(adapter, selected.api_version, vk::PhysicalDeviceFeatures::default(), |chain| {
            instance.query_features(adapter, chain);
        });
        structs.switch_off(&selected.features);
        let base = wanted_core(&selected.core);
        let handle = structs.chained(adapter, selected.api_version, base, |chain| {
            let mut info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names);
            info.p_next = std::ptr::from_mut(chain).cast();
            // SAFETY: `info` and its chain live through the call; extensions and features are ones the device lists.
            unsafe { instance.handle().create_device(adapter.handle, &info, None) }
        });
        let handle = handle.map_err(|e| match e {
            vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => PipeError::OutOfMemory,
            vk::Result::ERROR_DEVICE_LOST => PipeError::DeviceLost,
            other => PipeError::NoDevice(format!("vkCreateDevice: {other}")),
        })?;
        let f = &selected.features;
        let i = instance.handle();
        let listed = |name: &CStr| adapter.has(name);
        Ok(Self {
            timeline: (f.timeline_semaphore && !f.core_1_2).then(|| khr::timeline_semaphore::Device::new(i, &handle)),
            rendering: (f.dynamic_rendering && !f.core_1_3).then(|| khr::dynamic_rendering::Device::new(i, &handle)),
            eds1: (f.extended_dynamic_state && !f.core_1_3)
                .then(|| ext::extended_dynamic_state::Device::new(i, &handle)),
            eds2: (f.extended_dynamic_state2 && !f.core_1_3)
                .then(|| ext::extended_dynamic_state2::Device::new(i, &handle)),
            eds2_ext: f.eds3.logic_op_enable.then(|| ext::extended_dynamic_state2::Device::new(i, &handle)),
            eds3: listed(ext::extended_dynamic_state3::NAME)
                .then(|| ext::extended_dynamic_state3::Device::new(i, &handle)),
            vertex_input: f.vertex_input_dynamic.then(|| ext::vertex_input_dynamic_state::Device::new(i, &handle)),
            lines: listed(ext::line_rasterization::NAME).then(|| ext::line_rasterization::Device::new(i, &handle)),
            xfb: f.transform_feedback.then(|| ext::transform_feedback::Device::new(i, &handle)),
            conditional: f.conditional_rendering.then(|| ext::conditional_rendering::Device::new(i, &handle)),
            multi_draw: (f.max_multi_draws > 1).then(|| ext::multi_draw::Device::new(i, &handle)),
            indirect_count: f.draw_indirect_count.then(|| khr::draw_indirect_count::Device::new(i, &handle)),
            debug: instance.debug_utils.then(|| ext::debug_utils::Device::new(i, &handle)),
            calibrated: f.calibrated_timestamps.then(|| ext::calibrated_timestamps::Device::new(i, &handle)),
            swapchain: f.swapchain.then(|| khr::swapchain::Device::new(i, &handle)),
            features: *f,
            handle,
        })
    }

    pub fn handle(&self) -> &ash::Device {
        &self.handle
    }

    pub fn queue(&self, family: u32) -> vk::Queue {
        // SAFETY: the device was made with one queue of this family.
        unsafe { self.handle.get_device_queue(family, 0) }
    }

    creators! {
        create_buffer(BufferCreateInfo) -> Buffer;
        create_image(ImageCreateInfo) -> Image;
        create_image_view(ImageViewCreateInfo) -> ImageView;
        create_buffer_view(BufferViewCreateInfo) -> BufferView;
        create_sampler(SamplerCreateInfo) -> Sampler;
        create_shader_module(ShaderModuleCreateInfo) -> ShaderModule;
        create_descriptor_set_layout(DescriptorSetLayoutCreateInfo) -> DescriptorSetLayout;
        create_pipeline_layout(PipelineLayoutCreateInfo) -> PipelineLayout;
        create_descriptor_pool(DescriptorPoolCreateInfo) -> DescriptorPool;
        create_descriptor_update_template(DescriptorUpdateTemplateCreateInfo) -> DescriptorUpdateTemplate;
        create_command_pool(CommandPoolCreateInfo) -> CommandPool;
        create_semaphore(SemaphoreCreateInfo) -> Semaphore;
        create_fence(FenceCreateInfo) -> Fence;
        create_query_pool(QueryPoolCreateInfo) -> QueryPool;
        create_render_pass(RenderPassCreateInfo) -> RenderPass;
        create_framebuffer(FramebufferCreateInfo) -> Framebuffer;
        create_pipeline_cache(PipelineCacheCreateInfo) -> PipelineCache;
    }

    destroyers! {
        destroy_buffer(Buffer);
        destroy_image(Image);
        destroy_image_view(ImageView);
        destroy_buffer_view(BufferView);
        destroy_sampler(Sampler);
        destroy_shader_module(ShaderModule);
        destroy_descriptor_set_layout(DescriptorSetLayout);
        destroy_pipeline_layout(PipelineLayout);
        destroy_descriptor_pool(DescriptorPool);
        destroy_descriptor_update_template(DescriptorUpdateTemplate);
        destroy_command_pool(CommandPool);
        destroy_semaphore(Semaphore);
        destroy_fence(Fence);
        destroy_query_pool(QueryPool);
        destroy_render_pass(RenderPass);
        destroy_framebuffer(Framebuffer);
        destroy_pipeline_cache(PipelineCache);
        destroy_pipeline(Pipeline);
    }

    /// Makes one graphics pipeline.
    pub fn create_graphics_pipeline(
        &self,
        cache: vk::PipelineCache,
        info: &vk::GraphicsPipelineCreateInfo<'_>,
    ) -> Result<vk::Pipeline, vk::Result> {
        // SAFETY: module rules 3 and 4; pipeline caches synchronise themselves.
        let made = unsafe { self.handle.create_graphics_pipelines(cache, std::slice::from_ref(info), None) };
        made.map_err(|(_, e)| e)?.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
    }

    /// Makes one compute pipeline.
    pub fn create_compute_pipeline(
        &self,
        cache: vk::PipelineCache,
        info: &vk::ComputePipelineCreateInfo<'_>,
    ) -> Result<vk::Pipeline, vk::Result> {
        // SAFETY: as above.
        let made = unsafe { self.handle.create_compute_pipelines(cache, std::slice::from_ref(info), None) };
        made.map_err(|(_, e)| e)?.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
    }

    pub fn pipeline_cache_data(&self, cache: vk::PipelineCache) -> Option<Vec<u8>> {
        // SAFETY: module rule 1.
        unsafe { self.handle.get_pipeline_cache_data(cache) }.ok()
    }

    pub fn buffer_requirements(&self, buffer: vk::Buffer) -> vk::MemoryRequirements {
        // SAFETY: module rule 1.
        unsafe { self.handle.get_buffer_memory_requirements(buffer) }
    }

    pub fn image_requirements(&self, image: vk::Image) -> vk::MemoryRequirements {
        // SAFETY: module rule 1.
        unsafe { self.handle.get_image_memory_requirements(image) }
    }

    pub fn bind_buffer(&self, buffer: vk::Buffer, block: &MemoryBlock) -> Result<(), vk::Result> {
        let (memory, offset) = block.binding();
        // SAFETY: the block was allocated for this buffer's requirements and the buffer is not bound yet.
        unsafe { self.handle.bind_buffer_memory(buffer, memory, offset) }
    }

    pub fn bind_image(&self, image: vk::Image, block: &MemoryBlock) -> Result<(), vk::Result> {
        let (memory, offset) = block.binding();
        // SAFETY: the block was allocated for this image's requirements and the image is not bound yet.
        unsafe { self.handle.bind_image_memory(image, memory, offset) }
    }

    pub fn allocate_command_buffers(
        &self,
        pool: vk::CommandPool,
        count: u32,
    ) -> Result<Vec<vk::CommandBuffer>, vk::Result> {
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(count);
        // SAFETY: module rule 2.
        unsafe { self.handle.allocate_command_buffers(&info) }
    }

    /// Resets a pool none of whose command buffers is pending.
    pub fn reset_command_pool(&self, pool: vk::CommandPool) -> Result<(), vk::Result> {
        // SAFETY: VUID-vkResetCommandPool-commandPool-00040: batches are reset after they completed.
        unsafe { self.handle.reset_command_pool(pool, vk::CommandPoolResetFlags::empty()) }
    }

    pub fn begin_command_buffer(&self, buffer: vk::CommandBuffer) -> Result<(), vk::Result> {
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the buffer is in the initial state: its pool was just reset.
        unsafe { self.handle.begin_command_buffer(buffer, &info) }
    }

    /// Begins a buffer that is recorded once and submitted often.
    pub fn begin_reusable_command_buffer(&self, buffer: vk::CommandBuffer) -> Result<(), vk::Result> {
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::SIMULTANEOUS_USE);
        // SAFETY: the buffer was just allocated, so it is in the initial state.
        unsafe { self.handle.begin_command_buffer(buffer, &info) }
    }

    pub fn end_command_buffer(&self, buffer: vk::CommandBuffer) -> Result<(), vk::Result> {
        // SAFETY: the buffer is recording and outside of a render pass.
        unsafe { self.handle.end_command_buffer(buffer) }
    }

    /// Allocates one set; `None` when the pool is full.
    pub fn allocate_descriptor_set(
        &self,
        pool: vk::DescriptorPool,
        layout: vk::DescriptorSetLayout,
    ) -> Option<vk::DescriptorSet> {
        let layouts = [layout];
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        // SAFETY: module rule 2.
        unsafe { self.handle.allocate_descriptor_sets(&info) }.ok()?.first().copied()
    }

    /// Resets a pool none of whose sets is in use by a pending batch.
    pub fn reset_descriptor_pool(&self, pool: vk::DescriptorPool) {
        // SAFETY: VUID-vkResetDescriptorPool-descriptorPool-00313: batches are reset after they completed.
        let _ = unsafe { self.handle.reset_descriptor_pool(pool, vk::DescriptorPoolResetFlags::empty()) };
    }

    /// Writes all descriptors of a set from `data`, laid out as the template was made for.
    pub fn update_set_with_template<T: bytemuck::NoUninit>(
        &self,
        set: vk::DescriptorSet,
        template: vk::DescriptorUpdateTemplate,
        data: &[T],
    ) {
        // SAFETY: the template's offsets and strides stay inside `data` (the shader's layout made both), and
        // the set is fresh, so that no pending batch reads it.
        unsafe { self.handle.update_descriptor_set_with_template(set, template, data.as_ptr().cast()) };
    }

    pub fn write_descriptors(&self, writes: &[vk::WriteDescriptorSet<'_>]) {
        // SAFETY: the sets are fresh; module rules 1 and 4.
        unsafe { self.handle.update_descriptor_sets(writes, &[]) };
    }

    /// Submits; the caller holds the queue's lock.
    pub fn submit(&self, queue: vk::Queue, submit: &SubmitInfo<'_>) -> Result<(), vk::Result> {
        let waits: smallvec::SmallVec<[vk::Semaphore; 4]> = submit.waits.iter().map(|w| w.0).collect();
        let wait_values: smallvec::SmallVec<[u64; 4]> = submit.waits.iter().map(|w| w.1).collect();
        let stages: smallvec::SmallVec<[vk::PipelineStageFlags; 4]> = submit.waits.iter().map(|w| w.2).collect();
        let signals: smallvec::SmallVec<[vk::Semaphore; 4]> = submit.signals.iter().map(|s| s.0).collect();
        let signal_values: smallvec::SmallVec<[u64; 4]> = submit.signals.iter().map(|s| s.1).collect();
        let mut timeline = vk::TimelineSemaphoreSubmitInfo::default()
            .wait_semaphore_values(&wait_values)
            .signal_semaphore_values(&signal_values);
        let mut info = vk::SubmitInfo::default()
            .wait_semaphores(&waits)
            .wait_dst_stage_mask(&stages)
            .signal_semaphores(&signals)
            .command_buffers(submit.commands);
        if self.features.timeline_semaphore {
            info = info.push_next(&mut timeline);
        }
        // SAFETY: module rule 2 for the queue; the command buffers are executable and submitted once.
        unsafe { self.handle.queue_submit(queue, &[info], submit.fence) }
    }

    pub fn wait_idle(&self) {
        // SAFETY: callers hold the queue's lock or are the last user of the device.
        let _ = unsafe { self.handle.device_wait_idle() };
    }

    pub fn create_timeline(&self) -> Result<vk::Semaphore, vk::Result> {
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        self.create_semaphore(&vk::SemaphoreCreateInfo::default().push_next(&mut kind))
    }

    /// The timeline's present value.
    pub fn timeline_value(&self, semaphore: vk::Semaphore) -> Result<u64, vk::Result> {
        match &self.timeline {
            // SAFETY: module rule 1.
            Some(fns) => unsafe { fns.get_semaphore_counter_value(semaphore) },
            // SAFETY: as above; the command is core.
            None => unsafe { self.handle.get_semaphore_counter_value(semaphore) },
        }
    }

    /// Waits for a timeline; `Ok(false)` when time ran out.
    pub fn wait_timeline(&self, semaphore: vk::Semaphore, value: u64, timeout: u64) -> Result<bool, vk::Result> {
        let (semaphores, values) = ([semaphore], [value]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        let result = match &self.timeline {
            // SAFETY: module rule 1.
            Some(fns) => unsafe { fns.wait_semaphores(&info, timeout) },
            // SAFETY: as above; the command is core.
            None => unsafe { self.handle.wait_semaphores(&info, timeout) },
        };
        match result {
            Ok(()) => Ok(true),
            Err(vk::Result::TIMEOUT) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Ticks of the device's clock; `None` where it can't be asked.
    pub fn device_time(&self) -> Option<u64> {
        let info = [vk::CalibratedTimestampInfoEXT::default().time_domain(vk::TimeDomainEXT::DEVICE)];
        // SAFETY: module rule 1; the functions are loaded only when the device lists this time domain.
        let times = unsafe { self.calibrated.as_ref()?.get_calibrated_timestamps(&info) };
        times.ok().and_then(|(times, _)| times.first().copied())
    }

    /// Waits for a fence; `Ok(false)` when time ran out.
    pub fn wait_fence(&self, fence: vk::Fence, timeout: u64) -> Result<bool, vk::Result> {
        // SAFETY: module rule 1.
        match unsafe { self.handle.wait_for_fences(&[fence], true, timeout) } {
            Ok(()) => Ok(true),
            Err(vk::Result::TIMEOUT) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Query results as 64-bit words, each followed by its availability when `flags` ask for it.
    pub fn query_results(
        &self,
        pool: vk::QueryPool,
        first: u32,
        data: &mut [u64],
        per_query: usize,
        flags: vk::QueryResultFlags,
    ) -> Result<bool, vk::Result> {
        let count = data.len() / per_query.max(1);
        let stride = (per_query * size_of::<u64>()) as u64;
        // SAFETY: `data` has room for `count` results of `stride` bytes; the queries were written by submitted work.
        let result = unsafe {
            (self.handle.fp_v1_0().get_query_pool_results)(
                self.handle.handle(),
                pool,
                first,
                count as u32,
                size_of_val(data),
                data.as_mut_ptr().cast(),
                stride,
                flags | vk::QueryResultFlags::TYPE_64,
            )
        };
        match result {
            vk::Result::SUCCESS => Ok(true),
            vk::Result::NOT_READY => Ok(false),
            e => Err(e),
        }
    }

    /// Names an object for debuggers.
    pub fn set_name<H: vk::Handle>(&self, handle: H, name: &CStr) {
        if let Some(fns) = &self.debug {
            let info = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(handle).object_name(name);
            // SAFETY: module rule 1.
            let _ = unsafe { fns.set_debug_utils_object_name(&info) };
        }
    }

    // Swapchains.

    pub fn create_swapchain(&self, info: &vk::SwapchainCreateInfoKHR<'_>) -> Result<vk::SwapchainKHR, vk::Result> {
        let Some(fns) = &self.swapchain else { return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT) };
        // SAFETY: module rules 1 to 4; the surface outlives its swapchains.
        unsafe { fns.create_swapchain(info, None) }
    }

    pub fn destroy_swapchain(&self, swapchain: vk::SwapchainKHR) {
        if let Some(fns) = &self.swapchain {
            // SAFETY: module rule 1.
            unsafe { fns.destroy_swapchain(swapchain, None) };
        }
    }

    pub fn swapchain_images(&self, swapchain: vk::SwapchainKHR) -> Vec<vk::Image> {
        // SAFETY: module rule 1.
        self.swapchain
            .as_ref()
            .map_or_else(Vec::new, |f| unsafe { f.get_swapchain_images(swapchain) }.unwrap_or_default())
    }

    /// Acquires an image; the flag says that the swapchain no longer fits its surface well.
    pub fn acquire(
        &self,
        swapchain: vk::SwapchainKHR,
        semaphore: vk::Semaphore,
        timeout: u64,
    ) -> Result<(u32, bool), vk::Result> {
        let Some(fns) = &self.swapchain else { return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT) };
        // SAFETY: the semaphore is unsignalled with nothing pending on it.
        unsafe { fns.acquire_next_image(swapchain, timeout, semaphore, vk::Fence::null()) }
    }

    /// Presents; the caller holds the queue's lock.
    pub fn present(&self, queue: vk::Queue, info: &vk::PresentInfoKHR<'_>) -> Result<bool, vk::Result> {
        let Some(fns) = &self.swapchain else { return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT) };
        // SAFETY: module rule 2; the image was acquired and is in the present layout.
        unsafe { fns.queue_present(queue, info) }
    }

    /// Destroys the device itself. Nothing may be used afterwards.
    pub fn close(&self) {
        // SAFETY: called once, by the owner's drop, when the device is idle and all its objects are destroyed.
        unsafe { self.handle.destroy_device(None) };
    }
}
