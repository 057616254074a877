//! Constant expressions that glslang does not fold, or folds wrongly: the functions of
//! [`super::constant_functions`], and comparisons of constant vectors and matrices whose result is
//! compared again. Where the operands are known they are replaced by their value
//! (GLSL 4.60 section 4.3.3 makes such expressions constant).

use super::constant::{Constants, Reader, Value, shape};
use super::constant_functions::Has;
use super::edit::Edit;
use super::tokens::{Token, functions, is};

/// The edits that put values in place of what can be folded.
pub(super) fn edits(all: &[Token<'_>], has: Has) -> Vec<Edit> {
    // In versions that do not have them built in a source may declare them itself.
    let own = functions(all);
    let known = |name: &[u8]| has.function(name) && !own.contains(name);
    let calls = all.iter().any(|t| known(t.text));
    let mut scopes = Scopes::default();
    scopes.constants.open();
    let mut edits = Vec::new();
    let mut i = 0;
    while i < all.len() {
        let found = if known(all[i].text) && is(all, i + 1, "(") {
            call(all, i, &scopes.constants, &known)
        } else {
            comparison(all, i)
        };
        match found {
            Some((next, by)) => {
                let end = all[next - 1];
                edits.push(Edit { from: all[i].at, to: end.at + end.text.len(), by });
                i = next;
            }
            // What is folded opens and declares nothing, and what has no calls needs no names.
            None => {
                if calls {
                    scopes.note(all, i, &known);
                }
                i += 1;
            }
        }
    }
    edits
}

/// The scopes that are open, and where in a declaration a source is.
#[derive(Default)]
struct Scopes<'a> {
    constants: Constants<'a>,
    /// Parentheses that are open.
    nested: u32,
    /// Braces that are open.
    braces: u32,
    /// A list of constants of this type is being declared.
    declared: Option<&'a [u8]>,
    /// Parameters of the function that is being declared: they are names of its scope.
    parameters: Vec<&'a [u8]>,
}

