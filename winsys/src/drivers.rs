//! The drivers of this library, and the screens opened on them.
//!
//! The cdylib registers its table when it is loaded; this crate never names a driver.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};

use gallite_gl::atoms::AtomId;
use gallite_gl::device::{CacheFolder, Device};
use gallite_pipe::{PipeError, ResetStatus, Screen};
use parking_lot::Mutex;

use crate::{environment, process_end};

/// What a driver is opened with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriverOptions {
    /// Which device: part of its name, or its number in the driver's list. None for the best.
    pub device: Option<String>,
    /// Turn on the validation layer of the API below, where there is one.
    pub validate: bool,
    /// That layer also looks for missing barriers.
    pub validate_synchronization: bool,
    /// Folder for caches on disk, none for no such caches.
    pub cache_dir: Option<PathBuf>,
    /// Device features to do without, by the driver's names.
    pub without: Vec<String>,
    /// The submission at which the device is taken for lost; 0 for none.
    pub lose_at: u64,
    /// Bytes of device memory there are; 0 for all.
    pub memory: u64,
    /// Faults of the driver's own to play, by its names.
    pub faults: Vec<String>,
}

/// A device a driver found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceDescription {
    /// Value of [`DriverOptions::device`] that opens exactly this one.
    pub selector: String,
    /// Its name.
    pub name: String,
    /// Who makes it.
    pub vendor: String,
    /// Identity of the device, if it has one.
    pub device_uuid: Option<[u8; 16]>,
    /// Identity of the driver build, if it has one.
    pub driver_uuid: Option<[u8; 16]>,
    /// Path of the DRM primary node.
    pub drm_primary: Option<String>,
    /// Path of the DRM render node.
    pub drm_render: Option<String>,
    /// Renders on the CPU.
    pub is_software: bool,
}

/// A driver by name.
#[derive(Debug, Clone, Copy)]
pub struct DriverEntry {
    /// Name in `GALLITE_DRIVER`.
    pub name: &'static str,
    /// Whether it may be chosen without being named. The first such driver that opens is taken.
    pub automatic: bool,
    /// Opens a screen.
    pub open: fn(&DriverOptions) -> Result<Arc<dyn Screen>, PipeError>,
    /// Lists the devices.
    pub devices: fn(&DriverOptions) -> Vec<DeviceDescription>,
    /// Brings all devices that are open to rest: the process is ending, and other threads have stopped calling.
    pub rest: fn(),
}

/// A driver that wraps another.
#[derive(Debug, Clone, Copy)]
pub struct WrapperEntry {
    /// Name in `GALLITE_DRIVER`, before a colon.
    pub name: &'static str,
    /// Wraps a screen.
    pub wrap: fn(Arc<dyn Screen>) -> Arc<dyn Screen>,
}

/// All drivers.
#[derive(Debug, Clone, Copy)]
pub struct DriverTable {
    /// In order of preference.
    pub drivers: &'static [DriverEntry],
    /// In any order.
    pub wrappers: &'static [WrapperEntry],
}

static TABLE: OnceLock<DriverTable> = OnceLock::new();

/// Registers the drivers. Only the first call has an effect.
pub fn register(table: DriverTable) {
    // A second table would be a second library in the same process image; the first stays.
    let _ = TABLE.set(table);
}

/// Wrappers, outermost first, and the driver.
type Chain = (Vec<WrapperEntry>, DriverEntry);

impl DriverTable {
    /// Reads a value of `GALLITE_DRIVER`.
    fn parse(&self, text: &str) -> Result<Chain, PipeError> {
        let unknown = |name: &str| {
            let known = self.drivers.iter().map(|d| d.name).chain(self.wrappers.iter().map(|w| w.name));
            PipeError::NoDevice(format!(
                "GALLITE_DRIVER names `{name}`; known are {}",
                known.collect::<Vec<_>>().join(", ")
            ))
        };
        let mut names: Vec<&str> = text.split(':').collect();
        let last = names.pop().unwrap_or_default();
        let driver = self.drivers.iter().find(|entry| entry.name == last).ok_or_else(|| unknown(last))?;
        let wrappers = names
            .into_iter()
            .map(|name| self.wrappers.iter().find(|w| w.name == name).copied().ok_or_else(|| unknown(name)))
            .collect::<Result<_, _>>()?;
        Ok((wrappers, *driver))
    }

    fn open_chain(&self, (wrappers, driver): &Chain, options: &DriverOptions) -> Result<Arc<dyn Screen>, PipeError> {
        let screen = (driver.open)(options)?;
        Ok(wrappers.iter().rev().fold(screen, |screen, wrapper| (wrapper.wrap)(screen)))
    }

