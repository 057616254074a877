//! Brings uniforms and buffers into the descriptor ABI: loose uniforms become members of one std140
//! block (set 0, binding 0; a storage buffer when it is too large), uniform blocks get explicit std140 types and set 0 bindings, samplers
//! become set 1 variables (also those inside structs, which SPIR-V for Vulkan doesn't allow), storage
//! blocks and the buffers of atomic counters set 2 variables, images set 3 variables.
//!
//! Buffers hold booleans as 32-bit words and laid-out types must not be shared with ordinary
//! variables, so every load and store converts between the laid-out type and the type the code expects.

mod counters;
mod stores;

use std::collections::{HashMap, HashSet};

use smallvec::SmallVec;

use crate::gl_type::Scalar;
use crate::spirv::{
    Capability, Decoration, Inst, Module, Op, Packing, StorageClass, Ty, TypeTable, array_stride, matrix_stride,
    struct_layout,
};

/// One sampler (or array of samplers) inside a uniform.
#[derive(Clone, Debug)]
pub(crate) struct SamplerPlacement {
    /// Struct member indices on the way from the variable; empty when the variable is a sampler.
    pub path: Vec<u32>,
    /// First dense index.
    pub dense: u32,
    /// Elements over all array dimensions on the way.
    pub count: u32,
    /// Name for debuggers.
    pub name: String,
    /// A storage image, whose dense index is one of set 3.
    pub image: bool,
}

/// Where one loose uniform goes.
#[derive(Clone, Debug)]
pub(crate) struct UniformPlacement {
    /// Its variable in this module.
    pub variable: u32,
    /// Byte offset of its data in the default block.
    pub offset: u32,
    /// Its samplers.
    pub samplers: Vec<SamplerPlacement>,
}

/// Where one uniform or storage block goes.
#[derive(Clone, Debug)]
pub(crate) struct BlockPlacement {
    /// Its variable in this module.
    pub variable: u32,
    /// Binding of its first element in its set.
    pub binding: u32,
    /// A storage block.
    pub storage: bool,
    /// How its members are laid out.
    pub packing: Packing,
}

/// Where one atomic counter, or an array of them, goes.
#[derive(Clone, Debug)]
pub(crate) struct CounterPlacement {
    /// Its variable in this module.
    pub variable: u32,
    /// Binding of its buffer in set 2.
    pub binding: u32,
    /// Its place in the buffer, counted in counters.
    pub first: u32,
}

/// Everything one stage needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// Loose uniforms the stage uses.
    pub uniforms: Vec<UniformPlacement>,
    /// Uniform and storage blocks.
    pub blocks: Vec<BlockPlacement>,
    /// Atomic counters.
    pub counters: Vec<CounterPlacement>,
    /// The default block is a storage buffer.
    pub large_default_block: bool,
}

/// The kind of memory a pointer refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Memory {
    class: StorageClass,
    packing: Packing,
}

/// The default block and other uniform blocks.
const UNIFORM: Memory = Memory { class: StorageClass::Uniform, packing: Packing::Std140 };

/// What a pointer into a buffer refers to: the type the code sees, its matrix order, and where it is.
#[derive(Clone, Copy, Debug)]
struct View {
    ty: u32,
    row_major: bool,
    memory: Memory,
}

enum Root {
    /// Member of the default block, with samplers by path.
    Loose { member: Option<u32>, view: View, samplers: Vec<(Vec<u32>, u32, u32)> },
    /// A block variable, with the array dimensions in front of the block.
    Block { view: View, dims: Vec<u32> },
    /// Atomic counters: the variable of their buffer, the first one's place, and the array's dimensions.
    Counters { buffer: u32, first: u32, dims: Vec<u32> },
}

struct Lowering<'m> {
    module: &'m mut Module,
    /// Laid-out type by logical type, matrix order and packing.
    laid: HashMap<(u32, bool, Packing), u32>,
    /// Defining instruction of every global, by id.
    defs: HashMap<u32, Inst>,
    tys: HashMap<u32, Ty>,
    roots: HashMap<u32, Root>,
    default_block: u32,
    /// Pointers produced by rewritten access chains.
    views: HashMap<u32, View>,
    /// Access chains that became plain variables.
    aliases: HashMap<u32, u32>,
    /// Constants and types of pointers, and what else was asked for: to look through the module for each takes long.
    interned: HashMap<(Op, SmallVec<[u32; 6]>), u32>,
    /// Scalars, vectors and matrices that were loaded or stored so far.
    parts: usize,
    /// What cannot be lowered.
    fault: Option<String>,
}

