//! Clears: load operations where possible, clears inside the pass otherwise, draws where a mask is partial.

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::VulkanContext;
use crate::conv;

impl VulkanContext {
    pub(crate) fn clear(&mut self, info: &ClearInfo) {
        // A window may show its next image since the framebuffer was bound.
        self.follow_renames();
        if !self.condition_passes() || !self.ensure_target() {
            return;
        }
        let Some(target) = &self.target else { return };
        let area = target.area();
        let rect = if info.scissored != 0 { target.rect(&info.scissor) } else { area };
        if rect.extent.width == 0 || rect.extent.height == 0 {
            return;
        }
        let whole = rect == area;
        let mut full_color = 0;
        let mut masked_color = 0;
        for i in 0..target.layout.color_count as usize {
            let Some(attachment) = &target.color[i] else { continue };
            if info.color_attachments & (1 << i) == 0 {
                continue;
            }
            let mask = (info.color_write_masks >> (4 * i)) as u8 & attachment.channels;
            if mask == attachment.channels {
                full_color |= 1 << i;
            } else if mask != 0 {
                masked_color |= 1 << i;
            }
        }
        let depth = (info.clear_depth != 0 && target.has_depth).then(|| info.depth.get().clamp(0.0, 1.0) as f32);
        let wants_stencil = info.clear_stencil != 0 && target.has_stencil && info.stencil_write_mask != 0;
        let full_stencil = wants_stencil && info.stencil_write_mask == 0xff;
        let masked_stencil = wants_stencil && !full_stencil;
        let stencil = full_stencil.then_some(u32::from(info.stencil));
        if full_color != 0 || depth.is_some() || stencil.is_some() {
            if whole && !self.pass.open {
                self.defer_clear(full_color, info.color, depth, stencil);
            } else {
                self.clear_in_pass(full_color, info.color, depth, stencil, rect);
            }
        }
        if masked_color != 0 {
            self.clear_masked_color(masked_color, info, rect);
        }
        if self.bound.framebuffer.layered != 0 {
            self.clear_further_layers(full_color, info, rect);
            self.clear_further_depth_stencil(depth, stencil, rect);
        }
        if masked_stencil {
            self.clear_masked_stencil(info, rect);
        }
    }

    /// Lets the clear become a load operation of the next pass.
    fn defer_clear(&mut self, color: u32, value: [u32; 4], depth: Option<f32>, stencil: Option<u32>) {
        if !self.ensure_batch() {
            return;
        }
        // The images are in use from now on: a window that goes before the pass begins must not take them with it.
        if let Some(target) = &self.target {
            for attachment in target.color.iter().flatten().chain(&target.depth_stencil) {
                attachment.image.uses.mark(self.batches.stamp(), &self.gpu);
            }
        }
        for i in (0..MAX_COLOR_ATTACHMENTS).filter(|i| color & (1 << i) != 0) {
            self.pass.color_values[i] = value;
        }
        self.pass.clear_color |= color;
        self.pass.clear_depth = depth.or(self.pass.clear_depth);
        self.pass.clear_stencil = stencil.or(self.pass.clear_stencil);
    }

    fn clear_in_pass(
        &mut self,
        color: u32,
        value: [u32; 4],
        depth: Option<f32>,
        stencil: Option<u32>,
        rect: vk::Rect2D,
    ) {
        if !self.begin_pass() {
            return;
        }
        let layers = self.target.as_ref().map_or(1, |t| t.layers);
        let mut clears: SmallVec<[vk::ClearAttachment; 10]> = SmallVec::new();
        for i in (0..MAX_COLOR_ATTACHMENTS as u32).filter(|i| color & (1 << i) != 0) {
            clears.push(vk::ClearAttachment {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                color_attachment: i,
                clear_value: vk::ClearValue { color: conv::clear_color(value) },
            });
        }
        let mut aspects = vk::ImageAspectFlags::empty();
        if depth.is_some() {
            aspects |= vk::ImageAspectFlags::DEPTH;
        }
        if stencil.is_some() {
            aspects |= vk::ImageAspectFlags::STENCIL;
        }
        if !aspects.is_empty() {
            clears.push(vk::ClearAttachment {
                aspect_mask: aspects,
                color_attachment: 0,
                clear_value: vk::ClearValue {
                    depth_stencil: vk::ClearDepthStencilValue {
                        depth: depth.unwrap_or(0.0),
                        stencil: stencil.unwrap_or(0),
                    },
                },
            });
        }
        let rects = [vk::ClearRect { rect, base_array_layer: 0, layer_count: layers }];
        if let Some(cmd) = self.batches.main() {
            cmd.clear_attachments(&clears, &rects);
        }
    }
}
