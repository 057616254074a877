//! Writes the generated files of `gallite-winsys` in place; run from anywhere in the repository. With `--check` it
//! writes nothing and fails when a file differs.

fn main() -> Result<(), String> {
    let is_check = std::env::args().any(|argument| argument == "--check");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/egl/generated/");
    for file in gallite_egl_generator::files()? {
        let path = format!("{folder}{}", file.name);
        if is_check {
            if std::fs::read_to_string(&path).ok().as_deref() != Some(&file.text) {
                return Err(format!("{path} differs from what the generator writes"));
            }
        } else {
            std::fs::write(&path, file.text).map_err(|error| format!("{path}: {error}"))?;
        }
    }
    Ok(())
}
