//! AMD_shader_trinary_minmax: its functions by their definitions. As macros they stay constant where their arguments are;
//! the middle one, which names its arguments twice, is a function where those do something.

use super::edit::Edit;
use super::spellings::is_constructor;
use super::tokens::Token;

/// What stands in front of a source.
pub(super) fn preamble() -> String {
    let types = ["float", "vec2", "vec3", "vec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4"];
    let middle = "max(min(a, b), min(max(a, b), c))";
    let macros = [("min3", "min(min(a, b), c)"), ("max3", "max(max(a, b), c)"), ("mid3", middle)];
    let macros = macros.iter().map(|(name, body)| format!("#define {name}(a, b, c) {body}\n"));
    let functions = types.iter().map(|ty| format!("{ty} XXmid3({ty} a, {ty} b, {ty} c) {{ return {middle}; }}\n"));
    macros.chain(functions).collect()
}

/// The edits that make calls of the middle one whose arguments do something calls of a function.
pub(super) fn edits(all: &[Token<'_>]) -> Vec<Edit> {
    let calls = all.windows(2).enumerate().filter(|(_, w)| w[0].is("mid3") && w[1].is("("));
    let busy = calls.filter(|(i, _)| {
        let mut depth = 0u32;
        let arguments = all[i + 1..].windows(2).take_while(|w| {
            depth += u32::from(w[0].is("("));
            depth -= u32::from(w[0].is(")"));
            depth > 0
        });
        arguments.into_iter().any(|w| {
            w[0].is("=")
                || (w[0].is("+") || w[0].is("-")) && w[0].text == w[1].text
                || w[0].is_word() && w[1].is("(") && !is_constructor(w[0].text)
        })
    });
    busy.map(|(_, w)| Edit { from: w[0].at, to: w[0].at + w[0].text.len(), by: "XXmid3".into() }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::edit::edited;
    use super::super::tokens::tokens;

    #[test]
    fn arguments_that_do_something() {
        for (before, after) in [
            ("mid3(a, vec2(1.0), c) + f(x)", "mid3(a, vec2(1.0), c) + f(x)"),
            ("mid3(a++, b, c)", "XXmid3(a++, b, c)"),
            ("mid3(a, f(b), c)", "XXmid3(a, f(b), c)"),
        ] {
            let out = edited(before.as_bytes(), super::edits(&tokens(before.as_bytes())));
            assert_eq!(String::from_utf8_lossy(&out), after);
        }
    }
}
