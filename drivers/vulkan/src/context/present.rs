//! Presentation.

use std::sync::atomic::Ordering;

use ash::vk;
use gallite_pipe::*;

use super::VulkanContext;
use crate::barrier::Access;
use crate::texture::ImageStorage;
use crate::window;

impl VulkanContext {
    pub(crate) fn present(&mut self, id: WindowId, source: TextureId, interval: i32, _damage: &[Rect]) -> WindowState {
        let lost = WindowState { status: PresentStatus::WINDOW_LOST, ..WindowState::default() };
        if self.gpu.is_lost() {
            return WindowState { status: PresentStatus::DEVICE_LOST, ..WindowState::default() };
        }
        let Some(window) = self.objects.windows.get(id) else { return lost };
        // Waiting clears are part of the frame.
        self.end_pass();
        let Some(image) = window.back_image() else {
            self.submit();
            return lost;
        };
        if !source.is_null()
            && let Some(multisampled) = self.texture(source).and_then(|texture| texture.image())
        {
            self.resolve_to_window(&multisampled, &image);
        }
        self.end_pass();
        if !self.ensure_batch() {
            return WindowState { status: PresentStatus::DEVICE_LOST, ..WindowState::default() };
        }
        self.use_image(&image, Access::COPY_READ);
        self.flush_barriers();
        let barrier = window::layout_change(&image, vk::ImageLayout::GENERAL, vk::ImageLayout::PRESENT_SRC_KHR)
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE);
        if let Some(cmd) = self.batches.main() {
            let all = vk::PipelineStageFlags::ALL_COMMANDS;
            cmd.image_barriers(all, all, &[barrier]);
        }
        let Some(presenting) = window.begin_present(interval) else { return lost };
        self.batches.signals.push((presenting.rendered, 0));
        let stamp = self.stamp();
        let result = self.submit_and(|gpu, queue| {
            let (swapchains, indices, waits) = ([presenting.swapchain], [presenting.index], [presenting.rendered]);
            let info =
                vk::PresentInfoKHR::default().swapchains(&swapchains).image_indices(&indices).wait_semaphores(&waits);
            gpu.device.present(queue, &info)
        });
        let result = result.unwrap_or(Err(vk::Result::ERROR_SURFACE_LOST_KHR));
        let state = window.finish_present(&presenting, stamp, result);
        // Every context that draws to this window looks for its next image.
        self.gpu.storage_epoch.fetch_add(1, Ordering::Release);
        state
    }

    /// Both images keep their rows alike, so the resolve is one to one.
    fn resolve_to_window(&mut self, from: &ImageStorage, to: &ImageStorage) {
        self.end_pass();
        if !self.ensure_batch() {
            return;
        }
        self.use_image(from, Access::COPY_READ);
        self.use_image(to, Access::COPY_WRITE);
        let layers = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: 1,
        };
        let region = vk::ImageResolve::default().src_subresource(layers).dst_subresource(layers).extent(vk::Extent3D {
            width: from.width.min(to.width),
            height: from.height.min(to.height),
            depth: 1,
        });
        if let Some(cmd) = self.transfer_cmd() {
            cmd.resolve_image(from.raw, to.raw, &[region]);
        }
    }
}
