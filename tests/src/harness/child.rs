//! The child process: runs the tests that the parent names, one context each.

use super::{Lane, Setup, Test, environment};
use crate::{egl, gl};
use std::any::Any;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Prefix of the lines that belong to the protocol and not to a test's own output.
pub const MARK: &str = "@gallite-test@ ";

/// What a test is handed.
pub struct Env {
    /// The lane it runs on.
    pub lane: Lane,
    /// The display, for every setup but `X11` and `Bare`.
    pub display: egl::Handle,
    /// The config that the context was made with.
    pub config: egl::Handle,
    /// The current context.
    pub context: egl::Handle,
    /// The current surface, for `Pbuffer`.
    pub surface: egl::Handle,
}

struct Skip(String);

/// Ends the running test as skipped.
pub fn skip(reason: &str) -> ! {
    std::panic::panic_any(Skip(reason.to_owned()))
}

/// Value of a driver counter by name, if the library under test has one.
pub fn counter(name: &str) -> Option<u64> {
    let address = egl::get_proc_address("gallite_counter");
    if address.is_null() {
        return None;
    }
    // SAFETY: Gallite documents this prototype for the name; it is null on any other library.
    let read: extern "C" fn(*const c_char) -> u64 = unsafe { std::mem::transmute(address) };
    let c_name = CString::new(name).ok()?;
    match read(c_name.as_ptr()) {
        u64::MAX => None,
        value => Some(value),
    }
}

