//! Constant expressions of ARB_gpu_shader_int64 that glslang folds wrongly (`abs`, `sign`, remainders of divisors whose
//! low half is zero) or not at all (`mix`): they are spelled with what it folds.

use std::collections::{HashMap, HashSet};

use super::edit::{Edit, edited};
use super::spellings::is_constructor;
use super::tokens::{Pairs, Token, functions, is, tokens};

/// Calls within each other that are looked at. Each spells its argument up to four times.
const MAX_NESTING: usize = 4;
/// Times that a source gets longer, at most. What would make it longer stays as it is.
const MAX_GROWTH: usize = 4;
/// Bytes that a source of any length may gain.
const ANY_GROWTH: usize = 1 << 16;
/// Calls of `max` and its like within each other that are looked through for a type.
const MAX_CALLS: usize = 64;

/// The source with such expressions spelled otherwise, where it has any.
pub(super) fn respelled(source: &[u8]) -> Option<Vec<u8>> {
    let mut text: Option<Vec<u8>> = None;
    let most = (source.len() * MAX_GROWTH).max(source.len() + ANY_GROWTH);
    for _ in 0..MAX_NESTING {
        let now = text.as_deref().unwrap_or(source);
        let all = tokens(now);
        let edits = edits(now, &all, most.saturating_sub(now.len()));
        if edits.is_empty() {
            break;
        }
        text = Some(edited(now, edits));
    }
    text
}

/// A type of integers of 64 bits.
#[derive(Clone, Copy)]
struct Long {
    components: u8,
    signed: bool,
}

impl Long {
    fn of(word: &[u8]) -> Option<Self> {
        let components = match word {
            b"int64_t" | b"uint64_t" => 1,
            [b'i' | b'u', b'6', b'4', b'v', b'e', b'c', n @ b'2'..=b'4'] => n - b'0',
            _ => return None,
        };
        Some(Self { components, signed: word[0] == b'i' })
    }
}

struct Source<'a, 'b> {
    text: &'b [u8],
    all: &'b [Token<'a>],
    brackets: Pairs,
    /// What opens each bracket that closes.
    opening: HashMap<usize, usize>,
    /// The types of constants that have names.
    constants: HashMap<&'a [u8], &'a [u8]>,
}

/// The types of constants by name. What else has a name of one, in whatever scope, leaves it without a type: scopes are
/// not told apart.
fn constants<'a>(all: &[Token<'a>]) -> HashMap<&'a [u8], &'a [u8]> {
    let declared = all.windows(3).filter(|w| w[0].is("const") && is_constructor(w[1].text) && w[2].is_word());
    let mut constants: HashMap<&[u8], &[u8]> = declared.map(|w| (w[2].text, w[1].text)).collect();
    let mut known = HashSet::new();
    let mut nested = 0u32;
    for (i, t) in all.iter().enumerate() {
        match t.text {
            b"(" | b"[" => nested += 1,
            b")" | b"]" => nested = nested.saturating_sub(1),
            _ => {}
        }
        let Some(before) = i.checked_sub(1).map(|i| all[i]).filter(|_| constants.contains_key(t.text)) else {
            continue;
        };
        let follows = before.is(",") && (nested == 0 || is(all, i + 1, "="));
        if (before.ends_type() || follows) && !known.insert(t.text) {
            constants.remove(t.text);
        }
    }
    constants
}

/// The edits, which make the text longer by `room` at most.
fn edits(text: &[u8], all: &[Token<'_>], mut room: usize) -> Vec<Edit> {
    let brackets = Pairs::of(all);
    let opening = (0..all.len()).filter_map(|i| Some((brackets.closing(i)?, i))).collect();
    let source = Source { text, all, brackets, opening, constants: constants(all) };
    let own = functions(all);
    let mut edits = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let found = match all[at].text {
            b"abs" | b"sign" | b"mix" if is(all, at + 1, "(") && !own.contains(all[at].text) => source.call(at),
            b"%" => source.remainder(at),
            _ => None,
        };
        if let Some((from, end, by)) = found
            && edits.last().is_none_or(|last: &Edit| last.to <= all[from].at)
        {
            let (from, to) = (all[from].at, all[end - 1].at + all[end - 1].text.len());
            let Some(left) = (room + to - from).checked_sub(by.len()) else { break };
            room = left;
            edits.push(Edit { from, to, by });
            at = end;
        }
        at += 1;
    }
    edits
}

