//! Spellings that GLSL has and glslang reads otherwise: semicolons too many, the unary plus that it forgets without a
//! look at its operand, and sequences in constant expressions.

use std::collections::HashSet;

use super::edit::Edit;
use super::tokens::{Pairs, Token, constants, structures};

/// Where a sequence is a constant expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sequences {
    /// In the initializers of constants, as far as those need to be constant.
    Constants,
    /// In those of all global variables too (ESSL 1.00 sections 4.3 and 5.10).
    Globals,
    /// Nowhere (ESSL 3.00 section 4.3.3).
    Never,
}

/// The edits that bring them into glslang's shape.
pub(super) fn edits(all: &[Token<'_>], brackets: &Pairs, sequences: Sequences, version: u32) -> Vec<Edit> {
    let constants = if sequences == Sequences::Globals { constants(all) } else { HashSet::new() };
    let known = Known { structures: structures(all), constants };
    let mut plain = Plain { all, brackets, known: &known, end: 0 };
    let mut edits = Vec::new();
    // For each brace that is open, whether it is a function's.
    let mut braces: Vec<bool> = Vec::new();
    let mut ended = true;
    let (mut constant, mut of_constant) = (false, false);
    let mut i = 0;
    while let Some(t) = all.get(i) {
        let before = i.checked_sub(1).map(|i| &all[i]);
        if before.is_none_or(|t| matches!(t.text, b";" | b"{" | b"}")) {
            of_constant = t.is("const");
            constant = match sequences {
                Sequences::Constants => t.is("const"),
                Sequences::Globals => t.is("const") || braces.is_empty(),
                Sequences::Never => false,
            };
        }
        let was_ended = ended && braces.is_empty();
        ended = false;
        match t.text {
            b"{" => braces.push(before.is_some_and(|t| t.is(")"))),
            b"}" => ended = braces.pop().unwrap_or(true),
            b";" => {
                if was_ended {
                    edits.push(Edit { from: t.at, to: t.at + 1, by: " ".into() });
                }
                ended = true;
            }
            // GLSL 1.20 section 4.1.4 is the first with the suffix; others take it in GLSL 1.10 too.
            _ if version == 110 && is_suffixed(t.text) => {
                let at = t.at + t.text.len() - 1;
                edits.push(Edit { from: at, to: at + 1, by: " ".into() });
            }
            b"+" if is_unary(all, i) => edits.push(Edit { from: t.at, to: t.at + 1, by: "- -".into() }),
            b"(" | b"[" if constant && (t.is("(") || of_constant) => {
                if let Some(comma) = plain.sequence(i) {
                    edits.push(Edit { from: all[i + 1].at, to: all[comma].at + 1, by: String::new() });
                    i = comma;
                }
            }
            _ => {}
        }
        i += 1;
    }
    edits
}

/// Names that a source declares.
struct Known<'a> {
    structures: HashSet<&'a [u8]>,
    /// Those of constants, where global initializers may be sequences.
    constants: HashSet<&'a [u8]>,
}

/// A decimal number with a point or an exponent and an `f`.
fn is_suffixed(text: &[u8]) -> bool {
    let number = text[0].is_ascii_digit() || text[0] == b'.';
    number && text.ends_with(b"f") && !text.starts_with(b"0x") && text.iter().any(|b| matches!(b, b'.' | b'e' | b'E'))
}

/// A plus with a name or a group as its one operand. glslang takes any type there; it looks at that of a minus.
fn is_unary(all: &[Token<'_>], at: usize) -> bool {
    let operand = all.get(at + 1).is_some_and(|t| t.is_word() || t.is("("));
    let before = at.checked_sub(1).map(|i| &all[i]);
    operand
        && before.is_none_or(|t| {
            matches!(
                t.text,
                b"(" | b","
                    | b"="
                    | b"["
                    | b";"
                    | b"{"
                    | b"}"
                    | b"?"
                    | b":"
                    | b"<"
                    | b">"
                    | b"&"
                    | b"|"
                    | b"^"
                    | b"*"
                    | b"/"
                    | b"%"
                    | b"return"
                    | b"case"
            )
        })
}

/// Looks for sequences of constants, from the front to the end.
struct Plain<'a, 'b> {
    all: &'b [Token<'a>],
    brackets: &'b Pairs,
    known: &'b Known<'a>,
    /// All before this is constant, up to where it was looked from.
    end: usize,
}

