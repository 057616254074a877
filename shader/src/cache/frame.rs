//! Bytes that tell whether they are whole: a magic number, a hash of the content, the content.

/// Bytes in front of the content.
const HEADER: usize = 8 + 32;

/// Frames a content.
pub fn framed(magic: &[u8; 8], content: &[u8]) -> Vec<u8> {
    [magic.as_slice(), blake3::hash(content).as_bytes(), content].concat()
}

/// The content of a frame, if it is whole.
pub fn content<'a>(magic: &[u8; 8], frame: &'a [u8]) -> Option<&'a [u8]> {
    let (header, content) = frame.split_at_checked(HEADER)?;
    let hash = header.strip_prefix(magic)?;
    (blake3::hash(content).as_bytes() == hash).then_some(content)
}
