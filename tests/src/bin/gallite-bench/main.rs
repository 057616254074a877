//! `gallite-bench`: measures a GL implementation from outside, as a plain GL program, beside its peers in the same run.
//!
//! The parent (`draw`, `startup`, `link`, `shaders`) starts itself once per round and implementation, interleaved so that drift of
//! the machine meets all alike, and prints one table of medians and ratios. The child (`child …`) loads the
//! implementation named by its environment and measures. Begin reading at [`cases`] for what is measured and at
//! [`peers`] for what is compared.

#![forbid(unsafe_code)]

mod cases;
mod corpus;
mod draw;
mod link;
mod peers;
mod report;
mod shaders;
mod startup;
mod world;

use std::process::ExitCode;

const USAGE: &str =
    "usage: gallite-bench draw|startup|link|shaders [--rounds N] [--ms N] [--case TEXT] [--clock wall|cpu] \
[--only PEER] [--update]
  --rounds N    rounds over all implementations (default 5)
  --ms N        measured time of each case in a round (default 40)
  --case TEXT   only cases whose name contains TEXT
  --sample N    of `shaders`: only N sources, evenly spread (default 600, 0: all)
  --clock C     wall: time of the drawing thread (default); cpu: CPU time of all threads, for a busy machine
  --only PEER   only pairs with this implementation: gallite-noop, mesa-noop, gallite-vulkan, zink
  --update      rewrite this bench's section of docs/performance.md";

/// Which time a table is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    Wall,
    Cpu,
}

/// The command line, for parents and children alike.
struct Options {
    rounds: u32,
    milliseconds: u32,
    case: String,
    sample: usize,
    clock: Clock,
    only: Option<String>,
    update: bool,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        rounds: 5,
        milliseconds: 40,
        case: String::new(),
        sample: 600,
        clock: Clock::Wall,
        only: None,
        update: false,
    };
    let mut arguments = arguments.iter();
    while let Some(flag) = arguments.next() {
        if flag == "--update" {
            options.update = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{flag} needs a value\n{USAGE}"))?;
        let bad = || format!("{flag} {value}: not understood\n{USAGE}");
        match flag.as_str() {
            "--rounds" => options.rounds = value.parse::<u32>().map_err(|_| bad())?.max(1),
            "--ms" => options.milliseconds = value.parse().map_err(|_| bad())?,
            "--case" => options.case.clone_from(value),
            "--sample" => options.sample = value.parse().map_err(|_| bad())?,
            "--only" => options.only = Some(value.clone()),
            "--clock" => {
                options.clock = match value.as_str() {
                    "wall" => Clock::Wall,
                    "cpu" => Clock::Cpu,
                    _ => return Err(bad()),
                }
            }
            _ => return Err(format!("{flag}: unknown option\n{USAGE}")),
        }
    }
    Ok(options)
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["child", "draw", ..] => draw::child(&options(&arguments[2..])?),
        ["child", "startup"] => startup::child(),
        ["child", "link"] => link::child(),
        ["child", "shaders", list, first] => shaders::child(list, first),
        ["draw", ..] => draw::parent(&options(&arguments[1..])?),
        ["startup", ..] => startup::parent(&options(&arguments[1..])?),
        ["shaders", ..] => shaders::parent(&options(&arguments[1..])?),
        ["link", ..] => link::parent(&options(&arguments[1..])?),
        _ => Err(USAGE.to_owned()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("gallite-bench: {message}");
            ExitCode::FAILURE
        }
    }
}
