//! Surfaces: windows and pbuffers, and the textures a context draws to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

use gallite_gl::device::Device;
use gallite_gl::drawable::{Drawable, DrawableBuffer, DrawableBuffers};
use gallite_pipe::{
    Bind, Context as PipeContext, Format, Outcome, PresentStatus, Rect, ResetStatus, TextureDesc, TextureDim,
    TextureFlags, TextureId, WindowDesc, WindowId,
};
use parking_lot::Mutex;

use crate::egl::config::Config;
use crate::egl::display::{Display, Label, Session, WindowClaim, new_handle};
use crate::egl::error::{EglError, EglResult};
use crate::egl::surface_attributes::CreationAttributes;
use crate::egl::types::*;
use crate::native::{NativeDisplay, WindowInfo};

/// A surface of a display.
pub struct Surface {
    /// Its handle.
    pub handle: EGLSurface,
    /// The display it belongs to.
    pub display: &'static Display,
    /// The config it was made with.
    pub config: Config,
    /// What it was made with.
    pub creation: CreationAttributes,
    /// EGL_KHR_debug label.
    pub label: Label,
    /// Settable by eglSurfaceAttrib.
    pub mipmap_level: AtomicI32,
    /// Swap interval of eglSwapInterval, already clamped.
    pub swap_interval: AtomicI32,
    window: Option<Window>,
    stamp: Arc<AtomicU64>,
    /// Whether the window's size must be asked for before the next frame.
    extent_is_old: AtomicBool,
    /// Whether no context has been made current with it yet.
    is_new: AtomicBool,
    storage: Mutex<Storage>,
}

struct Window {
    native: Arc<dyn NativeDisplay>,
    info: WindowInfo,
    format: Format,
    /// Given up last, when the driver has let go of the window.
    _claim: WindowClaim,
}

/// The textures of a surface.
struct Storage {
    /// Where they are: the device of the contexts that draw to it.
    device: Arc<Device>,
    /// The window's image queue, null for a pbuffer.
    window: WindowId,
    width: u32,
    height: u32,
    /// Single-sample colour: a window's back image, or a pbuffer's image.
    color: TextureId,
    /// Multisampled colour, null without multisampling.
    multisample: TextureId,
    depth_stencil: TextureId,
    lost: bool,
}

impl std::fmt::Debug for Surface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surface").field("handle", &self.handle).finish_non_exhaustive()
    }
}

impl Surface {
    fn new(
        session: &Session,
        config: &Config,
        creation: CreationAttributes,
        window: Option<Window>,
        storage: Storage,
    ) -> Self {
        Self {
            handle: EGLSurface(new_handle()),
            display: session.display,
            config: config.clone(),
            creation,
            label: Label::default(),
            mipmap_level: AtomicI32::new(0),
            swap_interval: AtomicI32::new(1),
            window,
            stamp: Arc::new(AtomicU64::new(1)),
            extent_is_old: AtomicBool::new(true),
            is_new: AtomicBool::new(true),
            storage: Mutex::new(storage),
        }
    }

    /// A pbuffer. Its textures are made when a context first draws to it.
    pub fn pbuffer(session: &Session, config: &Config, creation: CreationAttributes) -> Self {
        let storage = Storage::new(session.device(), WindowId::NULL, (creation.width, creation.height));
        Self::new(session, config, creation, None, storage)
    }

