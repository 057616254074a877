//! Blits, resolves, mipmaps and masked clears.
//!
//! A blit that moves texels unchanged is a copy, a plain multisample resolve is Vulkan's own; everything else is drawn by
//! the programs of [`crate::internal`], which scale, mirror, convert, resolve and clip in one way for all formats.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::VulkanContext;
use crate::barrier::Access;
use crate::conv;
use crate::internal::{BlitConstants, InternalKey, Output, Program, Source};
use crate::render_pass::{self, PassAttachment, PassDesc};
use crate::sampler::Sampler;
use crate::state_object::TargetLayout;
use crate::texture::{ImageStorage, Texture, ViewKey};

/// One end of a blit, in the image's own rows.
struct End {
    image: Arc<ImageStorage>,
    format: Format,
    level: u32,
    layer: u32,
    width: i64,
    height: i64,
    x: [i64; 2],
    y: [i64; 2],
}

impl End {
    fn new(texture: &Texture, end: &BlitEnd) -> Option<Self> {
        let image = texture.image()?;
        let level = texture.first_level + end.level;
        let layer = if image.dim == TextureDim::D3 { end.layer } else { texture.first_layer + end.layer };
        if level >= image.levels || layer >= image.slices(level) {
            return None;
        }
        let (w, h, _) = image.extent(level);
        let (width, height) = (i64::from(w), i64::from(h));
        let turn = |y: i32| if image.surface_oriented { height - i64::from(y) } else { i64::from(y) };
        Some(Self {
            format: end.format,
            level,
            layer,
            width,
            height,
            x: [i64::from(end.x0), i64::from(end.x1)],
            y: [turn(end.y0), turn(end.y1)],
            image,
        })
    }
}

/// Low and high end of an interval.
fn sorted(v: [i64; 2]) -> [i64; 2] {
    [v[0].min(v[1]), v[0].max(v[1])]
}

impl VulkanContext {
    pub(crate) fn blit(&mut self, info: &BlitInfo) {
        if info.conditional != 0 && !self.condition_passes() {
            return;
        }
        let (Some(from), Some(to)) = (self.texture(info.source.texture), self.texture(info.destination.texture)) else {
            return;
        };
        let (Some(source), Some(destination)) = (End::new(&from, &info.source), End::new(&to, &info.destination))
        else {
            return;
        };
        let [x0, x1] = sorted(destination.x);
        let [y0, y1] = sorted(destination.y);
        let mut clip = [x0.max(0), y0.max(0), x1.min(destination.width), y1.min(destination.height)];
        if info.scissored != 0 {
            let s = &info.scissor;
            let (sy0, sy1) = (i64::from(s.y), i64::from(s.y) + i64::from(s.height));
            let (sy0, sy1) = if destination.image.surface_oriented {
                (destination.height - sy1, destination.height - sy0)
            } else {
                (sy0, sy1)
            };
            clip[0] = clip[0].max(i64::from(s.x));
            clip[1] = clip[1].max(sy0);
            clip[2] = clip[2].min(i64::from(s.x) + i64::from(s.width));
            clip[3] = clip[3].min(sy1);
        }
        if clip[0] >= clip[2] || clip[1] >= clip[3] || source.x[0] == source.x[1] || source.y[0] == source.y[1] {
            return;
        }
        self.end_pass();
        if !self.ensure_batch() || self.try_copy(info, &source, &destination, clip) {
            return;
        }
        if info.mask.contains(BlitMask::COLOR) {
            self.draw_blit(info, &source, &destination, clip, None);
        }
        if info.mask.contains(BlitMask::DEPTH) && destination.format.has_depth() {
            self.draw_blit(info, &source, &destination, clip, Some(Output::Depth));
        }
        if info.mask.contains(BlitMask::STENCIL) && destination.format.has_stencil() {
            self.draw_blit(info, &source, &destination, clip, Some(Output::Stencil));
        }
    }

