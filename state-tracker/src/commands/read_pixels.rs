//! glReadPixels (GL 4.6 core 18.2).

use gallite_pipe::{ChannelKind, Format, SurfaceView, TextureBox};

use crate::client_memory::ClientPtrMut;
use crate::commands::pixel_memory::{PixelTarget, pack_target, read_texels, tight_transfer, transfer_aspect};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::framebuffer::ResolvedImage;
use crate::pixels::client::{ClientFormat, ClientKind, client_format};
use crate::pixels::internal::Base;
use crate::pixels::transfer;
use crate::resolved_reads;
use crate::verb;

/// The format and type glReadPixels prefers (GL 4.6 core 18.2.2).
pub(super) fn preferred_pair(image: Option<&ResolvedImage>) -> [GLenum; 2] {
    let Some(image) = image else { return [GL_RGBA, GL_UNSIGNED_BYTE] };
    match image.format.info().channels[0].kind {
        ChannelKind::Uint => [GL_RGBA_INTEGER, GL_UNSIGNED_INT],
        ChannelKind::Sint => [GL_RGBA_INTEGER, GL_INT],
        ChannelKind::Float | ChannelKind::Ufloat | ChannelKind::SharedExp => [GL_RGBA, GL_FLOAT],
        _ => [GL_RGBA, GL_UNSIGNED_BYTE],
    }
}

