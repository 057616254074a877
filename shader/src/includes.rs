//! Strings by name that shaders include (ARB_shading_language_include).
//!
//! Includes are replaced by their text before anything else looks at a source. Conditions are not worked out here: an
//! include that finds nothing becomes an `#error`, which counts where its group does.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

const EXTENSION: &[u8] = b"GL_ARB_shading_language_include";
/// Numbers of source strings that stand for names begin here.
const FIRST_NAME: usize = 1 << 20;
/// Most includes within each other.
const MAX_DEPTH: usize = 32;
/// Most times that a string may be within itself: more is left to those that guard themselves against a second time.
const MAX_RECURSION: usize = 3;
/// Longest text that comes in, in bytes, with the messages about what does not.
const MAX_TEXT: usize = 8 << 20;
/// Longest place in the tree, in bytes: each include beside a string looks at that string's place once more.
const MAX_PLACE: usize = 4096;
/// Most search points that the includes of a source are looked for at.
const MAX_LOOKUPS: usize = 1 << 20;
/// Characters of a path that a message shows.
const MAX_SHOWN: usize = 256;

/// The strings of a share group, by their places in the tree.
#[derive(Clone, Debug, Default)]
pub struct Includes {
    strings: BTreeMap<String, Arc<[u8]>>,
}

/// A source without includes.
#[derive(Debug)]
pub struct Expanded {
    /// The text.
    pub text: Vec<u8>,
    /// Names that numbers of source strings stand for.
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Includes {
    /// The place in the tree that a path names: from the root, without `.` and `..`. None for what is no path.
    pub fn place(path: &[u8]) -> Option<String> {
        if path.first() != Some(&b'/') || path.ends_with(b"/") {
            return None;
        }
        resolved("", path)
    }

    /// The place of a search point, which may end in a slash.
    pub fn search_point(path: &[u8]) -> Option<String> {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        if path.is_empty() { Some(String::new()) } else { Self::place(path) }
    }

    /// Puts a string in a place, instead of the one that was there.
    pub fn insert(&mut self, place: String, text: &[u8]) {
        self.strings.insert(place, text.into());
    }

    /// Takes a string away; false where there is none.
    pub fn remove(&mut self, place: &str) -> bool {
        self.strings.remove(place).is_some()
    }

    /// The string in a place.
    pub fn get(&self, place: &str) -> Option<&Arc<[u8]>> {
        self.strings.get(place)
    }

    /// A source with the text of what it includes. Relative paths are looked for at the search points, in order.
    pub fn expand(&self, source: &[u8], search: &[String]) -> Expanded {
        let mut out = Expanded { text: Vec::new(), names: Vec::new(), numbers: HashMap::new() };
        // The word of the directive is in that of the extension.
        if !source.windows(7).any(|w| w == b"include") {
            out.text.extend_from_slice(source);
            return out;
        }
        let mut expansion = Expansion {
            includes: self,
            search,
            out,
            enabled: false,
            continues: false,
            offset: 1,
            open: Vec::new(),
            added: 0,
            lookups: 0,
        };
        expansion.text(source);
        expansion.out
    }
}

impl Expanded {
    /// An info log with the names of the strings.
    pub fn log(&self, log: String) -> String {
        if self.names.is_empty() {
            return log;
        }
        let named = |line: &str| {
            let (number, rest) = line.split_once(':')?;
            let name = self.names.get(number.parse::<usize>().ok()?.checked_sub(FIRST_NAME)?)?;
            Some(format!("{name}:{rest}"))
        };
        let lines = log.split_inclusive('\n');
        lines.map(|line| named(line).unwrap_or_else(|| line.to_owned())).collect()
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(at) = self.numbers.get(name) {
            return FIRST_NAME + at;
        }
        let at = self.names.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), at);
        FIRST_NAME + at
    }
}

