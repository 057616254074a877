//! The built library under the names by which programs look for a GL: one folder of links and a vendor file.

use crate::{Result, shell};
use std::path::{Path, PathBuf};

/// The names under which programs load a GL or EGL.
pub const LINKS: &[&str] = &["libEGL.so.1", "libGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2"];

/// Cargo's build profile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// With debug assertions, for the tests.
    Dev,
    /// What users run.
    Release,
}

impl Profile {
    /// Makes a `cargo build` use it; the name of its folder.
    pub fn choose(self, command: &mut std::process::Command) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => {
                command.arg("--release");
                "release"
            }
        }
    }
}

/// The folder `gallite-lib` beside the built library.
#[derive(Clone)]
pub struct Layout {
    dir: PathBuf,
    library: PathBuf,
}

impl Layout {
    /// Builds the library and writes the folder.
    pub fn build(profile: Profile) -> Result<Self> {
        let mut command = shell::cargo();
        command.args(["build", "--package", "gallite"]);
        let folder = profile.choose(&mut command);
        shell::must_run(&mut command)?;
        let built = shell::target_dir()?.join(folder);
        Self::write(&built.join("libgallite.so"), &built.join("gallite-lib"))
    }

    fn write(library: &Path, dir: &Path) -> Result<Self> {
        if !library.is_file() {
            return Err(format!("the build left no {}", library.display()));
        }
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", dir.display());
        std::fs::create_dir_all(dir).map_err(failed)?;
        for name in LINKS {
            let link = dir.join(name);
            if std::fs::read_link(&link).is_ok_and(|to| to == library) {
                continue;
            }
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(library, &link).map_err(failed)?;
        }
        let layout = Self { dir: dir.to_path_buf(), library: library.to_path_buf() };
        std::fs::write(layout.vendor_file(), vendor_json(library)).map_err(failed)?;
        Ok(layout)
    }

    /// The folder to put on the library path.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The library itself.
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// The file that makes libglvnd load the library.
    pub fn vendor_file(&self) -> PathBuf {
        self.dir.join("gallite-egl-vendor.json")
    }
}

/// libglvnd's EGL vendor file, as its documentation describes it.
fn vendor_json(library: &Path) -> String {
    format!(
        "{{\n    \"file_format_version\": \"1.0.0\",\n    \"ICD\": {{ \"library_path\": \"{}\" }}\n}}\n",
        library.display()
    )
}
