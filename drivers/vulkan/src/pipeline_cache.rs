//! The pipeline cache, in memory and on disk.
//!
//! The file carries the identity of device, driver and build before Vulkan's own bytes; one that does not match, or
//! is damaged, is ignored. Files have an upper size, and those of devices and drivers that are gone do not pile up. A cache
//! that has outgrown its file starts anew and holds what is made from then on, so that programs that came later are kept too.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use parking_lot::RwLock;

use crate::gpu::Gpu;
use crate::options::VulkanOptions;

/// Pipelines of more bytes than this are neither read nor written.
const MAX_BYTES: usize = 64 << 20;
/// What stands before them in the file: [`MAGIC`], the identity and a checksum.
const HEAD_BYTES: usize = 8 + 32 + 8;
/// Files kept in the folder: of several devices, or of drivers before an update.
const MAX_FILES: usize = 8;
const MAGIC: &[u8; 8] = b"GLLTPC01";

/// A native cache, for as long as somebody makes a pipeline with it.
pub(crate) struct Cache {
    gpu: Arc<Gpu>,
    pub raw: vk::PipelineCache,
}

impl Cache {
    /// A cache of these bytes, an empty one when they are refused.
    fn new(gpu: &Arc<Gpu>, data: &[u8]) -> Arc<Self> {
        let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
        let raw = gpu
            .device
            .create_pipeline_cache(&info)
            .or_else(|_| gpu.device.create_pipeline_cache(&vk::PipelineCacheCreateInfo::default()))
            .unwrap_or_default();
        Arc::new(Self { gpu: gpu.clone(), raw })
    }

    fn data(&self) -> Option<Vec<u8>> {
        if self.raw == vk::PipelineCache::null() { None } else { self.gpu.device.pipeline_cache_data(self.raw) }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        if self.raw != vk::PipelineCache::null() {
            self.gpu.device.destroy_pipeline_cache(self.raw);
        }
    }
}

/// A pipeline cache that is kept on disk.
pub(crate) struct PipelineCache {
    gpu: Arc<Gpu>,
    current: RwLock<Arc<Cache>>,
    path: Option<PathBuf>,
    /// Bytes of the pipelines in the file, or of a cache that has nothing to go there yet.
    on_disk: AtomicUsize,
}

/// What is to be done with a cache of some size.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// The file has it.
    Nothing,
    Write,
    /// It has outgrown the file.
    StartAnew,
}

fn next(bytes: usize, on_disk: usize) -> Next {
    match bytes {
        _ if bytes > MAX_BYTES => Next::StartAnew,
        _ if bytes == on_disk => Next::Nothing,
        _ => Next::Write,
    }
}

/// The build of this driver, the shader crate and the interface between them: what turns a program into pipelines.
const BUILD: &str = env!("GALLITE_VULKAN_BUILD");

/// Identity of everything a cached pipeline depends on.
pub(crate) fn identity(gpu: &Gpu) -> [u8; 32] {
    let adapter = &gpu.selected.adapter;
    digest(&[
        &adapter.device_uuid,
        &adapter.driver_uuid,
        &adapter.properties.pipeline_cache_uuid,
        &adapter.properties.driver_version.to_le_bytes(),
        BUILD.as_bytes(),
        adapter.driver_info.as_bytes(),
    ])
}

fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = [0xcbf2_9ce4_8422_2325u64, 0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];
    for (i, lane) in hash.iter_mut().enumerate() {
        for b in parts.iter().copied().flatten() {
            *lane = (*lane ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3).rotate_left(i as u32 * 7 + 1);
        }
    }
    let mut id = [0; 32];
    for (slot, lane) in id.chunks_exact_mut(8).zip(hash) {
        slot.copy_from_slice(&lane.to_le_bytes());
    }
    id
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// The payload of a cache file, if it belongs to `id` and is whole.
fn parse<'a>(file: &'a [u8], id: &[u8; 32]) -> Option<&'a [u8]> {
    let rest = file.strip_prefix(MAGIC)?.strip_prefix(id)?;
    let (sum, data) = rest.split_at_checked(8)?;
    (checksum(data).to_le_bytes() == sum).then_some(data)
}

fn file_bytes(data: &[u8], id: &[u8; 32]) -> Vec<u8> {
    [MAGIC.as_slice(), id, &checksum(data).to_le_bytes(), data].concat()
}

