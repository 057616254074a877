//! Mipmap generation (GL 4.6 core 8.14.4).

use std::sync::Arc;

use gallite_pipe::{ChannelKind, GenerateMipmap as GenerateInfo, Outcome, TransferAspect};

use crate::commands::pixel_memory::tight_transfer;
use crate::commands::texture_compressed::check_compresses;
use crate::commands::textures::kind_of;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, Texture, TextureKind};
use crate::objects::texture_storage::Place;
use crate::pixels::compressed;
use crate::pixels::convert::{Conversion, IDENTITY, Overflow};
use crate::pixels::layout::TexelLayout;

pub fn GenerateMipmap(ctx: &mut Context, target: GLenum) -> GlResult {
    let kind = kind_of(ctx, "glGenerateMipmap", target)?;
    if !kind.has_levels() {
        return Err(GlError::invalid_enum(format!("glGenerateMipmap: target 0x{target:04X}")));
    }
    let texture = Arc::clone(ctx.bound_texture(kind));
    generate(ctx, &texture)
}

pub fn GenerateTextureMipmap(ctx: &mut Context, texture: GLuint) -> GlResult {
    let found = ctx.share.texture(texture).filter(|t| texture != 0 && t.kind.has_levels());
    let found =
        found.ok_or_else(|| GlError::invalid_operation(format!("glGenerateTextureMipmap: texture {texture}")))?;
    generate(ctx, &found)
}

/// Fills the levels below the base level from it.
pub(crate) fn generate(ctx: &mut Context, texture: &Arc<Texture>) -> GlResult {
    let kind = texture.kind;
    let (first, last, base) = {
        let mut state = texture.state.lock();
        let complete = state.completeness(kind);
        let Some(base) = state.base_image().cloned() else {
            return Err(GlError::invalid_operation("glGenerateMipmap: the base level has no image"));
        };
        // GL 4.6 core 8.14.4: INVALID_OPERATION for a cube map without equal faces; integer and depth or stencil
        // formats have no average.
        if !complete.base {
            return Err(GlError::invalid_operation("glGenerateMipmap: the base level is incomplete"));
        }
        if base.internal.is_integer()
            || base.internal.base.gl() == GL_STENCIL_INDEX
            || base.internal.base.gl() == GL_DEPTH_STENCIL
        {
            return Err(GlError::invalid_operation("glGenerateMipmap: the format cannot be filtered"));
        }
        // Levels cannot be made of what is not compressed here.
        check_compresses("glGenerateMipmap", base.internal)?;
        let first = complete.first;
        let last = (first + kind.level_count(base.size) - 1).min(state.effective_max());
        if last <= first {
            return Ok(());
        }
        let device = texture.device();
        if !state.immutable {
            state.grow(device, &mut *ctx.pipe, kind, first, last);
            define_levels(&mut state, kind, first, last, &base);
        }
        for (face, level) in (0..kind.faces()).flat_map(|face| (first + 1..=last).map(move |level| (face, level))) {
            if let Some(image) = state.image_mut(face, level) {
                image.blocks = None;
            }
        }
        (first, last, state.image(0, first).cloned().unwrap_or(base))
    };
    ctx.texture_changed(texture);
    let Some(place) = base.place.clone() else { return Ok(()) };
    let info = GenerateInfo {
        texture: place.storage.id,
        format: base.format,
        reserved: 0,
        base_level: place.level,
        last_level: place.level + (last - first),
        first_layer: 0,
        layer_count: place.storage.desc.layers,
    };
    match ctx.pipe.generate_mipmap(&info) {
        Outcome::DONE => Ok(()),
        Outcome::OUT_OF_MEMORY => Err(GlError::out_of_memory("glGenerateMipmap: no memory")),
        _ => {
            for face in 0..kind.faces() {
                for level in first..last {
                    let images = {
                        let state = texture.state.lock();
                        (state.image(face, level).cloned(), state.image(face, level + 1).cloned())
                    };
                    if let (Some(from), Some(to)) = images {
                        halve(ctx, kind, &from, &to);
                    }
                }
            }
            Ok(())
        }
    }
}

/// Gives every level below the base its image in the storage.
fn define_levels(
    state: &mut crate::objects::texture::TextureState,
    kind: TextureKind,
    first: u32,
    last: u32,
    base: &Image,
) {
    let Some(storage) = state.storage.clone() else { return };
    for face in 0..kind.faces() {
        for level in first + 1..=last {
            let place = Place { storage: Arc::clone(&storage), level: level - state.first_level, layer: face as u32 };
            let size = kind.level_size(base.size, level - first);
            state.set_image(face, level, Some(Image { size, place: Some(place), blocks: None, ..base.clone() }));
        }
    }
}

