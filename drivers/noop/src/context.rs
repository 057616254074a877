//! The context: counts calls, and moves the bytes of transfers and copies.

use std::sync::Arc;

use gallite_pipe::*;

use crate::counters::ContextCounters;
use crate::screen::{Shared, Texture};

/// A context of the no-op driver.
pub struct NoopContext {
    shared: Arc<Shared>,
    counters: Arc<ContextCounters>,
}

impl NoopContext {
    pub fn new(shared: Arc<Shared>) -> Self {
        let counters = shared.counters.add_context();
        Self { shared, counters }
    }

    /// The bytes of a buffer's range; `None`, with an event for a stale handle, when there are none.
    fn bytes(&self, buffer: BufferId, offset: u64, size: usize, call: &str) -> Option<Mapping> {
        let buffers = self.shared.buffers.lock();
        let Some(found) = buffers.get(buffer) else {
            self.shared.stale(buffer, call);
            return None;
        };
        found.memory.as_ref()?.mapping(usize::try_from(offset).ok()?, size)
    }

    fn texture(&self, texture: TextureId, call: &str) -> Option<Texture> {
        let found = self.shared.textures.lock().get(texture).cloned();
        if found.is_none() {
            self.shared.stale(texture, call);
        }
        found
    }
}

impl Drop for NoopContext {
    fn drop(&mut self) {
        self.shared.counters.remove_context(&self.counters);
    }
}

/// Calls that are counted and nothing else.
macro_rules! accept {
    ($($name:ident($($arg:ty),*);)*) => { $(
        #[inline]
        fn $name(&mut self, $(_: $arg),*) {
            self.counters.call();
        }
    )* };
}

impl Context for NoopContext {
    accept! {
        set_framebuffer(&FramebufferState);
        bind_blend(BlendId);
        bind_depth_stencil(DepthStencilId);
        bind_rasterizer(RasterizerId);
        bind_vertex_elements(VertexElementsId);
        bind_shader(BindPoint, ShaderId);
        set_viewports(u32, &[Viewport]);
        set_scissors(u32, &[Rect]);
        set_stencil_reference(u32, u32);
        set_blend_color(&Color);
        set_sample_mask(u32);
        set_min_samples(u32);
        set_patch_defaults(&PatchDefaults);
        set_clip_planes(&[Color]);
        set_polygon_stipple(&[u32; 32]);
        set_vertex_buffers(&[VertexBuffer]);
        set_default_block(BindPoint, &[u8]);
        set_uniform_buffers(BindPoint, &[BufferRange]);
        set_storage_buffers(BindPoint, u64, &[BufferRange]);
        set_images(BindPoint, &[ImageBinding]);
        set_samplers(BindPoint, u32, &[SampledBinding]);
        set_xfb_targets(&[XfbBinding]);
        set_render_condition(&RenderCondition);
        verify_begin();
        verify_end();
        dispatch(&DispatchInfo);
        dispatch_indirect(BufferId, u64);
        clear(&ClearInfo);
        blit(&BlitInfo);
        memory_barrier(BarrierFlags);
        texture_barrier();
        invalidate(&InvalidateInfo);
        invalidate_texture(TextureId, u32);
        marker(&[u8]);
        push_group(&[u8]);
        pop_group();
        buffer_invalidate(BufferId);
        begin_query(QueryId);
        end_query(QueryId);
        fence_server_wait(FenceId);
    }

    #[inline]
    fn draw(&mut self, _: &DrawInfo, ranges: &[DrawRange], _: &[u8]) {
        self.counters.call();
        self.counters.draws(ranges.len());
    }

    fn draw_indirect(&mut self, _: &DrawInfo, indirect: &IndirectInfo) {
        self.counters.call();
        self.counters.draws(indirect.draw_count as usize);
    }

    fn draw_xfb(&mut self, _: &XfbDrawInfo) {
        self.counters.call();
        self.counters.draws(1);
    }

