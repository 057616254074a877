//! The interface's trait, forwarded.

use gallite_pipe::*;

use super::VulkanContext;

impl Context for VulkanContext {
    fn set_framebuffer(&mut self, state: &FramebufferState) {
        VulkanContext::set_framebuffer(self, state);
    }
    fn bind_blend(&mut self, id: BlendId) {
        VulkanContext::bind_blend(self, id);
    }
    fn bind_depth_stencil(&mut self, id: DepthStencilId) {
        VulkanContext::bind_depth_stencil(self, id);
    }
    fn bind_rasterizer(&mut self, id: RasterizerId) {
        VulkanContext::bind_rasterizer(self, id);
    }
    fn bind_vertex_elements(&mut self, id: VertexElementsId) {
        VulkanContext::bind_vertex_elements(self, id);
    }
    fn bind_shader(&mut self, point: BindPoint, id: ShaderId) {
        VulkanContext::bind_shader(self, point, id);
    }
    fn set_viewports(&mut self, first: u32, viewports: &[Viewport]) {
        VulkanContext::set_viewports(self, first, viewports);
    }
    fn set_scissors(&mut self, first: u32, scissors: &[Rect]) {
        VulkanContext::set_scissors(self, first, scissors);
    }
    fn set_stencil_reference(&mut self, front: u32, back: u32) {
        VulkanContext::set_stencil_reference(self, front, back);
    }
    fn set_blend_color(&mut self, color: &Color) {
        VulkanContext::set_blend_color(self, color);
    }
    fn set_sample_mask(&mut self, mask: u32) {
        VulkanContext::set_sample_mask(self, mask);
    }
    fn set_min_samples(&mut self, samples: u32) {
        VulkanContext::set_min_samples(self, samples);
    }
    fn set_patch_defaults(&mut self, defaults: &PatchDefaults) {
        VulkanContext::set_patch_defaults(self, defaults);
    }
    fn set_clip_planes(&mut self, planes: &[Color]) {
        VulkanContext::set_clip_planes(self, planes);
    }
    fn set_polygon_stipple(&mut self, rows: &[u32; 32]) {
        VulkanContext::set_polygon_stipple(self, rows);
    }
    fn set_vertex_buffers(&mut self, buffers: &[VertexBuffer]) {
        VulkanContext::set_vertex_buffers(self, buffers);
    }
    fn set_default_block(&mut self, point: BindPoint, bytes: &[u8]) {
        VulkanContext::set_default_block(self, point, bytes);
    }
    fn set_uniform_buffers(&mut self, point: BindPoint, ranges: &[BufferRange]) {
        VulkanContext::set_uniform_buffers(self, point, ranges);
    }
    fn set_storage_buffers(&mut self, point: BindPoint, writable: u64, ranges: &[BufferRange]) {
        VulkanContext::set_storage_buffers(self, point, writable, ranges);
    }
    fn set_images(&mut self, point: BindPoint, images: &[ImageBinding]) {
        VulkanContext::set_images(self, point, images);
    }
    fn set_samplers(&mut self, point: BindPoint, first: u32, samplers: &[SampledBinding]) {
        VulkanContext::set_samplers(self, point, first, samplers);
    }
    fn set_xfb_targets(&mut self, targets: &[XfbBinding]) {
        VulkanContext::set_xfb_targets(self, targets);
    }
    fn set_render_condition(&mut self, condition: &RenderCondition) {
        VulkanContext::set_render_condition(self, condition);
    }
    fn verify_begin(&mut self) {}
    fn verify_end(&mut self) {}

