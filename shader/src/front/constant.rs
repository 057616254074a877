//! Values of constant expressions (GLSL 4.60 section 4.3.3), told from the tokens: literals, constructors, operators,
//! names of constants, and the functions of [`super::constant_functions`].

use std::collections::HashMap;

use super::constant_functions;
use super::tokens::{Token, is};

/// What the components of a value are, in the order in which one converts to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Bool,
    Int,
    Uint,
    Float,
    Double,
}

/// A scalar, vector or matrix. A vector is one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub kind: Kind,
    pub columns: usize,
    pub rows: usize,
    /// Components in column order; a double holds each of any kind.
    pub values: Vec<f64>,
}

/// Operators and calls within each other in an expression that is looked into.
const MAX_DEPTH: u32 = 32;

/// Constants by name, of the scopes that are open.
#[derive(Default)]
pub(super) struct Constants<'a> {
    scopes: Vec<HashMap<&'a [u8], Option<Value>>>,
}

impl<'a> Constants<'a> {
    pub fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// Declares a name in the innermost scope; without a value it is none that is known.
    pub fn declare(&mut self, name: &'a [u8], value: Option<Value>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, value);
        }
    }

    fn find(&self, name: &[u8]) -> Option<&Value> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))?.as_ref()
    }
}

impl Value {
    pub fn scalar(kind: Kind, value: f64) -> Self {
        Self { kind, columns: 1, rows: 1, values: vec![component(kind, value)] }
    }

    /// A value of another kind and the same shape.
    pub fn of(&self, kind: Kind) -> Self {
        self.map(kind, |v| v)
    }

    pub fn is_matrix(&self) -> bool {
        self.columns > 1
    }

    /// The same shape, with another value for each component.
    pub fn map(&self, kind: Kind, f: impl Fn(f64) -> f64) -> Self {
        Self { kind, values: self.values.iter().map(|v| component(kind, f(*v))).collect(), ..*self }
    }

    /// Combines components in pairs, a scalar with each; none where the shapes differ.
    pub fn zip(&self, other: &Self, kind: Kind, f: impl Fn(f64, f64) -> f64) -> Option<Self> {
        let wider = if self.values.len() == 1 { other } else { self };
        let same = (self.columns, self.rows) == (other.columns, other.rows);
        if !same && self.values.len() != 1 && other.values.len() != 1 {
            return None;
        }
        let at = |v: &Self, i: usize| v.values[if v.values.len() == 1 { 0 } else { i }];
        let values = (0..wider.values.len()).map(|i| component(kind, f(at(self, i), at(other, i)))).collect();
        Some(Self { kind, columns: wider.columns, rows: wider.rows, values })
    }

    /// The value as GLSL writes it, so that it binds like one operand; none where there is no literal for a component.
    pub fn spelled(&self) -> Option<String> {
        let list: Vec<String> = self.values.iter().map(|v| number_of(self.kind, *v)).collect::<Option<_>>()?;
        if let [value] = &list[..] {
            return Some(format!("({value})"));
        }
        let prefix = match self.kind {
            Kind::Bool => "b",
            Kind::Int => "i",
            Kind::Uint => "u",
            Kind::Float => "",
            Kind::Double => "d",
        };
        Some(match self.columns {
            1 => format!("{prefix}vec{}({})", self.rows, list.join(", ")),
            columns => format!("{prefix}mat{columns}x{}({})", self.rows, list.join(", ")),
        })
    }
}

/// A number as a component of a kind.
pub(super) fn component(kind: Kind, value: f64) -> f64 {
    match kind {
        Kind::Bool => f64::from(u8::from(value != 0.0)),
        Kind::Int => f64::from(value as i64 as i32),
        Kind::Uint => f64::from(value as i64 as u32),
        Kind::Float => f64::from(value as f32),
        Kind::Double => value,
    }
}

fn number_of(kind: Kind, value: f64) -> Option<String> {
    match kind {
        Kind::Bool => Some((value != 0.0).to_string()),
        // No literal is that small.
        Kind::Int if value == f64::from(i32::MIN) => Some("(-2147483647 - 1)".into()),
        Kind::Int => Some((value as i32).to_string()),
        Kind::Uint => Some(format!("{}u", value as u32)),
        Kind::Float => (value as f32).is_finite().then(|| format!("{:?}", value as f32)),
        Kind::Double => value.is_finite().then(|| format!("{value:?}lf")),
    }
}

