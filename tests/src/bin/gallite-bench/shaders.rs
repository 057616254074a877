//! `shaders`: time to compile and link each program of a large set, without a cache on disk, with an empty and with a
//! filled one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use gallite_tests::client::Display;
use gallite_tests::draw::get_string;
use gallite_tests::{client, gl};

use crate::Options;
use crate::corpus;
use crate::peers::{GALLITE_VULKAN, Peer, ZINK, field};
use crate::report::{Table, machine, median, publish};

/// Variables that say where an implementation keeps its shader cache.
const CACHE_VARIABLES: [&str; 3] = ["GALLITE_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"];
/// Variables that say that there is none.
const WITHOUT_CACHE: [(&str, &str); 2] = [("GALLITE_CACHE_DIR", ""), ("MESA_SHADER_CACHE_DISABLE", "true")];

/// How an implementation runs, in the order of the table's columns.
const RUNS: [&str; 3] = ["no disk cache", "empty disk cache", "filled disk cache"];

/// What became of a program: the milliseconds it took, None when it was refused.
type Outcome = Option<f64>;

/// Measures the sources named by the lines of a file, from one on; prints a line for each as it is done.
pub fn child(list: &str, first: &str) -> Result<(), String> {
    let first: usize = first.parse().map_err(|_| format!("{first} is no number"))?;
    let names = std::fs::read_to_string(list).map_err(|e| format!("{list}: {e}"))?;
    let egl = Display::open()?;
    let legacy = egl.compatibility_context([3, 3])?;
    let core = egl.core_context([3, 3])?;
    println!("renderer\t{}", get_string(gl::RENDERER));
    for name in names.lines().skip(first) {
        let Some(source) = corpus::read(name) else {
            println!("program\t-");
            continue;
        };
        let context = if source.is_legacy() { &legacy } else { &core };
        context.make_current().map_err(|e| e.to_string())?;
        let began = Instant::now();
        let compiled: Result<Vec<u32>, String> =
            source.shaders.iter().map(|(kind, text)| client::shader(*kind, text)).collect();
        let done = compiled.and_then(|shaders| if source.links { client::link(&shaders).map(|_| ()) } else { Ok(()) });
        let took = began.elapsed().as_secs_f64() * 1e3;
        match done {
            Ok(()) => println!("program\t{took:.4}"),
            Err(log) => println!("program\t-\t{name}\t{}", log.lines().next().unwrap_or_default()),
        }
    }
    Ok(())
}

/// One run over all sources. A program that ends the process counts as refused, and another process goes on behind it.
fn run(peer: &Peer, list: &Path, count: usize, cache: Option<&Path>) -> Result<(Vec<Outcome>, usize), String> {
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(count);
    let mut deaths = 0;
    while outcomes.len() < count {
        let mut command: Command = peer.command(false)?;
        command.args(["child", "shaders"]).arg(list).arg(outcomes.len().to_string());
        match cache {
            Some(cache) => command.envs(CACHE_VARIABLES.map(|variable| (variable, cache))),
            None => command.envs(WITHOUT_CACHE),
        };
        let (lines, ended) = peer.measure_partly(command)?;
        let before = outcomes.len();
        let times = lines.iter().filter(|line| line[0] == "program");
        outcomes.extend(times.map(|line| line.get(1).and_then(|text| text.parse().ok())));
        if !ended && outcomes.len() < count {
            deaths += 1;
            outcomes.push(None);
        } else if outcomes.len() == before {
            return Err(format!("{}: {}", peer.name, field(&lines, "renderer").unwrap_or("nothing measured")));
        }
    }
    Ok((outcomes, deaths))
}

/// Runs the rounds and prints the table.
pub fn parent(options: &Options) -> Result<(), String> {
    let mut names = corpus::names(&options.case);
    if options.sample != 0 && names.len() > options.sample {
        let (all, wanted) = (names.len(), options.sample);
        names = (0..wanted).map(|index| names[index * all / wanted].clone()).collect();
    }
    let scratch = std::env::temp_dir().join(format!("gallite-bench-shaders-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| e.to_string())?;
    let list: PathBuf = scratch.join("list");
    std::fs::write(&list, names.join("\n")).map_err(|e| e.to_string())?;
    let measured = measure(options, &names, &scratch, &list);
    let _ = std::fs::remove_dir_all(&scratch);
    report(options, &names, &measured?)
}

/// Times by peer, run and round, and the processes that ended early by peer.
struct Measured {
    times: [[Vec<Vec<Outcome>>; 3]; 2],
    deaths: [usize; 2],
}

const PEERS: [&Peer; 2] = [&GALLITE_VULKAN, &ZINK];

fn measure(options: &Options, names: &[String], scratch: &Path, list: &Path) -> Result<Measured, String> {
    let mut measured = Measured { times: Default::default(), deaths: [0; 2] };
    for round in 0..options.rounds {
        for (number, peer) in PEERS.iter().enumerate() {
            let cache = scratch.join(format!("{}-{round}", peer.name));
            std::fs::create_dir_all(&cache).map_err(|e| e.to_string())?;
            for (index, into) in measured.times[number].iter_mut().enumerate() {
                let (outcomes, deaths) = run(peer, list, names.len(), (index != 0).then_some(&*cache))?;
                into.push(outcomes);
                measured.deaths[number] += deaths;
            }
            let _ = std::fs::remove_dir_all(&cache);
        }
    }
    Ok(measured)
}

fn report(options: &Options, names: &[String], measured: &Measured) -> Result<(), String> {
    let runs = || measured.times.iter().flatten().flatten();
    let common: Vec<usize> = (0..names.len()).filter(|i| runs().all(|outcomes| outcomes[*i].is_some())).collect();
    let accepted = |peer: usize| {
        let runs = || measured.times[peer].iter().flatten();
        (0..names.len()).filter(|i| runs().all(|outcomes| outcomes[*i].is_some())).count()
    };
    let mut table = Table::new(["milliseconds per program", PEERS[0].name, PEERS[1].name, "ratio"]);
    let mut of = |what: &str, which: &dyn Fn(&str) -> bool| {
        let chosen: Vec<usize> = common.iter().copied().filter(|i| which(&names[*i])).collect();
        if chosen.is_empty() {
            return;
        }
        for (index, run) in RUNS.iter().enumerate() {
            let [a, b] = [0, 1].map(|peer| {
                let mean = |outcomes: &Vec<Outcome>| {
                    chosen.iter().filter_map(|i| outcomes[*i]).sum::<f64>() / chosen.len() as f64
                };
                median(&mut measured.times[peer][index].iter().map(mean).collect::<Vec<_>>())
            });
            let name = format!("{} {what}, {run}", chosen.len());
            table.row([name, format!("{a:.3}"), format!("{b:.3}"), format!("{:.2}", b / a)]);
        }
    };
    of("programs", &|name| name.ends_with("shader_test"));
    of("shaders compiled alone", &|name| !name.ends_with("shader_test") && name.starts_with('/'));
    of("programs of the demo", &|name| !name.starts_with('/'));
    let body = format!(
        "Medians of {} interleaved rounds of the mean over what both accept, of {} sources in the set ({}: {} accepted, \
         {}: {}; processes that ended early: {} and {}); ratio above 1: Gallite needs less. {}.\n\n{}",
        options.rounds,
        names.len(),
        PEERS[0].name,
        accepted(0),
        PEERS[1].name,
        accepted(1),
        measured.deaths[0],
        measured.deaths[1],
        machine(),
        table.markdown()
    );
    publish("shaders", &body, options.update)
}
