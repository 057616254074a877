//! Windows on a real X server: sizes, resizing, lost windows. Skipped, with a line that says so, where no X server can be
//! started.

mod support;

use std::ptr::{null, null_mut};

use support::x11::{self, Window};
use support::*;
use x11rb::connection::Connection as _;

fn size(egl: &Egl, display: Handle, surface: Handle) -> (i32, i32) {
    let (mut width, mut height) = (0, 0);
    assert_eq!(egl.eglQuerySurface(display, surface, WIDTH, &mut width), 1);
    assert_eq!(egl.eglQuerySurface(display, surface, HEIGHT, &mut height), 1);
    (width, height)
}

#[test]
fn windows() {
    let Some(server) = x11::start_server() else { return };
    set_environment(&[("DISPLAY", &server.name)]);
    let egl = egl();
    let connection = server.connect();

    let display = egl.eglGetDisplay(NONE);
    assert_eq!(display, egl.eglGetPlatformDisplay(PLATFORM_X11, NONE, null()), "the default display is the X server");
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
    assert_eq!(egl.eglBindAPI(OPENGL_API), 1);
    let extensions = egl.text(egl.eglQueryString(display, EXTENSIONS)).expect("extensions");
    assert!(extensions.contains("EGL_EXT_buffer_age"));
    let config = egl.choose(display, &[SURFACE_TYPE, WINDOW_BIT, RED_SIZE, 8, ALPHA_SIZE, 8, DEPTH_SIZE, 24]);
    let mut visual = 0;
    assert_eq!(egl.eglGetConfigAttrib(display, config, 0x302E, &mut visual), 1);
    assert_eq!(visual as u32, connection.setup().roots[0].root_visual, "an opaque visual comes first");

    bad_windows(egl, display, config, &connection);
    frames(egl, display, config, &connection);
    several_windows(egl, display, config, &connection);
    platform_windows(egl, &connection);
    lost_window(egl, display, config, &connection);
    assert_eq!(egl.eglTerminate(display), 1);
}

fn bad_windows(egl: &Egl, display: Handle, config: Handle, connection: &x11::Connection) {
    for handle in [NONE, 0x7777_7777 as Handle, usize::MAX as Handle] {
        assert!(egl.eglCreateWindowSurface(display, config, handle, null()).is_null());
        egl.expect(BAD_NATIVE_WINDOW, "no such window");
    }
    let window = Window::new(connection, 30, 20);
    let list = [WIDTH, 5, END];
    assert!(egl.eglCreateWindowSurface(display, config, window.handle(), list.as_ptr()).is_null());
    egl.expect(BAD_ATTRIBUTE, "not a window attribute");
    let surface = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    assert!(!surface.is_null(), "{:#06x}", egl.eglGetError());
    assert!(egl.eglCreateWindowSurface(display, config, window.handle(), null()).is_null());
    egl.expect(BAD_ALLOC, "second surface of one window");
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    let again = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    assert!(!again.is_null(), "the first surface is gone");
    // Destroyed, and still there while it is current.
    let context = egl.context(display, config, NONE);
    assert_eq!(egl.eglMakeCurrent(display, again, again, context), 1);
    assert_eq!(egl.eglDestroySurface(display, again), 1);
    assert!(egl.eglCreateWindowSurface(display, config, window.handle(), null()).is_null());
    egl.expect(BAD_ALLOC, "the window's surface is still current");
    egl.release(display);
    let last = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    assert!(!last.is_null(), "no longer current: {:#06x}", egl.eglGetError());
    assert_eq!(egl.eglDestroySurface(display, last), 1);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
    window.destroy();
}

fn frames(egl: &Egl, display: Handle, config: Handle, connection: &x11::Connection) {
    let window = Window::new(connection, 64, 48);
    let surface = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    let context = egl.context(display, config, NONE);
    let mut age = -1;
    assert_eq!(egl.eglQuerySurface(display, surface, 0x313D, &mut age), 0);
    egl.expect(BAD_SURFACE, "buffer age of a surface that isn't current");
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    assert_eq!(size(egl, display, surface), (64, 48));
    assert_eq!(egl.eglQuerySurface(display, surface, 0x313D, &mut age), 1);
    assert_eq!(age, 0, "nothing was presented");
    for interval in [1, 0, -3, 100] {
        assert_eq!(egl.eglSwapInterval(display, interval), 1);
        assert_eq!(egl.eglSwapBuffers(display, surface), 1);
    }
    let rects = [0, 0, 10, 10, 5, 5, 1, 1];
    assert_eq!(egl.eglSwapBuffersWithDamageKHR(display, surface, rects.as_ptr(), 2), 1);
    window.resize(100, 80);
    assert_eq!(size(egl, display, surface), (100, 80));
    assert_eq!(egl.eglSwapBuffers(display, surface), 1);
    assert_eq!(size(egl, display, surface), (100, 80));
    egl.release(display);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    window.destroy();
}

fn several_windows(egl: &Egl, display: Handle, config: Handle, connection: &x11::Connection) {
    let windows = [Window::new(connection, 10, 11), Window::new(connection, 20, 22)];
    let surfaces = windows.each_ref().map(|w| egl.eglCreateWindowSurface(display, config, w.handle(), null()));
    let context = egl.context(display, config, NONE);
    for _ in 0..3 {
        for surface in surfaces {
            assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
            assert_eq!(egl.eglSwapBuffers(display, surface), 1);
        }
    }
    assert_eq!(egl.eglSwapBuffers(display, surfaces[0]), 0);
    egl.expect(BAD_SURFACE, "the other window is current");
    assert_eq!(egl.eglMakeCurrent(display, surfaces[0], surfaces[1], context), 1, "read from the other");
    egl.release(display);
    for (surface, window) in surfaces.into_iter().zip(&windows) {
        assert_eq!(egl.eglDestroySurface(display, surface), 1);
        window.destroy();
    }
    assert_eq!(egl.eglDestroyContext(display, context), 1);
}

/// EGL_EXT_platform_xcb and EGL_KHR_platform_x11 pass a pointer to the window.
fn platform_windows(egl: &Egl, connection: &x11::Connection) {
    let window = Window::new(connection, 33, 44);
    for platform in [PLATFORM_X11, PLATFORM_XCB] {
        let display = egl.eglGetPlatformDisplay(platform, NONE, null());
        assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
        let config = egl.choose(display, &[SURFACE_TYPE, WINDOW_BIT, RED_SIZE, 8]);
        let mut id = u64::from(window.id);
        let surface = egl.eglCreatePlatformWindowSurface(display, config, (&raw mut id).cast(), null());
        assert!(!surface.is_null(), "{platform:#x}: {:#06x}", egl.eglGetError());
        assert_eq!(size(egl, display, surface), (33, 44));
        assert!(egl.eglCreatePlatformWindowSurface(display, config, NONE, null()).is_null());
        egl.expect(BAD_NATIVE_WINDOW, "no pointer");
        assert_eq!(egl.eglDestroySurface(display, surface), 1);
    }
    window.destroy();
}

fn lost_window(egl: &Egl, display: Handle, config: Handle, connection: &x11::Connection) {
    let window = Window::new(connection, 64, 48);
    let surface = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    let context = egl.context(display, config, NONE);
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    assert_eq!(egl.eglSwapBuffers(display, surface), 1);
    window.destroy();
    assert_eq!(egl.eglSwapBuffers(display, surface), 0);
    egl.expect(BAD_NATIVE_WINDOW, "the window is gone");
    assert_eq!(size(egl, display, surface), (64, 48), "the last known size");
    egl.release(display);
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
}
