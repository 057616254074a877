//! Native window systems, as far as EGL needs them: visuals, and windows with their extent.

pub mod process_memory;
pub mod x11;
mod xlib;

use gallite_pipe::resource::NativeWindow;

/// Colour layout of a visual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisualLayout {
    /// 8 bits each.
    Rgb8,
    /// 10 bits each.
    Rgb10,
    /// 5, 6 and 5 bits.
    R5G6B5,
}

/// A pixel format windows can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visual {
    /// Native identity.
    pub id: u32,
    /// Native class (X11: 4 is TrueColor).
    pub class: u8,
    /// Bits per pixel that mean something.
    pub depth: u8,
    /// Colour layout.
    pub layout: VisualLayout,
    /// Whether a compositor uses the window's alpha.
    pub translucent: bool,
}

/// A window of the program, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowInfo {
    /// As the drivers want it.
    pub native: NativeWindow,
    /// Native identity, unique on its display.
    pub id: u64,
    /// Colour layout, none when it is one no config has.
    pub layout: Option<VisualLayout>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// Why a window can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    /// There is no such window, or it can't show anything.
    #[error("not a window of this display")]
    NotAWindow,
    /// The connection to the window system broke.
    #[error("the connection to the window system is broken")]
    ConnectionLost,
}

/// A connection to a window system.
pub trait NativeDisplay: Send + Sync + std::fmt::Debug {
    /// Visuals that windows with a config of ours can have, the preferred first.
    fn visuals(&self) -> &[Visual];

    /// Looks a window up.
    ///
    /// # Errors
    /// When there is none.
    fn window(&self, handle: usize) -> Result<WindowInfo, WindowError>;

    /// A window's size in pixels now.
    ///
    /// # Errors
    /// When it is gone.
    fn extent(&self, id: u64) -> Result<(u32, u32), WindowError>;

    /// Waits until the window system has done what this connection asked for (eglWaitNative).
    fn wait(&self);
}
