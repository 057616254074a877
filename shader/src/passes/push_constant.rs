//! Where passes read values that drivers set per draw: members of one push-constant block.

use crate::spirv::{Decoration, Inst, Module, Op, StorageClass};

/// A value a pass needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source<const N: usize> {
    /// Fixed when the variant is made.
    Constant([f32; N]),
    /// `N` floats at this byte offset of the push constants.
    PushConstant {
        /// Byte offset, a multiple of the vector's alignment.
        offset: u32,
    },
}

/// Emits code that yields the value (a float for `N` = 1, else a vector) and returns its id.
pub(crate) fn emit<const N: usize>(module: &mut Module, source: Source<N>, out: &mut Vec<Inst>) -> u32 {
    let float = module.type_float();
    let ty = if N == 1 { float } else { module.type_vector(float, N as u32) };
    match source {
        Source::Constant(values) => {
            let parts: Vec<u32> = values.iter().map(|v| module.const_float(*v)).collect();
            if N == 1 {
                return parts[0];
            }
            let mut words = vec![ty];
            words.extend(parts);
            module.intern(Op::ConstantComposite, &words)
        }
        Source::PushConstant { offset } => load(module, ty, offset, out),
    }
}

/// Emits code that loads the member of type `ty` at a byte offset of the push constants and returns its id.
pub(crate) fn load(module: &mut Module, ty: u32, offset: u32, out: &mut Vec<Inst>) -> u32 {
    let (variable, member) = member(module, ty, offset);
    let index = module.const_int(member as i32);
    let pointer = module.type_pointer(StorageClass::PushConstant, ty);
    let chain = module.id();
    out.push(Inst::new(Op::AccessChain, &[pointer, chain, variable, index]));
    let value = module.id();
    out.push(Inst::new(Op::Load, &[ty, value, chain]));
    value
}

/// The push-constant variable and the member of type `ty` at `offset`, added where missing: a
/// stage may have one such block only.
fn member(module: &mut Module, ty: u32, offset: u32) -> (u32, u32) {
    let existing = module
        .variables()
        .into_iter()
        .find(|v| v.3 == StorageClass::PushConstant as u32)
        .map(|(_, pointer, id, _)| (pointer, id));
    let Some((pointer, variable)) = existing else {
        let block = module.append_global(Op::TypeStruct, &[ty]);
        module.set_name(block, "PushConstants");
        module.decorate(block, Decoration::Block, &[]);
        module.decorate_member(block, 0, Decoration::Offset, &[offset]);
        return (module.add_variable(StorageClass::PushConstant, block), 0);
    };
    let block = module.global(pointer).map_or(0, |p| p.word(2));
    let at = module
        .annotations
        .iter()
        .find(|a| {
            a.op == Op::MemberDecorate
                && a.word(0) == block
                && a.word(2) == Decoration::Offset as u32
                && a.word(3) == offset
        })
        .map(|a| a.word(1));
    if let Some(at) = at {
        return (variable, at);
    }
    let Some(def) = module.globals.iter_mut().find(|g| g.result() == Some(block)) else { return (variable, 0) };
    def.words.push(ty);
    let at = def.words.len() as u32 - 2;
    module.decorate_member(block, at, Decoration::Offset, &[offset]);
    module.move_types_before(ty, block);
    (variable, at)
}
