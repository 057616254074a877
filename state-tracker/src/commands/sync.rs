//! Sync objects (GL 4.6 core 4.1).

use std::sync::Arc;

use gallite_pipe::{FenceId, FlushFlags, WaitStatus};

use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::sync::Sync;

/// The sync object of a value; INVALID_VALUE when there is none.
fn sync_object(ctx: &Context, command: &'static str, sync: GLsync) -> GlResult<Arc<Sync>> {
    let found = ctx.share.syncs.lock().get(&sync).cloned();
    found.ok_or_else(|| GlError::invalid_value(format!("{command}: 0x{sync:x} is not a sync object")))
}

pub fn FenceSync(ctx: &mut Context, condition: GLenum, flags: GLbitfield) -> GlResult<GLsync> {
    if condition != GL_SYNC_GPU_COMMANDS_COMPLETE {
        return Err(GlError::invalid_enum(format!("glFenceSync: condition 0x{condition:04X}")));
    }
    if flags != 0 {
        return Err(GlError::invalid_value(format!("glFenceSync: flags 0x{flags:X}")));
    }
    let fence: FenceId = ctx.device.mint();
    ctx.pipe.flush(fence, FlushFlags::EMPTY);
    let value = ctx.share.new_sync_value();
    ctx.share.syncs.lock().insert(value, Arc::new(Sync::new(&ctx.device, fence)));
    Ok(value)
}

pub fn IsSync(ctx: &mut Context, sync: GLsync) -> GLboolean {
    ctx.share.syncs.lock().contains_key(&sync).into()
}

pub fn DeleteSync(ctx: &mut Context, sync: GLsync) -> GlResult {
    // GL 4.6 core 4.1.1: zero is silently ignored. A wait in another thread keeps the object alive.
    if sync != 0 && ctx.share.syncs.lock().remove(&sync).is_none() {
        return Err(GlError::invalid_value(format!("glDeleteSync: 0x{sync:x} is not a sync object")));
    }
    Ok(())
}

pub fn ClientWaitSync(ctx: &mut Context, sync: GLsync, flags: GLbitfield, timeout: GLuint64) -> GlResult<GLenum> {
    // On failure the value is GL_WAIT_FAILED, with the error raised beside it.
    if ctx.is_lost() {
        ctx.error(GlError::context_lost("glClientWaitSync"));
        return Ok(GL_WAIT_FAILED);
    }
    let checked = sync_object(ctx, "glClientWaitSync", sync).and_then(|object| {
        if flags & !GL_SYNC_FLUSH_COMMANDS_BIT != 0 {
            return Err(GlError::invalid_value(format!("glClientWaitSync: flags 0x{flags:X}")));
        }
        Ok(object)
    });
    let object = match checked {
        Ok(object) => object,
        Err(error) => {
            ctx.error(error);
            return Ok(GL_WAIT_FAILED);
        }
    };
    if object.wait(0) == WaitStatus::SIGNALED {
        return Ok(GL_ALREADY_SIGNALED);
    }
    if flags & GL_SYNC_FLUSH_COMMANDS_BIT != 0 {
        ctx.pipe.flush(FenceId::NULL, FlushFlags::EMPTY);
    }
    Ok(match object.wait(timeout) {
        WaitStatus::SIGNALED => GL_CONDITION_SATISFIED,
        WaitStatus::TIMEOUT => GL_TIMEOUT_EXPIRED,
        // A lost device completes nothing more; GL 4.6 core 2.3.2 has waits end.
        _ => GL_WAIT_FAILED,
    })
}

pub fn WaitSync(ctx: &mut Context, sync: GLsync, flags: GLbitfield, timeout: GLuint64) -> GlResult {
    let object = sync_object(ctx, "glWaitSync", sync)?;
    if flags != 0 || timeout != GL_TIMEOUT_IGNORED {
        return Err(GlError::invalid_value(format!("glWaitSync: flags 0x{flags:X}, timeout {timeout}")));
    }
    ctx.pipe.fence_server_wait(object.fence);
    Ok(())
}

pub fn GetSynciv(
    ctx: &mut Context,
    sync: GLsync,
    pname: GLenum,
    count: GLsizei,
    length: ClientPtrMut<GLsizei>,
    values: ClientPtrMut<GLint>,
) -> GlResult {
    if ctx.is_lost() {
        // GL 4.6 core 2.3.2: an error like that of any command, yet what a program waits for by asking again and again has
        // come, whatever the other arguments.
        if pname == GL_SYNC_STATUS {
            values.write(&[GL_SIGNALED as GLint]);
            length.write(&[1]);
        }
        return Err(GlError::context_lost("glGetSynciv"));
    }
    let object = sync_object(ctx, "glGetSynciv", sync)?;
    if count < 0 {
        return Err(GlError::invalid_value(format!("glGetSynciv: count is {count}")));
    }
    let value = match pname {
        GL_OBJECT_TYPE => GL_SYNC_FENCE,
        GL_SYNC_CONDITION => GL_SYNC_GPU_COMMANDS_COMPLETE,
        GL_SYNC_FLAGS => 0,
        GL_SYNC_STATUS if object.wait(0) == WaitStatus::TIMEOUT => GL_UNSIGNALED,
        // A lost device's too, see above.
        GL_SYNC_STATUS => GL_SIGNALED,
        _ => return Err(GlError::invalid_enum(format!("glGetSynciv: pname 0x{pname:04X}"))),
    };
    let written = count.min(1);
    if written == 1 {
        values.write(&[value as GLint]);
    }
    length.write(&[written]);
    Ok(())
}
