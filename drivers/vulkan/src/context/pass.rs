//! Render passes: the framebuffer resolved to images, load operations, and when a pass begins and ends.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::{Dirty, VulkanContext};
use crate::barrier::Access;
use crate::conv;
use crate::precompile::LikelyTarget;
use crate::render_pass::{self, PassAttachment, PassDesc};
use crate::state_object::TargetLayout;
use crate::texture::ImageStorage;

/// One attachment, resolved.
#[derive(Clone)]
pub(crate) struct Attachment {
    pub image: Arc<ImageStorage>,
    pub view: vk::ImageView,
    /// The channels its format has, bits R, G, B, A.
    pub channels: u8,
}

/// The framebuffer, resolved.
pub(crate) struct Target {
    pub color: [Option<Attachment>; MAX_COLOR_ATTACHMENTS],
    pub depth_stencil: Option<Attachment>,
    pub has_depth: bool,
    pub has_stencil: bool,
    pub layout: TargetLayout,
    pub layout_id: u32,
    pub width: u32,
    pub height: u32,
    pub layers: u32,
    /// Rows are top first.
    pub flipped: bool,
}

impl Target {
    /// A rectangle in GL window coordinates, clipped and in the image's rows.
    pub fn rect(&self, rect: &Rect) -> vk::Rect2D {
        let clamp = |v: i64, max: u32| v.clamp(0, i64::from(max));
        let x0 = clamp(i64::from(rect.x), self.width);
        let x1 = clamp(i64::from(rect.x) + i64::from(rect.width), self.width);
        let y0 = clamp(i64::from(rect.y), self.height);
        let y1 = clamp(i64::from(rect.y) + i64::from(rect.height), self.height);
        let (y0, y1) = if self.flipped { (i64::from(self.height) - y1, i64::from(self.height) - y0) } else { (y0, y1) };
        vk::Rect2D {
            offset: vk::Offset2D { x: x0 as i32, y: y0 as i32 },
            extent: vk::Extent2D { width: (x1 - x0).max(0) as u32, height: (y1 - y0).max(0) as u32 },
        }
    }

    pub fn area(&self) -> vk::Rect2D {
        vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: self.width, height: self.height } }
    }
}

/// The open pass and the clears that wait to become its load operations.
#[derive(Default)]
pub(crate) struct PassState {
    pub open: bool,
    pub clear_color: u32,
    pub color_values: [[u32; 4]; MAX_COLOR_ATTACHMENTS],
    pub clear_depth: Option<f32>,
    pub clear_stencil: Option<u32>,
    /// Attachments whose contents the program gave up: colour bits, then depth (bit 8) and stencil (bit 9).
    pub discard: u32,
}

const DEPTH_BIT: u32 = 1 << 8;
const STENCIL_BIT: u32 = 1 << 9;

impl VulkanContext {
    /// Resolves the framebuffer, if that has not happened; false when an attachment has no storage.
    pub(crate) fn ensure_target(&mut self) -> bool {
        if self.target.is_none() {
            self.target = self.resolve_target().map(Box::new);
            self.dirty |= Dirty::TARGET;
        }
        self.target.is_some()
    }

    fn attachment(&mut self, surface: &SurfaceView) -> Option<Attachment> {
        let texture = self.texture(surface.texture)?;
        let image = texture.image()?;
        let level = texture.first_level + surface.level;
        let first = texture.first_layer + surface.first_layer;
        let layers = if self.bound.framebuffer.layered != 0 { surface.layer_count.max(1) } else { 1 };
        let view = image.attachment_view(surface.format, level, first, layers)?;
        let channels =
            surface.format.info().channels.iter().enumerate().filter(|(_, c)| c.bits != 0).map(|(i, _)| 1 << i).sum();
        Some(Attachment { image, view, channels })
    }

