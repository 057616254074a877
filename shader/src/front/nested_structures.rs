//! Structures that GLSL 1.10 lets a program define within others, which glslang does not: they are put in front of
//! the statement that holds them.

use super::edit::{Edit, edited};
use super::tokens::{Token, tokens};

/// Structures within each other.
const MAX_DEPTH: usize = 16;

/// The source without such structures, where it has some.
pub(super) fn lift(source: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    for _ in 0..MAX_DEPTH {
        let text = out.as_deref().unwrap_or(source);
        match lift_innermost(text, &tokens(text)) {
            Some(next) => out = Some(next),
            None => break,
        }
    }
    out
}

/// Puts structures without structures in them in front of the statement of the outermost one around.
fn lift_innermost(source: &[u8], all: &[Token<'_>]) -> Option<Vec<u8>> {
    let mut edits = Vec::new();
    let mut start = 0;
    let mut i = 0;
    while i < all.len() {
        if all[i].is("struct")
            && let Some(end) = body_end(all, i)
        {
            let mut lifted = String::new();
            let mut inner = Vec::new();
            let mut at = i + 1;
            while at < end {
                let close = all[at].is("struct").then(|| body_end(all, at)).flatten();
                let leaf = close.filter(|close| !all[at + 1..*close].iter().any(|t| t.is("struct")));
                if let Some(close) = leaf {
                    let to = all[close].at + 1;
                    let mut text = String::from_utf8_lossy(&source[all[at].at..to]).replace('\n', " ");
                    let name = if all[at + 1].is_word() {
                        all[at + 1].name()
                    } else {
                        let name = format!("XXnested{at}");
                        text.insert_str("struct".len(), &format!(" {name}"));
                        name
                    };
                    lifted += &format!("{text}; ");
                    inner.push(Edit { from: all[at].at, to, by: name });
                    at = close;
                }
                at += 1;
            }
            if !inner.is_empty() {
                edits.push(Edit { from: all[start].at, to: all[start].at, by: lifted });
                edits.extend(inner);
            }
            i = end;
        } else if matches!(all[i].text, b";" | b"{" | b"}") {
            start = i + 1;
        }
        i += 1;
    }
    (!edits.is_empty()).then(|| edited(source, &edits))
}

/// The brace that closes the structure defined at `at`.
fn body_end(all: &[Token<'_>], at: usize) -> Option<usize> {
    let open = (at + 1..at + 3).find(|i| all.get(*i).is_some_and(|t| t.is("{")))?;
    let mut depth = 0u32;
    (open..all.len()).find(|i| {
        match all[*i].text {
            b"{" => depth += 1,
            b"}" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::lift;

    #[test]
    fn lifted() {
        let out = lift(b"int x; const struct A { int i; struct B { struct C { int c; } d; } b; } a = A(1);");
        let out = String::from_utf8(out.unwrap_or_default()).unwrap_or_default();
        assert_eq!(out, "int x; struct C { int c; }; struct B { C d; }; const struct A { int i; B b; } a = A(1);");
        let out = lift(b"struct A { struct { int b; } c; };").unwrap_or_default();
        assert_eq!(String::from_utf8_lossy(&out), "struct XXnested3 { int b; }; struct A { XXnested3 c; };");
        assert_eq!(lift(b"struct A { int i; }; void f() { struct B { A a; } b; }"), None);
    }
}
