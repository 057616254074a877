//! EGL 1.5 chapters 3.1 to 3.3: errors, displays, initialisation, strings; and thread state.

use crate::egl::client::{ClientArray, Out};
use crate::egl::device::DeviceObject;
use crate::egl::display::{self, DisplayKey, Platform};
use crate::egl::entry::{OwnedStr, StaticStr};
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::types::*;
use crate::egl::{current, strings, thread};
use crate::environment;
use crate::native::{process_memory, x11};

/// eglGetError.
pub fn GetError() -> EglResult<EGLint> {
    // The frame sets the error to EGL_SUCCESS afterwards, as EGL 1.5 3.1 wants.
    Ok(thread::error())
}

/// Which of our platforms an unknown native display is of: an enumerant of eglGetPlatformDisplay, or `EGL_NONE`.
pub fn find_platform(native: NativeHandle) -> EGLint {
    if native == EGL_DEFAULT_DISPLAY || !x11::is_xlib_display(native.0) { EGL_NONE } else { EGL_PLATFORM_X11_KHR }
}

/// eglGetDisplay.
pub fn GetDisplay(display_id: NativeHandle) -> EglResult<EGLDisplay> {
    if display_id == EGL_DEFAULT_DISPLAY {
        return default_display();
    }
    // Where the kernel doesn't let us look, the old rule holds: a native display is an X11 one.
    let is_x11 = find_platform(display_id) == EGL_PLATFORM_X11_KHR || !process_memory::is_available();
    // EGL 1.5 3.2: no matching display is no error, only EGL_NO_DISPLAY.
    Ok(if is_x11 { simple(Platform::Xlib(display_id.0)) } else { EGLDisplay::NONE })
}

fn simple(platform: Platform) -> EGLDisplay {
    display::get(DisplayKey { platform, screen: None, device: EGLDeviceEXT::NONE })
}

/// The display of `EGL_DEFAULT_DISPLAY`.
pub fn default_display() -> EglResult<EGLDisplay> {
    let environment = environment::get();
    match environment.platform.as_deref() {
        Some("x11" | "xlib" | "xcb") => Ok(simple(Platform::Xlib(0))),
        Some("surfaceless") => Ok(simple(Platform::Surfaceless)),
        Some("device") => device_display(NativeHandle::NONE, &mut [].into_iter()),
        Some(other) => {
            tracing::warn!("EGL_PLATFORM names `{other}`, which isn't supported");
            Ok(EGLDisplay::NONE)
        }
        None => {
            let has_server = environment.has_x_display
                && x11::X11Display::open(x11::Source::Default, None)
                    .inspect_err(|error| tracing::info!("no X server: {error}"))
                    .is_ok();
            Ok(simple(if has_server { Platform::Xlib(0) } else { Platform::Surfaceless }))
        }
    }
}

fn device_display(
    native: NativeHandle,
    attributes: &mut dyn Iterator<Item = (EGLint, EGLAttrib)>,
) -> EglResult<EGLDisplay> {
    if let Some((name, _)) = attributes.next() {
        // EGL_EXT_device_drm's master descriptor isn't needed: we never set a display mode.
        ensure(name == EGL_DRM_MASTER_FD_EXT, EGL_BAD_ATTRIBUTE, "not an attribute of a device display")?;
    }
    let device = if native == EGL_DEFAULT_DISPLAY {
        DeviceObject::all().first().ok_or_else(|| EglError::new(EGL_BAD_PARAMETER, "there is no device"))?
    } else {
        // EGL_EXT_platform_device: EGL_BAD_PARAMETER, or EGL_BAD_DEVICE_EXT by EGL_EXT_device_base, whose handle it is.
        DeviceObject::lookup(EGLDeviceEXT(native.0))?
    };
    Ok(display::get(DisplayKey { platform: Platform::Device, screen: None, device: device.handle() }))
}

fn screen_number(value: EGLAttrib) -> EglResult<usize> {
    usize::try_from(value).map_err(|_| EglError::new(EGL_BAD_ATTRIBUTE, "a screen has a number from 0 on"))
}

