//! What glslang's preprocessor cannot take: names beyond its buffer, and calls of macros whose one argument is empty.

use std::collections::{HashMap, HashSet};

use super::edit::{Edit, edited};
use super::log::Renamed;
use super::tokens::Token;

/// Longest word that is left alone; glslang's tokens end at 1024 bytes.
const MAX_WORD: usize = 1000;
/// A macro of [`super::directives::PREDEFINED`] that stands for nothing.
const NOTHING: &str = "XX_NOTHING_";

/// The source that glslang's preprocessor can take, where it is another; names that were shortened go to `renamed`.
pub(super) fn run(source: &[u8], all: &[Token<'_>], renamed: &mut Renamed) -> Option<Vec<u8>> {
    let one_parameter: HashSet<&[u8]> = all
        .windows(6)
        .enumerate()
        .filter(|(_, w)| {
            w[0].is("#") && w[0].first && w[1].is("define") && w[3].is("(") && w[3].at == w[2].at + w[2].text.len()
        })
        .filter(|(_, w)| w[4].is_word() && w[5].is(")"))
        // What is pasted to a name would become part of it.
        .filter(|(i, w)| !all[i + 6..].iter().take_while(|t| t.line == w[5].line).any(|t| t.is("#")))
        .map(|(_, w)| w[2].text)
        .collect();
    let mut short: HashMap<&[u8], String> = HashMap::new();
    let mut edits = Vec::new();
    for (i, t) in all.iter().enumerate() {
        let end = t.at + t.text.len();
        if t.text.len() > MAX_WORD {
            let next = short.len();
            let name = short.entry(t.text).or_insert_with(|| {
                // A number as long as that is no program's; in groups that are skipped it is harmless.
                let name = format!("XXlong{next}");
                renamed.insert(name.clone(), t.name());
                name
            });
            edits.push(Edit { from: t.at, to: end, by: name.clone() });
        } else if one_parameter.contains(t.text)
            && all.get(i + 1).is_some_and(|t| t.is("("))
            && let Some(close) = all.get(i + 2).filter(|t| t.is(")"))
        {
            edits.push(Edit { from: close.at, to: close.at, by: NOTHING.into() });
        }
    }
    (!edits.is_empty()).then(|| edited(source, edits))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens_and_directives;
    use super::Renamed;

    fn run(source: &[u8], renamed: &mut Renamed) -> Option<Vec<u8>> {
        super::run(source, &tokens_and_directives(source), renamed)
    }

    fn text(source: &str) -> Option<String> {
        run(source.as_bytes(), &mut Renamed::new()).map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    #[test]
    fn long_words_are_shortened() {
        let long = "x".repeat(2000);
        let mut renamed = Renamed::new();
        let out = run(format!("int {long}, y; {long};").as_bytes(), &mut renamed);
        assert_eq!(out.as_deref(), Some(&b"int XXlong0, y; XXlong0;"[..]));
        assert_eq!(renamed, Renamed::from([("XXlong0".to_owned(), long)]));
        assert_eq!(text(&format!("int {};", "x".repeat(1000))), None);
    }

    #[test]
    fn empty_arguments_stand_for_nothing() {
        assert_eq!(text("#define F(q) q\nF() F(1)").as_deref(), Some("#define F(q) q\nF(XX_NOTHING_) F(1)"));
        assert_eq!(text("#define F(q) a##q\nF()"), None);
        assert_eq!(text("#define F() q\n#define G (x)\n#define H(a, b) a\nF() G() H()"), None);
    }
}
