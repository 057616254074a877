//! The Vulkan loader, the instance, the debug messenger, and what physical devices say about themselves.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::{ext, khr, vk};
use gallite_pipe::PipeError;

use super::SurfaceFns;

/// The instance and what was enabled on it. Destroyed after every device made from it.
pub(crate) struct Instance {
    /// Keeps the loader library mapped.
    entry: ash::Entry,
    handle: ash::Instance,
    /// Version asked for, at most 1.3.
    pub api_version: u32,
    debug: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// Whether object names and markers can be used.
    pub debug_utils: bool,
    /// Window system entry points.
    pub surface: SurfaceFns,
    messages: Arc<AtomicU64>,
}

/// A physical device with its answers to every question the driver asks before it makes a device.
pub(crate) struct Adapter {
    pub handle: vk::PhysicalDevice,
    pub properties: vk::PhysicalDeviceProperties,
    pub driver_name: String,
    pub driver_info: String,
    pub device_uuid: [u8; 16],
    pub driver_uuid: [u8; 16],
    pub extensions: Vec<CString>,
    pub queue_families: Vec<vk::QueueFamilyProperties>,
}

impl Adapter {
    pub fn name(&self) -> String {
        self.properties.device_name_as_c_str().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub fn has(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|e| e.as_c_str() == name)
    }
}

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

