//! `gallite-demo`: renders a scene of our own offscreen through EGL and OpenGL 3.3 core, and writes its last frame as a PNG.
//!
//! It loads the GL implementation as a program would (see [`gallite_tests::egl::library_path`]), so it also shows
//! what any other implementation makes of the same scene. Begin reading at [`scene::Scene::draw`].

#![forbid(unsafe_code)]

mod math;
mod mesh;
mod scene;
mod shaders;
mod targets;
mod textures;

use std::process::ExitCode;
use std::time::Instant;

use gallite_tests::client::Display;
use gallite_tests::draw::get_string;
use gallite_tests::{egl, gl};

const USAGE: &str = "usage: gallite-demo [--frames N] [--size WxH] [--png FILE] [--samples N]";

struct Options {
    frames: u32,
    width: i32,
    height: i32,
    samples: i32,
    png: Option<String>,
}

fn options() -> Result<Options, String> {
    let mut options = Options { frames: 60, width: 1280, height: 720, samples: 4, png: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        if flag == "--help" {
            return Err(USAGE.to_owned());
        }
        let value = arguments.next().ok_or_else(|| format!("{flag} needs a value\n{USAGE}"))?;
        let bad = || format!("{flag} {value}: not understood\n{USAGE}");
        match flag.as_str() {
            "--frames" => options.frames = value.parse::<u32>().map_err(|_| bad())?.max(1),
            "--samples" => options.samples = value.parse().map_err(|_| bad())?,
            "--png" => options.png = Some(value),
            "--size" => {
                let (width, height) = value.split_once('x').ok_or_else(bad)?;
                options.width = width.parse().map_err(|_| bad())?;
                options.height = height.parse().map_err(|_| bad())?;
                if !(16..=8192).contains(&options.width) || !(16..=8192).contains(&options.height) {
                    return Err(bad());
                }
            }
            _ => return Err(format!("{flag}: unknown option\n{USAGE}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("gallite-demo: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let library = egl::library_path();
    let egl = Display::open()?;
    let _context = egl.core_context([3, 3])?;
    println!("library      {}", library.display());
    println!("EGL          {}", egl.description());
    println!("GL_VENDOR    {}", get_string(gl::VENDOR));
    let renderer = get_string(gl::RENDERER);
    println!("GL_RENDERER  {renderer}");
    // Gallite's is `Gallite (DEVICE, DRIVER (VERSION))`, where a device's name may have commas itself.
    let parts = renderer.strip_prefix("Gallite (").and_then(|rest| rest.strip_suffix(')'));
    if let Some((_, driver)) = parts.and_then(|rest| rest.rsplit_once("), ").or_else(|| rest.rsplit_once(", "))) {
        println!("driver       {driver}");
    }
    println!("GL_VERSION   {}", get_string(gl::VERSION));
    println!("GLSL         {}", get_string(gl::SHADING_LANGUAGE_VERSION));

    let started = Instant::now();
    let mut scene = scene::Scene::new(options.width, options.height, options.samples)?;
    // One frame outside the measurement: it pays for whatever the implementation defers to first use.
    scene.draw(0.0);
    gl::Finish();
    println!("set-up       {:.1} ms (with the first frame)", started.elapsed().as_secs_f64() * 1e3);

    let started = Instant::now();
    for frame in 0..options.frames {
        scene.draw(frame as f32 / 60.0);
        gl::Flush();
    }
    gl::Finish();
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "frames       {} of {}x{} in {seconds:.2} s: {:.1} frames per second",
        options.frames,
        options.width,
        options.height,
        f64::from(options.frames) / seconds
    );

    let pixels = scene.read();
    check_error()?;
    if let Some(path) = &options.png {
        write_png(path, options.width as u32, options.height as u32, &pixels).map_err(|e| format!("{path}: {e}"))?;
        println!("picture      {path}");
    }
    Ok(())
}

fn check_error() -> Result<(), String> {
    match gl::GetError() {
        0 => Ok(()),
        code => Err(format!("GL error {code:#06x} during the run")),
    }
}

/// Writes RGBA rows, given bottom row first as GL reads them, as an opaque PNG.
fn write_png(path: &str, width: u32, height: u32, pixels: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let mut top_down = Vec::with_capacity((width * height * 3) as usize);
    for row in pixels.chunks_exact(width as usize * 4).rev() {
        for pixel in row.chunks_exact(4) {
            top_down.extend_from_slice(&pixel[..3]);
        }
    }
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&top_down)?;
    Ok(())
}
