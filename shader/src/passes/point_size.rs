//! `gl_PointSize` of the last pre-rasterisation stage. Vulkan has no point size state, so a stage
//! that draws points must write one.

use super::push_constant::{Source, emit};
use crate::spirv::{BuiltIn, Capability, Decoration, ExecutionModel, Inst, Op, StorageClass};

/// Makes the stage write `size` and nothing else as its point size: for a stage that writes none,
/// and for any stage while GL_PROGRAM_POINT_SIZE is off (GL 4.6 core section 14.4).
pub fn set_point_size(words: &[u32], size: Source<1>) -> Vec<u32> {
    super::edit(words, |module| {
        if let Some(own) = module.find_built_in(BuiltIn::PointSize, StorageClass::Output) {
            module.demote_to_private(own);
        }
        let float = module.type_float();
        let variable = module.add_variable(StorageClass::Output, float);
        module.decorate(variable, Decoration::BuiltIn, &[BuiltIn::PointSize as u32]);
        module.set_name(variable, "gl_PointSize");
        match module.execution_model() {
            ExecutionModel::Geometry => module.add_capability(Capability::GeometryPointSize),
            ExecutionModel::TessellationEvaluation => module.add_capability(Capability::TessellationPointSize),
            _ => {}
        }
        module.insert_before_vertex_end(|module, out| {
            let value = emit(module, size, out);
            out.push(Inst::new(Op::Store, &[variable, value]));
        });
    })
}

/// Makes the stage write no point size, for stages that never draw points on devices without
/// point size in geometry shaders.
pub fn remove_point_size(words: &[u32]) -> Vec<u32> {
    super::edit(words, |module| {
        if let Some(own) = module.find_built_in(BuiltIn::PointSize, StorageClass::Output) {
            module.demote_to_private(own);
        }
        // An input of the name may need it still.
        if module.find_built_in(BuiltIn::PointSize, StorageClass::Input).is_none() {
            module.remove_capability(Capability::GeometryPointSize);
            module.remove_capability(Capability::TessellationPointSize);
        }
    })
}
