//! `compare-screens`: one program on Gallite and on Mesa's rasteriser, their pictures compared.

use crate::args::Args;
use crate::display::Display;
use crate::image::{Image, ssim};
use crate::layout::Profile;
use crate::packages::Group;
use crate::run::{Running, Screen, use_display};
use crate::target::{Choice, Peer, Target};
use crate::{Result, screenshot, setup, shell};
use std::path::Path;
use std::process::Command;

pub const USAGE: &str = "[--ssim 0.99] [--driver D] [--device NAME] [--after SECONDS] -- PROGRAM ARGS..";
pub const HELP: &str = "Runs a program on Gallite and on Mesa's llvmpipe, each under a virtual X server of its own,
and compares the two screens by SSIM. Fails below the limit, and when a screen is of one colour.
  --ssim LIMIT      lowest mean SSIM that passes (0.99)
  --after SECONDS   how long the program runs at least before its picture is taken (5)
  --size WxH        the screens' size (1280x720)
  --driver, --device, --no-glvnd   as in `run`
The pictures are kept in the target folder under compare-screens/.";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let limit = args.parsed::<f64>("--ssim")?.unwrap_or(0.99);
    let mut screen = Screen::take(&mut args)?;
    screen.xvfb.get_or_insert((1280, 720));
    let choice = Choice::take(&mut args)?;
    let program = args.rest();
    args.finish()?;
    let Some((name, words)) = program.split_first() else {
        return Err("name the program after `--`".into());
    };
    setup::ensure(&[Group::Build, Group::Run])?;
    let dir = shell::target_dir()?.join("compare-screens");
    let stem = Path::new(name).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let ours =
        picture(&choice.build(Profile::Release)?, name, words, &screen, &dir.join(format!("{stem}-gallite.png")))?;
    let theirs =
        picture(&Target::Mesa(Peer::Llvmpipe), name, words, &screen, &dir.join(format!("{stem}-llvmpipe.png")))?;
    let score = ssim(&ours, &theirs)?;
    println!("{stem}: SSIM {score:.5} (limit {limit}), pictures in {}", dir.display());
    if ours.is_blank() || theirs.is_blank() {
        return Err("a screen is of one colour: the program drew nothing".into());
    }
    // Written this way a score that is not a number fails too.
    if score >= limit { Ok(()) } else { Err(format!("SSIM {score:.5} is below {limit}")) }
}

fn picture(target: &Target, name: &str, words: &[String], screen: &Screen, file: &Path) -> Result<Image> {
    let (width, height) = screen.xvfb.unwrap_or((1280, 720));
    let display = Display::start(width, height)?;
    let mut command = Command::new(name);
    command.args(words);
    target.apply(&mut command);
    use_display(&mut command, display.name());
    let mut program = Running::start(&mut command)?;
    screenshot::grab_settled(&mut program, screen.after, display.name(), file)
}
