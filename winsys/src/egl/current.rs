//! What is current on a thread, and the change of it (EGL 1.5 3.7.3).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread::ThreadId;
use std::time::Duration;

use gallite_gl::drawable::Drawable;
use gallite_gl::entry;
use gallite_pipe::{FenceId, FlushFlags};
use parking_lot::Mutex;

use crate::egl::context::ContextObject;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::surface::Surface;
use crate::egl::thread;
use crate::egl::types::*;

/// A thread's current context with its surfaces.
#[derive(Debug, Clone)]
pub struct Current {
    /// The context.
    pub context: Arc<ContextObject>,
    /// Draw surface, none for a surfaceless context.
    pub draw: Option<Arc<Surface>>,
    /// Read surface, none for a surfaceless context.
    pub read: Option<Arc<Surface>>,
}

impl Current {
    fn is_same(&self, other: &Self) -> bool {
        let same = |a: &Option<Arc<Surface>>, b: &Option<Arc<Surface>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        Arc::ptr_eq(&self.context, &other.context) && same(&self.draw, &other.draw) && same(&self.read, &other.read)
    }
}

/// Which thread uses each context and surface. A change looks and enters under one lock, so that two threads
/// can't both find an object free.
#[derive(Debug, Default)]
struct Users {
    threads: HashMap<usize, ThreadId>,
}

static USERS: Mutex<Option<Users>> = Mutex::new(None);

fn handles(current: &Current) -> impl Iterator<Item = usize> + '_ {
    let surface = |surface: &Option<Arc<Surface>>| surface.as_ref().map(|surface| surface.handle.0);
    [Some(current.context.handle.0), surface(&current.draw), surface(&current.read)].into_iter().flatten()
}

/// Enters a new current set for this thread.
fn claim(next: &Current) -> EglResult<()> {
    let me = std::thread::current().id();
    let mut users = USERS.lock();
    let threads = &mut users.get_or_insert_default().threads;
    // EGL 1.5 3.7.3: EGL_BAD_ACCESS when the context or a surface is current to another thread.
    if let Some(taken) = handles(next).find(|handle| threads.get(handle).is_some_and(|user| *user != me)) {
        let message = if taken == next.context.handle.0 {
            "the context is current to another thread"
        } else {
            "a surface is current to another thread"
        };
        return Err(EglError::new(EGL_BAD_ACCESS, message));
    }
    for handle in handles(next) {
        threads.insert(handle, me);
    }
    Ok(())
}

/// Removes this thread's claims that `kept` doesn't repeat.
fn unclaim(old: &Current, kept: Option<&Current>) {
    let kept: Vec<usize> = kept.into_iter().flat_map(handles).collect();
    let mut users = USERS.lock();
    let threads = &mut users.get_or_insert_default().threads;
    for handle in handles(old).filter(|handle| !kept.contains(handle)) {
        threads.remove(&handle);
    }
}

/// Threads besides this one that something is current on. Waits that long at most for the list.
pub(crate) fn other_threads(patience: Duration) -> usize {
    let me = std::thread::current().id();
    let Some(users) = USERS.try_lock_for(patience) else { return 0 };
    let threads: HashSet<ThreadId> = users.iter().flat_map(|users| users.threads.values().copied()).collect();
    threads.iter().filter(|thread| **thread != me).count()
}

/// Whether a window is current in `old` and not in `next`.
fn leaves_window(old: &Current, next: Option<&Current>) -> bool {
    let is_kept = |surface: &Arc<Surface>| {
        next.is_some_and(|next| [&next.draw, &next.read].into_iter().flatten().any(|kept| Arc::ptr_eq(kept, surface)))
    };
    [&old.draw, &old.read].into_iter().flatten().any(|surface| surface.is_window() && !is_kept(surface))
}

/// Unbinds the thread's GL context and parks it.
fn park(old: &Current) {
    if let Some(mut gl) = entry::make_current(None) {
        let has_window = leaves_window(old, None);
        if old.context.attributes.gl.flush_on_release || has_window {
            // EGL 1.5 3.7.3: the previous context is flushed. With EGL_KHR_context_flush_control it need not be, but a
            // window must not be destroyed under work that still waits to be submitted.
            gl.pipe().flush(FenceId::NULL, FlushFlags::RELEASED);
        }
        gl.set_surfaces(None, None);
        old.context.park(gl);
    }
}

