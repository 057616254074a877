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
    use super::join;

    #[test]
    fn line_ends_become_one() {
        assert_eq!(join(b"a\r\nb\rc\n\rd\n\ne"), b"a\nb\nc\nd\n\ne");
    }

    #[test]
    fn continuation_joins_and_keeps_later_numbers() {
        assert_eq!(join(b"ab\\\ncd\\\r\nef\ng"), b"abcdef\n\n\ng");
        assert_eq!(join(b"a\\"), b"a\\");
        assert_eq!(join(b"a\\\n"), b"a\n");
    }
}
