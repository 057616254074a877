//! The Vulkan driver: the pipe interface on Vulkan 1.1 and whatever newer the device has.
//!
//! Owns everything that knows Vulkan. Must not know OpenGL or another driver. Begin reading at [`screen`] for the
//! objects and at `context` for the work; [`gpu`] is what both share, [`adapter`] decides which of the device's features
//! are used. All `unsafe` is in `ffi`.
#![deny(unsafe_code)]

mod adapter;
mod at_exit;
mod barrier;
mod batch;
mod buffer;
mod caps;
mod clock;
mod context;
mod conv;
mod counters;
mod depth_texels;
mod descriptor;
mod draw_queue;
#[allow(unsafe_code)]
mod ffi;
mod formats;
mod gpu;
mod internal;
mod options;
mod pipeline;
mod pipeline_cache;
mod precompile;
mod query;
mod readback;
mod render_pass;
mod ring;
mod sampler;
mod screen;
mod shader;
mod slab;
mod state_object;
mod table;
mod texture;
mod upload_queue;
mod variant;
mod window;
mod workarounds;
mod xfb;

use std::sync::Arc;

use gallite_pipe::{PipeError, Screen};

pub use at_exit::rest;
pub use options::{Faults, VulkanOptions};

/// One device that a screen could be made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The device's name.
    pub name: String,
    /// Its driver's name and version.
    pub driver: String,
    /// Vulkan version, `(major, minor)`.
    pub version: (u32, u32),
    /// PCI vendor id, or a Khronos-assigned one.
    pub vendor_id: u32,
    /// Identity of the device, stable over processes.
    pub uuid: [u8; 16],
    /// Identity of the driver build.
    pub driver_uuid: [u8; 16],
    /// Renders on the CPU.
    pub is_software: bool,
}

/// Lists the devices, in the order of their indices.
pub fn devices() -> Result<Vec<DeviceInfo>, PipeError> {
    let instance = ffi::Instance::new(false, false)?;
    Ok(instance
        .adapters()
        .into_iter()
        .filter(|a| a.properties.api_version >= ash::vk::API_VERSION_1_1)
        .map(|a| DeviceInfo {
            name: a.name(),
            driver: format!("{} {}", a.driver_name, a.driver_info).trim().to_owned(),
            version: (
                ash::vk::api_version_major(a.properties.api_version),
                ash::vk::api_version_minor(a.properties.api_version),
            ),
            vendor_id: a.properties.vendor_id,
            uuid: a.device_uuid,
            driver_uuid: a.driver_uuid,
            is_software: a.properties.device_type == ash::vk::PhysicalDeviceType::CPU,
        })
        .collect())
}

/// Makes a screen for the device that `options` name, or the best one.
pub fn create_screen(options: &VulkanOptions) -> Result<Arc<dyn Screen>, PipeError> {
    let instance = Arc::new(ffi::Instance::new(options.validation, options.synchronization)?);
    let selected = adapter::select(&instance, options)?;
    let gpu = gpu::Gpu::new(instance, selected)?;
    if options.faults.invalid_call {
        gpu.call_invalidly();
    }
    at_exit::watch(&gpu);
    let objects = screen::Objects::new(gpu, options);
    Ok(Arc::new(screen::VulkanScreen::new(Arc::new(objects))))
}
