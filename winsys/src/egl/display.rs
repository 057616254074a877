//! Displays: what eglGetPlatformDisplay returns, and what one has between eglInitialize and eglTerminate.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gallite_gl::device::Device;
use gallite_pipe::{PipeError, ResetStatus};
use parking_lot::{Mutex, RwLock};

use crate::drivers;
use crate::egl::config::{self, Config};
use crate::egl::context::ContextObject;
use crate::egl::device::DeviceObject;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::surface::Surface;
use crate::egl::sync::SyncObject;
use crate::egl::thread;
use crate::egl::types::*;
use crate::native::NativeDisplay;
use crate::native::x11::{Source, X11Display};

/// Where a display's windows live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// X11 through a `Display *`, or our own connection when 0.
    Xlib(usize),
    /// X11 through an `xcb_connection_t *`, or our own connection when 0.
    Xcb(usize),
    /// No windows.
    Surfaceless,
    /// No windows, a device chosen by the program.
    Device,
}

/// Everything that makes two displays the same one (EGL 1.5 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DisplayKey {
    /// Platform with its native display.
    pub platform: Platform,
    /// Screen number of an X display.
    pub screen: Option<usize>,
    /// Device the program asked for.
    pub device: EGLDeviceEXT,
}

/// A display. Never freed: EGL has no command for that, and its address is its handle.
#[derive(Debug)]
pub struct Display {
    /// What it was asked for.
    pub key: DisplayKey,
    session: Mutex<Option<Arc<Session>>>,
    /// Native windows that have a surface. One that is destroyed and still current keeps its window, over eglTerminate too.
    windows: Mutex<HashSet<u64>>,
    /// EGL_KHR_debug label.
    pub label: Label,
}

/// A label of EGL_KHR_debug.
#[derive(Debug, Default)]
pub struct Label(AtomicUsize);

impl Label {
    /// The label.
    pub fn get(&self) -> NativeHandle {
        NativeHandle(self.0.load(Ordering::Relaxed))
    }

    /// Sets it.
    pub fn set(&self, label: NativeHandle) {
        self.0.store(label.0, Ordering::Relaxed);
    }

    /// Notes it as the label of what the running command is about.
    pub fn note(&self) {
        thread::set_object_label(self.get());
    }
}

/// An initialised display: its device, native connection, configs and objects.
///
/// Objects hold what they need themselves, so those that are current outlive eglTerminate.
pub struct Session {
    /// The display this is a session of.
    pub display: &'static Display,
    /// Screen and handle allocators: those of new objects. Another one takes its place when it is lost.
    device: Mutex<Arc<Device>>,
    /// Connection to the window system, on platforms that have windows.
    pub native: Option<Arc<dyn NativeDisplay>>,
    /// Configs by id - 1.
    pub configs: Vec<Config>,
    /// The EGLDeviceEXT that was asked for.
    chosen: Option<&'static DeviceObject>,
    objects: Mutex<Objects>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("key", &self.display.key).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Objects {
    contexts: HashMap<EGLContext, Arc<ContextObject>>,
    surfaces: HashMap<EGLSurface, Arc<Surface>>,
    syncs: HashMap<EGLSync, Arc<SyncObject>>,
}

static DISPLAYS: RwLock<Vec<&'static Display>> = RwLock::new(Vec::new());

/// A handle value that no object of this process has had.
pub fn new_handle() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0x1_0000);
    // Steps of 16 look like the pointers programs expect.
    NEXT.fetch_add(16, Ordering::Relaxed)
}

/// The display of a key; the same one for equal keys.
pub fn get(key: DisplayKey) -> EGLDisplay {
    let mut displays = DISPLAYS.write();
    if let Some(display) = displays.iter().find(|display| display.key == key) {
        return display.handle();
    }
    let display: &'static Display = Box::leak(Box::new(Display {
        key,
        session: Mutex::new(None),
        windows: Mutex::default(),
        label: Label::default(),
    }));
    displays.push(display);
    display.handle()
}

/// The display of a handle.
///
/// # Errors
/// `EGL_BAD_DISPLAY` when it isn't one.
pub fn lookup(handle: EGLDisplay) -> EglResult<&'static Display> {
    let displays = DISPLAYS.read();
    let display = displays
        .iter()
        .copied()
        .find(|display| display.handle() == handle)
        .ok_or_else(|| EglError::new(EGL_BAD_DISPLAY, "not a display"))?;
    display.label.note();
    Ok(display)
}

