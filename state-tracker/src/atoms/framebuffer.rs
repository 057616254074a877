//! The draw framebuffer.

use gallite_pipe::{FramebufferState, MAX_COLOR_ATTACHMENTS, SurfaceView};

use crate::commands::framebuffer_status::render_format;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::gl::GL_COLOR_ATTACHMENT0;
use crate::objects::framebuffer::{Attachment, Framebuffer, ResolvedImage};
use crate::objects::texture::TextureKind;
use crate::state::framebuffers::FramebufferFacts;

/// Pushes the attachments that draw buffers, depth and stencil name, and notes facts for the atoms that follow.
pub fn push(ctx: &mut Context) {
    gather_layered_cubes(ctx);
    let mut state = FramebufferState { samples: 1, layers: 1, ..FramebufferState::default() };
    let images = Images::of(ctx);
    ctx.state.framebuffers.facts = images.facts();
    let Images { color, depth, stencil, extent } = images;
    let srgb = ctx.state.fragment.framebuffer_srgb;
    for (index, image) in color.iter().enumerate() {
        let Some(image) = image else { continue };
        state.color[index] = SurfaceView { format: render_format(image, srgb), ..image.surface };
        state.color_count = index as u32 + 1;
    }
    if let Some(image) = depth {
        state.depth = image.surface;
    }
    if let Some(image) = stencil {
        state.stencil = image.surface;
    }
    (state.width, state.height) = (extent.width, extent.height);
    state.layers = if extent.layered { extent.layers } else { 1 };
    state.layered = extent.layered.into();
    state.samples = extent.samples.max(1);
    // Attachments keep their own layer counts: rendering reaches what all have, a clear reaches all of each.
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
            super::textures::publish_move(&mut **pipe, share);
            dirty.insert(DirtySet::TEXTURES);
        }
    }
}

/// Facts about the draw framebuffer as it is now.
pub(super) fn facts(ctx: &Context) -> FramebufferFacts {
    Images::of(ctx).facts()
}

/// Width and height that all images of the draw framebuffer have.
pub(crate) fn common_size(ctx: &Context) -> [u32; 2] {
    let extent = Images::of(ctx).extent;
    [extent.width, extent.height]
}

/// The images of the draw framebuffer, each attachment looked up once.
struct Images {
    /// By draw buffer.
    color: [Option<ResolvedImage>; MAX_COLOR_ATTACHMENTS],
    depth: Option<ResolvedImage>,
    stencil: Option<ResolvedImage>,
    extent: Extent,
}

impl Images {
    fn facts(&self) -> FramebufferFacts {
        let Extent { width, height, samples, .. } = self.extent;
        let (depth, stencil) = (self.depth.is_some(), self.stencil.is_some());
        let mut facts = FramebufferFacts { depth, stencil, samples, width, height, ..FramebufferFacts::default() };
        for (index, image) in self.color.iter().enumerate() {
            let Some(image) = image else { continue };
            facts.color_count = index as u8 + 1;
            let bit = 1 << index;
            facts.color_present |= bit;
            if image.format.is_pure_integer() {
                facts.color_integer |= bit;
            }
            if image.hides_alpha() {
                facts.alpha_hidden |= bit;
            }
        }
        facts
    }

    fn of(ctx: &Context) -> Self {
        let framebuffer = ctx.draw_framebuffer();
        if framebuffer.header.name == 0 { Self::of_window(ctx) } else { Self::of_object(ctx, framebuffer) }
    }

    fn of_window(ctx: &Context) -> Self {
        // A window with draw buffers off still has its size.
        let buffers = &ctx.state.framebuffers.draw_surface.buffers;
        let samples = buffers.gl_samples();
        let mut color: [Option<ResolvedImage>; MAX_COLOR_ATTACHMENTS] = Default::default();
        for index in 0..MAX_COLOR_ATTACHMENTS {
            // A surface whose front and back are one buffer takes the first output that names it.
            let image = ctx.draw_color_image(index);
            let taken = |image: &ResolvedImage| color.iter().flatten().any(|c| c.surface == image.surface);
            color[index] = image.filter(|image| !taken(image));
        }
        Self {
            color,
            depth: ctx.draw_depth_image(),
            stencil: ctx.draw_stencil_image(),
            extent: Extent { width: buffers.width, height: buffers.height, layers: 1, samples, layered: false },
        }
    }

    fn of_object(ctx: &Context, framebuffer: &Framebuffer) -> Self {
        let attached = framebuffer.color.each_ref().map(Attachment::resolve);
        let depth = framebuffer.depth.resolve();
        let one_image = framebuffer.depth.is_same(&framebuffer.stencil);
        let stencil = if one_image { depth.clone() } else { framebuffer.stencil.resolve() };
        // Those included that no draw buffer names (GL 4.6 core 9.4.2).
        let all = attached.iter().chain([&depth, &stencil]).flatten();
        let extent = Extent::of(all).unwrap_or_else(|| {
            let defaults = &framebuffer.defaults;
            Extent {
                width: defaults.width,
                height: defaults.height,
                layers: defaults.layers.max(1),
                samples: ctx.default_samples(defaults),
                layered: defaults.layers > 0,
            }
        });
        let color = framebuffer.draw_buffers.map(|name| {
            let index = name.checked_sub(GL_COLOR_ATTACHMENT0)? as usize;
            attached.get(index)?.clone()
        });
        Self { color, depth, stencil, extent }
    }
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
    /// `None` without images.
    fn of<'a>(images: impl Iterator<Item = &'a ResolvedImage>) -> Option<Self> {
        let mut extent = Self { width: u32::MAX, height: u32::MAX, layers: u32::MAX, samples: 0, layered: false };
        images.for_each(|image| extent.add(image));
        (extent.width != u32::MAX).then_some(extent)
    }

    fn add(&mut self, image: &ResolvedImage) {
        self.width = self.width.min(image.size[0]);
        self.height = self.height.min(image.size[1]);
        self.layers = self.layers.min(image.layers);
        self.samples = image.samples;
        self.layered |= image.layered.is_some();
    }
}
