//! Stores to storage blocks, atomic operations on them, and the memory qualifiers that go along.

use super::{Lowering, View};
use crate::gl_type::Scalar;
use crate::spirv::{Decoration, Inst, Op, Ty};

/// Decorations of memory qualifiers (GLSL 4.60 section 4.10).
const QUALIFIERS: [Decoration; 5] = [
    Decoration::Coherent,
    Decoration::Volatile,
    Decoration::Restrict,
    Decoration::NonWritable,
    Decoration::NonReadable,
];

impl Lowering<'_> {
    /// Gives a member of a laid-out struct the memory qualifiers of the member it stands for.
    pub(super) fn keep_memory_qualifiers(&mut self, from: (u32, u32), to: (u32, u32)) {
        for what in QUALIFIERS {
            let has =
                |a: &Inst| a.op == Op::MemberDecorate && (a.word(0), a.word(1)) == from && a.word(2) == what as u32;
            if self.module.annotations.iter().any(has) {
                self.module.decorate_member(to.0, to.1, what, &[]);
            }
        }
    }

    /// The same from variable to variable.
    pub(super) fn keep_qualifiers_of_variable(&mut self, from: u32, to: u32) {
        for what in QUALIFIERS {
            if self.module.decoration(from, what).is_some() {
                self.module.decorate(to, what, &[]);
            }
        }
    }

    pub(super) fn store(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let (pointer, value) = (inst.word(0), inst.word(1));
        match self.views.get(&pointer).copied() {
            Some(view) => self.store_value(value, pointer, &[], view, out),
            None => out.push(inst),
        }
    }

    /// Stores `value`, which has the type the code sees, to what lies at `indices` from `base`.
    fn store_value(&mut self, value: u32, base: u32, indices: &[u32], view: View, out: &mut Vec<Inst>) {
        if self.fault.is_some() {
            return;
        }
        let tree = self.ty(view.ty).clone();
        let (count, members) = match &tree {
            Ty::Array(_, len) => (*len, None),
            Ty::Struct(s) => (s.members.len() as u32, Some(s)),
            _ if !self.moves() => return,
            _ => {
                let (pointer, laid) = self.pointer_to(base, indices, view, out);
                let value = self.stored_value(value, laid, &tree, out);
                out.push(Inst::new(Op::Store, &[pointer, value]));
                return;
            }
        };
        let def = self.def(view.ty).cloned();
        for i in 0..count {
            let member = members.map(|s| &s.members[i as usize]);
            let ty = def.as_ref().map_or(0, |d| d.word(if member.is_some() { 1 + i as usize } else { 1 }));
            let row_major = view.row_major || member.is_some_and(|m| m.row_major);
            let part = self.module.id();
            out.push(Inst::new(Op::CompositeExtract, &[ty, part, value, i]));
            let mut path = indices.to_vec();
            path.push(self.const_int(i as i32));
            self.store_value(part, base, &path, View { ty, row_major, ..view }, out);
        }
    }

    /// A basic value as a buffer holds it: booleans are 0 or 1 there.
    fn stored_value(&mut self, value: u32, laid: u32, tree: &Ty, out: &mut Vec<Inst>) -> u32 {
        let Ty::Basic(shape) = tree else { return value };
        if shape.scalar != Scalar::Bool {
            return value;
        }
        let mut constants = [self.const_uint(1), self.const_uint(0)];
        if shape.rows > 1 {
            constants = constants.map(|one| {
                let mut words = vec![laid];
                words.extend(std::iter::repeat_n(one, usize::from(shape.rows)));
                self.intern(Op::ConstantComposite, &words)
            });
        }
        let id = self.module.id();
        out.push(Inst::new(Op::Select, &[laid, id, value, constants[0], constants[1]]));
        id
    }

    /// An atomic operation. Only a counter that is no array is reached without a chain.
    pub(super) fn atomic(&mut self, mut inst: Inst, out: &mut Vec<Inst>) {
        let at = if inst.op == Op::AtomicStore { 0 } else { 2 };
        if let Some(pointer) = self.counter_pointer(inst.word(at), out) {
            inst.words[at] = pointer;
        }
        out.push(inst);
    }

    pub(super) fn texel_pointer(&mut self, mut inst: Inst, out: &mut Vec<Inst>) {
        if let Some(variable) = self.aliases.get(&inst.word(2)) {
            inst.words[2] = *variable;
        }
        out.push(inst);
    }
}
