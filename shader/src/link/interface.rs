//! The interface of one stage, read off its SPIR-V: uniforms, uniform blocks, inputs, outputs.

use std::sync::Arc;

use crate::spirv::{BuiltIn, Decoration, Module, Op, StorageClass, StructTy, Ty, TypeTable};

/// A loose uniform (default block).
#[derive(Clone, Debug)]
pub(crate) struct UniformVar {
    pub id: u32,
    pub name: String,
    pub ty: Ty,
    /// Initialiser words in declaration order.
    pub initial: Option<Vec<u32>>,
    pub location: Option<u32>,
    pub binding: u32,
}

/// A uniform block.
#[derive(Clone, Debug)]
pub(crate) struct BlockVar {
    pub id: u32,
    pub name: String,
    /// The instance name, empty when the members are globals.
    pub instance: String,
    pub ty: Arc<StructTy>,
    /// Elements of an array of blocks.
    pub array: Option<u32>,
    pub binding: u32,
    /// A storage block, which 3.3 has not.
    pub storage: bool,
}

/// An input or output variable.
#[derive(Clone, Debug)]
pub(crate) struct IoVar {
    pub id: u32,
    pub name: String,
    /// The type with the per-vertex array of geometry inputs included.
    pub ty: Ty,
    pub built_in: Option<BuiltIn>,
    pub location: Option<u32>,
    pub component: u32,
    pub index: u32,
    pub flat: bool,
    pub no_perspective: bool,
    pub sample: bool,
    pub invariant: bool,
}

/// An input or output block as it was declared, before it was taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IoBlock {
    pub name: String,
    /// Names and types of the members in order.
    pub members: Vec<(String, Ty)>,
    /// It has an instance name; without, the members are globals.
    pub instance: bool,
    /// It is an array of blocks, per-vertex arrays included.
    pub array: bool,
}

/// Everything a stage declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interface {
    pub uniforms: Vec<UniformVar>,
    pub blocks: Vec<BlockVar>,
    pub inputs: Vec<IoVar>,
    pub outputs: Vec<IoVar>,
    pub input_blocks: Vec<IoBlock>,
    pub output_blocks: Vec<IoBlock>,
}

impl Interface {
    /// Reads a module whose input and output blocks are already split.
    pub fn collect(module: &Module) -> Interface {
        let table = TypeTable::new(module);
        let mut out = Interface::default();
        for (at, pointer, id, class) in module.variables() {
            let Some(pointee) = table.pointee(pointer) else { continue };
            let name = table.name(id).to_owned();
            if class == StorageClass::UniformConstant as u32 {
                let initializer = module.globals[at].words.get(3).copied();
                let initial = initializer.and_then(|i| {
                    let mut words = Vec::new();
                    table.constant_words(i, &mut words).map(|()| words)
                });
                out.uniforms.push(UniformVar {
                    id,
                    name,
                    ty: table.ty(pointee),
                    initial,
                    location: module.decoration(id, Decoration::Location),
                    binding: module.decoration(id, Decoration::Binding).unwrap_or(0),
                });
            } else if class == StorageClass::Uniform as u32 || class == StorageClass::StorageBuffer as u32 {
                let (struct_id, array) = match table.def(pointee) {
                    Some(d) if d.op == Op::TypeArray => (d.word(1), table.constant(d.word(2))),
                    _ => (pointee, None),
                };
                if let Ty::Struct(ty) = table.ty(struct_id) {
                    out.blocks.push(BlockVar {
                        id,
                        name: ty.name.clone(),
                        instance: name,
                        ty,
                        array,
                        binding: module.decoration(id, Decoration::Binding).unwrap_or(0),
                        storage: class == StorageClass::StorageBuffer as u32
                            || module.decoration(struct_id, Decoration::BufferBlock).is_some(),
                    });
                }
            } else if class == StorageClass::Input as u32 || class == StorageClass::Output as u32 {
                let has = |d| module.decoration(id, d).is_some();
                let var = IoVar {
                    id,
                    name,
                    ty: table.ty(pointee),
                    built_in: module.built_in(id),
                    location: module.decoration(id, Decoration::Location),
                    component: module.decoration(id, Decoration::Component).unwrap_or(0),
                    index: module.decoration(id, Decoration::Index).unwrap_or(0),
                    flat: has(Decoration::Flat),
                    no_perspective: has(Decoration::NoPerspective),
                    sample: has(Decoration::Sample),
                    invariant: has(Decoration::Invariant),
                };
                if class == StorageClass::Input as u32 {
                    out.inputs.push(var);
                } else {
                    out.outputs.push(var);
                }
            }
        }
        out
    }
}
