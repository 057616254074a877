//! A linked program as draws use it: the driver's shader, the uniforms' values, the binding tables.
//!
//! Values are atomics written and read with relaxed ordering, so that neither glUniform* nor a draw locks. GL leaves
//! concurrent change of one program from two contexts to the program's own synchronisation (GL 4.6 core 5.3).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use gallite_pipe::{Access, BindPoint, ShaderDesc, ShaderId, TextureDim};
use gallite_shader::binary::Inputs;
use gallite_shader::gl_type::Shape;
use gallite_shader::reflection::{Reflection, SampledType, UniformLocation, ViewDim};
use gallite_shader::state_uniform::StateUniformSlot;
use gallite_shader::{
    CompiledShader, FragDataBinding, LegacyState, Limits, LinkInput, LinkResult, LinkedProgram, Stage, XfbMode,
    space_prefix,
};

use crate::device::Device;
use crate::objects::uniform_values::Values;
use crate::objects::vertex_array::{Half, VertexInputs};
use crate::state::vertex::CONVENTIONAL;

/// Where the values of one uniform location are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UniformSlot {
    /// A uniform that is declared and not active is there: writes are ignored.
    Unused,
    /// Between the locations of uniforms, and nobody's.
    None,
    /// A value in the default block.
    Value(ValueSlot),
    /// A sampler; its value is the texture unit at a dense index.
    Sampler {
        /// Dense index of this element.
        dense: u32,
        /// Elements from this one to the end of the array.
        remaining: u32,
        /// Whether it was declared as an array.
        is_array: bool,
    },
    /// An image; its value is the image unit at a dense index.
    Image {
        /// Dense index of this element.
        dense: u32,
        /// Elements from this one to the end of the array.
        remaining: u32,
        /// Whether it was declared as an array.
        is_array: bool,
    },
}

/// A location of the default block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueSlot {
    /// Shape of one element.
    pub shape: Shape,
    /// First word of this element.
    pub word: u32,
    /// Words between elements.
    pub array_stride: u32,
    /// Words between columns.
    pub column_stride: u32,
    /// Elements from this one to the end of the array.
    pub remaining: u32,
    /// Whether it was declared as an array.
    pub is_array: bool,
}

/// What a dense sampler index expects to find at its texture unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplerExpectation {
    /// Dimensionality.
    pub dim: TextureDim,
    /// Whether the texture is multisampled.
    pub multisample: bool,
    /// What a lookup yields.
    pub sampled: SampledType,
    /// Whether a reference is compared.
    pub shadow: bool,
}

/// What a dense image index expects to find at its image unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageExpectation {
    /// Dimensionality.
    pub dim: TextureDim,
    /// Whether the texture is multisampled.
    pub multisample: bool,
    /// GL internal format of the layout qualifier; 0 without one.
    pub format: u32,
    /// What the program does with it.
    pub access: Access,
}

/// The outcome of a successful link.
pub struct Executable {
    device: Arc<Device>,
    /// The driver's shader.
    pub shader: ShaderId,
    /// What the driver was told about it.
    pub desc: ShaderDesc,
    /// Reflection and code.
    pub linked: Arc<LinkedProgram>,
    slots: Box<[UniformSlot]>,
    values: Values,
    units: Box<[AtomicU32]>,
    /// A texture unit that samplers of different types use, or [`NO_CONFLICT`].
    conflict: AtomicU32,
    block_bindings: Box<[AtomicU32]>,
    image_units: Box<[AtomicU32]>,
    storage_bindings: Box<[AtomicU32]>,
    /// Entries of the table of storage buffers that the program writes, a bit each.
    pub storage_writable: u64,
    /// What each dense image index expects.
    pub images: Box<[ImageExpectation]>,
    /// What each dense sampler index expects.
    pub samplers: Box<[SamplerExpectation]>,
    /// Built-in state in the default block.
    pub state_slots: Box<[StateUniformSlot]>,
    /// Inputs of the vertex stage.
    pub vertex_inputs: VertexInputs,
    /// What the program was linked from, in the compatibility profile: other state may ask for other code.
    pub recipe: Option<Arc<Recipe>>,
    /// The executables whose uniforms this one follows: that of the same program for other state, or those of the programs
    /// of a pipeline.
    pub follows: Box<[Follows]>,
    /// Captures of transform feedback that have begun with it, of any context.
    captures: AtomicU32,
    /// Whether its program has another one now, or is no more.
    retired: AtomicBool,
}

