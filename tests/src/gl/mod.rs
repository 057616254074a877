//! GL as a C program sees it: commands and tokens, loaded through `eglGetProcAddress`.

pub mod arb;
mod constants;
mod functions;
pub mod legacy;
mod loader;
mod types;

pub use constants::*;
pub use functions::*;
pub use loader::{Argument, ArgumentSource};
pub use types::{GLDEBUGPROC, GLsync};
