//! EGL on displays without windows: what each command answers, and which error it leaves (EGL 1.5).

mod support;

use std::ffi::c_char;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use support::*;

/// Terminating is process-wide, so the tests that do it use a display of their own: a device display.
fn own_display(egl: &Egl) -> Handle {
    let (mut device, mut count) = (NONE, 0);
    assert_eq!(egl.eglQueryDevicesEXT(1, &mut device, &mut count), 1);
    assert_eq!(count, 1);
    let display = egl.eglGetPlatformDisplay(PLATFORM_DEVICE, device, null());
    assert!(!display.is_null());
    display
}

#[test]
fn client_strings_need_no_display() {
    let egl = egl();
    assert_eq!(egl.text(egl.eglQueryString(NONE, VERSION)).as_deref(), Some("1.5"));
    let extensions = egl.text(egl.eglQueryString(NONE, EXTENSIONS)).expect("client extensions");
    for name in ["EGL_EXT_client_extensions", "EGL_MESA_platform_surfaceless", "EGL_EXT_device_enumeration"] {
        assert!(extensions.split(' ').any(|word| word == name), "{name}");
    }
    assert!(egl.eglQueryString(NONE, VENDOR).is_null());
    egl.expect(BAD_DISPLAY, "vendor without a display");
}

#[test]
fn equal_arguments_give_one_display() {
    let egl = egl();
    let display = egl.surfaceless();
    assert_eq!(egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, null()), display);
    assert_ne!(own_display(egl), display);
    assert!(egl.eglGetPlatformDisplay(0x1234, NONE, null()).is_null());
    egl.expect(BAD_PARAMETER, "unknown platform");
    assert!(egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, 0x10 as Handle, null()).is_null());
    egl.expect(BAD_PARAMETER, "surfaceless with a native display");
    let list = [WIDTH as isize, 3, END as isize];
    assert!(egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, list.as_ptr()).is_null());
    egl.expect(BAD_ATTRIBUTE, "unknown attribute");
}

/// EGL 1.5 3.2: no matching display is EGL_NO_DISPLAY; and a pointer to anything else must not crash.
#[test]
fn unknown_native_displays_are_no_display() {
    let egl = egl();
    let word = 0x1234_5678_usize;
    for native in [8 as Handle, (&raw const word).cast_mut().cast(), usize::MAX as Handle] {
        assert!(egl.eglGetDisplay(native).is_null());
        egl.expect(SUCCESS, "no such display is no error");
    }
}

#[test]
fn displays_are_checked_first() {
    let egl = egl();
    assert_eq!(egl.eglInitialize(0x40 as Handle, null_mut(), null_mut()), 0);
    egl.expect(BAD_DISPLAY, "eglInitialize");
    assert_eq!(egl.eglTerminate(NONE), 0);
    egl.expect(BAD_DISPLAY, "eglTerminate");
    let mut value = 0;
    assert_eq!(egl.eglGetConfigs(NONE, null_mut(), 0, &mut value), 0);
    egl.expect(BAD_DISPLAY, "eglGetConfigs");
    egl.expect(SUCCESS, "eglGetError clears the error");
}

#[test]
fn a_display_that_is_not_initialised_does_nothing() {
    let egl = egl();
    // Not one that another test initialises: the X11 platform on a server that isn't there.
    let list = [0x31D6, 1234, END as isize];
    let display = egl.eglGetPlatformDisplay(PLATFORM_X11, NONE, list.as_ptr());
    assert!(!display.is_null());
    let mut value = 0;
    assert_eq!(egl.eglGetConfigs(display, null_mut(), 0, &mut value), 0);
    egl.expect(NOT_INITIALIZED, "eglGetConfigs");
    assert!(egl.eglQueryString(display, VENDOR).is_null());
    egl.expect(NOT_INITIALIZED, "eglQueryString");
    assert_eq!(egl.eglTerminate(display), 1);
    // EGL 1.5 3.7.3: releasing nothing is fine.
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, NONE), 1);
    assert_eq!(egl.eglSwapInterval(display, 1), 0);
    egl.expect(NOT_INITIALIZED, "eglSwapInterval");
}

