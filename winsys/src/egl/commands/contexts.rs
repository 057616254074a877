//! EGL 1.5 3.7: contexts.

use std::sync::Arc;

use crate::egl::client::{ClientArray, Out};
use crate::egl::config::Config;
use crate::egl::context::{ContextAttributes, ContextObject};
use crate::egl::current::{self, Current};
use crate::egl::display::{self, Session};
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::surface::Surface;
use crate::egl::thread;
use crate::egl::types::*;

/// eglCreateContext.
pub fn CreateContext(
    dpy: EGLDisplay,
    config: EGLConfig,
    share_context: EGLContext,
    attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLContext> {
    let session = display::session(dpy)?;
    // EGL_KHR_no_config_context: without a config, any surface will do.
    let config_id = if config.is_none() { 0 } else { session.config(config)?.id };
    // EGL 1.5 3.7.1: EGL_BAD_MATCH when the current rendering API is EGL_NONE.
    ensure(thread::api() == EGL_OPENGL_API as EGLenum, EGL_BAD_MATCH, "no supported rendering API is bound")?;
    let share = if share_context.is_none() { None } else { Some(session.context(share_context)?) };
    let attributes = ContextAttributes::parse(&attrib_list.pairs()?)?;
    let context = ContextObject::new(&session, config_id, attributes, share.as_deref())?;
    Ok(session.add_context(context))
}

/// eglDestroyContext.
pub fn DestroyContext(dpy: EGLDisplay, ctx: EGLContext) -> EglResult<EGLBoolean> {
    display::session(dpy)?.remove_context(ctx)?;
    Ok(EGLBoolean::TRUE)
}

/// eglMakeCurrent.
pub fn MakeCurrent(dpy: EGLDisplay, draw: EGLSurface, read: EGLSurface, ctx: EGLContext) -> EglResult<EGLBoolean> {
    if ctx.is_none() && draw.is_none() && read.is_none() {
        // EGL 1.5 3.7.3: releasing works on a display that isn't initialised (any more).
        display::lookup(dpy)?;
        current::make_current(None)?;
        return Ok(EGLBoolean::TRUE);
    }
    let session = display::session(dpy)?;
    // EGL 1.5 3.7.3: surfaces without a context, and one surface without the other, are EGL_BAD_MATCH.
    ensure(!ctx.is_none(), EGL_BAD_MATCH, "surfaces without a context")?;
    let context = session.context(ctx)?;
    ensure(draw.is_none() == read.is_none(), EGL_BAD_MATCH, "one surface without the other")?;
    let surface = |handle: EGLSurface| -> EglResult<Option<Arc<Surface>>> {
        if handle.is_none() { Ok(None) } else { session.surface(handle).map(Some) }
    };
    let (draw, read) = (surface(draw)?, surface(read)?);
    for surface in [&draw, &read].into_iter().flatten() {
        ensure_compatible(&session, &context, surface)?;
    }
    current::make_current(Some(Current { context, draw, read }))?;
    Ok(EGLBoolean::TRUE)
}

/// EGL 1.5 2.2: a context and a surface fit when their colour buffers have the same depth and type, and their other
/// buffers the same depths where both have them.
fn ensure_compatible(session: &Session, context: &ContextObject, surface: &Surface) -> EglResult<()> {
    if context.config_id == 0 {
        return Ok(());
    }
    let config = session.config(EGLConfig(context.config_id.cast_unsigned() as usize))?;
    ensure(are_compatible(config, &surface.config), EGL_BAD_MATCH, "the surface's config doesn't fit the context's")
}

fn are_compatible(context: &Config, surface: &Config) -> bool {
    let same_where_both_have = |a: EGLint, b: EGLint| a == 0 || b == 0 || a == b;
    context.color[..3] == surface.color[..3]
        && same_where_both_have(context.depth, surface.depth)
        && same_where_both_have(context.stencil, surface.stencil)
}

/// eglGetCurrentContext.
pub fn GetCurrentContext() -> EglResult<EGLContext> {
    Ok(thread::with_current(|current| current.map_or(EGLContext::NONE, |current| current.context.handle)))
}

/// eglGetCurrentSurface.
pub fn GetCurrentSurface(readdraw: EGLint) -> EglResult<EGLSurface> {
    thread::with_current(|current| {
        let surface = match readdraw {
            EGL_DRAW => current.and_then(|current| current.draw.as_ref()),
            EGL_READ => current.and_then(|current| current.read.as_ref()),
            _ => return Err(EglError::new(EGL_BAD_PARAMETER, "neither EGL_DRAW nor EGL_READ")),
        };
        Ok(surface.map_or(EGLSurface::NONE, |surface| surface.handle))
    })
}

/// eglGetCurrentDisplay.
pub fn GetCurrentDisplay() -> EglResult<EGLDisplay> {
    Ok(thread::with_current(|current| current.map_or(EGLDisplay::NONE, |current| current.context.display.handle())))
}

/// eglQueryContext.
pub fn QueryContext(dpy: EGLDisplay, ctx: EGLContext, attribute: EGLint, value: Out<EGLint>) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    let context = session.context(ctx)?;
    value.require("value")?;
    let gl = &context.attributes.gl;
    value.set(match attribute {
        EGL_CONFIG_ID => context.config_id,
        EGL_CONTEXT_CLIENT_TYPE => EGL_OPENGL_API,
        // EGL 1.5 3.7.4: the version asked for, not the one GL reports.
        EGL_CONTEXT_CLIENT_VERSION => gl.version.0.cast_signed(),
        EGL_RENDER_BUFFER => render_buffer(&context),
        EGL_CONTEXT_OPENGL_NO_ERROR_KHR => EGLint::from(gl.no_error),
        // EGL_EXT_query_reset_notification_strategy.
        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT => {
            if gl.reset_notification {
                EGL_LOSE_CONTEXT_ON_RESET
            } else {
                EGL_NO_RESET_NOTIFICATION
            }
        }
        _ => return Err(EglError::new(EGL_BAD_ATTRIBUTE, "not an attribute of a context")),
    });
    Ok(EGLBoolean::TRUE)
}

/// EGL 1.5 3.7.4: the buffer the context really renders to: that of its draw surface, none when it has none.
fn render_buffer(context: &Arc<ContextObject>) -> EGLint {
    thread::with_current(|current| match current {
        Some(current) if Arc::ptr_eq(&current.context, context) && current.draw.is_some() => EGL_BACK_BUFFER,
        _ => EGL_NONE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::Format;

    fn config(color: [EGLint; 4], depth: EGLint) -> Config {
        Config {
            id: 1,
            color,
            depth,
            stencil: 0,
            samples: 0,
            surface_type: EGL_PBUFFER_BIT,
            visual_id: 0,
            visual_type: EGL_NONE,
            window_format: Format::B8G8R8A8_UNORM,
            pbuffer_format: Format::R8G8B8A8_UNORM,
            depth_stencil_format: Format::NONE,
            max_pbuffer_size: 1,
        }
    }

    #[test]
    fn configs_fit_by_color_and_shared_buffers() {
        let base = config([8, 8, 8, 8], 24);
        assert!(are_compatible(&base, &config([8, 8, 8, 0], 24)));
        assert!(are_compatible(&base, &config([8, 8, 8, 8], 0)));
        assert!(!are_compatible(&base, &config([8, 8, 8, 8], 16)));
        assert!(!are_compatible(&base, &config([5, 6, 5, 0], 24)));
    }
}
