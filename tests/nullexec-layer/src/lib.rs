//! A Vulkan layer that lets an application record as usual and hands its queues empty submissions.
//!
//! Semaphores and fences still signal, so a program runs at the speed of its CPU side alone: for measuring a
//! GL-on-Vulkan driver. Pixels are meaningless under it, and a program that polls for a value that the GPU would write
//! does not see it. It owns the two submit calls and nothing else; every other call goes down the chain. It must not
//! know who uses it: Gallite and its peers are measured under the same layer. Begin reading at [`queue_submit`].
//!
//! One device at a time is supported: the functions of the next layer are kept in statics.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use ash::vk;

/// `VkLayerFunction` value of the entry that holds the next layer's functions (vk_layer.h).
const LAYER_LINK_INFO: i32 = 0;

/// The head of `VkLayerInstanceCreateInfo` and of `VkLayerDeviceCreateInfo`, alike up to the link (vk_layer.h).
#[repr(C)]
struct LayerCreateInfo {
    s_type: vk::StructureType,
    next: *mut c_void,
    function: i32,
    link: *mut LayerLink,
}

/// `VkLayerInstanceLink`; a `VkLayerDeviceLink` has one more field in its place of the second function.
#[repr(C)]
struct LayerLink {
    next: *mut LayerLink,
    get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    get_device_proc_addr: Option<vk::PFN_vkGetDeviceProcAddr>,
}

/// A function pointer of the next layer, null until known.
struct Next(AtomicPtr<c_void>);

impl Next {
    const fn new() -> Self {
        Self(AtomicPtr::new(std::ptr::null_mut()))
    }

    fn set(&self, function: vk::PFN_vkVoidFunction) {
        self.0.store(function.map_or(std::ptr::null_mut(), |f| f as *mut c_void), Ordering::Release);
    }

    /// # Safety
    /// `F` is the function pointer type of what [`Next::set`] was given.
    unsafe fn get<F: Copy>(&self) -> Option<F> {
        let pointer = self.0.load(Ordering::Acquire);
        // SAFETY: not null, and of type `F` by the caller's promise; function and data pointers have one size here.
        (!pointer.is_null()).then(|| unsafe { std::mem::transmute_copy::<*mut c_void, F>(&pointer) })
    }
}

static NEXT_INSTANCE: Next = Next::new();
static NEXT_DEVICE: Next = Next::new();
static NEXT_SUBMIT: Next = Next::new();
static NEXT_SUBMIT2: Next = Next::new();

