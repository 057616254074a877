//! Buffers and the storage behind them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;
use gallite_pipe::{BufferDesc, BufferFlags, BufferUsage, MapFlags};
use parking_lot::Mutex;

use crate::ffi::{HostRange, MemoryBlock, MemoryPlace};
use crate::gpu::{Garbage, Gpu, Uses};
use crate::slab::{MAX_SLAB_BUFFER, SLAB_BYTES, SlabRange};

/// Every usage a buffer can be bound for; GL lets any buffer be bound anywhere.
pub(crate) fn all_buffer_usage(gpu: &Gpu) -> vk::BufferUsageFlags {
    let mut usage = vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST
        | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
        | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER
        | vk::BufferUsageFlags::UNIFORM_BUFFER
        | vk::BufferUsageFlags::STORAGE_BUFFER
        | vk::BufferUsageFlags::INDEX_BUFFER
        | vk::BufferUsageFlags::VERTEX_BUFFER
        | vk::BufferUsageFlags::INDIRECT_BUFFER;
    if gpu.features().transform_feedback {
        usage |= vk::BufferUsageFlags::TRANSFORM_FEEDBACK_BUFFER_EXT
            | vk::BufferUsageFlags::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
    }
    if gpu.features().conditional_rendering {
        usage |= vk::BufferUsageFlags::CONDITIONAL_RENDERING_EXT;
    }
    usage
}

/// Bytes: alignment of a mapped buffer's first byte (GL 4.6 core table 23.56 asks for 64).
pub(crate) const MAP_ALIGNMENT: u64 = 64;

/// Makes a native buffer with memory.
pub(crate) fn create_raw(
    gpu: &Gpu,
    size: u64,
    usage: vk::BufferUsageFlags,
    place: MemoryPlace,
) -> Option<(vk::Buffer, MemoryBlock)> {
    let info = vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
    let buffer = gpu.device.create_buffer(&info).ok()?;
    let mut requirements = gpu.device.buffer_requirements(buffer);
    // What caps promise of mappings: a device's own limit speaks of whole allocations, and buffers are pieces of them.
    requirements.alignment = requirements.alignment.max(MAP_ALIGNMENT);
    let block = gpu.allocate(requirements, place, true);
    let bound = block.as_ref().is_some_and(|b| gpu.device.bind_buffer(buffer, b).is_ok());
    match (block, bound) {
        (Some(block), true) => Some((buffer, block)),
        (block, _) => {
            gpu.device.destroy_buffer(buffer);
            if let Some(block) = block {
                gpu.free_memory(block);
            }
            None
        }
    }
}

enum Home {
    Own(Option<MemoryBlock>),
    Slab(SlabRange),
}

/// Bytes on the device: a native buffer or a piece of one.
pub(crate) struct BufferStorage {
    gpu: Arc<Gpu>,
    /// The native buffer.
    pub raw: vk::Buffer,
    /// Bytes from its start to ours.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// The host's view, when mapped and coherent.
    pub host: Option<HostRange>,
    /// Whether host reads are fast.
    pub host_cached: bool,
    home: Home,
    /// Batches that use it.
    pub uses: Uses,
    /// Index into the contexts' hazard tables.
    pub track: u32,
}

impl BufferStorage {
    /// Allocates; `None` when there is no memory.
    pub fn new(gpu: &Arc<Gpu>, size: u64, place: MemoryPlace) -> Option<Arc<Self>> {
        let size = size.max(1);
        // Where the size of a bound vertex buffer can't be told, or accesses are only kept within native buffers, each has
        // one of its own: GL 4.6 core 6.4 keeps robust contexts from reading what is another buffer's.
        let f = gpu.features();
        if size <= MAX_SLAB_BUFFER && f.extended_dynamic_state && f.robust_buffer_access2 {
            let make = || create_raw(gpu, SLAB_BYTES, all_buffer_usage(gpu), place);
            let (range, (raw, host, host_cached)) = gpu.slabs.allocate(place, size, make, |(raw, block), range| {
                let host = block.host().and_then(|host| host.part(u64::from(range.offset), range.size()));
                (*raw, host, block.host_cached())
            })?;
            return Some(Arc::new(Self {
                raw,
                offset: u64::from(range.offset),
                size,
                host,
                host_cached,
                home: Home::Slab(range),
                uses: Uses::default(),
                track: gpu.track_slot(),
                gpu: gpu.clone(),
            }));
        }
        // Room for reads of whole vectors at the end.
        let (raw, block) = create_raw(gpu, size.next_multiple_of(16), all_buffer_usage(gpu), place)?;
        Some(Arc::new(Self {
            raw,
            offset: 0,
            size,
            host: block.host(),
            host_cached: block.host_cached(),
            home: Home::Own(Some(block)),
            uses: Uses::default(),
            track: gpu.track_slot(),
            gpu: gpu.clone(),
        }))
    }
}

impl Drop for BufferStorage {
    fn drop(&mut self) {
        self.gpu.free_track_slot(self.track);
        let garbage = match &mut self.home {
            Home::Own(block) => Garbage::Buffer(self.raw, block.take()),
            Home::Slab(range) => Garbage::Slab(*range),
        };
        self.gpu.retire(&self.uses, garbage);
    }
}

/// A mapping that is lent.
pub(crate) struct MapState {
    pub offset: u64,
    pub size: u64,
    pub flags: MapFlags,
    /// Holds the bytes when the buffer's own storage cannot be lent.
    pub staging: Option<Arc<BufferStorage>>,
}

/// A buffer of the pipe interface.
pub(crate) struct Buffer {
    pub desc: BufferDesc,
    place: MemoryPlace,
    storage: Mutex<Option<Arc<BufferStorage>>>,
    /// Changes with the storage.
    pub version: AtomicU64,
    pub map: Mutex<Option<MapState>>,
}

impl Buffer {
    pub fn new(gpu: &Arc<Gpu>, desc: &BufferDesc) -> Self {
        let place = place(desc);
        let storage = BufferStorage::new(gpu, desc.size, place);
        Self { desc: *desc, place, storage: Mutex::new(storage), version: AtomicU64::new(1), map: Mutex::new(None) }
    }

    /// The storage now; `None` when memory could not be had.
    pub fn storage(&self) -> Option<Arc<BufferStorage>> {
        self.storage.lock().clone()
    }

    /// Whether the storage may be exchanged: not while lent or promised to stay.
    pub fn can_rename(&self) -> bool {
        !self.desc.flags.contains(BufferFlags::MAP_PERSISTENT) && self.map.lock().is_none()
    }

    /// Gives the buffer fresh storage, unless there is no memory.
    pub fn rename(&self, gpu: &Arc<Gpu>) -> bool {
        let Some(fresh) = BufferStorage::new(gpu, self.desc.size, self.place) else { return false };
        *self.storage.lock() = Some(fresh);
        self.version.fetch_add(1, Ordering::Relaxed);
        gpu.storage_epoch.fetch_add(1, Ordering::Release);
        true
    }
}

fn place(desc: &BufferDesc) -> MemoryPlace {
    let flags = desc.flags;
    if desc.usage == BufferUsage::READBACK || flags.contains(BufferFlags::MAP_PERSISTENT | BufferFlags::MAP_READ) {
        MemoryPlace::Readback
    } else if flags.intersects(BufferFlags::MAP_PERSISTENT | BufferFlags::CLIENT_STORAGE)
        || desc.usage != BufferUsage::STATIC
    {
        MemoryPlace::Upload
    } else {
        MemoryPlace::Device
    }
}
