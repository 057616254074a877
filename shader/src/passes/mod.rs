//! Passes over SPIR-V, one file each. Those with a `&[u32]` entry are for drivers; the others run
//! inside the linker.

pub(crate) mod lower_uniforms;
pub(crate) mod split_blocks;
pub(crate) mod rect;
pub(crate) mod specialize_opaque;
