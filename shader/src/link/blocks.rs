//! Uniform and storage blocks across stages (GL 4.6 core sections 7.6 and 7.8).

use std::collections::HashMap;
use std::sync::Arc;

use gallite_pipe::{BindingKind, ShaderBinding};

use super::access::Accesses;
use super::interface::BlockLayout;
use super::uniforms::{Leaf, for_each_leaf, merge_binding, root};
use super::{Linker, spaced};
use crate::passes::lower_uniforms::{BlockPlacement, Placement};
use crate::reflection::{BufferVariable, StorageBlock, Uniform, UniformBlock};
use crate::spirv::foreign::blocks::{self as explicit, Explicit};
use crate::spirv::{Member, Packing, StructTy, Ty, array_stride, matrix_stride, struct_layout};
use crate::stage::StageMask;

/// A block of the program.
pub(super) struct MergedBlock {
    pub name: String,
    space: Option<u8>,
    instance: bool,
    pub ty: Arc<StructTy>,
    pub dims: Vec<u32>,
    binding: Option<u32>,
    pub packing: Packing,
    layout: BlockLayout,
    explicit: Option<Arc<Explicit>>,
    pub stages: StageMask,
    /// Position in `Linker::stages` and variable id, where used.
    variables: Vec<(usize, u32)>,
}

impl MergedBlock {
    /// Elements of an array of blocks, over all of its dimensions.
    pub fn elements(&self) -> u32 {
        self.dims.iter().fold(1, |n, d| n.saturating_mul(*d))
    }

    /// Bytes of its members; an array without size counts as one element.
    pub fn size(&self) -> u32 {
        if let Some(explicit) = &self.explicit {
            return explicit.size;
        }
        let (offsets, extent) = struct_layout(&self.ty, false, self.packing);
        match (self.ty.members.last(), offsets.last()) {
            (Some(last), Some(offset)) => match &last.ty {
                Ty::Array(element, 0) => {
                    let end = offset.saturating_add(array_stride(element, last.row_major, self.packing));
                    end.div_ceil(extent.align.max(1)).saturating_mul(extent.align.max(1))
                }
                _ => extent.size,
            },
            _ => extent.size,
        }
    }

    /// Names of its elements, in order.
    fn names(&self) -> Vec<String> {
        self.dims.iter().fold(vec![spaced(self.space, &self.name)], |names, dim| {
            names.iter().flat_map(|name| (0..*dim).map(move |i| format!("{name}[{i}]"))).collect()
        })
    }

    /// Initial binding point of an element.
    fn binding_of(&self, element: u32) -> u32 {
        self.binding.map_or(0, |binding| binding + element)
    }

    /// The name a member has in the program's lists.
    fn member_name(&self, member: &str) -> String {
        let name = if self.instance { format!("{}.{member}", self.name) } else { member.to_owned() };
        spaced(self.space, &name)
    }
}

/// Whether two blocks have the same members at the same places, however the places are told.
fn alike(a: &StructTy, b: &StructTy, packing: Packing) -> bool {
    let same = |(a, b): (&Member, &Member)| a.name == b.name && a.ty == b.ty && a.row_major == b.row_major;
    a.members.len() == b.members.len()
        && a.members.iter().zip(&b.members).all(same)
        && struct_layout(a, false, packing).0 == struct_layout(b, false, packing).0
}

/// Elements of all blocks.
pub(super) fn count(blocks: &[MergedBlock]) -> u32 {
    blocks.iter().fold(0, |all, block| u32::saturating_add(all, block.elements()))
}