    fn clear_texture(&mut self, info: &ClearTexture) {
        self.counters.call();
        let Some(texture) = self.texture(info.texture, "clear_texture") else { return };
        let mut image = texture.image.lock();
        let size = match info.aspect {
            TransferAspect::WHOLE => image.format.block_bytes() as usize,
            TransferAspect::STENCIL => 1,
            _ if image.format == Format::Z16_UNORM => 2,
            _ => 4,
        };
        let value = bytemuck::bytes_of(&info.value);
        let row: Vec<u8> = value[..size.min(16)].repeat(info.region.width as usize);
        // Strides of zero: every row is the same.
        let transfer = TextureTransfer {
            texture: info.texture,
            level: info.level,
            aspect: info.aspect,
            region: info.region,
            ..TextureTransfer::default()
        };
        image.write(texture.view, &transfer, &row);
    }

    fn clear_buffer(&mut self, info: &ClearBuffer) {
        self.counters.call();
        let Ok(size) = usize::try_from(info.size) else { return };
        let Some(bytes) = self.bytes(info.buffer, info.offset, size, "clear_buffer") else { return };
        let value = &bytemuck::bytes_of(&info.value)[..(info.value_size as usize).min(16)];
        if value.is_empty() {
            return;
        }
        for start in (0..size).step_by(value.len()) {
            let _ = bytes.write(start, &value[..value.len().min(size - start)]);
        }
    }

    fn copy_image(&mut self, info: &CopyImage) {
        self.counters.call();
        let (Some(source), Some(destination)) =
            (self.texture(info.source, "copy_image"), self.texture(info.destination, "copy_image"))
        else {
            return;
        };
        let mut read = TextureTransfer { level: info.source_level, region: info.source_box, ..Default::default() };
        let (from, bytes) = {
            let image = source.image.lock();
            let row = image.format.row_bytes(info.source_box.width);
            let layer = row * u64::from(image.format.block_rows(info.source_box.height));
            (read.row_stride, read.layer_stride) = (row as u32, layer);
            let mut bytes = vec![0; image.linear_size(&read)];
            image.read(source.view, &read, &mut bytes);
            (image.format.info(), bytes)
        };
        let mut image = destination.image.lock();
        let to = image.format.info();
        // Between compressed and uncompressed texels of one size, a block is a texel (GL 4.6 core 18.3.3).
        let scale = |from: u8, to: u8, size: u32| size.div_ceil(u32::from(from.max(1))) * u32::from(to.max(1));
        let region = TextureBox {
            x: info.x,
            y: info.y,
            z: info.z,
            width: scale(from.block_width, to.block_width, info.source_box.width),
            height: scale(from.block_height, to.block_height, info.source_box.height),
            depth: info.source_box.depth,
        };
        let write = TextureTransfer { level: info.destination_level, region, ..read };
        image.write(destination.view, &write, &bytes);
    }

    fn copy_buffer(&mut self, info: &CopyBuffer) {
        self.counters.call();
        let Ok(size) = usize::try_from(info.size) else { return };
        let source = self.bytes(info.source, info.source_offset, size, "copy_buffer");
        let destination = self.bytes(info.destination, info.destination_offset, size, "copy_buffer");
        if let (Some(source), Some(destination)) = (source, destination) {
            let mut bytes = vec![0; size];
            let _ = source.read(0, &mut bytes) && destination.write(0, &bytes);
        }
    }

    fn generate_mipmap(&mut self, _: &GenerateMipmap) -> Outcome {
        self.counters.call();
        Outcome::DONE
    }

    fn buffer_write(&mut self, buffer: BufferId, offset: u64, _: MapFlags, bytes: &[u8]) {
        self.counters.call();
        if let Some(range) = self.bytes(buffer, offset, bytes.len(), "buffer_write") {
            let _ = range.write(0, bytes);
        }
    }

    fn buffer_read(&mut self, buffer: BufferId, offset: u64, bytes: &mut [u8]) -> Outcome {
        self.counters.call();
        match self.bytes(buffer, offset, bytes.len(), "buffer_read") {
            Some(range) => {
                let _ = range.read(0, bytes);
            }
            None => bytes.fill(0),
        }
        Outcome::DONE
    }