    /// Opens what the text names, or the first automatic driver that works.
    fn open(&self, driver: Option<&str>, options: &DriverOptions) -> Result<Arc<dyn Screen>, PipeError> {
        if let Some(text) = driver {
            return self.open_chain(&self.parse(text)?, options);
        }
        let mut failure = PipeError::NoDevice("this library has no driver".to_owned());
        for driver in self.drivers.iter().filter(|driver| driver.automatic) {
            match self.open_chain(&(Vec::new(), *driver), options) {
                Ok(screen) => return Ok(screen),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn devices(&self, driver: Option<&str>, options: &DriverOptions) -> Vec<DeviceDescription> {
        match driver.map(|text| self.parse(text)) {
            Some(Ok((_, driver))) => (driver.devices)(options),
            Some(Err(_)) => Vec::new(),
            None => self.drivers.iter().filter(|d| d.automatic).flat_map(|d| (d.devices)(options)).collect(),
        }
    }
}

/// Brings the open devices of every driver to rest, at the end of the process.
pub(crate) fn rest() {
    table().drivers.iter().for_each(|driver| (driver.rest)());
}

fn table() -> DriverTable {
    TABLE.get().copied().unwrap_or(DriverTable { drivers: &[], wrappers: &[] })
}

fn options(device: Option<&str>) -> DriverOptions {
    let environment = environment::get();
    DriverOptions {
        device: device.or(environment.device.as_deref()).map(str::to_owned),
        validate: environment.validate,
        validate_synchronization: environment.validate_synchronization,
        cache_dir: environment.cache_dir.clone(),
        without: environment.vulkan_without.clone(),
        lose_at: environment.vulkan_lose_at,
        memory: environment.vulkan_megabytes << 20,
        faults: environment.vulkan_faults.clone(),
    }
}

/// The devices displays can be made for. With `GALLITE_DEVICE` set, the one it names comes first.
pub fn devices() -> Vec<DeviceDescription> {
    let environment = environment::get();
    let mut devices = table().devices(environment.driver.as_deref(), &options(None));
    if let Some(wanted) = &environment.device {
        let wanted = wanted.to_lowercase();
        let matches =
            |device: &DeviceDescription| device.selector == wanted || device.name.to_lowercase().contains(&wanted);
        devices.sort_by_key(|device| !matches(device));
    }
    devices
}

/// Opens a device, or returns the one that is open already. `selector` is a
/// [`DeviceDescription::selector`], or none for the default.
///
/// # Errors
/// When no driver or device fits.
pub fn open(selector: Option<&str>) -> Result<Arc<Device>, PipeError> {
    static OPEN: Mutex<Vec<(DriverOptions, Weak<Device>)>> = Mutex::new(Vec::new());
    let options = options(selector);
    // Held while opening: two threads initialising displays share one device.
    let mut open = OPEN.lock();
    // A lost device stays lost: who opens one now gets it anew.
    open.retain(|(_, device)| device.upgrade().is_some_and(|d| d.screen.reset_status() == ResetStatus::NONE));
    if let Some(device) = open.iter().find(|(key, _)| *key == options).and_then(|(_, device)| device.upgrade()) {
        return Ok(device);
    }
    let screen = table().open(environment::get().driver.as_deref(), &options)?;
    process_end::watch();
    let environment = environment::get();
    let limit = u64::from(environment.cache_megabytes) << 20;
    let folder = environment.cache_dir.as_ref().map(|dir| CacheFolder { path: dir.join("shaders"), limit });
    let mut device = Device::new(screen, folder).with_named_code(environment.validate);
    if let Some(name) = &environment.verify_drop {
        let atom = AtomId::by_name(name)
            .ok_or_else(|| PipeError::NoDevice(format!("GALLITE_VERIFY_DROP names `{name}`, which is no atom")))?;
        device.leave_out(atom);
    }
    let device = Arc::new(device);
    open.push((options, Arc::downgrade(&device)));
    Ok(device)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuse(_: &DriverOptions) -> Result<Arc<dyn Screen>, PipeError> {
        Err(PipeError::NoDevice("test".to_owned()))
    }

    const TABLE: DriverTable = DriverTable {
        drivers: &[
            DriverEntry { name: "one", automatic: true, open: refuse, devices: |_| Vec::new(), rest: || () },
            DriverEntry { name: "two", automatic: false, open: refuse, devices: |_| Vec::new(), rest: || () },
        ],
        wrappers: &[
            WrapperEntry { name: "outer", wrap: |screen| screen },
            WrapperEntry { name: "inner", wrap: |screen| screen },
        ],
    };

    #[test]
    fn wrappers_come_before_the_driver() {
        let (wrappers, driver) = TABLE.parse("outer:inner:two").expect("known names");
        let names: Vec<_> = wrappers.iter().map(|w| w.name).collect();
        assert_eq!((names.as_slice(), driver.name), (["outer", "inner"].as_slice(), "two"));
    }

    #[test]
    fn unknown_names_are_named() {
        for text in ["three", "one:two", "outer", "outer:", ""] {
            assert!(TABLE.parse(text).is_err(), "{text}");
        }
        let message = TABLE.parse("outer:three").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(message.contains("three") && message.contains("inner"), "{message}");
    }

    #[test]
    fn the_last_failure_is_reported() {
        assert!(matches!(TABLE.open(None, &DriverOptions::default()), Err(PipeError::NoDevice(_))));
    }
}
