//! Writes the generated files of `gallite-winsys` in place; run from anywhere in the repository.

fn main() -> Result<(), String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/egl/generated/");
    for file in gallite_egl_generator::files()? {
        let path = format!("{folder}{}", file.name);
        std::fs::write(&path, file.text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}
