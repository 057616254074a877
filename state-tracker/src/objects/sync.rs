//! Sync objects (GL 4.6 core 4.1).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gallite_pipe::{FenceId, WaitStatus};

use crate::device::Device;
use crate::gl::GLuint;
use crate::share::ObjectHeader;

/// A fence sync object.
pub struct Sync {
    /// Label; sync objects have no GLuint name.
    pub header: ObjectHeader,
    device: Arc<Device>,
    /// The driver's fence.
    pub fence: FenceId,
    signaled: AtomicBool,
}

impl std::fmt::Debug for Sync {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sync").field("fence", &self.fence).finish_non_exhaustive()
    }
}

impl Sync {
    /// Wraps a fence that a flush minted.
    pub fn new(device: &Arc<Device>, fence: FenceId) -> Self {
        let header = ObjectHeader::new(0 as GLuint);
        Self { header, device: Arc::clone(device), fence, signaled: AtomicBool::new(false) }
    }

    /// Waits at most `timeout` nanoseconds.
    pub fn wait(&self, timeout: u64) -> WaitStatus {
        if self.signaled.load(Ordering::Acquire) {
            return WaitStatus::SIGNALED;
        }
        let status = self.device.screen.fence_wait(self.fence, timeout);
        if status == WaitStatus::SIGNALED {
            self.signaled.store(true, Ordering::Release);
        }
        status
    }
}

impl Drop for Sync {
    fn drop(&mut self) {
        self.device.screen.destroy_fence(self.fence);
        self.device.release(self.fence);
    }
}
