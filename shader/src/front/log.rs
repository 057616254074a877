//! glslang's messages in the form GL programs know: `0:LINE(COL): error: TEXT`.

use std::collections::{HashMap, HashSet};

/// Reformats a raw log. Warnings about extensions the context does advertise are dropped: they
/// are part of what glslang always accepts.
pub(super) fn tidy(raw: &str, advertised: &[String]) -> String {
    let mut out = String::new();
    for line in raw.lines() {
        let line = line.trim_end();
        let (kind, rest) = if let Some(rest) = line.strip_prefix("ERROR: ") {
            ("error", rest)
        } else if let Some(rest) = line.strip_prefix("WARNING: ") {
            ("warning", rest)
        } else if let Some(rest) = line.strip_prefix("INTERNAL ERROR: ") {
            ("error", rest)
        } else if line.is_empty() {
            continue;
        } else {
            ("note", line)
        };
        if is_noise(kind, rest, advertised) {
            continue;
        }
        match location(rest) {
            Some((string, line, column, text)) => {
                out.push_str(&format!("{string}:{line}({column}): {kind}: {text}\n"));
            }
            None => {
                out.push_str(&format!("{kind}: {rest}\n"));
            }
        }
    }
    out
}

/// Identifiers that glslang sees under another name: the program's by that name.
pub(super) type Renamed = HashMap<String, String>;

/// Appends the lines of a log that are not there yet, names as the program wrote them.
pub(super) fn append_new(messages: &mut String, log: &str, renamed: &Renamed) {
    let mut restored = String::with_capacity(log.len());
    let mut rest = log;
    while let Some(start) = rest.find(is_ident) {
        let end = rest[start..].find(|c| !is_ident(c)).map_or(rest.len(), |n| start + n);
        let word = &rest[start..end];
        restored.push_str(&rest[..start]);
        restored.push_str(renamed.get(word).map_or(word, String::as_str));
        rest = &rest[end..];
    }
    restored.push_str(rest);
    let known: HashSet<&str> = messages.lines().collect();
    let new: String = restored.split_inclusive('\n').filter(|line| !known.contains(line.trim_end())).collect();
    messages.push_str(&new);
}

fn is_ident(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What glslang warns of where a function's result is converted by its return statement.
const RETURN_CONVERSION: &str = "type conversion on return values was not explicitly allowed";

/// Whether a raw log has that warning.
pub(super) fn has_return_conversion(raw: &str) -> bool {
    raw.contains(RETURN_CONVERSION)
}

/// The raw log with errors in place of those warnings.
pub(super) fn with_return_errors(raw: &str) -> String {
    let lines = raw.lines().map(|line| match line.strip_prefix("WARNING: ") {
        Some(rest) if rest.contains(RETURN_CONVERSION) => format!("ERROR: {rest}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Errors that the specification leaves to the link: locations that overlap or are too large (GLSL 4.60 section 4.4.1).
pub(super) const OF_PROGRAMS: [&str; 3] =
    ["overlapping use of location", "the aliases sharing the location", "location is too large"];

/// Whether a raw log has errors, and each is one of those.
pub(super) fn has_only(raw: &str, texts: &[&str]) -> bool {
    let errors = raw.lines().filter(|line| line.starts_with("ERROR: "));
    let mut errors = errors.filter(|line| !is_noise("error", line, &[])).peekable();
    errors.peek().is_some() && errors.all(|line| texts.iter().any(|text| line.contains(text)))
}

fn is_noise(kind: &str, rest: &str, advertised: &[String]) -> bool {
    rest.contains("compilation errors.  No code generated")
        || rest.contains("'' : compilation terminated")
        || (kind == "warning"
            && rest.contains("extension not supported")
            && advertised.iter().any(|e| rest.contains(e.as_str())))
        || (kind == "note" && (rest.starts_with("Linked ") || rest.starts_with("SPIR-V")))
}

/// Splits `STRING:LINE:COLUMN: TEXT`.
fn location(rest: &str) -> Option<(u32, u32, u32, &str)> {
    let (string, rest) = rest.split_once(':')?;
    let (line, rest) = rest.split_once(':')?;
    let string = string.parse().ok()?;
    let line = line.parse().ok()?;
    match rest.split_once(':').and_then(|(c, text)| Some((c.trim().parse().ok()?, text))) {
        Some((column, text)) => Some((string, line, column, text.trim())),
        None => Some((string, line, 1, rest.trim())),
    }
}

/// The lines on which the identifiers of a source are first seen.
pub(super) struct Lines<'a>(HashMap<&'a str, usize>);

impl<'a> Lines<'a> {
    /// Reads a source.
    pub fn of(source: &'a str) -> Self {
        let mut first = HashMap::new();
        for (i, line) in source.lines().enumerate() {
            for word in line.split(|c| !is_ident(c)) {
                first.entry(word).or_insert(i + 1);
            }
        }
        Self(first)
    }

    /// The line of a name; of `Block.member` that of the member. 1 when it is nowhere.
    pub fn of_name(&self, name: &str) -> usize {
        let name = name.rsplit('.').next().unwrap_or(name);
        self.0.get(name).copied().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_line_and_column() {
        let raw = "ERROR: 0:12:5: 'foo' : undeclared identifier \nERROR: 1 compilation errors.  No code generated.\n\n";
        assert_eq!(tidy(raw, &[]), "0:12(5): error: 'foo' : undeclared identifier\n");
    }

    #[test]
    fn names_are_restored_word_by_word() {
        let renamed = [("XXa1", "GL_b"), ("XXa", "GL_a")].map(|(seen, written)| (seen.to_owned(), written.to_owned()));
        let mut messages = "old\n".to_owned();
        append_new(&mut messages, "old\n'XXa1' : XXa, XXa2\n", &renamed.into());
        assert_eq!(messages, "old\n'GL_b' : GL_a, XXa2\n");
    }

    #[test]
    fn finds_the_line_of_a_member() {
        assert_eq!(Lines::of("in B {\n int abc;\n int b;\n};").of_name("B.b"), 3);
        assert_eq!(Lines::of("").of_name("x"), 1);
    }

    #[test]
    fn link_messages_have_no_line() {
        let raw = "ERROR: Linking vertex stage: Missing entry point\n";
        assert_eq!(tidy(raw, &[]), "error: Linking vertex stage: Missing entry point\n");
    }
}
