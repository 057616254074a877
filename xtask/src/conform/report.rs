//! Totals by group, for the terminal and for docs/conformance.md.

use super::exec::Status;
use super::set::group_of;
use crate::{Result, shell};
use std::collections::BTreeMap;

/// Counts of one group or of all.
#[derive(Default, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Passed by us.
    pub passed: usize,
    /// Failed, crashed, hung, or passed with a remark.
    pub failed: usize,
    /// Of the failed: ended by a signal.
    pub crashed: usize,
    /// Of the failed: still running at the limit.
    pub hung: usize,
    /// Skipped.
    pub skipped: usize,
    /// Needs a compatibility context: not counted in the set.
    pub needs_compat: usize,
    /// Passed by the peer, of those that are counted.
    pub peer_passed: usize,
    /// Passed by both.
    pub both_passed: usize,
}

impl Counts {
    fn add(&mut self, ours: Status, theirs: Option<Status>) {
        match ours {
            Status::NeedsCompat => {
                self.needs_compat += 1;
                return;
            }
            Status::Pass => self.passed += 1,
            Status::Skip => self.skipped += 1,
            Status::Warn | Status::Fail | Status::Timeout | Status::Crash => self.failed += 1,
        }
        self.crashed += usize::from(ours == Status::Crash);
        self.hung += usize::from(ours == Status::Timeout);
        if theirs == Some(Status::Pass) {
            self.peer_passed += 1;
            self.both_passed += usize::from(ours == Status::Pass);
        }
    }

    /// Of the tests that the peer passes, how many we pass, in percent.
    pub fn share(&self) -> f64 {
        if self.peer_passed == 0 { 0.0 } else { 100.0 * self.both_passed as f64 / self.peer_passed as f64 }
    }
}

/// Counts by group and in sum.
#[derive(Default, Debug)]
pub struct Totals {
    /// By group.
    pub groups: BTreeMap<String, Counts>,
    /// Of all.
    pub all: Counts,
}

impl Totals {
    /// Adds one test.
    pub fn add(&mut self, name: &str, ours: Status, theirs: Option<Status>) {
        self.groups.entry(group_of(name).to_owned()).or_default().add(ours, theirs);
        self.all.add(ours, theirs);
    }

    /// A Markdown table.
    pub fn table(&self, driver: &str, peer: &str) -> String {
        let mut text = format!(
            "| group | {driver} passed | failed | of these crashed, hung | skipped | {peer} passed | of {peer}'s passed by {driver} |\n|---|---:|---:|---:|---:|---:|---:|\n"
        );
        let mut row = |name: &str, c: &Counts| {
            text.push_str(&format!(
                "| {name} | {} | {} | {}, {} | {} | {} | {} ({:.1} %) |\n",
                c.passed,
                c.failed,
                c.crashed,
                c.hung,
                c.skipped,
                c.peer_passed,
                c.both_passed,
                c.share()
            ));
        };
        for (name, counts) in self.groups.iter().filter(|(_, c)| c.passed + c.failed + c.skipped > 0) {
            row(name, counts);
        }
        row("**all**", &self.all);
        text
    }
}

/// Replaces the section `key` of docs/conformance.md, or adds it at the end.
pub fn update_document(key: &str, section: &str) -> Result {
    let file = shell::root().join("docs/conformance.md");
    let old = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    std::fs::write(&file, replace_section(&old, key, section)).map_err(|e| format!("{}: {e}", file.display()))
}

fn replace_section(old: &str, key: &str, section: &str) -> String {
    let (begin, end) = (format!("<!-- {key} -->\n"), format!("<!-- /{key} -->\n"));
    let section = format!("{begin}{section}{end}");
    match (old.find(&begin), old.find(&end)) {
        (Some(from), Some(to)) if from < to => {
            format!("{}{section}{}", &old[..from], &old[to + end.len()..])
        }
        _ => format!("{}\n\n{section}", old.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_counts_what_the_peer_passes_and_leaves_compat_tests_out() {
        let mut totals = Totals::default();
        totals.add("spec@a@1", Status::Pass, Some(Status::Pass));
        totals.add("spec@a@2", Status::Skip, Some(Status::Pass));
        totals.add("spec@b@3", Status::NeedsCompat, Some(Status::Pass));
        totals.add("spec@b@4", Status::Crash, Some(Status::Fail));
        let all = totals.all;
        assert_eq!((all.peer_passed, all.both_passed, all.crashed, all.needs_compat), (2, 1, 1, 1));
        assert!((all.share() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_section_is_replaced_in_place() {
        let text = replace_section("head\n", "k", "one\n");
        let text = replace_section(&(text + "tail\n"), "k", "two\n");
        assert_eq!(text, "head\n\n<!-- k -->\ntwo\n<!-- /k -->\ntail\n");
    }
}
