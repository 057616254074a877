//! Running tests: a process and a time limit each, but for scripts ([`batch`]), and what piglit says about it.

use super::batch;
use super::profile::{Kind, Test};
use crate::display::Display;
use crate::target::Target;
use crate::{Result, run};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The window system that the tests use: EGL on X11.
pub const PLATFORM: &str = "x11_egl";

/// How a test ended; the order is from good to bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Status {
    /// Passed, its subtests too.
    Pass,
    /// The implementation lacks what the test needs.
    Skip,
    /// The test needs a compatibility context and got none: outside of a core-profile set.
    NeedsCompat,
    /// Passed with a remark.
    Warn,
    /// Failed.
    Fail,
    /// Still running at the limit.
    Timeout,
    /// Ended by a signal.
    Crash,
}

impl Status {
    /// The word in result files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Skip => "skip",
            Self::NeedsCompat => "needs-compat",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
        }
    }

    /// From the word in a result file, or piglit's own.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Pass, Self::Skip, Self::NeedsCompat, Self::Warn, Self::Fail, Self::Timeout, Self::Crash];
        all.into_iter().find(|status| status.word() == word)
    }

    /// Counts against the implementation.
    pub fn is_bad(self) -> bool {
        self >= Self::Warn
    }
}

/// One test's end.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// How long it ran.
    pub seconds: f32,
    /// What it printed, when it did not pass.
    pub output: String,
}

/// What every test of a run shares.
pub struct Runner<'a> {
    /// What the tests run on.
    pub target: &'a Target,
    /// piglit's folder.
    pub piglit: &'a Path,
    /// Processes at a time.
    pub jobs: usize,
    /// Limit of one test.
    pub limit: Duration,
    /// How many scripts may share a process.
    pub batch: usize,
    /// Switches that the set needs, for the processes alone.
    pub environment: &'static [(&'static str, &'static str)],
    /// Where the processes' output goes.
    pub scratch: PathBuf,
}

