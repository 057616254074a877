//! What a build of a crate is told apart by, so that a cache which another build left is never read. Build scripts share it.

use std::path::{Path, PathBuf};

/// A hash of all files under some paths, and how far the build is optimised. Cargo runs the script again when one changes.
pub fn identity(roots: &[&str]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for root in roots {
        println!("cargo::rerun-if-changed={root}");
        let mut files = Vec::new();
        collect(Path::new(root), &mut files);
        files.sort();
        for file in files {
            let name = file.to_string_lossy().into_owned();
            for byte in name.bytes().chain(std::fs::read(&file).unwrap_or_default()) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let profile = std::env::var("OPT_LEVEL").unwrap_or_default();
    format!("{hash:016x}-{profile}")
}

/// Every file under a path. One that is missing, as in a packaged crate, counts for nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.is_file() => files.push(path.to_owned()),
        Err(_) => {}
    }
}