/// Kind, columns and rows of a type.
pub(super) fn shape(name: &[u8]) -> Option<(Kind, usize, usize)> {
    let digit = |b: u8| matches!(b, b'2'..=b'4').then(|| usize::from(b - b'0'));
    Some(match name {
        b"bool" => (Kind::Bool, 1, 1),
        b"int" => (Kind::Int, 1, 1),
        b"uint" => (Kind::Uint, 1, 1),
        b"float" => (Kind::Float, 1, 1),
        b"double" => (Kind::Double, 1, 1),
        [b'v', b'e', b'c', n] => (Kind::Float, 1, digit(*n)?),
        [b'b', b'v', b'e', b'c', n] => (Kind::Bool, 1, digit(*n)?),
        [b'i', b'v', b'e', b'c', n] => (Kind::Int, 1, digit(*n)?),
        [b'u', b'v', b'e', b'c', n] => (Kind::Uint, 1, digit(*n)?),
        [b'd', rest @ ..] => shape(rest).filter(|s| s.0 == Kind::Float && s.2 > 1).map(|s| (Kind::Double, s.1, s.2))?,
        [b'm', b'a', b't', n] => (Kind::Float, digit(*n)?, digit(*n)?),
        [b'm', b'a', b't', c, b'x', r] => (Kind::Float, digit(*c)?, digit(*r)?),
        _ => return None,
    })
}

/// A number as GLSL writes it.
fn number(token: &Token<'_>) -> Option<Value> {
    let text = match token.text {
        b"true" => return Some(Value::scalar(Kind::Bool, 1.0)),
        b"false" => return Some(Value::scalar(Kind::Bool, 0.0)),
        text => std::str::from_utf8(text).ok()?,
    };
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let unsigned = text.ends_with(['u', 'U']);
    let whole = if unsigned { Kind::Uint } else { Kind::Int };
    let digits = |text: &str| text.trim_end_matches(['u', 'U']).to_owned();
    let integer =
        |digits: String, radix| Some(Value::scalar(whole, f64::from(u32::from_str_radix(&digits, radix).ok()?)));
    match hexadecimal {
        Some(text) => integer(digits(text), 16),
        None if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => None,
        None if text.contains(['.', 'e', 'E', 'f', 'F']) => {
            let double = text.ends_with("lf") || text.ends_with("LF");
            let kind = if double { Kind::Double } else { Kind::Float };
            Some(Value::scalar(kind, text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok()?))
        }
        None if text.len() > 1 && text.starts_with('0') => integer(digits(text), 8),
        None => integer(digits(text), 10),
    }
}