/// Removes the files written longest ago, past [`MAX_FILES`].
fn remove_oldest(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut files: Vec<(std::time::SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|e| {
            let name = e.file_name();
            let name = name.to_string_lossy();
            name.starts_with("vulkan-") && name.ends_with(".bin")
        })
        .filter_map(|e| Some((e.metadata().and_then(|m| m.modified()).ok()?, e.path())))
        .collect();
    files.sort();
    for (_, path) in files.iter().take(files.len().saturating_sub(MAX_FILES)) {
        let _ = std::fs::remove_file(path);
    }
}

impl PipelineCache {
    pub fn open(gpu: &Arc<Gpu>, options: &VulkanOptions) -> Self {
        let id = identity(gpu);
        let name: String = id[..8].iter().map(|b| format!("{b:02x}")).collect();
        let path = options.cache_dir.as_ref().map(|dir| dir.join(format!("vulkan-{name}.bin")));
        let file = path
            .as_ref()
            .filter(|p| std::fs::metadata(p).is_ok_and(|m| m.len() <= (HEAD_BYTES + MAX_BYTES) as u64))
            .and_then(|p| std::fs::read(p).ok())
            .unwrap_or_default();
        let data = parse(&file, &id).unwrap_or_default();
        let current = RwLock::new(Cache::new(gpu, data));
        Self { gpu: gpu.clone(), current, path, on_disk: AtomicUsize::new(data.len()) }
    }

    /// The native cache that pipelines are made with now.
    pub fn current(&self) -> Arc<Cache> {
        self.current.read().clone()
    }

    /// Whether there is a file to keep it in.
    pub fn is_kept(&self) -> bool {
        self.path.is_some()
    }

    /// Writes the file if there is more than it holds.
    pub fn save(&self) {
        let Some(path) = &self.path else { return };
        let Some(data) = self.current().data() else { return };
        match next(data.len(), self.on_disk.load(Ordering::Relaxed)) {
            Next::Nothing => return,
            Next::StartAnew => return self.start_anew(),
            Next::Write => {}
        }
        match gallite_shader::cache::replace_file(path, &file_bytes(&data, &identity(&self.gpu))) {
            Ok(()) => {
                self.on_disk.store(data.len(), Ordering::Relaxed);
                path.parent().map(remove_oldest);
            }
            Err(error) => tracing::debug!("pipeline cache not written: {error}"),
        }
    }

    /// Takes an empty cache. The file stays until that has pipelines.
    fn start_anew(&self) {
        let empty = Cache::new(&self.gpu, &[]);
        self.on_disk.store(empty.data().map_or(0, |data| data.len()), Ordering::Relaxed);
        *self.current.write() = empty;
    }
}

impl Drop for PipelineCache {
    fn drop(&mut self) {
        if !self.gpu.is_lost() {
            self.save();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_that_outgrow_their_file_start_anew() {
        assert_eq!(next(32, 0), Next::Write);
        assert_eq!(next(32, 32), Next::Nothing);
        // As large as a file may be, and read again.
        assert_eq!(next(MAX_BYTES, 32), Next::Write);
        assert_eq!(next(MAX_BYTES + 1, MAX_BYTES), Next::StartAnew);
        assert_eq!(next(48, 32), Next::Write, "what is made from then on");
    }

    #[test]
    fn every_build_has_its_own_identity() {
        // Sixteen digits of what the code is, and how it was optimised: a version says neither.
        let (code, profile) = BUILD.split_once('-').expect("two parts");
        assert!(code.len() == 16 && code.bytes().all(|b| b.is_ascii_hexdigit()) && !profile.is_empty(), "{BUILD}");
        assert_ne!(digest(&[b"device", b"one build"]), digest(&[b"device", b"another"]));
    }

    #[test]
    fn damaged_or_foreign_files_are_ignored() {
        let id = [7; 32];
        let file = file_bytes(b"pipelines", &id);
        assert_eq!(file.len(), HEAD_BYTES + 9);
        assert_eq!(parse(&file, &id), Some(b"pipelines".as_slice()));
        assert_eq!(parse(&file, &[8; 32]), None);
        assert_eq!(parse(&file[..file.len() - 1], &id), None);
        let mut flipped = file.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert_eq!(parse(&flipped, &id), None);
        assert_eq!(parse(b"", &id), None);
    }
}
