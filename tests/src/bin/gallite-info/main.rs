//! `gallite-info`: prints what an OpenGL implementation says of itself: strings, limits, extensions, formats.
//!
//! An ordinary program: it opens EGL (`GALLITE_TEST_LIB`, see [`gallite_tests::egl`]) and asks. Gallite's driver also says what it
//! can do, which code paths it chose, and which workarounds are in force.

mod driver;
mod formats;
mod limits;

use gallite_tests::draw::get_string;
use gallite_tests::{egl, gl};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("gallite-info: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    egl::open()?;
    let display = egl::GetPlatformDisplay(egl::PLATFORM_SURFACELESS_MESA, std::ptr::null_mut(), std::ptr::null());
    let (mut major, mut minor) = (0, 0);
    if egl::Initialize(display, &raw mut major, &raw mut minor) != egl::TRUE {
        return Err(format!("eglInitialize: {:#06x}", egl::GetError()));
    }
    print_egl(display);
    let context = core_context(display)?;
    print_gl();
    limits::print();
    formats::print();
    driver::print();
    let none = egl::NONE_HANDLE;
    egl::MakeCurrent(display, none, none, none);
    egl::DestroyContext(display, context);
    egl::Terminate(display);
    Ok(())
}

/// The highest core-profile version that the implementation gives, current without surface.
fn core_context(display: egl::Handle) -> Result<egl::Handle, String> {
    let none = egl::NONE_HANDLE;
    egl::BindAPI(egl::OPENGL_API);
    for (major, minor) in [(4, 6), (4, 5), (4, 4), (4, 3), (4, 2), (4, 1), (4, 0), (3, 3)] {
        let attribs = [
            egl::CONTEXT_MAJOR_VERSION,
            major,
            egl::CONTEXT_MINOR_VERSION,
            minor,
            egl::CONTEXT_OPENGL_PROFILE_MASK,
            egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
            egl::NONE,
        ];
        let context = egl::CreateContext(display, none, none, attribs.as_ptr());
        if !context.is_null() {
            return match egl::MakeCurrent(display, none, none, context) {
                egl::TRUE => Ok(context),
                _ => Err(format!("eglMakeCurrent: {:#06x}", egl::GetError())),
            };
        }
    }
    Err(format!("eglCreateContext gives no core profile: {:#06x}", egl::GetError()))
}

fn print_egl(display: egl::Handle) {
    let text = |name| egl::query_string(display, name);
    println!("EGL");
    println!("  library        {}", egl::opened_path().display());
    println!("  vendor         {}", text(egl::VENDOR));
    println!("  version        {}", text(egl::VERSION));
    println!("  client APIs    {}", text(egl::CLIENT_APIS));
    let mut configs = 0;
    egl::GetConfigs(display, std::ptr::null_mut(), 0, &raw mut configs);
    println!("  configs        {configs}");
    print_words("client extensions", &egl::query_string(egl::NONE_HANDLE, egl::EXTENSIONS));
    print_words("extensions", &text(egl::EXTENSIONS));
}

fn print_gl() {
    println!("\nOpenGL");
    println!("  vendor         {}", get_string(gl::VENDOR));
    println!("  renderer       {}", get_string(gl::RENDERER));
    println!("  version        {}", get_string(gl::VERSION));
    println!("  GLSL           {}", get_string(gl::SHADING_LANGUAGE_VERSION));
    let mut count = 0;
    gl::GetIntegerv(gl::NUM_EXTENSIONS, &raw mut count);
    let names: Vec<String> = (0..count.unsigned_abs()).map(limits::extension).collect();
    print_words("extensions", &names.join(" "));
}

/// A list of words, wrapped under its title.
fn print_words(title: &str, words: &str) {
    let mut words: Vec<&str> = words.split_ascii_whitespace().collect();
    words.sort_unstable();
    println!("  {title} ({})", words.len());
    let mut line = String::new();
    for word in words {
        if line.len() + word.len() > 100 {
            println!("   {line}");
            line.clear();
        }
        line.push(' ');
        line.push_str(word);
    }
    if !line.is_empty() {
        println!("   {line}");
    }
}