/// Reads expressions from tokens.
pub(super) struct Reader<'a, 'b> {
    pub all: &'b [Token<'a>],
    pub at: usize,
    pub constants: &'b Constants<'a>,
    /// Whether a name is a function that can be worked out.
    pub known: &'b dyn Fn(&[u8]) -> bool,
    depth: u32,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub fn new(
        all: &'b [Token<'a>],
        at: usize,
        constants: &'b Constants<'a>,
        known: &'b dyn Fn(&[u8]) -> bool,
    ) -> Self {
        Self { all, at, constants, known, depth: 0 }
    }

    fn is(&self, text: &str) -> bool {
        is(self.all, self.at, text)
    }

    /// Takes a punctuation byte.
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// Whether two tokens make one operator.
    fn pair(&self, first: &str, second: &str) -> bool {
        self.is(first) && self.all.get(self.at + 1).is_some_and(|t| t.is(second) && t.at == self.all[self.at].at + 1)
    }

    /// An expression of arithmetic and bits, up to what is none of it. Comparisons are no part of it.
    pub fn expression(&mut self) -> Option<Value> {
        self.level(0)
    }

    /// Binary operators, from the loosest.
    fn level(&mut self, level: usize) -> Option<Value> {
        const LEVELS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<", ">"], &["+", "-"], &["*", "/", "%"]];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut value = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|o| self.is(o)) {
            let doubled = self.pair(operator, operator);
            let shift = matches!(*operator, "<" | ">");
            if shift != doubled || self.all.get(self.at + 1 + usize::from(doubled)).is_some_and(|t| t.is("=")) {
                break;
            }
            self.at += 1 + usize::from(doubled);
            value = binary(operator, &value, &self.level(level + 1)?)?;
        }
        Some(value)
    }

    fn unary(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = if self.take("-") {
            let value = self.unary()?;
            value.map(value.kind, |v| -v)
        } else if self.take("+") {
            self.unary()?
        } else if self.take("~") {
            let value = self.unary().filter(|v| matches!(v.kind, Kind::Int | Kind::Uint))?;
            value.map(value.kind, |v| f64::from(!(v as i64 as i32)))
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn postfix(&mut self) -> Option<Value> {
        let mut value = self.primary()?;
        loop {
            if self.take(".") {
                value = swizzled(&value, self.all.get(self.at)?.text)?;
                self.at += 1;
            } else if self.take("[") {
                let index = self.expression().filter(|_| self.take("]"))?;
                let whole = index.values.len() == 1 && matches!(index.kind, Kind::Int | Kind::Uint);
                value = element(&value, *index.values.first().filter(|_| whole)?)?;
            } else {
                return Some(value);
            }
        }
    }

    /// A literal, a name, a group or a call.
    pub fn primary(&mut self) -> Option<Value> {
        let token = *self.all.get(self.at)?;
        if self.take("(") {
            return self.expression().filter(|_| self.take(")"));
        }
        if let Some(value) = number(&token) {
            self.at += 1;
            return Some(value);
        }
        let call = is(self.all, self.at + 1, "(");
        match shape(token.text) {
            Some((kind, columns, rows)) if call => {
                self.at += 2;
                constructed(kind, columns, rows, &self.arguments()?)
            }
            None if call && (self.known)(token.text) => {
                self.at += 2;
                constant_functions::call(token.text, &self.arguments()?)
            }
            None if !call => {
                self.at += 1;
                self.constants.find(token.text).cloned()
            }
            _ => None,
        }
    }

    /// Arguments up to the parenthesis that closes.
    fn arguments(&mut self) -> Option<Vec<Value>> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.expression()?);
            if self.take(")") {
                return Some(arguments);
            }
            if !self.take(",") || arguments.len() == 16 {
                return None;
            }
        }
    }
}

/// GLSL 4.60 section 5.4.
fn constructed(kind: Kind, columns: usize, rows: usize, arguments: &[Value]) -> Option<Value> {
    let made = |values: Vec<f64>| {
        let values = values.into_iter().map(|v| component(kind, v)).collect();
        Some(Value { kind, columns, rows, values })
    };
    if let [one] = arguments {
        if one.values.len() == 1 {
            let diagonal = |i: usize| if columns == 1 || i / rows == i % rows { one.values[0] } else { 0.0 };
            return made((0..columns * rows).map(diagonal).collect());
        }
        if columns > 1 && one.is_matrix() {
            let of = |c: usize, r: usize| match c < one.columns && r < one.rows {
                true => one.values[c * one.rows + r],
                false => f64::from(u8::from(c == r)),
            };
            return made((0..columns * rows).map(|i| of(i / rows, i % rows)).collect());
        }
    }
    if columns > 1 && arguments.iter().any(Value::is_matrix) {
        return None;
    }
    let values: Vec<f64> = arguments.iter().flat_map(|a| a.values.iter().copied()).collect();
    // Components that are left over are dropped, but each argument gives one.
    let last = arguments.last().map_or(0, |a| a.values.len());
    let enough = values.len() >= columns * rows && values.len() - last < columns * rows;
    (enough && (columns == 1 || values.len() == columns * rows))
        .then(|| values[..columns * rows].to_vec())
        .and_then(made)
}

fn swizzled(value: &Value, names: &[u8]) -> Option<Value> {
    if value.is_matrix() || value.rows == 1 || names.is_empty() || names.len() > 4 {
        return None;
    }
    const SETS: [&[u8]; 3] = [b"xyzw", b"rgba", b"stpq"];
    let set = SETS.iter().find(|set| set.contains(&names[0]))?;
    let of = |name: &u8| value.values.get(set.iter().position(|n| n == name)?).copied();
    let values: Vec<f64> = names.iter().map(of).collect::<Option<_>>()?;
    Some(Value { kind: value.kind, columns: 1, rows: values.len(), values })
}

fn element(value: &Value, index: f64) -> Option<Value> {
    let index = (index >= 0.0).then_some(index as usize)?;
    let rows = if value.is_matrix() { value.rows } else { 1 };
    if value.values.len() == 1 {
        return None;
    }
    let values = value.values.get(index * rows..(index + 1) * rows)?.to_vec();
    Some(Value { kind: value.kind, columns: 1, rows, values })
}

