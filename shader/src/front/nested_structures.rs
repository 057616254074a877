//! Structures that GLSL 1.10 lets a program define within others, which glslang does not: they are put in front of
//! the statement that holds them.

use super::edit::{Edit, edited};
use super::tokens::{Pairs, Token, is, tokens};

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
    let brackets = Pairs::of(all);
    // Where structures are defined, from brace to brace.
    let body_end = |at: usize| (at + 1..at + 3).find(|i| is(all, *i, "{")).and_then(|open| brackets.closing(open));
    let places = all.iter().enumerate().filter(|(_, t)| t.is("struct")).map(|(i, _)| i);
    let places: Vec<(usize, Option<usize>)> = places.map(|at| (at, body_end(at))).collect();
    let mut edits = Vec::new();
    // Where the statement begins, how far that has been looked for, and where the outermost structure ends.
    let (mut start, mut seen, mut outer) = (0, 0, 0);
    for (n, (at, end)) in places.iter().enumerate() {
        let Some(close) = *end else { continue };
        if *at >= outer {
            let ends = all[seen..*at].iter().rposition(|t| matches!(t.text, b";" | b"{" | b"}"));
            start = ends.map_or(start, |n| seen + n + 1);
            (seen, outer) = (close + 1, close);
            continue;
        }
        if places.get(n + 1).is_some_and(|next| next.0 < close) {
            continue;
        }
        let to = all[close].at + 1;
        let mut text = String::from_utf8_lossy(&source[all[*at].at..to]).replace('\n', " ");
        let name = if all[at + 1].is_word() {
            all[at + 1].name()
        } else {
            let name = format!("XXnested{at}");
            text.insert_str("struct".len(), &format!(" {name}"));
            name
        };
        edits.push(Edit { from: all[start].at, to: all[start].at, by: format!("{text}; ") });
        edits.push(Edit { from: all[*at].at, to, by: name });
    }
    (!edits.is_empty()).then(|| edited(source, edits))
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
