//! Textures that share the texels of another one (GL 4.6 core 8.18).

use std::sync::Arc;

use gallite_pipe::TextureAliasDesc;

use crate::atoms::textures::publish_move;
use crate::commands::texture_storages::sized_internal;
use crate::commands::textures::kind_of;
use crate::context::Context;
use crate::device::Device;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Image, Texture, TextureKind, TextureState, ViewRange};
use crate::objects::texture_storage::{Place, Storage};
use crate::pixels::internal::InternalFormat;
use crate::pixels::view_class::{may_view, same_block_size};

/// The part of the origin that a view shows, checked.
struct Window {
    first_level: u32,
    levels: u32,
    first_layer: u32,
    layers: u32,
}

/// The range of levels and layers, clamped to what the origin has.
fn window(
    command: &str,
    origin: &TextureState,
    kind: TextureKind,
    [minlevel, numlevels]: [u32; 2],
    [minlayer, numlayers]: [u32; 2],
) -> GlResult<Window> {
    let range = origin.view_range;
    if minlevel >= range.num_levels || minlayer >= range.num_layers {
        return Err(GlError::invalid_value(format!(
            "{command}: level {minlevel} or layer {minlayer} is beyond the origin's"
        )));
    }
    let levels = numlevels.min(range.num_levels - minlevel);
    let layers = numlayers.min(range.num_layers - minlayer);
    let fits = match kind {
        TextureKind::Cube => layers == 6,
        TextureKind::CubeArray => layers != 0 && layers.is_multiple_of(6),
        TextureKind::D1Array | TextureKind::D2Array | TextureKind::MultisampleArray => layers != 0,
        // GL 4.6 core 8.18: not clamped for targets without layers.
        _ => numlayers == 1,
    };
    if !fits || levels == 0 {
        return Err(GlError::invalid_value(format!("{command}: {numlevels} levels, {numlayers} layers")));
    }
    Ok(Window { first_level: minlevel, levels, first_layer: minlayer, layers })
}

/// GL 4.6 core table 8.21.
fn views_as(origin: TextureKind, view: TextureKind) -> bool {
    use TextureKind::{Cube, CubeArray, D1, D1Array, D2, D2Array, D3, Multisample, MultisampleArray, Rect};
    match origin {
        D1 | D1Array => matches!(view, D1 | D1Array),
        D2 => matches!(view, D2 | D2Array),
        D2Array | Cube | CubeArray => matches!(view, D2 | D2Array | Cube | CubeArray),
        D3 => view == D3,
        Rect => view == Rect,
        Multisample | MultisampleArray => matches!(view, Multisample | MultisampleArray),
        TextureKind::Buffer => false,
    }
}

pub fn TextureView(
    ctx: &mut Context,
    texture: GLuint,
    target: GLenum,
    origtexture: GLuint,
    internalformat: GLenum,
    minlevel: GLuint,
    numlevels: GLuint,
    minlayer: GLuint,
    numlayers: GLuint,
) -> GlResult {
    let command = "glTextureView";
    let kind = kind_of(ctx, command, target)?;
    if texture == 0 {
        return Err(GlError::invalid_value(format!("{command}: texture 0")));
    }
    let origin = ctx.share.texture(origtexture).filter(|_| origtexture != 0);
    let origin = origin.ok_or_else(|| GlError::invalid_value(format!("{command}: no texture {origtexture}")))?;
    let refuse = |why: String| GlError::invalid_operation(format!("{command}: {why}"));
    {
        let names = ctx.share.textures.lock();
        if !names.is_generated(texture) || names.get(texture).is_some() {
            return Err(refuse(format!("{texture} is no fresh name")));
        }
    }
    let internal = sized_internal(ctx, command, internalformat).map_err(|e| refuse(e.message().to_owned()))?;
    let mut source = origin.state.lock();
    let (Some(base), true) = (source.image(0, 0).cloned(), source.immutable) else {
        return Err(refuse(format!("texture {origtexture} is not immutable")));
    };
    if !views_as(origin.kind, kind) || !may_view(base.internal, internal) {
        return Err(refuse("the target or the format does not go with the origin's".into()));
    }
    let part = window(command, &source, kind, [minlevel, numlevels], [minlayer, numlayers])?;
    if matches!(kind, TextureKind::Cube | TextureKind::CubeArray) && base.size[0] != base.size[1] {
        return Err(refuse("faces are not square".into()));
    }
    let format = ctx.device.choose_format(internal);
    if !same_block_size(format, base.format) || format.is_compressed() != base.format.is_compressed() {
        return Err(refuse("the device stores one of the formats in another one".into()));
    }
    let moved = source.make_mutable(&ctx.device, &mut *ctx.pipe);
    let Some(storage) = source.storage.clone().filter(|_| moved.is_some()) else {
        return Err(GlError::out_of_memory(format!("{command}: no memory to make the texture viewable")));
    };
    let desc = TextureAliasDesc {
        source: storage.id,
        format,
        dim: kind.dim(),
        reserved: 0,
        first_level: part.first_level,
        level_count: part.levels,
        first_layer: part.first_layer,
        layer_count: part.layers,
    };
    let alias = storage.alias(kind, &desc);
    let view = Texture::new(&ctx.device, texture, kind, ctx.is_compatibility());
    fill(&ctx.device, &mut view.state.lock(), kind, &alias, internal, &base, &part, &source);
    drop(source);
    if moved == Some(true) {
        ctx.texture_changed(&origin);
        publish_move(&mut *ctx.pipe, &ctx.share);
    }
    ctx.share.textures.lock().insert(texture, Arc::new(view));
    Ok(())
}

/// Gives a view its images.
#[allow(clippy::too_many_arguments)]
fn fill(
    device: &Device,
    state: &mut TextureState,
    kind: TextureKind,
    alias: &Arc<Storage>,
    internal: &'static InternalFormat,
    base: &Image,
    part: &Window,
    origin: &TextureState,
) {
    for face in 0..kind.faces() {
        for level in 0..part.levels {
            let [width, height, depth] = alias.level_size(level);
            let size = match kind {
                TextureKind::D1Array => [width, part.layers, 1],
                TextureKind::D2Array | TextureKind::CubeArray | TextureKind::MultisampleArray => {
                    [width, height, part.layers]
                }
                _ => [width, height, depth],
            };
            let place = Some(Place { storage: Arc::clone(alias), level, layer: face as u32 });
            let (samples, fixed_samples, format) = (base.samples, base.fixed_samples, alias.desc.format);
            let image = Image { internal, format, size, samples, fixed_samples, place, blocks: None };
            state.set_image(face, level, Some(image));
        }
    }
    state.view_range = ViewRange {
        min_level: origin.view_range.min_level + part.first_level,
        num_levels: part.levels,
        min_layer: origin.view_range.min_layer + part.first_layer,
        num_layers: part.layers,
    };
    state.set_storage(device, Arc::clone(alias), 0);
    state.immutable = true;
    state.immutable_levels = origin.immutable_levels;
}
