//! GLSL in, SPIR-V and reflection out.
//!
//! This crate owns everything between the text a program hands to `glShaderSource` and the SPIR-V
//! a driver consumes: version and extension handling, translation through glslang, the link rules
//! of the GL specification, reflection, and the SPIR-V passes drivers apply afterwards.
//!
//! It must not know GL objects, contexts, or any driver. GL enums appear only as plain numbers in
//! [`reflection`] (see [`gl_type`]).
//!
//! Begin reading at [`program`] for the types that cross the boundary, then [`compile`] and [`link()`]; [`ShaderCache`]
//! is both with a memory, [`pool`] the threads they run on.

#![deny(unsafe_code)]

pub mod binary;
pub mod cache;
pub mod gl_type;
pub mod includes;
pub mod pool;
pub mod program;
pub mod reflection;
pub mod stage;
pub mod state_uniform;

mod front;
mod link;
pub mod passes;
mod spirv;
mod spirv_binary;

pub use cache::ShaderCache;
pub use front::compile;
pub use includes::Includes;
pub use link::link;
pub use program::{
    CompiledShader, DepthMode, FragDataBinding, LegacyState, LinkInput, LinkResult, LinkedProgram, XfbMode,
    space_prefix,
};
pub use reflection::Reflection;
pub use spirv_binary::{SpirvModule, specialize, spirv_extensions};
pub use stage::{CompileOptions, Limits, Profile, Stage, StageMask};
