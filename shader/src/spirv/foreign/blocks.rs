//! The layout of uniform and storage blocks as a module declares it (GL 4.6 core 7.6.2.3): whether it keeps to the rules,
//! and where everything is.

use std::collections::HashMap;
use std::sync::Arc;

use spirv::{Decoration, Op};

use super::super::layout::{Packing, matrix_stride, vector};
use super::super::module::{Inst, Module};
use super::super::types::{Ty, TypeTable};
use super::{Check, refuse};
use crate::gl_type::{Scalar, Shape};

/// Members of a block after arrays of structures are taken apart, at most.
const MOST_LEAVES: usize = 1 << 16;
/// The same of all blocks of a module that are of different types: each member has a name, and a type of a few words can
/// have as many as a block can.
const MOST_LEAVES_IN_ALL: usize = 1 << 18;
/// Bytes of a block, at most.
const MOST_BYTES: u64 = 1 << 31;

/// A member of a block of basic type, or an array of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// The way to it, as its name would say: `.m0[1].m2`.
    pub path: String,
    pub shape: Shape,
    /// Elements of an array; 0 without a size.
    pub array: Option<u32>,
    pub offset: u32,
    pub array_stride: u32,
    pub matrix_stride: u32,
    pub row_major: bool,
    /// Elements of the array of structures or arrays that the outermost member is, and the bytes between them.
    pub top: (u32, u32),
}

/// Where everything in a block is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Explicit {
    /// Bytes; an array without size counts as one element.
    pub size: u32,
    /// Its members; of a storage block, only the first element of an outermost array of structures.
    pub leaves: Vec<Leaf>,
}

/// What decorations say of a member that is a matrix or holds one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Matrix {
    stride: u32,
    row_major: bool,
    column_major: bool,
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    align: u64,
    size: u64,
    /// Bytes to the end of the last element, without what its stride leaves after it.
    end: u64,
}

/// The decorations of a module that lay types out.
pub(crate) struct Layouts<'m> {
    table: TypeTable<'m>,
    members: HashMap<(u32, u32), (Option<u32>, Matrix)>,
    strides: HashMap<u32, u32>,
    known: HashMap<(u32, Packing), Extent>,
    /// Blocks that were listed already.
    blocks: HashMap<(u32, Packing), Arc<Explicit>>,
    /// Members of all of them.
    listed: usize,
}

impl<'m> Layouts<'m> {
    /// Reads the decorations.
    pub fn new(module: &'m Module) -> Self {
        let mut members: HashMap<(u32, u32), (Option<u32>, Matrix)> = HashMap::new();
        let mut strides = HashMap::new();
        for a in &module.annotations {
            match a.op {
                Op::MemberDecorate => {
                    let (offset, matrix) = members.entry((a.word(0), a.word(1))).or_default();
                    match Decoration::from_u32(a.word(2)) {
                        Some(Decoration::Offset) => *offset = Some(a.word(3)),
                        Some(Decoration::MatrixStride) => matrix.stride = a.word(3),
                        Some(Decoration::RowMajor) => matrix.row_major = true,
                        Some(Decoration::ColMajor) => matrix.column_major = true,
                        _ => {}
                    }
                }
                Op::Decorate if a.word(1) == Decoration::ArrayStride as u32 => {
                    strides.insert(a.word(0), a.word(2));
                }
                _ => {}
            }
        }
        let table = TypeTable::new(module);
        Layouts { table, members, strides, known: HashMap::new(), blocks: HashMap::new(), listed: 0 }
    }

    /// Checks the layout of a block's structure by the rules of `packing` and lists its members.
    pub fn block(&mut self, ty: u32, packing: Packing) -> Check<Arc<Explicit>> {
        if let Some(known) = self.blocks.get(&(ty, packing)) {
            return Ok(Arc::clone(known));
        }
        let block = Arc::new(self.list(ty, packing)?);
        self.listed += block.leaves.len();
        if self.listed > MOST_LEAVES_IN_ALL {
            refuse!("blocks have more than {MOST_LEAVES_IN_ALL} members in all");
        }
        self.blocks.insert((ty, packing), Arc::clone(&block));
        Ok(block)
    }

    fn list(&mut self, ty: u32, packing: Packing) -> Check<Explicit> {
        let whole = self.extent(ty, Matrix::default(), packing)?;
        if whole.size > MOST_BYTES {
            refuse!("a block is too large");
        }
        let mut out = Explicit { size: whole.end as u32, leaves: Vec::new() };
        let Some(def) = self.table.def(ty) else { refuse!("a block has no type") };
        for (m, member) in (0..).zip(&def.words[1..]) {
            let (offset, matrix) = self.members.get(&(ty, m)).copied().unwrap_or_default();
            let mut at = *member;
            let mut path = format!(".m{m}");
            let mut top = (1, 0);
            // GL 4.6 core 7.3.1.1: of an array of structures or arrays in a storage block, the first element is listed.
            if packing == Packing::Std430
                && let Some((element, length)) = self.array(at)
                && !matches!(self.table.ty(element), Ty::Basic(_))
            {
                top = (length, self.strides.get(&at).copied().unwrap_or(0));
                path.push_str("[0]");
                at = element;
            }
            self.leaves(at, path, offset.unwrap_or(0), matrix, top, &mut out.leaves)?;
        }
        Ok(out)
    }

