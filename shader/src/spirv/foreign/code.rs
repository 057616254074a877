//! Functions: what they call, and every instruction in them against its rule (SPIR-V 1.0 section 3.32).

use std::collections::{HashMap, HashSet};

use spirv::{Op, StorageClass};

use super::super::calls;
use super::super::module::{Inst, Module};
use super::super::operands::{has_result, has_result_type};
use super::capabilities::Required;
use super::globals::{Globals, MOST_WORDS};
use super::interface::Roles;
use super::structure::{self, Structure};
use super::types::{Shape, Type};
use super::{Check, extended, images, memory, refuse};
use crate::stage::Stage;

/// Leaves the functions that the entry point can call. GL 4.6 core appendix C.4: none calls itself in the end.
pub(super) fn keep_reachable(module: &mut Module) -> Check {
    if module.functions.iter().any(|f| f.insts.first().is_none_or(|f| f.words.len() != 4)) {
        refuse!("a function has the wrong operands");
    }
    let mut reached = calls::reachable(module)?.into_iter();
    module.functions.retain(|_| reached.next().unwrap_or(false));
    Ok(())
}

/// Checks the functions that are left.
pub(super) fn check(
    module: &mut Module,
    globals: &Globals,
    roles: &Roles,
    stage: Stage,
    required: &mut Required<'_>,
) -> Check {
    let mut functions: HashMap<u32, u32> = HashMap::new();
    for function in &module.functions {
        functions.insert(function.id(), function.insts[0].word(3));
    }
    for i in 0..module.functions.len() {
        let structure = structure::check(&mut module.functions[i])?;
        let insts = &module.functions[i].insts;
        let is_entry = insts[0].word(1) == module.entry_function();
        let mut code = Code {
            globals,
            roles,
            functions: &functions,
            stage,
            required,
            structure,
            locals: HashMap::new(),
            roots: HashMap::new(),
            returns: 0,
            block: 0,
            at: 0,
        };
        code.function(insts, is_entry)?;
    }
    Ok(())
}

/// A value of the function.
#[derive(Clone, Copy)]
struct Local {
    ty: u32,
    block: usize,
    at: usize,
}

/// A function while it is checked.
pub(super) struct Code<'a, 'o> {
    pub globals: &'a Globals,
    pub roles: &'a Roles,
    functions: &'a HashMap<u32, u32>,
    pub stage: Stage,
    pub required: &'a mut Required<'o>,
    structure: Structure,
    locals: HashMap<u32, Local>,
    /// The variable or parameter that each pointer of the function goes into.
    pub roots: HashMap<u32, u32>,
    returns: u32,
    block: usize,
    at: usize,
}

impl Code<'_, '_> {
    fn function(&mut self, insts: &[Inst], is_entry: bool) -> Check {
        let head = &insts[0];
        let Type::Function { returns, parameters } = self.globals.ty(head.word(3))?.clone() else {
            refuse!("a function has no function type")
        };
        if head.word(0) != returns || head.word(2) > 15 {
            refuse!("a function's result is not that of its type");
        }
        if is_entry && (!parameters.is_empty() || *self.globals.ty(returns)? != Type::Void) {
            refuse!("an entry point takes or returns something");
        }
        self.returns = returns;
        let given: Vec<&Inst> = insts.iter().take_while(|i| i.op != Op::Label).skip(1).collect();
        if given.len() != parameters.len() {
            refuse!("a function has other parameters than its type");
        }
        for (parameter, ty) in given.iter().zip(&parameters) {
            if parameter.op != Op::FunctionParameter || parameter.words.len() != 2 || parameter.word(0) != *ty {
                refuse!("a parameter has another type than its function's type says");
            }
            self.locals.insert(parameter.word(1), Local { ty: *ty, block: 0, at: 0 });
        }
        let blocks = std::mem::take(&mut self.structure.blocks);
        for (block, b) in blocks.iter().enumerate() {
            for (at, inst) in insts.iter().enumerate().take(b.end).skip(b.first + 1) {
                if has_result(inst.op) {
                    if !has_result_type(inst.op) || inst.words.len() < 2 {
                        refuse!("{:?} is no instruction of functions", inst.op);
                    }
                    self.locals.insert(inst.word(1), Local { ty: inst.word(0), block, at });
                }
            }
        }
        for (block, b) in blocks.iter().enumerate() {
            self.block = block;
            // Where the first instruction that is no variable and no phi stood.
            let mut begun = false;
            for (at, inst) in insts.iter().enumerate().take(b.end).skip(b.first + 1) {
                self.at = at;
                let is_first = match inst.op {
                    Op::Variable => block == 0,
                    Op::Phi => block != 0,
                    Op::SelectionMerge | Op::LoopMerge => at + 2 == b.end,
                    _ => true,
                };
                let leads = matches!(inst.op, Op::Variable | Op::Phi);
                if !is_first || leads && begun {
                    refuse!("{:?} stands where it may not", inst.op);
                }
                begun |= !leads;
                self.instruction(inst).map_err(|fault| format!("{:?}: {fault}", inst.op))?;
            }
        }
        Ok(())
    }