    /// Carries the blit out as a copy or Vulkan's resolve, if it is one.
    fn try_copy(&mut self, info: &BlitInfo, source: &End, destination: &End, clip: [i64; 4]) -> bool {
        let dx = destination.x[1] - destination.x[0];
        let dy = destination.y[1] - destination.y[0];
        let same_size = source.x[1] - source.x[0] == dx && source.y[1] - source.y[0] == dy;
        let same_format = source.image.native == destination.image.native && source.format == destination.format;
        let resolve = source.image.samples > 1 && destination.image.samples == 1;
        let color = info.mask == BlitMask::COLOR;
        let one_texture = Arc::ptr_eq(&source.image, &destination.image);
        // VUID-vkCmdCopyImage-srcImage-07743: one-dimensional images are copied among themselves.
        let line = |end: &End| conv::image_type(end.image.dim) == vk::ImageType::TYPE_1D;
        let same_kind = line(source) == line(destination);
        if !same_size
            || info.source.opaque != 0
            || !same_format
            || !same_kind
            || one_texture
            || (source.image.samples != destination.image.samples && !resolve)
        {
            return false;
        }
        // VUID-vkCmdResolveImage-dstImage-02003; integer texels are not averaged, and a view's encoding counts.
        if resolve
            && (!color
                || source.format.is_pure_integer()
                || source.image.format != source.format
                || destination.image.format != destination.format)
        {
            return false;
        }
        // Destination texel d corresponds to source texel d + shift, whichever way both run.
        let (shift_x, shift_y) = (source.x[0] - destination.x[0], source.y[0] - destination.y[0]);
        let left = clip[0].max(-shift_x);
        let bottom = clip[1].max(-shift_y);
        let right = clip[2].min(source.width - shift_x);
        let top = clip[3].min(source.height - shift_y);
        if left >= right || bottom >= top {
            return true;
        }
        let mut aspect = vk::ImageAspectFlags::empty();
        for (bit, flag) in [
            (BlitMask::COLOR, vk::ImageAspectFlags::COLOR),
            (BlitMask::DEPTH, vk::ImageAspectFlags::DEPTH),
            (BlitMask::STENCIL, vk::ImageAspectFlags::STENCIL),
        ] {
            if info.mask.contains(bit) && source.image.aspects().contains(flag) {
                aspect |= flag;
            }
        }
        if aspect.is_empty() {
            return true;
        }
        self.use_image(&source.image, Access::COPY_READ);
        self.use_image(&destination.image, Access::COPY_WRITE);
        let place = |end: &End, x: i64, y: i64| {
            let volume = end.image.dim == TextureDim::D3;
            let layers = vk::ImageSubresourceLayers {
                aspect_mask: aspect,
                mip_level: end.level,
                base_array_layer: if volume { 0 } else { end.layer },
                layer_count: 1,
            };
            let offset = vk::Offset3D { x: x as i32, y: y as i32, z: if volume { end.layer as i32 } else { 0 } };
            (layers, offset)
        };
        let (src_subresource, src_offset) = place(source, left + shift_x, bottom + shift_y);
        let (dst_subresource, dst_offset) = place(destination, left, bottom);
        let extent = vk::Extent3D { width: (right - left) as u32, height: (top - bottom) as u32, depth: 1 };
        let Some(cmd) = self.transfer_cmd() else { return true };
        if resolve {
            let region = vk::ImageResolve { src_subresource, src_offset, dst_subresource, dst_offset, extent };
            cmd.resolve_image(source.image.raw, destination.image.raw, &[region]);
        } else {
            let region = vk::ImageCopy { src_subresource, src_offset, dst_subresource, dst_offset, extent };
            cmd.copy_image(source.image.raw, destination.image.raw, &[region]);
        }
        true
    }

