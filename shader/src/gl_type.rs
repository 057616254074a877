//! GL type codes as reported by `glGetActiveUniform` and friends (GL 4.6 core table 7.3), as plain
//! numbers so that this crate needs no GL binding.

#![allow(missing_docs)] // the names and values are those of the registry

pub const INT: u32 = 0x1404;
pub const UNSIGNED_INT: u32 = 0x1405;
pub const FLOAT: u32 = 0x1406;
pub const DOUBLE: u32 = 0x140A;
pub const FLOAT_VEC2: u32 = 0x8B50;
pub const FLOAT_VEC3: u32 = 0x8B51;
pub const FLOAT_VEC4: u32 = 0x8B52;
pub const INT_VEC2: u32 = 0x8B53;
pub const INT_VEC3: u32 = 0x8B54;
pub const INT_VEC4: u32 = 0x8B55;
pub const BOOL: u32 = 0x8B56;
pub const BOOL_VEC2: u32 = 0x8B57;
pub const BOOL_VEC3: u32 = 0x8B58;
pub const BOOL_VEC4: u32 = 0x8B59;
pub const FLOAT_MAT2: u32 = 0x8B5A;
pub const FLOAT_MAT3: u32 = 0x8B5B;
pub const FLOAT_MAT4: u32 = 0x8B5C;
pub const FLOAT_MAT2X3: u32 = 0x8B65;
pub const FLOAT_MAT2X4: u32 = 0x8B66;
pub const FLOAT_MAT3X2: u32 = 0x8B67;
pub const FLOAT_MAT3X4: u32 = 0x8B68;
pub const FLOAT_MAT4X2: u32 = 0x8B69;
pub const FLOAT_MAT4X3: u32 = 0x8B6A;
pub const UNSIGNED_INT_VEC2: u32 = 0x8DC6;
pub const UNSIGNED_INT_VEC3: u32 = 0x8DC7;
pub const UNSIGNED_INT_VEC4: u32 = 0x8DC8;
pub const INT64: u32 = 0x140E;
pub const UNSIGNED_INT64: u32 = 0x140F;
pub const INT64_VEC2: u32 = 0x8FE9;
pub const INT64_VEC3: u32 = 0x8FEA;
pub const INT64_VEC4: u32 = 0x8FEB;
pub const UNSIGNED_INT64_VEC2: u32 = 0x8FF5;
pub const UNSIGNED_INT64_VEC3: u32 = 0x8FF6;
pub const UNSIGNED_INT64_VEC4: u32 = 0x8FF7;
pub const DOUBLE_VEC2: u32 = 0x8FFC;
pub const DOUBLE_VEC3: u32 = 0x8FFD;
pub const DOUBLE_VEC4: u32 = 0x8FFE;
pub const DOUBLE_MAT2: u32 = 0x8F46;
pub const DOUBLE_MAT3: u32 = 0x8F47;
pub const DOUBLE_MAT4: u32 = 0x8F48;
pub const DOUBLE_MAT2X3: u32 = 0x8F49;
pub const DOUBLE_MAT2X4: u32 = 0x8F4A;
pub const DOUBLE_MAT3X2: u32 = 0x8F4B;
pub const DOUBLE_MAT3X4: u32 = 0x8F4C;
pub const DOUBLE_MAT4X2: u32 = 0x8F4D;
pub const DOUBLE_MAT4X3: u32 = 0x8F4E;
pub const SAMPLER_1D: u32 = 0x8B5D;
pub const SAMPLER_2D: u32 = 0x8B5E;
pub const SAMPLER_3D: u32 = 0x8B5F;
pub const SAMPLER_CUBE: u32 = 0x8B60;
pub const SAMPLER_1D_SHADOW: u32 = 0x8B61;
pub const SAMPLER_2D_SHADOW: u32 = 0x8B62;
pub const SAMPLER_2D_RECT: u32 = 0x8B63;
pub const SAMPLER_2D_RECT_SHADOW: u32 = 0x8B64;
pub const SAMPLER_1D_ARRAY: u32 = 0x8DC0;
pub const SAMPLER_2D_ARRAY: u32 = 0x8DC1;
pub const SAMPLER_BUFFER: u32 = 0x8DC2;
pub const SAMPLER_1D_ARRAY_SHADOW: u32 = 0x8DC3;
pub const SAMPLER_2D_ARRAY_SHADOW: u32 = 0x8DC4;
pub const SAMPLER_CUBE_SHADOW: u32 = 0x8DC5;
pub const SAMPLER_CUBE_MAP_ARRAY: u32 = 0x900C;
pub const SAMPLER_CUBE_MAP_ARRAY_SHADOW: u32 = 0x900D;
pub const SAMPLER_2D_MULTISAMPLE: u32 = 0x9108;
pub const SAMPLER_2D_MULTISAMPLE_ARRAY: u32 = 0x910B;
pub const INT_SAMPLER_1D: u32 = 0x8DC9;
pub const INT_SAMPLER_2D: u32 = 0x8DCA;
pub const INT_SAMPLER_3D: u32 = 0x8DCB;
pub const INT_SAMPLER_CUBE: u32 = 0x8DCC;
pub const INT_SAMPLER_2D_RECT: u32 = 0x8DCD;
pub const INT_SAMPLER_1D_ARRAY: u32 = 0x8DCE;
pub const INT_SAMPLER_2D_ARRAY: u32 = 0x8DCF;
pub const INT_SAMPLER_BUFFER: u32 = 0x8DD0;
pub const INT_SAMPLER_CUBE_MAP_ARRAY: u32 = 0x900E;
pub const INT_SAMPLER_2D_MULTISAMPLE: u32 = 0x9109;
pub const INT_SAMPLER_2D_MULTISAMPLE_ARRAY: u32 = 0x910C;
pub const UNSIGNED_INT_SAMPLER_1D: u32 = 0x8DD1;
pub const UNSIGNED_INT_SAMPLER_2D: u32 = 0x8DD2;
pub const UNSIGNED_INT_SAMPLER_3D: u32 = 0x8DD3;
pub const UNSIGNED_INT_SAMPLER_CUBE: u32 = 0x8DD4;
pub const UNSIGNED_INT_SAMPLER_2D_RECT: u32 = 0x8DD5;
pub const UNSIGNED_INT_SAMPLER_1D_ARRAY: u32 = 0x8DD6;
pub const UNSIGNED_INT_SAMPLER_2D_ARRAY: u32 = 0x8DD7;
pub const UNSIGNED_INT_SAMPLER_BUFFER: u32 = 0x8DD8;
pub const UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY: u32 = 0x900F;
pub const UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE: u32 = 0x910A;
pub const UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY: u32 = 0x910D;
pub const IMAGE_1D: u32 = 0x904C;
pub const IMAGE_2D: u32 = 0x904D;
pub const IMAGE_3D: u32 = 0x904E;
pub const IMAGE_2D_RECT: u32 = 0x904F;
pub const IMAGE_CUBE: u32 = 0x9050;
pub const IMAGE_BUFFER: u32 = 0x9051;
pub const IMAGE_1D_ARRAY: u32 = 0x9052;
pub const IMAGE_2D_ARRAY: u32 = 0x9053;
pub const IMAGE_CUBE_MAP_ARRAY: u32 = 0x9054;
pub const IMAGE_2D_MULTISAMPLE: u32 = 0x9055;
pub const IMAGE_2D_MULTISAMPLE_ARRAY: u32 = 0x9056;
/// The signed kinds follow in the order of the float ones, and the unsigned ones after them.
pub const INT_IMAGE_1D: u32 = 0x9057;
pub const UNSIGNED_INT_IMAGE_1D: u32 = 0x9062;
pub const UNSIGNED_INT_ATOMIC_COUNTER: u32 = 0x92DB;
/// A transform-feedback "varying" that skips components (`gl_SkipComponents#`, `gl_NextBuffer`).
pub const NONE: u32 = 0;