/// Brings the blocks of all stages together: uniform blocks, storage blocks.
pub(super) fn merge(linker: &mut Linker<'_>) -> [Vec<MergedBlock>; 2] {
    let mut all: [Vec<MergedBlock>; 2] = Default::default();
    let mut errors = Vec::new();
    let mut named: HashMap<(bool, &str), Vec<usize>> = HashMap::new();
    for (s, stage) in linker.stages.iter().enumerate() {
        for b in &stage.declared.blocks {
            let merged = &mut all[usize::from(b.storage)];
            let kind = if b.storage { "shader storage" } else { "uniform" };
            let used = stage.used.contains(&b.id);
            // GL 4.6 core 7.4.2: blocks without names that share a binding and are not alike are different blocks.
            let same = |m: &MergedBlock| {
                let alike = b.explicit.is_none() || m.explicit == b.explicit && m.dims == b.dims;
                m.space == stage.space && alike
            };
            let named = named.entry((b.storage, &b.name)).or_default();
            if let Some(m) = named.iter().copied().find(|i| same(&merged[*i])).and_then(|i| merged.get_mut(i)) {
                // GL 4.6 core 7.6: blocks of one name must have the same members, types and layout.
                if b.explicit.is_none() && !alike(&m.ty, &b.ty, m.packing)
                    || m.dims != b.dims
                    || m.packing != b.packing
                    || m.layout != b.layout
                    || m.instance == b.instance.is_empty()
                {
                    errors.push(format!("definitions of {kind} block `{}' do not match", b.name));
                    continue;
                }
                merge_binding(&mut m.binding, b.binding, &b.name, &mut errors);
                m.stages |= stage.stage.bit();
                if used {
                    m.variables.push((s, b.id));
                }
            } else {
                named.push(merged.len());
                merged.push(MergedBlock {
                    name: b.name.clone(),
                    space: stage.space,
                    instance: !b.instance.is_empty(),
                    ty: b.ty.clone(),
                    dims: b.dims.clone(),
                    binding: b.binding,
                    packing: b.packing,
                    layout: b.layout,
                    explicit: b.explicit.clone(),
                    stages: stage.stage.bit(),
                    variables: if used { vec![(s, b.id)] } else { Vec::new() },
                });
            }
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    all
}

/// Gives uniform blocks their bindings and lists them.
pub(super) fn place_uniform(linker: &mut Linker<'_>, blocks: &[MergedBlock], placements: &mut [Placement]) {
    let mut index = 0u32;
    for b in blocks {
        let (count, size) = (b.elements(), b.size());
        for &(s, variable) in &b.variables {
            let placement = BlockPlacement { variable, binding: 1 + index, storage: false, packing: b.packing };
            placements[s].blocks.push(placement);
        }
        let first = linker.reflection.uniforms.len() as u32;
        list_uniforms(&mut linker.reflection.uniforms, b, index as i32);
        let members: Vec<u32> = (first..linker.reflection.uniforms.len() as u32).collect();
        for (e, name) in (0..count).zip(b.names()) {
            linker.reflection.blocks.push(UniformBlock {
                name,
                binding: b.binding_of(e),
                data_size: size,
                members: members.clone(),
                stages: b.stages,
                descriptor_binding: 1 + index + e,
            });
        }
        linker.bindings.push(ShaderBinding {
            kind: BindingKind::UNIFORM_BUFFER,
            binding: 1 + index,
            count,
            stages: u32::from(b.stages.0),
            size,
            ..bytemuck::Zeroable::zeroed()
        });
        index += count;
    }
}

/// Lists the members of a uniform block.
fn list_uniforms(list: &mut Vec<Uniform>, b: &MergedBlock, block: i32) {
    if let Some(explicit) = &b.explicit {
        list.extend(explicit.leaves.iter().map(|leaf| Uniform {
            ty: leaf.shape.code(),
            array_size: leaf.array.unwrap_or(1),
            is_array: leaf.array.is_some(),
            block,
            offset: leaf.offset as i32,
            array_stride: leaf.array_stride as i32,
            matrix_stride: leaf.matrix_stride as i32,
            row_major: leaf.row_major,
            stages: b.stages,
            ..Uniform::default_for(explicit_name(b, leaf))
        }));
        return;
    }
    let (offsets, _) = struct_layout(&b.ty, false, b.packing);
    for (m, offset) in b.ty.members.iter().zip(offsets) {
        let mut leaf = root(&b.member_name(&m.name), &m.ty, offset, b.packing);
        leaf.row_major = m.row_major;
        for_each_leaf(leaf, &mut |leaf| list.push(block_uniform(&leaf, block, b.stages)));
    }
}

/// The name of a member of a block that has none: equal in programs that a pipeline brings together.
fn explicit_name(b: &MergedBlock, leaf: &explicit::Leaf) -> String {
    let array = if leaf.array.is_some() { "[0]" } else { "" };
    format!("{}{}{array}", spaced(b.space, &b.name), leaf.path)
}

fn block_uniform(leaf: &Leaf<'_>, block: i32, stages: StageMask) -> Uniform {
    let Ty::Basic(shape) = leaf.ty else { return Uniform::default_for(leaf.name.clone()) };
    let matrix = shape.columns > 1;
    let stride = || array_stride(leaf.ty, leaf.row_major, leaf.packing) as i32;
    Uniform {
        ty: shape.code(),
        array_size: leaf.array.unwrap_or(1),
        is_array: leaf.array.is_some(),
        block,
        offset: leaf.offset as i32,
        array_stride: if leaf.array.is_some() { stride() } else { 0 },
        matrix_stride: if matrix { matrix_stride(*shape, leaf.row_major, leaf.packing) as i32 } else { 0 },
        row_major: matrix && leaf.row_major,
        stages,
        ..Uniform::default_for(leaf.name.clone())
    }
}

/// Gives storage blocks their bindings and lists them.
pub(super) fn place_storage(
    linker: &mut Linker<'_>,
    blocks: &[MergedBlock],
    accesses: &[Accesses],
    placements: &mut [Placement],
) {
    let mut index = 0u32;
    for b in blocks {
        let (count, size) = (b.elements(), b.size());
        let mut access = 0;
        for &(s, variable) in &b.variables {
            access |= accesses[s].of_variable(variable);
            let placement = BlockPlacement { variable, binding: index, storage: true, packing: b.packing };
            placements[s].blocks.push(placement);
        }
        let first = linker.reflection.buffer_variables.len() as u32;
        list_variables(&mut linker.reflection.buffer_variables, b, index);
        let members: Vec<u32> = (first..linker.reflection.buffer_variables.len() as u32).collect();
        for (e, name) in (0..count).zip(b.names()) {
            linker.reflection.storage_blocks.push(StorageBlock {
                name,
                binding: b.binding_of(e),
                data_size: size,
                members: members.clone(),
                stages: b.stages,
                dense: index + e,
                access,
            });
        }
        linker.bindings.push(ShaderBinding {
            kind: BindingKind::STORAGE_BUFFER,
            binding: index,
            count,
            stages: u32::from(b.stages.0),
            access,
            ..bytemuck::Zeroable::zeroed()
        });
        index += count;
    }
}

/// GL 4.6 core 7.3.1.1: of a member that is an array of structures or arrays, the first element is listed alone.
fn list_variables(list: &mut Vec<BufferVariable>, b: &MergedBlock, block: u32) {
    if let Some(explicit) = &b.explicit {
        list.extend(explicit.leaves.iter().map(|leaf| BufferVariable {
            name: explicit_name(b, leaf),
            ty: leaf.shape.code(),
            array_size: leaf.array.unwrap_or(1),
            is_array: leaf.array.is_some(),
            block,
            offset: leaf.offset,
            array_stride: leaf.array_stride,
            matrix_stride: leaf.matrix_stride,
            row_major: leaf.row_major,
            top_level_array_size: leaf.top.0,
            top_level_array_stride: leaf.top.1,
            stages: b.stages,
        }));
        return;
    }
    let (offsets, _) = struct_layout(&b.ty, false, b.packing);
    for (m, offset) in b.ty.members.iter().zip(offsets) {
        let mut name = b.member_name(&m.name);
        let (mut ty, mut top_size, mut top_stride) = (&m.ty, 1, 0);
        if let Ty::Array(element, len) = ty
            && matches!(**element, Ty::Struct(_) | Ty::Array(..))
        {
            name.push_str("[0]");
            (top_size, top_stride) = (*len, array_stride(element, m.row_major, b.packing));
            ty = element;
        }
        let mut leaf = root(&name, ty, offset, b.packing);
        leaf.row_major = m.row_major;
        for_each_leaf(leaf, &mut |leaf| {
            let Ty::Basic(shape) = leaf.ty else { return };
            let matrix = shape.columns > 1;
            let stride = || array_stride(leaf.ty, leaf.row_major, leaf.packing);
            list.push(BufferVariable {
                ty: shape.code(),
                array_size: leaf.array.unwrap_or(1),
                is_array: leaf.array.is_some(),
                block,
                offset: leaf.offset,
                array_stride: if leaf.array.is_some() { stride() } else { 0 },
                matrix_stride: if matrix { matrix_stride(*shape, leaf.row_major, leaf.packing) } else { 0 },
                row_major: matrix && leaf.row_major,
                top_level_array_size: top_size,
                top_level_array_stride: top_stride,
                stages: b.stages,
                name: leaf.name,
            });
        });
    }
}
