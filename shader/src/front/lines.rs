//! Source lines as the preprocessor counts them (GLSL 4.60 sections 3.1 and 3.2).

/// Brings every line end to a single line feed and joins lines that a backslash continues.
///
/// GLSL 4.20 made the continuation a rule; drivers take it in every version, and glslang does so
/// from 4.20 only. The line feeds taken out come back after the joined line, so that later lines
/// keep their numbers.
pub(super) fn join(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut owed = 0;
    let mut at = 0;
    while let Some(&b) = source.get(at) {
        if b == b'\\'
            && let Some(len) = line_end(source, at + 1)
        {
            owed += 1;
            at += 1 + len;
            continue;
        }
        match line_end(source, at) {
            Some(len) => {
                out.resize(out.len() + 1 + owed, b'\n');
                owed = 0;
                at += len;
            }
            None => {
                out.push(b);
                at += 1;
            }
        }
    }
    out.resize(out.len() + owed, b'\n');
    out
}

/// Number of the source string and of the line that a line of a text has by its `#line` directives, which count from the
/// next line on or, before GLSL 3.30 (section 3.3), from the one that they name.
pub(super) fn place(text: &[u8], line: u32, next: bool) -> (u32, u32) {
    let (mut string, mut number) = (0, 0);
    for text in text.split(|b| *b == b'\n').take(line as usize) {
        number += 1;
        let words = text.trim_ascii_start().strip_prefix(b"#").map(|rest| rest.trim_ascii_start());
        let Some(words) = words.and_then(|rest| rest.strip_prefix(b"line")) else { continue };
        let mut words = words.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
        let mut value = || std::str::from_utf8(words.next()?).ok()?.parse::<u32>().ok();
        if let Some(named) = value() {
            number = named.wrapping_sub(u32::from(next));
            string = value().unwrap_or(string);
        }
    }
    (string, number)
}

/// Length of the line end at `at`: a carriage return, a line feed, or a pair of them in either order.
fn line_end(source: &[u8], at: usize) -> Option<usize> {
    match (source.get(at)?, source.get(at + 1)) {
        (b'\r', Some(b'\n')) | (b'\n', Some(b'\r')) => Some(2),
        (b'\r' | b'\n', _) => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{join, place};

    #[test]
    fn line_ends_become_one() {
        assert_eq!(join(b"a\r\nb\rc\n\rd\n\ne"), b"a\nb\nc\nd\n\ne");
    }

    #[test]
    fn directives_name_lines() {
        let text = b"a\n#line 10 3\nb\nc\n # line 7\nd";
        assert_eq!([1, 3, 4, 6].map(|line| place(text, line, true)), [(0, 1), (3, 10), (3, 11), (3, 7)]);
        assert_eq!([1, 3, 6].map(|line| place(text, line, false)), [(0, 1), (3, 11), (3, 8)]);
    }

    #[test]
    fn continuation_joins_and_keeps_later_numbers() {
        assert_eq!(join(b"ab\\\ncd\\\r\nef\ng"), b"abcdef\n\n\ng");
        assert_eq!(join(b"a\\"), b"a\\");
        assert_eq!(join(b"a\\\n"), b"a\n");
    }
}
