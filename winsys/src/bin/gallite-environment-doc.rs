//! Writes docs/environment.md; with `--check` fails when it differs.

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/environment.md");
    let text = gallite_winsys::environment::documentation();
    if std::env::args().any(|argument| argument == "--check") {
        if std::fs::read_to_string(path)? != text {
            return Err(std::io::Error::other("docs/environment.md differs from the source"));
        }
        return Ok(());
    }
    std::fs::write(path, text)
}
