//! Global variables that several shader objects of a stage share (GLSL 4.60 section 4.3): where more than one gives it an
//! initializer, these are constant expressions of one value.

use std::collections::HashMap;

use super::constant::{Constants, Reader, Value};
use super::tokens::{Token, constants, is, tokens};

/// An initializer: its value as far as it is known, and its words.
#[derive(Debug, PartialEq)]
struct Initializer<'a> {
    value: Option<Value>,
    words: Vec<&'a [u8]>,
    constant: bool,
}

impl Initializer<'_> {
    fn agrees(&self, other: &Self) -> bool {
        let same = match (&self.value, &other.value) {
            (Some(a), Some(b)) => a.values == b.values,
            _ => self.words == other.words,
        };
        self.constant && other.constant && same
    }
}

/// The rule that the objects of one stage break together.
pub(super) fn check(sources: &[&[u8]]) -> Result<(), String> {
    let cut: Vec<Vec<Token<'_>>> = sources.iter().map(|source| tokens(source)).collect();
    let mut known: HashMap<&[u8], Initializer<'_>> = HashMap::new();
    for all in &cut {
        for (name, initializer) in read(all) {
            match known.get(name) {
                Some(other) if !other.agrees(&initializer) => {
                    let name = String::from_utf8_lossy(name);
                    return Err(format!("initializers of the global variable `{name}' are not one constant"));
                }
                Some(_) => {}
                None => {
                    known.insert(name, initializer);
                }
            }
        }
    }
    Ok(())
}

/// The initializers of a source's global variables.
fn read<'a>(all: &[Token<'a>]) -> Vec<(&'a [u8], Initializer<'a>)> {
    let constants = constants(all);
    let none = Constants::default();
    let mut found = Vec::new();
    let (mut depth, mut parentheses) = (0u32, 0u32);
    let mut variable = false;
    for (i, t) in all.iter().enumerate() {
        if depth == 0 && t.is_word() && i.checked_sub(1).is_none_or(|i| matches!(all[i].text, b";" | b"}")) {
            let statement = all[i..].iter().take_while(|t| !matches!(t.text, b";" | b"=" | b"{" | b"}"));
            variable = !statement.into_iter().any(|t| matches!(t.text, b"const" | b"uniform" | b"buffer" | b"shared"));
        }
        match t.text {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            b"(" | b"[" => parentheses += 1,
            b")" | b"]" => parentheses = parentheses.saturating_sub(1),
            b"=" if variable && depth == 0 && parentheses == 0 && i > 1 && all[i - 1].is_word() => {
                let end = end(all, i + 1);
                let mut reader = Reader::new(all, i + 1, &none, &|_| false);
                let value = reader.expression().filter(|_| reader.at == end);
                let plain = |at: usize| {
                    let t = &all[at];
                    !t.is_word()
                        || matches!(t.text, b"true" | b"false")
                        || is(all, at + 1, "(")
                        || constants.contains(t.text)
                };
                let constant = (i + 1..end).all(plain);
                let words = all[i + 1..end].iter().map(|t| t.text).collect();
                found.push((all[i - 1].text, Initializer { value, words, constant }));
            }
            _ => {}
        }
    }
    found
}

/// The token behind an initializer.
fn end(all: &[Token<'_>], from: usize) -> usize {
    let mut depth = 0i32;
    let last = all[from..].iter().position(|t| {
        match t.text {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            _ => {}
        }
        depth <= 0 && matches!(t.text, b";" | b",")
    });
    last.map_or(all.len(), |n| from + n)
}

#[cfg(test)]
mod tests {
    fn check(a: &str, b: &str) -> bool {
        super::check(&[a.as_bytes(), b"void f() { }", b.as_bytes()]).is_ok()
    }

    #[test]
    fn initializers() {
        for (a, b) in [
            ("float g = 1.0;", "float g;"),
            ("float g = 1.0;", "float g = 0.5 + 0.5;"),
            ("float g = sin(1.0), h;", "float g = sin(1.0), h = 2.0;"),
            ("const float c = 1.0; float g = c * 2.0;", "const float c = 1.0; float g = c * 2.0;"),
            ("void f() { float g = 1.0; }", "void h() { float g = 2.0; }"),
            ("const int g = 1;", "const int g = 2;"),
            ("float[2] g = float[2](1.0, 2.0);", "float g[2] = float[2](1.0, 2.0);"),
        ] {
            assert!(check(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("float g = 1.0;", "float g = 2.0;"),
            ("uniform float u; float g = u;", "uniform float u; float g = u;"),
            ("float h, g = sin(1.0);", "float g = cos(1.0);"),
        ] {
            assert!(!check(a, b), "{a} {b}");
        }
    }
}