/// Tessellation modes, spacings and orders.
pub const TRIANGLES: u32 = 0x0004;
pub const QUADS: u32 = 0x0007;
pub const ISOLINES: u32 = 0x8E7A;
pub const EQUAL: u32 = 0x0202;
pub const FRACTIONAL_ODD: u32 = 0x8E7B;
pub const FRACTIONAL_EVEN: u32 = 0x8E7C;
pub const CW: u32 = 0x0900;
pub const CCW: u32 = 0x0901;

/// Component kind of a non-opaque type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// 32-bit float.
    Float,
    /// 32-bit signed integer.
    Int,
    /// 32-bit unsigned integer.
    Uint,
    /// Boolean, one 32-bit word in buffers.
    Bool,
    /// 64-bit float.
    Double,
    /// 64-bit signed integer (ARB_gpu_shader_int64).
    Int64,
    /// 64-bit unsigned integer.
    Uint64,
}

impl Scalar {
    /// 32-bit words of a component.
    pub const fn words(self) -> u32 {
        match self {
            Scalar::Double | Scalar::Int64 | Scalar::Uint64 => 2,
            Scalar::Float | Scalar::Int | Scalar::Uint | Scalar::Bool => 1,
        }
    }

    /// A component has 64 bits.
    pub const fn is_long(self) -> bool {
        self.words() == 2
    }
}