    fn draw(&mut self, info: &DrawInfo, ranges: &[DrawRange], user_indices: &[u8]) {
        VulkanContext::draw(self, info, ranges, user_indices);
    }
    fn draw_indirect(&mut self, info: &DrawInfo, indirect: &IndirectInfo) {
        VulkanContext::draw_indirect(self, info, indirect);
        self.limit_batch();
    }
    fn draw_xfb(&mut self, info: &XfbDrawInfo) {
        VulkanContext::draw_xfb(self, info);
        self.limit_batch();
    }
    fn dispatch(&mut self, info: &DispatchInfo) {
        VulkanContext::dispatch(self, info);
        self.limit_batch();
    }
    fn dispatch_indirect(&mut self, buffer: BufferId, offset: u64) {
        VulkanContext::dispatch_indirect(self, buffer, offset);
        self.limit_batch();
    }
    fn clear(&mut self, info: &ClearInfo) {
        VulkanContext::clear(self, info);
        self.limit_batch();
    }
    fn clear_texture(&mut self, info: &ClearTexture) {
        VulkanContext::clear_texture(self, info);
        self.limit_batch();
    }
    fn clear_buffer(&mut self, info: &ClearBuffer) {
        VulkanContext::clear_buffer(self, info);
        self.limit_batch();
    }
    fn blit(&mut self, info: &BlitInfo) {
        VulkanContext::blit(self, info);
        self.limit_batch();
    }
    fn copy_image(&mut self, info: &CopyImage) {
        VulkanContext::copy_image(self, info);
        self.limit_batch();
    }
    fn copy_buffer(&mut self, info: &CopyBuffer) {
        VulkanContext::copy_buffer(self, info);
        self.limit_batch();
    }
    fn generate_mipmap(&mut self, info: &GenerateMipmap) -> Outcome {
        let outcome = VulkanContext::generate_mipmap(self, info);
        self.limit_batch();
        outcome
    }
    fn memory_barrier(&mut self, accesses: BarrierFlags) {
        VulkanContext::memory_barrier(self, accesses);
    }
    fn texture_barrier(&mut self) {
        VulkanContext::texture_barrier(self);
    }
    fn invalidate(&mut self, info: &InvalidateInfo) {
        VulkanContext::invalidate(self, info);
    }
    fn invalidate_texture(&mut self, _texture: TextureId, _level: u32) {
        // A permission, not an order: nothing is kept that could be dropped.
    }
    fn marker(&mut self, text: &[u8]) {
        self.debug_label(text, Label::Insert);
    }
    fn push_group(&mut self, text: &[u8]) {
        self.debug_label(text, Label::Begin);
    }
    fn pop_group(&mut self) {
        self.debug_label(b"", Label::End);
    }

    fn buffer_write(&mut self, buffer: BufferId, offset: u64, flags: MapFlags, bytes: &[u8]) {
        VulkanContext::buffer_write(self, buffer, offset, flags, bytes);
    }
    fn buffer_read(&mut self, buffer: BufferId, offset: u64, bytes: &mut [u8]) -> Outcome {
        VulkanContext::buffer_read(self, buffer, offset, bytes)
    }
    fn buffer_invalidate(&mut self, buffer: BufferId) {
        VulkanContext::buffer_invalidate(self, buffer);
    }
    fn texture_write(&mut self, transfer: &TextureTransfer, bytes: &[u8]) {
        VulkanContext::texture_write(self, transfer, bytes);
    }
    fn texture_write_from_buffer(&mut self, buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Outcome {
        let outcome = VulkanContext::texture_write_from_buffer(self, buffer, offset, transfer);
        self.limit_batch();
        outcome
    }
    fn texture_read(&mut self, transfer: &TextureTransfer, bytes: &mut [u8]) -> Outcome {
        VulkanContext::texture_read(self, transfer, bytes)
    }
    fn texture_read_to_buffer(&mut self, buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Outcome {
        let outcome = VulkanContext::texture_read_to_buffer(self, buffer, offset, transfer);
        self.limit_batch();
        outcome
    }

    fn begin_query(&mut self, id: QueryId) {
        VulkanContext::begin_query(self, id);
    }
    fn end_query(&mut self, id: QueryId) {
        VulkanContext::end_query(self, id);
    }
    fn query_result(&mut self, id: QueryId, wait: u32) -> QueryResult {
        VulkanContext::query_result(self, id, wait)
    }
    fn query_result_to_buffer(&mut self, info: &QueryToBuffer) -> Outcome {
        VulkanContext::query_result_to_buffer(self, info)
    }

    fn flush(&mut self, fence: FenceId, flags: FlushFlags) {
        VulkanContext::flush(self, fence, flags);
    }
    fn fence_server_wait(&mut self, fence: FenceId) {
        VulkanContext::fence_server_wait(self, fence);
    }
    fn present(&mut self, window: WindowId, source: TextureId, interval: i32, damage: &[Rect]) -> WindowState {
        VulkanContext::present(self, window, source, interval, damage)
    }

    fn buffer_map(&mut self, buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping> {
        VulkanContext::buffer_map(self, buffer, offset, size, flags)
    }
    fn buffer_flush_mapped(&mut self, buffer: BufferId, offset: u64, size: u64) {
        VulkanContext::buffer_flush_mapped(self, buffer, offset, size);
    }
    fn buffer_unmap(&mut self, buffer: BufferId) -> bool {
        let outcome = VulkanContext::buffer_unmap(self, buffer);
        self.limit_batch();
        outcome
    }
}

#[derive(Clone, Copy)]
enum Label {
    Insert,
    Begin,
    End,
}

impl VulkanContext {
    fn debug_label(&mut self, text: &[u8], label: Label) {
        // Groups may span batches, where Vulkan's must not; only single markers are passed on then.
        if !self.debug || !matches!(label, Label::Insert) || !self.batches.is_open() {
            return;
        }
        let Ok(name) = std::ffi::CString::new(text) else { return };
        if let Some(cmd) = self.batches.main() {
            cmd.insert_label(&name);
        }
    }
}
