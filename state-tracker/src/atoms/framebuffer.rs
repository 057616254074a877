//! The draw framebuffer.

use gallite_pipe::{FramebufferState, MAX_COLOR_ATTACHMENTS, SurfaceView};

use crate::commands::framebuffer_status::render_format;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::objects::framebuffer::{Attachment, ResolvedImage};
use crate::objects::texture::TextureKind;
use crate::pixels::internal::Base;
use crate::state::framebuffers::FramebufferFacts;

/// Pushes the attachments that draw buffers, depth and stencil name, and notes facts for the atoms that follow.
pub fn push(ctx: &mut Context) {
    gather_layered_cubes(ctx);
    let mut facts = FramebufferFacts::default();
    let mut state = FramebufferState { samples: 1, layers: 1, ..FramebufferState::default() };
    let extent = extent(ctx);
    let srgb = ctx.state.fragment.framebuffer_srgb;
    for index in 0..MAX_COLOR_ATTACHMENTS {
        let Some(image) = ctx.draw_color_image(index) else { continue };
        state.color[index] = SurfaceView { format: render_format(&image, srgb), ..image.surface };
        state.color_count = index as u32 + 1;
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
        state.depth = image.surface;
        facts.depth = true;
    }
    if let Some(image) = ctx.draw_stencil_image() {
        state.stencil = image.surface;
        facts.stencil = true;
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

/// A layered cube map is one image to the driver: faces that are in different storages are brought together.
fn gather_layered_cubes(ctx: &mut Context) {
    let Context { framebuffers, state, pipe, share, dirty, .. } = ctx;
    let Some(framebuffer) = framebuffers.get(state.framebuffers.draw) else { return };
    for attachment in framebuffer.attachments() {
        let Attachment::Texture { texture, level, layered: true, .. } = attachment else { continue };
        if texture.kind != TextureKind::Cube {
            continue;
        }
        let mut images = texture.state.lock();
        let whole = (0..6).all(|face| images.image(face, *level).is_some_and(|image| !image.is_empty()));
        if whole && images.finalize(texture.device(), &mut **pipe, texture.kind, *level, *level) {
            texture.header.bump();
            share.bump_epoch();
            dirty.insert(DirtySet::TEXTURES);
        }
    }
}

/// Width and height that all images of the draw framebuffer have.
pub(crate) fn common_size(ctx: &Context) -> [u32; 2] {
    let extent = extent(ctx);
    [extent.width, extent.height]
}

/// What all attached images have in common, those included that no draw buffer names (GL 4.6 core 9.4.2).
fn extent(ctx: &Context) -> Extent {
    let mut extent = Extent { width: u32::MAX, height: u32::MAX, layers: u32::MAX, samples: 0, layered: false };
    let framebuffer = ctx.draw_framebuffer();
    if framebuffer.header.name != 0 {
        framebuffer.attachments().filter_map(Attachment::resolve).for_each(|image| extent.add(&image));
    } else {
        // A window with draw buffers off still has its size.
        let buffers = &ctx.state.framebuffers.draw_surface.buffers;
        (extent.width, extent.height, extent.layers) = (buffers.width, buffers.height, 1);
        extent.samples = if buffers.samples > 1 { buffers.samples } else { 0 };
    }
    if extent.width == u32::MAX {
        (extent.width, extent.height, extent.layers) = (0, 0, 1);
    }
    extent
}

/// The part all attachments share.
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
