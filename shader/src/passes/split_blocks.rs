//! Takes input and output blocks apart, `gl_PerVertex` included: each member becomes a variable of
//! its own, named `Block.member` (built-ins by their own name). Afterwards a stage's interface is a
//! flat list of variables, unused members disappear by themselves, and a `gl_ClipDistance` nobody
//! writes can't enable clipping.

use std::collections::HashMap;

use crate::link::interface::IoBlock;
use crate::spirv::{Decoration, Inst, Module, Op, StorageClass, TypeTable};

/// The input and output blocks of a module that is still whole, built-in ones left out.
pub(crate) fn blocks(module: &Module) -> [Vec<IoBlock>; 2] {
    let table = TypeTable::new(module);
    let member_names = module.member_names();
    let mut out = [Vec::new(), Vec::new()];
    for (_, pointer, id, class) in module.variables() {
        let which = match class {
            c if c == StorageClass::Input as u32 => 0,
            c if c == StorageClass::Output as u32 => 1,
            _ => continue,
        };
        let Some(mut ty) = table.pointee(pointer) else { continue };
        let array = table.def(ty).is_some_and(|d| d.op == Op::TypeArray);
        while let Some(def) = table.def(ty).filter(|d| d.op == Op::TypeArray) {
            ty = def.word(1);
        }
        let Some(def) = table.def(ty).filter(|d| d.op == Op::TypeStruct) else { continue };
        let name = table.name(ty);
        if module.decoration(ty, Decoration::Block).is_none() || name.starts_with("gl_") {
            continue;
        }
        let members = def.words[1..].iter().enumerate();
        out[which].push(IoBlock {
            name: name.to_owned(),
            instance: !table.name(id).is_empty(),
            array,
            members: members
                .map(|(m, t)| (member_names.get(&(ty, m as u32)).cloned().unwrap_or_default(), table.ty(*t)))
                .collect(),
        });
    }
    out
}

struct Split {
    /// Array lengths in front of the block, outermost first (constant ids).
    dims: Vec<u32>,
    /// New variable and its value type per member.
    members: Vec<(u32, u32)>,
}

/// Runs the pass.
pub(crate) fn run(module: &mut Module) {
    let mut splits: HashMap<u32, Split> = HashMap::new();
    for (_, pointer, id, class) in module.variables() {
        let class = match class {
            c if c == StorageClass::Input as u32 => StorageClass::Input,
            c if c == StorageClass::Output as u32 => StorageClass::Output,
            _ => continue,
        };
        if let Some(split) = split_variable(module, pointer, id, class) {
            splits.insert(id, split);
        }
    }
    if splits.is_empty() {
        return;
    }
    let mut aliases: HashMap<u32, u32> = HashMap::new();
    for f in 0..module.functions.len() {
        let mut insts = std::mem::take(&mut module.functions[f].insts);
        insts.retain_mut(|inst| rewrite(module, &splits, &mut aliases, inst));
        module.functions[f].insts = insts;
    }
    module.remap_ids(&aliases);
    module.globals.retain(|g| g.op != Op::Variable || !splits.contains_key(&g.word(1)));
    module.fix_interface();
}

/// Returns false when the instruction goes away.
fn rewrite(
    module: &mut Module,
    splits: &HashMap<u32, Split>,
    aliases: &mut HashMap<u32, u32>,
    inst: &mut Inst,
) -> bool {
    if !matches!(inst.op, Op::AccessChain | Op::InBoundsAccessChain) {
        return true;
    }
    let Some(split) = splits.get(&inst.word(2)) else { return true };
    let at = 3 + split.dims.len();
    let Some(member) = inst.words.get(at).and_then(|i| constant(module, *i)) else { return true };
    let Some(&(variable, _)) = split.members.get(member as usize) else { return true };
    inst.words[2] = variable;
    inst.words.remove(at);
    if inst.words.len() == 3 {
        aliases.insert(inst.word(1), variable);
        return false;
    }
    true
}

fn constant(module: &Module, id: u32) -> Option<u32> {
    module.globals.iter().find(|g| g.op == Op::Constant && g.word(1) == id).map(|g| g.word(2))
}

fn split_variable(module: &mut Module, pointer: u32, id: u32, class: StorageClass) -> Option<Split> {
    let (dims, struct_id, member_types, names) = {
        let table = TypeTable::new(module);
        let mut ty = table.pointee(pointer)?;
        let mut dims = Vec::new();
        while let Some(def) = table.def(ty).filter(|d| d.op == Op::TypeArray) {
            dims.push(def.word(2));
            ty = def.word(1);
        }
        let def = table.def(ty).filter(|d| d.op == Op::TypeStruct)?;
        let block = table.name(ty).to_owned();
        let member_names = module.member_names();
        let names: Vec<String> = (0..def.words.len() as u32 - 1)
            .map(|m| {
                let member = member_names.get(&(ty, m)).cloned().unwrap_or_default();
                if member.starts_with("gl_") { member } else { format!("{block}.{member}") }
            })
            .collect();
        (dims, ty, def.words[1..].to_vec(), names)
    };
    module.decoration(struct_id, Decoration::Block)?;
    let inherited: Vec<Inst> =
        module.annotations.iter().filter(|a| a.op == Op::Decorate && a.word(0) == id).cloned().collect();
    let mut location = module.decoration(id, Decoration::Location);
    let mut members = Vec::new();
    for (m, member_type) in member_types.iter().enumerate() {
        let mut ty = *member_type;
        for len in dims.iter().rev() {
            ty = module.intern(Op::TypeArray, &[ty, *len]);
        }
        let variable = module.add_variable(class, ty);
        module.set_name(variable, &names[m]);
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
            let slots = TypeTable::new(module).ty(*member_type).slots();
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
    Some(Split { dims, members })
}
