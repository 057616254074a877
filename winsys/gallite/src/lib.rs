//! libgallite.so: the whole of Gallite as one library with `gl*`, `egl*` and `__egl_Main`.
//!
//! Owns the table of drivers and nothing else; it is the only crate that names them. The exported functions come from
//! `gallite-gl` and `gallite-winsys`. Begin reading at [`DRIVERS`].
#![deny(unsafe_code)]

use std::sync::Arc;

use gallite_pipe::{PipeError, Screen};
use gallite_winsys::drivers::{self, DeviceDescription, DriverEntry, DriverOptions, DriverTable, WrapperEntry};

// Linked for their exported functions.
use gallite_gl as _;

/// The drivers of this library.
const DRIVERS: DriverTable = DriverTable {
    drivers: &[
        DriverEntry {
            name: "vulkan",
            automatic: true,
            open: vulkan,
            devices: vulkan_devices,
            rest: gallite_vulkan::rest,
        },
        DriverEntry {
            name: "noop",
            automatic: false,
            open: |_| Ok(noop()),
            devices: noop_devices,
            // It has neither threads nor a library below.
            rest: || (),
        },
    ],
    wrappers: &[
        WrapperEntry { name: "verify", wrap: |inner| Arc::new(gallite_verify::VerifyScreen::new(inner)) },
        WrapperEntry { name: "stream", wrap: |inner| Arc::new(gallite_stream::StreamScreen::new(inner)) },
    ],
};

fn vulkan(options: &DriverOptions) -> Result<Arc<dyn Screen>, PipeError> {
    let mut faults = gallite_vulkan::Faults {
        lost_at: options.lose_at,
        memory: options.memory,
        ..gallite_vulkan::Faults::default()
    };
    for name in &options.faults {
        match name.as_str() {
            "invalid_call" => faults.invalid_call = true,
            "no_barriers" => faults.no_barriers = true,
            _ => return Err(PipeError::NoDevice(format!("no fault is named {name:?}"))),
        }
    }
    gallite_vulkan::create_screen(&gallite_vulkan::VulkanOptions {
        device: options.device.clone(),
        validation: options.validate,
        synchronization: options.validate_synchronization,
        cache_dir: options.cache_dir.clone(),
        without: options.without.clone(),
        faults,
    })
}

fn vulkan_devices(_: &DriverOptions) -> Vec<DeviceDescription> {
    let found = gallite_vulkan::devices().unwrap_or_default();
    found
        .into_iter()
        .enumerate()
        .map(|(index, device)| DeviceDescription {
            selector: index.to_string(),
            name: device.name,
            vendor: format!("0x{:04x}", device.vendor_id),
            device_uuid: Some(device.uuid),
            driver_uuid: Some(device.driver_uuid),
            is_software: device.is_software,
            ..DeviceDescription::default()
        })
        .collect()
}

fn noop() -> Arc<dyn Screen> {
    Arc::new(gallite_noop::NoopScreen::new())
}

fn noop_devices(_: &DriverOptions) -> Vec<DeviceDescription> {
    let name = gallite_pipe::text(&noop().caps().device_name).to_owned();
    vec![DeviceDescription {
        selector: "0".to_owned(),
        name,
        vendor: "Gallite".to_owned(),
        is_software: true,
        ..DeviceDescription::default()
    }]
}

extern "C" fn register() {
    drivers::register(DRIVERS);
    gallite_winsys::log::install();
}

/// Run by the dynamic loader before any exported function can be called.
#[allow(unsafe_code)]
#[used]
// SAFETY: the ELF gABI: `.init_array` holds addresses of functions to call at load time; this one takes no
// arguments, which the calling convention allows, and neither panics nor touches another library.
#[unsafe(link_section = ".init_array")]
static REGISTER: extern "C" fn() = register;