/// Gives up what was current, when it is replaced by nothing or its thread ends.
pub fn release(old: &Current) {
    park(old);
    unclaim(old, None);
}

/// Makes a context current, or none.
///
/// # Errors
/// `EGL_BAD_ACCESS` when something is in use on another thread; nothing changes then.
pub fn make_current(next: Option<Current>) -> EglResult<()> {
    let Some(next) = next else {
        if let Some(old) = thread::replace_current(None) {
            release(&old);
        }
        return Ok(());
    };
    claim(&next)?;
    let old = thread::with_current(|current| current.cloned());
    for surface in [&next.draw, &next.read].into_iter().flatten() {
        if let Err(error) = surface.follow(&next.context.share.device).and_then(|()| surface.reserve()) {
            unclaim(&next, old.as_ref());
            return Err(error);
        }
    }
    if old.as_ref().is_some_and(|old| old.is_same(&next)) {
        // Nothing changes, but a window may have since.
        [&next.draw, &next.read].into_iter().flatten().for_each(|surface| surface.begin_frame());
        return Ok(());
    }
    let gl = match &old {
        // EGL 1.5 3.7.3 asks for no flush, the context stays and only the surfaces change. A window that is left can be
        // destroyed from here on, and must not be under work that still waits to be submitted.
        Some(old) if Arc::ptr_eq(&old.context, &next.context) => {
            let mut gl = entry::make_current(None);
            if let Some(gl) = &mut gl
                && leaves_window(old, Some(&next))
            {
                gl.pipe().flush(FenceId::NULL, FlushFlags::EMPTY);
            }
            gl
        }
        _ => {
            if let Some(old) = &old {
                park(old);
            }
            next.context.take()
        }
    };
    for surface in [&next.draw, &next.read].into_iter().flatten() {
        surface.begin_frame();
    }
    if let Some(mut gl) = gl {
        let drawable = |surface: &Option<Arc<Surface>>| surface.as_ref().map(|s| Arc::clone(s) as Arc<dyn Drawable>);
        gl.set_surfaces(drawable(&next.draw), drawable(&next.read));
        for surface in [&next.draw, &next.read].into_iter().flatten() {
            surface.begin_first_frame();
        }
        entry::make_current(Some(gl));
    } else {
        // The claim made us its only user, so it can only be in a command that this call is made from.
        tracing::error!("eglMakeCurrent from within a GL callback of the same context");
    }
    let kept = next.clone();
    drop(thread::replace_current(Some(next)));
    if let Some(old) = old {
        unclaim(&old, Some(&kept));
    }
    Ok(())
}

/// Runs with the current context and its draw surface.
///
/// # Errors
/// `EGL_BAD_CONTEXT` without a current context, `EGL_BAD_SURFACE` without a draw surface.
pub fn draw_surface() -> EglResult<Arc<Surface>> {
    thread::with_current(|current| {
        let current = current.ok_or_else(|| EglError::new(EGL_BAD_CONTEXT, "no context is current"))?;
        current.draw.clone().ok_or_else(|| EglError::new(EGL_BAD_SURFACE, "no surface is current"))
    })
}

/// Checks that a context is current to this thread.
///
/// # Errors
/// `EGL_BAD_MATCH`, which is what the sync commands want.
pub fn require_context() -> EglResult<Arc<ContextObject>> {
    thread::with_current(|current| current.map(|current| Arc::clone(&current.context)))
        .ok_or_else(|| EglError::new(EGL_BAD_MATCH, "no context is current"))
}

/// Whether a surface is the calling thread's current draw surface.
///
/// # Errors
/// `EGL_BAD_SURFACE` when it isn't.
pub fn require_draw_surface(surface: &Arc<Surface>) -> EglResult<()> {
    let is_current = thread::with_current(|current| {
        current.is_some_and(|c| c.draw.as_ref().is_some_and(|draw| Arc::ptr_eq(draw, surface)))
    });
    ensure(is_current, EGL_BAD_SURFACE, "not the draw surface of the current context")
}
