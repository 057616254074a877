//! The instructions of GLSL.std.450.

use spirv::{Capability, GlslStd450Op, StorageClass};

use super::super::module::Inst;
use super::code::Code;
use super::compute::{exactly, fits};
use super::types::{Scalar, Shape, Type};
use super::{Check, refuse};
use crate::stage::Stage;

pub(super) fn check(code: &mut Code<'_, '_>, inst: &Inst) -> Check {
    let [ty, _, set, number, operands @ ..] = &inst.words[..] else { refuse!("too few operands") };
    if Some(*set) != code.globals.extended {
        refuse!("these instructions are not imported");
    }
    let Some(op) = GlslStd450Op::from_u32(*number) else { refuse!("GLSL.std.450 has no instruction {number}") };
    code.extended(op, *ty, operands).map_err(|fault| format!("{op:?}: {fault}"))
}

impl Code<'_, '_> {
    fn extended(&mut self, op: GlslStd450Op, ty: u32, operands: &[u32]) -> Check {
        use GlslStd450Op::*;
        match op {
            Round | RoundEven | Trunc | FAbs | FSign | Floor | Ceil | Fract | Sqrt | InverseSqrt | Normalize => {
                self.same(ty, operands, 1, Scalar::is_float)
            }
            Radians | Degrees | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh
            | Exp | Log | Exp2 | Log2 => self.same(ty, operands, 1, |s| s == Scalar::FLOAT),
            Atan2 | Pow => self.same(ty, operands, 2, |s| s == Scalar::FLOAT),
            FMin | FMax | NMin | NMax | Step | Reflect => self.same(ty, operands, 2, Scalar::is_float),
            FClamp | NClamp | FMix | SmoothStep | Fma | FaceForward => self.same(ty, operands, 3, Scalar::is_float),
            SAbs | SSign | FindILsb => self.integers_of(ty, operands, 1),
            FindSMsb | FindUMsb => self.integers_of(ty, operands, 1),
            UMin | SMin | UMax | SMax => self.integers_of(ty, operands, 2),
            UClamp | SClamp => self.integers_of(ty, operands, 3),
            Determinant | MatrixInverse => {
                let [m] = exactly(operands)?;
                let m = self.value(m)?;
                let Some((column, count)) = self.globals.types.matrix(m) else { refuse!("this is no matrix") };
                let column = self.shape(column)?;
                let one = column.scalar.one();
                fits(column.count == count && if op == Determinant { self.shape(ty)? == one } else { ty == m })
            }
            Length | Distance => {
                let vectors = if op == Length { 1 } else { 2 };
                let result = self.shape(ty)?;
                fits(operands.len() == vectors && result.count == 1 && result.scalar.is_float())?;
                let first = self.value(operands[0])?;
                for operand in operands {
                    fits(self.value(*operand)? == first && self.shape(first)?.scalar == result.scalar)?;
                }
                Ok(())
            }
            Cross => {
                fits(self.shape(ty)?.count == 3)?;
                self.same(ty, operands, 2, Scalar::is_float)
            }
            Refract => {
                let [i, n, eta] = exactly(operands)?;
                let (result, eta) = (self.shape(ty)?, self.shape_of(eta)?);
                fits(result.scalar.is_float() && eta == result.scalar.one())?;
                fits(self.value(i)? == ty && self.value(n)? == ty)
            }
            Ldexp => {
                let [x, exponent] = exactly(operands)?;
                let (result, exponent) = (self.shape(ty)?, self.shape_of(exponent)?);
                fits(result.scalar.is_float() && exponent.scalar.is_int() && result.count == exponent.count)?;
                fits(self.value(x)? == ty)
            }
            Modf | Frexp => {
                let [x, pointer] = exactly(operands)?;
                let result = self.shape(ty)?;
                let (class, to) = self.pointer(pointer)?;
                let own = matches!(class, StorageClass::Function | StorageClass::Private);
                fits(result.scalar.is_float() && self.value(x)? == ty && own)?;
                let to = self.shape(to)?;
                fits(if op == Modf { to == result } else { to.scalar.is_int() && to.count == result.count })
            }
            ModfStruct | FrexpStruct => {
                let [x] = exactly(operands)?;
                let Type::Struct(members) = self.globals.ty(ty)? else { refuse!("the result is no structure") };
                let [value, other] = members[..] else { refuse!("the result has no two members") };
                let (shape, other) = (self.shape(value)?, self.shape(other)?);
                fits(shape.scalar.is_float() && self.value(x)? == value && shape.count == other.count)?;
                fits(if op == ModfStruct { other == shape } else { other.scalar.is_int() })
            }
            PackSnorm4x8 | PackUnorm4x8 => self.packed(ty, operands, 4),
            PackSnorm2x16 | PackUnorm2x16 | PackHalf2x16 => self.packed(ty, operands, 2),
            UnpackSnorm4x8 | UnpackUnorm4x8 => self.unpacked(ty, operands, 4),
            UnpackSnorm2x16 | UnpackUnorm2x16 | UnpackHalf2x16 => self.unpacked(ty, operands, 2),
            PackDouble2x32 => {
                let [v] = exactly(operands)?;
                let v = self.shape_of(v)?;
                fits(self.shape(ty)? == Scalar::Float(64).one())?;
                fits(v.scalar.is_int() && v.count == 2)
            }
            UnpackDouble2x32 => {
                let [v] = exactly(operands)?;
                let result = self.shape(ty)?;
                fits(self.shape_of(v)? == Scalar::Float(64).one())?;
                fits(result.scalar.is_int() && result.count == 2)
            }
            InterpolateAtCentroid | InterpolateAtSample | InterpolateAtOffset => self.interpolate(op, ty, operands),
            _ => refuse!("this instruction is not supported"),
        }
    }