    /// Carries the blit out as a draw. `part` names depth or stencil; colour's kind follows from the format.
    fn draw_blit(&mut self, info: &BlitInfo, source: &End, destination: &End, clip: [i64; 4], part: Option<Output>) {
        let output = part.unwrap_or_else(|| color_output(destination.format));
        let kind = match (source.image.samples > 1, conv::image_type(source.image.dim)) {
            (true, _) => Source::Multisampled,
            (_, vk::ImageType::TYPE_1D) => Source::D1,
            (_, vk::ImageType::TYPE_3D) => Source::D3,
            _ => Source::D2,
        };
        let filtered = info.linear != 0 && output == Output::Float && kind != Source::Multisampled;
        let program = if filtered { Program::BlitLinear(kind) } else { Program::Blit(kind, output) };
        let Some(view) = self.source_view(source, output) else { return };
        let samplers = &self.objects.internal;
        let sampler = if filtered { &samplers.linear_sampler } else { &samplers.sampler };
        let Some(sampler) = sampler.as_ref().and_then(Sampler::plain) else { return };
        let scale = |s: [i64; 2], d: [i64; 2]| {
            let scale = (s[1] - s[0]) as f64 / (d[1] - d[0]) as f64;
            (scale as f32, (s[0] as f64 - d[0] as f64 * scale) as f32)
        };
        let (scale_x, offset_x) = scale(source.x, destination.x);
        let (scale_y, offset_y) = scale(source.y, destination.y);
        let constants = BlitConstants {
            scale: [scale_x, scale_y],
            offset: [offset_x, offset_y],
            size: [source.width as f32, source.height as f32],
            depth: source.image.slices(source.level) as f32,
            slice: source.layer as i32,
            samples: source.image.samples as i32,
            opaque: info.source.opaque.into(),
            ..Default::default()
        };
        self.use_image(&source.image, Access::SAMPLED);
        let area = vk::Rect2D {
            offset: vk::Offset2D { x: clip[0] as i32, y: clip[1] as i32 },
            extent: vk::Extent2D { width: (clip[2] - clip[0]) as u32, height: (clip[3] - clip[1]) as u32 },
        };
        let draw = InternalDraw {
            image: &destination.image,
            format: destination.format,
            level: destination.level,
            layer: destination.layer,
            layers: 1,
            area,
            mask: 15,
        };
        if output != Output::Stencil {
            self.internal_draw(&draw, program, Some((view, sampler)), |cmd, layout| {
                cmd.push_constants(layout, vk::ShaderStageFlags::FRAGMENT, 0, &constants);
                cmd.draw(3, 1, 0, 0);
            });
            return;
        }
        // Without stencil export the value is written bit by bit over zeros, discarding where a bit is clear.
        // Texels that the source does not cover must stay, so the zeros go only where it does.
        self.internal_draw(&draw, program, Some((view, sampler)), |cmd, layout| {
            let both = vk::StencilFaceFlags::FRONT_AND_BACK;
            let mut constants = constants;
            (constants.stencil_bit, constants.stencil_always) = (0xff, 0xff);
            cmd.push_constants(layout, vk::ShaderStageFlags::FRAGMENT, 0, &constants);
            cmd.draw(3, 1, 0, 0);
            constants.stencil_always = 0;
            for bit in 0..8 {
                cmd.set_stencil_write_mask(both, 1 << bit);
                cmd.set_stencil_reference(both, 0xff);
                constants.stencil_bit = 1 << bit;
                cmd.push_constants(layout, vk::ShaderStageFlags::FRAGMENT, 0, &constants);
                cmd.draw(3, 1, 0, 0);
            }
        });
    }

    /// The view a blit reads through.
    fn source_view(&self, source: &End, output: Output) -> Option<vk::ImageView> {
        let image = &source.image;
        let depth = image.format.is_depth_stencil();
        let aspects = match output {
            Output::Depth => vk::ImageAspectFlags::DEPTH,
            Output::Stencil => vk::ImageAspectFlags::STENCIL,
            _ => vk::ImageAspectFlags::COLOR,
        };
        let (ty, first_layer) = match conv::image_type(image.dim) {
            vk::ImageType::TYPE_1D => (vk::ImageViewType::TYPE_1D, source.layer),
            vk::ImageType::TYPE_3D => (vk::ImageViewType::TYPE_3D, 0),
            _ => (vk::ImageViewType::TYPE_2D, source.layer),
        };
        image.view(ViewKey {
            format: if depth { image.native } else { self.gpu.formats.image(source.format) },
            ty,
            aspects,
            usage: vk::ImageUsageFlags::SAMPLED,
            level: source.level,
            levels: 1,
            first_layer,
            layers: 1,
        })
    }

