//! What declarations of loose uniforms say that the translation does not keep: their precision in OpenGL ES, and whether an
//! array has a size.

use std::collections::HashMap;

use super::tokens::{Token, is};
use crate::link::interface::Precision;
use crate::stage::Stage;

/// What a source says of its loose uniforms.
#[derive(Clone, Debug, Default)]
pub(super) struct Loose {
    /// Precisions by name; of a source of OpenGL ES only.
    pub precisions: HashMap<String, Precision>,
    /// Whether arrays have a size, by name.
    pub sized: HashMap<String, bool>,
    /// Precisions by type where a declaration has none; `None` where that says nothing.
    defaults: Option<HashMap<Vec<u8>, Precision>>,
}

/// Words before a type. Layouts are apart.
const QUALIFIERS: [&[u8]; 8] =
    [b"uniform", b"coherent", b"volatile", b"restrict", b"readonly", b"writeonly", b"precise", b"invariant"];

/// The type that a precision statement names for all of a kind.
fn kind(ty: &[u8]) -> &[u8] {
    match ty {
        [b'v', b'e', b'c', ..] | [b'm', b'a', b't', ..] => b"float",
        [b'i' | b'u', b'v', b'e', b'c', ..] | b"uint" => b"int",
        other => other,
    }
}

impl Loose {
    /// What holds before a source says anything.
    pub fn new(stage: Stage, es: bool) -> Self {
        // ESSL 3.20 section 4.7.4.
        let given: &[(&[u8], Precision)] = if stage == Stage::Fragment {
            &[(b"int", Precision::Medium)]
        } else {
            &[(b"int", Precision::High), (b"float", Precision::High)]
        };
        let common: [(&[u8], Precision); 3] =
            [(b"sampler2D", Precision::Low), (b"samplerCube", Precision::Low), (b"atomic_uint", Precision::High)];
        let all = given.iter().chain(&common).map(|(ty, precision)| (ty.to_vec(), *precision));
        Self { defaults: es.then(|| all.collect()), ..Self::default() }
    }

    /// Reads a statement at module scope, with what ends it.
    pub fn statement(&mut self, tokens: &[Token<'_>]) {
        if let [precision, how, ty, _] = tokens
            && precision.is("precision")
        {
            if let (Some(defaults), Some(how)) = (&mut self.defaults, Precision::of_word(how.text)) {
                defaults.insert(ty.text.to_vec(), how);
            }
            return;
        }
        let is_loose = tokens.last().is_some_and(|t| t.is(";")) && tokens.iter().any(|t| t.is("uniform"));
        if is_loose {
            self.uniforms(tokens);
        }
    }

    /// Reads a declaration of uniforms.
    fn uniforms(&mut self, tokens: &[Token<'_>]) {
        let mut precision = None;
        let mut at = 0;
        while let Some(t) = tokens.get(at) {
            if t.is("layout") {
                at += tokens[at..].iter().position(|t| t.is(")")).unwrap_or(tokens.len());
            } else if t.is_precision() {
                precision = Precision::of_word(t.text);
            } else if !QUALIFIERS.contains(&t.text) {
                break;
            }
            at += 1;
        }
        let Some(ty) = tokens.get(at) else { return };
        let precision = self.defaults.as_ref().and_then(|known| precision.or(known.get(kind(ty.text)).copied()));
        let has_size = |at: usize| is(tokens, at, "[").then(|| !is(tokens, at + 1, "]"));
        let of_type = has_size(at + 1);
        let mut nesting = 0i32;
        for (i, t) in tokens.iter().enumerate().skip(at + 1) {
            match t.text {
                b"[" | b"(" | b"{" => nesting += 1,
                b"]" | b")" | b"}" => nesting -= 1,
                _ => {}
            }
            // A declared name follows the type or a comma; what an initializer calls is nested or follows an operator.
            let first = i == at + 1 || of_type.is_some() && tokens[i - 1].is("]");
            if nesting != 0 || !t.is_word() || !first && !tokens[i - 1].is(",") {
                continue;
            }
            if let Some(precision) = precision {
                self.precisions.insert(t.name(), precision);
            }
            // An initializer gives the size as well.
            let own = if is(tokens, i + 1, "=") { of_type.map(|_| true) } else { has_size(i + 1) };
            let own = own.map(|sized| sized || tokens[i..].iter().take_while(|t| !t.is(",")).any(|t| t.is("=")));
            if let Some(sized) = own.or(of_type) {
                *self.sized.entry(t.name()).or_default() |= sized;
            }
        }
    }

    /// Calls everything what the program calls it.
    pub fn restore_names(&mut self, written: impl Fn(String) -> String) {
        self.precisions = std::mem::take(&mut self.precisions).into_iter().map(|(n, p)| (written(n), p)).collect();
        self.sized = std::mem::take(&mut self.sized).into_iter().map(|(n, sized)| (written(n), sized)).collect();
    }

    /// Takes up what another source of the same stage says.
    pub fn merge(&mut self, other: &Self) {
        self.precisions.extend(other.precisions.iter().map(|(name, precision)| (name.clone(), *precision)));
        for (name, sized) in &other.sized {
            *self.sized.entry(name.clone()).or_default() |= sized;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn read(source: &str) -> Loose {
        let mut loose = Loose::new(Stage::Fragment, true);
        let all = tokens(source.as_bytes());
        all.split_inclusive(|t| t.is(";")).for_each(|statement| loose.statement(statement));
        loose
    }

    #[test]
    fn precisions_are_written_or_the_defaults() {
        use Precision::{High, Low, Medium};
        let read = read(
            "uniform int a; precision highp float; layout(location = 0) uniform vec2 b, c[2]; uniform lowp mat2 d;\n\
             mediump uniform vec3 e; uniform sampler2D f; uniform S g; uniform bool h; in float i; uniform vec4[2] j;",
        );
        let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map(|name| read.precisions.get(name).copied());
        let expected = [Some(Medium), Some(High), Some(High), Some(Low), Some(Medium), Some(Low), None, None, None];
        assert_eq!(all[..9], expected);
        assert_eq!(all[9], Some(High));
        assert!(Loose::new(Stage::Vertex, false).defaults.is_none());
    }

    #[test]
    fn arrays_have_sizes_or_not() {
        let read = read(
            "uniform float a[], b[2], c; uniform float[] d; uniform float[3] e; uniform float f[] = float[](1.0, x);\n\
             uniform float[] g = float[](1.0), h; uniform float i[]; uniform float i[4];",
        );
        let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "x"].map(|name| read.sized.get(name).copied());
        let (no, yes) = (Some(false), Some(true));
        assert_eq!(all, [no, yes, None, no, yes, yes, yes, no, yes, None]);
    }
}
