//! Link options of the shared library.

fn main() {
    // Our gl* and egl* functions call and hand out each other. Without this, a libEGL or libOpenGL that the program
    // loaded first (libglvnd's, say) would be bound in their place, and calls would go round in circles.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Threads may still run our code when the program unloads us.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=build.rs");
}
