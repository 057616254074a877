//! The draw framebuffer.

use gallite_pipe::{FramebufferState, MAX_COLOR_ATTACHMENTS, SurfaceView};

use crate::commands::framebuffer_status::render_format;
use crate::context::Context;
use crate::objects::framebuffer::ResolvedImage;
use crate::pixels::internal::Base;
use crate::state::framebuffers::FramebufferFacts;

/// Pushes the attachments that draw buffers, depth and stencil name, and notes facts for the atoms that follow.
pub fn push(ctx: &mut Context) {
    let mut facts = FramebufferFacts::default();
    let mut state = FramebufferState { samples: 1, layers: 1, ..FramebufferState::default() };
    let mut extent = Extent { width: u32::MAX, height: u32::MAX, layers: u32::MAX, samples: 0, layered: false };
    let srgb = ctx.state.fragment.framebuffer_srgb;
    for index in 0..MAX_COLOR_ATTACHMENTS {
        let Some(image) = ctx.draw_color_image(index) else { continue };
        state.color[index] = SurfaceView { format: render_format(&image, srgb), ..image.surface };
        state.color_count = index as u32 + 1;
        extent.add(&image);
        let bit = 1 << index;
        facts.color_present |= bit;
        if image.format.is_pure_integer() {
            facts.color_integer |= bit;
        }
        if image.base != Base::Rgba && image.format.info().channels[3].bits != 0 {
            facts.alpha_hidden |= bit;
        }
    }
    if let Some(image) = ctx.draw_depth_image() {
        extent.add(&image);
        state.depth = image.surface;
        facts.depth = true;
    }
    if let Some(image) = ctx.draw_stencil_image() {
        extent.add(&image);
        state.stencil = image.surface;
        facts.stencil = true;
    }
    if extent.width == u32::MAX {
        // No buffer takes part: a window with draw buffers off still has its size.
        let buffers = &ctx.state.framebuffers.draw_surface.buffers;
        let any = ctx.draw_framebuffer().attachments().find_map(|a| a.resolve()).map(|image| image.size);
        let [width, height] = any.unwrap_or([buffers.width, buffers.height]);
        extent = Extent { width, height, layers: 1, samples: 0, layered: false };
    }
    (state.width, state.height) = (extent.width, extent.height);
    state.layers = if extent.layered { extent.layers } else { 1 };
    state.layered = extent.layered.into();
    state.samples = extent.samples.max(1);
    // Attachments keep their own layer counts: rendering reaches what all have, a clear reaches all of each.
    facts.color_count = state.color_count as u8;
    facts.samples = extent.samples;
    (facts.width, facts.height) = (state.width, state.height);
    ctx.state.framebuffers.facts = facts;
    ctx.pipe.set_framebuffer(&state);
}

/// The part all attachments share (GL 4.6 core 9.2.6).
struct Extent {
    width: u32,
    height: u32,
    layers: u32,
    samples: u32,
    layered: bool,
}

impl Extent {
    fn add(&mut self, image: &ResolvedImage) {
        self.width = self.width.min(image.size[0]);
        self.height = self.height.min(image.size[1]);
        self.layers = self.layers.min(image.layers);
        self.samples = image.samples;
        self.layered |= image.layered.is_some();
    }
}
