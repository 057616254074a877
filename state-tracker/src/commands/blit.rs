//! glBlitFramebuffer (GL 4.6 core 18.3.1).

use gallite_pipe::{BlitEnd, BlitInfo, BlitMask, ChannelKind, Format, MAX_COLOR_ATTACHMENTS, Rect};

use crate::atoms::framebuffer::common_size;
use crate::commands::framebuffer_status::render_format;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::framebuffer::ResolvedImage;
use crate::verb;

/// Numeric class of a colour format: blits stay within one.
#[derive(PartialEq, Clone, Copy)]
enum Class {
    Normal,
    Signed,
    Unsigned,
}

fn class(format: Format) -> Class {
    match format.info().channels[0].kind {
        ChannelKind::Sint => Class::Signed,
        ChannelKind::Uint => Class::Unsigned,
        _ => Class::Normal,
    }
}

struct Blit {
    source: [GLint; 4],
    destination: [GLint; 4],
    linear: bool,
}

pub fn BlitFramebuffer(
    ctx: &mut Context,
    src_x0: GLint,
    src_y0: GLint,
    src_x1: GLint,
    src_y1: GLint,
    dst_x0: GLint,
    dst_y0: GLint,
    dst_x1: GLint,
    dst_y1: GLint,
    mask: GLbitfield,
    filter: GLenum,
) -> GlResult {
    let command = "glBlitFramebuffer";
    let known = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if mask & !known != 0 {
        return Err(GlError::invalid_value(format!("{command}: mask 0x{mask:X}")));
    }
    if !matches!(filter, GL_NEAREST | GL_LINEAR) {
        return Err(GlError::invalid_enum(format!("{command}: filter 0x{filter:04X}")));
    }
    // Depth and stencil are never filtered.
    if filter == GL_LINEAR && mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT) != 0 {
        return Err(GlError::invalid_operation(format!("{command}: GL_LINEAR with depth or stencil")));
    }
    verb::refresh(ctx);
    let state = &mut ctx.state.framebuffers;
    if state.read_surface.moved() {
        state.read_surface.refresh(&mut *ctx.pipe);
    }
    ctx.require_complete_draw(command)?;
    ctx.require_complete_read(command)?;
    let blit = Blit {
        source: [src_x0, src_y0, src_x1, src_y1],
        destination: [dst_x0, dst_y0, dst_x1, dst_y1],
        linear: filter == GL_LINEAR,
    };
    let pairs = plan(ctx, command, mask, &blit)?;
    verb::prepare_blit(ctx);
    if ctx.render_condition_blocks() {
        return Ok(());
    }
    for (source, destination, aspects) in &pairs {
        run(ctx, &blit, source, destination, *aspects);
    }
    Ok(())
}

type Pair = (ResolvedImage, ResolvedImage, BlitMask);

/// Checks everything and lists what is copied to what. Buffers missing on one side are skipped silently.
fn plan(ctx: &Context, command: &'static str, mask: GLbitfield, blit: &Blit) -> GlResult<Vec<Pair>> {
    let mut pairs: Vec<Pair> = Vec::new();
    if mask & GL_COLOR_BUFFER_BIT != 0
        && let Some(source) = ctx.read_color_image()
    {
        for index in 0..MAX_COLOR_ATTACHMENTS {
            let Some(destination) = ctx.draw_color_image(index) else { continue };
            let from = class(source.format);
            if from != class(destination.format) {
                return Err(GlError::invalid_operation(format!("{command}: integer and other colours don't mix")));
            }
            if from != Class::Normal && blit.linear {
                return Err(GlError::invalid_operation(format!("{command}: GL_LINEAR with integer colours")));
            }
            pairs.push((source.clone(), destination, BlitMask::COLOR));
        }
    }
    for (bit, aspect, source, destination) in [
        (GL_DEPTH_BUFFER_BIT, BlitMask::DEPTH, ctx.read_depth_image(), ctx.draw_depth_image()),
        (GL_STENCIL_BUFFER_BIT, BlitMask::STENCIL, ctx.read_stencil_image(), ctx.draw_stencil_image()),
    ] {
        let (Some(source), Some(destination)) = (source, destination) else { continue };
        if mask & bit == 0 {
            continue;
        }
        if source.format != destination.format {
            return Err(GlError::invalid_operation(format!("{command}: depth or stencil formats differ")));
        }
        match pairs.iter_mut().find(|(_, d, m)| d.surface == destination.surface && !m.contains(BlitMask::COLOR)) {
            Some((_, _, aspects)) => *aspects |= aspect,
            None => pairs.push((source, destination, aspect)),
        }
    }
    for (source, destination, aspects) in &pairs {
        check_samples(command, blit, source, destination, *aspects)?;
    }
    Ok(pairs)
}

