//! Presentation.

use std::sync::atomic::Ordering;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::VulkanContext;
use crate::barrier::Access;
use crate::texture::ImageStorage;
use crate::window;

impl VulkanContext {
    pub(crate) fn present(&mut self, id: WindowId, source: TextureId, interval: i32, damage: &[Rect]) -> WindowState {
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
        let changed = changed_regions(damage, image.width, image.height);
        let Some(presenting) = window.begin_present(interval) else { return lost };
        self.batches.signals.push((presenting.rendered, 0));
        let stamp = self.stamp();
        let result = self.submit_and(|gpu, queue| {
            let (swapchains, indices, waits) = ([presenting.swapchain], [presenting.index], [presenting.rendered]);
            let mut info =
                vk::PresentInfoKHR::default().swapchains(&swapchains).image_indices(&indices).wait_semaphores(&waits);
            let regions = [vk::PresentRegionKHR::default().rectangles(&changed)];
            let mut regions = vk::PresentRegionsKHR::default().regions(&regions);
            // No region means that everything changed, in both interfaces.
            if gpu.features().incremental_present && !changed.is_empty() {
                info = info.push_next(&mut regions);
            }
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
        self.counters.present_copies += 1;
        if let Some(cmd) = self.transfer_cmd() {
            cmd.resolve_image(from.raw, to.raw, &[region]);
        }
    }
}

/// Damage in GL window coordinates as rectangles of the image, whose top row is first. What lies outside of the image is cut off
/// (VUID-VkRectLayerKHR-offset-04864).
fn changed_regions(damage: &[Rect], width: u32, height: u32) -> SmallVec<[vk::RectLayerKHR; 4]> {
    let (width, height) = (i64::from(width), i64::from(height));
    damage
        .iter()
        .filter_map(|r| {
            let (x, y) = (i64::from(r.x), i64::from(r.y));
            let (x0, x1) = (x.clamp(0, width), (x + i64::from(r.width)).clamp(0, width));
            let (y0, y1) = (y.clamp(0, height), (y + i64::from(r.height)).clamp(0, height));
            (x0 < x1 && y0 < y1).then(|| vk::RectLayerKHR {
                offset: vk::Offset2D { x: x0 as i32, y: (height - y1) as i32 },
                extent: vk::Extent2D { width: (x1 - x0) as u32, height: (y1 - y0) as u32 },
                layer: 0,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_turned_and_cut() {
        let rect = |x, y, width, height| Rect { x, y, width, height };
        let regions = changed_regions(&[rect(1, 2, 3, 4), rect(-5, 18, 100, 100), rect(40, 0, 5, 5)], 30, 20);
        let plain: Vec<_> = regions.iter().map(|r| (r.offset.x, r.offset.y, r.extent.width, r.extent.height)).collect();
        assert_eq!(plain, [(1, 14, 3, 4), (0, 0, 30, 2)]);
    }
}
