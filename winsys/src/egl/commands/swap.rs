//! EGL 1.5 3.9 and 3.10: synchronisation with client and native rendering, and showing buffers.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gallite_gl::entry;
use gallite_pipe::{FenceId, FlushFlags, Rect};

use crate::egl::client::ClientArray;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::types::*;
use crate::egl::{current, display, thread};

fn swap(dpy: EGLDisplay, surface: EGLSurface, damage: &[Rect]) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    let surface = session.surface(surface)?;
    // EGL 1.5 3.10.1: the surface must be bound to the thread's current context.
    current::require_draw_surface(&surface)?;
    // On single-buffered surfaces and pbuffers it has no effect.
    if !surface.is_window() {
        return Ok(EGLBoolean::TRUE);
    }
    // No display lock is held here: presenting may wait for the display.
    let presented = entry::with_current(|context| {
        let presented = surface.present(context.pipe(), damage);
        context.take_events();
        presented
    });
    presented.unwrap_or_else(|| Err(EglError::new(EGL_BAD_SURFACE, "no context can present")))?;
    Ok(EGLBoolean::TRUE)
}

/// eglSwapBuffers.
pub fn SwapBuffers(dpy: EGLDisplay, surface: EGLSurface) -> EglResult<EGLBoolean> {
    swap(dpy, surface, &[])
}

/// Rectangles of EGL_KHR_swap_buffers_with_damage: x, y of the lower left corner, width, height, in surface pixels.
fn damage(rects: &ClientArray<EGLint>, n_rects: EGLint) -> EglResult<Vec<Rect>> {
    let count =
        usize::try_from(n_rects).map_err(|_| EglError::new(EGL_BAD_PARAMETER, "negative number of rectangles"))?;
    ensure(count == 0 || !rects.is_null(), EGL_BAD_PARAMETER, "rectangles without a list")?;
    let values = rects.values(count.saturating_mul(4));
    // A width or height below zero covers nothing.
    let number = |value: EGLAttrib| i32::try_from(value).unwrap_or(0);
    Ok(values
        .chunks_exact(4)
        .map(|rect| Rect {
            x: number(rect[0]),
            y: number(rect[1]),
            width: number(rect[2]).max(0),
            height: number(rect[3]).max(0),
        })
        .collect())
}

/// eglSwapBuffersWithDamageKHR.
pub fn SwapBuffersWithDamageKHR(
    dpy: EGLDisplay,
    surface: EGLSurface,
    rects: ClientArray<EGLint>,
    n_rects: EGLint,
) -> EglResult<EGLBoolean> {
    swap(dpy, surface, &damage(&rects, n_rects)?)
}

/// eglSwapBuffersWithDamageEXT.
pub fn SwapBuffersWithDamageEXT(
    dpy: EGLDisplay,
    surface: EGLSurface,
    rects: ClientArray<EGLint>,
    n_rects: EGLint,
) -> EglResult<EGLBoolean> {
    swap(dpy, surface, &damage(&rects, n_rects)?)
}

/// eglSwapInterval.
pub fn SwapInterval(dpy: EGLDisplay, interval: EGLint) -> EglResult<EGLBoolean> {
    display::session(dpy)?;
    let surface = current::draw_surface()?;
    // EGL 1.5 3.10.3: clamped to the config's bounds without an error.
    let largest = surface.config.attribute(EGL_MAX_SWAP_INTERVAL)?;
    surface.swap_interval.store(interval.clamp(0, largest), Ordering::Relaxed);
    Ok(EGLBoolean::TRUE)
}

/// eglCopyBuffers.
pub fn CopyBuffers(dpy: EGLDisplay, surface: EGLSurface, _target: NativeHandle) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    session.surface(surface)?;
    // EGL 1.5 3.10.2: native pixmaps aren't supported.
    Err(EglError::new(EGL_BAD_NATIVE_PIXMAP, "native pixmaps aren't supported"))
}

/// eglWaitClient.
pub fn WaitClient() -> EglResult<EGLBoolean> {
    // EGL 1.5 3.9: success without a current context; else as glFinish.
    entry::with_current(|context| {
        let device = Arc::clone(context.device());
        let fence: FenceId = device.mint();
        context.pipe().flush(fence, FlushFlags::EMPTY);
        device.screen.fence_wait(fence, u64::MAX);
        device.screen.destroy_fence(fence);
        device.release(fence);
    });
    Ok(EGLBoolean::TRUE)
}

/// eglWaitGL: eglWaitClient for OpenGL ES, which here is the same.
pub fn WaitGL() -> EglResult<EGLBoolean> {
    WaitClient()
}

/// eglWaitNative.
pub fn WaitNative(engine: EGLint) -> EglResult<EGLBoolean> {
    ensure(engine == EGL_CORE_NATIVE_ENGINE, EGL_BAD_PARAMETER, "not a marking engine")?;
    let display = thread::with_current(|current| current.map(|current| current.context.display));
    if let Some(native) = display.and_then(|display| display.session()).and_then(|session| session.native.clone()) {
        native.wait();
    }
    Ok(EGLBoolean::TRUE)
}
