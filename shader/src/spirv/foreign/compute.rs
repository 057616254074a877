//! Conversions, composites, arithmetic, comparisons, bits and derivatives (SPIR-V 1.0 sections 3.32.11 to 3.32.16).

use spirv::{Op, Scope};

use super::super::module::Inst;
use super::code::Code;
use super::globals::BOOL;
use super::types::{Scalar, Shape, Type};
use super::{Check, refuse};
use crate::stage::Stage;

impl Code<'_, '_> {
    /// Checks an instruction whose operands are values alone.
    pub(super) fn compute(&mut self, inst: &Inst) -> Check {
        use Op::*;
        match inst.op {
            FNegate => self.alike(inst, 1, Scalar::is_float),
            FAdd | FSub | FMul | FDiv | FRem | FMod => self.alike(inst, 2, Scalar::is_float),
            DPdx | DPdy | Fwidth => self.derivative(inst),
            DPdxFine | DPdyFine | FwidthFine | DPdxCoarse | DPdyCoarse | FwidthCoarse => {
                self.required.add(spirv::Capability::DerivativeControl)?;
                self.derivative(inst)
            }
            SNegate | Not => self.integers(inst, 1, false),
            IAdd | ISub | IMul | SDiv | SRem | SMod | BitwiseOr | BitwiseXor | BitwiseAnd => {
                self.integers(inst, 2, false)
            }
            UDiv | UMod => self.integers(inst, 2, true),
            ShiftRightLogical | ShiftRightArithmetic | ShiftLeftLogical => self.shift(inst),
            BitReverse | BitCount => {
                fits(self.shape(inst.word(0))?.scalar.is_int())?;
                self.integers(inst, 1, false)
            }
            BitFieldInsert => self.bit_field(inst, 2),
            BitFieldSExtract | BitFieldUExtract => self.bit_field(inst, 1),
            IAddCarry | ISubBorrow => self.extended_arithmetic(inst, true),
            UMulExtended | SMulExtended => self.extended_arithmetic(inst, false),
            LogicalNot => self.alike(inst, 1, |s| s == Scalar::Bool),
            LogicalAnd | LogicalOr | LogicalEqual | LogicalNotEqual => self.alike(inst, 2, |s| s == Scalar::Bool),
            IsNan | IsInf => self.comparison(inst, 1, Scalar::is_float),
            FOrdEqual
            | FUnordEqual
            | FOrdNotEqual
            | FUnordNotEqual
            | FOrdLessThan
            | FUnordLessThan
            | FOrdGreaterThan
            | FUnordGreaterThan
            | FOrdLessThanEqual
            | FUnordLessThanEqual
            | FOrdGreaterThanEqual
            | FUnordGreaterThanEqual => self.comparison(inst, 2, Scalar::is_float),
            IEqual | INotEqual | ULessThan | SLessThan | UGreaterThan | SGreaterThan | ULessThanEqual
            | SLessThanEqual | UGreaterThanEqual | SGreaterThanEqual => self.comparison(inst, 2, Scalar::is_any_int),
            Any | All => {
                let [ty, _, vector] = operands(inst)?;
                let from = self.shape_of(vector)?;
                fits(self.shape(ty)? == BOOL && from.count > 1 && from.scalar == Scalar::Bool)
            }
            Select => self.select(inst),
            ConvertFToU | ConvertFToS | ConvertSToF | ConvertUToF | FConvert | SConvert | UConvert | QuantizeToF16 => {
                self.conversion(inst)
            }
            Bitcast => {
                let [ty, _, from] = operands(inst)?;
                let (to, from) = (self.shape(ty)?, self.shape_of(from)?);
                let bits = |s: Shape| s.count * s.scalar.width();
                fits(bits(to) != 0 && bits(to) == bits(from) && to != from)
            }
            Dot | MatrixTimesScalar | VectorTimesScalar | VectorTimesMatrix | MatrixTimesVector | MatrixTimesMatrix
            | OuterProduct | Transpose => self.linear(inst),
            VectorExtractDynamic | VectorInsertDynamic | VectorShuffle | CompositeConstruct | CompositeExtract
            | CompositeInsert => self.composite(inst),
            SubgroupAllKHR | SubgroupAnyKHR | SubgroupAllEqualKHR => {
                self.required.add(spirv::Capability::SubgroupVoteKHR)?;
                let [ty, _, value] = operands(inst)?;
                fits(self.shape(ty)? == BOOL && self.shape_of(value)? == BOOL)
            }
            ControlBarrier => {
                self.only(&[Stage::TessControl, Stage::Compute])?;
                let [execution, memory, semantics] = operands(inst)?;
                let execution = self.globals.uint(execution);
                fits(execution == Some(Scope::Workgroup as u32) || execution == Some(Scope::Subgroup as u32))?;
                self.scope(memory)?;
                self.semantics(semantics)
            }
            MemoryBarrier => {
                let [scope, semantics] = operands(inst)?;
                self.scope(scope)?;
                self.semantics(semantics)
            }
            _ => refuse!("this instruction is not supported"),
        }
    }