#[test]
fn screens_have_numbers_from_0_on() {
    let egl = egl();
    let list = [0x31D6, -1, END as isize];
    assert!(egl.eglGetPlatformDisplay(PLATFORM_X11, NONE, list.as_ptr()).is_null());
    egl.expect(BAD_ATTRIBUTE, "eglGetPlatformDisplay");
}

#[test]
fn only_opengl_can_be_bound() {
    std::thread::spawn(|| {
        let egl = egl();
        // EGL 1.5 3.7: without OpenGL ES a thread starts with EGL_NONE.
        assert_eq!(egl.eglQueryAPI(), END as u32);
        let display = egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, null());
        egl.eglInitialize(display, null_mut(), null_mut());
        assert!(egl.eglCreateContext(display, NONE, NONE, null()).is_null());
        egl.expect(BAD_MATCH, "context without an API");
        assert_eq!(egl.eglBindAPI(OPENGL_ES_API), 0);
        egl.expect(BAD_PARAMETER, "OpenGL ES");
        assert_eq!(egl.eglBindAPI(OPENGL_API), 1);
        assert_eq!(egl.eglQueryAPI(), OPENGL_API);
        assert_eq!(egl.eglReleaseThread(), 1);
        assert_eq!(egl.eglQueryAPI(), END as u32);
    })
    .join()
    .expect("thread");
}

#[test]
fn config_lists_stop_at_the_given_size() {
    let egl = egl();
    let display = egl.surfaceless();
    let mut total = 0;
    assert_eq!(egl.eglGetConfigs(display, null_mut(), 0, &mut total), 1);
    assert!(total > 10);
    let mut configs = vec![0x77 as Handle; 4];
    let mut count = 0;
    assert_eq!(egl.eglGetConfigs(display, configs.as_mut_ptr(), 3, &mut count), 1);
    assert_eq!((count, configs[3]), (3, 0x77 as Handle));
    assert_eq!(egl.eglGetConfigs(display, configs.as_mut_ptr(), 3, null_mut()), 0);
    egl.expect(BAD_PARAMETER, "no count");
    let list = [RED_SIZE, -5, END];
    assert_eq!(egl.eglChooseConfig(display, list.as_ptr(), configs.as_mut_ptr(), 3, &mut count), 0);
    egl.expect(BAD_ATTRIBUTE, "negative size");
    let mut value = 0;
    assert_eq!(egl.eglGetConfigAttrib(display, 9999 as Handle, RED_SIZE, &mut value), 0);
    egl.expect(BAD_CONFIG, "no such config");
    assert_eq!(egl.eglGetConfigAttrib(display, configs[0], WIDTH, &mut value), 0);
    egl.expect(BAD_ATTRIBUTE, "no such attribute");
}

/// EGL 1.5 3.4.1.2: with 8 bits asked for, no deeper colour, the fewest samples and the least depth come first.
#[test]
fn the_first_config_is_the_expected_one() {
    let egl = egl();
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8, 0x3023, 8, 0x3022, 8, ALPHA_SIZE, 8, DEPTH_SIZE, 24]);
    let get = |name| {
        let mut value = -1;
        assert_eq!(egl.eglGetConfigAttrib(display, config, name, &mut value), 1);
        value
    };
    assert_eq!((get(RED_SIZE), get(ALPHA_SIZE), get(DEPTH_SIZE), get(SAMPLES)), (8, 8, 24, 0));
}

#[test]
fn pbuffers_answer_what_they_were_made_with() {
    let egl = egl();
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let surface = egl.pbuffer(display, config);
    let query = |name| {
        let mut value = -7;
        let ok = egl.eglQuerySurface(display, surface, name, &mut value);
        (ok, value)
    };
    assert_eq!((query(WIDTH), query(HEIGHT)), ((1, 16), (1, 8)));
    // EGL_RENDER_BUFFER is EGL_BACK_BUFFER, EGL_SWAP_BEHAVIOR EGL_BUFFER_DESTROYED.
    assert_eq!((query(0x3086), query(0x3093)), ((1, 0x3084), (1, 0x3095)));
    assert_eq!(query(0x9999).0, 0);
    egl.expect(BAD_ATTRIBUTE, "no such attribute");
    assert_eq!(egl.eglBindTexImage(display, surface, 0x3084), 0);
    egl.expect(BAD_MATCH, "no texture format");
    assert_eq!(egl.eglCopyBuffers(display, surface, NONE), 0);
    egl.expect(BAD_NATIVE_PIXMAP, "no pixmaps");
    assert!(egl.eglCreatePixmapSurface(display, config, NONE, null()).is_null());
    egl.expect(BAD_MATCH, "no config for pixmaps");
    assert!(egl.eglCreateWindowSurface(display, config, 1 as Handle, null()).is_null());
    egl.expect(BAD_MATCH, "no config for windows");
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    assert_eq!(egl.eglDestroySurface(display, surface), 0);
    egl.expect(BAD_SURFACE, "destroyed twice");
}

