//! `run`: any GL program on the library, or the project's own demo.

use crate::args::Args;
use crate::display::Display;
use crate::layout::Profile;
use crate::packages::Group;
use crate::target::{Choice, Target};
use crate::{Result, screenshot, setup, shell};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub const USAGE: &str = "[--driver D] [--device NAME] [--xvfb] [--screenshot FILE] [-- PROGRAM ARGS..]";
pub const HELP: &str = "Runs a GL program on Gallite; without PROGRAM the demo scene, into demo.png.
  --driver D         vulkan (default), noop, verify:vulkan, stream:vulkan, ..
  --device NAME      part of the Vulkan device's name
  --no-glvnd         put the library in the place of libEGL/libGL instead of going through libglvnd
  --peer P           run on Mesa instead: llvmpipe, zink, mesa-noop
  --xvfb             on a private virtual X server
  --size WxH         its screen (1280x720)
  --screenshot FILE  save the X screen as PNG once it stands still, then end the program
  --after SECONDS    how long the program runs at least before the picture (5)
  --frames N         of the demo
  --png FILE         of the demo (demo.png)";

/// How a program's screen is prepared and kept.
pub struct Screen {
    /// On a private X server of this size.
    pub xvfb: Option<(u32, u32)>,
    /// Where the picture goes.
    pub screenshot: Option<PathBuf>,
    /// When it is taken.
    pub after: Duration,
}

impl Screen {
    /// Takes `--xvfb`, `--size`, `--screenshot`, `--after`.
    pub fn take(args: &mut Args) -> Result<Self> {
        let size = args.value("--size")?.map_or(Ok((1280, 720)), |text| parse_size(&text))?;
        let seconds = args.parsed::<f64>("--after")?.unwrap_or(5.0).clamp(0.0, 3600.0);
        Ok(Self {
            xvfb: args.flag("--xvfb").then_some(size),
            screenshot: args.value("--screenshot")?.map(PathBuf::from),
            after: Duration::from_secs_f64(seconds),
        })
    }
}

fn parse_size(text: &str) -> Result<(u32, u32)> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parsed.ok_or_else(|| format!("--size: '{text}' is not WIDTHxHEIGHT"))
}

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let screen = Screen::take(&mut args)?;
    let choice = Choice::take(&mut args)?;
    let program = args.rest();
    let frames = args.parsed::<u32>("--frames")?;
    let png = args.value("--png")?.unwrap_or_else(|| "demo.png".into());
    args.finish()?;
    setup::ensure(&[Group::Build, Group::Run])?;
    let target = choice.build(Profile::Release)?;
    let mut command = match program.split_first() {
        Some((name, words)) => {
            let mut command = Command::new(name);
            command.args(words);
            command
        }
        None => {
            let mut command = Command::new(build_tool("gallite-demo", Profile::Release)?);
            command.args(["--png", &png]);
            if let Some(frames) = frames {
                command.args(["--frames", &frames.to_string()]);
            }
            command
        }
    };
    target.apply(&mut command);
    start(command, &screen)
}

/// Builds one of the `tests` package's programs and returns its path.
pub fn build_tool(name: &str, profile: Profile) -> Result<PathBuf> {
    let mut command = shell::cargo();
    command.args(["build", "--package", "gallite-tests", "--bin", name]);
    let folder = profile.choose(&mut command);
    shell::must_run(&mut command)?;
    Ok(shell::target_dir()?.join(folder).join(name))
}

/// Starts a prepared command and waits for its end, or for its picture.
pub fn start(mut command: Command, screen: &Screen) -> Result {
    let display = screen.xvfb.map(|(w, h)| Display::start(w, h)).transpose()?;
    if let Some(display) = &display {
        use_display(&mut command, display.name());
    }
    let Some(file) = &screen.screenshot else {
        return shell::must_run(&mut command);
    };
    let name = match &display {
        Some(display) => display.name().to_owned(),
        None => std::env::var("DISPLAY").map_err(|_| "--screenshot needs --xvfb or a DISPLAY")?,
    };
    let mut child = Running::start(&mut command)?;
    let image = screenshot::grab_settled(&mut child, screen.after, &name, file)?;
    println!("{}: {}x{}", file.display(), image.width, image.height);
    if image.is_blank() { Err("the screen is of one colour".into()) } else { Ok(()) }
}

/// Makes a program a client of an X server and of nothing else.
pub fn use_display(command: &mut Command, display: &str) {
    command.env("DISPLAY", display).env_remove("WAYLAND_DISPLAY").env("GDK_BACKEND", "x11");
}

/// A started program, ended when dropped.
pub struct Running(Child, String);

impl Running {
    /// Starts the command.
    pub fn start(command: &mut Command) -> Result<Self> {
        let line = shell::line_of(command);
        let child = command.stdin(Stdio::null()).spawn().map_err(|e| format!("cannot start {line}: {e}"))?;
        Ok(Self(child, line))
    }

    /// Waits; an error when the program ends before the time is over.
    pub fn must_live_for(&mut self, time: Duration) -> Result {
        let until = Instant::now() + time;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.0.try_wait() {
                return Err(format!("{} ended before the picture was taken: {status}", self.1));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// For commands that only want a target's environment.
pub fn command_on(target: &Target, program: &std::path::Path) -> Command {
    let mut command = Command::new(program);
    target.apply(&mut command);
    command
}
