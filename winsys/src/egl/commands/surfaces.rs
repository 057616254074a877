//! EGL 1.5 3.5 and 3.6: surfaces.

use gallite_pipe::Features;

use crate::egl::client::{self, ClientArray, Out};
use crate::egl::current;
use crate::egl::display::{self, Platform};
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::surface::Surface;
use crate::egl::surface_attributes::{self, CreationAttributes};
use crate::egl::types::*;

fn create_window(
    dpy: EGLDisplay,
    config: EGLConfig,
    window: usize,
    attributes: &[(EGLint, EGLAttrib)],
) -> EglResult<EGLSurface> {
    let session = display::session(dpy)?;
    let config = session.config(config)?;
    // EGL 1.5 3.5.1.
    ensure(config.surface_type & EGL_WINDOW_BIT != 0, EGL_BAD_MATCH, "the config isn't for windows")?;
    let creation = CreationAttributes::for_window(attributes, config)?;
    let has_srgb = session.device().caps.features.contains(Features::WINDOW_SRGB);
    ensure(has_srgb || !creation.srgb, EGL_BAD_MATCH, "the device has no sRGB windows")?;
    Ok(session.add_surface(Surface::window(&session, config, creation, window)?))
}

/// eglCreateWindowSurface.
pub fn CreateWindowSurface(
    dpy: EGLDisplay,
    config: EGLConfig,
    win: NativeHandle,
    attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLSurface> {
    create_window(dpy, config, win.0, &attrib_list.pairs()?)
}

/// The window a pointer of the platform commands refers to. EGL_KHR_platform_x11 and EGL_EXT_platform_xcb: `native_window`
/// points to the `Window` or `xcb_window_t`.
fn pointed_window(dpy: EGLDisplay, native: NativeHandle) -> EglResult<usize> {
    let bad = || EglError::new(EGL_BAD_NATIVE_WINDOW, "not a pointer to a window");
    match display::lookup(dpy)?.key.platform {
        // `Window` is an unsigned long.
        Platform::Xlib(_) => client::pointed_long(native).ok_or_else(bad),
        Platform::Xcb(_) => client::pointed_int(native).map(|id| id as usize).ok_or_else(bad),
        Platform::Surfaceless | Platform::Device => Ok(native.0),
    }
}

/// eglCreatePlatformWindowSurface.
pub fn CreatePlatformWindowSurface(
    dpy: EGLDisplay,
    config: EGLConfig,
    native_window: NativeHandle,
    attrib_list: ClientArray<EGLAttrib>,
) -> EglResult<EGLSurface> {
    create_window(dpy, config, pointed_window(dpy, native_window)?, &attrib_list.pairs()?)
}

/// eglCreatePlatformWindowSurfaceEXT.
pub fn CreatePlatformWindowSurfaceEXT(
    dpy: EGLDisplay,
    config: EGLConfig,
    native_window: NativeHandle,
    attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLSurface> {
    create_window(dpy, config, pointed_window(dpy, native_window)?, &attrib_list.pairs()?)
}

/// eglCreatePbufferSurface.
pub fn CreatePbufferSurface(
    dpy: EGLDisplay,
    config: EGLConfig,
    attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLSurface> {
    let session = display::session(dpy)?;
    let config = session.config(config)?;
    ensure(config.surface_type & EGL_PBUFFER_BIT != 0, EGL_BAD_MATCH, "the config isn't for pbuffers")?;
    let creation = CreationAttributes::for_pbuffer(&attrib_list.pairs()?, config)?;
    Ok(session.add_surface(Surface::pbuffer(&session, config, creation)))
}

/// eglCreatePbufferFromClientBuffer: only OpenVG has such buffers.
pub fn CreatePbufferFromClientBuffer(
    dpy: EGLDisplay,
    _buftype: EGLenum,
    _buffer: NativeHandle,
    config: EGLConfig,
    _attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLSurface> {
    let session = display::session(dpy)?;
    session.config(config)?;
    // EGL 1.5 3.5.3: EGL_BAD_PARAMETER for a buffer type that isn't supported.
    Err(EglError::new(EGL_BAD_PARAMETER, "not a supported type of client buffer"))
}

fn create_pixmap(dpy: EGLDisplay, config: EGLConfig) -> EglResult<EGLSurface> {
    let session = display::session(dpy)?;
    session.config(config)?;
    // EGL 1.5 3.5.4: no config has EGL_PIXMAP_BIT.
    Err(EglError::new(EGL_BAD_MATCH, "the config isn't for pixmaps"))
}

/// eglCreatePixmapSurface.
pub fn CreatePixmapSurface(
    dpy: EGLDisplay,
    config: EGLConfig,
    _pixmap: NativeHandle,
    _attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLSurface> {
    create_pixmap(dpy, config)
}

/// eglCreatePlatformPixmapSurface.
pub fn CreatePlatformPixmapSurface(
    dpy: EGLDisplay,
    config: EGLConfig,
    _native_pixmap: NativeHandle,
    _attrib_list: ClientArray<EGLAttrib>,
) -> EglResult<EGLSurface> {
    create_pixmap(dpy, config)
}

/// eglCreatePlatformPixmapSurfaceEXT.
pub fn CreatePlatformPixmapSurfaceEXT(
    dpy: EGLDisplay,
    config: EGLConfig,
    _native_pixmap: NativeHandle,
    _attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLSurface> {
    create_pixmap(dpy, config)
}

/// eglDestroySurface.
pub fn DestroySurface(dpy: EGLDisplay, surface: EGLSurface) -> EglResult<EGLBoolean> {
    display::session(dpy)?.remove_surface(surface)?;
    Ok(EGLBoolean::TRUE)
}

/// eglQuerySurface.
pub fn QuerySurface(
    dpy: EGLDisplay,
    surface: EGLSurface,
    attribute: EGLint,
    value: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    let surface = session.surface(surface)?;
    value.require("value")?;
    if attribute == EGL_BUFFER_AGE_EXT {
        // EGL_EXT_buffer_age: the surface must be the thread's draw surface.
        current::require_draw_surface(&surface)?;
        value.set(surface.buffer_age().cast_signed());
        return Ok(EGLBoolean::TRUE);
    }
    if let Some(found) = surface_attributes::query(&surface, attribute)? {
        value.set(found);
    }
    Ok(EGLBoolean::TRUE)
}

/// eglSurfaceAttrib.
pub fn SurfaceAttrib(dpy: EGLDisplay, surface: EGLSurface, attribute: EGLint, value: EGLint) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    let surface = session.surface(surface)?;
    surface_attributes::set(&surface, attribute, value)?;
    Ok(EGLBoolean::TRUE)
}

fn require_texture_surface(dpy: EGLDisplay, surface: EGLSurface, buffer: EGLint) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    session.surface(surface)?;
    ensure(buffer == EGL_BACK_BUFFER, EGL_BAD_PARAMETER, "only EGL_BACK_BUFFER can be bound to a texture")?;
    // EGL 1.5 3.6.1: every surface's EGL_TEXTURE_FORMAT is EGL_NO_TEXTURE.
    Err(EglError::new(EGL_BAD_MATCH, "the surface's texture format is EGL_NO_TEXTURE"))
}

/// eglBindTexImage.
pub fn BindTexImage(dpy: EGLDisplay, surface: EGLSurface, buffer: EGLint) -> EglResult<EGLBoolean> {
    require_texture_surface(dpy, surface, buffer)
}

/// eglReleaseTexImage.
pub fn ReleaseTexImage(dpy: EGLDisplay, surface: EGLSurface, buffer: EGLint) -> EglResult<EGLBoolean> {
    require_texture_surface(dpy, surface, buffer)
}