#[test]
fn make_current_rules() {
    let egl = egl();
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8, ALPHA_SIZE, 8, DEPTH_SIZE, 24]);
    // EGL 1.5 3.4.1.2: the most bits of what is asked for come first.
    let other = egl.choose(display, &[RED_SIZE, 8]);
    let context = egl.context(display, config, NONE);
    let (surface, mismatched) = (egl.pbuffer(display, config), egl.pbuffer(display, other));
    for (draw, read, context, error, what) in [
        (surface, surface, NONE, BAD_MATCH, "surfaces without a context"),
        (surface, NONE, context, BAD_MATCH, "draw without read"),
        (NONE, surface, context, BAD_MATCH, "read without draw"),
        (mismatched, mismatched, context, BAD_MATCH, "config that doesn't fit"),
        (0x55 as Handle, surface, context, BAD_SURFACE, "no such surface"),
        (surface, surface, 0x55 as Handle, BAD_CONTEXT, "no such context"),
    ] {
        assert_eq!(egl.eglMakeCurrent(display, draw, read, context), 0, "{what}");
        egl.expect(error, what);
        assert!(egl.eglGetCurrentContext().is_null(), "{what}");
    }
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    assert_eq!(egl.eglGetCurrentContext(), context);
    assert_eq!(egl.eglGetCurrentSurface(DRAW), surface);
    assert_eq!(egl.eglGetCurrentSurface(READ), surface);
    assert_eq!(egl.eglGetCurrentDisplay(), display);
    // A failed call leaves everything as it was.
    assert_eq!(egl.eglMakeCurrent(display, mismatched, mismatched, context), 0);
    assert_eq!(egl.eglGetCurrentSurface(DRAW), surface);
    // Surfaceless, then nothing.
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 1);
    assert!(egl.eglGetCurrentSurface(DRAW).is_null());
    egl.release(display);
    assert!(egl.eglGetCurrentContext().is_null());
    assert!(egl.eglGetCurrentDisplay().is_null());
    // Without a config any surface fits (EGL_KHR_no_config_context).
    let free = egl.context(display, NONE, NONE);
    for surface in [surface, mismatched] {
        assert_eq!(egl.eglMakeCurrent(display, surface, surface, free), 1);
    }
    egl.release(display);
    for context in [context, free] {
        assert_eq!(egl.eglDestroyContext(display, context), 1);
    }
    assert_eq!(egl.eglDestroyContext(display, context), 0);
    egl.expect(BAD_CONTEXT, "destroyed twice");
}

/// EGL 1.5 3.7.3: what is current to one thread is EGL_BAD_ACCESS to another, until the first releases it or ends.
#[test]
fn one_thread_at_a_time() {
    let egl = egl();
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let (first, second) = (egl.context(display, config, NONE), egl.context(display, config, NONE));
    let (shared, own) = (egl.pbuffer(display, config), egl.pbuffer(display, config));
    let words = [display, first, second, shared, own].map(|handle| handle as usize);
    assert_eq!(egl.eglMakeCurrent(display, shared, shared, first), 1);
    std::thread::spawn(move || {
        let [display, first, second, shared, own] = words.map(|word| word as Handle);
        assert_eq!(egl.eglMakeCurrent(display, own, own, first), 0);
        egl.expect(BAD_ACCESS, "context of another thread");
        assert_eq!(egl.eglMakeCurrent(display, shared, shared, second), 0);
        egl.expect(BAD_ACCESS, "surface of another thread");
        assert_eq!(egl.eglMakeCurrent(display, own, own, second), 1);
        // The thread ends with `second` and `own` current.
    })
    .join()
    .expect("thread");
    assert_eq!(egl.eglMakeCurrent(display, own, shared, second), 1, "the ended thread released them");
    assert_eq!(egl.eglMakeCurrent(display, shared, own, first), 1, "same thread, so both are free");
    egl.release(display);
}

