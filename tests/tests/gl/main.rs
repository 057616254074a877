//! The tests, one folder per part of the specification, on every lane.

mod buffers;
mod clears;
mod feedback;
mod fuzz;
mod harness;
mod lessons;
mod programs;
mod queries;
mod syncs;
mod vertices;

use gallite_tests::harness::Test;
use std::process::ExitCode;

/// Every list of tests.
const ALL: &[&[Test]] = &[
    harness::TESTS,
    buffers::contents::TESTS,
    buffers::mapping::TESTS,
    buffers::names::TESTS,
    clears::TESTS,
    feedback::TESTS,
    fuzz::TESTS,
    lessons::lifetime::TESTS,
    lessons::limits::TESTS,
    lessons::work::TESTS,
    programs::blocks::TESTS,
    programs::language::TESTS,
    programs::objects::TESTS,
    programs::uniforms::TESTS,
    queries::TESTS,
    syncs::TESTS,
    vertices::arrays::TESTS,
    vertices::attributes::TESTS,
    vertices::commands::TESTS,
    vertices::formats::TESTS,
    vertices::primitives::TESTS,
];

fn main() -> ExitCode {
    gallite_tests::harness::main(ALL)
}
