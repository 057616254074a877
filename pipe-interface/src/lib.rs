//! (crate documentation follows with the code)

pub mod format;
pub use format::*;