    /// An array's element type and length, 0 without one.
    fn array(&self, ty: u32) -> Option<(u32, u32)> {
        let def = self.table.def(ty)?;
        match def.op {
            Op::TypeArray => Some((def.word(1), self.table.constant(def.word(2)).unwrap_or(0))),
            Op::TypeRuntimeArray => Some((def.word(1), 0)),
            _ => None,
        }
    }

    fn leaves(
        &self,
        ty: u32,
        path: String,
        offset: u32,
        matrix: Matrix,
        top: (u32, u32),
        out: &mut Vec<Leaf>,
    ) -> Check {
        if out.len() >= MOST_LEAVES {
            refuse!("a block has too many members");
        }
        let leaf = |shape: Shape, array, array_stride| Leaf {
            path: path.clone(),
            shape,
            array,
            offset,
            array_stride,
            matrix_stride: if shape.columns > 1 { matrix.stride } else { 0 },
            row_major: shape.columns > 1 && matrix.row_major,
            top,
        };
        if let Ty::Basic(shape) = self.table.ty(ty) {
            out.push(leaf(shape, None, 0));
            return Ok(());
        }
        if let Some((element, length)) = self.array(ty) {
            let stride = self.strides.get(&ty).copied().unwrap_or(0);
            if let Ty::Basic(shape) = self.table.ty(element) {
                out.push(leaf(shape, Some(length), stride));
                return Ok(());
            }
            for i in 0..length.max(1) {
                let at = offset.saturating_add(stride.saturating_mul(i));
                self.leaves(element, format!("{path}[{i}]"), at, matrix, top, out)?;
            }
            return Ok(());
        }
        let members: &[u32] = self.table.def(ty).map_or(&[], |d: &Inst| &d.words[1..]);
        for (m, member) in (0..).zip(members) {
            let (at, matrix) = self.members.get(&(ty, m)).copied().unwrap_or_default();
            let at = offset.saturating_add(at.unwrap_or(0));
            self.leaves(*member, format!("{path}.m{m}"), at, matrix, top, out)?;
        }
        Ok(())
    }

    fn extent(&mut self, ty: u32, matrix: Matrix, packing: Packing) -> Check<Extent> {
        if let Some(known) = self.known.get(&(ty, packing)) {
            return Ok(*known);
        }
        if let Ty::Basic(shape) = self.table.ty(ty) {
            return basic(shape, matrix, packing);
        }
        let least = u64::from(packing.aggregate());
        if let Some((element, length)) = self.array(ty) {
            let inner = self.extent(element, matrix, packing)?;
            let align = inner.align.max(least);
            let stride = u64::from(self.strides.get(&ty).copied().unwrap_or(0));
            if stride == 0 || stride % align != 0 || stride < inner.size {
                refuse!("the stride of an array in a block is missing or does not keep to the rules");
            }
            let count = u64::from(length.max(1));
            let end = stride.saturating_mul(count - 1).saturating_add(inner.end);
            return Ok(Extent { align, size: stride.saturating_mul(count), end });
        }
        let Some(def) = self.table.def(ty).filter(|d| d.op == Op::TypeStruct) else {
            refuse!("a block has a member that cannot be in memory")
        };
        let mut places = Vec::new();
        let (mut align, mut last) = (least, 0);
        for (m, member) in (0..).zip(&def.words[1..]) {
            let (offset, matrix) = self.members.get(&(ty, m)).copied().unwrap_or_default();
            let Some(offset) = offset.map(u64::from) else { refuse!("a member of a block has no offset") };
            let inner = self.extent(*member, matrix, packing)?;
            if offset % inner.align != 0 {
                refuse!("the offset of a member of a block does not keep to the rules");
            }
            align = align.max(inner.align);
            places.push((offset, offset.saturating_add(inner.size)));
            last = last.max(offset.saturating_add(inner.end));
        }
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            refuse!("members of a block overlap");
        }
        let end = places.last().map_or(0, |p| p.1);
        if end > MOST_BYTES {
            refuse!("a block is too large");
        }
        let whole = Extent { align, size: end.div_ceil(align) * align, end: last.div_ceil(align) * align };
        self.known.insert((ty, packing), whole);
        Ok(whole)
    }
}

/// A scalar, vector or matrix.
fn basic(shape: Shape, matrix: Matrix, packing: Packing) -> Check<Extent> {
    if shape.scalar == Scalar::Bool {
        refuse!("a block has a boolean member");
    }
    if shape.columns == 1 {
        let own = vector(shape.scalar, shape.rows);
        return Ok(Extent { align: own.align.into(), size: own.size.into(), end: own.size.into() });
    }
    if matrix.row_major == matrix.column_major {
        refuse!("a matrix in a block is stored neither by rows nor by columns, or by both");
    }
    let (length, count) = if matrix.row_major { (shape.columns, shape.rows) } else { (shape.rows, shape.columns) };
    let align = u64::from(matrix_stride(shape, matrix.row_major, packing));
    let line = u64::from(vector(shape.scalar, length).size);
    let stride = u64::from(matrix.stride);
    if stride == 0 || stride % align != 0 || stride < line {
        refuse!("the stride of a matrix in a block is missing or does not keep to the rules");
    }
    let count = u64::from(count);
    Ok(Extent { align, size: stride * count, end: stride * (count - 1) + line })
}
