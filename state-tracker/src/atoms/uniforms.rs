//! The default block.

use gallite_pipe::BindPoint;

use super::AtomId;
use crate::context::Context;

/// State that shaders may read changed: the default block is pushed anew where the program that draws use reads any.
pub fn wake_for_state(ctx: &mut Context) {
    wake(ctx, BindPoint::GRAPHICS, AtomId::Uniforms);
}

/// The same for the program that dispatches use.
pub fn wake_for_state_compute(ctx: &mut Context) {
    wake(ctx, BindPoint::COMPUTE, AtomId::ComputeUniforms);
}

fn reads_state(ctx: &Context, point: BindPoint) -> bool {
    ctx.state.programs.at(point).is_some_and(|e| !e.state_slots.is_empty())
}

fn wake(ctx: &mut Context, point: BindPoint, atom: AtomId) {
    if reads_state(ctx, point) {
        ctx.pending.insert(atom);
    }
}

/// Pushes the default block of the program that draws use.
pub fn push(ctx: &mut Context) {
    push_at(ctx, BindPoint::GRAPHICS);
}

/// Pushes the default block of the program that dispatches use.
pub fn push_compute(ctx: &mut Context) {
    push_at(ctx, BindPoint::COMPUTE);
}

fn push_at(ctx: &mut Context, point: BindPoint) {
    if reads_state(ctx, point) {
        ctx.follow_current_color();
    }
    let mut scratch = std::mem::take(&mut ctx.state.programs.scratch);
    if let Some(executable) = ctx.state.programs.at(point).filter(|e| !e.values().is_empty()) {
        executable.follow_values();
        executable.values().copy(&mut scratch);
        if !executable.state_slots.is_empty() {
            crate::state_values::write(ctx, &executable.state_slots, bytemuck::cast_slice_mut(&mut scratch));
        }
        ctx.pipe.set_default_block(point, &bytemuck::cast_slice(&scratch)[..executable.values().bytes()]);
    }
    ctx.state.programs.scratch = scratch;
}
