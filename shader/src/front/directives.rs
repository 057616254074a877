//! The directives of a source, before its macros are expanded: its version, the extensions it asks for, and whether
//! the preprocessor has anything to do. What may sit in a group that the preprocessor removes is never judged here.
//! Lengths never change.

use std::collections::HashSet;

use super::edit::blank;
use super::log::Renamed;
use super::macros;
use super::tokens::Token;
use crate::stage::{CompileOptions, Profile};

/// What the directives say.
#[derive(Debug, Default)]
pub(super) struct Directives {
    /// The source, with names that glslang knows and the context does not hidden.
    pub text: Vec<u8>,
    /// Messages in final form.
    pub log: String,
    /// An error was found.
    pub failed: bool,
    /// Macros of the advertised extensions that the source names: glslang does not know them all.
    pub macros: String,
    /// Names that were hidden: as glslang sees them, as the program wrote them.
    pub renamed: Renamed,
    /// The version it is written in.
    pub version: u32,
    /// The version is one of OpenGL ES.
    pub es: bool,
    /// Something comes before the directive that is read.
    pub begun: bool,
    /// There are macros or conditional groups.
    pub preprocess: bool,
    /// Deep nesting or huge expressions: preprocess on a large stack.
    pub heavy: bool,
}

/// Most tokens of a source, macros expanded.
const MAX_TOKENS: u64 = 1_000_000;
/// Macros and arguments within each other, or tokens in one condition, beyond these get a large stack.
const HEAVY_DEPTH: u32 = 32;
const HEAVY_CONDITION: u64 = 64;
/// Tokens in one condition beyond this cannot be a real program.
const MAX_CONDITION: u64 = 20_000;

/// Macros that exist without a definition, under names that can be asked for: glslang knows the
/// real ones only where they are expanded.
pub(super) const PREDEFINED: &str =
    "#define XX_VERSION_ 1\n#define XX_LINE_ 1\n#define XX_FILE_ 1\n#define XX_NOTHING_\n";

fn predefined(word: &[u8]) -> Option<&'static [u8]> {
    Some(match word {
        b"__VERSION__" => b"XX_VERSION_",
        b"__LINE__" => b"XX_LINE_",
        b"__FILE__" => b"XX_FILE_",
        _ => return None,
    })
}

/// Names of extensions.
fn is_extension(word: &[u8]) -> bool {
    word.starts_with(b"GL_")
        && word.get(3).is_some_and(u8::is_ascii_uppercase)
        && word != b"GL_ES"
        && word != b"GL_FRAGMENT_PRECISION_HIGH"
}

