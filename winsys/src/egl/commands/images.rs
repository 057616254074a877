//! EGL 1.5 3.10: images. The commands exist since EGL 1.5 has them; no target is supported yet, which is an error and
//! not a silent success.

use crate::egl::client::ClientArray;
use crate::egl::display;
use crate::egl::error::{EglError, EglResult};
use crate::egl::types::*;

/// eglCreateImage.
pub fn CreateImage(
    dpy: EGLDisplay,
    ctx: EGLContext,
    _target: EGLenum,
    _buffer: NativeHandle,
    _attrib_list: ClientArray<EGLAttrib>,
) -> EglResult<EGLImage> {
    let session = display::session(dpy)?;
    if !ctx.is_none() {
        session.context(ctx)?;
    }
    Err(EglError::new(EGL_BAD_PARAMETER, "not a supported target of images"))
}

/// eglDestroyImage.
pub fn DestroyImage(dpy: EGLDisplay, _image: EGLImage) -> EglResult<EGLBoolean> {
    display::session(dpy)?;
    Err(EglError::new(EGL_BAD_PARAMETER, "not an image of this display"))
}