/// A capture of transform feedback that has begun, with the executable of the program that says what is captured.
#[derive(Debug)]
pub struct Capture(Arc<Executable>);

impl Capture {
    /// Begins one.
    pub fn of(executable: &Arc<Executable>) -> Self {
        let capturing = executable.capturing();
        capturing.captures.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(capturing))
    }

    /// Whether draws with an executable continue it: the other stages may be of other programs.
    pub fn goes_on_with(&self, executable: &Arc<Executable>) -> bool {
        Arc::ptr_eq(&self.0, executable.capturing())
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.0.captures.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Everything a program was linked from.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct Recipe {
    pub shaders: Vec<CompiledShader>,
    /// Numbers of the programs of a pipeline that the shaders are of.
    pub spaces: Vec<u8>,
    pub attribute_bindings: Vec<(String, u32)>,
    pub frag_data_bindings: Vec<FragDataBinding>,
    pub xfb_varyings: Vec<String>,
    pub xfb_mode: XfbMode,
    pub separable: bool,
    /// With stages that stand for fixed function.
    pub completed: bool,
    pub limits: Arc<Limits>,
}

impl Recipe {
    /// Nothing yet.
    pub fn new(limits: Arc<Limits>) -> Self {
        Self {
            shaders: Vec::new(),
            spaces: Vec::new(),
            attribute_bindings: Vec::new(),
            frag_data_bindings: Vec::new(),
            xfb_varyings: Vec::new(),
            xfb_mode: XfbMode::Interleaved,
            separable: false,
            completed: false,
            limits,
        }
    }

    /// What a binary brought.
    pub fn of(inputs: Inputs, limits: Arc<Limits>) -> Self {
        let Inputs { shaders, attribute_bindings, frag_data_bindings, xfb_varyings, xfb_mode, separable } = inputs;
        let new = Self::new(limits);
        Self { shaders, attribute_bindings, frag_data_bindings, xfb_varyings, xfb_mode, separable, ..new }
    }

    /// What the linker looks at, for some state.
    pub fn input(&self, legacy: LegacyState) -> LinkInput<'_> {
        LinkInput {
            shaders: &self.shaders,
            spaces: &self.spaces,
            attribute_bindings: &self.attribute_bindings,
            frag_data_bindings: &self.frag_data_bindings,
            xfb_varyings: &self.xfb_varyings,
            xfb_mode: self.xfb_mode,
            separable: self.separable,
            completed: self.completed,
            limits: Arc::clone(&self.limits),
            legacy,
            named: false,
        }
    }

    /// Links it for some state.
    pub fn link(&self, device: &Device, legacy: LegacyState) -> LinkResult {
        device.shaders.link(&LinkInput { named: device.named_code, ..self.input(legacy) })
    }
}

/// Where the values of another executable go in this one.
pub struct Follows {
    /// The other one.
    pub base: Arc<Executable>,
    /// First word there, first word here, number.
    words: Box<[(u32, u32, u32)]>,
    /// Dense sampler index there and here.
    units: Box<[(u32, u32)]>,
    /// Dense image index there and here.
    images: Box<[(u32, u32)]>,
    /// Uniform block there and here.
    blocks: Box<[(u32, u32)]>,
    /// Storage block there and here.
    storage: Box<[(u32, u32)]>,
}

/// Positions of the same names in two lists, where those of the second begin with a prefix.
fn same_names<'a>(
    from: impl Iterator<Item = &'a str>,
    to: impl Iterator<Item = &'a str>,
    prefix: &str,
) -> Box<[(u32, u32)]> {
    let places: HashMap<&str, u32> =
        to.zip(0..).filter_map(|(name, i)| Some((name.strip_prefix(prefix)?, i))).collect();
    from.zip(0..).filter_map(|(name, i)| Some((i, *places.get(name)?))).collect()
}