    fn resolve_target(&mut self) -> Option<Target> {
        let state = self.bound.framebuffer;
        let mut layout = TargetLayout {
            color: [vk::Format::UNDEFINED; MAX_COLOR_ATTACHMENTS],
            color_count: state.color_count.min(MAX_COLOR_ATTACHMENTS as u32),
            depth: vk::Format::UNDEFINED,
            stencil: vk::Format::UNDEFINED,
            samples: state.samples.max(1),
            blendable: 0,
        };
        let mut color: [Option<Attachment>; MAX_COLOR_ATTACHMENTS] = Default::default();
        let mut flipped = false;
        let mut integers = [0; 2];
        for (i, slot) in color.iter_mut().enumerate().take(layout.color_count as usize) {
            let surface = state.color[i];
            if surface.texture.is_null() {
                continue;
            }
            let attachment = self.attachment(&surface)?;
            flipped |= attachment.image.surface_oriented;
            let entry = self.gpu.formats.get(surface.format);
            layout.color[i] = entry.image;
            if entry.caps.uses.contains(FormatUses::BLEND) && !surface.format.is_pure_integer() {
                layout.blendable |= 1 << i;
            }
            match surface.format.info().channels[0].kind {
                ChannelKind::Sint => integers[0] |= 1 << i,
                ChannelKind::Uint => integers[1] |= 1 << i,
                _ => {}
            }
            *slot = Some(attachment);
        }
        let has_depth = !state.depth.texture.is_null() && state.depth.format.has_depth();
        let mut has_stencil = !state.stencil.texture.is_null() && state.stencil.format.has_stencil();
        // Two different images for depth and stencil are one more than dynamic rendering takes
        // (VUID-VkRenderingInfo-pDepthAttachment-06085).
        if has_depth && has_stencil && state.depth.texture != state.stencil.texture {
            has_stencil = false;
        }
        let surface = if has_depth { state.depth } else { state.stencil };
        let depth_stencil = if has_depth || has_stencil { Some(self.attachment(&surface)?) } else { None };
        if let Some(attachment) = &depth_stencil {
            flipped |= attachment.image.surface_oriented;
            if has_depth {
                layout.depth = attachment.image.native;
            }
            if has_stencil {
                layout.stencil = attachment.image.native;
            }
        }
        let layout_id = self.objects.interners.targets.id(&layout);
        if self.likely_target != (layout_id, flipped) {
            self.likely_target = (layout_id, flipped);
            let target = LikelyTarget { layout, layout_id, flipped, integers };
            self.objects.precompiler.note_target(&self.gpu, &self.objects.pipeline_cache, target);
        }
        Some(Target {
            color,
            depth_stencil,
            has_depth,
            has_stencil,
            layout_id,
            layout,
            width: state.width.max(1),
            height: state.height.max(1),
            layers: if state.layered != 0 { state.layers.max(1) } else { 1 },
            flipped,
        })
    }

    /// A window's back image is another one since the framebuffer was resolved.
    pub(crate) fn follow_window_images(&mut self) {
        let windowed = self.bound.framebuffer.color.iter().any(|s| {
            !s.texture.is_null()
                && self
                    .mirrors
                    .textures
                    .get(s.texture, &self.objects.textures)
                    .is_some_and(|t| matches!(t.kind, crate::texture::TextureKind::Window(_)))
        });
        if windowed && !self.pass.open && !self.has_pending_clears() {
            self.target = None;
        }
    }

    pub(crate) fn has_pending_clears(&self) -> bool {
        self.pass.clear_color != 0 || self.pass.clear_depth.is_some() || self.pass.clear_stencil.is_some()
    }

    /// Begins a pass on the bound framebuffer unless one is open.
    pub(crate) fn begin_pass(&mut self) -> bool {
        if self.pass.open {
            return true;
        }
        if !self.ensure_batch() || !self.ensure_target() {
            return false;
        }
        let Some(target) = self.target.take() else { return false };
        let discard = self.pass.discard;
        for attachment in target.color.iter().flatten() {
            self.use_image(&attachment.image, Access::COLOR);
        }
        if let Some(attachment) = &target.depth_stencil {
            self.use_image(&attachment.image, Access::DEPTH_STENCIL);
        }
        self.flush_barriers();
        for attachment in target.color.iter().flatten().chain(&target.depth_stencil) {
            self.tracker.attach(attachment.image.track);
        }
        self.pass.discard = discard;
        self.suspend_queries();
        let begun = self.record_begin(&target);
        self.target = Some(target);
        if !begun {
            return false;
        }
        self.pass.open = true;
        self.pass.clear_color = 0;
        self.pass.clear_depth = None;
        self.pass.clear_stencil = None;
        self.pass.discard = 0;
        self.resume_pass_queries();
        true
    }

