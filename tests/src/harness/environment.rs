//! The one place of this crate that reads the environment (besides the library path in `egl`).

use std::time::Duration;

/// Lanes asked for by `GALLITE_TEST_LANES` (comma separated), if any.
pub fn lanes() -> Option<Vec<String>> {
    let list = std::env::var("GALLITE_TEST_LANES").ok()?;
    Some(list.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect())
}

/// The one driver asked for by `GALLITE_DRIVER`, if any.
pub fn driver() -> Option<String> {
    std::env::var("GALLITE_DRIVER").ok()
}

/// Lane of this process, set by the parent in its children.
pub fn child_lane() -> Option<String> {
    std::env::var("GALLITE_TEST_CHILD").ok()
}

/// Whether this process was started to end while it draws (`GALLITE_TEST_ENDING`, set by a test in its children).
pub fn is_ending_child() -> bool {
    std::env::var_os("GALLITE_TEST_ENDING").is_some()
}

/// How long one test may take (`GALLITE_TEST_TIMEOUT`, seconds).
pub fn timeout() -> Duration {
    let seconds = std::env::var("GALLITE_TEST_TIMEOUT").ok().and_then(|s| s.parse().ok());
    Duration::from_secs(seconds.unwrap_or(240))
}

/// Whether debug messages of the GL are printed (`GALLITE_TEST_DEBUG`).
pub fn debug_output() -> bool {
    std::env::var_os("GALLITE_TEST_DEBUG").is_some()
}

/// Whether the validation layer stays off (`GALLITE_TEST_NO_VALIDATION`), for timing a lane.
pub fn no_validation() -> bool {
    std::env::var_os("GALLITE_TEST_NO_VALIDATION").is_some()
}

/// Whether tests that cannot run for lack of this fail (`GALLITE_TEST_REQUIRE`, comma separated) and are not skipped.
pub fn requires(what: &str) -> bool {
    std::env::var("GALLITE_TEST_REQUIRE").is_ok_and(|list| list.split(',').any(|name| name == what))
}

/// Text that the renderer string of a foreign library must contain (`GALLITE_TEST_RENDERER`).
pub fn expected_renderer() -> Option<String> {
    std::env::var("GALLITE_TEST_RENDERER").ok()
}
