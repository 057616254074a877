//! Damaged shaders end in a log, never in a crash, a hang or without bounds of memory.

mod mutate;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gallite_shader::{CompileOptions, Limits, LinkInput, Stage, compile, link};
use mutate::{Random, mutate};

/// Whole programs of several versions and stages, between them most of the language.
const PROGRAMS: &[&[(Stage, &str)]] = &[
    &[(Stage::Vertex, include_str!("shaders/lit.vert")), (Stage::Fragment, include_str!("shaders/lit.frag"))],
    &[(Stage::Vertex, include_str!("shaders/legacy.vert")), (Stage::Fragment, include_str!("shaders/legacy.frag"))],
    &[
        (Stage::Vertex, include_str!("shaders/blocks.vert")),
        (Stage::Geometry, include_str!("shaders/blocks.geom")),
        (Stage::Fragment, include_str!("shaders/blocks.frag")),
    ],
    &[(Stage::Vertex, include_str!("shaders/integers.vert")), (Stage::Fragment, include_str!("shaders/integers.frag"))],
    &[(Stage::Vertex, include_str!("shaders/macros.vert")), (Stage::Fragment, include_str!("shaders/macros.frag"))],
    &[(Stage::Compute, include_str!("shaders/reduce.comp"))],
];

/// Processor time that one program may take, and time on a machine with other things to do.
const MOST_WORK: Duration = Duration::from_secs(2);
const MOST_TIME: Duration = Duration::from_secs(30);
/// Bytes the process may have held.
const MOST_MEMORY: u64 = 3 << 30;

fn run(program: &[(Stage, String)]) -> bool {
    let limits = Arc::new(Limits { max_glsl_version: 460, ..Limits::default() });
    let options = CompileOptions { limits: limits.clone(), ..CompileOptions::default() };
    let shaders: Vec<_> = program.iter().map(|(stage, source)| compile(*stage, source, &options)).collect();
    let xfb = ["gl_Position".to_owned(), "Varyings.normal".to_owned()];
    let captured = if program.len() == 2 { &xfb[..1] } else { &[] };
    link(&LinkInput { shaders: &shaders, xfb_varyings: captured, limits, ..LinkInput::default() }).ok
}

/// Processor time of this thread.
fn work() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// The most memory this process has held, in bytes.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Runs a program and looks at what it took.
fn watched(program: &[(Stage, String)]) -> bool {
    let (began, before) = (Instant::now(), work());
    let linked = run(program);
    let (time, work) = (began.elapsed(), work() - before);
    assert!(work < MOST_WORK && time < MOST_TIME, "{work:?} of work, {time:?}: {program:#?}");
    linked
}

/// Undamaged, all of them link: the damage below is done to what otherwise works.
#[test]
fn originals_link() {
    for program in PROGRAMS {
        let whole: Vec<(Stage, String)> = program.iter().map(|(stage, s)| (*stage, (*s).to_owned())).collect();
        assert!(run(&whole));
    }
}

/// Damages `shaders` shaders, more or less.
fn damaged(seed: u64, shaders: usize) {
    let mut random = Random::new(seed);
    let (mut done, mut rounds, mut linked) = (0, 0, 0);
    while done < shaders {
        let program = PROGRAMS[rounds % PROGRAMS.len()];
        let damaged: Vec<(Stage, String)> = program.iter().map(|(stage, s)| (*stage, mutate(s, &mut random))).collect();
        linked += usize::from(watched(&damaged));
        done += program.len();
        rounds += 1;
    }
    // Some damage does no harm, most does.
    assert!(linked > 0 && linked < rounds / 2, "{linked} of {rounds} link");
    assert!(memory() < MOST_MEMORY, "{} MiB", memory() >> 20);
}

/// Ten thousand in all, in parts that run at the same time.
#[test]
fn damaged_1() {
    damaged(20, 2500);
}

#[test]
fn damaged_2() {
    damaged(21, 2500);
}

#[test]
fn damaged_3() {
    damaged(22, 2500);
}

#[test]
fn damaged_4() {
    damaged(23, 2500);
}

/// Where piglit is installed, its shaders are damaged too.
#[test]
fn damaged_piglit() {
    const FILES: usize = 1500;
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from("/usr/lib/x86_64-linux-gnu/piglit/tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path)
            } else if stage_of(&path).is_some() {
                files.push(path)
            }
        }
    }
    files.sort();
    let mut random = Random::new(1);
    for i in 0..FILES.min(files.len()) {
        let path = &files[i * files.len() / FILES.min(files.len())];
        let (Some(stage), Ok(source)) = (stage_of(path), std::fs::read(path)) else { continue };
        watched(&[(stage, mutate(&String::from_utf8_lossy(&source), &mut random))]);
    }
    assert!(memory() < MOST_MEMORY, "{} MiB", memory() >> 20);
}

fn stage_of(path: &Path) -> Option<Stage> {
    Some(match path.extension()?.to_str()? {
        "vert" => Stage::Vertex,
        "frag" => Stage::Fragment,
        "geom" => Stage::Geometry,
        "comp" => Stage::Compute,
        "tesc" => Stage::TessControl,
        "tese" => Stage::TessEvaluation,
        _ => return None,
    })
}

/// Bytes of every kind.
#[test]
fn noise() {
    let mut random = Random::new(7);
    for _ in 0..500 {
        let length = random.below(400);
        let text: String = (0..length).filter_map(|_| char::from_u32(random.below(0x180) as u32)).collect();
        watched(&[(Stage::Vertex, text.clone()), (Stage::Fragment, format!("#version 330\n{text}"))]);
    }
}