    fn record_begin(&mut self, target: &Target) -> bool {
        let pass = &self.pass;
        let counters = &mut self.counters;
        let mut load = |clear: bool, discard: bool| {
            counters.attachment_stores += 1;
            if clear {
                counters.attachment_clears += 1;
                vk::AttachmentLoadOp::CLEAR
            } else if discard {
                vk::AttachmentLoadOp::DONT_CARE
            } else {
                counters.attachment_loads += 1;
                vk::AttachmentLoadOp::LOAD
            }
        };
        let mut color: SmallVec<[Option<PassAttachment>; MAX_COLOR_ATTACHMENTS]> = SmallVec::new();
        for i in 0..target.layout.color_count as usize {
            let bit = 1 << i;
            color.push(target.color[i].as_ref().map(|attachment| PassAttachment {
                view: attachment.view,
                image: attachment.image.identity,
                load: load(pass.clear_color & bit != 0, pass.discard & bit != 0),
                clear: vk::ClearValue { color: conv::clear_color(pass.color_values[i]) },
            }));
        }
        let clear = vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: pass.clear_depth.unwrap_or(0.0),
                stencil: pass.clear_stencil.unwrap_or(0),
            },
        };
        let mut half = |there: bool, cleared: bool, bit: u32| {
            let attachment = target.depth_stencil.as_ref().filter(|_| there)?;
            let load = load(cleared, pass.discard & bit != 0);
            Some(PassAttachment { view: attachment.view, image: attachment.image.identity, load, clear })
        };
        let depth = half(target.has_depth, pass.clear_depth.is_some(), DEPTH_BIT);
        let stencil = half(target.has_stencil, pass.clear_stencil.is_some(), STENCIL_BIT);
        let desc = PassDesc {
            layout: &target.layout,
            area: target.area(),
            width: target.width,
            height: target.height,
            layers: target.layers,
            color,
            depth,
            stencil,
        };
        self.counters.render_passes += 1;
        let stamp = self.batches.stamp();
        self.batches.main().is_some_and(|cmd| render_pass::begin(&self.gpu, &mut self.framebuffers, stamp, cmd, &desc))
    }

    /// Ends the open pass; waiting clears are carried out first.
    pub(crate) fn end_pass(&mut self) {
        if !self.pass.open {
            if !self.has_pending_clears() {
                return;
            }
            if !self.begin_pass() {
                self.pass = PassState::default();
                return;
            }
        }
        self.end_conditional();
        self.suspend_queries();
        self.end_xfb();
        if let Some(cmd) = self.batches.main() {
            render_pass::end(&self.gpu, cmd);
        }
        self.pass.open = false;
        // Attachments of the pass are now like any other image.
        self.tracker.pass += 1;
        self.dirty |= Dirty::RESOURCES;
    }

    /// The program gives up the contents of attachments.
    pub(crate) fn invalidate(&mut self, info: &InvalidateInfo) {
        // What is drawn so far belongs to the contents given up; the next pass does not load them.
        if self.pass.open {
            self.end_pass();
        }
        self.pass.discard |= info.color_attachments & 0xff;
        self.pass.clear_color &= !info.color_attachments;
        if info.depth != 0 {
            self.pass.discard |= DEPTH_BIT;
            self.pass.clear_depth = None;
        }
        if info.stencil != 0 {
            self.pass.discard |= STENCIL_BIT;
            self.pass.clear_stencil = None;
        }
    }

    /// Rendered texels become visible to later texture reads in the same framebuffer.
    pub(crate) fn texture_barrier(&mut self) {
        self.end_pass();
    }
}
