//! Variables of the module level, their decorations, and execution modes (SPIR-V 1.0 sections 2.16 and 3.20, GL 4.6 core
//! 7.4.2 and appendix C).
//!
//! Decorations that say nothing to this implementation are taken out, so that what is left stands where it may.

use std::collections::{HashMap, HashSet};

use spirv::{Capability, Decoration, Op, StorageClass};

use super::super::layout::Packing;
use super::super::module::{Inst, Module};
use super::blocks::Layouts;
use super::built_ins::Places;
use super::capabilities::Required;
use super::globals::{Globals, Variable};
use super::types::{Scalar, Type};
use super::{Check, built_ins, modes, reader, refuse};
use crate::stage::Stage;

/// What variables are for.
#[derive(Debug, Default)]
pub(super) struct Roles {
    /// Variables that the entry point has something to do with; the others are gone.
    pub kept: Vec<Variable>,
    /// Storage blocks, which can be written.
    pub storage: HashSet<u32>,
    /// Structures that are blocks of inputs or outputs.
    pub passed: HashSet<u32>,
    /// Outputs at locations that others took before, and types of blocks that are.
    pub doubled: HashSet<u32>,
}

/// Variables that have no location as a uniform, at most: blocks, inputs and outputs, atomic counters. Each is compared
/// with others of its kind. OpenGL's limits on them are lower.
const MOST_OTHERS: usize = 1024;

/// Blocks that were met: by kind, binding and type, and how many of each kind.
#[derive(Default)]
struct Blocks {
    known: HashSet<(bool, u32, u32)>,
    counts: [u32; 2],
}

/// Decorations of one target.
pub(super) type Decorations = HashMap<u32, Vec<u32>>;

/// All decorations, by what they are on.
#[derive(Debug, Default)]
pub(super) struct Table {
    ids: HashMap<u32, Decorations>,
    members: HashMap<(u32, u32), Decorations>,
}

impl Table {
    /// Reads the decorations of a module.
    pub fn read(module: &Module, globals: &Globals) -> Check<Table> {
        let mut table = Table::default();
        for a in &module.annotations {
            let (target, rest) = match a.op {
                Op::Decorate => (table.ids.entry(a.word(0)).or_default(), &a.words[1..]),
                Op::MemberDecorate => {
                    let count = match globals.types.get(a.word(0)) {
                        Ok(Type::Struct(members)) => members.len(),
                        _ => 0,
                    };
                    if a.word(1) as usize >= count {
                        refuse!("a decoration is of no member");
                    }
                    (table.members.entry((a.word(0), a.word(1))).or_default(), &a.words[2..])
                }
                _ => refuse!("{:?} is not supported", a.op),
            };
            let Some((what, literals)) = rest.split_first() else { refuse!("a decoration says nothing") };
            if literals_of(*what) != Some(literals.len()) {
                refuse!("decoration {what} is not supported, or has the wrong operands");
            }
            if target.insert(*what, literals.to_vec()).is_some_and(|known| known != literals) {
                refuse!("decoration {what} is given twice");
            }
        }
        Ok(table)
    }

    pub fn of(&self, id: u32, what: Decoration) -> Option<u32> {
        Some(self.ids.get(&id)?.get(&(what as u32))?.first().copied().unwrap_or(0))
    }

    pub fn of_member(&self, id: u32, member: u32, what: Decoration) -> Option<u32> {
        Some(self.members.get(&(id, member))?.get(&(what as u32))?.first().copied().unwrap_or(0))
    }

    pub fn has(&self, id: u32, what: Decoration) -> bool {
        self.of(id, what).is_some()
    }
}

/// Literals that a decoration has; none for one that is refused.
fn literals_of(what: u32) -> Option<usize> {
    use Decoration::*;
    Some(match Decoration::from_u32(what)? {
        RelaxedPrecision | Block | BufferBlock | RowMajor | ColMajor | NoPerspective | Flat | Patch | Centroid
        | Sample | Invariant | Restrict | Aliased | Volatile | Coherent | NonWritable | NonReadable | Uniform
        | NoContraction => 0,
        ArrayStride | MatrixStride | BuiltIn | Stream | Location | Component | Index | Binding | DescriptorSet
        | Offset | XfbBuffer | XfbStride => 1,
        _ => return None,
    })
}