/// A path from a place. None where it has other characters than GLSL has in paths, an empty part, leads out of the tree, or
/// is too long.
fn resolved(from: &str, path: &[u8]) -> Option<String> {
    let allowed = |b: &u8| b.is_ascii_alphanumeric() || b"^. _+*%[](){}|&~=!:;,?-#/".contains(b);
    if path.is_empty() || path.len() > MAX_PLACE || !path.iter().all(allowed) {
        return None;
    }
    let absolute = path.strip_prefix(b"/");
    let mut parts: Vec<&str> = if absolute.is_some() { Vec::new() } else { from.split('/').skip(1).collect() };
    for part in std::str::from_utf8(absolute.unwrap_or(path)).ok()?.split('/') {
        match part {
            "" => return None,
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let place: String = parts.iter().flat_map(|part| ["/", part]).collect();
    (!parts.is_empty() && place.len() <= MAX_PLACE).then_some(place)
}

struct Expansion<'a> {
    includes: &'a Includes,
    search: &'a [String],
    out: Expanded,
    /// The extension is asked for.
    enabled: bool,
    /// A line that ends in a backslash goes on in the next (GLSL 4.20 section 3.2).
    continues: bool,
    /// What `#line` is short of the number of the next line (GLSL 3.30 section 3.3).
    offset: u32,
    /// Places of the strings that are being included, the innermost last.
    open: Vec<String>,
    /// Bytes of included strings and of messages.
    added: usize,
    /// Search points looked at.
    lookups: usize,
}

impl Expansion<'_> {
    fn text(&mut self, source: &[u8]) {
        let mut comment = false;
        let mut number = 0;
        let mut rest = source;
        while !rest.is_empty() {
            // Once there is too much, nothing of what is included counts.
            if self.is_full() && !self.open.is_empty() {
                return;
            }
            let (whole, line, lines) = logical_line(rest, self.continues);
            rest = &rest[whole.len()..];
            number += lines;
            let (body, end) = whole.strip_suffix(b"\n").map_or((whole, &b""[..]), |body| (body, b"\n"));
            let directive = (!comment).then(|| directive(&line)).flatten();
            comment = ends_in_comment(&line, comment);
            match directive {
                Some((b"include", rest)) => self.include(rest, number),
                Some((b"line", rest)) if self.enabled => self.line(body, rest),
                Some((name, rest)) => {
                    self.notice(name, rest);
                    self.out.text.extend_from_slice(body);
                }
                None => self.out.text.extend_from_slice(body),
            }
            self.out.text.extend_from_slice(end);
        }
    }

    fn is_full(&self) -> bool {
        self.added > MAX_TEXT || self.lookups > MAX_LOOKUPS
    }

    /// What directives say that this depends on.
    fn notice(&mut self, name: &[u8], rest: &[u8]) {
        let mut words = rest.split(|b| !b.is_ascii_alphanumeric() && *b != b'_').filter(|w| !w.is_empty());
        match (name, words.next()) {
            (b"version", Some(number)) => {
                let number = std::str::from_utf8(number).ok().and_then(|n| n.parse::<u32>().ok()).unwrap_or(110);
                let es = number == 100 || words.next() == Some(b"es");
                self.offset = u32::from(!es && number < 330);
                self.continues = number >= if es { 300 } else { 420 };
            }
            (b"extension", Some(b"GL_ARB_shading_language_420pack")) => {
                self.continues |= words.next() != Some(b"disable");
            }
            (b"extension", Some(extension)) if extension == EXTENSION || extension == b"all" => {
                self.enabled = words.next() != Some(b"disable");
            }
            _ => {}
        }
    }

    /// `#line 3 "/name"`: the name becomes a number.
    fn line(&mut self, body: &[u8], rest: &[u8]) {
        let quoted = rest.iter().position(|b| *b == b'"').and_then(|at| Some((at, delimited(&rest[at..])?)));
        let Some((at, name)) = quoted else { return self.out.text.extend_from_slice(body) };
        let number = self.out.number(&String::from_utf8_lossy(name));
        self.out.text.extend_from_slice(b"#line ");
        self.out.text.extend_from_slice(&rest[..at]);
        self.out.text.extend_from_slice(number.to_string().as_bytes());
    }

    fn include(&mut self, rest: &[u8], line: u32) {
        let rest = rest.trim_ascii_start();
        let Some(path) = delimited(rest) else {
            return self.error("#include wants a path in quotes or in angle brackets");
        };
        if !self.enabled {
            return self.error("#include needs GL_ARB_shading_language_include");
        }
        if self.is_full() {
            return self.error("too much is included");
        }
        let Some((place, text)) = self.find(path, rest[0] == b'"') else {
            return self.error(&format!("there is no string to include at {}", shown(path)));
        };
        let recursion = self.open.iter().filter(|open| **open == place).count();
        if recursion == MAX_RECURSION || self.open.len() == MAX_DEPTH || self.added + text.len() > MAX_TEXT {
            return self.error(&format!("too many includes within each other at {}", shown(place.as_bytes())));
        }
        self.added += text.len();
        let here = self.open.last().map_or(0, |place| self.out.number(place));
        let number = self.out.number(&place);
        self.out.text.extend_from_slice(format!("#line {} {number}\n", 1 - self.offset).as_bytes());
        self.open.push(place);
        self.text(&text);
        self.open.pop();
        self.out.text.extend_from_slice(format!("\n#line {} {here}", line + 1 - self.offset).as_bytes());
    }

    /// The string that a path names: relative to where the including string is, if it was included and the path is in
    /// quotes, then to each search point.
    fn find(&mut self, path: &[u8], quoted: bool) -> Option<(String, Arc<[u8]>)> {
        let at = |from: &str| {
            let place = resolved(from, path)?;
            self.includes.get(&place).map(|text| (place, Arc::clone(text)))
        };
        if path.starts_with(b"/") {
            return at("");
        }
        let here = self.open.last().and_then(|place| place.rsplit_once('/')).map(|(folder, _)| folder);
        if let Some(beside) = here.filter(|_| quoted).and_then(at) {
            return Some(beside);
        }
        let mut looked = 0;
        let found = self.search.iter().take(MAX_LOOKUPS).inspect(|_| looked += 1).find_map(|point| at(point));
        self.lookups += looked;
        found
    }

    fn error(&mut self, text: &str) {
        self.added += text.len();
        self.out.text.extend_from_slice(b"#error ");
        self.out.text.extend_from_slice(text.as_bytes());
    }
}

