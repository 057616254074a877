//! Conditional rendering.

use gallite_pipe::{Features, RenderCondition};

use crate::context::Context;

/// Tells a driver that can decide it itself.
pub fn push(ctx: &mut Context) {
    if !ctx.device.caps.features.contains(Features::RENDER_CONDITION) {
        return;
    }
    let condition = ctx.state.queries.condition.map_or(RenderCondition::default(), |c| RenderCondition {
        query: c.query,
        mode: c.mode,
        inverted: c.inverted.into(),
    });
    ctx.pipe.set_render_condition(&condition);
}