/// Checks the interface and takes out variables that the entry point has nothing to do with.
pub(super) fn check(module: &mut Module, globals: &Globals, stage: Stage, required: &mut Required<'_>) -> Check<Roles> {
    let table = Table::read(module, globals)?;
    let kept = kept_variables(module, globals)?;
    let ids: HashSet<u32> = kept.iter().map(|v| v.id).collect();
    module.globals.retain(|g| g.op != Op::Variable || ids.contains(&g.word(1)));
    let mut interface =
        Interface { globals, table: &table, stage, required, roles: Roles::default(), laid: HashSet::new() };
    modes::check(module, globals, stage, interface.required.options)?;
    interface.variables(module, &kept)?;
    let Interface { roles, laid, .. } = interface;
    keep_decorations(module, globals, &kept, &laid, stage, &roles);
    Ok(Roles { kept, ..roles })
}

/// Variables that code uses, and inputs and outputs that the entry point lists.
fn kept_variables(module: &Module, globals: &Globals) -> Check<Vec<Variable>> {
    let used = module.used_ids();
    let listed = reader::listed(&module.entry_points[0])?;
    let set: HashSet<u32> = listed.iter().copied().collect();
    let mut kept = Vec::new();
    let mut known = HashSet::new();
    for v in &globals.variables {
        let interface = matches!(v.class, StorageClass::Input | StorageClass::Output);
        known.insert(v.id);
        if interface && used.contains(&v.id) && !set.contains(&v.id) {
            refuse!("an entry point does not list an input or output that it uses");
        }
        if !interface && set.contains(&v.id) {
            refuse!("an entry point lists what is neither input nor output");
        }
        if if interface { set.contains(&v.id) } else { used.contains(&v.id) } {
            kept.push(*v);
        }
    }
    if listed.len() != set.len() || listed.iter().any(|id| !known.contains(id)) {
        refuse!("an entry point lists what is no variable, or lists one twice");
    }
    Ok(kept)
}

struct Interface<'a, 'o> {
    globals: &'a Globals,
    table: &'a Table,
    stage: Stage,
    required: &'a mut Required<'o>,
    roles: Roles,
    /// Types within blocks, whose layout counts.
    laid: HashSet<u32>,
}

impl Interface<'_, '_> {
    fn variables(&mut self, module: &Module, kept: &[Variable]) -> Check {
        let mut shared = 0u32;
        let mut places = Places::default();
        let mut blocks = Blocks::default();
        let limits = &self.required.options.limits;
        let most = (limits.max_uniform_locations as usize).saturating_add(MOST_OTHERS);
        if kept.iter().filter(|v| !matches!(v.class, StorageClass::Private | StorageClass::Workgroup)).count() > most {
            refuse!("there are more than {most} uniforms, blocks, inputs and outputs");
        }
        let vertices = [false, true].map(|output| modes::vertices(module, self.stage, output));
        let mut layouts: Option<Layouts<'_>> = None;
        for v in kept {
            let facts = self.globals.types.facts(v.ty);
            if self.table.of(v.id, Decoration::DescriptorSet).unwrap_or(0) != 0 {
                refuse!("a descriptor set is not 0");
            }
            match v.class {
                StorageClass::UniformConstant => self.loose(v)?,
                StorageClass::Uniform | StorageClass::StorageBuffer => {
                    let (ty, packing) = self.block(v)?;
                    self.count_block(v, ty, packing, &mut blocks)?;
                    layouts.get_or_insert_with(|| Layouts::new(module)).block(ty, packing)?;
                    self.lay(ty);
                }
                StorageClass::AtomicCounter => self.counter(v)?,
                StorageClass::Workgroup => {
                    shared = shared.saturating_add(facts.words.saturating_mul(4));
                    let most = self.required.options.limits.max_compute_shared_memory_size;
                    let is_data = self.globals.types.is_data(v.ty);
                    if self.stage != Stage::Compute || !is_data || shared > most {
                        refuse!("shared variables are too large, or not of a compute shader");
                    }
                }
                StorageClass::Private => {
                    if !self.globals.types.is_data(v.ty) {
                        refuse!("a private variable is of no plain data");
                    }
                }
                StorageClass::Input | StorageClass::Output => {
                    let inner = self.globals.types.innermost(v.ty);
                    if self.table.has(inner, Decoration::Block) {
                        self.roles.passed.insert(inner);
                    }
                    built_ins::check(self.globals, self.table, self.stage, self.required, v, vertices, &mut places)?;
                }
                class => refuse!("variables of storage class {class:?} are not supported"),
            }
        }
        self.roles.doubled = places.doubled;
        Ok(())
    }