    /// GL 4.6 core appendix C.4: scopes of memory.
    pub(super) fn scope(&self, id: u32) -> Check {
        let allowed = [Scope::Device as u32, Scope::Workgroup as u32, Scope::Invocation as u32];
        fits(self.globals.uint(id).is_some_and(|scope| allowed.contains(&scope)))
    }

    /// Memory semantics are constants; which of their bits count is settled when the module is normalised.
    pub(super) fn semantics(&self, id: u32) -> Check {
        let Some(bits) = self.globals.uint(id) else { refuse!("the memory semantics are no constant") };
        fits(bits & !0xfde == 0 && (bits & 0x1e).count_ones() < 2)
    }

    /// Result and operands are of one type.
    fn alike(&self, inst: &Inst, count: usize, kind: impl Fn(Scalar) -> bool) -> Check {
        length(inst, 2 + count)?;
        self.same(inst.word(0), &inst.words[2..], count, kind)
    }

    /// Operands of the result's type.
    pub(super) fn same(&self, ty: u32, operands: &[u32], count: usize, kind: impl Fn(Scalar) -> bool) -> Check {
        fits(operands.len() == count && kind(self.shape(ty)?.scalar))?;
        for operand in operands {
            fits(self.value(*operand)? == ty)?;
        }
        Ok(())
    }

    fn derivative(&self, inst: &Inst) -> Check {
        self.only(&[Stage::Fragment])?;
        self.alike(inst, 1, |s| s == Scalar::FLOAT)
    }

    /// Integers of one width and number; `unsigned` wants the very type of the result.
    fn integers(&self, inst: &Inst, count: usize, unsigned: bool) -> Check {
        length(inst, 2 + count)?;
        let result = self.shape(inst.word(0))?;
        let is_unsigned = matches!(result.scalar, Scalar::Int { signed: false, .. });
        fits(result.scalar.is_any_int() && (!unsigned || is_unsigned))?;
        for operand in &inst.words[2..] {
            let shape = self.shape_of(*operand)?;
            fits(shape.scalar.is_any_int() && shape.count == result.count)?;
            fits(shape.scalar.width() == result.scalar.width() && (!unsigned || shape == result))?;
        }
        Ok(())
    }

    /// How far something is shifted may be told in integers of another width.
    fn shift(&self, inst: &Inst) -> Check {
        let [ty, _, base, by] = operands(inst)?;
        let (result, base, by) = (self.shape(ty)?, self.shape_of(base)?, self.shape_of(by)?);
        fits(result.scalar.is_any_int() && base.scalar.is_any_int() && by.scalar.is_any_int())?;
        fits(base.count == result.count && base.scalar.width() == result.scalar.width() && by.count == result.count)
    }

    fn bit_field(&self, inst: &Inst, values: usize) -> Check {
        length(inst, 2 + values + 2)?;
        let ty = inst.word(0);
        fits(self.shape(ty)?.scalar.is_int())?;
        for (i, operand) in inst.words[2..].iter().enumerate() {
            let shape = self.shape_of(*operand)?;
            fits(if i < values { self.value(*operand)? == ty } else { shape.is_int() })?;
        }
        Ok(())
    }

