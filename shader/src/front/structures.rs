//! How large and how deep the structures of a source are. glslang walks them member by member and so do we: twenty
//! structures of two members of the one before are a million members in a few lines.

use std::collections::HashMap;

use super::tokens::{Fault, Token};

/// Members of members a structure or a block may have.
const MAX_MEMBERS: u64 = 16_384;
/// Structures and array dimensions within each other.
const MAX_DEPTH: u64 = 256;
/// Members of all that is declared.
const MAX_TOTAL: u64 = 1 << 24;

/// What a structure comes to.
#[derive(Clone, Copy, Default)]
struct Extent {
    members: u64,
    depth: u64,
}

/// A pair of braces: a structure or block, with what it holds so far, or any other.
struct Scope<'a> {
    structure: Option<(&'a [u8], Extent)>,
    declaration: Declaration,
}

/// The declaration of members at the cursor.
#[derive(Clone, Copy, Default)]
struct Declaration {
    of: Option<Extent>,
    declarators: u64,
    dimensions: u64,
}

impl Declaration {
    /// What it adds.
    fn extent(self) -> Extent {
        let of = self.of.unwrap_or(Extent { members: 1, depth: 0 });
        Extent { members: of.members * (self.declarators + 1), depth: of.depth + self.dimensions }
    }
}

/// Line and message of the first structure that is too large.
pub(super) fn check(all: &[Token<'_>]) -> Option<Fault> {
    let mut known: HashMap<&[u8], Extent> = HashMap::new();
    let mut scopes = vec![Scope { structure: None, declaration: Declaration::default() }];
    let mut total = 0u64;
    for (i, t) in all.iter().enumerate() {
        let before = |n: usize| i.checked_sub(n).map(|i| &all[i]);
        if t.is("{") {
            let name = before(1).filter(|p| p.is_word() && !p.is("else") && !p.is("do"));
            let structure = name.map(|p| (if p.is("struct") { &b""[..] } else { p.text }, Extent::default()));
            scopes.push(Scope { structure, declaration: Declaration::default() });
            continue;
        }
        let scope = scopes.last_mut()?;
        let declaration = &mut scope.declaration;
        match t.text {
            b"}" => {
                let closed = if scopes.len() > 1 { scopes.pop().and_then(|s| s.structure) } else { None };
                if let (Some((name, extent)), Some(parent)) = (closed, scopes.last_mut()) {
                    known.insert(name, extent);
                    parent.declaration.of = Some(extent);
                }
            }
            b";" => {
                let added = std::mem::take(declaration).extent();
                let Some((_, extent)) = &mut scope.structure else { continue };
                extent.members += added.members;
                extent.depth = extent.depth.max(added.depth + 1);
                if extent.members > MAX_MEMBERS || extent.depth > MAX_DEPTH {
                    return Some((t.line, "the structure is too large".into()));
                }
            }
            b"," => declaration.declarators += 1,
            b"[" if before(1).is_some_and(|p| p.is("]")) && declaration.dimensions >= MAX_DEPTH => {
                return Some((t.line, "the array has too many dimensions".into()));
            }
            b"[" => declaration.dimensions += 1,
            word => {
                if let Some(extent) = known.get(word) {
                    declaration.of.get_or_insert(*extent);
                    total += extent.members;
                }
                if total > MAX_TOTAL {
                    return Some((t.line, "the structures are too large".into()));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;

    fn check(source: &str) -> bool {
        super::check(&tokens(source.as_bytes())).is_none()
    }

    #[test]
    fn structures_that_multiply() {
        let doubled = |n: u32| -> String {
            (1..n).fold("struct A0 { float x; };\n".into(), |s, i| {
                format!("{s}struct A{i} {{ A{0} a; A{0} b; }};\n", i - 1)
            })
        };
        assert!(check(&doubled(12)) && !check(&doubled(40)));
        assert!(!check(&doubled(40).replace("; A", ", c; A")));
        let nested: String = (1..300).map(|i| format!("struct A{i} {{ A{} a[1]; }};", i - 1)).collect();
        assert!(!check(&format!("struct A0 {{ int x; }};{nested}")));
        assert!(!check(&format!("float a{};", "[1]".repeat(300))));
        assert!(check(&format!("{}void main() {{ {} }}", doubled(10), "A9 a; a.a.b.x = 1.0; ".repeat(1000))));
        assert!(!check(&format!("{}void main() {{ {} }}", doubled(14), "A13 a; ".repeat(5000))));
        assert!(check(
            "struct S { struct T { vec4 v; } t[2][3]; float f, g; } s; void f(int a, int b) { do { } while (true); }"
        ));
    }
}