    /// GL 4.6 core 7.6.2 and 7.8: the blocks of a stage against its limits, before anything is made of each. Those of one
    /// binding and type are one.
    fn count_block(&self, v: &Variable, ty: u32, packing: Packing, blocks: &mut Blocks) -> Check {
        let storage = packing == Packing::Std430;
        let limits = &self.required.options.limits;
        let (what, most) = match storage {
            true => ("storage", limits.max_storage_blocks[self.stage.index()]),
            false => ("uniform", limits.max_uniform_blocks_per_stage),
        };
        let binding = self.table.of(v.id, Decoration::Binding).unwrap_or(0);
        if blocks.known.insert((storage, binding, ty)) {
            let count = &mut blocks.counts[usize::from(storage)];
            *count = count.saturating_add(self.globals.types.elements(v.ty));
            if *count > most {
                refuse!("there are more than {most} {what} blocks");
            }
        }
        Ok(())
    }

    /// A uniform of the default block.
    fn loose(&mut self, v: &Variable) -> Check {
        let facts = self.globals.types.facts(v.ty);
        let location = self.table.of(v.id, Decoration::Location).unwrap_or(0);
        let binding = self.table.of(v.id, Decoration::Binding).unwrap_or(0);
        let most = self.required.options.limits.max_uniform_locations;
        if location >= most || binding > 0xffff || facts.unsized_end {
            refuse!("the location or binding of a uniform is beyond the limits, or it has no size");
        }
        let inner = self.globals.types.innermost(v.ty);
        match self.globals.ty(inner)? {
            Type::Image(image) if !image.storage => refuse!("images to sample come with their samplers"),
            Type::Image(_) | Type::SampledImage { .. } | Type::Struct(_) => Ok(()),
            _ => match self.globals.types.is_data(v.ty) {
                true => Ok(()),
                false => refuse!("a uniform is of no plain data"),
            },
        }
    }

    /// A block: its structure, and the rules for its layout.
    fn block(&mut self, v: &Variable) -> Check<(u32, Packing)> {
        let ty = self.globals.types.innermost(v.ty);
        let storage =
            match (self.table.has(ty, Decoration::Block), self.table.has(ty, Decoration::BufferBlock), v.class) {
                (true, false, StorageClass::Uniform) => false,
                (false, true, StorageClass::Uniform) | (true, false, StorageClass::StorageBuffer) => true,
                _ => refuse!("a block is decorated as none, or as two kinds"),
            };
        let facts = self.globals.types.facts(ty);
        let endless = matches!(self.globals.ty(v.ty)?, Type::RuntimeArray { .. });
        if endless || !matches!(self.globals.ty(ty)?, Type::Struct(_)) || facts.opaque {
            refuse!("a block is no structure of plain data");
        }
        if facts.unsized_end && !storage || self.table.of(v.id, Decoration::Binding).unwrap_or(0) > 0xffff {
            refuse!("a uniform block has no size, or its binding is beyond the limits");
        }
        if v.initial.is_some() {
            refuse!("a block has an initializer");
        }
        if !storage {
            return Ok((ty, Packing::Std140));
        }
        self.roles.storage.insert(v.id);
        Ok((ty, Packing::Std430))
    }

    /// Notes the types within a block.
    fn lay(&mut self, ty: u32) {
        if !self.laid.insert(ty) {
            return;
        }
        match self.globals.ty(ty) {
            Ok(Type::Array { of, .. } | Type::RuntimeArray { of }) => self.lay(*of),
            Ok(Type::Struct(members)) => members.iter().for_each(|m| self.lay(*m)),
            _ => {}
        }
    }

    fn counter(&mut self, v: &Variable) -> Check {
        self.required.add(Capability::AtomicStorage)?;
        let limits = &self.required.options.limits;
        let inner = self.globals.types.innermost(v.ty);
        let facts = self.globals.types.facts(v.ty);
        let offset = self.table.of(v.id, Decoration::Offset).unwrap_or(0);
        let end = u64::from(offset) + 4 * u64::from(facts.words);
        if self.globals.types.shape(inner) != Some(Scalar::UINT.one()) || facts.unsized_end || !offset.is_multiple_of(4)
        {
            refuse!("an atomic counter is no unsigned integer at a multiple of four bytes");
        }
        let binding = self.table.of(v.id, Decoration::Binding).unwrap_or(0);
        if binding >= limits.max_atomic_buffer_bindings || end > u64::from(limits.max_atomic_buffer_size) {
            refuse!("the binding or offset of an atomic counter is beyond the limits");
        }
        Ok(())
    }
}

