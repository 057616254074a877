//! Constant expressions that glslang does not fold, or folds wrongly: `determinant`, `inverse` and
//! `transpose` of constants, and comparisons of constant vectors and matrices whose result is
//! compared again. Where the operands are constructors of literals they are replaced by their value
//! (GLSL 4.60 section 4.3.3 makes such expressions constant).

use std::collections::HashSet;

use super::edit::Edit;
use super::tokens::{Token, is};

/// A constructor of literals.
struct Literal {
    /// `v`, `i`, `u`, `b` or `m` for the kinds of vector and the matrices, `d` for matrices of doubles.
    kind: u8,
    columns: usize,
    rows: usize,
    /// Components in column order.
    values: Vec<f64>,
}

impl Literal {
    fn is_matrix(&self) -> bool {
        matches!(self.kind, b'm' | b'd')
    }
}

/// The edits that put values in place of what can be folded.
pub(super) fn edits(all: &[Token<'_>]) -> Vec<Edit> {
    let own = own_functions(all);
    let mut edits = Vec::new();
    let mut i = 0;
    while i < all.len() {
        match call(all, i).filter(|_| !own.contains(all[i].text)).or_else(|| comparison(all, i)) {
            Some((next, by)) => {
                let end = all[next - 1];
                edits.push(Edit { from: all[i].at, to: end.at + end.text.len(), by });
                i = next;
            }
            None => i += 1,
        }
    }
    edits
}

/// Names of the functions that a source declares itself: in versions that don't have them built in it may.
fn own_functions<'a>(all: &[Token<'a>]) -> HashSet<&'a [u8]> {
    let declares = |w: &&[Token<'a>]| w[0].is_word() && !w[0].is("return") && w[1].is_word() && w[2].is("(");
    all.windows(3).filter(declares).map(|w| w[1].text).filter(|name| FOLDED.contains(name)).collect()
}

/// The functions that are folded.
const FOLDED: [&[u8]; 3] = [b"determinant", b"inverse", b"transpose"];

