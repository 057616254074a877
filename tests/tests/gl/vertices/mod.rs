//! Vertices: GL 3.3 core chapter 2.6 to 2.10, and the draw commands of 2.8.3.

pub mod arrays;
pub mod attributes;
pub mod commands;
pub mod current_values;
pub mod doubles;
pub mod draw_parameters;
pub mod formats;
pub mod indirect;
pub mod primitives;
