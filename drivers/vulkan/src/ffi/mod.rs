//! The only place in this crate where `unsafe` is written: one thin method per Vulkan command used.
//!
//! The methods are safe to call inside this crate because of four rules that the rest of the driver keeps, and that the
//! validation layer checks in every test run:
//! 1. **Lifetime.** A native handle is destroyed only by the garbage queue, after the last batch that used it has completed.
//! 2. **Threads.** Externally synchronised handles (queues, pools, command buffers) are reached through `&mut` or a lock.
//! 3. **Features.** A command of an extension is called only when [`crate::adapter::DeviceFeatures`] says that it is there.
//! 4. **Valid usage.** Arguments come from objects of this crate, whose creation code establishes the VUIDs they need.

mod cmd;
mod device;
mod instance;
mod memory;
mod surface;
mod thread;

pub(crate) use cmd::Cmd;
pub(crate) use device::{Device, SubmitInfo};
pub(crate) use instance::{Adapter, Instance};
pub(crate) use memory::{HostRange, Memory, MemoryBlock, MemoryPlace};
pub(crate) use surface::SurfaceFns;
pub(crate) use thread::this_thread;
