//! State that changes without another pipeline: viewports, scissors, and what the device lets be dynamic.

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::{Dirty, VulkanContext};
use crate::adapter::Eds3;
use crate::conv;
use crate::ffi::Cmd;
use crate::pipeline::{self, RasterKey};
use crate::shader::{DRAW_CONSTANTS, DrawConstants, DriverConstants, Shader};

/// What the command buffer has now: equal state is not recorded again. `None` is a state not recorded in it yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct DynamicState {
    pub topology: i32,
    pub restart: Option<bool>,
    pub index_buffer: Option<(vk::Buffer, u64, i32)>,
    constants: Option<DriverConstants>,
    pub(super) draw_constants: Option<DrawConstants>,
    viewports: SmallVec<[[f32; 6]; MAX_VIEWPORTS]>,
    scissors: SmallVec<[vk::Rect2D; MAX_VIEWPORTS]>,
    stencil_reference: Option<(u32, u32)>,
    blend_color: Option<[f32; 4]>,
    raster: RasterDynamic,
    depth_stencil: DepthStencilDynamic,
    pub(super) blend: super::blend::BlendDynamic,
}

#[derive(Debug, Clone, Default)]
struct RasterDynamic {
    cull: Option<vk::CullModeFlags>,
    front: Option<vk::FrontFace>,
    discard: Option<bool>,
    bias_enable: Option<bool>,
    bias: Option<[f32; 3]>,
    line_width: Option<f32>,
    stipple: Option<(u32, u16)>,
    depth_clamp: Option<bool>,
    polygon_mode: Option<vk::PolygonMode>,
    provoking: Option<vk::ProvokingVertexModeEXT>,
    line_mode: Option<vk::LineRasterizationModeEXT>,
    stipple_enable: Option<bool>,
    negative_one_to_one: Option<bool>,
}

#[derive(Debug, Clone, Default)]
struct DepthStencilDynamic {
    depth_test: Option<bool>,
    depth_write: Option<bool>,
    depth_func: Option<vk::CompareOp>,
    bounds_test: Option<bool>,
    bounds: Option<[f32; 2]>,
    stencil_test: Option<bool>,
    /// Operations and comparison, front and back.
    ops: [Option<[i32; 4]>; 2],
    compare_masks: [Option<u32>; 2],
    write_masks: [Option<u32>; 2],
}

/// Keeps a value; whether it is another than before.
#[inline]
pub(super) fn changed<T: PartialEq + Copy>(known: &mut Option<T>, value: T) -> bool {
    let changed = *known != Some(value);
    *known = Some(value);
    changed
}

/// Keeps a value that counts only while a switch is on; whether it must be recorded.
#[inline]
fn changed_if<T: PartialEq + Copy>(on: bool, known: &mut Option<T>, value: T) -> bool {
    (on || known.is_none()) && changed(known, value)
}

impl DynamicState {
    /// Another pipeline layout was used with push constants.
    pub fn forget_constants(&mut self) {
        self.constants = None;
        self.draw_constants = None;
    }
}

impl VulkanContext {
    pub(super) fn emit_dynamic(&mut self, shader: &Shader) {
        let dirty = self.dirty;
        if dirty & (Dirty::VIEWPORT | Dirty::SCISSOR) != 0 {
            self.emit_viewports(dirty, shader);
        }
        if dirty & Dirty::RASTER != 0 {
            self.emit_raster();
        }
        if dirty & Dirty::DEPTH_STENCIL != 0 {
            self.emit_depth_stencil();
        }
        if dirty & Dirty::BLEND != 0 {
            self.emit_blend(shader);
        }
        if dirty & Dirty::STENCIL_REF != 0 && changed(&mut self.dynamic.stencil_reference, self.bound.stencil_reference)
        {
            let (front, back) = self.bound.stencil_reference;
            if let Some(cmd) = self.batches.main() {
                set_faces(front & 0xff, back & 0xff, |faces, value| cmd.set_stencil_reference(faces, value));
            }
        }
        if dirty & Dirty::BLEND_COLOR != 0 {
            let color = self.bound.blend_color.map(F32::get);
            if changed(&mut self.dynamic.blend_color, color)
                && let Some(cmd) = self.batches.main()
            {
                cmd.set_blend_constants(&color);
            }
        }
        if dirty & Dirty::CONSTANTS != 0 {
            self.emit_constants(shader);
        }
        self.dirty &= !(Dirty::VIEWPORT
            | Dirty::SCISSOR
            | Dirty::RASTER
            | Dirty::DEPTH_STENCIL
            | Dirty::BLEND
            | Dirty::STENCIL_REF
            | Dirty::BLEND_COLOR
            | Dirty::CONSTANTS);
    }

