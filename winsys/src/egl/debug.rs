//! `EGL_KHR_debug`: the message callback and labels.
#![allow(unsafe_code)]

use std::ffi::CString;

use parking_lot::RwLock;

use crate::egl::error::{EglError, EglResult};
use crate::egl::thread;
use crate::egl::types::*;

#[derive(Clone, Copy)]
struct Reporter {
    callback: EGLDEBUGPROCKHR,
    critical: bool,
    error: bool,
    warn: bool,
    info: bool,
}

// EGL_KHR_debug: initially critical and error messages are enabled, the others aren't.
const INITIAL: Reporter = Reporter { callback: None, critical: true, error: true, warn: false, info: false };

static REPORTER: RwLock<Reporter> = RwLock::new(INITIAL);

/// Replaces callback and enabled message types.
///
/// # Errors
/// `EGL_BAD_ATTRIBUTE` for an unknown message type; nothing changes then.
pub fn control(callback: EGLDEBUGPROCKHR, attributes: &[(EGLint, EGLAttrib)]) -> EglResult<()> {
    let mut next = Reporter { callback, ..*REPORTER.read() };
    for &(name, value) in attributes {
        let enabled = match value {
            0 => false,
            1 => true,
            _ => {
                return Err(EglError::new(
                    EGL_BAD_ATTRIBUTE,
                    "value of a message type is neither EGL_TRUE nor EGL_FALSE",
                ));
            }
        };
        match name {
            EGL_DEBUG_MSG_CRITICAL_KHR => next.critical = enabled,
            EGL_DEBUG_MSG_ERROR_KHR => next.error = enabled,
            EGL_DEBUG_MSG_WARN_KHR => next.warn = enabled,
            EGL_DEBUG_MSG_INFO_KHR => next.info = enabled,
            _ => return Err(EglError::new(EGL_BAD_ATTRIBUTE, "not a debug message type")),
        }
    }
    if callback.is_none() {
        // EGL_KHR_debug: a null callback disables reporting and resets the controls.
        next = INITIAL;
    }
    *REPORTER.write() = next;
    Ok(())
}

/// What eglQueryDebugKHR returns.
///
/// # Errors
/// `EGL_BAD_ATTRIBUTE` for an unknown attribute.
pub fn query(attribute: EGLint) -> EglResult<EGLAttrib> {
    let reporter = *REPORTER.read();
    Ok(match attribute {
        EGL_DEBUG_CALLBACK_KHR => reporter.callback.map_or(0, |callback| callback as usize as EGLAttrib),
        EGL_DEBUG_MSG_CRITICAL_KHR => EGLAttrib::from(reporter.critical),
        EGL_DEBUG_MSG_ERROR_KHR => EGLAttrib::from(reporter.error),
        EGL_DEBUG_MSG_WARN_KHR => EGLAttrib::from(reporter.warn),
        EGL_DEBUG_MSG_INFO_KHR => EGLAttrib::from(reporter.info),
        _ => return Err(EglError::new(EGL_BAD_ATTRIBUTE, "not a debug attribute")),
    })
}

/// Tells the program's callback about a failed command.
pub fn report(command: &str, error: &EglError) {
    // The callback runs without the lock: it may call EGL.
    let reporter = *REPORTER.read();
    let Some(callback) = reporter.callback else { return };
    // EGL_KHR_debug: out of memory is critical, every other error an ordinary one.
    let (kind, enabled) = match error.code {
        EGL_BAD_ALLOC => (EGL_DEBUG_MSG_CRITICAL_KHR, reporter.critical),
        _ => (EGL_DEBUG_MSG_ERROR_KHR, reporter.error),
    };
    let (Ok(command), Ok(message)) = (CString::new(command), CString::new(error.message.as_ref())) else { return };
    if enabled {
        // SAFETY: EGL_KHR_debug: the program keeps the callback valid until it sets another; both
        // strings outlive the call.
        unsafe {
            callback(
                error.code.cast_unsigned(),
                command.as_ptr(),
                kind,
                thread::label(),
                thread::object_label(),
                message.as_ptr(),
            );
        }
    }
}
