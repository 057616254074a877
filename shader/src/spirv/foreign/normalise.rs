//! A checked module in the shape of the front end's own: names for what has locations and bindings, access chains from
//! variables on, and the capabilities that the content asks for.
//!
//! SPIR-V has no names that count (GL 4.6 core 7.4.2), but the linker matches by name. So what matches gets equal names:
//! they have a character in them that no source has, and nobody is told them ([`crate::reflection::MADE_UP`]).

use std::collections::{HashMap, HashSet};

use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, Scope, StorageClass};

use super::super::module::{Inst, Module};
use super::super::operands::is_comparison;
use super::Check;
use super::capabilities::Required;
use super::globals::Globals;
use super::interface::{Roles, Table};
use super::types::{Scalar, Type};
use crate::stage::Stage;

pub(super) fn run(
    module: &mut Module,
    globals: &Globals,
    roles: &Roles,
    stage: Stage,
    required: &Required<'_>,
) -> Check {
    if stage == Stage::Fragment {
        flatten_integers(module, globals, roles);
        replace_depth(module);
    }
    straighten(module, globals);
    settle_memory(module, globals, stage);
    settle_depth(module);
    drop_doubled_locations(module, roles);
    name(module, globals, roles, stage)?;
    module.capabilities = required.all.iter().map(|c| Inst::new(Op::Capability, &[*c])).collect();
    module.extensions.clear();
    let has = |c: Capability| required.all.contains(&(c as u32));
    for (capability, extension) in [
        (Capability::DrawParameters, "SPV_KHR_shader_draw_parameters"),
        (Capability::SubgroupVoteKHR, "SPV_KHR_subgroup_vote"),
        (Capability::AtomicStorageOps, "SPV_KHR_shader_atomic_counter_ops"),
    ] {
        if has(capability) {
            module.add_extension(extension);
        }
    }
    let storage = |g: &Inst| g.op == Op::Variable && g.word(2) == StorageClass::StorageBuffer as u32;
    if module.globals.iter().any(storage) {
        module.add_extension("SPV_KHR_storage_buffer_storage_class");
    }
    module.fix_interface();
    Ok(())
}

/// Whoever writes a depth replaces it: OpenGL does not ask for the mode that says so.
fn replace_depth(module: &mut Module) {
    if module.find_built_in(BuiltIn::FragDepth, StorageClass::Output).is_some() {
        module.set_execution_mode(ExecutionMode::DepthReplacing, None);
    }
}

/// Fragment inputs of integers and doubles are flat, whether they say so or not.
fn flatten_integers(module: &mut Module, globals: &Globals, roles: &Roles) {
    let whole = |ty: u32| {
        let facts = globals.types.facts(ty);
        facts.ints || facts.wide
    };
    let decorated = module.decorated();
    for v in roles.kept.iter().filter(|v| v.class == StorageClass::Input) {
        let inner = globals.types.innermost(v.ty);
        if !decorated.has(inner, Decoration::Block) {
            let mask = decorated.of(v.id, Decoration::BuiltIn) == Some(BuiltIn::SampleMask as u32);
            if whole(v.ty) && !mask && !decorated.has(v.id, Decoration::Flat) {
                module.decorate(v.id, Decoration::Flat, &[]);
            }
            continue;
        }
        // Each member of a block for itself: all would be what the block is.
        let Ok(Type::Struct(members)) = globals.ty(inner) else { continue };
        let flat: HashSet<u32> = module
            .annotations
            .iter()
            .filter(|a| a.op == Op::MemberDecorate && a.word(0) == inner && a.word(2) == Decoration::Flat as u32)
            .map(|a| a.word(1))
            .collect();
        for (m, member) in (0..).zip(members) {
            if whole(*member) && !flat.contains(&m) {
                module.decorate_member(inner, m, Decoration::Flat, &[]);
            }
        }
    }
}

