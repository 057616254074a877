//! Memory and functions of the program that called us.
//!
//! A pointer argument of a command arrives as [`ClientPtr`] or [`ClientPtrMut`]. They can't be made from safe code
//! except as null, so each one came through the C boundary, whose contract (each command's description in the GL
//! specification) says how many elements are readable or writable behind it. Commands ask for exactly that many.

use std::borrow::Cow;
use std::ffi::c_void;

use bytemuck::Pod;

use crate::gl::{GLchar, GLenum, GLsizei, GLuint};

/// A `const T *` of the program. Layout is that of a raw pointer, so it is a parameter type of the C functions.
#[repr(transparent)]
pub struct ClientPtr<T>(*const T);

/// A `T *` of the program.
#[repr(transparent)]
pub struct ClientPtrMut<T>(*mut T);

// SAFETY: these are addresses. Whoever reads through one does so while the command that got it runs, on the thread
// that called the command; a stored one (client vertex arrays) is only handed back or read under the same contract.
unsafe impl<T> Send for ClientPtr<T> {}
// SAFETY: as above; sharing an address gives no access by itself.
unsafe impl<T> Sync for ClientPtr<T> {}
// SAFETY: as above.
unsafe impl<T> Send for ClientPtrMut<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for ClientPtrMut<T> {}
// SAFETY: transparent over a pointer; any bit pattern is an address, and no address is followed without the
// caller's contract described in the module documentation.
unsafe impl<T: 'static> bytemuck::Zeroable for ClientPtr<T> {}
// SAFETY: as above. No padding, any bit pattern valid.
unsafe impl<T: 'static> Pod for ClientPtr<T> {}

impl<T> Clone for ClientPtr<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for ClientPtr<T> {}
impl<T> Default for ClientPtr<T> {
    fn default() -> Self {
        Self(std::ptr::null())
    }
}
impl<T> Clone for ClientPtrMut<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for ClientPtrMut<T> {}
impl<T> Default for ClientPtrMut<T> {
    fn default() -> Self {
        Self(std::ptr::null_mut())
    }
}
impl<T> PartialEq for ClientPtr<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> std::fmt::Debug for ClientPtr<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> std::fmt::Debug for ClientPtrMut<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> ClientPtr<T> {
    /// Whether the program passed null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The value as a number: an offset where a buffer object is bound, as in glVertexAttribPointer.
    pub fn as_offset(self) -> usize {
        self.0 as usize
    }

    /// The same address with another element type.
    pub fn cast<U>(self) -> ClientPtr<U> {
        ClientPtr(self.0.cast())
    }

    /// The address `bytes` further on. Nothing is followed.
    pub fn byte_add(self, bytes: usize) -> Self {
        Self(self.0.wrapping_byte_add(bytes))
    }

    /// The address of memory of ours that the program may read as long as the command's description promises: strings
    /// of glGetString live as long as their context.
    pub fn from_slice(elements: &[T]) -> Self {
        Self(elements.as_ptr())
    }
}

impl<T: Pod> ClientPtr<T> {
    /// The `count` elements behind the pointer, borrowed where they are aligned and copied where they aren't.
    /// Empty when the pointer is null. The calling command's description must make `count` elements readable.
    pub fn read(&self, count: usize) -> Cow<'_, [T]> {
        if self.0.is_null() || count == 0 {
            return Cow::Borrowed(&[]);
        }
        if self.0.is_aligned() {
            // SAFETY: not null, aligned, and by the contract of the command that received the pointer the program
            // made `count` elements readable for the duration of the call. `T: Pod`, so any bytes are a value.
            return Cow::Borrowed(unsafe { std::slice::from_raw_parts(self.0, count) });
        }
        Cow::Owned((0..count).map(|i| self.read_at(i)).collect())
    }

    /// Element `index`. The calling command's description must make it readable; null reads as zero.
    pub fn read_at(self, index: usize) -> T {
        if self.0.is_null() {
            return T::zeroed();
        }
        // SAFETY: not null, and readable by the contract of the command that received the pointer.
        unsafe { self.0.add(index).read_unaligned() }
    }
}

impl ClientPtr<GLchar> {
    /// The bytes of a C string without the terminator. Empty when null.
    pub fn c_str(&self) -> &[u8] {
        if self.0.is_null() {
            return &[];
        }
        // SAFETY: not null, and the command's description asks for a null-terminated string.
        unsafe { std::ffi::CStr::from_ptr(self.0.cast()) }.to_bytes()
    }

