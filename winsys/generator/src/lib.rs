//! Writes the EGL tables and C entry points of `gallite-winsys` from the Khronos registry.
//!
//! Owns: the list of EGL versions and extensions Gallite exports ([`selection`]), the mapping from C
//! parameter types to the Rust types of the commands ([`types`]) and the text of the generated files
//! ([`emit`]). Must not know: how a command works. Begin reading at [`files`].

mod emit;
mod registry;
mod selection;
mod types;

pub use registry::{Command, Param, Registry};

/// One generated file: its path relative to `winsys/src/egl/generated`, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// File name inside the generated folder.
    pub name: &'static str,
    /// Complete text, ready to be written.
    pub text: String,
}

/// The folder of the generated files relative to the repository root.
pub const OUTPUT_FOLDER: &str = "winsys/src/egl/generated";

/// Generates every file from the committed registry.
///
/// # Errors
/// A message when the registry can't be parsed, or holds a listed command with a type that
/// [`types`] doesn't map.
pub fn files() -> Result<Vec<GeneratedFile>, String> {
    let registry = Registry::parse(include_str!("../../registry/egl.xml"))?;
    let commands = selection::commands(&registry)?;
    Ok(vec![
        GeneratedFile { name: "enums.rs", text: emit::enums(&registry) },
        GeneratedFile { name: "entry_points.rs", text: emit::entry_points(&commands)? },
        GeneratedFile { name: "dispatch.rs", text: emit::dispatch(&commands)? },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed files are what the generator writes.
    #[test]
    fn committed_files_are_current() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/egl/generated/");
        for file in files().expect("registry") {
            let committed = std::fs::read_to_string(format!("{folder}{}", file.name)).expect(file.name);
            assert!(committed == file.text, "{} differs: run `cargo xtask gen`", file.name);
        }
    }

    /// EGL 1.5 has 44 commands; a registry that lost one must not go unnoticed.
    #[test]
    fn every_core_command_is_selected() {
        let registry = Registry::parse(include_str!("../../registry/egl.xml")).expect("registry");
        let commands = selection::commands(&registry).expect("selection");
        assert_eq!(commands.iter().filter(|c| c.is_core).count(), 44);
    }
}
