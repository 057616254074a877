//! What the driver says of itself, for `gallite-info` and tests that must know which code paths they run.
//!
//! `eglGetProcAddress("gallite_caps")` is `uint64_t (*)(char *text, uint64_t size)`. It describes the screen that the calling
//! thread's current context draws with: lines of a kind, a blank, and a value. The kinds are `driver`, `device`, `api`, `feature`,
//! `shader-feature`, `primitive`, `limit`, `path` and `workaround`; the fields of [`gallite_pipe::Caps`] say what they mean. At most
//! `size` bytes are written to `text`, without a terminator, and the length of the whole text is returned: 0 without a current
//! context.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gallite_gl::entry;
use gallite_pipe::{Caps, text};

use crate::egl::client::Out;
use crate::egl::types::RawProc;

/// The name eglGetProcAddress knows it by.
pub const NAME: &str = "gallite_caps";

/// The function, for eglGetProcAddress.
pub fn function() -> RawProc {
    RawProc(gallite_caps as *const ())
}

fn describe(caps: &Caps) -> String {
    let mut lines = String::new();
    let mut line = |kind: &str, value: &str| {
        let _ = writeln!(lines, "{kind} {value}");
    };
    line("driver", text(&caps.driver_name));
    line("device", text(&caps.device_name));
    line("api", &format!("{}.{}", caps.api_version >> 16, caps.api_version & 0xffff));
    caps.features.names().iter().for_each(|name| line("feature", name));
    caps.shader_features.names().iter().for_each(|name| line("shader-feature", name));
    caps.primitive_types.names().iter().for_each(|name| line("primitive", name));
    caps.limits.visit_fields(&mut |name, value| {
        if name != "reserved" {
            line("limit", &format!("{name} {value:?}"));
        }
    });
    text(&caps.private_paths).lines().for_each(|name| line("path", name));
    text(&caps.workarounds).lines().for_each(|name| line("workaround", name));
    lines
}

/// Not exported: a program that does not ask for it by name does not see it.
///
/// # Safety
/// `text` is null, or there are `size` bytes to write at it.
unsafe extern "C" fn gallite_caps(text: *mut c_char, size: u64) -> u64 {
    // SAFETY: the contract of this function; no more than `size` bytes are set below.
    let out = unsafe { Out::new(text.cast::<u8>()) };
    let described = catch_unwind(AssertUnwindSafe(|| {
        let lines = entry::with_current(|ctx| describe(&ctx.device().screen.caps()))?;
        let length = usize::try_from(size).unwrap_or(usize::MAX).min(lines.len());
        out.set_all(&lines.as_bytes()[..length]);
        Some(lines.len() as u64)
    }));
    described.ok().flatten().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::{Features, Limits, set_text};

    #[test]
    fn every_kind_has_its_lines() {
        let mut caps = Caps {
            features: Features::LOGIC_OP | Features::WINDOWS,
            limits: Limits { max_viewport_size: [3, 4], ..Limits::default() },
            api_version: 1 << 16 | 3,
            ..Caps::default()
        };
        set_text(&mut caps.driver_name, "some driver");
        set_text(&mut caps.private_paths, "one\ntwo");
        set_text(&mut caps.workarounds, "name: reason");
        let text = describe(&caps);
        let wanted = ["driver some driver", "api 1.3", "feature LOGIC_OP", "feature WINDOWS", "path one", "path two"];
        for line in wanted.into_iter().chain(["limit max_viewport_size [3, 4]", "workaround name: reason"]) {
            assert!(text.lines().any(|l| l == line), "{line}:\n{text}");
        }
        assert_eq!(text.lines().filter(|l| l.starts_with("limit ")).count(), Limits::FIELDS.len() - 1);
    }

    #[test]
    fn nothing_is_said_without_a_context() {
        // SAFETY: null, for which nothing is written.
        assert_eq!(unsafe { gallite_caps(std::ptr::null_mut(), 100) }, 0);
    }
}
