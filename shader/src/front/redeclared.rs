//! Built-in variables redeclared in one of several shader objects of a stage (GLSL 4.60 sections
//! 4.4.1.3 and 7.1): all that use them must redeclare them.

use super::edit::blank;
use super::tokens::{Fault, Token, tokens};

/// What a shader object does with one `gl_PerVertex` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PerVertex {
    /// Members, where it is redeclared.
    pub members: Option<Vec<String>>,
    /// A member is used.
    pub used: bool,
}

impl PerVertex {
    /// GLSL 4.10 section 7.1: whoever redeclares the block and whoever uses it agree. Holds within a
    /// stage and, for an output and an input block, across stages.
    pub fn agrees(&self, other: &PerVertex) -> bool {
        match (&self.members, &other.members) {
            (Some(a), Some(b)) => a == b,
            (Some(_), None) => !other.used,
            (None, Some(_)) => !self.used,
            (None, None) => true,
        }
    }

    fn merge(&mut self, other: &PerVertex) {
        self.used |= other.used;
        if self.members.is_none() {
            self.members.clone_from(&other.members);
        }
    }
}

/// Names of built-in colours, and the qualifiers of their interpolation.
pub(crate) type Colors = Vec<(String, &'static str)>;

/// What one shader object does with the built-ins that can be redeclared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Redeclared {
    frag_coord: Option<FragCoord>,
    uses_frag_coord: bool,
    /// The input and the output block.
    pub per_vertex: [PerVertex; 2],
    colors: Colors,
    /// Line and message of a broken rule.
    pub fault: Option<Fault>,
}

/// The qualifiers `gl_FragCoord` is redeclared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FragCoord {
    pub origin_upper_left: bool,
    pub pixel_center_integer: bool,
}

const COLORS: &[&str] = &[
    "gl_Color",
    "gl_SecondaryColor",
    "gl_FrontColor",
    "gl_BackColor",
    "gl_FrontSecondaryColor",
    "gl_BackSecondaryColor",
];

const PER_VERTEX: &[&str] = &["gl_Position", "gl_PointSize", "gl_ClipDistance", "gl_CullDistance"];

/// Reads a source.
pub(super) fn read(all: &[Token<'_>]) -> Redeclared {
    let mut out = Redeclared::default();
    let mut depth = 0u32;
    let mut statement = Qualifiers::default();
    let mut block = None;
    for (i, t) in all.iter().enumerate() {
        let previous = i.checked_sub(1).map(|i| &all[i]);
        match t.text {
            b"{" => depth += 1,
            b"}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    // GLSL 4.10 section 7.1: the instance name belongs to the redeclaration.
                    if block.take() == Some(0) && !all.get(i + 1).is_some_and(|t| t.is("gl_in")) {
                        out.fault.get_or_insert((t.line, "gl_in must be redeclared with its instance name".into()));
                    }
                }
            }
            b"gl_PerVertex" => {
                let which = usize::from(previous.is_some_and(|p| p.is("out")));
                out.per_vertex[which].members = Some(Vec::new());
                block = Some(which);
            }
            // The instance name after a redeclaration is no use.
            b"gl_in" => out.per_vertex[0].used |= !previous.is_some_and(|p| p.is("}")),
            b"gl_FragCoord" => {
                if depth == 0 && statement.input {
                    out.frag_coord = Some(statement.frag_coord);
                } else {
                    out.uses_frag_coord = true;
                }
            }
            _ if depth == 0 && COLORS.iter().any(|n| t.is(n)) => {
                out.colors.extend(statement.interpolation.map(|qualifier| (t.name(), qualifier)));
            }
            _ if PER_VERTEX.iter().any(|n| t.is(n)) => match block.and_then(|b| out.per_vertex[b].members.as_mut()) {
                Some(members) => members.push(t.name()),
                None if depth == 0 && statement.output => {
                    // GLSL 4.10 section 7.1: not beside a redeclared block.
                    if out.per_vertex[1].members.is_some() {
                        let text = format!("`{}' is already redeclared with its block", t.name());
                        out.fault.get_or_insert((t.line, text));
                    }
                }
                None => out.per_vertex[1].used |= !previous.is_some_and(|p| p.is(".")),
            },
            _ => {}
        }
        statement.note(t);
    }
    out
}

/// What a statement has said so far.
#[derive(Default)]
struct Qualifiers {
    input: bool,
    output: bool,
    interpolation: Option<&'static str>,
    frag_coord: FragCoord,
}

impl Qualifiers {
    fn note(&mut self, t: &Token<'_>) {
        match t.text {
            b";" | b"{" | b"}" => *self = Self::default(),
            b"in" => self.input = true,
            b"out" => self.output = true,
            b"flat" => self.interpolation = Some("flat"),
            b"smooth" => self.interpolation = Some("smooth"),
            b"noperspective" => self.interpolation = Some("noperspective"),
            b"origin_upper_left" => self.frag_coord.origin_upper_left = true,
            b"pixel_center_integer" => self.frag_coord.pixel_center_integer = true,
            _ => {}
        }
    }
}

/// What the objects of one stage say together.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The redeclaration of `gl_FragCoord`.
    pub frag_coord: FragCoord,
    pub per_vertex: [PerVertex; 2],
    pub colors: Colors,
}

