//! `gl_SubGroupSizeARB` (ARB_shader_ballot) is a uniform in GLSL and a built-in input in SPIR-V.

use crate::spirv::{BuiltIn, Decoration, Inst, Module, Op, StorageClass};
use crate::stage::Stage;

/// Makes it the input.
pub(crate) fn run(module: &mut Module, stage: Stage) {
    let Some(variable) = module.find_built_in(BuiltIn::SubgroupSize, StorageClass::UniformConstant) else { return };
    let Some(at) = module.globals.iter().position(|g| g.op == Op::Variable && g.word(1) == variable) else { return };
    module.globals.remove(at);
    let uint = module.type_uint();
    let pointer = module.type_pointer(StorageClass::Input, uint);
    module.globals.push(Inst::new(Op::Variable, &[pointer, variable, StorageClass::Input as u32]));
    if stage == Stage::Fragment {
        module.decorate(variable, Decoration::Flat, &[]);
    }
    module.fix_interface();
}
