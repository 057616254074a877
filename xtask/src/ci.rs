//! `test`: everything CI runs, with one line of totals at the end.

use crate::args::Args;
use crate::layout::{Layout, Profile};
use crate::packages::Group;
use crate::{Result, setup, shell, smoke};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub const USAGE: &str = "[--lane LANE]";
pub const HELP: &str =
    "Runs what CI runs: formatting, lints, generated files, unit tests, the demo against its picture in docs/, and the
GL suite on every lane.
Ends with the totals.
  --lane LANE  only the GL suite, on this lane: vulkan, verify:vulkan, stream:vulkan, noop, lesser:vulkan (a
               device without what the Vulkan driver makes up for), least:vulkan (without all that it can do
               without), or any other value of GALLITE_DRIVER";

/// What `setup` has installed: tests that lack it fail here, where elsewhere they are skipped.
const REQUIRED: &str = "vulkan,x11,glvnd";

/// The lanes that the GL suite is run on.
pub const LANES: &[&str] = &["vulkan", "verify:vulkan", "stream:vulkan", "noop", "lesser:vulkan", "least:vulkan"];

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
        report.step("demo", || smoke::demo(&layout));
        report.step("names on the library path", || smoke::names(&layout));
    }
    for name in chosen(lane.as_deref()) {
        let mut command = shell::cargo();
        command.args(["test", "--package", "gallite-tests", "--test", "gl"]);
        command.env("GALLITE_TEST_LIB", layout.library()).env("GALLITE_TEST_LANES", name);
        command.env("GALLITE_TEST_REQUIRE", REQUIRED);
        report.tests(&format!("GL suite on {name}"), command);
    }
    report.finish()
}

/// The lanes to run on: the one asked for, which need not be in the list, or all. A lane that no driver answers to
/// fails each test.
fn chosen(lane: Option<&str>) -> Vec<&str> {
    lane.map_or_else(|| LANES.to_vec(), |only| vec![only])
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
    let mut units = cargo(&["test", "--workspace", "--exclude", "gallite-tests", "--tests"]);
    units.env("GALLITE_TEST_REQUIRE", REQUIRED);
    report.tests("unit tests", units);
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
        self.step(name, || shell::must_run(&mut command));
    }

    /// Work that passes or fails as one.
    fn step(&mut self, name: &str, work: impl FnOnce() -> Result) {
        println!("== {name}");
        let start = Instant::now();
        let ok = match work() {
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
        match sum {
            Totals { failed: 0, passed: 0, .. } => Err("nothing ran".into()),
            Totals { failed: 0, .. } => Ok(()),
            _ => Err("something failed".into()),
        }
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

    #[test]
    fn a_lane_that_is_asked_for_is_run_whatever_its_name() {
        assert_eq!(chosen(None), LANES);
        assert_eq!(chosen(Some("verify:noop")), ["verify:noop"]);
    }

    #[test]
    fn where_nothing_ran_nothing_is_well() {
        assert!(Report::default().finish().is_err());
        let row = |passed, failed| ("row".to_owned(), Totals { passed, failed, skipped: 0 }, Duration::ZERO);
        assert!(Report { rows: vec![row(1, 0)] }.finish().is_ok());
        assert!(Report { rows: vec![row(1, 1), row(1, 0)] }.finish().is_err());
        assert!(Report { rows: vec![row(0, 0)] }.finish().is_err());
    }
}
