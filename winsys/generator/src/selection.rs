//! Which commands are exported: every EGL version up to 1.5, and the extensions listed here.

use crate::registry::{Command, Registry};

/// Extensions that add commands. Extensions without commands are only strings
/// (`winsys/src/egl/strings.rs`) and need no entry here.
const EXTENSIONS: &[&str] = &[
    "EGL_EXT_device_base",
    "EGL_EXT_device_enumeration",
    "EGL_EXT_device_query",
    "EGL_EXT_device_persistent_id",
    "EGL_EXT_platform_base",
    "EGL_EXT_swap_buffers_with_damage",
    "EGL_KHR_debug",
    "EGL_KHR_fence_sync",
    "EGL_KHR_reusable_sync",
    "EGL_KHR_swap_buffers_with_damage",
    "EGL_KHR_wait_sync",
    "EGL_MESA_query_driver",
];

/// Commands libglvnd's own libEGL implements or dispatches: the EGL versions are added to these. A
/// vendor library supplies no dispatch function for them.
/// Source: the vendor ABI (`eglabi`), "client extension functions must be handled in libEGL itself".
const DISPATCHED_BY_GLVND: &[&str] = &[
    "eglGetPlatformDisplayEXT",
    "eglCreatePlatformWindowSurfaceEXT",
    "eglCreatePlatformPixmapSurfaceEXT",
    "eglQueryDevicesEXT",
    "eglDebugMessageControlKHR",
    "eglQueryDebugKHR",
    "eglLabelObjectKHR",
];

/// The exported commands, sorted by name.
pub fn commands(registry: &Registry) -> Result<Vec<Command>, String> {
    let mut names: Vec<&String> = registry.features.values().flatten().collect();
    for extension in EXTENSIONS {
        let list = registry.extensions.get(*extension).ok_or_else(|| format!("{extension} isn't in the registry"))?;
        names.extend(list);
    }
    names.sort();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            let command = registry.commands.get(name);
            command.cloned().ok_or_else(|| format!("{name} has no prototype"))
        })
        .collect()
}

/// Whether libglvnd needs a dispatch function for this command from us.
pub fn needs_dispatch_function(command: &Command) -> bool {
    !command.is_core && !DISPATCHED_BY_GLVND.contains(&command.name.as_str())
}