/// The session of an initialised display.
///
/// # Errors
/// `EGL_BAD_DISPLAY` or `EGL_NOT_INITIALIZED`.
pub fn session(handle: EGLDisplay) -> EglResult<Arc<Session>> {
    lookup(handle)?.session().ok_or_else(|| EglError::new(EGL_NOT_INITIALIZED, "the display isn't initialised"))
}

/// A native window's one surface (EGL 1.5 3.5.1), for as long as it lives.
#[derive(Debug)]
pub struct WindowClaim {
    display: &'static Display,
    window: u64,
}

impl Drop for WindowClaim {
    fn drop(&mut self) {
        self.display.windows.lock().remove(&self.window);
    }
}

impl Display {
    /// Takes a native window for a surface.
    ///
    /// # Errors
    /// `EGL_BAD_ALLOC` when it has a surface already.
    pub fn claim_window(&'static self, window: u64) -> EglResult<WindowClaim> {
        let is_free = self.windows.lock().insert(window);
        ensure(is_free, EGL_BAD_ALLOC, "the window already has a surface")?;
        Ok(WindowClaim { display: self, window })
    }

    /// Its handle.
    pub fn handle(&'static self) -> EGLDisplay {
        EGLDisplay(std::ptr::from_ref(self) as usize)
    }

    /// Its session, when initialised.
    pub fn session(&self) -> Option<Arc<Session>> {
        self.session.lock().clone()
    }

    /// Initialises; again is fine and changes nothing (EGL 1.5 3.2).
    ///
    /// # Errors
    /// `EGL_NOT_INITIALIZED` when the window system or the device isn't there.
    pub fn initialize(&'static self) -> EglResult<()> {
        let mut session = self.session.lock();
        if session.is_none() {
            *session = Some(Arc::new(self.open()?));
        }
        Ok(())
    }

    fn open(&'static self) -> EglResult<Session> {
        let fail = |message: String| {
            tracing::warn!("eglInitialize: {message}");
            EglError::new(EGL_NOT_INITIALIZED, message)
        };
        let native: Option<Arc<dyn NativeDisplay>> = match self.key.platform {
            Platform::Xlib(0) | Platform::Xcb(0) => Some(Source::Default),
            Platform::Xlib(display) => Some(Source::Xlib(display)),
            Platform::Xcb(connection) => Some(Source::Xcb(connection)),
            Platform::Surfaceless | Platform::Device => None,
        }
        .map(|source| X11Display::open(source, self.key.screen))
        .transpose()
        .map_err(fail)?
        .map(|display| Arc::new(display) as Arc<dyn NativeDisplay>);
        let chosen = DeviceObject::lookup(self.key.device).ok();
        let device = open_device(chosen).map_err(|error| fail(error.to_string()))?;
        let visuals = native.as_ref().map_or(&[][..], |native| native.visuals());
        let formats = |format| {
            let caps = device.screen.format_caps(format);
            (caps.uses, caps.sample_counts)
        };
        let configs = config::list(&device.caps, &formats, visuals);
        let device = Mutex::new(device);
        Ok(Session { display: self, device, native, configs, chosen, objects: Mutex::default() })
    }

    /// Ends the session. EGL 1.5 3.2: all objects are marked for deletion; those current to a thread go when they
    /// are no longer current.
    pub fn terminate(&self) {
        let session = self.session.lock().take();
        if let Some(session) = session {
            // Dropped here, outside of the locks: destroying may call the driver.
            let objects = std::mem::take(&mut *session.objects.lock());
            // EGL_KHR_reusable_sync: they are destroyed, and nobody waits for what is destroyed.
            objects.syncs.values().for_each(|sync| sync.wake());
            drop(objects);
        }
    }
}

fn open_device(chosen: Option<&DeviceObject>) -> Result<Arc<Device>, PipeError> {
    drivers::open(chosen.map(|device| device.description.selector.as_str()))
}

impl Session {
    /// The device that new objects are made on.
    pub fn device(&self) -> Arc<Device> {
        Arc::clone(&self.device.lock())
    }

