//! Entries on disk, safe under several processes.
//!
//! One file an entry, under a folder named by the key's first two digits. A file is replaced as a whole; it carries a hash of its content, so a damaged one is as good as none. A
//! full disk or a folder that can't be written costs the entry, nothing else. The oldest entries go when the size
//! passes the limit; a hit makes an entry young again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use serde::{Serialize, de::DeserializeOwned};

use super::{Key, file, frame};

const MAGIC: &[u8; 8] = b"GLLTSC01";
/// A file longer than this is not read: no program is that large.
const MAX_ENTRY: u64 = 64 << 20;
/// Writes of one process between two looks at the size of the whole.
const WRITES_PER_TRIM: u32 = 256;
/// A hit renews the age of an entry older than this.
const RENEW_AFTER: Duration = Duration::from_secs(3600);
/// A file left by a writer that died is older than this.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);
/// Writes that fail one after the other until no more are tried.
const MAX_FAILURES: u32 = 8;

/// A folder of entries.
#[derive(Debug)]
pub struct DiskCache {
    root: PathBuf,
    limit: u64,
    writes: AtomicU32,
    failures: AtomicU32,
}

impl DiskCache {
    /// The entries under `root`, at most `limit` bytes of them. Nothing is read or made yet.
    pub fn new(root: PathBuf, limit: u64) -> Self {
        let (writes, failures) = Default::default();
        Self { root, limit, writes, failures }
    }

    /// The entry of a key, if there is one and it is whole.
    pub(super) fn get<T: DeserializeOwned>(&self, key: Key) -> Option<T> {
        let path = self.path(key);
        let file = fs::File::open(&path).ok()?;
        let metadata = file.metadata().ok()?;
        if metadata.len() > MAX_ENTRY {
            return None;
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        std::io::Read::read_to_end(&mut &file, &mut bytes).ok()?;
        let value = frame::content(MAGIC, &bytes).and_then(|content| postcard::from_bytes(content).ok());
        if value.is_none() {
            tracing::debug!(path = %path.display(), "damaged cache entry");
            let _ = fs::remove_file(&path);
            return None;
        }
        let now = SystemTime::now();
        if metadata.modified().is_ok_and(|then| age(now, then) > RENEW_AFTER) {
            // A clock or a file system that refuses only makes the entry look older than it is.
            let _ = fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(now));
        }
        value
    }

    /// Keeps an entry.
    pub(super) fn put<T: Serialize>(&self, key: Key, value: &T) {
        if self.failures.load(Ordering::Relaxed) >= MAX_FAILURES {
            return;
        }
        match self.write(key, value) {
            Ok(()) => self.failures.store(0, Ordering::Relaxed),
            Err(error) => {
                tracing::debug!("cache entry not written: {error}");
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
        }
        if self.writes.fetch_add(1, Ordering::Relaxed).is_multiple_of(WRITES_PER_TRIM) {
            self.trim();
        }
    }

    fn write<T: Serialize>(&self, key: Key, value: &T) -> Result<(), std::io::Error> {
        let content = postcard::to_stdvec(value).map_err(std::io::Error::other)?;
        let framed = frame::framed(MAGIC, &content);
        // It would not be read.
        if framed.len() as u64 > MAX_ENTRY {
            return Ok(());
        }
        file::replace(&self.path(key), &framed)
    }

    fn path(&self, key: Key) -> PathBuf {
        let name = key.file_name();
        self.root.join(&name[..2]).join(name)
    }

    /// Removes what dead writers left, and the oldest entries while there are too many bytes.
    fn trim(&self) {
        let now = SystemTime::now();
        let mut entries = Vec::new();
        for folder in files(&self.root) {
            for path in files(&folder) {
                let Ok(metadata) = fs::metadata(&path) else { continue };
                let age = metadata.modified().map_or(Duration::MAX, |then| age(now, then));
                if path.extension().is_some_and(|extension| extension == file::UNFINISHED) {
                    if age > ABANDONED_AFTER {
                        let _ = fs::remove_file(&path);
                    }
                } else {
                    entries.push((age, metadata.len(), path));
                }
            }
        }
        let mut size: u64 = entries.iter().map(|(_, len, _)| len).sum();
        if size <= self.limit {
            return;
        }
        // Some room is made, so that not every look finds the limit passed.
        entries.sort_unstable_by_key(|(age, ..)| std::cmp::Reverse(*age));
        for (_, len, path) in entries {
            if size <= self.limit / 4 * 3 {
                break;
            }
            let _ = fs::remove_file(path);
            size -= len;
        }
    }
}

/// How old; a time in the future counts as now.
fn age(now: SystemTime, then: SystemTime) -> Duration {
    now.duration_since(then).unwrap_or_default()
}

/// The paths in a folder, none when it can't be read.
fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map(|all| all.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
}

#[cfg(test)]
impl DiskCache {
    /// Every entry's path.
    pub(super) fn entries(&self) -> Vec<PathBuf> {
        files(&self.root).iter().flat_map(|folder| files(folder)).collect()
    }

    /// Where a key's entry is.
    pub(super) fn path_of(&self, key: Key) -> PathBuf {
        self.path(key)
    }

    /// Trims now.
    pub(super) fn trim_now(&self) {
        self.trim();
    }
}
