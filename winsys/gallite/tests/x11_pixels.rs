//! GL drawn to a window of an X server, as the server shows it. On the Vulkan driver unless GALLITE_TEST_DRIVER names another;
//! skipped, with a line that says so, where there is no X server to start or no device.

mod support;

use std::ptr::{null, null_mut};

use support::x11::{self, Window};
use support::*;

const COLOR_BUFFER_BIT: u32 = 0x4000;
const SCISSOR_TEST: u32 = 0x0C11;
const VIEWPORT: u32 = 0x0BA2;
const RGBA: u32 = 0x1908;
const UNSIGNED_BYTE: u32 = 0x1401;

/// The GL commands the test calls, found through eglGetProcAddress.
struct Gl {
    clear_color: unsafe extern "C" fn(f32, f32, f32, f32),
    clear: unsafe extern "C" fn(u32),
    enable: unsafe extern "C" fn(u32),
    disable: unsafe extern "C" fn(u32),
    scissor: unsafe extern "C" fn(i32, i32, i32, i32),
    get_integerv: unsafe extern "C" fn(u32, *mut i32),
    read_pixels: unsafe extern "C" fn(i32, i32, i32, i32, u32, u32, *mut u8),
}

impl Gl {
    fn load(egl: &Egl) -> Self {
        let get = |name: &std::ffi::CStr| {
            let proc = egl.eglGetProcAddress(name.as_ptr());
            assert!(!proc.is_null(), "{name:?}");
            proc
        };
        // SAFETY: the prototypes of these commands in the registry.
        unsafe {
            Self {
                clear_color: std::mem::transmute::<Handle, unsafe extern "C" fn(f32, f32, f32, f32)>(get(
                    c"glClearColor",
                )),
                clear: std::mem::transmute::<Handle, unsafe extern "C" fn(u32)>(get(c"glClear")),
                enable: std::mem::transmute::<Handle, unsafe extern "C" fn(u32)>(get(c"glEnable")),
                disable: std::mem::transmute::<Handle, unsafe extern "C" fn(u32)>(get(c"glDisable")),
                scissor: std::mem::transmute::<Handle, unsafe extern "C" fn(i32, i32, i32, i32)>(get(c"glScissor")),
                get_integerv: std::mem::transmute::<Handle, unsafe extern "C" fn(u32, *mut i32)>(get(c"glGetIntegerv")),
                read_pixels: std::mem::transmute::<Handle, unsafe extern "C" fn(i32, i32, i32, i32, u32, u32, *mut u8)>(
                    get(c"glReadPixels"),
                ),
            }
        }
    }

    fn fill(&self, [red, green, blue]: [f32; 3]) {
        // SAFETY: no pointers.
        unsafe {
            (self.clear_color)(red, green, blue, 0.25);
            (self.clear)(COLOR_BUFFER_BIT);
        }
    }

    fn fill_box(&self, color: [f32; 3], [x, y, width, height]: [i32; 4]) {
        // SAFETY: no pointers.
        unsafe {
            (self.enable)(SCISSOR_TEST);
            (self.scissor)(x, y, width, height);
        }
        self.fill(color);
        // SAFETY: no pointers.
        unsafe { (self.disable)(SCISSOR_TEST) }
    }

    fn viewport(&self) -> (i32, i32) {
        let mut value = [0; 4];
        // SAFETY: GL_VIEWPORT writes four values.
        unsafe { (self.get_integerv)(VIEWPORT, value.as_mut_ptr()) };
        (value[2], value[3])
    }

    fn pixel(&self, x: i32, y: i32) -> [u8; 4] {
        let mut pixel = [1; 4];
        // SAFETY: one pixel of four bytes.
        unsafe { (self.read_pixels)(x, y, 1, 1, RGBA, UNSIGNED_BYTE, pixel.as_mut_ptr()) };
        pixel
    }
}

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const GREEN: [f32; 3] = [0.0, 1.0, 0.0];
const BLUE: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn windows_show_what_was_drawn() {
    let Some(server) = x11::start_server() else { return };
    let driver = std::env::var("GALLITE_TEST_DRIVER").unwrap_or_else(|_| "vulkan".to_owned());
    set_environment(&[("DISPLAY", &server.name), ("GALLITE_TEST_DRIVER", &driver)]);
    let egl = egl();
    let connection = server.connect();
    let display = egl.eglGetDisplay(NONE);
    if egl.eglInitialize(display, null_mut(), null_mut()) != 1 {
        skip("vulkan", &format!("no device for {driver}"));
        return;
    }
    assert_eq!(egl.eglBindAPI(OPENGL_API), 1);
    let gl = Gl::load(egl);
    for (alpha, samples) in [(8, 0), (0, 0), (8, 4)] {
        let pairs = [SURFACE_TYPE, WINDOW_BIT, RED_SIZE, 8, ALPHA_SIZE, alpha, SAMPLES, samples];
        let config = egl.choose_with(display, &pairs, &[(ALPHA_SIZE, alpha), (SAMPLES, samples)]);
        orientation(egl, &gl, display, config, &connection);
    }
    let config = egl.choose(display, &[SURFACE_TYPE, WINDOW_BIT, RED_SIZE, 8, ALPHA_SIZE, 8]);
    resizing(egl, &gl, display, config, &connection);
    leaving(egl, &gl, display, config, &connection);
    assert_eq!(egl.eglTerminate(display), 1);
}

