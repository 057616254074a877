//! Gives the crate an identity, so that a cache made by another build is never read.
//!
//! What decides the outcome of a compile or a link is this crate's code, the interface to drivers, and the front end
//! that the lock file names.

mod build_identity;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build_identity.rs");
    let identity = build_identity::identity(&["src", "Cargo.toml", "../pipe-interface/src", "../Cargo.lock"]);
    println!("cargo::rustc-env=GALLITE_SHADER_BUILD={identity}");
}
