//! X11, spoken over XCB whatever the program used: its own Xlib display, its own XCB connection, or none
//! (we then open one). libxcb is loaded at run time.
#![allow(unsafe_code)]

use gallite_pipe::resource::NativeWindow;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, Screen, VisualClass, Visualtype, WindowClass};
use x11rb::xcb_ffi::XCBConnection;

use crate::native::{NativeDisplay, Visual, VisualLayout, WindowError, WindowInfo, xlib};

pub use xlib::is_display as is_xlib_display;

/// Whose connection it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The program's `Display *`.
    Xlib(usize),
    /// The program's `xcb_connection_t *`.
    Xcb(usize),
    /// Ours, to the server `DISPLAY` names.
    Default,
}

/// A connection to an X server and one of its screens.
#[derive(Debug)]
pub struct X11Display {
    connection: XCBConnection,
    root: u32,
    visuals: Vec<Visual>,
}

impl X11Display {
    /// Connects, or joins the program's connection.
    ///
    /// # Errors
    /// A message when libxcb or the server isn't there, or the screen doesn't exist.
    pub fn open(source: Source, screen: Option<usize>) -> Result<Self, String> {
        let (connection, default_screen) = match source {
            Source::Xlib(display) => {
                // SAFETY: EGL_KHR_platform_x11: the program passes a live Display, or 0, which is
                // Source::Default.
                let (raw, default_screen) =
                    unsafe { xlib::connection(display) }.ok_or("libX11 or libX11-xcb can't be loaded")?;
                (join(raw)?, default_screen)
            }
            Source::Xcb(raw) => (join(raw)?, 0),
            Source::Default => {
                load_libxcb()?;
                XCBConnection::connect(None).map_err(|error| error.to_string())?
            }
        };
        let index = screen.unwrap_or(default_screen);
        let screen = connection.setup().roots.get(index).ok_or_else(|| format!("there is no X screen {index}"))?;
        let (root, visuals) = (screen.root, usable_visuals(screen));
        Ok(Self { connection, root, visuals })
    }

    fn window_id(handle: usize) -> Result<u32, WindowError> {
        u32::try_from(handle).ok().filter(|id| *id != 0).ok_or(WindowError::NotAWindow)
    }
}

fn load_libxcb() -> Result<(), String> {
    x11rb::xcb_ffi::load_libxcb().map_err(|error| error.to_string())
}

fn join(raw: usize) -> Result<XCBConnection, String> {
    load_libxcb()?;
    // SAFETY: EGL_EXT_platform_xcb (and Xlib for its own connection): a live connection, which the program
    // closes after eglTerminate; we never close it.
    unsafe { XCBConnection::from_raw_xcb_connection(raw as *mut _, false) }.map_err(|error| error.to_string())
}

/// One visual per depth and layout, the root window's own first.
fn usable_visuals(screen: &Screen) -> Vec<Visual> {
    let mut found: Vec<(bool, Visual)> = Vec::new();
    for depth in &screen.allowed_depths {
        for visual in &depth.visuals {
            let Some(layout) = layout_of(visual) else { continue };
            let is_root = visual.visual_id == screen.root_visual;
            let translucent = depth.depth == 32;
            let same = |(_, other): &&mut (bool, Visual)| {
                other.layout == layout && other.translucent == translucent && other.depth == depth.depth
            };
            let entry =
                Visual { id: visual.visual_id, class: visual.class.into(), depth: depth.depth, layout, translucent };
            match found.iter_mut().find(same) {
                Some(slot) if is_root => *slot = (true, entry),
                Some(_) => {}
                None => found.push((is_root, entry)),
            }
        }
    }
    found.sort_by_key(|(is_root, _)| !is_root);
    found.into_iter().map(|(_, visual)| visual).collect()
}

