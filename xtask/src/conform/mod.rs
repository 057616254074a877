//! `conform`: outside test suites on the library and on a peer, held against committed expectations.
//!
//! Begin reading at [`run`]: it chooses the tests ([`set`], [`profile`]), runs them ([`exec`]), holds the results
//! against the lists ([`expect`]) and sums them up ([`report`]).

mod batch;
mod exec;
mod expect;
mod profile;
mod report;
mod results;
mod set;

use crate::args::Args;
use crate::layout::Profile;
use crate::packages::Group;
use crate::target::{Choice, Peer, Target};
use crate::{Result, setup, shell};
use exec::{Outcome, Runner, Status};
use expect::{Expectations, Verdict};
use profile::Test;
use results::Results;
use std::process::Command;
use std::time::Duration;

pub const USAGE: &str = "piglit [--set NAME | --profile P] [--filter PATTERN] [--sample N] [OPTIONS]";
pub const HELP: &str =
    "Runs piglit (EGL on X11) on Gallite and on a peer; shader scripts share processes, other tests have one each.
Fails on a failure that tests/conformance/DRIVER/piglit-fails.txt does not list, and on a pass that it does.
  --set NAME         a named set: gl33 (the default), quick_shader, glslparser
  --profile P        a whole piglit profile instead (quick, quick_gl, quick_shader, ..)
  --filter PATTERN   only tests whose name contains it; * stands for anything
  --sample N         only N tests, spread evenly, the same each time
  --jobs N           processes at a time (2)
  --timeout SECONDS  of one test (60)
  --batch N          how many shader scripts share a process (50); 1 isolates each
  --driver D         as in `run` (vulkan)
  --device NAME      as in `run`
  --against PEER     zink (default), llvmpipe, none
  --fresh-peer       run the peer again instead of using its kept results
  --on PEER          run this peer in the place of Gallite, to try the runner
  --list             print the chosen tests and end
  --update           bring the list of failures and docs/conformance.md up to date
Results and outputs of what did not pass are kept in the target folder under conform/.";

/// What was asked for.
struct Request {
    set: Option<&'static set::Set>,
    profile: String,
    filter: Option<String>,
    sample: usize,
    jobs: usize,
    limit: Duration,
    batch: usize,
    peer: Option<(String, Peer)>,
    fresh_peer: bool,
    on: Option<String>,
    list: bool,
    update: bool,
}

impl Request {
    fn take(args: &mut Args) -> Result<Self> {
        let profile = args.value("--profile")?;
        let set = match (args.value("--set")?, &profile) {
            (Some(name), _) => Some(set::Set::find(&name).ok_or_else(|| format!("no set is called '{name}'"))?),
            (None, Some(_)) => None,
            (None, None) => set::SETS.first(),
        };
        let peer = match args.value("--against")?.unwrap_or_else(|| "zink".into()).as_str() {
            "none" => None,
            name => Some((name.to_owned(), Peer::parse(name)?)),
        };
        Ok(Self {
            profile: profile.or(set.map(|s| s.profile.to_owned())).unwrap_or_else(|| "quick".into()),
            set,
            filter: args.value("--filter")?,
            sample: args.parsed("--sample")?.unwrap_or(0),
            jobs: args.parsed("--jobs")?.unwrap_or(2).clamp(1, 64),
            limit: Duration::from_secs(args.parsed("--timeout")?.unwrap_or(60)),
            batch: args.parsed("--batch")?.unwrap_or(50).clamp(1, 1000),
            peer,
            fresh_peer: args.flag("--fresh-peer"),
            on: args.value("--on")?,
            list: args.flag("--list"),
            update: args.flag("--update"),
        })
    }

    /// Everything of the set was run, so the totals are the set's.
    fn is_whole(&self) -> bool {
        self.filter.is_none() && self.sample == 0
    }

    fn choose(&self, mut tests: Vec<Test>) -> Vec<Test> {
        if let Some(set) = self.set {
            tests.retain(|test| set.has(test));
        }
        if let Some(filter) = &self.filter {
            tests.retain(|test| set::matches(filter, &test.name));
        }
        tests.sort_by(|a, b| a.name.cmp(&b.name));
        tests.dedup_by(|a, b| a.name == b.name);
        set::sample(&mut tests, self.sample);
        tests
    }
}

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    match args.word().as_deref() {
        Some("piglit") => {}
        Some(other) => return Err(format!("no suite is called '{other}' (piglit)")),
        None => return Err("say which suite: piglit".into()),
    }
    let request = Request::take(&mut args)?;
    let driver = match (&request.on, args.value("--driver")?) {
        (Some(peer), _) => peer.clone(),
        (None, driver) => driver.unwrap_or_else(|| "vulkan".into()),
    };
    let device = args.value("--device")?;
    args.finish()?;
    setup::ensure(&[Group::Build, Group::Run, Group::Conform])?;
    let piglit = profile::piglit_dir()?;
    let tests = request.choose(profile::read(&piglit, &request.profile)?);
    if tests.is_empty() {
        return Err("no test is of that name".into());
    }
    if request.list {
        tests.iter().for_each(|test| println!("{}", test.name));
        return Ok(());
    }
    let target = match &request.on {
        Some(peer) => Target::Mesa(Peer::parse(peer)?),
        None => Choice::of(Some(driver.clone()), device).build(Profile::Release)?,
    };
    let expected = Expectations::read(&driver, "piglit")?;
    let tests: Vec<&Test> = tests.iter().filter(|test| !expected.skips.contains_key(&test.name)).collect();
    let folder = shell::target_dir()?.join("conform");
    let peer = request.peer.as_ref().map(|(name, peer)| (name.as_str(), Target::Mesa(*peer)));
    let runner = |target, label: &str| Runner {
        target,
        piglit: &piglit,
        jobs: request.jobs,
        limit: request.limit,
        batch: request.batch,
        environment: request.set.map_or(&[], |set| set.environment),
        scratch: folder.join(format!("scratch-{}", label.replace(':', "-"))),
    };
    let theirs = match &peer {
        None => Results::new(),
        Some((name, target)) => peer_results(&runner(target, name), name, &tests, request.fresh_peer)?,
    };
    let outcomes = runner(&target, &driver).run(&tests, &driver)?;
    let stem = folder.join(format!("piglit-{}", driver.replace(':', "-")));
    keep(&stem, &tests, &outcomes)?;
    conclude(&request, &driver, &tests, &outcomes, &theirs, expected, &stem)
}