    /// Integers, signed or not, of the result's number.
    fn integers_of(&self, ty: u32, operands: &[u32], count: usize) -> Check {
        let result = self.shape(ty)?;
        fits(operands.len() == count && result.scalar.is_int())?;
        for operand in operands {
            let shape = self.shape_of(*operand)?;
            fits(shape.scalar.is_int() && shape.count == result.count)?;
        }
        Ok(())
    }

    fn packed(&self, ty: u32, operands: &[u32], count: u32) -> Check {
        let [v] = exactly(operands)?;
        let result = self.shape(ty)?;
        fits(result.is_int() && self.shape_of(v)? == Shape { scalar: Scalar::FLOAT, count })
    }

    fn unpacked(&self, ty: u32, operands: &[u32], count: u32) -> Check {
        let [v] = exactly(operands)?;
        let v = self.shape_of(v)?;
        fits(v.is_int() && self.shape(ty)? == Shape { scalar: Scalar::FLOAT, count })
    }

    fn interpolate(&mut self, op: GlslStd450Op, ty: u32, operands: &[u32]) -> Check {
        self.only(&[Stage::Fragment])?;
        self.required.add(Capability::InterpolationFunction)?;
        let (pointer, at) = match (op, operands) {
            (GlslStd450Op::InterpolateAtCentroid, [pointer]) => (*pointer, None),
            (GlslStd450Op::InterpolateAtSample | GlslStd450Op::InterpolateAtOffset, [pointer, at]) => {
                (*pointer, Some(*at))
            }
            _ => refuse!("wrong number of operands"),
        };
        let (class, to) = self.pointer(pointer)?;
        fits(class == StorageClass::Input && to == ty && self.shape(ty)?.scalar == Scalar::FLOAT)?;
        let Some(at) = at else { return Ok(()) };
        let at = self.shape_of(at)?;
        fits(match op {
            GlslStd450Op::InterpolateAtSample => at.is_int(),
            _ => at == Shape { scalar: Scalar::FLOAT, count: 2 },
        })
    }
}
