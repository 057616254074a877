//! `info`: what the chosen driver and device can do.

use crate::args::Args;
use crate::layout::Profile;
use crate::packages::Group;
use crate::target::Choice;
use crate::{Result, run, setup, shell};

pub const USAGE: &str = "[--driver D] [--device NAME]";
pub const HELP: &str =
    "Prints renderer, versions, limits, extensions, formats, and of Gallite's driver its capabilities, the code paths it chose
  and the named workarounds in force.
  --driver, --device, --peer, --no-glvnd   as in `run`";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let choice = Choice::take(&mut args)?;
    args.finish()?;
    setup::ensure(&[Group::Build, Group::Run])?;
    let target = choice.build(Profile::Release)?;
    let mut command = run::command_on(&target, &run::build_tool("gallite-info", Profile::Release)?);
    // By the name that any program uses, so that it finds what the target put there.
    command.env("GALLITE_TEST_LIB", "libEGL.so.1");
    shell::must_run(&mut command)
}
