//! Switches of the compatibility profile (GL 4.6 compatibility tables 23.3 to 23.33), behind glEnable and its kin.

use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::state::fixed::{LIGHTS, UNITS};

/// The bit of a texture target among those a unit enables.
fn texture_bit(cap: GLenum) -> Option<u8> {
    Some(match cap {
        GL_TEXTURE_1D => 1,
        GL_TEXTURE_2D => 2,
        GL_TEXTURE_3D => 4,
        GL_TEXTURE_CUBE_MAP => 8,
        GL_TEXTURE_RECTANGLE => 16,
        _ => return None,
    })
}

/// A switch that is one boolean.
fn switch(ctx: &mut Context, cap: GLenum) -> Option<&mut bool> {
    let active = ctx.state.textures.active;
    let fixed = &mut ctx.state.fixed;
    Some(match cap {
        GL_LIGHTING => &mut fixed.lighting,
        GL_COLOR_MATERIAL => &mut fixed.color_material,
        GL_NORMALIZE => &mut fixed.normalize,
        GL_RESCALE_NORMAL => &mut fixed.rescale_normal,
        GL_FOG => &mut fixed.fog.enabled,
        GL_COLOR_SUM => &mut fixed.color_sum,
        GL_ALPHA_TEST => &mut fixed.alpha_test,
        GL_POINT_SPRITE => &mut fixed.point_sprite,
        GL_VERTEX_PROGRAM_TWO_SIDE => &mut fixed.program_two_side,
        GL_INDEX_LOGIC_OP => &mut fixed.index_logic_op,
        GL_TEXTURE_GEN_S..=GL_TEXTURE_GEN_Q => {
            &mut fixed.units.get_mut(active)?.generation[(cap - GL_TEXTURE_GEN_S) as usize].enabled
        }
        _ => {
            let light = cap.wrapping_sub(GL_LIGHT0) as usize;
            return if light < LIGHTS { Some(&mut fixed.lights[light].enabled) } else { None };
        }
    })
}

/// Sets a switch of the profile; false when it has none of this name.
pub(super) fn set(ctx: &mut Context, command: &str, cap: GLenum, on: bool) -> GlResult<bool> {
    if !ctx.is_compatibility() {
        return Ok(false);
    }
    if let Some(slot) = super::client_arrays::slot_of(ctx, cap) {
        super::vertex_arrays::set_array_enabled(ctx, slot, on);
        return Ok(true);
    }
    if cap == GL_COLOR_MATERIAL {
        // GL 4.6 compatibility 12.2.3: what followed the colour keeps its last value.
        ctx.follow_current_color();
    }
    let changed = DirtySet::FIXED_FUNCTION | DirtySet::STATE_VALUES;
    if let Some(bit) = texture_bit(cap) {
        let active = ctx.state.textures.active;
        let Some(unit) = ctx.state.fixed.units.get_mut(active) else {
            return Err(GlError::invalid_operation(format!("{command}: texture unit {active} has no fixed function")));
        };
        unit.enabled = if on { unit.enabled | bit } else { unit.enabled & !bit };
        ctx.dirty.insert(changed);
        return Ok(true);
    }
    let active = ctx.state.textures.active;
    if (GL_TEXTURE_GEN_S..=GL_TEXTURE_GEN_Q).contains(&cap) && active >= UNITS {
        return Err(GlError::invalid_operation(format!("{command}: texture unit {active} has no fixed function")));
    }
    let Some(slot) = switch(ctx, cap) else { return Ok(false) };
    *slot = on;
    ctx.dirty.insert(changed | DirtySet::RASTERIZER);
    Ok(true)
}

/// The value of a switch of the profile.
pub(super) fn is_enabled(ctx: &mut Context, cap: GLenum) -> Option<bool> {
    if !ctx.is_compatibility() {
        return None;
    }
    if let Some(slot) = super::client_arrays::slot_of(ctx, cap) {
        return Some(ctx.vertex_array().attributes[slot].enabled);
    }
    if let Some(bit) = texture_bit(cap) {
        return Some(ctx.state.fixed.units.get(ctx.state.textures.active).is_some_and(|u| u.enabled & bit != 0));
    }
    switch(ctx, cap).map(|slot| *slot)
}
