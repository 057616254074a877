//! Types of a module as trees, independent of ids, so that types of different stages compare.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use spirv::{Decoration, Dim, Op};

use super::module::Module;
use crate::gl_type::{Scalar, Shape};
use crate::reflection::SampledType;

/// The image behind a sampler type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ImageInfo {
    pub dim: Dim,
    pub depth: bool,
    pub arrayed: bool,
    pub multisampled: bool,
    /// A storage image (`image2D`) and not a sampler.
    pub storage: bool,
    pub sampled: SampledType,
    /// SPIR-V's number of a storage image's format; 0 when it has none.
    pub format: u32,
}

/// One struct member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub name: String,
    pub ty: Ty,
    pub row_major: bool,
    /// Bytes from the start of its block, where the source lays blocks out.
    pub offset: Option<u32>,
}

/// A struct type. Two structs are the same type for GLSL when name and members agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StructTy {
    pub name: String,
    pub members: Vec<Member>,
}

/// A type tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    /// Scalar, vector or matrix.
    Basic(Shape),
    /// Sampler (or image).
    Sampler(ImageInfo),
    /// Array; length 0 when unsized.
    Array(Arc<Ty>, u32),
    /// Struct or block.
    Struct(Arc<StructTy>),
    /// Anything else.
    Other,
}

impl Ty {
    /// True when a sampler is inside.
    pub fn has_sampler(&self) -> bool {
        match self {
            Ty::Sampler(_) => true,
            Ty::Array(t, _) => t.has_sampler(),
            Ty::Struct(s) => s.members.iter().any(|m| m.ty.has_sampler()),
            _ => false,
        }
    }

    /// True when plain data is inside.
    pub fn has_data(&self) -> bool {
        match self {
            Ty::Basic(_) => true,
            Ty::Sampler(_) | Ty::Other => false,
            Ty::Array(t, _) => t.has_data(),
            Ty::Struct(s) => s.members.iter().any(|m| m.ty.has_data()),
        }
    }

    /// Element type once all array dimensions are gone.
    pub fn innermost(&self) -> &Ty {
        match self {
            Ty::Array(t, _) => t.innermost(),
            other => other,
        }
    }

    /// The shape of the values in it, where they are plain data or an array of that.
    pub fn shape(&self) -> Option<Shape> {
        match self.innermost() {
            Ty::Basic(shape) => Some(*shape),
            _ => None,
        }
    }

    /// True for numbers of 64 bits and arrays of them.
    pub fn is_long(&self) -> bool {
        self.shape().is_some_and(|shape| shape.scalar.is_long())
    }

    /// Product of all array dimensions, saturating.
    pub fn elements(&self) -> u32 {
        match self {
            Ty::Array(t, n) => n.saturating_mul(t.elements()),
            _ => 1,
        }
    }

    /// Interface locations the type takes as a varying (GLSL 4.60 section 4.4.1).
    pub fn slots(&self) -> u32 {
        match self {
            Ty::Basic(s) => {
                let per_column = if s.scalar.is_long() && s.rows > 2 { 2 } else { 1 };
                u32::from(s.columns) * per_column
            }
            Ty::Array(t, n) => n.saturating_mul(t.slots()),
            Ty::Struct(s) => s.members.iter().fold(0u32, |n, m| n.saturating_add(m.ty.slots())),
            Ty::Sampler(_) | Ty::Other => 1,
        }
    }

    /// Scalar components in total (those of 64 bits count twice).
    pub fn components(&self) -> u32 {
        match self {
            Ty::Basic(s) => s.words(),
            Ty::Array(t, n) => n.saturating_mul(t.components()),
            Ty::Struct(s) => s.members.iter().fold(0u32, |n, m| n.saturating_add(m.ty.components())),
            Ty::Sampler(_) | Ty::Other => 0,
        }
    }

    /// GLSL spelling for logs.
    pub fn spell(&self) -> String {
        match self {
            Ty::Basic(s) => spell_shape(*s),
            Ty::Sampler(info) if info.storage => "image".into(),
            Ty::Sampler(_) => "sampler".into(),
            Ty::Array(t, n) => format!("{}[{n}]", t.spell()),
            Ty::Struct(s) => format!("struct {}", s.name),
            Ty::Other => "?".into(),
        }
    }
}

