//! Shaders and programs: GL 3.3 core 2.11, 2.14, 3.9 and GLSL 3.30.

pub mod binaries;
pub mod blocks;
pub mod es;
pub mod extensions;
pub mod includes;
pub mod language;
pub mod layouts;
pub mod locations;
pub mod objects;
pub mod parallel;
pub mod pipeline_objects;
pub mod pipelines;
pub mod predefined;
pub mod program_uniform_forms;
pub mod resources;
pub mod spirv;
pub mod uniform_forms;
pub mod uniforms;
