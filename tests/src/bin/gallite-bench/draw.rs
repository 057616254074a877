//! `draw`: time per draw of each case.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gallite_tests::client::Display;
use gallite_tests::draw::get_string;
use gallite_tests::gl;
use rustix::time::{ClockId, clock_gettime};

use crate::cases::CASES;
use crate::peers::{PAIRS, Peer};
use crate::report::{Table, behind, geometric_mean, machine, median, publish};
use crate::world::{World, executes};
use crate::{Clock, Options};

const DRAWS: u32 = 1000;
const WARM_UP_FRAMES: u32 = 3;

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Measures every selected case once and prints `case<TAB>name<TAB>wall ns<TAB>cpu ns`, per draw.
pub fn child(options: &Options) -> Result<(), String> {
    let egl = Display::open()?;
    let context = egl.core_context([3, 3])?;
    println!("renderer\t{}", get_string(gl::RENDERER));
    let world = World::new()?;
    println!("executes\t{}", if executes(&world) { "yes" } else { "no" });
    let budget = Duration::from_millis(u64::from(options.milliseconds));
    for case in CASES.iter().filter(|case| case.name.contains(&options.case)) {
        world.reset();
        (case.prepare)(&world);
        for _ in 0..WARM_UP_FRAMES {
            case.frame(&world, DRAWS);
        }
        gl::Finish();
        let (mut wall, mut cpu) = (Vec::new(), Vec::new());
        let began = Instant::now();
        // At least five frames, so that the median means something for a slow case too.
        while began.elapsed() < budget || wall.len() < 5 {
            let (frame, frame_cpu) = (Instant::now(), cpu_time());
            case.frame(&world, DRAWS);
            wall.push(frame.elapsed().as_secs_f64() * 1e9 / f64::from(DRAWS));
            cpu.push(cpu_time().saturating_sub(frame_cpu).as_secs_f64() * 1e9 / f64::from(DRAWS));
        }
        gl::Finish();
        let error = gl::GetError();
        if error != 0 {
            return Err(format!("case {}: GL error {error:#06x}", case.name));
        }
        println!("case\t{}\t{:.2}\t{:.2}", case.name, median(&mut wall), median(&mut cpu));
    }
    if let Some(line) = std::fs::read_to_string("/proc/self/status").ok().as_deref().and_then(peak_memory) {
        println!("memory\t{line}");
    }
    // Mesa's no-op driver crashes when its context is destroyed; the measurement is over.
    std::mem::forget(context);
    std::mem::forget(egl);
    Ok(())
}

/// Peak resident memory in KiB out of /proc/self/status.
pub fn peak_memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

type Samples = BTreeMap<String, Vec<f64>>;

fn sample(peer: &Peer, options: &Options, into: &mut Samples) -> Result<(), String> {
    let mut command = peer.command(true)?;
    command.args(["child", "draw", "--ms", &options.milliseconds.to_string(), "--case", &options.case]);
    for line in peer.measure(command)? {
        if let [kind, name, wall, cpu] = line.as_slice()
            && kind == "case"
        {
            let chosen = if options.clock == Clock::Wall { wall } else { cpu };
            let value = chosen.parse().map_err(|_| format!("{}: bad number {chosen}", peer.name))?;
            into.entry(name.clone()).or_default().push(value);
        }
    }
    Ok(())
}

/// Runs the rounds and prints the table.
pub fn parent(options: &Options) -> Result<(), String> {
    let pairs: Vec<&(Peer, Peer)> = PAIRS
        .iter()
        .filter(|(ours, theirs)| options.only.as_ref().is_none_or(|name| name == ours.name || name == theirs.name))
        .collect();
    let mut samples: Vec<[Samples; 2]> = pairs.iter().map(|_| Default::default()).collect();
    for round in 0..options.rounds {
        eprintln!("round {} of {}", round + 1, options.rounds);
        for (pair, samples) in pairs.iter().zip(&mut samples) {
            sample(&pair.0, options, &mut samples[0])?;
            sample(&pair.1, options, &mut samples[1])?;
        }
    }
    let mut head = vec!["nanoseconds per draw".to_owned()];
    for (ours, theirs) in &pairs {
        head.extend([ours.name.to_owned(), theirs.name.to_owned(), "ratio".to_owned()]);
    }
    let mut table = Table::new(head);
    let mut ratios: Vec<Vec<(&str, f64)>> = vec![Vec::new(); pairs.len()];
    for case in CASES.iter().filter(|case| case.name.contains(&options.case)) {
        let mut row = vec![case.name.to_owned()];
        for (samples, ratios) in samples.iter_mut().zip(&mut ratios) {
            let [ours, theirs] = samples.each_mut().map(|s| median(s.entry(case.name.to_owned()).or_default()));
            let ratio = theirs / ours;
            ratios.push((case.name, ratio));
            row.extend([format!("{ours:.1}"), format!("{theirs:.1}"), format!("{ratio:.2}")]);
        }
        table.row(row);
    }
    let mut row = vec!["geometric mean of the ratios".to_owned()];
    for ratios in &ratios {
        let ratios: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
        row.extend([String::new(), String::new(), format!("{:.2}", geometric_mean(&ratios))]);
    }
    table.row(row);
    let behind: Vec<String> = pairs.iter().zip(&ratios).map(|(pair, ratios)| behind(pair.1.name, ratios)).collect();
    let clock = if options.clock == Clock::Wall { "wall time" } else { "CPU time of all threads" };
    let body = format!(
        "Medians of {} interleaved rounds, {clock}; ratio above 1: Gallite does more draws per second. {}.\n\n{}\n{}",
        options.rounds,
        machine(),
        table.markdown(),
        behind.join(" ")
    );
    publish("draw", &body, options.update)
}
