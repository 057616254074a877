//! Rules of constant expressions and of initializers that glslang leaves out, told from the tokens.

use std::collections::HashMap;

use super::spellings::is_constructor;
use super::tokens::{Fault, Token, structures};

/// Line and message of the first rule that a source of a version breaks.
pub(super) fn check(all: &[Token<'_>], version: u32) -> Option<Fault> {
    calls(all, version).or_else(|| matrices(all)).or_else(|| labels(all, version))
}

/// GLSL 1.10 section 4.3.3: constant expressions are without function calls; from GLSL 1.20 on without those of noise.
fn calls(all: &[Token<'_>], version: u32) -> Option<Fault> {
    let structures = structures(all);
    let mut constant = false;
    for (i, t) in all.iter().enumerate() {
        if i.checked_sub(1).is_none_or(|i| matches!(all[i].text, b";" | b"{" | b"}")) {
            constant = t.is("const");
        }
        let noise = matches!(t.text, [b'n', b'o', b'i', b's', b'e', b'1'..=b'4']);
        let call = t.is_word() && all.get(i + 1).is_some_and(|t| t.is("("));
        let assigned = i.checked_sub(1).is_some_and(|i| !all[i].is_word() && !all[i].is("]"));
        let forbidden = noise || version == 110 && !is_constructor(t.text) && !structures.contains(t.text);
        if constant && call && assigned && forbidden {
            return Some((t.line, format!("a call of `{}' is no constant", t.name())));
        }
    }
    None
}

/// ARB_shading_language_420pack: an element of a matrix's list is a column. glslang takes longer vectors.
fn matrices(all: &[Token<'_>]) -> Option<Fault> {
    // For each bracket that is open, the matrix whose list it begins and the matrix's rows.
    let mut open: Vec<Option<(&Token<'_>, u8)>> = Vec::new();
    for (i, pair) in all.windows(2).enumerate() {
        match pair[0].text {
            b"(" => open.push(None),
            b"{" => open.push(i.checked_sub(3).filter(|_| all[i - 1].is("=")).and_then(|ty| match all[ty].text {
                [b'm', b'a', b't', rows] | [b'm', b'a', b't', _, b'x', rows] => Some((&all[ty], *rows)),
                _ => None,
            })),
            b")" | b"}" => {
                open.pop();
            }
            b"," => {}
            _ => continue,
        }
        let Some(Some((matrix, rows))) = open.last().filter(|_| pair[0].is("{") || pair[0].is(",")) else { continue };
        if matches!(pair[1].text, [b'v', b'e', b'c', size] if size != rows) {
            return Some((pair[1].line, format!("`{}' is no column of a `{}'", pair[1].name(), matrix.name())));
        }
    }
    None
}

/// The type of every name that is declared once and as an integer; none where the tokens don't tell.
fn integers<'a, 'b>(all: &'b [Token<'a>]) -> HashMap<&'a [u8], Option<&'b Token<'a>>> {
    let mut types: HashMap<&[u8], Option<&Token<'_>>> = HashMap::new();
    for w in all.windows(2).filter(|w| w[1].is_word()) {
        let known = if w[0].is("int") || w[0].is("uint") {
            Some(&w[0])
        } else if w[0].is(",") || w[0].is_word() && !matches!(w[0].text, b"return" | b"case" | b"else" | b"do") {
            // One of a list, or of another type.
            None
        } else {
            continue;
        };
        types.entry(w[1].text).and_modify(|ty| *ty = None).or_insert(known);
    }
    types
}

/// GLSL 1.30 section 6.2: labels have the type of what is switched on. GLSL 4.00 converts them.
fn labels(all: &[Token<'_>], version: u32) -> Option<Fault> {
    if version >= 400 {
        return None;
    }
    let types = integers(all);
    // For each brace that is open, the type that it switches on.
    let mut open: Vec<Option<&Token<'_>>> = Vec::new();
    for (i, pair) in all.windows(2).enumerate() {
        match pair[0].text {
            b"{" => open.push(switched(all, i).and_then(|name| *types.get(name)?)),
            b"}" => {
                open.pop();
            }
            b"case" => {
                let Some(ty) = open.last().copied().flatten().filter(|_| pair[1].integer().is_some()) else { continue };
                if pair[1].text.ends_with(b"u") != ty.is("uint") {
                    return Some((pair[1].line, format!("label `{}' is no `{}'", pair[1].name(), ty.name())));
                }
            }
            _ => {}
        }
    }
    None
}

/// The variable whose switch the brace at `brace` begins.
fn switched<'a>(all: &[Token<'a>], brace: usize) -> Option<&'a [u8]> {
    let [switch, open, name, close] = all.get(brace.checked_sub(4)?..brace)? else { return None };
    (switch.is("switch") && open.is("(") && name.is_word() && close.is(")")).then_some(name.text)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;

    fn check(version: u32, source: &str) -> bool {
        super::check(&tokens(source.as_bytes()), version).is_none()
    }

    #[test]
    fn rules() {
        for (version, good) in [
            (110, "struct S { vec2 v; }; const S s = S(vec2(1.0)); float f() { return abs(1.0); }"),
            (110, "void f(const float x) { float y = noise1(x); }"),
            (120, "const float f = abs(-1.0);"),
            (420, "mat3x2 m = { vec2(0.0), vec2(1.0), { 1.0, 2.0 } }; vec4 v = { 1.0, 1.0, 1.0, 1.0 };"),
            (130, "void f(uint x) { int y; switch (y) { case 1: switch (x) { case 1u: } } }"),
            (400, "void f(uint x) { switch (x) { case 1: } }"),
            (130, "uniform int x; void g(uint x) {} void main() { switch (x) { case 1: break; } }"),
            (130, "void g(int x) {} void main() { uint a, x = 2u; switch (x) { case 2u: break; } }"),
        ] {
            assert!(check(version, good), "{version} {good}");
        }
        for (version, bad) in [
            (110, "const float f = abs(-1.0);"),
            (120, "const float f = noise1(0.5);"),
            (420, "mat3x3 m = { vec3(0.0), vec3(1.0), vec4(1.0) };"),
            (420, "mat4x2 m = { vec4(0.0), vec4(1.0), vec4(0.0), vec4(1.0) };"),
            (130, "void f(uint x) { switch (x) { case 1: } }"),
            (130, "void f() { int x; switch (x) { case 1: break; case 2u: } }"),
        ] {
            assert!(!check(version, bad), "{version} {bad}");
        }
    }
}