    /// A viewport in the framebuffer's rows; `None` when no pixel can come of it.
    fn viewport(&self, viewport: &Viewport) -> Option<vk::Viewport> {
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
        let [max_w, max_h] = limits.max_viewport_dimensions.map(|most| most as f32);
        let (width, size) = (w.min(max_w), size.clamp(-max_h, max_h));
        let [least, most] = limits.viewport_bounds_range;
        let inside = |v: f32| (least..=most).contains(&v);
        // VUID-VkViewport-width-01770: a width of zero is not allowed; nothing is visible in it either way. -x-01774 and
        // its siblings: the rectangle lies within the bounds. GL's position does (GL 4.6 core 13.8.1), so one that
        // reaches out of them lies beyond what an attachment can have.
        let visible = w > 0.0 && size != 0.0 && [x, x + width, top, top + size].into_iter().all(inside);
        let clamp_depth = |d: f32| if d.is_nan() { 0.0 } else { d.clamp(0.0, 1.0) };
        visible.then(|| vk::Viewport {
            x,
            y: top,
            width,
            height: size,
            min_depth: clamp_depth(viewport.near.get()),
            max_depth: clamp_depth(viewport.far.get()),
        })
    }

    fn emit_viewports(&mut self, dirty: u32, shader: &Shader) {
        let Some(target) = &self.target else { return };
        let count = pipeline::viewport_count(&self.gpu, shader) as usize;
        let wanted: SmallVec<[Option<vk::Viewport>; MAX_VIEWPORTS]> =
            self.bound.viewports[..count].iter().map(|v| self.viewport(v)).collect();
        if dirty & Dirty::VIEWPORT != 0 {
            let some = vk::Viewport { width: 1.0, height: 1.0, ..Default::default() };
            let viewports: SmallVec<[vk::Viewport; MAX_VIEWPORTS]> =
                wanted.iter().map(|viewport| viewport.unwrap_or(some)).collect();
            let values: SmallVec<[[f32; 6]; MAX_VIEWPORTS]> =
                viewports.iter().map(|v| [v.x, v.y, v.width, v.height, v.min_depth, v.max_depth]).collect();
            if self.dynamic.viewports != values
                && let Some(cmd) = self.batches.main()
            {
                cmd.set_viewport(0, &viewports);
                self.dynamic.viewports = values;
            }
        }
        let discards = self.discards_by_scissor();
        let on = self.bound.rasterizer.as_ref().is_some_and(|r| r.state.flags.contains(RasterFlags::SCISSOR));
        let scissors: SmallVec<[vk::Rect2D; MAX_VIEWPORTS]> = (0..count)
            .map(|i| {
                if wanted[i].is_none() || discards {
                    vk::Rect2D::default()
                } else if on {
                    target.rect(&self.bound.scissors[i])
                } else {
                    target.area()
                }
            })
            .collect();
        if self.dynamic.scissors != scissors
            && let Some(cmd) = self.batches.main()
        {
            cmd.set_scissor(0, &scissors);
            self.dynamic.scissors = scissors;
        }
    }