    fn extended_arithmetic(&self, inst: &Inst, unsigned: bool) -> Check {
        let [ty, _, a, b] = operands(inst)?;
        let Type::Struct(members) = self.globals.ty(ty)? else { refuse!("the result is no structure") };
        let part = members[0];
        let shape = self.shape(part)?;
        fits(members.len() == 2 && members[1] == part && shape.scalar.is_int())?;
        fits(!unsigned || shape.scalar == Scalar::UINT)?;
        fits(self.value(a)? == part && self.value(b)? == part)
    }

    fn comparison(&self, inst: &Inst, count: usize, kind: impl Fn(Scalar) -> bool) -> Check {
        length(inst, 2 + count)?;
        let result = self.shape(inst.word(0))?;
        fits(result.scalar == Scalar::Bool)?;
        let first = self.shape_of(inst.word(2))?;
        for operand in &inst.words[2..] {
            let shape = self.shape_of(*operand)?;
            fits(kind(shape.scalar) && shape.count == result.count && shape.scalar.width() == first.scalar.width())?;
        }
        Ok(())
    }

    fn select(&self, inst: &Inst) -> Check {
        let [ty, _, condition, a, b] = operands(inst)?;
        let (result, condition) = (self.shape(ty)?, self.shape_of(condition)?);
        fits(condition.scalar == Scalar::Bool && condition.count == result.count)?;
        fits(self.value(a)? == ty && self.value(b)? == ty)
    }

    fn conversion(&self, inst: &Inst) -> Check {
        let [ty, _, from] = operands(inst)?;
        let (to, from) = (self.shape(ty)?, self.shape_of(from)?);
        let unsigned = |s: Scalar| matches!(s, Scalar::Int { signed: false, .. });
        let (a, b) = (from.scalar, to.scalar);
        fits(to.count == from.count)?;
        fits(match inst.op {
            Op::ConvertFToU => a.is_float() && unsigned(b),
            Op::ConvertFToS => a.is_float() && b.is_any_int(),
            Op::ConvertSToF | Op::ConvertUToF => a.is_any_int() && b.is_float(),
            Op::FConvert => a.is_float() && b.is_float() && a.width() != b.width(),
            Op::SConvert => a.is_any_int() && b.is_any_int() && a.width() != b.width(),
            Op::UConvert => a.is_any_int() && unsigned(b) && a.width() != b.width(),
            _ => a == Scalar::FLOAT && b == a,
        })
    }

    /// Vectors and matrices of floats.
    fn linear(&self, inst: &Inst) -> Check {
        let types = &self.globals.types;
        if inst.op == Op::Transpose {
            let [ty, _, m] = operands(inst)?;
            let (Some((column, count)), Some((from, columns))) = (types.matrix(ty), types.matrix(self.value(m)?))
            else {
                refuse!("only matrices are transposed")
            };
            let (to, from) = (self.shape(column)?, self.shape(from)?);
            return fits(to.scalar == from.scalar && to.count == columns && from.count == count);
        }
        let [ty, _, a, b] = operands(inst)?;
        let (a, b) = (self.value(a)?, self.value(b)?);
        let float_vector = |ty: u32| types.shape(ty).filter(|s| s.count > 1 && s.scalar.is_float());
        let scalar = |ty: u32| types.shape(ty).filter(|s| s.count == 1 && s.scalar.is_float());
        let column = |ty: u32| types.matrix(ty).and_then(|m| Some((types.shape(m.0)?, m.1)));
        fits(match inst.op {
            Op::Dot => match (scalar(ty), float_vector(a)) {
                (Some(s), Some(v)) => a == b && s.scalar == v.scalar,
                _ => false,
            },
            Op::VectorTimesScalar => match (float_vector(ty), scalar(b)) {
                (Some(v), Some(s)) => a == ty && s.scalar == v.scalar,
                _ => false,
            },
            Op::MatrixTimesScalar => match (column(ty), scalar(b)) {
                (Some((c, _)), Some(s)) => a == ty && s.scalar == c.scalar,
                _ => false,
            },
            Op::MatrixTimesVector => match (float_vector(ty), column(a), float_vector(b)) {
                (Some(to), Some((c, n)), Some(v)) => to == c && v.count == n && v.scalar == c.scalar,
                _ => false,
            },
            Op::VectorTimesMatrix => match (float_vector(ty), float_vector(a), column(b)) {
                (Some(to), Some(v), Some((c, n))) => v == c && to.count == n && to.scalar == c.scalar,
                _ => false,
            },
            Op::MatrixTimesMatrix => match (column(ty), column(a), column(b)) {
                (Some((to, n)), Some((x, xn)), Some((y, yn))) => {
                    to == x && n == yn && y.count == xn && x.scalar == y.scalar
                }
                _ => false,
            },
            _ => match (column(ty), float_vector(a), float_vector(b)) {
                (Some((to, n)), Some(x), Some(y)) => to == x && n == y.count && x.scalar == y.scalar,
                _ => false,
            },
        })
    }

