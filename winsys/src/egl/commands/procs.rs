//! EGL 1.5 3.11: entry points by name.

use gallite_gl::entry;

use crate::egl::client::ClientStr;
use crate::egl::entry::ProcAddress;
use crate::egl::error::EglResult;
use crate::egl::generated::entry_points::ENTRY_POINTS;
use crate::egl::types::RawProc;
use crate::{caps, counter};

/// The function of a name, GL or EGL; none when there is no such command.
pub fn find(name: &str) -> Option<RawProc> {
    if let Ok(index) = ENTRY_POINTS.binary_search_by_key(&name, |(name, _)| name) {
        return Some(ENTRY_POINTS[index].1);
    }
    if name == counter::NAME {
        return Some(counter::function());
    }
    if name == caps::NAME {
        return Some(caps::function());
    }
    entry::proc_address(name.as_bytes()).map(|proc| RawProc(proc.address()))
}

/// eglGetProcAddress. With EGL_KHR_get_all_proc_addresses also for commands of core EGL and GL.
pub fn GetProcAddress(procname: ClientStr<'_>) -> EglResult<ProcAddress> {
    Ok(ProcAddress::new(procname.text().and_then(find)))
}