/// GL 4.6 core 8: the lower left corner of the window is (0, 0).
fn orientation(egl: &Egl, gl: &Gl, display: Handle, config: Handle, connection: &x11::Connection) {
    let window = Window::new(connection, 40, 30);
    let surface = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    assert!(!surface.is_null(), "{:#06x}", egl.eglGetError());
    let context = egl.context(display, config, NONE);
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    let mut alpha = 0;
    assert_eq!(egl.eglGetConfigAttrib(display, config, ALPHA_SIZE, &mut alpha), 1);
    // Without alpha bits alpha reads 1.
    let alpha = if alpha > 0 { 64 } else { 255 };
    for _ in 0..4 {
        gl.fill(BLUE);
        gl.fill_box(RED, [0, 0, 10, 5]);
        gl.fill_box(GREEN, [30, 20, 10, 10]);
        assert_eq!(gl.pixel(1, 1), [255, 0, 0, alpha]);
        assert_eq!(gl.pixel(39, 29), [0, 255, 0, alpha]);
        assert_eq!(gl.pixel(20, 15), [0, 0, 255, alpha]);
        assert_eq!(egl.eglSwapBuffers(display, surface), 1);
    }
    let shown = window.pixels(40, 30, |shown| shown.at(1, 28) == [255, 0, 0]);
    assert_eq!(shown.at(1, 28), [255, 0, 0], "lower left");
    assert_eq!(shown.at(9, 25), [255, 0, 0]);
    assert_eq!(shown.at(9, 24), [0, 0, 255]);
    assert_eq!(shown.at(38, 1), [0, 255, 0], "upper right");
    assert_eq!(shown.at(30, 9), [0, 255, 0]);
    assert_eq!(shown.at(29, 9), [0, 0, 255]);
    egl.release(display);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    window.destroy();
}

/// One context goes from window to window; the one it left is destroyed while its last clear has not been flushed.
fn leaving(egl: &Egl, gl: &Gl, display: Handle, config: Handle, connection: &x11::Connection) {
    let context = egl.context(display, config, NONE);
    let mut left: Option<(Window, Handle)> = None;
    for round in 0..6 {
        let window = Window::new(connection, 16, 16);
        let surface = egl.eglCreateWindowSurface(display, config, window.handle(), null());
        assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
        if let Some((window, surface)) = left.take() {
            assert_eq!(egl.eglDestroySurface(display, surface), 1);
            window.destroy();
        }
        gl.fill(if round % 2 == 0 { RED } else { GREEN });
        left = Some((window, surface));
    }
    let Some((window, surface)) = left else { return };
    assert_eq!(gl.pixel(8, 8)[..3], [0, 255, 0]);
    assert_eq!(egl.eglSwapBuffers(display, surface), 1);
    let shown = window.pixels(16, 16, |shown| shown.at(8, 8) == [0, 255, 0]);
    assert_eq!(shown.at(8, 8), [0, 255, 0]);
    egl.release(display);
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
    window.destroy();
}

/// The first frame after a resize has the new size; a fresh context's viewport too.
fn resizing(egl: &Egl, gl: &Gl, display: Handle, config: Handle, connection: &x11::Connection) {
    let window = Window::new(connection, 32, 32);
    let surface = egl.eglCreateWindowSurface(display, config, window.handle(), null());
    let context = egl.context(display, config, NONE);
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    assert_eq!(gl.viewport(), (32, 32));
    // EGL_EXT_buffer_age: images come round, and hold what their age says.
    let mut drawn: Vec<u8> = Vec::new();
    let mut oldest = 0;
    for frame in 0..8u8 {
        let mut age = -1;
        assert_eq!(egl.eglQuerySurface(display, surface, 0x313D, &mut age), 1);
        if age > 0 {
            assert_eq!(gl.pixel(3, 3)[0], drawn[drawn.len() - age as usize], "frame {frame}, age {age}");
        }
        oldest = oldest.max(age);
        drawn.push(frame * 30);
        gl.fill([f32::from(frame * 30) / 255.0, 0.0, 0.0]);
        assert_eq!(egl.eglSwapBuffers(display, surface), 1);
    }
    assert!(oldest > 0, "no image ever came back");
    for (width, height) in [(64, 16), (8, 50), (100, 100)] {
        window.resize(u32::from(width), u32::from(height));
        gl.fill(GREEN);
        gl.fill_box(BLUE, [i32::from(width) - 1, i32::from(height) - 1, 1, 1]);
        assert_eq!(egl.eglSwapBuffers(display, surface), 1);
        let shown = window.pixels(width, height, |shown| shown.at(width - 1, 0) == [0, 0, 255]);
        assert_eq!(shown.at(width - 1, 0), [0, 0, 255], "upper right of {width}x{height}");
        assert_eq!(shown.at(0, height - 1), [0, 255, 0], "lower left of {width}x{height}");
    }
    egl.release(display);
    let second = egl.context(display, config, NONE);
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, second), 1);
    assert_eq!(gl.viewport(), (100, 100));
    egl.release(display);
    for context in [context, second] {
        assert_eq!(egl.eglDestroyContext(display, context), 1);
    }
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    window.destroy();
}
