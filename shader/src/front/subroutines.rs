//! Subroutines (GLSL 4.60 section 6.1.2), which glslang lacks. A subroutine uniform becomes an integer uniform and a
//! function of the same name that calls what the integer selects; types and associations disappear.

use std::collections::{HashMap, HashSet};
use std::iter;

use super::constant::{Constants, Reader};
pub(crate) use super::dispatch::{Function, STAND_IN, Selector, Subroutines};
use super::dispatch::{MOST_TEXT, Signature};
use super::edit::{Edit, edited};
use super::tokens::{Fault, Pairs, Token, is, joined};
use crate::stage::Stage;

/// GL 4.6 core table 23.66: MAX_SUBROUTINES and MAX_SUBROUTINE_UNIFORM_LOCATIONS.
const MOST_FUNCTIONS: u32 = 256;
const MOST_LOCATIONS: u32 = 1024;
struct Lowering<'a> {
    all: &'a [Token<'a>],
    brackets: Pairs,
    stage: Stage,
    has: Has,
    /// Constants of the module.
    constants: Constants<'a>,
    /// Places of the functions by name.
    functions: HashMap<&'a [u8], usize>,
    out: Subroutines,
    /// Bytes of the declarations of selectors.
    declared: usize,
    edits: Vec<Edit>,
}

/// What the language has for layouts of subroutines.
#[derive(Clone, Copy)]
pub(super) struct Has {
    /// Uniforms may have locations and functions indices.
    pub explicit: bool,
    /// Those may be constant expressions.
    pub expressions: bool,
}

