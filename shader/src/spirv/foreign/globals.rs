//! Types, constants and variables of the module level in their order, with the values of specialisation constants put in.

use std::cell::Cell;
use std::collections::HashMap;

use spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::super::module::{Inst, Module};
use super::capabilities::Required;
use super::types::{Scalar, Shape, Type, Types};
use super::{Check, fold, refuse};
use crate::stage::Stage;

/// Scalars in one value that code holds or copies, at most: passes take such values apart.
pub(super) const MOST_WORDS: u32 = 1 << 16;

/// What a constant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Bits of a scalar; a boolean is 0 or 1.
    Scalar(u64),
    /// Ids of the parts.
    Composite(Vec<u32>),
    /// Zeros all through.
    Null,
    /// Nobody knows.
    Undefined,
}

/// A constant.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub ty: u32,
    pub value: Value,
}

/// A variable of the module level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub id: u32,
    pub class: StorageClass,
    /// The type behind the pointer.
    pub ty: u32,
    pub initial: Option<u32>,
}

/// Everything that functions can refer to.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub types: Types,
    pub constants: HashMap<u32, Constant>,
    pub variables: Vec<Variable>,
    /// Type of each constant and variable.
    pub values: HashMap<u32, u32>,
    /// The work group size that a constant gives.
    pub group_size: Option<[u32; 3]>,
    /// The id of GLSL.std.450.
    pub extended: Option<u32>,
    /// Parts of composites that operations on constants have looked at.
    pub work: Cell<usize>,
}

impl Globals {
    /// Reads the module level. Constants of the module are plain ones afterwards.
    pub fn build(
        module: &mut Module,
        stage: Stage,
        specialization: &[(u32, u32)],
        required: &mut Required<'_>,
    ) -> Check<Globals> {
        let mut globals = Globals { extended: module.imports.first().map(|i| i.word(0)), ..Globals::default() };
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        for d in &module.annotations {
            if d.op == Op::Decorate && d.word(1) == Decoration::SpecId as u32 {
                numbers.insert(d.word(0), d.word(2));
            }
        }
        let given: HashMap<u32, u32> = specialization.iter().copied().collect();
        let mut out = Vec::with_capacity(module.globals.len());
        for inst in std::mem::take(&mut module.globals) {
            let chosen = numbers.get(&inst.result().unwrap_or(0)).and_then(|number| given.get(number)).copied();
            globals.global(module, inst, chosen, &mut out, required)?;
        }
        module.globals = out;
        module.annotations.retain(|d| d.op != Op::Decorate || d.word(1) != Decoration::SpecId as u32);
        globals.work_group(module, stage)?;
        Ok(globals)
    }

    fn global(
        &mut self,
        module: &mut Module,
        inst: Inst,
        chosen: Option<u32>,
        out: &mut Vec<Inst>,
        required: &mut Required<'_>,
    ) -> Check {
        match inst.op {
            Op::Constant | Op::SpecConstant => self.scalar(inst, chosen, out)?,
            Op::ConstantTrue | Op::ConstantFalse | Op::SpecConstantTrue | Op::SpecConstantFalse => {
                let is_true = matches!(inst.op, Op::ConstantTrue | Op::SpecConstantTrue);
                let is_true = chosen.map_or(is_true, |value| value != 0);
                if inst.words.len() != 2 || self.types.shape(inst.word(0)) != Some(BOOL) {
                    refuse!("a boolean constant is no boolean");
                }
                let op = if is_true { Op::ConstantTrue } else { Op::ConstantFalse };
                self.constant(inst.word(1), inst.word(0), Value::Scalar(is_true.into()))?;
                out.push(Inst { op, words: inst.words });
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let [ty, id, parts @ ..] = &inst.words[..] else { refuse!("a constant is too short") };
                if self.types.parts(*ty) != Some(parts.len() as u32) || !self.types.is_data(*ty) {
                    refuse!("a composite constant has the wrong number of parts");
                }
                for (i, part) in (0..).zip(parts) {
                    let known = self.constants.get(part).map(|c| c.ty);
                    if known.is_none() || known != self.types.part(*ty, i) {
                        refuse!("a part of a composite constant has the wrong type");
                    }
                }
                self.constant(*id, *ty, Value::Composite(parts.to_vec()))?;
                out.push(Inst { op: Op::ConstantComposite, words: inst.words });
            }
            Op::ConstantNull | Op::Undef => {
                if inst.words.len() != 2 || !self.types.is_data(inst.word(0)) {
                    refuse!("{:?} is of no plain data", inst.op);
                }
                let value = if inst.op == Op::Undef { Value::Undefined } else { Value::Null };
                self.constant(inst.word(1), inst.word(0), value)?;
                out.push(inst);
            }
            Op::SpecConstantOp => fold::run(self, module, &inst, out)?,
            Op::Variable => self.variable(inst, out)?,
            _ => {
                let length = (inst.op == Op::TypeArray).then(|| self.uint(inst.word(2))).flatten();
                self.types.add(&inst, length, &mut |capability| required.add(capability))?;
                out.push(inst);
            }
        }
        Ok(())
    }