    /// A window surface.
    ///
    /// # Errors
    /// `EGL_BAD_NATIVE_WINDOW` when it isn't a window, `EGL_BAD_MATCH` when it doesn't fit the config,
    /// `EGL_BAD_ALLOC` when the driver can't present to it.
    pub fn window(
        session: &Session,
        config: &Config,
        creation: CreationAttributes,
        native_window: usize,
    ) -> EglResult<Self> {
        let native = session
            .native
            .as_ref()
            .ok_or_else(|| EglError::new(EGL_BAD_NATIVE_WINDOW, "this display has no windows"))?;
        let info =
            native.window(native_window).map_err(|error| EglError::new(EGL_BAD_NATIVE_WINDOW, error.to_string()))?;
        let claim = session.display.claim_window(info.id)?;
        // A window of another visual is fine as long as it has the colour bits of the config.
        if !info.layout.is_some_and(|layout| config.fits(layout)) {
            return Err(EglError::new(EGL_BAD_MATCH, "the window's pixel format isn't the config's"));
        }
        let device = session.device();
        let offered = device.screen.window_formats(&info.native);
        let format = offered
            .iter()
            .copied()
            .find(|format| *format == config.window_format)
            .or_else(|| offered.iter().copied().find(|format| same_bits(*format, config.window_format)))
            .ok_or_else(|| EglError::new(EGL_BAD_ALLOC, "the driver presents no format of this config"))?
            .linear();
        let size = (info.width, info.height);
        let window = Window { native: Arc::clone(native), info, format, _claim: claim };
        let id = window.attach(&device, size)?;
        let storage = Storage::new(device, id, size);
        Ok(Self::new(session, config, creation, Some(window), storage))
    }

    /// Whether eglSwapBuffers shows anything.
    pub const fn is_window(&self) -> bool {
        self.window.is_some()
    }

    /// Size in pixels; a window's is asked for.
    pub fn size(&self) -> (u32, u32) {
        let known = {
            let storage = self.storage.lock();
            (storage.width, storage.height)
        };
        match &self.window {
            Some(window) => window.native.extent(window.info.id).unwrap_or(known),
            None => known,
        }
    }

    /// Age of the back buffer, 0 when its content is undefined (EGL_EXT_buffer_age). Asking settles which image that is.
    pub fn buffer_age(&self) -> u32 {
        if self.window.is_none() {
            return 0;
        }
        // A multisampled window keeps its own colour; saying 0 is always right.
        if self.config.samples > 0 {
            return 0;
        }
        let mut storage = self.storage.lock();
        self.update_extent(&mut storage);
        if storage.color.is_null() {
            self.allocate(&mut storage);
        }
        storage.device.screen.window_state(storage.window).buffer_age
    }

    /// Called when a context is made current with this surface: the window may have changed meanwhile.
    pub fn begin_frame(&self) {
        if self.window.is_some() {
            self.extent_is_old.store(true, Ordering::Relaxed);
            self.stamp.fetch_add(1, Ordering::Release);
        }
    }

    /// Called after a context was made current with this surface, which looked at its size: programs resize a window
    /// between the first eglMakeCurrent and the first draw, and the first frame shall have the size of then.
    pub fn begin_first_frame(&self) {
        if self.is_new.swap(false, Ordering::Relaxed) {
            self.begin_frame();
        }
    }

    /// Shows the back buffer. The context has flushed its state into `pipe`.
    ///
    /// # Errors
    /// `EGL_BAD_NATIVE_WINDOW` when the window is gone, `EGL_CONTEXT_LOST` when the device is.
    pub fn present(&self, pipe: &mut dyn PipeContext, damage: &[Rect]) -> EglResult<()> {
        if self.window.is_none() {
            return Ok(());
        }
        let mut storage = self.storage.lock();
        // A frame without a single verb hasn't looked at the window yet.
        self.update_extent(&mut storage);
        if storage.lost {
            return Err(EglError::new(EGL_BAD_NATIVE_WINDOW, "the window is gone"));
        }
        if storage.color.is_null() {
            // Nothing was ever drawn: the back image is undefined, yet the program asked to show it.
            self.allocate(&mut storage);
        }
        let interval = self.swap_interval.load(Ordering::Relaxed);
        let state = pipe.present(storage.window, storage.multisample, interval, damage);
        match state.status {
            PresentStatus::DONE | PresentStatus::SUBOPTIMAL => {
                drop(storage);
                self.begin_frame();
                Ok(())
            }
            PresentStatus::DEVICE_LOST => Err(EglError::new(EGL_CONTEXT_LOST, "the device is lost")),
            _ => {
                storage.lost = true;
                Err(EglError::new(EGL_BAD_NATIVE_WINDOW, "the window is gone"))
            }
        }
    }