impl Source<'_, '_> {
    /// The spelling of some tokens, on one line.
    fn spelled(&self, from: usize, end: usize) -> String {
        let (first, last) = (self.all[from], self.all[end - 1]);
        let text = &self.text[first.at..last.at + last.text.len()];
        String::from_utf8_lossy(text).replace(['\n', '\r'], " ")
    }

    /// Whether an expression is made of constants.
    fn is_constant(&self, from: usize, end: usize) -> bool {
        (from..end).all(|i| {
            let (t, is_member) = (self.all[i], i > from && self.all[i - 1].is("."));
            !t.is_word()
                || is_member
                || is_constructor(t.text)
                || self.constants.contains_key(t.text)
                || matches!(t.text, b"true" | b"false" | b"max" | b"min" | b"clamp")
        })
    }

    /// The type of a number, a constructor, a named constant or a call of some at `at`, and the token after it.
    fn operand(&self, at: usize) -> Option<(Long, usize)> {
        let call = |at: usize| {
            let is_call = self.all.get(at).is_some_and(|t| matches!(t.text, b"max" | b"min" | b"clamp"));
            is_call && is(self.all, at + 1, "(")
        };
        // What `max` and its like return has the type of their first argument.
        if call(at) {
            let inner = (1..MAX_CALLS).map(|n| at + 2 * n).find(|at| !call(*at))?;
            return Some((self.operand(inner)?.0, self.brackets.closing(at + 1)? + 1));
        }
        let word = self.all.get(at)?.text;
        let is_long = word[0].is_ascii_digit() && matches!(word.last(), Some(b'l' | b'L'));
        if is_long && !word.contains(&b'.') {
            let signed = !matches!(word[word.len() - 2], b'u' | b'U');
            return Some((Long { components: 1, signed }, at + 1));
        }
        if is(self.all, at + 1, "(") {
            return Some((Long::of(word)?, self.brackets.closing(at + 1)? + 1));
        }
        Some((Long::of(self.constants.get(word)?)?, at + 1))
    }

    /// `abs`, `sign` or `mix` of constants at `at`: first token, token after the last, other spelling.
    fn call(&self, at: usize) -> Option<(usize, usize, String)> {
        let (open, close) = (at + 1, self.brackets.closing(at + 1)?);
        if close == open + 1 || !self.is_constant(open + 1, close) {
            return None;
        }
        let mut first = open + 1;
        while matches!(self.all[first].text, b"(" | b"-" | b"+" | b"~") {
            first += 1;
        }
        let (ty, after) = self.operand(first)?;
        let whole = self.spelled(open + 1, close);
        let by = match self.all[at].text {
            b"abs" | b"sign" if !ty.signed => return None,
            b"abs" => format!("max({whole}, -({whole}))"),
            b"sign" => format!("clamp({whole}, -1L, 1L)"),
            _ => self.mix(open, close, ty).filter(|_| is(self.all, after, ","))?,
        };
        Some((at, close + 1, by))
    }

    /// The component of one or the other of two vectors.
    fn mix(&self, open: usize, close: usize, ty: Long) -> Option<String> {
        let commas = self.brackets.commas(self.all, open);
        let [first, second] = commas.collect::<Vec<_>>()[..] else { return None };
        let parts = [(open + 1, first), (first + 1, second), (second + 1, close)];
        if parts.iter().any(|(from, end)| from >= end) {
            return None;
        }
        let [a, b, c] = parts.map(|(from, end)| self.spelled(from, end));
        if ty.components == 1 {
            return Some(format!("(({c}) ? ({b}) : ({a}))"));
        }
        let component = |name: &str| format!("({c}).{name} ? ({b}).{name} : ({a}).{name}");
        let list: Vec<String> =
            ["x", "y", "z", "w"][..usize::from(ty.components)].iter().map(|name| component(name)).collect();
        let letter = if ty.signed { 'i' } else { 'u' };
        Some(format!("{letter}64vec{}({})", ty.components, list.join(", ")))
    }