    /// A string whose length is `length`, or which ends in a null byte when `length` is negative.
    pub fn string(&self, length: isize) -> Cow<'_, [u8]> {
        match usize::try_from(length) {
            Ok(count) => self.read(count),
            Err(_) => Cow::Borrowed(self.c_str()),
        }
    }
}

impl<T> ClientPtrMut<T> {
    /// Whether the program passed null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The value as a number: an offset where a pixel pack or query buffer is bound.
    pub fn as_offset(self) -> usize {
        self.0 as usize
    }

    /// The same address with another element type.
    pub fn cast<U>(self) -> ClientPtrMut<U> {
        ClientPtrMut(self.0.cast())
    }

    /// The address `bytes` further on. Nothing is followed.
    pub fn byte_add(self, bytes: usize) -> Self {
        Self(self.0.wrapping_byte_add(bytes))
    }

    /// For reading what the program or we wrote there.
    pub fn as_const(self) -> ClientPtr<T> {
        ClientPtr(self.0)
    }

    /// Elements of ours, for a command that writes to what it is given.
    pub fn from_mut_slice(elements: &mut [T]) -> Self {
        Self(elements.as_mut_ptr())
    }

    /// Hands an address to the program: a mapped buffer, or a pointer it gave us earlier. Nothing is followed.
    pub fn from_address(address: usize) -> Self {
        Self(address as *mut T)
    }
}

impl<T: Copy> ClientPtrMut<T> {
    /// Writes all of `values`; nothing when the pointer is null. The calling command's description must make as
    /// many elements writable.
    pub fn write(self, values: &[T]) {
        if self.0.is_null() {
            return;
        }
        // SAFETY: not null; writable for `values.len()` elements by the contract of the command that received the
        // pointer. Copying bytes asks for no alignment. The program's memory can't overlap a slice of ours, except a
        // buffer mapping, which no command may write to through here while we hold a slice of it.
        unsafe {
            std::ptr::copy_nonoverlapping(values.as_ptr().cast::<u8>(), self.0.cast::<u8>(), size_of_val(values));
        }
    }

    /// Writes one element at `index`; nothing when the pointer is null.
    pub fn write_at(self, index: usize, value: T) {
        if self.0.is_null() {
            return;
        }
        // SAFETY: not null, and writable by the contract of the command that received the pointer.
        unsafe { self.0.add(index).write_unaligned(value) }
    }
}

impl ClientPtrMut<GLchar> {
    /// Returns a string the way GL's queries do: at most `buf_size - 1` bytes and a null byte, and the number of
    /// bytes without the null into `length` when that isn't null.
    pub fn write_string(self, buf_size: GLsizei, length: ClientPtrMut<GLsizei>, text: &[u8]) {
        let room = usize::try_from(buf_size).unwrap_or(0);
        let count = if self.is_null() || room == 0 { 0 } else { text.len().min(room - 1) };
        if room > 0 {
            self.write(&text[..count]);
            self.write_at(count, 0);
        }
        length.write(&[count as GLsizei]);
    }
}

type RawDebugProc = unsafe extern "C" fn(GLenum, GLenum, GLuint, GLenum, GLsizei, *const GLchar, *const c_void);

/// A debug callback of the program, possibly null.
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct DebugProc(Option<RawDebugProc>);

/// What a debug callback is told.
pub struct DebugCall<'a> {
    /// GL_DEBUG_SOURCE_*.
    pub source: GLenum,
    /// GL_DEBUG_TYPE_*.
    pub kind: GLenum,
    /// Message id.
    pub id: GLuint,
    /// GL_DEBUG_SEVERITY_*.
    pub severity: GLenum,
    /// The message; passed on with a terminator.
    pub text: &'a [u8],
}

impl DebugProc {
    /// Whether there is no callback.
    pub fn is_null(self) -> bool {
        self.0.is_none()
    }

    /// The address, for glGetPointerv.
    pub fn address(self) -> usize {
        self.0.map_or(0, |f| f as usize)
    }

    /// Calls the program. GL 4.6 core 20.2: it may not call GL from there, and finds no current context if it does.
    pub fn call(self, call: &DebugCall, user: ClientPtr<u8>) {
        let Some(proc) = self.0 else { return };
        let mut text = call.text.to_vec();
        text.push(0);
        let length = call.text.len() as GLsizei;
        // SAFETY: the program registered this function for exactly this call (GL 4.6 core 20.2) and must keep it
        // callable while registered; `text` is null-terminated and outlives the call.
        unsafe { proc(call.source, call.kind, call.id, call.severity, length, text.as_ptr(), user.0.cast()) }
    }
}
