//! Functions of constants that glslang leaves alone, or works out wrongly (GLSL 4.60 sections 4.3.3 and 8).

use super::constant::{Kind, Value, component};

/// What of the language brings a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Since {
    /// GLSL 1.20 or later; whether the version has it is glslang's to say.
    Always,
    /// GLSL 4.00, ARB_gpu_shader5 and MESA_shader_integer_functions.
    Integers,
    /// As those of integers; of doubles also ARB_gpu_shader_fp64.
    Scaling,
    /// GLSL 4.00 and ARB_gpu_shader5; of doubles also ARB_gpu_shader_fp64.
    Shader5,
    /// GLSL 4.00, ARB_gpu_shader5 and ARB_shading_language_packing.
    Packing,
    /// GLSL 4.00 and ARB_gpu_shader_fp64.
    Doubles,
}

/// Which functions a source has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Has {
    pub integers: bool,
    pub shader5: bool,
    pub packing: bool,
    pub doubles: bool,
}

const FUNCTIONS: [(&[u8], Since); 17] = [
    (b"determinant", Since::Always),
    (b"inverse", Since::Always),
    (b"transpose", Since::Always),
    (b"bitCount", Since::Integers),
    (b"bitfieldExtract", Since::Integers),
    (b"bitfieldInsert", Since::Integers),
    (b"bitfieldReverse", Since::Integers),
    (b"findLSB", Since::Integers),
    (b"findMSB", Since::Integers),
    (b"ldexp", Since::Scaling),
    (b"fma", Since::Shader5),
    (b"packDouble2x32", Since::Doubles),
    (b"unpackDouble2x32", Since::Doubles),
    (b"packSnorm4x8", Since::Packing),
    (b"packUnorm4x8", Since::Packing),
    (b"unpackSnorm4x8", Since::Packing),
    (b"unpackUnorm4x8", Since::Packing),
];

impl Has {
    /// Whether a name is one of the functions of the source.
    pub fn function(self, name: &[u8]) -> bool {
        FUNCTIONS.iter().any(|(function, since)| {
            *function == name
                && match since {
                    Since::Always => true,
                    Since::Integers => self.integers,
                    Since::Scaling => self.integers || self.doubles,
                    Since::Shader5 => self.shader5 || self.doubles,
                    Since::Packing => self.packing,
                    Since::Doubles => self.doubles,
                }
        })
    }
}

/// The result of a call; none where it has none.
pub(super) fn call(name: &[u8], arguments: &[Value]) -> Option<Value> {
    match (name, arguments) {
        (b"transpose", [m]) if m.is_matrix() => {
            let of = |i: usize| m.values[(i % m.columns) * m.rows + i / m.columns];
            let values = (0..m.values.len()).map(of).collect();
            Some(Value { kind: m.kind, columns: m.rows, rows: m.columns, values })
        }
        (b"determinant", [m]) if m.is_matrix() && m.rows == m.columns => {
            finite(Value::scalar(m.kind, determinant(&m.values, m.rows)))
        }
        (b"inverse", [m]) if m.is_matrix() && m.rows == m.columns => {
            let values = inverse(m).into_iter().map(|v| component(m.kind, v)).collect();
            finite(Value { values, ..m.clone() })
        }
        (b"fma", [a, b, c]) if arguments.iter().all(|v| v.kind >= Kind::Float || v.kind == Kind::Int) => {
            let kind = a.kind.max(b.kind).max(c.kind).max(Kind::Float);
            // One rounding: a product of floats is exact in a double.
            let product = |x: f64, y: f64, z: f64| if kind == Kind::Double { x.mul_add(y, z) } else { x * y + z };
            if (a.values.len(), a.columns) != (b.values.len(), b.columns) || a.values.len() != c.values.len() {
                return None;
            }
            let all = a.values.iter().zip(&b.values).zip(&c.values);
            let values = all.map(|((x, y), z)| component(kind, product(*x, *y, *z))).collect();
            Some(Value { kind, values, ..a.clone() })
        }
        (b"ldexp", [x, exponent]) if x.kind >= Kind::Float && exponent.kind == Kind::Int => {
            let half = |e: f64| (e / 2.0).floor();
            let scaled = |m: f64, e: f64| flushed(x.kind, m * half(e).exp2() * (e - half(e)).exp2());
            (x.values.len() == exponent.values.len()).then(|| x.zip(exponent, x.kind, scaled)).flatten()
        }
        (b"packDouble2x32", [v]) if v.kind == Kind::Uint && v.values.len() == 2 => {
            let bits = v.values[0] as u64 | (v.values[1] as u64) << 32;
            finite(Value::scalar(Kind::Double, f64::from_bits(bits)))
        }
        (b"unpackDouble2x32", [d]) if d.kind == Kind::Double && d.values.len() == 1 => {
            let bits = d.values[0].to_bits();
            Some(vector(Kind::Uint, vec![f64::from(bits as u32), f64::from((bits >> 32) as u32)]))
        }
        (b"packUnorm4x8", [v]) => packed(v, |c| (c.clamp(0.0, 1.0) * 255.0).round() as i64),
        (b"packSnorm4x8", [v]) => packed(v, |c| (c.clamp(-1.0, 1.0) * 127.0).round() as i64),
        (b"unpackUnorm4x8", [p]) => unpacked(p, |byte| f64::from(byte) / 255.0),
        (b"unpackSnorm4x8", [p]) => unpacked(p, |byte| (f64::from(byte as i8) / 127.0).clamp(-1.0, 1.0)),
        _ => of_bits(name, arguments),
    }
}

