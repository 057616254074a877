//! Buffer objects: GL 3.3 core 2.9.

pub mod contents;
pub mod mapping;
pub mod multi_bind;
pub mod names;