/// All that a process printed, and how it ended: by itself, or because it took too long.
fn finished(mut process: Child, limit: Duration) -> String {
    fn read(stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
        std::thread::spawn(move || {
            let mut stream = stream;
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            bytes
        })
    }
    let readers = [process.stdout.take().map(read), process.stderr.take().map(read)];
    let deadline = Instant::now() + limit;
    let ended = loop {
        match process.try_wait().expect("child") {
            Some(status) => break status.to_string(),
            None if Instant::now() >= deadline => {
                let _ = process.kill();
                let _ = process.wait();
                break format!("no end within {} s", limit.as_secs());
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let bytes: Vec<u8> = readers.into_iter().flatten().filter_map(|reader| reader.join().ok()).flatten().collect();
    format!("{}{ended}\n", String::from_utf8_lossy(&bytes))
}

/// What the driver under the current context says of itself, as lines of a kind, a blank and a value; nothing where the
/// library under test is not Gallite.
pub fn caps() -> Option<String> {
    let address = egl::get_proc_address("gallite_caps");
    if address.is_null() {
        return None;
    }
    // SAFETY: Gallite documents this prototype for the name; it is null on any other library.
    let read: extern "C" fn(*mut u8, u64) -> u64 = unsafe { std::mem::transmute(address) };
    let mut text = vec![0; read(std::ptr::null_mut(), 0) as usize];
    read(text.as_mut_ptr(), text.len() as u64);
    String::from_utf8(text).ok()
}

/// Runs one test in a process of its own, on this lane and with these variables, and returns all it printed: for tests
/// that must see another test fail, or a process end.
pub fn run_child(lane: &str, variables: &[(&str, &str)], test: &str) -> String {
    let executable = std::env::current_exe().expect("path of the executable");
    let mut command = Command::new(executable);
    command.env("GALLITE_TEST_CHILD", lane).env("GALLITE_DRIVER", lane).envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("child");
    // A child that refuses its lane reads nothing.
    let _ = process.stdin.take().map(|mut orders| writeln!(orders, "gl::{test}"));
    let text = finished(process, environment::timeout());
    // What the child says to its parent is not what this process says to its own.
    text.replace(MARK, "child: ")
}

impl Env {
    /// Creates a core context of this version, sharing with `share` or with nothing.
    pub fn create_context(&self, major: u8, minor: u8, share: egl::Handle) -> egl::Handle {
        create_context(self.display, self.config, major, minor, share)
    }

    /// Makes `context` current without surface.
    pub fn make_current(&self, context: egl::Handle) {
        let none = egl::NONE_HANDLE;
        assert_eq!(egl::MakeCurrent(self.display, none, none, context), egl::TRUE);
    }
}

/// Display that all tests of this process share.
fn display() -> Result<(egl::Handle, egl::Handle), String> {
    struct Shared(egl::Handle, egl::Handle);
    // SAFETY: EGL handles are plain names, valid on every thread (EGL 1.5 2.2).
    unsafe impl Send for Shared {}
    // SAFETY: as above.
    unsafe impl Sync for Shared {}
    static DISPLAY: OnceLock<Result<Shared, String>> = OnceLock::new();
    let shared = DISPLAY.get_or_init(|| {
        egl::open()?;
        let none = std::ptr::null();
        let native = std::ptr::null_mut();
        let display = egl::GetPlatformDisplay(egl::PLATFORM_SURFACELESS_MESA, native, none);
        if display.is_null() {
            return Err(format!("no surfaceless display: {:#x}", egl::GetError()));
        }
        if egl::Initialize(display, &mut 0, &mut 0) != egl::TRUE {
            return Err(format!("eglInitialize: {:#x}", egl::GetError()));
        }
        let config = choose_config(display)?;
        Ok(Shared(display, config))
    });
    shared.as_ref().map(|s| (s.0, s.1)).map_err(Clone::clone)
}

fn choose_config(display: egl::Handle) -> Result<egl::Handle, String> {
    let attribs = [
        egl::RENDERABLE_TYPE,
        egl::OPENGL_BIT,
        egl::SURFACE_TYPE,
        egl::PBUFFER_BIT,
        egl::RED_SIZE,
        8,
        egl::GREEN_SIZE,
        8,
        egl::BLUE_SIZE,
        8,
        egl::ALPHA_SIZE,
        8,
        egl::DEPTH_SIZE,
        24,
        egl::STENCIL_SIZE,
        8,
        egl::SAMPLE_BUFFERS,
        0,
        egl::NONE,
    ];
    let mut config = egl::NONE_HANDLE;
    let mut count = 0;
    let chosen = egl::ChooseConfig(display, attribs.as_ptr(), &mut config, 1, &mut count);
    if chosen != egl::TRUE || count == 0 {
        return Err(format!("no RGBA8 D24S8 config: {:#x}", egl::GetError()));
    }
    Ok(config)
}

fn create_context(display: egl::Handle, config: egl::Handle, major: u8, minor: u8, share: egl::Handle) -> egl::Handle {
    create_context_of(display, config, [major, minor], egl::CONTEXT_OPENGL_CORE_PROFILE_BIT, share)
}

fn create_context_of(
    display: egl::Handle,
    config: egl::Handle,
    [major, minor]: [u8; 2],
    profile: i32,
    share: egl::Handle,
) -> egl::Handle {
    assert_eq!(egl::BindAPI(egl::OPENGL_API), egl::TRUE);
    let attribs = [
        egl::CONTEXT_MAJOR_VERSION,
        i32::from(major),
        egl::CONTEXT_MINOR_VERSION,
        i32::from(minor),
        egl::CONTEXT_OPENGL_PROFILE_MASK,
        profile,
        egl::NONE,
    ];
    let context = egl::CreateContext(display, config, share, attribs.as_ptr());
    assert!(!context.is_null(), "eglCreateContext: {:#x}", egl::GetError());
    context
}

fn prepare(lane: &Lane, setup: Setup) -> Result<Env, String> {
    let null = egl::NONE_HANDLE;
    let mut env = Env { lane: lane.clone(), display: null, config: null, context: null, surface: null };
    if matches!(setup, Setup::Bare | Setup::X11) {
        egl::open()?;
        return Ok(env);
    }
    (env.display, env.config) = display()?;
    let (major, minor) = match setup {
        Setup::Core(major, minor) => (major, minor),
        Setup::Compatibility(w, h) | Setup::Pbuffer(_, _, w, h) => {
            let attribs = [egl::WIDTH, i32::from(w), egl::HEIGHT, i32::from(h), egl::NONE];
            env.surface = egl::CreatePbufferSurface(env.display, env.config, attribs.as_ptr());
            if env.surface.is_null() {
                return Err(format!("eglCreatePbufferSurface: {:#x}", egl::GetError()));
            }
            if let Setup::Pbuffer(major, minor, ..) = setup { (major, minor) } else { (3, 3) }
        }
        _ => return Ok(env),
    };
    let compatibility = matches!(setup, Setup::Compatibility(..));
    let profile = if compatibility {
        egl::CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
    } else {
        egl::CONTEXT_OPENGL_CORE_PROFILE_BIT
    };
    env.context = create_context_of(env.display, env.config, [major, minor], profile, null);
    let made = egl::MakeCurrent(env.display, env.surface, env.surface, env.context);
    if made != egl::TRUE {
        return Err(format!("eglMakeCurrent: {:#x}", egl::GetError()));
    }
    if compatibility {
        // The contents of a new surface are undefined (EGL 1.5 3.5).
        gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT);
    }
    if environment::debug_output() {
        gl::Enable(gl::DEBUG_OUTPUT);
        gl::Enable(gl::DEBUG_OUTPUT_SYNCHRONOUS);
        gl::DebugMessageCallback(Some(print_message), std::ptr::null());
    }
    Ok(env)
}

extern "C" fn print_message(_: u32, _: u32, id: u32, _: u32, _: i32, message: *const c_char, _: *mut c_void) {
    // SAFETY: GL 4.6 core 20.2: the message is a zero-terminated string.
    let text = unsafe { CStr::from_ptr(message) };
    eprintln!("GL debug {id}: {}", text.to_string_lossy());
}

fn tear_down(env: &Env) {
    let null = egl::NONE_HANDLE;
    if !env.context.is_null() {
        egl::MakeCurrent(env.display, null, null, null);
        egl::DestroyContext(env.display, env.context);
    }
    if !env.surface.is_null() {
        egl::DestroySurface(env.display, env.surface);
    }
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<String>() {
        return text.clone();
    }
    payload.downcast_ref::<&str>().map_or("panic".to_owned(), |text| (*text).to_owned())
}

/// What the verify driver has found in this process so far; 0 where there is none, or no context.
fn verify_mismatches(env: &Env) -> u64 {
    if env.context.is_null() { 0 } else { counter("verify_mismatches").unwrap_or(0) }
}

/// Runs one test; `Ok(Some(reason))` is a skip.
fn run_one(lane: &Lane, test: &Test) -> Result<Option<String>, String> {
    let env = prepare(lane, test.setup)?;
    let mismatches = verify_mismatches(&env);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        (test.run)(&env);
        if !env.context.is_null() {
            assert_eq!(egl::GetCurrentContext(), env.context, "context at the end of the test");
            let error = gl::GetError();
            assert_eq!(error, gl::NO_ERROR, "GL error {error:#x} left at the end of the test");
            let found = verify_mismatches(&env) - mismatches;
            assert_eq!(found, 0, "mismatches of pushed state");
        }
    }));
    let torn_down = catch_unwind(AssertUnwindSafe(|| tear_down(&env)));
    match outcome {
        Ok(()) => torn_down.map(|()| None).map_err(|p| message_of(p.as_ref())),
        Err(payload) => match payload.downcast::<Skip>() {
            Ok(skip) => Ok(Some(skip.0)),
            Err(payload) => Err(message_of(payload.as_ref())),
        },
    }
}

