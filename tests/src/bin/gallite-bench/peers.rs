//! The implementations compared, what makes each one run, and how a child proves that it ran on the right one.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// One implementation with one driver.
pub struct Peer {
    pub name: &'static str,
    /// Whether this is the library of this repository.
    ours: bool,
    environment: &'static [(&'static str, &'static str)],
    /// Runs on Vulkan, under the layer that discards submissions when a bench asks for it.
    pub vulkan: bool,
    /// Text that GL_RENDERER must contain, in lower case.
    renderer: &'static str,
}

pub const GALLITE_NOOP: Peer = Peer {
    name: "gallite-noop",
    ours: true,
    environment: &[("GALLITE_DRIVER", "noop")],
    vulkan: false,
    renderer: "noop",
};
pub const MESA_NOOP: Peer = Peer {
    name: "mesa-noop",
    ours: false,
    environment: &[("LIBGL_ALWAYS_SOFTWARE", "1"), ("GALLIUM_NOOP", "1"), ("mesa_glthread", "false")],
    vulkan: false,
    renderer: "noop",
};
pub const GALLITE_VULKAN: Peer = Peer {
    name: "gallite-vulkan",
    ours: true,
    environment: &[("GALLITE_DRIVER", "vulkan"), ("GALLITE_COMPATIBILITY", "1")],
    vulkan: true,
    renderer: "gallite",
};
pub const ZINK: Peer = Peer {
    name: "zink",
    ours: false,
    environment: &[("LIBGL_ALWAYS_SOFTWARE", "1"), ("GALLIUM_DRIVER", "zink"), ("mesa_glthread", "false")],
    vulkan: true,
    renderer: "zink",
};

/// What is put beside what: ours first.
pub const PAIRS: [(Peer, Peer); 2] = [(GALLITE_NOOP, MESA_NOOP), (GALLITE_VULKAN, ZINK)];

/// Variables that choose an implementation; a child sees only those its peer sets.
const SELECTORS: [&str; 15] = [
    "GALLITE_TEST_LIB",
    "GALLITE_DRIVER",
    "GALLITE_COMPATIBILITY",
    "LIBGL_ALWAYS_SOFTWARE",
    "LD_LIBRARY_PATH",
    "GALLIUM_DRIVER",
    "GALLIUM_NOOP",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "mesa_glthread",
    "VK_INSTANCE_LAYERS",
    "VK_LOADER_LAYERS_ENABLE",
    "VK_LAYER_PATH",
    "__EGL_VENDOR_LIBRARY_FILENAMES",
    "DISPLAY",
    "WAYLAND_DISPLAY",
];

impl Peer {
    /// A command that starts this program as a child on this implementation.
    pub fn command(&self, discard_submissions: bool) -> Result<Command, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        for name in SELECTORS {
            command.env_remove(name);
        }
        // What programs load; glvnd finds the implementation behind it.
        command.env("GALLITE_TEST_LIB", "libEGL.so.1").envs(self.environment.iter().copied());
        if self.ours {
            // Through glvnd when a vendor file is given, so that both sides pay for the same dispatch stubs.
            if let Ok(vendor) = std::env::var("GALLITE_VENDOR_FILE") {
                command.env("__EGL_VENDOR_LIBRARY_FILENAMES", vendor);
            } else {
                command.env("GALLITE_TEST_LIB", library()?);
            }
        }
        if self.vulkan && discard_submissions {
            command.env("VK_LAYER_PATH", layer_folder()?).env("VK_INSTANCE_LAYERS", "VK_LAYER_GALLITE_nullexec");
        }
        Ok(command)
    }

    /// Starts a child, checks its proof of identity and returns its lines split at tabs.
    ///
    /// `proof` lines are `renderer<TAB>name` and, where the bench discards work, `executes<TAB>yes|no`.
    pub fn measure(&self, command: Command) -> Result<Vec<Vec<String>>, String> {
        let (lines, ended) = self.measure_partly(command)?;
        ended.then_some(lines).ok_or_else(|| format!("{} ended early", self.name))
    }

    /// The same for a child that may end early; the flag says that it did not.
    pub fn measure_partly(&self, mut command: Command) -> Result<(Vec<Vec<String>>, bool), String> {
        let output = command.stderr(Stdio::inherit()).output().map_err(|e| format!("{}: {e}", self.name))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<Vec<String>> = text.lines().map(|l| l.split('\t').map(str::to_owned).collect()).collect();
        let renderer = field(&lines, "renderer").unwrap_or_default().to_lowercase();
        if !renderer.contains(self.renderer) {
            return Err(format!("{} ran on \"{renderer}\"", self.name));
        }
        if field(&lines, "executes").is_some_and(|answer| answer == "yes") {
            return Err(format!("{} executed the work that it should have discarded", self.name));
        }
        Ok((lines, output.status.success()))
    }
}

/// Second column of the first line that starts with `key`.
pub fn field<'a>(lines: &'a [Vec<String>], key: &str) -> Option<&'a str> {
    lines.iter().find(|line| line[0] == key).and_then(|line| line.get(1)).map(String::as_str)
}

/// `GALLITE_LIB`, else `libgallite.so` beside this program.
fn library() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("GALLITE_LIB") {
        return Ok(path.into());
    }
    let path = beside("libgallite.so")?;
    if path.exists() { Ok(path) } else { Err(format!("{} is not there; build the library", path.display())) }
}

/// Folder with the layer's manifest, which this writes beside the built layer.
fn layer_folder() -> Result<PathBuf, String> {
    let library = beside("libgallite_nullexec.so")?;
    if !library.exists() {
        return Err(format!("{} is not there; build the package gallite-nullexec", library.display()));
    }
    let folder = library.with_file_name("nullexec-layer");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let manifest = format!(
        r#"{{"file_format_version": "1.0.0", "layer": {{"name": "VK_LAYER_GALLITE_nullexec", "type": "GLOBAL",
"library_path": "{}", "api_version": "1.3.0", "implementation_version": "1",
"description": "records as usual, submits nothing", "functions": {{
"vkGetInstanceProcAddr": "nullexec_GetInstanceProcAddr", "vkGetDeviceProcAddr": "nullexec_GetDeviceProcAddr"}}}}}}
"#,
        library.display()
    );
    std::fs::write(folder.join("VkLayer_nullexec.json"), manifest).map_err(|e| e.to_string())?;
    Ok(folder)
}

fn beside(name: &str) -> Result<PathBuf, String> {
    Ok(std::env::current_exe().map_err(|e| e.to_string())?.with_file_name(name))
}