    /// The type of a value that can be used at this place.
    pub fn value(&self, id: u32) -> Check<u32> {
        self.value_at(id, self.block, self.at)
    }

    /// The type of a value that can be used at a place of a block.
    fn value_at(&self, id: u32, block: usize, at: usize) -> Check<u32> {
        if let Some(ty) = self.globals.values.get(&id) {
            return Ok(*ty);
        }
        let Some(local) = self.locals.get(&id) else { refuse!("%{id} is no value") };
        let before = match local.block == block {
            true => local.at < at,
            false => self.structure.dominates(local.block, block),
        };
        if !before {
            refuse!("%{id} is used where it need not have a value");
        }
        Ok(local.ty)
    }

    pub fn shape(&self, ty: u32) -> Check<Shape> {
        self.globals.types.shape(ty).ok_or_else(|| format!("%{ty} is no scalar or vector type"))
    }

    /// Shape of a value.
    pub fn shape_of(&self, id: u32) -> Check<Shape> {
        self.shape(self.value(id)?)
    }

    /// The storage class and what a pointer points to.
    pub fn pointer(&self, id: u32) -> Check<(StorageClass, u32)> {
        let ty = self.value(id)?;
        self.globals.types.pointer(ty).ok_or_else(|| format!("%{id} is no pointer"))
    }

    /// The variable or parameter that a pointer goes into.
    pub fn root(&self, id: u32) -> u32 {
        self.roots.get(&id).copied().unwrap_or(id)
    }

    /// Whether an id is a variable or a parameter.
    fn is_object(&self, id: u32) -> bool {
        !self.roots.contains_key(&id)
    }

    /// Plain data that code may hold.
    pub fn data(&self, ty: u32) -> Check {
        if !self.globals.types.is_data(ty) || self.globals.types.facts(ty).words > MOST_WORDS {
            refuse!("%{ty} is no type of plain data, or is too large");
        }
        Ok(())
    }

    pub fn only(&self, stages: &[Stage]) -> Check {
        if !stages.contains(&self.stage) {
            refuse!("not in a {} shader", self.stage.name());
        }
        Ok(())
    }