/// Reads the directives of a source whose lines are joined.
pub(super) fn read(source: &[u8], all: &[Token<'_>], options: &CompileOptions) -> Directives {
    let mut out = Directives { version: 110, ..Directives::default() };
    let mut edits = Vec::new();
    let mut named = HashSet::new();
    // Names before this are left alone: those of an #extension directive, and the one that a definition is for.
    let mut asking = 0;
    for (i, t) in all.iter().enumerate() {
        match t.text {
            // A directive is a `#` that nothing but blanks comes before in its line.
            b"#" if t.first => {
                let end = all[i + 1..].iter().position(|next| next.line != t.line || next.first);
                let end = end.map_or(all.len(), |n| i + 1 + n);
                out.begun = i > 0;
                out.directive(*t, &all[i + 1..end], options, &mut edits);
                match all.get(i + 1).map(|name| name.text) {
                    Some(b"extension") => asking = end,
                    Some(b"define" | b"undef") => asking = i + 3,
                    _ => {}
                }
            }
            b"__VERSION__" | b"__LINE__" | b"__FILE__" => out.preprocess = true,
            // Profiles and extensions are macros.
            word => out.preprocess |= i >= asking && word.starts_with(b"GL_"),
        }
        // Extension macros exist for advertised extensions, for all of them and no others.
        if i >= asking && is_extension(t.text) {
            let (known, new) = (advertised(options, t.text), named.insert(t.text));
            if known && new {
                out.macros.push_str(&format!("#define {} 1\n", t.name()));
            }
            if !known {
                edits.push(Edit::Hide(t.at));
                out.renamed.extend(new.then(|| hidden(&t.name())));
            }
        }
    }
    match macros::expanded(all, MAX_TOKENS) {
        // What nests in a condition once its macros are expanded takes as much of the stack as what is written there.
        Some(growth) if growth.condition > MAX_CONDITION => out.error(1, 1, "a condition is too complex"),
        Some(growth) => out.heavy |= growth.depth > HEAVY_DEPTH || growth.condition > HEAVY_CONDITION,
        None => out.error(1, 1, "the source has too many tokens"),
    }
    out.text = source.to_vec();
    for edit in edits {
        edit.apply(&mut out.text);
    }
    out
}

/// A change of the source that keeps its length.
enum Edit {
    /// Hides a name.
    Hide(usize),
    /// Puts a word in place of another.
    Put(usize, &'static [u8]),
    /// Blanks a range.
    Blank(usize, usize),
}

impl Edit {
    fn apply(self, text: &mut [u8]) {
        match self {
            Edit::Hide(at) => text[at..at + 2].copy_from_slice(b"XX"),
            Edit::Put(at, word) => text[at..at + word.len()].copy_from_slice(word),
            Edit::Blank(from, to) => blank(&mut text[from..to]),
        }
    }
}

impl Directives {
    fn error(&mut self, line: u32, column: u32, text: &str) {
        self.failed = true;
        self.log.push_str(&format!("0:{line}({column}): error: {text}\n"));
    }

    fn directive(&mut self, hash: Token<'_>, words: &[Token<'_>], options: &CompileOptions, edits: &mut Vec<Edit>) {
        let Some(name) = words.first() else { return };
        match name.text {
            b"version" => self.version(hash, words, options, edits),
            b"extension" => self.extension(hash, words, options, edits),
            b"define" | b"undef" | b"else" | b"endif" => self.preprocess = true,
            b"if" | b"ifdef" | b"ifndef" | b"elif" => {
                self.preprocess = true;
                self.heavy |= words.len() as u64 > HEAVY_CONDITION;
                if words.len() as u64 > MAX_CONDITION {
                    self.error(hash.line, hash.column, "the condition is too complex");
                }
                Self::condition(words, edits);
            }
            _ => {}
        }
    }

    /// Gives macros without a definition a stand-in where it is asked whether they have one.
    fn condition(words: &[Token<'_>], edits: &mut Vec<Edit>) {
        let always = words[0].is("ifdef") || words[0].is("ifndef");
        let mut asked = always;
        for word in words[1..].iter().filter(|t| t.is_word()) {
            if asked && let Some(stand_in) = predefined(word.text) {
                edits.push(Edit::Put(word.at, stand_in));
            }
            asked = always || word.is("defined");
        }
    }

    /// GLSL 4.60 section 3.3: `require` of an unknown extension is an error, `enable` and `warn` of one warn. A hidden
    /// name is unknown to glslang too, which says so where the directive is not in a group that is skipped.
    fn extension(&mut self, hash: Token<'_>, words: &[Token<'_>], options: &CompileOptions, edits: &mut Vec<Edit>) {
        let mut words = words[1..].iter().filter(|t| t.is_word());
        let (Some(name), Some(behavior)) = (words.next(), words.next()) else { return };
        if name.is("all") {
            return;
        }
        if advertised(options, name.text) {
            // Whatever glslang makes of the name, we do support it.
            if behavior.is("require") {
                edits.push(Edit::Put(behavior.at, b"enable "));
            }
        } else if behavior.is("disable") {
            edits.push(Edit::Blank(hash.at, behavior.at + behavior.text.len()));
        } else if name.text.starts_with(b"GL_") {
            edits.push(Edit::Hide(name.at));
            self.renamed.extend([hidden(&name.name())]);
        }
    }

    fn version(&mut self, hash: Token<'_>, words: &[Token<'_>], options: &CompileOptions, edits: &mut Vec<Edit>) {
        let word = |i: usize| words.get(i).map_or(String::new(), Token::name);
        let (number, profile) = (word(1), word(2));
        self.version = number.parse().unwrap_or(110);
        // ARB_ES2_compatibility and its successors bring the languages of OpenGL ES.
        const ES: [(u32, &[u8]); 4] = [
            (100, b"GL_ARB_ES2_compatibility"),
            (300, b"GL_ARB_ES3_compatibility"),
            (310, b"GL_ARB_ES3_1_compatibility"),
            (320, b"GL_ARB_ES3_2_compatibility"),
        ];
        const DESKTOP: [u32; 13] = [110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460];
        let Ok(n) = number.parse::<u32>() else { return };
        let max = options.limits.max_glsl_version;
        self.es = profile == "es" || n == 100;
        // ESSL 1.00 section 3.4: its version has no profile.
        let known = if self.es {
            (n == 100) == profile.is_empty() && ES.iter().any(|(v, name)| *v == n && advertised(options, name))
        } else {
            DESKTOP.contains(&n) && n <= max
        };
        // glslang is told such a version; in the text it would take nothing before it, comments and blank lines neither.
        if self.es {
            edits.push(Edit::Blank(hash.at, words.last().map_or(hash.at, |last| last.at + last.text.len())));
            if self.begun {
                self.error(hash.line, hash.column, "#version comes first in a shader of OpenGL ES");
            }
        }
        if !known {
            let spelled = |v: u32| format!("{}.{:02}", v / 100, v % 100);
            let versions = DESKTOP.iter().filter(|v| **v <= max).map(|v| spelled(*v));
            let es = ES.iter().filter(|(_, name)| advertised(options, name)).map(|(v, _)| spelled(*v) + " ES");
            let list: Vec<String> = versions.chain(es).collect();
            let name = if self.es { format!("{number} es") } else { number };
            let text = format!("GLSL {name} is not supported. Supported versions are: {}", list.join(", "));
            self.error(hash.line, hash.column, &text);
        } else if profile == "compatibility" && options.profile == Profile::Core {
            self.error(hash.line, hash.column, "the compatibility profile is not supported");
        }
    }
}