pub fn ReadPixels(
    ctx: &mut Context,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    read(ctx, "glReadPixels", [x, y, width, height], format, r#type, None, pixels)
}

pub fn ReadnPixels(
    ctx: &mut Context,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    r#type: GLenum,
    buf_size: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    read(ctx, "glReadnPixels", [x, y, width, height], format, r#type, Some(buf_size), pixels)
}

/// The image a client format reads from. GL 4.6 core 18.2.1: INVALID_OPERATION when the framebuffer has none.
fn source(ctx: &Context, command: &'static str, client: &ClientFormat) -> GlResult<ResolvedImage> {
    let image = match client.kind {
        ClientKind::Depth => ctx.read_depth_image(),
        ClientKind::Stencil => ctx.read_stencil_image(),
        ClientKind::DepthStencil => ctx.read_depth_image().filter(|_| ctx.read_stencil_image().is_some()),
        _ => ctx.read_color_image(),
    };
    let Some(image) = image else {
        return Err(GlError::invalid_operation(format!("{command}: the framebuffer has no such buffer")));
    };
    // GL 4.6 core 18.2.1: integer formats read integer buffers, others the rest.
    let color = matches!(client.kind, ClientKind::Color | ClientKind::Integer);
    if color && image.format.is_pure_integer() != (client.kind == ClientKind::Integer) {
        return Err(GlError::invalid_operation(format!("{command}: integer and other formats don't mix")));
    }
    Ok(image)
}

/// Brings the read framebuffer up to date and checks it.
pub(crate) fn prepare_read(ctx: &mut Context, command: &'static str) -> GlResult {
    verb::refresh(ctx);
    let state = &mut ctx.state.framebuffers;
    if state.read_surface.moved() {
        state.read_surface.refresh(&mut *ctx.pipe);
    }
    ctx.require_complete_read(command)?;
    // GL 4.6 core 18.2.1: only of framebuffer objects; a window's samples are resolved.
    if ctx.state.framebuffers.read != 0 && ctx.read_samples() != 0 {
        return Err(GlError::invalid_operation(format!("{command}: the read framebuffer is multisampled")));
    }
    Ok(())
}

fn read(
    ctx: &mut Context,
    command: &'static str,
    [x, y, width, height]: [GLint; 4],
    format: GLenum,
    ty: GLenum,
    limit: Option<GLsizei>,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let client = client_format(command, format, ty, ctx.is_compatibility())?;
    if width < 0 || height < 0 {
        return Err(GlError::invalid_value(format!("{command}: size {width}x{height}")));
    }
    prepare_read(ctx, command)?;
    let mut image = source(ctx, command, &client)?;
    let extent = [width as u32, height as u32, 1];
    let element_bytes = u32::from(client.element_bytes);
    let place = ctx
        .state
        .pixel_store
        .pack
        .place(client.texel_bytes(), element_bytes, extent, false)
        .ok_or_else(|| GlError::invalid_operation(format!("{command}: the pixels lie beyond any memory")))?;
    let target = pack_target(ctx, command, place.end, element_bytes, pixels, limit)?;
    if matches!(target, PixelTarget::Memory(p) if p.is_null()) {
        return Ok(());
    }
    // GL 4.6 core 18.2.3: pixels outside the framebuffer are undefined; memory there is left alone.
    let inside = |from: GLint, size: GLsizei, most: u32| {
        let start = i64::from(from).clamp(0, i64::from(most));
        let end = (i64::from(from) + i64::from(size)).clamp(0, i64::from(most));
        (start as u32, (end - start).max(0) as u32)
    };
    let (left, columns) = inside(x, width, image.size[0]);
    let (bottom, rows) = inside(y, height, image.size[1]);
    if columns == 0 || rows == 0 {
        return Ok(());
    }
    resolved_reads::resolve(ctx, &mut image);
    let mut place = place;
    let skipped_rows = (i64::from(bottom) - i64::from(y)) as u64;
    let skipped_columns = (i64::from(left) - i64::from(x)) as u64;
    place.start += skipped_rows * place.row_stride + skipped_columns * u64::from(client.texel_bytes());
    place.row_bytes = u64::from(columns) * u64::from(client.texel_bytes());
    let (aspect, stored) = transfer_aspect(image.format, client.kind);
    let surface = image.surface;
    let region = TextureBox { x: left, y: bottom, z: surface.first_layer, width: columns, height: rows, depth: 1 };
    let tight = tight_transfer(surface.texture, surface.level, aspect, region, stored);
    // GL 4.6 core 18.2.3: sRGB values are read as they are stored, without conversion.
    let stored = if aspect == gallite_pipe::TransferAspect::WHOLE { stored.linear() } else { stored };
    let mut conversion = transfer::download(&client, image.base, stored);
    if client.kind == ClientKind::Color && clamps_reads(ctx, stored) {
        conversion = conversion.clamped();
    }
    read_texels(ctx, &conversion, &tight, stored, &client, &place, [columns, rows, 1], &target)
}

/// Whether colours read from a buffer of this format are clamped to [0, 1] (GL 4.6 core 18.2.8).
fn clamps_reads(ctx: &Context, format: Format) -> bool {
    match ctx.state.raster.clamp_read_color {
        GL_FIXED_ONLY => matches!(format.kind(), ChannelKind::Unorm | ChannelKind::Snorm),
        clamp => clamp != 0,
    }
}

/// What a texture copy reads.
pub(crate) struct ReadSource {
    /// The image.
    pub(crate) view: SurfaceView,
    /// Its components as GL sees them.
    pub(crate) base: Base,
    /// Pixels.
    pub(crate) width: u32,
    /// Pixels.
    pub(crate) height: u32,
}

/// The image that glCopyTex* reads (GL 4.6 core 8.6): the read buffer, or the depth buffer for depth textures.
pub(crate) fn copy_source(ctx: &mut Context, command: &'static str, depth: bool) -> GlResult<ReadSource> {
    prepare_read(ctx, command)?;
    let image = if depth { ctx.read_depth_image() } else { ctx.read_color_image() };
    let Some(mut image) = image else {
        return Err(GlError::invalid_operation(format!("{command}: the framebuffer has no such buffer")));
    };
    resolved_reads::resolve(ctx, &mut image);
    let [width, height] = image.size;
    Ok(ReadSource { view: image.surface, base: image.base, width, height })
}