    /// Draws with an internal program into one attachment, in a pass of its own.
    fn internal_draw(
        &mut self,
        draw: &InternalDraw<'_>,
        program: Program,
        source: Option<(vk::ImageView, vk::Sampler)>,
        record: impl FnOnce(&crate::ffi::Cmd<'_>, vk::PipelineLayout),
    ) {
        let image = draw.image;
        let depth_stencil = image.format.is_depth_stencil();
        let stencil = matches!(program, Program::StencilOnly | Program::Blit(_, Output::Stencil));
        let native = if depth_stencil { image.native } else { self.gpu.formats.image(draw.format) };
        let none = vk::Format::UNDEFINED;
        let key = InternalKey {
            program,
            color: if depth_stencil { none } else { native },
            depth: if depth_stencil && !stencil { native } else { none },
            stencil: if stencil { native } else { none },
            samples: image.samples,
            mask: draw.mask,
        };
        let cache = &self.objects.pipeline_cache;
        let Some(pipeline) = self.objects.internal.blits.get(&self.gpu, cache, key) else { return };
        let Some(view) = image.attachment_view(draw.format, draw.level, draw.layer, draw.layers) else { return };
        let set = match source {
            Some((view, sampler)) => {
                let Some(set) = self.descriptors.allocate(pipeline.set) else { return };
                let image_info =
                    [vk::DescriptorImageInfo::default().image_view(view).image_layout(vk::ImageLayout::GENERAL)];
                let sampler_info = [vk::DescriptorImageInfo::default().sampler(sampler)];
                let write = |binding, ty| {
                    vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding).descriptor_type(ty)
                };
                self.gpu.device.write_descriptors(&[
                    write(0, vk::DescriptorType::SAMPLED_IMAGE).image_info(&image_info),
                    write(1, vk::DescriptorType::SAMPLER).image_info(&sampler_info),
                ]);
                Some(set)
            }
            None => None,
        };
        let aspect = match (depth_stencil, stencil) {
            (false, _) => vk::ImageAspectFlags::COLOR,
            (true, false) => vk::ImageAspectFlags::DEPTH,
            (true, true) => vk::ImageAspectFlags::STENCIL,
        };
        if !self.begin_internal_pass(draw, view, &key.targets(), aspect) {
            return;
        }
        let (width, height, _) = image.extent(draw.level);
        let Some(cmd) = self.batches.main() else { return };
        cmd.bind_pipeline(vk::PipelineBindPoint::GRAPHICS, pipeline.raw);
        cmd.set_viewport(
            0,
            &[vk::Viewport { width: width as f32, height: height as f32, max_depth: 1.0, ..Default::default() }],
        );
        cmd.set_scissor(0, &[draw.area]);
        let both = vk::StencilFaceFlags::FRONT_AND_BACK;
        cmd.set_stencil_write_mask(both, 0xff);
        cmd.set_stencil_reference(both, 0);
        if let Some(set) = set {
            cmd.bind_descriptor_sets(vk::PipelineBindPoint::GRAPHICS, pipeline.layout, 0, &[set], &[]);
        }
        record(&cmd, pipeline.layout);
        render_pass::end(&self.gpu, cmd);
        self.tracker.pass += 1;
        self.forget_device_state();
    }

    /// Begins a pass over one aspect of the image of an internal draw, with what it holds; false when the device refuses.
    fn begin_internal_pass(
        &mut self,
        draw: &InternalDraw<'_>,
        view: vk::ImageView,
        layout: &TargetLayout,
        aspect: vk::ImageAspectFlags,
    ) -> bool {
        let color = aspect == vk::ImageAspectFlags::COLOR;
        self.use_image(draw.image, if color { Access::COLOR } else { Access::DEPTH_STENCIL });
        self.flush_barriers();
        let (width, height, _) = draw.image.extent(draw.level);
        let attachment = PassAttachment {
            view,
            image: draw.image.identity,
            load: vk::AttachmentLoadOp::LOAD,
            clear: vk::ClearValue::default(),
        };
        let desc = PassDesc {
            layout,
            area: draw.area,
            width,
            height,
            layers: draw.layers,
            color: if color { smallvec::smallvec![Some(attachment)] } else { SmallVec::new() },
            depth: (aspect == vk::ImageAspectFlags::DEPTH).then_some(attachment),
            stencil: (aspect == vk::ImageAspectFlags::STENCIL).then_some(attachment),
        };
        self.counters.render_passes += 1;
        self.counters.attachment_loads += 1;
        self.counters.attachment_stores += 1;
        let Some(cmd) = self.batches.main() else { return false };
        render_pass::begin(&self.gpu, &mut self.framebuffers, self.batches.stamp(), cmd, &desc)
    }

    /// Clears some channels of colour attachments, by drawing.
    pub(super) fn clear_masked_color(&mut self, mask: u32, info: &ClearInfo, rect: vk::Rect2D) {
        self.end_pass();
        for i in (0..MAX_COLOR_ATTACHMENTS).filter(|i| mask & (1 << i) != 0) {
            let channels = (info.color_write_masks >> (4 * i)) as u8 & 15;
            let Some(Attached { image, surface, layer, level, layers, .. }) = self.attached(i) else { continue };
            let draw = InternalDraw {
                image: &image,
                format: surface.format,
                level,
                layer,
                layers,
                area: rect,
                mask: channels,
            };
            let output = color_output(surface.format);
            let value = info.color;
            self.draw_layers(&draw, Program::Clear(output), |cmd, layout| {
                cmd.push_constants(layout, vk::ShaderStageFlags::FRAGMENT, 0, &value);
                cmd.draw(3, 1, 0, 0);
            });
        }
    }