    /// A remainder of two constants.
    fn remainder(&self, at: usize) -> Option<(usize, usize, String)> {
        // What comes before is one number, name or constructor.
        let mut from = at.checked_sub(1)?;
        if self.all[from].is(")") {
            from = self.opening.get(&from)?.checked_sub(1)?;
        }
        let (_, end) = self.operand(from).filter(|(_, end)| *end == at)?;
        let before = from.checked_sub(1).map(|i| &self.all[i]);
        if before.is_some_and(|t| matches!(t.text, b"*" | b"/" | b"%" | b"~" | b"!" | b".")) {
            return None;
        }
        let (_, after) = self.operand(end + 1).filter(|(_, after)| !is(self.all, *after, "."))?;
        if !self.is_constant(from, after) {
            return None;
        }
        let (a, b) = (self.spelled(from, end), self.spelled(end + 1, after));
        Some((from, after, format!("({a} - {a} / {b} * {b})")))
    }
}

#[cfg(test)]
mod tests {
    fn text(source: &str) -> String {
        super::respelled(source.as_bytes())
            .map_or(source.to_owned(), |text| String::from_utf8_lossy(&text).into_owned())
    }

    #[test]
    fn constants() {
        for (before, after) in [
            ("a = abs(-3L);", "a = max(-3L, -(-3L));"),
            ("const int64_t c = -1L; a = sign(c);", "const int64_t c = -1L; a = clamp(c, -1L, 1L);"),
            ("a = sign(abs(2l));", "a = clamp(max(2l, -(2l)), -1L, 1L);"),
            ("a = mix(1L, 2L, true);", "a = ((true) ? (2L) : (1L));"),
            (
                "a = mix(u64vec2(1), u64vec2(2), bvec2(true, false));",
                "a = u64vec2((bvec2(true, false)).x ? (u64vec2(2)).x : (u64vec2(1)).x, \
                 (bvec2(true, false)).y ? (u64vec2(2)).y : (u64vec2(1)).y);",
            ),
            ("a = (7ul % 4294967296ul);", "a = ((7ul - 7ul / 4294967296ul * 4294967296ul));"),
        ] {
            assert_eq!(text(before), after);
        }
    }

    /// The same name may be another variable elsewhere.
    #[test]
    fn names_have_scopes() {
        for kept in [
            "const int64_t k = 1L; void f() { float k = 2.0; x = sign(k); }",
            "const int64_t k = 1L; void f(float k) { x = abs(k); }",
            "const int64_t k = 1L; void f() { float j = 1.0, k = 2.0; x = abs(k); }",
            "const int64_t k = 1L; void f() { for (float j = 1.0, k = 2.0;;) x = abs(k); }",
        ] {
            assert_eq!(text(kept), kept);
        }
    }

    /// Each spelling repeats its operands, but the text does not get much longer.
    #[test]
    fn growth_is_bounded() {
        let one = "i64vec4(1)";
        let mut nested = String::from(one);
        for _ in 0..6 {
            nested = format!("mix({nested}, {one}, bvec4(true))");
        }
        for source in [format!("a = {};", vec![nested; 4_000].join("+")), "max(".repeat(200_000) + "1L % 2L"] {
            let text = text(&source);
            assert!(text.len() <= 4 * source.len(), "{} of {}", text.len(), source.len());
        }
        let before = std::time::Instant::now();
        text(&("int64_t(".repeat(100_000) + "1L" + &" % x)".repeat(100_000)));
        text(&("abs(".to_owned() + &"max(".repeat(100_000) + "1L" + &")".repeat(100_000) + " % 3L"));
        assert!(before.elapsed().as_secs() < 10);
    }

    #[test]
    fn others_stay() {
        for kept in [
            "a = abs(b);",
            "a = abs(-3);",
            "a = abs(3ul);",
            "a = sign(f(1L));",
            "a = b % 4294967296ul;",
            "a = 3 * 7ul % 4294967296ul;",
            "a = 7 % 2;",
            "int64_t abs(int64_t x) { return x; } void main() { a = abs(-3L); }",
            "a = mix(1.0, 2.0, 0.5);",
        ] {
            assert_eq!(text(kept), kept);
        }
    }
}
