//! The types of a module, each with what rules ask about it (SPIR-V 1.0 section 3.32.6).

use std::collections::{HashMap, HashSet};

use spirv::{Capability, Dim, ImageFormat, Op, StorageClass};

use super::super::module::Inst;
use super::{Check, refuse};

/// Most levels of types within types.
const DEEPEST: u32 = 32;
/// Most types within one: walks over a type take so many steps.
const MOST_NODES: u32 = 1 << 16;
/// Most members of a structure (SPIR-V 1.0 section 2.17).
const MOST_MEMBERS: usize = 16_383;

/// What a scalar or a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Int { width: u32, signed: bool },
    Float(u32),
}

impl Scalar {
    pub const FLOAT: Scalar = Scalar::Float(32);
    pub const INT: Scalar = Scalar::Int { width: 32, signed: true };
    pub const UINT: Scalar = Scalar::Int { width: 32, signed: false };

    /// One of it.
    pub const fn one(self) -> Shape {
        Shape { scalar: self, count: 1 }
    }

    /// An integer of 32 bits, which is what most instructions take.
    pub fn is_int(self) -> bool {
        matches!(self, Scalar::Int { width: 32, .. })
    }

    /// An integer.
    pub fn is_any_int(self) -> bool {
        matches!(self, Scalar::Int { .. })
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float(_))
    }

    /// Bits in memory; a boolean has none.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bool => 0,
            Scalar::Int { width, .. } | Scalar::Float(width) => width,
        }
    }
}

/// A scalar or vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub scalar: Scalar,
    pub count: u32,
}

impl Shape {
    /// One integer of 32 bits.
    pub fn is_int(self) -> bool {
        self.count == 1 && self.scalar.is_int()
    }
}

/// An image type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// The type id of a texel's components.
    pub sampled: u32,
    pub dim: Dim,
    pub arrayed: bool,
    pub multisampled: bool,
    /// A storage image.
    pub storage: bool,
    pub format: ImageFormat,
}

impl Image {
    /// Components of a coordinate without the layer.
    pub fn plane(&self) -> u32 {
        match self.dim {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim3D | Dim::DimCube => 3,
            _ => 2,
        }
    }

    /// Components of a coordinate of what is sampled.
    pub fn lookup(&self) -> u32 {
        self.plane() + u32::from(self.arrayed)
    }

    /// Components of a coordinate of a storage image. Faces and layers of cube maps are one number.
    pub fn texel(&self) -> u32 {
        self.plane() + u32::from(self.arrayed && self.dim != Dim::DimCube)
    }

    /// Whether images of the type have levels.
    pub fn mipmapped(&self) -> bool {
        matches!(self.dim, Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube) && !self.multisampled
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Scalar(Scalar),
    Vector { of: u32, count: u32 },
    Matrix { column: u32, count: u32 },
    Image(Image),
    SampledImage { image: u32 },
    Array { of: u32, length: u32 },
    RuntimeArray { of: u32 },
    Struct(Vec<u32>),
    Pointer { class: StorageClass, to: u32 },
    Function { returns: u32, parameters: Vec<u32> },
}

/// What follows from a type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    depth: u32,
    /// Types in it, those that are used twice counted twice; saturates.
    nodes: u32,
    /// Scalars in it, 64-bit ones counted twice; saturates.
    pub words: u32,
    /// There are images in it.
    pub opaque: bool,
    /// It is, or ends in, an array without size.
    pub unsized_end: bool,
    pub bools: bool,
    /// There are integers of 32 bits in it.
    pub ints: bool,
    /// There are numbers of 64 bits in it.
    pub wide: bool,
}

/// All types by id.
#[derive(Debug, Default)]
pub(super) struct Types {
    all: HashMap<u32, (Type, Facts)>,
    /// Of types that are declared once: opcode and operands.
    unique: HashSet<(u32, Vec<u32>)>,
}

impl Types {
    pub fn get(&self, id: u32) -> Check<&Type> {
        self.all.get(&id).map(|t| &t.0).ok_or_else(|| format!("%{id} is no type that is known by here"))
    }

    pub fn facts(&self, id: u32) -> Facts {
        self.all.get(&id).map_or(Facts::default(), |t| t.1)
    }

    /// The shape of a scalar or vector type.
    pub fn shape(&self, id: u32) -> Option<Shape> {
        match &self.all.get(&id)?.0 {
            Type::Scalar(scalar) => Some(Shape { scalar: *scalar, count: 1 }),
            Type::Vector { of, count } => Some(Shape { count: *count, ..self.shape(*of)? }),
            _ => None,
        }
    }