/// `determinant(mat2(1, 2, 3, 4))` and its like. The answer is the token after it and the value.
fn call(all: &[Token<'_>], at: usize) -> Option<(usize, String)> {
    let name = all[at].text;
    if !FOLDED.contains(&name) || !is(all, at + 1, "(") {
        return None;
    }
    let (next, m) = literal(all, at + 2).filter(|(next, m)| m.is_matrix() && is(all, *next, ")"))?;
    let value = match name {
        b"transpose" => spell(m.kind, m.rows, m.columns, &transposed(&m))?,
        b"determinant" if m.rows == m.columns => format!("({})", number_of(m.kind, determinant(&m.values, m.rows))?),
        b"inverse" if m.rows == m.columns => spell(m.kind, m.columns, m.rows, &inverse(&m))?,
        _ => return None,
    };
    Some((next + 1, value))
}

/// `(vec2(1, 2) == vec2(1, 2))`, in parentheses so that nothing else binds to the operands.
fn comparison(all: &[Token<'_>], at: usize) -> Option<(usize, String)> {
    // Not the parentheses of a call or of a statement.
    let before = at.checked_sub(1).map(|i| &all[i]);
    if !is(all, at, "(") || before.is_some_and(|t| t.is_word() && !t.is("return")) {
        return None;
    }
    let (next, a) = literal(all, at + 1)?;
    let equal = is(all, next, "=");
    if !(equal || is(all, next, "!")) || !is(all, next + 1, "=") {
        return None;
    }
    let (next, b) = literal(all, next + 2).filter(|(next, _)| is(all, *next, ")"))?;
    if (a.kind, a.columns, a.rows) != (b.kind, b.columns, b.rows) {
        return None;
    }
    Some((next + 1, format!("({})", (a.values == b.values) == equal)))
}

/// A constructor of literals at `at`, and the token after it.
fn literal(all: &[Token<'_>], at: usize) -> Option<(usize, Literal)> {
    let (kind, columns, rows) = shape(all.get(at)?.text)?;
    if !is(all, at + 1, "(") {
        return None;
    }
    let mut values = Vec::new();
    let mut at = at + 2;
    loop {
        let negative = is(all, at, "-");
        at += usize::from(negative);
        let value = number(all.get(at)?)?;
        values.push(component(kind, if negative { -value } else { value }));
        at += 1;
        if is(all, at, ")") {
            break;
        }
        if !is(all, at, ",") {
            return None;
        }
        at += 1;
    }
    if let [value] = values[..] {
        let matrix = matches!(kind, b'm' | b'd');
        let element = |i: usize| if !matrix || i / rows == i % rows { value } else { 0.0 };
        values = (0..columns * rows).map(element).collect();
    }
    (values.len() == columns * rows).then_some((at + 1, Literal { kind, columns, rows, values }))
}

fn shape(name: &[u8]) -> Option<(u8, usize, usize)> {
    let digit = |b: u8| matches!(b, b'2'..=b'4').then(|| usize::from(b - b'0'));
    match name {
        [b'v', b'e', b'c', n] => Some((b'v', 1, digit(*n)?)),
        [kind @ (b'i' | b'u' | b'b'), b'v', b'e', b'c', n] => Some((*kind, 1, digit(*n)?)),
        [b'd', rest @ ..] => shape(rest).filter(|s| s.0 == b'm').map(|(_, c, r)| (b'd', c, r)),
        [b'm', b'a', b't', n] => Some((b'm', digit(*n)?, digit(*n)?)),
        [b'm', b'a', b't', c, b'x', r] => Some((b'm', digit(*c)?, digit(*r)?)),
        _ => None,
    }
}

/// The value as a component of the constructor's kind.
fn component(kind: u8, value: f64) -> f64 {
    match kind {
        b'v' | b'm' => f64::from(value as f32),
        b'd' => value,
        b'b' => f64::from(u8::from(value != 0.0)),
        b'u' => f64::from(value.trunc() as i64 as u32),
        _ => value.trunc(),
    }
}

fn number(token: &Token<'_>) -> Option<f64> {
    match token.text {
        b"true" => Some(1.0),
        b"false" => Some(0.0),
        [b'0', b'0'..=b'9' | b'x' | b'X', ..] => None,
        text => std::str::from_utf8(text).ok()?.trim_end_matches(['u', 'U', 'f', 'F', 'l', 'L']).parse().ok(),
    }
}

/// A constructor of the values; none where GLSL has no literal for one of them.
fn spell(kind: u8, columns: usize, rows: usize, values: &[f64]) -> Option<String> {
    let list: Vec<String> = values.iter().map(|v| number_of(kind, *v)).collect::<Option<_>>()?;
    let prefix = if kind == b'd' { "d" } else { "" };
    Some(format!("{prefix}mat{columns}x{rows}({})", list.join(", ")))
}

/// A component of a matrix.
fn number_of(kind: u8, value: f64) -> Option<String> {
    match kind {
        b'd' => value.is_finite().then(|| format!("{value:?}lf")),
        _ => (value as f32).is_finite().then(|| format!("{:?}", value as f32)),
    }
}

fn transposed(m: &Literal) -> Vec<f64> {
    (0..m.rows).flat_map(|r| (0..m.columns).map(move |c| (c, r))).map(|(c, r)| m.values[c * m.rows + r]).collect()
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

fn inverse(m: &Literal) -> Vec<f64> {
    let n = m.rows;
    let whole = determinant(&m.values, n);
    let cofactor = |c: usize, r: usize| sign(c + r) * determinant(&minor(&m.values, n, r, c), n - 1) / whole;
    (0..n * n).map(|i| cofactor(i / n, i % n)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::tokens;
    use super::edits;

    fn folded(text: &str) -> String {
        String::from_utf8(edited(text.as_bytes(), &edits(&tokens(text.as_bytes())))).unwrap()
    }

    #[test]
    fn functions_of_matrices() {
        assert_eq!(folded("x = determinant(mat2(1.0, 2, 3.0, 4.0));"), "x = (-2.0);");
        assert_eq!(
            folded("transpose(mat2x3(1.0, 2.0, 3.0, -4.0, 5.0, 6.0))[0]"),
            "mat3x2(1.0, -4.0, 2.0, 5.0, 3.0, 6.0)[0]"
        );
        assert_eq!(folded("inverse(mat2(1.0, 2.0, 3.0, 4.0))"), "mat2x2(-2.0, 1.0, 1.5, -0.5)");
        assert_eq!(folded("inverse(mat3(2.0))"), "mat3x3(0.5, -0.0, 0.0, -0.0, 0.5, -0.0, 0.0, -0.0, 0.5)");
        assert_eq!(folded("determinant(dmat2(1.0lf, 2, 3.0, 1e300lf))"), "(1e300lf)");
        assert_eq!(
            folded("transpose(dmat2x3(0.1lf, 2, 3, 4, 5, 6))"),
            "dmat3x2(0.1lf, 4.0lf, 2.0lf, 5.0lf, 3.0lf, 6.0lf)"
        );
        for kept in [
            "determinant(m)",
            "inverse(mat2(0.0))",
            "transpose(mat2(x, 1.0, 2.0, 3.0))",
            "inverse(mat2(1.0, 2.0))",
            "determinant(mat2(1e30, 0.0, 0.0, 1e30))",
            "transpose(mat2(1e39, 0.0, 0.0, 1.0))",
            "float determinant(mat2 m) { return 3.0; } float x = determinant(mat2(1.0));",
        ] {
            assert_eq!(folded(kept), kept);
        }
    }

    #[test]
    fn comparisons() {
        assert_eq!(folded("a[(vec2(1.0, 2.0) == vec2(1.0, 2)) == true ? 1 : 2]"), "a[(true) == true ? 1 : 2]");
        assert_eq!(folded("(ivec2(1, -2) != ivec2(1, 2))"), "(true)");
        assert_eq!(folded("(bvec2(true, false) == bvec2(0, true))"), "(false)");
        for kept in [
            "f(vec2(1.0) == vec2(1.0))",
            "(x + vec2(1.0) == vec2(1.0))",
            "(vec2(1.0) == vec2(1.0) || y)",
            "(vec2(1.0) == vec3(1.0))",
        ] {
            assert_eq!(folded(kept), kept);
        }
    }
}