/// Copies are what they copy; chains begin at variables and parameters; copied memory is loaded and stored.
fn straighten(module: &mut Module, globals: &Globals) {
    // Types of results of code.
    let mut types: HashMap<u32, u32> = HashMap::new();
    let mut aliases: HashMap<u32, u32> = HashMap::new();
    let mut next = module.bound;
    for function in &mut module.functions {
        let mut chains: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut out = Vec::with_capacity(function.insts.len());
        for mut inst in std::mem::take(&mut function.insts) {
            let aliased = |id: u32| aliases.get(&id).copied().unwrap_or(id);
            if let (Some(id), Some(ty)) = (inst.result(), inst.result_type()) {
                types.insert(id, ty);
            }
            match inst.op {
                Op::CopyObject => {
                    aliases.insert(inst.word(1), aliased(inst.word(2)));
                    continue;
                }
                Op::AccessChain | Op::InBoundsAccessChain => {
                    let base = aliased(inst.word(2));
                    if inst.words.len() == 3 {
                        aliases.insert(inst.word(1), base);
                        continue;
                    }
                    let mut way = chains.get(&base).cloned().unwrap_or_else(|| vec![base]);
                    way.extend_from_slice(&inst.words[3..]);
                    let mut words = vec![inst.word(0), inst.word(1)];
                    words.extend_from_slice(&way);
                    chains.insert(inst.word(1), way);
                    inst = Inst::new(Op::AccessChain, &words);
                }
                Op::Load => inst.words.truncate(3),
                Op::Store => inst.words.truncate(2),
                Op::CopyMemory => {
                    let (target, source) = (aliased(inst.word(0)), aliased(inst.word(1)));
                    let pointer = types.get(&source).or_else(|| globals.values.get(&source));
                    let ty = pointer.and_then(|ty| globals.types.pointer(*ty)).map_or(0, |(_, to)| to);
                    out.push(Inst::new(Op::Load, &[ty, next, source]));
                    inst = Inst::new(Op::Store, &[target, next]);
                    next += 1;
                }
                _ => {}
            }
            out.push(inst);
        }
        function.insts = out;
    }
    module.bound = next;
    module.remap_ids(&aliases);
    let used = module.used_ids();
    for function in &mut module.functions {
        function.insts.retain(|i| i.op != Op::AccessChain || used.contains(&i.word(1)));
    }
}

const ACQUIRE: u32 = 0x2;
const RELEASE: u32 = 0x4;
const BOTH: u32 = 0x8;

/// Which memory an instruction orders, and how: what Vulkan has of what OpenGL takes.
fn settled(semantics: u32, op: Op) -> u32 {
    const COUNTERS: u32 = 0x400;
    const MEMORY: u32 = 0x40 | 0x100 | 0x800;
    let counters = if semantics & COUNTERS != 0 { 0x40 } else { 0 };
    let memory = semantics & MEMORY | counters;
    let order = match (semantics & 0x1e, op) {
        (0, Op::MemoryBarrier | Op::ControlBarrier) if memory != 0 => BOTH,
        (0, _) => 0,
        (_, Op::AtomicLoad) => ACQUIRE,
        (_, Op::AtomicStore) => RELEASE,
        (ACQUIRE, _) => ACQUIRE,
        (RELEASE, _) => RELEASE,
        _ => BOTH,
    };
    if memory == 0 || order == 0 { 0 } else { order | memory }
}

/// Scopes and semantics of memory. Groups of invocations have memory of their own in some stages only (Vulkan's
/// VUID-StandaloneSpirv-None-07321), and what one invocation does alone needs no order.
fn settle_memory(module: &mut Module, globals: &Globals, stage: Stage) {
    let grouped = matches!(stage, Stage::Compute | Stage::TessControl);
    for f in 0..module.functions.len() {
        let insts = std::mem::take(&mut module.functions[f].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            // The scope; the semantics follow it.
            let at = match inst.op {
                Op::MemoryBarrier => 0,
                Op::ControlBarrier | Op::AtomicStore => 1,
                op if crate::passes::lower_uniforms::is_atomic(op) => 3,
                _ => {
                    out.push(inst);
                    continue;
                }
            };
            let scope = globals.uint(inst.word(at)).unwrap_or(0);
            if scope == Scope::Workgroup as u32 && !grouped {
                inst.words[at] = module.const_uint(Scope::Device as u32);
            }
            let given = globals.uint(inst.word(at + 1)).unwrap_or(0);
            let alone = scope == Scope::Invocation as u32;
            let bits = if alone { 0 } else { settled(given, inst.op) };
            if bits != given {
                inst.words[at + 1] = module.const_uint(bits);
            }
            if inst.op == Op::AtomicCompareExchange {
                // What is compared and found unequal is only read, in no stronger order than what is found equal.
                let given = globals.uint(inst.word(at + 2)).unwrap_or(0);
                let acquires = bits & (ACQUIRE | BOTH) != 0;
                let unequal = if acquires { settled(given, Op::AtomicLoad) } else { 0 };
                if unequal != given {
                    inst.words[at + 2] = module.const_uint(unequal);
                }
            }
            if inst.op != Op::MemoryBarrier || bits != 0 {
                out.push(inst);
            }
        }
        module.functions[f].insts = out;
    }
}

