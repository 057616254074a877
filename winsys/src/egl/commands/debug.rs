//! EGL_KHR_debug.

use crate::egl::client::{ClientArray, Out};
use crate::egl::error::{EglError, EglResult};
use crate::egl::types::*;
use crate::egl::{debug, display, thread};

/// eglDebugMessageControlKHR.
pub fn DebugMessageControlKHR(callback: EGLDEBUGPROCKHR, attrib_list: ClientArray<EGLAttrib>) -> EglResult<EGLint> {
    // EGL_KHR_debug: the error code is also the result.
    Ok(match attrib_list.pairs().and_then(|attributes| debug::control(callback, &attributes)) {
        Ok(()) => EGL_SUCCESS,
        Err(error) => error.code,
    })
}

/// eglQueryDebugKHR.
pub fn QueryDebugKHR(attribute: EGLint, value: Out<EGLAttrib>) -> EglResult<EGLBoolean> {
    value.require("value")?;
    value.set(debug::query(attribute)?);
    Ok(EGLBoolean::TRUE)
}

/// eglLabelObjectKHR.
pub fn LabelObjectKHR(
    dpy: EGLDisplay,
    object_type: EGLenum,
    object: NativeHandle,
    label: NativeHandle,
) -> EglResult<EGLint> {
    Ok(match label_object(dpy, object_type, object, label) {
        Ok(()) => EGL_SUCCESS,
        Err(error) => error.code,
    })
}

fn label_object(dpy: EGLDisplay, object_type: EGLenum, object: NativeHandle, label: NativeHandle) -> EglResult<()> {
    let bad = || EglError::new(EGL_BAD_PARAMETER, "not an object of this type");
    let object_type = EGLint::try_from(object_type).unwrap_or(EGL_NONE);
    if object_type == EGL_OBJECT_THREAD_KHR {
        // EGL_KHR_debug: a thread's label needs neither display nor object.
        thread::set_label(label);
        return Ok(());
    }
    if object_type == EGL_OBJECT_DISPLAY_KHR {
        // The display may be given twice, and need not be initialised.
        let display = display::lookup(dpy)?;
        if display.handle().0 != object.0 {
            return Err(bad());
        }
        display.label.set(label);
        return Ok(());
    }
    let session = display::session(dpy)?;
    match object_type {
        EGL_OBJECT_CONTEXT_KHR => session.context(EGLContext(object.0)).map_err(|_| bad())?.label.set(label),
        EGL_OBJECT_SURFACE_KHR => session.surface(EGLSurface(object.0)).map_err(|_| bad())?.label.set(label),
        EGL_OBJECT_SYNC_KHR => session.sync(EGLSync(object.0)).map_err(|_| bad())?.label.set(label),
        _ => return Err(bad()),
    }
    Ok(())
}
