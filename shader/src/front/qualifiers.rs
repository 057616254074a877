//! Rules of the order and of the pairing of qualifiers that glslang leaves out, told from the tokens.

use std::collections::HashSet;

use super::group_size;
use super::tokens::{Fault, Pairs, Token, is};

/// Line and message of the first rule that a source of a version breaks; `pack` when it asks for
/// ARB_shading_language_420pack, or has what that brings.
pub(super) fn check(all: &[Token<'_>], brackets: &Pairs, version: u32, pack: bool, enhanced: bool) -> Option<Fault> {
    pairs(all, version, pack)
        .or_else(|| layouts(all, brackets, version, pack))
        .or_else(|| if enhanced { capture_units(all) } else { repeated(all, brackets) })
        .or_else(|| work_groups(all))
        .or_else(|| uniform_members(all))
}

/// GLSL 4.60 section 4.10: memory qualifiers are for images and for variables of storage blocks.
fn uniform_members(all: &[Token<'_>]) -> Option<Fault> {
    let qualifier =
        |t: &Token<'_>| matches!(t.text, b"readonly" | b"writeonly" | b"coherent" | b"volatile" | b"restrict");
    let mut inside = false;
    for (i, w) in all.windows(2).enumerate() {
        match w[0].text {
            b"{" => inside |= i > 1 && all[i - 2].is("uniform") && all[i - 1].is_word(),
            b"}" => inside = false,
            // Before GLSL 4.20 they are names like others: what follows tells.
            _ if inside && qualifier(&w[0]) && w[1].is_word() => {
                return Some((w[0].line, format!("a member of a uniform block is not `{}'", w[0].name())));
            }
            _ => {}
        }
    }
    None
}

fn is_interpolation(t: &Token<'_>) -> bool {
    matches!(t.text, b"flat" | b"smooth" | b"noperspective")
}

fn is_deprecated(t: &Token<'_>) -> bool {
    matches!(t.text, b"attribute" | b"varying")
}

fn is_storage(t: &Token<'_>) -> bool {
    is_deprecated(t) || matches!(t.text, b"const" | b"in" | b"out" | b"inout" | b"uniform" | b"centroid" | b"invariant")
}

/// GLSL 4.60 section 4.4.2.1: strides and offsets of captures are multiples of a component's size. glslang looks at strides
/// where something is captured, and moves what is in blocks.
fn capture_units(all: &[Token<'_>]) -> Option<Fault> {
    let mut first = None;
    // From the end, so that what follows is known: whether there are doubles up to the next brace that closes, and
    // whether the statement begins a block that has some.
    let (mut doubles, mut of_doubles) = (false, false);
    for (i, t) in all.iter().enumerate().rev() {
        match t.text {
            b"}" => (doubles, of_doubles) = (false, false),
            b";" => of_doubles = false,
            b"{" => of_doubles = doubles,
            text if is_long(text) => doubles = true,
            b"xfb_stride" | b"xfb_offset" if is(all, i + 1, "=") => {
                let unit = if of_doubles && t.is("xfb_offset") { 8 } else { 4 };
                if all.get(i + 2).and_then(Token::integer).is_some_and(|bytes| !bytes.is_multiple_of(unit)) {
                    first = Some((t, unit));
                }
            }
            _ => {}
        }
    }
    first.map(|(t, unit)| (t.line, format!("{} is not a multiple of {unit}", t.name())))
}

/// Types of numbers of 64 bits.
fn is_long(word: &[u8]) -> bool {
    matches!(word, b"double" | b"int64_t" | b"uint64_t")
        || [&b"dvec"[..], b"dmat", b"i64vec", b"u64vec"].iter().any(|head| word.starts_with(head))
}

/// GLSL 4.40 section 4.4 was the first to let a layout say one thing more than once.
fn repeated(all: &[Token<'_>], brackets: &Pairs) -> Option<Fault> {
    let mut names: HashSet<&[u8]> = HashSet::new();
    // Where the outermost layout ends.
    let mut end = 0;
    for (i, t) in all.iter().enumerate() {
        if i >= end {
            names.clear();
            end = after_layout(all, brackets, i).unwrap_or(0);
        }
        if i < end && t.is_word() && is(all, i + 1, "=") && !names.insert(t.text) {
            return Some((t.line, format!("`{}' is given more than once in a layout", t.name())));
        }
    }
    None
}

/// Qualifiers that may not follow each other.
fn pairs(all: &[Token<'_>], version: u32, pack: bool) -> Option<Fault> {
    for w in all.windows(2) {
        let [a, b] = w else { continue };
        let text = match () {
            // GLSL 1.30 section 4.7, to which ARB_shading_language_420pack put an end.
            () if !pack && a.is_precision() && (is_storage(b) || is_interpolation(b)) => "precision comes last",
            () if !pack && matches!(a.text, b"in" | b"out" | b"uniform") && b.is("layout") => "layout comes first",
            // GLSL 1.30 section 4.3.7: not for what it deprecates.
            () if version >= 130 && is_interpolation(a) && is_deprecated(b) => "varyings have no interpolation",
            // GLSL 1.10 does not know it.
            () if version < 120 && a.is("centroid") && (b.is("in") || b.is("out")) => "centroid is for varyings",
            // GLSL 4.60 section 4.3.4.
            () if a.is("sample") && b.is("uniform") => "uniforms are not sampled",
            () => continue,
        };
        return Some((a.line, format!("`{} {}': {text}", a.name(), b.name())));
    }
    None
}

/// Position after a `layout(...)` at `at`.
fn after_layout(all: &[Token<'_>], brackets: &Pairs, at: usize) -> Option<usize> {
    let close = brackets.closing(at + 1).filter(|_| all[at].is("layout") && is(all, at + 1, "("))?;
    Some(close + 1)
}

/// What follows a layout.
fn layouts(all: &[Token<'_>], brackets: &Pairs, version: u32, pack: bool) -> Option<Fault> {
    for i in 0..all.len() {
        let Some(next) = after_layout(all, brackets, i).and_then(|next| all.get(next)) else { continue };
        // GLSL 4.20 section 4.4 was the first to allow several.
        if !pack && next.is("layout") {
            return Some((next.line, "a declaration has more than one layout".into()));
        }
        // ARB_explicit_attrib_location knows inputs and outputs, not their older names.
        if version < 140 && is_deprecated(next) {
            return Some((next.line, format!("`{}' has no layout", next.name())));
        }
    }
    None
}

/// GLSL 4.60 section 4.4.1.4: all declarations of a work group's size agree; in one of them the last layout counts.
fn work_groups(all: &[Token<'_>]) -> Option<Fault> {
    let mut known: [Option<u32>; 3] = [None; 3];
    for statement in all.split(|t| matches!(t.text, b";" | b"{" | b"}")) {
        for (known, name) in known.iter_mut().zip(group_size::SIZES) {
            let mut sizes = statement.windows(3).filter(|w| w[0].is(name) && w[1].is("="));
            let Some(last) = sizes.next_back() else { continue };
            let Some(size) = last[2].integer() else { continue };
            if known.is_some_and(|known| known != size) {
                return Some((last[0].line, format!("`{name}' differs from an earlier declaration")));
            }
            *known = Some(size);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Pairs, tokens};

    fn check_as(version: u32, pack: bool, enhanced: bool, source: &str) -> bool {
        let all = tokens(source.as_bytes());
        super::check(&all, &Pairs::of(&all), version, pack, enhanced).is_none()
    }

    fn check(version: u32, pack: bool, source: &str) -> bool {
        check_as(version, pack, false, source)
    }

    #[test]
    fn units_of_captures() {
        for (good, source) in [
            (true, "layout(xfb_offset = 4) out B { float a; }; double b;"),
            (true, "layout(xfb_offset = 8) out B { float a; dvec2 b; };"),
            (true, "layout(xfb_offset = 4) out float c; out B { double a; };"),
            (true, "layout(xfb_stride = 4) out B { double a; };"),
            (false, "layout(xfb_offset = 4) out B { float a; dvec2 b; };"),
            (false, "layout(xfb_stride = 2) out; layout(xfb_offset = 4) out float a;"),
            (false, "layout(location = 0, xfb_offset = 3) out float a;"),
        ] {
            assert_eq!(check_as(440, true, true, source), good, "{source}");
        }
    }

    #[test]
    fn rules() {
        for (version, pack, good) in [
            (
                130,
                false,
                "float f(in highp float x); flat in int i; smooth centroid in vec4 v; centroid varying vec2 w;",
            ),
            (330, false, "uniform B { vec4 coherent; float restrict[2]; };"),
            (120, false, "centroid varying vec4 v; flat varying int i; attribute vec4 a;"),
            (
                420,
                true,
                "float f(highp in float x); in layout(location = 0) vec4 a; layout(points) layout(stream = 1) out;",
            ),
            (330, false, "layout(location = 0) in vec4 v; layout(std140) uniform B { vec4 a; }; int layout_(int x);"),
            (430, true, "layout(local_size_x = 2) in; layout(local_size_x = 2, local_size_y = 3) in;"),
            (430, true, "layout(local_size_x = 1) layout(local_size_x = 2) in; layout(local_size_x = 2) in;"),
        ] {
            assert!(check(version, pack, good), "{version} {good}");
        }
        for (version, pack, bad) in [
            (130, false, "float f(highp in float x);"),
            (130, false, "float f(highp const float x);"),
            (330, false, "layout(location = 0, index = 1, location = 0) out vec4 v;"),
            (130, false, "smooth varying float x;"),
            (110, false, "centroid in vec4 v;"),
            (110, false, "centroid out vec4 v;"),
            (120, false, "uniform B { readonly int a; };"),
            (330, false, "in layout(location = 0) vec4 v;"),
            (120, false, "layout(location = 0) attribute vec4 v;"),
            (330, false, "layout(location = 0) layout(location = 1) in vec4 v;"),
            (400, false, "sample uniform vec4 v;"),
            (430, true, "layout(local_size_x = 2) in; layout(local_size_x = 3) in;"),
            (430, true, "layout(local_size_z = 2) layout(local_size_z = 1) in; layout(local_size_z = 2) in;"),
        ] {
            assert!(!check(version, pack, bad), "{version} {bad}");
        }
    }
}