/// The first line of a text with those that it goes on in, the same in one, and the number of lines it is.
fn logical_line(text: &[u8], continues: bool) -> (&[u8], Cow<'_, [u8]>, u32) {
    let line = |from: usize| text[from..].iter().position(|b| *b == b'\n').map_or(text.len(), |at| from + at + 1);
    let mut end = line(0);
    let mut joined: Option<Vec<u8>> = None;
    let (mut from, mut lines) = (0, 1);
    loop {
        let body = text[from..end].strip_suffix(b"\n");
        let part = body.unwrap_or(&text[from..end]);
        let before = body.filter(|_| continues).map(|b| b.strip_suffix(b"\r").unwrap_or(b));
        let before = before.and_then(|b| b.strip_suffix(b"\\"));
        match (before, joined.as_mut()) {
            (Some(before), _) => joined.get_or_insert_default().extend_from_slice(before),
            (None, Some(joined)) => joined.extend_from_slice(part),
            (None, None) => return (&text[..end], Cow::Borrowed(part), lines),
        }
        if before.is_none() || end == text.len() {
            return (&text[..end], Cow::Owned(joined.unwrap_or_default()), lines);
        }
        (from, end, lines) = (end, line(end), lines + 1);
    }
}

/// A path as messages show it.
fn shown(path: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&path[..path.len().min(MAX_SHOWN)])
}

/// Name and rest of a directive.
fn directive(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let end = line.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(line.len());
    Some(line.split_at(end))
}

/// What is between quotes or angle brackets; after them come blanks and comments only.
fn delimited(text: &[u8]) -> Option<&[u8]> {
    let close = match text.first()? {
        b'"' => b'"',
        b'<' => b'>',
        _ => return None,
    };
    let end = text[1..].iter().position(|b| *b == close)?;
    let after = text[end + 2..].trim_ascii();
    (after.is_empty() || after.starts_with(b"//") || after.starts_with(b"/*")).then(|| &text[1..=end])
}