/// GL 4.6 core appendix C.4: whether an image type says that it is compared doesn't count; whether it is does.
fn settle_depth(module: &mut Module) {
    use Op::*;
    let types: HashMap<u32, u32> = module
        .functions
        .iter()
        .flat_map(|f| &f.insts)
        .filter(|i| i.op == Load)
        .map(|i| (i.word(1), i.word(0)))
        .collect();
    let compared: HashSet<u32> = module
        .functions
        .iter()
        .flat_map(|f| &f.insts)
        .filter(|i| is_comparison(i.op) || i.op == ImageDrefGather)
        .filter_map(|i| types.get(&i.word(2)).copied())
        .collect();
    let images: HashSet<u32> = module
        .globals
        .iter()
        .filter(|g| g.op == TypeSampledImage && compared.contains(&g.word(0)))
        .map(|g| g.word(1))
        .collect();
    for g in module.globals.iter_mut().filter(|g| g.op == TypeImage) {
        if images.contains(&g.word(0)) {
            g.words[3] = 1;
        } else if g.word(3) == 2 {
            g.words[3] = 0;
        }
    }
    module.dedupe_types();
}

/// Of outputs that share a location, only the first keeps it.
fn drop_doubled_locations(module: &mut Module, roles: &Roles) {
    let is_location = |a: &Inst| a.word(if a.op == Op::Decorate { 1 } else { 2 }) == Decoration::Location as u32;
    module.annotations.retain(|a| !roles.doubled.contains(&a.word(0)) || !is_location(a));
}

fn name(module: &mut Module, globals: &Globals, roles: &Roles, stage: Stage) -> Check {
    let table = Table::read(module, globals)?;
    module.names.clear();
    let mut names: HashMap<u32, String> = HashMap::new();
    let mut blocks: HashMap<u32, String> = HashMap::new();
    let stage = stage as u8;
    for v in &roles.kept {
        let of = |what| table.of(v.id, what);
        let inner = globals.types.innermost(v.ty);
        let name = match v.class {
            StorageClass::UniformConstant => match (of(Decoration::Location), of(Decoration::Binding)) {
                (Some(location), _) => format!("#l{location}"),
                // Without a location, stages share what they bind alike.
                (None, Some(binding)) => {
                    format!("#b{binding}n{}k{}", globals.types.elements(v.ty), kind(globals, inner))
                }
                (None, None) => format!("#x{stage}i{}", v.id),
            },
            StorageClass::Uniform | StorageClass::StorageBuffer => {
                let storage = v.class == StorageClass::StorageBuffer || table.has(inner, Decoration::BufferBlock);
                format!("#{}{}", if storage { 's' } else { 'u' }, of(Decoration::Binding).unwrap_or(0))
            }
            StorageClass::AtomicCounter => {
                let offset = of(Decoration::Offset).unwrap_or(0);
                format!("#c{}o{offset}", of(Decoration::Binding).unwrap_or(0))
            }
            StorageClass::Input | StorageClass::Output => {
                let built_in = of(Decoration::BuiltIn);
                let component = of(Decoration::Component).unwrap_or(0);
                if table.has(inner, Decoration::Block) {
                    let name = match table.of_member(inner, 0, Decoration::BuiltIn) {
                        Some(_) => "gl_PerVertex".into(),
                        None => format!("#k{stage}i{inner}"),
                    };
                    blocks.insert(inner, name);
                }
                match (built_in, of(Decoration::Location)) {
                    (Some(built_in), _) => format!("#g{built_in}"),
                    (None, Some(location)) => {
                        format!("#v{location}c{component}i{}", of(Decoration::Index).unwrap_or(0))
                    }
                    (None, None) => format!("#x{stage}i{}", v.id),
                }
            }
            _ => continue,
        };
        names.insert(v.id, name);
    }
    let structs: Vec<(u32, usize)> =
        module.globals.iter().filter(|g| g.op == Op::TypeStruct).map(|g| (g.word(0), g.words.len() - 1)).collect();
    for (id, members) in structs {
        for m in 0..members as u32 {
            let built_in = blocks.contains_key(&id).then(|| table.of_member(id, m, Decoration::BuiltIn)).flatten();
            let name = built_in.map_or_else(|| format!("m{m}"), |b| format!("gl_#g{b}"));
            let mut inst = Inst::new(Op::MemberName, &[id, m]);
            inst.words.extend(super::super::encode_string(&name));
            module.names.push(inst);
        }
    }
    for (id, name) in names.into_iter().chain(blocks) {
        module.set_name(id, &name);
    }
    Ok(())
}

/// What tells apart uniforms of one binding.
fn kind(globals: &Globals, ty: u32) -> String {
    let image = match globals.ty(ty) {
        Ok(Type::SampledImage { image }) => globals.types.image(*image),
        _ => globals.types.image(ty),
    };
    match image {
        Some(i) => {
            let texels = globals.types.shape(i.sampled).map(|s| s.scalar);
            let texels = match texels {
                Some(Scalar::Float(_)) => 'f',
                Some(Scalar::Int { signed: true, .. }) => 'i',
                _ => 'u',
            };
            let flag = |is: bool| u32::from(is);
            format!("{}{}{}{}{texels}", i.dim as u32, flag(i.arrayed), flag(i.multisampled), flag(i.storage))
        }
        None => "s".into(),
    }
}