impl Runner<'_> {
    /// Runs all tests; the outcomes are in the order of the tests.
    pub fn run(&self, tests: &[&Test], label: &str) -> Result<Vec<Outcome>> {
        std::fs::create_dir_all(&self.scratch).map_err(|e| format!("{}: {e}", self.scratch.display()))?;
        let batches = batch::plan(tests, self.batch);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; tests.len()]);
        let started = Instant::now();
        let worker = |number: usize| -> Result {
            // A server of its own: windows of tests that run at the same time never overlap.
            let display = Display::start(1024, 768)?;
            while let Some(range) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let ended = self.run_batch(&tests[range.clone()], display.name(), number)?;
                let before = done.fetch_add(range.len(), Ordering::Relaxed);
                if before / 250 != (before + range.len()) / 250 {
                    let seconds = started.elapsed().as_secs();
                    println!("{label}: {} of {} tests, {seconds} s", before + range.len(), tests.len());
                }
                if let Ok(mut all) = outcomes.lock() {
                    all[range.clone()].iter_mut().zip(ended).for_each(|(slot, outcome)| *slot = Some(outcome));
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| -> Result {
            let worker = &worker;
            let threads: Vec<_> = (0..self.jobs).map(|number| scope.spawn(move || worker(number))).collect();
            for thread in threads {
                thread.join().map_err(|_| "a worker thread panicked")??;
            }
            Ok(())
        })?;
        let outcomes = outcomes.into_inner().map_err(|_| "a worker thread panicked")?;
        outcomes.into_iter().map(|o| o.ok_or_else(|| "a test was lost".to_owned())).collect()
    }

    /// Runs tests in one process. One that does not pass behind another runs once more, alone: a script that stops early
    /// leaves its shaders and other state to the next.
    fn run_batch(&self, tests: &[&Test], display: &str, number: usize) -> Result<Vec<Outcome>> {
        let mut outcomes = self.run_shared(tests, display, number)?;
        for (test, outcome) in tests.iter().zip(&mut outcomes).skip(1) {
            if !matches!(outcome.status, Status::Pass | Status::Skip) {
                let alone = self.run_shared(&[test], display, number)?;
                alone.into_iter().for_each(|o| *outcome = o);
            }
        }
        Ok(outcomes)
    }

    /// Runs tests in one process, and again from behind a test that ended it early.
    fn run_shared(&self, tests: &[&Test], display: &str, number: usize) -> Result<Vec<Outcome>> {
        let here = |list: &[String]| list.iter().any(|name| name == PLATFORM);
        let mut outcomes = Vec::with_capacity(tests.len());
        while let Some(rest) = tests.get(outcomes.len()..).filter(|rest| !rest.is_empty()) {
            let test = rest[0];
            if here(&test.not_on) || (!test.only_on.is_empty() && !here(&test.only_on)) {
                outcomes.push(Outcome { status: Status::Skip, seconds: 0.0, output: String::new() });
                continue;
            }
            let (ended, seconds, output) = self.run_process(rest, display, number)?;
            let outcome = |status, output: &str, count: usize| {
                let output = if status == Status::Pass { String::new() } else { tail(output) };
                Outcome { status, seconds: seconds / count as f32, output }
            };
            if rest.len() == 1 {
                outcomes.push(outcome(judge(ended, &output), &output, 1));
                continue;
            }
            let mut said = batch::read(&output);
            said.finished.truncate(rest.len());
            let count = (said.finished.len() + 1).min(rest.len());
            outcomes.extend(said.finished.iter().map(|(status, text)| outcome(*status, text, count)));
            if said.finished.len() < rest.len() {
                outcomes.push(outcome(judge(ended, said.rest), said.rest, count));
            } else if let bad @ (Status::Crash | Status::Timeout) = judge(ended, "")
                && let Some(last) = outcomes.last_mut()
            {
                // The process ended badly after its last test.
                *last = outcome(bad, &output, count);
            }
        }
        Ok(outcomes)
    }

    /// Runs one process: how it ended, how long it ran, and what it printed.
    fn run_process(&self, tests: &[&Test], display: &str, number: usize) -> Result<(Option<ExitStatus>, f32, String)> {
        let log = self.scratch.join(format!("output-{number}.txt"));
        let failed = |e: std::io::Error| format!("{}: {e}", log.display());
        let out = File::create(&log).map_err(failed)?;
        let err = out.try_clone().map_err(failed)?;
        let mut command = self.command(tests);
        run::use_display(&mut command, display);
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let start = Instant::now();
        let ended = wait(&mut command, self.limit, (tests.len() > 1).then_some(&log))?;
        let seconds = start.elapsed().as_secs_f32();
        let output = std::fs::read(&log).map_err(failed)?;
        Ok((ended, seconds, String::from_utf8_lossy(&output).into_owned()))
    }

    /// The command as piglit's own runner builds it for each kind of test.
    fn command(&self, tests: &[&Test]) -> Command {
        let test = tests[0];
        let mut command = Command::new(self.piglit.join("bin").join(&test.command[0]));
        self.target.apply(&mut command);
        command.envs(self.environment.iter().copied());
        command.env("PIGLIT_PLATFORM", PLATFORM).env("PIGLIT_SOURCE_DIR", self.piglit);
        // One test uses one core, as many as there are run side by side.
        command.env("LP_NUM_THREADS", "1").current_dir(&self.scratch);
        let words = &test.command[1..];
        match test.kind {
            Kind::Native => {
                command.args(words).arg("-auto");
                if test.concurrent {
                    command.arg("-fbo");
                }
            }
            Kind::Shader => {
                let words = tests.iter().flat_map(|test| &test.command[1..]);
                command.args(words.map(|word| self.piglit.join(word))).args(["-auto", "-fbo"]);
                if tests.len() > 1 {
                    command.arg("-report-subtests");
                }
            }
            Kind::Parser => {
                command.args(words.iter().take(1).map(|word| self.piglit.join(word)));
                command.args(words.iter().skip(1));
            }
            Kind::Constants => {
                let tests = self.piglit.join("tests");
                command.args(words.iter().take(1).map(|word| tests.join(word)));
                command.args(words.iter().skip(1)).args(["-auto", "-fbo"]);
            }
            Kind::Assembly => {
                command.args(words.iter().take(1));
                command.args(words.iter().skip(1).map(|word| self.piglit.join(word)));
            }
        }
        command
    }
}

