//! What declarations at module scope say that the translation does not keep: whether a binding of 0 was written, and
//! whether a work group size was.

use std::collections::{HashMap, HashSet};

use super::group_size;
use super::tokens::Token;

/// What the declarations of a source say.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    /// Variables and blocks with a `binding` qualifier.
    pub bound: HashSet<String>,
    /// There is a `local_size_x`, `local_size_y` or `local_size_z`, or the size is declared variable.
    pub local_size: bool,
    /// It is declared variable.
    pub variable_size: bool,
    /// Blocks that are laid out as std430, where the scanner leaves the word.
    pub std430: HashSet<String>,
    /// Blocks without a layout of their own are.
    default_std430: bool,
    /// Formats of images that were taken out of the text, by name.
    pub formats: HashMap<String, u32>,
}

impl Declarations {
    /// Of a module that says everything itself.
    pub fn with_local_size() -> Self {
        Self { local_size: true, ..Self::default() }
    }

    /// Reads a source.
    pub fn read(all: &[Token<'_>]) -> Self {
        let mut out = Self::default();
        let mut depth = 0u32;
        let mut start = 0;
        for (i, t) in all.iter().enumerate() {
            match t.text {
                b"{" => {
                    if depth == 0 {
                        out.statement(&all[start..=i]);
                    }
                    depth += 1;
                }
                b"}" => {
                    depth = depth.saturating_sub(1);
                    start = i + 1;
                }
                b";" => {
                    if depth == 0 {
                        out.statement(&all[start..=i]);
                    }
                    start = i + 1;
                }
                _ => {}
            }
        }
        out
    }

    /// Takes up what another source of the same stage says.
    pub fn merge(&mut self, other: &Self) {
        self.bound.extend(other.bound.iter().cloned());
        self.std430.extend(other.std430.iter().cloned());
        self.local_size |= other.local_size;
        self.variable_size |= other.variable_size;
        self.formats.extend(other.formats.iter().map(|(name, format)| (name.clone(), *format)));
    }

    /// GLSL 4.60 section 4.4.5: the layout of a storage block is its own, or what was said of all before it.
    fn storage_layout(&mut self, tokens: &[Token<'_>]) {
        let own = tokens.iter().rev().find(|t| t.is("std430") || t.is("std140") || t.is("shared") || t.is("packed"));
        let std430 = own.map_or(self.default_std430, |t| t.is("std430"));
        match tokens {
            [.., last, end] if end.is(";") && last.is("buffer") => self.default_std430 = std430,
            [.., name, end] if end.is("{") && std430 => {
                self.std430.insert(name.name());
            }
            _ => {}
        }
    }

    /// Reads a declaration with the `;` or `{` that ends it.
    fn statement(&mut self, tokens: &[Token<'_>]) {
        if tokens.iter().any(|t| t.is("buffer")) {
            self.storage_layout(tokens);
        }
        if !tokens.iter().any(|t| t.is("layout")) {
            return;
        }
        self.local_size |= tokens.iter().any(|t| group_size::SIZES.iter().any(|size| t.is(size)));
        if !tokens.windows(2).any(|pair| pair[0].is("binding") && pair[1].is("=")) {
            return;
        }
        let mut nesting = 0i32;
        for pair in tokens.windows(2) {
            nesting += match pair[0].text {
                b"(" | b"[" => 1,
                b")" | b"]" => -1,
                _ => 0,
            };
            if nesting == 0 && pair[0].is_word() && matches!(pair[1].text, b";" | b"," | b"[" | b"=" | b"{") {
                self.bound.insert(pair[0].name());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn names_with_a_binding() {
        let source = b"layout(binding = 0) uniform sampler2D a[2], b;\nuniform sampler2D c;\n\
            layout(std140, binding = 0) uniform B { vec4 v; } d;\nlayout(location = 0) out vec4 e;\n\
            void main() { int x; }\nlayout(local_size_x = 1) in;";
        let read = Declarations::read(&tokens(source));
        for name in ["a", "b", "B"] {
            assert!(read.bound.contains(name), "{name}");
        }
        for name in ["c", "d", "e", "v", "x"] {
            assert!(!read.bound.contains(name), "{name}");
        }
        assert!(read.local_size);
        let source = b"buffer A { int a; }; layout(std430) buffer B { int b; }; layout(std430) buffer;\n\
            buffer C { int c; }; layout(std140) buffer D { int d; };";
        let mut found: Vec<String> = Declarations::read(&tokens(source)).std430.into_iter().collect();
        found.sort();
        assert_eq!(found, ["B", "C"]);
        assert!(!Declarations::read(&tokens(b"void f(int local_size_x) {}")).local_size);
    }
}
