//! Lanes: which driver stack the children run on, and how each proves it.

use super::{On, environment};
use crate::egl;

/// The driver's list of what it can do without: the least lane does without all of it.
const LESSER: &str = include_str!("../../../drivers/vulkan/lesser.txt");

/// What the lesser lane has all the same: a program sees that it is missing, or it would hide other paths that the lane is
/// there for.
const OF_PROGRAMS: [&str; 11] = [
    "geometry_shader",
    "transform_feedback",
    "independent_blend",
    "dual_source_blend",
    "logic_op",
    "fill_mode",
    "depth_clamp",
    "clip_distance",
    "provoking_vertex",
    "timer_query",
    "precise_occlusion",
];

fn listed_features() -> impl Iterator<Item = &'static str> {
    LESSER.lines().filter(|line| !line.starts_with('#')).filter_map(|line| Some(line.split_once(": ")?.0))
}

/// One driver stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Value of `GALLITE_DRIVER`, `lesser:` or `least:` and that for a device that lacks what it can, or `system` for a library that is
    /// not Gallite.
    pub name: String,
}

/// The drivers there are; the renderer string has to contain exactly the lane's own, and a driver that is not among
/// these too.
const WORDS: [&str; 5] = ["vulkan", "verify", "stream", "noop", "trace"];

impl Lane {
    /// The lane of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned() }
    }

    /// Whether the library under test is not Gallite.
    pub fn is_system(&self) -> bool {
        self.name == "system"
    }

    /// Value of `GALLITE_DRIVER`.
    pub fn driver(&self) -> &str {
        let lesser = self.name.strip_prefix("lesser:").or_else(|| self.name.strip_prefix("least:"));
        lesser.unwrap_or(&self.name)
    }

    /// Value of `GALLITE_VULKAN_WITHOUT`.
    pub fn without(&self) -> String {
        self.lacks().collect::<Vec<_>>().join(",")
    }

    fn lacks(&self) -> impl Iterator<Item = &'static str> {
        let (lesser, least) = (self.is_lesser(), self.is_least());
        listed_features().filter(move |name| least || lesser && !OF_PROGRAMS.contains(name))
    }

    fn is_lesser(&self) -> bool {
        self.name.starts_with("lesser:")
    }

    fn is_least(&self) -> bool {
        self.name.starts_with("least:")
    }

    /// Whether the driver executes nothing.
    pub fn is_noop(&self) -> bool {
        self.parts().any(|part| part == "noop")
    }

    /// Whether Vulkan is at the bottom.
    pub fn is_vulkan(&self) -> bool {
        self.parts().any(|part| part == "vulkan")
    }

    /// Whether a test for `on` belongs here.
    pub fn takes(&self, on: On) -> bool {
        self.is_system()
            || match on {
                On::Least => self.is_least(),
                _ if self.is_least() => false,
                On::Lesser => !self.is_noop(),
                _ if self.is_lesser() => false,
                On::Render => !self.is_noop(),
                On::Vulkan => self.name == "vulkan",
                On::Noop => self.name == "noop",
                On::Every => true,
            }
    }

    /// Checks that `renderer` names this lane's drivers and no other.
    ///
    /// # Errors
    /// What is missing or too much.
    pub fn prove(&self, renderer: &str) -> Result<(), String> {
        if self.is_system() {
            return match environment::expected_renderer() {
                Some(text) if !renderer.contains(&text) => {
                    Err(format!("renderer '{renderer}' does not contain '{text}'"))
                }
                _ => Ok(()),
            };
        }
        let lower = renderer.to_lowercase();
        if !lower.contains("gallite") {
            return Err(format!("renderer '{renderer}' is not Gallite"));
        }
        let own = || self.driver().split(':');
        for word in WORDS.into_iter().chain(own()) {
            if own().any(|part| part == word) != lower.contains(word) {
                return Err(format!("lane {} sees renderer '{renderer}': '{word}'", self.name));
            }
        }
        let count = self.lacks().count();
        let wanted = format!("without {count} features");
        if count > 0 && !lower.contains(&wanted) {
            return Err(format!("lane {} sees renderer '{renderer}': '{wanted}'", self.name));
        }
        Ok(())
    }

    fn parts(&self) -> impl Iterator<Item = &str> {
        self.name.split(':')
    }
}

/// The lanes of this run.
pub fn lanes() -> Vec<Lane> {
    if let Some(names) = environment::lanes() {
        return names.iter().map(|name| Lane::new(name)).collect();
    }
    if let Some(driver) = environment::driver() {
        return vec![Lane::new(&driver)];
    }
    let path = egl::library_path();
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    if file.is_some_and(|name| name.contains("gallite")) {
        ["vulkan", "verify:vulkan", "stream:vulkan", "noop", "lesser:vulkan", "least:vulkan"].map(Lane::new).to_vec()
    } else {
        vec![Lane::new("system")]
    }
}

#[cfg(test)]
mod tests {
    use super::{Lane, OF_PROGRAMS, listed_features};

    #[test]
    fn a_lane_accepts_only_its_own_driver_stack() {
        let stream = Lane::new("stream:vulkan");
        assert!(stream.prove("Gallite (stream:vulkan, llvmpipe)").is_ok());
        assert!(stream.prove("Gallite (vulkan, llvmpipe)").is_err());
        assert!(Lane::new("vulkan").prove("Gallite (stream:vulkan, llvmpipe)").is_err());
        assert!(Lane::new("vulkan").prove("Mesa llvmpipe vulkan").is_err());
        assert!(Lane::new("yours").prove("Gallite (yours, llvmpipe)").is_ok());
        assert!(Lane::new("yours").prove("Gallite (vulkan, llvmpipe)").is_err());
        assert!(Lane::new("yours").prove("Gallite (llvmpipe)").is_err());
        assert!(Lane::new("noop").prove("Gallite (noop)").is_ok());
        let lesser = Lane::new("lesser:vulkan");
        let all = listed_features().count();
        let without = |count: usize| format!("Gallite (llvmpipe, vulkan without {count} features)");
        assert!(lesser.prove(&without(all - OF_PROGRAMS.len())).is_ok() && lesser.prove(&without(all)).is_err());
        assert!(Lane::new("least:vulkan").prove(&without(all)).is_ok());
        assert!(lesser.prove("Gallite (llvmpipe, vulkan without 3 features)").is_err());
        assert!(lesser.prove("Gallite (llvmpipe, vulkan)").is_err());
        assert_eq!(Lane::new("lesser:vulkan").driver(), "vulkan");
    }
}