/// The peer's results, from an earlier run where the same versions ran the same test.
fn peer_results(runner: &Runner, name: &str, tests: &[&Test], fresh: bool) -> Result<Results> {
    let version = versions();
    let file = shell::target_dir()?.join("conform").join(format!("piglit-peer-{name}.tsv"));
    let mut known = if fresh { Results::new() } else { results::read(&file, &version) };
    let new: Vec<&Test> = tests.iter().copied().filter(|test| !known.contains_key(&test.name)).collect();
    // Kept piece by piece, so that an interrupted run is not lost.
    for part in new.chunks(500) {
        let outcomes = runner.run(part, name)?;
        known.extend(part.iter().zip(&outcomes).map(|(t, o)| (t.name.clone(), (o.status, o.seconds))));
        results::write(&file, &version, &known)?;
    }
    Ok(known)
}

/// Versions of what a peer's results depend on.
fn versions() -> String {
    let mut command = Command::new("dpkg-query");
    command.args(["-W", "-f", "${Package} ${Version}; ", "piglit", "libgl1-mesa-dri", "mesa-vulkan-drivers"]);
    shell::output_of(&mut command).map_or_else(|_| "unknown".into(), |text| text.trim().to_owned())
}

fn keep(stem: &std::path::Path, tests: &[&Test], outcomes: &[Outcome]) -> Result {
    let results: Results = tests.iter().zip(outcomes).map(|(t, o)| (t.name.clone(), (o.status, o.seconds))).collect();
    results::write(&stem.with_extension("tsv"), &versions(), &results)?;
    let named = tests.iter().map(|t| t.name.as_str()).zip(outcomes);
    results::write_log(&stem.with_extension("log"), named)
}

fn conclude(
    request: &Request,
    driver: &str,
    tests: &[&Test],
    outcomes: &[Outcome],
    theirs: &Results,
    mut expected: Expectations,
    stem: &std::path::Path,
) -> Result {
    let mut totals = report::Totals::default();
    let mut surprises: Vec<(Verdict, Status, &str)> = Vec::new();
    for (test, outcome) in tests.iter().zip(outcomes) {
        totals.add(&test.name, outcome.status, theirs.get(&test.name).map(|(status, _)| *status));
        let verdict = expected.judge(&test.name, outcome.status);
        if verdict != Verdict::Expected {
            surprises.push((verdict, outcome.status, &test.name));
        }
    }
    let peer = request.peer.as_ref().map_or("peer", |(name, _)| name);
    let table = totals.table(driver, peer);
    println!("\n{table}");
    println!("outputs: {}", stem.with_extension("log").display());
    if totals.all.needs_compat > 0 {
        println!("outside of the set, since they need a compatibility context: {}", totals.all.needs_compat);
    }
    if request.update {
        if request.on.is_none() {
            let results = tests.iter().map(|t| t.name.as_str()).zip(outcomes.iter().map(|o| o.status));
            expected.update(results);
            expected.write_fails(driver, "piglit")?;
        }
        if let (Some(set), true) = (request.set, request.is_whole() && request.on.is_none()) {
            let section = format!("### piglit, {driver}: {}\n\nVersions: {}\n\n{table}\n", set.about, versions());
            report::update_document(&format!("piglit {} {driver}", set.name), &section)?;
        }
        surprises.clear();
    }
    for (verdict, status, name) in surprises.iter().take(60) {
        let what = if *verdict == Verdict::UnexpectedPass { "unexpected pass" } else { "unexpected" };
        println!("{what} {}: {name}", status.word());
    }
    let all = totals.all;
    println!("{peer} passes {}, of these {driver} passes {} ({:.1} %)", all.peer_passed, all.both_passed, all.share());
    println!("{} passed, {} failed, {} skipped", all.passed, all.failed, all.skipped);
    if surprises.is_empty() { Ok(()) } else { Err(format!("{} results are not the expected ones", surprises.len())) }
}
