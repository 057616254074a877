//! `conform`: outside test suites on the library and on a peer, held against committed expectations.
use crate::Result;
use crate::args::Args;
pub const USAGE: &str = "piglit [OPTIONS]";
pub const HELP: &str = "Runs piglit.";
/// Runs the command.
pub fn run(args: Args) -> Result {
    args.finish()
}
