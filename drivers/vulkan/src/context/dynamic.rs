//! State that changes without another pipeline: viewports, scissors, and what the device lets be dynamic.

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::{Dirty, VulkanContext};
use crate::conv;
use crate::pipeline;
use crate::shader::DriverConstants;

/// What the command buffer has now, to skip what would not change it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct DynamicState {
    pub topology: i32,
    pub restart: Option<bool>,
    pub index_buffer: Option<(vk::Buffer, u64, i32)>,
    constants: DriverConstants,
    constants_set: bool,
}

impl DynamicState {
    pub fn forget_constants(&mut self) {
        self.constants_set = false;
    }
}

impl VulkanContext {
    pub(super) fn emit_dynamic(&mut self) {
        let dirty = self.dirty;
        if dirty & (Dirty::VIEWPORT | Dirty::SCISSOR) != 0 {
            self.emit_viewports(dirty);
        }
        if dirty & Dirty::RASTER != 0 {
            self.emit_raster();
        }
        if dirty & Dirty::DEPTH_STENCIL != 0 {
            self.emit_depth_stencil();
        }
        if dirty & Dirty::STENCIL_REF != 0
            && let Some(cmd) = self.batches.main()
        {
            let (front, back) = self.bound.stencil_reference;
            cmd.set_stencil_reference(vk::StencilFaceFlags::FRONT, front & 0xff);
            cmd.set_stencil_reference(vk::StencilFaceFlags::BACK, back & 0xff);
        }
        if dirty & Dirty::BLEND_COLOR != 0
            && let Some(cmd) = self.batches.main()
        {
            cmd.set_blend_constants(&self.bound.blend_color.map(F32::get));
        }
        if dirty & Dirty::CONSTANTS != 0 {
            self.emit_constants();
        }
        self.dirty &= !(Dirty::VIEWPORT
            | Dirty::SCISSOR
            | Dirty::RASTER
            | Dirty::DEPTH_STENCIL
            | Dirty::STENCIL_REF
            | Dirty::BLEND_COLOR
            | Dirty::CONSTANTS);
    }

    fn viewport(&self, viewport: &Viewport) -> vk::Viewport {
        let target = self.target.as_ref();
        let flipped = target.is_some_and(|t| t.flipped);
        let height = target.map_or(0, |t| t.height) as f32;
        let upper_left =
            self.bound.rasterizer.as_ref().is_some_and(|r| r.state.flags.contains(RasterFlags::CLIP_UPPER_LEFT));
        let (x, y, w, h) = (viewport.x.get(), viewport.y.get(), viewport.width.get(), viewport.height.get());
        // GL's window y grows with the rows of an ordinary image, as Vulkan's does, so nothing is turned there.
        // A surface keeps its top row first, which a negative height (Vulkan 1.1) provides.
        let (mut top, mut size) = if flipped { (height - y, -h) } else { (y, h) };
        if upper_left {
            // GL 4.6 core 13.8: an upper-left clip origin negates y before the viewport.
            (top, size) = (top + size, -size);
        }
        let limits = self.gpu.limits();
        let clamp_depth = |d: f32| if d.is_nan() { 0.0 } else { d.clamp(0.0, 1.0) };
        let max_w = limits.max_viewport_dimensions[0] as f32;
        let max_h = limits.max_viewport_dimensions[1] as f32;
        vk::Viewport {
            x,
            y: top,
            // VUID-VkViewport-width-01770: a width of zero is not allowed; nothing is visible in it either way.
            width: if w > 0.0 { w.min(max_w) } else { 1.0 },
            height: if size == 0.0 { 1.0 } else { size.clamp(-max_h, max_h) },
            min_depth: clamp_depth(viewport.near.get()),
            max_depth: clamp_depth(viewport.far.get()),
        }
    }

    fn emit_viewports(&mut self, dirty: u32) {
        let Some(shader) = &self.bound.stages[0].shader else { return };
        let Some(target) = &self.target else { return };
        let count = pipeline::viewport_count(&self.gpu, shader) as usize;
        let Some(cmd) = self.batches.main() else { return };
        if dirty & Dirty::VIEWPORT != 0 {
            let viewports: SmallVec<[vk::Viewport; MAX_VIEWPORTS]> =
                self.bound.viewports[..count].iter().map(|v| self.viewport(v)).collect();
            cmd.set_viewport(0, &viewports);
        }
        if dirty & (Dirty::SCISSOR | Dirty::VIEWPORT) != 0 {
            let on = self.bound.rasterizer.as_ref().is_some_and(|r| r.state.flags.contains(RasterFlags::SCISSOR));
            let scissors: SmallVec<[vk::Rect2D; MAX_VIEWPORTS]> = (0..count)
                .map(|i| {
                    let empty =
                        self.bound.viewports[i].width.get() <= 0.0 || self.bound.viewports[i].height.get() == 0.0;
                    if empty {
                        vk::Rect2D::default()
                    } else if on {
                        target.rect(&self.bound.scissors[i])
                    } else {
                        target.area()
                    }
                })
                .collect();
            cmd.set_scissor(0, &scissors);
        }
    }

    /// Vulkan's front face for the bound rasterizer and framebuffer.
    ///
    /// GL decides by the sign of the area in window coordinates with y up (GL 4.6 core 14.6.1). Vulkan computes the
    /// same sum in framebuffer coordinates and negates it (`a = -1/2 sum`). In an ordinary image both coordinates are
    /// equal, so the sign is opposite and GL's counter-clockwise is Vulkan's clockwise; on a surface y is
    /// mirrored, which turns it once more. An upper-left clip origin mirrors both sides, by GL's definition of it.
    pub(super) fn front_face_ccw(&self) -> bool {
        let flipped = self.target.as_ref().is_some_and(|t| t.flipped);
        let Some(raster) = &self.bound.rasterizer else { return false };
        let ccw = raster.state.flags.contains(RasterFlags::FRONT_CCW);
        let upper_left = raster.state.flags.contains(RasterFlags::CLIP_UPPER_LEFT);
        ccw == (flipped != upper_left)
    }