    fn composite(&self, inst: &Inst) -> Check {
        let types = &self.globals.types;
        match inst.op {
            Op::VectorExtractDynamic => {
                let [ty, _, vector, index] = operands(inst)?;
                let (from, index) = (self.shape_of(vector)?, self.shape_of(index)?);
                fits(from.count > 1 && index.is_int())?;
                fits(self.shape(ty)? == Shape { count: 1, ..from })
            }
            Op::VectorInsertDynamic => {
                let [ty, _, vector, part, index] = operands(inst)?;
                let (to, part, index) = (self.shape(ty)?, self.shape_of(part)?, self.shape_of(index)?);
                fits(to.count > 1 && self.value(vector)? == ty && part == Shape { count: 1, ..to })?;
                fits(index.is_int())
            }
            Op::VectorShuffle => {
                let [ty, _, a, b, choices @ ..] = &inst.words[..] else { refuse!("too few operands") };
                let (to, a, b) = (self.shape(*ty)?, self.shape_of(*a)?, self.shape_of(*b)?);
                fits(to.count > 1 && a.count > 1 && b.count > 1 && a.scalar == to.scalar && b.scalar == to.scalar)?;
                fits(choices.len() == to.count as usize)?;
                fits(choices.iter().all(|c| *c == u32::MAX || *c < a.count + b.count))
            }
            Op::CompositeConstruct => self.construct(inst),
            Op::CompositeExtract => {
                let [ty, _, composite, indices @ ..] = &inst.words[..] else { refuse!("too few operands") };
                let mut at = self.value(*composite)?;
                self.data(at)?;
                fits(!indices.is_empty())?;
                for index in indices {
                    at = types.part(at, *index).ok_or("there is no such part")?;
                }
                fits(at == *ty)
            }
            _ => {
                let [ty, _, object, composite, indices @ ..] = &inst.words[..] else { refuse!("too few operands") };
                let mut at = self.value(*composite)?;
                self.data(at)?;
                fits(at == *ty && !indices.is_empty())?;
                for index in indices {
                    at = types.part(at, *index).ok_or("there is no such part")?;
                }
                fits(self.value(*object)? == at)
            }
        }
    }

    fn construct(&self, inst: &Inst) -> Check {
        let [ty, _, parts @ ..] = &inst.words[..] else { refuse!("too few operands") };
        self.data(*ty)?;
        let types = &self.globals.types;
        if let Some(to) = types.shape(*ty) {
            // A vector is made of scalars and vectors that follow each other.
            let mut count = 0;
            for part in parts {
                let part = self.shape_of(*part)?;
                fits(part.scalar == to.scalar)?;
                count += part.count;
            }
            return fits(to.count > 1 && count == to.count && parts.len() > 1);
        }
        fits(types.parts(*ty) == Some(parts.len() as u32))?;
        for (i, part) in (0..).zip(parts) {
            fits(Some(self.value(*part)?) == types.part(*ty, i))?;
        }
        Ok(())
    }
}

/// Exactly so many operands, the result's among them.
pub(super) fn operands<const N: usize>(inst: &Inst) -> Check<[u32; N]> {
    exactly(&inst.words)
}

/// Exactly so many operands.
pub(super) fn exactly<const N: usize>(operands: &[u32]) -> Check<[u32; N]> {
    <[u32; N]>::try_from(operands).map_err(|_| "wrong number of operands".to_owned())
}

pub(super) fn length(inst: &Inst, wanted: usize) -> Check {
    if inst.words.len() != wanted {
        refuse!("wrong number of operands");
    }
    Ok(())
}

/// Refuses operands of the wrong types.
pub(super) fn fits(is: bool) -> Check {
    if !is {
        refuse!("an operand or the result has the wrong type");
    }
    Ok(())
}
