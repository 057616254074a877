//! The pipeline cache on disk.

mod support;

use std::path::PathBuf;

use gallite_pipe::*;
use support::{FLAT, Rig, flat_desc};

/// A folder of this test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gallite-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> = std::fs::read_dir(&self.0).expect("a folder").flatten().map(|e| e.path()).collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Draws once; false where there is no device.
fn draw(folder: &Folder) -> bool {
    let Some(mut rig) = Rig::cached(Some(folder.0.clone())) else { return false };
    let format = Format::R8G8B8A8_UNORM;
    let target = rig.texture(format, 4, 4);
    rig.target(target, format, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
    rig.full_quad();
    assert_eq!(rig.read(target, 4, 4, 4), [255; 64]);
    rig.finish();
    true
}

#[test]
fn pipelines_are_kept_whatever_lies_in_the_folder() {
    let folder = Folder::new("pipelines");
    if !draw(&folder) {
        return;
    }
    let files = folder.files();
    assert_eq!(files.len(), 1, "one file and no remains of writing it: {files:?}");
    let good = std::fs::read(&files[0]).expect("the file");
    // Damaged in the middle, cut short, empty, and another device's: ignored, and written anew.
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0xff;
    let mut foreign = good.clone();
    foreign[10] ^= 0xff;
    for bad in [flipped, good[..good.len() - 9].to_vec(), Vec::new(), foreign] {
        std::fs::write(&files[0], &bad).expect("the file");
        assert!(draw(&folder));
        let now = std::fs::read(&files[0]).expect("the file");
        assert_ne!(now, bad, "written anew");
        assert_eq!(now[..40], good[..40], "with this device's identity");
        assert_eq!(folder.files().len(), 1);
    }
}

#[test]
fn old_files_do_not_pile_up() {
    let folder = Folder::new("old-pipelines");
    for i in 0..20 {
        std::fs::write(folder.0.join(format!("vulkan-{i:016x}.bin")), b"of a driver long gone").expect("a file");
    }
    std::fs::write(folder.0.join("another"), b"not ours to remove").expect("a file");
    if !draw(&folder) {
        return;
    }
    let files = folder.files();
    assert_eq!(files.len(), 9, "eight of ours and another's: {files:?}");
    assert!(folder.0.join("another").exists());
}
