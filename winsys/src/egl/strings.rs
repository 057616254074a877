//! What eglQueryString and its siblings answer.

use std::collections::HashSet;
use std::ffi::{CStr, CString};

use parking_lot::Mutex;

use crate::egl::device::DeviceObject;
use crate::egl::display::{Platform, Session};

/// Client extensions: those of the library, whatever the display.
pub const CLIENT_EXTENSIONS: &[&str] = &[
    "EGL_EXT_client_extensions",
    "EGL_EXT_device_base",
    "EGL_EXT_device_enumeration",
    "EGL_EXT_device_query",
    "EGL_EXT_explicit_device",
    "EGL_EXT_platform_base",
    "EGL_EXT_platform_device",
    "EGL_EXT_platform_x11",
    "EGL_EXT_platform_xcb",
    "EGL_KHR_client_get_all_proc_addresses",
    "EGL_KHR_debug",
    "EGL_KHR_platform_x11",
    "EGL_MESA_platform_surfaceless",
];

/// The part of the client extensions that libglvnd lists for its vendors.
pub const PLATFORM_EXTENSIONS: &[&str] = &[
    "EGL_EXT_explicit_device",
    "EGL_EXT_platform_device",
    "EGL_EXT_platform_x11",
    "EGL_EXT_platform_xcb",
    "EGL_KHR_platform_x11",
    "EGL_MESA_platform_surfaceless",
];

/// Extensions of every display.
const DISPLAY_EXTENSIONS: &[&str] = &[
    "EGL_EXT_create_context_robustness",
    "EGL_EXT_query_reset_notification_strategy",
    "EGL_KHR_config_attribs",
    "EGL_KHR_context_flush_control",
    "EGL_KHR_create_context",
    "EGL_KHR_create_context_no_error",
    "EGL_KHR_fence_sync",
    "EGL_KHR_get_all_proc_addresses",
    "EGL_KHR_gl_colorspace",
    "EGL_KHR_no_config_context",
    "EGL_KHR_reusable_sync",
    "EGL_KHR_surfaceless_context",
    "EGL_KHR_wait_sync",
    "EGL_MESA_configless_context",
    "EGL_MESA_query_driver",
];

/// Extensions of displays that have windows.
const WINDOW_EXTENSIONS: &[&str] =
    &["EGL_EXT_buffer_age", "EGL_EXT_swap_buffers_with_damage", "EGL_KHR_swap_buffers_with_damage"];

/// A string that lives as long as the process, one per distinct text.
pub fn intern(text: &str) -> &'static CStr {
    static STRINGS: Mutex<Option<HashSet<&'static CStr>>> = Mutex::new(None);
    // Texts come from our own lists and from device names; one with a null inside is cut there.
    let text = text.split('\0').next().unwrap_or_default();
    let text = CString::new(text).unwrap_or_default();
    let mut strings = STRINGS.lock();
    let strings = strings.get_or_insert_default();
    if let Some(found) = strings.get(text.as_c_str()) {
        return found;
    }
    let leaked: &'static CStr = Box::leak(text.into_boxed_c_str());
    strings.insert(leaked);
    leaked
}

/// The extension string of a display.
pub fn display_extensions(session: &Session) -> &'static CStr {
    let has_windows = !matches!(session.display.key.platform, Platform::Surfaceless | Platform::Device);
    let mut names = DISPLAY_EXTENSIONS.to_vec();
    if has_windows {
        names.extend(WINDOW_EXTENSIONS);
    }
    names.sort_unstable();
    intern(&names.join(" "))
}

/// The extension string of a device.
pub fn device_extensions(device: &DeviceObject) -> &'static CStr {
    let description = &device.description;
    let mut names = vec!["EGL_EXT_device_query_name"];
    if description.device_uuid.is_some() && description.driver_uuid.is_some() {
        names.push("EGL_EXT_device_persistent_id");
    }
    if description.drm_primary.is_some() {
        names.push("EGL_EXT_device_drm");
    }
    if description.drm_render.is_some() {
        names.push("EGL_EXT_device_drm_render_node");
    }
    if description.is_software {
        names.push("EGL_MESA_device_software");
    }
    names.sort_unstable();
    intern(&names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_string() {
        assert_eq!(intern("a b").as_ptr(), intern("a b").as_ptr());
        assert_ne!(intern("a b").as_ptr(), intern("a c").as_ptr());
        assert_eq!(intern("x\0y"), c"x");
    }

    #[test]
    fn lists_are_sorted_and_unique() {
        for list in [CLIENT_EXTENSIONS, PLATFORM_EXTENSIONS, DISPLAY_EXTENSIONS, WINDOW_EXTENSIONS] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{list:?}");
        }
        assert!(PLATFORM_EXTENSIONS.iter().all(|name| CLIENT_EXTENSIONS.contains(name)));
    }
}