impl Follows {
    /// Matches uniforms and blocks by name; those of a pipeline's program have the prefix of its number here.
    fn new(base: &Arc<Executable>, own: &Reflection, prefix: &str) -> Self {
        let (mut words, mut units, mut images) = (Vec::new(), Vec::new(), Vec::new());
        let there = base.reflection();
        fn names(r: &Reflection) -> impl Iterator<Item = &str> {
            r.uniforms.iter().map(|u| u.name.as_str())
        }
        fn blocks(r: &Reflection) -> impl Iterator<Item = &str> {
            r.blocks.iter().map(|b| b.name.as_str())
        }
        fn storage(r: &Reflection) -> impl Iterator<Item = &str> {
            r.storage_blocks.iter().map(|b| b.name.as_str())
        }
        let pairs = same_names(names(there), names(own), prefix);
        for (from, to) in pairs.iter().map(|(a, b)| (&there.uniforms[*a as usize], &own.uniforms[*b as usize])) {
            if let (Some(a), Some(b)) = (&from.sampler, &to.sampler) {
                units.extend((0..from.array_size.min(to.array_size)).map(|i| (a.dense + i, b.dense + i)));
            } else if let (Some(a), Some(b)) = (&from.image, &to.image) {
                images.extend((0..from.array_size.min(to.array_size)).map(|i| (a.dense + i, b.dense + i)));
            } else if from.default_offset != u32::MAX && to.default_offset != u32::MAX {
                let shape = Shape::of(from.ty);
                let columns = shape.map_or(1, |s| u32::from(s.columns));
                let one =
                    if columns > 1 { columns * from.default_matrix_stride / 4 } else { shape.map_or(1, Shape::words) };
                let count = from.array_size.min(to.array_size);
                let all = (count - 1) * from.default_array_stride / 4 + one;
                words.push((from.default_offset / 4, to.default_offset / 4, all));
            }
        }
        for stage in &there.subroutines {
            let Some(here) = own.subroutines.iter().find(|s| s.stage == stage.stage) else { continue };
            for (from, to) in stage.uniforms.iter().zip(&here.uniforms) {
                let all = (from.array_size - 1) * from.stride / 4 + 1;
                words.push((from.offset / 4, to.offset / 4, all));
            }
        }
        Self {
            base: Arc::clone(base),
            words: words.into(),
            units: units.into(),
            images: images.into(),
            blocks: same_names(blocks(there), blocks(own), prefix),
            storage: same_names(storage(there), storage(own), prefix),
        }
    }
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executable").field("shader", &self.shader).finish_non_exhaustive()
    }
}

/// Stages before rasterization, the last first. GL 4.6 core 11.1.2.1: the first one that is there says what is captured.
const CAPTURING: [Stage; 3] = [Stage::Geometry, Stage::TessEvaluation, Stage::Vertex];

/// No texture unit has this number.
const NO_CONFLICT: u32 = u32::MAX;

fn atomics(count: usize) -> Box<[AtomicU32]> {
    (0..count).map(|_| AtomicU32::new(0)).collect()
}

impl Executable {
    /// Makes the driver's shader and initial values.
    pub fn new(device: &Arc<Device>, linked: Arc<LinkedProgram>) -> Arc<Self> {
        Self::made(device, linked, None, Box::default())
    }

    /// The same for a program that other code is made of: for other state in the compatibility profile, or in a pipeline.
    pub fn with_recipe(device: &Arc<Device>, linked: Arc<LinkedProgram>, recipe: Recipe) -> Arc<Self> {
        Self::made(device, linked, Some(Arc::new(recipe)), Box::default())
    }

    /// The same for other state, or other stages added by fixed function; it follows the values of `base`.
    pub fn variant(device: &Arc<Device>, linked: Arc<LinkedProgram>, base: Option<&Arc<Executable>>) -> Arc<Self> {
        let follows = base.map(|base| Follows::new(base, &linked.reflection, ""));
        Self::made(device, linked, None, follows.into_iter().collect())
    }

