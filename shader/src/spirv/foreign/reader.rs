//! Words to instructions: the header, the length of each instruction, and the order of the sections (SPIR-V 1.0 sections
//! 2.3 and 2.4).

use std::collections::{HashMap, HashSet};

use spirv::{AddressingModel, Decoration, MemoryModel, Op};

use super::super::module::{Function, Inst, MAGIC, Module};
use super::super::operands::has_result;
use super::{Check, Outline, capabilities, refuse, stage_of};
use crate::stage::{CompileOptions, Stage};

/// Words of a module, at most.
const MOST_WORDS: usize = 2 << 20;
/// Ids of a module, at most (SPIR-V 1.0 section 2.17).
const MOST_IDS: u32 = 4_194_303;
/// The newest version that is read. Later ones change what entry points list.
const NEWEST: u32 = 0x0001_0300;
/// Decorations of a module, at most, those of groups counted for each member.
const MOST_DECORATIONS: usize = 1 << 18;

/// Calls `f` with each instruction's opcode and operands.
fn for_each(words: &[u32], mut f: impl FnMut(Op, &[u32]) -> Check) -> Check {
    if words.len() < 5 || words[0] != MAGIC {
        refuse!("not a SPIR-V module in the byte order of this machine");
    }
    if !(0x0001_0000..=NEWEST).contains(&words[1]) || words[1] & 0xff != 0 {
        refuse!("version {}.{} of SPIR-V is not supported", words[1] >> 16, words[1] >> 8 & 0xff);
    }
    if words.len() > MOST_WORDS || words[3] == 0 || words[3] > MOST_IDS || words[4] != 0 {
        refuse!("the module's header is beyond the limits");
    }
    let mut at = 5;
    while at < words.len() {
        let len = (words[at] >> 16) as usize;
        let Some(op) = Op::from_u32(words[at] & 0xffff) else { refuse!("unknown opcode {}", words[at] & 0xffff) };
        let Some(operands) = words.get(at + 1..at + len.max(1)).filter(|_| len > 0) else {
            refuse!("an instruction is longer than the module");
        };
        f(op, operands)?;
        at += len;
    }
    Ok(())
}

/// A literal string and the number of its words.
fn string(words: &[u32]) -> Check<(String, usize)> {
    let mut bytes = Vec::new();
    for (i, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                let text = String::from_utf8(bytes).map_err(|_| "a string is no UTF-8".to_owned())?;
                return Ok((text, i + 1));
            }
            bytes.push(byte);
        }
    }
    Err("a string has no end".into())
}

pub(super) fn outline(words: &[u32]) -> Check<Outline> {
    let mut out = Outline::default();
    for_each(words, |op, operands| {
        match op {
            Op::EntryPoint if operands.len() >= 3 => {
                if let Some(stage) = stage_of(operands[0]) {
                    out.entry_points.push((stage, string(&operands[2..])?.0));
                }
            }
            Op::Decorate if operands.len() == 3 && operands[1] == Decoration::SpecId as u32 => {
                out.constants.push(operands[2]);
            }
            _ => {}
        }
        Ok(())
    })?;
    out.constants.sort_unstable();
    Ok(out)
}

/// The place of an instruction of the module level in the order of sections; none where it stands in functions only.
fn rank(op: Op) -> Option<u32> {
    use Op::*;
    Some(match op {
        Capability => 0,
        Extension => 1,
        ExtInstImport => 2,
        MemoryModel => 3,
        EntryPoint => 4,
        ExecutionMode => 5,
        String | SourceExtension | Source | SourceContinued => 6,
        Name | MemberName => 7,
        ModuleProcessed => 8,
        Decorate | MemberDecorate | DecorationGroup | GroupDecorate | GroupMemberDecorate => 9,
        TypeVoid
        | TypeBool
        | TypeInt
        | TypeFloat
        | TypeVector
        | TypeMatrix
        | TypeImage
        | TypeSampledImage
        | TypeArray
        | TypeRuntimeArray
        | TypeStruct
        | TypePointer
        | TypeFunction
        | Constant
        | ConstantTrue
        | ConstantFalse
        | ConstantComposite
        | ConstantNull
        | SpecConstant
        | SpecConstantTrue
        | SpecConstantFalse
        | SpecConstantComposite
        | SpecConstantOp
        | Variable
        | Undef
        | Line
        | NoLine => 10,
        Function => 11,
        _ => return None,
    })
}

/// Debug information, and what says nothing.
fn is_dropped(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Nop | String | SourceExtension | Source | SourceContinued | Name | MemberName | ModuleProcessed | Line | NoLine
    )
}

/// Groups of decorations, taken apart while they are read.
#[derive(Default)]
struct Groups {
    /// Decorations of each group that can be those of others.
    members: HashMap<u32, Vec<Inst>>,
    /// Positions of decorations by what they are on.
    places: HashMap<u32, Vec<usize>>,
}