    fn emit_raster(&mut self) {
        let Some(state) = &self.rasterizer() else { return };
        let gpu = &self.gpu;
        let f = gpu.features();
        let limits = gpu.limits();
        let [narrowest, widest] = limits.line_width_range;
        let wide = gpu.selected.core.wide_lines == vk::TRUE;
        let width = if wide { state.line_width.get().clamp(narrowest, widest) } else { 1.0 };
        let bias = [state.offset_units.get(), state.offset_clamp.get(), state.offset_factor.get()];
        let plain = !self.has_coverage() && self.bound.min_samples <= 1;
        let (samples, flipped) = self.target.as_ref().map_or((1, false), |t| (t.layout.samples, t.flipped));
        let key = pipeline::raster_key(gpu, state, flipped, samples, plain);
        let front = if key.front_ccw { vk::FrontFace::COUNTER_CLOCKWISE } else { vk::FrontFace::CLOCKWISE };
        let offset = key.bias;
        let now = &mut self.dynamic.raster;
        let Some(cmd) = self.batches.main() else { return };
        if f.extended_dynamic_state {
            let cull = conv::cull_mode(state.cull);
            if changed(&mut now.cull, cull) {
                cmd.cmd_set_cull_mode(cull);
            }
            if changed(&mut now.front, front) {
                cmd.cmd_set_front_face(front);
            }
        }
        if f.extended_dynamic_state2 {
            let discard = state.flags.contains(RasterFlags::DISCARD);
            if changed(&mut now.discard, discard) {
                cmd.cmd_set_rasterizer_discard_enable(discard);
            }
            if changed(&mut now.bias_enable, offset) {
                cmd.cmd_set_depth_bias_enable(offset);
            }
        }
        if changed(&mut now.line_width, width) {
            cmd.set_line_width(width);
        }
        if changed_if(offset, &mut now.bias, bias) {
            cmd.set_depth_bias(bias[0], bias[1], bias[2]);
        }
        if pipeline::has_stipple(gpu) {
            let on = state.flags.contains(RasterFlags::LINE_STIPPLE);
            let (repeat, pattern) =
                if on { (u32::from(state.line_stipple_repeat) + 1, state.line_stipple_pattern) } else { (1, 0xffff) };
            if changed(&mut now.stipple, (repeat, pattern)) {
                cmd.set_line_stipple(repeat, pattern);
            }
        }
        Self::emit_raster3(cmd, f.eds3, &key, now);
    }

    /// The rasterizer's part of VK_EXT_extended_dynamic_state3.
    fn emit_raster3(cmd: Cmd<'_>, f: Eds3, key: &RasterKey, now: &mut RasterDynamic) {
        if f.depth_clamp && changed(&mut now.depth_clamp, key.depth_clamp) {
            cmd.cmd_set_depth_clamp_enable(key.depth_clamp);
        }
        let mode = conv::polygon_mode(PolygonMode(key.mode));
        if f.polygon_mode && changed(&mut now.polygon_mode, mode) {
            cmd.cmd_set_polygon_mode(mode);
        }
        let provoking = key.provoking_mode();
        if f.provoking_vertex && changed(&mut now.provoking, provoking) {
            cmd.cmd_set_provoking_vertex_mode(provoking);
        }
        let lines = vk::LineRasterizationModeEXT::from_raw(key.line_mode);
        if f.line_mode && changed(&mut now.line_mode, lines) {
            cmd.cmd_set_line_rasterization_mode(lines);
        }
        if f.line_stipple && changed(&mut now.stipple_enable, key.stipple) {
            cmd.cmd_set_line_stipple_enable(key.stipple);
        }
        if f.clip_negative_one_to_one && changed(&mut now.negative_one_to_one, key.negative_one_to_one) {
            cmd.cmd_set_depth_clip_negative_one_to_one(key.negative_one_to_one);
        }
    }

    fn emit_depth_stencil(&mut self) {
        let Some(object) = &self.bound.depth_stencil else { return };
        let has_bounds = self.gpu.selected.core.depth_bounds == vk::TRUE;
        let state = &object.state;
        let now = &mut self.dynamic.depth_stencil;
        let Some(cmd) = self.batches.main() else { return };
        if self.gpu.features().extended_dynamic_state {
            Self::emit_tests(cmd, state, has_bounds, now);
        }
        let stencil = state.stencil_test != 0;
        for (i, (faces, face)) in
            [(vk::StencilFaceFlags::FRONT, &state.front), (vk::StencilFaceFlags::BACK, &state.back)].iter().enumerate()
        {
            if changed_if(stencil, &mut now.compare_masks[i], u32::from(face.compare_mask)) {
                cmd.set_stencil_compare_mask(*faces, u32::from(face.compare_mask));
            }
            if changed_if(stencil, &mut now.write_masks[i], u32::from(face.write_mask)) {
                cmd.set_stencil_write_mask(*faces, u32::from(face.write_mask));
            }
        }
        let bounds = if has_bounds && state.depth_bounds_test != 0 {
            [state.depth_bounds_min.get().clamp(0.0, 1.0), state.depth_bounds_max.get().clamp(0.0, 1.0)]
        } else {
            [0.0, 1.0]
        };
        if changed_if(state.depth_bounds_test != 0, &mut now.bounds, bounds) {
            cmd.set_depth_bounds(bounds[0], bounds[1]);
        }
    }

