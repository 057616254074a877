//! Sync objects: fences of a context, and reusable ones that the program signals itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gallite_gl::device::Device;
use gallite_gl::entry;
use gallite_pipe::{FenceId, FlushFlags, WaitStatus};
use parking_lot::{Condvar, Mutex};

use crate::egl::current;
use crate::egl::display::Label;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::types::*;

/// A sync object.
#[derive(Debug)]
pub struct SyncObject {
    /// EGL_KHR_debug label.
    pub label: Label,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Fence(Fence),
    Reusable { is_signaled: Mutex<bool>, changed: Condvar },
}

struct Fence {
    id: FenceId,
    device: Arc<Device>,
}

impl std::fmt::Debug for Fence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.id.fmt(f)
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        self.device.screen.destroy_fence(self.id);
        self.device.release(self.id);
    }
}

impl SyncObject {
    /// A fence after the commands so far of the current context (EGL 1.5 3.8.1).
    ///
    /// # Errors
    /// `EGL_BAD_MATCH` without a current context.
    pub fn fence() -> EglResult<Self> {
        current::require_context()?;
        let fence = entry::with_current(|context| {
            let device = Arc::clone(context.device());
            let id: FenceId = device.mint();
            // Flushed at once: another context or process may wait without being able to flush this one.
            context.pipe().flush(id, FlushFlags::EMPTY);
            Fence { id, device }
        });
        let fence = fence.ok_or_else(|| EglError::new(EGL_BAD_MATCH, "no context is current"))?;
        Ok(Self { label: Label::default(), kind: Kind::Fence(fence) })
    }

    /// A reusable sync object, unsignaled (EGL_KHR_reusable_sync).
    pub fn reusable() -> Self {
        let kind = Kind::Reusable { is_signaled: Mutex::new(false), changed: Condvar::new() };
        Self { label: Label::default(), kind }
    }

    /// `EGL_SYNC_TYPE`.
    pub const fn sync_type(&self) -> EGLint {
        match self.kind {
            Kind::Fence(_) => EGL_SYNC_FENCE,
            Kind::Reusable { .. } => EGL_SYNC_REUSABLE_KHR,
        }
    }

    /// Waits until it is signaled. True when it was within the time.
    pub fn client_wait(&self, timeout: EGLTime) -> bool {
        match &self.kind {
            Kind::Fence(fence) => {
                // On a lost device everything counts as done, so that no program waits for ever.
                fence.device.screen.fence_wait(fence.id, timeout) != WaitStatus::TIMEOUT
            }
            Kind::Reusable { is_signaled, changed } => {
                let deadline = Instant::now().checked_add(Duration::from_nanos(timeout));
                let mut is_signaled = is_signaled.lock();
                while !*is_signaled {
                    match deadline.filter(|_| timeout != EGL_FOREVER) {
                        None => changed.wait(&mut is_signaled),
                        Some(deadline) => {
                            if changed.wait_until(&mut is_signaled, deadline).timed_out() {
                                break;
                            }
                        }
                    }
                }
                *is_signaled
            }
        }
    }

    /// Makes later commands of the current context wait for it (EGL 1.5 3.8.1.2).
    ///
    /// # Errors
    /// `EGL_BAD_MATCH` without a current context or for a reusable sync object.
    pub fn server_wait(&self) -> EglResult<()> {
        current::require_context()?;
        match &self.kind {
            Kind::Fence(fence) => {
                let is_same_device = entry::with_current(|context| {
                    let same = Arc::ptr_eq(context.device(), &fence.device);
                    if same {
                        context.pipe().fence_server_wait(fence.id);
                    }
                    same
                });
                if is_same_device == Some(false) {
                    // Another device can't wait for it; waiting here has the same effect.
                    self.client_wait(EGL_FOREVER);
                }
                Ok(())
            }
            Kind::Reusable { .. } => {
                Err(EglError::new(EGL_BAD_MATCH, "a reusable sync can't be waited for by the server"))
            }
        }
    }

