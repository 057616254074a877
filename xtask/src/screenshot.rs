//! Pictures of an X server's root window, taken with ImageMagick.

use crate::image::Image;
use crate::{Result, shell};
use std::path::Path;
use std::process::Command;

/// Grabs the root window of `display`, writes it as PNG to `file`, and returns its pixels.
pub fn grab(display: &str, file: &Path) -> Result<Image> {
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
    }
    let mut import = Command::new("import");
    import.args(["-display", display, "-silent", "-window", "root", "-depth", "8"]).arg(file);
    shell::must_run(&mut import)?;
    read(file)
}

/// Reads any picture file that ImageMagick can read.
pub fn read(file: &Path) -> Result<Image> {
    let mut convert = Command::new("convert");
    convert.arg(file).args(["-depth", "8", "ppm:-"]);
    Image::from_ppm(&shell::bytes_of(&mut convert)?)
}
