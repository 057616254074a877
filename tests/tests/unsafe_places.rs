//! Where the library's sources may hold `unsafe`: the list of docs/architecture.md.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of the crates that the library is built of.
const CRATES: [&str; 8] = [
    "pipe-interface/src",
    "shader/src",
    "state-tracker/src",
    "drivers/noop/src",
    "drivers/stream/src",
    "drivers/verify/src",
    "drivers/vulkan/src",
    "winsys",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files and folders that the section lists, the latter with a slash at the end.
fn listed(document: &str) -> BTreeSet<String> {
    let section = document.split("\n## ").find(|part| part.starts_with("Where unsafe code is")).expect("the section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let places = rows.flat_map(|row| row.split(" |").next().unwrap_or_default().split(", "));
    places.map(|place| place.trim_matches('`').to_owned()).collect()
}

/// Whether a source has unsafe code; words in comments and lints don't count.
fn has_unsafe(source: &str) -> bool {
    source.lines().map(str::trim_start).any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        ["unsafe {", "unsafe fn", "unsafe extern", "unsafe impl", "#[unsafe("].iter().any(|word| code.contains(word))
    })
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        // Tests and the generator are programs of their own and no part of the library.
        let library = !path.ends_with("winsys/generator") && !path.ends_with("tests");
        if path.is_dir() && library {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Files with unsafe code, from the root of the workspace.
fn unsafe_files() -> BTreeSet<String> {
    let root = root();
    let mut found = Vec::new();
    CRATES.iter().for_each(|folder| sources(&root.join(folder), &mut found));
    let with = found.into_iter().filter(|path| has_unsafe(&std::fs::read_to_string(path).expect("a source")));
    with.map(|path| path.strip_prefix(&root).expect("within").to_string_lossy().into_owned()).collect()
}

fn covers(place: &str, file: &str) -> bool {
    if place.ends_with('/') { file.starts_with(place) } else { file == place }
}

#[test]
fn unsafe_code_is_where_the_list_says() {
    let listed = listed(&std::fs::read_to_string(root().join("docs/architecture.md")).expect("the document"));
    let files = unsafe_files();
    let strangers: Vec<_> = files.iter().filter(|file| !listed.iter().any(|place| covers(place, file))).collect();
    assert!(strangers.is_empty(), "unsafe code outside of the list: {strangers:?}");
    let idle: Vec<_> = listed.iter().filter(|place| !files.iter().any(|file| covers(place, file))).collect();
    assert!(idle.is_empty(), "listed, and without unsafe code: {idle:?}");
}

/// Negative control.
#[test]
fn a_block_is_found_and_a_comment_is_not() {
    assert!(has_unsafe("let x = unsafe { f() };"));
    assert!(has_unsafe("    unsafe impl Send for T {}"));
    assert!(!has_unsafe("#![deny(unsafe_code)]\n// unsafe { f() }"));
    assert_eq!(
        listed("# A\n\n## Where unsafe code is\n\n| `a/b.rs`, `c/` | why |\n\n## B\n| `d` | |"),
        ["a/b.rs", "c/"].map(String::from).into()
    );
}