    /// Follows the window's size.
    fn update_extent(&self, storage: &mut Storage) {
        let Some(window) = &self.window else { return };
        if !self.extent_is_old.swap(false, Ordering::Relaxed) {
            return;
        }
        match window.native.extent(window.info.id) {
            Ok(extent) if extent != (storage.width, storage.height) => {
                storage.free();
                (storage.width, storage.height) = extent;
                self.stamp.fetch_add(1, Ordering::Release);
            }
            Ok(_) => {}
            // Drawing goes on at the old size; eglSwapBuffers tells the program.
            Err(_) => storage.lost = true,
        }
    }

    fn samples(&self) -> u32 {
        self.config.samples.max(1).cast_unsigned()
    }

    fn color_format(&self) -> Format {
        self.window.as_ref().map_or(self.config.pbuffer_format, |window| window.format)
    }

    fn texture_desc(&self, storage: &Storage, format: Format, samples: u32, bind: Bind) -> TextureDesc {
        let is_srgb = self.creation.srgb && format.srgb().is_some();
        let flags = TextureFlags::EMPTY
            .with(TextureFlags::SURFACE_ORIENTED, self.window.is_some())
            .with(TextureFlags::MUTABLE_FORMAT, is_srgb);
        TextureDesc {
            format,
            dim: TextureDim::D2,
            flags,
            // A pbuffer may have no pixels (EGL 1.5 3.5.2); a texture has at least one.
            width: storage.width.max(1),
            height: storage.height.max(1),
            depth: 1,
            layers: 1,
            levels: 1,
            samples,
            bind,
        }
    }

    /// Called before a context is made current with this surface: what it draws to is made anew when the context is on
    /// another device than the contexts before, which happens when that device was lost.
    ///
    /// # Errors
    /// `EGL_BAD_ALLOC` when the driver can't present to the window any more.
    pub fn follow(&self, device: &Arc<Device>) -> EglResult<()> {
        let mut storage = self.storage.lock();
        // A context that is lost draws nothing, and need not take the surface from those that do.
        if Arc::ptr_eq(&storage.device, device) || device.screen.reset_status() != ResetStatus::NONE {
            return Ok(());
        }
        storage.free();
        if let Some(window) = &self.window {
            storage.release_window();
            storage.window = window.attach(device, (storage.width, storage.height))?;
            storage.lost = false;
        }
        storage.device = Arc::clone(device);
        drop(storage);
        self.begin_frame();
        self.stamp.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// Called before a context is made current with this surface: makes the buffers, if there are none yet.
    ///
    /// # Errors
    /// `EGL_BAD_ALLOC` when there is no memory for them (EGL 1.5 3.7.3).
    pub fn reserve(&self) -> EglResult<()> {
        let mut storage = self.storage.lock();
        self.update_extent(&mut storage);
        if !storage.color.is_null() {
            return Ok(());
        }
        self.allocate(&mut storage);
        let own = [storage.multisample, storage.depth_stencil, storage.color];
        // A window's image is the last of them, and is made when the window has one to give.
        let own = if self.window.is_some() { &own[..2] } else { &own };
        // Each is asked for, so that no context is told of them once more.
        let missing = own.iter().filter(|id| !id.is_null() && !storage.device.has_texture(**id)).count();
        if missing > 0 {
            storage.free();
            return Err(EglError::new(EGL_BAD_ALLOC, "there is no memory for the buffers of the surface"));
        }
        Ok(())
    }

    fn allocate(&self, storage: &mut Storage) {
        const COLOR: Bind = Bind(Bind::COLOR.0 | Bind::SAMPLED.0 | Bind::TRANSFER.0);
        const DEPTH: Bind = Bind(Bind::DEPTH_STENCIL.0 | Bind::SAMPLED.0 | Bind::TRANSFER.0);
        let device = Arc::clone(&storage.device);
        let screen = &device.screen;
        let format = self.color_format();
        let samples = self.samples();
        storage.color = device.mint();
        let desc = self.texture_desc(storage, format, 1, COLOR);
        match &self.window {
            Some(_) => screen.create_window_texture(storage.color, storage.window, &desc),
            None => screen.create_texture(storage.color, &desc),
        }
        if samples > 1 {
            storage.multisample = device.mint();
            screen.create_texture(storage.multisample, &self.texture_desc(storage, format, samples, COLOR));
        }
        if self.config.depth_stencil_format != Format::NONE {
            storage.depth_stencil = device.mint();
            let desc = self.texture_desc(storage, self.config.depth_stencil_format, samples, DEPTH);
            screen.create_texture(storage.depth_stencil, &desc);
        }
    }
}

impl Window {
    /// Attaches an image queue of a device to it.
    fn attach(&self, device: &Device, (width, height): (u32, u32)) -> EglResult<WindowId> {
        let id: WindowId = device.mint();
        let desc = WindowDesc { format: self.format, reserved: 0, width, height, min_images: 3 };
        if device.screen.create_window(id, &self.info.native, &desc) != Outcome::DONE {
            device.release(id);
            return Err(EglError::new(EGL_BAD_ALLOC, "the driver can't present to this window"));
        }
        Ok(id)
    }
}

impl Storage {
    fn new(device: Arc<Device>, window: WindowId, (width, height): (u32, u32)) -> Self {
        Self {
            device,
            window,
            width,
            height,
            color: TextureId::NULL,
            multisample: TextureId::NULL,
            depth_stencil: TextureId::NULL,
            lost: false,
        }
    }