fn spell_shape(s: Shape) -> String {
    let (scalar, prefix) = match s.scalar {
        Scalar::Float => ("float", ""),
        Scalar::Int => ("int", "i"),
        Scalar::Uint => ("uint", "u"),
        Scalar::Bool => ("bool", "b"),
        Scalar::Double => ("double", "d"),
        Scalar::Int64 => ("int64_t", "i64"),
        Scalar::Uint64 => ("uint64_t", "u64"),
    };
    match (s.columns, s.rows) {
        (1, 1) => scalar.into(),
        (1, n) => format!("{prefix}vec{n}"),
        (c, r) if c == r => format!("{prefix}mat{c}"),
        (c, r) => format!("{prefix}mat{c}x{r}"),
    }
}

/// Looks types up by id.
pub(crate) struct TypeTable<'a> {
    module: &'a Module,
    index: HashMap<u32, usize>,
    /// Read when somebody first asks for one.
    names: OnceCell<HashMap<u32, String>>,
    member_names: OnceCell<HashMap<(u32, u32), String>>,
    row_major: HashSet<(u32, u32)>,
    /// Offsets of members of blocks.
    offsets: HashMap<(u32, u32), u32>,
    /// Trees made so far: a type that another uses twice is made once.
    made: RefCell<HashMap<u32, Ty>>,
}

impl<'a> TypeTable<'a> {
    /// Indexes the module's globals.
    pub fn new(module: &'a Module) -> Self {
        let index = module.globals.iter().enumerate().filter_map(|(i, g)| Some((g.result()?, i))).collect();
        let row_major = module
            .annotations
            .iter()
            .filter(|a| a.op == Op::MemberDecorate && a.word(2) == Decoration::RowMajor as u32)
            .map(|a| (a.word(0), a.word(1)))
            .collect();
        let is_block = |d| d == Decoration::Block as u32 || d == Decoration::BufferBlock as u32;
        let decorated = module.annotations.iter().filter(|a| a.op == Op::Decorate && is_block(a.word(1)));
        let blocks: HashSet<u32> = decorated.map(|a| a.word(0)).collect();
        let offsets = module
            .annotations
            .iter()
            .filter(|a| a.op == Op::MemberDecorate && a.word(2) == Decoration::Offset as u32)
            .filter(|a| blocks.contains(&a.word(0)))
            .map(|a| ((a.word(0), a.word(1)), a.word(3)))
            .collect();
        TypeTable {
            module,
            index,
            names: OnceCell::new(),
            member_names: OnceCell::new(),
            row_major,
            offsets,
            made: RefCell::default(),
        }
    }

    /// Name of an id.
    pub fn name(&self, id: u32) -> &str {
        self.names.get_or_init(|| self.module.name_table()).get(&id).map_or("", String::as_str)
    }

