//! Image units the program uses (GL 4.6 core 8.26).

use std::sync::Arc;

use gallite_pipe::{BindPoint, Context as PipeContext, Format, ImageBinding, TextureDim, TextureId};

use crate::context::Context;
use crate::device::Device;
use crate::dirty::DirtySet;
use crate::objects::executable::ImageExpectation;
use crate::objects::texture::{Texture, TextureKind, TextureState};
use crate::pixels::internal::internal_format;
use crate::state::images::ImageUnit;

/// Pushes the images that draws use.
pub fn push(ctx: &mut Context) {
    push_at(ctx, BindPoint::GRAPHICS);
}

/// Pushes the images that dispatches use.
pub fn push_compute(ctx: &mut Context) {
    push_at(ctx, BindPoint::COMPUTE);
}

fn push_at(ctx: &mut Context, point: BindPoint) {
    let Context { pipe, state, device, limits, .. } = ctx;
    let Some(executable) = state.programs.at(point) else { return };
    if executable.images.is_empty() {
        return;
    }
    let mut bindings = smallvec::SmallVec::<[ImageBinding; 8]>::new();
    let mut moved = smallvec::SmallVec::<[Arc<Texture>; 2]>::new();
    for (dense, expected) in executable.images.iter().enumerate() {
        let unit = state.images.units.get(executable.image_unit(dense as u32) as usize);
        let bound = unit.and_then(|unit| Some((unit, unit.texture.as_ref()?)));
        let binding = bound.and_then(|(unit, texture)| {
            let mut has_moved = false;
            let most_texels = limits.texture_buffer_size.max(0) as u64;
            let binding = resolve(unit, texture, expected, most_texels, device, &mut **pipe, &mut has_moved);
            if has_moved {
                texture.header.bump();
                moved.push(Arc::clone(texture));
            }
            binding
        });
        bindings.push(binding.unwrap_or_default());
    }
    pipe.set_images(point, &bindings);
    if !moved.is_empty() {
        // Sampled textures and attachments that were pushed just now may be in a storage that is no longer theirs.
        ctx.share.bump_epoch();
        super::textures::publish_move(&mut *ctx.pipe, &ctx.share);
        ctx.pending.wake(DirtySet::TEXTURES | DirtySet::FRAMEBUFFER);
    }
}

/// Dimensionality of what a unit shows: of the whole level, or of one of its layers.
fn shown_dim(kind: TextureKind, layered: bool) -> TextureDim {
    match kind {
        _ if layered => kind.dim(),
        TextureKind::D1Array => TextureDim::D1,
        TextureKind::D3
        | TextureKind::Cube
        | TextureKind::D2Array
        | TextureKind::CubeArray
        | TextureKind::MultisampleArray => TextureDim::D2,
        _ => kind.dim(),
    }
}

/// What a unit shows to an image of the program; `None` where GL says that access is invalid, which reads zeros and
/// writes nothing.
fn resolve(
    unit: &ImageUnit,
    texture: &Texture,
    expected: &ImageExpectation,
    most_texels: u64,
    device: &Arc<Device>,
    pipe: &mut dyn PipeContext,
    moved: &mut bool,
) -> Option<ImageBinding> {
    let kind = texture.kind;
    let dim = shown_dim(kind, unit.layered);
    if dim != expected.dim || kind.is_multisample() != expected.multisample {
        return None;
    }
    // The shader's format decides how texels are read; where the unit's is another one the result is undefined.
    let format = if expected.format != 0 { expected.format } else { unit.format };
    let format = *internal_format(format)?.candidates.first()?;
    let mut state = texture.state.lock();
    if kind == TextureKind::Buffer {
        let texture = buffer_texture(&mut state, format, most_texels, device)?;
        return Some(ImageBinding {
            texture,
            format,
            access: expected.access,
            dim,
            layer_count: 1,
            ..Default::default()
        });
    }
    let complete = state.completeness(kind);
    let last = if complete.mipmap { complete.last } else { complete.first };
    if !complete.base || !(complete.first..=last).contains(&unit.level) {
        return None;
    }
    let image = state.image(0, unit.level)?;
    let stored = image.format;
    if image.internal.is_compressed()
        || image.internal.is_depth_stencil()
        || stored.block_bytes() != format.block_bytes()
    {
        return None;
    }
    let layers = match kind {
        TextureKind::D3 => image.size[2],
        _ => kind.pipe_size(image.size).1,
    };
    let (first_layer, layer_count) = if unit.layered || layers == 1 { (0, layers) } else { (unit.layer, 1) };
    if first_layer >= layers {
        return None;
    }
    *moved |= state.finalize(device, pipe, kind, complete.first, last);
    *moved |= state.allow_image_format(device, pipe, format);
    let place = state.image(0, unit.level)?.place.clone()?;
    Some(ImageBinding {
        texture: place.storage.id,
        format,
        access: expected.access,
        level: place.level,
        first_layer: place.layer + first_layer,
        layer_count,
        dim,
        reserved: [0; 3],
    })
}

/// The driver's texture of a buffer's texels in a format.
fn buffer_texture(state: &mut TextureState, format: Format, most: u64, device: &Device) -> Option<TextureId> {
    let attached = state.buffer.as_ref()?;
    if attached.format.block_bytes() != format.block_bytes() {
        return None;
    }
    let desc = attached.texels(attached.buffer.storage(), format, most)?;
    if let Some((made_of, id)) = state.image_texture {
        if made_of == desc {
            return Some(id);
        }
        state.drop_image_texture(device);
    }
    let id = device.mint();
    device.screen.create_buffer_texture(id, &desc);
    state.image_texture = Some((desc, id));
    Some(id)
}
