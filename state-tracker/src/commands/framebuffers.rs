//! Framebuffer objects, attachments, draw and read buffers (GL 4.6 core 9.2 to 9.4, 17.4.1).

use crate::context::Context;
use crate::error::GlResult;

/// INVALID_FRAMEBUFFER_OPERATION when the draw framebuffer is not complete.
pub(crate) fn check_draw_framebuffer(_ctx: &Context, _command: &'static str) -> GlResult {
    Ok(())
}
