//! Command recording.

use std::ffi::CStr;

use ash::vk;

use super::Device;

/// A command buffer in the recording state, with the device that records into it.
#[derive(Clone, Copy)]
pub(crate) struct Cmd<'a> {
    device: &'a Device,
    buffer: vk::CommandBuffer,
}

/// Forwards to commands of `ash::Device` that take the command buffer first.
macro_rules! core_commands {
    ($($name:ident = $raw:ident($($arg:ident: $ty:ty),*);)*) => { $(
        #[inline]
        pub fn $name(&self $(, $arg: $ty)*) {
            // SAFETY: module rules 1 to 4 of `ffi`: the buffer records, and its arguments are alive and valid.
            unsafe { self.device.handle().$raw(self.buffer $(, $arg)*) };
        }
    )* };
}

/// Forwards to a core command, or to the extension's when the device predates its promotion.
macro_rules! promoted_commands {
    ($field:ident { $($name:ident($($arg:ident: $ty:ty),*);)* }) => { $(
        #[inline]
        pub fn $name(&self $(, $arg: $ty)*) {
            match &self.device.$field {
                // SAFETY: as for core commands; the extension is enabled.
                Some(fns) => unsafe { fns.$name(self.buffer $(, $arg)*) },
                // SAFETY: as for core commands.
                None => unsafe { self.device.handle().$name(self.buffer $(, $arg)*) },
            }
        }
    )* };
}

/// Forwards to a command of an optional extension; nothing happens without it.
macro_rules! optional_commands {
    ($field:ident { $($name:ident($($arg:ident: $ty:ty),*);)* }) => { $(
        #[inline]
        pub fn $name(&self $(, $arg: $ty)*) {
            if let Some(fns) = &self.device.$field {
                // SAFETY: as for core commands; the extension is enabled.
                unsafe { fns.$name(self.buffer $(, $arg)*) };
            }
        }
    )* };
}

impl<'a> Cmd<'a> {
    pub fn new(device: &'a Device, buffer: vk::CommandBuffer) -> Self {
        Self { device, buffer }
    }