    /// Signals or unsignals (EGL_KHR_reusable_sync).
    ///
    /// # Errors
    /// `EGL_BAD_MATCH` for a fence, `EGL_BAD_PARAMETER` for an unknown mode.
    pub fn signal(&self, mode: EGLenum) -> EglResult<()> {
        let Kind::Reusable { is_signaled, changed } = &self.kind else {
            return Err(EglError::new(EGL_BAD_MATCH, "not a reusable sync object"));
        };
        let signaled = match EGLint::try_from(mode) {
            Ok(EGL_SIGNALED) => true,
            Ok(EGL_UNSIGNALED) => false,
            _ => return Err(EglError::new(EGL_BAD_PARAMETER, "neither EGL_SIGNALED nor EGL_UNSIGNALED")),
        };
        *is_signaled.lock() = signaled;
        changed.notify_all();
        Ok(())
    }

    /// Called when destroyed: waiters on a reusable sync object return (EGL_KHR_reusable_sync).
    pub fn wake(&self) {
        if let Kind::Reusable { is_signaled, changed } = &self.kind {
            *is_signaled.lock() = true;
            changed.notify_all();
        }
    }

    /// Value of an attribute (EGL 1.5 table 3.10).
    ///
    /// # Errors
    /// `EGL_BAD_ATTRIBUTE`.
    pub fn attribute(&self, name: EGLint) -> EglResult<EGLint> {
        Ok(match (name, &self.kind) {
            (EGL_SYNC_TYPE, _) => self.sync_type(),
            (EGL_SYNC_STATUS, _) => {
                if self.client_wait(0) {
                    EGL_SIGNALED
                } else {
                    EGL_UNSIGNALED
                }
            }
            (EGL_SYNC_CONDITION, Kind::Fence(_)) => EGL_SYNC_PRIOR_COMMANDS_COMPLETE,
            _ => return Err(EglError::new(EGL_BAD_ATTRIBUTE, "not an attribute of this sync object")),
        })
    }
}

/// Makes a sync object of the type the program names.
///
/// # Errors
/// `EGL_BAD_ATTRIBUTE` for attributes (no type has any) and unknown types.
pub fn create(kind: EGLenum, attributes: &[(EGLint, EGLAttrib)]) -> EglResult<SyncObject> {
    let has_none = ensure(attributes.is_empty(), EGL_BAD_ATTRIBUTE, "sync objects have no creation attributes");
    match EGLint::try_from(kind) {
        Ok(EGL_SYNC_FENCE) => has_none.and_then(|()| SyncObject::fence()),
        Ok(EGL_SYNC_REUSABLE_KHR) => has_none.map(|()| SyncObject::reusable()),
        _ => Err(EglError::new(EGL_BAD_ATTRIBUTE, "not a type of sync object")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reusable_syncs_wake_their_waiters() {
        let sync = Arc::new(SyncObject::reusable());
        assert!(!sync.client_wait(0));
        assert!(!sync.client_wait(1_000_000));
        let waiter = std::thread::spawn({
            let sync = Arc::clone(&sync);
            move || sync.client_wait(EGL_FOREVER)
        });
        assert_eq!(sync.signal(EGL_SIGNALED.cast_unsigned()), Ok(()));
        assert!(waiter.join().expect("waiter"));
        assert_eq!(sync.attribute(EGL_SYNC_STATUS), Ok(EGL_SIGNALED));
        assert_eq!(sync.signal(EGL_UNSIGNALED.cast_unsigned()), Ok(()));
        assert_eq!(sync.attribute(EGL_SYNC_STATUS), Ok(EGL_UNSIGNALED));
        assert_eq!(sync.signal(7).map_err(|e| e.code), Err(EGL_BAD_PARAMETER));
        sync.wake();
        assert!(sync.client_wait(0));
    }

    #[test]
    fn reusable_syncs_have_no_condition() {
        let sync = SyncObject::reusable();
        assert_eq!(sync.attribute(EGL_SYNC_CONDITION).map_err(|e| e.code), Err(EGL_BAD_ATTRIBUTE));
    }
}
