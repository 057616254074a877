//! Work groups whose size comes with each dispatch (ARB_compute_variable_group_size): specialization constants 0, 1 and 2,
//! which are SPIR-V's `WorkgroupSize` and the value of the variable that stands for `gl_LocalGroupSizeARB`.

use crate::spirv::{BuiltIn, Decoration, Inst, Module, Op, StorageClass};

/// The variable's name in the text that is translated.
pub(crate) const VARIABLE: &str = "XXLocalGroupSize";

/// Puts the constants in.
pub(crate) fn run(module: &mut Module) {
    let uint = module.type_uint();
    let uvec3 = module.type_vector(uint, 3);
    let mut operands = vec![uvec3];
    for axis in 0..3 {
        let constant = module.append_global(Op::SpecConstant, &[uint, 1]);
        module.decorate(constant, Decoration::SpecId, &[axis]);
        operands.push(constant);
    }
    let size = module.append_global(Op::SpecConstantComposite, &operands);
    module.decorate(size, Decoration::BuiltIn, &[BuiltIn::WorkgroupSize as u32]);
    let named = module.name_table().into_iter().find(|(_, name)| name == VARIABLE).map(|(id, _)| id);
    let variable = named.filter(|id| module.globals.iter().any(|g| g.op == Op::Variable && g.word(1) == *id));
    let variable = variable.unwrap_or_else(|| module.add_variable(StorageClass::Private, uvec3));
    // The store also keeps the constants where nothing reads them.
    module.insert_at_entry(|_, out| out.push(Inst::new(Op::Store, &[variable, size])));
}

/// Whether it has run on a module.
pub(crate) fn is_in(module: &Module) -> bool {
    let size = BuiltIn::WorkgroupSize as u32;
    let mut sizes = module
        .annotations
        .iter()
        .filter(|a| a.op == Op::Decorate && a.word(1) == Decoration::BuiltIn as u32 && a.word(2) == size);
    sizes.any(|a| module.globals.iter().any(|g| g.op == Op::SpecConstantComposite && g.word(1) == a.word(0)))
}
