//! One function per EGL command, named as the command without its prefix; the generated entry points call them.
#![allow(non_snake_case)]

mod configs;
mod contexts;
mod debug;
mod devices;
mod displays;
mod images;
mod procs;
mod surfaces;
mod swap;
mod syncs;

pub use configs::*;
pub use contexts::*;
pub use debug::*;
pub use devices::*;
pub use displays::*;
pub use images::*;
pub use procs::*;
pub use surfaces::*;
pub use swap::*;
pub use syncs::*;
