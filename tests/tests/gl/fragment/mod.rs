//! Per-fragment operations: GL 3.3 core 4.1, each against a model of it written here.

pub mod blending;
pub mod logic_op;
pub mod tests;