/// Whether a comment goes on in the next line.
fn ends_in_comment(line: &[u8], mut inside: bool) -> bool {
    // A path may have the characters of comments.
    if !inside && directive(line).is_some_and(|(name, _)| name == b"include") {
        return false;
    }
    let mut at = 0;
    while at + 1 < line.len() {
        match (&line[at..at + 2], inside) {
            (b"*/", true) => (inside, at) = (false, at + 2),
            (b"/*", false) => (inside, at) = (true, at + 2),
            (b"//", false) => return false,
            _ => at += 1,
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(strings: &[(&str, &str)]) -> Includes {
        let mut includes = Includes::default();
        for (path, text) in strings {
            includes.insert(Includes::place(path.as_bytes()).unwrap(), text.as_bytes());
        }
        includes
    }

    fn expand(includes: &Includes, source: &str, search: &[&str]) -> String {
        let search: Vec<String> = search.iter().map(|p| Includes::search_point(p.as_bytes()).unwrap()).collect();
        String::from_utf8(includes.expand(source.as_bytes(), &search).text).unwrap()
    }

    #[test]
    fn places() {
        for (path, place) in
            [("/a", "/a"), ("/a b/./c/../d.h", "/a b/d.h"), ("/#^+*%[](){}|&~=!:;,?-", "/#^+*%[](){}|&~=!:;,?-")]
        {
            assert_eq!(Includes::place(path.as_bytes()).as_deref(), Some(place));
        }
        for path in ["", "/", "a", "/a/", "/a//b", "/..", "/a/../..", "/a\tb", "/a$", "/\"a\"", "/<a>", "/a/.."] {
            assert_eq!(Includes::place(path.as_bytes()), None, "{path}");
        }
        assert_eq!(Includes::search_point(b"/").as_deref(), Some(""));
        assert_eq!(Includes::search_point(b"/a/b/").as_deref(), Some("/a/b"));
    }

    const HEAD: &str = "#extension GL_ARB_shading_language_include : require\n";

    #[test]
    fn text_comes_in_place() {
        let includes = tree(&[("/a", "A\n#include \"b\" // B\n"), ("/b", "/*\n#include <c>\n*/B"), ("/x/b", "X")]);
        assert_eq!(
            expand(&includes, &format!("{HEAD}1\n# include </a>\n2"), &[]),
            format!(
                "{HEAD}1\n#line 0 1048576\nA\n#line 0 1048577\n/*\n#include <c>\n*/B\n#line 2 1048576\n\n#line 3 0\n2"
            )
        );
        let expanded = includes.expand(format!("#version 330\n{HEAD}#include \"/b\"").as_bytes(), &[]);
        assert!(expanded.text.ends_with(b"#line 1 1048576\n/*\n#include <c>\n*/B\n#line 4 0"));
        assert_eq!(expanded.log("0:1(1): e\n1048576:3(1): f\n".into()), "0:1(1): e\n/b:3(1): f\n");
    }

    #[test]
    fn search() {
        let includes = tree(&[("/a/b", "AB"), ("/c/b", "CB"), ("/c/d", "#include \"b\"\n#include <b>")]);
        let of = |source: &str, search: &[&str]| expand(&includes, &format!("{HEAD}{source}"), search);
        assert!(of("#include \"b\"", &["/x", "/a/", "/c"]).contains("\nAB\n"));
        assert!(of("#include <../c/b>", &["/a"]).contains("\nCB\n"));
        let both = of("#include </c/d>", &["/a", "/c"]);
        assert!(both.find("CB").unwrap() < both.find("AB").unwrap());
        for nothing in ["#include \"/b\"", "#include \"b", "#include b", "#include \"b\" x", "#include </c>"] {
            let text = of(nothing, &["/a"]);
            assert!(text.ends_with(" b") || text.contains("#error "), "{text}");
        }
        assert!(expand(&includes, "#include \"/a/b\"", &[]).contains("#error "));
    }

    #[test]
    fn recursion_ends() {
        let includes = tree(&[("/a", "#ifndef A\n#define A\n#include \"/a\"\n#include \"/a\"\n#endif")]);
        let text = expand(&includes, &format!("{HEAD}#include \"/a\""), &[]);
        assert_eq!(text.matches("#error").count(), 8);
        let wide: String = (0..40).map(|_| "#include \"/b\"\n").collect();
        let includes = tree(&[("/b", &wide), ("/c", &wide.replace("/b", "/d")), ("/d", &wide.replace("/b", "/c"))]);
        assert!(expand(&includes, &format!("{HEAD}#include \"/c\""), &[]).len() < 4 * MAX_TEXT);
    }

    /// What cannot be included is told of in no more text than it takes to ask for it.
    #[test]
    fn messages_are_bounded() {
        assert!(Includes::place(format!("/{}", "a".repeat(MAX_PLACE)).as_bytes()).is_none());
        let folder = format!("/{}", "a/".repeat(2000));
        let lines = "#include \"b\"\n".repeat(100_000);
        let includes = tree(&[(&format!("{folder}b"), &lines)]);
        let text = expand(&includes, &format!("{HEAD}#include \"{folder}b\"\n1"), &[]);
        assert!(text.contains("#error ") && text.ends_with("\n1"));
        assert!(text.len() < 4 * MAX_TEXT, "{}", text.len());
    }

    #[test]
    fn search_is_bounded() {
        let points: Vec<String> = (0..20_000).map(|i| format!("/p{i}")).collect();
        let points: Vec<&str> = points.iter().map(String::as_str).collect();
        let begun = std::time::Instant::now();
        let text = expand(&Includes::default(), &(HEAD.to_owned() + &"#include <b>\n".repeat(20_000)), &points);
        assert_eq!(text.matches("#error ").count(), 20_000);
        assert!(begun.elapsed().as_secs() < 20);
    }

    /// GLSL 4.20 section 3.2: a line that ends in a backslash goes on in the next, in comments too.
    #[test]
    fn lines_go_on() {
        let includes = tree(&[("/b", "B")]);
        let of = |version: u32, text: &str| expand(&includes, &format!("#version {version}\n{HEAD}{text}"), &[]);
        assert!(!of(420, "// a \\\n#include \"/b\"\n").contains("\nB\n"));
        assert!(of(410, "// a \\\n#include \"/b\"\n").contains("\nB\n"));
        assert!(of(420, "// a \\\n/* \\\r\n\n#include \"/b\"\n").contains("\nB\n"));
        let text = of(420, "#inc\\\nlude \"/b\"\nC");
        assert!(text.ends_with("\nB\n#line 5 0\nC"), "{text}");
    }
}
