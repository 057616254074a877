//! The part of `test` that starts programs as a user does: by the names under which programs look for a GL.

use crate::image::ssim;
use crate::layout::{LINKS, Layout, Profile};
use crate::target::{Target, system_has_glvnd};
use crate::{Result, run, screenshot, shell};
use std::path::Path;

/// The name that makes the tools load a library through the dynamic loader, as any program does.
const LIBRARY: &str = "GALLITE_TEST_LIB";

/// Least SSIM of the demo's picture and that in docs/: devices round differently.
const LIMIT: f64 = 0.98;

/// Renders the demo through libglvnd, where the system has it, and compares the picture with that in docs/.
pub fn demo(layout: &Layout) -> Result {
    let dir = shell::target_dir()?.join("smoke");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let picture = dir.join("demo.png");
    let _ = std::fs::remove_file(&picture);
    let mut command = on(layout, "vulkan", system_has_glvnd(), &run::build_tool("gallite-demo", Profile::Dev)?);
    command.env(LIBRARY, "libEGL.so.1").arg("--png").arg(&picture);
    let text = shell::output_of(&mut command)?;
    print!("{text}");
    expect(&text, &["GL_VENDOR    Gallite", "driver       vulkan"])?;
    let score = ssim(&screenshot::read(&picture)?, &screenshot::read(&shell::root().join("docs/demo.png"))?)?;
    println!("SSIM {:.5}, over drawn parts {:.5}, limit {LIMIT}", score.mean, score.drawn);
    // Written this way a score that is not a number fails too.
    if score.drawn >= LIMIT { Ok(()) } else { Err("the demo's picture is not that of docs/demo.png".into()) }
}

/// Has each name on the library path asked what it is.
pub fn names(layout: &Layout) -> Result {
    let tool = run::build_tool("gallite-info", Profile::Dev)?;
    for name in LINKS {
        let mut command = on(layout, "noop", false, &tool);
        command.env(LIBRARY, name);
        let text = shell::output_of(&mut command)?;
        expect(&text, &[&format!("library        {name}"), "vendor         Gallite", "noop", "GL_ARB_"])
            .map_err(|missing| format!("{name}: {missing}"))?;
        println!("{name} on the library path is Gallite");
    }
    Ok(())
}

fn on(layout: &Layout, driver: &str, glvnd: bool, program: &Path) -> std::process::Command {
    let driver = Some(driver.to_owned());
    run::command_on(&Target::Gallite { layout: layout.clone(), driver, device: None, glvnd }, program)
}

fn expect(text: &str, words: &[&str]) -> Result {
    match words.iter().find(|word| !text.contains(**word)) {
        Some(word) => Err(format!("'{word}' is not in what the program printed:\n{text}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert!(expect("vendor Gallite\n", &["vendor Gallite"]).is_ok());
        let missing = expect("vendor Mesa\n", &["vendor", "Gallite"]).unwrap_err();
        assert!(missing.starts_with("'Gallite' is not"), "{missing}");
    }
}