impl<'a> Scopes<'a> {
    /// Keeps scopes and the names in them up to date with the token at `at`. A name that is declared in any other way than
    /// as a constant of a known value has none.
    fn note(&mut self, all: &[Token<'a>], at: usize, known: &dyn Fn(&[u8]) -> bool) {
        let t = all[at];
        match t.text {
            b"{" => {
                self.braces += 1;
                self.constants.open();
                for name in self.parameters.drain(..) {
                    self.constants.declare(name, None);
                }
            }
            b"}" => {
                self.braces = self.braces.saturating_sub(1);
                self.constants.close();
            }
            b"(" | b"[" => self.nested += 1,
            b")" | b"]" => self.nested = self.nested.saturating_sub(1),
            b";" => {
                self.declared = None;
                self.parameters.clear();
            }
            b"const" if self.nested == 0 => {
                let ty = at + 1 + usize::from(all.get(at + 1).is_some_and(Token::is_precision));
                self.declared = all.get(ty).filter(|t| shape(t.text).is_some()).map(|t| t.text);
            }
            _ => {}
        }
        let before = at.checked_sub(1).map(|i| all[i]);
        let declares = t.is_word() && before.is_some_and(|b| b.ends_type() || b.is(",") && self.nested == 0);
        if !declares {
            return;
        }
        if self.nested > 0 && self.braces == 0 {
            self.parameters.push(t.text);
            return;
        }
        let constants = &self.constants;
        let value = self.declared.filter(|_| is(all, at + 1, "=") && !is(all, at + 2, "=")).and_then(|ty| {
            let mut reader = Reader::new(all, at + 2, constants, known);
            let value = reader.expression().filter(|_| is(all, reader.at, ",") || is(all, reader.at, ";"))?;
            let (kind, columns, rows) = shape(ty)?;
            ((value.columns, value.rows) == (columns, rows) && value.kind <= kind).then(|| value.of(kind))
        });
        self.constants.declare(t.text, value);
    }
}

/// `determinant(mat2(1, 2, 3, 4))` and its like. The answer is the token after it and the value.
fn call<'a>(
    all: &[Token<'a>],
    at: usize,
    constants: &Constants<'a>,
    known: &dyn Fn(&[u8]) -> bool,
) -> Option<(usize, String)> {
    let mut reader = Reader::new(all, at, constants, known);
    let value = reader.primary()?;
    Some((reader.at, value.spelled()?))
}

/// `(vec2(1, 2) == vec2(1, 2))`, in parentheses so that nothing else binds to the operands.
fn comparison(all: &[Token<'_>], at: usize) -> Option<(usize, String)> {
    // Not the parentheses of a call or of a statement.
    let before = at.checked_sub(1).map(|i| &all[i]);
    if !is(all, at, "(") || before.is_some_and(|t| t.is_word() && !t.is("return")) {
        return None;
    }
    let none = Constants::default();
    let mut reader = Reader::new(all, at + 1, &none, &|_| false);
    let a = constructor(&mut reader)?;
    let equal = reader.take("=");
    if !(equal || reader.take("!")) || !reader.take("=") {
        return None;
    }
    let b = constructor(&mut reader).filter(|_| reader.take(")"))?;
    if (a.kind, a.columns, a.rows) != (b.kind, b.columns, b.rows) {
        return None;
    }
    Some((reader.at, format!("({})", (a.values == b.values) == equal)))
}

/// A constructor of a vector or matrix.
fn constructor(reader: &mut Reader<'_, '_>) -> Option<Value> {
    let name = reader.all.get(reader.at)?;
    shape(name.text).filter(|s| s.2 > 1)?;
    reader.primary()
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::tokens;
    use super::{Has, edits};

    fn folded(text: &str) -> String {
        let has = Has { integers: true, shader5: true, packing: true, doubles: true };
        String::from_utf8(edited(text.as_bytes(), edits(&tokens(text.as_bytes()), has))).unwrap()
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

    /// GLSL 4.60 section 8.8 and 8.4.
    #[test]
    fn functions_of_bits() {
        for (text, wanted) in [
            ("findMSB(0)", "(-1)"),
            ("findMSB(ivec4(-1, -2, 1, 1023))", "ivec4(-1, 0, 0, 9)"),
            ("findMSB(0xFFFFFFFFu)", "(31)"),
            ("findLSB(uvec2(0u, 80u))", "ivec2(-1, 4)"),
            ("bitCount(-1)", "(32)"),
            ("bitfieldReverse(1u)", "(2147483648u)"),
            ("bitfieldReverse(1)", "((-2147483647 - 1))"),
            ("bitfieldExtract(0xF0, 4, 4)", "(-1)"),
            ("bitfieldExtract(uvec2(0xF0u), 4, 3)", "uvec2(7u, 7u)"),
            ("bitfieldExtract(-5, 0, 32)", "(-5)"),
            ("bitfieldExtract(-5, 32, 0)", "(0)"),
            ("bitfieldInsert(ivec2(15), ivec2(14, 9), 16, 4)", "ivec2(917519, 589839)"),
            ("fma(2.0, 3.0, 1)", "(7.0)"),
            ("ldexp(vec2(0.75, -0.5), ivec2(2, -127))", "vec2(3.0, -0.0)"),
            ("ldexp(0.5lf, -1022)", "(1.1125369292536007e-308lf)"),
            ("unpackDouble2x32(1.5lf)", "uvec2(0u, 1073217536u)"),
            ("packDouble2x32(uvec2(0, 1073217536))", "(1.5lf)"),
            ("packUnorm4x8(vec4(1.0, 0.0, 2.0, -1.0))", "(16711935u)"),
            ("unpackSnorm4x8(0x817Fu)", "vec4(1.0, -1.0, 0.0, 0.0)"),
            ("const int a = 4, b = a + 1; x = findMSB(b << 2);", "const int a = 4, b = a + 1; x = (4);"),
            (
                "const mat2 m = mat2(1.0, 2.0, 3.0, 4.0); const mat2 t = transpose(m); x = transpose(t)[0];",
                "const mat2 m = mat2(1.0, 2.0, 3.0, 4.0); const mat2 t = mat2x2(1.0, 3.0, 2.0, 4.0); \
                 x = mat2x2(1.0, 2.0, 3.0, 4.0)[0];",
            ),
            (
                "const int a = 4; { int a = n; findMSB(a); } findMSB(a)",
                "const int a = 4; { int a = n; findMSB(a); } (2)",
            ),
            // A parameter is a name of its function alone.
            (
                "const int a = 4; void f(int a); void f(int a) { findMSB(a); } x = findMSB(a);",
                "const int a = 4; void f(int a); void f(int a) { findMSB(a); } x = (2);",
            ),
            // What is folded leaves no parenthesis open: names after it are declared as ever.
            (
                "const int a = 4; bool x = (vec2(1.0) == vec2(1.0)); void f() { int b, a = n; y = findMSB(a); }",
                "const int a = 4; bool x = (true); void f() { int b, a = n; y = findMSB(a); }",
            ),
            (
                "bool x = (vec2(1.0) == vec2(1.0)); const int a = 4; y = findMSB(a);",
                "bool x = (true); const int a = 4; y = (2);",
            ),
        ] {
            assert_eq!(folded(text), wanted);
        }
        for kept in [
            "findMSB(x)",
            "bitfieldExtract(1, 30, 4)",
            "const int a = 4; void f(int a) { findMSB(a); }",
            "const int a = n; findMSB(a)",
            "float findMSB(int x) { return 1.0; } float y = findMSB(3);",
        ] {
            assert_eq!(folded(kept), kept);
        }
        let all = tokens(b"findMSB(4) transpose(mat2(1.0))");
        assert_eq!(edits(&all, Has::default()).len(), 1);
    }
}
