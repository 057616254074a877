//! Entry points: every command of the registry has an address of its own and may be called at any time.

use gallite_tests::draw::{expect_no_error, get_i32};
use gallite_tests::egl;
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, skip};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

gl_tests! {
    noop core(3, 3): every_registry_command_has_its_own_address, addresses_agree_with_the_exported_symbols,
        nothing_happens_without_a_context, unknown_names_have_no_address, every_command_is_called_by_a_test;
}

/// The registry, as text.
fn registry_text() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../state-tracker/registry/gl.xml");
    std::fs::read_to_string(path).expect("gl.xml")
}

/// Names of all commands of the registry.
fn registry() -> Vec<String> {
    let text = registry_text();
    let begin = text.find("<commands namespace=\"GL\">").expect("commands");
    let mut names: Vec<String> = text[begin..]
        .split("<proto")
        .skip(1)
        .filter_map(|proto| Some(proto.split_once("<name>")?.1.split_once("</name>")?.0.to_owned()))
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 3000, "{} commands", names.len());
    names
}

/// The commands of the registry that belong to some version of desktop OpenGL, or to an extension for it.
fn desktop_commands() -> BTreeSet<String> {
    let text = registry_text();
    let parts = |element: &str| -> Vec<String> {
        let (begin, end) = (format!("<{element} "), format!("</{element}>"));
        text.split(&begin).skip(1).filter_map(|part| Some(part.split_once(&end)?.0.to_owned())).collect()
    };
    let attribute = |part: &str, name: &str| {
        let head = part.split_once('>').map_or("", |(head, _)| head);
        let value = head.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        value.map_or(String::new(), |(value, _)| value.to_owned())
    };
    let features = parts("feature").into_iter().filter(|part| attribute(part, "api") == "gl");
    let extensions = parts("extension")
        .into_iter()
        .filter(|part| attribute(part, "supported").split('|').any(|api| matches!(api, "gl" | "glcore")));
    let commands = |part: String| {
        let names = part.split("<command name=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        names.collect::<Vec<_>>()
    };
    let names: BTreeSet<String> = features.chain(extensions).flat_map(commands).collect();
    assert!(names.len() > 2500 && names.contains("glDrawArrays") && names.contains("glBegin"), "{}", names.len());
    names
}

fn own_library(env: &Env) {
    if env.lane.is_system() {
        skip("what other libraries export is theirs");
    }
}

fn every_registry_command_has_its_own_address(env: &Env) {
    own_library(env);
    let mut owners: HashMap<usize, String> = HashMap::new();
    let desktop = desktop_commands();
    for name in registry() {
        let address = egl::get_proc_address(&name);
        if address.is_null() {
            // Only commands of OpenGL ES and of OpenGL SC have no place in a desktop context.
            assert!(!desktop.contains(&name), "{name} has no address");
            continue;
        }
        if let Some(other) = owners.insert(address as usize, name.clone()) {
            panic!("{name} and {other} have one address");
        }
    }
    for name in gl::NAMES {
        assert!(owners.values().any(|owner| owner.strip_prefix("gl") == Some(name)), "gl{name}");
    }
}

fn addresses_agree_with_the_exported_symbols(env: &Env) {
    own_library(env);
    // SAFETY: the library is loaded already; nothing is called through it here.
    let library = unsafe { libloading::Library::new(egl::opened_path()) }.expect("the library");
    for name in gl::NAMES {
        let name = format!("gl{name}");
        // SAFETY: only the address is taken, while the library is loaded.
        let address = unsafe {
            let symbol = library.get::<*const ()>(name.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
            symbol.try_as_raw_ptr().expect("an address")
        };
        assert_eq!(address as usize, egl::get_proc_address(&name) as usize, "{name}");
    }
}

/// EGL 1.5 3.7.3: commands without a current context do nothing; a function returns zero.
fn nothing_happens_without_a_context(env: &Env) {
    own_library(env);
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        skip(
            "functions are called with arguments that they don't take, which this platform's convention may not allow",
        );
    }
    let major = get_i32(gl::MAJOR_VERSION);
    let none = egl::NONE_HANDLE;
    assert_eq!(egl::MakeCurrent(env.display, none, none, none), egl::TRUE);
    for name in registry() {
        let address = egl::get_proc_address(&name);
        if address.is_null() {
            continue;
        }
        type Any = extern "C" fn(usize, usize, usize, usize, usize, usize, usize, usize, usize, usize) -> usize;
        // SAFETY: System V x86-64: the caller removes the arguments, so a function may be given more than it takes.
        // Without a context it reads none of them.
        let command: Any = unsafe { std::mem::transmute(address) };
        command(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    env.make_current(env.context);
    expect_no_error("the context was not touched");
    assert_eq!(get_i32(gl::MAJOR_VERSION), major);
}

fn unknown_names_have_no_address(env: &Env) {
    own_library(env);
    for name in ["glNoSuchCommand", "gl", "", "eglNoSuchCommand", "printf", "glBindBuffer "] {
        assert!(egl::get_proc_address(name).is_null(), "{name}");
    }
}

/// Names in `text` that stand in quotes after `key`.
fn quoted<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    text.split(key).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0))
}

/// Commands of the core profile up to OpenGL 4.6, without their prefix.
fn core_commands() -> BTreeSet<String> {
    let text = registry_text();
    let mut names = BTreeSet::new();
    for feature in text.split("<feature ").skip(1).filter(|feature| feature.starts_with("api=\"gl\"")) {
        if quoted(feature, "number=\"").next().is_none_or(|number| number > "4.6") {
            continue;
        }
        let feature = feature.split_once("</feature>").map_or(feature, |(inside, _)| inside);
        for part in feature.split("<require").skip(1) {
            let (inside, removed) = part.split_once("<remove").unwrap_or((part, ""));
            if !inside.starts_with(" profile=\"compatibility\"") {
                names.extend(quoted(inside, "<command name=\"gl").map(str::to_owned));
            }
            for name in quoted(removed, "<command name=\"gl") {
                names.remove(name);
            }
        }
    }
    assert_eq!(names.len(), 657, "commands of OpenGL 4.6");
    names
}

/// Adds what follows `gl::`, the prefix of a quoted name or a macro that calls, in the sources below `folder`, but for comments
/// and for the fuzzers, which call everything.
fn calls_below(folder: &Path, calls: &mut HashSet<String>) {
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            if !path.ends_with("fuzz") {
                calls_below(&path, calls);
            }
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("source");
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let names = ["gl::", "\"gl", "create!("].into_iter().flat_map(|before| line.split(before).skip(1));
            calls.extend(names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()));
        }
    }
}

/// What no test of this suite names is not known to work.
fn every_command_is_called_by_a_test(_: &Env) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut calls = HashSet::new();
    calls_below(&root.join("tests/gl"), &mut calls);
    calls_below(&root.join("src/draw"), &mut calls);
    assert!(!calls.contains("ClearNothing") && calls.contains("Clear"));
    let silent: Vec<String> = core_commands().into_iter().filter(|name| !calls.contains(name)).collect();
    assert!(silent.is_empty(), "no test calls {silent:?}");
}