/// GL 4.6 core 18.3.1: between multisampled buffers of equal counts, or to resolve, sizes must agree.
fn check_samples(
    command: &'static str,
    blit: &Blit,
    source: &ResolvedImage,
    destination: &ResolvedImage,
    aspects: BlitMask,
) -> GlResult {
    if source.samples == 0 && destination.samples == 0 {
        return Ok(());
    }
    let size = |r: &[GLint; 4]| [i64::from(r[2]) - i64::from(r[0]), i64::from(r[3]) - i64::from(r[1])].map(i64::abs);
    if size(&blit.source) != size(&blit.destination) {
        return Err(GlError::invalid_operation(format!("{command}: a multisampled blit can't scale")));
    }
    if source.samples != 0 && destination.samples != 0 && source.samples != destination.samples {
        return Err(GlError::invalid_operation(format!("{command}: sample counts differ")));
    }
    // GL 4.6 core 18.3.1: colours of multisampled buffers keep their format.
    let same = source.format.linear() == destination.format.linear();
    if aspects == BlitMask::COLOR && source.samples != 0 && !same && class(source.format) != Class::Normal {
        return Err(GlError::invalid_operation(format!("{command}: multisampled formats differ")));
    }
    Ok(())
}

fn intersect(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let width = a.x.saturating_add(a.width).min(b.x.saturating_add(b.width)).saturating_sub(x).max(0);
    let height = a.y.saturating_add(a.height).min(b.y.saturating_add(b.height)).saturating_sub(y).max(0);
    Rect { x, y, width, height }
}

fn run(ctx: &mut Context, blit: &Blit, source: &ResolvedImage, destination: &ResolvedImage, mask: BlitMask) {
    // GL 4.6 core 18.3.1: sRGB is converted while GL_FRAMEBUFFER_SRGB is on, as in rendering.
    let srgb = ctx.state.fragment.framebuffer_srgb;
    let end = |image: &ResolvedImage, rect: &[GLint; 4]| BlitEnd {
        texture: image.surface.texture,
        format: if mask == BlitMask::COLOR { render_format(image, srgb) } else { image.format },
        opaque: 0,
        level: image.surface.level,
        layer: image.surface.first_layer,
        x0: rect[0],
        y0: rect[1],
        x1: rect[2],
        y1: rect[3],
    };
    let mut info = BlitInfo {
        source: end(source, &blit.source),
        destination: end(destination, &blit.destination),
        mask,
        linear: blit.linear.into(),
        conditional: ctx.state.queries.condition.is_some().into(),
        ..BlitInfo::default()
    };
    // GL 4.6 core 18.3.1: a source without alpha gives one, whatever its storage holds in alpha's place.
    let opaque = mask == BlitMask::COLOR && source.hides_alpha() && !destination.hides_alpha();
    info.source.opaque = opaque.into();
    let fragment = &ctx.state.fragment;
    // GL 4.6 core 9.4.2: of attachments that differ in size only the part they share is the framebuffer.
    let size = common_size(ctx);
    let common = Rect { x: 0, y: 0, width: size[0] as i32, height: size[1] as i32 };
    if fragment.scissor_test & 1 != 0 {
        let [x, y, width, height] = fragment.scissors[0];
        info.scissored = 1;
        info.scissor = intersect(Rect { x, y, width, height }, common);
    } else if destination.size != size {
        info.scissored = 1;
        info.scissor = common;
    }
    let empty = |r: &[GLint; 4]| r[0] == r[2] || r[1] == r[3];
    if !empty(&blit.source) && !empty(&blit.destination) {
        ctx.pipe.blit(&info);
    }
}
