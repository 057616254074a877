//! What went wrong in systems of this shape, each as a test: the numbers are those of the project's list of lessons.

pub mod coverage;
pub mod lifetime;
pub mod limits;
pub mod passes;
pub mod sizes;
pub mod work;