/// A thread that waits for a sync object which nobody signals; what the wait answers.
fn waiter(egl: &'static Egl, display: Handle) -> std::sync::mpsc::Receiver<i32> {
    let sync = egl.eglCreateSync(display, 0x30FA, null());
    assert!(!sync.is_null());
    let (sender, answers) = std::sync::mpsc::channel();
    let words = [display as usize, sync as usize];
    std::thread::spawn(move || {
        let [display, sync] = words.map(|word| word as Handle);
        sender.send(0).expect("begun");
        sender.send(egl.eglClientWaitSync(display, sync, 0, u64::MAX)).expect("woken");
    });
    assert_eq!(answers.recv(), Ok(0));
    std::thread::sleep(std::time::Duration::from_millis(50));
    answers
}

/// EGL 1.5 3.2: after eglTerminate handles are dead, but what is current stays usable until it is released.
#[test]
fn terminate_with_live_objects() {
    let egl = egl();
    let display = own_display(egl);
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1, "again is fine");
    assert_eq!(egl.eglBindAPI(OPENGL_API), 1);
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let (context, idle) = (egl.context(display, config, NONE), egl.context(display, config, NONE));
    let (surface, idle_surface) = (egl.pbuffer(display, config), egl.pbuffer(display, config));
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    let fence = egl.eglCreateSync(display, 0x30F9, null());
    assert!(!fence.is_null());
    let woken = waiter(egl, display);
    assert_eq!(egl.eglTerminate(display), 1);
    // EGL_KHR_reusable_sync: destroyed, and whoever waits is woken; who came too late found no display.
    let answer = woken.recv_timeout(std::time::Duration::from_secs(60)).expect("the waiter returns");
    assert!([0, 0x30F6].contains(&answer), "{answer:#x}");
    assert_eq!(egl.eglTerminate(display), 1, "twice is fine");
    assert_eq!(egl.eglGetCurrentContext(), context);
    assert_eq!(egl.eglWaitClient(), 1, "the current context still works");
    assert_eq!(egl.eglSwapBuffers(display, surface), 0);
    egl.expect(NOT_INITIALIZED, "eglSwapBuffers");
    assert_eq!(egl.eglInitialize(display, null_mut(), null_mut()), 1);
    for handle in [context, idle] {
        assert_eq!(egl.eglDestroyContext(display, handle), 0);
        egl.expect(BAD_CONTEXT, "context of the old session");
    }
    assert_eq!(egl.eglDestroySurface(display, idle_surface), 0);
    egl.expect(BAD_SURFACE, "surface of the old session");
    egl.release(display);
    assert!(egl.eglGetCurrentContext().is_null());
    assert_eq!(egl.eglTerminate(display), 1);
}

/// A destroyed object that is current goes when it is no longer current (EGL 1.5 3.5.5, 3.7.2).
#[test]
fn destroying_what_is_current_waits() {
    let egl = egl();
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let (context, surface) = (egl.context(display, config, NONE), egl.pbuffer(display, config));
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    assert_eq!(egl.eglDestroySurface(display, surface), 1);
    assert_eq!(egl.eglDestroyContext(display, context), 1);
    assert_eq!((egl.eglGetCurrentContext(), egl.eglGetCurrentSurface(DRAW)), (context, surface));
    assert_eq!(egl.eglWaitClient(), 1);
    egl.release(display);
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 0);
    egl.expect(BAD_CONTEXT, "gone");
}

