//! What declarations at module scope say that the translation does not keep: whether a binding of 0 was written, whether a
//! work group size was, how blocks are laid out, and of uniforms the precision and whether an array has a size.

use std::collections::{HashMap, HashSet};

use super::loose::Loose;
use super::tokens::Token;
use super::{group_size, log::Renamed};
use crate::link::interface::BlockLayout;
use crate::stage::Stage;

/// What the declarations of a source say.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    /// Variables and blocks with a `binding` qualifier.
    pub bound: HashSet<String>,
    /// There is a `local_size_x`, `local_size_y` or `local_size_z`, or the size is declared variable.
    pub local_size: bool,
    /// It is declared variable.
    pub variable_size: bool,
    /// Layouts of uniform and of storage blocks.
    pub layouts: [HashMap<String, BlockLayout>; 2],
    /// Those of blocks without one of their own.
    defaults: [BlockLayout; 2],
    /// What is said of loose uniforms.
    pub loose: Loose,
    /// Formats of images that were taken out of the text, by name.
    pub formats: HashMap<String, u32>,
}

impl Declarations {
    /// Of a module that says everything itself.
    pub fn with_local_size() -> Self {
        Self { local_size: true, ..Self::default() }
    }

    /// Reads a source, of OpenGL ES or not.
    pub fn read(all: &[Token<'_>], stage: Stage, es: bool) -> Self {
        let mut out = Self { loose: Loose::new(stage, es), ..Self::default() };
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

    /// Calls everything what the program calls it.
    pub fn restore_names(&mut self, renamed: &Renamed) {
        let written = |name: String| renamed.get(&name).cloned().unwrap_or(name);
        self.bound = std::mem::take(&mut self.bound).into_iter().map(written).collect();
        for layouts in &mut self.layouts {
            *layouts = std::mem::take(layouts).into_iter().map(|(name, layout)| (written(name), layout)).collect();
        }
        self.loose.restore_names(written);
    }

    /// Takes up what another source of the same stage says.
    pub fn merge(&mut self, other: &Self) -> Result<(), String> {
        self.bound.extend(other.bound.iter().cloned());
        for (own, layouts) in self.layouts.iter_mut().zip(&other.layouts) {
            for (name, layout) in layouts {
                // GLSL 4.60 section 4.3.9: layout qualifiers match wherever a block is declared.
                if own.insert(name.clone(), *layout).is_some_and(|known| known != *layout) {
                    return Err(format!("definitions of block `{name}' do not match"));
                }
            }
        }
        self.loose.merge(&other.loose);
        self.local_size |= other.local_size;
        self.variable_size |= other.variable_size;
        self.formats.extend(other.formats.iter().map(|(name, format)| (name.clone(), *format)));
        Ok(())
    }

    /// GLSL 4.60 section 4.4.5: the layout of a block is its own, or what was said of all before it.
    fn block_layout(&mut self, tokens: &[Token<'_>], storage: bool) {
        let own = tokens.iter().rev().find_map(|t| BlockLayout::of_shown(t.text));
        let kind = usize::from(storage);
        let layout = own.unwrap_or(self.defaults[kind]);
        match tokens {
            [.., last, end] if end.is(";") && (last.is("buffer") || last.is("uniform")) => self.defaults[kind] = layout,
            [.., name, end] if end.is("{") => _ = self.layouts[kind].insert(name.name(), layout),
            _ => {}
        }
    }

    /// Reads a declaration with the `;` or `{` that ends it.
    fn statement(&mut self, tokens: &[Token<'_>]) {
        if let Some(storage) = tokens.iter().find(|t| t.is("buffer") || t.is("uniform")).map(|t| t.is("buffer")) {
            self.block_layout(tokens, storage);
        }
        self.loose.statement(tokens);
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
        let read = |source: &[u8]| Declarations::read(&tokens(source), Stage::Compute, false);
        let bound = read(source);
        for name in ["a", "b", "B"] {
            assert!(bound.bound.contains(name), "{name}");
        }
        for name in ["c", "d", "e", "v", "x"] {
            assert!(!bound.bound.contains(name), "{name}");
        }
        assert!(bound.local_size);
        let source = b"buffer A { int a; }; layout(PACKED) buffer B { int b; }; layout(std430) buffer;\n\
            buffer C { int c; }; layout(SHARED) buffer D { int d; }; uniform E { int e; }; layout(packed) uniform;\n\
            layout(row_major) uniform; uniform F { int f; }; layout(std140) uniform G { int g; };";
        let [uniform, storage] = read(source).layouts;
        let all = |layouts: HashMap<String, BlockLayout>| {
            let mut all: Vec<(String, BlockLayout)> = layouts.into_iter().collect();
            all.sort_by(|a, b| a.0.cmp(&b.0));
            all.into_iter().map(|(_, layout)| layout).collect::<Vec<_>>()
        };
        use BlockLayout::{Packed, Shared, Std140, Std430};
        assert_eq!(all(storage), [Shared, Std430, Std430, Std140]);
        assert_eq!(all(uniform), [Shared, Packed, Std140]);
        assert!(!read(b"void f(int local_size_x) {}").local_size);
    }
}