impl Plain<'_, '_> {
    /// The last comma of a sequence of constants in a group that opens at `open` (GLSL 1.10 section 5.9: its value is
    /// that of the last).
    fn sequence(&mut self, open: usize) -> Option<usize> {
        let before = &self.all[open.checked_sub(1)?];
        let operand = before.is_word() || matches!(before.text, b")" | b"]");
        if operand != self.all[open].is("[") {
            return None;
        }
        let last = self.brackets.commas(self.all, open).last()?;
        self.end = self.end.max(open + 1);
        while self.end < last && self.is_plain(&self.all[self.end]) {
            self.end += 1;
        }
        (self.end >= last).then_some(last)
    }

    fn is_plain(&self, t: &Token<'_>) -> bool {
        t.text[0].is_ascii_digit()
            || matches!(t.text, b"(" | b")" | b"," | b"." | b"*" | b"/" | b"true" | b"false")
            || t.text[0] == b'.'
            || is_constructor(t.text)
            || self.known.structures.contains(t.text)
            || self.known.constants.contains(t.text)
    }
}

/// A type of numbers.
pub(super) fn is_constructor(word: &[u8]) -> bool {
    match word {
        b"float" | b"int" | b"bool" | b"uint" | b"double" => true,
        [b'v', b'e', b'c', b'2'..=b'4'] | [b'i' | b'u' | b'b' | b'd', b'v', b'e', b'c', b'2'..=b'4'] => true,
        b"int64_t" | b"uint64_t" | [b'i' | b'u', b'6', b'4', b'v', b'e', b'c', b'2'..=b'4'] => true,
        [b'm', b'a', b't', b'2'..=b'4'] | [b'm', b'a', b't', b'2'..=b'4', b'x', b'2'..=b'4'] => true,
        [b'd', rest @ ..] => rest.starts_with(b"mat") && is_constructor(rest),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::{Pairs, tokens};
    use super::{Sequences, edits};

    fn text(source: &str) -> String {
        let all = tokens(source.as_bytes());
        let text = edited(source.as_bytes(), edits(&all, &Pairs::of(&all), Sequences::Constants, 110));
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn spellings() {
        assert_eq!(text("uniform int i;;\nvoid f() { ; };"), "uniform int i; \nvoid f() { ; } ");
        assert_eq!(text("a = +f() - (+b) + c + 1 ++d;"), "a = - -f() - (- -b) + c + 1 ++d;");
        assert_eq!(text("const vec4 v = (vec4(1,2,3,4), vec4(5));"), "const vec4 v = ( vec4(5));");
        assert_eq!(text("const float f = m[1,0];"), "const float f = m[0];");
        assert_eq!(text("f(1.0f, .5f, 1e3f, 0x1f)"), "f(1.0 , .5 , 1e3 , 0x1f)");
        let globals = "const float c = 2.0; float g = (c, 3.0); float h = (g, 3.0);";
        let all = tokens(globals.as_bytes());
        let shown = edited(globals.as_bytes(), edits(&all, &Pairs::of(&all), Sequences::Globals, 100));
        assert_eq!(shown, b"const float c = 2.0; float g = ( 3.0); float h = (g, 3.0);");
        for kept in [
            "struct S { int i; };\nvoid f() { for (;;) { } }",
            "const vec4 v = vec4(1, 2, 3, 4) * (f(1), 2.0);",
            "float f = (1.0, 2.0);",
            "x = +1.0; y = a + b;",
        ] {
            assert_eq!(text(kept), kept);
        }
    }
}
