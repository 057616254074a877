//! The size of the output patch, which one of several shader objects of a stage may declare for all (GLSL 4.60 section
//! 4.4.2.1). glslang asks each for it that indexes an output.

use super::edit::{Edit, edited};
use super::tokens::{is, joined, tokens};

/// What glslang says of an object that does not declare it.
pub(super) const UNSIZED: &str = "array must be sized by a redeclaration or layout qualifier";

/// The sources of a stage, each with the size that one of them declares.
pub(super) fn declared_in_all(sources: &mut [Vec<u8>]) {
    let Some(size) = sources.iter().find_map(|source| size_of(source)) else { return };
    for source in sources {
        if size_of(source).is_none()
            && let Some(at) = tokens(source).first().map(|t| t.at)
        {
            *source = edited(source, vec![Edit { from: at, to: at, by: format!("layout(vertices = {size}) out; ") }]);
        }
    }
}

/// The size that a source declares, as it is written.
fn size_of(source: &[u8]) -> Option<String> {
    let all = tokens(source);
    let at = all.windows(2).position(|w| w[0].is("vertices") && w[1].is("="))?;
    let end = (at + 2..all.len()).find(|i| is(&all, *i, ")") || is(&all, *i, ","))?;
    Some(joined(&all[at + 2..end]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_declares_it_for_all() {
        let mut sources = [b"layout(vertices = 3) out;".to_vec(), b"#version 400\nvoid f() { }".to_vec()];
        super::declared_in_all(&mut sources);
        assert_eq!(sources[0], b"layout(vertices = 3) out;");
        assert_eq!(sources[1], b"#version 400\nlayout(vertices = 3) out; void f() { }");
    }
}
