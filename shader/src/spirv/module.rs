//! The module: sections of instructions, and edits that keep it valid.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;

use smallvec::SmallVec;
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::operands::{for_each_id, has_result, has_result_type, map_ids};

/// One instruction without its leading opcode word: result type and result id come first where the
/// opcode has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inst {
    pub op: Op,
    pub words: SmallVec<[u32; 6]>,
}

impl Inst {
    pub fn new(op: Op, words: &[u32]) -> Inst {
        Inst { op, words: SmallVec::from_slice(words) }
    }

    /// Result id, if the opcode has one.
    pub fn result(&self) -> Option<u32> {
        if !has_result(self.op) {
            return None;
        }
        self.words.get(usize::from(has_result_type(self.op))).copied()
    }

    /// Result type, if the opcode has one.
    pub fn result_type(&self) -> Option<u32> {
        if has_result_type(self.op) { self.words.first().copied() } else { None }
    }

    /// Operand word `i`, or 0 when the instruction is shorter.
    pub fn word(&self, i: usize) -> u32 {
        self.words.get(i).copied().unwrap_or(0)
    }
}

/// A function: OpFunction to OpFunctionEnd.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub insts: Vec<Inst>,
}

impl Function {
    pub fn id(&self) -> u32 {
        self.insts.first().map_or(0, |i| i.word(1))
    }
}

/// A whole module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    pub version: u32,
    pub bound: u32,
    pub capabilities: Vec<Inst>,
    pub extensions: Vec<Inst>,
    pub imports: Vec<Inst>,
    pub memory_model: Vec<Inst>,
    pub entry_points: Vec<Inst>,
    pub execution_modes: Vec<Inst>,
    pub names: Vec<Inst>,
    pub annotations: Vec<Inst>,
    pub globals: Vec<Inst>,
    pub functions: Vec<Function>,
}

/// The first word of a module.
pub(super) const MAGIC: u32 = 0x0723_0203;

/// Decodes a literal string operand; returns the text and how many words it took.
pub(crate) fn decode_string(words: &[u32]) -> (String, usize) {
    let mut bytes = Vec::new();
    for (i, w) in words.iter().enumerate() {
        for b in w.to_le_bytes() {
            if b == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), i + 1);
            }
            bytes.push(b);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), words.len())
}

/// Encodes a literal string operand.
pub(crate) fn encode_string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    while !bytes.len().is_multiple_of(4) {
        bytes.push(0);
    }
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// Decorations of ids by id and kind, for who asks for many: the first literal, 0 without one.
pub(crate) struct Decorated(HashMap<(u32, u32), u32>);

impl Decorated {
    pub fn of(&self, id: u32, what: Decoration) -> Option<u32> {
        self.0.get(&(id, what as u32)).copied()
    }

    pub fn has(&self, id: u32, what: Decoration) -> bool {
        self.of(id, what).is_some()
    }
}

impl Module {
    /// The decorations of all ids.
    pub fn decorated(&self) -> Decorated {
        let mut all = HashMap::new();
        for a in self.annotations.iter().filter(|a| a.op == Op::Decorate) {
            all.entry((a.word(0), a.word(1))).or_insert(a.word(2));
        }
        Decorated(all)
    }

