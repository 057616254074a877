//! Tests known to fail on a lane: `tests/expectations/LANE.txt`, a line `test  # reason` each.
//!
//! A listed test still runs. When it fails it counts as skipped, with the reason; when it passes that is a failure, so
//! that the list can't go stale.

use super::Lane;
use libtest_mimic::{Completion, Failed};
use std::collections::HashMap;
use std::path::Path;

/// The reasons by name of test.
pub struct Expected(HashMap<String, String>);

impl Expected {
    /// Reads the list of a lane. No file means that nothing is known to fail.
    pub fn of(lane: &Lane) -> Self {
        let file = format!("{}.txt", lane.name.replace(':', "-"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("expectations").join(file);
        Self::parse(&std::fs::read_to_string(path).unwrap_or_default())
    }

    fn parse(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once('#'));
        let entries = lines.map(|(name, reason)| (name.trim().to_owned(), reason.trim().to_owned()));
        Self(entries.filter(|(name, reason)| !name.is_empty() && !reason.is_empty()).collect())
    }

    /// The reason why a test is known to fail, if it is.
    pub fn reason(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

/// Turns an outcome round for a test that is known to fail.
pub fn judge(outcome: Result<Completion, Failed>, reason: Option<&str>) -> Result<Completion, Failed> {
    match (outcome, reason) {
        (outcome, None) => outcome,
        (Err(_), Some(reason)) => Ok(Completion::ignored_with(format!("known to fail: {reason}"))),
        (Ok(_), Some(_)) => Err("passes, but is listed as failing in tests/expectations: take it off the list".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_needed_and_a_pass_is_refused() {
        let expected = Expected::parse("a::b  # why\n# only a comment\nc::d\ne::f #\n");
        assert_eq!(expected.reason("a::b").as_deref(), Some("why"));
        assert!(expected.reason("c::d").is_none() && expected.reason("e::f").is_none());
        assert!(judge(Err("x".into()), Some("why")).is_ok());
        assert!(judge(Ok(Completion::Completed), Some("why")).is_err());
        assert!(judge(Err("x".into()), None).is_err());
    }
}
