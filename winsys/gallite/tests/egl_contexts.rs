//! EGL as a program meets it further on: the order of configs, the attributes of contexts, handles that are no more, and
//! contexts that move between threads (EGL 1.5 3.2, 3.4.1.2, 3.7; EGL_KHR_create_context).

mod support;

use std::cmp::Ordering;
use std::ptr::{null, null_mut};
use std::sync::mpsc::channel;

use support::*;

const GREEN_SIZE: i32 = 0x3023;
const BLUE_SIZE: i32 = 0x3022;
const BUFFER_SIZE: i32 = 0x3020;
const STENCIL_SIZE: i32 = 0x3026;
const CAVEAT: i32 = 0x3027;
const CONFIG_ID: i32 = 0x3028;
const SAMPLE_BUFFERS: i32 = 0x3032;
const MAJOR: i32 = 0x3098;
const MINOR: i32 = 0x30FB;
const FLAGS: i32 = 0x30FC;
const PROFILE: i32 = 0x30FD;
const DEBUG: i32 = 0x31B0;
const FORWARD: i32 = 0x31B1;
const ROBUST: i32 = 0x31B2;
const NO_ERROR: i32 = 0x31B3;
const RESET_STRATEGY: i32 = 0x31BD;
const RELEASE_BEHAVIOR: i32 = 0x2097;

fn attribute(egl: &Egl, display: Handle, config: Handle, name: i32) -> i32 {
    let mut value = -1;
    assert_eq!(egl.eglGetConfigAttrib(display, config, name, &mut value), 1, "{name:#06x}");
    value
}

/// How the rules of EGL 1.5 3.4.1.2 order two configs, for a request of these pairs.
fn order(get: impl Fn(Handle, i32) -> i32, pairs: &[i32], a: Handle, b: Handle) -> Ordering {
    let requested = |name: i32| pairs.chunks(2).any(|pair| pair[0] == name && pair[1] > 0);
    let bits = |config: Handle| -> i32 {
        let colours = [RED_SIZE, GREEN_SIZE, BLUE_SIZE, ALPHA_SIZE];
        colours.into_iter().filter(|name| requested(*name)).map(|name| get(config, name)).sum()
    };
    // Special: EGL_NONE (0x3038) before EGL_SLOW_CONFIG (0x3050) before EGL_NON_CONFORMANT_CONFIG (0x3051).
    let mut found = get(a, CAVEAT).cmp(&get(b, CAVEAT)).then(bits(b).cmp(&bits(a)));
    for name in [BUFFER_SIZE, SAMPLE_BUFFERS, SAMPLES, DEPTH_SIZE, STENCIL_SIZE, CONFIG_ID] {
        if name != CONFIG_ID || get(a, 0x302F) == get(b, 0x302F) {
            found = found.then(get(a, name).cmp(&get(b, name)));
        }
    }
    found
}

#[test]
fn configs_come_in_the_order_of_the_rules() {
    let egl = egl();
    let display = egl.surfaceless();
    for pairs in [
        &[][..],
        &[RED_SIZE, 1],
        &[RED_SIZE, 8, GREEN_SIZE, 8, BLUE_SIZE, 8],
        &[RED_SIZE, 5, ALPHA_SIZE, 1, DEPTH_SIZE, 16],
        &[RED_SIZE, -1, ALPHA_SIZE, 8],
        &[SAMPLES, 2, DEPTH_SIZE, 1, STENCIL_SIZE, 1],
    ] {
        let mut list = vec![RENDERABLE_TYPE, OPENGL_BIT, SURFACE_TYPE, 0];
        list.extend_from_slice(pairs);
        list.push(END);
        let (mut configs, mut count) = (vec![NONE; 512], 0);
        assert_eq!(egl.eglChooseConfig(display, list.as_ptr(), configs.as_mut_ptr(), 512, &mut count), 1);
        configs.truncate(count as usize);
        assert!(configs.len() > 1, "{pairs:?}");
        let get = |config, name| attribute(egl, display, config, name);
        for pair in configs.windows(2) {
            let text = |config| [CONFIG_ID, BUFFER_SIZE, RED_SIZE, SAMPLES, DEPTH_SIZE].map(|name| get(config, name));
            let found = order(get, pairs, pair[0], pair[1]);
            assert_ne!(found, Ordering::Greater, "{pairs:?}: {:?} before {:?}", text(pair[0]), text(pair[1]));
        }
        // What was asked for is what there is at least.
        for config in &configs {
            for pair in pairs.chunks(2).filter(|pair| pair[1] > 0) {
                assert!(get(*config, pair[0]) >= pair[1]);
            }
        }
        // A shorter list is the beginning of the long one, and no list is only a count.
        let (mut first, mut one) = (NONE, 0);
        assert_eq!(egl.eglChooseConfig(display, list.as_ptr(), &mut first, 1, &mut one), 1);
        assert_eq!((first, one), (configs[0], 1));
        assert_eq!(egl.eglChooseConfig(display, list.as_ptr(), null_mut(), 0, &mut one), 1);
        assert_eq!(one, count);
    }
}

