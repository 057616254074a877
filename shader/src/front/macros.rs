//! How much a source grows when its macros are expanded. glslang's preprocessor sets no bound: a dozen definitions that
//! double each other fill any memory.

use std::collections::HashMap;

use super::tokens::Token;

/// A definition.
struct Macro<'a> {
    /// Its list of parameters, where it has one.
    parameters: Option<&'a [Token<'a>]>,
    body: &'a [Token<'a>],
}

/// A value for each parameter: the tokens that an argument grows to.
type Arguments<'a> = HashMap<&'a [u8], u64>;

struct Counter<'a> {
    macros: HashMap<&'a [u8], Macro<'a>>,
    /// Macros that are being expanded: they are not again.
    active: Vec<&'a [u8]>,
    /// Tokens that may still come.
    left: u64,
    /// Bodies and arguments within each other.
    depth: u32,
    deepest: u32,
}

/// Macros and arguments within each other beyond this are an error to glslang.
const MAX_DEPTH: u32 = 400;
/// Tokens in a list of parameters beyond this cannot be a real program: glslang compares each token of a body with all.
const MAX_PARAMETERS: usize = 1024;

/// What a source grows to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    pub tokens: u64,
    /// Bodies and arguments within each other.
    pub depth: u32,
    /// Tokens of the longest condition.
    pub condition: u64,
}

/// What a source grows to, `None` when that is more than `most` tokens. Conditional groups all count, and of several
/// definitions of a name the longest.
pub(super) fn expanded<'a>(all: &'a [Token<'a>], most: u64) -> Option<Growth> {
    let mut counter = Counter { macros: HashMap::new(), active: Vec::new(), left: most, depth: 0, deepest: 0 };
    let none = Arguments::new();
    let mut at = 0;
    let mut text = 0;
    let mut condition = 0;
    while at < all.len() {
        if !(all[at].is("#") && all[at].first) {
            at += 1;
            continue;
        }
        let line = all[at].line;
        let end = at + 1 + all[at + 1..].iter().take_while(|t| t.line == line && !t.first).count();
        counter.count(&all[text..at], &none)?;
        match &all[at + 1..end] {
            [name, rest @ ..] if name.is("define") => counter.define(rest)?,
            [name, rest @ ..] if name.is("if") || name.is("elif") || name.is("line") => {
                condition = condition.max(counter.count(rest, &none)?);
            }
            _ => {}
        }
        at = end;
        text = end;
    }
    counter.count(&all[text..], &none)?;
    Some(Growth { tokens: most - counter.left, depth: counter.deepest, condition })
}

impl<'a> Counter<'a> {
    /// Notes a definition. `None` when it is beyond bounds.
    fn define(&mut self, tokens: &'a [Token<'a>]) -> Option<()> {
        let [name, rest @ ..] = tokens else { return Some(()) };
        let mut new = Macro { parameters: None, body: rest };
        if let [open, rest @ ..] = rest
            && open.is("(")
            && open.at == name.at + name.text.len()
        {
            let close = rest.iter().position(|t| t.is(")")).unwrap_or(rest.len());
            if close > MAX_PARAMETERS {
                return None;
            }
            new.parameters = Some(&rest[..close]);
            new.body = rest.get(close + 1..).unwrap_or_default();
        }
        let known = self.macros.get(name.text);
        if known.is_none_or(|known| known.body.len() <= new.body.len()) {
            self.macros.insert(name.text, new);
        }
        Some(())
    }

    /// Counts what tokens grow to. `None` when that is too much.
    fn count(&mut self, tokens: &'a [Token<'a>], arguments: &Arguments<'a>) -> Option<u64> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let sum = self.sum(tokens, arguments);
        self.depth -= 1;
        sum
    }

    fn sum(&mut self, tokens: &'a [Token<'a>], arguments: &Arguments<'a>) -> Option<u64> {
        let mut sum = 0u64;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            self.left = self.left.checked_sub(1)?;
            sum += 1;
            if !token.is_word() {
                continue;
            }
            if let Some(size) = arguments.get(token.text) {
                self.left = self.left.checked_sub(*size)?;
                sum += size;
                continue;
            }
            let Some(found) = self.macros.get(token.text) else { continue };
            if self.active.contains(&token.text) {
                continue;
            }
            let body = found.body;
            let given = match found.parameters {
                None => Arguments::new(),
                Some(_) if !tokens.get(at).is_some_and(|t| t.is("(")) => continue,
                Some(parameters) => {
                    let (lists, end) = split(tokens, at + 1);
                    at = end;
                    let sizes = lists.into_iter().map(|list| self.count(list, arguments));
                    let names = parameters.iter().filter(|t| t.is_word()).map(|t| t.text);
                    names.zip(sizes.collect::<Option<Vec<u64>>>()?).collect()
                }
            };
            self.active.push(token.text);
            let size = self.count(body, &given);
            self.active.pop();
            sum += size?;
        }
        Some(sum)
    }
}

/// The arguments of a call, and where it ends.
fn split<'a>(tokens: &'a [Token<'a>], start: usize) -> (Vec<&'a [Token<'a>]>, usize) {
    let mut lists = Vec::new();
    let (mut depth, mut from) = (0usize, start);
    for (i, t) in tokens.iter().enumerate().skip(start) {
        match t.text {
            b"(" => depth += 1,
            b")" if depth == 0 => {
                lists.push(&tokens[from..i]);
                return (lists, i + 1);
            }
            b")" => depth -= 1,
            b"," if depth == 0 => {
                lists.push(&tokens[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    lists.push(&tokens[from.min(tokens.len())..]);
    (lists, tokens.len())
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens_and_directives;

    fn count(source: &str) -> Option<u64> {
        super::expanded(&tokens_and_directives(source.as_bytes()), 1000).map(|growth| growth.tokens)
    }

    #[test]
    fn growth() {
        // Each name counts beside what it grows to.
        assert_eq!(count("a b c"), Some(3));
        assert_eq!(count("#define A x x\nA A"), Some(6));
        assert_eq!(count("#define A A A\nA"), Some(3));
        assert_eq!(count("#\ndefine A"), Some(2));
        assert_eq!(count("#define F(p) p + p\nF(a b) F"), Some(11));
        let objects: String = (1..12).map(|i| format!("#define A{i} A{0} A{0}\n", i - 1)).collect();
        assert_eq!(count(&format!("{objects}A11")), None);
        let functions: String = (1..12).map(|i| format!("#define F{i}(x) F{0}(x) F{0}(x)\n", i - 1)).collect();
        assert_eq!(count(&format!("{functions}F11(1)")), None);
        assert_eq!(count(&format!("#define F(x) x x\n{}a{}", "F(".repeat(12), ")".repeat(12))), None);
        assert_eq!(count("#define F(x, y) x\nF(F(1, 2), 3"), Some(11));
        assert_eq!(count(&format!("#define F(x) x\n{}", "F(".repeat(450))), None);
    }
}
