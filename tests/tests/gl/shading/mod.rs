//! What OpenGL 4 added to shaders: doubles, tessellation, and the rest of GLSL 4.00 and later.

pub mod atomics;
pub mod doubles;
pub mod groups;
pub mod int64;
pub mod outputs;
pub mod shader5;
pub mod streams;
pub mod subroutines;
pub mod tessellation;
