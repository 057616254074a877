//! Tokens of a source, as far as the checks made beside glslang need them: words, numbers and
//! single punctuation bytes. Comments are skipped, macros are not expanded.

use std::collections::HashSet;

/// Line and message of a broken rule.
pub(super) type Fault = (u32, String);

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a [u8],
    /// Byte offset in the source.
    pub at: usize,
    /// Line, counted from 1.
    pub line: u32,
    /// Column, counted from 1.
    pub column: u32,
    /// Nothing but blanks and comments comes before it in its line.
    pub first: bool,
}

impl Token<'_> {
    /// True when the token is spelled `text`.
    pub fn is(&self, text: &str) -> bool {
        self.text == text.as_bytes()
    }

    /// True for an identifier or keyword.
    pub fn is_word(&self) -> bool {
        self.text.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    }

    /// Whether a word after it may be a name that is being declared.
    pub fn ends_type(&self) -> bool {
        self.is("]") || self.is_word() && !matches!(self.text, b"return" | b"else" | b"case" | b"do" | b"const")
    }

    /// True for a precision qualifier.
    pub fn is_precision(&self) -> bool {
        matches!(self.text, b"highp" | b"mediump" | b"lowp")
    }

    /// The value of a decimal integer.
    pub fn integer(&self) -> Option<u32> {
        std::str::from_utf8(self.text).ok()?.trim_end_matches(['u', 'U']).parse().ok()
    }

    /// The text for a message.
    pub fn name(&self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }
}

/// Whether the token at `at` is spelled `text`.
pub(super) fn is(all: &[Token<'_>], at: usize, text: &str) -> bool {
    all.get(at).is_some_and(|t| t.is(text))
}

/// The brackets of a source that belong together. Round and square ones do within a statement.
pub(super) struct Pairs(Vec<u32>);

impl Pairs {
    const NONE: u32 = u32::MAX;

    /// Pairs the brackets of a source.
    pub fn of(all: &[Token<'_>]) -> Self {
        let mut closing = vec![Self::NONE; all.len()];
        let (mut braces, mut others) = (Vec::new(), Vec::new());
        for (i, t) in all.iter().enumerate() {
            let opened = match t.text {
                b"(" | b"[" => {
                    others.push(i);
                    continue;
                }
                b")" | b"]" => others.pop(),
                b"{" => {
                    others.clear();
                    braces.push(i);
                    continue;
                }
                b"}" => {
                    others.clear();
                    braces.pop()
                }
                b";" => {
                    others.clear();
                    continue;
                }
                _ => continue,
            };
            if let Some(opened) = opened {
                closing[opened] = i as u32;
            }
        }
        Self(closing)
    }

    /// Position of the bracket that closes the one at `open`.
    pub fn closing(&self, open: usize) -> Option<usize> {
        self.0.get(open).filter(|n| **n != Self::NONE).map(|n| *n as usize)
    }

    /// Positions of the commas of the list that opens at `open`, those of lists within it left out.
    pub fn commas<'a>(&'a self, all: &'a [Token<'_>], open: usize) -> impl Iterator<Item = usize> + 'a {
        let end = self.closing(open).unwrap_or(open);
        let mut at = open + 1;
        std::iter::from_fn(move || {
            while at < end {
                let here = at;
                at = self.closing(here).unwrap_or(here) + 1;
                if all[here].is(",") {
                    return Some(here);
                }
            }
            None
        })
    }
}

/// Names of the structures that a source declares.
pub(super) fn structures<'a>(all: &[Token<'a>]) -> HashSet<&'a [u8]> {
    all.windows(2).filter(|w| w[0].is("struct") && w[1].is_word()).map(|w| w[1].text).collect()
}

/// Names of the functions that a source declares.
pub(super) fn functions<'a>(all: &[Token<'a>]) -> HashSet<&'a [u8]> {
    let declares = |w: &&[Token<'a>]| w[0].is_word() && !w[0].is("return") && w[1].is_word() && w[2].is("(");
    all.windows(3).filter(declares).map(|w| w[1].text).collect()
}