#[test]
fn context_attributes() {
    let egl = egl();
    let display = egl.surfaceless();
    for (list, error, what) in [
        (&[0x3098, 4, 0x30FB, 7, END][..], BAD_MATCH, "no such version"),
        (&[0x3098, 3, 0x30FB, 3, 0x30FD, 0, END][..], BAD_MATCH, "no profile"),
        (&[0x3098, 3, 0x30FB, 3, 0x30FD, 2, END][..], BAD_MATCH, "the compatibility profile"),
        (&[END][..], BAD_MATCH, "OpenGL 1.0, which only the compatibility profile serves"),
        (&[0x1234, 1, END][..], BAD_ATTRIBUTE, "unknown attribute"),
        (&[0x30FC, 0x40, END][..], BAD_ATTRIBUTE, "unknown flag"),
    ] {
        assert!(egl.eglCreateContext(display, NONE, NONE, list.as_ptr()).is_null(), "{what}");
        egl.expect(error, what);
    }
    assert!(egl.eglCreateContext(display, 9999 as Handle, NONE, null()).is_null());
    egl.expect(BAD_CONFIG, "no such config");
    assert!(egl.eglCreateContext(display, NONE, 0x31 as Handle, null()).is_null());
    egl.expect(BAD_CONTEXT, "no such shared context");
    let first = egl.context(display, NONE, NONE);
    let second = egl.context(display, NONE, first);
    let query = |name| {
        let mut value = -1;
        (egl.eglQueryContext(display, second, name, &mut value), value)
    };
    // EGL_CONTEXT_CLIENT_TYPE, _VERSION, EGL_CONFIG_ID, EGL_RENDER_BUFFER.
    assert_eq!(query(0x3097), (1, OPENGL_API as i32));
    assert_eq!(query(0x3098), (1, 3));
    assert_eq!(query(0x3028), (1, 0));
    assert_eq!(query(0x3086), (1, END));
    assert_eq!(query(WIDTH).0, 0);
    egl.expect(BAD_ATTRIBUTE, "not a context attribute");
    // Sharing with another reset strategy.
    let list = [0x3098, 3, 0x30FB, 3, 0x31BD, 0x31BF, END];
    assert!(egl.eglCreateContext(display, NONE, first, list.as_ptr()).is_null());
    egl.expect(BAD_MATCH, "another reset strategy");
    for context in [first, second] {
        assert_eq!(egl.eglDestroyContext(display, context), 1);
    }
}

#[test]
fn swapping_without_windows() {
    let egl = egl();
    let display = egl.surfaceless();
    let config = egl.choose(display, &[RED_SIZE, 8]);
    let (context, surface, other) =
        (egl.context(display, config, NONE), egl.pbuffer(display, config), egl.pbuffer(display, config));
    assert_eq!(egl.eglSwapInterval(display, 1), 0);
    egl.expect(BAD_CONTEXT, "no context");
    assert_eq!(egl.eglSwapBuffers(display, surface), 0);
    egl.expect(BAD_SURFACE, "not current");
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 1);
    assert_eq!(egl.eglSwapInterval(display, 1), 0);
    egl.expect(BAD_SURFACE, "no surface");
    assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
    assert_eq!(egl.eglSwapBuffers(display, surface), 1, "no effect on a pbuffer");
    assert_eq!(egl.eglSwapInterval(display, 99), 1, "clamped");
    assert_eq!(egl.eglSwapBuffers(display, other), 0);
    egl.expect(BAD_SURFACE, "another surface");
    assert_eq!(egl.eglSwapBuffersWithDamageKHR(display, surface, null(), -1), 0);
    egl.expect(BAD_PARAMETER, "negative count");
    assert_eq!(egl.eglSwapBuffersWithDamageKHR(display, surface, null(), 1), 0);
    egl.expect(BAD_PARAMETER, "no rectangles");
    assert_eq!(egl.eglWaitNative(0x305B), 1);
    assert_eq!(egl.eglWaitNative(5), 0);
    egl.expect(BAD_PARAMETER, "no such engine");
    egl.release(display);
}

