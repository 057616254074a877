//! Texture objects and their binding (GL 4.6 core 8.1).

use std::sync::Arc;

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::texture::{Texture, TextureKind};
use crate::share::same_object;

pub fn GenTextures(ctx: &mut Context, n: GLsizei, textures: ClientPtrMut<GLuint>) -> GlResult {
    ctx.share.textures.lock().generate_into("glGenTextures", n, textures)
}

// GL 4.5: names with objects already made.
pub fn CreateTextures(ctx: &mut Context, target: GLenum, n: GLsizei, textures: ClientPtrMut<GLuint>) -> GlResult {
    let kind = kind_of(ctx, "glCreateTextures", target)?;
    let compatibility = ctx.is_compatibility();
    let mut names = ctx.share.textures.lock();
    for index in 0..checked_count("glCreateTextures", n)? {
        let name = names.generate();
        names.insert(name, Arc::new(Texture::new(&ctx.device, name, kind, compatibility)));
        textures.write_at(index, name);
    }
    Ok(())
}

pub fn DeleteTextures(ctx: &mut Context, n: GLsizei, textures: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteTextures", n)?;
    for index in 0..count {
        let name = textures.read_at(index);
        if name == 0 {
            continue;
        }
        // GL 4.6 core 8.1: unused names are silently ignored; a bound texture is unbound from this context's units and
        // from its bound framebuffers, and lives on where others use it.
        let Some(texture) = ctx.share.textures.lock().remove(name) else { continue };
        texture.header.mark_deleted();
        ctx.state.textures.unbind(&texture);
        ctx.state.images.unbind(&texture);
        super::framebuffers::detach_texture(ctx, &texture);
        ctx.state.textures.resolved.remove(&texture.serial);
        ctx.dirty.insert(DirtySet::TEXTURES | DirtySet::IMAGES);
    }
    Ok(())
}

pub fn IsTexture(ctx: &mut Context, texture: GLuint) -> GLboolean {
    GLboolean::from(ctx.share.textures.lock().get(texture).is_some())
}

pub fn ActiveTexture(ctx: &mut Context, texture: GLenum) -> GlResult {
    let unit = texture.wrapping_sub(GL_TEXTURE0);
    // GL 4.6 core 8.1: INVALID_ENUM outside the combined number of units.
    if unit >= ctx.limits.combined_texture_units as u32 {
        return Err(GlError::invalid_enum(format!("glActiveTexture: 0x{texture:04X}")));
    }
    ctx.state.textures.active = unit as usize;
    Ok(())
}

pub fn BindTexture(ctx: &mut Context, target: GLenum, texture: GLuint) -> GlResult {
    let kind = kind_of(ctx, "glBindTexture", target)?;
    let state = &mut ctx.state.textures;
    let active = state.active;
    let slot = &mut state.units[active].textures[kind as usize];
    if texture == 0 {
        if slot.take().is_some() {
            state.note_unit(active);
            unit_changed(ctx);
        }
        return Ok(());
    }
    if slot.as_ref().is_some_and(|bound| bound.header.name == texture && !bound.header.is_deleted()) {
        return Ok(());
    }
    let bound = find_or_make(ctx, "glBindTexture", texture, kind)?;
    let state = &mut ctx.state.textures;
    state.units[active].textures[kind as usize] = Some(bound);
    state.high_water = state.high_water.max(active + 1);
    state.note_unit(active);
    unit_changed(ctx);
    Ok(())
}

/// Marks a unit's texture changed. Which textures units of fixed function have is part of their code.
#[inline]
fn unit_changed(ctx: &mut Context) {
    ctx.dirty.insert(DirtySet::TEXTURE_UNITS);
    if ctx.is_compatibility() {
        ctx.dirty.insert(DirtySet::FIXED_FUNCTION);
    }
}

/// The texture of a name, made when the name has none yet.
fn find_or_make(ctx: &mut Context, command: &'static str, name: GLuint, kind: TextureKind) -> GlResult<Arc<Texture>> {
    let compatibility = ctx.is_compatibility();
    let mut names = ctx.share.textures.lock();
    if let Some(found) = names.get(name) {
        // GL 4.6 core 8.1: a texture keeps the target it was first bound to.
        if found.kind != kind {
            return Err(GlError::invalid_operation(format!(
                "{command}: texture {name} has target 0x{:04X}",
                found.target
            )));
        }
        return Ok(Arc::clone(found));
    }
    if !compatibility && !names.is_generated(name) {
        return Err(GlError::invalid_operation(format!("{command}: {name} is not a generated name")));
    }
    let made = Arc::new(Texture::new(&ctx.device, name, kind, compatibility));
    names.insert(name, Arc::clone(&made));
    Ok(made)
}

/// The kind of a binding target this context has.
pub(crate) fn kind_of(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<TextureKind> {
    TextureKind::from_target(target)
        .filter(|kind| has_kind(ctx, *kind))
        .ok_or_else(|| GlError::invalid_enum(format!("{command}: target 0x{target:04X}")))
}

/// Whether this context has textures of a kind.
pub(crate) fn has_kind(ctx: &Context, kind: TextureKind) -> bool {
    use gallite_pipe::Features;
    kind != TextureKind::CubeArray || ctx.device.caps.features.contains(Features::CUBE_ARRAY)
}

/// GL 4.5: binds by name to a unit; 0 empties all targets of it.
pub fn BindTextureUnit(ctx: &mut Context, unit: GLuint, texture: GLuint) -> GlResult {
    if unit >= ctx.limits.combined_texture_units as u32 {
        return Err(GlError::invalid_value(format!("glBindTextureUnit: unit {unit}")));
    }
    let unit = unit as usize;
    if texture == 0 {
        let textures = &mut ctx.state.textures.units[unit].textures;
        if textures.iter().all(Option::is_none) {
            return Ok(());
        }
        *textures = Default::default();
    } else {
        let found = ctx.share.texture(texture);
        let bound =
            found.ok_or_else(|| GlError::invalid_operation(format!("glBindTextureUnit: no texture {texture}")))?;
        let slot = &mut ctx.state.textures.units[unit].textures[bound.kind as usize];
        if same_object(slot.as_ref(), Some(&bound)) {
            return Ok(());
        }
        *slot = Some(bound);
        ctx.state.textures.high_water = ctx.state.textures.high_water.max(unit + 1);
    }
    ctx.state.textures.note_unit(unit);
    unit_changed(ctx);
    Ok(())
}