impl Instance {
    /// Loads Vulkan and makes an instance.
    pub fn new(validation: bool, synchronization: bool) -> Result<Self, PipeError> {
        // SAFETY: the loader library has no initialisation routine with preconditions on us.
        let entry = unsafe { ash::Entry::load() }.map_err(|e| PipeError::NoDevice(format!("no Vulkan loader: {e}")))?;
        // SAFETY: no preconditions.
        let loader_version =
            unsafe { entry.try_enumerate_instance_version() }.ok().flatten().unwrap_or(vk::API_VERSION_1_0);
        if loader_version < vk::API_VERSION_1_1 {
            return Err(PipeError::NoDevice("the Vulkan loader knows only 1.0".into()));
        }
        let api_version = loader_version.min(vk::API_VERSION_1_3);
        // SAFETY: no preconditions.
        let available = unsafe { entry.enumerate_instance_extension_properties(None) }.unwrap_or_default();
        let has = |name: &CStr| available.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
        let mut wanted: Vec<&CStr> = Vec::new();
        if has(khr::surface::NAME) {
            wanted.push(khr::surface::NAME);
            for name in [
                khr::xlib_surface::NAME,
                khr::xcb_surface::NAME,
                khr::wayland_surface::NAME,
                ext::headless_surface::NAME,
            ] {
                if has(name) {
                    wanted.push(name);
                }
            }
        }
        let debug_utils = has(ext::debug_utils::NAME);
        if debug_utils {
            wanted.push(ext::debug_utils::NAME);
        }
        if has(khr::portability_enumeration::NAME) {
            wanted.push(khr::portability_enumeration::NAME);
        }
        let mut layers: Vec<*const c_char> = Vec::new();
        if validation {
            // SAFETY: no preconditions.
            let found = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
            if found.iter().any(|l| l.layer_name_as_c_str() == Ok(LAYER)) {
                layers.push(LAYER.as_ptr());
            } else {
                return Err(PipeError::NoDevice("validation was asked for, but its layer is not installed".into()));
            }
        }
        // The layer's own extension: the loader does not list it among those of the implementation.
        let checks = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
        let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&checks);
        let synchronization = validation && synchronization;
        if synchronization {
            wanted.push(ext::validation_features::NAME);
        }
        let pointers: Vec<*const c_char> = wanted.iter().map(|n| n.as_ptr()).collect();
        let app = vk::ApplicationInfo::default().engine_name(c"Gallite").engine_version(1).api_version(api_version);
        let flags = if has(khr::portability_enumeration::NAME) {
            vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR
        } else {
            vk::InstanceCreateFlags::empty()
        };
        let info = vk::InstanceCreateInfo::default()
            .application_info(&app)
            .enabled_extension_names(&pointers)
            .enabled_layer_names(&layers)
            .flags(flags);
        let info = if synchronization { info.push_next(&mut features) } else { info };
        // SAFETY: all pointers in `info` live through the call; every name was found available.
        let handle = unsafe { entry.create_instance(&info, None) }
            .map_err(|e| PipeError::NoDevice(format!("vkCreateInstance: {e}")))?;
        let messages = Arc::new(AtomicU64::new(0));
        let debug = if validation && debug_utils { make_messenger(&entry, &handle, &messages) } else { None };
        let surface = SurfaceFns::new(&entry, &handle, &wanted);
        Ok(Self { entry, handle, api_version, debug, debug_utils, surface, messages })
    }

    pub fn handle(&self) -> &ash::Instance {
        &self.handle
    }

    /// Validation messages received so far.
    pub fn validation_messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// Every physical device.
    pub fn adapters(&self) -> Vec<Adapter> {
        // SAFETY: the instance is alive.
        let handles = unsafe { self.handle.enumerate_physical_devices() }.unwrap_or_default();
        handles.into_iter().map(|handle| self.describe(handle)).collect()
    }

    fn describe(&self, handle: vk::PhysicalDevice) -> Adapter {
        // SAFETY: `handle` was enumerated from this instance.
        let basic = unsafe { self.handle.get_physical_device_properties(handle) };
        // SAFETY: as above.
        let extensions = unsafe { self.handle.enumerate_device_extension_properties(handle) }.unwrap_or_default();
        let extensions: Vec<CString> =
            extensions.iter().filter_map(|e| e.extension_name_as_c_str().ok().map(CStr::to_owned)).collect();
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut id = vk::PhysicalDeviceIDProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut id);
        let has_driver = extensions.iter().any(|e| e.as_c_str() == khr::driver_properties::NAME)
            || basic.api_version >= vk::API_VERSION_1_2;
        if has_driver && basic.api_version >= vk::API_VERSION_1_1 {
            properties = properties.push_next(&mut driver);
        }
        if basic.api_version >= vk::API_VERSION_1_1 {
            // SAFETY: the chain holds only structures of the device's version or extensions.
            unsafe { self.handle.get_physical_device_properties2(handle, &mut properties) };
        }
        // SAFETY: `handle` was enumerated from this instance.
        let queue_families = unsafe { self.handle.get_physical_device_queue_family_properties(handle) };
        let text = |field: Result<&CStr, _>| field.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Adapter {
            handle,
            properties: basic,
            driver_name: text(driver.driver_name_as_c_str().map_err(drop)),
            driver_info: text(driver.driver_info_as_c_str().map_err(drop)),
            device_uuid: id.device_uuid,
            driver_uuid: id.driver_uuid,
            extensions,
            queue_families,
        }
    }

    /// Fills a feature chain.
    pub fn query_features(&self, adapter: &Adapter, chain: &mut vk::PhysicalDeviceFeatures2<'_>) {
        // SAFETY: the caller builds the chain from extensions that the device lists.
        unsafe { self.handle.get_physical_device_features2(adapter.handle, chain) };
    }

    /// Whether the device's clock can be read at once.
    pub fn can_read_device_time(&self, adapter: &Adapter) -> bool {
        if !adapter.has(ext::calibrated_timestamps::NAME) {
            return false;
        }
        let fns = ext::calibrated_timestamps::Instance::new(&self.entry, &self.handle);
        // SAFETY: the device lists the extension that this command is of.
        let domains = unsafe { fns.get_physical_device_calibrateable_time_domains(adapter.handle) };
        domains.is_ok_and(|domains| domains.contains(&vk::TimeDomainEXT::DEVICE))
    }

    /// Fills a property chain.
    pub fn query_properties(&self, adapter: &Adapter, chain: &mut vk::PhysicalDeviceProperties2<'_>) {
        // SAFETY: the caller builds the chain from extensions that the device lists.
        unsafe { self.handle.get_physical_device_properties2(adapter.handle, chain) };
    }

    pub fn format_properties(&self, adapter: &Adapter, format: vk::Format) -> vk::FormatProperties {
        // SAFETY: `format` is a core format or one of an extension the device lists.
        unsafe { self.handle.get_physical_device_format_properties(adapter.handle, format) }
    }

    pub fn image_format_properties(
        &self,
        adapter: &Adapter,
        format: vk::Format,
        ty: vk::ImageType,
        usage: vk::ImageUsageFlags,
        flags: vk::ImageCreateFlags,
    ) -> Option<vk::ImageFormatProperties> {
        // SAFETY: as above; `usage` is never empty.
        unsafe {
            self.handle.get_physical_device_image_format_properties(
                adapter.handle,
                format,
                ty,
                vk::ImageTiling::OPTIMAL,
                usage,
                flags,
            )
        }
        .ok()
    }

    /// Heap sizes and, with VK_EXT_memory_budget, what is left: `(total, available)` of device-local heaps.
    pub fn memory_budget(&self, handle: vk::PhysicalDevice, budget_known: bool) -> (u64, u64) {
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut properties = vk::PhysicalDeviceMemoryProperties2::default();
        if budget_known {
            properties = properties.push_next(&mut budget);
        }
        // SAFETY: the chain holds the budget structure only when its extension is listed.
        unsafe { self.handle.get_physical_device_memory_properties2(handle, &mut properties) };
        let memory = properties.memory_properties;
        let heaps = &memory.memory_heaps[..memory.memory_heap_count as usize];
        let (mut total, mut available) = (0, 0);
        for (i, heap) in heaps.iter().enumerate() {
            if heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL) {
                total += heap.size;
                available +=
                    if budget_known { budget.heap_budget[i].saturating_sub(budget.heap_usage[i]) } else { heap.size };
            }
        }
        (total, available)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some((fns, messenger)) = self.debug.take() {
            // SAFETY: made from this instance and not yet destroyed.
            unsafe { fns.destroy_debug_utils_messenger(messenger, None) };
        }
        // SAFETY: devices hold an `Arc` of the instance, so none is left.
        unsafe { self.handle.destroy_instance(None) };
    }
}

