//! What the driver tells on its own, passed on to the program: lost devices, memory that ran out, messages.

use gallite_pipe::{EventKind, Severity};

use crate::context::Context;
use crate::error::GlError;
use crate::gl::*;

/// Messages longer than this are cut.
const MESSAGE_BYTES: usize = 1024;

/// What follows work that was handed to the device: its events are taken, and the end of the process is watched for anew.
pub(crate) fn after_flush(ctx: &mut Context) {
    crate::ending::flushed();
    drain(ctx);
}

/// Takes all waiting events. Called where a program asks how things went or waits for work anyway: error and reset
/// queries, flush, finish, buffer swap.
pub(crate) fn drain(ctx: &mut Context) {
    // A loss concerns every context, and its event reaches the one that asks first.
    ctx.check_reset();
    let mut bytes = [0; MESSAGE_BYTES];
    loop {
        let event = ctx.device.screen.poll_event(&mut bytes);
        let len = (event.message_len as usize).min(MESSAGE_BYTES);
        let message = || String::from_utf8_lossy(&bytes[..len]).into_owned();
        match event.kind {
            EventKind::NONE => return,
            // GL 4.6 core 2.3.1: OUT_OF_MEMORY may come late; the result of the command that needed it is undefined.
            EventKind::OUT_OF_MEMORY if ctx.device.was_told(event.slot, event.generation) => {}
            EventKind::OUT_OF_MEMORY => {
                ctx.error(GlError::out_of_memory(format!("an earlier command found no memory: {}", message())));
            }
            EventKind::LOG => {
                let severity = match event.severity {
                    Severity::ERROR => GL_DEBUG_SEVERITY_HIGH,
                    Severity::WARNING => GL_DEBUG_SEVERITY_MEDIUM,
                    Severity::INFO => GL_DEBUG_SEVERITY_LOW,
                    _ => GL_DEBUG_SEVERITY_NOTIFICATION,
                };
                ctx.debug_message(GL_DEBUG_TYPE_OTHER, severity, 0, message);
            }
            EventKind::VERIFY_MISMATCH => {
                ctx.debug_message(GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH, 0, message);
            }
            // A loss was noticed above, a window's new size is the winsys's, and the tracker keeps no copy of buffers' bytes.
            _ => {}
        }
    }
}
