//! Contexts: attributes of eglCreateContext, and the object behind a handle.

use std::sync::Arc;

use gallite_gl::context::{Context as GlContext, ContextConfig, CreateError, Profile};
use gallite_gl::share::ShareGroup;
use parking_lot::Mutex;

use crate::egl::display::{Display, Label, Session, new_handle};
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::types::*;

/// What a context was asked to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextAttributes {
    /// For the state tracker.
    pub gl: ContextConfig,
}

fn bad_attribute(name: EGLint) -> EglError {
    EglError::new(EGL_BAD_ATTRIBUTE, format!("context attribute {name:#06x} or its value"))
}

const FLAGS: EGLint = EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR
    | EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR
    | EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;

const PROFILES: EGLint = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR | EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT_KHR;

impl ContextAttributes {
    /// Reads the list of eglCreateContext for an OpenGL context (EGL 1.5 3.7.1.1).
    ///
    /// # Errors
    /// `EGL_BAD_ATTRIBUTE`, and `EGL_BAD_MATCH` for versions and combinations that don't exist.
    pub fn parse(attributes: &[(EGLint, EGLAttrib)]) -> EglResult<Self> {
        // EGL 1.5 3.7.1: version 1.0, core profile (of the versions that have profiles), no flags.
        let mut version = (1, 0);
        let mut profile_mask = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR;
        let mut gl = ContextConfig::default();
        for &(name, value) in attributes {
            let value = EGLint::try_from(value).map_err(|_| bad_attribute(name))?;
            let boolean = || match value {
                0 => Ok(false),
                1 => Ok(true),
                _ => Err(bad_attribute(name)),
            };
            match name {
                EGL_CONTEXT_MAJOR_VERSION => version.0 = value,
                EGL_CONTEXT_MINOR_VERSION => version.1 = value,
                EGL_CONTEXT_OPENGL_PROFILE_MASK => {
                    // The mask matters from version 3.2 on only; it is checked below.
                    profile_mask = value;
                }
                EGL_CONTEXT_FLAGS_KHR => {
                    ensure(value & !FLAGS == 0, EGL_BAD_ATTRIBUTE, "unknown context flag")?;
                    gl.debug = value & EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR != 0;
                    gl.forward_compatible = value & EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR != 0;
                    gl.robust_access = value & EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR != 0;
                }
                EGL_CONTEXT_OPENGL_DEBUG => gl.debug = boolean()?,
                EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE => gl.forward_compatible = boolean()?,
                EGL_CONTEXT_OPENGL_ROBUST_ACCESS | EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT => {
                    gl.robust_access = boolean()?;
                }
                EGL_CONTEXT_OPENGL_NO_ERROR_KHR => gl.no_error = boolean()?,
                EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY | EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT => {
                    gl.reset_notification = match value {
                        EGL_NO_RESET_NOTIFICATION => false,
                        EGL_LOSE_CONTEXT_ON_RESET => true,
                        _ => return Err(bad_attribute(name)),
                    };
                }
                EGL_CONTEXT_RELEASE_BEHAVIOR_KHR => {
                    gl.flush_on_release = match value {
                        EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR => true,
                        EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR => false,
                        _ => return Err(bad_attribute(name)),
                    };
                }
                _ => return Err(bad_attribute(name)),
            }
        }
        gl.version = defined_version(version)?;
        gl.profile = profile(gl.version, profile_mask, gl.forward_compatible)?;
        // EGL_KHR_create_context: forward-compatible contexts exist from 3.0 on.
        ensure(
            !gl.forward_compatible || gl.version >= (3, 0),
            EGL_BAD_MATCH,
            "forward-compatible contexts begin with OpenGL 3.0",
        )?;
        // EGL_KHR_create_context_no_error: debug and robust contexts must report errors.
        ensure(
            !(gl.no_error && (gl.debug || gl.robust_access)),
            EGL_BAD_MATCH,
            "no-error contexts can't be debug or robust contexts",
        )?;
        Ok(Self { gl })
    }
}

