//! How a screen is asked for, and the one place that reads this driver's environment.

use std::path::PathBuf;

/// What [`create_screen`](crate::create_screen) is asked for.
#[derive(Debug, Clone, Default)]
pub struct VulkanOptions {
    /// Part of the device's or its driver's name, or its index; the best device when `None`.
    pub device: Option<String>,
    /// Run under the Khronos validation layer, and print and count its messages.
    pub validation: bool,
    /// Directory of the pipeline cache; none is kept when `None`.
    pub cache_dir: Option<PathBuf>,
    /// Device features to do without, by name, so that tests reach the paths of lesser devices: `timeline`, `eds1`, `eds2`,
    /// `eds3`, `vertex_input`, `push_descriptor`, `null_descriptor`, `depth_clip_control`, `custom_border_color`,
    /// `conditional_rendering`, `pipeline_library`, `early`.
    pub without: Vec<String>,
}

impl VulkanOptions {
    /// The variables [`from_environment`](Self::from_environment) reads, each with its meaning.
    pub const ENVIRONMENT: &'static [(&'static str, &'static str)] = &[
        ("GALLITE_DEVICE", "Vulkan device: part of its name or its index"),
        ("GALLITE_VALIDATION", "1 runs under the Vulkan validation layer"),
        ("GALLITE_CACHE_DIR", "directory of the pipeline and shader caches; empty turns them off"),
        ("GALLITE_VULKAN_WITHOUT", "comma-separated device features not to use"),
    ];

    /// Options as the environment says.
    pub fn from_environment() -> Self {
        let text = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        let cache_dir = match std::env::var("GALLITE_CACHE_DIR") {
            Ok(dir) if dir.is_empty() => None,
            Ok(dir) => Some(PathBuf::from(dir)),
            Err(_) => std::env::var_os("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
                .map(|base| base.join("gallite")),
        };
        Self {
            device: text("GALLITE_DEVICE"),
            validation: text("GALLITE_VALIDATION").is_some_and(|v| v != "0"),
            cache_dir,
            without: text("GALLITE_VULKAN_WITHOUT")
                .map(|v| v.split(',').map(|s| s.trim().to_owned()).collect())
                .unwrap_or_default(),
        }
    }
}
