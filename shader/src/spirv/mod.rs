//! A small editable form of SPIR-V: instructions in their logical sections, ids resolved by table.

pub(crate) mod calls;
mod columns;
pub(crate) mod foreign;
mod layout;
mod module;
mod operands;
mod types;

pub(crate) use layout::{Packing, array_stride, extent, matrix_stride, struct_layout};
pub(crate) use module::{Decorated, Function, Inst, Module, encode_string};
pub(crate) use operands::{for_each_id, is_comparison, is_sample, map_ids};
pub(crate) use types::{ImageInfo, Member, StructTy, Ty, TypeTable};

pub(crate) use spirv::{BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, Op, StorageClass};
