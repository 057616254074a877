//! Takes input and output blocks apart, `gl_PerVertex` included: each member becomes a variable of
//! its own, named `Block.member` (built-ins by their own name). Afterwards a stage's interface is a
//! flat list of variables, unused members disappear by themselves, and a `gl_ClipDistance` nobody
//! writes can't enable clipping.

use std::collections::{HashMap, HashSet};

use crate::link::interface::IoBlock;
use crate::spirv::{Decoration, Inst, Module, Op, StorageClass, TypeTable};

/// A block and what it takes to split it.
struct Found {
    id: u32,
    class: StorageClass,
    struct_id: u32,
    /// Array lengths in front of the block, outermost first (constant ids).
    dims: Vec<u32>,
    /// Type, locations and name of each member.
    members: Vec<(u32, u32, String)>,
}

struct Split {
    /// Array lengths in front of the block, outermost first (constant ids).
    dims: Vec<u32>,
    /// New variable and its value type per member.
    members: Vec<(u32, u32)>,
}

/// Runs the pass. Returns the input and output blocks, built-in ones left out.
pub(crate) fn run(module: &mut Module) -> [Vec<IoBlock>; 2] {
    let (found, blocks) = find(module);
    let splits: HashMap<u32, Split> = found.into_iter().map(|found| (found.id, split(module, found))).collect();
    if splits.is_empty() {
        return blocks;
    }
    let mut aliases: HashMap<u32, u32> = HashMap::new();
    let constants: HashMap<u32, u32> =
        module.globals.iter().filter(|g| g.op == Op::Constant).map(|g| (g.word(1), g.word(2))).collect();
    for f in 0..module.functions.len() {
        let mut insts = std::mem::take(&mut module.functions[f].insts);
        insts.retain_mut(|inst| rewrite(&constants, &splits, &mut aliases, inst));
        module.functions[f].insts = insts;
    }
    module.remap_ids(&aliases);
    module.globals.retain(|g| g.op != Op::Variable || !splits.contains_key(&g.word(1)));
    module.fix_interface();
    blocks
}

/// Returns false when the instruction goes away.
fn rewrite(
    constants: &HashMap<u32, u32>,
    splits: &HashMap<u32, Split>,
    aliases: &mut HashMap<u32, u32>,
    inst: &mut Inst,
) -> bool {
    if !matches!(inst.op, Op::AccessChain | Op::InBoundsAccessChain) {
        return true;
    }
    let Some(split) = splits.get(&inst.word(2)) else { return true };
    let at = 3 + split.dims.len();
    let Some(member) = inst.words.get(at).and_then(|i| constants.get(i).copied()) else { return true };
    let Some(&(variable, _)) = split.members.get(member as usize) else { return true };
    inst.words[2] = variable;
    inst.words.remove(at);
    if inst.words.len() == 3 {
        aliases.insert(inst.word(1), variable);
        return false;
    }
    true
}

/// Ids of types that are blocks.
fn block_types(module: &Module) -> HashSet<u32> {
    let is_block = |a: &&Inst| a.op == Op::Decorate && a.word(1) == Decoration::Block as u32;
    module.annotations.iter().filter(is_block).map(|a| a.word(0)).collect()
}

/// The input and output blocks: what it takes to split each, and those of them that are not built in as the program has
/// them.
fn find(module: &Module) -> (Vec<Found>, [Vec<IoBlock>; 2]) {
    let (mut all, mut blocks) = (Vec::new(), [Vec::new(), Vec::new()]);
    let block_types = block_types(module);
    if block_types.is_empty() {
        return (all, blocks);
    }
    let table = TypeTable::new(module);
    let member_names = module.member_names();
    for (_, pointer, id, class) in module.variables() {
        let class = match class {
            c if c == StorageClass::Input as u32 => StorageClass::Input,
            c if c == StorageClass::Output as u32 => StorageClass::Output,
            _ => continue,
        };
        let Some(mut ty) = table.pointee(pointer) else { continue };
        let mut dims = Vec::new();
        while let Some(def) = table.def(ty).filter(|d| d.op == Op::TypeArray) {
            dims.push(def.word(2));
            ty = def.word(1);
        }
        let Some(def) = table.def(ty).filter(|d| d.op == Op::TypeStruct && block_types.contains(&ty)) else { continue };
        let block = table.name(ty);
        let members = || {
            let name = |m: usize| member_names.get(&(ty, m as u32)).cloned().unwrap_or_default();
            def.words[1..].iter().enumerate().map(move |(m, ty)| (name(m), *ty))
        };
        if !block.starts_with("gl_") {
            blocks[usize::from(class == StorageClass::Output)].push(IoBlock {
                name: block.to_owned(),
                instance: !table.name(id).is_empty(),
                array: !dims.is_empty(),
                members: members().map(|(name, ty)| (name, table.ty(ty))).collect(),
            });
        }
        let members = members().map(|(member, ty)| {
            let name = if member.starts_with("gl_") { member } else { format!("{block}.{member}") };
            (ty, table.ty(ty).slots(), name)
        });
        all.push(Found { id, class, struct_id: ty, dims, members: members.collect() });
    }
    (all, blocks)
}

fn split(module: &mut Module, found: Found) -> Split {
    let Found { id, class, struct_id, dims, members: found } = found;
    let inherited: Vec<Inst> =
        module.annotations.iter().filter(|a| a.op == Op::Decorate && a.word(0) == id).cloned().collect();
    let mut location = module.decoration(id, Decoration::Location);
    let mut members = Vec::new();
    for (m, (member_type, slots, name)) in found.into_iter().enumerate() {
        let mut ty = member_type;
        for len in dims.iter().rev() {
            ty = module.intern(Op::TypeArray, &[ty, *len]);
        }
        let variable = module.add_variable(class, ty);
        module.set_name(variable, &name);
        let own: Vec<Inst> = module
            .annotations
            .iter()
            .filter(|a| a.op == Op::MemberDecorate && a.word(0) == struct_id && a.word(1) == m as u32)
            .cloned()
            .collect();
        for a in &own {
            let mut words = vec![variable];
            words.extend_from_slice(&a.words[2..]);
            module.annotations.push(Inst::new(Op::Decorate, &words));
        }
        for a in &inherited {
            let what = a.word(1);
            if what != Decoration::Location as u32 && !own.iter().any(|o| o.word(2) == what) {
                let mut words = a.words.clone();
                words[0] = variable;
                module.annotations.push(Inst { op: Op::Decorate, words });
            }
        }
        // GLSL 4.60 section 4.4.1: a block's location counts on through its members.
        if let Some(next) = location.as_mut() {
            match module.decoration(variable, Decoration::Location) {
                Some(explicit) => *next = explicit + slots,
                None => {
                    module.decorate(variable, Decoration::Location, &[*next]);
                    *next += slots;
                }
            }
        }
        members.push((variable, ty));
    }
    Split { dims, members }
}
