//! Errors, resets, flush and finish (GL 4.6 core 2.3).

use std::sync::Arc;

use gallite_pipe::{FenceId, FlushFlags};

use crate::context::Context;
use crate::events;
use crate::gl::*;

pub fn GetError(ctx: &mut Context) -> GLenum {
    if ctx.error_flag == GL_NO_ERROR {
        events::drain(ctx);
    }
    std::mem::replace(&mut ctx.error_flag, GL_NO_ERROR)
}

// GL 4.6 core 2.3.2: tells of a reset once. From then on it is over: a new context is made on another device. Without
// reset notification there never was one.
pub fn GetGraphicsResetStatus(ctx: &mut Context) -> GLenum {
    if !ctx.config.reset_notification {
        return GL_NO_ERROR;
    }
    events::drain(ctx);
    ctx.tell_reset()
}

pub fn Flush(ctx: &mut Context) {
    ctx.pipe.flush(FenceId::NULL, FlushFlags::EMPTY);
    flush_front(ctx);
    events::after_flush(ctx);
}

pub fn Finish(ctx: &mut Context) {
    let fence: FenceId = ctx.device.mint();
    ctx.pipe.flush(fence, FlushFlags::EMPTY);
    ctx.device.screen.fence_wait(fence, u64::MAX);
    ctx.device.screen.destroy_fence(fence);
    ctx.device.release(fence);
    flush_front(ctx);
    events::after_flush(ctx);
}

/// Shows what was drawn to a front buffer.
fn flush_front(ctx: &mut Context) {
    let surface = &ctx.state.framebuffers.draw_surface;
    if surface.buffers.front.texture.is_null() {
        return;
    }
    if let Some(drawable) = surface.drawable.as_ref().map(Arc::clone) {
        drawable.flush_front(&mut *ctx.pipe);
    }
}