#[test]
fn fences_and_reusable_syncs() {
    let egl = egl();
    let display = egl.surfaceless();
    assert!(egl.eglCreateSync(display, 0x30F9, null()).is_null());
    egl.expect(BAD_MATCH, "fence without a context");
    let context = egl.context(display, NONE, NONE);
    assert_eq!(egl.eglMakeCurrent(display, NONE, NONE, context), 1);
    let fence = egl.eglCreateSync(display, 0x30F9, null());
    assert!(!fence.is_null());
    assert_eq!(egl.eglClientWaitSync(display, fence, 1, u64::MAX), 0x30F6);
    assert_eq!(egl.eglWaitSync(display, fence, 0), 1);
    assert_eq!(egl.eglWaitSync(display, fence, 1), 0);
    egl.expect(BAD_PARAMETER, "flags");
    let mut value = 0;
    assert_eq!(egl.eglGetSyncAttrib(display, fence, 0x30F7, &mut value), 1);
    assert_eq!(value, 0x30F9);
    assert_eq!(egl.eglGetSyncAttrib(display, fence, 0x30F1, &mut value), 1);
    assert_eq!(value, 0x30F2, "signaled");
    assert_eq!(egl.eglSignalSyncKHR(display, fence, 0x30F2), 0);
    egl.expect(BAD_MATCH, "a fence can't be signaled by hand");
    assert_eq!(egl.eglDestroySync(display, fence), 1);
    assert_eq!(egl.eglDestroySync(display, fence), 0);
    egl.expect(BAD_PARAMETER, "destroyed twice");
    assert!(egl.eglCreateSync(display, 0x1, null()).is_null());
    egl.expect(BAD_ATTRIBUTE, "no such type");
    let reusable = egl.eglCreateSync(display, 0x30FA, null());
    assert_eq!(egl.eglClientWaitSync(display, reusable, 0, 1000), 0x30F5, "timeout");
    assert_eq!(egl.eglSignalSyncKHR(display, reusable, 0x30F2), 1);
    assert_eq!(egl.eglClientWaitSync(display, reusable, 0, u64::MAX), 0x30F6);
    egl.release(display);
}

#[test]
fn devices_and_their_displays() {
    let egl = egl();
    let (mut device, mut count) = (NONE, 0);
    assert_eq!(egl.eglQueryDevicesEXT(0, null_mut(), &mut count), 1);
    assert!(count >= 1);
    assert_eq!(egl.eglQueryDevicesEXT(0, &mut device, &mut count), 0);
    egl.expect(BAD_PARAMETER, "no room");
    assert_eq!(egl.eglQueryDevicesEXT(1, &mut device, &mut count), 1);
    assert!(!egl.eglQueryDeviceStringEXT(device, EXTENSIONS).is_null());
    assert!(egl.eglQueryDeviceStringEXT(device, 0x3233).is_null(), "no DRM node");
    egl.expect(BAD_PARAMETER, "no DRM node");
    assert!(egl.eglQueryDeviceStringEXT(0x44 as Handle, EXTENSIONS).is_null());
    egl.expect(0x322B, "no such device");
    let display = egl.surfaceless();
    let mut value = 0;
    assert_eq!(egl.eglQueryDisplayAttribEXT(display, 0x322C, &mut value), 1);
    assert_eq!(value as Handle, device);
    assert!(egl.text(egl.eglGetDisplayDriverName(display)).is_some_and(|name| !name.is_empty()));
}

