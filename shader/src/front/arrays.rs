//! Arrays without a size that are given one later: it covers every subscript used before (GLSL 1.20 section 4.1.9).
//! glslang lets a smaller one pass.

use std::collections::{HashMap, HashSet};

use super::edit::Edit;
use super::tokens::{Fault, Pairs, Token, is};

/// Line and message of the first array that is too small.
pub(super) fn check(all: &[Token<'_>], brackets: &Pairs, texture_coords: u32) -> Option<Fault> {
    // For each name the sizes that arrays need so far, the innermost last, each with the depth of its scope; for each scope
    // the names that it declares.
    let mut needs: HashMap<&[u8], Vec<(usize, u32)>> = HashMap::new();
    let mut scopes: Vec<Vec<&[u8]>> = vec![Vec::new()];
    let mut parentheses = 0u32;
    for (i, t) in all.iter().enumerate() {
        match t.text {
            b"(" => parentheses += 1,
            b")" => parentheses = parentheses.saturating_sub(1),
            b"{" => scopes.push(Vec::new()),
            b"}" if scopes.len() > 1 => {
                for name in scopes.pop().unwrap_or_default() {
                    needs.get_mut(name).map(Vec::pop);
                }
            }
            _ => {}
        }
        if !t.is_word() || i.checked_sub(1).is_some_and(|before| is(all, before, ".")) {
            continue;
        }
        // GLSL 1.10 section 7.6: gl_TexCoord has no more elements than gl_MaxTextureCoords.
        let declared = declared(all, brackets, i);
        if t.is("gl_TexCoord")
            && declared.is_none()
            && subscript(all, i + 1, texture_coords).is_some_and(|n| n >= texture_coords)
        {
            return Some((t.line, "the subscript of `gl_TexCoord' is beyond its size".into()));
        }
        match declared {
            // A parameter is another variable.
            Some(_) if parentheses > 0 => {}
            Some(None) => {
                let depth = scopes.len();
                let sizes = needs.entry(t.text).or_default();
                if sizes.last().is_none_or(|innermost| innermost.0 != depth) {
                    sizes.push((depth, 0));
                    scopes.last_mut()?.push(t.text);
                }
            }
            Some(Some(size)) => {
                let innermost = needs.get(t.text).and_then(|sizes| sizes.last());
                if innermost.is_some_and(|(depth, needed)| *depth == scopes.len() && *needed > size) {
                    return Some((t.line, format!("`{}' is smaller than a subscript used before", t.name())));
                }
            }
            None => {
                let Some(n) = subscript(all, i + 1, texture_coords) else { continue };
                if let Some((_, needed)) = needs.get_mut(t.text).and_then(|sizes| sizes.last_mut()) {
                    *needed = (*needed).max(n.saturating_add(1));
                }
            }
        }
    }
    None
}

/// The edits that give arrays whose lengths are asked for their sizes (GLSL 4.30 section 4.1.9): one more than the
/// largest subscript.
pub(super) fn lengths(all: &[Token<'_>]) -> Vec<Edit> {
    let asked: HashSet<&[u8]> = all
        .windows(4)
        .filter(|w| w[0].is_word() && w[1].is(".") && w[2].is("length") && w[3].is("("))
        .map(|w| w[0].text)
        .collect();
    let mut edits = Vec::new();
    if asked.is_empty() {
        return edits;
    }
    let mut subscripts: HashMap<&[u8], u32> = HashMap::new();
    for w in all.windows(4).filter(|w| w[1].is("[") && w[3].is("]") && asked.contains(w[0].text)) {
        if let Some(n) = w[2].integer() {
            let most = subscripts.entry(w[0].text).or_default();
            *most = n.saturating_add(1).max(*most);
        }
    }
    let brackets = Pairs::of(all);
    // A stage or a buffer gives these their sizes.
    let mut elsewhere = false;
    let (mut depth, mut parentheses, mut block) = (0u32, 0u32, false);
    for (i, t) in all.iter().enumerate() {
        match t.text {
            b"(" => parentheses += 1,
            b")" => parentheses = parentheses.saturating_sub(1),
            b"{" => {
                if depth == 0 {
                    block = !is(all, i.saturating_sub(1), ")");
                }
                depth += 1;
                elsewhere = false;
            }
            b"}" => {
                depth = depth.saturating_sub(1);
                block &= depth > 0;
                elsewhere = false;
            }
            b";" => elsewhere = false,
            b"in" | b"out" | b"buffer" | b"uniform" => elsewhere = true,
            _ => {}
        }
        let plain = t.is_word() && asked.contains(t.text) && parentheses == 0 && !block;
        if !plain || declared(all, &brackets, i) != Some(None) || !is(all, i + 1, "[") || elsewhere {
            continue;
        }
        // An initializer gives the size (GLSL 4.20 section 4.1.9).
        let end = brackets.closing(i + 1);
        if let Some(size) = subscripts.get(t.text).filter(|_| !end.is_some_and(|end| is(all, end + 1, "="))) {
            let at = all[i + 1].at + 1;
            edits.push(Edit { from: at, to: at, by: size.to_string() });
        }
    }
    edits
}

/// The constant in `[constant]` at `at`.
fn subscript(all: &[Token<'_>], at: usize, texture_coords: u32) -> Option<u32> {
    let value = all.get(at + 1).filter(|_| is(all, at, "[") && is(all, at + 2, "]"))?;
    if value.is("gl_MaxTextureCoords") { Some(texture_coords) } else { value.integer() }
}

/// Whether the word at `at` is declared there as an array: its size, if it has one.
fn declared(all: &[Token<'_>], brackets: &Pairs, at: usize) -> Option<Option<u32>> {
    let before = all.get(at.checked_sub(1)?)?;
    // `T[2][3] a`: the size closest to the type is the outermost.
    let (first, sized) = if before.is("]") {
        let mut open = at - 1;
        while all[open].is("]") {
            let pair = if open > 1 && is(all, open - 1, "[") { 2 } else { 3 };
            open = open.checked_sub(pair).filter(|n| is(all, n + 1, "["))?;
        }
        let word = &all[open];
        (open + 1, word.is_word() && !matches!(word.text, b"return" | b"case"))
    } else {
        (at + 1, before.is_word() && !matches!(before.text, b"return" | b"case" | b"else" | b"do"))
    };
    if !sized || !is(all, first, "[") {
        return None;
    }
    if let Some(size) = all.get(first + 1).and_then(Token::integer).filter(|_| is(all, first + 2, "]")) {
        return Some(Some(size));
    }
    if !is(all, first + 1, "]") {
        // A size that is an expression is never too small here.
        return Some(Some(u32::MAX));
    }
    // `T a[] = T[2](x, y)` takes the size of its initializer.
    let equals = (at + 1..all.len()).find(|i| !matches!(all[*i].text, b"[" | b"]") && all[*i].integer().is_none())?;
    if !is(all, equals, "=") || !is(all, equals + 2, "[") {
        return Some(None);
    }
    if let Some(size) = all.get(equals + 3).and_then(Token::integer) {
        return Some(Some(size));
    }
    let open = (equals + 2..all.len()).find(|i| !matches!(all[*i].text, b"[" | b"]") && all[*i].integer().is_none())?;
    Some(is(all, open, "(").then(|| brackets.commas(all, open).count() as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::{Pairs, tokens};

    fn check(source: &str) -> bool {
        let all = tokens(source.as_bytes());
        super::check(&all, &Pairs::of(&all), 8).is_none()
    }

    #[test]
    fn too_small() {
        for bad in [
            "float f[]; float g = f[5]; float f[3];",
            "float [] a; a[2] = 2.0; float [2] a;",
            "float [][3] a; a[2][2] = 2.0; float [2][3] a;",
            "float x[]; void f() { x[3] = 2.; } float x[] = float[2](1., 2.);",
            "float x[][2]; void f() { x[3][1] = 2.; } float x[][2] = float[][2](float[2](1., 2.), float[2](1., 2.));",
            "void main() { gl_TexCoord[gl_MaxTextureCoords]; }",
            "void main() { gl_TexCoord[8]; }",
        ] {
            assert!(!check(bad), "{bad}");
        }
        for good in [
            "float f[]; float g = f[2]; float f[3];",
            "float f[]; void main() { float f[]; f[7] = 1.0; } float f[3];",
            "float f[3]; void main() { f[5]; float f[2]; }",
            "float a[]; struct S { float a[9]; } s; void main() { s.a[5]; } float a[3];",
            "float a[]; void f() { a[5] = 1.0; } void g(float a[3]) {} float a[6];",
            "float x[]; void f() { x[1] = 2.; } float x[] = float[](1., 2.);",
            "varying vec4 gl_TexCoord[gl_MaxTextureCoords]; void main() { gl_TexCoord[7]; return a[3]; }",
        ] {
            assert!(check(good), "{good}");
        }
    }

    #[test]
    fn lengths() {
        let text = |source: &str| {
            let edits = super::lengths(&tokens(source.as_bytes()));
            String::from_utf8(edited(source.as_bytes(), edits)).unwrap()
        };
        assert_eq!(
            text("void f() { float a[]; a[4] = 1.0; a[2] = 0.0; int n = a.length(); }"),
            "void f() { float a[5]; a[4] = 1.0; a[2] = 0.0; int n = a.length(); }"
        );
        for kept in [
            "buffer B { float a[]; }; void f() { a[4] = float(a.length()); }",
            "in float a[]; void f() { a[1]; a.length(); }",
            "float a[]; void f() { a.length(); }",
            "float a[]; void f() { a[3]; }",
            "void f(float a[2]) { a[1]; a.length(); }",
        ] {
            assert_eq!(text(kept), kept);
        }
    }
}
