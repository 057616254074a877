//! The program in use.

use gallite_pipe::{BindPoint, ShaderFlags, ShaderId};

use crate::context::Context;
use crate::dirty::DirtySet;

/// Binds the driver's shader of the program in use, for dispatches. Which one it is was settled by the verb's checks.
pub fn push_compute(ctx: &mut Context) {
    let shader = ctx.state.programs.at(BindPoint::COMPUTE).map_or(ShaderId::NULL, |e| e.shader);
    ctx.pipe.bind_shader(BindPoint::COMPUTE, shader);
}

/// Binds the driver's shader of the program in use, for draws. Which one it is was settled by the verb's checks.
pub fn push(ctx: &mut Context) {
    let executable = ctx.state.programs.at(BindPoint::GRAPHICS);
    let shader = executable.map_or(ShaderId::NULL, |e| e.shader);
    let writes_viewport = executable.is_some_and(|e| e.desc.flags.contains(ShaderFlags::WRITES_VIEWPORT));
    if ctx.state.programs.writes_viewport != writes_viewport {
        ctx.state.programs.writes_viewport = writes_viewport;
        ctx.pending.wake(DirtySet::VIEWPORT | DirtySet::SCISSOR);
    }
    ctx.pipe.bind_shader(BindPoint::GRAPHICS, shader);
}