    /// Notes a constant.
    pub fn constant(&mut self, id: u32, ty: u32, value: Value) -> Check {
        if self.types.facts(ty).words > MOST_WORDS {
            refuse!("a constant has too many parts");
        }
        self.constants.insert(id, Constant { ty, value });
        self.values.insert(id, ty);
        Ok(())
    }

    fn scalar(&mut self, mut inst: Inst, chosen: Option<u32>, out: &mut Vec<Inst>) -> Check {
        let shape = self.types.shape(inst.word(0)).filter(|s| s.count == 1 && s.scalar != Scalar::Bool);
        let Some(width) = shape.map(|s| s.scalar.width()) else { refuse!("a scalar constant is no number") };
        if inst.words.len() != 2 + width as usize / 32 {
            refuse!("a scalar constant has the wrong length");
        }
        if inst.op == Op::SpecConstant
            && let Some(value) = chosen
        {
            // GL 4.6 core 7.2.1: 32 bits are given; only a 32-bit constant can be set to them.
            if width != 32 {
                refuse!("a specialisation constant of {width} bits is set");
            }
            inst.words[2] = value;
        }
        inst.op = Op::Constant;
        let bits = u64::from(inst.word(2)) | u64::from(inst.word(3)) << 32;
        self.constant(inst.word(1), inst.word(0), Value::Scalar(bits))?;
        out.push(inst);
        Ok(())
    }

    fn variable(&mut self, inst: Inst, out: &mut Vec<Inst>) -> Check {
        let (pointer, id, class) = (inst.word(0), inst.word(1), inst.word(2));
        let Some((of, ty)) = self.types.pointer(pointer) else { refuse!("a variable is no pointer") };
        let initial = inst.words.get(3).copied();
        if !(3..=4).contains(&inst.words.len()) || of as u32 != class || of == StorageClass::Function {
            refuse!("a variable is not of its pointer's storage class");
        }
        if let Some(initial) = initial {
            let constant = self.constants.get(&initial);
            let may = matches!(of, StorageClass::Output | StorageClass::Private | StorageClass::UniformConstant);
            if constant.is_none_or(|c| c.ty != ty || c.value == Value::Undefined) || !may {
                refuse!("a variable has an initializer of another type, or cannot have one");
            }
        }
        self.values.insert(id, pointer);
        self.variables.push(Variable { id, class: of, ty, initial });
        out.push(inst);
        Ok(())
    }

    /// The value of an integer constant of 32 bits.
    pub fn uint(&self, id: u32) -> Option<u32> {
        let constant = self.constants.get(&id)?;
        let shape = self.types.shape(constant.ty)?;
        match (shape, &constant.value) {
            (Shape { scalar: Scalar::Int { width: 32, .. }, count: 1 }, Value::Scalar(bits)) => Some(*bits as u32),
            (Shape { scalar: Scalar::Int { width: 32, .. }, count: 1 }, Value::Null) => Some(0),
            _ => None,
        }
    }

    /// Whether it is a constant without undefined parts. Only for those of few parts.
    pub fn is_known(&self, id: u32) -> bool {
        match self.constants.get(&id).map(|constant| &constant.value) {
            Some(Value::Composite(parts)) => parts.iter().all(|part| self.is_known(*part)),
            Some(Value::Undefined) | None => false,
            Some(_) => true,
        }
    }

    /// Whether it is the null of its type.
    pub fn is_null(&self, id: u32) -> bool {
        self.constants.get(&id).is_some_and(|constant| matches!(constant.value, Value::Null))
    }

    /// GL 4.6 core appendix C.4: a constant may be the work group size.
    fn work_group(&mut self, module: &mut Module, stage: Stage) -> Check {
        let is_size = |d: &Inst| {
            d.op == Op::Decorate
                && d.word(1) == Decoration::BuiltIn as u32
                && d.word(2) == BuiltIn::WorkgroupSize as u32
        };
        let Some(id) = module.annotations.iter().find(|d| is_size(d)).map(|d| d.word(0)) else { return Ok(()) };
        module.annotations.retain(|d| !is_size(d));
        if stage != Stage::Compute {
            return Ok(());
        }
        let constant = self.constants.get(&id).ok_or("the work group size is no constant")?;
        let parts: Vec<u32> = match &constant.value {
            Value::Composite(parts) => parts.iter().filter_map(|p| self.uint(*p)).collect(),
            _ => Vec::new(),
        };
        let [x, y, z] = parts[..] else { refuse!("the work group size is no vector of three integers") };
        self.group_size = Some([x, y, z]);
        Ok(())
    }

    pub fn ty(&self, id: u32) -> Check<&Type> {
        self.types.get(id)
    }
}

/// One boolean.
pub(super) const BOOL: Shape = Shape { scalar: Scalar::Bool, count: 1 };