fn make_messenger(
    entry: &ash::Entry,
    instance: &ash::Instance,
    messages: &Arc<AtomicU64>,
) -> Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)> {
    let fns = ext::debug_utils::Instance::new(entry, instance);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING)
        // Not the performance advice: the driver keeps images in the general layout on purpose.
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(on_message))
        .user_data(Arc::as_ptr(messages) as *mut c_void);
    // SAFETY: the callback and the counter it is given outlive the messenger: both belong to `Instance`.
    let messenger = unsafe { fns.create_debug_utils_messenger(&info, None) }.ok()?;
    Some((fns, messenger))
}

/// Prints a validation message on one line, and counts it when it is about invalid use: a warning is not.
unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    if data.is_null() || user.is_null() {
        return vk::FALSE;
    }
    // SAFETY: the layer passes a valid structure for the duration of the call.
    let data = unsafe { &*data };
    let text = |p: *const c_char| {
        if p.is_null() {
            String::new()
        } else {
            // SAFETY: non-null strings of the structure are zero terminated.
            unsafe { CStr::from_ptr(p) }.to_string_lossy().replace('\n', " ")
        }
    };
    let id = text(data.p_message_id_name);
    let message = text(data.p_message);
    // The layers' own remarks about themselves are not about this driver.
    if id.starts_with("Loader") || kind.is_empty() {
        return vk::FALSE;
    }
    if severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR) {
        // SAFETY: `user` is the counter inside an `Arc` that lives as long as the messenger.
        let counter = unsafe { &*(user as *const AtomicU64) };
        counter.fetch_add(1, Ordering::Relaxed);
    }
    eprintln!("gallite: vulkan validation [{severity:?}] {id}: {message}");
    vk::FALSE
}