/// EGL 1.5 3.7.1: a version that isn't defined is `EGL_BAD_MATCH`.
fn defined_version((major, minor): (EGLint, EGLint)) -> EglResult<(u32, u32)> {
    let newest_minor = match major {
        1 => 5,
        2 => 1,
        3 => 3,
        4 => 6,
        _ => -1,
    };
    ensure((0..=newest_minor).contains(&minor), EGL_BAD_MATCH, "there is no such OpenGL version")?;
    Ok((major.cast_unsigned(), minor.cast_unsigned()))
}

/// Which profile serves a version. Below 3.2 the mask is ignored: 3.1, and a forward-compatible 3.0, are what the core
/// profile kept; older versions need the features that only the compatibility profile has.
fn profile(version: (u32, u32), mask: EGLint, forward_compatible: bool) -> EglResult<Profile> {
    if version < (3, 1) {
        return Ok(if forward_compatible { Profile::Core } else { Profile::Compatibility });
    }
    if version < (3, 2) {
        return Ok(Profile::Core);
    }
    // EGL 1.5 3.7.1: a mask with no known bit, or more than one, is EGL_BAD_MATCH.
    ensure(mask & !PROFILES == 0, EGL_BAD_MATCH, "unknown profile bit")?;
    match mask {
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR => Ok(Profile::Core),
        EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT_KHR => Ok(Profile::Compatibility),
        _ => Err(EglError::new(EGL_BAD_MATCH, "exactly one profile must be asked for")),
    }
}

/// A context of a display.
pub struct ContextObject {
    /// Its handle.
    pub handle: EGLContext,
    /// The display it belongs to.
    pub display: &'static Display,
    /// Id of its config, 0 when made without one (EGL_KHR_no_config_context).
    pub config_id: EGLint,
    /// What it was asked to be.
    pub attributes: ContextAttributes,
    /// EGL_KHR_debug label.
    pub label: Label,
    /// The objects it shares.
    pub share: Arc<ShareGroup>,
    /// The context itself while it is current nowhere. A thread that makes it current owns it.
    parked: Mutex<Option<Box<GlContext>>>,
}

impl std::fmt::Debug for ContextObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContextObject").field("handle", &self.handle).finish_non_exhaustive()
    }
}

impl ContextObject {
    /// Makes a context.
    ///
    /// # Errors
    /// `EGL_BAD_MATCH` when the version isn't supported or the shared context is of another device or reset
    /// strategy, `EGL_BAD_ALLOC` when the driver refuses.
    pub fn new(
        session: &Session,
        config_id: EGLint,
        attributes: ContextAttributes,
        share: Option<&Self>,
    ) -> EglResult<Self> {
        let device = match share {
            Some(_) => session.device(),
            None => session.live_device(),
        };
        if let Some(share) = share {
            // EGL 1.5 3.7.1: shared contexts live in one address space, and agree on the reset strategy.
            ensure(
                Arc::ptr_eq(&share.share.device, &device),
                EGL_BAD_MATCH,
                "contexts of different devices can't share",
            )?;
            ensure(
                share.attributes.gl.reset_notification == attributes.gl.reset_notification,
                EGL_BAD_MATCH,
                "shared contexts must have one reset notification strategy",
            )?;
            // EGL_KHR_create_context_no_error: all contexts of a group, or none.
            ensure(
                share.attributes.gl.no_error == attributes.gl.no_error,
                EGL_BAD_MATCH,
                "shared contexts must agree on EGL_CONTEXT_OPENGL_NO_ERROR_KHR",
            )?;
        }
        // EGL 1.5 3.7.1: a request for the compatibility profile, or for a version before 3.1, whose features only that
        // profile has, is not served by a core context.
        ensure(
            attributes.gl.profile == Profile::Core || crate::environment::get().compatibility,
            EGL_BAD_MATCH,
            "the compatibility profile is not offered",
        )?;
        let group = share.map(|share| &share.share);
        let gl = GlContext::new(&device, &attributes.gl, group).map_err(|error| match error {
            CreateError::Version(..) => EglError::new(EGL_BAD_MATCH, error.to_string()),
            CreateError::Pipe(_) => EglError::new(EGL_BAD_ALLOC, error.to_string()),
        })?;
        Ok(Self {
            handle: EGLContext(new_handle()),
            display: session.display,
            config_id,
            attributes,
            label: Label::default(),
            share: Arc::clone(gl.share_group()),
            parked: Mutex::new(Some(gl)),
        })
    }

