//! Variables, pointers and atomic operations (SPIR-V 1.0 sections 3.32.8 and 3.32.18).

use spirv::{Op, StorageClass};

use super::super::module::Inst;
use super::code::Code;
use super::compute::{fits, length, operands};
use super::globals::Value;
use super::types::{Scalar, Type};
use super::{Check, refuse};

/// Whether an instruction is of this chapter.
pub(super) fn has(op: Op) -> bool {
    use Op::*;
    matches!(op, Variable | Load | Store | CopyMemory | AccessChain | InBoundsAccessChain | ArrayLength)
        || crate::passes::lower_uniforms::is_atomic(op)
}

pub(super) fn check(code: &mut Code<'_, '_>, inst: &Inst) -> Check {
    match inst.op {
        Op::Variable => code.variable(inst),
        Op::Load => {
            let [ty, _, pointer, access @ ..] = &inst.words[..] else { refuse!("too few operands") };
            memory_access(access)?;
            let to = code.readable(*pointer)?;
            fits(to == *ty)
        }
        Op::Store => {
            let [pointer, value, access @ ..] = &inst.words[..] else { refuse!("too few operands") };
            memory_access(access)?;
            let to = code.writable(*pointer)?;
            fits(code.value(*value)? == to)
        }
        Op::CopyMemory => {
            let [target, source, access @ ..] = &inst.words[..] else { refuse!("too few operands") };
            memory_access(access)?;
            let (to, from) = (code.writable(*target)?, code.readable(*source)?);
            fits(to == from && code.globals.types.is_data(to))
        }
        Op::AccessChain | Op::InBoundsAccessChain => code.access_chain(inst),
        Op::ArrayLength => {
            let [ty, _, pointer, member] = operands(inst)?;
            let (class, to) = code.pointer(pointer)?;
            let Type::Struct(members) = code.globals.ty(to)? else { refuse!("no structure") };
            let last = members.len() as u32 - 1;
            let is_array = matches!(code.globals.ty(members[last as usize])?, Type::RuntimeArray { .. });
            fits(member == last && is_array && matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer))?;
            fits(code.shape(ty)? == Scalar::UINT.one())
        }
        _ => code.atomic(inst),
    }
}

/// Memory access operands say nothing that counts here.
fn memory_access(words: &[u32]) -> Check {
    match words {
        [] => Ok(()),
        [mask] if mask & !5 == 0 => Ok(()),
        [mask, align] if mask & !7 == 0 && mask & 2 != 0 && align.is_power_of_two() => Ok(()),
        _ => refuse!("unknown memory access"),
    }
}

impl Code<'_, '_> {
    fn variable(&mut self, inst: &Inst) -> Check {
        let (pointer, class) = (inst.word(0), inst.word(2));
        let Some((of, ty)) = self.globals.types.pointer(pointer) else { refuse!("the type is no pointer") };
        fits(of == StorageClass::Function && class == of as u32 && (3..=4).contains(&inst.words.len()))?;
        if !self.globals.types.is_data(ty) {
            refuse!("the variable is of no plain data");
        }
        if let Some(initial) = inst.words.get(3) {
            let constant = self.globals.constants.get(initial);
            fits(constant.is_some_and(|c| c.ty == ty && c.value != Value::Undefined))?;
        }
        Ok(())
    }

    /// What a pointer that is loaded from points to.
    fn readable(&self, pointer: u32) -> Check<u32> {
        let (class, to) = self.pointer(pointer)?;
        match class {
            StorageClass::AtomicCounter | StorageClass::Image => refuse!("only atomic operations read this"),
            _ => {}
        }
        if !matches!(self.globals.ty(to)?, Type::Image(_) | Type::SampledImage { .. }) {
            self.data(to)?;
        }
        self.no_block(class, to)?;
        Ok(to)
    }

    /// What a pointer that is stored to points to.
    fn writable(&self, pointer: u32) -> Check<u32> {
        let (class, to) = self.pointer(pointer)?;
        let may = match class {
            StorageClass::Output | StorageClass::Private | StorageClass::Function | StorageClass::Workgroup => true,
            StorageClass::Uniform | StorageClass::StorageBuffer => self.roles.storage.contains(&self.root(pointer)),
            _ => false,
        };
        if !may {
            refuse!("this cannot be written");
        }
        self.data(to)?;
        self.no_block(class, to)?;
        Ok(to)
    }

