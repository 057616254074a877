//! Packs varyings component by component: GL counts their components, Vulkan their locations, and an array of floats
//! takes a location for each element. The variables become private; vectors of four components take their place at the
//! interface, filled where a vertex ends and emptied where the next stage begins.

use crate::gl_type::Scalar;
use crate::spirv::{Decoration, Inst, Module, Op, StorageClass, Ty, TypeTable};

/// Varyings that share vectors: those interpolated alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Class {
    /// Location of the first vector.
    pub location: u32,
    /// Components of all its varyings.
    pub components: u32,
    /// How they are interpolated.
    pub decorations: Vec<Decoration>,
    /// Bits of any type, which flat varyings may be, not floats.
    pub bits: bool,
}

impl Class {
    /// Locations it takes.
    pub fn slots(&self) -> u32 {
        self.components.div_ceil(4)
    }
}

/// A varying on its way into its class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Its variable in this module.
    pub variable: u32,
    /// Which class.
    pub class: usize,
    /// Its first component there.
    pub first: u32,
}

/// Whether values of a type can be packed: all of it 32 bits wide, and as `bits` only where that is allowed.
pub(crate) fn packs(ty: &Ty, bits: bool) -> bool {
    match ty {
        Ty::Basic(s) => s.scalar == Scalar::Float || bits && matches!(s.scalar, Scalar::Int | Scalar::Uint),
        Ty::Array(t, n) => *n > 0 && packs(t, bits),
        Ty::Struct(s) => s.members.iter().all(|m| packs(&m.ty, bits)),
        _ => false,
    }
}

/// A type taken apart: its id, and its parts or, where it is a scalar, none.
struct Shape {
    ty: u32,
    parts: Vec<Shape>,
}

impl Shape {
    fn of(table: &TypeTable<'_>, ty: u32) -> Shape {
        let Some(def) = table.def(ty) else { return Shape { ty, parts: Vec::new() } };
        let many = |part: u32, n: u32| (0..n).map(|_| Shape::of(table, part)).collect();
        let parts = match def.op {
            Op::TypeVector | Op::TypeMatrix => many(def.word(1), def.word(2)),
            Op::TypeArray => many(def.word(1), table.constant(def.word(2)).unwrap_or(0)),
            Op::TypeStruct => def.words[1..].iter().map(|t| Shape::of(table, *t)).collect(),
            _ => Vec::new(),
        };
        Shape { ty, parts }
    }

    /// Extracts every scalar of a value.
    fn take(
        &self,
        module: &mut Module,
        value: u32,
        path: &mut Vec<u32>,
        out: &mut Vec<Inst>,
        all: &mut Vec<(u32, u32)>,
    ) {
        if self.parts.is_empty() {
            let id = if path.is_empty() { value } else { module.id() };
            if !path.is_empty() {
                let mut words = vec![self.ty, id, value];
                words.extend_from_slice(path);
                out.push(Inst::new(Op::CompositeExtract, &words));
            }
            all.push((self.ty, id));
        }
        for (i, part) in self.parts.iter().enumerate() {
            path.push(i as u32);
            part.take(module, value, path, out, all);
            path.pop();
        }
    }

    /// Builds a value of scalars, which come in the order that [`Shape::take`] gives.
    fn build(
        &self,
        module: &mut Module,
        scalars: &mut impl Iterator<Item = u32>,
        from: u32,
        out: &mut Vec<Inst>,
    ) -> u32 {
        if self.parts.is_empty() {
            return cast(module, scalars.next().unwrap_or(0), from, self.ty, out);
        }
        let parts: Vec<u32> = self.parts.iter().map(|p| p.build(module, scalars, from, out)).collect();
        let id = module.id();
        let mut words = vec![self.ty, id];
        words.extend(parts);
        out.push(Inst::new(Op::CompositeConstruct, &words));
        id
    }
}

/// The same bits as another type.
fn cast(module: &mut Module, value: u32, from: u32, to: u32, out: &mut Vec<Inst>) -> u32 {
    if from == to {
        return value;
    }
    let id = module.id();
    out.push(Inst::new(Op::Bitcast, &[to, id, value]));
    id
}

/// The scalar of a class.
fn scalar(module: &mut Module, class: &Class) -> u32 {
    if class.bits { module.type_uint() } else { module.type_float() }
}

/// The vectors of a class, of `vertices` each where they are per vertex.
fn vectors(module: &mut Module, class: &Class, storage: StorageClass, vertices: Option<u32>) -> Vec<u32> {
    let scalar = scalar(module, class);
    let vector = module.type_vector(scalar, 4);
    let ty = vertices.map_or(vector, |n| module.type_array(vector, n));
    let one = |i| {
        let variable = module.add_variable(storage, ty);
        module.set_name(variable, "packed");
        module.decorate(variable, Decoration::Location, &[class.location + i]);
        class.decorations.iter().for_each(|d| module.decorate(variable, *d, &[]));
        variable
    };
    (0..class.slots()).map(one).collect()
}

