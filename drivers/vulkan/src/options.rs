//! How a screen is asked for. The library's one reader of the environment is in the winsys.

use std::path::PathBuf;

/// Faults of a device that is in order. All zero plays none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults {
    /// The device is lost at this submission, counted from 1.
    pub lost_at: u64,
    /// Bytes of device memory there are.
    pub memory: u64,
    /// The driver makes a call that Vulkan does not allow when the screen is made: what the validation layer says of it has
    /// to reach whoever looks for its messages.
    pub invalid_call: bool,
    /// The driver leaves its barriers out, with the same intent.
    pub no_barriers: bool,
}

/// What [`create_screen`](crate::create_screen) is asked for.
#[derive(Debug, Clone, Default)]
pub struct VulkanOptions {
    /// Part of the device's or its driver's name, or its index; the best device when `None`.
    pub device: Option<String>,
    /// Run under the Khronos validation layer, and print and count its messages.
    pub validation: bool,
    /// The layer also looks for work that lacks a barrier between.
    pub synchronization: bool,
    /// Directory of the pipeline cache; none is kept when `None`.
    pub cache_dir: Option<PathBuf>,
    /// Device features to do without, by name, so that tests reach the paths of lesser devices. `docs/environment.md` lists
    /// the names under `GALLITE_VULKAN_WITHOUT`.
    pub without: Vec<String>,
    /// Faults to play, so that tests reach what happens when a device fails.
    pub faults: Faults,
}
