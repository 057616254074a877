//! A queried value before it is converted to the type a glGet* command returns (GL 4.6 core 2.2.2).

use smallvec::SmallVec;

use crate::gl::*;

/// One value in the type GL keeps it in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// A signed integer, an enum or a name.
    Int(i64),
    /// A mask or an unsigned integer of 32 bits, which integer queries return bit for bit.
    Bits(u32),
    /// A float.
    Float(f64),
    /// A colour component or a depth, which integer queries return as a fraction of the largest integer.
    Normalized(f64),
}

/// What a query finds: nearly always at most four values.
pub type Values = SmallVec<[Value; 4]>;

/// A type that glGet* commands return.
pub trait Returned: Copy {
    /// Converts by GL's rules.
    fn from_value(value: Value) -> Self;
}

/// Rounds to the nearest integer within a range.
fn round(value: f64, low: i64, high: i64) -> i64 {
    // A float to integer cast saturates, and makes zero of NaN.
    (value.round() as i64).clamp(low, high)
}

impl Returned for GLboolean {
    fn from_value(value: Value) -> Self {
        GLboolean::from(match value {
            Value::Bool(b) => b,
            Value::Int(i) => i != 0,
            Value::Bits(u) => u != 0,
            Value::Float(f) | Value::Normalized(f) => f != 0.0,
        })
    }
}

impl Returned for GLint {
    fn from_value(value: Value) -> Self {
        let (low, high) = (i64::from(GLint::MIN), i64::from(GLint::MAX));
        match value {
            Value::Bool(b) => GLint::from(b),
            Value::Int(i) => i.clamp(low, high) as GLint,
            Value::Bits(u) => u as GLint,
            Value::Float(f) => round(f, low, high) as GLint,
            // GL 4.6 core 2.2.2: as by equation 2.4, which maps 1.0 to the largest integer.
            Value::Normalized(f) => round(f.clamp(-1.0, 1.0) * f64::from(GLint::MAX), low, high) as GLint,
        }
    }
}

impl Returned for GLint64 {
    fn from_value(value: Value) -> Self {
        match value {
            Value::Bool(b) => GLint64::from(b),
            Value::Int(i) => i,
            Value::Bits(u) => GLint64::from(u),
            Value::Float(f) => round(f, GLint64::MIN, GLint64::MAX),
            Value::Normalized(f) => round(f.clamp(-1.0, 1.0) * i64::MAX as f64, GLint64::MIN, GLint64::MAX),
        }
    }
}

impl Returned for GLdouble {
    fn from_value(value: Value) -> Self {
        match value {
            Value::Bool(b) => f64::from(u8::from(b)),
            Value::Int(i) => i as f64,
            Value::Bits(u) => f64::from(u),
            Value::Float(f) | Value::Normalized(f) => f,
        }
    }
}

impl Returned for GLfloat {
    fn from_value(value: Value) -> Self {
        GLdouble::from_value(value) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_floats_round_and_saturate() {
        assert_eq!(GLint::from_value(Value::Float(2.5)), 3);
        assert_eq!(GLint::from_value(Value::Float(-2.6)), -3);
        assert_eq!(GLint::from_value(Value::Float(1e20)), GLint::MAX);
        assert_eq!(GLint::from_value(Value::Int(i64::MAX)), GLint::MAX);
        assert_eq!(GLint::from_value(Value::Bits(u32::MAX)), -1);
    }

    #[test]
    fn colours_become_fractions_of_the_largest_integer() {
        assert_eq!(GLint::from_value(Value::Normalized(1.0)), GLint::MAX);
        assert_eq!(GLint::from_value(Value::Normalized(-1.0)), -GLint::MAX);
        assert_eq!(GLint::from_value(Value::Normalized(7.0)), GLint::MAX);
        assert_eq!(GLint::from_value(Value::Normalized(0.0)), 0);
        assert_eq!(GLint64::from_value(Value::Normalized(1.0)), GLint64::MAX);
        assert_eq!(GLboolean::from_value(Value::Normalized(0.2)), 1);
    }
}
