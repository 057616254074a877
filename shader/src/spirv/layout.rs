//! The std140 layout (GL 4.6 core section 7.6.2.2). `shared` and `packed` blocks use it too, as
//! the specification leaves theirs to us.

use super::types::{StructTy, Ty};
use crate::gl_type::{Scalar, Shape};

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Std140 {
    pub size: u32,
    pub align: u32,
}

fn round_up(v: u32, to: u32) -> u32 {
    v.div_ceil(to).saturating_mul(to)
}

fn vector(scalar: Scalar, n: u8) -> Std140 {
    let unit = if scalar == Scalar::Double { 8 } else { 4 };
    let n = u32::from(n);
    Std140 { size: unit * n, align: unit * if n == 3 { 4 } else { n } }
}

/// Bytes between the columns (rows when `row_major`) of a matrix.
pub(crate) fn matrix_stride(shape: Shape, row_major: bool) -> u32 {
    let len = if row_major { shape.columns } else { shape.rows };
    round_up(vector(shape.scalar, len).align, 16)
}

/// Bytes between array elements.
pub(crate) fn array_stride(element: &Ty, row_major: bool) -> u32 {
    let l = std140(element, row_major);
    round_up(l.size, l.align.max(16))
}

/// Layout of a type; samplers take no space.
pub(crate) fn std140(ty: &Ty, row_major: bool) -> Std140 {
    match ty {
        Ty::Basic(s) if s.columns == 1 => vector(s.scalar, s.rows),
        Ty::Basic(s) => {
            let stride = matrix_stride(*s, row_major);
            let count = u32::from(if row_major { s.rows } else { s.columns });
            Std140 { size: stride * count, align: stride }
        }
        Ty::Array(t, n) => {
            let align = round_up(std140(t, row_major).align, 16);
            Std140 { size: array_stride(t, row_major).saturating_mul(*n), align }
        }
        Ty::Struct(s) => struct_layout(s, row_major).1,
        Ty::Sampler(_) | Ty::Other => Std140 { size: 0, align: 1 },
    }
}

/// Member offsets and total layout of a struct. Members without data get the current offset.
pub(crate) fn struct_layout(s: &StructTy, row_major: bool) -> (Vec<u32>, Std140) {
    let mut at = 0u32;
    let mut align = 16u32;
    let mut offsets = Vec::with_capacity(s.members.len());
    for m in &s.members {
        let l = std140(&m.ty, row_major || m.row_major);
        at = round_up(at, l.align);
        offsets.push(at);
        at = at.saturating_add(l.size);
        align = align.max(l.align);
    }
    (offsets, Std140 { size: round_up(at, align), align })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spirv::types::Member;
    use std::sync::Arc;

    fn basic(scalar: Scalar, columns: u8, rows: u8) -> Ty {
        Ty::Basic(Shape { scalar, columns, rows })
    }

    fn member(name: &str, ty: Ty) -> Member {
        Member { name: name.into(), ty, row_major: false }
    }

    // GL 4.6 core 7.6.2.2, the worked example's rules: a float after a vec3 shares its slot, array
    // elements and struct members round to 16 bytes.
    #[test]
    fn std140_rules() {
        let f = basic(Scalar::Float, 1, 1);
        let inner = StructTy {
            name: "S".into(),
            members: vec![member("a", f.clone()), member("b", basic(Scalar::Float, 1, 2))],
        };
        let s = StructTy {
            name: "B".into(),
            members: vec![
                member("v", basic(Scalar::Float, 1, 3)),
                member("f", f.clone()),
                member("a", Ty::Array(Arc::new(f), 3)),
                member("m", basic(Scalar::Float, 3, 2)),
                member("s", Ty::Struct(Arc::new(inner))),
                member("last", basic(Scalar::Int, 1, 1)),
            ],
        };
        let (offsets, total) = struct_layout(&s, false);
        assert_eq!(offsets, [0, 12, 16, 64, 112, 128]);
        assert_eq!(total, Std140 { size: 144, align: 16 });
        assert_eq!(std140(&basic(Scalar::Float, 3, 2), true).size, 32);
    }
}
