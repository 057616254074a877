//! The library behind libglvnd's libEGL.so.1, as an installed driver is reached. Skipped, with a line that says so, where
//! libEGL.so.1 isn't libglvnd's.

mod support;

use std::ptr::{null, null_mut};

use support::*;

#[test]
fn vendor_library() {
    let vendor_file = std::env::temp_dir().join(format!("gallite-vendor-{}.json", std::process::id()));
    let text = format!("{{\"file_format_version\": \"1.0.0\", \"ICD\": {{\"library_path\": \"{}\"}}}}", library_path());
    std::fs::write(&vendor_file, text).expect("vendor file");
    set_environment(&[("__EGL_VENDOR_LIBRARY_FILENAMES", &vendor_file.to_string_lossy()), ("GALLITE_DRIVER", "noop")]);
    // SAFETY: the system's own library.
    let Ok(probe) = (unsafe { libloading::Library::new("libEGL.so.1") }) else {
        skip("glvnd", "no libEGL.so.1");
        return;
    };
    // SAFETY: only looked up; Mesa's own libEGL has no such dispatch library.
    let is_glvnd = unsafe { libloading::Library::new("libGLdispatch.so.0") }.is_ok();
    drop(probe);
    if !is_glvnd {
        skip("glvnd", "libEGL.so.1 isn't libglvnd's");
        return;
    }
    let egl = load("libEGL.so.1");
    let display = egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, null());
    assert!(!display.is_null());
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
    assert_eq!(egl.text(egl.eglQueryString(display, VENDOR)).as_deref(), Some("Gallite"));
    let extensions = egl.text(egl.eglQueryString(NONE, EXTENSIONS)).expect("client extensions");
    assert!(extensions.contains("EGL_MESA_platform_surfaceless"), "{extensions}");

    // An extension command libglvnd doesn't know goes through our dispatch function.
    assert_eq!(egl.text(egl.eglGetDisplayDriverName(display)).as_deref(), Some("noop"));
    assert!(egl.eglGetDisplayDriverName(0x70 as Handle).is_null());
    egl.expect(BAD_DISPLAY, "dispatch of a bad display");

    // Devices find their vendor too.
    let (mut device, mut count) = (NONE, 0);
    assert_eq!(egl.eglQueryDevicesEXT(1, &mut device, &mut count), 1);
    assert!(!egl.eglQueryDeviceStringEXT(device, EXTENSIONS).is_null());

    // GL calls of libglvnd's own entry points arrive, and do not come back to it in a circle.
    assert_eq!(egl.eglBindAPI(OPENGL_API), 1);
    let context = egl.context(display, NONE, NONE);
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 1);
    let function = |name: &std::ffi::CStr| {
        let proc = egl.eglGetProcAddress(name.as_ptr());
        assert!(!proc.is_null(), "{name:?}");
        proc
    };
    // SAFETY: the prototype of glEnable.
    let enable: unsafe extern "C" fn(u32) = unsafe { std::mem::transmute(function(c"glEnable")) };
    // SAFETY: the prototype of glGetError.
    let get_error: unsafe extern "C" fn() -> u32 = unsafe { std::mem::transmute(function(c"glGetError")) };
    // SAFETY: any value may be passed; this one is no capability.
    let error = unsafe {
        enable(0xFFFF);
        get_error()
    };
    assert_eq!(error, 0x0500, "GL_INVALID_ENUM");
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, NONE), 1);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
    assert_eq!(egl.eglTerminate(display), 1);
    let _ = std::fs::remove_file(vendor_file);
}
