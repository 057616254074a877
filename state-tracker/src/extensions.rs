//! Extensions advertised by a context: those whose whole behaviour works, and no other.

use std::ffi::CString;

use gallite_pipe::{Caps, Features};

use crate::context::Profile;

/// When an extension is advertised.
struct Extension {
    name: &'static str,
    /// Features the screen must have.
    needs: Features,
    /// Whether it belongs into core contexts too, or only into the compatibility profile.
    core: bool,
}

const fn always(name: &'static str) -> Extension {
    Extension { name, needs: Features::EMPTY, core: true }
}

const fn with(name: &'static str, needs: Features) -> Extension {
    Extension { name, needs, core: true }
}

/// In the order GL_EXTENSIONS lists them. An entry is added together with the code and the test that make it true.
const TABLE: &[Extension] = &[always("GL_KHR_debug"), always("GL_KHR_no_error"), with("GL_KHR_robustness", Features::ROBUST_BUFFER_ACCESS)];

/// The extensions of one context.
#[derive(Debug)]
pub struct Extensions {
    names: Vec<CString>,
    joined: CString,
}

impl Extensions {
    /// Those a screen can carry in a profile.
    pub fn new(caps: &Caps, profile: Profile) -> Self {
        let listed = TABLE.iter().filter(|e| caps.features.contains(e.needs) && (e.core || profile == Profile::Compatibility));
        let words: Vec<&str> = listed.map(|e| e.name).collect();
        let names = words.iter().filter_map(|n| CString::new(*n).ok()).collect();
        let joined = CString::new(words.join(" ")).unwrap_or_default();
        Self { names, joined }
    }

    /// Names in order, for glGetStringi.
    pub fn names(&self) -> &[CString] {
        &self.names
    }

    /// All names separated by spaces, for glGetString in the compatibility profile.
    pub fn joined(&self) -> &CString {
        &self.joined
    }

    /// Whether one is advertised.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n.to_bytes() == name.as_bytes())
    }
}
