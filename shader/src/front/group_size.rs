//! ARB_compute_variable_group_size in glslang's shape: a group of one invocation, and a variable that is given the size.

use super::edit::Edit;
use super::tokens::{Fault, Token};
use crate::passes::variable_group_size::VARIABLE;

/// The qualifiers of a fixed size.
pub(super) const SIZES: [&str; 3] = ["local_size_x", "local_size_y", "local_size_z"];

/// What stands in front of a source that asks for it.
pub(super) fn preamble() -> String {
    format!("uvec3 {VARIABLE};\n")
}

/// Whether the size is declared variable.
pub(super) fn is_variable(all: &[Token<'_>]) -> bool {
    all.iter().any(|t| t.is("local_size_variable"))
}

/// The edits where the size is or is not variable, or the rule that the source breaks.
pub(super) fn edits(all: &[Token<'_>], variable: bool) -> Result<Vec<Edit>, Fault> {
    let mut edits = Vec::new();
    for (i, t) in all.iter().enumerate() {
        let mut put = |by: String| edits.push(Edit { from: t.at, to: t.at + t.text.len(), by });
        match t.text {
            b"local_size_variable" => put("local_size_x = 1".into()),
            b"gl_LocalGroupSizeARB" if variable => put(format!("({VARIABLE} + 0u)")),
            b"gl_LocalGroupSizeARB" => put("gl_WorkGroupSize".into()),
            b"gl_WorkGroupSize" if variable => {
                return Err((t.line, "gl_WorkGroupSize is used where the size of work groups is variable".into()));
            }
            _ if variable && SIZES.iter().any(|size| t.is(size)) && all.get(i + 1).is_some_and(|t| t.is("=")) => {
                return Err((t.line, "the size of work groups is both variable and fixed".into()));
            }
            _ => {}
        }
    }
    Ok(edits)
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::tokens;
    use super::{edits, is_variable};

    #[test]
    fn sizes() {
        let text = |source: &str| {
            let all = tokens(source.as_bytes());
            let edits = edits(&all, is_variable(&all))?;
            Ok::<_, super::Fault>(String::from_utf8_lossy(&edited(source.as_bytes(), edits)).into_owned())
        };
        assert_eq!(
            text("layout(local_size_variable) in; u = gl_LocalGroupSizeARB.x;").unwrap(),
            "layout(local_size_x = 1) in; u = (XXLocalGroupSize + 0u).x;"
        );
        assert_eq!(
            text("layout(local_size_x = 2) in; u = gl_LocalGroupSizeARB.x;").unwrap(),
            "layout(local_size_x = 2) in; u = gl_WorkGroupSize.x;"
        );
        assert!(text("layout(local_size_variable) in; layout(local_size_y = 2) in;").is_err());
        assert!(text("layout(local_size_variable) in; u = gl_WorkGroupSize;").is_err());
    }
}