    pub fn image(&self, id: u32) -> Option<Image> {
        match &self.all.get(&id)?.0 {
            Type::Image(image) => Some(*image),
            _ => None,
        }
    }

    /// A matrix type's columns: their type and number.
    pub fn matrix(&self, id: u32) -> Option<(u32, u32)> {
        match &self.all.get(&id)?.0 {
            Type::Matrix { column, count } => Some((*column, *count)),
            _ => None,
        }
    }

    pub fn pointer(&self, id: u32) -> Option<(StorageClass, u32)> {
        match &self.all.get(&id)?.0 {
            Type::Pointer { class, to } => Some((*class, *to)),
            _ => None,
        }
    }

    /// The type once all array dimensions are gone.
    pub fn innermost(&self, mut id: u32) -> u32 {
        while let Some((Type::Array { of, .. } | Type::RuntimeArray { of }, _)) = self.all.get(&id) {
            id = *of;
        }
        id
    }

    /// Whether values of a type exist that code can hold: plain data of a known size.
    pub fn is_data(&self, id: u32) -> bool {
        let facts = self.facts(id);
        let kind = matches!(
            self.all.get(&id).map(|t| &t.0),
            Some(Type::Scalar(_) | Type::Vector { .. } | Type::Matrix { .. } | Type::Array { .. } | Type::Struct(_))
        );
        kind && !facts.opaque && !facts.unsized_end
    }

    /// Parts of a composite and the type of each; none where it is no composite.
    pub fn part(&self, id: u32, index: u32) -> Option<u32> {
        match &self.all.get(&id)?.0 {
            Type::Vector { of, count } => (index < *count).then_some(*of),
            Type::Matrix { column, count } => (index < *count).then_some(*column),
            Type::Array { of, length } => (index < *length).then_some(*of),
            Type::Struct(members) => members.get(index as usize).copied(),
            _ => None,
        }
    }

    /// Number of parts of a composite.
    pub fn parts(&self, id: u32) -> Option<u32> {
        match &self.all.get(&id)?.0 {
            Type::Vector { count, .. } | Type::Matrix { count, .. } => Some(*count),
            Type::Array { length, .. } => Some(*length),
            Type::Struct(members) => Some(members.len() as u32),
            _ => None,
        }
    }

    /// Elements over all dimensions of an array; saturates.
    pub fn elements(&self, id: u32) -> u32 {
        match self.all.get(&id) {
            Some((Type::Array { of, length }, _)) => length.saturating_mul(self.elements(*of)),
            _ => 1,
        }
    }

    /// Adds a type. `length` is the value of an array's length.
    pub fn add(&mut self, inst: &Inst, length: Option<u32>, need: &mut dyn FnMut(Capability) -> Check) -> Check {
        let operands = inst.words.get(1..).unwrap_or_default();
        let count = |wanted: usize| counted(inst.op, operands, wanted);
        let ty = match inst.op {
            Op::TypeVoid => count(0).map(|()| Type::Void)?,
            Op::TypeBool => count(0).map(|()| Type::Scalar(Scalar::Bool))?,
            Op::TypeInt => {
                count(2)?;
                match operands[0] {
                    32 => {}
                    64 => need(Capability::Int64)?,
                    width => refuse!("integers of {width} bits are not supported"),
                }
                if operands[1] > 1 {
                    refuse!("an integer is neither signed nor unsigned");
                }
                Type::Scalar(Scalar::Int { width: operands[0], signed: operands[1] == 1 })
            }
            Op::TypeFloat => {
                count(1)?;
                match operands[0] {
                    32 => {}
                    64 => need(Capability::Float64)?,
                    width => refuse!("floats of {width} bits are not supported"),
                }
                Type::Scalar(Scalar::Float(operands[0]))
            }
            Op::TypeVector => {
                count(2)?;
                if !matches!(self.get(operands[0])?, Type::Scalar(_)) || !(2..=4).contains(&operands[1]) {
                    refuse!("a vector is not of two to four scalars");
                }
                Type::Vector { of: operands[0], count: operands[1] }
            }
            Op::TypeMatrix => {
                count(2)?;
                let column = self.shape(operands[0]).filter(|s| s.count > 1 && s.scalar.is_float());
                if column.is_none() || !(2..=4).contains(&operands[1]) {
                    refuse!("a matrix is not of two to four vectors of floats");
                }
                Type::Matrix { column: operands[0], count: operands[1] }
            }
            Op::TypeImage => {
                count(7)?;
                Type::Image(self.image_type(operands, need)?)
            }
            Op::TypeSampledImage => {
                count(1)?;
                if self.image(operands[0]).is_none_or(|image| image.storage) {
                    refuse!("a sampled image is of no image to sample");
                }
                Type::SampledImage { image: operands[0] }
            }
            _ => self.compound(inst.op, operands, length)?,
        };
        let facts = self.facts_of(&ty);
        if facts.depth > DEEPEST || facts.nodes > MOST_NODES {
            refuse!("types are nested too deeply, or too often");
        }
        // SPIR-V 1.0 section 2.8: aggregates may be declared again, and pointers.
        let repeats = matches!(inst.op, Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct | Op::TypePointer);
        if !repeats && !self.unique.insert((inst.op as u32, operands.to_vec())) {
            refuse!("a {:?} is declared twice", inst.op);
        }
        self.all.insert(inst.word(0), (ty, facts));
        Ok(())
    }

