//! The public face of compile and link: what goes in, what comes out.

use std::sync::Arc;

use crate::front::CompiledUnit;
use crate::reflection::{Reflection, SampledType, ViewDim};
use crate::stage::{Limits, Stage, StageMask};

/// The outcome of compiling one shader object. Cheap to clone and free to share between threads.
#[derive(Clone, Debug)]
pub struct CompiledShader {
    /// Stage compiled for.
    pub stage: Stage,
    /// COMPILE_STATUS.
    pub ok: bool,
    /// The info log, lines of the form `0:LINE(COL): error: TEXT`.
    pub log: String,
    /// The translated unit, present when `ok`.
    pub(crate) unit: Option<Arc<CompiledUnit>>,
}

/// How transform feedback lays captured varyings out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XfbMode {
    /// One buffer (GL_INTERLEAVED_ATTRIBS).
    #[default]
    Interleaved,
    /// One buffer per varying (GL_SEPARATE_ATTRIBS).
    Separate,
}

/// A name bound by `glBindFragDataLocation(Indexed)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FragDataBinding {
    /// Output variable.
    pub name: String,
    /// Colour number.
    pub color: u32,
    /// Source index, 0 or 1.
    pub index: u32,
}

/// Everything `glLinkProgram` looks at.
#[derive(Clone, Debug, Default)]
pub struct LinkInput<'a> {
    /// Attached shaders, in order of attachment; several may share a stage.
    pub shaders: &'a [CompiledShader],
    /// `glBindAttribLocation` pairs.
    pub attribute_bindings: &'a [(String, u32)],
    /// `glBindFragDataLocation(Indexed)` entries.
    pub frag_data_bindings: &'a [FragDataBinding],
    /// `glTransformFeedbackVaryings` names.
    pub xfb_varyings: &'a [String],
    /// `glTransformFeedbackVaryings` mode.
    pub xfb_mode: XfbMode,
    /// PROGRAM_SEPARABLE.
    pub separable: bool,
    /// Limits to check against.
    pub limits: Arc<Limits>,
}

/// Kind of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BindingKind {
    /// Uniform buffer, set 0.
    UniformBuffer = 0,
    /// Combined image sampler, set 1.
    Sampler = 1,
    /// Uniform texel buffer (a `samplerBuffer`), set 1.
    TexelBuffer = 2,
}

/// One descriptor binding of the program. Set 0 holds uniform buffers (binding 0 the default
/// block, `1 + i` block `i`), set 1 samplers by dense index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShaderBinding {
    /// Descriptor kind.
    pub kind: BindingKind,
    /// Descriptor set.
    pub set: u32,
    /// Binding number in the set.
    pub binding: u32,
    /// Array elements (1 when not an array); they also take the dense indices that follow.
    pub count: u32,
    /// Stages that use it.
    pub stages: StageMask,
    /// View kind for samplers.
    pub dim: ViewDim,
    /// Texel type for samplers.
    pub sampled: SampledType,
    /// Depth-comparison sampler.
    pub shadow: bool,
    /// Bytes used of a uniform buffer, 0 for samplers.
    pub size: u32,
}

/// An executable program.
#[derive(Clone, Debug)]
pub struct LinkedProgram {
    /// SPIR-V words of each stage present, in [`Stage`] order.
    pub stages: [Option<Arc<[u32]>>; Stage::COUNT],
    /// Descriptor bindings, ordered by set and binding.
    pub bindings: Vec<ShaderBinding>,
    /// Names, types and facts.
    pub reflection: Reflection,
}

/// The outcome of a link.
#[derive(Clone, Debug)]
pub struct LinkResult {
    /// LINK_STATUS.
    pub ok: bool,
    /// The info log.
    pub log: String,
    /// The executable when `ok`.
    pub program: Option<Arc<LinkedProgram>>,
}
