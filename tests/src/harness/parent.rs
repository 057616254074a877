//! The parent process: lists tests times lanes, feeds the children and judges what they print.

use super::child::MARK;
use super::expected::{Expected, judge};
use super::{Lane, Setup, Test, child, environment, gate, lanes};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs `tests` as the command line asks; in a child process, runs the ones the parent names.
pub fn main(tests: &'static [&'static [Test]]) -> ExitCode {
    let all: Vec<Test> = tests.iter().flat_map(|list| list.iter().copied()).collect();
    if let Some(lane) = environment::child_lane() {
        child::main(&lane, &all);
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_args();
    let lanes = lanes();
    let x_server = start_x_server(&all, &arguments, &lanes);
    let farm = Arc::new(Farm {
        idle: Mutex::default(),
        proofs: Mutex::default(),
        broken: Mutex::default(),
        display: x_server.as_ref().map(|x| x.1.clone()),
        screen: Mutex::default(),
    });
    let mut trials = Vec::new();
    for lane in &lanes {
        let expected = Expected::of(lane);
        for test in all.iter().filter(|test| lane.takes(test.on)) {
            let (farm, lane, test) = (farm.clone(), lane.clone(), *test);
            let name = trial_name(&lane, &test);
            let reason = expected.reason(name.strip_prefix(&format!("{}::", lane.name)).unwrap_or(&name));
            let run = move || judge(farm.run(&lane, &test), reason.as_deref());
            trials.push(Trial::ignorable_test(name, run));
        }
    }
    let listing = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if listing {
        return ExitCode::SUCCESS;
    }
    let failed_ends = farm.end_all();
    if let Some((mut server, _)) = x_server {
        let _ = server.kill();
        let _ = server.wait();
    }
    for (lane, proof) in farm.proofs.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        println!("lane {lane} ran on: {proof}");
    }
    for message in &failed_ends {
        println!("{message}");
    }
    let failed = conclusion.num_failed + failed_ends.len() as u64;
    println!("{} passed, {failed} failed, {} skipped", conclusion.num_passed, conclusion.num_ignored);
    if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn trial_name(lane: &Lane, test: &Test) -> String {
    let name = test.name.split_once("::").map_or(test.name, |(_, rest)| rest);
    format!("{}::{name}", lane.name)
}

/// Starts a virtual X server when a chosen test needs one and there is none.
fn start_x_server(all: &[Test], arguments: &Arguments, lanes: &[Lane]) -> Option<(Child, String)> {
    let wanted = lanes.iter().any(|lane| {
        all.iter().filter(|test| test.setup == Setup::X11 && lane.takes(test.on)).any(|test| {
            let trial = Trial::test(trial_name(lane, test), || Ok(()));
            !arguments.is_filtered_out(&trial)
        })
    });
    if !wanted || arguments.list {
        return None;
    }
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut number = String::new();
    BufReader::new(server.stdout.take()?).read_line(&mut number).ok()?;
    Some((server, format!(":{}", number.trim())))
}

/// Idle children by lane.
struct Farm {
    idle: Mutex<HashMap<String, Vec<Worker>>>,
    proofs: Mutex<HashMap<String, String>>,
    /// Lanes that do not start, with the reason: their tests fail at once.
    broken: Mutex<HashMap<String, String>>,
    display: Option<String>,
    /// Held by the one test that has windows.
    screen: Mutex<()>,
}

impl Farm {
    fn run(&self, lane: &Lane, test: &Test) -> Result<Completion, Failed> {
        // Windows of tests that run at once would hide each other.
        let _screen = (test.setup == Setup::X11).then(|| self.screen.lock().unwrap_or_else(PoisonError::into_inner));
        let idle = self.idle().get_mut(&lane.name).and_then(Vec::pop);
        let mut worker = match idle {
            Some(worker) => worker,
            None => self.start(lane)?,
        };
        let Outcome { word, text, output } = worker.run(test.name);
        if worker.alive {
            self.idle().entry(lane.name.clone()).or_default().push(worker);
        }
        let faults = gate::faults(&output);
        if test.gate_must_fire {
            return match faults.is_empty() {
                true => Err("the validation gate did not fire".into()),
                false => Ok(Completion::Completed),
            };
        }
        match word.as_str() {
            "passed" if faults.is_empty() => Ok(Completion::Completed),
            "skipped" if faults.is_empty() => Ok(Completion::ignored_with(text)),
            "passed" | "skipped" => Err(format!("validation messages:\n{output}").into()),
            _ => Err(format!("{text}\n{output}").into()),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<Worker>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, lane: &Lane) -> Result<Worker, Failed> {
        let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reason) = broken.get(&lane.name) {
            return Err(reason.clone().into());
        }
        let (worker, first) = Worker::start(lane, self.display.as_deref()).map_err(|e| e.to_string())?;
        if first.word != "ready" {
            let reason = format!("lane {} does not start: {}\n{}", lane.name, first.text, first.output);
            broken.insert(lane.name.clone(), reason.clone());
            return Err(reason.into());
        }
        let faults = gate::faults(&first.output);
        if !faults.is_empty() {
            return Err(format!("validation messages at start:\n{}", first.output).into());
        }
        let mut proofs = self.proofs.lock().unwrap_or_else(PoisonError::into_inner);
        proofs.insert(lane.name.clone(), first.text);
        Ok(worker)
    }

    /// Lets every child end by itself; a crash, hang or validation message then is a failure.
    fn end_all(&self) -> Vec<String> {
        let workers: Vec<Worker> = self.idle().drain().flat_map(|(_, list)| list).collect();
        workers.into_iter().filter_map(Worker::end).collect()
    }
}

struct Outcome {
    word: String,
    text: String,
    output: String,
}

/// One child process.
struct Worker {
    lane: String,
    process: Child,
    orders: Option<ChildStdin>,
    lines: Receiver<String>,
    alive: bool,
}

impl Worker {
    fn start(lane: &Lane, display: Option<&str>) -> std::io::Result<(Self, Outcome)> {
        let (reader, writer) = std::io::pipe()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .env("GALLITE_TEST_CHILD", &lane.name)
            .env("RUST_BACKTRACE", "0")
            // A cache of an earlier run would hide what the front end does in this one.
            .env("GALLITE_CACHE_DIR", "")
            // Off by default as long as commands of the profile are missing.
            .env("GALLITE_COMPATIBILITY", "1")
            .stdin(Stdio::piped())
            .stdout(writer.try_clone()?)
            .stderr(writer);
        if !lane.is_system() {
            command.env("GALLITE_DRIVER", lane.driver()).env("GALLITE_VULKAN_WITHOUT", lane.without());
        }
        if lane.is_vulkan() && !environment::no_validation() {
            command.env("GALLITE_VALIDATION", "sync").env("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
        }
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        let mut process = command.spawn()?;
        // The command holds the write end of the pipe: without it the reader sees the end of file.
        drop(command);
        let orders = process.stdin.take();
        let lines = read_lines(reader);
        let mut worker = Self { lane: lane.name.clone(), process, orders, lines, alive: true };
        let first = worker.wait(environment::timeout());
        Ok((worker, first))
    }

    fn run(&mut self, name: &str) -> Outcome {
        let sent = self.orders.as_mut().map(|orders| writeln!(orders, "{name}"));
        if !matches!(sent, Some(Ok(()))) {
            self.alive = false;
        }
        self.wait(environment::timeout())
    }

    /// Reads until the child says how the test ended, dies, or takes too long.
    fn wait(&mut self, limit: Duration) -> Outcome {
        let deadline = Instant::now() + limit;
        let mut output = String::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => match line.strip_prefix(MARK) {
                    Some(report) => {
                        let (word, text) = report.split_once(' ').unwrap_or((report, ""));
                        let text = text.replace("\\n", "\n").replace("\\\\", "\\");
                        return Outcome { word: word.to_owned(), text, output };
                    }
                    None => {
                        output.push_str(&line);
                        output.push('\n');
                    }
                },
                Err(RecvTimeoutError::Timeout) => {
                    self.alive = false;
                    let _ = self.process.kill();
                    let _ = self.process.wait();
                    let text = format!("no answer within {} s", limit.as_secs());
                    return Outcome { word: "hung".to_owned(), text, output };
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.alive = false;
                    let status = self.process.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
                    let text = format!("the process ended: {status}");
                    return Outcome { word: "crashed".to_owned(), text, output };
                }
            }
        }
    }

    /// Ends the child; `Some` is what went wrong.
    fn end(mut self) -> Option<String> {
        self.orders = None;
        let ended = self.wait(environment::timeout());
        let mut output = ended.output;
        let mut text = ended.text;
        if ended.word == "ended" {
            let last = self.wait(environment::timeout());
            output.push_str(&last.output);
            text = last.text;
            let clean = last.word == "crashed" && text.ends_with("exit status: 0");
            if clean && gate::faults(&output).is_empty() {
                return None;
            }
        }
        Some(format!("lane {}: a child did not end well: {text}\n{output}", self.lane))
    }
}

fn read_lines(reader: PipeReader) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
            bytes.clear();
            // A protocol line may follow output that did not end its line.
            let sent = match line.find(MARK) {
                Some(at) if at > 0 => {
                    sender.send(line[..at].to_owned()).and_then(|()| sender.send(line[at..].to_owned()))
                }
                _ => sender.send(line),
            };
            if sent.is_err() {
                break;
            }
        }
    });
    lines
}
