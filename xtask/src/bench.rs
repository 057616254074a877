//! `bench`: starts the measuring programs of the `tests` package.

use crate::args::Args;
use crate::layout::{Layout, Profile};
use crate::packages::Group;
use crate::target::system_has_glvnd;
use crate::{Result, run, setup, shell};
use std::process::Command;

pub const USAGE: &str = "draw|startup|link|shaders [OPTIONS of the bench program]";
pub const HELP: &str = "Measures Gallite beside Mesa in the same run and prints one table.
  draw     draws per second: on noop beside Mesa's no-op driver, on Vulkan beside Zink with submissions discarded
  startup  library load to first triangle, and memory
  link     link times, cold and warm
  shaders  compile and link times over piglit's shaders, without, with an empty and with a filled disk cache
Words after `--` go to the bench program.";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let what = args.word().ok_or("say what: draw, startup, link, or shaders")?;
    if !["draw", "startup", "link", "shaders"].contains(&what.as_str()) {
        return Err(format!("nothing to measure is called '{what}'"));
    }
    let rest = args.rest();
    args.finish()?;
    setup::ensure(&[Group::Build, Group::Run, Group::Test])?;
    let layout = Layout::build(Profile::Release)?;
    let mut layer = shell::cargo();
    layer.args(["build", "--release", "--package", "gallite-nullexec"]);
    shell::must_run(&mut layer)?;
    let mut command = Command::new(run::build_tool("gallite-bench", Profile::Release)?);
    // The bench program starts itself once for each implementation and sets the peers' environment there.
    command.env("GALLITE_LIB", layout.library()).current_dir(shell::root());
    if system_has_glvnd() {
        command.env("GALLITE_VENDOR_FILE", layout.vendor_file());
    }
    command.arg(&what).args(rest);
    shell::must_run(&mut command)
}