fn finite(value: Value) -> Option<Value> {
    value.values.iter().all(|v| v.is_finite()).then_some(value)
}

fn vector(kind: Kind, values: Vec<f64>) -> Value {
    let values: Vec<f64> = values.into_iter().map(|v| component(kind, v)).collect();
    Value { kind, columns: 1, rows: values.len(), values }
}

/// What is too small for a normal float is zero: devices need not keep it (GLSL 4.60 section 4.7.1).
fn flushed(kind: Kind, value: f64) -> f64 {
    let least = f64::from(f32::MIN_POSITIVE);
    if kind == Kind::Float && value.abs() < least { 0.0f64.copysign(value) } else { value }
}

fn packed(v: &Value, byte: impl Fn(f64) -> i64) -> Option<Value> {
    if v.kind < Kind::Float || v.is_matrix() || v.rows != 4 {
        return None;
    }
    let bits = v.values.iter().rev().fold(0u32, |bits, c| bits << 8 | (byte(*c) as u32 & 0xff));
    Some(Value::scalar(Kind::Uint, f64::from(bits)))
}

fn unpacked(p: &Value, of: impl Fn(u8) -> f64) -> Option<Value> {
    if p.kind != Kind::Uint || p.values.len() != 1 {
        return None;
    }
    Some(vector(Kind::Float, (p.values[0] as u32).to_le_bytes().map(of).to_vec()))
}

/// GLSL 4.60 section 8.8, integer functions.
fn of_bits(name: &[u8], arguments: &[Value]) -> Option<Value> {
    let first = arguments.first()?;
    if !matches!(first.kind, Kind::Int | Kind::Uint) || first.is_matrix() {
        return None;
    }
    let bits = |v: f64| v as i64 as u32;
    let scalar = |at: usize| arguments.get(at).filter(|v| v.values.len() == 1).map(|v| v.values[0] as i64);
    // The bits that an offset and a size name; none where the result is undefined.
    let field = |at: usize| {
        let (offset, size) = (scalar(at)?, scalar(at + 1)?);
        (offset >= 0 && size >= 0 && offset + size <= 32).then_some((offset, size))
    };
    let mask = |size: i64| ((1u64 << size) - 1) as u32;
    match (name, arguments.len()) {
        (b"bitCount", 1) => Some(first.map(Kind::Int, |v| f64::from(bits(v).count_ones()))),
        (b"bitfieldReverse", 1) => Some(first.map(first.kind, |v| f64::from(bits(v).reverse_bits()))),
        (b"findLSB", 1) => {
            Some(first.map(Kind::Int, |v| if v == 0.0 { -1.0 } else { f64::from(bits(v).trailing_zeros()) }))
        }
        (b"findMSB", 1) => Some(first.map(Kind::Int, |v| {
            let v = if v < 0.0 { !bits(v) } else { bits(v) };
            31.0 - f64::from(v.leading_zeros())
        })),
        (b"bitfieldExtract", 3) => {
            let (offset, size) = field(1)?;
            Some(first.map(first.kind, |v| {
                let found = (u64::from(bits(v)) >> offset) as u32 & mask(size);
                let negative = first.kind == Kind::Int && size > 0 && found >> (size - 1) == 1;
                f64::from(if negative { found | !mask(size) } else { found })
            }))
        }
        (b"bitfieldInsert", 4) => {
            let (offset, size) = field(2)?;
            let insert = arguments.get(1).filter(|v| v.kind == first.kind && v.values.len() == first.values.len())?;
            let place = (u64::from(mask(size)) << offset) as u32;
            let put =
                |base: f64, v: f64| f64::from(bits(base) & !place | (u64::from(bits(v)) << offset) as u32 & place);
            first.zip(insert, first.kind, put)
        }
        _ => None,
    }
}

/// The matrix without a column and a row.
fn minor(values: &[f64], n: usize, column: usize, row: usize) -> Vec<f64> {
    (0..n * n).filter(|i| i / n != column && i % n != row).map(|i| values[i]).collect()
}

fn determinant(values: &[f64], n: usize) -> f64 {
    if n == 1 {
        return values[0];
    }
    (0..n).map(|r| sign(r) * values[r] * determinant(&minor(values, n, 0, r), n - 1)).sum()
}

fn sign(i: usize) -> f64 {
    if i.is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn inverse(m: &Value) -> Vec<f64> {
    let n = m.rows;
    let whole = determinant(&m.values, n);
    let cofactor = |c: usize, r: usize| sign(c + r) * determinant(&minor(&m.values, n, r, c), n - 1) / whole;
    (0..n * n).map(|i| cofactor(i / n, i % n)).collect()
}
