//! The tests, one folder per part of the specification, on every lane.

mod buffers;
mod clears;
mod feedback;
mod fragment;
mod fuzz;
mod geometry;
mod harness;
mod lessons;
mod programs;
mod queries;
mod rasterization;
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
    fragment::blending::TESTS,
    fragment::logic_op::TESTS,
    fragment::tests::TESTS,
    fuzz::TESTS,
    geometry::TESTS,
    lessons::lifetime::TESTS,
    lessons::limits::TESTS,
    lessons::work::TESTS,
    programs::blocks::TESTS,
    programs::language::TESTS,
    programs::objects::TESTS,
    programs::uniforms::TESTS,
    queries::TESTS,
    rasterization::TESTS,
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
