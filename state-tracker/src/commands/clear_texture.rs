//! Filling textures with one texel (GL 4.6 core 8.21).

use std::sync::Arc;

use gallite_pipe::{
    ClearInfo, ClearTexture, Format, FramebufferState, Rect, RenderCondition, TextureBox, TransferAspect,
};

use crate::client_memory::ClientPtr;
use crate::commands::pixel_memory::transfer_aspect;
use crate::commands::texture_checks::{check_client_matches, texture_client};
use crate::commands::texture_images::Region;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, Texture, TextureKind};
use crate::pixels::client::{ClientFormat, ClientKind};
use crate::pixels::store::PixelStore;
use crate::pixels::transfer;
use crate::verb;

/// The texture and its images at a level: six of a cube map.
fn images(ctx: &Context, command: &str, name: GLuint, level: GLint) -> GlResult<(Arc<Texture>, u32, Vec<Image>)> {
    // GL 4.6 core 8.21: INVALID_OPERATION for zero, for what is no texture, for buffer textures, for a level that was
    // never specified and for compressed ones.
    let refuse = |why: &str| GlError::invalid_operation(format!("{command}: {why}"));
    let texture = ctx.share.texture(name).filter(|_| name != 0);
    let texture = texture.ok_or_else(|| refuse(&format!("no texture {name}")))?;
    if texture.kind == TextureKind::Buffer {
        return Err(refuse("a buffer texture"));
    }
    let found = u32::try_from(level).ok();
    let state = texture.state.lock();
    let all =
        found.map(|level| (0..texture.kind.faces()).filter_map(|face| state.image(face, level).cloned()).collect());
    let all: Vec<Image> = all.unwrap_or_default();
    drop(state);
    if all.is_empty() {
        return Err(refuse(&format!("level {level} has no image")));
    }
    if all.iter().any(|image| image.internal.is_compressed()) {
        return Err(refuse("a compressed texture"));
    }
    Ok((texture, found.unwrap_or_default(), all))
}

/// The texel a clear writes, in the format of the aspect of `stored` it goes to.
fn texel(
    command: &'static str,
    image: &Image,
    client: &ClientFormat,
    stored: Format,
    data: ClientPtr<u8>,
) -> GlResult<(TransferAspect, [u32; 4])> {
    let (aspect, format) = transfer_aspect(stored, client.kind);
    let mut bytes = [0_u8; 16];
    let size = format.block_bytes() as usize;
    if !data.is_null() {
        let store = PixelStore::default();
        let place = store
            .place(client.texel_bytes(), u32::from(client.element_bytes), [1, 1, 1], false)
            .ok_or_else(|| GlError::invalid_operation(format!("{command}: the texel lies beyond any memory")))?;
        let given = data.read(place.end as usize);
        let conversion = transfer::upload(client, image.internal.base, format);
        let made = transfer::unpack_image(&conversion, client, false, &place, [1, 1, 1], format.block_bytes(), &given);
        let count = size.min(16).min(made.len());
        bytes[..count].copy_from_slice(&made[..count]);
    }
    Ok((aspect, bytemuck::cast(bytes)))
}

/// GL 4.6 core 8.21: the format must go with the texture's: as for pixels, and depth and stencil exactly.
fn check_format(command: &str, client: &ClientFormat, image: &Image) -> GlResult {
    use crate::pixels::internal::Base;
    check_client_matches(command, client, image.internal)?;
    let exact = match image.internal.base {
        Base::Depth => client.kind == ClientKind::Depth,
        Base::DepthStencil => client.kind == ClientKind::DepthStencil,
        Base::Stencil => client.kind == ClientKind::Stencil,
        _ => true,
    };
    if exact { Ok(()) } else { Err(GlError::invalid_operation(format!("{command}: format against depth or stencil"))) }
}

fn fill(
    ctx: &mut Context,
    command: &'static str,
    kind: TextureKind,
    image: &Image,
    part: ([u32; 3], [u32; 3]),
    client: &ClientFormat,
    data: ClientPtr<u8>,
) -> GlResult {
    let Some(place) = &image.place else { return Ok(()) };
    let (offset, size) = part;
    if size.contains(&0) {
        return Ok(());
    }
    let region = image.region(kind, offset, size);
    if image.samples > 0 {
        return fill_samples(ctx, command, image, &region, client, data);
    }
    let (aspect, value) = texel(command, image, client, image.format, data)?;
    ctx.pipe.clear_texture(&ClearTexture { texture: place.storage.id, level: place.level, aspect, region, value });
    Ok(())
}

