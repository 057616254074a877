//! Pictures of an X server's root window, taken with ImageMagick.

use crate::image::Image;
use crate::run::Running;
use crate::{Result, shell};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a picture may take to settle.
const SETTLE_LIMIT: Duration = Duration::from_secs(45);

/// Grabs the root window of `display` once it shows something and has not changed for a second; a program that
/// keeps moving, or draws nothing, is taken as it is at the limit. The program must stay alive meanwhile.
pub fn grab_settled(program: &mut Running, after: Duration, display: &str, file: &Path) -> Result<Image> {
    program.must_live_for(after)?;
    let until = Instant::now() + SETTLE_LIMIT;
    let mut last = grab(display, file)?;
    loop {
        program.must_live_for(Duration::from_secs(1))?;
        let now = grab(display, file)?;
        if (now == last && !now.is_blank()) || Instant::now() > until {
            return Ok(now);
        }
        last = now;
    }
}

/// Grabs the root window of `display`, writes it as PNG to `file`, and returns its pixels.
fn grab(display: &str, file: &Path) -> Result<Image> {
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