impl Groups {
    fn read(&mut self, op: Op, operands: &[u32], out: &mut Vec<Inst>) -> Check {
        match op {
            Op::DecorationGroup => {
                let Some(id) = operands.first() else { refuse!("a decoration group has no id") };
                // What decorates the group came before it.
                let places = self.places.remove(id).unwrap_or_default();
                let own = places.iter().map(|at| std::mem::replace(&mut out[*at], Inst::new(Op::Nop, &[])));
                self.members.insert(*id, own.filter(|d| d.op == Op::Decorate).collect());
            }
            Op::GroupDecorate | Op::GroupMemberDecorate => {
                let (width, made) = if op == Op::GroupDecorate { (1, Op::Decorate) } else { (2, Op::MemberDecorate) };
                let Some((group, targets)) = operands.split_first() else { refuse!("an empty group decoration") };
                let own = self.members.get(group).ok_or("no decoration group")?;
                if targets.len() % width != 0 {
                    refuse!("a group decoration of members ends within a pair");
                }
                for target in targets.chunks_exact(width) {
                    if out.len() + own.len() > MOST_DECORATIONS {
                        refuse!("too many decorations");
                    }
                    for d in own {
                        self.places.entry(target[0]).or_default().push(out.len());
                        out.push(Inst::new(made, &[target, &d.words[1..]].concat()));
                    }
                }
            }
            _ => {
                let least = if op == Op::MemberDecorate { 3 } else { 2 };
                if operands.len() < least || out.len() > MOST_DECORATIONS {
                    refuse!("a decoration is too short, or there are too many");
                }
                self.places.entry(operands[0]).or_default().push(out.len());
                out.push(Inst::new(op, operands));
            }
        }
        Ok(())
    }
}

/// Reads a module. Debug information stays behind, groups of decorations are taken apart, and every id is defined once.
pub(super) fn read(words: &[u32], options: &CompileOptions) -> Check<Module> {
    let mut m = Module { version: 0x0001_0000, bound: words.get(3).copied().unwrap_or(0), ..Module::default() };
    let mut section = 0;
    let mut groups = Groups::default();
    let mut function: Option<Function> = None;
    let mut defined: HashSet<u32> = HashSet::new();
    let bound = m.bound;
    for_each(words, |op, operands| {
        let inst = Inst::new(op, operands);
        if has_result(op) {
            match inst.result() {
                Some(id) if id != 0 && id < bound && defined.insert(id) => {}
                _ => refuse!("the id of a {op:?} is missing, out of range or defined twice"),
            }
        }
        if let Some(f) = &mut function {
            if is_dropped(op) {
                return Ok(());
            }
            f.insts.push(inst);
            if op == Op::FunctionEnd {
                m.functions.extend(function.take());
            }
            return Ok(());
        }
        let Some(rank) = rank(op) else { refuse!("{op:?} is not supported, or stands outside of functions") };
        if rank < section {
            refuse!("{op:?} comes too late in the module");
        }
        section = rank;
        if is_dropped(op) {
            return Ok(());
        }
        match rank {
            0 => m.capabilities.push(inst),
            1 => m.extensions.push(inst),
            2 => m.imports.push(inst),
            3 => m.memory_model.push(inst),
            4 => m.entry_points.push(inst),
            5 => m.execution_modes.push(inst),
            9 => groups.read(op, operands, &mut m.annotations)?,
            10 => m.globals.push(inst),
            _ => function = Some(Function { insts: vec![inst] }),
        }
        Ok(())
    })?;
    if function.is_some() {
        refuse!("the last function has no end");
    }
    m.annotations.retain(|d| d.op != Op::Nop);
    if m.annotations.iter().any(|d| groups.members.contains_key(&d.word(0))) {
        refuse!("a decoration group is decorated after it was made");
    }
    head(&mut m, options)?;
    Ok(m)
}

/// Capabilities, extensions, imports and the memory model.
fn head(m: &mut Module, options: &CompileOptions) -> Check {
    for inst in &m.capabilities {
        if inst.words.len() != 1 || !capabilities::is_allowed(inst.word(0), options) {
            refuse!("capability {} is not supported", inst.word(0));
        }
    }
    for inst in &m.extensions {
        let (name, used) = string(&inst.words)?;
        if used != inst.words.len() || !capabilities::extensions(options).contains(&name.as_str()) {
            refuse!("extension {name} is not supported");
        }
    }
    for inst in &m.imports {
        if inst.words.is_empty() || string(&inst.words[1..])? != ("GLSL.std.450".to_owned(), inst.words.len() - 1) {
            refuse!("only the instructions of GLSL.std.450 can be imported");
        }
    }
    if m.imports.len() > 1 {
        refuse!("GLSL.std.450 is imported more than once");
    }
    let known = [MemoryModel::Simple as u32, MemoryModel::GLSL450 as u32];
    match &m.memory_model[..] {
        [one]
            if one.words.len() == 2
                && one.word(0) == AddressingModel::Logical as u32
                && known.contains(&one.word(1)) => {}
        _ => refuse!("the memory model is not that of OpenGL"),
    }
    m.memory_model[0].words[1] = MemoryModel::GLSL450 as u32;
    Ok(())
}

/// Keeps one entry point, with its modes.
pub(super) fn choose_entry(m: &mut Module, stage: Stage, name: &str) -> Check {
    let mut found = Vec::new();
    for inst in std::mem::take(&mut m.entry_points) {
        if inst.words.len() < 3 {
            refuse!("an entry point is too short");
        }
        if stage_of(inst.word(0)) == Some(stage) && string(&inst.words[2..])?.0 == name {
            found.push(inst);
        }
    }
    let [entry] = &found[..] else { refuse!("there is no entry point `{name}', or more than one") };
    let function = entry.word(1);
    if m.execution_modes.iter().any(|mode| mode.words.len() < 2) {
        refuse!("an execution mode is too short");
    }
    m.execution_modes.retain(|mode| mode.word(0) == function);
    m.entry_points = found;
    Ok(())
}

/// The variables that an entry point lists.
pub(super) fn listed(entry: &Inst) -> Check<Vec<u32>> {
    let (_, used) = string(&entry.words[2..])?;
    Ok(entry.words[2 + used..].to_vec())
}
