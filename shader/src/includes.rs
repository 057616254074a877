//! Strings by name that shaders include (ARB_shading_language_include).
//!
//! Includes are replaced by their text before anything else looks at a source. Conditions are not worked out here: an
//! include that finds nothing becomes an `#error`, which counts where its group does.

use std::collections::BTreeMap;
use std::sync::Arc;

const EXTENSION: &[u8] = b"GL_ARB_shading_language_include";
/// Numbers of source strings that stand for names begin here.
const FIRST_NAME: usize = 1 << 20;
/// Most includes within each other.
const MAX_DEPTH: usize = 32;
/// Most times that a string may be within itself: more is left to those that guard themselves against a second time.
const MAX_RECURSION: usize = 3;
/// Longest text that comes out, in bytes.
const MAX_TEXT: usize = 8 << 20;

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
        let mut out = Expanded { text: Vec::new(), names: Vec::new() };
        // The word of the directive is in that of the extension.
        if !source.windows(7).any(|w| w == b"include") {
            out.text.extend_from_slice(source);
            return out;
        }
        let mut expansion = Expansion { includes: self, search, out, enabled: false, offset: 1, open: Vec::new() };
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
        let at = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        FIRST_NAME + at
    }
}

/// A path from a place. None where it has other characters than GLSL has in paths, an empty part, or leads out of the tree.
fn resolved(from: &str, path: &[u8]) -> Option<String> {
    let allowed = |b: &u8| b.is_ascii_alphanumeric() || b"^. _+*%[](){}|&~=!:;,?-#/".contains(b);
    if path.is_empty() || !path.iter().all(allowed) {
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
    (!parts.is_empty()).then(|| parts.iter().flat_map(|part| ["/", part]).collect())
}

struct Expansion<'a> {
    includes: &'a Includes,
    search: &'a [String],
    out: Expanded,
    /// The extension is asked for.
    enabled: bool,
    /// What `#line` is short of the number of the next line (GLSL 3.30 section 3.3).
    offset: u32,
    /// Places of the strings that are being included, the innermost last.
    open: Vec<String>,
}

impl Expansion<'_> {
    fn text(&mut self, source: &[u8]) {
        let mut comment = false;
        for (index, line) in source.split_inclusive(|b| *b == b'\n').enumerate() {
            let (body, end) = line.strip_suffix(b"\n").map_or((line, &b""[..]), |body| (body, b"\n"));
            let directive = (!comment).then(|| directive(body)).flatten();
            comment = ends_in_comment(body, comment);
            match directive {
                Some((b"include", rest)) => self.include(rest, index as u32 + 1),
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

    /// What directives say that this depends on.
    fn notice(&mut self, name: &[u8], rest: &[u8]) {
        let mut words = rest.split(|b| !b.is_ascii_alphanumeric() && *b != b'_').filter(|w| !w.is_empty());
        match (name, words.next()) {
            (b"version", Some(number)) => {
                let number = std::str::from_utf8(number).ok().and_then(|n| n.parse::<u32>().ok()).unwrap_or(110);
                self.offset = u32::from(number != 100 && words.next() != Some(b"es") && number < 330);
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
        let Some((place, text)) = self.find(path, rest[0] == b'"') else {
            let path = String::from_utf8_lossy(path);
            return self.error(&format!("there is no string to include at {path}"));
        };
        let recursion = self.open.iter().filter(|open| **open == place).count();
        if recursion == MAX_RECURSION || self.open.len() == MAX_DEPTH || self.out.text.len() + text.len() > MAX_TEXT {
            return self.error(&format!("too many includes within each other at {place}"));
        }
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
    fn find(&self, path: &[u8], quoted: bool) -> Option<(String, Arc<[u8]>)> {
        let at = |from: &str| {
            let place = resolved(from, path)?;
            self.includes.get(&place).map(|text| (place, Arc::clone(text)))
        };
        if path.starts_with(b"/") {
            return at("");
        }
        let here = self.open.last().and_then(|place| place.rsplit_once('/')).map(|(folder, _)| folder);
        here.filter(|_| quoted).and_then(at).or_else(|| self.search.iter().find_map(|point| at(point)))
    }

    fn error(&mut self, text: &str) {
        self.out.text.extend_from_slice(b"#error ");
        self.out.text.extend_from_slice(text.as_bytes());
    }
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
}
