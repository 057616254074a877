//! `gl_InstanceID` starts at 0 whatever the base instance (GL 4.6 core section 11.1.3.9), Vulkan's
//! InstanceIndex starts at the first instance.

use crate::spirv::{BuiltIn, Capability, Decoration, Inst, Op, StorageClass};

/// Subtracts the base instance from the instance index of a vertex stage. Needs the
/// shaderDrawParameters feature; not needed while every base instance is 0.
pub fn subtract_base_instance(words: &[u32]) -> Vec<u32> {
    super::edit(words, |module| {
        let Some(index) = module.find_built_in(BuiltIn::InstanceIndex, StorageClass::Input) else { return };
        let int = module.type_int();
        let base = match module.find_built_in(BuiltIn::BaseInstance, StorageClass::Input) {
            Some(base) => base,
            None => {
                let base = module.add_variable(StorageClass::Input, int);
                module.decorate(base, Decoration::BuiltIn, &[BuiltIn::BaseInstance as u32]);
                base
            }
        };
        module.add_capability(Capability::DrawParameters);
        module.add_extension("SPV_KHR_shader_draw_parameters");
        module.replace_input(index, int, |module, value, out| {
            let (first, id) = (module.id(), module.id());
            out.push(Inst::new(Op::Load, &[int, first, base]));
            out.push(Inst::new(Op::ISub, &[int, id, value, first]));
            id
        });
    })
}