    /// Reads words. `None` when they are not a well-formed module.
    pub fn parse(words: &[u32]) -> Option<Module> {
        if words.len() < 5 || words[0] != MAGIC {
            return None;
        }
        let mut m = Module { version: words[1], bound: words[3], ..Module::default() };
        let mut at = 5;
        let mut current: Option<Function> = None;
        while at < words.len() {
            let len = (words[at] >> 16) as usize;
            let op = Op::from_u32(words[at] & 0xffff)?;
            if len == 0 || at + len > words.len() {
                return None;
            }
            let inst = Inst::new(op, &words[at + 1..at + len]);
            at += len;
            if let Some(f) = &mut current {
                f.insts.push(inst);
                if op == Op::FunctionEnd {
                    m.functions.extend(current.take());
                }
                continue;
            }
            match op {
                Op::Capability => m.capabilities.push(inst),
                Op::Extension => m.extensions.push(inst),
                Op::ExtInstImport => m.imports.push(inst),
                Op::MemoryModel => m.memory_model.push(inst),
                Op::EntryPoint => m.entry_points.push(inst),
                Op::ExecutionMode | Op::ExecutionModeId => m.execution_modes.push(inst),
                Op::Source | Op::SourceExtension | Op::SourceContinued | Op::String | Op::ModuleProcessed => {}
                Op::Line | Op::NoLine => {}
                Op::Name | Op::MemberName => m.names.push(inst),
                Op::Decorate | Op::MemberDecorate | Op::DecorateId | Op::DecorateString | Op::MemberDecorateString => {
                    m.annotations.push(inst)
                }
                Op::Function => current = Some(Function { insts: vec![inst] }),
                _ => m.globals.push(inst),
            }
        }
        if m.entry_points.is_empty() || current.is_some() { None } else { Some(m) }
    }

    /// Writes the module as words.
    pub fn words(&self) -> Vec<u32> {
        let version = if self.version == 0 { 0x0001_0000 } else { self.version };
        let mut out = vec![MAGIC, version, 0, self.bound, 0];
        let sections = [
            &self.capabilities,
            &self.extensions,
            &self.imports,
            &self.memory_model,
            &self.entry_points,
            &self.execution_modes,
            &self.names,
            &self.annotations,
            &self.globals,
        ];
        let mut put = |inst: &Inst| {
            out.push(((inst.words.len() as u32 + 1) << 16) | inst.op as u32);
            out.extend_from_slice(&inst.words);
        };
        sections.into_iter().flatten().for_each(&mut put);
        self.functions.iter().flat_map(|f| &f.insts).for_each(&mut put);
        out
    }

    /// A fresh id.
    pub fn id(&mut self) -> u32 {
        let id = self.bound;
        self.bound += 1;
        id
    }

    /// The function the entry point names.
    pub fn entry_function(&self) -> u32 {
        self.entry_points.first().map_or(0, |e| e.word(1))
    }

    /// Names of ids (not of members).
    pub fn name_table(&self) -> HashMap<u32, String> {
        self.names.iter().filter(|n| n.op == Op::Name).map(|n| (n.word(0), decode_string(&n.words[1..]).0)).collect()
    }

    /// Names of struct members.
    pub fn member_names(&self) -> HashMap<(u32, u32), String> {
        self.names
            .iter()
            .filter(|n| n.op == Op::MemberName)
            .map(|n| ((n.word(0), n.word(1)), decode_string(&n.words[2..]).0))
            .collect()
    }

    /// Replaces names by others.
    pub fn restore_names(&mut self, others: &HashMap<String, String>) {
        if others.is_empty() {
            return;
        }
        for n in &mut self.names {
            let at = if n.op == Op::Name { 1 } else { 2 };
            let (name, _) = decode_string(&n.words[at..]);
            if let Some(written) = others.get(&name) {
                n.words.truncate(at);
                n.words.extend(encode_string(written));
            }
        }
    }

    /// Names an id for debuggers.
    pub fn set_name(&mut self, id: u32, name: &str) {
        let mut inst = Inst::new(Op::Name, &[id]);
        inst.words.extend(encode_string(name));
        self.names.push(inst);
    }

    /// First literal of decoration `what` on `id`; 0 for decorations without literals.
    pub fn decoration(&self, id: u32, what: Decoration) -> Option<u32> {
        self.annotations
            .iter()
            .find(|a| a.op == Op::Decorate && a.word(0) == id && a.word(1) == what as u32)
            .map(|a| a.word(2))
    }

    /// Adds a decoration.
    pub fn decorate(&mut self, id: u32, what: Decoration, literals: &[u32]) {
        let mut inst = Inst::new(Op::Decorate, &[id, what as u32]);
        inst.words.extend_from_slice(literals);
        self.annotations.push(inst);
    }

