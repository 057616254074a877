//! Rules about declarations that glslang leaves out, told from the tokens.

use std::collections::HashSet;

use super::tokens::{Fault, Token, is};

/// Line and message of the first rule a source breaks.
pub(super) fn check(all: &[Token<'_>]) -> Option<Fault> {
    let (mut braces, mut parens) = (0u32, 0u32);
    let mut start = 0; // of the declaration at module scope
    let mut block = false;
    for (i, t) in all.iter().enumerate() {
        match t.text {
            b"(" => parens += 1,
            b")" => parens = parens.saturating_sub(1),
            b"{" => {
                if braces == 0 {
                    block = is_block(&all[start..i]);
                }
                braces += 1;
            }
            b"}" => {
                braces = braces.saturating_sub(1);
                if braces == 0 {
                    // GLSL 1.50 section 4.3.7: an array of uniform blocks has a size.
                    let instance = all.get(i + 1..i + 4).unwrap_or_default();
                    if block
                        && all[start..].first().is_some_and(|t| t.is("uniform"))
                        && matches!(instance, [name, open, close] if name.is_word() && open.is("[") && close.is("]"))
                    {
                        return Some((t.line, "an array of uniform blocks must have a size".into()));
                    }
                    start = i + 1;
                }
            }
            b";" if braces == 0 => start = i + 1,
            // GLSL 1.50 section 4.3.8: layouts are declared at global scope.
            b"layout" if braces == 0 && parens > 0 => {
                return Some((t.line, "a function parameter has no layout".into()));
            }
            // GLSL 1.50 section 4.3.7: the deprecated qualifiers are not for members.
            b"varying" | b"attribute" if braces == 1 && block => {
                return Some((t.line, format!("`{}' in an interface block", t.name())));
            }
            _ => {}
        }
    }
    None
}

/// A member of a storage block that has no size, is not the last, and has no subscript that gives it one: no program has
/// it (GLSL 4.60 section 4.1.9).
pub(super) fn unsized_member(all: &[Token<'_>]) -> Option<Fault> {
    // For each brace that is open, whether it is that of a storage block.
    let mut braces: Vec<bool> = Vec::new();
    let mut found: Vec<&Token<'_>> = Vec::new();
    for (i, t) in all.iter().enumerate() {
        let before = |n: usize| i.checked_sub(n).map(|i| &all[i]);
        match t.text {
            b"{" => braces.push(before(2).is_some_and(|t| t.is("buffer"))),
            b"}" => {
                braces.pop();
            }
            b"[" if braces.last() == Some(&true)
                && is(all, i + 1, "]")
                && is(all, i + 2, ";")
                && !is(all, i + 3, "}") =>
            {
                found.extend(before(1).filter(|t| t.is_word()));
            }
            _ => {}
        }
    }
    if found.is_empty() {
        return None;
    }
    let sized = all.windows(3).filter(|w| w[1].is("[") && w[2].integer().is_some());
    let sized: HashSet<&[u8]> = sized.map(|w| w[0].text).collect();
    let member = found.into_iter().find(|t| !sized.contains(t.text))?;
    Some((member.line, format!("`{}' has no size and is not the last member of its block", member.name())))
}

/// Whether the tokens in front of a brace begin an interface block: no function, no structure.
fn is_block(head: &[Token<'_>]) -> bool {
    let mut parens = 0i32;
    head.iter().any(|t| {
        parens += i32::from(t.is("(")) - i32::from(t.is(")"));
        parens == 0 && matches!(t.text, b"in" | b"out" | b"uniform" | b"buffer")
    }) && !head.iter().any(|t| t.is("struct") || t.is("="))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Fault, tokens};

    fn check(source: &[u8]) -> Option<Fault> {
        super::check(&tokens(source))
    }

    #[test]
    fn members_without_sizes() {
        let bad = |source: &str| super::unsized_member(&tokens(source.as_bytes())).is_some();
        assert!(bad("buffer B { vec4 a[]; vec4 b[]; };"));
        for good in [
            "buffer B { vec4 a; vec4 b[]; };",
            "buffer B { vec4 a[]; vec4 b; }; void f() { a[2] = b; }",
            "buffer B { vec4 a[2]; vec4 b[]; } b;",
            "uniform B { vec4 a[]; vec4 b; };",
        ] {
            assert!(!bad(good), "{good}");
        }
    }

    #[test]
    fn declarations() {
        for good in [
            "uniform B { float a; } b[2]; void f(in float x) { } layout(location = 1) in vec4 v;",
            "uniform B { float a[]; }; buffer C { float a; } c[3]; varying float v;",
            "vec4 f(in vec4 a, out vec4 b) { varying_; }",
            "in struct S { float f; } s[3];",
        ] {
            assert_eq!(check(good.as_bytes()), None, "{good}");
        }
        for bad in [
            "uniform B { float a; } b[];",
            "out B { varying vec4 a; } b;",
            "vec4 f(layout(pixel_center_integer) in float a) { return a; }",
        ] {
            assert!(check(bad.as_bytes()).is_some(), "{bad}");
        }
    }
}
