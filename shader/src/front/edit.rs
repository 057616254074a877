//! Edits of a source that leave its lines where they are.

/// Another text for a range of bytes.
pub(super) struct Edit {
    pub from: usize,
    pub to: usize,
    pub by: String,
}

/// A source with edits, those of one place in their order. Line ends of what is replaced come after its replacement.
pub(super) fn edited(source: &[u8], mut edits: Vec<Edit>) -> Vec<u8> {
    edits.sort_by_key(|edit| edit.from);
    let mut out = Vec::with_capacity(source.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(source.get(at..edit.from).unwrap_or_default());
        out.extend_from_slice(edit.by.as_bytes());
        out.extend(source.get(edit.from..edit.to).unwrap_or_default().iter().filter(|b| **b == b'\n'));
        at = edit.to;
    }
    out.extend_from_slice(source.get(at..).unwrap_or_default());
    out
}

/// Puts blanks in place of a text.
pub(super) fn blank(text: &mut [u8]) {
    text.iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
}
