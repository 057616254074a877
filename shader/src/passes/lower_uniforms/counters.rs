//! Atomic counters: those of one binding become the words of one storage buffer.

use std::collections::HashMap;

use super::{CounterPlacement, Lowering, Root};
use crate::spirv::{Capability, Decoration, Inst, Op, StorageClass};

impl Lowering<'_> {
    /// Makes one buffer variable for each binding that counters use.
    pub(super) fn place_counters(&mut self, counters: &[CounterPlacement]) {
        if counters.is_empty() {
            return;
        }
        let uint = self.module.type_uint();
        let words = self.module.append_global(Op::TypeRuntimeArray, &[uint]);
        self.module.decorate(words, Decoration::ArrayStride, &[4]);
        let block = self.module.append_global(Op::TypeStruct, &[words]);
        self.module.set_name(block, "AtomicCounters");
        self.module.decorate(block, Decoration::Block, &[]);
        self.module.decorate_member(block, 0, Decoration::Offset, &[0]);
        self.module.decorate_member(block, 0, Decoration::Coherent, &[]);
        self.module.add_extension("SPV_KHR_storage_buffer_storage_class");
        self.module.remove_capability(Capability::AtomicStorage);
        self.module.remove_capability(Capability::AtomicStorageOps);
        self.module.remove_extension("SPV_KHR_shader_atomic_counter_ops");
        let mut buffers: HashMap<u32, u32> = HashMap::new();
        for counter in counters {
            let buffer = *buffers.entry(counter.binding).or_insert_with(|| {
                let variable = self.module.add_variable(StorageClass::StorageBuffer, block);
                self.module.decorate(variable, Decoration::DescriptorSet, &[2]);
                self.module.decorate(variable, Decoration::Binding, &[counter.binding]);
                variable
            });
            let mut ty = self.pointee(counter.variable);
            let mut dims = Vec::new();
            while let Some(def) = self.def(ty).filter(|d| d.op == Op::TypeArray) {
                dims.push(self.def(def.word(2)).map_or(1, |c| c.word(2)));
                ty = def.word(1);
            }
            self.roots.insert(counter.variable, Root::Counters { buffer, first: counter.first, dims });
        }
    }

    /// Emits the pointer to an element of an array of counters.
    pub(super) fn counter_chain(&mut self, inst: &Inst, out: &mut Vec<Inst>) {
        let Some(Root::Counters { buffer, first, dims }) = self.roots.get(&inst.word(2)) else { return };
        let (buffer, first) = (*buffer, *first);
        let pairs: Vec<(u32, u32)> = inst.words[3..].iter().copied().zip(dims.iter().copied()).collect();
        let count = dims.iter().product();
        let index = self.flat_index(&pairs, count, out);
        let int = self.module.type_int();
        let base = self.const_int(first as i32);
        let sum = self.module.id();
        out.push(Inst::new(Op::IAdd, &[int, sum, index, base]));
        self.emit_counter(inst.word(1), buffer, sum, out);
    }

    /// The pointer to a counter that is no array, if `pointer` is one.
    pub(super) fn counter_pointer(&mut self, pointer: u32, out: &mut Vec<Inst>) -> Option<u32> {
        let Some(Root::Counters { buffer, first, .. }) = self.roots.get(&pointer) else { return None };
        let (buffer, first) = (*buffer, *first);
        let index = self.const_int(first as i32);
        let id = self.module.id();
        self.emit_counter(id, buffer, index, out);
        Some(id)
    }

    fn emit_counter(&mut self, id: u32, buffer: u32, index: u32, out: &mut Vec<Inst>) {
        let uint = self.module.type_uint();
        let ty = self.type_pointer(StorageClass::StorageBuffer, uint);
        let zero = self.const_int(0);
        out.push(Inst::new(Op::AccessChain, &[ty, id, buffer, zero, index]));
    }
}
