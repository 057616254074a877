//! Result files in the target folder: one line a test, so that a peer need not be run again.

use super::exec::{Outcome, Status};
use crate::Result;
use std::collections::HashMap;
use std::path::Path;

/// Results by test name.
pub type Results = HashMap<String, (Status, f32)>;

/// Reads a result file written for the same `version`; anything else counts as no results.
pub fn read(file: &Path, version: &str) -> Results {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut lines = text.lines();
    if lines.next() != Some(&format!("# {version}")) {
        return Results::new();
    }
    lines
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let status = Status::parse(fields.next()?)?;
            let seconds = fields.next()?.parse().ok()?;
            Some((fields.next()?.to_owned(), (status, seconds)))
        })
        .collect()
}

/// Writes a result file.
pub fn write(file: &Path, version: &str, results: &Results) -> Result {
    let mut lines: Vec<String> =
        results.iter().map(|(name, (status, seconds))| format!("{}\t{seconds:.2}\t{name}", status.word())).collect();
    lines.sort();
    save(file, &format!("# {version}\n{}\n", lines.join("\n")))
}

/// Writes what the tests that did not pass printed, each under its name.
pub fn write_log<'a>(file: &Path, outcomes: impl Iterator<Item = (&'a str, &'a Outcome)>) -> Result {
    let mut text = String::new();
    for (name, outcome) in outcomes.filter(|(_, outcome)| outcome.status.is_bad() || outcome.status == Status::Skip) {
        text.push_str(&format!("=== {} {name}\n{}\n\n", outcome.status.word(), outcome.output));
    }
    save(file, &text)
}

fn save(file: &Path, text: &str) -> Result {
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    }
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_version_is_not_used() {
        let file = std::env::temp_dir().join(format!("xtask-results-{}.tsv", std::process::id()));
        let results: Results = [("a b".to_owned(), (Status::Crash, 0.25))].into();
        assert_eq!(write(&file, "v1", &results), Ok(()));
        assert_eq!(read(&file, "v1"), results);
        assert!(read(&file, "v2").is_empty());
        let _ = std::fs::remove_file(&file);
    }
}
