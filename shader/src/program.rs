//! The public face of compile and link: what goes in, what comes out.

use std::sync::Arc;

use crate::front::ShaderUnit;
use serde::{Deserialize, Serialize};

use gallite_pipe::{PrimitiveClass, ShaderBinding, ShaderDesc, ShaderFlags, StageCode};

use crate::gl_type::{Scalar, Shape};
use crate::link::types::location_bits;
use crate::reflection::Reflection;
use crate::stage::{Limits, Stage};

/// The outcome of compiling one shader object. Cheap to clone and free to share between threads.
#[derive(Clone, Debug)]
pub struct CompiledShader {
    /// Stage compiled for.
    pub stage: Stage,
    /// COMPILE_STATUS.
    pub ok: bool,
    /// The info log, lines of the form `0:LINE(COL): error: TEXT`.
    pub log: String,
    /// What a link needs of it, present when `ok`.
    pub(crate) unit: Option<Arc<ShaderUnit>>,
}

impl CompiledShader {
    /// Whether it is a module of SPIR-V.
    pub fn is_module(&self) -> bool {
        self.unit.as_ref().is_some_and(|unit| unit.is_module())
    }

    /// A compile that failed.
    pub fn failed(stage: Stage, log: impl Into<String>) -> Self {
        Self { stage, ok: false, log: log.into(), unit: None }
    }
}

/// How transform feedback lays captured varyings out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum XfbMode {
    /// One buffer (GL_INTERLEAVED_ATTRIBS).
    #[default]
    Interleaved,
    /// One buffer per varying (GL_SEPARATE_ATTRIBS).
    Separate,
}

/// A name bound by `glBindFragDataLocation(Indexed)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FragDataBinding {
    /// Output variable.
    pub name: String,
    /// Colour number.
    pub color: u32,
    /// Source index, 0 or 1.
    pub index: u32,
}

/// State of the compatibility profile that changes a program's code. The default is that of the core profile: none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LegacyState {
    /// Fragments of back faces take the back colours.
    pub two_sided: bool,
    /// Colours are not interpolated.
    pub flat: bool,
    /// Vertex colours are clamped to [0, 1].
    pub clamp_vertex_color: bool,
    /// The comparison of the alpha test as its GL code minus `GL_NEVER` plus 1; 0 without a test.
    pub alpha_func: u8,
    /// Enabled user clip planes, one bit each.
    pub clip_planes: u8,
    /// Sets of texture coordinates that the position in a point replaces, one bit each.
    pub point_sprites: u8,
    /// What a comparison of four components yields: GL_DEPTH_TEXTURE_MODE.
    pub depth_mode: DepthMode,
}

/// How the result `r` of a depth comparison becomes four components (GL 4.6 compatibility table 8.24).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DepthMode {
    /// (r, r, r, r), as an intensity.
    #[default]
    Intensity,
    /// (r, r, r, 1).
    Luminance,
    /// (0, 0, 0, r).
    Alpha,
    /// (r, 0, 0, 1).
    Red,
}

/// What names of a pipeline's uniforms and blocks begin with: the number of the program that they are of.
pub fn space_prefix(space: u8) -> String {
    format!("{space}:")
}

/// Everything `glLinkProgram` looks at.
#[derive(Clone, Debug, Default)]
pub struct LinkInput<'a> {
    /// Attached shaders, in order of attachment; several may share a stage.
    pub shaders: &'a [CompiledShader],
    /// Of a pipeline of several programs, the number of the program that each shader is of; empty for one program.
    /// Uniforms, buffer blocks and counters of different programs are strangers, and their names in the reflection
    /// begin with [`space_prefix`].
    pub spaces: &'a [u8],
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
    /// Some stages stand for fixed function: rules for stages that a program brings together don't hold between
    /// those and its own.
    pub completed: bool,
    /// Limits to check against.
    pub limits: Arc<Limits>,
    /// State of the compatibility profile that the code depends on; the default in the core profile.
    pub legacy: LegacyState,
    /// Whether the code keeps the source's names, for those who look at it. Nothing else needs them: the reflection has its own.
    pub named: bool,
}

/// An executable program. Its serialised form is the archive that caches keep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinkedProgram {
    /// SPIR-V words of each stage present, in [`Stage`] order.
    pub stages: [Option<Arc<[u32]>>; Stage::COUNT],
    /// Descriptor bindings, ordered by set and binding.
    #[serde(with = "crate::cache::pod")]
    pub bindings: Vec<ShaderBinding>,
    /// Names, types and facts.
    pub reflection: Reflection,
}

