//! A native X11 window, through Xlib opened at run time.

use super::{environment, skip};
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_ulong, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

type DisplayPtr = *mut c_void;

struct Xlib {
    open: extern "C" fn(*const c_char) -> DisplayPtr,
    close: extern "C" fn(DisplayPtr) -> c_int,
    root: extern "C" fn(DisplayPtr) -> c_ulong,
    create: extern "C" fn(DisplayPtr, c_ulong, c_int, c_int, c_uint, c_uint, c_uint, c_ulong, c_ulong) -> c_ulong,
    destroy: extern "C" fn(DisplayPtr, c_ulong) -> c_int,
    map: extern "C" fn(DisplayPtr, c_ulong) -> c_int,
    resize: extern "C" fn(DisplayPtr, c_ulong, c_uint, c_uint) -> c_int,
    sync: extern "C" fn(DisplayPtr, c_int) -> c_int,
    image: extern "C" fn(DisplayPtr, c_ulong, c_int, c_int, c_uint, c_uint, c_ulong, c_int) -> *mut c_void,
    pixel: extern "C" fn(*mut c_void, c_int, c_int) -> c_ulong,
    destroy_image: extern "C" fn(*mut c_void) -> c_int,
    xcb: Option<extern "C" fn(DisplayPtr) -> *mut c_void>,
}

fn symbol<T: Copy>(library: &Library, name: &str) -> Result<T, String> {
    // SAFETY: the caller asks for the prototype that Xlib's manual gives for this name.
    unsafe { library.get::<T>(name.as_bytes()).map(|symbol| *symbol).map_err(|e| e.to_string()) }
}

fn load() -> Result<Xlib, String> {
    let open = |name: &str| {
        // SAFETY: Xlib's initialisers rely on nothing of ours.
        unsafe { Library::new(name) }.map_err(|e| e.to_string())
    };
    let x = open("libX11.so.6")?;
    let init: extern "C" fn() -> c_int = symbol(&x, "XInitThreads\0")?;
    init();
    let xcb = open("libX11-xcb.so.1").ok();
    let table = Xlib {
        open: symbol(&x, "XOpenDisplay\0")?,
        close: symbol(&x, "XCloseDisplay\0")?,
        root: symbol(&x, "XDefaultRootWindow\0")?,
        create: symbol(&x, "XCreateSimpleWindow\0")?,
        destroy: symbol(&x, "XDestroyWindow\0")?,
        map: symbol(&x, "XMapWindow\0")?,
        resize: symbol(&x, "XResizeWindow\0")?,
        sync: symbol(&x, "XSync\0")?,
        image: symbol(&x, "XGetImage\0")?,
        pixel: symbol(&x, "XGetPixel\0")?,
        destroy_image: symbol(&x, "XDestroyImage\0")?,
        xcb: xcb.as_ref().and_then(|library| symbol(library, "XGetXCBConnection\0").ok()),
    };
    std::mem::forget((x, xcb));
    Ok(table)
}

/// Ends the running test as skipped, or as failed where windows are required.
fn skip_window(reason: &str) -> ! {
    assert!(!environment::requires("x11"), "x11 is required: {reason}");
    skip(reason)
}

fn xlib() -> &'static Xlib {
    static XLIB: OnceLock<Result<Xlib, String>> = OnceLock::new();
    match XLIB.get_or_init(load) {
        Ok(table) => table,
        Err(reason) => skip_window(reason),
    }
}

/// A connection to the X server.
pub struct Connection {
    display: DisplayPtr,
}

impl Connection {
    /// Connects to `DISPLAY`; without a server the test is skipped.
    pub fn open() -> Self {
        let display = (xlib().open)(std::ptr::null());
        if display.is_null() {
            skip_window("no X server");
        }
        Self { display }
    }

    /// The `Display*` that EGL takes.
    pub fn native(&self) -> *mut c_void {
        self.display
    }

    /// The `xcb_connection_t*` of the same connection.
    pub fn xcb(&self) -> *mut c_void {
        match xlib().xcb {
            Some(get) => get(self.display),
            None => skip_window("no libX11-xcb"),
        }
    }

    /// Waits until the server has seen every request.
    pub fn sync(&self) {
        (xlib().sync)(self.display, 0);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        (xlib().close)(self.display);
    }
}

/// A mapped window.
pub struct Window<'a> {
    connection: &'a Connection,
    id: c_ulong,
}

impl<'a> Window<'a> {
    /// Creates and maps a window of this size.
    pub fn new(connection: &'a Connection, width: u32, height: u32) -> Self {
        let x = xlib();
        // Apart from each other: what another window hides is not kept by the server.
        static MADE: AtomicI32 = AtomicI32::new(0);
        let at = MADE.fetch_add(1, Ordering::Relaxed) % 10 * 120;
        let root = (x.root)(connection.display);
        let id = (x.create)(connection.display, root, at, 0, width, height, 0, 0, 0);
        (x.map)(connection.display, id);
        connection.sync();
        Self { connection, id }
    }

    /// The XID that EGL takes.
    pub fn id(&self) -> usize {
        self.id as usize
    }

    /// Asks the server for another size.
    pub fn resize(&self, width: u32, height: u32) {
        (xlib().resize)(self.connection.display, self.id, width, height);
        self.connection.sync();
    }

    /// What the server shows, top row first, one 0xRRGGBB each.
    pub fn shown(&self, width: u32, height: u32) -> Vec<u32> {
        const ALL_PLANES: c_ulong = c_ulong::MAX;
        const Z_PIXMAP: c_int = 2;
        self.connection.sync();
        let x = xlib();
        let image = (x.image)(self.connection.display, self.id, 0, 0, width, height, ALL_PLANES, Z_PIXMAP);
        assert!(!image.is_null(), "XGetImage");
        let pixels = (0..height * width)
            .map(|at| ((x.pixel)(image, (at % width) as c_int, (at / width) as c_int) & 0xff_ffff) as u32)
            .collect();
        (x.destroy_image)(image);
        pixels
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        (xlib().destroy)(self.connection.display, self.id);
        self.connection.sync();
    }
}
