//! Capture targets: a buffer range and the counter that says how far it is filled.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gallite_pipe::XfbTargetDesc;

use crate::buffer::{Buffer, BufferStorage};
use crate::ffi::MemoryPlace;
use crate::gpu::Gpu;

/// A capture target.
pub(crate) struct XfbTarget {
    pub buffer: Arc<Buffer>,
    pub offset: u64,
    pub size: u64,
    /// Bytes written so far, kept by the device.
    pub counter: Arc<BufferStorage>,
    /// Whether the counter holds a value yet.
    pub counted: AtomicBool,
}

impl XfbTarget {
    pub fn new(gpu: &Arc<Gpu>, buffer: Arc<Buffer>, desc: &XfbTargetDesc) -> Option<Self> {
        let counter = BufferStorage::new(gpu, 16, MemoryPlace::Device)?;
        Some(Self { buffer, offset: desc.offset, size: desc.size, counter, counted: AtomicBool::new(false) })
    }
}