/// glGetIntegerv of the current context.
fn integer(egl: &Egl, name: u32) -> i32 {
    let proc = egl.eglGetProcAddress(c"glGetIntegerv".as_ptr());
    assert!(!proc.is_null());
    // SAFETY: the prototype of glGetIntegerv, which the library returned for its name.
    let get: unsafe extern "C" fn(u32, *mut i32) = unsafe { std::mem::transmute(proc) };
    let mut value = -1;
    // SAFETY: the names asked for here have one value.
    unsafe { get(name, &mut value) };
    value
}

const GL_MAJOR_VERSION: u32 = 0x821B;
const GL_MINOR_VERSION: u32 = 0x821C;
const GL_CONTEXT_FLAGS: u32 = 0x821E;
const GL_CONTEXT_PROFILE_MASK: u32 = 0x9126;
const GL_RESET_NOTIFICATION_STRATEGY: u32 = 0x8256;

#[test]
fn refused_context_attributes() {
    let egl = egl();
    let display = egl.surfaceless();
    for (list, error, what) in [
        (&[MAJOR, 0][..], BAD_MATCH, "OpenGL 0.0"),
        (&[MAJOR, -1], BAD_MATCH, "a negative version"),
        (&[MAJOR, 3, MINOR, -1], BAD_MATCH, "a negative minor version"),
        (&[MAJOR, 1, MINOR, 6], BAD_MATCH, "OpenGL 1.6"),
        (&[MAJOR, 2, MINOR, 2], BAD_MATCH, "OpenGL 2.2"),
        (&[MAJOR, 3, MINOR, 4], BAD_MATCH, "OpenGL 3.4"),
        (&[MAJOR, 5], BAD_MATCH, "OpenGL 5.0"),
        (&[MAJOR, 2, MINOR, 1, FORWARD, 1], BAD_MATCH, "forward-compatible 2.1"),
        (&[MAJOR, 3, MINOR, 2, PROFILE, 0], BAD_MATCH, "no profile"),
        (&[MAJOR, 3, MINOR, 2, PROFILE, 3], BAD_MATCH, "two profiles"),
        (&[MAJOR, 3, MINOR, 2, PROFILE, 4], BAD_MATCH, "an unknown profile"),
        (&[MAJOR, 3, MINOR, 3, FLAGS, 8], BAD_ATTRIBUTE, "an unknown flag"),
        (&[MAJOR, 3, MINOR, 3, DEBUG, 2], BAD_ATTRIBUTE, "a boolean of 2"),
        (&[MAJOR, 3, MINOR, 3, FORWARD, -1], BAD_ATTRIBUTE, "a boolean of -1"),
        (&[MAJOR, 3, MINOR, 3, ROBUST, 7], BAD_ATTRIBUTE, "a boolean of 7"),
        (&[MAJOR, 3, MINOR, 3, RESET_STRATEGY, 0], BAD_ATTRIBUTE, "no strategy"),
        (&[MAJOR, 3, MINOR, 3, RELEASE_BEHAVIOR, 1], BAD_ATTRIBUTE, "no behaviour"),
        (&[MAJOR, 3, MINOR, 3, NO_ERROR, 1, DEBUG, 1], BAD_MATCH, "debug without errors"),
        (&[MAJOR, 3, MINOR, 3, NO_ERROR, 1, FLAGS, 4], BAD_MATCH, "robust without errors"),
        (&[MAJOR, 3, MINOR, 3, WIDTH, 1], BAD_ATTRIBUTE, "an attribute of surfaces"),
    ] {
        let list: Vec<i32> = list.iter().copied().chain([END]).collect();
        assert!(egl.eglCreateContext(display, NONE, NONE, list.as_ptr()).is_null(), "{what}");
        egl.expect(error, what);
    }
}