/// Checks the objects of one stage against each other.
pub(super) fn reconcile(all: &[&Redeclared]) -> Result<Shared, String> {
    let mut shared = Shared::default();
    for (i, what) in ["gl_in", "output block gl_PerVertex"].into_iter().enumerate() {
        for r in all {
            if all.iter().any(|other| !r.per_vertex[i].agrees(&other.per_vertex[i])) {
                return Err(format!("{what} is not redeclared alike in all shaders that use it"));
            }
            shared.per_vertex[i].merge(&r.per_vertex[i]);
        }
    }
    shared.colors = all.iter().flat_map(|r| r.colors.iter().cloned()).collect();
    let Some(first) = all.iter().find_map(|r| r.frag_coord) else { return Ok(shared) };
    if all.iter().any(|r| r.uses_frag_coord && r.frag_coord.is_none()) {
        return Err("gl_FragCoord is redeclared in one shader and used without that in another".into());
    }
    if all.iter().any(|r| r.frag_coord.is_some_and(|f| f != first)) {
        return Err("gl_FragCoord is redeclared with different qualifiers".into());
    }
    shared.frag_coord = first;
    Ok(shared)
}

/// Takes layer and viewport out of redeclared output blocks (ARB_shader_viewport_layer_array): to glslang they are
/// members of none. Every token stays in its place.
pub(super) fn take_viewport_members(source: &mut [u8]) {
    let mut ranges = Vec::new();
    let all = tokens(source);
    for (i, _) in all.windows(3).enumerate().filter(|(_, w)| w[0].is("out") && w[1].is("gl_PerVertex") && w[2].is("{"))
    {
        let body = &all[i + 3..];
        let mut start = 0;
        for (at, t) in body.iter().enumerate().take_while(|(_, t)| !t.is("}")) {
            if !t.is(";") {
                continue;
            }
            if body[start..at].iter().any(|t| t.is("gl_Layer") || t.is("gl_ViewportIndex")) {
                ranges.push(body[start].at..t.at + 1);
            }
            start = at + 1;
        }
    }
    for range in ranges {
        blank(&mut source[range]);
    }
}

/// A source without the layout qualifiers of `gl_FragCoord`. glslang compares those of several
/// objects with the default ones, so it must not see them.
pub(super) fn without_frag_coord_layout(source: &[u8]) -> Vec<u8> {
    let all = tokens(source);
    let mut out = source.to_vec();
    // Where the statement's first layout begins and its last parenthesis closes.
    let (mut from, mut to) = (None, None);
    for t in &all {
        match t.text {
            b";" | b"}" | b"{" => (from, to) = (None, None),
            b"layout" if from.is_none() => (from, to) = (Some(t.at), None),
            b")" => to = Some(t.at),
            b"gl_FragCoord" => {
                if let (Some(from), Some(to)) = (from.take(), to) {
                    out[from..=to].fill(b' ');
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &[u8]) -> Redeclared {
        super::read(&tokens(source))
    }

    fn together(sources: &[&[u8]]) -> Result<Shared, String> {
        let all: Vec<Redeclared> = sources.iter().map(|s| read(s)).collect();
        reconcile(&all.iter().collect::<Vec<_>>())
    }

    #[test]
    fn frag_coord_in_all_or_unused() {
        let with: &[u8] = b"layout(pixel_center_integer) in vec4 gl_FragCoord;\nvoid f() { gl_FragCoord; }";
        let other: &[u8] = b"layout(origin_upper_left) in vec4 gl_FragCoord;";
        let plain: &[u8] = b"in vec4 gl_FragCoord;\nvoid g() {}";
        let uses: &[u8] = b"void g() { gl_FragCoord.x; }";
        let none: &[u8] = b"void g() {}";
        assert!(together(&[with, none]).unwrap().frag_coord.pixel_center_integer);
        assert_eq!(together(&[uses, none]).unwrap().frag_coord, FragCoord::default());
        for pair in [[with, uses], [with, other], [with, plain], [plain, uses]] {
            assert!(together(&pair).is_err());
        }
        assert!(!without_frag_coord_layout(with).windows(6).any(|w| w == b"layout"));
        assert_eq!(without_frag_coord_layout(uses), uses);
    }

    #[test]
    fn per_vertex_in_all_that_use_it() {
        let with: &[u8] = b"out gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_Position = x; }";
        let more: &[u8] = b"out gl_PerVertex { vec4 gl_Position; float gl_PointSize; };";
        let uses: &[u8] = b"void g() { gl_PointSize = 1.0; }";
        let reads: &[u8] = b"void g() { gl_in[0].gl_Position; }";
        let input: &[u8] = b"in gl_PerVertex { vec4 gl_Position; } gl_in[];";
        for bad in [[with, uses], [with, more], [input, reads]] {
            assert!(together(&bad).is_err());
        }
        for good in [[with, reads], [with, with], [input, with]] {
            assert!(together(&good).is_ok());
        }
        assert!(read(b"in gl_PerVertex { vec4 gl_Position; };").fault.is_some());
        assert!(read(b"out gl_PerVertex { float gl_ClipDistance[]; };\nout float gl_ClipDistance[4];").fault.is_some());
        assert!(read(input).fault.is_none() && read(b"out float gl_ClipDistance[4];").fault.is_none());
    }
}