    /// A type that is made of others.
    fn compound(&self, op: Op, operands: &[u32], length: Option<u32>) -> Check<Type> {
        let count = |wanted: usize| counted(op, operands, wanted);
        Ok(match op {
            Op::TypeArray => {
                count(2)?;
                let Some(length) = length.filter(|n| *n > 0 && *n <= i32::MAX as u32) else {
                    refuse!("the length of an array is no positive integer constant")
                };
                self.sized(operands[0])?;
                if self.facts(operands[0]).unsized_end && !self.is_block(operands[0]) {
                    refuse!("an array is of what has no size");
                }
                Type::Array { of: operands[0], length }
            }
            Op::TypeRuntimeArray => {
                count(1)?;
                if !self.is_data(operands[0]) {
                    refuse!("an array without size is not of plain data");
                }
                Type::RuntimeArray { of: operands[0] }
            }
            Op::TypeStruct => {
                if operands.is_empty() || operands.len() > MOST_MEMBERS {
                    refuse!("a structure has no members, or too many");
                }
                for (i, member) in operands.iter().enumerate() {
                    let last = i + 1 == operands.len();
                    if !(last && matches!(self.get(*member)?, Type::RuntimeArray { .. })) {
                        self.sized(*member)?;
                        if self.facts(*member).unsized_end {
                            refuse!("a member has no size");
                        }
                    }
                }
                Type::Struct(operands.to_vec())
            }
            Op::TypePointer => {
                count(2)?;
                let Some(class) = StorageClass::from_u32(operands[0]) else { refuse!("unknown storage class") };
                if matches!(self.get(operands[1])?, Type::Void | Type::Pointer { .. } | Type::Function { .. }) {
                    refuse!("a pointer to what no variable can hold");
                }
                Type::Pointer { class, to: operands[1] }
            }
            Op::TypeFunction => {
                let Some((returns, parameters)) = operands.split_first() else { refuse!("a function type is empty") };
                if *self.get(*returns)? != Type::Void && !self.is_data(*returns) {
                    refuse!("a function returns what is no value");
                }
                for p in parameters {
                    if !self.is_data(*p) && self.pointer(*p).is_none() {
                        refuse!("a parameter is neither a value nor a pointer");
                    }
                }
                if parameters.len() > 255 {
                    refuse!("a function has too many parameters");
                }
                Type::Function { returns: *returns, parameters: parameters.to_vec() }
            }
            _ => refuse!("{op:?} is no type of OpenGL"),
        })
    }

    /// What an array element or a member may be.
    fn sized(&self, id: u32) -> Check {
        match self.get(id)? {
            Type::Void | Type::Pointer { .. } | Type::Function { .. } | Type::RuntimeArray { .. } => {
                refuse!("%{id} has no size")
            }
            _ => Ok(()),
        }
    }

    /// Arrays of storage blocks are arrays of what ends in an array without size.
    fn is_block(&self, id: u32) -> bool {
        matches!(self.all.get(&self.innermost(id)), Some((Type::Struct(_), facts)) if facts.unsized_end)
    }

