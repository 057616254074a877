//! The two Xlib functions EGL needs, found at run time: a program that passes a `Display *` has libX11
//! loaded, and a machine without X needs neither library.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::sync::LazyLock;

use libloading::Library;

use crate::native::process_memory;

struct Functions {
    get_xcb_connection: unsafe extern "C" fn(display: usize) -> usize,
    default_screen: unsafe extern "C" fn(display: usize) -> c_int,
    // Last: the functions live as long as their libraries.
    _libraries: [Library; 2],
}

static FUNCTIONS: LazyLock<Option<Functions>> = LazyLock::new(load);

fn load() -> Option<Functions> {
    // SAFETY: both libraries' initialisers are harmless; they are the system's own and usually loaded already.
    let (x11, x11_xcb) = unsafe { (Library::new("libX11.so.6").ok()?, Library::new("libX11-xcb.so.1").ok()?) };
    // SAFETY: the prototypes are those of Xlib.h and Xlib-xcb.h, pointers as words of their size.
    let (get_xcb_connection, default_screen) =
        unsafe { (*x11_xcb.get(b"XGetXCBConnection\0").ok()?, *x11.get(b"XDefaultScreen\0").ok()?) };
    Some(Functions { get_xcb_connection, default_screen, _libraries: [x11, x11_xcb] })
}

/// The XCB connection under an Xlib display, and its default screen. None without libX11-xcb.
///
/// # Safety
/// `display` is a live `Display *`.
pub unsafe fn connection(display: usize) -> Option<(usize, usize)> {
    let functions = FUNCTIONS.as_ref()?;
    // SAFETY: the caller passes a live display; both functions only read it.
    let (connection, screen) =
        unsafe { ((functions.get_xcb_connection)(display), (functions.default_screen)(display)) };
    (connection != 0).then(|| (connection, usize::try_from(screen).unwrap_or(0)))
}

/// Whether an unknown pointer is a `Display *`: the public part of Xlib's structure names the protocol
/// version, 11.0, after two pointers, the descriptor and a private word.
pub fn is_display(address: usize) -> bool {
    const POINTER: usize = size_of::<usize>();
    if address == 0 || !address.is_multiple_of(POINTER) {
        return false;
    }
    let word = |offset: usize| process_memory::read::<4>(address.wrapping_add(offset)).map(i32::from_ne_bytes);
    let (descriptor, major, minor) = (word(2 * POINTER), word(2 * POINTER + 8), word(2 * POINTER + 12));
    matches!((descriptor, major, minor), (Some(0..=0x000f_ffff), Some(11), Some(0)))
}

#[cfg(test)]
mod tests {
    use super::is_display;

    #[test]
    fn other_pointers_are_no_display() {
        let zeros = [0usize; 16];
        assert!(!is_display(zeros.as_ptr() as usize));
        assert!(!is_display(0));
        assert!(!is_display(3));
        assert!(!is_display(usize::MAX - 7));
        assert!(!is_display("a string of some length, not a display".as_ptr() as usize & !7));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn protocol_11_0_is_a_display() {
        let mut fake = [0i32; 16];
        fake[4] = 7;
        fake[6] = 11;
        #[repr(align(8))]
        struct Aligned([i32; 16]);
        let fake = Aligned(fake);
        assert!(is_display(fake.0.as_ptr() as usize));
    }
}
