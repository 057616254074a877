//! Operations on specialisation constants, worked out once their values are known (SPIR-V 1.0 section 3.32.7,
//! OpSpecConstantOp as far as the Shader capability goes).

use spirv::Op;

use super::super::module::{Inst, Module};
use super::globals::{Globals, Value};
use super::types::{Scalar, Shape, Type};
use super::{Check, refuse};

/// Replaces the operation by constants, the last of which has its id.
pub(super) fn run(globals: &mut Globals, module: &mut Module, inst: &Inst, out: &mut Vec<Inst>) -> Check {
    let [ty, id, op, operands @ ..] = &inst.words[..] else { refuse!("a constant operation is too short") };
    let Some(op) = Op::from_u32(*op) else { refuse!("a constant operation is unknown") };
    let mut fold = Fold { globals, module, out };
    match op {
        Op::CompositeExtract => {
            let Some((composite, indices)) = operands.split_first() else { refuse!("nothing to extract from") };
            let mut value = fold.value(*composite)?;
            let mut at = fold.ty_of(*composite)?;
            for index in indices {
                let Some(part) = fold.globals.types.part(at, *index) else { refuse!("no such part") };
                value = match &value {
                    Value::Composite(parts) => {
                        let part = parts.get(*index as usize).ok_or("no such part")?;
                        fold.value(*part)?
                    }
                    other => other.clone(),
                };
                at = part;
            }
            if at != *ty {
                refuse!("what is extracted is of another type");
            }
            fold.define(*id, at, value)
        }
        Op::CompositeInsert => {
            let [object, composite, indices @ ..] = operands else { refuse!("nothing to insert into") };
            if fold.ty_of(*composite)? != *ty {
                refuse!("what is inserted into is of another type");
            }
            let value = fold.inserted(*composite, *object, indices)?;
            fold.define(*id, *ty, value)
        }
        Op::VectorShuffle => {
            let [a, b, choices @ ..] = operands else { refuse!("nothing to shuffle") };
            let shape = fold.shape(*ty)?;
            for operand in [*a, *b] {
                if fold.shape(fold.ty_of(operand)?)?.scalar != shape.scalar {
                    refuse!("vectors of another type are shuffled");
                }
            }
            let both = [fold.components(*a)?, fold.components(*b)?].concat();
            let pick = |i: &u32| if *i == u32::MAX { Some(0) } else { both.get(*i as usize).copied() };
            let picked: Option<Vec<u64>> = choices.iter().map(pick).collect();
            let Some(picked) = picked.filter(|p| p.len() == shape.count as usize) else { refuse!("no such component") };
            fold.define_components(*id, *ty, &picked)
        }
        _ => {
            let result = fold.shape(*ty)?;
            let values = fold.by_component(op, result, operands)?;
            fold.define_components(*id, *ty, &values)
        }
    }
}

/// Parts of composites that all operations of a module look at, at most.
const MOST_WORK: usize = 1 << 21;

struct Fold<'a> {
    globals: &'a mut Globals,
    module: &'a mut Module,
    out: &'a mut Vec<Inst>,
}