/// What the lane runs on: renderer and version, checked against the lane's name.
fn proof(lane: &Lane) -> Result<String, String> {
    let env = prepare(lane, Setup::Core(3, 3))?;
    let renderer = crate::draw::get_string(gl::RENDERER);
    let version = crate::draw::get_string(gl::VERSION);
    tear_down(&env);
    lane.prove(&renderer)?;
    if lane.is_vulkan() && !environment::no_validation() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        if !maps.contains("VkLayer_khronos_validation") {
            return Err("the Vulkan validation layer is not loaded".to_owned());
        }
    }
    let path = egl::opened_path().display();
    Ok(format!("{renderer}; {version}; {path}"))
}

fn say(word: &str, text: &str) {
    let line = text.replace('\\', "\\\\").replace('\n', "\\n");
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{MARK}{word} {line}");
    let _ = out.flush();
}

/// Body of the child: one line from the parent is one test name.
pub fn main(lane: &str, tests: &[Test]) {
    let lane = Lane::new(lane);
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.payload().downcast_ref::<Skip>().is_none() {
            default_hook(info);
        }
    }));
    let started = catch_unwind(|| proof(&lane)).unwrap_or_else(|p| Err(message_of(p.as_ref())));
    match started {
        Ok(text) => say("ready", &text),
        Err(text) => return say("broken", &text),
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(name) = line else { break };
        let Some(test) = tests.iter().find(|test| test.name == name) else {
            say("failed", "no such test");
            continue;
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| run_one(&lane, test)))
            .unwrap_or_else(|payload| Err(message_of(payload.as_ref())));
        match outcome {
            Ok(None) => say("passed", ""),
            Ok(Some(reason)) => say("skipped", &reason),
            Err(message) => say("failed", &message),
        }
    }
    if let Ok((display, _)) = display() {
        egl::Terminate(display);
    }
    say("ended", "");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_does_not_end_is_ended() {
        let start = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sh")
        };
        let text = finished(start("echo begun; exec sleep 100"), Duration::from_millis(300));
        assert!(text.contains("begun\n") && text.contains("no end within"), "{text}");
        let text = finished(start("echo out; echo err >&2; exit 3"), Duration::from_secs(60));
        assert!(text.contains("out\n") && text.contains("err\n") && text.contains("exit status: 3"), "{text}");
    }
}
