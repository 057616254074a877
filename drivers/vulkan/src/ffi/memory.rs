//! Device memory through gpu-allocator, and host pointers into it.

use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use ash::vk;
use gallite_pipe::Mapping;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc};

use super::{Device, Instance};

/// Where memory should lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryPlace {
    /// Fast for the device; mapped if that costs nothing.
    Device,
    /// Written by the host, read by the device.
    Upload,
    /// Written by the device, read by the host.
    Readback,
}

/// The allocator.
pub(crate) struct Memory {
    allocator: ManuallyDrop<Allocator>,
}

/// A piece of device memory. Given back through [`Memory::free`].
#[derive(Debug)]
pub(crate) struct MemoryBlock {
    allocation: Allocation,
}

/// An address range of mapped device memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostRange {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: an address and a length; all access is by byte copies, and ordering against the device and other
// threads is the rule of the pipe interface (one context at a time, or UNSYNCHRONIZED by the caller's word).
unsafe impl Send for HostRange {}
// SAFETY: as above.
unsafe impl Sync for HostRange {}

impl HostRange {
    /// A part of the range; `None` when it does not fit.
    pub fn part(&self, offset: u64, len: u64) -> Option<Self> {
        let end = offset.checked_add(len)?;
        if end > self.len as u64 {
            return None;
        }
        // SAFETY: `offset` is inside the range.
        Some(Self { start: unsafe { self.start.add(offset as usize) }, len: len as usize })
    }

    /// Copies bytes in; what does not fit is dropped.
    pub fn write(&self, offset: u64, bytes: &[u8]) {
        if let Some(part) = self.part(offset, bytes.len() as u64) {
            // SAFETY: `part` has the length of `bytes`, is mapped for as long as its block lives, and
            // does not overlap a Rust allocation.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), part.start.as_ptr(), bytes.len()) };
        }
    }

    /// Copies bytes out; zeros when they do not fit.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) {
        match self.part(offset, bytes.len() as u64) {
            // SAFETY: as in `write`.
            Some(part) => unsafe {
                std::ptr::copy_nonoverlapping(part.start.as_ptr(), bytes.as_mut_ptr(), bytes.len());
            },
            None => bytes.fill(0),
        }
    }

    /// Sets all bytes.
    pub fn fill(&self, value: u8) {
        // SAFETY: the whole range is mapped.
        unsafe { std::ptr::write_bytes(self.start.as_ptr(), value, self.len) };
    }

    /// Lends the range to the program.
    pub fn mapping(&self) -> Mapping {
        // SAFETY: the block stays mapped until the buffer is destroyed and idle, and this driver makes no
        // Rust references to its bytes.
        unsafe { Mapping::new(self.start, self.len) }
    }
}

impl MemoryBlock {
    /// The host's view, when the memory is mapped and coherent.
    pub fn host(&self) -> Option<HostRange> {
        if !self.allocation.memory_properties().contains(vk::MemoryPropertyFlags::HOST_COHERENT) {
            return None;
        }
        let start = self.allocation.mapped_ptr()?.cast::<u8>();
        Some(HostRange { start, len: self.allocation.size() as usize })
    }

    /// Whether host reads are fast.
    pub fn host_cached(&self) -> bool {
        self.allocation.memory_properties().contains(vk::MemoryPropertyFlags::HOST_CACHED)
    }

    /// Its bytes.
    pub fn size(&self) -> u64 {
        self.allocation.size()
    }

    pub fn binding(&self) -> (vk::DeviceMemory, u64) {
        // SAFETY: used only to bind; the block outlives the bound object (garbage is freed in that order).
        (unsafe { self.allocation.memory() }, self.allocation.offset())
    }
}

impl Memory {
    pub fn new(instance: &Instance, device: &Device, adapter: vk::PhysicalDevice) -> Option<Self> {
        let mut debug = gpu_allocator::AllocatorDebugSettings::default();
        debug.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: instance.handle().clone(),
            device: device.handle().clone(),
            physical_device: adapter,
            debug_settings: debug,
            buffer_device_address: false,
            allocation_sizes: gpu_allocator::AllocationSizes::default(),
        })
        .ok()?;
        Some(Self { allocator: ManuallyDrop::new(allocator) })
    }

    /// Allocates; `None` when there is no memory.
    pub fn allocate(
        &mut self,
        requirements: vk::MemoryRequirements,
        place: MemoryPlace,
        linear: bool,
    ) -> Option<MemoryBlock> {
        let location = match place {
            MemoryPlace::Device => MemoryLocation::GpuOnly,
            MemoryPlace::Upload => MemoryLocation::CpuToGpu,
            MemoryPlace::Readback => MemoryLocation::GpuToCpu,
        };
        let desc = AllocationCreateDesc {
            name: "gallite",
            requirements,
            location,
            linear,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        };
        self.allocator.allocate(&desc).ok().map(|allocation| MemoryBlock { allocation })
    }

    pub fn free(&mut self, block: MemoryBlock) {
        if let Err(error) = self.allocator.free(block.allocation) {
            tracing::warn!("memory: {error}");
        }
    }

    /// Gives all memory back. Must be the last use, before the device goes.
    pub fn close(&mut self) {
        // SAFETY: called once, from the drop of the owner, which does not touch `self` afterwards.
        unsafe { ManuallyDrop::drop(&mut self.allocator) };
    }
}
