//! `EGLDeviceEXT`: the devices of the driver (EGL_EXT_device_enumeration).

use std::sync::LazyLock;

use gallite_pipe::caps::{self, Caps};

use crate::drivers::{self, DeviceDescription};
use crate::egl::error::{EglError, EglResult};
use crate::egl::types::*;

/// A device. Enumerated once and never freed; its address is its handle.
#[derive(Debug)]
pub struct DeviceObject {
    /// What the driver says about it.
    pub description: DeviceDescription,
}

static DEVICES: LazyLock<&'static [DeviceObject]> = LazyLock::new(|| {
    let devices: Vec<_> = drivers::devices().into_iter().map(|description| DeviceObject { description }).collect();
    devices.leak()
});

impl DeviceObject {
    /// Every device, in the driver's order.
    pub fn all() -> &'static [Self] {
        *DEVICES
    }

    /// Its handle.
    pub fn handle(&'static self) -> EGLDeviceEXT {
        EGLDeviceEXT(std::ptr::from_ref(self) as usize)
    }

    /// The device of a handle.
    ///
    /// # Errors
    /// `EGL_BAD_DEVICE_EXT` when it isn't one.
    pub fn lookup(handle: EGLDeviceEXT) -> EglResult<&'static Self> {
        if handle.is_none() {
            return Err(EglError::new(EGL_BAD_DEVICE_EXT, "EGL_NO_DEVICE_EXT"));
        }
        Self::all()
            .iter()
            .find(|device| device.handle() == handle)
            .ok_or_else(|| EglError::new(EGL_BAD_DEVICE_EXT, "not a device"))
    }

    /// The device a screen was opened on without naming one.
    pub fn of_screen(screen: &Caps) -> Option<&'static Self> {
        let name = caps::text(&screen.device_name);
        let all = Self::all();
        all.iter().find(|device| device.description.name == name).or_else(|| all.first())
    }
}