impl Fold<'_> {
    fn value(&self, id: u32) -> Check<Value> {
        let constant = self.globals.constants.get(&id).ok_or("an operand is no constant")?;
        match &constant.value {
            Value::Undefined => refuse!("an operand is undefined"),
            Value::Composite(parts) => self.worked(parts.len())?,
            _ => {}
        }
        Ok(constant.value.clone())
    }

    /// Counts parts that are copied or made.
    fn worked(&self, parts: usize) -> Check {
        let work = self.globals.work.get().saturating_add(parts);
        self.globals.work.set(work);
        if work > MOST_WORK {
            refuse!("operations on constants are too much work");
        }
        Ok(())
    }

    fn ty_of(&self, id: u32) -> Check<u32> {
        self.globals.constants.get(&id).map(|c| c.ty).ok_or_else(|| "an operand is no constant".into())
    }

    fn shape(&self, ty: u32) -> Check<Shape> {
        self.globals.types.shape(ty).ok_or_else(|| "a constant operation is on no scalars or vectors".into())
    }

    /// Bits of a scalar, or of each component of a vector.
    fn components(&self, id: u32) -> Check<Vec<u64>> {
        let count = self.shape(self.ty_of(id)?)?.count as usize;
        match self.value(id)? {
            Value::Scalar(bits) => Ok(vec![bits]),
            Value::Composite(parts) => {
                let part = |p: &u32| match self.value(*p)? {
                    Value::Scalar(bits) => Ok(bits),
                    _ => Ok(0),
                };
                parts.iter().map(part).collect()
            }
            _ => Ok(vec![0; count]),
        }
    }

    /// The value of a composite with a part replaced.
    fn inserted(&mut self, composite: u32, object: u32, indices: &[u32]) -> Check<Value> {
        let Some((index, rest)) = indices.split_first() else {
            if self.ty_of(composite)? != self.ty_of(object)? {
                refuse!("what is inserted is of another type");
            }
            return self.value(object);
        };
        let ty = self.ty_of(composite)?;
        let Some(part_ty) = self.globals.types.part(ty, *index) else { refuse!("no such part") };
        let mut parts = match self.value(composite)? {
            Value::Composite(parts) => parts,
            _ => {
                let count = self.globals.types.parts(ty).unwrap_or(0);
                self.worked(count as usize)?;
                let mut parts = Vec::new();
                for i in 0..count {
                    let id = self.module.id();
                    self.define(id, self.globals.types.part(ty, i).unwrap_or(0), Value::Null)?;
                    parts.push(id);
                }
                parts
            }
        };
        let at = *index as usize;
        let Some(part) = parts.get(at).copied() else { refuse!("no such part") };
        let value = self.inserted(part, object, rest)?;
        let id = self.module.id();
        self.define(id, part_ty, value)?;
        parts[at] = id;
        Ok(Value::Composite(parts))
    }

    /// Adds a constant of a known value.
    fn define(&mut self, id: u32, ty: u32, value: Value) -> Check {
        let inst = match &value {
            Value::Scalar(bits) => return self.define_components(id, ty, &[*bits]),
            Value::Composite(parts) => {
                let mut inst = Inst::new(Op::ConstantComposite, &[ty, id]);
                inst.words.extend_from_slice(parts);
                inst
            }
            _ => Inst::new(Op::ConstantNull, &[ty, id]),
        };
        self.out.push(inst);
        self.globals.constant(id, ty, value)
    }

    /// Adds a scalar or vector constant of known bits.
    fn define_components(&mut self, id: u32, ty: u32, bits: &[u64]) -> Check {
        let shape = self.shape(ty)?;
        if let (Type::Vector { of, .. }, true) = (self.globals.ty(ty)?.clone(), shape.count > 1) {
            let mut parts = Vec::new();
            for one in bits {
                let part = self.module.id();
                self.define_components(part, of, &[*one])?;
                parts.push(part);
            }
            return self.define(id, ty, Value::Composite(parts));
        }
        let bits = bits.first().copied().unwrap_or(0);
        self.out.push(match shape.scalar {
            Scalar::Bool if bits == 0 => Inst::new(Op::ConstantFalse, &[ty, id]),
            Scalar::Bool => Inst::new(Op::ConstantTrue, &[ty, id]),
            scalar if scalar.width() == 64 => Inst::new(Op::Constant, &[ty, id, bits as u32, (bits >> 32) as u32]),
            _ => Inst::new(Op::Constant, &[ty, id, bits as u32]),
        });
        self.globals.constant(id, ty, Value::Scalar(bits))
    }

    /// An operation that treats each component alone.
    fn by_component(&self, op: Op, result: Shape, operands: &[u32]) -> Check<Vec<u64>> {
        let mut shapes = Vec::new();
        let mut values = Vec::new();
        for operand in operands {
            shapes.push(self.shape(self.ty_of(*operand)?)?);
            values.push(self.components(*operand)?);
        }
        if values.len() != operand_count(op)? || shapes.iter().any(|s| s.count != result.count) {
            refuse!("{op:?} has other operands");
        }
        if !kinds_fit(op, result.scalar, &shapes) {
            refuse!("{op:?} has operands of other types");
        }
        let scalar = shapes[0].scalar;
        let mut out = Vec::new();
        for i in 0..result.count as usize {
            let one: Vec<u64> = values.iter().map(|v| v.get(i).copied().unwrap_or(0)).collect();
            out.push(evaluate(op, result.scalar, scalar, &one));
        }
        Ok(out)
    }
}

fn operand_count(op: Op) -> Check<usize> {
    use Op::*;
    Ok(match op {
        SConvert | UConvert | FConvert | SNegate | Not | LogicalNot | QuantizeToF16 => 1,
        IAdd | ISub | IMul | UDiv | SDiv | UMod | SRem | SMod | ShiftRightLogical | ShiftRightArithmetic
        | ShiftLeftLogical | BitwiseOr | BitwiseXor | BitwiseAnd | LogicalOr | LogicalAnd | LogicalEqual
        | LogicalNotEqual | IEqual | INotEqual | ULessThan | SLessThan | UGreaterThan | SGreaterThan
        | ULessThanEqual | SLessThanEqual | UGreaterThanEqual | SGreaterThanEqual => 2,
        Select => 3,
        _ => refuse!("{op:?} is no operation on constants"),
    })
}