    /// Blocks of inputs and outputs are taken apart, so they are reached member by member.
    fn no_block(&self, class: StorageClass, ty: u32) -> Check {
        let interface = matches!(class, StorageClass::Input | StorageClass::Output);
        if interface && self.roles.passed.contains(&self.globals.types.innermost(ty)) {
            refuse!("an input or output block is loaded or stored as a whole");
        }
        Ok(())
    }

    fn access_chain(&mut self, inst: &Inst) -> Check {
        let [ty, id, base, indices @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let (class, mut at) = self.pointer(*base)?;
        for index in indices {
            fits(self.shape_of(*index)?.is_int())?;
            let constant = self.globals.uint(*index);
            at = match (self.globals.ty(at)?, constant) {
                // SPIR-V 1.0 section 3.32.8: by an OpConstant, which a null is not.
                (Type::Struct(_), Some(_)) if self.globals.is_null(*index) => refuse!("a member is chosen by a null"),
                (Type::Struct(members), Some(i)) => {
                    members.get(i as usize).copied().ok_or("there is no such member")?
                }
                (Type::Struct(_), None) => refuse!("a member is not chosen by a constant"),
                (Type::RuntimeArray { of }, _) => *of,
                (Type::Array { of, .. }, None) => {
                    let of = *of;
                    self.dynamic(class, of)?;
                    of
                }
                (Type::Vector { of: part, .. } | Type::Matrix { column: part, .. }, None) => *part,
                (_, Some(i)) => self.globals.types.part(at, i).ok_or("there is no such element")?,
                _ => refuse!("there is nothing inside"),
            };
        }
        fits(self.globals.types.pointer(*ty) == Some((class, at)))?;
        let root = self.root(*base);
        self.roots.insert(*id, root);
        Ok(())
    }

    /// What it takes to choose an element of an array at run time.
    fn dynamic(&mut self, class: StorageClass, element: u32) -> Check {
        let inner = self.globals.types.innermost(element);
        match (class, self.globals.ty(inner)?) {
            (StorageClass::UniformConstant, Type::Image(image)) if image.storage => {
                self.required.add(spirv::Capability::StorageImageArrayDynamicIndexing)
            }
            (StorageClass::UniformConstant, Type::Image(_) | Type::SampledImage { .. }) => {
                self.required.add(spirv::Capability::SampledImageArrayDynamicIndexing)
            }
            (StorageClass::UniformConstant, Type::Struct(_)) if self.globals.types.facts(inner).opaque => {
                self.required.add(spirv::Capability::SampledImageArrayDynamicIndexing)
            }
            _ => Ok(()),
        }
    }

    fn atomic(&mut self, inst: &Inst) -> Check {
        use Op::*;
        let w = &inst.words;
        let (at, values): (usize, &[usize]) = match inst.op {
            AtomicLoad | AtomicIIncrement | AtomicIDecrement => (2, &[]),
            AtomicStore => (0, &[3]),
            AtomicCompareExchange => (2, &[6, 7]),
            _ => (2, &[5]),
        };
        length(inst, at + 3 + usize::from(inst.op == AtomicCompareExchange) + values.len())?;
        let (class, to) = self.pointer(w[at])?;
        let shape = self.shape(to)?;
        // Of images OpenGL has them; in buffers and shared variables they are what an extension of the language brings.
        let offered = || self.required.options.extensions.iter().any(|e| e == "GL_NV_shader_atomic_float");
        let may_float =
            matches!(inst.op, AtomicExchange | AtomicLoad | AtomicStore) && (class == StorageClass::Image || offered());
        fits(shape.is_int() || may_float && shape == Scalar::FLOAT.one())?;
        fits(inst.op == AtomicStore || w[0] == to)?;
        for value in values {
            fits(self.value(w[*value])? == to)?;
        }
        self.scope(w[at + 1])?;
        self.semantics(w[at + 2])?;
        if inst.op == AtomicCompareExchange {
            self.semantics(w[at + 3])?;
        }
        match class {
            StorageClass::Workgroup | StorageClass::Image => Ok(()),
            StorageClass::Uniform | StorageClass::StorageBuffer => fits(self.roles.storage.contains(&self.root(w[at]))),
            StorageClass::AtomicCounter => match inst.op {
                AtomicLoad | AtomicIIncrement | AtomicIDecrement => Ok(()),
                AtomicStore => refuse!("counters are not stored to"),
                _ => self.required.add(spirv::Capability::AtomicStorageOps),
            },
            _ => refuse!("no atomic operations on this"),
        }
    }
}