/// Shape of a non-opaque GL type: component kind, columns (1 for scalars and vectors), rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Component kind.
    pub scalar: Scalar,
    /// Matrix columns, 1 for scalars and vectors.
    pub columns: u8,
    /// Components of a column, or of the vector; 1 for scalars.
    pub rows: u8,
}

impl Shape {
    /// Number of components.
    pub const fn components(self) -> u32 {
        self.columns as u32 * self.rows as u32
    }

    /// 32-bit words of all components.
    pub const fn words(self) -> u32 {
        self.components() * self.scalar.words()
    }

    /// The GL type code of this shape.
    pub const fn code(self) -> u32 {
        match (self.scalar, self.columns, self.rows) {
            (Scalar::Float, 1, 1) => FLOAT,
            (Scalar::Float, 1, n) => FLOAT_VEC2 + n as u32 - 2,
            (Scalar::Int, _, 1) => INT,
            (Scalar::Int, _, n) => INT_VEC2 + n as u32 - 2,
            (Scalar::Uint, _, 1) => UNSIGNED_INT,
            (Scalar::Uint, _, n) => UNSIGNED_INT_VEC2 + n as u32 - 2,
            (Scalar::Bool, _, 1) => BOOL,
            (Scalar::Bool, _, n) => BOOL_VEC2 + n as u32 - 2,
            (Scalar::Int64, _, 1) => INT64,
            (Scalar::Int64, _, n) => INT64_VEC2 + n as u32 - 2,
            (Scalar::Uint64, _, 1) => UNSIGNED_INT64,
            (Scalar::Uint64, _, n) => UNSIGNED_INT64_VEC2 + n as u32 - 2,
            (Scalar::Double, 1, 1) => DOUBLE,
            (Scalar::Double, 1, n) => DOUBLE_VEC2 + n as u32 - 2,
            (Scalar::Float, 2, 2) => FLOAT_MAT2,
            (Scalar::Float, 3, 3) => FLOAT_MAT3,
            (Scalar::Float, 4, 4) => FLOAT_MAT4,
            (Scalar::Float, 2, 3) => FLOAT_MAT2X3,
            (Scalar::Float, 2, _) => FLOAT_MAT2X4,
            (Scalar::Float, 3, 2) => FLOAT_MAT3X2,
            (Scalar::Float, 3, _) => FLOAT_MAT3X4,
            (Scalar::Float, _, 2) => FLOAT_MAT4X2,
            (Scalar::Float, _, _) => FLOAT_MAT4X3,
            (Scalar::Double, 2, 2) => DOUBLE_MAT2,
            (Scalar::Double, 3, 3) => DOUBLE_MAT3,
            (Scalar::Double, 4, 4) => DOUBLE_MAT4,
            (Scalar::Double, 2, 3) => DOUBLE_MAT2X3,
            (Scalar::Double, 2, _) => DOUBLE_MAT2X4,
            (Scalar::Double, 3, 2) => DOUBLE_MAT3X2,
            (Scalar::Double, 3, _) => DOUBLE_MAT3X4,
            (Scalar::Double, _, 2) => DOUBLE_MAT4X2,
            (Scalar::Double, _, _) => DOUBLE_MAT4X3,
        }
    }