/// Lowers a source with these tokens; `None` when it has no subroutines.
pub(super) fn lower(
    stage: Stage,
    source: &[u8],
    all: &[Token<'_>],
    has: Has,
) -> Result<Option<(Vec<u8>, Subroutines)>, Fault> {
    if !all.iter().any(|t| t.is("subroutine")) {
        return Ok(None);
    }
    let mut lowering = Lowering {
        all,
        brackets: Pairs::of(all),
        stage,
        has,
        constants: constants(all),
        functions: HashMap::new(),
        out: Subroutines::default(),
        declared: 0,
        edits: Vec::new(),
    };
    let (mut depth, mut start) = (0u32, 0);
    let mut i = 0;
    while let Some(t) = all.get(i) {
        match t.text {
            b"{" => depth += 1,
            b"}" => {
                depth = depth.saturating_sub(1);
                start = i + 1;
            }
            b";" => start = i + 1,
            b"subroutine" if depth == 0 => {
                i = lowering.statement(start, i)?;
                start = i;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    lowering.names()?;
    lowering.out.index_functions();
    lowering.array_calls();
    let definitions = lowering.out.definitions().map_err(|fault| (1, fault))?;
    let mut text = edited(source, lowering.edits);
    text.push(b'\n');
    text.extend_from_slice(definitions.as_bytes());
    Ok(Some((text, lowering.out)))
}

/// The integer constants that a source declares for the whole module.
fn constants<'a>(all: &[Token<'a>]) -> Constants<'a> {
    let mut found = Constants::default();
    found.open();
    let mut depth = 0u32;
    for (i, t) in all.iter().enumerate() {
        match t.text {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            b"const" if depth == 0 => {
                let ty = i + 1 + usize::from(all.get(i + 1).is_some_and(Token::is_precision));
                if let [_, name, equals, _, ..] = all[ty.min(all.len())..]
                    && equals.is("=")
                {
                    let value = Reader::new(all, ty + 3, &found, &|_| false).expression();
                    found.declare(name.text, value);
                }
            }
            _ => {}
        }
    }
    found
}

fn is_qualifier(t: &Token<'_>) -> bool {
    matches!(t.text, b"const" | b"in" | b"out" | b"inout" | b"precise") || t.is_precision()
}

/// The parameters between the parentheses at `open` and `close`.
fn parameters(all: &[Token<'_>], brackets: &Pairs, open: usize, close: usize) -> Vec<String> {
    if close == open + 1 || close == open + 2 && all[open + 1].is("void") {
        return Vec::new();
    }
    let mut from = open + 1;
    let ends = brackets.commas(all, open).chain(iter::once(close));
    ends.map(|to| parameter(&all[std::mem::replace(&mut from, to + 1)..to])).collect()
}

/// A parameter without its name. Array sizes after the name come before those of the type.
fn parameter(tokens: &[Token<'_>]) -> String {
    let ty = tokens.iter().position(|t| !is_qualifier(t)).unwrap_or(0);
    let mut depth = 0u32;
    let name = tokens.iter().enumerate().skip(ty + 1).find(|(_, t)| {
        match t.text {
            b"[" => depth += 1,
            b"]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && t.is_word()
    });
    match name {
        Some((i, _)) => joined(&[&tokens[..=ty], &tokens[i + 1..], &tokens[ty + 1..i]].concat()),
        None => joined(tokens),
    }
}

impl<'a> Lowering<'a> {
    /// Handles the statement with `subroutine` at `at`, which begins at `start`; the position to go on from.
    fn statement(&mut self, start: usize, at: usize) -> Result<usize, Fault> {
        let all = self.all;
        let line = all[at].line;
        let broken = || (line, "syntax error in a subroutine declaration".to_owned());
        let head = &all[start..at];
        let from = head.first().map_or(all[at].at, |t| t.at);
        let next = all.get(at + 1).ok_or_else(broken)?;
        let (index, location) = (self.layout_value(head, "index")?, self.layout_value(head, "location")?);
        // GLSL 4.30 section 4.4.2, or ARB_explicit_uniform_location.
        if !self.has.explicit && (index.is_some() || location.is_some()) {
            return Err((line, "explicit locations and indices of subroutines are not in this version".into()));
        }
        if next.is("(") {
            let close = self.brackets.closing(at + 1).ok_or_else(broken)?;
            let open = (close + 1..all.len()).find(|i| all[*i].is("(")).ok_or_else(broken)?;
            let end = self.brackets.closing(open).ok_or_else(broken)?;
            let list = &all[at + 2..close];
            let named = list.len() % 2 == 1
                && list.iter().enumerate().all(|(i, t)| if i % 2 == 0 { t.is_word() } else { t.is(",") });
            // GLSL 4.60 section 6.1.2: types are named, and a function with its body follows.
            if open < close + 3 || !named || !all.get(end + 1).is_some_and(|t| t.is("{")) {
                return Err(broken());
            }
            let parameters = parameters(all, &self.brackets, open, end);
            let signature = Signature { result: joined(&all[close + 1..open - 1]), parameters };
            // GLSL 4.60 section 4.4.4: functions have an index; locations are for subroutine uniforms.
            if location.is_some() {
                return Err((line, "a subroutine has no location".into()));
            }
            self.function(&all[open - 1], list, &signature, index)?;
            self.edits.push(Edit { from, to: all[close].at + 1, by: String::new() });
            return Ok(end + 1);
        }
        let end = (at..all.len()).find(|i| all[*i].is(";")).ok_or_else(broken)?;
        let uniform = next.is("uniform") || head.iter().any(|t| t.is("uniform"));
        let by = if uniform {
            if index.is_some() {
                return Err((line, "a subroutine uniform has no index".into()));
            }
            let ty = at + 1 + usize::from(next.is("uniform"));
            self.uniforms(line, ty, end, location)?
        } else {
            let open = (at..end).find(|i| all[*i].is("(")).filter(|open| *open >= at + 3).ok_or_else(broken)?;
            let close = self.brackets.closing(open).ok_or_else(broken)?;
            let parameters = parameters(all, &self.brackets, open, close);
            let signature = Signature { result: joined(&all[at + 1..open - 1]), parameters };
            let name = &all[open - 1];
            if self.out.types.insert(name.name(), signature).is_some() {
                return Err((line, format!("subroutine type `{}' is declared already", name.name())));
            }
            String::new()
        };
        self.edits.push(Edit { from, to: all[end].at + 1, by });
        Ok(end + 1)
    }

    /// The value of a layout qualifier (GLSL 4.40 section 4.4: a constant expression).
    fn layout_value(&self, head: &[Token<'a>], name: &str) -> Result<Option<u32>, Fault> {
        let Some(at) = head.windows(2).position(|w| w[0].is(name) && w[1].is("=")) else { return Ok(None) };
        let mut reader = Reader::new(head, at + 2, &self.constants, &|_| false);
        let value = reader.expression().filter(|value| value.values.len() == 1);
        let plain = reader.at == at + 3 && !head[at + 2].is_word();
        let value = value.filter(|_| plain || self.has.expressions).map(|value| value.values[0]);
        let value = value.filter(|value| *value >= 0.0 && value.fract() == 0.0 && *value <= f64::from(u32::MAX));
        let fault = || (head[at].line, format!("`{name}' is no constant of the language"));
        value.map(|value| Some(value as u32)).ok_or_else(fault)
    }

    fn signature(&self, ty: &Token<'_>) -> Result<&Signature, Fault> {
        let known = self.out.types.get(&ty.name());
        known.ok_or_else(|| (ty.line, format!("`{}' is no subroutine type", ty.name())))
    }

    /// Notes a function associated with the types of a list.
    fn function(
        &mut self,
        name: &Token<'a>,
        list: &[Token<'a>],
        signature: &Signature,
        index: Option<u32>,
    ) -> Result<(), Fault> {
        let fault = |text: String| Err((name.line, text));
        let mut known = HashSet::new();
        let mut types = Vec::new();
        for ty in list.iter().filter(|t| t.is_word()) {
            if !known.insert(ty.text) {
                continue;
            }
            // GLSL 4.60 section 6.1.2: the function has the type's result and parameters.
            if self.signature(ty)? != signature {
                return fault(format!("function `{}' does not match subroutine type `{}'", name.name(), ty.name()));
            }
            types.push(ty.name());
        }
        if index.is_some_and(|index| index >= MOST_FUNCTIONS) {
            return fault(format!("subroutine `{}' has an index out of range", name.name()));
        }
        let place = self.functions.get(name.text).copied();
        let taken = |(i, f): (usize, &Function)| Some(f.index) == index && Some(i) != place;
        if index.is_some() && self.out.functions.iter().enumerate().any(taken) {
            return fault(format!("subroutine index {} is used more than once", index.unwrap_or_default()));
        }
        match place {
            Some(place) => self.out.functions[place].types = types,
            None if self.out.functions.len() >= MOST_FUNCTIONS as usize => {
                return fault("too many subroutines".into());
            }
            None => {
                self.functions.insert(name.text, self.out.functions.len());
                let explicit = index.is_some();
                let index = index.unwrap_or(u32::MAX);
                self.out.functions.push(Function { name: name.name(), types, index, explicit });
            }
        }
        Ok(())
    }

    /// GLSL 4.60 section 6.1.2: a function that can be selected has no overloads, and a type has its name alone.
    fn names(&self) -> Result<(), Fault> {
        let all = self.all;
        let (mut depth, mut subroutine) = (0u32, false);
        for (i, w) in all.windows(3).enumerate() {
            match w[0].text {
                b"{" => depth += 1,
                b"}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            subroutine = w[0].is("subroutine") || subroutine && !matches!(w[0].text, b";" | b"{" | b"}");
            if depth > 0 || subroutine || !w[0].is_word() || !w[1].is_word() || !w[2].is("(") {
                continue;
            }
            if self.out.types.contains_key(&w[1].name()) {
                return Err((w[1].line, format!("`{}' is the name of a subroutine type", w[1].name())));
            }
            let prototype = self.brackets.closing(i + 2).is_some_and(|end| is(all, end + 1, ";"));
            if !prototype && self.functions.contains_key(w[1].text) {
                return Err((w[1].line, format!("subroutine `{}' is overloaded", w[1].name())));
            }
        }
        Ok(())
    }

    /// Notes the selectors of a declaration (`Type a, b[2]`) between two places; what stands there instead.
    fn uniforms(&mut self, line: u32, from: usize, end: usize, mut location: Option<u32>) -> Result<String, Fault> {
        let broken = || (line, "syntax error in a subroutine uniform".to_owned());
        let all = self.all;
        let ty = all.get(from).filter(|_| from < end).ok_or_else(broken)?;
        let signature = self.signature(ty)?.clone();
        let mut text = String::new();
        let mut at = from + 1;
        loop {
            let name = all.get(at).filter(|t| at < end && t.is_word()).ok_or_else(broken)?;
            at += 1;
            let (sizes, mut dimensions) = (at, 0);
            while is(all, at, "[") {
                at = self.brackets.closing(at).ok_or_else(broken)? + 1;
                dimensions += 1;
            }
            let size = joined(all.get(sizes..at).unwrap_or_default());
            if location.is_some_and(|l| l >= MOST_LOCATIONS) {
                return Err((line, format!("subroutine uniform `{}' has a location out of range", name.name())));
            }
            // Each takes one at least.
            if self.out.selectors.len() >= MOST_LOCATIONS as usize {
                return Err((line, "too many subroutine uniforms".into()));
            }
            let stand_in = format!("{STAND_IN}{}_{}", self.stage as u8, name.name());
            let selector =
                Selector { name: name.name(), ty: ty.name(), stand_in, location: location.take(), dimensions };
            let declared = format!(" uniform int {}{size}; {};", selector.stand_in, selector.head(&signature));
            self.declared += declared.len();
            text += &declared;
            if self.declared > MOST_TEXT {
                return Err((line, "the subroutines are too large".into()));
            }
            self.out.selectors.push(selector);
            match all[at..end].first() {
                None => return Ok(text),
                Some(t) if t.is(",") => at += 1,
                Some(_) => return Err(broken()),
            }
        }
    }

    /// `name[i](a)` becomes `name(i, a)`, and `name[i][j](a)` becomes `name(i, j, a)`; the lengths are those of the integers.
    fn array_calls(&mut self) {
        let all = self.all;
        let selectors = self.out.selectors.iter().filter(|s| s.dimensions > 0);
        let arrays: HashMap<&str, &Selector> = selectors.map(|s| (s.name.as_str(), s)).collect();
        let mut edits = Vec::new();
        for (i, t) in all.iter().enumerate() {
            let Some(selector) = std::str::from_utf8(t.text).ok().and_then(|name| arrays.get(name)) else { continue };
            let Some(pairs) = self.subscripts(i + 1, selector.dimensions) else {
                let mut end = i + 1;
                while is(all, end, "[") {
                    end = self.brackets.closing(end).unwrap_or(end) + 1;
                }
                if is(all, end, ".") && is(all, end + 1, "length") {
                    edits.push(Edit { from: t.at, to: t.at + t.text.len(), by: selector.stand_in.clone() });
                }
                continue;
            };
            for (n, (open, close)) in pairs.iter().enumerate() {
                let first = if n == 0 { "(" } else { ", " };
                edits.push(Edit { from: all[*open].at, to: all[*open].at + 1, by: first.into() });
                if n + 1 < pairs.len() {
                    edits.push(Edit { from: all[*close].at, to: all[*close].at + 1, by: String::new() });
                } else {
                    let by = if is(all, close + 2, ")") { String::new() } else { ", ".into() };
                    edits.push(Edit { from: all[*close].at, to: all[close + 1].at + 1, by });
                }
            }
        }
        self.edits.extend(edits);
    }

    /// The brackets of as many subscripts from a place on, where a call follows.
    fn subscripts(&self, mut at: usize, count: usize) -> Option<Vec<(usize, usize)>> {
        let mut pairs = Vec::new();
        for _ in 0..count {
            let close = self.brackets.closing(at).filter(|_| is(self.all, at, "["))?;
            pairs.push((at, close));
            at = close + 1;
        }
        is(self.all, at, "(").then_some(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    const ALL: Has = Has { explicit: true, expressions: true };

    fn lowered(source: &str) -> Result<Option<(String, Subroutines)>, Fault> {
        let done = lower(Stage::Fragment, source.as_bytes(), &tokens(source.as_bytes()), ALL)?;
        Ok(done.map(|(text, found)| (String::from_utf8_lossy(&text).into_owned(), found)))
    }

    #[test]
    fn selectors_become_integers_and_functions() {
        let source = "subroutine vec4 T(vec4 a, float[2]);\nlayout(location = 3) subroutine uniform T one, many[2];\n\
            layout(index = 1) subroutine(T) vec4 f(vec4 x, float y[2]) { return x; }\n";
        let source =
            source.to_owned() + "subroutine(T) vec4 g(vec4 p, float[2] q) { return many[1](p, q) + one(p, q); }";
        let (text, found) = lowered(&source).unwrap_or_default().unwrap_or_default();
        assert_eq!(found.functions.iter().map(|f| f.index).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(found.selectors.iter().map(|s| s.location).collect::<Vec<_>>(), [Some(3), None]);
        assert!(text.contains("uniform int XXsubroutine4_many[ 2 ];"), "{text}");
        assert!(text.contains("return many(1, p, q) + one(p, q)"), "{text}");
        assert!(text.contains("if (XXchosen == 1) return f(XXargument0, XXargument1); return g("), "{text}");
        assert!(text.contains("return XXchoice_T(XXsubroutine4_one, XXargument0, XXargument1);"), "{text}");
        assert!(
            text.contains("return XXchoice_T(XXsubroutine4_many[XXelement0], XXargument0, XXargument1);"),
            "{text}"
        );
        let arrays = "subroutine int S(); subroutine uniform S all[2][3]; void f() { all[1][all[0][2]()](); }";
        let (text, _) = lowered(arrays).unwrap_or_default().unwrap_or_default();
        assert!(text.contains("all(1, all(0, 2))"), "{text}");
        assert!(text.contains("XXchoice_S(XXsubroutine4_all[XXelement0][XXelement1])"), "{text}");
        let (text, found) = lowered(&source).unwrap_or_default().unwrap_or_default();
        assert_eq!(found.selectors.len(), 2);
        assert_eq!(text.matches("return f(").count(), 1, "{text}");
        assert!(!text.contains("subroutine(") && !text.contains("subroutine vec4"), "{text}");
        assert_eq!(
            text.lines().nth(2).map(|l| l.trim_start().starts_with("vec4 f(")),
            Some(true),
            "lines moved: {text}"
        );
    }

    #[test]
    fn layouts_and_lengths_are_constants() {
        let source = "const int K = 1; const highp uint L = K + 2u; subroutine int T();\n\
            layout(index = K + 1) subroutine(T) int f() { return 1; } layout(location = L) subroutine uniform T t[2][3];\n\
            int n = t.length() + t[0].length() + t[1][2]();";
        let (text, found) = lowered(source).unwrap_or_default().unwrap_or_default();
        assert_eq!((found.functions[0].index, found.selectors[0].location), (2, Some(3)));
        assert!(text.contains("XXsubroutine4_t.length() + XXsubroutine4_t[0].length() + t(1, 2)"), "{text}");
        for bad in ["K", "-1", "1.5", "unknown"] {
            let source = format!("subroutine int T(); layout(index = {bad}) subroutine(T) int f() {{ return 1; }}");
            assert!(lowered(&source).is_err(), "{bad}");
        }
        let plain = Has { explicit: true, expressions: false };
        let lower = |source: &str| super::lower(Stage::Fragment, source.as_bytes(), &tokens(source.as_bytes()), plain);
        assert!(lower("subroutine int T(); layout(index = 2) subroutine(T) int f() { return 1; }").is_ok());
        assert!(lower("subroutine int T(); layout(index = 1 + 1) subroutine(T) int f() { return 1; }").is_err());
    }

    #[test]
    fn broken_rules_are_found() {
        for source in [
            "subroutine(T) void f() {}",
            "subroutine void T(); subroutine(T) void f(int a) {}",
            "subroutine void T(); subroutine(T) int f() { return 1; }",
            "subroutine uniform T t;",
            "subroutine void T(); subroutine() void f() {}",
            "subroutine void T(); subroutine(42) void f() {}",
            "subroutine void T(); subroutine(T) void f();",
            "subroutine void T(); subroutine(T) void f() {} void f(int x) {}",
            "subroutine void T(); void T(int x);",
            "subroutine void T(); layout(location = 2) subroutine(T) void f() {}",
            "subroutine void T(); subroutine void T();",
            "subroutine void T(); layout(index = 1) subroutine(T) void f() {} layout(index = 1) subroutine(T) void g() {}",
            "subroutine void T(); layout(index = 256) subroutine(T) void f() {}",
            "subroutine",
            "subroutine (",
            "subroutine uniform",
        ] {
            assert!(lowered(source).is_err(), "{source}");
        }
        for good in
            ["subroutine void T(); subroutine uniform T t;", "subroutine vec4 T(int); subroutine uniform T t[2];"]
        {
            assert!(lowered(good).is_ok_and(|found| found.is_some()), "{good}");
        }
        assert_eq!(lowered("void main() {}"), Ok(None));
    }
}
