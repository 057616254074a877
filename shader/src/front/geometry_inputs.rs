//! Sizes of geometry shader inputs (GLSL 1.50 section 4.3.8.1), checked where glslang doesn't: in a
//! unit whose primitive comes late or never.

use std::collections::HashMap;

use super::tokens::{Fault, Token};

/// Vertices of an input primitive.
fn vertices(primitive: &Token<'_>) -> Option<u32> {
    Some(match primitive.text {
        b"points" => 1,
        b"lines" => 2,
        b"lines_adjacency" => 4,
        b"triangles" => 3,
        b"triangles_adjacency" => 6,
        _ => return None,
    })
}

/// What the declarations so far say.
#[derive(Default)]
struct Inputs<'a> {
    /// Vertices of the primitive, or the size of the first sized input.
    size: Option<u32>,
    /// Unsized inputs, with the vertices their uses so far ask for.
    open: HashMap<&'a [u8], u32>,
}

/// The first rule a geometry shader's input declarations break.
pub(super) fn check(all: &[Token<'_>]) -> Option<Fault> {
    let mut inputs = Inputs::default();
    let mut depth = 0u32;
    let mut start = 0; // of the declaration at module scope
    let mut input_block = false;
    for (i, t) in all.iter().enumerate() {
        let fault = match t.text {
            b"{" => {
                if depth == 0 {
                    input_block = outer_in(&all[start..i]).is_some();
                }
                depth += 1;
                None
            }
            b"}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    start = i + 1;
                }
                None
            }
            b";" if depth == 0 => {
                let statement = &all[start..i];
                start = i + 1;
                if std::mem::take(&mut input_block) {
                    inputs.declarators(statement)
                } else {
                    inputs.statement(statement)
                }
            }
            b"[" if depth > 0 => {
                inputs.subscript(all, i);
                None
            }
            _ => None,
        };
        if fault.is_some() {
            return fault;
        }
    }
    None
}

/// The input primitive a source declares.
pub(super) fn primitive(all: &[Token<'_>]) -> Option<String> {
    let declared = all.split(|t| t.is(";")).find(|s| {
        s.last().is_some_and(|t| t.is("in"))
            && s.iter().any(|t| t.is("layout"))
            && s.iter().any(|t| vertices(t).is_some())
    })?;
    declared.iter().rev().find(|t| vertices(t).is_some()).map(Token::name)
}

/// Position of the qualifier `in`, not counting function parameters.
fn outer_in(statement: &[Token<'_>]) -> Option<usize> {
    let mut parens = 0i32;
    statement.iter().position(|t| {
        parens += i32::from(t.is("(")) - i32::from(t.is(")"));
        parens == 0 && t.is("in")
    })
}

impl<'a> Inputs<'a> {
    fn statement(&mut self, statement: &[Token<'a>]) -> Option<Fault> {
        let at = outer_in(statement)?;
        if at + 1 < statement.len() {
            return self.declarators(&statement[at + 1..]);
        }
        // `layout(...) in;`
        let mut primitives = statement.iter().filter(|t| vertices(t).is_some());
        let first = primitives.next()?;
        if primitives.next().is_some() {
            return Some((first.line, "only one input primitive may be declared".into()));
        }
        let count = vertices(first)?;
        if let Some(size) = self.size
            && size != count
        {
            return Some((first.line, format!("input primitive contradicts inputs of size {size}")));
        }
        if let Some((name, used)) = self.open.iter().find(|o| *o.1 > count) {
            let name = String::from_utf8_lossy(name);
            return Some((first.line, format!("input `{name}' of size {count} was indexed with {}", used - 1)));
        }
        self.size = Some(count);
        None
    }

    /// `vec4 a[2], b[]`, `vec4[2] a` or, after a block, `a[2]`.
    fn declarators(&mut self, list: &[Token<'a>]) -> Option<Fault> {
        for declarator in list.split(|t| t.is(",")) {
            let Some(open) = declarator.iter().position(|t| t.is("[")) else { continue };
            let name = match declarator.last() {
                Some(last) if last.is_word() => last,
                _ => declarator.get(open.checked_sub(1)?)?,
            };
            let inside = declarator.get(open + 1)?;
            if inside.is("]") {
                self.open.entry(name.text).or_insert(0);
            } else if let Some(size) = inside.integer().filter(|_| declarator.get(open + 2).is_some_and(|t| t.is("]")))
            {
                match self.size {
                    Some(other) if other != size => {
                        let text = format!("size {size} of input `{}' is inconsistent with size {other}", name.name());
                        return Some((name.line, text));
                    }
                    _ => self.size = Some(size),
                }
            }
        }
        None
    }

    /// Notes `name[3]`.
    fn subscript(&mut self, all: &[Token<'a>], at: usize) {
        let index = all.get(at + 1).and_then(Token::integer).filter(|_| all.get(at + 2).is_some_and(|t| t.is("]")));
        let name = at.checked_sub(1).and_then(|i| all.get(i));
        if let (Some(index), Some(used)) = (index, name.and_then(|n| self.open.get_mut(n.text))) {
            *used = (*used).max(index.saturating_add(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;

    fn check(source: &[u8]) -> Option<super::Fault> {
        super::check(&tokens(source))
    }

    /// The examples of the section, one by one.
    #[test]
    fn sizes_agree() {
        for legal in [
            "in vec4 a[2]; layout(lines) in; in vec4 b[2], c[];",
            "in vec4 a[]; void f() { a[1]; } layout(lines) in;",
            "layout(triangles, invocations = 2) in; vec4 f(in vec4 x[5]); in vec4[3] a;",
            "in B { vec4 x[7]; } b[3]; in vec4 a[3]; uniform vec4 u[9];",
        ] {
            assert_eq!(check(legal.as_bytes()), None, "{legal}");
        }
        for illegal in [
            "in vec4 a[2]; in vec4 b[3];",
            "in vec4 a[2], b[3];",
            "in B { vec4 x; } a[2]; in C { vec4 x; } b[3];",
            "in vec4 a[]; void f() { a[2]; } layout(lines) in;",
            "in B { vec4 x; } a[]; void f() { a[2].x; } layout(lines) in;",
            "layout(points, points) in;",
            "in vec4[2] a; layout(triangles) in;",
        ] {
            assert!(check(illegal.as_bytes()).is_some(), "{illegal}");
        }
    }
}