    /// Gives `to` the decorations that `from` has, or its members have.
    pub fn copy_annotations(&mut self, op: Op, from: u32, to: u32) {
        let own = self.annotations.iter().filter(|a| a.op == op && a.word(0) == from);
        let copies: Vec<Inst> = own.map(|a| Inst::new(op, &[&[to], &a.words[1..]].concat())).collect();
        self.annotations.extend(copies);
    }

    /// Adds a member decoration.
    pub fn decorate_member(&mut self, id: u32, member: u32, what: Decoration, literals: &[u32]) {
        let mut inst = Inst::new(Op::MemberDecorate, &[id, member, what as u32]);
        inst.words.extend_from_slice(literals);
        self.annotations.push(inst);
    }

    /// Removes decoration `what` from `id`.
    pub fn undecorate(&mut self, id: u32, what: Decoration) {
        self.annotations.retain(|a| !(a.op == Op::Decorate && a.word(0) == id && a.word(1) == what as u32));
    }

    /// Built-in that `id` is decorated as.
    pub fn built_in(&self, id: u32) -> Option<BuiltIn> {
        self.decoration(id, Decoration::BuiltIn).and_then(BuiltIn::from_u32)
    }

    /// The id of a variable decorated as `what` in storage class `class`.
    pub fn find_built_in(&self, what: BuiltIn, class: StorageClass) -> Option<u32> {
        self.globals
            .iter()
            .filter(|g| g.op == Op::Variable && g.word(2) == class as u32)
            .map(|g| g.word(1))
            .find(|v| self.built_in(*v) == Some(what))
    }

    /// Finds a global instruction equal in opcode and operands after its result id, or adds it.
    /// Only for types and constants, which must be unique.
    pub fn intern(&mut self, op: Op, operands: &[u32]) -> u32 {
        let typed = has_result_type(op);
        let found = self.globals.iter().find(|g| {
            g.op == op
                && g.words.len() == operands.len() + 1
                && if typed {
                    g.words[0] == operands[0] && g.words[2..] == operands[1..]
                } else {
                    g.words[1..] == *operands
                }
        });
        if let Some(found) = found {
            return found.result().unwrap_or(0);
        }
        self.append_global(op, operands)
    }

    /// Adds a global instruction with a fresh result id.
    pub fn append_global(&mut self, op: Op, operands: &[u32]) -> u32 {
        let id = self.id();
        let mut inst = Inst::new(op, &[]);
        if has_result_type(op) {
            inst.words.push(operands[0]);
            inst.words.push(id);
            inst.words.extend_from_slice(&operands[1..]);
        } else {
            inst.words.push(id);
            inst.words.extend_from_slice(operands);
        }
        self.globals.push(inst);
        id
    }

    /// 32-bit float type.
    pub fn type_float(&mut self) -> u32 {
        self.intern(Op::TypeFloat, &[32])
    }

    /// 32-bit signed integer type.
    pub fn type_int(&mut self) -> u32 {
        self.intern(Op::TypeInt, &[32, 1])
    }

    /// 32-bit unsigned integer type.
    pub fn type_uint(&mut self) -> u32 {
        self.intern(Op::TypeInt, &[32, 0])
    }

    /// Vector type.
    pub fn type_vector(&mut self, component: u32, count: u32) -> u32 {
        self.intern(Op::TypeVector, &[component, count])
    }

    /// Pointer type.
    pub fn type_pointer(&mut self, class: StorageClass, to: u32) -> u32 {
        self.intern(Op::TypePointer, &[class as u32, to])
    }

    /// Signed integer constant.
    pub fn const_int(&mut self, value: i32) -> u32 {
        let ty = self.type_int();
        self.intern(Op::Constant, &[ty, value as u32])
    }

    /// Unsigned integer constant.
    pub fn const_uint(&mut self, value: u32) -> u32 {
        let ty = self.type_uint();
        self.intern(Op::Constant, &[ty, value])
    }

