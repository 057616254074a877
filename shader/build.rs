//! Gives the crate an identity, so that a cache made by another build is never read.
//!
//! What decides the outcome of a compile or a link is this crate's code, the interface to drivers, and the front end
//! that the lock file names.

use std::path::{Path, PathBuf};

fn main() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for root in ["src", "Cargo.toml", "../pipe-interface/src", "../Cargo.lock"] {
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
    println!("cargo::rustc-env=GALLITE_SHADER_BUILD={hash:016x}-{profile}");
}

/// Every file under a path. One that is missing, as in a packaged crate, counts for nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.is_file() => files.push(path.to_owned()),
        Err(_) => {}
    }
}
