//! The default block.

use std::sync::atomic::Ordering;

use gallite_pipe::BindPoint;

use crate::context::Context;

/// Pushes the default block of the program that draws use.
pub fn push(ctx: &mut Context) {
    push_at(ctx, BindPoint::GRAPHICS);
}

/// Pushes the default block of the program that dispatches use.
pub fn push_compute(ctx: &mut Context) {
    push_at(ctx, BindPoint::COMPUTE);
}

fn push_at(ctx: &mut Context, point: BindPoint) {
    if ctx.state.programs.executable.as_ref().is_some_and(|e| e.point() == point && !e.state_slots.is_empty()) {
        crate::state_values::write(ctx);
    }
    let Context { pipe, state, .. } = ctx;
    let programs = &mut state.programs;
    let Some(executable) = programs.executable.as_ref().filter(|e| e.point() == point) else { return };
    if executable.words().is_empty() {
        return;
    }
    executable.follow_values();
    programs.scratch.clear();
    programs.scratch.extend(executable.words().iter().map(|word| word.load(Ordering::Relaxed)));
    pipe.set_default_block(point, bytemuck::cast_slice(&programs.scratch));
}
