//! Names of functions in GLSL 1.10 and 1.20: they are apart from those of variables in GLSL 1.10 (section 4.2.2), and a
//! function that a shader declares hides the built-in ones of its name (section 6.1). glslang has neither, so such
//! functions are shown to it under other names.

use std::collections::{HashMap, HashSet};

use super::edit::Edit;
use super::log::Renamed;
use super::tokens::{Token, is};

/// The built-in functions of GLSL 1.10 but those of textures.
const BUILT_IN: &[&[u8]] = &[
    b"abs",
    b"acos",
    b"all",
    b"any",
    b"asin",
    b"atan",
    b"ceil",
    b"clamp",
    b"cos",
    b"cross",
    b"dFdx",
    b"dFdy",
    b"degrees",
    b"distance",
    b"dot",
    b"equal",
    b"exp",
    b"exp2",
    b"faceforward",
    b"floor",
    b"fract",
    b"fwidth",
    b"greaterThan",
    b"greaterThanEqual",
    b"inversesqrt",
    b"length",
    b"lessThan",
    b"lessThanEqual",
    b"log",
    b"log2",
    b"matrixCompMult",
    b"max",
    b"min",
    b"mix",
    b"mod",
    b"normalize",
    b"not",
    b"notEqual",
    b"pow",
    b"radians",
    b"reflect",
    b"refract",
    b"sign",
    b"sin",
    b"smoothstep",
    b"sqrt",
    b"step",
    b"tan",
];

/// The edits that give functions other names, and those names with what the program wrote.
pub(super) fn edits(all: &[Token<'_>], renamed: &mut Renamed) -> Vec<Edit> {
    // Functions with the first token behind which they are declared.
    let mut functions: HashMap<&[u8], usize> = HashMap::new();
    let mut variables: HashSet<&[u8]> = HashSet::new();
    let mut depth = 0u32;
    for (i, w) in all.windows(3).enumerate() {
        match w[0].text {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let declares =
            w[0].is_word() && w[1].is_word() && !matches!(w[0].text, b"return" | b"else" | b"do" | b"struct");
        if declares && depth == 0 && w[2].is("(") {
            functions.entry(w[1].text).or_insert(i);
        } else if declares && matches!(w[2].text, b"=" | b";" | b"," | b"[" | b")") {
            variables.insert(w[1].text);
        }
    }
    functions.retain(|name, _| variables.contains(name) || BUILT_IN.contains(name));
    if functions.is_empty() {
        return Vec::new();
    }
    let mut edits = Vec::new();
    let mut told: HashSet<&[u8]> = HashSet::new();
    for (i, t) in all.iter().enumerate() {
        let method = i.checked_sub(1).is_some_and(|before| is(all, before, "."));
        // Before its declaration the name is that of the built-in function.
        if functions.get(t.text).is_some_and(|first| i > *first) && is(all, i + 1, "(") && !method {
            let by = format!("XXf_{}", t.name());
            if told.insert(t.text) {
                renamed.insert(by.clone(), t.name());
            }
            edits.push(Edit { from: t.at, to: t.at + t.text.len(), by });
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::log::Renamed;
    use super::super::tokens::tokens;

    fn text(source: &str) -> String {
        let edits = super::edits(&tokens(source.as_bytes()), &mut Renamed::new());
        String::from_utf8_lossy(&edited(source.as_bytes(), edits)).into_owned()
    }

    #[test]
    fn functions_have_names_of_their_own() {
        assert_eq!(
            text("float foo() { } float foo = 1.0; f(foo - foo());"),
            "float XXf_foo() { } float foo = 1.0; f(foo - XXf_foo());"
        );
        assert_eq!(
            text("float exp(float x, float y) { } exp(2.0)"),
            "float XXf_exp(float x, float y) { } XXf_exp(2.0)"
        );
        for kept in
            ["float foo() { return exp(2.0); } void main() { foo(); }", "float f(float x) { float y = sin(x); }"]
        {
            assert_eq!(text(kept), kept);
        }
    }
}
