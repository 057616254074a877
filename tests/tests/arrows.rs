//! Which crate may depend on which: the table of docs/architecture.md, held against `cargo metadata`.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// What each of our crates may depend on. `gallite` is the one that puts everything together.
const ALLOWED: &[(&str, &[&str])] = &[
    ("gallite-pipe", &[]),
    ("gallite-shader", &["gallite-pipe"]),
    ("gallite-gl", &["gallite-pipe", "gallite-shader"]),
    ("gallite-vulkan", &["gallite-pipe", "gallite-shader"]),
    ("gallite-gles", &["gallite-pipe", "gallite-shader"]),
    ("gallite-noop", &["gallite-pipe"]),
    ("gallite-verify", &["gallite-pipe"]),
    ("gallite-stream", &["gallite-pipe"]),
    ("gallite-winsys", &["gallite-gl", "gallite-pipe"]),
    (
        "gallite",
        &[
            "gallite-gl",
            "gallite-noop",
            "gallite-pipe",
            "gallite-shader",
            "gallite-stream",
            "gallite-verify",
            "gallite-vulkan",
            "gallite-winsys",
        ],
    ),
    // A program like any other: it sees GL through the built library only.
    ("gallite-tests", &[]),
    ("gallite-nullexec", &[]),
    ("gallite-egl-generator", &[]),
    ("xtask", &["gallite-egl-generator"]),
];

/// What unit tests may use besides: a driver that needs no device.
const ALLOWED_IN_TESTS: &[&str] = &["gallite-noop"];

/// One arrow between two of our crates.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrow {
    from: String,
    to: String,
    only_tests: bool,
}

/// The arrows among our own crates in the output of `cargo metadata --no-deps`.
fn arrows(metadata: &Value) -> BTreeSet<Arrow> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let ours: BTreeSet<String> = packages.iter().map(|p| text(&p["name"])).collect();
    let mut found = BTreeSet::new();
    for package in &packages {
        for dependency in list(&package["dependencies"]) {
            let to = text(&dependency["name"]);
            if ours.contains(&to) {
                let only_tests = dependency["kind"] == "dev";
                found.insert(Arrow { from: text(&package["name"]), to, only_tests });
            }
        }
    }
    found
}

/// The arrows that the table does not have.
fn forbidden(arrows: &BTreeSet<Arrow>) -> Vec<&Arrow> {
    let allowed = |arrow: &&Arrow| {
        let row = ALLOWED.iter().find(|(from, _)| *from == arrow.from);
        row.is_some_and(|(_, to)| to.contains(&arrow.to.as_str()))
            || (arrow.only_tests && ALLOWED_IN_TESTS.contains(&arrow.to.as_str()))
    };
    arrows.iter().filter(|arrow| !allowed(arrow)).collect()
}

fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

#[test]
fn every_arrow_is_in_the_table() {
    let found = arrows(&metadata());
    assert!(found.len() > 10, "too few arrows to be the workspace: {found:?}");
    assert!(forbidden(&found).is_empty(), "arrows that are not in the table: {:?}", forbidden(&found));
}

#[test]
fn every_crate_has_a_row() {
    let metadata = metadata();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        assert!(ALLOWED.iter().any(|(from, _)| *from == name), "no row for {name}");
    }
}

/// Negative control: the check is red for an arrow from the state tracker to a driver.
#[test]
fn an_arrow_from_the_tracker_to_a_driver_is_found() {
    let metadata = serde_json::json!({ "packages": [
        { "name": "gallite-gl", "dependencies": [
            { "name": "gallite-vulkan", "kind": null },
            { "name": "gallite-noop", "kind": "dev" },
            { "name": "gallite-pipe", "kind": null },
        ] },
        { "name": "gallite-vulkan", "dependencies": [{ "name": "gallite-gl", "kind": "build" }] },
        { "name": "gallite-noop", "dependencies": [] },
        { "name": "gallite-pipe", "dependencies": [] },
    ] });
    let found = arrows(&metadata);
    let named: Vec<_> = forbidden(&found).iter().map(|a| (a.from.as_str(), a.to.as_str())).collect();
    assert_eq!(named, [("gallite-gl", "gallite-vulkan"), ("gallite-vulkan", "gallite-gl")]);
}
