//! Built-in variables redeclared in one of several shader objects of a stage (GLSL 4.60 sections
//! 4.4.1.3 and 7.1): all that use them must redeclare them.

use super::tokens::{Token, tokens};

/// What one shader object does with the built-ins that can be redeclared.
#[derive(Debug, Default, PartialEq, Eq)]
struct Redeclared {
    frag_coord: Option<FragCoord>,
    uses_frag_coord: bool,
    /// `in` and `out` blocks `gl_PerVertex`.
    blocks: [bool; 2],
    uses_blocks: [bool; 2],
}

/// The qualifiers `gl_FragCoord` is redeclared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FragCoord {
    pub origin_upper_left: bool,
    pub pixel_center_integer: bool,
}

const PER_VERTEX: &[&str] = &["gl_Position", "gl_PointSize", "gl_ClipDistance", "gl_CullDistance"];

fn read(source: &[u8]) -> Redeclared {
    let all = tokens(source);
    let mut out = Redeclared::default();
    let mut depth = 0u32;
    let mut start = 0;
    let mut in_block = false;
    for (i, t) in all.iter().enumerate() {
        let previous = i.checked_sub(1).map(|i| &all[i]);
        match t.text {
            b"{" => depth += 1,
            b"}" => {
                depth = depth.saturating_sub(1);
                in_block &= depth > 0;
                start = i + 1;
            }
            b";" => start = i + 1,
            b"gl_PerVertex" => {
                out.blocks[usize::from(previous.is_some_and(|p| p.is("out")))] = true;
                in_block = true;
            }
            // The instance name after a redeclaration is no use.
            b"gl_in" => out.uses_blocks[0] |= !previous.is_some_and(|p| p.is("}")),
            b"gl_FragCoord" => {
                let statement = &all[start..i];
                if depth == 0 && statement.iter().any(|t| t.is("in")) {
                    out.frag_coord = Some(frag_coord(statement));
                } else {
                    out.uses_frag_coord = true;
                }
            }
            _ if PER_VERTEX.iter().any(|n| t.is(n)) => {
                out.uses_blocks[1] |= !in_block && !previous.is_some_and(|p| p.is("."));
            }
            _ => {}
        }
    }
    out
}

fn frag_coord(statement: &[Token<'_>]) -> FragCoord {
    let has = |name: &str| statement.iter().any(|t| t.is(name));
    FragCoord { origin_upper_left: has("origin_upper_left"), pixel_center_integer: has("pixel_center_integer") }
}

/// Checks the sources of one stage against each other and gives the redeclaration of `gl_FragCoord`
/// that they share.
pub(super) fn reconcile(sources: &[&[u8]]) -> Result<FragCoord, String> {
    let all: Vec<Redeclared> = sources.iter().map(|s| read(s)).collect();
    for (i, what) in ["gl_in", "output block gl_PerVertex"].into_iter().enumerate() {
        if all.iter().any(|r| r.blocks[i]) && all.iter().any(|r| r.uses_blocks[i] && !r.blocks[i]) {
            return Err(format!("{what} is redeclared in one shader and used without that in another"));
        }
    }
    let Some(first) = all.iter().find_map(|r| r.frag_coord) else { return Ok(FragCoord::default()) };
    if all.iter().any(|r| r.uses_frag_coord && r.frag_coord.is_none()) {
        return Err("gl_FragCoord is redeclared in one shader and used without that in another".into());
    }
    if all.iter().any(|r| r.frag_coord.is_some_and(|f| f != first)) {
        return Err("gl_FragCoord is redeclared with different qualifiers".into());
    }
    Ok(first)
}

/// A source without the layout qualifiers of `gl_FragCoord`. glslang compares those of several
/// objects with the default ones, so it must not see them.
pub(super) fn without_frag_coord_layout(source: &[u8]) -> Vec<u8> {
    let all = tokens(source);
    let mut out = source.to_vec();
    for (i, _) in all.iter().enumerate().filter(|(_, t)| t.is("gl_FragCoord")) {
        let start = all[..i].iter().rposition(|t| matches!(t.text, b";" | b"}" | b"{")).map_or(0, |n| n + 1);
        let statement = &all[start..i];
        if let (Some(from), Some(to)) =
            (statement.iter().find(|t| t.is("layout")), statement.iter().rev().find(|t| t.is(")")))
        {
            out[from.at..=to.at].fill(b' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frag_coord_in_all_or_unused() {
        let with: &[u8] = b"layout(pixel_center_integer) in vec4 gl_FragCoord;\nvoid f() { gl_FragCoord; }";
        let other: &[u8] = b"layout(origin_upper_left) in vec4 gl_FragCoord;";
        let plain: &[u8] = b"in vec4 gl_FragCoord;\nvoid g() {}";
        let uses: &[u8] = b"void g() { gl_FragCoord.x; }";
        let none: &[u8] = b"void g() {}";
        assert!(reconcile(&[with, none]).unwrap().pixel_center_integer);
        assert_eq!(reconcile(&[uses, none]).unwrap(), FragCoord::default());
        for pair in [[with, uses], [with, other], [with, plain], [plain, uses]] {
            assert!(reconcile(&pair).is_err());
        }
        assert!(!without_frag_coord_layout(with).windows(6).any(|w| w == b"layout"));
        assert_eq!(without_frag_coord_layout(uses), uses);
    }

    #[test]
    fn per_vertex_in_all_that_use_it() {
        let with: &[u8] = b"out gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_Position = x; }";
        let uses: &[u8] = b"void g() { gl_PointSize = 1.0; }";
        let reads: &[u8] = b"void g() { gl_in[0].gl_Position; }";
        assert!(reconcile(&[with, uses]).is_err());
        assert!(reconcile(&[with, reads]).is_ok());
        assert!(reconcile(&[with, with]).is_ok());
        assert!(reconcile(&[b"in gl_PerVertex { vec4 gl_Position; } gl_in[];", reads]).is_err());
    }
}