/// What was asked for is what GL says the context is.
#[test]
fn accepted_context_attributes() {
    std::thread::spawn(|| {
        let egl = egl();
        let display = egl.surfaceless();
        for (list, flags) in [
            (&[MAJOR, 3, MINOR, 3][..], 0),
            (&[MAJOR, 3, MINOR, 1, PROFILE, 0x77], 0),
            (&[MAJOR, 3, MINOR, 2, PROFILE, 1, FLAGS, 0], 0),
            (&[MAJOR, 3, MINOR, 0, FORWARD, 1], 1),
            (&[MAJOR, 3, MINOR, 3, FLAGS, 1], 2),
            (&[MAJOR, 3, MINOR, 3, FLAGS, 2], 1),
            (&[MAJOR, 3, MINOR, 3, FLAGS, 4], 4),
            (&[MAJOR, 3, MINOR, 3, DEBUG, 1, FORWARD, 1, ROBUST, 1], 7),
            (&[MAJOR, 3, MINOR, 3, DEBUG, 1, DEBUG, 0], 0),
            (&[MAJOR, 3, MINOR, 3, NO_ERROR, 1], 8),
            (&[MAJOR, 3, MINOR, 3, RESET_STRATEGY, 0x31BF, RELEASE_BEHAVIOR, 0], 0),
        ] {
            let ended: Vec<i32> = list.iter().copied().chain([END]).collect();
            let context = egl.eglCreateContext(display, NONE, NONE, ended.as_ptr());
            assert!(!context.is_null(), "{list:x?}: {:#06x}", egl.eglGetError());
            assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 1);
            let version = (integer(egl, GL_MAJOR_VERSION), integer(egl, GL_MINOR_VERSION));
            assert!(version >= (3, if list.contains(&MINOR) { list[3] } else { 0 }), "{list:x?}: {version:?}");
            assert_eq!(integer(egl, GL_CONTEXT_FLAGS), flags, "{list:x?}");
            assert_eq!(integer(egl, GL_CONTEXT_PROFILE_MASK) & 2, 0, "{list:x?}: a core context");
            let loses = list.contains(&RESET_STRATEGY);
            assert_eq!(integer(egl, GL_RESET_NOTIFICATION_STRATEGY), if loses { 0x8252 } else { 0x8261 }, "{list:x?}");
            egl.release(display);
            assert_eq!(egl.eglDestroyContext(display, context), 1);
        }
        egl.eglReleaseThread();
    })
    .join()
    .expect("thread");
}

/// Every command that takes a display looks at it first (EGL 1.5 3.1), whatever the rest is.
#[test]
fn dead_displays_and_handles() {
    let egl = egl();
    let dead = 0x5150 as Handle;
    let mut value = 0;
    let (mut word, mut handle) = (0, NONE);
    let check = |name: &str, refused: bool| {
        egl.expect(BAD_DISPLAY, name);
        assert!(refused, "{name}");
    };
    check("eglGetConfigAttrib", egl.eglGetConfigAttrib(dead, dead, 1, &mut value) == 0);
    check("eglChooseConfig", egl.eglChooseConfig(dead, null(), &mut handle, 1, &mut value) == 0);
    check("eglCreateContext", egl.eglCreateContext(dead, NONE, NONE, null()).is_null());
    check("eglDestroyContext", egl.eglDestroyContext(dead, dead) == 0);
    check("eglQueryContext", egl.eglQueryContext(dead, dead, 1, &mut value) == 0);
    check("eglMakeCurrent", egl.eglMakeCurrent(dead, NONE, NONE, NONE) == 0);
    check("eglCreatePbufferSurface", egl.eglCreatePbufferSurface(dead, dead, null()).is_null());
    check("eglCreateWindowSurface", egl.eglCreateWindowSurface(dead, dead, dead, null()).is_null());
    check("eglCreatePixmapSurface", egl.eglCreatePixmapSurface(dead, dead, dead, null()).is_null());
    check("eglDestroySurface", egl.eglDestroySurface(dead, dead) == 0);
    check("eglQuerySurface", egl.eglQuerySurface(dead, dead, 1, &mut value) == 0);
    check("eglSurfaceAttrib", egl.eglSurfaceAttrib(dead, dead, 1, 1) == 0);
    check("eglSwapBuffers", egl.eglSwapBuffers(dead, dead) == 0);
    check("eglSwapInterval", egl.eglSwapInterval(dead, 1) == 0);
    check("eglCopyBuffers", egl.eglCopyBuffers(dead, dead, dead) == 0);
    check("eglCreateSync", egl.eglCreateSync(dead, 0x30F9, null()).is_null());
    check("eglDestroySync", egl.eglDestroySync(dead, dead) == 0);
    check("eglClientWaitSync", egl.eglClientWaitSync(dead, dead, 0, 0) == 0);
    check("eglWaitSync", egl.eglWaitSync(dead, dead, 0) == 0);
    check("eglGetSyncAttrib", egl.eglGetSyncAttrib(dead, dead, 1, &mut word) == 0);
    // On a display that lives, handles that never did.
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let context = egl.context(display, config, NONE);
    let check = |error: i32, name: &str, refused: bool| {
        egl.expect(error, name);
        assert!(refused, "{name}");
    };
    check(BAD_CONTEXT, "eglDestroyContext", egl.eglDestroyContext(display, dead) == 0);
    check(BAD_CONTEXT, "eglQueryContext", egl.eglQueryContext(display, dead, 1, &mut value) == 0);
    check(BAD_CONTEXT, "eglMakeCurrent", egl.eglMakeCurrent(display, NONE, NONE, dead) == 0);
    check(BAD_SURFACE, "eglMakeCurrent", egl.eglMakeCurrent(display, dead, dead, context) == 0);
    check(BAD_SURFACE, "eglDestroySurface", egl.eglDestroySurface(display, dead) == 0);
    check(BAD_SURFACE, "eglQuerySurface", egl.eglQuerySurface(display, dead, WIDTH, &mut value) == 0);
    check(BAD_SURFACE, "eglSurfaceAttrib", egl.eglSurfaceAttrib(display, dead, 0x3093, 0x3095) == 0);
    check(BAD_CONFIG, "eglCreatePbufferSurface", egl.eglCreatePbufferSurface(display, dead, null()).is_null());
    assert_eq!(egl.eglDestroyContext(display, context), 1);
}