/// Scalars, vectors and matrices that all loads and stores of a stage come to, at most. A few words of a module, or a
/// short name in a source, can load a large array of a buffer as a whole, which takes an instruction for each of its
/// elements: without a bound, short programs would fill the memory.
const MOST_PARTS: usize = 1 << 19;
/// Elements of an array that is loaded as a whole, at most: so many operands fit one instruction (SPIR-V 1.0 section 2.3).
const MOST_ELEMENTS: u32 = 65_532;

/// Whether an instruction is an atomic operation on memory.
pub(crate) fn is_atomic(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        AtomicLoad
            | AtomicStore
            | AtomicExchange
            | AtomicCompareExchange
            | AtomicIIncrement
            | AtomicIDecrement
            | AtomicIAdd
            | AtomicISub
            | AtomicSMin
            | AtomicUMin
            | AtomicSMax
            | AtomicUMax
            | AtomicAnd
            | AtomicOr
            | AtomicXor
            | AtomicFAddEXT
    )
}

/// Runs the pass. Fails where code moves too much at once.
pub(crate) fn run(module: &mut Module, placement: &Placement) -> Result<(), String> {
    if placement.uniforms.is_empty() && placement.blocks.is_empty() && placement.counters.is_empty() {
        return Ok(());
    }
    let mut defs = HashMap::new();
    let mut tys = HashMap::new();
    let mut interned = HashMap::new();
    {
        let table = TypeTable::new(module);
        for g in &module.globals {
            if let Some(id) = g.result() {
                match g.op {
                    Op::Constant | Op::ConstantComposite => {
                        let operands = g.words[..1].iter().chain(&g.words[2..]).copied().collect();
                        interned.entry((g.op, operands)).or_insert(id);
                    }
                    Op::TypePointer => {
                        interned.entry((g.op, g.words[1..].into())).or_insert(id);
                    }
                    _ => {}
                }
                defs.insert(id, g.clone());
                if is_type(g.op) {
                    tys.insert(id, table.ty(id));
                }
            }
        }
    }
    let mut lowering = Lowering {
        module,
        laid: HashMap::new(),
        defs,
        tys,
        roots: HashMap::new(),
        default_block: 0,
        views: HashMap::new(),
        aliases: HashMap::new(),
        interned,
        parts: 0,
        fault: None,
    };
    lowering.place_loose(&placement.uniforms, placement.large_default_block);
    lowering.place_blocks(&placement.blocks);
    lowering.place_counters(&placement.counters);
    lowering.rewrite_functions();
    if let Some(fault) = lowering.fault {
        return Err(fault);
    }
    lowering.strip_explicit();
    let module = lowering.module;
    module.prune();
    Ok(())
}

fn is_type(op: Op) -> bool {
    matches!(
        op,
        Op::TypeFloat
            | Op::TypeInt
            | Op::TypeBool
            | Op::TypeVector
            | Op::TypeMatrix
            | Op::TypeArray
            | Op::TypeRuntimeArray
            | Op::TypeStruct
            | Op::TypeImage
            | Op::TypeSampledImage
    )
}

