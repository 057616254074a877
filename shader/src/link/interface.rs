//! The interface of one stage, read off its SPIR-V: uniforms, uniform blocks, inputs, outputs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::gl_type::Scalar;
use crate::spirv::foreign::blocks::{Explicit, Layouts};
use crate::spirv::{BuiltIn, Decorated, Decoration, Module, Op, Packing, StorageClass, StructTy, Ty, TypeTable};
use crate::stage::Stage;

/// How a block says that its members are laid out (GLSL 4.60 section 4.4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BlockLayout {
    #[default]
    Shared,
    Packed,
    Std140,
    Std430,
}

impl BlockLayout {
    const ALL: [Self; 4] = [Self::Shared, Self::Packed, Self::Std140, Self::Std430];

    /// The layout that a word of a program's layout qualifier names, in whatever case.
    pub fn of_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| word.eq_ignore_ascii_case(layout.name()))
    }

    /// The same where glslang may be shown another.
    pub fn of_shown(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| word == layout.shown() || word == layout.name())
    }

    /// The word for it.
    pub fn name(self) -> &'static [u8; 6] {
        match self {
            Self::Shared => b"shared",
            Self::Packed => b"packed",
            Self::Std140 => b"std140",
            Self::Std430 => b"std430",
        }
    }

    /// The word that glslang is shown: one that asks nothing of the places of members. Case is nothing to it.
    pub fn shown(self) -> &'static [u8; 6] {
        match self {
            Self::Shared | Self::Packed => self.name(),
            Self::Std140 => b"SHARED",
            Self::Std430 => b"PACKED",
        }
    }
}

/// A precision of OpenGL ES.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    Low,
    Medium,
    High,
}

impl Precision {
    /// What a precision qualifier says.
    pub fn of_word(word: &[u8]) -> Option<Self> {
        match word {
            b"lowp" => Some(Self::Low),
            b"mediump" => Some(Self::Medium),
            b"highp" => Some(Self::High),
            _ => None,
        }
    }
}

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
    /// Of a shader of OpenGL ES, of what has one.
    pub precision: Option<Precision>,
    /// An array that its largest subscript sizes.
    pub open: bool,
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
    /// What its declaration says of that.
    pub layout: BlockLayout,
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

    /// Notes what a source says of the layouts of its uniform and storage blocks.
    pub fn lay_blocks_out(&mut self, layouts: &[HashMap<String, BlockLayout>; 2]) {
        for b in &mut self.blocks {
            b.layout = layouts[usize::from(b.storage)].get(&b.name).copied().unwrap_or_default();
            if b.storage && b.layout == BlockLayout::Std430 {
                b.packing = Packing::Std430;
            }
        }
    }

    /// Notes what a source says of its uniforms: precisions, and whether arrays have a size.
    pub fn describe_uniforms(&mut self, precisions: &HashMap<String, Precision>, sized: &HashMap<String, bool>) {
        for u in &mut self.uniforms {
            u.precision = precisions.get(&u.name).copied();
            u.open = sized.get(&u.name) == Some(&false);
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
            block.explicit = Some(layouts.block(ty, packing)?);
            block.packing = Packing::Explicit;
            block.name.clone_from(&block.instance);
        }
        Ok(())
    }

    /// Of outputs of a module that share components of a location, only the first keeps it: Vulkan takes none twice
    /// (VUID-StandaloneSpirv-OpEntryPoint-08722).
    pub fn part_outputs(&mut self, module: &mut Module, stage: Stage) {
        let mut taken: HashSet<(u32, u32)> = HashSet::new();
        let mut doubled: HashSet<u32> = HashSet::new();
        for v in self.outputs.iter_mut().filter(|v| v.built_in.is_none()) {
            let Some(location) = v.location else { continue };
            let ty = match &v.ty {
                Ty::Array(element, _) if stage == Stage::TessControl && !v.patch => element,
                ty => ty,
            };
            // The instances of an array of blocks follow each other whole, so that the arrays of its members cross.
            let member = v.name.split_once('.').and_then(|(block, member)| {
                let block = self.output_blocks.iter().find(|b| b.name == block)?;
                block.members.iter().find(|m| m.0 == member)
            });
            if member.is_some_and(|m| m.1 != *ty) {
                continue;
            }
            let width = match ty.innermost() {
                Ty::Basic(shape) => u32::from(shape.rows) * if shape.scalar == Scalar::Double { 2 } else { 1 },
                _ => 4,
            };
            let columns = v.component..v.component.saturating_add(width).min(4);
            let slots = location..location.saturating_add(ty.slots());
            let index = v.index;
            let places = slots.flat_map(|slot| columns.clone().map(move |c| (slot, 8 * index + c)));
            let places: Vec<(u32, u32)> = places.collect();
            if places.iter().any(|place| taken.contains(place)) {
                v.location = None;
                doubled.insert(v.id);
            } else {
                taken.extend(places);
            }
        }
        let is_doubled = |a: &crate::spirv::Inst| {
            a.op == Op::Decorate && a.word(1) == Decoration::Location as u32 && doubled.contains(&a.word(0))
        };
        module.annotations.retain(|a| !is_doubled(a));
    }

    /// Reads a module whose input and output blocks are already split.
    pub fn collect(module: &Module) -> Interface {
        let table = TypeTable::new(module);
        let decorated = module.decorated();
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
                    location: decorated.of(id, Decoration::Location),
                    binding: decorated.of(id, Decoration::Binding),
                    precision: None,
                    open: false,
                });
            } else if class == StorageClass::AtomicCounter as u32 {
                out.counters.push(CounterVar {
                    id,
                    name,
                    ty: table.ty(pointee),
                    binding: decorated.of(id, Decoration::Binding).unwrap_or(0),
                    offset: decorated.of(id, Decoration::Offset).unwrap_or(0),
                });
            } else if class == StorageClass::Uniform as u32 || class == StorageClass::StorageBuffer as u32 {
                out.blocks.extend(block(&decorated, &table, id, pointee, class));
            } else if class == StorageClass::Input as u32 || class == StorageClass::Output as u32 {
                let has = |d| decorated.has(id, d);
                let var = IoVar {
                    id,
                    name,
                    ty: table.ty(pointee),
                    built_in: decorated.of(id, Decoration::BuiltIn).and_then(BuiltIn::from_u32),
                    location: decorated.of(id, Decoration::Location),
                    component: decorated.of(id, Decoration::Component).unwrap_or(0),
                    index: decorated.of(id, Decoration::Index).unwrap_or(0),
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
fn block(decorated: &Decorated, table: &TypeTable<'_>, id: u32, pointee: u32, class: u32) -> Option<BlockVar> {
    let mut struct_id = pointee;
    let mut dims = Vec::new();
    while let Some(def) = table.def(struct_id).filter(|d| d.op == Op::TypeArray) {
        dims.push(table.constant(def.word(2)).unwrap_or(0));
        struct_id = def.word(1);
    }
    let Ty::Struct(ty) = table.ty(struct_id) else { return None };
    let has = |what| decorated.has(struct_id, what);
    let storage = class == StorageClass::StorageBuffer as u32 || has(Decoration::BufferBlock);
    Some(BlockVar {
        id,
        name: ty.name.clone(),
        instance: table.name(id).to_owned(),
        ty,
        dims,
        binding: decorated.of(id, Decoration::Binding),
        storage,
        packing: Packing::Std140,
        layout: BlockLayout::default(),
        explicit: None,
    })
}
