//! `gen`: writes the committed generated files, or checks that they are what the generators write.

use crate::args::Args;
use crate::{Result, shell};

pub const USAGE: &str = "[--check]";
pub const HELP: &str =
    "Writes the generated files: GL and EGL entry points and tables, docs/missing.md, docs/environment.md.
  --check  write nothing; fail when a file differs from what would be written";

/// Generators that need what only a program of the package knows: package and binary.
const PROGRAMS: &[(&str, &str)] = &[("gallite-winsys", "gallite-environment-doc")];

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let check = args.flag("--check");
    args.finish()?;
    crate::r#gen::run(shell::root(), check)?;
    for (package, binary) in PROGRAMS {
        let mut command = shell::cargo();
        command.args(["run", "--quiet", "--package", package, "--bin", binary]);
        if check {
            command.args(["--", "--check"]);
        }
        shell::must_run(&mut command)?;
    }
    Ok(())
}
