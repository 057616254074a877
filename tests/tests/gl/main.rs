//! The tests, one folder per part of the specification, on every lane.

mod clears;
mod harness;
mod vertices;

use gallite_tests::harness::Test;
use std::process::ExitCode;

/// Every list of tests.
const ALL: &[&[Test]] = &[
    harness::TESTS,
    clears::TESTS,
    vertices::arrays::TESTS,
    vertices::attributes::TESTS,
    vertices::commands::TESTS,
    vertices::formats::TESTS,
    vertices::primitives::TESTS,
];

fn main() -> ExitCode {
    gallite_tests::harness::main(ALL)
}