/// Waits for a process; `None` when it had to be killed at the limit. With a log, the limit counts from the last
/// time that the process wrote to it.
fn wait(command: &mut Command, limit: Duration, log: Option<&PathBuf>) -> Result<Option<ExitStatus>> {
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", crate::shell::line_of(command)))?;
    let (mut start, mut written) = (Instant::now(), 0);
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            let length = log.and_then(|log| log.metadata().ok()).map_or(0, |meta| meta.len());
            if length <= written {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            (start, written) = (Instant::now(), length);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The status from the exit and from the lines "PIGLIT: {...}".
fn judge(ended: Option<ExitStatus>, output: &str) -> Status {
    let Some(exit) = ended else {
        return Status::Timeout;
    };
    if exit.code().is_none() {
        return Status::Crash;
    }
    let mut worst: Option<Status> = None;
    for line in output.lines().filter_map(|line| line.strip_prefix("PIGLIT: ")) {
        // {"result": "pass" } or {"subtest": {"name" : "fail"}}; names of subtests to come are no results.
        if line.contains("enumerate subtests") {
            continue;
        }
        let word = line.rsplit_once(':').map_or("", |(_, value)| value);
        let word = word.trim_matches(|c: char| !c.is_ascii_alphabetic());
        let status = Status::parse(word).unwrap_or(Status::Fail);
        let is_result = line.trim_start_matches(['{', ' ']).starts_with("\"result\"");
        // A skipped subtest does not make the test skipped; its own result says that.
        if is_result || status != Status::Skip {
            worst = Some(worst.map_or(status, |w| w.max(status)));
        }
    }
    let status = match worst {
        None => return Status::Fail,
        Some(Status::Pass) if !exit.success() => Status::Warn,
        Some(status) => status,
    };
    // piglit says so when no kind of context that the test accepts could be made. A test that would have
    // accepted the core profile says that it could not have it, and stays an ordinary skip.
    // A missing window configuration (a sample count, say) is an ordinary skip too.
    let no_context =
        output.contains("Failed to create any GL context") && !output.contains("Failed to create waffle_config");
    let core_refused = output.lines().any(|l| l.contains("Failed to create waffle_context") && l.contains(" Core "));
    match status {
        Status::Skip if no_context && !core_refused => Status::NeedsCompat,
        status => status,
    }
}

/// The end of an output, which is where the reason is.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    lines[lines.len().saturating_sub(25)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn exit(code: i32) -> Option<ExitStatus> {
        Some(ExitStatus::from_raw(code << 8))
    }

    #[test]
    fn reads_results_and_subtests() {
        assert_eq!(judge(exit(0), "x\nPIGLIT: {\"result\": \"pass\" }\n"), Status::Pass);
        assert_eq!(judge(exit(1), "PIGLIT: {\"result\": \"fail\" }\n"), Status::Fail);
        assert_eq!(judge(exit(1), "PIGLIT: {\"result\": \"pass\" }\n"), Status::Warn);
        let subtests = "PIGLIT: {\"enumerate subtests\": [\"a: b\", \"c\"]}\nPIGLIT: {\"subtest\": {\"a: b\" : \"skip\"}}\nPIGLIT: {\"subtest\": {\"c\" : \"fail\"}}\nPIGLIT: {\"result\": \"pass\" }\n";
        assert_eq!(judge(exit(0), subtests), Status::Fail);
        assert_eq!(judge(exit(0), &subtests.replace("fail", "pass")), Status::Pass);
        assert_eq!(judge(exit(0), ""), Status::Fail);
    }

    #[test]
    fn a_signal_is_a_crash_and_no_exit_a_timeout() {
        assert_eq!(judge(Some(ExitStatus::from_raw(11)), "PIGLIT: {\"result\": \"pass\" }"), Status::Crash);
        assert_eq!(judge(None, ""), Status::Timeout);
    }

    #[test]
    fn only_a_refused_compatibility_context_takes_a_test_out_of_the_count() {
        let compat = "piglit: error: Failed to create waffle_context for OpenGL 1.0 Compatibility Context\npiglit: info: Failed to create any GL context\nPIGLIT: {\"result\": \"skip\" }\n";
        assert_eq!(judge(exit(0), compat), Status::NeedsCompat);
        let core = format!("piglit: error: Failed to create waffle_context for OpenGL 3.2 Core Context\n{compat}");
        assert_eq!(judge(exit(0), &core), Status::Skip);
        let config = compat.replace("waffle_context", "waffle_config");
        assert_eq!(judge(exit(0), &config), Status::Skip);
        assert_eq!(judge(exit(0), "PIGLIT: {\"result\": \"skip\" }\n"), Status::Skip);
    }
}