    /// What a pipeline of several programs runs; it follows the values of their executables. The log where they don't
    /// go together.
    pub fn composed(device: &Arc<Device>, parts: &[Arc<Executable>], legacy: LegacyState) -> Result<Arc<Self>, String> {
        let recipes: Option<Vec<&Arc<Recipe>>> = parts.iter().map(|part| part.recipe.as_ref()).collect();
        let recipes = recipes.ok_or("a program of the pipeline is not separable")?;
        let Some(first) = recipes.first() else { return Err("the pipeline has no programs".into()) };
        let with = |stage: Stage| {
            let at = parts.iter().position(|part| part.reflection().stages.has(stage))?;
            Some(recipes[at])
        };
        let capturing = CAPTURING.into_iter().find_map(with);
        let mut recipe = Recipe {
            attribute_bindings: with(Stage::Vertex).map_or(Vec::new(), |r| r.attribute_bindings.clone()),
            frag_data_bindings: with(Stage::Fragment).map_or(Vec::new(), |r| r.frag_data_bindings.clone()),
            xfb_varyings: capturing.map_or(Vec::new(), |r| r.xfb_varyings.clone()),
            xfb_mode: capturing.map_or(XfbMode::Interleaved, |r| r.xfb_mode),
            ..Recipe::new(Arc::clone(&first.limits))
        };
        for (space, part) in (0u8..).zip(&recipes) {
            recipe.shaders.extend(part.shaders.iter().cloned());
            recipe.spaces.resize(recipe.shaders.len(), space);
        }
        let result = recipe.link(device, legacy);
        let linked = result.program.filter(|_| result.ok).ok_or(result.log)?;
        let follow =
            |(space, part): (u8, &Arc<Executable>)| Follows::new(part, &linked.reflection, &space_prefix(space));
        let follows = (0u8..).zip(parts).map(follow).collect();
        Ok(Self::made(device, linked, Some(Arc::new(recipe)), follows))
    }

    /// Whether it was linked for pipelines.
    pub fn is_separable(&self) -> bool {
        self.recipe.as_ref().is_some_and(|recipe| recipe.separable)
    }

    /// The executable of the program that says what is captured: of a pipeline, one of its programs.
    fn capturing(self: &Arc<Self>) -> &Arc<Self> {
        let with = |stage: Stage| self.follows.iter().map(|f| &f.base).find(|b| b.reflection().stages.has(stage));
        CAPTURING.into_iter().find_map(with).unwrap_or(self)
    }

    /// Notes that its program has another one now, or is no more.
    pub fn retire(&self) {
        if !self.retired.swap(true, Ordering::AcqRel) {
            self.device.note_retired_executable();
        }
    }