/// A hidden name, and what the program wrote.
fn hidden(written: &str) -> (String, String) {
    (written.replacen("GL", "XX", 1), written.to_owned())
}

fn advertised(options: &CompileOptions, name: &[u8]) -> bool {
    options.extensions.iter().any(|e| e.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens_and_directives;
    use super::*;

    fn read(source: &str) -> Directives {
        let extensions = ["GL_ARB_known".to_owned()].into_iter().collect();
        let all = tokens_and_directives(source.as_bytes());
        super::read(source.as_bytes(), &all, &CompileOptions { extensions, ..CompileOptions::default() })
    }

    #[test]
    fn extensions_are_left_to_the_preprocessor() {
        let out =
            read("#ifdef GL_ARB_other\n#extension GL_ARB_other : require\n#endif\n#extension GL_ARB_known:require\n");
        assert!(!out.failed && out.preprocess);
        assert_eq!(
            String::from_utf8(out.text).unwrap(),
            "#ifdef XX_ARB_other\n#extension XX_ARB_other : require\n#endif\n#extension GL_ARB_known:enable \n"
        );
        assert_eq!(out.renamed, Renamed::from([("XX_ARB_other".to_owned(), "GL_ARB_other".to_owned())]));
        assert_eq!(read("#if GL_ARB_known && GL_ARB_known\n#endif\n").macros, "#define GL_ARB_known 1\n");
    }

    #[test]
    fn plain_sources_are_not_preprocessed() {
        assert!(!read("#version 330 core\n#pragma debug(on)\nvoid main() { }\n").preprocess);
        assert!(read("#version 330 core\nint line = __LINE__;\nvoid main() { }\n").preprocess);
        assert_eq!(read("/* */ #version 150\n").version, 150);
    }

    #[test]
    fn conditions_of_macros() {
        let doubled: String = (1..20).map(|i| format!("#define A{i} A{0} A{0}\n", i - 1)).collect();
        let text = format!("#define A0 !\n{doubled}");
        assert!(read(&format!("{text}#if A15 1\n#endif\n")).failed);
        let fair = read(&format!("{text}#if A9 1\n#endif\n"));
        assert!(!fair.failed && fair.heavy);
        assert!(!read(&format!("{text}#if A3 1\n#endif\n")).heavy);
    }

    #[test]
    fn too_many_tokens() {
        let doubled: String = (1..40).map(|i| format!("#define A{i} A{} A{}\n", i - 1, i - 1)).collect();
        assert!(read(&format!("{doubled}A39\n")).failed);
        assert!(!read(&format!("{doubled}A9\n")).failed);
    }
}
