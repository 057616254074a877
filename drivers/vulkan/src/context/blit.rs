//! Blits and mipmaps.

use gallite_pipe::*;

use super::VulkanContext;

impl VulkanContext {
    pub(crate) fn blit(&mut self, info: &BlitInfo) {
        if info.conditional != 0 && !self.condition_passes() {
            return;
        }
        self.gpu.log(Severity::WARNING, "blit not carried out".into());
    }

    pub(crate) fn generate_mipmap(&mut self, _info: &GenerateMipmap) -> Outcome {
        Outcome::DECLINED
    }

    pub(super) fn clear_masked_color(&mut self, _mask: u32, _info: &ClearInfo, _rect: ash::vk::Rect2D) {}

    pub(super) fn clear_masked_stencil(&mut self, _info: &ClearInfo, _rect: ash::vk::Rect2D) {}
}