    fn facts_of(&self, ty: &Type) -> Facts {
        let inside: Vec<u32> = match ty {
            Type::Vector { of, .. } | Type::Array { of, .. } | Type::RuntimeArray { of } => vec![*of],
            Type::Matrix { column, .. } => vec![*column],
            Type::SampledImage { image } => vec![*image],
            Type::Struct(members) => members.clone(),
            _ => Vec::new(),
        };
        let mut facts = Facts { nodes: 1, ..Facts::default() };
        for part in inside.iter().map(|id| self.facts(*id)) {
            facts.depth = facts.depth.max(part.depth + 1);
            facts.words = facts.words.saturating_add(part.words);
            facts.nodes = facts.nodes.saturating_add(part.nodes);
            facts.opaque |= part.opaque;
            facts.unsized_end |= part.unsized_end;
            facts.bools |= part.bools;
            facts.ints |= part.ints;
            facts.wide |= part.wide;
        }
        match ty {
            Type::Scalar(scalar) => {
                facts.words = if scalar.width() == 64 { 2 } else { 1 };
                facts.bools = *scalar == Scalar::Bool;
                facts.ints = scalar.is_int();
                facts.wide = scalar.width() == 64;
            }
            Type::Vector { count, .. } | Type::Matrix { count, .. } | Type::Array { length: count, .. } => {
                facts.words = facts.words.saturating_mul(*count);
            }
            Type::RuntimeArray { .. } => {
                facts.words = 0;
                facts.unsized_end = true;
            }
            Type::Image(_) => facts.opaque = true,
            _ => {}
        }
        facts
    }

    fn image_type(&self, o: &[u32], need: &mut dyn FnMut(Capability) -> Check) -> Check<Image> {
        let (Some(dim), Some(format)) = (Dim::from_u32(o[1]), ImageFormat::from_u32(o[6])) else {
            refuse!("an image has an unknown dimension or format")
        };
        let Some(Shape { scalar, count: 1 }) = self.shape(o[0]) else { refuse!("an image is of no scalars") };
        if scalar.width() != 32 || o[2] > 2 || o[3] > 1 || o[4] > 1 || !(1..=2).contains(&o[5]) {
            refuse!("an image type is not one of OpenGL");
        }
        let image =
            Image { sampled: o[0], dim, arrayed: o[3] == 1, multisampled: o[4] == 1, storage: o[5] == 2, format };
        let storage = image.storage;
        match (dim, image.arrayed, image.multisampled) {
            (Dim::Dim1D, _, false) => need(if storage { Capability::Image1D } else { Capability::Sampled1D })?,
            (Dim::Dim2D, _, false) | (Dim::Dim3D | Dim::DimCube, false, false) => {}
            (Dim::Dim2D, arrayed, true) => {
                if storage {
                    need(Capability::StorageImageMultisample)?;
                }
                if storage && arrayed {
                    need(Capability::ImageMSArray)?;
                }
            }
            (Dim::DimCube, true, false) => {
                need(if storage { Capability::ImageCubeArray } else { Capability::SampledCubeArray })?;
            }
            (Dim::DimRect, false, false) => {
                need(if storage { Capability::ImageRect } else { Capability::SampledRect })?;
            }
            (Dim::DimBuffer, false, false) => {
                need(if storage { Capability::ImageBuffer } else { Capability::SampledBuffer })?;
            }
            _ => refuse!("an image type is not one of OpenGL"),
        }
        match (storage, kind_of(format)) {
            (false, None) => {}
            (false, Some(_)) => refuse!("an image to sample has a format"),
            (true, Some((kind, extended))) => {
                if kind != scalar {
                    refuse!("the format of an image does not go with the type of its texels");
                }
                if extended {
                    need(Capability::StorageImageExtendedFormats)?;
                }
            }
            (true, None) if format == ImageFormat::Unknown => {}
            (true, None) => refuse!("the format of an image is not one of OpenGL"),
        }
        Ok(image)
    }
}

/// Refuses another number of operands.
fn counted(op: Op, operands: &[u32], wanted: usize) -> Check {
    if operands.len() != wanted {
        refuse!("{op:?} has {} operands", operands.len());
    }
    Ok(())
}

/// What the texels of a format are, and whether it needs a capability; none without a format of OpenGL.
fn kind_of(format: ImageFormat) -> Option<(Scalar, bool)> {
    use ImageFormat::*;
    Some(match format {
        Rgba32f | Rgba16f | R32f | Rgba8 | Rgba8Snorm => (Scalar::FLOAT, false),
        Rg32f | Rg16f | R11fG11fB10f | R16f | Rgba16 | Rgb10A2 | Rg16 | Rg8 | R16 | R8 | Rgba16Snorm | Rg16Snorm
        | Rg8Snorm | R16Snorm | R8Snorm => (Scalar::FLOAT, true),
        Rgba32i | Rgba16i | Rgba8i | R32i => (Scalar::INT, false),
        Rg32i | Rg16i | Rg8i | R16i | R8i => (Scalar::INT, true),
        Rgba32ui | Rgba16ui | Rgba8ui | R32ui => (Scalar::UINT, false),
        Rgb10a2ui | Rg32ui | Rg16ui | Rg8ui | R16ui | R8ui => (Scalar::UINT, true),
        _ => return None,
    })
}