    /// Shape of a GL type code; `None` for opaque types.
    pub fn of(code: u32) -> Option<Shape> {
        let shape = |scalar, columns, rows| Some(Shape { scalar, columns, rows });
        match code {
            FLOAT => shape(Scalar::Float, 1, 1),
            INT => shape(Scalar::Int, 1, 1),
            UNSIGNED_INT => shape(Scalar::Uint, 1, 1),
            BOOL => shape(Scalar::Bool, 1, 1),
            DOUBLE => shape(Scalar::Double, 1, 1),
            INT64 => shape(Scalar::Int64, 1, 1),
            UNSIGNED_INT64 => shape(Scalar::Uint64, 1, 1),
            INT64_VEC2..=INT64_VEC4 => shape(Scalar::Int64, 1, (code - INT64_VEC2 + 2) as u8),
            UNSIGNED_INT64_VEC2..=UNSIGNED_INT64_VEC4 => {
                shape(Scalar::Uint64, 1, (code - UNSIGNED_INT64_VEC2 + 2) as u8)
            }
            FLOAT_VEC2..=FLOAT_VEC4 => shape(Scalar::Float, 1, (code - FLOAT_VEC2 + 2) as u8),
            INT_VEC2..=INT_VEC4 => shape(Scalar::Int, 1, (code - INT_VEC2 + 2) as u8),
            BOOL_VEC2..=BOOL_VEC4 => shape(Scalar::Bool, 1, (code - BOOL_VEC2 + 2) as u8),
            UNSIGNED_INT_VEC2..=UNSIGNED_INT_VEC4 => shape(Scalar::Uint, 1, (code - UNSIGNED_INT_VEC2 + 2) as u8),
            DOUBLE_VEC2..=DOUBLE_VEC4 => shape(Scalar::Double, 1, (code - DOUBLE_VEC2 + 2) as u8),
            FLOAT_MAT2..=FLOAT_MAT4 => {
                let n = (code - FLOAT_MAT2 + 2) as u8;
                shape(Scalar::Float, n, n)
            }
            FLOAT_MAT2X3 => shape(Scalar::Float, 2, 3),
            FLOAT_MAT2X4 => shape(Scalar::Float, 2, 4),
            FLOAT_MAT3X2 => shape(Scalar::Float, 3, 2),
            FLOAT_MAT3X4 => shape(Scalar::Float, 3, 4),
            FLOAT_MAT4X2 => shape(Scalar::Float, 4, 2),
            FLOAT_MAT4X3 => shape(Scalar::Float, 4, 3),
            DOUBLE_MAT2..=DOUBLE_MAT4 => {
                let n = (code - DOUBLE_MAT2 + 2) as u8;
                shape(Scalar::Double, n, n)
            }
            DOUBLE_MAT2X3 => shape(Scalar::Double, 2, 3),
            DOUBLE_MAT2X4 => shape(Scalar::Double, 2, 4),
            DOUBLE_MAT3X2 => shape(Scalar::Double, 3, 2),
            DOUBLE_MAT3X4 => shape(Scalar::Double, 3, 4),
            DOUBLE_MAT4X2 => shape(Scalar::Double, 4, 2),
            DOUBLE_MAT4X3 => shape(Scalar::Double, 4, 3),
            _ => None,
        }
    }
}
