//! Image units (GL 4.6 core 8.26).

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::pixels::image_formats::image_class;
use crate::pixels::internal::internal_format;
use crate::share::same_object;
use crate::state::images::ImageUnit;

/// Whether images can have a format.
fn is_image_format(format: GLenum) -> bool {
    internal_format(format).and_then(image_class).is_some()
}

pub fn BindImageTexture(
    ctx: &mut Context,
    unit: GLuint,
    texture: GLuint,
    level: GLint,
    layered: GLboolean,
    layer: GLint,
    access: GLenum,
    format: GLenum,
) -> GlResult {
    let command = "glBindImageTexture";
    if unit >= ctx.limits.image_units as GLuint {
        return Err(GlError::invalid_value(format!("{command}: unit is {unit}")));
    }
    let (Ok(level), Ok(layer)) = (u32::try_from(level), u32::try_from(layer)) else {
        return Err(GlError::invalid_value(format!("{command}: level {level}, layer {layer}")));
    };
    if !matches!(access, GL_READ_ONLY | GL_WRITE_ONLY | GL_READ_WRITE) {
        return Err(GlError::invalid_enum(format!("{command}: access 0x{access:04X}")));
    }
    if !is_image_format(format) {
        return Err(GlError::invalid_value(format!("{command}: format 0x{format:04X}")));
    }
    let texture = match texture {
        0 => None,
        name => {
            let found = ctx.share.texture(name);
            Some(found.ok_or_else(|| GlError::invalid_value(format!("{command}: no texture {name}")))?)
        }
    };
    set_unit(ctx, unit as usize, ImageUnit { texture, level, layered: layered != 0, layer, access, format });
    Ok(())
}

fn set_unit(ctx: &mut Context, index: usize, unit: ImageUnit) {
    let old = &mut ctx.state.images.units[index];
    let rest = |unit: &ImageUnit| (unit.level, unit.layered, unit.layer, unit.access, unit.format);
    if !same_object(old.texture.as_ref(), unit.texture.as_ref()) || rest(old) != rest(&unit) {
        *old = unit;
        ctx.dirty.insert(DirtySet::IMAGES);
    }
}

/// GL 4.6 core 8.26, BindImageTextures: each texture is bound whole, at level 0, in its own format. A bad one raises an
/// error and leaves its unit alone, the others are bound.
pub fn BindImageTextures(ctx: &mut Context, first: GLuint, count: GLsizei, textures: ClientPtr<GLuint>) -> GlResult {
    let command = "glBindImageTextures";
    let units = ctx.limits.image_units as u64;
    let count = checked_count(command, count)?;
    if u64::from(first) + count as u64 > units {
        return Err(GlError::invalid_operation(format!("{command}: units {first} and {count} more of {units}")));
    }
    let names = if textures.is_null() { vec![0; count].into() } else { textures.read(count) };
    for (index, name) in names.iter().enumerate() {
        let unit = if *name == 0 { Ok(ImageUnit::default()) } else { whole(ctx, command, *name) };
        match unit {
            Ok(unit) => set_unit(ctx, first as usize + index, unit),
            Err(error) => ctx.error(error),
        }
    }
    Ok(())
}

/// All of a texture as BindImageTextures binds it.
fn whole(ctx: &Context, command: &str, name: GLuint) -> GlResult<ImageUnit> {
    let found = ctx.share.texture(name);
    let texture = found.ok_or_else(|| GlError::invalid_operation(format!("{command}: no texture {name}")))?;
    let format = {
        let state = texture.state.lock();
        let attached = state.buffer.as_ref().map(|b| b.internal.gl);
        attached.or_else(|| state.image(0, 0).filter(|image| !image.is_empty()).map(|image| image.internal.gl))
    };
    let format = format.filter(|format| is_image_format(*format));
    let format = format.ok_or_else(|| {
        GlError::invalid_operation(format!("{command}: texture {name} has no level 0 in a format of images"))
    })?;
    Ok(ImageUnit { texture: Some(texture), level: 0, layered: true, layer: 0, access: GL_READ_WRITE, format })
}

/// Every barrier of glMemoryBarrier with the accesses it orders.
const BARRIERS: [(GLbitfield, gallite_pipe::BarrierFlags); 15] = {
    use gallite_pipe::BarrierFlags as B;
    [
        (GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT, B::VERTEX_BUFFER),
        (GL_ELEMENT_ARRAY_BARRIER_BIT, B::INDEX_BUFFER),
        (GL_UNIFORM_BARRIER_BIT, B::UNIFORM),
        (GL_TEXTURE_FETCH_BARRIER_BIT, B::TEXTURE),
        (GL_SHADER_IMAGE_ACCESS_BARRIER_BIT, B::IMAGE),
        (GL_COMMAND_BARRIER_BIT, B::INDIRECT),
        (GL_PIXEL_BUFFER_BARRIER_BIT, B::PIXEL_BUFFER),
        (GL_TEXTURE_UPDATE_BARRIER_BIT, B::TEXTURE_UPDATE),
        (GL_BUFFER_UPDATE_BARRIER_BIT, B::BUFFER_UPDATE),
        (GL_FRAMEBUFFER_BARRIER_BIT, B::FRAMEBUFFER),
        (GL_TRANSFORM_FEEDBACK_BARRIER_BIT, B::XFB),
        (GL_ATOMIC_COUNTER_BARRIER_BIT, B::STORAGE),
        (GL_SHADER_STORAGE_BARRIER_BIT, B::STORAGE),
        (GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT, B::MAPPED),
        (GL_QUERY_BUFFER_BARRIER_BIT, B::QUERY_BUFFER),
    ]
};

/// Barriers that glMemoryBarrierByRegion takes (GL 4.6 core 7.13.2).
const BY_REGION: GLbitfield = GL_ATOMIC_COUNTER_BARRIER_BIT
    | GL_FRAMEBUFFER_BARRIER_BIT
    | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT
    | GL_SHADER_STORAGE_BARRIER_BIT
    | GL_TEXTURE_FETCH_BARRIER_BIT
    | GL_UNIFORM_BARRIER_BIT;

pub fn MemoryBarrier(ctx: &mut Context, barriers: GLbitfield) -> GlResult {
    barrier(ctx, "glMemoryBarrier", barriers, BARRIERS.iter().fold(0, |all, (bit, _)| all | bit))
}

pub fn MemoryBarrierByRegion(ctx: &mut Context, barriers: GLbitfield) -> GlResult {
    barrier(ctx, "glMemoryBarrierByRegion", barriers, BY_REGION)
}

fn barrier(ctx: &mut Context, command: &str, barriers: GLbitfield, known: GLbitfield) -> GlResult {
    let barriers = if barriers == GL_ALL_BARRIER_BITS { known } else { barriers };
    if barriers & !known != 0 {
        return Err(GlError::invalid_value(format!("{command}: barriers 0x{barriers:X}")));
    }
    let mut accesses = gallite_pipe::BarrierFlags::EMPTY;
    for (_, access) in BARRIERS.iter().filter(|(bit, _)| barriers & bit != 0) {
        accesses.insert(*access);
    }
    ctx.pipe.memory_barrier(accesses);
    Ok(())
}