/// Objects of a share group live as long as one of its contexts does, and a context goes from thread to thread.
#[test]
fn contexts_change_threads() {
    let egl = egl();
    let display = egl.surfaceless();
    let first = egl.context(display, NONE, NONE);
    let second = egl.context(display, NONE, first);
    let words = [display, first, second].map(|handle| handle as usize);
    for round in 0..4 {
        std::thread::spawn(move || {
            let [display, first, second] = words.map(|word| word as Handle);
            let context = if round % 2 == 0 { first } else { second };
            assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 1, "round {round}");
            assert!(integer(egl, GL_MAJOR_VERSION) >= 3, "round {round}");
            // Every other thread ends with its context current.
            if round < 2 {
                egl.eglReleaseThread();
                assert!(egl.eglGetCurrentContext().is_null());
            }
        })
        .join()
        .expect("thread");
    }
    // Destroyed here while current there.
    let (to_there, here) = channel::<()>();
    let (done, wait) = channel();
    let thread = std::thread::spawn(move || {
        let [display, first, _] = words.map(|word| word as Handle);
        assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, first), 1);
        done.send(()).expect("the other thread");
        here.recv().expect("destroyed");
        assert_eq!(egl.eglGetCurrentContext(), first);
        assert!(integer(egl, GL_MAJOR_VERSION) >= 3, "still works");
        egl.release(display);
        assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, first), 0);
        egl.expect(BAD_CONTEXT, "gone");
    });
    wait.recv().expect("current");
    assert_eq!(egl.eglDestroyContext(display, first), 1);
    to_there.send(()).expect("the other thread");
    thread.join().expect("thread");
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, second), 1, "the other of the group is alive");
    egl.release(display);
    assert_eq!(egl.eglDestroyContext(display, second), 1);
}

/// eglTerminate of one thread under a context that is current to another (EGL 1.5 3.2).
#[test]
fn terminated_under_another_thread() {
    let egl = egl();
    // A display that no other test here uses: surfaceless on a named device.
    let (mut device, mut count) = (NONE, 0);
    assert_eq!(egl.eglQueryDevicesEXT(1, &mut device, &mut count), 1);
    let list = [0x322C, device as isize, END as isize];
    let display = egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, list.as_ptr());
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
    assert_eq!(egl.eglBindAPI(OPENGL_API), 1);
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let (context, surface) = (egl.context(display, config, NONE), egl.pbuffer(display, config));
    let words = [display, context, surface].map(|handle| handle as usize);
    let (to_there, here) = channel::<()>();
    let (done, wait) = channel();
    let thread = std::thread::spawn(move || {
        let [display, context, surface] = words.map(|word| word as Handle);
        assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
        done.send(()).expect("the other thread");
        here.recv().expect("terminated");
        assert_eq!((egl.eglGetCurrentContext(), egl.eglGetCurrentSurface(DRAW)), (context, surface));
        assert!(integer(egl, GL_MAJOR_VERSION) >= 3, "still works");
        assert_eq!(egl.eglWaitClient(), 1);
        egl.release(display);
        assert!(egl.eglGetCurrentContext().is_null());
    });
    wait.recv().expect("current");
    assert_eq!(egl.eglTerminate(display), 1);
    to_there.send(()).expect("the other thread");
    thread.join().expect("thread");
    // A new session knows nothing of the old one's handles.
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
    assert_eq!(egl.eglDestroyContext(display, context), 0);
    egl.expect(BAD_CONTEXT, "of the old session");
    assert_eq!(egl.eglDestroySurface(display, surface), 0);
    egl.expect(BAD_SURFACE, "of the old session");
    assert_eq!(egl.eglTerminate(display), 1);
}