    /// Whether that is so of it, or of one that it follows.
    pub fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Acquire) || self.follows.iter().any(|f| f.base.is_retired())
    }

    fn made(
        device: &Arc<Device>,
        linked: Arc<LinkedProgram>,
        recipe: Option<Arc<Recipe>>,
        follows: Box<[Follows]>,
    ) -> Arc<Self> {
        let reflection = &linked.reflection;
        let slots = reflection.locations.iter().map(|l| slot_of(reflection, *l)).collect();
        let shader: ShaderId = device.mint();
        let (desc, words) = linked.shader_desc();
        device.screen.create_shader(shader, &desc, &words, &linked.bindings);
        let mut vertex_inputs =
            VertexInputs::new([desc.vertex_inputs, desc.vertex_inputs_sint, desc.vertex_inputs_uint]);
        for (location, array) in &reflection.conventional {
            vertex_inputs.set_source(usize::from(*location), CONVENTIONAL as u8 + array, Half::None);
        }
        for half in &reflection.double_halves {
            let which = if half.high { Half::High } else { Half::Low };
            vertex_inputs.set_source(usize::from(half.location), half.attribute, which);
        }
        let executable = Self {
            device: Arc::clone(device),
            shader,
            desc,
            slots,
            values: Values::new(reflection.default_block_size.div_ceil(4)),
            units: atomics(reflection.sampler_count as usize),
            conflict: AtomicU32::new(NO_CONFLICT),
            block_bindings: reflection.blocks.iter().map(|b| AtomicU32::new(b.binding)).collect(),
            image_units: atomics(reflection.image_count as usize),
            storage_bindings: reflection.storage_blocks.iter().map(|b| AtomicU32::new(b.binding)).collect(),
            storage_writable: writable(reflection),
            images: image_expectations(reflection),
            samplers: expectations(reflection),
            state_slots: reflection.state_uniforms.clone().into(),
            vertex_inputs,
            recipe,
            follows,
            linked: Arc::clone(&linked),
            captures: AtomicU32::new(0),
            retired: AtomicBool::new(false),
        };
        executable.initialise();
        executable.reset_subroutines(|_| true);
        executable.units_changed();
        Arc::new(executable)
    }

    /// Writes the initialisers of the source (GLSL 4.60 4.3.5) and explicit sampler bindings.
    fn initialise(&self) {
        for uniform in &self.linked.reflection.uniforms {
            if let (Some(sampler), Some(unit)) = (&uniform.sampler, uniform.explicit_binding) {
                for element in 0..uniform.array_size {
                    self.set_unit(sampler.dense + element, unit + element);
                }
            }
            if let (Some(image), Some(unit)) = (&uniform.image, uniform.explicit_binding) {
                for element in 0..uniform.array_size {
                    self.set_image_unit(image.dense + element, unit + element);
                }
            }
            let Ok(location) = usize::try_from(uniform.location) else { continue };
            if let Some(UniformSlot::Value(slot)) = self.slots.get(location)
                && !uniform.initial.is_empty()
            {
                let scalar_words = slot.shape.scalar.words();
                let column = u32::from(slot.shape.rows) * scalar_words;
                for (index, value) in uniform.initial.iter().enumerate() {
                    let index = index as u32;
                    let (element, rest) = (
                        index / (column * u32::from(slot.shape.columns)),
                        index % (column * u32::from(slot.shape.columns)),
                    );
                    let word =
                        slot.word + element * slot.array_stride + rest / column * slot.column_stride + rest % column;
                    self.values.set(word, *value, false);
                }
            }
        }
    }

    /// Lets every subroutine uniform of some stages select a function it can (GL 4.6 core 7.10: which is ours to choose).
    pub fn reset_subroutines(&self, stages: impl Fn(Stage) -> bool) {
        let chosen = |number: u8| Stage::ALL.get(usize::from(number)).is_some_and(|stage| stages(*stage));
        let stages = self.linked.reflection.subroutines.iter().filter(|s| chosen(s.stage));
        for uniform in stages.flat_map(|stage| &stage.uniforms) {
            for element in 0..uniform.array_size {
                let word = (uniform.offset + element * uniform.stride) / 4;
                self.values.set(word, uniform.compatible.first().copied().unwrap_or(0), false);
            }
        }
    }

    /// Names, types and locations.
    #[inline]
    pub fn reflection(&self) -> &Reflection {
        &self.linked.reflection
    }

    /// What a uniform location is; `None` when there is no such location.
    #[inline]
    pub fn slot(&self, location: i32) -> Option<&UniformSlot> {
        self.slots.get(usize::try_from(location).ok()?)
    }

    /// The values of the default block.
    #[inline]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The texture unit of a dense sampler index.
    #[inline]
    pub fn unit(&self, dense: u32) -> u32 {
        self.units.get(dense as usize).map_or(0, |cell| cell.load(Ordering::Relaxed))
    }

    /// Sets the texture unit of a dense sampler index; true when that changed it.
    pub fn set_unit(&self, dense: u32, unit: u32) -> bool {
        self.units.get(dense as usize).is_some_and(|cell| cell.swap(unit, Ordering::Relaxed) != unit)
    }

    /// Takes over texture units, image units and block bindings of the executable it follows; true when that changed any.
    pub fn follow_bindings(&self) -> bool {
        let mut changed = false;
        for follows in &self.follows {
            let base = &follows.base;
            base.follow_bindings();
            let mut units = false;
            for (from, to) in &follows.units {
                units |= self.set_unit(*to, base.unit(*from));
            }
            if units {
                self.units_changed();
            }
            changed |= units;
            for (from, to) in &follows.images {
                changed |= self.set_image_unit(*to, base.image_unit(*from));
            }
            for (from, to) in &follows.blocks {
                let binding = base.block_binding(*from as usize).unwrap_or(0);
                changed |= self.set_block_binding(*to as usize, binding) == Some(true);
            }
            for (from, to) in &follows.storage {
                let binding = base.storage_binding(*from as usize).unwrap_or(0);
                changed |= self.set_storage_binding(*to as usize, binding) == Some(true);
            }
        }
        changed
    }

    /// Takes over the values of the executable it follows.
    pub fn follow_values(&self) {
        for follows in &self.follows {
            follows.base.follow_values();
            for (from, to, count) in &follows.words {
                for i in 0..*count {
                    self.values.set(to + i, follows.base.values.word(from + i), false);
                }
            }
        }
    }

    /// Looks for conflicts anew after units were set, so that draws need not.
    pub fn units_changed(&self) {
        self.conflict.store(self.find_conflict().unwrap_or(NO_CONFLICT), Ordering::Relaxed);
    }

    /// Elements that no code reads are not in the way: arrays begin with all of them at unit 0.
    fn find_conflict(&self) -> Option<u32> {
        let unread = &self.reflection().unread_samplers;
        let read = || self.samplers.iter().zip(0..).filter(|(_, index)| !unread.contains(index));
        for (sampler, index) in read() {
            let unit = self.unit(index);
            let differs = |(o, other): (&SamplerExpectation, u32)| {
                self.unit(other) == unit && (o.dim != sampler.dim || o.multisample != sampler.multisample)
            };
            if read().take_while(|(_, other)| *other < index).any(differs) {
                return Some(unit);
            }
        }
        None
    }

    /// GL 4.6 core 7.10: samplers of different types may not use one texture unit. A unit where they do.
    #[inline]
    pub fn conflicting_unit(&self) -> Option<u32> {
        Some(self.conflict.load(Ordering::Relaxed)).filter(|unit| *unit != NO_CONFLICT)
    }

    /// Where the program is bound: it has a compute stage, or stages that draw.
    #[inline]
    pub fn point(&self) -> BindPoint {
        if self.linked.reflection.compute.is_some() { BindPoint::COMPUTE } else { BindPoint::GRAPHICS }
    }

    /// The image unit of a dense image index.
    #[inline]
    pub fn image_unit(&self, dense: u32) -> u32 {
        self.image_units.get(dense as usize).map_or(0, |cell| cell.load(Ordering::Relaxed))
    }

    /// Sets the image unit of a dense image index; true when that changed it.
    pub fn set_image_unit(&self, dense: u32, unit: u32) -> bool {
        self.image_units.get(dense as usize).is_some_and(|cell| cell.swap(unit, Ordering::Relaxed) != unit)
    }

    /// The binding point of a shader storage block.
    #[inline]
    pub fn storage_binding(&self, block: usize) -> Option<u32> {
        Some(self.storage_bindings.get(block)?.load(Ordering::Relaxed))
    }

    /// Sets the binding point of a shader storage block; whether that changed it, none when there is no such block.
    pub fn set_storage_binding(&self, block: usize, binding: u32) -> Option<bool> {
        Some(self.storage_bindings.get(block)?.swap(binding, Ordering::Relaxed) != binding)
    }

    /// Number of dense sampler indices.
    #[inline]
    pub fn sampler_count(&self) -> usize {
        self.units.len()
    }

    /// The binding point of a uniform block.
    #[inline]
    pub fn block_binding(&self, block: usize) -> Option<u32> {
        Some(self.block_bindings.get(block)?.load(Ordering::Relaxed))
    }

    /// Sets the binding point of a uniform block; whether that changed it, none when there is no such block.
    pub fn set_block_binding(&self, block: usize, binding: u32) -> Option<bool> {
        Some(self.block_bindings.get(block)?.swap(binding, Ordering::Relaxed) != binding)
    }

    /// Whether some context's transform feedback uses it, paused or not.
    pub fn is_captured(&self) -> bool {
        self.captures.load(Ordering::Acquire) != 0
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        self.device.screen.destroy_shader(self.shader);
        self.device.release(self.shader);
    }
}