    /// Gives the textures up.
    fn free(&mut self) {
        for id in [&mut self.color, &mut self.multisample, &mut self.depth_stencil] {
            let id = std::mem::take(id);
            if !id.is_null() {
                self.device.screen.destroy_texture(id);
                self.device.release(id);
            }
        }
    }

    fn release_window(&mut self) {
        let id = std::mem::take(&mut self.window);
        if !id.is_null() {
            self.device.screen.destroy_window(id);
            self.device.release(id);
        }
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        let storage = self.storage.get_mut();
        storage.free();
        storage.release_window();
    }
}

impl Drawable for Surface {
    fn stamp(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.stamp)
    }

    fn buffers(&self, _pipe: &mut dyn PipeContext) -> DrawableBuffers {
        let mut storage = self.storage.lock();
        self.update_extent(&mut storage);
        if storage.color.is_null() {
            self.allocate(&mut storage);
        }
        let buffer = |texture: TextureId, format: Format| {
            let srgb_format = if self.creation.srgb { format.srgb().unwrap_or(format) } else { format };
            DrawableBuffer { texture, format, srgb_format }
        };
        let none = DrawableBuffer::default();
        let format = self.color_format();
        let drawn = if storage.multisample.is_null() { storage.color } else { storage.multisample };
        let color = buffer(drawn, format);
        let depth_stencil = buffer(storage.depth_stencil, self.config.depth_stencil_format);
        DrawableBuffers {
            // EGL 1.5 2.2.2: a pbuffer has one colour buffer, whichever name the client API gives it. A
            // window's front buffer isn't ours to draw to.
            front: if self.window.is_some() { none } else { color },
            back: color,
            depth: if self.config.depth > 0 { depth_stencil } else { none },
            stencil: if self.config.stencil > 0 { depth_stencil } else { none },
            width: storage.width,
            height: storage.height,
            samples: self.samples(),
            double_buffered: self.window.is_some(),
            top_row_first: self.window.is_some(),
            has_alpha: self.config.color[3] > 0,
            srgb_capable: self.creation.srgb && format.srgb().is_some(),
        }
    }
}

/// Whether two colour formats have the same bits in each channel.
fn same_bits(a: Format, b: Format) -> bool {
    let bits = |format: Format| format.info().channels.map(|channel| channel.bits);
    bits(a) == bits(b)
}
