//! Reads from a multisampled window buffer: a single-sample copy is made and read instead (GL 4.6 core 18.2.1 allows
//! reading framebuffer 0 whatever its samples, and 18.2.3 takes the resolved values).

use gallite_pipe::{Bind, BlitEnd, BlitInfo, BlitMask, TextureDesc, TextureDim, TextureId};

use crate::context::Context;
use crate::objects::framebuffer::ResolvedImage;

/// The copies, kept from read to read: colour, and depth with stencil.
#[derive(Debug, Default)]
pub struct ResolvedReads {
    copies: [Option<(TextureId, TextureDesc)>; 2],
}

/// Replaces a multisampled image of a window by a resolved copy of it. Other images are left as they are.
pub(crate) fn resolve(ctx: &mut Context, image: &mut ResolvedImage) {
    if image.samples == 0 {
        return;
    }
    let is_depth = image.format.is_depth_stencil();
    let desc = TextureDesc {
        format: image.format,
        dim: TextureDim::D2,
        width: image.size[0].max(1),
        height: image.size[1].max(1),
        depth: 1,
        layers: 1,
        levels: 1,
        samples: 1,
        bind: Bind::TRANSFER | Bind::SAMPLED | if is_depth { Bind::DEPTH_STENCIL } else { Bind::COLOR },
        ..TextureDesc::default()
    };
    let texture = copy_texture(ctx, usize::from(is_depth), desc);
    let mut mask = if is_depth { BlitMask::EMPTY } else { BlitMask::COLOR };
    if image.format.has_depth() {
        mask |= BlitMask::DEPTH;
    }
    if image.format.has_stencil() {
        mask |= BlitMask::STENCIL;
    }
    let end = |texture: TextureId, level: u32, layer: u32| BlitEnd {
        texture,
        format: image.format,
        opaque: 0,
        level,
        layer,
        x0: 0,
        y0: 0,
        x1: image.size[0] as i32,
        y1: image.size[1] as i32,
    };
    let source = end(image.surface.texture, image.surface.level, image.surface.first_layer);
    let info = BlitInfo { source, destination: end(texture, 0, 0), mask, ..BlitInfo::default() };
    ctx.pipe.blit(&info);
    image.surface.texture = texture;
    image.surface.level = 0;
    image.surface.first_layer = 0;
    image.samples = 0;
}

fn copy_texture(ctx: &mut Context, slot: usize, desc: TextureDesc) -> TextureId {
    if let Some((texture, _)) = ctx.resolved_reads.copies[slot].filter(|(_, made)| *made == desc) {
        return texture;
    }
    destroy(ctx, slot);
    let texture: TextureId = ctx.device.mint();
    ctx.device.screen.create_texture(texture, &desc);
    ctx.resolved_reads.copies[slot] = Some((texture, desc));
    texture
}

fn destroy(ctx: &mut Context, slot: usize) {
    if let Some((texture, _)) = ctx.resolved_reads.copies[slot].take() {
        ctx.device.screen.destroy_texture(texture);
        ctx.device.release(texture);
    }
}

/// Destroys the copies: other surfaces come, or the context goes.
pub(crate) fn release(ctx: &mut Context) {
    for slot in 0..ctx.resolved_reads.copies.len() {
        destroy(ctx, slot);
    }
}