fn slot_of(reflection: &Reflection, location: UniformLocation) -> UniformSlot {
    if location == UniformLocation::NONE {
        return UniformSlot::None;
    }
    let element = location.element;
    let Some(uniform) = reflection.uniforms.get(location.uniform as usize) else { return UniformSlot::Unused };
    let remaining = uniform.array_size.saturating_sub(element);
    if let Some(sampler) = &uniform.sampler {
        return UniformSlot::Sampler { dense: sampler.dense + element, remaining, is_array: uniform.is_array };
    }
    if let Some(image) = &uniform.image {
        return UniformSlot::Image { dense: image.dense + element, remaining, is_array: uniform.is_array };
    }
    let Some(shape) = Shape::of(uniform.ty) else { return UniformSlot::Unused };
    if uniform.default_offset == u32::MAX {
        return UniformSlot::Unused;
    }
    let array_stride = uniform.default_array_stride / 4;
    UniformSlot::Value(ValueSlot {
        shape,
        word: uniform.default_offset / 4 + element * array_stride,
        array_stride,
        column_stride: uniform.default_matrix_stride / 4,
        remaining,
        is_array: uniform.is_array,
    })
}

/// Dimensionality in the driver's terms, and whether it is multisampled.
fn dimensionality(dim: ViewDim, rect: bool) -> (TextureDim, bool) {
    match dim {
        ViewDim::D1 => (TextureDim::D1, false),
        ViewDim::D2 if rect => (TextureDim::RECT, false),
        ViewDim::D2 => (TextureDim::D2, false),
        ViewDim::D3 => (TextureDim::D3, false),
        ViewDim::Cube => (TextureDim::CUBE, false),
        ViewDim::D1Array => (TextureDim::D1_ARRAY, false),
        ViewDim::D2Array => (TextureDim::D2_ARRAY, false),
        ViewDim::CubeArray => (TextureDim::CUBE_ARRAY, false),
        ViewDim::Buffer => (TextureDim::BUFFER, false),
        ViewDim::D2Ms => (TextureDim::D2, true),
        ViewDim::D2MsArray => (TextureDim::D2_ARRAY, true),
    }
}