    /// Whether polygons are offset, for the mode they are drawn in.
    pub(super) fn offset_enabled(state: &RasterizerState) -> bool {
        let flag = match Self::polygon_mode(state) {
            PolygonMode::LINE => RasterFlags::OFFSET_LINE,
            PolygonMode::POINT => RasterFlags::OFFSET_POINT,
            _ => RasterFlags::OFFSET_FILL,
        };
        state.flags.contains(flag)
    }

    /// The polygon mode; Vulkan has one for both facings, so that of the facing that is not culled counts.
    pub(super) fn polygon_mode(state: &RasterizerState) -> PolygonMode {
        if state.cull.contains(CullFace::FRONT) { state.back_mode } else { state.front_mode }
    }

    fn emit_raster(&mut self) {
        let Some(raster) = self.bound.rasterizer.clone() else { return };
        let f = *self.gpu.features();
        let state = &raster.state;
        let front = self.front_face_ccw();
        let limits = self.gpu.limits();
        let wide = self.gpu.selected.core.wide_lines == vk::TRUE;
        let width = if wide {
            state.line_width.get().clamp(limits.line_width_range[0], limits.line_width_range[1])
        } else {
            1.0
        };
        let clamp = if self.gpu.selected.core.depth_bias_clamp == vk::TRUE { state.offset_clamp.get() } else { 0.0 };
        let Some(cmd) = self.batches.main() else { return };
        if f.extended_dynamic_state {
            cmd.cmd_set_cull_mode(conv::cull_mode(state.cull));
            cmd.cmd_set_front_face(if front { vk::FrontFace::COUNTER_CLOCKWISE } else { vk::FrontFace::CLOCKWISE });
        }
        if f.extended_dynamic_state2 {
            cmd.cmd_set_rasterizer_discard_enable(state.flags.contains(RasterFlags::DISCARD));
            cmd.cmd_set_depth_bias_enable(Self::offset_enabled(state));
        }
        cmd.set_line_width(width);
        cmd.set_depth_bias(state.offset_units.get(), clamp, state.offset_factor.get());
        if pipeline::has_stipple(&self.gpu) {
            let on = state.flags.contains(RasterFlags::LINE_STIPPLE);
            let (repeat, pattern) =
                if on { (u32::from(state.line_stipple_repeat) + 1, state.line_stipple_pattern) } else { (1, 0xffff) };
            cmd.set_line_stipple(repeat, pattern);
        }
    }

    fn emit_depth_stencil(&mut self) {
        let Some(object) = self.bound.depth_stencil.clone() else { return };
        let f = *self.gpu.features();
        let has_bounds = self.gpu.selected.core.depth_bounds == vk::TRUE;
        let state = &object.state;
        let Some(cmd) = self.batches.main() else { return };
        if f.extended_dynamic_state {
            cmd.cmd_set_depth_test_enable(state.depth_test != 0);
            cmd.cmd_set_depth_write_enable(state.depth_write != 0);
            cmd.cmd_set_depth_compare_op(conv::compare_op(state.depth_func));
            cmd.cmd_set_depth_bounds_test_enable(state.depth_bounds_test != 0 && has_bounds);
            cmd.cmd_set_stencil_test_enable(state.stencil_test != 0);
            for (face, s) in [(vk::StencilFaceFlags::FRONT, &state.front), (vk::StencilFaceFlags::BACK, &state.back)] {
                cmd.cmd_set_stencil_op(
                    face,
                    conv::stencil_op(s.fail_op),
                    conv::stencil_op(s.pass_op),
                    conv::stencil_op(s.depth_fail_op),
                    conv::compare_op(s.func),
                );
            }
        }
        cmd.set_stencil_compare_mask(vk::StencilFaceFlags::FRONT, u32::from(state.front.compare_mask));
        cmd.set_stencil_compare_mask(vk::StencilFaceFlags::BACK, u32::from(state.back.compare_mask));
        cmd.set_stencil_write_mask(vk::StencilFaceFlags::FRONT, u32::from(state.front.write_mask));
        cmd.set_stencil_write_mask(vk::StencilFaceFlags::BACK, u32::from(state.back.write_mask));
        if has_bounds {
            let (min, max) = if state.depth_bounds_test != 0 {
                (state.depth_bounds_min.get().clamp(0.0, 1.0), state.depth_bounds_max.get().clamp(0.0, 1.0))
            } else {
                (0.0, 1.0)
            };
            cmd.set_depth_bounds(min, max);
        } else {
            cmd.set_depth_bounds(0.0, 1.0);
        }
    }

    fn emit_constants(&mut self) {
        let Some(shader) = self.bound.stages[0].shader.clone() else { return };
        let Some(raster) = &self.bound.rasterizer else { return };
        let range = self.gpu.limits().point_size_range;
        let constants = DriverConstants {
            turn: [-1.0, self.target.as_ref().map_or(0, |t| t.height) as f32],
            point_size: raster.state.point_size.get().clamp(range[0], range[1]),
            reserved: 0.0,
        };
        if self.dynamic.constants_set && self.dynamic.constants == constants {
            return;
        }
        if let Some(cmd) = self.batches.main() {
            cmd.push_constants(shader.layout, shader.push_stages, 0, &constants);
        }
        self.dynamic.constants = constants;
        self.dynamic.constants_set = true;
    }
}