#[test]
fn names_lead_to_functions() {
    let egl = egl();
    let get = |name: &std::ffi::CStr| egl.eglGetProcAddress(name.as_ptr());
    assert!(!get(c"eglSwapBuffers").is_null());
    assert!(!get(c"glClear").is_null());
    assert!(!get(c"glDrawElementsInstancedBaseVertex").is_null());
    for name in [c"", c"gl", c"glNoSuchCommand", c"eglCreateStreamKHR", c"free"] {
        assert!(get(name).is_null(), "{name:?}");
    }
    assert!(egl.eglGetProcAddress(null()).is_null());
    assert!(egl.eglCreateImage(egl.surfaceless(), NONE, 0x30B1, NONE, null()).is_null());
    egl.expect(BAD_PARAMETER, "no image targets yet");
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn count_message(
    error: u32,
    command: *const c_char,
    kind: i32,
    thread: Handle,
    object: Handle,
    _message: *const c_char,
) {
    // SAFETY: EGL_KHR_debug: a null-terminated string.
    let command = unsafe { std::ffi::CStr::from_ptr(command) };
    let is_ours = thread as usize == 0x7e57;
    if is_ours
        && error == BAD_SURFACE as u32
        && kind == 0x33BA
        && command == c"eglDestroySurface"
        && object as usize == 0xd15
    {
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn errors_reach_the_debug_callback_with_labels() {
    let egl = egl();
    let display = egl.surfaceless();
    assert_eq!(egl.eglLabelObjectKHR(NONE, 0x33B0, NONE, 0x7e57 as Handle), SUCCESS);
    assert_eq!(egl.eglLabelObjectKHR(display, 0x33B1, display, 0xd15 as Handle), SUCCESS);
    assert_eq!(egl.eglLabelObjectKHR(display, 0x33B3, NONE, 1 as Handle), BAD_PARAMETER);
    assert_eq!(egl.eglDebugMessageControlKHR(Some(count_message), null()), SUCCESS);
    assert_eq!(egl.eglDestroySurface(display, 0x66 as Handle), 0);
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    let off = [0x33BA, 0, END as isize];
    assert_eq!(egl.eglDebugMessageControlKHR(Some(count_message), off.as_ptr()), SUCCESS);
    assert_eq!(egl.eglDestroySurface(display, 0x66 as Handle), 0);
    assert_eq!(CALLS.load(Ordering::Relaxed), 1, "errors were turned off");
    let bad = [0x1, 1, END as isize];
    assert_eq!(egl.eglDebugMessageControlKHR(None, bad.as_ptr()), BAD_ATTRIBUTE);
    assert_eq!(egl.eglDebugMessageControlKHR(None, null()), SUCCESS);
    let mut value = 1;
    assert_eq!(egl.eglQueryDebugKHR(0x33B8, &mut value), 1);
    assert_eq!(value, 0);
}

/// Many threads at once, one of them terminating the display under the others: every call returns, and only with
/// errors EGL knows for it.
#[test]
fn threads_in_each_others_way() {
    let egl = egl();
    // A display of its own: surfaceless on a named device (EGL_EXT_explicit_device).
    let (mut device, mut count) = (NONE, 0);
    assert_eq!(egl.eglQueryDevicesEXT(1, &mut device, &mut count), 1);
    let list = [0x322C, device as isize, END as isize];
    let display = egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, NONE, list.as_ptr()) as usize;
    let workers: Vec<_> = (0..6)
        .map(|worker| {
            std::thread::spawn(move || {
                let display = display as Handle;
                egl.eglBindAPI(OPENGL_API);
                for round in 0..200 {
                    if worker == 0 && round % 20 == 19 {
                        egl.eglTerminate(display);
                    }
                    egl.eglInitialize(display, null_mut(), null_mut());
                    let list = [0x3098, 3, 0x30FB, 3, END];
                    let context = egl.eglCreateContext(display, NONE, NONE, list.as_ptr());
                    let size = [WIDTH, 4, HEIGHT, 4, END];
                    let surface = egl.eglCreatePbufferSurface(display, 1 as Handle, size.as_ptr());
                    if egl.eglMakeCurrent(display, surface, surface, context) == 1 {
                        assert_eq!(egl.eglGetCurrentContext(), context);
                        let sync = egl.eglCreateSync(display, 0x30F9, null());
                        egl.eglClientWaitSync(display, sync, 0, 1_000_000);
                        egl.eglDestroySync(display, sync);
                    }
                    egl.eglDestroyContext(display, context);
                    egl.eglDestroySurface(display, surface);
                    egl.eglMakeCurrent(display, NONE, NONE, NONE);
                    let error = egl.eglGetError();
                    assert_eq!(error, SUCCESS, "releasing always works");
                }
                egl.eglReleaseThread();
            })
        })
        .collect();
    for worker in workers {
        worker.join().expect("worker");
    }
}

/// A process may end with everything still current (cases of programs that just return from main).
#[test]
fn exit_with_a_current_context() {
    const CHILD: &str = "GALLITE_TEST_EXIT_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let egl = egl();
        let display = egl.surfaceless();
        let config = egl.choose(display, &[RED_SIZE, 8]);
        let (context, surface) = (egl.context(display, config, NONE), egl.pbuffer(display, config));
        assert_eq!(egl.eglMakeCurrent(display, surface, surface, context), 1);
        std::process::exit(0);
    }
    let test = std::env::current_exe().expect("path of the test");
    let status = std::process::Command::new(test)
        .args(["--exact", "exit_with_a_current_context", "--test-threads=1"])
        .env(CHILD, "1")
        .stdout(std::process::Stdio::null())
        .status()
        .expect("child");
    assert!(status.success(), "{status}");
}
