//! The tests, one folder per part of the specification, on every lane.

mod clears;
mod harness;

use gallite_tests::harness::Test;
use std::process::ExitCode;

/// Every list of tests.
const ALL: &[&[Test]] = &[harness::TESTS, clears::TESTS];

fn main() -> ExitCode {
    gallite_tests::harness::main(ALL)
}
