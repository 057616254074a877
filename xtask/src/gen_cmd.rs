//! `gen`: writes the committed generated files, or checks that they are what the generators write.

use std::path::Path;

use crate::Result;
use crate::args::Args;

pub const USAGE: &str = "[--check]";
pub const HELP: &str = "Writes the generated files (entry points and tables).
  --check  write nothing; fail when a file differs from what would be written";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let check = args.flag("--check");
    args.finish()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
    crate::r#gen::run(root, check)?;
    if !check {
        // The library's own table; a unit test there does the checking.
        let mut command = crate::shell::cargo();
        command.args(["run", "--quiet", "--package", "gallite-winsys", "--bin", "gallite-environment-doc"]);
        crate::shell::must_run(&mut command)?;
    }
    Ok(())
}
