//! Starting other programs: paths of the workspace, cargo, and commands that must succeed.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The workspace's root folder.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let own = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let own = own.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        own.parent().map(Path::to_path_buf).unwrap_or(own)
    })
}

/// Cargo's target folder as cargo itself sees it (environment and configuration included).
pub fn target_dir() -> Result<&'static Path> {
    static TARGET: OnceLock<Result<PathBuf>> = OnceLock::new();
    let found = TARGET.get_or_init(|| {
        let mut command = cargo();
        command.args(["metadata", "--format-version", "1", "--no-deps"]);
        let text = output_of(&mut command)?;
        let key = "\"target_directory\":\"";
        let start = text.find(key).ok_or("cargo metadata names no target folder")? + key.len();
        let end = text[start..].find('"').ok_or("cargo metadata ends early")? + start;
        Ok(PathBuf::from(&text[start..end]))
    });
    found.as_deref().map_err(Clone::clone)
}

/// The same cargo that runs this program, started in the workspace's root.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command with its output shown; an error when it cannot start or fails.
pub fn must_run(command: &mut Command) -> Result {
    let status = command.status().map_err(|e| format!("cannot start {}: {e}", name_of(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", line_of(command))) }
}

/// Runs a command and returns what it printed; its error output is shown.
pub fn output_of(command: &mut Command) -> Result<String> {
    String::from_utf8(bytes_of(command)?).map_err(|e| format!("{}: {e}", name_of(command)))
}

/// Runs a command and returns the bytes it printed; its error output is shown.
pub fn bytes_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot start {}: {e}", name_of(command)))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{} ended with {}", line_of(command), output.status))
    }
}

/// True when `program` is on the PATH.
pub fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

/// A command's program and words on one line, for messages.
pub fn line_of(command: &Command) -> String {
    let mut line = name_of(command);
    for word in command.get_args() {
        line.push(' ');
        line.push_str(&word.to_string_lossy());
    }
    line
}

fn name_of(command: &Command) -> String {
    Path::new(command.get_program()).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