    /// Float constant.
    pub fn const_float(&mut self, value: f32) -> u32 {
        let ty = self.type_float();
        self.intern(Op::Constant, &[ty, value.to_bits()])
    }

    /// Array type (undecorated).
    pub fn type_array(&mut self, element: u32, len: u32) -> u32 {
        let len = self.const_uint(len);
        self.intern(Op::TypeArray, &[element, len])
    }

    /// Adds a global variable of value type `ty`; interface classes must be added to the entry
    /// point by [`Module::fix_interface`].
    pub fn add_variable(&mut self, class: StorageClass, ty: u32) -> u32 {
        let pointer = self.type_pointer(class, ty);
        self.append_global(Op::Variable, &[pointer, class as u32])
    }

    /// The global instruction that defines an id. Who asks often has a [`TypeTable`](super::TypeTable).
    pub fn global(&self, id: u32) -> Option<&Inst> {
        self.globals.iter().find(|g| g.result() == Some(id))
    }

    /// Whether a capability is declared.
    pub fn has_capability(&self, what: Capability) -> bool {
        self.capabilities.iter().any(|c| c.word(0) == what as u32)
    }

    /// Adds a capability once.
    pub fn add_capability(&mut self, what: Capability) {
        if !self.has_capability(what) {
            self.capabilities.push(Inst::new(Op::Capability, &[what as u32]));
        }
    }

    /// Removes a capability.
    pub fn remove_capability(&mut self, what: Capability) {
        self.capabilities.retain(|c| c.word(0) != what as u32);
    }

    /// Global OpVariable instructions as (index in `globals`, pointer type, id, class).
    pub fn variables(&self) -> Vec<(usize, u32, u32, u32)> {
        self.globals
            .iter()
            .enumerate()
            .filter(|(_, g)| g.op == Op::Variable)
            .map(|(i, g)| (i, g.word(0), g.word(1), g.word(2)))
            .collect()
    }

    /// Makes the entry point list exactly the Input and Output variables that exist (SPIR-V
    /// before 1.4).
    pub fn fix_interface(&mut self) {
        let vars: Vec<u32> = self
            .globals
            .iter()
            .filter(|g| {
                g.op == Op::Variable
                    && (g.word(2) == StorageClass::Input as u32 || g.word(2) == StorageClass::Output as u32)
            })
            .map(|g| g.word(1))
            .collect();
        for entry in &mut self.entry_points {
            let (_, used) = decode_string(&entry.words[2..]);
            entry.words.truncate(2 + used);
            entry.words.extend_from_slice(&vars);
        }
    }

    /// Rewrites every id through `map` (absent ids stay).
    pub fn remap_ids(&mut self, map: &HashMap<u32, u32>) {
        if map.is_empty() {
            return;
        }
        let sections = [
            &mut self.entry_points,
            &mut self.execution_modes,
            &mut self.names,
            &mut self.annotations,
            &mut self.globals,
        ];
        for inst in sections.into_iter().flatten().chain(self.functions.iter_mut().flat_map(|f| &mut f.insts)) {
            map_ids(inst, |id| map.get(&id).copied().unwrap_or(id));
        }
    }

    /// Merges equal types that SPIR-V wants unique (all but arrays and structs).
    pub fn dedupe_types(&mut self) {
        let mut seen: HashMap<(u32, SmallVec<[u32; 6]>), u32> = HashMap::new();
        let mut map: HashMap<u32, u32> = HashMap::new();
        self.globals.retain_mut(|g| {
            if !map.is_empty() {
                map_ids(g, |id| map.get(&id).copied().unwrap_or(id));
            }
            let unique = matches!(
                g.op,
                Op::TypeImage
                    | Op::TypeSampledImage
                    | Op::TypePointer
                    | Op::TypeFunction
                    | Op::TypeVector
                    | Op::TypeInt
            );
            if !unique {
                return true;
            }
            let operands = SmallVec::from_slice(&g.words[1..]);
            match seen.entry((g.op as u32, operands)) {
                std::collections::hash_map::Entry::Occupied(first) => {
                    map.insert(g.word(0), *first.get());
                    false
                }
                std::collections::hash_map::Entry::Vacant(slot) => {
                    slot.insert(g.word(0));
                    true
                }
            }
        });
        self.remap_ids(&map);
    }