fn layout_of(visual: &Visualtype) -> Option<VisualLayout> {
    if visual.class != VisualClass::TRUE_COLOR {
        return None;
    }
    match (visual.red_mask, visual.green_mask, visual.blue_mask) {
        (0xff_0000, 0xff00, 0xff) => Some(VisualLayout::Rgb8),
        (0x3ff0_0000, 0xf_fc00, 0x3ff) => Some(VisualLayout::Rgb10),
        (0xf800, 0x7e0, 0x1f) => Some(VisualLayout::R5G6B5),
        _ => None,
    }
}

fn window_error(error: ReplyError) -> WindowError {
    match error {
        ReplyError::X11Error(_) => WindowError::NotAWindow,
        ReplyError::ConnectionError(_) => WindowError::ConnectionLost,
    }
}

impl NativeDisplay for X11Display {
    fn visuals(&self) -> &[Visual] {
        &self.visuals
    }

    fn window(&self, handle: usize) -> Result<WindowInfo, WindowError> {
        let id = Self::window_id(handle)?;
        // Both requests before the first reply: one round trip.
        let attributes = self.connection.get_window_attributes(id).map_err(|_| WindowError::ConnectionLost)?;
        let geometry = self.connection.get_geometry(id).map_err(|_| WindowError::ConnectionLost)?;
        let attributes = attributes.reply().map_err(window_error)?;
        let geometry = geometry.reply().map_err(window_error)?;
        if attributes.class == WindowClass::INPUT_ONLY {
            return Err(WindowError::NotAWindow);
        }
        let visual = self
            .connection
            .setup()
            .roots
            .iter()
            .flat_map(|screen| &screen.allowed_depths)
            .flat_map(|depth| &depth.visuals)
            .find(|visual| visual.visual_id == attributes.visual);
        Ok(WindowInfo {
            native: NativeWindow::Xcb { connection: self.connection.get_raw_xcb_connection() as usize, window: id },
            id: u64::from(id),
            layout: visual.and_then(layout_of),
            width: u32::from(geometry.width),
            height: u32::from(geometry.height),
        })
    }

    fn extent(&self, id: u64) -> Result<(u32, u32), WindowError> {
        let id = u32::try_from(id).map_err(|_| WindowError::NotAWindow)?;
        let cookie = self.connection.get_geometry(id).map_err(|_| WindowError::ConnectionLost)?;
        let geometry = cookie.reply().map_err(window_error)?;
        Ok((u32::from(geometry.width), u32::from(geometry.height)))
    }

    fn wait(&self) {
        // Requests of one connection are done in order, so any reply proves the earlier ones done.
        if let Ok(cookie) = self.connection.get_geometry(self.root) {
            let _ = cookie.reply();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use x11rb::protocol::xproto::Depth;

    fn visual(id: u32, class: VisualClass, masks: [u32; 3]) -> Visualtype {
        Visualtype {
            visual_id: id,
            class,
            bits_per_rgb_value: 8,
            colormap_entries: 256,
            red_mask: masks[0],
            green_mask: masks[1],
            blue_mask: masks[2],
        }
    }

    const RGB8: [u32; 3] = [0xff_0000, 0xff00, 0xff];

    #[test]
    fn one_visual_per_layout_and_the_root_visual_wins() {
        let screen = Screen {
            root: 1,
            root_visual: 0x22,
            allowed_depths: vec![
                Depth { depth: 32, visuals: vec![visual(0x60, VisualClass::TRUE_COLOR, RGB8)] },
                Depth {
                    depth: 24,
                    visuals: vec![
                        visual(0x20, VisualClass::DIRECT_COLOR, RGB8),
                        visual(0x21, VisualClass::TRUE_COLOR, RGB8),
                        visual(0x22, VisualClass::TRUE_COLOR, RGB8),
                        visual(0x23, VisualClass::TRUE_COLOR, [0xff, 0xff00, 0xff_0000]),
                    ],
                },
            ],
            ..Screen::default()
        };
        let visuals = usable_visuals(&screen);
        let ids: Vec<_> = visuals.iter().map(|v| (v.id, v.translucent)).collect();
        assert_eq!(ids, [(0x22, false), (0x60, true)]);
    }
}
