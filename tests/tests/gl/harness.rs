//! Tests of the harness itself: the gates must have been seen red.

use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    gate bare(): negative_control_of_the_validation_gate;
    every core(3, 3): lane_proof;
}

/// Prints what a validation layer would print; the runner demands that its gate fires.
fn negative_control_of_the_validation_gate(_: &Env) {
    eprintln!("Validation Error: [ VUID-gallite-tests-negative-control ] not a real message");
}

/// The renderer string names the driver stack of the lane and no other (lesson 29).
fn lane_proof(env: &Env) {
    let renderer = gallite_tests::draw::get_string(gallite_tests::gl::RENDERER);
    println!("lane {} on {renderer}", env.lane.name);
    env.lane.prove(&renderer).expect("lane");
}
