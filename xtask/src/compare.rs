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

pub const USAGE: &str = "[--ssim 0.99] [--driver D] [--device NAME] [--after SECONDS] [-- PROGRAM ARGS..]";
pub const HELP: &str = "Runs a program on Gallite and on Mesa's llvmpipe, each under a virtual X server of its own,
and compares the two screens by SSIM. Fails below the limit, and when a screen is of one colour.
Without PROGRAM: a GTK 4 program, and mpv on a clip made with a test source.
  --ssim LIMIT      lowest mean SSIM that passes (0.99)
  --after SECONDS   how long the program runs at least before its picture is taken (5)
  --size WxH        the screens' size (1280x720)
  --driver, --device, --no-glvnd, --peer   as in `run`
The pictures are kept in the target folder under compare-screens/.";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let limit = args.parsed::<f64>("--ssim")?.unwrap_or(0.99);
    let mut screen = Screen::take(&mut args)?;
    screen.xvfb.get_or_insert((1280, 720));
    let choice = Choice::take(&mut args)?;
    let program = args.rest();
    args.finish()?;
    setup::ensure(&[Group::Build, Group::Run])?;
    let dir = shell::target_dir()?.join("compare-screens");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let programs = if program.is_empty() { default_programs(&dir)? } else { vec![program] };
    let ours = choice.build(Profile::Release)?;
    let mut bad = Vec::new();
    for program in &programs {
        match compare(&ours, program, &screen, limit, &dir) {
            Ok(line) => println!("{line}"),
            Err(line) => {
                println!("{line}");
                bad.push(line);
            }
        }
    }
    println!("{} passed, {} failed", programs.len() - bad.len(), bad.len());
    if bad.is_empty() { Ok(()) } else { Err("a picture differs".into()) }
}

/// The programs that are compared when none is named; they stand still.
fn default_programs(dir: &Path) -> Result<Vec<Vec<String>>> {
    setup::ensure(&[Group::Conform])?;
    let clip = dir.join("clip.mkv");
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=4"]);
    ffmpeg.args(["-c:v", "ffv1"]).arg(&clip);
    shell::must_run(&mut ffmpeg)?;
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut mpv = words("mpv --no-config --vo=gpu --gpu-context=x11egl --hwdec=no --no-audio");
    mpv.extend(words("--fs --pause --start=1 --keep-open=yes --osc=no --osd-level=0 --really-quiet"));
    mpv.push(clip.display().to_string());
    Ok(vec![words("gtk4-demo"), mpv])
}

/// One program on both; the line says how it went.
fn compare(ours: &Target, program: &[String], screen: &Screen, limit: f64, dir: &Path) -> Result<String> {
    let name = program.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
    let stem = name.to_string_lossy().into_owned();
    let file = |on: &str| dir.join(format!("{stem}-{on}.png"));
    let left = picture(ours, program, screen, &file("gallite")).map_err(|e| format!("{stem}: {e}"))?;
    let right = picture(&Target::Mesa(Peer::Llvmpipe), program, screen, &file("llvmpipe"))
        .map_err(|e| format!("{stem} on llvmpipe: {e}"))?;
    if left.is_blank() || right.is_blank() {
        return Err(format!("{stem}: a screen is of one colour, the program drew nothing"));
    }
    let score = ssim(&left, &right)?;
    let line = format!(
        "{stem}: SSIM {:.5}, over drawn parts {:.5}, limit {limit}, pictures in {}",
        score.mean,
        score.drawn,
        dir.display()
    );
    // Written this way a score that is not a number fails too.
    if score.mean >= limit { Ok(line) } else { Err(line) }
}

fn picture(target: &Target, program: &[String], screen: &Screen, file: &Path) -> Result<Image> {
    let (name, words) = program.split_first().ok_or("no program")?;
    let (width, height) = screen.xvfb.unwrap_or((1280, 720));
    let display = Display::start(width, height)?;
    let mut command = Command::new(name);
    command.args(words);
    target.apply(&mut command);
    use_display(&mut command, display.name());
    let mut running = Running::start(&mut command)?;
    screenshot::grab_settled(&mut running, screen.after, display.name(), file)
}