    /// Makes code that refers to a variable refer to another of the same type; the first goes away.
    pub fn unite_variables(&mut self, into: &HashMap<u32, u32>) {
        if into.is_empty() {
            return;
        }
        self.globals.retain(|g| g.op != Op::Variable || !into.contains_key(&g.word(1)));
        self.annotations.retain(|a| !into.contains_key(&a.word(0)));
        self.names.retain(|n| !into.contains_key(&n.word(0)));
        self.remap_ids(into);
        self.fix_interface();
    }

    /// Gives variables these locations in place of those they have.
    pub fn locate(&mut self, located: &[(u32, u32)]) {
        let ids: HashSet<u32> = located.iter().map(|l| l.0).collect();
        let old = |a: &Inst| a.op == Op::Decorate && a.word(1) == Decoration::Location as u32;
        self.annotations.retain(|a| !(old(a) && ids.contains(&a.word(0))));
        located.iter().for_each(|(id, location)| self.decorate(*id, Decoration::Location, &[*location]));
    }

    /// Turns an interface variable into a private one.
    pub fn demote_to_private(&mut self, variable: u32) {
        self.demote_all_to_private(&[variable]);
    }

    /// Turns interface variables into private ones.
    pub fn demote_all_to_private(&mut self, variables: &[u32]) {
        if variables.is_empty() {
            return;
        }
        let private = StorageClass::Private;
        let pointees: HashMap<u32, u32> =
            self.globals.iter().filter(|g| g.op == Op::TypePointer).map(|g| (g.word(0), g.word(2))).collect();
        let wanted: HashSet<u32> = variables.iter().copied().collect();
        let is_gone = |g: &Inst| g.op == Op::Variable && wanted.contains(&g.word(1));
        let pointers: HashMap<u32, u32> =
            self.globals.iter().filter(|g| is_gone(g)).map(|g| (g.word(1), g.word(0))).collect();
        self.globals.retain(|g| !is_gone(g));
        self.annotations.retain(|a| !pointers.contains_key(&a.word(0)));
        // By the old pointer type: the new one, and the value a variable begins with.
        let mut made: HashMap<u32, (u32, u32)> = HashMap::new();
        for (variable, old) in variables.iter().filter_map(|v| Some((*v, *pointers.get(v)?))) {
            let (pointer, null) = *made.entry(old).or_insert_with(|| {
                let value = pointees.get(&old).copied().unwrap_or(0);
                (self.type_pointer(private, value), self.intern(Op::ConstantNull, &[value]))
            });
            self.globals.push(Inst::new(Op::Variable, &[pointer, variable, private as u32, null]));
        }
        let mut retyped: HashMap<u32, u32> = HashMap::new();
        for f in 0..self.functions.len() {
            let mut insts = std::mem::take(&mut self.functions[f].insts);
            for inst in insts.iter_mut().filter(|i| i.op == Op::AccessChain && pointers.contains_key(&i.word(2))) {
                let old = inst.word(0);
                inst.words[0] = *retyped
                    .entry(old)
                    .or_insert_with(|| self.type_pointer(private, pointees.get(&old).copied().unwrap_or(0)));
            }
            self.functions[f].insts = insts;
        }
    }

    /// Inserts code before each return of the entry function.
    pub fn insert_before_return(&mut self, mut code: impl FnMut(&mut Module, &mut Vec<Inst>)) {
        let entry = self.entry_function();
        let Some(f) = self.functions.iter().position(|f| f.id() == entry) else { return };
        let insts = std::mem::take(&mut self.functions[f].insts);
        let mut out = Vec::with_capacity(insts.len() + 16);
        for inst in insts {
            if inst.op == Op::Return {
                code(self, &mut out);
            }
            out.push(inst);
        }
        self.functions[f].insts = out;
    }