    core_commands! {
        bind_pipeline = cmd_bind_pipeline(point: vk::PipelineBindPoint, pipeline: vk::Pipeline);
        set_viewport = cmd_set_viewport(first: u32, viewports: &[vk::Viewport]);
        set_scissor = cmd_set_scissor(first: u32, scissors: &[vk::Rect2D]);
        set_line_width = cmd_set_line_width(width: f32);
        set_depth_bias = cmd_set_depth_bias(constant: f32, clamp: f32, slope: f32);
        set_blend_constants = cmd_set_blend_constants(color: &[f32; 4]);
        set_depth_bounds = cmd_set_depth_bounds(min: f32, max: f32);
        set_stencil_compare_mask = cmd_set_stencil_compare_mask(faces: vk::StencilFaceFlags, mask: u32);
        set_stencil_write_mask = cmd_set_stencil_write_mask(faces: vk::StencilFaceFlags, mask: u32);
        set_stencil_reference = cmd_set_stencil_reference(faces: vk::StencilFaceFlags, reference: u32);
        bind_index_buffer = cmd_bind_index_buffer(buffer: vk::Buffer, offset: u64, ty: vk::IndexType);
        bind_vertex_buffers = cmd_bind_vertex_buffers(first: u32, buffers: &[vk::Buffer], offsets: &[u64]);
        draw = cmd_draw(vertices: u32, instances: u32, first: u32, first_instance: u32);
        draw_indexed = cmd_draw_indexed(indices: u32, instances: u32, first: u32, base: i32, first_instance: u32);
        draw_indirect = cmd_draw_indirect(buffer: vk::Buffer, offset: u64, count: u32, stride: u32);
        draw_indexed_indirect = cmd_draw_indexed_indirect(buffer: vk::Buffer, offset: u64, count: u32, stride: u32);
        dispatch = cmd_dispatch(x: u32, y: u32, z: u32);
        dispatch_indirect = cmd_dispatch_indirect(buffer: vk::Buffer, offset: u64);
        copy_buffer = cmd_copy_buffer(from: vk::Buffer, to: vk::Buffer, regions: &[vk::BufferCopy]);
        fill_buffer = cmd_fill_buffer(buffer: vk::Buffer, offset: u64, size: u64, value: u32);
        clear_attachments = cmd_clear_attachments(attachments: &[vk::ClearAttachment], rects: &[vk::ClearRect]);
        reset_query_pool = cmd_reset_query_pool(pool: vk::QueryPool, first: u32, count: u32);
        begin_query = cmd_begin_query(pool: vk::QueryPool, query: u32, flags: vk::QueryControlFlags);
        end_query = cmd_end_query(pool: vk::QueryPool, query: u32);
        begin_render_pass = cmd_begin_render_pass(info: &vk::RenderPassBeginInfo<'_>, contents: vk::SubpassContents);
        end_render_pass = cmd_end_render_pass();
        write_timestamp = cmd_write_timestamp(stage: vk::PipelineStageFlags, pool: vk::QueryPool, query: u32);
    }

    promoted_commands! { rendering {
        cmd_begin_rendering(info: &vk::RenderingInfo<'_>);
        cmd_end_rendering();
    } }

    promoted_commands! { eds1 {
        cmd_set_cull_mode(mode: vk::CullModeFlags);
        cmd_set_front_face(face: vk::FrontFace);
        cmd_set_primitive_topology(topology: vk::PrimitiveTopology);
        cmd_bind_vertex_buffers2(first: u32, buffers: &[vk::Buffer], offsets: &[u64], sizes: Option<&[u64]>, strides: Option<&[u64]>);
        cmd_set_depth_test_enable(enable: bool);
        cmd_set_depth_write_enable(enable: bool);
        cmd_set_depth_compare_op(op: vk::CompareOp);
        cmd_set_depth_bounds_test_enable(enable: bool);
        cmd_set_stencil_test_enable(enable: bool);
        cmd_set_stencil_op(faces: vk::StencilFaceFlags, fail: vk::StencilOp, pass: vk::StencilOp, depth_fail: vk::StencilOp, compare: vk::CompareOp);
    } }

    promoted_commands! { eds2 {
        cmd_set_rasterizer_discard_enable(enable: bool);
        cmd_set_depth_bias_enable(enable: bool);
        cmd_set_primitive_restart_enable(enable: bool);
    } }

    optional_commands! { eds2_ext {
        cmd_set_logic_op(op: vk::LogicOp);
    } }

    optional_commands! { eds3 {
        cmd_set_depth_clamp_enable(enable: bool);
        cmd_set_polygon_mode(mode: vk::PolygonMode);
        cmd_set_sample_mask(samples: vk::SampleCountFlags, mask: &[vk::SampleMask]);
        cmd_set_alpha_to_coverage_enable(enable: bool);
        cmd_set_alpha_to_one_enable(enable: bool);
        cmd_set_logic_op_enable(enable: bool);
        cmd_set_color_blend_enable(first: u32, enables: &[vk::Bool32]);
        cmd_set_color_blend_equation(first: u32, equations: &[vk::ColorBlendEquationEXT]);
        cmd_set_color_write_mask(first: u32, masks: &[vk::ColorComponentFlags]);
        cmd_set_provoking_vertex_mode(mode: vk::ProvokingVertexModeEXT);
        cmd_set_line_rasterization_mode(mode: vk::LineRasterizationModeEXT);
        cmd_set_line_stipple_enable(enable: bool);
        cmd_set_depth_clip_negative_one_to_one(enable: bool);
    } }

    optional_commands! { vertex_input {
        cmd_set_vertex_input(bindings: &[vk::VertexInputBindingDescription2EXT<'_>], attributes: &[vk::VertexInputAttributeDescription2EXT<'_>]);
    } }

    pub fn set_line_stipple(&self, factor: u32, pattern: u16) {
        if let Some(fns) = &self.device.lines {
            // SAFETY: as for core commands; the extension is enabled.
            unsafe { (fns.fp().cmd_set_line_stipple_ext)(self.buffer, factor, pattern) };
        }
    }

    #[inline]
    pub fn bind_descriptor_sets(
        &self,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        first: u32,
        sets: &[vk::DescriptorSet],
        offsets: &[u32],
    ) {
        // SAFETY: module rules 1 to 4 of `ffi`.
        unsafe { self.device.handle().cmd_bind_descriptor_sets(self.buffer, point, layout, first, sets, offsets) };
    }

    #[inline]
    pub fn push_constants<T: bytemuck::NoUninit>(
        &self,
        layout: vk::PipelineLayout,
        stages: vk::ShaderStageFlags,
        offset: u32,
        data: &T,
    ) {
        // SAFETY: the layout's range covers the data (the caller made both).
        unsafe {
            self.device.handle().cmd_push_constants(self.buffer, layout, stages, offset, bytemuck::bytes_of(data));
        }
    }

    /// A memory barrier over everything, with the given scopes.
    pub fn memory_barrier(
        &self,
        src_stages: vk::PipelineStageFlags,
        src: vk::AccessFlags,
        dst_stages: vk::PipelineStageFlags,
        dst: vk::AccessFlags,
    ) {
        let barrier = [vk::MemoryBarrier::default().src_access_mask(src).dst_access_mask(dst)];
        // SAFETY: module rule 4; outside of a render pass.
        unsafe {
            self.device.handle().cmd_pipeline_barrier(
                self.buffer,
                src_stages,
                dst_stages,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
        }
    }

    pub fn image_barriers(
        &self,
        src_stages: vk::PipelineStageFlags,
        dst_stages: vk::PipelineStageFlags,
        barriers: &[vk::ImageMemoryBarrier<'_>],
    ) {
        // SAFETY: module rules 1 and 4; outside of a render pass.
        unsafe {
            self.device.handle().cmd_pipeline_barrier(
                self.buffer,
                src_stages,
                dst_stages,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                barriers,
            );
        }
    }

    pub fn copy_buffer_to_image(&self, from: vk::Buffer, to: vk::Image, regions: &[vk::BufferImageCopy]) {
        // SAFETY: module rules 1 and 4; images are in the general layout.
        unsafe {
            self.device.handle().cmd_copy_buffer_to_image(self.buffer, from, to, vk::ImageLayout::GENERAL, regions);
        }
    }

    pub fn copy_image_to_buffer(&self, from: vk::Image, to: vk::Buffer, regions: &[vk::BufferImageCopy]) {
        // SAFETY: as above.
        unsafe {
            self.device.handle().cmd_copy_image_to_buffer(self.buffer, from, vk::ImageLayout::GENERAL, to, regions);
        }
    }

    pub fn copy_image(&self, from: vk::Image, to: vk::Image, regions: &[vk::ImageCopy]) {
        // SAFETY: as above.
        unsafe {
            self.device.handle().cmd_copy_image(
                self.buffer,
                from,
                vk::ImageLayout::GENERAL,
                to,
                vk::ImageLayout::GENERAL,
                regions,
            );
        }
    }

    pub fn blit_image(&self, from: vk::Image, to: vk::Image, regions: &[vk::ImageBlit], filter: vk::Filter) {
        // SAFETY: as above; the formats' features were checked.
        unsafe {
            self.device.handle().cmd_blit_image(
                self.buffer,
                from,
                vk::ImageLayout::GENERAL,
                to,
                vk::ImageLayout::GENERAL,
                regions,
                filter,
            );
        }
    }

    pub fn resolve_image(&self, from: vk::Image, to: vk::Image, regions: &[vk::ImageResolve]) {
        // SAFETY: as above; the source is multisampled and the destination is not.
        unsafe {
            self.device.handle().cmd_resolve_image(
                self.buffer,
                from,
                vk::ImageLayout::GENERAL,
                to,
                vk::ImageLayout::GENERAL,
                regions,
            );
        }
    }

    pub fn copy_query_results(
        &self,
        pool: vk::QueryPool,
        first: u32,
        count: u32,
        to: vk::Buffer,
        offset: u64,
        stride: u64,
        flags: vk::QueryResultFlags,
    ) {
        // SAFETY: module rules 1 and 4; outside of a render pass.
        unsafe {
            self.device.handle().cmd_copy_query_pool_results(
                self.buffer,
                pool,
                first,
                count,
                to,
                offset,
                stride,
                flags,
            );
        }
    }

    // Transform feedback.

    pub fn bind_xfb_buffers(&self, buffers: &[vk::Buffer], offsets: &[u64], sizes: &[u64]) {
        if let Some(fns) = &self.device.xfb {
            // SAFETY: the three slices have one length; module rules 1 and 3.
            unsafe {
                (fns.fp().cmd_bind_transform_feedback_buffers_ext)(
                    self.buffer,
                    0,
                    buffers.len() as u32,
                    buffers.as_ptr(),
                    offsets.as_ptr(),
                    sizes.as_ptr(),
                );
            }
        }
    }

    pub fn begin_xfb(&self, counters: &[vk::Buffer], offsets: &[u64]) {
        if let Some(fns) = &self.device.xfb {
            // SAFETY: both slices have one length; inside a render pass with a capturing pipeline bound.
            unsafe {
                (fns.fp().cmd_begin_transform_feedback_ext)(
                    self.buffer,
                    0,
                    counters.len() as u32,
                    counters.as_ptr(),
                    offsets.as_ptr(),
                );
            }
        }
    }

    pub fn end_xfb(&self, counters: &[vk::Buffer], offsets: &[u64]) {
        if let Some(fns) = &self.device.xfb {
            // SAFETY: as above; capture is active.
            unsafe {
                (fns.fp().cmd_end_transform_feedback_ext)(
                    self.buffer,
                    0,
                    counters.len() as u32,
                    counters.as_ptr(),
                    offsets.as_ptr(),
                );
            }
        }
    }

    pub fn begin_query_indexed(&self, pool: vk::QueryPool, query: u32, flags: vk::QueryControlFlags, index: u32) {
        if let Some(fns) = &self.device.xfb {
            // SAFETY: module rules 1, 3 and 4.
            unsafe { (fns.fp().cmd_begin_query_indexed_ext)(self.buffer, pool, query, flags, index) };
        }
    }

    pub fn end_query_indexed(&self, pool: vk::QueryPool, query: u32, index: u32) {
        if let Some(fns) = &self.device.xfb {
            // SAFETY: as above.
            unsafe { (fns.fp().cmd_end_query_indexed_ext)(self.buffer, pool, query, index) };
        }
    }

    pub fn draw_byte_count(&self, instances: u32, first_instance: u32, counter: vk::Buffer, offset: u64, stride: u32) {
        if let Some(fns) = &self.device.xfb {
            // SAFETY: as above.
            unsafe {
                (fns.fp().cmd_draw_indirect_byte_count_ext)(
                    self.buffer,
                    instances,
                    first_instance,
                    counter,
                    offset,
                    0,
                    stride,
                );
            }
        }
    }

    pub fn begin_conditional(&self, buffer: vk::Buffer, offset: u64, inverted: bool) {
        if let Some(fns) = &self.device.conditional {
            let flags = if inverted {
                vk::ConditionalRenderingFlagsEXT::INVERTED
            } else {
                vk::ConditionalRenderingFlagsEXT::empty()
            };
            let info = vk::ConditionalRenderingBeginInfoEXT::default().buffer(buffer).offset(offset).flags(flags);
            // SAFETY: module rules 1, 3 and 4; not active yet.
            unsafe { (fns.fp().cmd_begin_conditional_rendering_ext)(self.buffer, &info) };
        }
    }

    pub fn end_conditional(&self) {
        if let Some(fns) = &self.device.conditional {
            // SAFETY: it is active.
            unsafe { (fns.fp().cmd_end_conditional_rendering_ext)(self.buffer) };
        }
    }

    pub fn draw_multi_indexed(&self, draws: &[vk::MultiDrawIndexedInfoEXT], instances: u32, first_instance: u32) {
        if let Some(fns) = &self.device.multi_draw {
            let stride = size_of::<vk::MultiDrawIndexedInfoEXT>() as u32;
            // SAFETY: `draws` is read for its length at `stride`.
            unsafe {
                (fns.fp().cmd_draw_multi_indexed_ext)(
                    self.buffer,
                    draws.len() as u32,
                    draws.as_ptr(),
                    instances,
                    first_instance,
                    stride,
                    std::ptr::null(),
                );
            }
        }
    }

    pub fn draw_multi(&self, draws: &[vk::MultiDrawInfoEXT], instances: u32, first_instance: u32) {
        if let Some(fns) = &self.device.multi_draw {
            let stride = size_of::<vk::MultiDrawInfoEXT>() as u32;
            // SAFETY: as above.
            unsafe {
                (fns.fp().cmd_draw_multi_ext)(
                    self.buffer,
                    draws.len() as u32,
                    draws.as_ptr(),
                    instances,
                    first_instance,
                    stride,
                );
            }
        }
    }

    pub fn draw_indirect_count(
        &self,
        indexed: bool,
        buffer: vk::Buffer,
        offset: u64,
        count: (vk::Buffer, u64),
        max: u32,
        stride: u32,
    ) {
        if let Some(fns) = &self.device.indirect_count {
            // SAFETY: module rules 1, 3 and 4.
            unsafe {
                if indexed {
                    fns.cmd_draw_indexed_indirect_count(self.buffer, buffer, offset, count.0, count.1, max, stride);
                } else {
                    fns.cmd_draw_indirect_count(self.buffer, buffer, offset, count.0, count.1, max, stride);
                }
            }
        }
    }

    // Debug markers.

    pub fn insert_label(&self, name: &CStr) {
        if let Some(fns) = &self.device.debug {
            let info = vk::DebugUtilsLabelEXT::default().label_name(name);
            // SAFETY: module rule 4.
            unsafe { fns.cmd_insert_debug_utils_label(self.buffer, &info) };
        }
    }
}