/// Averages one image into the next on the CPU, for formats the device cannot filter.
fn halve(ctx: &mut Context, kind: TextureKind, from: &Image, to: &Image) {
    let (Some(source), Some(target)) = (&from.place, &to.place) else { return };
    let stored = from.format;
    let plain = if stored.is_compressed() { compressed::decoded(stored) } else { stored };
    if stored.is_compressed() && !(compressed::can_decode(stored) && compressed::can_encode(stored)) {
        return;
    }
    let region = from.region(kind, [0; 3], from.size);
    let read = tight_transfer(source.storage.id, source.level, TransferAspect::WHOLE, region, stored);
    let bytes = stored.row_bytes(region.width) * u64::from(stored.block_rows(region.height)) * u64::from(region.depth);
    let mut texels = vec![0; bytes as usize];
    if ctx.pipe.texture_read(&read, &mut texels) != Outcome::DONE {
        return;
    }
    if stored.is_compressed() {
        texels = compressed::decode(stored, from.size, &texels);
    }
    let mut averaged = average(plain, kind, from.size, to.size, &texels);
    if stored.is_compressed() {
        averaged = compressed::encode(stored, to.size, &averaged);
    }
    let region = to.region(kind, [0; 3], to.size);
    let write = tight_transfer(target.storage.id, target.level, TransferAspect::WHOLE, region, stored);
    ctx.pipe.texture_write(&write, &averaged);
}

/// Box-filters tightly packed texels of `format` from one size to the next. Layers are not mixed.
fn average(format: gallite_pipe::Format, kind: TextureKind, from: [u32; 3], to: [u32; 3], texels: &[u8]) -> Vec<u8> {
    let layout = TexelLayout::of(format);
    let mut wide = layout;
    wide.bytes = 16;
    for (slot, channel) in wide.channels.iter_mut().enumerate() {
        if channel.kind != ChannelKind::None {
            *channel = gallite_pipe::Channel { kind: ChannelKind::Float, bits: 32, offset: slot as u8 * 32 };
        }
    }
    let count = from.iter().map(|s| *s as usize).product::<usize>();
    let mut floats = vec![0u8; count * 16];
    Conversion::new(layout, wide, IDENTITY, Overflow::Clamp).row(texels, &mut floats);
    let colors: Vec<[f32; 4]> = floats
        .chunks_exact(16)
        .map(|t| core::array::from_fn(|i| f32::from_le_bytes([t[4 * i], t[4 * i + 1], t[4 * i + 2], t[4 * i + 3]])))
        .map(|c: [f32; 4]| if format.is_srgb() { [linear(c[0]), linear(c[1]), linear(c[2]), c[3]] } else { c })
        .collect();
    let at = |x: u32, y: u32, z: u32| colors[((z * from[1] + y) * from[0] + x) as usize];
    // An axis that shrinks takes two or three texels; one that stays takes one.
    let span = |axis: usize, i: u32| {
        if from[axis] == to[axis] {
            return i..i + 1;
        }
        let start = u64::from(i) * u64::from(from[axis]) / u64::from(to[axis]);
        let end = (u64::from(i) + 1) * u64::from(from[axis]);
        start as u32..(end.div_ceil(u64::from(to[axis]))) as u32
    };
    let mixes = |axis: usize| match kind {
        TextureKind::D1 | TextureKind::D1Array => axis == 0,
        TextureKind::D3 => true,
        _ => axis < 2,
    };
    let mut bytes = Vec::with_capacity(to.iter().map(|s| *s as usize).product::<usize>() * 16);
    for z in 0..to[2] {
        for y in 0..to[1] {
            for x in 0..to[0] {
                let mut sum = [0f32; 4];
                let mut samples = 0f32;
                for sz in if mixes(2) { span(2, z) } else { z..z + 1 } {
                    for sy in if mixes(1) { span(1, y) } else { y..y + 1 } {
                        for sx in span(0, x) {
                            at(sx, sy, sz).iter().zip(&mut sum).for_each(|(c, s)| *s += c);
                            samples += 1.0;
                        }
                    }
                }
                let mut color = sum.map(|s| s / samples);
                if format.is_srgb() {
                    color[..3].iter_mut().for_each(|c| *c = encoded(*c));
                }
                color.iter().for_each(|c| bytes.extend_from_slice(&c.to_le_bytes()));
            }
        }
    }
    let mut out = vec![0; bytes.len() / 16 * usize::from(layout.bytes)];
    Conversion::new(wide, layout, IDENTITY, Overflow::Clamp).row(&bytes, &mut out);
    out
}

// GL 4.6 core 8.24.
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

// GL 4.6 core 17.3.7.
fn encoded(c: f32) -> f32 {
    if c < 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::Format;

    #[test]
    fn box_filter() {
        let texels = [0, 100, 200, 100];
        assert_eq!(average(Format::R8_UNORM, TextureKind::D2, [2, 2, 1], [1, 1, 1], &texels), [100]);
        // Layers of an array stay apart.
        assert_eq!(average(Format::R8_UNORM, TextureKind::D1Array, [2, 2, 1], [1, 2, 1], &texels), [50, 150]);
        // sRGB averages light, not codes.
        assert_eq!(average(Format::R8_SRGB, TextureKind::D1, [2, 1, 1], [1, 1, 1], &[0, 255]), [188]);
    }
}
