//! Rules of declarations and of names that glslang leaves out, told from the tokens.

use std::collections::HashSet;

use super::spellings::is_constructor;
use super::tokens::{Fault, Pairs, Token, is, structures};

/// Line and message of the first rule that a source of a version breaks.
pub(super) fn check(all: &[Token<'_>], brackets: &Pairs, version: u32) -> Option<Fault> {
    reserved(all, version)
        .or_else(|| precisions(all))
        .or_else(|| array_sizes(all, brackets))
        .or_else(|| functions(all, version))
        .or_else(|| names(all))
}

/// GLSL 1.10 section 4.2.2: a structure and a function of the global scope have different names.
fn names(all: &[Token<'_>]) -> Option<Fault> {
    let (mut structures, mut functions): (HashSet<&[u8]>, HashSet<&[u8]>) = Default::default();
    let mut depth = 0u32;
    for w in all.windows(3) {
        match w[0].text {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0 || !w[0].is_word() || !w[1].is_word() {
            continue;
        }
        if w[0].is("struct") && w[2].is("{") {
            structures.insert(w[1].text);
        } else if w[2].is("(") && !w[1].is("layout") {
            functions.insert(w[1].text);
        }
        if structures.contains(w[1].text) && functions.contains(w[1].text) {
            return Some((w[1].line, format!("`{}' is both a structure and a function", w[1].name())));
        }
    }
    None
}

/// GLSL 1.30 section 3.6, and what later versions left of its list; GLSL 1.10 section 3.7 for the prefix.
fn reserved(all: &[Token<'_>], version: u32) -> Option<Fault> {
    // ARB_uniform_buffer_object makes a layout of it.
    let in_layout = |i: usize| i > 0 && (all[i - 1].is("(") || all[i - 1].is(","));
    let is_reserved = |i: usize, t: &Token<'_>| match t.text {
        b"row_major" => version == 130 && !in_layout(i),
        b"samplerBuffer" => version == 130,
        b"image1DShadow" | b"image2DShadow" | b"image1DArrayShadow" | b"image2DArrayShadow" => {
            (130..430).contains(&version)
        }
        _ => false,
    };
    if let Some((_, t)) = all.iter().enumerate().find(|(i, t)| is_reserved(*i, t)) {
        return Some((t.line, format!("`{}' is reserved", t.name())));
    }
    let named = all.windows(2).find(|w| w[0].is("struct") && w[1].text.starts_with(b"gl_"))?;
    Some((named[1].line, format!("`{}' begins like a built-in name", named[1].name())))
}

/// GLSL 1.30 section 4.5.2: precision is for floats, integers and samplers, not for booleans and structures.
fn precisions(all: &[Token<'_>]) -> Option<Fault> {
    let structures = structures(all);
    let without = |t: &Token<'_>| {
        matches!(t.text, b"bool" | b"bvec2" | b"bvec3" | b"bvec4" | b"struct") || structures.contains(t.text)
    };
    let bad = all.windows(2).find(|w| w[0].is_precision() && without(&w[1]))?;
    Some((bad[1].line, format!("`{}' has no precision", bad[1].name())))
}

/// GLSL 1.20 section 4.1.9: the size of an array is a scalar.
fn array_sizes(all: &[Token<'_>], brackets: &Pairs) -> Option<Fault> {
    let vector = |t: &Token<'_>| matches!(t.text, [b'i' | b'u', b'v', b'e', b'c', b'2'..=b'4']);
    for (i, w) in all.windows(3).enumerate().filter(|(_, w)| w[0].is("[") && vector(&w[1]) && w[2].is("(")) {
        if brackets.closing(i + 2).is_some_and(|close| is(all, close + 1, "]")) {
            return Some((w[1].line, format!("`{}' is no size or subscript", w[1].name())));
        }
    }
    None
}

/// Declarations of functions.
fn functions(all: &[Token<'_>], version: u32) -> Option<Fault> {
    let opaque = opaque_structures(all);
    let (mut braces, mut parens) = (0u32, 0u32);
    let mut start = true;
    let mut unnamed = None;
    for (i, t) in all.iter().enumerate() {
        let next = |n: usize| all.get(i + n).filter(|t| t.is_word());
        let opens = |n: usize| all.get(i + n).is_some_and(|t| t.is("("));
        let statement = !matches!(t.text, b"return" | b"else" | b"do" | b"case" | b"in" | b"out" | b"layout");
        if start && t.is_word() && statement && next(1).is_some() && opens(2) {
            // GLSL 1.20 section 6.1: functions are declared at global scope.
            if braces > 0 && version >= 120 {
                return Some((t.line, format!("`{}' is declared within a function", all[i + 1].name())));
            }
            // GLSL 1.10 section 4.1.7: samplers are no values to return.
            if opaque.contains(t.text) {
                return Some((t.line, format!("`{}' returns samplers", all[i + 1].name())));
            }
        }
        if braces == 0 && parens > 0 && (t.is("out") || t.is("inout")) {
            if next(1).is_some_and(|ty| opaque.contains(ty.text)) {
                return Some((t.line, "samplers are no output of a function".into()));
            }
            // GLSL 1.10 section 5.8: whole arrays are no l-values.
            let array = |n: usize| all.get(i + n).is_some_and(|t| t.is("["));
            if version < 120 && next(1).is_some() && (array(2) || next(2).is_some() && array(3)) {
                return Some((t.line, "an array is no output of a function".into()));
            }
        }
        // GLSL 1.10 section 6.1: the parameters of a definition have names.
        if braces == 0 && parens == 1 && (t.is(",") || t.is(")")) {
            let before = |n: usize| i.checked_sub(n).map(|i| &all[i]);
            let first = before(2).is_some_and(|t| matches!(t.text, b"(" | b"," | b"in" | b"out" | b"inout" | b"const"));
            let ty = before(1).filter(|t| first && is_constructor(t.text));
            unnamed = unnamed.or(ty);
        }
        if let Some(ty) = unnamed.filter(|_| t.is("{") && braces == 0) {
            return Some((ty.line, format!("a parameter of type `{}' has no name", ty.name())));
        }
        if matches!(t.text, b"{" | b";") {
            unnamed = None;
        }
        match t.text {
            b"{" => braces += 1,
            b"}" => braces = braces.saturating_sub(1),
            b"(" => parens += 1,
            b")" => parens = parens.saturating_sub(1),
            _ => {}
        }
        start = matches!(t.text, b"{" | b"}" | b";");
    }
    None
}

/// Structures with a sampler in them.
fn opaque_structures<'a>(all: &[Token<'a>]) -> HashSet<&'a [u8]> {
    let mut found: HashSet<&[u8]> = HashSet::new();
    let sampler =
        |text: &[u8]| text.strip_prefix(b"i").or(text.strip_prefix(b"u")).unwrap_or(text).starts_with(b"sampler");
    // For each brace that is open, the structure it belongs to, and whether that has a sampler.
    let mut open: Vec<(Option<&[u8]>, bool)> = Vec::new();
    for (i, t) in all.iter().enumerate() {
        match t.text {
            b"{" => {
                let named = i.checked_sub(2).filter(|at| all[*at].is("struct")).map(|at| all[at + 1].text);
                let nameless = || i.checked_sub(1).filter(|at| all[*at].is("struct")).map(|_| &b""[..]);
                open.push((named.or_else(nameless), false));
            }
            b"}" => {
                // What a structure within another holds, the other holds.
                let inner = open.pop();
                if let (Some((Some(_), true)), Some((Some(name), has))) = (inner, open.last_mut()) {
                    *has = true;
                    found.insert(name);
                }
            }
            _ => {
                // Types stand first in a declaration, or after a precision.
                let first = i > 0 && (matches!(all[i - 1].text, b";" | b"{") || all[i - 1].is_precision());
                if first
                    && let Some((Some(name), has)) = open.last_mut()
                    && !*has
                    && (sampler(t.text) || found.contains(t.text))
                {
                    *has = true;
                    found.insert(name);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Pairs, tokens};

    fn check(version: u32, source: &str) -> bool {
        let all = tokens(source.as_bytes());
        super::check(&all, &Pairs::of(&all), version).is_none()
    }

    #[test]
    fn rules() {
        for (version, good) in [
            (120, "int row_major; int image1DShadow;"),
            (130, "layout(std140, row_major) uniform B { mat4 m; };"),
            (140, "layout(row_major) uniform B { mat4 m; }; uniform samplerBuffer b;"),
            (330, "struct S { sampler2D t; } s; struct T { float sampler; }; T f(S s, out T t) { return f(s, t); }"),
            (330, "highp float f; lowp sampler2D t; float a[ivec2(1).x]; void main() { a[ivec2(0, 1).y] = 1.0; }"),
            (
                330,
                "void main() { float f = g(1.0); S(1); return; for (;;) { } do f(); while (b); if (a) f(1); else g(2); }",
            ),
            (110, "void main() { float f(float); } void g(out float x, float y[2]) { }"),
            (120, "void g(out float x[2]) { }"),
            (120, "float g(float, int); float g(float x, int y) { return x; } void h(void) { } int a = f(int(1), b);"),
            (330, "layout(location = 1) out vec4 v; layout(std140) uniform B { vec4 a; }; const float f = float(1);"),
        ] {
            assert!(check(version, good), "{version} {good}");
        }
        for (version, bad) in [
            (130, "int row_major;"),
            (330, "int image2DArrayShadow;"),
            (110, "struct gl_S { int a; };"),
            (330, "highp bool b;"),
            (330, "struct S { int a; }; lowp S s;"),
            (120, "uniform float[ivec2(1, 2)] a;"),
            (120, "void main() { float f(float x); }"),
            (110, "void g(out float x[2]) { }"),
            (110, "void g(inout float[2] x) { }"),
            (110, "struct S { float x; sampler2D t; }; S f() { }"),
            (110, "float a(float x, float ) { return x; }"),
            (330, "void a(in int, float x) { }"),
            (330, "struct S { highp isampler2D t; }; struct T { S s[2]; }; void f(inout T t) { }"),
            (330, "struct S { struct T { sampler2D t; } t; float f; }; void f(out S s) { }"),
            (110, "struct foo { float f; }; vec4 foo(vec4 a) { return a; }"),
            (110, "vec4 foo(vec4 a) { return a; } struct foo { float f; };"),
        ] {
            assert!(!check(version, bad), "{version} {bad}");
        }
    }
}