fn kinds_fit(op: Op, result: Scalar, shapes: &[Shape]) -> bool {
    use Op::*;
    let all = |wanted: &dyn Fn(Scalar) -> bool| shapes.iter().all(|s| wanted(s.scalar));
    match op {
        FConvert | QuantizeToF16 => result.is_float() && all(&Scalar::is_float),
        LogicalNot | LogicalOr | LogicalAnd | LogicalEqual | LogicalNotEqual => {
            result == Scalar::Bool && all(&|s| s == Scalar::Bool)
        }
        IEqual | INotEqual | ULessThan | SLessThan | UGreaterThan | SGreaterThan | ULessThanEqual | SLessThanEqual
        | UGreaterThanEqual | SGreaterThanEqual => result == Scalar::Bool && all(&Scalar::is_int),
        Select => shapes[0].scalar == Scalar::Bool && shapes[1..].iter().all(|s| s.scalar == result),
        _ => result.is_int() && all(&Scalar::is_int),
    }
}

/// One component. Integers are of 32 bits; a division by zero gives zero.
fn evaluate(op: Op, result: Scalar, from: Scalar, v: &[u64]) -> u64 {
    use Op::*;
    let word = |i: usize| v.get(i).copied().unwrap_or(0) as u32;
    let (a, b) = (word(0), word(1));
    let (sa, sb) = (a as i32, b as i32);
    let flag = |is: bool| u64::from(is);
    let number = match op {
        SNegate => a.wrapping_neg(),
        Not => !a,
        IAdd => a.wrapping_add(b),
        ISub => a.wrapping_sub(b),
        IMul => a.wrapping_mul(b),
        UDiv => a.checked_div(b).unwrap_or(0),
        UMod => a.checked_rem(b).unwrap_or(0),
        SDiv => sa.checked_div(sb).unwrap_or(0) as u32,
        SRem => sa.checked_rem(sb).unwrap_or(0) as u32,
        SMod => match sa.checked_rem(sb).unwrap_or(0) {
            0 => 0,
            rest if (rest < 0) != (sb < 0) => (rest + sb) as u32,
            rest => rest as u32,
        },
        ShiftRightLogical => a.checked_shr(b).unwrap_or(0),
        ShiftRightArithmetic => sa.checked_shr(b).unwrap_or(0) as u32,
        ShiftLeftLogical => a.checked_shl(b).unwrap_or(0),
        BitwiseOr => a | b,
        BitwiseXor => a ^ b,
        BitwiseAnd => a & b,
        LogicalNot => return flag(a == 0),
        LogicalOr => return flag(a != 0 || b != 0),
        LogicalAnd => return flag(a != 0 && b != 0),
        LogicalEqual | IEqual => return flag(a == b),
        LogicalNotEqual | INotEqual => return flag(a != b),
        ULessThan => return flag(a < b),
        SLessThan => return flag(sa < sb),
        UGreaterThan => return flag(a > b),
        SGreaterThan => return flag(sa > sb),
        ULessThanEqual => return flag(a <= b),
        SLessThanEqual => return flag(sa <= sb),
        UGreaterThanEqual => return flag(a >= b),
        SGreaterThanEqual => return flag(sa >= sb),
        Select => return if a != 0 { v[1] } else { v[2] },
        FConvert => {
            let value = if from.width() == 64 { f64::from_bits(v[0]) } else { f64::from(f32::from_bits(a)) };
            return if result.width() == 64 { value.to_bits() } else { u64::from((value as f32).to_bits()) };
        }
        QuantizeToF16 => return u64::from(quantized(f32::from_bits(a)).to_bits()),
        _ => a,
    };
    u64::from(number)
}

/// A float as far as 16 bits hold it: ten bits of fraction, small ones flushed to zero, large ones infinite.
fn quantized(value: f32) -> f32 {
    if value.is_nan() || value == 0.0 {
        return value;
    }
    let kept = f32::from_bits(value.to_bits().wrapping_add(0x0000_1000) & 0xffff_e000);
    match kept.abs() {
        size if size > 65504.0 => f32::INFINITY.copysign(value),
        size if size < 6.103_515_6e-5 => 0.0_f32.copysign(value),
        _ => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPIR-V 1.0 section 3.32.13: the sign of OpSMod is that of the divisor, the sign of OpSRem that of the dividend.
    #[test]
    fn division_and_remainders() {
        let of = |op, a: i32, b: i32| {
            evaluate(op, Scalar::INT, Scalar::INT, &[u64::from(a as u32), u64::from(b as u32)]) as u32 as i32
        };
        assert_eq!((of(Op::SMod, -7, 3), of(Op::SRem, -7, 3), of(Op::SDiv, -7, 3)), (2, -1, -2));
        assert_eq!((of(Op::SMod, 7, -3), of(Op::SRem, 7, -3)), (-2, 1));
        assert_eq!((of(Op::SDiv, i32::MIN, -1), of(Op::UMod, 5, 0)), (0, 0));
        assert_eq!(of(Op::ShiftLeftLogical, 1, 40), 0);
    }

    #[test]
    fn halves() {
        assert_eq!(quantized(1.0 + 1.0 / 1024.0), 1.0 + 1.0 / 1024.0);
        assert_eq!(quantized(1.0 + 1.0 / 8192.0), 1.0);
        assert_eq!(quantized(1e6), f32::INFINITY);
        assert_eq!(quantized(1e-6), 0.0);
    }
}
