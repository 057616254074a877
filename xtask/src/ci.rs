//! `test`: everything CI runs, with one line of totals at the end.

use crate::args::Args;
use crate::layout::{Layout, Profile};
use crate::packages::Group;
use crate::{Result, setup, shell};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub const USAGE: &str = "[--lane LANE]";
pub const HELP: &str =
    "Runs what CI runs: formatting, lints, generated files, unit tests, and the GL suite on every lane.
Ends with the totals.
  --lane LANE  only the GL suite, on this lane: vulkan, verify:vulkan, stream:vulkan, noop, lesser:vulkan (a
               device without what the Vulkan driver can do without)";

/// The lanes that the GL suite is run on.
pub const LANES: &[&str] = &["vulkan", "verify:vulkan", "stream:vulkan", "noop", "lesser:vulkan"];

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let lane = args.value("--lane")?;
    args.finish()?;
    setup::ensure(&[Group::Build, Group::Run, Group::Test])?;
    let mut report = Report::default();
    // With debug assertions. First, because the tests of the library itself load it.
    let layout = Layout::build(Profile::Dev)?;
    if lane.is_none() {
        checks(&mut report);
    }
    for name in LANES.iter().filter(|name| lane.as_deref().is_none_or(|only| only == **name)) {
        let mut command = shell::cargo();
        command.args(["test", "--package", "gallite-tests", "--test", "gl"]);
        command.env("GALLITE_TEST_LIB", layout.library()).env("GALLITE_TEST_LANES", name);
        report.tests(&format!("GL suite on {name}"), command);
    }
    report.finish()
}

fn checks(report: &mut Report) {
    let cargo = |words: &[&str]| {
        let mut command = shell::cargo();
        command.args(words);
        command
    };
    report.check("formatting", cargo(&["fmt", "--all", "--check"]));
    report.check("lints", cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    report.check("generated files", cargo(&["xtask", "gen", "--check"]));
    report.tests("unit tests", cargo(&["test", "--workspace", "--exclude", "gallite-tests", "--tests"]));
    report.tests(
        "unit tests of the suite, arrows",
        cargo(&["test", "--package", "gallite-tests", "--lib", "--bins", "--test", "arrows"]),
    );
}

#[derive(Default, Clone, Copy, Debug, PartialEq, Eq)]
struct Totals {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Totals {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Reads libtest's closing line: "test result: ok. 3 passed; 0 failed; 1 ignored; ...".
    fn from_line(line: &str) -> Option<Self> {
        let mut totals = Self::default();
        let (_, counts) = line.trim().strip_prefix("test result: ")?.split_once(". ")?;
        for part in counts.split(';') {
            let mut words = part.split_whitespace();
            let (Some(count), Some(what)) = (words.next(), words.next()) else {
                continue;
            };
            let Ok(count) = count.parse::<u64>() else {
                continue;
            };
            match what {
                "passed" => totals.passed += count,
                "failed" => totals.failed += count,
                "ignored" => totals.skipped += count,
                _ => {}
            }
        }
        Some(totals)
    }
}

/// What ran, how it ended, how long it took.
#[derive(Default)]
struct Report {
    rows: Vec<(String, Totals, Duration)>,
}

impl Report {
    /// A command that passes or fails as one.
    fn check(&mut self, name: &str, mut command: Command) {
        println!("== {name}");
        let start = Instant::now();
        let ok = match shell::must_run(&mut command) {
            Ok(()) => true,
            Err(message) => {
                println!("{message}");
                false
            }
        };
        let totals = Totals { passed: u64::from(ok), failed: u64::from(!ok), skipped: 0 };
        self.rows.push((name.to_owned(), totals, start.elapsed()));
    }

    /// A `cargo test` whose closing lines are summed up.
    fn tests(&mut self, name: &str, mut command: Command) {
        println!("== {name}");
        let start = Instant::now();
        command.arg("--no-fail-fast").stdout(Stdio::piped()).stdin(Stdio::null());
        let mut totals = Totals::default();
        let ok = match command.spawn() {
            Err(e) => {
                println!("cannot start cargo: {e}");
                false
            }
            Ok(mut child) => {
                if let Some(out) = child.stdout.take() {
                    for line in BufReader::new(out).lines().map_while(std::result::Result::ok) {
                        if let Some(counts) = Totals::from_line(&line) {
                            totals.add(counts);
                        }
                        println!("{line}");
                    }
                }
                child.wait().is_ok_and(|status| status.success())
            }
        };
        // A crash or a failed build closes without a line of its own.
        if !ok && totals.failed == 0 {
            totals.failed = 1;
        }
        if ok && totals.passed == 0 {
            println!("no test ran");
            totals.failed = 1;
        }
        self.rows.push((name.to_owned(), totals, start.elapsed()));
    }

    fn finish(self) -> Result {
        let mut sum = Totals::default();
        println!("\n{:<28} {:>7} {:>7} {:>8} {:>8}", "", "passed", "failed", "skipped", "seconds");
        for (name, totals, time) in &self.rows {
            println!(
                "{name:<28} {:>7} {:>7} {:>8} {:>8.0}",
                totals.passed,
                totals.failed,
                totals.skipped,
                time.as_secs_f64()
            );
            sum.add(*totals);
        }
        println!("\n{} passed, {} failed, {} skipped", sum.passed, sum.failed, sum.skipped);
        if sum.failed == 0 { Ok(()) } else { Err("something failed".into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_closing_line() {
        let line = "test result: FAILED. 12 passed; 1 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.1s";
        assert_eq!(Totals::from_line(line), Some(Totals { passed: 12, failed: 1, skipped: 2 }));
        assert_eq!(Totals::from_line("test foo ... ok"), None);
    }
}
