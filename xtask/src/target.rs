//! Which GL implementation a program is started on: Gallite, or one of Mesa's as a peer.

use crate::Result;
use crate::args::Args;
use crate::layout::Layout;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One of Mesa's implementations, for comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Peer {
    /// Mesa's software rasteriser.
    Llvmpipe,
    /// Mesa's GL on Vulkan.
    Zink,
    /// Mesa's state tracker over its driver that does nothing.
    Noop,
}

impl Peer {
    /// From its name on the command line.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "llvmpipe" => Ok(Self::Llvmpipe),
            "zink" => Ok(Self::Zink),
            "mesa-noop" => Ok(Self::Noop),
            _ => Err(format!("no peer is called '{name}' (llvmpipe, zink, mesa-noop)")),
        }
    }

    fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Llvmpipe => &[("LIBGL_ALWAYS_SOFTWARE", "1"), ("GALLIUM_DRIVER", "llvmpipe")],
            Self::Zink => &[("LIBGL_ALWAYS_SOFTWARE", "1"), ("GALLIUM_DRIVER", "zink")],
            // With its worker thread Mesa's tracker would be measured on two cores.
            Self::Noop => &[("LIBGL_ALWAYS_SOFTWARE", "1"), ("GALLIUM_NOOP", "1"), ("mesa_glthread", "false")],
        }
    }
}

/// What a program runs on.
pub enum Target {
    /// This project's library.
    Gallite {
        /// Where the library and its links lie.
        layout: Layout,
        /// GALLITE_DRIVER, when chosen.
        driver: Option<String>,
        /// GALLITE_DEVICE, when chosen.
        device: Option<String>,
        /// Through libglvnd rather than in its place.
        glvnd: bool,
    },
    /// A peer of Mesa's.
    Mesa(Peer),
}

/// The choice as it stands on the command line, before anything is built.
pub struct Choice {
    peer: Option<Peer>,
    driver: Option<String>,
    device: Option<String>,
    glvnd: bool,
}

impl Choice {
    /// Takes `--driver`, `--device`, `--peer` and `--no-glvnd`.
    pub fn take(args: &mut Args) -> Result<Self> {
        Ok(Self {
            peer: args.value("--peer")?.map(|name| Peer::parse(&name)).transpose()?,
            driver: args.value("--driver")?,
            device: args.value("--device")?,
            glvnd: !args.flag("--no-glvnd") && system_has_glvnd(),
        })
    }

    /// Gallite with this driver and device.
    pub fn of(driver: Option<String>, device: Option<String>) -> Self {
        Self { peer: None, driver, device, glvnd: system_has_glvnd() }
    }

    /// Builds the library when it is Gallite that was chosen.
    pub fn build(self, profile: crate::layout::Profile) -> Result<Target> {
        match self.peer {
            Some(peer) => Ok(Target::Mesa(peer)),
            None => Ok(Target::Gallite {
                layout: Layout::build(profile)?,
                driver: self.driver,
                device: self.device,
                glvnd: self.glvnd,
            }),
        }
    }
}

impl Target {
    /// Sets the environment of a program that is to run on this target.
    pub fn apply(&self, command: &mut Command) {
        set_runtime_dir(command);
        match self {
            Self::Gallite { layout, driver, device, glvnd } => {
                if *glvnd {
                    command.env("__EGL_VENDOR_LIBRARY_FILENAMES", layout.vendor_file());
                } else {
                    command.env("LD_LIBRARY_PATH", prepend(layout.dir(), "LD_LIBRARY_PATH"));
                }
                if let Some(driver) = driver {
                    command.env("GALLITE_DRIVER", driver);
                }
                if let Some(device) = device {
                    command.env("GALLITE_DEVICE", device);
                }
                command.env("GALLITE_LIB", layout.library());
            }
            Self::Mesa(peer) => {
                let vendor = Path::new("/usr/share/glvnd/egl_vendor.d/50_mesa.json");
                if vendor.exists() {
                    command.env("__EGL_VENDOR_LIBRARY_FILENAMES", vendor);
                }
                command.envs(peer.environment().iter().copied());
            }
        }
    }
}

/// True when the system's libEGL.so.1 is libglvnd's, which loads vendors by JSON files.
pub fn system_has_glvnd() -> bool {
    let listing = Command::new("/sbin/ldconfig").arg("-p").output();
    listing.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).contains("libGLdispatch.so"))
}

fn prepend(dir: &Path, variable: &str) -> std::ffi::OsString {
    let old = std::env::var_os(variable).unwrap_or_default();
    let dirs = std::iter::once(PathBuf::from(dir)).chain(std::env::split_paths(&old));
    let dirs = dirs.filter(|path| !path.as_os_str().is_empty());
    std::env::join_paths(dirs).unwrap_or_else(|_| dir.into())
}

/// Toolkits want a private runtime folder; a bare container has none.
fn set_runtime_dir(command: &mut Command) {
    if std::env::var_os("XDG_RUNTIME_DIR").is_some() {
        return;
    }
    if let Ok(target) = crate::shell::target_dir() {
        let dir = target.join("runtime-dir");
        let made = std::fs::create_dir_all(&dir).is_ok();
        use std::os::unix::fs::PermissionsExt;
        if made && std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o700)).is_ok() {
            command.env("XDG_RUNTIME_DIR", dir);
        }
    }
}