/// Names of the constants that a source declares, of each declaration the first.
pub(super) fn constants<'a>(all: &[Token<'a>]) -> HashSet<&'a [u8]> {
    let declared = all.windows(4).filter(|w| w[0].is("const"));
    declared.map(|w| if w[1].is_precision() { w[3].text } else { w[2].text }).collect()
}

/// The texts of tokens, a blank between two.
pub(super) fn joined(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(Token::name).collect::<Vec<_>>().join(" ")
}

/// Cuts a source into tokens, without its directives.
pub(super) fn tokens(source: &[u8]) -> Vec<Token<'_>> {
    cut(source, false)
}

/// Cuts a source into tokens, those of its directives among them.
pub(super) fn tokens_and_directives(source: &[u8]) -> Vec<Token<'_>> {
    cut(source, true)
}

fn cut(source: &[u8], directives: bool) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut at, mut line, mut line_start, mut blank) = (0, 1, 0, true);
    let find = |from: usize, what: &[u8]| {
        source[from..].windows(what.len()).position(|w| w == what).map_or(source.len(), |i| from + i)
    };
    while let Some(&b) = source.get(at) {
        let next = source.get(at + 1).copied().unwrap_or(0);
        let start = at;
        match b {
            b'\n' => {
                line += 1;
                blank = true;
                at += 1;
                line_start = at;
                continue;
            }
            _ if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if next == b'/' => {
                at = find(at, b"\n");
                continue;
            }
            b'/' if next == b'*' => {
                at = (find(at + 2, b"*/") + 2).min(source.len());
                line += source[start..at].iter().filter(|b| **b == b'\n').count() as u32;
                if let Some(n) = source[start..at].iter().rposition(|b| *b == b'\n') {
                    line_start = start + n + 1;
                }
                continue;
            }
            b'#' if blank && !directives => {
                at = find(at, b"\n");
                continue;
            }
            _ if b.is_ascii_digit() || b == b'.' && next.is_ascii_digit() => {
                while let Some(&c) = source.get(at)
                    && (c.is_ascii_alphanumeric()
                        || c == b'.'
                        || matches!(c, b'+' | b'-') && matches!(source[at - 1], b'e' | b'E') && at > start)
                {
                    at += 1;
                }
            }
            _ if b.is_ascii_alphabetic() || b == b'_' => {
                while source.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_') {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        let column = (start - line_start) as u32 + 1;
        out.push(Token { text: &source[start..at], at: start, line, column, first: blank });
        blank = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs() {
        let all = tokens(b"f(a[1], (b, c), d); { ( } ) { x }");
        let pairs = Pairs::of(&all);
        assert_eq!((pairs.closing(1), pairs.closing(3), pairs.closing(7)), (Some(14), Some(5), Some(11)));
        assert_eq!(pairs.commas(&all, 1).collect::<Vec<_>>(), [6, 12]);
        // Parentheses do not belong together across a brace.
        assert_eq!((pairs.closing(16), pairs.closing(17), pairs.closing(20)), (Some(18), None, Some(22)));
        assert!(pairs.closing(0).is_none() && pairs.commas(&all, 17).next().is_none());
    }

    #[test]
    fn cuts() {
        let text = b"#version 150\nin vec4 a[2]; // x\n/* y\n */ float f = -1.5e-3+.5;";
        let all = tokens(text);
        let words: Vec<String> = all.iter().map(Token::name).collect();
        assert_eq!(words, ["in", "vec4", "a", "[", "2", "]", ";", "float", "f", "=", "-", "1.5e-3", "+", ".5", ";"]);
        assert_eq!((all[0].line, all[7].line), (2, 4));
        assert_eq!(all[4].integer(), Some(2));
        assert_eq!((all[6].column, all[7].column, all[8].column), (13, 5, 11));
        let whole = tokens_and_directives(b"/* */ # define A\nb #");
        let firsts: Vec<bool> = whole.iter().map(|t| t.first).collect();
        assert_eq!(firsts, [true, false, false, true, false]);
    }
}