impl LinkedProgram {
    /// What `Screen::create_shader` takes: the description and all stages' words in one run.
    pub fn shader_desc(&self) -> (ShaderDesc, Vec<u32>) {
        let r = &self.reflection;
        let mut words = Vec::new();
        let mut desc = ShaderDesc {
            flags: self.shader_flags(),
            vertex_inputs: r.attribute_mask,
            fragment_outputs: r.flags.color_outputs,
            default_block_size: r.default_block_size,
            clip_distances: r.flags.clip_distances,
            output_primitive: match r.geometry.map(|g| g.output).or(r.tessellation.map(|t| t.output())) {
                None => PrimitiveClass::NONE,
                Some(0) => PrimitiveClass::POINTS,
                Some(1 | 3) => PrimitiveClass::LINES,
                Some(_) => PrimitiveClass::TRIANGLES,
            },
            xfb_strides: r.xfb_strides,
            group_size: r.compute.map_or([0; 3], |c| c.group_size),
            ..bytemuck::Zeroable::zeroed()
        };
        for (slot, stage) in desc.stages.iter_mut().zip(&self.stages) {
            if let Some(code) = stage {
                *slot = StageCode { offset: words.len() as u32, count: code.len() as u32 };
                words.extend_from_slice(code);
            }
        }
        for a in r.attributes.iter().filter(|a| a.location >= 0) {
            let bits = location_bits(a.location as u32, a.slots) as u32;
            match Shape::of(a.ty).map(|s| s.scalar) {
                Some(Scalar::Int) => desc.vertex_inputs_sint |= bits,
                Some(Scalar::Uint) => desc.vertex_inputs_uint |= bits,
                _ => {}
            }
        }
        for o in r.outputs.iter().filter(|o| o.location >= 0) {
            let bits = location_bits(o.location as u32, o.array_size) as u32;
            match Shape::of(o.ty).map(|s| s.scalar) {
                Some(Scalar::Int) => desc.fragment_outputs_sint |= bits,
                Some(Scalar::Uint) => desc.fragment_outputs_uint |= bits,
                _ => {}
            }
        }
        for half in &r.double_halves {
            desc.vertex_inputs_uint |= 1 << half.location;
        }
        (desc, words)
    }

    fn shader_flags(&self) -> ShaderFlags {
        let f = &self.reflection.flags;
        let table = [
            (f.writes_point_size, ShaderFlags::WRITES_POINT_SIZE),
            (f.uses_frag_coord, ShaderFlags::READS_FRAG_COORD),
            (f.uses_point_coord, ShaderFlags::READS_POINT_COORD),
            (f.uses_derivatives, ShaderFlags::USES_DERIVATIVES),
            (f.sample_shading, ShaderFlags::SAMPLE_SHADING),
            (f.writes_depth, ShaderFlags::WRITES_DEPTH),
            (f.uses_discard, ShaderFlags::DISCARDS),
            (f.writes_layer, ShaderFlags::WRITES_LAYER),
            (f.writes_viewport, ShaderFlags::WRITES_VIEWPORT),
            (f.dual_source, ShaderFlags::DUAL_SOURCE),
            (!self.reflection.xfb.is_empty(), ShaderFlags::TRANSFORM_FEEDBACK),
            (f.origin_upper_left, ShaderFlags::FRAG_COORD_UPPER_LEFT),
            (f.stores, ShaderFlags::STORES),
            (f.uses_instance_id, ShaderFlags::READS_INSTANCE_INDEX),
            (f.uses_draw_parameters, ShaderFlags::READS_DRAW_PARAMETERS),
            (f.early_fragment_tests, ShaderFlags::EARLY_TESTS),
            (f.reads_sample_position, ShaderFlags::READS_SAMPLE_POSITION),
            (f.frag_color_broadcast, ShaderFlags::BROADCASTS_COLOR),
            (f.large_default_block, ShaderFlags::LARGE_DEFAULT_BLOCK),
        ];
        table.into_iter().filter(|(on, _)| *on).fold(ShaderFlags(0), |all, (_, bit)| ShaderFlags(all.0 | bit.0))
    }
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