/// vkQueueSubmit with the command buffers left out.
unsafe extern "system" fn queue_submit(
    queue: vk::Queue,
    count: u32,
    submits: *const vk::SubmitInfo<'_>,
    fence: vk::Fence,
) -> vk::Result {
    // SAFETY: create_device stored the next layer's vkQueueSubmit.
    let Some(next) = (unsafe { NEXT_SUBMIT.get::<vk::PFN_vkQueueSubmit>() }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: VUID-vkQueueSubmit-pSubmits-parameter: `count` valid structures, or none.
    let submits = unsafe { slice(submits, count) };
    let empty: Vec<_> = submits.iter().map(|submit| vk::SubmitInfo { command_buffer_count: 0, ..*submit }).collect();
    // SAFETY: as the application's own call, without its command buffers.
    unsafe { next(queue, count, empty.as_ptr(), fence) }
}

/// vkQueueSubmit2 with the command buffers left out.
unsafe extern "system" fn queue_submit2(
    queue: vk::Queue,
    count: u32,
    submits: *const vk::SubmitInfo2<'_>,
    fence: vk::Fence,
) -> vk::Result {
    // SAFETY: create_device stored the next layer's vkQueueSubmit2.
    let Some(next) = (unsafe { NEXT_SUBMIT2.get::<vk::PFN_vkQueueSubmit2>() }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: VUID-vkQueueSubmit2-pSubmits-parameter: `count` valid structures, or none.
    let submits = unsafe { slice(submits, count) };
    let empty: Vec<_> =
        submits.iter().map(|submit| vk::SubmitInfo2 { command_buffer_info_count: 0, ..*submit }).collect();
    // SAFETY: as the application's own call, without its command buffers.
    unsafe { next(queue, count, empty.as_ptr(), fence) }
}

/// # Safety
/// `pointer` names `count` values, or `count` is 0.
unsafe fn slice<'a, T>(pointer: *const T, count: u32) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(pointer, count as usize) }
}

/// Takes this layer's link out of a create-info chain and advances it for the layer below.
///
/// # Safety
/// `chain` is the `pNext` chain that the loader hands to a layer's create function.
unsafe fn take_link(mut chain: *const c_void, kind: vk::StructureType) -> Option<*mut LayerLink> {
    while !chain.is_null() {
        let info = chain.cast_mut().cast::<LayerCreateInfo>();
        // SAFETY: every element of the chain starts with sType and pNext; the other fields are read only after both
        // the type and the function say that this is the loader's structure, which the loader lets a layer advance.
        unsafe {
            if (*info).s_type == kind && (*info).function == LAYER_LINK_INFO {
                let link = (*info).link;
                (*info).link = (*link).next;
                return Some(link);
            }
            chain = (*info).next;
        }
    }
    None
}

unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    instance: *mut vk::Instance,
) -> vk::Result {
    // SAFETY: the loader calls a layer's vkCreateInstance with its link in the chain.
    let Some(link) = (unsafe { take_link((*info).p_next, vk::StructureType::LOADER_INSTANCE_CREATE_INFO) }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: the link is the loader's; vkCreateInstance may be asked of a null instance.
    unsafe {
        let next = (*link).get_instance_proc_addr;
        let Some(create) = next(vk::Instance::null(), c"vkCreateInstance".as_ptr()) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let create = std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkCreateInstance>(create);
        let result = create(info, allocator, instance);
        if result == vk::Result::SUCCESS {
            NEXT_INSTANCE
                .set(Some(std::mem::transmute::<vk::PFN_vkGetInstanceProcAddr, unsafe extern "system" fn()>(next)));
        }
        result
    }
}

unsafe extern "system" fn create_device(
    physical: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    device: *mut vk::Device,
) -> vk::Result {
    // SAFETY: the loader calls a layer's vkCreateDevice with its link in the chain.
    let Some(link) = (unsafe { take_link((*info).p_next, vk::StructureType::LOADER_DEVICE_CREATE_INFO) }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: the link is the loader's and has both functions; the casts name the types that Vulkan gives these names.
    unsafe {
        let (next_instance, Some(next_device)) = ((*link).get_instance_proc_addr, (*link).get_device_proc_addr) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let Some(create) = next_instance(vk::Instance::null(), c"vkCreateDevice".as_ptr()) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let create = std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkCreateDevice>(create);
        let result = create(physical, info, allocator, device);
        if result == vk::Result::SUCCESS {
            NEXT_DEVICE.set(Some(std::mem::transmute::<vk::PFN_vkGetDeviceProcAddr, unsafe extern "system" fn()>(
                next_device,
            )));
            NEXT_SUBMIT.set(next_device(*device, c"vkQueueSubmit".as_ptr()));
            let submit2 = next_device(*device, c"vkQueueSubmit2".as_ptr())
                .or_else(|| next_device(*device, c"vkQueueSubmit2KHR".as_ptr()));
            NEXT_SUBMIT2.set(submit2);
        }
        result
    }
}

/// A function of this layer as Vulkan hands functions out.
fn ours(function: *const c_void) -> vk::PFN_vkVoidFunction {
    // SAFETY: a null pointer becomes `None`; the caller of the result knows its type by the name it asked for.
    unsafe { std::mem::transmute::<*const c_void, vk::PFN_vkVoidFunction>(function) }
}

/// vkGetDeviceProcAddr of the layer, named in its manifest.
///
/// # Safety
/// As vkGetDeviceProcAddr: `name` is a C string.
#[unsafe(export_name = "nullexec_GetDeviceProcAddr")]
pub unsafe extern "system" fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: create_device stored the next layer's vkGetDeviceProcAddr, and `name` is a C string.
    let (next, text) = unsafe { (NEXT_DEVICE.get::<vk::PFN_vkGetDeviceProcAddr>(), CStr::from_ptr(name)) };
    match text.to_bytes() {
        b"vkGetDeviceProcAddr" => return ours(get_device_proc_addr as *const c_void),
        b"vkQueueSubmit" => return ours(queue_submit as *const c_void),
        _ => {}
    }
    // SAFETY: the application's own call, passed down.
    let below = next.and_then(|next| unsafe { next(device, name) });
    match text.to_bytes() {
        b"vkQueueSubmit2" | b"vkQueueSubmit2KHR" if below.is_some() => ours(queue_submit2 as *const c_void),
        _ => below,
    }
}

/// vkGetInstanceProcAddr of the layer, named in its manifest.
///
/// # Safety
/// As vkGetInstanceProcAddr: `name` is a C string.
#[unsafe(export_name = "nullexec_GetInstanceProcAddr")]
pub unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: `name` is a C string; create_instance stored the next layer's vkGetInstanceProcAddr.
    let (next, text) = unsafe { (NEXT_INSTANCE.get::<vk::PFN_vkGetInstanceProcAddr>(), CStr::from_ptr(name)) };
    match text.to_bytes() {
        b"vkGetInstanceProcAddr" => ours(get_instance_proc_addr as *const c_void),
        b"vkGetDeviceProcAddr" => ours(get_device_proc_addr as *const c_void),
        b"vkCreateInstance" => ours(create_instance as *const c_void),
        b"vkCreateDevice" => ours(create_device as *const c_void),
        // SAFETY: the application's own call, passed down.
        _ => next.and_then(|next| unsafe { next(instance, name) }),
    }
}