    /// Inserts code before each EmitVertex (EmitStreamVertex) of any function.
    pub fn insert_before_emit(&mut self, mut code: impl FnMut(&mut Module, &mut Vec<Inst>)) {
        for f in 0..self.functions.len() {
            let insts = std::mem::take(&mut self.functions[f].insts);
            let mut out = Vec::with_capacity(insts.len() + 16);
            for inst in insts {
                if matches!(inst.op, Op::EmitVertex | Op::EmitStreamVertex) {
                    code(self, &mut out);
                }
                out.push(inst);
            }
            self.functions[f].insts = out;
        }
    }

    /// True for a geometry stage.
    pub fn is_geometry(&self) -> bool {
        self.entry_points.first().is_some_and(|e| e.word(0) == ExecutionModel::Geometry as u32)
    }

    /// The execution model; a vertex stage where there is none.
    pub fn execution_model(&self) -> ExecutionModel {
        let model = self.entry_points.first().and_then(|e| ExecutionModel::from_u32(e.word(0)));
        model.unwrap_or(ExecutionModel::Vertex)
    }

    /// Inserts code where the outputs of a vertex are final: before each emitted vertex of a
    /// geometry stage, else before each return of the entry function.
    pub fn insert_before_vertex_end(&mut self, code: impl FnMut(&mut Module, &mut Vec<Inst>)) {
        if self.is_geometry() { self.insert_before_emit(code) } else { self.insert_before_return(code) }
    }

    /// Moves type `ty` (and the scalar below a vector) in front of global `before`, which now
    /// refers to it.
    pub fn move_types_before(&mut self, ty: u32, before: u32) {
        let at = |m: &Module, id: u32| m.globals.iter().position(|g| g.result() == Some(id));
        let component = self.global(ty).filter(|g| g.op == Op::TypeVector).map(|g| g.word(1));
        for id in component.into_iter().chain([ty]) {
            if let (Some(from), Some(to)) = (at(self, id), at(self, before))
                && from > to
            {
                let inst = self.globals.remove(from);
                self.globals.insert(to, inst);
            }
        }
    }

    /// Adds an execution mode, in place of another where there is one.
    pub fn set_execution_mode(&mut self, mode: ExecutionMode, instead_of: Option<ExecutionMode>) {
        self.execution_modes
            .retain(|m| m.word(1) != mode as u32 && instead_of.is_none_or(|other| m.word(1) != other as u32));
        let entry = self.entry_function();
        self.execution_modes.push(Inst::new(Op::ExecutionMode, &[entry, mode as u32]));
    }

    /// Adds an extension once.
    pub fn add_extension(&mut self, name: &str) {
        let words = encode_string(name);
        if !self.extensions.iter().any(|e| e.words[..] == words[..]) {
            self.extensions.push(Inst::new(Op::Extension, &words));
        }
    }

    /// Removes an extension.
    pub fn remove_extension(&mut self, name: &str) {
        let words = encode_string(name);
        self.extensions.retain(|e| e.words[..] != words[..]);
    }

    /// Inserts code at the start of the entry function, after its variables.
    pub fn insert_at_entry(&mut self, mut code: impl FnMut(&mut Module, &mut Vec<Inst>)) {
        let entry = self.entry_function();
        let Some(f) = self.functions.iter().position(|f| f.id() == entry) else { return };
        let insts = std::mem::take(&mut self.functions[f].insts);
        let at = insts
            .iter()
            .position(|i| !matches!(i.op, Op::Function | Op::FunctionParameter | Op::Label | Op::Variable))
            .unwrap_or(0);
        let mut new = Vec::new();
        code(self, &mut new);
        let mut out = insts;
        out.splice(at..at, new);
        self.functions[f].insts = out;
    }

