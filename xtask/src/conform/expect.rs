//! The committed expectations: which tests fail, which come and go, which must not be run, and why.

use super::exec::Status;
use crate::{Result, shell};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The three lists of one driver and suite.
#[derive(Default, Debug)]
pub struct Expectations {
    /// Known failures; a pass of one of them is an error, so that the list only shrinks.
    pub fails: BTreeMap<String, String>,
    /// Tests that pass or fail by chance.
    pub flakes: BTreeMap<String, String>,
    /// Tests that are not run.
    pub skips: BTreeMap<String, String>,
}

/// What a result means beside its expectation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As the lists say.
    Expected,
    /// Failed and is not listed.
    UnexpectedFail,
    /// Passed and is listed as failing.
    UnexpectedPass,
}

impl Expectations {
    /// Reads the lists of a driver; a missing file is an empty list.
    pub fn read(driver: &str, suite: &str) -> Result<Self> {
        let one = |kind: &str| -> Result<BTreeMap<String, String>> {
            match std::fs::read_to_string(path(driver, suite, kind)) {
                Ok(text) => parse(&text),
                Err(_) => Ok(BTreeMap::new()),
            }
        };
        Ok(Self { fails: one("fails")?, flakes: one("flakes")?, skips: one("skips")? })
    }

    /// Holds one result against the lists.
    pub fn judge(&self, name: &str, status: Status) -> Verdict {
        if self.flakes.contains_key(name) {
            return Verdict::Expected;
        }
        match (self.fails.contains_key(name), status) {
            (true, Status::Pass) => Verdict::UnexpectedPass,
            (false, status) if status.is_bad() => Verdict::UnexpectedFail,
            _ => Verdict::Expected,
        }
    }

    /// Brings the list of failures up to date with the results: keeps the reasons it has, gives new lines
    /// their status as the reason, and drops what passes. Tests that were not run stay as they are.
    pub fn update<'a>(&mut self, results: impl Iterator<Item = (&'a str, Status)>) {
        for (name, status) in results {
            if self.flakes.contains_key(name) {
                continue;
            }
            if status.is_bad() {
                self.fails.entry(name.to_owned()).or_insert_with(|| status.word().to_owned());
            } else {
                self.fails.remove(name);
            }
        }
    }

    /// Writes the list of failures.
    pub fn write_fails(&self, driver: &str, suite: &str) -> Result {
        let file = path(driver, suite, "fails");
        let mut text =
            String::from("# Known failures: `test-name  # reason`. A listed test that passes is an error.\n");
        for (name, reason) in &self.fails {
            text.push_str(&format!("{name}  # {reason}\n"));
        }
        if let Some(dir) = file.parent() {
            std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        }
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
    }
}

fn path(driver: &str, suite: &str, kind: &str) -> PathBuf {
    // "verify:vulkan" is held to the lists of the driver that it wraps.
    let driver = driver.rsplit(':').next().unwrap_or(driver);
    shell::root().join("tests/conformance").join(driver).join(format!("{suite}-{kind}.txt"))
}

/// Reads `test-name  # reason` lines; a line without reason is an error.
fn parse(text: &str) -> Result<BTreeMap<String, String>> {
    let mut list = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once("  # ") {
            Some((name, reason)) if !reason.trim().is_empty() => {
                list.insert(name.trim().to_owned(), reason.trim().to_owned());
            }
            _ => return Err(format!("an expectation without reason: {line}")),
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unexpected_pass_and_an_unlisted_failure_are_errors() {
        let expected = Expectations {
            fails: parse("# why\na@b c  # no such feature\n").unwrap_or_default(),
            flakes: parse("f  # timing\n").unwrap_or_default(),
            skips: BTreeMap::new(),
        };
        assert_eq!(expected.judge("a@b c", Status::Fail), Verdict::Expected);
        assert_eq!(expected.judge("a@b c", Status::Pass), Verdict::UnexpectedPass);
        assert_eq!(expected.judge("x", Status::Crash), Verdict::UnexpectedFail);
        assert_eq!(expected.judge("x", Status::Skip), Verdict::Expected);
        assert_eq!(expected.judge("f", Status::Fail), Verdict::Expected);
    }

    #[test]
    fn a_line_without_reason_is_refused() {
        assert!(parse("a@b\n").is_err());
        assert!(parse("a@b  # \n").is_err());
    }

    #[test]
    fn an_update_keeps_reasons_and_drops_what_passes() {
        let mut expected =
            Expectations { fails: parse("a  # why\nb  # why\n").unwrap_or_default(), ..Default::default() };
        expected.update([("a", Status::Fail), ("b", Status::Pass), ("c", Status::Crash)].into_iter());
        let lines: Vec<_> = expected.fails.iter().map(|(n, r)| format!("{n} {r}")).collect();
        assert_eq!(lines, ["a why", "c crash"]);
    }
}