fn image_expectations(reflection: &Reflection) -> Box<[ImageExpectation]> {
    let unused = ImageExpectation { dim: TextureDim::D2, multisample: false, format: 0, access: Access::EMPTY };
    let mut table = vec![unused; reflection.image_count as usize];
    for uniform in &reflection.uniforms {
        let Some(image) = &uniform.image else { continue };
        let (dim, multisample) = dimensionality(image.dim, image.rect);
        let access = Access(u16::from(image.access));
        for element in 0..uniform.array_size {
            if let Some(entry) = table.get_mut((image.dense + element) as usize) {
                *entry = ImageExpectation { dim, multisample, format: image.format, access };
            }
        }
    }
    table.into_boxed_slice()
}

/// Entries of the table of storage buffers that are written: blocks, and all atomic counters.
fn writable(reflection: &Reflection) -> u64 {
    let blocks = reflection.storage_blocks.iter().filter(|b| b.access & 2 != 0).map(|b| b.dense);
    let counters = reflection.atomic_buffers.iter().map(|b| b.dense);
    blocks.chain(counters).fold(0, |mask, dense| mask | 1u64.checked_shl(dense).unwrap_or(0))
}

fn expectations(reflection: &Reflection) -> Box<[SamplerExpectation]> {
    let unused =
        SamplerExpectation { dim: TextureDim::D2, multisample: false, sampled: SampledType::Float, shadow: false };
    let mut table = vec![unused; reflection.sampler_count as usize];
    for uniform in &reflection.uniforms {
        let Some(sampler) = &uniform.sampler else { continue };
        let (dim, multisample) = dimensionality(sampler.dim, sampler.rect);
        for element in 0..uniform.array_size {
            if let Some(entry) = table.get_mut((sampler.dense + element) as usize) {
                *entry = SamplerExpectation { dim, multisample, sampled: sampler.sampled, shadow: sampler.shadow };
            }
        }
    }
    table.into_boxed_slice()
}