    /// Clears the layers of colour attachments that have more of them than the framebuffer: rendering reaches only
    /// the layers all attachments have, a clear reaches all (GL 4.6 core 9.8 and 17.4.3).
    pub(super) fn clear_further_layers(&mut self, mask: u32, info: &ClearInfo, rect: vk::Rect2D) {
        for i in (0..MAX_COLOR_ATTACHMENTS).filter(|i| mask & (1 << i) != 0) {
            let Some(Attached { image, surface, layer, level, layers, reached }) = self.attached(i) else { continue };
            if layers <= reached {
                continue;
            }
            self.end_pass();
            let draw = InternalDraw {
                image: &image,
                format: surface.format,
                level,
                layer: layer + reached,
                layers: layers - reached,
                area: rect,
                mask: (info.color_write_masks >> (4 * i)) as u8 & 15,
            };
            let value = info.color;
            self.draw_layers(&draw, Program::Clear(color_output(surface.format)), |cmd, layout| {
                cmd.push_constants(layout, vk::ShaderStageFlags::FRAGMENT, 0, &value);
                cmd.draw(3, 1, 0, 0);
            });
        }
    }

    /// Clears some bits of the stencil attachment, by drawing.
    pub(super) fn clear_masked_stencil(&mut self, info: &ClearInfo, rect: vk::Rect2D) {
        self.end_pass();
        let Some(Attached { image, surface, layer, level, layers, .. }) = self.attached(STENCIL) else { return };
        let draw = InternalDraw { image: &image, format: surface.format, level, layer, layers, area: rect, mask: 0 };
        let (value, mask) = (u32::from(info.stencil), u32::from(info.stencil_write_mask));
        self.draw_layers(&draw, Program::StencilOnly, |cmd, _| {
            let both = vk::StencilFaceFlags::FRONT_AND_BACK;
            cmd.set_stencil_write_mask(both, mask);
            cmd.set_stencil_reference(both, value);
            cmd.draw(3, 1, 0, 0);
        });
    }

