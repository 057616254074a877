//! EGL 1.5 3.8: sync objects, and their KHR forms.

use crate::egl::client::{ClientArray, Out};
use crate::egl::display;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::types::*;
use crate::egl::{sync, thread};

fn create_sync(dpy: EGLDisplay, kind: EGLenum, attributes: &[(EGLint, EGLAttrib)]) -> EglResult<EGLSync> {
    let session = display::session(dpy)?;
    if kind == EGL_SYNC_FENCE.cast_unsigned() {
        // EGL 1.5 3.8.1: the display must be the current context's.
        let is_other =
            thread::with_current(|current| current.is_some_and(|c| !std::ptr::eq(c.context.display, session.display)));
        ensure(!is_other, EGL_BAD_MATCH, "the current context is of another display")?;
    }
    Ok(session.add_sync(sync::create(kind, attributes)?))
}

/// eglCreateSync.
pub fn CreateSync(dpy: EGLDisplay, kind: EGLenum, attrib_list: ClientArray<EGLAttrib>) -> EglResult<EGLSync> {
    create_sync(dpy, kind, &attrib_list.pairs()?)
}

/// eglCreateSyncKHR.
pub fn CreateSyncKHR(dpy: EGLDisplay, kind: EGLenum, attrib_list: ClientArray<EGLint>) -> EglResult<EGLSync> {
    create_sync(dpy, kind, &attrib_list.pairs()?)
}

/// eglDestroySync.
pub fn DestroySync(dpy: EGLDisplay, sync: EGLSync) -> EglResult<EGLBoolean> {
    // Threads that wait hold the object themselves; a fence goes when the last is done.
    display::session(dpy)?.remove_sync(sync)?.wake();
    Ok(EGLBoolean::TRUE)
}

/// eglDestroySyncKHR.
pub fn DestroySyncKHR(dpy: EGLDisplay, sync: EGLSync) -> EglResult<EGLBoolean> {
    DestroySync(dpy, sync)
}

/// eglClientWaitSync.
pub fn ClientWaitSync(dpy: EGLDisplay, sync: EGLSync, flags: EGLint, timeout: EGLTime) -> EglResult<EGLint> {
    let sync = display::session(dpy)?.sync(sync)?;
    // Every fence was flushed when it was made, so EGL_SYNC_FLUSH_COMMANDS_BIT has nothing left to do.
    ensure(flags & !EGL_SYNC_FLUSH_COMMANDS_BIT == 0, EGL_BAD_PARAMETER, "unknown wait flag")?;
    Ok(if sync.client_wait(timeout) { EGL_CONDITION_SATISFIED } else { EGL_TIMEOUT_EXPIRED })
}

/// eglClientWaitSyncKHR.
pub fn ClientWaitSyncKHR(dpy: EGLDisplay, sync: EGLSync, flags: EGLint, timeout: EGLTime) -> EglResult<EGLint> {
    ClientWaitSync(dpy, sync, flags, timeout)
}

fn wait_sync(dpy: EGLDisplay, sync: EGLSync, flags: EGLint) -> EglResult<()> {
    let sync = display::session(dpy)?.sync(sync)?;
    ensure(flags == 0, EGL_BAD_PARAMETER, "flags must be zero")?;
    sync.server_wait()
}

/// eglWaitSync.
pub fn WaitSync(dpy: EGLDisplay, sync: EGLSync, flags: EGLint) -> EglResult<EGLBoolean> {
    wait_sync(dpy, sync, flags).map(|()| EGLBoolean::TRUE)
}

/// eglWaitSyncKHR.
pub fn WaitSyncKHR(dpy: EGLDisplay, sync: EGLSync, flags: EGLint) -> EglResult<EGLint> {
    wait_sync(dpy, sync, flags).map(|()| EGL_TRUE)
}

/// eglSignalSyncKHR.
pub fn SignalSyncKHR(dpy: EGLDisplay, sync: EGLSync, mode: EGLenum) -> EglResult<EGLBoolean> {
    display::session(dpy)?.sync(sync)?.signal(mode)?;
    Ok(EGLBoolean::TRUE)
}

/// eglGetSyncAttrib.
pub fn GetSyncAttrib(
    dpy: EGLDisplay,
    sync: EGLSync,
    attribute: EGLint,
    value: Out<EGLAttrib>,
) -> EglResult<EGLBoolean> {
    let sync = display::session(dpy)?.sync(sync)?;
    value.require("value")?;
    value.set(sync.attribute(attribute)? as EGLAttrib);
    Ok(EGLBoolean::TRUE)
}

/// eglGetSyncAttribKHR.
pub fn GetSyncAttribKHR(
    dpy: EGLDisplay,
    sync: EGLSync,
    attribute: EGLint,
    value: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    let sync = display::session(dpy)?.sync(sync)?;
    if value.is_null() {
        return Err(EglError::new(EGL_BAD_PARAMETER, "value is NULL"));
    }
    value.set(sync.attribute(attribute)?);
    Ok(EGLBoolean::TRUE)
}
