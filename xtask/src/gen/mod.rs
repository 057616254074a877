//! `cargo xtask gen [--check]`: writes the state tracker's entry points, names and constants from the registry,
//! `docs/missing.md`, and EGL's entry points and constants. With `--check` it writes nothing and fails where a file differs.

use std::fs;
use std::path::Path;

mod registry;
mod scan;
mod write;

/// Runs the generator in the workspace at `root`.
pub fn run(root: &Path, check: bool) -> Result<(), String> {
    let tracker = root.join("state-tracker");
    let xml_path = tracker.join("registry/gl.xml");
    let xml = fs::read_to_string(&xml_path).map_err(|e| format!("{}: {e}", xml_path.display()))?;
    let registry = registry::Registry::parse(&xml)?;
    let found = scan::scan(&tracker.join("src/commands"))?;
    let plan = write::Plan::new(&registry, &found)?;
    let generated = tracker.join("src/generated");
    let mut files = vec![
        (generated.join("enums.rs"), write::enums(&registry)),
        (generated.join("entry_points.rs"), write::entry_points(&registry, &plan)),
        (generated.join("names.rs"), write::names(&registry)),
        (root.join("docs/missing.md"), write::missing(&registry, &plan)),
    ];
    let egl = root.join(gallite_egl_generator::OUTPUT_FOLDER);
    files.extend(gallite_egl_generator::files()?.into_iter().map(|file| (egl.join(file.name), file.text)));
    let mut stale = Vec::new();
    for (path, text) in files {
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            stale.push(path.display().to_string());
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if !stale.is_empty() {
        return Err(format!("stale, run `cargo xtask gen`: {}", stale.join(", ")));
    }
    let (working, all) = plan.counts();
    println!("gen: {working} of {all} entry points implemented");
    Ok(())
}
