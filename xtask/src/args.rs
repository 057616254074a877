//! Command-line words: flags, `--name VALUE` options, and the words after `--`.

use crate::Result;

/// The words of one command, consumed as they are asked for; [`Args::finish`] reports what nobody asked for.
pub struct Args {
    words: Vec<String>,
    rest: Vec<String>,
}

impl Args {
    /// Splits at the first `--`: what follows belongs to the program that the command starts.
    pub fn new(mut words: Vec<String>) -> Self {
        let rest = match words.iter().position(|w| w == "--") {
            Some(at) => {
                let rest = words.split_off(at + 1);
                words.pop();
                rest
            }
            None => Vec::new(),
        };
        Self { words, rest }
    }

    /// True when help was asked for before the `--`.
    pub fn wants_help(&self) -> bool {
        self.words.iter().any(|w| w == "--help" || w == "-h")
    }

    /// Takes `name` out of the words; true when it was there.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|w| w != name);
        self.words.len() != before
    }

    /// Takes `name VALUE` or `name=VALUE` out of the words.
    pub fn value(&mut self, name: &str) -> Result<Option<String>> {
        let Some(at) = self
            .words
            .iter()
            .position(|w| w.strip_prefix(name).is_some_and(|tail| tail.is_empty() || tail.starts_with('=')))
        else {
            return Ok(None);
        };
        let word = self.words.remove(at);
        if let Some((_, value)) = word.split_once('=') {
            return Ok(Some(value.to_owned()));
        }
        if at == self.words.len() {
            return Err(format!("{name} needs a value"));
        }
        Ok(Some(self.words.remove(at)))
    }

    /// Like [`Args::value`], parsed.
    pub fn parsed<T: std::str::FromStr>(&mut self, name: &str) -> Result<Option<T>> {
        match self.value(name)? {
            None => Ok(None),
            Some(text) => match text.parse() {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(format!("{name}: cannot use '{text}'")),
            },
        }
    }

    /// Takes the first word that is not an option.
    pub fn word(&mut self) -> Option<String> {
        let at = self.words.iter().position(|w| !w.starts_with('-'))?;
        Some(self.words.remove(at))
    }

    /// Takes the words after `--`.
    pub fn rest(&mut self) -> Vec<String> {
        std::mem::take(&mut self.rest)
    }

    /// An error when a word is left that no option took.
    pub fn finish(self) -> Result {
        match self.words.first() {
            Some(word) => Err(format!("unknown option '{word}' (a program to run goes after `--`)")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Args {
        Args::new(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn options_stop_at_the_double_dash() {
        let mut a = args("--driver noop --xvfb -- prog --xvfb --driver x");
        assert_eq!(a.value("--driver"), Ok(Some("noop".into())));
        assert!(a.flag("--xvfb"));
        assert_eq!(a.rest(), ["prog", "--xvfb", "--driver", "x"]);
        assert_eq!(a.finish(), Ok(()));
    }

    #[test]
    fn equals_form_and_errors() {
        let mut a = args("--jobs=3 --after");
        assert_eq!(a.parsed::<u32>("--jobs"), Ok(Some(3)));
        assert!(a.value("--after").is_err());
        let mut b = args("--jobs x");
        assert!(b.parsed::<u32>("--jobs").is_err());
        assert!(args("--nope").finish().is_err());
    }

    #[test]
    fn a_prefix_is_not_the_option() {
        let mut a = args("--device-x y");
        assert_eq!(a.value("--device"), Ok(None));
    }
}
