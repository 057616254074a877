//! The std140 and std430 layouts (GL 4.6 core section 7.6.2.2). `shared` and `packed` uniform blocks use std140
//! too, as the specification leaves theirs to us.

use super::types::{StructTy, Ty};
use crate::gl_type::{Scalar, Shape};

/// The rules a block's members are laid out by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Packing {
    /// Arrays and structures are aligned to 16 bytes.
    #[default]
    Std140,
    /// They are aligned as their members are.
    Std430,
    /// As the module's decorations say.
    Explicit,
}

impl Packing {
    /// The least alignment of an array or a structure.
    pub(super) const fn aggregate(self) -> u32 {
        match self {
            Packing::Std140 => 16,
            Packing::Std430 | Packing::Explicit => 1,
        }
    }
}

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub size: u32,
    pub align: u32,
}

fn round_up(v: u32, to: u32) -> u32 {
    v.div_ceil(to).saturating_mul(to)
}

/// A scalar or vector.
pub(super) fn vector(scalar: Scalar, n: u8) -> Extent {
    let unit = 4 * scalar.words();
    let n = u32::from(n);
    Extent { size: unit * n, align: unit * if n == 3 { 4 } else { n } }
}

/// Bytes between the columns (rows when `row_major`) of a matrix.
pub(crate) fn matrix_stride(shape: Shape, row_major: bool, packing: Packing) -> u32 {
    let len = if row_major { shape.columns } else { shape.rows };
    round_up(vector(shape.scalar, len).align, packing.aggregate())
}

/// Bytes between array elements.
pub(crate) fn array_stride(element: &Ty, row_major: bool, packing: Packing) -> u32 {
    let l = extent(element, row_major, packing);
    round_up(l.size, l.align.max(packing.aggregate()))
}

/// Layout of a type; samplers take no space, nor do the elements of an array without size.
pub(crate) fn extent(ty: &Ty, row_major: bool, packing: Packing) -> Extent {
    match ty {
        Ty::Basic(s) if s.columns == 1 => vector(s.scalar, s.rows),
        Ty::Basic(s) => {
            let stride = matrix_stride(*s, row_major, packing);
            let count = u32::from(if row_major { s.rows } else { s.columns });
            Extent { size: stride * count, align: stride }
        }
        Ty::Array(t, n) => {
            // One walk down for both: nested arrays would take two to the power of their depth otherwise.
            let element = extent(t, row_major, packing);
            let align = element.align.max(packing.aggregate());
            Extent { size: round_up(element.size, align).saturating_mul(*n), align }
        }
        Ty::Struct(s) => struct_layout(s, row_major, packing).1,
        Ty::Sampler(_) | Ty::Other => Extent { size: 0, align: 1 },
    }
}

/// Member offsets and total layout of a struct; offsets that the source gives stand. Members without data get the current offset.
pub(crate) fn struct_layout(s: &StructTy, row_major: bool, packing: Packing) -> (Vec<u32>, Extent) {
    let mut at = 0u32;
    let mut align = packing.aggregate();
    let mut offsets = Vec::with_capacity(s.members.len());
    for m in &s.members {
        let l = extent(&m.ty, row_major || m.row_major, packing);
        at = m.offset.unwrap_or_else(|| round_up(at, l.align));
        offsets.push(at);
        at = at.saturating_add(l.size);
        align = align.max(l.align);
    }
    (offsets, Extent { size: round_up(at, align), align })
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
        Member { name: name.into(), ty, row_major: false, offset: None }
    }

    // GLSL 4.60 section 4.4.5: what has no offset goes on after what has one.
    #[test]
    fn offsets_of_the_source_stand() {
        let f = || basic(Scalar::Float, 1, 1);
        let mut members = vec![member("a", f()), member("b", basic(Scalar::Float, 1, 3)), member("c", f())];
        members[1].offset = Some(48);
        let s = StructTy { name: "B".into(), members };
        assert_eq!(struct_layout(&s, false, Packing::Std140), (vec![0, 48, 60], Extent { size: 64, align: 16 }));
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
        let (offsets, total) = struct_layout(&s, false, Packing::Std140);
        assert_eq!(offsets, [0, 12, 16, 64, 112, 128]);
        assert_eq!(total, Extent { size: 144, align: 16 });
        assert_eq!(extent(&basic(Scalar::Float, 3, 2), true, Packing::Std140).size, 32);
        // GL 4.6 core 7.6.2.2: std430 does not round arrays and structures up to 16 bytes.
        let (offsets, total) = struct_layout(&s, false, Packing::Std430);
        assert_eq!(offsets, [0, 12, 16, 32, 56, 72]);
        assert_eq!(total, Extent { size: 80, align: 16 });
    }
}
