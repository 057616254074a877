//! What becomes of devices that are open when the process ends.
//!
//! A program may return from `main` with contexts alive and work submitted. Then destructors of the libraries below run
//! (those of a software device's compiler, of layers) while its threads still work for us. So each device is brought to
//! rest first, and threads that come with more work after that wait for the end.

use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use crate::gpu::Gpu;

static OPEN: Mutex<Vec<Weak<Gpu>>> = Mutex::new(Vec::new());

/// How long a lock that another thread holds is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Notes an open device.
pub(crate) fn watch(gpu: &Arc<Gpu>) {
    let mut open = OPEN.lock();
    open.retain(|gpu| gpu.strong_count() > 0);
    open.push(Arc::downgrade(gpu));
}

/// Brings every open device to rest. Called when the process ends, before the destructors of the libraries below.
pub fn rest() {
    let open = OPEN.try_lock_for(PATIENCE).map(|mut open| std::mem::take(&mut *open)).unwrap_or_default();
    for gpu in open.iter().filter_map(Weak::upgrade) {
        gpu.rest(PATIENCE);
        // Destroying it is no longer anyone's business.
        std::mem::forget(gpu);
    }
}
