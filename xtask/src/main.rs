//! `cargo xtask`: everything a person or CI does with this project besides editing it.
//!
//! Owns: system packages, building and laying out the library, running programs on it, the test run,
//! benchmarks, conformance runs and the generators. Must not know: anything of GL's or Vulkan's inside;
//! it starts programs and reads what they print. Standard library, one small XML reader and the generator of EGL's
//! entry points only, so that it compiles in seconds on a machine that has nothing but Rust. Begin reading at `COMMANDS`
//! below; each command is one module.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod ci;
mod compare;
mod conform;
mod display;
mod r#gen;
mod gen_cmd;
mod image;
mod info;
mod layout;
mod packages;
mod run;
mod screenshot;
mod setup;
mod shell;
mod smoke;
mod target;

use args::Args;

/// What every command returns; the message is for the person who called it.
pub type Result<T = ()> = std::result::Result<T, String>;

struct Command {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    run: fn(Args) -> Result,
}

const COMMANDS: &[Command] = &[
    Command { name: "run", usage: run::USAGE, help: run::HELP, run: run::run },
    Command { name: "info", usage: info::USAGE, help: info::HELP, run: info::run },
    Command { name: "test", usage: ci::USAGE, help: ci::HELP, run: ci::run },
    Command { name: "bench", usage: bench::USAGE, help: bench::HELP, run: bench::run },
    Command { name: "conform", usage: conform::USAGE, help: conform::HELP, run: conform::run },
    Command { name: "compare-screens", usage: compare::USAGE, help: compare::HELP, run: compare::run },
    Command { name: "gen", usage: gen_cmd::USAGE, help: gen_cmd::HELP, run: gen_cmd::run },
    Command { name: "setup", usage: setup::USAGE, help: setup::HELP, run: setup::run },
];

fn main() -> std::process::ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some(command) = COMMANDS.iter().find(|c| c.name == name) else {
        print_help();
        let asked = matches!(name.as_str(), "" | "help" | "-h" | "--help");
        if !asked {
            eprintln!("\nxtask: no command is called '{name}'");
        }
        return if asked { 0.into() } else { 2.into() };
    };
    let args = Args::new(words.collect());
    if args.wants_help() {
        println!("cargo xtask {} {}\n\n{}", command.name, command.usage, command.help);
        return 0.into();
    }
    match (command.run)(args) {
        Ok(()) => 0.into(),
        Err(message) => {
            eprintln!("xtask {}: {message}", command.name);
            1.into()
        }
    }
}

fn print_help() {
    println!("cargo xtask COMMAND [OPTIONS]\n");
    for command in COMMANDS {
        let first_line = command.help.lines().next().unwrap_or_default();
        println!("  {:<16} {first_line}", command.name);
    }
    println!("\n`cargo xtask COMMAND --help` tells a command's options.");
}
