//! Files that others may read at any moment.

use std::fs;
use std::io::Result;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Ending of the name a file has while it is written.
pub(super) const UNFINISHED: &str = "tmp";

/// Writes a whole file, and the folder it is in. It is written under another name and renamed, so nobody reads half of it;
/// when that fails nothing is left behind but what was there before.
///
/// # Errors
/// The file system's.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!(".{}-{serial}.{UNFINISHED}", std::process::id()));
    let written = fs::write(&unfinished, content).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("gallite-file-{}", std::process::id()));
        let path = folder.join("deep").join("file");
        replace(&path, b"one").expect("written");
        replace(&path, b"another").expect("written again");
        assert_eq!(fs::read(&path).expect("readable"), b"another");
        assert!(replace(&folder.join("deep"), b"a folder is there").is_err());
        let left: Vec<_> = fs::read_dir(&folder).expect("folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["deep"]);
        let _ = fs::remove_dir_all(folder);
    }
}