    /// The depth-stencil part of VK_EXT_extended_dynamic_state.
    fn emit_tests(cmd: Cmd<'_>, state: &DepthStencilState, has_bounds: bool, now: &mut DepthStencilDynamic) {
        let (depth, stencil) = (state.depth_test != 0, state.stencil_test != 0);
        if changed(&mut now.depth_test, depth) {
            cmd.cmd_set_depth_test_enable(depth);
        }
        if changed_if(depth, &mut now.depth_write, state.depth_write != 0) {
            cmd.cmd_set_depth_write_enable(state.depth_write != 0);
        }
        let func = conv::compare_op(state.depth_func);
        if changed_if(depth, &mut now.depth_func, func) {
            cmd.cmd_set_depth_compare_op(func);
        }
        let bounds_test = state.depth_bounds_test != 0 && has_bounds;
        if changed(&mut now.bounds_test, bounds_test) {
            cmd.cmd_set_depth_bounds_test_enable(bounds_test);
        }
        if changed(&mut now.stencil_test, stencil) {
            cmd.cmd_set_stencil_test_enable(stencil);
        }
        let ops = [&state.front, &state.back].map(|s| {
            (
                conv::stencil_op(s.fail_op),
                conv::stencil_op(s.pass_op),
                conv::stencil_op(s.depth_fail_op),
                conv::compare_op(s.func),
            )
        });
        for (i, faces) in [vk::StencilFaceFlags::FRONT, vk::StencilFaceFlags::BACK].into_iter().enumerate() {
            let (fail, pass, depth_fail, func) = ops[i];
            if changed_if(stencil, &mut now.ops[i], [fail.as_raw(), pass.as_raw(), depth_fail.as_raw(), func.as_raw()])
            {
                cmd.cmd_set_stencil_op(faces, fail, pass, depth_fail, func);
            }
        }
    }

    /// Tells the draw to be recorded next what it is, for programs that ask. Draws gathered before are recorded: the device
    /// counts the draws of one command.
    pub(super) fn emit_draw_constants(&mut self, indexed: bool, draw_id: u32) {
        let Some(shader) = &self.bound.stages[0].shader else { return };
        let Some(cmd) = self.batches.main() else { return };
        let constants = DrawConstants { indexed: if indexed { u32::MAX } else { 0 }, draw_id };
        if changed(&mut self.dynamic.draw_constants, constants) {
            cmd.push_constants(shader.layout, shader.push_stages, DRAW_CONSTANTS, &constants);
        }
    }

    fn emit_constants(&mut self, shader: &Shader) {
        let Some(raster) = &self.bound.rasterizer else { return };
        let [smallest, largest] = self.gpu.limits().point_size_range;
        let constants = DriverConstants {
            turn: [-1.0, self.target.as_ref().map_or(0, |t| t.height) as f32],
            point_size: raster.state.point_size.get().clamp(smallest, largest),
            reserved: 0.0,
            outer_levels: self.bound.patch.outer.map(F32::get),
            inner_levels: self.bound.patch.inner.map(F32::get),
        };
        // Every graphics pipeline layout has the same push constant range, so values outlive a change of program
        // (Vulkan 1.3, 14.2.2 pipeline layout compatibility).
        if changed(&mut self.dynamic.constants, constants)
            && let Some(cmd) = self.batches.main()
        {
            cmd.push_constants(shader.layout, shader.push_stages, 0, &constants);
        }
    }
}

/// Sets a value of both faces, in one command where they agree.
fn set_faces(front: u32, back: u32, set: impl Fn(vk::StencilFaceFlags, u32)) {
    if front == back {
        set(vk::StencilFaceFlags::FRONT_AND_BACK, front);
    } else {
        set(vk::StencilFaceFlags::FRONT, front);
        set(vk::StencilFaceFlags::BACK, back);
    }
}