impl Lowering<'_> {
    fn ty(&self, id: u32) -> &Ty {
        self.tys.get(&id).unwrap_or(&Ty::Other)
    }

    fn def(&self, id: u32) -> Option<&Inst> {
        self.defs.get(&id)
    }

    /// The id of a constant or type.
    fn intern(&mut self, op: Op, operands: &[u32]) -> u32 {
        let key = (op, SmallVec::from_slice(operands));
        if let Some(id) = self.interned.get(&key) {
            return *id;
        }
        let id = match op {
            // All that the module had are known.
            Op::Constant | Op::ConstantComposite => self.module.append_global(op, operands),
            _ => self.module.intern(op, operands),
        };
        self.interned.insert(key, id);
        id
    }

    fn const_int(&mut self, value: i32) -> u32 {
        let ty = self.intern(Op::TypeInt, &[32, 1]);
        self.intern(Op::Constant, &[ty, value as u32])
    }

    fn const_uint(&mut self, value: u32) -> u32 {
        let ty = self.intern(Op::TypeInt, &[32, 0]);
        self.intern(Op::Constant, &[ty, value])
    }

    fn type_pointer(&mut self, class: StorageClass, to: u32) -> u32 {
        self.intern(Op::TypePointer, &[class as u32, to])
    }

    /// Counts a scalar, vector or matrix that is loaded or stored; false where there are too many.
    fn moves(&mut self) -> bool {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            self.fault = Some(format!(
                "whole arrays and structures in uniforms and buffers that are loaded and stored come to more than \
                 {MOST_PARTS} values"
            ));
        }
        self.fault.is_none()
    }

    fn pointee(&self, variable: u32) -> u32 {
        let pointer = self.def(variable).map_or(0, |v| v.word(0));
        self.def(pointer).map_or(0, |p| p.word(2))
    }

    /// The laid-out counterpart of a type.
    fn laid_type(&mut self, ty: u32, row_major: bool, packing: Packing) -> u32 {
        // Decorations of a module's own say the order of each matrix.
        let row_major = row_major && packing != Packing::Explicit;
        if let Some(id) = self.laid.get(&(ty, row_major, packing)) {
            return *id;
        }
        let Some(def) = self.def(ty).cloned() else { return ty };
        let id = match def.op {
            Op::TypeBool => self.module.type_uint(),
            Op::TypeVector if self.def(def.word(1)).is_some_and(|c| c.op == Op::TypeBool) => {
                let uint = self.module.type_uint();
                self.module.type_vector(uint, def.word(2))
            }
            Op::TypeArray | Op::TypeRuntimeArray => {
                let element = self.laid_type(def.word(1), row_major, packing);
                let own = self.module.decoration(ty, Decoration::ArrayStride);
                let stride = match packing {
                    Packing::Explicit => own.unwrap_or(0),
                    _ => array_stride(self.ty(def.word(1)), row_major, packing),
                };
                let mut operands = def.words[1..].to_vec();
                operands[0] = element;
                let id = self.module.append_global(def.op, &operands);
                self.module.decorate(id, Decoration::ArrayStride, &[stride]);
                id
            }
            Op::TypeStruct => self.laid_struct(ty, &def, row_major, packing),
            _ => ty,
        };
        self.laid.insert((ty, row_major, packing), id);
        id
    }

    fn laid_struct(&mut self, ty: u32, def: &Inst, row_major: bool, packing: Packing) -> u32 {
        let Ty::Struct(tree) = self.ty(ty).clone() else { return ty };
        if packing == Packing::Explicit {
            return self.explicit_struct(ty, def);
        }
        let (offsets, _) = struct_layout(&tree, row_major, packing);
        let mut members = Vec::new();
        let mut kept = Vec::new();
        for (i, member) in tree.members.iter().enumerate() {
            if member.ty.has_data() {
                members.push(self.laid_type(def.word(1 + i), row_major || member.row_major, packing));
                kept.push(i);
            }
        }
        let id = self.module.append_global(Op::TypeStruct, &members);
        self.module.set_name(id, &tree.name);
        for (new, old) in kept.into_iter().enumerate() {
            let member = &tree.members[old];
            let row_major = row_major || member.row_major;
            self.decorate_member(id, new as u32, &member.ty, offsets[old], row_major, packing);
            self.keep_memory_qualifiers((ty, old as u32), (id, new as u32));
        }
        id
    }

    /// A structure that a module lays out itself.
    fn explicit_struct(&mut self, ty: u32, def: &Inst) -> u32 {
        let members: Vec<u32> = def.words[1..].iter().map(|m| self.laid_type(*m, false, Packing::Explicit)).collect();
        let id = self.module.append_global(Op::TypeStruct, &members);
        self.module.copy_annotations(Op::MemberDecorate, ty, id);
        id
    }

    /// Types that a module lays out itself are plain ones outside of blocks.
    fn strip_explicit(&mut self) {
        let own = self.laid.iter().filter(|((ty, _, packing), laid)| *packing == Packing::Explicit && *ty != **laid);
        let types: HashSet<u32> = own.map(|((ty, ..), _)| *ty).collect();
        if !types.is_empty() {
            self.module.annotations.retain(|a| !types.contains(&a.word(0)));
        }
    }

    fn decorate_member(&mut self, id: u32, member: u32, ty: &Ty, offset: u32, row_major: bool, packing: Packing) {
        self.module.decorate_member(id, member, Decoration::Offset, &[offset]);
        if let Ty::Basic(shape) = ty.innermost()
            && shape.columns > 1
        {
            let order = if row_major { Decoration::RowMajor } else { Decoration::ColMajor };
            let stride = matrix_stride(*shape, row_major, packing);
            self.module.decorate_member(id, member, order, &[]);
            self.module.decorate_member(id, member, Decoration::MatrixStride, &[stride]);
        }
    }

    /// Builds the default block and the sampler variables.
    fn place_loose(&mut self, uniforms: &[UniformPlacement], large: bool) {
        let mut members: Vec<(u32, u32, u32)> = Vec::new(); // logical type, laid type, offset
        for u in uniforms {
            let ty = self.pointee(u.variable);
            let tree = self.ty(ty).clone();
            let mut samplers = Vec::new();
            for s in &u.samplers {
                let variable = self.sampler_variable(u.variable, ty, s);
                samplers.push((s.path.clone(), variable, s.count));
            }
            let member = tree.has_data().then(|| {
                let laid = self.laid_type(ty, false, Packing::Std140);
                members.push((ty, laid, u.offset));
                members.len() as u32 - 1
            });
            let view = View { ty, row_major: false, memory: UNIFORM };
            self.roots.insert(u.variable, Root::Loose { member, view, samplers });
        }
        if members.is_empty() {
            return;
        }
        let laid: Vec<u32> = members.iter().map(|m| m.1).collect();
        let block = self.module.append_global(Op::TypeStruct, &laid);
        self.module.decorate(block, if large { Decoration::BufferBlock } else { Decoration::Block }, &[]);
        self.module.set_name(block, "DefaultBlock");
        for (i, (ty, _, offset)) in members.iter().enumerate() {
            if large {
                self.module.decorate_member(block, i as u32, Decoration::NonWritable, &[]);
            }
            let tree = self.ty(*ty).clone();
            self.decorate_member(block, i as u32, &tree, *offset, false, Packing::Std140);
        }
        let variable = self.module.add_variable(StorageClass::Uniform, block);
        self.module.set_name(variable, "default_block");
        self.module.decorate(variable, Decoration::DescriptorSet, &[0]);
        self.module.decorate(variable, Decoration::Binding, &[0]);
        self.default_block = variable;
    }

    /// The variable of a sampler or image: the program's own variable where its shape fits, else new.
    fn sampler_variable(&mut self, variable: u32, ty: u32, s: &SamplerPlacement) -> u32 {
        let fits = s.path.is_empty()
            && match self.ty(ty) {
                Ty::Sampler(_) => true,
                Ty::Array(t, _) => matches!(**t, Ty::Sampler(_)),
                _ => false,
            };
        let id = if fits {
            self.module.undecorate(variable, Decoration::DescriptorSet);
            self.module.undecorate(variable, Decoration::Binding);
            self.module.undecorate(variable, Decoration::Location);
            variable
        } else {
            let (leaf, dims) = self.sampler_leaf(ty, &s.path);
            let ty = if dims == 0 { leaf } else { self.module.type_array(leaf, s.count) };
            let id = self.module.add_variable(StorageClass::UniformConstant, ty);
            self.module.set_name(id, &s.name);
            self.keep_qualifiers_of_variable(variable, id);
            id
        };
        self.module.decorate(id, Decoration::DescriptorSet, &[if s.image { 3 } else { 1 }]);
        self.module.decorate(id, Decoration::Binding, &[s.dense]);
        id
    }

    /// Sampler type at `path` and the number of array dimensions on the way.
    fn sampler_leaf(&self, mut ty: u32, path: &[u32]) -> (u32, u32) {
        let mut dims = 0;
        let mut path = path.iter();
        while let Some(def) = self.def(ty) {
            match def.op {
                Op::TypeArray => {
                    dims += 1;
                    ty = def.word(1);
                }
                Op::TypeStruct => match path.next() {
                    Some(m) => ty = def.word(1 + *m as usize),
                    None => break,
                },
                _ => break,
            }
        }
        (ty, dims)
    }

    /// Gives block variables their laid-out types and bindings.
    fn place_blocks(&mut self, blocks: &[BlockPlacement]) {
        for block in blocks {
            let variable = block.variable;
            let class = if block.storage { StorageClass::StorageBuffer } else { StorageClass::Uniform };
            let mut ty = self.pointee(variable);
            let mut dims = Vec::new();
            while let Some(def) = self.def(ty).filter(|d| d.op == Op::TypeArray) {
                dims.push(self.def(def.word(2)).map_or(1, |c| c.word(2)));
                ty = def.word(1);
            }
            let mut laid = self.laid_type(ty, false, block.packing);
            if self.module.decoration(laid, Decoration::Block).is_none() {
                self.module.decorate(laid, Decoration::Block, &[]);
            }
            if !dims.is_empty() {
                // Arrays of blocks are descriptor arrays: one dimension, no stride.
                let len = self.const_uint(dims.iter().product());
                laid = self.module.append_global(Op::TypeArray, &[laid, len]);
            }
            let pointer = self.type_pointer(class, laid);
            self.module.globals.retain(|g| g.op != Op::Variable || g.word(1) != variable);
            self.module.globals.push(Inst::new(Op::Variable, &[pointer, variable, class as u32]));
            self.module.undecorate(variable, Decoration::DescriptorSet);
            self.module.undecorate(variable, Decoration::Binding);
            self.module.decorate(variable, Decoration::DescriptorSet, &[if block.storage { 2 } else { 0 }]);
            self.module.decorate(variable, Decoration::Binding, &[block.binding]);
            if block.storage {
                self.module.add_extension("SPV_KHR_storage_buffer_storage_class");
            }
            let view = View { ty, row_major: false, memory: Memory { class, packing: block.packing } };
            self.roots.insert(variable, Root::Block { view, dims });
        }
    }

    fn rewrite_functions(&mut self) {
        for f in 0..self.module.functions.len() {
            let insts = std::mem::take(&mut self.module.functions[f].insts);
            let mut out = Vec::with_capacity(insts.len() + 16);
            for inst in insts {
                match inst.op {
                    Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(inst, &mut out),
                    Op::Load => self.load(inst, &mut out),
                    Op::Store => self.store(inst, &mut out),
                    Op::ImageTexelPointer => self.texel_pointer(inst, &mut out),
                    _ if is_atomic(inst.op) => self.atomic(inst, &mut out),
                    _ => out.push(inst),
                }
            }
            self.module.functions[f].insts = out;
        }
    }

    fn access_chain(&mut self, mut inst: Inst, out: &mut Vec<Inst>) {
        let base = inst.word(2);
        if let Some(view) = self.views.get(&base).copied() {
            let indices = inst.words[3..].to_vec();
            let (indices, end) = self.walk(view, &indices);
            self.emit_chain(inst.word(1), base, &indices, end, out);
            return;
        }
        match self.roots.get(&base) {
            None => out.push(inst),
            Some(Root::Block { view, dims }) => {
                let (view, dims) = (*view, dims.clone());
                let all = inst.words[3..].to_vec();
                let (outer, inner) = all.split_at(dims.len().min(all.len()));
                let (mut indices, end) = self.walk(view, inner);
                if !dims.is_empty() {
                    let block = self.block_index(outer, &dims, view.memory, out);
                    indices.insert(0, block);
                }
                self.emit_chain(inst.word(1), base, &indices, end, out);
            }
            Some(Root::Counters { .. }) => self.counter_chain(&inst, out),
            Some(Root::Loose { member, view, samplers }) => {
                let (member, view) = (*member, *view);
                if !samplers.is_empty() && self.sampler_chain(&mut inst, out) {
                    return;
                }
                let Some(member) = member else { return };
                let (mut indices, end) = self.walk(view, &inst.words[3..]);
                indices.insert(0, self.const_int(member as i32));
                let block = self.default_block;
                self.emit_chain(inst.word(1), block, &indices, end, out);
            }
        }
    }

    /// The element of an array of blocks that indices over all of its dimensions choose.
    fn block_index(&mut self, indices: &[u32], dims: &[u32], memory: Memory, out: &mut Vec<Inst>) -> u32 {
        if indices.iter().any(|i| self.def(*i).is_none_or(|d| d.op != Op::Constant)) {
            self.module.add_capability(if memory.class == StorageClass::StorageBuffer {
                Capability::StorageBufferArrayDynamicIndexing
            } else {
                Capability::UniformBufferArrayDynamicIndexing
            });
        }
        let pairs: Vec<(u32, u32)> = indices.iter().copied().zip(dims.iter().copied()).collect();
        self.flat_index(&pairs, dims.iter().product(), out)
    }

    fn emit_chain(&mut self, id: u32, base: u32, indices: &[u32], end: View, out: &mut Vec<Inst>) {
        let laid = self.laid_type(end.ty, end.row_major, end.memory.packing);
        let pointer = self.type_pointer(end.memory.class, laid);
        let mut words = vec![pointer, id, base];
        words.extend_from_slice(indices);
        out.push(Inst::new(Op::AccessChain, &words));
        self.views.insert(id, end);
    }

    /// Follows indices from `view`; struct member numbers are renumbered to the laid-out struct.
    fn walk(&mut self, view: View, indices: &[u32]) -> (Vec<u32>, View) {
        let mut at = view;
        let mut out = Vec::with_capacity(indices.len() + 1);
        for &index in indices {
            let Some(def) = self.def(at.ty).cloned() else { break };
            if def.op == Op::TypeStruct {
                let member = self.def(index).map_or(0, |c| c.word(2));
                if let Ty::Struct(tree) = self.ty(at.ty).clone() {
                    let skipped = tree.members[..(member as usize).min(tree.members.len())]
                        .iter()
                        .filter(|m| !m.ty.has_data())
                        .count() as u32;
                    at.row_major |= tree.members.get(member as usize).is_some_and(|m| m.row_major);
                    out.push(if skipped == 0 { index } else { self.const_int((member - skipped) as i32) });
                }
                at.ty = def.word(1 + member as usize);
            } else {
                out.push(index);
                at.ty = def.word(1);
            }
        }
        (out, at)
    }

    /// Handles a chain that ends at a sampler. `false` when it ends at data.
    fn sampler_chain(&mut self, inst: &mut Inst, out: &mut Vec<Inst>) -> bool {
        let base = inst.word(2);
        let Some(Root::Loose { view, samplers, .. }) = self.roots.get(&base) else { return false };
        let mut ty = view.ty;
        let mut path = Vec::new();
        let mut dims: Vec<(u32, u32)> = Vec::new(); // index id, length
        for &index in &inst.words[3..] {
            let Some(def) = self.def(ty) else { return false };
            if def.op == Op::TypeStruct {
                let member = self.def(index).map_or(0, |c| c.word(2));
                path.push(member);
                ty = def.word(1 + member as usize);
            } else {
                dims.push((index, self.def(def.word(2)).map_or(1, |c| c.word(2))));
                ty = def.word(1);
            }
        }
        if !self.ty(ty).has_sampler() {
            return false;
        }
        let Some((_, variable, count)) = samplers.iter().find(|s| s.0 == path).cloned() else { return false };
        if variable == base {
            out.push(inst.clone());
            return true;
        }
        if dims.is_empty() {
            self.aliases.insert(inst.word(1), variable);
            return true;
        }
        let index = self.flat_index(&dims, count, out);
        let pointer = self.type_pointer(StorageClass::UniformConstant, ty);
        out.push(Inst::new(Op::AccessChain, &[pointer, inst.word(1), variable, index]));
        true
    }

    /// Row-major flattening of array indices, folded when all are constants.
    fn flat_index(&mut self, dims: &[(u32, u32)], count: u32, out: &mut Vec<Inst>) -> u32 {
        let constants: Option<Vec<u32>> =
            dims.iter().map(|(id, _)| self.def(*id).filter(|d| d.op == Op::Constant).map(|d| d.word(2))).collect();
        if let Some(values) = constants {
            let flat = values
                .iter()
                .zip(dims)
                .fold(0u32, |acc, (v, (_, len))| acc.saturating_mul(*len).saturating_add((*v).min(len - 1)));
            return self.const_int(flat.min(count.saturating_sub(1)) as i32);
        }
        let int = self.module.type_int();
        let mut acc = dims[0].0;
        for (id, len) in &dims[1..] {
            let len = self.const_int(*len as i32);
            let scaled = self.module.id();
            out.push(Inst::new(Op::IMul, &[int, scaled, acc, len]));
            let sum = self.module.id();
            out.push(Inst::new(Op::IAdd, &[int, sum, scaled, *id]));
            acc = sum;
        }
        acc
    }

    fn load(&mut self, mut inst: Inst, out: &mut Vec<Inst>) {
        let pointer = inst.word(2);
        if let Some(variable) = self.aliases.get(&pointer) {
            inst.words[2] = *variable;
            out.push(inst);
            return;
        }
        if let Some(view) = self.views.get(&pointer).copied() {
            self.load_value(inst.word(1), pointer, &[], view, out);
            return;
        }
        match self.roots.get(&pointer) {
            Some(Root::Loose { member: Some(member), view, .. }) => {
                let (member, view) = (*member, *view);
                let index = self.const_int(member as i32);
                let block = self.default_block;
                self.load_value(inst.word(1), block, &[index], view, out);
            }
            Some(Root::Block { view, .. }) => {
                let view = *view;
                self.load_value(inst.word(1), pointer, &[], view, out);
            }
            _ => out.push(inst),
        }
    }

    /// Loads the value of type `view.ty` found at `indices` from `base` into id `result`.
    fn load_value(&mut self, result: u32, base: u32, indices: &[u32], view: View, out: &mut Vec<Inst>) {
        if self.fault.is_some() {
            return;
        }
        let tree = self.ty(view.ty).clone();
        match &tree {
            Ty::Array(_, len) if *len > MOST_ELEMENTS => {
                self.fault = Some(format!("an array of more than {MOST_ELEMENTS} elements is loaded as a whole"));
            }
            Ty::Array(_, len) => {
                let element = View { ty: self.def(view.ty).map_or(0, |d| d.word(1)), ..view };
                let mut parts = vec![view.ty, result];
                for i in 0..*len {
                    let index = self.const_int(i as i32);
                    let mut path = indices.to_vec();
                    path.push(index);
                    let id = self.module.id();
                    self.load_value(id, base, &path, element, out);
                    parts.push(id);
                }
                out.push(Inst::new(Op::CompositeConstruct, &parts));
            }
            Ty::Struct(s) => {
                let def = self.def(view.ty).cloned();
                let mut parts = vec![view.ty, result];
                for (i, m) in s.members.iter().enumerate() {
                    let index = self.const_int(i as i32);
                    let mut path = indices.to_vec();
                    path.push(index);
                    let id = self.module.id();
                    let ty = def.as_ref().map_or(0, |d| d.word(1 + i));
                    let member = View { ty, row_major: view.row_major || m.row_major, ..view };
                    self.load_value(id, base, &path, member, out);
                    parts.push(id);
                }
                out.push(Inst::new(Op::CompositeConstruct, &parts));
            }
            _ if !self.moves() => {}
            _ => {
                let (pointer, laid) = self.pointer_to(base, indices, view, out);
                self.load_basic(result, pointer, view.ty, laid, &tree, out);
            }
        }
    }

    /// A pointer to what lies at `indices` from `base`, and the laid-out type there.
    fn pointer_to(&mut self, base: u32, indices: &[u32], view: View, out: &mut Vec<Inst>) -> (u32, u32) {
        let laid = self.laid_type(view.ty, view.row_major, view.memory.packing);
        if indices.is_empty() {
            return (base, laid);
        }
        let ty = self.type_pointer(view.memory.class, laid);
        let id = self.module.id();
        let mut words = vec![ty, id, base];
        words.extend_from_slice(indices);
        out.push(Inst::new(Op::AccessChain, &words));
        (id, laid)
    }

    fn load_basic(&mut self, result: u32, pointer: u32, ty: u32, laid: u32, tree: &Ty, out: &mut Vec<Inst>) {
        let Ty::Basic(shape) = tree else { return };
        if shape.scalar != Scalar::Bool {
            out.push(Inst::new(Op::Load, &[ty, result, pointer]));
            return;
        }
        let raw = self.module.id();
        out.push(Inst::new(Op::Load, &[laid, raw, pointer]));
        let mut zero = self.const_uint(0);
        if shape.rows > 1 {
            let mut words = vec![laid];
            words.extend(std::iter::repeat_n(zero, usize::from(shape.rows)));
            zero = self.intern(Op::ConstantComposite, &words);
        }
        out.push(Inst::new(Op::INotEqual, &[ty, result, raw, zero]));
    }
}
