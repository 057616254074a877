//! The program in use.

use gallite_pipe::{BindPoint, ShaderId};

use crate::context::Context;

/// Binds the driver's shader of the program in use.
pub fn push(ctx: &mut Context) {
    ctx.refresh_executable();
    let shader = ctx.executable().map_or(ShaderId::NULL, |e| e.shader);
    ctx.pipe.bind_shader(BindPoint::GRAPHICS, shader);
}
