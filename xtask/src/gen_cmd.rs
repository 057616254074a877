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
    crate::r#gen::run(root, check)
}