/// GLSL 4.60 section 5.9. Products of matrices are left alone.
fn binary(operator: &str, a: &Value, b: &Value) -> Option<Value> {
    let kind = a.kind.max(b.kind);
    let whole = matches!(kind, Kind::Int | Kind::Uint);
    if kind == Kind::Bool || a.kind == Kind::Bool || b.kind == Kind::Bool {
        return None;
    }
    let matrices = a.is_matrix() || b.is_matrix();
    // Cut to the 32 bits that count: 64 don't fit a double.
    let bits = |f: fn(i64, i64) -> i64| move |x: f64, y: f64| f64::from(f(x as i64, y as i64) as i32);
    match operator {
        "+" => a.zip(b, kind, |x, y| x + y),
        "-" => a.zip(b, kind, |x, y| x - y),
        "*" if whole => a.zip(b, kind, bits(i64::wrapping_mul)),
        "*" if !matrices || a.values.len() == 1 || b.values.len() == 1 => a.zip(b, kind, |x, y| x * y),
        "/" | "%" if whole => {
            let (a, b) = (a.of(kind), b.of(kind));
            if b.values.contains(&0.0) {
                return None;
            }
            a.zip(&b, kind, if operator == "/" { bits(i64::wrapping_div) } else { bits(i64::wrapping_rem) })
        }
        "/" if !matrices || b.values.len() == 1 => a.zip(b, kind, |x, y| x / y),
        "|" if whole => a.zip(b, kind, bits(|x, y| x | y)),
        "^" if whole => a.zip(b, kind, bits(|x, y| x ^ y)),
        "&" if whole => a.zip(b, kind, bits(|x, y| x & y)),
        "<" | ">" if whole => {
            if b.values.iter().any(|by| !(0.0..32.0).contains(by)) {
                return None;
            }
            a.zip(b, a.kind, if operator == "<" { bits(|x, y| x << y) } else { bits(|x, y| x >> y) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn value(text: &str) -> Option<String> {
        let all = tokens(text.as_bytes());
        let mut constants = Constants::default();
        constants.open();
        constants.declare(b"three", Some(Value::scalar(Kind::Int, 3.0)));
        let mut reader = Reader::new(&all, 0, &constants, &|_| true);
        reader.expression().filter(|_| reader.at == all.len())?.spelled()
    }

    #[test]
    fn expressions() {
        for (text, wanted) in [
            ("1 + 2 * three", "(7)"),
            ("-(7 / 2) % 2", "(-1)"),
            ("0x80000000u >> 31 | 010u", "(9u)"),
            ("1 << 31", "((-2147483647 - 1))"),
            ("2147483647 + 1", "((-2147483647 - 1))"),
            ("0x9E3779B9u * 0x85EBCA6Bu", "(3238976083u)"),
            ("123456789 * 987654321", "(-67153019)"),
            ("0xFFFFFFFFu / 1u", "(4294967295u)"),
            ("~0", "(-1)"),
            ("~0u", "(4294967295u)"),
            ("vec2(1, 0.5) * 2.0", "vec2(2.0, 1.0)"),
            ("vec4(vec2(1.0), 2, 3).wzy", "vec3(3.0, 2.0, 1.0)"),
            ("mat2(1.0, 2.0, 3.0, 4.0)[1].y", "(4.0)"),
            ("mat3(mat2(2.0))[2]", "vec3(0.0, 0.0, 1.0)"),
            ("uvec2(-1, 1.5)", "uvec2(4294967295u, 1u)"),
            ("1.5lf + 1", "(2.5lf)"),
            ("0.1f", "(0.1)"),
            ("vec2(1.0, 2.0)[1u]", "(2.0)"),
        ] {
            assert_eq!(value(text).as_deref(), Some(wanted), "{text}");
        }
        for text in ["1 / 0", "x", "1 + true", "vec2(1.0, 2.0, 3.0)", "mat2(1.0) * mat2(2.0)", "1 << 32", "1 < 2", "09"]
        {
            assert_eq!(value(text), None, "{text}");
        }
        // GLSL 4.60 sections 5.5 and 5.6: integers choose components.
        for index in ["1.5", "true", "1e300", "-1", "2"] {
            assert_eq!(value(&format!("mat2(1.0)[{index}]")), None, "{index}");
        }
        let deep = format!("{}1{}", "(".repeat(10_000), ")".repeat(10_000));
        assert_eq!(value(&deep), None);
    }
}
