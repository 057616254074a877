//! The interface of one stage, read off its SPIR-V: uniforms, uniform blocks, inputs, outputs.

use std::collections::HashSet;
use std::sync::Arc;

use crate::spirv::foreign::blocks::{Explicit, Layouts};
use crate::spirv::{BuiltIn, Decoration, Module, Op, Packing, StorageClass, StructTy, Ty, TypeTable};

/// A loose uniform (default block).
#[derive(Clone, Debug)]
pub(crate) struct UniformVar {
    pub id: u32,
    pub name: String,
    pub ty: Ty,
    /// Initialiser words in declaration order.
    pub initial: Option<Vec<u32>>,
    pub location: Option<u32>,
    pub binding: Option<u32>,
}

/// An atomic counter, or an array of them.
#[derive(Clone, Debug)]
pub(crate) struct CounterVar {
    pub id: u32,
    pub name: String,
    pub ty: Ty,
    pub binding: u32,
    /// Bytes from the start of its buffer.
    pub offset: u32,
}

/// A uniform or storage block.
#[derive(Clone, Debug)]
pub(crate) struct BlockVar {
    pub id: u32,
    pub name: String,
    /// The instance name, empty when the members are globals.
    pub instance: String,
    pub ty: Arc<StructTy>,
    /// Dimensions of an array of blocks, outermost first.
    pub dims: Vec<u32>,
    pub binding: Option<u32>,
    /// A storage block.
    pub storage: bool,
    pub packing: Packing,
    /// Where everything is, if the module says so itself.
    pub explicit: Option<Arc<Explicit>>,
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
    /// One value a patch: not an array over vertices.
    pub patch: bool,
}

impl IoVar {
    /// The name it has in the program's lists: built-in variables have that of the language.
    pub fn listed_name(&self) -> &str {
        match self.built_in {
            Some(BuiltIn::VertexId | BuiltIn::VertexIndex) => "gl_VertexID",
            Some(BuiltIn::InstanceId | BuiltIn::InstanceIndex) => "gl_InstanceID",
            _ => &self.name,
        }
    }
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
    pub counters: Vec<CounterVar>,
    pub inputs: Vec<IoVar>,
    pub outputs: Vec<IoVar>,
    pub input_blocks: Vec<IoBlock>,
    pub output_blocks: Vec<IoBlock>,
}

impl Interface {
    /// Takes away bindings of 0 that the source does not write: the translation gives one to everything that could.
    pub fn forget_default_bindings(&mut self, written: &HashSet<String>) {
        let forget = |binding: &mut Option<u32>, name: &str| {
            if *binding == Some(0) && !written.contains(name) {
                *binding = None;
            }
        };
        self.uniforms.iter_mut().for_each(|u| forget(&mut u.binding, &u.name));
        self.blocks.iter_mut().for_each(|b| forget(&mut b.binding, &b.name));
    }

    /// Notes the blocks that the source declares as std430.
    pub fn pack(&mut self, std430: &HashSet<String>) {
        for b in self.blocks.iter_mut().filter(|b| b.storage && std430.contains(&b.name)) {
            b.packing = Packing::Std430;
        }
    }

    /// Takes the names and layouts of blocks from a module that declares them.
    pub fn lay_out(&mut self, module: &Module) -> Result<(), String> {
        let table = TypeTable::new(module);
        let mut layouts = Layouts::new(module);
        for block in &mut self.blocks {
            let variable = table.def(block.id).and_then(|v| table.pointee(v.word(0)));
            let Some(mut ty) = variable else { continue };
            while let Some(def) = table.def(ty).filter(|d| d.op == Op::TypeArray) {
                ty = def.word(1);
            }
            let packing = if block.storage { Packing::Std430 } else { Packing::Std140 };
            block.explicit = Some(layouts.block(ty, packing)?.into());
            block.packing = Packing::Explicit;
            block.name.clone_from(&block.instance);
        }
        Ok(())
    }

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
                    binding: module.decoration(id, Decoration::Binding),
                });
            } else if class == StorageClass::AtomicCounter as u32 {
                out.counters.push(CounterVar {
                    id,
                    name,
                    ty: table.ty(pointee),
                    binding: module.decoration(id, Decoration::Binding).unwrap_or(0),
                    offset: module.decoration(id, Decoration::Offset).unwrap_or(0),
                });
            } else if class == StorageClass::Uniform as u32 || class == StorageClass::StorageBuffer as u32 {
                out.blocks.extend(block(module, &table, id, pointee, class));
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
                    patch: has(Decoration::Patch),
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

/// Reads a block variable.
fn block(module: &Module, table: &TypeTable<'_>, id: u32, pointee: u32, class: u32) -> Option<BlockVar> {
    let mut struct_id = pointee;
    let mut dims = Vec::new();
    while let Some(def) = table.def(struct_id).filter(|d| d.op == Op::TypeArray) {
        dims.push(table.constant(def.word(2)).unwrap_or(0));
        struct_id = def.word(1);
    }
    let Ty::Struct(ty) = table.ty(struct_id) else { return None };
    let has = |what| module.decoration(struct_id, what).is_some();
    let storage = class == StorageClass::StorageBuffer as u32 || has(Decoration::BufferBlock);
    // The scanner hands std430 on as `packed`, see `front::words`.
    let packing = if storage && has(Decoration::GLSLPacked) { Packing::Std430 } else { Packing::Std140 };
    Some(BlockVar {
        id,
        name: ty.name.clone(),
        instance: table.name(id).to_owned(),
        ty,
        dims,
        binding: module.decoration(id, Decoration::Binding),
        storage,
        packing,
        explicit: None,
    })
}
