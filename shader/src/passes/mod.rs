//! Passes over SPIR-V, one file each. Those with a `&[u32]` entry are for drivers, which apply
//! them to the words of a linked program; the others run inside the linker. A driver pass given
//! words that are no module returns them unchanged.

pub mod clip_distance;
pub mod component_stores;
pub(crate) mod constant_tables;
pub(crate) mod double_inputs;
pub mod double_rounding;
pub mod draw_parameters;
pub mod frag_color;
pub mod frag_flip;
pub(crate) mod image_formats;
pub mod instance_id;
pub(crate) mod lower_uniforms;
pub(crate) mod pack_varyings;
pub mod pass_through_control;
pub mod point_size;
pub mod position;
pub mod push_constant;
pub(crate) mod rect;
pub mod sample_inputs;
pub(crate) mod specialize_opaque;
pub(crate) mod split_blocks;
pub(crate) mod subgroup_size;
pub mod texel_swizzle;
pub(crate) mod variable_group_size;

#[cfg(test)]
mod snapshots;

use crate::spirv::Module;

/// Parses, edits, writes.
fn edit(words: &[u32], f: impl FnOnce(&mut Module)) -> Vec<u32> {
    match Module::parse(words) {
        Some(mut module) => {
            f(&mut module);
            module.fix_interface();
            module.words()
        }
        None => words.to_vec(),
    }
}