    /// Takes the context out, to make it current. None while it is current on some thread.
    pub fn take(&self) -> Option<Box<GlContext>> {
        self.parked.lock().take()
    }

    /// Puts it back when it is current no more.
    pub fn park(&self, context: Box<GlContext>) {
        *self.parked.lock() = Some(context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(list: &[(EGLint, EGLint)]) -> Result<ContextConfig, EGLint> {
        let list: Vec<_> = list.iter().map(|&(name, value)| (name, value as EGLAttrib)).collect();
        ContextAttributes::parse(&list).map(|attributes| attributes.gl).map_err(|error| error.code)
    }

    const MAJOR: EGLint = EGL_CONTEXT_MAJOR_VERSION;
    const MINOR: EGLint = EGL_CONTEXT_MINOR_VERSION;
    const MASK: EGLint = EGL_CONTEXT_OPENGL_PROFILE_MASK;

    #[test]
    fn undefined_versions_do_not_match() {
        for (major, minor) in [(0, 0), (1, 6), (2, 2), (3, 4), (4, 7), (5, 0), (3, -1), (-1, 0)] {
            assert_eq!(parse(&[(MAJOR, major), (MINOR, minor)]), Err(EGL_BAD_MATCH), "{major}.{minor}");
        }
    }

    #[test]
    fn profile_masks_count_from_3_2_on() {
        assert_eq!(parse(&[(MAJOR, 3), (MINOR, 3), (MASK, 0)]), Err(EGL_BAD_MATCH));
        assert_eq!(parse(&[(MAJOR, 3), (MINOR, 3), (MASK, 3)]), Err(EGL_BAD_MATCH));
        assert_eq!(parse(&[(MAJOR, 3), (MINOR, 3), (MASK, 4)]), Err(EGL_BAD_MATCH));
        assert_eq!(parse(&[(MAJOR, 3), (MINOR, 3)]).map(|c| c.profile), Ok(Profile::Core));
        assert_eq!(parse(&[(MAJOR, 3), (MINOR, 3), (MASK, 2)]).map(|c| c.profile), Ok(Profile::Compatibility));
        assert_eq!(parse(&[(MAJOR, 3), (MINOR, 1), (MASK, 0)]).map(|c| c.profile), Ok(Profile::Core));
        assert_eq!(parse(&[(MAJOR, 2), (MINOR, 1), (MASK, 0)]).map(|c| c.profile), Ok(Profile::Compatibility));
        assert_eq!(parse(&[]).map(|c| (c.profile, c.version)), Ok((Profile::Compatibility, (1, 0))));
    }

    #[test]
    fn forward_compatible_contexts_begin_with_3_0() {
        assert_eq!(parse(&[(MAJOR, 2), (EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, 1)]), Err(EGL_BAD_MATCH));
        let flags = EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR;
        assert_eq!(parse(&[(MAJOR, 3), (EGL_CONTEXT_FLAGS_KHR, flags)]).map(|c| c.profile), Ok(Profile::Core));
    }

    #[test]
    fn no_error_excludes_debug_and_robust() {
        let no_error = (EGL_CONTEXT_OPENGL_NO_ERROR_KHR, 1);
        assert_eq!(parse(&[no_error]).map(|c| c.no_error), Ok(true));
        assert_eq!(parse(&[no_error, (EGL_CONTEXT_OPENGL_DEBUG, 1)]), Err(EGL_BAD_MATCH));
        assert_eq!(parse(&[no_error, (EGL_CONTEXT_OPENGL_ROBUST_ACCESS, 1)]), Err(EGL_BAD_MATCH));
    }

    #[test]
    fn unknown_attributes_and_flags_fail() {
        assert_eq!(parse(&[(EGL_WIDTH, 1)]), Err(EGL_BAD_ATTRIBUTE));
        assert_eq!(parse(&[(EGL_CONTEXT_FLAGS_KHR, 0x100)]), Err(EGL_BAD_ATTRIBUTE));
        assert_eq!(parse(&[(EGL_CONTEXT_OPENGL_DEBUG, 2)]), Err(EGL_BAD_ATTRIBUTE));
    }
}