/// Fills part of a multisample image: as an attachment, since transfers do not reach samples.
fn fill_samples(
    ctx: &mut Context,
    command: &'static str,
    image: &Image,
    region: &TextureBox,
    client: &ClientFormat,
    data: ClientPtr<u8>,
) -> GlResult {
    let first = image.place.as_ref().map_or(0, |place| place.layer);
    let Some(surface) = image.surface(region.z - first, region.depth) else { return Ok(()) };
    let mut state = FramebufferState {
        width: image.size[0],
        height: image.size[1],
        layers: region.depth,
        layered: (region.depth > 1).into(),
        samples: image.samples,
        ..FramebufferState::default()
    };
    let mut clear = ClearInfo {
        scissored: 1,
        scissor: Rect {
            x: region.x as i32,
            y: region.y as i32,
            width: region.width as i32,
            height: region.height as i32,
        },
        ..ClearInfo::default()
    };
    let plain = if image.format.is_pure_sint() {
        Format::R32G32B32A32_SINT
    } else if image.format.is_pure_integer() {
        Format::R32G32B32A32_UINT
    } else {
        Format::R32G32B32A32_FLOAT
    };
    if image.internal.base.is_color() {
        (state.color[0], state.color_count) = (surface, 1);
        (clear.color_attachments, clear.color_write_masks) = (1, 0xf);
        clear.color = texel(command, image, client, plain, data)?.1;
    } else {
        let (mut depth, mut stencil) = (0.0_f32, 0_u32);
        if image.internal.base.has_depth() {
            state.depth = surface;
            clear.clear_depth = 1;
        }
        if image.format.has_stencil() {
            state.stencil = surface;
            (clear.clear_stencil, clear.stencil_write_mask) = (1, 0xff);
        }
        match client.kind {
            ClientKind::Stencil => stencil = texel(command, image, client, Format::S8_UINT, data)?.1[0],
            ClientKind::Depth => depth = f32::from_bits(texel(command, image, client, Format::Z32_FLOAT, data)?.1[0]),
            _ => {
                let value = texel(command, image, client, Format::Z32_FLOAT_S8X24_UINT, data)?.1;
                (depth, stencil) = (f32::from_bits(value[0]), value[1] & 0xff);
            }
        }
        clear.depth = f64::from(depth).into();
        clear.stencil = stencil as u8;
    }
    verb::push_own(ctx, |pipe| {
        pipe.set_render_condition(&RenderCondition::default());
        pipe.set_framebuffer(&state);
    });
    ctx.pipe.clear(&clear);
    ctx.dirty.insert(DirtySet::FRAMEBUFFER | DirtySet::RENDER_CONDITION);
    Ok(())
}

pub fn ClearTexImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    format: GLenum,
    r#type: GLenum,
    data: ClientPtr<u8>,
) -> GlResult {
    let command = "glClearTexImage";
    let (found, _, images) = images(ctx, command, texture, level)?;
    let client = texture_client(ctx, command, format, r#type)?;
    for image in &images {
        check_format(command, &client, image)?;
    }
    for image in &images {
        fill(ctx, command, found.kind, image, ([0; 3], image.size), &client, data)?;
    }
    Ok(())
}

pub fn ClearTexSubImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    format: GLenum,
    r#type: GLenum,
    data: ClientPtr<u8>,
) -> GlResult {
    let command = "glClearTexSubImage";
    let (found, level, images) = images(ctx, command, texture, level)?;
    let client = texture_client(ctx, command, format, r#type)?;
    for image in &images {
        check_format(command, &client, image)?;
    }
    let region = Region { offset: [xoffset, yoffset, zoffset], size: [width, height, depth] };
    if found.kind != TextureKind::Cube {
        // GL 4.6 core 8.21: INVALID_OPERATION where other commands have INVALID_VALUE for a region outside.
        let part = region.check(command, &images[0]).map_err(|e| GlError::invalid_operation(e.message().to_owned()))?;
        return fill(ctx, command, found.kind, &images[0], part, &client, data);
    }
    // Faces are slices; all six must be there.
    let mut whole = images[0].clone();
    whole.size[2] = 6;
    let (offset, size) =
        region.check(command, &whole).map_err(|e| GlError::invalid_operation(e.message().to_owned()))?;
    let faces: Vec<Image> = {
        let state = found.state.lock();
        (offset[2]..offset[2] + size[2]).filter_map(|face| state.image(face as usize, level).cloned()).collect()
    };
    if faces.len() != size[2] as usize {
        return Err(GlError::invalid_operation(format!("{command}: a face has no image")));
    }
    for face in &faces {
        let part = ([offset[0], offset[1], 0], [size[0], size[1], 1]);
        fill(ctx, command, found.kind, face, part, &client, data)?;
    }
    Ok(())
}
