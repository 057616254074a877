//! Presentation.

use gallite_pipe::*;

use super::VulkanContext;

impl VulkanContext {
    pub(crate) fn present(
        &mut self, window: WindowId, _source: TextureId, _interval: i32, _damage: &[Rect],
    ) -> WindowState {
        self.submit();
        crate::window::state(&self.objects, window)
    }
}