/// eglGetPlatformDisplay and its EXT form.
pub fn platform_display(
    platform: EGLenum,
    native: NativeHandle,
    attributes: Vec<(EGLint, EGLAttrib)>,
) -> EglResult<EGLDisplay> {
    let mut screen = None;
    let mut device = EGLDeviceEXT::NONE;
    let mut rest = Vec::new();
    let platform = EGLint::try_from(platform).unwrap_or(EGL_NONE);
    let is_x11 = matches!(platform, EGL_PLATFORM_X11_KHR | EGL_PLATFORM_XCB_EXT);
    for (name, value) in attributes {
        match name {
            EGL_PLATFORM_X11_SCREEN_KHR if platform == EGL_PLATFORM_X11_KHR => screen = Some(screen_number(value)?),
            EGL_PLATFORM_XCB_SCREEN_EXT if platform == EGL_PLATFORM_XCB_EXT => screen = Some(screen_number(value)?),
            // EGL_EXT_explicit_device.
            EGL_DEVICE_EXT if platform != EGL_PLATFORM_DEVICE_EXT => {
                device = EGLDeviceEXT(value.cast_unsigned());
                if !device.is_none() {
                    DeviceObject::lookup(device)?;
                }
            }
            _ => rest.push((name, value)),
        }
    }
    if platform == EGL_PLATFORM_DEVICE_EXT {
        return device_display(native, &mut rest.into_iter());
    }
    ensure(rest.is_empty(), EGL_BAD_ATTRIBUTE, "not an attribute of this platform")?;
    let platform = match platform {
        EGL_PLATFORM_X11_KHR => Platform::Xlib(native.0),
        EGL_PLATFORM_XCB_EXT => Platform::Xcb(native.0),
        EGL_PLATFORM_SURFACELESS_MESA => {
            // EGL_MESA_platform_surfaceless: the native display must be EGL_DEFAULT_DISPLAY.
            ensure(native == EGL_DEFAULT_DISPLAY, EGL_BAD_PARAMETER, "a surfaceless display has no native display")?;
            Platform::Surfaceless
        }
        // EGL 1.5 3.2.
        _ => return Err(EglError::new(EGL_BAD_PARAMETER, "not a supported platform")),
    };
    let screen = if is_x11 { screen } else { None };
    Ok(display::get(DisplayKey { platform, screen, device }))
}

/// eglGetPlatformDisplay.
pub fn GetPlatformDisplay(
    platform: EGLenum,
    native_display: NativeHandle,
    attrib_list: ClientArray<EGLAttrib>,
) -> EglResult<EGLDisplay> {
    platform_display(platform, native_display, attrib_list.pairs()?)
}

/// eglGetPlatformDisplayEXT.
pub fn GetPlatformDisplayEXT(
    platform: EGLenum,
    native_display: NativeHandle,
    attrib_list: ClientArray<EGLint>,
) -> EglResult<EGLDisplay> {
    platform_display(platform, native_display, attrib_list.pairs()?)
}

/// eglInitialize.
pub fn Initialize(dpy: EGLDisplay, major: Out<EGLint>, minor: Out<EGLint>) -> EglResult<EGLBoolean> {
    display::lookup(dpy)?.initialize()?;
    major.set(1);
    minor.set(5);
    Ok(EGLBoolean::TRUE)
}

/// eglTerminate.
pub fn Terminate(dpy: EGLDisplay) -> EglResult<EGLBoolean> {
    display::lookup(dpy)?.terminate();
    Ok(EGLBoolean::TRUE)
}

/// eglQueryString.
pub fn QueryString(dpy: EGLDisplay, name: EGLint) -> EglResult<StaticStr> {
    if dpy.is_none() {
        // EGL 1.5 3.3: without a display, the client's extensions and version.
        return match name {
            EGL_EXTENSIONS => Ok(StaticStr::new(strings::intern(&strings::CLIENT_EXTENSIONS.join(" ")))),
            EGL_VERSION => Ok(StaticStr::new(c"1.5")),
            _ => Err(EglError::new(EGL_BAD_DISPLAY, "EGL_NO_DISPLAY")),
        };
    }
    let session = display::session(dpy)?;
    Ok(StaticStr::new(match name {
        EGL_CLIENT_APIS => c"OpenGL",
        EGL_EXTENSIONS => strings::display_extensions(&session),
        EGL_VENDOR => c"Gallite",
        EGL_VERSION => c"1.5 Gallite",
        _ => return Err(EglError::new(EGL_BAD_PARAMETER, "not a string of a display")),
    }))
}

/// eglBindAPI.
pub fn BindAPI(api: EGLenum) -> EglResult<EGLBoolean> {
    // EGL 1.5 3.7: an API that isn't supported is EGL_BAD_PARAMETER. OpenGL ES and OpenVG aren't.
    ensure(supports_api(api), EGL_BAD_PARAMETER, "not a supported rendering API")?;
    thread::set_api(api);
    Ok(EGLBoolean::TRUE)
}

/// Whether contexts of a rendering API can be made.
pub fn supports_api(api: EGLenum) -> bool {
    api == EGL_OPENGL_API as EGLenum
}

/// eglQueryAPI.
pub fn QueryAPI() -> EglResult<EGLenum> {
    Ok(thread::api())
}

/// eglReleaseThread.
pub fn ReleaseThread() -> EglResult<EGLBoolean> {
    current::make_current(None)?;
    thread::reset();
    Ok(EGLBoolean::TRUE)
}

/// eglGetDisplayDriverName (EGL_MESA_query_driver).
pub fn GetDisplayDriverName(dpy: EGLDisplay) -> EglResult<StaticStr> {
    let session = display::session(dpy)?;
    let device = session.device();
    let name = gallite_pipe::text(&device.caps.driver_name);
    Ok(StaticStr::new(strings::intern(name.split(' ').next().unwrap_or_default())))
}

/// eglGetDisplayDriverConfig (EGL_MESA_query_driver): our driver has no options in Mesa's format.
pub fn GetDisplayDriverConfig(dpy: EGLDisplay) -> EglResult<OwnedStr> {
    display::session(dpy)?;
    Ok(OwnedStr::new(""))
}
