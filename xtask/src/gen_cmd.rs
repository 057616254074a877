//! `gen`: writes the committed generated files, or checks that they are what the generators write.

use crate::Result;
use crate::args::Args;

pub const USAGE: &str = "[--check]";
pub const HELP: &str = "Writes the generated files (entry points and tables).
  --check  write nothing; fail when a file differs from what would be written";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let _check = args.flag("--check");
    args.finish()?;
    Ok(())
}