/// Results of arithmetic, which can be kept from being contracted.
fn is_arithmetic(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        FNegate
            | FAdd
            | FSub
            | FMul
            | FDiv
            | FRem
            | FMod
            | Dot
            | VectorTimesScalar
            | MatrixTimesScalar
            | VectorTimesMatrix
            | MatrixTimesVector
            | MatrixTimesMatrix
            | OuterProduct
            | SNegate
            | IAdd
            | ISub
            | IMul
            | UDiv
            | SDiv
            | UMod
            | SRem
            | SMod
    )
}

/// Leaves the decorations that count, each where it may stand.
fn keep_decorations(
    module: &mut Module,
    globals: &Globals,
    kept: &[Variable],
    laid: &HashSet<u32>,
    stage: Stage,
    roles: &Roles,
) {
    let arithmetic: HashSet<u32> = module
        .functions
        .iter()
        .flat_map(|f| &f.insts)
        .filter(|i| is_arithmetic(i.op))
        .filter_map(Inst::result)
        .collect();
    let classes: HashMap<u32, &Variable> = kept.iter().map(|v| (v.id, v)).collect();
    // Structures that inputs and outputs are, and the way they go.
    let mut passed: HashMap<u32, [bool; 2]> = HashMap::new();
    for v in kept {
        if matches!(v.class, StorageClass::Input | StorageClass::Output) {
            let ways = passed.entry(globals.types.innermost(v.ty)).or_default();
            ways[usize::from(v.class == StorageClass::Output)] = true;
        }
    }
    let mut seen = HashSet::new();
    module.annotations.retain(|a| {
        let at = if a.op == Op::MemberDecorate { 2 } else { 1 };
        let Some(what) = Decoration::from_u32(a.word(at)) else { return false };
        let target = a.word(0);
        let keeps = if a.op == Op::MemberDecorate {
            let ways = passed.get(&target).copied().unwrap_or_default();
            keeps_member(what, laid.contains(&target), ways, stage)
        } else if let Some(v) = classes.get(&target) {
            keeps_variable(what, v, stage, roles, globals)
        } else {
            match what {
                Decoration::NoContraction => arithmetic.contains(&target),
                Decoration::Block | Decoration::BufferBlock => laid.contains(&target) || passed.contains_key(&target),
                Decoration::ArrayStride => laid.contains(&target),
                _ => false,
            }
        };
        keeps && seen.insert(a.words.clone())
    });
}

fn is_interpolation(what: Decoration) -> bool {
    matches!(what, Decoration::Flat | Decoration::NoPerspective | Decoration::Centroid | Decoration::Sample)
}

fn is_qualifier(what: Decoration) -> bool {
    matches!(what, Decoration::Coherent | Decoration::Volatile | Decoration::NonWritable | Decoration::NonReadable)
}

fn keeps_member(what: Decoration, laid: bool, [input, output]: [bool; 2], stage: Stage) -> bool {
    use Decoration::*;
    match what {
        Offset => laid || output,
        MatrixStride | RowMajor | ColMajor => laid,
        BuiltIn | Location | Component | Patch => input || output,
        XfbBuffer | XfbStride | Stream | Invariant => output,
        what if is_interpolation(what) => input && stage == Stage::Fragment,
        what => is_qualifier(what) && laid,
    }
}

fn keeps_variable(what: Decoration, v: &Variable, stage: Stage, roles: &Roles, globals: &Globals) -> bool {
    use Decoration::*;
    let input = v.class == StorageClass::Input;
    let output = v.class == StorageClass::Output;
    let loose = v.class == StorageClass::UniformConstant;
    match what {
        Location => input || output || loose,
        Binding => !input && !output,
        Offset => output || v.class == StorageClass::AtomicCounter,
        BuiltIn | Component | Patch => input || output,
        Index | XfbBuffer | XfbStride | Stream | Invariant => output,
        what if is_interpolation(what) => input && stage == Stage::Fragment,
        what => {
            let image = loose && globals.types.image(globals.types.innermost(v.ty)).is_some();
            is_qualifier(what) && (image || roles.storage.contains(&v.id))
        }
    }
}
