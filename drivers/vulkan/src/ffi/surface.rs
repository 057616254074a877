//! Window system surfaces and swapchains.

use std::ffi::CStr;

use ash::{ext, khr, vk};
use gallite_pipe::NativeWindow;

/// Entry points of the window system extensions that are there.
pub(crate) struct SurfaceFns {
    surface: Option<khr::surface::Instance>,
    xlib: Option<khr::xlib_surface::Instance>,
    xcb: Option<khr::xcb_surface::Instance>,
    wayland: Option<khr::wayland_surface::Instance>,
    headless: Option<ext::headless_surface::Instance>,
}

impl SurfaceFns {
    pub fn new(entry: &ash::Entry, instance: &ash::Instance, enabled: &[&CStr]) -> Self {
        let on = |name: &CStr| enabled.contains(&name);
        Self {
            surface: on(khr::surface::NAME).then(|| khr::surface::Instance::new(entry, instance)),
            xlib: on(khr::xlib_surface::NAME).then(|| khr::xlib_surface::Instance::new(entry, instance)),
            xcb: on(khr::xcb_surface::NAME).then(|| khr::xcb_surface::Instance::new(entry, instance)),
            wayland: on(khr::wayland_surface::NAME).then(|| khr::wayland_surface::Instance::new(entry, instance)),
            headless: on(ext::headless_surface::NAME).then(|| ext::headless_surface::Instance::new(entry, instance)),
        }
    }

    /// Whether any window can be presented to.
    pub fn any(&self) -> bool {
        self.surface.is_some()
    }

    /// Makes a surface; `None` when the platform's extension is missing or refuses.
    pub fn create(&self, native: &NativeWindow) -> Option<vk::SurfaceKHR> {
        match *native {
            NativeWindow::Xlib { display, window } => {
                let info = vk::XlibSurfaceCreateInfoKHR::default()
                    .dpy(display as *mut vk::Display)
                    .window(window as vk::Window);
                // SAFETY: VUID-VkXlibSurfaceCreateInfoKHR-dpy-01313 and -window-01314: the window system
                // layer passes an open display and one of its windows.
                unsafe { self.xlib.as_ref()?.create_xlib_surface(&info, None) }.ok()
            }
            NativeWindow::Xcb { connection, window } => {
                let info = vk::XcbSurfaceCreateInfoKHR::default()
                    .connection(connection as *mut vk::xcb_connection_t)
                    .window(window);
                // SAFETY: VUID-VkXcbSurfaceCreateInfoKHR-connection-01310 and -window-01311, as above.
                unsafe { self.xcb.as_ref()?.create_xcb_surface(&info, None) }.ok()
            }
            NativeWindow::Wayland { display, surface } => {
                let info = vk::WaylandSurfaceCreateInfoKHR::default()
                    .display(display as *mut vk::wl_display)
                    .surface(surface as *mut vk::wl_surface);
                // SAFETY: VUID-VkWaylandSurfaceCreateInfoKHR-display-01304 and -surface-01305, as above.
                unsafe { self.wayland.as_ref()?.create_wayland_surface(&info, None) }.ok()
            }
            NativeWindow::Headless => {
                let info = vk::HeadlessSurfaceCreateInfoEXT::default();
                // SAFETY: no preconditions beyond the extension.
                unsafe { self.headless.as_ref()?.create_headless_surface(&info, None) }.ok()
            }
            NativeWindow::Android { .. } => None,
        }
    }

    pub fn destroy(&self, surface: vk::SurfaceKHR) {
        if let Some(fns) = &self.surface {
            // SAFETY: its swapchains were destroyed before (VUID-vkDestroySurfaceKHR-surface-01266).
            unsafe { fns.destroy_surface(surface, None) };
        }
    }

    pub fn supports_queue(&self, adapter: vk::PhysicalDevice, family: u32, surface: vk::SurfaceKHR) -> bool {
        self.surface.as_ref().is_some_and(|f| {
            // SAFETY: `family` is one of the adapter's.
            unsafe { f.get_physical_device_surface_support(adapter, family, surface) }.unwrap_or(false)
        })
    }

    pub fn formats(&self, adapter: vk::PhysicalDevice, surface: vk::SurfaceKHR) -> Vec<vk::SurfaceFormatKHR> {
        self.surface.as_ref().map_or_else(Vec::new, |f| {
            // SAFETY: VUID-vkGetPhysicalDeviceSurfaceFormatsKHR-surface-06525: support was checked.
            unsafe { f.get_physical_device_surface_formats(adapter, surface) }.unwrap_or_default()
        })
    }

    pub fn present_modes(&self, adapter: vk::PhysicalDevice, surface: vk::SurfaceKHR) -> Vec<vk::PresentModeKHR> {
        self.surface.as_ref().map_or_else(Vec::new, |f| {
            // SAFETY: as above.
            unsafe { f.get_physical_device_surface_present_modes(adapter, surface) }.unwrap_or_default()
        })
    }

    pub fn capabilities(
        &self,
        adapter: vk::PhysicalDevice,
        surface: vk::SurfaceKHR,
    ) -> Result<vk::SurfaceCapabilitiesKHR, vk::Result> {
        let Some(fns) = &self.surface else { return Err(vk::Result::ERROR_SURFACE_LOST_KHR) };
        // SAFETY: as above.
        unsafe { fns.get_physical_device_surface_capabilities(adapter, surface) }
    }
}