    /// The device for a context that shares with no other: never one that is lost, so that a program whose contexts were
    /// lost goes on with new ones (GL 4.6 core 2.3.2).
    pub fn live_device(&self) -> Arc<Device> {
        let mut device = self.device.lock();
        if device.screen.reset_status() != ResetStatus::NONE {
            match open_device(self.chosen) {
                Ok(fresh) => *device = fresh,
                // Making the context reports that there is none.
                Err(error) => tracing::warn!("the device is lost, and no other can be had: {error}"),
            }
        }
        Arc::clone(&device)
    }

    /// The EGLDeviceEXT this display renders on. Without a choice the devices are listed for it, which takes time.
    pub fn device_object(&self) -> Option<&'static DeviceObject> {
        self.chosen.or_else(|| DeviceObject::of_screen(&self.device().caps))
    }

    /// The config of a handle.
    ///
    /// # Errors
    /// `EGL_BAD_CONFIG`.
    pub fn config(&self, handle: EGLConfig) -> EglResult<&Config> {
        handle
            .0
            .checked_sub(1)
            .and_then(|index| self.configs.get(index))
            .ok_or_else(|| EglError::new(EGL_BAD_CONFIG, "not a config of this display"))
    }

    /// The context of a handle.
    ///
    /// # Errors
    /// `EGL_BAD_CONTEXT`.
    pub fn context(&self, handle: EGLContext) -> EglResult<Arc<ContextObject>> {
        let context = self.objects.lock().contexts.get(&handle).cloned();
        let context = context.ok_or_else(|| EglError::new(EGL_BAD_CONTEXT, "not a context of this display"))?;
        context.label.note();
        Ok(context)
    }

    /// The surface of a handle.
    ///
    /// # Errors
    /// `EGL_BAD_SURFACE`.
    pub fn surface(&self, handle: EGLSurface) -> EglResult<Arc<Surface>> {
        let surface = self.objects.lock().surfaces.get(&handle).cloned();
        let surface = surface.ok_or_else(|| EglError::new(EGL_BAD_SURFACE, "not a surface of this display"))?;
        surface.label.note();
        Ok(surface)
    }

    /// The sync object of a handle.
    ///
    /// # Errors
    /// `EGL_BAD_PARAMETER`.
    pub fn sync(&self, handle: EGLSync) -> EglResult<Arc<SyncObject>> {
        let sync = self.objects.lock().syncs.get(&handle).cloned();
        let sync = sync.ok_or_else(|| EglError::new(EGL_BAD_PARAMETER, "not a sync object of this display"))?;
        sync.label.note();
        Ok(sync)
    }

    /// Takes a new context in.
    pub fn add_context(&self, context: ContextObject) -> EGLContext {
        let handle = context.handle;
        self.objects.lock().contexts.insert(handle, Arc::new(context));
        handle
    }

    /// Takes a new sync object in.
    pub fn add_sync(&self, sync: SyncObject) -> EGLSync {
        let handle = EGLSync(new_handle());
        self.objects.lock().syncs.insert(handle, Arc::new(sync));
        handle
    }

    /// Takes a new window surface or pbuffer in.
    pub fn add_surface(&self, surface: Surface) -> EGLSurface {
        let handle = surface.handle;
        self.objects.lock().surfaces.insert(handle, Arc::new(surface));
        handle
    }

    /// Forgets a context; it lives on while it is current.
    ///
    /// # Errors
    /// `EGL_BAD_CONTEXT`.
    pub fn remove_context(&self, handle: EGLContext) -> EglResult<()> {
        self.context(handle)?;
        let removed = self.objects.lock().contexts.remove(&handle);
        drop(removed);
        Ok(())
    }

    /// Forgets a surface; it lives on while it is current.
    ///
    /// # Errors
    /// `EGL_BAD_SURFACE`.
    pub fn remove_surface(&self, handle: EGLSurface) -> EglResult<()> {
        self.surface(handle)?;
        let removed = self.objects.lock().surfaces.remove(&handle);
        drop(removed);
        Ok(())
    }

    /// Forgets a sync object, and returns it so that its waiters can be woken.
    ///
    /// # Errors
    /// `EGL_BAD_PARAMETER`.
    pub fn remove_sync(&self, handle: EGLSync) -> EglResult<Arc<SyncObject>> {
        self.sync(handle)?;
        let removed = self.objects.lock().syncs.remove(&handle);
        removed.ok_or_else(|| EglError::new(EGL_BAD_PARAMETER, "not a sync object of this display"))
    }
}