    /// Draws once for each layer: the programs do not choose a layer themselves.
    fn draw_layers(
        &mut self,
        draw: &InternalDraw<'_>,
        program: Program,
        record: impl Fn(&crate::ffi::Cmd<'_>, vk::PipelineLayout) + Copy,
    ) {
        if !self.ensure_batch() {
            return;
        }
        for layer in 0..draw.layers {
            let one = InternalDraw { layer: draw.layer + layer, layers: 1, ..*draw };
            self.internal_draw(&one, program, None, record);
        }
    }

    /// Clears the layers of the depth and stencil attachment that rendering does not reach.
    pub(super) fn clear_further_depth_stencil(&mut self, depth: Option<f32>, stencil: Option<u32>, rect: vk::Rect2D) {
        for (index, aspect, there) in [
            (DEPTH, vk::ImageAspectFlags::DEPTH, depth.is_some()),
            (STENCIL, vk::ImageAspectFlags::STENCIL, stencil.is_some()),
        ] {
            if !there {
                continue;
            }
            let Some(Attached { image, surface, layer, level, layers, reached }) = self.attached(index) else {
                continue;
            };
            if layers <= reached {
                continue;
            }
            self.end_pass();
            let further = layers - reached;
            let view = image.attachment_view(surface.format, level, layer + reached, further);
            let Some(view) = view.filter(|_| self.ensure_batch()) else { return };
            let format = |on: bool| if on { image.native } else { vk::Format::UNDEFINED };
            let layout = TargetLayout {
                color: [vk::Format::UNDEFINED; MAX_COLOR_ATTACHMENTS],
                color_count: 0,
                depth: format(index == DEPTH),
                stencil: format(index == STENCIL),
                samples: image.samples,
                blendable: 0,
            };
            let draw = InternalDraw {
                image: &image,
                format: surface.format,
                level,
                layer: layer + reached,
                layers: further,
                area: rect,
                mask: 0,
            };
            let value = vk::ClearDepthStencilValue { depth: depth.unwrap_or(0.0), stencil: stencil.unwrap_or(0) };
            let clear = vk::ClearAttachment {
                aspect_mask: aspect,
                color_attachment: 0,
                clear_value: vk::ClearValue { depth_stencil: value },
            };
            if self.begin_internal_pass(&draw, view, &layout, aspect)
                && let Some(cmd) = self.batches.main()
            {
                cmd.clear_attachments(&[clear], &[vk::ClearRect { rect, base_array_layer: 0, layer_count: further }]);
                render_pass::end(&self.gpu, cmd);
            }
            self.tracker.pass += 1;
        }
    }

    /// An attachment of the bound framebuffer: a colour's number, [`DEPTH`] or [`STENCIL`].
    fn attached(&mut self, index: usize) -> Option<Attached> {
        let state = self.bound.framebuffer;
        let surface = match index {
            DEPTH => state.depth,
            STENCIL => state.stencil,
            color => state.color[color],
        };
        let texture = self.texture(surface.texture)?;
        let image = texture.image()?;
        let layers = if state.layered != 0 { surface.layer_count.max(1) } else { 1 };
        Some(Attached {
            image,
            surface,
            layer: texture.first_layer + surface.first_layer,
            level: texture.first_level + surface.level,
            layers,
            reached: layers.min(state.layers.max(1)),
        })
    }

    pub(crate) fn generate_mipmap(&mut self, info: &GenerateMipmap) -> Outcome {
        let Some(texture) = self.texture(info.texture) else { return Outcome::DONE };
        let Some(image) = texture.image() else { return Outcome::DONE };
        let entry = self.gpu.formats.get(image.format);
        use vk::FormatFeatureFlags as F;
        let needed = F::BLIT_SRC | F::BLIT_DST | F::SAMPLED_IMAGE_FILTER_LINEAR;
        // GL 4.6 core 8.18: a view's texels are of the view's format; a blit averages in the image's own.
        let other_format = self.gpu.formats.image(info.format) != image.native;
        if !entry.features.contains(needed) || image.format.is_depth_stencil() || image.samples > 1 || other_format {
            return Outcome::DECLINED;
        }
        // VUID-vkCmdBlitImage-srcImage-00234: linear filtering is not for integers, which GL does not ask for.
        self.end_pass();
        if !self.ensure_batch() {
            return Outcome::DEVICE_LOST;
        }
        let volume = image.dim == TextureDim::D3;
        let (first_layer, layer_count) =
            if volume { (0, 1) } else { (texture.first_layer + info.first_layer, info.layer_count.max(1)) };
        let base = texture.first_level + info.base_level;
        let last = (texture.first_level + info.last_level).min(image.levels - 1);
        let both = Access {
            stages: vk::PipelineStageFlags::TRANSFER,
            access: vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
            write: true,
        };
        for level in base..last {
            // Each level reads the one before; the tracker sees a write after a write.
            self.use_image(&image, both);
            self.flush_barriers();
            let end = |level: u32| {
                let (w, h, d) = image.extent(level);
                [vk::Offset3D::default(), vk::Offset3D { x: w as i32, y: h as i32, z: d as i32 }]
            };
            let layers = |level| vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: level,
                base_array_layer: first_layer,
                layer_count,
            };
            let region = vk::ImageBlit {
                src_subresource: layers(level),
                src_offsets: end(level),
                dst_subresource: layers(level + 1),
                dst_offsets: end(level + 1),
            };
            if let Some(cmd) = self.batches.main() {
                cmd.blit_image(image.raw, image.raw, &[region], vk::Filter::LINEAR);
            }
        }
        Outcome::DONE
    }
}

/// Numbers of the depth and stencil attachments, after those of the colours.
const DEPTH: usize = MAX_COLOR_ATTACHMENTS;
const STENCIL: usize = MAX_COLOR_ATTACHMENTS + 1;

/// An attachment of the bound framebuffer.
struct Attached {
    image: Arc<ImageStorage>,
    surface: SurfaceView,
    /// First layer in the image.
    layer: u32,
    level: u32,
    /// Layers it has, and how many of them rendering reaches.
    layers: u32,
    reached: u32,
}

/// Where an internal draw goes.
#[derive(Clone, Copy)]
struct InternalDraw<'a> {
    image: &'a Arc<ImageStorage>,
    format: Format,
    level: u32,
    layer: u32,
    layers: u32,
    area: vk::Rect2D,
    mask: u8,
}

fn color_output(format: Format) -> Output {
    match format.kind() {
        ChannelKind::Uint => Output::Uint,
        ChannelKind::Sint => Output::Sint,
        _ => Output::Float,
    }
}