/// Packs outputs that are private already.
pub(crate) fn pack(module: &mut Module, items: &[Item], classes: &[Class]) {
    let shapes: Vec<Shape> = {
        let table = TypeTable::new(module);
        items.iter().map(|i| Shape::of(&table, table.value_type(i.variable))).collect()
    };
    let targets: Vec<Vec<u32>> = classes.iter().map(|c| vectors(module, c, StorageClass::Output, None)).collect();
    module.insert_before_vertex_end(|module, out| {
        for (c, class) in classes.iter().enumerate() {
            let scalar = scalar(module, class);
            let vector = module.type_vector(scalar, 4);
            let zero = module.intern(Op::ConstantNull, &[scalar]);
            let mut components = vec![zero; class.slots() as usize * 4];
            for (item, shape) in items.iter().zip(&shapes).filter(|(i, _)| i.class == c) {
                let value = module.id();
                out.push(Inst::new(Op::Load, &[shape.ty, value, item.variable]));
                let mut all = Vec::new();
                shape.take(module, value, &mut Vec::new(), out, &mut all);
                for (slot, (ty, id)) in components[item.first as usize..].iter_mut().zip(all) {
                    *slot = cast(module, id, ty, scalar, out);
                }
            }
            for (target, four) in targets[c].iter().zip(components.chunks_exact(4)) {
                let value = module.id();
                let mut words = vec![vector, value];
                words.extend_from_slice(four);
                out.push(Inst::new(Op::CompositeConstruct, &words));
                out.push(Inst::new(Op::Store, &[*target, value]));
            }
        }
    });
    module.fix_interface();
}

/// Unpacks inputs, which become private. `per_vertex`: they are arrays over the vertices of a primitive.
pub(crate) fn unpack(module: &mut Module, items: &[Item], classes: &[Class], per_vertex: bool) {
    let shapes: Vec<Shape> = {
        let table = TypeTable::new(module);
        items.iter().map(|i| Shape::of(&table, table.value_type(i.variable))).collect()
    };
    items.iter().for_each(|item| module.demote_to_private(item.variable));
    let vertices = if per_vertex { shapes.first().map(|s| s.parts.len() as u32) } else { None };
    let sources: Vec<Vec<u32>> = classes.iter().map(|c| vectors(module, c, StorageClass::Input, vertices)).collect();
    module.insert_at_entry(|module, out| {
        // Components by vertex and class.
        let mut read: Vec<Vec<Vec<u32>>> = Vec::new();
        for vertex in 0..vertices.unwrap_or(1) {
            let of_class = |(class, vectors): (&Class, &Vec<u32>)| {
                let index = per_vertex.then_some(vertex);
                vectors.iter().flat_map(|v| components(module, class, *v, index, out)).collect()
            };
            read.push(classes.iter().zip(&sources).map(of_class).collect());
        }
        for (item, shape) in items.iter().zip(&shapes) {
            let from = scalar(module, &classes[item.class]);
            let mut scalars = read.iter().flat_map(|vertex| {
                let mine = &vertex[item.class][item.first as usize..];
                let count = if per_vertex { shape.parts.first().map_or(0, count) } else { count(shape) };
                mine[..count.min(mine.len())].iter().copied()
            });
            let value = shape.build(module, &mut scalars, from, out);
            out.push(Inst::new(Op::Store, &[item.variable, value]));
        }
    });
    module.fix_interface();
}

/// Scalars in a type.
fn count(shape: &Shape) -> usize {
    if shape.parts.is_empty() { 1 } else { shape.parts.iter().map(count).sum() }
}

/// Loads a vector and takes it apart.
fn components(module: &mut Module, class: &Class, vector: u32, vertex: Option<u32>, out: &mut Vec<Inst>) -> Vec<u32> {
    let scalar = scalar(module, class);
    let ty = module.type_vector(scalar, 4);
    let mut pointer = vector;
    if let Some(vertex) = vertex {
        let index = module.const_int(vertex as i32);
        let to = module.type_pointer(StorageClass::Input, ty);
        pointer = module.id();
        out.push(Inst::new(Op::AccessChain, &[to, pointer, vector, index]));
    }
    let value = module.id();
    out.push(Inst::new(Op::Load, &[ty, value, pointer]));
    let part = |i| {
        let id = module.id();
        out.push(Inst::new(Op::CompositeExtract, &[scalar, id, value, i]));
        id
    };
    (0..4).map(part).collect()
}
