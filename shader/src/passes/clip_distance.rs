//! Clip distances that are written but not enabled. GL clips against plane `i` only while
//! GL_CLIP_DISTANCEi is enabled (GL 4.6 core section 13.7); Vulkan clips against all that exist.

use crate::spirv::{BuiltIn, Capability, Inst, Op, StorageClass, TypeTable};

/// Neutralises the clip distances whose bit in `enabled` is clear; with none enabled the output
/// disappears.
pub fn mask_clip_distances(words: &[u32], enabled: u32) -> Vec<u32> {
    super::edit(words, |module| {
        let Some(variable) = module.find_built_in(BuiltIn::ClipDistance, StorageClass::Output) else { return };
        let count = {
            let table = TypeTable::new(module);
            let pointer = table.def(variable).map_or(0, |v| v.word(0));
            table.pointee(pointer).map_or(0, |t| table.ty(t).elements()).min(32)
        };
        let all = if count == 32 { u32::MAX } else { (1 << count) - 1 };
        if enabled & all == all {
            return;
        }
        if enabled & all == 0 {
            module.demote_to_private(variable);
            if module.find_built_in(BuiltIn::ClipDistance, StorageClass::Input).is_none() {
                module.remove_capability(Capability::ClipDistance);
            }
            return;
        }
        let float = module.type_float();
        let pointer = module.type_pointer(StorageClass::Output, float);
        let zero = module.const_float(0.0);
        module.insert_before_vertex_end(|module, out| {
            for plane in (0..count).filter(|p| enabled & (1 << p) == 0) {
                let index = module.const_int(plane as i32);
                let chain = module.id();
                out.push(Inst::new(Op::AccessChain, &[pointer, chain, variable, index]));
                out.push(Inst::new(Op::Store, &[chain, zero]));
            }
        });
    })
}
