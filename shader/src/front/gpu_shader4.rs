//! EXT_gpu_shader4, which glslang lacks: its spellings become those of GLSL 1.30 and later.

use super::edit::Edit;
use super::tokens::{Pairs, Token};

/// The edits that bring its spellings into those of later versions.
pub(super) fn edits(all: &[Token<'_>]) -> Vec<Edit> {
    let brackets = Pairs::of(all);
    let mut edits = Vec::new();
    for (i, t) in all.iter().enumerate() {
        let next = all.get(i + 1);
        let replace = |by: &str| Edit { from: t.at, to: t.at + t.text.len(), by: by.into() };
        match t.text {
            b"unsigned" if next.is_some_and(|n| n.is("int")) => {
                let end = next.map_or(t.at, |n| n.at + n.text.len());
                edits.push(Edit { from: t.at, to: end, by: "uint".into() });
            }
            // Outputs of fragment shaders.
            b"varying" if next.is_some_and(|n| n.is("out")) => edits.push(replace("")),
            b"truncate" => edits.push(replace("trunc")),
            _ if !next.is_some_and(|n| n.is("(")) => {}
            word => {
                let Some(call) = lookup(word) else { continue };
                let Some(close) = brackets.closing(i + 1) else { continue };
                let (head, tail) = if call.shadow { ("vec4(", ")") } else { ("", "") };
                edits.push(replace(&format!("{head}{}", call.name)));
                // Sizes of images without levels are asked for without one.
                if call.no_level
                    && let Some(comma) = brackets.commas(all, i + 1).next()
                {
                    edits.push(Edit { from: all[comma].at, to: all[close].at, by: String::new() });
                }
                if call.shadow {
                    edits.push(Edit { from: all[close].at + 1, to: all[close].at + 1, by: tail.into() });
                }
            }
        }
    }
    edits
}

/// A function of textures.
struct Call {
    name: String,
    /// Its result is a vector, that of the later function its first component.
    shadow: bool,
    /// The later function has no level.
    no_level: bool,
}

/// The later function for one with the kind of texture in its name.
fn lookup(word: &[u8]) -> Option<Call> {
    let word = std::str::from_utf8(word).ok()?;
    let heads =
        [("textureSize", "textureSize"), ("texelFetch", "texelFetch"), ("texture", "texture"), ("shadow", "texture")];
    let (head, later, rest) = heads.iter().find_map(|(head, later)| Some((*head, *later, word.strip_prefix(head)?)))?;
    let kinds = ["1DArray", "2DArray", "2DRect", "1D", "2D", "3D", "Cube", "Buffer"];
    let (kind, rest) = kinds.iter().find_map(|kind| Some((*kind, rest.strip_prefix(kind)?)))?;
    let known = ["", "Proj", "Lod", "Grad", "Offset", "ProjLod", "ProjGrad", "ProjOffset"];
    let known = known.contains(&rest) || ["LodOffset", "GradOffset", "ProjLodOffset", "ProjGradOffset"].contains(&rest);
    let no_level = head == "textureSize" && matches!(kind, "2DRect" | "Buffer");
    known.then(|| Call { name: format!("{later}{rest}"), shadow: head == "shadow", no_level })
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::tokens;
    use super::edits;

    fn lowered(source: &str) -> String {
        let edits = edits(&tokens(source.as_bytes()));
        String::from_utf8_lossy(&edited(source.as_bytes(), edits)).into_owned()
    }

    #[test]
    fn spellings() {
        for (before, after) in [
            ("uniform unsigned int x; unsigned int(1.0)", "uniform uint x; uint(1.0)"),
            ("varying out vec4 v; flat varying int i;", " out vec4 v; flat varying int i;"),
            ("texture2DProjLodOffset(s, p, l, o)", "textureProjLodOffset(s, p, l, o)"),
            ("texelFetchBuffer(s, 1) + texture1DArray(s, p, b)", "texelFetch(s, 1) + texture(s, p, b)"),
            (
                "shadow2DRect(s, f(p)).x * shadowCube(s, shadow1D(t, q))",
                "vec4(texture(s, f(p))).x * vec4(texture(s, vec4(texture(t, q))))",
            ),
            ("textureSize2DRect(s, 0) + textureSize2D(s, 1)", "textureSize(s) + textureSize(s, 1)"),
            ("truncate(x) + textureOther2D(s)", "trunc(x) + textureOther2D(s)"),
        ] {
            assert_eq!(lowered(before), after);
        }
    }
}