    /// Makes all code see `change(value)` in place of the value of input `variable` (of value type
    /// `ty`): a private copy is set at the start of the entry function. Returns the variable that is the input now.
    pub fn replace_input(
        &mut self,
        variable: u32,
        ty: u32,
        change: impl Fn(&mut Module, u32, &mut Vec<Inst>) -> u32,
    ) -> u32 {
        let pointer = self.type_pointer(StorageClass::Input, ty);
        let raw = self.append_global(Op::Variable, &[pointer, StorageClass::Input as u32]);
        self.copy_annotations(Op::Decorate, variable, raw);
        self.demote_to_private(variable);
        self.insert_at_entry(|module, out| {
            let value = module.id();
            out.push(Inst::new(Op::Load, &[ty, value, raw]));
            let changed = change(module, value, out);
            out.push(Inst::new(Op::Store, &[variable, changed]));
        });
        self.fix_interface();
        raw
    }

    /// The ids that code refers to.
    pub fn used_ids(&self) -> HashSet<u32> {
        let mut used = HashSet::new();
        for inst in self.functions.iter().flat_map(|f| &f.insts) {
            for_each_id(inst, |id| {
                used.insert(id);
            });
        }
        used
    }

    /// Drops functions that `main` cannot reach, then every global nothing refers to. Interface
    /// variables count as used only when code refers to them. Returns nothing; ids stay.
    pub fn prune(&mut self) {
        self.prune_functions();
        // The global that defines an id, counted from one.
        let mut index: Vec<Option<NonZeroU32>> = vec![None; self.bound as usize];
        for (number, g) in (1..).zip(&self.globals) {
            if let Some(place) = g.result().and_then(|id| index.get_mut(id as usize)) {
                *place = NonZeroU32::new(number);
            }
        }
        let mut live = vec![false; self.globals.len()];
        let mut work: Vec<u32> = Vec::new();
        for inst in self.functions.iter().flat_map(|f| &f.insts) {
            for_each_id(inst, |id| work.push(id));
        }
        for inst in &self.execution_modes {
            if inst.op == Op::ExecutionModeId {
                work.extend_from_slice(&inst.words[2..]);
            }
        }
        while let Some(id) = work.pop() {
            let Some(number) = index.get(id as usize).copied().flatten() else { continue };
            let i = number.get() as usize - 1;
            if !std::mem::replace(&mut live[i], true) {
                for_each_id(&self.globals[i], |id| work.push(id));
            }
        }
        let mut it = live.iter();
        self.globals.retain(|g| *it.next().unwrap_or(&true) || g.result().is_none());
        self.prune_debug();
        self.fix_interface();
    }

    fn prune_functions(&mut self) {
        let index: HashMap<u32, usize> = self.functions.iter().enumerate().map(|(i, f)| (f.id(), i)).collect();
        let mut live = vec![false; self.functions.len()];
        let mut work = vec![self.entry_function()];
        while let Some(id) = work.pop() {
            let Some(&i) = index.get(&id) else { continue };
            if !std::mem::replace(&mut live[i], true) {
                let calls = self.functions[i].insts.iter().filter(|call| call.op == Op::FunctionCall);
                work.extend(calls.map(|call| call.word(2)));
            }
        }
        let mut it = live.iter();
        self.functions.retain(|_| *it.next().unwrap_or(&false));
    }

    fn prune_debug(&mut self) {
        let mut defined = vec![false; self.bound as usize];
        let mut mark = |inst: &Inst| {
            if let Some(slot) = inst.result().and_then(|id| defined.get_mut(id as usize)) {
                *slot = true;
            }
        };
        self.globals.iter().for_each(&mut mark);
        self.imports.iter().for_each(&mut mark);
        self.functions.iter().flat_map(|f| &f.insts).for_each(&mut mark);
        let exists = |id: u32| defined.get(id as usize).copied().unwrap_or(false);
        self.names.retain(|n| exists(n.word(0)));
        self.annotations.retain(|n| exists(n.word(0)));
    }
}
