//! How a screen is asked for. The library's one reader of the environment is in the winsys.

use std::path::PathBuf;

use gallite_pipe::PipeError;

/// The features that the driver can do without, one a line, and what it does then.
const LESSER: &str = include_str!("../lesser.txt");

/// Faults of a device that is in order. All zero plays none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults {
    /// The device is lost at this submission, counted from 1.
    pub lost_at: u64,
    /// Bytes of device memory there are.
    pub memory: u64,
    /// The driver makes a call that Vulkan does not allow when the screen is made: what the validation layer says of it has
    /// to reach whoever looks for its messages.
    pub invalid_call: bool,
    /// The driver leaves its barriers out, with the same intent.
    pub no_barriers: bool,
}

/// What [`create_screen`](crate::create_screen) is asked for.
#[derive(Debug, Clone, Default)]
pub struct VulkanOptions {
    /// Part of the device's or its driver's name, or its index; the best device when `None`.
    pub device: Option<String>,
    /// Run under the Khronos validation layer, and print and count its messages.
    pub validation: bool,
    /// The layer also looks for work that lacks a barrier between.
    pub synchronization: bool,
    /// Directory of the pipeline cache; none is kept when `None`.
    pub cache_dir: Option<PathBuf>,
    /// Device features to do without, by name, so that tests reach the paths of lesser devices. `lesser.txt` lists the
    /// names; no screen is made for others.
    pub without: Vec<String>,
    /// Faults to play, so that tests reach what happens when a device fails.
    pub faults: Faults,
}

fn lesser_features() -> impl Iterator<Item = &'static str> {
    LESSER.lines().filter(|line| !line.starts_with('#')).filter_map(|line| Some(line.split_once(": ")?.0))
}

impl VulkanOptions {
    /// Whether the driver is to do without this feature, one of those listed.
    pub(crate) fn lacks(&self, feature: &str) -> bool {
        debug_assert!(lesser_features().any(|listed| listed == feature), "{feature} is not in lesser.txt");
        self.without.iter().any(|name| name == feature)
    }

    /// How many features the driver is to do without.
    ///
    /// # Errors
    /// A name that is no feature's: a test would run with all there is and not know it.
    pub(crate) fn lacking(&self) -> Result<usize, PipeError> {
        match self.without.iter().find(|name| !lesser_features().any(|listed| listed == name.as_str())) {
            Some(name) => {
                Err(PipeError::NoDevice(format!("`{name}` is no feature to do without; see docs/environment.md")))
            }
            None => Ok(lesser_features().filter(|feature| self.lacks(feature)).count()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each listed feature is asked for by the probe, and no other is: there a debug assertion would fail.
    #[test]
    fn every_listed_feature_is_read() {
        let probe = include_str!("adapter.rs");
        for feature in lesser_features() {
            assert!(probe.contains(&format!("on(\"{feature}\")")), "{feature} changes nothing");
        }
        assert!(lesser_features().count() > 20);
    }

    #[test]
    fn unknown_names_are_refused() {
        let lacking = |names: &[&str]| {
            let without = names.iter().map(|name| (*name).to_owned()).collect();
            VulkanOptions { without, ..VulkanOptions::default() }.lacking()
        };
        assert_eq!(lacking(&[]).unwrap(), 0);
        assert_eq!(lacking(&["timeline", "eds1", "timeline"]).unwrap(), 2);
        let error = lacking(&["timeline", "timelines"]).unwrap_err().to_string();
        assert!(error.contains("`timelines`"), "{error}");
    }
}