    /// The global instruction that defines `id`.
    pub fn def(&self, id: u32) -> Option<&'a super::Inst> {
        self.index.get(&id).map(|i| &self.module.globals[*i])
    }

    /// Value of a scalar integer constant.
    pub fn constant(&self, id: u32) -> Option<u32> {
        match self.def(id) {
            Some(d) if matches!(d.op, Op::Constant | Op::SpecConstant) => Some(d.word(2)),
            _ => None,
        }
    }

    /// What a pointer type points to.
    pub fn pointee(&self, pointer: u32) -> Option<u32> {
        self.def(pointer).filter(|d| d.op == Op::TypePointer).map(|d| d.word(2))
    }

    /// The type of a variable's value, 0 where it is none.
    pub fn value_type(&self, variable: u32) -> u32 {
        self.def(variable).and_then(|v| self.pointee(v.word(0))).unwrap_or(0)
    }

    /// The tree of a type id.
    pub fn ty(&self, id: u32) -> Ty {
        if let Some(made) = self.made.borrow().get(&id) {
            return made.clone();
        }
        let made = self.make(id);
        self.made.borrow_mut().insert(id, made.clone());
        made
    }

    fn make(&self, id: u32) -> Ty {
        let Some(def) = self.def(id) else { return Ty::Other };
        match def.op {
            Op::TypeFloat | Op::TypeInt | Op::TypeBool => {
                self.scalar(id).map_or(Ty::Other, |scalar| Ty::Basic(Shape { scalar, columns: 1, rows: 1 }))
            }
            Op::TypeVector => match self.scalar(def.word(1)) {
                Some(scalar) => Ty::Basic(Shape { scalar, columns: 1, rows: def.word(2) as u8 }),
                None => Ty::Other,
            },
            Op::TypeMatrix => match self.ty(def.word(1)) {
                Ty::Basic(column) => Ty::Basic(Shape { columns: def.word(2) as u8, ..column }),
                _ => Ty::Other,
            },
            Op::TypeArray => Ty::Array(Arc::new(self.ty(def.word(1))), self.constant(def.word(2)).unwrap_or(0)),
            Op::TypeRuntimeArray => Ty::Array(Arc::new(self.ty(def.word(1))), 0),
            Op::TypeSampledImage => self.ty(def.word(1)),
            Op::TypeImage => self.image(def),
            Op::TypeStruct => {
                let names = self.member_names.get_or_init(|| self.module.member_names());
                let member = |(i, m): (u32, &u32)| Member {
                    name: names.get(&(id, i)).cloned().unwrap_or_default(),
                    ty: self.ty(*m),
                    row_major: self.row_major.contains(&(id, i)),
                    offset: self.offsets.get(&(id, i)).copied(),
                };
                let members = (0..).zip(&def.words[1..]).map(member).collect();
                Ty::Struct(Arc::new(StructTy { name: self.name(id).to_owned(), members }))
            }
            _ => Ty::Other,
        }
    }

    fn scalar(&self, id: u32) -> Option<Scalar> {
        let def = self.def(id)?;
        match (def.op, def.word(1), def.word(2)) {
            (Op::TypeFloat, 32, _) => Some(Scalar::Float),
            (Op::TypeFloat, 64, _) => Some(Scalar::Double),
            (Op::TypeInt, 32, 1) => Some(Scalar::Int),
            (Op::TypeInt, 32, _) => Some(Scalar::Uint),
            (Op::TypeInt, 64, 1) => Some(Scalar::Int64),
            (Op::TypeInt, 64, _) => Some(Scalar::Uint64),
            (Op::TypeBool, ..) => Some(Scalar::Bool),
            _ => None,
        }
    }

    fn image(&self, def: &super::Inst) -> Ty {
        let Some(dim) = Dim::from_u32(def.word(2)) else { return Ty::Other };
        Ty::Sampler(ImageInfo {
            dim,
            depth: def.word(3) == 1,
            arrayed: def.word(4) == 1,
            multisampled: def.word(5) == 1,
            storage: def.word(6) == 2,
            format: def.word(7),
            sampled: match self.scalar(def.word(1)) {
                Some(Scalar::Int) => SampledType::Int,
                Some(Scalar::Uint) => SampledType::Uint,
                _ => SampledType::Float,
            },
        })
    }

    /// Words of a constant, in declaration order (columns in order, booleans 0/1). `None` when it
    /// is not a constant or is unreasonably large.
    pub fn constant_words(&self, id: u32, out: &mut Vec<u32>) -> Option<()> {
        let def = self.def(id)?;
        match def.op {
            Op::Constant | Op::SpecConstant => out.extend_from_slice(&def.words[2..]),
            Op::ConstantTrue => out.push(1),
            Op::ConstantFalse => out.push(0),
            Op::ConstantNull => {
                let n = self.ty(def.word(0)).components();
                if n > 1 << 20 {
                    return None;
                }
                out.extend(std::iter::repeat_n(0, n as usize));
            }
            Op::ConstantComposite => {
                for part in &def.words[2..] {
                    self.constant_words(*part, out)?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}