    fn texture_write(&mut self, transfer: &TextureTransfer, bytes: &[u8]) {
        self.counters.call();
        if let Some(texture) = self.texture(transfer.texture, "texture_write") {
            texture.image.lock().write(texture.view, transfer, bytes);
        }
    }

    fn texture_write_from_buffer(&mut self, buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Outcome {
        self.counters.call();
        let Some(texture) = self.texture(transfer.texture, "texture_write_from_buffer") else { return Outcome::DONE };
        let mut image = texture.image.lock();
        let size = image.linear_size(transfer);
        if let Some(range) = self.bytes(buffer, offset, size, "texture_write_from_buffer") {
            let mut bytes = vec![0; size];
            let _ = range.read(0, &mut bytes);
            image.write(texture.view, transfer, &bytes);
        }
        Outcome::DONE
    }

    fn texture_read(&mut self, transfer: &TextureTransfer, bytes: &mut [u8]) -> Outcome {
        self.counters.call();
        match self.texture(transfer.texture, "texture_read") {
            Some(texture) => texture.image.lock().read(texture.view, transfer, bytes),
            None => bytes.fill(0),
        }
        Outcome::DONE
    }

    fn texture_read_to_buffer(&mut self, buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Outcome {
        self.counters.call();
        let Some(texture) = self.texture(transfer.texture, "texture_read_to_buffer") else { return Outcome::DONE };
        let image = texture.image.lock();
        let size = image.linear_size(transfer);
        if let Some(range) = self.bytes(buffer, offset, size, "texture_read_to_buffer") {
            let mut bytes = vec![0; size];
            let _ = range.read(0, &mut bytes);
            image.read(texture.view, transfer, &mut bytes);
            let _ = range.write(0, &bytes);
        }
        Outcome::DONE
    }

    fn query_result(&mut self, id: QueryId, _: u32) -> QueryResult {
        self.counters.call();
        let value = match self.shared.queries.lock().get(id) {
            Some(&QueryKind::TIMESTAMP) => self.shared.nanoseconds(),
            Some(_) => 0,
            None => {
                self.shared.stale(id, "query_result");
                0
            }
        };
        QueryResult { ready: 1, reserved: 0, value }
    }

    fn query_result_to_buffer(&mut self, info: &QueryToBuffer) -> Outcome {
        let value = if info.mode == 2 { 1 } else { self.query_result(info.query, 0).value };
        if let Some(range) = self.bytes(info.buffer, info.offset, info.size as usize, "query_result_to_buffer") {
            let _ = match info.size {
                8 => range.write(0, &value.to_ne_bytes()),
                // GL 4.6 core 4.2.3: a result too large for the type is clamped.
                _ => range.write(0, &u32::try_from(value).unwrap_or(u32::MAX).to_ne_bytes()),
            };
        }
        Outcome::DONE
    }

    fn flush(&mut self, _: FenceId, _: FlushFlags) {
        self.counters.call();
        self.counters.submit();
    }

    fn present(&mut self, window: WindowId, _: TextureId, _: i32, _: &[Rect]) -> WindowState {
        self.counters.call();
        let lost = WindowState { status: PresentStatus::WINDOW_LOST, ..WindowState::default() };
        self.shared.windows.lock().get(window).copied().unwrap_or(lost)
    }

    fn buffer_map(&mut self, buffer: BufferId, offset: u64, size: u64, _: MapFlags) -> Option<Mapping> {
        self.counters.call();
        self.bytes(buffer, offset, usize::try_from(size).ok()?, "buffer_map")
    }

    fn buffer_flush_mapped(&mut self, _: BufferId, _: u64, _: u64) {
        self.counters.call();
    }

    fn buffer_unmap(&mut self, buffer: BufferId) -> bool {
        self.counters.call();
        self.shared.buffers.lock().get(buffer).is_some()
    }
}
