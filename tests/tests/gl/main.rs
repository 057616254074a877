//! The tests, one folder per part of the specification, on every lane.

// A module whose tests are not in the list below would pass by not running.
#![deny(dead_code)]

mod blits;
mod buffers;
mod cases;
mod clears;
mod clip_control;
mod compatibility;
mod context;
mod feedback;
mod fragment;
mod framebuffers;
mod fuzz;
mod geometry;
mod harness;
mod least;
mod lessons;
mod multisample;
mod pixels;
mod programs;
mod queries;
mod query_results;
mod rasterization;
mod samplers;
mod shading;
mod shared;
mod syncs;
mod textures;
mod vertices;
mod window_depths;
mod windows;

use gallite_tests::harness::Test;
use std::process::ExitCode;

/// Every list of tests.
const ALL: &[&[Test]] = &[
    harness::TESTS,
    blits::TESTS,
    buffers::contents::TESTS,
    buffers::mapping::TESTS,
    buffers::multi_bind::TESTS,
    buffers::names::TESTS,
    cases::TESTS,
    clears::TESTS,
    clip_control::TESTS,
    compatibility::arrays::TESTS,
    compatibility::fixed::TESTS,
    compatibility::immediate::TESTS,
    compatibility::objects::TESTS,
    compatibility::shaders::TESTS,
    compatibility::state::TESTS,
    context::debug::TESTS,
    context::defaults::TESTS,
    context::direct_access::TESTS,
    context::dispatch::TESTS,
    context::errors::TESTS,
    context::formats::TESTS,
    context::later::TESTS,
    context::names::TESTS,
    context::resets::TESTS,
    context::robustness::TESTS,
    context::typed_queries::TESTS,
    feedback::TESTS,
    fragment::blending::TESTS,
    fragment::logic_op::TESTS,
    fragment::tests::TESTS,
    framebuffers::attachments::TESTS,
    framebuffers::completeness::TESTS,
    framebuffers::defaults::TESTS,
    framebuffers::layered::TESTS,
    framebuffers::outputs::TESTS,
    fuzz::TESTS,
    geometry::TESTS,
    least::TESTS,
    lessons::coverage::TESTS,
    lessons::lifetime::TESTS,
    lessons::limits::TESTS,
    lessons::passes::TESTS,
    lessons::sizes::TESTS,
    lessons::work::TESTS,
    multisample::TESTS,
    pixels::buffers::TESTS,
    pixels::pairs::TESTS,
    pixels::read::TESTS,
    pixels::store::TESTS,
    programs::binaries::TESTS,
    programs::blocks::TESTS,
    programs::es::TESTS,
    programs::extensions::TESTS,
    programs::includes::TESTS,
    programs::language::TESTS,
    programs::layouts::TESTS,
    programs::locations::TESTS,
    programs::objects::TESTS,
    programs::parallel::TESTS,
    programs::pipeline_objects::TESTS,
    programs::pipelines::TESTS,
    programs::predefined::TESTS,
    programs::program_uniform_forms::TESTS,
    programs::resources::TESTS,
    programs::spirv::TESTS,
    programs::uniform_forms::TESTS,
    programs::uniforms::TESTS,
    queries::TESTS,
    query_results::TESTS,
    rasterization::TESTS,
    samplers::TESTS,
    shading::atomics::TESTS,
    shading::doubles::TESTS,
    shading::groups::TESTS,
    shading::int64::TESTS,
    shading::outputs::TESTS,
    shading::shader5::TESTS,
    shading::streams::TESTS,
    shading::subroutines::TESTS,
    shading::tessellation::TESTS,
    shared::compute::TESTS,
    shared::counters::TESTS,
    shared::group_sizes::TESTS,
    shared::images::TESTS,
    shared::storage::TESTS,
    syncs::TESTS,
    textures::compressed::TESTS,
    textures::copies::TESTS,
    textures::errors::TESTS,
    textures::fills::TESTS,
    textures::filters::TESTS,
    textures::formats::TESTS,
    textures::mipmaps::TESTS,
    textures::s3tc::TESTS,
    textures::stencils::TESTS,
    textures::storage::TESTS,
    textures::targets::TESTS,
    textures::transfers::TESTS,
    textures::views::TESTS,
    vertices::arrays::TESTS,
    vertices::attributes::TESTS,
    vertices::commands::TESTS,
    vertices::current_values::TESTS,
    vertices::draw_parameters::TESTS,
    vertices::doubles::TESTS,
    vertices::formats::TESTS,
    vertices::indirect::TESTS,
    vertices::primitives::TESTS,
    window_depths::TESTS,
    windows::TESTS,
];

fn main() -> ExitCode {
    gallite_tests::harness::main(ALL)
}