    fn instruction(&mut self, inst: &Inst) -> Check {
        use Op::*;
        match inst.op {
            Label | SelectionMerge | LoopMerge | Branch | Unreachable => Ok(()),
            Return => match self.globals.ty(self.returns)? {
                Type::Void => Ok(()),
                _ => refuse!("a value is missing"),
            },
            ReturnValue => match self.value(inst.word(0))? == self.returns {
                true => self.data(self.returns),
                false => refuse!("the value has another type than the function's"),
            },
            Kill => self.only(&[Stage::Fragment]),
            BranchConditional => match self.shape_of(inst.word(0))? == super::globals::BOOL {
                true => Ok(()),
                false => refuse!("the condition is no boolean"),
            },
            Switch => {
                let shape = self.shape_of(inst.word(0))?;
                let mut seen = HashSet::new();
                if !shape.is_int() {
                    refuse!("the selector is no integer");
                }
                match inst.words[2..].chunks_exact(2).all(|pair| seen.insert(pair[0])) {
                    true => Ok(()),
                    false => refuse!("a value has two cases"),
                }
            }
            Phi => self.phi(inst),
            FunctionCall => self.call(inst),
            Undef => match &inst.words[..] {
                [ty, _] => self.data(*ty),
                _ => refuse!("wrong number of operands"),
            },
            CopyObject => self.copy(inst),
            EmitVertex | EndPrimitive => {
                self.only(&[Stage::Geometry])?;
                match inst.words.is_empty() {
                    true => Ok(()),
                    false => refuse!("wrong number of operands"),
                }
            }
            EmitStreamVertex | EndStreamPrimitive => {
                self.only(&[Stage::Geometry])?;
                self.required.add(spirv::Capability::GeometryStreams)?;
                match &inst.words[..] {
                    [stream] if self.globals.uint(*stream).is_some_and(|s| s < 4) => Ok(()),
                    _ => refuse!("the stream is no constant below 4"),
                }
            }
            ExtInst => extended::check(self, inst),
            op if memory::has(op) => memory::check(self, inst),
            op if images::has(op) => images::check(self, inst),
            _ => self.compute(inst),
        }
    }

    fn phi(&self, inst: &Inst) -> Check {
        let (ty, pairs) = (inst.word(0), inst.words.get(2..).unwrap_or_default());
        self.data(ty)?;
        let mut parents = HashSet::new();
        for pair in pairs.chunks(2) {
            let [value, parent] = *pair else { refuse!("a value without a block") };
            let Some(parent) = self.structure.by_label.get(&parent).copied() else { refuse!("no such block") };
            if self.value_at(value, parent, usize::MAX)? != ty || !parents.insert(parent) {
                refuse!("a value has another type, or a block has two");
            }
        }
        let from = &self.structure.from[self.block];
        if parents.len() != from.len() || !from.iter().all(|p| parents.contains(p)) {
            refuse!("a block that leads here has no value, or one that does not has");
        }
        Ok(())
    }

    fn call(&mut self, inst: &Inst) -> Check {
        let [ty, _, function, arguments @ ..] = &inst.words[..] else { refuse!("nothing is called") };
        let Some(function) = self.functions.get(function) else { refuse!("no function is called") };
        let Type::Function { returns, parameters } = self.globals.ty(*function)? else {
            refuse!("no function is called")
        };
        if ty != returns || arguments.len() != parameters.len() {
            refuse!("the call has another result or other arguments than the function");
        }
        for (argument, parameter) in arguments.iter().zip(parameters) {
            if self.value(*argument)? != *parameter {
                refuse!("an argument has another type than the parameter");
            }
            let Some((class, to)) = self.globals.types.pointer(*parameter) else {
                self.data(*parameter)?;
                continue;
            };
            let may = match class {
                StorageClass::Function | StorageClass::Private | StorageClass::Workgroup => self.is_object(*argument),
                StorageClass::UniformConstant => self.globals.types.facts(to).opaque,
                StorageClass::AtomicCounter => true,
                _ => false,
            };
            if !may {
                refuse!("a pointer that cannot be passed");
            }
        }
        if *self.globals.ty(*returns)? != Type::Void {
            self.data(*returns)?;
        }
        Ok(())
    }

    /// A copy is what it copies: the copies go away.
    fn copy(&mut self, inst: &Inst) -> Check {
        let [ty, id, from] = inst.words[..] else { refuse!("wrong number of operands") };
        if self.value(from)? != ty {
            refuse!("the copy has another type");
        }
        if self.globals.types.pointer(ty).is_some() {
            self.roots.insert(id, self.root(from));
        } else if !self.globals.types.facts(ty).opaque {
            self.data(ty)?;
        }
        Ok(())
    }
}
