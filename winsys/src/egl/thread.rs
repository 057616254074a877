//! State of a thread: its error, bound API, label, and current context.

use std::cell::{Cell, RefCell};

use crate::egl::current::{self, Current};
use crate::egl::types::*;

struct Thread {
    error: Cell<EGLint>,
    api: Cell<EGLenum>,
    label: Cell<NativeHandle>,
    object_label: Cell<NativeHandle>,
    current: RefCell<Option<Current>>,
}

impl Drop for Thread {
    /// The thread ends: what was current to it is current no more.
    ///
    /// The main thread ends with the process, when the program may have closed its connection to the window system and
    /// the driver's libraries may have run their own clean-up. Nothing may be called then; the kernel frees the rest.
    fn drop(&mut self) {
        if let Some(old) = self.current.take() {
            if is_main_thread() {
                std::mem::forget(old);
            } else {
                current::release(&old);
            }
        }
    }
}

fn is_main_thread() -> bool {
    // `PID/task/TID`.
    let path = std::fs::read_link("/proc/thread-self").unwrap_or_default();
    let process = path.iter().next();
    process.is_some() && process == path.iter().next_back()
}

/// The rendering API of a fresh thread. EGL 1.5 3.7: EGL_OPENGL_ES_API, or EGL_NONE where OpenGL ES
/// isn't supported.
const INITIAL_API: EGLenum = EGL_NONE as EGLenum;

thread_local! {
    static THREAD: Thread = const {
        Thread {
            error: Cell::new(EGL_SUCCESS),
            api: Cell::new(INITIAL_API),
            label: Cell::new(NativeHandle::NONE),
            object_label: Cell::new(NativeHandle::NONE),
            current: RefCell::new(None),
        }
    };
}

/// Runs with the thread's state; a fallback when the thread is already past its destructors.
fn with<T>(fallback: T, run: impl FnOnce(&Thread) -> T) -> T {
    THREAD.try_with(run).unwrap_or(fallback)
}

/// Called first by every command.
pub fn begin_call() {
    with((), |thread| thread.object_label.set(NativeHandle::NONE));
}

/// Sets the error that eglGetError returns next.
pub fn set_error(code: EGLint) {
    with((), |thread| thread.error.set(code));
}

/// The error of the previous command.
pub fn error() -> EGLint {
    with(EGL_SUCCESS, |thread| thread.error.get())
}

/// The bound rendering API.
pub fn api() -> EGLenum {
    with(INITIAL_API, |thread| thread.api.get())
}

/// Binds a rendering API.
pub fn set_api(api: EGLenum) {
    with((), |thread| thread.api.set(api));
}

/// The label EGL_KHR_debug gave this thread.
pub fn label() -> NativeHandle {
    with(NativeHandle::NONE, |thread| thread.label.get())
}

/// Labels this thread.
pub fn set_label(label: NativeHandle) {
    with((), |thread| thread.label.set(label));
}

/// The label of the object the running command is about.
pub fn object_label() -> NativeHandle {
    with(NativeHandle::NONE, |thread| thread.object_label.get())
}

/// Notes the label of the object the running command is about.
pub fn set_object_label(label: NativeHandle) {
    with((), |thread| thread.object_label.set(label));
}

/// Reads the current context and surfaces.
pub fn with_current<T>(run: impl FnOnce(Option<&Current>) -> T) -> T {
    // `run` is taken by at most one branch.
    let mut run = Some(run);
    let done = THREAD.try_with(|thread| {
        let current = thread.current.borrow();
        run.take().map(|run| run(current.as_ref()))
    });
    match (done, run) {
        (Ok(Some(value)), _) => value,
        (_, Some(run)) => run(None),
        (_, None) => unreachable!("the closure ran, so its value was returned"),
    }
}

/// Replaces the current context and surfaces, and returns the previous ones, to be dropped by the caller
/// when no borrow is held any more.
pub fn replace_current(current: Option<Current>) -> Option<Current> {
    THREAD.try_with(|thread| thread.current.replace(current)).unwrap_or(None)
}

/// Back to the state of a fresh thread (eglReleaseThread), the current context excepted.
pub fn reset() {
    set_api(INITIAL_API);
    set_error(EGL_SUCCESS);
}
